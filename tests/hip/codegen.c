/* Kernels whose AMD code codegen.sh counts: each loads a value a lane, applies one operation, and stores the result. `copy` applies
 * none and is what the others are compared with. */
#include <warpport/warpport.h>

#define ONE(name, T, expr) \
  WP_KERNEL(name, WP_GLOBAL const T *in, WP_GLOBAL T *out) { \
    const int i = wp_thread_x(); \
    const T v = in[i]; \
    out[i] = expr; \
  }
#define ALL wp_mask_all()

ONE(copy, wp_u32, v)

/* Constant lanes. */
ONE(xor_1, wp_u32, wp_shfl_xor(ALL, v, 1))
ONE(xor_2, wp_u32, wp_shfl_xor(ALL, v, 2))
ONE(xor_4, wp_u32, wp_shfl_xor(ALL, v, 4))
ONE(xor_7, wp_u32, wp_shfl_xor(ALL, v, 7))
ONE(xor_8, wp_u32, wp_shfl_xor(ALL, v, 8))
ONE(xor_15, wp_u32, wp_shfl_xor(ALL, v, 15))
ONE(xor_16, wp_u32, wp_shfl_xor(ALL, v, 16))
ONE(up_1, wp_u32, wp_shfl_up(ALL, v, 1))
ONE(up_1_of_16, wp_u32, wp_shfl_up(ALL, v, 1, 16))
ONE(up_1_of_8, wp_u32, wp_shfl_up(ALL, v, 1, 8))
ONE(up_2_of_4, wp_u32, wp_shfl_up(ALL, v, 2, 4))
ONE(down_1, wp_u32, wp_shfl_down(ALL, v, 1))
ONE(down_4_of_16, wp_u32, wp_shfl_down(ALL, v, 4, 16))
ONE(down_4_of_8, wp_u32, wp_shfl_down(ALL, v, 4, 8))
ONE(rotate_1, wp_u32, wp_rotate(ALL, v, 1))
ONE(rotate_3_of_16, wp_u32, wp_rotate(ALL, v, 3, 16))
ONE(rotate_1_of_4, wp_u32, wp_rotate(ALL, v, 1, 4))
ONE(broadcast_0, wp_u32, wp_broadcast(ALL, v, 0))
ONE(broadcast_5_of_16, wp_u32, wp_broadcast(ALL, v, 5, 16))
ONE(broadcast_2_of_4, wp_u32, wp_broadcast(ALL, v, 2, 4))
ONE(shfl_3, wp_u32, wp_shfl(ALL, v, 3))
ONE(first, wp_u32, wp_broadcast_first(ALL, v))
ONE(xor_1_f64, wp_f64, wp_shfl_xor(ALL, v, 1))
ONE(xor_1_f16x2, wp_f16x2, wp_shfl_xor(ALL, v, 1))
#if !defined(__GFX10__) && !defined(__GFX11__) && !defined(__GFX12__)
ONE(xor_32, wp_u32, wp_shfl_xor(ALL, v, 32))
#endif

/* Run-time lanes: the general exchange. */
WP_KERNEL(shfl_any, WP_GLOBAL const wp_u32 *in, WP_GLOBAL wp_u32 *out, int lane) {
  const int i = wp_thread_x();
  out[i] = wp_shfl(ALL, in[i], lane + i);
}
WP_KERNEL(xor_any, WP_GLOBAL const wp_u32 *in, WP_GLOBAL wp_u32 *out, int m) {
  const int i = wp_thread_x();
  out[i] = wp_shfl_xor(ALL, in[i], m);
}

/* Votes. */
ONE(ballot, wp_u64, wp_ballot(ALL, v != 0))
ONE(any, wp_u32, wp_any(ALL, v != 0) ? 1u : 0u)
ONE(compact, wp_u32, (wp_u32)wp_compact(ALL, v != 0).index)

/* Reductions and scans over a full warp. */
ONE(reduce_add_u32, wp_u32, wp_reduce_add(ALL, v))
ONE(reduce_add_f32, wp_f32, wp_reduce_add(ALL, v))
ONE(reduce_min_u32, wp_u32, wp_reduce_min(ALL, v))
ONE(reduce_max_i32, wp_i32, wp_reduce_max(ALL, v))
ONE(reduce_min_f32, wp_f32, wp_reduce_min(ALL, v))
ONE(reduce_or_u32, wp_u32, wp_reduce_or(ALL, v))
ONE(reduce_add_f64, wp_f64, wp_reduce_add(ALL, v))
ONE(reduce_add_u64, wp_u64, wp_reduce_add(ALL, v))
ONE(reduce_add_f16, wp_f16, wp_reduce_add(ALL, v))
ONE(reduce_add_f16x2, wp_f16x2, wp_reduce_add(ALL, v))
ONE(scan_add_u32, wp_u32, wp_scan_add(ALL, v))
ONE(scan_add_f32, wp_f32, wp_scan_add(ALL, v))
ONE(scan_max_i32, wp_i32, wp_scan_max(ALL, v))
ONE(scan_min_f32, wp_f32, wp_scan_min(ALL, v))
ONE(scan_add_u64, wp_u64, wp_scan_add(ALL, v))
ONE(scan_add_excl_u32, wp_u32, wp_scan_add_excl(ALL, v))

/* Tiles of a constant width. */
ONE(tile16_add_u32, wp_u32, wp_tile_reduce_add(wp_tile_full(16), v))
ONE(tile8_add_f32, wp_f32, wp_tile_reduce_add(wp_tile_full(8), v))
ONE(tile4_scan_u32, wp_u32, wp_tile_scan_add(wp_tile_full(4), v))
ONE(tile32_add_u32, wp_u32, wp_tile_reduce_add(wp_tile_full(32), v))
