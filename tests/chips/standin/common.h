/* What the stand-ins of vendor toolchains have in common. A stand-in declares exactly the built-in functions and variables that its
 * toolchain is known to have, once, for two purposes:
 *
 *   compile     clang's CUDA or HIP mode, no header but this: an undeclared intrinsic or a wrong mask type fails the build
 *   execute     STANDIN_EMULATED: plain C++, the functions run on the warp emulator, and behave as badly as the chip is known to
 *
 * The emulated chips run in lockstep: a built-in acts on the lanes that are active at the call (wp__host_active_mask()), whatever
 * mask is passed, and the value of a lane that is not is poison. Compile with clang -fconvergent-functions, as those chips'
 * compilers do by themselves: otherwise the optimiser may copy a call into two branches and part lanes that belong together. */
#ifndef STANDIN_COMMON_H
#define STANDIN_COMMON_H

#define STANDIN_STRIP(...) __VA_ARGS__

#if STANDIN_EMULATED
#define WP__HOST_KERNELS_ONLY 1
#include <warpport/backend/host.h>

#define STANDIN(declaration, ...) static inline __attribute__((always_inline, unused)) STANDIN_STRIP declaration { __VA_ARGS__ }

struct standin_uint3 { unsigned x, y, z; };
static inline standin_uint3 standin_thread(void) { return {wp__host_self->x, wp__host_self->y, wp__host_self->z}; }
static inline standin_uint3 standin_triple(const int *v) { return {(unsigned)v[0], (unsigned)v[1], (unsigned)v[2]}; }
#define STANDIN_THREAD standin_thread()
#define STANDIN_BLOCK standin_triple(wp__host_self->grid->block)
#define STANDIN_BLOCK_DIM standin_triple(wp__host_self->grid->block_dim)
#define STANDIN_GRID_DIM standin_triple(wp__host_self->grid->grid_dim)

/* ---- the warp in lockstep; lanes are those of the emulator ---- */

static inline __attribute__((always_inline, unused)) wp_u64 standin_active(void) {
  wp_u64 m = wp__host_active_mask();
  WP__HOST_STAY();
  return m;
}
/* What a lane that is not there gives, where v is what is being exchanged: for a predicate one that looks like it. */
static inline wp_u32 standin_poison(wp_u32 v) { return v <= 1u ? 1u : 0xdeadbeefu ^ (wp_u32)wp__host_self->lane * 0x01010101u; }
/* Each lane names the lane it reads, any int. */
static inline __attribute__((always_inline, unused)) wp_u32 standin_read(wp_u32 v, int src) {
  wp_u64 active = standin_active();
  bool there = (unsigned)src < 64u && (active >> ((unsigned)src & 63u) & 1u) != 0;
  wp_u32 got = wp__host_shfl_u32(active, v, there ? src : wp__host_self->lane);
  WP__HOST_STAY();
#if STANDIN_STRICT /* not even read: the kernel stops */
  if (!there) __builtin_trap();
#endif
  return there ? got : standin_poison(v);
}
static inline __attribute__((always_inline, unused)) wp_u64 standin_ballot(int p) {
  wp_u64 active = standin_active();
  wp_u64 got = wp__host_ballot(active, p);
  WP__HOST_STAY();
  return got;
}
static inline __attribute__((always_inline, unused)) void standin_sync(void) {
  wp_u64 active = standin_active();
  wp__host_sync(active);
  WP__HOST_STAY();
}
/* Active lanes with the same value, by a ballot for each bit. */
static inline __attribute__((always_inline, unused)) wp_u64 standin_match(wp_u64 v) {
  wp_u64 same = ~(wp_u64)0;
  for (int b = 0; b < 64; b++) {
    wp_u64 set = standin_ballot((v >> b & 1u) != 0);
    same &= (v >> b & 1u) != 0 ? set : ~set;
  }
  return same & standin_active();
}
/* A float path that keeps 10 bits of the fraction and flushes denormals. */
static inline float standin_round(float x) {
  wp_u32 u;
  __builtin_memcpy(&u, &x, 4);
  u = (u & 0x7f800000u) == 0 ? u & 0x80000000u : u & 0xffffe000u;
  __builtin_memcpy(&x, &u, 4);
  return x;
}

#else
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __host__ __attribute__((host))
#define STANDIN(declaration, ...) __device__ STANDIN_STRIP declaration;

struct standin_uint3 { unsigned x, y, z; };
extern const __device__ __attribute__((weak)) standin_uint3 standin_thread, standin_block, standin_block_dim, standin_grid_dim;
#define STANDIN_THREAD standin_thread
#define STANDIN_BLOCK standin_block
#define STANDIN_BLOCK_DIM standin_block_dim
#define STANDIN_GRID_DIM standin_grid_dim
#ifdef __HIP__
extern "C" __host__ int __hipPushCallConfiguration(standin_uint3 grid, standin_uint3 block, decltype(sizeof(0)) shared, void *stream);
extern "C" __host__ int hipLaunchKernel(const void *f, standin_uint3 grid, standin_uint3 block, void **args, decltype(sizeof(0)) n, void *stream);
#else
extern "C" __host__ int __cudaPushCallConfiguration(standin_uint3 grid, standin_uint3 block, decltype(sizeof(0)) shared, void *stream);
extern "C" __host__ int cudaLaunchKernel(const void *f, standin_uint3 grid, standin_uint3 block, void **args, decltype(sizeof(0)) n, void *stream);
#endif
#endif

/* ---- what all of them have under CUDA's names ---- */

#if STANDIN_EMULATED
#define sqrtf standin_sqrtf
#define fmaf standin_fmaf
#define fabsf standin_fabsf
#define floorf standin_floorf
#define ceilf standin_ceilf
#define sqrt standin_sqrt
#define fma standin_fma
#define fabs standin_fabs
#define floor standin_floor
#define ceil standin_ceil
static inline float standin_sqrtf(float x) { return __builtin_sqrtf(x); }
static inline float standin_fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline float standin_fabsf(float x) { return __builtin_fabsf(x); }
static inline float standin_floorf(float x) { return __builtin_floorf(x); }
static inline float standin_ceilf(float x) { return __builtin_ceilf(x); }
static inline double standin_sqrt(double x) { return __builtin_sqrt(x); }
static inline double standin_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
static inline double standin_fabs(double x) { return __builtin_fabs(x); }
static inline double standin_floor(double x) { return __builtin_floor(x); }
static inline double standin_ceil(double x) { return __builtin_ceil(x); }
#else
__device__ float sqrtf(float); __device__ float fmaf(float, float, float); __device__ float fabsf(float);
__device__ float floorf(float); __device__ float ceilf(float);
#ifndef STANDIN_NO_DOUBLE
__device__ double sqrt(double); __device__ double fma(double, double, double); __device__ double fabs(double);
__device__ double floor(double); __device__ double ceil(double);
#endif
#endif

STANDIN((int __popc(unsigned v)), return __builtin_popcount(v);)
STANDIN((int __popcll(unsigned long long v)), return __builtin_popcountll(v);)
STANDIN((int __ffs(int v)), return __builtin_ffs(v);)
STANDIN((int __ffsll(long long v)), return __builtin_ffsll(v);)
STANDIN((int __clz(int v)), return v == 0 ? 32 : __builtin_clz((unsigned)v);)
STANDIN((int __clzll(long long v)), return v == 0 ? 64 : __builtin_clzll((unsigned long long)v);)
STANDIN((void __threadfence_block(void)), __atomic_thread_fence(__ATOMIC_SEQ_CST);)
STANDIN((void __syncthreads(void)), wpb_barrier();)

#define STANDIN_ATOMIC_LOOP(name, T, next) \
  STANDIN((T name(T *p, T v)), T old = __atomic_load_n(p, __ATOMIC_RELAXED); \
          while (!__atomic_compare_exchange_n(p, &old, next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {} \
          wp__host_after_atomic(); return old;)
#define STANDIN_ATOMIC(name, T, builtin) \
  STANDIN((T name(T *p, T v)), T old = builtin(p, v, __ATOMIC_RELAXED); wp__host_after_atomic(); return old;)
#define STANDIN_ATOMIC_CAS(T) \
  STANDIN((T atomicCAS(T *p, T expected, T v)), \
          __atomic_compare_exchange_n(p, &expected, v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
          wp__host_after_atomic(); return expected;)
#define STANDIN_ATOMICS(T) \
  STANDIN_ATOMIC(atomicAdd, T, __atomic_fetch_add) STANDIN_ATOMIC(atomicAnd, T, __atomic_fetch_and) \
  STANDIN_ATOMIC(atomicOr, T, __atomic_fetch_or) STANDIN_ATOMIC(atomicXor, T, __atomic_fetch_xor) \
  STANDIN_ATOMIC(atomicExch, T, __atomic_exchange_n) STANDIN_ATOMIC_LOOP(atomicMin, T, (v < old ? v : old)) \
  STANDIN_ATOMIC_LOOP(atomicMax, T, (v > old ? v : old)) STANDIN_ATOMIC_CAS(T)
STANDIN_ATOMICS(int)
STANDIN_ATOMICS(unsigned)
STANDIN((float atomicAdd(float *p, float v)),
        wp_u32 old = __atomic_load_n((wp_u32 *)(void *)p, __ATOMIC_RELAXED); wp_u32 next; float x; float sum;
        do { __builtin_memcpy(&x, &old, 4); sum = x + v; __builtin_memcpy(&next, &sum, 4); }
        while (!__atomic_compare_exchange_n((wp_u32 *)(void *)p, &old, next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
        wp__host_after_atomic(); return x;)
#ifndef STANDIN_NO_ATOMIC64
STANDIN_ATOMIC(atomicAdd, unsigned long long, __atomic_fetch_add)
STANDIN_ATOMIC(atomicExch, unsigned long long, __atomic_exchange_n)
STANDIN_ATOMIC_CAS(unsigned long long)
#endif

/* Relative shuffles; outside: the lane that is read where there is none, -1 for garbage. */
#define STANDIN_RELATIVE(MASK_T, outside) \
  STANDIN((unsigned __shfl_up_sync(MASK_T mask, unsigned v, unsigned delta, int width)), (void)mask; int lane = wp__host_self->lane; \
          return standin_read(v, delta <= (unsigned)(lane & (width - 1)) ? lane - (int)delta : (outside));) \
  STANDIN((unsigned __shfl_down_sync(MASK_T mask, unsigned v, unsigned delta, int width)), (void)mask; int lane = wp__host_self->lane; \
          return standin_read(v, delta < (unsigned)(width - (lane & (width - 1))) ? lane + (int)delta : (outside));) \
  STANDIN((unsigned __shfl_xor_sync(MASK_T mask, unsigned v, int lane_mask, int width)), (void)mask; int lane = wp__host_self->lane; \
          return standin_read(v, (unsigned)lane_mask < (unsigned)width ? lane ^ lane_mask : (outside));)

#endif
