/* The checker on kernels that are wrong (wrong.c) and on kernels that are right (right.c): what it says, and that it says nothing.
 * The expectations stand in the kernels' files, at the lines that reports must name.
 *
 *   test_checker wrong|right FILE [KERNEL]     one process a part, so that they run side by side
 *   test_checker dies|lives FILE RULE          the same for what sanitizers find, which may end the process: one for each kernel */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <warpport/launch.h>

/* What a sanitizer looks after itself, or keeps the emulator from seeing: stacks are larger, faults are its own, loops not interrupted. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

typedef struct expectation {
  char kernel[64], rule[16], lanes[2][128], block[16], check[64], profile[32], grid[16];
  int only, line;
} expectation;

enum { MAX = 200 };
static expectation list[MAX];
static int count, failures, runs;

/* The word after "key=" in text, or nothing. */
static void option(const char *text, const char *key, char *value, size_t size) {
  const char *at = strstr(text, key);
  size_t n = at != NULL ? strcspn(at + strlen(key), " :*\n") : 0;
  if (at != NULL && at[strlen(key)] == '*') n = 1 + strcspn(at + strlen(key) + 1, " :*\n"); /* block=*2 */
  snprintf(value, size, "%.*s", (int)n, at != NULL ? at + strlen(key) : "");
}

static void trim(char *s) {
  size_t n = strlen(s), skip = strspn(s, " ");
  while (n > 0 && s[n - 1] == ' ') s[--n] = 0;
  memmove(s, s + skip, strlen(s + skip) + 1);
}

static void expect(const char *text, int line) {
  expectation *e = &list[count];
  char only[8], options[256];
  snprintf(e->rule, sizeof e->rule, "%.*s", (int)strspn(text, "WP0123456789"), text);
  snprintf(options, sizeof options, "%.*s", (int)strcspn(text, ":\n"), text);
  option(options, "block=", e->block, sizeof e->block);
  option(options, "check=", e->check, sizeof e->check);
  option(options, "grid=", e->grid, sizeof e->grid);
  option(options, "profile=", e->profile, sizeof e->profile);
  option(options, "only=", only, sizeof only);
  e->only = atoi(only);
  e->line = line;
}

/* A mark in a helper above the kernel that calls it belongs to that kernel. */
static bool read_file(const char *path, const char *mark) {
  char line[1024];
  int number = 0;
  bool open = false, in_kernel = false;
  FILE *f = fopen(path, "r");
  if (f == NULL) return false;
  while (fgets(line, sizeof line, f) != NULL && count < MAX) {
    const char *kernel = strncmp(line, "KERNEL(", 7) == 0 ? line + 7 : NULL;
    const char *at = strstr(line, mark), *colon, *bar, *end;
    char name[64] = "";
    number++;
    if (kernel != NULL) {
      snprintf(name, sizeof name, "%.*s", (int)strcspn(kernel, ")"), kernel);
      in_kernel = true;
      if (open) snprintf(list[count++].kernel, sizeof list[0].kernel, "%s", name);
      open = false;
      snprintf(list[count].kernel, sizeof list[0].kernel, "%s", name);
    }
    if (strncmp(line, "}", 1) == 0) in_kernel = false;
    if (at == NULL || strstr(line, "nnn") != NULL) {
      if (kernel != NULL && strchr(line, '}') != NULL) in_kernel = false; /* all in one line */
      continue;
    }
    expect(at + strlen(mark), number);
    colon = strchr(at, ':');
    bar = colon != NULL ? strchr(colon, '|') : NULL;
    end = bar != NULL ? strstr(bar, "*/") : NULL;
    if (end != NULL) {
      snprintf(list[count].lanes[0], sizeof list[0].lanes[0], "%.*s", (int)(bar - colon - 1), colon + 1);
      snprintf(list[count].lanes[1], sizeof list[0].lanes[1], "%.*s", (int)(end - bar - 1), bar + 1);
      trim(list[count].lanes[0]);
      trim(list[count].lanes[1]);
    }
    open = !in_kernel;
    if (in_kernel) count++;
    if (kernel != NULL && strchr(line, '}') != NULL) in_kernel = false;
  }
  fclose(f);
  return count > 0;
}

static void fail(const expectation *e, int lanes, const char *what) {
  const char *schedule = getenv("WARPPORT_SCHEDULE"), *profile = getenv("WARPPORT_PROFILE");
  failures++;
  printf("FAIL %s (%s) at %d lanes, schedule %s, profile %s: %s\n%s\n", e->kernel, e->rule, lanes,
         schedule != NULL ? schedule : "order", profile != NULL ? profile : "cuda70", what, wp_last_error());
}

static wp_status run(const expectation *e, int lanes) {
  static const unsigned char zero[4096];
  char name[16];
  wp_device *d = NULL;
  wp_buffer *b = NULL;
  wp_kernel *k = NULL;
  int threads = lanes, n = atoi(e->block[0] != 0 ? e->block + 1 : "0");
  wp_status status;
  wp_launch_config config = {{1, 1, 1}, {0, 1, 1}, NULL};
  wp_arg args[2];
  if (e->block[0] == '+') threads += n;
  if (e->block[0] == '-') threads -= n;
  if (e->block[0] == '*') threads *= n;
  if (e->check[0] != 0) setenv("WARPPORT_CHECK", e->check, 1);
  if (e->profile[0] != 0) setenv("WARPPORT_PROFILE", e->profile, 1);
  config.block.x = (unsigned)threads;
  if (e->grid[0] != 0) config.grid.x = (unsigned)atoi(e->grid);
  snprintf(name, sizeof name, "cpu:%d", lanes);
  status = wp_device_open(name, &d);
  if (status == WP_OK) status = wp_buffer_create(d, sizeof zero, &b);
  if (status == WP_OK) status = wp_buffer_write(b, 0, zero, sizeof zero);
  if (status == WP_OK) status = wp_kernel_find(d, e->kernel, &k);
  if (status == WP_OK) {
    args[0] = wp_arg_buffer(b);
    args[1] = wp_arg_i32(lanes);
    status = wp_launch(k, &config, args, 2);
  } else {
    printf("FAIL %s: %s\n", e->kernel, wp_last_error());
    failures++;
  }
  wp_buffer_destroy(b);
  wp_device_close(d);
  if (e->check[0] != 0) unsetenv("WARPPORT_CHECK");
  if (e->profile[0] != 0) unsetenv("WARPPORT_PROFILE");
  runs++;
  return status;
}

static void wrong(const char *path, const expectation *e, int lanes) {
  char place[512];
  const char *text, *file = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
  if (e->only != 0 && e->only != lanes) return;
  if (SANITIZED && strncmp(e->rule, "WP19", 4) == 0) {
    printf("left out under a sanitizer: %s (%s)\n", e->kernel, e->rule);
    return;
  }
  if (run(e, lanes) == WP_OK) {
    failures++;
    printf("FAIL %s (%s) at %d lanes: nothing was found\n", e->kernel, e->rule, lanes);
    return;
  }
  text = wp_last_error();
  snprintf(place, sizeof place, "%s:%d: error: [%s] ", file, e->line, e->rule);
  if (strstr(text, place) == NULL) {
    fail(e, lanes, place);
    return;
  }
  if (strstr(text, e->lanes[lanes == 64]) == NULL) fail(e, lanes, e->lanes[lanes == 64]);
  if (strstr(text, e->kernel) == NULL) fail(e, lanes, "the kernel's name");
  if (e->rule[3] != '9' && strstr(text, "\n  on CUDA from sm_70 on ") == NULL) fail(e, lanes, "a verdict");
}

static void right(const expectation *e, int lanes) {
  static const char *const schedules[] = {"order", "reverse", "random:1", "random:2", "sticky", "behind"};
  static const char *const profiles[] = {"cuda60", "hip", "khr"};
  size_t i;
  for (i = 0; i < sizeof schedules / sizeof schedules[0]; i++) {
    setenv("WARPPORT_SCHEDULE", schedules[i], 1);
    if (run(e, lanes) != WP_OK) fail(e, lanes, "silence");
  }
  unsetenv("WARPPORT_SCHEDULE");
  for (i = 0; i < sizeof profiles / sizeof profiles[0]; i++) {
    setenv("WARPPORT_PROFILE", profiles[i], 1);
    if (run(e, lanes) != WP_OK) fail(e, lanes, "silence");
  }
  unsetenv("WARPPORT_PROFILE");
}

/* Runs the kernel in a child; its report, or the last words of its sanitizer, into text. */
static bool in_child(const expectation *e, int lanes, char *text, size_t size) {
  int ends[2], status = 0;
  size_t n = 0;
  ssize_t got;
  char rest[4096];
  pid_t pid;
  if (pipe(ends) != 0) return false;
  fflush(NULL);
  pid = fork();
  if (pid == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    if (run(e, lanes) != WP_OK) {
      fprintf(stderr, "%s\n", wp_last_error());
      exit(1);
    }
    exit(0);
  }
  close(ends[1]);
  while ((got = read(ends[0], n < size - 1 ? text + n : rest, n < size - 1 ? size - 1 - n : sizeof rest)) > 0)
    n += n < size - 1 ? (size_t)got : 0;
  text[n] = 0;
  close(ends[0]);
  waitpid(pid, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void sanitized(const char *path, const expectation *e, int lanes, bool dies) {
  char place[512], text[16384];
  const char *file = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
  bool fine;
  if (e->only != 0 && e->only != lanes) return;
  fine = in_child(e, lanes, text, sizeof text);
  runs++;
  snprintf(place, sizeof place, "%s:%d: error: [%s] ", file, e->line, e->rule);
  if (!dies && fine) return;
  if (dies && !fine && strstr(text, place) != NULL && strstr(text, e->lanes[lanes == 64]) != NULL && strstr(text, e->kernel) != NULL)
    return;
  failures++;
  printf("FAIL %s at %d lanes: %s\n%s\n", e->kernel, lanes, dies ? place : "silence", text);
}

int main(int argc, char **argv) {
  bool is_wrong = argc > 1 && strcmp(argv[1], "wrong") == 0;
  int i, lanes;
  bool dies = argc > 3 && strcmp(argv[1], "dies") == 0, lives = argc > 3 && strcmp(argv[1], "lives") == 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  is_wrong = is_wrong || dies;
  if (argc < 3 || !read_file(argv[2], is_wrong ? "/* WRONG " : "/* RIGHT ")) {
    printf("usage: test_checker wrong|right FILE [KERNEL]\n");
    return 2;
  }
  setenv("WARPPORT_QUIET", "1", 1);
  if (!dies && !lives) setenv("WARPPORT_HOST_TIMEOUT", is_wrong && !SANITIZED ? "0.3" : "60", 1);
  for (i = 0; dies || lives ? i < count : false; i++) {
    if (strcmp(argv[3], list[i].rule) != 0) continue;
    for (lanes = 32; lanes <= 64; lanes *= 2) sanitized(argv[2], &list[i], lanes, dies);
  }
  for (i = 0; dies || lives ? false : i < count; i++) {
    if (argc > 3 && strcmp(argv[3], list[i].kernel) != 0) continue;
    for (lanes = 32; lanes <= 64; lanes *= 2) {
      if (is_wrong)
        wrong(argv[2], &list[i], lanes);
      else
        right(&list[i], lanes);
    }
    if (argc > 3) printf("%s\n", wp_last_error());
  }
  printf("%d kernels, %d runs, %d failures\n", count, runs, failures);
  return failures != 0 || runs == 0;
}
