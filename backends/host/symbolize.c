/* From a return address to the user's file and line, by the DWARF debug information of the program (libdw).
 *
 * The library's functions are inlined, so at one address there is a chain of inlined calls, innermost first:
 *     wpb_shfl_u32 in backend/host.h, wp__xor_word in shuffle.h, wp_shfl_xor_f32 in shuffle.h, smooth in the user's file.
 * The first frame outside the library's headers is where the user stands; the last function before it is what the user called. */
#define _GNU_SOURCE
#include "emulator.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef WARPPORT_HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#endif

enum { MAX_FRAMES = 32, BUCKETS = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static wp__site *sites[BUCKETS];
static int ids;

static char *copy(const char *s) { return s != NULL ? strdup(s) : NULL; }

/* Below include/warpport, or the single header made of all of it. */
static bool is_library(const char *file) {
  const char *at = file != NULL ? strstr(file, "include/warpport/") : NULL;
  const char *base = file != NULL ? strrchr(file, '/') : NULL;
  if (file == NULL) return false;
  if (strcmp(base != NULL ? base + 1 : file, "warpport_single.h") == 0) return true;
  return at != NULL;
}

#ifdef WARPPORT_HAVE_LIBDW

static Dwfl *dwfl;
static char *debuginfo_path;

/* As elfutils does it, but never over the network: a report must not wait for a server. */
static int find_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, const char *file_name,
                          const char *link, GElf_Word crc, char **found) {
  const char *urls = getenv("DEBUGINFOD_URLS");
  if (urls != NULL && *urls != 0) return -1;
  return dwfl_standard_find_debuginfo(module, user, name, base, file_name, link, crc, found);
}

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_linux_proc_find_elf, .find_debuginfo = find_debuginfo, .debuginfo_path = &debuginfo_path};

static bool report_modules(void) {
  bool fine;
  if (dwfl == NULL) dwfl = dwfl_begin(&callbacks);
  if (dwfl == NULL) return false;
  dwfl_report_begin_add(dwfl);
  fine = dwfl_linux_proc_report(dwfl, getpid()) == 0;
  return dwfl_report_end(dwfl, NULL, NULL) == 0 && fine;
}

/* Functions that contain pc, from the outermost in. everywhere: also look into functions that do not, where gcc leaves those of local
 * classes and lambdas. */
static int descend(Dwarf_Die *die, Dwarf_Addr pc, Dwarf_Die *chain, int n, bool everywhere) {
  Dwarf_Die child;
  if (n >= MAX_FRAMES || dwarf_child(die, &child) != 0) return n;
  do {
    int tag = dwarf_tag(&child), m;
    switch (tag) {
      case DW_TAG_namespace:
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
      case DW_TAG_module:
        m = descend(&child, pc, chain, n, everywhere);
        if (m > n) return m;
        break;
      case DW_TAG_subprogram:
      case DW_TAG_inlined_subroutine:
      case DW_TAG_lexical_block:
      case DW_TAG_try_block:
      case DW_TAG_catch_block:
        if (dwarf_haspc(&child, pc) != 1) {
          m = everywhere ? descend(&child, pc, chain, n, true) : n;
          if (m > n) return m;
          break;
        }
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) chain[n++] = child;
        return descend(&child, pc, chain, n, everywhere);
      default: break;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
  return n;
}

/* clang writes no address index, so the compilation units have to be asked one by one. Where gcc has written one for other units of the
 * program, the library takes the next below for what it looks for. */
static Dwarf_Die *unit_of(Dwfl_Module *module, Dwarf_Addr pc, Dwarf_Addr *bias) {
  Dwarf_Die *unit = dwfl_module_addrdie(module, pc, bias);
  if (unit != NULL && dwarf_haspc(unit, pc - *bias) == 1) return unit;
  unit = NULL;
  while ((unit = dwfl_module_nextcu(module, unit, bias)) != NULL) {
    if (dwarf_haspc(unit, pc - *bias) == 1) return unit;
  }
  return NULL;
}

static int constant(Dwarf_Die *die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr(die, name, &attribute) == NULL || dwarf_formudata(&attribute, &value) != 0) return 0;
  return (int)value;
}

/* With the folder of the compilation, where the file was named relative to that: compilers differ in when they do. */
static char *path_of(Dwarf_Die *unit, const char *file) {
  Dwarf_Attribute attribute;
  const char *folder = dwarf_attr(unit, DW_AT_comp_dir, &attribute) != NULL ? dwarf_formstring(&attribute) : NULL;
  char *path = NULL;
  if (file == NULL || *file == '/' || folder == NULL || *folder != '/') return copy(file);
  return asprintf(&path, "%s/%s", folder, file) >= 0 ? path : NULL;
}

static int frames_at(uintptr_t pc, wp__frame *frames) {
  Dwfl_Module *module;
  Dwarf_Die *unit, chain[MAX_FRAMES];
  Dwarf_Addr bias = 0;
  Dwarf_Line *line;
  Dwarf_Files *files = NULL;
  size_t file_count = 0;
  const char *file = NULL;
  int n, i, number = 0, column = 0;
  if (dwfl == NULL && !report_modules()) return 0;
  module = dwfl_addrmodule(dwfl, pc);
  if (module == NULL) { /* loaded since */
    if (!report_modules()) return 0;
    module = dwfl_addrmodule(dwfl, pc);
  }
  if (module == NULL) return 0;
  unit = unit_of(module, pc, &bias);
  if (unit == NULL) return 0;
  line = dwarf_getsrc_die(unit, pc - bias);
  if (line != NULL) {
    file = dwarf_linesrc(line, NULL, NULL);
    dwarf_lineno(line, &number);
    dwarf_linecol(line, &column);
  }
  n = descend(unit, pc - bias, chain, 0, false);
  if (n == 0) n = descend(unit, pc - bias, chain, 0, true);
  dwarf_getsrcfiles(unit, &files, &file_count);
  for (i = 0; i < n; i++) {
    Dwarf_Die *die = &chain[n - 1 - i];
    frames[i].file = path_of(unit, file);
    frames[i].line = number;
    frames[i].column = column;
    frames[i].function = copy(dwarf_diename(die));
    if (dwarf_tag(die) == DW_TAG_inlined_subroutine) {
      int index = constant(die, DW_AT_call_file);
      file = files != NULL && index > 0 && (size_t)index < file_count ? dwarf_filesrc(files, (size_t)index, NULL, NULL) : NULL;
      if (index == 0 && files != NULL && file_count > 0 && dwarf_hasattr(die, DW_AT_call_file)) /* DWARF 5 counts from 0 */
        file = dwarf_filesrc(files, 0, NULL, NULL);
      number = constant(die, DW_AT_call_line);
      column = constant(die, DW_AT_call_column);
    }
  }
  return n;
}

static void forget(void) {
  if (dwfl != NULL) dwfl_end(dwfl);
  dwfl = NULL;
  free(debuginfo_path);
}

#else

static int frames_at(uintptr_t pc, wp__frame *frames) {
  (void)pc;
  (void)frames;
  return 0;
}
static void forget(void) {}

#endif

static void frame_free(wp__frame *frame) {
  free(frame->file);
  free(frame->function);
}

/* Function and offset, when there is no debug information. */
static void fallback(uintptr_t pc, wp__frame *frame) {
  Dl_info info;
  char text[512];
  memset(frame, 0, sizeof *frame);
  if (dladdr((void *)pc, &info) != 0 && info.dli_sname != NULL)
    snprintf(text, sizeof text, "%s+0x%zx", info.dli_sname, (size_t)(pc - (uintptr_t)info.dli_saddr));
  else if (dladdr((void *)pc, &info) != 0 && info.dli_fname != NULL)
    snprintf(text, sizeof text, "%s+0x%zx", info.dli_fname, (size_t)(pc - (uintptr_t)info.dli_fbase));
  else
    snprintf(text, sizeof text, "0x%zx", (size_t)pc);
  frame->function = copy(text);
}

static char *operation(const char *function) {
  static const struct { const char *internal, *shown; } names[] = {
      {"wpb_barrier", "WP_BARRIER"},
      {"wp__safe_shfl_up", "SAFE_SHUFFLE_UP"},
      {"wp__safe_shfl_down", "SAFE_SHUFFLE_DOWN"},
      {"wp__safe_shfl_xor", "SAFE_SHUFFLE_XOR"},
      {"wp__safe_shfl", "SAFE_SHUFFLE"},
  };
  size_t i;
  if (function == NULL) return NULL;
  for (i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strncmp(function, names[i].internal, strlen(names[i].internal)) == 0) return copy(names[i].shown);
  }
  return copy(function);
}

static bool equal(const char *a, const char *b) { return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0); }

static bool same_frame(const wp__frame *a, const wp__frame *b) {
  return a->line == b->line && a->column == b->column && equal(a->file, b->file);
}

static bool same_frames(const wp__site *a, const wp__site *b) {
  int i;
  if (a->frame_count != b->frame_count) return false;
  for (i = 0; i < a->frame_count && same_frame(&a->frames[i], &b->frames[i]); i++) continue;
  return i == a->frame_count;
}

/* Two addresses are one call if the operation agrees, and file, line and column of it and of the inlined calls it was reached by:
 * compilers duplicate code. The same line of a function that was inlined into two branches is two calls. */
static int id_of(const wp__site *site) {
  int b;
  for (b = 0; site->known && b < BUCKETS; b++) {
    const wp__site *other;
    for (other = sites[b]; other != NULL; other = other->next) {
      if (other->known && same_frames(other, site) && equal(other->op, site->op)) return other->id;
    }
  }
  return ids++;
}

static wp__site *make(const void *address) {
  wp__site *site = calloc(1, sizeof *site);
  wp__frame all[MAX_FRAMES];
  uintptr_t pc = (uintptr_t)address - 1; /* inside the call */
  int n = frames_at(pc, all), first = 0, i;
  if (site == NULL) abort();
  site->address = address;
  while (first < n && is_library(all[first].file)) first++;
  if (first > 0) site->op = operation(all[first - 1].function);
  if (first == n && n > 0) first = n - 1; /* called by a pointer to a function of the library: that stands for the call */
  if (n == 0) {
    for (i = 0; i < n; i++) frame_free(&all[i]);
    n = 1;
    first = 0;
    fallback(pc, &all[0]);
  }
  for (i = 0; i < first; i++) frame_free(&all[i]);
  site->frame_count = n - first;
  site->frames = calloc((size_t)site->frame_count, sizeof *site->frames);
  if (site->frames == NULL) abort();
  memcpy(site->frames, all + first, (size_t)site->frame_count * sizeof *site->frames);
  site->known = site->frames[0].file != NULL && site->frames[0].line > 0;
  site->id = id_of(site);
  return site;
}

const wp__site *wp__site_at(const void *return_address) {
  size_t bucket = ((uintptr_t)return_address >> 2) % BUCKETS;
  wp__site *site;
  pthread_mutex_lock(&lock);
  for (site = sites[bucket]; site != NULL && site->address != return_address; site = site->next) continue;
  if (site == NULL) {
    site = make(return_address);
    site->next = sites[bucket];
    sites[bucket] = site;
  }
  pthread_mutex_unlock(&lock);
  return site;
}

bool wp__site_same(const void *a, const void *b) {
  const wp__site *x = wp__site_at(a), *y = wp__site_at(b);
  static bool warned;
  if (x->known && y->known) return x->id == y->id;
  /* A compiler may have duplicated one call, or there are two: without debug information nobody can tell. Refusing would break
   * right kernels, so they are paired, but not silently. */
  if (!__atomic_exchange_n(&warned, true, __ATOMIC_RELAXED))
    fprintf(
        stderr,
        "warpport: warning: lanes meet at %s and at %s, and without debug information it is unknown whether that is one call; "
        "compile the kernels with -g (and build warpport with libdw)\n",
        x->frames[0].function, y->frames[0].function);
  return true;
}

static bool in_kernel(const wp__worker *k, const wp__site *site) {
  const char *outermost = site->frames[site->frame_count - 1].function;
  return outermost != NULL && strcmp(outermost, k->run->kernel->name) == 0;
}

wp_u32 wp__site_chain(const wp__worker *k) {
  wp_u64 hash = 0;
  int i;
  for (i = 0; i < k->trace_count; i++) {
    const wp__site *site = wp__site_at(k->trace[i]);
    if (site->known) hash = (hash ^ (wp_u64)(site->id + 1)) * 0x9e3779b97f4a7c15u;
    if (site->known && in_kernel(k, site)) break;
  }
  return (wp_u32)(hash >> 32);
}

static __attribute__((destructor)) void end(void) {
  int b, i;
  for (b = 0; b < BUCKETS; b++) {
    while (sites[b] != NULL) {
      wp__site *site = sites[b];
      sites[b] = site->next;
      for (i = 0; i < site->frame_count; i++) frame_free(&site->frames[i]);
      free(site->frames);
      free(site->op);
      free(site);
    }
  }
  forget();
}
