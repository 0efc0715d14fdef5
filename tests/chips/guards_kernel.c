/* Every lane x every argument from -130 to 130: the safe forms, the plain shuffles and the votes. Two warps a block; warp w of the launch
 * has the lanes masks[w]; the others go around the operation and write nothing, or, with op + 32, make the same call with the rest of
 * the warp as their mask. In round k lanes take different arguments: lane l takes number
 * (k + 7 l) mod count, so a round is never uniform, and after count rounds every lane has seen every argument. */
#include <warpport/warpport.h>

WP_DEVICE wp_u32 guard_value(int lane) { return 0x9e3779b9u * (wp_u32)(lane + 1); }
WP_DEVICE wp_u32 guard_fallback(int lane, int arg) { return 0xfa11bacu ^ (wp_u32)(arg * 64 + lane); }
/* For votes and match: a number of 0 ... 3 that depends on the lane and the argument. */
WP_DEVICE int guard_key(int lane, int arg) { return (int)(((wp_u32)(lane * 5 + arg * 3) * 0x9e3779b9u) >> 30); }

#define GUARD_BODY(S, T) \
  { \
    int lane = wp_lane(), warp = wp_block_x() * wp_warps_per_block() + wp_warp_id(), k; \
    bool split = op >= 32; \
    wp_mask m = (wp_mask)masks[warp]; \
    if (split && !wp_mask_has(m, lane)) m = (wp_mask)(wp_mask_all() & (wp_mask)~m); \
    op &= 31; \
    if (wp_mask_has(m, lane)) { \
      for (k = 0; k < count; k++) { \
        int arg = first + (k + 7 * lane) % count; \
        T v = (T)((T)guard_value(lane) * (T)0x100000001u); \
        T f = (T)((T)guard_fallback(lane, arg) * (T)0x100000001u); \
        T x = 0; \
        wp_u64 r; \
        switch (op) { \
          case 0: x = wp_shfl_or_##S(m, v, arg, f, width); break; \
          case 1: x = wp_shfl_up_or_##S(m, v, arg, f, width); break; \
          case 2: x = wp_shfl_down_or_##S(m, v, arg, f, width); break; \
          case 3: x = wp_shfl_xor_or_##S(m, v, arg, f, width); break; \
          case 4: x = wp_shfl_##S(m, v, arg, width); break; \
          case 5: x = wp_shfl_up_##S(m, v, arg, width); break; \
          case 6: x = wp_shfl_down_##S(m, v, arg, width); break; \
          case 7: x = wp_shfl_xor_##S(m, v, arg & (width - 1), width); break; \
          case 8: x = wp_rotate_##S(m, v, arg, width); break; \
          default: break; \
        } \
        r = x; \
        if (op == 9) r = wp_ballot(m, guard_key(lane, k) != 0); \
        if (op == 10) \
          r = (wp_u64)wp_any(m, guard_key(lane, k) == 1) | (wp_u64)wp_all(m, guard_key(lane, k) != 1) << 1 | \
              (wp_u64)wp_uniform(m, guard_key(lane, k) == 1) << 2 | (wp_u64)wp_elect(m) << 3; \
        if (op == 11) r = wp_match_any_i32(m, guard_key(lane, k)); \
        if (op == 12) r = wp_broadcast_first_##S(m, v); \
        out[((wp_i64)warp * count + k) * wp_warp_size() + lane] = r; \
      } \
    } \
  }
#define GUARD_PARAMS \
  WP_GLOBAL const wp_u64 *masks, WP_GLOBAL wp_u64 *out, wp_i32 op, wp_i32 width, wp_i32 first, wp_i32 count
WP_KERNEL(guard_u32, GUARD_PARAMS) GUARD_BODY(u32, wp_u32)
#ifndef GUARD_QUICK
WP_KERNEL(guard_u64, GUARD_PARAMS) GUARD_BODY(u64, wp_u64)
#endif

/* G5: masks of the lanes that exist, in one block of fewer threads than a warp has lanes. */
WP_KERNEL(guard_safe, GUARD_PARAMS) {
  int lane = wp_lane(), k;
  (void)masks;
  (void)width;
  for (k = 0; k < count; k++) {
    int arg = first + (k + 7 * lane) % count;
    wp_u32 v = guard_value(lane), x = 0;
    switch (op) {
      case 0: x = SAFE_SHUFFLE(v, arg); break;
      case 1: x = SAFE_SHUFFLE_UP(v, arg); break;
      case 2: x = SAFE_SHUFFLE_DOWN(v, arg); break;
      case 3: x = SAFE_SHUFFLE_XOR(v, arg); break;
      default: break;
    }
    out[((wp_i64)wp_block_x() * count + k) * wp_warp_size() + lane] = x;
  }
}

WP_KERNEL(guard_lanes, WP_GLOBAL wp_i32 *out) {
  if (wp_global_rank() == 0) out[0] = wp_warp_size();
}
