/* Iluvatar CoreX: 64 lanes under 32-bit masks that shuffles ignore; the width forms the groups. Ballot and active mask return 32 bits
 * here, and lose lanes 32-63: the worse of the two readings. */
#ifndef STANDIN_COREX_H
#define STANDIN_COREX_H
#include "common.h"
#define threadIdx STANDIN_THREAD
#define blockIdx STANDIN_BLOCK
#define blockDim STANDIN_BLOCK_DIM
#define gridDim STANDIN_GRID_DIM
STANDIN((unsigned __shfl_sync(unsigned mask, unsigned v, int src, int width = 32)), (void)mask;
        return standin_read(v, (wp__host_self->lane & ~(width - 1)) + (src & (width - 1)));)
STANDIN((int __shfl_sync(unsigned mask, int v, int src, int width = 32)), return (int)__shfl_sync(mask, (unsigned)v, src, width);)
STANDIN((float __shfl_sync(unsigned mask, float v, int src, int width = 32)), unsigned u; v = standin_round(v); __builtin_memcpy(&u, &v, 4);
        u = __shfl_sync(mask, u, src, width); __builtin_memcpy(&v, &u, 4); return v;)
STANDIN((unsigned __ballot_sync(unsigned mask, int p)), (void)mask; return (unsigned)standin_ballot(p);)
STANDIN((unsigned __activemask(void)), return (unsigned)standin_active();)
STANDIN((void __syncwarp(unsigned mask = 0xffffffffu)), (void)mask; standin_sync();)
STANDIN_RELATIVE(unsigned, lane)
#endif
