/* What chips do differently, as far as it shows in an emulated warp. The rules of the specification hold in every profile; a profile
 * says what an unspecified value looks like, how many lanes there are, and whether lanes can meet that come different ways.
 *
 *   cuda70  PTX ISA, shfl.sync for .target sm_70 and later: lanes wait for each other wherever they come from
 *   cuda60  the same for sm_6x and below: all lanes of the mask execute one instruction, in convergence
 *   hip     AMD: an exchange acts on the lanes that execute it together; an inactive source gives 0
 *   khr     cl_khr_subgroup_shuffle: the value is undefined
 *   others  sub-group sizes of Intel, Arm Mali and Qualcomm Adreno; a chip with 32-lane warps in lockstep and nothing defined */
#define _GNU_SOURCE
#include "emulator.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const wp__profile built_in[] = {
    {"cuda70", "CUDA from sm_70 on: named lanes wait for each other", 0, WP__UNSPECIFIED_POISON, false, false},
    {"cuda60", "CUDA before sm_70: named lanes are at one instruction, converged", 0, WP__UNSPECIFIED_POISON, false, true},
    {"hip", "AMD: lanes that execute together; an inactive source gives 0", 0, WP__UNSPECIFIED_ZERO, false, true},
    {"khr", "OpenCL sub-groups: undefined is poison, another one in each run", 0, WP__UNSPECIFIED_POISON, true, true},
    {"intel16", "OpenCL on Intel: sub-groups of 16", 16, WP__UNSPECIFIED_POISON, true, true},
    {"mali8", "OpenCL on Arm Mali: sub-groups of 8", 8, WP__UNSPECIFIED_POISON, true, true},
    {"adreno64", "OpenCL on Qualcomm Adreno: sub-groups of 64; the own value where there is no source", 64, WP__UNSPECIFIED_OWN,
     false, true},
    {"constrained32", "a chip with 32 lanes in lockstep: undefined is poison", 32, WP__UNSPECIFIED_POISON, true, true},
};

static bool yes_no(const char *text, bool *value) {
  *value = strcmp(text, "yes") == 0;
  return *value || strcmp(text, "no") == 0;
}

/* key = value, a line each; # begins a comment. */
static bool set(wp__profile *p, const char *key, const char *value) {
  static const char *const kinds[] = {"poison", "zero", "own"};
  char *end = NULL;
  long n;
  int i;
  if (strcmp(key, "lanes") == 0) {
    n = strtol(value, &end, 10);
    if (end == value || *end != 0 || n < 0 || n > WP__MAX_LANES || (n & (n - 1)) != 0) return false;
    p->lanes = (int)n;
    return true;
  }
  if (strcmp(key, "unspecified") == 0) {
    for (i = 0; i < 3; i++) {
      if (strcmp(value, kinds[i]) == 0) {
        p->unspecified = i;
        return true;
      }
    }
    return false;
  }
  if (strcmp(key, "random") == 0) return yes_no(value, &p->random);
  if (strcmp(key, "converged") == 0) return yes_no(value, &p->converged);
  if (strcmp(key, "name") == 0 && strlen(value) < sizeof p->name) {
    snprintf(p->name, sizeof p->name, "%s", value);
    return true;
  }
  if (strcmp(key, "about") == 0 && strlen(value) < sizeof p->about) {
    snprintf(p->about, sizeof p->about, "%s", value);
    return true;
  }
  return false;
}

static char *trimmed(char *s) {
  char *end;
  s += strspn(s, " \t\r\n");
  end = s + strlen(s);
  while (end > s && strchr(" \t\r\n", end[-1]) != NULL) end--;
  *end = 0;
  return s;
}

static bool read_file(const char *path, wp__profile *profile, char *problem, size_t size) {
  char line[512];
  int number = 0;
  bool fine = true;
  FILE *f = fopen(path, "r");
  if (f == NULL) {
    snprintf(problem, size, "the profile %.120s cannot be read: %s", path, strerror(errno));
    return false;
  }
  memset(profile, 0, sizeof *profile);
  snprintf(profile->name, sizeof profile->name, "%.31s", strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path);
  while (fine && fgets(line, sizeof line, f) != NULL) {
    char *equals, *text;
    number++;
    line[strcspn(line, "#")] = 0;
    text = trimmed(line);
    if (*text == 0) continue;
    equals = strchr(text, '=');
    if (equals != NULL) *equals = 0;
    fine = equals != NULL && set(profile, trimmed(text), trimmed(equals + 1));
  }
  fclose(f);
  if (!fine)
    snprintf(problem, size,
             "%.100s:%d: not one of: lanes = 0|1|2|4...64, unspecified = poison|zero|own, random = yes|no, converged = yes|no, "
             "name = ..., about = ...",
             path, number);
  return fine;
}

bool wp__profile_find(const char *name, wp__profile *profile, char *problem, size_t size) {
  size_t i, n;
  for (i = 0; i < sizeof built_in / sizeof built_in[0]; i++) {
    if (strcmp(built_in[i].name, name) == 0) {
      *profile = built_in[i];
      return true;
    }
  }
  if (strpbrk(name, "/.") != NULL) return read_file(name, profile, problem, size);
  n = (size_t)snprintf(problem, size, "WARPPORT_PROFILE is '%.32s'; there are:", name);
  for (i = 0; i < sizeof built_in / sizeof built_in[0] && n < size; i++)
    n += (size_t)snprintf(problem + n, size - n, " %s", built_in[i].name);
  if (n < size) snprintf(problem + n, size - n, ", or a file (./mine.profile)");
  return false;
}
