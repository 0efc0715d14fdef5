/* The interpreter of the fuzz test: each thread runs its own instructions; the groups of a warp may be at different operations at
 * the same time, and threads may stop early. Each result is kept in a trace.
 *
 * FUZZ_FEW: two types, for compilers that take minutes for all of them. */
#include <warpport/warpport.h>

#include "fuzz_code.h"

/* Devices on which all threads of a block must reach every collective: all threads then have the same instructions, and those
 * that sit out come along with an empty mask. */
#if defined(WP_UNIFORM_FLOW) && WP_UNIFORM_FLOW
#define FUZZ_ALL_TOGETHER 1
#else
#define FUZZ_ALL_TOGETHER 0
#endif

typedef union fuzz_word {
  wp_u64 u;
  wp_u32 u32;
  wp_i8 i8;
  wp_i32 i32;
  wp_u64 u64;
  wp_f32 f32;
#ifdef WP_HAS_F64
  wp_f64 f64;
#endif
  wp_f16 f16;
  wp_bf16x2 bf16x2;
} fuzz_word;

/* Results of arithmetic: every NaN becomes the same one. */
#define FUZZ_CLEAN_INT(u) (u)
#define FUZZ_CLEAN_F32(u) (((u) & 0x7fffffffu) > 0x7f800000u ? (wp_u64)0x7fc00000u : (u))
#define FUZZ_CLEAN_F64(u) (((u) << 1) > (wp_u64)0xffe << 52 ? (wp_u64)0x7ff8 << 48 : (u))
#define FUZZ_CLEAN_F16(u) (((u) & 0x7fffu) > 0x7c00u ? (wp_u64)0x7e00u : (u))
#define FUZZ_CLEAN_PAIR(u) \
  ((((u) & 0x7fffu) > 0x7f80u ? (wp_u64)0x7fc0u : (u) & 0xffffu) | \
   (((u) & 0x7fff0000u) > 0x7f800000u ? (wp_u64)0x7fc00000u : (u) & 0xffff0000u))

#define FUZZ_INT_CASES(S) \
  case FUZZ_REDUCE_AND: z.S = wp_reduce_and(m, v); break; \
  case FUZZ_REDUCE_OR: z.S = wp_reduce_or(m, v); break; \
  case FUZZ_REDUCE_XOR: z.S = wp_reduce_xor(m, v); break; \
  case FUZZ_SCAN_XOR: z.S = wp_scan_xor(m, v); break;
#define FUZZ_CASES_INT(S) FUZZ_INT_CASES(S)
#define FUZZ_CASES_F32(S)
#define FUZZ_CASES_F64(S)
#define FUZZ_CASES_F16(S)
#define FUZZ_CASES_PAIR(S)

#ifdef WP_TEST_BREAK /* wrong on purpose: the test must find it */
#define FUZZ_SEGMENTED(S) wp_scan_add(m, v)
#else
#define FUZZ_SEGMENTED(S) wp_scan_add_seg(m, v, (a & 1) != 0)
#endif

/* x, y: values of the type; a: the argument; w: the width */
#define FUZZ_STEP(T, S, kind) \
  WP_DEVICE wp_u64 fuzz_step_##S(WP_WARP_PARAM int op, wp_mask m, wp_u64 x, wp_u64 y, int a, int w) { \
    fuzz_word p; \
    fuzz_word q; \
    fuzz_word z; \
    T v; \
    p.u = x; \
    q.u = y; \
    z.u = 0; \
    v = p.S; \
    switch (op) { \
      case FUZZ_SHFL: z.S = wp_shfl(m, v, a, w); return z.u; \
      case FUZZ_UP: z.S = wp_shfl_up(m, v, a, w); return z.u; \
      case FUZZ_DOWN: z.S = wp_shfl_down(m, v, a, w); return z.u; \
      case FUZZ_XOR: z.S = wp_shfl_xor(m, v, a, w); return z.u; \
      case FUZZ_ROTATE: z.S = wp_rotate(m, v, a, w); return z.u; \
      case FUZZ_BROADCAST: z.S = wp_broadcast(m, v, a, w); return z.u; \
      case FUZZ_FIRST: z.S = wp_broadcast_first(m, v); return z.u; \
      case FUZZ_SHFL_OR: z.S = wp_shfl_or(m, v, a, q.S, w); return z.u; \
      case FUZZ_UP_OR: z.S = wp_shfl_up_or(m, v, a, q.S, w); return z.u; \
      case FUZZ_DOWN_OR: z.S = wp_shfl_down_or(m, v, a, q.S, w); return z.u; \
      case FUZZ_XOR_OR: z.S = wp_shfl_xor_or(m, v, a, q.S, w); return z.u; \
      case FUZZ_MATCH_ANY: return wp_match_any(m, v); \
      case FUZZ_MATCH_ALL: return wp_match_all(m, v); \
      case FUZZ_IS_FIRST: return wp_is_first(m, v); \
      case FUZZ_COMPACT: z.S = wp_compact_value(m, v, (a & 1) != 0); return z.u; \
      case FUZZ_LABELLED_SHFL: z.S = wp_tile_shfl(wp_tile_labelled(m, (wp_u32)a & 3u), v, a >> 2); return z.u; \
      case FUZZ_REDUCE_ADD: z.S = wp_reduce_add(m, v); break; \
      case FUZZ_REDUCE_MUL: z.S = wp_reduce_mul(m, v); break; \
      case FUZZ_REDUCE_MIN: z.S = wp_reduce_min(m, v); break; \
      case FUZZ_REDUCE_MAX: z.S = wp_reduce_max(m, v); break; \
      case FUZZ_SCAN_ADD: z.S = wp_scan_add(m, v); break; \
      case FUZZ_SCAN_MIN: z.S = wp_scan_min(m, v); break; \
      case FUZZ_SCAN_ADD_EXCL: z.S = wp_scan_add_excl(m, v); break; \
      case FUZZ_SCAN_MAX_EXCL: z.S = wp_scan_max_excl(m, v); break; \
      case FUZZ_SCAN_ADD_SEG: z.S = FUZZ_SEGMENTED(S); break; \
      case FUZZ_LABELLED_ADD: z.S = wp_tile_reduce_add(wp_tile_labelled(m, (wp_u32)a & 3u), v); break; \
      FUZZ_CASES_##kind(S) \
      default: break; \
    } \
    return FUZZ_CLEAN_##kind(z.u); \
  }
#ifdef FUZZ_FEW
#define FUZZ_BUILT(X) X(wp_u32, u32, INT) X(wp_f32, f32, F32)
#elif defined(WP_HAS_F64)
#define FUZZ_BUILT(X) FUZZ_TYPES(X) X(wp_f64, f64, F64)
#else
#define FUZZ_BUILT(X) FUZZ_TYPES(X)
#endif
FUZZ_BUILT(FUZZ_STEP)
#define FUZZ_BIT(T, S, kind) | 1 << FUZZ_TYPE_##S
#define FUZZ_CASE(T, S, kind) case FUZZ_TYPE_##S: z = fuzz_step_##S(WP_WARP_ARG op, m, x, y, a, w); break;

WP_DEVICE wp_u64 fuzz_step_word(WP_WARP_PARAM int op, wp_mask m, wp_u64 x, int a, int w) {
  switch (op) {
    case FUZZ_BALLOT: return wp_ballot(m, x);
    case FUZZ_ANY: return wp_any(m, x);
    case FUZZ_ALL: return wp_all(m, x);
    case FUZZ_UNIFORM: return wp_uniform(m, x);
    case FUZZ_ELECT: return wp_elect(m);
    case FUZZ_COUNT_KEPT: {
      const wp_compacted c = wp_compact(m, (a & 1) != 0);
      return (wp_u64)(wp_u32)c.index << 32 | (wp_u32)c.count;
    }
    case FUZZ_HISTOGRAM: return (wp_u64)(wp_u32)wp_histogram(m, a, w);
    case FUZZ_SORT: return wp_sort(m, x);
    case FUZZ_MATCH_BITS: return wp_match_any_bits(m, (wp_u32)(x & 0xffffffffu), w & 31);
    default: return 0;
  }
}

WP_KERNEL(fuzz_probe, WP_GLOBAL wp_i32 *out) {
  if (wp_global_rank() == 0) {
    out[0] = wp_warp_size();
    out[1] = 0 FUZZ_BUILT(FUZZ_BIT);
    out[2] = FUZZ_ALL_TOGETHER;
  }
}

/* Thread i runs code[pc * n + i] for pc = 0 ... lengths[i]-1. */
WP_KERNEL(fuzz_run, const WP_GLOBAL wp_u32 *code, const WP_GLOBAL wp_u64 *masks, const WP_GLOBAL wp_i32 *args,
          const WP_GLOBAL wp_i32 *widths, const WP_GLOBAL wp_i32 *lengths, const WP_GLOBAL wp_u64 *registers,
          WP_GLOBAL wp_u64 *box, WP_GLOBAL wp_u64 *trace, wp_i32 n) {
  const int i = (int)wp_global_rank();
  const int length = lengths[i];
  wp_u64 r[FUZZ_REGISTERS];
  int pc;
  for (pc = 0; pc < FUZZ_REGISTERS; pc++) r[pc] = registers[i * FUZZ_REGISTERS + pc];
  for (pc = 0; pc < length; pc++) {
    const int at = pc * n + i;
    const wp_mask m = (wp_mask)masks[at];
    if (m != 0 || FUZZ_ALL_TOGETHER) {
      const wp_u32 c = code[at];
      const int op = (int)(c & 255u);
      const wp_u64 x = r[c >> 16 & 3u];
      const wp_u64 y = r[c >> 18 & 3u];
      const int a = (c & FUZZ_ARG_FROM_Y) != 0 ? (int)(wp_u32)(y & 0xffffffffu) : args[at];
      const int w = widths[at];
      wp_u64 z = 0;
      if (op == FUZZ_EXCHANGE) { /* through memory; a: the thread to read, relative to this one */
        box[i] = x;
        wp_sync(m);
        z = box[i + a];
        wp_sync(m);
      } else if (op >= FUZZ_BALLOT) {
        z = fuzz_step_word(WP_WARP_ARG op, m, x, a, w);
      } else {
        switch ((int)(c >> 8 & 255u)) {
          FUZZ_BUILT(FUZZ_CASE)
          default: break;
        }
      }
      if (m != 0) {
        r[c >> 20 & 3u] = z;
        trace[at] = z;
      }
    }
  }
}
