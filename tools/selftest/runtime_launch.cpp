/* launch.h on a vendor's copy of the CUDA runtime, for chips that libwarpport has no launcher for: one file, built by the vendor's
 * compiler together with the kernels (build.sh).
 *
 *   -DRT=musa              prefix of the runtime's functions: musaMalloc, musaMemcpy, musaLaunchKernel ... (cuda, mc, hip, su)
 *   -DRT_HEADER='"x.h"'    its header
 *   -DRT_LAUNCH(f,g,b,a,s) if its launch function is called otherwise than PREFIXLaunchKernel(function, grid, block, args, shared, stream)
 */
#ifndef RT_HEADER
#define RT_HEADER <cuda_runtime.h>
#endif
#include RT_HEADER
#include <warpport/launch.h>

#include "entry.h"

#include <chrono>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef RT
#define RT cuda
#endif
#define RT_CAT_(a, b) a##b
#define RT_CAT(a, b) RT_CAT_(a, b)
#define RT_(name) RT_CAT(RT, name)
#define RT_STRING_(x) #x
#define RT_STRING(x) RT_STRING_(x)
#ifndef RT_LAUNCH
#define RT_LAUNCH(function, grid, block, args, shared) RT_(LaunchKernel)(function, grid, block, args, shared, nullptr)
#endif

struct wp_device { char name[32], description[96]; };
struct wp_buffer { size_t bytes; void *memory; };
struct wp_kernel { const char *name; const void *function; wp_kernel *next; };

static char error_text[512];
static wp_kernel *found;
static warpport_entry *&entries() {
  static warpport_entry *first = nullptr;
  return first;
}
warpport_entry::warpport_entry(const char *kernel, const void *stub) : name(kernel), function(stub), next(entries()) { entries() = this; }

static wp_status fail(wp_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(error_text, sizeof error_text, format, args);
  va_end(args);
  return status;
}
static wp_status checked(int rc, wp_status status, const char *what) {
  return rc == 0 ? WP_OK : fail(status, "%s: %s returned %d", RT_STRING(RT), what, rc);
}

extern "C" {

const char *wp_last_error(void) { return error_text; }
const char *wp_status_name(wp_status status) {
  static const char *const names[] = {"WP_OK", "WP_ERROR_INVALID_ARGUMENT", "WP_ERROR_NO_BACKEND", "WP_ERROR_NO_DEVICE", "WP_ERROR_NO_KERNEL",
    "WP_ERROR_BAD_ARGUMENTS", "WP_ERROR_OUT_OF_MEMORY", "WP_ERROR_BUILD", "WP_ERROR_LAUNCH", "WP_ERROR_MISUSE"};
  return status <= WP_ERROR_MISUSE ? names[status] : "?";
}

wp_status wp_device_open(const char *name, wp_device **device) {
  int number = 0;
  const char *colon = strchr(name, ':');
  if (strncmp(name, "runtime", 7) != 0) return fail(WP_ERROR_NO_BACKEND, "'%s': this build knows \"runtime\" and \"runtime:N\"", name);
  if (colon) number = atoi(colon + 1);
  wp_status status = checked((int)RT_(SetDevice)(number), WP_ERROR_NO_DEVICE, "SetDevice");
  if (status != WP_OK) return status;
  wp_device *d = new wp_device;
  snprintf(d->name, sizeof d->name, "runtime:%d", number);
  snprintf(d->description, sizeof d->description, "device %d of the %s runtime", number, RT_STRING(RT));
  *device = d;
  return WP_OK;
}
void wp_device_close(wp_device *device) { delete device; }
wp_status wp_device_list(int (*visit)(const char *, const char *, void *), void *user) {
  visit("runtime:0", "the runtime's first device", user);
  return WP_OK;
}
const char *wp_device_name(const wp_device *device) { return device->name; }
const char *wp_device_description(const wp_device *device) { return device->description; }
const char *wp_device_backend(const wp_device *) { return "runtime"; }
int wp_device_warp_size(const wp_device *) { return 0; } /* what the runtime claims is not to be trusted: ask a kernel */
int wp_device_max_block_threads(const wp_device *) { return 1024; }

wp_status wp_buffer_create(wp_device *, size_t bytes, wp_buffer **buffer) {
  wp_buffer *b = new wp_buffer;
  b->bytes = bytes;
  wp_status status = checked((int)RT_(Malloc)(&b->memory, bytes), WP_ERROR_OUT_OF_MEMORY, "Malloc");
  if (status != WP_OK) delete b;
  else *buffer = b;
  return status;
}
void wp_buffer_destroy(wp_buffer *buffer) {
  if (!buffer) return;
  (void)RT_(Free)(buffer->memory);
  delete buffer;
}
size_t wp_buffer_size(const wp_buffer *buffer) { return buffer->bytes; }
wp_status wp_buffer_write(wp_buffer *b, size_t offset, const void *data, size_t bytes) {
  if (offset > b->bytes || bytes > b->bytes - offset) return fail(WP_ERROR_INVALID_ARGUMENT, "write beyond the end of a buffer");
  return checked((int)RT_(Memcpy)((char *)b->memory + offset, data, bytes, RT_(MemcpyHostToDevice)), WP_ERROR_LAUNCH, "Memcpy");
}
wp_status wp_buffer_read(wp_buffer *b, size_t offset, void *data, size_t bytes) {
  if (offset > b->bytes || bytes > b->bytes - offset) return fail(WP_ERROR_INVALID_ARGUMENT, "read beyond the end of a buffer");
  return checked((int)RT_(Memcpy)(data, (const char *)b->memory + offset, bytes, RT_(MemcpyDeviceToHost)), WP_ERROR_LAUNCH, "Memcpy");
}
wp_status wp_buffer_fill(wp_buffer *b, unsigned char byte) {
  return checked((int)RT_(Memset)(b->memory, byte, b->bytes), WP_ERROR_LAUNCH, "Memset");
}

wp_status wp_register_image(wp_image_kind, const char *, const void *, size_t) {
  return fail(WP_ERROR_NO_BACKEND, "kernels are linked into this program");
}
wp_status wp_kernel_find(wp_device *, const char *name, wp_kernel **kernel) {
  for (wp_kernel *k = found; k; k = k->next) {
    if (strcmp(k->name, name) != 0) continue;
    *kernel = k;
    return WP_OK;
  }
  for (warpport_entry *e = entries(); e; e = e->next) {
    if (strcmp(e->name, name) != 0) continue;
    found = new wp_kernel{e->name, e->function, found};
    *kernel = found;
    return WP_OK;
  }
  return fail(WP_ERROR_NO_KERNEL, "no kernel '%s' in this program", name);
}

wp_status wp_launch(wp_kernel *kernel, const wp_launch_config *config, const wp_arg *args, int arg_count) {
  enum { MOST = 32 };
  void *pointers[MOST];
  unsigned offsets[MOST], shared = 0;
  const wp_dim3 g = config->grid, b = config->block;
  if (arg_count > MOST) return fail(WP_ERROR_BAD_ARGUMENTS, "more than %d arguments", (int)MOST);
  for (int i = 0; i < arg_count; i++) {
    if (args[i].kind == WP_ARG_BUFFER) {
      pointers[i] = &args[i].u.buffer->memory;
    } else if (args[i].kind == WP_ARG_SHARED) { /* one array behind the other; the kernel gets the offset */
      offsets[i] = shared;
      pointers[i] = &offsets[i];
      shared += (unsigned)(args[i].bytes + 15) & ~15u;
    } else {
      pointers[i] = const_cast<unsigned char *>(args[i].u.value);
    }
  }
  auto start = std::chrono::steady_clock::now();
  wp_status status = checked((int)RT_LAUNCH(kernel->function, dim3(g.x ? g.x : 1, g.y ? g.y : 1, g.z ? g.z : 1),
                                            dim3(b.x ? b.x : 1, b.y ? b.y : 1, b.z ? b.z : 1), pointers, shared),
                             WP_ERROR_LAUNCH, kernel->name);
  if (status == WP_OK && config->elapsed_ms) {
    status = checked((int)RT_(DeviceSynchronize)(), WP_ERROR_LAUNCH, kernel->name);
    *config->elapsed_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }
  return status;
}
wp_status wp_device_synchronize(wp_device *) { return checked((int)RT_(DeviceSynchronize)(), WP_ERROR_LAUNCH, "DeviceSynchronize"); }

} /* extern "C" */
