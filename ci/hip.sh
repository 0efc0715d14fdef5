#!/bin/sh
# Everything about HIP. Compiles for every AMD chip with three generations of hipcc and with clang alone, checks the launcher against
# their headers, counts instructions, and executes: on the AMD GPU if there is one, else on an instruction emulator.
# Usage: sh ci/hip.sh [ctest option...]       results: $WARPPORT_BUILD_DIR/junit.xml
#   WARPPORT_BUILD_DIR   where to build; default build/hip
#   WARPPORT_ROOTS       where the root filesystems with the compilers are kept; default build/roots (1 GB each; made once, in a few minutes,
#                        by root with debootstrap; without them that part is skipped)
#   WARPPORT_MIRROR      of Debian; default http://deb.debian.org/debian
#   WARPPORT_HIP_MATRIX  quick: checks the conformance kernels' syntax; full: also compiles them all at -O0 and -O3 (default: full for one
#                        chip of 64 and one of 32 lanes a compiler, quick for the others); none
#   WARPPORT_HIP_EMULATE quick, full, or none: how much of the conformance suite runs on the emulator; default quick
#   TINYGRAD_DIR         a checkout of tinygrad, whose emulator executes AMD code; without it nothing is executed, and that is said
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/ci/lib.sh"
dir=${WARPPORT_BUILD_DIR:-$root/build/hip}
roots=${WARPPORT_ROOTS:-$root/build/roots}
matrix=${WARPPORT_HIP_MATRIX:-default}
emulate=${WARPPORT_HIP_EMULATE:-quick}
mirror=${WARPPORT_MIRROR:-http://deb.debian.org/debian}
failed=0

need_to_build
need g++ have_cxx_header cstddef
need libcmocka-dev have_module cmocka
need libcjson-dev have_module libcjson
need clang-19 have_command clang-19
need lld-19 have_command ld.lld-19
[ "$(id -u)" -ne 0 ] || need debootstrap have_command debootstrap
install_missing

# ---- the compilers of three Debian releases: hipcc 5.2.3, 5.7.1, 7.0.2 ----

make_root() { # RELEASE
  target=$roots/hip-$1
  [ ! -e "$target/ready" ] || return 0
  rm -rf "$target"
  mkdir -p "$roots"
  step "Debian $1 with hipcc" sh -ec "
    debootstrap --variant=minbase $1 $target $mirror
    printf 'Acquire::Check-Valid-Until \"false\";\nAPT::Install-Recommends \"false\";\n' >$target/etc/apt/apt.conf.d/99warpport
    printf '#!/bin/sh\nexit 101\n' >$target/usr/sbin/policy-rc.d
    chmod +x $target/usr/sbin/policy-rc.d
    chroot $target apt-get update
    DEBIAN_FRONTEND=noninteractive chroot $target apt-get install -y hipcc libamdhip64-dev rocm-device-libs cmake ninja-build g++ \
      libnuma-dev
    touch $target/ready"
}

in_root() { # RELEASE COMMAND...: with this repository at /src
  target=$roots/hip-$1
  shift
  mkdir -p "$target/src"
  # A private mount namespace: nothing is left mounted.
  unshare -m sh -ec '
    target=$1
    shift
    mount --bind "$0" "$target/src"
    mount -t proc proc "$target/proc"
    exec chroot "$target" "$@"' "$root" "$target" "$@"
}

note() { # STATUS TEXT
  if [ "$1" -ne 0 ] && [ "$1" -ne 77 ]; then
    failed=1
    echo "FAILED: $2"
  fi
}

# check RELEASE COMPILER full|quick CHIP...
check() {
  release=$1 compiler=$2 mode=$3
  shift 3
  case $matrix in quick | full) mode=$matrix ;; esac
  status=0
  for chip; do
    if [ "$release" = host ]; then
      sh "$root/tests/hip/compile.sh" "$compiler" "$root/include" "$dir/compile/$chip" "$mode" "$chip" || status=$?
    else
      in_root "$release" sh /src/tests/hip/compile.sh "$compiler" /src/include "/tmp/compile/$chip" "$mode" "$chip" || status=$?
    fi
    note $status "$release $compiler $chip"
  done
}

# launcher RELEASE: our declarations of the runtime against its header; programs that link it, by hipcc and by CMake, start without a GPU
launcher() {
  status=0
  in_root "$1" sh -ec '
    cc -std=c11 -D_GNU_SOURCE -DWARPPORT_CHECK_HIP_HEADERS -D__HIP_PLATFORM_AMD__ -Wall -Wextra -Wno-enum-compare -Werror -I /src/include -I /src/backends \
      -c -o /tmp/check.o /src/backends/hip/hip_backend.c
    echo "the launcher agrees with the headers of $(hipcc --version 2>/dev/null | head -n 1)"' || status=$?
  note $status "$1: the launcher and the runtime's headers"
  status=0
  in_root "$1" sh -ec '
    archs="--offload-arch=gfx90a --offload-arch=gfx1030"
    hipcc $archs -std=c++17 -O2 -Wall -Wextra -I /src/include -o /tmp/fat /src/tests/hip/language/fat.hip
    /tmp/fat' || status=$?
  [ $status -eq 77 ] || note $status "$1: a fat binary for gfx90a and gfx1030 by hipcc"
}
language() {
  status=0
  in_root "$1" sh -ec '
    rm -rf /tmp/language
    cmake -G Ninja -S /src/tests/hip/language -B /tmp/language -DWARPPORT_INCLUDE_DIR=/src/include >/tmp/language.log 2>&1 ||
      { cat /tmp/language.log; exit 1; }
    cmake --build /tmp/language
    /tmp/language/fat' || status=$?
  [ $status -eq 77 ] || note $status "$1: CMake's HIP language"
}

if [ "$matrix" != none ]; then
  # clang alone, as hipRTC users have it: no HIP header, own attributes.
  check host clang-19 quick gfx803 gfx900 gfx906 gfx908 gfx90a gfx942 gfx1010 gfx1030 gfx1100 gfx1151 gfx1200 gfx1201
  if [ "$(id -u)" -eq 0 ] && have_command debootstrap && unshare -m true 2>/dev/null; then
    for release in bookworm trixie sid; do make_root $release; done
    check bookworm hipcc full gfx90a gfx1030
    check bookworm hipcc quick gfx900 gfx906 gfx908
    launcher bookworm
    check trixie hipcc full gfx942 gfx1100
    check trixie hipcc quick gfx900 gfx90a gfx1030
    launcher trixie
    language trixie
    check sid hipcc full gfx950 gfx1201
    check sid hipcc quick gfx90a gfx942 gfx1030 gfx1100 gfx1151 gfx1200
    launcher sid
  else
    echo "SKIPPED: the compilers of other Debian releases; only root can make their root filesystems (and needs unshare)"
  fi
fi

# ---- execution ----

archs="gfx90a;gfx942;gfx1100;gfx1201"
if [ -e /dev/kfd ]; then
  echo "There is an AMD GPU (/dev/kfd): the tests run on it."
  archs="gfx900;gfx906;gfx908;gfx90a;gfx942;gfx1030;gfx1100;gfx1101;gfx1102;gfx1151;gfx1200;gfx1201"
fi
case $emulate in none) emulated=OFF ;; full) emulated=full ;; *) emulated=ON ;; esac
[ -n "${TINYGRAD_DIR:-}" ] || echo "TINYGRAD_DIR names no checkout of tinygrad: nothing will be executed on an emulator."
# shellcheck disable=SC2086
configure "$dir" "-DWARPPORT_BACKENDS=host;hip" "-DWARPPORT_HIP_ARCHITECTURES=$archs" -DWARPPORT_NESTED_TESTS=OFF -DWARPPORT_BUILD_BENCH=OFF \
  -DWARPPORT_HIP_EMULATE=$emulated ${WARPPORT_CMAKE_OPTIONS:-}
step "Build" cmake --build "$dir" -j "$(jobs)"
cat "$dir/warpport-summary.txt"
status=0
ctest --test-dir "$dir" --output-on-failure --output-junit junit.xml -j "$(jobs)" -R "^hip\.|conformance\..*devices|demo" "$@" || status=1
[ $failed -eq 0 ] && [ $status -eq 0 ]
