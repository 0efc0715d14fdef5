/* prefix_sum: out[i] = in[0] + ... + in[i - 1], over any number of blocks.
 *
 * Three levels, each the same idea: scan the small thing, then add what came before it.
 *   thread  four neighbouring elements, added up one after the other
 *   warp    wp_scan_add_excl over the threads' sums: log2(lanes) shuffles, no shared memory
 *   block   the warps' sums go to shared memory, warp 0 scans them
 *   grid    the blocks' sums go to global memory, a second launch scans them, a third adds them
 *
 * The scan in a single launch ("decoupled look-back") lets a block wait for the blocks before it. That is safe
 * only where a waiting block cannot keep the one it waits for from running; OpenCL and several chips promise no
 * such thing, so the portable form has three launches.
 *
 * Integers wrap modulo 2^32, so the order of additions does not matter here and any block size gives the same
 * result.
 */
#include <warpport/warpport.h>

#define ITEMS 4        /* elements a thread */
#define MAX_WARPS 1024 /* warps a block: 1024 threads, should a chip have warps of one lane */

/* Exclusive scan over all threads of the block, which all call this; *total becomes the block's sum.
 * warp_sums: MAX_WARPS + 1 words of shared memory, free for reuse after the call. */
WP_DEVICE wp_u32 prefix_sum_in_block(WP_WARP_PARAM wp_u32 v, WP_LOCAL wp_u32 *warp_sums, wp_u32 *total) {
  wp_mask present = wp_mask_present(); /* all lanes, but in the last warp of a block that is no multiple of the warp size */
  int warps = wp_warps_per_block();
  wp_u32 before = wp_scan_add_excl(present, v);
  wp_u32 sum = wp_broadcast(present, before + v, wp_mask_highest(present)); /* the last lane's inclusive sum */
  if (wp_elect(present)) warp_sums[wp_warp_id()] = sum;
  WP_BARRIER();

  int works = wp_warp_id() == 0;
  if (works || WP_UNIFORM_FLOW) { /* devices without sub-groups: all warps make the calls, warp 0 uses the results */
    /* There can be more warps than warp 0 has lanes (1024 threads on 16 lanes: 64 warps), hence the loop and the carry. */
    wp_u32 carry = 0;
    int lanes = wp_block_threads() < wp_warp_size() ? wp_block_threads() : wp_warp_size(); /* of warp 0 */
    for (int first = 0; first < warps; first += lanes) {
      int w = first + wp_lane();
      wp_u32 t = w < warps ? warp_sums[w] : 0;
      wp_u32 t_before = wp_scan_add_excl(present, t);
      if (works && w < warps) warp_sums[w] = carry + t_before;
      carry += wp_broadcast(present, t_before + t, lanes - 1);
    }
    if (works && wp_elect(present)) warp_sums[warps] = carry;
  }
  WP_BARRIER();

  wp_u32 result = warp_sums[wp_warp_id()] + before;
  *total = warp_sums[warps];
  WP_BARRIER(); /* nobody overwrites warp_sums before all have read them */
  return result;
}

/* Scans each block's elements by themselves and keeps the block's sum. Grid: ceil(n / (ITEMS * threads)) blocks. */
WP_KERNEL(prefix_sum_blocks, WP_GLOBAL const wp_u32 *in, WP_GLOBAL wp_u32 *out, WP_GLOBAL wp_u32 *block_sums, int n) {
  WP_SHARED(wp_u32, warp_sums, MAX_WARPS + 1);
  int first = (wp_block_x() * wp_block_threads() + wp_thread_rank()) * ITEMS;
  wp_u32 item[ITEMS];
  wp_u32 sum = 0;
  for (int k = 0; k < ITEMS; k++) {
    item[k] = first + k < n ? in[first + k] : 0;
    sum += item[k];
  }
  wp_u32 total;
  wp_u32 before = prefix_sum_in_block(WP_WARP_ARG sum, warp_sums, &total);
  for (int k = 0; k < ITEMS; k++) {
    if (first + k < n) out[first + k] = before;
    before += item[k];
  }
  if (wp_thread_rank() == 0) block_sums[wp_block_x()] = total;
}

/* Replaces the blocks' sums by what comes before each block. One block, which walks over them with a carry.
 * total: the sum of everything. */
WP_KERNEL(prefix_sum_carry, WP_GLOBAL wp_u32 *block_sums, WP_GLOBAL wp_u32 *total, int blocks) {
  WP_SHARED(wp_u32, warp_sums, MAX_WARPS + 1);
  wp_u32 carry = 0;
  for (int first = 0; first < blocks; first += wp_block_threads()) {
    int b = first + wp_thread_rank();
    wp_u32 v = b < blocks ? block_sums[b] : 0;
    wp_u32 step;
    wp_u32 before = prefix_sum_in_block(WP_WARP_ARG v, warp_sums, &step);
    if (b < blocks) block_sums[b] = carry + before;
    carry += step;
  }
  if (wp_thread_rank() == 0) total[0] = carry;
}

/* Adds what comes before each block. Same grid as prefix_sum_blocks. */
WP_KERNEL(prefix_sum_add, WP_GLOBAL wp_u32 *out, WP_GLOBAL const wp_u32 *block_sums, int n) {
  int first = (wp_block_x() * wp_block_threads() + wp_thread_rank()) * ITEMS;
  wp_u32 before = block_sums[wp_block_x()];
  for (int k = 0; k < ITEMS; k++) {
    if (first + k < n) out[first + k] += before;
  }
}
