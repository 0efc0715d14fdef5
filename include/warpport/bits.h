/* warpport/bits.h: values as the 32- or 64-bit words in which they travel, and counting bits. */
#ifndef WARPPORT_BITS_H
#define WARPPORT_BITS_H

#include "generic.h"

#define WP__INT_BITS(T, U, S, W, WT) \
  WPB_FN WT wp__to_##W##_##S(T v) { return (WT)(U)v; } \
  WPB_FN T wp__from_##W##_##S(WT w) { return (T)w; }
WP__INT_BITS(wp_i8, wp_u8, i8, word, wp_u32)
WP__INT_BITS(wp_u8, wp_u8, u8, word, wp_u32)
WP__INT_BITS(wp_i16, wp_u16, i16, word, wp_u32)
WP__INT_BITS(wp_u16, wp_u16, u16, word, wp_u32)
WP__INT_BITS(wp_i32, wp_u32, i32, word, wp_u32)
WP__INT_BITS(wp_u32, wp_u32, u32, word, wp_u32)
WP__INT_BITS(wp_i64, wp_u64, i64, dword, wp_u64)
WP__INT_BITS(wp_u64, wp_u64, u64, dword, wp_u64)
#undef WP__INT_BITS

WPB_FN wp_u32 wp__to_word_f32(wp_f32 v) { union { wp_f32 f; wp_u32 u; } x; x.f = v; return x.u; }
WPB_FN wp_f32 wp__from_word_f32(wp_u32 w) { union { wp_f32 f; wp_u32 u; } x; x.u = w; return x.f; }
#ifdef WP_HAS_F64
WPB_FN wp_u64 wp__to_dword_f64(wp_f64 v) { union { wp_f64 f; wp_u64 u; } x; x.f = v; return x.u; }
WPB_FN wp_f64 wp__from_dword_f64(wp_u64 w) { union { wp_f64 f; wp_u64 u; } x; x.u = w; return x.f; }
#endif
#define WP__STRUCT_BITS(T, S, B) \
  WPB_FN wp_u32 wp__to_word_##S(T v) { return v.bits; } \
  WPB_FN T wp__from_word_##S(wp_u32 w) { T v; v.bits = (B)w; return v; }
WP__STRUCT_BITS(wp_f16, f16, wp_u16)
WP__STRUCT_BITS(wp_bf16, bf16, wp_u16)
WP__STRUCT_BITS(wp_f16x2, f16x2, wp_u32)
WP__STRUCT_BITS(wp_bf16x2, bf16x2, wp_u32)
#undef WP__STRUCT_BITS

/* 64-bit values as two words. */
#ifdef WPB_HAS_SPLIT
WPB_FN void wp__split(wp_u64 v, wp_u32 *lo, wp_u32 *hi) { wpb_split_u64(v, lo, hi); }
WPB_FN wp_u64 wp__join(wp_u32 lo, wp_u32 hi) { return wpb_join_u64(lo, hi); }
#else
WPB_FN void wp__split(wp_u64 v, wp_u32 *lo, wp_u32 *hi) {
  *lo = (wp_u32)v;
  *hi = (wp_u32)(v >> 32);
}
WPB_FN wp_u64 wp__join(wp_u32 lo, wp_u32 hi) { return (wp_u64)hi << 32 | lo; }
#endif

/* popcount, number of the lowest and highest set bit; the last two need v != 0. */
#ifdef WPB_HAS_BITCOUNT
WPB_FN int wp__popcount32(wp_u32 v) { return wpb_popcount32(v); }
WPB_FN int wp__popcount64(wp_u64 v) { return wpb_popcount64(v); }
WPB_FN int wp__lowest32(wp_u32 v) { return wpb_lowest32(v); }
WPB_FN int wp__lowest64(wp_u64 v) { return wpb_lowest64(v); }
WPB_FN int wp__highest32(wp_u32 v) { return wpb_highest32(v); }
WPB_FN int wp__highest64(wp_u64 v) { return wpb_highest64(v); }
#else
WPB_FN int wp__popcount32(wp_u32 v) { return __builtin_popcount(v); }
WPB_FN int wp__popcount64(wp_u64 v) { return __builtin_popcountll(v); }
WPB_FN int wp__lowest32(wp_u32 v) { return __builtin_ctz(v); }
WPB_FN int wp__lowest64(wp_u64 v) { return __builtin_ctzll(v); }
WPB_FN int wp__highest32(wp_u32 v) { return 31 - __builtin_clz(v); }
WPB_FN int wp__highest64(wp_u64 v) { return 63 - __builtin_clzll(v); }
#endif

#endif
