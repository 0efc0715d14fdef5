/* C++ kernels of test_launch.c: any type may be a parameter. */
#include <warpport/warpport.h>

struct cxx_pair { float a; int b; };
enum class cxx_mode : short { off, on };
using cxx_real = float;

WP_KERNEL(cxx_types, WP_GLOBAL double *out, cxx_pair p, cxx_mode mode, cxx_real r, const wp_u8 byte, WP_SHARED_PARAM(double, cell)) {
  WP_SHARED_BIND(double, cell);
  WP_SHARED(double, other, 4);
  cell[wp_thread_rank()] = static_cast<double>(p.a) * p.b + (mode == cxx_mode::on ? 1000 : 0) + static_cast<double>(r) + byte;
  if (wp_thread_rank() < 4) other[wp_thread_rank()] = 1;
  WP_BARRIER();
  if (wp_block_x() == 0) out[wp_thread_rank()] = cell[wp_block_threads() - 1 - wp_thread_rank()] + other[0];
}

/* The same signature twice: each kernel keeps its own parameter names. */
WP_KERNEL(cxx_first, WP_GLOBAL int *first_out, int first_n) { first_out[wp_lane()] = first_n; }
WP_KERNEL(cxx_second, WP_GLOBAL int *second_out, int second_n) { second_out[wp_lane()] = 2 * second_n; }

namespace tools {
template <class T>
T shifted(T v) {
  return wp_shfl_down(wp_mask_all(), v, 1, wp_lane() == 3 ? 2 : 4); /* @cxx_width */
}
}
WP_KERNEL(cxx_width, WP_GLOBAL float *out) {
  out[wp_lane()] = tools::shifted(static_cast<float>(wp_lane())); /* @cxx_caller */
}
