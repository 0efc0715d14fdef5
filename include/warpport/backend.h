/* warpport/backend.h: includes the selected backend file and fills in what it left out (docs/backend_contract.md). */
#ifndef WARPPORT_BACKEND_H
#define WARPPORT_BACKEND_H

#include "types.h"

#if defined(WARPPORT_BACKEND_FILE)
#include WARPPORT_BACKEND_FILE
#elif WARPPORT_BACKEND == WARPPORT_BACKEND_HOST
#include "backend/host.h"
#elif WARPPORT_BACKEND == WARPPORT_BACKEND_CUDA
#include "backend/cuda.h"
#elif WARPPORT_BACKEND == WARPPORT_BACKEND_HIP
#include "backend/hip.h"
#elif WARPPORT_BACKEND == WARPPORT_BACKEND_OPENCL
#include "backend/opencl.h"
#elif WARPPORT_BACKEND == WARPPORT_BACKEND_MUSA
#include "backend/musa.h"
#elif WARPPORT_BACKEND == WARPPORT_BACKEND_MACA
#include "backend/maca.h"
#elif WARPPORT_BACKEND == WARPPORT_BACKEND_COREX
#include "backend/corex.h"
#elif WARPPORT_BACKEND == WARPPORT_BACKEND_DTK
#include "backend/dtk.h"
#elif WARPPORT_BACKEND == WARPPORT_BACKEND_SUPA
#include "backend/supa.h"
#elif WARPPORT_BACKEND == WARPPORT_BACKEND_MINIMAL
#include "backend/minimal.h"
#else
#error "warpport: WARPPORT_BACKEND names no backend of this version; define it to one of the numbers in warpport/config.h, or define WARPPORT_BACKEND_FILE"
#endif

#if !defined(WPB_FN) || !defined(WPB_MASK_T) || !defined(WPB_MASK_BITS) || !defined(WPB_MAX_WARP_SIZE)
#error "warpport: the backend file must define WPB_FN, WPB_MASK_T, WPB_MASK_BITS and WPB_MAX_WARP_SIZE (docs/backend_contract.md)"
#endif

#if defined(WARPPORT_WARP_SIZE) && WARPPORT_WARP_SIZE > WPB_MAX_WARP_SIZE
#error "warpport: WARPPORT_WARP_SIZE is larger than the warps of this chip; a logical warp must fit in one"
#endif

/* Where warps are emulated through local memory, every collective is handed the storage: WP__MASK and WP__TILE begin the parameter
 * list of a function that exchanges, WP__TO the arguments of a call. Elsewhere they add nothing. */
#ifndef WPB_STORAGE_PARAM
#define WPB_STORAGE_PARAM
#define WPB_STORAGE_ARG
#else
#define WP__STORAGE 1
#endif
#define WP__MASK WPB_STORAGE_PARAM wp_mask
#define WP__TILE WPB_STORAGE_PARAM wp_tile
#define WP__TO WPB_STORAGE_ARG

/* Where control flow around collectives must be uniform over the block (WPB_UNIFORM_FLOW), lanes that have nothing to exchange go
 * through the motions until nobody has: WP__ANYONE(mask, c) is then "does c hold in some thread that takes part", else c.
 * Of a fast and a general form, the general one runs. */
#ifdef WPB_UNIFORM_FLOW
#define WP__ANYONE(mask, c) wpb_block_any(WP__TO (mask) != 0 && (c))
#define WP__FAST(c) ((void)(c), 0)
#define WP__DIVISOR(n) ((n) > 0 ? (n) : 1) /* a lane that takes no part may have an empty tile */
#else
#define WP__ANYONE(mask, c) (c)
#define WP__FAST(c) (c)
#define WP__DIVISOR(n) (n)
#endif

/* In front of loops whose trip count is a constant after inlining. */
#ifndef WPB_UNROLL
#define WPB_UNROLL
#endif

/* Copies bytes between objects in private memory. */
#ifndef WPB_MEMCPY
#define WPB_MEMCPY(to, from, bytes) __builtin_memcpy(to, from, bytes)
#endif

/* Before a parameter that some lanes may pass without having set it. */
#ifndef WPB_ANY
#define WPB_ANY
#endif

/* In functions whose bits are fixed: a*b+c is not to be fused. */
#ifndef WPB_NO_CONTRACT
#define WPB_NO_CONTRACT
#endif

#ifndef WPB_HAS_NOTE
#define WPB_NOTE_SHUFFLE(op, mask, arg, width) ((void)0)
#define WPB_NOTE_WIDTH(width) ((void)0)
#define WPB_NOTE_SAME(which, value) ((void)0)
#define WPB_NOTE_SAME_ADDRESS(p) ((void)0)
#else
#define WPB_NOTE_SHUFFLE(op, mask, arg, width) wpb_note_shuffle(op, mask, arg, width)
#define WPB_NOTE_WIDTH(width) \
  do { \
    if ((width) < 1 || (width) > wp_warp_size() || ((width) & ((width)-1)) != 0) wpb_note_shuffle(WP__NOTE_WIDTH, 0, 0, width); \
  } while (0)
#define WPB_NOTE_SAME(which, value) wpb_note_same(which, (wp_u64)(value))
#define WPB_NOTE_SAME_ADDRESS(p) wpb_note_same(WP__SAME_ADDRESS, (wp_u64)(__UINTPTR_TYPE__)(p))
#endif

/* A constant width that is no power of two is an error at compile time (with optimisation on: the test must fold away).
 * WPB_WIDTH_IS_CONSTANT may be defined to 0 by a backend whose compiler cannot tell. */
#if defined(WPB_BAD_WIDTH)
#define WP__CHECK_WIDTH(width) \
  do { \
    if (__builtin_constant_p(width) && ((width) < 1 || (width) > 64 || ((width) & ((width)-1)) != 0)) WPB_BAD_WIDTH(); \
  } while (0)
#else
#define WP__CHECK_WIDTH(width) ((void)0)
#endif

#endif
