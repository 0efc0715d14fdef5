/* warpport/sync.h: waiting and memory order (spec rows Y1, Y2).
 *
 * Cost: NVIDIA one WARPSYNC; AMD no instruction, only order for the compiler; WP_BARRIER() is the chip's block barrier. */
#ifndef WARPPORT_SYNC_H
#define WARPPORT_SYNC_H

#include "mask.h"

/* Y1: the lanes of mask wait for each other; what they wrote to shared or global memory before is visible to each other after. */
WPB_FN void wp_sync(WP__MASK mask) { wpb_sync(WP__TO wp__phys(mask)); }

/* Y2: the same for all threads of the block that have not returned; all of them must reach it. */
#define WP_BARRIER() WPB_BARRIER()

#endif
