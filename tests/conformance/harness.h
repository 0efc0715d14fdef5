/* The conformance harness: tables of operations (rows_*.c), one runner that launches their kernels on any device of launch.h with
 * random cases, and compares every output element with the reference. */
#ifndef WARPPORT_TESTS_HARNESS_H
#define WARPPORT_TESTS_HARNESS_H

#include <warpport/launch.h>

#include "draw.h"

/* One warp of a launch is one case: groups of lanes that perform the operation, each with its mask and width. */
typedef struct conf_warp {
  int lanes;         /* W */
  uint64_t present;  /* lanes that exist */
  int first;         /* thread number of lane 0 in the launch */
  int block, id;     /* id: number of the warp in its block */
  draw_part part;
  uint64_t mask[64]; /* of the lane's group; 0: the lane sits out */
  int32_t width[64], arg[64];
  uint64_t v[64], mem[64];
  int outs;          /* output elements a thread */
  uint64_t *want;    /* [lane * outs + k] */
  unsigned char *rule;
} conf_warp;

typedef enum conf_rule {
  RULE_KEEP,   /* the sentinel must still be there */
  RULE_EXACT,  /* these bits */
  RULE_NAN_OK, /* these bits, or any NaN where they are one */
  RULE_FREE    /* the operation's own check looks at it */
} conf_rule;

void conf_want(conf_warp *w, int lane, int k, uint64_t value, conf_rule rule);

struct conf_run;
typedef struct conf_op conf_op;

/* A finished launch, for checks over all of it. */
typedef struct conf_launch {
  struct conf_run *run;
  conf_warp *warps;
  int warp_count, threads; /* threads: of the launch */
  int block_threads, blocks, lanes;
  const unsigned char *out; /* as read back */
  unsigned char *mem;       /* as read back, where the operation has READS_MEM */
} conf_launch;

enum {
  CONF_WIDTHS = 1,    /* the width matters: draw every width with every participation */
  CONF_SHORT = 2,     /* op 1 is the form without width */
  CONF_SEGMENTS = 4,  /* whole segments of width take part */
  CONF_PRESENT = 8,   /* all lanes that exist take part */
  CONF_READS_MEM = 16,/* read mem back for check() */
  CONF_UNTYPED = 32,  /* not in builds with typed names only */
  CONF_ATOMIC64 = 64, /* its 64-bit form needs WP_HAS_ATOMIC64 */
  CONF_ALL_LANES = 128,/* every thread writes its output, also without a mask */
  CONF_DIVERGENT = 256 /* needs collectives that some threads of the block do not reach */
};

struct conf_op {
  const char *row, *name, *kernel; /* kernel name without the type's suffix */
  uint32_t types;
  int out_type; /* REF_...; -1: the type itself */
  int outs;     /* output elements a thread */
  int op;       /* the kernel's selector; for CONF_SHORT chosen by the runner */
  int param;    /* for draw and expect: ref_move, ref_op, ... */
  unsigned flags;
  void (*draw)(const conf_op *op, ref_type type, conf_warp *w, rng *r);
  void (*expect)(const conf_op *op, ref_type type, conf_warp *w);
  void (*check)(const conf_op *op, ref_type type, conf_launch *l);
  void (*custom)(const conf_op *op, ref_type type, struct conf_run *run); /* instead of all of the above */
};

/* Calls f for each distinct group of the warp. */
typedef void conf_group_fn(const conf_op *op, ref_type type, conf_warp *w, uint64_t group);
void conf_groups(const conf_op *op, ref_type type, conf_warp *w, conf_group_fn *f);

#define CONF_SHAPES 11
typedef struct conf_device {
  wp_device *device;
  const char *name;
  int lanes[CONF_SHAPES]; /* W for each block shape, as a kernel reports it; 0: the device refuses the shape */
  int max_lanes, fixed_lanes, logical, mask_bits;
  bool has_f64, has_atomic64, typed;
  bool uniform; /* WP_UNIFORM_FLOW: kernels.h says what that means for the arrays */
  wp_buffer *buffers[6]; /* masks widths args v mem out */
} conf_device;

typedef struct conf_result {
  char device[64];
  const conf_op *op;
  ref_type type;
  long launches, groups, checks, failures;
  double seconds;
  char skipped[96];
  char message[2048]; /* the first failures */
  uint64_t checksum;  /* of the outputs; 0: none */
  unsigned covered[PART_COUNT]; /* bit log2(width): complete warps have had that width with this participation */
  struct conf_result *next;
} conf_result;

typedef struct conf_run {
  conf_device *device;
  conf_result *result;
  uint64_t seed;
  bool quick, quiet;
  int shape; /* for failure texts */
} conf_run;

wp_dim3 conf_shape_block(int shape);
const char *conf_shape_name(int shape);

/* Notes a failure, printed at once, but at most 4 for one operation and type. */
void conf_fail(conf_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Compares one element; true if it agrees. who describes the place. */
bool conf_check(conf_run *run, ref_type type, uint64_t want, uint64_t got, bool nan_ok, const char *who);

uint64_t conf_load(ref_type type, const void *array, size_t index);
void conf_store(ref_type type, void *array, size_t index, uint64_t bits);

/* For custom operations: false, after conf_fail(), if something goes wrong. */
bool conf_ok(conf_run *run, wp_status status, const char *what);

bool conf_device_open(conf_device *d, const char *name, char *error, size_t size);
void conf_device_close(conf_device *d);
void conf_run_op(conf_run *run, const conf_op *op, ref_type type);

/* The tables; each ends with row NULL. */
extern const conf_op conf_rows_lane[], conf_rows_shuffle[], conf_rows_vote[], conf_rows_reduce[], conf_rows_tile[],
  conf_rows_collect[], conf_rows_atomic[], conf_rows_math[], conf_rows_language[];
extern const conf_op *const conf_tables[]; /* ends with NULL */

/* report.c */
void report_summary(const conf_result *first);
bool report_junit(const conf_result *first, const char *path, uint64_t seed);
bool report_json(const conf_result *first, const char *path, uint64_t seed);

#endif
