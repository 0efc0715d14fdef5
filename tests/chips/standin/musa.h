/* Moore Threads MUSA: a warp of more lanes than a program sees (64 here for the 128 of mp_21, the emulator's limit), seen 32 at a
 * time: shuffles and ballots reach the caller's 32 lanes, masks have 32 bits. What a mask means is unknown, so here it means nothing. */
#ifndef STANDIN_MUSA_H
#define STANDIN_MUSA_H
#include "common.h"
#define threadIdx STANDIN_THREAD
#define blockIdx STANDIN_BLOCK
#define blockDim STANDIN_BLOCK_DIM
#define gridDim STANDIN_GRID_DIM
STANDIN((unsigned __get_laneid(void)), return wp__host_self->lane;)
STANDIN((unsigned __shfl_sync(unsigned mask, unsigned v, int src, int width)), (void)mask;
        return standin_read(v, (wp__host_self->lane & ~(width - 1)) + (src & (width - 1)));)
STANDIN((int __shfl_sync(unsigned mask, int v, int src, int width)), return (int)__shfl_sync(mask, (unsigned)v, src, width);)
STANDIN((float __shfl_sync(unsigned mask, float v, int src, int width)), unsigned u; v = standin_round(v); __builtin_memcpy(&u, &v, 4);
        u = __shfl_sync(mask, u, src, width); __builtin_memcpy(&v, &u, 4); return v;)
STANDIN((unsigned __ballot_sync(unsigned mask, int p)), (void)mask; return (unsigned)(standin_ballot(p) >> (wp__host_self->lane & 32));)
STANDIN((void __syncwarp(unsigned mask)), (void)mask; standin_sync();)
STANDIN((unsigned __activemask(void)), return (unsigned)(standin_active() >> (wp__host_self->lane & 32));)
STANDIN((unsigned __match_any_sync(unsigned mask, unsigned v)), (void)mask;
        return (unsigned)(standin_match(v) >> (wp__host_self->lane & 32));)
STANDIN((unsigned __match_any_sync(unsigned mask, unsigned long long v)), (void)mask;
        return (unsigned)(standin_match(v) >> (wp__host_self->lane & 32));)
STANDIN_RELATIVE(unsigned, -1)
#endif
