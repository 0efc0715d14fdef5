/* The host side (launch.h) on the CPU backend: bad input, block shapes, shared memory, barriers, and a report for each misuse.
 * Lines of the reports come from the @marks in launch_kernels.c. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <warpport/launch.h>

#ifdef __has_include
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif
#ifndef RUNNING_ON_VALGRIND
#define RUNNING_ON_VALGRIND 0
#endif

/* Elsewhere an integer division by zero is no fault, and with UBSan it is a report of its own. */
#if defined(__x86_64__) && !defined(WITH_UBSAN)
#define DIVISION_FAULTS 1
#endif

#define CHECK(call) \
  do { \
    wp_status status_ = (call); \
    if (status_ != WP_OK) fail_msg("%s: %s: %s", #call, wp_status_name(status_), wp_last_error()); \
  } while (0)

/* The call fails with that status, and the text has all the given parts (NULL ends them). */
static void expect_text(const char *call, wp_status status, wp_status wanted, ...) {
  va_list parts;
  const char *part;
  if (status != wanted)
    fail_msg("%s: %s, expected %s: %s", call, wp_status_name(status), wp_status_name(wanted), wp_last_error());
  va_start(parts, wanted);
  while ((part = va_arg(parts, const char *)) != NULL) {
    if (strstr(wp_last_error(), part) == NULL) fail_msg("%s: no '%s' in:\n%s", call, part, wp_last_error());
  }
  va_end(parts);
}
#define EXPECT(call, ...) expect_text(#call, call, __VA_ARGS__, (char *)NULL)

/* "file:line" of a mark; four texts may be alive at a time. */
static const char *mark_in(const char *file, const char *name) {
  static char text[4][512];
  static int turn;
  char line[512], wanted[128];
  int number = 0, found = 0;
  FILE *f = fopen(file, "r");
  char *out = text[turn++ % 4];
  if (f == NULL) fail_msg("cannot open %s", file);
  snprintf(wanted, sizeof wanted, "@%s *", name); /* as in a comment that ends after it */
  while (found == 0 && fgets(line, sizeof line, f) != NULL) {
    number++;
    if (strstr(line, wanted) != NULL) found = number;
  }
  fclose(f);
  if (found == 0) fail_msg("no mark @%s in %s", name, file);
  snprintf(out, sizeof text[0], "%s:%d: ", strrchr(file, '/') != NULL ? strrchr(file, '/') + 1 : file, found);
  return out;
}
static const char *at(const char *name) { return mark_in(LAUNCH_KERNELS, name); }

static wp_device *open_lanes(int lanes) {
  char name[32];
  wp_device *d = NULL;
  snprintf(name, sizeof name, "cpu:%d", lanes);
  CHECK(wp_device_open(name, &d));
  return d;
}

static wp_buffer *make(wp_device *d, size_t bytes) {
  wp_buffer *b = NULL;
  CHECK(wp_buffer_create(d, bytes, &b));
  CHECK(wp_buffer_fill(b, 0));
  return b;
}

static wp_status launch(wp_device *d, const char *name, wp_dim3 grid, wp_dim3 block, const wp_arg *args, int count) {
  wp_kernel *k = NULL;
  wp_launch_config config = {grid, block, NULL};
  wp_status status = wp_kernel_find(d, name, &k);
  return status != WP_OK ? status : wp_launch(k, &config, args, count);
}

static wp_dim3 dim(unsigned x, unsigned y, unsigned z) {
  wp_dim3 d = {x, y, z};
  return d;
}

/* One block of n threads with one buffer. */
static wp_status run_1(wp_device *d, const char *name, unsigned n, wp_buffer *b) {
  wp_arg args[] = {wp_arg_buffer(b)};
  return launch(d, name, dim(1, 1, 1), dim(n, 1, 1), args, 1);
}

/* ---- bad input ---- */

static void devices(void **state) {
  wp_device *d = NULL;
  (void)state;
  EXPECT(wp_device_open(NULL, &d), WP_ERROR_INVALID_ARGUMENT, "NULL");
  EXPECT(wp_device_open("cpu", NULL), WP_ERROR_INVALID_ARGUMENT, "NULL");
  EXPECT(wp_device_open("vulkan", &d), WP_ERROR_NO_BACKEND, "'vulkan'", "no such backend", "cpu");
  EXPECT(wp_device_open("cpux:32", &d), WP_ERROR_NO_BACKEND, "'cpux:32'");
  EXPECT(wp_device_open("", &d), WP_ERROR_NO_BACKEND, "no such backend");
  EXPECT(wp_device_open("cpu:0", &d), WP_ERROR_NO_DEVICE, "a warp of 0 lanes", "1, 2, 4, 8, 16, 32 and 64");
  EXPECT(wp_device_open("cpu:3", &d), WP_ERROR_NO_DEVICE, "a warp of 3 lanes");
  EXPECT(wp_device_open("cpu:128", &d), WP_ERROR_NO_DEVICE, "128");
  EXPECT(wp_device_open("cpu:-4", &d), WP_ERROR_NO_DEVICE, "-4");
  EXPECT(wp_device_open("cpu:", &d), WP_ERROR_NO_DEVICE, "possible");
  EXPECT(wp_device_open("cpu:32x", &d), WP_ERROR_NO_DEVICE, "32x");
  setenv("WARPPORT_HOST_LANES", "12", 1);
  EXPECT(wp_device_open("cpu", &d), WP_ERROR_NO_DEVICE, "a warp of 12 lanes", "WARPPORT_HOST_LANES");
  setenv("WARPPORT_HOST_LANES", "many", 1);
  EXPECT(wp_device_open("cpu", &d), WP_ERROR_INVALID_ARGUMENT, "WARPPORT_HOST_LANES is 'many'");
  setenv("WARPPORT_HOST_LANES", "16", 1);
  CHECK(wp_device_open("cpu", &d));
  assert_int_equal(wp_device_warp_size(d), 16);
  assert_string_equal(wp_device_name(d), "cpu:16");
  assert_string_equal(wp_device_backend(d), "cpu");
  assert_int_equal(wp_device_max_block_threads(d), 1024);
  assert_true(strlen(wp_device_description(d)) > 0);
  wp_device_close(d);
  unsetenv("WARPPORT_HOST_LANES");
  CHECK(wp_device_open("cpu", &d));
  assert_int_equal(wp_device_warp_size(d), 32);
  CHECK(wp_device_synchronize(d));
  wp_device_close(d);
  wp_device_close(NULL);
  EXPECT(wp_device_synchronize(NULL), WP_ERROR_INVALID_ARGUMENT, "NULL");
  setenv("WARPPORT_HOST_STACK", "12 bananas", 1);
  EXPECT(wp_device_open("cpu", &d), WP_ERROR_INVALID_ARGUMENT, "WARPPORT_HOST_STACK is '12 bananas'");
  unsetenv("WARPPORT_HOST_STACK");
}

static int note_device(const char *name, const char *description, void *user) {
  char *seen = user;
  if (name != NULL) strcat(strcat(seen, name), " ");
  assert_non_null(description);
  return 0;
}
static int stop_at_once(const char *name, const char *description, void *user) {
  (void)name;
  (void)description;
  ++*(int *)user;
  return 1;
}
static void list(void **state) {
  char seen[4096] = "";
  int calls = 0;
  (void)state;
  CHECK(wp_device_list(note_device, seen));
  assert_non_null(strstr(seen, "cpu:32 "));
  assert_non_null(strstr(seen, "cpu:64 "));
  CHECK(wp_device_list(stop_at_once, &calls));
  assert_int_equal(calls, 1);
  EXPECT(wp_device_list(NULL, NULL), WP_ERROR_INVALID_ARGUMENT, "visit");
}

static void buffers(void **state) {
  wp_device *d = open_lanes(32);
  wp_buffer *b = NULL;
  unsigned char data[16], back[16];
  int i;
  (void)state;
  EXPECT(wp_buffer_create(d, 0, &b), WP_ERROR_INVALID_ARGUMENT, "at least 1 byte");
  EXPECT(wp_buffer_create(NULL, 4, &b), WP_ERROR_INVALID_ARGUMENT, "NULL");
  EXPECT(wp_buffer_create(d, 4, NULL), WP_ERROR_INVALID_ARGUMENT, "NULL");
  EXPECT(wp_buffer_create(d, SIZE_MAX / 2, &b), WP_ERROR_OUT_OF_MEMORY, "a buffer of 9223372036854775807 bytes");
  CHECK(wp_buffer_create(d, 16, &b));
  assert_int_equal(wp_buffer_size(b), 16);
  assert_int_equal(wp_buffer_size(NULL), 0);
  for (i = 0; i < 16; i++) data[i] = (unsigned char)(i + 1);
  CHECK(wp_buffer_fill(b, 0x5c));
  CHECK(wp_buffer_write(b, 3, data, 10));
  CHECK(wp_buffer_read(b, 0, back, 16));
  for (i = 0; i < 16; i++) assert_int_equal(back[i], i >= 3 && i < 13 ? i - 2 : 0x5c);
  CHECK(wp_buffer_write(b, 16, data, 0));
  EXPECT(wp_buffer_write(b, 10, data, 7), WP_ERROR_INVALID_ARGUMENT, "7 bytes at offset 10; the buffer has 16");
  EXPECT(wp_buffer_read(b, SIZE_MAX, back, 2), WP_ERROR_INVALID_ARGUMENT, "the buffer has 16");
  EXPECT(wp_buffer_read(b, 0, NULL, 2), WP_ERROR_INVALID_ARGUMENT, "data");
  EXPECT(wp_buffer_read(NULL, 0, back, 2), WP_ERROR_INVALID_ARGUMENT, "buffer");
  EXPECT(wp_buffer_fill(NULL, 1), WP_ERROR_INVALID_ARGUMENT, "buffer");
  wp_buffer_destroy(b);
  wp_buffer_destroy(NULL);
  wp_device_close(d);
}

static void images(void **state) {
  static const char data[] = "x";
  (void)state;
  EXPECT(wp_register_image(WP_IMAGE_CUDA, NULL, data, 1), WP_ERROR_INVALID_ARGUMENT, "name");
  EXPECT(wp_register_image(WP_IMAGE_CUDA, "n", NULL, 1), WP_ERROR_INVALID_ARGUMENT, "data");
  EXPECT(wp_register_image(WP_IMAGE_CUDA, "n", data, 0), WP_ERROR_INVALID_ARGUMENT, "size");
  EXPECT(wp_register_image((wp_image_kind)77, "n", data, 1), WP_ERROR_INVALID_ARGUMENT, "77");
  CHECK(wp_register_image(WP_IMAGE_OPENCL_SOURCE, "unused", data, 1));
}

static void launches(void **state) {
  wp_device *d = open_lanes(32), *other = open_lanes(32);
  wp_buffer *b = make(d, 4096), *foreign = make(other, 64);
  wp_kernel *k = NULL;
  wp_launch_config config = {{1, 1, 1}, {32, 1, 1}, NULL};
  wp_arg args[3];
  double ms = -1;
  (void)state;
  EXPECT(wp_kernel_find(d, "no_such_kernel", &k), WP_ERROR_NO_KERNEL, "no kernel 'no_such_kernel'", "it has ", "reverse");
  EXPECT(wp_kernel_find(NULL, "who", &k), WP_ERROR_INVALID_ARGUMENT, "NULL");
  EXPECT(wp_kernel_find(d, NULL, &k), WP_ERROR_INVALID_ARGUMENT, "NULL");
  EXPECT(wp_kernel_find(d, "struct_param", &k), WP_ERROR_BAD_ARGUMENTS, "parameter 2, 'pair p'", "launch_kernels.c:");
  EXPECT(wp_launch(NULL, &config, args, 0), WP_ERROR_INVALID_ARGUMENT, "kernel");

  CHECK(wp_kernel_find(d, "who", &k));
  args[0] = wp_arg_buffer(b);
  args[1] = wp_arg_i32(1);
  EXPECT(wp_launch(k, NULL, args, 1), WP_ERROR_INVALID_ARGUMENT, "config");
  EXPECT(wp_launch(k, &config, NULL, 1), WP_ERROR_INVALID_ARGUMENT, "NULL");
  EXPECT(wp_launch(k, &config, args, -1), WP_ERROR_INVALID_ARGUMENT, "-1");
  EXPECT(wp_launch(k, &config, args, 0), WP_ERROR_BAD_ARGUMENTS, "'who': 0 arguments given, it has 1 parameter");
  EXPECT(wp_launch(k, &config, args, 2), WP_ERROR_BAD_ARGUMENTS, "2 arguments given");
  EXPECT(wp_launch(k, &config, args + 1, 1), WP_ERROR_BAD_ARGUMENTS, "parameter 1, 'wp_u32 *out'",
         "a value was given, a buffer is expected");
  args[0] = wp_arg_buffer(NULL);
  EXPECT(wp_launch(k, &config, args, 1), WP_ERROR_BAD_ARGUMENTS, "the buffer is NULL");
  args[0] = wp_arg_buffer(foreign);
  EXPECT(wp_launch(k, &config, args, 1), WP_ERROR_BAD_ARGUMENTS, "belongs to device cpu:32", "opened another time");
  memset(&args[0], 0, sizeof args[0]);
  EXPECT(wp_launch(k, &config, args, 1), WP_ERROR_BAD_ARGUMENTS, "of no known kind");

  args[0] = wp_arg_buffer(b);
  config.block = dim(1025, 1, 1);
  EXPECT(wp_launch(k, &config, args, 1), WP_ERROR_INVALID_ARGUMENT, "1025 x 1 x 1 threads", "1024 x 1024 x 64");
  config.block = dim(33, 32, 1);
  EXPECT(wp_launch(k, &config, args, 1), WP_ERROR_INVALID_ARGUMENT, "a block of 1056 threads; cpu:32 allows 1024");
  config.block = dim(1, 1, 65);
  EXPECT(wp_launch(k, &config, args, 1), WP_ERROR_INVALID_ARGUMENT, "1 x 1 x 65");
  config.block = dim(0x80000000u, 0x80000000u, 4);
  EXPECT(wp_launch(k, &config, args, 1), WP_ERROR_INVALID_ARGUMENT, "allows");
  config.block = dim(32, 1, 1);
  config.grid = dim(1, 65536, 1);
  EXPECT(wp_launch(k, &config, args, 1), WP_ERROR_INVALID_ARGUMENT, "a grid of 1 x 65536 x 1 blocks");
  config.grid = dim(0, 0, 0); /* a zero counts as 1 */
  config.elapsed_ms = &ms;
  CHECK(wp_launch(k, &config, args, 1));
  assert_true(ms >= 0);
  config.elapsed_ms = NULL;

  CHECK(wp_kernel_find(d, "reverse", &k));
  args[1] = wp_arg_i32(8);
  args[2] = wp_arg_i32(8);
  EXPECT(wp_launch(k, &config, args, 3), WP_ERROR_BAD_ARGUMENTS, "parameter 2, 'WP_SHARED_PARAM(wp_u32, cell)'",
         "shared memory (wp_arg_shared) is expected");
  args[1] = wp_arg_shared(0);
  EXPECT(wp_launch(k, &config, args, 3), WP_ERROR_BAD_ARGUMENTS, "0 bytes");
  args[1] = wp_arg_shared(32);
  args[2] = wp_arg_i64(8);
  EXPECT(wp_launch(k, &config, args, 3), WP_ERROR_BAD_ARGUMENTS, "parameter 3, 'int n'",
         "8 bytes was given, one of 4 is expected");
  args[2] = wp_arg_value("0123456789abcdefg", 17);
  EXPECT(wp_launch(k, &config, args, 3), WP_ERROR_BAD_ARGUMENTS, "17 bytes", "1 to 16");
  args[2] = wp_arg_shared(32);
  EXPECT(wp_launch(k, &config, args, 3), WP_ERROR_BAD_ARGUMENTS, "parameter 3");
  args[2] = wp_arg_i32(8);
  CHECK(wp_launch(k, &config, args, 3));

  setenv("WARPPORT_HOST_THREADS", "0", 1);
  EXPECT(wp_launch(k, &config, args, 3), WP_ERROR_INVALID_ARGUMENT, "WARPPORT_HOST_THREADS is '0'");
  unsetenv("WARPPORT_HOST_THREADS");
  wp_buffer_destroy(b);
  wp_buffer_destroy(foreign);
  wp_device_close(d);
  wp_device_close(other);
}

static void *other_thread(void *user) {
  wp_device *d;
  *(bool *)user = strcmp(wp_last_error(), "") == 0 && wp_device_open("nowhere", &d) == WP_ERROR_NO_BACKEND &&
                  strstr(wp_last_error(), "nowhere") != NULL;
  return NULL;
}
static void errors_per_thread(void **state) {
  wp_device *d;
  pthread_t thread;
  bool fine = false;
  (void)state;
  assert_int_equal(wp_device_open("here", &d), WP_ERROR_NO_BACKEND);
  assert_int_equal(pthread_create(&thread, NULL, other_thread, &fine), 0);
  pthread_join(thread, NULL);
  assert_true(fine);
  assert_non_null(strstr(wp_last_error(), "'here'"));
  assert_string_equal(wp_status_name(WP_ERROR_MISUSE), "WP_ERROR_MISUSE");
}

/* ---- right kernels ---- */

static void shapes(void **state) {
  static const int lanes[] = {1, 2, 8, 16, 32, 64};
  static const wp_dim3 blocks[] = {{1, 1, 1},  {17, 1, 1}, {31, 1, 1}, {33, 1, 1}, {45, 1, 1},   {63, 1, 1},  {65, 1, 1},
                                   {8, 8, 1}, {33, 3, 1}, {5, 3, 2},  {1, 1, 64}, {1024, 1, 1}, {16, 16, 4}, {3, 1, 11}};
  size_t i, j;
  (void)state;
  for (i = 0; i < sizeof lanes / sizeof lanes[0]; i++) {
    wp_device *d = open_lanes(lanes[i]);
    for (j = 0; j < sizeof blocks / sizeof blocks[0]; j++) {
      wp_dim3 b = blocks[j];
      unsigned threads = b.x * b.y * b.z, block, t, w = (unsigned)lanes[i];
      wp_buffer *out = make(d, 12 * (size_t)threads * 6 * sizeof(uint32_t));
      uint32_t *got = malloc(wp_buffer_size(out));
      wp_arg args[] = {wp_arg_buffer(out)};
      assert_non_null(got);
      CHECK(launch(d, "who", dim(1, 3, 2), b, args, 1));
      CHECK(wp_buffer_read(out, 0, got, wp_buffer_size(out)));
      for (block = 0; block < 6; block++) {
        for (t = 0; t < threads; t++) {
          const uint32_t *g = got + 12 * (size_t)(block * threads + t);
          unsigned warp = t / w, first = warp * w, present = threads - first < w ? threads - first : w;
          uint64_t mask = present == 64 ? ~(uint64_t)0 : ((uint64_t)1 << present) - 1;
          const uint32_t want[12] = {t % b.x,   t / b.x % b.y, t / b.x / b.y, t % w, warp,  0, block % 3, block / 3, w, present,
                                     first + present - 1, (uint32_t)mask ^ (uint32_t)(mask >> 32)};
          assert_memory_equal(g, want, sizeof want);
        }
      }
      free(got);
      wp_buffer_destroy(out);
    }
    wp_device_close(d);
  }
}

static void all_types(void **state) {
  wp_device *d = open_lanes(1);
  wp_buffer *out = make(d, 14 * sizeof(double)), *in = make(d, 2 * sizeof(float));
  static const float f[2] = {1.0f, 2.25f};
  static const double want[14] = {-8,   250, -16000, 65000, -2000000000, 4000000000.0, -1099511627776.0,
                                  1e18, 0.5, 0.25,   1,     0x3c00,      0x40003f80,   2.25};
  double got[14];
  int8_t a = -8;
  uint8_t b = 250;
  int16_t c = -16000;
  uint16_t e = 65000, half = 0x3c00;
  uint32_t pair = 0x40003f80;
  bool yes = true;
  int i;
  wp_arg args[] = {wp_arg_buffer(out),
                   wp_arg_value(&a, 1),
                   wp_arg_value(&b, 1),
                   wp_arg_value(&c, 2),
                   wp_arg_value(&e, 2),
                   wp_arg_i32(-2000000000),
                   wp_arg_u32(4000000000u),
                   wp_arg_i64(-1099511627776),
                   wp_arg_u64(1000000000000000000u),
                   wp_arg_f32(0.5f),
                   wp_arg_f64(0.25),
                   wp_arg_value(&yes, 1),
                   wp_arg_value(&half, 2),
                   wp_arg_value(&pair, 4),
                   wp_arg_buffer(in)};
  (void)state;
  CHECK(wp_buffer_write(in, 0, f, sizeof f));
  CHECK(launch(d, "types", dim(1, 1, 1), dim(1, 1, 1), args, 15));
  CHECK(wp_buffer_read(out, 0, got, sizeof got));
  for (i = 0; i < 14; i++) {
    if (got[i] != want[i]) fail_msg("parameter %d: got %g, expected %g", i + 2, got[i], want[i]);
  }
  wp_buffer_destroy(out);
  wp_buffer_destroy(in);
  wp_device_close(d);
}

static void cxx(void **state) {
  wp_device *d = open_lanes(32);
  wp_buffer *out = make(d, 64 * sizeof(double));
  double got[64];
  int ints[64], i;
  struct { float a; int b; } pair = {1.5f, 4};
  int16_t mode = 1;
  uint8_t byte = 200;
  wp_arg args[] = {wp_arg_buffer(out), wp_arg_value(&pair, 8), wp_arg_value(&mode, 2), wp_arg_f32(0.25f), wp_arg_value(&byte, 1),
                   wp_arg_shared(40 * sizeof(double))};
  (void)state;
  CHECK(launch(d, "cxx_types", dim(2, 1, 1), dim(40, 1, 1), args, 6));
  CHECK(wp_buffer_read(out, 0, got, sizeof got));
  for (i = 0; i < 40; i++) assert_true(got[i] == 6 + 1000 + 0.25 + 200 + 1);
  args[1] = wp_arg_i32(21);
  CHECK(launch(d, "cxx_first", dim(1, 1, 1), dim(3, 1, 1), args, 2));
  CHECK(wp_buffer_read(out, 0, ints, sizeof ints));
  assert_int_equal(ints[2], 21);
  CHECK(launch(d, "cxx_second", dim(1, 1, 1), dim(3, 1, 1), args, 2));
  CHECK(wp_buffer_read(out, 0, ints, sizeof ints));
  assert_int_equal(ints[2], 42);
  args[1] = wp_arg_f64(1);
  EXPECT(launch(d, "cxx_first", dim(1, 1, 1), dim(1, 1, 1), args, 2), WP_ERROR_BAD_ARGUMENTS, "'int first_n'");
  EXPECT(launch(d, "cxx_second", dim(1, 1, 1), dim(1, 1, 1), args, 2), WP_ERROR_BAD_ARGUMENTS, "'int second_n'");
  EXPECT(run_1(d, "cxx_width", 32, out), WP_ERROR_MISUSE, "[WP108]", mark_in(LAUNCH_KERNELS_CXX, "cxx_width"), "wp_shfl_down",
         "lane 3", "kernel 'cxx_width'", mark_in(LAUNCH_KERNELS_CXX, "cxx_caller"));
  wp_buffer_destroy(out);
  wp_device_close(d);
}

static void early_returns(void **state) {
  static const unsigned sizes[] = {1, 2, 17, 64, 65, 100, 1023, 1024};
  int lanes;
  size_t i;
  (void)state;
  for (lanes = 1; lanes <= 64; lanes *= 4) {
    wp_device *d = open_lanes(lanes);
    wp_buffer *out = make(d, 5 * sizeof(uint32_t));
    for (i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      unsigned n = (sizes[i] + 1) / 2, block;
      uint32_t got[5];
      wp_arg args[] = {wp_arg_buffer(out)};
      CHECK(launch(d, "early_return", dim(5, 1, 1), dim(sizes[i], 1, 1), args, 1));
      CHECK(wp_buffer_read(out, 0, got, sizeof got));
      for (block = 0; block < 5; block++) assert_int_equal(got[block], n * (n - 1)); /* 2 * (0 + 1 + ... n-1) */
    }
    wp_buffer_destroy(out);
    wp_device_close(d);
  }
}

static void shared_memory(void **state) {
  wp_device *d = open_lanes(32);
  enum { BLOCKS = 37, N = 113 };
  uint32_t data[BLOCKS * N];
  wp_buffer *b = make(d, sizeof data);
  int threads, i;
  (void)state;
  for (threads = 1; threads <= 256; threads = threads * 3 + 2) {
    wp_arg args[] = {wp_arg_buffer(b), wp_arg_shared(N * sizeof(uint32_t)), wp_arg_i32(N)};
    for (i = 0; i < BLOCKS * N; i++) data[i] = (uint32_t)i;
    CHECK(wp_buffer_write(b, 0, data, sizeof data));
    CHECK(launch(d, "reverse", dim(BLOCKS, 1, 1), dim((unsigned)threads, 1, 1), args, 3));
    CHECK(wp_buffer_read(b, 0, data, sizeof data));
    for (i = 0; i < BLOCKS * N; i++) assert_int_equal(data[i], i / N * N + (N - 1 - i % N));
  }
  {
    wp_arg args[] = {wp_arg_buffer(b)};
    CHECK(launch(d, "shared_poison", dim(BLOCKS, 1, 1), dim(1, 1, 1), args, 1));
    CHECK(wp_buffer_read(b, 0, data, sizeof data));
    for (i = 0; i < BLOCKS; i++) assert_int_equal(data[i], 1);
  }
  wp_buffer_destroy(b);
  wp_device_close(d);
}

static void groups(void **state) {
  int lanes, i;
  (void)state;
  for (lanes = 32; lanes <= 64; lanes *= 2) {
    wp_device *d = open_lanes(lanes);
    wp_buffer *b = make(d, 64 * sizeof(uint32_t));
    uint32_t got[64];
    CHECK(run_1(d, "tiles", (unsigned)lanes, b));
    CHECK(wp_buffer_read(b, 0, got, sizeof got));
    for (i = 0; i < lanes; i++) assert_int_equal(got[i], (uint32_t)((i / 4 + 1) * (i ^ 1)));
    CHECK(run_1(d, "overlapping", (unsigned)lanes, b));
    CHECK(wp_buffer_read(b, 0, got, sizeof got));
    assert_int_equal(got[0], 11 + 100 * 12);
    assert_int_equal(got[1], 10);
    assert_int_equal(got[2], 100 * 10);
    EXPECT(run_1(d, "duplicated", (unsigned)lanes, b), WP_ERROR_MISUSE, "[WP115] wp_shfl_xor_u32: ", at("duplicated_even"), at("duplicated_odd"));
    setenv("WARPPORT_CHECK", "-WP115", 1); /* as on CUDA from sm_70 on */
    CHECK(run_1(d, "duplicated", (unsigned)lanes, b));
    unsetenv("WARPPORT_CHECK");
    CHECK(wp_buffer_read(b, 0, got, sizeof got));
    for (i = 0; i < lanes; i++) assert_int_equal(got[i], (uint32_t)((i ^ 1) + (i % 2 == 0 ? 200 : 100)));
    wp_buffer_destroy(b);
    wp_device_close(d);
  }
}

static void atomic_operations(void **state) {
  wp_device *d = open_lanes(64);
  wp_buffer *u = make(d, 16), *i = make(d, 4), *l = make(d, 8), *f = make(d, 4);
  wp_arg args[] = {wp_arg_buffer(u), wp_arg_buffer(i), wp_arg_buffer(l), wp_arg_buffer(f)};
  uint32_t gu[4];
  int32_t gi;
  uint64_t gl;
  float gf;
  enum { BLOCKS = 40, THREADS = 96, ALL = BLOCKS * THREADS };
  (void)state;
  CHECK(launch(d, "atomics", dim(BLOCKS, 1, 1), dim(THREADS, 1, 1), args, 4));
  CHECK(wp_buffer_read(u, 0, gu, 16));
  CHECK(wp_buffer_read(i, 0, &gi, 4));
  CHECK(wp_buffer_read(l, 0, &gl, 8));
  CHECK(wp_buffer_read(f, 0, &gf, 4));
  assert_int_equal(gu[0], 3 * ALL);
  assert_int_equal(gu[1], ALL - 1);
  assert_int_equal(gu[2], 0); /* every bit toggled 3 * 40 times */
  assert_int_equal(gu[3], ALL);
  assert_int_equal(gi, 1 - ALL);
  assert_true(gl == (uint64_t)ALL << 33);
  assert_true(gf == 0.5f * (float)ALL);
  wp_buffer_destroy(u);
  wp_buffer_destroy(i);
  wp_buffer_destroy(l);
  wp_buffer_destroy(f);
  wp_device_close(d);
}

static void waiting_through_memory(void **state) {
  static const unsigned sizes[] = {3, 32, 33, 200};
  size_t i;
  unsigned t;
  (void)state;
  for (i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    wp_device *d = open_lanes(32);
    wp_buffer *flag = make(d, 8), *out = make(d, 256 * sizeof(uint32_t));
    uint32_t got[256];
    wp_arg args[] = {wp_arg_buffer(flag), wp_arg_buffer(out)};
    CHECK(launch(d, "spin", dim(1, 1, 1), dim(sizes[i], 1, 1), args, 2));
    CHECK(wp_buffer_read(out, 0, got, sizeof got));
    for (t = 0; t < sizes[i]; t++) assert_true(got[t] <= 2);
    assert_int_equal(got[0], 2);
    wp_buffer_destroy(flag);
    wp_buffer_destroy(out);
    wp_device_close(d);
  }
}

/* Blocks on several OS threads give what one thread gives. */
static void many_blocks(void **state) {
  static const char *const threads[] = {"1", "2", "7"};
  size_t i;
  (void)state;
  for (i = 0; i < 3; i++) {
    wp_device *d = open_lanes(16);
    wp_buffer *out = make(d, 3000 * sizeof(uint32_t));
    uint32_t *got = malloc(3000 * sizeof *got);
    wp_arg args[] = {wp_arg_buffer(out)};
    int block;
    assert_non_null(got);
    setenv("WARPPORT_HOST_THREADS", threads[i], 1);
    CHECK(launch(d, "early_return", dim(3000, 1, 1), dim(40, 1, 1), args, 1));
    unsetenv("WARPPORT_HOST_THREADS");
    CHECK(wp_buffer_read(out, 0, got, 3000 * sizeof *got));
    for (block = 0; block < 3000; block++) assert_int_equal(got[block], 20 * 19);
    free(got);
    wp_buffer_destroy(out);
    wp_device_close(d);
  }
}

/* Two threads, each with its own device, at once. */
static void *launcher(void *user) {
  wp_device *d = NULL;
  wp_buffer *b = NULL;
  int i;
  uint32_t got[4];
  wp_arg arg;
  if (wp_device_open("cpu:8", &d) != WP_OK || wp_buffer_create(d, 64, &b) != WP_OK) return NULL;
  arg = wp_arg_buffer(b);
  for (i = 0; i < 50; i++) {
    if (launch(d, "early_return", dim(4, 1, 1), dim(20, 1, 1), &arg, 1) != WP_OK || wp_buffer_read(b, 0, got, 16) != WP_OK ||
        got[3] != 90)
      break;
    if (launch(d, "returned", dim(1, 1, 1), dim(8, 1, 1), &arg, 1) != WP_ERROR_MISUSE || strstr(wp_last_error(), "WP105") == NULL)
      break;
  }
  *(bool *)user = i == 50;
  wp_buffer_destroy(b);
  wp_device_close(d);
  return NULL;
}
static void two_at_once(void **state) {
  pthread_t thread[2];
  bool fine[2] = {false, false};
  (void)state;
  assert_int_equal(pthread_create(&thread[0], NULL, launcher, &fine[0]), 0);
  assert_int_equal(pthread_create(&thread[1], NULL, launcher, &fine[1]), 0);
  pthread_join(thread[0], NULL);
  pthread_join(thread[1], NULL);
  assert_true(fine[0] && fine[1]);
}

/* ---- misuse, at 32 and 64 lanes ---- */

static void misuse(void **state) {
  int lanes;
  (void)state;
  for (lanes = 32; lanes <= 64; lanes *= 2) {
    bool wide = lanes == 64;
    unsigned n = (unsigned)lanes;
    wp_device *d = open_lanes(lanes);
    wp_buffer *b = make(d, 1024 * sizeof(uint32_t));
    wp_arg args[2] = {wp_arg_buffer(b), wp_arg_i32(0)};

    EXPECT(run_1(d, "outside_mask", n, b), WP_ERROR_MISUSE, "error: [WP101] wp_ballot: ", at("outside_mask"),
           wide ? "lanes 4-63 " : "lanes 4-31 ", wide ? "0x000000000000000f" : "0x0000000f",
           "kernel 'outside_mask', block (0,0,0), warp 0");
    EXPECT(run_1(d, "empty_mask", n, b), WP_ERROR_MISUSE, "[WP102] wp_shfl_u32: ", at("empty_mask"),
           wide ? "lanes 2-63 " : "lanes 2-31 ", "empty");
    EXPECT(run_1(d, "beyond_block", n + 13, b), WP_ERROR_MISUSE, "[WP104] wp_sync: lanes 0-12 ", at("beyond_block"),
           wide ? "names lanes 13-63" : "names lanes 13-31", wide ? "a block of 77 threads" : "a block of 45 threads",
           "warp 1 of threads");
    args[1] = wp_arg_u64(wide ? 0x3f : 0x1000000003fu);
    if (!wide)
      EXPECT(launch(d, "beyond_warp", dim(1, 1, 1), dim(6, 1, 1), args, 2), WP_ERROR_MISUSE, "[WP103] wp_any: lanes 0-5 ",
             at("beyond_warp"), "names lane 40", "the warp has lanes 0-31");
    else
      CHECK(launch(d, "beyond_warp", dim(1, 1, 1), dim(6, 1, 1), args, 2));
    EXPECT(run_1(d, "returned", n, b), WP_ERROR_MISUSE, "[WP105] wp_all: lanes 0-4,6-29 wait for ", at("returned"),
           wide ? "lanes 5,30-63 returned" : "lanes 5,30-31 returned");
    EXPECT(run_1(d, "other_call", n, b), WP_ERROR_MISUSE, "[WP115] wp_shfl_u32: lanes 0-15,20 wait for ", at("other_call_a"), at("other_call_b"),
           wide ? "note: lanes 16-19,21-63 at wp_shfl_u32" : "note: lanes 16-19,21-31 at wp_shfl_u32");
    EXPECT(run_1(d, "other_op", n, b), WP_ERROR_MISUSE, "[WP106] wp_ballot: lane 0 waits for ", at("other_op_a"), at("other_op_b"),
           wide ? "note: lanes 1-63 at wp_sync" : "note: lanes 1-31 at wp_sync");
    EXPECT(run_1(d, "other_mask", n, b), WP_ERROR_MISUSE, "[WP107] wp_reduce_add_u32: lanes 0-7 wait for ", at("other_mask"),
           wide ? "note: lanes 8-63 at" : "note: lanes 8-31 at", wide ? "0xfffffffffffffffe" : "0xfffffffe");
    EXPECT(run_1(d, "other_width", n, b), WP_ERROR_MISUSE, "[WP108] wp_shfl_u32: lanes 0-8,10-", at("other_width"),
           "note: lane 9 at", "width 4");
    EXPECT(run_1(d, "at_barrier", 2 * n, b), WP_ERROR_MISUSE, "[WP109] wp_sync: lanes 0-2 wait for ", at("at_barrier_a"),
           at("at_barrier_b"), wide ? "note: lanes 3-63 at WP_BARRIER" : "note: lanes 3-31 at WP_BARRIER");
    EXPECT(run_1(d, "other_barrier", n + 3, b), WP_ERROR_MISUSE, "[WP110] WP_BARRIER: ", at("other_barrier_a"),
           at("other_barrier_b"), "warp 1:");
    EXPECT(run_1(d, "circle", 3, b), WP_ERROR_MISUSE, "[WP111] wp_sync: lane 0 waits for lane 1 ", at("circle_0"), at("circle_1"),
           at("circle_2"));
    args[1] = wp_arg_i32(12);
    EXPECT(launch(d, "bad_width", dim(1, 1, 1), dim(n, 1, 1), args, 2), WP_ERROR_MISUSE, "[WP112] wp_shfl_down_u32: lanes 12-",
           at("bad_width"), "width 12", wide ? "from 1 to 64" : "from 1 to 32");
    args[1] = wp_arg_i32(0);
    EXPECT(launch(d, "bad_width", dim(1, 1, 1), dim(n, 1, 1), args, 2), WP_ERROR_MISUSE, "[WP112]", "width 0");
    args[1] = wp_arg_i32(2 * lanes);
    EXPECT(launch(d, "bad_width", dim(1, 1, 1), dim(n, 1, 1), args, 2), WP_ERROR_MISUSE, "[WP112]",
           wide ? "width 128" : "width 64");
    args[1] = wp_arg_i32(8);
    EXPECT(launch(d, "xor_range", dim(1, 1, 1), dim(n, 1, 1), args, 2), WP_ERROR_MISUSE,
           "[WP113] wp_shfl_xor_u32: ", at("xor_range"), "lane mask 8; with width 8");
    args[1] = wp_arg_i32(-1);
    EXPECT(launch(d, "xor_range", dim(1, 1, 1), dim(n, 1, 1), args, 2), WP_ERROR_MISUSE, "[WP113]", "lane mask -1");
    args[1] = wp_arg_i32(7);
    CHECK(launch(d, "xor_range", dim(1, 1, 1), dim(n, 1, 1), args, 2));
    /* Lane 6 reads 7, which is there; the last even lane keeps its own. */
    EXPECT(run_1(d, "source", n, b), WP_ERROR_MISUSE, "[WP114] wp_shfl_down_u32: lanes 0,2,4,8,10,", at("source"),
           at("source_through"), at("source_kernel"), "kernel 'source'", "(lane 0 passed 1, width ");
    wp_buffer_destroy(b);
    wp_device_close(d);
  }
}

/* The report is that of the first failing block, and after it the device works as before. */
static void first_block(void **state) {
  wp_device *d = open_lanes(32);
  wp_buffer *b = make(d, 400 * 32 * sizeof(uint32_t));
  int i;
  (void)state;
  setenv("WARPPORT_HOST_THREADS", "4", 1);
  for (i = 0; i < 20; i++) {
    uint32_t got[32];
    wp_arg args[] = {wp_arg_buffer(b), wp_arg_i32(17 * i)};
    char block[64];
    snprintf(block, sizeof block, "block (%d,0,0)", 17 * i);
    EXPECT(launch(d, "late_block", dim(400, 1, 1), dim(32, 1, 1), args, 2), WP_ERROR_MISUSE, "[WP105]", block, at("late_block"),
           "lane 1 returned");
    args[1] = wp_arg_i32(400);
    CHECK(launch(d, "late_block", dim(400, 1, 1), dim(32, 1, 1), args, 2));
    CHECK(wp_buffer_read(b, 399 * 32 * sizeof(uint32_t), got, sizeof got));
    assert_int_equal(got[31], 1);
  }
  unsetenv("WARPPORT_HOST_THREADS");
  wp_buffer_destroy(b);
  wp_device_close(d);
}

/* ---- faults ---- */

static void stack_overflow(void **state) {
  wp_device *d = open_lanes(32);
  wp_buffer *b = make(d, 64 * sizeof(uint32_t));
  wp_arg args[] = {wp_arg_buffer(b), wp_arg_i32(20), wp_arg_i32(40)};
  (void)state;
  CHECK(launch(d, "deep", dim(1, 1, 1), dim(64, 1, 1), args, 3));
  args[1] = wp_arg_i32(100000);
  EXPECT(launch(d, "deep", dim(1, 1, 1), dim(64, 1, 1), args, 3), WP_ERROR_LAUNCH, "[WP190] lane 8: stack overflow",
         "launch_kernels.c:", "WARPPORT_HOST_STACK", "kernel 'deep', block (0,0,0), warp 1", "thread (40,0,0)");
  args[1] = wp_arg_i32(1500);
  EXPECT(launch(d, "deep", dim(1, 1, 1), dim(64, 1, 1), args, 3), WP_ERROR_LAUNCH, "[WP190]");
  setenv("WARPPORT_HOST_STACK", "16M", 1);
  CHECK(launch(d, "deep", dim(1, 1, 1), dim(64, 1, 1), args, 3));
  unsetenv("WARPPORT_HOST_STACK");
  wp_buffer_destroy(b);
  wp_device_close(d);
}

static void faults(void **state) {
  wp_device *d = open_lanes(32);
  wp_buffer *b = make(d, 128 * sizeof(uint32_t));
  wp_arg args[] = {wp_arg_buffer(b), wp_arg_i32(0)};
  uint32_t got[4];
  (void)state;
  if (RUNNING_ON_VALGRIND) {
    print_message("SKIPPED: an invalid access on purpose, which valgrind would report as an error\n");
  } else {
    args[1] = wp_arg_u64(64);
    EXPECT(launch(d, "wild_pointer", dim(1, 1, 1), dim(32, 1, 1), args, 2), WP_ERROR_LAUNCH, "[WP191] lane 3: invalid access",
           at("wild_pointer"), "kernel 'wild_pointer'");
  }
#ifdef DIVISION_FAULTS
  args[1] = wp_arg_i32(0);
  EXPECT(launch(d, "divide", dim(1, 1, 1), dim(32, 1, 1), args, 2), WP_ERROR_LAUNCH, "[WP191] lane 2: arithmetic fault",
         at("divide"));
#else
  print_message("SKIPPED: a division by zero, which is no fault here\n");
#endif
  args[1] = wp_arg_i32(1);
  CHECK(launch(d, "divide", dim(1, 1, 1), dim(32, 1, 1), args, 2));
  CHECK(wp_buffer_read(b, 0, got, sizeof got));
  assert_int_equal(got[2], 7);
  wp_buffer_destroy(b);
  wp_device_close(d);
}

static void no_progress(void **state) {
  wp_device *d = open_lanes(32);
  wp_buffer *b = make(d, 128 * sizeof(uint32_t));
  (void)state;
  setenv("WARPPORT_HOST_TIMEOUT", "0.5", 1);
#ifdef __SANITIZE_THREAD__
  print_message("SKIPPED: an endless loop without calls: ThreadSanitizer holds signals back until the next call\n");
#else
  EXPECT(run_1(d, "endless", 32, b), WP_ERROR_LAUNCH, "[WP192] lane 4: no progress", at("endless"), "kernel 'endless'");
#endif
  CHECK(wp_buffer_fill(b, 0));
  EXPECT(run_1(d, "spin_forever", 32, b), WP_ERROR_LAUNCH, "[WP192] no progress", at("spin_forever"), at("spin_forever_sync"),
         "lanes 0-1,3-31 at wp_sync");
  unsetenv("WARPPORT_HOST_TIMEOUT");
  CHECK(run_1(d, "tiles", 32, b));
  wp_buffer_destroy(b);
  wp_device_close(d);
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(devices),        cmocka_unit_test(list),         cmocka_unit_test(buffers),
      cmocka_unit_test(images),         cmocka_unit_test(launches),     cmocka_unit_test(errors_per_thread),
      cmocka_unit_test(shapes),         cmocka_unit_test(all_types),    cmocka_unit_test(cxx),
      cmocka_unit_test(early_returns),  cmocka_unit_test(shared_memory), cmocka_unit_test(groups),
      cmocka_unit_test(atomic_operations), cmocka_unit_test(waiting_through_memory), cmocka_unit_test(many_blocks),
      cmocka_unit_test(two_at_once),    cmocka_unit_test(misuse),       cmocka_unit_test(first_block),
      cmocka_unit_test(stack_overflow), cmocka_unit_test(faults),       cmocka_unit_test(no_progress),
  };
  setenv("WARPPORT_QUIET", "1", 1); /* the reports are wanted here */
  return cmocka_run_group_tests_name("launch", tests, NULL, NULL);
}
