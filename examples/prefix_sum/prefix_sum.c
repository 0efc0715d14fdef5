/* prefix_sum, host part: exclusive prefix sum over the file's bytes. */
#include <inttypes.h>
#include <stdlib.h>

#include "../common/example.h"

#define ITEMS 4 /* as in the kernel */

typedef struct prefix_state {
  uint32_t *in, *want, *got;
  size_t n;
  uint32_t total;
} prefix_state;

static void release(void *user) {
  prefix_state *state = user;
  if (!state) return;
  free(state->in);
  free(state->want);
  free(state->got);
  free(state);
}

static void *prepare(const ex_file *file, char *why, size_t why_size) {
  prefix_state *state = calloc(1, sizeof *state);
  if (state) {
    state->n = file->size;
    state->in = ex_alloc(state->n, sizeof(uint32_t));
    state->want = ex_alloc(state->n, sizeof(uint32_t));
    state->got = ex_alloc(state->n, sizeof(uint32_t));
  }
  if (!state || !state->in || !state->want || !state->got) {
    snprintf(why, why_size, "prefix_sum: out of memory");
    release(state);
    return NULL;
  }
  for (size_t i = 0; i < state->n; i++) {
    state->in[i] = file->bytes[i];
    state->want[i] = state->total;
    state->total += file->bytes[i];
  }
  return state;
}

static void run(void *user, ex_session *session) {
  prefix_state *state = user;
  size_t bytes = state->n * sizeof(uint32_t);
  size_t blocks = ex_ceil_div(state->n, (size_t)ITEMS * session->block);
  uint32_t total = 0;

  wp_buffer *in = ex_buffer(session, state->in, bytes);
  wp_buffer *out = ex_buffer(session, NULL, bytes);
  wp_buffer *block_sums = ex_buffer(session, NULL, blocks * sizeof(uint32_t));
  wp_buffer *sum = ex_buffer(session, NULL, sizeof total);
  EX_LAUNCH(session, "prefix_sum_blocks", blocks, wp_arg_buffer(in), wp_arg_buffer(out), wp_arg_buffer(block_sums),
            wp_arg_i32((int32_t)state->n));
  EX_LAUNCH(session, "prefix_sum_carry", 1, wp_arg_buffer(block_sums), wp_arg_buffer(sum), wp_arg_i32((int32_t)blocks));
  EX_LAUNCH(session, "prefix_sum_add", blocks, wp_arg_buffer(out), wp_arg_buffer(block_sums), wp_arg_i32((int32_t)state->n));
  ex_read(session, out, state->got, bytes);
  ex_read(session, sum, &total, sizeof total);

  ex_output(session, state->got, bytes);
  ex_result(session, "%zu bytes add up to %" PRIu32, state->n, total);
  ex_expect_u32(session, "prefix", state->got, state->want, state->n);
  ex_expect_u32(session, "total", &total, &state->total, 1);
}

const ex_example ex_prefix_sum = {"prefix_sum", "exclusive prefix sum of the bytes", prepare, run, release};
