/* warpport/backend/dtk.h: Hygon DCU through DTK, gfx906, gfx926, gfx928, gfx936, gfx938, by hipcc or by its nvcc shim.
 *
 * Confirmed: warps of 64 lanes on all of them (FlagTree's Hygon backend; DeepEP-das). No _sync functions by default: ports use the
 *   unmasked ones, make any and all from the ballot, and build a warp sync from a fence, a wave barrier and a fence (DeepEP-das).
 *   hipcc: __HIPCC__, __HIP_PLATFORM_AMD__. The shim takes CUDA sources with -arch=gfx936. The compilers are clang with the AMDGCN
 *   target, whose builtins are used here in both modes: they were compiled and run for gfx906, and need no header of the vendor's.
 * Assumed: builtins of the same names work on gfx926 ... gfx938, which are gfx906's descendants.
 * Only hardware can settle: what the shim predefines (so this backend is not detected: define WARPPORT_BACKEND=8 for it; hipcc without
 *   that gets backend/hip.h, which takes any gfx9 for 64 lanes, known to it or not).
 *
 * Convergence is the hardware's: lanes of a mask must reach the call together, as everywhere before independent lanes. */
#ifndef WARPPORT_BACKEND_DTK_H
#define WARPPORT_BACKEND_DTK_H

#define WPB_CHIP_LANES 64
#include "cuda_like.h"

WPB_FN int wpb_lane(void) { return (int)__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u)); }
/* An inactive source gives 0; ds_bpermute takes four times the lane and reaches all 64 on gfx9 (LLVM AMDGPU usage guide). */
WPB_FN wp_u32 wpb_shfl_u32(wp_u64 mask, wp_u32 v, int src) {
  (void)mask;
  return (wp_u32)__builtin_amdgcn_ds_bpermute(src << 2, (int)v);
}
/* clang 15 and before lack the ballot (DTK's compilers are of several ages); 33 is "not equal" (LLVM's CmpInst::ICMP_NE). */
#if defined(__builtin_amdgcn_ballot_w64) || __has_builtin(__builtin_amdgcn_ballot_w64)
#define WPB_DTK__BALLOT(p) __builtin_amdgcn_ballot_w64(p)
#else
#define WPB_DTK__BALLOT(p) __builtin_amdgcn_uicmp((p) ? 1u : 0u, 0u, 33)
#endif
WPB_FN wp_u64 wpb_ballot(wp_u64 mask, int p) { return (wp_u64)WPB_DTK__BALLOT(p != 0) & mask; }
WPB_FN wp_u64 wpb_active_mask(void) { return (wp_u64)WPB_DTK__BALLOT(true); }
/* The hardware keeps the lanes together; the fences keep the compiler from moving memory accesses across. */
WPB_FN void wpb_sync(wp_u64 mask) {
  (void)mask;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

#endif
