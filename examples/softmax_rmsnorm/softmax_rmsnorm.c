/* softmax_rmsnorm, host part: the file's bytes as a matrix of 117 columns, through softmax and RMSNorm by rows. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <warpport/warpport.h> /* wp_exp_f32 and the half conversions are plain functions on a CPU: the reference uses them */

#include "../common/example.h"

#define SUMS 16               /* as in the kernel */
#define COLUMNS 117           /* odd, and no multiple of any tile */
#define MAX_BYTES (1u << 20)  /* of the file are used */
#define EPSILON 1e-5f

typedef struct rows_state {
  int rows, columns, words; /* words: pairs of halves a row */
  float *x, *softmax;
  uint32_t *halves, *rmsnorm;
  float *gain;
  float *got_softmax;
  uint32_t *got_rmsnorm;
  unsigned char *output; /* both, one after the other */
} rows_state;

static void release(void *user) {
  rows_state *state = user;
  if (!state) return;
  free(state->x);
  free(state->softmax);
  free(state->halves);
  free(state->rmsnorm);
  free(state->gain);
  free(state->output);
  free(state);
}

/* ---- reference ---- */

static float join_sums(float *sum) {
  for (int half = 1; half < SUMS; half *= 2) {
    for (int k = 0; k < SUMS; k += 2 * half) sum[k] += sum[k + half];
  }
  return sum[0];
}

static void softmax_row(const float *x, float *y, int columns) {
  float high = x[0], sum[SUMS] = {0};
  for (int c = 1; c < columns; c++) high = fmaxf(high, x[c]);
  for (int c = 0; c < columns; c++) sum[c % SUMS] += wp_exp_f32(x[c] - high);
  float log_total = wp_log_f32(join_sums(sum));
  for (int c = 0; c < columns; c++) y[c] = wp_exp_f32((x[c] - high) - log_total);
}

static float half_at(const uint32_t *words, int i) {
  wp_f16 h = {(uint16_t)(words[i / 2] >> (i % 2 ? 16 : 0))};
  return wp_f32_from_f16(h);
}

static void rmsnorm_row(const uint32_t *x, const float *gain, uint32_t *y, int columns) {
  int words = (columns + 1) / 2;
  float sum[SUMS] = {0};
  for (int i = 0; i < 2 * words; i++) sum[i / 2 % SUMS] = fmaf(half_at(x, i), half_at(x, i), sum[i / 2 % SUMS]);
  float m = fmaf(join_sums(sum), 1.0f / (float)columns, EPSILON);
  float r = wp_exp_f32(-0.5f * wp_log_f32(m));
  float error = fmaf(-(m * r), r, 1.0f);
  float scale = fmaf(0.5f * r, error, r);
  memset(y, 0, (size_t)words * sizeof *y);
  for (int c = 0; c < columns; c++) {
    uint32_t bits = wp_f16_from_f32(half_at(x, c) * scale * gain[c]).bits;
    y[c / 2] |= bits << (c % 2 ? 16 : 0);
  }
}

static void *prepare(const ex_file *file, char *why, size_t why_size) {
  rows_state *state = calloc(1, sizeof *state);
  size_t n = file->size < MAX_BYTES ? file->size : MAX_BYTES;
  if (state) {
    state->columns = n < COLUMNS ? (int)n : COLUMNS;
    state->rows = (int)n / state->columns;
    state->words = (state->columns + 1) / 2;
    size_t cells = (size_t)state->rows * (size_t)state->columns, words = (size_t)state->rows * (size_t)state->words;
    state->x = ex_alloc(cells, sizeof(float));
    state->softmax = ex_alloc(cells, sizeof(float));
    state->halves = ex_alloc(words, sizeof(uint32_t));
    state->rmsnorm = ex_alloc(words, sizeof(uint32_t));
    state->gain = ex_alloc((size_t)state->columns, sizeof(float));
    state->output = ex_alloc(cells + words, sizeof(uint32_t));
  }
  if (!state || !state->x || !state->softmax || !state->halves || !state->rmsnorm || !state->gain || !state->output) {
    snprintf(why, why_size, "softmax_rmsnorm: out of memory");
    release(state);
    return NULL;
  }
  state->got_softmax = (float *)(void *)state->output;
  state->got_rmsnorm = (uint32_t *)(void *)(state->output + (size_t)state->rows * (size_t)state->columns * sizeof(float));
  for (int c = 0; c < state->columns; c++) state->gain[c] = 1.0f + (float)(c % 8) / 8.0f;
  for (int r = 0; r < state->rows; r++) {
    float *x = state->x + (size_t)r * (size_t)state->columns;
    uint32_t *halves = state->halves + (size_t)r * (size_t)state->words;
    for (int c = 0; c < state->columns; c++) {
      x[c] = ((float)file->bytes[r * state->columns + c] - 96.0f) / 16.0f; /* exact, in half precision too */
      halves[c / 2] |= (uint32_t)wp_f16_from_f32(x[c]).bits << (c % 2 ? 16 : 0);
    }
    softmax_row(x, state->softmax + (size_t)r * (size_t)state->columns, state->columns);
    rmsnorm_row(halves, state->gain, state->rmsnorm + (size_t)r * (size_t)state->words, state->columns);
  }
  return state;
}

/* ---- against double precision and libm ---- */

/* softmax within 4e-6 of its value: the exponent (at most about 20) is rounded to a float, the rest adds a few ulp.
 * RMSNorm within 0.51 units in the last place of a half. */
static void check_accuracy(const rows_state *state, ex_session *session) {
  for (int r = 0; r < state->rows; r++) {
    const float *x = state->x + (size_t)r * (size_t)state->columns;
    const float *y = state->got_softmax + (size_t)r * (size_t)state->columns;
    const uint32_t *halves = state->got_rmsnorm + (size_t)r * (size_t)state->words;
    double high = -INFINITY, total = 0, squares = 0;
    for (int c = 0; c < state->columns; c++) high = fmax(high, (double)x[c]);
    for (int c = 0; c < state->columns; c++) {
      total += exp((double)x[c] - high);
      squares += (double)x[c] * (double)x[c];
    }
    double scale = 1 / sqrt(squares / state->columns + (double)EPSILON);
    for (int c = 0; c < state->columns; c++) {
      double want = exp((double)x[c] - high) / total, got = (double)y[c];
      ex_expect(session, fabs(got - want) <= 4e-6 * want, "softmax row %d column %d: %.9g, in double %.9g", r, c, got, want);
      want = (double)x[c] * scale * (double)state->gain[c];
      got = (double)half_at(halves, c);
      double ulp = ldexp(1.0, (want == 0 ? -14 : (int)fmax(floor(log2(fabs(want))), -14.0)) - 10);
      ex_expect(session, fabs(got - want) <= 0.51 * ulp, "RMSNorm row %d column %d: %.9g, in double %.9g", r, c, got, want);
    }
  }
}

static void run(void *user, ex_session *session) {
  rows_state *state = user;
  size_t cells = (size_t)state->rows * (size_t)state->columns, words = (size_t)state->rows * (size_t)state->words;
  /* The tile's width depends on the chip, so the number of rows a block takes does too. With one lane a tile it is the block
   * size, with 16 a sixteenth of it; a block without a row returns at once. */
  size_t blocks = ex_ceil_div((size_t)state->rows, session->block >= SUMS ? session->block / SUMS : 1);
  wp_arg rows = wp_arg_i32(state->rows), columns = wp_arg_i32(state->columns);

  wp_buffer *x = ex_buffer(session, state->x, cells * sizeof(float));
  wp_buffer *y = ex_buffer(session, NULL, cells * sizeof(float));
  EX_LAUNCH(session, "row_softmax", blocks, wp_arg_buffer(x), wp_arg_buffer(y), rows, columns);
  ex_read(session, y, state->got_softmax, cells * sizeof(float));

  wp_buffer *halves = ex_buffer(session, state->halves, words * sizeof(uint32_t));
  wp_buffer *gain = ex_buffer(session, state->gain, (size_t)state->columns * sizeof(float));
  wp_buffer *normed = ex_buffer(session, NULL, words * sizeof(uint32_t));
  EX_LAUNCH(session, "row_rmsnorm", blocks, wp_arg_buffer(halves), wp_arg_buffer(gain), wp_arg_buffer(normed), rows, columns,
            wp_arg_f32(1.0f / (float)state->columns), wp_arg_f32(EPSILON));
  ex_read(session, normed, state->got_rmsnorm, words * sizeof(uint32_t));
  if (session->failed) return;

  size_t best = 0;
  for (size_t i = 1; i < cells; i++) {
    if (state->got_softmax[i] > state->got_softmax[best]) best = i;
  }
  ex_output(session, state->output, (cells + words) * sizeof(uint32_t));
  ex_result(session, "%d rows of %d, surest %.7g (row %zu), first norm %.4g", state->rows, state->columns,
            (double)state->got_softmax[best], best / (size_t)state->columns, (double)half_at(state->got_rmsnorm, 0));
  ex_expect_f32(session, "softmax", state->got_softmax, state->softmax, cells);
  ex_expect_u32(session, "RMSNorm pair", state->got_rmsnorm, state->rmsnorm, words);
  check_accuracy(state, session);
}

const ex_example ex_softmax_rmsnorm = {"softmax_rmsnorm", "row softmax and RMSNorm", prepare, run, release};
