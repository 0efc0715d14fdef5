/* Row T8, reductions. */
#include "kernels_tile.h"

#define REDUCE(T, S) \
  CONF_TILE_KERNEL(conf_tile_reduce_add_##S, T, T, out[i] = CONF_FN(wp_tile_reduce_add, S)(t, v[i])) \
  CONF_TILE_KERNEL(conf_tile_reduce_mul_##S, T, T, out[i] = CONF_FN(wp_tile_reduce_mul, S)(t, v[i])) \
  CONF_TILE_KERNEL(conf_tile_reduce_min_##S, T, T, out[i] = CONF_FN(wp_tile_reduce_min, S)(t, v[i])) \
  CONF_TILE_KERNEL(conf_tile_reduce_max_##S, T, T, out[i] = CONF_FN(wp_tile_reduce_max, S)(t, v[i]))
#define REDUCE_BITS(T, S) \
  CONF_TILE_KERNEL(conf_tile_reduce_and_##S, T, T, out[i] = CONF_FN(wp_tile_reduce_and, S)(t, v[i])) \
  CONF_TILE_KERNEL(conf_tile_reduce_or_##S, T, T, out[i] = CONF_FN(wp_tile_reduce_or, S)(t, v[i])) \
  CONF_TILE_KERNEL(conf_tile_reduce_xor_##S, T, T, out[i] = CONF_FN(wp_tile_reduce_xor, S)(t, v[i]))
CONF_TYPES(REDUCE)
CONF_INTS(REDUCE_BITS)
