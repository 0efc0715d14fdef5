/* The OpenCL backend of launch.h, over the ICD loader.
 *
 * A program is an image of OpenCL C (the kernel file and the header in one text) or of SPIR-V; it is built when a kernel is first
 * looked for in it, with options that follow from the device: language version, dialect of warps, sub-group size. Kernels of devices
 * without sub-groups have a hidden first argument, the local memory through which their warps are emulated. */
#define _POSIX_C_SOURCE 200809L /* strnlen */
#include "opencl_backend.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The parameter's name in include/warpport/backend/opencl.h. */
#define STORAGE_NAME "wp_declare_WP_WARP_STORAGE_or_WP_WARP_PARAM"

typedef struct program {
  const wp__image *image;
  cl_program handle;
  bool storage; /* its kernels have the hidden argument */
  struct program *next;
} program;

typedef struct opencl_device {
  wp_device base;
  wp__cl_traits traits;
  wp__cl_choice choice;
  wp__dialect dialect;
  cl_context context;
  cl_command_queue queue;
  cl_ulong local_limit; /* bytes a block */
  cl_ulong largest;     /* buffer */
  program *programs;
  cl_event pending; /* of the last launch: what it failed with; NULL if none */
} opencl_device;

typedef struct opencl_buffer {
  wp_buffer base;
  cl_mem memory;
} opencl_buffer;

typedef struct opencl_kernel {
  wp_kernel base;
  cl_kernel handle;
  bool storage;
  size_t max_threads; /* a block */
  cl_ulong static_local;
  size_t sub_group;   /* lanes, where the device forms sub-groups by rows (traits.rows); else 0 */
  int logical;        /* WARPPORT_WARP_SIZE of its program; 0 none */
} opencl_kernel;

static opencl_device *device_of(wp_device *d) { return (opencl_device *)d; }
static const wp__cl *cl(void) { return wp__cl_driver(); }

static wp_status fail(wp_status status, const wp_device *d, const char *what, cl_int error) {
  return wp__fail(status, "%s: %s failed: %s (%d)", d->name, what, wp__cl_error_name(error), (int)error);
}

/* ---- finding devices ---- */

/* Calls visit for each device of each platform, in the loader's order; stops when it returns non-zero. */
static int each_device(int (*visit)(int index, const wp__cl_traits *t, void *user), void *user) {
  cl_platform_id platforms[32];
  cl_uint count = 0;
  int index = 0;
  if (cl()->platform_ids(32, platforms, &count) != CL_SUCCESS) return 0;
  if (count > 32) count = 32;
  for (cl_uint p = 0; p < count; p++) {
    cl_device_id devices[64];
    cl_uint n = 0;
    if (cl()->device_ids(platforms[p], CL_DEVICE_TYPE_ALL, 64, devices, &n) != CL_SUCCESS) continue;
    if (n > 64) n = 64;
    for (cl_uint i = 0; i < n; i++) {
      wp__cl_traits t;
      wp__cl_query(platforms[p], devices[i], &t);
      int stop = visit(index++, &t, user);
      if (stop != 0) return stop;
    }
  }
  return 0;
}

static bool contains(const char *text, const char *part) {
  size_t n = strlen(part);
  for (; *text != 0; text++) {
    size_t i = 0;
    while (i < n && text[i] != 0 && (text[i] | 32) == (part[i] | 32)) i++;
    if (i == n) return true;
  }
  return n == 0;
}

typedef struct search {
  const wp__cl_choice *choice;
  int matches, index;
  wp__cl_traits found;
  char seen[512];
} search;

static int match(int index, const wp__cl_traits *t, void *user) {
  search *s = user;
  size_t used = strlen(s->seen);
  snprintf(s->seen + used, sizeof s->seen - used, "%s%d (%s, %s)", used > 0 ? "; " : "", index, t->platform_name, t->device_name);
  if (!contains(t->platform_name, s->choice->name) && !contains(t->device_name, s->choice->name)) return 0;
  if (s->matches++ != (s->choice->index < 0 ? 0 : s->choice->index)) return 0;
  s->index = index;
  s->found = *t;
  return 1;
}

static wp__dialect dialect_of(const wp__cl_traits *t, const wp__cl_choice *c) {
  if (c->dialect != DIALECT_AUTO) return (wp__dialect)c->dialect;
  if (t->nvidia) return DIALECT_NVIDIA;
  /* PoCL runs lanes that a branch excludes, so by default its sub-groups are not used; sub_group=N asks for them. */
  if (t->pocl && c->sub_group == 0) return DIALECT_EMULATED;
  if (t->khr_shuffle) return DIALECT_KHR;
  if (t->intel_sub_groups) return DIALECT_INTEL;
  if (t->qcom_shuffle) return DIALECT_QUALCOMM;
  return DIALECT_EMULATED;
}

static const char *dialect_text(const opencl_device *d, char *text, size_t size) {
  switch (d->dialect) {
    case DIALECT_KHR: snprintf(text, size, "Khronos sub-groups"); break;
    case DIALECT_INTEL: snprintf(text, size, "Intel sub-groups"); break;
    case DIALECT_NVIDIA: snprintf(text, size, "PTX, sm_%d", d->traits.nv_sm); break;
    case DIALECT_AMD: snprintf(text, size, "amdgcn"); break;
    case DIALECT_QUALCOMM: snprintf(text, size, "Qualcomm sub-groups"); break;
    default: snprintf(text, size, "no sub-groups: warps of %d emulated in local memory", d->base.warp_size); break;
  }
  return text;
}

static int list_one(int index, const wp__cl_traits *t, void *user) {
  struct { int (*visit)(const char *, const char *, void *); void *user; } *to = user;
  char name[32], text[384];
  wp__cl_choice none = {.index = -1};
  static const char *const how[] = {"", "Khronos sub-groups", "Intel sub-groups", "PTX", "amdgcn", "Qualcomm sub-groups", "emulated warps"};
  snprintf(name, sizeof name, "opencl:%d", index);
  snprintf(text, sizeof text, "%.40s, %.60s, %.40s, driver %.30s; %.60s", t->platform_name, t->device_name, t->version, t->driver, how[dialect_of(t, &none)]);
  return to->visit(name, text, to->user);
}

static int count_one(int index, const wp__cl_traits *t, void *user) {
  (void)t;
  *(int *)user = index + 1;
  return 0;
}

static int opencl_list(int (*visit)(const char *name, const char *description, void *user), void *user) {
  struct { int (*visit)(const char *, const char *, void *); void *user; } to = {visit, user};
  char text[320];
  int count = 0;
  if (cl() == NULL) {
    snprintf(text, sizeof text, "opencl: %s", wp__cl_problem());
    return visit(NULL, text, user);
  }
  (void)each_device(count_one, &count);
  if (count == 0) return visit(NULL, "opencl: the loader is there, but no driver offers a device", user);
  return each_device(list_one, &to);
}

/* ---- building ---- */

static int logical_warp(const wp__image *image) {
  static const char word[] = "#define WARPPORT_WARP_SIZE ";
  const char *text = image->data, *p = text;
  if (image->kind != WP_IMAGE_OPENCL_SOURCE) return 0;
  while ((p = strstr(p, word)) != NULL) {
    if (p == text || p[-1] == '\n') return atoi(p + sizeof word - 1);
    p++;
  }
  return 0;
}

/* Options of clBuildProgram for a program with logical warps of `logical` lanes (0: native). */
static void build_options(const opencl_device *d, int logical, bool source, char *text, size_t size, bool *storage) {
  const wp__cl_traits *t = &d->traits;
  const wp__cl_choice *c = &d->choice;
  wp__dialect dialect = d->dialect;
  int sub_group = c->sub_group, largest = t->rusticl ? t->max_sub_group : 0; /* the only size that rusticl has */
  size_t n = 0;
  for (int i = 0; i < t->size_count; i++)
    if (t->sizes[i] > largest) largest = t->sizes[i];
#define ADD(...) n += (size_t)snprintf(text + n, n < size ? size - n : 0, __VA_ARGS__)
  /* Logical warps must fit into a sub-group: require one of that size where that can be done, else emulate them. */
  if (logical > 0 && (dialect == DIALECT_KHR || dialect == DIALECT_INTEL)) {
    for (int i = 0; sub_group == 0 && i < t->size_count; i++)
      if (t->sizes[i] >= logical) sub_group = t->sizes[i];
    if ((sub_group > 0 ? sub_group : t->max_sub_group) < logical) dialect = DIALECT_EMULATED;
  }
  if (logical > 32 && dialect == DIALECT_NVIDIA) dialect = DIALECT_EMULATED;
  *storage = dialect == DIALECT_EMULATED && source;
  text[0] = 0;
  ADD("-cl-kernel-arg-info");
  if (t->exact_division) ADD(" -cl-fp32-correctly-rounded-divide-sqrt");
  if (source) {
    if (c->standard[0] != 0) ADD(" -cl-std=%s", c->standard);
    else ADD(" -cl-std=CL%d.%d", t->standard / 100, t->standard % 100 / 10);
    ADD(" -DWARPPORT_OPENCL_DIALECT=%d", (int)dialect);
    if (dialect == DIALECT_NVIDIA && t->nv_sm > 0) ADD(" -DWARPPORT_OPENCL_NV_SM=%d", t->nv_sm);
    if (dialect == DIALECT_EMULATED) {
      ADD(" -DWARPPORT_OPENCL_STORAGE_ARGUMENT=1");
      if (logical == 0) ADD(" -DWARPPORT_OPENCL_EMULATED_WARP=%d", d->base.warp_size);
    } else if (sub_group > 0) {
      ADD(" -DWARPPORT_OPENCL_SUB_GROUP_SIZE=%d", sub_group);
    } else if (largest > 0) {
      ADD(" -DWARPPORT_OPENCL_MAX_SUB_GROUP=%d", largest);
    }
    if (t->rusticl) ADD(" -DWARPPORT_OPENCL_LINEAR=1 -DWARPPORT_OPENCL_SOFT_FMA=1");
    if (t->rows && dialect != DIALECT_EMULATED) ADD(" -DWARPPORT_OPENCL_SUB_GROUP_BARRIER=1");
    if (t->pocl && dialect != DIALECT_EMULATED) ADD(" -DWARPPORT_OPENCL_UNIFORM_FLOW=1");
  }
#undef ADD
}

static char *build_log(const opencl_device *d, cl_program p) {
  size_t n = 0;
  char *log;
  if (cl()->build_info(p, d->traits.id, CL_PROGRAM_BUILD_LOG, 0, NULL, &n) != CL_SUCCESS || n == 0) return NULL;
  log = calloc(1, n + 1);
  if (log != NULL && cl()->build_info(p, d->traits.id, CL_PROGRAM_BUILD_LOG, n, log, NULL) != CL_SUCCESS) log[0] = 0;
  return log;
}

/* Not PoCL's: asked for a binary it compiles every kernel of the program, where it else compiles those that are launched; and it
 * has a cache of its own. */
static void keep_binary(const opencl_device *d, cl_program p, const wp__cl_cache_key *key) {
  size_t bytes = 0;
  unsigned char *data;
  if (d->traits.pocl || !wp__cl_cache_on()) return;
  if (cl()->program_info(p, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) != CL_SUCCESS || bytes == 0) return;
  data = malloc(bytes);
  if (data == NULL) return;
  if (cl()->program_info(p, CL_PROGRAM_BINARIES, sizeof data, &data, NULL) == CL_SUCCESS) wp__cl_cache_write(key, data, bytes);
  free(data);
}

/* A binary of an earlier process, if it still suits; NULL otherwise. */
static cl_program from_cache(const opencl_device *d, const wp__cl_cache_key *key, const char *options) {
  size_t bytes = 0;
  cl_int error = CL_SUCCESS, state = CL_SUCCESS;
  unsigned char *data = wp__cl_cache_read(key, &bytes);
  const unsigned char *binary = data;
  cl_program p;
  if (data == NULL) return NULL;
  p = cl()->program_with_binary(d->context, 1, &d->traits.id, &bytes, &binary, &state, &error);
  free(data);
  if (error != CL_SUCCESS) return NULL;
  if (state != CL_SUCCESS || cl()->build(p, 1, &d->traits.id, options, NULL, NULL) != CL_SUCCESS) {
    (void)cl()->release_program(p);
    return NULL;
  }
  return p;
}

static wp_status build(opencl_device *d, const wp__image *image, program **result) {
  const wp__cl_traits *t = &d->traits;
  bool source = image->kind == WP_IMAGE_OPENCL_SOURCE, storage;
  const char *text = image->data;
  size_t length = image->bytes;
  char options[512], salt[64];
  cl_int error = CL_SUCCESS;
  for (program *p = d->programs; p != NULL; p = p->next) {
    if (p->image != image) continue;
    *result = p;
    return WP_OK;
  }
  if (source) length = strnlen(text, length);
  build_options(d, logical_warp(image), source, options, sizeof options, &storage);
  snprintf(salt, sizeof salt, "warpport %d sub-group %d", 1, t->max_sub_group);
  const char *parts[] = {salt, t->platform_name, t->device_name, t->version, t->driver, options, text};
  size_t lengths[7];
  for (int i = 0; i < 6; i++) lengths[i] = strlen(parts[i]);
  lengths[6] = length;
  wp__cl_cache_key key = wp__cl_cache_hash(parts, lengths, 7);
  cl_program handle = from_cache(d, &key, options);
  if (handle == NULL) {
    handle = source ? cl()->program_with_source(d->context, 1, &text, &length, &error)
                    : cl()->program_with_il(d->context, text, length, &error);
    if (error != CL_SUCCESS) return fail(WP_ERROR_BUILD, &d->base, source ? "clCreateProgramWithSource" : "clCreateProgramWithIL", error);
    error = cl()->build(handle, 1, &t->id, options, NULL, NULL);
    if (error != CL_SUCCESS) {
      char *log = build_log(d, handle);
      wp_status status = wp__fail(error == CL_OUT_OF_HOST_MEMORY ? WP_ERROR_OUT_OF_MEMORY : WP_ERROR_BUILD,
                                  "%s (%s): %s could not be built: %s (%d)\noptions: %s\n%s", d->base.name, d->base.description, image->name,
                                  wp__cl_error_name(error), (int)error, options, log != NULL && log[0] != 0 ? log : "(the build log is empty)");
      free(log);
      (void)cl()->release_program(handle);
      return status;
    }
    keep_binary(d, handle, &key);
  }
  program *p = calloc(1, sizeof *p);
  if (p == NULL) {
    (void)cl()->release_program(handle);
    return wp__fail(WP_ERROR_OUT_OF_MEMORY, "%s: no host memory for a program", d->base.name);
  }
  p->image = image;
  p->handle = handle;
  p->storage = storage;
  p->next = d->programs;
  d->programs = p;
  *result = p;
  return WP_OK;
}

/* Lanes of a sub-group, from a small kernel: the only way to ask without an extension. */
static int probe_sub_group(const opencl_device *d) {
  static const char *text = "__kernel void wp_probe(__global int *out) { out[0] = (int)get_max_sub_group_size(); }";
  char options[32];
  cl_int error = CL_SUCCESS;
  size_t lanes = 0;
  const size_t block = 256;
  if (!d->traits.sub_groups || cl()->sub_group_info == NULL) return 0;
  snprintf(options, sizeof options, "-cl-std=CL%d.%d", d->traits.standard / 100, d->traits.standard % 100 / 10);
  cl_program p = cl()->program_with_source(d->context, 1, &text, NULL, &error);
  if (error != CL_SUCCESS) return 0;
  if (cl()->build(p, 1, &d->traits.id, options, NULL, NULL) == CL_SUCCESS) {
    cl_kernel k = cl()->create_kernel(p, "wp_probe", &error);
    if (error == CL_SUCCESS) {
      if (cl()->sub_group_info(k, d->traits.id, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof block, &block, sizeof lanes, &lanes, NULL) !=
          CL_SUCCESS)
        lanes = 0;
      (void)cl()->release_kernel(k);
    }
  }
  (void)cl()->release_program(p);
  return (int)lanes;
}

/* ---- devices ---- */

static void opencl_close(wp_device *device) {
  opencl_device *d = device_of(device);
  if (d->queue != NULL) (void)cl()->finish(d->queue);
  if (d->pending != NULL) (void)cl()->release_event(d->pending);
  for (program *p = d->programs, *next; p != NULL; p = next) {
    next = p->next;
    (void)cl()->release_program(p->handle);
    free(p);
  }
  if (d->queue != NULL) (void)cl()->release_queue(d->queue);
  if (d->context != NULL) (void)cl()->release_context(d->context);
  free(d);
}

static wp_status check_choice(const opencl_device *d) {
  const wp__cl_traits *t = &d->traits;
  const wp__cl_choice *c = &d->choice;
  static const char *const wants[] = {"", "Khronos sub-groups with shuffles (cl_khr_subgroup_shuffle)", "Intel sub-groups (cl_intel_subgroups)",
                                      "an NVIDIA device of sm_70 or later", "an AMD device", "cl_qcom_subgroup_shuffle", ""};
  bool able = d->dialect == DIALECT_KHR        ? t->khr_shuffle
              : d->dialect == DIALECT_INTEL    ? t->intel_sub_groups
              : d->dialect == DIALECT_NVIDIA   ? t->nvidia && t->nv_sm >= 70
              : d->dialect == DIALECT_QUALCOMM ? t->qcom_shuffle
                                               : true;
  if (!able) {
    return wp__fail(WP_ERROR_NO_DEVICE, "%s: %s, %s, driver %s: this needs %s; dialect=emulated works on every device", d->base.name,
                    t->platform_name, t->device_name, t->driver, wants[d->dialect]);
  }
  if (c->sub_group == 0 || d->dialect == DIALECT_EMULATED) {
    if (c->sub_group != 0) {
      return wp__fail(WP_ERROR_NO_DEVICE, "%s: %s, driver %s offers no sub-groups, so none of %d lanes", d->base.name, t->platform_name, t->driver,
                      c->sub_group);
    }
    return WP_OK;
  }
  if (t->pocl && t->pocl_major < 6) {
    return wp__fail(WP_ERROR_NO_DEVICE, "%s: sub-groups of PoCL %s: it is wrong in divergent flow and lacks work_group_any(), with which that "
                    "is avoided; without sub_group= warps are emulated", d->base.name, t->driver);
  }
  char offered[128] = "";
  for (int i = 0; i < t->size_count; i++) {
    size_t n = strlen(offered);
    if (t->sizes[i] == c->sub_group) return WP_OK;
    snprintf(offered + n, sizeof offered - n, "%s%d", n > 0 ? ", " : "", t->sizes[i]);
  }
  if (t->max_sub_group == c->sub_group && t->size_count == 0) return WP_OK; /* the only size there is */
  return wp__fail(WP_ERROR_NO_DEVICE, "%s: sub-groups of %d lanes: the device offers %s%.0d", d->base.name, c->sub_group,
                  offered[0] != 0 ? offered : "no choice of their size", t->max_sub_group);
}

static wp_status opencl_open(const char *selector, wp_device **result) {
  wp__cl_choice choice;
  wp_status status = wp__cl_parse(selector, &choice);
  size_t sizes[3] = {0, 0, 0}, threads = 0;
  cl_int error = CL_SUCCESS;
  if (status != WP_OK) return status;
  if (cl() == NULL) return wp__fail(WP_ERROR_NO_DEVICE, "opencl: %s", wp__cl_problem());
  search s = {.choice = &choice};
  if (each_device(match, &s) == 0) {
    return wp__fail(WP_ERROR_NO_DEVICE, "opencl:%s: no such device; there %s: %s", selector != NULL ? selector : "", s.seen[0] != 0 ? "are" : "is",
                    s.seen[0] != 0 ? s.seen : "none (no OpenCL driver, or none that starts)");
  }
  opencl_device *d = calloc(1, sizeof *d);
  if (d == NULL) return wp__fail(WP_ERROR_OUT_OF_MEMORY, "opencl:%d: no host memory for the device", s.index);
  d->base.backend = &wp__backend_opencl;
  d->traits = s.found;
  d->choice = choice;
  d->dialect = dialect_of(&d->traits, &choice);
  size_t n = (size_t)snprintf(d->base.name, sizeof d->base.name, "opencl:%d", s.index);
  if (choice.sub_group > 0) n += (size_t)snprintf(d->base.name + n, sizeof d->base.name - n, ":sub_group=%d", choice.sub_group);
  if (choice.warp > 0) n += (size_t)snprintf(d->base.name + n, sizeof d->base.name - n, ":warp=%d", choice.warp);
  if (choice.dialect != DIALECT_AUTO)
    n += (size_t)snprintf(d->base.name + n, sizeof d->base.name - n, ":dialect=%s", wp__cl_dialect_name((wp__dialect)choice.dialect));
  if (choice.standard[0] != 0) (void)snprintf(d->base.name + n, sizeof d->base.name - n, ":std=%s", choice.standard);
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)d->traits.platform, 0};
  d->context = cl()->create_context(properties, 1, &d->traits.id, NULL, NULL, &error);
  if (error != CL_SUCCESS) {
    (void)fail(WP_ERROR_NO_DEVICE, &d->base, "clCreateContext", error);
    free(d);
    return WP_ERROR_NO_DEVICE;
  }
  d->queue = cl()->create_queue(d->context, d->traits.id, CL_QUEUE_PROFILING_ENABLE, &error);
  if (error != CL_SUCCESS) {
    (void)fail(WP_ERROR_NO_DEVICE, &d->base, "clCreateCommandQueue", error);
    opencl_close(&d->base);
    return WP_ERROR_NO_DEVICE;
  }
  if (d->dialect == DIALECT_KHR || d->dialect == DIALECT_INTEL) d->traits.max_sub_group = probe_sub_group(d);
  status = check_choice(d);
  if (status != WP_OK) {
    opencl_close(&d->base);
    return status;
  }
  /* 0: the compiler chooses for each kernel. */
  d->base.warp_size = d->dialect == DIALECT_EMULATED                    ? (choice.warp > 0 ? choice.warp : 32)
                      : d->dialect == DIALECT_NVIDIA                    ? 32
                      : choice.sub_group > 0                            ? (choice.sub_group < 64 ? choice.sub_group : 64)
                      : d->traits.size_count > 1                        ? 0
                      : d->traits.max_sub_group > 64                    ? 64
                                                                        : d->traits.max_sub_group;
  (void)cl()->device_info(d->traits.id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof threads, &threads, NULL);
  (void)cl()->device_info(d->traits.id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL);
  (void)cl()->device_info(d->traits.id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof d->local_limit, &d->local_limit, NULL);
  (void)cl()->device_info(d->traits.id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof d->largest, &d->largest, NULL);
  d->base.max_block_threads = threads > 1024 ? 1024 : (int)threads;
  for (int i = 0; i < 3; i++) {
    d->base.max_block_dim[i] = sizes[i] > 1024 ? 1024u : (unsigned)sizes[i];
    d->base.max_grid_dim[i] = INT_MAX / 1024;
  }
  char how[96];
  snprintf(d->base.description, sizeof d->base.description, "%.30s, %.56s, %.30s, driver %.24s; %s", d->traits.platform_name, d->traits.device_name,
           d->traits.version, d->traits.driver, dialect_text(d, how, sizeof how));
  *result = &d->base;
  return WP_OK;
}

/* ---- memory ---- */

static wp_status opencl_buffer_create(wp_device *device, size_t bytes, wp_buffer **result) {
  opencl_device *d = device_of(device);
  cl_int error = CL_SUCCESS;
  opencl_buffer *b = calloc(1, sizeof *b);
  if (b == NULL) return wp__fail(WP_ERROR_OUT_OF_MEMORY, "%s: no host memory for a buffer", device->name);
  b->base.device = device;
  b->base.bytes = bytes;
  if (bytes <= d->largest) b->memory = cl()->create_buffer(d->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
  if (b->memory != NULL && error == CL_SUCCESS) {
    *result = &b->base;
    return WP_OK;
  }
  free(b);
  if (bytes > d->largest || error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_OUT_OF_RESOURCES || error == CL_OUT_OF_HOST_MEMORY ||
      error == CL_INVALID_BUFFER_SIZE) {
    return wp__fail(WP_ERROR_OUT_OF_MEMORY, "%s: asked for %zu bytes of device memory; a buffer has at most %llu", device->name, bytes,
                    (unsigned long long)d->largest);
  }
  return fail(WP_ERROR_LAUNCH, device, "clCreateBuffer", error);
}

static void opencl_buffer_destroy(wp_buffer *buffer) {
  (void)cl()->release_memory(((opencl_buffer *)buffer)->memory);
  free(buffer);
}

/* A blocking transfer on an in-order queue: it also waits for the kernels before it. */
static wp_status opencl_buffer_write(wp_buffer *buffer, size_t offset, const void *data, size_t bytes) {
  opencl_device *d = device_of(buffer->device);
  if (bytes == 0) return WP_OK;
  cl_int error = cl()->write(d->queue, ((opencl_buffer *)buffer)->memory, CL_TRUE, offset, bytes, data, 0, NULL, NULL);
  return error == CL_SUCCESS ? WP_OK : fail(WP_ERROR_LAUNCH, buffer->device, "clEnqueueWriteBuffer", error);
}
static wp_status opencl_buffer_read(wp_buffer *buffer, size_t offset, void *data, size_t bytes) {
  opencl_device *d = device_of(buffer->device);
  if (bytes == 0) return WP_OK;
  cl_int error = cl()->read(d->queue, ((opencl_buffer *)buffer)->memory, CL_TRUE, offset, bytes, data, 0, NULL, NULL);
  return error == CL_SUCCESS ? WP_OK : fail(WP_ERROR_LAUNCH, buffer->device, "clEnqueueReadBuffer", error);
}
/* Not clEnqueueFillBuffer: some drivers want whole words. */
static wp_status opencl_buffer_fill(wp_buffer *buffer, unsigned char byte) {
  size_t step = buffer->bytes < 1 << 20 ? buffer->bytes : 1 << 20;
  wp_status status = WP_OK;
  unsigned char *block = malloc(step);
  if (block == NULL) return wp__fail(WP_ERROR_OUT_OF_MEMORY, "%s: no host memory to fill a buffer from", buffer->device->name);
  memset(block, byte, step);
  for (size_t at = 0; at < buffer->bytes && status == WP_OK; at += step)
    status = opencl_buffer_write(buffer, at, block, buffer->bytes - at < step ? buffer->bytes - at : step);
  free(block);
  return status;
}

/* ---- kernels ---- */

static bool word_char(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* The capabilities stand at the beginning, one instruction each (SPIR-V, 2.3 and 3.2.30: Groups, SubgroupDispatch, GroupNonUniform...,
 * SubgroupShuffleINTEL...). */
static bool uses_sub_groups(const wp__image *image) {
  const unsigned char *data = image->data;
  for (size_t at = 5; at + 2 <= image->bytes / 4; at += 2) {
    uint32_t words[2];
    memcpy(words, data + 4 * at, sizeof words);
    if (words[0] != (2u << 16 | 17u)) return false; /* no OpCapability */
    if (words[1] == 18 || words[1] == 58 || (words[1] >= 61 && words[1] <= 68) || (words[1] >= 5568 && words[1] <= 5570)) return true;
  }
  return false;
}

/* Sub-groups that the launcher would not use for source are not used through SPIR-V either. */
static bool can_use(const opencl_device *d, const wp__image *image) {
  if (image->kind == WP_IMAGE_OPENCL_SOURCE) return true;
  if (image->kind != WP_IMAGE_OPENCL_SPIRV || !d->traits.il) return false;
  return !uses_sub_groups(image) || ((d->dialect == DIALECT_KHR || d->dialect == DIALECT_INTEL) && !d->traits.pocl);
}

/* How likely the image defines the kernel: the length of the longest beginning of its name that stands in the text as a word or
 * before a ##, since macros may put a name together. Only an order for trying: building is slow. */
static size_t likelihood(const wp__image *image, const char *name) {
  const char *text = image->data, *end = text + image->bytes;
  size_t best = 0, n = strlen(name);
  if (image->kind != WP_IMAGE_OPENCL_SOURCE) return 0;
  for (const char *p = text; p < end; p++) {
    size_t i = 0;
    if (*p != name[0] || (p > text && word_char(p[-1]))) continue;
    while (i < n && p + i < end && p[i] == name[i]) i++;
    if (i > best && (i == n || p + i >= end ? p + i >= end || !word_char(p[i]) : p[i] == '#')) best = i;
  }
  return best;
}

static size_t size_of_type(const char *name) {
  static const struct { const char *name; size_t bytes; } types[] = {
      {"char", 1}, {"uchar", 1}, {"unsigned char", 1}, {"short", 2}, {"ushort", 2}, {"unsigned short", 2}, {"half", 2},
      {"int", 4}, {"uint", 4}, {"unsigned int", 4}, {"float", 4}, {"long", 8}, {"ulong", 8}, {"unsigned long", 8}, {"double", 8},
      {"wp_i8", 1}, {"wp_u8", 1}, {"wp_i16", 2}, {"wp_u16", 2}, {"wp_i32", 4}, {"wp_u32", 4}, {"wp_i64", 8}, {"wp_u64", 8},
      {"wp_f32", 4}, {"wp_f64", 8}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(types[i].name, name) == 0) return types[i].bytes;
  return 0;
}

/* Kind and size of a parameter as far as the driver tells. */
static wp__param parameter(cl_kernel k, cl_uint index) {
  wp__param p = {0, 0, NULL};
  cl_kernel_arg_address_qualifier space;
  char type[64];
  if (cl()->arg_info(k, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL) != CL_SUCCESS) return p;
  if (space == CL_KERNEL_ARG_ADDRESS_GLOBAL || space == CL_KERNEL_ARG_ADDRESS_CONSTANT) {
    p.kind = WP_ARG_BUFFER;
    p.bytes = sizeof(void *);
  } else if (space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
    p.kind = WP_ARG_SHARED;
  } else {
    p.kind = WP_ARG_VALUE;
    if (cl()->arg_info(k, index, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL) == CL_SUCCESS) p.bytes = size_of_type(type);
  }
  return p;
}

static wp_status make_kernel(opencl_device *d, program *p, cl_kernel handle, const char *name, wp_kernel **result) {
  cl_uint count = 0;
  size_t length = strlen(name) + 1;
  opencl_kernel *k = calloc(1, sizeof *k);
  char *copy = malloc(length);
  cl_uint hidden = p->storage ? 1 : 0;
  (void)cl()->kernel_info(handle, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
  wp__param *params = calloc(count + 1, sizeof *params);
  if (k == NULL || copy == NULL || params == NULL) {
    free(k);
    free(copy);
    free(params);
    (void)cl()->release_kernel(handle);
    return wp__fail(WP_ERROR_OUT_OF_MEMORY, "%s: no host memory for a kernel", d->base.name);
  }
  memcpy(copy, name, length);
  k->base.device = &d->base;
  k->base.name = copy;
  k->base.param_count = (int)(count - hidden);
  k->base.params = params;
  for (cl_uint i = hidden; i < count; i++) params[i - hidden] = parameter(handle, i);
  k->handle = handle;
  k->storage = p->storage;
  k->logical = logical_warp(p->image);
  (void)cl()->group_info(handle, d->traits.id, CL_KERNEL_WORK_GROUP_SIZE, sizeof k->max_threads, &k->max_threads, NULL);
  (void)cl()->group_info(handle, d->traits.id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof k->static_local, &k->static_local, NULL);
  if (d->traits.rows && !p->storage) {
    const size_t row = 256;
    if (cl()->sub_group_info == NULL || cl()->sub_group_info(handle, d->traits.id, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof row, &row,
                                                             sizeof k->sub_group, &k->sub_group, NULL) != CL_SUCCESS || k->sub_group == 0)
      k->sub_group = 64;
  }
  *result = &k->base;
  return WP_OK;
}

static wp_status opencl_kernel_find(wp_device *device, const char *name, wp_kernel **result) {
  opencl_device *d = device_of(device);
  int count = 0, usable = 0;
  for (const wp__image *i = wp__first_image(); i != NULL; i = i->next) count++;
  struct candidate { const wp__image *image; size_t score; bool tried; } *list = calloc((size_t)count + 1, sizeof *list);
  if (list == NULL) return wp__fail(WP_ERROR_OUT_OF_MEMORY, "%s: no host memory to look for a kernel", device->name);
  for (const wp__image *i = wp__first_image(); i != NULL; i = i->next) {
    if (!can_use(d, i)) continue;
    list[usable].image = i;
    list[usable++].score = likelihood(i, name);
  }
  wp_status status = WP_ERROR_NO_KERNEL;
  for (int turn = 0; turn < usable && status == WP_ERROR_NO_KERNEL; turn++) {
    struct candidate *best = NULL;
    program *p;
    cl_int error = CL_SUCCESS;
    for (int i = 0; i < usable; i++)
      if (!list[i].tried && (best == NULL || list[i].score > best->score)) best = &list[i];
    best->tried = true;
    status = build(d, best->image, &p);
    if (status != WP_OK) break;
    cl_kernel handle = cl()->create_kernel(p->handle, name, &error);
    if (error == CL_SUCCESS) {
      status = make_kernel(d, p, handle, name, result);
    } else if (error == CL_INVALID_KERNEL_NAME) {
      status = WP_ERROR_NO_KERNEL;
    } else {
      status = wp__fail(WP_ERROR_BUILD, "%s: clCreateKernel(%s) of %s failed: %s (%d)", device->name, name, best->image->name,
                        wp__cl_error_name(error), (int)error);
    }
  }
  free(list);
  if (status == WP_ERROR_NO_KERNEL)
    return wp__fail(status, "%s: no kernel '%s' in the %d OpenCL image%s of this program", device->name, name, usable, usable == 1 ? "" : "s");
  return status;
}

static void opencl_kernel_destroy(wp_kernel *kernel) {
  opencl_kernel *k = (opencl_kernel *)kernel;
  (void)cl()->release_kernel(k->handle);
  free((void *)(uintptr_t)k->base.name);
  free(k->base.params);
  free(k);
}

/* ---- launch ---- */

/* What the last launch failed with, if it did. */
static wp_status settle(opencl_device *d) {
  cl_int state = CL_COMPLETE;
  if (d->pending == NULL) return WP_OK;
  cl_int error = cl()->wait(1, &d->pending);
  if (cl()->event_info(d->pending, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) != CL_SUCCESS) state = error;
  (void)cl()->release_event(d->pending);
  d->pending = NULL;
  if (error == CL_SUCCESS && state >= 0) return WP_OK;
  return fail(WP_ERROR_LAUNCH, &d->base, "a kernel", state < 0 ? state : error);
}

static wp_status check_block(const opencl_kernel *k, const opencl_device *d, const size_t *block, size_t threads, size_t dynamic) {
  const char *name = k->base.name;
  if (k->max_threads > 0 && threads > k->max_threads) {
    return wp__fail(WP_ERROR_INVALID_ARGUMENT, "%s: kernel %s with a block of %zu threads: with the resources that it uses, at most %zu",
                    d->base.name, name, threads, k->max_threads);
  }
  if (k->static_local + dynamic > d->local_limit) {
    return wp__fail(WP_ERROR_INVALID_ARGUMENT, "%s: kernel %s asks for %llu bytes of shared memory, %zu of them dynamic; a block has at most %llu",
                    d->base.name, name, (unsigned long long)k->static_local + dynamic, dynamic, (unsigned long long)d->local_limit);
  }
  /* Intel's CPU runtime begins a sub-group at each row, where OpenCL has full ones but for the last. */
  if (k->sub_group > 0 && threads > block[0] && block[0] % k->sub_group != 0) {
    return wp__fail(WP_ERROR_INVALID_ARGUMENT, "%s: kernel %s with a block of %zux%zux%zu threads: this driver begins a sub-group at each row, so "
                    "rows must be a multiple of the sub-group size, %zu; dialect=emulated takes any block", d->base.name, name, block[0], block[1],
                    block[2], k->sub_group);
  }
  /* PoCL up to 6 drops a partial last sub-group. */
  if (d->traits.pocl && !k->storage && d->choice.sub_group > 0 && threads % (size_t)d->choice.sub_group != 0) {
    return wp__fail(WP_ERROR_INVALID_ARGUMENT, "%s: kernel %s with a block of %zu threads: PoCL %s needs a multiple of the sub-group size, %d; "
                    "without sub_group= warps are emulated, at any block", d->base.name, name, threads, d->traits.driver, d->choice.sub_group);
  }
  return WP_OK;
}

static wp_status opencl_launch(wp_kernel *kernel, const wp_launch_config *config, const wp_arg *args, int arg_count) {
  opencl_kernel *k = (opencl_kernel *)kernel;
  opencl_device *d = device_of(kernel->device);
  const unsigned block[3] = {config->block.x, config->block.y, config->block.z}, grid[3] = {config->grid.x, config->grid.y, config->grid.z};
  size_t local[3], global[3], threads = 1, dynamic = 0;
  cl_uint at = 0;
  cl_event event = NULL;
  for (int i = 0; i < 3; i++) {
    local[i] = block[i];
    global[i] = (size_t)block[i] * grid[i];
    threads *= block[i];
  }
  if (k->storage) dynamic = 4 * (threads + 1);
  for (int i = 0; i < arg_count; i++) dynamic += args[i].kind == WP_ARG_SHARED ? args[i].bytes : 0;
  wp_status status = check_block(k, d, local, threads, dynamic);
  if (status != WP_OK) return status;
  cl_int error = k->storage ? cl()->set_arg(k->handle, at++, 4 * (threads + 1), NULL) : CL_SUCCESS;
  for (int i = 0; i < arg_count && error == CL_SUCCESS; i++, at++) {
    const wp_arg *a = &args[i];
    if (a->kind == WP_ARG_BUFFER) error = cl()->set_arg(k->handle, at, sizeof(cl_mem), &((opencl_buffer *)a->u.buffer)->memory);
    else if (a->kind == WP_ARG_SHARED) error = cl()->set_arg(k->handle, at, a->bytes > 0 ? a->bytes : 1, NULL);
    else error = cl()->set_arg(k->handle, at, a->bytes, a->u.value);
    if (error != CL_SUCCESS) {
      return wp__fail(WP_ERROR_BAD_ARGUMENTS, "%s: kernel %s, argument %d of %d (%s of %zu bytes): %s (%d)", d->base.name, kernel->name, i,
                      arg_count, a->kind == WP_ARG_BUFFER ? "a buffer" : a->kind == WP_ARG_SHARED ? "shared memory" : "a value", a->bytes,
                      wp__cl_error_name(error), (int)error);
    }
  }
  if (error == CL_SUCCESS) error = cl()->launch(d->queue, k->handle, 3, NULL, global, local, 0, NULL, &event);
  if (error != CL_SUCCESS) {
    return wp__fail(error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_OUT_OF_HOST_MEMORY ? WP_ERROR_OUT_OF_MEMORY : WP_ERROR_LAUNCH,
                    "%s: kernel %s, grid %ux%ux%u, block %ux%ux%u: clEnqueueNDRangeKernel failed: %s (%d)", d->base.name, kernel->name, grid[0],
                    grid[1], grid[2], block[0], block[1], block[2], wp__cl_error_name(error), (int)error);
  }
  if (config->elapsed_ms != NULL) {
    cl_ulong begin = 0, end = 0;
    if (d->pending != NULL) {
      status = settle(d);
      d->pending = event;
      if (status != WP_OK) return status;
    }
    error = cl()->wait(1, &event);
    if (error == CL_SUCCESS) error = cl()->event_times(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL);
    if (error == CL_SUCCESS) error = cl()->event_times(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    (void)cl()->release_event(event);
    d->pending = NULL;
    if (error != CL_SUCCESS) return fail(WP_ERROR_LAUNCH, &d->base, kernel->name, error);
    *config->elapsed_ms = (double)(end - begin) * 1e-6;
    return WP_OK;
  }
  if (d->pending != NULL) (void)cl()->release_event(d->pending); /* the queue is in order, a failure lasts */
  d->pending = event;
  return WP_OK;
}

static wp_status opencl_synchronize(wp_device *device) {
  opencl_device *d = device_of(device);
  wp_status status = settle(d);
  cl_int error = cl()->finish(d->queue);
  if (status == WP_OK && error != CL_SUCCESS) return fail(WP_ERROR_LAUNCH, device, "clFinish", error);
  return status;
}

const wp__backend wp__backend_opencl = {
    .name = "opencl",
    .open = opencl_open,
    .close = opencl_close,
    .list = opencl_list,
    .buffer_create = opencl_buffer_create,
    .buffer_destroy = opencl_buffer_destroy,
    .buffer_write = opencl_buffer_write,
    .buffer_read = opencl_buffer_read,
    .buffer_fill = opencl_buffer_fill,
    .kernel_find = opencl_kernel_find,
    .kernel_destroy = opencl_kernel_destroy,
    .launch = opencl_launch,
    .synchronize = opencl_synchronize,
};
