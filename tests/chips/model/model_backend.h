/* A backend for the model checker: any lane of a warp of any size. Each exchange asserts what the contract promises the chip: the source
 * exists, is in the mask, and so is the caller. */
#ifndef MODEL_BACKEND_H
#define MODEL_BACKEND_H

#include <stdbool.h>
#include "warpport/types.h"

extern int model_lane, model_size, model_threads;
extern wp_u64 model_mask;
extern wp_u32 model_value[64];
int model_nondet_int(void);

#define WPB_FN static inline __attribute__((unused))
#define WPB_MASK_T wp_u64
#define WPB_MASK_BITS 64
#define WPB_MAX_WARP_SIZE 64
#define WPB_GLOBAL
#define WPB_LOCAL
#define WPB_DEVICE static
#define WPB_CONSTANT const

WPB_FN int wpb_warp_size(void) { return model_size; }
WPB_FN int wpb_lane(void) { return model_lane; }
WPB_FN wp_u32 wpb_shfl_u32(wp_u64 mask, wp_u32 v, int src) {
  (void)v;
  __CPROVER_assert(src >= 0 && src < model_size, "the source lane exists");
  __CPROVER_assert((mask >> (src & 63) & 1u) != 0, "the source lane is in the mask");
  __CPROVER_assert((mask >> model_lane & 1u) != 0, "the caller is in the mask");
  return model_value[src & 63];
}
#ifdef MODEL_DERIVED
#define WPB_BALLOT_BY_SHFL 1
#else
WPB_FN wp_u64 wpb_ballot(wp_u64 mask, int p) { return p ? mask : 0; }
#endif
WPB_FN void wpb_sync(wp_u64 mask) { (void)mask; }
#define WPB_ACTIVE_MASK_UNKNOWN 1

WPB_FN int wpb_thread_x(void) { return 0; }
WPB_FN int wpb_thread_y(void) { return 0; }
WPB_FN int wpb_thread_z(void) { return 0; }
WPB_FN int wpb_block_x(void) { return 0; }
WPB_FN int wpb_block_y(void) { return 0; }
WPB_FN int wpb_block_z(void) { return 0; }
WPB_FN int wpb_block_dim_x(void) { return model_threads; }
WPB_FN int wpb_block_dim_y(void) { return 1; }
WPB_FN int wpb_block_dim_z(void) { return 1; }
WPB_FN int wpb_grid_dim_x(void) { return 1; }
WPB_FN int wpb_grid_dim_y(void) { return 1; }
WPB_FN int wpb_grid_dim_z(void) { return 1; }
#define WPB_HAS_WARP_ID 1
WPB_FN int wpb_warp_id(void) { return 0; }

#endif
