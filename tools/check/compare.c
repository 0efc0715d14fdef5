/* Two runs of one program: do they leave the same? */
#define _GNU_SOURCE
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *compare_text(const char *a, const char *b) {
  size_t i = 0, line = 1;
  char *text = NULL;
  if (a == NULL || b == NULL || strcmp(a, b) == 0) return NULL;
  for (; a[i] == b[i]; i++) line += a[i] == '\n';
  while (i > 0 && a[i - 1] != '\n') i--;
  if (asprintf(&text, "line %zu of the output is '%.*s' instead of '%.*s'", line, (int)strcspn(b + i, "\n"), b + i,
               (int)strcspn(a + i, "\n"), a + i) < 0)
    return NULL;
  return text;
}

static unsigned word(const read_back *r, size_t at) {
  unsigned w = 0;
  size_t i;
  for (i = 0; i < 4 && at + i < r->kept; i++) w |= (unsigned)r->data[at + i] << (8 * i);
  return w;
}

static char *compare_read(size_t number, const read_back *a, const read_back *b) {
  char *text = NULL;
  size_t i, words = 0, first = 0, kept = a->kept < b->kept ? a->kept : b->kept;
  if (a->hash == b->hash && a->bytes == b->bytes) return NULL;
  if (a->bytes != b->bytes) {
    if (asprintf(&text, "read %zu has %llu bytes instead of %llu", number + 1, (unsigned long long)b->bytes,
                 (unsigned long long)a->bytes) < 0)
      return NULL;
    return text;
  }
  for (i = 0; i + 4 <= kept || i < kept; i += 4) {
    if (word(a, i) == word(b, i)) continue;
    if (words++ == 0) first = i;
  }
  if (words == 0) {
    if (asprintf(&text, "read %zu, after kernel '%s': the data differ beyond the first %zu bytes", number + 1, b->kernel, kept) < 0)
      return NULL;
    return text;
  }
  if (asprintf(&text, "read %zu, after kernel '%s': %zu of %zu 32-bit words differ, first that at byte %llu: 0x%08x instead of 0x%08x",
               number + 1, b->kernel, words, (kept + 3) / 4, (unsigned long long)(a->offset + first), word(b, first), word(a, first)) < 0)
    return NULL;
  return text;
}

/* a is the run that counts as right. */
char *difference(const options *o, const outcome *a, const outcome *b) {
  char *text = NULL;
  size_t i;
  if (o->compare == COMPARE_EXIT) return NULL;
  if (o->compare == COMPARE_OUTPUT) return compare_text(a->output, b->output);
  if (a->read_count != b->read_count) {
    if (asprintf(&text, "the host reads back %zu times instead of %zu", b->read_count, a->read_count) < 0) return NULL;
    return text;
  }
  for (i = 0; i < a->read_count && text == NULL; i++) {
    /* What atomics return depends on their order, which nobody promises. */
    if ((a->reads[i].atomics || b->reads[i].atomics) && !o->strict) continue;
    text = compare_read(i, &a->reads[i], &b->reads[i]);
  }
  return text;
}
