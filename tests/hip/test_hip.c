/* The HIP backend of launch.h: names, errors, reading code objects, and on a device (an AMD GPU, or the stand-in with its emulator)
 * launches, shared memory, and failures. Without a device only what needs none is tested, and it says so. */
#define _GNU_SOURCE
#include <warpport/launch.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backend.h"
#include "code_object.h"

static bool have_device;

static void expect_text(const char *part) {
  if (strstr(wp_last_error(), part) == NULL) fail_msg("'%s' is not in: %s", part, wp_last_error());
}

/* ---- without a device ---- */

static void bad_names(void **state) {
  static const char *const bad[] = {"hip:", "hip:x", "hip:-1", "hip:0x", "hip:99999999999"};
  wp_device *d = NULL;
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    if (wp_device_open(bad[i], &d) != WP_ERROR_INVALID_ARGUMENT) fail_msg("%s: %s", bad[i], wp_last_error());
    expect_text("the number of a device");
    assert_null(d);
  }
  assert_int_equal(wp_device_open("hip:4096", &d), WP_ERROR_NO_DEVICE);
  assert_null(d);
}

static int note(const char *name, const char *description, void *user) {
  int *seen = user;
  if (name && strncmp(name, "hip:", 4) == 0) seen[0]++;
  if (!name && strncmp(description, "hip: ", 5) == 0) seen[1]++;
  return 0;
}

/* A backend that cannot be used says so, once; else its devices are listed. */
static void listed(void **state) {
  int seen[2] = {0, 0};
  (void)state;
  assert_int_equal(wp_device_list(note, seen), WP_OK);
  assert_int_equal(seen[0] > 0, have_device);
  assert_int_equal(seen[1], !have_device);
}

static void says_why(void **state) {
  const char *library = getenv("WARPPORT_HIP_LIBRARY");
  wp_device *d = NULL;
  (void)state;
  if (have_device) skip();
  assert_int_equal(wp_device_open("hip", &d), WP_ERROR_NO_DEVICE);
  if (library && strstr(library, "nonexistent")) {
    expect_text("no HIP runtime here: ");
    expect_text(library);
  } else if (library && strstr(library, "libm")) {
    expect_text("the HIP runtime is too old: its library has no hipInit");
  } else {
    expect_text("hip: ");
  }
}

static const wp__image *hip_image(void) {
  const wp__image *i = wp__first_image();
  while (i && i->kind != WP_IMAGE_HIP) i = i->next;
  return i;
}

/* The bundle that the build laid out has a code object for each chip, and each tells the kernels' parameters. */
static void code_objects(void **state) {
  const wp__image *image = hip_image();
  code_object o;
  code_object_kernel k;
  int count = 0;
  (void)state;
  if (!image) skip();
  for (; code_object_get(image->data, image->bytes, count, &o); count++) {
    assert_int_equal(strncmp(o.target, "gfx", 3), 0);
    assert_true(code_object_find(&o, "hip_scale", &k));
    assert_int_equal(k.arg_count, 3);
    assert_true(k.args[0].pointer);
    assert_int_equal(k.args[0].bytes, 8);
    assert_false(k.args[1].pointer);
    assert_int_equal(k.args[1].bytes, 4);
    assert_int_equal(k.args[2].offset, 12);
    assert_true(k.wave == (strncmp(o.target, "gfx9", 4) == 0 ? 64u : 32u));
    assert_int_equal(k.max_threads, 1024);
    assert_false(code_object_find(&o, "hip_scal", &k));
    assert_false(code_object_find(&o, "hip_scale.kd", &k));
  }
  assert_true(count > 0);
}

/* Cut off or overwritten anywhere, nothing outside of the image is read (run this under the address sanitizer). */
static void damaged(void **state) {
  const wp__image *image = hip_image();
  code_object o;
  code_object_kernel k;
  (void)state;
  if (!image) skip();
  unsigned seed = 1;
  for (size_t round = 0; round < 400; round++) {
    size_t bytes = round < 200 ? round * 7 : image->bytes * (round - 199) / 201;
    unsigned char *copy = malloc(bytes + 1);
    assert_non_null(copy);
    memcpy(copy, image->data, bytes);
    for (int hits = 0; hits < (int)(round % 5) * 8 && bytes > 0; hits++) {
      seed = seed * 1664525u + 1013904223u;
      copy[(seed >> 8) % (bytes < 8192 ? bytes : 8192)] = (unsigned char)(seed >> 3);
    }
    unsigned char *exact = malloc(bytes ? bytes : 1); /* so that a read behind the end is one behind an allocation */
    assert_non_null(exact);
    memcpy(exact, copy, bytes);
    for (int i = 0; i < 8 && code_object_get(exact, bytes, i, &o); i++) (void)code_object_find(&o, "hip_scale", &k);
    free(exact);
    free(copy);
  }
}

/* ---- on a device ---- */

#define NEED_DEVICE() \
  do { \
    if (!have_device || !hip_image()) skip(); \
  } while (0)

typedef struct fixture { wp_device *d; wp_buffer *in, *out; } fixture;

static fixture begin(void) {
  fixture f;
  assert_int_equal(wp_device_open("hip:0", &f.d), WP_OK);
  assert_int_equal(wp_buffer_create(f.d, 1024, &f.in), WP_OK);
  assert_int_equal(wp_buffer_create(f.d, 1024, &f.out), WP_OK);
  return f;
}
static void end(fixture f) {
  wp_buffer_destroy(f.in);
  wp_buffer_destroy(f.out);
  wp_device_close(f.d);
}

static wp_status run(fixture f, const char *name, unsigned blocks, unsigned threads, const wp_arg *args, int count) {
  wp_kernel *k;
  wp_launch_config c = {{blocks, 1, 1}, {threads, 1, 1}, NULL};
  wp_status status = wp_kernel_find(f.d, name, &k);
  if (status == WP_OK) status = wp_launch(k, &c, args, count);
  return status == WP_OK ? wp_device_synchronize(f.d) : status;
}

static void launches(void **state) {
  float x[200];
  double ms = -1;
  wp_kernel *k;
  (void)state;
  NEED_DEVICE();
  fixture f = begin();
  assert_true(wp_device_warp_size(f.d) == 32 || wp_device_warp_size(f.d) == 64);
  for (int i = 0; i < 200; i++) x[i] = (float)i;
  assert_int_equal(wp_buffer_write(f.in, 0, x, sizeof x), WP_OK);
  wp_arg args[] = {wp_arg_buffer(f.in), wp_arg_f32(2.5f), wp_arg_i32(150)};
  wp_launch_config c = {{4, 1, 1}, {50, 1, 1}, &ms};
  assert_int_equal(wp_kernel_find(f.d, "hip_scale", &k), WP_OK);
  assert_int_equal(wp_launch(k, &c, args, 3), WP_OK);
  assert_true(ms >= 0);
  assert_int_equal(wp_buffer_read(f.in, 0, x, sizeof x), WP_OK);
  for (int i = 0; i < 200; i++) assert_true(x[i] == (float)i * (i < 150 ? 2.5f : 1.0f));
  end(f);
}

static void dynamic_shared(void **state) {
  uint32_t x[192];
  (void)state;
  NEED_DEVICE();
  fixture f = begin();
  for (uint32_t i = 0; i < 192; i++) x[i] = i * 7;
  assert_int_equal(wp_buffer_write(f.in, 0, x, sizeof x), WP_OK);
  wp_arg args[] = {wp_arg_buffer(f.in), wp_arg_shared(sizeof x)};
  assert_int_equal(run(f, "hip_reverse", 1, 192, args, 2), WP_OK);
  assert_int_equal(wp_buffer_read(f.in, 0, x, sizeof x), WP_OK);
  for (uint32_t i = 0; i < 192; i++) assert_int_equal(x[i], (191 - i) * 7);
  args[1] = wp_arg_shared(1 << 20);
  assert_int_equal(run(f, "hip_reverse", 1, 192, args, 2), WP_ERROR_INVALID_ARGUMENT);
  expect_text("dynamic shared memory");
  end(f);
}

/* A lane that is not read may pass what it never set. */
static void unset(void **state) {
  uint32_t x[128];
  (void)state;
  NEED_DEVICE();
  fixture f = begin();
  unsigned W = (unsigned)wp_device_warp_size(f.d);
  for (uint32_t i = 0; i < 2; i++) x[i] = 100 + i;
  assert_int_equal(wp_buffer_write(f.in, 0, x, 8), WP_OK);
  wp_arg args[] = {wp_arg_buffer(f.in), wp_arg_buffer(f.out)};
  assert_int_equal(run(f, "hip_unset", 2, W, args, 2), WP_OK);
  assert_int_equal(wp_buffer_read(f.out, 0, x, 2 * W * sizeof *x), WP_OK);
  for (uint32_t i = 0; i < 2 * W; i++) assert_int_equal(x[i], 300 + 3 * (i / W));
  end(f);
}

static void refused(void **state) {
  wp_kernel *k = NULL;
  wp_buffer *huge = NULL;
  (void)state;
  NEED_DEVICE();
  fixture f = begin();
  wp_arg args[] = {wp_arg_buffer(f.in), wp_arg_f32(1), wp_arg_i32(1), wp_arg_i32(1)};
  assert_int_equal(run(f, "hip_scale", 1, 64, args, 2), WP_ERROR_BAD_ARGUMENTS);
  expect_text("3 parameters");
  assert_int_equal(run(f, "hip_scale", 1, 64, args, 4), WP_ERROR_BAD_ARGUMENTS);
  args[0] = wp_arg_u64(0);
  assert_int_equal(run(f, "hip_scale", 1, 64, args, 3), WP_ERROR_BAD_ARGUMENTS);
  args[0] = wp_arg_buffer(f.in);
  args[1] = wp_arg_f64(1);
  assert_int_equal(run(f, "hip_scale", 1, 64, args, 3), WP_ERROR_BAD_ARGUMENTS);
  expect_text("parameter 2");
  args[1] = wp_arg_f32(1);
  assert_int_equal(run(f, "hip_scale", 1, 4096, args, 3), WP_ERROR_INVALID_ARGUMENT);
  assert_int_equal(wp_kernel_find(f.d, "hip_no_such_kernel", &k), WP_ERROR_NO_KERNEL);
  expect_text("hip_no_such_kernel");
  assert_int_equal(wp_buffer_create(f.d, (size_t)1 << 46, &huge), WP_ERROR_OUT_OF_MEMORY);
  expect_text("bytes of device memory");
  assert_null(huge);
  assert_int_equal(run(f, "hip_scale", 1, 64, args, 3), WP_OK); /* nothing of this spoils the device */
  end(f);
}

/* On a GPU the device is lost after this, so only the stand-in is asked. */
static void wild_pointer(void **state) {
  (void)state;
  NEED_DEVICE();
  fixture f = begin();
  if (strstr(wp_device_description(f.d), "emulator")) {
    wp_arg args[] = {wp_arg_buffer(f.in), wp_arg_i64((int64_t)1 << 42)};
    assert_int_equal(run(f, "hip_wild", 1, 1, args, 2), WP_ERROR_LAUNCH);
    expect_text("hip_wild");
  }
  end(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(bad_names),      cmocka_unit_test(listed),   cmocka_unit_test(says_why), cmocka_unit_test(code_objects),
    cmocka_unit_test(damaged),        cmocka_unit_test(launches), cmocka_unit_test(unset),    cmocka_unit_test(dynamic_shared),
    cmocka_unit_test(refused),        cmocka_unit_test(wild_pointer),
  };
  wp_device *d = NULL;
  have_device = wp_device_open("hip:0", &d) == WP_OK;
  if (have_device) printf("device: %s\n", wp_device_description(d));
  else printf("no device, so the tests that need one are skipped: %s\n", wp_last_error());
  if (!hip_image()) printf("no AMD kernels in this build, so the tests that need them are skipped (WARPPORT_BACKENDS)\n");
  wp_device_close(d);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
