/* conformance: proves the rows of docs/spec.md on every device of this machine, or on those named. */
#include "harness.h"

#include <argp.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_DEVICES 64
static struct options {
  const char *devices[MAX_DEVICES];
  int device_count;
  const char *row, *type, *junit, *json;
  const char *broken[64]; /* --expect-broken: rows that must fail */
  int broken_count;
  uint64_t seed;
  bool seeded, quick, list, others;
} options;

static const struct argp_option argp_options[] = {
  {"device", 'd', "NAME", 0,
   "Device to test: cpu:64, cuda:0, ... (repeatable; default: every device there is, and the CPU at 1 ... 64 lanes)", 0},
  {"others", 'o', 0, 0,
   "The CPU at 32 lanes, to compare with, and every device that is not the CPU; exit status 77 if there is none", 0},
  {"row", 'r', "PATTERN", 0, "Only rows (S1) or operations (wp_scan_*) that match the shell pattern", 0},
  {"type", 't', "SUFFIX", 0, "Only this type: i8 ... bf16x2", 0},
  {"seed", 's', "N", 0, "Seed of the random data (default: the time)", 0},
  {"quick", 'q', 0, 0, "Two block shapes a test instead of eleven", 0},
  {"junit", 'j', "FILE", 0, "Write the results as JUnit XML", 0},
  {"json", 'J', "FILE", 0, "Write the results as JSON", 0},
  {"list", 'l', 0, 0, "List rows, operations and devices", 0},
  {"expect-broken", 'x', "ROW", 0, "Succeed only if a test of this row fails (repeatable): checks the harness with wrong kernels",
   0},
  {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  char *end;
  switch (key) {
    case 'd':
      if (options.device_count == MAX_DEVICES) argp_error(state, "too many devices");
      options.devices[options.device_count++] = arg;
      break;
    case 'o': options.others = true; break;
    case 'r': options.row = arg; break;
    case 't': options.type = arg; break;
    case 's':
      options.seed = strtoull(arg, &end, 0);
      options.seeded = true;
      if (!*arg || *end) argp_error(state, "--seed takes a number, not '%s'", arg);
      break;
    case 'q': options.quick = true; break;
    case 'j': options.junit = arg; break;
    case 'J': options.json = arg; break;
    case 'l': options.list = true; break;
    case 'x':
      if (options.broken_count == 64) argp_error(state, "too many rows");
      options.broken[options.broken_count++] = arg;
      break;
    case ARGP_KEY_ARG: argp_error(state, "unexpected argument '%s'", arg); break;
    default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static int add_device(const char *name, const char *description, void *user) {
  (void)user;
  if (!name) printf("SKIPPED device: %s\n", description);
  else if (strncmp(name, "cpu", 3) && options.device_count < MAX_DEVICES) options.devices[options.device_count++] = strdup(name);
  return 0;
}

static bool selected(const conf_op *op, ref_type type) {
  bool named = options.broken_count == 0; /* --expect-broken: those rows only */
  for (int i = 0; i < options.broken_count; i++) named = named || !strcmp(op->row, options.broken[i]);
  if (!named) return false;
  if (options.type && strcmp(options.type, ref_suffix(type))) return false;
  if (!options.row) return true;
  if (!fnmatch(options.row, op->row, 0) || !fnmatch(options.row, op->name, 0)) return true;
  for (const char *at = op->row; *at; at += strspn(at, ",")) { /* a test of several rows: S1,S5 */
    char one[16];
    size_t n = strcspn(at, ",");
    snprintf(one, sizeof one, "%.*s", (int)n, at);
    if (!fnmatch(options.row, one, 0)) return true;
    at += n;
  }
  return false;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static conf_result *results, **last = &results;

static bool test_device(const char *name) {
  conf_device device;
  char error[1024];
  double start = now();
  if (!conf_device_open(&device, name, error, sizeof error)) {
    printf("FAIL device %s: %s\n", name, error);
    return false;
  }
  char label[64];
  snprintf(label, sizeof label, device.logical ? "%s/%d" : "%s", device.name, device.logical);
  printf("%s: %s; %d lanes%s, masks of %d bits%s%s%s\n", label, wp_device_description(device.device), device.lanes[0],
         device.logical ? " (logical)" : "", device.mask_bits, device.has_f64 ? "" : ", no f64",
         device.has_atomic64 ? "" : ", no 64-bit atomics", device.typed ? ", typed names" : "");
  long failed = 0, tests = 0;
  for (const conf_op *const *table = conf_tables; *table; table++) {
    for (const conf_op *op = *table; op->row; op++) {
      for (int t = 0; t < REF_TYPE_COUNT; t++) {
        if (!(op->types & REF_BIT(t)) || !selected(op, (ref_type)t)) continue;
        conf_result *r = calloc(1, sizeof *r);
        if (!r) abort();
        snprintf(r->device, sizeof r->device, "%s", label);
        r->op = op;
        r->type = (ref_type)t;
        *last = r;
        last = &r->next;
        conf_run run = {&device, r, options.seed, options.quick, options.broken_count > 0, 0};
        double begin = now();
        conf_run_op(&run, op, (ref_type)t);
        r->seconds = now() - begin;
        if (r->checks == 0 && r->failures == 0 && !r->skipped[0]) conf_fail(&run, "nothing was checked");
        failed += r->failures != 0;
        tests++;
        fflush(stdout);
      }
    }
  }
  printf("%s: %ld tests, %ld failed, %.1f s\n", label, tests, failed, now() - start);
  conf_device_close(&device);
  if (tests == 0) printf("FAIL no test matches\n");
  return failed == 0 && tests > 0;
}

/* With wrong kernels: each row named must have a failing test. */
static bool caught(void) {
  bool all = true;
  for (int i = 0; i < options.broken_count; i++) {
    long failing = 0, tests = 0;
    for (const conf_result *r = results; r; r = r->next) {
      if (strcmp(r->op->row, options.broken[i])) continue;
      tests++;
      failing += r->failures != 0 && r->checks != 0; /* a kernel that cannot run proves nothing */
    }
    printf("%-8s wrong on purpose: %ld of %ld tests failed: %s\n", options.broken[i], failing, tests,
           failing ? "caught" : "NOT CAUGHT");
    all = all && failing != 0;
  }
  return all;
}

int main(int argc, char **argv) {
  const struct argp argp = {argp_options, parse, NULL, "Runs the conformance tests of docs/spec.md and reports by row.",
                            NULL,         NULL,  NULL};
  argp_parse(&argp, argc, argv, 0, NULL, NULL);
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (!options.seeded) options.seed = (uint64_t)time(NULL);
  if (options.others) {
    options.devices[options.device_count++] = "cpu:32";
    (void)wp_device_list(add_device, NULL);
    if (options.device_count == 1) {
      printf("SKIPPED: this machine has no device but the CPU\n");
      return 77;
    }
  } else if (options.device_count == 0) {
    static const char *const cpus[] = {"cpu:1", "cpu:2", "cpu:4", "cpu:8", "cpu:16", "cpu:32", "cpu:64"};
    for (int i = 0; i < 7; i++) {
#ifdef WARPPORT_WARP_SIZE /* a logical warp fits in a larger one only */
      if ((1 << i) < WARPPORT_WARP_SIZE) continue;
#endif
      options.devices[options.device_count++] = cpus[i];
    }
    (void)wp_device_list(add_device, NULL);
  }
  if (options.list) {
    for (int i = 0; i < options.device_count; i++) printf("device %s\n", options.devices[i]);
    for (const conf_op *const *table = conf_tables; *table; table++) {
      for (const conf_op *op = *table; op->row; op++) printf("%-16s %s\n", op->row, op->name);
    }
    return 0;
  }
  printf("seed %" PRIu64 " (repeat with --seed %" PRIu64 ")\n", options.seed, options.seed);
  bool ok = true;
  for (int i = 0; i < options.device_count; i++) ok = test_device(options.devices[i]) && ok;
  if (options.broken_count > 0) {
    ok = caught();
  } else {
    report_summary(results);
  }
  if (options.junit) ok = report_junit(results, options.junit, options.seed) && ok;
  if (options.json) ok = report_json(results, options.json, options.seed) && ok;
  for (conf_result *r = results, *next; r; r = next) {
    next = r->next;
    free(r);
  }
  printf("seed %" PRIu64 ": %s\n", options.seed, ok ? "passed" : "FAILED");
  return ok ? 0 : 1;
}
