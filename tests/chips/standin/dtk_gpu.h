/* Hygon DTK, to run real code of gfx906 on an instruction emulator: what the vendor's headers bring, on clang's builtins, so that no ROCm
 * installation is needed (-nogpuinc -nogpulib). The warp intrinsics that backend/dtk.h uses are clang's own. */
#ifndef STANDIN_DTK_GPU_H
#define STANDIN_DTK_GPU_H
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define STANDIN_GPU static __device__ inline __attribute__((always_inline, unused))

struct standin_uint3 { unsigned x, y, z; };
STANDIN_GPU standin_uint3 standin_thread() {
  return {__builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(), __builtin_amdgcn_workitem_id_z()};
}
STANDIN_GPU standin_uint3 standin_block() {
  return {__builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(), __builtin_amdgcn_workgroup_id_z()};
}
STANDIN_GPU standin_uint3 standin_block_dim() {
  return {__builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(), __builtin_amdgcn_workgroup_size_z()};
}
STANDIN_GPU standin_uint3 standin_grid_dim() {
  standin_uint3 b = standin_block_dim();
  return {__builtin_amdgcn_grid_size_x() / b.x, __builtin_amdgcn_grid_size_y() / b.y, __builtin_amdgcn_grid_size_z() / b.z};
}
#define threadIdx standin_thread()
#define blockIdx standin_block()
#define blockDim standin_block_dim()
#define gridDim standin_grid_dim()

STANDIN_GPU int __popc(unsigned v) { return __builtin_popcount(v); }
STANDIN_GPU int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
STANDIN_GPU int __ffs(int v) { return v == 0 ? 0 : __builtin_ctz((unsigned)v) + 1; }
STANDIN_GPU int __ffsll(long long v) { return v == 0 ? 0 : __builtin_ctzll((unsigned long long)v) + 1; }
STANDIN_GPU int __clz(int v) { return v == 0 ? 32 : __builtin_clz((unsigned)v); }
STANDIN_GPU int __clzll(long long v) { return v == 0 ? 64 : __builtin_clzll((unsigned long long)v); }
STANDIN_GPU void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#define sqrtf(x) __builtin_sqrtf(x)
#define fmaf(a, b, c) __builtin_fmaf(a, b, c)
#define fabsf(x) __builtin_fabsf(x)
#define floorf(x) __builtin_floorf(x)
#define ceilf(x) __builtin_ceilf(x)
#define sqrt(x) __builtin_sqrt(x)
#define fma(a, b, c) __builtin_fma(a, b, c)
#define fabs(x) __builtin_fabs(x)
#define floor(x) __builtin_floor(x)
#define ceil(x) __builtin_ceil(x)

#define STANDIN_ATOMIC(name, T, builtin) \
  STANDIN_GPU T name(T *p, T v) { return builtin(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); }
#define STANDIN_ATOMIC_CAS(T) \
  STANDIN_GPU T atomicCAS(T *p, T expected, T v) { \
    (void)__hip_atomic_compare_exchange_strong(p, &expected, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
    return expected; \
  }
#define STANDIN_ATOMICS(T) \
  STANDIN_ATOMIC(atomicAdd, T, __hip_atomic_fetch_add) STANDIN_ATOMIC(atomicMin, T, __hip_atomic_fetch_min) \
  STANDIN_ATOMIC(atomicMax, T, __hip_atomic_fetch_max) STANDIN_ATOMIC(atomicAnd, T, __hip_atomic_fetch_and) \
  STANDIN_ATOMIC(atomicOr, T, __hip_atomic_fetch_or) STANDIN_ATOMIC(atomicXor, T, __hip_atomic_fetch_xor) \
  STANDIN_ATOMIC(atomicExch, T, __hip_atomic_exchange) STANDIN_ATOMIC_CAS(T)
STANDIN_ATOMICS(int)
STANDIN_ATOMICS(unsigned)
STANDIN_ATOMIC(atomicAdd, unsigned long long, __hip_atomic_fetch_add)
STANDIN_ATOMIC(atomicExch, unsigned long long, __hip_atomic_exchange)
STANDIN_ATOMIC_CAS(unsigned long long)
STANDIN_ATOMIC(atomicAdd, float, __hip_atomic_fetch_add)
#endif
