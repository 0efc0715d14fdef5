/* warpport/backend/amdgcn.h: the lane instructions of AMD chips, for C++ (HIP) and OpenCL C; included by a backend file, which
 * defines WPB_FN before. Only compiler builtins, no vendor header.
 *
 * Every function is right on every chip from gfx8 on, by ds_bpermute and readlane. What a chip can do faster is switched on by a
 * positive list below, so an unknown chip is right before it is fast. The fast forms need a constant lane, delta or width: the
 * constants are recognised after inlining (__builtin_constant_p), so they exist with optimisation only.
 *
 * Sources: the ISA manuals of GCN3, Vega, CDNA 1-3 and RDNA 1-4, chapters "Data Parallel Primitives" and "LDS" (DS_SWIZZLE_B32,
 * DS_BPERMUTE_B32) and the pseudo code of V_PERMLANE*; LLVM's AMDGPUUsage. A DPP row has 16 lanes, a bank 4. */
#ifndef WARPPORT_BACKEND_AMDGCN_H
#define WARPPORT_BACKEND_AMDGCN_H

#include "../types.h"

/* ---- the chip of this pass ---- */

/* HIP's host pass defines the device's target macros too, but none of a chip. */
#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#define WPB_AMD_DEVICE 1
#elif defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__
#define WPB_AMD_DEVICE 1
#else
#define WPB_AMD_DEVICE 0
#endif

/* WPB_AMD_WAVE: lanes of a wavefront, where the chip says so; else the compiler's builtin does, or its macro before clang 18. */
#if WPB_AMD_DEVICE
#if defined(__GFX6__) || defined(__GFX7__)
#error "warpport: AMD chips before gfx8 have no ds_bpermute and are not supported"
#elif defined(__GFX8__) || defined(__GFX9__)
#define WPB_AMD_WAVE 64
#elif defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
#define WPB_AMD_WAVE 32
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-pragma" /* the macro is deprecated, and gone from LLVM 22 on */
#endif
/* The macro has two names; clang 15 has only the second, and later versions give up both. */
#if (defined(__AMDGCN_WAVEFRONT_SIZE__) && __AMDGCN_WAVEFRONT_SIZE__ == 64) || \
  (defined(__AMDGCN_WAVEFRONT_SIZE) && __AMDGCN_WAVEFRONT_SIZE == 64)
#error "warpport: 64-lane wavefronts on gfx10 to gfx12 are not supported (HIP has none either; ds_bpermute reaches only half of the wavefront there): compile without -mwavefrontsize64"
#endif
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#endif

/* quad_perm, row_shl, row_shr, row_ror, row_mirror, row_half_mirror */
#if defined(__GFX8__) || defined(__GFX9__) || defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
#define WPB_AMD_HAS_DPP 1
#endif
/* wave_shl, wave_rol, wave_shr, wave_ror by 1; row_bcast:15, row_bcast:31 */
#if defined(__GFX8__) || defined(__GFX9__)
#define WPB_AMD_HAS_DPP_WAVE 1
#endif
/* row_newbcast and row_share, which share an encoding */
#if defined(__gfx90a__) || defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__) || defined(__gfx950__) || \
  defined(__gfx9_4_generic__) || defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
#define WPB_AMD_HAS_ROW_SHARE 1
#endif
/* row_xmask, DPP8, v_permlane16, v_permlanex16 */
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
#define WPB_AMD_HAS_PERMLANE16 1
#endif
/* v_permlane16_swap, v_permlane32_swap */
#if defined(__gfx950__) && defined(__has_builtin)
#if __has_builtin(__builtin_amdgcn_permlane32_swap)
#define WPB_AMD_HAS_PERMLANE_SWAP 1
#endif
#endif
/* ds_swizzle in rotate mode */
#if defined(__GFX9__)
#define WPB_AMD_HAS_SWIZZLE_ROTATE 1
#endif
#endif

/* ---- lane, ballot, active lanes, order ---- */

WPB_FN int wpb_amd_wave(void) {
#if defined(WPB_AMD_WAVE)
  return WPB_AMD_WAVE;
#elif WPB_AMD_DEVICE && __clang_major__ >= 18
  return (int)__builtin_amdgcn_wavefrontsize();
#elif WPB_AMD_DEVICE
  return __AMDGCN_WAVEFRONT_SIZE;
#else
  return 64; /* never called */
#endif
}

/* v_mbcnt counts the bits of a mask below the caller's lane. The and tells the compiler the range; it costs nothing in most uses. */
WPB_FN int wpb_amd_lane(void) {
#if defined(WPB_AMD_WAVE) && WPB_AMD_WAVE == 32
  return (int)(__builtin_amdgcn_mbcnt_lo(~0u, 0u) & 31u);
#else
  return (int)(__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u)) & 63u);
#endif
}
WPB_FN int wpb_amd_count_below(wp_u64 mask) {
#if defined(WPB_AMD_WAVE) && WPB_AMD_WAVE == 32
  return (int)__builtin_amdgcn_mbcnt_lo((wp_u32)mask, 0u);
#else
  return (int)__builtin_amdgcn_mbcnt_hi((wp_u32)(mask >> 32), __builtin_amdgcn_mbcnt_lo((wp_u32)mask, 0u));
#endif
}

/* The compare-to-mask builtin, where older compilers lack ballot: 33 is "not equal" (LLVM's CmpInst::ICMP_NE). */
#if defined(__has_builtin)
#if defined(WPB_AMD_WAVE) && WPB_AMD_WAVE == 32 && __has_builtin(__builtin_amdgcn_ballot_w32)
#define WPB_AMD__BALLOT(p) ((wp_u64)__builtin_amdgcn_ballot_w32(p))
#elif defined(WPB_AMD_WAVE) && WPB_AMD_WAVE == 64 && __has_builtin(__builtin_amdgcn_ballot_w64)
#define WPB_AMD__BALLOT(p) ((wp_u64)__builtin_amdgcn_ballot_w64(p))
#endif
#endif
#ifndef WPB_AMD__BALLOT
#define WPB_AMD__BALLOT(p) ((wp_u64)__builtin_amdgcn_uicmp((p) ? 1u : 0u, 0u, 33))
#endif
WPB_FN wp_u64 wpb_amd_ballot(bool p) { return WPB_AMD__BALLOT(p); }
WPB_FN wp_u64 wpb_amd_active(void) { return WPB_AMD__BALLOT(true); }

/* The lanes of a wavefront run in step, so nothing waits; but the compiler must not move memory accesses across. */
WPB_FN void wpb_amd_sync(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

/* ---- exchange by any lane ---- */

WPB_FN wp_u32 wpb_amd_pull(wp_u32 v, int src) { return (wp_u32)__builtin_amdgcn_ds_bpermute(src << 2, (int)v); }
WPB_FN wp_u32 wpb_amd_readlane(wp_u32 v, int src) { return (wp_u32)__builtin_amdgcn_readlane((int)v, src); }
WPB_FN wp_u32 wpb_amd_readfirstlane(wp_u32 v) { return (wp_u32)__builtin_amdgcn_readfirstlane((int)v); }

/* ---- by instructions with the pattern in the instruction ---- */

/* All lanes have a source (or what they get is of no interest): with bound_ctrl a missing one reads 0, which lets the compiler fuse
 * the move into the operation that uses it. KEEP: lanes without a source, or in rows and banks that are off, keep `old`. */
#define WPB_AMD__DPP(v, ctrl) ((wp_u32)__builtin_amdgcn_update_dpp(0, (int)(v), ctrl, 0xf, 0xf, true))
#define WPB_AMD__DPP_KEEP(old, v, ctrl, rows, banks) \
  ((wp_u32)__builtin_amdgcn_update_dpp((int)(old), (int)(v), ctrl, rows, banks, false))
#define WPB_AMD__QUAD(a, b, c, d) ((a) | (b) << 2 | (c) << 4 | (d) << 6)
#define WPB_AMD__ROW_SHL(n) (0x100 + (n)) /* lane i reads i + n */
#define WPB_AMD__ROW_SHR(n) (0x110 + (n))
#define WPB_AMD__ROW_ROR(n) (0x120 + (n)) /* lane i reads (i - n) mod 16 */
#define WPB_AMD__WAVE_SHL 0x130           /* lane i reads i + 1 */
#define WPB_AMD__WAVE_ROL 0x134
#define WPB_AMD__WAVE_SHR 0x138
#define WPB_AMD__WAVE_ROR 0x13c
#define WPB_AMD__ROW_MIRROR 0x140
#define WPB_AMD__HALF_MIRROR 0x141
#define WPB_AMD__ROW_BCAST15 0x142        /* rows 1 ... 3 read the last lane of the row before */
#define WPB_AMD__ROW_BCAST31 0x143        /* rows 2 and 3 read lane 31 */
#define WPB_AMD__ROW_SHARE(n) (0x150 + (n))
#define WPB_AMD__ROW_XMASK(n) (0x160 + (n))
#define WPB_AMD__DPP8(v, a, b, c, d, e, f, g, h) \
  ((wp_u32)__builtin_amdgcn_mov_dpp8((wp_u32)(v), (a) | (b) << 3 | (c) << 6 | (d) << 9 | (e) << 12 | (f) << 15 | (g) << 18 | (h) << 21))
/* Within 32 lanes: ((lane & and_) | or_) ^ xor_ */
#define WPB_AMD__SWIZZLE(v, and_, or_, xor_) ((wp_u32)__builtin_amdgcn_ds_swizzle((int)(v), (and_) | (or_) << 5 | (xor_) << 10))
/* (lane & keep) | ((lane + n) & ~keep) */
#define WPB_AMD__SWIZZLE_ROTATE(v, n, keep) ((wp_u32)__builtin_amdgcn_ds_swizzle((int)(v), 0xc000 | (n) << 5 | (keep)))

#ifdef WPB_AMD_HAS_PERMLANE16
/* Lane selectors, 16 nibbles: lane i of a row reads nibble i's lane of the other row of the pair. */
#define WPB_AMD__LANES ((wp_u64)0xfedcba98u << 32 | 0x76543210u)
WPB_FN wp_u64 wpb_amd_lanes_xor(int m) { return WPB_AMD__LANES ^ (((wp_u64)0x11111111u << 32 | 0x11111111u) * (wp_u64)m); }
WPB_FN wp_u64 wpb_amd_lanes_plus(int d) { /* i + d mod 16 */
  int n = (d & 15) * 4;
  return n == 0 ? WPB_AMD__LANES : WPB_AMD__LANES >> n | WPB_AMD__LANES << (64 - n);
}
WPB_FN wp_u32 wpb_amd_other_row(wp_u32 v, wp_u64 lanes) {
  return (wp_u32)__builtin_amdgcn_permlanex16(v, v, (wp_u32)lanes, (wp_u32)(lanes >> 32), false, true);
}
#endif

#define WPB_AMD__1TO15(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#define WPB_AMD__1TO7(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7)

/* ---- xor ---- */

/* m constant, 1 ... 15 */
WPB_FN wp_u32 wpb_amd_row_xor(wp_u32 v, int m) {
#if defined(WPB_AMD_HAS_PERMLANE16)
#define WPB_AMD__CASE(n) case n: return WPB_AMD__DPP(v, WPB_AMD__ROW_XMASK(n));
  switch (m) { WPB_AMD__1TO15(WPB_AMD__CASE) default: return v; }
#undef WPB_AMD__CASE
#elif defined(WPB_AMD_HAS_DPP)
  /* the part within a quad, and before that 4 as 7 and 3, 8 by rotation, 12 as 15 and 3 */
  if ((m & 12) == 4) { v = WPB_AMD__DPP(v, WPB_AMD__HALF_MIRROR); m ^= 7; }
  else if ((m & 12) == 8) { v = WPB_AMD__DPP(v, WPB_AMD__ROW_ROR(8)); m ^= 8; }
  else if ((m & 12) == 12) { v = WPB_AMD__DPP(v, WPB_AMD__ROW_MIRROR); m ^= 15; }
  switch (m) {
    case 1: return WPB_AMD__DPP(v, WPB_AMD__QUAD(1, 0, 3, 2));
    case 2: return WPB_AMD__DPP(v, WPB_AMD__QUAD(2, 3, 0, 1));
    case 3: return WPB_AMD__DPP(v, WPB_AMD__QUAD(3, 2, 1, 0));
    default: return v;
  }
#else
  return wpb_amd_pull(v, wpb_amd_lane() ^ m);
#endif
}

WPB_FN wp_u32 wpb_amd_xor(wp_u32 v, int m) {
#ifdef WPB_AMD_HAS_DPP
  if (__builtin_constant_p(m) && (m & 63) == m) {
    if (m < 16) return wpb_amd_row_xor(v, m);
#if defined(WPB_AMD_HAS_PERMLANE16)
    if (m < 32) return wpb_amd_other_row(v, wpb_amd_lanes_xor(m & 15));
#else
#ifdef WPB_AMD_HAS_PERMLANE_SWAP
    /* Both results of the swap hold v in two halves of each pair: even rows (lanes below 32) want the second, odd the first. */
    if (m >= 32) {
      __typeof__(__builtin_amdgcn_permlane32_swap(0u, 0u, false, false)) r = __builtin_amdgcn_permlane32_swap(v, v, false, false);
      v = wpb_amd_lane() < 32 ? r[1] : r[0];
      m &= 31;
    }
    if (m >= 16) {
      __typeof__(__builtin_amdgcn_permlane16_swap(0u, 0u, false, false)) r = __builtin_amdgcn_permlane16_swap(v, v, false, false);
      v = (wpb_amd_lane() & 16) == 0 ? r[1] : r[0];
      m &= 15;
    }
    return wpb_amd_row_xor(v, m);
#else
#define WPB_AMD__CASE(n) case 16 + n: return WPB_AMD__SWIZZLE(v, 31, 0, 16 + n);
    switch (m) { WPB_AMD__CASE(0) WPB_AMD__1TO15(WPB_AMD__CASE) default: break; }
#undef WPB_AMD__CASE
#endif
#endif
  }
#endif
  return wpb_amd_pull(v, wpb_amd_lane() ^ m);
}

/* ---- up, down: own value where there is no source in the segment of width lanes ---- */

#if defined(WPB_AMD_HAS_DPP)
/* d constant, 1 ... 15: within rows, old elsewhere */
WPB_FN wp_u32 wpb_amd_row_up(wp_u32 old, wp_u32 v, int d) {
#define WPB_AMD__CASE(n) case n: return WPB_AMD__DPP_KEEP(old, v, WPB_AMD__ROW_SHR(n), 0xf, 0xf);
  switch (d) { WPB_AMD__1TO15(WPB_AMD__CASE) default: return v; }
#undef WPB_AMD__CASE
}
WPB_FN wp_u32 wpb_amd_row_down(wp_u32 old, wp_u32 v, int d) {
#define WPB_AMD__CASE(n) case n: return WPB_AMD__DPP_KEEP(old, v, WPB_AMD__ROW_SHL(n), 0xf, 0xf);
  switch (d) { WPB_AMD__1TO15(WPB_AMD__CASE) default: return v; }
#undef WPB_AMD__CASE
}
#endif

WPB_FN wp_u32 wpb_amd_up(wp_u32 v, int d, int width) {
  int s = wpb_amd_lane() & (width - 1);
#ifdef WPB_AMD_HAS_DPP
  if (__builtin_constant_p(d) && __builtin_constant_p(width)) {
    if ((unsigned)d >= (unsigned)width || d == 0) return v;
    if (width == 2) return WPB_AMD__DPP(v, WPB_AMD__QUAD(0, 0, 2, 2));
    if (width == 4 && d == 1) return WPB_AMD__DPP(v, WPB_AMD__QUAD(0, 0, 1, 2));
    if (width == 4 && d == 2) return WPB_AMD__DPP(v, WPB_AMD__QUAD(0, 1, 0, 1));
    if (width == 4) return WPB_AMD__DPP(v, WPB_AMD__QUAD(0, 1, 2, 0));
    if (width == 8) {
#ifdef WPB_AMD_HAS_PERMLANE16
      switch (d) {
        case 1: return WPB_AMD__DPP8(v, 0, 0, 1, 2, 3, 4, 5, 6);
        case 2: return WPB_AMD__DPP8(v, 0, 1, 0, 1, 2, 3, 4, 5);
        case 3: return WPB_AMD__DPP8(v, 0, 1, 2, 0, 1, 2, 3, 4);
        case 4: return WPB_AMD__DPP8(v, 0, 1, 2, 3, 0, 1, 2, 3);
        case 5: return WPB_AMD__DPP8(v, 0, 1, 2, 3, 4, 0, 1, 2);
        case 6: return WPB_AMD__DPP8(v, 0, 1, 2, 3, 4, 5, 0, 1);
        default: return WPB_AMD__DPP8(v, 0, 1, 2, 3, 4, 5, 6, 0);
      }
#else
      if (d == 4) return WPB_AMD__DPP_KEEP(v, v, WPB_AMD__ROW_SHR(4), 0xf, 0xa); /* banks 1 and 3 */
      wp_u32 got = wpb_amd_row_up(v, v, d); /* in all lanes, before the choice */
      return s >= d ? got : v;
#endif
    }
    if (width == 16) return wpb_amd_row_up(v, v, d);
#if defined(WPB_AMD_HAS_PERMLANE16)
    if (width == 32) { /* row 1 takes from row 0 what its own row has not */
      wp_u32 other = wpb_amd_other_row(v, wpb_amd_lanes_plus(-d));
      return d < 16 ? wpb_amd_row_up(s < 16 ? v : other, v, d) : s >= d ? other : v;
    }
#elif defined(WPB_AMD_HAS_DPP_WAVE)
    if (width == 64 && d == 1) return WPB_AMD__DPP_KEEP(v, v, WPB_AMD__WAVE_SHR, 0xf, 0xf);
    if (width == 32 && d == 1) {
      wp_u32 got = WPB_AMD__DPP(v, WPB_AMD__WAVE_SHR);
      return s == 0 ? v : got;
    }
#endif
  }
#endif
  return wpb_amd_pull(v, (unsigned)d <= (unsigned)s ? wpb_amd_lane() - d : wpb_amd_lane());
}

WPB_FN wp_u32 wpb_amd_down(wp_u32 v, int d, int width) {
  int s = wpb_amd_lane() & (width - 1);
#ifdef WPB_AMD_HAS_DPP
  if (__builtin_constant_p(d) && __builtin_constant_p(width)) {
    if ((unsigned)d >= (unsigned)width || d == 0) return v;
    if (width == 2) return WPB_AMD__DPP(v, WPB_AMD__QUAD(1, 1, 3, 3));
    if (width == 4 && d == 1) return WPB_AMD__DPP(v, WPB_AMD__QUAD(1, 2, 3, 3));
    if (width == 4 && d == 2) return WPB_AMD__DPP(v, WPB_AMD__QUAD(2, 3, 2, 3));
    if (width == 4) return WPB_AMD__DPP(v, WPB_AMD__QUAD(3, 1, 2, 3));
    if (width == 8) {
#ifdef WPB_AMD_HAS_PERMLANE16
      switch (d) {
        case 1: return WPB_AMD__DPP8(v, 1, 2, 3, 4, 5, 6, 7, 7);
        case 2: return WPB_AMD__DPP8(v, 2, 3, 4, 5, 6, 7, 6, 7);
        case 3: return WPB_AMD__DPP8(v, 3, 4, 5, 6, 7, 5, 6, 7);
        case 4: return WPB_AMD__DPP8(v, 4, 5, 6, 7, 4, 5, 6, 7);
        case 5: return WPB_AMD__DPP8(v, 5, 6, 7, 3, 4, 5, 6, 7);
        case 6: return WPB_AMD__DPP8(v, 6, 7, 2, 3, 4, 5, 6, 7);
        default: return WPB_AMD__DPP8(v, 7, 1, 2, 3, 4, 5, 6, 7);
      }
#else
      if (d == 4) return WPB_AMD__DPP_KEEP(v, v, WPB_AMD__ROW_SHL(4), 0xf, 0x5); /* banks 0 and 2 */
      wp_u32 got = wpb_amd_row_down(v, v, d);
      return s + d < 8 ? got : v;
#endif
    }
    if (width == 16) return wpb_amd_row_down(v, v, d);
#if defined(WPB_AMD_HAS_PERMLANE16)
    if (width == 32) {
      wp_u32 other = wpb_amd_other_row(v, wpb_amd_lanes_plus(d));
      return d < 16 ? wpb_amd_row_down(s < 16 ? other : v, v, d) : s + d < 32 ? other : v;
    }
#elif defined(WPB_AMD_HAS_DPP_WAVE)
    if (width == 64 && d == 1) return WPB_AMD__DPP_KEEP(v, v, WPB_AMD__WAVE_SHL, 0xf, 0xf);
    if (width == 32 && d == 1) {
      wp_u32 got = WPB_AMD__DPP(v, WPB_AMD__WAVE_SHL);
      return s == 31 ? v : got;
    }
#endif
  }
#endif
  return wpb_amd_pull(v, (unsigned)d < (unsigned)(width - s) ? wpb_amd_lane() + d : wpb_amd_lane());
}

/* The same with anything where there is no source in the segment. */
WPB_FN wp_u32 wpb_amd_loose_up(wp_u32 v, int d, int width) {
  (void)width;
#ifdef WPB_AMD_HAS_DPP
  if (__builtin_constant_p(d) && __builtin_constant_p(width)) {
    if ((unsigned)d >= (unsigned)width || d == 0) return v;
#define WPB_AMD__CASE(n) case n: return WPB_AMD__DPP(v, WPB_AMD__ROW_SHR(n));
    if (width <= 16) switch (d) { WPB_AMD__1TO15(WPB_AMD__CASE) default: return v; }
#undef WPB_AMD__CASE
#if defined(WPB_AMD_HAS_PERMLANE16)
    if (width == 32) {
      wp_u32 other = wpb_amd_other_row(v, wpb_amd_lanes_plus(-d));
      return d < 16 ? wpb_amd_row_up(other, v, d) : other;
    }
#elif defined(WPB_AMD_HAS_DPP_WAVE)
    if (d == 1) return WPB_AMD__DPP(v, WPB_AMD__WAVE_SHR);
#endif
  }
#endif
  return wpb_amd_pull(v, (int)((unsigned)wpb_amd_lane() - (unsigned)d));
}
WPB_FN wp_u32 wpb_amd_loose_down(wp_u32 v, int d, int width) {
  (void)width;
#ifdef WPB_AMD_HAS_DPP
  if (__builtin_constant_p(d) && __builtin_constant_p(width)) {
    if ((unsigned)d >= (unsigned)width || d == 0) return v;
#define WPB_AMD__CASE(n) case n: return WPB_AMD__DPP(v, WPB_AMD__ROW_SHL(n));
    if (width <= 16) switch (d) { WPB_AMD__1TO15(WPB_AMD__CASE) default: return v; }
#undef WPB_AMD__CASE
#if defined(WPB_AMD_HAS_PERMLANE16)
    if (width == 32) {
      wp_u32 other = wpb_amd_other_row(v, wpb_amd_lanes_plus(d));
      return d < 16 ? wpb_amd_row_down(other, v, d) : other;
    }
#elif defined(WPB_AMD_HAS_DPP_WAVE)
    if (d == 1) return WPB_AMD__DPP(v, WPB_AMD__WAVE_SHL);
#endif
  }
#endif
  return wpb_amd_pull(v, (int)((unsigned)wpb_amd_lane() + (unsigned)d));
}

/* ---- rotate: lane (s + d) mod width of the segment ---- */

WPB_FN wp_u32 wpb_amd_rotate(wp_u32 v, int d, int width) {
#ifdef WPB_AMD_HAS_DPP
  if (__builtin_constant_p(d) && __builtin_constant_p(width)) {
    int e = d & (width - 1);
    if (e == 0) return v;
    if (e * 2 == width) return wpb_amd_xor(v, e);
    if (width == 4) return e == 1 ? WPB_AMD__DPP(v, WPB_AMD__QUAD(1, 2, 3, 0)) : WPB_AMD__DPP(v, WPB_AMD__QUAD(3, 0, 1, 2));
#if defined(WPB_AMD_HAS_PERMLANE16)
    if (width == 8) {
      switch (e) {
        case 1: return WPB_AMD__DPP8(v, 1, 2, 3, 4, 5, 6, 7, 0);
        case 2: return WPB_AMD__DPP8(v, 2, 3, 4, 5, 6, 7, 0, 1);
        case 3: return WPB_AMD__DPP8(v, 3, 4, 5, 6, 7, 0, 1, 2);
        case 5: return WPB_AMD__DPP8(v, 5, 6, 7, 0, 1, 2, 3, 4);
        case 6: return WPB_AMD__DPP8(v, 6, 7, 0, 1, 2, 3, 4, 5);
        default: return WPB_AMD__DPP8(v, 7, 0, 1, 2, 3, 4, 5, 6);
      }
    }
#elif defined(WPB_AMD_HAS_SWIZZLE_ROTATE)
#define WPB_AMD__CASE(n) case n: return WPB_AMD__SWIZZLE_ROTATE(v, n, 0x18);
    if (width == 8) switch (e) { WPB_AMD__1TO7(WPB_AMD__CASE) default: return v; }
#undef WPB_AMD__CASE
#endif
#define WPB_AMD__CASE(n) case n: return WPB_AMD__DPP(v, WPB_AMD__ROW_ROR(16 - n));
    if (width == 16) switch (e) { WPB_AMD__1TO15(WPB_AMD__CASE) default: return v; }
#undef WPB_AMD__CASE
#if defined(WPB_AMD_HAS_PERMLANE16)
    if (width == 32) { /* one row supplies the lanes up to its end, the other the rest */
      wp_u32 other = wpb_amd_other_row(v, wpb_amd_lanes_plus(e));
      return e < 16 ? wpb_amd_row_down(other, v, e) : wpb_amd_row_up(other, v, 32 - e);
    }
#else
#ifdef WPB_AMD_HAS_SWIZZLE_ROTATE
#define WPB_AMD__CASE(n) case n: return WPB_AMD__SWIZZLE_ROTATE(v, n, 0); case 16 + n: return WPB_AMD__SWIZZLE_ROTATE(v, 16 + n, 0);
    if (width == 32) switch (e) { WPB_AMD__1TO15(WPB_AMD__CASE) default: return v; }
#undef WPB_AMD__CASE
#endif
#ifdef WPB_AMD_HAS_DPP_WAVE
    if (width == 64 && e == 1) return WPB_AMD__DPP(v, WPB_AMD__WAVE_ROL);
    if (width == 64 && e == 63) return WPB_AMD__DPP(v, WPB_AMD__WAVE_ROR);
#endif
#endif
  }
#endif
  return wpb_amd_pull(v, (wpb_amd_lane() & ~(width - 1)) | (int)(((unsigned)wpb_amd_lane() + (unsigned)d) & (unsigned)(width - 1)));
}

/* ---- broadcast and shuffle by a lane number, taken modulo width in the segment ---- */

WPB_FN wp_u32 wpb_amd_shfl(wp_u32 v, int lane, int width) {
  if (__builtin_constant_p(lane) && __builtin_constant_p(width)) {
    int k = lane & (width - 1);
    if (width == 1) return v;
    if (width == wpb_amd_wave()) return wpb_amd_readlane(v, k);
    if (width == 32) {
      wp_u32 low = wpb_amd_readlane(v, k), high = wpb_amd_readlane(v, 32 + k);
      return wpb_amd_lane() < 32 ? low : high;
    }
#ifdef WPB_AMD_HAS_DPP
    if (width == 2) return k == 0 ? WPB_AMD__DPP(v, WPB_AMD__QUAD(0, 0, 2, 2)) : WPB_AMD__DPP(v, WPB_AMD__QUAD(1, 1, 3, 3));
#define WPB_AMD__CASE(n) case n: return WPB_AMD__DPP(v, WPB_AMD__QUAD(n, n, n, n));
    if (width == 4) switch (k) { WPB_AMD__CASE(0) WPB_AMD__CASE(1) WPB_AMD__CASE(2) WPB_AMD__CASE(3) default: return v; }
#undef WPB_AMD__CASE
#ifdef WPB_AMD_HAS_PERMLANE16
#define WPB_AMD__CASE(n) case n: return WPB_AMD__DPP8(v, n, n, n, n, n, n, n, n);
#else
#define WPB_AMD__CASE(n) case n: return WPB_AMD__SWIZZLE(v, 0x18, n, 0);
#endif
    if (width == 8) switch (k) { WPB_AMD__CASE(0) WPB_AMD__1TO7(WPB_AMD__CASE) default: return v; }
#undef WPB_AMD__CASE
#ifdef WPB_AMD_HAS_ROW_SHARE
#define WPB_AMD__CASE(n) case n: return WPB_AMD__DPP(v, WPB_AMD__ROW_SHARE(n));
#else
#define WPB_AMD__CASE(n) case n: return WPB_AMD__SWIZZLE(v, 0x10, n, 0);
#endif
    if (width == 16) switch (k) { WPB_AMD__CASE(0) WPB_AMD__1TO15(WPB_AMD__CASE) default: return v; }
#undef WPB_AMD__CASE
#endif
  }
  return wpb_amd_pull(v, (wpb_amd_lane() & ~(width - 1)) | (lane & (width - 1)));
}

/* The lowest lane of mask, which differs from group to group. */
WPB_FN wp_u32 wpb_amd_broadcast_first(wp_u64 mask, wp_u32 v) {
  int lane = (int)__builtin_ctzll(mask);
  return __builtin_constant_p(lane) ? wpb_amd_readlane(v, lane) : wpb_amd_pull(v, lane);
}

/* ---- steps of reductions and scans ---- */

#if defined(WPB_AMD_HAS_DPP)
/* v is the same in all lanes of each aligned block of b lanes; the value of the neighbouring block. b: 1, 2, 4, 8, 16, 32.
 * Within a row any lane of that block will do, so every step is one DPP control. */
WPB_FN wp_u32 wpb_amd_neighbour(wp_u32 v, int b) {
  switch (b) {
    case 1: return WPB_AMD__DPP(v, WPB_AMD__QUAD(1, 0, 3, 2));
    case 2: return WPB_AMD__DPP(v, WPB_AMD__QUAD(2, 3, 0, 1));
    case 4: return WPB_AMD__DPP(v, WPB_AMD__HALF_MIRROR);
    case 8: return WPB_AMD__DPP(v, WPB_AMD__ROW_ROR(8));
#ifdef WPB_AMD_HAS_PERMLANE16
    case 16: return wpb_amd_other_row(v, ~(wp_u64)0);
#endif
    default: return wpb_amd_xor(v, b);
  }
}

#ifdef WPB_AMD_HAS_DPP_WAVE
/* b: 16, 32: the last lanes of each aligned block of 2b lanes get what the last lane of the first half holds. Other lanes: anything. */
WPB_FN wp_u32 wpb_amd_carry(wp_u32 v, int b) {
  return b == 16 ? WPB_AMD__DPP(v, WPB_AMD__ROW_BCAST15) : WPB_AMD__DPP(v, WPB_AMD__ROW_BCAST31);
}
#endif

/* d = 1, 2, 4, 8: v of lane - d of the row; d = 16, 32: v of the last lane of the preceding block of d lanes, in lanes whose number
 * has bit d set; `none` in the other lanes. With none 0, or the identity of the integer operation that follows, one fused
 * instruction comes out. */
WPB_FN wp_u32 wpb_amd_scan_step(wp_u32 v, int d, wp_u32 none) {
  switch (d) {
    case 1: return WPB_AMD__DPP_KEEP(none, v, WPB_AMD__ROW_SHR(1), 0xf, 0xf);
    case 2: return WPB_AMD__DPP_KEEP(none, v, WPB_AMD__ROW_SHR(2), 0xf, 0xf);
    case 4: return WPB_AMD__DPP_KEEP(none, v, WPB_AMD__ROW_SHR(4), 0xf, 0xf);
    case 8: return WPB_AMD__DPP_KEEP(none, v, WPB_AMD__ROW_SHR(8), 0xf, 0xf);
#if defined(WPB_AMD_HAS_DPP_WAVE)
    case 16: return WPB_AMD__DPP_KEEP(none, v, WPB_AMD__ROW_BCAST15, 0xa, 0xf);
    default: return WPB_AMD__DPP_KEEP(none, v, WPB_AMD__ROW_BCAST31, 0xc, 0xf);
#else
    default: return WPB_AMD__DPP_KEEP(none, wpb_amd_other_row(v, ~(wp_u64)0), WPB_AMD__QUAD(0, 1, 2, 3), 0xa, 0xf);
#endif
  }
}
#endif

#ifdef WPB_AMD_HAS_DPP
/* Float sums within rows. A missing source reads +0; taking the negated value from the sum leaves the sum as it is then, -0.0 too, and else
 * is the addition. The subtraction is one DPP instruction. */
WPB_FN float wpb_amd_scan_row_add_f32(float v) {
  union { float f; wp_u32 u; } minus, got;
#define WPB_AMD__STEP(d) \
  minus.f = v; \
  minus.u ^= 0x80000000u; \
  got.u = WPB_AMD__DPP(minus.u, WPB_AMD__ROW_SHR(d)); \
  v = v - got.f;
  WPB_AMD__STEP(1)
  WPB_AMD__STEP(2)
  WPB_AMD__STEP(4)
  WPB_AMD__STEP(8)
#undef WPB_AMD__STEP
  return v;
}
#endif

/* ---- match: one round for each distinct value among the lanes that are here; lanes with the same value leave together ---- */

#define WPB_AMD__MATCH(W, WT, FIRST) \
  WPB_FN wp_u64 wpb_amd_match_##W(wp_u64 mask, WT v) { \
    wp_u64 same = 0; \
    bool todo = true; \
    while (todo) { \
      bool equal = v == (FIRST); \
      wp_u64 now = wpb_amd_ballot(equal); \
      if (equal) { \
        same = now & mask; \
        todo = false; \
      } \
    } \
    return same; \
  }
WPB_AMD__MATCH(u32, wp_u32, wpb_amd_readfirstlane(v))
WPB_AMD__MATCH(u64, wp_u64, (wp_u64)wpb_amd_readfirstlane((wp_u32)(v >> 32)) << 32 | wpb_amd_readfirstlane((wp_u32)v))

#endif
