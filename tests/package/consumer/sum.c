/* Each warp adds up its lanes' numbers; SUM_NAME lets one program hold several builds of this file. */
#include <warpport/warpport.h>

#ifndef SUM_NAME
#define SUM_NAME sum
#endif

WP_KERNEL(SUM_NAME, WP_GLOBAL const int *in, WP_GLOBAL int *out, int n) {
  int i = (int)wp_global_rank();
  int v = i < n ? in[i] : 0;
  int total = wp_reduce_add(wp_mask_present(), v);
  if (i < n) out[i] = total;
}
