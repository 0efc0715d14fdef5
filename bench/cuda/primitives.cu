/* What a collective costs on this card: warpport, the same by hand, and CUB where it has one.
 *
 *   nvcc -std=c++17 -O3 -fmad=false -arch=native -I include -o primitives bench/cuda/primitives.cu && ./primitives [FILE.json]
 *
 * latency: clocks of one operation in a chain of dependent ones, one warp alone on the card, median of 9.
 * throughput: milliseconds for a grid that fills the card (2 blocks of 1024 threads a multiprocessor, 4096 dependent operations each),
 * by device events, median of 9 after one that is not counted. */
#include <warpport/warpport.h>

#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#define CHECK(call) \
  do { \
    cudaError_t e = (call); \
    if (e != cudaSuccess) { \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(e)); \
      std::exit(1); \
    } \
  } while (0)

#define FULL 0xffffffffu
typedef unsigned long long u64;

/* What is measured: a step from one value to the next, so that each operation waits for the one before. */
#define STEP(name, T, ...) \
  struct name { \
    typedef T type; \
    static __device__ __forceinline__ T step(T v) { __VA_ARGS__; } \
  };
template <class T, class F> static __device__ __forceinline__ T butterfly(T v, F op) {
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) v = op(v, __shfl_xor_sync(FULL, v, d));
  return v;
}
template <class T> static __device__ __forceinline__ T prefix(T v) {
  int lane = wp_lane();
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    T got = __shfl_up_sync(FULL, v, d);
    if (lane >= d) v = got + v;
  }
  return v;
}
struct add { template <class T> __device__ T operator()(T a, T b) const { return a + b; } };
struct largest { template <class T> __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
struct largest_f { __device__ float operator()(float a, float b) const { return fmaxf(a, b); } };
/* CUB's results are valid in lane 0 only; what it needs to be a sum in all lanes, as ours, is the exchange. */
template <class T, class F> static __device__ __forceinline__ T cub_reduce(T v, F op) {
  typedef cub::WarpReduce<T> R;
  __shared__ typename R::TempStorage storage[32];
  return __shfl_sync(FULL, R(storage[threadIdx.x / 32]).Reduce(v, op), 0);
}
template <class T> static __device__ __forceinline__ T cub_sum(T v) {
  typedef cub::WarpReduce<T> R;
  __shared__ typename R::TempStorage storage[32];
  return __shfl_sync(FULL, R(storage[threadIdx.x / 32]).Sum(v), 0);
}
template <class T> static __device__ __forceinline__ T cub_scan(T v) {
  typedef cub::WarpScan<T> R;
  __shared__ typename R::TempStorage storage[32];
  T result;
  R(storage[threadIdx.x / 32]).InclusiveSum(v, result);
  return result;
}

STEP(shfl_wp, unsigned, return wp_shfl_xor(wp_mask_all(), v, 1) + 1u)
STEP(shfl_raw, unsigned, return __shfl_xor_sync(FULL, v, 1) + 1u)
/* Any delta, or the compiler would know that the guard for one of 32 and more is not needed. */
STEP(up_wp, unsigned, return wp_shfl_up(wp_mask_all(), v, (int)v) + 1u)
STEP(up_raw, unsigned, return __shfl_up_sync(FULL, v, v) + 1u)
STEP(safe_wp, unsigned, return wp_shfl_up_or(wp_mask_all(), v, 1, 7u) + 1u)
STEP(safe_raw, unsigned, unsigned g = __shfl_up_sync(FULL, v, 1); return (wp_lane() >= 1 ? g : 7u) + 1u)
STEP(fsum_wp, float, return wp_reduce_add(wp_mask_all(), v) * 0.03125f)
STEP(fsum_raw, float, return butterfly(v, add()) * 0.03125f)
STEP(fsum_cub, float, return cub_sum(v) * 0.03125f)
STEP(isum_wp, int, return wp_reduce_add(wp_mask_all(), v) + wp_lane())
STEP(isum_raw, int, return butterfly(v, add()) + wp_lane())
STEP(isum_cub, int, return cub_sum(v) + wp_lane())
STEP(lsum_wp, u64, return wp_reduce_add(wp_mask_all(), v) + (u64)wp_lane())
STEP(lsum_raw, u64, return butterfly(v, add()) + (u64)wp_lane())
STEP(lsum_cub, u64, return cub_sum(v) + (u64)wp_lane())
STEP(lmax_wp, u64, return wp_reduce_max(wp_mask_all(), v) ^ (u64)wp_lane())
STEP(lmax_raw, u64, return butterfly(v, largest()) ^ (u64)wp_lane())
STEP(lmax_cub, u64, return cub_reduce(v, largest()) ^ (u64)wp_lane())
STEP(fmax_wp, float, return wp_reduce_max(wp_mask_all(), v) + (float)wp_lane())
STEP(fmax_raw, float, return butterfly(v, largest_f()) + (float)wp_lane())
STEP(fmax_cub, float, return cub_reduce(v, largest_f()) + (float)wp_lane())
STEP(dsum_wp, double, return wp_reduce_add(wp_mask_all(), v) * 0.03125)
STEP(dsum_raw, double, return butterfly(v, add()) * 0.03125)
STEP(dsum_cub, double, return cub_sum(v) * 0.03125)
STEP(hsum_wp, unsigned, wp_f16x2 h; h.bits = v; return wp_reduce_add(wp_mask_all(), h).bits ^ 1u)
STEP(iscan_wp, int, return wp_scan_add(wp_mask_all(), v) & 0xffff)
STEP(iscan_raw, int, return prefix(v) & 0xffff)
STEP(iscan_cub, int, return cub_scan(v) & 0xffff)
STEP(fscan_wp, float, return wp_scan_add(wp_mask_all(), v) * 0.03125f)
STEP(fscan_raw, float, return prefix(v) * 0.03125f)
STEP(fscan_cub, float, return cub_scan(v) * 0.03125f)
STEP(lscan_wp, u64, return wp_scan_add(wp_mask_all(), v) & 0xffffu)
STEP(lscan_raw, u64, return prefix(v) & 0xffffu)
STEP(lscan_cub, u64, return cub_scan(v) & 0xffffu)
STEP(match_wp, unsigned, return wp_match_any(wp_mask_all(), v & 7u) + (unsigned)wp_lane())
STEP(match_raw, unsigned, return __match_any_sync(FULL, v & 7u) + (unsigned)wp_lane())
STEP(bits_wp, unsigned, return wp_match_any_bits(wp_mask_all(), v & 7u, 3) + (unsigned)wp_lane())
STEP(ballot_wp, unsigned, return wp_ballot(wp_mask_all(), (v & 1u) != 0) + (unsigned)wp_lane())
STEP(ballot_raw, unsigned, return __ballot_sync(FULL, v & 1u) + (unsigned)wp_lane())
STEP(elect_wp, unsigned, return v * 3u + (wp_elect(wp_mask_all()) ? v : 1u))
STEP(elect_raw, unsigned, return v * 3u + (wp_lane() == __ffs(__activemask()) - 1 ? v : 1u))
STEP(sort_wp, unsigned, return wp_sort(wp_mask_all(), v) * 2654435761u)
STEP(tile_wp, float, return wp_tile_reduce_add(wp_tile_full(8), v) * 0.125f)
#define TILE_SUM(mask) \
  unsigned m = mask; \
  v += __shfl_xor_sync(m, v, 1); \
  v += __shfl_xor_sync(m, v, 2); \
  v += __shfl_xor_sync(m, v, 4); \
  return v * 0.125f
STEP(tile_raw, float, TILE_SUM(0xffu << (wp_lane() & 24)))
STEP(tile_full, float, TILE_SUM(FULL))

template <class Op> __global__ void chain(typename Op::type *out, int n, long long *clocks) {
  typename Op::type v = (typename Op::type)(threadIdx.x * 37 % 101 + 1);
  for (int i = 0; i < 16; i++) v = Op::step(v);
  long long start = clock64();
#pragma unroll 8
  for (int i = 0; i < n; i++) v = Op::step(v);
  long long end = clock64();
  out[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = v;
  if (threadIdx.x == 0 && blockIdx.x == 0) *clocks = end - start;
}

struct result {
  const char *operation, *by;
  double clocks, ms;
};
static std::vector<result> results;
static int blocks;

template <class Op> static void measure(const char *operation, const char *by) {
  enum { length = 4096, repeats = 9 };
  typename Op::type *out;
  long long *clocks, taken = 0;
  cudaEvent_t start, stop;
  std::vector<double> latency, time;
  CHECK(cudaMalloc(&out, sizeof(typename Op::type) * (size_t)blocks * 1024));
  CHECK(cudaMalloc(&clocks, sizeof *clocks));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  for (int i = 0; i <= repeats; i++) {
    float ms = 0;
    chain<Op><<<1, 32>>>(out, length, clocks);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&taken, clocks, sizeof taken, cudaMemcpyDeviceToHost));
    CHECK(cudaEventRecord(start));
    chain<Op><<<blocks, 1024>>>(out, length, clocks);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    if (i == 0) continue;
    latency.push_back((double)taken / length);
    time.push_back(ms);
  }
  std::sort(latency.begin(), latency.end());
  std::sort(time.begin(), time.end());
  result r = {operation, by, latency[repeats / 2], time[repeats / 2]};
  results.push_back(r);
  std::printf("| %-42s | %-8s | %7.1f | %8.3f |\n", operation, by, r.clocks, r.ms);
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFree(out));
  CHECK(cudaFree(clocks));
}

int main(int argc, char **argv) {
  cudaDeviceProp card;
  int driver = 0, runtime = 0;
  char date[32];
  time_t now = time(nullptr);
  CHECK(cudaGetDeviceProperties(&card, 0));
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  std::strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
  blocks = 2 * card.multiProcessorCount;
  std::printf("%s, %s, sm_%d%d, %d multiprocessors, driver %d.%d, CUDA %d.%d; %d blocks of 1024 threads\n\n", date, card.name, card.major,
              card.minor, card.multiProcessorCount, driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10, blocks);
  std::printf("| %-42s | %-8s | %7s | %8s |\n|---|---|--:|--:|\n", "operation on 32 lanes", "by", "clocks", "ms");
  measure<shfl_raw>("shuffle xor 1", "hand");
  measure<shfl_wp>("shuffle xor 1", "warpport");
  measure<up_raw>("shuffle up, run-time delta", "hand");
  measure<up_wp>("shuffle up, run-time delta", "warpport");
  measure<safe_raw>("shuffle up or fallback", "hand");
  measure<safe_wp>("shuffle up or fallback", "warpport");
  measure<fsum_raw>("float sum", "hand");
  measure<fsum_cub>("float sum", "CUB");
  measure<fsum_wp>("float sum", "warpport");
  measure<dsum_raw>("double sum", "hand");
  measure<dsum_cub>("double sum", "CUB");
  measure<dsum_wp>("double sum", "warpport");
  measure<hsum_wp>("f16x2 sum", "warpport");
  measure<isum_raw>("int sum (by hand: butterfly)", "hand");
  measure<isum_cub>("int sum", "CUB");
  measure<isum_wp>("int sum", "warpport");
  measure<lsum_raw>("64-bit sum (by hand: butterfly)", "hand");
  measure<lsum_cub>("64-bit sum", "CUB");
  measure<lsum_wp>("64-bit sum", "warpport");
  measure<lmax_raw>("64-bit max (by hand: butterfly)", "hand");
  measure<lmax_cub>("64-bit max", "CUB");
  measure<lmax_wp>("64-bit max", "warpport");
  measure<fmax_raw>("float max (by hand: butterfly)", "hand");
  measure<fmax_cub>("float max", "CUB");
  measure<fmax_wp>("float max", "warpport");
  measure<iscan_raw>("int scan", "hand");
  measure<iscan_cub>("int scan", "CUB");
  measure<iscan_wp>("int scan", "warpport");
  measure<fscan_raw>("float scan", "hand");
  measure<fscan_cub>("float scan", "CUB");
  measure<fscan_wp>("float scan", "warpport");
  measure<lscan_raw>("64-bit scan", "hand");
  measure<lscan_cub>("64-bit scan", "CUB");
  measure<lscan_wp>("64-bit scan", "warpport");
  measure<match_raw>("match_any, 3-bit keys", "hand");
  measure<match_wp>("match_any, 3-bit keys", "warpport");
  measure<bits_wp>("match_any_bits, 3-bit keys", "warpport");
  measure<ballot_raw>("ballot", "hand");
  measure<ballot_wp>("ballot", "warpport");
  measure<elect_raw>("elect (by hand: activemask, ffs)", "hand");
  measure<elect_wp>("elect", "warpport");
  measure<tile_full>("float sum in tiles of 8, whole warp named", "hand");
  measure<tile_raw>("float sum in tiles of 8", "hand");
  measure<tile_wp>("float sum in tiles of 8", "warpport");
  measure<sort_wp>("sort 32 unsigned", "warpport");

  if (argc > 1) {
    FILE *f = std::fopen(argv[1], "w");
    if (!f) {
      std::perror(argv[1]);
      return 1;
    }
    std::fprintf(f, "{\n  \"date\": \"%s\", \"card\": \"%s\", \"sm\": %d, \"driver\": \"%d.%d\", \"cuda\": \"%d.%d\", \"blocks\": %d,\n  \"results\": [\n",
                 date, card.name, card.major * 10 + card.minor, driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10, blocks);
    for (size_t i = 0; i < results.size(); i++) {
      std::fprintf(f, "    {\"operation\": \"%s\", \"by\": \"%s\", \"clocks\": %.2f, \"ms\": %.4f}%s\n", results[i].operation, results[i].by,
                   results[i].clocks, results[i].ms, i + 1 < results.size() ? "," : "");
    }
    std::fprintf(f, "  ]\n}\n");
    if (std::fclose(f) != 0) return 1;
  }
  return 0;
}
