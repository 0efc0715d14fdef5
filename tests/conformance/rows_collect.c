/* Rows D1-D3, D5, D6; D4 is in rows_vote.c. */
#include "harness.h"

static void draw_keep(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  (void)op;
  (void)type;
  static const int percents[] = {0, 100, 50, 10};
  int percent = percents[rng_below(r, 4)];
  for (int l = 0; l < w->lanes; l++) w->arg[l] = rng_chance(r, percent) ? draw_any_int(r, w->lanes) | 1 : 0;
}

static uint64_t keepers(const conf_warp *w, uint64_t group) {
  uint64_t keep = 0;
  for (int l = 0; l < w->lanes; l++) if (ref_in(group, l) && w->arg[l] != 0) keep |= UINT64_C(1) << l;
  return keep;
}

static void expect_compact(const conf_op *op, ref_type type, conf_warp *w) {
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    uint64_t keep = keepers(w, w->mask[l]);
    if (op->param == 0) {
      conf_want(w, l, 0, (uint64_t)ref_rank(keep, l), RULE_EXACT);
      conf_want(w, l, 1, (uint64_t)ref_count(keep), RULE_EXACT);
    } else {
      int from = ref_nth(keep, ref_rank(w->mask[l], l));
      conf_want(w, l, 0, w->v[from < 0 ? l : from], RULE_EXACT);
    }
  }
}

/* width: the number of bins, one for each group; arg: the bin. */
static void draw_bins(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  (void)op;
  (void)type;
  int strays = rng_below(r, 3) * 10;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    int lowest = ref_lowest(w->mask[l]);
    w->width[l] = lowest < l ? w->width[lowest] : 1 + rng_below(r, w->lanes);
    w->arg[l] = rng_chance(r, strays) ? draw_any_int(r, w->lanes) : rng_below(r, w->width[l]);
  }
}

static void expect_bins(const conf_op *op, ref_type type, conf_warp *w) {
  (void)op;
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    int n = 0;
    for (int m = 0; m < w->lanes; m++) n += ref_in(w->mask[l], m) && w->arg[m] == l && l < w->width[l];
    conf_want(w, l, 0, (uint64_t)n, RULE_EXACT);
  }
}

static void sort_group(const conf_op *op, ref_type type, conf_warp *w, uint64_t group) {
  int lane_of[64];
  ref_sort_lanes(type, w->lanes, group, w->v, lane_of);
  for (int l = 0; l < w->lanes; l++) {
    if (ref_in(group, l)) conf_want(w, l, 0, op->param == 0 ? w->v[lane_of[l]] : (uint64_t)lane_of[l], RULE_EXACT);
  }
}
static void expect_sort(const conf_op *op, ref_type type, conf_warp *w) { conf_groups(op, type, w, sort_group); }

const conf_op conf_rows_collect[] = {
  {"D1", "wp_compact", "conf_compact", REF_BIT(REF_U32), REF_I32, 2, 0, 0, 0, draw_keep, expect_compact, 0, 0},
  {"D2", "wp_compact_value", "conf_compact_value", REF_ALL, -1, 1, 0, 1, 0, draw_keep, expect_compact, 0, 0},
  {"D3", "wp_histogram", "conf_histogram", REF_BIT(REF_U32), REF_I32, 1, 0, 0, 0, draw_bins, expect_bins, 0, 0},
  {"D5", "wp_sort", "conf_sort", REF_SCALARS, -1, 1, 0, 0, 0, 0, expect_sort, 0, 0},
  {"D6", "wp_sort_lane", "conf_sort_lane", REF_SCALARS, REF_I32, 1, 0, 1, 0, 0, expect_sort, 0, 0},
  {0},
};
