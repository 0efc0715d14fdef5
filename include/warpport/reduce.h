/* warpport/reduce.h: one value from all lanes of a mask (spec rows R1-R5).
 *
 * The result is in every lane of mask, by the fixed butterfly of the specification, so a float sum has the same bits everywhere.
 *
 * Cost, full warp of 32, 32-bit values: 5 exchanges and 5 operations. Where the chip reduces 32-bit integers itself (NVIDIA from
 * sm_80) one instruction, for any mask; 64-bit sums three (limbs of 16, 16, 32 bits), 64-bit min and max two, and float min and
 * max one on order-preserving integers. Masks with holes, without that: 5 exchanges and about 12 integer operations each. */
#ifndef WARPPORT_REDUCE_H
#define WARPPORT_REDUCE_H

#include "combine.h"

/* wp__reduce_<op>_<type>(mask, v, width, dense): mask lies in the caller's segment of width; dense: it is all of it. */
#define WP__BY_TREE(op, T, S) \
  WPB_FN T wp__reduce_##op##_##S(WP__MASK mask, WPB_ANY T v, int width, bool dense) { return wp__butterfly_##op##_##S(WP__TO mask, v, width, dense); }

#ifdef WPB_HAS_REDUCE32 /* the chip reduces 32-bit integers, over any mask */
#define WP__BODY(op, T, S, result) \
  WPB_FN T wp__reduce_##op##_##S(WP__MASK mask, WPB_ANY T v, int width, bool dense) { \
    WPB_MASK_T m = wp__phys(mask); \
    (void)width; \
    (void)dense; \
    result \
  }
#define WP__BY_CHIP(op, T, S) WP__BODY(op, T, S, return wpb_reduce_##op##_##S(WP__TO m, v);)
WP__BY_CHIP(add, wp_u32, u32) WP__BY_CHIP(min, wp_u32, u32) WP__BY_CHIP(max, wp_u32, u32) WP__BY_CHIP(min, wp_i32, i32)
WP__BY_CHIP(max, wp_i32, i32) WP__BY_CHIP(and, wp_u32, u32) WP__BY_CHIP(or, wp_u32, u32) WP__BY_CHIP(xor, wp_u32, u32)
#undef WP__BY_CHIP
/* 64-bit sum: the sums of 16-bit limbs of up to 64 lanes fit in 32 bits; the top limb wraps as it should. */
WP__BODY(add, wp_u64, u64,
  wp_u32 low = wpb_reduce_add_u32(WP__TO m, (wp_u32)v & 0xffffu);
  wp_u32 middle = wpb_reduce_add_u32(WP__TO m, (wp_u32)v >> 16);
  wp_u32 high = wpb_reduce_add_u32(WP__TO m, (wp_u32)(v >> 32));
  return ((wp_u64)high << 32) + ((wp_u64)middle << 16) + low;)
#define WP__BY_HALVES(op) \
  WP__BODY(op, wp_u64, u64, wp_u32 low = wpb_reduce_##op##_u32(WP__TO m, (wp_u32)v); \
           return (wp_u64)wpb_reduce_##op##_u32(WP__TO m, (wp_u32)(v >> 32)) << 32 | low;)
WP__BY_HALVES(and) WP__BY_HALVES(or) WP__BY_HALVES(xor)
#undef WP__BY_HALVES
/* 64-bit min and max: the high word, then the low word among the lanes that hold that high word. */
#define WP__BY_WORDS(op, worst) \
  WP__BODY(op, wp_u64, u64, wp_u32 high = wpb_reduce_##op##_u32(WP__TO m, (wp_u32)(v >> 32)); \
           wp_u32 low = wpb_reduce_##op##_u32(WP__TO m, (wp_u32)(v >> 32) == high ? (wp_u32)v : worst); return (wp_u64)high << 32 | low;)
WP__BY_WORDS(min, 0xffffffffu)
WP__BY_WORDS(max, 0u)
#undef WP__BY_WORDS
/* Other ordered types through the order-preserving map onto unsigned words. */
#define WP__BY_ORDER(op, T, S, C) \
  WPB_FN T wp__reduce_##op##_##S(WP__MASK mask, WPB_ANY T v, int width, bool dense) { \
    return wp__unorder_##S(wp__reduce_##op##_##C(WP__TO mask, wp__order_##op##_##S(v), width, dense)); \
  }
#define WP__DEFINE(op) \
  WP__BY_ORDER(op, wp_i64, i64, u64) WP__BY_ORDER(op, wp_f32, f32, u32) WP__ONLY_F64(WP__BY_ORDER(op, wp_f64, f64, u64)) \
  WP__BY_ORDER(op, wp_f16, f16, u32) WP__BY_ORDER(op, wp_bf16, bf16, u32) WP__BY_TREE(op, wp_f16x2, f16x2) \
  WP__BY_TREE(op, wp_bf16x2, bf16x2)
WP__DEFINE(min)
WP__DEFINE(max)
#undef WP__DEFINE
#undef WP__BY_ORDER
#undef WP__BODY
#define WP__DEFINE(op) \
  WP__BY_TREE(op, wp_f32, f32) WP__ONLY_F64(WP__BY_TREE(op, wp_f64, f64)) WP__BY_TREE(op, wp_f16, f16) \
  WP__BY_TREE(op, wp_bf16, bf16) WP__BY_TREE(op, wp_f16x2, f16x2) WP__BY_TREE(op, wp_bf16x2, bf16x2)
WP__DEFINE(add)
WP__DEFINE(mul)
#undef WP__DEFINE
WP__BY_TREE(mul, wp_u32, u32)
WP__BY_TREE(mul, wp_u64, u64)
#else
WP__CORES(WP__BY_TREE)
#endif
#undef WP__BY_TREE

/* R1-R3: wp_reduce_add_f32(mask, v) and so on. */
#define WP__DEFINE(op, T, S, C) \
  WPB_FN T wp_reduce_##op##_##S(WP__MASK mask, WPB_ANY T v) { \
    return (T)wp__reduce_##op##_##C(WP__TO mask, (WP__CAT(wp_, C))v, wp_warp_size(), mask == wp_mask_all()); \
  }
WP__VIA_INT(WP__DEFINE)
#undef WP__DEFINE
#define WP__DEFINE(op, T, S, C) \
  WPB_FN T wp_reduce_##op##_##S(WP__MASK mask, WPB_ANY T v) { \
    return wp__reduce_##op##_##C(WP__TO mask, v, wp_warp_size(), mask == wp_mask_all()); \
  }
WP__VIA_FLOAT(WP__DEFINE)
#undef WP__DEFINE

/* R4: the lane of the extreme value; the lowest such lane. */
#define WP__ARG(op, T, S, W) \
  WPB_FN int wp_reduce_arg##op##_##S(WP__MASK mask, WPB_ANY T v) { \
    WP__CAT(WP__TYPE_, W) key = wp__order_##op##_##S(v); \
    return wp__lowest(wp_ballot(WP__TO mask, key == wp__reduce_##op##_##W(WP__TO mask, key))); \
  }
WPB_FN wp_u32 wp__reduce_min_word(WP__MASK mask, wp_u32 key) { return wp_reduce_min_u32(WP__TO mask, key); }
WPB_FN wp_u32 wp__reduce_max_word(WP__MASK mask, wp_u32 key) { return wp_reduce_max_u32(WP__TO mask, key); }
WPB_FN wp_u64 wp__reduce_min_dword(WP__MASK mask, wp_u64 key) { return wp_reduce_min_u64(WP__TO mask, key); }
WPB_FN wp_u64 wp__reduce_max_dword(WP__MASK mask, wp_u64 key) { return wp_reduce_max_u64(WP__TO mask, key); }
#define WP__DEFINE(T, S, W) WP__ARG(min, T, S, W) WP__ARG(max, T, S, W)
WP__DEFINE(wp_f32, f32, word)
WP__ONLY_F64(WP__DEFINE(wp_f64, f64, dword))
WP__DEFINE(wp_f16, f16, word)
WP__DEFINE(wp_bf16, bf16, word)
#undef WP__DEFINE
#undef WP__ARG
/* Integers need no map. */
#define WP__DEFINE(T, S, W) \
  WPB_FN int wp_reduce_argmin_##S(WP__MASK mask, WPB_ANY T v) { \
    return wp__lowest(wp_ballot(WP__TO mask, v == wp_reduce_min_##S(WP__TO mask, v))); \
  } \
  WPB_FN int wp_reduce_argmax_##S(WP__MASK mask, WPB_ANY T v) { \
    return wp__lowest(wp_ballot(WP__TO mask, v == wp_reduce_max_##S(WP__TO mask, v))); \
  }
WP__TYPES_INT(WP__DEFINE)
#undef WP__DEFINE

/* R5: WP_DEFINE_REDUCE(name, T, expr) defines T name(wp_mask mask, T v), which combines a (left) and b (right) by expr.
 * T: an element type or a trivially copyable struct without padding. expr must be associative for the result to mean anything;
 * it need not be commutative. At file scope, without a semicolon:
 *     WP_DEFINE_REDUCE(reduce_gcd, wp_u32, gcd(a, b)) */
#define WP__USER_EXCHANGE(name, T) \
  WPB_FN T name##__pull(WP__MASK mask, WPB_ANY T v, int src) { \
    wp_u32 w[(sizeof(T) + 3) / 4] = {0}; \
    int i; \
    WPB_MEMCPY(w, &v, sizeof(T)); \
    WPB_UNROLL \
    for (i = 0; i < (int)(sizeof w / 4); i++) w[i] = wp__pull_word(WP__TO mask, w[i], src); \
    WPB_MEMCPY(&v, w, sizeof(T)); \
    return v; \
  } \
  WP__USER_FAST(name, T)
#ifndef WPB_HAS_NEIGHBOUR
#define WP__USER_FAST(name, T) \
  WPB_FN T name##__xor(WP__MASK mask, WPB_ANY T v, int b, int width) { return name##__pull(WP__TO mask, v, wp__source_xor(b, width)); } \
  WPB_FN T name##__up(WP__MASK mask, WPB_ANY T v, int d, int width) { return name##__pull(WP__TO mask, v, wp__source_up(d, width)); }
#else
#define WP__USER_WORDS(name, T, parameters, word) \
  WPB_FN T name parameters { \
    wp_u32 w[(sizeof(T) + 3) / 4] = {0}; \
    int i; \
    WPB_MEMCPY(w, &v, sizeof(T)); \
    WPB_UNROLL \
    for (i = 0; i < (int)(sizeof w / 4); i++) w[i] = word; \
    WPB_MEMCPY(&v, w, sizeof(T)); \
    return v; \
  }
#ifdef WPB_HAS_CARRY
#define WP__USER_CARRY(name, T) WP__USER_WORDS(name##__carry, T, (T v, int b), wp__carry_word(w[i], b))
#else
#define WP__USER_CARRY(name, T)
#endif
#define WP__USER_FAST(name, T) \
  WP__USER_WORDS(name##__xor, T, (wp_mask mask, T v, int b, int width), ((void)mask, (void)width, wp__near_word(w[i], b))) \
  WP__USER_WORDS(name##__up, T, (wp_mask mask, T v, int d, int width), wp__up_word(mask, w[i], d, width)) \
  WP__USER_WORDS(name##__last, T, (wp_mask mask, T v, int lane, int width), wp__broadcast_word(mask, w[i], lane, width)) \
  WP__USER_CARRY(name, T)
#endif
#define WP__USER_TREES(name, T, expr) \
  WP__USER_EXCHANGE(name, T) \
  WPB_FN T name##__op(T a, T b) { return expr; } \
  WP__TREES(name, T, name##__pull, name##__xor, name##__up, name##__carry, name##__last, name##__op, WP__SIDE, WP__PREFIX_TREE)
#define WP_DEFINE_REDUCE(name, T, expr) \
  WP__USER_TREES(name, T, expr) \
  WPB_FN T name(WP__MASK mask, WPB_ANY T v) { return wp__butterfly_##name(WP__TO mask, v, wp_warp_size(), mask == wp_mask_all()); }

#if WP__OVERLOADS
#define WP__ONE(op, T, S) \
  WPB_FN WP__OVERLOAD T wp_reduce_##op(WP__MASK mask, WPB_ANY T v) { return WP__AS(T) WP__CAT(wp_reduce_##op##_, S)(WP__TO mask, v); }
#define WP__DEFINE(T, S) WP__ONE(add, T, S) WP__ONE(mul, T, S) WP__ONE(min, T, S) WP__ONE(max, T, S)
WP__NAMES(WP__DEFINE)
#undef WP__DEFINE
#define WP__DEFINE(T, S) WP__ONE(and, T, S) WP__ONE(or, T, S) WP__ONE(xor, T, S)
WP__NAMES_INT(WP__DEFINE)
#undef WP__DEFINE
#undef WP__ONE
#define WP__DEFINE(T, S) \
  WPB_FN WP__OVERLOAD int wp_reduce_argmin(WP__MASK mask, WPB_ANY T v) { return WP__CAT(wp_reduce_argmin_, S)(WP__TO mask, v); } \
  WPB_FN WP__OVERLOAD int wp_reduce_argmax(WP__MASK mask, WPB_ANY T v) { return WP__CAT(wp_reduce_argmax_, S)(WP__TO mask, v); }
WP__NAMES_ORDERED(WP__DEFINE)
#undef WP__DEFINE
#elif WP__LANG_C11
#define wp_reduce_add(mask, v) WP__GENERIC(v, wp_reduce_add)(mask, v)
#define wp_reduce_mul(mask, v) WP__GENERIC(v, wp_reduce_mul)(mask, v)
#define wp_reduce_min(mask, v) WP__GENERIC(v, wp_reduce_min)(mask, v)
#define wp_reduce_max(mask, v) WP__GENERIC(v, wp_reduce_max)(mask, v)
#define wp_reduce_and(mask, v) WP__GENERIC_INT(v, wp_reduce_and)(mask, v)
#define wp_reduce_or(mask, v) WP__GENERIC_INT(v, wp_reduce_or)(mask, v)
#define wp_reduce_xor(mask, v) WP__GENERIC_INT(v, wp_reduce_xor)(mask, v)
#define wp_reduce_argmin(mask, v) WP__GENERIC_ORDERED(v, wp_reduce_argmin)(mask, v)
#define wp_reduce_argmax(mask, v) WP__GENERIC_ORDERED(v, wp_reduce_argmax)(mask, v)
#endif

#endif
