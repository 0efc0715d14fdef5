/* Kernels of test_hip.c. */
#include <warpport/warpport.h>

WP_KERNEL(hip_scale, WP_GLOBAL float *x, float factor, int n) {
  const int i = (int)wp_global_rank();
  if (i < n) x[i] *= factor;
}

WP_KERNEL(hip_reverse, WP_GLOBAL wp_u32 *x, WP_SHARED_PARAM(wp_u32, box)) {
  WP_SHARED_BIND(wp_u32, box);
  const int t = wp_thread_rank();
  box[t] = x[t];
  WP_BARRIER();
  x[t] = box[wp_block_threads() - 1 - t];
}

/* Only the first lane has a value; the others pass a variable that they never set. */
WP_KERNEL(hip_unset, WP_GLOBAL const wp_u32 *in, WP_GLOBAL wp_u32 *out) {
  wp_u32 v;
  if (wp_lane() == 0) v = in[wp_block_x()] * 3u;
  v = wp_shfl(wp_mask_all(), v, 0);
  out[wp_global_rank()] = v;
}

WP_KERNEL(hip_wild, WP_GLOBAL wp_u32 *x, wp_i64 offset) {
  x[0] = x[offset];
}
