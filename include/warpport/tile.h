/* warpport/tile.h: groups of lanes smaller than a warp (spec rows T1-T9).
 *
 * Cost: an operation on a tile costs what it costs on a mask. wp_tile_full(w) with a constant w folds to the constant-width
 * exchanges; wp_tile_make() asks which lanes exist, about ten integer instructions, and branches on the answer. */
#ifndef WARPPORT_TILE_H
#define WARPPORT_TILE_H

#include "scan.h"
#include "sync.h"

typedef struct wp_tile {
  wp_mask mask; /* its lanes */
  int width;    /* they lie in the caller's segment of that many lanes */
  int dense;    /* they are all of that segment */
} wp_tile;

/* T1: the caller's segment of width lanes (a power of two, 1 ... wp_warp_size()); in a partial last warp, those that exist. */
WPB_FN wp_tile wp_tile_make(int width) {
  wp_tile t;
  wp_mask segment = wp_mask_segment(width);
  t.mask = (wp_mask)(segment & wp_mask_present());
  t.width = width;
  t.dense = t.mask == segment;
  return t;
}

/* T1: the same where the caller knows that all lanes of the segment exist, as in blocks of a multiple of width threads. */
WPB_FN wp_tile wp_tile_full(int width) {
  wp_tile t;
  t.mask = wp_mask_segment(width);
  t.width = width;
  t.dense = 1;
  return t;
}

WPB_FN wp_tile wp__tile_of(wp_mask mask) {
  wp_tile t;
  t.mask = mask;
  t.width = wp_warp_size();
  t.dense = mask == wp_mask_all();
  return t;
}

/* T2: the lanes that execute together now; legal only while they stay together. */
WPB_FN wp_tile wp_tile_coalesced(void) { return wp__tile_of(wp_active_mask()); }

/* T3: the lanes of mask that pass the same p. */
WPB_FN wp_tile wp_tile_binary(WP__MASK mask, bool p) {
  wp_mask yes = wp_ballot(WP__TO mask, p);
  return wp__tile_of(p ? yes : (wp_mask)(mask & (wp_mask)~yes));
}

/* T4: the lanes of mask that pass the same label. */
WPB_FN wp_tile wp_tile_labelled(WP__MASK mask, wp_u32 label) { return wp__tile_of(wp_match_any_u32(WP__TO mask, label)); }

/* T5: lanes, the caller's rank among them (ascending by lane), the mask. */
WPB_FN int wp_tile_size(wp_tile t) { return t.dense ? t.width : wp_mask_count(t.mask); }
WPB_FN int wp_tile_rank(wp_tile t) { return t.dense ? wp_lane() & (t.width - 1) : wp_mask_rank(t.mask, wp_lane()); }
WPB_FN wp_mask wp_tile_mask(wp_tile t) { return t.mask; }

/* Lane of a rank 0 ... size-1. */
WPB_FN int wp__tile_lane(wp_tile t, int rank) {
  return t.dense ? (wp_lane() & ~(t.width - 1)) | rank : wp_mask_nth(t.mask, rank);
}
/* Lane to read for a rank taken modulo the size, and for a rank or none (then the caller itself). */
WPB_FN int wp__tile_source(wp_tile t, int rank) {
  int size = wp_tile_size(t), r = rank % WP__DIVISOR(size);
  return wp__tile_lane(t, t.dense ? rank & (t.width - 1) : r < 0 ? r + size : r);
}
WPB_FN int wp__tile_source_or_own(wp_tile t, bool inside, int rank) { return inside ? wp__tile_lane(t, rank) : wp_lane(); }

/* T6: exchanges by rank. */
#define WP__DEFINE(T, S, W) \
  WPB_FN T wp_tile_shfl_##S(WP__TILE t, WPB_ANY T v, int rank) { \
    if (WP__FAST(t.dense != 0)) return wp_shfl_##S(WP__TO t.mask, v, rank, t.width); \
    return wp__pull_##S(WP__TO t.mask, v, wp__tile_source(t, rank)); \
  } \
  WPB_FN T wp_tile_shfl_up_##S(WP__TILE t, WPB_ANY T v, int delta) { \
    int r = wp_tile_rank(t), from = (int)((unsigned)r - (unsigned)delta); \
    if (WP__FAST(t.dense != 0)) return wp_shfl_up_##S(WP__TO t.mask, v, delta, t.width); \
    return wp__pull_##S(WP__TO t.mask, v, wp__tile_source_or_own(t, (unsigned)delta <= (unsigned)r, from)); \
  } \
  WPB_FN T wp_tile_shfl_down_##S(WP__TILE t, WPB_ANY T v, int delta) { \
    int r = wp_tile_rank(t), from = (int)((unsigned)r + (unsigned)delta); \
    if (WP__FAST(t.dense != 0)) return wp_shfl_down_##S(WP__TO t.mask, v, delta, t.width); \
    return wp__pull_##S(WP__TO t.mask, v, wp__tile_source_or_own(t, (unsigned)delta < (unsigned)(wp_tile_size(t) - r), from)); \
  } \
  WPB_FN T wp_tile_shfl_xor_##S(WP__TILE t, WPB_ANY T v, int rank_mask) { \
    int r = wp_tile_rank(t) ^ rank_mask; \
    if (WP__FAST(t.dense != 0)) { \
      T got = wp_shfl_xor_##S(WP__TO t.mask, v, rank_mask & (t.width - 1), t.width); \
      return (unsigned)rank_mask < (unsigned)t.width ? got : v; \
    } \
    return wp__pull_##S(WP__TO t.mask, v, wp__tile_source_or_own(t, (unsigned)r < (unsigned)wp_tile_size(t), r)); \
  }
WP__TYPES(WP__DEFINE)
#undef WP__DEFINE

/* The bits of m at the lanes of the tile, packed by rank. */
WPB_FN wp_mask wp__tile_pack(wp_tile t, wp_mask m) {
  wp_mask left = t.mask, packed = 0;
  int rank = 0;
  if (t.dense) return (wp_mask)((m >> (unsigned)(wp_lane() & ~(t.width - 1))) & wp__ones(t.width));
  while (left != 0) {
    packed = (wp_mask)(packed | (wp_mask)((m >> (unsigned)wp__lowest(left) & 1u) << (unsigned)rank));
    left = (wp_mask)(left & (wp_mask)(left - 1u));
    rank++;
  }
  return packed;
}

/* T7: votes; the ballot's bits are ranks. */
WPB_FN wp_mask wp_tile_ballot(WP__TILE t, bool p) { return wp__tile_pack(t, wp_ballot(WP__TO t.mask, p)); }
WPB_FN bool wp_tile_any(WP__TILE t, bool p) { return wp_any(WP__TO t.mask, p); }
WPB_FN bool wp_tile_all(WP__TILE t, bool p) { return wp_all(WP__TO t.mask, p); }

/* T8: reductions and scans over the tile's lanes; a full segment is a prefix of itself. */
WPB_FN bool wp__tile_is_prefix(wp_tile t) {
  return t.dense || wp__is_prefix((wp_mask)(t.mask >> (unsigned)(wp_lane() & ~(t.width - 1))));
}
#define WP__DEFINE(op, T, S, C) \
  WPB_FN T wp_tile_reduce_##op##_##S(WP__TILE t, WPB_ANY T v) { \
    return (T)wp__reduce_##op##_##C(WP__TO t.mask, (WP__CAT(wp_, C))v, t.width, t.dense != 0); \
  } \
  WPB_FN T wp_tile_scan_##op##_##S(WP__TILE t, WPB_ANY T v) { \
    return (T)wp__scan_##op##_##C(WP__TO t.mask, (WP__CAT(wp_, C))v, t.width, wp__tile_is_prefix(t)); \
  } \
  WPB_FN T wp_tile_scan_##op##_excl_##S(WP__TILE t, WPB_ANY T v) { \
    return (T)wp__scan_excl_##op##_##C(WP__TO t.mask, (WP__CAT(wp_, C))v, t.width, wp__tile_is_prefix(t), \
                                       (WP__CAT(wp_, C))wp__identity_##op##_##S()); \
  }
WP__VIA_INT(WP__DEFINE)
#undef WP__DEFINE
#define WP__DEFINE(op, T, S, C) \
  WPB_FN T wp_tile_reduce_##op##_##S(WP__TILE t, WPB_ANY T v) { return wp__reduce_##op##_##C(WP__TO t.mask, v, t.width, t.dense != 0); } \
  WPB_FN T wp_tile_scan_##op##_##S(WP__TILE t, WPB_ANY T v) { return wp__scan_##op##_##C(WP__TO t.mask, v, t.width, wp__tile_is_prefix(t)); } \
  WPB_FN T wp_tile_scan_##op##_excl_##S(WP__TILE t, WPB_ANY T v) { \
    return wp__scan_excl_##op##_##C(WP__TO t.mask, v, t.width, wp__tile_is_prefix(t), wp__identity_##op##_##S()); \
  }
WP__VIA_FLOAT(WP__DEFINE)
#undef WP__DEFINE

/* T9 */
WPB_FN void wp_tile_sync(WP__TILE t) { wp_sync(WP__TO t.mask); }

#if WP__OVERLOADS
#define WP__DEFINE(T, S) \
  WPB_FN WP__OVERLOAD T wp_tile_shfl(WP__TILE t, WPB_ANY T v, int rank) { return WP__AS(T) WP__CAT(wp_tile_shfl_, S)(WP__TO t, v, rank); } \
  WPB_FN WP__OVERLOAD T wp_tile_shfl_up(WP__TILE t, WPB_ANY T v, int d) { return WP__AS(T) WP__CAT(wp_tile_shfl_up_, S)(WP__TO t, v, d); } \
  WPB_FN WP__OVERLOAD T wp_tile_shfl_down(WP__TILE t, WPB_ANY T v, int d) { return WP__AS(T) WP__CAT(wp_tile_shfl_down_, S)(WP__TO t, v, d); } \
  WPB_FN WP__OVERLOAD T wp_tile_shfl_xor(WP__TILE t, WPB_ANY T v, int m) { return WP__AS(T) WP__CAT(wp_tile_shfl_xor_, S)(WP__TO t, v, m); }
WP__NAMES(WP__DEFINE)
#undef WP__DEFINE
#define WP__ONE(op, T, S) \
  WPB_FN WP__OVERLOAD T wp_tile_reduce_##op(WP__TILE t, WPB_ANY T v) { return WP__AS(T) WP__CAT(wp_tile_reduce_##op##_, S)(WP__TO t, v); } \
  WPB_FN WP__OVERLOAD T wp_tile_scan_##op(WP__TILE t, WPB_ANY T v) { return WP__AS(T) WP__CAT(wp_tile_scan_##op##_, S)(WP__TO t, v); } \
  WPB_FN WP__OVERLOAD T wp_tile_scan_##op##_excl(WP__TILE t, WPB_ANY T v) { return WP__AS(T) WP__CAT(wp_tile_scan_##op##_excl_, S)(WP__TO t, v); }
#define WP__DEFINE(T, S) WP__ONE(add, T, S) WP__ONE(mul, T, S) WP__ONE(min, T, S) WP__ONE(max, T, S)
WP__NAMES(WP__DEFINE)
#undef WP__DEFINE
#define WP__DEFINE(T, S) WP__ONE(and, T, S) WP__ONE(or, T, S) WP__ONE(xor, T, S)
WP__NAMES_INT(WP__DEFINE)
#undef WP__DEFINE
#undef WP__ONE
#elif WP__LANG_C11
#define wp_tile_shfl(t, v, rank) WP__GENERIC(v, wp_tile_shfl)(t, v, rank)
#define wp_tile_shfl_up(t, v, delta) WP__GENERIC(v, wp_tile_shfl_up)(t, v, delta)
#define wp_tile_shfl_down(t, v, delta) WP__GENERIC(v, wp_tile_shfl_down)(t, v, delta)
#define wp_tile_shfl_xor(t, v, rank_mask) WP__GENERIC(v, wp_tile_shfl_xor)(t, v, rank_mask)
#define wp_tile_reduce_add(t, v) WP__GENERIC(v, wp_tile_reduce_add)(t, v)
#define wp_tile_reduce_mul(t, v) WP__GENERIC(v, wp_tile_reduce_mul)(t, v)
#define wp_tile_reduce_min(t, v) WP__GENERIC(v, wp_tile_reduce_min)(t, v)
#define wp_tile_reduce_max(t, v) WP__GENERIC(v, wp_tile_reduce_max)(t, v)
#define wp_tile_reduce_and(t, v) WP__GENERIC_INT(v, wp_tile_reduce_and)(t, v)
#define wp_tile_reduce_or(t, v) WP__GENERIC_INT(v, wp_tile_reduce_or)(t, v)
#define wp_tile_reduce_xor(t, v) WP__GENERIC_INT(v, wp_tile_reduce_xor)(t, v)
#define wp_tile_scan_add(t, v) WP__GENERIC(v, wp_tile_scan_add)(t, v)
#define wp_tile_scan_mul(t, v) WP__GENERIC(v, wp_tile_scan_mul)(t, v)
#define wp_tile_scan_min(t, v) WP__GENERIC(v, wp_tile_scan_min)(t, v)
#define wp_tile_scan_max(t, v) WP__GENERIC(v, wp_tile_scan_max)(t, v)
#define wp_tile_scan_and(t, v) WP__GENERIC_INT(v, wp_tile_scan_and)(t, v)
#define wp_tile_scan_or(t, v) WP__GENERIC_INT(v, wp_tile_scan_or)(t, v)
#define wp_tile_scan_xor(t, v) WP__GENERIC_INT(v, wp_tile_scan_xor)(t, v)
#define wp_tile_scan_add_excl(t, v) WP__GENERIC(v, wp_tile_scan_add_excl)(t, v)
#define wp_tile_scan_mul_excl(t, v) WP__GENERIC(v, wp_tile_scan_mul_excl)(t, v)
#define wp_tile_scan_min_excl(t, v) WP__GENERIC(v, wp_tile_scan_min_excl)(t, v)
#define wp_tile_scan_max_excl(t, v) WP__GENERIC(v, wp_tile_scan_max_excl)(t, v)
#define wp_tile_scan_and_excl(t, v) WP__GENERIC_INT(v, wp_tile_scan_and_excl)(t, v)
#define wp_tile_scan_or_excl(t, v) WP__GENERIC_INT(v, wp_tile_scan_or_excl)(t, v)
#define wp_tile_scan_xor_excl(t, v) WP__GENERIC_INT(v, wp_tile_scan_xor_excl)(t, v)
#endif

#endif
