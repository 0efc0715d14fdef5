/* warpport/vote.h: questions to all lanes of a mask (spec rows V1-V5). Predicates are bool: 0.5 and 1<<40 count as true.
 *
 * Cost: one instruction on NVIDIA (elect one from sm_90, two before). */
#ifndef WARPPORT_VOTE_H
#define WARPPORT_VOTE_H

#include "mask.h"

/* V1: the lanes of mask whose p is true. */
WPB_FN wp_mask wp__ballot(WP__MASK mask, bool p) { return wp__logical(wpb_ballot(WP__TO wp__phys(mask), p)); }
WPB_FN wp_mask wp_ballot(WP__MASK mask, bool p) { return wp__ballot(WP__TO mask, p); }

/* V2: does some lane of mask have p? */
WPB_FN bool wp_any(WP__MASK mask, bool p) {
#ifdef WPB_HAS_ANY
  return wpb_any(WP__TO wp__phys(mask), p);
#else
  return wp_ballot(WP__TO mask, p) != 0;
#endif
}

/* V3: does no lane of mask lack p? Asked this way round, lanes that do not exist cannot spoil it. */
WPB_FN bool wp_all(WP__MASK mask, bool p) {
#ifdef WPB_HAS_ALL
  return wpb_all(WP__TO wp__phys(mask), p);
#else
  return wp_ballot(WP__TO mask, !p) == 0;
#endif
}

/* V4: is p the same in all lanes of mask? */
WPB_FN bool wp_uniform(WP__MASK mask, bool p) {
#ifdef WPB_HAS_UNIFORM
  return wpb_uniform(WP__TO wp__phys(mask), p);
#else
  wp_mask yes = wp_ballot(WP__TO mask, p);
  return yes == 0 || yes == mask;
#endif
}

/* V5: true in the lowest lane of mask. */
WPB_FN bool wp_elect(wp_mask mask) {
#ifdef WPB_HAS_ELECT
  return wpb_elect(wp__phys(mask));
#else
  return wp_lane() == wp_mask_lowest(mask);
#endif
}

#endif
