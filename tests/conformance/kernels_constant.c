/* Rows S1-S6, G1-G4, R1 with constant arguments, which a backend may compile to other instructions than run-time ones. The cases
 * that a warp is too small for keep the sentinel. out: CONSTANTS values a thread. */
#include "kernels.h"

#ifndef CONF_TYPED
#define CASE(k, least, expr) if (W >= (least)) out[i * CONF_CONSTANTS + (k)] = expr;
#define CONF_CONSTANTS 24

/* W is a constant where the backend has one. */
#ifdef WP_WARP_SIZE
#define W WP_WARP_SIZE
#else
#define W wp_warp_size()
#endif
#if WP_MAX_WARP_SIZE >= 2
#define CASE_2(k, expr) CASE(k, 2, expr)
#else
#define CASE_2(k, expr)
#endif
#if WP_MAX_WARP_SIZE >= 4
#define CASE_4(k, expr) CASE(k, 4, expr)
#else
#define CASE_4(k, expr)
#endif
#if WP_MAX_WARP_SIZE >= 8
#define CASE_8(k, expr) CASE(k, 8, expr)
#else
#define CASE_8(k, expr)
#endif
#if WP_MAX_WARP_SIZE >= 16
#define CASE_16(k, expr) CASE(k, 16, expr)
#else
#define CASE_16(k, expr)
#endif
#if WP_MAX_WARP_SIZE >= 32
#define CASE_32(k, expr) CASE(k, 32, expr)
#else
#define CASE_32(k, expr)
#endif
#if WP_MAX_WARP_SIZE >= 64
#define CASE_64(k, expr) CASE(k, 64, expr)
#else
#define CASE_64(k, expr)
#endif

/* The table in rows_shuffle.c lists the same cases in the same order. */
#define CONSTANTS(T, S) \
  CONF_KERNEL(conf_constant_shfl_##S, T, T, \
              CASE(0, 1, wp_shfl(m, v[i], 0)) CASE(1, 1, wp_shfl(m, v[i], -1)) CASE(2, 1, wp_shfl(m, v[i], 5)) \
              CASE(3, 1, wp_shfl(m, v[i], 33, 1)) CASE_4(4, wp_shfl(m, v[i], 3, 4)) CASE_8(5, wp_shfl(m, v[i], 0, 8)) \
              CASE_8(6, wp_shfl(m, v[i], -3, 8)) CASE_16(7, wp_shfl(m, v[i], 15, 16)) CASE_16(8, wp_shfl(m, v[i], 40, 16)) \
              CASE_32(9, wp_shfl(m, v[i], 31, 32)) CASE_64(10, wp_shfl(m, v[i], 32, 64)) CASE_64(11, wp_shfl(m, v[i], 63, 64)) \
              CASE(12, 1, wp_rotate(m, v[i], 1)) CASE(13, 1, wp_rotate(m, v[i], -1)) CASE_8(14, wp_rotate(m, v[i], 3, 8)) \
              CASE_16(15, wp_rotate(m, v[i], -5, 16)) CASE_32(16, wp_rotate(m, v[i], 16, 32)) \
              CASE(17, 1, wp_broadcast(m, v[i], 0)) CASE_4(18, wp_broadcast(m, v[i], 2, 4)) \
              CASE_16(19, wp_broadcast(m, v[i], 7, 16)) \
              CASE_32(20, wp_broadcast(m, v[i], 17, 32)) CASE_64(21, wp_broadcast(m, v[i], 45, 64)) \
              CASE(22, 1, wp_shfl_or(m, v[i], 7, mem[i])) CASE_16(23, wp_shfl_or(m, v[i], 11, mem[i], 16))) \
  CONF_KERNEL(conf_constant_up_##S, T, T, \
              CASE(0, 1, wp_shfl_up(m, v[i], 0)) CASE(1, 1, wp_shfl_up(m, v[i], 1)) CASE(2, 1, wp_shfl_up(m, v[i], 2)) \
              CASE(3, 1, wp_shfl_up(m, v[i], 3)) CASE(4, 1, wp_shfl_up(m, v[i], 4)) CASE(5, 1, wp_shfl_up(m, v[i], 8)) \
              CASE(6, 1, wp_shfl_up(m, v[i], 16)) CASE(7, 1, wp_shfl_up(m, v[i], 31)) CASE(8, 1, wp_shfl_up(m, v[i], 32)) \
              CASE(9, 1, wp_shfl_up(m, v[i], 33)) CASE(10, 1, wp_shfl_up(m, v[i], -1)) CASE(11, 1, wp_shfl_up(m, v[i], 64)) \
              CASE_2(12, wp_shfl_up(m, v[i], 1, 2)) CASE_4(13, wp_shfl_up(m, v[i], 1, 4)) CASE_8(14, wp_shfl_up(m, v[i], 1, 8)) \
              CASE_8(15, wp_shfl_up(m, v[i], 9, 8)) CASE_16(16, wp_shfl_up(m, v[i], 1, 16)) \
              CASE_16(17, wp_shfl_up(m, v[i], 8, 16)) \
              CASE_16(18, wp_shfl_up(m, v[i], 15, 16)) CASE_32(19, wp_shfl_up(m, v[i], 1, 32)) \
              CASE_32(20, wp_shfl_up(m, v[i], 17, 32)) CASE_64(21, wp_shfl_up(m, v[i], 40, 64)) \
              CASE(22, 1, wp_shfl_up_or(m, v[i], 1, mem[i])) CASE_16(23, wp_shfl_up_or(m, v[i], 4, mem[i], 16))) \
  CONF_KERNEL(conf_constant_down_##S, T, T, \
              CASE(0, 1, wp_shfl_down(m, v[i], 0)) CASE(1, 1, wp_shfl_down(m, v[i], 1)) CASE(2, 1, wp_shfl_down(m, v[i], 2)) \
              CASE(3, 1, wp_shfl_down(m, v[i], 3)) CASE(4, 1, wp_shfl_down(m, v[i], 4)) CASE(5, 1, wp_shfl_down(m, v[i], 8)) \
              CASE(6, 1, wp_shfl_down(m, v[i], 16)) CASE(7, 1, wp_shfl_down(m, v[i], 31)) CASE(8, 1, wp_shfl_down(m, v[i], 32)) \
              CASE(9, 1, wp_shfl_down(m, v[i], 33)) CASE(10, 1, wp_shfl_down(m, v[i], -1)) \
              CASE(11, 1, wp_shfl_down(m, v[i], 64)) \
              CASE_2(12, wp_shfl_down(m, v[i], 1, 2)) CASE_4(13, wp_shfl_down(m, v[i], 1, 4)) \
              CASE_8(14, wp_shfl_down(m, v[i], 1, 8)) CASE_8(15, wp_shfl_down(m, v[i], 9, 8)) \
              CASE_16(16, wp_shfl_down(m, v[i], 1, 16)) CASE_16(17, wp_shfl_down(m, v[i], 8, 16)) \
              CASE_16(18, wp_shfl_down(m, v[i], 15, 16)) CASE_32(19, wp_shfl_down(m, v[i], 1, 32)) \
              CASE_32(20, wp_shfl_down(m, v[i], 17, 32)) CASE_64(21, wp_shfl_down(m, v[i], 40, 64)) \
              CASE(22, 1, wp_shfl_down_or(m, v[i], 1, mem[i])) CASE_16(23, wp_shfl_down_or(m, v[i], 4, mem[i], 16))) \
  CONF_KERNEL(conf_constant_xor_##S, T, T, \
              CASE(0, 1, wp_shfl_xor(m, v[i], 0)) CASE_2(1, wp_shfl_xor(m, v[i], 1)) CASE_4(2, wp_shfl_xor(m, v[i], 2)) \
              CASE_4(3, wp_shfl_xor(m, v[i], 3)) CASE_8(4, wp_shfl_xor(m, v[i], 4)) CASE_8(5, wp_shfl_xor(m, v[i], 7)) \
              CASE_16(6, wp_shfl_xor(m, v[i], 8)) CASE_16(7, wp_shfl_xor(m, v[i], 15)) CASE_32(8, wp_shfl_xor(m, v[i], 16)) \
              CASE_32(9, wp_shfl_xor(m, v[i], 31)) CASE_64(10, wp_shfl_xor(m, v[i], 32)) CASE_64(11, wp_shfl_xor(m, v[i], 63)) \
              CASE_16(12, wp_shfl_xor(m, v[i], 5)) CASE_16(13, wp_shfl_xor(m, v[i], 12)) CASE_2(14, wp_shfl_xor(m, v[i], 1, 2)) \
              CASE_4(15, wp_shfl_xor(m, v[i], 2, 4)) CASE_8(16, wp_shfl_xor(m, v[i], 4, 8)) \
              CASE_16(17, wp_shfl_xor(m, v[i], 8, 16)) \
              CASE_32(18, wp_shfl_xor(m, v[i], 16, 32)) CASE_64(19, wp_shfl_xor(m, v[i], 32, 64)) \
              CASE(20, 1, wp_shfl_xor_or(m, v[i], 1, mem[i])) CASE(21, 1, wp_shfl_xor_or(m, v[i], 16, mem[i])) \
              CASE_16(22, wp_shfl_xor_or(m, v[i], 6, mem[i], 16)) CASE_8(23, wp_shfl_xor_or(m, v[i], 9, mem[i], 8)))
CONSTANTS(wp_u32, u32)
CONSTANTS(wp_f32, f32)
CONSTANTS(wp_u64, u64)
CONSTANTS(wp_i8, i8)
CONSTANTS(wp_f16x2, f16x2)
CONF_F64(CONSTANTS)
#endif
