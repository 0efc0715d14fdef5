/* warpport/backend/minimal.h: a template. Copy it, keep what your chip has, delete the rest; docs/new_chip.md goes through it.
 *
 * As it is, it serves a chip whose language is CUDA C++, that has __shfl_sync with an index and __syncwarp, and of which nothing else
 * is known: the lane is the thread number modulo the warp size, the ballot is built from shuffles, match and reductions are derived,
 * nobody's active mask is believed. Slow, and right. -DWARPPORT_BACKEND=10, and -DWARPPORT_CHIP_LANES=64 if that is what the chip has.
 *
 * Say at the top, as the other backends do: confirmed (and by whom), assumed, what only hardware can settle. */
#ifndef WARPPORT_BACKEND_MINIMAL_H
#define WARPPORT_BACKEND_MINIMAL_H

/* Lanes of a warp as a program sees them: what warpport-selftest measures, not what the device's properties claim. */
#define WPB_CHIP_LANES 32

/* Kernel language, indices, atomics, floats, bit counts under CUDA's names. Without that, write that section of docs/backend_contract.md. */
#include <warpport/backend/cuda_like.h>

/* The caller's lane. An own register (%laneid, __lane_id()) saves some integer instructions. */
WPB_FN int wpb_lane(void) { return wpb__thread_rank() & (WPB_WARP_SIZE - 1); }

/* A word of lane src, 0 <= src < warp size. It is only asked for lanes of mask, all of which are at this call. Always pass the width.
 * No such shuffle? Define one of WPB_SHFL_BY_DELTA, WPB_SHFL_BY_UNIFORM_DELTA, WPB_SHFL_BY_UNIFORM_XOR, WPB_SHFL_BY_CONSTANT_LANE,
 * WPB_SHFL_BY_FLOAT, WPB_SHFL_BY_MEMORY, WPB_SHFL_BY_BALLOT instead, and what derive.h says it needs. */
WPB_FN wp_u32 wpb_shfl_u32(WPB_MASK_T mask, wp_u32 v, int src) { return __shfl_sync(mask, v, src, WPB_WARP_SIZE); }

/* The lanes of mask with p != 0. Where the chip has a ballot as wide as its warp:
 *   WPB_FN WPB_MASK_T wpb_ballot(WPB_MASK_T mask, int p) { return (WPB_MASK_T)__ballot_sync(mask, p) & mask; } */
#define WPB_BALLOT_BY_SHFL 1

/* Lanes of mask wait for each other, and see each other's earlier writes to shared and global memory. */
WPB_FN void wpb_sync(WPB_MASK_T mask) {
  __threadfence_block();
  __syncwarp(mask);
  __threadfence_block();
}

/* WPB_FN WPB_MASK_T wpb_active_mask(void) { return (WPB_MASK_T)__activemask(); } */
#define WPB_ACTIVE_MASK_UNKNOWN 1

/* Further natives: docs/backend_contract.md, "Optional natives". Add one when warpport-selftest says that it is right. */

#endif
