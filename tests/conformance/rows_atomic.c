/* Rows A1, A2. The order of the threads is free, so the checks ask what every order has in common: the final value, and that the
 * old values and operands chain from the first value to it. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

enum { ADD, MIN, MAX, EXCH, CAS, AND, OR, XOR };

/* All cells have the same first value; threads use few cells. */
static void draw_cells(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  bool big = op->param == AND || op->param == OR || op->param == XOR || op->param == MIN || op->param == MAX;
  for (int l = 0; l < w->lanes; l++) {
    w->arg[l] = rng_below(r, w->block == 0 ? 3 : 2);
    w->v[l] = big ? draw_value(r, type, DRAW_BITS) : 1 + (uint64_t)rng_below(r, 1000);
    if (type == REF_F32) { /* exact in any order */
      float f = (float)(1 + rng_below(r, 200));
      uint32_t bits;
      memcpy(&bits, &f, sizeof bits);
      w->v[l] = bits;
    }
    /* exch: no two threads store the same, so that the chain is unique */
    if (op->param == EXCH) w->v[l] = (uint64_t)(w->first + l + 1);
    w->mem[l] = op->param == AND ? ref_trim(type, ~UINT64_C(0)) : 0;
  }
}

static void expect_free(const conf_op *op, ref_type type, conf_warp *w) {
  (void)op;
  (void)type;
  for (int l = 0; l < w->lanes; l++) if (w->mask[l] != 0) conf_want(w, l, 0, 0, RULE_FREE);
}

static uint64_t apply(int param, ref_type type, uint64_t old, uint64_t v) {
  switch (param) {
    case MIN: return ref_apply(REF_MIN, type, old, v);
    case MAX: return ref_apply(REF_MAX, type, old, v);
    case EXCH: return v;
    case AND: return old & v;
    case OR: return old | v;
    case XOR: return old ^ v;
    default: return ref_apply(REF_ADD, type, old, v);
  }
}

typedef struct step { uint64_t old, v; } step;
static ref_type order_type;
static int by_old(const void *a, const void *b) {
  const step *x = a, *y = b;
  uint64_t sign = order_type == REF_I32 ? UINT64_C(1) << 31 : 0; /* i32 in order as unsigned */
  uint64_t p = x->old ^ sign, q = y->old ^ sign;
  return p < q ? -1 : p > q;
}

/* Can these operations have turned first into last, in some order? */
static void check_chain(conf_run *run, int param, ref_type type, step *s, int n, uint64_t first, uint64_t last, const char *who) {
  uint64_t now = first, all = first;
  for (int i = 0; i < n; i++) all = apply(param, type, all, s[i].v);
  if (param != EXCH) conf_check(run, type, all, last, false, who);
  if (param == XOR) return; /* a value may come back: the order is not told by the values */
  order_type = type;
  qsort(s, (size_t)n, sizeof *s, by_old);
  if (param == ADD || param == CAS) { /* operands are positive, so the old values rise */
    for (int i = 0; i < n; i++) {
      if (!conf_check(run, type, now, s[i].old, false, who)) return;
      now = apply(param, type, now, s[i].v);
    }
  } else if (param == EXCH) { /* all values are distinct: one path from value to value */
    int visited = 0;
    for (step key = {now, 0}, *at; (at = bsearch(&key, s, (size_t)n, sizeof *s, by_old)) != NULL && visited <= n; visited++)
      key.old = now = at->v;
    conf_check(run, REF_I32, (uint64_t)n, (uint64_t)visited, false, who);
    conf_check(run, type, last, now, false, who);
  } else { /* monotone: an old value lies between the first and the last one, and the next one is no step back */
    for (int i = 0; i < n; i++) {
      uint64_t old = s[i].old;
      bool inside = apply(param, type, old, last) == last && apply(param, type, first, old) == old;
      conf_check(run, REF_I32, 1, inside, false, who);
    }
  }
}

static void check_cells(const conf_op *op, ref_type type, conf_launch *l) {
  step *s = malloc(sizeof *s * (size_t)l->threads);
  uint64_t first = op->param == AND ? ref_trim(type, ~UINT64_C(0)) : 0;
  if (!s) abort();
  for (int cell = 0; cell < 3 && cell < l->threads; cell++) {
    int n = 0;
    for (int i = 0; i < l->warp_count; i++) {
      const conf_warp *w = &l->warps[i];
      for (int lane = 0; lane < w->lanes; lane++) {
        if (w->mask[lane] == 0 || w->arg[lane] != cell) continue;
        s[n].old = conf_load(type, l->out, (size_t)(w->first + lane));
        s[n++].v = w->v[lane];
      }
    }
    uint64_t last = conf_load(type, l->mem, (size_t)cell);
    if (n == 0) conf_check(l->run, type, first, last, false, "a cell that nobody used");
    else check_chain(l->run, op->param, type, s, n, first, last, "old values and final value of a cell");
  }
  for (int t = 3; t < l->threads; t++) conf_check(l->run, type, first, conf_load(type, l->mem, (size_t)t), false, "another cell");
  free(s);
}

/* The same in shared memory: one cell a block; mem[i] is the final value as thread i saw it after the barrier. */
static void check_local(const conf_op *op, ref_type type, conf_launch *l) {
  step *s = malloc(sizeof *s * (size_t)l->block_threads);
  uint64_t first = op->param == AND ? 0x7fffffff : op->param == MIN || op->param == MAX ? 77 : 0;
  if (!s) abort();
  for (int b = 0; b < l->blocks; b++) {
    int n = 0;
    uint64_t last = conf_load(type, l->mem, (size_t)(b * l->block_threads));
    for (int i = 0; i < l->warp_count; i++) {
      const conf_warp *w = &l->warps[i];
      for (int lane = 0; lane < w->lanes && ref_in(w->present, lane); lane++) {
        if (w->block != b) continue;
        conf_check(l->run, type, last, conf_load(type, l->mem, (size_t)(w->first + lane)), false,
                   "final value as another thread saw it");
        if (w->mask[lane] == 0) continue;
        s[n].old = conf_load(type, l->out, (size_t)(w->first + lane));
        s[n++].v = w->v[lane];
      }
    }
    check_chain(l->run, op->param, type, s, n, first, last, "old values and final value of a shared cell");
  }
  free(s);
}

/* A2: one cell a group: the thread number of its lowest lane. */
static void draw_aggregated(const conf_op *op, ref_type type, conf_warp *w, rng *r) {
  (void)op;
  (void)r;
  for (int l = 0; l < w->lanes; l++) if (w->mask[l] != 0) w->arg[l] = w->first + ref_lowest(w->mask[l]);
  (void)type;
}
static void expect_aggregated(const conf_op *op, ref_type type, conf_warp *w) {
  (void)op;
  for (int l = 0; l < w->lanes; l++) {
    if (w->mask[l] == 0) continue;
    uint64_t sum = w->mem[ref_lowest(w->mask[l])];
    for (int m = 0; m < l; m++) if (ref_in(w->mask[l], m)) sum += w->v[m];
    conf_want(w, l, 0, ref_trim(type, sum), RULE_EXACT);
  }
}
static void check_aggregated(const conf_op *op, ref_type type, conf_launch *l) {
  (void)op;
  for (int i = 0; i < l->warp_count; i++) {
    const conf_warp *w = &l->warps[i];
    for (int lane = 0; lane < w->lanes && ref_in(w->present, lane); lane++) {
      uint64_t want = w->mem[lane];
      for (int m = 0; m < w->lanes; m++) if (ref_lowest(w->mask[lane]) == lane && ref_in(w->mask[lane], m)) want += w->v[m];
      conf_check(l->run, type, ref_trim(type, want), conf_load(type, l->mem, (size_t)(w->first + lane)), false,
                 "the cell afterwards");
    }
  }
}

#define BASE (REF_BIT(REF_I32) | REF_BIT(REF_U32) | REF_BIT(REF_U64))
#define BITS (REF_BIT(REF_I32) | REF_BIT(REF_U32))
#define FLAGS (CONF_READS_MEM | CONF_ATOMIC64)
#define GLOBAL(name, which, types) \
  {"A1", "wp_atomic_" name, "conf_atomic_" name, types, -1, 1, 0, which, FLAGS, draw_cells, expect_free, check_cells, 0}
#define LOCAL(name, which, types) \
  { \
    "A1", "wp_atomic_" name "_local", "conf_atomic_local_" name, types, -1, 1, 0, which, FLAGS, draw_cells, expect_free, \
      check_local, 0 \
  }
const conf_op conf_rows_atomic[] = {
  GLOBAL("add", ADD, BASE | REF_BIT(REF_F32)), GLOBAL("min", MIN, BASE), GLOBAL("max", MAX, BASE), GLOBAL("exch", EXCH, BASE),
  GLOBAL("cas", CAS, BASE), GLOBAL("and", AND, BITS), GLOBAL("or", OR, BITS), GLOBAL("xor", XOR, BITS),
  LOCAL("add", ADD, BASE | REF_BIT(REF_F32)), LOCAL("min", MIN, BASE), LOCAL("max", MAX, BASE), LOCAL("exch", EXCH, BASE),
  LOCAL("cas", CAS, BASE), LOCAL("and", AND, BITS), LOCAL("or", OR, BITS), LOCAL("xor", XOR, BITS),
  {"A2", "wp_atomic_add_aggregated", "conf_atomic_add_aggregated", BASE, -1, 1, 0, 0, FLAGS, draw_aggregated, expect_aggregated,
   check_aggregated, 0},
  {0},
};
