/* warpport-check: runs a program that uses the CPU backend under many lane counts, chips and orders of lanes, and compares. */
#define _GNU_SOURCE
#include "check.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const all_profiles[] = {"cuda70", "cuda60", "hip", "khr", "intel16", "mali8", "adreno64", "constrained32"};
static const struct { const char *name; int lanes; } fixed[] = {{"intel16", 16}, {"mali8", 8}, {"adreno64", 64}, {"constrained32", 32}};

static const char *const usual_orders[] = {"order", "reverse", "sticky", "behind"};

static options o = {.random_count = 3, .seed = 1, .compare = COMPARE_READS, .timeout = 120, .shrink = true};

/* ---- options ---- */

static const struct argp_option table[] = {
    {"lanes", 'l', "LIST", 0, "Lane counts, separated by commas (default: 1,2,4,8,16,32,64)", 0},
    {"profiles", 'p', "LIST", 0, "Chips, or files that describe one (default: all that are built in)", 0},
    {"schedules", 's', "LIST", 0, "Orders of lanes (default: order,reverse,sticky,behind and some random ones)", 0},
    {"random", 'n', "N", 0, "Number of random orders (default: 3)", 0},
    {"seed", 'S', "N", 0, "Seed of the first random order (default: 1)", 0},
    {"compare", 'c', "WHAT", 0, "What must be the same in all orders: reads (what the host reads back; the default), output, exit", 0},
    {"strict", 'x', 0, 0, "Compare also what is read after launches that use atomics", 0},
    {"lane-independent", 'i', 0, 0, "The results must be the same at all lane counts", 0},
    {"full", 'f', 0, 0, "Every order on every chip, not only on the first", 0},
    {"timeout", 't', "SECONDS", 0, "Of one run (default: 120)", 0},
    {"budget", 'b', "SECONDS", 0, "Begin no further run after that time (default: none)", 0},
    {"no-shrink", 'N', 0, 0, "Do not look for the shortest part of a random order that fails", 0},
    {"json", 'J', "FILE", 0, "Write the summary as JSON", 0},
    {"verbose", 'v', 0, 0, "A line for each run", 0},
    {0, 0, 0, 0, 0, 0},
};

static int split(char *text, const char **list) {
  int n = 0;
  char *word;
  while ((word = strsep(&text, ",")) != NULL) {
    if (*word != 0 && n < MAX_LIST) list[n++] = word;
  }
  return n;
}

static double number(struct argp_state *state, const char *name, const char *text, double lo, double hi) {
  char *end = NULL;
  double v = strtod(text, &end);
  if (end == text || *end != 0 || !(v >= lo && v <= hi)) argp_error(state, "--%s takes a number from %.0f to %.0f, not '%s'", name, lo, hi, text);
  return v;
}

/* A name that the emulator does not know would look like a fault of the program in each run. */
static void check_profile(struct argp_state *state, const char *name) {
  size_t i;
  for (i = 0; i < sizeof all_profiles / sizeof all_profiles[0]; i++) {
    if (strcmp(all_profiles[i], name) == 0) return;
  }
  if (strpbrk(name, "/.") == NULL)
    argp_error(state, "--profiles: there is no '%s'; a file's name has a slash or a dot (./mine.profile)", name);
  else if (access(name, R_OK) != 0)
    argp_error(state, "--profiles: %s cannot be read", name);
}

static void check_schedule(struct argp_state *state, const char *name) {
  size_t i;
  for (i = 0; i < sizeof usual_orders / sizeof usual_orders[0]; i++) {
    if (strcmp(usual_orders[i], name) == 0) return;
  }
  if (strcmp(name, "random") != 0 && strncmp(name, "random:", 7) != 0 && strncmp(name, "picks:", 6) != 0)
    argp_error(state, "--schedules: there is no '%s'; there are order, reverse, sticky, behind, random:SEED and picks:FROM:LANES", name);
}

static error_t parse(int key, char *text, struct argp_state *state) {
  const char *words[MAX_LIST];
  int i, n;
  switch (key) {
    case 'l':
      n = split(text, words);
      for (i = 0; i < n; i++) {
        double value = number(state, "lanes", words[i], 1, 64);
        int lanes = (int)value, known = 0;
        if ((lanes & (lanes - 1)) != 0 || value > lanes) argp_error(state, "--lanes: %s is no power of two", words[i]);
        while (known < o.lane_count && o.lanes[known] != lanes) known++;
        if (known == o.lane_count) o.lanes[o.lane_count++] = lanes;
      }
      return 0;
    case 'p':
      o.profile_count = split(text, o.profiles);
      for (i = 0; i < o.profile_count; i++) check_profile(state, o.profiles[i]);
      return 0;
    case 's':
      o.schedule_count = split(text, o.schedules);
      for (i = 0; i < o.schedule_count; i++) check_schedule(state, o.schedules[i]);
      return 0;
    case 'n': o.random_count = (int)number(state, "random", text, 0, 50); return 0;
    case 'S': o.seed = (unsigned)number(state, "seed", text, 0, 4e9); return 0;
    case 'c':
      if (strcmp(text, "reads") == 0) o.compare = COMPARE_READS;
      else if (strcmp(text, "output") == 0) o.compare = COMPARE_OUTPUT;
      else if (strcmp(text, "exit") == 0) o.compare = COMPARE_EXIT;
      else argp_error(state, "--compare takes reads, output or exit, not '%s'", text);
      return 0;
    case 'x': o.strict = true; return 0;
    case 'i': o.lane_independent = true; return 0;
    case 'f': o.full = true; return 0;
    case 't': o.timeout = number(state, "timeout", text, 0, 1e6); return 0;
    case 'b': o.budget = number(state, "budget", text, 0, 1e7); return 0;
    case 'N': o.shrink = false; return 0;
    case 'J': o.json = text; return 0;
    case 'v': o.verbose = true; return 0;
    case ARGP_KEY_ARGS: o.command = state->argv + state->next; return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which program?"); return 0;
    default: return ARGP_ERR_UNKNOWN;
  }
}

static void defaults(void) {
  static char random[MAX_LIST][32];
  int i;
  if (o.lane_count == 0) {
    for (i = 1; i <= 64; i *= 2) o.lanes[o.lane_count++] = i;
  }
  if (o.profile_count == 0) {
    for (i = 0; i < (int)(sizeof all_profiles / sizeof all_profiles[0]); i++) o.profiles[o.profile_count++] = all_profiles[i];
  }
  if (o.schedule_count == 0) {
    for (i = 0; i < 4; i++) o.schedules[o.schedule_count++] = usual_orders[i];
  }
  for (i = 0; i < o.random_count && o.schedule_count < MAX_LIST; i++) {
    snprintf(random[i], sizeof random[i], "random:%u", o.seed + (unsigned)i);
    o.schedules[o.schedule_count++] = random[i];
  }
}

/* ---- what was found, once each ---- */

typedef struct finding {
  char key[512];
  char *text;
  int times, last; /* runs that showed it; the last one's number */
  cJSON *json;
} finding;
static finding findings[100];
static int finding_count;
static int runs, failures, differences, skipped, timeouts;
static double begun;

static finding *find(const char *key) {
  int i;
  for (i = 0; i < finding_count && strcmp(findings[i].key, key) != 0; i++) continue;
  if (i == (int)(sizeof findings / sizeof findings[0])) return NULL;
  if (i == finding_count) {
    memset(&findings[i], 0, sizeof findings[i]);
    snprintf(findings[i].key, sizeof findings[i].key, "%s", key);
    finding_count++;
  }
  if (findings[i].last != runs) findings[i].times++; /* several blocks of a run may show it */
  findings[i].last = runs;
  return &findings[i];
}

static const char *text_of(const cJSON *object, const char *name) {
  const char *s = cJSON_GetStringValue(cJSON_GetObjectItem(object, name));
  return s != NULL ? s : "";
}

/* As one would type it: what a shell would take for something else in quotes. */
static const char *program_line(void) {
  static char text[4000];
  size_t n = 0;
  int i;
  for (i = 0; o.command[i] != NULL && n + 8 < sizeof text; i++) {
    const char *s = o.command[i];
    bool quoted = *s == 0 || strpbrk(s, " \t\n\"'$&;|<>()[]{}!*?#~`\\") != NULL;
    if (i > 0) text[n++] = ' ';
    if (quoted) text[n++] = '\'';
    for (; *s != 0 && n + 8 < sizeof text; s++) {
      if (*s == '\'') {
        memcpy(text + n, "'\\''", 4);
        n += 4;
      } else {
        text[n++] = *s;
      }
    }
    if (quoted) text[n++] = '\'';
  }
  text[n] = 0;
  return text;
}

static void add(const char *key, const char *rule, const setup *how, const char *message, const cJSON *report) {
  finding *f = find(key);
  char command[600];
  if (f == NULL || f->text != NULL) return;
  setup_text(how, command, sizeof command);
  if (asprintf(&f->text, "%s\n  first seen with: %s%s%s", message, command, command[0] != 0 ? " " : "", program_line()) < 0) f->text = NULL;
  f->json = report != NULL ? cJSON_Duplicate(report, true) : cJSON_CreateObject();
  if (report == NULL) {
    cJSON_AddStringToObject(f->json, "rule", rule);
    cJSON_AddStringToObject(f->json, "message", message);
  }
  cJSON_AddStringToObject(f->json, "environment", command);
}

/* A program may take no notice of what wp_launch() returns. */
static bool failed(const outcome *r) {
  return r->timed_out || r->signal != 0 || r->status != 0 || cJSON_GetArraySize(r->reports) > 0;
}

static void say_end(const outcome *r, char *text, size_t size) {
  if (r->timed_out)
    snprintf(text, size, "the program did not end within %g s", o.timeout);
  else if (r->signal != 0)
    snprintf(text, size, "the program was ended by signal %d (%s)", r->signal, strsignal(r->signal));
  else
    snprintf(text, size, "the program ended with %d", r->status);
}

/* The reports of the emulator, or, without any, how the program ended. */
static void note_failure(const outcome *r) {
  const cJSON *report;
  char key[512], message[9000];
  bool any = false;
  cJSON_ArrayForEach(report, r->reports) {
    const cJSON *line = cJSON_GetObjectItem(report, "line");
    const cJSON *related;
    int n;
    snprintf(key, sizeof key, "%s %s %d", text_of(report, "rule"), text_of(report, "file"), line != NULL ? line->valueint : 0);
    n = snprintf(message, sizeof message, "%s:%d: error: [%s] %s\n  in kernel '%s'", text_of(report, "file"),
                 line != NULL ? line->valueint : 0, text_of(report, "rule"), text_of(report, "message"), text_of(report, "kernel"));
    cJSON_ArrayForEach(related, cJSON_GetObjectItem(report, "related")) {
      const cJSON *at = cJSON_GetObjectItem(related, "line");
      if (n >= (int)sizeof message - 600) continue;
      n += snprintf(message + n, sizeof message - (size_t)n, "\n");
      if (at != NULL) n += snprintf(message + n, sizeof message - (size_t)n, "%.100s:%d: ", text_of(related, "file"), at->valueint);
      n += snprintf(message + n, sizeof message - (size_t)n, "%s%s: %.400s", at != NULL ? "" : "  ", text_of(related, "kind"),
                    text_of(related, "message"));
    }
    add(key, text_of(report, "rule"), &r->how, message, report);
    any = true;
  }
  if (any) return;
  say_end(r, message, sizeof message);
  snprintf(key, sizeof key, "%.500s", message);
  if (r->errors != NULL && r->errors[0] != 0) {
    size_t n = strlen(message);
    snprintf(message + n, sizeof message - n, "; it said:\n%.2000s", r->errors);
  }
  add(key, "exit", &r->how, message, NULL);
}

/* ---- shrinking ---- */

typedef struct suspect {
  const outcome *usual; /* to compare with; NULL: the program fails by itself */
  char rule[16];        /* the report that must come again; "": any failure */
} suspect;

static bool still_fails(const setup *how, void *user) {
  const suspect *s = user;
  outcome r;
  bool yes;
  run_program(&o, how, &r);
  if (s->usual == NULL) {
    const cJSON *report = cJSON_GetArrayItem(r.reports, 0);
    yes = failed(&r) && (s->rule[0] == 0 || strcmp(text_of(report, "rule"), s->rule) == 0);
  } else {
    char *text = failed(&r) ? NULL : difference(&o, s->usual, &r);
    yes = text != NULL;
    free(text);
  }
  outcome_free(&r);
  return yes;
}

static char *shrunk(const outcome *r, const outcome *usual) {
  suspect s = {usual, ""};
  setup how = r->how;
  outcome again;
  int runs;
  char command[600], *text = NULL;
  if (usual == NULL) snprintf(s.rule, sizeof s.rule, "%s", text_of(cJSON_GetArrayItem(r->reports, 0), "rule"));
  runs = shrink(&how, still_fails, &s, 200, 60);
  if (strcmp(how.schedule, r->how.schedule) == 0) return NULL;
  run_program(&o, &how, &again);
  runs += 1 + shrink_picks(&how, again.picks, still_fails, &s, 200, 60);
  outcome_free(&again);
  run_program(&o, &how, &again);
  setup_text(&how, command, sizeof command);
  if (asprintf(&text, "  shortest order that still fails (%d runs): %s %s%s%s", runs, command, program_line(), again.choices != NULL ? "\n" : "",
               again.choices != NULL ? again.choices : "") < 0)
    text = NULL;
  outcome_free(&again);
  return text;
}

static void append(finding *f, char *more) {
  char *text = NULL;
  if (more == NULL) return;
  if (f != NULL && asprintf(&text, "%s\n%s", f->text, more) >= 0) {
    free(f->text);
    f->text = text;
    if (f->json != NULL) cJSON_AddStringToObject(f->json, "shrunk", more);
  }
  free(more);
}

/* ---- the plan ---- */

/* Each run that does not end costs the whole timeout, so a few are enough. */
enum { ENOUGH_TIMEOUTS = 3 };

static bool out_of_time(void) { return timeouts >= ENOUGH_TIMEOUTS || (o.budget > 0 && seconds_now() - begun > o.budget); }

/* The lane count that a profile, built-in or from a file, is about; 0: any. */
static int fixed_lanes(const char *profile) {
  size_t i;
  char line[512];
  int lanes = 0;
  FILE *f;
  for (i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
    if (strcmp(fixed[i].name, profile) == 0) return fixed[i].lanes;
  }
  f = strpbrk(profile, "/.") != NULL ? fopen(profile, "r") : NULL;
  while (f != NULL && fgets(line, sizeof line, f) != NULL) sscanf(line, " lanes = %d", &lanes);
  if (f != NULL) fclose(f);
  return lanes;
}

static void line_of(const outcome *r, const char *what) {
  char command[600];
  if (!o.verbose) return;
  setup_text(&r->how, command, sizeof command);
  printf("%-60s %6.2f s  %s\n", command[0] != 0 ? command : "(as usual)", r->seconds, what);
}

/* Where a program takes the time, random numbers or an address into its data, each run differs, and no comparison means anything. Blocks
 * that race on several threads of the host may differ, too, and are to be found: so with one thread, twice. Asked once. */
static bool unsteady(const setup *usual) {
  static enum { UNKNOWN, STEADY, UNSTEADY } known;
  outcome a, b;
  setup how = *usual;
  char *text;
  if (known != UNKNOWN) return known == UNSTEADY;
  how.threads = 1;
  run_program(&o, &how, &a);
  run_program(&o, &how, &b);
  text = failed(&a) || failed(&b) ? NULL : difference(&o, &a, &b);
  known = text != NULL ? UNSTEADY : STEADY;
  if (text != NULL) {
    char message[3000];
    snprintf(message, sizeof message,
             "two runs with the same settings differ (the time, random numbers or addresses in the data?), so results cannot be "
             "compared; --compare=exit does without: %s", text);
    add("unsteady", "unsteady", usual, message, NULL);
  }
  free(text);
  outcome_free(&a);
  outcome_free(&b);
  return known == UNSTEADY;
}

/* Runs it and compares with usual (if not NULL). On return *r holds the run. */
static void examine(const setup *how, const outcome *usual, const char *rule, const char *what, outcome *r) {
  char key[512], *text;
  run_program(&o, how, r);
  runs++;
  if (failed(r)) {
    bool first;
    int before = finding_count;
    failures++;
    timeouts += r->timed_out;
    note_failure(r);
    line_of(r, "FAILED");
    first = finding_count > before;
    if (first && o.shrink && strncmp(how->schedule, "random:", 7) == 0 && usual != NULL && !failed(usual))
      append(&findings[before], shrunk(r, NULL));
    return;
  }
  text = usual != NULL && !failed(usual) ? difference(&o, usual, r) : NULL;
  if (text != NULL && unsteady(&usual->how)) {
    find("unsteady");
    differences++;
    line_of(r, "DIFFERS");
    free(text);
    return;
  }
  line_of(r, text != NULL ? "DIFFERS" : "ok");
  if (text == NULL) return;
  differences++;
  snprintf(key, sizeof key, "%s %.*s", rule, (int)strcspn(text, ":'"), text);
  {
    char message[3000];
    int before = finding_count;
    snprintf(message, sizeof message, "error: [%s] %s: %s", rule, what, text);
    add(key, rule, how, message, NULL);
    if (finding_count > before && o.shrink && strncmp(how->schedule, "random:", 7) == 0) append(&findings[before], shrunk(r, usual));
  }
  free(text);
}

static bool opened_only(const outcome *r, int lanes) { return r->lane_count == 1 && r->lanes[0] == lanes; }

static void sweep(int lanes, outcome *first) {
  setup how = {.lanes = lanes};
  outcome usual, r;
  int p, s, poison;
  snprintf(how.profile, sizeof how.profile, "%s", o.profiles[0]);
  if (fixed_lanes(how.profile) != 0) snprintf(how.profile, sizeof how.profile, "cuda70");
  snprintf(how.schedule, sizeof how.schedule, "order");
  memset(&usual, 0, sizeof usual);
  usual.how = how;
  if (out_of_time())
    skipped++;
  else
    examine(&how, o.lane_independent && first->ran ? first : NULL, "WP142",
            "the result depends on the number of lanes, though it should not (a 32 somewhere, or half of a 64-lane mask?)", &usual);
  for (p = 0; p < o.profile_count; p++) {
    int own = fixed_lanes(o.profiles[p]);
    if (own != 0 && lanes != 0 && own != lanes) continue;
    for (s = 0; s < o.schedule_count; s++) {
      snprintf(how.profile, sizeof how.profile, "%s", o.profiles[p]);
      snprintf(how.schedule, sizeof how.schedule, "%s", o.schedules[s]);
      if (strcmp(how.profile, usual.how.profile) == 0 && s == 0 && strcmp(how.schedule, "order") == 0) continue;
      if (p > 0 && s > 0 && !o.full) continue;
      if (out_of_time()) {
        skipped++;
        continue;
      }
      how.poison = p > 0 ? 1 : 0;
      examine(&how, &usual, p > 0 ? "WP141" : "WP140",
              p > 0 ? "the result differs on another chip: a value that nobody gave reaches it, or memory that nobody wrote"
                    : "the result depends on the order of the lanes: a race, or code that needs lanes in lockstep",
              &r);
      outcome_free(&r);
    }
  }
  /* Unspecified values and uninitialised memory: two more patterns. */
  snprintf(how.profile, sizeof how.profile, "%s", usual.how.profile);
  snprintf(how.schedule, sizeof how.schedule, "order");
  for (poison = 2; poison <= 3; poison++) {
    if (out_of_time()) {
      skipped++;
      continue;
    }
    how.poison = (unsigned)poison;
    examine(&how, &usual, "WP141", "a value that nobody gave reaches the result, or memory that nobody wrote", &r);
    outcome_free(&r);
  }
  /* The first lane count that works is what the others are compared with. */
  if (usual.ran && (!first->ran || (failed(first) && !failed(&usual)))) {
    outcome_free(first);
    *first = usual;
  } else {
    outcome_free(&usual);
  }
}

static bool write_json(void) {
  cJSON *d = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(d, "findings");
  FILE *f = fopen(o.json, "w");
  char *text;
  int i;
  bool fine;
  cJSON_AddNumberToObject(d, "runs", runs);
  cJSON_AddNumberToObject(d, "failed", failures);
  cJSON_AddNumberToObject(d, "different", differences);
  cJSON_AddNumberToObject(d, "left_out", skipped);
  for (i = 0; i < finding_count; i++) {
    cJSON_AddNumberToObject(findings[i].json, "times", findings[i].times);
    cJSON_AddItemToArray(list, findings[i].json);
  }
  text = cJSON_Print(d);
  fine = f != NULL && text != NULL && fputs(text, f) >= 0;
  if (f != NULL) fine = fclose(f) == 0 && fine;
  free(text);
  cJSON_Delete(d);
  if (!fine) fprintf(stderr, "warpport-check: %s cannot be written\n", o.json);
  return fine;
}

int main(int argc, char **argv) {
  static const struct argp argp = {table, parse, "PROGRAM [ARGUMENT...]",
                                   "Runs PROGRAM, which opens the device \"cpu\", under many lane counts, chips and orders of lanes, and says "
                                   "what the checker reports and where results differ. Exit code: 0 nothing found, 1 something, 2 trouble.",
                                   NULL, NULL, NULL};
  outcome first = {.ran = false}, probe;
  setup usual = {.profile = "cuda70", .schedule = "order"};
  int i;
  bool own_lanes, atomics = false;
  setvbuf(stdout, NULL, _IOLBF, 0);
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, NULL);
  defaults();
  begun = seconds_now();
  end_cleanly();
  /* Does the program take the lane count from the environment? */
  usual.lanes = 16;
  run_program(&o, &usual, &probe);
  if (probe.status == 127 && !probe.launched) {
    fprintf(stderr, "%s", probe.errors != NULL ? probe.errors : "");
    outcome_free(&probe);
    return 2;
  }
  own_lanes = probe.lane_count > 0 && !opened_only(&probe, 16);
  /* A launch is on record only when it is over: one that never ends, or takes the program with it (WARPPORT_CHECK=exit, a sanitizer),
   * shows as a device alone. */
  if (!probe.launched && (probe.lane_count == 0 || (probe.signal == 0 && cJSON_GetArraySize(probe.reports) == 0))) {
    char end[200] = "";
    if (probe.timed_out || probe.signal != 0) {
      strcpy(end, "; ");
      say_end(&probe, end + 2, sizeof end - 2);
    }
    fprintf(stderr, "warpport-check: %s has launched no kernel on the CPU backend%s%s%s\n", o.command[0], end,
            probe.errors != NULL && probe.errors[0] != 0 ? "; it said:\n" : "", probe.errors != NULL ? probe.errors : "");
    outcome_free(&probe);
    return 2;
  }
  outcome_free(&probe);
  if (own_lanes) {
    printf("%s opens a device with a lane count of its own, so lane counts are not varied (open \"cpu\" for that)\n", o.command[0]);
    sweep(0, &first);
  } else {
    for (i = 0; i < o.lane_count; i++) sweep(o.lanes[i], &first);
  }
  for (i = 0; i < (int)first.read_count; i++) atomics = atomics || first.reads[i].atomics;

  for (i = 0; i < finding_count; i++) printf("\n%s\n  %d of %d runs\n", findings[i].text, findings[i].times, runs);
  printf("%s%d runs, %d failed, %d differed, %.1f s", finding_count > 0 ? "\n" : "", runs, failures, differences, seconds_now() - begun);
  if (skipped > 0)
    printf(timeouts >= ENOUGH_TIMEOUTS ? "; %d left out, since runs do not end" : "; %d left out for lack of time", skipped);
  if (!o.lane_independent && !own_lanes) printf("; results of different lane counts not compared (--lane-independent)");
  if (atomics && !o.strict && o.compare == COMPARE_READS) printf("; reads after atomics not compared (--strict)");
  printf("\n");
  outcome_free(&first);
  if (o.json != NULL && !write_json()) return 2;
  for (i = 0; i < finding_count; i++) {
    free(findings[i].text);
    if (o.json == NULL) cJSON_Delete(findings[i].json);
  }
  return finding_count > 0 ? 1 : 0;
}
