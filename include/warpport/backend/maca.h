/* warpport/backend/maca.h: MetaX MACA, C500 (xcore1000) and C600 (xcore1500), by mxcc (-x maca) or by cucc, which poses as nvcc.
 *
 * Confirmed, in code that MetaX publishes (mcPytorch, mcSparse, mcoplib, maca-samples) or by FlagTree's MetaX backend:
 *   - __MACA__ and __MACACC__ in both passes and in both modes; cucc adds __CUDACC__, __NVCC__ and, in the device's pass,
 *     __CUDA_ARCH__ = 800. __MACA_ARCH__ (1000, 1500) in the device's pass only.
 *   - Warps of 64 lanes and 64-bit masks: __shfl_sync, __ballot_sync, __syncwarp take unsigned long long, __activemask() returns it.
 *     A ballot kept in 32 bits loses lanes 32-63, a bug that ports still carry. __lane_id() is the lane.
 *   - __reduce_add_sync and __reduce_max_sync also take float and half: not CUDA's functions of that name, so not used by default.
 * Assumed: shuffles may ignore the mask (a compiler for this chip does), so no result here depends on that; 64-bit atomics in shared
 *   memory.
 * Only hardware can settle: what an inactive source gives (never read here); which match functions there are and whether they honour
 *   the mask; redux on integers.
 *
 * Opt in: WARPPORT_NATIVE_MATCH=1, WARPPORT_NATIVE_REDUCE=1. */
#ifndef WARPPORT_BACKEND_MACA_H
#define WARPPORT_BACKEND_MACA_H

#define WPB_CHIP_LANES 64
#include "cuda_like.h"

WPB_FN int wpb_lane(void) { return (int)((unsigned)__lane_id() & (WPB_WARP_SIZE - 1u)); }
WPB_FN wp_u32 wpb_shfl_u32(wp_u64 mask, wp_u32 v, int src) { return __shfl_sync(mask, v, src, WPB_WARP_SIZE); }
WPB_FN wp_u64 wpb_ballot(wp_u64 mask, int p) { return (wp_u64)__ballot_sync(mask, p) & mask; }
WPB_FN void wpb_sync(wp_u64 mask) { __syncwarp(mask); }
WPB_FN wp_u64 wpb_active_mask(void) { return (wp_u64)__activemask(); }
#include "cuda_like_native.h"

#endif
