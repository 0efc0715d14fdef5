/* sweep_program KERNEL [BLOCKS [clock]]: a plain program, as users have them; it checks nothing itself. With "clock" its data differ in
 * each run. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <warpport/launch.h>

int main(int argc, char **argv) {
  wp_device *d = NULL;
  wp_buffer *in = NULL, *out = NULL;
  wp_kernel *k = NULL;
  uint32_t data[128], sum;
  wp_launch_config config = {{1, 1, 1}, {64, 1, 1}, NULL};
  int i;
  for (i = 0; i < 128; i++) data[i] = (uint32_t)(i * i + 7);
  if (argc > 2) config.grid.x = (unsigned)atoi(argv[2]);
  if (argc > 3) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    data[5] = (uint32_t)t.tv_nsec;
  }
  if (argc < 2 || wp_device_open("cpu", &d) != WP_OK || wp_buffer_create(d, sizeof data, &in) != WP_OK ||
      wp_buffer_create(d, sizeof data, &out) != WP_OK || wp_buffer_write(in, 0, data, sizeof data) != WP_OK ||
      wp_kernel_find(d, argv[1], &k) != WP_OK) {
    fprintf(stderr, "sweep_program: %s\n", argc < 2 ? "no kernel given" : wp_last_error());
    return 1;
  }
  {
    wp_arg args[] = {wp_arg_buffer(out), wp_arg_buffer(in)};
    static const uint32_t zero[2];
    if (wp_buffer_write(out, 0, zero, sizeof zero[0]) != WP_OK || wp_buffer_write(out, 256, zero, sizeof zero) != WP_OK ||
        wp_launch(k, &config, args, 2) != WP_OK ||
        wp_buffer_read(out, 0, data, 64 * sizeof data[0]) != WP_OK)
      return 1;
    for (i = 0, sum = 0; i < 64; i++) sum = sum * 31 + data[i];
    printf("%08x\n", sum);
  }
  wp_buffer_destroy(in);
  wp_buffer_destroy(out);
  wp_device_close(d);
  return 0;
}
