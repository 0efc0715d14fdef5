/* A random order that shows a fault has thousands of random choices, of which one or two matter. The emulator takes a list of those that
 * are to be random, "random:SEED:4,7-9", and makes the rest as usual. First an end is looked for that suffices, then the list is thinned
 * out, by halves, quarters ... down to single choices (Zeller, Hildebrandt: Simplifying and isolating failure-inducing input, 2002). A
 * fault need not be monotonous in that, so a cut counts only after a run that has shown the fault.
 *
 * What the random choices were is then written down, "picks:FROM:LANE,LANE...", and lanes are taken out of that list in the same way: the
 * others move up, so what is left need not be what the generator would draw. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANGES = 12 }; /* as many as the emulator takes */
typedef struct range {
  unsigned long long from, to;
} range;

typedef struct search {
  unsigned long long seed;
  setup how;
  bool (*fails)(const setup *how, void *user);
  void *user;
  int runs, most;
  double until;
} search;

static bool try_list(search *s, const range *list, int count) {
  size_t size = sizeof s->how.schedule;
  int n = snprintf(s->how.schedule, size, "random:%llu:", s->seed), i;
  for (i = 0; i < count; i++) {
    bool single = list[i].to == list[i].from + 1;
    n += snprintf(s->how.schedule + n, size - (size_t)n, single ? "%s%llu" : "%s%llu-%llu", i > 0 ? "," : "", list[i].from, list[i].to);
    if ((size_t)n >= size) return false;
  }
  s->runs++;
  return s->fails(&s->how, s->user);
}

static bool may_go_on(const search *s) { return s->runs < s->most && seconds_now() < s->until; }

/* The list without the choices at places [at, at + length), counted along the list; how many ranges are left, -1: too many. */
static int without(const range *list, int count, unsigned long long at, unsigned long long length, range *left) {
  unsigned long long place = 0, end = at + length;
  int n = 0, i;
  for (i = 0; i < count; i++) {
    unsigned long long size = list[i].to - list[i].from;
    range before = list[i], after = list[i];
    if (at < place + size) before.to = at > place ? list[i].from + (at - place) : list[i].from;
    after.from = end > place ? (end - place < size ? list[i].from + (end - place) : list[i].to) : list[i].from;
    if (at >= place + size) after.from = after.to;
    if (end <= place) before.to = before.from;
    if (before.from < before.to) {
      if (n == RANGES) return -1;
      left[n++] = before;
    }
    if (after.from < after.to) {
      if (n == RANGES) return -1;
      left[n++] = after;
    }
    place += size;
  }
  return n;
}

static unsigned long long total(const range *list, int count) {
  unsigned long long n = 0;
  int i;
  for (i = 0; i < count; i++) n += list[i].to - list[i].from;
  return n;
}

int shrink(setup *how, bool (*fails)(const setup *how, void *user), void *user, int most, double seconds) {
  search s = {0, *how, fails, user, 0, most, seconds_now() + seconds};
  range list[RANGES] = {{0, 1}}, left[RANGES];
  int count = 1, n;
  unsigned long long chunk, at;
  bool found = false;
  if (sscanf(how->schedule, "random:%llu", &s.seed) != 1) return 0;
  for (; !found && list[0].to < 1ull << 40 && may_go_on(&s); list[0].to *= 4) {
    found = try_list(&s, list, count);
    if (found) break;
  }
  if (!found) return s.runs;
  *how = s.how;
  for (chunk = list[0].to / 2 > 0 ? list[0].to / 2 : 1; may_go_on(&s); chunk = chunk > 1 ? (chunk + 1) / 2 : 1) {
    bool cut = false;
    for (at = 0; at < total(list, count) && may_go_on(&s);) {
      n = without(list, count, at, chunk, left);
      if (n > 0 && try_list(&s, left, n)) {
        memcpy(list, left, sizeof list);
        count = n;
        *how = s.how;
        cut = true;
      } else {
        at += chunk;
      }
    }
    if (chunk == 1 && !cut) break;
  }
  return s.runs;
}

static bool try_picks(search *s, unsigned long long from, const unsigned char *lane, int count) {
  size_t size = sizeof s->how.schedule;
  int n = snprintf(s->how.schedule, size, "picks:%llu", from), i;
  for (i = 0; i < count; i++) n += snprintf(s->how.schedule + n, size - (size_t)n, "%c%d", i == 0 ? ':' : ',', lane[i]);
  s->runs++;
  return s->fails(&s->how, s->user);
}

int shrink_picks(setup *how, const char *picks, bool (*fails)(const setup *how, void *user), void *user, int most, double seconds) {
  search s = {0, *how, fails, user, 0, most, seconds_now() + seconds};
  unsigned char lane[64], left[64];
  unsigned long long from = 0;
  int count = 0, chunk, at, used = 0;
  if (picks == NULL || sscanf(picks, "picks:%llu%n", &from, &used) != 1) return 0;
  for (picks += used; *picks != 0 && count < 64; count++) {
    char *end;
    lane[count] = (unsigned char)strtol(picks + 1, &end, 10);
    picks = end;
  }
  if (count == 0 || !try_picks(&s, from, lane, count)) return s.runs;
  *how = s.how;
  for (chunk = count > 1 ? count / 2 : 1; may_go_on(&s); chunk = chunk > 1 ? (chunk + 1) / 2 : 1) {
    bool cut = false;
    for (at = 0; at < count && may_go_on(&s);) {
      int gone = at + chunk <= count ? chunk : count - at;
      memcpy(left, lane, (size_t)at);
      memcpy(left + at, lane + at + gone, (size_t)(count - at - gone));
      if (count > gone && try_picks(&s, from, left, count - gone)) {
        memcpy(lane, left, sizeof lane);
        count -= gone;
        *how = s.how;
        cut = true;
      } else {
        at += chunk;
      }
    }
    if (chunk == 1 && !cut) break;
  }
  return s.runs;
}
