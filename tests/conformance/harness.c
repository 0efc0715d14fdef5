#include "harness.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct { wp_dim3 block; const char *name; } shapes[CONF_SHAPES] = {
  {{65, 1, 1}, "65"}, {{33, 3, 1}, "33x3"}, {{5, 3, 2}, "5x3x2"}, {{1, 1, 1}, "1"}, {{17, 1, 1}, "17"}, {{31, 1, 1}, "31"},
  {{33, 1, 1}, "33"}, {{45, 1, 1}, "45"}, {{63, 1, 1}, "63"}, {{16, 8, 1}, "16x8"}, {{5, 3, 1}, "5x3"},
};

wp_dim3 conf_shape_block(int shape) { return shapes[shape].block; }
const char *conf_shape_name(int shape) { return shapes[shape].name; }

const conf_op *const conf_tables[] = {conf_rows_lane, conf_rows_shuffle, conf_rows_vote, conf_rows_reduce, conf_rows_tile,
                                      conf_rows_collect, conf_rows_atomic, conf_rows_math, conf_rows_language, NULL};

void conf_want(conf_warp *w, int lane, int k, uint64_t value, conf_rule rule) {
  w->want[lane * w->outs + k] = value;
  w->rule[lane * w->outs + k] = (unsigned char)rule;
}

void conf_groups(const conf_op *op, ref_type type, conf_warp *w, conf_group_fn *f) {
  uint64_t done = 0;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0 || ref_in(done, l)) continue;
    done |= w->mask[l];
    f(op, type, w, w->mask[l]);
  }
}

uint64_t conf_load(ref_type type, const void *array, size_t index) {
  uint64_t bits = 0; /* little-endian hosts and devices only, as all of today's are */
  memcpy(&bits, (const unsigned char *)array + index * ref_size(type), ref_size(type));
  return bits;
}

void conf_store(ref_type type, void *array, size_t index, uint64_t bits) {
  memcpy((unsigned char *)array + index * ref_size(type), &bits, ref_size(type));
}

void conf_fail(conf_run *run, const char *format, ...) {
  conf_result *r = run->result;
  char text[1600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (r->failures++ >= 4) return;
  char line[1900];
  snprintf(line, sizeof line, "FAIL %s %s %s on %s: %s\n", r->op->row, r->op->name, ref_suffix(r->type), r->device, text);
  if (!run->quiet) fputs(line, stdout);
  size_t used = strlen(r->message);
  snprintf(r->message + used, sizeof r->message - used, "%s", line);
}

bool conf_check(conf_run *run, ref_type type, uint64_t want, uint64_t got, bool nan_ok, const char *who) {
  run->result->checks++;
  if (ref_agree(type, want, got, nan_ok)) return true;
  char expected[96], found[96];
  ref_format(type, want, expected, sizeof expected);
  ref_format(type, got, found, sizeof found);
  conf_fail(run, "%s: expected %s, got %s", who, expected, found);
  return false;
}

bool conf_ok(conf_run *run, wp_status status, const char *what) {
  if (status == WP_OK) return true;
  conf_fail(run, "%s: %s: %s", what, wp_status_name(status), wp_last_error());
  return false;
}

/* ---- devices ---- */

static bool probe(conf_device *d, int shape, int32_t *answer) {
  wp_kernel *k;
  wp_launch_config c = {{2, 1, 1}, shapes[shape].block, NULL};
  wp_arg arg = wp_arg_buffer(d->buffers[5]);
  return wp_kernel_find(d->device, "conf_probe", &k) == WP_OK && wp_launch(k, &c, &arg, 1) == WP_OK &&
         wp_device_synchronize(d->device) == WP_OK && wp_buffer_read(d->buffers[5], 0, answer, 9 * sizeof *answer) == WP_OK;
}

/* Buffers grow as needed. */
static wp_status reserve(conf_device *d, int which, size_t bytes) {
  if (d->buffers[which] && wp_buffer_size(d->buffers[which]) >= bytes) return WP_OK;
  if (d->buffers[which]) wp_buffer_destroy(d->buffers[which]);
  d->buffers[which] = NULL;
  return wp_buffer_create(d->device, bytes + bytes / 2 + 256, &d->buffers[which]);
}

bool conf_device_open(conf_device *d, const char *name, char *error, size_t size) {
  memset(d, 0, sizeof *d);
  if (wp_device_open(name, &d->device) != WP_OK || reserve(d, 5, 64) != WP_OK) {
    snprintf(error, size, "%s", wp_last_error());
    conf_device_close(d);
    return false;
  }
  d->name = wp_device_name(d->device);
  for (int s = 0; s < CONF_SHAPES; s++) {
    int32_t a[9];
    if (!probe(d, s, a)) {
      /* A driver may restrict blocks, say to whole warps; it must run one shape at least. */
      if (strstr(wp_last_error(), "a multiple of the sub-group size")) {
        printf("skipped: block %s: %s\n", shapes[s].name, wp_last_error());
        continue;
      }
      snprintf(error, size, "block %s: %s", shapes[s].name, wp_last_error());
      conf_device_close(d);
      return false;
    }
    d->lanes[s] = a[0];
    d->max_lanes = a[1];
    d->fixed_lanes = a[2];
    d->has_f64 = a[3] != 0;
    d->has_atomic64 = a[4] != 0;
    d->logical = a[5];
    d->mask_bits = a[6];
    d->typed = a[7] != 0;
    d->uniform = a[8] != 0;
    if (a[0] < 1 || a[0] > a[1] || a[1] > 64 || (a[0] & (a[0] - 1)) != 0) {
      snprintf(error, size, "block %s: the kernel says warp size %d, at most %d: not a power of two from 1 to 64", shapes[s].name,
               a[0], a[1]);
      conf_device_close(d);
      return false;
    }
  }
  if (d->max_lanes == 0) {
    snprintf(error, size, "the device refuses every block: %s", wp_last_error());
    conf_device_close(d);
    return false;
  }
  return true;
}

void conf_device_close(conf_device *d) {
  for (int b = 0; b < 6; b++) if (d->buffers[b]) wp_buffer_destroy(d->buffers[b]);
  if (d->device) wp_device_close(d->device);
  memset(d, 0, sizeof *d);
}

/* ---- the runner ---- */

static void draw_warp(conf_run *run, const conf_op *op, ref_type type, conf_warp *w, rng *r, int *counter, bool short_form) {
  int lanes = w->lanes, widths = 1;
  while ((1 << widths) <= lanes) widths++;
  int n = (*counter)++;
  int width = op->flags & CONF_WIDTHS && !short_form ? 1 << (n / PART_COUNT % widths) : lanes;
  w->part = (draw_part)(n % PART_COUNT);
  if (op->flags & (CONF_PRESENT | CONF_SEGMENTS)) w->part = n % 8 == 7 ? PART_NONE : PART_FULL;
  draw_groups(r, w->part, lanes, w->present, w->mask);
  for (int l = 0; l < lanes; l++) {
    w->width[l] = width;
    w->arg[l] = draw_any_int(r, lanes);
    int lowest = ref_lowest(w->mask[l]);
    if (w->part == PART_SPLIT && op->flags & CONF_WIDTHS && !short_form && w->mask[l] != 0) { /* each group its own */
      w->width[l] = lowest == l ? 1 << rng_below(r, widths) : w->width[lowest];
    }
  }
  if (op->flags & CONF_SEGMENTS) {
    uint64_t out = draw_subset(r, draw_subset(r, ref_lanes(64)));
    w->part = PART_FULL;
    for (int l = 0; l < lanes; l++) {
      uint64_t segment = (ref_lanes(width) << (l / width * width)) & w->present;
      if (ref_in(w->present, l)) w->mask[l] = ref_in(out, l / width) ? 0 : segment;
    }
  }
  draw_values(r, type, lanes, w->v);
  draw_values(r, type, lanes, w->mem);
  if (op->draw) op->draw(op, type, w, r);
  run->result->groups++;
  if (w->present == ref_lanes(lanes)) {
    int log = 0;
    while ((1 << log) < width) log++;
    run->result->covered[w->part] |= 1u << log;
  }
}

/* Has every width met every participation? Widths of operations without one: the whole warp. */
static void check_coverage(conf_run *run, const conf_op *op, int lanes) {
  int widths = 1;
  while ((1 << widths) <= lanes) widths++;
  unsigned want = op->flags & CONF_WIDTHS ? (1u << widths) - 1 : 1u << (widths - 1);
  for (int part = 0; part < PART_COUNT; part++) {
    if (op->flags & (CONF_PRESENT | CONF_SEGMENTS) && part != PART_FULL) continue;
    if ((run->result->covered[part] & want) != want) {
      conf_fail(run, "the harness has left out widths of 0x%x for participation '%s'", want & ~run->result->covered[part],
                draw_part_name((draw_part)part));
    }
  }
}

static void describe(char *text, size_t size, const conf_launch *l, const conf_warp *w, int lane, int k) {
  wp_dim3 b = shapes[l->run->shape].block;
  snprintf(text, size, "lanes %d, block %ux%ux%u, block %d warp %d, %s%s, mask 0x%" PRIx64 ", width %d, arg %d, lane %d%s%s",
           w->lanes, b.x, b.y, b.z, w->block, w->id, draw_part_name(w->part),
           w->present == ref_lanes(w->lanes) ? "" : ", partial warp", w->mask[lane], w->width[lane], w->arg[lane], lane,
           w->outs > 1 ? ", output " : "", w->outs > 1 ? (char[]){(char)('a' + k), 0} : "");
}

static void compare(const conf_op *op, ref_type type, conf_launch *l, uint64_t sentinel) {
  ref_type out_type = op->out_type < 0 ? type : (ref_type)op->out_type;
  for (int i = 0; i < l->warp_count; i++) {
    conf_warp *w = &l->warps[i];
    for (int lane = 0; lane < w->lanes && ref_in(w->present, lane); lane++) {
      for (int k = 0; k < w->outs; k++) {
        int e = lane * w->outs + k;
        uint64_t want = w->rule[e] == RULE_KEEP ? sentinel : w->want[e];
        uint64_t got = conf_load(out_type, l->out, (size_t)((w->first + lane) * w->outs + k));
        if (w->rule[e] == RULE_FREE) continue;
        l->run->result->checks++;
        if (ref_agree(out_type, want, got, w->rule[e] == RULE_NAN_OK)) continue;
        char who[256], value[96];
        describe(who, sizeof who, l, w, lane, k);
        ref_format(type, w->v[lane], value, sizeof value);
        size_t used = strlen(who);
        snprintf(who + used, sizeof who - used, ", own value %s%s", value,
                 w->rule[e] == RULE_KEEP ? " (must not write: sentinel)" : "");
        l->run->result->checks--;
        conf_check(l->run, out_type, want, got, w->rule[e] == RULE_NAN_OK, who);
        if (l->run->result->failures > 200) return;
      }
    }
  }
  for (int e = 0; e < 16; e++) { /* beyond the end */
    uint64_t got = conf_load(out_type, l->out, (size_t)(l->threads * (l->run->device->uniform ? 2 : 1) * op->outs + e));
    conf_check(l->run, out_type, sentinel, got, false, "element beyond the last thread's");
  }
}

static bool launch(const conf_op *op, ref_type type, conf_launch *l, rng *r, int selector) {
  conf_run *run = l->run;
  conf_device *d = run->device;
  ref_type out_type = op->out_type < 0 ? type : (ref_type)op->out_type;
  size_t n = (size_t)l->threads, copies = d->uniform ? 2 : 1, out_count = n * copies * (size_t)op->outs + 16;
  size_t size[6] = {8, 4, 4, ref_size(type), ref_size(type), ref_size(out_type)};
  unsigned char *data[6];
  unsigned char poison = (unsigned char)(rng_below(r, 255) + 1);
  uint64_t sentinel = ref_trim(out_type, UINT64_C(0x0101010101010101) * poison);
  bool ok = true;
  for (int b = 0; b < 6; b++) {
    size[b] *= b == 5 ? out_count : b >= 3 ? n * copies : n;
    data[b] = calloc(1, size[b]);
    if (!data[b]) abort();
    ok = ok && conf_ok(run, reserve(d, b, size[b]), "buffer");
  }
  for (int i = 0; i < l->warp_count; i++) {
    conf_warp *w = &l->warps[i];
    for (int lane = 0; lane < w->lanes && ref_in(w->present, lane); lane++) {
      size_t t = (size_t)(w->first + lane);
      conf_store(REF_U64, data[0], t, w->mask[lane]);
      conf_store(REF_I32, data[1], t, (uint32_t)w->width[lane]);
      conf_store(REF_I32, data[2], t, (uint32_t)w->arg[lane]);
      conf_store(type, data[3], t, w->v[lane]);
      conf_store(type, data[4], t, w->mem[lane]);
      if (copies == 2) {
        conf_store(type, data[3], t + n, w->v[lane]);
        conf_store(type, data[4], t + n, w->mem[lane]);
      }
    }
  }
  memset(data[5], poison, size[5]);
  for (int b = 0; b < 6 && ok; b++) ok = conf_ok(run, wp_buffer_write(d->buffers[b], 0, data[b], size[b]), "write");

  char name[96];
  snprintf(name, sizeof name, "%s_%s", op->kernel, ref_suffix(type));
  wp_kernel *kernel = NULL;
  ok = ok && conf_ok(run, wp_kernel_find(d->device, name, &kernel), name);
  if (ok) {
    wp_arg args[8] = {wp_arg_buffer(d->buffers[0]), wp_arg_buffer(d->buffers[1]), wp_arg_buffer(d->buffers[2]),
                      wp_arg_buffer(d->buffers[3]), wp_arg_buffer(d->buffers[4]), wp_arg_buffer(d->buffers[5]),
                      wp_arg_i32((int32_t)n),       wp_arg_i32(selector)};
    unsigned blocks = (unsigned)l->blocks;
    wp_dim3 grid = blocks % 6 == 0   ? (wp_dim3){blocks / 6, 3, 2}
                   : blocks % 2 == 0 ? (wp_dim3){blocks / 2, 1, 2}
                                     : (wp_dim3){blocks, 1, 1};
    wp_launch_config config = {grid, shapes[run->shape].block, NULL};
    run->result->launches++;
    ok = conf_ok(run, wp_launch(kernel, &config, args, 8), "launch");
    ok = ok && conf_ok(run, wp_device_synchronize(d->device), "launch");
    ok = ok && conf_ok(run, wp_buffer_read(d->buffers[5], 0, data[5], size[5]), "read");
    if (ok && op->flags & CONF_READS_MEM) ok = conf_ok(run, wp_buffer_read(d->buffers[4], 0, data[4], size[4]), "read");
  }
  if (ok) {
    l->out = data[5];
    l->mem = data[4];
    compare(op, type, l, sentinel);
    if (op->check) op->check(op, type, l);
  }
  for (int b = 0; b < 6; b++) free(data[b]);
  return ok;
}

static void run_shape(conf_run *run, const conf_op *op, ref_type type, int shape, int least, int *full_counter, int *part_counter,
                      bool short_form) {
  conf_launch l = {.run = run, .lanes = run->device->lanes[shape]};
  wp_dim3 b = shapes[shape].block;
  int block_threads = (int)(b.x * b.y * b.z), W = l.lanes, warps = (block_threads + W - 1) / W;
  int usual = block_threads / W > 0 ? block_threads / W : 1;
  int selector = op->op;
  run->shape = shape;
  l.blocks = (least + usual - 1) / usual;
  if (l.blocks < 2) l.blocks = 2;
  l.block_threads = block_threads;
  l.threads = l.blocks * block_threads;
  l.warp_count = l.blocks * warps;
  if (op->flags & CONF_SHORT) selector = short_form;

  char key[160];
  snprintf(key, sizeof key, "%s %s %d %s %d %d %d", op->row, op->name, op->op, ref_suffix(type), W, shape, short_form);
  rng r = rng_from(run->seed, key);
  l.warps = calloc((size_t)l.warp_count, sizeof *l.warps);
  uint64_t *want = calloc((size_t)(l.warp_count * W * op->outs), sizeof *want);
  unsigned char *rule = calloc((size_t)(l.warp_count * W * op->outs), 1);
  if (!l.warps || !want || !rule) abort();
  for (int i = 0; i < l.warp_count; i++) {
    conf_warp *w = &l.warps[i];
    int here = block_threads - i % warps * W;
    w->lanes = W;
    w->present = ref_lanes(here < W ? here : W);
    w->block = i / warps;
    w->id = i % warps;
    w->first = w->block * block_threads + w->id * W;
    w->outs = op->outs;
    w->want = want + i * W * op->outs;
    w->rule = rule + i * W * op->outs;
    draw_warp(run, op, type, w, &r, here < W ? part_counter : full_counter, short_form);
    if (op->expect) op->expect(op, type, w);
  }
  (void)launch(op, type, &l, &r, selector);
  free(rule);
  free(want);
  free(l.warps);
}

void conf_run_op(conf_run *run, const conf_op *op, ref_type type) {
  conf_result *res = run->result;
  conf_device *d = run->device;
  const char *lacking = type == REF_F64 && !d->has_f64                                     ? "the device has no f64"
                        : type == REF_U64 && op->flags & CONF_ATOMIC64 && !d->has_atomic64 ? "the device has no 64-bit atomics"
                        : d->typed && op->flags & CONF_UNTYPED                             ? "only with generic names"
                        : d->uniform && op->flags & CONF_DIVERGENT
                          ? "every thread of the block must reach every collective on this device"
                          : NULL;
  if (lacking) {
    snprintf(res->skipped, sizeof res->skipped, "%s", lacking);
    return;
  }
  if (op->custom) {
    op->custom(op, type, run);
    return;
  }
  int full_counter = 0, part_counter = 0, base = 0;
  while (base < CONF_SHAPES - 1 && d->lanes[base] == 0) base++;
  for (int s = 0; s < CONF_SHAPES; s++) {
    int widths = 1;
    if (d->lanes[s] == 0) continue;
    while ((1 << widths) <= d->lanes[s]) widths++;
    /* quick: the first shape, which covers every width with every participation, and one that differs from type to type */
    if (s != base && run->quick && (s + (int)type * 3 + op->op + (int)strlen(op->name)) % (CONF_SHAPES - 1) != 0) continue;
    int least = op->flags & CONF_WIDTHS ? widths * PART_COUNT : 3 * PART_COUNT;
    if (s != base) least = least / 4 + 2;
    bool has_short = op->flags & CONF_SHORT && !d->typed, alternate = has_short && (s + (int)type) % 3 == 0;
    run_shape(run, op, type, s, least, &full_counter, &part_counter, s != base && alternate);
    if (s == base && has_short) run_shape(run, op, type, s, least, &full_counter, &part_counter, true);
    if (res->failures > 50) break;
  }
  if (res->failures == 0 && d->lanes[0] != 0) check_coverage(run, op, d->lanes[0]);
}
