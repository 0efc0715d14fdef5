/* A chip with one way to exchange values: -DPROFILE_DELTA, _XOR, _CONSTANT_LANE, _FLOAT, _MEMORY or _BALLOT; lanes by
 * WARPPORT_CHIP_LANES. Each is a backend file of the size that docs/new_chip.md speaks of, in one file only to save repetition. */
#ifndef ONE_WAY_H
#define ONE_WAY_H

#define WPB_CHIP_LANES 32
#if defined(PROFILE_MEMORY)
#define WPB_SHFL_BY_MEMORY 1
#endif
#include <warpport/backend/cuda_like.h>

WPB_FN int wpb_lane(void) { return tiny_lane(); }
WPB_FN void wpb_sync(WPB_MASK_T mask) {
  (void)mask;
  tiny_sync();
}

#if defined(PROFILE_DELTA)
#define WPB_SHFL_BY_DELTA 1
WPB_FN wp_u32 wpb_raw_up_u32(WPB_MASK_T, wp_u32 v, int delta) { return lone_up(v, delta); }
WPB_FN wp_u32 wpb_raw_down_u32(WPB_MASK_T, wp_u32 v, int delta) { return lone_down(v, delta); }
#elif defined(PROFILE_UNIFORM_DELTA)
#define WPB_SHFL_BY_UNIFORM_DELTA 1
WPB_FN wp_u32 wpb_raw_up_u32(WPB_MASK_T, wp_u32 v, int delta) { return tiny_up(v, delta); }
WPB_FN wp_u32 wpb_raw_down_u32(WPB_MASK_T, wp_u32 v, int delta) { return tiny_down(v, delta); }
#elif defined(PROFILE_XOR)
#define WPB_SHFL_BY_UNIFORM_XOR 1
WPB_FN wp_u32 wpb_raw_xor_u32(WPB_MASK_T, wp_u32 v, int lane_mask) { return tiny_xor(v, lane_mask); }
#elif defined(PROFILE_CONSTANT_LANE)
#define WPB_SHFL_BY_CONSTANT_LANE 1
#define WPB_RAW_LANE_U32(mask, v, LANE) constant_shfl<LANE>(v)
#elif defined(PROFILE_FLOAT)
#define WPB_SHFL_BY_FLOAT 11
WPB_FN float wpb_raw_shfl_f32(WPB_MASK_T, float v, int src) { return float_shfl(v, src); }
#elif defined(PROFILE_BALLOT)
#define WPB_SHFL_BY_BALLOT 1
#endif

#if defined(PROFILE_BALLOT)
WPB_FN WPB_MASK_T wpb_ballot(WPB_MASK_T mask, int p) { return (WPB_MASK_T)wide_ballot(p) & mask; }
#else
#define WPB_BALLOT_BY_SHFL 1
#endif
#define WPB_ACTIVE_MASK_UNKNOWN 1

#endif
