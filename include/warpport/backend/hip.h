/* warpport/backend/hip.h: AMD, gfx8 and later, wavefronts of 64 lanes (gfx8, gfx9: Vega, CDNA) or 32 (gfx10 to gfx12: RDNA), through
 * hipcc, clang -x hip, or hipRTC. No HIP header is needed or used, so its version does not matter.
 *
 * HIP's _sync functions are not used: they assert that the masks of all lanes together are the active lanes, and abort on what is
 * legal elsewhere. The lanes of a wavefront that reach a call are converged there; masks only select.
 * The host pass and the device passes agree on every type and public constant: masks always have 64 bits, and WP_WARP_SIZE is not
 * a constant; wp_warp_size() folds to one in each device pass. */
#ifndef WARPPORT_BACKEND_HIP_H
#define WARPPORT_BACKEND_HIP_H

#include "../types.h"

#define WPB_FN static __attribute__((device)) inline __attribute__((always_inline, unused))
#define WPB_MASK_T wp_u64
#define WPB_MASK_BITS 64
#define WPB_MAX_WARP_SIZE 64

#include "amdgcn.h"

#if defined(WARPPORT_WARP_SIZE) && defined(WPB_AMD_WAVE) && WARPPORT_WARP_SIZE > WPB_AMD_WAVE
#error "warpport: WARPPORT_WARP_SIZE is larger than the wavefronts of this chip (32 lanes on gfx10 and later); a logical warp must fit in one"
#endif
/* The size in this pass alone: never in a type or a signature. */
#ifdef WPB_AMD_WAVE
#define WPB_PASS_WARP_SIZE WPB_AMD_WAVE
#endif

/* A lane may pass a variable that it never set (only the lane that is read has). Without this, the compiler takes the others'
 * reading of it as undefined behaviour and may break the whole call; with it, they pass any value. */
#if defined(__has_attribute)
#if __has_attribute(maybe_undef)
#define WPB_ANY __attribute__((maybe_undef))
#endif
#endif

/* The compiler fuses a*b+c unless told otherwise; functions with fixed bits forbid it. */
#define WPB_NO_CONTRACT _Pragma("clang fp contract(off)")

__attribute__((device, error("warpport: a width must be a power of two, 1 ... 64"))) void wpb_width_is_no_power_of_two(void);
#define WPB_BAD_WIDTH() wpb_width_is_no_power_of_two()

/* ---- lane ---- */

WPB_FN int wpb_warp_size(void) { return wpb_amd_wave(); }
WPB_FN int wpb_lane(void) { return wpb_amd_lane(); }
#define WPB_HAS_COUNT_BELOW 1
WPB_FN int wpb_count_below(wp_u64 mask) { return wpb_amd_count_below(mask); }

/* ---- shuffles ---- */

WPB_FN wp_u32 wpb_shfl_u32(wp_u64 mask, wp_u32 v, int src) {
  (void)mask;
  return __builtin_constant_p(src) ? wpb_amd_readlane(v, src) : wpb_amd_pull(v, src);
}
#define WPB_HAS_SHFL_WIDTH 1
WPB_FN wp_u32 wpb_shfl_width_u32(wp_u64 mask, wp_u32 v, int lane, int width) { (void)mask; return wpb_amd_shfl(v, lane, width); }
#define WPB_HAS_SHFL_UP 1
WPB_FN wp_u32 wpb_shfl_up_u32(wp_u64 mask, wp_u32 v, int delta, int width) { (void)mask; return wpb_amd_up(v, delta, width); }
#define WPB_HAS_SHFL_DOWN 1
WPB_FN wp_u32 wpb_shfl_down_u32(wp_u64 mask, wp_u32 v, int delta, int width) { (void)mask; return wpb_amd_down(v, delta, width); }
#define WPB_HAS_SHFL_XOR 1
WPB_FN wp_u32 wpb_shfl_xor_u32(wp_u64 mask, wp_u32 v, int lane_mask, int width) {
  (void)mask;
  return wpb_amd_xor(v, lane_mask & (width - 1));
}
#define WPB_HAS_ROTATE 1
WPB_FN wp_u32 wpb_rotate_u32(wp_u64 mask, wp_u32 v, int delta, int width) { (void)mask; return wpb_amd_rotate(v, delta, width); }
#define WPB_HAS_BROADCAST_FIRST 1
WPB_FN wp_u32 wpb_broadcast_first_u32(wp_u64 mask, wp_u32 v) { return wpb_amd_broadcast_first(mask, v); }

/* A lane that is off or outside reads as anything, never as a fault. */
#define WPB_HAS_LOOSE 1
WPB_FN wp_u32 wpb_loose_up_u32(wp_u64 mask, wp_u32 v, int delta, int width) { (void)mask; return wpb_amd_loose_up(v, delta, width); }
WPB_FN wp_u32 wpb_loose_down_u32(wp_u64 mask, wp_u32 v, int delta, int width) { (void)mask; return wpb_amd_loose_down(v, delta, width); }
WPB_FN wp_u32 wpb_loose_xor_u32(wp_u64 mask, wp_u32 v, int lane_mask, int width) {
  (void)mask;
  return wpb_amd_xor(v, lane_mask & (width - 1));
}

/* ---- steps of reductions and scans ---- */

#ifdef WPB_AMD_HAS_DPP
#define WPB_HAS_NEIGHBOUR 1
WPB_FN wp_u32 wpb_neighbour_u32(wp_u32 v, int b) { return wpb_amd_neighbour(v, b); }
#ifdef WPB_AMD_HAS_DPP_WAVE
#define WPB_HAS_CARRY 1
WPB_FN wp_u32 wpb_carry_u32(wp_u32 v, int b) { return wpb_amd_carry(v, b); }
#endif
#define WPB_HAS_SCAN_STEP 1
WPB_FN wp_u32 wpb_scan_step_u32(wp_u32 v, int d, wp_u32 none) { return wpb_amd_scan_step(v, d, none); }
#define WPB_HAS_SCAN_ROW_ADD_F32 1
WPB_FN float wpb_scan_row_add_f32(float v) { return wpb_amd_scan_row_add_f32(v); }
#endif
/* v_min_f32 needs its inputs made canonical first, and cannot be fused with DPP then. */
#define WPB_MINMAX_BY_ORDER 1

/* ---- vote, match, sync ---- */

WPB_FN wp_u64 wpb_ballot(wp_u64 mask, int p) { return wpb_amd_ballot(p != 0) & mask; }
WPB_FN wp_u64 wpb_active_mask(void) { return wpb_amd_active(); }
WPB_FN void wpb_sync(wp_u64 mask) { (void)mask; wpb_amd_sync(); }

#define WPB_HAS_MATCH_ANY_U32 1
WPB_FN wp_u64 wpb_match_any_u32(wp_u64 mask, wp_u32 v) { return wpb_amd_match_u32(mask, v); }
#define WPB_HAS_MATCH_ANY_U64 1
WPB_FN wp_u64 wpb_match_any_u64(wp_u64 mask, wp_u64 v) { return wpb_amd_match_u64(mask, v); }

/* ---- kernel language ---- */

/* The attributes themselves: __global__ and the like are macros of HIP's headers, which may be absent. */
#define WPB_KERNEL(name, ...) extern "C" __attribute__((global)) void name(__VA_ARGS__)
#define WPB_DEVICE static __attribute__((device, unused))
#define WPB_GLOBAL
#define WPB_LOCAL
#define WPB_CONSTANT const
#define WPB_RESTRICT __restrict__
#define WPB_SHARED(T, name, n) static __attribute__((shared)) T name[n]
#define WPB_SHARED_2D(T, name, n, m) static __attribute__((shared)) T name[n][m]
/* The launcher lays dynamic arrays one behind the other and passes the offset of each. */
#define WPB_SHARED_PARAM(T, name) wp_u32 wpb_shared_offset_##name
#define WPB_SHARED_BIND(T, name) \
  extern __attribute__((shared, aligned(16))) unsigned char wpb_dynamic_shared[]; \
  T *const name = (T *)(wpb_dynamic_shared + wpb_shared_offset_##name)

/* Wavefronts that have ended do not count at s_barrier. */
WPB_FN void wpb_barrier(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#define WPB_BARRIER() wpb_barrier()

WPB_FN int wpb_thread_x(void) { return (int)__builtin_amdgcn_workitem_id_x(); }
WPB_FN int wpb_thread_y(void) { return (int)__builtin_amdgcn_workitem_id_y(); }
WPB_FN int wpb_thread_z(void) { return (int)__builtin_amdgcn_workitem_id_z(); }
WPB_FN int wpb_block_x(void) { return (int)__builtin_amdgcn_workgroup_id_x(); }
WPB_FN int wpb_block_y(void) { return (int)__builtin_amdgcn_workgroup_id_y(); }
WPB_FN int wpb_block_z(void) { return (int)__builtin_amdgcn_workgroup_id_z(); }
WPB_FN int wpb_block_dim_x(void) { return (int)__builtin_amdgcn_workgroup_size_x(); }
WPB_FN int wpb_block_dim_y(void) { return (int)__builtin_amdgcn_workgroup_size_y(); }
WPB_FN int wpb_block_dim_z(void) { return (int)__builtin_amdgcn_workgroup_size_z(); }
/* The dispatch counts work items, whatever the code object's version. */
WPB_FN int wpb_grid_dim_x(void) { return (int)(__builtin_amdgcn_grid_size_x() / (unsigned)__builtin_amdgcn_workgroup_size_x()); }
WPB_FN int wpb_grid_dim_y(void) { return (int)(__builtin_amdgcn_grid_size_y() / (unsigned)__builtin_amdgcn_workgroup_size_y()); }
WPB_FN int wpb_grid_dim_z(void) { return (int)(__builtin_amdgcn_grid_size_z() / (unsigned)__builtin_amdgcn_workgroup_size_z()); }

/* ---- floats ---- */

WPB_FN float wpb_fma_f32(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
WPB_FN float wpb_fabs_f32(float x) { return __builtin_fabsf(x); }
WPB_FN float wpb_floor_f32(float x) { return __builtin_floorf(x); }
WPB_FN float wpb_ceil_f32(float x) { return __builtin_ceilf(x); }
WPB_FN double wpb_fma_f64(double a, double b, double c) { return __builtin_fma(a, b, c); }
WPB_FN double wpb_fabs_f64(double x) { return __builtin_fabs(x); }
WPB_FN double wpb_floor_f64(double x) { return __builtin_floor(x); }
WPB_FN double wpb_ceil_f64(double x) { return __builtin_ceil(x); }

/* v_sqrt_f32 errs by one unit in the last place: try both neighbours (r(x) = x - s*t is exact enough by fma). Compilers before LLVM 18
 * leave that to HIP's device library, so it is written here. */
WPB_FN float wpb_sqrt_f32(float x) {
  WPB_NO_CONTRACT
  union { float f; wp_u32 u; } s, low, high;
  bool small = x < 1.2621774e-29f; /* 2^-96: scale, so that the residuals are no denormals */
  float y = small ? x * 4294967296.0f : x;
  s.f = __builtin_amdgcn_sqrtf(y);
  low.u = s.u - 1u;
  high.u = s.u + 1u;
  if (y > 0.0f && y < __builtin_inff()) {
    float below = __builtin_fmaf(-low.f, s.f, y), above = __builtin_fmaf(-high.f, s.f, y);
    if (below <= 0.0f) s.f = low.f;
    if (above > 0.0f) s.f = high.f;
  }
  return small ? s.f * 1.52587890625e-05f : s.f;
}
/* From the reciprocal square root, by Goldschmidt's iteration: s -> sqrt(y), h -> 1 / (2 sqrt(y)), and two exact residuals. */
WPB_FN double wpb_sqrt_f64(double x) {
  WPB_NO_CONTRACT
  bool small = x < 0x1p-767;
  double y = small ? x * 0x1p+256 : x;
  double s, h, r;
  if (!(y > 0.0 && y < __builtin_inf())) return y < 0.0 ? __builtin_nan("") : x;
  r = __builtin_amdgcn_rsq(y);
  s = y * r;
  h = r * 0.5;
  r = __builtin_fma(-h, s, 0.5);
  s = __builtin_fma(s, r, s);
  h = __builtin_fma(h, r, h);
  s = __builtin_fma(__builtin_fma(-s, s, y), h, s);
  s = __builtin_fma(__builtin_fma(-s, s, y), h, s);
  return small ? s * 0x1p-128 : s;
}

/* v_cvt_f16_f32 and v_cvt_f32_f16: to nearest even, denormals kept. The host pass may be for a chip without _Float16. */
#if WPB_AMD_DEVICE
#define WPB_HAS_F16_CVT 1
WPB_FN wp_u16 wpb_f16_from_f32(float f) {
  union { _Float16 h; wp_u16 u; } x;
  x.h = (_Float16)f;
  return x.u;
}
WPB_FN float wpb_f32_from_f16(wp_u16 bits) {
  union { _Float16 h; wp_u16 u; } x;
  x.u = bits;
  return (float)x.h;
}
#endif

#if WPB_AMD_DEVICE
/* In the type itself: correctly rounded as by way of binary32 (half.h), and v_pk_ instructions for pairs. */
#define WPB_HAS_ARITH_F16 1
typedef _Float16 wpb_half2 __attribute__((ext_vector_type(2)));
#define WPB__HALF(op, sign) \
  WPB_FN wp_u16 wpb_##op##_f16(wp_u16 a, wp_u16 b) { \
    WPB_NO_CONTRACT \
    union { _Float16 h; wp_u16 u; } x, y; \
    x.u = a; \
    y.u = b; \
    x.h = x.h sign y.h; \
    return x.u; \
  } \
  WPB_FN wp_u32 wpb_##op##_f16x2(wp_u32 a, wp_u32 b) { \
    WPB_NO_CONTRACT \
    union { wpb_half2 h; wp_u32 u; } x, y; \
    x.u = a; \
    y.u = b; \
    x.h = x.h sign y.h; \
    return x.u; \
  }
WPB__HALF(add, +)
WPB__HALF(mul, *)
#undef WPB__HALF
#endif

/* ---- atomics: relaxed ---- */

#define WPB__ATOMIC(op, builtin, T, S) \
  WPB_FN T wpb_atomic_##op##_##S(T *p, T v) { return builtin(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); } \
  WPB_FN T wpb_atomic_##op##_local_##S(T *p, T v) { return builtin(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP); }
#define WPB__CAS(T, S, place, scope) \
  WPB_FN T wpb_atomic_cas##place##_##S(T *p, T expected, T v) { \
    (void)__hip_atomic_compare_exchange_strong(p, &expected, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope); \
    return expected; \
  }
#define WPB__ATOMICS(T, S) \
  WPB__ATOMIC(add, __hip_atomic_fetch_add, T, S) WPB__ATOMIC(min, __hip_atomic_fetch_min, T, S) \
  WPB__ATOMIC(max, __hip_atomic_fetch_max, T, S) WPB__ATOMIC(and, __hip_atomic_fetch_and, T, S) \
  WPB__ATOMIC(or, __hip_atomic_fetch_or, T, S) WPB__ATOMIC(xor, __hip_atomic_fetch_xor, T, S) \
  WPB__ATOMIC(exch, __hip_atomic_exchange, T, S) \
  WPB__CAS(T, S, , __HIP_MEMORY_SCOPE_AGENT) WPB__CAS(T, S, _local, __HIP_MEMORY_SCOPE_WORKGROUP)
WPB__ATOMICS(wp_i32, i32)
WPB__ATOMICS(wp_u32, u32)
WPB__ATOMICS(wp_u64, u64)
WPB__ATOMIC(add, __hip_atomic_fetch_add, wp_f32, f32)
#undef WPB__ATOMICS
#undef WPB__CAS
#undef WPB__ATOMIC
#define WPB_HAS_ATOMIC64 1

#endif
