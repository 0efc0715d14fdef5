/* Accesses out of range and undefined shifts, for a build with AddressSanitizer and UBSan; the marks are those of wrong.c and right.c.
 * The program ends at the first one, so each kernel has a process of its own. The buffer has 1024 words. */
#include <warpport/warpport.h>

#define ALL wp_mask_all()
#define OUT out[wp_thread_rank()]
#define KERNEL(name) WP_KERNEL(name, WP_GLOBAL wp_u32 *out, int n)

KERNEL(bounds_shared) {
  WP_SHARED(wp_u32, cell, 16);
  if (wp_lane() < 16) cell[wp_lane()] = 1;
  wp_sync(ALL);
  if (wp_lane() == 7) OUT = cell[wp_lane() + n / 32 * 9]; /* WRONG WP131: lane 7: read of 4 bytes | lane 7: read of 4 bytes */
}
KERNEL(bounds_global) {
  if (wp_lane() == 12) out[1024 + n - n] = 1; /* WRONG WP131: lane 12: write of 4 bytes | lane 12: write of 4 bytes */
}
KERNEL(bounds_private) {
  volatile wp_u32 local[8], *p = local; /* by way of a pointer UBSan does not know how many there are */
  int i;
  for (i = 0; i < 8; i++) local[i] = (wp_u32)i;
  if (wp_lane() == 3) OUT = p[n / 32 + 8 - n / 64]; /* WRONG WP131: lane 3: | lane 3: */
}
KERNEL(bounds_before) { /* the access is the last thing in its function: not a line of the next one */
  if (wp_lane() == 1) out[n - n - 1] = 1; /* WRONG WP131: lane 1: write of 4 bytes | lane 1: write of 4 bytes */
}
KERNEL(bounds_by_warp_size) { /* scratch for 32 lanes */
  WP_SHARED(wp_u32, cell, 32);
  cell[wp_lane()] = (wp_u32)n; /* WRONG WP131 only=64: | lane 32: write of 4 bytes */
  WP_BARRIER();
  OUT = cell[wp_lane() ^ 1];
}
KERNEL(bounds_neighbour) { /* the last lane has no right neighbour */
  WP_SHARED(wp_u32, cell, 128);
  cell[wp_lane() + 128 - n] = 1;
  wp_sync(ALL);
  OUT = cell[wp_lane() + 129 - n]; /* WRONG WP131: lane 31: read of 4 bytes | lane 63: read of 4 bytes */
}
/* RIGHT WP131: the last element */
KERNEL(inside_shared) {
  WP_SHARED(wp_u32, cell, 16);
  if (wp_lane() < 16) cell[15 - wp_lane()] = 1;
  wp_sync(ALL);
  OUT = cell[wp_lane() % 16] + (wp_u32)n;
}
/* RIGHT WP131 */
KERNEL(inside_global) { out[1023] = (wp_u32)wp_shfl(ALL, n, 0) * (wp_lane() == 0); }

KERNEL(shift_by_width) {
  wp_u32 one = 1;
  if (wp_lane() == 5) OUT = one << n; /* WRONG WP132: lane 5: | lane 5: */
}
KERNEL(shift_by_lane) {
  int one = 1;
  OUT = (wp_u32)(one << (wp_lane() + n - 1)); /* WRONG WP132: lane | lane */
}
KERNEL(shift_ones) {
  if (wp_lane() == 1) OUT = ~0u >> (32 - (n - n)); /* WRONG WP132: lane 1: | lane 1: */
}
/* RIGHT WP132 */
KERNEL(shift_not) { OUT = (wp_u32)wp_mask_first(n) + (wp_u32)wp_mask_lane(n) + (wp_u32)wp_mask_first(0); }
/* RIGHT WP132 */
KERNEL(shift_below) { OUT = 1u << (wp_lane() % (n / n * 32)); }
