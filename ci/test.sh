#!/bin/sh
# Installs what the tests need, builds everything this machine can build, and runs all tests.
# Usage: sh ci/test.sh [ctest option...]     results: $WARPPORT_BUILD_DIR/junit.xml
#   WARPPORT_BUILD_DIR       where to build; default build/test
#   WARPPORT_CMAKE_OPTIONS   further options for cmake, split at spaces
#                            (.ci/run makes warnings errors; here a compiler we have not seen may have new ones)
#   WARPPORT_NO_DOWNLOAD     do not fetch NVIDIA's compiler and disassembler for the codegen tests (ci/cuda_tools.sh)
# Exit code: 0 all passed, 3 packages are missing and only root can install them, else a step or a test failed.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/ci/lib.sh"
dir=${WARPPORT_BUILD_DIR:-$root/build/test}

need_to_build
need g++ have_cxx_header cstddef
need libcmocka-dev have_module cmocka
need libcjson-dev have_module libcjson
need clang have_command clang
# Debian 12's clang 14 is too old for the AMD tests and for the Hygon stand-in; all three systems have 19.
need clang-19 have_command clang-19
need valgrind have_command valgrind
# PoCL has a CPU be an OpenCL device.
need opencl-headers have_header CL/cl.h
need ocl-icd-libopencl1 have_library libOpenCL.so.1
need pocl-opencl-icd have_file /etc/OpenCL/vendors/pocl.icd
install_missing

# Without an NVIDIA GPU the kernels' images are only compiled, so one architecture will do; tests/codegen covers the others.
cuda_option=
[ -e /dev/nvidiactl ] || [ -e /dev/dxg ] || cuda_option=-DWARPPORT_CUDA_ARCHITECTURES=75-virtual

# NVRTC and nvdisasm for tests/codegen, a few megabytes, where pip is; without them those tests say what they leave out.
[ -n "${WARPPORT_NO_DOWNLOAD:-}" ] || sh "$root/ci/cuda_tools.sh" "$dir/cuda-tools" || true

# shellcheck disable=SC2086
configure "$dir" $cuda_option ${WARPPORT_CMAKE_OPTIONS:-}
step "Build" cmake --build "$dir" -j "$(jobs)"
cat "$dir/warpport-summary.txt"
exec ctest --test-dir "$dir" --output-on-failure --output-junit junit.xml -j "$(jobs)" "$@"
