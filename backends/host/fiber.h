/* Fibers: a stack, and switching from one to another inside an OS thread.
 *
 * The switch is inlined into the entry points of the emulator: the return address that `ret` predicts is then that of the same
 * call in the other lane, which is what makes a switch cost a few nanoseconds. It keeps the registers an ABI calls callee-saved
 * (the compiler saves those that are in use) and the floating-point control register.
 *
 * WARPPORT_HOST_UCONTEXT selects swapcontext() instead; it is the fallback for other processors. */
#ifndef WARPPORT_HOST_FIBER_H
#define WARPPORT_HOST_FIBER_H

#include "warpport/types.h"
#include "warpport/backend/host.h"

#include <stdbool.h>

#if !defined(WARPPORT_HOST_UCONTEXT) && !defined(__x86_64__) && !defined(__aarch64__)
#define WARPPORT_HOST_UCONTEXT 1
#endif
#if defined(__x86_64__) && defined(__ILP32__)
#undef WARPPORT_HOST_UCONTEXT
#define WARPPORT_HOST_UCONTEXT 1
#endif

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define WP__ASAN 1
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define WP__TSAN 1
#endif
#if defined(WARPPORT_HOST_UCONTEXT) || defined(WP__ASAN) || defined(WP__TSAN)
#define WP__FIBER_OUT_OF_LINE 1
#endif

#ifdef WARPPORT_HOST_UCONTEXT
#include <ucontext.h>
#endif

typedef struct wp__host_stack {
  struct wp__host_stack *next, *next_free;
  char *map;    /* guard first, then the stack */
  size_t guard, bytes;
  char *bottom; /* usable part */
  char *top;
  unsigned valgrind_id;
  bool in_use;
  void *tsan_fiber, *asan_fake;
#ifdef WARPPORT_HOST_UCONTEXT
  ucontext_t context;
#endif
} wp__host_stack;

/* NULL when memory is short. colour staggers the stack tops, which would else share one set of the cache. */
wp__host_stack *wp__stack_create(size_t bytes, unsigned colour);
void wp__stack_destroy(wp__host_stack *stack);
/* Forgets what an abandoned lane left on it. */
void wp__stack_clean(wp__host_stack *stack);
/* Describes the stack of the calling OS thread. */
void wp__stack_of_thread(wp__host_stack *stack);
/* Do guards cost the kernel no separate mappings? (else their number is limited) */
bool wp__stack_guards_are_cheap(void);

/* The lane will begin in entry() on that stack. entry must not return. */
void wp__fiber_prepare(wp__host_lane *lane, wp__host_stack *stack, void (*entry)(void));
/* First thing in entry(). */
void wp__fiber_begin(wp__host_lane *lane);

void wp__fiber_switch(wp__host_lane *from, wp__host_lane *to, bool from_ends);

#if defined(WARPPORT_HOST_UCONTEXT)
/* swapcontext in fiber.c */
#elif defined(__x86_64__)
#if defined(__AVX512F__)
#define WP__CLOBBER_AVX512                                                                                                       \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", "xmm28",         \
      "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define WP__CLOBBER_AVX512
#endif
static inline __attribute__((always_inline)) void wp__raw_switch(wp__host_lane *from, wp__host_lane *to) {
  __asm__ volatile(
      "leaq 1f(%%rip), %%rax\n\t"
      "movq %%rsp, %c[sp](%[from])\n\t"
      "movq %%rax, %c[pc](%[from])\n\t"
      "movq %%rbp, %c[bp](%[from])\n\t"
      "stmxcsr %c[fp](%[from])\n\t"
      "movl %c[fp](%[to]), %%ecx\n\t"
      "movq %c[sp](%[to]), %%rsp\n\t"
      "movq %c[bp](%[to]), %%rbp\n\t"
      "cmpl %c[fp](%[from]), %%ecx\n\t"
      "je 2f\n\t"
      "ldmxcsr %c[fp](%[to])\n"
      "2:\n\t"
      "jmpq *%c[pc](%[to])\n\t"
      ".p2align 4\n"
      "1:\n\t"
      : [from] "+D"(from), [to] "+S"(to)
      : [sp] "i"(offsetof(wp__host_lane, sp)), [pc] "i"(offsetof(wp__host_lane, pc)), [bp] "i"(offsetof(wp__host_lane, bp)),
        [fp] "i"(offsetof(wp__host_lane, fp_control))
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",
        "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
        "xmm15" WP__CLOBBER_AVX512, "cc", "memory");
}
#elif defined(__aarch64__)
#if defined(__ANDROID__) || defined(__APPLE__) /* there x18 belongs to the platform */
#define WP__CLOBBER_X18
#else
#define WP__CLOBBER_X18 "x18",
#endif
static inline __attribute__((always_inline)) void wp__raw_switch(wp__host_lane *from, wp__host_lane *to) {
  register wp__host_lane *f __asm__("x0") = from;
  register wp__host_lane *t __asm__("x1") = to;
  /* br through x17 is a legal way into both `bti j` and the `bti c` of a function; x30 = 0 ends the unwinding of a new fiber. */
  __asm__ volatile("adr x9, 1f\n\t"
                   "mov x10, sp\n\t"
                   "stp x10, x9, [x0, %[sp]]\n\t"
                   "str x29, [x0, %[bp]]\n\t"
                   "mrs x11, fpcr\n\t"
                   "str w11, [x0, %[fp]]\n\t"
                   "ldr w12, [x1, %[fp]]\n\t"
                   "ldp x10, x17, [x1, %[sp]]\n\t"
                   "ldr x29, [x1, %[bp]]\n\t"
                   "mov sp, x10\n\t"
                   "cmp w11, w12\n\t"
                   "b.eq 2f\n\t"
                   "msr fpcr, x12\n"
                   "2:\n\t"
                   "mov x30, xzr\n\t"
                   "br x17\n"
                   "1:\n\t"
                   "hint #36\n\t" /* bti j */
                   : "+r"(f), "+r"(t)
                   : [sp] "i"(offsetof(wp__host_lane, sp)), [bp] "i"(offsetof(wp__host_lane, bp)),
                     [fp] "i"(offsetof(wp__host_lane, fp_control))
                   : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
                     WP__CLOBBER_X18 "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30", "v0", "v1",
                     "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17",
                     "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31", "cc",
                     "memory");
}
#endif

/* A lane begins with the rounding mode of the thread, whatever the lane before it on this stack has set. */
static inline void wp__fp_control_set(wp_u32 control) {
#if defined(WARPPORT_HOST_UCONTEXT)
  (void)control;
#elif defined(__x86_64__)
  wp_u32 now = __builtin_ia32_stmxcsr();
  if (now != control) __builtin_ia32_ldmxcsr(control);
#elif defined(__aarch64__)
  wp_u64 wanted = control;
  __asm__ volatile("msr fpcr, %0" : : "r"(wanted));
#endif
}

static inline __attribute__((always_inline)) void wp__switch(wp__host_lane *from, wp__host_lane *to) {
#ifdef WP__FIBER_OUT_OF_LINE
  wp__fiber_switch(from, to, false);
#else
  wp__raw_switch(from, to);
#endif
}

#endif
