#include <warpport/warpport.h>
#include <warpport/launch.h>

WP_KERNEL(in_unit_b, WP_GLOBAL int *out) { out[0] = (int)wp_reduce_add_f32(wp_mask_all(), 1.0f); }
