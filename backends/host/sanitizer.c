/* What the sanitizers find in a lane, with the lane's name.
 *
 * ThreadSanitizer: every lane is a fiber of its own, and switching lanes orders nothing. What does: wp_sync() among the lanes of its
 * mask, WP_BARRIER() among those of the block, the launch before all and after all. Shuffles and votes exchange values and order no
 * memory (docs/spec.md, rows Y1 and Y2; PTX ISA: only bar.warp.sync orders memory). Making a fiber is slow, so a worker has a stock of
 * them, each with its stack, that lanes take in turn: no two lanes of a block use one, nor do blocks that follow each other, so that
 * they inherit nothing. The emulator's own files are not instrumented. */
#define _GNU_SOURCE
#include "emulator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WP__TSAN

void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void __tsan_set_fiber_name(void *fiber, const char *name);
void __tsan_acquire(void *address);
void __tsan_release(void *address);
void __tsan_atomic64_store(volatile long long *address, long long value, int order);
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
int __tsan_get_report_data(void *report, const char **description, int *count, int *stacks, int *accesses, int *locations,
                           int *mutexes, int *threads, int *unique, void **sleep_trace, unsigned long size);
int __tsan_get_report_mop(void *report, unsigned long i, int *tid, void **address, int *size, int *write, int *atomic,
                          void **trace, unsigned long trace_size);
int __tsan_get_report_thread(void *report, unsigned long i, int *tid, unsigned long *os_id, int *running, const char **name,
                             int *parent, void **trace, unsigned long trace_size);

enum { MAX_RACES = 16, TRACE = 12, NO_SYNC = 1 };
typedef struct wp__race {
  void *address;
  int size;
  struct access {
    int write, atomic;
    char name[64];
    void *trace[TRACE];
  } access[2];
} wp__race;

void wp__tsan_ignore(bool on) {
  if (on) {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  } else {
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
}

/* Release that forgets what was released there before: an atomic store does (C11 5.1.2.4: it heads a new release sequence). */
static void release_anew(void *address) {
  enum { RELEASE = 3 };
  __tsan_atomic64_store(address, 0, RELEASE);
}

void wp__tsan_run_begin(wp__run *run) { __tsan_release(&run->begun); }
void wp__tsan_run_end(wp__run *run) { __tsan_acquire(&run->ended); }

/* Lanes of the last block have left their marks in what the kernels' code sees of a lane; memory that is new has none. */
static bool renew_lanes(wp__worker *k) {
  void *fresh = NULL;
  int i;
  wp__tsan_ignore(true);
  if (posix_memalign(&fresh, 64, (size_t)k->lane_capacity * sizeof *k->lanes) == 0) {
    memcpy(fresh, k->lanes, (size_t)k->lane_capacity * sizeof *k->lanes);
    free(k->lanes);
    k->lanes = fresh;
  }
  wp__tsan_ignore(false);
  for (i = 0; fresh != NULL && i < k->warp_count; i++) k->warps[i].lanes = &k->lanes[i * k->run->warp_size];
  return fresh != NULL;
}

bool wp__tsan_block_begin(wp__worker *k) {
  int i, j;
  unsigned wanted = (unsigned)(k->run->threads < 128 ? 4 * k->run->threads : k->run->threads + 256);
  if (k->race == NULL) k->race = calloc(MAX_RACES, sizeof *k->race);
  if (k->race == NULL || !renew_lanes(k)) return false;
  while (k->stack_count < wanted) { /* by the scheduler: a fiber inherits from who makes it */
    wp__host_stack *stack = wp__stack_create(k->stack_bytes, k->stack_count);
    if (stack == NULL) return false;
    stack->next = k->stacks;
    k->stacks = stack;
    stack->next_free = k->free_stacks;
    k->free_stacks = stack;
    k->stack_count++;
  }
  for (i = 0; i < k->run->threads; i++) k->lanes[i].stack = NULL;
  for (i = 0; i < k->warp_count; i++) {
    for (j = 0; j < WP__MAX_LANES; j++) k->warps[i].joined[j] = -1;
    for (j = 0; j < WP__TOKENS; j++) k->warps[i].token[j].left = 0;
  }
  return true;
}

/* What the lanes did comes before the end of the launch, also where they were abandoned half-way. Their fibers go to the end of the
 * queue. */
void wp__tsan_block_end(wp__worker *k) {
  wp__host_stack **end = &k->free_stacks;
  int i;
  while (*end != NULL) end = &(*end)->next_free;
  for (i = 0; i < k->run->threads; i++) {
    wp__host_stack *stack = k->lanes[i].stack;
    if (stack == NULL) continue;
    __tsan_switch_to_fiber(stack->tsan_fiber, NO_SYNC);
    __tsan_release(&k->run->ended);
    stack->next_free = NULL;
    *end = stack;
    end = &stack->next_free;
  }
  __tsan_switch_to_fiber(k->main_stack.tsan_fiber, NO_SYNC);
}

void wp__tsan_worker_end(wp__worker *k) { free(k->race); }

void wp__tsan_lane_begin(wp__host_lane *lane) {
  const wp__worker *k = lane->warp->worker;
  char name[64];
  wp__tsan_ignore(true);
  snprintf(name, sizeof name, "lane %d of warp %d, block (%d,%d,%d)", lane->lane, lane->warp->id, k->grid.block[0],
           k->grid.block[1], k->grid.block[2]);
  __tsan_set_fiber_name(lane->stack->tsan_fiber, name);
  wp__tsan_ignore(false);
  __tsan_acquire(&k->run->begun);
}

/* A lane can be in one meeting at a time, so there is always a free token. */
void wp__tsan_arrive(wp__host_lane *lane, wp__group *g) {
  wp__host_warp *w = lane->warp;
  if (g->arrived == 0) {
    int t = 0;
    while (w->token[t].left != 0) t++;
    w->token[t].left = __builtin_popcountll(g->mask);
    g->token = t;
    release_anew(&w->token[t].clock);
  } else {
    __tsan_release(&w->token[g->token].clock);
  }
  w->joined[lane->lane] = g->token;
}

void wp__tsan_leave(wp__host_lane *lane) {
  wp__host_warp *w = lane->warp;
  wp__token *t = &w->token[w->joined[lane->lane]];
  __tsan_acquire(&t->clock);
  t->left--;
  w->joined[lane->lane] = -1;
}

/* Two turns suffice: nobody can come to the next but one before all have left this one, because they come to the next. A lane that
 * has returned orders nothing. */
void wp__tsan_arrive_barrier(wp__host_lane *lane, bool first) {
  wp__worker *k = lane->warp->worker;
  if (first)
    release_anew(&k->barrier_token[k->barrier_turn].clock);
  else
    __tsan_release(&k->barrier_token[k->barrier_turn].clock);
}
void wp__tsan_leave_barrier(wp__host_lane *lane, int turn) { __tsan_acquire(&lane->warp->worker->barrier_token[turn].clock); }

/* ---- races ---- */

static void take(wp__worker *k, void *report) {
  const char *description;
  int count, stacks, accesses, locations, mutexes, threads, unique, i, j;
  void *sleeping[1];
  wp__race *race = &k->race[k->races];
  if (k->races >= MAX_RACES) return;
  memset(race, 0, sizeof *race);
  __tsan_get_report_data(report, &description, &count, &stacks, &accesses, &locations, &mutexes, &threads, &unique, sleeping, 1);
  for (i = 0; i < 2 && i < accesses; i++) {
    struct access *a = &race->access[i];
    int tid = 0, size = 0;
    __tsan_get_report_mop(report, (unsigned long)i, &tid, &race->address, &size, &a->write, &a->atomic, a->trace, TRACE);
    if (size > race->size) race->size = size;
    for (j = 0; j < threads; j++) {
      int id = 0, running, parent;
      unsigned long os_id;
      const char *name = NULL;
      void *trace[1];
      __tsan_get_report_thread(report, (unsigned long)j, &id, &os_id, &running, &name, &parent, trace, 1);
      if (id == tid && name != NULL) snprintf(a->name, sizeof a->name, "%s", name);
    }
  }
  k->races++;
}

/* TSan's hook; true: it prints nothing itself. Locks are held, so what it found is only kept. */
bool wp__tsan_report(const void *report, bool suppressed) __asm__("_ZN6__tsan8OnReportEPKNS_10ReportDescEb");
bool wp__tsan_report(const void *report, bool suppressed) {
  wp__worker *k = wp__this_worker;
  if (suppressed || k == NULL || k->run == NULL || wp__host_self == &k->main) return suppressed;
  take(k, (void *)(uintptr_t)report);
  return true;
}

static const wp__site *site_of(void *const *trace) {
  const wp__site *site = wp__site_at(trace[0]);
  int i;
  for (i = 1; i < TRACE && !site->known && trace[i] != NULL; i++) site = wp__site_at(trace[i]);
  return site;
}

static bool seen_before(const wp__race *a, const wp__race *b) {
  return wp__site_at(a->access[0].trace[0])->id == wp__site_at(b->access[0].trace[0])->id &&
         wp__site_at(a->access[1].trace[0])->id == wp__site_at(b->access[1].trace[0])->id;
}

void wp__check_races(wp__worker *k) {
  int i, j;
  for (i = 0; i < k->races; i++) {
    const wp__race *race = &k->race[i];
    wp__report *report;
    const wp__site *site[2];
    wp__text text = {NULL, 0, 0};
    int lane[2] = {-1, -1}, warp[2] = {-1, -1};
    for (j = 0; j < i && !seen_before(&k->race[j], race); j++) continue;
    if (j < i || (k->run->settings->rules >> WP__RULE_RACE & 1) == 0) continue;
    report = wp__report_create(k, WP__RULE_RACE, WP_ERROR_MISUSE);
    if (report == NULL) return;
    for (j = 0; j < 2; j++) {
      site[j] = site_of(race->access[j].trace);
      if (sscanf(race->access[j].name, "lane %d of warp %d", &lane[j], &warp[j]) < 2) lane[j] = warp[j] = -1;
    }
    report->place = &site[0]->frames[0];
    wp__say(&report->message, "%s %ss%s %d byte%s that %s %s%s", race->access[0].name, race->access[0].write ? "write" : "read",
            race->access[0].atomic ? " atomically" : "", race->size, race->size == 1 ? "" : "s", race->access[1].name,
            race->access[1].write ? "has written" : "has read", race->access[1].atomic ? " atomically" : "");
    wp__say(&report->message, ", with nothing that orders the two");
    if (lane[0] >= 0) {
      wp_u64 lanes = (wp_u64)1 << lane[0];
      if (warp[0] == warp[1] && lane[1] >= 0) lanes |= (wp_u64)1 << lane[1];
      if (warp[0] < k->warp_count) wp__report_where(report, k, &k->warps[warp[0]], (wp_u64)1 << lane[0]);
      report->lanes = lanes;
    }
    wp__report_callers(report, k, site[0], race->access[0].trace, TRACE);
    wp__say(&text, "%s by %s", race->access[1].write ? "written" : "read", race->access[1].name);
    wp__report_line_add(report, WP__LINE_NOTE, &site[1]->frames[0], lane[1] >= 0 ? (wp_u64)1 << lane[1] : 0, &text);
    wp__run_report(k->run, k->block, report);
  }
  k->races = 0;
}

#else
void wp__check_races(wp__worker *k) { (void)k; }
#endif

#if defined(WP__ASAN) || defined(WP__UBSAN)

/* Where the program is going to die: the report cannot wait for the launch to end. */
static void last_words(int rule, const wp__site *site, const char *what) {
  wp__worker *k = wp__this_worker;
  wp__host_lane *lane = wp__host_self;
  wp__report *report;
  wp__text text = {NULL, 0, 0};
  if (k == NULL || k->run == NULL || lane == &k->main || lane->warp->worker != k) return;
  report = wp__report_create(k, rule, WP_ERROR_LAUNCH);
  if (report == NULL) return;
  wp__trace_here(k);
  while (k->trace_count > 0 && !site->known) {
    int i;
    for (i = 0; i < k->trace_count && !site->known; i++) site = wp__site_at(k->trace[i]);
    break;
  }
  report->place = &site->frames[0];
  wp__say_lanes(&report->message, (wp_u64)1 << lane->lane);
  wp__say(&report->message, ": %s", what);
  wp__report_where(report, k, lane->warp, (wp_u64)1 << lane->lane);
  wp__report_callers(report, k, site, k->trace, k->trace_count);
  wp__report_text(report, false, &text);
  fprintf(stderr, "%s\n", text.s != NULL ? text.s : what);
  wp__reports_write(report);
}

#endif
#ifdef WP__ASAN

void *__asan_get_report_pc(void);
const char *__asan_get_report_description(void);
int __asan_get_report_access_type(void);
unsigned long __asan_get_report_access_size(void);
void *__asan_get_report_address(void);
void __asan_on_error(void);

void __asan_on_error(void) {
  char what[256];
  snprintf(what, sizeof what, "%s of %lu bytes at %p: %s", __asan_get_report_access_type() != 0 ? "write" : "read",
           __asan_get_report_access_size(), __asan_get_report_address(), __asan_get_report_description());
  last_words(WP__RULE_BOUNDS, wp__site_at(__asan_get_report_pc()), what); /* a return address: the report is a call */
}

#endif
#ifdef WP__UBSAN

void __ubsan_get_current_report_data(const char **kind, const char **message, const char **file, unsigned *line, unsigned *column,
                                     char **address);
void __ubsan_on_report(void);

void __ubsan_on_report(void) {
  const char *kind = NULL, *message = NULL, *file = NULL;
  unsigned line = 0, column = 0;
  char *address = NULL;
  wp__frame frame = {NULL, 0, 0, NULL};
  wp__site site = {.frame_count = 1, .frames = &frame, .known = true};
  char name[512];
  __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
  snprintf(name, sizeof name, "%s", file != NULL ? file : "unknown place");
  frame.file = name;
  frame.line = (int)line;
  frame.column = (int)column;
  last_words(WP__RULE_UNDEFINED, &site, message != NULL ? message : kind != NULL ? kind : "undefined behaviour");
}

#endif
