/* The rules, and what is wrong when lanes can no longer go on.
 *
 * Every misuse that keeps lanes from meeting ends in the same state: no lane of the warp can run, and some wait in collectives.
 * Then all lanes have arrived wherever they go, so the report can name all of them. */
#define _GNU_SOURCE
#include "emulator.h"

#include <string.h>

const wp__rule wp__rules[WP__RULE_COUNT] = {
    [WP__RULE_OUTSIDE_MASK] = {"WP101", "the caller is not in its own mask", "every lane that makes the call must be named in mask"},
    [WP__RULE_EMPTY_MASK] = {"WP102", "the mask is empty", "every lane that makes the call must be named in mask"},
    [WP__RULE_BEYOND_WARP] = {"WP103", "the mask names lanes the warp does not have", "wp_mask_all() has exactly the lanes of a warp"},
    [WP__RULE_BEYOND_BLOCK] = {"WP104", "the mask names lanes the block does not have",
                               "the last warp of a block may be partial: wp_mask_present() has exactly its lanes"},
    [WP__RULE_RETURNED] = {"WP105", "the mask names a lane that has returned",
                           "take the lanes that stay with wp_ballot() before the others return"},
    [WP__RULE_OTHER_CALL] = {"WP106", "lanes of one mask are at different calls",
                             "move the call out of the branch, or name in mask only the lanes that take the branch"},
    [WP__RULE_OTHER_MASK] = {"WP107", "lanes that wait for each other passed different masks",
                             "compute the mask before the branch, for instance with wp_ballot()"},
    [WP__RULE_OTHER_WIDTH] = {"WP108", "lanes of one mask passed different widths", "width must be equal in all lanes of mask"},
    [WP__RULE_WAITS_AT_BARRIER] = {"WP109", "a lane of the mask waits at the block barrier",
                                   "WP_BARRIER() must be reached by all threads of the block together"},
    [WP__RULE_OTHER_BARRIER] = {"WP110", "threads of a block wait at different barriers",
                                "all threads of the block must reach the same WP_BARRIER()"},
    [WP__RULE_CIRCLE] = {"WP111", "lanes wait for each other in a circle", "lanes must make their calls in the same order"},
    [WP__RULE_BAD_WIDTH] = {"WP112", "the width is no power of two within the warp", "possible are 1, 2, 4, ... wp_warp_size()"},
    [WP__RULE_XOR_RANGE] = {"WP113", "the lane mask of an xor shuffle is not below the width", "wp_shfl_xor_or() has a fallback for it"},
    [WP__RULE_SOURCE] = {"WP114", "the source lane is not in the mask",
                         "its value is unspecified; wp_shfl_or() and its kin give a fallback instead"},
    [WP__RULE_STACK] = {"WP190", "stack overflow", "raise WARPPORT_HOST_STACK (bytes, or with K or M)"},
    [WP__RULE_FAULT] = {"WP191", "invalid memory access or arithmetic", NULL},
    [WP__RULE_NO_PROGRESS] = {"WP192", "no progress", "WARPPORT_HOST_TIMEOUT sets the limit in seconds; 0 means none"},
};

/* ---- where every lane of a warp is ---- */

enum { ABSENT, RETURNED, RUNS, IN_COLLECTIVE, AT_BARRIER, PARKED };

typedef struct place {
  int state;
  wp_u64 mask;
  wp_u32 tag;
  const void *address;
  const wp__site *site;
  const wp__post *post; /* PARKED */
} place;

static void find_places(const wp__host_warp *w, place *at) {
  int l, g;
  memset(at, 0, WP__MAX_LANES * sizeof *at);
  for (l = 0; l < WP__MAX_LANES; l++) {
    wp_u64 bit = (wp_u64)1 << l;
    const wp__post *post = &w->post[l];
    if ((w->present & bit) == 0) continue;
    at[l].state = RETURNED;
    if ((w->live & bit) == 0) continue;
    at[l].state = RUNS;
    if ((w->parked & bit) != 0)
      at[l].state = PARKED;
    else if ((w->at_barrier & bit) != 0)
      at[l].state = AT_BARRIER;
    else if ((w->deferred & bit) != 0)
      at[l].state = IN_COLLECTIVE;
    if (at[l].state != RUNS || ((w->yielded | w->active_wait | w->runnable) & bit) != 0) {
      at[l].mask = post->mask;
      at[l].tag = post->tag;
      at[l].address = post->site;
      at[l].post = post;
    }
  }
  for (g = 0; g < 2 * WP__MAX_LANES; g++) {
    const wp__group *group = &w->group[g];
    wp_u64 m;
    for (m = group->arrived; m != 0; m &= m - 1) {
      place *p = &at[__builtin_ctzll(m)];
      p->state = IN_COLLECTIVE;
      p->mask = group->mask;
      p->tag = group->tag;
      p->address = group->site;
    }
  }
  for (l = 0; l < WP__MAX_LANES; l++) {
    if (at[l].address != NULL) at[l].site = wp__site_at(at[l].address);
  }
}

static bool same_site(const place *a, const place *b) {
  return a->address == b->address || (a->site != NULL && b->site != NULL && wp__site_same(a->address, b->address));
}

/* Lanes in the same state as lane l, at the same call, with the same mask and width. */
static wp_u64 party_of(const place *at, int l) {
  wp_u64 lanes = 0;
  int i;
  for (i = 0; i < WP__MAX_LANES; i++) {
    if (at[i].state == at[l].state && at[i].mask == at[l].mask && at[i].tag == at[l].tag && same_site(&at[i], &at[l]))
      lanes |= (wp_u64)1 << i;
  }
  return lanes;
}

static wp_u64 lanes_in(const place *at, wp_u64 among, int state) {
  wp_u64 lanes = 0;
  int i;
  for (i = 0; i < WP__MAX_LANES; i++) {
    if ((among >> i & 1) != 0 && at[i].state == state) lanes |= (wp_u64)1 << i;
  }
  return lanes;
}

/* ---- the report ---- */

static void begin(wp__text *text, const wp__site *site, int rule) {
  wp__say_place(text, site);
  wp__say(text, ": error: [%s] ", wp__rules[rule].id);
}

static void finish(wp__worker *k, wp__text *text, int rule, wp_status status) {
  if (wp__rules[rule].help != NULL) wp__say(text, "  help: %s\n", wp__rules[rule].help);
  if (text->length > 0 && text->s[text->length - 1] == '\n') text->s[--text->length] = 0;
  wp__run_failed(k->run, k->block, status, text->s);
}

/* One line for each party among the lanes. */
static void say_parties(wp__text *text, const wp__host_warp *w, const place *at, wp_u64 lanes) {
  while (lanes != 0) {
    int l = __builtin_ctzll(lanes);
    wp_u64 party = party_of(at, l) & lanes;
    if (at[l].state == RETURNED) party = lanes_in(at, lanes, RETURNED);
    if (at[l].state == ABSENT) party = lanes_in(at, lanes, ABSENT);
    lanes &= ~party;
    if (at[l].site != NULL) {
      wp__say_place(text, at[l].site);
      wp__say(text, ": note: ");
    } else {
      wp__say(text, "  note: ");
    }
    wp__say_lanes(text, party);
    switch (at[l].state) {
      case RETURNED: wp__say(text, " returned from the kernel"); break;
      case ABSENT: wp__say(text, " do not exist"); break;
      case AT_BARRIER: wp__say(text, " at WP_BARRIER"); break;
      case IN_COLLECTIVE:
        wp__say(text, " at ");
        wp__say_op(text, at[l].site, at[l].tag);
        wp__say(text, ", mask ");
        wp__say_mask(text, w, at[l].mask);
        if (at[l].tag >> 16 != 0) wp__say(text, ", width %u", (unsigned)(at[l].tag >> 16));
        break;
      case PARKED:
        wp__say(text, " at ");
        wp__say_op(text, at[l].site, at[l].tag);
        break;
      default: wp__say(text, " can run"); break;
    }
    wp__say(text, "\n");
  }
}

/* A lane broke a rule by itself, whatever the others do. */
static void report_parked(wp__worker *k, wp__host_warp *w, place *at) {
  int first = __builtin_ctzll(w->parked), l;
  const wp__post *post = at[first].post;
  wp_u64 lanes = 0;
  wp__text text = {NULL, 0, 0};
  for (l = 0; l < WP__MAX_LANES; l++) {
    if (at[l].state == PARKED && at[l].post->rule == post->rule && same_site(&at[l], &at[first])) lanes |= (wp_u64)1 << l;
  }
  wp__trace_lane(k, &w->lanes[first]);
  begin(&text, at[first].site, post->rule);
  wp__say_op(&text, at[first].site, post->tag);
  wp__say(&text, ": ");
  wp__say_lanes(&text, lanes);
  switch (post->rule) {
    case WP__RULE_OUTSIDE_MASK:
      wp__say(&text, " made the call with mask ");
      wp__say_mask(&text, w, post->mask);
      wp__say(&text, ", which does not name the caller");
      break;
    case WP__RULE_EMPTY_MASK: wp__say(&text, " made the call with an empty mask"); break;
    case WP__RULE_BAD_WIDTH:
      wp__say(&text, " passed width %d; a width is a power of two from 1 to %d here", post->width, k->run->warp_size);
      break;
    case WP__RULE_XOR_RANGE: wp__say(&text, " passed lane mask %d; with width %d it must be below that", post->arg, post->width); break;
    default:
      wp__say(&text, " read%s from a lane that is not in mask ", (lanes & (lanes - 1)) == 0 ? "s" : "");
      wp__say_mask(&text, w, post->mask);
      wp__say(&text, " (lane %d passed %d, width %d)", first, post->arg, post->width);
      break;
  }
  wp__say(&text, "\n");
  wp__say_kernel(&text, k, w, lanes);
  wp__say_callers(&text, k, at[first].site);
  finish(k, &text, post->rule, WP_ERROR_MISUSE);
}

/* The lane whose group keeps that of lane l waiting, itself in a collective without lane l's group; -1: there is none. */
static int next_in_chain(const place *at, int l) {
  wp_u64 party = party_of(at, l), missing = at[l].mask & ~party;
  int next;
  if (missing == 0 || lanes_in(at, missing, IN_COLLECTIVE) != missing) return -1;
  next = __builtin_ctzll(missing);
  return (at[next].mask & party) != 0 ? -1 : next;
}

/* From a waiting lane along those it waits for, to where the trouble begins: a lane that will never come, two groups that exclude
 * each other, or the lowest lane of a circle. */
static int find_root(const place *at, int l) {
  wp_u64 seen = 0;
  int next = l, lowest;
  while (next >= 0 && (seen >> next & 1) == 0) {
    l = next;
    seen |= (wp_u64)1 << l;
    next = next_in_chain(at, l);
  }
  if (next < 0) return l;
  lowest = l = next;
  for (next = next_in_chain(at, l); next != l; next = next_in_chain(at, next)) {
    if (next < lowest) lowest = next;
  }
  return lowest;
}

void wp__check_stuck(wp__worker *k, wp__host_warp *w) {
  place at[WP__MAX_LANES];
  wp__text text = {NULL, 0, 0};
  wp_u64 party, missing, blamed, waiting;
  int l, other, rule;
  wp_u64 in_warp = k->run->warp_size == 64 ? ~(wp_u64)0 : ((wp_u64)1 << k->run->warp_size) - 1;
  find_places(w, at);
  if (w->parked != 0) {
    report_parked(k, w, at);
    return;
  }
  waiting = lanes_in(at, w->live, IN_COLLECTIVE);
  l = find_root(at, __builtin_ctzll(waiting));
  party = party_of(at, l);
  missing = at[l].mask & ~party;
  if ((at[l].mask & ~in_warp) != 0) {
    rule = WP__RULE_BEYOND_WARP;
    blamed = at[l].mask & ~in_warp;
  } else if ((at[l].mask & ~w->present) != 0) {
    rule = WP__RULE_BEYOND_BLOCK;
    blamed = at[l].mask & ~w->present;
  } else if ((blamed = lanes_in(at, missing, RETURNED)) != 0) {
    rule = WP__RULE_RETURNED;
  } else if ((blamed = lanes_in(at, missing, AT_BARRIER)) != 0) {
    rule = WP__RULE_WAITS_AT_BARRIER;
  } else {
    blamed = missing;
    other = __builtin_ctzll(missing);
    if (at[other].mask == at[l].mask && same_site(&at[other], &at[l]) && (at[other].tag & 0xffff) == (at[l].tag & 0xffff))
      rule = WP__RULE_OTHER_WIDTH;
    else if (at[other].mask == at[l].mask || ((at[other].mask & party) != 0 && !same_site(&at[other], &at[l])))
      rule = WP__RULE_OTHER_CALL;
    else if ((at[other].mask & party) != 0 || same_site(&at[other], &at[l]))
      rule = WP__RULE_OTHER_MASK;
    else
      rule = WP__RULE_CIRCLE;
  }
  wp__trace_lane(k, &w->lanes[l]);
  begin(&text, at[l].site, rule);
  wp__say_op(&text, at[l].site, at[l].tag);
  wp__say(&text, ": ");
  wp__say_lanes(&text, party);
  switch (rule) {
    case WP__RULE_BEYOND_WARP:
      wp__say(&text, " passed mask ");
      wp__say_mask(&text, w, at[l].mask);
      wp__say(&text, ", which names ");
      wp__say_lanes(&text, blamed);
      wp__say(&text, "; the warp has lanes 0-%d", k->run->warp_size - 1);
      break;
    case WP__RULE_BEYOND_BLOCK:
      wp__say(&text, " passed mask ");
      wp__say_mask(&text, w, at[l].mask);
      wp__say(&text, ", which names ");
      wp__say_lanes(&text, blamed);
      wp__say(&text, "; this warp of a block of %d threads has only ", k->run->threads);
      wp__say_lanes(&text, w->present);
      break;
    default:
      wp__say(&text, " wait%s for ", (party & (party - 1)) == 0 ? "s" : "");
      wp__say_lanes(&text, missing);
      wp__say(&text, " with mask ");
      wp__say_mask(&text, w, at[l].mask);
      if (rule == WP__RULE_RETURNED) {
        wp__say(&text, "; ");
        wp__say_lanes(&text, blamed);
        wp__say(&text, " returned from the kernel");
      }
      if (rule == WP__RULE_WAITS_AT_BARRIER) {
        wp__say(&text, "; ");
        wp__say_lanes(&text, blamed);
        wp__say(&text, " at WP_BARRIER");
      }
      if (rule == WP__RULE_OTHER_CALL) wp__say(&text, ", which are at another call");
      if (rule == WP__RULE_OTHER_MASK) wp__say(&text, ", which passed another mask");
      if (rule == WP__RULE_OTHER_WIDTH) wp__say(&text, ", which passed another width");
      break;
  }
  wp__say(&text, "\n");
  wp__say_kernel(&text, k, w, party);
  wp__say_callers(&text, k, at[l].site);
  say_parties(&text, w, at, rule == WP__RULE_CIRCLE ? waiting & ~party : missing & w->present);
  finish(k, &text, rule, WP_ERROR_MISUSE);
}

void wp__check_barriers(wp__worker *k) {
  wp__text text = {NULL, 0, 0};
  const wp__site *first = NULL;
  int i;
  for (i = 0; i < k->warp_count; i++) {
    wp__host_warp *w = &k->warps[i];
    place at[WP__MAX_LANES];
    if (w->at_barrier == 0) continue;
    find_places(w, at);
    if (first == NULL) {
      int l = __builtin_ctzll(w->at_barrier);
      first = at[l].site;
      wp__trace_lane(k, &w->lanes[l]);
      begin(&text, first, WP__RULE_OTHER_BARRIER);
      wp__say(&text, "WP_BARRIER: %s\n", wp__rules[WP__RULE_OTHER_BARRIER].summary);
      wp__say_kernel(&text, k, w, (wp_u64)1 << l);
      wp__say_callers(&text, k, first);
    }
    wp__say(&text, "  warp %d:\n", w->id);
    say_parties(&text, w, at, w->at_barrier);
  }
  finish(k, &text, WP__RULE_OTHER_BARRIER, WP_ERROR_MISUSE);
}

/* ---- a lane was interrupted ---- */

/* The innermost frame with a known file; signal frames point at the instruction itself. */
static const wp__site *site_of_fault(wp__worker *k) {
  const wp__site *site = wp__site_at((const char *)k->fault_pc + 1);
  int i, at = -1;
  for (i = 0; i < k->trace_count; i++) {
    if (k->trace[i] != k->fault_pc) continue;
    k->trace[i] = (char *)k->fault_pc + 1;
    at = i;
  }
  for (i = at + 1; at >= 0 && !site->known && i < k->trace_count; i++) site = wp__site_at(k->trace[i]);
  return site;
}

void wp__check_fault(wp__worker *k) {
  wp__text text = {NULL, 0, 0};
  wp__host_lane *lane = k->fault_lane;
  wp__host_warp *w = lane->warp;
  const wp__host_stack *stack = lane->stack;
  const wp__site *site = site_of_fault(k);
  wp_u64 bit = (wp_u64)1 << lane->lane;
  int rule = WP__RULE_FAULT;
  if (k->fault_signal == wp__watchdog_signal())
    rule = WP__RULE_NO_PROGRESS;
  else if (k->fault_signal == SIGSEGV && k->fault_address >= stack->map && k->fault_address < stack->map + stack->guard)
    rule = WP__RULE_STACK;
  begin(&text, site, rule);
  wp__say_lanes(&text, bit);
  if (rule == WP__RULE_STACK)
    wp__say(&text, ": stack overflow: the kernel needs more than the %zu KiB a lane has", k->stack_bytes / 1024);
  else if (rule == WP__RULE_NO_PROGRESS)
    wp__say(&text, ": no progress: the lane neither returns nor reaches a collective");
  else if (k->fault_signal == SIGFPE)
    wp__say(&text, ": arithmetic fault (integer division by zero?)");
  else
    wp__say(&text, ": invalid access to address %p", (void *)k->fault_address);
  wp__say(&text, "\n");
  wp__say_kernel(&text, k, w, bit);
  wp__say_callers(&text, k, site);
  finish(k, &text, rule, WP_ERROR_LAUNCH);
}

void wp__check_no_progress(wp__worker *k) {
  wp__text text = {NULL, 0, 0};
  int i, named = 0;
  for (i = 0; i < k->warp_count; i++) {
    wp__host_warp *w = &k->warps[i];
    place at[WP__MAX_LANES];
    wp_u64 runs;
    if (w->live == 0) continue;
    find_places(w, at);
    runs = w->runnable;
    if (named++ == 0) {
      int l = __builtin_ctzll(runs != 0 ? runs : w->live);
      if (at[l].site != NULL) begin(&text, at[l].site, WP__RULE_NO_PROGRESS);
      wp__say(&text, "no progress: lanes wait through memory for something that does not happen\n");
      wp__say_kernel(&text, k, w, (wp_u64)1 << l);
    }
    if (named > 4) continue;
    wp__say(&text, "  warp %d:\n", w->id);
    say_parties(&text, w, at, w->live);
  }
  finish(k, &text, WP__RULE_NO_PROGRESS, WP_ERROR_LAUNCH);
}
