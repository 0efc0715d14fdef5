/* Chips that nobody makes, each with one way to exchange values and nothing else: tests/chips/profiles. */
#ifndef STANDIN_PROFILE_H
#define STANDIN_PROFILE_H
#include "common.h"
#define threadIdx STANDIN_THREAD
#define blockIdx STANDIN_BLOCK
#define blockDim STANDIN_BLOCK_DIM
#define gridDim STANDIN_GRID_DIM
/* Relative exchange; n is checked to be the same in all active lanes. */
STANDIN((void standin_uniform(int n)), wp_u64 active = standin_active(); int lowest = __builtin_ctzll(active);
        if ((int)wp__host_shfl_u32(active, (wp_u32)n, lowest) != n) __builtin_trap(); WP__HOST_STAY();)
STANDIN((int tiny_lane(void)), return wp__host_self->lane;)
STANDIN((void tiny_sync(void)), standin_sync();)
STANDIN((unsigned tiny_up(unsigned v, int n)), standin_uniform(n); return standin_read(v, wp__host_self->lane - n);)
STANDIN((unsigned tiny_down(unsigned v, int n)), standin_uniform(n); return standin_read(v, wp__host_self->lane + n);)
STANDIN((unsigned tiny_xor(unsigned v, int n)), standin_uniform(n); return standin_read(v, wp__host_self->lane ^ n);)
/* Each lane its own delta, modulo the warp as on NVIDIA's chips; beyond the ends garbage. */
STANDIN((unsigned lone_up(unsigned v, int n)), return standin_read(v, wp__host_self->lane - (n & (wp__host_self->warp_size - 1)));)
STANDIN((unsigned lone_down(unsigned v, int n)), return standin_read(v, wp__host_self->lane + (n & (wp__host_self->warp_size - 1)));)
/* Only floats, through a path of 11 bits. */
STANDIN((float float_shfl(float v, int src)), unsigned u; v = standin_round(v); __builtin_memcpy(&u, &v, 4); u = standin_read(u, src);
        __builtin_memcpy(&v, &u, 4); return v;)
STANDIN((unsigned long long wide_ballot(int p)), return standin_ballot(p);)
/* Only lanes that are constants. */
template <int LANE> STANDIN((unsigned constant_shfl(unsigned v)), return standin_read(v, LANE);)
#endif
