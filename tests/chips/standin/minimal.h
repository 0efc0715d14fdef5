/* A chip of which warpport knows nothing but the template: WARPPORT_CHIP_LANES lanes, a shuffle that ignores the mask, a
 * ballot and an active mask that are there and not to be trusted. */
#ifndef STANDIN_MINIMAL_H
#define STANDIN_MINIMAL_H
#include "common.h"
#define threadIdx STANDIN_THREAD
#define blockIdx STANDIN_BLOCK
#define blockDim STANDIN_BLOCK_DIM
#define gridDim STANDIN_GRID_DIM
STANDIN((unsigned __shfl_sync(unsigned long long mask, unsigned v, int src, int width)), (void)mask;
        return standin_read(v, (wp__host_self->lane & ~(width - 1)) + (src & (width - 1)));)
STANDIN((float __shfl_sync(unsigned long long mask, float v, int src, int width)), unsigned u; v = standin_round(v); __builtin_memcpy(&u, &v, 4);
        u = __shfl_sync(mask, u, src, width); __builtin_memcpy(&v, &u, 4); return v;)
STANDIN((unsigned __ballot_sync(unsigned long long mask, int p)), (void)mask; return (unsigned)standin_ballot(p);)
STANDIN((unsigned __activemask(void)), return 0xffffffffu;) /* as some ports define it */
STANDIN((void __syncwarp(unsigned long long mask)), (void)mask; standin_sync();)
STANDIN_RELATIVE(unsigned long long, -1)
#endif
