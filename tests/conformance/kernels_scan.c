/* Row C1. */
#include "kernels.h"

#define SCAN(T, S) \
  CONF_KERNEL(conf_scan_add_##S, T, T, out[i] = CONF_FN(wp_scan_add, S)(m, v[i])) \
  CONF_KERNEL(conf_scan_mul_##S, T, T, out[i] = CONF_FN(wp_scan_mul, S)(m, v[i])) \
  CONF_KERNEL(conf_scan_min_##S, T, T, out[i] = CONF_FN(wp_scan_min, S)(m, v[i])) \
  CONF_KERNEL(conf_scan_max_##S, T, T, out[i] = CONF_FN(wp_scan_max, S)(m, v[i]))
#define SCAN_BITS(T, S) \
  CONF_KERNEL(conf_scan_and_##S, T, T, out[i] = CONF_FN(wp_scan_and, S)(m, v[i])) \
  CONF_KERNEL(conf_scan_or_##S, T, T, out[i] = CONF_FN(wp_scan_or, S)(m, v[i])) \
  CONF_KERNEL(conf_scan_xor_##S, T, T, out[i] = CONF_FN(wp_scan_xor, S)(m, v[i]))
CONF_TYPES(SCAN)
CONF_INTS(SCAN_BITS)
