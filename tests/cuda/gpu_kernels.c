/* Kernels of test_gpu.c. */
#include <warpport/warpport.h>

/* Reverses the block's part of x through dynamic shared memory. */
WP_KERNEL(gpu_reverse, WP_GLOBAL wp_u32 *x, WP_SHARED_PARAM(wp_u32, box), int words) {
  WP_SHARED_BIND(wp_u32, box);
  int i, n = wp_block_threads();
  for (i = wp_thread_rank(); i < words; i += n) box[i] = x[wp_block_x() * words + i];
  WP_BARRIER();
  for (i = wp_thread_rank(); i < words; i += n) x[wp_block_x() * words + i] = box[words - 1 - i];
}

/* Counts blocks. */
WP_KERNEL(gpu_count, WP_GLOBAL wp_u32 *counts, int slots) {
  if (wp_thread_rank() == 0) {
    wp_i64 block = wp_block_x() + (wp_i64)wp_grid_dim_x() * (wp_block_y() + (wp_i64)wp_grid_dim_y() * wp_block_z());
    (void)wp_atomic_add(counts + block % slots, 1u);
  }
}

/* Row V5 over many masks: the lane that each warp's lanes elect, or a marker if there is not one. */
WP_KERNEL(gpu_elect, const WP_GLOBAL wp_u32 *masks, WP_GLOBAL wp_i32 *leader, int warps) {
  int w = (int)(wp_global_rank() / wp_warp_size());
  if (w < warps && wp_mask_has(masks[w], wp_lane())) {
    if (wp_elect(masks[w])) (void)wp_atomic_add(leader + w, 1000 + wp_lane());
  }
}

/* Row R2 for pairs: out gets min and max. */
WP_KERNEL(gpu_extremes, const WP_GLOBAL double *a, const WP_GLOBAL double *b, WP_GLOBAL double *out, int n) {
  int i = (int)wp_global_rank();
  if (i < n) {
    out[2 * i] = wp_min_f64(a[i], b[i]);
    out[2 * i + 1] = wp_max_f64(a[i], b[i]);
  }
}

/* Writes far outside any buffer. */
WP_KERNEL(gpu_crash, WP_GLOBAL wp_u32 *x, wp_u64 far) { x[far] = 1; }
