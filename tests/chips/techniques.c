/* techniques DEVICE: technique.h on any device, 8 warps with masks of all kinds; the plain operations and C are the reference. */
#include <warpport/launch.h>

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARPS = 8, MOST = WARPS * 64 };
static wp_device *dev;
static int lanes, failures;
static long checks;

static void need(wp_status status, const char *what) {
  if (status == WP_OK) return;
  printf("FAIL %s: %s: %s\n", what, wp_status_name(status), wp_last_error());
  exit(1);
}
static void check(bool right, const char *what, int thread) {
  checks++;
  if (!right && failures++ < 10) printf("FAIL %s, thread %d\n", what, thread);
}
static wp_buffer *buffer(size_t bytes, const void *data) {
  wp_buffer *b;
  need(wp_buffer_create(dev, bytes, &b), "buffer");
  if (data) need(wp_buffer_write(b, 0, data, bytes), "write");
  else need(wp_buffer_fill(b, 0), "fill");
  return b;
}
static void launch(const char *name, int blocks, int threads, const wp_arg *args, int count) {
  wp_kernel *k;
  wp_launch_config c = {{(unsigned)blocks, 1, 1}, {(unsigned)threads, 1, 1}, NULL};
  need(wp_kernel_find(dev, name, &k), name);
  need(wp_launch(k, &c, args, count), name);
  need(wp_device_synchronize(dev), name);
}
static uint64_t ones(int n) { return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1; }

static void reductions(const char *name, const uint64_t *masks, const void *values) {
  int n = WARPS * lanes;
  int32_t same[MOST];
  wp_buffer *m = buffer(WARPS * sizeof *masks, masks), *v = buffer((size_t)n * 4, values), *out = buffer((size_t)n * 16, NULL),
            *s = buffer((size_t)n * 4, NULL);
  wp_arg args[4] = {wp_arg_buffer(m), wp_arg_buffer(v), wp_arg_buffer(out), wp_arg_buffer(s)};
  launch(name, WARPS / 2, 2 * lanes, args, 4);
  need(wp_buffer_read(s, 0, same, (size_t)n * 4), "read");
  for (int t = 0; t < n; t++) check(same[t] == ((masks[t / lanes] >> (t % lanes) & 1) != 0 ? 1 : 0), name, t);
  wp_buffer_destroy(m);
  wp_buffer_destroy(v);
  wp_buffer_destroy(out);
  wp_buffer_destroy(s);
}

int main(int argc, char **argv) {
  uint32_t words[MOST], total[MOST];
  float floats[MOST], pairs[2 * MOST];
  int32_t size;
  if (argc != 2) {
    fprintf(stderr, "usage: techniques DEVICE\n");
    return 2;
  }
  need(wp_device_open(argv[1], &dev), "device");
  wp_buffer *b = buffer(64, NULL);
  wp_arg one = wp_arg_buffer(b);
  launch("technique_lanes", 1, 1, &one, 1);
  need(wp_buffer_read(b, 0, &size, 4), "read");
  wp_buffer_destroy(b);
  lanes = size;
  uint64_t masks[WARPS] = {ones(lanes), UINT64_C(0x5555555555555555), ones(lanes / 2 + 1), UINT64_C(0x8000000180000001), ones(lanes),
                           UINT64_C(0xc3a59617f00d8241), 1, ones(lanes) ^ 1};
  for (int i = 0; i < WARPS; i++) masks[i] &= ones(lanes);
  uint32_t x = 12345;
  for (int i = 0; i < MOST; i++) {
    x ^= x << 13; x ^= x >> 17; x ^= x << 5;
    words[i] = x;
    floats[i] = ldexpf((float)(x >> 8) - 8388608.0f, (int)(x & 31) - 30);
  }
  reductions("technique_add_u32", masks, words);
  reductions("technique_max_i32", masks, words);
  reductions("technique_add_f32", masks, floats);
  reductions("technique_min_f32", masks, floats);

  for (int n = 1; n <= 4 * lanes; n += lanes / 3 + 1) { /* tails of every kind */
    wp_buffer *v = buffer(sizeof words, words), *t = buffer(sizeof total, NULL);
    wp_arg args[3] = {wp_arg_buffer(v), wp_arg_buffer(t), wp_arg_i32(n)};
    launch("technique_tail", 2, 2 * lanes, args, 3);
    need(wp_buffer_read(t, 0, total, sizeof total), "read");
    for (int i = 0; i < 4 * lanes; i++) {
      uint32_t want = 0;
      for (int k = i / lanes * lanes; i < n && k < n && k < (i / lanes + 1) * lanes; k++) want += words[k];
      check(total[i] == want, "wp_mask_staying", i);
    }
    wp_buffer_destroy(v);
    wp_buffer_destroy(t);
  }

  wp_buffer *v = buffer(sizeof words, words), *o = buffer(sizeof total, NULL), *p = buffer(sizeof pairs, NULL);
  wp_arg args[3] = {wp_arg_buffer(v), wp_arg_buffer(o), wp_arg_buffer(p)};
  launch("technique_ordered", 1, 2 * lanes, args, 3);
  need(wp_buffer_read(o, 0, total, sizeof total), "read");
  need(wp_buffer_read(p, 0, pairs, sizeof pairs), "read");
  for (int t = 0; t < 2 * lanes; t++) {
    int next = t / lanes * lanes + (t + 1) % lanes;
    check(total[t] == words[next], "wp_shfl_ordered", t);
    check(pairs[2 * t] <= (float)(next % lanes) && pairs[2 * t] >= (float)(next % lanes), "wp_shfl_both_lossy_f16", t); /* exact: small integers */
    check(fabsf(pairs[2 * t + 1] - (0.5f - (float)(next % lanes))) < 1e-3f, "wp_shfl_both_lossy_f16", t);
  }
  wp_buffer_destroy(v);
  wp_buffer_destroy(o);
  wp_buffer_destroy(p);
  printf("%s, %d lanes: %ld checks, %d failures\n", wp_device_name(dev), lanes, checks, failures);
  wp_device_close(dev);
  return failures != 0;
}
