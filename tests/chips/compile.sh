#!/bin/sh
# compile.sh CHIP CLANGXX INCLUDE_DIR WORK_DIR: compiles the chip's backend in clang's CUDA or HIP mode with no header but the stand-in's,
# for the host and for the device, in each of the toolchain's modes. No backend is named where the toolchain can be detected.
set -u
chip=$1 clangxx=$2 include=$3 work=$4
here=$(cd "$(dirname "$0")" && pwd)
warnings="-Wall -Wextra -Werror -Wno-unknown-cuda-version -Wno-unused-command-line-argument -Wno-pass-failed"
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
passed=0 failed=0

report() { # status title
  if [ "$1" -eq 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $2"
    head -n 30 log
  fi
}

cuda="-x cuda --cuda-gpu-arch=sm_80 -nocudainc -nocudalib"
hip="-x hip --offload-arch=gfx906 -nogpuinc -nogpulib"
if ! echo '__attribute__((global)) void k() {}' | "$clangxx" -x cuda --cuda-gpu-arch=sm_70 -nocudainc -nocudalib --cuda-device-only -S -o /dev/null - 2>log; then
  echo "SKIPPED: $clangxx has no CUDA mode: $(head -n 1 log)"
  exit 77
fi

# What the kernel file of both passes must agree on, and what was detected.
cat >facts.cpp <<END
#include <warpport/warpport.h>
static_assert(WARPPORT_BACKEND == NUMBER, "another backend was detected");
static_assert(WP_WARP_SIZE == LANES && WP_MAX_WARP_SIZE == LANES && sizeof(wp_mask) == LANES / 8, "host and device disagree");
END

# facts NUMBER LANES TITLE FLAGS DEVICE_FLAGS: what was detected, in two passes. both: and every operation.
facts() {
  operations=false
  passes "$@"
}
both() {
  operations=true
  passes "$@"
}
passes() {
  number=$1 lanes=$2 title=$3 common=$4 device=$5
  for pass in host device; do
    flags="$common --cuda-$pass-only"
    [ $pass = device ] && flags="$flags $device"
    # shellcheck disable=SC2086
    "$clangxx" $flags $warnings -std=c++17 -DNUMBER="$number" -DLANES="$lanes" -include "$here/standin/$chip.h" -I "$include" \
      -fsyntax-only facts.cpp >log 2>&1
    report $? "$title, $pass: facts"
    $operations || continue
    if [ "$chip" = supa ]; then # has no double and no 64-bit atomics, which everything.c takes for granted
      for kernels in language shuffle vote match reduce collect atomic math; do
        kernels=$here/../conformance/kernels_$kernels.c
        # shellcheck disable=SC2086
        "$clangxx" $flags $warnings -std=c++17 -include "$here/standin/$chip.h" -I "$include" -fsyntax-only "$kernels" >log 2>&1
        report $? "$title, $pass: $(basename "$kernels")"
      done
      continue
    fi
    # shellcheck disable=SC2086
    "$clangxx" $flags $warnings -std=c++17 -O0 -DFEW_TYPES -include "$here/standin/$chip.h" -I "$include" -S -emit-llvm \
      -o everything_$pass.ll "$here/../compile/everything.c" >log 2>&1
    report $? "$title, $pass: every operation"
  done
}

case $chip in
musa)
  facts 5 32 "mcc" "$cuda -D__MUSA__ -D__MUSACC__" "-D__MUSA_ARCH__=220"
  facts 5 32 "mcc posing as nvcc" "$cuda -D__MUSA__ -D__MUSACC__ -D__NVCC__ -D__CUDACC__" "-D__MUSA_ARCH__=310"
  both 5 32 "mcc, natives" "$cuda -D__MUSA__ -DWARPPORT_NATIVE_MATCH=1 -DWARPPORT_NATIVE_ACTIVE_MASK=1" "-D__MUSA_ARCH__=310"
  ;;
maca)
  facts 6 64 "mxcc" "$cuda -U__CUDA__ -D__MACA__ -D__MACACC__" "-U__CUDA_ARCH__ -D__MACA_ARCH__=1000"
  facts 6 64 "cucc" "$cuda -D__MACA__ -D__MACACC__ -D__CUDACC__ -D__NVCC__" "-D__MACA_ARCH__=1500"
  both 6 64 "cucc, natives" "$cuda -D__MACA__ -D__CUDACC__ -DWARPPORT_NATIVE_MATCH=1" "-D__MACA_ARCH__=1500"
  ;;
corex)
  facts 7 64 "clang++ -x ivcore" "$cuda -U__CUDA__ -D__ILUVATAR__" "-U__CUDA_ARCH__ -D__ivcore11__ -D__IVCORE_ARCH__=11"
  both 7 64 ".cu" "$cuda -D__ILUVATAR__ -D__CUDACC__" "-D__ivcore10__ -D__IVCORE_ARCH__=10"
  both 7 64 "exchange by memory" "$cuda -D__ILUVATAR__ -DWARPPORT_COREX_SHUFFLE_BY_MEMORY=1 -DWARPPORT_NATIVE_BALLOT=1" ""
  ;;
supa)
  both 9 32 "brcc" "$cuda -U__CUDA__ -D__SUPA__ -D__SUPACC__ -D__BRCC__" "-U__CUDA_ARCH__ -D__SUPA_ARCH__=100"
  ;;
dtk)
  both 8 64 "hipcc" "$hip -DWARPPORT_BACKEND=8" ""
  facts 8 64 "nvcc shim" "$hip -D__CUDACC__ -D__NVCC__ -DWARPPORT_BACKEND=8" ""
  # ds_bpermute must have been chosen, and no LDS been used.
  grep -q 'llvm.amdgcn.ds.bpermute' everything_device.ll && grep -q 'llvm.amdgcn.ballot.i64' everything_device.ll
  report $? "device code uses ds_bpermute and a 64-bit ballot"
  # Not detected; where the device's pass can tell, it says what to define.
  echo '#include <warpport/config.h>' >shim.cpp
  "$clangxx" -x c++ -D__CUDACC__ -D__AMDGCN__ -I "$include" -fsyntax-only shim.cpp >log 2>&1
  [ $? -ne 0 ] && grep -q 'define WARPPORT_BACKEND=8' log
  report $? "the shim without WARPPORT_BACKEND"
  ;;
minimal)
  facts 10 32 "template" "$cuda -DWARPPORT_BACKEND=10" ""
  both 10 64 "template, 64 lanes" "$cuda -DWARPPORT_BACKEND=10 -DWARPPORT_CHIP_LANES=64" ""
  echo '#include <warpport/config.h>' >denglin.cpp
  "$clangxx" -x c++ -D__DLGPUC64__ -D__CUDACC__ -I "$include" -fsyntax-only denglin.cpp >log 2>&1
  [ $? -ne 0 ] && grep -q 'WARPPORT_BACKEND=10' log
  report $? "an undetected chip is told what to do"
  ;;
esac

# An intrinsic that the toolchain is not known to have, or a mask type that it does not take, must fail.
if [ "$chip" != dtk ]; then
  number=$(sed -n "s/^ *\"$chip|.*-DWARPPORT_BACKEND=\([0-9]*\).*/\1/p" "$here/CMakeLists.txt" | head -n 1)
  [ "$chip" = minimal ] && number=10
  cp "$here/standin/common.h" . && sed '/__syncwarp/d' "$here/standin/$chip.h" >lacking.h
  # shellcheck disable=SC2086
  "$clangxx" $cuda --cuda-device-only $warnings -std=c++17 -DWARPPORT_BACKEND="$number" -include ./lacking.h -I "$include" -fsyntax-only \
    "$here/guards_kernel.c" >log 2>&1
  [ $? -ne 0 ] && grep -q '__syncwarp' log
  report $? "an undeclared intrinsic is an error"
fi

echo "$chip: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
