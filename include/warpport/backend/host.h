/* warpport/backend/host.h: the CPU backend. Kernels are plain C or C++ functions; every lane is a fiber of the warp emulator in
 * backends/host (link with libwarpport), which pairs the lanes of a collective and reports every misuse by file and line.
 *
 * The emulator finds the user's line from the return address of its entry points and from the debug information (-g), so every
 * function here is inlined, at -O0 too, and none may become a tail call (WP__HOST_STAY). */
#ifndef WARPPORT_BACKEND_HOST_H
#define WARPPORT_BACKEND_HOST_H

#include "../types.h"

#include <stddef.h>

#define WPB_FN static inline __attribute__((always_inline, unused))

/* WP__HOST_KERNELS_ONLY: the emulator's entry points and its kernel language, for stand-ins of another chip (tests/chips). */
#ifndef WP__HOST_KERNELS_ONLY
#define WPB_MASK_T wp_u64
#define WPB_MASK_BITS 64
#define WPB_MAX_WARP_SIZE 64 /* the size itself is chosen at run time: wp_device_open("cpu:N") */
#endif

/* An instruction the compiler cannot move a call behind: the call before it returns here. */
#define WP__HOST_STAY() __asm__ volatile("")

/* Entry points of the emulator. Equal calls in two branches must stay two: where they are tells the emulator who meets whom.
 * (gcc has no attribute for it; build kernels with -fno-crossjumping, as warpport_add_kernels() does.) */
#if defined(__has_attribute)
#if __has_attribute(nomerge)
#define WP__HOST_ENTRY __attribute__((noinline, nomerge))
#endif
#endif
#ifndef WP__HOST_ENTRY
#define WP__HOST_ENTRY __attribute__((noinline))
#endif

/* ---- what the emulator keeps for a lane (one cache line; backends/host/emulator.h) ---- */

typedef struct wp__host_grid {
  int block[3], block_dim[3], grid_dim[3];
} wp__host_grid;

struct wp__host_warp;
struct wp__host_stack;

typedef struct wp__host_lane {
  void *sp, *pc, *bp; /* where the lane goes on when it runs again */
  struct wp__host_warp *warp;
  const wp__host_grid *grid;
  struct wp__host_stack *stack;
  wp_u32 fp_control;
  wp_u16 atomics; /* atomics since the lane last gave way */
  wp_u16 note;    /* what wpb_note_shuffle() was told */
  wp_u16 x, y;
  wp_u8 z, lane, warp_size, unused;
} wp__host_lane;

enum { /* class of a kernel parameter */
  WP__HOST_OTHER,
  WP__HOST_SIGNED,
  WP__HOST_UNSIGNED,
  WP__HOST_FLOAT,
  WP__HOST_DOUBLE,
  WP__HOST_POINTER,
  WP__HOST_OBJECT /* C++ only: any type passed by value */
};

typedef struct wp__host_param {
  const char *text; /* as written: "const float * x" */
  size_t bytes;
  int kind;
} wp__host_param;

typedef struct wp__host_kernel {
  struct wp__host_kernel *next;
  const char *name, *file;
  int line;
  void (*function)(void);
  void (*call)(void (*function)(void), void **args); /* NULL in C: the call goes through libffi */
  const wp__host_param *params;
  int param_count;
} wp__host_kernel;

#ifdef __cplusplus
extern "C" {
#endif

extern __thread wp__host_lane *wp__host_self __attribute__((tls_model("initial-exec")));

void wp__host_register(wp__host_kernel *kernel);
void wp__host_unregister(wp__host_kernel *kernel);

WP__HOST_ENTRY wp_u32 wp__host_shfl_u32(wp_u64 mask, wp_u32 v, int src);
WP__HOST_ENTRY wp_u64 wp__host_shfl_u64(wp_u64 mask, wp_u64 v, int src);
WP__HOST_ENTRY wp_u64 wp__host_ballot(wp_u64 mask, int p);
WP__HOST_ENTRY void wp__host_sync(wp_u64 mask);
WP__HOST_ENTRY wp_u64 wp__host_active_mask(void);
WP__HOST_ENTRY void wp__host_barrier(void);
WP__HOST_ENTRY void wp__host_note(int op, wp_u64 mask, int arg, int width);
void wp__host_note_same(int which, wp_u64 value);
WP__HOST_ENTRY void wp__host_yield(void);
wp_u64 wp__host_present(void);
int wp__host_warp_id(void);
void *wp__host_shared(const void *key, size_t count, size_t size, size_t align);

#ifdef __cplusplus
}
#endif

/* A constant width that is no power of two stops the compiler here. */
#if defined(__has_attribute)
#if __has_attribute(error)
void wp__host_bad_width(void) __attribute__((error("warpport: a constant width must be a power of two, 1 ... 64")));
#define WPB_BAD_WIDTH() wp__host_bad_width()
#endif
#endif

/* ---- required contract ---- */

#ifndef WP__HOST_KERNELS_ONLY
WPB_FN int wpb_warp_size(void) { return wp__host_self->warp_size; }
WPB_FN int wpb_lane(void) { return wp__host_self->lane; }

WPB_FN wp_u32 wpb_shfl_u32(wp_u64 mask, wp_u32 v, int src) {
  wp_u32 r = wp__host_shfl_u32(mask, v, src);
  WP__HOST_STAY();
  return r;
}
WPB_FN wp_u64 wpb_ballot(wp_u64 mask, int p) {
  wp_u64 r = wp__host_ballot(mask, p);
  WP__HOST_STAY();
  return r;
}
WPB_FN void wpb_sync(wp_u64 mask) {
  wp__host_sync(mask);
  WP__HOST_STAY();
}
WPB_FN wp_u64 wpb_active_mask(void) {
  wp_u64 r = wp__host_active_mask();
  WP__HOST_STAY();
  return r;
}
#endif
WPB_FN void wpb_barrier(void) {
  wp__host_barrier();
  WP__HOST_STAY();
}
#define WPB_BARRIER() wpb_barrier()
#ifndef WP__HOST_KERNELS_ONLY

/* ---- optional natives: only what the emulator must know; the rest is derived, so that the derived code is tested here ---- */

#define WPB_HAS_SHFL_U64 1
WPB_FN wp_u64 wpb_shfl_u64(wp_u64 mask, wp_u64 v, int src) {
  wp_u64 r = wp__host_shfl_u64(mask, v, src);
  WP__HOST_STAY();
  return r;
}

#define WPB_HAS_NOTE 1
WPB_FN void wpb_note_shuffle(int op, wp_u64 mask, int arg, int width) {
  wp__host_note(op, mask, arg, width);
  WP__HOST_STAY();
}

WPB_FN void wpb_note_same(int which, wp_u64 value) { wp__host_note_same(which, value); }

#define WPB_HAS_PRESENT 1
WPB_FN wp_u64 wpb_present(void) { return wp__host_present(); }
#define WPB_HAS_WARP_ID 1
WPB_FN int wpb_warp_id(void) { return wp__host_warp_id(); }

/* ---- indices ---- */

WPB_FN int wpb_thread_x(void) { return wp__host_self->x; }
WPB_FN int wpb_thread_y(void) { return wp__host_self->y; }
WPB_FN int wpb_thread_z(void) { return wp__host_self->z; }
WPB_FN int wpb_block_x(void) { return wp__host_self->grid->block[0]; }
WPB_FN int wpb_block_y(void) { return wp__host_self->grid->block[1]; }
WPB_FN int wpb_block_z(void) { return wp__host_self->grid->block[2]; }
WPB_FN int wpb_block_dim_x(void) { return wp__host_self->grid->block_dim[0]; }
WPB_FN int wpb_block_dim_y(void) { return wp__host_self->grid->block_dim[1]; }
WPB_FN int wpb_block_dim_z(void) { return wp__host_self->grid->block_dim[2]; }
WPB_FN int wpb_grid_dim_x(void) { return wp__host_self->grid->grid_dim[0]; }
WPB_FN int wpb_grid_dim_y(void) { return wp__host_self->grid->grid_dim[1]; }
WPB_FN int wpb_grid_dim_z(void) { return wp__host_self->grid->grid_dim[2]; }
#endif

/* ---- kernel language ---- */

#define WPB_DEVICE static __attribute__((unused))
#define WPB_GLOBAL
#define WPB_LOCAL
#define WPB_CONSTANT const
#define WPB_RESTRICT __restrict__

/* One array a block; every lane of the block gets the same address. The static variable is its name. */
#define WPB_SHARED(T, name, n) \
  static char wp__host_key_##name; \
  T *const name = (T *)wp__host_shared(&wp__host_key_##name, (size_t)(n), sizeof(T), __alignof__(T))
#define WPB_SHARED_2D(T, name, n, m) \
  static char wp__host_key_##name; \
  T(*const name)[m] = (T(*)[m])wp__host_shared(&wp__host_key_##name, (size_t)(n) * (size_t)(m), sizeof(T), __alignof__(T))

/* The emulator knows such a parameter by its prefix. */
#define WPB_SHARED_PARAM(T, name) T *wp__shared_##name
#define WPB_SHARED_BIND(T, name) T *const name = wp__shared_##name

#define WP__HOST_CAT_(a, b) a##b
#define WP__HOST_CAT(a, b) WP__HOST_CAT_(a, b)

#ifdef __cplusplus

template <class T> struct wp__host_class { enum { value = WP__HOST_OBJECT }; };
template <class T> struct wp__host_class<T *> { enum { value = WP__HOST_POINTER }; };
template <class... P> struct wp__host_list {};
template <int... I> struct wp__host_index {};
template <int N, int... I> struct wp__host_count : wp__host_count<N - 1, N - 1, I...> {};
template <int... I> struct wp__host_count<0, I...> { typedef wp__host_index<I...> type; };
template <class T> struct wp__host_plain { typedef T type; };
template <class T> struct wp__host_plain<const T> { typedef T type; };
template <class F> struct wp__host_signature;
template <class... P> struct wp__host_signature<void(P...)> {
  enum { count = sizeof...(P) };
  static const wp__host_param *params(wp__host_param *list, const char *const *texts) {
    const wp__host_param known[] = {{nullptr, sizeof(P), wp__host_class<typename wp__host_plain<P>::type>::value}...};
    for (int i = 0; i < static_cast<int>(sizeof...(P)); i++) {
      list[i] = known[i];
      list[i].text = texts[i];
    }
    return list;
  }
  template <int... I> static void call_(void (*function)(void), void **args, wp__host_index<I...>) {
    reinterpret_cast<void (*)(P...)>(function)(*static_cast<typename wp__host_plain<P>::type *>(args[I])...);
  }
  static void call(void (*function)(void), void **args) {
    call_(function, args, typename wp__host_count<static_cast<int>(sizeof...(P))>::type());
    WP__HOST_STAY();
  }
};

#define WP__HOST_TEXT(p) #p,
#define WPB_KERNEL(kernel_, ...) \
  static void kernel_(__VA_ARGS__); \
  namespace { \
  struct wp__host_kernel_##kernel_ { \
    wp__host_kernel entry; \
    wp__host_kernel_##kernel_() : entry() { \
      static const char *const texts[] = {WP__HOST_MAP(WP__HOST_TEXT, __VA_ARGS__)}; \
      typedef wp__host_signature<void(__VA_ARGS__)> signature; \
      entry.name = #kernel_; \
      entry.file = __FILE__; \
      entry.line = __LINE__; \
      entry.function = reinterpret_cast<void (*)(void)>(&kernel_); \
      entry.call = &signature::call; \
      static wp__host_param list[signature::count]; \
      entry.params = signature::params(list, texts); \
      entry.param_count = signature::count; \
      wp__host_register(&entry); \
    } \
    ~wp__host_kernel_##kernel_() { wp__host_unregister(&entry); } \
  } wp__host_entry_##kernel_; \
  } \
  static void kernel_(__VA_ARGS__)

#else

/* A parameter is known as text only; comparing function types still tells its type, typedefs resolved. */
#define WP__HOST_IS(T, p) __builtin_types_compatible_p(void (*)(p), void (*)(T))
#define WP__HOST_CLASS(p) \
  (WP__HOST_IS(float, p)    ? WP__HOST_FLOAT \
   : WP__HOST_IS(double, p) ? WP__HOST_DOUBLE \
   : WP__HOST_IS(signed char, p) || WP__HOST_IS(short, p) || WP__HOST_IS(int, p) || WP__HOST_IS(long, p) || \
           WP__HOST_IS(long long, p) || (WP__HOST_IS(char, p) && (char)-1 < 0) \
       ? WP__HOST_SIGNED \
   : WP__HOST_IS(_Bool, p) || WP__HOST_IS(char, p) || WP__HOST_IS(unsigned char, p) || WP__HOST_IS(unsigned short, p) || \
           WP__HOST_IS(unsigned, p) || WP__HOST_IS(unsigned long, p) || WP__HOST_IS(unsigned long long, p) || \
           WP__HOST_IS(wp_f16, p) || WP__HOST_IS(wp_bf16, p) || WP__HOST_IS(wp_f16x2, p) || WP__HOST_IS(wp_bf16x2, p) \
       ? WP__HOST_UNSIGNED \
       : WP__HOST_OTHER)
#define WP__HOST_PARAM(p) {#p, sizeof(struct { p; }), WP__HOST_CLASS(p)},
#define WPB_KERNEL(name, ...) \
  static void name(__VA_ARGS__); \
  static const wp__host_param wp__host_params_##name[] = {WP__HOST_MAP(WP__HOST_PARAM, __VA_ARGS__)}; \
  static wp__host_kernel wp__host_entry_##name = {NULL, #name, __FILE__, __LINE__, (void (*)(void))name, NULL, \
                                                  wp__host_params_##name, \
                                                  (int)(sizeof wp__host_params_##name / sizeof wp__host_params_##name[0])}; \
  static void __attribute__((constructor)) wp__host_register_##name(void) { wp__host_register(&wp__host_entry_##name); } \
  static void __attribute__((destructor)) wp__host_unregister_##name(void) { wp__host_unregister(&wp__host_entry_##name); } \
  static void name(__VA_ARGS__)

#endif

/* WP__HOST_MAP(X, a, b, c): X(a) X(b) X(c), up to 32. */
#define WP__HOST_MAP(X, ...) WP__HOST_CAT(WP__HOST_MAP_, WP__HOST_COUNT(__VA_ARGS__))(X, __VA_ARGS__)
#define WP__HOST_COUNT(...)                                                                                                      \
  WP__HOST_33RD(__VA_ARGS__, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8,   \
                7, 6, 5, 4, 3, 2, 1, 0)
#define WP__HOST_33RD(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D, E, F, N, ...) N
#define WP__HOST_MAP_1(X, a) X(a)
#define WP__HOST_MAP_2(X, a, ...) X(a) WP__HOST_MAP_1(X, __VA_ARGS__)
#define WP__HOST_MAP_3(X, a, ...) X(a) WP__HOST_MAP_2(X, __VA_ARGS__)
#define WP__HOST_MAP_4(X, a, ...) X(a) WP__HOST_MAP_3(X, __VA_ARGS__)
#define WP__HOST_MAP_5(X, a, ...) X(a) WP__HOST_MAP_4(X, __VA_ARGS__)
#define WP__HOST_MAP_6(X, a, ...) X(a) WP__HOST_MAP_5(X, __VA_ARGS__)
#define WP__HOST_MAP_7(X, a, ...) X(a) WP__HOST_MAP_6(X, __VA_ARGS__)
#define WP__HOST_MAP_8(X, a, ...) X(a) WP__HOST_MAP_7(X, __VA_ARGS__)
#define WP__HOST_MAP_9(X, a, ...) X(a) WP__HOST_MAP_8(X, __VA_ARGS__)
#define WP__HOST_MAP_10(X, a, ...) X(a) WP__HOST_MAP_9(X, __VA_ARGS__)
#define WP__HOST_MAP_11(X, a, ...) X(a) WP__HOST_MAP_10(X, __VA_ARGS__)
#define WP__HOST_MAP_12(X, a, ...) X(a) WP__HOST_MAP_11(X, __VA_ARGS__)
#define WP__HOST_MAP_13(X, a, ...) X(a) WP__HOST_MAP_12(X, __VA_ARGS__)
#define WP__HOST_MAP_14(X, a, ...) X(a) WP__HOST_MAP_13(X, __VA_ARGS__)
#define WP__HOST_MAP_15(X, a, ...) X(a) WP__HOST_MAP_14(X, __VA_ARGS__)
#define WP__HOST_MAP_16(X, a, ...) X(a) WP__HOST_MAP_15(X, __VA_ARGS__)
#define WP__HOST_MAP_17(X, a, ...) X(a) WP__HOST_MAP_16(X, __VA_ARGS__)
#define WP__HOST_MAP_18(X, a, ...) X(a) WP__HOST_MAP_17(X, __VA_ARGS__)
#define WP__HOST_MAP_19(X, a, ...) X(a) WP__HOST_MAP_18(X, __VA_ARGS__)
#define WP__HOST_MAP_20(X, a, ...) X(a) WP__HOST_MAP_19(X, __VA_ARGS__)
#define WP__HOST_MAP_21(X, a, ...) X(a) WP__HOST_MAP_20(X, __VA_ARGS__)
#define WP__HOST_MAP_22(X, a, ...) X(a) WP__HOST_MAP_21(X, __VA_ARGS__)
#define WP__HOST_MAP_23(X, a, ...) X(a) WP__HOST_MAP_22(X, __VA_ARGS__)
#define WP__HOST_MAP_24(X, a, ...) X(a) WP__HOST_MAP_23(X, __VA_ARGS__)
#define WP__HOST_MAP_25(X, a, ...) X(a) WP__HOST_MAP_24(X, __VA_ARGS__)
#define WP__HOST_MAP_26(X, a, ...) X(a) WP__HOST_MAP_25(X, __VA_ARGS__)
#define WP__HOST_MAP_27(X, a, ...) X(a) WP__HOST_MAP_26(X, __VA_ARGS__)
#define WP__HOST_MAP_28(X, a, ...) X(a) WP__HOST_MAP_27(X, __VA_ARGS__)
#define WP__HOST_MAP_29(X, a, ...) X(a) WP__HOST_MAP_28(X, __VA_ARGS__)
#define WP__HOST_MAP_30(X, a, ...) X(a) WP__HOST_MAP_29(X, __VA_ARGS__)
#define WP__HOST_MAP_31(X, a, ...) X(a) WP__HOST_MAP_30(X, __VA_ARGS__)
#define WP__HOST_MAP_32(X, a, ...) X(a) WP__HOST_MAP_31(X, __VA_ARGS__)

/* ---- atomics: relaxed, and a lane that uses many of them yields, so that waiting for another lane through memory ends ---- */

#define WP__HOST_ATOMICS_BEFORE_YIELD 64
WPB_FN void wp__host_after_atomic(void) {
  if (++wp__host_self->atomics >= WP__HOST_ATOMICS_BEFORE_YIELD) {
    wp__host_yield();
    WP__HOST_STAY();
  }
}

#ifndef WP__HOST_KERNELS_ONLY
#define WP__HOST_ATOMIC(op, T, S, EXPR) \
  WPB_FN T wpb_atomic_##op##_##S(T *p, T v) { \
    T old = EXPR; \
    wp__host_after_atomic(); \
    return old; \
  } \
  WPB_FN T wpb_atomic_##op##_local_##S(T *p, T v) { return wpb_atomic_##op##_##S(p, v); }
/* value of the new content in terms of old and v */
#define WP__HOST_ATOMIC_LOOP(op, T, S, EXPR) \
  WPB_FN T wpb_atomic_##op##_##S(T *p, T v) { \
    T old, next; \
    __atomic_load(p, &old, __ATOMIC_RELAXED); \
    do { \
      next = EXPR; \
    } while (!__atomic_compare_exchange(p, &old, &next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)); \
    wp__host_after_atomic(); \
    return old; \
  } \
  WPB_FN T wpb_atomic_##op##_local_##S(T *p, T v) { return wpb_atomic_##op##_##S(p, v); }
#define WP__HOST_ATOMIC_CAS(T, S) \
  WPB_FN T wpb_atomic_cas_##S(T *p, T expected, T v) { \
    __atomic_compare_exchange_n(p, &expected, v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    wp__host_after_atomic(); \
    return expected; \
  } \
  WPB_FN T wpb_atomic_cas_local_##S(T *p, T expected, T v) { return wpb_atomic_cas_##S(p, expected, v); }
#define WP__HOST_ATOMICS(T, S) \
  WP__HOST_ATOMIC(add, T, S, __atomic_fetch_add(p, v, __ATOMIC_RELAXED)) \
  WP__HOST_ATOMIC(and, T, S, __atomic_fetch_and(p, v, __ATOMIC_RELAXED)) \
  WP__HOST_ATOMIC(or, T, S, __atomic_fetch_or(p, v, __ATOMIC_RELAXED)) \
  WP__HOST_ATOMIC(xor, T, S, __atomic_fetch_xor(p, v, __ATOMIC_RELAXED)) \
  WP__HOST_ATOMIC(exch, T, S, __atomic_exchange_n(p, v, __ATOMIC_RELAXED)) \
  WP__HOST_ATOMIC_LOOP(min, T, S, v < old ? v : old) \
  WP__HOST_ATOMIC_LOOP(max, T, S, v > old ? v : old) \
  WP__HOST_ATOMIC_CAS(T, S)
WP__HOST_ATOMICS(wp_i32, i32)
WP__HOST_ATOMICS(wp_u32, u32)
WP__HOST_ATOMICS(wp_u64, u64)
WP__HOST_ATOMIC_LOOP(add, wp_f32, f32, old + v)
#define WPB_HAS_ATOMIC64 1

/* ---- floats (spec row F1); a smaller zero and a number beat their counterparts, as in R2 ---- */

WPB_FN float wpb_sqrt_f32(float x) { return __builtin_sqrtf(x); }
WPB_FN float wpb_fma_f32(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
WPB_FN float wpb_fabs_f32(float x) { return __builtin_fabsf(x); }
WPB_FN float wpb_floor_f32(float x) { return __builtin_floorf(x); }
WPB_FN float wpb_ceil_f32(float x) { return __builtin_ceilf(x); }
WPB_FN double wpb_sqrt_f64(double x) { return __builtin_sqrt(x); }
WPB_FN double wpb_fma_f64(double a, double b, double c) { return __builtin_fma(a, b, c); }
WPB_FN double wpb_fabs_f64(double x) { return __builtin_fabs(x); }
WPB_FN double wpb_floor_f64(double x) { return __builtin_floor(x); }
WPB_FN double wpb_ceil_f64(double x) { return __builtin_ceil(x); }
#define WP__HOST_MIN_MAX(T, S) \
  WPB_FN T wpb_min_##S(T a, T b) { \
    if (__builtin_isnan(a)) return b; \
    if (__builtin_isnan(b)) return a; \
    return a < b || (a <= b && __builtin_signbit(a)) ? a : b; \
  } \
  WPB_FN T wpb_max_##S(T a, T b) { \
    if (__builtin_isnan(a)) return b; \
    if (__builtin_isnan(b)) return a; \
    return a > b || (a >= b && !__builtin_signbit(a)) ? a : b; \
  }
WP__HOST_MIN_MAX(float, f32)
WP__HOST_MIN_MAX(double, f64)
#undef WP__HOST_MIN_MAX
#endif

#endif
