/* As wrong.c: kernels whose wrong call is in what only C++ has. Compiled without optimisation, so that each is a function of its own. */
#include <warpport/warpport.h>

#define OUT out[wp_thread_rank()]
#define KERNEL(name) WP_KERNEL(name, WP_GLOBAL wp_u32 *out, int n)

KERNEL(cxx_lambda) {
  auto next = [=](wp_u32 v) { return wp_shfl_down(wp_mask_first(8), v, 1); /* WRONG WP114: lane 7 reads | lane 7 reads */ };
  if (wp_lane() < 8) OUT = next((wp_u32)n);
}
KERNEL(cxx_local_class) {
  struct local {
    static wp_u32 next(wp_u32 v) { return wp_shfl_down(wp_mask_first(8), v, 1); /* WRONG WP114: lane 7 reads | lane 7 reads */ }
  };
  if (wp_lane() < 8) OUT = local::next((wp_u32)n);
}
namespace a {
namespace {
template <class T> struct pair {
  wp_mask mask;
  T operator()(T v) const {
    return wp_shfl_xor(mask, v, 1); /* WRONG WP119: lanes 0-5 wait for lanes 6-7 | lanes 0-5 wait for lanes 6-7 */
  }
};
}
}
KERNEL(cxx_functor) {
  a::pair<wp_u32> exchange = {wp_ballot(wp_mask_all(), wp_lane() < 8)};
  if (wp_lane() < 6) OUT = exchange((wp_u32)n);
}
template <int N> static wp_u32 sum(wp_u32 v) {
  return wp_reduce_add(wp_mask_first(N), v); /* WRONG WP101: lanes 8-31 | lanes 8-63 */
}
KERNEL(cxx_template) { OUT = sum<8>((wp_u32)n); }
