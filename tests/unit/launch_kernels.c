/* Kernels of test_launch.c. A comment @name marks the line that a report must give. */
#include <warpport/warpport.h>

/* ---- right kernels ---- */

/* 8 words a thread: indices and the lanes present. */
WP_KERNEL(who, WP_GLOBAL wp_u32 *out) {
  wp_i64 at = 12 * wp_global_rank();
  out[at + 0] = (wp_u32)wp_thread_x();
  out[at + 1] = (wp_u32)wp_thread_y();
  out[at + 2] = (wp_u32)wp_thread_z();
  out[at + 3] = (wp_u32)wp_lane();
  out[at + 4] = (wp_u32)wp_warp_id();
  out[at + 5] = (wp_u32)wp_block_x();
  out[at + 6] = (wp_u32)wp_block_y();
  out[at + 7] = (wp_u32)wp_block_z();
  out[at + 8] = (wp_u32)wp_warp_size();
  out[at + 9] = (wp_u32)wp_mask_count(wp_ballot(wp_mask_present(), true));
  out[at + 10] = wp_shfl_u32(wp_mask_present(), (wp_u32)wp_thread_rank(), wp_mask_highest(wp_mask_present()), wp_warp_size());
  out[at + 11] = (wp_u32)wp_active_mask() ^ (wp_u32)(wp_active_mask() >> 32);
}

/* Every type a kernel of C can take. */
WP_KERNEL(types, WP_GLOBAL double *out, wp_i8 a, wp_u8 b, wp_i16 c, wp_u16 d, wp_i32 e, const wp_u32 f, wp_i64 g, wp_u64 h,
          float i, double j, bool k, wp_f16 l, wp_bf16x2 m, WP_GLOBAL const float *WP_RESTRICT n) {
  double v[14];
  int q;
  v[0] = a; v[1] = b; v[2] = c; v[3] = d; v[4] = e; v[5] = f; v[6] = (double)g; v[7] = (double)h; v[8] = (double)i; v[9] = j;
  v[10] = k; v[11] = l.bits; v[12] = m.bits; v[13] = (double)n[1];
  for (q = 0; q < 14; q++) out[q] = v[q];
}

typedef struct pair { float a, b; } pair;
WP_KERNEL(struct_param, WP_GLOBAL float *out, pair p) { out[0] = p.a + p.b; }

/* Sum of 0 ... threads-1 through shared memory and barriers; odd threads have left. */
WP_KERNEL(early_return, WP_GLOBAL wp_u32 *out) {
  WP_SHARED(wp_u32, cell, 1024);
  int rank = wp_thread_rank(), threads = wp_block_threads(), step;
  if (rank % 2 == 1) return;
  cell[rank / 2] = (wp_u32)rank;
  WP_BARRIER();
  for (step = 1; step < threads; step *= 2) {
    wp_u32 other = rank / 2 + step < (threads + 1) / 2 ? cell[rank / 2 + step] : 0;
    WP_BARRIER();
    cell[rank / 2] += other;
    WP_BARRIER();
  }
  if (rank == 0) out[wp_block_x()] = cell[0];
}

/* The block reverses its part of data in dynamic shared memory; two static arrays beside it. */
WP_KERNEL(reverse, WP_GLOBAL wp_u32 *data, WP_SHARED_PARAM(wp_u32, cell), int n) {
  WP_SHARED_BIND(wp_u32, cell);
  WP_SHARED(wp_u8, one, 1);
  WP_SHARED_2D(double, grid, 2, 3);
  wp_i64 base = (wp_i64)wp_block_x() * n;
  int i;
  if (wp_thread_rank() == 0) {
    one[0] = 7;
    grid[1][2] = 0.5;
  }
  for (i = wp_thread_rank(); i < n; i += wp_block_threads()) cell[i] = data[base + i];
  WP_BARRIER();
  for (i = wp_thread_rank(); i < n; i += wp_block_threads())
    data[base + i] = cell[n - 1 - i] + (one[0] == 7 && grid[1][2] == 0.5 ? 0u : 1000000u);
}

/* Shared memory is not zero at first. */
WP_KERNEL(shared_poison, WP_GLOBAL wp_u32 *out) {
  WP_SHARED(wp_u8, cell, 4);
  out[wp_block_x()] = 0;
  cell[0] = 1;
  out[wp_block_x()] = cell[0];
}

/* Tiles of one warp go their own ways, a different number of rounds each. */
WP_KERNEL(tiles, WP_GLOBAL wp_u32 *out) {
  wp_u32 v = (wp_u32)wp_lane(), sum = 0;
  int tile = wp_lane() / 4, i;
  wp_mask mask = wp_mask_segment(4);
  for (i = 0; i <= tile; i++) sum += wp_shfl_xor_u32(mask, v, 1, 4);
  wp_sync(wp_mask_all());
  out[wp_thread_rank()] = sum;
}

/* Two groups whose masks have the same lowest lane: {0,1} and {0,2}. */
WP_KERNEL(overlapping, WP_GLOBAL wp_u32 *out) {
  wp_u32 v = (wp_u32)wp_lane() + 10, got = 0;
  if (wp_lane() == 2 || wp_lane() == 0 || wp_lane() == 1) {
    if (wp_lane() != 2) got += wp_shfl_u32(3, v, 1 - wp_lane(), wp_warp_size());
    if (wp_lane() != 1) got += 100 * wp_shfl_u32(5, v, 2 - wp_lane(), wp_warp_size());
  }
  out[wp_thread_rank()] = got;
}

/* One line of the source in a function that is called twice: two calls. */
static inline __attribute__((always_inline)) wp_u32 neighbour(wp_u32 v) { return wp_shfl_xor_u32(wp_mask_all(), v, 1, 2); }
WP_KERNEL(duplicated, WP_GLOBAL wp_u32 *out) {
  wp_u32 v = (wp_u32)wp_lane();
  if (wp_lane() % 2 == 0)
    v = neighbour(v + 100); /* @duplicated_even */
  else
    v = neighbour(v + 200); /* @duplicated_odd */
  out[wp_thread_rank()] = v;
}

/* Lane 0 waits through memory for the last thread of the block, which waits for lane 1 of its own warp. */
WP_KERNEL(spin, WP_GLOBAL wp_u32 *flag, WP_GLOBAL wp_u32 *out) {
  int last = wp_block_threads() - 1;
  if (wp_thread_rank() == 0)
    while (wp_atomic_add_u32(&flag[0], 0) == 0) continue;
  if (wp_thread_rank() == last) {
    while (wp_atomic_add_u32(&flag[1], 0) == 0) continue;
    wp_atomic_exch_u32(&flag[0], 1);
  }
  if (wp_thread_rank() == last - 1) wp_atomic_exch_u32(&flag[1], 1);
  out[wp_thread_rank()] = wp_atomic_add_u32(&flag[0], 0) + wp_atomic_add_u32(&flag[1], 0);
}

WP_KERNEL(atomics, WP_GLOBAL wp_u32 *u, WP_GLOBAL wp_i32 *i, WP_GLOBAL wp_u64 *l, WP_GLOBAL float *f) {
  WP_SHARED(wp_u32, sum, 1);
  if (wp_thread_rank() == 0) sum[0] = 0;
  WP_BARRIER();
  wp_atomic_add_u32(&u[0], 3);
  wp_atomic_max_u32(&u[1], (wp_u32)wp_global_rank());
  wp_atomic_min_i32(&i[0], -(wp_i32)wp_global_rank());
  wp_atomic_xor_u32(&u[2], 1u << (wp_thread_rank() % 32));
  wp_atomic_add_u64(&l[0], (wp_u64)1 << 33);
  wp_atomic_add_f32(&f[0], 0.5f);
  wp_atomic_add_local_u32(&sum[0], 1);
  WP_BARRIER();
  if (wp_thread_rank() == 0) wp_atomic_add_u32(&u[3], sum[0]);
}

/* Deep, but within a small stack. */
static __attribute__((noinline)) int depth(int n, WP_GLOBAL wp_u32 *out) {
  volatile char room[1024];
  room[n & 1023] = (char)n;
  if (n <= 0) return room[0];
  return depth(n - 1, out) + room[n & 1023];
}
WP_KERNEL(deep, WP_GLOBAL wp_u32 *out, int n, int who) {
  out[wp_thread_rank()] = 1;
  if (wp_thread_rank() == who) out[wp_thread_rank()] = 2u + (wp_u32)depth(n, out) * 0u; /* @deep */
}

/* ---- misuse ---- */

WP_KERNEL(outside_mask, WP_GLOBAL wp_u32 *out) {
  wp_mask low = wp_mask_first(4);
  out[wp_lane()] = (wp_u32)wp_ballot(low, true); /* @outside_mask */
}

WP_KERNEL(empty_mask, WP_GLOBAL wp_u32 *out) {
  if (wp_lane() >= 2) out[wp_lane()] = wp_shfl_u32(out[0] & 0, 1, 0, wp_warp_size()); /* @empty_mask */
}

WP_KERNEL(beyond_block, WP_GLOBAL wp_u32 *out) {
  wp_sync(wp_mask_all()); /* @beyond_block */
  out[wp_thread_rank()] = 1;
}

WP_KERNEL(beyond_warp, WP_GLOBAL wp_u32 *out, wp_u64 mask) {
  out[wp_thread_rank()] = (wp_u32)wp_any((wp_mask)mask, true); /* @beyond_warp */
}

WP_KERNEL(returned, WP_GLOBAL wp_u32 *out) {
  if (wp_lane() == 5 || wp_lane() >= 30) return;
  out[wp_lane()] = (wp_u32)wp_all(wp_mask_all(), true); /* @returned */
}

WP_KERNEL(other_call, WP_GLOBAL wp_u32 *out) {
  wp_u32 v;
  if (wp_lane() < 16 || wp_lane() == 20)
    v = wp_shfl_u32(wp_mask_all(), 1, 0, wp_warp_size()); /* @other_call_a */
  else
    v = wp_shfl_u32(wp_mask_all(), 2, 1, wp_warp_size()); /* @other_call_b */
  out[wp_lane()] = v;
}

WP_KERNEL(other_op, WP_GLOBAL wp_u32 *out) {
  if (wp_lane() == 0)
    out[0] = (wp_u32)wp_ballot(wp_mask_all(), true); /* @other_op_a */
  else
    wp_sync(wp_mask_all()); /* @other_op_b */
}

WP_KERNEL(other_mask, WP_GLOBAL wp_u32 *out) {
  wp_mask mask = wp_lane() < 8 ? wp_mask_all() : (wp_mask)(wp_mask_all() ^ 1);
  out[wp_lane()] = wp_reduce_add_u32(mask, 1); /* @other_mask */
}

WP_KERNEL(other_width, WP_GLOBAL wp_u32 *out) {
  out[wp_lane()] = wp_shfl_u32(wp_mask_all(), 1, 0, wp_lane() == 9 ? 4 : 8); /* @other_width */
}

WP_KERNEL(at_barrier, WP_GLOBAL wp_u32 *out) {
  if (wp_lane() < 3)
    wp_sync(wp_mask_all()); /* @at_barrier_a */
  else
    WP_BARRIER(); /* @at_barrier_b */
  out[wp_thread_rank()] = 1;
}

WP_KERNEL(other_barrier, WP_GLOBAL wp_u32 *out) {
  if (wp_thread_rank() % 3 == 0)
    WP_BARRIER(); /* @other_barrier_a */
  else
    WP_BARRIER(); /* @other_barrier_b */
  out[wp_thread_rank()] = 1;
}

WP_KERNEL(circle, WP_GLOBAL wp_u32 *out) {
  /* 0 waits for 1, 1 for 2, 2 for 0 */
  wp_mask mask = wp_lane() == 0 ? 3 : wp_lane() == 1 ? 6 : 5;
  if (wp_lane() == 0) wp_sync(mask); /* @circle_0 */
  if (wp_lane() == 1) wp_sync(mask); /* @circle_1 */
  if (wp_lane() == 2) wp_sync(mask); /* @circle_2 */
  out[wp_lane()] = 1;
}

WP_KERNEL(bad_width, WP_GLOBAL wp_u32 *out, int width) {
  if (wp_lane() >= 12)
    out[wp_lane()] = wp_shfl_down_u32((wp_mask)(wp_mask_all() & ~(wp_mask)0xfff), 1, 1, width); /* @bad_width */
}

WP_KERNEL(xor_range, WP_GLOBAL wp_u32 *out, int lane_mask) {
  out[wp_lane()] = wp_shfl_xor_u32(wp_mask_all(), 1, lane_mask, 8); /* @xor_range */
}

WP_DEVICE wp_u32 pull(wp_mask mask, wp_u32 v) {
  return wp_shfl_down_u32(mask, v, 1, wp_warp_size()); /* @source */
}
static __attribute__((noinline)) wp_u32 through(wp_mask mask, wp_u32 v) {
  wp_u32 r = pull(mask, v); /* @source_through */
  return r + 1;
}
WP_KERNEL(source, WP_GLOBAL wp_u32 *out) {
  wp_mask mask = wp_ballot(wp_mask_all(), wp_lane() % 2 == 0 || wp_lane() == 7);
  if (wp_mask_has(mask, wp_lane())) out[wp_lane()] = through(mask, 1); /* @source_kernel */
}

/* Only one block is wrong. */
WP_KERNEL(late_block, WP_GLOBAL wp_u32 *out, int bad) {
  out[wp_global_rank()] = 1;
  if (wp_block_x() >= bad && wp_lane() == 1) return;
  wp_sync(wp_mask_all()); /* @late_block */
}

/* ---- faults ---- */

WP_KERNEL(wild_pointer, WP_GLOBAL wp_u32 *out, wp_u64 address) {
  WP_GLOBAL volatile wp_u32 *p = out;
  if (wp_lane() == 3) p = (WP_GLOBAL volatile wp_u32 *)(uintptr_t)address;
  p[0] = 1; /* @wild_pointer */
}

WP_KERNEL(divide, WP_GLOBAL wp_u32 *out, int zero) {
  out[wp_lane()] = (wp_u32)(7 / (zero + (wp_lane() != 2))); /* @divide */
}

WP_KERNEL(endless, WP_GLOBAL wp_u32 *out) {
  if (wp_lane() == 4) {
    volatile wp_u32 *p = &out[100];
    *p = 0;
    while (*p == 0) continue; /* @endless */
  }
  out[wp_lane()] = 1;
}

WP_KERNEL(spin_forever, WP_GLOBAL wp_u32 *flag) {
  if (wp_lane() == 2)
    while (wp_atomic_add_u32(flag, 0) == 0) continue; /* @spin_forever */
  wp_sync(wp_mask_all()); /* @spin_forever_sync */
}
