/* Kernels of the emulator's benchmark. */
#include <warpport/warpport.h>

WP_KERNEL(bench_xor, WP_GLOBAL wp_u32 *out, int rounds) {
  wp_mask all = wp_mask_present();
  wp_u32 v = (wp_u32)wp_lane();
  int i;
  for (i = 0; i < rounds; i++) v = wp_shfl_xor_u32(all, v + 1u, 1, 2);
  out[wp_global_rank()] = v;
}

/* The same without the checker's note of what is shuffled. */
WP_KERNEL(bench_raw, WP_GLOBAL wp_u32 *out, int rounds) {
  wp_mask all = wp_mask_present();
  wp_u32 v = (wp_u32)wp_lane();
  int i;
  for (i = 0; i < rounds; i++) v = wpb_shfl_u32(all, v + 1u, wp_lane() ^ 1);
  out[wp_global_rank()] = v;
}

WP_KERNEL(bench_ballot, WP_GLOBAL wp_u32 *out, int rounds) {
  wp_mask all = wp_mask_present();
  wp_u32 v = (wp_u32)wp_lane();
  int i;
  for (i = 0; i < rounds; i++) v += (wp_u32)wp_ballot(all, (v & 1u) != 0);
  out[wp_global_rank()] = v;
}

WP_KERNEL(bench_barrier, WP_GLOBAL wp_u32 *out, int rounds) {
  int i;
  for (i = 0; i < rounds; i++) WP_BARRIER();
  out[wp_global_rank()] = 1;
}

/* Eight lanes a tile: four groups under way in a warp of 32. */
WP_KERNEL(bench_tiles, WP_GLOBAL wp_u32 *out, int rounds) {
  wp_mask tile = wp_mask_segment(8);
  wp_u32 v = (wp_u32)wp_lane();
  int i;
  for (i = 0; i < rounds; i++) v = wp_shfl_xor_u32(tile, v + 1u, 1, 8);
  out[wp_global_rank()] = v;
}
