/* warpport/atomic.h: atomics on global and shared memory, and aggregated ones (spec rows A1, A2). All return the old value.
 *
 * Order: relaxed; scope: the device (global), the block (shared). Cost: one atomic; aggregated: one atomic for all lanes of the mask,
 * plus one inclusive scan and one broadcast. */
#ifndef WARPPORT_ATOMIC_H
#define WARPPORT_ATOMIC_H

#include "kernel.h"
#include "scan.h"

#ifdef WPB_HAS_ATOMIC64
#define WP_HAS_ATOMIC64 1
#define WP__ONLY_ATOMIC64(x) x
#else
#define WP__ONLY_ATOMIC64(x)
#endif

/* X(op, T, S) */
#define WP__ATOMICS_OF(X, T, S) X(add, T, S) X(min, T, S) X(max, T, S) X(and, T, S) X(or, T, S) X(xor, T, S) X(exch, T, S)
#define WP__ATOMICS(X) \
  WP__ATOMICS_OF(X, wp_i32, i32) WP__ATOMICS_OF(X, wp_u32, u32) X(add, wp_f32, f32) \
  WP__ONLY_ATOMIC64(X(add, wp_u64, u64) X(min, wp_u64, u64) X(max, wp_u64, u64) X(exch, wp_u64, u64))
#define WP__ATOMICS_CAS(X) X(wp_i32, i32) X(wp_u32, u32) WP__ONLY_ATOMIC64(X(wp_u64, u64))

/* A1: wp_atomic_add_u32(p, v), wp_atomic_add_local_u32(p, v), wp_atomic_cas_u32(p, expected, v) ... */
#define WP__DEFINE(op, T, S) \
  WPB_FN T wp_atomic_##op##_##S(WP_GLOBAL T *p, T v) { return wpb_atomic_##op##_##S(p, v); } \
  WPB_FN T wp_atomic_##op##_local_##S(WP_LOCAL T *p, T v) { return wpb_atomic_##op##_local_##S(p, v); }
WP__ATOMICS(WP__DEFINE)
#undef WP__DEFINE
#define WP__DEFINE(T, S) \
  WPB_FN T wp_atomic_cas_##S(WP_GLOBAL T *p, T expected, T v) { return wpb_atomic_cas_##S(p, expected, v); } \
  WPB_FN T wp_atomic_cas_local_##S(WP_LOCAL T *p, T expected, T v) { return wpb_atomic_cas_local_##S(p, expected, v); }
WP__ATOMICS_CAS(WP__DEFINE)
#undef WP__DEFINE

/* A2: one atomic add for the lanes of mask, which pass the same p: the old value plus what the lower lanes of mask add. */
#define WP__DEFINE(T, S, C) \
  WPB_FN T wp_atomic_add_aggregated_##S(WP__MASK mask, WP_GLOBAL T *p, T v) { \
    T upto, old = 0; \
    int last = wp__highest(mask); \
    WPB_NOTE_SAME_ADDRESS(p); \
    upto = wp_scan_add_##S(WP__TO mask, v); \
    if (wp_lane() == last) old = wp_atomic_add_##S(p, upto); \
    return (T)((C)wp__pull_##S(WP__TO mask, old, last) + ((C)upto - (C)v)); \
  }
WP__DEFINE(wp_i32, i32, wp_u32)
WP__DEFINE(wp_u32, u32, wp_u32)
#ifdef WP_HAS_ATOMIC64
WP__DEFINE(wp_u64, u64, wp_u64)
#endif
#undef WP__DEFINE

#if WP__OVERLOADS
#define WP__DEFINE(op, T, S) \
  WPB_FN WP__OVERLOAD T wp_atomic_##op(WP_GLOBAL T *p, T v) { return wp_atomic_##op##_##S(p, v); } \
  WPB_FN WP__OVERLOAD T wp_atomic_##op##_local(WP_LOCAL T *p, T v) { return wp_atomic_##op##_local_##S(p, v); }
WP__ATOMICS(WP__DEFINE)
#undef WP__DEFINE
#define WP__DEFINE(T, S) \
  WPB_FN WP__OVERLOAD T wp_atomic_cas(WP_GLOBAL T *p, T expected, T v) { return wp_atomic_cas_##S(p, expected, v); } \
  WPB_FN WP__OVERLOAD T wp_atomic_cas_local(WP_LOCAL T *p, T expected, T v) { return wp_atomic_cas_local_##S(p, expected, v); } \
  WPB_FN WP__OVERLOAD T wp_atomic_add_aggregated(WP__MASK mask, WP_GLOBAL T *p, T v) { return wp_atomic_add_aggregated_##S(WP__TO mask, p, v); }
WP__ATOMICS_CAS(WP__DEFINE)
#undef WP__DEFINE
#elif WP__LANG_C11
/* By the pointer's type. */
#define WP__GENERIC_P(p, name) _Generic((p), wp_i32 *: name##_i32, wp_u32 *: name##_u32, wp_u64 *: name##_u64)
#define WP__GENERIC_P32(p, name) _Generic((p), wp_i32 *: name##_i32, wp_u32 *: name##_u32)
#define WP__GENERIC_PA(p, name) _Generic((p), wp_i32 *: name##_i32, wp_u32 *: name##_u32, wp_u64 *: name##_u64, wp_f32 *: name##_f32)
#define wp_atomic_add(p, v) WP__GENERIC_PA(p, wp_atomic_add)(p, v)
#define wp_atomic_add_local(p, v) WP__GENERIC_PA(p, wp_atomic_add_local)(p, v)
#define wp_atomic_min(p, v) WP__GENERIC_P(p, wp_atomic_min)(p, v)
#define wp_atomic_min_local(p, v) WP__GENERIC_P(p, wp_atomic_min_local)(p, v)
#define wp_atomic_max(p, v) WP__GENERIC_P(p, wp_atomic_max)(p, v)
#define wp_atomic_max_local(p, v) WP__GENERIC_P(p, wp_atomic_max_local)(p, v)
#define wp_atomic_and(p, v) WP__GENERIC_P32(p, wp_atomic_and)(p, v)
#define wp_atomic_and_local(p, v) WP__GENERIC_P32(p, wp_atomic_and_local)(p, v)
#define wp_atomic_or(p, v) WP__GENERIC_P32(p, wp_atomic_or)(p, v)
#define wp_atomic_or_local(p, v) WP__GENERIC_P32(p, wp_atomic_or_local)(p, v)
#define wp_atomic_xor(p, v) WP__GENERIC_P32(p, wp_atomic_xor)(p, v)
#define wp_atomic_xor_local(p, v) WP__GENERIC_P32(p, wp_atomic_xor_local)(p, v)
#define wp_atomic_exch(p, v) WP__GENERIC_P(p, wp_atomic_exch)(p, v)
#define wp_atomic_exch_local(p, v) WP__GENERIC_P(p, wp_atomic_exch_local)(p, v)
#define wp_atomic_cas(p, expected, v) WP__GENERIC_P(p, wp_atomic_cas)(p, expected, v)
#define wp_atomic_cas_local(p, expected, v) WP__GENERIC_P(p, wp_atomic_cas_local)(p, expected, v)
#define wp_atomic_add_aggregated(mask, p, v) WP__GENERIC_P(p, wp_atomic_add_aggregated)(mask, p, v)
#endif

#endif
