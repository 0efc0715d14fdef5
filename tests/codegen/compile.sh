#!/bin/sh
# compile.sh nvcc|clang INCLUDE_DIR WORK_DIR KERNEL.c...: every kernel file as CUDA C++, for the architectures at which the header
# changes and the newest, as C++14, 17 and 20 in turn, with all warnings as errors; and one kernel that a compiler must refuse.
#   FULL=1   every file for each of these architectures and levels
# Exit code: 77 if the compiler is not there or does not accept the toolkit.
set -u
compiler=$1 include=$2 work=$3
shift 3
rm -rf "$work" && mkdir -p "$work/missing" && cd "$work" || exit 1
toolkit=${CUDA_HOME:-/usr/local/cuda}
passed=0 failed=0

skip() {
  echo "SKIPPED: $1"
  exit 77
}

one() { # architecture level file: compiles to PTX
  case $compiler in
  nvcc) $nvcc -x cu -ptx -arch="compute_$1" -std="c++$2" -fmad=false -Werror all-warnings -I "$include" -o out.ptx "$3" ;;
  clang)
    # Clang knows no toolkit from 13.0 on and includes a header that those no longer have; an empty one serves.
    $clang -x cuda --cuda-path="$toolkit" --cuda-device-only --cuda-gpu-arch="sm_$1" -nocudalib -S -O2 -std="c++$2" -ffp-contract=off \
      -Wno-unknown-cuda-version -Wall -Wextra -Werror -idirafter missing -I "$include" -o out.ptx "$3"
    ;;
  esac
}

try() {
  if one "$1" "$2" "$3" >log 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $3 for sm_$1 as C++$2"
    head -n 20 log
  fi
}

echo '#include <warpport/warpport.h>
WP_KERNEL(k, WP_GLOBAL float *x, int n) { if (n > 0) x[0] = wp_shfl(wp_mask_all(), x[0], n, 8); }' >probe.cu
case $compiler in
nvcc)
  nvcc=$(command -v nvcc || echo "$toolkit/bin/nvcc")
  [ -x "$nvcc" ] || skip "there is no nvcc"
  known=$($nvcc --list-gpu-arch)
  ;;
clang)
  for name in clang++-21 clang++-20 clang++-19 clang++; do
    clang=$(command -v $name) && break
  done
  [ -n "$clang" ] || skip "there is no clang++"
  [ -e "$toolkit/include/cuda_runtime.h" ] || skip "there is no CUDA toolkit in $toolkit"
  [ -e "$toolkit/include/texture_fetch_functions.h" ] || : >missing/texture_fetch_functions.h
  one 75 17 probe.cu >log 2>&1 || skip "$($clang --version | head -n 1) does not take the toolkit in $toolkit: $(grep -m 1 error log)"
  ;;
esac

archs=
for arch in 75 80 90 100 120; do
  case $compiler in
  nvcc) echo "$known" | grep -qx "compute_$arch" || continue ;;
  clang) one $arch 17 probe.cu >log 2>&1 || continue ;;
  esac
  archs="$archs $arch"
done
levels="14 17 20"
echo "$compiler, architectures:$archs"

turn=0
for file in "$@"; do
  at=0
  for arch in $archs; do
    for level in $levels; do
      # Without FULL one combination a file, each time the next.
      if [ "${FULL:-0}" = 1 ] || [ $at -eq $turn ]; then
        try "$arch" "$level" "$file"
      fi
      at=$((at + 1))
    done
  done
  turn=$(((turn + 1) % at))
done

# A constant width that is no power of two. nvcc cannot tell that it is constant.
if [ "$compiler" = clang ]; then
  sed 's/, 8)/, 12)/' probe.cu >bad.cu
  if one 80 17 bad.cu >log 2>&1; then
    failed=$((failed + 1))
    echo "FAILED: clang accepts a width of 12"
  elif grep -q "power of two" log; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: clang refuses a width of 12 with other words:"
    head -n 5 log
  fi
fi
echo "$passed compilations as they should be, $failed not"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
