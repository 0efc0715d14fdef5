/* The warp emulator: data shared by its files.
 *
 *   warp.c       entry points of the kernels: collectives, barrier; the fast path
 *   block.c      runs one block on the calling OS thread: scheduler, shared memory
 *   pool.c       spreads the blocks of a launch over the cores; watchdog
 *   fault.c      signals: stack overflow, invalid access, a lane that never gives way
 *   check.c      the rules, and what is wrong when the lanes of a warp can no longer go on
 *   report.c     the text of a report
 *   symbolize.c  from a return address to the user's file and line
 *   device.c     the backend behind launch.h; kernel registry, buffers, calls
 *
 * Convergence goes by mask: a collective is complete when all lanes of its mask have arrived at it, and several with disjoint masks
 * may be under way in one warp. A lane runs until it must wait; then the next runnable lane of its warp goes on, and the next
 * warp only when no lane of this one can. A lane found to break a rule is parked, and the report is made when its warp has come
 * to rest, so that it names every lane concerned and is the same in every run. */
#ifndef WARPPORT_HOST_EMULATOR_H
#define WARPPORT_HOST_EMULATOR_H

#include "fiber.h"

#include "../backend.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>

#define WP__LIKELY(x) __builtin_expect(!!(x), 1)
#define WP__UNLIKELY(x) __builtin_expect(!!(x), 0)
#define WP__LINE __attribute__((aligned(64)))

enum { WP__MAX_LANES = 64, WP__MAX_THREADS = 1024, WP__MAX_PARAMS = 32, WP__MAX_TRACE = 24 };

/* What a lane waits in: the low byte of a tag. The upper bits hold what wpb_note_shuffle() was told (operation + 1, width << 8),
 * so that lanes which disagree on the operation or the width are not paired. */
enum { WP__OP_EXCHANGE = 1, WP__OP_BALLOT, WP__OP_SYNC, WP__OP_ACTIVE_MASK, WP__OP_BARRIER };

/* Lanes of one mask that have arrived. It lies at the index of the mask's lowest lane, its home. Where lanes of another mask wait
 * there (lanes 1-3 already wait for lane 0, which still meets lane 4), it is displaced: to WP__MAX_LANES + its first arrival, which is
 * free, since a lane waits in one group at a time. */
typedef struct wp__group {
  wp_u64 mask, arrived, bits;
  const void *site; /* return address of the first arrival */
  wp_u32 tag;
} WP__LINE wp__group;

/* What a lane asked for that waits outside a group. */
typedef struct wp__post {
  wp_u64 mask;
  const void *site;
  wp_u32 tag;
  int rule, arg, width; /* parked lanes */
} wp__post;

typedef struct wp__host_warp {
  /* hot */
  wp_u64 runnable;
  wp_u64 fresh;    /* not yet begun */
  wp_u64 deferred; /* lanes of their mask wait at another call */
  wp_u64 inspect;  /* lanes that are to report their stack */
  wp_u64 displaced; /* first arrivals of the groups that are not at home */
  wp__host_lane *lanes;
  struct wp__worker *worker;
  wp_u64 live; /* exist and have not returned */
  wp_u64 at_barrier;
  wp_u64 yielded, active_wait, parked, present;
  int id;
  wp_u8 src[WP__MAX_LANES] WP__LINE;
  wp_u64 value[2 * WP__MAX_LANES]; /* upper half: what a lane gets from a source outside its mask */
  wp_u64 result[WP__MAX_LANES];
  wp__group group[2 * WP__MAX_LANES];
  wp__post post[WP__MAX_LANES];
} WP__LINE wp__host_warp;

typedef struct wp__shared {
  struct wp__shared *next;
  const void *key;
  void *memory;
  size_t bytes;
  wp_u64 block; /* the block (counted by the worker) that last used it */
} wp__shared;

/* Why the scheduler runs. */
enum { WP__REASON_NONE, WP__REASON_SAME_SITE, WP__REASON_FAULT, WP__REASON_OUTSIDE, WP__REASON_MEMORY };

/* One OS thread's share: it runs one block at a time. */
typedef struct wp__worker {
  wp__host_grid grid;
  wp__host_lane main WP__LINE; /* the scheduler */
  wp__host_stack main_stack;
  wp__host_lane *lanes; /* of the whole block, in order */
  wp__host_warp *warps;
  int warp_count, lane_capacity, warp_capacity;
  struct wp__run *run;

  int live; /* lanes of the block that have not returned */
  int barrier_count;
  const void *barrier_site;
  bool barrier_differs;

  wp__host_stack *stacks, *free_stacks;
  size_t stack_bytes;
  unsigned stack_count;
  wp__shared *shared;
  wp_u64 blocks; /* run so far */
  wp_u64 block;  /* linear number of the current one */
  void *args[WP__MAX_PARAMS];
  void *dynamic;
  size_t dynamic_bytes;

  int reason;
  wp__host_lane *asking; /* WP__REASON_SAME_SITE */
  const void *ask_a, *ask_b;
  bool answer;
  struct { const void *a, *b; bool same; } known[64]; /* pairs of call sites already compared */

  void *trace[WP__MAX_TRACE];
  int trace_count;
  bool in_fault;
  int fault_signal;
  char *fault_address;
  void *fault_pc;
  wp__host_lane *fault_lane;

  /* read by the watchdog */
  wp_u64 progress; /* collectives completed, lanes begun and returned */
  bool busy, expired;
  pthread_t thread;
  struct wp__worker *next;
  wp_u64 seen_progress;
  double seen_at;

  stack_t own_altstack, old_altstack;
  bool altstack_set;
} wp__worker;

/* One launch. */
typedef struct wp__run {
  const wp__host_kernel *kernel;
  void *cif; /* ffi_cif, if the kernel has no call() */
  void *args[WP__MAX_PARAMS];
  int shared_param; /* -1: none */
  size_t shared_bytes;
  int warp_size, threads;
  int block_dim[3], grid_dim[3];
  size_t stack_bytes;
  wp_u64 blocks;
  wp_u64 next; /* block to hand out */
  wp_u64 stop; /* no block from here on matters: one before it failed */
  pthread_mutex_t lock;
  wp_status status;
  char *text;
} wp__run;

extern __thread wp__worker *wp__this_worker;

/* ---- settings.c ---- */
typedef struct wp__settings {
  int lanes, threads;
  size_t stack_bytes;
  double timeout; /* seconds; 0: none */
  bool quiet;
} wp__settings;
/* Reads the environment. On a bad value returns false, and *problem says which (static storage of the thread). */
bool wp__settings_read(wp__settings *settings, const char **problem);

/* ---- warp.c ---- */
/* Takes the next lane of the warp that can run and makes it current; the scheduler if there is none. */
wp__host_lane *wp__pick(wp__host_warp *w);
void wp__release_barrier(wp__worker *k);
/* In a signal handler, or a fiber that is not to go on: hands the thread to the scheduler for good. */
_Noreturn void wp__leave(wp__worker *k, int reason);
wp__host_warp *wp__outside_warp(void);

/* ---- block.c ---- */
void wp__block_run(wp__worker *k, wp_u64 block);
wp__host_stack *wp__stack_take(wp__worker *k);
/* Program counters of a waiting lane, innermost first, into k->trace. */
void wp__trace_lane(wp__worker *k, wp__host_lane *lane);
/* The same for the caller. */
void wp__trace_here(wp__worker *k);
void wp__fiber_main(void);

/* ---- pool.c ---- */
void wp__pool_run(wp__run *run, int threads, double timeout);
/* The first failing block in order of block number decides what the launch returns. Takes text. */
void wp__run_failed(wp__run *run, wp_u64 block, wp_status status, char *text);

/* ---- fault.c ---- */
void wp__faults_install(void);
void wp__faults_enter(wp__worker *k);
void wp__faults_leave(wp__worker *k);
int wp__watchdog_signal(void);

/* ---- device.c ---- */
void wp__call_kernel(wp__worker *k);

/* ---- check.c ---- */
enum {
  WP__RULE_OUTSIDE_MASK,
  WP__RULE_EMPTY_MASK,
  WP__RULE_BEYOND_WARP,
  WP__RULE_BEYOND_BLOCK,
  WP__RULE_RETURNED,
  WP__RULE_OTHER_CALL,
  WP__RULE_OTHER_MASK,
  WP__RULE_OTHER_WIDTH,
  WP__RULE_WAITS_AT_BARRIER,
  WP__RULE_OTHER_BARRIER,
  WP__RULE_CIRCLE,
  WP__RULE_BAD_WIDTH,
  WP__RULE_XOR_RANGE,
  WP__RULE_SOURCE,
  WP__RULE_STACK,
  WP__RULE_FAULT,
  WP__RULE_NO_PROGRESS,
  WP__RULE_COUNT
};
typedef struct wp__rule {
  const char *id, *summary, *help;
} wp__rule;
extern const wp__rule wp__rules[WP__RULE_COUNT];

/* No lane of the warp can go on, some have not returned, and not all of those wait at the block barrier. */
void wp__check_stuck(wp__worker *k, wp__host_warp *w);
/* All lanes of the block are at a barrier, not all at the same. */
void wp__check_barriers(wp__worker *k);
void wp__check_fault(wp__worker *k);
/* The watchdog has found no progress; all lanes that can run gave way. */
void wp__check_no_progress(wp__worker *k);

/* ---- symbolize.c ---- */
typedef struct wp__frame {
  char *file; /* NULL: unknown */
  int line, column;
  char *function;
} wp__frame;
typedef struct wp__site {
  struct wp__site *next;
  const void *address;
  int id;              /* equal for two addresses of one call */
  bool known;          /* has file and line */
  char *op;            /* public operation, or NULL */
  int frame_count;     /* the user's frames at this address, innermost first; more than one where functions were inlined */
  wp__frame *frames;
} wp__site;
/* What is at a return address. Never NULL, lives until the program ends. Not for fibers: needs a large stack. */
const wp__site *wp__site_at(const void *return_address);
bool wp__site_same(const void *a, const void *b);

/* ---- report.c ---- */
typedef struct wp__text {
  char *s;
  size_t length, room;
} wp__text;
void wp__say(wp__text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void wp__say_lanes(wp__text *text, wp_u64 lanes); /* "lane 3", "lanes 0-3,7" */
void wp__say_mask(wp__text *text, const wp__host_warp *w, wp_u64 mask);
void wp__say_op(wp__text *text, const wp__site *site, wp_u32 tag);
void wp__say_place(wp__text *text, const wp__site *site); /* "file:line" */
void wp__say_kernel(wp__text *text, const wp__worker *k, const wp__host_warp *w, wp_u64 lanes);
/* Callers of the site, from the rest of its frames and k->trace, up to the kernel. */
void wp__say_callers(wp__text *text, const wp__worker *k, const wp__site *site);

#endif
