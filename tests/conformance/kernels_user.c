/* Rows R5, C4: operators that are neither commutative nor (most of them) associative, so that only the written tree gives their
 * bits; and structs of 6, 8, 12 and 16 bytes. rows_reduce.c holds the same operators. */
#include "kernels.h"

typedef struct conf_affine { wp_u64 factor, term; } conf_affine;      /* x -> factor * x + term */
typedef struct conf_best { wp_i32 value, where; } conf_best;          /* larger value, earlier on ties */
typedef struct conf_triple { wp_u32 x, y, z; } conf_triple;
typedef struct conf_short3 { wp_u16 x, y, z; } conf_short3;

WP_DEVICE conf_affine conf_after(conf_affine a, conf_affine b) {
  conf_affine r;
  r.factor = b.factor * a.factor;
  r.term = b.factor * a.term + b.term;
  return r;
}
WP_DEVICE conf_triple conf_mix3(conf_triple a, conf_triple b) {
  conf_triple r;
  r.x = a.x + b.x;
  r.y = a.y * 31u + b.z;
  r.z = (a.z << 5 | a.z >> 27) ^ b.y;
  return r;
}
WP_DEVICE conf_short3 conf_mix_short3(conf_short3 a, conf_short3 b) {
  conf_short3 r;
  r.x = (wp_u16)((wp_u32)a.x - b.x);
  r.y = (wp_u16)((wp_u32)a.y + b.z);
  r.z = (wp_u16)((wp_u32)a.z ^ b.y);
  return r;
}

#define USER(X) \
  X(mix_i8, wp_i8, (wp_i8)(wp_u8)((wp_u32)(wp_u8)a * 3u + (wp_u8)b)) \
  X(mix_u16, wp_u16, (wp_u16)((wp_u32)a * 7u + b)) \
  X(mix_u32, wp_u32, a * 31u + b) \
  X(mix_u64, wp_u64, (a << 7 | a >> 57) + b) \
  X(minus_f32, wp_f32, a - b) \
  X(affine, conf_affine, conf_after(a, b)) \
  X(best, conf_best, b.value > a.value ? b : a) \
  X(triple, conf_triple, conf_mix3(a, b)) \
  X(short3, conf_short3, conf_mix_short3(a, b)) \
  X(larger_f16, wp_f16, a.bits >= b.bits ? a : b)
#define DEFINE(name, T, expr) \
  WP_DEFINE_REDUCE(conf_op_reduce_##name, T, expr) \
  WP_DEFINE_SCAN(conf_op_scan_##name, T, expr)
USER(DEFINE)
#ifdef WP_HAS_F64
DEFINE(minus_f64, wp_f64, a - b)
#endif

/* op 0: reduce, 1: scan, 2: exclusive scan with the identity given in mem (builtin types) or all bits one */
#define SCALAR(name, T, S) \
  CONF_KERNEL(conf_user_##name##_##S, T, T, switch (op) { \
    case 0: out[i] = conf_op_reduce_##name(WP_WARP_ARG m, v[i]); break; \
    case 1: out[i] = conf_op_scan_##name(WP_WARP_ARG m, v[i]); break; \
    default: out[i] = conf_op_scan_##name##_excl(WP_WARP_ARG m, v[i], mem[i]); break; \
  })
SCALAR(mix_i8, wp_i8, i8)
SCALAR(mix_u16, wp_u16, u16)
SCALAR(mix_u32, wp_u32, u32)
SCALAR(mix_u64, wp_u64, u64)
SCALAR(minus_f32, wp_f32, f32)
SCALAR(larger_f16, wp_f16, f16)
#ifdef WP_HAS_F64
SCALAR(minus_f64, wp_f64, f64)
#endif

#define STRUCT(name, T, S, ST, fill, store) \
  CONF_KERNEL(conf_user_##name##_##S, ST, ST, { \
    T x; \
    T none; \
    T r; \
    fill; \
    switch (op) { \
      case 0: r = conf_op_reduce_##name(WP_WARP_ARG m, x); break; \
      case 1: r = conf_op_scan_##name(WP_WARP_ARG m, x); break; \
      default: r = conf_op_scan_##name##_excl(WP_WARP_ARG m, x, none); break; \
    } \
    store; \
  })
STRUCT(affine, conf_affine, u64, wp_u64,
       x.factor = v[i]; x.term = mem[i]; none.factor = 1; none.term = 0,
       out[i * 2] = r.factor; out[i * 2 + 1] = r.term)
STRUCT(best, conf_best, i32, wp_i32,
       x.value = v[i]; x.where = mem[i]; none.value = -1; none.where = -1,
       out[i * 2] = r.value; out[i * 2 + 1] = r.where)
STRUCT(triple, conf_triple, u32, wp_u32,
       x.x = v[i]; x.y = mem[i]; x.z = v[i] ^ 0x5a5a5a5au; none.x = none.y = none.z = 0xffffffffu,
       out[i * 3] = r.x; out[i * 3 + 1] = r.y; out[i * 3 + 2] = r.z)
STRUCT(short3, conf_short3, u16, wp_u16,
       x.x = v[i]; x.y = mem[i]; x.z = (wp_u16)(v[i] ^ 0x5a5au); none.x = none.y = none.z = 0xffffu,
       out[i * 3] = r.x; out[i * 3 + 1] = r.y; out[i * 3 + 2] = r.z)
