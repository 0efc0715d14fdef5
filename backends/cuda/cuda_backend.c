/* The CUDA backend of launch.h, over the driver API.
 *
 * The driver is opened when it is first needed, so a program with this backend starts on a machine without one. cuda.h gives types
 * only. Functions are looked up by the names that every driver since CUDA 11 has, whatever version cuda.h is of; what a driver
 * may lack is optional below.
 *
 * A device retains the primary context, which it shares with the CUDA runtime and other libraries of the process. Modules of the
 * registered images are loaded one after the other, when a kernel is first looked for in them. */
#include "gpu.h"

#include <cuda.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the driver ---- */

/* X(member, symbol, parameters) */
#define DRIVER_FUNCTIONS(X)                                                                                                      \
  X(init, "cuInit", (unsigned))                                                                                                  \
  X(driver_version, "cuDriverGetVersion", (int *))                                                                               \
  X(error_name, "cuGetErrorName", (CUresult, const char **))                                                                     \
  X(error_string, "cuGetErrorString", (CUresult, const char **))                                                                 \
  X(device_count, "cuDeviceGetCount", (int *))                                                                                   \
  X(device_get, "cuDeviceGet", (CUdevice *, int))                                                                                \
  X(device_name, "cuDeviceGetName", (char *, int, CUdevice))                                                                     \
  X(device_attribute, "cuDeviceGetAttribute", (int *, CUdevice_attribute, CUdevice))                                             \
  X(context_retain, "cuDevicePrimaryCtxRetain", (CUcontext *, CUdevice))                                                         \
  X(context_release, "cuDevicePrimaryCtxRelease_v2", (CUdevice))                                                                 \
  X(context_push, "cuCtxPushCurrent_v2", (CUcontext))                                                                            \
  X(context_pop, "cuCtxPopCurrent_v2", (CUcontext *))                                                                            \
  X(synchronize, "cuCtxSynchronize", (void))                                                                                     \
  X(memory_info, "cuMemGetInfo_v2", (size_t *, size_t *))                                                                        \
  X(alloc, "cuMemAlloc_v2", (CUdeviceptr *, size_t))                                                                             \
  X(free, "cuMemFree_v2", (CUdeviceptr))                                                                                         \
  X(to_device, "cuMemcpyHtoD_v2", (CUdeviceptr, const void *, size_t))                                                           \
  X(to_host, "cuMemcpyDtoH_v2", (void *, CUdeviceptr, size_t))                                                                   \
  X(fill, "cuMemsetD8_v2", (CUdeviceptr, unsigned char, size_t))                                                                 \
  X(module_load, "cuModuleLoadDataEx", (CUmodule *, const void *, unsigned, CUjit_option *, void **))                            \
  X(module_unload, "cuModuleUnload", (CUmodule))                                                                                 \
  X(module_function, "cuModuleGetFunction", (CUfunction *, CUmodule, const char *))                                              \
  X(module_global, "cuModuleGetGlobal_v2", (CUdeviceptr *, size_t *, CUmodule, const char *))                                    \
  X(function_attribute, "cuFuncGetAttribute", (int *, CUfunction_attribute, CUfunction))                                         \
  X(function_set, "cuFuncSetAttribute", (CUfunction, CUfunction_attribute, int))                                                 \
  X(launch, "cuLaunchKernel",                                                                                                    \
    (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **))              \
  X(event_create, "cuEventCreate", (CUevent *, unsigned))                                                                        \
  X(event_destroy, "cuEventDestroy_v2", (CUevent))                                                                               \
  X(event_record, "cuEventRecord", (CUevent, CUstream))                                                                          \
  X(event_synchronize, "cuEventSynchronize", (CUevent))                                                                          \
  X(event_elapsed, "cuEventElapsedTime", (float *, CUevent, CUevent))
/* From CUDA 12.4 on: the sizes of a kernel's parameters. */
#define DRIVER_OPTIONAL(X) X(parameter_info, "cuFuncGetParamInfo", (CUfunction, size_t, size_t *, size_t *))

static struct {
#define MEMBER(member, symbol, parameters) CUresult(*member) parameters;
  DRIVER_FUNCTIONS(MEMBER)
  DRIVER_OPTIONAL(MEMBER)
#undef MEMBER
  int version;
  char problem[320]; /* why it cannot be used; "" if it can */
} cu;
static pthread_once_t driver_once = PTHREAD_ONCE_INIT;

static const char *error_text(CUresult r, char *text, size_t size) {
  const char *name = NULL, *string = NULL;
  if (!cu.error_name || cu.error_name(r, &name) != CUDA_SUCCESS || !name) name = "unknown error";
  if (!cu.error_string || cu.error_string(r, &string) != CUDA_SUCCESS || !string) string = "";
  snprintf(text, size, "%s (%d): %s", name, (int)r, string);
  return text;
}

static void open_driver(void) {
  static const char *const names[] = {"libcuda.so.1", "libcuda.so"};
  void *library = NULL;
  char why[160] = "";
  for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++) {
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library && i == 0) {
      const char *error = dlerror();
      snprintf(why, sizeof why, "%.150s", error ? error : names[i]);
    }
  }
  if (!library) {
    snprintf(cu.problem, sizeof cu.problem, "no NVIDIA driver here: %s", why);
    return;
  }
#define LOAD(member, symbol, parameters)                                                                                         \
  if (!wp__look_up(library, symbol, &cu.member)) {                                                                                   \
    snprintf(cu.problem, sizeof cu.problem, "the NVIDIA driver is too old: its library has no %s", symbol);                      \
    return;                                                                                                                      \
  }
  DRIVER_FUNCTIONS(LOAD)
#undef LOAD
#define LOAD(member, symbol, parameters) (void)wp__look_up(library, symbol, &cu.member);
  DRIVER_OPTIONAL(LOAD)
#undef LOAD
  CUresult r = cu.init(0);
  if (r == CUDA_SUCCESS) r = cu.driver_version(&cu.version);
  if (r != CUDA_SUCCESS)
    snprintf(cu.problem, sizeof cu.problem, "the NVIDIA driver does not start: %s", error_text(r, why, sizeof why));
}

static bool driver_usable(void) {
  pthread_once(&driver_once, open_driver);
  return cu.problem[0] == 0;
}

static int attribute(CUdevice device, CUdevice_attribute which) {
  int value = 0;
  if (cu.device_attribute(&value, which, device) != CUDA_SUCCESS) return 0;
  return value;
}

/* ---- device, buffer, kernel ---- */

typedef struct cuda_device {
  wp_device base;
  CUdevice device;
  CUcontext context;
  int shared_limit; /* bytes a block, where a kernel opts in */
  wp__module *modules;
} cuda_device;

typedef struct cuda_kernel {
  wp_kernel base;
  CUfunction function;
  int max_threads;     /* a block, with the registers that it uses */
  int static_shared;   /* bytes */
  int dynamic_allowed; /* bytes of dynamic shared memory that it may be launched with so far */
  char *signature;     /* the parameters as written, cut into base.params[].text; NULL: unknown */
} cuda_kernel;

static cuda_device *device_of(wp_device *d) { return (cuda_device *)d; }

/* Every use of a device stands between these two, whatever context the thread has current otherwise. */
static CUresult enter(const cuda_device *d) { return cu.context_push(d->context); }
static void leave(void) {
  CUcontext gone;
  (void)cu.context_pop(&gone);
}

/* These errors stay: every later call of the process repeats them (CUDA driver API, CUresult), a new context, too. */
static const char *consequence(CUresult r) {
  bool lost = r == CUDA_ERROR_ILLEGAL_ADDRESS || r == CUDA_ERROR_LAUNCH_FAILED || r == CUDA_ERROR_ILLEGAL_INSTRUCTION ||
              r == CUDA_ERROR_MISALIGNED_ADDRESS || r == CUDA_ERROR_INVALID_ADDRESS_SPACE || r == CUDA_ERROR_INVALID_PC ||
              r == CUDA_ERROR_HARDWARE_STACK_ERROR || r == CUDA_ERROR_LAUNCH_TIMEOUT || r == CUDA_ERROR_ASSERT;
  return lost ? "; a kernel was aborted, and this process cannot use CUDA any more" : "";
}

static wp_status fail(wp_status status, const wp_device *d, const char *what, CUresult r) {
  char text[256];
  return wp__fail(status, "%s: %s failed: %s%s", d->name, what, error_text(r, text, sizeof text), consequence(r));
}

static wp_status fail_run(const wp_device *d, const char *what, CUresult r) { return fail(WP_ERROR_LAUNCH, d, what, r); }

static void describe(CUdevice device, char *text, size_t size) {
  char name[128] = "unknown NVIDIA device";
  (void)cu.device_name(name, sizeof name, device);
  name[sizeof name - 1] = 0;
  snprintf(text, size, "%s, sm_%d%d, driver %d.%d", name, attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
           attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR), cu.version / 1000, cu.version % 1000 / 10);
}

static wp_status cuda_open(const char *selector, wp_device **result) {
  int index, count = 0;
  wp_status named = wp__device_index("cuda", selector, &index);
  if (named != WP_OK) return named;
  if (!driver_usable()) return wp__fail(WP_ERROR_NO_DEVICE, "cuda: %s", cu.problem);
  CUresult r = cu.device_count(&count);
  if (r != CUDA_SUCCESS) count = 0;
  if (index >= count) return wp__no_such_device("cuda", index, "driver", count);
  cuda_device *d = calloc(1, sizeof *d);
  if (!d) return wp__fail(WP_ERROR_OUT_OF_MEMORY, "cuda:%d: no host memory for the device", index);
  snprintf(d->base.name, sizeof d->base.name, "cuda:%d", index);
  r = cu.device_get(&d->device, index);
  if (r != CUDA_SUCCESS) {
    (void)fail(WP_ERROR_NO_DEVICE, &d->base, "cuDeviceGet", r);
    free(d);
    return WP_ERROR_NO_DEVICE;
  }
  describe(d->device, d->base.description, sizeof d->base.description);
  if (attribute(d->device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) < 7) {
    (void)wp__fail(WP_ERROR_NO_DEVICE, "%s: %s: warpport needs sm_70 or later", d->base.name, d->base.description);
    free(d);
    return WP_ERROR_NO_DEVICE;
  }
  d->base.warp_size = attribute(d->device, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  d->base.max_block_threads = attribute(d->device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  d->base.max_block_dim[0] = (unsigned)attribute(d->device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
  d->base.max_block_dim[1] = (unsigned)attribute(d->device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
  d->base.max_block_dim[2] = (unsigned)attribute(d->device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
  d->base.max_grid_dim[0] = (unsigned)attribute(d->device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
  d->base.max_grid_dim[1] = (unsigned)attribute(d->device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
  d->base.max_grid_dim[2] = (unsigned)attribute(d->device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
  d->shared_limit = attribute(d->device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  d->base.backend = &wp__backend_cuda;
  r = cu.context_retain(&d->context, d->device);
  if (r != CUDA_SUCCESS) {
    wp_status status = r == CUDA_ERROR_OUT_OF_MEMORY ? WP_ERROR_OUT_OF_MEMORY : WP_ERROR_NO_DEVICE;
    (void)fail(status, &d->base, "cuDevicePrimaryCtxRetain", r);
    free(d);
    return status;
  }
  *result = &d->base;
  return WP_OK;
}

static void cuda_close(wp_device *device) {
  cuda_device *d = device_of(device);
  bool entered = enter(d) == CUDA_SUCCESS;
  for (wp__module *m = d->modules, *next; m; m = next) {
    next = m->next;
    if (entered) (void)cu.module_unload(m->handle);
    free(m);
  }
  if (entered) leave();
  (void)cu.context_release(d->device);
  free(d);
}

static int cuda_list(int (*visit)(const char *name, const char *description, void *user), void *user) {
  int count = 0;
  char text[384];
  if (!driver_usable()) {
    snprintf(text, sizeof text, "cuda: %s", cu.problem);
    return visit(NULL, text, user);
  }
  CUresult r = cu.device_count(&count);
  if (r != CUDA_SUCCESS || count == 0) return visit(NULL, "cuda: the NVIDIA driver is there, but shows no device", user);
  for (int i = 0; i < count; i++) {
    CUdevice device;
    char name[32];
    int stop;
    if (cu.device_get(&device, i) != CUDA_SUCCESS) continue;
    snprintf(name, sizeof name, "cuda:%d", i);
    describe(device, text, sizeof text);
    if (attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) < 7) {
      char why[512];
      snprintf(why, sizeof why, "%s: %s: warpport needs sm_70 or later", name, text);
      stop = visit(NULL, why, user);
    } else {
      stop = visit(name, text, user);
    }
    if (stop) return stop;
  }
  return 0;
}

/* ---- memory ---- */

static wp_status cuda_buffer_create(wp_device *device, size_t bytes, wp_buffer **result) {
  cuda_device *d = device_of(device);
  wp__gpu_buffer *b = calloc(1, sizeof *b);
  CUdeviceptr address = 0;
  if (!b) return wp__fail(WP_ERROR_OUT_OF_MEMORY, "%s: no host memory for a buffer", device->name);
  b->base.device = device;
  b->base.bytes = bytes;
  CUresult r = enter(d);
  if (r != CUDA_SUCCESS) {
    free(b);
    return fail(WP_ERROR_LAUNCH, device, "cuCtxPushCurrent", r);
  }
  r = cu.alloc(&address, bytes);
  if (r == CUDA_SUCCESS) {
    b->address = address;
    leave();
    *result = &b->base;
    return WP_OK;
  }
  free(b);
  wp_status status;
  if (r == CUDA_ERROR_OUT_OF_MEMORY) {
    size_t available = 0, total = 0;
    (void)cu.memory_info(&available, &total);
    status = wp__fail(WP_ERROR_OUT_OF_MEMORY, "%s: asked for %zu bytes of device memory; %zu of its %zu bytes are free",
                      device->name, bytes, available, total);
  } else {
    status = fail(WP_ERROR_LAUNCH, device, "cuMemAlloc", r);
  }
  leave();
  return status;
}

static void cuda_buffer_destroy(wp_buffer *buffer) {
  wp__gpu_buffer *b = (wp__gpu_buffer *)buffer;
  if (enter(device_of(buffer->device)) == CUDA_SUCCESS) {
    (void)cu.free(b->address);
    leave();
  }
  free(b);
}

typedef enum transfer { TO_DEVICE, TO_HOST, FILL } transfer;
static wp_status move(wp_buffer *buffer, transfer kind, size_t offset, void *host, const void *data, unsigned char byte,
                      size_t bytes) {
  wp__gpu_buffer *b = (wp__gpu_buffer *)buffer;
  CUresult r = enter(device_of(buffer->device));
  if (r == CUDA_SUCCESS) {
    r = kind == TO_DEVICE ? cu.to_device(b->address + offset, data, bytes)
        : kind == TO_HOST ? cu.to_host(host, b->address + offset, bytes)
                          : cu.fill(b->address, byte, bytes);
    leave();
  }
  if (r == CUDA_SUCCESS) return WP_OK;
  return fail_run(buffer->device, kind == TO_DEVICE ? "cuMemcpyHtoD" : kind == TO_HOST ? "cuMemcpyDtoH" : "cuMemsetD8", r);
}

static wp_status cuda_buffer_write(wp_buffer *buffer, size_t offset, const void *data, size_t bytes) {
  return bytes == 0 ? WP_OK : move(buffer, TO_DEVICE, offset, NULL, data, 0, bytes);
}
static wp_status cuda_buffer_read(wp_buffer *buffer, size_t offset, void *data, size_t bytes) {
  return bytes == 0 ? WP_OK : move(buffer, TO_HOST, offset, data, NULL, 0, bytes);
}
static wp_status cuda_buffer_fill(wp_buffer *buffer, unsigned char byte) {
  return move(buffer, FILL, 0, NULL, NULL, byte, buffer->bytes);
}

/* ---- kernels ---- */

/* The module of an image on this device, loaded at the first call. A failure is not remembered, so that its log can be told again.
 * The caller has entered the device. */
static wp_status load(cuda_device *d, const wp__image *image, CUmodule *handle) {
  *handle = wp__module_find(d->modules, image);
  if (*handle) return WP_OK;
  char log[8192] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)sizeof log};
  CUmodule loaded = NULL;
  CUresult r = cu.module_load(&loaded, image->data, sizeof options / sizeof *options, options, values);
  if (r != CUDA_SUCCESS) {
    char text[256];
    log[sizeof log - 1] = 0;
    wp_status status = r == CUDA_ERROR_OUT_OF_MEMORY ? WP_ERROR_OUT_OF_MEMORY : WP_ERROR_BUILD;
    return wp__fail(
        status, "%s (%s): the image %s cannot be loaded: %s%s%s%s", d->base.name, d->base.description, image->name,
        error_text(r, text, sizeof text),
        r == CUDA_ERROR_NO_BINARY_FOR_GPU || r == CUDA_ERROR_UNSUPPORTED_PTX_VERSION
            ? "; build it for this device's architecture, or with PTX that its driver accepts (WARPPORT_CUDA_ARCHITECTURES)"
            : "",
        log[0] ? "\n" : "", log);
  }
  if (!wp__module_add(&d->modules, image, loaded)) {
    (void)cu.module_unload(loaded);
    return wp__fail(WP_ERROR_OUT_OF_MEMORY, "%s: no host memory for a module", d->base.name);
  }
  *handle = loaded;
  return WP_OK;
}

/* What WP_KERNEL noted of the parameters (include/warpport/backend/cuda.h), or NULL. */
static char *read_signature(CUmodule m, const char *kernel) {
  char symbol[256];
  CUdeviceptr address;
  size_t bytes = 0;
  if (snprintf(symbol, sizeof symbol, "wpb_signature_%s", kernel) >= (int)sizeof symbol) return NULL;
  if (cu.module_global(&address, &bytes, m, symbol) != CUDA_SUCCESS || bytes == 0 || bytes > 65536) return NULL;
  char *text = malloc(bytes);
  if (text && cu.to_host(text, address, bytes) == CUDA_SUCCESS) {
    text[bytes - 1] = 0;
    return text;
  }
  free(text);
  return NULL;
}

#define SHARED_PREFIX "wpb_shared_offset_" /* WPB_SHARED_PARAM */

/* Cuts the text at the commas between parameters; returns how many there are, and stores the first max. */
static int cut_signature(char *text, wp__param *params, int max) {
  int n = 0, depth = 0;
  for (char *at = text, *start = text;; at++) {
    if (*at == '(' || *at == '<' || *at == '[') depth++;
    if (*at == ')' || *at == '>' || *at == ']') depth--;
    if (*at && (*at != ',' || depth > 0)) continue;
    bool last = *at == 0;
    if (n < max) {
      while (*start == ' ') start++;
      *at = 0;
      params[n].text = start;
      const char *shared = strstr(start, SHARED_PREFIX);
      if (shared) params[n].text = shared + strlen(SHARED_PREFIX);
      params[n].kind = shared ? WP_ARG_SHARED : strchr(start, '*') ? WP_ARG_BUFFER : WP_ARG_VALUE;
    }
    n++;
    if (last) return n;
    start = at + 1;
  }
}

/* Parameters as far as they are known: the signature tells kinds, the driver sizes; either may be missing. */
static bool learn_parameters(cuda_kernel *k, CUmodule m) {
  int from_driver = -1, from_text = -1, n;
  size_t offset, size;
  if (cu.parameter_info) {
    for (n = 0; cu.parameter_info(k->function, (size_t)n, &offset, &size) == CUDA_SUCCESS;) n++;
    from_driver = n;
  }
  k->signature = read_signature(m, k->base.name);
  if (k->signature) from_text = cut_signature(k->signature, NULL, 0);
  if (from_driver >= 0 && from_text >= 0 && from_driver != from_text) from_text = -1; /* some other text */
  k->base.param_count = n = from_driver >= 0 ? from_driver : from_text;
  if (n <= 0) return true;
  k->base.params = calloc((size_t)n, sizeof *k->base.params);
  if (!k->base.params) return false;
  if (from_text >= 0) (void)cut_signature(k->signature, k->base.params, n);
  for (int i = 0; i < n && from_driver >= 0; i++) {
    if (cu.parameter_info(k->function, (size_t)i, &offset, &size) == CUDA_SUCCESS) k->base.params[i].bytes = size;
  }
  return true;
}

static void cuda_kernel_destroy(wp_kernel *kernel) {
  free(kernel->params);
  free(((cuda_kernel *)kernel)->signature);
  wp__kernel_free(kernel);
}

static wp_status cuda_kernel_find(wp_device *device, const char *name, wp_kernel **result) {
  cuda_device *d = device_of(device);
  CUfunction f = NULL;
  CUmodule m = NULL;
  wp_status broken = WP_OK; /* an image that could not be loaded may be the one that has it */
  char images[400] = "";
  int count = 0;
  CUresult r = enter(d);
  if (r != CUDA_SUCCESS) return fail(WP_ERROR_LAUNCH, device, "cuCtxPushCurrent", r);
  for (const wp__image *i = wp__first_image(); i && !f; i = i->next) {
    if (i->kind != WP_IMAGE_CUDA) continue;
    wp_status status = load(d, i, &m);
    if (status != WP_OK) {
      broken = status;
      continue;
    }
    if (cu.module_function(&f, m, name) != CUDA_SUCCESS) f = NULL;
    size_t used = strlen(images);
    snprintf(images + used, sizeof images - used, "%s%s", count++ ? ", " : "", i->name);
  }
  if (!f) {
    leave();
    if (broken != WP_OK) return broken; /* load() has stored the text */
    return count ? wp__fail(WP_ERROR_NO_KERNEL, "%s: none of the %d CUDA images has a kernel '%s' (%s)", device->name, count,
                            name, images)
                 : wp__fail(WP_ERROR_NO_KERNEL, "%s: no kernel '%s': this program registered no CUDA image", device->name, name);
  }
  cuda_kernel *k = wp__kernel_new(sizeof *k, device, name);
  if (k) k->function = f;
  if (!k || !learn_parameters(k, m)) {
    if (k) cuda_kernel_destroy(&k->base);
    leave();
    return wp__fail(WP_ERROR_OUT_OF_MEMORY, "%s: no host memory for the kernel '%s'", device->name, name);
  }
  (void)cu.function_attribute(&k->max_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f);
  (void)cu.function_attribute(&k->static_shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f);
  (void)cu.function_attribute(&k->dynamic_allowed, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f);
  leave();
  *result = &k->base;
  return WP_OK;
}

static wp_status cuda_launch(wp_kernel *kernel, const wp_launch_config *config, const wp_arg *args, int arg_count) {
  cuda_kernel *k = (cuda_kernel *)kernel;
  cuda_device *d = device_of(kernel->device);
  const wp__block_limits limits = {(unsigned)k->max_threads, (unsigned)k->static_shared, (unsigned)d->shared_limit};
  wp__arguments a;
  CUevent start = NULL, stop = NULL;
  wp_status status = wp__arguments_make(&a, kernel, config, &limits, args, arg_count);
  if (status != WP_OK) return status;

  CUresult r = enter(d);
  if (r != CUDA_SUCCESS) {
    wp__arguments_free(&a);
    return fail(WP_ERROR_LAUNCH, kernel->device, "cuCtxPushCurrent", r);
  }
  if (a.shared > (size_t)k->dynamic_allowed) { /* more than 48 KiB in all needs the kernel's consent */
    r = cu.function_set(k->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)a.shared);
    if (r == CUDA_SUCCESS)
      k->dynamic_allowed = (int)a.shared;
    else
      status = fail(WP_ERROR_LAUNCH, kernel->device, "cuFuncSetAttribute", r);
  }
  if (status == WP_OK && config->elapsed_ms) {
    r = cu.event_create(&start, CU_EVENT_DEFAULT);
    if (r == CUDA_SUCCESS) r = cu.event_create(&stop, CU_EVENT_DEFAULT);
    if (r == CUDA_SUCCESS) r = cu.event_record(start, NULL);
    if (r != CUDA_SUCCESS) status = fail_run(kernel->device, "a time mark", r);
  }
  if (status == WP_OK) {
    char what[160];
    snprintf(what, sizeof what, "kernel '%.128s'", kernel->name);
    r = cu.launch(k->function, config->grid.x, config->grid.y, config->grid.z, config->block.x, config->block.y, config->block.z,
                  (unsigned)a.shared, NULL, a.pointers, NULL);
    if (r == CUDA_SUCCESS && config->elapsed_ms) {
      float ms = 0;
      r = cu.event_record(stop, NULL);
      if (r == CUDA_SUCCESS) r = cu.event_synchronize(stop);
      if (r == CUDA_SUCCESS) r = cu.event_elapsed(&ms, start, stop);
      if (r == CUDA_SUCCESS) *config->elapsed_ms = ms;
    }
    if (r != CUDA_SUCCESS) status = fail_run(kernel->device, what, r);
  }
  if (start) (void)cu.event_destroy(start);
  if (stop) (void)cu.event_destroy(stop);
  leave();
  wp__arguments_free(&a);
  return status;
}

static wp_status cuda_synchronize(wp_device *device) {
  CUresult r = enter(device_of(device));
  if (r == CUDA_SUCCESS) {
    r = cu.synchronize();
    leave();
  }
  return r == CUDA_SUCCESS ? WP_OK : fail_run(device, "a launch before this wait", r);
}

const wp__backend wp__backend_cuda = {
    .name = "cuda",
    .open = cuda_open,
    .close = cuda_close,
    .list = cuda_list,
    .buffer_create = cuda_buffer_create,
    .buffer_destroy = cuda_buffer_destroy,
    .buffer_write = cuda_buffer_write,
    .buffer_read = cuda_buffer_read,
    .buffer_fill = cuda_buffer_fill,
    .kernel_find = cuda_kernel_find,
    .kernel_destroy = cuda_kernel_destroy,
    .launch = cuda_launch,
    .synchronize = cuda_synchronize,
};
