/* distinct_words, host part: number of different words; what the shell line in distinct_words_kernel.c prints. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/example.h"

typedef struct words_state {
  const ex_file *file;
  uint32_t want[2], got[2]; /* words, distinct words */
} words_state;

static void release(void *user) { free(user); }

/* ---- reference: sort the words and count where neighbours differ; shares nothing with the kernel's hash table ---- */

typedef struct word {
  const unsigned char *text;
  size_t length;
} word;

static unsigned char small(unsigned char c) { return c >= 'A' && c <= 'Z' ? (unsigned char)(c + ('a' - 'A')) : c; }
static bool is_letter(unsigned char c) { return small(c) >= 'a' && small(c) <= 'z'; }

static int compare_words(const void *left, const void *right) {
  const word *a = left, *b = right;
  size_t shorter = a->length < b->length ? a->length : b->length;
  for (size_t i = 0; i < shorter; i++) {
    int difference = small(a->text[i]) - small(b->text[i]);
    if (difference) return difference;
  }
  return (a->length > b->length) - (a->length < b->length);
}

/* Stores the words if `words` is not NULL; returns their number. */
static size_t split_words(const ex_file *file, word *words) {
  size_t count = 0;
  for (size_t i = 0; i < file->size;) {
    size_t start = i;
    while (i < file->size && is_letter(file->bytes[i])) i++;
    if (i > start) {
      if (words) words[count] = (word){file->bytes + start, i - start};
      count++;
    } else {
      i++;
    }
  }
  return count;
}

static void *prepare(const ex_file *file, char *why, size_t why_size) {
  words_state *state = calloc(1, sizeof *state);
  size_t count = split_words(file, NULL);
  word *words = ex_alloc(count, sizeof *words);
  if (!state || !words) {
    snprintf(why, why_size, "distinct_words: out of memory");
    free(words);
    release(state);
    return NULL;
  }
  split_words(file, words);
  qsort(words, count, sizeof *words, compare_words);
  state->file = file;
  state->want[0] = (uint32_t)count;
  for (size_t i = 0; i < count; i++) state->want[1] += i == 0 || compare_words(&words[i - 1], &words[i]) != 0;
  free(words);
  return state;
}

static void run(void *user, ex_session *session) {
  words_state *state = user;
  size_t n = state->file->size;
  /* At most every second byte starts a word, so the table is at most half full. */
  size_t slots = 2;
  while (slots < n + 1) slots *= 2;

  wp_buffer *text = ex_buffer(session, state->file->bytes, n);
  wp_buffer *table = ex_buffer_zeroed(session, slots * sizeof(uint32_t));
  wp_buffer *counts = ex_buffer_zeroed(session, sizeof state->got);
  EX_LAUNCH(session, "distinct_words", ex_ceil_div(n, session->block), wp_arg_buffer(text), wp_arg_i32((int32_t)n),
            wp_arg_buffer(table), wp_arg_u32((uint32_t)slots - 1), wp_arg_buffer(counts));
  memset(state->got, 0, sizeof state->got);
  ex_read(session, counts, state->got, sizeof state->got);

  ex_output(session, state->got, sizeof state->got);
  ex_result(session, "%" PRIu32 " distinct words of %" PRIu32, state->got[1], state->got[0]);
  ex_expect_u32(session, "count (0: words, 1: distinct)", state->got, state->want, 2);
}

const ex_example ex_distinct_words = {"distinct_words", "number of different words", prepare, run, release};
