/* warpport/mask.h: sets of lanes (spec rows M1-M12).
 *
 * wp_mask is an unsigned integer of 32 or 64 bits; bits from wp_warp_size() up are 0. Nothing here shifts by the width of the type.
 * Cost: one or two integer instructions each, unless said otherwise. */
#ifndef WARPPORT_MASK_H
#define WARPPORT_MASK_H

#include "derive.h"
#include "lane.h"

typedef WPB_MASK_T wp_mask;
#define WP_MASK_BITS WPB_MASK_BITS

/* n ones from bit 0, 0 <= n <= WP_MASK_BITS. */
WPB_FN wp_mask wp__ones(int n) {
#ifdef WPB_HAS_ONES
  return wpb_ones(n);
#else
  return n == 0 ? (wp_mask)0 : (wp_mask)((wp_mask) ~(wp_mask)0 >> (WPB_MASK_BITS - n));
#endif
}

/* M1: all lanes of a warp. In a partial last warp use wp_mask_present(). */
WPB_FN wp_mask wp_mask_all(void) { return wp__ones(wp_warp_size()); }

/* M2: lanes 0 ... n-1, for any n. */
WPB_FN wp_mask wp_mask_first(int n) { return wp__ones(n <= 0 ? 0 : n < wp_warp_size() ? n : wp_warp_size()); }

/* M3: lane l alone; empty for a lane that does not exist. */
WPB_FN wp_mask wp_mask_lane(int l) {
  return (unsigned)l < (unsigned)wp_warp_size() ? (wp_mask)((wp_mask)1 << (unsigned)l) : (wp_mask)0;
}

/* M4: lanes below, up to, above, from the caller on. */
WPB_FN wp_mask wp_mask_lt(void) {
#if defined(WPB_HAS_LANEMASK_LT) && !defined(WP__LOGICAL)
  return wpb_lanemask_lt();
#else
  return (wp_mask)(((wp_mask)1 << (unsigned)wp_lane()) - 1u);
#endif
}
#if defined(WPB_HAS_LANEMASKS) && !defined(WP__LOGICAL)
WPB_FN wp_mask wp_mask_le(void) { return wpb_lanemask_le(); }
WPB_FN wp_mask wp_mask_gt(void) { return wpb_lanemask_gt(); }
WPB_FN wp_mask wp_mask_ge(void) { return wpb_lanemask_ge(); }
#else
WPB_FN wp_mask wp_mask_le(void) { return (wp_mask)(wp_mask_lt() | ((wp_mask)1 << (unsigned)wp_lane())); }
WPB_FN wp_mask wp_mask_gt(void) { return (wp_mask)(wp_mask_all() & (wp_mask)~wp_mask_le()); }
WPB_FN wp_mask wp_mask_ge(void) { return (wp_mask)(wp_mask_all() & (wp_mask)~wp_mask_lt()); }
#endif

/* M5: number of lanes. */
WPB_FN int wp_mask_count(wp_mask m) {
#if WPB_MASK_BITS == 32
  return wp__popcount32(m);
#else
  return wp__popcount64(m);
#endif
}

/* M6: lowest and highest lane; -1 for an empty mask. */
WPB_FN int wp__lowest(wp_mask m) {
#if WPB_MASK_BITS == 32
  return wp__lowest32(m);
#else
  return wp__lowest64(m);
#endif
}
WPB_FN int wp__highest(wp_mask m) {
#if WPB_MASK_BITS == 32
  return wp__highest32(m);
#else
  return wp__highest64(m);
#endif
}
#ifdef WPB_BIT_OF_ZERO_IS_MINUS_1
WPB_FN int wp_mask_lowest(wp_mask m) { return wp__lowest(m); }
WPB_FN int wp_mask_highest(wp_mask m) { return wp__highest(m); }
#else
WPB_FN int wp_mask_lowest(wp_mask m) { return m == 0 ? -1 : wp__lowest(m); }
WPB_FN int wp_mask_highest(wp_mask m) { return m == 0 ? -1 : wp__highest(m); }
#endif

/* The same for a lane that exists. Asked this way round, the test of a full mask folds away. */
WPB_FN bool wp__in(wp_mask m, int l) { return (m & (wp_mask)((wp_mask)1 << (unsigned)l)) != 0; }

/* M7: is lane l in m? false for a lane that does not exist. */
WPB_FN bool wp_mask_has(wp_mask m, int l) {
  return (unsigned)l < (unsigned)wp_warp_size() && wp__in(m, l);
}

/* M8: number of lanes of m below l; l from 0 up. */
WPB_FN int wp_mask_rank(wp_mask m, int l) {
  return wp_mask_count((wp_mask)(m & wp__ones(l <= 0 ? 0 : l < WPB_MASK_BITS ? l : WPB_MASK_BITS)));
}

/* M9: lane of the k-th member, counted from 0; -1 if there is none. Cost: five or six steps of popcount and select. */
WPB_FN int wp_mask_nth(wp_mask m, int k) {
  int lane = 0, step;
  if (k < 0 || k >= wp_mask_count(m)) return -1;
  WPB_UNROLL
  for (step = WPB_MASK_BITS / 2; step > 0; step >>= 1) {
    int below = wp_mask_count((wp_mask)((m >> (unsigned)lane) & wp__ones(step)));
    if (k >= below) {
      k -= below;
      lane += step;
    }
  }
  return lane;
}

/* M10: the lanes of the caller's warp that exist in its block. */
WPB_FN wp_mask wp_mask_present(void) {
#if defined(WPB_HAS_PRESENT) && !defined(WP__LOGICAL)
  return wpb_present();
#else
  return wp_mask_first(wp_block_threads() - wp_warp_id() * wp_warp_size());
#endif
}

/* M11: the lanes of the caller's segment of width lanes, a power of two, 1 ... wp_warp_size(). */
WPB_FN wp_mask wp_mask_segment(int width) {
  WP__CHECK_WIDTH(width);
  WPB_NOTE_WIDTH(width);
  return (wp_mask)(wp__ones(width) << (unsigned)(wp_lane() & ~(width - 1)));
}

/* Logical masks to the chip's and back. */
WPB_FN WPB_MASK_T wp__phys(wp_mask m) {
#ifdef WP__LOGICAL
  return (WPB_MASK_T)(m << (unsigned)wp__base());
#else
  return m;
#endif
}
WPB_FN wp_mask wp__logical(WPB_MASK_T m) {
#ifdef WP__LOGICAL
  return (wp_mask)((m >> (unsigned)wp__base()) & wp__ones(WARPPORT_WARP_SIZE));
#else
  return m;
#endif
}

/* How many lanes of m are below the caller. */
WPB_FN int wp__count_below(wp_mask m) {
#ifdef WPB_HAS_COUNT_BELOW
  return wpb_count_below(wp__phys(m));
#else
  return wp_mask_count((wp_mask)(m & wp_mask_lt()));
#endif
}

/* M12: the lanes that happen to execute together now. No promise about convergence: it must not decide who takes part. */
WPB_FN wp_mask wp_active_mask(void) { return wp__logical(wpb_active_mask()); }

#endif
