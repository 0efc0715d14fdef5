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

/* N: name of the instance. PULL(mask, v, lane), XOR(mask, v, offset, width), UP(mask, v, delta, width): exchanges of T.
 * OP(left, right): the operator. SIDE(b): whether the caller's block of b lanes is the right one of its pair; false if OP commutes.
 *
 * wp__fold_N: butterfly over the lanes of from (a subset of mask) within the caller's block of width lanes; every lane of mask in a
 * block with a lane of from ends with that block's value. In step b a lane reads from the lowest contributing lane of the
 * neighbouring block, all of which hold its value.
 *
 * wp__tree_N: the value for target lane t of the 16-lane Kogge-Stone scan, as the balanced tree over the lanes t-15 ... t that
 * count, by a binary counter: p0 ... p3 hold finished subtrees of 1, 2, 4, 8 leaves.
 *
 * first: lanes below it do not count for the caller (segmented scans, parted: a constant); heads: all such starting lanes. */
#define WP__TREES(N, T, PULL, XOR, UP, OP, SIDE) \
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
      for (b = 1; b < width; b <<= 1) { \
        T got = XOR(WP__TO mask, v, b, width); \
        v = SIDE(b) ? OP(got, v) : OP(v, got); \
      } \
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
  WPB_FN T wp__scan_##N(WP__MASK mask, T v, int width, bool prefix) { \
    if (WP__FAST(prefix)) return wp__kogge_stone_##N(WP__TO mask, v, width, false, 0); \
    return wp__scan_any_##N(WP__TO mask, v, width, wp_lane(), 0, 0, v); \
  } \
  WPB_FN T wp__scan_excl_##N(WP__MASK mask, T v, int width, bool prefix, T identity) { \
    if (WP__FAST(prefix)) { \
      T below = UP(WP__TO mask, wp__kogge_stone_##N(WP__TO mask, v, width, false, 0), 1, width); \
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
#define WP__CORES(X) \
  WP__CORE_ARITH(X, add) WP__CORE_ARITH(X, mul) WP__CORE_ARITH(X, min) WP__CORE_ARITH(X, max) \
  X(min, wp_i32, i32) X(min, wp_i64, i64) X(max, wp_i32, i32) X(max, wp_i64, i64) \
  X(and, wp_u32, u32) X(or, wp_u32, u32) X(xor, wp_u32, u32) X(and, wp_u64, u64) X(or, wp_u64, u64) X(xor, wp_u64, u64)
#define WP__DEFINE(op, T, S) WP__TREES(op##_##S, T, wp__pull_##S, wp_shfl_xor_##S, wp_shfl_up_##S, wp__##op##_##S, WP__NO_SIDE)
WP__CORES(WP__DEFINE)
#undef WP__DEFINE

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
