/* warpport/backend/cuda_like.h: what the backends of chips have in common whose language is CUDA C++ under another name: kernel
 * language, indices, atomics, floats, bit counting. Not a backend: backend/musa.h and others define their chip's properties, include
 * it, and add lane, exchange, ballot, sync and active mask.
 *
 * Set before including it: WPB_CHIP_LANES, the lanes a program sees (WARPPORT_CHIP_LANES and WARPPORT_CHIP_MASK_BITS override what
 * follows from it). Where the chip spells the indices its own way: WPB_THREAD_IDX, WPB_BLOCK_IDX, WPB_BLOCK_DIM, WPB_GRID_DIM.
 * WPB_NO_ATOMIC64 where 64-bit atomics are missing in global or in shared memory.
 *
 * Only functions that every CUDA of the last ten years has are used here: no inline assembly, no __nv* names, no cooperative groups. */
#ifndef WARPPORT_BACKEND_CUDA_LIKE_H
#define WARPPORT_BACKEND_CUDA_LIKE_H

#include "../types.h"

#ifdef WARPPORT_CHIP_LANES
#define WPB_WARP_SIZE WARPPORT_CHIP_LANES
#elif defined(WPB_CHIP_LANES)
#define WPB_WARP_SIZE WPB_CHIP_LANES
#else
#error "warpport: the backend file must define WPB_CHIP_LANES, the lanes of a warp, before it includes cuda_like.h"
#define WPB_WARP_SIZE 32
#endif
#if WPB_WARP_SIZE < 1 || WPB_WARP_SIZE > 64 || (WPB_WARP_SIZE & (WPB_WARP_SIZE - 1)) != 0
#error "warpport: WPB_CHIP_LANES, or WARPPORT_CHIP_LANES, must be 1, 2, 4, 8, 16, 32 or 64"
#endif
#ifdef WARPPORT_CHIP_MASK_BITS
#define WPB_MASK_BITS WARPPORT_CHIP_MASK_BITS
#elif WPB_WARP_SIZE > 32
#define WPB_MASK_BITS 64
#else
#define WPB_MASK_BITS 32
#endif
#if (WPB_MASK_BITS != 32 && WPB_MASK_BITS != 64) || WPB_MASK_BITS < WPB_WARP_SIZE
#error "warpport: WARPPORT_CHIP_MASK_BITS must be 32 or 64, and hold all lanes"
#endif
#if WPB_MASK_BITS == 32
#define WPB_MASK_T wp_u32
#else
#define WPB_MASK_T wp_u64
#endif
#define WPB_MAX_WARP_SIZE WPB_WARP_SIZE

/* ---- kernel language; left out where WPB_KERNEL is there already (docs/backend_contract.md, "Another kernel language") ---- */

#ifndef WPB_KERNEL
#define WPB_FN static __device__ __attribute__((always_inline, unused)) inline
#define WPB_DEVICE static __device__ __attribute__((unused))
#define WPB_GLOBAL
#define WPB_LOCAL
#define WPB_CONSTANT const
#define WPB_RESTRICT __restrict__
#define WPB_SHARED(T, name, n) __shared__ T name[n]
#define WPB_SHARED_2D(T, name, n, m) __shared__ T name[n][m]
/* The launcher lays dynamic arrays one behind the other and passes the offset of each. */
#define WPB_SHARED_PARAM(T, name) wp_u32 wpb_shared_offset_##name
#define WPB_SHARED_BIND(T, name) \
  extern __shared__ unsigned char wpb_dynamic_shared[] __attribute__((aligned(16))); \
  T *const name = (T *)(wpb_dynamic_shared + wpb_shared_offset_##name)
#define WPB_BARRIER() __syncthreads()
/* WPB_KERNEL_ENTRY(name): file-scope text for each kernel in the host's pass, for a launcher that finds kernels by name. */
#ifdef WPB_KERNEL_ENTRY
#define WPB_KERNEL(name, ...) \
  extern "C" __global__ void name(__VA_ARGS__); \
  WPB_KERNEL_ENTRY(name) \
  extern "C" __global__ void name(__VA_ARGS__)
#else
#define WPB_KERNEL(name, ...) extern "C" __global__ void name(__VA_ARGS__)
#endif
#endif

/* ---- indices ---- */

#ifndef WPB_THREAD_IDX
#define WPB_THREAD_IDX threadIdx
#define WPB_BLOCK_IDX blockIdx
#define WPB_BLOCK_DIM blockDim
#define WPB_GRID_DIM gridDim
#endif
WPB_FN int wpb_thread_x(void) { return (int)WPB_THREAD_IDX.x; }
WPB_FN int wpb_thread_y(void) { return (int)WPB_THREAD_IDX.y; }
WPB_FN int wpb_thread_z(void) { return (int)WPB_THREAD_IDX.z; }
WPB_FN int wpb_block_x(void) { return (int)WPB_BLOCK_IDX.x; }
WPB_FN int wpb_block_y(void) { return (int)WPB_BLOCK_IDX.y; }
WPB_FN int wpb_block_z(void) { return (int)WPB_BLOCK_IDX.z; }
WPB_FN int wpb_block_dim_x(void) { return (int)WPB_BLOCK_DIM.x; }
WPB_FN int wpb_block_dim_y(void) { return (int)WPB_BLOCK_DIM.y; }
WPB_FN int wpb_block_dim_z(void) { return (int)WPB_BLOCK_DIM.z; }
WPB_FN int wpb_grid_dim_x(void) { return (int)WPB_GRID_DIM.x; }
WPB_FN int wpb_grid_dim_y(void) { return (int)WPB_GRID_DIM.y; }
WPB_FN int wpb_grid_dim_z(void) { return (int)WPB_GRID_DIM.z; }

/* Number of the thread in its block, x fastest: consecutive runs of warp size form the warps. */
WPB_FN int wpb__thread_rank(void) {
  return wpb_thread_x() + wpb_block_dim_x() * (wpb_thread_y() + wpb_block_dim_y() * wpb_thread_z());
}
WPB_FN int wpb_warp_size(void) { return WPB_WARP_SIZE; }

/* WPB_SHFL_BY_MEMORY: a word a thread, the caller's warp at its row. Blocks have at most 1024 threads. */
#ifdef WPB_SHFL_BY_MEMORY
WPB_FN wp_u32 *wpb_scratch(void) {
  WPB_SHARED(wp_u32, wpb_words, 1024);
  return wpb_words + (wpb__thread_rank() & ~(WPB_WARP_SIZE - 1));
}
#endif

/* ---- bits ---- */

#define WPB_HAS_BITCOUNT 1
WPB_FN int wpb_popcount32(wp_u32 v) { return (int)__popc((unsigned)v); }
WPB_FN int wpb_popcount64(wp_u64 v) { return (int)__popcll((unsigned long long)v); }
WPB_FN int wpb_lowest32(wp_u32 v) { return (int)__ffs((int)v) - 1; }
WPB_FN int wpb_lowest64(wp_u64 v) { return (int)__ffsll((long long)v) - 1; }
WPB_FN int wpb_highest32(wp_u32 v) { return 31 - (int)__clz((int)v); }
WPB_FN int wpb_highest64(wp_u64 v) { return 63 - (int)__clzll((long long)v); }

/* ---- floats ---- */

WPB_FN float wpb_sqrt_f32(float x) { return sqrtf(x); }
WPB_FN float wpb_fma_f32(float a, float b, float c) { return fmaf(a, b, c); }
WPB_FN float wpb_fabs_f32(float x) { return fabsf(x); }
WPB_FN float wpb_floor_f32(float x) { return floorf(x); }
WPB_FN float wpb_ceil_f32(float x) { return ceilf(x); }
#ifdef WP_HAS_F64
WPB_FN double wpb_sqrt_f64(double x) { return sqrt(x); }
WPB_FN double wpb_fma_f64(double a, double b, double c) { return fma(a, b, c); }
WPB_FN double wpb_fabs_f64(double x) { return fabs(x); }
WPB_FN double wpb_floor_f64(double x) { return floor(x); }
WPB_FN double wpb_ceil_f64(double x) { return ceil(x); }
#endif

/* ---- atomics: global and shared memory through the generic address ---- */

#define WPB__ATOMIC(op, call, T, S) \
  WPB_FN T wpb_atomic_##op##_##S(T *p, T v) { return call(p, v); } \
  WPB_FN T wpb_atomic_##op##_local_##S(T *p, T v) { return call(p, v); }
#define WPB__ATOMICS(T, S) \
  WPB__ATOMIC(add, atomicAdd, T, S) WPB__ATOMIC(min, atomicMin, T, S) WPB__ATOMIC(max, atomicMax, T, S) \
  WPB__ATOMIC(and, atomicAnd, T, S) WPB__ATOMIC(or, atomicOr, T, S) WPB__ATOMIC(xor, atomicXor, T, S) \
  WPB__ATOMIC(exch, atomicExch, T, S)
#define WPB__CAS(T, S) \
  WPB_FN T wpb_atomic_cas_##S(T *p, T expected, T v) { return atomicCAS(p, expected, v); } \
  WPB_FN T wpb_atomic_cas_local_##S(T *p, T expected, T v) { return atomicCAS(p, expected, v); }
WPB__ATOMICS(wp_i32, i32)
WPB__ATOMICS(wp_u32, u32)
WPB__ATOMIC(add, atomicAdd, wp_f32, f32)
WPB__CAS(wp_i32, i32)
WPB__CAS(wp_u32, u32)
#ifndef WPB_NO_ATOMIC64
#define WPB_HAS_ATOMIC64 1
WPB__ATOMIC(add, atomicAdd, wp_u64, u64)
WPB__ATOMIC(exch, atomicExch, wp_u64, u64)
WPB__CAS(wp_u64, u64)
/* 64-bit atomicMin and atomicMax came later than the others: not relied on. */
#define WPB__EXTREME(op, keeps) \
  WPB_FN wp_u64 wpb_atomic_##op##_u64(wp_u64 *p, wp_u64 v) { \
    wp_u64 old = *(volatile wp_u64 *)p; \
    while (!(old keeps v)) { \
      wp_u64 seen = atomicCAS(p, old, v); \
      if (seen == old) break; \
      old = seen; \
    } \
    return old; \
  } \
  WPB_FN wp_u64 wpb_atomic_##op##_local_u64(wp_u64 *p, wp_u64 v) { return wpb_atomic_##op##_u64(p, v); }
WPB__EXTREME(min, <=)
WPB__EXTREME(max, >=)
#undef WPB__EXTREME
#endif
#undef WPB__CAS
#undef WPB__ATOMICS
#undef WPB__ATOMIC

#endif
