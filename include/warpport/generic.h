/* warpport/generic.h: type lists, and how a generic call (wp_shfl) finds the typed function (wp_shfl_f32).
 *
 * C++ (CUDA, HIP): overloads for the fundamental types, templates for the rest. OpenCL C: overloadable functions.
 * C11: _Generic. C99: typed names only. */
#ifndef WARPPORT_GENERIC_H
#define WARPPORT_GENERIC_H

#include "backend.h"

#define WP__CAT_(a, b) a##b
#define WP__CAT(a, b) WP__CAT_(a, b)

/* X(T, S, W): type, suffix, and the word it travels in. */
#ifdef WP_HAS_F64
#define WP__ONLY_F64(x) x
#else
#define WP__ONLY_F64(x)
#endif
#define WP__TYPES_INT(X) \
  X(wp_i8, i8, word) X(wp_u8, u8, word) X(wp_i16, i16, word) X(wp_u16, u16, word) X(wp_i32, i32, word) X(wp_u32, u32, word) \
  X(wp_i64, i64, dword) X(wp_u64, u64, dword)
#define WP__TYPES_FLOAT(X) \
  X(wp_f32, f32, word) WP__ONLY_F64(X(wp_f64, f64, dword)) X(wp_f16, f16, word) X(wp_bf16, bf16, word) \
  X(wp_f16x2, f16x2, word) X(wp_bf16x2, bf16x2, word)
/* Types with one value to compare: everything but the packed pairs. */
#define WP__TYPES_ORDERED(X) \
  WP__TYPES_INT(X) X(wp_f32, f32, word) WP__ONLY_F64(X(wp_f64, f64, dword)) X(wp_f16, f16, word) X(wp_bf16, bf16, word)
#define WP__TYPES(X) WP__TYPES_INT(X) WP__TYPES_FLOAT(X)

/* The language's own names for them: X(T, S). long goes by its size. */
#if WP__LANG_OPENCL
#define WP__NAMES_INT(X) X(char, i8) X(uchar, u8) X(short, i16) X(ushort, u16) X(int, i32) X(uint, u32) X(long, i64) X(ulong, u64)
#else
#if defined(__SIZEOF_LONG__) ? __SIZEOF_LONG__ == 8 : (defined(__LP64__) || defined(_LP64))
#define WP__SUFFIX_LONG i64
#define WP__SUFFIX_ULONG u64
#else
#define WP__SUFFIX_LONG i32
#define WP__SUFFIX_ULONG u32
#endif
#if defined(__CHAR_UNSIGNED__)
#define WP__SUFFIX_CHAR u8
#else
#define WP__SUFFIX_CHAR i8
#endif
#ifdef __cplusplus
#define WP__BOOL bool
#else
#define WP__BOOL _Bool
#endif
#define WP__NAMES_INT(X) \
  X(WP__BOOL, u8) X(char, WP__SUFFIX_CHAR) X(signed char, i8) X(unsigned char, u8) X(short, i16) X(unsigned short, u16) X(int, i32) \
  X(unsigned int, u32) X(long, WP__SUFFIX_LONG) X(unsigned long, WP__SUFFIX_ULONG) X(long long, i64) X(unsigned long long, u64)
#endif
#define WP__NAMES_SCALAR_FLOAT(X) X(wp_f32, f32) WP__ONLY_F64(X(wp_f64, f64)) X(wp_f16, f16) X(wp_bf16, bf16)
#define WP__NAMES_PACKED(X) X(wp_f16x2, f16x2) X(wp_bf16x2, bf16x2)
#define WP__NAMES_FLOAT(X) WP__NAMES_SCALAR_FLOAT(X) WP__NAMES_PACKED(X)
#define WP__NAMES_ORDERED(X) WP__NAMES_INT(X) WP__NAMES_SCALAR_FLOAT(X)
#define WP__NAMES(X) WP__NAMES_INT(X) WP__NAMES_FLOAT(X)

#if WP__LANG_CXX
#define WP__OVERLOAD
#define WP__AS(T) (T) /* a language name may differ from the element type: long and long long */
#elif WP__LANG_OPENCL
#define WP__OVERLOAD __attribute__((overloadable))
#define WP__AS(T) /* they are the same types, and C casts no structs */
#elif WP__LANG_C11
/* _Generic over all types, over those with one value, over integers; name is a prefix, so that wp_shfl gives wp_shfl_f32. */
#define WP__SELECT_END(name) wp_f16x2: name##_f16x2, wp_bf16x2: name##_bf16x2
#define WP__SELECT_FLOAT(name) wp_f32: name##_f32, wp_f64: name##_f64, wp_f16: name##_f16, wp_bf16: name##_bf16
#define WP__SELECT_INT(name) \
  _Bool: name##_u8, char: WP__CAT(name##_, WP__SUFFIX_CHAR), signed char: name##_i8, unsigned char: name##_u8, short: name##_i16, \
  unsigned short: name##_u16, int: name##_i32, unsigned int: name##_u32, long: WP__CAT(name##_, WP__SUFFIX_LONG), \
  unsigned long: WP__CAT(name##_, WP__SUFFIX_ULONG), long long: name##_i64, unsigned long long: name##_u64
#define WP__GENERIC(v, name) _Generic((v), WP__SELECT_INT(name), WP__SELECT_FLOAT(name), WP__SELECT_END(name))
#define WP__GENERIC_ORDERED(v, name) _Generic((v), WP__SELECT_INT(name), WP__SELECT_FLOAT(name))
#define WP__GENERIC_INT(v, name) _Generic((v), WP__SELECT_INT(name))
/* An argument that may be followed by a width: (lane) or (lane, width). */
#define WP__THIRD(a, b, c, ...) c
#define WP__WIDTH_1(lane) lane, wp_warp_size()
#define WP__WIDTH_2(lane, width) lane, width
#define WP__WITH_WIDTH(...) WP__THIRD(__VA_ARGS__, WP__WIDTH_2, WP__WIDTH_1, 0)(__VA_ARGS__)
/* The same for (lane, fallback) or (lane, fallback, width). */
#define WP__FOURTH(a, b, c, d, ...) d
#define WP__FALLBACK_2(lane, fallback) lane, fallback, wp_warp_size()
#define WP__FALLBACK_3(lane, fallback, width) lane, fallback, width
#define WP__WITH_FALLBACK(...) WP__FOURTH(__VA_ARGS__, WP__FALLBACK_3, WP__FALLBACK_2, 0, 0)(__VA_ARGS__)
#endif

#endif
