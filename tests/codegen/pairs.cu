/* Pairs of kernels: the operation written with warpport, and the same by hand with the intrinsics of CUDA. codegen.c compiles this file
 * twice, with RAW 0 and 1, and compares the number of instructions of kernels of the same name. The hand-written side keeps no
 * more of the contract than its author needs; where the contract says more, the table in codegen.c allows for it by name.
 *
 * NAME__TYPE(out, in, a, w, m): v is the thread's value, a and w run-time integers, m a run-time mask; the result is r. */
#if RAW
typedef signed char t_i8;
typedef unsigned char t_u8;
typedef short t_i16;
typedef int t_i32;
typedef unsigned t_u32;
typedef long long t_i64;
typedef unsigned long long t_u64;
typedef float t_f32;
typedef double t_f64;
typedef unsigned short t_f16, t_bf16;
typedef unsigned t_f16x2, t_bf16x2;
#define ALL 0xffffffffu
#define PICK(warpport, raw) raw
#define TO_i8(v) (int)(v)
#define TO_u8(v) (unsigned)(v)
#define TO_i16(v) (int)(v)
#define TO_i32(v) (v)
#define TO_u32(v) (v)
#define TO_i64(v) (v)
#define TO_u64(v) (v)
#define TO_f32(v) (v)
#define TO_f64(v) (v)
#define TO_f16(v) (unsigned)(v)
#define TO_f16x2(v) (v)
static __device__ __forceinline__ unsigned lane() {
  unsigned l;
  asm("mov.u32 %0, %%laneid;" : "=r"(l));
  __builtin_assume(l < 32);
  return l;
}
static __device__ __forceinline__ unsigned lanes_lt() {
  unsigned m;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(m));
  return m;
}
static __device__ __forceinline__ unsigned lanes_le() {
  unsigned m;
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(m));
  return m;
}
static __device__ __forceinline__ unsigned lanes_gt() {
  unsigned m;
  asm("mov.u32 %0, %%lanemask_gt;" : "=r"(m));
  return m;
}
static __device__ __forceinline__ unsigned lanes_ge() {
  unsigned m;
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(m));
  return m;
}
#else
#include <warpport/warpport.h>
typedef wp_i8 t_i8;
typedef wp_u8 t_u8;
typedef wp_i16 t_i16;
typedef wp_i32 t_i32;
typedef wp_u32 t_u32;
typedef wp_i64 t_i64;
typedef wp_u64 t_u64;
typedef wp_f32 t_f32;
typedef wp_f64 t_f64;
typedef wp_f16 t_f16;
typedef wp_bf16 t_bf16;
typedef wp_f16x2 t_f16x2;
typedef wp_bf16x2 t_bf16x2;
#define ALL wp_mask_all()
#define PICK(warpport, raw) warpport
#endif

#define KERNEL(name, S, R, ...) \
  extern "C" __global__ void name##__##S(R *out, const t_##S *in, int a, int w, unsigned m) { \
    t_##S v = in[threadIdx.x]; \
    R r; \
    __VA_ARGS__; \
    out[threadIdx.x] = r; \
  }
/* A pair with the result type of the value, one with another, and one for a list of types. */
#define PAIR(name, S, warpport, raw) KERNEL(name, S, t_##S, PICK(warpport, raw))
#define PAIR_TO(name, S, R, warpport, raw) KERNEL(name, S, R, PICK(warpport, raw))
#define EACH_TYPE(X) X(i8) X(i16) X(i32) X(f32) X(i64) X(f64) X(f16) X(f16x2)

/* What every kernel below does besides its operation. */
#define COPY(S) PAIR(copy, S, r = v, r = v)
EACH_TYPE(COPY) COPY(u8) COPY(u32) COPY(u64) COPY(bf16) COPY(bf16x2)

/* ---- S1-S7 ---- */

#define SHUFFLE(name, S, warpport, raw) PAIR(name, S, r = warpport, r = (t_##S)raw)
#define EXCHANGE(S) \
  SHUFFLE(shfl_constant, S, wp_shfl(ALL, v, 3), __shfl_sync(ALL, TO_##S(v), 3)) \
  SHUFFLE(shfl_lane, S, wp_shfl(ALL, v, a), __shfl_sync(ALL, TO_##S(v), a)) \
  SHUFFLE(shfl_lane_width8, S, wp_shfl(ALL, v, a, 8), __shfl_sync(ALL, TO_##S(v), a, 8)) \
  SHUFFLE(shfl_lane_width, S, wp_shfl(ALL, v, a, w), __shfl_sync(ALL, TO_##S(v), a, w)) \
  SHUFFLE(shfl_mask, S, wp_shfl(m, v, a), __shfl_sync(m, TO_##S(v), a)) \
  SHUFFLE(up_constant, S, wp_shfl_up(ALL, v, 1), __shfl_up_sync(ALL, TO_##S(v), 1)) \
  SHUFFLE(up_constant_width8, S, wp_shfl_up(ALL, v, 3, 8), __shfl_up_sync(ALL, TO_##S(v), 3, 8)) \
  SHUFFLE(up_delta, S, wp_shfl_up(ALL, v, a), __shfl_up_sync(ALL, TO_##S(v), a)) \
  SHUFFLE(down_constant, S, wp_shfl_down(ALL, v, 1), __shfl_down_sync(ALL, TO_##S(v), 1)) \
  SHUFFLE(down_constant_width8, S, wp_shfl_down(ALL, v, 3, 8), __shfl_down_sync(ALL, TO_##S(v), 3, 8)) \
  SHUFFLE(down_delta, S, wp_shfl_down(ALL, v, a), __shfl_down_sync(ALL, TO_##S(v), a)) \
  SHUFFLE(xor_constant, S, wp_shfl_xor(ALL, v, 5), __shfl_xor_sync(ALL, TO_##S(v), 5)) \
  SHUFFLE(xor_constant_width8, S, wp_shfl_xor(ALL, v, 5, 8), __shfl_xor_sync(ALL, TO_##S(v), 5, 8)) \
  SHUFFLE(xor_mask, S, wp_shfl_xor(ALL, v, a), __shfl_xor_sync(ALL, TO_##S(v), a)) \
  SHUFFLE(rotate_constant, S, wp_rotate(ALL, v, 1), __shfl_sync(ALL, TO_##S(v), lane() + 1)) \
  SHUFFLE(rotate_delta, S, wp_rotate(ALL, v, a), __shfl_sync(ALL, TO_##S(v), lane() + a)) \
  SHUFFLE(rotate_delta_width8, S, wp_rotate(ALL, v, a, 8), __shfl_sync(ALL, TO_##S(v), lane() + a, 8)) \
  SHUFFLE(broadcast_constant, S, wp_broadcast(ALL, v, 0), __shfl_sync(ALL, TO_##S(v), 0)) \
  SHUFFLE(broadcast_lane, S, wp_broadcast(ALL, v, a), __shfl_sync(ALL, TO_##S(v), a)) \
  SHUFFLE(broadcast_first, S, wp_broadcast_first(m, v), __shfl_sync(m, TO_##S(v), __ffs(m) - 1))
EACH_TYPE(EXCHANGE)

/* ---- G1-G5: what has a source gets it, what has none gets the fallback ---- */

#define GUARDED(name, S, warpport, source, inside, shuffle) \
  PAIR(name, S, r = warpport, { \
    t_##S got = (t_##S)shuffle; \
    r = (inside) ? got : (t_##S)0; \
  })
#define SAFE(S) \
  GUARDED(shfl_or, S, wp_shfl_or(ALL, v, a, (t_##S)0), a, (unsigned)a < 32u, __shfl_sync(ALL, TO_##S(v), a)) \
  GUARDED(up_or_constant, S, wp_shfl_up_or(ALL, v, 1, (t_##S)0), , lane() >= 1, __shfl_up_sync(ALL, TO_##S(v), 1)) \
  GUARDED(up_or, S, wp_shfl_up_or(ALL, v, a, (t_##S)0), , (unsigned)a <= lane(), __shfl_up_sync(ALL, TO_##S(v), a)) \
  GUARDED(down_or_constant, S, wp_shfl_down_or(ALL, v, 1, (t_##S)0), , lane() < 31, __shfl_down_sync(ALL, TO_##S(v), 1)) \
  GUARDED(down_or, S, wp_shfl_down_or(ALL, v, a, (t_##S)0), , (unsigned)a < 32u - lane(), __shfl_down_sync(ALL, TO_##S(v), a)) \
  GUARDED(xor_or, S, wp_shfl_xor_or(ALL, v, a, (t_##S)0), , (unsigned)a < 32u, __shfl_xor_sync(ALL, TO_##S(v), a)) \
  GUARDED(shfl_or_mask, S, wp_shfl_or(m, v, a, (t_##S)0), , (unsigned)a < 32u && (m >> a & 1) != 0, __shfl_sync(m, TO_##S(v), a)) \
  GUARDED(up_or_mask, S, wp_shfl_up_or(m, v, 1, (t_##S)0), , lane() >= 1 && (m >> (lane() - 1) & 1) != 0, \
          __shfl_up_sync(m, TO_##S(v), 1))
SAFE(i32) SAFE(f32) SAFE(i64)

/* ---- lanes and masks ---- */

#define MASK(name, warpport, raw) PAIR_TO(name, i32, int, (void)v; r = (int)(warpport), (void)v; r = (int)(raw))
MASK(lane_number, wp_lane(), lane())
MASK(mask_lt, wp_mask_lt(), lanes_lt())
MASK(mask_le, wp_mask_le(), lanes_le())
MASK(mask_gt, wp_mask_gt(), lanes_gt())
MASK(mask_ge, wp_mask_ge(), lanes_ge())
MASK(mask_count, wp_mask_count(m), __popc(m))
MASK(mask_lowest, wp_mask_lowest(m), __ffs(m) - 1)
MASK(mask_highest, wp_mask_highest(m), 31 - __clz(m))
MASK(mask_has, wp_mask_has(m, a), (unsigned)a < 32u && (m >> a & 1) != 0)
MASK(mask_count_below, wp_mask_count(m & wp_mask_lt()), __popc(m & lanes_lt()))
MASK(mask_rank_own, wp_mask_rank(m, wp_lane()), __popc(m & lanes_lt()))
MASK(mask_first, wp_mask_first(a), a <= 0 ? 0 : 0xffffffffu >> (32 - (a < 32 ? a : 32)))
MASK(mask_segment8, wp_mask_segment(8), 0xffu << (lane() & 24))

/* ---- vote, elect, match, sync ---- */

#define VOTE(name, warpport, raw) PAIR_TO(name, i32, int, r = (int)(warpport), r = (int)(raw))
VOTE(ballot, wp_ballot(ALL, v), __ballot_sync(ALL, v))
VOTE(ballot_mask, wp_ballot(m, v), __ballot_sync(m, v))
VOTE(any, wp_any(ALL, v), __any_sync(ALL, v) != 0)
VOTE(all, wp_all(ALL, v), __all_sync(ALL, v) != 0)
VOTE(uniform, wp_uniform(ALL, v), __uni_sync(ALL, v) != 0)
#if RAW
static __device__ __forceinline__ bool elect(unsigned m) {
#if __CUDA_ARCH__ >= 900
  unsigned leads;
  asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, %1;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(leads) : "r"(m));
  return leads != 0;
#else
  return lane() == __ffs(m) - 1;
#endif
}
#endif
MASK(elect_mask, wp_elect(m), elect(m))
MASK(elect_all, wp_elect(ALL), elect(ALL))
PAIR_TO(match_any, i32, unsigned, r = wp_match_any(ALL, v), r = __match_any_sync(ALL, v))
PAIR_TO(match_any, f32, unsigned, r = wp_match_any(ALL, v), r = __match_any_sync(ALL, __float_as_uint(v)))
PAIR_TO(match_any, i64, unsigned, r = wp_match_any(ALL, v), r = __match_any_sync(ALL, v))
PAIR_TO(match_any, f64, unsigned, r = wp_match_any(ALL, v), r = __match_any_sync(ALL, (unsigned long long)__double_as_longlong(v)))
PAIR_TO(match_all, i32, unsigned, r = wp_match_all(ALL, v), int p; __match_all_sync(ALL, v, &p); r = p != 0)
PAIR_TO(match_all, i64, unsigned, r = wp_match_all(ALL, v), int p; __match_all_sync(ALL, v, &p); r = p != 0)
#if RAW
static __device__ __forceinline__ unsigned match_bits3(unsigned key) {
  unsigned same = ALL;
#pragma unroll
  for (int b = 0; b < 3; b++) {
    bool bit = key >> b & 1;
    unsigned set = __ballot_sync(ALL, bit);
    same &= bit ? set : ~set;
  }
  return same;
}
#endif
PAIR_TO(match_bits3, u32, unsigned, r = wp_match_any_bits(ALL, v, 3), r = match_bits3(v))
PAIR(sync_mask, i32, out[threadIdx.x] = v; wp_sync(m); r = out[threadIdx.x ^ 1], out[threadIdx.x] = v; __syncwarp(m);
     r = out[threadIdx.x ^ 1])
PAIR(barrier, i32, out[threadIdx.x] = v; WP_BARRIER(); r = out[threadIdx.x ^ 1], out[threadIdx.x] = v; __syncthreads();
     r = out[threadIdx.x ^ 1])

/* ---- reduce ---- */

#define ADD(a, b) ((a) + (b))
#define MUL(a, b) ((a) * (b))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((a) < (b) ? (b) : (a))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#if RAW
template <class T, class F> static __device__ __forceinline__ T butterfly(T v, int width, F op) {
#pragma unroll
  for (int d = 1; d < width; d <<= 1) v = op(v, __shfl_xor_sync(ALL, v, d));
  return v;
}
#endif
#define BUTTERFLY(S, OP) butterfly(v, 32, [](t_##S x, t_##S y) { return (t_##S)OP(x, y); })
#if RAW && __CUDA_ARCH__ >= 800
#define REDUX(S, OP, op) __reduce_##op##_sync(ALL, v)
#define REDUX_MASK(op) __reduce_##op##_sync(m, v)
#else
#define REDUX(S, OP, op) BUTTERFLY(S, OP)
#endif
#define REDUCE(S, op, OP) PAIR(reduce_##op, S, r = wp_reduce_##op(ALL, v), r = REDUX(S, OP, op))
#define REDUCE_TREE(S, op, OP) PAIR(reduce_##op, S, r = wp_reduce_##op(ALL, v), r = BUTTERFLY(S, OP))
REDUCE(i32, add, ADD) REDUCE(i32, min, MIN) REDUCE(i32, max, MAX) REDUCE(u32, add, ADD) REDUCE(u32, min, MIN) REDUCE(u32, max, MAX)
REDUCE(u32, and, AND) REDUCE(u32, or, OR) REDUCE(u32, xor, XOR)
REDUCE_TREE(i32, mul, MUL) REDUCE_TREE(f32, add, ADD) REDUCE_TREE(f32, mul, MUL) REDUCE_TREE(f64, add, ADD) REDUCE_TREE(i64, mul, MUL)
REDUCE_TREE(f32, min, fminf) REDUCE_TREE(f32, max, fmaxf) REDUCE_TREE(f64, min, fmin) REDUCE_TREE(f64, max, fmax)
REDUCE_TREE(i64, add, ADD) REDUCE_TREE(u64, add, ADD) REDUCE_TREE(i64, min, MIN) REDUCE_TREE(i64, max, MAX) REDUCE_TREE(u64, min, MIN)
REDUCE_TREE(u64, max, MAX) REDUCE_TREE(u64, and, AND) REDUCE_TREE(u64, or, OR) REDUCE_TREE(u64, xor, XOR)
#if __CUDA_ARCH__ >= 800
PAIR(reduce_add_mask, i32, r = wp_reduce_add(m, v), r = REDUX_MASK(add))
PAIR(reduce_max_mask, u32, r = wp_reduce_max(m, v), r = REDUX_MASK(max))
#endif
#if RAW /* the 16-bit arithmetic of PTX */
#define HALF_OP(name, type, constraint, instruction) \
  static __device__ __forceinline__ type name(type a, type b) { \
    type d; \
    asm(instruction " %0, %1, %2;" : "=" constraint(d) : constraint(a), constraint(b)); \
    return d; \
  }
HALF_OP(add_f16, unsigned short, "h", "add.rn.f16")
HALF_OP(add_f16x2, unsigned, "r", "add.rn.f16x2")
HALF_OP(mul_f16x2, unsigned, "r", "mul.rn.f16x2")
#if __CUDA_ARCH__ >= 800
HALF_OP(max_f16x2, unsigned, "r", "max.f16x2")
HALF_OP(max_bf16x2, unsigned, "r", "max.bf16x2")
#endif
#if __CUDA_ARCH__ >= 900
HALF_OP(add_bf16x2, unsigned, "r", "add.rn.bf16x2")
#endif
static __device__ __forceinline__ unsigned short sum_f16(unsigned short v) {
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) v = add_f16(v, (unsigned short)__shfl_xor_sync(ALL, (unsigned)v, d));
  return v;
}
#endif
PAIR(reduce_add, f16, r = wp_reduce_add(ALL, v), r = sum_f16(v))
#define PACKED(S, op) PAIR(reduce_##op, S, r = wp_reduce_##op(ALL, v), r = butterfly(v, 32, op##_##S))
PACKED(f16x2, add) PACKED(f16x2, mul)
#if __CUDA_ARCH__ >= 800
PACKED(f16x2, max) PACKED(bf16x2, max)
#endif
#if __CUDA_ARCH__ >= 900
PACKED(bf16x2, add)
#endif
PAIR_TO(reduce_argmax, u32, int, r = wp_reduce_argmax(ALL, v), t_u32 best = REDUX(u32, MAX, max); r = __ffs(__ballot_sync(ALL, v == best)) - 1)
PAIR_TO(reduce_argmin, i32, int, r = wp_reduce_argmin(ALL, v), t_i32 best = REDUX(i32, MIN, min); r = __ffs(__ballot_sync(ALL, v == best)) - 1)

/* ---- scan ---- */

#if RAW
template <class T> static __device__ __forceinline__ T prefix(T v, int width) {
  int s = (int)lane() & (width - 1);
#pragma unroll
  for (int d = 1; d < width; d <<= 1) {
    T got = __shfl_up_sync(ALL, v, d, width);
    if (s >= d) v = got + v;
  }
  return v;
}
template <class T> static __device__ __forceinline__ T prefix_max(T v) {
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    T got = __shfl_up_sync(ALL, v, d);
    if (lane() >= d) v = MAX(got, v);
  }
  return v;
}
template <class T> static __device__ __forceinline__ T prefix_excl(T v, T identity) {
  T below = __shfl_up_sync(ALL, prefix(v, 32), 1);
  return lane() == 0 ? identity : below;
}
template <class T> static __device__ __forceinline__ T prefix_seg(T v, bool head) {
  unsigned heads = __ballot_sync(ALL, head) & lanes_le();
  int first = heads == 0 ? 0 : 31 - __clz(heads);
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    T got = __shfl_up_sync(ALL, v, d);
    if ((int)lane() - d >= first) v = got + v;
  }
  return v;
}
#endif
#define SCANS(S, zero) \
  PAIR(scan_add, S, r = wp_scan_add(ALL, v), r = prefix(v, 32)) \
  PAIR(scan_add_excl, S, r = wp_scan_add_excl(ALL, v), r = prefix_excl(v, (t_##S)zero)) \
  PAIR(scan_add_seg, S, r = wp_scan_add_seg(ALL, v, a == (int)threadIdx.x), r = prefix_seg(v, a == (int)threadIdx.x))
SCANS(i32, 0) SCANS(f32, -0.0f) SCANS(i64, 0) SCANS(f64, -0.0)
PAIR(scan_max, i32, r = wp_scan_max(ALL, v), r = prefix_max(v))

/* ---- tiles of a constant width ---- */

#define TILE(S) \
  SHUFFLE(tile_shfl, S, wp_tile_shfl(wp_tile_full(8), v, a), __shfl_sync(ALL8, TO_##S(v), a, 8)) \
  SHUFFLE(tile_up, S, wp_tile_shfl_up(wp_tile_full(8), v, 1), __shfl_up_sync(ALL8, TO_##S(v), 1, 8)) \
  SHUFFLE(tile_down, S, wp_tile_shfl_down(wp_tile_full(8), v, 1), __shfl_down_sync(ALL8, TO_##S(v), 1, 8)) \
  SHUFFLE(tile_xor, S, wp_tile_shfl_xor(wp_tile_full(8), v, 1), __shfl_xor_sync(ALL8, TO_##S(v), 1, 8))
#define ALL8 (0xffu << (lane() & 24))
#if RAW
template <class T> static __device__ __forceinline__ T sum8(T v) {
#pragma unroll
  for (int d = 1; d < 8; d <<= 1) v += __shfl_xor_sync(ALL8, v, d);
  return v;
}
template <class T> static __device__ __forceinline__ T prefix8(T v) {
#pragma unroll
  for (int d = 1; d < 8; d <<= 1) {
    T got = __shfl_up_sync(ALL8, v, d, 8);
    if ((lane() & 7) >= d) v = got + v;
  }
  return v;
}
#endif
TILE(i32) TILE(f32) TILE(i64)
PAIR(tile_reduce_add, f32, r = wp_tile_reduce_add(wp_tile_full(8), v), r = sum8(v))
#if RAW && __CUDA_ARCH__ >= 800
PAIR(tile_reduce_add, i32, , r = __reduce_add_sync(ALL8, v))
#else
PAIR(tile_reduce_add, i32, r = wp_tile_reduce_add(wp_tile_full(8), v), r = sum8(v))
#endif
PAIR(tile_scan_add, f32, r = wp_tile_scan_add(wp_tile_full(8), v), r = prefix8(v))
VOTE(tile_any, wp_tile_any(wp_tile_full(8), v), __any_sync(ALL8, v) != 0)
VOTE(tile_all, wp_tile_all(wp_tile_full(8), v), __all_sync(ALL8, v) != 0)
VOTE(tile_ballot, wp_tile_ballot(wp_tile_full(8), v), __ballot_sync(ALL8, v) >> (lane() & 24) & 0xff)
MASK(tile_rank, wp_tile_rank(wp_tile_full(8)), lane() & 7)

/* ---- collect, sort, atomics ---- */

VOTE(compact, (wp_compact(ALL, v).index | wp_compact(ALL, v).count << 16),
     (__popc(__ballot_sync(ALL, v) & lanes_lt()) | __popc(__ballot_sync(ALL, v)) << 16))
VOTE(is_first, wp_is_first(ALL, v), __ffs(__match_any_sync(ALL, v)) - 1 == lane())
#if RAW
static __device__ __forceinline__ unsigned bitonic(unsigned v) {
#pragma unroll
  for (int size = 2; size <= 32; size <<= 1) {
#pragma unroll
    for (int step = size >> 1; step > 0; step >>= 1) {
      unsigned other = __shfl_xor_sync(ALL, v, step);
      bool small = ((lane() & step) == 0) == ((lane() & size) == 0);
      v = small ? min(v, other) : max(v, other);
    }
  }
  return v;
}
static __device__ __forceinline__ unsigned add_aggregated(unsigned *p, unsigned v) {
  unsigned total = prefix(v, 32), old = 0;
  if (lane() == 31) old = atomicAdd(p, total);
  return __shfl_sync(ALL, old, 31) + total - v;
}
#endif
PAIR(sort, u32, r = wp_sort(ALL, v), r = bitonic(v))
PAIR(add_aggregated, u32, r = wp_atomic_add_aggregated(ALL, out + 1024, v), r = add_aggregated(out + 1024, v))
PAIR(atomic_add, i32, r = wp_atomic_add(out + 1024, v), r = atomicAdd(out + 1024, v))
PAIR(atomic_cas, u32, r = wp_atomic_cas(out + 1024, v, 5u), r = atomicCAS(out + 1024, v, 5u))
PAIR(atomic_max, u64, r = wp_atomic_max(out + 1024, v), r = atomicMax(out + 1024, v))

/* ---- 16-bit conversions, floats ---- */

#if RAW
static __device__ __forceinline__ unsigned short half_of(float f) {
  unsigned short h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
  return h;
}
static __device__ __forceinline__ float float_of(unsigned short h) {
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
  return f;
}
#if __CUDA_ARCH__ >= 800
static __device__ __forceinline__ unsigned short bhalf_of(float f) {
  unsigned short h;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(f));
  return h;
}
#endif
#endif
PAIR_TO(f16_from_f32, f32, t_f16, r = wp_f16_from_f32(v), r = half_of(v))
PAIR_TO(f32_from_f16, f16, float, r = wp_f32_from_f16(v), r = float_of(v))
#if __CUDA_ARCH__ >= 800
PAIR_TO(bf16_from_f32, f32, t_bf16, r = wp_bf16_from_f32(v), r = bhalf_of(v))
#endif
PAIR_TO(f32_from_bf16, bf16, float, r = wp_f32_from_bf16(v), r = __uint_as_float((unsigned)v << 16))
PAIR(min, f32, r = wp_min_f32(v, in[1]), r = fminf(v, in[1]))
PAIR(max, f64, r = wp_max_f64(v, in[1]), r = fmax(v, in[1]))
PAIR(sqrt, f32, r = wp_sqrt_f32(v), r = sqrtf(v))
PAIR(fma, f32, r = wp_fma_f32(v, v, in[1]), r = fmaf(v, v, in[1]))
