/* warpport/backend/ptx.h: what NVIDIA's chips do the same in every language, as inline PTX (PTX ISA), for CUDA C++ and OpenCL C;
 * included by a backend file, which defines before:
 *   WPB_FN        how a function begins
 *   WPB_PTX_ASM   the language's word for inline assembly
 *   WPB_PTX_SM    compute capability, 70 for 7.0 */
#ifndef WARPPORT_BACKEND_PTX_H
#define WARPPORT_BACKEND_PTX_H

#define WPB_MASK_T wp_u32
#define WPB_MASK_BITS 32
#define WPB_WARP_SIZE 32
#define WPB_MAX_WARP_SIZE 32

WPB_FN int wpb_warp_size(void) { return 32; }
/* %laneid, never threadIdx.x % 32: blocks may have two dimensions. Not volatile, so that it is read once. The compiler learns the
 * range, which the special register does not tell, so that index arithmetic folds. */
WPB_FN int wpb_lane(void) {
  int lane;
  WPB_PTX_ASM("mov.u32 %0, %%laneid;" : "=r"(lane));
#if !defined(__CUDACC_VER_MAJOR__) || defined(__clang__) || __CUDACC_VER_MAJOR__ >= 12 /* older ones lack the built-in */
  __builtin_assume(lane >= 0 && lane < 32);
  return lane;
#else
  return lane & 31;
#endif
}
#define WPB__LANEMASK(which) \
  WPB_FN wp_u32 wpb_lanemask_##which(void) { \
    wp_u32 mask; \
    WPB_PTX_ASM("mov.u32 %0, %%lanemask_" #which ";" : "=r"(mask)); \
    return mask; \
  }
#define WPB_HAS_LANEMASK_LT 1
#define WPB_HAS_LANEMASKS 1
WPB__LANEMASK(lt)
WPB__LANEMASK(le)
WPB__LANEMASK(gt)
WPB__LANEMASK(ge)
#undef WPB__LANEMASK
/* 0 <= n <= 32; of the 64-bit shift only the low word is computed. */
#define WPB_HAS_ONES 1
WPB_FN wp_u32 wpb_ones(int n) { return (wp_u32)(((wp_u64)1 << n) - 1u); }

/* One register pair: no instruction, as the compiler's shifts are none, but fewer of PTX. */
#define WPB_HAS_SPLIT 1
WPB_FN void wpb_split_u64(wp_u64 v, wp_u32 *lo, wp_u32 *hi) {
  WPB_PTX_ASM("mov.b64 {%0, %1}, %2;" : "=r"(*lo), "=r"(*hi) : "l"(v));
}
WPB_FN wp_u64 wpb_join_u64(wp_u32 lo, wp_u32 hi) {
  wp_u64 v;
  WPB_PTX_ASM("mov.b64 %0, {%1, %2};" : "=l"(v) : "r"(lo), "r"(hi));
  return v;
}

#if WPB_PTX_SM >= 90
/* PTX ISA, elect.sync: one leader, the same for equal masks. That it is the lowest lane was measured on sm_90 and is tested. */
#define WPB_HAS_ELECT 1
WPB_FN bool wpb_elect(wp_u32 mask) {
  wp_u32 leads;
  WPB_PTX_ASM volatile("{\n\t.reg .pred p;\n\telect.sync _|p, %1;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                       : "=r"(leads) : "r"(mask) : "memory");
  return leads != 0;
}
#endif

/* PTX ISA, cvt.rn.f16.f32: round to nearest even, denormals kept. cuda_fp16.h is not needed. */
#define WPB_HAS_F16_CVT 1
WPB_FN wp_u16 wpb_f16_from_f32(float f) {
  wp_u16 h;
  WPB_PTX_ASM("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
  return h;
}
WPB_FN float wpb_f32_from_f16(wp_u16 h) {
  float f;
  WPB_PTX_ASM("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
  return f;
}

#if WPB_PTX_SM >= 80
#define WPB_HAS_BF16_CVT 1
WPB_FN wp_u16 wpb_bf16_from_f32(float f) {
  wp_u16 h;
  WPB_PTX_ASM("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(f));
  return h;
}
#endif

/* 16-bit arithmetic, single and packed (PTX ISA: add and mul .f16 from sm_53, .bf16 from sm_90, min and max from sm_80). Rounded
 * to nearest even, denormals kept; .rn also forbids fusing a mul and an add. min and max ignore a NaN, and +0.0 > -0.0. */
#define WPB__OP16(op, text, S) \
  WPB_FN wp_u16 wpb_##op##_##S(wp_u16 a, wp_u16 b) { \
    wp_u16 d; \
    WPB_PTX_ASM(text "." #S " %0, %1, %2;" : "=h"(d) : "h"(a), "h"(b)); \
    return d; \
  } \
  WPB_FN wp_u32 wpb_##op##_##S##x2(wp_u32 a, wp_u32 b) { \
    wp_u32 d; \
    WPB_PTX_ASM(text "." #S "x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); \
    return d; \
  }
#define WPB_HAS_ARITH_F16 1
WPB__OP16(add, "add.rn", f16)
WPB__OP16(mul, "mul.rn", f16)
#if WPB_PTX_SM >= 80
#define WPB_HAS_MINMAX_F16 1
WPB__OP16(min, "min", f16)
WPB__OP16(max, "max", f16)
#define WPB_HAS_MINMAX_BF16 1
WPB__OP16(min, "min", bf16)
WPB__OP16(max, "max", bf16)
#endif
#if WPB_PTX_SM >= 90
#define WPB_HAS_ARITH_BF16 1
WPB__OP16(add, "add.rn", bf16)
WPB__OP16(mul, "mul.rn", bf16)
#endif
#undef WPB__OP16

#endif
