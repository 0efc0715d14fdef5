/* Kernels for test_reports.c, which looks for the marks. */
#include <warpport/warpport.h>

#define KERNEL(name) WP_KERNEL(name, WP_GLOBAL wp_u32 *out, int n)

/* The call in question is the user's, not that of the helper below it, and not the library's. */
static __attribute__((noinline)) wp_u32 inner(wp_u32 v) {
  return wp_reduce_add(wp_mask_all(), v); /* @inner */
}
static inline __attribute__((always_inline)) wp_u32 middle(wp_u32 v) {
  return inner(v + 1) + 1; /* @middle */
}
KERNEL(helpers) {
  if (wp_lane() < 3) out[wp_lane()] = middle((wp_u32)n); /* @helpers */
  wp_sync(wp_mask_all()); /* @others */
}

/* Functions of the library, called by pointers: their calls have no line of the user's, but the caller has. */
KERNEL(by_pointer) {
  wp_u32 (*volatile f)(wp_mask, wp_u32) = wp_lane() % 2 == 0 ? wp_reduce_add_u32 : wp_reduce_max_u32;
  out[wp_lane()] = f(wp_mask_all(), (wp_u32)n); /* @by_pointer */
}

/* Two that go on (with WARPPORT_CHECK=all), then one that cannot. */
KERNEL(three) {
  wp_u32 v = wp_shfl_xor(wp_mask_all(), (wp_u32)n, 8, 8); /* @first */
  if (wp_lane() < 8) v += wp_shfl_down(wp_mask_first(8), v, 1); /* @second */
  if (wp_lane() == 0) v += wp_reduce_add(wp_mask_all(), v); /* @third */
  out[wp_lane()] = v;
}

/* Wrong in one block of four. */
KERNEL(third_block) {
  if (wp_block_x() != 2 || wp_lane() > 0) out[wp_global_rank()] = (wp_u32)n;
  else wp_sync(wp_mask_all()); /* @third_block */
}

KERNEL(fine) { out[wp_lane()] = wp_reduce_add(wp_mask_all(), (wp_u32)n); }

/* The sum over whoever happens to be there, which is wrong in some orders only: then the lanes have different masks. */
KERNEL(by_order) {
  wp_mask m = wp_active_mask();
  if (wp_mask_count(m) < n && wp_lane() == wp_mask_lowest(m)) wp_sync(m); /* @by_order */
  out[wp_lane()] = 1;
}

KERNEL(outside) {
  wp_u32 v = wp_shfl(wp_mask_lane(wp_lane()), (wp_u32)n, wp_lane() ^ 1); /* @outside */
  out[wp_lane()] = v;
}
