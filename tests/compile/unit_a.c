/* Two translation units in one program, with a kernel each, unit_b.c the other: no symbol may be defined twice. */
#include <warpport/warpport.h>
#include <warpport/launch.h>

WP_KERNEL(in_unit_a, WP_GLOBAL int *out) { out[0] = wp_shfl_i32(wp_mask_all(), wp_lane(), 0, wp_warp_size()); }

int main(void) {
  wp_device *dev;
  wp_kernel *a, *b;
  if (wp_device_open("cpu:32", &dev) != WP_OK) return 1;
  if (wp_kernel_find(dev, "in_unit_a", &a) != WP_OK || wp_kernel_find(dev, "in_unit_b", &b) != WP_OK) return 2;
  wp_device_close(dev);
  return 0;
}
