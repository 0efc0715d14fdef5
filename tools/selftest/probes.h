/* The chip's own functions under the names that the probes use, unguarded. A toolchain that copies CUDA has all of them; what yours
 * lacks, leave out with -DPROBE_NO_UP, _DOWN, _XOR, _F32, _BALLOT, _ACTIVE, _MATCH, _REDUCE. For other languages the probes measure
 * the backend's contract functions instead, where those are the chip's own. */
#ifndef WARPPORT_SELFTEST_PROBES_H
#define WARPPORT_SELFTEST_PROBES_H

#if WARPPORT_BACKEND == WARPPORT_BACKEND_CUDA || WARPPORT_BACKEND == WARPPORT_BACKEND_MUSA || WARPPORT_BACKEND == WARPPORT_BACKEND_MACA || \
  WARPPORT_BACKEND == WARPPORT_BACKEND_COREX || WARPPORT_BACKEND == WARPPORT_BACKEND_SUPA || \
  WARPPORT_BACKEND == WARPPORT_BACKEND_MINIMAL || defined(PROBE_CUDA_NAMES)
#define PROBE_NAMES "CUDA's"
#define PROBE_NAMED 1
#define PROBE_WIDTH 1
#define PROBE_SHFL(mask, v, src, width) __shfl_sync(mask, (wp_u32)(v), src, width)
#ifndef PROBE_NO_UP
#define PROBE_UP(mask, v, delta, width) __shfl_up_sync(mask, (wp_u32)(v), (unsigned)(delta), width)
#endif
#ifndef PROBE_NO_DOWN
#define PROBE_DOWN(mask, v, delta, width) __shfl_down_sync(mask, (wp_u32)(v), (unsigned)(delta), width)
#endif
#ifndef PROBE_NO_XOR
#define PROBE_XOR(mask, v, lane_mask, width) __shfl_xor_sync(mask, (wp_u32)(v), lane_mask, width)
#endif
#ifndef PROBE_NO_F32
#define PROBE_F32(mask, v, src, width) __shfl_sync(mask, (float)(v), src, width)
#endif
#ifndef PROBE_NO_BALLOT
#define PROBE_BALLOT(mask, p) __ballot_sync(mask, p)
#endif
#ifndef PROBE_NO_ACTIVE
#define PROBE_ACTIVE() __activemask()
#endif
#ifndef PROBE_NO_MATCH
#define PROBE_MATCH(mask, v) __match_any_sync(mask, (wp_u32)(v))
#endif
#if !defined(PROBE_NO_REDUCE) && !(defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800)
#define PROBE_REDUCE(mask, v) __reduce_add_sync(mask, (wp_u32)(v))
#endif

#else
#define PROBE_NAMES "the backend's"
#ifndef WPB_SHFL_BY_MEMORY
#define PROBE_SHFL(mask, v, src, width) wpb_shfl_u32(WP__TO mask, v, src) /* the width is that of the warp */
#endif
#if defined(WPB_SHFL_BY_DELTA) || defined(WPB_SHFL_BY_UNIFORM_DELTA)
#undef PROBE_SHFL
#define PROBE_UP(mask, v, delta, width) wpb_raw_up_u32(mask, v, delta)
#define PROBE_DOWN(mask, v, delta, width) wpb_raw_down_u32(mask, v, delta)
#elif defined(WPB_SHFL_BY_UNIFORM_XOR)
#undef PROBE_SHFL
#define PROBE_XOR(mask, v, lane_mask, width) wpb_raw_xor_u32(mask, v, lane_mask)
#elif defined(WPB_SHFL_BY_CONSTANT_LANE) || defined(WPB_SHFL_BY_BALLOT) || defined(WPB_SHFL_BY_FLOAT)
#undef PROBE_SHFL
#endif
#if defined(WPB_SHFL_BY_FLOAT)
#define PROBE_F32(mask, v, src, width) wpb_raw_shfl_f32(mask, v, src)
#endif
#if !defined(WPB_BALLOT_BY_SHFL)
#define PROBE_BALLOT(mask, p) wpb_ballot(WP__TO mask, p)
#endif
#if !defined(WPB_ACTIVE_MASK_UNKNOWN)
#define PROBE_ACTIVE() wpb_active_mask()
#endif
#if defined(WPB_HAS_MATCH_ANY_U32)
#define PROBE_MATCH(mask, v) wpb_match_any_u32(WP__TO mask, v)
#endif
#if defined(WPB_HAS_REDUCE32)
#define PROBE_REDUCE(mask, v) wpb_reduce_add_u32(WP__TO mask, v)
#endif
#endif

#endif
