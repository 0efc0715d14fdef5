/* Kernels that look like those of wrong.c and are right: silence at 32 and 64 lanes, in every order and on every chip.
 * RIGHT WPnnn [block=...] [check=...] before a kernel names the rule that must not speak. */
#include <warpport/warpport.h>

#define ALL wp_mask_all()
#define OUT out[wp_thread_rank()]
#define KERNEL(name) WP_KERNEL(name, WP_GLOBAL wp_u32 *out, int n)

/* RIGHT WP101 */
KERNEL(r101_branch) {
  if (wp_lane() < 4) OUT = (wp_u32)wp_ballot(wp_mask_first(4), n > 0);
}
/* RIGHT WP101 */
KERNEL(r101_pairs) { wp_sync((wp_mask)(wp_mask_lane(wp_lane()) | wp_mask_lane(wp_lane() ^ 1))); OUT = (wp_u32)n; }
/* RIGHT WP102 */
KERNEL(r102_somebody) {
  wp_mask m = wp_ballot(ALL, wp_lane() == 5);
  if (m != 0 && wp_lane() == 5) OUT = wp_shfl(m, (wp_u32)n, 5);
}
/* RIGHT WP102: an empty mask that nobody uses */
KERNEL(r102_nobody) {
  wp_mask m = wp_ballot(ALL, n < 0);
  if (wp_mask_has(m, wp_lane())) OUT = (wp_u32)wp_any(m, true);
}
/* RIGHT WP103 */
KERNEL(r103_all) { OUT = (wp_u32)wp_mask_count(wp_ballot(wp_mask_first(100), n > 0)); }
/* RIGHT WP103: a lane mask without the bits that do not exist */
KERNEL(r103_shifted) {
  wp_mask m = (wp_mask)((ALL << 1 | 1) & ALL);
  OUT = (wp_u32)wp_all(m, n > 0);
}
/* RIGHT WP104 block=+13 */
KERNEL(r104_present) { OUT = wp_reduce_add(wp_mask_present(), (wp_u32)n); }
/* RIGHT WP104 block=+1 */
KERNEL(r104_safe) { OUT = SAFE_SHUFFLE_DOWN((wp_u32)n, 1); }
/* RIGHT WP104 block=-2 */
KERNEL(r104_tile) {
  wp_tile t = wp_tile_make(8);
  OUT = wp_tile_reduce_max(t, (wp_u32)wp_lane()) + (wp_u32)n;
}
/* RIGHT WP105: who stays is known before the others go */
KERNEL(r105_ballot_first) {
  wp_mask stay = wp_ballot(ALL, wp_lane() != 5);
  if (wp_lane() == 5) return;
  OUT = wp_reduce_add(stay, (wp_u32)n);
}
/* RIGHT WP105: all make all rounds; who is done adds nothing */
KERNEL(r105_loop) {
  wp_u32 v = (wp_u32)wp_lane();
  int i;
  for (i = 0; wp_any(ALL, i <= wp_lane() % 3); i++) v += wp_shfl_xor(ALL, i <= wp_lane() % 3 ? v : 0u, 1);
  OUT = v + (wp_u32)n;
}
/* RIGHT WP105: who is done leaves, and the mask follows */
KERNEL(r105_leaving) {
  int work = wp_lane() % 5;
  wp_mask m = ALL;
  for (;;) {
    m = wp_ballot(m, work > 0);
    if (work-- == 0) break;
    OUT += wp_reduce_add(m, (wp_u32)n);
  }
}
/* RIGHT WP105: each return is announced */
KERNEL(r105_returns) {
  wp_mask m = ALL;
  int i;
  for (i = 0; i < 6; i++) {
    bool stay = wp_lane() % 6 > i;
    m = wp_ballot(m, stay);
    if (!stay) return;
    OUT += wp_reduce_add(m, (wp_u32)n);
  }
}
/* RIGHT WP105: loops of different length, between collectives of all */
KERNEL(r105_uneven) {
  wp_u32 v = 0;
  int i;
  for (i = 0; i < wp_lane() % 7; i++) v += (wp_u32)i;
  v = wp_scan_add(ALL, v);
  for (i = 0; i < wp_lane() % 5; i++) v ^= (wp_u32)n;
  OUT = wp_sort(ALL, v);
}
/* RIGHT WP106: masks within masks, and both sides of a branch */
KERNEL(r106_nested) {
  wp_mask a = wp_ballot(ALL, wp_lane() % 2 == 0);
  if (wp_lane() % 2 == 0) {
    wp_mask b = wp_ballot(a, wp_lane() % 3 == 0);
    if (wp_lane() % 3 == 0)
      OUT = wp_reduce_add(b, 1u);
    else
      OUT = wp_reduce_max((wp_mask)(a & ~b), (wp_u32)n);
    OUT += wp_reduce_add(a, 1u);
  } else {
    OUT = (wp_u32)wp_ballot((wp_mask)(ALL & ~a), n > 0);
  }
  OUT += wp_reduce_add(ALL, 1u);
}
/* RIGHT WP106: a condition that is the same in all lanes */
KERNEL(r106_uniform) {
  if (wp_any(ALL, wp_lane() == 3 && n > 0))
    OUT = wp_shfl(ALL, (wp_u32)n, 1);
  else
    OUT = (wp_u32)wp_ballot(ALL, true);
}
/* RIGHT WP106: each element of a set in turn, by everybody */
KERNEL(r106_set) {
  wp_mask left = wp_ballot(ALL, wp_lane() % 4 == 1);
  for (; left != 0; left &= (wp_mask)(left - 1)) OUT += wp_shfl(ALL, (wp_u32)(wp_lane() + n), wp_mask_lowest(left));
}
/* RIGHT WP106: by pointers to functions, the same one in all lanes */
WP_DEVICE wp_u32 once(wp_u32 v) { return wp_shfl_xor(ALL, v, 1) + 1; }
WP_DEVICE wp_u32 twice(wp_u32 v) { return wp_shfl_xor(ALL, v, 2) + 2; }
KERNEL(r106_pointers) {
  wp_u32 (*volatile steps[2])(wp_u32) = {once, twice};
  wp_u32 v = (wp_u32)n;
  int i;
  for (i = 0; i < 4; i++) v = steps[i % 2](v);
  OUT = v;
}
/* RIGHT WP106: the operations by turns, for everybody */
KERNEL(r106_in_turn) {
  wp_u32 a = wp_shfl(ALL, (wp_u32)n, 1), b = wp_shfl_xor(ALL, (wp_u32)n, 1);
  OUT = wp_lane() < 16 ? a : b;
}
/* RIGHT WP106: two halves, each with its own mask */
KERNEL(r106_halves) {
  if (wp_lane() < 16)
    OUT = (wp_u32)wp_ballot(wp_mask_first(16), n > 0);
  else
    wp_sync((wp_mask)(ALL ^ wp_mask_first(16)));
}
/* RIGHT WP107: different masks that do not meet */
KERNEL(r107_segments) { OUT = wp_reduce_add(wp_mask_segment(wp_lane() < 16 ? 16 : 4), (wp_u32)n); }
/* RIGHT WP107: labelled groups */
KERNEL(r107_labels) {
  wp_mask m = wp_match_any(ALL, (wp_u32)(wp_lane() % 5));
  OUT = wp_reduce_min(m, (wp_u32)n + (wp_u32)wp_lane());
}
/* RIGHT WP108: different widths, one for each tile */
KERNEL(r108_per_tile) {
  int width = wp_lane() < 16 ? 8 : 4;
  OUT = wp_shfl_xor(wp_mask_segment(width), (wp_u32)n, 1, width);
}
/* RIGHT WP108: a run-time width that is the same everywhere */
KERNEL(r108_uniform) { OUT = wp_shfl_down(ALL, (wp_u32)wp_lane(), 1, n / 4); }
/* RIGHT WP109 block=*2: some lanes work between two barriers, with their mask */
KERNEL(r109_between) {
  wp_u32 v = (wp_u32)n;
  WP_BARRIER();
  if (wp_lane() < 3) v = wp_reduce_add(wp_mask_first(3), v);
  WP_BARRIER();
  OUT = v;
}
/* RIGHT WP109 block=*3: one warp alone exchanges */
KERNEL(r109_one_warp) {
  if (wp_warp_id() == 1) OUT = wp_reduce_add(ALL, (wp_u32)n);
  WP_BARRIER();
}
/* RIGHT WP110 block=*2: returned lanes are not waited for */
KERNEL(r110_early_return) {
  if (wp_thread_rank() % 3 == 1) return;
  WP_BARRIER();
  OUT = (wp_u32)n;
  WP_BARRIER();
}
/* RIGHT WP110 block=*2: one barrier, many times */
KERNEL(r110_loop) {
  WP_SHARED(wp_u32, cell, 128);
  int i;
  for (i = 0; i < 5; i++) {
    cell[wp_thread_rank()] = (wp_u32)i;
    WP_BARRIER();
    OUT = cell[wp_thread_rank() ^ 1] + (wp_u32)n;
    WP_BARRIER();
  }
}
/* RIGHT WP111: overlapping groups, met in one order */
KERNEL(r111_chain) {
  wp_u32 v = (wp_u32)n;
  if (wp_lane() == 0 || wp_lane() == 1) v += wp_shfl(3, v, 0);
  if (wp_lane() == 1 || wp_lane() == 2) v += wp_shfl(6, v, 1);
  if (wp_lane() == 2 || wp_lane() == 0) v += wp_shfl(5, v, 2);
  OUT = v;
}
/* RIGHT WP111: pairs 0-1, 2-3, then 1-2 */
KERNEL(r111_pairs) {
  int i;
  for (i = 0; i < 2; i++) {
    int other = i == 0 ? wp_lane() ^ 1 : ((wp_lane() + 1) ^ 1) - 1;
    if (other >= 0 && other < n) wp_sync((wp_mask)(wp_mask_lane(wp_lane()) | wp_mask_lane(other)));
  }
  OUT = (wp_u32)n;
}
/* RIGHT WP112 */
KERNEL(r112_powers) {
  wp_u32 v = (wp_u32)wp_lane();
  int width;
  for (width = 1; width <= n; width *= 2) v += wp_shfl(ALL, v, 0, width);
  OUT = v;
}
/* RIGHT WP112: width 1 */
KERNEL(r112_one) { OUT = wp_rotate(ALL, (wp_u32)wp_lane(), 5, n / n); }
/* RIGHT WP112: tiles and masks of each width */
KERNEL(r112_tiles) {
  wp_u32 v = (wp_u32)wp_lane();
  int width;
  for (width = 1; width <= wp_warp_size(); width *= 2)
    v += wp_tile_reduce_add(wp_tile_make(width), v) + wp_tile_shfl(wp_tile_full(width), v, 0) + (wp_u32)wp_ballot(wp_mask_segment(width), n > 0);
  OUT = v;
}
/* RIGHT WP113 */
KERNEL(r113_butterfly) {
  wp_u32 v = (wp_u32)n;
  int m;
  for (m = wp_warp_size() / 2; m > 0; m /= 2) v += wp_shfl_xor(ALL, v, m);
  OUT = v;
}
/* RIGHT WP113: the safe form takes any */
KERNEL(r113_safe) { OUT = wp_shfl_xor_or(ALL, (wp_u32)n, 8, 7u, 8) + wp_shfl_xor_or(ALL, (wp_u32)n, -1, 7u); }
/* RIGHT WP114: the last lane has no neighbour, and says so */
KERNEL(r114_safe) {
  if (wp_lane() < 8) OUT = wp_shfl_down_or(wp_mask_first(8), (wp_u32)wp_lane(), 1, 0u) + (wp_u32)n;
}
/* RIGHT WP114: own value beyond the segment */
KERNEL(r114_segment) {
  if (wp_lane() < 8) OUT = wp_shfl_down(wp_mask_first(8), (wp_u32)wp_lane(), 1, 8) + (wp_u32)n;
}
/* RIGHT WP115: the values branch, the call does not */
KERNEL(r115_one_call) {
  wp_u32 v = wp_lane() < 16 ? (wp_u32)n : (wp_u32)n + 1;
  OUT = wp_shfl(ALL, v, wp_lane() < 16 ? 0 : 1);
}
static inline __attribute__((always_inline)) wp_u32 neighbour(wp_u32 v) { return wp_shfl_xor(ALL, v, 1); }
/* RIGHT WP115: a helper called twice, one after the other */
KERNEL(r115_helper) { OUT = neighbour(neighbour((wp_u32)n) + 1); }
/* RIGHT WP115: calls that a compiler unrolls and duplicates */
KERNEL(r115_unrolled) {
  wp_u32 v = (wp_u32)wp_lane();
  int i;
  for (i = 0; i < 4; i++) {
    if (wp_lane() % 2 == 0) v *= 3;
    v += wp_shfl_down(ALL, v, 1);
    if (wp_lane() % 3 == 0) v ^= (wp_u32)n;
  }
  OUT = v;
}
/* RIGHT WP116: one lane for each segment, another in the next */
KERNEL(r116_segments) { OUT = wp_broadcast(ALL, (wp_u32)n, wp_lane() / 8 % 4, 8); }
/* RIGHT WP116: a lane of one's own is what wp_shfl is for */
KERNEL(r116_shfl) { OUT = wp_shfl(ALL, (wp_u32)n, wp_lane() ^ 3); }
/* RIGHT WP117: a mask that has no upper half */
KERNEL(r117_low) {
  wp_u32 m = (wp_u32)wp_ballot(ALL, wp_lane() < 20);
  if (wp_lane() < 20) OUT = wp_reduce_add(m, (wp_u32)n);
}
/* RIGHT WP117: 32 lanes on purpose */
KERNEL(r117_first) {
  if (wp_lane() < 32) wp_sync(wp_mask_first(32));
  OUT = (wp_u32)n;
}
/* RIGHT WP118: aggregated by whoever is there */
KERNEL(r118_aggregate) {
  if (wp_lane() % 3 != 0) wp_atomic_add_aggregated(wp_active_mask(), out + n, 1u);
}
/* RIGHT WP118: a tile that stays together, and a full mask afterwards */
KERNEL(r118_tile) {
  wp_u32 v = 0;
  if (wp_lane() < 16) {
    wp_tile t = wp_tile_coalesced();
    v = wp_tile_reduce_add(t, 1u);
    v = wp_tile_size(t) == (int)v ? 1u : 0u;
  }
  OUT = wp_reduce_add(ALL, v) + (wp_u32)n;
}
/* RIGHT WP119: the ballot's condition is the branch's */
KERNEL(r119_same_condition) {
  bool p = wp_lane() % 5 < 2;
  wp_mask m = wp_ballot(ALL, p);
  if (p) OUT = wp_reduce_add(m, (wp_u32)n);
}
/* RIGHT WP119: narrowed with each branch */
KERNEL(r119_narrowed) {
  wp_mask m = wp_ballot(ALL, wp_lane() < 16);
  if (wp_lane() < 16) {
    wp_mask inner = wp_ballot(m, wp_lane() < 8);
    if (wp_lane() < 8) OUT = wp_shfl(inner, (wp_u32)n, 0);
  }
}
/* RIGHT WP120: one bin at a time, by the lanes that have it */
KERNEL(r120_bins) {
  wp_u32 bin = (wp_u32)(wp_lane() % 3);
  wp_mask m = wp_match_any(ALL, bin);
  wp_atomic_add_aggregated(m, &out[n + (int)bin], 1u);
}
/* RIGHT WP120: different numbers in different groups */
KERNEL(r120_groups) {
  wp_mask m = wp_mask_segment(4);
  OUT = (wp_u32)wp_match_any_bits(m, (wp_u32)n, wp_lane() / 4) + (wp_u32)wp_histogram(m, wp_lane() % 4, 1 + wp_lane() / 4);
}
/* RIGHT WP120: one call after the other */
KERNEL(r120_in_turn) {
  int bits;
  for (bits = 0; bits < 5; bits++) OUT += (wp_u32)wp_match_any_bits(ALL, (wp_u32)(wp_lane() + n), bits);
  for (bits = 1; bits <= 4; bits++) OUT += (wp_u32)wp_histogram(ALL, wp_lane(), bits);
}
/* RIGHT WP121: the lane keeps its own value, by the specification */
KERNEL(r121_own) { OUT = wp_shfl_down(ALL, (wp_u32)wp_lane(), n) + wp_shfl_up(ALL, (wp_u32)wp_lane(), -1); }
/* RIGHT WP121 check=+WP121 */
KERNEL(r121_below) {
  wp_u32 v = (wp_u32)n;
  int d;
  for (d = 1; d < wp_warp_size(); d *= 2) v += wp_shfl_up(ALL, v, d);
  OUT = v + wp_scan_add(ALL, v) + wp_reduce_add(ALL, v);
}
/* RIGHT WP130: the warp orders itself */
KERNEL(r130_sync) {
  WP_SHARED(wp_u32, cell, 64);
  cell[wp_lane()] = (wp_u32)wp_lane();
  wp_sync(ALL);
  OUT = cell[wp_lane() ^ 1] + (wp_u32)n;
}
/* RIGHT WP130 block=*2: and the block by its barrier */
KERNEL(r130_barrier) {
  WP_SHARED(wp_u32, cell, 128);
  cell[wp_thread_rank()] = (wp_u32)wp_lane();
  WP_BARRIER();
  OUT = cell[wp_block_threads() - 1 - wp_thread_rank()] + (wp_u32)n;
}
static __attribute__((noinline)) wp_u32 shallow(wp_u32 v, int depth) {
  volatile wp_u32 local[64];
  local[v % 64] = v;
  return depth == 0 ? v : shallow(v + 1, depth - 1) + local[v % 64];
}
/* RIGHT WP190: deep, but there is room */
KERNEL(r190_recursion) { OUT = wp_reduce_add(ALL, shallow((wp_u32)n, 50)); }
/* RIGHT WP190: a large array, but not too large */
KERNEL(r190_array) {
  volatile wp_u32 local[8 << 10];
  local[wp_lane()] = (wp_u32)n;
  local[(8 << 10) - 1 - wp_lane()] = 1;
  OUT = wp_reduce_add(ALL, local[wp_lane()]);
}
/* RIGHT WP191: a pointer that is no use, and is not used */
KERNEL(r191_not_followed) {
  volatile wp_u32 *p = wp_lane() == 3 ? (volatile wp_u32 *)0 : out + wp_thread_rank();
  if (p != (volatile wp_u32 *)0) *p = (wp_u32)n;
}
/* RIGHT WP191: the last word of the buffer; lanes without work divide by one */
KERNEL(r191_last) {
  int d = wp_lane() == 5 ? 0 : wp_lane() + 1;
  if (wp_lane() == 0) out[1023] = (wp_u32)n;
  OUT = (wp_u32)(n / (d != 0 ? d : 1));
}
/* RIGHT WP192 block=*2: waiting for a lane that comes */
KERNEL(r192_flag) {
  if (wp_thread_rank() == 1) wp_atomic_exch(&out[2 * n], 1u);
  if (wp_thread_rank() == 0)
    while (wp_atomic_add(&out[2 * n], 0u) == 0) continue;
  OUT = (wp_u32)n;
}
/* RIGHT WP192: a lock that is given back */
KERNEL(r192_lock) {
  bool done = false;
  while (!done) {
    if (wp_atomic_cas(&out[n], 0u, 1u) == 0) {
      wp_atomic_add(&out[n + 1], 1u);
      wp_atomic_exch(&out[n], 0u);
      done = true;
    }
  }
}
