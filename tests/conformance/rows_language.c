/* Rows Q1-Q8, Y2, and section 2's rule for the language's own integer types. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Buffers of one custom launch. */
typedef struct scratch {
  conf_run *run;
  wp_buffer *buffer[4];
  int count;
  bool ok;
} scratch;

/* in: contents, or NULL for a poisoned buffer */
static wp_arg add(scratch *s, const void *in, size_t bytes) {
  wp_buffer *b = NULL;
  s->ok = s->ok && conf_ok(s->run, wp_buffer_create(s->run->device->device, bytes, &b), "buffer");
  s->ok = s->ok && conf_ok(s->run, in ? wp_buffer_write(b, 0, in, bytes) : wp_buffer_fill(b, 0xa5), "write");
  if (b) s->buffer[s->count++] = b;
  return b ? wp_arg_buffer(b) : wp_arg_i32(0);
}
static void launch(scratch *s, const char *name, wp_dim3 grid, wp_dim3 block, const wp_arg *args, int count) {
  wp_kernel *k = NULL;
  wp_launch_config c = {grid, block, NULL};
  s->ok = s->ok && conf_ok(s->run, wp_kernel_find(s->run->device->device, name, &k), name);
  s->run->result->launches++;
  s->ok = s->ok && conf_ok(s->run, wp_launch(k, &c, args, count), "launch");
  s->ok = s->ok && conf_ok(s->run, wp_device_synchronize(s->run->device->device), "launch");
}
static bool fetch(scratch *s, int which, void *out, size_t bytes) {
  s->ok = s->ok && conf_ok(s->run, wp_buffer_read(s->buffer[which], 0, out, bytes), "read");
  return s->ok;
}
static void done(scratch *s) {
  for (int i = 0; i < s->count; i++) wp_buffer_destroy(s->buffer[i]);
}

static const wp_dim3 grid_shapes[] = {{1, 1, 1}, {5, 1, 1}, {3, 2, 2}};
static int volume(wp_dim3 d) { return (int)(d.x * d.y * d.z); }

/* Q1 */
static void scalars(const conf_op *op, ref_type type, conf_run *run) {
  (void)op;
  (void)type;
  static const char *const names[] = {"wp_i8", "wp_u8", "wp_i16", "wp_u16", "wp_i32", "wp_u32", "wp_i64", "wp_u64"};
  rng r = rng_from(run->seed, "scalars");
  for (int turn = 0; turn < 8; turn++) {
    scratch s = {.run = run, .ok = true};
    uint64_t bits[9];
    int64_t ints[8];
    uint32_t floats[1];
    for (int i = 0; i < 9; i++) bits[i] = draw_value(&r, i < 8 ? (ref_type)i : REF_F32, turn % 2 ? DRAW_SPECIAL : DRAW_BITS);
    wp_arg args[11] = {add(&s, NULL, 64), add(&s, NULL, 4)};
    for (int i = 0; i < 9; i++) args[2 + i] = wp_arg_value(&bits[i], i < 8 ? ref_size((ref_type)i) : 4); /* little-endian */
    launch(&s, "conf_scalars", (wp_dim3){2, 1, 1}, (wp_dim3){33, 1, 1}, args, 11);
    if (fetch(&s, 0, ints, sizeof ints) && fetch(&s, 1, floats, sizeof floats)) {
      for (int i = 0; i < 8; i++) {
        uint64_t sign = UINT64_C(1) << (8 * ref_size((ref_type)i) - 1);
        uint64_t want = ref_is_signed((ref_type)i) ? (bits[i] ^ sign) - sign : bits[i];
        conf_check(run, REF_I64, want, (uint64_t)ints[i], false, names[i]);
      }
      conf_check(run, REF_F32, bits[8], floats[0], true, "wp_f32");
    }
    done(&s);
  }
}

static void scalars_f64(const conf_op *op, ref_type type, conf_run *run) {
  (void)op;
  scratch s = {.run = run, .ok = true};
  double x = -1.0 / 3, got = 0;
  uint64_t want, bits;
  wp_arg args[2] = {add(&s, NULL, 8), wp_arg_f64(x)};
  launch(&s, "conf_scalars_f64", (wp_dim3){1, 1, 1}, (wp_dim3){1, 1, 1}, args, 2);
  if (fetch(&s, 0, &got, sizeof got)) {
    memcpy(&want, &x, 8);
    memcpy(&bits, &got, 8);
    conf_check(run, type, want, bits, false, "wp_f64");
  }
  done(&s);
}

/* Q6, Q7 */
static void indices(const conf_op *op, ref_type type, conf_run *run) {
  (void)op;
  (void)type;
  static const char *const names[] = {"wp_thread_x",    "wp_thread_y",      "wp_thread_z",    "wp_block_x",
                                      "wp_block_y",     "wp_block_z",       "wp_block_dim_x", "wp_block_dim_y",
                                      "wp_block_dim_z", "wp_grid_dim_x",    "wp_grid_dim_y",  "wp_grid_dim_z",
                                      "wp_thread_rank", "wp_block_threads", "wp_global_rank", "wp_global_threads"};
  for (int shape = 0; shape < CONF_SHAPES; shape++) {
    if (run->device->lanes[shape] == 0) continue;
    for (int g = 0; g < 3; g++) {
      wp_dim3 b = conf_shape_block(shape), grid = grid_shapes[g];
      int threads = volume(b), blocks = volume(grid), n = threads * blocks;
      scratch s = {.run = run, .ok = true};
      size_t bytes = (size_t)n * 16 * 8;
      int64_t *out = malloc(bytes);
      if (!out) abort();
      wp_arg arg = add(&s, NULL, bytes);
      launch(&s, "conf_index", grid, b, &arg, 1);
      if (fetch(&s, 0, out, bytes)) {
        for (int i = 0; i < n; i++) {
          unsigned t = (unsigned)(i % threads), k = (unsigned)(i / threads);
          int64_t want[16] = {t % b.x,
                              t / b.x % b.y,
                              t / b.x / b.y,
                              k % grid.x,
                              k / grid.x % grid.y,
                              k / grid.x / grid.y,
                              b.x,
                              b.y,
                              b.z,
                              grid.x,
                              grid.y,
                              grid.z,
                              t,
                              threads,
                              i,
                              n};
          for (int j = 0; j < 16; j++) {
            char who[128];
            snprintf(who, sizeof who, "block %s, grid %ux%ux%u, thread %d: %s", conf_shape_name(shape), grid.x, grid.y, grid.z, i,
                     names[j]);
            conf_check(run, REF_I64, (uint64_t)want[j], (uint64_t)out[i * 16 + j], false, who);
          }
        }
      }
      done(&s);
      free(out);
    }
  }
}

/* Q2-Q4 */
static void pointers(const conf_op *op, ref_type type, conf_run *run) {
  (void)op;
  (void)type;
  enum { COUNT = 50, N = 2 * 33 };
  int32_t a[COUNT], b[COUNT], out[N * 3], want[3] = {0, 0, 0};
  rng r = rng_from(run->seed, "pointers");
  scratch s = {.run = run, .ok = true};
  for (int i = 0; i < COUNT; i++) {
    a[i] = rng_below(&r, 100000);
    b[i] = -rng_below(&r, 100000);
    want[0] += a[i];
    want[1] += b[i] * 3;
    want[2] += (a[i] + b[i]) * 5;
  }
  wp_arg args[4] = {add(&s, a, sizeof a), add(&s, b, sizeof b), add(&s, NULL, sizeof out), wp_arg_i32(COUNT)};
  launch(&s, "conf_pointers", (wp_dim3){2, 1, 1}, (wp_dim3){33, 1, 1}, args, 4);
  if (fetch(&s, 2, out, sizeof out)) {
    static const char *const names[] = {"WP_GLOBAL", "WP_CONSTANT", "WP_LOCAL"};
    for (int i = 0; i < N * 3; i++) conf_check(run, REF_I32, (uint32_t)want[i % 3], (uint32_t)out[i], false, names[i % 3]);
  }
  done(&s);
}

static void shared(const conf_op *op, ref_type type, conf_run *run) {
  (void)op;
  (void)type;
  static const char *const names[] = {"wp_u8 array", "2-D array, row 0", "2-D array, row 1", "wp_f32 array", "sum by a tree"};
  for (int shape = 0; shape < CONF_SHAPES; shape++) {
    if (run->device->lanes[shape] == 0) continue;
    int threads = volume(conf_shape_block(shape)), blocks = 5, n = threads * blocks;
    uint32_t *v = malloc((size_t)n * 4);
    uint64_t *out = malloc((size_t)n * 40);
    rng r = rng_from(run->seed, conf_shape_name(shape));
    scratch s = {.run = run, .ok = true};
    if (!v || !out) abort();
    for (int i = 0; i < n; i++) v[i] = (uint32_t)rng_u64(&r);
    wp_arg args[2] = {add(&s, v, (size_t)n * 4), add(&s, NULL, (size_t)n * 40)};
    launch(&s, "conf_shared", (wp_dim3){(unsigned)blocks, 1, 1}, conf_shape_block(shape), args, 2);
    if (fetch(&s, 1, out, (size_t)n * 40)) {
      for (int i = 0; i < n; i++) {
        int first = i / threads * threads, t = i - first;
        uint32_t other = v[first + threads - 1 - t];
        uint64_t sum = 0;
        for (int k = 0; k < threads; k++) sum += v[first + k];
        uint64_t want[5] = {other & 255, other, other, other & 0xffff, sum};
        for (int k = 0; k < 5; k++) {
          char who[96];
          snprintf(who, sizeof who, "block %s, thread %d: %s", conf_shape_name(shape), i, names[k]);
          conf_check(run, REF_U64, want[k], out[i * 5 + k], false, who);
        }
      }
    }
    done(&s);
    free(out);
    free(v);
  }
}

static void barrier_global(const conf_op *op, ref_type type, conf_run *run) {
  (void)op;
  (void)type;
  for (int shape = 0; shape < CONF_SHAPES; shape++) {
    if (run->device->lanes[shape] == 0) continue;
    int threads = volume(conf_shape_block(shape)), blocks = 7, n = threads * blocks;
    uint32_t *v = malloc((size_t)n * 4), *out = malloc((size_t)n * 4);
    rng r = rng_from(run->seed, conf_shape_name(shape));
    scratch s = {.run = run, .ok = true};
    if (!v || !out) abort();
    for (int i = 0; i < n; i++) v[i] = (uint32_t)rng_u64(&r);
    wp_arg args[3] = {add(&s, v, (size_t)n * 4), add(&s, NULL, (size_t)n * 4), add(&s, NULL, (size_t)n * 4)};
    launch(&s, "conf_barrier_global", (wp_dim3){7, 1, 1}, conf_shape_block(shape), args, 3);
    if (fetch(&s, 2, out, (size_t)n * 4)) {
      for (int i = 0; i < n; i++) {
        int first = i / threads * threads;
        char who[64];
        snprintf(who, sizeof who, "block %s, thread %d", conf_shape_name(shape), i);
        conf_check(run, REF_U32, v[first + (i - first + 4) % threads] + 3u, out[i], false, who);
      }
    }
    done(&s);
    free(out);
    free(v);
  }
}

/* Q5 */
static void dynamic_shared(const conf_op *op, ref_type type, conf_run *run) {
  (void)op;
  (void)type;
  static const int counts[] = {1, 7, 100, 1025, 4096};
  for (int turn = 0; turn < 5; turn++) {
    int count = counts[turn], blocks = 3;
    uint32_t v[3 * 45], *out = malloc((size_t)(count * blocks) * 4);
    rng r = rng_from(run->seed, "dynamic");
    scratch s = {.run = run, .ok = true};
    if (!out) abort();
    for (int i = 0; i < 3 * 45; i++) v[i] = (uint32_t)rng_u64(&r);
    wp_arg args[4] = {add(&s, v, sizeof v), add(&s, NULL, (size_t)(count * blocks) * 4), wp_arg_shared((size_t)count * 4),
                      wp_arg_i32(count)};
    launch(&s, "conf_dynamic_shared", (wp_dim3){3, 1, 1}, (wp_dim3){45, 1, 1}, args, 4);
    if (fetch(&s, 1, out, (size_t)(count * blocks) * 4)) {
      for (int i = 0; i < count * blocks; i++) {
        char who[64];
        snprintf(who, sizeof who, "%d elements, element %d", count, i);
        conf_check(run, REF_U32, v[i / count * 45] * 7u + (uint32_t)(count - 1 - i % count), out[i], false, who);
      }
    }
    done(&s);
    free(out);
  }
}

/* Q8 */
static void return_group(const conf_op *op, ref_type type, conf_warp *w, uint64_t group) {
  (void)op;
  (void)type;
  uint64_t sum = 0;
  for (int l = 0; l < w->lanes; l++) if (ref_in(group, l)) sum += w->v[l];
  for (int l = 0; l < w->lanes; l++) {
    if (!ref_in(group, l)) continue;
    conf_want(w, l, 0, sum & 0xffffffff, RULE_EXACT);
    conf_want(w, l, 1, (uint64_t)ref_count(group), RULE_EXACT);
  }
}
static void expect_return(const conf_op *op, ref_type type, conf_warp *w) { conf_groups(op, type, w, return_group); }

static void draw_return_barrier(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  (void)op;
  (void)type;
  for (int l = 0; l < w->lanes; l++) if (w->mask[l] != 0) w->arg[l] = draw_member(r, w->mask[l]) - l;
}
static void return_barrier_group(const conf_op *op, ref_type type, conf_warp *w, uint64_t group) {
  (void)op;
  (void)type;
  uint64_t most = 0;
  for (int l = 0; l < w->lanes; l++) if (ref_in(group, l) && w->v[l] > most) most = w->v[l];
  for (int l = 0; l < w->lanes; l++) {
    if (ref_in(group, l)) conf_want(w, l, 0, (w->v[l + w->arg[l]] + most) & 0xffffffff, RULE_EXACT);
  }
}
static void expect_return_barrier(const conf_op *op, ref_type type, conf_warp *w) {
  conf_groups(op, type, w, return_barrier_group);
}

/* Section 2: char, long and so on. */
static void draw_names(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  (void)op;
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] != 0) w->arg[l] = draw_shuffle_arg(r, REF_MOVE_INDEX, l, w->lanes, w->width[l], w->mask[l]);
  }
}
static void expect_names(const conf_op *op, ref_type type, conf_warp *w) {
  static const uint32_t keep[] = {127, 255, 0x7fff, 0xffff, 0x7fffffff, ~0u, 0x7fffffff, ~0u, 1, 0xffff, ~0u};
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    uint64_t want = w->v[ref_source(REF_MOVE_INDEX, l, w->width[l], w->arg[l])] & keep[op->op], sum = 0, most = 0;
    for (int m = 0; m < w->lanes; m++) {
      if (!ref_in(w->mask[l], m)) continue;
      sum += w->v[m] & 0xffff;
      if (m <= l && w->v[m] > most) most = w->v[m];
    }
    conf_want(w, l, 0, op->op == 9 ? sum : op->op == 10 ? most : want, RULE_EXACT);
  }
}

static void expect_struct(const conf_op *op, ref_type type, conf_warp *w) {
  (void)op;
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    int s = ref_source(REF_MOVE_INDEX, l, w->width[l], w->arg[l]);
    conf_want(w, l, 0, w->v[s], RULE_EXACT);
    conf_want(w, l, 1, w->mem[s] & UINT64_C(0xffffffffffffff), RULE_EXACT);
    conf_want(w, l, 2, w->v[s] & 0xffffff, RULE_EXACT);
  }
}

#define CUSTOM(row, name, type, run) {row, name, "", REF_BIT(type), -1, 1, 0, 0, 0, 0, 0, 0, run}
#define NAMES(name, op) \
  {"2", name, "conf_names", REF_BIT(REF_U32), REF_U64, 1, op, 0, CONF_WIDTHS | CONF_UNTYPED, draw_names, expect_names, 0, 0}
const conf_op conf_rows_language[] = {
  CUSTOM("Q1", "scalar arguments", REF_U64, scalars),
  CUSTOM("Q1", "wp_f64 argument", REF_F64, scalars_f64),
  CUSTOM("Q2,Q3,Q4", "WP_DEVICE, pointers, WP_SHARED", REF_I32, pointers),
  CUSTOM("Q4,Y2", "WP_SHARED, WP_SHARED_2D, WP_BARRIER", REF_U64, shared),
  CUSTOM("Y2", "WP_BARRIER and global memory", REF_U32, barrier_global),
  CUSTOM("Q5", "WP_SHARED_PARAM, WP_SHARED_BIND", REF_U32, dynamic_shared),
  CUSTOM("Q6,Q7", "indices", REF_I64, indices),
  {"Q8", "return before collectives", "conf_return", REF_BIT(REF_U32), -1, 2, 0, 0, CONF_DIVERGENT, 0, expect_return, 0, 0},
  {"Q8,Y2", "return before WP_BARRIER", "conf_return_barrier", REF_BIT(REF_U32), -1, 1, 0, 0, CONF_DIVERGENT, draw_return_barrier,
   expect_return_barrier, 0, 0},
  NAMES("wp_shfl of char", 0),
  NAMES("wp_shfl of unsigned char", 1),
  NAMES("wp_shfl of short", 2),
  NAMES("wp_shfl of unsigned short", 3),
  NAMES("wp_shfl of int", 4),
  NAMES("wp_shfl of unsigned", 5),
  NAMES("wp_shfl of long", 6),
  NAMES("wp_shfl of unsigned long", 7),
  NAMES("wp_shfl of bool", 8),
  NAMES("wp_reduce_add of long", 9),
  NAMES("wp_scan_max of unsigned long", 10),
  {"2", "exchange of a struct", "conf_struct", REF_BIT(REF_U64), -1, 3, 0, 0, CONF_WIDTHS, draw_names, expect_struct, 0, 0},
  {0},
};
