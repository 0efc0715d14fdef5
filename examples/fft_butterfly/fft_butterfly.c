/* fft_butterfly, host part: spectra of the file's bytes, in frames of 16 (fits into most warps) and of 512 samples. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <warpport/warpport.h> /* wp_sincospi_f32 is a plain function on a CPU: the reference uses it */

#include "../common/example.h"

#define SIZES 2
static const int sizes[SIZES] = {16, 512};
#define MAX_SIZE 512          /* as in the kernel */
#define MAX_BYTES (1u << 18)  /* of the file are used */

typedef struct fft_state {
  const unsigned char *in;
  size_t n;
  size_t length[SIZES]; /* n rounded up to whole frames */
  float *want_re[SIZES], *want_im[SIZES];
  double *exact_re[SIZES], *exact_im[SIZES];
  float *output;                        /* re and im of all sizes, one after the other */
  float *got_re[SIZES], *got_im[SIZES]; /* inside output */
  size_t output_length;
} fft_state;

static void release(void *user) {
  fft_state *state = user;
  if (!state) return;
  for (int k = 0; k < SIZES; k++) {
    free(state->want_re[k]);
    free(state->want_im[k]);
    free(state->exact_re[k]);
    free(state->exact_im[k]);
  }
  free(state->output);
  free(state);
}

/* ---- reference ---- */

/* The textbook's loops over one frame, with the kernel's arithmetic. */
static void fft_frame(const float *in, float *re, float *im, int size) {
  for (int e = 0; e < size; e++) {
    int reversed = 0;
    for (int bit = 1; bit < size; bit *= 2) reversed = 2 * reversed + ((e & bit) != 0);
    re[e] = in[reversed];
    im[e] = 0.0f;
  }
  for (int h = 1; h < size; h *= 2) {
    for (int j = 0; j < h; j++) {
      float s, c;
      wp_sincospi_f32(-(float)j / (float)h, &s, &c);
      for (int a = j; a < size; a += 2 * h) {
        int b = a + h;
        float product_re = fmaf(c, re[b], -(s * im[b]));
        float product_im = fmaf(c, im[b], s * re[b]);
        re[b] = re[a] - product_re;
        im[b] = im[a] - product_im;
        re[a] = re[a] + product_re;
        im[a] = im[a] + product_im;
      }
    }
  }
}

/* The definition, in double precision. */
static void dft_frame(const float *in, double *re, double *im, int size, const double *cosine, const double *sine) {
  for (int k = 0; k < size; k++) {
    double sum_re = 0, sum_im = 0;
    for (int t = 0; t < size; t++) {
      int turn = (int)((unsigned)k * (unsigned)t % (unsigned)size);
      sum_re += (double)in[t] * cosine[turn];
      sum_im -= (double)in[t] * sine[turn];
    }
    re[k] = sum_re;
    im[k] = sum_im;
  }
}

static void *prepare(const ex_file *file, char *why, size_t why_size) {
  fft_state *state = calloc(1, sizeof *state);
  bool fine = state != NULL;
  if (fine) {
    state->in = file->bytes;
    state->n = file->size < MAX_BYTES ? file->size : MAX_BYTES;
    for (int k = 0; k < SIZES; k++) {
      size_t length = ex_ceil_div(state->n, (size_t)sizes[k]) * (size_t)sizes[k];
      state->length[k] = length;
      state->want_re[k] = ex_alloc(length, sizeof(float));
      state->want_im[k] = ex_alloc(length, sizeof(float));
      state->exact_re[k] = ex_alloc(length, sizeof(double));
      state->exact_im[k] = ex_alloc(length, sizeof(double));
      state->output_length += 2 * length;
      fine = fine && state->want_re[k] && state->want_im[k] && state->exact_re[k] && state->exact_im[k];
    }
    state->output = ex_alloc(state->output_length, sizeof(float));
    fine = fine && state->output;
  }
  if (!fine) {
    snprintf(why, why_size, "fft_butterfly: out of memory");
    release(state);
    return NULL;
  }
  const double pi = acos(-1.0);
  float *place = state->output;
  for (int k = 0; k < SIZES; k++) {
    double cosine[MAX_SIZE], sine[MAX_SIZE];
    float frame[MAX_SIZE];
    for (int t = 0; t < sizes[k]; t++) {
      cosine[t] = cos(2 * pi * t / sizes[k]);
      sine[t] = sin(2 * pi * t / sizes[k]);
    }
    for (size_t first = 0; first < state->length[k]; first += (size_t)sizes[k]) {
      for (size_t t = 0; t < (size_t)sizes[k]; t++) frame[t] = first + t < state->n ? (float)file->bytes[first + t] : 0.0f;
      fft_frame(frame, state->want_re[k] + first, state->want_im[k] + first, sizes[k]);
      dft_frame(frame, state->exact_re[k] + first, state->exact_im[k] + first, sizes[k], cosine, sine);
    }
    state->got_re[k] = place;
    state->got_im[k] = place + state->length[k];
    place += 2 * state->length[k];
  }
  return state;
}

/* The error of a frame, as 2-norm, is at most 6e-7 of the frame's 2-norm for each of its log2(size) stages: a stage adds the
 * twiddle's error (2e-7 absolute in each part) and three roundings (6e-8 each). */
static void check_accuracy(const fft_state *state, ex_session *session, int k) {
  for (size_t first = 0; first < state->length[k]; first += (size_t)sizes[k]) {
    double error = 0, norm = 0;
    for (size_t e = first; e < first + (size_t)sizes[k]; e++) {
      double d_re = (double)state->got_re[k][e] - state->exact_re[k][e];
      double d_im = (double)state->got_im[k][e] - state->exact_im[k][e];
      error += d_re * d_re + d_im * d_im;
      norm += state->exact_re[k][e] * state->exact_re[k][e] + state->exact_im[k][e] * state->exact_im[k][e];
    }
    ex_expect(session, sqrt(error) <= 6e-7 * log2(sizes[k]) * sqrt(norm), "frame %zu of %d: relative error %.3g against double",
              first / (size_t)sizes[k], sizes[k], sqrt(error / norm));
  }
}

static void run(void *user, ex_session *session) {
  fft_state *state = user;
  wp_buffer *in = ex_buffer(session, state->in, state->n);
  for (int k = 0; k < SIZES; k++) {
    size_t bytes = state->length[k] * sizeof(float);
    wp_buffer *re = ex_buffer(session, NULL, bytes);
    wp_buffer *im = ex_buffer(session, NULL, bytes);
    EX_LAUNCH(session, "fft_frames", state->length[k] / (size_t)sizes[k], wp_arg_buffer(in), wp_arg_buffer(re), wp_arg_buffer(im),
              wp_arg_i32((int32_t)state->n), wp_arg_i32(sizes[k]));
    ex_read(session, re, state->got_re[k], bytes);
    ex_read(session, im, state->got_im[k], bytes);
  }
  if (session->failed) return;

  /* The strongest frequency of the mean power spectrum, the constant part aside. */
  int longest = SIZES - 1, size = sizes[longest], strongest = 1;
  double power[MAX_SIZE] = {0};
  for (size_t e = 0; e < state->length[longest]; e++) {
    double re = (double)state->got_re[longest][e], im = (double)state->got_im[longest][e];
    power[e % (size_t)size] += re * re + im * im;
  }
  for (int b = 1; b <= size / 2; b++) {
    if (power[b] > power[strongest]) strongest = b;
  }
  ex_output(session, state->output, state->output_length * sizeof(float));
  ex_result(session, "%zu frames of %d, strongest frequency %d/%d", state->length[longest] / (size_t)size, size, strongest, size);
  for (int k = 0; k < SIZES; k++) {
    ex_expect_f32(session, sizes[k] == 16 ? "re of 16" : "re of 512", state->got_re[k], state->want_re[k], state->length[k]);
    ex_expect_f32(session, sizes[k] == 16 ? "im of 16" : "im of 512", state->got_im[k], state->want_im[k], state->length[k]);
    check_accuracy(state, session, k);
  }
}

const ex_example ex_fft_butterfly = {"fft_butterfly", "radix-2 Fourier transform of frames", prepare, run, release};
