/* Rows T1-T7, T9. */
#include "kernels_tile.h"

CONF_TILE_KERNEL(conf_tile_u64, wp_u64, wp_u64, {
  out[i * 3] = (wp_u64)wp_tile_size(t);
  out[i * 3 + 1] = (wp_u64)wp_tile_rank(t);
  out[i * 3 + 2] = wp_tile_mask(t);
})

/* T2: whatever the active lanes are, the tile must be consistent with itself. */
CONF_KERNEL(conf_tile_coalesced_u32, wp_u32, wp_u64, {
  const wp_tile t = wp_tile_coalesced();
  out[i * 4] = (wp_u64)wp_tile_size(t);
  out[i * 4 + 1] = (wp_u64)wp_tile_rank(t);
  out[i * 4 + 2] = wp_tile_mask(t);
  out[i * 4 + 3] = CONF_FN(wp_tile_reduce_add, u32)(t, v[i]);
})

#define TILE_SHUFFLES(T, S) \
  CONF_TILE_KERNEL(conf_tile_shfl_##S, T, T, out[i] = CONF_FN(wp_tile_shfl, S)(t, v[i], a)) \
  CONF_TILE_KERNEL(conf_tile_shfl_up_##S, T, T, out[i] = CONF_FN(wp_tile_shfl_up, S)(t, v[i], a)) \
  CONF_TILE_KERNEL(conf_tile_shfl_down_##S, T, T, out[i] = CONF_FN(wp_tile_shfl_down, S)(t, v[i], a)) \
  CONF_TILE_KERNEL(conf_tile_shfl_xor_##S, T, T, out[i] = CONF_FN(wp_tile_shfl_xor, S)(t, v[i], a))
CONF_TYPES(TILE_SHUFFLES)

CONF_TILE_KERNEL(conf_tile_vote_u32, wp_u32, wp_u64, {
  out[i * 3] = wp_tile_ballot(t, v[i]);
  out[i * 3 + 1] = wp_tile_any(t, v[i]);
  out[i * 3 + 2] = CONF_BREAK(wp_tile_all(t, v[i]), wp_tile_ballot(t, v[i]) == wp_tile_mask(t));
})

/* T9: the tile's lanes pass a value around through shared memory, each to the next rank; a leads to its thread. */
WP_KERNEL(conf_tile_sync_u32, CONF_PARAMS(wp_u32, wp_u32)) {
  WP_SHARED(wp_u32, box, 128);
  CONF_COLLECTIVE_LOCALS;
  if (CONF_INSIDE(m)) {
    const wp_tile t = conf_tile(WP_WARP_ARG op & 3, m, w);
    wp_u32 x = v[i];
    int k;
    for (k = 0; k < 3; k++) {
      box[wp_thread_rank()] = x;
      wp_tile_sync(t);
      x = box[wp_thread_rank() + a] * 5u + 1u;
      wp_tile_sync(t);
    }
    out[i] = x;
  }
}
