/* warpport/sort.h: sorting across the lanes of a mask (spec rows D5, D6). Floats by IEEE 754 totalOrder.
 *
 * Values travel as order-preserving unsigned words. Cost, full warp of 32: bitonic network, 15 exchanges (of key and lane for the
 * stable form of up to 32 bits); any other mask: every lane finds its rank by one exchange for each lane of mask, and its source by
 * a second round. */
#ifndef WARPPORT_SORT_H
#define WARPPORT_SORT_H

#include "reduce.h"

/* PICK(take_small, key, other): a minimum and a maximum by the same condition are one instruction on several chips, for a word. */
#define WP__PICK_WORD(take_small, key, other) ((take_small) ? wp__min_u32(key, other) : wp__max_u32(key, other))
#define WP__PICK_DWORD(take_small, key, other) (((other) < (key)) == (take_small) ? (other) : (key))
#define WP__DEFINE(W, S, WT, PICK) \
  /* full warp */ \
  WPB_FN WT wp__bitonic_##W(WP__MASK mask, WT key) { \
    int size, step; \
    WPB_UNROLL \
    for (size = 2; size <= wp_warp_size(); size <<= 1) { \
      WPB_UNROLL \
      for (step = size >> 1; step > 0; step >>= 1) { \
        WT other = wp_shfl_xor_##S(WP__TO mask, key, step, wp_warp_size()); \
        bool take_small = ((wp_lane() & step) == 0) == ((wp_lane() & size) == 0); \
        key = PICK(take_small, key, other); \
      } \
    } \
    return key; \
  } \
  /* any mask: the lane whose element belongs at the caller's place, equal keys in the order of their lanes */ \
  WPB_FN int wp__sort_source_##W(WP__MASK mask, WT key) { \
    int rank = 0, place = wp__count_below(mask), source = 0; \
    wp_mask left; \
    for (left = mask; WP__ANYONE(mask, left != 0); left = (wp_mask)(left & (wp_mask)(left - 1u))) { \
      int lane = left != 0 ? wp__lowest(left) : wp_lane(); \
      WT other = wp__pull_##W(WP__TO mask, key, lane); \
      rank += left != 0 && (other < key || (other == key && lane < wp_lane())) ? 1 : 0; \
    } \
    for (left = mask; WP__ANYONE(mask, left != 0); left = (wp_mask)(left & (wp_mask)(left - 1u))) { \
      int lane = left != 0 ? wp__lowest(left) : wp_lane(); \
      if ((int)wp__pull_word(WP__TO mask, (wp_u32)rank, lane) == place && left != 0) source = lane; \
    } \
    return source; \
  }
WP__DEFINE(word, u32, wp_u32, WP__PICK_WORD)
WP__DEFINE(dword, u64, wp_u64, WP__PICK_DWORD)
#undef WP__DEFINE

WPB_FN wp_u32 wp__sort_word(WP__MASK mask, wp_u32 key) {
  return WP__FAST(mask == wp_mask_all()) ? wp__bitonic_word(WP__TO mask, key) : wp__pull_word(WP__TO mask, key, wp__sort_source_word(WP__TO mask, key));
}
WPB_FN wp_u64 wp__sort_dword(WP__MASK mask, wp_u64 key) {
  return WP__FAST(mask == wp_mask_all()) ? wp__bitonic_dword(WP__TO mask, key) : wp__pull_dword(WP__TO mask, key, wp__sort_source_dword(WP__TO mask, key));
}
WPB_FN int wp__sort_lane_word(WP__MASK mask, wp_u32 key) {
  if (WP__FAST(mask == wp_mask_all())) return (int)(wp_u32)wp__bitonic_dword(WP__TO mask, (wp_u64)key << 32 | (wp_u32)wp_lane());
  return wp__sort_source_word(WP__TO mask, key);
}
WPB_FN int wp__sort_lane_dword(WP__MASK mask, wp_u64 key) { return wp__sort_source_dword(WP__TO mask, key); }

/* D5, D6 */
#define WP__DEFINE(T, S, W) \
  WPB_FN T wp_sort_##S(WP__MASK mask, WPB_ANY T v) { return wp__unorder_##S(wp__sort_##W(WP__TO mask, wp__order_##S(v))); } \
  WPB_FN int wp_sort_lane_##S(WP__MASK mask, WPB_ANY T v) { return wp__sort_lane_##W(WP__TO mask, wp__order_##S(v)); }
WP__TYPES_ORDERED(WP__DEFINE)
#undef WP__DEFINE

#if WP__OVERLOADS
#define WP__DEFINE(T, S) \
  WPB_FN WP__OVERLOAD T wp_sort(WP__MASK mask, WPB_ANY T v) { return WP__AS(T) WP__CAT(wp_sort_, S)(WP__TO mask, v); } \
  WPB_FN WP__OVERLOAD int wp_sort_lane(WP__MASK mask, WPB_ANY T v) { return WP__CAT(wp_sort_lane_, S)(WP__TO mask, v); }
WP__NAMES_ORDERED(WP__DEFINE)
#undef WP__DEFINE
#elif WP__LANG_C11
#define wp_sort(mask, v) WP__GENERIC_ORDERED(v, wp_sort)(mask, v)
#define wp_sort_lane(mask, v) WP__GENERIC_ORDERED(v, wp_sort_lane)(mask, v)
#endif

#endif
