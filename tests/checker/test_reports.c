/* What reports look like: text with and without colour, JSON, SARIF; what ends a block, a launch, a program; orders and profiles by
 * name; and that docs/checker.md says of each rule what the library says.
 *
 *   test_reports KERNELS.c CHECKER.md EXAMPLE.profile */
#define _GNU_SOURCE
#include <cjson/cJSON.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <warpport/launch.h>

static int failures, checks;
static const char *kernels;
static const char no_terminal[] = "no pseudo terminal";
static char work[] = "/tmp/warpport-reports-XXXXXX";

static void check_at(int line, bool fine, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void check_at(int line, bool fine, const char *format, ...) {
  va_list args;
  checks++;
  if (fine) return;
  failures++;
  printf("FAIL line %d: ", line);
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  printf("\n");
}
#define CHECK(fine, ...) check_at(__LINE__, fine, __VA_ARGS__)

static int line_of(const char *mark) {
  char line[512], wanted[64];
  int number = 0, found = 0;
  FILE *f = fopen(kernels, "r");
  snprintf(wanted, sizeof wanted, "/* @%s */", mark);
  while (f != NULL && found == 0 && fgets(line, sizeof line, f) != NULL) {
    number++;
    if (strstr(line, wanted) != NULL) found = number;
  }
  if (f != NULL) fclose(f);
  CHECK(found > 0, "no mark @%s", mark);
  return found;
}

static char *slurp(const char *path) {
  static char text[1 << 18];
  FILE *f = fopen(path, "r");
  size_t n = f != NULL ? fread(text, 1, sizeof text - 1, f) : 0;
  if (f != NULL) fclose(f);
  text[n] = 0;
  return text;
}

/* ---- one run, in a process of its own ---- */

typedef struct run {
  const char *kernel;
  const char *environment[8]; /* NAME=value, NULL at the end */
  int lanes, blocks;
  bool terminal, heedless; /* heedless: the program does not look at what wp_launch() returns */
} run;

static int child(const run *how) {
  char name[16];
  unsigned char zero[4096] = {0};
  wp_device *d = NULL;
  wp_buffer *b = NULL;
  wp_kernel *k = NULL;
  wp_status status;
  wp_launch_config config = {{how->blocks > 0 ? (unsigned)how->blocks : 1, 1, 1}, {0, 1, 1}, NULL};
  if (how->lanes > 0)
    snprintf(name, sizeof name, "cpu:%d", how->lanes);
  else
    snprintf(name, sizeof name, "cpu");
  status = wp_device_open(name, &d);
  if (status != WP_OK) {
    fprintf(stderr, "%s\n", wp_last_error());
    return 3;
  }
  config.block.x = (unsigned)wp_device_warp_size(d);
  if (wp_buffer_create(d, sizeof zero, &b) != WP_OK || wp_buffer_write(b, 0, zero, sizeof zero) != WP_OK ||
      wp_kernel_find(d, how->kernel, &k) != WP_OK)
    return 4;
  {
    wp_arg args[] = {wp_arg_buffer(b), wp_arg_i32((int)config.block.x)};
    status = wp_launch(k, &config, args, 2);
  }
  if (status != WP_OK && status != WP_ERROR_MISUSE) fprintf(stderr, "%s\n", wp_last_error());
  wp_buffer_destroy(b);
  wp_device_close(d);
  return how->heedless || status == WP_OK ? 0 : status == WP_ERROR_MISUSE ? 1 : 2;
}

/* What it wrote to stderr; exit code into *code. */
static char *go(const run *how, int *code) {
  static char text[1 << 18];
  char path[64];
  int i, status = 0, out, other;
  pid_t pid;
  size_t n = 0;
  snprintf(path, sizeof path, "%s/stderr", work);
  if (how->terminal) {
    out = posix_openpt(O_RDWR | O_NOCTTY);
    if (out < 0 || grantpt(out) != 0 || unlockpt(out) != 0) return strcpy(text, no_terminal);
    other = open(ptsname(out), O_RDWR | O_NOCTTY);
  } else {
    out = other = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  }
  fflush(NULL);
  pid = fork();
  if (pid == 0) {
    dup2(other, STDERR_FILENO);
    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
    for (i = 0; i < 8 && how->environment[i] != NULL; i++) putenv((char *)(size_t)how->environment[i]);
    exit(child(how));
  }
  if (how->terminal) { /* its buffer is small, so read along; an error says that the other end is closed */
    ssize_t got;
    close(other);
    while (n < sizeof text - 1 && (got = read(out, text + n, sizeof text - 1 - n)) > 0) n += (size_t)got;
  }
  waitpid(pid, &status, 0);
  *code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  close(out);
  if (how->terminal)
    text[n] = 0;
  else
    strcpy(text, slurp(path));
  return text;
}

static int count_of(const char *text, const char *part) {
  int n = 0;
  for (; (text = strstr(text, part)) != NULL; text++) n++;
  return n;
}

static const char *short_name(const char *path) { return strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path; }

/* "kernels.c:12: error: [WP104] " is in the text. */
static bool names(const char *text, const char *mark, const char *rest) {
  char place[128];
  snprintf(place, sizeof place, "%s:%d: %s", short_name(kernels), line_of(mark), rest);
  return strstr(text, place) != NULL;
}

/* ---- text ---- */

/* Some containers have no /dev/pts; then nothing is known of terminals, and that is said. */
static void check_colours(run how) {
  int code;
  const char *text;
  how.terminal = true;
  text = go(&how, &code);
  if (strcmp(text, no_terminal) == 0) {
    printf("SKIPPED colours: %s here\n", text);
    return;
  }
  CHECK(strstr(text, "\033[1;31merror:\033[0m [WP106]") != NULL, "no colour on a terminal: %s", text);
  CHECK(strstr(text, "\033[1;36mnote:\033[0m") != NULL, "no colour on a terminal: %s", text);
  how.environment[0] = "NO_COLOR=1";
  text = go(&how, &code);
  CHECK(strstr(text, "[WP106]") != NULL && strchr(text, '\033') == NULL, "NO_COLOR: %s", text);
  how.environment[0] = "TERM=dumb";
  text = go(&how, &code);
  CHECK(strstr(text, "[WP106]") != NULL && strchr(text, '\033') == NULL, "TERM=dumb: %s", text);
}

static void texts(void) {
  static const char *const vendors[] = {"CUDA before sm_70", "CUDA from sm_70 on", "HIP", "OpenCL", "constrained chips"};
  run how = {.kernel = "helpers", .lanes = 32};
  int code, i;
  char *text = go(&how, &code);
  CHECK(code == 1, "exit code %d", code);
  CHECK(strncmp(text, kernels, strlen(kernels)) == 0, "the report does not begin with the file: %s", text);
  CHECK(names(text, "inner", "error: [WP106] wp_reduce_add"), "place, rule and operation: %s", text);
  CHECK(strstr(text, "lanes 0-2 wait for lanes 3-31 with mask 0xffffffff") != NULL, "lanes: %s", text);
  CHECK(strstr(text, "in kernel 'helpers', block (0,0,0), warp 0 of threads 0-31; lane 0 is thread (0,0,0)") != NULL, "where: %s",
        text);
  CHECK(names(text, "middle", "called from here"), "the first helper: %s", text);
  CHECK(names(text, "helpers", "called from here"), "the user's call: %s", text);
  CHECK(names(text, "others", "note: lanes 3-31 at wp_sync"), "the other lanes: %s", text);
  CHECK(strstr(text, "\n  help: ") != NULL, "help: %s", text);
  CHECK(strstr(text, "warpport/") == NULL, "a line of the library: %s", text);
  CHECK(strchr(text, '\033') == NULL, "colour in a file: %s", text);
  for (i = 0; i < 5; i++) {
    char line[64];
    snprintf(line, sizeof line, "\n  on %-19s", vendors[i]);
    CHECK(strstr(text, line) != NULL, "no verdict for %s: %s", vendors[i], text);
  }
  check_colours(how);
  how = (run){.kernel = "by_pointer", .lanes = 32};
  text = go(&how, &code);
  CHECK(code == 1 && strstr(text, "error: [WP106] wp_reduce_add_u32: lanes 0,2,4") != NULL, "by pointer: %s", text);
  CHECK(names(text, "by_pointer", "called from here") && strstr(text, " at wp_reduce_max_u32, mask") != NULL, "by pointer: %s", text);
  how = (run){.kernel = "fine", .lanes = 64};
  text = go(&how, &code);
  CHECK(code == 0 && *text == 0, "not silent: %d, %s", code, text);
}

/* ---- what goes on, and what ends ---- */

static void ends(void) {
  run how = {.kernel = "three", .lanes = 32};
  int code;
  char *text = go(&how, &code);
  CHECK(code == 1 && count_of(text, "error: [") == 1 && names(text, "first", "error: [WP113]"), "the first one alone: %s", text);
  how.environment[0] = "WARPPORT_CHECK=all";
  text = go(&how, &code);
  CHECK(code == 1 && count_of(text, "error: [") == 3, "all three: %s", text);
  CHECK(names(text, "first", "error: [WP113]") && names(text, "second", "error: [WP114] wp_shfl_down_u32: lane 7 reads") &&
            names(text, "third", "error: [WP105] wp_reduce_add_u32: lane 0 waits"),
        "all three: %s", text);
  how.environment[0] = "WARPPORT_CHECK=-WP113";
  text = go(&how, &code);
  CHECK(count_of(text, "error: [") == 1 && names(text, "second", "error: [WP114]"), "without WP113: %s", text);
  how.environment[0] = "WARPPORT_CHECK=-WP113,-WP114,all";
  text = go(&how, &code);
  CHECK(count_of(text, "error: [") == 1 && names(text, "third", "error: [WP105]"), "without WP113 and WP114: %s", text);
  how = (run){.kernel = "outside", .lanes = 32, .environment = {"WARPPORT_CHECK=0"}};
  text = go(&how, &code);
  CHECK(code == 0 && *text == 0, "switched off: %s", text);
  how.environment[0] = "WARPPORT_CHECK=maybe";
  text = go(&how, &code);
  CHECK(code >= 2 && strstr(text, "WARPPORT_CHECK has 'maybe'; possible are 0, 1, all, exit") != NULL, "a bad word: %d %s", code,
        text);
  how = (run){.kernel = "third_block", .lanes = 32, .blocks = 4};
  text = go(&how, &code);
  CHECK(code == 1 && count_of(text, "error: [") == 1 && strstr(text, "block (2,0,0)") != NULL, "block 2: %s", text);
  /* The exit code of a program that does not look. */
  how.heedless = true;
  text = go(&how, &code);
  CHECK(code == 0 && names(text, "third_block", "error: [WP105]"), "heedless: %d %s", code, text);
  how.environment[0] = "WARPPORT_CHECK=exit";
  text = go(&how, &code);
  CHECK(code == 1 && names(text, "third_block", "error: [WP105]"), "exit: %d %s", code, text);
  how.environment[0] = "WARPPORT_QUIET=1";
  text = go(&how, &code);
  CHECK(code == 0 && *text == 0, "quiet: %d %s", code, text);
}

/* ---- orders and profiles ---- */

static void orders(void) {
  static const char *const bad[] = {"backwards", "random:", "random:x", "random:1:", "random:1:5-3", "random:1:2;3", "picks",
                                    "picks:3", "picks:3:", "picks:1:2,64", "order:1"};
  size_t i;
  run how = {.kernel = "by_order", .lanes = 32};
  int code, failed = 0, seed;
  static char schedule[64];
  char *text = go(&how, &code), *at, report[2000];
  CHECK(code == 0, "in order: %s", text);
  how.environment[0] = "WARPPORT_SCHEDULE=sticky";
  text = go(&how, &code);
  CHECK(code == 0, "sticky: %s", text);
  for (seed = 1; seed <= 20 && failed == 0; seed++) {
    snprintf(schedule, sizeof schedule, "WARPPORT_SCHEDULE=random:%d", seed);
    how.environment[0] = schedule;
    text = go(&how, &code);
    failed = code;
  }
  CHECK(failed == 1 && strstr(text, "\n  found under ") != NULL, "no random order of 20 fails");
  at = strstr(text, "WARPPORT_SCHEDULE=random:");
  CHECK(at != NULL, "the report does not name its order: %s", text);
  if (at == NULL) return;
  snprintf(report, sizeof report, "%s", text);
  snprintf(schedule, sizeof schedule, "%.*s", (int)strcspn(at, ","), at);
  how.environment[0] = schedule;
  text = go(&how, &code);
  CHECK(code == 1 && strcmp(text, report) == 0, "%s does not repeat the report:\n%s\n%s", schedule, report, text);
  /* Drawn by the program, printed, and good for a second run. */
  for (seed = 1, failed = 0; seed <= 20 && failed == 0; seed++) {
    how.environment[0] = "WARPPORT_SCHEDULE=random";
    text = go(&how, &failed);
  }
  at = strstr(text, "WARPPORT_SCHEDULE=random:");
  CHECK(failed == 1 && at != NULL, "no seed was printed: %s", text);
  if (at == NULL) return;
  snprintf(report, sizeof report, "%s", text);
  snprintf(schedule, sizeof schedule, "%.*s", (int)strcspn(at, ","), at);
  how.environment[0] = schedule;
  text = go(&how, &code);
  CHECK(code == 1 && strcmp(text, report) == 0, "%s does not repeat the report:\n%s\n%s", schedule, report, text);
  for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    snprintf(schedule, sizeof schedule, "WARPPORT_SCHEDULE=%s", bad[i]);
    how.environment[0] = schedule;
    text = go(&how, &code);
    CHECK(code >= 2 && strstr(text, "possible are order, reverse, sticky, behind, random") != NULL, "'%s': %s", bad[i], text);
  }
  how = (run){.kernel = "helpers", .lanes = 32, .environment = {"WARPPORT_SCHEDULE=picks:0:3,31,5"}};
  text = go(&how, &code);
  CHECK(code == 1 && strstr(text, "found under WARPPORT_SCHEDULE=picks:0:3,31,5, which") != NULL, "picks: %s", text);
}

static void profiles(const char *example) {
  static const struct { const char *name; int lanes; } own[] = {
      {"intel16", 16}, {"mali8", 8}, {"adreno64", 64}, {"constrained32", 32}};
  static const char *const bad[] = {"lanes = 12", "unspecified = 7", "random = maybe", "colour = blue", "nothing", "lanes"};
  char setting[512], path[64], wanted[128];
  run how = {.kernel = "outside", .environment = {setting}};
  int code;
  size_t i;
  char *text;
  snprintf(setting, sizeof setting, "WARPPORT_PROFILE=%s", example);
  text = go(&how, &code);
  CHECK(code == 1 && strstr(text, "threads 0-7; ") != NULL && strstr(text, "found in WARPPORT_PROFILE=lavapipe8") != NULL,
        "%s: %d %s", example, code, text);
  for (i = 0; i < sizeof own / sizeof own[0]; i++) {
    snprintf(setting, sizeof setting, "WARPPORT_PROFILE=%s", own[i].name);
    snprintf(wanted, sizeof wanted, "threads 0-%d; ", own[i].lanes - 1);
    text = go(&how, &code);
    CHECK(code == 1 && strstr(text, wanted) != NULL, "%s: %s", own[i].name, text);
  }
  snprintf(path, sizeof path, "%s/bad.profile", work);
  snprintf(setting, sizeof setting, "WARPPORT_PROFILE=%s", path);
  for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    FILE *f = fopen(path, "w");
    if (f == NULL) return;
    fprintf(f, "# a comment\nlanes = 8\n%s\n", bad[i]);
    fclose(f);
    text = go(&how, &code);
    snprintf(wanted, sizeof wanted, "bad.profile:3: not one of: lanes = ");
    CHECK(code >= 2 && strstr(text, wanted) != NULL, "'%s': %d %s", bad[i], code, text);
  }
  unlink(path);
  text = go(&how, &code);
  CHECK(code >= 2 && strstr(text, "cannot be read") != NULL, "a missing profile: %s", text);
  snprintf(setting, sizeof setting, "WARPPORT_PROFILE=cuda");
  text = go(&how, &code);
  CHECK(code >= 2 && strstr(text, "there are: cuda70 cuda60 hip khr intel16 mali8 adreno64 constrained32") != NULL, "%s", text);
}

/* ---- JSON and SARIF ---- */

static const char *string(const cJSON *o, const char *name) {
  const char *s = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(o, name));
  return s != NULL ? s : "";
}
static const cJSON *item(const cJSON *o, const char *name) { return cJSON_GetObjectItemCaseSensitive(o, name); }

static cJSON *document_of(run *how, const char *kind, int wanted_code) {
  char setting[128], path[64];
  int code;
  cJSON *d;
  snprintf(path, sizeof path, "%s/report", work);
  snprintf(setting, sizeof setting, "WARPPORT_REPORT=%s:%s", kind, path);
  how->environment[1] = setting;
  unlink(path);
  go(how, &code);
  how->environment[1] = NULL;
  CHECK(code == wanted_code, "%s: exit code %d", kind, code);
  d = cJSON_Parse(slurp(path));
  CHECK(d != NULL, "%s cannot be parsed: %s", kind, slurp(path));
  return d;
}

static bool lanes_are(const cJSON *list, int from, int to) {
  int i;
  if (cJSON_GetArraySize(list) != to - from + 1) return false;
  for (i = from; i <= to; i++) {
    if (cJSON_GetArrayItem(list, i - from)->valueint != i) return false;
  }
  return true;
}

static void json(void) {
  run how = {.kernel = "helpers", .lanes = 64, .environment = {"WARPPORT_SCHEDULE=reverse"}};
  cJSON *d = document_of(&how, "json", 1);
  const cJSON *r = cJSON_GetArrayItem(item(d, "reports"), 0), *one;
  int callers = 0, notes = 0;
  CHECK(cJSON_GetArraySize(item(d, "reports")) == 1, "reports");
  CHECK(strcmp(string(r, "rule"), "WP106") == 0 && strcmp(string(r, "class"), "error") == 0, "rule");
  CHECK(strcmp(string(r, "file"), kernels) == 0 && item(r, "line") != NULL && item(r, "line")->valueint == line_of("inner"),
        "place");
  CHECK(strcmp(string(r, "kernel"), "helpers") == 0 && cJSON_GetArraySize(item(r, "block")) == 3, "kernel and block");
  CHECK(lanes_are(item(r, "lanes"), 0, 2), "lanes");
  cJSON_ArrayForEach(one, item(r, "related")) {
    callers += strcmp(string(one, "kind"), "caller") == 0;
    if (strcmp(string(one, "kind"), "note") == 0 && item(one, "line") != NULL) {
      notes++;
      CHECK(item(one, "line")->valueint == line_of("others") && lanes_are(item(one, "lanes"), 3, 63), "the other lanes");
    }
  }
  CHECK(callers == 2 && notes == 1, "%d callers, %d places of other lanes", callers, notes);
  CHECK(cJSON_GetArraySize(item(r, "verdict")) == 5, "verdicts");
  CHECK(strcmp(string(r, "schedule"), "reverse") == 0 && strcmp(string(r, "profile"), "cuda70") == 0, "order and profile");
  cJSON_Delete(d);
  how.kernel = "fine";
  d = document_of(&how, "json", 0);
  CHECK(item(d, "reports") != NULL && cJSON_GetArraySize(item(d, "reports")) == 0, "a file with no report");
  cJSON_Delete(d);
}

/* What SARIF 2.1.0 requires of a log (OASIS standard, sections 3.13, 3.14, 3.18, 3.19, 3.27 - 3.30, 3.49), and what its schema says of
 * the values used here. */
static void sarif_location(const cJSON *l) {
  const cJSON *physical = item(l, "physicalLocation"), *region = item(physical, "region");
  if (physical == NULL) {
    CHECK(string(item(l, "message"), "text")[0] != 0, "a location that says nothing");
    return;
  }
  CHECK(strncmp(string(item(physical, "artifactLocation"), "uri"), "file:///", 8) == 0, "uri: %s",
        string(item(physical, "artifactLocation"), "uri"));
  CHECK(strpbrk(string(item(physical, "artifactLocation"), "uri"), " \\\"<>^`{|}") == NULL, "a character that is none of a URI");
  CHECK(cJSON_IsNumber(item(region, "startLine")) && item(region, "startLine")->valueint >= 1, "startLine");
  if (item(region, "startColumn") != NULL) CHECK(item(region, "startColumn")->valueint >= 1, "startColumn");
}

static void sarif_log(const cJSON *d, int results) {
  const cJSON *r, *rule, *driver, *result, *l;
  CHECK(strcmp(string(d, "version"), "2.1.0") == 0, "version");
  CHECK(strncmp(string(d, "$schema"), "https://", 8) == 0, "$schema");
  CHECK(cJSON_GetArraySize(item(d, "runs")) == 1, "runs");
  r = cJSON_GetArrayItem(item(d, "runs"), 0);
  driver = item(item(r, "tool"), "driver");
  CHECK(string(driver, "name")[0] != 0, "driver.name");
  cJSON_ArrayForEach(rule, item(driver, "rules")) {
    const cJSON *other;
    int same = 0;
    cJSON_ArrayForEach(other, item(driver, "rules")) same += strcmp(string(other, "id"), string(rule, "id")) == 0;
    CHECK(strncmp(string(rule, "id"), "WP", 2) == 0 && same == 1, "rule id '%s'", string(rule, "id"));
    CHECK(string(item(rule, "shortDescription"), "text")[0] != 0, "shortDescription of %s", string(rule, "id"));
    if (item(rule, "help") != NULL) CHECK(string(item(rule, "help"), "text")[0] != 0, "help of %s", string(rule, "id"));
  }
  CHECK(cJSON_IsArray(item(r, "results")) && cJSON_GetArraySize(item(r, "results")) == results, "results");
  cJSON_ArrayForEach(result, item(r, "results")) {
    const cJSON *index = item(result, "ruleIndex");
    CHECK(string(item(result, "message"), "text")[0] != 0, "message.text");
    CHECK(strcmp(string(result, "level"), "error") == 0, "level");
    CHECK(cJSON_IsNumber(index) &&
              strcmp(string(cJSON_GetArrayItem(item(driver, "rules"), index->valueint), "id"), string(result, "ruleId")) == 0,
          "ruleIndex is not that of %s", string(result, "ruleId"));
    CHECK(cJSON_GetArraySize(item(result, "locations")) == 1, "locations");
    cJSON_ArrayForEach(l, item(result, "locations")) sarif_location(l);
    cJSON_ArrayForEach(l, item(result, "relatedLocations")) sarif_location(l);
  }
}

/* The document's lines on a rule: a row of its table, and a paragraph of its own. */
static void documented(const cJSON *rules, const char *path) {
  static const char *const vendors[] = {"CUDA before sm_70", "CUDA from sm_70 on", "HIP", "OpenCL", "constrained chips"};
  char *copy = strdup(slurp(path)), *text = copy;
  const cJSON *rule;
  int rows = 0;
  cJSON_ArrayForEach(rule, rules) {
    char row[2048], heading[32];
    const cJSON *p = item(rule, "properties");
    int n = snprintf(row, sizeof row, "\n| %s | %s | %s | %s |", string(rule, "id"), string(item(rule, "shortDescription"), "text"),
                     item(rule, "help") != NULL ? string(item(rule, "help"), "text") : "–",
                     item(p, "guideline") != NULL ? string(p, "guideline") : "–");
    int i;
    for (i = 0; i < 5; i++)
      n += snprintf(row + n, sizeof row - (size_t)n, " %s |", item(p, vendors[i]) != NULL ? string(p, vendors[i]) : "–");
    CHECK(strstr(text, row) != NULL, "the document has no such line:%s", row);
    snprintf(heading, sizeof heading, "\n**%s**", string(rule, "id"));
    CHECK(strstr(text, heading) != NULL, "the document does not explain %s", string(rule, "id"));
  }
  for (rows = 0, text = strstr(text, "\n| WP1"); text != NULL; text = strstr(text + 1, "\n| WP1")) rows++;
  CHECK(rows == cJSON_GetArraySize(rules) + 3, "the document has %d lines for %d rules and the three of warpport-check", rows,
        cJSON_GetArraySize(rules));
  free(copy);
}

static void sarif(const char *document) {
  run how = {.kernel = "three", .lanes = 32, .environment = {"WARPPORT_CHECK=all"}};
  cJSON *d = document_of(&how, "sarif", 1);
  const cJSON *r = cJSON_GetArrayItem(item(d, "runs"), 0), *one;
  bool third = false;
  sarif_log(d, 3);
  cJSON_ArrayForEach(one, item(r, "results")) {
    const cJSON *region = item(item(cJSON_GetArrayItem(item(one, "locations"), 0), "physicalLocation"), "region");
    if (strcmp(string(one, "ruleId"), "WP105") != 0) continue;
    third = item(region, "startLine")->valueint == line_of("third") && lanes_are(item(item(one, "properties"), "lanes"), 0, 0);
  }
  CHECK(third, "no WP105 at its line");
  documented(item(item(item(r, "tool"), "driver"), "rules"), document);
  cJSON_Delete(d);
  how.kernel = "fine";
  d = document_of(&how, "sarif", 0);
  sarif_log(d, 0);
  cJSON_Delete(d);
  how.environment[0] = "WARPPORT_REPORT=xml:report";
  {
    int code;
    char *text = go(&how, &code);
    CHECK(code >= 2 && strstr(text, "WARPPORT_REPORT must be json:FILE or sarif:FILE") != NULL, "a bad kind: %s", text);
  }
}

int main(int argc, char **argv) {
  char command[64];
  if (argc != 4 || mkdtemp(work) == NULL) {
    printf("usage: test_reports KERNELS.c CHECKER.md EXAMPLE.profile\n");
    return 2;
  }
  kernels = argv[1];
  texts();
  ends();
  orders();
  profiles(argv[3]);
  json();
  sarif(argv[2]);
  snprintf(command, sizeof command, "rm -rf %s", work);
  if (system(command) != 0) failures++;
  printf("%d checks, %d failures\n", checks, failures);
  return failures != 0;
}
