/* aggregated_append, host part: the positions of the capital letters, in any order. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/example.h"

typedef struct append_state {
  const ex_file *file;
  uint32_t *want, *got;
  uint32_t count;
} append_state;

static void release(void *user) {
  append_state *state = user;
  if (!state) return;
  free(state->want);
  free(state->got);
  free(state);
}

static void *prepare(const ex_file *file, char *why, size_t why_size) {
  append_state *state = calloc(1, sizeof *state);
  if (state) {
    state->file = file;
    for (size_t i = 0; i < file->size; i++) state->count += file->bytes[i] >= 'A' && file->bytes[i] <= 'Z';
    state->want = ex_alloc(state->count, sizeof(uint32_t));
    state->got = ex_alloc(state->count, sizeof(uint32_t));
  }
  if (!state || !state->want || !state->got) {
    snprintf(why, why_size, "aggregated_append: out of memory");
    release(state);
    return NULL;
  }
  size_t found = 0;
  for (size_t i = 0; i < file->size; i++) {
    if (file->bytes[i] >= 'A' && file->bytes[i] <= 'Z') state->want[found++] = (uint32_t)i;
  }
  return state;
}

static int compare_u32(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static void run(void *user, ex_session *session) {
  append_state *state = user;
  size_t n = state->file->size;
  uint32_t length = 0;

  wp_buffer *in = ex_buffer(session, state->file->bytes, n);
  /* Room for every byte, so that not even a wrong kernel writes past the end. */
  wp_buffer *list = ex_buffer(session, NULL, n * sizeof(uint32_t));
  wp_buffer *list_length = ex_buffer_zeroed(session, sizeof length);
  EX_LAUNCH(session, "aggregated_append", ex_ceil_div(n, 4u * session->block), wp_arg_buffer(in), wp_arg_i32((int32_t)n),
            wp_arg_buffer(list), wp_arg_buffer(list_length));
  ex_read(session, list_length, &length, sizeof length);
  ex_expect_u32(session, "length of the list", &length, &state->count, 1);
  if (length != state->count) length = 0;
  ex_read(session, list, state->got, length * sizeof(uint32_t));
  qsort(state->got, length, sizeof(uint32_t), compare_u32); /* the order is not promised, the set is */

  ex_output(session, state->got, length * sizeof(uint32_t));
  if (length > 0) {
    ex_result(session, "%" PRIu32 " capitals, first at byte %" PRIu32 ", last at %" PRIu32, length, state->got[0],
              state->got[length - 1]);
  } else {
    ex_result(session, "0 capitals");
  }
  ex_expect_u32(session, "position", state->got, state->want, length);
}

const ex_example ex_aggregated_append = {"aggregated_append", "collect the positions of capitals", prepare, run, release};
