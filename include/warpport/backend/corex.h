/* warpport/backend/corex.h: Iluvatar CoreX, BI (ivcore10), MR and BI-150 (ivcore11), by its clang++ (-x ivcore, or .cu files).
 *
 * Confirmed, in published code (Deep-Spark/iluvatar-corex-ixrt, DeepSparkHub, Paddle-Iluvatar, FlagTree's Iluvatar backend):
 *   - __ILUVATAR__ in both passes; in .cu mode __CUDACC__ and __CUDA_ARCH__ as well, with -x ivcore not.
 *   - Warps of 64 lanes.
 *   - __shfl_sync and its kin are called across all 64 lanes with the mask 0xffffffff: the mask is ignored and the width forms the
 *     groups. A port that left out the width saw its second half get the first half's values, so the width is always passed here.
 * Assumed: index shuffles reach all 64 lanes; the linear thread number modulo 64 is the lane (__ivcorex_lane_id() is known by name
 *   only); bare __syncwarp() keeps the lanes together and shared memory in order (used so by one adapter; two ports chose the block
 *   barrier instead).
 * Only hardware can settle: whether __ballot_sync and __activemask return 32 or 64 bits: so the ballot is built from shuffles here
 *   (6 of them), and the active mask is the caller alone; whether a shuffle with a 32-bit mask reaches lanes 32-63 on every SDK.
 *
 * Opt in: WARPPORT_NATIVE_BALLOT=1 where __ballot_sync returns 64 bits, WARPPORT_NATIVE_ACTIVE_MASK=1 likewise,
 * WARPPORT_COREX_SHUFFLE_BY_MEMORY=1 where shuffles stop at 32 lanes. */
#ifndef WARPPORT_BACKEND_COREX_H
#define WARPPORT_BACKEND_COREX_H

#define WPB_CHIP_LANES 64
#if WARPPORT_COREX_SHUFFLE_BY_MEMORY
#define WPB_SHFL_BY_MEMORY 1
#endif
#include "cuda_like.h"

/* All ones as an int becomes all ones in a mask parameter of either width. */
#define WPB__COREX_MASK (-1)

WPB_FN int wpb_lane(void) { return wpb__thread_rank() & (WPB_WARP_SIZE - 1); }
WPB_FN void wpb_sync(wp_u64 mask) {
  (void)mask;
  __threadfence_block();
  __syncwarp();
}
#ifndef WPB_SHFL_BY_MEMORY
WPB_FN wp_u32 wpb_shfl_u32(wp_u64 mask, wp_u32 v, int src) {
  (void)mask;
  return __shfl_sync(WPB__COREX_MASK, v, src, WPB_WARP_SIZE);
}
#endif
#if WARPPORT_NATIVE_BALLOT
WPB_FN wp_u64 wpb_ballot(wp_u64 mask, int p) { return (wp_u64)__ballot_sync(WPB__COREX_MASK, p) & mask; }
#else
#define WPB_BALLOT_BY_SHFL 1
#endif
#if WARPPORT_NATIVE_ACTIVE_MASK
WPB_FN wp_u64 wpb_active_mask(void) { return (wp_u64)__activemask(); }
#else
#define WPB_ACTIVE_MASK_UNKNOWN 1
#endif

#endif
