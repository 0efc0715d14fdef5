/* bitonic_sort: sort keys and carry a value with each, any number of them.
 *
 * A bitonic sorting network compares elements at fixed distances, so it needs no data-dependent branch. Sorted
 * runs of s/2 elements become sorted runs of s in log2(s) steps: first element e meets its mirror image in the run
 * (e ^ (s - 1)), then e ^ (s/4), e ^ (s/8), ... e ^ 1. In each meeting the lower place keeps the smaller element.
 *
 *   - places less than a warp apart: the partner is another lane, two shuffles (key, value) and no memory
 *   - less than CHUNK apart: shared memory
 *   - farther: global memory, one launch a step
 *
 * Because the first step mirrors instead of alternating directions, every run ascends and a place past the end
 * behaves as if it held an infinitely large element: it never moves. So n need not be a power of two and nothing
 * is padded in memory.
 *
 * Elements are ordered by key, equal keys by value. With distinct values (line numbers, say) the result is the
 * stable sort's.
 */
#include <warpport/warpport.h>

#define CHUNK 256 /* elements a block sorts in shared memory; a power of two */

/* The caller's element meets that of the lane lane_mask away; the one in the lower place keeps the smaller. */
WP_DEVICE void bitonic_meet(WP_WARP_PARAM wp_mask mask, wp_u32 *key, wp_u32 *value, int lane_mask, int is_lower) {
  wp_u32 other_key = wp_shfl_xor(mask, *key, lane_mask);
  wp_u32 other_value = wp_shfl_xor(mask, *value, lane_mask);
  int other_is_smaller = other_key < *key || (other_key == *key && other_value < *value);
  if (other_is_smaller == is_lower) {
    *key = other_key;
    *value = other_value;
  }
}

/* Threads of the block that work, and the lanes of a warp among them: powers of two, so that partners share a warp. */
WP_DEVICE int bitonic_threads(void) {
  int threads = CHUNK;
  while (threads > wp_block_threads()) threads >>= 1;
  return threads;
}
WP_DEVICE int bitonic_lanes(int threads) {
  int lanes = wp_warp_size();
  while (lanes > threads) lanes >>= 1;
  return lanes;
}

/* Loads the block's chunk; places past the end get the largest element there is. */
WP_DEVICE void bitonic_load(WP_LOCAL wp_u32 *s_keys, WP_LOCAL wp_u32 *s_values, WP_GLOBAL const wp_u32 *keys,
                            WP_GLOBAL const wp_u32 *values, int chunk, int n) {
  for (int e = wp_thread_rank(); e < CHUNK; e += wp_block_threads()) {
    s_keys[e] = chunk + e < n ? keys[chunk + e] : 0xffffffffu;
    s_values[e] = chunk + e < n ? values[chunk + e] : 0xffffffffu;
  }
  WP_BARRIER();
}
WP_DEVICE void bitonic_store(WP_LOCAL const wp_u32 *s_keys, WP_LOCAL const wp_u32 *s_values, WP_GLOBAL wp_u32 *keys,
                             WP_GLOBAL wp_u32 *values, int chunk, int n) {
  for (int e = wp_thread_rank(); e < CHUNK && chunk + e < n; e += wp_block_threads()) {
    keys[chunk + e] = s_keys[e];
    values[chunk + e] = s_values[e];
  }
}

/* One step in shared memory: place e meets e ^ flip, for all e; highest is flip's highest bit. All threads of the block
 * call this. */
WP_DEVICE void bitonic_step_shared(WP_LOCAL wp_u32 *s_keys, WP_LOCAL wp_u32 *s_values, int flip, int highest) {
  for (int pair = wp_thread_rank(); pair < CHUNK / 2; pair += wp_block_threads()) {
    int low = (pair & (highest - 1)) | ((pair & ~(highest - 1)) << 1); /* pair with a 0 put in at the highest bit */
    int high = low ^ flip;
    wp_u32 low_key = s_keys[low], high_key = s_keys[high];
    wp_u32 low_value = s_values[low], high_value = s_values[high];
    if (high_key < low_key || (high_key == low_key && high_value < low_value)) {
      s_keys[low] = high_key;
      s_keys[high] = low_key;
      s_values[low] = high_value;
      s_values[high] = low_value;
    }
  }
  WP_BARRIER();
}

/* The steps at distances lanes/2 ... 1, in registers. All threads of the block call this. */
WP_DEVICE void bitonic_finish_in_warp(WP_WARP_PARAM WP_LOCAL wp_u32 *s_keys, WP_LOCAL wp_u32 *s_values, int threads, int lanes) {
  int works = wp_thread_rank() < threads;
  if (works || WP_UNIFORM_FLOW) { /* devices without sub-groups: all threads make the calls, some with an empty mask */
    wp_mask mask = works ? wp_mask_first(lanes) : 0;
    for (int first = 0; first < CHUNK; first += threads) {
      int e = works ? first + wp_thread_rank() : 0;
      wp_u32 key = s_keys[e], value = s_values[e];
      for (int d = lanes / 2; d >= 1; d /= 2) bitonic_meet(WP_WARP_ARG mask, &key, &value, d, (e & d) == 0);
      if (works) {
        s_keys[e] = key;
        s_values[e] = value;
      }
    }
  }
  WP_BARRIER();
}

/* Sorts each chunk. Grid: ceil(n / CHUNK) blocks. */
WP_KERNEL(bitonic_sort_chunks, WP_GLOBAL wp_u32 *keys, WP_GLOBAL wp_u32 *values, int n) {
  WP_SHARED(wp_u32, s_keys, CHUNK);
  WP_SHARED(wp_u32, s_values, CHUNK);
  int threads = bitonic_threads();
  int lanes = bitonic_lanes(threads);
  int chunk = wp_block_x() * CHUNK;
  bitonic_load(s_keys, s_values, keys, values, chunk, n);

  /* Runs of up to a warp, wholly in registers. */
  int works = wp_thread_rank() < threads;
  if (works || WP_UNIFORM_FLOW) { /* devices without sub-groups: all threads make the calls, some with an empty mask */
    wp_mask mask = works ? wp_mask_first(lanes) : 0;
    for (int first = 0; first < CHUNK; first += threads) {
      int e = works ? first + wp_thread_rank() : 0;
      wp_u32 key = s_keys[e], value = s_values[e];
      for (int run = 2; run <= lanes; run *= 2) {
        bitonic_meet(WP_WARP_ARG mask, &key, &value, run - 1, (e & (run / 2)) == 0);
        for (int d = run / 4; d >= 1; d /= 2) bitonic_meet(WP_WARP_ARG mask, &key, &value, d, (e & d) == 0);
      }
      if (works) {
        s_keys[e] = key;
        s_values[e] = value;
      }
    }
  }
  WP_BARRIER();

  /* Longer runs: the far steps in shared memory, the near ones in registers again. */
  for (int run = 2 * lanes; run <= CHUNK; run *= 2) {
    bitonic_step_shared(s_keys, s_values, run - 1, run / 2);
    for (int d = run / 4; d >= lanes; d /= 2) bitonic_step_shared(s_keys, s_values, d, d);
    bitonic_finish_in_warp(WP_WARP_ARG s_keys, s_values, threads, lanes);
  }
  bitonic_store(s_keys, s_values, keys, values, chunk, n);
}

/* One step at a distance of at least CHUNK: place e meets e ^ flip. pairs: half of the places, rounded up to a power of
 * two. Any grid. */
WP_KERNEL(bitonic_step_global, WP_GLOBAL wp_u32 *keys, WP_GLOBAL wp_u32 *values, int n, int flip, int highest, int pairs) {
  for (wp_i64 pair = wp_global_rank(); pair < pairs; pair += wp_global_threads()) {
    wp_i64 low = (pair & (highest - 1)) | ((pair & ~(wp_i64)(highest - 1)) << 1);
    wp_i64 high = low ^ flip;
    if (high >= n) continue; /* the upper place is past the end: nothing smaller can come from there */
    wp_u32 low_key = keys[low], high_key = keys[high];
    wp_u32 low_value = values[low], high_value = values[high];
    if (high_key < low_key || (high_key == low_key && high_value < low_value)) {
      keys[low] = high_key;
      keys[high] = low_key;
      values[low] = high_value;
      values[high] = low_value;
    }
  }
}

/* The remaining steps of a merge, at distances CHUNK/2 ... 1. Grid: ceil(n / CHUNK) blocks. */
WP_KERNEL(bitonic_merge_chunks, WP_GLOBAL wp_u32 *keys, WP_GLOBAL wp_u32 *values, int n) {
  WP_SHARED(wp_u32, s_keys, CHUNK);
  WP_SHARED(wp_u32, s_values, CHUNK);
  int threads = bitonic_threads();
  int lanes = bitonic_lanes(threads);
  int chunk = wp_block_x() * CHUNK;
  bitonic_load(s_keys, s_values, keys, values, chunk, n);
  for (int d = CHUNK / 2; d >= lanes; d /= 2) bitonic_step_shared(s_keys, s_values, d, d);
  bitonic_finish_in_warp(WP_WARP_ARG s_keys, s_values, threads, lanes);
  bitonic_store(s_keys, s_values, keys, values, chunk, n);
}
