/* warpport-check: shared by its files.
 *   main.c      options, the plan of runs, the summary
 *   run.c       one run of the program, and what it left behind
 *   compare.c   two runs: what the host has read back
 *   shrink.c    the shortest part of a random order that still fails */
#ifndef WARPPORT_CHECK_H
#define WARPPORT_CHECK_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_LIST = 64 };

typedef struct setup {
  int lanes; /* 0: the program's own choice, or the profile's */
  char profile[256], schedule[512];
  unsigned poison;  /* 0: as usual */
  unsigned threads; /* that run blocks; 0: as usual */
} setup;

/* What the host has read, and the launches before that (backends/host/record.c). */
typedef struct read_back {
  uint64_t offset, bytes, hash;
  unsigned char *data; /* the first `kept` bytes */
  size_t kept;
  char kernel[64];     /* the launch before it */
  bool atomics;        /* some launch so far has used atomics */
} read_back;

typedef struct outcome {
  setup how;
  bool ran, timed_out;
  int status, signal; /* of the program */
  double seconds;
  char *output, *errors; /* stdout, the end of stderr */
  cJSON *reports;        /* array, or NULL */
  read_back *reads;
  size_t read_count;
  int lanes[8], lane_count; /* of devices it has opened */
  char *picks;              /* the first block's order, as a schedule */
  char *choices;            /* where a random order differed from the usual one */
  bool launched;
} outcome;

typedef struct options {
  char **command;
  int lanes[MAX_LIST], lane_count;
  const char *profiles[MAX_LIST];
  int profile_count;
  const char *schedules[MAX_LIST];
  int schedule_count;
  int random_count;
  unsigned seed;
  enum { COMPARE_EXIT, COMPARE_OUTPUT, COMPARE_READS } compare;
  bool lane_independent, strict, full, verbose, shrink;
  double timeout, budget;
  const char *json, *report;
} options;

/* run.c */
void run_program(const options *o, const setup *how, outcome *result);
void end_cleanly(void); /* from now on: no program and no file is left where a signal ends this process */
void outcome_free(outcome *r);
void setup_text(const setup *how, char *text, size_t size); /* as environment variables */
double seconds_now(void);

/* compare.c: NULL if the runs agree as far as the options ask; else the difference, for people (free it) */
char *difference(const options *o, const outcome *a, const outcome *b);

/* shrink.c: how->schedule becomes shorter. fails(): does this run still show the fault? */
int shrink(setup *how, bool (*fails)(const setup *how, void *user), void *user, int most_runs, double seconds);
/* The same for the order that a run has taken (outcome.picks). */
int shrink_picks(setup *how, const char *picks, bool (*fails)(const setup *how, void *user), void *user, int most_runs, double seconds);

#endif
