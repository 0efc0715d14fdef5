/* warpport/backend/cuda_like_native.h: match and redux by the chip's own functions, where the user asks for them. Toolchains that copy
 * CUDA list these names long before all chips and SDKs agree on what they do, so the default is to derive them from exchange and
 * ballot; warpport-selftest says whether they can be trusted. Included at the end of a backend file. */
#ifndef WARPPORT_BACKEND_CUDA_LIKE_NATIVE_H
#define WARPPORT_BACKEND_CUDA_LIKE_NATIVE_H

/* Results are cut down to the mask: on several chips a mask argument means nothing. For the same reason match_all asks match_any. */
#if WARPPORT_NATIVE_MATCH
#define WPB_HAS_MATCH_ANY_U32 1
WPB_FN WPB_MASK_T wpb_match_any_u32(WPB_MASK_T mask, wp_u32 v) { return (WPB_MASK_T)__match_any_sync(mask, v) & mask; }
#define WPB_HAS_MATCH_ANY_U64 1
WPB_FN WPB_MASK_T wpb_match_any_u64(WPB_MASK_T mask, wp_u64 v) { return (WPB_MASK_T)__match_any_sync(mask, v) & mask; }
#define WPB_HAS_MATCH_ALL_U32 1
WPB_FN bool wpb_match_all_u32(WPB_MASK_T mask, wp_u32 v) { return wpb_match_any_u32(mask, v) == mask; }
#define WPB_HAS_MATCH_ALL_U64 1
WPB_FN bool wpb_match_all_u64(WPB_MASK_T mask, wp_u64 v) { return wpb_match_any_u64(mask, v) == mask; }
#endif

/* Only right where masks are honoured. Integers only: some chips' overloads for floats round in an order of their own. */
#if WARPPORT_NATIVE_REDUCE
#define WPB_HAS_REDUCE32 1
WPB_FN wp_u32 wpb_reduce_add_u32(WPB_MASK_T mask, wp_u32 v) { return __reduce_add_sync(mask, v); }
WPB_FN wp_u32 wpb_reduce_min_u32(WPB_MASK_T mask, wp_u32 v) { return __reduce_min_sync(mask, v); }
WPB_FN wp_u32 wpb_reduce_max_u32(WPB_MASK_T mask, wp_u32 v) { return __reduce_max_sync(mask, v); }
WPB_FN wp_i32 wpb_reduce_min_i32(WPB_MASK_T mask, wp_i32 v) { return __reduce_min_sync(mask, v); }
WPB_FN wp_i32 wpb_reduce_max_i32(WPB_MASK_T mask, wp_i32 v) { return __reduce_max_sync(mask, v); }
WPB_FN wp_u32 wpb_reduce_and_u32(WPB_MASK_T mask, wp_u32 v) { return __reduce_and_sync(mask, v); }
WPB_FN wp_u32 wpb_reduce_or_u32(WPB_MASK_T mask, wp_u32 v) { return __reduce_or_sync(mask, v); }
WPB_FN wp_u32 wpb_reduce_xor_u32(WPB_MASK_T mask, wp_u32 v) { return __reduce_xor_sync(mask, v); }
#endif

#endif
