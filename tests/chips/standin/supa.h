/* Biren BIRENSUPA, by its programming guide: built-in variables of its own names, the mask of a shuffle has no effect, 32 lanes, no
 * 64-bit atomics in shared memory, no double. */
#ifndef STANDIN_SUPA_H
#define STANDIN_SUPA_H
#define STANDIN_NO_ATOMIC64 1
#define STANDIN_NO_DOUBLE 1
#include "common.h"
#define thread_idx STANDIN_THREAD
#define block_idx STANDIN_BLOCK
#define block_dim STANDIN_BLOCK_DIM
#define grid_dim STANDIN_GRID_DIM
#if STANDIN_EMULATED
#define warp_thread_idx ((unsigned)wp__host_self->lane)
#else
extern const __device__ __attribute__((weak)) unsigned warp_thread_idx;
#endif
STANDIN((unsigned __shfl_sync(unsigned mask, unsigned v, int src, int width = 32)), (void)mask;
        return standin_read(v, (wp__host_self->lane & ~(width - 1)) + (src & (width - 1)));)
STANDIN((int __shfl_sync(unsigned mask, int v, int src, int width = 32)), return (int)__shfl_sync(mask, (unsigned)v, src, width);)
STANDIN((float __shfl_sync(unsigned mask, float v, int src, int width = 32)), unsigned u; v = standin_round(v); __builtin_memcpy(&u, &v, 4);
        u = __shfl_sync(mask, u, src, width); __builtin_memcpy(&v, &u, 4); return v;)
STANDIN((unsigned __ballot_sync(unsigned mask, int p)), (void)mask; return (unsigned)standin_ballot(p);)
STANDIN((unsigned __activemask(void)), return (unsigned)standin_active();)
STANDIN((void __syncwarp(unsigned mask = 0xffffffffu)), (void)mask; standin_sync();)
STANDIN((unsigned __match_any_sync(unsigned mask, unsigned v)), (void)mask; return (unsigned)standin_match(v);)
STANDIN((unsigned __match_any_sync(unsigned mask, unsigned long long v)), (void)mask; return (unsigned)standin_match(v);)
STANDIN_RELATIVE(unsigned, lane)
#endif
