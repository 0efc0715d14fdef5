/* Rows F1, F2. */
#include "kernels.h"

/* fma's third operand is the value of another thread. */
#define FLOATS(T, S) \
  CONF_KERNEL(conf_sqrt_##S, T, T, out[i] = wp_sqrt_##S(v[i])) \
  CONF_KERNEL(conf_fma_##S, T, T, out[i] = wp_fma_##S(v[i], mem[i], v[n - 1 - i])) \
  CONF_KERNEL(conf_fabs_##S, T, T, out[i] = wp_fabs_##S(v[i])) \
  CONF_KERNEL(conf_floor_##S, T, T, out[i] = wp_floor_##S(v[i])) \
  CONF_KERNEL(conf_ceil_##S, T, T, out[i] = wp_ceil_##S(v[i])) \
  CONF_KERNEL(conf_fmin_##S, T, T, out[i] = wp_min_##S(v[i], mem[i])) \
  CONF_KERNEL(conf_fmax_##S, T, T, out[i] = wp_max_##S(v[i], mem[i]))
FLOATS(wp_f32, f32)
CONF_F64(FLOATS)

CONF_KERNEL(conf_exp_f32, wp_f32, wp_f32, out[i] = wp_exp_f32(v[i]))
CONF_KERNEL(conf_exp2_f32, wp_f32, wp_f32, out[i] = wp_exp2_f32(v[i]))
CONF_KERNEL(conf_log_f32, wp_f32, wp_f32, out[i] = wp_log_f32(v[i]))
CONF_KERNEL(conf_sincospi_f32, wp_f32, wp_f32, {
  wp_f32 s;
  wp_f32 c;
  wp_sincospi_f32(v[i], &s, &c);
  out[i * 2] = s;
  out[i * 2 + 1] = c;
})
