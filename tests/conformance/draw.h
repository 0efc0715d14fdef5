/* Random test data: numbers, values of every type, sets of lanes, lane arguments. Used by the conformance and the fuzz test. */
#ifndef WARPPORT_TESTS_DRAW_H
#define WARPPORT_TESTS_DRAW_H

#include "reference.h"

typedef struct rng { uint64_t state; } rng;
/* The same seed and text give the same data, whatever else runs before. */
rng rng_from(uint64_t seed, const char *text);
uint64_t rng_u64(rng *r);
int rng_below(rng *r, int n); /* 0 ... n-1 */
bool rng_chance(rng *r, int percent);

/* How the lanes of one warp choose their values. */
typedef enum draw_mode {
  DRAW_BITS,     /* any bits */
  DRAW_MODERATE, /* floats of similar size, whose sums depend on the order; small integers */
  DRAW_SPECIAL,  /* zeros, infinities, NaNs quiet and signalling with payloads, denormals, extremes */
  DRAW_POOL,     /* few distinct values */
  DRAW_SMALL,    /* denormals and their neighbours; -1, 0, 1 */
  DRAW_NANS,     /* floats: NaNs only */
  DRAW_ZEROS,    /* floats: +0 and -0 */
  DRAW_WIDE,     /* floats: all exponents, no NaN; integers: near the extremes */
  DRAW_MODES
} draw_mode;
void draw_values(rng *r, ref_type type, int count, uint64_t *v); /* picks a mode for all of them */
uint64_t draw_value(rng *r, ref_type type, draw_mode mode);

/* Which lanes take part. */
typedef enum draw_part {
  PART_FULL,      /* all that exist */
  PART_PREFIX,
  PART_ALTERNATE, /* every other lane */
  PART_HOLES,
  PART_SINGLE,
  PART_CLUSTER,   /* one aligned run of lanes, the rest of the warp empty */
  PART_SPLIT,     /* several groups of lanes with masks of their own, at the same time */
  PART_NONE,
  PART_COUNT
} draw_part;
const char *draw_part_name(draw_part part);
/* mask[l]: the group of lane l, 0 if it sits out. Every group is a subset of present. */
void draw_groups(rng *r, draw_part part, int lanes, uint64_t present, uint64_t *mask);
uint64_t draw_subset(rng *r, uint64_t set); /* any, also empty */
int draw_member(rng *r, uint64_t set);      /* set is not empty */

int32_t draw_any_int(rng *r, int lanes); /* lane numbers in and out of range, extremes */
/* An argument for a plain shuffle: its source is in mask, or the row says own value. */
int32_t draw_shuffle_arg(rng *r, ref_move move, int lane, int lanes, int width, uint64_t mask);

#endif
