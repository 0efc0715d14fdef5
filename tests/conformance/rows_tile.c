/* Rows T1-T9. op: how the tile is made (0 and 3 T1, 1 T3, 2 T4). width: the width, the predicate, or the label. */
#include "harness.h"

enum { MAKE, BINARY, LABELLED, FULL };

static uint64_t tile_of(const conf_op *op, const conf_warp *w, int lane) {
  uint64_t tile = 0;
  if (op->op == MAKE || op->op == FULL) return ref_lanes(w->width[lane]) << (lane / w->width[lane] * w->width[lane]) & w->present;
  for (int l = 0; l < w->lanes; l++) {
    bool same = op->op == BINARY ? (w->width[l] & 1) == (w->width[lane] & 1) : w->width[l] == w->width[lane];
    if (ref_in(w->mask[lane], l) && same) tile |= UINT64_C(1) << l;
  }
  return tile;
}

static void draw_tile(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  (void)type;
  if (op->op == FULL) { /* segments that are not complete sit out */
    for (int l = 0; l < w->lanes; l++) if (ref_count(w->mask[l]) != w->width[l]) w->mask[l] = 0;
  }
  if (op->op == MAKE || op->op == FULL) return;
  int labels = 1 + rng_below(r, 5);
  uint32_t base = rng_chance(r, 50) ? 0 : (uint32_t)rng_u64(r);
  for (int l = 0; l < w->lanes; l++) w->width[l] = (int32_t)(base + (uint32_t)rng_below(r, labels) * 0x01000001u);
}

static void expect_parts(const conf_op *op, ref_type type, conf_warp *w) {
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    uint64_t t = tile_of(op, w, l);
    conf_want(w, l, 0, (uint64_t)ref_count(t), RULE_EXACT);
    conf_want(w, l, 1, (uint64_t)ref_rank(t, l), RULE_EXACT);
    conf_want(w, l, 2, t, RULE_EXACT);
  }
}

static void expect_shuffle(const conf_op *op, ref_type type, conf_warp *w) {
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    uint64_t t = tile_of(op, w, l);
    int64_t size = ref_count(t), rank = ref_rank(t, l), a = w->arg[l], from;
    switch (op->param) {
      case REF_MOVE_INDEX: from = (a % size + size) % size; break;
      case REF_MOVE_UP: from = a < 0 ? rank : rank - a; break;
      case REF_MOVE_DOWN: from = a < 0 ? rank : rank + a; break;
      default: from = rank ^ a; break;
    }
    if (from < 0 || from >= size) from = rank;
    conf_want(w, l, 0, w->v[ref_nth(t, from)], RULE_EXACT);
  }
}

static void draw_vote(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  draw_tile(op, type, w, r);
  static const int percents[] = {0, 100, 50, 97};
  int percent = percents[rng_below(r, 4)];
  for (int l = 0; l < w->lanes; l++) w->v[l] = rng_chance(r, percent) ? UINT64_C(1) << rng_below(r, 32) : 0;
}
static void expect_vote(const conf_op *op, ref_type type, conf_warp *w) {
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    uint64_t t = tile_of(op, w, l), ballot = 0;
    int size = ref_count(t);
    for (int k = 0; k < size; k++) ballot |= (uint64_t)(w->v[ref_nth(t, k)] != 0) << k;
    conf_want(w, l, 0, ballot, RULE_EXACT);
    conf_want(w, l, 1, ballot != 0, RULE_EXACT);
    conf_want(w, l, 2, ballot == ref_lanes(size), RULE_EXACT);
  }
}

enum { REDUCE, SCAN, EXCL };
static void expect_trees(const conf_op *op, ref_type type, conf_warp *w) {
  ref_op which = (ref_op)(op->param % REF_OP_COUNT);
  int form = op->param / REF_OP_COUNT;
  ref_operator o = ref_builtin(which, type);
  ref_pair v[64], result[64];
  bool has[64];
  uint64_t done = 0;
  for (int l = 0; l < w->lanes; l++) {
    v[l].w[0] = w->v[l];
    v[l].w[1] = 0;
  }
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0 || ref_in(done, l)) continue;
    uint64_t t = tile_of(op, w, l);
    done |= t;
    ref_pair total = ref_reduce(&o, w->lanes, t, v);
    ref_scan(&o, w->lanes, t, v, result, has);
    for (int m = 0; m < w->lanes; m++) {
      if (!ref_in(t, m)) continue;
      if (form == REDUCE) conf_want(w, m, 0, total.w[0], RULE_NAN_OK);
      else if (form == SCAN) conf_want(w, m, 0, result[m].w[0], RULE_NAN_OK);
      else if (m > 0 && has[m - 1]) conf_want(w, m, 0, result[m - 1].w[0], RULE_NAN_OK);
      else conf_want(w, m, 0, ref_identity(which, type), RULE_EXACT);
    }
  }
}

static void draw_sync(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  draw_tile(op, type, w, r);
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    uint64_t t = tile_of(op, w, l);
    w->arg[l] = ref_nth(t, (ref_rank(t, l) + 1) % ref_count(t)) - l;
  }
}
static void expect_sync(const conf_op *op, ref_type type, conf_warp *w) {
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    uint64_t t = tile_of(op, w, l);
    uint32_t x = (uint32_t)w->v[ref_nth(t, (ref_rank(t, l) + 3) % ref_count(t))];
    for (int k = 0; k < 3; k++) x = x * 5 + 1;
    conf_want(w, l, 0, x, RULE_EXACT);
  }
}

/* T2: consistent with itself: only lanes that came this way (all, where control flow is uniform over the block); the caller in it;
 * size, rank and sum as its mask says. */
static void expect_coalesced(const conf_op *op, ref_type type, conf_warp *w) {
  (void)op;
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    for (int k = 0; k < 4 && w->mask[l] != 0; k++) conf_want(w, l, k, 0, RULE_FREE);
  }
}
static void check_coalesced(const conf_op *op, ref_type type, conf_launch *l) {
  (void)op;
  (void)type;
  for (int i = 0; i < l->warp_count; i++) {
    const conf_warp *w = &l->warps[i];
    uint64_t members = 0, came;
    for (int lane = 0; lane < w->lanes; lane++) if (w->mask[lane] != 0) members |= UINT64_C(1) << lane;
    came = l->run->device->uniform ? ref_lanes(w->lanes) : members;
    for (int lane = 0; lane < w->lanes; lane++) {
      if (!ref_in(members, lane)) continue;
      uint64_t got[4], sum = 0;
      for (int k = 0; k < 4; k++) got[k] = conf_load(REF_U64, l->out, (size_t)(w->first + lane) * 4 + (size_t)k);
      for (int m = 0; m < w->lanes; m++) if (ref_in(got[2] & came, m)) sum += w->v[m];
      conf_check(l->run, REF_U64, 0, got[2] & ~came, false, "lanes in the tile that went another way");
      conf_check(l->run, REF_U64, 1, got[2] >> lane & 1, false, "the caller in its tile");
      conf_check(l->run, REF_U64, (uint64_t)ref_count(got[2]), got[0], false, "wp_tile_size");
      conf_check(l->run, REF_U64, (uint64_t)ref_rank(got[2], lane), got[1], false, "wp_tile_rank");
      conf_check(l->run, REF_U64, sum & 0xffffffff, got[3], false, "wp_tile_reduce_add");
    }
  }
}

/* One table entry for each way to make a tile. */
#define FULL_TILE(row, name, kernel, types, out_type, outs, param, draw, expect) \
  {row, name " (wp_tile_full)", kernel, types, out_type, outs, FULL, param, CONF_WIDTHS | CONF_SEGMENTS, draw, expect, 0, 0}
#define EACH(row, name, kernel, types, out_type, outs, param, draw, expect) \
  {row, name " (wp_tile_make)", kernel, types, out_type, outs, MAKE, param, CONF_WIDTHS | CONF_SEGMENTS, draw, expect, 0, 0}, \
  {row, name " (wp_tile_binary)", kernel, types, out_type, outs, BINARY, param, 0, draw, expect, 0, 0}, \
  {row, name " (wp_tile_labelled)", kernel, types, out_type, outs, LABELLED, param, 0, draw, expect, 0, 0}, \
  FULL_TILE(row, name, kernel, types, out_type, outs, param, draw, expect)
#define TREE(text, op, types) \
  EACH("T8", "wp_tile_reduce_" text, "conf_tile_reduce_" text, types, -1, 1, REDUCE * REF_OP_COUNT + op, draw_tile, \
   expect_trees), \
  EACH("T8", "wp_tile_scan_" text, "conf_tile_scan_" text, types, -1, 1, SCAN * REF_OP_COUNT + op, draw_tile, expect_trees), \
  EACH("T8", "wp_tile_scan_" text "_excl", "conf_tile_scan_" text "_excl", types, -1, 1, EXCL * REF_OP_COUNT + op, draw_tile, \
       expect_trees)
const conf_op conf_rows_tile[] = {
  {"T1,T5", "wp_tile_make, _size, _rank, _mask", "conf_tile", REF_BIT(REF_U64), -1, 3, MAKE, 0, CONF_WIDTHS | CONF_SEGMENTS,
   draw_tile, expect_parts, 0, 0},
  FULL_TILE("T1,T5", "wp_tile_size, _rank, _mask", "conf_tile", REF_BIT(REF_U64), -1, 3, 0, draw_tile, expect_parts),
  {"T3,T5", "wp_tile_binary, _size, _rank, _mask", "conf_tile", REF_BIT(REF_U64), -1, 3, BINARY, 0, 0, draw_tile, expect_parts, 0,
   0},
  {"T4,T5", "wp_tile_labelled, _size, _rank, _mask", "conf_tile", REF_BIT(REF_U64), -1, 3, LABELLED, 0, 0, draw_tile,
   expect_parts, 0, 0},
  {"T2,T5", "wp_tile_coalesced", "conf_tile_coalesced", REF_BIT(REF_U32), REF_U64, 4, 0, 0, 0, 0, expect_coalesced,
   check_coalesced, 0},
  EACH("T6", "wp_tile_shfl", "conf_tile_shfl", REF_ALL, -1, 1, REF_MOVE_INDEX, draw_tile, expect_shuffle),
  EACH("T6", "wp_tile_shfl_up", "conf_tile_shfl_up", REF_ALL, -1, 1, REF_MOVE_UP, draw_tile, expect_shuffle),
  EACH("T6", "wp_tile_shfl_down", "conf_tile_shfl_down", REF_ALL, -1, 1, REF_MOVE_DOWN, draw_tile, expect_shuffle),
  EACH("T6", "wp_tile_shfl_xor", "conf_tile_shfl_xor", REF_ALL, -1, 1, REF_MOVE_XOR, draw_tile, expect_shuffle),
  EACH("T7", "wp_tile_ballot, _any, _all", "conf_tile_vote", REF_BIT(REF_U32), REF_U64, 3, 0, draw_vote, expect_vote),
  TREE("add", REF_ADD, REF_ALL),
  TREE("mul", REF_MUL, REF_ALL),
  TREE("min", REF_MIN, REF_ALL),
  TREE("max", REF_MAX, REF_ALL),
  TREE("and", REF_AND, REF_INTS),
  TREE("or", REF_OR, REF_INTS),
  TREE("xor", REF_XOR, REF_INTS),
  EACH("T9", "wp_tile_sync", "conf_tile_sync", REF_BIT(REF_U32), -1, 1, 0, draw_sync, expect_sync),
  {0},
};
