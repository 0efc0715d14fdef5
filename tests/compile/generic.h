/* Every generic operation on every type it takes, with and without its optional arguments; C11 and C++. Written from docs/spec.md. */

#define G_EXCHANGE(T, S) \
  WP_DEVICE void generic_exchange_##S(wp_mask m, T v, int i, int w, WP_GLOBAL T *out, WP_GLOBAL wp_mask *masks) { \
    wp_tile t = wp_tile_make(w); \
    out[0] = wp_shfl(m, v, i); \
    out[1] = wp_shfl(m, v, i, w); \
    out[2] = wp_shfl_up(m, v, i); \
    out[3] = wp_shfl_up(m, v, i, w); \
    out[4] = wp_shfl_down(m, v, i); \
    out[5] = wp_shfl_down(m, v, i, w); \
    out[6] = wp_shfl_xor(m, v, i); \
    out[7] = wp_shfl_xor(m, v, i, w); \
    out[8] = wp_rotate(m, v, i); \
    out[9] = wp_rotate(m, v, i, w); \
    out[10] = wp_broadcast(m, v, i); \
    out[11] = wp_broadcast(m, v, i, w); \
    out[12] = wp_broadcast_first(m, v); \
    out[13] = wp_shfl_or(m, v, i, v); \
    out[14] = wp_shfl_or(m, v, i, v, w); \
    out[15] = wp_shfl_up_or(m, v, i, v); \
    out[16] = wp_shfl_up_or(m, v, i, v, w); \
    out[17] = wp_shfl_down_or(m, v, i, v); \
    out[18] = wp_shfl_down_or(m, v, i, v, w); \
    out[19] = wp_shfl_xor_or(m, v, i, v); \
    out[20] = wp_shfl_xor_or(m, v, i, v, w); \
    out[21] = wp_compact_value(m, v, i != 0); \
    out[22] = wp_tile_shfl(t, v, i); \
    out[23] = wp_tile_shfl_up(t, v, i); \
    out[24] = wp_tile_shfl_down(t, v, i); \
    out[25] = wp_tile_shfl_xor(t, v, i); \
    masks[0] = wp_match_any(m, v); \
    masks[1] = wp_match_all(m, v) ? m : 0; \
    masks[2] = wp_is_first(m, v) ? m : 0; \
  }

#define G_COMBINE_OP(op) \
  out[0] = wp_reduce_##op(m, v); \
  out[1] = wp_scan_##op(m, v); \
  out[2] = wp_scan_##op##_excl(m, v); \
  out[3] = wp_scan_##op##_seg(m, v, head); \
  out[4] = wp_tile_reduce_##op(t, v); \
  out[5] = wp_tile_scan_##op(t, v); \
  out[6] = wp_tile_scan_##op##_excl(t, v); \
  out += 7;
#define G_ARITHMETIC(T, S) \
  WP_DEVICE void generic_arithmetic_##S(wp_mask m, T v, bool head, wp_tile t, WP_GLOBAL T *out) { \
    G_COMBINE_OP(add) G_COMBINE_OP(mul) G_COMBINE_OP(min) G_COMBINE_OP(max) \
  }
#define G_BITWISE(T, S) \
  WP_DEVICE void generic_bitwise_##S(wp_mask m, T v, bool head, wp_tile t, WP_GLOBAL T *out) { \
    G_COMBINE_OP(and) G_COMBINE_OP(or) G_COMBINE_OP(xor) \
  }
#define G_ORDER(T, S) \
  WP_DEVICE void generic_order_##S(wp_mask m, T v, WP_GLOBAL T *out, WP_GLOBAL int *lanes) { \
    lanes[0] = wp_reduce_argmin(m, v); \
    lanes[1] = wp_reduce_argmax(m, v); \
    lanes[2] = wp_sort_lane(m, v); \
    out[0] = wp_sort(m, v); \
  }

/* The language's own types beside the fixed-width names: long and long long have one size on most systems and are two types. */
#ifdef FEW_TYPES
#define NATIVE_INTEGERS(X) X(unsigned long, ulong)
#define NATIVE_FLOATS(X)
#define NATIVE_PACKED(X)
#else
#define NATIVE_INTEGERS(X) \
  X(signed char, schar) X(unsigned char, uchar) X(short, short) X(unsigned short, ushort) X(int, int) X(unsigned int, uint) \
  X(long, long) X(unsigned long, ulong) X(long long, llong) X(unsigned long long, ullong)
#define NATIVE_FLOATS(X) X(float, float) X(double, double) X(wp_f16, g_f16) X(wp_bf16, g_bf16)
#define NATIVE_PACKED(X) X(wp_f16x2, g_f16x2) X(wp_bf16x2, g_bf16x2)
#endif
#ifdef __cplusplus
#define NATIVE_BYTES(X) X(char, char) X(bool, bool)
#else
#define NATIVE_BYTES(X) X(char, char) X(_Bool, bool)
#endif

NATIVE_INTEGERS(G_EXCHANGE) NATIVE_FLOATS(G_EXCHANGE) NATIVE_PACKED(G_EXCHANGE) NATIVE_BYTES(G_EXCHANGE)
NATIVE_INTEGERS(G_ARITHMETIC) NATIVE_FLOATS(G_ARITHMETIC) NATIVE_PACKED(G_ARITHMETIC)
NATIVE_INTEGERS(G_BITWISE)
NATIVE_INTEGERS(G_ORDER) NATIVE_FLOATS(G_ORDER)

#ifdef __cplusplus
/* Any trivially copyable type. */
struct triple { int a; double b; char c; };
template <int N> struct bytes { unsigned char b[N]; };
template <class T> WP_DEVICE void generic_any(wp_mask m, T v, int i, WP_GLOBAL T *out) {
  out[0] = wp_shfl(m, v, i);
  out[1] = wp_shfl(m, v, i, 8);
}
#endif

#define CALL_G_EXCHANGE(T, S) generic_exchange_##S(m, *(WP_GLOBAL T *)p, n, 8, (WP_GLOBAL T *)p, masks);
#define CALL_G_ARITHMETIC(T, S) generic_arithmetic_##S(m, *(WP_GLOBAL T *)p, n != 0, t, (WP_GLOBAL T *)p);
#define CALL_G_BITWISE(T, S) generic_bitwise_##S(m, *(WP_GLOBAL T *)p, n != 0, t, (WP_GLOBAL T *)p);
#define CALL_G_ORDER(T, S) generic_order_##S(m, *(WP_GLOBAL T *)p, (WP_GLOBAL T *)p, lanes);
WP_KERNEL(touch_generic, WP_GLOBAL void *p, WP_GLOBAL wp_mask *masks, WP_GLOBAL int *lanes, int n) {
  wp_mask m = wp_mask_all();
  wp_tile t = wp_tile_make(8);
  NATIVE_INTEGERS(CALL_G_EXCHANGE) NATIVE_FLOATS(CALL_G_EXCHANGE) NATIVE_PACKED(CALL_G_EXCHANGE) NATIVE_BYTES(CALL_G_EXCHANGE)
  NATIVE_INTEGERS(CALL_G_ARITHMETIC) NATIVE_FLOATS(CALL_G_ARITHMETIC) NATIVE_PACKED(CALL_G_ARITHMETIC)
  NATIVE_INTEGERS(CALL_G_BITWISE)
  NATIVE_INTEGERS(CALL_G_ORDER) NATIVE_FLOATS(CALL_G_ORDER)
#ifdef __cplusplus
  generic_any(m, *(WP_GLOBAL triple *)p, n, (WP_GLOBAL triple *)p);
  generic_any(m, *(WP_GLOBAL bytes<1> *)p, n, (WP_GLOBAL bytes<1> *)p);
  generic_any(m, *(WP_GLOBAL bytes<13> *)p, n, (WP_GLOBAL bytes<13> *)p);
#endif
}

WP_KERNEL(touch_generic_memory, WP_GLOBAL wp_i32 *i, WP_GLOBAL wp_u32 *u, WP_GLOBAL wp_u64 *q, WP_GLOBAL wp_f32 *f) {
  WP_SHARED(wp_u32, l, 1);
  wp_mask m = wp_mask_all();
  l[0] = 0;
  WP_BARRIER();
  i[1] = wp_atomic_add(i, 1) + wp_atomic_min(i, 1) + wp_atomic_max(i, 1) + wp_atomic_and(i, 1) + wp_atomic_or(i, 1) + wp_atomic_xor(i, 1) +
         wp_atomic_exch(i, 1) + wp_atomic_cas(i, 1, 2);
  u[1] = wp_atomic_add(u, 1u) + wp_atomic_min(u, 1u) + wp_atomic_max(u, 1u) + wp_atomic_and(u, 1u) + wp_atomic_or(u, 1u) +
         wp_atomic_xor(u, 1u) + wp_atomic_exch(u, 1u) + wp_atomic_cas(u, 1u, 2u);
#ifdef WP_HAS_ATOMIC64
  q[1] = wp_atomic_add(q, (wp_u64)1) + wp_atomic_min(q, (wp_u64)1) + wp_atomic_max(q, (wp_u64)1) + wp_atomic_exch(q, (wp_u64)1) +
         wp_atomic_cas(q, (wp_u64)1, (wp_u64)2);
#endif
  f[1] = wp_atomic_add(f, 1.0f);
  u[2] = wp_atomic_add_local(l, 1u) + wp_atomic_min_local(l, 1u) + wp_atomic_exch_local(l, 1u) + wp_atomic_cas_local(l, 1u, 2u);
  i[2] = wp_atomic_add_aggregated(m, i, 1);
  u[3] = wp_atomic_add_aggregated(m, u, 1u);
  q[2] = wp_atomic_add_aggregated(m, q, (wp_u64)1);
}

WP_KERNEL(touch_short_names, WP_GLOBAL int *out, int n) {
  out[0] = WP_SAFE_SHUFFLE(n, 1) + WP_SAFE_SHUFFLE_UP(n, 1) + WP_SAFE_SHUFFLE_DOWN(n, 1) + WP_SAFE_SHUFFLE_XOR(n, 1);
#ifndef WARPPORT_NO_SHORT_NAMES
  out[1] = SAFE_SHUFFLE(n, 1) + SAFE_SHUFFLE_UP(n, 1) + SAFE_SHUFFLE_DOWN(n, 1) + SAFE_SHUFFLE_XOR(n, 1);
#endif
}
