/* warpport/combine.h: the two combining trees of the specification, for any type and operator.
 *
 * Reductions and scans of the library, of tiles, and of WP_DEFINE_REDUCE / WP_DEFINE_SCAN are instances of WP__TREES.
 * Fast form: all lanes of the segment take part (or, for scans, a prefix of it). General form: any mask; an absent lane
 * contributes nothing, and the exchanges are arranged so that no lane outside the mask is ever read. Both forms evaluate the same
 * tree, so the bits are equal. Which form runs is decided by the mask, which is the same in all lanes that take part. */
#ifndef WARPPORT_COMBINE_H
#define WARPPORT_COMBINE_H

#include "match.h"
#include "ops.h"

/* mask is contiguous from lane 0: a scan needs no lane that is absent. */
WPB_FN bool wp__is_prefix(wp_mask mask) { return (mask & (wp_mask)(mask + 1u)) == 0; }

/* The highest of the lanes heads up to lane last, 0 if there is none: where the segment of that lane begins. */
WPB_FN int wp__segment_start(wp_mask heads, int last) { return wp__highest((wp_mask)((heads & wp__ones(last + 1)) | 1u)); }

/* A source where a lane needs one, the caller itself where it does not. On chips where that is no matter (WPB_HAS_LOOSE) the source is
 * left alone, so that it can be a constant. */
#ifdef WPB_HAS_LOOSE
#define WP__HARMLESS(needed, lane) (lane)
#else
#define WP__HARMLESS(needed, lane) ((needed) ? (lane) : wp_lane())
#endif
#define WP__SIDE(b) ((wp_lane() & (b)) != 0)
#define WP__NO_SIDE(b) false

/* Chips with rows of 16 lanes (docs/backend_contract.md: NEIGHBOUR, CARRY, SCAN_STEP) have cheaper exchanges for the fast forms.
 *
 * near(v, b): where every lane of an aligned block of b lanes holds the same v, that of the neighbouring block; else the same by xor.
 * carry(v, b), b = 16, 32: the last lanes of a block of 2b lanes get what the last lane of its first half holds; other lanes anything,
 * so that only the last lane of the segment ends up right. */
#ifdef WPB_HAS_NEIGHBOUR
WPB_FN wp_u32 wp__near_word(wp_u32 v, int b) { return wpb_neighbour_u32(v, b); }
WPB_FN wp_u64 wp__near_dword(wp_u64 v, int b) { return wp__join(wpb_neighbour_u32((wp_u32)v, b), wpb_neighbour_u32((wp_u32)(v >> 32), b)); }
#define WP__NEAR(S) wp__near_##S
#define WP__DEFINE(T, S, W) \
  WPB_FN T wp__near_##S(wp_mask mask, T v, int b, int width) { \
    (void)mask; \
    (void)width; \
    return wp__from_##W##_##S(wp__near_##W(wp__to_##W##_##S(v), b)); \
  }
WP__TYPES(WP__DEFINE)
#undef WP__DEFINE
#else
#define WP__NEAR(S) wp_shfl_xor_##S
#endif
#ifdef WPB_HAS_CARRY
WPB_FN wp_u32 wp__carry_word(wp_u32 v, int b) { return wpb_carry_u32(v, b); }
WPB_FN wp_u64 wp__carry_dword(wp_u64 v, int b) { return wp__join(wpb_carry_u32((wp_u32)v, b), wpb_carry_u32((wp_u32)(v >> 32), b)); }
#define WP__DEFINE(T, S, W) WPB_FN T wp__carry_##S(T v, int b) { return wp__from_##W##_##S(wp__carry_##W(wp__to_##W##_##S(v), b)); }
WP__TYPES(WP__DEFINE)
#undef WP__DEFINE
#define WP__BY_NEAR(width) ((width) < 16 ? (width) : 16)
#define WP__BY_CARRY(T, CARRY, LAST, OP) \
  WPB_UNROLL \
  for (b = 16; b < width; b <<= 1) { \
    T got = CARRY(v, b); \
    v = OP(got, v); \
  } \
  if (width > 16) v = LAST(mask, v, width - 1, width);
#else
#define WP__BY_NEAR(width) (width)
#define WP__BY_CARRY(T, CARRY, LAST, OP)
#endif

/* PREFIX(N, T, OP) defines wp__prefix_N(mask, v, width), the inclusive scan over a prefix. */
#define WP__PREFIX_TREE(N, T, OP) \
  WPB_FN T wp__prefix_##N(WP__MASK mask, T v, int width) { return wp__kogge_stone_##N(WP__TO mask, v, width, false, 0); }
#ifdef WPB_HAS_SCAN_STEP
/* By steps that bring the operator's identity to lanes that have no predecessor; needs segments of whole rows. */
WPB_FN wp_u32 wp__step_word(wp_u32 v, int d, wp_u32 none) { return wpb_scan_step_u32(v, d, none); }
WPB_FN wp_u64 wp__step_dword(wp_u64 v, int d, wp_u64 none) {
  return wp__join(wpb_scan_step_u32((wp_u32)v, d, (wp_u32)none), wpb_scan_step_u32((wp_u32)(v >> 32), d, (wp_u32)(none >> 32)));
}
#define WP__DEFINE(T, S, W) \
  WPB_FN T wp__step_##S(T v, int d, T none) { \
    return wp__from_##W##_##S(wp__step_##W(wp__to_##W##_##S(v), d, wp__to_##W##_##S(none))); \
  }
WP__TYPES(WP__DEFINE)
#undef WP__DEFINE
#define WP__PREFIX_STEP(N, T, OP, STEP) \
  WPB_FN T wp__prefix_##N(wp_mask mask, T v, int width) { \
    int d; \
    if (width < 16) return wp__kogge_stone_##N(mask, v, width, false, 0); \
    WPB_UNROLL \
    for (d = 1; d < width; d <<= 1) { \
      T got = STEP(v, d, wp__identity_##N()); \
      v = OP(got, v); \
    } \
    return v; \
  }
#define WP__PREFIX_u32(N, T, OP) WP__PREFIX_STEP(N, T, OP, wp__step_u32)
#define WP__PREFIX_u64(N, T, OP) WP__PREFIX_STEP(N, T, OP, wp__step_u64)
#define WP__PREFIX_i32(N, T, OP) WP__PREFIX_STEP(N, T, OP, wp__step_i32)
#define WP__PREFIX_i64(N, T, OP) WP__PREFIX_STEP(N, T, OP, wp__step_i64)
#define WP__PREFIX_f64(N, T, OP) WP__PREFIX_STEP(N, T, OP, wp__step_f64)
#define WP__PREFIX_f16(N, T, OP) WP__PREFIX_STEP(N, T, OP, wp__step_f16)
#define WP__PREFIX_bf16(N, T, OP) WP__PREFIX_STEP(N, T, OP, wp__step_bf16)
#define WP__PREFIX_f16x2(N, T, OP) WP__PREFIX_STEP(N, T, OP, wp__step_f16x2)
#define WP__PREFIX_bf16x2(N, T, OP) WP__PREFIX_STEP(N, T, OP, wp__step_bf16x2)
#ifdef WPB_HAS_SCAN_ROW_ADD_F32
/* The chip's way through a row for float sums; the identity of a float sum, -0.0, lets no addition be fused. */
#define WP__PREFIX_f32(N, T, OP) WP__CAT(WP__PREFIX_, N)(N, T, OP)
#define WP__PREFIX_mul_f32(N, T, OP) WP__PREFIX_STEP(N, T, OP, wp__step_f32)
#define WP__PREFIX_add_f32(N, T, OP) \
  WPB_FN T wp__prefix_##N(wp_mask mask, T v, int width) { \
    int d; \
    if (width < 16) return wp__kogge_stone_##N(mask, v, width, false, 0); \
    v = wpb_scan_row_add_f32(v); \
    WPB_UNROLL \
    for (d = 16; d < width; d <<= 1) { \
      T got = wp__step_f32(v, d, wp__identity_##N()); \
      v = OP(got, v); \
    } \
    return v; \
  }
#else
#define WP__PREFIX_f32(N, T, OP) WP__PREFIX_STEP(N, T, OP, wp__step_f32)
#endif
#define WP__PREFIX(S) WP__PREFIX_##S
#else
#define WP__PREFIX(S) WP__PREFIX_TREE
#endif

/* N: name of the instance. PULL(mask, v, lane), XOR(mask, v, offset, width), UP(mask, v, delta, width), CARRY(v, b),
 * LAST(mask, v, lane, width): exchanges of T; XOR is only used where near() would do. OP(left, right): the operator. SIDE(b): whether the caller's block of b lanes is the right one of its pair; false if OP commutes.
 *
 * wp__fold_N: butterfly over the lanes of from (a subset of mask) within the caller's block of width lanes; every lane of mask in a
 * block with a lane of from ends with that block's value. In step b a lane reads from the lowest contributing lane of the
 * neighbouring block, all of which hold its value.
 *
 * wp__tree_N: the value for target lane t of the 16-lane Kogge-Stone scan, as the balanced tree over the lanes t-15 ... t that
 * count, by a binary counter: p0 ... p3 hold finished subtrees of 1, 2, 4, 8 leaves.
 *
 * first: lanes below it do not count for the caller (segmented scans, parted: a constant); heads: all such starting lanes. */
#define WP__TREES(N, T, PULL, XOR, UP, CARRY, LAST, OP, SIDE, PREFIX) \
  WPB_FN T wp__fold_##N(WP__MASK mask, wp_mask from, T v, int width) { \
    int b; \
    for (b = 1; WP__ANYONE(mask, b < width); b <<= 1) { \
      int me = wp_lane() & ~(b - 1); \
      wp_mask mine = (wp_mask)(from & (wp_mask)(wp__ones(b) << (unsigned)me)); \
      wp_mask theirs = b < width ? (wp_mask)(from & (wp_mask)(wp__ones(b) << (unsigned)(me ^ b))) : (wp_mask)0; \
      T got = PULL(WP__TO mask, v, theirs != 0 ? wp__lowest(theirs) : wp_lane()); \
      if (theirs != 0) { \
        if (mine == 0) v = got; \
        else if ((me & b) != 0) v = OP(got, v); \
        else v = OP(v, got); \
      } \
    } \
    return v; \
  } \
  WPB_FN T wp__butterfly_##N(WP__MASK mask, T v, int width, bool dense) { \
    if (WP__FAST(dense)) { \
      int b; \
      WPB_UNROLL \
      for (b = 1; b < WP__BY_NEAR(width); b <<= 1) { \
        T got = XOR(WP__TO mask, v, b, width); \
        v = SIDE(b) ? OP(got, v) : OP(v, got); \
      } \
      WP__BY_CARRY(T, CARRY, LAST, OP) \
      return v; \
    } \
    return wp__fold_##N(WP__TO mask, mask, v, width); \
  } \
  WPB_FN T wp__join_##N(T a, bool has_a, T b, bool has_b) { return !has_a ? b : !has_b ? a : OP(a, b); } \
  WPB_FN T wp__tree_##N(WP__MASK mask, T v, int t, int first) { \
    T x = v, p0 = v, p1 = v, p2 = v, p3 = v; \
    bool h = false, h0 = false, h1 = false, h2 = false, h3 = false; \
    int j; \
    for (j = 0; j < 16; j++) { \
      int src = t - 15 + j; \
      h = src >= (t & ~15) && src >= first && wp_mask_has(mask, src); \
      x = PULL(WP__TO mask, v, h ? src : wp_lane()); \
      if ((j & 1) == 0) { p0 = x; h0 = h; continue; } \
      x = wp__join_##N(p0, h0, x, h); \
      h = h || h0; \
      if ((j & 2) == 0) { p1 = x; h1 = h; continue; } \
      x = wp__join_##N(p1, h1, x, h); \
      h = h || h1; \
      if ((j & 4) == 0) { p2 = x; h2 = h; continue; } \
      x = wp__join_##N(p2, h2, x, h); \
      h = h || h2; \
      if ((j & 8) == 0) { p3 = x; h3 = h; continue; } \
      x = wp__join_##N(p3, h3, x, h); \
    } \
    return x; \
  } \
  WPB_FN T wp__scan_any_##N(WP__MASK mask, T v, int width, int t, int first, wp_mask heads, T identity) { \
    wp_mask leaves = t < 0 ? (wp_mask)0 : (wp_mask)(mask & wp__ones(t + 1) & (wp_mask)~wp__ones(first > (t & ~15) ? first : t & ~15)); \
    bool has = leaves != 0; \
    T x = wp__tree_##N(WP__TO mask, v, t, first); \
    int b; \
    for (b = 16; WP__ANYONE(mask, b < width); b <<= 1) { \
      int me = wp_lane() & ~(b - 1); \
      int start = wp__segment_start(heads, me + b - 1); \
      wp_mask from = (wp_mask)(mask & (wp_mask)(wp__ones(b) << (unsigned)me) & (wp_mask)~wp__ones(start)); \
      T total = wp__fold_##N(WP__TO mask, from, v, b); \
      bool second = b < width && t >= 0 && (t & b) != 0; \
      wp_mask before = second ? (wp_mask)(mask & (wp_mask)(wp__ones(b) << (unsigned)((t & ~(b - 1)) - b))) : (wp_mask)0; \
      T got = PULL(WP__TO mask, total, before != 0 ? wp__lowest(before) : wp_lane()); \
      if ((before & (wp_mask)~wp__ones(first)) != 0) { \
        x = has ? OP(got, x) : got; \
        has = true; \
      } \
    } \
    return has ? x : identity; \
  } \
  WPB_FN T wp__kogge_stone_##N(WP__MASK mask, T v, int width, bool parted, int first) { \
    int row = (width < 16 ? width : 16) - 1, room = wp_lane() & row, d; \
    if (parted && wp_lane() - first < room) room = wp_lane() - first; \
    WPB_UNROLL \
    for (d = 1; d < 16 && d < width; d <<= 1) { \
      T got = UP(WP__TO mask, v, d, row + 1); \
      if (room >= d) v = OP(got, v); \
    } \
    WPB_UNROLL \
    for (d = 16; d < width; d <<= 1) { \
      int last = (wp_lane() & ~(2 * d - 1)) | (d - 1); \
      bool second = (wp_lane() & (2 * d - 1)) >= d; \
      T got = PULL(WP__TO mask, v, WP__HARMLESS(second, last)); \
      if (second && (!parted || last >= first)) v = OP(got, v); \
    } \
    return v; \
  } \
  PREFIX(N, T, OP) \
  WPB_FN T wp__scan_##N(WP__MASK mask, T v, int width, bool prefix) { \
    if (WP__FAST(prefix)) return wp__prefix_##N(WP__TO mask, v, width); \
    return wp__scan_any_##N(WP__TO mask, v, width, wp_lane(), 0, 0, v); \
  } \
  WPB_FN T wp__scan_excl_##N(WP__MASK mask, T v, int width, bool prefix, T identity) { \
    if (WP__FAST(prefix)) { \
      T below = UP(WP__TO mask, wp__prefix_##N(WP__TO mask, v, width), 1, width); \
      return (wp_lane() & (width - 1)) == 0 ? identity : below; \
    } \
    return wp__scan_any_##N(WP__TO mask, v, width, wp_lane() - 1, 0, 0, identity); \
  } \
  WPB_FN T wp__scan_seg_##N(WP__MASK mask, T v, bool head) { \
    wp_mask heads = wp__ballot(WP__TO mask, head); \
    int first = wp__highest((wp_mask)((heads & wp_mask_le()) | 1u)); \
    if (WP__FAST(wp__is_prefix(mask))) return wp__kogge_stone_##N(WP__TO mask, v, wp_warp_size(), true, first); \
    return wp__scan_any_##N(WP__TO mask, v, wp_warp_size(), wp_lane(), first, heads, v); \
  }

/* Instances for the library's operators: X(op, T, S). 8- and 16-bit integers go by 32 bits. */
#define WP__CORE_ARITH(X, op) \
  X(op, wp_u32, u32) X(op, wp_u64, u64) X(op, wp_f32, f32) WP__ONLY_F64(X(op, wp_f64, f64)) X(op, wp_f16, f16) X(op, wp_bf16, bf16) \
  X(op, wp_f16x2, f16x2) X(op, wp_bf16x2, bf16x2)
#define WP__CORE_INT_ORDER(X, op) X(op, wp_u32, u32) X(op, wp_u64, u64) X(op, wp_i32, i32) X(op, wp_i64, i64)
#define WP__CORE_FLOAT_ORDER(X, op) X(op, wp_f32, f32) WP__ONLY_F64(X(op, wp_f64, f64)) X(op, wp_f16, f16) X(op, wp_bf16, bf16)
#define WP__CORE_PAIR_ORDER(X, op) X(op, wp_f16x2, f16x2) X(op, wp_bf16x2, bf16x2)
#define WP__CORE_BITS(X) \
  X(and, wp_u32, u32) X(or, wp_u32, u32) X(xor, wp_u32, u32) X(and, wp_u64, u64) X(or, wp_u64, u64) X(xor, wp_u64, u64)
#define WP__CORES(X) \
  WP__CORE_ARITH(X, add) WP__CORE_ARITH(X, mul) WP__CORE_INT_ORDER(X, min) WP__CORE_INT_ORDER(X, max) WP__CORE_FLOAT_ORDER(X, min) \
  WP__CORE_FLOAT_ORDER(X, max) WP__CORE_PAIR_ORDER(X, min) WP__CORE_PAIR_ORDER(X, max) WP__CORE_BITS(X)
#define WP__TREES_OF(op, T, S, PREFIX) \
  WP__TREES(op##_##S, T, wp__pull_##S, WP__NEAR(S), wp_shfl_up_##S, wp__carry_##S, wp_broadcast_##S, wp__##op##_##S, WP__NO_SIDE, PREFIX)
#define WP__DEFINE(op, T, S) WP__TREES_OF(op, T, S, WP__PREFIX(S))
WP__CORE_ARITH(WP__DEFINE, add)
WP__CORE_ARITH(WP__DEFINE, mul)
WP__CORE_INT_ORDER(WP__DEFINE, min)
WP__CORE_INT_ORDER(WP__DEFINE, max)
WP__CORE_BITS(WP__DEFINE)
#undef WP__DEFINE
/* An infinity is no identity of min and max for lanes with a NaN. */
#define WP__DEFINE(op, T, S) WP__TREES_OF(op, T, S, WP__PREFIX_TREE)
WP__CORE_PAIR_ORDER(WP__DEFINE, min)
WP__CORE_PAIR_ORDER(WP__DEFINE, max)
#ifndef WPB_MINMAX_BY_ORDER
WP__CORE_FLOAT_ORDER(WP__DEFINE, min)
WP__CORE_FLOAT_ORDER(WP__DEFINE, max)
#undef WP__DEFINE
#else
/* Through the order-preserving map onto unsigned integers: one map each way, and integer steps between. */
#undef WP__DEFINE
#define WP__ORDERED(op, T, S, C) \
  WPB_FN T wp__butterfly_##op##_##S(wp_mask mask, T v, int width, bool dense) { \
    return wp__unorder_##S(wp__butterfly_##op##_##C(mask, wp__order_##op##_##S(v), width, dense)); \
  } \
  WPB_FN T wp__scan_##op##_##S(wp_mask mask, T v, int width, bool prefix) { \
    return wp__unorder_##S(wp__scan_##op##_##C(mask, wp__order_##op##_##S(v), width, prefix)); \
  } \
  WPB_FN T wp__scan_excl_##op##_##S(wp_mask mask, T v, int width, bool prefix, T identity) { \
    return wp__unorder_##S(wp__scan_excl_##op##_##C(mask, wp__order_##op##_##S(v), width, prefix, wp__order_##op##_##S(identity))); \
  } \
  WPB_FN T wp__scan_seg_##op##_##S(wp_mask mask, T v, bool head) { \
    return wp__unorder_##S(wp__scan_seg_##op##_##C(mask, wp__order_##op##_##S(v), head)); \
  }
#define WP__DEFINE(op) \
  WP__ORDERED(op, wp_f32, f32, u32) WP__ONLY_F64(WP__ORDERED(op, wp_f64, f64, u64)) WP__ORDERED(op, wp_f16, f16, u32) \
  WP__ORDERED(op, wp_bf16, bf16, u32)
WP__DEFINE(min)
WP__DEFINE(max)
#undef WP__DEFINE
#undef WP__ORDERED
#endif

/* X(op, T, S, C): the public type, and the instance that serves it. Integers convert to C's type and back; the rest are their own. */
#define WP__VIA_SIGNLESS(X, op) \
  X(op, wp_i8, i8, u32) X(op, wp_u8, u8, u32) X(op, wp_i16, i16, u32) X(op, wp_u16, u16, u32) X(op, wp_i32, i32, u32) \
  X(op, wp_u32, u32, u32) X(op, wp_i64, i64, u64) X(op, wp_u64, u64, u64)
#define WP__VIA_SIGNED(X, op) \
  X(op, wp_i8, i8, i32) X(op, wp_u8, u8, u32) X(op, wp_i16, i16, i32) X(op, wp_u16, u16, u32) X(op, wp_i32, i32, i32) \
  X(op, wp_u32, u32, u32) X(op, wp_i64, i64, i64) X(op, wp_u64, u64, u64)
#define WP__VIA_INT(X) \
  WP__VIA_SIGNLESS(X, add) WP__VIA_SIGNLESS(X, mul) WP__VIA_SIGNED(X, min) WP__VIA_SIGNED(X, max) WP__VIA_SIGNLESS(X, and) \
  WP__VIA_SIGNLESS(X, or) WP__VIA_SIGNLESS(X, xor)
#define WP__VIA_FLOAT_OP(X, op) \
  X(op, wp_f32, f32, f32) WP__ONLY_F64(X(op, wp_f64, f64, f64)) X(op, wp_f16, f16, f16) X(op, wp_bf16, bf16, bf16) \
  X(op, wp_f16x2, f16x2, f16x2) X(op, wp_bf16x2, bf16x2, bf16x2)
#define WP__VIA_FLOAT(X) WP__VIA_FLOAT_OP(X, add) WP__VIA_FLOAT_OP(X, mul) WP__VIA_FLOAT_OP(X, min) WP__VIA_FLOAT_OP(X, max)


#endif
