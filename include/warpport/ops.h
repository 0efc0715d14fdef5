/* warpport/ops.h: the scalar operators that reductions and scans combine with, their identities, and the order of values.
 *
 * Integers wrap. min and max ignore a NaN unless both are, and -0 < +0 (IEEE 754-2019 minimumNumber, maximumNumber). */
#ifndef WARPPORT_OPS_H
#define WARPPORT_OPS_H

#include "half.h"

/* ---- add, mul, and, or, xor ---- */

#define WP__DEFINE(T, S) \
  WPB_FN T wp__add_##S(T a, T b) { WPB_NO_CONTRACT return a + b; } \
  WPB_FN T wp__mul_##S(T a, T b) { WPB_NO_CONTRACT return a * b; }
WP__DEFINE(wp_u32, u32)
WP__DEFINE(wp_u64, u64)
WP__DEFINE(wp_f32, f32)
#ifdef WP_HAS_F64
WP__DEFINE(wp_f64, f64)
#endif
#undef WP__DEFINE

#define WP__DEFINE(T, S) \
  WPB_FN T wp__and_##S(T a, T b) { return a & b; } \
  WPB_FN T wp__or_##S(T a, T b) { return a | b; } \
  WPB_FN T wp__xor_##S(T a, T b) { return a ^ b; }
WP__DEFINE(wp_u32, u32)
WP__DEFINE(wp_u64, u64)
#undef WP__DEFINE

/* ---- min, max ---- */

#define WP__DEFINE(T, S) \
  WPB_FN T wp__min_##S(T a, T b) { return b < a ? b : a; } \
  WPB_FN T wp__max_##S(T a, T b) { return a < b ? b : a; }
WP__DEFINE(wp_i32, i32)
WP__DEFINE(wp_u32, u32)
WP__DEFINE(wp_i64, i64)
WP__DEFINE(wp_u64, u64)
#undef WP__DEFINE

/* Equal values differ at most in the sign of a zero: or-ing the bits finds -0, and-ing them +0. */
#define WP__DEFINE(T, S, W) \
  WPB_FN T wp__portable_min_##S(T a, T b) { \
    if (a < b || b != b) return a; \
    if (b < a || a != a) return b; \
    return wp__from_##W##_##S(wp__to_##W##_##S(a) | wp__to_##W##_##S(b)); \
  } \
  WPB_FN T wp__portable_max_##S(T a, T b) { \
    if (b < a || b != b) return a; \
    if (a < b || a != a) return b; \
    return wp__from_##W##_##S(wp__to_##W##_##S(a) & wp__to_##W##_##S(b)); \
  }
#ifndef WPB_HAS_MINMAX_F32
WP__DEFINE(wp_f32, f32, word)
#define wpb_min_f32 wp__portable_min_f32
#define wpb_max_f32 wp__portable_max_f32
#endif
#if defined(WP_HAS_F64) && !defined(WPB_HAS_MINMAX_F64)
WP__DEFINE(wp_f64, f64, dword)
#define wpb_min_f64 wp__portable_min_f64
#define wpb_max_f64 wp__portable_max_f64
#endif
#undef WP__DEFINE
WPB_FN wp_f32 wp__min_f32(wp_f32 a, wp_f32 b) { return wpb_min_f32(a, b); }
WPB_FN wp_f32 wp__max_f32(wp_f32 a, wp_f32 b) { return wpb_max_f32(a, b); }
#ifdef WP_HAS_F64
WPB_FN wp_f64 wp__min_f64(wp_f64 a, wp_f64 b) { return wpb_min_f64(a, b); }
WPB_FN wp_f64 wp__max_f64(wp_f64 a, wp_f64 b) { return wpb_max_f64(a, b); }
#endif

/* ---- 16-bit types: in binary32, rounded once; packed pairs element by element ---- */

#define WP__HALF_OP(op, T, S) \
  WPB_FN T wp__##op##_##S(T a, T b) { return wp_##S##_from_f32(wp__##op##_f32(wp_f32_from_##S(a), wp_f32_from_##S(b))); }
#define WP__PAIR_OP(op, P, S) \
  WPB_FN P wp__##op##_##S##x2(P a, P b) { \
    return P##_make(wp__##op##_##S(P##_get(a, 0), P##_get(b, 0)), wp__##op##_##S(P##_get(a, 1), P##_get(b, 1))); \
  }
#define WP__BOTH(op, S) WP__HALF_OP(op, wp_##S, S) WP__PAIR_OP(op, wp_##S##x2, S)
/* The chip's own: wpb_add_f16(bits, bits), wpb_add_f16x2(bits, bits). */
#define WP__CHIP_OP(op, T, S) \
  WPB_FN T wp__##op##_##S(T a, T b) { \
    T r; \
    r.bits = wpb_##op##_##S(a.bits, b.bits); \
    return r; \
  }
#define WP__CHIP_BOTH(op, S) WP__CHIP_OP(op, wp_##S, S) WP__CHIP_OP(op, wp_##S##x2, S##x2)
#ifdef WPB_HAS_ARITH_F16
WP__CHIP_BOTH(add, f16) WP__CHIP_BOTH(mul, f16)
#else
WP__BOTH(add, f16) WP__BOTH(mul, f16)
#endif
#ifdef WPB_HAS_ARITH_BF16
WP__CHIP_BOTH(add, bf16) WP__CHIP_BOTH(mul, bf16)
#else
WP__BOTH(add, bf16) WP__BOTH(mul, bf16)
#endif
#ifdef WPB_HAS_MINMAX_F16
WP__CHIP_BOTH(min, f16) WP__CHIP_BOTH(max, f16)
#else
WP__BOTH(min, f16) WP__BOTH(max, f16)
#endif
#ifdef WPB_HAS_MINMAX_BF16
WP__CHIP_BOTH(min, bf16) WP__CHIP_BOTH(max, bf16)
#else
WP__BOTH(min, bf16) WP__BOTH(max, bf16)
#endif
#undef WP__CHIP_BOTH
#undef WP__CHIP_OP
#undef WP__BOTH
#undef WP__HALF_OP
#undef WP__PAIR_OP

/* ---- identities: what an exclusive scan gives its first lane ---- */

#define WP__DEFINE(T, S, lowest, highest) \
  WPB_FN T wp__identity_add_##S(void) { return 0; } \
  WPB_FN T wp__identity_mul_##S(void) { return 1; } \
  WPB_FN T wp__identity_min_##S(void) { return highest; } \
  WPB_FN T wp__identity_max_##S(void) { return lowest; } \
  WPB_FN T wp__identity_and_##S(void) { return (T) ~(T)0; } \
  WPB_FN T wp__identity_or_##S(void) { return 0; } \
  WPB_FN T wp__identity_xor_##S(void) { return 0; }
WP__DEFINE(wp_i8, i8, -127 - 1, 127)
WP__DEFINE(wp_u8, u8, 0, 255)
WP__DEFINE(wp_i16, i16, -32767 - 1, 32767)
WP__DEFINE(wp_u16, u16, 0, 65535)
WP__DEFINE(wp_i32, i32, -2147483647 - 1, 2147483647)
WP__DEFINE(wp_u32, u32, 0, 0xffffffffu)
WP__DEFINE(wp_i64, i64, (wp_i64)((wp_u64)1 << 63), (wp_i64)(((wp_u64)1 << 63) - 1))
WP__DEFINE(wp_u64, u64, 0, ~(wp_u64)0)
#undef WP__DEFINE
#define WP__DEFINE(T, S, W, zero, one, inf, minus_inf) \
  WPB_FN T wp__identity_add_##S(void) { return wp__from_##W##_##S(zero); } \
  WPB_FN T wp__identity_mul_##S(void) { return wp__from_##W##_##S(one); } \
  WPB_FN T wp__identity_min_##S(void) { return wp__from_##W##_##S(inf); } \
  WPB_FN T wp__identity_max_##S(void) { return wp__from_##W##_##S(minus_inf); }
WP__DEFINE(wp_f32, f32, word, 0x80000000u, 0x3f800000u, 0x7f800000u, 0xff800000u)
#ifdef WP_HAS_F64
WP__DEFINE(wp_f64, f64, dword, (wp_u64)1 << 63, (wp_u64)0x3ff << 52, (wp_u64)0x7ff << 52, (wp_u64)0xfff << 52)
#endif
WP__DEFINE(wp_f16, f16, word, 0x8000u, 0x3c00u, 0x7c00u, 0xfc00u)
WP__DEFINE(wp_bf16, bf16, word, 0x8000u, 0x3f80u, 0x7f80u, 0xff80u)
WP__DEFINE(wp_f16x2, f16x2, word, 0x80008000u, 0x3c003c00u, 0x7c007c00u, 0xfc00fc00u)
WP__DEFINE(wp_bf16x2, bf16x2, word, 0x80008000u, 0x3f803f80u, 0x7f807f80u, 0xff80ff80u)
#undef WP__DEFINE

/* ---- order: unsigned words that compare as the values do; for floats IEEE 754 totalOrder ---- */

#define WP__DEFINE(T, S, WT, bias) \
  WPB_FN WT wp__order_##S(T v) { return (WT)v ^ (bias); } \
  WPB_FN T wp__unorder_##S(WT k) { return (T)(k ^ (bias)); } \
  WPB_FN bool wp__is_nan_##S(T v) { (void)v; return false; }
WP__DEFINE(wp_i8, i8, wp_u32, 0x80000000u)
WP__DEFINE(wp_u8, u8, wp_u32, 0u)
WP__DEFINE(wp_i16, i16, wp_u32, 0x80000000u)
WP__DEFINE(wp_u16, u16, wp_u32, 0u)
WP__DEFINE(wp_i32, i32, wp_u32, 0x80000000u)
WP__DEFINE(wp_u32, u32, wp_u32, 0u)
WP__DEFINE(wp_i64, i64, wp_u64, (wp_u64)1 << 63)
WP__DEFINE(wp_u64, u64, wp_u64, (wp_u64)0)
#undef WP__DEFINE
#define WP__DEFINE(T, S, W, WT, sign, all, inf) \
  WPB_FN WT wp__order_##S(T v) { WT b = wp__to_##W##_##S(v); return (b & (sign)) != 0 ? b ^ (all) : b | (sign); } \
  WPB_FN T wp__unorder_##S(WT k) { return wp__from_##W##_##S((k & (sign)) != 0 ? k ^ (sign) : k ^ (all)); } \
  WPB_FN bool wp__is_nan_##S(T v) { return (wp__to_##W##_##S(v) & ((all) ^ (sign))) > (inf); }
WP__DEFINE(wp_f32, f32, word, wp_u32, 0x80000000u, 0xffffffffu, 0x7f800000u)
#ifdef WP_HAS_F64
WP__DEFINE(wp_f64, f64, dword, wp_u64, (wp_u64)1 << 63, ~(wp_u64)0, (wp_u64)0x7ff << 52)
#endif
WP__DEFINE(wp_f16, f16, word, wp_u32, 0x8000u, 0xffffu, 0x7c00u)
WP__DEFINE(wp_bf16, bf16, word, wp_u32, 0x8000u, 0xffffu, 0x7f80u)
#undef WP__DEFINE

/* The same with NaN last: for min above everything, for max below. Both ends decode to a NaN. */
WPB_FN wp_u32 wp__order_min_f32(wp_f32 v) { return wp__is_nan_f32(v) ? 0xffffffffu : wp__order_f32(v); }
WPB_FN wp_u32 wp__order_max_f32(wp_f32 v) { return wp__is_nan_f32(v) ? 0u : wp__order_f32(v); }
#ifdef WP_HAS_F64
WPB_FN wp_u64 wp__order_min_f64(wp_f64 v) { return wp__is_nan_f64(v) ? ~(wp_u64)0 : wp__order_f64(v); }
WPB_FN wp_u64 wp__order_max_f64(wp_f64 v) { return wp__is_nan_f64(v) ? (wp_u64)0 : wp__order_f64(v); }
#endif
#define WP__DEFINE(T, S) \
  WPB_FN wp_u32 wp__order_min_##S(T v) { return wp__is_nan_##S(v) ? 0xffffu : wp__order_##S(v); } \
  WPB_FN wp_u32 wp__order_max_##S(T v) { return wp__is_nan_##S(v) ? 0u : wp__order_##S(v); }
WP__DEFINE(wp_f16, f16)
WP__DEFINE(wp_bf16, bf16)
#undef WP__DEFINE
#define WP__DEFINE(T, S, W) \
  WPB_FN WP__CAT(WP__TYPE_, W) wp__order_min_##S(T v) { return wp__order_##S(v); } \
  WPB_FN WP__CAT(WP__TYPE_, W) wp__order_max_##S(T v) { return wp__order_##S(v); }
#define WP__TYPE_word wp_u32
#define WP__TYPE_dword wp_u64
WP__TYPES_INT(WP__DEFINE)
#undef WP__DEFINE

#endif
