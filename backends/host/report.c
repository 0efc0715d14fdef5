/* The text of a report: file:line first, as compilers write it, so that editors and CI systems find the place. */
#define _GNU_SOURCE
#include "emulator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  static const char *const shuffles[] = {"", "wp_shfl", "wp_shfl_up", "wp_shfl_down", "wp_shfl_xor", "wp_rotate", "wp_broadcast",
                                         "a guarded wp_shfl"};
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

void wp__say_place(wp__text *text, const wp__site *site) { say_frame(text, &site->frames[0]); }

void wp__say_kernel(wp__text *text, const wp__worker *k, const wp__host_warp *w, wp_u64 lanes) {
  int first = w->id * k->run->warp_size;
  const wp__host_lane *lane = lanes != 0 ? &w->lanes[__builtin_ctzll(lanes)] : &w->lanes[0];
  wp__say(text, "  in kernel '%s', block (%d,%d,%d), warp %d of threads %d-%d", k->run->kernel->name, k->grid.block[0],
          k->grid.block[1], k->grid.block[2], w->id, first, first + __builtin_popcountll(w->present) - 1);
  if (lanes != 0) wp__say(text, "; lane %d is thread (%d,%d,%d)", lane->lane, lane->x, lane->y, lane->z);
  wp__say(text, "\n");
}

static bool is_kernel(const wp__worker *k, const wp__frame *frame) {
  return frame->function != NULL && strcmp(frame->function, k->run->kernel->name) == 0;
}

static bool same_place(const wp__frame *a, const wp__frame *b) {
  return a->line == b->line && a->file != NULL && b->file != NULL && strcmp(a->file, b->file) == 0;
}

void wp__say_callers(wp__text *text, const wp__worker *k, const wp__site *site) {
  int i, at = 0, f = 1, repeats = 0;
  const wp__frame *last = &site->frames[0];
  while (at < k->trace_count && k->trace[at] != site->address) at++;
  for (i = at; i < k->trace_count || i == at; i++) {
    const wp__site *here = i == at ? site : wp__site_at(k->trace[i]);
    for (; f < here->frame_count; f++) {
      const wp__frame *frame = &here->frames[f];
      if (is_kernel(k, last) || frame->file == NULL) return;
      repeats = same_place(frame, last) ? repeats + 1 : 0; /* a recursion */
      last = frame;
      if (repeats > 1) continue;
      wp__say(text, "  ");
      say_frame(text, frame);
      wp__say(text, repeats == 1 ? ": and so on\n" : ": called from here\n");
    }
    f = 0;
  }
}
