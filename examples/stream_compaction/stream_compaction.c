/* stream_compaction, host part: the letters of the file, in order; what `LC_ALL=C tr -cd 'A-Za-z'` prints. */
#include <inttypes.h>
#include <stdlib.h>

#include "../common/example.h"

typedef struct compact_state {
  const ex_file *file;
  uint8_t *want, *got;
  uint32_t kept;
} compact_state;

static void release(void *user) {
  compact_state *state = user;
  if (!state) return;
  free(state->want);
  free(state->got);
  free(state);
}

static void *prepare(const ex_file *file, char *why, size_t why_size) {
  compact_state *state = calloc(1, sizeof *state);
  if (state) {
    state->file = file;
    state->want = ex_alloc(file->size, 1);
    state->got = ex_alloc(file->size, 1);
  }
  if (!state || !state->want || !state->got) {
    snprintf(why, why_size, "stream_compaction: out of memory");
    release(state);
    return NULL;
  }
  for (size_t i = 0; i < file->size; i++) {
    uint8_t c = file->bytes[i];
    if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) state->want[state->kept++] = c;
  }
  return state;
}

static void run(void *user, ex_session *session) {
  compact_state *state = user;
  size_t n = state->file->size;
  size_t blocks = ex_ceil_div(n, session->block);
  uint32_t kept = 0;

  wp_buffer *in = ex_buffer(session, state->file->bytes, n);
  wp_buffer *out = ex_buffer(session, NULL, n);
  wp_buffer *counts = ex_buffer(session, NULL, blocks * sizeof(uint32_t));
  wp_buffer *total = ex_buffer(session, NULL, sizeof kept);
  EX_LAUNCH(session, "compact_count", blocks, wp_arg_buffer(in), wp_arg_buffer(counts), wp_arg_i32((int32_t)n));
  EX_LAUNCH(session, "compact_offsets", 1, wp_arg_buffer(counts), wp_arg_buffer(total), wp_arg_i32((int32_t)blocks));
  EX_LAUNCH(session, "compact_write", blocks, wp_arg_buffer(in), wp_arg_buffer(out), wp_arg_buffer(counts),
            wp_arg_i32((int32_t)n));
  ex_read(session, total, &kept, sizeof kept);
  ex_expect_u32(session, "number of letters", &kept, &state->kept, 1);
  if (kept != state->kept) kept = 0; /* do not read past what was written */
  ex_read(session, out, state->got, kept);

  ex_output(session, state->got, kept);
  ex_result(session, "%" PRIu32 " letters of %zu bytes", kept, n);
  ex_expect_u8(session, "letter", state->got, state->want, kept);
}

const ex_example ex_stream_compaction = {"stream_compaction", "keep the letters, in order", prepare, run, release};
