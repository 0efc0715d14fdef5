/* Rows A1, A2. mem[a] is the cell that a thread works on; out gets the old value. */
#include "kernels.h"

#define ATOMICS(T, S) \
  CONF_LONE_KERNEL(conf_atomic_add_##S, T, T, out[i] = CONF_FN(wp_atomic_add, S)(&mem[a], v[i])) \
  CONF_LONE_KERNEL(conf_atomic_min_##S, T, T, out[i] = CONF_FN(wp_atomic_min, S)(&mem[a], v[i])) \
  CONF_LONE_KERNEL(conf_atomic_max_##S, T, T, out[i] = CONF_FN(wp_atomic_max, S)(&mem[a], v[i])) \
  CONF_LONE_KERNEL(conf_atomic_exch_##S, T, T, out[i] = CONF_FN(wp_atomic_exch, S)(&mem[a], v[i])) \
  CONF_LONE_KERNEL(conf_atomic_cas_##S, T, T, { \
    T seen = 0; \
    T old = CONF_FN(wp_atomic_cas, S)(&mem[a], seen, seen + v[i]); \
    while (old != seen) { \
      seen = old; \
      old = CONF_FN(wp_atomic_cas, S)(&mem[a], seen, seen + v[i]); \
    } \
    out[i] = old; \
  })
#define ATOMIC_BITS(T, S) \
  CONF_LONE_KERNEL(conf_atomic_and_##S, T, T, out[i] = CONF_FN(wp_atomic_and, S)(&mem[a], v[i])) \
  CONF_LONE_KERNEL(conf_atomic_or_##S, T, T, out[i] = CONF_FN(wp_atomic_or, S)(&mem[a], v[i])) \
  CONF_LONE_KERNEL(conf_atomic_xor_##S, T, T, out[i] = CONF_FN(wp_atomic_xor, S)(&mem[a], v[i]))
ATOMICS(wp_i32, i32)
ATOMICS(wp_u32, u32)
ATOMIC_BITS(wp_i32, i32)
ATOMIC_BITS(wp_u32, u32)
#ifdef WP_HAS_ATOMIC64
ATOMICS(wp_u64, u64)
#endif
CONF_LONE_KERNEL(conf_atomic_add_f32, wp_f32, wp_f32, out[i] = CONF_FN(wp_atomic_add, f32)(&mem[a], v[i]))

/* One cell in shared memory, which the first thread sets and the last threads report: out[i] is the old value, mem[i] the final
 * one. */
#define LOCAL(name, T, S, start) \
  WP_KERNEL(conf_atomic_local_##name##_##S, CONF_PARAMS(T, T)) { \
    WP_SHARED(T, cell, 1); \
    CONF_LOCALS; \
    if (wp_thread_rank() == 0) cell[0] = start; \
    WP_BARRIER(); \
    if (m != 0) out[i] = CONF_FN(wp_atomic_##name##_local, S)(&cell[0], v[i]); \
    WP_BARRIER(); \
    mem[i] = cell[0]; \
  }
#define LOCAL_CAS(T, S) \
  WP_KERNEL(conf_atomic_local_cas_##S, CONF_PARAMS(T, T)) { \
    WP_SHARED(T, cell, 1); \
    CONF_LOCALS; \
    if (wp_thread_rank() == 0) cell[0] = 0; \
    WP_BARRIER(); \
    if (m != 0) { \
      T seen = 0; \
      T old = CONF_FN(wp_atomic_cas_local, S)(&cell[0], seen, seen + v[i]); \
      while (old != seen) { \
        seen = old; \
        old = CONF_FN(wp_atomic_cas_local, S)(&cell[0], seen, seen + v[i]); \
      } \
      out[i] = old; \
    } \
    WP_BARRIER(); \
    mem[i] = cell[0]; \
  }
#define LOCALS(T, S) \
  LOCAL(add, T, S, 0) LOCAL(min, T, S, 77) LOCAL(max, T, S, 77) LOCAL(exch, T, S, 0) LOCAL_CAS(T, S)
#define LOCAL_BITS(T, S) LOCAL(and, T, S, 0x7fffffff) LOCAL(or, T, S, 0) LOCAL(xor, T, S, 0)
LOCALS(wp_i32, i32)
LOCALS(wp_u32, u32)
LOCAL_BITS(wp_i32, i32)
LOCAL_BITS(wp_u32, u32)
#ifdef WP_HAS_ATOMIC64
LOCALS(wp_u64, u64)
#endif
LOCAL(add, wp_f32, f32, 0)

/* A2 */
#define AGGREGATED(T, S) \
  CONF_KERNEL(conf_atomic_add_aggregated_##S, T, T, \
              out[i] = CONF_BREAK(CONF_FN(wp_atomic_add_aggregated, S)(m, &mem[a], v[i]), \
                                  (T)(CONF_FN(wp_atomic_add_aggregated, S)(m, &mem[a], v[i]) + v[i])))
AGGREGATED(wp_i32, i32)
AGGREGATED(wp_u32, u32)
#ifdef WP_HAS_ATOMIC64
AGGREGATED(wp_u64, u64)
#endif
