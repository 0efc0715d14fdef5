/* stream_compaction: keep the bytes that are ASCII letters, in order.
 *
 * Each kept byte must know how many kept bytes come before it. Within a warp that is one ballot: wp_compact()
 * gives every lane the number of keeping lanes below it (.index) and of keeping lanes in all (.count). The counts
 * of the warps before it in the block come from shared memory, those of the blocks before it from a first launch
 * that only counts.
 *
 * The last warp of a block may be partial and the last block may run past the end of the input. Both are handled
 * the same way everywhere: collectives name the lanes that exist (wp_mask_present()), and a lane without a byte
 * takes part and keeps nothing.
 */
#include <warpport/warpport.h>

#define MAX_WARPS 1024

WP_DEVICE int compact_keeps(wp_u8 c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/* counts[block]: kept bytes of the block's part. Grid: ceil(n / threads) blocks. */
WP_KERNEL(compact_count, WP_GLOBAL const wp_u8 *in, WP_GLOBAL wp_u32 *counts, int n) {
  WP_SHARED(wp_u32, count, 1);
  if (wp_thread_rank() == 0) count[0] = 0;
  WP_BARRIER();

  int i = wp_block_x() * wp_block_threads() + wp_thread_rank();
  wp_mask keeping = wp_ballot(wp_mask_present(), i < n && compact_keeps(in[i]));
  /* One atomic a warp instead of one a byte. */
  if (wp_elect(wp_mask_present())) wp_atomic_add_local(&count[0], (wp_u32)wp_mask_count(keeping));
  WP_BARRIER();

  if (wp_thread_rank() == 0) counts[wp_block_x()] = count[0];
}

/* Turns counts into offsets, in place; total: the number of bytes kept. One block, of which one warp works. */
WP_KERNEL(compact_offsets, WP_GLOBAL wp_u32 *counts, WP_GLOBAL wp_u32 *total, int blocks) {
  int works = wp_warp_id() == 0;
  if (!(works || WP_UNIFORM_FLOW)) return; /* devices without sub-groups: all warps make the calls, warp 0 uses the results */
  wp_mask present = wp_mask_present();
  int lanes = wp_block_threads() < wp_warp_size() ? wp_block_threads() : wp_warp_size(); /* of warp 0 */
  wp_u32 carry = 0;
  for (int first = 0; first < blocks; first += lanes) {
    int b = first + wp_lane();
    wp_u32 count = b < blocks ? counts[b] : 0;
    wp_u32 before = wp_scan_add_excl(present, count);
    if (works && b < blocks) counts[b] = carry + before;
    carry += wp_reduce_add(present, count);
  }
  if (works && wp_elect(present)) total[0] = carry;
}

/* Writes the kept bytes. Same grid as compact_count. */
WP_KERNEL(compact_write, WP_GLOBAL const wp_u8 *in, WP_GLOBAL wp_u8 *out, WP_GLOBAL const wp_u32 *offsets, int n) {
  WP_SHARED(wp_u32, warp_counts, MAX_WARPS);
  wp_mask present = wp_mask_present();
  int i = wp_block_x() * wp_block_threads() + wp_thread_rank();
  wp_u8 c = 0;
  if (i < n) c = in[i];
  int keep = compact_keeps(c);
  wp_compacted place = wp_compact(present, keep);
  if (wp_elect(present)) warp_counts[wp_warp_id()] = (wp_u32)place.count;
  WP_BARRIER();

  /* Each warp adds up the counts of the warps before it, its lanes sharing the work. */
  wp_u32 sum = 0;
  for (int w = wp_lane(); w < wp_warp_id(); w += wp_mask_count(present)) sum += warp_counts[w];
  wp_u32 before = wp_reduce_add(present, sum);
  if (keep) out[offsets[wp_block_x()] + before + (wp_u32)place.index] = c;
}
