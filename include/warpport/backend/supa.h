/* warpport/backend/supa.h: Biren BIRENSUPA (brcc, .su files or -x supa), BR10x.
 *
 * Confirmed by the published programming guide: __SUPA__ and __BRCC__ in both passes, __SUPA_ARCH__ (100) in the device's only; warps
 *   of 32 lanes; built-in variables thread_idx, block_idx, block_dim, grid_dim (dim3) and warp_thread_idx (the lane); __shfl_sync,
 *   whose mask "has no effect on the value returned" and whose width must be equal in all lanes; __ballot_sync, __activemask,
 *   __syncwarp (lanes are kept in step by the hardware); atomics of 64 bits in global memory only; no double among the types.
 * Assumed: a ballot counts all active lanes, in the mask or not, so it is cut down to the mask here.
 * Only hardware can settle: what an inactive source gives (never read here); whether match, which the guide describes, honours masks.
 *
 * Opt in: WARPPORT_NATIVE_MATCH=1. */
#ifndef WARPPORT_BACKEND_SUPA_H
#define WARPPORT_BACKEND_SUPA_H

#include "../types.h"
#undef WP_HAS_F64

#define WPB_CHIP_LANES 32
#define WPB_NO_ATOMIC64 1
#define WPB_THREAD_IDX thread_idx
#define WPB_BLOCK_IDX block_idx
#define WPB_BLOCK_DIM block_dim
#define WPB_GRID_DIM grid_dim
#include "cuda_like.h"

WPB_FN int wpb_lane(void) { return (int)warp_thread_idx; }
WPB_FN wp_u32 wpb_shfl_u32(wp_u32 mask, wp_u32 v, int src) { return __shfl_sync(mask, v, src, WPB_WARP_SIZE); }
WPB_FN wp_u32 wpb_ballot(wp_u32 mask, int p) { return (wp_u32)__ballot_sync(mask, p) & mask; }
WPB_FN wp_u32 wpb_active_mask(void) { return (wp_u32)__activemask(); }
WPB_FN void wpb_sync(wp_u32 mask) {
  __threadfence_block(); /* the memory model is weak, and the guide promises no order for __syncwarp alone */
  __syncwarp(mask);
  __threadfence_block();
}
#include "cuda_like_native.h"

#endif
