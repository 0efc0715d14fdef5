/* warpport/launch.h: run a warpport kernel on any backend, from host code.
 *
 * This header is for host programs (C11 or C++11); kernels include <warpport/warpport.h> instead. Link with libwarpport.
 *
 *     wp_device *dev;  wp_buffer *x, *y;  wp_kernel *k;
 *     wp_device_open("cpu:64", &dev);                 // or "cuda", "cuda:1", "opencl:pocl", "hip:0"
 *     wp_buffer_create(dev, n * sizeof(float), &x);
 *     wp_buffer_write(x, 0, host_x, n * sizeof(float));
 *     wp_kernel_find(dev, "scale", &k);
 *     wp_arg args[] = { wp_arg_buffer(x), wp_arg_f32(2.0f), wp_arg_i32(n) };
 *     wp_launch(k, &(wp_launch_config){ .grid = {blocks, 1, 1}, .block = {128, 1, 1} }, args, 3);
 *     wp_buffer_read(x, 0, host_x, n * sizeof(float));
 *
 * Every call returns WP_OK or an error code; wp_last_error() then says, for this thread, what was asked and what is possible.
 * A failed call changes nothing and leaks nothing. A device and its buffers are used by one thread at a time.
 */
#ifndef WARPPORT_LAUNCH_H
#define WARPPORT_LAUNCH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wp_status {
  WP_OK = 0,
  WP_ERROR_INVALID_ARGUMENT,  /* a null pointer, a size out of range, a block over the limit */
  WP_ERROR_NO_BACKEND,        /* the name is unknown or the library was built without that backend */
  WP_ERROR_NO_DEVICE,         /* the backend is there, the driver or the device is not */
  WP_ERROR_NO_KERNEL,         /* no registered image of that backend has a kernel of that name */
  WP_ERROR_BAD_ARGUMENTS,     /* wp_launch: count, kind or size of an argument differs from the kernel's */
  WP_ERROR_OUT_OF_MEMORY,     /* host or device memory */
  WP_ERROR_BUILD,             /* run-time compilation failed; wp_last_error() holds the whole build log */
  WP_ERROR_LAUNCH,            /* the driver refused or aborted the launch */
  WP_ERROR_MISUSE             /* CPU backend: the checker reported a misuse of a collective; wp_last_error() is the report */
} wp_status;

/* The text behind the last failure in this thread; "" if none. Valid until the next failing call of this thread. */
const char *wp_last_error(void);
const char *wp_status_name(wp_status status);

/* ---- devices ---- */

typedef struct wp_device wp_device;
typedef struct wp_buffer wp_buffer;
typedef struct wp_kernel wp_kernel;

/* name: "cpu" (32 lanes or WARPPORT_HOST_LANES), "cpu:N" (N lanes, 1 ... 64), "cuda", "cuda:I", "hip:I", "opencl", "opencl:NAME|I". */
wp_status wp_device_open(const char *name, wp_device **device);
void wp_device_close(wp_device *device); /* NULL is allowed; buffers and kernels of the device must be gone or unused */

/* Calls visit(name, description, user) for each device this machine has, names as wp_device_open takes them
 * (the CPU backend appears as "cpu:32" and "cpu:64"). For a backend that is built in but cannot be used here, name is
 * NULL and description says which one and why. Stops when visit returns non-zero. */
wp_status wp_device_list(int (*visit)(const char *name, const char *description, void *user), void *user);

const char *wp_device_name(const wp_device *device);        /* as opened, made exact: "cpu:32", "cuda:0" */
const char *wp_device_description(const wp_device *device); /* "NVIDIA H200, sm_90, driver 13.0" */
const char *wp_device_backend(const wp_device *device);     /* "cpu", "cuda", "hip", "opencl" */
int wp_device_warp_size(const wp_device *device);           /* lanes; 0 if only known per kernel */
int wp_device_max_block_threads(const wp_device *device);

/* ---- memory ---- */

wp_status wp_buffer_create(wp_device *device, size_t bytes, wp_buffer **buffer); /* bytes >= 1; contents undefined (CPU: poisoned) */
void wp_buffer_destroy(wp_buffer *buffer);
wp_status wp_buffer_write(wp_buffer *buffer, size_t offset, const void *data, size_t bytes);
wp_status wp_buffer_read(wp_buffer *buffer, size_t offset, void *data, size_t bytes);
wp_status wp_buffer_fill(wp_buffer *buffer, unsigned char byte); /* the whole buffer */
size_t wp_buffer_size(const wp_buffer *buffer);

/* ---- kernels ---- */

/* Kernels reach a program as images: warpport_add_kernels() of CMake builds one for each chosen backend and registers it before
 * main(). A program may register further ones at run time. data must stay valid until the program ends. */
typedef enum wp_image_kind {
  WP_IMAGE_CUDA = 1,     /* fatbin, cubin or zero-terminated PTX */
  WP_IMAGE_HIP,          /* code object or offload bundle */
  WP_IMAGE_OPENCL_SOURCE,/* zero-terminated OpenCL C */
  WP_IMAGE_OPENCL_SPIRV
} wp_image_kind;
wp_status wp_register_image(wp_image_kind kind, const char *name, const void *data, size_t bytes);

wp_status wp_kernel_find(wp_device *device, const char *name, wp_kernel **kernel); /* owned by the device */

typedef enum wp_arg_kind { WP_ARG_VALUE = 1, WP_ARG_BUFFER, WP_ARG_SHARED } wp_arg_kind;
typedef struct wp_arg {
  wp_arg_kind kind;
  size_t bytes;               /* of the value, or of the shared array */
  union { unsigned char value[16]; wp_buffer *buffer; } u;
} wp_arg;

static inline wp_arg wp_arg_buffer(wp_buffer *b) { wp_arg a; memset(&a, 0, sizeof a); a.kind = WP_ARG_BUFFER; a.bytes = sizeof(void *); a.u.buffer = b; return a; }
/* Dynamic shared memory for a WP_SHARED_PARAM parameter. */
static inline wp_arg wp_arg_shared(size_t bytes) { wp_arg a; memset(&a, 0, sizeof a); a.kind = WP_ARG_SHARED; a.bytes = bytes; return a; }
/* bytes: 1 ... 16 */
static inline wp_arg wp_arg_value(const void *v, size_t bytes) { wp_arg a; memset(&a, 0, sizeof a); a.kind = WP_ARG_VALUE; a.bytes = bytes; memcpy(a.u.value, v, bytes <= 16 ? bytes : 16); return a; }
static inline wp_arg wp_arg_i32(int32_t v) { return wp_arg_value(&v, sizeof v); }
static inline wp_arg wp_arg_u32(uint32_t v) { return wp_arg_value(&v, sizeof v); }
static inline wp_arg wp_arg_i64(int64_t v) { return wp_arg_value(&v, sizeof v); }
static inline wp_arg wp_arg_u64(uint64_t v) { return wp_arg_value(&v, sizeof v); }
static inline wp_arg wp_arg_f32(float v) { return wp_arg_value(&v, sizeof v); }
static inline wp_arg wp_arg_f64(double v) { return wp_arg_value(&v, sizeof v); }

typedef struct wp_dim3 { unsigned x, y, z; } wp_dim3; /* a zero counts as 1 */
typedef struct wp_launch_config {
  wp_dim3 grid;       /* blocks */
  wp_dim3 block;      /* threads a block; x*y*z <= wp_device_max_block_threads() */
  double *elapsed_ms; /* if not NULL: waits for the kernel and stores its time (device events where there are any) */
} wp_launch_config;

/* Runs the kernel; later calls on the same device see its results. The CPU backend has finished when it returns. */
wp_status wp_launch(wp_kernel *kernel, const wp_launch_config *config, const wp_arg *args, int arg_count);
wp_status wp_device_synchronize(wp_device *device); /* waits, and returns what a launch before it may have failed with */

#ifdef __cplusplus
}
#endif
#endif
