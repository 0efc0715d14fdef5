/* Reading AMD code objects: clang's offload bundles, and the kernel descriptions in an ELF file's notes. No ROCm library is needed,
 * so a launch can be checked against the kernel's parameters on every HIP version. */
#ifndef WARPPORT_BACKENDS_CODE_OBJECT_H
#define WARPPORT_BACKENDS_CODE_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct code_object {
  char target[64]; /* "gfx90a", "gfx942:sramecc+"; "" if the image is a bare ELF file */
  const unsigned char *data;
  size_t bytes;
} code_object;

/* Item number index of an image: the parts of a bundle that hold device code, or the image itself. False when there are no more;
 * a compressed bundle has none that can be read. */
bool code_object_get(const void *image, size_t bytes, int index, code_object *result);

enum { CODE_OBJECT_ARGS = 64 };
typedef struct code_object_arg {
  uint32_t offset, bytes;
  bool pointer; /* to global memory */
} code_object_arg;

typedef struct code_object_kernel {
  int arg_count; /* of the source text; the compiler's own are not counted */
  code_object_arg args[CODE_OBJECT_ARGS];
  uint32_t kernarg_bytes, static_shared, max_threads, wave;
} code_object_kernel;

/* Looks a kernel up in the metadata (LLVM, AMDGPUUsage, "Code Object V3 Metadata" and later). False if it is not there. */
bool code_object_find(const code_object *o, const char *name, code_object_kernel *result);

#endif
