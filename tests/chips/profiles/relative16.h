/* tiny: the made-up chip of docs/new_chip.md. 16 lanes; a lane can only read the lane n below or above it, n being the same in all
 * lanes; no ballot. The language is CUDA's.
 *
 * Confirmed by warpport-selftest on the emulated chip: what lies beyond the ends of the warp is garbage. */
#ifndef TINY_H
#define TINY_H

#define WPB_CHIP_LANES 16
#include <warpport/backend/cuda_like.h>

WPB_FN int wpb_lane(void) { return tiny_lane(); }
WPB_FN void wpb_sync(WPB_MASK_T mask) {
  (void)mask;
  tiny_sync();
}

#define WPB_SHFL_BY_UNIFORM_DELTA 1
WPB_FN wp_u32 wpb_raw_up_u32(WPB_MASK_T mask, wp_u32 v, int delta) {
  (void)mask;
  return tiny_up(v, delta);
}
WPB_FN wp_u32 wpb_raw_down_u32(WPB_MASK_T mask, wp_u32 v, int delta) {
  (void)mask;
  return tiny_down(v, delta);
}
#define WPB_BALLOT_BY_SHFL 1
#define WPB_ACTIVE_MASK_UNKNOWN 1

#endif
