/* warpport-selftest: measures what the warps of a device do, checks the backend that was compiled for it, and prints a backend file
 * and a JSON record. docs/new_chip.md shows how to build it with a vendor's compiler.
 *
 *   warpport-selftest DEVICE [--json FILE] [--backend FILE] [--conformance [OPTION...]]
 *
 * Findings are lines "key: value". Exit code 0: the backend is right on this device (and the conformance suite passed). */
#include <warpport/launch.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selftest.h"

enum { THREADS = 128 };

static wp_device *dev;
static wp_buffer *buffer;
static wp_kernel *probe_kernel;
static int lanes, mask_bits, backend, has;
static uint64_t answer[THREADS];

/* ---- findings ---- */

static struct { char key[48], value[96]; bool wrong; } findings[96];
static int finding_count, wrong;

static void say(const char *key, const char *value) {
  if (finding_count == (int)(sizeof findings / sizeof findings[0])) abort();
  snprintf(findings[finding_count].key, sizeof findings[0].key, "%s", key);
  snprintf(findings[finding_count].value, sizeof findings[0].value, "%s", value);
  finding_count++;
  printf("%s: %s\n", key, value);
}
static void say_int(const char *key, int value) {
  char text[16];
  snprintf(text, sizeof text, "%d", value);
  say(key, text);
}
static char difference[160]; /* of the check at hand, the first one */
static void check(const char *key, bool right) {
  say(key, right ? "right" : "WRONG");
  if (!right && difference[0]) printf("#   %s\n", difference);
  difference[0] = 0;
  findings[finding_count - 1].wrong = !right;
  wrong += !right;
}
static const char *found(const char *key) {
  for (int i = 0; i < finding_count; i++) if (!strcmp(findings[i].key, key)) return findings[i].value;
  return "";
}
static bool is(const char *key, const char *value) { return !strcmp(found(key), value); }

/* ---- launches ---- */

static void need(wp_status status, const char *what) {
  if (status == WP_OK) return;
  fprintf(stderr, "warpport-selftest: %s: %s: %s\n", what, wp_status_name(status), wp_last_error());
  exit(1);
}

/* Answers of two warps in answer[]. False: the launch failed, which is a finding too. */
static bool ask(int op, int a, int b) {
  wp_arg args[4] = {wp_arg_buffer(buffer), wp_arg_i32(op), wp_arg_i32(a), wp_arg_i32(b)};
  wp_launch_config config = {{1, 1, 1}, {2 * (unsigned)lanes, 1, 1}, NULL};
  need(wp_buffer_fill(buffer, 0), "fill");
  if (wp_launch(probe_kernel, &config, args, 4) != WP_OK || wp_device_synchronize(dev) != WP_OK) {
    printf("# question %d (%d, %d): %s\n", op, a, b, wp_last_error());
    return false;
  }
  need(wp_buffer_read(buffer, 0, answer, sizeof answer), "read");
  return true;
}

/* As in the kernel: NaNs with payloads, denormals, -0, full fractions. */
static const uint32_t patterns[8] = {0x7fc12345u, 0xffa54321u, 0x00000001u, 0x807fffffu,
                                     0x80000000u, 0x3fffffffu, 0x4b800001u, 0x7f800001u};
static uint32_t value(int thread) { return PROBE_VALUE((uint32_t)thread); }
static uint64_t ones(int n) { return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1; }
static int modulo(int x, int n) { return (x % n + n) % n; }
static int base(int thread) { return thread / lanes * lanes; }

/* " (lane 3's value)", where that is what x is. */
static const char *whose(char *text, size_t size, int thread, uint64_t x) {
  text[0] = 0;
  for (int l = 0; l < lanes; l++) if (x == value(base(thread) + l)) snprintf(text, size, " (lane %d's value)", l);
  return text;
}
/* Did the thread get what it should? What the first one got that did not is printed by check(). */
static bool expect(int thread, uint64_t expected) {
  char from[32], of[32];
  if (answer[thread] == expected) return true;
  if (difference[0]) return false;
  snprintf(difference, sizeof difference, "lane %d of warp %d: expected 0x%" PRIx64 "%s, got 0x%" PRIx64 "%s",
           thread % lanes, thread / lanes, expected, whose(of, sizeof of, thread, expected), answer[thread],
           whose(from, sizeof from, thread, answer[thread]));
  return false;
}

/* Names what lanes from ... to-1 of both warps got, where the lane numbers that they asked for are asked + relative * lane.
 * width: of the segments. */
static void describe(const char *key, bool ran, int from, int to, int asked, int relative, int width, bool exclusive_or) {
  enum { OWN, MODULO, ZERO, MEMBER, GARBAGE, KINDS };
  static const char *const names[KINDS] = {"own value", "taken modulo the width", "zero", "another lane's value", "garbage"};
  int count[KINDS] = {0};
  char text[96] = "";
  if (!ran) {
    say(key, "the launch failed");
    return;
  }
  for (int t = 0; t < 2 * lanes; t++) {
    int l = t - base(t), s = l % width, segment = l - s, kind = GARBAGE;
    int source = exclusive_or ? s ^ asked : asked + relative * s;
    if (l < from || l >= to) continue;
    if (source >= 0 && source < width) continue; /* has a source: not what is asked here */
    uint32_t got = (uint32_t)answer[t];
    if (got == 0) kind = ZERO;
    else if (got == value(base(t) + segment + modulo(source, width)) && modulo(source, width) != s) kind = MODULO;
    else if (got == value(t)) kind = modulo(source, width) == s ? KINDS : OWN;
    else for (int k = 0; k < lanes; k++) if (got == value(base(t) + k)) kind = MEMBER;
    if (kind < KINDS) count[kind]++;
  }
  for (int k = 0; k < KINDS; k++) {
    if (count[k] == 0) continue;
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s%s", used ? " or " : "", names[k]);
  }
  say(key, text[0] ? text : "not asked for");
}

/* ---- the backend's functions ---- */

static void check_contract(void) {
  bool right = ask(ASK_LANE, 0, 0);
  for (int t = 0; t < 2 * lanes; t++) right = right && expect(t, (uint64_t)(t - base(t)));
  check("contract.lane", right);

  right = true;
  for (int src = 0; src < lanes && right; src++) {
    right = ask(ASK_EXCHANGE, src, 0);
    for (int t = 0; t < 2 * lanes; t++) right = right && expect(t, value(base(t) + src));
  }
  check("contract.exchange", right);

  if (has & HAS_UNIFORM_FLOW) say("control_flow", "must be uniform over the block");
  right = true;
  for (int src = 0; src < lanes / 2 && right && !(has & HAS_UNIFORM_FLOW); src++) {
    right = ask(ASK_EXCHANGE_HALF, src, 0);
    for (int t = 0; t < 2 * lanes; t++) right = right && expect(t, t - base(t) < lanes / 2 ? value(base(t) + src) : PROBE_NOTHING);
  }
  if (!(has & HAS_UNIFORM_FLOW)) check("contract.exchange_in_a_branch", right);

  uint64_t set = 0;
  for (int l = 0; l < lanes; l++) if (((unsigned)l * 7 & 4) != 0) set |= UINT64_C(1) << l;
  right = ask(ASK_BALLOT_ALL, 0, 0);
  for (int t = 0; t < 2 * lanes; t++) right = right && expect(t, set);
  check("contract.ballot", right);
  right = ask(ASK_BALLOT_GROUPS, 0, 0);
  for (int t = 0; t < 2 * lanes; t++) {
    uint64_t group = t - base(t) < lanes / 2 ? ones(lanes / 2) : ones(lanes) & ~ones(lanes / 2);
    right = right && expect(t, set & group);
  }
  check("contract.ballot_of_two_groups", right);

  if (!(has & HAS_UNIFORM_FLOW)) {
    right = ask(ASK_ACTIVE_BRANCH, 0, 0);
    bool alone = right, full = right;
    for (int t = 0; t < 2 * lanes; t++) {
      int l = t - base(t);
      if (l >= lanes / 2) continue;
      right = right && (answer[t] >> l & 1) != 0 && (answer[t] & ~ones(lanes / 2)) == 0;
      alone = alone && answer[t] == UINT64_C(1) << l;
      full = full && answer[t] == ones(lanes / 2);
    }
    check("contract.active_mask", right);
    say("active_mask", !right ? "wrong" : full ? "the lanes of the branch" : alone ? "the caller alone" : "some lanes of the branch");
  }

  uint32_t sum[THREADS], next[THREADS];
  for (int t = 0; t < 2 * lanes; t++) sum[t] = value(t);
  for (int k = 0; k < 16; k++) {
    for (int t = 0; t < 2 * lanes; t++) next[t] = sum[base(t) + (t + 1) % lanes] + 1;
    memcpy(sum, next, sizeof sum);
  }
  right = ask(ASK_SYNC, 0, 0);
  for (int t = 0; t < 2 * lanes; t++) right = right && expect(t, sum[t]);
  check("contract.sync", right);

  right = true;
  for (int a = 0; a < 8; a++) {
    right = right && ask(ASK_FLOAT_BITS, a, 0);
    for (int t = 0; t < 2 * lanes; t++) right = right && expect(t, patterns[(((t - base(t)) ^ 1) + a) & 7]);
  }
  check("contract.float_bits", right);
  right = ask(ASK_U64, 0, 0);
  for (int t = 0; t < 2 * lanes; t++) right = right && expect(t, (uint64_t)value(t ^ 1) << 32 | (value(t ^ 1) ^ 0x5a5a5a5au));
  check("contract.u64", right);
}

/* ---- the chip's own ---- */

static void measure_shuffle(void) {
  char widths[64] = "";
  say("index_shuffle", "measured");
  for (int w = 1; w <= lanes && has & HAS_WIDTH; w *= 2) {
    bool right = true;
    for (int src = 0; src < w && right; src++) {
      right = ask(RAW_SHFL, src, w);
      for (int t = 0; t < 2 * lanes; t++) right = right && answer[t] == value(t / w * w + src);
    }
    if (right) {
      size_t used = strlen(widths);
      snprintf(widths + used, sizeof widths - used, "%s%d", used ? " " : "", w);
    }
  }
  if (has & HAS_WIDTH) say("widths_that_work", widths);
  if (has & HAS_UNIFORM_FLOW) return; /* emulated in local memory: there is nothing beyond the warp but somebody else's */
  bool ran = ask(RAW_SHFL, lanes + 1, lanes);
  describe("index_from_beyond_the_warp", ran, 0, lanes, lanes + 1, 0, lanes, false);
  ran = ask(RAW_SHFL, -1, lanes);
  describe("index_negative", ran, 0, lanes, -1, 0, lanes, false);
  if (has & HAS_WIDTH && lanes > 1) {
    ran = ask(RAW_SHFL, lanes / 2 + 1, lanes / 2);
    describe("index_from_beyond_the_width", ran, 0, lanes, lanes / 2 + 1, 0, lanes / 2, false);
  }
}

/* Lanes of the lower half that read from the upper half, which is not there. */
static void measure_absent(const char *key, int op) {
  bool ran = ask(op, lanes / 2 + 1, 0), reads = true, zero = true, own = true;
  for (int t = 0; t < 2 * lanes && ran; t++) {
    uint32_t got = (uint32_t)answer[t];
    if (t - base(t) >= lanes / 2) continue;
    int source = op == RAW_DOWN_BRANCH ? t + lanes / 2 : base(t) + lanes / 2 + 1;
    reads = reads && got == value(source);
    zero = zero && got == 0;
    own = own && got == value(t);
  }
  say(key, !ran ? "the launch failed" : zero ? "zero" : own ? "own value" : reads ? "the value it last had" : "garbage");
}

static void measure_masks(void) {
  if (has & HAS_BALLOT) {
    bool ran = ask(RAW_BALLOT, 0, 0), full = ran, lower = ran;
    for (int t = 0; t < 2 * lanes; t++) {
      full = full && answer[t] == ones(lanes);
      lower = lower && answer[t] == ones(lanes > 32 ? 32 : lanes);
    }
    say("ballot_bits", full ? lanes == 64 ? "64" : "all lanes" : lower ? "32" : "other");
    ran = ask(RAW_BALLOT_GROUPS, 0, 0);
    bool own = ran, all = ran;
    uint64_t seen = lower && !full ? ones(32) : ones(lanes);
    for (int t = 0; t < 2 * lanes; t++) {
      uint64_t group = t - base(t) < lanes / 2 ? ones(lanes / 2) : ones(lanes) & ~ones(lanes / 2);
      own = own && answer[t] == (group & seen);
      all = all && answer[t] == seen;
    }
    say("ballot_mask", own ? "honoured" : all ? "ignored" : "neither");
  } else {
    say("ballot_bits", "no ballot");
  }
  if (has & HAS_SHFL) {
    bool ran = ask(RAW_SHFL_GROUPS, 0, 0), reads = ran;
    for (int t = 0; t < 2 * lanes; t++) reads = reads && answer[t] == value(base(t) + (t - base(t) + lanes / 2) % lanes);
    say("shuffle_from_active_lane_outside_mask", reads ? "its value: the mask is ignored" : "something else");
  }
  if (has & HAS_ACTIVE) {
    bool right = true, all = true;
    for (int upper = 0; upper < 2; upper++) {
      uint64_t branch = upper ? ones(lanes) & ~ones(lanes / 2) : ones(lanes / 2);
      bool ran = ask(RAW_ACTIVE, upper, 0);
      for (int t = 0; t < 2 * lanes; t++) {
        if ((t - base(t) >= lanes / 2) != (upper == 1)) continue;
        right = right && ran && answer[t] == branch;
        all = all && ran && answer[t] == ones(lanes);
      }
    }
    say("native_active_mask", right ? "the lanes of the branch" : all ? "always all lanes" : "something else");
  }
}

static void measure_relative(void) {
  if (has & HAS_UP) {
    bool ran = ask(RAW_UP, 1, lanes);
    describe("up_before_the_first_lane", ran, 0, lanes, -1, 1, lanes, false);
    ran = ask(RAW_UP, lanes + 1, lanes);
    describe("up_by_more_than_the_warp", ran, 0, lanes, -lanes - 1, 1, lanes, false);
  }
  if (has & HAS_DOWN) {
    bool ran = ask(RAW_DOWN, 1, lanes);
    describe("down_beyond_the_last_lane", ran, 0, lanes, 1, 1, lanes, false);
    ran = ask(RAW_DOWN, lanes + 1, lanes);
    describe("down_by_more_than_the_warp", ran, 0, lanes, lanes + 1, 1, lanes, false);
  }
  if (has & HAS_XOR && has & HAS_WIDTH && lanes > 2) {
    bool ran = ask(RAW_XOR, lanes / 2 + 1, lanes / 2);
    describe("xor_beyond_the_width", ran, 0, lanes, lanes / 2 + 1, 0, lanes / 2, true);
  }
}

static void measure_float(void) {
  bool nan = true, denormal = true, fraction = true;
  for (int a = 0; a < 8; a++) {
    bool ran = ask(RAW_F32, a, 0);
    for (int t = 0; t < 2 * lanes; t++) {
      int i = (((t - base(t)) ^ 1) + a) & 7;
      bool same = ran && answer[t] == patterns[i];
      if (i == 0 || i == 1 || i == 7) nan = nan && same;
      if (i == 2 || i == 3) denormal = denormal && same;
      if (i == 5 || i == 6) fraction = fraction && same;
    }
  }
  int bits = 24;
  while (bits > 0) {
    int n = (1 << bits) - 1;
    bool right = ask(RAW_F32_INTEGER, n, 0);
    for (int t = 0; t < 2 * lanes; t++) right = right && answer[t] == (uint64_t)n;
    if (right) break;
    bits--;
  }
  say("float_nan_payloads", nan ? "kept" : "changed");
  say("float_denormals", denormal ? "kept" : "changed");
  say("float_fractions", fraction ? "kept" : "rounded");
  say_int("float_integer_bits", bits);
}

static void measure_natives(void) {
  if (has & HAS_MATCH) {
    bool ran = ask(RAW_MATCH, 0, 0), right = ran, own = true, all = true;
    for (int t = 0; t < 2 * lanes; t++) {
      uint64_t same = 0;
      for (int l = (t - base(t)) & 3; l < lanes; l += 4) same |= UINT64_C(1) << l;
      right = right && answer[t] == same;
    }
    say("native_match", right ? "right, NaNs by their bits" : "not by bits, or wrong");
    ran = ask(RAW_MATCH_GROUPS, 0, 0);
    for (int t = 0; t < 2 * lanes; t++) {
      uint64_t group = t - base(t) < lanes / 2 ? ones(lanes / 2) : ones(lanes) & ~ones(lanes / 2);
      own = own && ran && answer[t] == group;
      all = all && ran && answer[t] == ones(lanes);
    }
    say("native_match_mask", own ? "honoured" : all ? "ignored" : "neither");
  } else {
    say("native_match", "none, or left out");
  }
  if (has & HAS_REDUCE) {
    bool ran = ask(RAW_REDUCE, 0, 0), right = ran;
    for (int t = 0; t < 2 * lanes; t++) {
      uint32_t sum = 0;
      for (int l = 0; l < lanes; l++) sum += value(base(t) + l);
      right = right && (uint32_t)answer[t] == sum;
    }
    bool groups = ask(RAW_REDUCE_GROUPS, 0, 0);
    for (int t = 0; t < 2 * lanes; t++) groups = groups && (uint32_t)answer[t] == (uint32_t)(lanes / 2);
    say("native_redux", !right ? "wrong" : groups ? "right, for two groups at once too" : "right for the full warp only");
  } else {
    say("native_redux", "none, or left out");
  }
}

/* ---- what comes out ---- */

static const char *backend_name(void) {
  static const char *const names[] = {"", "host", "cuda", "hip", "opencl", "musa", "maca", "corex", "dtk", "supa", "minimal"};
  return backend > 0 && backend <= 10 ? names[backend] : "custom";
}

static void write_backend(FILE *f) {
  bool ballot = is("ballot_bits", lanes == 64 ? "64" : "all lanes");
  bool active = is("native_active_mask", "the lanes of the branch");
  bool match = is("native_match", "right, NaNs by their bits");
  bool redux = is("native_redux", "right, for two groups at once too");
  fprintf(f, "/* A backend file, as warpport-selftest %s on %s\n *\n * Measured:\n",
          wrong ? "would have it, with errors to be cleared up first:" : "found it right", wp_device_description(dev));
  for (int i = 0; i < finding_count; i++) fprintf(f, " *   %s: %s\n", findings[i].key, findings[i].value);
  fprintf(f, " */\n#ifndef MY_CHIP_H\n#define MY_CHIP_H\n\n");
  if (!(has & HAS_NAMES)) {
    fprintf(f, "/* The chip's functions do not have CUDA's names, so how to call them is taken from the backend that was compiled. */\n");
    if (backend == 100) fprintf(f, "#error \"nothing to replace: keep the file that was compiled, with the comment above\"\n");
    else fprintf(f, "#include <warpport/backend/%s.h>\n", backend_name());
    fprintf(f, "\n#endif\n");
    return;
  }
  if (is("double", "no")) fprintf(f, "#include <warpport/types.h>\n#undef WP_HAS_F64\n");
  if (is("atomic64", "no")) fprintf(f, "#define WPB_NO_ATOMIC64 1\n");
  if (backend == 9) /* the only one so far that spells the indices its own way */
    fprintf(f, "#define WPB_THREAD_IDX thread_idx\n#define WPB_BLOCK_IDX block_idx\n"
               "#define WPB_BLOCK_DIM block_dim\n#define WPB_GRID_DIM grid_dim\n");
  fprintf(f, "#define WPB_CHIP_LANES %d\n#include <warpport/backend/cuda_like.h>\n\n", lanes);
  fprintf(f, "WPB_FN int wpb_lane(void) { return wpb__thread_rank() & (WPB_WARP_SIZE - 1); }\n");
  fprintf(f, "WPB_FN wp_u32 wpb_shfl_u32(WPB_MASK_T mask, wp_u32 v, int src) { return __shfl_sync(mask, v, src, WPB_WARP_SIZE); }\n");
  fprintf(f, "WPB_FN void wpb_sync(WPB_MASK_T mask) {\n  __threadfence_block();\n  __syncwarp(mask);\n  __threadfence_block();\n}\n");
  if (ballot) fprintf(f, "WPB_FN WPB_MASK_T wpb_ballot(WPB_MASK_T mask, int p) { return (WPB_MASK_T)__ballot_sync(mask, p) & mask; }\n");
  else fprintf(f, "#define WPB_BALLOT_BY_SHFL 1 /* ballot_bits: %s */\n", found("ballot_bits"));
  if (active) fprintf(f, "WPB_FN WPB_MASK_T wpb_active_mask(void) { return (WPB_MASK_T)__activemask(); }\n");
  else fprintf(f, "#define WPB_ACTIVE_MASK_UNKNOWN 1\n");
  if (match || redux) {
    if (match) fprintf(f, "#ifndef WARPPORT_NATIVE_MATCH\n#define WARPPORT_NATIVE_MATCH 1\n#endif\n");
    if (redux) fprintf(f, "#ifndef WARPPORT_NATIVE_REDUCE\n#define WARPPORT_NATIVE_REDUCE 1\n#endif\n");
    fprintf(f, "#include <warpport/backend/cuda_like_native.h>\n");
  }
  fprintf(f, "\n#endif\n");
}

static void write_text(FILE *f, const char *s) {
  fputc('"', f);
  for (; *s; s++) {
    if (*s == '"' || *s == '\\') fprintf(f, "\\%c", *s);
    else if ((unsigned char)*s < 32) fprintf(f, "\\u%04x", (unsigned)(unsigned char)*s);
    else fputc(*s, f);
  }
  fputc('"', f);
}

static void write_json(FILE *f, int conformance) {
  fprintf(f, "{\n  \"tool\": \"warpport-selftest\",\n  \"device\": ");
  write_text(f, wp_device_name(dev));
  fprintf(f, ",\n  \"description\": ");
  write_text(f, wp_device_description(dev));
  fprintf(f, ",\n  \"backend\": \"%s\",\n  \"lanes\": %d,\n  \"mask_bits\": %d,\n  \"right\": %s,\n  \"conformance\": %s,\n  \"findings\": {\n",
          backend_name(), lanes, mask_bits, wrong ? "false" : "true", conformance < 0 ? "null" : conformance == 0 ? "\"passed\"" : "\"failed\"");
  for (int i = 0; i < finding_count; i++) {
    fprintf(f, "    ");
    write_text(f, findings[i].key);
    fprintf(f, ": ");
    write_text(f, findings[i].value);
    fprintf(f, "%s\n", i + 1 < finding_count ? "," : "");
  }
  fprintf(f, "  }\n}\n");
}

static void save(const char *path, int conformance, bool json) {
  FILE *f = !strcmp(path, "-") ? stdout : fopen(path, "w");
  if (!f) {
    fprintf(stderr, "warpport-selftest: cannot write %s\n", path);
    exit(1);
  }
  if (json) write_json(f, conformance);
  else write_backend(f);
  if (f != stdout && fclose(f) != 0) {
    fprintf(stderr, "warpport-selftest: cannot write %s\n", path);
    exit(1);
  }
}

#ifdef WITH_CONFORMANCE
int conformance_main(int argc, char **argv); /* tests/conformance/main.c */
#else
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
/* The program of that name beside this one. */
static int conformance_main(int argc, char **argv) {
  char path[4096];
  const char *slash = strrchr(argv[0], '/');
  pid_t child;
  int status;
  (void)argc;
  snprintf(path, sizeof path, "%.*sconformance", slash ? (int)(slash - argv[0] + 1) : 0, argv[0]);
  fflush(stdout);
  if (posix_spawnp(&child, path, NULL, NULL, argv, environ) != 0 || waitpid(child, &status, 0) < 0) {
    fprintf(stderr, "warpport-selftest: cannot run %s\n", path);
    return 2;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
#endif

int main(int argc, char **argv) {
  const char *json = NULL, *file = NULL;
  int at = 2, conformance = -1;
  int32_t info[8] = {0};
  wp_kernel *k;
  for (; at < argc && strcmp(argv[at], "--conformance"); at++) {
    if (!strcmp(argv[at], "--json") && at + 1 < argc) json = argv[++at];
    else if (!strcmp(argv[at], "--backend") && at + 1 < argc) file = argv[++at];
    else argc = 0;
  }
  setvbuf(stdout, NULL, _IOLBF, 0); /* a chip may bring the program down: what it said before must be on paper */
  if (argc < 2) {
    fprintf(stderr, "usage: warpport-selftest DEVICE [--json FILE] [--backend FILE] [--conformance [OPTION...]]\n");
    return 2;
  }
  need(wp_device_open(argv[1], &dev), "device");
  need(wp_buffer_create(dev, sizeof answer, &buffer), "buffer");
  need(wp_buffer_fill(buffer, 0), "fill");
  need(wp_kernel_find(dev, "selftest_info", &k), "kernel");
  wp_arg arg = wp_arg_buffer(buffer);
  need(wp_launch(k, &(wp_launch_config){{1, 1, 1}, {1, 1, 1}, NULL}, &arg, 1), "launch");
  need(wp_device_synchronize(dev), "launch");
  need(wp_buffer_read(buffer, 0, info, sizeof info), "read");
  need(wp_kernel_find(dev, "selftest_probe", &probe_kernel), "kernel");
  lanes = info[0];
  mask_bits = info[2];
  backend = info[3];
  has = info[4];
  printf("# %s: %s; backend %s\n", wp_device_name(dev), wp_device_description(dev), backend_name());
  if (lanes < 1 || lanes > 64 || mask_bits < lanes) {
    printf("# the backend claims %d lanes and masks of %d bits\n", lanes, mask_bits);
    return 1;
  }
  say_int("lanes", lanes);
  say_int("mask_bits", mask_bits);
  say("double", info[5] ? "yes" : "no");
  say("atomic64", info[6] ? "yes" : "no");
  say("names", has & HAS_NAMES ? "CUDA's" : "the backend's");
  check_contract();
  if (has & HAS_SHFL) {
    measure_shuffle();
    if (!(has & HAS_UNIFORM_FLOW)) {
      measure_absent("inactive_source", RAW_SHFL_BRANCH);
      measure_absent("exited_source", RAW_SHFL_EXITED);
    }
  } else {
    say("index_shuffle", "none: derived");
    if (has & HAS_DOWN) measure_absent("inactive_source", RAW_DOWN_BRANCH);
  }
  measure_relative();
  measure_masks();
  if (has & HAS_F32) measure_float();
  measure_natives();

  if (at < argc) {
    char *args[64] = {argv[0], (char *)"--device", argv[1]};
    int n = 3;
    for (int i = at + 1; i < argc && n < 63; i++) args[n++] = argv[i];
    printf("# conformance\n");
    conformance = conformance_main(n, args);
  }
  if (file) save(file, conformance, false);
  if (json) save(json, conformance, true);
  printf("# %d of the backend's answers are wrong%s\n", wrong, conformance > 0 ? "; the conformance suite failed" : "");
  wp_buffer_destroy(buffer);
  wp_device_close(dev);
  return wrong != 0 || conformance > 0;
}
