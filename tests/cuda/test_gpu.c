/* launch.h on a real NVIDIA GPU: what the fake driver cannot show. Exit code 77 where there is none. */
#include <warpport/launch.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures, checks;
static bool check(bool ok, int line, const char *text) {
  checks++;
  if (!ok) {
    failures++;
    printf("line %d: %s\n  last error: %s\n", line, text, wp_last_error());
  }
  return ok;
}
#define CHECK(condition) check(condition, __LINE__, #condition)
#define FAILS(call, status, words)                                                                                               \
  check((call) == (status) && strstr(wp_last_error(), words) != NULL, __LINE__, #call " with " #status ": " words)

static uint64_t state = 88172645463325252u;
static uint32_t draw(void) { /* xorshift */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 16);
}

static wp_kernel *find(wp_device *d, const char *name) {
  wp_kernel *k = NULL;
  CHECK(wp_kernel_find(d, name, &k) == WP_OK);
  return k;
}

static void shared(wp_device *d, int words) {
  enum { blocks = 7 };
  size_t bytes = (size_t)words * 4 * blocks;
  uint32_t *x = malloc(bytes), *y = malloc(bytes);
  wp_buffer *b = NULL;
  wp_kernel *k = find(d, "gpu_reverse");
  double ms = 0;
  if (!x || !y || !k || !CHECK(wp_buffer_create(d, bytes, &b) == WP_OK)) abort();
  for (int i = 0; i < words * blocks; i++) x[i] = draw();
  wp_arg args[3] = {wp_arg_buffer(b), wp_arg_shared((size_t)words * 4), wp_arg_i32(words)};
  CHECK(wp_buffer_write(b, 0, x, bytes) == WP_OK);
  CHECK(wp_launch(k, &(wp_launch_config){{blocks, 1, 1}, {200, 1, 1}, &ms}, args, 3) == WP_OK);
  CHECK(ms > 0 && ms < 1000);
  CHECK(wp_buffer_read(b, 0, y, bytes) == WP_OK);
  int wrong = 0;
  for (int i = 0; i < words * blocks; i++) wrong += y[i] != x[i / words * words + words - 1 - i % words];
  CHECK(wrong == 0);
  args[1] = wp_arg_shared((size_t)1 << 20);
  FAILS(wp_launch(k, &(wp_launch_config){{1, 1, 1}, {32, 1, 1}, NULL}, args, 3), WP_ERROR_INVALID_ARGUMENT, "a block has");
  args[1] = wp_arg_u32(0);
  FAILS(wp_launch(k, &(wp_launch_config){{1, 1, 1}, {32, 1, 1}, NULL}, args, 3), WP_ERROR_BAD_ARGUMENTS, "'box'");
  wp_buffer_destroy(b);
  free(x);
  free(y);
}

static void grids(wp_device *d) {
  enum { slots = 1024 };
  uint32_t counts[slots];
  wp_buffer *b = NULL;
  wp_kernel *k = find(d, "gpu_count");
  if (!k || !CHECK(wp_buffer_create(d, sizeof counts, &b) == WP_OK)) return;
  wp_arg args[2] = {wp_arg_buffer(b), wp_arg_i32(slots)};
  static const wp_dim3 shapes[] = {{100003, 1, 1}, {3, 65535, 1}, {2, 3, 65535}};
  for (int s = 0; s < 3; s++) {
    unsigned long long total = 0;
    CHECK(wp_buffer_fill(b, 0) == WP_OK);
    CHECK(wp_launch(k, &(wp_launch_config){shapes[s], {5, 3, 2}, NULL}, args, 2) == WP_OK);
    CHECK(wp_buffer_read(b, 0, counts, sizeof counts) == WP_OK);
    for (int i = 0; i < slots; i++) total += counts[i];
    CHECK(total == (unsigned long long)shapes[s].x * shapes[s].y * shapes[s].z);
  }
  FAILS(wp_launch(k, &(wp_launch_config){{1, 65536, 1}, {32, 1, 1}, NULL}, args, 2), WP_ERROR_INVALID_ARGUMENT, "65535");
  FAILS(wp_launch(k, &(wp_launch_config){{1, 1, 1}, {1025, 1, 1}, NULL}, args, 2), WP_ERROR_INVALID_ARGUMENT, "1024");
  wp_buffer_destroy(b);
}

static void elect(wp_device *d) {
  enum { warps = 100000 };
  uint32_t *masks = malloc(warps * sizeof *masks);
  int32_t *leader = malloc(warps * sizeof *leader);
  wp_buffer *m = NULL, *l = NULL;
  wp_kernel *k = find(d, "gpu_elect");
  if (!masks || !leader || !k || !CHECK(wp_buffer_create(d, warps * 4, &m) == WP_OK) ||
      !CHECK(wp_buffer_create(d, warps * 4, &l) == WP_OK))
    abort();
  for (int i = 0; i < warps; i++) {
    masks[i] = i < 32 ? 1u << i : draw();
    for (uint32_t n = draw() % 4; n > 0; n--) masks[i] &= draw();
    if (masks[i] == 0) masks[i] = 1u << (draw() % 32);
  }
  wp_arg args[3] = {wp_arg_buffer(m), wp_arg_buffer(l), wp_arg_i32(warps)};
  CHECK(wp_buffer_write(m, 0, masks, warps * 4) == WP_OK && wp_buffer_fill(l, 0) == WP_OK);
  CHECK(wp_launch(k, &(wp_launch_config){{(warps + 7) / 8, 1, 1}, {256, 1, 1}, NULL}, args, 3) == WP_OK);
  CHECK(wp_buffer_read(l, 0, leader, warps * 4) == WP_OK);
  int wrong = 0;
  for (int i = 0; i < warps; i++) {
    int lowest = 0;
    while (!(masks[i] >> lowest & 1u)) lowest++;
    if (leader[i] != 1000 + lowest && wrong++ < 5)
      printf("mask %08x: elected %d, the lowest lane is %d\n", masks[i], leader[i] - 1000, lowest);
  }
  CHECK(wrong == 0);
  wp_buffer_destroy(m);
  wp_buffer_destroy(l);
  free(masks);
  free(leader);
}

static double from_bits(uint64_t u) {
  double v;
  memcpy(&v, &u, sizeof v);
  return v;
}
static uint64_t to_bits(double v) {
  uint64_t u;
  memcpy(&u, &v, sizeof u);
  return u;
}

/* Rule R2 by itself: a NaN is ignored unless both are, -0 < +0. */
static void extremes(wp_device *d) {
  static const uint64_t special[] = {0,
                                     0x8000000000000000u,
                                     0x7ff8000000000000u,
                                     0xfff8000000000123u,
                                     0x7ff0000000000001u,
                                     0x7ff0000000000000u,
                                     0xfff0000000000000u,
                                     1,
                                     0x8000000000000001u,
                                     0x3ff0000000000000u,
                                     0xbff0000000000000u,
                                     0x7fefffffffffffffu,
                                     0x0010000000000000u};
  enum { kinds = sizeof special / sizeof *special, n = kinds * kinds };
  double a[n], b[n], out[2 * n];
  wp_buffer *buffers[3] = {NULL};
  wp_kernel *k = find(d, "gpu_extremes");
  for (int i = 0; i < n; i++) {
    a[i] = from_bits(special[i / kinds]);
    b[i] = from_bits(special[i % kinds]);
  }
  for (int i = 0; i < 3; i++) {
    if (!k || !CHECK(wp_buffer_create(d, sizeof out, &buffers[i]) == WP_OK)) return;
  }
  wp_arg args[4] = {wp_arg_buffer(buffers[0]), wp_arg_buffer(buffers[1]), wp_arg_buffer(buffers[2]), wp_arg_i32(n)};
  CHECK(wp_buffer_write(buffers[0], 0, a, sizeof a) == WP_OK && wp_buffer_write(buffers[1], 0, b, sizeof b) == WP_OK);
  CHECK(wp_launch(k, &(wp_launch_config){{3, 1, 1}, {64, 1, 1}, NULL}, args, 4) == WP_OK);
  CHECK(wp_buffer_read(buffers[2], 0, out, sizeof out) == WP_OK);
  int wrong = 0;
  for (int i = 0; i < n; i++) {
    double low, high;
    if (isnan(a[i]) || isnan(b[i]))
      low = high = isnan(a[i]) ? b[i] : a[i];
    else if (a[i] == b[i])
      low = signbit(a[i]) ? a[i] : b[i], high = signbit(a[i]) ? b[i] : a[i];
    else
      low = a[i] < b[i] ? a[i] : b[i], high = a[i] < b[i] ? b[i] : a[i];
    for (int e = 0; e < 2; e++) {
      double want = e ? high : low, got = out[2 * i + e];
      bool same = isnan(want) ? isnan(got) : to_bits(want) == to_bits(got);
      if (!same && wrong++ < 8) { printf("%s(%a, %a) = %a, not %a\n", e ? "max" : "min", a[i], b[i], got, want); }
    }
  }
  CHECK(wrong == 0);
  for (int i = 0; i < 3; i++) wp_buffer_destroy(buffers[i]);
}

static void errors(const char *name) {
  wp_device *d = NULL;
  wp_buffer *b = NULL;
  if (!CHECK(wp_device_open(name, &d) == WP_OK)) return;
  FAILS(wp_buffer_create(d, (size_t)1 << 50, &b), WP_ERROR_OUT_OF_MEMORY, "asked for 1125899906842624 bytes of device memory");
  printf("  %s\n", wp_last_error());
  wp_kernel *k = find(d, "gpu_crash");
  if (!k || !CHECK(wp_buffer_create(d, 64, &b) == WP_OK)) return;
  wp_arg args[2] = {wp_arg_buffer(b), wp_arg_u64((uint64_t)1 << 44)};
  FAILS(wp_kernel_find(d, "no_such_kernel", &k), WP_ERROR_NO_KERNEL, "gpu_kernels.c");
  FAILS(wp_launch(find(d, "gpu_crash"), &(wp_launch_config){{1, 1, 1}, {1, 1, 1}, NULL}, args, 1), WP_ERROR_BAD_ARGUMENTS,
        "2 parameters");
  if (!getenv("WARPPORT_NO_CRASH")) { /* a memory checker would stop at it */
    CHECK(wp_launch(find(d, "gpu_crash"), &(wp_launch_config){{1, 1, 1}, {1, 1, 1}, NULL}, args, 2) == WP_OK);
    FAILS(wp_device_synchronize(d), WP_ERROR_LAUNCH, "this process cannot use CUDA any more");
    printf("  %s\n", wp_last_error());
  }
  wp_buffer_destroy(b);
  wp_device_close(d);
  if (!getenv("WARPPORT_NO_CRASH")) FAILS(wp_device_open(name, &d), WP_ERROR_NO_DEVICE, "this process cannot use CUDA any more");
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "cuda:0";
  wp_device *d = NULL;
  wp_status status = wp_device_open(name, &d);
  if (status == WP_ERROR_NO_DEVICE) {
    printf("SKIPPED: %s\n", wp_last_error());
    return 77;
  }
  if (!CHECK(status == WP_OK)) return 1;
  printf("%s: %s\n", wp_device_name(d), wp_device_description(d));
  shared(d, 100);
  shared(d, 12000); /* 48000 bytes */
  shared(d, 14000); /* 56000: above what a kernel gets without asking */
  shared(d, 15999);
  grids(d);
  elect(d);
  extremes(d);
  wp_device_close(d);
  errors(name);
  printf("%d checks, %d failed\n", checks, failures);
  return failures ? 1 : 0;
}
