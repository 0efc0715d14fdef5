/* byte_histogram: how often does each of the 256 byte values occur?
 *
 * Text is full of repetition: among 32 neighbouring bytes several are a space or an 'e'. Atomic additions to one
 * address queue up, so the lanes of a warp first find out who has the same byte (wp_match_any_bits: 8 ballots, one
 * for each bit) and one lane of each group adds the size of the group. The block counts in shared memory and adds
 * its bins to the global ones at the end.
 *
 * wp_match_any_bits is called in a branch, by only those lanes that still have a byte. That is fine as long as the
 * mask names just the lanes that are there: the ballot before the branch says who that is.
 */
#include <warpport/warpport.h>

#define BINS 256

/* Adds to bins[256]. Any grid. */
WP_KERNEL(byte_histogram, WP_GLOBAL const wp_u8 *in, WP_GLOBAL wp_u32 *bins, int n) {
  WP_SHARED(wp_u32, local_bins, BINS);
  for (int b = wp_thread_rank(); b < BINS; b += wp_block_threads()) local_bins[b] = 0;
  WP_BARRIER();

  wp_i64 grid = wp_global_threads();
  /* The loop runs equally often in all threads of a block: its start is the block's, not the thread's. */
  for (wp_i64 base = (wp_i64)wp_block_x() * wp_block_threads(); base < n; base += grid) {
    wp_i64 i = base + wp_thread_rank();
    wp_mask mask = wp_ballot(wp_mask_present(), i < n);
    if (i < n || WP_UNIFORM_FLOW) { /* devices without sub-groups: all threads make the call, some with an empty mask */
      wp_u32 value = i < n ? in[i] : 0;
      wp_mask same = wp_match_any_bits(i < n ? mask : 0, value, 8);
      if (i < n && wp_mask_lowest(same) == wp_lane()) wp_atomic_add_local(&local_bins[value], (wp_u32)wp_mask_count(same));
    }
  }
  WP_BARRIER();

  for (int b = wp_thread_rank(); b < BINS; b += wp_block_threads()) {
    if (local_bins[b] != 0) wp_atomic_add(&bins[b], local_bins[b]);
  }
}
