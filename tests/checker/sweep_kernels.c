/* Kernels that the emulator's rules cannot see through, each wrong in one order, at one lane count or for one pattern of poison; and
 * right ones beside them. All get blocks of 64 threads. WRONG WPnnn or RIGHT WPnnn before a kernel, with the options of warpport-check
 * that it takes after a colon, is what sweep.sh expects. */
#include <warpport/warpport.h>

#define KERNEL(name) WP_KERNEL(name, WP_GLOBAL wp_u32 *out, WP_GLOBAL const wp_u32 *in)

/* ---- WP140: only in lockstep ---- */

/* WRONG WP140 */
KERNEL(race_neighbour) { /* nothing orders the write and the read */
  WP_SHARED(wp_u32, cell, 64);
  int t = wp_thread_rank();
  cell[t] = in[t];
  out[t] = cell[t ^ 1];
}
/* WRONG WP140 */
KERNEL(race_one_writer) { /* two lanes write, the last one wins */
  WP_SHARED(wp_u32, cell, 1);
  if (wp_thread_rank() == 3 || wp_thread_rank() == 5) cell[0] = in[wp_thread_rank()];
  WP_BARRIER();
  out[wp_thread_rank()] = cell[0];
}
/* WRONG WP140 */
KERNEL(race_reduce) { /* the sync after the last step is missing, and that before the steps */
  WP_SHARED(wp_u32, cell, 64);
  int t = wp_thread_rank(), d;
  cell[t] = in[t];
  for (d = 32; d > 0; d /= 2) {
    if (t < d) cell[t] += cell[t + d];
    WP_BARRIER();
  }
  out[t] = cell[0];
}
/* WRONG WP140 */
KERNEL(race_active_mask) { /* the sum over whoever was there */
  wp_mask m = wp_active_mask();
  out[wp_thread_rank()] = wp_reduce_add(m, in[wp_thread_rank()]);
}
/* Lane 9 must go on between lane 3's two writes: right in every order but some random ones. */
/* WRONG WP140 */
KERNEL(race_rare) {
  if (wp_thread_rank() == 3 || wp_thread_rank() == 4) {
    if (wp_thread_rank() == 3) out[64] = 7;
    wp_sync((wp_mask)(wp_mask_lane(3) | wp_mask_lane(4)));
    if (wp_thread_rank() == 3) out[64] = 0;
  }
  if (wp_thread_rank() == 9 || wp_thread_rank() == 10) {
    wp_sync((wp_mask)(wp_mask_lane(9) | wp_mask_lane(10)));
    if (wp_thread_rank() == 9) out[65] = out[64];
  }
  out[wp_thread_rank()] = wp_thread_rank() == 9 ? out[65] : in[wp_thread_rank()];
}
/* RIGHT WP140 */
KERNEL(no_race_reduce) {
  WP_SHARED(wp_u32, cell, 64);
  int t = wp_thread_rank(), d;
  cell[t] = in[t];
  for (d = 32; d > 0; d /= 2) {
    WP_BARRIER();
    if (t < d) cell[t] += cell[t + d];
  }
  WP_BARRIER();
  out[t] = cell[0];
}
/* RIGHT WP140 */
KERNEL(no_race_append) { /* where an element goes depends on the order, as everybody knows of atomics */
  wp_u32 at = wp_atomic_add_aggregated(wp_active_mask(), out, 1u);
  out[1 + at] = in[wp_thread_rank()];
}

/* Block reduce, twice, and the second one may overtake a reader of the first. */
/* WRONG WP140 */
KERNEL(race_scratch_again) {
  WP_SHARED(wp_u32, part, 64);
  wp_u32 sum = 0;
  int i, round;
  for (round = 0; round < 2; round++) {
    wp_u32 v = wp_reduce_add(wp_mask_present(), in[wp_thread_rank()] + (wp_u32)round);
    if (wp_lane() == 0) part[wp_warp_id()] = v;
    WP_BARRIER();
    for (i = 0; i < wp_warps_per_block(); i++) sum += part[i] * (wp_u32)(round + 1);
  }
  out[wp_thread_rank()] = sum;
}
/* RIGHT WP140 */
KERNEL(no_race_scratch_again) {
  WP_SHARED(wp_u32, part, 64);
  wp_u32 sum = 0;
  int i, round;
  for (round = 0; round < 2; round++) {
    wp_u32 v = wp_reduce_add(wp_mask_present(), in[wp_thread_rank()] + (wp_u32)round);
    if (wp_lane() == 0) part[wp_warp_id()] = v;
    WP_BARRIER();
    for (i = 0; i < wp_warps_per_block(); i++) sum += part[i] * (wp_u32)(round + 1);
    WP_BARRIER();
  }
  out[wp_thread_rank()] = sum;
}

/* ---- WP141: nobody gave this value ---- */

/* WRONG WP141 */
KERNEL(poison_shared) {
  WP_SHARED(wp_u32, cell, 65);
  cell[wp_thread_rank()] = in[wp_thread_rank()];
  WP_BARRIER();
  out[wp_thread_rank()] = cell[wp_thread_rank() + 1];
}
/* WRONG WP141 */
KERNEL(poison_global) { out[wp_thread_rank()] = out[64 + wp_thread_rank()] + in[0]; } /* the second half is never written */
/* WRONG WP141 */
KERNEL(poison_exchange) { /* with the rule for it switched off */
  if (wp_lane() == 0) out[wp_thread_rank()] = wp_shfl(wp_mask_lane(0), in[0], 1);
  if (wp_lane() != 0) out[wp_thread_rank()] = 0;
}
/* WRONG WP141 */
KERNEL(poison_branch) { /* the value decides */
  wp_u32 v = 0;
  if (wp_lane() < 8) v = wp_shfl_down(wp_mask_first(wp_warp_size() < 8 ? wp_warp_size() : 8), in[wp_thread_rank()] % 8, 1);
  out[wp_thread_rank()] = v < 8 ? 1u : 2u;
}
/* RIGHT WP141 */
KERNEL(no_poison_exchange) { /* lane 7 throws away what it got */
  wp_u32 v = in[wp_thread_rank()];
  int last = wp_warp_size() < 8 ? wp_warp_size() - 1 : 7;
  if (wp_lane() <= last) {
    wp_u32 next = wp_shfl_down(wp_mask_first(last + 1), v, 1);
    v = wp_lane() == last ? v : next;
  }
  out[wp_thread_rank()] = v;
}
/* RIGHT WP141 */
KERNEL(no_poison) {
  WP_SHARED(wp_u32, cell, 65);
  cell[wp_thread_rank()] = in[wp_thread_rank()];
  if (wp_thread_rank() == 0) cell[64] = 0;
  WP_BARRIER();
  out[wp_thread_rank()] = cell[wp_thread_rank() + 1];
}
/* RIGHT WP141 */
KERNEL(no_poison_unused) { /* read, but not used */
  wp_u32 v = wp_shfl(wp_mask_present(), in[wp_thread_rank()], 0);
  WP_SHARED(wp_u32, cell, 2);
  wp_u32 unused = cell[1];
  out[wp_thread_rank()] = wp_thread_rank() < 64 ? v : unused;
}

/* The lanes above the last value keep what shared memory held before. */
/* WRONG WP141 */
KERNEL(poison_tail) {
  WP_SHARED(wp_u32, cell, 64);
  wp_u32 best = 0;
  int i;
  if (wp_thread_rank() < 60) cell[wp_thread_rank()] = in[wp_thread_rank()];
  WP_BARRIER();
  for (i = 0; i < 64; i++) best += cell[i];
  out[wp_thread_rank()] = best;
}

/* ---- WP142: 32 lanes taken for granted ---- */

/* WRONG WP142 */
KERNEL(lanes_offsets) { /* five steps make 32 */
  WP_SHARED(wp_u32, part, 64);
  int w = wp_warp_id(), i;
  wp_u32 v = in[wp_thread_rank()], sum = 0;
  for (i = 16; i > 0; i /= 2) v += wp_shfl_down(wp_mask_present(), v, i);
  if (wp_lane() == 0) part[w] = v;
  WP_BARRIER();
  for (i = 0; i < wp_warps_per_block(); i++) sum += part[i];
  out[wp_thread_rank()] = sum;
}
/* WRONG WP142 */
KERNEL(lanes_modulo) { /* a lane number made by hand */
  wp_mask yes = wp_ballot(wp_mask_present(), in[wp_thread_rank()] % 3 == 1);
  out[wp_thread_rank()] = (wp_u32)(yes >> (wp_thread_rank() % 32) & 1);
}
/* WRONG WP142 */
KERNEL(lanes_half_count) { /* 64 votes in 32 bits */
  WP_SHARED(wp_u32, part, 64);
  wp_u32 votes = (wp_u32)wp_ballot(wp_mask_present(), in[wp_thread_rank()] % 3 != 0), sum = 0;
  int i;
  if (wp_lane() == 0) part[wp_warp_id()] = (wp_u32)wp_mask_count(votes);
  WP_BARRIER();
  for (i = 0; i < wp_warps_per_block(); i++) sum += part[i];
  out[wp_thread_rank()] = sum;
}
/* WRONG WP142 */
KERNEL(lanes_below) { /* the lanes below, as a shift in 32 bits */
  wp_mask yes = wp_ballot(wp_mask_present(), in[wp_thread_rank()] % 3 == 1);
  wp_u32 below = (wp_u32)yes & ((1u << (wp_thread_rank() % 32)) - 1u);
  out[wp_thread_rank()] = wp_thread_rank() % 8 == 0 ? (wp_u32)wp_mask_count(below) : 0u;
}
/* RIGHT WP142 */
KERNEL(no_lanes_sum) {
  WP_SHARED(wp_u32, part, 64);
  wp_u32 v = wp_reduce_add(wp_mask_present(), in[wp_thread_rank()]), sum = 0;
  int i;
  if (wp_lane() == 0) part[wp_warp_id()] = v;
  WP_BARRIER();
  for (i = 0; i < wp_warps_per_block(); i++) sum += part[i];
  out[wp_thread_rank()] = sum;
}
/* RIGHT WP142 */
KERNEL(no_lanes_count) {
  WP_SHARED(wp_u32, part, 64);
  wp_mask votes = wp_ballot(wp_mask_present(), in[wp_thread_rank()] % 3 != 0);
  wp_u32 sum = 0;
  int i;
  if (wp_lane() == 0) part[wp_warp_id()] = (wp_u32)wp_mask_count(votes);
  WP_BARRIER();
  for (i = 0; i < wp_warps_per_block(); i++) sum += part[i];
  out[wp_thread_rank()] = sum;
}
KERNEL(misuse) {
  if (wp_lane() > 0) out[wp_thread_rank()] = wp_shfl(wp_mask_present(), in[0], 1); /* @misuse */
}
KERNEL(endless) {
  for (;;) out[wp_thread_rank()] += (wp_u32)wp_any(wp_mask_present(), in[0] > 0);
}
KERNEL(aborts) {
  if (in[0] > 0) __builtin_abort();
  out[wp_thread_rank()] = 0;
}
KERNEL(lanes_not_one) { /* a misuse where a warp has one lane, and 32 lanes taken for granted elsewhere */
  wp_u32 v = wp_shfl_xor(wp_mask_present(), in[wp_thread_rank()], 1);
  out[wp_thread_rank()] = v + (wp_u32)(wp_thread_rank() % 32 == wp_lane());
}
