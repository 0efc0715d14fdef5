/* warpport/match.h: which lanes hold the same bits (spec rows K1-K4). Bits are compared, so +0 and -0 differ and a NaN matches itself.
 *
 * Cost: K1 and K2 are one instruction on NVIDIA, whose time grows with the number of distinct values; elsewhere one exchange and one
 * ballot for each distinct value. K3 is nbits ballots, the faster way for narrow keys on every chip. */
#ifndef WARPPORT_MATCH_H
#define WARPPORT_MATCH_H

#include "shuffle.h"
#include "vote.h"

/* Peel off one value after the other: everyone in mask runs the same number of rounds. */
#define WP__PEEL(W, WT) \
  WPB_FN wp_mask wp__match_peel_##W(WP__MASK mask, WPB_ANY WT v) { \
    wp_mask left = mask, mine = 0; \
    while (WP__ANYONE(mask, left != 0)) { \
      WT other = wp__pull_##W(WP__TO mask, v, left != 0 ? wp__lowest(left) : wp_lane()); \
      wp_mask same = wp_ballot(WP__TO mask, v == other); \
      if (left != 0 && v == other) mine = same; \
      left = (wp_mask)(left & (wp_mask)~same); \
    } \
    return mine; \
  }
#ifdef WPB_HAS_MATCH_ANY_U32
WPB_FN wp_mask wp__match_any_word(WP__MASK mask, wp_u32 v) { return wp__logical(wpb_match_any_u32(WP__TO wp__phys(mask), v)); }
#else
WP__PEEL(word, wp_u32)
WPB_FN wp_mask wp__match_any_word(WP__MASK mask, wp_u32 v) { return wp__match_peel_word(WP__TO mask, v); }
#endif
#ifdef WPB_HAS_MATCH_ANY_U64
WPB_FN wp_mask wp__match_any_dword(WP__MASK mask, wp_u64 v) { return wp__logical(wpb_match_any_u64(WP__TO wp__phys(mask), v)); }
#else
WP__PEEL(dword, wp_u64)
WPB_FN wp_mask wp__match_any_dword(WP__MASK mask, wp_u64 v) { return wp__match_peel_dword(WP__TO mask, v); }
#endif
#undef WP__PEEL

WPB_FN bool wp__match_all_word(WP__MASK mask, wp_u32 v) {
#ifdef WPB_HAS_MATCH_ALL_U32
  return wpb_match_all_u32(WP__TO wp__phys(mask), v);
#else
  wp_u32 first = wp__broadcast_first_word(WP__TO mask, v);
  return wp_all(WP__TO mask, v == first);
#endif
}
WPB_FN bool wp__match_all_dword(WP__MASK mask, wp_u64 v) {
#ifdef WPB_HAS_MATCH_ALL_U64
  return wpb_match_all_u64(WP__TO wp__phys(mask), v);
#else
  wp_u64 first = wp__broadcast_first_dword(WP__TO mask, v);
  return wp_all(WP__TO mask, v == first);
#endif
}

#define WP__DEFINE(T, S, W) \
  WPB_FN wp_mask wp_match_any_##S(WP__MASK mask, WPB_ANY T v) { return wp__match_any_##W(WP__TO mask, wp__to_##W##_##S(v)); } \
  WPB_FN bool wp_match_all_##S(WP__MASK mask, WPB_ANY T v) { return wp__match_all_##W(WP__TO mask, wp__to_##W##_##S(v)); }
WP__TYPES(WP__DEFINE)
#undef WP__DEFINE

/* K3: the lanes of mask whose low nbits (0 ... 32) of key equal the caller's. */
WPB_FN wp_mask wp_match_any_bits(WP__MASK mask, wp_u32 key, int nbits) {
  wp_mask same = mask;
  int b;
  if (nbits > 0) WPB_NOTE_SAME(WP__SAME_BITS, nbits);
  for (b = 0; WP__ANYONE(mask, b < nbits); b++) {
    bool bit = b < nbits && (key >> b & 1u) != 0;
    wp_mask set = wp_ballot(WP__TO mask, bit);
    if (b < nbits) same = (wp_mask)(same & (bit ? set : (wp_mask)~set));
  }
  return same;
}

/* K4: the lanes of mask whose bytes equal the caller's; private memory, padding included. */
WPB_FN wp_mask wp_match_any_bytes(WP__MASK mask, const void *p, int bytes) {
  const wp_u8 *from = (const wp_u8 *)p;
  wp_mask same = mask;
  int at, i;
  for (at = 0; WP__ANYONE(mask, at < bytes); at += 4) {
    wp_u32 w = 0;
    for (i = 0; i < 4 && at + i < bytes; i++) w |= (wp_u32)from[at + i] << (8 * i);
    same = (wp_mask)(same & wp__match_any_word(WP__TO mask, w));
  }
  return same;
}

#if WP__OVERLOADS
#define WP__DEFINE(T, S) \
  WPB_FN WP__OVERLOAD wp_mask wp_match_any(WP__MASK mask, WPB_ANY T v) { return WP__CAT(wp_match_any_, S)(WP__TO mask, v); } \
  WPB_FN WP__OVERLOAD bool wp_match_all(WP__MASK mask, WPB_ANY T v) { return WP__CAT(wp_match_all_, S)(WP__TO mask, v); }
WP__NAMES(WP__DEFINE)
#undef WP__DEFINE
#elif WP__LANG_C11
#define wp_match_any(mask, v) WP__GENERIC(v, wp_match_any)(mask, v)
#define wp_match_all(mask, v) WP__GENERIC(v, wp_match_all)(mask, v)
#endif

#endif
