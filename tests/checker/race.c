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
