/* warpport/scan.h: running totals over the lanes of a mask (spec rows C1-C4).
 *
 * Cost, full warp of 32, 32-bit values: 5 exchanges, 5 selects and operations; exclusive and segmented forms one exchange or ballot
 * more. A mask that is a prefix (the usual tail warp) costs the same. Masks with holes: about 16 + 2 log2(width) exchanges. */
#ifndef WARPPORT_SCAN_H
#define WARPPORT_SCAN_H

#include "reduce.h"

/* C1 inclusive, C2 exclusive, C3 segmented: wp_scan_add_f32(mask, v), wp_scan_add_excl_f32(mask, v), wp_scan_add_seg_f32(mask, v, head) */
#define WP__DEFINE(op, T, S, C) \
  WPB_FN T wp_scan_##op##_##S(WP__MASK mask, WPB_ANY T v) { \
    return (T)wp__scan_##op##_##C(WP__TO mask, (WP__CAT(wp_, C))v, wp_warp_size(), wp__is_prefix(mask)); \
  } \
  WPB_FN T wp_scan_##op##_excl_##S(WP__MASK mask, WPB_ANY T v) { \
    return (T)wp__scan_excl_##op##_##C(WP__TO mask, (WP__CAT(wp_, C))v, wp_warp_size(), wp__is_prefix(mask), \
                                       (WP__CAT(wp_, C))wp__identity_##op##_##S()); \
  } \
  WPB_FN T wp_scan_##op##_seg_##S(WP__MASK mask, WPB_ANY T v, bool head) { \
    return (T)wp__scan_seg_##op##_##C(WP__TO mask, (WP__CAT(wp_, C))v, head); \
  }
WP__VIA_INT(WP__DEFINE)
#undef WP__DEFINE
#define WP__DEFINE(op, T, S, C) \
  WPB_FN T wp_scan_##op##_##S(WP__MASK mask, WPB_ANY T v) { \
    return wp__scan_##op##_##C(WP__TO mask, v, wp_warp_size(), wp__is_prefix(mask)); \
  } \
  WPB_FN T wp_scan_##op##_excl_##S(WP__MASK mask, WPB_ANY T v) { \
    return wp__scan_excl_##op##_##C(WP__TO mask, v, wp_warp_size(), wp__is_prefix(mask), wp__identity_##op##_##S()); \
  } \
  WPB_FN T wp_scan_##op##_seg_##S(WP__MASK mask, WPB_ANY T v, bool head) { return wp__scan_seg_##op##_##C(WP__TO mask, v, head); }
WP__VIA_FLOAT(WP__DEFINE)
#undef WP__DEFINE

/* C4: WP_DEFINE_SCAN(name, T, expr) defines T name(mask, v) and T name_excl(mask, v, identity); see WP_DEFINE_REDUCE. */
#define WP_DEFINE_SCAN(name, T, expr) \
  WP__USER_TREES(name, T, expr) \
  WPB_FN T name(WP__MASK mask, WPB_ANY T v) { return wp__scan_##name(WP__TO mask, v, wp_warp_size(), wp__is_prefix(mask)); } \
  WPB_FN T name##_excl(WP__MASK mask, WPB_ANY T v, T identity) { \
    return wp__scan_excl_##name(WP__TO mask, v, wp_warp_size(), wp__is_prefix(mask), identity); \
  }

#if WP__OVERLOADS
#define WP__ONE(op, T, S) \
  WPB_FN WP__OVERLOAD T wp_scan_##op(WP__MASK mask, WPB_ANY T v) { return WP__AS(T) WP__CAT(wp_scan_##op##_, S)(WP__TO mask, v); } \
  WPB_FN WP__OVERLOAD T wp_scan_##op##_excl(WP__MASK mask, WPB_ANY T v) { return WP__AS(T) WP__CAT(wp_scan_##op##_excl_, S)(WP__TO mask, v); } \
  WPB_FN WP__OVERLOAD T wp_scan_##op##_seg(WP__MASK mask, WPB_ANY T v, bool head) { return WP__AS(T) WP__CAT(wp_scan_##op##_seg_, S)(WP__TO mask, v, head); }
#define WP__DEFINE(T, S) WP__ONE(add, T, S) WP__ONE(mul, T, S) WP__ONE(min, T, S) WP__ONE(max, T, S)
WP__NAMES(WP__DEFINE)
#undef WP__DEFINE
#define WP__DEFINE(T, S) WP__ONE(and, T, S) WP__ONE(or, T, S) WP__ONE(xor, T, S)
WP__NAMES_INT(WP__DEFINE)
#undef WP__DEFINE
#undef WP__ONE
#elif WP__LANG_C11
#define wp_scan_add(mask, v) WP__GENERIC(v, wp_scan_add)(mask, v)
#define wp_scan_mul(mask, v) WP__GENERIC(v, wp_scan_mul)(mask, v)
#define wp_scan_min(mask, v) WP__GENERIC(v, wp_scan_min)(mask, v)
#define wp_scan_max(mask, v) WP__GENERIC(v, wp_scan_max)(mask, v)
#define wp_scan_and(mask, v) WP__GENERIC_INT(v, wp_scan_and)(mask, v)
#define wp_scan_or(mask, v) WP__GENERIC_INT(v, wp_scan_or)(mask, v)
#define wp_scan_xor(mask, v) WP__GENERIC_INT(v, wp_scan_xor)(mask, v)
#define wp_scan_add_excl(mask, v) WP__GENERIC(v, wp_scan_add_excl)(mask, v)
#define wp_scan_mul_excl(mask, v) WP__GENERIC(v, wp_scan_mul_excl)(mask, v)
#define wp_scan_min_excl(mask, v) WP__GENERIC(v, wp_scan_min_excl)(mask, v)
#define wp_scan_max_excl(mask, v) WP__GENERIC(v, wp_scan_max_excl)(mask, v)
#define wp_scan_and_excl(mask, v) WP__GENERIC_INT(v, wp_scan_and_excl)(mask, v)
#define wp_scan_or_excl(mask, v) WP__GENERIC_INT(v, wp_scan_or_excl)(mask, v)
#define wp_scan_xor_excl(mask, v) WP__GENERIC_INT(v, wp_scan_xor_excl)(mask, v)
#define wp_scan_add_seg(mask, v, head) WP__GENERIC(v, wp_scan_add_seg)(mask, v, head)
#define wp_scan_mul_seg(mask, v, head) WP__GENERIC(v, wp_scan_mul_seg)(mask, v, head)
#define wp_scan_min_seg(mask, v, head) WP__GENERIC(v, wp_scan_min_seg)(mask, v, head)
#define wp_scan_max_seg(mask, v, head) WP__GENERIC(v, wp_scan_max_seg)(mask, v, head)
#define wp_scan_and_seg(mask, v, head) WP__GENERIC_INT(v, wp_scan_and_seg)(mask, v, head)
#define wp_scan_or_seg(mask, v, head) WP__GENERIC_INT(v, wp_scan_or_seg)(mask, v, head)
#define wp_scan_xor_seg(mask, v, head) WP__GENERIC_INT(v, wp_scan_xor_seg)(mask, v, head)
#endif

#endif
