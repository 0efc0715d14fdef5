/* A HIP program of one's own: the header in ordinary host and device code, launched with <<< >>>, for several chips in one binary. Built
 * by CMake's HIP language and by plain hipcc (ci/hip.sh). Without an AMD GPU it says so and ends with 77. */
#include <hip/hip_runtime.h>
#include <warpport/warpport.h>

#include <cstdio>
#include <vector>

/* Used by kernels and by the host: the same in every pass. */
struct votes {
  wp_mask mask;
  int lanes[WP_MAX_WARP_SIZE];
};

template <class T>
__global__ void sum_rows(const T *in, T *out, votes *v) {
  const int warp = int(blockIdx.x) * wp_warps_per_block() + wp_warp_id();
  const T x = in[warp * wp_warp_size() + wp_lane()];
  const T sum = wp_reduce_add(wp_mask_all(), x);
  if (wp_lane() == 0) out[warp] = sum;
  if (warp == 0) {
    v->lanes[wp_lane()] = wp_shfl_xor(wp_mask_all(), wp_lane(), 1);
    v->mask = wp_ballot(wp_mask_all(), wp_lane() % 3 == 0);
  }
}

int main() {
  int devices = 0;
  if (hipGetDeviceCount(&devices) != hipSuccess || devices == 0) {
    std::printf("SKIPPED: the program starts, but there is no AMD device here\n");
    return 77;
  }
  hipDeviceProp_t properties;
  if (hipGetDeviceProperties(&properties, 0) != hipSuccess) return 1;
  const int W = properties.warpSize, warps = 8;
  std::vector<int> in(size_t(W) * warps), out(warps);
  for (size_t i = 0; i < in.size(); i++) in[i] = int(i * 7 % 100);
  int *d_in, *d_out;
  votes *d_votes, v;
  bool ok = hipMalloc(reinterpret_cast<void **>(&d_in), in.size() * sizeof(int)) == hipSuccess &&
            hipMalloc(reinterpret_cast<void **>(&d_out), out.size() * sizeof(int)) == hipSuccess &&
            hipMalloc(reinterpret_cast<void **>(&d_votes), sizeof v) == hipSuccess &&
            hipMemcpy(d_in, in.data(), in.size() * sizeof(int), hipMemcpyHostToDevice) == hipSuccess;
  if (ok) {
    sum_rows<int><<<2, W * warps / 2>>>(d_in, d_out, d_votes);
    ok = hipMemcpy(out.data(), d_out, out.size() * sizeof(int), hipMemcpyDeviceToHost) == hipSuccess &&
         hipMemcpy(&v, d_votes, sizeof v, hipMemcpyDeviceToHost) == hipSuccess;
  }
  for (int w = 0; ok && w < warps; w++) {
    int sum = 0;
    for (int l = 0; l < W; l++) sum += in[size_t(w * W + l)];
    ok = sum == out[size_t(w)];
  }
  for (int l = 0; ok && l < W; l++) ok = v.lanes[l] == (l ^ 1) && (v.mask >> l & 1) == (l % 3 == 0);
  std::printf("%s: %s\n", properties.name, ok ? "right" : "WRONG");
  return ok ? 0 : 1;
}
