/* One block on one OS thread: the scheduler, the stacks and the shared memory. */
#define _GNU_SOURCE
#include "emulator.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#ifdef WARPPORT_HAVE_VALGRIND
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_UNDEFINED(at, bytes) ((void)0)
#endif

#ifdef WP__TSAN
enum { FRESH_MEMORY = 1 };
#else
enum { FRESH_MEMORY = 0 };
#endif

/* ---- stacks: a lane gets one when it begins and gives it back when it returns, so lanes that never wait share one ---- */

wp__host_stack *wp__stack_take(wp__worker *k) {
  wp__host_stack *stack = k->free_stacks;
  if (stack != NULL) {
    k->free_stacks = stack->next_free;
  } else {
    stack = wp__stack_create(k->stack_bytes, k->stack_count);
    if (stack == NULL) return NULL;
    stack->next = k->stacks;
    k->stacks = stack;
    k->stack_count++;
  }
  stack->in_use = true;
  return stack;
}

static void give_stack(wp__worker *k, wp__host_stack *stack) {
  stack->in_use = false;
  stack->next_free = k->free_stacks;
  k->free_stacks = stack;
}

/* After a failure: forget the lanes, wherever they wait. Nothing runs on any stack. */
static void abandon_lanes(wp__worker *k) {
  wp__host_stack *stack;
  int i, l;
  for (i = 0; i < k->warp_count; i++) {
    for (l = 0; l < 2 * WP__MAX_LANES; l++) k->warps[i].group[l].arrived = 0;
  }
  for (i = 0; i < k->run->threads; i++) k->lanes[i].note = 0;
  k->free_stacks = NULL;
  for (stack = k->stacks; stack != NULL; stack = stack->next) {
    if (stack->in_use) wp__stack_clean(stack);
    give_stack(k, stack);
  }
}

/* ---- the life of a fiber: it runs one lane after the other until a lane has waited elsewhere ---- */

static void one_more(wp__worker *k) { __atomic_store_n(&k->progress, k->progress + 1, __ATOMIC_RELAXED); }

static int lowest(wp_u64 set) { return __builtin_ctzll(set); }

void wp__fiber_main(void) {
  wp__fiber_begin(wp__host_self);
  for (;;) {
    wp__host_lane *self = wp__host_self, *next;
    int l;
    wp__host_warp *w = self->warp;
    wp__worker *k = w->worker;
    one_more(k);
    wp__fp_control_set(k->main.fp_control);
#ifdef WP__TSAN
    wp__tsan_lane_begin(self);
#endif
    wp__call_kernel(k);
    w->live &= ~((wp_u64)1 << self->lane);
    k->live--;
    k->atomics |= self->atomics != 0;
    one_more(k);
    if (k->barrier_count != 0 && k->barrier_count == k->live && !k->barrier_differs) wp__release_barrier(k);
    l = w->scheduled ? wp__schedule_lane(w) : w->runnable != 0 ? lowest(w->runnable) : w->fresh != 0 ? lowest(w->fresh) : -1;
#ifndef WP__TSAN /* there each lane has its own, and wp__tsan_block_end() collects them */
    if (l >= 0 && (w->fresh >> l & 1) != 0) { /* the next lane takes this stack over */
      next = &w->lanes[l];
      w->fresh &= ~((wp_u64)1 << l);
      next->stack = self->stack;
      wp__host_self = next;
      continue;
    }
    give_stack(k, self->stack);
#endif
    next = wp__make_current(w, l);
    wp__fiber_switch(self, next, true);
    abort(); /* nobody comes back to a lane that has returned */
  }
}

/* ---- looking into a lane ---- */

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *user) {
  wp__worker *k = user;
  void *pc = (void *)(uintptr_t)_Unwind_GetIP(context);
  if (pc == NULL || k->trace_count >= WP__MAX_TRACE) return _URC_END_OF_STACK;
  k->trace[k->trace_count++] = pc;
  return _URC_NO_REASON;
}

void wp__trace_here(wp__worker *k) {
  k->trace_count = 0;
  _Unwind_Backtrace(step, k);
}

void wp__trace_lane(wp__worker *k, wp__host_lane *lane) {
  wp__host_warp *w = lane->warp;
  k->trace_count = 0;
  w->inspect = 1;
  wp__host_self = lane;
  wp__switch(&k->main, lane);
  w->inspect = 0;
}

/* ---- shared memory: an allocation of its exact size for each array, so that ASan and valgrind see where it ends ---- */

static void poison(const wp__worker *k, void *memory, size_t bytes) {
#ifdef WP__TSAN
  wp__tsan_ignore(true); /* nobody's access */
#endif
  memset(memory, wp__poison_byte(k->run->settings->poison), bytes);
#ifdef WP__TSAN
  wp__tsan_ignore(false);
#endif
  VALGRIND_MAKE_MEM_UNDEFINED(memory, bytes);
}

/* TSan knows what was done to memory, so each block gets other memory there. */
static bool memory_take(void **memory, size_t align, size_t bytes) {
  int failed;
#ifdef WP__TSAN
  wp__tsan_ignore(true);
#endif
  free(*memory);
  *memory = NULL;
  failed = posix_memalign(memory, align, bytes);
#ifdef WP__TSAN
  wp__tsan_ignore(false);
#endif
  if (failed) *memory = NULL;
  return !failed;
}

void *wp__host_shared(const void *key, size_t count, size_t size, size_t align) {
  wp__worker *k = wp__this_worker;
  wp__shared *s;
  size_t bytes = count * size;
  if (k == NULL) abort();
  for (s = k->shared; s != NULL && s->key != key; s = s->next) continue;
  if (s != NULL && s->block == k->blocks) return s->memory;
  if (s == NULL) {
    s = calloc(1, sizeof *s);
    if (s == NULL) wp__leave(k, WP__REASON_MEMORY);
    s->key = key;
    s->next = k->shared;
    k->shared = s;
  }
  if (s->bytes != bytes || s->memory == NULL || FRESH_MEMORY) {
    if (count != 0 && bytes / count != size) wp__leave(k, WP__REASON_MEMORY);
    if (!memory_take(&s->memory, align > 64 ? align : 64, bytes > 0 ? bytes : 1)) wp__leave(k, WP__REASON_MEMORY);
    s->bytes = bytes;
  }
  poison(k, s->memory, bytes);
  s->block = k->blocks;
  return s->memory;
}

/* ---- the scheduler ---- */

static bool start_block(wp__worker *k, wp_u64 block) {
  const wp__run *run = k->run;
  int i;
  wp_u64 x = (wp_u64)run->grid_dim[0], y = (wp_u64)run->grid_dim[1];
  k->block = block;
  k->blocks++;
  k->grid.block[0] = (int)(block % x);
  k->grid.block[1] = (int)(block / x % y);
  k->grid.block[2] = (int)(block / x / y);
  k->live = run->threads;
  k->barrier_count = 0;
  k->barrier_differs = false;
  k->reason = WP__REASON_NONE;
  for (i = 0; i < k->warp_count; i++) {
    wp__host_warp *w = &k->warps[i];
    w->live = w->fresh = w->present;
    w->runnable = w->deferred = w->displaced = w->noted = w->inspect = w->at_barrier = w->yielded = w->active_wait = w->parked = 0;
    w->origins = 0;
    w->lenient = !run->settings->check;
    w->converged = run->settings->check && run->settings->profile.converged;
    w->own = run->settings->profile.unspecified == WP__UNSPECIFIED_OWN;
  }
  k->barrier_turn = 0;
  k->atomics = false;
  k->races = 0;
  wp__schedule_begin(k);
  if (run->shared_param >= 0) {
    if (FRESH_MEMORY && !memory_take(&k->dynamic, 256, run->shared_bytes)) return false;
    poison(k, k->dynamic, run->shared_bytes);
  }
#ifdef WP__TSAN
  if (!wp__tsan_block_begin(k)) return false;
#endif
  return true;
}

/* The lanes that wait for wp_active_mask() at one call, when no further lane of the warp can reach it. */
static void answer_active_mask(wp__host_warp *w) {
  const void *site = w->post[__builtin_ctzll(w->active_wait)].site;
  wp_u64 m, together = 0;
  for (m = w->active_wait; m != 0; m &= m - 1) {
    int l = __builtin_ctzll(m);
    if (w->post[l].site == site) together |= (wp_u64)1 << l;
  }
  for (m = together; m != 0; m &= m - 1) w->result[__builtin_ctzll(m)] = together;
  w->active_wait &= ~together;
  w->runnable |= together;
}

static void fail_memory(wp__worker *k) {
  wp__text text = {NULL, 0, 0};
  wp__say(&text,
          "kernel '%s': no memory for the stack of a lane or for shared memory (a stack has %zu bytes, see WARPPORT_HOST_STACK)",
          k->run->kernel->name, k->stack_bytes);
  wp__run_failed(k->run, k->block, WP_ERROR_OUT_OF_MEMORY, text.s);
}

/* Lets the lanes of the warp run until none of them can. False: the block has failed. */
static bool run_warp(wp__worker *k, wp__host_warp *w) {
  wp__host_lane *next = wp__pick(w);
  for (;;) {
    if (next != &k->main) wp__switch(&k->main, next);
    switch (k->reason) {
      case WP__REASON_NONE: return true;
      case WP__REASON_SAME_SITE:
        k->answer = wp__site_same(k->ask_a, k->ask_b);
        k->reason = WP__REASON_NONE;
        next = k->asking;
        wp__host_self = next;
        break;
      case WP__REASON_CHAIN:
        k->answer_chain = wp__site_chain(k);
        k->reason = WP__REASON_NONE;
        next = k->asking;
        wp__host_self = next;
        break;
      case WP__REASON_MEMORY: fail_memory(k); return false;
      default: wp__check_fault(k); return false;
    }
  }
}

/* An earlier block has failed, so nobody wants to know about this one. */
static bool stopped(const wp__worker *k) { return __atomic_load_n(&k->run->stop, __ATOMIC_RELAXED) < k->block; }

/* A random order may have left them out. */
static bool any_can_run(const wp__worker *k) {
  int i;
  for (i = 0; i < k->warp_count && (k->warps[i].runnable | k->warps[i].fresh) == 0; i++) continue;
  return i < k->warp_count;
}

static bool run_lanes(wp__worker *k) {
  while (k->live > 0) {
    wp_u64 before = k->progress;
    bool ran = false;
    int i;
    for (i = 0; i < k->warp_count; i++) {
      wp__host_warp *w = &k->warps[k->run->settings->schedule == WP__IN_ORDER ? i : wp__schedule_warp(k, i)];
      if (w->runnable == 0 && w->fresh == 0) continue;
      ran = true;
      if (!run_warp(k, w)) return false;
      if ((w->runnable | w->fresh) != 0) { /* its turn is over; whoever asks for the active lanes gets those that are there */
        if (w->active_wait != 0) answer_active_mask(w);
        continue;
      }
      if (w->parked != 0) {
        wp__check_stuck(k, w);
        return false;
      }
      if (w->active_wait != 0) {
        answer_active_mask(w);
      } else if (w->yielded != 0) {
        w->runnable = w->yielded;
        w->yielded = 0;
      } else if ((w->live & ~w->at_barrier) != 0 && w->runnable == 0) {
        wp__check_stuck(k, w);
        return false;
      }
    }
    if (stopped(k)) return false;
    if (k->live > 0 && !ran && !any_can_run(k)) {
      wp__check_barriers(k);
      return false;
    }
    if (__atomic_load_n(&k->expired, __ATOMIC_RELAXED)) {
      wp__check_no_progress(k);
      return false;
    }
    if (k->progress == before) sched_yield(); /* all wait for memory that another block may write */
  }
  return true;
}

void wp__block_run(wp__worker *k, wp_u64 block) {
  bool fine = start_block(k, block);
  if (!fine) fail_memory(k);
  fine = fine && run_lanes(k);
#ifdef WP__TSAN
  wp__tsan_block_end(k);
#endif
  if (!fine) abandon_lanes(k);
  wp__host_self = &k->main;
  if (k->deviations > 0) wp__record_choices(k);
  if (k->soft_count > 0) wp__check_soft(k);
  if (k->races > 0) wp__check_races(k);
  if (k->atomics) __atomic_store_n(&k->run->atomics, true, __ATOMIC_RELAXED);
}
