/* Rows V1-V5, K1-K4, Y1, D4. */
#include "harness.h"

/* Predicates as values of any type; zeros of both signs are false, everything else, NaN too, is true. */
static void draw_votes(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  (void)op;
  static const int percents[] = {0, 100, 50, 50, 3, 97};
  int percent = percents[rng_below(r, 6)];
  for (int l = 0; l < w->lanes; l++) {
    uint64_t sign = ref_is_float(type) && rng_chance(r, 50) ? UINT64_C(1) << (8 * ref_size(type) - 1) : 0;
    if (!rng_chance(r, percent)) {
      w->v[l] = sign;
    } else if (rng_chance(r, 50)) {
      do w->v[l] = draw_value(r, type, DRAW_SPECIAL); while (w->v[l] << (ref_is_float(type) ? 65 - 8 * ref_size(type) : 0) == 0);
    } else { /* 0.5, or only a high bit */
      w->v[l] = type == REF_F32   ? 0x3f000000
                : type == REF_F64 ? UINT64_C(0x3fe0000000000000)
                                  : UINT64_C(1) << (8 * ref_size(type) - 3);
    }
  }
}

static uint64_t trues(ref_type type, const conf_warp *w, uint64_t group) {
  uint64_t yes = 0;
  for (int l = 0; l < w->lanes; l++) {
    uint64_t bits = ref_is_float(type) ? w->v[l] << (65 - 8 * ref_size(type)) : w->v[l];
    if (ref_in(group, l) && bits != 0) yes |= UINT64_C(1) << l;
  }
  return yes;
}

enum { BALLOT, ANY, ALL, UNIFORM, ELECT };
static void vote_group(const conf_op *op, ref_type type, conf_warp *w, uint64_t group) {
  uint64_t yes = trues(type, w, group), want = 0;
  for (int l = 0; l < w->lanes; l++) {
    if (!ref_in(group, l)) continue;
    switch (op->param) {
      case BALLOT: want = yes; break;
      case ANY: want = yes != 0; break;
      case ALL: want = yes == group; break;
      case UNIFORM: want = yes == group || yes == 0; break;
      default: want = l == ref_lowest(group); break;
    }
    conf_want(w, l, 0, want, RULE_EXACT);
  }
}
static void expect_vote(const conf_op *op, ref_type type, conf_warp *w) { conf_groups(op, type, w, vote_group); }

/* Few distinct values, and often a single one. */
static void draw_match(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  (void)op;
  uint64_t pool[5];
  int kind = rng_below(r, 4), n = kind == 0 ? 1 : 2 + rng_below(r, 4);
  for (int i = 0; i < n; i++) pool[i] = draw_value(r, type, rng_chance(r, 50) ? DRAW_SPECIAL : DRAW_BITS);
  if (kind == 3 && n > 1) pool[1] = pool[0] ^ UINT64_C(1) << rng_below(r, (int)(8 * ref_size(type))); /* one bit apart */
  for (int l = 0; l < w->lanes; l++) w->v[l] = kind == 2 ? draw_value(r, type, DRAW_SPECIAL) : pool[rng_below(r, n)];
  if (kind == 1) { /* all the same but one lane */
    for (int l = 0; l < w->lanes; l++) w->v[l] = pool[0];
    w->v[draw_member(r, w->present)] = pool[1];
  }
}

/* K3: width is the number of bits; K4: of bytes. One for each group. */
static void draw_match_part(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  draw_match(op, type, w, r);
  for (int l = 0; l < w->lanes; l++) {
    int lowest = ref_lowest(w->mask[l]);
    if (w->mask[l] == 0) continue;
    w->width[l] = lowest < l ? w->width[lowest] : op->param == 0 ? rng_below(r, 33) : 1 + rng_below(r, 16);
    w->mem[l] = w->v[l] ^ (uint64_t)(rng_chance(r, 20) ? UINT64_C(1) << rng_below(r, 64) : 0);
  }
}

static uint64_t matches(ref_type type, const conf_warp *w, uint64_t group, int lane, uint64_t low, uint64_t high) {
  uint64_t same = 0;
  for (int l = 0; l < w->lanes; l++) {
    bool equal = ref_trim(type, w->v[l] & low) == ref_trim(type, w->v[lane] & low) && (w->mem[l] & high) == (w->mem[lane] & high);
    if (ref_in(group, l) && equal) same |= UINT64_C(1) << l;
  }
  return same;
}
static uint64_t low_bits(int n) { return n <= 0 ? 0 : n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1; }

enum { MATCH_ANY, MATCH_ALL, IS_FIRST, MATCH_BITS, MATCH_BYTES };
static void match_group(const conf_op *op, ref_type type, conf_warp *w, uint64_t group) {
  for (int l = 0; l < w->lanes; l++) {
    if (!ref_in(group, l)) continue;
    uint64_t same = matches(type, w, group, l, ~UINT64_C(0), 0), want = same;
    switch (op->op) {
      case MATCH_ALL: want = same == group; break;
      case IS_FIRST: want = ref_lowest(same) == l; break;
      case MATCH_BITS: want = matches(type, w, group, l, low_bits(w->width[l]), 0); break;
      case MATCH_BYTES: want = matches(type, w, group, l, low_bits(8 * w->width[l]), low_bits(8 * w->width[l] - 64)); break;
      default: break;
    }
    conf_want(w, l, 0, want, RULE_EXACT);
  }
}
static void expect_match(const conf_op *op, ref_type type, conf_warp *w) { conf_groups(op, type, w, match_group); }

/* Y1: arg leads to the next lane of the group, around the end. */
static void draw_sync(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  (void)op;
  (void)type;
  (void)r;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    int rank = ref_rank(w->mask[l], l), size = ref_count(w->mask[l]);
    w->arg[l] = ref_nth(w->mask[l], (rank + 1) % size) - l;
  }
}
static void expect_sync(const conf_op *op, ref_type type, conf_warp *w) {
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    int rank = ref_rank(w->mask[l], l), size = ref_count(w->mask[l]);
    uint32_t x = (uint32_t)w->v[ref_nth(w->mask[l], (rank + op->op) % size)], y = x;
    for (int k = 0; k < op->op; k++) {
      x += 1;
      y *= 3;
    }
    conf_want(w, l, 0, x, RULE_EXACT);
    conf_want(w, l, 1, y, RULE_EXACT);
  }
}

#define VOTE_TYPES (REF_BIT(REF_I32) | REF_BIT(REF_U8) | REF_BIT(REF_U64) | REF_BIT(REF_F32) | REF_BIT(REF_F64))
const conf_op conf_rows_vote[] = {
  {"V1", "wp_ballot", "conf_ballot", VOTE_TYPES, REF_U64, 1, 0, BALLOT, 0, draw_votes, expect_vote, 0, 0},
  {"V2", "wp_any", "conf_any", VOTE_TYPES, REF_I32, 1, 0, ANY, 0, draw_votes, expect_vote, 0, 0},
  {"V3", "wp_all", "conf_all", VOTE_TYPES, REF_I32, 1, 0, ALL, 0, draw_votes, expect_vote, 0, 0},
  {"V4", "wp_uniform", "conf_uniform", VOTE_TYPES, REF_I32, 1, 0, UNIFORM, 0, draw_votes, expect_vote, 0, 0},
  {"V5", "wp_elect", "conf_elect", REF_BIT(REF_U32), REF_I32, 1, 0, ELECT, 0, 0, expect_vote, 0, 0},
  {"K1", "wp_match_any", "conf_match_any", REF_ALL, REF_U64, 1, MATCH_ANY, 0, 0, draw_match, expect_match, 0, 0},
  {"K2", "wp_match_all", "conf_match_all", REF_ALL, REF_I32, 1, MATCH_ALL, 0, 0, draw_match, expect_match, 0, 0},
  {"K3", "wp_match_any_bits", "conf_match_any_bits", REF_BIT(REF_U32), REF_U64, 1, MATCH_BITS, 0, 0, draw_match_part,
   expect_match, 0, 0},
  {"K4", "wp_match_any_bytes", "conf_match_any_bytes", REF_BIT(REF_U64), REF_U64, 1, MATCH_BYTES, 1, 0, draw_match_part,
   expect_match, 0, 0},
  {"D4", "wp_is_first", "conf_is_first", REF_ALL, REF_I32, 1, IS_FIRST, 0, 0, draw_match, expect_match, 0, 0},
  {"Y1", "wp_sync", "conf_sync", REF_BIT(REF_U32), -1, 2, 3, 0, 0, draw_sync, expect_sync, 0, 0},
  {0},
};
