/* A random order that shows a fault has thousands of random choices, of which one or two matter. The emulator takes a window of them,
 * "random:SEED:FROM-TO", and makes the rest as usual; so the window is cut from its end, then from its beginning, by halves. A fault
 * need not be monotonous in that, so a cut counts only after a run that has shown the fault. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct window {
  unsigned long long seed, from, to;
} window;

static void set(setup *how, const window *w) {
  snprintf(how->schedule, sizeof how->schedule, "random:%llu:%llu-%llu", w->seed, w->from, w->to);
}

int shrink(setup *how, bool (*fails)(const setup *how, void *user), void *user, int most) {
  setup tried = *how;
  window w = {0, 0, 0}, best;
  unsigned long long low, high;
  int runs = 0;
  if (sscanf(how->schedule, "random:%llu", &w.seed) != 1) return 0;
  /* An end that suffices. */
  for (w.to = 1; w.to < 1ull << 40; w.to *= 4) {
    set(&tried, &w);
    if (runs++ >= most) return runs;
    if (fails(&tried, user)) break;
  }
  if (w.to >= 1ull << 40) return runs;
  *how = tried;
  best = w;
  /* The least end, the greatest beginning. */
  for (low = best.to / 4, high = best.to; low + 1 < high && runs < most;) {
    w = best;
    w.to = low + (high - low) / 2;
    set(&tried, &w);
    runs++;
    if (fails(&tried, user)) {
      high = w.to;
      best = w;
      *how = tried;
    } else {
      low = w.to;
    }
  }
  for (low = 0, high = best.to; low + 1 < high && runs < most;) {
    w = best;
    w.from = low + (high - low) / 2;
    set(&tried, &w);
    runs++;
    if (fails(&tried, user)) {
      low = w.from;
      best = w;
      *how = tried;
    } else {
      high = w.from;
    }
  }
  return runs;
}
