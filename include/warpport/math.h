/* warpport/math.h: the few float functions that C, CUDA and OpenCL spell or round differently (spec rows F1, F2).
 *
 * F1 is exact IEEE arithmetic and maps to the chip's instructions. F2 is written here in terms of F1, so that it has the same bits on
 * every backend, whatever the vendor's own exp does (as long as the compiler does not contract a*b+c: nvcc -fmad=false,
 * -ffp-contract=off). Cost: exp2 12, exp 15, log about 25, sincospi about 25 instructions. */
#ifndef WARPPORT_MATH_H
#define WARPPORT_MATH_H

#include "ops.h"

#define WP__DEFINE(T, S) \
  WPB_FN T wp_sqrt_##S(T x) { return wpb_sqrt_##S(x); } \
  WPB_FN T wp_fma_##S(T a, T b, T c) { return wpb_fma_##S(a, b, c); } \
  WPB_FN T wp_fabs_##S(T x) { return wpb_fabs_##S(x); } \
  WPB_FN T wp_floor_##S(T x) { return wpb_floor_##S(x); } \
  WPB_FN T wp_ceil_##S(T x) { return wpb_ceil_##S(x); } \
  WPB_FN T wp_min_##S(T a, T b) { return wp__min_##S(a, b); } \
  WPB_FN T wp_max_##S(T a, T b) { return wp__max_##S(a, b); }
WP__DEFINE(wp_f32, f32)
#ifdef WP_HAS_F64
WP__DEFINE(wp_f64, f64)
#endif
#undef WP__DEFINE

/* x * 2^n, -252 <= n <= 254, x near 1: two exact powers, so that a denormal result is rounded once. */
WPB_FN float wp__scale_f32(float x, int n) {
  WPB_NO_CONTRACT
  int part = n / 2;
  return x * wp__from_word_f32((wp_u32)(part + 127) << 23) * wp__from_word_f32((wp_u32)(n - part + 127) << 23);
}

/* 2^x: x = n + f, |f| <= 1/2; the Taylor polynomial of degree 7 errs by 5e-9. */
WPB_FN float wp_exp2_f32(float x) {
  WPB_NO_CONTRACT
  float n, f, p;
  if (!(x < 129.0f)) return x != x ? x : wp__from_word_f32(0x7f800000u);
  if (x < -151.0f) return 0.0f;
  n = wp_floor_f32(x + 0.5f);
  f = x - n;
  p = wp_fma_f32(1.52527338e-5f, f, 1.54035304e-4f);
  p = wp_fma_f32(p, f, 1.33335581e-3f);
  p = wp_fma_f32(p, f, 9.61812911e-3f);
  p = wp_fma_f32(p, f, 5.55041087e-2f);
  p = wp_fma_f32(p, f, 2.40226507e-1f);
  p = wp_fma_f32(p, f, 6.93147181e-1f);
  return wp__scale_f32(wp_fma_f32(p, f, 1.0f), (int)n);
}

/* e^x: x = n ln 2 + r; n times the high part of ln 2 is exact. */
WPB_FN float wp_exp_f32(float x) {
  WPB_NO_CONTRACT
  float n, r, p;
  if (!(x < 89.0f)) return x != x ? x : wp__from_word_f32(0x7f800000u);
  if (x < -104.0f) return 0.0f;
  n = wp_floor_f32(wp_fma_f32(x, 1.44269504f, 0.5f));
  r = wp_fma_f32(n, -0.693359375f, x);
  r = wp_fma_f32(n, 2.12194442e-4f, r);
  p = wp_fma_f32(1.98412698e-4f, r, 1.38888889e-3f);
  p = wp_fma_f32(p, r, 8.33333377e-3f);
  p = wp_fma_f32(p, r, 4.16666679e-2f);
  p = wp_fma_f32(p, r, 1.66666672e-1f);
  p = wp_fma_f32(p, r, 0.5f);
  p = wp_fma_f32(p, r, 1.0f);
  return wp__scale_f32(wp_fma_f32(p, r, 1.0f), (int)n);
}

/* ln x: x = 2^k m, m in [sqrt(1/2), sqrt(2)), f = m - 1: ln m = f - f^2/2 + f^3 P(f), P the Chebyshev fit of degree 9 (5e-9). No
 * division: OpenCL C does not round it correctly. */
WPB_FN float wp_log_f32(float x) {
  WPB_NO_CONTRACT
  wp_u32 u = wp__to_word_f32(x);
  float k = 0.0f, f, p;
  if (x == 0.0f) return wp__from_word_f32(0xff800000u);
  if (x < 0.0f || x != x) return wp__from_word_f32(0x7fc00000u);
  if (u == 0x7f800000u) return x;
  if (u < 0x00800000u) { /* denormal */
    u = wp__to_word_f32(x * 16777216.0f);
    k = -24.0f;
  }
  u += 0x3f800000u - 0x3f3504f3u;
  k += (float)((int)(u >> 23) - 127);
  f = wp__from_word_f32((u & 0x7fffffu) + 0x3f3504f3u) - 1.0f;
  p = wp_fma_f32(-6.20150012e-2f, f, 1.05308647e-1f);
  p = wp_fma_f32(p, f, -1.06461916e-1f);
  p = wp_fma_f32(p, f, 1.10377834e-1f);
  p = wp_fma_f32(p, f, -1.24507433e-1f);
  p = wp_fma_f32(p, f, 1.42865245e-1f);
  p = wp_fma_f32(p, f, -1.66680015e-1f);
  p = wp_fma_f32(p, f, 2.00000100e-1f);
  p = wp_fma_f32(p, f, -2.49999903e-1f);
  p = wp_fma_f32(p, f, 3.33333333e-1f);
  p = wp_fma_f32(f * f, f * p, k * -2.12194442e-4f);
  p = wp_fma_f32(-0.5f * f, f, p);
  return wp_fma_f32(k, 0.693359375f, f + p);
}

/* sin and cos of pi x: x = n/2 + r, |r| <= 1/4, exact; private pointers. From 2^24 on every float is an even integer. */
WPB_FN void wp_sincospi_f32(float x, float *sine, float *cosine) {
  WPB_NO_CONTRACT
  float n, r, z, s, c, t;
  int quadrant;
  if (!(wp_fabs_f32(x) < 16777216.0f)) x = (x - x) * 0.0f; /* NaN for infinity and NaN, else 0 */
  n = wp_floor_f32(x * 2.0f);
  if (x * 2.0f - n >= 0.5f) n += 1.0f; /* not floor(2x + 1/2): that sum rounds up to the next integer from |x| = 2^22 on */
  r = wp_fma_f32(n, -0.5f, x);
  z = r * r;
  s = wp_fma_f32(z, 8.21458866e-2f, -5.99264529e-1f);
  s = wp_fma_f32(s, z, 2.55016404f);
  s = wp_fma_f32(s, z, -5.16771278f);
  s = wp_fma_f32(s, z, 3.14159265f);
  s = s * r;
  c = wp_fma_f32(z, -2.58068913e-2f, 2.35330630e-1f);
  c = wp_fma_f32(c, z, -1.33526277f);
  c = wp_fma_f32(c, z, 4.05871213f);
  c = wp_fma_f32(c, z, -4.93480220f);
  c = wp_fma_f32(c, z, 1.0f);
  quadrant = x != x ? 0 : (int)n & 3;
  if ((quadrant & 1) != 0) {
    t = s;
    s = c;
    c = -t;
  }
  *sine = (quadrant & 2) != 0 ? -s : s;
  *cosine = (quadrant & 2) != 0 ? -c : c;
}

#endif
