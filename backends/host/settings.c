/* The environment: WARPPORT_HOST_LANES, _THREADS, _STACK, _TIMEOUT, WARPPORT_QUIET, and the checker's WARPPORT_CHECK, _SCHEDULE,
 * _PROFILE, _POISON, _REPORT (docs/checker.md). */
#define _GNU_SOURCE
#include "emulator.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined(WP__ASAN)
enum { STACK_FACTOR = 8 };
#elif defined(WP__TSAN)
enum { STACK_FACTOR = 4 };
#else
enum { STACK_FACTOR = 1 };
#endif

static __thread char problem_text[512];

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

/* WARPPORT_CHECK: words separated by commas: 0, 1, all, exit (the program ends at the first report), -WP115 (leave out), +WP121 (one
 * that is off by default). */
static bool checks(wp__settings *settings, const char **problem) {
  const char *at = getenv("WARPPORT_CHECK");
  int i;
  settings->check = true;
  settings->collect = settings->ends = false;
  settings->rules = 0;
  for (i = 0; i < WP__RULE_COUNT; i++) {
    if (!wp__rules[i].optional) settings->rules |= (wp_u64)1 << i;
  }
  while (at != NULL && *at != 0) {
    size_t n = strcspn(at, ",");
    bool fine = true;
    if (n == 1 && (*at == '0' || *at == '1')) {
      settings->check = *at == '1';
    } else if (n == 3 && strncmp(at, "all", 3) == 0) {
      settings->collect = true;
    } else if (n == 4 && strncmp(at, "exit", 4) == 0) {
      settings->ends = true;
    } else {
      int rule = n > 1 ? wp__rule_find(at + 1, n - 1) : -1;
      fine = rule >= 0 && (*at == '-' || *at == '+');
      if (fine && *at == '+') settings->rules |= (wp_u64)1 << rule;
      if (fine && *at == '-') settings->rules &= ~((wp_u64)1 << rule);
    }
    if (!fine) {
      snprintf(problem_text, sizeof problem_text,
               "WARPPORT_CHECK has '%.*s'; possible are 0, 1, all, exit, and -WPnnn or +WPnnn with the number of a rule", (int)n, at);
      *problem = problem_text;
      return false;
    }
    at += n;
    at += *at == ',';
  }
  return true;
}

static bool special(wp__settings *settings, const char **problem) {
  const char *text = getenv("WARPPORT_SCHEDULE");
  double poison = 0;
  settings->schedule = WP__IN_ORDER;
  settings->seed = 0;
  settings->windows = 0;
  if (text != NULL && *text != 0 && !wp__schedule_parse(text, settings)) {
    snprintf(
        problem_text, sizeof problem_text,
        "WARPPORT_SCHEDULE is '%.64s'; possible are order, reverse, sticky, behind, random, random:SEED, "
        "random:SEED:CHOICES (7-9,12) and picks:FROM:LANES (4:9,10)",
        text);
    *problem = problem_text;
    return false;
  }
  text = getenv("WARPPORT_PROFILE");
  if (!wp__profile_find(text != NULL && *text != 0 ? text : "cuda70", &settings->profile, problem_text, sizeof problem_text)) {
    *problem = problem_text;
    return false;
  }
  text = getenv("WARPPORT_REPORT");
  if (text != NULL && *text != 0 && wp__reports_problem(text) != NULL) {
    *problem = wp__reports_problem(text);
    return false;
  }
  if (!number("WARPPORT_POISON", 0, 1e15, false, &poison, problem)) return false;
  settings->poison = (wp_u64)poison;
  if (settings->poison == 0 && settings->profile.random) settings->poison = 1 + (wp_u64)(getpid() ^ time(NULL));
  return true;
}

bool wp__settings_read(wp__settings *settings, const char **problem) {
  double lanes = 32, threads = cores(), stack = 64 * 1024, timeout = 60;
  const char *quiet = getenv("WARPPORT_QUIET");
  if (!number("WARPPORT_HOST_LANES", 1, WP__MAX_LANES, false, &lanes, problem) ||
      !number("WARPPORT_HOST_THREADS", 1, 4096, false, &threads, problem) ||
      !number("WARPPORT_HOST_STACK", 16 * 1024, 1024.0 * 1024 * 1024, true, &stack, problem) ||
      !number("WARPPORT_HOST_TIMEOUT", 0, 1e9, false, &timeout, problem))
    return false;
  if (!checks(settings, problem) || !special(settings, problem)) return false;
  if (settings->profile.lanes != 0 && (getenv("WARPPORT_HOST_LANES") == NULL || *getenv("WARPPORT_HOST_LANES") == 0))
    lanes = settings->profile.lanes;
  settings->lanes = (int)lanes;
  settings->threads = (int)threads;
  settings->stack_bytes = (size_t)stack * STACK_FACTOR;
  settings->timeout = timeout;
  settings->quiet = quiet != NULL && strcmp(quiet, "1") == 0;
  return true;
}
