/* byte_histogram, host part: how often each byte value occurs in the file. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/example.h"

#define BINS 256

typedef struct histogram_state {
  const ex_file *file;
  uint32_t want[BINS], got[BINS];
} histogram_state;

static void release(void *user) { free(user); }

static void *prepare(const ex_file *file, char *why, size_t why_size) {
  histogram_state *state = calloc(1, sizeof *state);
  if (!state) {
    snprintf(why, why_size, "byte_histogram: out of memory");
    return NULL;
  }
  state->file = file;
  for (size_t i = 0; i < file->size; i++) state->want[file->bytes[i]]++;
  return state;
}

static void run(void *user, ex_session *session) {
  histogram_state *state = user;
  size_t n = state->file->size;
  /* Eight bytes a thread, so that a block's own bins are worth while. */
  size_t blocks = ex_ceil_div(n, 8u * session->block);

  wp_buffer *in = ex_buffer(session, state->file->bytes, n);
  wp_buffer *bins = ex_buffer_zeroed(session, sizeof state->got);
  EX_LAUNCH(session, "byte_histogram", blocks, wp_arg_buffer(in), wp_arg_buffer(bins), wp_arg_i32((int32_t)n));
  memset(state->got, 0, sizeof state->got);
  ex_read(session, bins, state->got, sizeof state->got);

  int values = 0, common = 0;
  for (int b = 0; b < BINS; b++) {
    values += state->got[b] != 0;
    if (state->got[b] > state->got[common]) common = b;
  }
  char shown[8];
  snprintf(shown, sizeof shown, common < 128 && isgraph(common) ? "'%c'" : "0x%02x", (unsigned)common);
  ex_output(session, state->got, sizeof state->got);
  ex_result(session, "%d byte values, most often %s: %" PRIu32 " times", values, shown, state->got[common]);
  ex_expect_u32(session, "bin", state->got, state->want, BINS);
}

const ex_example ex_byte_histogram = {"byte_histogram", "how often each byte value occurs", prepare, run, release};
