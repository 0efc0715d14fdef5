/* The kernels of the OpenCL chapter of docs/porting.md, for syntax.sh: they have to compile in every dialect. */
#include <warpport/warpport.h>

/* From a sub-group kernel. */
WP_KERNEL(row_max, WP_GLOBAL const wp_f32 *x, WP_GLOBAL wp_f32 *out) {
  WP_WARP_STORAGE;
  const wp_f32 top = wp_reduce_max(wp_mask_present(), x[wp_global_rank()]);
  if (wp_lane() == 0) out[wp_block_x() * wp_warps_per_block() + wp_warp_id()] = top;
}

/* From a CUDA kernel; for a device without sub-groups. */
WP_KERNEL(append, WP_GLOBAL const wp_u8 *in, wp_i32 n, WP_GLOBAL wp_u32 *list, WP_GLOBAL wp_u32 *length) {
  WP_WARP_STORAGE;
  const int i = (int)wp_global_rank();
  const bool found = i < n && in[i] >= 'A' && in[i] <= 'Z';
  const wp_mask appending = wp_ballot(wp_mask_present(), found);
  if (found || WP_UNIFORM_FLOW) {
    wp_u32 place = wp_atomic_add_aggregated(found ? appending : 0, &length[0], 1u);
    if (found) list[place] = (wp_u32)i;
  }
}
