/* warpport/technique.h: techniques of the field as portable operations. Not part of warpport.h: include it where one of them pays.
 *
 * All give what the plain operations give, to the last bit, unless the name says lossy. docs/porting.md says when each pays. */
#ifndef WARPPORT_TECHNIQUE_H
#define WARPPORT_TECHNIQUE_H

#include "emulated.h"

/* Radix-4 reduction: rounds of three exchanges that do not wait for each other, half as many rounds, and ((a + b) + (c + d)) is the
 * tree of wp_reduce_*, so the bits are equal. Any mask, any warp size: masks with holes take the plain way, and where the warp size is
 * no power of four the last round is a plain one. (The circulating version shuffles inside a branch on the lane number.)
 *
 * Two reductions for little more than one: in the first step even lanes take over a, odd lanes b, so that each later exchange serves
 * both; log2(W) + 1 exchanges instead of 2 log2(W). Same tree, same bits. */
#define WP__TECHNIQUES(op, T, S) \
  WPB_FN T wp_reduce4_##op##_##S(WP__MASK mask, T v) { \
    int b, size = wp_warp_size(), lane = wp_lane(); \
    if (!WP__FAST(mask == wp_mask_all())) return wp_reduce_##op##_##S(WP__TO mask, v); \
    WPB_UNROLL \
    for (b = 1; 4 * b <= size; b *= 4) { \
      T near = wp_shfl_xor_##S(WP__TO mask, v, b, size); \
      T far = wp_shfl_xor_##S(WP__TO mask, v, 2 * b, size); \
      T cross = wp_shfl_xor_##S(WP__TO mask, v, 3 * b, size); \
      T mine = (lane & b) != 0 ? wp__##op##_##S(near, v) : wp__##op##_##S(v, near); \
      T other = (lane & b) != 0 ? wp__##op##_##S(cross, far) : wp__##op##_##S(far, cross); \
      v = (lane & (2 * b)) != 0 ? wp__##op##_##S(other, mine) : wp__##op##_##S(mine, other); \
    } \
    if (b < size) { \
      T got = wp_shfl_xor_##S(WP__TO mask, v, b, size); \
      v = (lane & b) != 0 ? wp__##op##_##S(got, v) : wp__##op##_##S(v, got); \
    } \
    return v; \
  } \
  WPB_FN void wp_reduce_both_##op##_##S(WP__MASK mask, T *a, T *b) { \
    int d, size = wp_warp_size(); \
    bool odd = (wp_lane() & 1) != 0; \
    T mine, got; \
    if (!WP__FAST(mask == wp_mask_all()) || size < 2) { \
      *a = wp_reduce_##op##_##S(WP__TO mask, *a); \
      *b = wp_reduce_##op##_##S(WP__TO mask, *b); \
      return; \
    } \
    mine = odd ? *b : *a; \
    got = wp_shfl_xor_##S(WP__TO mask, odd ? *a : *b, 1, size); \
    mine = odd ? wp__##op##_##S(got, mine) : wp__##op##_##S(mine, got); \
    WPB_UNROLL \
    for (d = 2; d < size; d *= 2) { \
      got = wp_shfl_xor_##S(WP__TO mask, mine, d, size); \
      mine = (wp_lane() & d) != 0 ? wp__##op##_##S(got, mine) : wp__##op##_##S(mine, got); \
    } \
    got = wp_shfl_xor_##S(WP__TO mask, mine, 1, size); \
    *a = odd ? got : mine; \
    *b = odd ? mine : got; \
  }
WP__TECHNIQUES(add, wp_u32, u32)
WP__TECHNIQUES(min, wp_i32, i32)
WP__TECHNIQUES(max, wp_i32, i32)
WP__TECHNIQUES(add, wp_f32, f32)
WP__TECHNIQUES(min, wp_f32, f32)
WP__TECHNIQUES(max, wp_f32, f32)
#ifdef WP_HAS_F64
WP__TECHNIQUES(add, wp_f64, f64)
#endif
#undef WP__TECHNIQUES

/* Two floats in one exchange, rounded to binary16 on the way: about 3 digits, overflow to infinity from 65520 on. LOSSY: for values
 * that were halves, or will be. Two wp_f16 go without loss as one wp_f16x2, by wp_shfl. */
WPB_FN void wp_shfl_both_lossy_f16(WP__MASK mask, float *a, float *b, int lane, int width) {
  wp_f16x2 got = wp_shfl_f16x2(WP__TO mask, wp_f16x2_make(wp_f16_from_f32(*a), wp_f16_from_f32(*b)), lane, width);
  *a = wp_f32_from_f16(wp_f16x2_get(got, 0));
  *b = wp_f32_from_f16(wp_f16x2_get(got, 1));
}

/* An exchange that also orders memory: what the lanes of mask wrote before it to shared or global memory is visible to each other
 * after it. A shuffle alone promises no order, on any chip, though lockstep makes it look so. */
#define WP__ORDERED(T, S) \
  WPB_FN T wp_shfl_ordered_##S(WP__MASK mask, T v, int lane, int width) { \
    wp_sync(mask); \
    return wp_shfl_##S(WP__TO mask, v, lane, width); \
  }
WP__ORDERED(wp_u32, u32)
WP__ORDERED(wp_i32, i32)
WP__ORDERED(wp_f32, f32)
WP__ORDERED(wp_u64, u64)
#undef WP__ORDERED

/* The lanes that go on, asked while all that exist are still here. For kernels whose last warp has less to do:
 *     wp_mask rest = wp_mask_staying(i < n);
 *     if (i >= n) return;
 *     sum = wp_reduce_add(rest, v); */
#ifdef WP__STORAGE
#define wp_mask_staying(stays) wp_ballot(wp_mask_present(), stays)
#else
WPB_FN wp_mask wp_mask_staying(bool stays) { return wp_ballot(wp_mask_present(), stays); }
#endif

#endif
