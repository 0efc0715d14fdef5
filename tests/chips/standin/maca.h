/* MetaX MACA: 64 lanes, 64-bit masks, which shuffles and ballots ignore. */
#ifndef STANDIN_MACA_H
#define STANDIN_MACA_H
#include "common.h"
#define threadIdx STANDIN_THREAD
#define blockIdx STANDIN_BLOCK
#define blockDim STANDIN_BLOCK_DIM
#define gridDim STANDIN_GRID_DIM
STANDIN((int __lane_id(void)), return wp__host_self->lane;)
STANDIN((unsigned __shfl_sync(unsigned long long mask, unsigned v, int src, int width)), (void)mask;
        return standin_read(v, (wp__host_self->lane & ~(width - 1)) + (src & (width - 1)));)
STANDIN((int __shfl_sync(unsigned long long mask, int v, int src, int width)), return (int)__shfl_sync(mask, (unsigned)v, src, width);)
STANDIN((float __shfl_sync(unsigned long long mask, float v, int src, int width)), unsigned u; v = standin_round(v);
        __builtin_memcpy(&u, &v, 4); u = __shfl_sync(mask, u, src, width); __builtin_memcpy(&v, &u, 4); return v;)
STANDIN((unsigned long long __ballot_sync(unsigned long long mask, int p)), (void)mask; return standin_ballot(p);)
STANDIN((void __syncwarp(unsigned long long mask)), (void)mask; standin_sync();)
STANDIN((unsigned long long __activemask(void)), return standin_active();)
STANDIN((unsigned long long __match_any_sync(unsigned long long mask, unsigned v)), (void)mask; return standin_match(v);)
STANDIN((unsigned long long __match_any_sync(unsigned long long mask, unsigned long long v)), (void)mask; return standin_match(v);)
STANDIN_RELATIVE(unsigned long long, lane)
#endif
