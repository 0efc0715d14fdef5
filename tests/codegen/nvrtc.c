/* Run-time compilation: the single header as a string, no include path, no system header, for every architecture and language
 * level. Needs no GPU.
 *
 *   test_nvrtc [-l LIBNVRTC] [-q] FILE.c...
 *
 * Each kernel file is compiled with the headers that it includes from its own folder, handed over by name; a message of the compiler
 * is a failure, too. -q: each file for two of the architectures at which the header changes, in turn, instead of for all. Exit code:
 * 77 if there is no NVRTC. */
#include "nvrtc_load.h"
#include "warpport_single_string.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char saxpy[] =
    "#include <warpport/warpport.h>\n"
    "WP_KERNEL(k, WP_GLOBAL float *x, WP_GLOBAL unsigned long long *y, float a, int n) {\n"
    "  wp_i64 i = wp_global_rank();\n"
    "  if (i < n) x[i] = wp_reduce_add(wp_mask_all(), a * x[i]) + wp_shfl_xor(wp_mask_all(), x[i], 1);\n"
    "  if (i < n) y[i] = wp_scan_add(wp_mask_all(), y[i]) ^ (unsigned long long)wp_elect(wp_mask_all());\n"
    "}\n";

enum { max_headers = 32 };
typedef struct header_set {
  nvrtc_header list[max_headers];
  int count;
} header_set;

static bool has(const header_set *set, const char *name) {
  for (int i = 0; i < set->count; i++) {
    if (strcmp(set->list[i].name, name) == 0) return true;
  }
  return false;
}

/* Adds what text includes with quotes from folder, and what that includes. */
static bool add_local(header_set *set, const char *folder, const char *text) {
  for (const char *at = text; (at = strstr(at, "#include \"")) != NULL;) {
    char name[128], path[1024];
    at += strlen("#include \"");
    size_t n = strcspn(at, "\"\n");
    if (at[n] != '"' || n >= sizeof name) continue;
    memcpy(name, at, n);
    name[n] = 0;
    if (has(set, name)) continue;
    snprintf(path, sizeof path, "%s%s", folder, name);
    char *header = read_text(path);
    char *copy = malloc(n + 1);
    if (!header || !copy || set->count == max_headers) {
      free(header);
      free(copy);
      printf("FAIL cannot read %s\n", path);
      return false;
    }
    memcpy(copy, name, n + 1);
    set->list[set->count++] = (nvrtc_header){copy, header};
    if (!add_local(set, folder, header)) return false;
  }
  return true;
}

static void free_local(header_set *set) {
  for (int i = 1; i < set->count; i++) { /* 0 is the library's */
    free((void *)(size_t)set->list[i].name);
    free((void *)(size_t)set->list[i].text);
  }
  set->count = 1;
}

static int runs, failures;

static void try_one(const nvrtc *n, const char *name, const char *source, const header_set *set, int arch, int standard) {
  char arch_option[32], standard_option[32];
  snprintf(arch_option, sizeof arch_option, "-arch=compute_%d", arch);
  snprintf(standard_option, sizeof standard_option, "-std=c++%d", standard);
  const char *options[] = {arch_option, standard_option, "-fmad=false", "-no-source-include"};
  nvrtc_result r = nvrtc_compile(n, name, source, set->list, set->count, options, 4);
  runs++;
  bool good = r.ok && r.ptx && strstr(r.ptx, ".entry");
  if (!good || r.log[0] != 0) {
    failures++;
    printf("FAIL %s for compute_%d as C++%d: %s\n%s\n", name, arch, standard,
           !r.ok   ? "does not compile"
           : !good ? "gives no kernel"
                   : "compiles with messages",
           r.log);
  }
  nvrtc_free(&r);
}

int main(int argc, char **argv) {
  static const int standards[] = {11, 14, 17, 20};
  const char *library = NULL;
  char why[400];
  bool quick = false;
  int first = 1;
  for (; first < argc && argv[first][0] == '-'; first++) {
    if (strcmp(argv[first], "-l") == 0 && first + 1 < argc)
      library = argv[++first];
    else if (strcmp(argv[first], "-q") == 0)
      quick = true;
    else {
      fprintf(stderr, "usage: test_nvrtc [-l LIBNVRTC] [-q] FILE.c...\n");
      return 2;
    }
  }
  nvrtc *n = nvrtc_open(library, why, sizeof why);
  if (!n) {
    printf("SKIPPED: %s\n", why);
    return 77;
  }
  int archs[64], count = nvrtc_architectures(n, archs, 64), used = 0;
  for (int i = 0; i < count; i++) {
    if (archs[i] >= 75) archs[used++] = archs[i];
  }
  if (used == 0) {
    printf("FAIL this NVRTC names no architecture\n");
    return 1;
  }
  printf("NVRTC %s, compute_%d to compute_%d\n", nvrtc_version(n), archs[0], archs[used - 1]);

  header_set set = {{{"warpport/warpport.h", warpport_single_source}}, 1};
  for (int a = 0; a < used; a++) {
    for (int s = 0; s < 4; s++) try_one(n, "saxpy", saxpy, &set, archs[a], standards[s]);
  }
  for (int f = first; f < argc; f++) {
    const char *slash = strrchr(argv[f], '/');
    char folder[900];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - argv[f] + 1) : 0, argv[f]);
    char *source = read_text(argv[f]);
    if (!source || !add_local(&set, folder, source)) {
      printf("FAIL cannot read %s\n", argv[f]);
      failures++;
    } else {
      const char *name = slash ? slash + 1 : argv[f];
      for (int a = 0; a < used; a++) {
        bool even = archs[a] == 75 || archs[a] == 90, odd = archs[a] == 80 || a == used - 1;
        if (!quick || (f % 2 == 0 ? even : odd)) try_one(n, name, source, &set, archs[a], standards[(f + a) % 4]);
      }
    }
    free(source);
    free_local(&set);
  }
  printf("%d compilations, %d failed\n", runs, failures);
  return failures ? 1 : 0;
}
