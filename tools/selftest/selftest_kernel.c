/* What a chip does, corner by corner: one launch of selftest_probe for each question, one warp (two for some), an answer a thread.
 * The probes are legal on chips that keep independent lanes: a call names the lanes that make it; only the source is out of bounds. */
#include <warpport/warpport.h>

#include "probes.h"
#include "selftest.h"

WP_DEVICE wp_u32 probe_value(int thread) { return PROBE_VALUE((wp_u32)thread); }
WP_DEVICE WPB_MASK_T probe_ones(int n) {
  return n == 0 ? (WPB_MASK_T)0 : (WPB_MASK_T)((WPB_MASK_T) ~(WPB_MASK_T)0 >> (WPB_MASK_BITS - n));
}
/* Patterns for floats as bits: quiet and signalling NaNs with payloads, denormals, -0, full fractions. */
WP_DEVICE wp_u32 probe_pattern(int i) {
  const wp_u32 patterns[8] = {0x7fc12345u, 0xffa54321u, 0x00000001u, 0x807fffffu, 0x80000000u, 0x3fffffffu, 0x4b800001u, 0x7f800001u};
  return patterns[i & 7];
}

WP_KERNEL(selftest_info, WP_GLOBAL wp_i32 *out) {
  if (wp_global_rank() == 0) {
    int has = 0;
#ifdef PROBE_SHFL
    has |= HAS_SHFL;
#endif
#ifdef PROBE_WIDTH
    has |= HAS_WIDTH;
#endif
#ifdef PROBE_UP
    has |= HAS_UP;
#endif
#ifdef PROBE_DOWN
    has |= HAS_DOWN;
#endif
#ifdef PROBE_XOR
    has |= HAS_XOR;
#endif
#ifdef PROBE_F32
    has |= HAS_F32;
#endif
#ifdef PROBE_BALLOT
    has |= HAS_BALLOT;
#endif
#if defined(PROBE_ACTIVE) && !WP_UNIFORM_FLOW
    has |= HAS_ACTIVE;
#endif
#ifdef PROBE_MATCH
    has |= HAS_MATCH;
#endif
#ifdef PROBE_REDUCE
    has |= HAS_REDUCE;
#endif
#ifdef PROBE_NAMED
    has |= HAS_NAMES;
#endif
#if WP_UNIFORM_FLOW
    has |= HAS_UNIFORM_FLOW;
#endif
    out[0] = wpb_warp_size();
    out[1] = WPB_MAX_WARP_SIZE;
    out[2] = WPB_MASK_BITS;
    out[3] = WARPPORT_BACKEND;
    out[4] = has;
#ifdef WP_HAS_F64
    out[5] = 1;
#else
    out[5] = 0;
#endif
#ifdef WP_HAS_ATOMIC64
    out[6] = 1;
#else
    out[6] = 0;
#endif
  }
}

WP_KERNEL(selftest_probe, WP_GLOBAL wp_u64 *out, wp_i32 op, wp_i32 a, wp_i32 b) {
  WP_SHARED(wp_u32, box, 1024);
  int thread = wp_thread_rank(), lane = wpb_lane(), size = wpb_warp_size(), middle = size / 2;
  wp_u32 v = probe_value(thread);
  wp_u64 r = PROBE_NOTHING;
  WPB_MASK_T all = probe_ones(size), low = probe_ones(middle), rest = (WPB_MASK_T)(all & (WPB_MASK_T)~low);
  WPB_MASK_T mine = lane < middle ? low : rest; /* the two halves are two groups */
  (void)b;
  switch (op) {
    case ASK_LANE: r = (wp_u64)(unsigned)lane; break;
    case ASK_EXCHANGE: r = wpb_shfl_u32(WP__TO all, v, a); break;
#if !WP_UNIFORM_FLOW /* elsewhere nobody may stay away from an exchange */
    case ASK_EXCHANGE_HALF:
      if (lane < middle) r = wpb_shfl_u32(WP__TO low, v, a);
      break;
    case ASK_ACTIVE_BRANCH:
      if (lane < middle) r = wpb_active_mask();
      break;
#endif
    case ASK_BALLOT_ALL: r = wpb_ballot(WP__TO all, ((unsigned)lane * 7u & 4u) != 0); break;
    case ASK_BALLOT_GROUPS: r = wpb_ballot(WP__TO mine, ((unsigned)lane * 7u & 4u) != 0); break;
    case ASK_SYNC: {
      int k;
      wp_u32 sum = v;
      for (k = 1; k <= 16; k++) { /* everybody reads what the next lane wrote, again and again */
        box[thread] = sum;
        wpb_sync(WP__TO all);
        sum = box[thread - lane + ((lane + 1) & (size - 1))] + 1u;
        wpb_sync(WP__TO all);
      }
      r = sum;
      break;
    }
    case ASK_FLOAT_BITS: {
      float f = wp__from_word_f32(probe_pattern(lane + a));
      f = wp_shfl_f32(WP__TO wp_mask_all(), f, wp_lane() ^ 1, wp_warp_size());
      r = wp__to_word_f32(f);
      break;
    }
    case ASK_U64: r = wp_shfl_u64(WP__TO wp_mask_all(), (wp_u64)v << 32 | (v ^ 0x5a5a5a5au), wp_lane() ^ 1, wp_warp_size()); break;
#ifdef PROBE_SHFL
    case RAW_SHFL: r = PROBE_SHFL(all, v, a, b); break;
#if !WP_UNIFORM_FLOW
    case RAW_SHFL_BRANCH:
      if (lane < middle) r = PROBE_SHFL(low, v, a, size);
      break;
    case RAW_SHFL_EXITED:
      if (lane >= middle) return;
      r = PROBE_SHFL(low, v, a, size);
      break;
#endif
    case RAW_SHFL_GROUPS: r = PROBE_SHFL(mine, v, (lane + middle) & (size - 1), size); break;
#endif
#ifdef PROBE_UP
    case RAW_UP: r = PROBE_UP(all, v, a, b); break;
#endif
#ifdef PROBE_DOWN
    case RAW_DOWN: r = PROBE_DOWN(all, v, a, b); break;
    case RAW_DOWN_BRANCH:
      if (lane < middle) r = PROBE_DOWN(low, v, middle, size);
      break;
#endif
#ifdef PROBE_XOR
    case RAW_XOR: r = PROBE_XOR(all, v, a, b); break;
#endif
#ifdef PROBE_F32
    case RAW_F32: {
      float f = wp__from_word_f32(probe_pattern(lane + a));
      f = PROBE_F32(all, f, lane ^ 1, size);
      r = wp__to_word_f32(f);
      break;
    }
    case RAW_F32_INTEGER: {
      float f = (float)a;
      f = PROBE_F32(all, f, lane ^ 1, size);
      r = (wp_u64)(wp_i64)f;
      break;
    }
#endif
#ifdef PROBE_BALLOT
    case RAW_BALLOT: r = PROBE_BALLOT(all, 1); break;
    case RAW_BALLOT_GROUPS: r = PROBE_BALLOT(mine, 1); break;
#endif
#if defined(PROBE_ACTIVE) && !WP_UNIFORM_FLOW
    case RAW_ACTIVE: /* in either middle */
      if ((lane < middle) == (a == 0)) r = PROBE_ACTIVE();
      break;
#endif
#ifdef PROBE_MATCH
    case RAW_MATCH: r = PROBE_MATCH(all, probe_pattern(lane & 3)); break;
    case RAW_MATCH_GROUPS: r = PROBE_MATCH(mine, 7u); break;
#endif
#ifdef PROBE_REDUCE
    case RAW_REDUCE: r = PROBE_REDUCE(all, v); break;
    case RAW_REDUCE_GROUPS: r = PROBE_REDUCE(mine, 1u); break;
#endif
    default: break;
  }
  out[thread] = r;
}
