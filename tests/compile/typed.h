/* Every typed operation on every type, as strict C99 and everything newer must take it. Written from docs/spec.md, not from the
 * headers: a typed function that is missing or takes other arguments fails to compile. */

#define EXCHANGE(T, S) \
  WP_DEVICE void exchange_##S(wp_mask m, T v, int i, int w, WP_GLOBAL T *out, WP_GLOBAL wp_mask *masks) { \
    out[0] = wp_shfl_##S(m, v, i, w); \
    out[1] = wp_shfl_up_##S(m, v, i, w); \
    out[2] = wp_shfl_down_##S(m, v, i, w); \
    out[3] = wp_shfl_xor_##S(m, v, i, w); \
    out[4] = wp_rotate_##S(m, v, i, w); \
    out[5] = wp_broadcast_##S(m, v, i, w); \
    out[6] = wp_broadcast_first_##S(m, v); \
    out[7] = wp_shfl_or_##S(m, v, i, v, w); \
    out[8] = wp_shfl_up_or_##S(m, v, i, v, w); \
    out[9] = wp_shfl_down_or_##S(m, v, i, v, w); \
    out[10] = wp_shfl_xor_or_##S(m, v, i, v, w); \
    out[11] = wp_compact_value_##S(m, v, i != 0); \
    masks[0] = wp_match_any_##S(m, v); \
    masks[1] = wp_match_all_##S(m, v) ? m : 0; \
    masks[2] = wp_is_first_##S(m, v) ? m : 0; \
    { \
      wp_tile t = wp_tile_make(w); \
      out[12] = wp_tile_shfl_##S(t, v, i); \
      out[13] = wp_tile_shfl_up_##S(t, v, i); \
      out[14] = wp_tile_shfl_down_##S(t, v, i); \
      out[15] = wp_tile_shfl_xor_##S(t, v, i); \
    } \
  }

#define COMBINE_OP(S, op) \
  out[0] = wp_reduce_##op##_##S(m, v); \
  out[1] = wp_scan_##op##_##S(m, v); \
  out[2] = wp_scan_##op##_excl_##S(m, v); \
  out[3] = wp_scan_##op##_seg_##S(m, v, head); \
  out[4] = wp_tile_reduce_##op##_##S(t, v); \
  out[5] = wp_tile_scan_##op##_##S(t, v); \
  out[6] = wp_tile_scan_##op##_excl_##S(t, v); \
  out += 7;

#define ARITHMETIC(T, S) \
  WP_DEVICE void arithmetic_##S(wp_mask m, T v, bool head, wp_tile t, WP_GLOBAL T *out) { \
    COMBINE_OP(S, add) COMBINE_OP(S, mul) COMBINE_OP(S, min) COMBINE_OP(S, max) \
  }
#define BITWISE(T, S) \
  WP_DEVICE void bitwise_##S(wp_mask m, T v, bool head, wp_tile t, WP_GLOBAL T *out) { \
    COMBINE_OP(S, and) COMBINE_OP(S, or) COMBINE_OP(S, xor) \
  }
#define ORDER(T, S) \
  WP_DEVICE void order_##S(wp_mask m, T v, WP_GLOBAL T *out, WP_GLOBAL int *lanes) { \
    lanes[0] = wp_reduce_argmin_##S(m, v); \
    lanes[1] = wp_reduce_argmax_##S(m, v); \
    lanes[2] = wp_sort_lane_##S(m, v); \
    out[0] = wp_sort_##S(m, v); \
  }

#ifdef FEW_TYPES
#define INTEGERS(X) X(wp_i8, i8)
#define FLOATS(X) X(wp_f32, f32)
#define PACKED(X)
#else
#define INTEGERS(X) X(wp_i8, i8) X(wp_u8, u8) X(wp_i16, i16) X(wp_u16, u16) X(wp_i32, i32) X(wp_u32, u32) X(wp_i64, i64) X(wp_u64, u64)
#define FLOATS(X) X(wp_f32, f32) X(wp_f64, f64) X(wp_f16, f16) X(wp_bf16, bf16)
#define PACKED(X) X(wp_f16x2, f16x2) X(wp_bf16x2, bf16x2)
#endif

INTEGERS(EXCHANGE) FLOATS(EXCHANGE) PACKED(EXCHANGE)
INTEGERS(ARITHMETIC) FLOATS(ARITHMETIC) PACKED(ARITHMETIC)
INTEGERS(BITWISE)
INTEGERS(ORDER) FLOATS(ORDER)

/* Operators of the user's own, on a scalar and on a struct. */
typedef struct pair { wp_i32 key, value; } pair;
WP_DEVICE pair pair_max(pair a, pair b) { return a.key < b.key ? b : a; }
WP_DEFINE_REDUCE(reduce_gcd_like, wp_u32, (a | b) - (a & b))
WP_DEFINE_REDUCE(reduce_pair, pair, pair_max(a, b))
WP_DEFINE_SCAN(scan_sum, wp_f32, a + b)
WP_DEFINE_SCAN(scan_pair, pair, pair_max(a, b))

WP_KERNEL(touch_lanes, WP_GLOBAL int *out, WP_GLOBAL wp_mask *masks, int n) {
  WP_SHARED(int, one, 64);
  WP_SHARED_2D(wp_f32, two, 8, 9);
  pair p;
  wp_mask m = wp_mask_all();
  p.key = out[0];
  p.value = n;
  one[wp_thread_rank() % 64] = wp_lane() + wp_warp_size() + wp_warp_id() + wp_warps_per_block() + WP_MAX_WARP_SIZE;
  two[0][0] = 1.0f;
  WP_BARRIER();
  out[0] = one[0] + (int)two[0][0];
  masks[0] = m | wp_mask_first(n) | wp_mask_lane(n) | wp_mask_lt() | wp_mask_le() | wp_mask_gt() | wp_mask_ge() | wp_mask_present();
  masks[1] = wp_mask_segment(8) | wp_active_mask() | wp_ballot(m, n != 0);
  out[1] = wp_mask_count(m) + wp_mask_lowest(m) + wp_mask_highest(m) + wp_mask_rank(m, n) + wp_mask_nth(m, n);
  out[2] = wp_mask_has(m, n) || wp_any(m, n != 0) || wp_all(m, n != 0) || wp_uniform(m, n != 0) || wp_elect(m);
  masks[2] = wp_match_any_bits(m, (wp_u32)n, 5) | wp_match_any_bytes(m, &p, (int)sizeof p);
  wp_shfl_bytes(m, &p, &p, (int)sizeof p, n, 8);
  p = reduce_pair(m, p);
  p = scan_pair(m, p);
  p = scan_pair_excl(m, p, p);
  out[3] = p.key + (int)reduce_gcd_like(m, (wp_u32)n) + (int)scan_sum(m, 1.0f) + (int)scan_sum_excl(m, 1.0f, 0.0f);
  wp_sync(m);
  out[4] = wp_thread_x() + wp_thread_y() + wp_thread_z() + wp_block_x() + wp_block_y() + wp_block_z();
  out[5] = wp_block_dim_x() + wp_block_dim_y() + wp_block_dim_z() + wp_grid_dim_x() + wp_grid_dim_y() + wp_grid_dim_z();
  out[6] = wp_thread_rank() + wp_block_threads() + (int)wp_global_rank() + (int)wp_global_threads();
}

WP_KERNEL(touch_tiles, WP_GLOBAL int *out, WP_GLOBAL wp_mask *masks, int n) {
  wp_mask m = wp_mask_all();
  wp_tile t = wp_tile_make(8);
  wp_compacted c = wp_compact(m, n > 3);
  out[0] = c.index + c.count + wp_histogram(m, n, 4) + wp_tile_size(t) + wp_tile_rank(t);
  masks[0] = wp_tile_mask(wp_tile_coalesced()) | wp_tile_mask(wp_tile_binary(m, n > 2)) | wp_tile_mask(wp_tile_labelled(m, (wp_u32)n));
  masks[1] = wp_tile_ballot(t, n > 1);
  out[1] = wp_tile_any(t, n > 1) || wp_tile_all(t, n > 1);
  wp_tile_sync(t);
}

WP_KERNEL(touch_memory, WP_GLOBAL wp_i32 *WP_RESTRICT i, WP_GLOBAL wp_u32 *u, WP_GLOBAL wp_u64 *q, WP_GLOBAL wp_f32 *f, WP_SHARED_PARAM(wp_u32, s)) {
  WP_SHARED_BIND(wp_u32, s);
  wp_mask m = wp_mask_all();
  WP_LOCAL wp_u32 *l = s;
  l[0] = 0;
  WP_BARRIER();
  i[1] = wp_atomic_add_i32(i, 1) + wp_atomic_min_i32(i, 1) + wp_atomic_max_i32(i, 1) + wp_atomic_and_i32(i, 1) + wp_atomic_or_i32(i, 1) +
         wp_atomic_xor_i32(i, 1) + wp_atomic_exch_i32(i, 1) + wp_atomic_cas_i32(i, 1, 2);
  u[1] = wp_atomic_add_u32(u, 1) + wp_atomic_min_u32(u, 1) + wp_atomic_max_u32(u, 1) + wp_atomic_and_u32(u, 1) + wp_atomic_or_u32(u, 1) +
         wp_atomic_xor_u32(u, 1) + wp_atomic_exch_u32(u, 1) + wp_atomic_cas_u32(u, 1, 2);
#ifdef WP_HAS_ATOMIC64
  q[1] = wp_atomic_add_u64(q, 1) + wp_atomic_min_u64(q, 1) + wp_atomic_max_u64(q, 1) + wp_atomic_exch_u64(q, 1) + wp_atomic_cas_u64(q, 1, 2);
#endif
  f[1] = wp_atomic_add_f32(f, 1.0f);
  u[2] = wp_atomic_add_local_u32(l, 1) + wp_atomic_min_local_u32(l, 1) + wp_atomic_max_local_u32(l, 1) + wp_atomic_and_local_u32(l, 1) +
         wp_atomic_or_local_u32(l, 1) + wp_atomic_xor_local_u32(l, 1) + wp_atomic_exch_local_u32(l, 1) + wp_atomic_cas_local_u32(l, 1, 2);
  i[2] = wp_atomic_add_aggregated_i32(m, i, 1);
  u[3] = wp_atomic_add_aggregated_u32(m, u, 1);
  q[2] = wp_atomic_add_aggregated_u64(m, q, 1);
}

WP_KERNEL(touch_math, WP_GLOBAL wp_f32 *f, WP_GLOBAL wp_f64 *d) {
  wp_f16 h = wp_f16_from_f32(f[0]);
  wp_bf16 b = wp_bf16_from_f32(f[0]);
  wp_f16x2 hh = wp_f16x2_make(h, h);
  wp_bf16x2 bb = wp_bf16x2_make(b, b);
  wp_f32 s, c;
  wp_sincospi_f32(f[0], &s, &c);
  f[0] = wp_f32_from_f16(wp_f16x2_get(hh, 1)) + wp_f32_from_bf16(wp_bf16x2_get(bb, 0)) + s + c;
  f[1] = wp_sqrt_f32(f[0]) + wp_fma_f32(f[0], f[1], f[2]) + wp_fabs_f32(f[0]) + wp_floor_f32(f[0]) + wp_ceil_f32(f[0]);
  f[2] = wp_min_f32(f[0], f[1]) + wp_max_f32(f[0], f[1]) + wp_exp_f32(f[0]) + wp_exp2_f32(f[0]) + wp_log_f32(f[0]);
  d[0] = wp_sqrt_f64(d[0]) + wp_fma_f64(d[0], d[1], d[2]) + wp_fabs_f64(d[0]) + wp_floor_f64(d[0]) + wp_ceil_f64(d[0]);
  d[1] = wp_min_f64(d[0], d[1]) + wp_max_f64(d[0], d[1]);
}

/* The functions above are called by no kernel; this keeps them from being reported, and tells the compiler to build them. */
#define CALL_EXCHANGE(T, S) exchange_##S(m, *(WP_GLOBAL T *)p, n, 8, (WP_GLOBAL T *)p, masks);
#define CALL_ARITHMETIC(T, S) arithmetic_##S(m, *(WP_GLOBAL T *)p, n != 0, t, (WP_GLOBAL T *)p);
#define CALL_BITWISE(T, S) bitwise_##S(m, *(WP_GLOBAL T *)p, n != 0, t, (WP_GLOBAL T *)p);
#define CALL_ORDER(T, S) order_##S(m, *(WP_GLOBAL T *)p, (WP_GLOBAL T *)p, lanes);
WP_KERNEL(touch_types, WP_GLOBAL void *p, WP_GLOBAL wp_mask *masks, WP_GLOBAL int *lanes, int n) {
  wp_mask m = wp_mask_all();
  wp_tile t = wp_tile_make(8);
  INTEGERS(CALL_EXCHANGE) FLOATS(CALL_EXCHANGE) PACKED(CALL_EXCHANGE)
  INTEGERS(CALL_ARITHMETIC) FLOATS(CALL_ARITHMETIC) PACKED(CALL_ARITHMETIC)
  INTEGERS(CALL_BITWISE)
  INTEGERS(CALL_ORDER) FLOATS(CALL_ORDER)
}
