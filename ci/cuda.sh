#!/bin/sh
# Everything that concerns CUDA, on a machine with an NVIDIA GPU: builds, then runs the conformance suite, the fuzz test, the demo and
# the launcher's tests on each GPU; on the first one also with the code for older chips (compute_75 and compute_80, compiled for
# this one), the demo under compute-sanitizer where that is, and the benchmark.
# Usage: sh ci/cuda.sh [DIR]      results: DIR, by default $OUT or build/results: JUnit (*.xml), JSON (*.json), logs, summary.txt
#   WARPPORT_CUDA_BUILD_DIR       where to build; default build/cuda
#   WARPPORT_SEED                 seed of the random data; default: the time
#   WARPPORT_FUZZ_PROGRAMS        default 20000
# Needs the CUDA toolkit, a C compiler, CMake, ninja, pkg-config, libffi and libcjson; no cmocka.
# Exit code: 0 all passed, 3 something to build with is missing, 77 there is no GPU, else something failed.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/ci/lib.sh"
base=${WARPPORT_CUDA_BUILD_DIR:-$root/build/cuda}
out=${1:-${OUT:-$root/build/results}}
seed=${WARPPORT_SEED:-$(date +%s)}
programs=${WARPPORT_FUZZ_PROGRAMS:-20000}
mkdir -p "$out"
out=$(cd "$out" && pwd)

need gcc have_command cc
need g++ have_cxx_header cstddef
need libc6-dev have_header stdio.h
need cmake have_cmake
need ninja-build have_command ninja
need pkg-config have_command pkg-config
need libffi-dev have_module libffi
need libcjson-dev have_module libcjson
install_missing
nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
if [ ! -x "$nvcc" ]; then
  echo "$0: no nvcc on PATH, in CUDA_HOME or in /usr/local/cuda" >&2
  exit 3
fi
query=index,name,compute_cap,driver_version
if ! command -v nvidia-smi >/dev/null 2>&1 || ! gpus=$(nvidia-smi --query-gpu=$query --format=csv,noheader); then
  echo "$0: nvidia-smi shows no GPU; the tests that need none run in ci/test.sh" >&2
  exit 77
fi
arch=$(echo "$gpus" | awk -F', *' 'NR == 1 { sub("[.]", "", $3); print $3 }')
count=$(echo "$gpus" | wc -l)
{
  date -u +%Y-%m-%dT%H:%M:%SZ
  echo "$gpus"
  "$nvcc" --version | tail -n 2
} | tee "$out/machine.txt"

# One build for this chip, and one for each older level of the header, as machine code for this chip, so that no driver compiles.
configure "$base" -DWARPPORT_BACKENDS="host;cuda" -DWARPPORT_CUDA_ARCHITECTURES="$arch-real" -DWARPPORT_NESTED_TESTS=OFF
step "Build $base" cmake --build "$base" -j "$(jobs)" --target \
  conformance conformance_logical8 fuzz warpport-demo test_cuda_gpu bench_cuda warpport-selftest mma_nearest
levels=
for level in 75 80; do
  if [ "$level" -lt "$arch" ] && "$nvcc" --list-gpu-arch | grep -qx "compute_$level"; then
    configure "$base-$level" -DWARPPORT_BACKENDS=cuda -DWARPPORT_CUDA_ARCHITECTURES="$level-virtual" \
      -DWARPPORT_NVCC_FLAGS="-gencode=arch=compute_$level,code=sm_$arch" -DWARPPORT_NESTED_TESTS=OFF
    step "Build $base-$level" cmake --build "$base-$level" -j "$(jobs)" --target conformance fuzz
    levels="$levels $level"
  fi
done

failed=0
: >"$out/summary.txt"
run() { # NAME COMMAND...: log in NAME.log, a line in the summary
  name=$1
  shift
  begin=$(date +%s)
  if "$@" >"$out/$name.log" 2>&1; then verdict=passed; else
    verdict="FAILED (exit code $?)"
    failed=1
    tail -n 30 "$out/$name.log"
  fi
  echo "$name: $verdict, $(($(date +%s) - begin)) s" | tee -a "$out/summary.txt"
}

gpu=0
while [ "$gpu" -lt "$count" ]; do
  d=cuda:$gpu
  run "conformance-$gpu" "$base/bin/conformance" --device "$d" --seed "$seed" --junit "$out/conformance-$gpu.xml" \
    --json "$out/conformance-$gpu.json"
  run "fuzz-$gpu" "$base/bin/fuzz" --device "$d" --seed "$seed" --programs "$programs"
  run "launch-$gpu" "$base/bin/test_cuda_gpu" "$d"
  run "demo-$gpu" "$base/bin/warpport-demo" -d cpu:32 -d "$d" --json "$out/demo-$gpu.json"
  run "selftest-$gpu" "$base/bin/warpport-selftest" "$d" --json "$out/selftest-$gpu.json" --backend "$out/selftest-$gpu.h"
  run "mma-$gpu" "$base/bin/mma_nearest" "$d" - 16384
  gpu=$((gpu + 1))
done
run conformance-logical8 "$base/bin/conformance_logical8" --device cuda:0 --seed "$seed" --junit "$out/conformance-logical8.xml" \
  --json "$out/conformance-logical8.json"
for level in $levels; do
  run "conformance-compute$level" "$base-$level/bin/conformance" --device cuda:0 --seed "$seed" \
    --junit "$out/conformance-compute$level.xml" --json "$out/conformance-compute$level.json"
  run "fuzz-compute$level" "$base-$level/bin/fuzz" --device cuda:0 --seed "$seed" --programs "$programs"
done
if command -v compute-sanitizer >/dev/null 2>&1; then
  # The driver says "not found" for each image that lacks a kernel: no error.
  run memcheck compute-sanitizer --tool memcheck --leak-check full --report-api-errors no --error-exitcode 9 \
    "$base/bin/warpport-demo" -d cuda:0 -l 20000
  run racecheck compute-sanitizer --tool racecheck --error-exitcode 9 "$base/bin/warpport-demo" -d cuda:0 -l 5000 -b 100
  run synccheck compute-sanitizer --tool synccheck --error-exitcode 9 "$base/bin/warpport-demo" -d cuda:0 -l 5000 -b 100
else
  echo "SKIPPED: memcheck, racecheck, synccheck: there is no compute-sanitizer" | tee -a "$out/summary.txt"
fi
run bench "$base/bin/bench_cuda" "$out/bench.json"

grep -h "" "$out/demo-0.log" "$out/bench.log" || true
echo "seed $seed"
cat "$out/summary.txt"
exit $failed
