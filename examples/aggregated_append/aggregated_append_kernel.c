/* aggregated_append: collect the positions of all capital letters in a list that many threads append to.
 *
 * The naive way is one atomic addition to the list's length for each item. With aggregation the lanes of a warp
 * that have something to append make one addition together: wp_atomic_add_aggregated() returns to each of them the
 * old length plus the number of lanes below it, which is its place in the list. It names the lanes by a mask, so
 * it may be called inside the branch, by only those that append.
 *
 * The order of the list is up to the scheduler, on every chip and from run to run. What is promised, and checked,
 * is the set.
 */
#include <warpport/warpport.h>

/* list: room for n positions; length[0]: zeroed. Any grid. */
WP_KERNEL(aggregated_append, WP_GLOBAL const wp_u8 *in, int n, WP_GLOBAL wp_u32 *list, WP_GLOBAL wp_u32 *length) {
  wp_i64 grid = wp_global_threads();
  for (wp_i64 base = (wp_i64)wp_block_x() * wp_block_threads(); base < n; base += grid) {
    wp_i64 i = base + wp_thread_rank();
    int found = i < n && in[i] >= 'A' && in[i] <= 'Z';
    wp_mask appending = wp_ballot(wp_mask_present(), found);
    if (found || WP_UNIFORM_FLOW) { /* devices without sub-groups: all threads make the call, some with an empty mask */
      wp_u32 place = wp_atomic_add_aggregated(found ? appending : 0, &length[0], 1u);
      if (found) list[place] = (wp_u32)i;
    }
  }
}
