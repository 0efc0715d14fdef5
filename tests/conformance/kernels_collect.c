/* Rows D1-D3, D5, D6. */
#include "kernels.h"

CONF_KERNEL(conf_compact_u32, wp_u32, wp_i32, {
  const wp_compacted c = wp_compact(m, a != 0);
  out[i * 2] = CONF_BREAK(c.index, c.index + (a != 0 ? 1 : 0));
  out[i * 2 + 1] = c.count;
})

#define COMPACT(T, S) CONF_KERNEL(conf_compact_value_##S, T, T, out[i] = CONF_FN(wp_compact_value, S)(m, v[i], a != 0))
CONF_TYPES(COMPACT)

CONF_KERNEL(conf_histogram_u32, wp_u32, wp_i32, out[i] = wp_histogram(m, a, w))

#define SORT(T, S) \
  CONF_KERNEL(conf_sort_##S, T, T, out[i] = CONF_FN(wp_sort, S)(m, v[i])) \
  CONF_KERNEL(conf_sort_lane_##S, T, wp_i32, out[i] = CONF_FN(wp_sort_lane, S)(m, v[i]))
CONF_SCALARS(SORT)
