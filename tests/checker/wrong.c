/* Kernels that are wrong, by rule; test_checker.c runs each with one warp (or as it says) at 32 and at 64 lanes.
 *
 *   WRONG WPnnn [option...]: lanes at 32 | lanes at 64     on the line that the report must name
 *   options: block=+N -N *N (threads: lanes of a warp, plus, minus, times), grid=N (blocks), only=32 or 64, check=... profile=... (environment) */
#include <warpport/warpport.h>

#define ALL wp_mask_all()
#define OUT out[wp_thread_rank()]
#define KERNEL(name) WP_KERNEL(name, WP_GLOBAL wp_u32 *out, int n)

/* ---- WP101: the caller is not in its own mask ---- */

KERNEL(outside_vote) { OUT = (wp_u32)wp_ballot(wp_mask_first(4), n > 0); /* WRONG WP101: lanes 4-31 | lanes 4-63 */ }
KERNEL(outside_pair) {
  if (wp_lane() < 2) wp_sync(wp_mask_lane(1 - wp_lane())); /* WRONG WP101: lanes 0-1 | lanes 0-1 */
  OUT = (wp_u32)n;
}
WP_DEVICE wp_u32 sum_without_seven(wp_u32 v) {
  wp_mask m = ALL ^ wp_mask_lane(7);
  return wp_reduce_add(m, v); /* WRONG WP101: lane 7 | lane 7 */
}
KERNEL(outside_in_helper) { OUT = sum_without_seven((wp_u32)n); }

KERNEL(outside_all_but_me) { OUT = wp_reduce_add((wp_mask)(ALL ^ wp_mask_lane(wp_lane())), (wp_u32)n); /* WRONG WP101: lanes 0-31 | lanes 0-63 */ }
KERNEL(outside_hand_made_lane) { /* 32 lanes taken for granted */
  OUT = (wp_u32)wp_ballot((wp_mask)1 << wp_thread_rank() % 32, n > 0); /* WRONG WP101 only=64: | lanes 32-63 */
}
KERNEL(outside_inverted) {
  wp_mask m = wp_ballot(ALL, wp_lane() < 8);
  if (wp_lane() < 8) OUT = wp_reduce_add((wp_mask)(ALL ^ m), (wp_u32)n); /* WRONG WP101: lanes 0-7 | lanes 0-7 */
}

/* ---- WP102: the mask is empty ---- */

KERNEL(empty_any) { OUT = (wp_u32)wp_any((wp_mask)(n & 0), true); /* WRONG WP102: lanes 0-31 | lanes 0-63 */ }
KERNEL(empty_ballot) {
  wp_mask m = wp_ballot(ALL, n < 0);
  OUT = wp_shfl(m, (wp_u32)n, 0); /* WRONG WP102: lanes 0-31 | lanes 0-63 */
}
KERNEL(empty_first) {
  if (wp_lane() == 5) wp_sync(wp_mask_first(n - n)); /* WRONG WP102: lane 5 | lane 5 */
  OUT = (wp_u32)n;
}

KERNEL(empty_below_me) { OUT = wp_scan_add(wp_mask_lt(), (wp_u32)n); /* WRONG WP102: lane 0 made | lane 0 made */ }
KERNEL(empty_shifted_out) { /* n ones, by hand; a shift by 64 does nothing on many processors */
  wp_mask m = ((wp_mask)1 << (n & 63)) - 1;
  OUT = wp_reduce_add(m, (wp_u32)n); /* WRONG WP102 only=64: | lanes 0-63 */
}

/* ---- WP103: lanes the warp does not have; 64 bits have none to spare at 64 lanes ---- */

KERNEL(beyond_one_bit) { OUT = wp_shfl(ALL | (wp_mask)1 << 40, (wp_u32)n, 0); /* WRONG WP103 only=32: lanes 0-31 | */ }
KERNEL(beyond_all_ones) { wp_sync((wp_mask)~(wp_mask)0); /* WRONG WP103 only=32: lanes 0-31 | */ OUT = (wp_u32)n; }
KERNEL(beyond_shifted) {
  wp_mask m = (wp_mask)(ALL << 1 | 1);
  OUT = (wp_u32)wp_all(m, n > 0); /* WRONG WP103 only=32: lanes 0-31 | */
}

/* ---- WP104: lanes the block does not have ---- */

KERNEL(partial_sync) { wp_sync(ALL); /* WRONG WP104 block=+13: lanes 0-12 | lanes 0-12 */ OUT = (wp_u32)n; }
KERNEL(partial_lonely) { OUT = wp_shfl_down(ALL, (wp_u32)n, 1); /* WRONG WP104 block=+1: lane 0 | lane 0 */ }
KERNEL(partial_first_warp) { OUT = wp_reduce_max(ALL, (wp_u32)n); /* WRONG WP104 block=-2: lanes 0-29 | lanes 0-61 */ }

/* ---- WP105: a lane that has returned ---- */

KERNEL(returned_some) {
  if (wp_lane() == 5 || wp_lane() >= 30) return;
  OUT = (wp_u32)wp_all(ALL, n > 0); /* WRONG WP105: lanes 0-4,6-29 | lanes 0-4,6-29 */
}
KERNEL(returned_half) {
  if (wp_lane() < 16) OUT = wp_shfl(ALL, (wp_u32)n, 3); /* WRONG WP105: lanes 0-15 | lanes 0-15 */
}
KERNEL(returned_from_loop) {
  wp_u32 v = (wp_u32)n;
  int i;
  for (i = 0; i <= (wp_lane() == 3); i++) v += wp_shfl_xor(ALL, v, 1); /* WRONG WP105: lane 3 | lane 3 */
  OUT = v;
}

KERNEL(returned_tail) { /* the rest of the array is not there */
  if (wp_thread_rank() >= n - 3) return;
  OUT = wp_reduce_add(ALL, (wp_u32)n); /* WRONG WP105: lanes 0-28 wait for lanes 29-31 | lanes 0-60 wait for lanes 61-63 */
}
KERNEL(returned_guard) { /* the guard belongs to the addition, not to the shuffle */
  wp_u32 v = (wp_u32)n;
  int d;
  for (d = 1; d < wp_warp_size(); d *= 2)
    if (wp_lane() >= d) v += wp_shfl_up(ALL, v, d); /* WRONG WP105: lanes 1-31 wait for lane 0 | lanes 1-63 wait for lane 0 */
  OUT = v;
}
KERNEL(returned_stride) {
  int i;
  for (i = wp_thread_rank(); i < n + 5; i += wp_block_threads()) OUT += wp_reduce_add(ALL, (wp_u32)i); /* WRONG WP105: lanes 0-4 wait for lanes 5-31 | lanes 0-4 wait for lanes 5-63 */
}
KERNEL(returned_tile) { /* half a tile in a branch */
  if (wp_lane() < 4) OUT = wp_tile_reduce_add(wp_tile_make(8), (wp_u32)n); /* WRONG WP105: lanes 0-3 wait for lanes 4-7 | lanes 0-3 wait for lanes 4-7 */
}

/* ---- WP106: at different operations ---- */

KERNEL(other_short_circuit) { /* the right side of && is a branch */
  bool p = wp_lane() < 6;
  if (p && wp_any(ALL, n > 0)) OUT = 1; /* WRONG WP106: lanes 0-5 wait for lanes 6-31 | lanes 0-5 wait for lanes 6-63 */
  OUT += wp_reduce_add(ALL, 1u);
}
KERNEL(other_choice) { /* so are both sides of ?: */
  OUT = wp_lane() < 6 ? wp_shfl(ALL, (wp_u32)n, 0) : (wp_u32)wp_ballot(ALL, n > 0); /* WRONG WP106: lanes 0-5 wait for lanes 6-31 | lanes 0-5 wait for lanes 6-63 */
}
KERNEL(other_after_break) { /* those that leave the loop go on to what comes after it */
  int work = wp_lane() % 4;
  for (;;) {
    wp_mask m = wp_ballot(ALL, work > 0);
    if (work-- == 0) break;
    OUT += (wp_u32)wp_mask_count(m);
  }
  OUT += wp_reduce_add(ALL, (wp_u32)n); /* WRONG WP106: lanes 0,4,8,12,16,20,24,28 wait | lanes 0,4,8,12,16,20,24,28,32,36 */
}
KERNEL(other_goto) {
  if (wp_lane() == 9) goto end;
  OUT = wp_shfl_down(ALL, (wp_u32)n, 1); /* WRONG WP106: lanes 0-8,10-31 wait for lane 9 | lanes 0-8,10-63 wait for lane 9 */
end:
  wp_sync(ALL);
}

KERNEL(other_before) { /* lane 0 is not in the branch: the note tells who is */
  if (wp_lane() >= 16) OUT = wp_reduce_add(ALL, (wp_u32)n);
  wp_sync(ALL); /* WRONG WP106: lanes 16-31 are at an earlier call, in a branch or a loop that lanes 0-15 did | lanes 16-63 are at an earlier call, in a branch or a loop that lanes 0-15 did */
}
KERNEL(other_after) {
  if (wp_lane() < 16) OUT = wp_reduce_add(ALL, (wp_u32)n); /* WRONG WP106: note: the full mask in a branch that lanes 16-31 did not take | note: the full mask in a branch that lanes 16-63 did not take */
  wp_sync(ALL);
}

KERNEL(other_vote_or_sync) {
  if (wp_lane() == 0)
    OUT = (wp_u32)wp_ballot(ALL, n > 0); /* WRONG WP106: lane 0 | lane 0 */
  else
    wp_sync(ALL);
}
KERNEL(other_shuffles) {
  if (wp_lane() < 16)
    OUT = wp_shfl(ALL, (wp_u32)n, 1); /* WRONG WP106: lanes 0-15 | lanes 0-15 */
  else
    OUT = wp_shfl_xor(ALL, (wp_u32)n, 1);
}
KERNEL(other_match) {
  if (wp_lane() < 8) OUT = (wp_u32)wp_match_any(ALL, (wp_u32)n); /* WRONG WP106: lanes 0-7 | lanes 0-7 */
  wp_sync(ALL);
}

/* ---- WP107: different masks ---- */

KERNEL(masks_by_half) {
  wp_sync(wp_lane() < 8 ? ALL : (wp_mask)(ALL ^ 1)); /* WRONG WP107: lanes 0-7 | lanes 0-7 */
  OUT = (wp_u32)n;
}
KERNEL(masks_of_the_last) {
  wp_mask m = ALL;
  if (wp_lane() == n - 1) m = (wp_mask)(m << 1 & ALL);
  OUT = wp_scan_add(m, (wp_u32)n); /* WRONG WP107: lanes 0-30 | lanes 0-62 */
}
KERNEL(masks_one_lane) {
  wp_mask m = ALL;
  if (wp_lane() == 9) m &= (wp_mask)~wp_mask_lane(20);
  OUT = wp_reduce_min(m, (wp_u32)n); /* WRONG WP107: lanes 0-8,10-31 | lanes 0-8,10-63 */
}

/* ---- WP108: different widths ---- */

KERNEL(widths_one_lane) {
  OUT = wp_shfl(ALL, (wp_u32)n, 0, wp_lane() == 9 ? 4 : 8); /* WRONG WP108: lanes 0-8,10-31 | lanes 0-8,10-63 */
}
KERNEL(widths_by_half) {
  OUT = wp_shfl_xor(ALL, (wp_u32)n, 1, wp_lane() < 16 ? 8 : 16); /* WRONG WP108: lanes 0-15 | lanes 0-15 */
}
WP_DEVICE wp_u32 down(wp_u32 v, int width) {
  return wp_shfl_down(ALL, v, 1, width); /* WRONG WP108: lanes 0-2,4-31 | lanes 0-2,4-63 */
}
KERNEL(widths_in_helper) { OUT = down((wp_u32)n, wp_lane() == 3 ? 2 : 4); }

/* ---- WP109: at the block barrier ---- */

KERNEL(barrier_else) {
  if (wp_lane() < 3)
    wp_sync(ALL); /* WRONG WP109 block=*2: lanes 0-2 | lanes 0-2 */
  else
    WP_BARRIER();
  OUT = (wp_u32)n;
}
KERNEL(barrier_leader) {
  if (wp_lane() == 0) WP_BARRIER();
  OUT = wp_reduce_add(ALL, (wp_u32)n); /* WRONG WP109: lanes 1-31 | lanes 1-63 */
}
KERNEL(barrier_upper) {
  if (wp_lane() >= 16) WP_BARRIER();
  OUT = (wp_u32)wp_any(ALL, n > 0); /* WRONG WP109: lanes 0-15 | lanes 0-15 */
}

/* ---- WP110: different barriers ---- */

KERNEL(barriers_by_half) {
  if (wp_lane() < 16)
    WP_BARRIER(); /* WRONG WP110: lanes 0-15 at WP_BARRIER | lanes 0-15 at WP_BARRIER */
  else
    WP_BARRIER();
  OUT = (wp_u32)n;
}
KERNEL(barriers_by_warp) {
  if (wp_warp_id() == 0)
    WP_BARRIER(); /* WRONG WP110 block=*2: lanes 0-31 at WP_BARRIER | lanes 0-63 at WP_BARRIER */
  else
    WP_BARRIER();
  OUT = (wp_u32)n;
}
KERNEL(barriers_skipped) {
  if (wp_thread_rank() != 0) WP_BARRIER();
  OUT = (wp_u32)n;
  WP_BARRIER(); /* WRONG WP110: lane 0 at WP_BARRIER | lane 0 at WP_BARRIER */
}

/* ---- WP111: a circle ---- */

KERNEL(circle_of_three) {
  if (wp_lane() == 0) wp_sync(3); /* WRONG WP111: lane 0 | lane 0 */
  if (wp_lane() == 1) wp_sync(6);
  if (wp_lane() == 2) wp_sync(5);
  OUT = (wp_u32)n;
}
KERNEL(circle_of_votes) {
  switch (wp_lane()) {
    case 4: OUT = (wp_u32)wp_ballot(0x30, n > 0); break; /* WRONG WP111: lane 4 | lane 4 */
    case 5: OUT = (wp_u32)wp_ballot(0x60, n > 0); break;
    case 6: OUT = (wp_u32)wp_ballot(0xc0, n > 0); break;
    case 7: OUT = (wp_u32)wp_ballot(0x90, n > 0); break;
    default: break;
  }
}
KERNEL(circle_of_pairs) { /* pairs 0,1 and 2,3 make their calls in opposite orders */
  if (wp_lane() < 2) OUT = wp_shfl(wp_lane() == 0 ? 9 : 6, (wp_u32)n, wp_lane()); /* WRONG WP111: lane 0 | lane 0 */
  if (wp_lane() == 2) OUT = wp_shfl(0xc, (wp_u32)n, 2);
  if (wp_lane() == 3) OUT = wp_shfl(0xa, (wp_u32)n, 3);
}

/* ---- WP112: width ---- */

KERNEL(width_twelve) { OUT = wp_shfl_down(ALL, (wp_u32)n, 1, n % 2 + 12); /* WRONG WP112: lanes 0-31 passed width 12 | lanes 0-63 passed width 12 */ }
KERNEL(width_nothing) {
  if (wp_lane() >= 12) OUT = wp_shfl_up(ALL, (wp_u32)n, 1, n % 2); /* WRONG WP112: lanes 12-31 passed width 0 | lanes 12-63 passed width 0 */
}
KERNEL(width_two_warps) { OUT = wp_rotate(ALL, (wp_u32)n, 1, 2 * n); /* WRONG WP112: lanes 0-31 passed width 64 | lanes 0-63 passed width 128 */ }

KERNEL(width_tile) { /* a tile for more lanes than there are */
  wp_tile t = wp_tile_make(2 * n); /* WRONG WP112: wp_tile_make: lanes 0-31 passed width 64 | wp_tile_make: lanes 0-63 passed width 128 */
  OUT = wp_tile_reduce_add(t, 1u);
}
KERNEL(width_tile_full) {
  if (wp_lane() < 9) OUT = (wp_u32)wp_tile_size(wp_tile_full(n - 8)); /* WRONG WP112: wp_tile_full: lanes 0-8 passed width 24 | wp_tile_full: lanes 0-8 passed width 56 */
}
KERNEL(width_segment) { /* nobody shuffles, and the mask is wrong all the same */
  OUT = (wp_u32)wp_ballot(wp_mask_segment(n % 2), n > 0); /* WRONG WP112: wp_mask_segment: lanes 0-31 passed width 0 | wp_mask_segment: lanes 0-63 passed width 0 */
}

/* ---- WP113: xor beyond the width ---- */

KERNEL(xor_width) { OUT = wp_shfl_xor(ALL, (wp_u32)n, 8, 8); /* WRONG WP113: lanes 0-31 passed lane mask 8 | lanes 0-63 passed lane mask 8 */ }
KERNEL(xor_negative) { OUT = wp_shfl_xor(ALL, (wp_u32)n, -1); /* WRONG WP113: lanes 0-31 passed lane mask -1 | lanes 0-63 passed lane mask -1 */ }
KERNEL(xor_loop_too_far) {
  wp_u32 v = (wp_u32)n;
  int m;
  for (m = 1; m <= 16; m *= 2) v += wp_shfl_xor(ALL, v, m, 16); /* WRONG WP113: lanes 0-31 passed lane mask 16 | lanes 0-63 passed lane mask 16 */
  OUT = v;
}

/* ---- WP114: the source is not in the mask ---- */

KERNEL(source_next) {
  if (wp_lane() < 8) OUT = wp_shfl_down(wp_mask_first(8), (wp_u32)n, 1); /* WRONG WP114: lane 7 reads | lane 7 reads */
}
KERNEL(source_outside) {
  if (wp_lane() < 8) OUT = wp_shfl(wp_mask_first(8), (wp_u32)n, 9); /* WRONG WP114: lanes 0-7 read | lanes 0-7 read */
}
KERNEL(source_leader_elsewhere) {
  if (wp_lane() / 4 == 1) OUT = wp_broadcast(wp_mask_segment(4), (wp_u32)n, 0); /* WRONG WP114: lanes 4-7 read | lanes 4-7 read */
}
WP_DEVICE wp_u32 partner(wp_mask m, wp_u32 v) { return wp_shfl_xor(m, v, 1); /* WRONG WP114: lane 2 reads | lane 2 reads */ }
KERNEL(source_odd_group) {
  if (wp_lane() < 3) OUT = partner(wp_mask_first(3), (wp_u32)n);
}

KERNEL(source_tail) { /* a mask that ends before the segment does */
  wp_mask m = wp_ballot(ALL, wp_lane() < n - 5);
  if (wp_lane() < n - 5) OUT = wp_shfl_down(m, (wp_u32)n, 16); /* WRONG WP114: lanes 11-15 read | lanes 43-47 read */
}
KERNEL(source_beside_the_leader) { /* ffs() counts from 1 */
  wp_mask m = wp_ballot(ALL, wp_lane() % 2 == 0);
  if (wp_lane() % 2 == 0) OUT = wp_shfl(m, (wp_u32)n, wp_mask_lowest(m) + 1); /* WRONG WP114: lanes 0,2,4,6,8,10,12, | lanes 0,2,4,6,8,10,12, */
}

/* ---- WP115: the same operation at different calls ---- */

KERNEL(sites_by_half) {
  if (wp_lane() < 16)
    OUT = wp_shfl(ALL, (wp_u32)n, 0); /* WRONG WP115: lanes 0-15 | lanes 0-15 */
  else
    OUT = wp_shfl(ALL, (wp_u32)n + 1, 1);
}
static inline __attribute__((always_inline)) wp_u32 neighbour(wp_u32 v) {
  return wp_shfl_xor(ALL, v, 1); /* WRONG WP115: lane 0 waits | lane 0 waits */
}
KERNEL(sites_of_a_helper) {
  if (wp_lane() == 0)
    OUT = neighbour((wp_u32)n);
  else
    OUT = neighbour((wp_u32)n + 1);
}
KERNEL(sites_of_reductions) {
  wp_u32 v = (wp_u32)n;
  if (wp_lane() >= 4)
    v = wp_reduce_add(ALL, v + 1);
  else
    v = wp_reduce_add(ALL, v); /* WRONG WP115: lanes 0-3 | lanes 0-3 */
  OUT = v;
}
/* A function that is called, not inlined: one instruction, two ways to it. Only chips where lanes must be together tell them apart. */
static __attribute__((noinline)) wp_u32 called(wp_u32 v) {
  return wp_shfl_xor(ALL, v, 1); /* WRONG WP115 profile=cuda60: lanes 0-7 | lanes 0-7 */
}
KERNEL(sites_of_a_call) {
  if (wp_lane() < 8)
    OUT = called((wp_u32)n);
  else
    OUT = called((wp_u32)n + 1) + 2;
}

/* ---- WP116: a broadcast from different lanes ---- */

KERNEL(broadcast_own) { OUT = wp_broadcast(ALL, (wp_u32)n, wp_lane()); /* WRONG WP116: lanes 1-31 read | lanes 1-63 read */ }
KERNEL(broadcast_in_segment) { OUT = wp_broadcast(ALL, (wp_u32)n, wp_lane() == 3, 8); /* WRONG WP116: lane 3 reads | lane 3 reads */ }
KERNEL(broadcast_wide) {
  OUT = (wp_u32)wp_broadcast(ALL, (wp_u64)n, wp_lane() < 16 ? 0 : 1); /* WRONG WP116: lanes 16-31 read | lanes 16-63 read */
}

/* ---- WP117: half a mask ---- */

KERNEL(half_of_all) {
  wp_u32 m = (wp_u32)ALL;
  wp_sync(m); /* WRONG WP117 only=64: | lanes 32-63 */
  OUT = (wp_u32)n;
}
KERNEL(half_of_a_ballot) {
  wp_u32 m = (wp_u32)wp_ballot(ALL, wp_lane() >= 30);
  if (wp_lane() >= 30) OUT = wp_shfl(m, (wp_u32)n, 30); /* WRONG WP117 only=64: | lanes 32-63 */
}
KERNEL(half_is_nothing) {
  unsigned m = (unsigned)wp_ballot(ALL, wp_lane() >= 40);
  if (wp_lane() >= 40) OUT = (wp_u32)wp_any(m, n > 0); /* WRONG WP117 only=64: | lanes 40-63 */
}

/* ---- WP118: wp_active_mask() as membership ---- */

KERNEL(active_then_return) {
  wp_mask m = wp_active_mask();
  if (wp_lane() == 3) return;
  OUT = wp_shfl(m, (wp_u32)n, 0); /* WRONG WP118: lanes 0-2,4-31 | lanes 0-2,4-63 */
}
KERNEL(active_then_branch) {
  wp_mask m = wp_active_mask();
  if (wp_lane() < 8) OUT = (wp_u32)wp_ballot(m, n > 0); /* WRONG WP118: lanes 0-7 | lanes 0-7 */
}
KERNEL(active_tile) {
  if (wp_lane() < 16) {
    wp_tile t = wp_tile_coalesced();
    if (wp_lane() < 4) OUT = wp_tile_reduce_add(t, (wp_u32)n); /* WRONG WP118: lanes 0-3 | lanes 0-3 */
  }
}

/* ---- WP119: a ballot's result, and not all of its lanes come ---- */

KERNEL(ballot_then_narrower) {
  wp_mask m = wp_ballot(ALL, wp_lane() < 16);
  if (wp_lane() < 8) OUT = wp_shfl(m, (wp_u32)n, 0); /* WRONG WP119: lanes 0-7 | lanes 0-7 */
}
KERNEL(ballot_gone_stale) {
  wp_mask m = wp_ballot(ALL, wp_lane() < 16);
  if (wp_lane() >= 16) return;
  if (wp_lane() == 2) return;
  OUT = wp_reduce_add(m, (wp_u32)n); /* WRONG WP119: lanes 0-1,3-15 | lanes 0-1,3-15 */
}
KERNEL(ballot_of_another_condition) {
  wp_mask m = wp_ballot(ALL, wp_lane() < 10);
  if (wp_lane() >= 4 && wp_lane() < 10) OUT = (wp_u32)wp_any(m, n > 0); /* WRONG WP119: lanes 4-9 | lanes 4-9 */
  wp_sync(ALL);
}

KERNEL(ballot_match) {
  wp_mask peers = wp_match_any(ALL, (wp_u32)(wp_lane() / 4));
  if (wp_lane() % 4 != 3) OUT = wp_reduce_add(peers, (wp_u32)n); /* WRONG WP119: lanes 0-2 wait for lane 3 | lanes 0-2 wait for lane 3 */
}

/* ---- WP120: arguments that must be equal ---- */

KERNEL(same_address) { /* a histogram by whoever is there: the bins differ */
  wp_atomic_add_aggregated(ALL, &out[n + wp_lane() % 3], 1u); /* WRONG WP120: lanes 1-2,4-5,7-8,10-11,13-14,16-17,19-20,22-23,25-26,28-29,31 passed another address | lanes 1-2,4-5,7-8, */
}
KERNEL(same_bins) { OUT = (wp_u32)wp_histogram(ALL, n % 4, wp_lane() == 2 ? 3 : 4); /* WRONG WP120: lane 2 passed another number of bins | lane 2 passed another number of bins */ }
KERNEL(same_bits) {
  if (wp_lane() < 8) OUT = (wp_u32)wp_match_any_bits(wp_mask_first(8), (wp_u32)n, wp_lane() < 4 ? 3 : 5); /* WRONG WP120: lanes 4-7 passed another number of bits | lanes 4-7 passed another number of bits */
}
KERNEL(same_bytes) {
  wp_u32 v[2] = {(wp_u32)n, 1};
  wp_shfl_bytes(ALL, v, v, wp_lane() >= 16 ? 8 : 4, 0, wp_warp_size()); /* WRONG WP120: lanes 16-31 passed another number of bytes | lanes 16-63 passed another number of bytes */
  OUT = v[0] + v[1];
}

/* ---- WP121: delta beyond the width; only if asked for ---- */

KERNEL(delta_width) { OUT = wp_shfl_down(ALL, (wp_u32)n, 8, 8); /* WRONG WP121 check=+WP121: lanes 0-31 passed delta 8 | lanes 0-63 passed delta 8 */ }
KERNEL(delta_warp) { OUT = wp_shfl_up(ALL, (wp_u32)n, n); /* WRONG WP121 check=+WP121: lanes 0-31 passed delta 32 | lanes 0-63 passed delta 64 */ }
KERNEL(delta_negative) {
  OUT = wp_shfl_up(ALL, (wp_u32)n, wp_lane() == 6 ? -1 : 1); /* WRONG WP121 check=+WP121: lane 6 passed delta -1 | lane 6 passed delta -1 */
}

/* ---- WP190: a stack overflow. In one line each, since it depends on the compiler which part of a function needs the stack ---- */

static __attribute__((noinline)) wp_u32 deep(wp_u32 v, int depth) { volatile wp_u32 local[64]; local[v % 64] = v; return depth == 0 ? v : deep(v + 1, depth - 1) + local[v % 64]; } /* WRONG WP190: lane 0: stack overflow | lane 0: stack overflow */
KERNEL(stack_recursion) { OUT = deep((wp_u32)n, 100000 * n); }
KERNEL(stack_array) { volatile wp_u32 local[2 << 20]; local[wp_lane()] = (wp_u32)n; OUT = local[n]; } /* WRONG WP190: lane 0: stack overflow | lane 0: stack overflow */
static __attribute__((noinline)) wp_u32 large(wp_u32 v) { volatile wp_u32 local[1 << 16]; local[v] = v; return local[v / 2] + local[v]; } /* WRONG WP190: lane 3: stack overflow | lane 3: stack overflow */
KERNEL(stack_helper) {
  if (wp_lane() == 3) OUT = large((wp_u32)n);
}

/* ---- WP191: an invalid access ---- */

KERNEL(fault_no_address) { /* a pointer that was never set */
  union { wp_u64 bits; wp_u32 *p; } u = {0xa5a5a5a5a5a5a5a5u + (wp_u64)n};
  if (wp_lane() == 1) OUT = *u.p; /* WRONG WP191: lane 1: invalid access to an address that no memory can have | lane 1: invalid access to an address that no memory can have */
}
KERNEL(fault_null) {
  volatile wp_u32 *p = n > 0 ? (volatile wp_u32 *)0 : out + n;
  if (wp_lane() == 3) *p = 1; /* WRONG WP191: lane 3: invalid access to address (nil) | lane 3: invalid access to address (nil) */
}
static __attribute__((noinline)) wp_u32 follow(const volatile wp_u32 *p) {
  return *p; /* WRONG WP191: lane 20: invalid access to address 0x | lane 20: invalid access to address 0x */
}
KERNEL(fault_in_helper) { /* an index in bytes taken for one in words, far beyond the buffer */
  OUT = follow(wp_lane() == 20 ? out + ((wp_u64)n << 30) : out);
}
static const wp_u32 constants[4] = {1, 2, 3, 4};
KERNEL(fault_read_only) {
  volatile wp_u32 *p = (volatile wp_u32 *)(__UINTPTR_TYPE__)&constants[n % 4];
  if (wp_lane() == 9) *p = out[n]; /* WRONG WP191: lane 9: invalid access | lane 9: invalid access */
}

/* ---- WP192: no progress ---- */

KERNEL(endless_loop) {
  volatile wp_u32 *p = &OUT;
  *p = 0;
  if (wp_lane() == 4)
    while (*p == 0) continue; /* WRONG WP192: lane 4 | lane 4 */
  OUT = (wp_u32)n;
}
KERNEL(endless_wait) {
  if (wp_lane() == 2)
    while (wp_atomic_add(&out[n], 0u) == 0) continue; /* WRONG WP192: no progress | no progress */
  wp_sync(ALL);
}
KERNEL(endless_lock) { /* taken, and never given back: the lanes after the first wait for ever */
  while (wp_atomic_cas(&out[n], 0u, 1u) != 0) continue; /* WRONG WP192: no progress | no progress */
}
