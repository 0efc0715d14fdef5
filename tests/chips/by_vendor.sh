#!/bin/sh
# by_vendor.sh NVCC BUILD_SH DIR: tools/selftest/build.sh with nvcc for an unknown vendor's compiler. The program must find every answer
# right where there is a GPU, and say that there is none elsewhere.
set -u
nvcc=$1 build=$2 dir=$3
rm -rf "$dir"
KERNEL_CC="$nvcc -x cu -std=c++17 -fmad=false ${WARPPORT_NVCC_FLAGS:-}" RUNTIME=cuda RUNTIME_HEADER='<cuda_runtime.h>' LINK="$nvcc" \
  FLAGS="-DWARPPORT_BACKEND=10 -DPROBE_NO_REDUCE" CONFORMANCE=no sh "$build" "$dir" || exit 1
"$dir/warpport-selftest" runtime --backend "$dir/my_chip.h" --json "$dir/found.json" >"$dir/found.txt" 2>&1
status=$?
cat "$dir/found.txt"
if nvidia-smi -L >/dev/null 2>&1; then
  exit $status
fi
[ $status -eq 1 ] && grep -q 'WP_ERROR_NO_DEVICE' "$dir/found.txt"
