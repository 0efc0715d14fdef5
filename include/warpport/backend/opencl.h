/* warpport/backend/opencl.h: OpenCL C 1.2, 2.0, 3.0 (no generic address space needed).
 *
 * OpenCL leaves the warp open: some implementations have sub-groups with shuffles, some have them under another name, some have none.
 * Each way of exchanging values is a dialect, one section below. The compiler's macros choose it; WARPPORT_OPENCL_DIALECT overrides.
 *
 *   KHR       cl_khr_subgroup_shuffle, _shuffle_relative, _ballot, _non_uniform_arithmetic (OpenCL Extension Specification)
 *   INTEL     cl_intel_subgroups, where the Khronos shuffles are absent
 *   NVIDIA    no sub-groups, but inline PTX
 *   AMD       the amdgcn target's builtins
 *   QUALCOMM  cl_qcom_subgroup_shuffle: relative shuffles only. Written from documentation, never run
 *   EMULATED  warps emulated through local memory: every thread of the block must reach every collective
 *
 * What a host program may define (libwarpport's launcher does, from what it asks the driver):
 *   WARPPORT_OPENCL_DIALECT           one of the numbers below
 *   WARPPORT_OPENCL_SUB_GROUP_SIZE    required sub-group size, where cl_intel_required_subgroup_size is offered
 *   WARPPORT_OPENCL_MAX_SUB_GROUP     lanes of the device's largest sub-group; a larger WARPPORT_WARP_SIZE is then emulated, and masks
 *                                     have 32 bits where that is enough
 *   WARPPORT_OPENCL_EMULATED_WARP     lanes of an emulated warp, 1 ... 64; default WARPPORT_WARP_SIZE, else 32
 *   WARPPORT_OPENCL_STORAGE_ARGUMENT  emulated warps get their local memory as a hidden first kernel argument of
 *                                     4 * (threads of the block + 1) bytes; without it a kernel declares WP_WARP_STORAGE;
 *   WARPPORT_OPENCL_MAX_BLOCK         threads of the largest block that WP_WARP_STORAGE has room for; default 1024
 *   WARPPORT_OPENCL_UNIFORM_FLOW      the implementation is wrong in divergent flow (PoCL): as for emulated warps, every thread of
 *                                     the block must reach every collective
 *   WARPPORT_OPENCL_SUB_GROUP_BARRIER wp_sync() must wait, and sub_group_barrier() may stand in branches (Intel's CPU runtime, which
 *                                     runs parts of a kernel lane by lane)
 *   WARPPORT_OPENCL_LINEAR            sub-groups are runs of consecutive threads. Mesa's compiler up to 26.2 crashes on values derived
 *                                     from get_sub_group_id() near loops with shuffles; this avoids them
 *   WARPPORT_OPENCL_SOFT_FMA          fma() flushes denormal floats and rounds doubles twice (Mesa's up to 26.2): computed in integers
 *   WARPPORT_OPENCL_NV_SM             compute capability of an NVIDIA device times 10: 80 and up have redux, 90 elect */
#ifndef WARPPORT_BACKEND_OPENCL_H
#define WARPPORT_BACKEND_OPENCL_H

#include "../types.h"

/* a * b + c stays two roundings, so that sums have the same bits on every backend. */
#pragma OPENCL FP_CONTRACT OFF

/* PoCL names built-in functions by macros without arguments (#define min _cl_min), which also change a `min` that is to become part
 * of a longer name. With arguments they leave that alone. */
#if defined(POCL_DEVICE_ADDRESS_BITS) && defined(min) && defined(rotate)
#undef min
#undef max
#undef any
#undef all
#undef rotate
#define min(...) _cl_min(__VA_ARGS__)
#define max(...) _cl_max(__VA_ARGS__)
#define any(...) _cl_any(__VA_ARGS__)
#define all(...) _cl_all(__VA_ARGS__)
#define rotate(...) _cl_rotate(__VA_ARGS__)
#endif

#define WARPPORT_OPENCL_KHR 1
#define WARPPORT_OPENCL_INTEL 2
#define WARPPORT_OPENCL_NVIDIA 3
#define WARPPORT_OPENCL_AMD 4
#define WARPPORT_OPENCL_QUALCOMM 5
#define WARPPORT_OPENCL_EMULATED 6

/* cl_khr_subgroup_* are also defined where the functions are not (Mesa in 1.2 mode), so the base feature is asked for, too. */
#if defined(__opencl_c_subgroups) || defined(cl_khr_subgroups)
#define WPB__SUB_GROUPS 1
#else
#define WPB__SUB_GROUPS 0
#endif

#ifndef WARPPORT_OPENCL_DIALECT
#if defined(WARPPORT_WARP_SIZE) && defined(WARPPORT_OPENCL_MAX_SUB_GROUP)
#if WARPPORT_WARP_SIZE > WARPPORT_OPENCL_MAX_SUB_GROUP
#define WARPPORT_OPENCL_DIALECT WARPPORT_OPENCL_EMULATED
#endif
#endif
#endif
#ifndef WARPPORT_OPENCL_DIALECT
#if defined(__NVPTX__) || defined(cl_nv_pragma_unroll)
#define WARPPORT_OPENCL_DIALECT WARPPORT_OPENCL_NVIDIA
#elif defined(__AMDGCN__)
#define WARPPORT_OPENCL_DIALECT WARPPORT_OPENCL_AMD
#elif WPB__SUB_GROUPS && defined(cl_khr_subgroup_shuffle)
#define WARPPORT_OPENCL_DIALECT WARPPORT_OPENCL_KHR
#elif defined(cl_intel_subgroups)
#define WARPPORT_OPENCL_DIALECT WARPPORT_OPENCL_INTEL
#elif defined(cl_qcom_subgroup_shuffle)
#define WARPPORT_OPENCL_DIALECT WARPPORT_OPENCL_QUALCOMM
#else
#define WARPPORT_OPENCL_DIALECT WARPPORT_OPENCL_EMULATED
#endif
#endif

#define WPB_FN static inline __attribute__((always_inline, unused))
/* Not on the way to SPIR-V: the hint becomes an OpLoopMerge that optimised loops do not have the shape for. */
#if !defined(__SPIR__) && !defined(__SPIRV__)
#define WPB_UNROLL _Pragma("unroll")
#endif

/* ---- bits ---- */

#define WPB_HAS_BITCOUNT 1
#define WPB_BIT_OF_ZERO_IS_MINUS_1 1 /* clz(0) is the width */
WPB_FN int wpb_popcount32(wp_u32 v) { return (int)popcount(v); }
WPB_FN int wpb_popcount64(wp_u64 v) { return (int)popcount(v); }
/* ctz() is younger than OpenCL C 1.2. */
WPB_FN int wpb_lowest32(wp_u32 v) { return 31 - (int)clz(v & (0u - v)); }
WPB_FN int wpb_lowest64(wp_u64 v) { return 63 - (int)clz(v & (0ul - v)); }
WPB_FN int wpb_highest32(wp_u32 v) { return 31 - (int)clz(v); }
WPB_FN int wpb_highest64(wp_u64 v) { return 63 - (int)clz(v); }

/* ---- thread and block indices ---- */

WPB_FN int wpb_thread_x(void) { return (int)get_local_id(0); }
WPB_FN int wpb_thread_y(void) { return (int)get_local_id(1); }
WPB_FN int wpb_thread_z(void) { return (int)get_local_id(2); }
WPB_FN int wpb_block_x(void) { return (int)get_group_id(0); }
WPB_FN int wpb_block_y(void) { return (int)get_group_id(1); }
WPB_FN int wpb_block_z(void) { return (int)get_group_id(2); }
WPB_FN int wpb_block_dim_x(void) { return (int)get_local_size(0); }
WPB_FN int wpb_block_dim_y(void) { return (int)get_local_size(1); }
WPB_FN int wpb_block_dim_z(void) { return (int)get_local_size(2); }
WPB_FN int wpb_grid_dim_x(void) { return (int)get_num_groups(0); }
WPB_FN int wpb_grid_dim_y(void) { return (int)get_num_groups(1); }
WPB_FN int wpb_grid_dim_z(void) { return (int)get_num_groups(2); }
WPB_FN int wpb__thread_rank(void) {
  return wpb_thread_x() + wpb_block_dim_x() * (wpb_thread_y() + wpb_block_dim_y() * wpb_thread_z());
}
WPB_FN int wpb__block_threads(void) { return wpb_block_dim_x() * wpb_block_dim_y() * wpb_block_dim_z(); }

/* ---- what the Khronos, Intel and Qualcomm dialects share: the sub-group is the warp, two warps if it has 128 lanes ---- */

#if WARPPORT_OPENCL_DIALECT == WARPPORT_OPENCL_KHR || WARPPORT_OPENCL_DIALECT == WARPPORT_OPENCL_INTEL || \
    WARPPORT_OPENCL_DIALECT == WARPPORT_OPENCL_QUALCOMM

#if defined(cl_khr_subgroups)
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif

#ifdef WARPPORT_OPENCL_SUB_GROUP_SIZE
#if WARPPORT_OPENCL_SUB_GROUP_SIZE < 64
#define WPB_WARP_SIZE WARPPORT_OPENCL_SUB_GROUP_SIZE
#else
#define WPB_WARP_SIZE 64
#endif
#define WPB_MAX_WARP_SIZE WPB_WARP_SIZE
#elif defined(WARPPORT_OPENCL_MAX_SUB_GROUP) && WARPPORT_OPENCL_MAX_SUB_GROUP < 64
#define WPB_MAX_WARP_SIZE WARPPORT_OPENCL_MAX_SUB_GROUP
#else
#define WPB_MAX_WARP_SIZE 64
#endif
/* Narrow masks where they suffice: few of these devices have 64-bit registers. */
#if WPB_MAX_WARP_SIZE <= 32
#define WPB_MASK_T wp_u32
#define WPB_MASK_BITS 32
#else
#define WPB_MASK_T wp_u64
#define WPB_MASK_BITS 64
#endif

/* Lanes of a full sub-group. get_sub_group_size() is no help: in a partial last one some give the real number, some the full one. */
WPB_FN int wpb__sub_group(void) {
#ifdef WARPPORT_OPENCL_SUB_GROUP_SIZE
  return WARPPORT_OPENCL_SUB_GROUP_SIZE;
#else
  return (int)get_max_sub_group_size();
#endif
}
WPB_FN int wpb_warp_size(void) {
#ifdef WPB_WARP_SIZE
  return WPB_WARP_SIZE;
#else
  int lanes = wpb__sub_group();
  return lanes < 64 ? lanes : 64;
#endif
}
#if WPB_MASK_BITS == 64
WPB_FN int wpb_lane(void) { return (int)get_sub_group_local_id() & 63; }
/* The sub-group's number of this warp's lane 0: 0, or 64 in the upper half of 128. */
WPB_FN int wpb__half(void) { return (int)get_sub_group_local_id() & 64; }
#else
WPB_FN int wpb_lane(void) { return (int)get_sub_group_local_id(); }
WPB_FN int wpb__half(void) { return 0; }
#endif
#ifndef WARPPORT_OPENCL_LINEAR
#define WPB_HAS_WARP_ID 1
WPB_FN int wpb_warp_id(void) {
  int lanes = wpb__sub_group(), id = (int)get_sub_group_id();
  return lanes <= 64 ? id : id * (lanes / 64) + (int)get_sub_group_local_id() / 64;
}
/* All sub-groups but the last are full (OpenCL C, Work-Item Functions: get_max_sub_group_size). */
#define WPB_HAS_PRESENT 1
WPB_FN WPB_MASK_T wpb_present(void) {
  int lanes = wpb__block_threads() - (int)get_sub_group_id() * wpb__sub_group() - wpb__half(), full = wpb_warp_size();
  return (WPB_MASK_T) ~(WPB_MASK_T)0 >> (WPB_MASK_BITS - (lanes < full ? lanes : full));
}
#endif

/* sub_group_barrier() knows no mask and, on some, is a barrier of the block: not used unless the host says so. The lanes of a warp of
 * these devices run one instruction together, so what is missing for wp_sync() is that nobody moves memory accesses across it. */
WPB_FN void wpb__fence(void) {
#if defined(WARPPORT_OPENCL_SUB_GROUP_BARRIER)
  sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#elif __OPENCL_C_VERSION__ >= 300 && defined(__opencl_c_atomic_order_acq_rel)
  atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
#elif __OPENCL_C_VERSION__ >= 200 && __OPENCL_C_VERSION__ < 300
  atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_sub_group);
#else
  mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif
}

#ifdef WARPPORT_OPENCL_UNIFORM_FLOW
#define WPB_UNIFORM_FLOW 1
WPB_FN bool wpb_block_any(int p) { return work_group_any(p) != 0; }
#endif
#endif

/* ---- Khronos sub-groups ---- */

#if WARPPORT_OPENCL_DIALECT == WARPPORT_OPENCL_KHR

WPB_FN wp_u32 wpb_shfl_u32(WPB_MASK_T mask, wp_u32 v, int src) {
  (void)mask;
  return sub_group_shuffle(v, (uint)(wpb__half() + src));
}
#define WPB_HAS_SHFL_U64 1
WPB_FN wp_u64 wpb_shfl_u64(WPB_MASK_T mask, wp_u64 v, int src) {
  (void)mask;
  return sub_group_shuffle(v, (uint)(wpb__half() + src));
}
#define WPB_HAS_SHFL_XOR 1
WPB_FN wp_u32 wpb_shfl_xor_u32(WPB_MASK_T mask, wp_u32 v, int lane_mask, int width) {
  (void)mask;
  return sub_group_shuffle_xor(v, (uint)(lane_mask & (width - 1)));
}
#ifdef cl_khr_subgroup_shuffle_relative
/* Undefined without a source, so the own value is selected there. */
#define WPB_HAS_SHFL_UP 1
WPB_FN wp_u32 wpb_shfl_up_u32(WPB_MASK_T mask, wp_u32 v, int delta, int width) {
  bool inside = (uint)delta <= (uint)(wpb_lane() & (width - 1));
  wp_u32 got = sub_group_shuffle_up(v, inside ? (uint)delta : 0u);
  (void)mask;
  return inside ? got : v;
}
#define WPB_HAS_SHFL_DOWN 1
WPB_FN wp_u32 wpb_shfl_down_u32(WPB_MASK_T mask, wp_u32 v, int delta, int width) {
  bool inside = (uint)delta < (uint)(width - (wpb_lane() & (width - 1)));
  wp_u32 got = sub_group_shuffle_down(v, inside ? (uint)delta : 0u);
  (void)mask;
  return inside ? got : v;
}
#endif
#endif

/* ---- Intel sub-groups ---- */

#if WARPPORT_OPENCL_DIALECT == WARPPORT_OPENCL_INTEL
#ifdef cl_intel_subgroups
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#endif
WPB_FN wp_u32 wpb_shfl_u32(WPB_MASK_T mask, wp_u32 v, int src) {
  (void)mask;
  return intel_sub_group_shuffle(v, (uint)(wpb__half() + src));
}
#define WPB_HAS_SHFL_XOR 1
WPB_FN wp_u32 wpb_shfl_xor_u32(WPB_MASK_T mask, wp_u32 v, int lane_mask, int width) {
  (void)mask;
  return intel_sub_group_shuffle_xor(v, (uint)(lane_mask & (width - 1)));
}
#endif

/* ---- Qualcomm (unverified: from the text of cl_qcom_subgroup_shuffle; no such device was at hand) ---- */

#if WARPPORT_OPENCL_DIALECT == WARPPORT_OPENCL_QUALCOMM
#ifdef cl_qcom_subgroup_shuffle
#pragma OPENCL EXTENSION cl_qcom_subgroup_shuffle : enable
#endif
/* The chip only exchanges with the lane at an exclusive-or of the own number, so every distance is tried; a constant one costs 1. */
WPB_FN wp_u32 wpb__qcom_xor(wp_u32 v, int lane_mask) {
  return qcom_sub_group_shuffle_xor(v, (uint)lane_mask, CLK_SUB_GROUP_SHUFFLE_WIDTH_WAVE_SIZE_QCOM, v);
}
WPB_FN wp_u32 wpb_shfl_u32(WPB_MASK_T mask, wp_u32 v, int src) {
  wp_u32 got = v;
  int d;
  (void)mask;
  for (d = 1; d < wpb_warp_size(); d++) {
    wp_u32 other = wpb__qcom_xor(v, d);
    got = (wpb_lane() ^ d) == src ? other : got;
  }
  return got;
}
#define WPB_HAS_SHFL_XOR 1
WPB_FN wp_u32 wpb_shfl_xor_u32(WPB_MASK_T mask, wp_u32 v, int lane_mask, int width) {
  (void)mask;
  (void)width;
  return lane_mask == 0 ? v : wpb__qcom_xor(v, lane_mask);
}
#endif

/* ---- ballot and sync of these three ---- */

#if WARPPORT_OPENCL_DIALECT == WARPPORT_OPENCL_KHR || WARPPORT_OPENCL_DIALECT == WARPPORT_OPENCL_INTEL || \
    WARPPORT_OPENCL_DIALECT == WARPPORT_OPENCL_QUALCOMM
#ifdef cl_khr_subgroup_ballot
#if WPB_MASK_BITS == 64
WPB_FN wp_u64 wpb__ballot_active(int p) {
  uint4 votes = sub_group_ballot(p);
  return wpb__half() == 0 ? (wp_u64)votes.y << 32 | votes.x : (wp_u64)votes.w << 32 | votes.z;
}
#else
WPB_FN wp_u32 wpb__ballot_active(int p) { return sub_group_ballot(p).x; }
#endif
WPB_FN WPB_MASK_T wpb_ballot(WPB_MASK_T mask, int p) { return wpb__ballot_active(p) & mask; }
WPB_FN WPB_MASK_T wpb_active_mask(void) { return wpb__ballot_active(1); }
WPB_FN void wpb_sync(WPB_MASK_T mask) {
  (void)mask;
  wpb__fence();
}
#else
/* Without a ballot: one exchange for each lane of mask. */
WPB_FN WPB_MASK_T wpb_ballot(WPB_MASK_T mask, int p) {
  WPB_MASK_T votes = 0, left;
  for (left = mask; left != 0; left &= left - 1) {
    int lane = wpb_lowest64(left);
    if (wpb_shfl_u32(mask, p != 0 ? 1u : 0u, lane) != 0) votes |= (WPB_MASK_T)1 << lane;
  }
  return votes;
}
/* Nobody can be asked: the caller alone. */
WPB_FN WPB_MASK_T wpb_active_mask(void) { return (WPB_MASK_T)1 << wpb_lane(); }
WPB_FN void wpb_sync(WPB_MASK_T mask) {
  (void)mask;
  wpb__fence();
}
#endif
#endif

/* ---- NVIDIA: inline PTX (PTX ISA: shfl.sync, vote.sync, match.sync, redux.sync, elect.sync, bar.warp.sync) ---- */

#if WARPPORT_OPENCL_DIALECT == WARPPORT_OPENCL_NVIDIA
#ifndef WARPPORT_OPENCL_NV_SM
#define WARPPORT_OPENCL_NV_SM 70
#endif
#if WARPPORT_OPENCL_NV_SM < 70
#error "warpport: NVIDIA devices before sm_70 have no independent lanes; define WARPPORT_OPENCL_DIALECT=6 to emulate warps"
#endif
#define WPB_PTX_ASM __asm__
#define WPB_PTX_SM WARPPORT_OPENCL_NV_SM
#include "ptx.h"

#define WPB__SHFL(name, mode, last) \
  WPB_FN wp_u32 name(wp_u32 mask, wp_u32 v, int b, int width) { \
    wp_u32 got; \
    __asm__ volatile("shfl.sync." mode ".b32 %0, %1, %2, %3, %4;" : "=r"(got) \
                     : "r"(v), "r"(b), "r"((32 - width) << 8 | (last)), "r"(mask)); \
    return got; \
  }
WPB__SHFL(wpb_shfl_width_u32, "idx", 31)
WPB__SHFL(wpb_loose_up_u32, "up", 0)
WPB__SHFL(wpb_loose_down_u32, "down", 31)
WPB__SHFL(wpb_shfl_xor_u32, "bfly", 31)
#undef WPB__SHFL
/* An inactive source, one outside the mask, or one outside the segment gives some value, and no fault. */
#define WPB_HAS_LOOSE 1
#define wpb_loose_xor_u32 wpb_shfl_xor_u32
#define WPB_HAS_SHFL_WIDTH 1
#define WPB_HAS_SHFL_XOR 1
WPB_FN wp_u32 wpb_shfl_u32(wp_u32 mask, wp_u32 v, int src) { return wpb_shfl_width_u32(mask, v, src, 32); }
/* The chip takes the delta modulo 32; the guard folds away for a constant one. */
#define WPB_HAS_SHFL_UP 1
WPB_FN wp_u32 wpb_shfl_up_u32(wp_u32 mask, wp_u32 v, int delta, int width) {
  wp_u32 got = wpb_loose_up_u32(mask, v, delta, width);
  return (uint)delta < 32u ? got : v;
}
#define WPB_HAS_SHFL_DOWN 1
WPB_FN wp_u32 wpb_shfl_down_u32(wp_u32 mask, wp_u32 v, int delta, int width) {
  wp_u32 got = wpb_loose_down_u32(mask, v, delta, width);
  return (uint)delta < 32u ? got : v;
}

WPB_FN wp_u32 wpb_ballot(wp_u32 mask, int p) {
  wp_u32 votes;
  __asm__ volatile("{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %1, 0;\n\tvote.sync.ballot.b32 %0, p, %2;\n\t}" : "=r"(votes) : "r"(p), "r"(mask));
  return votes;
}
#define WPB__VOTE(name, mode) \
  WPB_FN bool name(wp_u32 mask, int p) { \
    wp_u32 yes; \
    __asm__ volatile("{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %1, 0;\n\tvote.sync." mode ".pred p, p, %2;\n\tselp.u32 %0, 1, 0, p;\n\t}" \
                     : "=r"(yes) : "r"(p), "r"(mask)); \
    return yes != 0; \
  }
WPB__VOTE(wpb_any, "any")
WPB__VOTE(wpb_all, "all")
WPB__VOTE(wpb_uniform, "uni")
#undef WPB__VOTE
#define WPB_HAS_ANY 1
#define WPB_HAS_ALL 1
#define WPB_HAS_UNIFORM 1
WPB_FN wp_u32 wpb_active_mask(void) {
  wp_u32 mask;
  __asm__ volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}
WPB_FN void wpb_sync(wp_u32 mask) { __asm__ volatile("bar.warp.sync %0;" : : "r"(mask) : "memory"); }
#define WPB__MATCH(T, S, bits, reg) \
  WPB_FN wp_u32 wpb_match_any_##S(wp_u32 mask, T v) { \
    wp_u32 same; \
    __asm__ volatile("match.any.sync." bits " %0, %1, %2;" : "=r"(same) : reg(v), "r"(mask)); \
    return same; \
  } \
  WPB_FN bool wpb_match_all_##S(wp_u32 mask, T v) { \
    wp_u32 same; \
    __asm__ volatile("{\n\t.reg .pred p;\n\t.reg .b32 m;\n\tmatch.all.sync." bits " m|p, %1, %2;\n\tselp.u32 %0, 1, 0, p;\n\t}" \
                     : "=r"(same) : reg(v), "r"(mask)); \
    return same != 0; \
  }
WPB__MATCH(wp_u32, u32, "b32", "r")
WPB__MATCH(wp_u64, u64, "b64", "l")
#undef WPB__MATCH
#define WPB_HAS_MATCH_ANY_U32 1
#define WPB_HAS_MATCH_ANY_U64 1
#define WPB_HAS_MATCH_ALL_U32 1
#define WPB_HAS_MATCH_ALL_U64 1

#if WARPPORT_OPENCL_NV_SM >= 80
#define WPB_HAS_REDUCE32 1
#define WPB__REDUX(op, T, S, type) \
  WPB_FN T wpb_reduce_##op##_##S(wp_u32 mask, T v) { \
    T result; \
    __asm__ volatile("redux.sync." #op "." type " %0, %1, %2;" : "=r"(result) : "r"(v), "r"(mask)); \
    return result; \
  }
WPB__REDUX(add, wp_u32, u32, "u32")
WPB__REDUX(min, wp_u32, u32, "u32")
WPB__REDUX(max, wp_u32, u32, "u32")
WPB__REDUX(min, wp_i32, i32, "s32")
WPB__REDUX(max, wp_i32, i32, "s32")
WPB__REDUX(and, wp_u32, u32, "b32")
WPB__REDUX(or, wp_u32, u32, "b32")
WPB__REDUX(xor, wp_u32, u32, "b32")
#undef WPB__REDUX
#endif

#define WPB_HAS_MINMAX_F32 1
WPB_FN float wpb_min_f32(float a, float b) {
  float r;
  __asm__("min.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
WPB_FN float wpb_max_f32(float a, float b) {
  float r;
  __asm__("max.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
#endif

/* ---- AMD: the recipes of the HIP backend ---- */

#if WARPPORT_OPENCL_DIALECT == WARPPORT_OPENCL_AMD
#include "amdgcn.h"
#define WPB_MASK_T wp_u64
#define WPB_MASK_BITS 64
#define WPB_MAX_WARP_SIZE 64
#ifdef WPB_AMD_WAVE
#define WPB_WARP_SIZE WPB_AMD_WAVE
#endif
WPB_FN int wpb_warp_size(void) { return wpb_amd_wave(); }
WPB_FN int wpb_lane(void) { return wpb_amd_lane(); }
#define WPB_HAS_COUNT_BELOW 1
WPB_FN int wpb_count_below(wp_u64 mask) { return wpb_amd_count_below(mask); }
WPB_FN wp_u32 wpb_shfl_u32(wp_u64 mask, wp_u32 v, int src) {
  (void)mask;
  return wpb_amd_pull(v, src);
}
#define WPB__BY(name, call) \
  WPB_FN wp_u32 name(wp_u64 mask, wp_u32 v, int arg, int width) { \
    (void)mask; \
    return call; \
  }
WPB__BY(wpb_shfl_width_u32, wpb_amd_shfl(v, arg, width))
WPB__BY(wpb_shfl_up_u32, wpb_amd_up(v, arg, width))
WPB__BY(wpb_shfl_down_u32, wpb_amd_down(v, arg, width))
WPB__BY(wpb_shfl_xor_u32, wpb_amd_xor(v, arg & (width - 1)))
WPB__BY(wpb_rotate_u32, wpb_amd_rotate(v, arg, width))
#undef WPB__BY
#define WPB_HAS_SHFL_WIDTH 1
#define WPB_HAS_SHFL_UP 1
#define WPB_HAS_SHFL_DOWN 1
#define WPB_HAS_SHFL_XOR 1
#define WPB_HAS_ROTATE 1
#define WPB_HAS_BROADCAST_FIRST 1
WPB_FN wp_u32 wpb_broadcast_first_u32(wp_u64 mask, wp_u32 v) { return wpb_amd_broadcast_first(mask, v); }
WPB_FN wp_u64 wpb_ballot(wp_u64 mask, int p) { return wpb_amd_ballot(p != 0) & mask; }
WPB_FN wp_u64 wpb_active_mask(void) { return wpb_amd_active(); }
WPB_FN void wpb_sync(wp_u64 mask) {
  (void)mask;
  wpb_amd_sync();
}
#define WPB_HAS_MATCH_ANY_U32 1
WPB_FN wp_u64 wpb_match_any_u32(wp_u64 mask, wp_u32 v) { return wpb_amd_match_u32(mask, v); }
#define WPB_HAS_MATCH_ANY_U64 1
WPB_FN wp_u64 wpb_match_any_u64(wp_u64 mask, wp_u64 v) { return wpb_amd_match_u64(mask, v); }
#endif

/* ---- no sub-groups: warps of consecutive threads, exchanging through local memory ---- */

#if WARPPORT_OPENCL_DIALECT == WARPPORT_OPENCL_EMULATED
#ifndef WARPPORT_OPENCL_EMULATED_WARP
#ifdef WARPPORT_WARP_SIZE
#define WARPPORT_OPENCL_EMULATED_WARP WARPPORT_WARP_SIZE
#else
#define WARPPORT_OPENCL_EMULATED_WARP 32
#endif
#endif
#ifndef WARPPORT_OPENCL_MAX_BLOCK
#define WARPPORT_OPENCL_MAX_BLOCK 1024
#endif
#define WPB_WARP_SIZE WARPPORT_OPENCL_EMULATED_WARP
#define WPB_MAX_WARP_SIZE WARPPORT_OPENCL_EMULATED_WARP
#if WARPPORT_OPENCL_EMULATED_WARP > 32
#define WPB_MASK_T wp_u64
#define WPB_MASK_BITS 64
#else
#define WPB_MASK_T wp_u32
#define WPB_MASK_BITS 32
#endif
#define WPB_UNIFORM_FLOW 1

/* One word a thread, and one for the block. The name is what a compiler prints when a kernel lacks the declaration. */
#define WPB_STORAGE_PARAM __local wp_u32 *wp_declare_WP_WARP_STORAGE_or_WP_WARP_PARAM,
#define WPB_STORAGE_ARG wp_declare_WP_WARP_STORAGE_or_WP_WARP_PARAM,
#ifdef WARPPORT_OPENCL_STORAGE_ARGUMENT
#define WPB_KERNEL(name, ...) \
  __kernel void name(__attribute__((unused)) __local wp_u32 *wp_declare_WP_WARP_STORAGE_or_WP_WARP_PARAM, __VA_ARGS__)
#define WPB_WARP_STORAGE (void)wp_declare_WP_WARP_STORAGE_or_WP_WARP_PARAM
#else
#define WPB_WARP_STORAGE __local wp_u32 wp_declare_WP_WARP_STORAGE_or_WP_WARP_PARAM[WARPPORT_OPENCL_MAX_BLOCK + 1]
#endif

WPB_FN int wpb_warp_size(void) { return WPB_WARP_SIZE; }
WPB_FN int wpb_lane(void) { return wpb__thread_rank() & (WPB_WARP_SIZE - 1); }
WPB_FN wp_u32 wpb_shfl_u32(WPB_STORAGE_PARAM WPB_MASK_T mask, wp_u32 v, int src) {
  int thread = wpb__thread_rank();
  wp_u32 got;
  (void)mask;
  wp_declare_WP_WARP_STORAGE_or_WP_WARP_PARAM[thread] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  got = wp_declare_WP_WARP_STORAGE_or_WP_WARP_PARAM[(thread & ~(WPB_WARP_SIZE - 1)) + src];
  barrier(CLK_LOCAL_MEM_FENCE);
  return got;
}
WPB_FN WPB_MASK_T wpb_ballot(WPB_STORAGE_PARAM WPB_MASK_T mask, int p) {
  int thread = wpb__thread_rank(), base = thread & ~(WPB_WARP_SIZE - 1), lanes = wpb__block_threads() - base, i;
  WPB_MASK_T votes = 0;
  wp_declare_WP_WARP_STORAGE_or_WP_WARP_PARAM[thread] = p != 0 ? 1u : 0u;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (i = 0; i < WPB_WARP_SIZE && i < lanes; i++) votes |= (WPB_MASK_T)wp_declare_WP_WARP_STORAGE_or_WP_WARP_PARAM[base + i] << i;
  barrier(CLK_LOCAL_MEM_FENCE);
  return votes & mask;
}
WPB_FN bool wpb_block_any(WPB_STORAGE_PARAM int p) {
  int thread = wpb__thread_rank(), threads = wpb__block_threads();
  wp_u32 any;
  if (thread == 0) wp_declare_WP_WARP_STORAGE_or_WP_WARP_PARAM[threads] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (p != 0) wp_declare_WP_WARP_STORAGE_or_WP_WARP_PARAM[threads] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  any = wp_declare_WP_WARP_STORAGE_or_WP_WARP_PARAM[threads];
  barrier(CLK_LOCAL_MEM_FENCE);
  return any != 0;
}
/* Every thread of the block is here, by the rule of this dialect. */
WPB_FN WPB_MASK_T wpb_active_mask(void) {
  int lanes = wpb__block_threads() - (wpb__thread_rank() & ~(WPB_WARP_SIZE - 1));
  return (WPB_MASK_T) ~(WPB_MASK_T)0 >> (WPB_MASK_BITS - (lanes < WPB_WARP_SIZE ? lanes : WPB_WARP_SIZE));
}
WPB_FN void wpb_sync(WPB_STORAGE_PARAM WPB_MASK_T mask) {
  (void)mask;
  (void)wp_declare_WP_WARP_STORAGE_or_WP_WARP_PARAM;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
#endif

/* ---- kernel language ---- */

#ifndef WPB_KERNEL
#if defined(WARPPORT_OPENCL_SUB_GROUP_SIZE) && WARPPORT_OPENCL_DIALECT <= WARPPORT_OPENCL_INTEL
#define WPB_KERNEL(name, ...) \
  __attribute__((intel_reqd_sub_group_size(WARPPORT_OPENCL_SUB_GROUP_SIZE))) __kernel void name(__VA_ARGS__)
#else
#define WPB_KERNEL(name, ...) __kernel void name(__VA_ARGS__)
#endif
#endif
#define WPB_DEVICE static __attribute__((unused))
#define WPB_GLOBAL __global
#define WPB_LOCAL __local
#define WPB_CONSTANT __constant
#define WPB_RESTRICT restrict
#define WPB_SHARED(T, name, n) __local T name[n]
#define WPB_SHARED_2D(T, name, n, m) __local T name[n][m]
#define WPB_SHARED_PARAM(T, name) __local T *name
#define WPB_SHARED_BIND(T, name) (void)name
#define WPB_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

/* ---- floats ---- */

#ifdef WARPPORT_OPENCL_SOFT_FMA
#include "soft_fma.h"
WPB_FN float wpb_fma_f32(float a, float b, float c) { return wpb__soft_fma_f32(a, b, c); }
#else
WPB_FN float wpb_fma_f32(float a, float b, float c) { return fma(a, b, c); }
#endif
WPB_FN float wpb_fabs_f32(float x) { return fabs(x); }
WPB_FN float wpb_floor_f32(float x) { return floor(x); }
WPB_FN float wpb_ceil_f32(float x) { return ceil(x); }
#ifdef WP_HAS_F64
WPB_FN double wpb_sqrt_f64(double x) { return sqrt(x); }
#ifdef WARPPORT_OPENCL_SOFT_FMA
WPB_FN double wpb_fma_f64(double a, double b, double c) { return wpb__soft_fma_f64(a, b, c); }
#else
WPB_FN double wpb_fma_f64(double a, double b, double c) { return fma(a, b, c); }
#endif
WPB_FN double wpb_fabs_f64(double x) { return fabs(x); }
WPB_FN double wpb_floor_f64(double x) { return floor(x); }
WPB_FN double wpb_ceil_f64(double x) { return ceil(x); }
#endif
/* OpenCL's sqrt of a float may err by 3 ulp (without -cl-fp32-correctly-rounded-divide-sqrt). */
#if WARPPORT_OPENCL_DIALECT == WARPPORT_OPENCL_NVIDIA
WPB_FN float wpb_sqrt_f32(float x) {
  float r;
  __asm__("sqrt.rn.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
#elif defined(WP_HAS_F64)
WPB_FN float wpb_sqrt_f32(float x) { return (float)sqrt((double)x); } /* exact: 53 >= 2 * 24 + 2 bits */
#else
WPB_FN float wpb_sqrt_f32(float x) { return sqrt(x); }
#endif

/* ---- atomics ---- */

#define WPB__ATOMIC(op, call, T, S) \
  WPB_FN T wpb_atomic_##op##_##S(volatile __global T *p, T v) { return call(p, v); } \
  WPB_FN T wpb_atomic_##op##_local_##S(volatile __local T *p, T v) { return call(p, v); }
#define WPB__ATOMICS(T, S) \
  WPB__ATOMIC(add, atomic_add, T, S) WPB__ATOMIC(min, atomic_min, T, S) WPB__ATOMIC(max, atomic_max, T, S) \
  WPB__ATOMIC(and, atomic_and, T, S) WPB__ATOMIC(or, atomic_or, T, S) WPB__ATOMIC(xor, atomic_xor, T, S) \
  WPB__ATOMIC(exch, atomic_xchg, T, S)
WPB__ATOMICS(wp_i32, i32)
WPB__ATOMICS(wp_u32, u32)
#undef WPB__ATOMICS
#define WPB__CAS(call, T, S) \
  WPB_FN T wpb_atomic_cas_##S(volatile __global T *p, T expected, T v) { return call(p, expected, v); } \
  WPB_FN T wpb_atomic_cas_local_##S(volatile __local T *p, T expected, T v) { return call(p, expected, v); }
WPB__CAS(atomic_cmpxchg, wp_i32, i32)
WPB__CAS(atomic_cmpxchg, wp_u32, u32)
#if defined(cl_khr_int64_base_atomics) && defined(cl_khr_int64_extended_atomics)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define WPB_HAS_ATOMIC64 1
WPB__ATOMIC(add, atom_add, wp_u64, u64)
WPB__ATOMIC(min, atom_min, wp_u64, u64)
WPB__ATOMIC(max, atom_max, wp_u64, u64)
WPB__ATOMIC(exch, atom_xchg, wp_u64, u64)
WPB__CAS(atom_cmpxchg, wp_u64, u64)
#endif
#undef WPB__ATOMIC
#undef WPB__CAS
/* OpenCL C has no float add before optional extensions: compare and swap the bits. */
#define WPB__ADD_F32(name, space) \
  WPB_FN float name(volatile space float *p, float v) { \
    volatile space wp_u32 *bits = (volatile space wp_u32 *)p; \
    wp_u32 seen = *bits, old; \
    while ((old = atomic_cmpxchg(bits, seen, as_uint(as_float(seen) + v))) != seen) seen = old; \
    return as_float(old); \
  }
WPB__ADD_F32(wpb_atomic_add_local_f32, __local)
#if WARPPORT_OPENCL_DIALECT == WARPPORT_OPENCL_NVIDIA
WPB_FN float wpb_atomic_add_f32(volatile __global float *p, float v) {
  float old;
  __asm__ volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(old) : "l"(p), "f"(v) : "memory");
  return old;
}
#else
WPB__ADD_F32(wpb_atomic_add_f32, __global)
#endif
#undef WPB__ADD_F32

#endif
