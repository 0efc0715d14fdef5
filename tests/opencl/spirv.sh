#!/bin/sh
# spirv.sh INCLUDE_DIR WORK_DIR: kernels compiled offline to SPIR-V, and checked. Leaves everything.spv for a test to load.
# The driver optimises, so clang does not: what its passes make of loops has no valid SPIR-V form in older translators.
# On Debian: clang-15 llvm-spirv-15 spirv-tools, or newer ones of one version.
set -u
include=$1 work=$2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$work" && cd "$work" || exit 1
for v in 19 18 17 16 15; do
  if command -v clang-$v >/dev/null && command -v llvm-spirv-$v >/dev/null; then
    clang=clang-$v translate=llvm-spirv-$v
    break
  fi
done
if [ -z "${clang:-}" ] || ! command -v spirv-val >/dev/null; then
  echo "SKIPPED: no clang-N with llvm-spirv-N of the same version, or no spirv-val"
  echo "0 passed, 0 failed, 1 skipped"
  exit 77
fi
passed=0 failed=0
one() { # NAME FILE OPTION...
  name=$1 file=$2
  shift 2
  if "$clang" -x cl -cl-std=CL2.0 -target spir64 -O1 -Xclang -disable-llvm-passes -emit-llvm -c -Xclang -finclude-default-header -I "$include" "$@" "$file" -o "$name.bc" &&
    "$translate" --spirv-max-version=1.3 "$name.bc" -o "$name.spv" && spirv-val --target-env spv1.3 "$name.spv"; then
    echo "$name: $(wc -c <"$name.spv") bytes, valid"
    passed=$((passed + 1))
  else
    echo "FAILED: $name"
    failed=$((failed + 1))
  fi
}
one everything "$here/everything.c" -DEXPECT_DIALECT=1
one kernels "$here/kernels.c" -Docl_sum=ocl_sum_spirv -Docl_sizes=ocl_sizes_spirv -DWARPPORT_OPENCL_LINEAR=1
one emulated "$here/kernels.c" -DWARPPORT_OPENCL_DIALECT=6 -DWARPPORT_OPENCL_STORAGE_ARGUMENT=1
echo "spirv: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
