/* NVRTC, opened at run time, so that these tests build and say why they skip on a machine without it. */
#ifndef WARPPORT_TESTS_NVRTC_LOAD_H
#define WARPPORT_TESTS_NVRTC_LOAD_H

#include <stdbool.h>
#include <stddef.h>

typedef struct nvrtc nvrtc;

/* path: the library, or NULL for $WARPPORT_NVRTC and then the usual names. NULL if there is none; why then says so. */
nvrtc *nvrtc_open(const char *path, char *why, size_t size);
const char *nvrtc_version(const nvrtc *n);                    /* "13.0" */
int nvrtc_architectures(const nvrtc *n, int *list, int size); /* 75, 80, ...; returns how many */

typedef struct nvrtc_header {
  const char *name, *text;
} nvrtc_header;

typedef struct nvrtc_result {
  bool ok;
  char *log;   /* "" if the compiler had nothing to say */
  char *ptx;   /* zero-terminated */
  char *cubin; /* NULL for a virtual architecture */
  size_t cubin_bytes;
} nvrtc_result;

/* Compiles with no include path: only the headers given exist. */
nvrtc_result nvrtc_compile(const nvrtc *n, const char *name, const char *source, const nvrtc_header *headers, int header_count,
                           const char *const *options, int option_count);
void nvrtc_free(nvrtc_result *r);

/* A whole file, zero-terminated; NULL if it cannot be read. */
char *read_text(const char *path);

#endif
