/* The text of a report: file:line first, as compilers write it, so that editors and CI systems find the place. */
#define _GNU_SOURCE
#include "emulator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void wp__say(wp__text *text, const char *format, ...) {
  va_list args;
  int n;
  va_start(args, format);
  n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n < 0) return;
  if (text->length + (size_t)n + 1 > text->room) {
    size_t room = 2 * (text->length + (size_t)n + 1);
    char *s = realloc(text->s, room);
    if (s == NULL) return;
    text->s = s;
    text->room = room;
  }
  va_start(args, format);
  vsnprintf(text->s + text->length, (size_t)n + 1, format, args);
  va_end(args);
  text->length += (size_t)n;
}

void wp__say_lanes(wp__text *text, wp_u64 lanes) {
  const char *before = (lanes & (lanes - 1)) == 0 ? "lane " : "lanes ";
  int l, end;
  for (l = 0; l < 64; l = end + 1) {
    end = l;
    if ((lanes >> l & 1) == 0) continue;
    while (end + 1 < 64 && (lanes >> (end + 1) & 1) != 0) end++;
    wp__say(text, end > l ? "%s%d-%d" : "%s%d", before, l, end);
    before = ",";
  }
  if (lanes == 0) wp__say(text, "no lane");
}

void wp__say_mask(wp__text *text, const wp__host_warp *w, wp_u64 mask) {
  int digits = (w->worker->run->warp_size + 3) / 4;
  wp__say(text, "0x%0*llx", digits, (unsigned long long)mask);
}

/* The function the user called, as far as debug information tells; else what the emulator knows. */
void wp__say_op(wp__text *text, const wp__site *site, wp_u32 tag) {
  static const char *const shuffles[] = {"",          "wp_shfl",      "wp_shfl_up",       "wp_shfl_down", "wp_shfl_xor",
                                         "wp_rotate", "wp_broadcast", "a guarded wp_shfl", "wp_mask_segment"};
  static const char *const ops[] = {"", "an exchange", "wp_ballot", "wp_sync", "wp_active_mask", "WP_BARRIER"};
  unsigned note = tag >> 8 & 255, op = tag & 255;
  if (site->op != NULL)
    wp__say(text, "%s", site->op);
  else if (op == WP__OP_EXCHANGE && note > 0 && note < sizeof shuffles / sizeof shuffles[0])
    wp__say(text, "%s", shuffles[note]);
  else
    wp__say(text, "%s", op < sizeof ops / sizeof ops[0] ? ops[op] : "");
}

static void say_frame(wp__text *text, const wp__frame *frame) {
  if (frame->file != NULL)
    wp__say(text, "%s:%d", frame->file, frame->line);
  else
    wp__say(text, "%s", frame->function != NULL ? frame->function : "unknown place");
}

/* ---- making one ---- */

wp__report *wp__report_create(const wp__worker *k, int rule, wp_status status) {
  wp__report *r = calloc(1, sizeof *r);
  if (r == NULL) return NULL;
  r->rule = rule;
  r->status = status;
  r->kernel = k->run->kernel->name;
  memcpy(r->block, k->grid.block, sizeof r->block);
  r->warp = -1;
  wp__schedule_text(k->run->settings, r->schedule, sizeof r->schedule);
  snprintf(r->profile, sizeof r->profile, "%s", k->run->settings->profile.name);
  return r;
}

void wp__report_free(wp__report *r) {
  int i;
  if (r == NULL) return;
  for (i = 0; i < r->line_count; i++) free(r->lines[i].text);
  free(r->message.s);
  free(r);
}

void wp__report_line_add(wp__report *r, int kind, const wp__frame *place, wp_u64 lanes, wp__text *text) {
  wp__report_line *line;
  if (r->line_count == WP__MAX_LINES || text->s == NULL) {
    free(text->s);
  } else {
    line = &r->lines[r->line_count++];
    line->kind = kind;
    line->place = place;
    line->lanes = lanes;
    line->text = text->s;
  }
  memset(text, 0, sizeof *text);
}

void wp__report_where(wp__report *r, const wp__worker *k, const wp__host_warp *w, wp_u64 lanes) {
  int first = w->id * k->run->warp_size;
  const wp__host_lane *lane = lanes != 0 ? &w->lanes[__builtin_ctzll(lanes)] : &w->lanes[0];
  wp__text text = {NULL, 0, 0};
  wp__say(&text, "in kernel '%s', block (%d,%d,%d), warp %d of threads %d-%d", k->run->kernel->name, k->grid.block[0],
          k->grid.block[1], k->grid.block[2], w->id, first, first + __builtin_popcountll(w->present) - 1);
  if (lanes != 0) wp__say(&text, "; lane %d is thread (%d,%d,%d)", lane->lane, lane->x, lane->y, lane->z);
  r->warp = w->id;
  r->lanes = lanes;
  wp__report_line_add(r, WP__LINE_WHERE, NULL, lanes, &text);
}

static bool is_kernel(const wp__worker *k, const wp__frame *frame) {
  return frame->function != NULL && strcmp(frame->function, k->run->kernel->name) == 0;
}

static bool same_place(const wp__frame *a, const wp__frame *b) {
  return a->line == b->line && a->file != NULL && b->file != NULL && strcmp(a->file, b->file) == 0;
}

void wp__report_callers(wp__report *r, const wp__worker *k, const wp__site *site, void *const *trace, int trace_count) {
  int i, at = 0, f = 1, repeats = 0;
  const wp__frame *last = &site->frames[0];
  while (at < trace_count && trace[at] != site->address) at++;
  for (i = at; i < trace_count || i == at; i++) {
    const wp__site *here = i == at ? site : trace[i] != NULL ? wp__site_at(trace[i]) : NULL;
    if (here == NULL) return;
    for (; f < here->frame_count; f++) {
      const wp__frame *frame = &here->frames[f];
      wp__text text = {NULL, 0, 0};
      if (is_kernel(k, last) || frame->file == NULL) return;
      repeats = same_place(frame, last) ? repeats + 1 : 0; /* a recursion */
      last = frame;
      if (repeats > 1) continue;
      wp__say(&text, repeats == 1 ? "and so on" : "called from here");
      wp__report_line_add(r, WP__LINE_CALLER, frame, 0, &text);
    }
    f = 0;
  }
}

/* ---- as text ---- */

#define BOLD (colour ? "\033[1m" : "")
#define RED (colour ? "\033[1;31m" : "")
#define CYAN (colour ? "\033[1;36m" : "")
#define FAINT (colour ? "\033[2m" : "")
#define PLAIN (colour ? "\033[0m" : "")

void wp__report_text(const wp__report *r, bool colour, wp__text *text) {
  const wp__rule *rule = &wp__rules[r->rule];
  int i;
  if (r->place != NULL) {
    wp__say(text, "%s", BOLD);
    say_frame(text, r->place);
    wp__say(text, ":%s ", PLAIN);
  }
  wp__say(text, "%serror:%s [%s] %s%s%s", RED, PLAIN, rule->id, BOLD, r->message.s != NULL ? r->message.s : rule->summary, PLAIN);
  for (i = 0; i < r->line_count; i++) {
    const wp__report_line *line = &r->lines[i];
    wp__say(text, "\n");
    if (line->kind == WP__LINE_NOTE && line->place != NULL)
      wp__say(text, "%s", BOLD);
    else
      wp__say(text, "  ");
    if (line->place != NULL) {
      say_frame(text, line->place);
      wp__say(text, ": ");
    }
    if (line->kind == WP__LINE_NOTE) wp__say(text, "%snote:%s ", CYAN, PLAIN);
    wp__say(text, "%s", line->text);
  }
  if (rule->help != NULL) wp__say(text, "\n  help: %s", rule->help);
  if (rule->portability) wp__say(text, "\n  this is a portability rule: some vendor allows it");
  for (i = 0; i < WP__VENDORS; i++) {
    if (rule->verdict[i] != NULL) wp__say(text, "\n  %son %-19s%s%s", FAINT, wp__vendors[i], rule->verdict[i], PLAIN);
  }
  if (strcmp(r->schedule, "order") != 0) wp__say(text, "\n  found under WARPPORT_SCHEDULE=%s, which repeats it", r->schedule);
  if (strcmp(r->profile, "cuda70") != 0) wp__say(text, "\n  found in WARPPORT_PROFILE=%s", r->profile);
}

static bool want_colour(void) {
  const char *term = getenv("TERM"), *no = getenv("NO_COLOR");
  return isatty(STDERR_FILENO) != 0 && (no == NULL || *no == 0) && term != NULL && strcmp(term, "dumb") != 0;
}

void wp__reports_publish(const wp__run *run, wp__text *text) {
  const wp__report *r;
  bool colour = want_colour();
  if (run->reports == NULL) {
    if (run->text != NULL) wp__say(text, "%s", run->text);
    if (run->text != NULL && !run->settings->quiet) fprintf(stderr, "%s\n", run->text);
    return;
  }
  for (r = run->reports; r != NULL; r = r->next) {
    wp__text shown = {NULL, 0, 0};
    if (!run->settings->collect && r->number != run->reports->number) break; /* a later block, which another thread was at */
    wp__say(text, r == run->reports ? "" : "\n");
    wp__report_text(r, false, text);
    wp__report_text(r, colour, &shown);
    if (!run->settings->quiet && shown.s != NULL) fprintf(stderr, "%s\n", shown.s);
    free(shown.s);
  }
}
