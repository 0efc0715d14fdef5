/* mma_nearest: for each row of a matrix the other row with the largest inner product. Rows of K = 64 halves.
 *
 * A warp takes 16 rows. It loads tiles of 16 x 16 halves in memory order, shuffles the words to the lanes that the matrix unit wants them
 * in, multiplies, keeps the best column of each row in registers, and at the end reduces over the lanes that share a row, by
 * shuffles. The scores never reach memory; nearest_scores and nearest_best are the same in two steps, through memory.
 *
 * The matrix unit's layouts have 32 lanes on NVIDIA's chips and RDNA, 64 on CDNA; elsewhere logical warps of 32. */
#if !defined(__HIP__) && !defined(__HIPCC__)
#define WARPPORT_WARP_SIZE 32
#endif
#include <warpport/warpport.h>

#include "mma.h"

#define K 64
#define WORDS (K / 2)      /* words a row */
#define STEPS (K / 16)     /* products of 16 along K */
#define OWN(rows) ((rows) * 8 / 32) /* words of a tile that a lane loads, at the most: warps have 32 lanes or 64 */

/* Words row0 ... of x, tile k0, in memory order: lane l has words l * OWN ... of the tile. Rows from n up count as zero. */
WP_DEVICE void tile_load(WP_GLOBAL const wp_u32 *x, int n, int row0, int k0, int rows, wp_u32 *own) {
  int i, count = rows * 8 / wp_warp_size();
  for (i = 0; i < count; i++) {
    int at = wp_lane() * count + i, row = row0 + at / 8;
    own[i] = row < n ? x[row * WORDS + k0 * 8 + at % 8] : 0u;
  }
}

/* Word `word` of row `row` of a tile, whoever has it. */
WP_DEVICE wp_u32 tile_word(const wp_u32 *own, int rows, int row, int word) {
  int i, count = rows * 8 / wp_warp_size(), at = row * 8 + word;
  wp_u32 found = 0;
  for (i = 0; i < count; i++) {
    wp_u32 got = wp_shfl_u32(wp_mask_all(), own[i], at / count, wp_warp_size());
    if (at % count == i) found = got;
  }
  return found;
}

WP_DEVICE void load_a(WP_GLOBAL const wp_u32 *x, int n, int row0, wp_u32 a[STEPS][MMA_A]) {
  wp_u32 own[OWN(16)];
  int k, i;
  for (k = 0; k < STEPS; k++) {
    tile_load(x, n, row0, k, 16, own);
    for (i = 0; i < MMA_A; i++) a[k][i] = tile_word(own, 16, mma_a_row(wp_lane(), i), mma_a_word(wp_lane(), i));
  }
}

/* Scores of the 16 rows in a with the MMA_COLS rows from column on. */
WP_DEVICE void product(WP_GLOBAL const wp_u32 *x, int n, int column, wp_u32 a[STEPS][MMA_A], float *c) {
  wp_u32 own[OWN(MMA_COLS)], b[MMA_B];
  int k, i;
  for (i = 0; i < MMA_ROWS * MMA_PER_ROW; i++) c[i] = 0.0f;
  for (k = 0; k < STEPS; k++) {
    tile_load(x, n, column, k, MMA_COLS, own);
    for (i = 0; i < MMA_B; i++) b[i] = tile_word(own, MMA_COLS, mma_b_col(wp_lane(), i), mma_b_word(wp_lane(), i));
    mma(c, a[k], b);
  }
}

WP_DEVICE bool better(float score, int index, float best, int best_index) {
  return score > best || (score >= best && index < best_index);
}

/* The better of what n lanes next to each other hold, for each. */
WP_DEVICE void join(int lanes, float *best, int *index) {
  int d;
  for (d = 1; d < lanes; d *= 2) {
    float score = wp_shfl_xor_f32(wp_mask_all(), *best, d, wp_warp_size());
    int other = wp_shfl_xor_i32(wp_mask_all(), *index, d, wp_warp_size());
    if (better(score, other, *best, *index)) {
      *best = score;
      *index = other;
    }
  }
}

WP_KERNEL(nearest_fused, WP_GLOBAL const wp_u32 *x, WP_GLOBAL float *score, WP_GLOBAL wp_i32 *index, wp_i32 n) {
  int warp = wp_block_x() * wp_warps_per_block() + wp_warp_id(), row0 = warp * 16, lane = wp_lane(), column, r, j;
  wp_u32 a[STEPS][MMA_A];
  float best[MMA_ROWS], c[MMA_ROWS * MMA_PER_ROW];
  int where[MMA_ROWS];
  if (row0 >= n) return; /* the whole warp */
  load_a(x, n, row0, a);
  for (r = 0; r < MMA_ROWS; r++) {
    best[r] = -3.0e38f;
    where[r] = 0x7fffffff;
  }
  for (column = 0; column < n; column += MMA_COLS) {
    product(x, n, column, a, c);
    for (r = 0; r < MMA_ROWS; r++) {
      for (j = 0; j < MMA_PER_ROW; j++) {
        int other = column + mma_c_col(lane, r, j);
        if (other < n && other != row0 + mma_c_row(lane, r) && better(c[r * MMA_PER_ROW + j], other, best[r], where[r])) {
          best[r] = c[r * MMA_PER_ROW + j];
          where[r] = other;
        }
      }
    }
  }
  for (r = 0; r < MMA_ROWS; r++) {
    int row = row0 + mma_c_row(lane, r);
    join(MMA_LANES, &best[r], &where[r]);
    if (lane % MMA_LANES == 0 && row < n) {
      score[row] = best[r];
      index[row] = where[r];
    }
  }
}

/* The product alone, written to memory: scores[row][column]. */
WP_KERNEL(nearest_scores, WP_GLOBAL const wp_u32 *x, WP_GLOBAL float *scores, wp_i32 n) {
  int warp = wp_block_x() * wp_warps_per_block() + wp_warp_id(), row0 = warp * 16, lane = wp_lane(), column, r, j;
  wp_u32 a[STEPS][MMA_A];
  float c[MMA_ROWS * MMA_PER_ROW];
  if (row0 >= n) return;
  load_a(x, n, row0, a);
  for (column = 0; column < n; column += MMA_COLS) {
    product(x, n, column, a, c);
    for (r = 0; r < MMA_ROWS; r++) {
      for (j = 0; j < MMA_PER_ROW; j++) {
        int row = row0 + mma_c_row(lane, r), other = column + mma_c_col(lane, r, j);
        if (row < n && other < n) scores[(wp_i64)row * n + other] = c[r * MMA_PER_ROW + j];
      }
    }
  }
}

/* One warp a row: the best of its scores. */
WP_KERNEL(nearest_best, WP_GLOBAL const float *scores, WP_GLOBAL float *score, WP_GLOBAL wp_i32 *index, wp_i32 n) {
  int row = wp_block_x() * wp_warps_per_block() + wp_warp_id(), column, where = 0x7fffffff;
  float best = -3.0e38f;
  if (row >= n) return;
  for (column = wp_lane(); column < n; column += wp_warp_size()) {
    float s = scores[(wp_i64)row * n + column];
    if (column != row && better(s, column, best, where)) {
      best = s;
      where = column;
    }
  }
  join(wp_warp_size(), &best, &where);
  if (wp_lane() == 0) {
    score[row] = best;
    index[row] = where;
  }
}

/* What the kernels were built with, and the warp size: the host sizes launches by it. */
WP_KERNEL(nearest_kind, WP_GLOBAL wp_i32 *out) {
  if (wp_global_rank() == 0) {
    out[0] = MMA_KIND;
    out[1] = wp_warp_size();
  }
}
