/* column_stats: sum, smallest and largest value of a column, with the same bits on every chip.
 *
 * Adding floats in another order gives another sum. A reduction that goes "lane, then warp, then block" therefore
 * usually gives one answer on 32-lane chips and another on 64-lane chips. Here the order is fixed by the elements'
 * indices alone: neighbours are joined, then neighbouring pairs, then neighbouring fours, ...
 *
 *     x0  x1  x2  x3  x4  x5  x6          (an element that is not there is left out)
 *      \  /    \  /    \  /    |
 *       +       +       +      |
 *        \     /         \    /
 *           +               +       ...
 *
 * wp_reduce_* and WP_DEFINE_REDUCE use just this tree over the lanes, so a warp does the lowest levels of it in
 * one call, be it 5 levels (32 lanes), 6 (64 lanes) or none (1 lane). The levels above go through shared memory,
 * and those above a block's CHUNK through another launch. Nothing here knows the number of lanes, and neither it
 * nor the block size shows in the result.
 *
 * The mean comes from a first pass, the variance from a second one over the squared deviations: more accurate than
 * the one-pass formula with sums of squares, and free of the divisions that a running (Welford) update needs.
 * OpenCL C lets a float division be off by 2.5 ulp, so a kernel that promises equal bits has none.
 */
#include <warpport/warpport.h>

#define CHUNK 256 /* elements that one block joins to one; a power of two */

typedef struct column_part {
  wp_f32 sum, low, high;
} column_part;

WP_DEVICE column_part column_join(column_part a, column_part b) {
  column_part joined;
  joined.sum = a.sum + b.sum;
  joined.low = wp_min_f32(a.low, b.low);
  joined.high = wp_max_f32(a.high, b.high);
  return joined;
}

/* A reduction with our own operator: a and b are the left and the right part. */
WP_DEFINE_REDUCE(column_reduce, column_part, column_join(a, b))

/* Joins each CHUNK of the n parts to one. On the first level sum_in, low_in and high_in are all the column itself.
 * Grid: ceil(n / CHUNK) blocks. */
WP_KERNEL(column_level, WP_GLOBAL const wp_f32 *sum_in, WP_GLOBAL const wp_f32 *low_in, WP_GLOBAL const wp_f32 *high_in,
          WP_GLOBAL wp_f32 *sum_out, WP_GLOBAL wp_f32 *low_out, WP_GLOBAL wp_f32 *high_out, int n) {
  WP_SHARED(wp_f32, s_sum, CHUNK);
  WP_SHARED(wp_f32, s_low, CHUNK);
  WP_SHARED(wp_f32, s_high, CHUNK);

  /* A power of two of threads do the work, so that each warp's elements form an aligned run: a subtree. */
  int threads = CHUNK;
  while (threads > wp_block_threads()) threads >>= 1;
  int width = wp_warp_size(); /* elements in such a run */
  while (width > threads) width >>= 1;

  int rank = wp_thread_rank();
  int chunk = wp_block_x() * CHUNK;
  int count = n - chunk < CHUNK ? n - chunk : CHUNK;

  int works = rank < threads;
  if (works || WP_UNIFORM_FLOW) { /* devices without sub-groups: all threads make the calls, some with an empty mask */
    for (int first = 0; first < CHUNK; first += threads) {
      int e = first + rank;
      int has = works && e < count;
      /* Who has an element? In the last chunk not everybody; the others are left out of the mask, not fed a made-up value. */
      wp_mask mask = wp_ballot(works ? wp_mask_first(width) : 0, has);
      if (has || WP_UNIFORM_FLOW) {
        column_part part;
        part.sum = has ? sum_in[chunk + e] : 0.0f;
        part.low = has ? low_in[chunk + e] : 0.0f;
        part.high = has ? high_in[chunk + e] : 0.0f;
        part = column_reduce(WP_WARP_ARG has ? mask : 0, part);
        if (has && wp_elect(mask)) {
          s_sum[e / width] = part.sum;
          s_low[e / width] = part.low;
          s_high[e / width] = part.high;
        }
      }
    }
  }
  WP_BARRIER();

  /* The upper levels. Every thread goes through the barriers, also those that have nothing to join. */
  int runs = (count + width - 1) / width;
  for (int distance = 1; distance < runs; distance *= 2) {
    for (int left = rank * 2 * distance; left + distance < runs; left += wp_block_threads() * 2 * distance) {
      s_sum[left] = s_sum[left] + s_sum[left + distance];
      s_low[left] = wp_min_f32(s_low[left], s_low[left + distance]);
      s_high[left] = wp_max_f32(s_high[left], s_high[left + distance]);
    }
    WP_BARRIER();
  }
  if (rank == 0) {
    sum_out[wp_block_x()] = s_sum[0];
    low_out[wp_block_x()] = s_low[0];
    high_out[wp_block_x()] = s_high[0];
  }
}

/* squares[i] = (x[i] - mean)^2. Each thread takes elements a whole grid apart. */
WP_KERNEL(column_deviation, WP_GLOBAL const wp_f32 *x, WP_GLOBAL wp_f32 *squares, wp_f32 mean, int n) {
  for (wp_i64 i = wp_global_rank(); i < n; i += wp_global_threads()) {
    wp_f32 deviation = x[i] - mean;
    squares[i] = deviation * deviation;
  }
}
