/* Which lane goes on where several can: the places where lanes of a GPU, too, may run in any order.
 *
 *   order     the lowest lane first (the fast path of warp.c)
 *   reverse   the highest lane of the highest warp first
 *   random    by a seed; or only those choices of each block that are listed, the rest as in order, so that a failing run can be narrowed
 *             down (warpport-check does)
 *   picks     in order, but at some choice the lanes of a list go on, one after the other: what warpport-check makes of a random order
 *   sticky    the lane that ran last goes on as long as it can: lanes get as far apart as the program lets them
 *   behind    the lane that has had the fewest turns: lanes stay as close together as they can
 *
 * A block's choices depend on the seed, the launch and the block alone, not on the OS thread that runs it. */
#define _GNU_SOURCE
#include "emulator.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const names[] = {"order", "reverse", "random", "sticky", "behind", "picks"};

static bool parse_number(const char **at, wp_u64 *value) {
  char *end = NULL;
  if (**at < '0' || **at > '9') return false;
  *value = strtoull(*at, &end, 0);
  *at = end;
  return true;
}

/* ":FROM:LANE,LANE..." */
static bool parse_picks(const char *at, wp__settings *settings) {
  wp_u64 lane = 0;
  settings->picks = 0;
  if (*at++ != ':' || !parse_number(&at, &settings->picks_from) || *at != ':') return false;
  do {
    at++;
    if (settings->picks == WP__PICKS || !parse_number(&at, &lane) || lane >= WP__MAX_LANES) return false;
    settings->pick[settings->picks++] = (wp_u8)lane;
  } while (*at == ',');
  return *at == 0;
}

bool wp__schedule_parse(const char *text, wp__settings *settings) {
  size_t length = strcspn(text, ":"), i;
  const char *at = text + length;
  settings->windows = 0;
  for (i = 0; i < sizeof names / sizeof names[0] && (strlen(names[i]) != length || strncmp(names[i], text, length) != 0); i++)
    continue;
  if (i == sizeof names / sizeof names[0]) return false;
  settings->schedule = (int)i;
  if (i == WP__PICKED) return parse_picks(at, settings);
  if (i != WP__RANDOM) return *at == 0;
  if (*at == 0) {
    static wp_u64 drawn; /* one for the whole program */
    if (drawn == 0) drawn = ((wp_u64)getpid() * 2654435761u ^ (wp_u64)time(NULL)) % 1000000 + 1;
    settings->seed = drawn;
    return true;
  }
  at++;
  if (!parse_number(&at, &settings->seed)) return false;
  if (*at == 0) return true;
  if (*at != ':') return false;
  do { /* FROM-TO or one number, TO itself left out */
    int n = settings->windows++;
    at++;
    if (n == WP__WINDOWS || !parse_number(&at, &settings->random[n].from)) return false;
    settings->random[n].to = settings->random[n].from + 1;
    if (*at == '-' && (at++, !parse_number(&at, &settings->random[n].to))) return false;
    if (settings->random[n].from > settings->random[n].to) return false;
  } while (*at == ',');
  return *at == 0;
}

void wp__schedule_text(const wp__settings *settings, char *text, size_t size) {
  int n = snprintf(text, size, "%s", names[settings->schedule]), i;
  if (settings->schedule == WP__PICKED) {
    n += snprintf(text + n, size - (size_t)n, ":%llu", (unsigned long long)settings->picks_from);
    for (i = 0; i < settings->picks && (size_t)n < size; i++)
      n += snprintf(text + n, size - (size_t)n, "%c%d", i == 0 ? ':' : ',', settings->pick[i]);
  }
  if (settings->schedule != WP__RANDOM) return;
  n += snprintf(text + n, size - (size_t)n, ":%llu", (unsigned long long)settings->seed);
  for (i = 0; i < settings->windows && (size_t)n < size; i++) {
    unsigned long long from = settings->random[i].from, to = settings->random[i].to;
    n += snprintf(text + n, size - (size_t)n, to == from + 1 ? "%c%llu" : "%c%llu-%llu", i == 0 ? ':' : ',', from, to);
  }
}

/* splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014) */
static wp_u64 mix(wp_u64 x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}
/* By the number of the choice, so that a choice stays what it is when those before it are made otherwise. */
static wp_u64 draw(const wp__worker *k, wp_u64 what) { return mix(k->random + (4 * k->choices + what) * 0x9e3779b97f4a7c15u); }

void wp__schedule_begin(wp__worker *k) {
  const wp__settings *s = k->run->settings;
  int i;
  k->random = mix(s->seed + 0x9e3779b97f4a7c15u) ^ mix(k->run->serial << 40 ^ k->block);
  k->choices = 0;
  k->budget = ~(wp_u64)0;
  k->deviations = 0;
  k->picked.count = 0;
  for (i = 0; i < k->warp_count; i++) {
    wp__host_warp *w = &k->warps[i];
    w->scheduled = s->schedule != WP__IN_ORDER;
    w->last = -1;
    if (!w->scheduled) continue;
    memset(w->turns, 0, sizeof w->turns);
    memset(w->stamp, 0, sizeof w->stamp);
  }
}

static bool in_window(const wp__worker *k) {
  const wp__settings *s = k->run->settings;
  int i;
  for (i = 0; i < s->windows; i++) {
    if (k->choices >= s->random[i].from && k->choices < s->random[i].to) return true;
  }
  return s->windows == 0;
}

int wp__schedule_warp(wp__worker *k, int i) {
  const wp__settings *s = k->run->settings;
  k->budget = ~(wp_u64)0;
  switch (s->schedule) {
  case WP__REVERSE: return k->warp_count - 1 - i;
  case WP__BEHIND: k->budget = (wp_u64)k->run->warp_size; return i;
  case WP__RANDOM:
    if (!in_window(k)) return i;
    k->budget = 1 + draw(k, 1) % (4 * (wp_u64)k->run->warp_size);
    return (int)((draw(k, 2) + (wp_u64)i) % (wp_u64)k->warp_count);
  default: return i;
  }
}

static int nth(wp_u64 set, wp_u64 n) {
  while (n-- > 0) set &= set - 1;
  return __builtin_ctzll(set);
}

/* What the lanes would do in order: the lane that can go on does, then the lowest that has begun, then the lowest. */
static int usual(const wp__host_warp *w) {
  if (w->last >= 0 && (w->runnable >> w->last & 1) != 0) return w->last;
  return __builtin_ctzll(w->runnable != 0 ? w->runnable : w->fresh);
}

/* What was chosen instead of the usual lane, for people; and all that was chosen from the first such choice on. */
static int note_choice(wp__worker *k, const wp__host_warp *w, int lane, int usually) {
  if (lane != usually && k->deviations == 0) k->picked.from = k->choices;
  if (lane != usually && k->deviations < (int)(sizeof k->deviation / sizeof k->deviation[0])) {
    k->deviation[k->deviations].choice = k->choices;
    k->deviation[k->deviations].warp = w->id;
    k->deviation[k->deviations].lane = lane;
    k->deviation[k->deviations++].usual = usually;
  }
  if (k->deviations > 0 && k->picked.count < WP__PICKS) k->picked.lane[k->picked.count++] = (wp_u8)lane;
  return lane;
}

int wp__schedule_lane(wp__host_warp *w) {
  wp__worker *k = w->worker;
  const wp__settings *s = k->run->settings;
  wp_u64 can = w->runnable | w->fresh, m;
  int l = -1, lane;
  if (can == 0 || k->budget == 0) return -1;
  k->budget--;
  switch (s->schedule) {
  case WP__REVERSE: l = 63 - __builtin_clzll(can); break;
  case WP__RANDOM:
    l = usual(w);
    lane = in_window(k) ? nth(can, draw(k, 0) % (wp_u64)__builtin_popcountll(can)) : l;
    l = note_choice(k, w, lane, l);
    break;
  case WP__PICKED:
    l = usual(w);
    lane = l;
    if (k->choices - s->picks_from < (wp_u64)s->picks) lane = s->pick[k->choices - s->picks_from];
    l = note_choice(k, w, (can >> lane & 1) != 0 ? lane : l, l);
    break;
  case WP__STICKY:
    for (m = can; m != 0; m &= m - 1) {
      lane = __builtin_ctzll(m);
      if (l < 0 || w->stamp[lane] > w->stamp[l]) l = lane;
    }
    break;
  case WP__BEHIND:
    for (m = can; m != 0; m &= m - 1) {
      lane = __builtin_ctzll(m);
      if (l < 0 || w->turns[lane] < w->turns[l]) l = lane;
    }
    break;
  default: l = usual(w); break;
  }
  k->choices++;
  w->turns[l]++;
  w->stamp[l] = k->choices;
  w->last = l;
  return l;
}

/* Any order of blocks is as good as any other, so the order is turned round or shuffled as a whole: i -> i * odd + c, as long as that
 * leaves the range. */
wp_u64 wp__schedule_block(const wp__run *run, wp_u64 i) {
  const wp__settings *s = run->settings;
  wp_u64 mask;
  if (s->schedule == WP__REVERSE) return run->blocks - 1 - i;
  if (s->schedule != WP__RANDOM || (s->windows > 0 && s->random[0].from != 0) || run->blocks < 2) return i;
  mask = ~(wp_u64)0 >> __builtin_clzll(run->blocks - 1);
  do { i = (i * (mix(s->seed) | 1) + mix(s->seed + run->serial)) & mask; } while (i >= run->blocks);
  return i;
}
