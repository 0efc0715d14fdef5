/* Row C3. a: the head flag. */
#include "kernels.h"

#define SCAN(T, S) \
  CONF_KERNEL(conf_scan_add_seg_##S, T, T, out[i] = CONF_FN(wp_scan_add_seg, S)(m, v[i], CONF_BREAK(a != 0, false))) \
  CONF_KERNEL(conf_scan_mul_seg_##S, T, T, out[i] = CONF_FN(wp_scan_mul_seg, S)(m, v[i], a != 0)) \
  CONF_KERNEL(conf_scan_min_seg_##S, T, T, out[i] = CONF_FN(wp_scan_min_seg, S)(m, v[i], a != 0)) \
  CONF_KERNEL(conf_scan_max_seg_##S, T, T, out[i] = CONF_FN(wp_scan_max_seg, S)(m, v[i], a != 0))
#define SCAN_BITS(T, S) \
  CONF_KERNEL(conf_scan_and_seg_##S, T, T, out[i] = CONF_FN(wp_scan_and_seg, S)(m, v[i], a != 0)) \
  CONF_KERNEL(conf_scan_or_seg_##S, T, T, out[i] = CONF_FN(wp_scan_or_seg, S)(m, v[i], a != 0)) \
  CONF_KERNEL(conf_scan_xor_seg_##S, T, T, out[i] = CONF_FN(wp_scan_xor_seg, S)(m, v[i], a != 0))
CONF_TYPES(SCAN)
CONF_INTS(SCAN_BITS)
