/* Entry points of the kernels. */
#define _GNU_SOURCE
#include "emulator.h"

#include <stdio.h>
#include <stdlib.h>
#include <unwind.h>

#define HERE() __builtin_extract_return_addr(__builtin_return_address(0))

/* Code outside a launch is the only lane of a warp of one, which is enough for index functions; waiting there is an error. */
static wp__host_grid outside_grid = {{0, 0, 0}, {1, 1, 1}, {1, 1, 1}};
static wp__host_warp outside_warp;
static wp__host_lane outside_lane = {.warp = &outside_warp, .grid = &outside_grid, .warp_size = 1};
__thread wp__host_lane *wp__host_self = &outside_lane;
__thread wp__worker *wp__this_worker;

wp__host_warp *wp__outside_warp(void) { return &outside_warp; }

static _Noreturn void outside(void) {
  fputs("warpport: a warp collective was called outside of a kernel that wp_launch() runs\n", stderr);
  abort();
}

static inline int lowest(wp_u64 m) { return __builtin_ctzll(m); }
static inline wp_u64 bit_of(const wp__host_lane *self) { return (wp_u64)1 << self->lane; }

static inline void count_progress(wp__worker *k) {
  __atomic_store_n(&k->progress, k->progress + 1, __ATOMIC_RELAXED); /* one writer; the watchdog reads */
}

wp__host_lane *wp__pick(wp__host_warp *w) {
  int l = -1;
  if (w->scheduled)
    l = wp__schedule_lane(w);
  else if ((w->runnable | w->fresh) != 0)
    l = lowest(w->runnable != 0 ? w->runnable : w->fresh);
  return wp__make_current(w, l);
}

wp__host_lane *wp__make_current(wp__host_warp *w, int l) {
  wp__host_lane *next;
  if (l < 0) {
    if (w->worker == NULL) outside();
    next = &w->worker->main;
  } else if ((w->runnable >> l & 1) != 0) {
    next = &w->lanes[l];
    w->runnable &= ~((wp_u64)1 << l);
  } else {
    wp__host_stack *stack = wp__stack_take(w->worker);
    next = &w->lanes[l];
    if (stack == NULL) {
      w->worker->reason = WP__REASON_MEMORY;
      next = &w->worker->main;
    } else {
      w->fresh &= ~((wp_u64)1 << l);
      next->fp_control = w->worker->main.fp_control;
      wp__fiber_prepare(next, stack, wp__fiber_main);
    }
  }
  wp__host_self = next;
  return next;
}

/* The lane stops here until something makes it runnable again. */
static inline __attribute__((always_inline)) void wait_turn(wp__host_warp *w, wp__host_lane *self) {
  wp__host_lane *next;
  if (WP__LIKELY(w->runnable != 0 && !w->scheduled)) {
    next = &w->lanes[lowest(w->runnable)];
    w->runnable &= w->runnable - 1;
    wp__host_self = next;
  } else {
    next = wp__pick(w);
    if (next == self) return;
  }
  wp__switch(self, next);
  while (WP__UNLIKELY(w->inspect != 0)) { /* the scheduler wants to know where the lane is */
    wp__trace_here(w->worker);
    wp__host_self = &w->worker->main;
    wp__switch(self, &w->worker->main);
  }
}

/* A lane that need not wait; under a schedule another one may have its turn. */
static inline __attribute__((always_inline)) void give_way(wp__host_warp *w, wp__host_lane *self) {
  if (WP__UNLIKELY(w->scheduled)) {
    w->runnable |= bit_of(self);
    wait_turn(w, self);
  }
}

static __attribute__((noinline)) _Noreturn void park(wp__host_lane *self, const wp__post *post) {
  wp__host_warp *w = self->warp;
  w->post[self->lane] = *post;
  w->parked |= bit_of(self);
  for (;;) wait_turn(w, self);
}

static __attribute__((noinline)) _Noreturn void not_named(wp__host_lane *self, wp_u64 mask, wp_u32 tag, const void *site) {
  wp__post post = {mask, site, tag, 0, mask == 0 ? WP__RULE_EMPTY_MASK : WP__RULE_OUTSIDE_MASK, 0, 0};
  park(self, &post);
}

/* Are two return addresses one call of the source? Needs debug information, so the scheduler answers, on its larger stack. */
static __attribute__((noinline)) bool same_site(wp__host_lane *self, const void *a, const void *b) {
  wp__worker *k = self->warp->worker;
  size_t slot = (((uintptr_t)a >> 2) ^ ((uintptr_t)b >> 1)) % (sizeof k->known / sizeof k->known[0]);
  if (k->known[slot].a != a || k->known[slot].b != b) {
    k->asking = self;
    k->ask_a = a;
    k->ask_b = b;
    k->reason = WP__REASON_SAME_SITE;
    wp__host_self = &k->main;
    wp__switch(self, &k->main);
    k->known[slot].a = a;
    k->known[slot].b = b;
    k->known[slot].same = k->answer;
  }
  return k->known[slot].same;
}

/* A rule that lets the lane go on: ignored, noted for the end of the block, or the end of the lane. */
static __attribute__((noinline)) void broken(wp__host_lane *self, const wp__post *post) {
  const wp__settings *settings = self->warp->worker->run->settings;
  if (!settings->check || (settings->rules >> post->rule & 1) == 0) return;
  if (!settings->collect) park(self, post);
  wp__soft_note(self, post);
}

/* Tells the ways a lane can have come to the call apart. Compilers duplicate code, so different return addresses may be one way. */
static __attribute__((noinline)) wp_u32 chain_of(const wp__host_warp *w, const void *site) {
  wp__worker *k = w->worker;
  wp_u64 hash = 0;
  size_t slot, root = ((uintptr_t)site >> 2) % (sizeof k->roots / sizeof k->roots[0]);
  int i;
  if (k == NULL) return 0;
  if (k->roots[root].site == site && k->roots[root].kernel == k->run->kernel) return k->roots[root].chain;
  wp__trace_here(k);
  for (i = 0; i < k->trace_count; i++) hash = (hash ^ (wp_u64)(uintptr_t)k->trace[i]) * 0x9e3779b97f4a7c15u;
  slot = (size_t)(hash >> 32) % (sizeof k->chains / sizeof k->chains[0]);
  if (k->chains[slot].raw != hash) {
    k->asking = wp__host_self;
    k->reason = WP__REASON_CHAIN;
    wp__host_self = &k->main;
    wp__switch(k->asking, &k->main);
    k->chains[slot].raw = hash;
    k->chains[slot].chain = k->answer_chain;
  }
  /* To a call in the kernel's own code there is one way, which need not be looked at again. */
  if (_Unwind_FindEnclosingFunction((char *)(uintptr_t)site - 1) == (void *)(uintptr_t)k->run->kernel->function) {
    k->roots[root].site = site;
    k->roots[root].kernel = k->run->kernel;
    k->roots[root].chain = k->chains[slot].chain;
  }
  return k->chains[slot].chain;
}

static inline void note_origin(wp__host_warp *w, wp_u64 value, wp_u64 lanes, const void *site, bool active) {
  wp__origin *o = &w->origin[w->origins++ % WP__ORIGINS];
  o->value = value;
  o->lanes = lanes;
  o->site = site;
  o->active = active;
}

/* Where the lanes of mask meet when home is taken by another mask, or some group is not at home. */
static __attribute__((noinline)) wp__group *place_of(const wp__host_lane *self, wp__group *home, wp_u64 mask) {
  wp__host_warp *w = self->warp;
  wp_u64 m;
  for (m = w->displaced; m != 0; m &= m - 1) {
    wp__group *g = &w->group[WP__MAX_LANES + lowest(m)];
    if (g->mask == mask) return g;
  }
  if (home->arrived == 0 || home->mask == mask) return home;
  w->displaced |= bit_of(self);
  return &w->group[WP__MAX_LANES + self->lane];
}

/* The group is in use and differs. True: only in the return address, so the lane joins. False: it has waited and tries again. */
static __attribute__((noinline)) bool join(wp__host_lane *self, wp__group *g, wp_u64 mask, wp_u32 tag, wp_u32 chain, const void *site) {
  wp__host_warp *w = self->warp;
  if (g->mask == mask && (g->tag & 255) == (tag & 255)) {
    if (w->lenient) return true;
    if (g->tag == tag && ((g->chain == chain && same_site(self, g->site, site)) ||
                          (w->worker->run->settings->rules >> WP__RULE_OTHER_SITE & 1) == 0))
      return true;
  }
  w->post[self->lane] = (wp__post){mask, site, tag, chain, 0, 0, 0};
  w->deferred |= bit_of(self);
  wait_turn(w, self);
  return false;
}

static inline __attribute__((always_inline)) void finish_exchange(wp__host_warp *w, wp_u64 mask) {
  const wp_u8 *restrict src = w->src;
  const wp_u64 *restrict value = w->value;
  wp_u64 *restrict result = w->result;
  int lo = lowest(mask);
  wp_u64 run = mask >> lo;
  if (WP__LIKELY((run & (run + 1)) == 0)) { /* lanes without a gap */
    int hi = 64 - __builtin_clzll(mask), l;
    for (l = lo; l < hi; l++) result[l] = value[src[l]];
  } else {
    wp_u64 m;
    for (m = mask; m != 0; m &= m - 1) result[lowest(m)] = value[src[lowest(m)]];
  }
}

static inline __attribute__((always_inline)) void finish_ballot(wp__host_warp *w, wp_u64 mask, wp_u64 bits) {
  wp_u64 *restrict result = w->result;
  int lo = lowest(mask);
  wp_u64 run = mask >> lo;
  if (WP__LIKELY((run & (run + 1)) == 0)) {
    int hi = 64 - __builtin_clzll(mask), l;
    for (l = lo; l < hi; l++) result[l] = bits;
  } else {
    wp_u64 m;
    for (m = mask; m != 0; m &= m - 1) result[lowest(m)] = bits;
  }
}

/* S6: one lane for all of a segment. Who is the first to say otherwise is the completing lane's business. */
static __attribute__((noinline)) void check_broadcast(wp__host_lane *self, const wp__group *g) {
  const wp__host_warp *w = self->warp;
  int width = (int)(g->tag >> 16);
  wp_u64 m;
  if (w->worker == NULL || width <= 0) return;
  for (m = g->mask; m != 0; m &= m - 1) {
    int l = lowest(m), segment = l & ~(width - 1);
    wp_u64 those = g->mask & ((width == 64 ? ~(wp_u64)0 : ((wp_u64)1 << width) - 1) << segment);
    if (w->src[l] != w->src[lowest(those)] && w->src[l] < WP__MAX_LANES && w->src[lowest(those)] < WP__MAX_LANES) {
      wp__post post = {g->mask, g->site, g->tag, 0, WP__RULE_NOT_UNIFORM, l, width};
      broken(self, &post);
      return;
    }
  }
}

/* What the lanes have said before they came here must be one value. Same division of work as check_broadcast(). */
static __attribute__((noinline)) void check_same(wp__host_lane *self, const wp__group *g) {
  wp__host_warp *w = self->warp;
  wp_u64 noted = w->noted & g->mask, m;
  int first = lowest(noted);
  w->noted &= ~noted;
  if (w->worker == NULL) return;
  for (m = noted & (noted - 1); m != 0; m &= m - 1) {
    if (w->same[lowest(m)] != w->same[first]) {
      wp__post post = {noted, g->site, g->tag, 0, WP__RULE_NOT_SAME, w->same_which, 0};
      broken(self, &post);
      return;
    }
  }
}

void wp__host_note_same(int which, wp_u64 value) {
  wp__host_lane *self = wp__host_self;
  wp__host_warp *w = self->warp;
  if (w->lenient) return;
  w->same[self->lane] = value;
  w->same_which = which;
  w->noted |= bit_of(self);
}

static inline __attribute__((always_inline)) wp_u64 collective(wp_u32 op, wp_u64 mask, wp_u64 v, int src, const void *site) {
  wp__host_lane *self = wp__host_self;
  wp__host_warp *w = self->warp;
  wp_u64 bit = bit_of(self);
  wp_u32 tag = op, chain = 0;
  wp__group *home, *g;
  if (op == WP__OP_EXCHANGE) {
    tag |= (wp_u32)self->note << 8;
    self->note = 0;
  }
  if (WP__UNLIKELY((mask & bit) == 0)) not_named(self, mask, tag, site);
  if (op == WP__OP_EXCHANGE) {
    unsigned from = (unsigned)src & (WP__MAX_LANES - 1);
    w->value[self->lane] = v;
    w->src[self->lane] = (wp_u8)(WP__LIKELY((mask >> from & 1) != 0) ? from : (unsigned)WP__MAX_LANES + self->lane);
    if (WP__UNLIKELY(w->own)) w->value[WP__MAX_LANES + self->lane] = v;
  }
  if (WP__UNLIKELY(w->converged)) chain = chain_of(w, site);
  home = &w->group[lowest(mask)];
  for (;;) {
    g = home;
    if (WP__UNLIKELY(g->arrived == 0 ? w->displaced != 0 : g->mask != mask)) g = place_of(self, home, mask);
    if (g->arrived == 0) {
      g->mask = mask;
      g->tag = tag;
      g->chain = chain;
      g->site = site;
      g->bits = 0;
      break;
    }
    if (WP__LIKELY(g->mask == mask && g->tag == tag && g->site == site && g->chain == chain)) break;
    if (join(self, g, mask, tag, chain, site)) break;
  }
#ifdef WP__TSAN
  if (op == WP__OP_SYNC) wp__tsan_arrive(self, g);
#endif
  if (op == WP__OP_BALLOT && v != 0) g->bits |= bit;
  g->arrived |= bit;
  if (g->arrived == mask) {
    if (WP__UNLIKELY((w->noted & mask) != 0)) check_same(self, g);
    if (op == WP__OP_EXCHANGE && WP__UNLIKELY((tag >> 8 & 255) == WP__NOTE_BROADCAST + 1)) check_broadcast(self, g);
    g->arrived = 0;
    if (op == WP__OP_EXCHANGE) finish_exchange(w, mask);
    if (op == WP__OP_BALLOT) {
      finish_ballot(w, mask, g->bits);
      note_origin(w, g->bits, mask, site, false);
    }
    w->runnable |= mask ^ bit;
    if (WP__UNLIKELY(g != home)) w->displaced &= ~((wp_u64)1 << (g - w->group - WP__MAX_LANES));
    if (WP__UNLIKELY(w->deferred != 0)) {
      w->runnable |= w->deferred;
      w->deferred = 0;
    }
    if (WP__LIKELY(w->worker != NULL)) count_progress(w->worker);
    give_way(w, self);
  } else {
    wait_turn(w, self);
  }
#ifdef WP__TSAN
  if (op == WP__OP_SYNC) wp__tsan_leave(self);
#endif
  return op == WP__OP_SYNC ? 0 : w->result[self->lane];
}

wp_u32 wp__host_shfl_u32(wp_u64 mask, wp_u32 v, int src) { return (wp_u32)collective(WP__OP_EXCHANGE, mask, v, src, HERE()); }
wp_u64 wp__host_shfl_u64(wp_u64 mask, wp_u64 v, int src) { return collective(WP__OP_EXCHANGE, mask, v, src, HERE()); }
wp_u64 wp__host_ballot(wp_u64 mask, int p) { return collective(WP__OP_BALLOT, mask, p != 0, 0, HERE()); }
void wp__host_sync(wp_u64 mask) { collective(WP__OP_SYNC, mask, 0, 0, HERE()); }

/* Completed by the scheduler once no further lane of the warp can reach it. */
wp_u64 wp__host_active_mask(void) {
  wp__host_lane *self = wp__host_self;
  wp__host_warp *w = self->warp;
  if (w->worker == NULL) return 1;
  w->post[self->lane] = (wp__post){0, HERE(), WP__OP_ACTIVE_MASK, 0, 0, 0, 0};
  w->active_wait |= bit_of(self);
  wait_turn(w, self);
  if (w->origins == 0 || w->origin[(w->origins - 1) % WP__ORIGINS].value != w->result[self->lane])
    note_origin(w, w->result[self->lane], w->result[self->lane], w->post[self->lane].site, true);
  return w->result[self->lane];
}

wp_u64 wp__host_present(void) {
  const wp__host_warp *w = wp__host_self->warp;
  return w->worker != NULL ? w->present : 1;
}
int wp__host_warp_id(void) { return wp__host_self->warp->id; }

void wp__release_barrier(wp__worker *k) {
  int i;
  for (i = 0; i < k->warp_count; i++) {
    wp__host_warp *w = &k->warps[i];
    w->runnable |= w->at_barrier;
    w->at_barrier = 0;
  }
  k->barrier_count = 0;
  k->barrier_turn ^= 1;
  count_progress(k);
}

void wp__host_barrier(void) {
  const void *site = HERE();
  wp__host_lane *self = wp__host_self;
  wp__host_warp *w = self->warp;
  wp__worker *k = w->worker;
  if (k == NULL) return;
  if (k->barrier_count == 0) {
    k->barrier_site = site;
    k->barrier_differs = false;
  } else if (WP__UNLIKELY(k->barrier_site != site) && !same_site(self, k->barrier_site, site)) {
    k->barrier_differs = true;
  }
#ifdef WP__TSAN
  int turn = k->barrier_turn;
  wp__tsan_arrive_barrier(self, k->barrier_count == 0);
#endif
  w->post[self->lane] = (wp__post){0, site, WP__OP_BARRIER, 0, 0, 0, 0};
  w->at_barrier |= bit_of(self);
  k->barrier_count++;
  if (k->barrier_count == k->live && !k->barrier_differs) {
    wp__release_barrier(k);
    w->runnable &= ~bit_of(self);
    give_way(w, self);
  } else {
    wait_turn(w, self);
  }
#ifdef WP__TSAN
  wp__tsan_leave_barrier(self, turn);
#endif
}

/* Runs before the exchange it speaks of, in the same lane. */
void wp__host_note(int op, wp_u64 mask, int arg, int width) {
  wp__host_lane *self = wp__host_self;
  int lane = self->lane, s, src, rule;
  if (WP__UNLIKELY(self->warp->lenient)) return;
  if (WP__UNLIKELY(op == WP__NOTE_WIDTH || width <= 0 || width > self->warp_size || (width & (width - 1)) != 0)) {
    rule = WP__RULE_BAD_WIDTH;
  } else {
    s = lane & (width - 1);
    self->note = (wp_u16)((op + 1) | width << 8);
    switch (op) {
      case WP__NOTE_SHFL:
      case WP__NOTE_BROADCAST: src = lane - s + (arg & (width - 1)); break;
      case WP__NOTE_UP: src = (unsigned)arg <= (unsigned)s ? lane - arg : lane; break;
      case WP__NOTE_DOWN: src = (unsigned)arg < (unsigned)(width - s) ? lane + arg : lane; break;
      case WP__NOTE_XOR: src = lane ^ arg; break;
      case WP__NOTE_ROTATE: src = lane - s + (int)(((unsigned)s + (unsigned)arg) & (unsigned)(width - 1)); break;
      default: src = lane; break;
    }
    rule = WP__RULE_SOURCE;
    if (op == WP__NOTE_XOR && (unsigned)arg >= (unsigned)width)
      rule = WP__RULE_XOR_RANGE;
    else if (WP__UNLIKELY((op == WP__NOTE_UP || op == WP__NOTE_DOWN) && (unsigned)arg >= (unsigned)width))
      rule = WP__RULE_DELTA_RANGE;
    else if (WP__LIKELY((mask >> src & 1) != 0 || (mask & bit_of(self)) == 0)) /* the exchange reports a caller outside its mask */
      return;
  }
  if (self->warp->worker == NULL) outside();
  {
    wp__post post = {mask, HERE(), (wp_u32)(WP__OP_EXCHANGE | (op + 1) << 8), 0, rule, arg, width};
    broken(self, &post);
  }
}

/* After a number of atomics: the lane may be waiting for another one through memory. */
void wp__host_yield(void) {
  wp__host_lane *self = wp__host_self;
  wp__host_warp *w = self->warp;
  self->atomics = 0;
  if (w->worker == NULL) return;
  w->worker->atomics = true;
  w->post[self->lane] = (wp__post){0, HERE(), 0, 0, 0, 0, 0};
  w->yielded |= bit_of(self);
  wait_turn(w, self);
}

_Noreturn void wp__leave(wp__worker *k, int reason) {
  static __thread wp__host_lane nowhere;
  static __thread wp__host_stack no_stack;
  k->reason = reason;
  wp__host_self = &k->main;
  nowhere.stack = &no_stack;
  wp__fiber_switch(&nowhere, &k->main, true);
  abort();
}
