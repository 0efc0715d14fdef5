/* Where OpenCL implementations differ from OpenCL's text, as small kernels without warpport. Each is one reason for a choice in
 * include/warpport/backend/opencl.h or in the launcher, and each runs in a process of its own, since some end it.
 *
 * usage: traps [PLATFORM]     a part of the platform's name; default: the first platform
 *
 * The table says on which implementation and versions a trap is known. A trap that is seen elsewhere fails the test: the launcher
 * does not know of it. One that is gone is only told: the workaround may go, too. */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "opencl/opencl_backend.h"

enum { SEEN = 10, RIGHT, NOT_APPLICABLE };

typedef struct known { const char *platform; int first, last; } known; /* major versions */

typedef struct trap {
  const char *name, *text, *options, *kernel;
  size_t threads;
  bool (*wrong)(const int *out, int threads);
  enum {
    ORDINARY,
    BUILD_TELLS = 1, /* the answer is whether it builds: it must not */
    REQUIRED_SIZE = 2, /* needs cl_intel_required_subgroup_size */
    NO_SUB_GROUPS = 4, /* needs no sub-groups */
    DAMAGED_BINARY = 8 /* is run from a binary of which half is missing: must be refused */
  } flags;
  known where[3];
  const char *variable, *value; /* of the environment */
  size_t rows; /* of threads; 0: one */
} trap;

#define HEAD "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
#define SIZE32 "__attribute__((intel_reqd_sub_group_size(32))) "

static bool partial_size(const int *out, int threads) { /* out: real size, full size, by thread */
  int last = threads % out[1] != 0 ? threads % out[1] : out[1];
  return out[2 * (threads - 1)] != last;
}
static bool barrier_stops(const int *out, int threads) {
  for (int i = 0; i < threads; i++)
    if (out[i] != 7) return true;
  return false;
}
static bool divergent(const int *out, int threads) { /* odd lanes exchange with their odd neighbours */
  for (int i = 0; i < threads; i++)
    if (out[i] != (i % 2 ? (i ^ 2) * 3 : -1)) return true;
  return false;
}
static bool uniform_branch(const int *out, int threads) {
  for (int i = 0; i < threads; i++)
    if (out[i] != (i / 32 == 0 ? (i ^ 1) * 3 : -1)) return true;
  return false;
}
static bool sub_groups_lost(const int *out, int threads) { return out[0] != (threads + 31) / 32; }
static bool size_ignored(const int *out, int threads) {
  (void)threads;
  return out[0] != 32;
}

static bool fma_flushes(const int *out, int threads) { /* 3 times the i-th denormal */
  for (int i = 0; i < threads; i++)
    if (out[i] != 3 * i) return true;
  return false;
}
static bool fma_rounds_twice(const int *out, int threads) {
  for (int i = 0; i < threads; i++)
    if (out[i] != i * i) return true;
  return false;
}
static bool low_bits(const int *out, int threads) {
  for (int i = 0; i < threads; i++)
    if (out[128 + 2 * i] != (-7 & 2047)) return true;
  return false;
}
static bool rows_apart(const int *out, int threads) { return out[0] != (3 * threads + out[1] - 1) / out[1]; }
static bool never(const int *out, int threads) {
  (void)out;
  (void)threads;
  return false;
}

static const trap traps[] = {
    {"get_sub_group_size() in a partial last sub-group",
     HEAD "__kernel void k(__global int *out) { int i = (int)get_local_id(0); out[2 * i] = (int)get_sub_group_size();"
          " out[2 * i + 1] = (int)get_max_sub_group_size(); }",
     "-cl-std=CL3.0", "k", 37, partial_size, ORDINARY, {{"rusticl", 25, 99}}, NULL, NULL, 0},
    {"sub_group_barrier() in a loop that is uniform in the sub-group",
     HEAD "__kernel void k(__global int *out) { int i = (int)get_local_id(0); for (int j = 0; j < (int)get_sub_group_id(); j++)"
          " sub_group_barrier(CLK_LOCAL_MEM_FENCE); out[i] = 7; }",
     "-cl-std=CL3.0", "k", 64, barrier_stops, ORDINARY, {{"rusticl", 25, 99}}, NULL, NULL, 0},
    {"extension macros in a mode without the functions",
     "__kernel void k(__global int *out) {\n#ifdef cl_khr_subgroup_shuffle\n out[0] = (int)get_sub_group_local_id();\n#endif\n}",
     "-cl-std=CL1.2", "k", 1, NULL, BUILD_TELLS, {{"rusticl", 25, 99}}, NULL, NULL, 0},
    {"shuffle in a divergent branch",
     HEAD SIZE32 "__kernel void k(__global int *out) { int i = (int)get_local_id(0), v = i * 3; out[i] = -1; if (i & 1)"
                 " { v = sub_group_shuffle_xor(v, 2u); out[i] = v; } }",
     "-cl-std=CL3.0", "k", 64, divergent, REQUIRED_SIZE, {{"Portable Computing Language", 5, 6}}, NULL, NULL, 0},
    {"shuffle in a branch that is uniform in the sub-group",
     HEAD SIZE32 "__kernel void k(__global int *out) { int i = (int)get_local_id(0), v = i * 3; out[i] = -1; if (get_sub_group_id() == 0)"
                 " { v = sub_group_shuffle_xor(v, 1u); out[i] = v; } }",
     "-cl-std=CL3.0", "k", 64, uniform_branch, REQUIRED_SIZE, {{"Portable Computing Language", 5, 6}}, NULL, NULL, 0},
    {"number of sub-groups in a block that is no multiple of their size",
     HEAD SIZE32 "__kernel void k(__global int *out) { if (get_local_id(0) == 0) out[0] = (int)get_num_sub_groups(); }",
     "-cl-std=CL3.0", "k", 37, sub_groups_lost, REQUIRED_SIZE, {{"Portable Computing Language", 5, 6}}, NULL, NULL, 0},
    {"a required sub-group size that is not one of the device's",
     HEAD SIZE32 "__kernel void k(__global int *out) { out[0] = (int)get_max_sub_group_size(); }",
     "-cl-std=CL3.0", "k", 64, size_ignored, ORDINARY, {{"rusticl", 25, 99}}, NULL, NULL, 0},
    {"fma() of denormal floats",
     "__kernel void k(__global int *out) { int i = (int)get_local_id(0); out[i] = as_int(fma(as_float(i), 2.0f, as_float(i))); }",
     "-cl-std=CL1.2", "k", 16, fma_flushes, NO_SUB_GROUPS, {{"rusticl", 25, 99}}, NULL, NULL, 0},
    {"fma() of doubles",
     "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n__kernel void k(__global int *out) { int i = (int)get_local_id(0);"
     " double x = 1.0 + i * 0x1p-30; out[i] = (int)(fma(x, x, -(1.0 + i * 0x1p-29)) * 0x1p60); }",
     "-cl-std=CL1.2", "k", 8, fma_rounds_twice, NO_SUB_GROUPS, {{"rusticl", 25, 99}}, "RUSTICL_FEATURES", "fp64", 0},
    {"64-bit integers and a constant, where a sub-group has 16 lanes",
     "__kernel void k(__global int *out) { int i = (int)get_local_id(0); __global ulong *in = (__global ulong *)out;"
     " in[64 + i] = in[i] & 2047ul; }",
     "-cl-std=CL3.0", "k", 64, low_bits, NO_SUB_GROUPS, {{"rusticl", 25, 99}}, "LP_NATIVE_VECTOR_WIDTH", "512", 0},
    {"sub-groups of a block of several rows",
     HEAD "__kernel void k(__global int *out) { if (get_local_linear_id() == 0) { out[0] = (int)get_num_sub_groups();"
          " out[1] = (int)get_max_sub_group_size(); } }",
     "-cl-std=CL3.0", "k", 5, rows_apart, ORDINARY, {{"Intel(R) OpenCL", 2026, 2026}}, NULL, NULL, 3},
    {"half of a binary", "__kernel void k(__global int *out) { out[0] = 1; }",
     "-cl-std=CL1.2", "k", 1, never, NO_SUB_GROUPS | DAMAGED_BINARY, {{"Portable Computing Language", 3, 6}}, NULL, NULL, 0},
};

/* Right is any answer at all. */
static int damaged(const wp__cl *cl, cl_context context, const wp__cl_traits *d, cl_program p) {
  size_t bytes = 0;
  cl_int error, state;
  if (cl->program_info(p, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) != CL_SUCCESS || bytes == 0) return NOT_APPLICABLE;
  unsigned char *data = malloc(bytes);
  if (data == NULL || cl->program_info(p, CL_PROGRAM_BINARIES, sizeof data, &data, NULL) != CL_SUCCESS) return NOT_APPLICABLE;
  bytes /= 2;
  const unsigned char *half = data;
  p = cl->program_with_binary(context, 1, &d->id, &bytes, &half, &state, &error);
  if (error == CL_SUCCESS) (void)cl->build(p, 1, &d->id, "", NULL, NULL);
  free(data);
  return RIGHT;
}

static int run(const trap *t, const wp__cl_traits *d) {
  const wp__cl *cl = wp__cl_driver();
  cl_int error;
  int out[256];
  if (!(t->flags & NO_SUB_GROUPS) && !d->sub_groups) return NOT_APPLICABLE;
  if ((t->flags & REQUIRED_SIZE) && !d->required_size) return NOT_APPLICABLE;
  cl_context context = cl->create_context(NULL, 1, &d->id, NULL, NULL, &error);
  if (error != CL_SUCCESS) return NOT_APPLICABLE;
  cl_command_queue queue = cl->create_queue(context, d->id, 0, &error);
  cl_program p = cl->program_with_source(context, 1, (const char *[]){t->text}, NULL, &error);
  bool built = cl->build(p, 1, &d->id, t->options, NULL, NULL) == CL_SUCCESS;
  if (t->flags & BUILD_TELLS) return built ? RIGHT : SEEN;
  if (!built) return NOT_APPLICABLE;
  if (t->flags & DAMAGED_BINARY) return damaged(cl, context, d, p);
  cl_kernel k = cl->create_kernel(p, t->kernel, &error);
  cl_mem memory = cl->create_buffer(context, CL_MEM_READ_WRITE, sizeof out, NULL, &error);
  for (int i = 0; i < 256; i++) out[i] = -7;
  if (cl->write(queue, memory, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL) != CL_SUCCESS) return NOT_APPLICABLE;
  if (cl->set_arg(k, 0, sizeof memory, &memory) != CL_SUCCESS) return NOT_APPLICABLE;
  const size_t block[2] = {t->threads, t->rows > 0 ? t->rows : 1};
  if (cl->launch(queue, k, 2, NULL, block, block, 0, NULL, NULL) != CL_SUCCESS) return SEEN;
  if (cl->read(queue, memory, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL) != CL_SUCCESS) return SEEN;
  return t->wrong(out, (int)t->threads) ? SEEN : RIGHT;
}

/* Everything that talks to the driver happens in children: drivers do not survive a fork. */
static int in_child(const char *platform, int which, char *about, size_t size) {
  int fd[2], state = 0;
  if (pipe(fd) != 0) return NOT_APPLICABLE;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    if (which >= 0 && traps[which].variable != NULL) setenv(traps[which].variable, traps[which].value, 1);
    const wp__cl *cl = wp__cl_driver();
    cl_platform_id platforms[16];
    cl_uint count = 0;
    wp__cl_traits d;
    memset(&d, 0, sizeof d);
    close(fd[0]);
    alarm(30);
    if (cl == NULL || cl->platform_ids(16, platforms, &count) != CL_SUCCESS) _exit(NOT_APPLICABLE);
    for (cl_uint i = 0; i < count && i < 16; i++) {
      cl_device_id id;
      if (cl->device_ids(platforms[i], CL_DEVICE_TYPE_ALL, 1, &id, NULL) != CL_SUCCESS) continue;
      wp__cl_query(platforms[i], id, &d);
      if (strstr(d.platform_name, platform) != NULL) break;
      d.id = NULL;
    }
    if (d.id == NULL) _exit(NOT_APPLICABLE);
    char text[256];
    int n = snprintf(text, sizeof text, "%s|%s", d.platform_name, d.driver);
    if (n > 0 && write(fd[1], text, (size_t)n + 1) != n + 1) _exit(NOT_APPLICABLE);
    _exit(which < 0 ? RIGHT : run(&traps[which], &d));
  }
  close(fd[1]);
  ssize_t n = read(fd[0], about, size - 1);
  about[n > 0 ? n : 0] = 0;
  close(fd[0]);
  if (child < 0 || waitpid(child, &state, 0) != child) return NOT_APPLICABLE;
  /* killed, or ended by the driver: that is a trap, too */
  return WIFEXITED(state) && WEXITSTATUS(state) >= SEEN && WEXITSTATUS(state) <= NOT_APPLICABLE ? WEXITSTATUS(state) : SEEN;
}

int main(int argc, char **argv) {
  const char *platform = argc > 1 ? argv[1] : "";
  char about[256], *version;
  int failed = 0, passed = 0, skipped = 0;
  if (in_child(platform, -1, about, sizeof about) != RIGHT) {
    printf("SKIPPED: no OpenCL platform '%s' here\n0 passed, 0 failed, 1 skipped\n", platform);
    return 0;
  }
  version = strchr(about, '|');
  *version++ = 0;
  printf("%s, %s\n", about, version);
  for (int i = 0; i < (int)(sizeof traps / sizeof *traps); i++) {
    char ignored[256];
    bool expected = false;
    for (const known *k = traps[i].where; k < traps[i].where + 3 && k->platform != NULL; k++)
      expected = expected || (strcmp(k->platform, about) == 0 && atoi(version) >= k->first && atoi(version) <= k->last);
    int result = in_child(platform, i, ignored, sizeof ignored);
    const char *text = result == NOT_APPLICABLE ? "not here" : result == SEEN ? (expected ? "wrong, as known" : "WRONG, AND NOT KNOWN") :
                       expected ? "right; known as wrong, so it has been repaired" : "right";
    printf("  %-70s %s\n", traps[i].name, text);
    if (result == NOT_APPLICABLE) skipped++;
    else if (result == SEEN && !expected) failed++;
    else passed++;
  }
  printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
  return failed != 0;
}
