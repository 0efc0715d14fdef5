/* warpport: one header for warp-level GPU kernels.
 *
 * A kernel file includes this header and compiles, unchanged, as CUDA C++, HIP, OpenCL C, and as plain C or C++ for a CPU, where an
 * emulator runs real warps and reports every misuse of a collective.
 *
 *     #include <warpport/warpport.h>
 *
 *     WP_KERNEL(row_sum, WP_GLOBAL const float *x, WP_GLOBAL float *sum, int columns) {
 *       int row = wp_block_x();
 *       float v = 0.0f;
 *       for (int c = wp_lane(); c < columns; c += wp_warp_size()) v += x[row * columns + c];
 *       v = wp_reduce_add(wp_mask_all(), v);
 *       if (wp_lane() == 0) sum[row] = v;
 *     }
 *
 * What every call does, corner by corner, is in docs/spec.md; what it costs, in docs/cost_table.md. The rules of the game:
 *   - Lanes come from wp_lane(), never from a thread index modulo 32; the warp size from wp_warp_size(), never from a literal.
 *   - All lanes named in a mask reach the same call, and the caller is one of them. Only name lanes that will come.
 *   - A partial last warp has fewer lanes: use wp_mask_present() or a ballot, not wp_mask_all().
 *   - wp_active_mask() is a hint; it must not decide who takes part.
 *
 * Topics, each a header of its own: kernel (kernel language), lane, mask, shuffle, vote, match, sync, reduce, scan, tile, collect,
 * sort, atomic, half, math. Choices the user has are in config.h. */
#ifndef WARPPORT_WARPPORT_H
#define WARPPORT_WARPPORT_H

#include "config.h"
#include "types.h"
#include "backend.h"
#include "generic.h"
#include "bits.h"
#include "lane.h"
#include "kernel.h"
#include "mask.h"
#include "shuffle.h"
#include "vote.h"
#include "match.h"
#include "sync.h"
#include "half.h"
#include "ops.h"
#include "math.h"
#include "combine.h"
#include "reduce.h"
#include "scan.h"
#include "tile.h"
#include "collect.h"
#include "sort.h"
#include "atomic.h"
#include "vector.h"
#include "emulated.h"

#endif
