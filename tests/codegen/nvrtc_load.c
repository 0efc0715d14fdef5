#include "nvrtc_load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct program program; /* nvrtcProgram is a pointer to an opaque struct; nvrtcResult is 0 for success */

/* X(member, symbol, parameters): declared here as nvrtc.h does, which need not be installed. */
#define FUNCTIONS(X)                                                                                                             \
  X(version, "nvrtcVersion", (int *, int *))                                                                                     \
  X(arch_count, "nvrtcGetNumSupportedArchs", (int *))                                                                            \
  X(archs, "nvrtcGetSupportedArchs", (int *))                                                                                    \
  X(create, "nvrtcCreateProgram", (program **, const char *, const char *, int, const char *const *, const char *const *))       \
  X(destroy, "nvrtcDestroyProgram", (program **))                                                                                \
  X(compile, "nvrtcCompileProgram", (program *, int, const char *const *))                                                       \
  X(log_size, "nvrtcGetProgramLogSize", (program *, size_t *))                                                                   \
  X(log, "nvrtcGetProgramLog", (program *, char *))                                                                              \
  X(ptx_size, "nvrtcGetPTXSize", (program *, size_t *))                                                                          \
  X(ptx, "nvrtcGetPTX", (program *, char *))                                                                                     \
  X(cubin_size, "nvrtcGetCUBINSize", (program *, size_t *))                                                                      \
  X(cubin, "nvrtcGetCUBIN", (program *, char *))

struct nvrtc {
#define MEMBER(member, symbol, parameters) int(*member) parameters;
  FUNCTIONS(MEMBER)
#undef MEMBER
  char text[32];
};

nvrtc *nvrtc_open(const char *path, char *why, size_t size) {
  static nvrtc n;
  const char *names[] = {path && *path ? path : getenv("WARPPORT_NVRTC"), "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  void *library = NULL;
  for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++) {
    if (names[i] && *names[i]) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  }
  if (!library) {
    const char *error = dlerror();
    snprintf(why, size, "no NVRTC: %s", error ? error : "dlopen failed");
    return NULL;
  }
  void *address;
#define LOAD(member, symbol, parameters)                                                                                         \
  address = dlsym(library, symbol);                                                                                              \
  if (!address) {                                                                                                                \
    snprintf(why, size, "this NVRTC is too old: it has no %s", symbol);                                                          \
    return NULL;                                                                                                                 \
  }                                                                                                                              \
  memcpy(&n.member, &address, sizeof address);
  FUNCTIONS(LOAD)
#undef LOAD
  int major = 0, minor = 0;
  if (n.version(&major, &minor) != 0) {
    snprintf(why, size, "nvrtcVersion failed");
    return NULL;
  }
  snprintf(n.text, sizeof n.text, "%d.%d", major, minor);
  return &n;
}

const char *nvrtc_version(const nvrtc *n) { return n->text; }

int nvrtc_architectures(const nvrtc *n, int *list, int size) {
  int count = 0;
  if (n->arch_count(&count) != 0 || count <= 0) return 0;
  int *all = malloc((size_t)count * sizeof *all);
  if (!all) abort();
  int result = 0;
  if (n->archs(all) == 0) {
    for (int i = 0; i < count && result < size; i++) list[result++] = all[i];
  }
  free(all);
  return result;
}

static char *get(int (*get_size)(program *, size_t *), int (*fill)(program *, char *), program *p, size_t *bytes) {
  size_t n = 0;
  if (get_size(p, &n) != 0 || n == 0) return NULL;
  char *text = calloc(1, n + 1);
  if (!text) abort();
  if (fill(p, text) != 0) {
    free(text);
    return NULL;
  }
  if (bytes) *bytes = n;
  return text;
}

nvrtc_result nvrtc_compile(const nvrtc *n, const char *name, const char *source, const nvrtc_header *headers, int header_count,
                           const char *const *options, int option_count) {
  nvrtc_result r = {false, NULL, NULL, NULL, 0};
  program *p = NULL;
  const char **names = calloc((size_t)header_count + 1, sizeof *names), **texts = calloc((size_t)header_count + 1, sizeof *texts);
  if (!names || !texts) abort();
  for (int i = 0; i < header_count; i++) {
    names[i] = headers[i].name;
    texts[i] = headers[i].text;
  }
  if (n->create(&p, source, name, header_count, texts, names) == 0) {
    r.ok = n->compile(p, option_count, options) == 0;
    r.log = get(n->log_size, n->log, p, NULL);
    if (r.ok) {
      r.ptx = get(n->ptx_size, n->ptx, p, NULL);
      r.cubin = get(n->cubin_size, n->cubin, p, &r.cubin_bytes);
    }
    (void)n->destroy(&p);
  }
  if (!r.log) {
    r.log = calloc(1, 1);
    if (!r.log) abort();
  }
  free(names);
  free(texts);
  return r;
}

void nvrtc_free(nvrtc_result *r) {
  free(r->log);
  free(r->ptx);
  free(r->cubin);
  memset(r, 0, sizeof *r);
}

char *read_text(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  size_t used = 0, room = 1 << 16;
  char *text = malloc(room);
  if (!text) abort();
  size_t got;
  while ((got = fread(text + used, 1, room - used - 1, f)) > 0) {
    used += got;
    if (used + 1 == room) {
      room *= 2;
      text = realloc(text, room);
      if (!text) abort();
    }
  }
  text[used] = 0;
  (void)fclose(f);
  return text;
}
