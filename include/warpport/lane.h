/* warpport/lane.h: who am I (spec rows L1-L4, Q6, Q7).
 *
 * Cost: the lane is a special register on NVIDIA, two mbcnt instructions on AMD, a builtin on OpenCL; the rest is index arithmetic. */
#ifndef WARPPORT_LANE_H
#define WARPPORT_LANE_H

#include "bits.h"

/* WP_MAX_WARP_SIZE: constant upper bound of wp_warp_size(). WP_WARP_SIZE: the size itself, defined only where it is a constant. */
#if defined(WARPPORT_WARP_SIZE)
#define WP_WARP_SIZE WARPPORT_WARP_SIZE
#define WP_MAX_WARP_SIZE WARPPORT_WARP_SIZE
#elif defined(WPB_WARP_SIZE)
#define WP_WARP_SIZE WPB_WARP_SIZE
#define WP_MAX_WARP_SIZE WPB_WARP_SIZE
#else
#define WP_MAX_WARP_SIZE WPB_MAX_WARP_SIZE
#endif

/* Does a logical warp sit inside a larger one of the chip? WPB_PASS_WARP_SIZE: its size where that is a constant of one compiler
 * pass alone, as on AMD. */
#if defined(WARPPORT_WARP_SIZE) && !(defined(WPB_WARP_SIZE) && WPB_WARP_SIZE == WARPPORT_WARP_SIZE) && \
  !(defined(WPB_PASS_WARP_SIZE) && WPB_PASS_WARP_SIZE == WARPPORT_WARP_SIZE)
#define WP__LOGICAL 1
#endif

/* L2: lanes in a warp, a power of two, 1 ... 64. */
WPB_FN int wp_warp_size(void) {
#ifdef WP_WARP_SIZE
  return WP_WARP_SIZE;
#else
  return wpb_warp_size();
#endif
}

/* L1: the caller's lane, 0 ... wp_warp_size()-1. */
WPB_FN int wp_lane(void) {
#ifdef WP__LOGICAL
  return wpb_lane() & (WARPPORT_WARP_SIZE - 1);
#else
  return wpb_lane();
#endif
}

/* The chip's lane of logical lane 0. */
WPB_FN int wp__base(void) {
#ifdef WP__LOGICAL
  return wpb_lane() & ~(WARPPORT_WARP_SIZE - 1);
#else
  return 0;
#endif
}

/* Q6: thread in block, block in grid, threads a block, blocks. */
WPB_FN int wp_thread_x(void) { return wpb_thread_x(); }
WPB_FN int wp_thread_y(void) { return wpb_thread_y(); }
WPB_FN int wp_thread_z(void) { return wpb_thread_z(); }
WPB_FN int wp_block_x(void) { return wpb_block_x(); }
WPB_FN int wp_block_y(void) { return wpb_block_y(); }
WPB_FN int wp_block_z(void) { return wpb_block_z(); }
WPB_FN int wp_block_dim_x(void) { return wpb_block_dim_x(); }
WPB_FN int wp_block_dim_y(void) { return wpb_block_dim_y(); }
WPB_FN int wp_block_dim_z(void) { return wpb_block_dim_z(); }
WPB_FN int wp_grid_dim_x(void) { return wpb_grid_dim_x(); }
WPB_FN int wp_grid_dim_y(void) { return wpb_grid_dim_y(); }
WPB_FN int wp_grid_dim_z(void) { return wpb_grid_dim_z(); }

/* Q7: linear numbers, x fastest. */
WPB_FN int wp_thread_rank(void) {
  return wp_thread_x() + wp_block_dim_x() * (wp_thread_y() + wp_block_dim_y() * wp_thread_z());
}
WPB_FN int wp_block_threads(void) { return wp_block_dim_x() * wp_block_dim_y() * wp_block_dim_z(); }
WPB_FN wp_i64 wp_global_rank(void) {
  wp_i64 block = (wp_i64)wp_block_x() + (wp_i64)wp_grid_dim_x() * ((wp_i64)wp_block_y() + (wp_i64)wp_grid_dim_y() * wp_block_z());
  return block * wp_block_threads() + wp_thread_rank();
}
WPB_FN wp_i64 wp_global_threads(void) {
  return (wp_i64)wp_grid_dim_x() * wp_grid_dim_y() * wp_grid_dim_z() * wp_block_threads();
}

/* L3: the caller's warp in the block. */
WPB_FN int wp_warp_id(void) {
#ifdef WPB_HAS_WARP_ID
#ifdef WP__LOGICAL
  return wpb_warp_id() * (wpb_warp_size() / WARPPORT_WARP_SIZE) + wpb_lane() / WARPPORT_WARP_SIZE;
#else
  return wpb_warp_id();
#endif
#else
  return (int)((unsigned)wp_thread_rank() / (unsigned)wp_warp_size());
#endif
}

/* L4: warps in the block, the partial last one included. */
WPB_FN int wp_warps_per_block(void) {
  return (int)(((unsigned)wp_block_threads() + (unsigned)wp_warp_size() - 1u) / (unsigned)wp_warp_size());
}

#endif
