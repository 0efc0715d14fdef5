/* Row C2. */
#include "kernels.h"

#define SCAN(T, S) \
  CONF_KERNEL(conf_scan_add_excl_##S, T, T, \
              out[i] = CONF_BREAK(CONF_FN(wp_scan_add_excl, S)(m, v[i]), CONF_FN(wp_scan_add, S)(m, v[i]))) \
  CONF_KERNEL(conf_scan_mul_excl_##S, T, T, out[i] = CONF_FN(wp_scan_mul_excl, S)(m, v[i])) \
  CONF_KERNEL(conf_scan_min_excl_##S, T, T, out[i] = CONF_FN(wp_scan_min_excl, S)(m, v[i])) \
  CONF_KERNEL(conf_scan_max_excl_##S, T, T, out[i] = CONF_FN(wp_scan_max_excl, S)(m, v[i]))
#define SCAN_BITS(T, S) \
  CONF_KERNEL(conf_scan_and_excl_##S, T, T, out[i] = CONF_FN(wp_scan_and_excl, S)(m, v[i])) \
  CONF_KERNEL(conf_scan_or_excl_##S, T, T, out[i] = CONF_FN(wp_scan_or_excl, S)(m, v[i])) \
  CONF_KERNEL(conf_scan_xor_excl_##S, T, T, out[i] = CONF_FN(wp_scan_xor_excl, S)(m, v[i]))
CONF_TYPES(SCAN)
CONF_INTS(SCAN_BITS)
