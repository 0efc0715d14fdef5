/* Calls every collective once, generic and typed, for syntax.sh: it only has to compile. */
#include <warpport/warpport.h>

#ifdef EXPECT_DIALECT
#if WARPPORT_OPENCL_DIALECT != EXPECT_DIALECT
#error "another dialect was chosen than expected"
#endif
#endif

WP_DEFINE_REDUCE(every_reduce, wp_u32, a * 31u + b)
WP_DEFINE_SCAN(every_scan, wp_f32, a - b)

WP_DEVICE int every_function(WP_WARP_PARAM int x) { return wp_reduce_add(wp_mask_all(), x); }

#if WP_MAX_WARP_SIZE >= 8
#define W8 8
#else
#define W8 1
#endif
#define T_SHUFFLES(T, v) \
  v = wp_shfl(m, v, n); v = wp_shfl(m, v, n, W8); v = wp_shfl_up(m, v, 1); v = wp_shfl_down(m, v, 1, W8); v = wp_shfl_xor(m, v, 0); \
  v = wp_rotate(m, v, n); v = wp_broadcast(m, v, 0); v = wp_broadcast_first(m, v); v = wp_shfl_or(m, v, n, v); \
  v = wp_shfl_up_or(m, v, n, v, W8); v = wp_shfl_down_or(m, v, n, v); v = wp_shfl_xor_or(m, v, n, v); v = SAFE_SHUFFLE(v, n); \
  v = SAFE_SHUFFLE_UP(v, 1); v = SAFE_SHUFFLE_DOWN(v, 1); v = WP_SAFE_SHUFFLE_XOR(v, 1); v = wp_compact_value(m, v, n > 1); \
  r ^= wp_match_any(m, v); n += wp_match_all(m, v); n += wp_is_first(m, v);
#define T_ARITH(T, v) \
  v = wp_reduce_add(m, v); v = wp_reduce_mul(m, v); v = wp_reduce_min(m, v); v = wp_reduce_max(m, v); v = wp_scan_add(m, v); \
  v = wp_scan_mul_excl(m, v); v = wp_scan_min_seg(m, v, n > 2); v = wp_scan_max(m, v); v = wp_tile_reduce_add(t, v); \
  v = wp_tile_scan_max_excl(t, v); v = wp_tile_shfl(t, v, n); v = wp_tile_shfl_up(t, v, 1); v = wp_tile_shfl_xor(t, v, 1);
#define T_ORDERED(T, v) v = wp_sort(m, v); n += wp_sort_lane(m, v); n += wp_reduce_argmin(m, v); n += wp_reduce_argmax(m, v);
#define T_BITS(T, v) v = wp_reduce_and(m, v); v = wp_scan_or_excl(m, v); v = wp_scan_xor_seg(m, v, true); v = wp_tile_reduce_or(t, v);

WP_KERNEL(everything, WP_GLOBAL wp_u64 *out, int n, WP_SHARED_PARAM(wp_u32, box)) {
#ifndef WARPPORT_OPENCL_STORAGE_ARGUMENT
  WP_WARP_STORAGE;
#endif
  WP_SHARED_BIND(wp_u32, box);
  WP_SHARED(wp_u32, cells, 64);
  WP_SHARED_2D(wp_f32, grid, 4, 8);
  wp_mask m = wp_mask_present(), r = wp_mask_all() ^ wp_mask_lt() ^ wp_mask_segment(W8) ^ wp_active_mask();
  wp_tile t = wp_tile_make(W8), h = wp_tile_binary(m, n > 3), k = wp_tile_labelled(m, 7u), c = wp_tile_coalesced();
  wp_i8 a = 1; wp_u8 b = 2; wp_i16 d = 3; wp_u16 e = 4; wp_i32 f = 5; wp_u32 g = 6; wp_i64 i = 7; wp_u64 j = 8; wp_f32 x = 9;
  wp_f16 p = wp_f16_from_f32(x);
  wp_bf16 q = wp_bf16_from_f32(x);
  wp_f16x2 u = wp_f16x2_make(p, p);
  wp_bf16x2 v = wp_bf16x2_make(q, q);
  wp_u8 in[7] = {1, 2, 3, 4, 5, 6, 7}, to[7];
  T_SHUFFLES(wp_i8, a) T_SHUFFLES(wp_u8, b) T_SHUFFLES(wp_i16, d) T_SHUFFLES(wp_u16, e) T_SHUFFLES(wp_i32, f) T_SHUFFLES(wp_u32, g)
  T_SHUFFLES(wp_i64, i) T_SHUFFLES(wp_u64, j) T_SHUFFLES(wp_f32, x) T_SHUFFLES(wp_f16, p) T_SHUFFLES(wp_bf16, q) T_SHUFFLES(wp_f16x2, u)
  T_SHUFFLES(wp_bf16x2, v)
  T_ARITH(wp_i8, a) T_ARITH(wp_u16, e) T_ARITH(wp_i32, f) T_ARITH(wp_u64, j) T_ARITH(wp_f32, x) T_ARITH(wp_f16, p) T_ARITH(wp_bf16x2, v)
  T_ORDERED(wp_i16, d) T_ORDERED(wp_i64, i) T_ORDERED(wp_f32, x) T_ORDERED(wp_f16, p)
  T_BITS(wp_u8, b) T_BITS(wp_u32, g) T_BITS(wp_u64, j)
#ifdef WP_HAS_F64
  {
    wp_f64 y = 10;
    T_SHUFFLES(wp_f64, y) T_ARITH(wp_f64, y) T_ORDERED(wp_f64, y)
    y = wp_sqrt_f64(y) + wp_fma_f64(y, y, y) + wp_floor_f64(y) + wp_ceil_f64(y) + wp_fabs_f64(y) + wp_min_f64(y, y);
    j += (wp_u64)y;
  }
#endif
#ifdef __OPENCL_C_VERSION__
  {
    float4 w = (float4)(x);
    int2 z = (int2)(f);
    w = wp_shfl(m, w, n);
    w = wp_shfl_xor_or(m, w, 1, w);
    z = wp_shfl_down(m, z, 1, W8);
    z = wp_broadcast_first(m, z);
    x += w.x + w.w;
    f += z.x + z.y;
  }
#endif
  r ^= wp_ballot(m, x > 0) ^ wp_match_any_bits(m, g, 3) ^ wp_match_any_bytes(m, in, 7) ^ wp_tile_ballot(h, n > 0) ^ wp_tile_mask(k);
  n += wp_any(m, g) + wp_all(m, g) + wp_uniform(m, g) + wp_elect(m) + wp_histogram(m, f, 1) + wp_compact(m, n > 1).index;
  n += wp_tile_any(c, g) + wp_tile_all(t, g) + wp_tile_size(t) + wp_tile_rank(h);
  wp_shfl_bytes(m, to, in, 7, n, W8);
  g = every_reduce(WP_WARP_ARG m, g) + (wp_u32)every_function(WP_WARP_ARG f);
  x = every_scan(WP_WARP_ARG m, x) + every_scan_excl(WP_WARP_ARG m, x, 1.0f);
  g += wp_shfl_u32(WP_WARP_ARG m, g, n, W8) + wp_reduce_add_u32(WP_WARP_ARG m, g);
  cells[n & 63] = box[n & 3] = g;
  grid[n & 3][n & 7] = wp_exp_f32(x) + wp_exp2_f32(x) + wp_log_f32(x) + wp_sqrt_f32(x) + wp_min_f32(x, x) + wp_f32_from_f16(p);
  wp_sync(m);
  wp_tile_sync(t);
  WP_BARRIER();
  g += wp_atomic_add_local(&cells[0], g) + wp_atomic_cas_local(&box[0], g, g) + (wp_u32)grid[1][2];
  g += wp_atomic_max((WP_GLOBAL wp_u32 *)out, g) + wp_atomic_add_aggregated(m, (WP_GLOBAL wp_u32 *)out, g);
  x += wp_atomic_add((WP_GLOBAL wp_f32 *)out, x);
  out[wp_global_rank()] = (wp_u64)(r + (wp_mask)to[0] + (wp_mask)n) + (wp_u64)a + b + (wp_u64)d + e + (wp_u64)f + g + (wp_u64)i + j +
                          (wp_u64)x + p.bits + q.bits + u.bits + v.bits;
}
