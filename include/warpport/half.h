/* warpport/half.h: 16-bit floating types as bits, conversions, packed pairs (spec rows H1, H2).
 *
 * wp_f16 is IEEE binary16, wp_bf16 the upper half of a binary32. Conversions round to nearest even, keep denormals, and a NaN stays
 * one. Arithmetic is done in binary32 and rounded once, which equals correctly rounded 16-bit arithmetic for + - * / and sqrt,
 * since 24 >= 2*11 + 2 bits (and 2*8 + 2). Cost: one conversion instruction where the chip has it, else about ten. */
#ifndef WARPPORT_HALF_H
#define WARPPORT_HALF_H

#include "bits.h"

WPB_FN wp_f16 wp_f16_from_bits(wp_u16 bits) { wp_f16 h; h.bits = bits; return h; }
WPB_FN wp_bf16 wp_bf16_from_bits(wp_u16 bits) { wp_bf16 h; h.bits = bits; return h; }

WPB_FN wp_f16 wp_f16_from_f32(float f) {
#ifdef WPB_HAS_F16_CVT
  return wp_f16_from_bits(wpb_f16_from_f32(f));
#else
  wp_u32 u = wp__to_word_f32(f), sign = u >> 16 & 0x8000u, a = u & 0x7fffffffu, h;
  if (a > 0x7f800000u) {
    h = 0x7e00u | (a >> 13 & 0x3ffu);
  } else if (a >= 0x477ff000u) { /* from the middle between 65504 and 65536 on: infinity */
    h = 0x7c00u;
  } else if (a >= 0x38800000u) { /* normal */
    h = ((a + 0xfffu + (a >> 13 & 1u)) >> 13) - (112u << 10);
  } else if (a <= 0x33000000u) { /* up to half the smallest denormal */
    h = 0;
  } else {
    wp_u32 shift = 126u - (a >> 23), m = (a & 0x7fffffu) | 0x800000u;
    wp_u32 rest = m & ((1u << shift) - 1u), middle = 1u << (shift - 1u);
    h = m >> shift;
    if (rest > middle || (rest == middle && (h & 1u) != 0)) h++;
  }
  return wp_f16_from_bits((wp_u16)(sign | h));
#endif
}

WPB_FN float wp_f32_from_f16(wp_f16 v) {
#ifdef WPB_HAS_F16_CVT
  return wpb_f32_from_f16(v.bits);
#else
  wp_u32 sign = (wp_u32)(v.bits & 0x8000u) << 16, e = v.bits >> 10 & 31u, m = v.bits & 0x3ffu;
  if (e == 31u) return wp__from_word_f32(sign | 0x7f800000u | m << 13);
  if (e == 0 && m != 0) {
    wp_u32 top = (wp_u32)wp__highest32(m);
    return wp__from_word_f32(sign | (top + 103u) << 23 | (m << (23u - top) & 0x7fffffu));
  }
  return wp__from_word_f32(e == 0 ? sign : sign | (e + 112u) << 23 | m << 13);
#endif
}

WPB_FN wp_bf16 wp_bf16_from_f32(float f) {
#ifdef WPB_HAS_BF16_CVT
  return wp_bf16_from_bits(wpb_bf16_from_f32(f));
#else
  wp_u32 u = wp__to_word_f32(f);
  if ((u & 0x7fffffffu) > 0x7f800000u) return wp_bf16_from_bits((wp_u16)(u >> 16 | 0x40u));
  return wp_bf16_from_bits((wp_u16)((u + 0x7fffu + (u >> 16 & 1u)) >> 16));
#endif
}

WPB_FN float wp_f32_from_bf16(wp_bf16 v) { return wp__from_word_f32((wp_u32)v.bits << 16); }

/* H2: element 0 in the low half. */
#define WP__DEFINE(P, E) \
  WPB_FN P P##_make(E e0, E e1) { P p; p.bits = (wp_u32)e0.bits | (wp_u32)e1.bits << 16; return p; } \
  WPB_FN E P##_get(P p, int i) { E e; e.bits = (wp_u16)(i == 0 ? p.bits & 0xffffu : p.bits >> 16); return e; }
WP__DEFINE(wp_f16x2, wp_f16)
WP__DEFINE(wp_bf16x2, wp_bf16)
#undef WP__DEFINE

#endif
