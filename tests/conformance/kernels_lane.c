/* Rows L1-L4, M1-M12, and what a build of the kernels is made for. */
#include "kernels.h"

/* One thread reports; the harness asks it for every block shape. */
WP_KERNEL(conf_probe, WP_GLOBAL wp_i32 *out) {
  if (wp_global_rank() == 0) {
    out[0] = wp_warp_size();
    out[1] = WP_MAX_WARP_SIZE;
#ifdef WP_WARP_SIZE
    out[2] = WP_WARP_SIZE;
#else
    out[2] = 0;
#endif
#ifdef WP_HAS_F64
    out[3] = 1;
#else
    out[3] = 0;
#endif
#ifdef WP_HAS_ATOMIC64
    out[4] = 1;
#else
    out[4] = 0;
#endif
#ifdef WARPPORT_WARP_SIZE
    out[5] = WARPPORT_WARP_SIZE;
#else
    out[5] = 0;
#endif
    out[6] = (wp_i32)sizeof(wp_mask) * 8;
#ifdef CONF_TYPED
    out[7] = 1;
#else
    out[7] = 0;
#endif
    out[8] = WP_UNIFORM_FLOW;
  }
}

WP_KERNEL(conf_lane_u64, CONF_PARAMS(wp_u64, wp_u64)) {
  CONF_LOCALS;
  (void)m;
  out[i * 4 + 0] = (wp_u64)CONF_BREAK(wp_lane(), wp_thread_rank() % 32);
  out[i * 4 + 1] = (wp_u64)wp_warp_size();
  out[i * 4 + 2] = (wp_u64)wp_warp_id();
  out[i * 4 + 3] = (wp_u64)wp_warps_per_block();
}

/* v: any set of lanes of this warp; a: any integer */
WP_KERNEL(conf_mask_u64, CONF_PARAMS(wp_u64, wp_u64)) {
  CONF_LOCALS;
  const wp_mask set = (wp_mask)v[i];
  if (m != 0) {
    switch (op) {
      case 0: out[i] = wp_mask_all(); break;
      case 1: out[i] = wp_mask_first(a); break;
      case 2: out[i] = wp_mask_lane(a); break;
      case 3: out[i] = wp_mask_lt(); break;
      case 4: out[i] = wp_mask_le(); break;
      case 5: out[i] = wp_mask_gt(); break;
      case 6: out[i] = wp_mask_ge(); break;
      case 7: out[i] = (wp_u64)wp_mask_count(set); break;
      case 8: out[i] = (wp_u64)(wp_i64)wp_mask_lowest(set); break;
      case 9: out[i] = (wp_u64)(wp_i64)wp_mask_highest(set); break;
      case 10: out[i] = (wp_u64)wp_mask_has(set, a); break;
      case 11: out[i] = (wp_u64)(wp_i64)wp_mask_rank(set, a); break;
      case 12: out[i] = (wp_u64)(wp_i64)wp_mask_nth(set, a); break;
      case 13: out[i] = wp_mask_present(); break;
      case 14: out[i] = wp_mask_segment(w); break;
      default: break;
    }
  }
}

/* M12: a hint; the host checks what may be said about it. */
CONF_KERNEL(conf_active_mask_u64, wp_u64, wp_u64, out[i] = wp_active_mask())
