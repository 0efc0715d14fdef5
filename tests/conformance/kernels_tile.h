/* How the tile kernels make their tile: the low two bits of op. */
#ifndef WARPPORT_TESTS_KERNELS_TILE_H
#define WARPPORT_TESTS_KERNELS_TILE_H

#include "kernels.h"

WP_DEVICE wp_tile conf_tile(WP_WARP_PARAM int kind, wp_mask m, int w) {
  if (kind == 0) return wp_tile_make(w);
  if (kind == 1) return wp_tile_binary(m, (w & 1) != 0);
  if (kind == 3) return wp_tile_full(w);
  return wp_tile_labelled(m, (wp_u32)w);
}

#define CONF_TILE_KERNEL(name, T, R, ...) \
  CONF_KERNEL(name, T, R, { \
    const wp_tile t = conf_tile(WP_WARP_ARG op & 3, m, w); \
    __VA_ARGS__; \
  })

#endif
