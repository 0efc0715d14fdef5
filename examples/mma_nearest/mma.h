/* mma.h: a 16-row product on the matrix unit, as one warp does it, in terms that do not depend on the chip.
 *
 *   C[16][MMA_COLS] += A[16][16] * B[16][MMA_COLS], A and B in f16, C in f32
 *
 * Each lane holds MMA_A words of A, MMA_B words of B (a word: two neighbouring k) and MMA_ROWS * MMA_PER_ROW elements of C. Which ones,
 * the functions mma_a_row() ... say; MMA_LANES lanes next to each other hold one row of C. So the caller gets operands to their lanes
 * by shuffles, and brings results together by shuffles, without knowing the chip.
 *
 *   MMA_NAME "mma.sync"  NVIDIA sm_80 and later: m16n8k16 (PTX ISA, matrix fragments for mma.m16n8k16)
 *            "mfma"      AMD gfx90a, gfx940 ...: 16x16x16f16, 64 lanes (AMD CDNA ISA, matrix core instructions)
 *            "wmma"      AMD gfx11: 16x16x16, 32 lanes, operands twice (AMD RDNA3 ISA, WMMA)
 *            "portable"  everywhere else, and with MMA_PORTABLE: the layout of mma.sync, by shuffles and fma */
#ifndef MMA_H
#define MMA_H

#if defined(MMA_PORTABLE)
#define MMA_KIND 0
#elif defined(__CUDA_ARCH__) && WARPPORT_BACKEND == WARPPORT_BACKEND_CUDA && __CUDA_ARCH__ >= 800
#define MMA_KIND 1
#elif defined(__gfx90a__) || defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__) || defined(__gfx950__)
#define MMA_KIND 2
#elif defined(__gfx1100__) || defined(__gfx1101__) || defined(__gfx1102__) || defined(__gfx1103__) || defined(__gfx1150__) || defined(__gfx1151__)
#define MMA_KIND 3
#else
#define MMA_KIND 0
#endif

#if MMA_KIND == 2

#define MMA_COLS 16
#define MMA_A 2
#define MMA_B 2
#define MMA_ROWS 4
#define MMA_PER_ROW 1
#define MMA_LANES 16
WP_DEVICE int mma_a_row(int lane, int i) { (void)i; return lane & 15; }
WP_DEVICE int mma_a_word(int lane, int i) { return 2 * (lane >> 4) + i; }
WP_DEVICE int mma_b_col(int lane, int i) { (void)i; return lane & 15; }
WP_DEVICE int mma_b_word(int lane, int i) { return 2 * (lane >> 4) + i; }
WP_DEVICE int mma_c_row(int lane, int r) { return 4 * (lane >> 4) + r; }
WP_DEVICE int mma_c_col(int lane, int r, int j) { (void)r; (void)j; return lane & 15; }
typedef _Float16 mma_half4 __attribute__((ext_vector_type(4)));
typedef float mma_float4 __attribute__((ext_vector_type(4)));
WP_DEVICE void mma(float *c, const wp_u32 *a, const wp_u32 *b) {
  mma_half4 x, y;
  mma_float4 z = {c[0], c[1], c[2], c[3]};
  __builtin_memcpy(&x, a, 8);
  __builtin_memcpy(&y, b, 8);
  z = __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, z, 0, 0, 0);
  for (int i = 0; i < 4; i++) c[i] = z[i];
}

#elif MMA_KIND == 3

#define MMA_COLS 16
#define MMA_A 8
#define MMA_B 8
#define MMA_ROWS 8
#define MMA_PER_ROW 1
#define MMA_LANES 16
WP_DEVICE int mma_a_row(int lane, int i) { (void)i; return lane & 15; }
WP_DEVICE int mma_a_word(int lane, int i) { (void)lane; return i; }
WP_DEVICE int mma_b_col(int lane, int i) { (void)i; return lane & 15; }
WP_DEVICE int mma_b_word(int lane, int i) { (void)lane; return i; }
WP_DEVICE int mma_c_row(int lane, int r) { return 2 * r + (lane >> 4); }
WP_DEVICE int mma_c_col(int lane, int r, int j) { (void)r; (void)j; return lane & 15; }
typedef _Float16 mma_half16 __attribute__((ext_vector_type(16)));
typedef float mma_float8 __attribute__((ext_vector_type(8)));
WP_DEVICE void mma(float *c, const wp_u32 *a, const wp_u32 *b) {
  mma_half16 x, y;
  mma_float8 z;
  __builtin_memcpy(&x, a, 32);
  __builtin_memcpy(&y, b, 32);
  __builtin_memcpy(&z, c, 32);
  z = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x, y, z);
  __builtin_memcpy(c, &z, 32);
}

#else /* the layout of mma.sync.m16n8k16: four lanes a row */

#define MMA_COLS 8
#define MMA_A 4
#define MMA_B 2
#define MMA_ROWS 2
#define MMA_PER_ROW 2
#define MMA_LANES 4
WP_DEVICE int mma_a_row(int lane, int i) { return (lane >> 2) + 8 * (i & 1); }
WP_DEVICE int mma_a_word(int lane, int i) { return (lane & 3) + 4 * (i >> 1); }
WP_DEVICE int mma_b_col(int lane, int i) { (void)i; return lane >> 2; }
WP_DEVICE int mma_b_word(int lane, int i) { return (lane & 3) + 4 * i; }
WP_DEVICE int mma_c_row(int lane, int r) { return (lane >> 2) + 8 * r; }
WP_DEVICE int mma_c_col(int lane, int r, int j) { (void)r; return 2 * (lane & 3) + j; }

#if MMA_KIND == 1
WP_DEVICE void mma(float *c, const wp_u32 *a, const wp_u32 *b) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
#else
/* The two products of the halves in a and b, added to c. */
WP_DEVICE float mma_pair(float c, wp_u32 a, wp_u32 b) {
  wp_f16x2 x, y;
  x.bits = a;
  y.bits = b;
  c = wp_fma_f32(wp_f32_from_f16(wp_f16x2_get(x, 0)), wp_f32_from_f16(wp_f16x2_get(y, 0)), c);
  return wp_fma_f32(wp_f32_from_f16(wp_f16x2_get(x, 1)), wp_f32_from_f16(wp_f16x2_get(y, 1)), c);
}
WP_DEVICE void mma(float *c, const wp_u32 *a, const wp_u32 *b) {
  wp_mask all = wp_mask_all();
  int lane = wp_lane(), row = lane & ~3, t, i, j, k;
  for (t = 0; t < 4; t++) { /* four lanes hold a row of A, or a column of B */
    for (k = 0; k < 2; k++) {
      for (j = 0; j < 2; j++) {
        wp_u32 y = wp_shfl_u32(all, b[k], 4 * (2 * (lane & 3) + j) + t, wp_warp_size());
        for (i = 0; i < 2; i++) c[2 * i + j] = mma_pair(c[2 * i + j], wp_shfl_u32(all, a[i + 2 * k], row + t, wp_warp_size()), y);
      }
    }
  }
}
#endif
#endif

#endif
