/* Kernels of test_opencl.c. */
#include <warpport/warpport.h>

WP_KERNEL(ocl_sizes, WP_GLOBAL wp_i32 *out) {
  if (wp_global_rank() == 0) {
    out[0] = wp_warp_size();
    out[1] = WP_UNIFORM_FLOW;
    out[2] = WP_MASK_BITS;
  }
}

/* out[i]: sum of x over the warp of thread i. Any block: the lanes that exist take part. */
WP_KERNEL(ocl_sum, WP_GLOBAL const wp_f32 *x, WP_GLOBAL wp_f32 *out, wp_f32 factor, wp_i32 n) {
  const int i = (int)wp_global_rank();
  const wp_f32 sum = wp_reduce_add(wp_mask_present(), i < n ? x[i] * factor : 0.0f);
  if (i < n) out[i] = sum;
}

WP_KERNEL(ocl_shared, WP_GLOBAL wp_u32 *out, WP_SHARED_PARAM(wp_u32, a), wp_i32 n) {
  WP_SHARED_BIND(wp_u32, a);
  const int t = wp_thread_rank();
  if (t < n) a[t] = (wp_u32)(t * t);
  WP_BARRIER();
  if (t < n) out[t] = a[n - 1 - t] + (wp_u32)t;
}
