/* The part of launch.h that is the same for every backend: the error text, the image registry, names, and all checks that need no
 * knowledge of a chip. */
#define _GNU_SOURCE
#include "backend.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the error text, one a thread ---- */

static pthread_key_t error_key;
static pthread_once_t error_once = PTHREAD_ONCE_INIT;
static __thread char *error_text;

static void error_init(void) { pthread_key_create(&error_key, free); }

static __attribute__((destructor)) void error_end(void) {
  pthread_once(&error_once, error_init);
  pthread_setspecific(error_key, NULL);
  free(error_text);
  error_text = NULL;
}

const char *wp_last_error(void) { return error_text != NULL ? error_text : ""; }

wp_status wp__fail(wp_status status, const char *format, ...) {
  va_list args;
  char *text;
  int n;
  pthread_once(&error_once, error_init);
  va_start(args, format);
  n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  text = n >= 0 ? malloc((size_t)n + 1) : NULL;
  if (text != NULL) { /* the old text may be among the arguments */
    va_start(args, format);
    vsnprintf(text, (size_t)n + 1, format, args);
    va_end(args);
  }
  free(error_text);
  error_text = text;
  pthread_setspecific(error_key, text);
  return status;
}

const char *wp_status_name(wp_status status) {
  switch (status) {
    case WP_OK: return "WP_OK";
    case WP_ERROR_INVALID_ARGUMENT: return "WP_ERROR_INVALID_ARGUMENT";
    case WP_ERROR_NO_BACKEND: return "WP_ERROR_NO_BACKEND";
    case WP_ERROR_NO_DEVICE: return "WP_ERROR_NO_DEVICE";
    case WP_ERROR_NO_KERNEL: return "WP_ERROR_NO_KERNEL";
    case WP_ERROR_BAD_ARGUMENTS: return "WP_ERROR_BAD_ARGUMENTS";
    case WP_ERROR_OUT_OF_MEMORY: return "WP_ERROR_OUT_OF_MEMORY";
    case WP_ERROR_BUILD: return "WP_ERROR_BUILD";
    case WP_ERROR_LAUNCH: return "WP_ERROR_LAUNCH";
    case WP_ERROR_MISUSE: return "WP_ERROR_MISUSE";
  }
  return "unknown status";
}

/* ---- images ---- */

static pthread_mutex_t image_lock = PTHREAD_MUTEX_INITIALIZER;
static wp__image *images;

wp_status wp_register_image(wp_image_kind kind, const char *name, const void *data, size_t bytes) {
  wp__image *image, **at;
  if (name == NULL || data == NULL || bytes == 0)
    return wp__fail(WP_ERROR_INVALID_ARGUMENT, "wp_register_image: name, data and a size above 0 are needed");
  if (kind < WP_IMAGE_CUDA || kind > WP_IMAGE_OPENCL_SPIRV)
    return wp__fail(WP_ERROR_INVALID_ARGUMENT, "wp_register_image: '%s' is of no known kind (%d)", name, (int)kind);
  image = calloc(1, sizeof *image);
  if (image == NULL) return wp__fail(WP_ERROR_OUT_OF_MEMORY, "wp_register_image: no memory for '%s'", name);
  image->kind = kind;
  image->name = name;
  image->data = data;
  image->bytes = bytes;
  pthread_mutex_lock(&image_lock);
  for (at = &images; *at != NULL; at = &(*at)->next) continue;
  __atomic_store_n(at, image, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&image_lock);
  return WP_OK;
}

const wp__image *wp__first_image(void) { return __atomic_load_n(&images, __ATOMIC_ACQUIRE); }

static __attribute__((destructor)) void images_end(void) {
  while (images != NULL) {
    wp__image *next = images->next;
    free(images);
    images = next;
  }
}

/* ---- devices ---- */

/* In the order wp_device_list() visits them; NULL: not in this build. */
static const struct { const char *name; const wp__backend *backend; } backends[] = {
    {"cpu", &wp__backend_cpu},
#ifdef WARPPORT_WITH_CUDA
    {"cuda", &wp__backend_cuda},
#else
    {"cuda", NULL},
#endif
#ifdef WARPPORT_WITH_HIP
    {"hip", &wp__backend_hip},
#else
    {"hip", NULL},
#endif
#ifdef WARPPORT_WITH_OPENCL
    {"opencl", &wp__backend_opencl},
#else
    {"opencl", NULL},
#endif
};
enum { BACKENDS = sizeof backends / sizeof backends[0] };

wp_status wp_device_open(const char *name, wp_device **device) {
  const char *colon;
  size_t length;
  char built_in[128] = "";
  int i;
  if (name == NULL || device == NULL)
    return wp__fail(WP_ERROR_INVALID_ARGUMENT, "wp_device_open: name and device must not be NULL");
  colon = strchr(name, ':');
  length = colon != NULL ? (size_t)(colon - name) : strlen(name);
  for (i = 0; i < BACKENDS; i++) {
    size_t at = strlen(built_in);
    if (backends[i].backend != NULL)
      snprintf(built_in + at, sizeof built_in - at, "%s%s", at > 0 ? ", " : "", backends[i].name);
  }
  for (i = 0; i < BACKENDS; i++) {
    if (strlen(backends[i].name) != length || strncmp(backends[i].name, name, length) != 0) continue;
    if (backends[i].backend == NULL)
      return wp__fail(WP_ERROR_NO_BACKEND, "'%s': this build of warpport has no %s backend; it has: %s", name, backends[i].name,
                      built_in);
    return backends[i].backend->open(colon != NULL ? colon + 1 : NULL, device);
  }
  return wp__fail(WP_ERROR_NO_BACKEND, "'%s': no such backend; this build of warpport has: %s", name, built_in);
}

void wp_device_close(wp_device *device) {
  if (device == NULL) return;
  while (device->kernels != NULL) {
    wp_kernel *next = device->kernels->next;
    device->backend->kernel_destroy(device->kernels);
    device->kernels = next;
  }
  device->backend->close(device);
}

wp_status wp_device_list(int (*visit)(const char *name, const char *description, void *user), void *user) {
  int i;
  if (visit == NULL) return wp__fail(WP_ERROR_INVALID_ARGUMENT, "wp_device_list: visit must not be NULL");
  for (i = 0; i < BACKENDS; i++) {
    if (backends[i].backend != NULL && backends[i].backend->list(visit, user) != 0) break;
  }
  return WP_OK;
}

const char *wp_device_name(const wp_device *device) { return device != NULL ? device->name : ""; }
const char *wp_device_description(const wp_device *device) { return device != NULL ? device->description : ""; }
const char *wp_device_backend(const wp_device *device) { return device != NULL ? device->backend->name : ""; }
int wp_device_warp_size(const wp_device *device) { return device != NULL ? device->warp_size : 0; }
int wp_device_max_block_threads(const wp_device *device) { return device != NULL ? device->max_block_threads : 0; }

wp_status wp_device_synchronize(wp_device *device) {
  if (device == NULL) return wp__fail(WP_ERROR_INVALID_ARGUMENT, "wp_device_synchronize: device must not be NULL");
  return device->backend->synchronize(device);
}

/* ---- buffers ---- */

wp_status wp_buffer_create(wp_device *device, size_t bytes, wp_buffer **buffer) {
  if (device == NULL || buffer == NULL)
    return wp__fail(WP_ERROR_INVALID_ARGUMENT, "wp_buffer_create: device and buffer must not be NULL");
  if (bytes == 0) return wp__fail(WP_ERROR_INVALID_ARGUMENT, "wp_buffer_create: a buffer has at least 1 byte");
  return device->backend->buffer_create(device, bytes, buffer);
}

void wp_buffer_destroy(wp_buffer *buffer) {
  if (buffer != NULL) buffer->device->backend->buffer_destroy(buffer);
}

static wp_status check_range(const char *call, const wp_buffer *buffer, size_t offset, const void *data, size_t bytes) {
  if (buffer == NULL) return wp__fail(WP_ERROR_INVALID_ARGUMENT, "%s: buffer must not be NULL", call);
  if (data == NULL && bytes > 0) return wp__fail(WP_ERROR_INVALID_ARGUMENT, "%s: data must not be NULL", call);
  if (offset > buffer->bytes || bytes > buffer->bytes - offset)
    return wp__fail(WP_ERROR_INVALID_ARGUMENT, "%s: %zu bytes at offset %zu; the buffer has %zu", call, bytes, offset,
                    buffer->bytes);
  return WP_OK;
}

wp_status wp_buffer_write(wp_buffer *buffer, size_t offset, const void *data, size_t bytes) {
  wp_status status = check_range("wp_buffer_write", buffer, offset, data, bytes);
  if (status != WP_OK || bytes == 0) return status;
  return buffer->device->backend->buffer_write(buffer, offset, data, bytes);
}

wp_status wp_buffer_read(wp_buffer *buffer, size_t offset, void *data, size_t bytes) {
  wp_status status = check_range("wp_buffer_read", buffer, offset, data, bytes);
  if (status != WP_OK || bytes == 0) return status;
  return buffer->device->backend->buffer_read(buffer, offset, data, bytes);
}

wp_status wp_buffer_fill(wp_buffer *buffer, unsigned char byte) {
  if (buffer == NULL) return wp__fail(WP_ERROR_INVALID_ARGUMENT, "wp_buffer_fill: buffer must not be NULL");
  return buffer->device->backend->buffer_fill(buffer, byte);
}

size_t wp_buffer_size(const wp_buffer *buffer) { return buffer != NULL ? buffer->bytes : 0; }

/* ---- kernels ---- */

wp_status wp_kernel_find(wp_device *device, const char *name, wp_kernel **kernel) {
  wp_kernel *k;
  wp_status status;
  if (device == NULL || name == NULL || kernel == NULL)
    return wp__fail(WP_ERROR_INVALID_ARGUMENT, "wp_kernel_find: device, name and kernel must not be NULL");
  for (k = device->kernels; k != NULL; k = k->next) {
    if (strcmp(k->name, name) == 0) {
      *kernel = k;
      return WP_OK;
    }
  }
  k = NULL;
  status = device->backend->kernel_find(device, name, &k);
  if (status != WP_OK) return status;
  k->next = device->kernels;
  device->kernels = k;
  *kernel = k;
  return WP_OK;
}

static const char *kind_name(wp_arg_kind kind) {
  switch (kind) {
    case WP_ARG_VALUE: return "a value";
    case WP_ARG_BUFFER: return "a buffer";
    case WP_ARG_SHARED: return "shared memory (wp_arg_shared)";
  }
  return "of no known kind";
}

/* The arguments as such, and against the kernel's parameters as far as the backend knows them. */
static wp_status check_args(const wp_kernel *kernel, const wp_arg *args, int arg_count) {
  int i, shared = 0;
  if (kernel->param_count >= 0 && arg_count != kernel->param_count)
    return wp__fail(WP_ERROR_BAD_ARGUMENTS, "kernel '%s': %d argument%s given, it has %d parameter%s", kernel->name, arg_count,
                    arg_count == 1 ? "" : "s", kernel->param_count, kernel->param_count == 1 ? "" : "s");
  for (i = 0; i < arg_count; i++) {
    const wp_arg *arg = &args[i];
    const wp__param *param = kernel->params != NULL ? &kernel->params[i] : NULL;
    char where[256];
    if (param != NULL && param->text != NULL)
      snprintf(where, sizeof where, "kernel '%s', parameter %d, '%s'", kernel->name, i + 1, param->text);
    else
      snprintf(where, sizeof where, "kernel '%s', parameter %d", kernel->name, i + 1);
    if (arg->kind != WP_ARG_VALUE && arg->kind != WP_ARG_BUFFER && arg->kind != WP_ARG_SHARED)
      return wp__fail(WP_ERROR_BAD_ARGUMENTS, "%s: the argument is %s (%d)", where, kind_name(arg->kind), (int)arg->kind);
    if (param != NULL && param->kind != 0 && param->kind != arg->kind)
      return wp__fail(WP_ERROR_BAD_ARGUMENTS, "%s: %s was given, %s is expected", where, kind_name(arg->kind),
                      kind_name(param->kind));
    switch (arg->kind) {
      case WP_ARG_BUFFER:
        if (arg->u.buffer == NULL) return wp__fail(WP_ERROR_BAD_ARGUMENTS, "%s: the buffer is NULL", where);
        if (arg->u.buffer->device != kernel->device)
          return wp__fail(WP_ERROR_BAD_ARGUMENTS, "%s: the buffer belongs to device %s, the kernel to %s%s", where,
                          arg->u.buffer->device->name, kernel->device->name,
                          strcmp(arg->u.buffer->device->name, kernel->device->name) == 0 ? " opened another time" : "");
        break;
      case WP_ARG_SHARED:
        if (arg->bytes == 0) return wp__fail(WP_ERROR_BAD_ARGUMENTS, "%s: shared memory of 0 bytes was given", where);
        if (++shared > 1) return wp__fail(WP_ERROR_BAD_ARGUMENTS, "%s: a second shared memory; one is possible", where);
        break;
      case WP_ARG_VALUE:
        if (arg->bytes < 1 || arg->bytes > sizeof arg->u.value)
          return wp__fail(WP_ERROR_BAD_ARGUMENTS, "%s: a value of %zu bytes was given; 1 to %zu are possible", where, arg->bytes,
                          sizeof arg->u.value);
        if (param != NULL && param->bytes != 0 && param->bytes != arg->bytes)
          return wp__fail(WP_ERROR_BAD_ARGUMENTS, "%s: a value of %zu byte%s was given, one of %zu is expected", where,
                          arg->bytes, arg->bytes == 1 ? "" : "s", param->bytes);
        break;
    }
  }
  return WP_OK;
}

static unsigned at_least_1(unsigned n) { return n == 0 ? 1 : n; }

wp_status wp_launch(wp_kernel *kernel, const wp_launch_config *config, const wp_arg *args, int arg_count) {
  wp_launch_config c;
  const wp_device *d;
  unsigned long long threads;
  wp_status status;
  if (kernel == NULL || config == NULL)
    return wp__fail(WP_ERROR_INVALID_ARGUMENT, "wp_launch: kernel and config must not be NULL");
  if (arg_count < 0 || (args == NULL && arg_count > 0))
    return wp__fail(WP_ERROR_INVALID_ARGUMENT, "wp_launch: %d arguments at %s", arg_count, args == NULL ? "NULL" : "args");
  d = kernel->device;
  c = *config;
  c.grid = (wp_dim3){at_least_1(c.grid.x), at_least_1(c.grid.y), at_least_1(c.grid.z)};
  c.block = (wp_dim3){at_least_1(c.block.x), at_least_1(c.block.y), at_least_1(c.block.z)};
  if (c.block.x > d->max_block_dim[0] || c.block.y > d->max_block_dim[1] || c.block.z > d->max_block_dim[2])
    return wp__fail(WP_ERROR_INVALID_ARGUMENT, "kernel '%s': a block of %u x %u x %u threads; %s allows %u x %u x %u",
                    kernel->name, c.block.x, c.block.y, c.block.z, d->name, d->max_block_dim[0], d->max_block_dim[1],
                    d->max_block_dim[2]);
  threads = (unsigned long long)c.block.x * c.block.y;
  threads =
      threads > 0xffffffffu ? threads : threads * c.block.z; /* no overflow: a product of three 32-bit numbers has 96 bits */
  if (threads > (unsigned long long)d->max_block_threads)
    return wp__fail(WP_ERROR_INVALID_ARGUMENT, "kernel '%s': a block of %llu threads; %s allows %d", kernel->name, threads,
                    d->name, d->max_block_threads);
  if (c.grid.x > d->max_grid_dim[0] || c.grid.y > d->max_grid_dim[1] || c.grid.z > d->max_grid_dim[2])
    return wp__fail(WP_ERROR_INVALID_ARGUMENT, "kernel '%s': a grid of %u x %u x %u blocks; %s allows %u x %u x %u", kernel->name,
                    c.grid.x, c.grid.y, c.grid.z, d->name, d->max_grid_dim[0], d->max_grid_dim[1], d->max_grid_dim[2]);
  status = check_args(kernel, args, arg_count);
  if (status != WP_OK) return status;
  return d->backend->launch(kernel, &c, args, arg_count);
}
