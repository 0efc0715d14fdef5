/* What one backend offers behind launch.h. Internal to libwarpport; backends/launch.c is the only caller.
 *
 * launch.c owns: the error text, the image registry, name lookup, and every check that is the same for all backends
 * (null pointers, buffer ranges, block limits, argument count, kinds and sizes where the backend knows the signature).
 * A backend owns its device, buffers and kernels, which begin with the structs below. */
#ifndef WARPPORT_BACKENDS_BACKEND_H
#define WARPPORT_BACKENDS_BACKEND_H

#include "warpport/launch.h"

/* Stores the text for wp_last_error() and returns status, so that a backend can say `return wp__fail(WP_ERROR_X, "...")`. */
wp_status wp__fail(wp_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef struct wp__image {
  wp_image_kind kind;
  const char *name;
  const void *data;
  size_t bytes;
  struct wp__image *next; /* in order of registration */
} wp__image;
const wp__image *wp__first_image(void);

struct wp_device {
  const struct wp__backend *backend;
  char name[64];
  char description[256];
  int warp_size;
  int max_block_threads;
  unsigned max_block_dim[3];
  unsigned max_grid_dim[3];
  struct wp_kernel *kernels; /* found so far; freed by launch.c through kernel_destroy */
};

struct wp_buffer {
  wp_device *device;
  size_t bytes;
};

/* One parameter of a kernel as far as the backend knows it. */
typedef struct wp__param {
  wp_arg_kind kind; /* 0: unknown */
  size_t bytes;     /* 0: unknown */
  const char *text; /* as written, for messages; NULL: unknown */
} wp__param;

struct wp_kernel {
  wp_device *device;
  const char *name;
  int param_count;   /* -1: unknown */
  wp__param *params; /* NULL: unknown */
  struct wp_kernel *next;
};

typedef struct wp__backend {
  const char *name; /* "cpu", "cuda", "hip", "opencl" */
  /* selector: what stands behind "NAME:" or NULL. Fills *device (allocated by the backend, wp_device first). */
  wp_status (*open)(const char *selector, wp_device **device);
  void (*close)(wp_device *device);
  int (*list)(int (*visit)(const char *name, const char *description, void *user), void *user);
  wp_status (*buffer_create)(wp_device *device, size_t bytes, wp_buffer **buffer);
  void (*buffer_destroy)(wp_buffer *buffer);
  wp_status (*buffer_write)(wp_buffer *buffer, size_t offset, const void *data, size_t bytes);
  wp_status (*buffer_read)(wp_buffer *buffer, size_t offset, void *data, size_t bytes);
  wp_status (*buffer_fill)(wp_buffer *buffer, unsigned char byte);
  wp_status (*kernel_find)(wp_device *device, const char *name, wp_kernel **kernel);
  void (*kernel_destroy)(wp_kernel *kernel);
  wp_status (*launch)(wp_kernel *kernel, const wp_launch_config *config, const wp_arg *args, int arg_count); /* zeros in dims already made 1 */
  wp_status (*synchronize)(wp_device *device);
} wp__backend;

extern const wp__backend wp__backend_cpu;
extern const wp__backend wp__backend_cuda;   /* if built with WARPPORT_WITH_CUDA */
extern const wp__backend wp__backend_hip;    /* if built with WARPPORT_WITH_HIP */
extern const wp__backend wp__backend_opencl; /* if built with WARPPORT_WITH_OPENCL */

#endif
