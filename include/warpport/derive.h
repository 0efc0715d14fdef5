/* warpport/derive.h: the required part of the contract for chips that lack some of it (docs/backend_contract.md, "Constrained chips").
 *
 * A backend file that has no exchange by lane number, no ballot or no active mask says what it has instead:
 *
 *   exchange of a word    WPB_SHFL_BY_DELTA          wpb_raw_up_u32(mask, v, delta), wpb_raw_down_u32: each lane its own delta
 *                         WPB_SHFL_BY_UNIFORM_DELTA  the same functions, the delta being equal in all lanes of a call
 *                         WPB_SHFL_BY_UNIFORM_XOR    wpb_raw_xor_u32(mask, v, lane_mask), equal in all lanes
 *                         WPB_SHFL_BY_CONSTANT_LANE  WPB_RAW_LANE_U32(mask, v, LANE), a macro whose LANE is always a literal
 *                         WPB_SHFL_BY_FLOAT          n: wpb_raw_shfl_f32(mask, v, src) keeps integers below 2^n; 1 ... 24
 *                         WPB_SHFL_BY_MEMORY         wpb_scratch(): a word of shared memory for each lane of the caller's warp
 *                         WPB_SHFL_BY_BALLOT         nothing but wpb_ballot
 *   ballot                WPB_BALLOT_BY_SHFL         from the exchange, whatever that is made of
 *   active mask           WPB_ACTIVE_MASK_UNKNOWN    the caller alone: a true answer, and useless for aggregation
 *
 * Nothing here reads a lane outside the mask or outside the warp and lets the value through; all loops have the same trip count in
 * all lanes. Cost, in exchanges of the chip, W lanes: by delta 2; by uniform delta 2(W-1); by uniform xor W-1; by constant lane W;
 * by float ceil(32/n); by memory one store, one load, two syncs; by ballot 32. Ballot: log2(W) exchanges by lane, else one pass. */
#ifndef WARPPORT_DERIVE_H
#define WARPPORT_DERIVE_H

#include "bits.h"

#if WPB_MASK_BITS == 32
#define WP__RAW_BIT(lane) ((WPB_MASK_T)1 << ((unsigned)(lane) & 31u))
#else
#define WP__RAW_BIT(lane) ((WPB_MASK_T)1 << ((unsigned)(lane) & 63u))
#endif

/* WP__GATHER(mask, v, USE): for each lane l of the warp that the chip can reach, the statement USE(l, got) with got = v of lane l.
 * l may be outside the warp and got then anything: USE compares l with what it looks for. The caller itself may be left out. */
#if defined(WPB_SHFL_BY_UNIFORM_DELTA)
#define WP__GATHER(mask, v, USE) \
  do { \
    int wp__d; \
    for (wp__d = 1; wp__d < wpb_warp_size(); wp__d++) { \
      wp_u32 wp__below = wpb_raw_up_u32(mask, v, wp__d); \
      wp_u32 wp__above = wpb_raw_down_u32(mask, v, wp__d); \
      USE(wpb_lane() - wp__d, wp__below) \
      USE(wpb_lane() + wp__d, wp__above) \
    } \
  } while (0)
#elif defined(WPB_SHFL_BY_UNIFORM_XOR)
#define WP__GATHER(mask, v, USE) \
  do { \
    int wp__d; \
    for (wp__d = 1; wp__d < wpb_warp_size(); wp__d++) { \
      wp_u32 wp__got = wpb_raw_xor_u32(mask, v, wp__d); \
      USE(wpb_lane() ^ wp__d, wp__got) \
    } \
  } while (0)
#elif defined(WPB_SHFL_BY_CONSTANT_LANE)
/* Lanes the chip does not have are left out by a test that is equal in all lanes. */
#define WP__GATHER_1(mask, v, USE, l) \
  if ((l) < wpb_warp_size()) { \
    wp_u32 wp__got = WPB_RAW_LANE_U32(mask, v, l); \
    USE(l, wp__got) \
  }
#define WP__GATHER_4(mask, v, USE, l) \
  WP__GATHER_1(mask, v, USE, l) WP__GATHER_1(mask, v, USE, (l) + 1) WP__GATHER_1(mask, v, USE, (l) + 2) WP__GATHER_1(mask, v, USE, (l) + 3)
#define WP__GATHER_16(mask, v, USE, l) \
  WP__GATHER_4(mask, v, USE, l) WP__GATHER_4(mask, v, USE, (l) + 4) WP__GATHER_4(mask, v, USE, (l) + 8) WP__GATHER_4(mask, v, USE, (l) + 12)
#if WPB_MAX_WARP_SIZE <= 16
#define WP__GATHER(mask, v, USE) do { WP__GATHER_16(mask, v, USE, 0) } while (0)
#elif WPB_MAX_WARP_SIZE == 32
#define WP__GATHER(mask, v, USE) do { WP__GATHER_16(mask, v, USE, 0) WP__GATHER_16(mask, v, USE, 16) } while (0)
#else
#define WP__GATHER(mask, v, USE) \
  do { \
    WP__GATHER_16(mask, v, USE, 0) WP__GATHER_16(mask, v, USE, 16) WP__GATHER_16(mask, v, USE, 32) WP__GATHER_16(mask, v, USE, 48) \
  } while (0)
#endif
#endif

/* ---- exchange of a word by lane ---- */

#if defined(WPB_SHFL_BY_DELTA)
WPB_FN wp_u32 wpb_shfl_u32(WPB_MASK_T mask, wp_u32 v, int src) {
  int lane = wpb_lane();
  wp_u32 below = wpb_raw_up_u32(mask, v, src < lane ? lane - src : 0);
  wp_u32 above = wpb_raw_down_u32(mask, v, src > lane ? src - lane : 0);
  return src < lane ? below : src > lane ? above : v;
}
#elif defined(WP__GATHER)
WPB_FN wp_u32 wpb_shfl_u32(WPB_MASK_T mask, wp_u32 v, int src) {
  wp_u32 found = v;
  (void)mask;
#define WP__USE(l, got) if ((l) == src) found = (got);
  WP__GATHER(mask, v, WP__USE);
#undef WP__USE
  return found;
}
#elif defined(WPB_SHFL_BY_FLOAT)
WPB_FN wp_u32 wpb_shfl_u32(WPB_MASK_T mask, wp_u32 v, int src) {
  wp_u32 found = 0;
  unsigned at;
  WPB_UNROLL
  for (at = 0; at < 32u; at += WPB_SHFL_BY_FLOAT)
    found |= (wp_u32)wpb_raw_shfl_f32(mask, (float)(v >> at & ((1u << WPB_SHFL_BY_FLOAT) - 1u)), src) << at;
  return found;
}
#elif defined(WPB_SHFL_BY_MEMORY)
WPB_FN wp_u32 wpb_shfl_u32(WPB_MASK_T mask, wp_u32 v, int src) {
  volatile WPB_LOCAL wp_u32 *word = wpb_scratch();
  wp_u32 found;
  word[wpb_lane()] = v;
  wpb_sync(mask);
  found = word[src];
  wpb_sync(mask); /* before anybody overwrites it */
  return found;
}
#elif defined(WPB_SHFL_BY_BALLOT)
WPB_FN wp_u32 wpb_shfl_u32(WPB_MASK_T mask, wp_u32 v, int src) {
  wp_u32 found = 0;
  unsigned at;
  WPB_UNROLL
  for (at = 0; at < 32u; at++) {
    WPB_MASK_T set = wpb_ballot(mask, (v >> at & 1u) != 0);
    if ((set & WP__RAW_BIT(src)) != 0) found |= 1u << at;
  }
  return found;
}
#endif

/* Relative exchanges with an offset that the compiler knows need one or two of the chip's instead of a search. */
#if defined(WPB_SHFL_BY_DELTA) || defined(WPB_SHFL_BY_UNIFORM_DELTA)
#if defined(WPB_SHFL_BY_DELTA)
#define WP__KNOWN(n) 1
#define WP__DELTA(inside, n) ((inside) ? (n) : 0)
#else
#define WP__KNOWN(n) __builtin_constant_p(n)
#define WP__DELTA(inside, n) ((unsigned)(n) < (unsigned)wpb_warp_size() ? (n) : 0) /* must be equal in all lanes */
#endif
#define WPB_HAS_SHFL_UP 1
WPB_FN wp_u32 wpb_shfl_up_u32(WPB_MASK_T mask, wp_u32 v, int delta, int width) {
  int lane = wpb_lane();
  bool inside = (unsigned)delta <= (unsigned)(lane & (width - 1));
  if (WP__KNOWN(delta)) {
    wp_u32 got = wpb_raw_up_u32(mask, v, WP__DELTA(inside, delta));
    return inside && delta != 0 ? got : v;
  }
  return wpb_shfl_u32(mask, v, inside ? lane - delta : lane);
}
#define WPB_HAS_SHFL_DOWN 1
WPB_FN wp_u32 wpb_shfl_down_u32(WPB_MASK_T mask, wp_u32 v, int delta, int width) {
  int lane = wpb_lane();
  bool inside = (unsigned)delta < (unsigned)(width - (lane & (width - 1)));
  if (WP__KNOWN(delta)) {
    wp_u32 got = wpb_raw_down_u32(mask, v, WP__DELTA(inside, delta));
    return inside && delta != 0 ? got : v;
  }
  return wpb_shfl_u32(mask, v, inside ? lane + delta : lane);
}
#endif
#if defined(WPB_SHFL_BY_UNIFORM_DELTA)
#define WPB_HAS_SHFL_XOR 1
WPB_FN wp_u32 wpb_shfl_xor_u32(WPB_MASK_T mask, wp_u32 v, int lane_mask, int width) {
  int lane = wpb_lane(), m = lane_mask & (width - 1);
  if (__builtin_constant_p(m) && (m & (m - 1)) == 0) { /* one bit: the partner is m lanes below or above */
    wp_u32 below = wpb_raw_up_u32(mask, v, m), above = wpb_raw_down_u32(mask, v, m);
    return m == 0 ? v : (lane & m) != 0 ? below : above;
  }
  return wpb_shfl_u32(mask, v, lane ^ m);
}
#elif defined(WPB_SHFL_BY_UNIFORM_XOR)
#define WPB_HAS_SHFL_XOR 1
WPB_FN wp_u32 wpb_shfl_xor_u32(WPB_MASK_T mask, wp_u32 v, int lane_mask, int width) {
  int m = lane_mask & (width - 1);
  if (__builtin_constant_p(m)) return m == 0 ? v : wpb_raw_xor_u32(mask, v, m);
  return wpb_shfl_u32(mask, v, wpb_lane() ^ m);
}
#endif

/* ---- ballot ---- */

#if defined(WPB_BALLOT_BY_SHFL)
#if defined(WP__GATHER)
WPB_FN WPB_MASK_T wpb_ballot(WPB_MASK_T mask, int p) {
  wp_u32 mine = p != 0;
  WPB_MASK_T set = mine != 0 ? WP__RAW_BIT(wpb_lane()) : (WPB_MASK_T)0;
#define WP__USE(l, got) \
  if ((unsigned)(l) < (unsigned)wpb_warp_size() && (mask & WP__RAW_BIT(l)) != 0 && (got) == 1u) set |= WP__RAW_BIT(l);
  WP__GATHER(mask, mine, WP__USE);
#undef WP__USE
  return set;
}
#else
/* Butterfly over the lanes of mask: after step b all of them in a block of 2b lanes hold the bits of that block. A lane reads from the
 * lowest one of the neighbouring block. A word holds the bits of the caller's half of the warp; the last step of 64 brings the other. */
WPB_FN WPB_MASK_T wpb_ballot(WPB_MASK_T mask, int p) {
  int lane = wpb_lane(), b;
  wp_u32 half = p != 0 ? (wp_u32)1 << (lane & 31) : 0u;
  WPB_UNROLL
  for (b = 1; b < 32; b <<= 1) {
    WPB_MASK_T theirs = (WPB_MASK_T)(mask >> (unsigned)((lane & ~(b - 1)) ^ b) & (((WPB_MASK_T)1 << b) - 1u));
    int first = (lane & ~(b - 1)) ^ b;
    wp_u32 got;
#if WPB_MASK_BITS == 32
    if (theirs != 0) first += wp__lowest32(theirs);
#else
    if (theirs != 0) first += wp__lowest64(theirs);
#endif
    got = wpb_shfl_u32(mask, half, theirs != 0 ? first : lane);
    if (theirs != 0) half |= got;
  }
#if WPB_MASK_BITS == 32
  return half;
#else
  {
    wp_u64 theirs = lane < 32 ? mask >> 32 : mask & 0xffffffffu;
    wp_u32 got = wpb_shfl_u32(mask, half, theirs == 0 ? lane : wp__lowest64(theirs) + (lane < 32 ? 32 : 0));
    if (theirs == 0) got = 0;
    return lane < 32 ? (wp_u64)got << 32 | half : (wp_u64)half << 32 | got;
  }
#endif
}
#endif
#endif

/* ---- active mask ---- */

#if defined(WPB_ACTIVE_MASK_UNKNOWN)
WPB_FN WPB_MASK_T wpb_active_mask(void) { return WP__RAW_BIT(wpb_lane()); }
#endif

#endif
