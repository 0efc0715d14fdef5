/* Hygon DTK: the AMDGCN builtins of its clang, 64 lanes. To compile, the real ones of clang's HIP mode for gfx906; to execute, the
 * emulated ones: an inactive source gives 0, as the hardware does, an address beyond the wave wraps. */
#ifndef STANDIN_DTK_H
#define STANDIN_DTK_H
#include "common.h"
#define threadIdx STANDIN_THREAD
#define blockIdx STANDIN_BLOCK
#define blockDim STANDIN_BLOCK_DIM
#define gridDim STANDIN_GRID_DIM
#if STANDIN_EMULATED
#define __builtin_amdgcn_mbcnt_lo(mask, base) ((unsigned)(base) + (wp__host_self->lane < 32 ? wp__host_self->lane : 32u))
#define __builtin_amdgcn_mbcnt_hi(mask, base) ((unsigned)(base) + (wp__host_self->lane < 32 ? 0u : wp__host_self->lane - 32u))
static inline __attribute__((always_inline)) int standin_ds_bpermute(int address, int v) {
  wp_u64 active = standin_active();
  int src = address >> 2 & 63;
  bool there = (active >> src & 1u) != 0;
  wp_u32 got = wp__host_shfl_u32(active, (wp_u32)v, there ? src : wp__host_self->lane);
  WP__HOST_STAY();
#if STANDIN_STRICT
  if (!there) __builtin_trap();
#endif
  return there ? (int)got : 0;
}
#define __builtin_amdgcn_ds_bpermute(address, v) standin_ds_bpermute(address, v)
#define __builtin_amdgcn_ballot_w64(p) standin_ballot(p)
#define __builtin_amdgcn_fence(order, scope) __atomic_thread_fence(order)
#define __builtin_amdgcn_wave_barrier() standin_sync()
#endif
#endif
