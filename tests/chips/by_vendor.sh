#!/bin/sh
# by_vendor.sh NVCC BUILD_SH DIR: tools/selftest/build.sh with nvcc for an unknown vendor's compiler. The program must find
# every answer right where there is a GPU, and say that there is none elsewhere. Once with a backend of this repository, once
# with a copy of the template in the caller's folder.
set -u
nvcc=$1 build=$2 dir=$3
rm -rf "$dir"
runs() { # the program in folder $1
  "$1/warpport-selftest" runtime --backend "$1/my_chip.h" --json "$1/found.json" >"$1/found.txt" 2>&1
  status=$?
  cat "$1/found.txt"
  if nvidia-smi -L >/dev/null 2>&1; then
    return $status
  fi
  [ $status -eq 1 ] && grep -q 'WP_ERROR_NO_DEVICE' "$1/found.txt"
}
export KERNEL_CC="$nvcc -x cu -std=c++17 -fmad=false ${WARPPORT_NVCC_FLAGS:-}" LINK="$nvcc"
export RUNTIME=cuda RUNTIME_HEADER='<cuda_runtime.h>' CONFORMANCE=no
FLAGS="-DWARPPORT_BACKEND=10 -DPROBE_NO_REDUCE" sh "$build" "$dir" && runs "$dir" || exit 1

template=$(dirname "$build")/../../include/warpport/backend/minimal.h
mkdir "$dir/own" && cp "$template" "$dir/own/my_own.h" && cd "$dir/own" || exit 1
FLAGS='-DWARPPORT_BACKEND_FILE="my_own.h" -I. -DPROBE_CUDA_NAMES -DPROBE_NO_REDUCE' sh "$build" "built here" && runs "built here"
