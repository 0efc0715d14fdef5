/* Rows H1, H2. */
#include "kernels.h"

#ifdef WP_TEST_BREAK /* truncates */
WP_DEVICE wp_f16 conf_f16(wp_f32 x) {
  wp_f16 h = wp_f16_from_f32(x);
  h.bits = (wp_u16)(h.bits & 0xfffeu);
  return h;
}
#else
WP_DEVICE wp_f16 conf_f16(wp_f32 x) { return wp_f16_from_f32(x); }
#endif

CONF_KERNEL(conf_f16_from_f32, wp_f32, wp_f16, out[i] = conf_f16(v[i]))
CONF_KERNEL(conf_bf16_from_f32, wp_f32, wp_bf16, out[i] = wp_bf16_from_f32(v[i]))
CONF_KERNEL(conf_f32_from_f16, wp_f16, wp_f32, out[i] = wp_f32_from_f16(v[i]))
CONF_KERNEL(conf_f32_from_bf16, wp_bf16, wp_f32, out[i] = wp_f32_from_bf16(v[i]))
CONF_KERNEL(conf_make_f16, wp_f16, wp_f16x2, out[i] = wp_f16x2_make(v[i], mem[i]))
CONF_KERNEL(conf_make_bf16, wp_bf16, wp_bf16x2, out[i] = wp_bf16x2_make(v[i], mem[i]))
CONF_KERNEL(conf_get_f16x2, wp_f16x2, wp_f16, out[i] = wp_f16x2_get(v[i], a))
CONF_KERNEL(conf_get_bf16x2, wp_bf16x2, wp_bf16, out[i] = wp_bf16x2_get(v[i], a))
