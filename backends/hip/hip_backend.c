/* The HIP backend of launch.h, over the HIP runtime's module API.
 *
 * The runtime, libamdhip64, is opened when it is first needed, so a program with this backend starts on a machine without one.
 * Its headers are not needed: the functions used here have had the same C prototypes, and the numbers below the same values, since
 * ROCm 5.0; -DWARPPORT_CHECK_HIP_HEADERS compares them with the headers of an installed version. Structs of the runtime, which do
 * change, are not used.
 *
 * WARPPORT_HIP_LIBRARY names another library to open.
 * Modules of the registered images are loaded one after the other, when a kernel is first looked for in them. */
#include "gpu.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code_object.h"

/* ---- the runtime ---- */

enum {
  R_SUCCESS = 0,
  R_OUT_OF_MEMORY = 2,
  R_NO_DEVICE = 100,
  R_INVALID_IMAGE = 200,
  R_NO_BINARY_FOR_GPU = 209,
  R_NOT_FOUND = 500,
  R_ILLEGAL_ADDRESS = 700,
  R_LAUNCH_FAILURE = 719,
  COPY_TO_DEVICE = 1,
  COPY_TO_HOST = 2,
  ATTRIBUTE_MAX_BLOCK_DIM_X = 26, /* y and z follow */
  ATTRIBUTE_MAX_GRID_DIM_X = 29,
  ATTRIBUTE_MAX_BLOCK_THREADS = 56,
  ATTRIBUTE_MAX_BLOCK_SHARED = 74,
  ATTRIBUTE_WARP_SIZE = 87
};

#ifdef WARPPORT_CHECK_HIP_HEADERS
#include <hip/hip_runtime_api.h>
#define SAME(mine, theirs) _Static_assert((int)(mine) == (int)(theirs), #theirs)
SAME(R_SUCCESS, hipSuccess);
SAME(R_OUT_OF_MEMORY, hipErrorOutOfMemory);
SAME(R_NO_DEVICE, hipErrorNoDevice);
SAME(R_INVALID_IMAGE, hipErrorInvalidImage);
SAME(R_NO_BINARY_FOR_GPU, hipErrorNoBinaryForGpu);
SAME(R_NOT_FOUND, hipErrorNotFound);
SAME(R_ILLEGAL_ADDRESS, hipErrorIllegalAddress);
SAME(R_LAUNCH_FAILURE, hipErrorLaunchFailure);
SAME(COPY_TO_DEVICE, hipMemcpyHostToDevice);
SAME(COPY_TO_HOST, hipMemcpyDeviceToHost);
SAME(ATTRIBUTE_MAX_BLOCK_DIM_X, hipDeviceAttributeMaxBlockDimX);
SAME(ATTRIBUTE_MAX_BLOCK_DIM_X + 1, hipDeviceAttributeMaxBlockDimY);
SAME(ATTRIBUTE_MAX_BLOCK_DIM_X + 2, hipDeviceAttributeMaxBlockDimZ);
SAME(ATTRIBUTE_MAX_GRID_DIM_X, hipDeviceAttributeMaxGridDimX);
SAME(ATTRIBUTE_MAX_GRID_DIM_X + 1, hipDeviceAttributeMaxGridDimY);
SAME(ATTRIBUTE_MAX_GRID_DIM_X + 2, hipDeviceAttributeMaxGridDimZ);
SAME(ATTRIBUTE_MAX_BLOCK_THREADS, hipDeviceAttributeMaxThreadsPerBlock);
SAME(ATTRIBUTE_MAX_BLOCK_SHARED, hipDeviceAttributeMaxSharedMemoryPerBlock);
SAME(ATTRIBUTE_WARP_SIZE, hipDeviceAttributeWarpSize);
typedef hipError_t error_code;
typedef hipDeviceAttribute_t attribute_code;
typedef hipMemcpyKind copy_code;
typedef hipModule_t module_handle;
typedef hipFunction_t function_handle;
typedef hipEvent_t event_handle;
typedef hipStream_t stream_handle;
#else
typedef int error_code, attribute_code, copy_code; /* enums of the C ABI */
typedef void *module_handle, *function_handle, *event_handle, *stream_handle;
#endif

/* X(member, symbol, result, parameters) */
#define RUNTIME_FUNCTIONS(X)                                                                                                 \
  X(init, hipInit, error_code, (unsigned))                                                                                   \
  X(runtime_version, hipRuntimeGetVersion, error_code, (int *))                                                              \
  X(error_name, hipGetErrorName, const char *, (error_code))                                                                 \
  X(error_string, hipGetErrorString, const char *, (error_code))                                                             \
  X(last_error, hipGetLastError, error_code, (void))                                                                         \
  X(device_count, hipGetDeviceCount, error_code, (int *))                                                                    \
  X(device_name, hipDeviceGetName, error_code, (char *, int, int))                                                           \
  X(device_attribute, hipDeviceGetAttribute, error_code, (int *, attribute_code, int))                                       \
  X(device_set, hipSetDevice, error_code, (int))                                                                             \
  X(synchronize, hipDeviceSynchronize, error_code, (void))                                                                   \
  X(memory_info, hipMemGetInfo, error_code, (size_t *, size_t *))                                                            \
  X(alloc, hipMalloc, error_code, (void **, size_t))                                                                         \
  X(free, hipFree, error_code, (void *))                                                                                     \
  X(copy, hipMemcpy, error_code, (void *, const void *, size_t, copy_code))                                                  \
  X(fill, hipMemset, error_code, (void *, int, size_t))                                                                      \
  X(module_load, hipModuleLoadData, error_code, (module_handle *, const void *))                                             \
  X(module_unload, hipModuleUnload, error_code, (module_handle))                                                             \
  X(module_function, hipModuleGetFunction, error_code, (function_handle *, module_handle, const char *))                     \
  X(launch, hipModuleLaunchKernel, error_code,                                                                               \
    (function_handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, stream_handle, void **, void **)) \
  X(event_create, hipEventCreate, error_code, (event_handle *))                                                              \
  X(event_destroy, hipEventDestroy, error_code, (event_handle))                                                              \
  X(event_record, hipEventRecord, error_code, (event_handle, stream_handle))                                                 \
  X(event_synchronize, hipEventSynchronize, error_code, (event_handle))                                                      \
  X(event_elapsed, hipEventElapsedTime, error_code, (float *, event_handle, event_handle))

static struct {
#define MEMBER(member, symbol, result, parameters) result(*member) parameters;
  RUNTIME_FUNCTIONS(MEMBER)
#undef MEMBER
  /* Two names of one function, for the two layouts of the struct that it fills; only a text is looked for in it. */
  error_code (*properties)(void *, int);
  int version;
  char problem[320]; /* why it cannot be used; "" if it can */
} hip;
static pthread_once_t runtime_once = PTHREAD_ONCE_INIT;

#ifdef WARPPORT_CHECK_HIP_HEADERS
#define CHECK(member, symbol, result, parameters) \
  static result(*const check_##member) parameters __attribute__((unused)) = symbol;
RUNTIME_FUNCTIONS(CHECK)
#undef CHECK
#endif

static const char *error_text(error_code r, char *text, size_t size) {
  const char *name = hip.error_name ? hip.error_name(r) : NULL, *string = hip.error_string ? hip.error_string(r) : NULL;
  snprintf(text, size, "%s (%d): %s", name ? name : "unknown error", (int)r, string ? string : "");
  return text;
}

static void open_runtime(void) {
  /* The plain name last: it belongs to the development package. */
  const char *names[] = {getenv("WARPPORT_HIP_LIBRARY"), "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"};
  void *library = NULL;
  char why[160] = "";
  bool asked = names[0] != NULL && names[0][0] != 0;
  for (size_t i = asked ? 0 : 1; !library && i < (asked ? 1 : sizeof names / sizeof *names); i++) {
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library && why[0] == 0) {
      const char *error = dlerror();
      snprintf(why, sizeof why, "%.150s", error ? error : names[i]);
    }
  }
  if (!library) {
    snprintf(hip.problem, sizeof hip.problem, "no HIP runtime here: %s", why);
    return;
  }
#define LOAD(member, symbol, result, parameters)                                                             \
  if (!wp__look_up(library, #symbol, &hip.member)) {                                                             \
    snprintf(hip.problem, sizeof hip.problem, "the HIP runtime is too old: its library has no %s", #symbol); \
    return;                                                                                                  \
  }
  RUNTIME_FUNCTIONS(LOAD)
#undef LOAD
  if (!wp__look_up(library, "hipGetDevicePropertiesR0600", &hip.properties)) (void)wp__look_up(library, "hipGetDeviceProperties", &hip.properties);
  error_code r = hip.init(0);
  if (r == R_SUCCESS) r = hip.runtime_version(&hip.version);
  if (r == R_NO_DEVICE) {
    snprintf(hip.problem, sizeof hip.problem, "the HIP runtime is there, but shows no AMD device");
  } else if (r != R_SUCCESS) {
    snprintf(hip.problem, sizeof hip.problem, "the HIP runtime does not start: %s", error_text(r, why, sizeof why));
  }
}

static bool runtime_usable(void) {
  pthread_once(&runtime_once, open_runtime);
  return hip.problem[0] == 0;
}

static int attribute(int device, int which) {
  int value = 0;
  if (hip.device_attribute(&value, (attribute_code)which, device) != R_SUCCESS) return 0;
  return value;
}

/* ---- device, buffer, kernel ---- */

typedef struct hip_device {
  wp_device base;
  int device;
  int shared_limit; /* bytes a block */
  wp__module *modules;
} hip_device;

typedef struct hip_kernel {
  wp_kernel base;
  function_handle function;
  unsigned static_shared, max_threads; /* 0: unknown */
  wp__param params[CODE_OBJECT_ARGS];
} hip_kernel;

static hip_device *device_of(wp_device *d) { return (hip_device *)d; }

/* The runtime's current device is the thread's, and may have been set by others. Clears an error that an earlier call left. */
static error_code enter(const hip_device *d) {
  (void)hip.last_error();
  return hip.device_set(d->device);
}

static wp_status fail(wp_status status, const wp_device *d, const char *what, error_code r) {
  char text[256];
  return wp__fail(status, "%s: %s failed: %s", d->name, what, error_text(r, text, sizeof text));
}

static wp_status fail_run(const wp_device *d, const char *what, error_code r) {
  bool lost = r == R_ILLEGAL_ADDRESS || r == R_LAUNCH_FAILURE;
  char text[256];
  return wp__fail(WP_ERROR_LAUNCH, "%s: %s failed: %s%s", d->name, what, error_text(r, text, sizeof text),
                  lost ? "; the kernel was aborted and the device's contents are lost" : "");
}

/* The processor's name, "gfx90a:sramecc+:xnack-", is the only text of the properties that begins so. */
static void processor(int device, char *text, size_t size) {
  enum { bytes = 1 << 16 };
  char *p = calloc(1, bytes);
  snprintf(text, size, "gfx?");
  if (p && hip.properties && hip.properties(p, device) == R_SUCCESS) {
    for (size_t i = 0; i + 64 < bytes; i++) {
      if (memcmp(p + i, "gfx", 3) == 0 && p[i + 3] >= '0' && p[i + 3] <= '9') {
        snprintf(text, size, "%.63s", p + i);
        break;
      }
    }
  }
  free(p);
}

static void describe(int device, char *text, size_t size) {
  char name[128] = "", gfx[64];
  (void)hip.device_name(name, sizeof name, device);
  name[sizeof name - 1] = 0;
  processor(device, gfx, sizeof gfx);
  snprintf(text, size, "%s, %s, %d lanes, HIP %d.%d", name[0] ? name : "AMD device", gfx, attribute(device, ATTRIBUTE_WARP_SIZE),
           hip.version / 10000000, hip.version / 100000 % 100);
}

static wp_status hip_open(const char *selector, wp_device **result) {
  int index, count = 0;
  wp_status named = wp__device_index("hip", selector, &index);
  if (named != WP_OK) return named;
  if (!runtime_usable()) return wp__fail(WP_ERROR_NO_DEVICE, "hip: %s", hip.problem);
  if (hip.device_count(&count) != R_SUCCESS) count = 0;
  if (index >= count) return wp__no_such_device("hip", index, "runtime", count);
  hip_device *d = calloc(1, sizeof *d);
  if (!d) return wp__fail(WP_ERROR_OUT_OF_MEMORY, "hip:%d: no host memory for the device", index);
  snprintf(d->base.name, sizeof d->base.name, "hip:%d", index);
  d->device = index;
  describe(d->device, d->base.description, sizeof d->base.description);
  d->base.warp_size = attribute(d->device, ATTRIBUTE_WARP_SIZE);
  d->base.max_block_threads = attribute(d->device, ATTRIBUTE_MAX_BLOCK_THREADS);
  for (int i = 0; i < 3; i++) {
    d->base.max_block_dim[i] = (unsigned)attribute(d->device, ATTRIBUTE_MAX_BLOCK_DIM_X + i);
    d->base.max_grid_dim[i] = (unsigned)attribute(d->device, ATTRIBUTE_MAX_GRID_DIM_X + i);
  }
  d->shared_limit = attribute(d->device, ATTRIBUTE_MAX_BLOCK_SHARED);
  d->base.backend = &wp__backend_hip;
  error_code r = enter(d);
  if (r != R_SUCCESS) {
    (void)fail(WP_ERROR_NO_DEVICE, &d->base, "hipSetDevice", r);
    free(d);
    return WP_ERROR_NO_DEVICE;
  }
  *result = &d->base;
  return WP_OK;
}

static void hip_close(wp_device *device) {
  hip_device *d = device_of(device);
  bool entered = enter(d) == R_SUCCESS;
  for (wp__module *m = d->modules, *next; m; m = next) {
    next = m->next;
    if (entered) (void)hip.module_unload(m->handle);
    free(m);
  }
  free(d);
}

static int hip_list(int (*visit)(const char *name, const char *description, void *user), void *user) {
  int count = 0;
  char text[384];
  if (!runtime_usable()) {
    snprintf(text, sizeof text, "hip: %s", hip.problem);
    return visit(NULL, text, user);
  }
  if (hip.device_count(&count) != R_SUCCESS || count == 0)
    return visit(NULL, "hip: the HIP runtime is there, but shows no AMD device", user);
  for (int i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "hip:%d", i);
    describe(i, text, sizeof text);
    int stop = visit(name, text, user);
    if (stop) return stop;
  }
  return 0;
}

/* ---- memory ---- */

static wp_status hip_buffer_create(wp_device *device, size_t bytes, wp_buffer **result) {
  wp__gpu_buffer *b = calloc(1, sizeof *b);
  void *address = NULL;
  if (!b) return wp__fail(WP_ERROR_OUT_OF_MEMORY, "%s: no host memory for a buffer", device->name);
  b->base.device = device;
  b->base.bytes = bytes;
  error_code r = enter(device_of(device));
  if (r == R_SUCCESS) r = hip.alloc(&address, bytes);
  if (r == R_SUCCESS) {
    b->address = (uintptr_t)address;
    *result = &b->base;
    return WP_OK;
  }
  free(b);
  if (r != R_OUT_OF_MEMORY) return fail(WP_ERROR_LAUNCH, device, "hipMalloc", r);
  size_t available = 0, total = 0;
  (void)hip.memory_info(&available, &total);
  return wp__fail(WP_ERROR_OUT_OF_MEMORY, "%s: asked for %zu bytes of device memory; %zu of its %zu bytes are free", device->name,
                  bytes, available, total);
}

static void *address_in(const wp_buffer *buffer, size_t offset) {
  return (void *)(uintptr_t)(((const wp__gpu_buffer *)buffer)->address + offset);
}

static void hip_buffer_destroy(wp_buffer *buffer) {
  if (enter(device_of(buffer->device)) == R_SUCCESS) (void)hip.free(address_in(buffer, 0));
  free(buffer);
}

static wp_status hip_buffer_write(wp_buffer *buffer, size_t offset, const void *data, size_t bytes) {
  error_code r = enter(device_of(buffer->device));
  if (r == R_SUCCESS) r = hip.copy(address_in(buffer, offset), data, bytes, (copy_code)COPY_TO_DEVICE);
  return r == R_SUCCESS ? WP_OK : fail_run(buffer->device, "hipMemcpy to the device", r);
}

static wp_status hip_buffer_read(wp_buffer *buffer, size_t offset, void *data, size_t bytes) {
  error_code r = enter(device_of(buffer->device));
  if (r == R_SUCCESS) r = hip.copy(data, address_in(buffer, offset), bytes, (copy_code)COPY_TO_HOST);
  return r == R_SUCCESS ? WP_OK : fail_run(buffer->device, "hipMemcpy to the host", r);
}

static wp_status hip_buffer_fill(wp_buffer *buffer, unsigned char byte) {
  error_code r = enter(device_of(buffer->device));
  if (r == R_SUCCESS) r = hip.fill(address_in(buffer, 0), byte, buffer->bytes);
  return r == R_SUCCESS ? WP_OK : fail_run(buffer->device, "hipMemset", r);
}

/* ---- kernels ---- */

/* The targets of an image, for the message that none of them fits. */
static void list_targets(const wp__image *image, char *text, size_t size) {
  code_object o;
  size_t used = 0;
  text[0] = 0;
  for (int i = 0; code_object_get(image->data, image->bytes, i, &o) && used + 80 < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", i ? " " : "", o.target[0] ? o.target : "(one, unnamed)");
  if (used == 0) snprintf(text, size, "unknown");
}

/* The module of an image on this device, loaded at the first call. The caller has entered the device. */
static wp_status load(hip_device *d, const wp__image *image, module_handle *handle) {
  *handle = wp__module_find(d->modules, image);
  if (*handle) return WP_OK;
  error_code r = hip.module_load(handle, image->data);
  if (r != R_SUCCESS) {
    char text[256], targets[512];
    list_targets(image, targets, sizeof targets);
    return wp__fail(r == R_OUT_OF_MEMORY ? WP_ERROR_OUT_OF_MEMORY : WP_ERROR_BUILD,
                    "%s (%s): the image %s cannot be loaded: %s; it was built for: %s (WARPPORT_HIP_ARCHITECTURES)", d->base.name,
                    d->base.description, image->name, error_text(r, text, sizeof text), targets);
  }
  if (!wp__module_add(&d->modules, image, *handle)) {
    (void)hip.module_unload(*handle);
    return wp__fail(WP_ERROR_OUT_OF_MEMORY, "%s: no host memory for a module", d->base.name);
  }
  return WP_OK;
}

/* All code objects of an image come from one source, so the first that can be read tells the parameters. */
static void read_parameters(const wp__image *image, const char *name, hip_kernel *k) {
  code_object o;
  code_object_kernel info;
  k->base.param_count = -1;
  for (int i = 0; code_object_get(image->data, image->bytes, i, &o); i++) {
    if (!code_object_find(&o, name, &info)) continue;
    k->base.param_count = info.arg_count;
    k->base.params = k->params;
    for (int a = 0; a < info.arg_count; a++) {
      /* A shared array's parameter is the 4-byte offset, which looks like a value; launch() checks the size. */
      k->params[a].kind = info.args[a].pointer ? WP_ARG_BUFFER : 0;
      k->params[a].bytes = info.args[a].bytes;
    }
    k->static_shared = info.static_shared;
    k->max_threads = info.max_threads;
    return;
  }
}

static wp_status hip_kernel_find(wp_device *device, const char *name, wp_kernel **result) {
  hip_device *d = device_of(device);
  function_handle f = NULL;
  const wp__image *image = NULL;
  wp_status broken = WP_OK; /* an image that could not be loaded may be the one that has it */
  int count = 0;
  error_code r = enter(d);
  if (r != R_SUCCESS) return fail(WP_ERROR_LAUNCH, device, "hipSetDevice", r);
  for (const wp__image *i = wp__first_image(); i && !f; i = i->next) {
    module_handle m;
    if (i->kind != WP_IMAGE_HIP) continue;
    count++;
    wp_status status = load(d, i, &m);
    if (status != WP_OK) {
      broken = status;
      continue;
    }
    image = i;
    if (hip.module_function(&f, m, name) != R_SUCCESS) f = NULL;
  }
  if (!f) {
    (void)hip.last_error();
    if (broken != WP_OK) return broken; /* load() has stored the text */
    return count ? wp__fail(WP_ERROR_NO_KERNEL, "%s: none of the %d HIP images has a kernel '%s'", device->name, count, name)
                 : wp__fail(WP_ERROR_NO_KERNEL, "%s: no kernel '%s': this program registered no HIP image", device->name, name);
  }
  hip_kernel *k = wp__kernel_new(sizeof *k, device, name);
  if (!k) return wp__fail(WP_ERROR_OUT_OF_MEMORY, "%s: no host memory for the kernel '%s'", device->name, name);
  k->function = f;
  read_parameters(image, name, k);
  *result = &k->base;
  return WP_OK;
}

static wp_status hip_launch(wp_kernel *kernel, const wp_launch_config *config, const wp_arg *args, int arg_count) {
  hip_kernel *k = (hip_kernel *)kernel;
  hip_device *d = device_of(kernel->device);
  const wp__block_limits limits = {k->max_threads, k->static_shared, (unsigned)d->shared_limit};
  wp__arguments a;
  event_handle start = NULL, stop = NULL;
  char what[160];
  wp_status status = wp__arguments_make(&a, kernel, config, &limits, args, arg_count);
  if (status != WP_OK) return status;

  snprintf(what, sizeof what, "kernel '%.128s'", kernel->name);
  error_code r = enter(d);
  if (r == R_SUCCESS && config->elapsed_ms) {
    r = hip.event_create(&start);
    if (r == R_SUCCESS) r = hip.event_create(&stop);
    if (r == R_SUCCESS) r = hip.event_record(start, NULL);
  }
  if (r == R_SUCCESS)
    r = hip.launch(k->function, config->grid.x, config->grid.y, config->grid.z, config->block.x, config->block.y, config->block.z,
                   (unsigned)a.shared, NULL, a.pointers, NULL);
  if (r == R_SUCCESS && config->elapsed_ms) {
    float ms = 0;
    r = hip.event_record(stop, NULL);
    if (r == R_SUCCESS) r = hip.event_synchronize(stop);
    if (r == R_SUCCESS) r = hip.event_elapsed(&ms, start, stop);
    if (r == R_SUCCESS) *config->elapsed_ms = ms;
  }
  if (start) (void)hip.event_destroy(start);
  if (stop) (void)hip.event_destroy(stop);
  wp__arguments_free(&a);
  return r == R_SUCCESS ? WP_OK : fail_run(kernel->device, what, r);
}

static wp_status hip_synchronize(wp_device *device) {
  error_code r = enter(device_of(device));
  if (r == R_SUCCESS) r = hip.synchronize();
  return r == R_SUCCESS ? WP_OK : fail_run(device, "a launch before this wait", r);
}

const wp__backend wp__backend_hip = {
    .name = "hip",
    .open = hip_open,
    .close = hip_close,
    .list = hip_list,
    .buffer_create = hip_buffer_create,
    .buffer_destroy = hip_buffer_destroy,
    .buffer_write = hip_buffer_write,
    .buffer_read = hip_buffer_read,
    .buffer_fill = hip_buffer_fill,
    .kernel_find = hip_kernel_find,
    .kernel_destroy = wp__kernel_free,
    .launch = hip_launch,
    .synchronize = hip_synchronize,
};
