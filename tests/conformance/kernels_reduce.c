/* Rows R1-R4. */
#include "kernels.h"

/* The wrong R1 sums by the scan's tree. */
#define REDUCE(T, S) \
  CONF_KERNEL(conf_reduce_add_##S, T, T, \
              out[i] = CONF_BREAK(CONF_FN(wp_reduce_add, S)(m, v[i]), \
                                  CONF_FN(wp_shfl, S)(m, CONF_FN(wp_scan_add, S)(m, v[i]), wp_mask_highest(m), wp_warp_size()))) \
  CONF_KERNEL(conf_reduce_mul_##S, T, T, out[i] = CONF_FN(wp_reduce_mul, S)(m, v[i])) \
  CONF_KERNEL(conf_reduce_min_##S, T, T, out[i] = CONF_FN(wp_reduce_min, S)(m, v[i])) \
  CONF_KERNEL(conf_reduce_max_##S, T, T, \
              out[i] = CONF_BREAK(CONF_FN(wp_reduce_max, S)(m, v[i]), CONF_FN(wp_reduce_min, S)(m, v[i])))
#define REDUCE_BITS(T, S) \
  CONF_KERNEL(conf_reduce_and_##S, T, T, out[i] = CONF_FN(wp_reduce_and, S)(m, v[i])) \
  CONF_KERNEL(conf_reduce_or_##S, T, T, out[i] = CONF_FN(wp_reduce_or, S)(m, v[i])) \
  CONF_KERNEL(conf_reduce_xor_##S, T, T, out[i] = CONF_FN(wp_reduce_xor, S)(m, v[i]))
#define REDUCE_LANE(T, S) \
  CONF_KERNEL(conf_reduce_argmin_##S, T, wp_i32, out[i] = CONF_FN(wp_reduce_argmin, S)(m, v[i])) \
  CONF_KERNEL(conf_reduce_argmax_##S, T, wp_i32, out[i] = CONF_FN(wp_reduce_argmax, S)(m, v[i]))
CONF_TYPES(REDUCE)
CONF_INTS(REDUCE_BITS)
CONF_SCALARS(REDUCE_LANE)
