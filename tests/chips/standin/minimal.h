/* A chip of which warpport knows nothing but the template: WARPPORT_CHIP_LANES lanes, a shuffle that ignores the mask. */
#ifndef STANDIN_MINIMAL_H
#define STANDIN_MINIMAL_H
#include "common.h"
#define threadIdx STANDIN_THREAD
#define blockIdx STANDIN_BLOCK
#define blockDim STANDIN_BLOCK_DIM
#define gridDim STANDIN_GRID_DIM
STANDIN((unsigned __shfl_sync(unsigned long long mask, unsigned v, int src, int width)), (void)mask;
        return standin_read(v, (wp__host_self->lane & ~(width - 1)) + (src & (width - 1)));)
STANDIN((void __syncwarp(unsigned long long mask)), (void)mask; standin_sync();)
#endif
