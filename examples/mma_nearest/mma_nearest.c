/* mma_nearest: which two lines of a file are most alike? Each line becomes 64 numbers (how often pairs of its bytes fall into each of 64
 * bins, scaled to length 1), and for every line the other one with the largest inner product is found, on matrix units where there are
 * some. Prints the closest pairs, checks against double precision, and times the fused kernel against product and search one after
 * the other.
 *
 *   mma_nearest [DEVICE [FILE [ROWS]]]    ROWS: that many random rows instead of the file's, for timing */
#include <warpport/launch.h>

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { K = 64, MOST_LINES = 1 << 16 };

static void need(wp_status status, const char *what) {
  if (status == WP_OK) return;
  fprintf(stderr, "mma_nearest: %s: %s\n", what, wp_last_error());
  exit(1);
}

/* float to binary16, for numbers from 0 to 1: round to nearest even. */
static uint16_t half(float f) {
  uint32_t u, shift, m, rest, middle;
  memcpy(&u, &f, 4);
  if (u >= 0x38800000u) return (uint16_t)(((u + 0xfffu + (u >> 13 & 1u)) >> 13) - (112u << 10));
  if (u <= 0x33000000u) return 0;
  shift = 126u - (u >> 23);
  m = (u & 0x7fffffu) | 0x800000u;
  rest = m & ((1u << shift) - 1u);
  middle = 1u << (shift - 1u);
  m >>= shift;
  return (uint16_t)(m + (rest > middle || (rest == middle && (m & 1u) != 0)));
}
/* Of a half without sign. */
static double number(uint16_t h) {
  static double known[32768];
  if (known[1] <= 0)
    for (int i = 0; i < 32768; i++) known[i] = i < 1024 ? ldexp(i, -24) : ldexp(1024 + (i & 1023), (i >> 10) - 25);
  return known[h & 32767];
}

static void row_of(const char *text, size_t length, uint16_t *row) {
  double count[K] = {0}, sum = 0;
  for (size_t i = 0; i + 1 < length; i++) count[((unsigned)(unsigned char)text[i] * 31u + (unsigned char)text[i + 1]) % K] += 1;
  for (int k = 0; k < K; k++) sum += count[k] * count[k];
  for (int k = 0; k < K; k++) row[k] = half(sum > 0 ? (float)(count[k] / sqrt(sum)) : 0.0f);
}

static double inner(const uint16_t *x, const uint16_t *y) {
  double sum = 0;
  for (int k = 0; k < K; k++) sum += number(x[k]) * number(y[k]);
  return sum;
}

static char *read_file(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  char *text = malloc(1 << 24);
  if (!f || !text) {
    fprintf(stderr, "mma_nearest: cannot read %s\n", path);
    exit(1);
  }
  *size = fread(text, 1, 1 << 24, f);
  fclose(f);
  return text;
}

/* Products of halves are exact in f32; K of them add up to at most 1 (Cauchy-Schwarz) with K roundings or truncations of 2^-23 each. */
static const double BOUND = K * 1.1920929e-7;

static int compare(const char *what, const uint16_t *x, int n, int step, const float *score, const int32_t *index) {
  double worst = 0;
  int wrong = 0, checked = 0;
  for (int row = 0; row < n; row += step) {
    double best = -1;
    for (int other = 0; other < n; other++) {
      if (other == row) continue;
      double s = inner(x + (size_t)row * K, x + (size_t)other * K);
      if (s > best) best = s;
    }
    double claimed = index[row] >= 0 && index[row] < n && index[row] != row ? inner(x + (size_t)row * K, x + (size_t)index[row] * K) : -2;
    double error = fmax(fabs(score[row] - best), best - claimed);
    if (error > worst) worst = error;
    if (!(error <= 2 * BOUND)) wrong++;
    checked++;
  }
  printf("%s: %d rows compared with double precision, largest error %.2g (bound %.2g), %d wrong\n", what, checked, worst, 2 * BOUND, wrong);
  return wrong;
}

int main(int argc, char **argv) {
  const char *device = argc > 1 ? argv[1] : "cpu:32", *path = argc > 2 ? argv[2] : "/usr/share/common-licenses/GPL-3";
  int rows = argc > 3 ? atoi(argv[3]) : 0, n = 0;
  uint16_t *x = calloc((size_t)(rows > 0 ? rows : MOST_LINES) * K, sizeof *x);
  const char **lines = calloc(MOST_LINES, sizeof *lines);
  int *lengths = calloc(MOST_LINES, sizeof *lengths);
  char *text = NULL;
  if (!x || !lines || !lengths || argc > 4 || rows < 0 || rows > MOST_LINES) {
    fprintf(stderr, "usage: mma_nearest [DEVICE [FILE [ROWS]]], ROWS to %d\n", MOST_LINES);
    return 2;
  }
  if (rows > 0) {
    uint32_t seed = 2463534242u;
    for (n = 0; n < rows; n++) {
      char line[48];
      for (size_t i = 0; i < sizeof line; i++) {
        seed ^= seed << 13; seed ^= seed >> 17; seed ^= seed << 5;
        line[i] = (char)('a' + (seed >> 8) % 26);
      }
      row_of(line, sizeof line, x + (size_t)n * K);
    }
  } else {
    size_t size;
    text = read_file(path, &size);
    for (size_t at = 0; at < size && n < MOST_LINES;) {
      size_t end = at;
      while (end < size && text[end] != '\n') end++;
      while (at < end && text[at] == ' ') at++;
      if (end - at >= 16) { /* long enough to be like another */
        row_of(text + at, end - at, x + (size_t)n * K);
        lines[n] = text + at;
        lengths[n++] = (int)(end - at);
      }
      at = end + 1;
    }
  }
  if (n < 2) {
    fprintf(stderr, "mma_nearest: %s has fewer than two lines of 16 characters or more\n", path);
    return 1;
  }

  wp_device *dev;
  wp_kernel *fused, *scores, *best, *kind;
  wp_buffer *xb, *sb, *ib, *all, *kb;
  int32_t what[2];
  double ms = 0, first = 1e30, product = 1e30, search = 1e30;
  static const char *const names[] = {"portable", "mma.sync", "mfma", "wmma"};
  need(wp_device_open(device, &dev), "device");
  need(wp_buffer_create(dev, (size_t)n * K * 2, &xb), "rows");
  need(wp_buffer_write(xb, 0, x, (size_t)n * K * 2), "rows");
  need(wp_buffer_create(dev, (size_t)n * 4, &sb), "scores");
  need(wp_buffer_create(dev, (size_t)n * 4, &ib), "indices");
  need(wp_buffer_create(dev, (size_t)n * (size_t)n * 4, &all), "all scores");
  need(wp_buffer_create(dev, 8, &kb), "kind");
  need(wp_kernel_find(dev, "nearest_fused", &fused), "kernel");
  need(wp_kernel_find(dev, "nearest_scores", &scores), "kernel");
  need(wp_kernel_find(dev, "nearest_best", &best), "kernel");
  need(wp_kernel_find(dev, "nearest_kind", &kind), "kernel");
  wp_arg ka[1] = {wp_arg_buffer(kb)};
  need(wp_launch(kind, &(wp_launch_config){{1, 1, 1}, {1, 1, 1}, NULL}, ka, 1), "launch");
  need(wp_buffer_read(kb, 0, what, 8), "kind");
  printf("%s: %s; %d rows of %d, matrix unit: %s\n", wp_device_name(dev), wp_device_description(dev), n, K, names[what[0] & 3]);

  int warps = 128 / what[1];
  unsigned tiles = (unsigned)((n + 15) / 16), blocks = (tiles + (unsigned)warps - 1) / (unsigned)warps;
  unsigned row_blocks = ((unsigned)n + (unsigned)warps - 1) / (unsigned)warps;
  wp_arg fa[4] = {wp_arg_buffer(xb), wp_arg_buffer(sb), wp_arg_buffer(ib), wp_arg_i32(n)};
  wp_arg pa[3] = {wp_arg_buffer(xb), wp_arg_buffer(all), wp_arg_i32(n)};
  wp_arg ba[4] = {wp_arg_buffer(all), wp_arg_buffer(sb), wp_arg_buffer(ib), wp_arg_i32(n)};
  float *score = malloc((size_t)n * 4);
  int32_t *index = malloc((size_t)n * 4);
  if (!score || !index) return 1;
  int wrong = 0, repeats = rows > 0 ? 9 : 1;
  /* The smallest of several times: what the chip can do. Results are compared each time they are new. */
  for (int i = 0; i < repeats; i++) {
    if (i == 0) need(wp_buffer_fill(sb, 0xff), "fill");
    need(wp_launch(fused, &(wp_launch_config){{blocks, 1, 1}, {128, 1, 1}, &ms}, fa, 4), "nearest_fused");
    if (ms < first) first = ms;
  }
  need(wp_buffer_read(sb, 0, score, (size_t)n * 4), "read");
  need(wp_buffer_read(ib, 0, index, (size_t)n * 4), "read");
  int step = n > 2048 ? n / 512 : 1;
  wrong += compare("fused", x, n, step, score, index);
  int pair = 0;
  for (int i = 1; i < n; i++) if (score[i] > score[pair]) pair = i;
  need(wp_buffer_fill(sb, 0xff), "fill");
  need(wp_buffer_fill(ib, 0xff), "fill");
  for (int i = 0; i < repeats; i++) {
    need(wp_launch(scores, &(wp_launch_config){{blocks, 1, 1}, {128, 1, 1}, &ms}, pa, 3), "nearest_scores");
    if (ms < product) product = ms;
    need(wp_launch(best, &(wp_launch_config){{row_blocks, 1, 1}, {128, 1, 1}, &ms}, ba, 4), "nearest_best");
    if (ms < search) search = ms;
  }
  need(wp_buffer_read(sb, 0, score, (size_t)n * 4), "read");
  need(wp_buffer_read(ib, 0, index, (size_t)n * 4), "read");
  wrong += compare("one after the other", x, n, step, score, index);
  printf("fused %.3f ms; product %.3f ms + search %.3f ms = %.3f ms: %.2f times as long\n", first, product, search, product + search,
         (product + search) / first);
  if (rows == 0) {
    int other = index[pair];
    printf("closest: %.5f\n  %.*s\n  %.*s\n", (double)score[pair], lengths[pair] < 100 ? lengths[pair] : 100, lines[pair],
           lengths[other] < 100 ? lengths[other] : 100, lines[other]);
  }
  wp_buffer_destroy(xb);
  wp_buffer_destroy(sb);
  wp_buffer_destroy(ib);
  wp_buffer_destroy(all);
  wp_buffer_destroy(kb);
  wp_device_close(dev);
  free(score);
  free(index);
  free(x);
  free(lines);
  free(lengths);
  free(text);
  return wrong != 0;
}
