/* softmax_rmsnorm: the two row operations of every transformer, with the same bits on every chip.
 *
 *     softmax  y[c] = exp(x[c] - max) / sum of exp(x[.] - max)
 *     RMSNorm  y[c] = gain[c] * x[c] / sqrt(mean of x[.]^2 + epsilon),  x and y in half precision, two in one word
 *
 * A tile of 16 lanes works on a row, so a warp of 64 lanes has four rows at a time. The sum over a row must not
 * depend on how many lanes share the work. So its order is fixed by 16 running sums: number s adds up columns s, s
 * + 16, s + 32, ...; then the sums are joined in wp_reduce_add's tree. Where warps (or the block) have fewer than
 * 16 lanes, a lane looks after several neighbouring sums, and joins those first: the same tree, with its lowest
 * levels inside a lane.
 *
 * There is no division and no 1/sqrt here: OpenCL C allows both to be inexact. log and exp of warpport have the
 * same bits everywhere, so softmax divides by subtracting a logarithm (which is also how frameworks get the
 * log-likelihood), and RMSNorm starts from exp(-log(m) / 2) and refines it by one Newton step. Products that are
 * added are written as wp_fma_f32, so that no compiler has to decide whether to fuse them.
 */
#include <warpport/warpport.h>

#define SUMS 16 /* running sums of a row, and lanes of a tile where the chip has that many */

/* Lanes of a tile. The same in the whole grid, so that all threads agree on who has which row. */
WP_DEVICE int row_lanes(void) {
  int lanes = SUMS;
  while (lanes > wp_warp_size() || lanes > wp_block_threads()) lanes >>= 1;
  return lanes;
}

/* The row of the caller's tile, or -1 if it has none: past the last row, or a tile at the end of the block that lacks lanes.
 * All lanes of a tile get the same answer, so the tile stays together. */
WP_DEVICE int row_of_tile(int lanes, int rows) {
  int tile = wp_thread_rank() / lanes;
  int tiles = wp_block_threads() / lanes; /* complete ones */
  int row = wp_block_x() * tiles + tile;
  return tile < tiles && row < rows ? row : -1;
}

/* Joins SUMS running sums, of which the caller has its SUMS / lanes neighbouring ones in sum[]. */
WP_DEVICE wp_f32 row_total(WP_WARP_PARAM wp_tile tile, int lanes, wp_f32 *sum) {
  int mine = SUMS / lanes;
  for (int distance = 1; distance < mine; distance *= 2) {
    for (int k = 0; k < mine; k += 2 * distance) sum[k] += sum[k + distance];
  }
  return wp_tile_reduce_add(tile, sum[0]);
}

/* Grid: enough blocks for `rows` tiles; the host may launch more. */
WP_KERNEL(row_softmax, WP_GLOBAL const wp_f32 *x, WP_GLOBAL wp_f32 *y, int rows, int columns) {
  int lanes = row_lanes();
  int row = row_of_tile(lanes, rows);
  int works = row >= 0;
  if (!(works || WP_UNIFORM_FLOW)) return;
  if (!works) row = 0; /* devices without sub-groups: all threads make the calls, those without a row write nothing */
  wp_tile tile = wp_tile_make(lanes);
  int first = wp_tile_rank(tile) * (SUMS / lanes); /* the caller's first running sum */
  x += (wp_i64)row * columns;
  y += (wp_i64)row * columns;

  wp_f32 high = x[0];
  for (int c = wp_tile_rank(tile); c < columns; c += lanes) high = wp_max_f32(high, x[c]);
  high = wp_tile_reduce_max(tile, high); /* a maximum has no order to fix */

  wp_f32 sum[SUMS];
  for (int k = 0; k < SUMS / lanes; k++) {
    sum[k] = 0.0f;
    for (int c = first + k; c < columns; c += SUMS) sum[k] += wp_exp_f32(x[c] - high);
  }
  wp_f32 log_total = wp_log_f32(row_total(WP_WARP_ARG tile, lanes, sum));

  for (int c = wp_tile_rank(tile); works && c < columns; c += lanes) y[c] = wp_exp_f32((x[c] - high) - log_total);
}

/* 1 / sqrt(m) for m > 0. */
WP_DEVICE wp_f32 row_rsqrt(wp_f32 m) {
  wp_f32 r = wp_exp_f32(-0.5f * wp_log_f32(m));
  wp_f32 error = wp_fma_f32(-(m * r), r, 1.0f);
  return wp_fma_f32(0.5f * r, error, r);
}

/* x, y: rows of (columns + 1) / 2 words, each two half-precision numbers; with an odd number of columns the last half of a
 * row is 0. inv_columns = 1 / columns. */
WP_KERNEL(row_rmsnorm, WP_GLOBAL const wp_u32 *x, WP_GLOBAL const wp_f32 *gain, WP_GLOBAL wp_u32 *y, int rows, int columns,
          wp_f32 inv_columns, wp_f32 epsilon) {
  int lanes = row_lanes();
  int row = row_of_tile(lanes, rows);
  int works = row >= 0;
  if (!(works || WP_UNIFORM_FLOW)) return;
  if (!works) row = 0; /* devices without sub-groups: all threads make the calls, those without a row write nothing */
  wp_tile tile = wp_tile_make(lanes);
  int words = (columns + 1) / 2;
  int first = wp_tile_rank(tile) * (SUMS / lanes);
  x += (wp_i64)row * words;
  y += (wp_i64)row * words;

  wp_f32 sum[SUMS];
  for (int k = 0; k < SUMS / lanes; k++) {
    sum[k] = 0.0f;
    for (int w = first + k; w < words; w += SUMS) {
      wp_f16x2 pair;
      pair.bits = x[w];
      wp_f32 even = wp_f32_from_f16(wp_f16x2_get(pair, 0));
      wp_f32 odd = wp_f32_from_f16(wp_f16x2_get(pair, 1));
      sum[k] = wp_fma_f32(even, even, sum[k]);
      sum[k] = wp_fma_f32(odd, odd, sum[k]);
    }
  }
  wp_f32 scale = row_rsqrt(wp_fma_f32(row_total(WP_WARP_ARG tile, lanes, sum), inv_columns, epsilon));

  for (int w = wp_tile_rank(tile); works && w < words; w += lanes) {
    wp_f16x2 pair;
    pair.bits = x[w];
    wp_f32 even = wp_f32_from_f16(wp_f16x2_get(pair, 0)) * scale * gain[2 * w];
    wp_f32 odd = 2 * w + 1 < columns ? wp_f32_from_f16(wp_f16x2_get(pair, 1)) * scale * gain[2 * w + 1] : 0.0f;
    y[w] = wp_f16x2_make(wp_f16_from_f32(even), wp_f16_from_f32(odd)).bits;
  }
}
