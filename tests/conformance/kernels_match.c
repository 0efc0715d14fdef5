/* Rows K1-K4, D4. */
#include "kernels.h"

#define MATCHES(T, S) \
  CONF_KERNEL(conf_match_any_##S, T, wp_u64, \
              out[i] = CONF_BREAK(CONF_FN(wp_match_any, S)(m, v[i]), (wp_u64)CONF_FN(wp_match_any, S)(m, v[i]) & ~(wp_u64)2)) \
  CONF_KERNEL(conf_match_all_##S, T, wp_i32, out[i] = CONF_FN(wp_match_all, S)(m, v[i])) \
  CONF_KERNEL(conf_is_first_##S, T, wp_i32, out[i] = CONF_FN(wp_is_first, S)(m, v[i]))
CONF_TYPES(MATCHES)

/* w: the number of bits, or of bytes */
CONF_KERNEL(conf_match_any_bits_u32, wp_u32, wp_u64, out[i] = wp_match_any_bits(m, v[i], w))
CONF_KERNEL(conf_match_any_bytes_u64, wp_u64, wp_u64, {
  unsigned char bytes[16];
  int k;
  for (k = 0; k < 8; k++) {
    bytes[k] = (unsigned char)((v[i] >> (8 * k)) & 255u);
    bytes[8 + k] = (unsigned char)((mem[i] >> (8 * k)) & 255u);
  }
  out[i] = wp_match_any_bytes(m, bytes, w);
})
