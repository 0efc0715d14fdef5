/* The CUDA backend against a driver that runs nothing (fake_driver.c): what it asks of the driver, what it says when that fails, and
 * that nothing stays behind. Run with LD_LIBRARY_PATH at the fake driver; "--none": with no driver at all. */
#include <warpport/launch.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_driver.h"

static int failures, checks;
static fake_state *fake;

static bool check(bool ok, int line, const char *text) {
  checks++;
  if (!ok) {
    failures++;
    printf("line %d: %s\n  last error: %s\n", line, text, wp_last_error());
  }
  return ok;
}
#define CHECK(condition) check(condition, __LINE__, #condition)
#define FAILS(call, status, words)                                                                                               \
  check((call) == (status) && strstr(wp_last_error(), words) != NULL, __LINE__, #call " with " #status ": " words)

static int count_devices(const char *name, const char *description, void *user) {
  char *text = user;
  if (description && strncmp(description, "cuda", 4) != 0 && !(name && strncmp(name, "cuda", 4) == 0))
    return 0; /* other backends */
  size_t used = strlen(text);
  snprintf(text + used, 1000 - used, "%s = %s\n", name ? name : "none", description);
  return 0;
}

static void devices(void) {
  wp_device *d = NULL;
  char text[1000] = "";
  CHECK(wp_device_list(count_devices, text) == WP_OK);
  CHECK(strstr(text, "cuda:0 = Fake 0, sm_90, driver 12.8\n") != NULL);
  CHECK(strstr(text, "cuda:1 = Fake 1, sm_90, driver 12.8\n") != NULL);
  CHECK(strstr(text, "none = cuda:2: Fake 2, sm_61, driver 12.8: warpport needs sm_70 or later\n") != NULL);
  FAILS(wp_device_open("cuda:2", &d), WP_ERROR_NO_DEVICE, "needs sm_70");
  FAILS(wp_device_open("cuda:3", &d), WP_ERROR_NO_DEVICE, "cuda:3: the driver shows 3 devices");
  FAILS(wp_device_open("cuda:", &d), WP_ERROR_INVALID_ARGUMENT, "number");
  FAILS(wp_device_open("cuda:-1", &d), WP_ERROR_INVALID_ARGUMENT, "number");
  FAILS(wp_device_open("cuda:1x", &d), WP_ERROR_INVALID_ARGUMENT, "number");
  FAILS(wp_device_open("cuda:99999999999999999999", &d), WP_ERROR_INVALID_ARGUMENT, "number");
  fake->fail_retain = 1;
  FAILS(wp_device_open("cuda", &d), WP_ERROR_OUT_OF_MEMORY, "cuDevicePrimaryCtxRetain");
  fake->fail_retain = 0;
  CHECK(d == NULL && fake->contexts == 0);
  if (!CHECK(wp_device_open("cuda:1", &d) == WP_OK)) return;
  CHECK(strcmp(wp_device_name(d), "cuda:1") == 0 && strcmp(wp_device_backend(d), "cuda") == 0);
  CHECK(wp_device_warp_size(d) == 32 && wp_device_max_block_threads(d) == 1024);
  CHECK(strcmp(wp_device_description(d), "Fake 1, sm_90, driver 12.8") == 0);
  wp_device_close(d);
}

static void memory(wp_device *d) {
  wp_buffer *b = NULL, *c = NULL;
  char data[100], back[100];
  FAILS(wp_buffer_create(d, (size_t)5 << 30, &b), WP_ERROR_OUT_OF_MEMORY,
        "asked for 5368709120 bytes of device memory; 1048576 of its 1048576 bytes are free");
  CHECK(b == NULL);
  if (!CHECK(wp_buffer_create(d, 1000000, &b) == WP_OK)) return;
  FAILS(wp_buffer_create(d, 100000, &c), WP_ERROR_OUT_OF_MEMORY, "48576 of its 1048576 bytes are free");
  for (int i = 0; i < 100; i++) data[i] = (char)i;
  CHECK(wp_buffer_fill(b, 0xa5) == WP_OK);
  CHECK(wp_buffer_write(b, 50, data, 100) == WP_OK);
  CHECK(wp_buffer_read(b, 50, back, 100) == WP_OK && memcmp(data, back, 100) == 0);
  CHECK(wp_buffer_read(b, 0, back, 50) == WP_OK && (unsigned char)back[49] == 0xa5);
  CHECK(wp_buffer_read(b, 999999, back, 1) == WP_OK && (unsigned char)back[0] == 0xa5);
  wp_buffer_destroy(b);
  CHECK(fake->buffers == 0);
}

static void kernels(wp_device *d, bool old) {
  wp_kernel *k = NULL, *plain = NULL, *again = NULL, *heavy = NULL, *fat = NULL;
  wp_buffer *b = NULL;
  wp_launch_config one = {{2, 1, 1}, {64, 1, 1}, NULL};
  FAILS(wp_kernel_find(d, "nothing", &k), WP_ERROR_NO_KERNEL, "no kernel 'nothing': this program registered no CUDA image");
  static const char first[] =
      "kernel scale 8 4 4\ntext scale const float *x, wp_u32 wpb_shared_offset_box, int n\nkernel heavy 4\nregisters heavy 128\n";
  static const char second[] = "kernel plain 8 8\nkernel fat 4\nshared fat 60000\ntext fat wp_u32 wpb_shared_offset_more\n";
  CHECK(wp_register_image(WP_IMAGE_CUDA, "first.c", first, sizeof first) == WP_OK);
  CHECK(wp_register_image(WP_IMAGE_CUDA, "second.c", second, sizeof second) == WP_OK);
  CHECK(wp_register_image(WP_IMAGE_OPENCL_SOURCE, "third.cl", "x", 2) == WP_OK);
  if (!CHECK(wp_kernel_find(d, "scale", &k) == WP_OK)) return;
  CHECK(fake->loads == 1); /* the second image was not needed */
  CHECK(wp_kernel_find(d, "scale", &again) == WP_OK && again == k && fake->loads == 1);
  FAILS(wp_kernel_find(d, "nothing", &again), WP_ERROR_NO_KERNEL,
        "none of the 2 CUDA images has a kernel 'nothing' (first.c, second.c)");
  CHECK(wp_kernel_find(d, "plain", &plain) == WP_OK && wp_kernel_find(d, "heavy", &heavy) == WP_OK &&
        wp_kernel_find(d, "fat", &fat) == WP_OK);
  CHECK(fake->loads == 2 && fake->modules == 2);

  if (!CHECK(wp_buffer_create(d, 64, &b) == WP_OK)) return;
  double ms = 0;
  wp_launch_config timed = {{5, 0, 3}, {32, 2, 0}, &ms};
  wp_arg good[3] = {wp_arg_buffer(b), wp_arg_shared(1000), wp_arg_i32(7)};
  CHECK(wp_launch(k, &timed, good, 3) == WP_OK);
  CHECK(ms == 1.5 && fake->launches == 1 && fake->shared == 1008);
  CHECK(fake->grid[0] == 5 && fake->grid[1] == 1 && fake->grid[2] == 3 && fake->block[0] == 32 && fake->block[1] == 2 &&
        fake->block[2] == 1);
  CHECK(fake->params[0][0] != 0 && fake->params[1][0] == 0 && fake->params[2][0] == 7);
  good[1] = wp_arg_shared(70000); /* needs the kernel's consent */
  CHECK(wp_launch(k, &one, good, 3) == WP_OK && fake->shared == 70000);
  good[1] = wp_arg_shared(100001);
  FAILS(wp_launch(k, &one, good, 3), WP_ERROR_INVALID_ARGUMENT, "a block has 100000");
  good[1] = wp_arg_shared((size_t)-1);
  FAILS(wp_launch(k, &one, good, 3), WP_ERROR_INVALID_ARGUMENT, "a block has 100000");
  good[1] = wp_arg_shared(16);
  int before = fake->launches;
  FAILS(wp_launch(k, &one, good, 2), WP_ERROR_BAD_ARGUMENTS, "2 arguments given, it has 3 parameters");
  wp_arg kind[3] = {wp_arg_u64(1), good[1], good[2]};
  FAILS(wp_launch(k, &one, kind, 3), WP_ERROR_BAD_ARGUMENTS, "'const float *x': a value was given, a buffer is expected");
  kind[0] = good[0];
  kind[1] = wp_arg_i32(0);
  FAILS(wp_launch(k, &one, kind, 3), WP_ERROR_BAD_ARGUMENTS, "'box': a value was given");
  kind[1] = good[1];
  kind[2] = wp_arg_i64(7);
  if (!old)
    FAILS(wp_launch(k, &one, kind, 3), WP_ERROR_BAD_ARGUMENTS, "'int n': a value of 8 bytes was given, one of 4 is expected");
  wp_arg pair[2] = {wp_arg_buffer(b), wp_arg_f64(0.5)};
  if (!old) {
    CHECK(wp_launch(plain, &one, pair, 2) == WP_OK && fake->params[1][0] == 0x3fe0000000000000ull);
    FAILS(wp_launch(plain, &one, pair, 1), WP_ERROR_BAD_ARGUMENTS, "1 argument given, it has 2 parameters");
    pair[1] = wp_arg_shared(16);
    FAILS(wp_launch(plain, &one, pair, 2), WP_ERROR_BAD_ARGUMENTS, "shared memory was given, but the parameter has 8 bytes");
    pair[1] = wp_arg_f32(1);
    FAILS(wp_launch(plain, &one, pair, 2), WP_ERROR_BAD_ARGUMENTS, "one of 8 is expected");
    before++;
  }
  one.block.x = 129;
  wp_arg n = wp_arg_i32(1);
  FAILS(wp_launch(heavy, &one, &n, 1), WP_ERROR_INVALID_ARGUMENT,
        "a block of 129x1x1 threads; with its registers it runs with at most 128");
  one.block = (wp_dim3){1024, 2, 1};
  FAILS(wp_launch(k, &one, good, 3), WP_ERROR_INVALID_ARGUMENT, "1024");
  one.block = (wp_dim3){32, 1, 1};
  one.grid = (wp_dim3){1, 65536, 1};
  FAILS(wp_launch(k, &one, good, 3), WP_ERROR_INVALID_ARGUMENT, "65535");
  one.grid = (wp_dim3){1, 1, 1};
  wp_arg more = wp_arg_shared(50000);
  FAILS(wp_launch(fat, &one, &more, 1), WP_ERROR_INVALID_ARGUMENT,
        "50000 bytes of dynamic shared memory asked for and 60000 bytes in the kernel; a block has 100000");
  CHECK(fake->launches == before);
  CHECK(fake->events == 0 && fake->depth == 0);
  wp_buffer_destroy(b);
}

static void faults(void) {
  wp_device *d = NULL;
  wp_kernel *k = NULL;
  wp_buffer *b = NULL;
  static const char bad[] = "kernel crash 4\nfaults crash\n", broken[] = "broken\n";
  wp_launch_config one = {{1, 1, 1}, {32, 1, 1}, NULL};
  wp_arg n = wp_arg_i32(1);
  CHECK(wp_register_image(WP_IMAGE_CUDA, "crash.c", bad, sizeof bad) == WP_OK);
  if (!CHECK(wp_device_open("cuda:0", &d) == WP_OK && wp_kernel_find(d, "crash", &k) == WP_OK &&
             wp_buffer_create(d, 64, &b) == WP_OK))
    return;
  CHECK(wp_register_image(WP_IMAGE_CUDA, "broken.ptx", broken, sizeof broken) == WP_OK);
  CHECK(wp_kernel_find(d, "crash", &k) == WP_OK); /* a broken image hides no kernel of another */
  wp_kernel *none = NULL;
  FAILS(wp_kernel_find(d, "absent", &none), WP_ERROR_BUILD, "the image broken.ptx cannot be loaded");
  FAILS(wp_kernel_find(d, "absent", &none), WP_ERROR_BUILD, "line 1: syntax error");
  CHECK(wp_launch(k, &one, &n, 1) == WP_OK); /* a launch is asynchronous */
  FAILS(wp_device_synchronize(d), WP_ERROR_LAUNCH, "CUDA_ERROR_ILLEGAL_ADDRESS");
  FAILS(wp_buffer_fill(b, 1), WP_ERROR_LAUNCH, "this process cannot use CUDA any more");
  double ms = -1;
  one.elapsed_ms = &ms;
  FAILS(wp_launch(k, &one, &n, 1), WP_ERROR_LAUNCH, "CUDA_ERROR_ILLEGAL_ADDRESS");
  CHECK(ms == -1 && fake->events == 0);
  wp_buffer_destroy(b);
  wp_device_close(d);
  CHECK(fake->contexts == 0 && fake->buffers == 0 && fake->modules == 0);
  FAILS(wp_device_open("cuda:0", &d), WP_ERROR_NO_DEVICE, "this process cannot use CUDA any more");
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--none") == 0) {
    wp_device *d = NULL;
    char text[1000] = "";
    if (dlopen("libcuda.so.1", RTLD_NOW)) {
      printf("SKIPPED: this machine has an NVIDIA driver\n");
      return 77;
    }
    CHECK(wp_device_list(count_devices, text) == WP_OK && strstr(text, "none = cuda: no NVIDIA driver here: ") != NULL);
    FAILS(wp_device_open("cuda", &d), WP_ERROR_NO_DEVICE, "libcuda.so.1");
    CHECK(d == NULL);
  } else {
    bool old = argc > 1 && strcmp(argv[1], "--old") == 0;
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    fake = library ? dlsym(library, "fake") : NULL;
    if (!fake) {
      printf("libcuda.so.1 is not the fake driver: %s\n", library ? "it has no 'fake'" : dlerror());
      return 1;
    }
    wp_device *d = NULL;
    devices();
    if (CHECK(wp_device_open("cuda", &d) == WP_OK)) {
      memory(d);
      kernels(d, old);
      wp_device_close(d);
    }
    CHECK(fake->contexts == 0 && fake->depth == 0 && fake->buffers == 0 && fake->modules == 0 && fake->events == 0);
    faults();
    CHECK(fake->contexts == 0 && fake->depth == 0 && fake->buffers == 0 && fake->modules == 0 && fake->events == 0);
  }
  printf("%d checks, %d failed\n", checks, failures);
  return failures ? 1 : 0;
}
