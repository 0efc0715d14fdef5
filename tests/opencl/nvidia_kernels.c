/* Kernels of nvidia.c: chains of one operation, long enough to time. */
#include <warpport/warpport.h>

#define CHAIN(name, T, step) \
  WP_KERNEL(name, WP_GLOBAL T *x, wp_i32 rounds) { \
    const wp_i64 i = wp_global_rank(); \
    const wp_mask m = wp_mask_all(); \
    T v = x[i]; \
    for (int k = 0; k < rounds; k++) v = step; \
    x[i] = v; \
  }
CHAIN(nv_sum_f32, wp_f32, wp_reduce_add(m, v) * 0.03125f)
CHAIN(nv_sum_u32, wp_u32, wp_reduce_add(m, v) + (wp_u32)k)
CHAIN(nv_scan_f32, wp_f32, wp_scan_add(m, v) * 0.03125f)
CHAIN(nv_scan_u32, wp_u32, wp_scan_add(m, v) + (wp_u32)k)
