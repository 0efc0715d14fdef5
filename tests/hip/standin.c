/* A stand-in for libamdhip64, for machines without an AMD GPU: the few functions that warpport's launcher uses, with one device whose
 * kernels run on an instruction emulator (emulate.py). WARPPORT_HIP_LIBRARY names it to a program:
 *     TINYGRAD_DIR=... WARPPORT_HIP_LIBRARY=.../libwarpport_hip_standin.so WARPPORT_EMULATED_GPU=gfx942 program
 * WARPPORT_EMULATE_PY: the script; WARPPORT_EMULATED_GPU: gfx90a, gfx942 (64 lanes), gfx1100, gfx1201 (32 lanes). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "code_object.h"

#define EXPORT __attribute__((visibility("default")))

enum { OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_IMAGE = 200, NO_BINARY = 209, NOT_FOUND = 500,
       ILLEGAL_ADDRESS = 700, LAUNCH_FAILURE = 719, UNKNOWN = 999 };

/* ---- the arena: all device memory, at the same address in the emulator's process ---- */

#define ARENA ((unsigned char *)0x200000000000)
#define ARENA_BYTES ((size_t)4 << 30)
static int arena_fd = -1;

typedef struct block { size_t at, bytes; struct block *next; } block; /* in use, by address */
static block *blocks;

static void *allocate(size_t bytes) {
  size_t at = 4096;
  block **link = &blocks;
  bytes = (bytes + 4095) & ~(size_t)4095; /* a gap of a page after each, so that a small overrun hits nothing */
  for (; *link && (*link)->at - at < bytes + 4096; link = &(*link)->next) at = (*link)->at + (*link)->bytes + 4096;
  if (at + bytes + 4096 > ARENA_BYTES || bytes > ARENA_BYTES) return NULL;
  block *b = malloc(sizeof *b);
  if (!b) return NULL;
  *b = (block){at, bytes, *link};
  *link = b;
  return ARENA + at;
}

static void release(void *p) {
  for (block **link = &blocks; *link; link = &(*link)->next) {
    if (ARENA + (*link)->at != (unsigned char *)p) continue;
    block *b = *link;
    *link = b->next;
    madvise(p, b->bytes, MADV_REMOVE);
    free(b);
    return;
  }
}

static int inside(const void *p, size_t bytes) {
  for (block *b = blocks; b; b = b->next)
    if ((const unsigned char *)p >= ARENA + b->at && (const unsigned char *)p + bytes <= ARENA + b->at + b->bytes) return 1;
  return 0;
}

/* ---- the emulator's process ---- */

static FILE *to_child, *from_child;
static pid_t child;
static char problem[1024];
static const char *gpu(void) {
  const char *name = getenv("WARPPORT_EMULATED_GPU");
  return name && *name ? name : "gfx942";
}
static int lanes(void) { return strncmp(gpu(), "gfx9", 4) == 0 ? 64 : 32; }

static int ask(const char *request, char *answer, size_t size) {
  answer[0] = 0;
  if (!to_child) return LAUNCH_FAILURE;
  fputs(request, to_child);
  fflush(to_child);
  if (!fgets(answer, (int)size, from_child)) {
    fprintf(stderr, "warpport HIP stand-in: the emulator ended during: %s", request);
    fclose(to_child);
    to_child = NULL;
    return ILLEGAL_ADDRESS; /* it runs kernels on its own memory: a wild pointer ends it */
  }
  if (strncmp(answer, "ok", 2) == 0) return OK;
  snprintf(problem, sizeof problem, "%s", answer);
  fprintf(stderr, "warpport HIP stand-in: %s", answer);
  return LAUNCH_FAILURE;
}

static int begin(void) {
  static int status = -1;
  int in[2], out[2];
  char fd[16], size[32], answer[1024];
  Dl_info self;
  void *address;
  int (*function)(unsigned);
  if (status >= 0) return status;
  status = NO_DEVICE;
  const char *script = getenv("WARPPORT_EMULATE_PY"), *tinygrad = getenv("TINYGRAD_DIR");
  if (!script || !tinygrad) {
    fprintf(stderr, "warpport HIP stand-in: TINYGRAD_DIR and WARPPORT_EMULATE_PY must be set\n");
    return status;
  }
  extern EXPORT int hipInit(unsigned);
  function = hipInit;
  memcpy(&address, &function, sizeof address);
  if (!dladdr(address, &self)) return status;
  arena_fd = memfd_create("warpport-arena", 0);
  if (arena_fd < 0 || ftruncate(arena_fd, (off_t)ARENA_BYTES) != 0) return status;
  if (mmap(ARENA, ARENA_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, arena_fd, 0) != ARENA) {
    fprintf(stderr, "warpport HIP stand-in: no room for device memory at %p: %s\n", (void *)ARENA, strerror(errno));
    return status;
  }
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) return status;
  snprintf(fd, sizeof fd, "%d", arena_fd);
  snprintf(size, sizeof size, "%zu", ARENA_BYTES);
  child = fork();
  if (child == 0) {
    const char *python = getenv("WARPPORT_PYTHON");
    dup2(in[0], 0);
    dup2(out[1], 1);
    execlp(python ? python : "python3", "python3", script, fd, size, self.dli_fname, (char *)NULL);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  if (child < 0) return status;
  to_child = fdopen(in[1], "w");
  from_child = fdopen(out[0], "r");
  if (!to_child || !from_child || !fgets(answer, sizeof answer, from_child) || strncmp(answer, "ok", 2) != 0) {
    fprintf(stderr, "warpport HIP stand-in: the emulator did not start: %s\n", answer);
    return status;
  }
  status = OK;
  return status;
}

static __attribute__((destructor)) void end(void) {
  if (getenv("WARPPORT_EMULATOR_STATISTICS") && to_child) {
    char answer[256];
    if (ask("clocks\n", answer, sizeof answer) == OK) fprintf(stderr, "warpport HIP stand-in: %s executed %s", gpu(), answer + 3);
  }
  if (to_child) fclose(to_child);
  if (from_child) fclose(from_child);
  if (child > 0) waitpid(child, NULL, 0);
}

/* ---- the functions ---- */

typedef struct module { int id; void *copy; code_object object; } module;
typedef struct function { module *m; code_object_kernel kernel; struct function *next; char name[]; } function;
static function *functions;
static int last;
static int note(int status) {
  if (status != OK) last = status;
  return status;
}

EXPORT int hipInit(unsigned flags) { (void)flags; return note(begin()); }
EXPORT int hipRuntimeGetVersion(int *v) { *v = 0; return OK; }
EXPORT const char *hipGetErrorName(int e) {
  switch (e) {
    case OK: return "hipSuccess";
    case INVALID_VALUE: return "hipErrorInvalidValue";
    case OUT_OF_MEMORY: return "hipErrorOutOfMemory";
    case NO_DEVICE: return "hipErrorNoDevice";
    case INVALID_IMAGE: return "hipErrorInvalidImage";
    case NO_BINARY: return "hipErrorNoBinaryForGpu";
    case NOT_FOUND: return "hipErrorNotFound";
    case ILLEGAL_ADDRESS: return "hipErrorIllegalAddress";
    case LAUNCH_FAILURE: return "hipErrorLaunchFailure";
    default: return "hipErrorUnknown";
  }
}
EXPORT const char *hipGetErrorString(int e) { return problem[0] ? problem : hipGetErrorName(e); }
EXPORT int hipGetLastError(void) { int e = last; last = OK; return e; }
EXPORT int hipGetDeviceCount(int *n) { *n = begin() == OK; return OK; }
EXPORT int hipDeviceGetName(char *name, int size, int device) {
  (void)device;
  snprintf(name, (size_t)size, "instruction emulator");
  return OK;
}
EXPORT int hipGetDevicePropertiesR0600(void *p, int device) {
  (void)device;
  snprintf((char *)p + 1160, 64, "%s", gpu());
  return OK;
}
EXPORT int hipDeviceGetAttribute(int *v, int attribute, int device) {
  (void)device;
  switch (attribute) {
    case 26: case 27: case 28: *v = 1024; return OK;
    case 29: *v = 0x7fffffff; return OK;
    case 30: case 31: *v = 65535; return OK;
    case 56: *v = 1024; return OK;
    case 74: *v = 65536; return OK;
    case 87: *v = lanes(); return OK;
    default: return INVALID_VALUE;
  }
}
EXPORT int hipSetDevice(int device) { return device == 0 ? note(begin()) : note(101); }
EXPORT int hipDeviceSynchronize(void) { return OK; }
EXPORT int hipMemGetInfo(size_t *available, size_t *total) {
  *total = *available = ARENA_BYTES;
  for (block *b = blocks; b; b = b->next) *available -= b->bytes + 4096;
  return OK;
}
EXPORT int hipMalloc(void **p, size_t bytes) {
  *p = allocate(bytes);
  return note(*p ? OK : OUT_OF_MEMORY);
}
EXPORT int hipFree(void *p) { release(p); return OK; }
EXPORT int hipMemcpy(void *to, const void *from, size_t bytes, int kind) {
  if (!inside(kind == 1 ? to : from, bytes)) return note(INVALID_VALUE);
  memcpy(to, from, bytes);
  return OK;
}
EXPORT int hipMemset(void *p, int value, size_t bytes) {
  if (!inside(p, bytes)) return note(INVALID_VALUE);
  memset(p, value, bytes);
  return OK;
}

EXPORT int hipModuleLoadData(void **result, const void *image) {
  static int next = 1;
  code_object o, found;
  char request[96], answer[1024];
  int any = 0;
  memset(&found, 0, sizeof found);
  /* The size of the image is not passed: the bundle tells where its parts are, an ELF file where its sections end. */
  size_t bytes = (size_t)1 << 40;
  for (int i = 0; code_object_get(image, bytes, i, &o); i++) {
    any = 1;
    if (strncmp(o.target, gpu(), strlen(gpu())) == 0 || o.target[0] == 0) found = o;
  }
  if (!found.data) return note(any ? NO_BINARY : INVALID_IMAGE);
  if (found.target[0] == 0) {
    uint64_t sections;
    uint16_t size, count;
    memcpy(&sections, found.data + 0x28, 8);
    memcpy(&size, found.data + 0x3a, 2);
    memcpy(&count, found.data + 0x3c, 2);
    found.bytes = (size_t)(sections + (uint64_t)size * count);
  }
  module *m = calloc(1, sizeof *m);
  if (!m) return note(OUT_OF_MEMORY);
  m->id = next++;
  m->copy = allocate(found.bytes);
  if (!m->copy) {
    free(m);
    return note(OUT_OF_MEMORY);
  }
  memcpy(m->copy, found.data, found.bytes);
  m->object = found;
  m->object.data = m->copy;
  snprintf(request, sizeof request, "load %d %llu %zu\n", m->id, (unsigned long long)(uintptr_t)m->copy, found.bytes);
  int status = ask(request, answer, sizeof answer);
  *result = m;
  return note(status);
}
EXPORT int hipModuleUnload(void *handle) {
  module *m = handle;
  char request[32], answer[1024];
  for (function **f = &functions; *f;) {
    function *gone = *f;
    if (gone->m != m) {
      f = &gone->next;
      continue;
    }
    *f = gone->next;
    free(gone);
  }
  snprintf(request, sizeof request, "unload %d\n", m->id);
  (void)ask(request, answer, sizeof answer);
  release(m->copy);
  free(m);
  return OK;
}
EXPORT int hipModuleGetFunction(void **result, void *handle, const char *name) {
  function *f = calloc(1, sizeof *f + strlen(name) + 1);
  if (!f) return note(OUT_OF_MEMORY);
  f->m = handle;
  memcpy(f->name, name, strlen(name) + 1);
  if (!code_object_find(&f->m->object, name, &f->kernel)) {
    free(f);
    return note(NOT_FOUND);
  }
  f->next = functions;
  functions = f;
  *result = f;
  return OK;
}
EXPORT int hipModuleLaunchKernel(void *handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                 unsigned shared, void *stream, void **arguments, void **extra) {
  function *f = handle;
  char request[512], answer[1024];
  unsigned char *kernarg = allocate(4096);
  (void)stream;
  (void)extra;
  if (!kernarg) return note(OUT_OF_MEMORY);
  unsigned bytes = 0;
  for (int i = 0; i < f->kernel.arg_count; i++) {
    const code_object_arg *a = &f->kernel.args[i];
    memcpy(kernarg + a->offset, arguments[i], a->bytes);
    if (a->offset + a->bytes > bytes) bytes = a->offset + a->bytes;
  }
  snprintf(request, sizeof request, "launch %d %s %u %u %u %u %u %u %u %llu %u\n", f->m->id, f->name, gx, gy, gz, bx, by, bz, shared,
           (unsigned long long)(uintptr_t)kernarg, bytes);
  problem[0] = 0;
  int status = ask(request, answer, sizeof answer);
  release(kernarg);
  return note(status);
}

/* Times are those of the emulator: they say nothing about a GPU. */
EXPORT int hipEventCreate(void **e) { *e = calloc(1, sizeof(struct timespec)); return note(*e ? OK : OUT_OF_MEMORY); }
EXPORT int hipEventDestroy(void *e) { free(e); return OK; }
EXPORT int hipEventRecord(void *e, void *stream) { (void)stream; clock_gettime(CLOCK_MONOTONIC, e); return OK; }
EXPORT int hipEventSynchronize(void *e) { (void)e; return OK; }
EXPORT int hipEventElapsedTime(float *ms, void *from, void *to) {
  struct timespec *a = from, *b = to;
  *ms = (float)((double)(b->tv_sec - a->tv_sec) * 1e3 + (double)(b->tv_nsec - a->tv_nsec) * 1e-6);
  return OK;
}
