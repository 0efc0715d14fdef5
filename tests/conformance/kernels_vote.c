/* Rows V1-V5, Y1. */
#include "kernels.h"

#define VOTES(T, S) \
  CONF_KERNEL(conf_ballot_##S, T, wp_u64, out[i] = CONF_BREAK(wp_ballot(m, v[i]), wp_ballot(m, v[i]) & 0xffffffffu)) \
  CONF_KERNEL(conf_any_##S, T, wp_i32, out[i] = wp_any(m, v[i])) \
  CONF_KERNEL(conf_all_##S, T, wp_i32, out[i] = CONF_BREAK(wp_all(m, v[i]), wp_ballot(m, v[i]) == wp_mask_present())) \
  CONF_KERNEL(conf_uniform_##S, T, wp_i32, out[i] = wp_uniform(m, v[i]))
VOTES(wp_i32, i32)
VOTES(wp_u8, u8)
VOTES(wp_u64, u64)
VOTES(wp_f32, f32)
CONF_F64(VOTES)

CONF_KERNEL(conf_elect_u32, wp_u32, wp_i32, out[i] = wp_elect(m))

/* Y1: each lane reads what the next lane of its group wrote, in shared and in global memory; a is that lane's thread minus this
 * one's. op rounds; both arrays are read and written in each. */
WP_KERNEL(conf_sync_u32, CONF_PARAMS(wp_u32, wp_u32)) {
  WP_SHARED(wp_u32, box, 128);
  CONF_COLLECTIVE_LOCALS;
  if (CONF_INSIDE(m)) {
    const int t = wp_thread_rank();
    wp_u32 x = v[i];
    wp_u32 y = v[i];
    int k;
    for (k = 0; k < op; k++) {
      box[t] = x;
      mem[i] = y;
      wp_sync(m);
      x = box[t + a] + 1u;
      y = mem[i + a] * 3u;
      wp_sync(m);
    }
    out[i * 2] = x;
    out[i * 2 + 1] = y;
  }
}
