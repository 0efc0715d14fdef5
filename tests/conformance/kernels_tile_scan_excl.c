/* Row T8, exclusive scans. */
#include "kernels_tile.h"

#define SCAN(T, S) \
  CONF_TILE_KERNEL(conf_tile_scan_add_excl_##S, T, T, out[i] = CONF_FN(wp_tile_scan_add_excl, S)(t, v[i])) \
  CONF_TILE_KERNEL(conf_tile_scan_mul_excl_##S, T, T, out[i] = CONF_FN(wp_tile_scan_mul_excl, S)(t, v[i])) \
  CONF_TILE_KERNEL(conf_tile_scan_min_excl_##S, T, T, out[i] = CONF_FN(wp_tile_scan_min_excl, S)(t, v[i])) \
  CONF_TILE_KERNEL(conf_tile_scan_max_excl_##S, T, T, out[i] = CONF_FN(wp_tile_scan_max_excl, S)(t, v[i]))
#define SCAN_BITS(T, S) \
  CONF_TILE_KERNEL(conf_tile_scan_and_excl_##S, T, T, out[i] = CONF_FN(wp_tile_scan_and_excl, S)(t, v[i])) \
  CONF_TILE_KERNEL(conf_tile_scan_or_excl_##S, T, T, out[i] = CONF_FN(wp_tile_scan_or_excl, S)(t, v[i])) \
  CONF_TILE_KERNEL(conf_tile_scan_xor_excl_##S, T, T, out[i] = CONF_FN(wp_tile_scan_xor_excl, S)(t, v[i]))
CONF_TYPES(SCAN)
CONF_INTS(SCAN_BITS)
