#include "gpu.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* POSIX: an object pointer of dlsym() holds a function pointer; ISO C has no conversion, so the bytes are copied. */
bool wp__look_up(void *library, const char *symbol, void *function) {
  void *address = dlsym(library, symbol);
  memcpy(function, &address, sizeof address);
  return address != NULL;
}

wp_status wp__device_index(const char *backend, const char *selector, int *index) {
  char *end = NULL;
  long n = selector ? strtol(selector, &end, 10) : 0;
  if (selector && (*selector < '0' || *selector > '9' || *end != 0 || n > INT_MAX))
    return wp__fail(WP_ERROR_INVALID_ARGUMENT, "%s:%s: after the colon comes the number of a device, from 0", backend, selector);
  *index = (int)n;
  return WP_OK;
}

wp_status wp__no_such_device(const char *backend, int index, const char *who, int count) {
  return wp__fail(WP_ERROR_NO_DEVICE, "%s:%d: the %s shows %d device%s%s%s%s", backend, index, who, count, count == 1 ? "" : "s",
                  count == 0   ? ""
                  : count == 1 ? ", "
                               : ", from ",
                  count == 0 ? "" : backend, count == 0 ? "" : count == 1 ? ":0" : ":0 up");
}

void *wp__module_find(const wp__module *first, const wp__image *image) {
  for (const wp__module *m = first; m; m = m->next)
    if (m->image == image) return m->handle;
  return NULL;
}

bool wp__module_add(wp__module **first, const wp__image *image, void *handle) {
  wp__module *m = malloc(sizeof *m);
  if (!m) return false;
  *m = (wp__module){image, handle, *first};
  *first = m;
  return true;
}

void *wp__kernel_new(size_t bytes, wp_device *device, const char *name) {
  wp_kernel *k = calloc(1, bytes);
  char *copy = malloc(strlen(name) + 1);
  if (!k || !copy) {
    free(k);
    free(copy);
    return NULL;
  }
  memcpy(copy, name, strlen(name) + 1);
  k->device = device;
  k->name = copy;
  return k;
}

void wp__kernel_free(wp_kernel *kernel) {
  free((void *)(uintptr_t)kernel->name);
  free(kernel);
}

wp_status wp__arguments_make(wp__arguments *a, const wp_kernel *kernel, const wp_launch_config *config,
                             const wp__block_limits *limits, const wp_arg *args, int count) {
  const unsigned long long threads = (unsigned long long)config->block.x * config->block.y * config->block.z;
  const size_t limit = limits->shared_limit;
  if (limits->max_threads > 0 && threads > limits->max_threads)
    return wp__fail(WP_ERROR_INVALID_ARGUMENT,
                    "kernel '%s' on %s: a block of %ux%ux%u threads; with its registers it runs with at most %u", kernel->name,
                    kernel->device->name, config->block.x, config->block.y, config->block.z, limits->max_threads);
  a->pointers = a->few_pointers;
  a->slots = a->few_slots;
  a->shared = 0;
  if ((size_t)count > sizeof a->few_slots / sizeof *a->few_slots) {
    a->pointers = malloc((size_t)count * sizeof *a->pointers);
    a->slots = malloc((size_t)count * sizeof *a->slots);
    if (!a->pointers || !a->slots) {
      wp__arguments_free(a);
      return wp__fail(WP_ERROR_OUT_OF_MEMORY, "kernel '%s': no host memory for %d arguments", kernel->name, count);
    }
  }
  for (int i = 0; i < count; i++) {
    wp__slot *slot = &a->slots[i];
    /* launch.c has compared kinds and the sizes of values; without a signature a buffer or an offset is known by its size. */
    size_t bytes = args[i].kind == WP_ARG_BUFFER ? sizeof slot->address : sizeof slot->offset;
    size_t takes = kernel->params ? kernel->params[i].bytes : 0;
    if (takes != 0 && args[i].kind != WP_ARG_VALUE && takes != bytes) {
      wp__arguments_free(a);
      return wp__fail(WP_ERROR_BAD_ARGUMENTS, "kernel '%s', parameter %d: %s was given, but the parameter has %zu bytes",
                      kernel->name, i + 1, args[i].kind == WP_ARG_BUFFER ? "a buffer" : "shared memory", takes);
    }
    if (args[i].kind == WP_ARG_BUFFER) {
      slot->address = ((const wp__gpu_buffer *)args[i].u.buffer)->address;
    } else if (args[i].kind == WP_ARG_SHARED) {
      slot->offset = (uint32_t)a->shared;
      /* Beyond the limit the sum stays there, so that it cannot overflow. */
      if (args[i].bytes > limit || a->shared > limit) a->shared = limit + 1;
      else a->shared += (args[i].bytes + 15) & ~(size_t)15;
    } else {
      memcpy(slot->value, args[i].u.value, sizeof slot->value);
    }
    a->pointers[i] = slot;
  }
  if (a->shared + limits->static_shared > limit) {
    wp__arguments_free(a);
    return wp__fail(
        WP_ERROR_INVALID_ARGUMENT,
        "kernel '%s' on %s: %zu%s bytes of dynamic shared memory asked for and %u bytes in the kernel; a block has %zu",
        kernel->name, kernel->device->name, a->shared, a->shared > limit ? " or more" : "", limits->static_shared, limit);
  }
  return WP_OK;
}

void wp__arguments_free(wp__arguments *a) {
  if (a->slots != a->few_slots) free(a->slots);
  if (a->pointers != a->few_pointers) free(a->pointers);
}
