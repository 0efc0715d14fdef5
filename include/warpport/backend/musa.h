/* warpport/backend/musa.h: Moore Threads MUSA (mcc, or clang++ -x musa), mp_21 / mp_22 / mp_31.
 *
 * Confirmed, in code that Moore Threads or users of its toolchain publish:
 *   - __MUSA__ and __MUSACC__ in both passes, __MUSA_ARCH__ (210, 220, 310) in the device's only; __CUDA__ as well (muThrust, mutlass,
 *     torch_musa's build flags).
 *   - Warps of 128 lanes on mp_21 and mp_22, of 32 on mp_31, yet the functions with CUDA's names see 32 lanes and 32-bit masks: lane
 *     __get_laneid() & 31, widths to 32 (muAlg, cub/util_ptx.cuh). The device's own warpSize (128) must not size anything (ggml).
 *   - __shfl_sync, __ballot_sync, __syncwarp are there (muAlg, mate). No inline PTX. Shuffles of half go through float in some ports,
 *     so here everything travels as 32-bit integers.
 * Assumed: a ballot holds the 32 lanes of the caller's group; lanes of a mask need not be converged beforehand any more than on the
 *   chips these functions are named after; 64-bit atomics in shared memory.
 * Only hardware can settle: what mask bits that name absent lanes do; what an inactive source gives (never read here); whether
 *   __activemask() exists on every SDK and means what its name says; match and redux per chip; a warp of 128 as 128 lanes.
 *
 * Opt in: WARPPORT_NATIVE_ACTIVE_MASK=1, WARPPORT_NATIVE_MATCH=1 (__match_any_sync, __match_all_sync), WARPPORT_NATIVE_REDUCE=1
 * (__reduce_*_sync). */
#ifndef WARPPORT_BACKEND_MUSA_H
#define WARPPORT_BACKEND_MUSA_H

#define WPB_CHIP_LANES 32
#include "cuda_like.h"

WPB_FN int wpb_lane(void) { return (int)((unsigned)__get_laneid() & (WPB_WARP_SIZE - 1u)); }
WPB_FN wp_u32 wpb_shfl_u32(wp_u32 mask, wp_u32 v, int src) { return __shfl_sync(mask, v, src, WPB_WARP_SIZE); }
WPB_FN wp_u32 wpb_ballot(wp_u32 mask, int p) { return (wp_u32)__ballot_sync(mask, p) & mask; }
WPB_FN void wpb_sync(wp_u32 mask) { __syncwarp(mask); }

#if WARPPORT_NATIVE_ACTIVE_MASK
WPB_FN wp_u32 wpb_active_mask(void) { return __activemask(); }
#else
#define WPB_ACTIVE_MASK_UNKNOWN 1
#endif
#include "cuda_like_native.h"

#endif
