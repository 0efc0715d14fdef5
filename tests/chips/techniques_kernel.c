/* technique.h against the plain operations; masks[warp] says who takes part. */
#include <warpport/technique.h>
#include <warpport/warpport.h>

#define BODY(op, T, S) \
  { \
    wp_mask m = (wp_mask)masks[wp_block_x() * wp_warps_per_block() + wp_warp_id()]; \
    int i = (int)wp_global_rank(); \
    if (wp_mask_has(m, wp_lane())) { \
      T a = v[i], b = (T)(v[i] * (T)3 + (T)1); \
      out[4 * i] = wp_reduce4_##op##_##S(m, a); \
      out[4 * i + 1] = wp_reduce_##op##_##S(m, v[i]); \
      wp_reduce_both_##op##_##S(m, &a, &b); \
      out[4 * i + 2] = a; \
      out[4 * i + 3] = b; \
      b = (T)(v[i] * (T)3 + (T)1); \
      b = wp_reduce_##op##_##S(m, b); \
      /* equal bits as a word for the host: 1 where both agree with the plain reductions */ \
      same[i] = (technique_same_##S(out[4 * i], out[4 * i + 1]) && technique_same_##S(out[4 * i + 2], out[4 * i + 1]) && \
                 technique_same_##S(out[4 * i + 3], b)) \
                  ? 1 \
                  : 2; \
    } \
  }
WP_DEVICE bool technique_same_u32(wp_u32 a, wp_u32 b) { return a == b; }
WP_DEVICE bool technique_same_i32(wp_i32 a, wp_i32 b) { return a == b; }
WP_DEVICE bool technique_same_f32(wp_f32 a, wp_f32 b) { return wp__to_word_f32(a) == wp__to_word_f32(b); }
#define PARAMS(T) WP_GLOBAL const wp_u64 *masks, WP_GLOBAL const T *v, WP_GLOBAL T *out, WP_GLOBAL wp_i32 *same
WP_KERNEL(technique_add_u32, PARAMS(wp_u32)) BODY(add, wp_u32, u32)
WP_KERNEL(technique_max_i32, PARAMS(wp_i32)) BODY(max, wp_i32, i32)
WP_KERNEL(technique_add_f32, PARAMS(wp_f32)) BODY(add, wp_f32, f32)
WP_KERNEL(technique_min_f32, PARAMS(wp_f32)) BODY(min, wp_f32, f32)

/* A tail: n elements, the last warp stays with those that have one. total: of each warp, in its first lane's place. */
WP_KERNEL(technique_tail, WP_GLOBAL const wp_u32 *v, WP_GLOBAL wp_u32 *total, wp_i32 n) {
  int i = (int)wp_global_rank();
  wp_mask rest = wp_mask_staying(i < n);
  if (i >= n) return;
  total[i] = wp_reduce_add_u32(rest, v[i]);
}

/* Ordered exchange: the box is read after the shuffle, with nothing else in between. */
WP_KERNEL(technique_ordered, WP_GLOBAL const wp_u32 *v, WP_GLOBAL wp_u32 *out, WP_GLOBAL float *pair) {
  WP_SHARED(wp_u32, box, 256);
  int t = wp_thread_rank(), lane = wp_lane(), next = (lane + 1) & (wp_warp_size() - 1);
  float a, b;
  wp_u32 seen;
  box[t] = v[t];
  seen = wp_shfl_ordered_u32(wp_mask_all(), (wp_u32)t, next, wp_warp_size());
  out[t] = box[seen];
  wp_sync(wp_mask_all());
  a = (float)lane;
  b = 0.5f - (float)lane;
  wp_shfl_both_lossy_f16(wp_mask_all(), &a, &b, next, wp_warp_size());
  pair[2 * t] = a;
  pair[2 * t + 1] = b;
}

WP_KERNEL(technique_lanes, WP_GLOBAL wp_i32 *out) {
  if (wp_global_rank() == 0) out[0] = wp_warp_size();
}
