/* warpport/kernel.h: the kernel language (spec rows Q1-Q5); thread and block indices are in lane.h.
 *
 *     WP_KERNEL(scale, WP_GLOBAL float *x, float factor, int n) {
 *       wp_i64 i = wp_global_rank();
 *       if (i < n) x[i] *= factor;
 *     }
 */
#ifndef WARPPORT_KERNEL_H
#define WARPPORT_KERNEL_H

#include "lane.h"

/* Q1: WP_KERNEL(name, parameters...) { body }. At least one parameter: scalars, WP_GLOBAL pointers, WP_SHARED_PARAM. */
#define WP_KERNEL(name, ...) WPB_KERNEL(name, __VA_ARGS__)
/* Q2: before a function that kernels call. */
#define WP_DEVICE WPB_DEVICE
/* Q3: where a pointer points; WP_LOCAL is shared memory of the block. */
#define WP_GLOBAL WPB_GLOBAL
#define WP_LOCAL WPB_LOCAL
#define WP_CONSTANT WPB_CONSTANT
#define WP_RESTRICT WPB_RESTRICT
/* Q4: an array of n (n by m) elements in shared memory; at the top level of a kernel's body. Contents undefined at first. */
#define WP_SHARED(T, name, n) WPB_SHARED(T, name, n)
#define WP_SHARED_2D(T, name, n, m) WPB_SHARED_2D(T, name, n, m)
/* Q5: shared memory sized at launch by wp_arg_shared(bytes): a parameter, and the declaration that names it in the body. */
#define WP_SHARED_PARAM(T, name) WPB_SHARED_PARAM(T, name)
#define WP_SHARED_BIND(T, name) WPB_SHARED_BIND(T, name)


/* Q9: devices without sub-groups, where warps are emulated through local memory; all of this is nothing elsewhere.
 * WP_UNIFORM_FLOW is 1 where every thread of the block must reach every collective (one that takes no part passes an empty mask and
 * gets an unspecified value), else 0. WP_WARP_STORAGE; declares the memory at the top of a kernel that no launcher hands it to.
 * A function of your own that calls collectives begins its parameters with WP_WARP_PARAM, and its callers their arguments with
 * WP_WARP_ARG, both without a comma; functions of WP_DEFINE_REDUCE and WP_DEFINE_SCAN take WP_WARP_ARG, too. */
#ifdef WPB_UNIFORM_FLOW
#define WP_UNIFORM_FLOW 1
#else
#define WP_UNIFORM_FLOW 0
#endif
#ifdef WPB_WARP_STORAGE
#define WP_WARP_STORAGE WPB_WARP_STORAGE
#else
#define WP_WARP_STORAGE (void)0
#endif
#define WP_WARP_PARAM WPB_STORAGE_PARAM
#define WP_WARP_ARG WPB_STORAGE_ARG

#endif
