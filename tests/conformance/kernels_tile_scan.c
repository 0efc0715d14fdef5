/* Row T8, inclusive scans. */
#include "kernels_tile.h"

#define SCAN(T, S) \
  CONF_TILE_KERNEL(conf_tile_scan_add_##S, T, T, out[i] = CONF_FN(wp_tile_scan_add, S)(t, v[i])) \
  CONF_TILE_KERNEL(conf_tile_scan_mul_##S, T, T, out[i] = CONF_FN(wp_tile_scan_mul, S)(t, v[i])) \
  CONF_TILE_KERNEL(conf_tile_scan_min_##S, T, T, out[i] = CONF_FN(wp_tile_scan_min, S)(t, v[i])) \
  CONF_TILE_KERNEL(conf_tile_scan_max_##S, T, T, out[i] = CONF_FN(wp_tile_scan_max, S)(t, v[i]))
#define SCAN_BITS(T, S) \
  CONF_TILE_KERNEL(conf_tile_scan_and_##S, T, T, out[i] = CONF_FN(wp_tile_scan_and, S)(t, v[i])) \
  CONF_TILE_KERNEL(conf_tile_scan_or_##S, T, T, out[i] = CONF_FN(wp_tile_scan_or, S)(t, v[i])) \
  CONF_TILE_KERNEL(conf_tile_scan_xor_##S, T, T, out[i] = CONF_FN(wp_tile_scan_xor, S)(t, v[i]))
CONF_TYPES(SCAN)
CONF_INTS(SCAN_BITS)
