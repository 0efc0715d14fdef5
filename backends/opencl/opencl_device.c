/* Which device a name means, and what that device can do. */
#include "opencl_backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values of the extensions' specifications, so that the extension header is not needed. */
#define DEVICE_SUB_GROUP_SIZES_INTEL 0x4108
#define DEVICE_COMPUTE_CAPABILITY_MAJOR_NV 0x4000
#define DEVICE_COMPUTE_CAPABILITY_MINOR_NV 0x4001

static const char *const dialect_names[] = {"auto", "khr", "intel", "nvidia", "amd", "qualcomm", "emulated"};
#define DIALECTS (int)(sizeof dialect_names / sizeof *dialect_names)

const char *wp__cl_dialect_name(wp__dialect dialect) { return dialect_names[dialect]; }

static bool power_of_two(int n) { return n > 0 && (n & (n - 1)) == 0; }

/* opencl[:NAME][:INDEX][:sub_group=N][:warp=N][:dialect=NAME][:std=CLx.y] in any order */
wp_status wp__cl_parse(const char *selector, wp__cl_choice *choice) {
  memset(choice, 0, sizeof *choice);
  choice->index = -1;
  while (selector != NULL && *selector != 0) {
    const char *end = strchr(selector, ':');
    size_t n = end != NULL ? (size_t)(end - selector) : strlen(selector);
    char part[64];
    if (n == 0 || n >= sizeof choice->name) {
      return wp__fail(WP_ERROR_INVALID_ARGUMENT, "opencl: '%s': a part of the device's name is empty or longer than %zu characters", selector,
                      sizeof choice->name - 1);
    }
    memcpy(part, selector, n);
    part[n] = 0;
    const char *value = strchr(part, '=');
    int number = value != NULL ? atoi(value + 1) : 0;
    if (strspn(part, "0123456789") == n) {
      choice->index = atoi(part);
    } else if (value == NULL) {
      snprintf(choice->name, sizeof choice->name, "%.47s", part);
    } else if (strncmp(part, "sub_group=", 10) == 0 && power_of_two(number) && number <= 128) {
      choice->sub_group = number;
    } else if (strncmp(part, "warp=", 5) == 0 && power_of_two(number) && number <= 64) {
      choice->warp = number;
      choice->dialect = DIALECT_EMULATED;
    } else if (strncmp(part, "std=CL", 6) == 0 && strlen(value + 1) == 5) {
      snprintf(choice->standard, sizeof choice->standard, "%.5s", value + 1);
    } else {
      int d = 0;
      if (strncmp(part, "dialect=", 8) == 0)
        while (d < DIALECTS && strcmp(dialect_names[d], value + 1) != 0) d++;
      else
        d = DIALECTS;
      if (d == DIALECTS) {
        return wp__fail(WP_ERROR_INVALID_ARGUMENT, "opencl: '%s' is none of: a platform's or device's name, its number, sub_group=N (1 ... 128), "
                        "warp=N (1 ... 64), dialect=khr|intel|nvidia|amd|qualcomm|emulated, std=CL1.2|CL2.0|CL3.0", part);
      }
      choice->dialect = d;
    }
    selector += n + (end != NULL ? 1 : 0);
  }
  return WP_OK;
}

static void text_of(cl_device_id id, cl_device_info what, char *text, size_t size) {
  size_t n = 0;
  char *all;
  text[0] = 0;
  if (wp__cl_driver()->device_info(id, what, 0, NULL, &n) != CL_SUCCESS || n == 0) return;
  all = calloc(1, n + 1);
  if (all == NULL) return;
  if (wp__cl_driver()->device_info(id, what, n, all, NULL) == CL_SUCCESS) snprintf(text, size, "%s", all);
  free(all);
}

static bool has_word(const char *words, const char *word) {
  size_t n = strlen(word);
  for (const char *p = words; (p = strstr(p, word)) != NULL; p += n)
    if ((p == words || p[-1] == ' ') && (p[n] == 0 || p[n] == ' ')) return true;
  return false;
}

/* The highest of OpenCL C 1.2, 2.0 and 3.0 that the device compiles. */
static int standard_of(cl_device_id id) {
  const wp__cl *cl = wp__cl_driver();
  cl_name_version versions[16];
  size_t bytes = 0;
  char text[96];
  int major = 1, minor = 0, best = 0;
  if (cl->device_info(id, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof versions, versions, &bytes) == CL_SUCCESS) {
    for (size_t i = 0; i < bytes / sizeof *versions; i++) {
      int v = (int)CL_VERSION_MAJOR(versions[i].version) * 100 + (int)CL_VERSION_MINOR(versions[i].version) * 10;
      if (v > best) best = v;
    }
  }
  if (best == 0) {
    text_of(id, CL_DEVICE_OPENCL_C_VERSION, text, sizeof text); /* "OpenCL C 1.2 ..." */
    if (sscanf(text, "OpenCL C %d.%d", &major, &minor) == 2) best = major * 100 + minor * 10;
  }
  return best >= 300 ? 300 : best >= 200 ? 200 : 120;
}

void wp__cl_query(cl_platform_id platform, cl_device_id id, wp__cl_traits *t) {
  const wp__cl *cl = wp__cl_driver();
  char extensions[8192] = "", il[128] = "";
  cl_uint sub_groups = 0, capability[2] = {0, 0};
  cl_device_fp_config config = 0;
  cl_device_type kind = 0;
  size_t sizes[16], bytes = 0;
  memset(t, 0, sizeof *t);
  t->platform = platform;
  t->id = id;
  (void)cl->platform_info(platform, CL_PLATFORM_NAME, sizeof t->platform_name - 1, t->platform_name, NULL);
  text_of(id, CL_DEVICE_NAME, t->device_name, sizeof t->device_name);
  text_of(id, CL_DRIVER_VERSION, t->driver, sizeof t->driver);
  text_of(id, CL_DEVICE_VERSION, t->version, sizeof t->version);
  text_of(id, CL_DEVICE_EXTENSIONS, extensions, sizeof extensions);
  text_of(id, CL_DEVICE_IL_VERSION, il, sizeof il);
  t->standard = standard_of(id);
  t->pocl = strcmp(t->platform_name, "Portable Computing Language") == 0;
  t->nvidia = has_word(extensions, "cl_nv_pragma_unroll") || strcmp(t->platform_name, "NVIDIA CUDA") == 0;
  t->rusticl = strcmp(t->platform_name, "rusticl") == 0;
  if (t->pocl) t->pocl_major = atoi(t->driver);
  if (cl->device_info(id, CL_DEVICE_TYPE, sizeof kind, &kind, NULL) == CL_SUCCESS)
    t->rows = strncmp(t->platform_name, "Intel(R) OpenCL", 15) == 0 && (kind & CL_DEVICE_TYPE_CPU) != 0;
  if (cl->device_info(id, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof sub_groups, &sub_groups, NULL) != CL_SUCCESS) sub_groups = 0;
  t->sub_groups = sub_groups > 0 || has_word(extensions, "cl_khr_subgroups");
  t->khr_shuffle = t->sub_groups && has_word(extensions, "cl_khr_subgroup_shuffle");
  t->intel_sub_groups = has_word(extensions, "cl_intel_subgroups");
  t->qcom_shuffle = has_word(extensions, "cl_qcom_subgroup_shuffle");
  t->required_size = has_word(extensions, "cl_intel_required_subgroup_size");
  t->il = strstr(il, "SPIR-V") != NULL && cl->program_with_il != NULL;
  if (cl->device_info(id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, NULL) == CL_SUCCESS)
    t->exact_division = (config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  if (t->nvidia && cl->device_info(id, DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, sizeof(cl_uint), &capability[0], NULL) == CL_SUCCESS &&
      cl->device_info(id, DEVICE_COMPUTE_CAPABILITY_MINOR_NV, sizeof(cl_uint), &capability[1], NULL) == CL_SUCCESS)
    t->nv_sm = (int)(capability[0] * 10 + capability[1]);
  if (t->required_size && cl->device_info(id, DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &bytes) == CL_SUCCESS) {
    t->size_count = (int)(bytes / sizeof *sizes);
    for (int i = 0; i < t->size_count; i++) t->sizes[i] = (int)sizes[i];
  }
}
