/* column_stats, host part: count, mean, standard deviation, smallest and largest value of a column of the file. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/example.h"

#define CHUNK 256 /* as in the kernel */
#define MAX_COLUMNS 64
#define MAX_FIELD 64

typedef struct column_state {
  char what[32];  /* "line length" or "field 3" */
  float *x;
  size_t n;
  float *squares; /* reference: squared deviations */
  float *got;
  float sum, low, high, mean, squares_sum; /* reference */
  double exact_mean, exact_variance;
  float output[5];
} column_state;

/* ---- the column ---- */

/* A plain decimal number of its own, as awk takes it; no "nan", no hexadecimal. */
static bool parse_number(const char *text, size_t length, float *value) {
  char copy[MAX_FIELD];
  if (length == 0 || length >= sizeof copy) return false;
  for (size_t i = 0; i < length; i++) {
    if (!isdigit((unsigned char)text[i]) && !strchr("+-.eE", text[i])) return false;
    if (text[i] == '\0') return false;
  }
  memcpy(copy, text, length);
  copy[length] = '\0';
  char *end;
  *value = strtof(copy, &end);
  return end == copy + length && isfinite(*value);
}

static bool is_separator(unsigned char c) { return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r'; }

/* Calls visit for each field of each line. */
typedef void field_visit(void *user, int field, const char *text, size_t length);
static void each_field(const ex_file *file, field_visit *visit, void *user) {
  int field = 0;
  for (size_t i = 0; i < file->size;) {
    unsigned char c = file->bytes[i];
    if (c == '\n') field = 0;
    if (c == '\n' || is_separator(c)) {
      i++;
      continue;
    }
    size_t start = i;
    while (i < file->size && file->bytes[i] != '\n' && !is_separator(file->bytes[i])) i++;
    if (field < MAX_COLUMNS) visit(user, field, (const char *)file->bytes + start, i - start);
    field++;
  }
}

typedef struct column_count {
  size_t lines, numbers[MAX_COLUMNS];
} column_count;
static void count_field(void *user, int field, const char *text, size_t length) {
  column_count *count = user;
  float value;
  if (field == 0) count->lines++;
  if (parse_number(text, length, &value)) count->numbers[field]++;
}

typedef struct column_fill {
  column_state *state;
  int field;
} column_fill;
static void take_field(void *user, int field, const char *text, size_t length) {
  column_fill *fill = user;
  float value;
  if (field == fill->field && parse_number(text, length, &value)) fill->state->x[fill->state->n++] = value;
}

/* The first field that is a number in at least 9 of 10 lines that are not blank; failing that, the lengths of the lines. */
static bool find_column(const ex_file *file, column_state *state) {
  column_count count;
  memset(&count, 0, sizeof count);
  each_field(file, count_field, &count);
  for (int field = 0; field < MAX_COLUMNS; field++) {
    if (count.numbers[field] < 2 || count.numbers[field] < count.lines - count.lines / 10) continue;
    snprintf(state->what, sizeof state->what, "field %d", field + 1);
    state->x = ex_alloc(count.numbers[field], sizeof *state->x);
    if (!state->x) return false;
    column_fill fill = {state, field};
    each_field(file, take_field, &fill);
    return true;
  }
  snprintf(state->what, sizeof state->what, "line length");
  uint32_t *lengths = ex_line_lengths(file, &state->n);
  if (!lengths) return false;
  state->x = ex_alloc(state->n, sizeof *state->x);
  if (state->x) {
    for (size_t i = 0; i < state->n; i++) state->x[i] = (float)lengths[i];
  }
  free(lengths);
  return state->x != NULL;
}

/* ---- reference ---- */

/* The kernel's tree, in as many words: join neighbours until one is left. Overwrites x. */
static float tree_sum(float *x, size_t n) {
  for (; n > 1; n = (n + 1) / 2) {
    for (size_t i = 0; i < n / 2; i++) x[i] = x[2 * i] + x[2 * i + 1];
    if (n % 2) x[n / 2] = x[n - 1];
  }
  return x[0];
}

static void release(void *user) {
  column_state *state = user;
  if (!state) return;
  free(state->x);
  free(state->squares);
  free(state->got);
  free(state);
}

static void *prepare(const ex_file *file, char *why, size_t why_size) {
  column_state *state = calloc(1, sizeof *state);
  bool fine = state && find_column(file, state);
  if (fine) {
    state->squares = ex_alloc(state->n, sizeof(float));
    state->got = ex_alloc(state->n, sizeof(float));
    fine = state->squares && state->got;
  }
  if (!fine) {
    snprintf(why, why_size, "column_stats: out of memory");
    release(state);
    return NULL;
  }
  size_t n = state->n;
  state->low = state->high = state->x[0];
  double sum = 0, squares = 0;
  for (size_t i = 0; i < n; i++) {
    state->low = fminf(state->low, state->x[i]);
    state->high = fmaxf(state->high, state->x[i]);
    sum += (double)state->x[i];
  }
  state->exact_mean = sum / (double)n;
  for (size_t i = 0; i < n; i++) squares += ((double)state->x[i] - state->exact_mean) * ((double)state->x[i] - state->exact_mean);
  state->exact_variance = n > 1 ? squares / (double)(n - 1) : 0;

  memcpy(state->got, state->x, n * sizeof(float)); /* as scratch */
  state->sum = tree_sum(state->got, n);
  state->mean = state->sum / (float)n;
  for (size_t i = 0; i < n; i++) {
    float deviation = state->x[i] - state->mean;
    state->squares[i] = deviation * deviation;
  }
  memcpy(state->got, state->squares, n * sizeof(float));
  state->squares_sum = tree_sum(state->got, n);
  return state;
}

/* ---- device ---- */

typedef struct column_parts {
  wp_buffer *sum, *low, *high;
} column_parts;

/* Level by level until one part is left; x is not changed. */
static column_parts reduce_column(ex_session *session, wp_buffer *x, size_t n) {
  column_parts in = {x, x, x};
  do {
    size_t chunks = ex_ceil_div(n, CHUNK);
    column_parts out;
    out.sum = ex_buffer(session, NULL, chunks * sizeof(float));
    out.low = ex_buffer(session, NULL, chunks * sizeof(float));
    out.high = ex_buffer(session, NULL, chunks * sizeof(float));
    EX_LAUNCH(session, "column_level", chunks, wp_arg_buffer(in.sum), wp_arg_buffer(in.low), wp_arg_buffer(in.high),
              wp_arg_buffer(out.sum), wp_arg_buffer(out.low), wp_arg_buffer(out.high), wp_arg_i32((int32_t)n));
    in = out;
    n = chunks;
  } while (n > 1);
  return in;
}

static bool near(double got, double want, double scale) { return fabs(got - want) <= 1e-5 * scale; }

static void run(void *user, ex_session *session) {
  column_state *state = user;
  size_t bytes = state->n * sizeof(float);
  float sum = 0, low = 0, high = 0, squares_sum = 0;

  wp_buffer *x = ex_buffer(session, state->x, bytes);
  column_parts parts = reduce_column(session, x, state->n);
  ex_read(session, parts.sum, &sum, sizeof sum);
  ex_read(session, parts.low, &low, sizeof low);
  ex_read(session, parts.high, &high, sizeof high);
  float mean = sum / (float)state->n;

  wp_buffer *squares = ex_buffer(session, NULL, bytes);
  EX_LAUNCH(session, "column_deviation", ex_ceil_div(state->n, 4u * session->block), wp_arg_buffer(x), wp_arg_buffer(squares),
            wp_arg_f32(mean), wp_arg_i32((int32_t)state->n));
  parts = reduce_column(session, squares, state->n);
  ex_read(session, parts.sum, &squares_sum, sizeof squares_sum);
  ex_read(session, squares, state->got, bytes);
  float variance = state->n > 1 ? squares_sum / (float)(state->n - 1) : 0.0f;

  float output[5] = {sum, mean, squares_sum, low, high};
  memcpy(state->output, output, sizeof output);
  ex_output(session, state->output, sizeof state->output);
  ex_result(session, "%s: n %zu, mean %.6g, stddev %.6g, min %g, max %g", state->what, state->n, (double)mean,
            sqrt((double)variance), (double)low, (double)high);

  ex_expect_f32(session, "sum", &sum, &state->sum, 1);
  ex_expect_f32(session, "min", &low, &state->low, 1);
  ex_expect_f32(session, "max", &high, &state->high, 1);
  ex_expect_f32(session, "squared deviation", state->got, state->squares, state->n);
  ex_expect_f32(session, "sum of squared deviations", &squares_sum, &state->squares_sum, 1);
  /* And the float answer itself is good: against double, relative to the largest value and to the variance. */
  double largest = fmax(fabs((double)low), fabs((double)high));
  ex_expect(session, near((double)mean, state->exact_mean, largest), "mean %.9g, in double %.9g", (double)mean,
            state->exact_mean);
  ex_expect(session, near((double)variance, state->exact_variance, state->exact_variance + 1e-5 * largest * largest),
            "variance %.9g, in double %.9g", (double)variance, state->exact_variance);
}

const ex_example ex_column_stats = {"column_stats", "mean, deviation, min and max of a column", prepare, run, release};
