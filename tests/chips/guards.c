/* guards DEVICE [SHAPES]: runs guards_kernel.c over every lane x argument -130 ... 130 x width, with SHAPES masks (default: all), and
 * compares with the words of docs/spec.md, rows S1-S5, S7, V1-V5, K1, G1-G5. Says how many cases were compared. */
#include <warpport/launch.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST = -130, COUNT = 261, MAX_SHAPES = 512 };
static const uint64_t SENTINEL = 0x5e5e5e5e5e5e5e5e;

static wp_device *dev;
static wp_buffer *mask_buffer, *out_buffer;
static uint64_t masks[MAX_SHAPES + 1], *out;
static int shapes, lanes;
static long cases, failures;

static void need(wp_status status, const char *what) {
  if (status == WP_OK) return;
  printf("FAIL %s: %s: %s\n", what, wp_status_name(status), wp_last_error());
  exit(1);
}

static uint64_t ones(int n) { return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1; }
static bool in(uint64_t m, int l) { return l >= 0 && l < lanes && (m >> l & 1) != 0; }
static uint64_t value(int lane, bool wide) {
  uint32_t v = 0x9e3779b9u * (uint32_t)(lane + 1);
  return wide ? (uint64_t)v << 32 | v : v;
}
static uint64_t fallback(int lane, int arg, bool wide) {
  uint32_t v = 0xfa11bacu ^ (uint32_t)(arg * 64 + lane);
  return wide ? (uint64_t)v << 32 | v : v;
}
static int key(int lane, int arg) { return (int)(((uint32_t)(lane * 5 + arg * 3) * 0x9e3779b9u) >> 30); }

static void add(uint64_t m) {
  m &= ones(lanes);
  for (int i = 0; i < shapes; i++) if (masks[i] == m) return;
  if (m != 0 && shapes < MAX_SHAPES) masks[shapes++] = m;
}

/* The most telling first, so that a few are worth something. */
static void draw_shapes(void) {
  uint64_t x = 88172645463325252u;
  add(~UINT64_C(0));
  add(UINT64_C(0x5555555555555555));
  add(ones(lanes) ^ UINT64_C(1) << (lanes / 2));
  add(ones(lanes - 3));
  add(ones(lanes / 2) << (lanes / 2));
  add(UINT64_C(1) << (lanes - 1));
  add(UINT64_C(0xc3a59617f00d8241));
  add(1);
  add(UINT64_C(0xaaaaaaaaaaaaaaaa));
  add(UINT64_C(0x0ff00ff00ff00ff0));
  for (int n = 1; n < lanes; n++) add(ones(n));
  for (int n = 1; n < lanes; n++) add(ones(lanes - n) << n);
  for (int n = 0; n < lanes; n++) add(UINT64_C(1) << n);
  for (int n = 0; n < lanes; n++) add(ones(lanes) ^ UINT64_C(1) << n);
  for (int n = 0; n < 64; n++) { /* xorshift; dense, sparse, and even */
    uint64_t y;
    x ^= x << 13; x ^= x >> 7; x ^= x << 17; y = x;
    x ^= x << 13; x ^= x >> 7; x ^= x << 17;
    add(n % 3 == 0 ? x : n % 3 == 1 ? x & y : x | y);
  }
}

/* What the lane should have, by the specification. False: unspecified. */
static bool expect(int op, uint64_t m, int lane, int k, int width, bool wide, uint64_t *want) {
  int arg = FIRST + (k + 7 * lane) % COUNT, s = lane % width, base = lane - s, src = -1;
  uint64_t set = 0;
  switch (op) {
    case 0: if (arg >= 0 && arg < width) src = base + arg; break;
    case 1: if (arg >= 0 && s - arg >= 0) src = base + s - arg; break;
    case 2: if (arg >= 0 && s + arg < width) src = base + s + arg; break;
    case 3: if (arg >= 0 && arg < width) src = base + (s ^ arg); break;
    case 4: src = base + ((arg % width) + width) % width; break;
    case 5: src = arg >= 0 && s - arg >= 0 ? lane - arg : lane; break;
    case 6: src = arg >= 0 && s + arg < width ? lane + arg : lane; break;
    case 7: src = base + (s ^ (((arg % width) + width) % width)); break;
    case 8: src = base + ((s + arg) % width + width) % width; break;
    default: break;
  }
  if (op <= 3) {
    *want = in(m, src) ? value(src, wide) : fallback(lane, arg, wide);
    return true;
  }
  if (op <= 8) {
    *want = value(src, wide);
    return in(m, src);
  }
  if (op == 9) {
    for (int l = 0; l < lanes; l++) if (in(m, l) && key(l, k) != 0) set |= UINT64_C(1) << l;
    *want = set;
  } else if (op == 10) {
    bool any = false, all = true;
    int lowest = 0;
    while (!in(m, lowest)) lowest++;
    for (int l = 0; l < lanes; l++) {
      if (!in(m, l)) continue;
      any = any || key(l, k) == 1;
      all = all && key(l, k) == 1;
    }
    *want = (uint64_t)any | (uint64_t)!any << 1 | (uint64_t)(all || !any) << 2 | (uint64_t)(lane == lowest) << 3;
  } else if (op == 11) {
    for (int l = 0; l < lanes; l++) if (in(m, l) && key(l, k) == key(lane, k)) set |= UINT64_C(1) << l;
    *want = set;
  } else {
    int lowest = 0;
    while (!in(m, lowest)) lowest++;
    *want = value(lowest, wide);
  }
  return true;
}

static const char *const names[] = {"wp_shfl_or", "wp_shfl_up_or", "wp_shfl_down_or", "wp_shfl_xor_or", "wp_shfl", "wp_shfl_up", "wp_shfl_down",
                                    "wp_shfl_xor", "wp_rotate", "wp_ballot", "wp_any and kin", "wp_match_any", "wp_broadcast_first"};

static void fail(int op, const char *type, uint64_t m, int lane, int arg, int width, uint64_t want, uint64_t got) {
  if (failures++ < 5)
    printf("FAIL %s %s: mask 0x%" PRIx64 ", lane %d, argument %d, width %d: expected 0x%" PRIx64 ", got 0x%" PRIx64 "\n", names[op], type, m,
           lane, arg, width, want, got);
}

static void launch(const char *kernel, int op, int width, int blocks, int threads) {
  wp_kernel *k;
  size_t warps = (size_t)(blocks * ((threads + lanes - 1) / lanes));
  size_t bytes = warps * COUNT * (size_t)lanes * sizeof *out;
  wp_arg args[6] = {wp_arg_buffer(mask_buffer), wp_arg_buffer(out_buffer), wp_arg_i32(op), wp_arg_i32(width), wp_arg_i32(FIRST), wp_arg_i32(COUNT)};
  wp_launch_config config = {{(unsigned)blocks, 1, 1}, {(unsigned)threads, 1, 1}, NULL};
  need(wp_kernel_find(dev, kernel, &k), kernel);
  need(wp_buffer_fill(out_buffer, 0x5e), "fill");
  need(wp_launch(k, &config, args, 6), names[op & 31]);
  need(wp_device_synchronize(dev), names[op & 31]);
  need(wp_buffer_read(out_buffer, 0, out, bytes), "read");
}

/* warps: the first so many masks. split: the other lanes of each warp make the same call with the rest as their mask. */
static void check(int op, bool wide, int width, int warps, bool split) {
  launch(wide ? "guard_u64" : "guard_u32", split ? op + 32 : op, width, (warps + 1) / 2, warps == 1 ? lanes : 2 * lanes);
  for (int b = 0; b < warps; b++) {
    for (int k = 0; k < COUNT; k++) {
      for (int l = 0; l < lanes; l++) {
        uint64_t got = out[((size_t)b * COUNT + (size_t)k) * (size_t)lanes + (size_t)l], want = SENTINEL;
        uint64_t m = split && !in(masks[b], l) ? ones(lanes) & ~masks[b] : masks[b];
        if (in(m, l) && !expect(op, m, l, k, width, wide, &want)) continue;
        cases++;
        if (got != want) fail(op, wide ? "u64" : "u32", m, l, FIRST + (k + 7 * l) % COUNT, width, want, got);
      }
    }
  }
}

/* A block of n threads: the mask is the lanes that exist, the fallback 0. */
static void check_safe(int op, int n) {
  uint64_t m = ones(n);
  launch("guard_safe", op, lanes, 1, n);
  for (int k = 0; k < COUNT; k++) {
    for (int l = 0; l < n; l++) {
      int arg = FIRST + (k + 7 * l) % COUNT;
      uint64_t got = out[(size_t)k * (size_t)lanes + (size_t)l], want = 0;
      (void)expect(op, m, l, k, lanes, false, &want);
      if (want == fallback(l, arg, false)) want = 0;
      cases++;
      if (got != want) fail(op, "short name", m, l, arg, lanes, want, got);
    }
  }
}

int main(int argc, char **argv) {
  wp_kernel *k;
  wp_buffer *b;
  int32_t n;
  long most = argc > 2 ? strtol(argv[2], NULL, 0) : MAX_SHAPES;
  bool quick = argc > 3; /* u32 only, for the mutation test */
  if (argc < 2 || most < 1) {
    fprintf(stderr, "usage: guards DEVICE [SHAPES [quick]]\n");
    return 2;
  }
  need(wp_device_open(argv[1], &dev), "device");
  need(wp_buffer_create(dev, 64, &b), "buffer");
  need(wp_kernel_find(dev, "guard_lanes", &k), "kernel");
  wp_arg arg = wp_arg_buffer(b);
  need(wp_launch(k, &(wp_launch_config){{1, 1, 1}, {1, 1, 1}, NULL}, &arg, 1), "launch");
  need(wp_device_synchronize(dev), "launch");
  need(wp_buffer_read(b, 0, &n, sizeof n), "read");
  wp_buffer_destroy(b);
  lanes = n;
  if (lanes < 1 || lanes > 64) {
    printf("FAIL %d lanes\n", lanes);
    return 1;
  }
  draw_shapes();
  if (shapes > most) shapes = (int)most;
  for (int i = shapes; i < MAX_SHAPES; i++) masks[i] = 0;
  out = malloc((size_t)(shapes + 1) * COUNT * (size_t)lanes * sizeof *out);
  if (!out) return 1;
  need(wp_buffer_create(dev, sizeof masks, &mask_buffer), "buffer");
  need(wp_buffer_create(dev, (size_t)(shapes + 1) * COUNT * (size_t)lanes * sizeof *out, &out_buffer), "buffer");
  need(wp_buffer_write(mask_buffer, 0, masks, sizeof masks), "write");
  for (int op = 0; op <= 12 && failures == 0; op++) {
    for (int width = 1; width <= lanes; width *= 2) {
      if (op >= 9 && width < lanes) continue; /* no width */
      /* Plain shuffles promise something for sources in the mask only, so they run with all lanes. */
      check(op, false, width, op >= 4 && op <= 8 ? 1 : shapes, false);
      if (op >= 9) check(op, false, width, shapes, true);
      if (!quick && (op < 9 || op == 12)) check(op, true, width, op >= 4 && op <= 8 ? 1 : shapes < 4 ? shapes : 4, false);
    }
  }
  for (int op = 0; op <= 3 && failures == 0; op++) {
    for (int threads = 1; threads <= lanes; threads += quick ? lanes / 2 : 1) check_safe(op, threads);
  }
  printf("%s, %d lanes: %d masks, %ld cases, %ld wrong\n", wp_device_name(dev), lanes, shapes, cases, failures);
  wp_buffer_destroy(mask_buffer);
  wp_buffer_destroy(out_buffer);
  wp_device_close(dev);
  free(out);
  return failures != 0;
}
