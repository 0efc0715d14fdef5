/* The CPU backend behind launch.h: devices, buffers, the registry of kernels, and calling them. */
#define _GNU_SOURCE
#include "emulator.h"

#include <ctype.h>
#include <ffi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef WARPPORT_HAVE_VALGRIND
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_UNDEFINED(at, bytes) ((void)0)
#endif

typedef struct host_device {
  wp_device base;
  wp_u64 poison; /* WARPPORT_POISON: what uninitialised memory holds */
} host_device;

typedef struct host_buffer {
  wp_buffer base;
  void *memory;
} host_buffer;

typedef struct host_kernel {
  wp_kernel base;
  const wp__host_kernel *entry;
  int shared_param; /* -1: none */
  ffi_cif cif;
  ffi_type *types[WP__MAX_PARAMS];
  wp__param params[WP__MAX_PARAMS];
} host_kernel;

/* ---- kernels of the program: they register themselves before main() ---- */

static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
static wp__host_kernel *registry;

void wp__host_register(wp__host_kernel *kernel) {
  wp__host_kernel **at;
  pthread_mutex_lock(&registry_lock);
  for (at = &registry; *at != NULL; at = &(*at)->next) continue;
  kernel->next = NULL;
  *at = kernel;
  pthread_mutex_unlock(&registry_lock);
}

void wp__host_unregister(wp__host_kernel *kernel) {
  wp__host_kernel **at;
  pthread_mutex_lock(&registry_lock);
  for (at = &registry; *at != NULL && *at != kernel; at = &(*at)->next) continue;
  if (*at != NULL) *at = kernel->next;
  pthread_mutex_unlock(&registry_lock);
}

/* ---- devices ---- */


static wp_status host_open(const char *selector, wp_device **device) {
  wp__settings settings;
  const char *problem = NULL;
  wp_device *d;
  long lanes;
  if (!wp__settings_read(&settings, &problem)) return wp__fail(WP_ERROR_INVALID_ARGUMENT, "cpu: %s", problem);
  lanes = settings.lanes;
  if (selector != NULL) {
    char *end = NULL;
    lanes = strtol(selector, &end, 10);
    if (end == selector || *end != 0) lanes = -1;
  }
  if (lanes < 1 || lanes > WP__MAX_LANES || (lanes & (lanes - 1)) != 0)
    return wp__fail(WP_ERROR_NO_DEVICE, "cpu: a warp of %s lanes was asked for; 1, 2, 4, 8, 16, 32 and 64 are possible (%s)",
                    selector != NULL ? selector : getenv("WARPPORT_HOST_LANES"),
                    selector != NULL ? "\"cpu:32\"" : "WARPPORT_HOST_LANES");
  d = calloc(1, sizeof(host_device));
  if (d == NULL) return wp__fail(WP_ERROR_OUT_OF_MEMORY, "cpu: no memory for a device");
  snprintf(d->name, sizeof d->name, "cpu:%ld", lanes);
  snprintf(d->description, sizeof d->description, "warp emulator, %ld lanes, %d thread%s", lanes, settings.threads,
           settings.threads == 1 ? "" : "s");
  d->backend = &wp__backend_cpu;
  d->warp_size = (int)lanes;
  d->max_block_threads = WP__MAX_THREADS;
  d->max_block_dim[0] = d->max_block_dim[1] = WP__MAX_THREADS;
  d->max_block_dim[2] = 64;
  d->max_grid_dim[0] = 0x7fffffff;
  d->max_grid_dim[1] = d->max_grid_dim[2] = 65535;
  ((host_device *)d)->poison = settings.poison;
  wp__record_device(d->warp_size);
  *device = d;
  return WP_OK;
}

static void host_close(wp_device *device) { free(device); }

static int host_list(int (*visit)(const char *name, const char *description, void *user), void *user) {
  int stop = visit("cpu:32", "warp emulator, 32 lanes (\"cpu:N\" has N: 1, 2, 4, ... 64)", user);
  return stop != 0 ? stop : visit("cpu:64", "warp emulator, 64 lanes", user);
}

static wp_status host_synchronize(wp_device *device) {
  (void)device;
  return WP_OK;
}

/* ---- buffers: their exact size, so that ASan and valgrind see an access past the end ---- */

static wp_status host_buffer_create(wp_device *device, size_t bytes, wp_buffer **buffer) {
  host_buffer *b;
  double physical = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  if ((double)bytes > physical) /* the kernel might promise it all the same */
    return wp__fail(WP_ERROR_OUT_OF_MEMORY, "%s: a buffer of %zu bytes; the machine has %.0f", device->name, bytes, physical);
  b = calloc(1, sizeof *b);
  if (b == NULL || posix_memalign(&b->memory, 256, bytes) != 0) {
    free(b);
    return wp__fail(WP_ERROR_OUT_OF_MEMORY, "%s: no memory for a buffer of %zu bytes", device->name, bytes);
  }
  memset(b->memory, wp__poison_byte(((host_device *)device)->poison), bytes);
  VALGRIND_MAKE_MEM_UNDEFINED(b->memory, bytes);
  b->base.device = device;
  b->base.bytes = bytes;
  *buffer = &b->base;
  return WP_OK;
}

static void host_buffer_destroy(wp_buffer *buffer) {
  free(((host_buffer *)buffer)->memory);
  free(buffer);
}

static wp_status host_buffer_write(wp_buffer *buffer, size_t offset, const void *data, size_t bytes) {
  memcpy((char *)((host_buffer *)buffer)->memory + offset, data, bytes);
  return WP_OK;
}

static wp_status host_buffer_read(wp_buffer *buffer, size_t offset, void *data, size_t bytes) {
  memcpy(data, (char *)((host_buffer *)buffer)->memory + offset, bytes);
  wp__record_read(offset, data, bytes);
  return WP_OK;
}

static wp_status host_buffer_fill(wp_buffer *buffer, unsigned char byte) {
  memset(((host_buffer *)buffer)->memory, byte, buffer->bytes);
  return WP_OK;
}

/* ---- kernels ---- */

/* NULL: not a type the emulator can pass. */
static ffi_type *ffi_type_of(int kind, size_t bytes) {
  switch (kind) {
    case WP__HOST_FLOAT: return &ffi_type_float;
    case WP__HOST_DOUBLE: return &ffi_type_double;
    case WP__HOST_POINTER: return &ffi_type_pointer;
    case WP__HOST_SIGNED:
      return bytes == 1 ? &ffi_type_sint8 : bytes == 2 ? &ffi_type_sint16 : bytes == 4 ? &ffi_type_sint32 : &ffi_type_sint64;
    case WP__HOST_UNSIGNED:
      return bytes == 1 ? &ffi_type_uint8 : bytes == 2 ? &ffi_type_uint16 : bytes == 4 ? &ffi_type_uint32 : &ffi_type_uint64;
    default: return NULL;
  }
}

/* What the compiler could not tell is in the text. */
static int kind_of(const wp__host_param *param) {
  if (param->kind != WP__HOST_OTHER) return param->kind;
  if (strchr(param->text, '*') != NULL) return WP__HOST_POINTER;
  if (strncmp(param->text, "enum ", 5) == 0 && param->bytes == 4) return WP__HOST_UNSIGNED;
  return WP__HOST_OTHER;
}

static bool is_shared(const wp__host_param *param) { return strstr(param->text, "wp__shared_") != NULL; }

/* The parameter as the user wrote it. */
static char *shown(const char *text) {
  char *s = malloc(strlen(text) + 32);
  const char *at = strstr(text, "wp__shared_");
  if (s == NULL) return NULL;
  if (at == NULL) {
    strcpy(s, text);
  } else {
    const char *star = at;
    while (star > text && (star[-1] == '*' || star[-1] == ' ')) star--;
    sprintf(s, "WP_SHARED_PARAM(%.*s, %s)", (int)(star - text), text, at + strlen("wp__shared_"));
  }
  return s;
}

static void host_kernel_destroy(wp_kernel *kernel) {
  host_kernel *hk = (host_kernel *)kernel;
  int i;
  for (i = 0; i < hk->entry->param_count && i < WP__MAX_PARAMS; i++) free((char *)(uintptr_t)hk->params[i].text);
  free(hk);
}

static const wp__host_kernel *lookup(const char *name, wp__text *known) {
  const wp__host_kernel *entry, *found = NULL;
  pthread_mutex_lock(&registry_lock);
  for (entry = registry; entry != NULL && found == NULL; entry = entry->next) {
    if (strcmp(entry->name, name) == 0) found = entry;
    if (known->length < 1000) wp__say(known, "%s%s", known->length > 0 ? ", " : "", entry->name);
  }
  pthread_mutex_unlock(&registry_lock);
  return found;
}

static wp_status host_kernel_find(wp_device *device, const char *name, wp_kernel **kernel) {
  wp__text known = {NULL, 0, 0};
  const wp__host_kernel *entry = lookup(name, &known);
  host_kernel *hk;
  wp_status status = WP_OK;
  int i;
  if (entry == NULL) {
    status = wp__fail(WP_ERROR_NO_KERNEL, "%s: no kernel '%s' in this program; it has %s", device->name, name,
                      known.length > 0 ? known.s : "none (are its objects linked in whole?)");
    free(known.s);
    return status;
  }
  free(known.s);
  hk = calloc(1, sizeof *hk);
  if (hk == NULL) return wp__fail(WP_ERROR_OUT_OF_MEMORY, "%s: no memory for kernel '%s'", device->name, name);
  hk->base.device = device;
  hk->base.name = entry->name;
  hk->base.param_count = entry->param_count;
  hk->base.params = hk->params;
  hk->entry = entry;
  hk->shared_param = -1;
  for (i = 0; i < entry->param_count; i++) {
    const wp__host_param *param = &entry->params[i];
    int kind = kind_of(param);
    hk->params[i].text = shown(param->text);
    hk->params[i].bytes = param->bytes;
    hk->params[i].kind = kind == WP__HOST_POINTER ? WP_ARG_BUFFER : WP_ARG_VALUE;
    hk->types[i] = ffi_type_of(kind, param->bytes);
    if (is_shared(param)) {
      if (hk->shared_param >= 0) {
        status = wp__fail(WP_ERROR_BAD_ARGUMENTS, "kernel '%s' (%s:%d) has two WP_SHARED_PARAM parameters; one is possible", name,
                          entry->file, entry->line);
        break;
      }
      hk->shared_param = i;
      hk->params[i].kind = WP_ARG_SHARED;
      hk->params[i].bytes = 0;
    }
    if (entry->call == NULL && hk->types[i] == NULL) {
      status = wp__fail(WP_ERROR_BAD_ARGUMENTS,
                        "kernel '%s' (%s:%d): parameter %d, '%s', is neither a number nor a pointer written with '*'; "
                        "in C the CPU backend can pass no other type",
                        name, entry->file, entry->line, i + 1, param->text);
      break;
    }
  }
  if (status == WP_OK && entry->call == NULL &&
      ffi_prep_cif(&hk->cif, FFI_DEFAULT_ABI, (unsigned)entry->param_count, &ffi_type_void, hk->types) != FFI_OK)
    status = wp__fail(WP_ERROR_BAD_ARGUMENTS, "kernel '%s': libffi cannot call it", name);
  if (status != WP_OK) {
    host_kernel_destroy(&hk->base);
    return status;
  }
  *kernel = &hk->base;
  return WP_OK;
}

/* In a fiber. */
void wp__call_kernel(wp__worker *k) {
  const wp__host_kernel *entry = k->run->kernel;
  if (entry->call != NULL)
    entry->call(entry->function, k->args);
  else
    ffi_call(k->run->cif, entry->function, NULL, k->args);
}

static wp_u64 launches;

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static wp_status host_launch(wp_kernel *kernel, const wp_launch_config *config, const wp_arg *args, int arg_count) {
  host_kernel *hk = (host_kernel *)kernel;
  wp__settings settings;
  const char *problem = NULL;
  union { unsigned char bytes[16]; void *pointer; double aligned; } values[WP__MAX_PARAMS];
  wp__run run;
  double begin;
  int i;
  if (!wp__settings_read(&settings, &problem))
    return wp__fail(WP_ERROR_INVALID_ARGUMENT, "%s: %s", kernel->device->name, problem);
  memset(&run, 0, sizeof run);
  run.kernel = hk->entry;
  run.cif = &hk->cif;
  run.shared_param = hk->shared_param;
  for (i = 0; i < arg_count; i++) {
    run.args[i] = &values[i];
    if (args[i].kind == WP_ARG_BUFFER)
      values[i].pointer = ((host_buffer *)args[i].u.buffer)->memory;
    else if (args[i].kind == WP_ARG_SHARED)
      run.shared_bytes = args[i].bytes;
    else
      memcpy(values[i].bytes, args[i].u.value, sizeof values[i].bytes);
  }
  run.warp_size = kernel->device->warp_size;
  run.block_dim[0] = (int)config->block.x;
  run.block_dim[1] = (int)config->block.y;
  run.block_dim[2] = (int)config->block.z;
  run.grid_dim[0] = (int)config->grid.x;
  run.grid_dim[1] = (int)config->grid.y;
  run.grid_dim[2] = (int)config->grid.z;
  run.threads = run.block_dim[0] * run.block_dim[1] * run.block_dim[2];
  run.blocks = (wp_u64)config->grid.x * config->grid.y * config->grid.z;
  run.stack_bytes = settings.stack_bytes;
  run.stop = ~(wp_u64)0;
  run.settings = &settings;
  run.serial = __atomic_fetch_add(&launches, 1, __ATOMIC_RELAXED);
  pthread_mutex_init(&run.lock, NULL);
  begin = now_ms();
  wp__pool_run(&run, settings.threads, settings.timeout);
  if (config->elapsed_ms != NULL) *config->elapsed_ms = now_ms() - begin;
  pthread_mutex_destroy(&run.lock);
  wp__record_launch(&run, run.status);
  wp__reports_write(NULL);
  if (run.status != WP_OK) {
    wp__text text = {NULL, 0, 0};
    wp_status status;
    wp__reports_publish(&run, &text);
    wp__reports_write(run.reports);
    if (settings.ends) exit(EXIT_FAILURE); /* for programs that do not look at what wp_launch() returns */
    status = wp__fail(run.status, "%s", text.s != NULL ? text.s : "no memory for the report");
    free(text.s);
    free(run.text);
    while (run.reports != NULL) {
      wp__report *next = run.reports->next;
      wp__report_free(run.reports);
      run.reports = next;
    }
    return status;
  }
  return WP_OK;
}

const wp__backend wp__backend_cpu = {
    .name = "cpu",
    .open = host_open,
    .close = host_close,
    .list = host_list,
    .buffer_create = host_buffer_create,
    .buffer_destroy = host_buffer_destroy,
    .buffer_write = host_buffer_write,
    .buffer_read = host_buffer_read,
    .buffer_fill = host_buffer_fill,
    .kernel_find = host_kernel_find,
    .kernel_destroy = host_kernel_destroy,
    .launch = host_launch,
    .synchronize = host_synchronize,
};
