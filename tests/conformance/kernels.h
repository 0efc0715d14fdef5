/* What every conformance kernel has in common. Portable: C11, C++, CUDA, HIP, OpenCL C 1.2 and later.
 *
 * Thread i of the launch finds its own mask, width, argument and values at index i. A zero mask means that it sits out: it goes
 * around the operation in a branch and writes nothing, so its output keeps the host's sentinel. n is the number of threads, op
 * selects a variant and is the same in all threads.
 *
 * CONF_TYPED: use typed names (wp_shfl_f32) instead of generic ones, which C99 does not have.
 * WP_TEST_BREAK: build wrong kernels on purpose; the harness must report each (selftest in CMakeLists.txt). */
#ifndef WARPPORT_TESTS_KERNELS_H
#define WARPPORT_TESTS_KERNELS_H

#include <warpport/warpport.h>

#define CONF_PARAMS(T, R) \
  const WP_GLOBAL wp_u64 *masks, const WP_GLOBAL wp_i32 *widths, const WP_GLOBAL wp_i32 *args, const WP_GLOBAL T *v, \
    WP_GLOBAL T *mem, WP_GLOBAL R *out, wp_i32 n, wp_i32 op

/* i: the thread, m w a: its mask, width and argument.
 *
 * Where control flow must be uniform over the block (WP_UNIFORM_FLOW: OpenCL devices without sub-groups), a thread that sits out
 * goes through the operation like the others, with an empty mask; the host made the arrays twice as long, and it reads and writes
 * in the second half. CONF_INSIDE is "this thread runs the operation", CONF_COLLECTIVE_LOCALS are CONF_LOCALS with such an i. */
#if WP_UNIFORM_FLOW
#define CONF_INSIDE(m) ((void)(m), true)
#define CONF_COLLECTIVE_LOCALS \
  const int thread = (int)wp_global_rank(); \
  const wp_mask m = (wp_mask)masks[thread]; \
  const int i = m != 0 ? thread : thread + n; \
  const int w = m != 0 ? widths[thread] : 1; \
  const int a = m != 0 ? args[thread] : 0; \
  (void)w; (void)a; (void)v; (void)mem; (void)n; (void)op
#else
#define CONF_INSIDE(m) ((m) != 0)
#define CONF_COLLECTIVE_LOCALS CONF_LOCALS
#endif
#define CONF_LOCALS \
  const int i = (int)wp_global_rank(); \
  const wp_mask m = (wp_mask)masks[i]; \
  const int w = widths[i]; \
  const int a = args[i]; \
  (void)w; (void)a; (void)v; (void)mem; (void)n; (void)op

/* The last argument is the statement that the lanes with a mask run. */
#define CONF_KERNEL(name, T, R, ...) \
  WP_KERNEL(name, CONF_PARAMS(T, R)) { \
    CONF_COLLECTIVE_LOCALS; \
    if (CONF_INSIDE(m)) { \
      __VA_ARGS__; \
    } \
  }
/* The same for operations of one thread, which need nobody else. */
#define CONF_LONE_KERNEL(name, T, R, ...) \
  WP_KERNEL(name, CONF_PARAMS(T, R)) { \
    CONF_LOCALS; \
    if (m != 0) { \
      __VA_ARGS__; \
    } \
  }

#ifdef WP_HAS_F64
#define CONF_F64(X) X(wp_f64, f64)
#else
#define CONF_F64(X)
#endif
#define CONF_INTS(X) \
  X(wp_i8, i8) X(wp_u8, u8) X(wp_i16, i16) X(wp_u16, u16) X(wp_i32, i32) X(wp_u32, u32) X(wp_i64, i64) X(wp_u64, u64)
#define CONF_SCALARS(X) CONF_INTS(X) X(wp_f32, f32) CONF_F64(X) X(wp_f16, f16) X(wp_bf16, bf16)
#define CONF_TYPES(X) CONF_SCALARS(X) X(wp_f16x2, f16x2) X(wp_bf16x2, bf16x2)

/* CONF_FN(wp_shfl, f32)(...): the generic or the typed name. CONF_SHORT: op 1 leaves out the width, where the name can. */
#ifdef CONF_TYPED
#define CONF_FN(name, S) name##_##S
#define CONF_SHORT(shorter, longer) longer
#else
#define CONF_FN(name, S) name
#define CONF_SHORT(shorter, longer) \
  if (op == 1) { \
    shorter; \
  } else { \
    longer; \
  }
#endif

#ifdef WP_TEST_BREAK
#define CONF_BREAK(right, wrong) wrong
#else
#define CONF_BREAK(right, wrong) right
#endif

#endif
