/* A CUDA driver that runs nothing: libcuda.so.1 for test_driver.c, so that what the CUDA backend does with a driver can be tested
 * without a GPU. Device memory is host memory, 1 MiB of it. The text of an image lists its kernels:
 *
 *   "kernel NAME SIZE SIZE...\n"   a kernel and the sizes of its parameters
 *   "text NAME PARAMETERS\n"       what WP_KERNEL notes of them
 *   "registers NAME N\n"           it runs with at most N threads a block
 *   "shared NAME N\n"              static shared memory
 *   "faults NAME\n"                launching it fails, and so does everything after
 *   "broken\n"                     cannot be loaded
 *
 * OLD_DRIVER: without cuFuncGetParamInfo, as before CUDA 12.4. */
#include <cuda.h>
#undef cuDevicePrimaryCtxRelease
#undef cuCtxPushCurrent
#undef cuCtxPopCurrent
#undef cuMemGetInfo
#undef cuMemAlloc
#undef cuMemFree
#undef cuMemcpyHtoD
#undef cuMemcpyDtoH
#undef cuMemsetD8
#undef cuModuleGetGlobal
#undef cuEventDestroy
#undef cuEventElapsedTime

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_driver.h"

fake_state fake;

enum { total = 1 << 20 };
static struct {
  void *address;
  size_t bytes;
} blocks[256];
static size_t used;

struct CUfunc_st {
  char name[64];
  size_t sizes[16];
  int count, max_threads, static_shared, dynamic;
  int faults;
};
struct CUmod_st {
  struct CUfunc_st functions[8];
  char texts[8][256];
  int count;
};

static CUresult answer(CUresult r) { return fake.lost ? CUDA_ERROR_ILLEGAL_ADDRESS : r; }
static CUresult in_context(void) { return fake.depth > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT; }

CUresult cuInit(unsigned flags) {
  (void)flags;
  return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int *v) {
  *v = 12080;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult r, const char **s) {
  *s = r == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_FAKE";
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult r, const char **s) {
  (void)r;
  *s = "as the test wanted";
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int *n) {
  *n = 3;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *d, int i) {
  *d = i;
  return i < 3 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuDeviceGetName(char *s, int n, CUdevice d) {
  snprintf(s, (size_t)n, "Fake %d", d);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *v, CUdevice_attribute a, CUdevice d) {
  switch (a) {
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *v = d == 2 ? 6 : 9; break;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *v = d == 2 ? 1 : 0; break;
  case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *v = 32; break;
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *v = 1024; break;
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y: *v = 1024; break;
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: *v = 64; break;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: *v = 2147483647; break;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: *v = 65535; break;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: *v = 100000; break;
  default: *v = 0;
  }
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice d) {
  if (fake.fail_retain) return CUDA_ERROR_OUT_OF_MEMORY;
  if (fake.lost) return CUDA_ERROR_ILLEGAL_ADDRESS;
  fake.contexts++;
  *c = (CUcontext)(size_t)(d + 1);
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice d) {
  (void)d;
  fake.contexts--; /* what is lost stays lost, as with the real one */
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent_v2(CUcontext c) {
  (void)c;
  fake.depth++;
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent_v2(CUcontext *c) {
  *c = NULL;
  fake.depth--;
  return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize(void) { return answer(in_context()); }
CUresult cuMemGetInfo_v2(size_t *f, size_t *t) {
  *f = total - used;
  *t = total;
  return answer(in_context());
}
CUresult cuMemAlloc_v2(CUdeviceptr *p, size_t n) {
  if (in_context() != CUDA_SUCCESS) return CUDA_ERROR_INVALID_CONTEXT;
  if (n > total - used) return CUDA_ERROR_OUT_OF_MEMORY;
  for (int i = 0; i < 256; i++) {
    if (blocks[i].address) continue;
    blocks[i].address = malloc(n);
    if (!blocks[i].address) return CUDA_ERROR_OUT_OF_MEMORY;
    blocks[i].bytes = n;
    used += n;
    fake.buffers++;
    *p = (CUdeviceptr)(size_t)blocks[i].address;
    return answer(CUDA_SUCCESS);
  }
  return CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult cuMemFree_v2(CUdeviceptr p) {
  for (int i = 0; i < 256; i++) {
    if (!blocks[i].address || (CUdeviceptr)(size_t)blocks[i].address != p) continue;
    free(blocks[i].address);
    blocks[i].address = NULL;
    used -= blocks[i].bytes;
    fake.buffers--;
    return answer(in_context());
  }
  return CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemcpyHtoD_v2(CUdeviceptr d, const void *s, size_t n) {
  memcpy((void *)(size_t)d, s, n);
  return answer(in_context());
}
CUresult cuMemcpyDtoH_v2(void *d, CUdeviceptr s, size_t n) {
  memcpy(d, (void *)(size_t)s, n);
  return answer(in_context());
}
CUresult cuMemsetD8_v2(CUdeviceptr d, unsigned char b, size_t n) {
  memset((void *)(size_t)d, b, n);
  return answer(in_context());
}

static struct CUfunc_st *function_of(CUmodule m, const char *name) {
  for (int i = 0; i < m->count; i++) {
    if (strcmp(m->functions[i].name, name) == 0) return &m->functions[i];
  }
  return NULL;
}

CUresult cuModuleLoadDataEx(CUmodule *m, const void *data, unsigned n, CUjit_option *options, void **values) {
  if (in_context() != CUDA_SUCCESS) return CUDA_ERROR_INVALID_CONTEXT;
  if (strncmp(data, "broken", 6) == 0) {
    for (unsigned i = 0; i < n; i++) {
      if (options[i] == CU_JIT_ERROR_LOG_BUFFER) strcpy(values[i], "line 1: syntax error");
    }
    return CUDA_ERROR_INVALID_PTX;
  }
  struct CUmod_st *mod = calloc(1, sizeof *mod);
  if (!mod) return CUDA_ERROR_OUT_OF_MEMORY;
  char line[512];
  for (const char *at = data; *at;) {
    size_t length = strcspn(at, "\n");
    snprintf(line, sizeof line, "%.*s", (int)length, at);
    at += length + (at[length] == '\n');
    char what[16] = "", name[64] = "";
    int used_chars = 0;
    if (sscanf(line, "%15s %63s%n", what, name, &used_chars) < 2) continue;
    if (strcmp(what, "kernel") == 0) {
      struct CUfunc_st *f = &mod->functions[mod->count++];
      snprintf(f->name, sizeof f->name, "%s", name);
      f->max_threads = 1024;
      f->dynamic = 48 * 1024;
      for (char *s = line + used_chars, *end;; s = end) {
        unsigned long size = strtoul(s, &end, 10);
        if (end == s) break;
        f->sizes[f->count++] = size;
      }
      continue;
    }
    struct CUfunc_st *f = function_of(mod, name);
    if (!f) continue;
    if (strcmp(what, "text") == 0) snprintf(mod->texts[f - mod->functions], 256, "%s", line + used_chars + 1);
    if (strcmp(what, "registers") == 0) f->max_threads = atoi(line + used_chars);
    if (strcmp(what, "shared") == 0) f->static_shared = atoi(line + used_chars);
    if (strcmp(what, "faults") == 0) f->faults = 1;
  }
  fake.modules++;
  fake.loads++;
  *m = mod;
  return answer(CUDA_SUCCESS);
}
CUresult cuModuleUnload(CUmodule m) {
  free(m);
  fake.modules--;
  return answer(in_context());
}
CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name) {
  *f = function_of(m, name);
  return *f ? answer(in_context()) : CUDA_ERROR_NOT_FOUND;
}
CUresult cuModuleGetGlobal_v2(CUdeviceptr *p, size_t *n, CUmodule m, const char *name) {
  if (strncmp(name, "wpb_signature_", 14) != 0) return CUDA_ERROR_NOT_FOUND;
  struct CUfunc_st *f = function_of(m, name + 14);
  if (!f || !m->texts[f - m->functions][0]) return CUDA_ERROR_NOT_FOUND;
  *p = (CUdeviceptr)(size_t)m->texts[f - m->functions];
  *n = strlen(m->texts[f - m->functions]) + 1;
  return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int *v, CUfunction_attribute a, CUfunction f) {
  *v = a == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK           ? f->max_threads
       : a == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES             ? f->static_shared
       : a == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ? f->dynamic
                                                              : 0;
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute a, int v) {
  if (a != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || v + f->static_shared > 100000) return CUDA_ERROR_INVALID_VALUE;
  f->dynamic = v;
  return CUDA_SUCCESS;
}
#ifndef OLD_DRIVER
CUresult cuFuncGetParamInfo(CUfunction f, size_t i, size_t *offset, size_t *size) {
  if (i >= (size_t)f->count) return CUDA_ERROR_INVALID_VALUE;
  *offset = 0;
  *size = f->sizes[i];
  return CUDA_SUCCESS;
}
#endif
CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, CUstream s, void **params, void **extra) {
  (void)s;
  (void)extra;
  if (in_context() != CUDA_SUCCESS || shared > (unsigned)f->dynamic) return CUDA_ERROR_INVALID_VALUE;
  fake.grid[0] = gx, fake.grid[1] = gy, fake.grid[2] = gz;
  fake.block[0] = bx, fake.block[1] = by, fake.block[2] = bz;
  fake.shared = shared;
  memset(fake.params, 0, sizeof fake.params);
  for (int i = 0; i < f->count && i < 16; i++) memcpy(&fake.params[i], params[i], f->sizes[i] < 16 ? f->sizes[i] : 16);
  fake.launches++;
  if (f->faults) fake.lost = 1;
  return CUDA_SUCCESS;
}
CUresult cuEventCreate(CUevent *e, unsigned flags) {
  (void)flags;
  fake.events++;
  *e = (CUevent)(size_t)fake.events;
  return CUDA_SUCCESS;
}
CUresult cuEventDestroy_v2(CUevent e) {
  (void)e;
  fake.events--;
  return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent e, CUstream s) {
  (void)e;
  (void)s;
  return answer(in_context());
}
CUresult cuEventSynchronize(CUevent e) {
  (void)e;
  return answer(in_context());
}
CUresult cuEventElapsedTime(float *ms, CUevent a, CUevent b) {
  (void)a;
  (void)b;
  *ms = 1.5f;
  return CUDA_SUCCESS;
}
