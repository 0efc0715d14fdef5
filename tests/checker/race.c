/* Data races, for a build with ThreadSanitizer; the marks are those of wrong.c and right.c. */
#include <warpport/warpport.h>

#define ALL wp_mask_all()
#define OUT out[wp_thread_rank()]
#define KERNEL(name) WP_KERNEL(name, WP_GLOBAL wp_u32 *out, int n)

KERNEL(race_neighbour) {
  WP_SHARED(wp_u32, cell, 64);
  cell[wp_lane()] = (wp_u32)n; /* WRONG WP130: lane 1 of warp 0 | lane 1 of warp 0 */
  OUT = cell[wp_lane() ^ 1];
}
KERNEL(race_shuffle_is_no_sync) { /* lanes have met, but nothing has ordered memory */
  WP_SHARED(wp_u32, cell, 64);
  cell[wp_lane()] = (wp_u32)n;
  wp_shfl(ALL, 1u, 0);
  OUT = cell[(wp_lane() + 1) % n]; /* WRONG WP130: reads 4 bytes that | reads 4 bytes that */
}
KERNEL(race_sync_of_half) { /* the sync leaves lane 20 out */
  WP_SHARED(wp_u32, cell, 64);
  if (wp_lane() == 20) cell[0] = (wp_u32)n; /* WRONG WP130: lane 20 of warp 0 | lane 20 of warp 0 */
  if (wp_lane() < 16) wp_sync(wp_mask_first(16));
  if (wp_lane() == 3) OUT = cell[0];
}
KERNEL(race_of_warps) { /* wp_sync() orders one warp, not two */
  WP_SHARED(wp_u32, cell, 128);
  cell[wp_thread_rank()] = (wp_u32)n; /* WRONG WP130 block=*2: of warp 1 | of warp 1 */
  wp_sync(ALL);
  OUT = cell[wp_block_threads() - 1 - wp_thread_rank()];
}
KERNEL(race_vote_is_no_sync) {
  WP_SHARED(wp_u32, cell, 1);
  if (wp_lane() == 0) cell[0] = (wp_u32)n;
  wp_any(ALL, n > 0);
  if (wp_lane() == 6) OUT = cell[0]; /* WRONG WP130: lane 6 of warp 0 | lane 6 of warp 0 */
}
KERNEL(race_atomic_is_no_sync) { /* atomics are relaxed: the flag is seen, what was written before it need not be */
  WP_SHARED(wp_u32, cell, 1);
  if (wp_lane() == 0) {
    cell[0] = (wp_u32)n;
    wp_atomic_exch(&out[2 * n], 1u);
  }
  if (wp_lane() == 1) {
    while (wp_atomic_add(&out[2 * n], 0u) == 0) continue;
    OUT = cell[0]; /* WRONG WP130: lane 1 of warp 0 | lane 1 of warp 0 */
  }
}
KERNEL(race_write_after_read) { /* the second sync is missing */
  WP_SHARED(wp_u32, cell, 64);
  wp_u32 v;
  cell[wp_lane()] = (wp_u32)n;
  wp_sync(ALL);
  v = cell[(wp_lane() + 1) % n];
  cell[wp_lane()] = v + 1; /* WRONG WP130: writes 4 bytes that lane | writes 4 bytes that lane */
  OUT = v;
}
KERNEL(race_wrong_way_round) { /* 1 meets 2 before it meets 0, so nothing leads from 0 to 2 */
  WP_SHARED(wp_u32, cell, 1);
  if (wp_lane() == 0) cell[0] = (wp_u32)n;
  if (wp_lane() == 1 || wp_lane() == 2) wp_sync(6);
  if (wp_lane() < 2) wp_sync(3);
  if (wp_lane() == 2) OUT = cell[0]; /* WRONG WP130: lane 2 of warp 0 | lane 2 of warp 0 */
}
KERNEL(race_after_return) { /* a barrier orders those that come to it */
  WP_SHARED(wp_u32, cell, 1);
  if (wp_lane() == 3) {
    cell[0] = (wp_u32)n;
    return;
  }
  WP_BARRIER();
  if (wp_lane() == 8) OUT = cell[0]; /* WRONG WP130: lane 8 of warp 0 | lane 8 of warp 0 */
}
KERNEL(race_beyond_the_tile) { /* a tile is ordered, and reads its neighbour's */
  WP_SHARED(wp_u32, cell, 64);
  wp_tile t = wp_tile_make(8);
  cell[wp_lane()] = (wp_u32)n;
  wp_tile_sync(t);
  if (wp_lane() == 9) OUT = cell[1]; /* WRONG WP130: lane 9 of warp 0 | lane 9 of warp 0 */
}
KERNEL(race_of_blocks) { /* nothing orders blocks */
  if (wp_thread_rank() == 2) out[7] = (wp_u32)(wp_block_x() + n); /* WRONG WP130 grid=2: lane 2 of warp 0, block ( | lane 2 of warp 0, block ( */
}
KERNEL(race_to_another_block) {
  bool reads = wp_block_x() == 1 && wp_thread_rank() == 3, writes = wp_block_x() == 0 && wp_thread_rank() == 2;
  if (writes) out[7] = (wp_u32)n; else if (reads) OUT = out[7]; /* WRONG WP130 grid=2: lane 3 of warp 0, block (1,0,0) | lane 3 of warp 0, block (1,0,0) */
}
KERNEL(race_volatile) { /* as warps used to be summed up when they were in lockstep */
  WP_SHARED(wp_u32, sums, 64);
  volatile wp_u32 *sum = sums;
  int t = wp_lane(), d;
  sum[t] = (wp_u32)n; /* WRONG WP130: lane 1 of warp 0, block (0,0,0) writes 4 bytes that lane 0 | lane 1 of warp 0, block (0,0,0) writes 4 bytes that lane 0 */
  for (d = 16; d > 0 && t < 16; d /= 2) sum[t] += sum[t + d];
  if (t == 0) OUT = sum[0];
}
KERNEL(race_increment) {
  WP_SHARED(wp_u32, bins, 8);
  if (wp_lane() < 8) bins[wp_lane()] = 0;
  WP_BARRIER();
  bins[wp_lane() % 8]++; /* WRONG WP130: lane 31 of warp 0 | lane 63 of warp 0 */
  WP_BARRIER();
  if (wp_lane() < 8) OUT = bins[wp_lane()] + (wp_u32)n;
}
KERNEL(race_last_block) { /* the last block adds up what the others left, and nothing makes that visible */
  if (wp_thread_rank() != 0) return;
  out[100 + wp_block_x()] = (wp_u32)n;
  if (wp_atomic_add(&out[200], 1u) == 3u) out[0] = out[100] + out[101] + out[102] + out[103]; /* WRONG WP130 grid=4: lane 0 of warp 0, block ( | lane 0 of warp 0, block ( */
}
/* RIGHT WP130: both syncs */
KERNEL(ordered_read_then_write) {
  WP_SHARED(wp_u32, cell, 64);
  wp_u32 v;
  cell[wp_lane()] = (wp_u32)n;
  wp_sync(ALL);
  v = cell[(wp_lane() + 1) % n];
  wp_sync(ALL);
  cell[wp_lane()] = v + 1;
  OUT = v;
}
/* RIGHT WP130: within the tile */
KERNEL(ordered_in_the_tile) {
  WP_SHARED(wp_u32, cell, 64);
  wp_tile t = wp_tile_make(8);
  cell[wp_lane()] = (wp_u32)n;
  wp_tile_sync(t);
  OUT = cell[wp_lane() ^ 5];
}
/* RIGHT WP130: before it returns, the lane comes to the barrier */
KERNEL(ordered_before_return) {
  WP_SHARED(wp_u32, cell, 1);
  if (wp_lane() == 3) cell[0] = (wp_u32)n;
  WP_BARRIER();
  if (wp_lane() == 3) return;
  if (wp_lane() == 8) OUT = cell[0];
}
/* RIGHT WP130 grid=2: each block has its own words, and its own shared array */
KERNEL(ordered_blocks) {
  WP_SHARED(wp_u32, cell, 64);
  cell[wp_lane()] = (wp_u32)n;
  WP_BARRIER();
  out[wp_block_x() * n + wp_lane()] = cell[wp_lane() ^ 1];
}
/* RIGHT WP130 block=*2 */
KERNEL(ordered_by_barrier) {
  WP_SHARED(wp_u32, cell, 128);
  int i;
  for (i = 0; i < 3; i++) {
    cell[wp_thread_rank()] = (wp_u32)(n + i);
    WP_BARRIER();
    OUT = cell[wp_block_threads() - 1 - wp_thread_rank()];
    WP_BARRIER();
  }
}
/* RIGHT WP130: two halves, each ordered for itself */
KERNEL(ordered_by_halves) {
  WP_SHARED(wp_u32, cell, 64);
  wp_mask half = wp_mask_segment(n / 2);
  cell[wp_lane()] = (wp_u32)n;
  wp_sync(half);
  OUT = cell[wp_lane() ^ 1];
}
/* RIGHT WP130: by way of a lane in both groups */
KERNEL(ordered_in_two_steps) {
  WP_SHARED(wp_u32, cell, 1);
  if (wp_lane() == 0) cell[0] = (wp_u32)n;
  if (wp_lane() < 2) wp_sync(3);
  if (wp_lane() == 1 || wp_lane() == 2) wp_sync(6);
  if (wp_lane() == 2) OUT = cell[0];
}
/* RIGHT WP130: atomics do not race with each other */
KERNEL(ordered_by_atomics) { wp_atomic_add(&out[n + wp_lane() % 3], 1u); }
