/* The warp emulator: data shared by its files.
 *
 *   warp.c       entry points of the kernels: collectives, barrier; the fast path
 *   block.c      runs one block on the calling OS thread: scheduler, shared memory
 *   pool.c       spreads the blocks of a launch over the cores; watchdog
 *   fault.c      signals: stack overflow, invalid access, a lane that never gives way
 *   schedule.c   which lane goes on where several can
 *   profile.c    what chips do differently
 *   rules.c      the rules, and how each vendor treats code that breaks them
 *   check.c      what is wrong when the lanes of a warp can no longer go on
 *   report.c     what a report says, as text
 *   sarif.c      the same as JSON and SARIF
 *   symbolize.c  from a return address to the user's file and line
 *   sanitizer.c  ThreadSanitizer, AddressSanitizer, UBSan: what they find, with the lane that did it
 *   record.c     what the host has read back, for warpport-check
 *   settings.c   the environment
 *   device.c     the backend behind launch.h; kernel registry, buffers, calls
 *
 * Convergence goes by mask: a collective is complete when all lanes of its mask have arrived at it, and several with disjoint
 * masks may be under way in one warp. A lane runs until it must wait; then the next runnable lane of its warp goes on, and the
 * next warp only when no lane of this one can. A lane found to break a rule is parked, and the report is made when its warp has come
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

/* WINDOWS, PICKS: how much of an order WARPPORT_SCHEDULE can list. */
enum { WP__WINDOWS = 12, WP__PICKS = 64 };
enum { WP__MAX_LANES = 64, WP__MAX_THREADS = 1024, WP__MAX_PARAMS = 32, WP__MAX_TRACE = 24 };

/* What a lane waits in: the low byte of a tag. The upper bits hold what wpb_note_shuffle() was told (operation + 1, width << 8),
 * so that lanes which disagree on the operation or the width are not paired. */
enum { WP__OP_EXCHANGE = 1, WP__OP_BALLOT, WP__OP_SYNC, WP__OP_ACTIVE_MASK, WP__OP_BARRIER };

/* Lanes of one mask that have arrived. It lies at the index of the mask's lowest lane, its home. Where lanes of another mask wait
 * there (lanes 1-3 already wait for lane 0, which still meets lane 4), it is displaced: to WP__MAX_LANES + its first arrival,
 * which is free, since a lane waits in one group at a time. */
typedef struct wp__group {
  wp_u64 mask, arrived, bits;
  const void *site; /* return address of the first arrival */
  wp_u32 tag;
  wp_u32 chain;     /* hash of its chain of calls, where a profile asks for it */
  int token;        /* TSan: the first arrival's, see wp__sync_token */
} WP__LINE wp__group;

/* What a lane asked for that waits outside a group. */
typedef struct wp__post {
  wp_u64 mask;
  const void *site;
  wp_u32 tag, chain;
  int rule, arg, width; /* parked lanes */
} wp__post;

/* A mask that a ballot or wp_active_mask() has given to lanes: kept to say where a wrong mask comes from. */
typedef struct wp__origin {
  wp_u64 value, lanes;
  const void *site;
  bool active; /* by wp_active_mask() */
} wp__origin;
enum { WP__ORIGINS = 16 };

/* TSan: one meeting of lanes that orders memory. */
typedef struct wp__token {
  wp_u64 clock; /* its address is what TSan knows */
  int left;     /* lanes that have still to leave */
} wp__token;
enum { WP__TOKENS = 2 * WP__MAX_LANES };

typedef struct wp__host_warp {
  /* hot */
  wp_u64 runnable;
  wp_u64 fresh;    /* not yet begun */
  wp_u64 deferred; /* lanes of their mask wait at another call */
  wp_u64 inspect;  /* lanes that are to report their stack */
  wp_u64 displaced; /* first arrivals of the groups that are not at home */
  wp_u64 noted;    /* lanes that have said, before their next collective, what must be equal in all */
  wp__host_lane *lanes;
  struct wp__worker *worker;
  wp_u64 live; /* exist and have not returned */
  wp_u64 at_barrier;
  wp_u64 yielded, active_wait, parked, present;
  int id;
  wp_u8 scheduled; /* not in order: wp__schedule_lane() chooses */
  wp_u8 converged; /* the profile wants lanes of a collective to come by one chain of calls */
  wp_u8 own;       /* a lane gets its own value from a source outside its mask */
  wp_u8 lenient;   /* no checks: lanes meet at any call of the same kind */
  wp_u8 src[WP__MAX_LANES] WP__LINE;
  wp_u64 value[2 * WP__MAX_LANES]; /* upper half: what a lane gets from a source outside its mask */
  wp_u64 result[WP__MAX_LANES];
  wp__group group[2 * WP__MAX_LANES];
  wp__post post[WP__MAX_LANES];
  wp_u64 same[WP__MAX_LANES]; /* of the lanes in noted */
  int same_which;
  wp__origin origin[WP__ORIGINS];
  unsigned origins; /* noted so far */
  int last;         /* the lane that ran last */
  wp_u32 turns[WP__MAX_LANES];
  wp_u64 stamp[WP__MAX_LANES]; /* when it last ran, by the block's count of choices */
  int joined[WP__MAX_LANES];   /* TSan: the token of the meeting the lane is to leave, -1: none */
  wp__token token[WP__TOKENS];
} WP__LINE wp__host_warp;

typedef struct wp__shared {
  struct wp__shared *next;
  const void *key;
  void *memory;
  size_t bytes;
  wp_u64 block; /* the block (counted by the worker) that last used it */
} wp__shared;

/* Why the scheduler runs. */
enum { WP__REASON_NONE, WP__REASON_SAME_SITE, WP__REASON_CHAIN, WP__REASON_FAULT, WP__REASON_OUTSIDE, WP__REASON_MEMORY };

/* One OS thread's share: it runs one block at a time. */
typedef struct wp__worker {
  wp__host_grid grid;
  wp__host_lane main WP__LINE; /* the scheduler */
  wp__host_stack main_stack;
  wp__host_lane *lanes; /* of the whole block, in order */
  wp__host_warp *warps;
  int warp_count, lane_capacity, warp_capacity;
  struct wp__run *run;

  /* schedule.c */
  wp_u64 random, choices; /* state of the generator; choices made in this block */
  wp_u64 budget;          /* choices until the next warp has its turn */
  struct { wp_u64 choice; int warp, lane, usual; } deviation[8]; /* the first choices that differ from the usual order */
  int deviations;
  struct { wp_u64 from; wp_u8 lane[WP__PICKS]; int count; } picked; /* all choices from the first random one on, if they are not many */

  /* Rules broken by lanes that go on all the same (WARPPORT_CHECK=all). */
  struct wp__soft *soft;
  int soft_count, soft_room;
  bool atomics; /* the block has used some */

  /* TSan */
  wp__token barrier_token[2];
  int barrier_turn;
  int races; /* noted in race[] */
  struct wp__race *race;

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
  wp_u32 answer_chain;
  struct { const void *a, *b; bool same; } known[64]; /* pairs of call sites already compared */

  struct { const void *site; const wp__host_kernel *kernel; wp_u32 chain; } roots[256]; /* calls in the kernel's own code */
  struct { wp_u64 raw; wp_u32 chain; } chains[256]; /* chains of return addresses, and their hash by source lines */

  void *trace[WP__MAX_TRACE];
  int trace_count;
  bool in_fault;
  int fault_signal, fault_code;
  char *fault_address; /* NULL: none, or one that no memory can have */
  char *fault_sp;
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
  const struct wp__settings *settings;
  wp_u64 serial; /* of the program's launches */
  bool atomics;
  char begun, ended; /* TSan: what the lanes acquire first and release last */
  pthread_mutex_t lock;
  wp_status status;
  char *text;
  struct wp__report *reports; /* in order of block number */
} wp__run;

extern __thread wp__worker *wp__this_worker;

/* ---- profile.c ---- */
enum { WP__UNSPECIFIED_POISON, WP__UNSPECIFIED_ZERO, WP__UNSPECIFIED_OWN };
typedef struct wp__profile {
  char name[32];
  char about[128];
  int lanes;        /* of the device "cpu"; 0: as usual */
  int unspecified;  /* what a lane gets from a source outside its mask */
  bool random;      /* poison differs from run to run */
  bool converged;   /* lanes of a collective must come by one chain of calls */
} wp__profile;
/* A built-in name, or a file (a name with a slash or a dot). On failure false, with the reason in problem. */
bool wp__profile_find(const char *name, wp__profile *profile, char *problem, size_t size);

/* ---- settings.c ---- */
enum { WP__IN_ORDER, WP__REVERSE, WP__RANDOM, WP__STICKY, WP__BEHIND, WP__PICKED };
typedef struct wp__settings {
  int lanes, threads;
  size_t stack_bytes;
  double timeout; /* seconds; 0: none */
  bool quiet;
  bool check, collect, ends; /* WARPPORT_CHECK: not 0; all; exit */
  wp_u64 rules;        /* bit i: rule i counts */
  int schedule;
  wp_u64 seed;
  struct { wp_u64 from, to; } random[WP__WINDOWS]; /* WP__RANDOM: which of a block's choices are random, [from, to) */
  int windows;           /* 0: all are */
  wp_u64 picks_from;     /* WP__PICKED: the lanes that go on at this choice and the next ones */
  wp_u8 pick[WP__PICKS];
  int picks;
  wp_u64 poison;         /* seed; 0: the fixed pattern */
  wp__profile profile;
} wp__settings;
/* Reads the environment. On a bad value returns false, and *problem says which (static storage of the thread). */
bool wp__settings_read(wp__settings *settings, const char **problem);
/* What uninitialised memory holds: an odd number that is no small one and no plausible float. */
static inline int wp__poison_byte(wp_u64 seed) { return seed == 0 ? 0xA5 : (int)(0x81 + 2 * (seed * 29 % 0x3f)); }

/* ---- schedule.c ---- */
/* "random:7:3-9,14" and so on into settings; false: no such schedule. */
bool wp__schedule_parse(const char *text, wp__settings *settings);
void wp__schedule_text(const wp__settings *settings, char *text, size_t size);
void wp__schedule_begin(wp__worker *k);
/* The warp that has its turn, for position i of the block's warps. */
int wp__schedule_warp(wp__worker *k, int i);
/* The lane that goes on, among those that can; -1: none, or another warp has its turn. */
int wp__schedule_lane(wp__host_warp *w);
wp_u64 wp__schedule_block(const wp__run *run, wp_u64 i);

/* ---- warp.c ---- */
/* Takes the next lane of the warp that can run and makes it current; the scheduler if there is none. */
wp__host_lane *wp__pick(wp__host_warp *w);
/* The same for a lane already chosen; -1: the scheduler. */
wp__host_lane *wp__make_current(wp__host_warp *w, int l);
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
/* The same with a report, which it takes. */
void wp__run_report(wp__run *run, wp_u64 block, struct wp__report *report);

/* ---- fault.c ---- */
void wp__faults_install(void);
void wp__faults_enter(wp__worker *k);
void wp__faults_leave(wp__worker *k);
int wp__watchdog_signal(void);

/* ---- device.c ---- */
void wp__call_kernel(wp__worker *k);

/* ---- rules.c ---- */
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
  WP__RULE_OTHER_SITE,
  WP__RULE_NOT_UNIFORM,
  WP__RULE_HALF_MASK,
  WP__RULE_ACTIVE_MASK,
  WP__RULE_BALLOT_MASK,
  WP__RULE_NOT_SAME,
  WP__RULE_DELTA_RANGE,
  WP__RULE_RACE,
  WP__RULE_BOUNDS,
  WP__RULE_UNDEFINED,
  WP__RULE_STACK,
  WP__RULE_FAULT,
  WP__RULE_NO_PROGRESS,
  WP__RULE_COUNT
};
enum { WP__VENDOR_CUDA60, WP__VENDOR_CUDA70, WP__VENDOR_HIP, WP__VENDOR_OPENCL, WP__VENDOR_CONSTRAINED, WP__VENDORS };
typedef struct wp__rule {
  const char *id, *summary, *help;
  const char *guideline; /* NVIDIA's, or NULL */
  bool portability;      /* fine on some vendor by its own rules */
  bool optional;         /* counts only if asked for */
  const char *verdict[WP__VENDORS]; /* NULL: the same everywhere, nothing to say */
} wp__rule;
extern const wp__rule wp__rules[WP__RULE_COUNT];
extern const char *const wp__vendors[WP__VENDORS];
/* -1: there is no such rule. */
int wp__rule_find(const char *id, size_t length);

/* ---- check.c ---- */
/* A rule broken by a lane that goes on. */
typedef struct wp__soft {
  wp__post post;
  int warp;
  wp_u64 lanes;
  int lane; /* the first */
  int trace_count;
  void *trace[WP__MAX_TRACE];
} wp__soft;

/* No lane of the warp can go on, some have not returned, and not all of those wait at the block barrier. */
void wp__check_stuck(wp__worker *k, wp__host_warp *w);
/* All lanes of the block are at a barrier, not all at the same. */
void wp__check_barriers(wp__worker *k);
void wp__check_fault(wp__worker *k);
/* The watchdog has found no progress; all lanes that can run gave way. */
void wp__check_no_progress(wp__worker *k);
/* The block is over: what its lanes have broken without stopping. */
void wp__check_soft(wp__worker *k);
void wp__check_races(wp__worker *k);
/* Notes it for wp__check_soft(). In a lane. */
void wp__soft_note(wp__host_lane *lane, const wp__post *post);

/* ---- symbolize.c ---- */
typedef struct wp__frame {
  char *file; /* NULL: unknown */
  int line, column;
  char *function;
} wp__frame;
typedef struct wp__site {
  struct wp__site *next;
  const void *address;
  int id;              /* equal for two addresses of one call, reached through the same inlined calls */
  bool known;          /* has file and line */
  char *op;            /* public operation, or NULL */
  int frame_count;     /* the user's frames at this address, innermost first; more than one where functions were inlined */
  wp__frame *frames;
} wp__site;
/* What is at a return address. Never NULL, lives until the program ends. Not for fibers: needs a large stack. */
const wp__site *wp__site_at(const void *return_address);
bool wp__site_same(const void *a, const void *b);
/* A hash of the calls a lane has come by, from k->trace. */
wp_u32 wp__site_chain(const wp__worker *k);

/* ---- report.c ---- */
typedef struct wp__text {
  char *s;
  size_t length, room;
} wp__text;
void wp__say(wp__text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void wp__say_lanes(wp__text *text, wp_u64 lanes); /* "lane 3", "lanes 0-3,7" */
void wp__say_mask(wp__text *text, const wp__host_warp *w, wp_u64 mask);
void wp__say_op(wp__text *text, const wp__site *site, wp_u32 tag);

enum { WP__LINE_WHERE, WP__LINE_CALLER, WP__LINE_NOTE, WP__LINE_PLAIN };
typedef struct wp__report_line {
  int kind;
  const wp__frame *place; /* or NULL; lives as long as sites do */
  char *text;
  wp_u64 lanes;
} wp__report_line;
enum { WP__MAX_LINES = 96 };
typedef struct wp__report {
  struct wp__report *next;
  wp_u64 number; /* of the block */
  int rule;
  wp_status status;
  const wp__frame *place; /* NULL: unknown */
  const char *kernel;
  int block[3], warp; /* warp -1: no single one */
  wp_u64 lanes;
  wp__text message;
  wp__report_line lines[WP__MAX_LINES];
  int line_count;
  char schedule[256], profile[32];
} wp__report;

wp__report *wp__report_create(const wp__worker *k, int rule, wp_status status);
void wp__report_free(wp__report *report);
/* Adds a line; takes text. */
void wp__report_line_add(wp__report *report, int kind, const wp__frame *place, wp_u64 lanes, wp__text *text);
/* "in kernel ..." */
void wp__report_where(wp__report *report, const wp__worker *k, const wp__host_warp *w, wp_u64 lanes);
/* Callers of the site, from the rest of its frames and the trace, up to the kernel. */
void wp__report_callers(wp__report *report, const wp__worker *k, const wp__site *site, void *const *trace, int trace_count);
void wp__report_text(const wp__report *report, bool colour, wp__text *text);
/* What a launch has found, to wherever the settings say; the text for wp_last_error() into text. */
void wp__reports_publish(const wp__run *run, wp__text *text);

/* ---- sarif.c ---- */
/* To the file of WARPPORT_REPORT, "json:FILE" or "sarif:FILE". */
void wp__reports_write(const wp__report *reports); /* NULL: sees to it that there is a file */
/* The reason why that variable makes no sense, or NULL. */
const char *wp__reports_problem(const char *wanted);

/* ---- record.c ---- */
void wp__record_device(int lanes);
void wp__record_launch(const wp__run *run, wp_status status);
void wp__record_choices(const wp__worker *k);
void wp__record_read(size_t offset, const void *data, size_t bytes);

/* ---- sanitizer.c: empty without one ---- */
#ifdef WP__TSAN
void wp__tsan_run_begin(wp__run *run);
void wp__tsan_run_end(wp__run *run);
bool wp__tsan_block_begin(wp__worker *k);
void wp__tsan_block_end(wp__worker *k);
void wp__tsan_lane_begin(wp__host_lane *lane);
/* A lane comes to a meeting of lanes that orders memory, the first one or a later; and leaves it. */
void wp__tsan_arrive(wp__host_lane *lane, wp__group *g);
void wp__tsan_leave(wp__host_lane *lane);
void wp__tsan_arrive_barrier(wp__host_lane *lane, bool first);
void wp__tsan_leave_barrier(wp__host_lane *lane, int turn);
void wp__tsan_ignore(bool on);
void wp__tsan_worker_end(wp__worker *k);
#endif

#endif
