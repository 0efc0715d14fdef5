/* fft_butterfly: radix-2 Fourier transform of frames of a signal, one block a frame.
 *
 * Decimation in time: the samples are read in bit-reversed order, then log2(size) stages follow. In the stage of
 * distance h, element e and its partner e ^ h make a butterfly with the twiddle factor w = exp(-2 pi i (e mod h) /
 * 2h):
 *
 *     lower  a ---+---- a + w b         the lower element is the one whose bit h is 0
 *                  X
 *     upper  b ---+---- a - w b
 *
 * While the partner is in the same warp, wp_shfl_xor(mask, v, h) brings it over: 5 stages on 32 lanes, 6 on 64, no
 * memory, no barrier. The other stages exchange through shared memory. Where that border lies changes who computes
 * an element, not how, so that the result has the same bits on all chips: every product that is added goes into a
 * wp_fma_f32, and wp_sincospi_f32 has the same bits everywhere.
 */
#include <warpport/warpport.h>

#define MAX_SIZE 512 /* samples a frame; a power of two */

typedef struct fft_complex {
  wp_f32 re, im;
} fft_complex;

/* The butterfly as seen by one of its two elements. j = e mod h, inv_h = 1/h. */
WP_DEVICE fft_complex fft_meet(fft_complex own, fft_complex partner, int is_upper, int j, wp_f32 inv_h) {
  fft_complex a = is_upper ? partner : own;
  fft_complex b = is_upper ? own : partner;
  wp_f32 s, c;
  wp_sincospi_f32(-(wp_f32)j * inv_h, &s, &c);
  wp_f32 re = wp_fma_f32(c, b.re, -(s * b.im));
  wp_f32 im = wp_fma_f32(c, b.im, s * b.re);
  fft_complex result;
  result.re = is_upper ? a.re - re : a.re + re;
  result.im = is_upper ? a.im - im : a.im + im;
  return result;
}

/* Frame f is samples f * size ... f * size + size - 1 of in, zeros past the end; its transform goes to the same places of re
 * and im. size: a power of two, 2 ... MAX_SIZE. Grid: ceil(n / size) blocks. */
WP_KERNEL(fft_frames, WP_GLOBAL const wp_u8 *in, WP_GLOBAL wp_f32 *re, WP_GLOBAL wp_f32 *im, int n, int size) {
  WP_SHARED(wp_f32, s_re, MAX_SIZE);
  WP_SHARED(wp_f32, s_im, MAX_SIZE);
  int threads = size; /* a power of two of threads work, so that partners at a distance below `lanes` share a warp */
  while (threads > wp_block_threads()) threads >>= 1;
  int lanes = wp_warp_size();
  while (lanes > threads) lanes >>= 1;
  int rank = wp_thread_rank();
  wp_i64 frame = (wp_i64)wp_block_x() * size;

  int works = rank < threads;
  if (works || WP_UNIFORM_FLOW) { /* devices without sub-groups: all threads make the calls, some with an empty mask */
    wp_mask mask = works ? wp_mask_first(lanes) : 0;
    for (int first = 0; first < size; first += threads) {
      int e = first + rank;
      int reversed = 0;
      for (int bit = 1; bit < size; bit *= 2) reversed = 2 * reversed + ((e & bit) != 0);
      fft_complex v;
      v.re = frame + reversed < n ? (wp_f32)in[frame + reversed] : 0.0f;
      v.im = 0.0f;
      wp_f32 inv_h = 1.0f;
      for (int h = 1; h < lanes; h *= 2) {
        fft_complex partner;
        partner.re = wp_shfl_xor(mask, v.re, h);
        partner.im = wp_shfl_xor(mask, v.im, h);
        v = fft_meet(v, partner, (e & h) != 0, e & (h - 1), inv_h);
        inv_h *= 0.5f;
      }
      if (works) {
        s_re[e] = v.re;
        s_im[e] = v.im;
      }
    }
  }
  WP_BARRIER();

  wp_f32 inv_h = 1.0f;
  for (int h = 1; h < lanes; h *= 2) inv_h *= 0.5f;
  for (int h = lanes; h < size; h *= 2) {
    /* A thread takes whole butterflies here and writes both ends, so no other thread reads what it overwrites. */
    for (int pair = rank; pair < size / 2; pair += wp_block_threads()) {
      int j = pair & (h - 1);
      int low = j + 2 * (pair - j);
      fft_complex a, b;
      a.re = s_re[low];
      a.im = s_im[low];
      b.re = s_re[low + h];
      b.im = s_im[low + h];
      fft_complex sum = fft_meet(a, b, 0, j, inv_h);
      fft_complex difference = fft_meet(b, a, 1, j, inv_h);
      s_re[low] = sum.re;
      s_im[low] = sum.im;
      s_re[low + h] = difference.re;
      s_im[low + h] = difference.im;
    }
    inv_h *= 0.5f;
    WP_BARRIER();
  }

  for (int e = rank; e < size; e += wp_block_threads()) {
    re[frame + e] = s_re[e];
    im[frame + e] = s_im[e];
  }
}
