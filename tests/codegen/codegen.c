/* Counts instructions: every primitive of warpport against the same thing written by hand (pairs.cu), in PTX and in machine code,
 * for several architectures. Needs NVRTC, no GPU; machine code needs nvdisasm too.
 *
 *   test_codegen [-l LIBNVRTC] [-d NVDISASM] [-w COST_TABLE.md] PAIRS.cu
 *
 * Fails if warpport has more instructions than the hand-written kernel, except for the corners of the contract listed in `corners`
 * below, each with what it may cost; a corner that costs nothing anywhere fails too, so that the list stays honest.
 * -w: puts the table between the marks of that file. Exit code: 77 if there is no NVRTC. */
#include "nvrtc_load.h"
#include "warpport_single_string.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int archs[] = {75, 80, 90, 100};
enum { arch_count = sizeof archs / sizeof *archs, max_kernels = 400 };

/* ---- the operations, in the order of the table ---- */

typedef struct operation {
  const char *name, *row, *text;
} operation;
static const operation operations[] = {
#include "operations.h"
};

/* Where the contract promises more than the intrinsic does. sass, ptx: instructions allowed above the hand-written kernel. */
typedef struct corner {
  const char *name, *types; /* types: "" for all, else words */
  int sass, ptx;
  const char *why;
} corner;
static const corner corners[] = {
#include "corners.h"
};

/* ---- counting ---- */

typedef struct count {
  int ptx, sass; /* -1: none */
} count;
typedef struct kernel {
  char name[48], type[8];
  count side[2][arch_count]; /* [0] warpport, [1] by hand */
} kernel;
static kernel kernels[max_kernels];
static int kernel_count;

static kernel *kernel_of(const char *text, size_t length) {
  char full[64];
  if (length >= sizeof full) return NULL;
  memcpy(full, text, length);
  full[length] = 0;
  char *cut = strstr(full, "__");
  if (!cut || cut - full >= (int)sizeof kernels->name || strlen(cut + 2) >= sizeof kernels->type) return NULL;
  *cut = 0;
  for (int i = 0; i < kernel_count; i++) {
    if (strcmp(kernels[i].name, full) == 0 && strcmp(kernels[i].type, cut + 2) == 0) return &kernels[i];
  }
  if (kernel_count == max_kernels) return NULL;
  kernel *k = &kernels[kernel_count++];
  strcpy(k->name, full);
  strcpy(k->type, cut + 2);
  for (int s = 0; s < 2; s++) {
    for (int a = 0; a < arch_count; a++) k->side[s][a] = (count){-1, -1};
  }
  return k;
}

/* PTX: statements that end with a semicolon and begin with no dot, inside the body of an entry. */
static void count_ptx(const char *ptx, int side, int arch) {
  for (const char *at = ptx; (at = strstr(at, ".entry ")) != NULL;) {
    at += strlen(".entry ");
    kernel *k = kernel_of(at, strcspn(at, "(\n "));
    const char *end = strstr(at, "\n}"), *body = strchr(at, '{');
    if (!k || !end || !body) continue;
    int n = 0;
    const char *start = body + 1;
    for (const char *c = start; c < end; c++) {
      if (c[0] == '/' && c[1] == '/') {
        c += strcspn(c, "\n");
        start = c + 1;
      } else if (*c == ':' || *c == '{' || *c == '}' || *c == ';') {
        if (*c == ':' && (c[1] == ':' || c[-1] == ':')) continue;
        while (start < c && isspace((unsigned char)*start)) start++;
        if (*c == ';' && start < c && *start != '.') n++;
        /* {a, b} is an operand of an instruction, { } around its own line a block */
        if ((*c == '{' || *c == '}') && start < c) continue;
        start = c + 1;
      }
    }
    k->side[side][arch].ptx = n;
    at = end;
  }
}

/* SASS as nvdisasm prints it: one instruction a line behind its address; padding and the trap loop at the end are not counted. */
static bool count_sass(const char *nvdisasm, const char *cubin, size_t bytes, int side, int arch) {
  char path[] = "/tmp/warpport-codegen-XXXXXX", command[1200], line[1024], label[64] = "";
  int file = mkstemp(path);
  if (file < 0) return false;
  bool ok = write(file, cubin, bytes) == (ssize_t)bytes;
  (void)close(file);
  snprintf(command, sizeof command, "'%s' -c '%s' 2>&1", nvdisasm, path);
  FILE *out = ok ? popen(command, "r") : NULL;
  kernel *k = NULL;
  int seen = 0;
  while (out && fgets(line, sizeof line, out)) {
    const char *section = strstr(line, ".section\t.text.");
    if (section) {
      section += strlen(".section\t.text.");
      k = kernel_of(section, strcspn(section, ","));
      if (k) k->side[side][arch].sass = 0;
      continue;
    }
    if (line[0] == '.' && strchr(line, ':')) { /* .L_x_0: */
      snprintf(label, sizeof label, "`(%.*s)", (int)strcspn(line, ":"), line);
      continue;
    }
    const char *address = strstr(line, "/*");
    if (!k || !address || !isxdigit((unsigned char)address[2])) continue;
    const char *text = strstr(address, "*/");
    if (!text) continue;
    text += 2;
    while (isspace((unsigned char)*text)) text++;
    bool trap = strncmp(text, "BRA", 3) == 0 && label[0] && strstr(text, label);
    if (*text && strncmp(text, "NOP", 3) != 0 && !trap) {
      k->side[side][arch].sass++;
      seen++;
    }
    label[0] = 0;
  }
  if (out && pclose(out) != 0) ok = false;
  (void)unlink(path);
  return ok && seen > 0;
}

/* ---- the table ---- */

static const corner *corner_of(const kernel *k) {
  for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
    const corner *c = &corners[i];
    if (strcmp(c->name, k->name) != 0) continue;
    if (!c->types[0]) return c;
    for (const char *at = c->types; *at; at += strspn(at, " ")) {
      size_t n = strcspn(at, " ");
      if (n == strlen(k->type) && strncmp(at, k->type, n) == 0) return c;
      at += n;
    }
  }
  return NULL;
}

static const kernel *find(const char *name, const char *type) {
  for (int i = 0; i < kernel_count; i++) {
    if (strcmp(kernels[i].name, name) == 0 && (!type || strcmp(kernels[i].type, type) == 0)) return &kernels[i];
  }
  return NULL;
}

/* What a kernel has beyond loading and storing its value. */
static int net(int n, const kernel *base, int side, int a, bool sass) {
  if (n < 0 || !base) return n;
  const count *c = &base->side[side][a];
  int b = sass ? c->sass : c->ptx;
  return b < 0 ? n : n - b;
}

/* The numbers of a kernel, a column each: for people, or with bars between them for Markdown. */
static void cells(char *line, size_t size, const kernel *k, bool sass, const bool *have, bool markdown) {
  const kernel *base = find("copy", k->type);
  line[0] = 0;
  for (int code = sass ? 1 : 0; code >= 0; code--) {
    for (int a = 0; a < arch_count; a++) {
      if (!have[a]) continue;
      int n[2];
      char text[32] = "-";
      for (int s = 0; s < 2; s++) n[s] = net(code ? k->side[s][a].sass : k->side[s][a].ptx, base, s, a, code == 1);
      if ((code ? k->side[0][a].sass : k->side[0][a].ptx) >= 0) {
        if (n[0] == n[1])
          snprintf(text, sizeof text, "%d", n[0]);
        else
          snprintf(text, sizeof text, "%d (%d)", n[0], n[1]);
      }
      size_t used = strlen(line);
      snprintf(line + used, size - used, markdown ? " | %s" : "%-10s", text);
    }
  }
}

static void heading(FILE *f, bool sass, const bool *have) {
  if (f == stdout)
    printf("%-3s %-40s %-25s ", "row", "operation", "types");
  else
    fprintf(f, "| row | operation | types");
  for (int code = sass ? 1 : 0; code >= 0; code--) {
    for (int a = 0; a < arch_count; a++) {
      if (!have[a]) continue;
      char text[32];
      snprintf(text, sizeof text, "%s%d", code ? "sm_" : "ptx_", archs[a]);
      if (f == stdout)
        printf("%-10s", text);
      else
        fprintf(f, " | %s", text);
    }
  }
  if (f == stdout) {
    printf("\n");
    return;
  }
  fprintf(f, " |\n|---|---|---");
  for (int code = sass ? 1 : 0; code >= 0; code--) {
    for (int a = 0; a < arch_count; a++) {
      if (have[a]) fprintf(f, "|--:");
    }
  }
  fprintf(f, "|\n");
}

static void table(FILE *f, bool sass, const bool *have) {
  bool markdown = f != stdout;
  heading(f, sass, have);
  for (size_t o = 0; o < sizeof operations / sizeof *operations; o++) {
    const operation *op = &operations[o];
    bool done[max_kernels] = {false};
    for (int i = 0; i < kernel_count; i++) {
      if (done[i] || strcmp(kernels[i].name, op->name) != 0) continue;
      char line[400], other[400], types[100];
      bool corner = corner_of(&kernels[i]) != NULL;
      cells(line, sizeof line, &kernels[i], sass, have, markdown);
      snprintf(types, sizeof types, "%s", kernels[i].type);
      for (int j = i + 1; j < kernel_count; j++) { /* types with the same numbers share a line */
        if (strcmp(kernels[j].name, op->name) != 0) continue;
        cells(other, sizeof other, &kernels[j], sass, have, markdown);
        if (strcmp(line, other) != 0 || corner != (corner_of(&kernels[j]) != NULL)) continue;
        done[j] = true;
        size_t used = strlen(types);
        snprintf(types + used, sizeof types - used, " %s", kernels[j].type);
      }
      if (markdown)
        fprintf(f, "| %s | `%s`%s | %s%s |\n", op->row, op->text, corner ? " *" : "", types, line);
      else
        printf("%-3s %-40s %-25s %s\n", op->row, op->text, types, line);
    }
  }
}

static int judge(bool sass, const bool *have) {
  int bad = 0, compared = 0;
  for (int i = 0; i < kernel_count; i++) {
    const kernel *k = &kernels[i];
    const corner *c = corner_of(k);
    bool listed = false;
    for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
      listed = listed || strcmp(operations[o].name, k->name) == 0;
    if (!listed && strcmp(k->name, "copy") != 0) {
      printf("FAIL %s is not in operations.h\n", k->name);
      bad++;
    }
    for (int a = 0; a < arch_count; a++) {
      const count *ours = &k->side[0][a], *raw = &k->side[1][a];
      if (!have[a] || (ours->ptx < 0 && raw->ptx < 0)) continue;
      if (ours->ptx < 0 || raw->ptx < 0 || (sass && (ours->sass < 0 || raw->sass < 0))) {
        printf("FAIL %s %s sm_%d: only one of the pair could be counted\n", k->name, k->type, archs[a]);
        bad++;
        continue;
      }
      compared++;
      if (ours->ptx > raw->ptx + (c ? c->ptx : 0)) {
        printf("FAIL %s %s compute_%d: %d PTX instructions, by hand %d\n", k->name, k->type, archs[a], ours->ptx, raw->ptx);
        bad++;
      }
      if (sass && ours->sass > raw->sass + (c ? c->sass : 0)) {
        printf("FAIL %s %s sm_%d: %d SASS instructions, by hand %d\n", k->name, k->type, archs[a], ours->sass, raw->sass);
        bad++;
      }
    }
  }
  for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
    int ptx = 0, machine = 0;
    for (int n = 0; n < kernel_count; n++) {
      if (corner_of(&kernels[n]) != &corners[i]) continue;
      for (int a = 0; a < arch_count; a++) {
        const count *ours = &kernels[n].side[0][a], *raw = &kernels[n].side[1][a];
        if (!have[a]) continue;
        if (ours->ptx - raw->ptx > ptx) ptx = ours->ptx - raw->ptx;
        if (ours->sass - raw->sass > machine) machine = ours->sass - raw->sass;
      }
    }
    if (ptx <= 0 && machine <= 0 && (sass || corners[i].sass == 0)) { /* without machine code some cannot be judged */
      printf("FAIL the corner %s %s costs nothing: it can go\n", corners[i].name, corners[i].types);
      bad++;
    } else if (ptx < corners[i].ptx || (sass && machine < corners[i].sass)) { /* may differ from compiler to compiler */
      printf("note: the corner %s %s allows %d SASS and %d PTX, but costs at most %d and %d here\n", corners[i].name,
             corners[i].types, corners[i].sass, corners[i].ptx, machine, ptx);
    }
  }
  printf("%d pairs compared%s, %d complaints\n", compared, sass ? "" : " (PTX only: no nvdisasm)", bad);
  if (compared < 100) {
    printf("FAIL far too few pairs\n");
    bad++;
  }
  return bad;
}

static bool write_document(const char *path, const nvrtc *n, const bool *have) {
  static const char begin[] = "<!-- cuda: begin -->\n", end[] = "<!-- cuda: end -->";
  char *text = read_text(path);
  char *from = text ? strstr(text, begin) : NULL, *to = from ? strstr(from, end) : NULL;
  FILE *f = to ? fopen(path, "wb") : NULL;
  if (!f) {
    fprintf(stderr, "%s: cannot be written, or has no lines <!-- cuda: begin --> and <!-- cuda: end -->\n", path);
    free(text);
    return false;
  }
  from += strlen(begin);
  (void)fwrite(text, 1, (size_t)(from - text), f);
  fprintf(f, "Compiler: NVRTC %s, `-fmad=false`. Lines with a star are the corners listed below the table.\n\n",
          nvrtc_version(n));
  table(f, true, have);
  fprintf(f, "\n| corner | types | extra SASS | extra PTX | why |\n|---|---|--:|--:|---|\n");
  for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
    const corner *c = &corners[i];
    const operation *op = operations;
    while (strcmp(op->name, c->name) != 0) op++;
    fprintf(f, "| `%s` | %s | %d | %d | %s |\n", op->text, c->types[0] ? c->types : "all", c->sass, c->ptx, c->why);
  }
  fputs(to, f);
  free(text);
  return fclose(f) == 0;
}

int main(int argc, char **argv) {
  const char *library = NULL, *nvdisasm = NULL, *document = NULL, *pairs = NULL;
  char why[400];
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-l") == 0 && i + 1 < argc)
      library = argv[++i];
    else if (strcmp(argv[i], "-d") == 0 && i + 1 < argc)
      nvdisasm = argv[++i];
    else if (strcmp(argv[i], "-w") == 0 && i + 1 < argc)
      document = argv[++i];
    else
      pairs = argv[i];
  }
  char *source = pairs ? read_text(pairs) : NULL;
  if (!source) {
    fprintf(stderr, "usage: test_codegen [-l LIBNVRTC] [-d NVDISASM] [-w COST_TABLE.md] PAIRS.cu\n");
    return 2;
  }
  if (nvdisasm && !*nvdisasm) nvdisasm = NULL;
  nvrtc *n = nvrtc_open(library, why, sizeof why);
  if (!n) {
    printf("SKIPPED: %s\n", why);
    free(source);
    return 77;
  }
  int known[64], known_count = nvrtc_architectures(n, known, 64), bad = 0;
  bool have[arch_count] = {false};
  const nvrtc_header header = {"warpport/warpport.h", warpport_single_source};
  printf("NVRTC %s%s\n", nvrtc_version(n),
         nvdisasm ? "" : "; SKIPPED: machine code is not counted, there is no nvdisasm (ci/cuda_tools.sh fetches one)");
  for (int a = 0; a < arch_count; a++) {
    for (int i = 0; i < known_count; i++) have[a] = have[a] || known[i] == archs[a];
    if (!have[a]) printf("SKIPPED: this NVRTC does not know sm_%d\n", archs[a]);
    for (int side = 0; side < 2 && have[a]; side++) {
      char arch[32];
      snprintf(arch, sizeof arch, "-arch=sm_%d", archs[a]);
      const char *options[] = {arch, "-std=c++17", "-fmad=false", side ? "-DRAW=1" : "-DRAW=0", "-no-source-include"};
      nvrtc_result r = nvrtc_compile(n, "pairs.cu", source, &header, 1, options, 5);
      if (!r.ok || !r.ptx || !r.cubin) {
        printf("FAIL %s side for sm_%d does not compile:\n%s\n", side ? "hand-written" : "warpport", archs[a], r.log);
        bad++;
      } else {
        count_ptx(r.ptx, side, a);
        if (nvdisasm && !count_sass(nvdisasm, r.cubin, r.cubin_bytes, side, a)) {
          printf("FAIL %s cannot read the machine code for sm_%d\n", nvdisasm, archs[a]);
          bad++;
        }
      }
      nvrtc_free(&r);
    }
  }
  free(source);
  if (bad) return 1;
  printf("Instructions beyond loading and storing the value; in parentheses what the hand-written kernel has, where that "
         "differs.\n");
  table(stdout, nvdisasm != NULL, have);
  bad = judge(nvdisasm != NULL, have);
  if (document && nvdisasm && !write_document(document, n, have)) bad++;
  return bad ? 1 : 0;
}
