/* What the backends over a vendor's library share: finding its functions, naming devices, remembering modules, and arguments as
 * cuLaunchKernel() and hipModuleLaunchKernel() take them. */
#ifndef WARPPORT_BACKENDS_GPU_H
#define WARPPORT_BACKENDS_GPU_H

#include "backend.h"

#include <stdbool.h>
#include <stdint.h>

/* Stores the address of a function of the library in the function pointer; false: it has none. */
bool wp__look_up(void *library, const char *symbol, void *function);

/* The number after "cuda:" or "hip:"; 0 for NULL. */
wp_status wp__device_index(const char *backend, const char *selector, int *index);
/* Fails, telling how many devices there are. */
wp_status wp__no_such_device(const char *backend, int index, const char *who, int count);

/* The modules that a device has loaded, each from an image. */
typedef struct wp__module {
  const wp__image *image;
  void *handle;
  struct wp__module *next;
} wp__module;
void *wp__module_find(const wp__module *first, const wp__image *image); /* NULL: not loaded yet */
bool wp__module_add(wp__module **first, const wp__image *image, void *handle); /* false: no memory */

typedef struct wp__gpu_buffer {
  wp_buffer base;
  uint64_t address; /* as kernels see it */
} wp__gpu_buffer;

/* `bytes` bytes that begin with a wp_kernel: zero, but for the device and a copy of the name. NULL: no memory. */
void *wp__kernel_new(size_t bytes, wp_device *device, const char *name);
void wp__kernel_free(wp_kernel *kernel);

/* What a block of a kernel may have; 0 threads: unknown. */
typedef struct wp__block_limits {
  unsigned max_threads, static_shared, shared_limit; /* bytes in the kernel, and in all */
} wp__block_limits;

/* Where each argument is (a buffer's address, the offset of a shared array, a value), and the bytes of dynamic shared memory. */
typedef union wp__slot {
  uint64_t address;
  uint32_t offset;
  unsigned char value[16];
} wp__slot;
typedef struct wp__arguments {
  void **pointers;
  size_t shared;
  wp__slot *slots;
  void *few_pointers[32];
  wp__slot few_slots[32];
} wp__arguments;
/* wp__arguments_free() only after success. */
wp_status wp__arguments_make(wp__arguments *a, const wp_kernel *kernel, const wp_launch_config *config,
                             const wp__block_limits *limits, const wp_arg *args, int count);
void wp__arguments_free(wp__arguments *a);

#endif
