/* What is wrong when lanes can no longer go on.
 *
 * Every misuse that keeps lanes from meeting ends in the same state: no lane of the warp can run, and some wait in collectives.
 * Then all lanes have arrived wherever they go, so the report can name all of them. */
#define _GNU_SOURCE
#include "emulator.h"

#include <stdlib.h>
#include <string.h>

/* ---- where every lane of a warp is ---- */

enum { ABSENT, RETURNED, RUNS, IN_COLLECTIVE, AT_BARRIER, PARKED };

typedef struct place {
  int state;
  wp_u64 mask;
  wp_u32 tag, chain;
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
      at[l].chain = post->chain;
      at[l].address = post->site;
      at[l].post = post;
    }
  }
  for (g = 0; g < 2 * WP__MAX_LANES; g++) {
    const wp__group *group = &w->group[g];
    wp_u64 m;
    for (m = group->arrived; m != 0; m &= m - 1) {
      place *p = &at[__builtin_ctzll(m)];
      if (p->state == PARKED) continue; /* the last to arrive has found something wrong */
      p->state = IN_COLLECTIVE;
      p->mask = group->mask;
      p->tag = group->tag;
      p->chain = group->chain;
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
    if (at[i].state == at[l].state && at[i].mask == at[l].mask && at[i].tag == at[l].tag && at[i].chain == at[l].chain &&
        same_site(&at[i], &at[l]))
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

static bool one(wp_u64 lanes) { return (lanes & (lanes - 1)) == 0; }

static void finish(wp__worker *k, wp__report *r) { wp__run_report(k->run, k->block, r); }

/* A note for each party among the lanes. */
static void add_parties(wp__report *r, const wp__host_warp *w, const place *at, wp_u64 lanes) {
  while (lanes != 0) {
    int l = __builtin_ctzll(lanes);
    wp_u64 party = party_of(at, l) & lanes;
    wp__text text = {NULL, 0, 0};
    if (at[l].state == RETURNED) party = lanes_in(at, lanes, RETURNED);
    if (at[l].state == ABSENT) party = lanes_in(at, lanes, ABSENT);
    lanes &= ~party;
    wp__say_lanes(&text, party);
    switch (at[l].state) {
    case RETURNED: wp__say(&text, " returned from the kernel"); break;
    case ABSENT: wp__say(&text, " do%s not exist", one(party) ? "es" : ""); break;
    case AT_BARRIER: wp__say(&text, " at WP_BARRIER"); break;
    case IN_COLLECTIVE:
      wp__say(&text, " at ");
      wp__say_op(&text, at[l].site, at[l].tag);
      wp__say(&text, ", mask ");
      wp__say_mask(&text, w, at[l].mask);
      if (at[l].tag >> 16 != 0) wp__say(&text, ", width %u", (unsigned)(at[l].tag >> 16));
      break;
    case PARKED:
      wp__say(&text, " at ");
      wp__say_op(&text, at[l].site, at[l].tag);
      break;
    default: wp__say(&text, " can run"); break;
    }
    wp__report_line_add(r, WP__LINE_NOTE, at[l].site != NULL ? &at[l].site->frames[0] : NULL, party, &text);
  }
}

/* ---- where a mask comes from ---- */

/* The vote or wp_active_mask() that last gave the lane this mask; NULL: none is known. Only masks that say something: every ballot
 * may happen to give the full one. */
static const wp__origin *origin_of(const wp__host_warp *w, int lane, wp_u64 mask) {
  unsigned i;
  if (mask == 0) return NULL;
  for (i = 0; i < WP__ORIGINS && i < w->origins; i++) {
    const wp__origin *o = &w->origin[(w->origins - 1 - i) % WP__ORIGINS];
    const wp__site *site;
    if (o->value != mask || (o->lanes >> lane & 1) == 0) continue;
    if (o->active) return o;
    if (mask == w->present) continue;
    site = wp__site_at(o->site);
    if (site->op != NULL &&
        (strcmp(site->op, "wp_any") == 0 || strcmp(site->op, "wp_all") == 0 || strcmp(site->op, "wp_uniform") == 0))
      continue;
    return o;
  }
  return NULL;
}

static void add_origin(wp__report *r, const wp__host_warp *w, const wp__origin *o) {
  const wp__site *site;
  wp__text text = {NULL, 0, 0};
  if (o == NULL) return;
  site = wp__site_at(o->site);
  wp__say_op(&text, site, o->active ? WP__OP_ACTIVE_MASK : WP__OP_BALLOT);
  wp__say(&text, " gave the mask ");
  wp__say_mask(&text, w, o->value);
  wp__report_line_add(r, WP__LINE_NOTE, &site->frames[0], 0, &text);
}

/* Is this 32-bit mask what is left of one of 64 lanes that names the lane? */
static bool cut_in_half(const wp__host_warp *w, int lane, wp_u64 mask) {
  const wp_u64 low = 0xffffffffu;
  unsigned i;
  if (lane < 32 || (mask & ~low) != 0 || w->worker->run->warp_size != 64) return false;
  if (mask == low || (mask == (w->present & low) && mask != 0)) return true;
  for (i = 0; i < WP__ORIGINS && i < w->origins; i++) {
    const wp__origin *o = &w->origin[(w->origins - 1 - i) % WP__ORIGINS];
    if ((o->value & low) == mask && (o->value >> lane & 1) != 0) return true;
  }
  return false;
}

static const char *const same_names[] = {[WP__SAME_ADDRESS] = "address",
                                         [WP__SAME_BINS] = "number of bins",
                                         [WP__SAME_BITS] = "number of bits",
                                         [WP__SAME_BYTES] = "number of bytes"};

/* A lane broke a rule by itself, whatever the others do. */
static void say_broken(wp__text *text, const wp__worker *k, const wp__host_warp *w, const wp__site *site, const wp__post *post,
                       int rule, int first, wp_u64 lanes) {
  wp__say_op(text, site, post->tag);
  wp__say(text, ": ");
  wp__say_lanes(text, lanes);
  switch (rule) {
  case WP__RULE_OUTSIDE_MASK:
    wp__say(text, " made the call with mask ");
    wp__say_mask(text, w, post->mask);
    wp__say(text, ", which does not name the caller");
    break;
  case WP__RULE_HALF_MASK:
    wp__say(text, " made the call with mask ");
    wp__say_mask(text, w, post->mask);
    wp__say(text, ", which has lost its upper 32 bits");
    break;
  case WP__RULE_EMPTY_MASK: wp__say(text, " made the call with an empty mask"); break;
  case WP__RULE_BAD_WIDTH:
    wp__say(text, " passed width %d; a width is a power of two from 1 to %d here", post->width, k->run->warp_size);
    break;
  case WP__RULE_XOR_RANGE:
    wp__say(text, " passed lane mask %d; with width %d it must be below that", post->arg, post->width);
    break;
  case WP__RULE_DELTA_RANGE:
    wp__say(text, " passed delta %d, outside of 0 ... %d, so %s own value", post->arg, post->width - 1,
            one(lanes) ? "the lane keeps its" : "each keeps its");
    break;
  case WP__RULE_NOT_SAME:
    wp__say(text, " passed another %s than lane %d, which must be equal in all lanes of the mask", same_names[post->arg],
            __builtin_ctzll(post->mask));
    break;
  case WP__RULE_NOT_UNIFORM:
    wp__say(text, " read%s another lane than the rest of the segment of %d lanes", one(lanes) ? "s" : "", post->width);
    break;
  default:
    wp__say(text, " read%s from a lane that is not in mask ", one(lanes) ? "s" : "");
    wp__say_mask(text, w, post->mask);
    wp__say(text, " (lane %d passed %d, width %d)", first, post->arg, post->width);
    break;
  }
}

/* Who reads whom, where a broadcast is none: lanes by the lane they read. */
static void add_sources(wp__report *r, const wp__host_warp *w, wp_u64 mask) {
  while (mask != 0) {
    int l = __builtin_ctzll(mask), i;
    wp_u64 same = 0;
    wp__text text = {NULL, 0, 0};
    for (i = l; i < WP__MAX_LANES; i++) {
      if ((mask >> i & 1) != 0 && w->src[i] == w->src[l]) same |= (wp_u64)1 << i;
    }
    mask &= ~same;
    wp__say_lanes(&text, same);
    wp__say(&text, " read%s lane %d", one(same) ? "s" : "", w->src[l]);
    wp__report_line_add(r, WP__LINE_NOTE, NULL, same, &text);
  }
}

/* The lanes that read another lane than the lowest one of their segment. */
static wp_u64 odd_ones(const wp__host_warp *w, wp_u64 mask, int width) {
  wp_u64 odd = 0, m, segment = width == 64 ? ~(wp_u64)0 : ((wp_u64)1 << width) - 1;
  for (m = mask; m != 0; m &= m - 1) {
    int l = __builtin_ctzll(m);
    wp_u64 those = mask & segment << (l & ~(width - 1));
    if (w->src[l] != w->src[__builtin_ctzll(those)]) odd |= (wp_u64)1 << l;
  }
  return odd;
}

/* Those that passed another value than the lowest. */
static wp_u64 other_values(const wp__host_warp *w, wp_u64 lanes) {
  wp_u64 odd = 0, m;
  for (m = lanes; m != 0; m &= m - 1) {
    int l = __builtin_ctzll(m);
    if (w->same[l] != w->same[__builtin_ctzll(lanes)]) odd |= (wp_u64)1 << l;
  }
  return odd;
}

static void report_parked(wp__worker *k, wp__host_warp *w, place *at) {
  int first = __builtin_ctzll(w->parked), l, rule;
  const wp__post *post = at[first].post;
  wp_u64 lanes = 0;
  wp__report *r;
  for (l = 0; l < WP__MAX_LANES; l++) {
    if (at[l].state == PARKED && at[l].post->rule == post->rule && same_site(&at[l], &at[first])) lanes |= (wp_u64)1 << l;
  }
  rule = post->rule;
  if (rule == WP__RULE_NOT_UNIFORM) lanes = odd_ones(w, post->mask, post->width);
  if (rule == WP__RULE_NOT_SAME) lanes = other_values(w, post->mask);
  if (rule == WP__RULE_OUTSIDE_MASK || rule == WP__RULE_EMPTY_MASK) {
    wp_u64 m = lanes, cut = 0;
    for (; m != 0; m &= m - 1) {
      l = __builtin_ctzll(m);
      if (cut_in_half(w, l, at[l].post->mask)) cut |= (wp_u64)1 << l;
    }
    if (cut != 0) {
      rule = WP__RULE_HALF_MASK;
      lanes = cut;
      first = __builtin_ctzll(cut);
      post = at[first].post;
    }
  }
  r = wp__report_create(k, rule, WP_ERROR_MISUSE);
  if (r == NULL) return;
  wp__trace_lane(k, &w->lanes[first]);
  r->place = &at[first].site->frames[0];
  say_broken(&r->message, k, w, at[first].site, post, rule, first, lanes);
  wp__report_where(r, k, w, lanes);
  wp__report_callers(r, k, at[first].site, k->trace, k->trace_count);
  if (rule == WP__RULE_NOT_UNIFORM) add_sources(r, w, post->mask);
  if (rule == WP__RULE_OUTSIDE_MASK) {
    wp_u64 inside = post->mask & w->present & ~lanes;
    if (inside != 0) add_origin(r, w, origin_of(w, first, post->mask));
  }
  if (rule == WP__RULE_SOURCE) add_origin(r, w, origin_of(w, first, post->mask));
  finish(k, r);
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

/* The same operation of the same width, as far as the emulator and the debug information can tell. */
static bool same_operation(const place *a, const place *b) {
  if (a->tag != b->tag || a->site == NULL || b->site == NULL) return false;
  if (a->site->op == NULL || b->site->op == NULL) return a->site->op == b->site->op;
  return strcmp(a->site->op, b->site->op) == 0;
}

/* Further up in the same function, as far as that is known: then it is a's lanes that are in a branch. */
static bool comes_before(const place *a, const place *b) {
  const wp__frame *x, *y;
  if (a->site == NULL || b->site == NULL || !a->site->known || !b->site->known) return false;
  x = &a->site->frames[a->site->frame_count - 1];
  y = &b->site->frames[b->site->frame_count - 1];
  return x->file != NULL && y->file != NULL && strcmp(x->file, y->file) == 0 && x->function != NULL && y->function != NULL &&
         strcmp(x->function, y->function) == 0 && x->line < y->line;
}

void wp__check_stuck(wp__worker *k, wp__host_warp *w) {
  place at[WP__MAX_LANES];
  wp__text *text;
  wp__report *r;
  const wp__origin *origin;
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
  other = __builtin_ctzll(at[l].mask & ~party_of(at, l));
  if (at[other].state == IN_COLLECTIVE && (at[other].mask & party_of(at, l)) != 0 && origin_of(w, l, at[l].mask) == NULL &&
      origin_of(w, other, at[other].mask) != NULL)
    l = other; /* two groups exclude each other: the one with the odd mask is the culprit */
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
    if (at[other].mask == at[l].mask && same_site(&at[other], &at[l]) && (at[other].tag & 0xffff) == (at[l].tag & 0xffff) &&
        at[other].tag != at[l].tag)
      rule = WP__RULE_OTHER_WIDTH;
    else if (at[other].mask == at[l].mask && same_operation(&at[other], &at[l]))
      rule = WP__RULE_OTHER_SITE;
    else if (at[other].mask == at[l].mask || ((at[other].mask & party) != 0 && !same_site(&at[other], &at[l])))
      rule = WP__RULE_OTHER_CALL;
    else if ((at[other].mask & party) != 0 || same_site(&at[other], &at[l]))
      rule = WP__RULE_OTHER_MASK;
    else
      rule = WP__RULE_CIRCLE;
  }
  origin = origin_of(w, l, at[l].mask);
  if (origin != NULL && origin->active && rule != WP__RULE_BEYOND_WARP && rule != WP__RULE_BEYOND_BLOCK &&
      rule != WP__RULE_OTHER_WIDTH)
    rule = WP__RULE_ACTIVE_MASK;
  else if (origin != NULL && (rule == WP__RULE_RETURNED || rule == WP__RULE_OTHER_CALL || rule == WP__RULE_OTHER_MASK ||
                              rule == WP__RULE_WAITS_AT_BARRIER || rule == WP__RULE_CIRCLE))
    rule = WP__RULE_BALLOT_MASK;
  r = wp__report_create(k, rule, WP_ERROR_MISUSE);
  if (r == NULL) return;
  wp__trace_lane(k, &w->lanes[l]);
  r->place = &at[l].site->frames[0];
  text = &r->message;
  wp__say_op(text, at[l].site, at[l].tag);
  wp__say(text, ": ");
  wp__say_lanes(text, party);
  switch (rule) {
  case WP__RULE_BEYOND_WARP:
    wp__say(text, " passed mask ");
    wp__say_mask(text, w, at[l].mask);
    wp__say(text, ", which names ");
    wp__say_lanes(text, blamed);
    wp__say(text, "; the warp has lanes 0-%d", k->run->warp_size - 1);
    break;
  case WP__RULE_BEYOND_BLOCK:
    wp__say(text, " passed mask ");
    wp__say_mask(text, w, at[l].mask);
    wp__say(text, ", which names ");
    wp__say_lanes(text, blamed);
    wp__say(text, "; this warp of a block of %d threads has only ", k->run->threads);
    wp__say_lanes(text, w->present);
    break;
  default:
    wp__say(text, " wait%s for ", one(party) ? "s" : "");
    wp__say_lanes(text, missing);
    wp__say(text, " with mask ");
    wp__say_mask(text, w, at[l].mask);
    if (rule == WP__RULE_RETURNED) {
      wp__say(text, "; ");
      wp__say_lanes(text, blamed);
      wp__say(text, " returned from the kernel");
    }
    if (rule == WP__RULE_WAITS_AT_BARRIER) {
      wp__say(text, "; ");
      wp__say_lanes(text, blamed);
      wp__say(text, " at WP_BARRIER");
    }
    if (rule == WP__RULE_OTHER_CALL) wp__say(text, ", which are at another call");
    if (rule == WP__RULE_OTHER_SITE) wp__say(text, ", which make the same call elsewhere or came another way");
    if (rule == WP__RULE_OTHER_MASK) wp__say(text, ", which passed another mask");
    if (rule == WP__RULE_OTHER_WIDTH) wp__say(text, ", which passed another width");
    if (rule == WP__RULE_ACTIVE_MASK) wp__say(text, ", which wp_active_mask() gave: a hint about one moment, not who comes here");
    if (rule == WP__RULE_BALLOT_MASK) wp__say(text, ", a ballot's result, whose lanes have not all taken this branch");
    break;
  }
  wp__report_where(r, k, w, party);
  wp__report_callers(r, k, at[l].site, k->trace, k->trace_count);
  if (at[l].mask == w->present &&
      (rule == WP__RULE_RETURNED || rule == WP__RULE_OTHER_CALL || rule == WP__RULE_WAITS_AT_BARRIER)) {
    wp__text why = {NULL, 0, 0};
    bool before = rule == WP__RULE_OTHER_CALL && lanes_in(at, missing, IN_COLLECTIVE) == missing && comes_before(&at[other], &at[l]);
    if (before) {
      wp__say_lanes(&why, missing);
      wp__say(&why, " %s at an earlier call, in", one(missing) ? "is" : "are");
    } else {
      wp__say(&why, "the full mask in");
    }
    wp__say(&why, " a branch %sthat ", before ? "or a loop " : "");
    wp__say_lanes(&why, before ? party : missing);
    wp__say(&why, " did not take");
    wp__report_line_add(r, WP__LINE_NOTE, NULL, missing, &why);
  }
  add_origin(r, w, origin);
  add_parties(r, w, at, rule == WP__RULE_CIRCLE ? waiting & ~party : missing & w->present);
  if (rule == WP__RULE_OTHER_SITE) { /* it may be one line, reached by different calls */
    int other_lane = __builtin_ctzll(missing);
    wp__trace_lane(k, &w->lanes[other_lane]);
    wp__report_callers(r, k, at[other_lane].site, k->trace, k->trace_count);
  }
  finish(k, r);
}

void wp__check_barriers(wp__worker *k) {
  wp__report *r = NULL;
  int i;
  for (i = 0; i < k->warp_count; i++) {
    wp__host_warp *w = &k->warps[i];
    place at[WP__MAX_LANES];
    wp__text text = {NULL, 0, 0};
    if (w->at_barrier == 0) continue;
    find_places(w, at);
    if (r == NULL) {
      int l = __builtin_ctzll(w->at_barrier);
      r = wp__report_create(k, WP__RULE_OTHER_BARRIER, WP_ERROR_MISUSE);
      if (r == NULL) return;
      wp__trace_lane(k, &w->lanes[l]);
      r->place = &at[l].site->frames[0];
      wp__say(&r->message, "WP_BARRIER: %s", wp__rules[WP__RULE_OTHER_BARRIER].summary);
      wp__report_where(r, k, w, party_of(at, l) & w->at_barrier);
      wp__report_callers(r, k, at[l].site, k->trace, k->trace_count);
    }
    wp__say(&text, "warp %d:", w->id);
    wp__report_line_add(r, WP__LINE_PLAIN, NULL, 0, &text);
    add_parties(r, w, at, w->at_barrier);
  }
  if (r != NULL) finish(k, r);
}

/* ---- rules broken by lanes that went on (WARPPORT_CHECK=all) ---- */

void wp__soft_note(wp__host_lane *lane, const wp__post *post) {
  wp__host_warp *w = lane->warp;
  wp__worker *k = w->worker;
  wp__soft *s;
  int i;
  enum { MANY = 1000 };
  for (i = 0; i < k->soft_count; i++) {
    s = &k->soft[i];
    if (s->warp != w->id || s->post.site != post->site || s->post.rule != post->rule) continue;
    s->lanes |= (wp_u64)1 << lane->lane;
    return;
  }
  if (k->soft_count == k->soft_room) {
    int room = k->soft_room > 0 ? 2 * k->soft_room : 8;
    s = room <= MANY ? realloc(k->soft, (size_t)room * sizeof *s) : NULL;
    if (s == NULL) return;
    k->soft = s;
    k->soft_room = room;
  }
  s = &k->soft[k->soft_count++];
  s->post = *post;
  s->warp = w->id;
  s->lane = lane->lane;
  s->lanes = post->rule == WP__RULE_NOT_UNIFORM ? odd_ones(w, post->mask, post->width)
             : post->rule == WP__RULE_NOT_SAME  ? other_values(w, post->mask)
                                                : (wp_u64)1 << lane->lane;
  wp__trace_here(k);
  s->trace_count = k->trace_count;
  memcpy(s->trace, k->trace, sizeof s->trace);
}

void wp__check_soft(wp__worker *k) {
  int i, j;
  for (i = 0; i < k->soft_count; i++) {
    const wp__soft *s = &k->soft[i];
    const wp__host_warp *w = &k->warps[s->warp];
    const wp__site *site = wp__site_at(s->post.site);
    wp__report *r;
    for (j = 0; j < i && (k->soft[j].post.rule != s->post.rule || !wp__site_same(k->soft[j].post.site, s->post.site)); j++)
      continue;
    if (j < i) continue; /* in another warp, at the same call */
    r = wp__report_create(k, s->post.rule, WP_ERROR_MISUSE);
    if (r == NULL) break;
    r->place = &site->frames[0];
    say_broken(&r->message, k, w, site, &s->post, s->post.rule, s->lane, s->lanes);
    wp__report_where(r, k, w, s->lanes);
    wp__report_callers(r, k, site, s->trace, s->trace_count);
    finish(k, r);
  }
  k->soft_count = 0;
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

/* In the guard, or far below it already: a large array makes a step over the guard, where the kernel is compiled without
 * -fstack-clash-protection. */
static bool overflows(const wp__worker *k, const wp__host_stack *stack) {
  enum { RED_ZONE = 128 }; /* below the stack pointer, for functions that call none (System V ABI, AMD64) */
  const char *low = stack->map + stack->guard;
  if (k->fault_address >= stack->map && k->fault_address < low) return true;
  return k->fault_sp != NULL && k->fault_sp < low && k->fault_address + RED_ZONE >= k->fault_sp && k->fault_address < stack->map;
}

void wp__check_fault(wp__worker *k) {
  wp__host_lane *lane = k->fault_lane;
  wp__host_warp *w = lane->warp;
  const wp__host_stack *stack = lane->stack;
  const wp__site *site = site_of_fault(k);
  wp_u64 bit = (wp_u64)1 << lane->lane;
  int rule = WP__RULE_FAULT;
  wp__report *r;
  if (k->fault_signal == wp__watchdog_signal())
    rule = WP__RULE_NO_PROGRESS;
  else if (k->fault_signal == SIGSEGV && overflows(k, stack))
    rule = WP__RULE_STACK;
  r = wp__report_create(k, rule, WP_ERROR_LAUNCH);
  if (r == NULL) return;
  r->place = &site->frames[0];
  wp__say_lanes(&r->message, bit);
  if (rule == WP__RULE_STACK)
    wp__say(&r->message, ": stack overflow: the kernel needs more than the %zu KiB a lane has", k->stack_bytes / 1024);
  else if (rule == WP__RULE_NO_PROGRESS)
    wp__say(&r->message, ": no progress: the lane neither returns nor reaches a collective");
  else if (k->fault_signal == SIGFPE)
    wp__say(&r->message, ": arithmetic fault (integer division by zero?)");
  else if (k->fault_code == SI_KERNEL && k->fault_address == NULL)
    wp__say(&r->message, ": invalid access to an address that no memory can have");
  else
    wp__say(&r->message, ": invalid access to address %p", (void *)k->fault_address);
  wp__report_where(r, k, w, bit);
  wp__report_callers(r, k, site, k->trace, k->trace_count);
  finish(k, r);
}

void wp__check_no_progress(wp__worker *k) {
  wp__report *r = wp__report_create(k, WP__RULE_NO_PROGRESS, WP_ERROR_LAUNCH);
  int i, named = 0;
  if (r == NULL) return;
  wp__say(&r->message, "no progress: lanes wait through memory for something that does not happen");
  for (i = 0; i < k->warp_count; i++) {
    wp__host_warp *w = &k->warps[i];
    place at[WP__MAX_LANES];
    wp__text text = {NULL, 0, 0};
    if (w->live == 0) continue;
    find_places(w, at);
    if (named++ == 0) {
      wp_u64 runs = w->runnable;
      int l = __builtin_ctzll(runs != 0 ? runs : w->live);
      if (at[l].site != NULL) r->place = &at[l].site->frames[0];
      wp__report_where(r, k, w, runs != 0 ? runs : (wp_u64)1 << l);
    }
    if (named > 4) continue;
    wp__say(&text, "warp %d:", w->id);
    wp__report_line_add(r, WP__LINE_PLAIN, NULL, 0, &text);
    add_parties(r, w, at, w->live);
  }
  finish(k, r);
}
