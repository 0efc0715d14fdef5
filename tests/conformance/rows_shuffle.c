/* Rows S1-S8, G1-G5, and that arguments are evaluated once. */
#include "harness.h"

static void draw_move(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] != 0) w->arg[l] = draw_shuffle_arg(r, (ref_move)op->param, l, w->lanes, w->width[l], w->mask[l]);
  }
}

static void expect_move(const conf_op *op, ref_type type, conf_warp *w) {
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    conf_want(w, l, 0, w->v[ref_source((ref_move)op->param, l, w->width[l], w->arg[l])], RULE_EXACT);
  }
}

/* S6: the lanes of a segment name the same lane. */
static void draw_broadcast(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  (void)op;
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    uint64_t segment = ref_lanes(w->width[l]) << (l / w->width[l] * w->width[l]) & w->mask[l];
    int lowest = ref_lowest(segment);
    w->arg[l] = lowest < l ? w->arg[lowest] : draw_shuffle_arg(r, REF_MOVE_INDEX, l, w->lanes, w->width[l], w->mask[l]);
  }
}

static void expect_first(const conf_op *op, ref_type type, conf_warp *w) {
  (void)op;
  (void)type;
  for (int l = 0; l < w->lanes; l++) if (w->mask[l] != 0) conf_want(w, l, 0, w->v[ref_lowest(w->mask[l])], RULE_EXACT);
}

static void expect_or(const conf_op *op, ref_type type, conf_warp *w) {
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    int source = ref_source_or((ref_move)op->param, l, w->width[l], w->arg[l], w->mask[l]);
    conf_want(w, l, 0, source < 0 ? w->mem[l] : w->v[source], RULE_EXACT);
  }
}

/* G5: mask: the lanes that exist; fallback zero. */
static void draw_safe(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  (void)op;
  (void)type;
  (void)r;
  for (int l = 0; l < w->lanes; l++) w->mem[l] = 0;
}

static void expect_bytes(const conf_op *op, ref_type type, conf_warp *w) {
  (void)type;
  int bytes = op->op >> 8;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    int s = ref_source(REF_MOVE_INDEX, l, w->width[l], w->arg[l]);
    uint64_t from[3] = {w->v[s], w->mem[s], w->v[s] ^ ~w->mem[s]};
    for (int k = 0; k < 3; k++) {
      int here = bytes - 8 * k;
      uint64_t keep = here <= 0 ? 0 : here >= 8 ? ~UINT64_C(0) : (UINT64_C(1) << (8 * here)) - 1;
      conf_want(w, l, k, (from[k] & keep) | (UINT64_C(0xeeeeeeeeeeeeeeee) & ~keep), RULE_EXACT);
    }
  }
}

static void expect_once(const conf_op *op, ref_type type, conf_warp *w) {
  (void)op;
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    conf_want(w, l, 0, 0x11111, RULE_EXACT);
    conf_want(w, l, 1, 0, RULE_FREE);
  }
}

/* ---- constant arguments: the cases of kernels_constant.c in its order ---- */

typedef struct constant {
  int least;    /* the smallest warp that has it */
  ref_move move;
  bool guarded; /* an _or form */
  int arg, width; /* width 0: the warp's */
} constant;
#define CONSTANT_COUNT 24
#define S REF_MOVE_INDEX
#define R REF_MOVE_ROTATE
#define U REF_MOVE_UP
#define D REF_MOVE_DOWN
#define X REF_MOVE_XOR
static const constant constants[4][CONSTANT_COUNT] = {
  {{1, S, 0, 0, 0},  {1, S, 0, -1, 0},   {1, S, 0, 5, 0},    {1, S, 0, 33, 1},   {4, S, 0, 3, 4},    {8, S, 0, 0, 8},
   {8, S, 0, -3, 8}, {16, S, 0, 15, 16}, {16, S, 0, 40, 16}, {32, S, 0, 31, 32}, {64, S, 0, 32, 64}, {64, S, 0, 63, 64},
   {1, R, 0, 1, 0},  {1, R, 0, -1, 0},   {8, R, 0, 3, 8},    {16, R, 0, -5, 16}, {32, R, 0, 16, 32}, {1, S, 0, 0, 0},
   {4, S, 0, 2, 4},  {16, S, 0, 7, 16},  {32, S, 0, 17, 32}, {64, S, 0, 45, 64}, {1, S, 1, 7, 0},    {16, S, 1, 11, 16}},
  {{1, U, 0, 0, 0},    {1, U, 0, 1, 0},   {1, U, 0, 2, 0},    {1, U, 0, 3, 0},    {1, U, 0, 4, 0},   {1, U, 0, 8, 0},
   {1, U, 0, 16, 0},   {1, U, 0, 31, 0},  {1, U, 0, 32, 0},   {1, U, 0, 33, 0},   {1, U, 0, -1, 0},  {1, U, 0, 64, 0},
   {2, U, 0, 1, 2},    {4, U, 0, 1, 4},   {8, U, 0, 1, 8},    {8, U, 0, 9, 8},    {16, U, 0, 1, 16}, {16, U, 0, 8, 16},
   {16, U, 0, 15, 16}, {32, U, 0, 1, 32}, {32, U, 0, 17, 32}, {64, U, 0, 40, 64}, {1, U, 1, 1, 0},   {16, U, 1, 4, 16}},
  {{1, D, 0, 0, 0},    {1, D, 0, 1, 0},   {1, D, 0, 2, 0},    {1, D, 0, 3, 0},    {1, D, 0, 4, 0},   {1, D, 0, 8, 0},
   {1, D, 0, 16, 0},   {1, D, 0, 31, 0},  {1, D, 0, 32, 0},   {1, D, 0, 33, 0},   {1, D, 0, -1, 0},  {1, D, 0, 64, 0},
   {2, D, 0, 1, 2},    {4, D, 0, 1, 4},   {8, D, 0, 1, 8},    {8, D, 0, 9, 8},    {16, D, 0, 1, 16}, {16, D, 0, 8, 16},
   {16, D, 0, 15, 16}, {32, D, 0, 1, 32}, {32, D, 0, 17, 32}, {64, D, 0, 40, 64}, {1, D, 1, 1, 0},   {16, D, 1, 4, 16}},
  {{1, X, 0, 0, 0},    {2, X, 0, 1, 0},    {4, X, 0, 2, 0},   {4, X, 0, 3, 0},   {8, X, 0, 4, 0},   {8, X, 0, 7, 0},
   {16, X, 0, 8, 0},   {16, X, 0, 15, 0},  {32, X, 0, 16, 0}, {32, X, 0, 31, 0}, {64, X, 0, 32, 0}, {64, X, 0, 63, 0},
   {16, X, 0, 5, 0},   {16, X, 0, 12, 0},  {2, X, 0, 1, 2},   {4, X, 0, 2, 4},   {8, X, 0, 4, 8},   {16, X, 0, 8, 16},
   {32, X, 0, 16, 32}, {64, X, 0, 32, 64}, {1, X, 1, 1, 0},   {1, X, 1, 16, 0},  {16, X, 1, 6, 16}, {8, X, 1, 9, 8}},
};
#undef S
#undef R
#undef U
#undef D
#undef X

/* The arguments are given, so no lane may be missing where one is read: complete warps only. */
static void draw_constant(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  (void)op;
  (void)type;
  (void)r;
  for (int l = 0; l < w->lanes; l++) if (w->present != ref_lanes(w->lanes)) w->mask[l] = 0;
}

static void expect_constant(const conf_op *op, ref_type type, conf_warp *w) {
  (void)type;
  for (int k = 0; k < CONSTANT_COUNT; k++) {
    const constant *c = &constants[op->param][k];
    int width = c->width == 0 ? w->lanes : c->width;
    for (int l = 0; l < w->lanes; l++) {
      if (w->mask[l] == 0 || w->lanes < c->least) continue;
      int s = c->guarded ? ref_source_or(c->move, l, width, c->arg, w->mask[l]) : ref_source(c->move, l, width, c->arg);
      conf_want(w, l, k, s < 0 ? w->mem[l] : w->v[s], RULE_EXACT);
    }
  }
}

#define CONSTANT_TYPES \
  (REF_BIT(REF_U32) | REF_BIT(REF_F32) | REF_BIT(REF_U64) | REF_BIT(REF_I8) | REF_BIT(REF_F16X2) | REF_BIT(REF_F64))
#define MOVE(row, name, kernel, move, draw) \
  {row, name, kernel, REF_ALL, -1, 1, 0, move, CONF_WIDTHS | CONF_SHORT, draw, expect_move, 0, 0}
#define GUARDED(row, name, kernel, move) \
  { row, name, kernel, REF_ALL, -1, 1, 0, move, CONF_WIDTHS | CONF_SHORT, 0, expect_or, 0, 0 }
#define SAFE(name, kernel, move, op) \
  {"G5", name, kernel, REF_ALL, -1, 1, op, move, CONF_PRESENT | CONF_UNTYPED, draw_safe, expect_or, 0, 0}
#define BYTES(name, bytes, in_place) \
  {"S8", name, "conf_shfl_bytes", REF_BIT(REF_U64), -1, 3, (bytes) << 8 | (in_place), REF_MOVE_INDEX, CONF_WIDTHS, draw_move, \
   expect_bytes, 0, 0}
#define ONCE(name, op) {"1", "arguments once: " name, "conf_once", REF_BIT(REF_U32), -1, 2, op, 0, 0, 0, expect_once, 0, 0}
#define CONSTANT(row, name, kernel, table) \
  { \
    row, name, kernel, CONSTANT_TYPES, -1, CONSTANT_COUNT, 0, table, CONF_PRESENT | CONF_UNTYPED, draw_constant, \
      expect_constant, 0, 0 \
  }
const conf_op conf_rows_shuffle[] = {
  MOVE("S1", "wp_shfl", "conf_shfl", REF_MOVE_INDEX, draw_move),
  MOVE("S2", "wp_shfl_up", "conf_shfl_up", REF_MOVE_UP, draw_move),
  MOVE("S3", "wp_shfl_down", "conf_shfl_down", REF_MOVE_DOWN, draw_move),
  MOVE("S4", "wp_shfl_xor", "conf_shfl_xor", REF_MOVE_XOR, draw_move),
  MOVE("S5", "wp_rotate", "conf_rotate", REF_MOVE_ROTATE, draw_move),
  MOVE("S6", "wp_broadcast", "conf_broadcast", REF_MOVE_INDEX, draw_broadcast),
  {"S7", "wp_broadcast_first", "conf_broadcast_first", REF_ALL, -1, 1, 0, 0, 0, 0, expect_first, 0, 0},
  BYTES("wp_shfl_bytes, 1 byte", 1, 0),
  BYTES("wp_shfl_bytes, 2 bytes in place", 2, 1),
  BYTES("wp_shfl_bytes, 3 bytes", 3, 0),
  BYTES("wp_shfl_bytes, 4 bytes", 4, 0),
  BYTES("wp_shfl_bytes, 7 bytes in place", 7, 1),
  BYTES("wp_shfl_bytes, 12 bytes", 12, 0),
  BYTES("wp_shfl_bytes, 17 bytes", 17, 0),
  BYTES("wp_shfl_bytes, 24 bytes in place", 24, 1),
  CONSTANT("S1,S5,S6,G1", "constant wp_shfl, wp_rotate, wp_broadcast, wp_shfl_or", "conf_constant_shfl", 0),
  CONSTANT("S2,G2", "constant wp_shfl_up, _or", "conf_constant_up", 1),
  CONSTANT("S3,G3", "constant wp_shfl_down, _or", "conf_constant_down", 2),
  CONSTANT("S4,G4", "constant wp_shfl_xor, _or", "conf_constant_xor", 3),
  GUARDED("G1", "wp_shfl_or", "conf_shfl_or", REF_MOVE_INDEX),
  GUARDED("G2", "wp_shfl_up_or", "conf_shfl_up_or", REF_MOVE_UP),
  GUARDED("G3", "wp_shfl_down_or", "conf_shfl_down_or", REF_MOVE_DOWN),
  GUARDED("G4", "wp_shfl_xor_or", "conf_shfl_xor_or", REF_MOVE_XOR),
  SAFE("SAFE_SHUFFLE", "conf_safe_shuffle", REF_MOVE_INDEX, 0),
  SAFE("SAFE_SHUFFLE_UP", "conf_safe_shuffle_up", REF_MOVE_UP, 0),
  SAFE("SAFE_SHUFFLE_DOWN", "conf_safe_shuffle_down", REF_MOVE_DOWN, 0),
  SAFE("SAFE_SHUFFLE_XOR", "conf_safe_shuffle_xor", REF_MOVE_XOR, 0),
  SAFE("WP_SAFE_SHUFFLE", "conf_safe_shuffle", REF_MOVE_INDEX, 1),
  SAFE("WP_SAFE_SHUFFLE_UP", "conf_safe_shuffle_up", REF_MOVE_UP, 1),
  SAFE("WP_SAFE_SHUFFLE_DOWN", "conf_safe_shuffle_down", REF_MOVE_DOWN, 1),
  SAFE("WP_SAFE_SHUFFLE_XOR", "conf_safe_shuffle_xor", REF_MOVE_XOR, 1),
  ONCE("wp_shfl", 0), ONCE("wp_shfl_up", 1), ONCE("wp_shfl_down", 2), ONCE("wp_shfl_xor", 3), ONCE("wp_rotate", 4),
  ONCE("wp_broadcast", 5), ONCE("wp_shfl_or", 6), ONCE("wp_shfl_up_or", 7), ONCE("wp_shfl_down_or", 8), ONCE("wp_shfl_xor_or", 9),
  ONCE("wp_reduce_add", 10), ONCE("wp_reduce_min", 11), ONCE("wp_scan_add", 12), ONCE("wp_scan_max_excl", 13),
  ONCE("wp_match_any", 14), ONCE("wp_ballot", 15), ONCE("wp_sort", 16), ONCE("wp_broadcast_first", 17),
  ONCE("wp_compact_value", 18),
  {0},
};
