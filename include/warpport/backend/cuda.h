/* warpport/backend/cuda.h: NVIDIA, sm_70 and later, through nvcc, clang's CUDA mode, or NVRTC (no system header needed).
 *
 * Masks are honoured by the hardware; lanes converge at the call (PTX ISA 9.7.9: shfl.sync, vote.sync, match.sync, redux.sync,
 * elect.sync, bar.warp.sync). The mask of a call may be any subset of the warp, other lanes may be elsewhere. */
#ifndef WARPPORT_BACKEND_CUDA_H
#define WARPPORT_BACKEND_CUDA_H

#include "../types.h"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "warpport: CUDA devices before sm_70 have no independent lanes and are not supported; compile for sm_70 or later"
#endif

/* unused: WP_DEFINE_REDUCE makes helper functions, of which a file may need none. */
#define WPB_FN static __device__ __forceinline__ __attribute__((unused))
#if !defined(__clang__) /* clang unrolls these by itself, and warns of each loop with the pragma whose width it does not know */
#define WPB_UNROLL _Pragma("unroll")
#endif
#define WPB_MEMCPY(to, from, bytes) memcpy(to, from, bytes) /* NVRTC knows no __builtin_memcpy */

/* nvcc and NVRTC cannot ask whether a value is constant (no __builtin_constant_p in device code), so they let a bad width pass. */
#if defined(__clang__)
__device__ void wpb_bad_width(void) __attribute__((error("warpport: the width must be a power of two, from 1 to the warp size")));
#define WPB_BAD_WIDTH() wpb_bad_width()
#endif

#define WPB_PTX_ASM asm
#ifdef __CUDA_ARCH__
#define WPB_PTX_SM (__CUDA_ARCH__ / 10)
#else
#define WPB_PTX_SM 70 /* the host's pass compiles no PTX */
#endif
#include "ptx.h"

/* ---- shuffles (PTX ISA, shfl.sync) ---- */

WPB_FN wp_u32 wpb_shfl_u32(wp_u32 mask, wp_u32 v, int src) { return __shfl_sync(mask, v, src, 32); }
/* The chip takes the lane modulo the width, as the contract does. */
#define WPB_HAS_SHFL_WIDTH 1
WPB_FN wp_u32 wpb_shfl_width_u32(wp_u32 mask, wp_u32 v, int lane, int width) { return __shfl_sync(mask, v, lane, width); }
/* The chip takes the delta modulo 32 and keeps the own value outside the segment; the guard folds away for a constant delta. */
#define WPB_HAS_SHFL_UP 1
WPB_FN wp_u32 wpb_shfl_up_u32(wp_u32 mask, wp_u32 v, int delta, int width) {
  wp_u32 got = __shfl_up_sync(mask, v, (unsigned)delta, width);
  return (unsigned)delta < 32u ? got : v;
}
#define WPB_HAS_SHFL_DOWN 1
WPB_FN wp_u32 wpb_shfl_down_u32(wp_u32 mask, wp_u32 v, int delta, int width) {
  wp_u32 got = __shfl_down_sync(mask, v, (unsigned)delta, width);
  return (unsigned)delta < 32u ? got : v;
}
#define WPB_HAS_SHFL_XOR 1
WPB_FN wp_u32 wpb_shfl_xor_u32(wp_u32 mask, wp_u32 v, int lane_mask, int width) { return __shfl_xor_sync(mask, v, lane_mask, width); }

/* An inactive source, one outside the mask, or one outside the segment gives some value, and no fault. */
#define WPB_HAS_LOOSE 1
WPB_FN wp_u32 wpb_loose_up_u32(wp_u32 mask, wp_u32 v, int delta, int width) { return __shfl_up_sync(mask, v, (unsigned)delta, width); }
WPB_FN wp_u32 wpb_loose_down_u32(wp_u32 mask, wp_u32 v, int delta, int width) { return __shfl_down_sync(mask, v, (unsigned)delta, width); }
WPB_FN wp_u32 wpb_loose_xor_u32(wp_u32 mask, wp_u32 v, int lane_mask, int width) { return __shfl_xor_sync(mask, v, lane_mask, width); }

/* ---- vote, match, sync ---- */

WPB_FN wp_u32 wpb_ballot(wp_u32 mask, int p) { return __ballot_sync(mask, p); }
#define WPB_HAS_ANY 1
WPB_FN bool wpb_any(wp_u32 mask, int p) { return __any_sync(mask, p) != 0; }
#define WPB_HAS_ALL 1
WPB_FN bool wpb_all(wp_u32 mask, int p) { return __all_sync(mask, p) != 0; }
#define WPB_HAS_UNIFORM 1
WPB_FN bool wpb_uniform(wp_u32 mask, int p) { return __uni_sync(mask, p) != 0; }
WPB_FN wp_u32 wpb_active_mask(void) { return __activemask(); }
WPB_FN void wpb_sync(wp_u32 mask) { __syncwarp(mask); }

#define WPB_HAS_MATCH_ANY_U32 1
WPB_FN wp_u32 wpb_match_any_u32(wp_u32 mask, wp_u32 v) { return __match_any_sync(mask, v); }
#define WPB_HAS_MATCH_ANY_U64 1
WPB_FN wp_u32 wpb_match_any_u64(wp_u32 mask, wp_u64 v) { return __match_any_sync(mask, v); }
#define WPB_HAS_MATCH_ALL_U32 1
WPB_FN bool wpb_match_all_u32(wp_u32 mask, wp_u32 v) {
  int same;
  __match_all_sync(mask, v, &same);
  return same != 0;
}
#define WPB_HAS_MATCH_ALL_U64 1
WPB_FN bool wpb_match_all_u64(wp_u32 mask, wp_u64 v) {
  int same;
  __match_all_sync(mask, v, &same);
  return same != 0;
}

/* ---- reductions (PTX ISA, redux.sync, sm_80): any mask, different tiles of one warp at once ---- */

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define WPB_HAS_REDUCE32 1
WPB_FN wp_u32 wpb_reduce_add_u32(wp_u32 mask, wp_u32 v) { return __reduce_add_sync(mask, v); }
WPB_FN wp_u32 wpb_reduce_min_u32(wp_u32 mask, wp_u32 v) { return __reduce_min_sync(mask, v); }
WPB_FN wp_u32 wpb_reduce_max_u32(wp_u32 mask, wp_u32 v) { return __reduce_max_sync(mask, v); }
WPB_FN wp_i32 wpb_reduce_min_i32(wp_u32 mask, wp_i32 v) { return __reduce_min_sync(mask, v); }
WPB_FN wp_i32 wpb_reduce_max_i32(wp_u32 mask, wp_i32 v) { return __reduce_max_sync(mask, v); }
WPB_FN wp_u32 wpb_reduce_and_u32(wp_u32 mask, wp_u32 v) { return __reduce_and_sync(mask, v); }
WPB_FN wp_u32 wpb_reduce_or_u32(wp_u32 mask, wp_u32 v) { return __reduce_or_sync(mask, v); }
WPB_FN wp_u32 wpb_reduce_xor_u32(wp_u32 mask, wp_u32 v) { return __reduce_xor_sync(mask, v); }
#endif

/* ---- bits ---- */

#define WPB_HAS_BITCOUNT 1
#define WPB_BIT_OF_ZERO_IS_MINUS_1 1
WPB_FN int wpb_popcount32(wp_u32 v) { return __popc((int)v); }
WPB_FN int wpb_popcount64(wp_u64 v) { return __popcll((long long)v); }
WPB_FN int wpb_lowest32(wp_u32 v) { return __ffs((int)v) - 1; }
WPB_FN int wpb_lowest64(wp_u64 v) { return __ffsll((long long)v) - 1; }
WPB_FN int wpb_highest32(wp_u32 v) { return 31 - __clz((int)v); }
WPB_FN int wpb_highest64(wp_u64 v) { return 63 - __clzll((long long)v); }

/* ---- kernel language ---- */

/* The text of the parameters goes along, so that a launcher can check arguments: a driver tells at most their sizes. */
#define WPB_KERNEL(name, ...) \
  extern "C" __device__ const char wpb_signature_##name[] = #__VA_ARGS__; \
  extern "C" __global__ void name(__VA_ARGS__)
#define WPB_DEVICE static __device__
#define WPB_GLOBAL
#define WPB_LOCAL
#define WPB_CONSTANT const
#define WPB_RESTRICT __restrict__
#define WPB_SHARED(T, name, n) __shared__ T name[n]
#define WPB_SHARED_2D(T, name, n, m) __shared__ T name[n][m]
/* The launcher lays dynamic arrays one behind the other and passes the offset of each. */
#define WPB_SHARED_PARAM(T, name) wp_u32 wpb_shared_offset_##name
#define WPB_SHARED_BIND(T, name) \
  extern __shared__ __align__(16) unsigned char wpb_dynamic_shared[]; \
  T *const name = (T *)(wpb_dynamic_shared + wpb_shared_offset_##name)
#define WPB_BARRIER() __syncthreads()

WPB_FN int wpb_thread_x(void) { return (int)threadIdx.x; }
WPB_FN int wpb_thread_y(void) { return (int)threadIdx.y; }
WPB_FN int wpb_thread_z(void) { return (int)threadIdx.z; }
WPB_FN int wpb_block_x(void) { return (int)blockIdx.x; }
WPB_FN int wpb_block_y(void) { return (int)blockIdx.y; }
WPB_FN int wpb_block_z(void) { return (int)blockIdx.z; }
WPB_FN int wpb_block_dim_x(void) { return (int)blockDim.x; }
WPB_FN int wpb_block_dim_y(void) { return (int)blockDim.y; }
WPB_FN int wpb_block_dim_z(void) { return (int)blockDim.z; }
WPB_FN int wpb_grid_dim_x(void) { return (int)gridDim.x; }
WPB_FN int wpb_grid_dim_y(void) { return (int)gridDim.y; }
WPB_FN int wpb_grid_dim_z(void) { return (int)gridDim.z; }

/* ---- floats: IEEE forms, whatever -ftz or -prec-sqrt say ---- */

WPB_FN float wpb_sqrt_f32(float x) { return __fsqrt_rn(x); }
WPB_FN float wpb_fma_f32(float a, float b, float c) { return __fmaf_rn(a, b, c); }
WPB_FN float wpb_fabs_f32(float x) { return fabsf(x); }
WPB_FN float wpb_floor_f32(float x) { return floorf(x); }
WPB_FN float wpb_ceil_f32(float x) { return ceilf(x); }
WPB_FN double wpb_sqrt_f64(double x) { return __dsqrt_rn(x); }
WPB_FN double wpb_fma_f64(double a, double b, double c) { return __fma_rn(a, b, c); }
WPB_FN double wpb_fabs_f64(double x) { return fabs(x); }
WPB_FN double wpb_floor_f64(double x) { return floor(x); }
WPB_FN double wpb_ceil_f64(double x) { return ceil(x); }
/* PTX ISA, min and max: a NaN is ignored, +0.0 > -0.0. */
#define WPB_HAS_MINMAX_F32 1
WPB_FN float wpb_min_f32(float a, float b) { return fminf(a, b); }
WPB_FN float wpb_max_f32(float a, float b) { return fmaxf(a, b); }
#define WPB_HAS_MINMAX_F64 1
WPB_FN double wpb_min_f64(double a, double b) { return fmin(a, b); }
WPB_FN double wpb_max_f64(double a, double b) { return fmax(a, b); }

/* ---- atomics: relaxed; global and shared by the generic address ---- */

#define WPB__ATOMIC(op, call, T, S, AS) \
  WPB_FN T wpb_atomic_##op##_##S(T *p, T v) { return (T)call((AS *)p, (AS)v); } \
  WPB_FN T wpb_atomic_##op##_local_##S(T *p, T v) { return (T)call((AS *)p, (AS)v); }
#define WPB__ATOMICS(T, S) \
  WPB__ATOMIC(add, atomicAdd, T, S, T) WPB__ATOMIC(min, atomicMin, T, S, T) WPB__ATOMIC(max, atomicMax, T, S, T) \
  WPB__ATOMIC(and, atomicAnd, T, S, T) WPB__ATOMIC(or, atomicOr, T, S, T) WPB__ATOMIC(xor, atomicXor, T, S, T) \
  WPB__ATOMIC(exch, atomicExch, T, S, T)
WPB__ATOMICS(wp_i32, i32)
WPB__ATOMICS(wp_u32, u32)
WPB__ATOMICS(wp_u64, u64)
WPB__ATOMIC(add, atomicAdd, wp_f32, f32, wp_f32)
#undef WPB__ATOMICS
#undef WPB__ATOMIC
#define WPB__CAS(T, S) \
  WPB_FN T wpb_atomic_cas_##S(T *p, T expected, T v) { return atomicCAS(p, expected, v); } \
  WPB_FN T wpb_atomic_cas_local_##S(T *p, T expected, T v) { return atomicCAS(p, expected, v); }
WPB__CAS(wp_i32, i32)
WPB__CAS(wp_u32, u32)
WPB__CAS(wp_u64, u64)
#undef WPB__CAS
#define WPB_HAS_ATOMIC64 1

#endif
