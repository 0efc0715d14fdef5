#define _GNU_SOURCE
#include "fiber.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef WARPPORT_HAVE_VALGRIND
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(start, end) 0u
#define VALGRIND_STACK_DEREGISTER(id) ((void)(id))
#define RUNNING_ON_VALGRIND 0
#endif

#ifdef WP__ASAN
void __sanitizer_start_switch_fiber(void **fake_stack_save, const void *bottom, size_t size);
void __sanitizer_finish_switch_fiber(void *fake_stack_save, const void **bottom_old, size_t *size_old);
void __asan_unpoison_memory_region(void const volatile *addr, size_t size);
#endif
#ifdef WP__TSAN
void *__tsan_get_current_fiber(void);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
enum { NO_SYNC = 1 }; /* giving way orders no memory */
#endif

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102 /* Linux 6.13: a guard that needs no mapping of its own */
#endif

enum { COLOURS = 32, COLOUR_BYTES = 128, GUARD_PAGES = 4 };

static size_t page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static bool cheap_guard(char *at, size_t bytes) { return !RUNNING_ON_VALGRIND && madvise(at, bytes, MADV_GUARD_INSTALL) == 0; }

/* Emulators of a processor take any advice and do nothing, so see whether the guard guards: the system cannot read it either. */
static bool is_guarded(const char *at) {
  int ends[2];
  bool guarded = false;
  if (pipe(ends) != 0) return false;
  guarded = write(ends[1], at, 1) < 0 && errno == EFAULT;
  close(ends[0]);
  close(ends[1]);
  return guarded;
}

bool wp__stack_guards_are_cheap(void) {
  static int known; /* 0: not asked yet, 1: no, 2: yes */
  int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (answer == 0) {
    size_t page = page_bytes();
    void *p = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    answer = p != MAP_FAILED && cheap_guard((char *)p, page) && is_guarded((const char *)p) ? 2 : 1;
    if (p != MAP_FAILED) munmap(p, page);
    __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
  }
  return answer == 2;
}

wp__host_stack *wp__stack_create(size_t bytes, unsigned colour) {
  size_t page = page_bytes();
  size_t guard = GUARD_PAGES * page;
  size_t slack = COLOURS * COLOUR_BYTES;
  size_t total = guard + ((bytes + slack + page - 1) / page) * page;
  wp__host_stack *stack = calloc(1, sizeof *stack);
  char *map;
  if (stack == NULL) return NULL;
  map = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (map == MAP_FAILED) {
    free(stack);
    return NULL;
  }
  if (!(wp__stack_guards_are_cheap() && cheap_guard(map, guard)) && mprotect(map, guard, PROT_NONE) != 0) {
    munmap(map, total);
    free(stack);
    return NULL;
  }
  stack->map = map;
  stack->guard = guard;
  stack->bytes = total;
  stack->bottom = map + guard;
  stack->top = map + total - (size_t)(colour % COLOURS) * COLOUR_BYTES;
  stack->valgrind_id = VALGRIND_STACK_REGISTER(stack->bottom, map + total);
#ifdef WP__TSAN
  stack->tsan_fiber = __tsan_create_fiber(0);
#endif
  return stack;
}

void wp__stack_destroy(wp__host_stack *stack) {
  if (stack == NULL) return;
#ifdef WP__TSAN
  __tsan_destroy_fiber(stack->tsan_fiber);
#endif
  VALGRIND_STACK_DEREGISTER(stack->valgrind_id);
  munmap(stack->map, stack->bytes);
  free(stack);
}

void wp__stack_clean(wp__host_stack *stack) {
#ifdef WP__ASAN
  __asan_unpoison_memory_region(stack->bottom, (size_t)(stack->map + stack->bytes - stack->bottom));
#endif
#ifdef WP__TSAN /* its record of calls is of no more use */
  __tsan_destroy_fiber(stack->tsan_fiber);
  stack->tsan_fiber = __tsan_create_fiber(0);
#endif
  (void)stack;
}

void wp__stack_of_thread(wp__host_stack *stack) {
  memset(stack, 0, sizeof *stack);
#ifdef WP__ASAN
  pthread_attr_t attr;
  if (pthread_getattr_np(pthread_self(), &attr) == 0) {
    void *at = NULL;
    size_t size = 0;
    pthread_attr_getstack(&attr, &at, &size);
    stack->bottom = at;
    stack->map = at;
    stack->bytes = size;
    pthread_attr_destroy(&attr);
  }
#endif
#ifdef WP__TSAN
  stack->tsan_fiber = __tsan_get_current_fiber();
#endif
}

void wp__fiber_prepare(wp__host_lane *lane, wp__host_stack *stack, void (*entry)(void)) {
  lane->stack = stack;
#ifdef WARPPORT_HOST_UCONTEXT
  getcontext(&stack->context);
  stack->context.uc_link = NULL;
  stack->context.uc_stack.ss_sp = stack->bottom;
  stack->context.uc_stack.ss_size = (size_t)(stack->top - stack->bottom);
  makecontext(&stack->context, entry, 0);
#else
  {
    /* As after a call: 16-byte aligned but for the return address, which is 0 and ends every unwinding. */
    char *sp = (char *)((uintptr_t)stack->top & ~(uintptr_t)63);
#ifdef __x86_64__
    volatile wp_u64 *word; /* no memset(), which TSan would take for the calling lane's */
    sp -= 64 + sizeof(void *);
    for (word = (volatile wp_u64 *)(void *)sp; (char *)(uintptr_t)word < sp + 64 + sizeof(void *); word++) *word = 0;
#endif
    lane->sp = sp;
    lane->pc = (void *)(uintptr_t)entry;
    lane->bp = NULL;
  }
#endif
}

void wp__fiber_begin(wp__host_lane *lane) {
#ifdef WP__ASAN
  __sanitizer_finish_switch_fiber(NULL, NULL, NULL);
#endif
  (void)lane;
}

/* A fiber that ends, or is left for good by a signal handler, gives up what the sanitizer keeps for it. */
void wp__fiber_switch(wp__host_lane *from, wp__host_lane *to, bool from_ends) {
#ifdef WP__ASAN
  __sanitizer_start_switch_fiber(from_ends ? NULL : &from->stack->asan_fake, to->stack->bottom,
                                 (size_t)(to->stack->map + to->stack->bytes - to->stack->bottom));
#endif
#ifdef WP__TSAN
  __tsan_switch_to_fiber(to->stack->tsan_fiber, NO_SYNC);
#endif
#ifdef WARPPORT_HOST_UCONTEXT
  if (from_ends)
    setcontext(&to->stack->context);
  else
    swapcontext(&from->stack->context, &to->stack->context);
#else
  wp__raw_switch(from, to);
#endif
  (void)from_ends;
#ifdef WP__ASAN
  __sanitizer_finish_switch_fiber(from->stack->asan_fake, NULL, NULL);
#endif
}
