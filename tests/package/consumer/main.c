/* Usage: consumer KERNEL WARP_SIZE|0 [PREFIX]: runs the kernel on each device whose name begins with PREFIX and checks the warps' sums.
 * WARP_SIZE: the logical warp the kernel was built with, 0 for the device's own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <warpport/launch.h>

enum { N = 1000, BLOCK = 96 };

static int failures, devices;
static const char *kernel_name, *prefix;
static int logical_warp;

static int check(wp_status status, const char *what) {
  if (status == WP_OK) return 1;
  printf("%s: %s: %s\n", what, wp_status_name(status), wp_last_error());
  failures++;
  return 0;
}

static void run(wp_device *dev) {
  int in[N], out[N];
  for (int i = 0; i < N; i++) in[i] = i * 7 % 31;
  memset(out, 0, sizeof out);
  wp_buffer *a = NULL, *b = NULL;
  wp_kernel *k = NULL;
  wp_launch_config config = {.grid = {(N + BLOCK - 1) / BLOCK, 1, 1}, .block = {BLOCK, 1, 1}};
  if (check(wp_buffer_create(dev, sizeof in, &a), "wp_buffer_create") && check(wp_buffer_create(dev, sizeof out, &b), "wp_buffer_create") &&
      check(wp_buffer_write(a, 0, in, sizeof in), "wp_buffer_write") && check(wp_kernel_find(dev, kernel_name, &k), "wp_kernel_find")) {
    wp_arg args[] = {wp_arg_buffer(a), wp_arg_buffer(b), wp_arg_i32(N)};
    if (check(wp_launch(k, &config, args, 3), "wp_launch") && check(wp_buffer_read(b, 0, out, sizeof out), "wp_buffer_read")) {
      int warp = logical_warp ? logical_warp : wp_device_warp_size(dev), wrong = 0;
      for (int i = 0; i < N; i++) {
        int first = i / BLOCK * BLOCK + i % BLOCK / warp * warp, end = i / BLOCK * BLOCK + BLOCK, total = 0;
        for (int j = first; j < first + warp && j < end && j < N; j++) total += in[j];
        wrong += total != out[i];
      }
      printf("%s on %s, warps of %d: %d wrong\n", kernel_name, wp_device_name(dev), warp, wrong);
      failures += wrong != 0;
    }
  }
  wp_buffer_destroy(a);
  wp_buffer_destroy(b);
}

static int visit(const char *name, const char *description, void *user) {
  (void)user;
  if (!name) {
    printf("not here: %s\n", description);
    return 0;
  }
  if (strncmp(name, prefix, strlen(prefix)) != 0) return 0;
  wp_device *dev;
  if (!check(wp_device_open(name, &dev), name)) return 0;
  devices++;
  run(dev);
  wp_device_close(dev);
  return 0;
}

int main(int argc, char **argv) {
  kernel_name = argc > 1 ? argv[1] : "sum";
  logical_warp = argc > 2 ? atoi(argv[2]) : 0;
  prefix = argc > 3 ? argv[3] : "";
  check(wp_device_list(visit, NULL), "wp_device_list");
  printf("%d devices, %d failures\n", devices, failures);
  return failures != 0 || devices == 0;
}
