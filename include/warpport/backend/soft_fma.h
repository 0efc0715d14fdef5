/* warpport/backend/soft_fma.h: a * b + c rounded once, in integers, for OpenCL compilers whose fma() is none (WARPPORT_OPENCL_SOFT_FMA).
 *
 * The exact product and the addend are left-aligned below the sign of a wide integer, with a bit for the carry. The smaller is shifted
 * right to the other's exponent; a bit that falls out sticks to the lowest place. That place is far below the rounding point: operands
 * that cancel by more than one bit were shifted by one at most and have lost nothing. */
#ifndef WARPPORT_BACKEND_SOFT_FMA_H
#define WARPPORT_BACKEND_SOFT_FMA_H

#include "../types.h"

/* What a NaN, an infinity or a product of 0 gives. Bits of magnitudes: x, y of the factors, z of the addend; p, s: signs of product
 * and addend, in place. */
#define WPB__FMA_SPECIAL(T, inf, nan) \
  if (x > (inf) || y > (inf) || z > (inf)) return as_##T(nan); \
  if (x == (inf) || y == (inf)) return as_##T(x == 0 || y == 0 || (z == (inf) && p != s) ? (nan) : (p | (inf))); \
  if (z == (inf)) return c; \
  if (x == 0 || y == 0) return z != 0 ? c : as_##T(p & s)

WPB_FN float wpb__soft_fma_f32(float a, float b, float c) {
  uint x = as_uint(a) & 0x7fffffffu, y = as_uint(b) & 0x7fffffffu, z = as_uint(c) & 0x7fffffffu;
  uint p = (as_uint(a) ^ as_uint(b)) & 0x80000000u, s = as_uint(c) & 0x80000000u, m;
  int i = (int)(x >> 23), j = (int)(y >> 23), e, f;
  ulong u, v, t;
  WPB__FMA_SPECIAL(float, 0x7f800000u, 0x7fc00000u);
  x = i == 0 ? x : (x & 0x7fffffu) | 0x800000u;
  y = j == 0 ? y : (y & 0x7fffffu) | 0x800000u;
  u = (ulong)x * (ulong)y; /* times 2 to the power of i + j - 300, with exponents of at least 1 */
  e = (i == 0 ? 1 : i) + (j == 0 ? 1 : j) - 300;
  f = (int)clz(u) - 1;
  u <<= f;
  e += 62 - f; /* of the highest bit, as f is of v's */
  f = (int)(z >> 23);
  v = z == 0 ? 0ul : f == 0 ? (ulong)z : (ulong)((z & 0x7fffffu) | 0x800000u);
  f = (f == 0 ? 1 : f) - 150;
  if (v != 0) {
    i = (int)clz(v) - 1;
    v <<= i;
    f += 62 - i;
  } else {
    f = e;
  }
  if (f > e || (f == e && v > u)) {
    t = u, u = v, v = t;
    i = e, e = f, f = i;
    m = p, p = s, s = m;
  }
  i = e - f;
  v = i > 62 ? (ulong)(v != 0) : v >> i | (ulong)((v & ((1ul << i) - 1ul)) != 0);
  u = p == s ? u + v : u - v;
  if (u == 0) return 0.0f;
  i = (int)clz(u);
  u <<= i;
  e += 1 - i;
  if (e < -126) { /* denormal: fewer bits are left */
    i = -126 - e;
    u = i > 63 ? 1ul : u >> i | (ulong)((u & ((1ul << i) - 1ul)) != 0);
    e = -127;
  }
  m = (uint)(u >> 32); /* in halves: Mesa 26's compiler overruns an array for 64-bit masks at 16 lanes */
  x = m << 24 | (uint)((uint)u != 0);
  m >>= 8;
  m += (uint)(x > 0x80000000u || (x == 0x80000000u && (m & 1u) != 0));
  if (e >= -126) m += (uint)(e + 126) << 23;
  return as_float(p | (m < 0x7f800000u ? m : 0x7f800000u));
}

#ifdef WP_HAS_F64
/* 128 bits, the higher half first. */
WPB_FN ulong2 wpb__left128(ulong2 v, int n) { /* 0 <= n < 128 */
  if (n >= 64) return (ulong2)(v.y << (n - 64), 0);
  return n == 0 ? v : (ulong2)(v.x << n | v.y >> (64 - n), v.y << n);
}
WPB_FN ulong2 wpb__right_sticky128(ulong2 v, int n) { /* 0 <= n */
  ulong2 kept;
  ulong lost;
  if (n == 0) return v;
  if (n > 127) return (ulong2)(0, (ulong)((v.x | v.y) != 0));
  if (n >= 64) {
    kept = (ulong2)(0, v.x >> (n - 64));
    lost = v.y | (v.x & ((1ul << (n - 64)) - 1ul));
  } else {
    kept = (ulong2)(v.x >> n, v.x << (64 - n) | v.y >> n);
    lost = v.y & ((1ul << n) - 1ul);
  }
  kept.y |= (ulong)(lost != 0);
  return kept;
}
WPB_FN int wpb__clz128(ulong2 v) { return v.x != 0 ? (int)clz(v.x) : 64 + (int)clz(v.y); }

WPB_FN double wpb__soft_fma_f64(double a, double b, double c) {
  const ulong inf = 0x7ff0000000000000ul, sign = 0x8000000000000000ul, one = 0x10000000000000ul;
  ulong x = as_ulong(a) & ~sign, y = as_ulong(b) & ~sign, z = as_ulong(c) & ~sign;
  ulong p = (as_ulong(a) ^ as_ulong(b)) & sign, s = as_ulong(c) & sign, m;
  int i = (int)(x >> 52), j = (int)(y >> 52), e, f;
  ulong2 u, v, t;
  WPB__FMA_SPECIAL(double, inf, 0x7ff8000000000000ul);
  x = i == 0 ? x : (x & (one - 1)) | one;
  y = j == 0 ? y : (y & (one - 1)) | one;
  u = (ulong2)(mul_hi(x, y), x * y);
  e = (i == 0 ? 1 : i) + (j == 0 ? 1 : j) - 2150;
  f = wpb__clz128(u) - 1;
  u = wpb__left128(u, f);
  e += 126 - f;
  f = (int)(z >> 52);
  v = (ulong2)(0, f == 0 ? z : (z & (one - 1)) | one);
  f = (f == 0 ? 1 : f) - 1075;
  if (v.y != 0) {
    i = wpb__clz128(v) - 1;
    v = wpb__left128(v, i);
    f += 126 - i;
  } else {
    f = e;
  }
  if (f > e || (f == e && (v.x > u.x || (v.x == u.x && v.y > u.y)))) {
    t = u, u = v, v = t;
    i = e, e = f, f = i;
    m = p, p = s, s = m;
  }
  v = wpb__right_sticky128(v, e - f);
  t = p == s ? (ulong2)(u.x + v.x, u.y + v.y) : (ulong2)(u.x - v.x, u.y - v.y);
  if (p == s) t.x += (ulong)(t.y < u.y);
  else t.x -= (ulong)(u.y < v.y);
  if ((t.x | t.y) == 0) return 0.0;
  i = wpb__clz128(t);
  t = wpb__left128(t, i);
  e += 1 - i;
  if (e < -1022) {
    t = wpb__right_sticky128(t, -1022 - e);
    e = -1023;
  }
  x = t.x | (ulong)(t.y != 0);
  m = x >> 11;
  x &= 0x7fful;
  m += (ulong)(x + (m & 1ul) > 0x400ul);
  if (e >= -1022) m += (ulong)(e + 1022) << 52;
  return as_double(p | (m < inf ? m : inf));
}
#endif
#undef WPB__FMA_SPECIAL

#endif
