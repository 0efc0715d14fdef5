/* bitonic_sort, host part: the lines by length; keys are lengths, values line numbers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/example.h"

#define CHUNK 256 /* as in the kernel */

typedef struct line {
  uint32_t length, number;
} line;

typedef struct sort_state {
  size_t n;
  uint32_t *lengths, *numbers;   /* as in the file */
  uint32_t *want_keys, *want_values;
  uint32_t *got; /* keys, then values */
} sort_state;

static void release(void *user) {
  sort_state *state = user;
  if (!state) return;
  free(state->lengths);
  free(state->numbers);
  free(state->want_keys);
  free(state->want_values);
  free(state->got);
  free(state);
}

static int compare_lines(const void *left, const void *right) {
  const line *a = left, *b = right;
  if (a->length != b->length) return a->length < b->length ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

static void *prepare(const ex_file *file, char *why, size_t why_size) {
  sort_state *state = calloc(1, sizeof *state);
  line *lines = NULL;
  if (state) {
    state->lengths = ex_line_lengths(file, &state->n);
    state->numbers = ex_alloc(state->n, sizeof(uint32_t));
    state->want_keys = ex_alloc(state->n, sizeof(uint32_t));
    state->want_values = ex_alloc(state->n, sizeof(uint32_t));
    state->got = ex_alloc(state->n, 2 * sizeof(uint32_t));
    lines = ex_alloc(state->n, sizeof *lines);
  }
  if (!state || !state->lengths || !state->numbers || !state->want_keys || !state->want_values || !state->got || !lines) {
    snprintf(why, why_size, "bitonic_sort: out of memory");
    free(lines);
    release(state);
    return NULL;
  }
  for (size_t i = 0; i < state->n; i++) {
    state->numbers[i] = (uint32_t)i + 1;
    lines[i] = (line){state->lengths[i], (uint32_t)i + 1};
  }
  qsort(lines, state->n, sizeof *lines, compare_lines);
  for (size_t i = 0; i < state->n; i++) {
    state->want_keys[i] = lines[i].length;
    state->want_values[i] = lines[i].number;
  }
  free(lines);
  return state;
}

static void run(void *user, ex_session *session) {
  sort_state *state = user;
  size_t n = state->n, bytes = n * sizeof(uint32_t), chunks = ex_ceil_div(n, CHUNK);
  uint32_t *got_keys = state->got, *got_values = state->got + n;

  wp_buffer *keys = ex_buffer(session, state->lengths, bytes);
  wp_buffer *values = ex_buffer(session, state->numbers, bytes);
  wp_arg key_arg = wp_arg_buffer(keys), value_arg = wp_arg_buffer(values), n_arg = wp_arg_i32((int32_t)n);
  EX_LAUNCH(session, "bitonic_sort_chunks", chunks, key_arg, value_arg, n_arg);
  for (size_t merged = CHUNK; merged < n; merged *= 2) {
    /* Runs of `merged` become runs of 2 * merged: the distances merged (mirrored), merged/2, ... CHUNK here, the rest in
     * each chunk. */
    size_t pairs = merged;
    while (2 * pairs < n) pairs *= 2;
    size_t blocks = ex_ceil_div(pairs, session->block);
    for (size_t distance = merged; distance >= CHUNK; distance /= 2) {
      size_t flip = distance == merged ? 2 * merged - 1 : distance;
      EX_LAUNCH(session, "bitonic_step_global", blocks, key_arg, value_arg, n_arg, wp_arg_i32((int32_t)flip),
                wp_arg_i32((int32_t)distance), wp_arg_i32((int32_t)pairs));
    }
    EX_LAUNCH(session, "bitonic_merge_chunks", chunks, key_arg, value_arg, n_arg);
  }
  ex_read(session, keys, got_keys, bytes);
  ex_read(session, values, got_values, bytes);

  ex_output(session, state->got, 2 * bytes);
  ex_result(session, "%zu lines, median length %" PRIu32 ", longest %" PRIu32 " (line %" PRIu32 ")", n, got_keys[n / 2],
            got_keys[n - 1], got_values[n - 1]);
  ex_expect_u32(session, "key", got_keys, state->want_keys, n);
  ex_expect_u32(session, "value", got_values, state->want_values, n);
}

const ex_example ex_bitonic_sort = {"bitonic_sort", "lines by length, with their numbers", prepare, run, release};
