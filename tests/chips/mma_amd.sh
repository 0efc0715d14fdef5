#!/bin/sh
# mma_amd.sh CLANGXX INCLUDE_DIR KERNEL WORK_DIR: examples/mma_nearest for AMD's matrix units: the instruction must be there, once for each
# product of 16 along K in both kernels.
set -u
clangxx=$1 include=$2 kernel=$3 work=$4
mkdir -p "$work" && cd "$work" || exit 1
if ! echo '__attribute__((global)) void k() {}' | "$clangxx" -x hip --cuda-device-only -nogpuinc -nogpulib --offload-arch=gfx90a -S -o /dev/null - 2>log; then
  echo "SKIPPED: $clangxx has no HIP mode: $(head -n 1 log)"
  exit 77
fi
failed=0
for case in gfx90a:v_mfma_f32_16x16x16 gfx942:v_mfma_f32_16x16x16 gfx1100:v_wmma_f32_16x16x16_f16 gfx906:none; do
  arch=${case%%:*} name=${case#*:}
  if ! "$clangxx" -x hip --cuda-device-only -nogpuinc -nogpulib --offload-arch=$arch -O2 -std=c++17 -Wall -Wextra -Werror -Wno-pass-failed \
    -I "$include" -S -o $arch.s "$kernel" >log 2>&1; then
    if ! echo '__attribute__((global)) void k() {}' | "$clangxx" -x hip --cuda-device-only -nogpuinc -nogpulib --offload-arch=$arch -S -o /dev/null - 2>/dev/null; then
      echo "skipped: $clangxx does not know $arch"
      continue
    fi
    echo "FAILED: $arch"
    head -n 20 log
    failed=1
    continue
  fi
  count=$(grep -c "$name" $arch.s)
  if [ "$name" = none ]; then
    count=$(grep -cE 'v_mfma|v_wmma' $arch.s)
    [ "$count" -eq 0 ] && echo "$arch: no matrix unit, none used" && continue
  elif [ "$count" -ge 8 ]; then
    echo "$arch: $count times $name"
    continue
  fi
  echo "FAILED: $arch: $count times $name"
  failed=1
done
exit $failed
