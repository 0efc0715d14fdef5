/* Rows R1-R5, C1-C4. */
#include "harness.h"

static void pairs(const conf_warp *w, ref_pair *v) {
  for (int l = 0; l < w->lanes; l++) {
    v[l].w[0] = w->v[l];
    v[l].w[1] = w->mem[l];
  }
}

/* ---- built-in operators ---- */

static void reduce_group(const conf_op *op, ref_type type, conf_warp *w, uint64_t group) {
  ref_operator o = ref_builtin((ref_op)op->param, type);
  ref_pair v[64];
  pairs(w, v);
  uint64_t want = ref_reduce(&o, w->lanes, group, v).w[0];
  for (int l = 0; l < w->lanes; l++) if (ref_in(group, l)) conf_want(w, l, 0, want, RULE_NAN_OK);
}
static void expect_reduce(const conf_op *op, ref_type type, conf_warp *w) { conf_groups(op, type, w, reduce_group); }

static void arg_group(const conf_op *op, ref_type type, conf_warp *w, uint64_t group) {
  int want = ref_argbest(type, op->param != 0, w->lanes, group, w->v);
  for (int l = 0; l < w->lanes; l++) if (ref_in(group, l)) conf_want(w, l, 0, (uint64_t)want, RULE_EXACT);
}
static void expect_arg(const conf_op *op, ref_type type, conf_warp *w) { conf_groups(op, type, w, arg_group); }

static void scan_group(const conf_op *op, ref_type type, conf_warp *w, uint64_t group) {
  ref_operator o = ref_builtin((ref_op)op->param, type);
  ref_pair v[64], result[64];
  bool has[64];
  pairs(w, v);
  ref_scan(&o, w->lanes, group, v, result, has);
  for (int l = 0; l < w->lanes; l++) if (ref_in(group, l)) conf_want(w, l, 0, result[l].w[0], RULE_NAN_OK);
}
static void expect_scan(const conf_op *op, ref_type type, conf_warp *w) { conf_groups(op, type, w, scan_group); }

static void excl_group(const conf_op *op, ref_type type, conf_warp *w, uint64_t group) {
  ref_operator o = ref_builtin((ref_op)op->param, type);
  ref_pair v[64], result[64];
  bool has[64];
  pairs(w, v);
  ref_scan(&o, w->lanes, group, v, result, has);
  for (int l = 0; l < w->lanes; l++) {
    if (!ref_in(group, l)) continue;
    if (l > 0 && has[l - 1]) conf_want(w, l, 0, result[l - 1].w[0], RULE_NAN_OK);
    else conf_want(w, l, 0, ref_identity((ref_op)op->param, type), RULE_EXACT);
  }
}
static void expect_excl(const conf_op *op, ref_type type, conf_warp *w) { conf_groups(op, type, w, excl_group); }

static void draw_heads(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  (void)op;
  (void)type;
  static const int percents[] = {0, 10, 30, 100};
  int percent = percents[rng_below(r, 4)];
  for (int l = 0; l < w->lanes; l++) w->arg[l] = rng_chance(r, percent);
}

static void seg_group(const conf_op *op, ref_type type, conf_warp *w, uint64_t group) {
  ref_operator o = ref_builtin((ref_op)op->param, type);
  ref_pair v[64];
  uint64_t heads = 0;
  pairs(w, v);
  for (int l = 0; l < w->lanes; l++) heads |= (uint64_t)(w->arg[l] != 0) << l;
  for (int l = 0; l < w->lanes; l++) {
    if (ref_in(group, l)) conf_want(w, l, 0, ref_scan_segmented(&o, w->lanes, group, heads, v, l).w[0], RULE_NAN_OK);
  }
}
static void expect_seg(const conf_op *op, ref_type type, conf_warp *w) { conf_groups(op, type, w, seg_group); }

/* ---- the operators of kernels_user.c ---- */

enum { MIX_I8, MIX_U16, MIX_U32, MIX_U64, MINUS_F32, MINUS_F64, LARGER_F16, AFFINE, BEST, TRIPLE, SHORT3 };

/* Structs of three words are packed: x and y in w[0], z in w[1]. */
static ref_pair user(const ref_operator *self, ref_pair a, ref_pair b) {
  ref_pair r = {{0, 0}};
  uint64_t x = a.w[0], y = b.w[0];
  int bits = self->op == (ref_op)SHORT3 ? 16 : 32;
  uint64_t ones = (UINT64_C(1) << bits) - 1;
  uint64_t ax = x & ones, ay = x >> bits & ones, az = a.w[1], bx = y & ones, by = y >> bits & ones, bz = b.w[1];
  switch ((int)self->op) {
    case MIX_I8: r.w[0] = (x * 3 + y) & 0xff; break;
    case MIX_U16: r.w[0] = (x * 7 + y) & 0xffff; break;
    case MIX_U32: r.w[0] = (x * 31 + y) & 0xffffffff; break;
    case MIX_U64: r.w[0] = (x << 7 | x >> 57) + y; break;
    case MINUS_F32: r.w[0] = ref_apply(REF_ADD, REF_F32, x, y ^ UINT64_C(1) << 31); break;
    case MINUS_F64: r.w[0] = ref_apply(REF_ADD, REF_F64, x, y ^ UINT64_C(1) << 63); break;
    case LARGER_F16: r.w[0] = x >= y ? x : y; break;
    case AFFINE:
      r.w[0] = b.w[0] * a.w[0];
      r.w[1] = b.w[0] * a.w[1] + b.w[1];
      break;
    case BEST: return (int32_t)(uint32_t)y > (int32_t)(uint32_t)x ? b : a;
    case TRIPLE:
      r.w[0] = ((ax + bx) & ones) | ((ay * 31 + bz) & ones) << bits;
      r.w[1] = ((az << 5 | az >> 27) & ones) ^ by;
      break;
    default:
      r.w[0] = ((ax - bx) & ones) | ((ay + bz) & ones) << bits;
      r.w[1] = az ^ by;
      break;
  }
  return r;
}

static void user_group(const conf_op *op, ref_type type, conf_warp *w, uint64_t group) {
  ref_operator o = {user, (ref_op)op->param, type};
  ref_pair v[64], result[64], none = {{0, 0}};
  bool has[64];
  int bits = op->param == SHORT3 ? 16 : 32;
  pairs(w, v);
  for (int l = 0; l < w->lanes; l++) {
    if (op->param == TRIPLE || op->param == SHORT3) {
      v[l].w[0] = w->v[l] | w->mem[l] << bits;
      v[l].w[1] = w->v[l] ^ (op->param == TRIPLE ? 0x5a5a5a5a : 0x5a5a);
    }
  }
  if (op->op == 0) {
    ref_pair total = ref_reduce(&o, w->lanes, group, v);
    for (int l = 0; l < w->lanes; l++) {
      result[l] = total;
      has[l] = true;
    }
  } else {
    ref_scan(&o, w->lanes, group, v, result, has);
  }
  for (int l = 0; l < w->lanes; l++) {
    if (!ref_in(group, l)) continue;
    ref_pair p = result[l];
    switch (op->param) {
      case AFFINE: none.w[0] = 1; none.w[1] = 0; break;
      case BEST: none.w[0] = none.w[1] = 0xffffffff; break;
      case TRIPLE: case SHORT3: none.w[0] = none.w[1] = ~UINT64_C(0); break;
      default: none.w[0] = w->mem[l]; break;
    }
    if (op->op == 2) p = l > 0 && has[l - 1] ? result[l - 1] : none;
    if (op->outs == 3) {
      conf_want(w, l, 0, p.w[0], RULE_EXACT);
      conf_want(w, l, 1, p.w[0] >> bits, RULE_EXACT);
      conf_want(w, l, 2, p.w[1], RULE_EXACT);
    } else {
      conf_want(w, l, 0, p.w[0], ref_is_float(type) && op->param != LARGER_F16 ? RULE_NAN_OK : RULE_EXACT);
      if (op->outs == 2) conf_want(w, l, 1, p.w[1], RULE_EXACT);
    }
  }
}
static void expect_user(const conf_op *op, ref_type type, conf_warp *w) { conf_groups(op, type, w, user_group); }

#define ARITH(M) M("add", REF_ADD, REF_ALL), M("mul", REF_MUL, REF_ALL), M("min", REF_MIN, REF_ALL), M("max", REF_MAX, REF_ALL)
#define BITS(M) M("and", REF_AND, REF_INTS), M("or", REF_OR, REF_INTS), M("xor", REF_XOR, REF_INTS)
#define R1(text, op, types) {"R1", "wp_reduce_" text, "conf_reduce_" text, types, -1, 1, 0, op, 0, 0, expect_reduce, 0, 0}
#define R2(text, op, types) {"R2", "wp_reduce_" text, "conf_reduce_" text, types, -1, 1, 0, op, 0, 0, expect_reduce, 0, 0}
#define R3(text, op, types) {"R3", "wp_reduce_" text, "conf_reduce_" text, types, -1, 1, 0, op, 0, 0, expect_reduce, 0, 0}
#define C1(text, op, types) {"C1", "wp_scan_" text, "conf_scan_" text, types, -1, 1, 0, op, 0, 0, expect_scan, 0, 0}
#define C2(text, op, types) \
  {"C2", "wp_scan_" text "_excl", "conf_scan_" text "_excl", types, -1, 1, 0, op, 0, 0, expect_excl, 0, 0}
#define C3(text, op, types) \
  {"C3", "wp_scan_" text "_seg", "conf_scan_" text "_seg", types, -1, 1, 0, op, 0, draw_heads, expect_seg, 0, 0}
#define USER(kernel, which, type, out) \
  {"R5", "WP_DEFINE_REDUCE " kernel, "conf_user_" kernel, REF_BIT(type), -1, out, 0, which, 0, 0, expect_user, 0, 0}, \
  {"C4", "WP_DEFINE_SCAN " kernel, "conf_user_" kernel, REF_BIT(type), -1, out, 1, which, 0, 0, expect_user, 0, 0}, \
  {"C4", "WP_DEFINE_SCAN, _excl " kernel, "conf_user_" kernel, REF_BIT(type), -1, out, 2, which, 0, 0, expect_user, 0, 0}
const conf_op conf_rows_reduce[] = {
  R1("add", REF_ADD, REF_ALL), R1("mul", REF_MUL, REF_ALL),
  R2("min", REF_MIN, REF_ALL), R2("max", REF_MAX, REF_ALL),
  BITS(R3),
  {"R4", "wp_reduce_argmin", "conf_reduce_argmin", REF_SCALARS, REF_I32, 1, 0, 0, 0, 0, expect_arg, 0, 0},
  {"R4", "wp_reduce_argmax", "conf_reduce_argmax", REF_SCALARS, REF_I32, 1, 0, 1, 0, 0, expect_arg, 0, 0},
  ARITH(C1), BITS(C1),
  ARITH(C2), BITS(C2),
  ARITH(C3), BITS(C3),
  USER("mix_i8", MIX_I8, REF_I8, 1),
  USER("mix_u16", MIX_U16, REF_U16, 1),
  USER("mix_u32", MIX_U32, REF_U32, 1),
  USER("mix_u64", MIX_U64, REF_U64, 1),
  USER("minus_f32", MINUS_F32, REF_F32, 1),
  USER("minus_f64", MINUS_F64, REF_F64, 1),
  USER("larger_f16", LARGER_F16, REF_F16, 1),
  USER("affine", AFFINE, REF_U64, 2),
  USER("best", BEST, REF_I32, 2),
  USER("triple", TRIPLE, REF_U32, 3),
  USER("short3", SHORT3, REF_U16, 3),
  {0},
};
