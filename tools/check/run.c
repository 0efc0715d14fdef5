/* One run of the program under one setup of the emulator. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void setup_text(const setup *how, char *text, size_t size) {
  int n = 0;
  text[0] = 0;
  if (how->lanes != 0) n += snprintf(text + n, size - (size_t)n, "WARPPORT_HOST_LANES=%d ", how->lanes);
  if (strcmp(how->profile, "cuda70") != 0) n += snprintf(text + n, size - (size_t)n, "WARPPORT_PROFILE=%s ", how->profile);
  if (strcmp(how->schedule, "order") != 0) n += snprintf(text + n, size - (size_t)n, "WARPPORT_SCHEDULE=%s ", how->schedule);
  if (how->poison != 0) n += snprintf(text + n, size - (size_t)n, "WARPPORT_POISON=%u ", how->poison);
  if (n > 0) text[n - 1] = 0;
}

/* The whole file, with a zero behind it. */
static char *slurp(const char *path, size_t most, size_t *size) {
  FILE *f = fopen(path, "rb");
  char *text;
  long length;
  size_t n;
  *size = 0;
  if (f == NULL) return NULL;
  fseek(f, 0, SEEK_END);
  length = ftell(f);
  if (length < 0) length = 0;
  if (most != 0 && (size_t)length > most) {
    fseek(f, length - (long)most, SEEK_SET);
    length = (long)most;
  } else {
    rewind(f);
  }
  text = malloc((size_t)length + 1);
  n = text != NULL ? fread(text, 1, (size_t)length, f) : 0;
  fclose(f);
  if (text == NULL) return NULL;
  text[n] = 0;
  *size = n;
  return text;
}

static bool take(const char *at, size_t left, void *to, size_t n) {
  if (left < n) return false;
  memcpy(to, at, n);
  return true;
}

/* The records that the emulator wrote; a program that was killed may have left half of the last one. */
static void parse_records(outcome *r, const char *at, size_t left) {
  char kernel[64] = "";
  bool atomics = false;
  while (left >= 9) {
    char letter = *at;
    uint64_t length = 0;
    memcpy(&length, at + 1, sizeof length);
    at += 9;
    left -= 9;
    if (length > left) return;
    if (letter == 'D') {
      int lanes = 0, i;
      take(at, (size_t)length, &lanes, sizeof lanes);
      for (i = 0; i < r->lane_count && r->lanes[i] != lanes; i++) continue;
      if (i == r->lane_count && i < (int)(sizeof r->lanes / sizeof r->lanes[0])) r->lanes[r->lane_count++] = lanes;
    } else if (letter == 'L') {
      int numbers[2] = {0, 0};
      if (take(at, (size_t)length, numbers, sizeof numbers))
        snprintf(kernel, sizeof kernel, "%.*s", (int)(length - sizeof numbers), at + sizeof numbers);
      atomics = atomics || numbers[1] != 0;
      r->launched = true;
    } else if (letter == 'S') {
      size_t have = r->choices != NULL ? strlen(r->choices) : 0;
      char *more = have < 2000 ? realloc(r->choices, have + (size_t)length + 1) : NULL;
      if (more != NULL) {
        memcpy(more + have, at, (size_t)length);
        more[have + (size_t)length] = 0;
        r->choices = more;
      }
    } else if (letter == 'P') {
      if (r->picks == NULL) r->picks = strndup(at, (size_t)length);
    } else if (letter == 'R') {
      uint64_t numbers[3] = {0, 0, 0};
      read_back *more = realloc(r->reads, (r->read_count + 1) * sizeof *more);
      if (more == NULL) return;
      r->reads = more;
      more = &more[r->read_count];
      memset(more, 0, sizeof *more);
      if (!take(at, (size_t)length, numbers, sizeof numbers)) return;
      more->offset = numbers[0];
      more->bytes = numbers[1];
      more->hash = numbers[2];
      more->kept = (size_t)length - sizeof numbers;
      more->data = malloc(more->kept + 1);
      if (more->data == NULL) return;
      memcpy(more->data, at + sizeof numbers, more->kept);
      snprintf(more->kernel, sizeof more->kernel, "%s", kernel);
      more->atomics = atomics;
      r->read_count++;
    }
    at += length;
    left -= (size_t)length;
  }
}

/* ---- ended from outside: the program, which may spin for ever in a group of its own, and the files go too ---- */

static volatile pid_t running;
static char dir[512], record[600], report[600], out[600], err[600];

static void clean_up(void) {
  unlink(record);
  unlink(report);
  unlink(out);
  unlink(err);
  rmdir(dir);
}

static void on_signal(int number) {
  if (running > 0) kill(-running, SIGKILL);
  clean_up();
  signal(number, SIG_DFL);
  raise(number);
}

void end_cleanly(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
  struct sigaction a;
  size_t i;
  memset(&a, 0, sizeof a);
  a.sa_handler = on_signal;
  a.sa_flags = (int)SA_NODEFER; /* raise() in the handler ends the process there */
  for (i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    struct sigaction old;
    if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) sigaction(numbers[i], &a, NULL);
  }
}

static void set_number(const char *name, unsigned value) {
  char text[32];
  snprintf(text, sizeof text, "%u", value);
  setenv(name, text, 1);
}

static void child(const options *o, const setup *how) {
  char text[4200];
  int fd = open("/dev/null", O_RDONLY);
  setpgid(0, 0); /* so that a timeout reaches what the program has started */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(fd, 0);
  fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(fd, 1);
  fd = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(fd, 2);
  setenv("WARPPORT_RECORD", record, 1);
  snprintf(text, sizeof text, "json:%s", report);
  setenv("WARPPORT_REPORT", text, 1);
  setenv("WARPPORT_PROFILE", how->profile, 1);
  setenv("WARPPORT_SCHEDULE", how->schedule, 1);
  if (how->lanes != 0)
    set_number("WARPPORT_HOST_LANES", (unsigned)how->lanes);
  else
    unsetenv("WARPPORT_HOST_LANES");
  if (how->poison != 0)
    set_number("WARPPORT_POISON", how->poison);
  else
    unsetenv("WARPPORT_POISON");
  if (how->threads != 0) set_number("WARPPORT_HOST_THREADS", how->threads);
  execvp(o->command[0], o->command);
  fprintf(stderr, "warpport-check: cannot run %s: %s\n", o->command[0], strerror(errno));
  _exit(127);
}

static void wait_for(pid_t pid, double timeout, outcome *r) {
  double start = seconds_now();
  int status = 0;
  struct timespec nap = {0, 1000000};
  while (waitpid(pid, &status, WNOHANG) == 0) {
    if (timeout > 0 && seconds_now() - start > timeout && !r->timed_out) {
      r->timed_out = true;
      kill(-pid, SIGKILL);
    }
    nanosleep(&nap, NULL);
    if (nap.tv_nsec < 20000000) nap.tv_nsec *= 2;
  }
  r->seconds = seconds_now() - start;
  if (WIFEXITED(status)) r->status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) r->signal = WTERMSIG(status);
}

void run_program(const options *o, const setup *how, outcome *r) {
  const char *base = getenv("TMPDIR");
  pid_t pid;
  size_t size;
  char *text;
  memset(r, 0, sizeof *r);
  r->how = *how;
  /* In memory if possible: a run takes milliseconds, and a busy disk takes longer to make and remove files. */
  if (base == NULL || *base == 0) base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  snprintf(dir, sizeof dir, "%s/warpport-check-XXXXXX", base);
  if (mkdtemp(dir) == NULL) {
    fprintf(stderr, "warpport-check: cannot make a folder in %s: %s\n", base, strerror(errno));
    exit(2);
  }
  snprintf(record, sizeof record, "%s/record", dir);
  snprintf(report, sizeof report, "%s/report", dir);
  snprintf(out, sizeof out, "%s/out", dir);
  snprintf(err, sizeof err, "%s/err", dir);
  fflush(NULL);
  pid = fork();
  if (pid < 0) {
    fprintf(stderr, "warpport-check: cannot start a process: %s\n", strerror(errno));
    exit(2);
  }
  if (pid == 0) child(o, how);
  setpgid(pid, pid); /* here too: whoever comes first */
  running = pid;
  wait_for(pid, o->timeout, r);
  running = 0;
  r->ran = true;
  r->output = slurp(out, 0, &size);
  r->errors = slurp(err, 8000, &size);
  text = slurp(record, 0, &size);
  if (text != NULL) parse_records(r, text, size);
  free(text);
  text = slurp(report, 0, &size);
  if (text != NULL) {
    cJSON *document = cJSON_Parse(text);
    r->reports = cJSON_DetachItemFromObject(document, "reports");
    cJSON_Delete(document);
  }
  free(text);
  clean_up();
}

void outcome_free(outcome *r) {
  size_t i;
  for (i = 0; i < r->read_count; i++) free(r->reads[i].data);
  free(r->reads);
  free(r->output);
  free(r->errors);
  free(r->choices);
  free(r->picks);
  cJSON_Delete(r->reports);
  memset(r, 0, sizeof *r);
}
