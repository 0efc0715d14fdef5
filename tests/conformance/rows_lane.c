/* Rows L1-L4, M1-M12. */
#include "harness.h"

static void expect_lane(const conf_op *op, ref_type type, conf_warp *w) {
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    conf_want(w, l, 0, (uint64_t)l, RULE_EXACT);
    conf_want(w, l, 1, (uint64_t)w->lanes, RULE_EXACT);
    conf_want(w, l, 2, (uint64_t)w->id, RULE_EXACT);
    conf_want(w, l, 3, 0, RULE_FREE); /* check_lane knows */
  }
  (void)op;
}

static void check_lane(const conf_op *op, ref_type type, conf_launch *l) {
  (void)op;
  (void)type;
  uint64_t want = (uint64_t)((l->block_threads + l->lanes - 1) / l->lanes);
  for (int t = 0; t < l->threads; t++) {
    conf_check(l->run, REF_U64, want, conf_load(REF_U64, l->out, (size_t)t * 4 + 3), false, "wp_warps_per_block");
  }
}

static void draw_mask(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  (void)op;
  (void)type;
  for (int l = 0; l < w->lanes; l++) {
    w->v[l] = rng_chance(r, 10) ? 0 : rng_chance(r, 10) ? ref_lanes(w->lanes) : draw_subset(r, ref_lanes(w->lanes));
  }
}

static void expect_mask(const conf_op *op, ref_type type, conf_warp *w) {
  (void)type;
  uint64_t all = ref_lanes(w->lanes);
  for (int l = 0; l < w->lanes; l++) {
    int64_t a = w->arg[l];
    uint64_t set = w->v[l], want = 0;
    if (w->mask[l] == 0) continue;
    switch (op->op) {
      case 0: want = all; break;
      case 1: want = a <= 0 ? 0 : a >= w->lanes ? all : ref_lanes((int)a); break;
      case 2: want = a >= 0 && a < w->lanes ? UINT64_C(1) << a : 0; break;
      case 3: want = ref_lanes(l); break;
      case 4: want = ref_lanes(l + 1); break;
      case 5: want = all & ~ref_lanes(l + 1); break;
      case 6: want = all & ~ref_lanes(l); break;
      case 7: want = (uint64_t)ref_count(set); break;
      case 8: want = (uint64_t)ref_lowest(set); break;
      case 9: want = (uint64_t)ref_highest(set); break;
      case 10: want = a < w->lanes && ref_in(set, a); break;
      case 11: want = (uint64_t)ref_rank(set, a); break;
      case 12: want = a < 0 ? ~UINT64_C(0) : (uint64_t)ref_nth(set, a); break;
      case 13: want = w->present; break;
      default: want = ref_lanes(w->width[l]) << (l / w->width[l] * w->width[l]); break;
    }
    conf_want(w, l, 0, want, RULE_EXACT);
  }
}

static void expect_active(const conf_op *op, ref_type type, conf_warp *w) {
  (void)op;
  (void)type;
  for (int l = 0; l < w->lanes; l++) if (w->mask[l] != 0) conf_want(w, l, 0, 0, RULE_FREE);
}

/* The caller is in it, and only lanes that came this way are: all, where control flow is uniform over the block. */
static void check_active(const conf_op *op, ref_type type, conf_launch *l) {
  (void)op;
  (void)type;
  for (int i = 0; i < l->warp_count; i++) {
    const conf_warp *w = &l->warps[i];
    uint64_t members = 0, came;
    for (int lane = 0; lane < w->lanes; lane++) if (w->mask[lane] != 0) members |= UINT64_C(1) << lane;
    came = l->run->device->uniform ? ref_lanes(w->lanes) : members;
    for (int lane = 0; lane < w->lanes; lane++) {
      if (!ref_in(members, lane)) continue;
      uint64_t got = conf_load(REF_U64, l->out, (size_t)(w->first + lane));
      conf_check(l->run, REF_U64, UINT64_C(1) << lane, got & UINT64_C(1) << lane, false, "the caller in wp_active_mask()");
      conf_check(l->run, REF_U64, 0, got & ~came, false, "lanes in wp_active_mask() that went another way");
    }
  }
}

#define MASK(row, name, op, flags) \
  {row, name, "conf_mask", REF_BIT(REF_U64), -1, 1, op, 0, flags, draw_mask, expect_mask, 0, 0}
const conf_op conf_rows_lane[] = {
  {"L1-L4", "wp_lane, wp_warp_size, wp_warp_id, wp_warps_per_block", "conf_lane", REF_BIT(REF_U64), -1, 4, 0, 0, CONF_ALL_LANES,
   0, expect_lane, check_lane, 0},
  MASK("M1", "wp_mask_all", 0, 0),
  MASK("M2", "wp_mask_first", 1, 0),
  MASK("M3", "wp_mask_lane", 2, 0),
  MASK("M4", "wp_mask_lt", 3, 0),
  MASK("M4", "wp_mask_le", 4, 0),
  MASK("M4", "wp_mask_gt", 5, 0),
  MASK("M4", "wp_mask_ge", 6, 0),
  MASK("M5", "wp_mask_count", 7, 0),
  MASK("M6", "wp_mask_lowest", 8, 0),
  MASK("M6", "wp_mask_highest", 9, 0),
  MASK("M7", "wp_mask_has", 10, 0),
  MASK("M8", "wp_mask_rank", 11, 0),
  MASK("M9", "wp_mask_nth", 12, 0),
  MASK("M10", "wp_mask_present", 13, 0),
  MASK("M11", "wp_mask_segment", 14, CONF_WIDTHS),
  {"M12", "wp_active_mask", "conf_active_mask", REF_BIT(REF_U64), -1, 1, 0, 0, 0, 0, expect_active, check_active, 0},
  {0},
};
