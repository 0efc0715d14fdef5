/* fuzz: random programs of warp operations, run by one portable interpreter kernel and compared with the reference, instruction
 * by instruction. A failure names the shortest failing prefix, then looks for the shortest window of it that fails alone. */
#include <warpport/launch.h>

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "draw.h"
#include "fuzz_code.h"

enum { MAX_LENGTH = 24, MAX_DEVICES = 64 };

static const char *const operation_names[] = {
#define NAME(name) #name,
  FUZZ_OPERATIONS(NAME, NAME, NAME)
#undef NAME
};
static const ref_type types[FUZZ_TYPE_COUNT] = {REF_U32, REF_I8, REF_I32, REF_U64, REF_F32, REF_F16, REF_BF16X2, REF_F64};

/* What one thread does at one step. */
typedef struct step {
  uint64_t mask;
  uint32_t code;
  int32_t arg, width;
} step;

typedef struct program {
  int lanes, block_threads, blocks, warps, threads, length; /* warps: of a block; threads: of the launch */
  wp_dim3 block;
  step *steps;         /* [pc * threads + thread] */
  int32_t *lengths;
  uint64_t *registers; /* [thread * FUZZ_REGISTERS + r], at the beginning */
  uint64_t *want;      /* [pc * threads + thread] */
  uint64_t *before;    /* registers before each step: [(pc * threads + thread) * FUZZ_REGISTERS + r] */
} program;

static void *get(size_t count, size_t size) {
  void *p = calloc(count ? count : 1, size);
  if (!p) abort();
  return p;
}

static int op_of(uint32_t code) { return (int)(code & 255); }
static ref_type type_of(uint32_t code) { return types[code >> 8 & 255]; }
static int x_of(uint32_t code) { return (int)(code >> 16 & 3); }
static int y_of(uint32_t code) { return (int)(code >> 18 & 3); }
static int dst_of(uint32_t code) { return (int)(code >> 20 & 3); }

/* ---- the reference interpreter ---- */

static uint64_t clean(ref_type type, uint64_t bits) {
  bits = ref_trim(type, bits);
  if (type == REF_BF16X2) {
    uint64_t low = bits & 0xffff, high = bits >> 16;
    if (ref_has_nan(REF_BF16, low)) low = 0x7fc0;
    if (ref_has_nan(REF_BF16, high)) high = 0x7fc0;
    return low | high << 16;
  }
  if (!ref_has_nan(type, bits)) return bits;
  return type == REF_F32 ? 0x7fc00000 : type == REF_F64 ? UINT64_C(0x7ff8000000000000) : 0x7e00;
}

/* One group of a warp at one step. r: the registers of the warp's lanes; result: one word for each lane of the group. */
static void run_group(const program *p, int lanes, uint64_t group, const step *const *at, uint64_t (*r)[FUZZ_REGISTERS],
                      uint64_t *result) {
  uint64_t v[64] = {0}, fallback[64] = {0}, word[64] = {0}, keep = 0, yes = 0;
  int32_t arg[64] = {0};
  int lane_of[64];
  int any = ref_lowest(group);
  uint32_t code = at[any]->code;
  int op = op_of(code), width = at[any]->width;
  ref_type type = type_of(code);
  (void)p;
  for (int l = 0; l < lanes; l++) {
    if (!ref_in(group, l)) continue;
    word[l] = r[l][x_of(code)];
    v[l] = ref_trim(type, word[l]);
    fallback[l] = ref_trim(type, r[l][y_of(code)]);
    arg[l] = code & FUZZ_ARG_FROM_Y ? (int32_t)(uint32_t)r[l][y_of(code)] : at[l]->arg;
    if (arg[l] & 1) keep |= UINT64_C(1) << l;
    if (word[l] != 0) yes |= UINT64_C(1) << l;
  }
  ref_op combine = REF_ADD;
  switch (op) {
    case FUZZ_REDUCE_MUL: combine = REF_MUL; break;
    case FUZZ_REDUCE_MIN: case FUZZ_SCAN_MIN: combine = REF_MIN; break;
    case FUZZ_REDUCE_MAX: case FUZZ_SCAN_MAX_EXCL: combine = REF_MAX; break;
    case FUZZ_REDUCE_AND: combine = REF_AND; break;
    case FUZZ_REDUCE_OR: combine = REF_OR; break;
    case FUZZ_REDUCE_XOR: case FUZZ_SCAN_XOR: combine = REF_XOR; break;
    default: break;
  }
  ref_operator o = ref_builtin(combine, type);
  ref_pair pairs[64], scanned[64];
  bool has[64];
  for (int l = 0; l < lanes; l++) pairs[l] = (ref_pair){{v[l], 0}};
  if (op == FUZZ_SCAN_ADD || op == FUZZ_SCAN_MIN || op == FUZZ_SCAN_XOR || op == FUZZ_SCAN_ADD_EXCL || op == FUZZ_SCAN_MAX_EXCL) {
    ref_scan(&o, lanes, group, pairs, scanned, has);
  }
  if (op == FUZZ_SORT) ref_sort_lanes(REF_U64, lanes, group, word, lane_of);

  for (int l = 0; l < lanes; l++) {
    if (!ref_in(group, l)) continue;
    uint64_t z = 0, same = 0, tile = 0;
    int s;
    for (int m = 0; m < lanes; m++) {
      if (!ref_in(group, m)) continue;
      if (v[m] == v[l]) same |= UINT64_C(1) << m;
      if ((arg[m] & 3) == (arg[l] & 3)) tile |= UINT64_C(1) << m;
    }
    switch (op) {
      case FUZZ_SHFL: case FUZZ_BROADCAST: z = v[ref_source(REF_MOVE_INDEX, l, width, arg[l])]; break;
      case FUZZ_UP: z = v[ref_source(REF_MOVE_UP, l, width, arg[l])]; break;
      case FUZZ_DOWN: z = v[ref_source(REF_MOVE_DOWN, l, width, arg[l])]; break;
      case FUZZ_XOR: z = v[ref_source(REF_MOVE_XOR, l, width, arg[l])]; break;
      case FUZZ_ROTATE: z = v[ref_source(REF_MOVE_ROTATE, l, width, arg[l])]; break;
      case FUZZ_FIRST: z = v[ref_lowest(group)]; break;
      case FUZZ_SHFL_OR: case FUZZ_UP_OR: case FUZZ_DOWN_OR: case FUZZ_XOR_OR:
        s = ref_source_or(op == FUZZ_SHFL_OR   ? REF_MOVE_INDEX
                          : op == FUZZ_UP_OR   ? REF_MOVE_UP
                          : op == FUZZ_DOWN_OR ? REF_MOVE_DOWN
                                               : REF_MOVE_XOR,
                          l, width, arg[l], group);
        z = s < 0 ? fallback[l] : v[s];
        break;
      case FUZZ_MATCH_ANY: z = same; break;
      case FUZZ_MATCH_ALL: z = same == group; break;
      case FUZZ_IS_FIRST: z = ref_lowest(same) == l; break;
      case FUZZ_COMPACT:
        s = ref_nth(keep, ref_rank(group, l));
        z = v[s < 0 ? l : s];
        break;
      case FUZZ_LABELLED_SHFL: {
        /* a >> 2 of a negative number: the kernel's compilers shift arithmetically */
        int64_t n = ref_count(tile), rank = ((arg[l] - (arg[l] & 3)) / 4 % n + n) % n;
        z = v[ref_nth(tile, rank)];
        break;
      }
      case FUZZ_REDUCE_ADD:
      case FUZZ_REDUCE_MUL:
      case FUZZ_REDUCE_MIN:
      case FUZZ_REDUCE_MAX:
      case FUZZ_REDUCE_AND:
      case FUZZ_REDUCE_OR:
      case FUZZ_REDUCE_XOR: z = clean(type, ref_reduce(&o, lanes, group, pairs).w[0]); break;
      case FUZZ_LABELLED_ADD: z = clean(type, ref_reduce(&o, lanes, tile, pairs).w[0]); break;
      case FUZZ_SCAN_ADD: case FUZZ_SCAN_MIN: case FUZZ_SCAN_XOR: z = clean(type, scanned[l].w[0]); break;
      case FUZZ_SCAN_ADD_EXCL: case FUZZ_SCAN_MAX_EXCL:
        z = clean(type, l > 0 && has[l - 1] ? scanned[l - 1].w[0] : ref_identity(combine, type));
        break;
      case FUZZ_SCAN_ADD_SEG: z = clean(type, ref_scan_segmented(&o, lanes, group, keep, pairs, l).w[0]); break;
      case FUZZ_BALLOT: z = yes; break;
      case FUZZ_ANY: z = yes != 0; break;
      case FUZZ_ALL: z = yes == group; break;
      case FUZZ_UNIFORM: z = yes == group || yes == 0; break;
      case FUZZ_ELECT: z = l == any; break;
      case FUZZ_COUNT_KEPT: z = (uint64_t)ref_rank(keep, l) << 32 | (uint64_t)ref_count(keep); break;
      case FUZZ_HISTOGRAM:
        for (int m = 0; m < lanes; m++) z += ref_in(group, m) && arg[m] == l && l < width;
        break;
      case FUZZ_SORT: z = word[lane_of[l]]; break;
      case FUZZ_EXCHANGE: z = word[l + arg[l]]; break;
      default: /* FUZZ_MATCH_BITS */
        for (int m = 0; m < lanes; m++) {
          if (ref_in(group, m) && ((word[m] ^ word[l]) & ref_lanes(width & 31)) == 0) z |= UINT64_C(1) << m;
        }
        break;
    }
    result[l] = z;
  }
}

static void run_reference(program *p) {
  for (int w = 0; w < p->blocks * p->warps; w++) {
    int first = w / p->warps * p->block_threads + w % p->warps * p->lanes;
    int here = p->block_threads - w % p->warps * p->lanes;
    uint64_t r[64][FUZZ_REGISTERS];
    if (here > p->lanes) here = p->lanes;
    for (int l = 0; l < here; l++) memcpy(r[l], p->registers + (size_t)(first + l) * FUZZ_REGISTERS, sizeof r[l]);
    for (int pc = 0; pc < p->length; pc++) {
      const step *at[64];
      uint64_t done = 0, result[64] = {0};
      for (int l = 0; l < here; l++) {
        at[l] = &p->steps[pc * p->threads + first + l];
        memcpy(p->before + (size_t)(pc * p->threads + first + l) * FUZZ_REGISTERS, r[l], sizeof r[l]);
      }
      for (int l = 0; l < here; l++) {
        if (at[l]->mask == 0 || ref_in(done, l)) continue;
        done |= at[l]->mask;
        run_group(p, p->lanes, at[l]->mask, at, r, result);
      }
      for (int l = 0; l < here; l++) {
        if (!ref_in(done, l)) continue;
        r[l][dst_of(at[l]->code)] = result[l];
        p->want[pc * p->threads + first + l] = result[l];
      }
    }
  }
}

/* ---- random programs ---- */

static wp_dim3 draw_block(rng *r) {
  switch (rng_below(r, 5)) {
    case 0: return (wp_dim3){1 + (unsigned)rng_below(r, 12), 1 + (unsigned)rng_below(r, 10), 1};
    case 1: return (wp_dim3){1 + (unsigned)rng_below(r, 6), 1 + (unsigned)rng_below(r, 5), 1 + (unsigned)rng_below(r, 4)};
    default: return (wp_dim3){1 + (unsigned)rng_below(r, 130), 1, 1};
  }
}

/* One instruction for a group of lanes of one warp. alike: devices where the whole block has the same operations; code is given.
 */
static void draw_instruction(rng *r, const program *p, int first, uint64_t group, uint32_t code, step *at) {
  int op = op_of(code), widths = 1, width;
  while ((1 << widths) <= p->lanes) widths++;
  width = op == FUZZ_HISTOGRAM    ? 1 + rng_below(r, p->lanes)
          : op == FUZZ_MATCH_BITS ? rng_below(r, 32)
                                  : 1 << rng_below(r, widths);
  bool from_y = (code & FUZZ_ARG_FROM_Y) != 0;
  (void)first;
  for (int l = 0; l < p->lanes; l++) {
    if (!ref_in(group, l)) continue;
    step *s = &at[l];
    s->mask = group;
    s->code = code;
    s->width = width;
    s->arg = draw_any_int(r, p->lanes);
    if (from_y) continue;
    switch (op) {
      case FUZZ_SHFL: s->arg = draw_shuffle_arg(r, REF_MOVE_INDEX, l, p->lanes, width, group); break;
      case FUZZ_UP: s->arg = draw_shuffle_arg(r, REF_MOVE_UP, l, p->lanes, width, group); break;
      case FUZZ_DOWN: s->arg = draw_shuffle_arg(r, REF_MOVE_DOWN, l, p->lanes, width, group); break;
      case FUZZ_XOR: s->arg = draw_shuffle_arg(r, REF_MOVE_XOR, l, p->lanes, width, group); break;
      case FUZZ_ROTATE: s->arg = draw_shuffle_arg(r, REF_MOVE_ROTATE, l, p->lanes, width, group); break;
      case FUZZ_EXCHANGE: s->arg = draw_member(r, group) - l; break;
      case FUZZ_HISTOGRAM: if (rng_chance(r, 80)) s->arg = rng_below(r, width); break;
      case FUZZ_BROADCAST: {
        int lowest = ref_lowest(ref_lanes(width) << (l / width * width) & group);
        s->arg = lowest < l ? at[lowest].arg : draw_shuffle_arg(r, REF_MOVE_INDEX, l, p->lanes, width, group);
        break;
      }
      default: break;
    }
  }
}

/* built: bits of the types that the kernel was built for; 32-bit words are among them */
static uint32_t draw_code(rng *r, uint64_t built) {
  uint32_t op = (uint32_t)rng_below(r, FUZZ_OPERATION_COUNT), type = (uint32_t)ref_nth(built, rng_below(r, ref_count(built)));
  if (op >= FUZZ_REDUCE_AND && op < FUZZ_BALLOT) type &= 3; /* integers */
  if (!ref_in(built, (int)type)) type = FUZZ_TYPE_u32;
  uint32_t code = op | type << 8 | (uint32_t)rng_below(r, 64) << 16;
  /* arguments from registers where any will do */
  bool any = (op >= FUZZ_SHFL_OR && op <= FUZZ_XOR_OR) || op == FUZZ_COMPACT || op == FUZZ_LABELLED_ADD ||
             op == FUZZ_LABELLED_SHFL || op == FUZZ_SCAN_ADD_SEG || op == FUZZ_COUNT_KEPT;
  return any && rng_chance(r, 40) ? code | FUZZ_ARG_FROM_Y : code;
}

static void allocate(program *p) {
  size_t cells = (size_t)p->length * (size_t)p->threads;
  p->steps = get(cells, sizeof *p->steps);
  p->lengths = get((size_t)p->threads, sizeof *p->lengths);
  p->registers = get((size_t)p->threads * FUZZ_REGISTERS, sizeof *p->registers);
  p->want = get(cells, sizeof *p->want);
  p->before = get(cells * FUZZ_REGISTERS, sizeof *p->before);
}

static void release(program *p) {
  free(p->steps);
  free(p->lengths);
  free(p->registers);
  free(p->want);
  free(p->before);
}

/* lanes for the block comes from the device, so the block is drawn first. */
static void draw_program(program *p, rng *r, uint64_t built, bool alike) {
  p->length = 1 + rng_below(r, MAX_LENGTH);
  p->warps = (p->block_threads + p->lanes - 1) / p->lanes;
  p->threads = p->blocks * p->block_threads;
  allocate(p);
  for (int i = 0; i < p->threads; i++) {
    for (int k = 0; k < FUZZ_REGISTERS; k++) {
      ref_type type = types[rng_below(r, FUZZ_TYPE_COUNT)];
      draw_values(r, type, 1, &p->registers[i * FUZZ_REGISTERS + k]);
      if (rng_chance(r, 30)) p->registers[i * FUZZ_REGISTERS + k] = (uint64_t)rng_below(r, 4); /* for votes and matches */
    }
  }
  bool quitters = !alike && rng_chance(r, 30);
  for (int i = 0; i < p->threads; i++) {
    p->lengths[i] = quitters && rng_chance(r, 20) ? rng_below(r, p->length + 1) : p->length;
  }
  for (int pc = 0; pc < p->length; pc++) {
    uint32_t common = draw_code(r, built);
    for (int w = 0; w < p->blocks * p->warps; w++) {
      int first = w / p->warps * p->block_threads + w % p->warps * p->lanes, here = p->block_threads - w % p->warps * p->lanes;
      uint64_t alive = 0, mask[64];
      step *at = &p->steps[pc * p->threads + first];
      for (int l = 0; l < p->lanes && l < here; l++) {
        if (pc < p->lengths[first + l]) alive |= UINT64_C(1) << l;
        at[l].code = alike ? common : 0;
        at[l].width = 1;
      }
      if (alive == 0) continue;
      draw_groups(r, (draw_part)rng_below(r, PART_COUNT), p->lanes, alive, mask);
      for (int l = 0; l < p->lanes; l++) {
        if (mask[l] == 0 || at[l].mask != 0) continue;
        draw_instruction(r, p, first, mask[l], alike ? common : draw_code(r, built), at);
      }
    }
  }
}

/* ---- on a device ---- */

typedef struct target {
  wp_device *device;
  wp_kernel *kernel, *probe;
  bool alike;
  uint64_t built; /* bits of types */
  wp_buffer *buffer[8]; /* code masks args widths lengths registers box trace */
} target;

static int trouble(const char *what) {
  printf("FAIL %s: %s\n", what, wp_last_error());
  return -1;
}

static int put(target *t, int which, const void *data, size_t bytes) {
  if (bytes == 0) bytes = 8;
  if (t->buffer[which] && wp_buffer_size(t->buffer[which]) < bytes) {
    wp_buffer_destroy(t->buffer[which]);
    t->buffer[which] = NULL;
  }
  if (!t->buffer[which] && wp_buffer_create(t->device, bytes * 2, &t->buffer[which]) != WP_OK) return trouble("buffer");
  return !data || wp_buffer_write(t->buffer[which], 0, data, bytes) == WP_OK ? 0 : trouble("write");
}

/* 0: the lanes of a warp; 1: a block that the driver cannot run, so another is drawn; -1: another failure */
static int ask(target *t, wp_dim3 block, int *lanes) {
  int32_t answer[3];
  wp_arg arg;
  wp_launch_config c = {{1, 1, 1}, block, NULL};
  if (put(t, 7, NULL, sizeof answer)) return -1;
  arg = wp_arg_buffer(t->buffer[7]);
  if (wp_launch(t->probe, &c, &arg, 1) != WP_OK && strstr(wp_last_error(), "a multiple of the sub-group size")) return 1;
  if (wp_launch(t->probe, &c, &arg, 1) != WP_OK || wp_buffer_read(t->buffer[7], 0, answer, sizeof answer) != WP_OK)
    return trouble("probe");
  *lanes = answer[0];
  t->built = (uint64_t)(uint32_t)answer[1];
  t->alike = answer[2] != 0;
  return 0;
}

/* 0: agrees; 1: differs at *pc, *thread; -1: could not run */
static int run(target *t, const program *p, int *bad_pc, int *bad_thread, uint64_t *got) {
  size_t n = (size_t)p->threads, cells = n * (size_t)p->length;
  uint32_t *code = get(cells, sizeof *code);
  uint64_t *masks = get(cells, sizeof *masks), *trace = get(cells, sizeof *trace);
  int32_t *args = get(cells, sizeof *args), *widths = get(cells, sizeof *widths);
  const uint64_t poison = UINT64_C(0xdeadbeefdeadbeef);
  int result = -1;
  for (size_t c = 0; c < cells; c++) {
    code[c] = p->steps[c].code;
    masks[c] = p->steps[c].mask;
    args[c] = p->steps[c].arg;
    widths[c] = p->steps[c].width;
    trace[c] = poison;
  }
  if (!put(t, 0, code, cells * 4) && !put(t, 1, masks, cells * 8) && !put(t, 2, args, cells * 4) &&
      !put(t, 3, widths, cells * 4) && !put(t, 4, p->lengths, n * 4) && !put(t, 5, p->registers, n * FUZZ_REGISTERS * 8) &&
      !put(t, 6, NULL, n * 8) && !put(t, 7, trace, cells * 8)) {
    wp_arg a[9];
    wp_launch_config c = {{(unsigned)p->blocks, 1, 1}, p->block, NULL};
    for (int b = 0; b < 8; b++) a[b] = wp_arg_buffer(t->buffer[b]);
    a[8] = wp_arg_i32(p->threads);
    if (wp_launch(t->kernel, &c, a, 9) != WP_OK || wp_device_synchronize(t->device) != WP_OK ||
        wp_buffer_read(t->buffer[7], 0, trace, cells * 8) != WP_OK) {
      (void)trouble("launch");
    } else {
      result = 0;
    }
  }
  for (size_t c = 0; c < cells && result == 0; c++) {
    uint64_t want = masks[c] != 0 ? p->want[c] : poison;
    if (trace[c] == want) continue;
    result = 1;
    *bad_pc = (int)(c / n);
    *bad_thread = (int)(c % n);
    *got = trace[c];
  }
  free(code);
  free(masks);
  free(trace);
  free(args);
  free(widths);
  return result;
}

/* ---- failures ---- */

static void print_step(const program *p, int pc, int first) {
  uint64_t seen = 0;
  for (int l = 0; l < p->lanes; l++) {
    if (first % p->block_threads + l >= p->block_threads) break;
    const step *s = &p->steps[pc * p->threads + first + l];
    if (s->mask == 0 || ref_in(seen, l)) continue;
    seen |= s->mask;
    printf("  %3d: mask 0x%016" PRIx64 " r%d = %s.%s r%d, y r%d, width %d, %s", pc, s->mask, dst_of(s->code),
           operation_names[op_of(s->code)], ref_suffix(type_of(s->code)), x_of(s->code), y_of(s->code), s->width,
           s->code & FUZZ_ARG_FROM_Y ? "argument: y" : "arguments:");
    if (!(s->code & FUZZ_ARG_FROM_Y)) {
      for (int m = 0; m < p->lanes; m++) if (ref_in(s->mask, m)) printf(" %d", p->steps[pc * p->threads + first + m].arg);
    }
    printf("\n");
  }
}

/* Steps from ... to of p as a program of its own, beginning with the registers that the reference has there. */
static program window(const program *p, int from, int to) {
  program q = *p;
  q.length = to - from + 1;
  allocate(&q);
  size_t n = (size_t)p->threads;
  memcpy(q.steps, p->steps + (size_t)from * n, (size_t)q.length * n * sizeof *q.steps);
  memcpy(q.registers, p->before + (size_t)from * n * FUZZ_REGISTERS, n * FUZZ_REGISTERS * sizeof *q.registers);
  for (int i = 0; i < p->threads; i++) {
    int left = p->lengths[i] - from;
    q.lengths[i] = left < 0 ? 0 : left < q.length ? left : q.length;
  }
  run_reference(&q);
  return q;
}

static void explain(target *t, const program *p, int result, int pc, int thread, uint64_t got) {
  if (result == 1) {
    int block = thread / p->block_threads, in_block = thread % p->block_threads, warp = in_block / p->lanes;
    int first = block * p->block_threads + warp * p->lanes;
    const step *s = &p->steps[pc * p->threads + thread];
    printf("FAIL lanes %d, block %ux%ux%u, block %d warp %d lane %d: step %d, %s.%s: expected 0x%016" PRIx64 ", got 0x%016" PRIx64
           "\n  shortest failing prefix, %d steps, as this warp runs it:\n",
           p->lanes, p->block.x, p->block.y, p->block.z, block, warp, in_block % p->lanes, pc,
           s->mask ? operation_names[op_of(s->code)] : "sits out", ref_suffix(type_of(s->code)),
           s->mask ? p->want[pc * p->threads + thread] : UINT64_C(0xdeadbeefdeadbeef), got, pc + 1);
    for (int k = 0; k <= pc; k++) print_step(p, k, first);
  } else {
    pc = p->length - 1;
  }
  /* the shortest window that fails alone, its end being this step (or, if the launch fails, any) */
  for (int size = 1; size <= pc + 1; size++) {
    for (int from = result == 1 ? pc + 1 - size : 0; from + size <= pc + 1; from++) {
      program q = window(p, from, from + size - 1);
      int q_pc, q_thread, again = run(t, &q, &q_pc, &q_thread, &got);
      if (again == result) {
        printf("  fails alone: steps %d to %d, with the registers the reference has there\n", from, from + size - 1);
        for (int k = 0; result != 1 && k < size; k++) {
          for (int b = 0; b < q.blocks * q.warps; b++) {
            printf("   block %d warp %d\n", b / q.warps, b % q.warps);
            print_step(&q, k, b / q.warps * q.block_threads + b % q.warps * q.lanes);
          }
        }
        release(&q);
        return;
      }
      release(&q);
    }
  }
}

/* ---- the command ---- */

static struct options {
  const char *devices[MAX_DEVICES];
  int device_count;
  const char *junit;
  uint64_t seed;
  long programs, first;
  double seconds;
  bool seeded, expect_failure, others;
} options = {.programs = 300};

static const struct argp_option argp_options[] = {
  {"device", 'd', "NAME", 0, "Device to test (repeatable; default: the CPU at 1 ... 64 lanes and every other device)", 0},
  {"others", 'o', 0, 0, "Every device that is not the CPU; exit status 77 if there is none", 0},
  {"seed", 's', "N", 0, "Seed (default: the time)", 0},
  {"programs", 'n', "M", 0, "Programs for each device (default 300)", 0},
  {"first", 'f', "K", 0, "Number of the first program, to repeat one (default 0)", 0},
  {"seconds", 't', "S", 0, "Run this long for each device instead", 0},
  {"junit", 'j', "FILE", 0, "Write the results as JUnit XML", 0},
  {"expect-failure", 'x', 0, 0, "Succeed only if a program fails: checks the test with a wrong kernel", 0},
  {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  switch (key) {
    case 'd':
      if (options.device_count == MAX_DEVICES) argp_error(state, "too many devices");
      options.devices[options.device_count++] = arg;
      break;
    case 'o': options.others = true; break;
    case 's':
      options.seed = strtoull(arg, NULL, 0);
      options.seeded = true;
      break;
    case 'n': options.programs = atol(arg); break;
    case 'f': options.first = atol(arg); break;
    case 't': options.seconds = atof(arg); break;
    case 'j': options.junit = arg; break;
    case 'x': options.expect_failure = true; break;
    case ARGP_KEY_ARG: argp_error(state, "unexpected argument '%s'", arg); break;
    default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static int add_device(const char *name, const char *description, void *user) {
  (void)user;
  if (!name) printf("SKIPPED device: %s\n", description);
  else if (strncmp(name, "cpu", 3) && options.device_count < MAX_DEVICES) options.devices[options.device_count++] = strdup(name);
  return 0;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The number of failing programs; stops after three. */
static int fuzz_device(const char *name, long *ran, long *steps, long *differing) {
  target t = {0};
  int failures = 0;
  *ran = *steps = *differing = 0;
  if (wp_device_open(name, &t.device) != WP_OK) return trouble(name), 1;
  if (wp_kernel_find(t.device, "fuzz_run", &t.kernel) != WP_OK || wp_kernel_find(t.device, "fuzz_probe", &t.probe) != WP_OK) {
    (void)trouble(name);
    wp_device_close(t.device);
    return 1;
  }
  double start = now();
  for (long k = options.first; failures < 3; k++) {
    if (options.seconds > 0 ? now() - start >= options.seconds : k - options.first >= options.programs) break;
    char key[64];
    snprintf(key, sizeof key, "program %ld", k);
    rng r = rng_from(options.seed, key);
    program p = {0};
    int pc = 0, thread = 0;
    uint64_t got = 0;
    p.block = draw_block(&r);
    p.block_threads = (int)(p.block.x * p.block.y * p.block.z);
    p.blocks = 1 + rng_below(&r, 5);
    int refused = ask(&t, p.block, &p.lanes);
    if (refused > 0) continue;
    if (refused < 0) {
      failures++;
      break;
    }
    draw_program(&p, &r, t.built, t.alike);
    run_reference(&p);
    int result = run(&t, &p, &pc, &thread, &got);
    if (result != 0) {
      failures++;
      *differing += result == 1;
      printf("FAIL %s: program %ld of seed %" PRIu64 " (repeat: --device %s --seed %" PRIu64 " --first %ld --programs 1)\n", name,
             k, options.seed, name, options.seed, k);
      explain(&t, &p, result, pc, thread, got);
    }
    (*ran)++;
    *steps += p.length;
    release(&p);
  }
  for (int b = 0; b < 8; b++) if (t.buffer[b]) wp_buffer_destroy(t.buffer[b]);
  wp_device_close(t.device);
  if (*ran == 0 && failures == 0) {
    printf("FAIL %s: no program could run\n", name);
    failures++;
  }
  return failures;
}

int main(int argc, char **argv) {
  const struct argp argp = {
    argp_options, parse, NULL, "Runs random programs of warp operations and compares them with the reference.", NULL, NULL, NULL};
  argp_parse(&argp, argc, argv, 0, NULL, NULL);
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (!options.seeded) options.seed = (uint64_t)time(NULL);
  if (options.others) {
    (void)wp_device_list(add_device, NULL);
    if (options.device_count == 0) {
      printf("SKIPPED: this machine has no device but the CPU\n");
      return 77;
    }
  } else if (options.device_count == 0) {
    static const char *const cpus[] = {"cpu:1", "cpu:2", "cpu:4", "cpu:8", "cpu:16", "cpu:32", "cpu:64"};
    for (int i = 0; i < 7; i++) options.devices[options.device_count++] = cpus[i];
    (void)wp_device_list(add_device, NULL);
  }
  printf("seed %" PRIu64 "\n", options.seed);
  FILE *xml = options.junit ? fopen(options.junit, "w") : NULL;
  if (options.junit && !xml) perror(options.junit);
  if (xml)
    fprintf(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"fuzz\" tests=\"%d\">\n", options.device_count);
  int failing = 0;
  for (int i = 0; i < options.device_count; i++) {
    long ran, steps, differing;
    double start = now();
    int failures = fuzz_device(options.devices[i], &ran, &steps, &differing);
    failing += options.expect_failure ? differing != 0 : failures != 0; /* a program that cannot run proves nothing */
    printf("%s: %ld programs, %ld steps, %d failed, %.1f s\n", options.devices[i], ran, steps, failures, now() - start);
    if (xml) {
      fprintf(xml, "  <testcase classname=\"fuzz\" name=\"%s\" time=\"%.3f\">", options.devices[i], now() - start);
      if (failures) fprintf(xml, "<failure message=\"%d programs; seed %" PRIu64 "\"/>", failures, options.seed);
      fputs("</testcase>\n", xml);
    }
  }
  if (xml) {
    fputs("</testsuite>\n", xml);
    if (fclose(xml) != 0) perror(options.junit);
  }
  bool ok = options.expect_failure ? failing > 0 : failing == 0;
  printf("seed %" PRIu64 ": %s%s\n", options.seed, ok ? "passed" : "FAILED",
         options.expect_failure ? " (a failure was wanted)" : "");
  return ok ? 0 : 1;
}
