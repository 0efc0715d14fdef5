/* warpport/shuffle.h: exchange of values between lanes (spec rows S1-S8, G1-G5).
 *
 * All lanes of mask make the same call. width: a power of two, 1 ... wp_warp_size(); the lanes fall into segments of that many.
 * Values move as bits. 8- and 16-bit values travel in one 32-bit word, 64-bit values in two (or one where the chip can).
 *
 * Cost of a 32-bit exchange: NVIDIA 1 SHFL (a run-time delta of up and down: +1 compare, +1 select, since the chip takes it modulo
 * 32); docs/cost_table.md has every operation and chip. */
#ifndef WARPPORT_SHUFFLE_H
#define WARPPORT_SHUFFLE_H

#include "mask.h"

/* ---- one word by the chip's lane number ---- */

WPB_FN wp_u32 wp__pull_word(WP__MASK mask, wp_u32 v, int src) { return wpb_shfl_u32(WP__TO wp__phys(mask), v, wp__base() + src); }
WPB_FN wp_u64 wp__pull_dword(WP__MASK mask, wp_u64 v, int src) {
#ifdef WPB_HAS_SHFL_U64
  return wpb_shfl_u64(WP__TO wp__phys(mask), v, wp__base() + src);
#else
  wp_u32 lo, hi;
  wp__split(v, &lo, &hi);
  lo = wp__pull_word(WP__TO mask, lo, src);
  hi = wp__pull_word(WP__TO mask, hi, src);
  return wp__join(lo, hi);
#endif
}

/* ---- where a lane reads: logical lane numbers; its own where there is no source ---- */

WPB_FN int wp__source(int lane, int width) { return (wp_lane() & ~(width - 1)) | (lane & (width - 1)); }
WPB_FN bool wp__up_inside(int delta, int width) { return (unsigned)delta <= (unsigned)(wp_lane() & (width - 1)); }
/* With a constant delta one comparison of the lane with a constant is left. */
WPB_FN bool wp__down_inside(int delta, int width) {
  return ((unsigned)delta < (unsigned)width) & ((wp_lane() & (width - 1)) < (int)((unsigned)width - (unsigned)delta));
}
WPB_FN int wp__source_up(int delta, int width) { return wp__up_inside(delta, width) ? wp_lane() - delta : wp_lane(); }
WPB_FN int wp__source_down(int delta, int width) { return wp__down_inside(delta, width) ? wp_lane() + delta : wp_lane(); }
WPB_FN int wp__source_xor(int lane_mask, int width) { return wp_lane() ^ (lane_mask & (width - 1)); }
WPB_FN int wp__source_rotate(int delta, int width) {
  return wp__source((int)((unsigned)wp_lane() + (unsigned)delta), width);
}

/* ---- the operations on words: the chip's own form, or by source lane ---- */

WPB_FN wp_u32 wp__shfl_word(WP__MASK mask, wp_u32 v, int lane, int width) {
  WPB_NOTE_SHUFFLE(WP__NOTE_SHFL, wp__phys(mask), lane, width);
#ifdef WPB_HAS_SHFL_WIDTH
  return wpb_shfl_width_u32(WP__TO wp__phys(mask), v, lane, width);
#else
  return wp__pull_word(WP__TO mask, v, wp__source(lane, width));
#endif
}
WPB_FN wp_u32 wp__up_word(WP__MASK mask, wp_u32 v, int delta, int width) {
  WPB_NOTE_SHUFFLE(WP__NOTE_UP, wp__phys(mask), delta, width);
#ifdef WPB_HAS_SHFL_UP
  return wpb_shfl_up_u32(WP__TO wp__phys(mask), v, delta, width);
#else
  return wp__pull_word(WP__TO mask, v, wp__source_up(delta, width));
#endif
}
WPB_FN wp_u32 wp__down_word(WP__MASK mask, wp_u32 v, int delta, int width) {
  WPB_NOTE_SHUFFLE(WP__NOTE_DOWN, wp__phys(mask), delta, width);
#ifdef WPB_HAS_SHFL_DOWN
  return wpb_shfl_down_u32(WP__TO wp__phys(mask), v, delta, width);
#else
  return wp__pull_word(WP__TO mask, v, wp__source_down(delta, width));
#endif
}
WPB_FN wp_u32 wp__xor_word(WP__MASK mask, wp_u32 v, int lane_mask, int width) {
  WPB_NOTE_SHUFFLE(WP__NOTE_XOR, wp__phys(mask), lane_mask, width);
#ifdef WPB_HAS_SHFL_XOR
  return wpb_shfl_xor_u32(WP__TO wp__phys(mask), v, lane_mask, width);
#else
  return wp__pull_word(WP__TO mask, v, wp__source_xor(lane_mask, width));
#endif
}
WPB_FN wp_u32 wp__rotate_word(WP__MASK mask, wp_u32 v, int delta, int width) {
  WPB_NOTE_SHUFFLE(WP__NOTE_ROTATE, wp__phys(mask), delta, width);
#if defined(WPB_HAS_ROTATE)
  return wpb_rotate_u32(WP__TO wp__phys(mask), v, delta, width);
#elif defined(WPB_HAS_SHFL_WIDTH)
  return wpb_shfl_width_u32(WP__TO wp__phys(mask), v, (int)((unsigned)wp_lane() + (unsigned)delta), width);
#else
  return wp__pull_word(WP__TO mask, v, wp__source_rotate(delta, width));
#endif
}
WPB_FN wp_u32 wp__broadcast_word(WP__MASK mask, wp_u32 v, int lane, int width) {
  WPB_NOTE_SHUFFLE(WP__NOTE_BROADCAST, wp__phys(mask), lane, width);
#if defined(WPB_HAS_BROADCAST)
  return wpb_broadcast_u32(WP__TO wp__phys(mask), v, lane, width);
#elif defined(WPB_HAS_SHFL_WIDTH)
  return wpb_shfl_width_u32(WP__TO wp__phys(mask), v, lane, width);
#else
  return wp__pull_word(WP__TO mask, v, wp__source(lane, width));
#endif
}
WPB_FN wp_u32 wp__broadcast_first_word(WP__MASK mask, wp_u32 v) {
#ifdef WPB_HAS_BROADCAST_FIRST
  return wpb_broadcast_first_u32(WP__TO wp__phys(mask), v);
#else
  return wp__pull_word(WP__TO mask, v, wp__lowest(mask));
#endif
}

#ifdef WPB_HAS_SHFL_U64
#define WP__DWORD(op, note, source) \
  WPB_FN wp_u64 wp__##op##_dword(WP__MASK mask, wp_u64 v, int arg, int width) { \
    WPB_NOTE_SHUFFLE(note, wp__phys(mask), arg, width); \
    return wp__pull_dword(WP__TO mask, v, source(arg, width)); \
  }
#else
#define WP__DWORD(op, note, source) \
  WPB_FN wp_u64 wp__##op##_dword(WP__MASK mask, wp_u64 v, int arg, int width) { \
    wp_u32 lo, hi; \
    wp__split(v, &lo, &hi); \
    lo = wp__##op##_word(WP__TO mask, lo, arg, width); \
    hi = wp__##op##_word(WP__TO mask, hi, arg, width); \
    return wp__join(lo, hi); \
  }
#endif
WP__DWORD(shfl, WP__NOTE_SHFL, wp__source)
WP__DWORD(up, WP__NOTE_UP, wp__source_up)
WP__DWORD(down, WP__NOTE_DOWN, wp__source_down)
WP__DWORD(xor, WP__NOTE_XOR, wp__source_xor)
WP__DWORD(rotate, WP__NOTE_ROTATE, wp__source_rotate)
WP__DWORD(broadcast, WP__NOTE_BROADCAST, wp__source)
#undef WP__DWORD
WPB_FN wp_u64 wp__broadcast_first_dword(WP__MASK mask, wp_u64 v) { return wp__pull_dword(WP__TO mask, v, wp__lowest(mask)); }

/* The safe forms: every lane of mask executes the exchange; the guard selects afterwards. */
#ifdef WPB_HAS_LOOSE
/* The chip may read a lane that is outside the segment or the mask, and gives an unspecified value for it: the plain exchange serves. */
#ifdef WPB_HAS_SHFL_WIDTH
#define wp__loose_shfl_word wpb_shfl_width_u32
#else
#error "warpport: a backend with WPB_HAS_LOOSE needs WPB_HAS_SHFL_WIDTH"
#endif
#define wp__loose_up_word wpb_loose_up_u32
#define wp__loose_down_word wpb_loose_down_u32
#define wp__loose_xor_word wpb_loose_xor_u32
#define WP__DWORD(op) \
  WPB_FN wp_u64 wp__loose_##op##_dword(WPB_MASK_T mask, wp_u64 v, int arg, int width) { \
    wp_u32 lo, hi; \
    wp__split(v, &lo, &hi); \
    lo = wp__loose_##op##_word(mask, lo, arg, width); \
    hi = wp__loose_##op##_word(mask, hi, arg, width); \
    return wp__join(lo, hi); \
  }
WP__DWORD(shfl)
WP__DWORD(up)
WP__DWORD(down)
WP__DWORD(xor)
#undef WP__DWORD
#define WP__GUARD(op, W, WT, inside, source) \
  WPB_FN WT wp__##op##_or_##W(wp_mask mask, WT v, int arg, WPB_ANY WT fallback, int width) { \
    WT got = wp__loose_##op##_##W(wp__phys(mask), v, arg, width); \
    WPB_NOTE_SHUFFLE(WP__NOTE_GUARDED, wp__phys(mask), arg, width); \
    bool there = wp__in(mask, (source) & (WPB_MASK_BITS - 1)); /* not after &&, which would become a branch */ \
    return ((inside) & there) ? got : fallback; \
  }
#else
#define WP__GUARD(op, W, WT, inside, source) \
  WPB_FN WT wp__##op##_or_##W(WP__MASK mask, WPB_ANY WT v, int arg, WPB_ANY WT fallback, int width) { \
    bool ok = (inside) && wp__in(mask, source); \
    WT got; \
    WPB_NOTE_SHUFFLE(WP__NOTE_GUARDED, wp__phys(mask), arg, width); \
    got = wp__pull_##W(WP__TO mask, v, ok ? source : wp_lane()); \
    return ok ? got : fallback; \
  }
#endif
#define WP__GUARDED(W, WT) \
  WP__GUARD(shfl, W, WT, (unsigned)arg < (unsigned)width, wp__source(arg, width)) \
  WP__GUARD(up, W, WT, wp__up_inside(arg, width), wp_lane() - arg) \
  WP__GUARD(down, W, WT, wp__down_inside(arg, width), wp_lane() + arg) \
  WP__GUARD(xor, W, WT, (unsigned)arg < (unsigned)width, wp__source_xor(arg, width))
WP__GUARDED(word, wp_u32)
WP__GUARDED(dword, wp_u64)
#undef WP__GUARDED
#undef WP__GUARD

/* ---- typed functions: wp_shfl_f32(mask, v, lane, width) and so on ---- */

/* X(public name, internal name): argument (mask, v, int, width) */
#define WP__SHUFFLES(X, T, S, W) \
  X(wp_shfl, shfl, T, S, W) X(wp_shfl_up, up, T, S, W) X(wp_shfl_down, down, T, S, W) X(wp_shfl_xor, xor, T, S, W) \
  X(wp_rotate, rotate, T, S, W) X(wp_broadcast, broadcast, T, S, W)
#define WP__TYPED(name, op, T, S, W) \
  WPB_FN T name##_##S(WP__MASK mask, WPB_ANY T v, int arg, int width) { \
    WP__CHECK_WIDTH(width); \
    return wp__from_##W##_##S(wp__##op##_##W(WP__TO mask, wp__to_##W##_##S(v), arg, width)); \
  }
#define WP__TYPED_OR(name, op, T, S, W) \
  WPB_FN T name##_or_##S(WP__MASK mask, WPB_ANY T v, int arg, WPB_ANY T fallback, int width) { \
    WP__CHECK_WIDTH(width); \
    return wp__from_##W##_##S(wp__##op##_or_##W(WP__TO mask, wp__to_##W##_##S(v), arg, wp__to_##W##_##S(fallback), width)); \
  }
/* G5: mask wp_mask_present(), fallback zero, full width. */
#define WP__TYPED_SAFE(name, op, T, S, W) \
  WPB_FN T name##_##S(WPB_STORAGE_PARAM T v, int arg) { \
    return wp__from_##W##_##S(wp__##op##_or_##W(WP__TO wp_mask_present(), wp__to_##W##_##S(v), arg, 0, wp_warp_size())); \
  }
#define WP__DEFINE(T, S, W) \
  WPB_FN T wp__pull_##S(WP__MASK mask, WPB_ANY T v, int src) { return wp__from_##W##_##S(wp__pull_##W(WP__TO mask, wp__to_##W##_##S(v), src)); } \
  WP__SHUFFLES(WP__TYPED, T, S, W) \
  WPB_FN T wp_broadcast_first_##S(WP__MASK mask, WPB_ANY T v) { \
    return wp__from_##W##_##S(wp__broadcast_first_##W(WP__TO mask, wp__to_##W##_##S(v))); \
  } \
  WP__TYPED_OR(wp_shfl, shfl, T, S, W) \
  WP__TYPED_OR(wp_shfl_up, up, T, S, W) \
  WP__TYPED_OR(wp_shfl_down, down, T, S, W) \
  WP__TYPED_OR(wp_shfl_xor, xor, T, S, W) \
  WP__TYPED_SAFE(wp__safe_shfl, shfl, T, S, W) \
  WP__TYPED_SAFE(wp__safe_shfl_up, up, T, S, W) \
  WP__TYPED_SAFE(wp__safe_shfl_down, down, T, S, W) \
  WP__TYPED_SAFE(wp__safe_shfl_xor, xor, T, S, W)
WP__TYPES(WP__DEFINE)
#undef WP__DEFINE
#undef WP__TYPED
#undef WP__TYPED_OR
#undef WP__TYPED_SAFE

/* S8: an object of any size in private memory, as S1; out may equal in. */
WPB_FN void wp_shfl_bytes(WP__MASK mask, void *out, const void *in, int bytes, int lane, int width) {
  const wp_u8 *from = (const wp_u8 *)in;
  wp_u8 *to = (wp_u8 *)out;
  int at, i;
  if (bytes > 0) WPB_NOTE_SAME(WP__SAME_BYTES, bytes);
  for (at = 0; WP__ANYONE(mask, at < bytes); at += 4) {
    wp_u32 w = 0;
    for (i = 0; i < 4 && at + i < bytes; i++) w |= (wp_u32)from[at + i] << (8 * i);
    w = wp__shfl_word(WP__TO mask, w, lane, width);
    for (i = 0; i < 4 && at + i < bytes; i++) to[at + i] = (wp_u8)(w >> (8 * i));
  }
}

/* ---- generic calls ---- */

#if WP__OVERLOADS
#define WP__OVERLOAD_ONE(name, op, T, S, W) \
  WPB_FN WP__OVERLOAD T name(WP__MASK mask, WPB_ANY T v, int arg, int width) { return WP__AS(T) WP__CAT(name##_, S)(WP__TO mask, v, arg, width); } \
  WPB_FN WP__OVERLOAD T name(WP__MASK mask, WPB_ANY T v, int arg) { return WP__AS(T) WP__CAT(name##_, S)(WP__TO mask, v, arg, wp_warp_size()); }
#define WP__OVERLOAD_OR(name, T, S) \
  WPB_FN WP__OVERLOAD T name##_or(WP__MASK mask, WPB_ANY T v, int arg, WPB_ANY T fallback, int width) { \
    return WP__AS(T) WP__CAT(name##_or_, S)(WP__TO mask, v, arg, fallback, width); \
  } \
  WPB_FN WP__OVERLOAD T name##_or(WP__MASK mask, WPB_ANY T v, int arg, WPB_ANY T fallback) { \
    return WP__AS(T) WP__CAT(name##_or_, S)(WP__TO mask, v, arg, fallback, wp_warp_size()); \
  }
#define WP__OVERLOAD_SAFE(name, T, S) \
  WPB_FN WP__OVERLOAD T name(WPB_STORAGE_PARAM T v, int arg) { return WP__AS(T) WP__CAT(name##_, S)(WP__TO v, arg); }
#define WP__DEFINE(T, S) \
  WP__SHUFFLES(WP__OVERLOAD_ONE, T, S, 0) \
  WPB_FN WP__OVERLOAD T wp_broadcast_first(WP__MASK mask, WPB_ANY T v) { return WP__AS(T) WP__CAT(wp_broadcast_first_, S)(WP__TO mask, v); } \
  WP__OVERLOAD_OR(wp_shfl, T, S) \
  WP__OVERLOAD_OR(wp_shfl_up, T, S) \
  WP__OVERLOAD_OR(wp_shfl_down, T, S) \
  WP__OVERLOAD_OR(wp_shfl_xor, T, S) \
  WP__OVERLOAD_SAFE(wp__safe_shfl, T, S) \
  WP__OVERLOAD_SAFE(wp__safe_shfl_up, T, S) \
  WP__OVERLOAD_SAFE(wp__safe_shfl_down, T, S) \
  WP__OVERLOAD_SAFE(wp__safe_shfl_xor, T, S)
WP__NAMES(WP__DEFINE)
#undef WP__DEFINE
#undef WP__OVERLOAD_ONE
#undef WP__OVERLOAD_OR
#undef WP__OVERLOAD_SAFE
#define WP_SAFE_SHUFFLE(v, lane) wp__safe_shfl(WP__TO v, lane)
#define WP_SAFE_SHUFFLE_UP(v, delta) wp__safe_shfl_up(WP__TO v, delta)
#define WP_SAFE_SHUFFLE_DOWN(v, delta) wp__safe_shfl_down(WP__TO v, delta)
#define WP_SAFE_SHUFFLE_XOR(v, lane_mask) wp__safe_shfl_xor(WP__TO v, lane_mask)
#elif WP__LANG_C11
#define wp_shfl(mask, v, ...) WP__GENERIC(v, wp_shfl)(mask, v, WP__WITH_WIDTH(__VA_ARGS__))
#define wp_shfl_up(mask, v, ...) WP__GENERIC(v, wp_shfl_up)(mask, v, WP__WITH_WIDTH(__VA_ARGS__))
#define wp_shfl_down(mask, v, ...) WP__GENERIC(v, wp_shfl_down)(mask, v, WP__WITH_WIDTH(__VA_ARGS__))
#define wp_shfl_xor(mask, v, ...) WP__GENERIC(v, wp_shfl_xor)(mask, v, WP__WITH_WIDTH(__VA_ARGS__))
#define wp_rotate(mask, v, ...) WP__GENERIC(v, wp_rotate)(mask, v, WP__WITH_WIDTH(__VA_ARGS__))
#define wp_broadcast(mask, v, ...) WP__GENERIC(v, wp_broadcast)(mask, v, WP__WITH_WIDTH(__VA_ARGS__))
#define wp_broadcast_first(mask, v) WP__GENERIC(v, wp_broadcast_first)(mask, v)
#define wp_shfl_or(mask, v, ...) WP__GENERIC(v, wp_shfl_or)(mask, v, WP__WITH_FALLBACK(__VA_ARGS__))
#define wp_shfl_up_or(mask, v, ...) WP__GENERIC(v, wp_shfl_up_or)(mask, v, WP__WITH_FALLBACK(__VA_ARGS__))
#define wp_shfl_down_or(mask, v, ...) WP__GENERIC(v, wp_shfl_down_or)(mask, v, WP__WITH_FALLBACK(__VA_ARGS__))
#define wp_shfl_xor_or(mask, v, ...) WP__GENERIC(v, wp_shfl_xor_or)(mask, v, WP__WITH_FALLBACK(__VA_ARGS__))
#define WP_SAFE_SHUFFLE(v, lane) WP__GENERIC(v, wp__safe_shfl)(v, lane)
#define WP_SAFE_SHUFFLE_UP(v, delta) WP__GENERIC(v, wp__safe_shfl_up)(v, delta)
#define WP_SAFE_SHUFFLE_DOWN(v, delta) WP__GENERIC(v, wp__safe_shfl_down)(v, delta)
#define WP_SAFE_SHUFFLE_XOR(v, lane_mask) WP__GENERIC(v, wp__safe_shfl_xor)(v, lane_mask)
#endif

#if WP__LANG_CXX
/* Any other trivially copyable type (a struct, an enum, a vendor's half), word by word. */
template <class T>
WPB_FN T wp__shfl_object(wp_mask mask, const T &v, int src) {
  static_assert(__is_trivially_copyable(T), "warpport: only trivially copyable types can be exchanged between lanes");
  enum { count = (sizeof(T) + 3) / 4 };
  wp_u32 w[count] = {0};
  T out = v;
  WPB_MEMCPY(w, &v, sizeof(T));
  WPB_UNROLL
  for (int i = 0; i < (int)count; i++) w[i] = wp__pull_word(mask, w[i], src);
  WPB_MEMCPY(&out, w, sizeof(T));
  return out;
}
#define WP__TEMPLATE(name, note, source) \
  template <class T> \
  WPB_FN T name(wp_mask mask, T v, int arg, int width = wp_warp_size()) { \
    WP__CHECK_WIDTH(width); \
    WPB_NOTE_SHUFFLE(note, wp__phys(mask), arg, width); \
    return wp__shfl_object(mask, v, source(arg, width)); \
  }
WP__TEMPLATE(wp_shfl, WP__NOTE_SHFL, wp__source)
WP__TEMPLATE(wp_shfl_up, WP__NOTE_UP, wp__source_up)
WP__TEMPLATE(wp_shfl_down, WP__NOTE_DOWN, wp__source_down)
WP__TEMPLATE(wp_shfl_xor, WP__NOTE_XOR, wp__source_xor)
WP__TEMPLATE(wp_rotate, WP__NOTE_ROTATE, wp__source_rotate)
WP__TEMPLATE(wp_broadcast, WP__NOTE_BROADCAST, wp__source)
#undef WP__TEMPLATE
template <class T>
WPB_FN T wp_broadcast_first(wp_mask mask, T v) { return wp__shfl_object(mask, v, wp_mask_lowest(mask)); }
#define WP__TEMPLATE(name, inside, source) \
  template <class T> \
  WPB_FN T name(wp_mask mask, T v, int arg, WPB_ANY T fallback, int width = wp_warp_size()) { \
    WP__CHECK_WIDTH(width); \
    int src = source(arg, width); \
    bool ok = inside && wp_mask_has(mask, src); \
    WPB_NOTE_SHUFFLE(WP__NOTE_GUARDED, wp__phys(mask), arg, width); \
    T got = wp__shfl_object(mask, v, ok ? src : wp_lane()); \
    return ok ? got : fallback; \
  }
WP__TEMPLATE(wp_shfl_or, (unsigned)arg < (unsigned)width, wp__source)
WP__TEMPLATE(wp_shfl_up_or, wp__up_inside(arg, width), wp__source_up)
WP__TEMPLATE(wp_shfl_down_or, wp__down_inside(arg, width), wp__source_down)
WP__TEMPLATE(wp_shfl_xor_or, (unsigned)arg < (unsigned)width, wp__source_xor)
#undef WP__TEMPLATE
template <class T>
WPB_FN T wp__safe_shfl(WPB_ANY T v, int arg) { return wp_shfl_or(wp_mask_present(), v, arg, T()); }
template <class T>
WPB_FN T wp__safe_shfl_up(WPB_ANY T v, int arg) { return wp_shfl_up_or(wp_mask_present(), v, arg, T()); }
template <class T>
WPB_FN T wp__safe_shfl_down(WPB_ANY T v, int arg) { return wp_shfl_down_or(wp_mask_present(), v, arg, T()); }
template <class T>
WPB_FN T wp__safe_shfl_xor(WPB_ANY T v, int arg) { return wp_shfl_xor_or(wp_mask_present(), v, arg, T()); }
#endif

#if !defined(WARPPORT_NO_SHORT_NAMES) && (WP__OVERLOADS || WP__LANG_C11)
#define SAFE_SHUFFLE(v, lane) WP_SAFE_SHUFFLE(v, lane)
#define SAFE_SHUFFLE_UP(v, delta) WP_SAFE_SHUFFLE_UP(v, delta)
#define SAFE_SHUFFLE_DOWN(v, delta) WP_SAFE_SHUFFLE_DOWN(v, delta)
#define SAFE_SHUFFLE_XOR(v, lane_mask) WP_SAFE_SHUFFLE_XOR(v, lane_mask)
#endif

#endif
