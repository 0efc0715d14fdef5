/* The environment: WARPPORT_HOST_LANES, _THREADS, _STACK, _TIMEOUT, WARPPORT_QUIET. */
#define _GNU_SOURCE
#include "emulator.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(WP__ASAN)
enum { STACK_FACTOR = 8 };
#elif defined(WP__TSAN)
enum { STACK_FACTOR = 4 };
#else
enum { STACK_FACTOR = 1 };
#endif

static __thread char problem_text[256];

/* A number of at least lo, with an optional K or M. */
static bool number(const char *name, double lo, double hi, bool sized, double *value, const char **problem) {
  const char *s = getenv(name);
  char *end = NULL;
  double v;
  if (s == NULL || *s == 0) return true;
  v = strtod(s, &end);
  if (end != s && sized && (*end == 'K' || *end == 'k')) {
    v *= 1024;
    end++;
  } else if (end != s && sized && (*end == 'M' || *end == 'm')) {
    v *= 1024.0 * 1024.0;
    end++;
  }
  if (end == s || *end != 0 || !(v >= lo && v <= hi)) {
    snprintf(problem_text, sizeof problem_text, "%s is '%s'; a number from %.0f to %.0f%s is possible", name, s, lo, hi,
             sized ? " (K and M may follow)" : "");
    *problem = problem_text;
    return false;
  }
  *value = v;
  return true;
}

static int cores(void) {
  cpu_set_t set;
  int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return n > 0 ? n : 1;
}

bool wp__settings_read(wp__settings *settings, const char **problem) {
  double lanes = 32, threads = cores(), stack = 64 * 1024, timeout = 60;
  const char *quiet = getenv("WARPPORT_QUIET");
  if (!number("WARPPORT_HOST_LANES", 1, WP__MAX_LANES, false, &lanes, problem) ||
      !number("WARPPORT_HOST_THREADS", 1, 4096, false, &threads, problem) ||
      !number("WARPPORT_HOST_STACK", 16 * 1024, 1024.0 * 1024 * 1024, true, &stack, problem) ||
      !number("WARPPORT_HOST_TIMEOUT", 0, 1e9, false, &timeout, problem))
    return false;
  settings->lanes = (int)lanes;
  settings->threads = (int)threads;
  settings->stack_bytes = (size_t)stack * STACK_FACTOR;
  settings->timeout = timeout;
  settings->quiet = quiet != NULL && strcmp(quiet, "1") == 0;
  return true;
}
