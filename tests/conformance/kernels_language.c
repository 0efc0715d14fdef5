/* Rows Q1-Q8, Y2, and the language's own types (section 2). */
#include "kernels.h"

/* Q1: every scalar type as an argument. */
WP_KERNEL(conf_scalars, WP_GLOBAL wp_i64 *ints, WP_GLOBAL wp_f32 *floats, wp_i8 a, wp_u8 b, wp_i16 c, wp_u16 d, wp_i32 e,
          wp_u32 f, wp_i64 g, wp_u64 h, wp_f32 x) {
  if (wp_global_rank() == 0) {
    ints[0] = a;
    ints[1] = b;
    ints[2] = c;
    ints[3] = d;
    ints[4] = e;
    ints[5] = f;
    ints[6] = g;
    ints[7] = (wp_i64)h;
    floats[0] = x;
  }
}
#ifdef WP_HAS_F64
WP_KERNEL(conf_scalars_f64, WP_GLOBAL wp_f64 *out, wp_f64 x) {
  if (wp_global_rank() == 0) out[0] = x;
}
#endif

/* Q6, Q7 */
WP_KERNEL(conf_index, WP_GLOBAL wp_i64 *out) {
  const int rank = (wp_block_x() + wp_grid_dim_x() * (wp_block_y() + wp_grid_dim_y() * wp_block_z())) *
                     (wp_block_dim_x() * wp_block_dim_y() * wp_block_dim_z()) +
                   wp_thread_x() + wp_block_dim_x() * (wp_thread_y() + wp_block_dim_y() * wp_thread_z());
  WP_GLOBAL wp_i64 *o = out + rank * 16;
  o[0] = wp_thread_x();
  o[1] = wp_thread_y();
  o[2] = wp_thread_z();
  o[3] = wp_block_x();
  o[4] = wp_block_y();
  o[5] = wp_block_z();
  o[6] = wp_block_dim_x();
  o[7] = wp_block_dim_y();
  o[8] = wp_block_dim_z();
  o[9] = wp_grid_dim_x();
  o[10] = wp_grid_dim_y();
  o[11] = wp_grid_dim_z();
  o[12] = wp_thread_rank();
  o[13] = wp_block_threads();
  o[14] = wp_global_rank();
  o[15] = wp_global_threads();
}

/* Q2, Q3: functions of kernels, and pointers to each kind of memory handed to them. */
WP_DEVICE wp_i32 conf_sum_global(const WP_GLOBAL wp_i32 *WP_RESTRICT p, int count) {
  wp_i32 s = 0;
  int k;
  for (k = 0; k < count; k++) s += p[k];
  return s;
}
WP_DEVICE wp_i32 conf_sum_constant(WP_CONSTANT wp_i32 *p, int count) {
  wp_i32 s = 0;
  int k;
  for (k = 0; k < count; k++) s += p[k] * 3;
  return s;
}
WP_DEVICE wp_i32 conf_sum_local(WP_LOCAL wp_i32 *p, int count) {
  wp_i32 s = 0;
  int k;
  for (k = 0; k < count; k++) s += p[k] * 5;
  return s;
}
WP_KERNEL(conf_pointers, const WP_GLOBAL wp_i32 *WP_RESTRICT a, WP_CONSTANT wp_i32 *b, WP_GLOBAL wp_i32 *WP_RESTRICT out,
          wp_i32 count) {
  WP_SHARED(wp_i32, box, 64);
  const int t = wp_thread_rank();
  int k;
  for (k = t; k < count; k += wp_block_threads()) box[k] = a[k] + b[k];
  WP_BARRIER();
  out[wp_global_rank() * 3] = conf_sum_global(a, count);
  out[wp_global_rank() * 3 + 1] = conf_sum_constant(b, count);
  out[wp_global_rank() * 3 + 2] = conf_sum_local(box, count);
}

/* Q4, Y2: arrays of several types at once; each block reverses its values, then sums them pairwise. At most 128 threads. */
WP_KERNEL(conf_shared, const WP_GLOBAL wp_u32 *v, WP_GLOBAL wp_u64 *out) {
  WP_SHARED(wp_u8, bytes, 128);
  WP_SHARED(wp_u64, words, 128);
  WP_SHARED(wp_f32, floats, 128);
  WP_SHARED_2D(wp_u32, grid, 2, 128);
  const int i = (int)wp_global_rank();
  const int t = wp_thread_rank();
  const int threads = wp_block_threads();
  int step;
  bytes[t] = (wp_u8)(v[i] & 255u);
  words[t] = v[i];
  floats[t] = (wp_f32)(v[i] & 0xffffu);
  grid[0][t] = v[i];
  grid[1][threads - 1 - t] = v[i];
  CONF_BREAK(WP_BARRIER(), (void)0);
  out[i * 5] = bytes[threads - 1 - t];
  out[i * 5 + 1] = grid[0][threads - 1 - t];
  out[i * 5 + 2] = grid[1][t];
  out[i * 5 + 3] = (wp_u64)floats[threads - 1 - t];
  for (step = 1; step < threads; step *= 2) {
    WP_BARRIER();
    if (t % (2 * step) == 0 && t + step < threads) words[t] += words[t + step];
  }
  WP_BARRIER();
  out[i * 5 + 4] = words[0];
}

/* Y2 orders global memory within the block, too. */
WP_KERNEL(conf_barrier_global, const WP_GLOBAL wp_u32 *v, WP_GLOBAL wp_u32 *box, WP_GLOBAL wp_u32 *out) {
  const int threads = wp_block_threads();
  const int i = (int)wp_global_rank();
  const int t = wp_thread_rank();
  const int next = i - t + (t + 1) % threads;
  int k;
  box[i] = v[i];
  for (k = 0; k < 3; k++) {
    wp_u32 x;
    WP_BARRIER();
    x = box[next];
    WP_BARRIER();
    box[i] = x + 1u;
  }
  WP_BARRIER();
  out[i] = box[next];
}

/* Q5 */
WP_KERNEL(conf_dynamic_shared, const WP_GLOBAL wp_u32 *v, WP_GLOBAL wp_u32 *out, WP_SHARED_PARAM(wp_u32, box), wp_i32 count) {
  WP_SHARED_BIND(wp_u32, box);
  const int first = (int)wp_global_rank() - wp_thread_rank();
  int k;
  for (k = wp_thread_rank(); k < count; k += wp_block_threads()) box[k] = v[first] * 7u + (wp_u32)k;
  WP_BARRIER();
  for (k = wp_thread_rank(); k < count; k += wp_block_threads()) out[first / wp_block_threads() * count + k] = box[count - 1 - k];
}

/* Q8: threads without a mask return; the others go on with collectives. */
WP_KERNEL(conf_return_u32, CONF_PARAMS(wp_u32, wp_u32)) {
  CONF_LOCALS;
  if (m == 0) return;
  out[i * 2] = CONF_FN(wp_reduce_add, u32)(m, v[i]);
  out[i * 2 + 1] = (wp_u32)wp_mask_count(wp_ballot(m, true));
}

/* Q8, Y2: a barrier after some threads have returned. */
WP_KERNEL(conf_return_barrier_u32, CONF_PARAMS(wp_u32, wp_u32)) {
  WP_SHARED(wp_u32, cell, 128);
  CONF_LOCALS;
  const int t = wp_thread_rank();
  int k;
  if (m == 0) return;
  cell[t] = v[i];
  WP_BARRIER();
  k = t + a;
  out[i] = cell[k] + CONF_FN(wp_reduce_max, u32)(m, v[i]);
}

/* Section 2: the language's own names for integers. op picks the type. */
#ifndef CONF_TYPED
CONF_KERNEL(conf_names_u32, wp_u32, wp_u64, {
  const wp_u32 x = v[i];
  switch (op) {
    case 0: { const char r = wp_shfl(m, (char)(x & 127u), a, w); out[i] = (wp_u64)r; break; }
    case 1: { const unsigned char r = wp_shfl(m, (unsigned char)(x & 255u), a, w); out[i] = r; break; }
    case 2: { const short r = wp_shfl(m, (short)(x & 0x7fffu), a, w); out[i] = (wp_u64)r; break; }
    case 3: { const unsigned short r = wp_shfl(m, (unsigned short)(x & 0xffffu), a, w); out[i] = r; break; }
    case 4: { const int r = wp_shfl(m, (int)(x & 0x7fffffffu), a, w); out[i] = (wp_u64)r; break; }
    case 5: { const unsigned int r = wp_shfl(m, (unsigned int)x, a, w); out[i] = r; break; }
    case 6: { const long r = wp_shfl(m, (long)(x & 0x7fffffffu), a, w); out[i] = (wp_u64)r; break; }
    case 7: { const unsigned long r = wp_shfl(m, (unsigned long)x, a, w); out[i] = r; break; }
    case 8: { const bool r = wp_shfl(m, (bool)(x & 1u), a, w); out[i] = r; break; }
    case 9: { const long r = wp_reduce_add(m, (long)(x & 0xffffu)); out[i] = (wp_u64)r; break; }
    default: { const unsigned long r = wp_scan_max(m, (unsigned long)x); out[i] = r; break; }
  }
})
#endif

/* Section 2: structs, padding and all, through the generic call in C++ and through wp_shfl_bytes elsewhere. */
typedef struct conf_record {
  wp_u64 a;
  wp_u8 b;
  wp_u16 c;
  wp_u32 d;
  wp_u8 e[3];
} conf_record;

#if defined(__cplusplus) && !defined(CONF_TYPED)
#define CONF_RECORD_SHFL x = wp_shfl(m, x, a, w)
#else
#define CONF_RECORD_SHFL wp_shfl_bytes(m, &x, &x, (int)sizeof x, a, w)
#endif
CONF_KERNEL(conf_struct_u64, wp_u64, wp_u64, {
  conf_record x;
  int k;
  x.a = v[i];
  x.b = (wp_u8)(mem[i] & 255u);
  x.c = (wp_u16)(mem[i] >> 8 & 0xffffu);
  x.d = (wp_u32)(mem[i] >> 24 & 0xffffffffu);
  for (k = 0; k < 3; k++) x.e[k] = (wp_u8)(v[i] >> (8 * k) & 255u);
  CONF_RECORD_SHFL;
  out[i * 3] = x.a;
  out[i * 3 + 1] = (wp_u64)x.d << 24 | (wp_u64)x.c << 8 | x.b;
  out[i * 3 + 2] = (wp_u64)x.e[2] << 16 | (wp_u64)x.e[1] << 8 | x.e[0];
})
