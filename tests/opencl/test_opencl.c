/* The OpenCL backend of launch.h: names, errors, the binary cache, logical warps, and a program of one's own host code.
 * usage: test_opencl [DEVICE [SPIRV]]     default: opencl; without an OpenCL device only what needs none is tested, and it says so. */
#define _POSIX_C_SOURCE 200809L
#include <warpport/launch.h>
#include <warpport_single_string.h>

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "opencl/opencl_backend.h"

static const char *device_name = "opencl";
static bool have_device;
static char cache_dir[64];

#define NEED_DEVICE() \
  do { \
    if (!have_device) skip(); \
  } while (0)

static wp_device *open_device(const char *name) {
  wp_device *d = NULL;
  wp_status status = wp_device_open(name, &d);
  if (status != WP_OK) fail_msg("%s: %s", name, wp_last_error());
  return d;
}

static void expect_text(const char *part) {
  if (strstr(wp_last_error(), part) == NULL) fail_msg("'%s' is not in: %s", part, wp_last_error());
}

/* ---- without a device ---- */

static void bad_names(void **state) {
  static const char *const bad[] = {"opencl:sub_group=12", "opencl:sub_group=256", "opencl:warp=48", "opencl:warp=", "opencl:dialect=cuda",
                                    "opencl:speed=9", "opencl::0", "opencl:std=CL9"};
  wp_device *d = NULL;
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    if (wp_device_open(bad[i], &d) != WP_ERROR_INVALID_ARGUMENT) fail_msg("%s was accepted: %s", bad[i], wp_last_error());
    assert_null(d);
  }
  wp_device_open("opencl:sub_group=12", &d);
  expect_text("sub_group=N");
  assert_int_equal(wp_device_open("opencl:no such platform", &d), WP_ERROR_NO_DEVICE);
  if (have_device) expect_text("no such device; there are: 0 (");
}

static int note(const char *name, const char *description, void *user) {
  (void)description;
  if (name != NULL && strncmp(name, "opencl", 6) == 0) *(int *)user += 1;
  if (name == NULL && strncmp(description, "opencl: ", 8) == 0) *(int *)user -= 1000;
  return 0;
}

/* A machine without a driver lists a line that says so. */
static void listing(void **state) {
  int count = 0;
  (void)state;
  assert_int_equal(wp_device_list(note, &count), WP_OK);
  if (have_device) assert_true(count > 0);
  else assert_int_equal(count, -1000);
}

static void cache_keys(void **state) {
  const char *one[] = {"a", "bc"}, *two[] = {"ab", "c"};
  const size_t l1[] = {1, 2}, l2[] = {2, 1};
  (void)state;
  wp__cl_cache_key a = wp__cl_cache_hash(one, l1, 2), b = wp__cl_cache_hash(two, l2, 2), c = wp__cl_cache_hash(one, l1, 2);
  assert_string_equal(a.text, c.text);
  assert_string_not_equal(a.text, b.text);
  assert_int_equal(strlen(a.text), 32);
}

/* ---- with one ---- */

static void names(void **state) {
  char name[96];
  (void)state;
  NEED_DEVICE();
  wp_device *d = open_device(device_name), *again;
  assert_string_equal(wp_device_backend(d), "opencl");
  again = open_device(wp_device_name(d)); /* the exact name opens the same; two at once are fine */
  assert_string_equal(wp_device_description(d), wp_device_description(again));
  /* the platform's name, in other letters */
  snprintf(name, sizeof name, "opencl:%.*s", (int)strcspn(wp_device_description(d), ","), wp_device_description(d));
  for (char *p = name + 7; *p; p++)
    if (*p >= 'a' && *p <= 'z') *p = (char)(*p - 32);
  wp_device *by_name = open_device(name);
  wp_device_close(by_name);
  /* what was asked for is part of the name */
  snprintf(name, sizeof name, "opencl:%d:warp=8:dialect=emulated:std=CL1.2", atoi(wp_device_name(d) + 7));
  by_name = open_device(name);
  assert_string_equal(wp_device_name(by_name), name);
  wp_device_close(by_name);
  wp_device_close(again);
  wp_device_close(d);
}

static const char *kernel_suffix = "";

static void sum_on(const char *name, int threads, int *lanes) {
  enum { N = 200 };
  float x[N], got[N];
  int32_t sizes[3] = {0, 0, 0};
  char kernel[32];
  wp_device *d = open_device(name);
  wp_buffer *in, *out;
  wp_kernel *k;
  double ms = -1.0;
  for (int i = 0; i < N; i++) x[i] = (float)(i * 7 % 31) * 0.25f;
  assert_int_equal(wp_buffer_create(d, sizeof x, &in), WP_OK);
  assert_int_equal(wp_buffer_create(d, sizeof got, &out), WP_OK);
  assert_int_equal(wp_buffer_write(in, 0, x, sizeof x), WP_OK);
  assert_int_equal(wp_buffer_fill(out, 0xa5), WP_OK);
  snprintf(kernel, sizeof kernel, "ocl_sizes%s", kernel_suffix);
  if (wp_kernel_find(d, kernel, &k) != WP_OK) fail_msg("%s", wp_last_error());
  wp_arg arg = wp_arg_buffer(out);
  wp_launch_config one = {{1, 1, 1}, {(unsigned)threads, 1, 1}, NULL};
  assert_int_equal(wp_launch(k, &one, &arg, 1), WP_OK);
  assert_int_equal(wp_buffer_read(out, 0, sizes, sizeof sizes), WP_OK);
  *lanes = sizes[0];
  assert_true(sizes[0] >= 1 && sizes[0] <= 64 && (sizes[0] & (sizes[0] - 1)) == 0);
  if (wp_device_warp_size(d) != 0) assert_int_equal(sizes[0], wp_device_warp_size(d));
  snprintf(kernel, sizeof kernel, "ocl_sum%s", kernel_suffix);
  assert_int_equal(wp_kernel_find(d, kernel, &k), WP_OK);
  wp_arg args[] = {wp_arg_buffer(in), wp_arg_buffer(out), wp_arg_f32(2.0f), wp_arg_i32(N)};
  wp_launch_config c = {{(unsigned)((N + threads - 1) / threads), 1, 1}, {(unsigned)threads, 1, 1}, &ms};
  if (wp_launch(k, &c, args, 4) != WP_OK) fail_msg("%s", wp_last_error());
  assert_true(ms >= 0.0);
  assert_int_equal(wp_buffer_read(out, 0, got, sizeof got), WP_OK);
  for (int i = 0; i < N; i++) {
    int block = i / threads, warp = i % threads / sizes[0], first = block * threads + warp * sizes[0], end = (block + 1) * threads;
    float want = 0.0f; /* quarters: exact in any order */
    for (int j = first; j < first + sizes[0] && j < end && j < N; j++) want += x[j] * 2.0f;
    if (got[i] != want) fail_msg("%s, %d threads, thread %d: %g instead of %g", name, threads, i, (double)got[i], (double)want);
  }
  wp_buffer_destroy(in);
  wp_buffer_destroy(out);
  wp_device_close(d);
}

static void sums(void **state) {
  int lanes;
  (void)state;
  NEED_DEVICE();
  sum_on(device_name, 64, &lanes);
  sum_on(device_name, 37, &lanes);
}

/* Emulated warps of any size work on every device. */
static void emulated(void **state) {
  static const int sizes[] = {1, 4, 32, 64};
  wp_device *d;
  char name[96], base[64];
  int lanes;
  (void)state;
  NEED_DEVICE();
  d = open_device(device_name);
  snprintf(base, sizeof base, "%.8s", wp_device_name(d)); /* opencl:N */
  wp_device_close(d);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    snprintf(name, sizeof name, "%s:warp=%d", base, sizes[i]);
    sum_on(name, 37, &lanes);
    assert_int_equal(lanes, sizes[i]);
  }
}

static void shared_memory(void **state) {
  enum { N = 40 };
  uint32_t got[N];
  wp_kernel *k;
  wp_buffer *out;
  (void)state;
  NEED_DEVICE();
  wp_device *d = open_device(device_name);
  assert_int_equal(wp_buffer_create(d, sizeof got, &out), WP_OK);
  assert_int_equal(wp_kernel_find(d, "ocl_shared", &k), WP_OK);
  wp_arg args[] = {wp_arg_buffer(out), wp_arg_shared(4 * N), wp_arg_i32(N)};
  wp_launch_config c = {{1, 1, 1}, {64, 1, 1}, NULL};
  if (wp_launch(k, &c, args, 3) != WP_OK) fail_msg("%s", wp_last_error());
  assert_int_equal(wp_buffer_read(out, 0, got, sizeof got), WP_OK);
  for (uint32_t i = 0; i < N; i++) assert_int_equal(got[i], (N - 1 - i) * (N - 1 - i) + i);
  /* what the kernel's signature refuses */
  assert_int_equal(wp_launch(k, &c, args, 2), WP_ERROR_BAD_ARGUMENTS);
  args[2] = wp_arg_buffer(out);
  assert_int_equal(wp_launch(k, &c, args, 3), WP_ERROR_BAD_ARGUMENTS);
  args[2] = wp_arg_i64(N);
  assert_int_equal(wp_launch(k, &c, args, 3), WP_ERROR_BAD_ARGUMENTS);
  args[2] = wp_arg_i32(N);
  args[1] = wp_arg_shared((size_t)1 << 30);
  assert_int_equal(wp_launch(k, &c, args, 3), WP_ERROR_INVALID_ARGUMENT);
  expect_text("bytes of shared memory");
  c.block.x = 1u << 20;
  assert_int_equal(wp_launch(k, &c, args, 3), WP_ERROR_INVALID_ARGUMENT);
  assert_int_equal(wp_buffer_create(d, (size_t)1 << 60, &out), WP_ERROR_OUT_OF_MEMORY);
  expect_text("asked for");
  wp_buffer_destroy(args[0].u.buffer);
  wp_device_close(d);
}

static void missing_kernel(void **state) {
  wp_kernel *k = NULL;
  (void)state;
  NEED_DEVICE();
  wp_device *d = open_device(device_name);
  assert_int_equal(wp_kernel_find(d, "no_such_kernel", &k), WP_ERROR_NO_KERNEL);
  expect_text("no kernel 'no_such_kernel'");
  wp_device_close(d);
}

static int files_in(const char *dir, char *first, size_t size) {
  DIR *d = opendir(dir);
  int n = 0;
  if (d == NULL) return 0;
  for (struct dirent *e; (e = readdir(d)) != NULL;) {
    if (strstr(e->d_name, ".bin") == NULL) continue;
    if (n++ == 0 && first != NULL) snprintf(first, size, "%s/%.48s", dir, e->d_name);
  }
  closedir(d);
  return n;
}

/* A second build comes from the file; a damaged file only means building again. */
static void binary_cache(void **state) {
  char path[160];
  struct stat before, after;
  int lanes;
  (void)state;
  NEED_DEVICE();
  setenv("WARPPORT_CACHE", cache_dir, 1);
  sum_on(device_name, 64, &lanes);
  int files = files_in(cache_dir, path, sizeof path);
  if (files == 0) {
    print_message("no binaries are kept for this driver\n");
    skip();
  }
  assert_int_equal(stat(path, &before), 0);
  sum_on(device_name, 64, &lanes);
  assert_int_equal(files_in(cache_dir, NULL, 0), files);
  assert_int_equal(stat(path, &after), 0);
  assert_true(before.st_ino == after.st_ino); /* not written again */
  assert_int_equal(truncate(path, 100), 0);
  sum_on(device_name, 64, &lanes);
  assert_int_equal(stat(path, &after), 0);
  assert_true(after.st_size == before.st_size);
  setenv("WARPPORT_CACHE", "off", 1);
}

/* Images that a program registers itself. They stay for the rest of the process, so these tests come last. */
static const char logical_text[] = "#define WARPPORT_WARP_SIZE 64\n";
static char *logical_source;

static void logical_warps(void **state) {
  static const char kernel[] = "WP_KERNEL(ocl_logical, WP_GLOBAL int *out) { out[wp_thread_rank()] = wp_reduce_max(wp_mask_present(), wp_thread_rank());"
                               " if (wp_thread_rank() == 0) out[0] = wp_warp_size(); }\n";
  size_t n = sizeof logical_text + sizeof warpport_single_source + sizeof kernel;
  int32_t got[96];
  wp_kernel *k;
  wp_buffer *out;
  (void)state;
  NEED_DEVICE();
  logical_source = malloc(n);
  assert_non_null(logical_source);
  snprintf(logical_source, n, "%s%s%s", logical_text, warpport_single_source, kernel);
  assert_int_equal(wp_register_image(WP_IMAGE_OPENCL_SOURCE, "logical", logical_source, strlen(logical_source)), WP_OK);
  wp_device *d = open_device(device_name);
  assert_int_equal(wp_buffer_create(d, sizeof got, &out), WP_OK);
  if (wp_kernel_find(d, "ocl_logical", &k) != WP_OK) fail_msg("%s", wp_last_error());
  wp_arg arg = wp_arg_buffer(out);
  wp_launch_config c = {{1, 1, 1}, {96, 1, 1}, NULL};
  if (wp_launch(k, &c, &arg, 1) != WP_OK) fail_msg("%s", wp_last_error());
  assert_int_equal(wp_buffer_read(out, 0, got, sizeof got), WP_OK);
  assert_int_equal(got[0], 64);
  for (int i = 1; i < 96; i++) assert_int_equal(got[i], i < 64 ? 63 : 95);
  wp_buffer_destroy(out);
  wp_device_close(d);
}

/* Kernels compiled offline (spirv.sh), where the driver takes SPIR-V. */
static const char *spirv_file;

static void spirv(void **state) {
  static unsigned char binary[1 << 22];
  wp_kernel *k = NULL;
  int lanes;
  (void)state;
  NEED_DEVICE();
  FILE *f = spirv_file != NULL ? fopen(spirv_file, "rb") : NULL;
  if (f == NULL) {
    print_message("no file of SPIR-V given\n");
    skip();
  }
  size_t n = fread(binary, 1, sizeof binary, f);
  fclose(f);
  assert_int_equal(wp_register_image(WP_IMAGE_OPENCL_SPIRV, spirv_file, binary, n), WP_OK);
  wp_device *d = open_device(device_name);
  wp_status status = wp_kernel_find(d, "ocl_sum_spirv", &k);
  wp_device_close(d);
  if (status == WP_ERROR_NO_KERNEL) {
    print_message("the driver takes no SPIR-V, or none with sub-groups\n");
    skip();
  }
  if (status != WP_OK) fail_msg("%s", wp_last_error());
  kernel_suffix = "_spirv";
  sum_on(device_name, 64, &lanes);
  sum_on(device_name, 37, &lanes);
  kernel_suffix = "";
}

/* The whole log is told, with the file's own line. */
static void build_log(void **state) {
  static const char broken[] = "#line 41 \"broken.cl\"\n__kernel void ocl_broken(__global int *p) {\n  p[0] = first_unknown_name;\n"
                               "  p[1] = second_unknown_name;\n}\n";
  wp_kernel *k = NULL;
  (void)state;
  NEED_DEVICE();
  assert_int_equal(wp_register_image(WP_IMAGE_OPENCL_SOURCE, "broken.cl", broken, sizeof broken), WP_OK);
  wp_device *d = open_device(device_name);
  assert_int_equal(wp_kernel_find(d, "ocl_broken", &k), WP_ERROR_BUILD);
  expect_text("broken.cl could not be built");
  expect_text("options: ");
  expect_text("first_unknown_name");
  expect_text("second_unknown_name");
  wp_device_close(d);
}

/* A host program of its own: the header as a string, WP_WARP_STORAGE declared in the kernel, no option but the language's. */
static void own_host_code(void **state) {
  static const char kernel[] =
      "WP_KERNEL(own, WP_GLOBAL int *out) {\n"
      "  WP_WARP_STORAGE;\n"
      "  out[wp_thread_rank()] = wp_scan_add(wp_mask_present(), wp_thread_rank() + 1) * 1000 + wp_warp_size();\n"
      "}\n";
  const wp__cl *cl = wp__cl_driver();
  const char *parts[2] = {warpport_single_source, kernel};
  const size_t local = 40;
  int32_t got[40];
  cl_int error;
  (void)state;
  NEED_DEVICE();
  wp__cl_choice choice;
  cl_platform_id platforms[16];
  cl_device_id id = NULL;
  cl_uint count = 0;
  assert_int_equal(wp__cl_parse(strchr(device_name, ':') != NULL ? strchr(device_name, ':') + 1 : NULL, &choice), WP_OK);
  assert_int_equal(cl->platform_ids(16, platforms, &count), CL_SUCCESS);
  assert_int_equal(cl->device_ids(platforms[0], CL_DEVICE_TYPE_ALL, 1, &id, NULL), CL_SUCCESS);
  cl_context context = cl->create_context(NULL, 1, &id, NULL, NULL, &error);
  assert_int_equal(error, CL_SUCCESS);
  cl_command_queue queue = cl->create_queue(context, id, 0, &error);
  cl_program program = cl->program_with_source(context, 2, parts, NULL, &error);
  assert_int_equal(error, CL_SUCCESS);
  /* the emulated dialect by name, since some drivers' macros claim sub-groups that they do not have */
  if (cl->build(program, 1, &id, "-cl-std=CL1.2 -DWARPPORT_OPENCL_DIALECT=6 -DWARPPORT_OPENCL_EMULATED_WARP=16", NULL, NULL) != CL_SUCCESS) {
    static char log[65536];
    (void)cl->build_info(program, id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fail_msg("%s", log);
  }
  cl_kernel k = cl->create_kernel(program, "own", &error);
  cl_mem out = cl->create_buffer(context, CL_MEM_READ_WRITE, sizeof got, NULL, &error);
  assert_int_equal(cl->set_arg(k, 0, sizeof out, &out), CL_SUCCESS);
  assert_int_equal(cl->launch(queue, k, 1, NULL, &local, &local, 0, NULL, NULL), CL_SUCCESS);
  assert_int_equal(cl->read(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL), CL_SUCCESS);
  for (int i = 0; i < 40; i++) {
    int first = i / 16 * 16, sum = 0;
    for (int j = first; j <= i; j++) sum += j + 1;
    assert_int_equal(got[i], sum * 1000 + 16);
  }
  (void)cl->release_memory(out);
  (void)cl->release_kernel(k);
  (void)cl->release_program(program);
  (void)cl->release_queue(queue);
  (void)cl->release_context(context);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_names), cmocka_unit_test(listing),        cmocka_unit_test(cache_keys),   cmocka_unit_test(names),
      cmocka_unit_test(sums),      cmocka_unit_test(emulated),       cmocka_unit_test(shared_memory), cmocka_unit_test(missing_kernel),
      cmocka_unit_test(binary_cache), cmocka_unit_test(own_host_code), cmocka_unit_test(logical_warps), cmocka_unit_test(spirv), cmocka_unit_test(build_log)};
  wp_device *d = NULL;
  if (argc > 1) device_name = argv[1];
  if (argc > 2) spirv_file = argv[2];
  snprintf(cache_dir, sizeof cache_dir, "/tmp/warpport_cache_%ld", (long)getpid());
  setenv("WARPPORT_CACHE", "off", 1);
  have_device = wp_device_open(device_name, &d) == WP_OK;
  if (have_device) {
    printf("%s: %s\n", wp_device_name(d), wp_device_description(d));
    wp_device_close(d);
  } else {
    printf("SKIPPED, what needs a device: %s\n", wp_last_error());
  }
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  char path[160];
  while (files_in(cache_dir, path, sizeof path) > 0 && unlink(path) == 0) continue;
  (void)rmdir(cache_dir);
  free(logical_source);
  return failed;
}
