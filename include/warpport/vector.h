/* warpport/vector.h: OpenCL's vectors of 2 and 4 elements through the shuffles (spec rows S1-S7, G1-G5), element by element.
 *
 * Only OpenCL C has these types as part of the language. Cost: the exchange of one element, 2 or 4 times. */
#ifndef WARPPORT_VECTOR_H
#define WARPPORT_VECTOR_H

#include "shuffle.h"

#if WP__LANG_OPENCL

/* f: a typed function; the rest of its arguments */
#define WP__EACH2(f, ...) \
  v.x = f(WP__TO mask, v.x, __VA_ARGS__); \
  v.y = f(WP__TO mask, v.y, __VA_ARGS__);
#define WP__EACH4(f, ...) \
  WP__EACH2(f, __VA_ARGS__) \
  v.z = f(WP__TO mask, v.z, __VA_ARGS__); \
  v.w = f(WP__TO mask, v.w, __VA_ARGS__);
#define WP__OR2(f) \
  v.x = f(WP__TO mask, v.x, arg, fallback.x, width); \
  v.y = f(WP__TO mask, v.y, arg, fallback.y, width);
#define WP__OR4(f) \
  WP__OR2(f) \
  v.z = f(WP__TO mask, v.z, arg, fallback.z, width); \
  v.w = f(WP__TO mask, v.w, arg, fallback.w, width);

#define WP__MOVE(name, T, S, N) \
  WPB_FN WP__OVERLOAD T##N name(WP__MASK mask, T##N v, int arg, int width) { \
    WP__EACH##N(name##_##S, arg, width) \
    return v; \
  } \
  WPB_FN WP__OVERLOAD T##N name(WP__MASK mask, T##N v, int arg) { return name(WP__TO mask, v, arg, wp_warp_size()); }
#define WP__GUARD(name, safe, T, S, N) \
  WPB_FN WP__OVERLOAD T##N name(WP__MASK mask, T##N v, int arg, T##N fallback, int width) { \
    WP__OR##N(name##_##S) \
    return v; \
  } \
  WPB_FN WP__OVERLOAD T##N name(WP__MASK mask, T##N v, int arg, T##N fallback) { \
    return name(WP__TO mask, v, arg, fallback, wp_warp_size()); \
  } \
  WPB_FN WP__OVERLOAD T##N safe(WPB_STORAGE_PARAM T##N v, int arg) { \
    return name(WP__TO wp_mask_present(), v, arg, (T##N)((T)0), wp_warp_size()); \
  }
#define WP__DEFINE(T, S, N) \
  WP__MOVE(wp_shfl, T, S, N) WP__MOVE(wp_shfl_up, T, S, N) WP__MOVE(wp_shfl_down, T, S, N) WP__MOVE(wp_shfl_xor, T, S, N) \
  WP__MOVE(wp_rotate, T, S, N) WP__MOVE(wp_broadcast, T, S, N) \
  WPB_FN WP__OVERLOAD T##N wp_broadcast_first(WP__MASK mask, T##N v) { \
    int lane = wp_mask_lowest(mask); \
    WP__EACH##N(wp__pull_##S, lane) \
    return v; \
  } \
  WP__GUARD(wp_shfl_or, wp__safe_shfl, T, S, N) WP__GUARD(wp_shfl_up_or, wp__safe_shfl_up, T, S, N) \
  WP__GUARD(wp_shfl_down_or, wp__safe_shfl_down, T, S, N) WP__GUARD(wp_shfl_xor_or, wp__safe_shfl_xor, T, S, N)
#define WP__BOTH(T, S) WP__DEFINE(T, S, 2) WP__DEFINE(T, S, 4)
WP__BOTH(char, i8)
WP__BOTH(uchar, u8)
WP__BOTH(short, i16)
WP__BOTH(ushort, u16)
WP__BOTH(int, i32)
WP__BOTH(uint, u32)
WP__BOTH(long, i64)
WP__BOTH(ulong, u64)
WP__BOTH(float, f32)
#ifdef WP_HAS_F64
WP__BOTH(double, f64)
#endif
#undef WP__BOTH
#undef WP__DEFINE
#undef WP__GUARD
#undef WP__MOVE
#undef WP__OR2
#undef WP__OR4
#undef WP__EACH2
#undef WP__EACH4

#endif

#endif
