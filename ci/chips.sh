#!/bin/sh
# All tests of the chips that are not here: their backends compiled and run on emulated chips, optimised, all made-up chips at 32 and 64
# lanes, and the index arithmetic proved by a model checker. ci/test.sh runs the quick part of this.
# Ten minutes on 16 cores; an hour or two on 2, nearly all of it clang optimising.
# Usage: sh ci/chips.sh [ctest option...]      results: $WARPPORT_BUILD_DIR/chips.xml
#   WARPPORT_BUILD_DIR  where to build; default build/chips
#   WARPPORT_ROOTS      where root filesystems are kept; default build/roots. CBMC, the model checker, is in Debian 13; on other systems a
#                       Debian 13 root filesystem is made there once (600 MB; needs root and debootstrap, else that test is skipped)
#   TINYGRAD_DIR        a checkout of github.com/tinygrad/tinygrad: then code for gfx906 is executed, too (hours)
#   WARPPORT_MIRROR     of Debian; default where apt takes it from, else http://deb.debian.org/debian
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/ci/lib.sh"
dir=${WARPPORT_BUILD_DIR:-$root/build/chips}
WARPPORT_ROOTS=${WARPPORT_ROOTS:-$root/build/roots}
export WARPPORT_ROOTS

need_to_build
need g++ have_cxx_header cstddef
need libcmocka-dev have_module cmocka
need libcjson-dev have_module libcjson
need libdw-dev have_module libdw
need clang have_command clang
case $(system_name) in
"debian 13") need cbmc have_command cbmc ;;
*) [ "$(id -u)" -ne 0 ] || need debootstrap have_command debootstrap ;;
esac
install_missing

if ! have_command cbmc && [ ! -x "$WARPPORT_ROOTS/trixie/usr/bin/cbmc" ]; then
  if [ "$(id -u)" -eq 0 ]; then
    step "Make a Debian 13 root filesystem with CBMC" debian_root "$WARPPORT_ROOTS/trixie" trixie cbmc gcc libc6-dev
  else
    echo "No CBMC, and only root can make a Debian 13 root filesystem: chips.model will be skipped."
  fi
fi

# Code for Hygon's gfx906 runs on an instruction emulator, where there is one.
backends=host
if [ -n "${TINYGRAD_DIR:-}" ]; then
  backends="host;hip"
else
  echo "TINYGRAD_DIR names no checkout of tinygrad, whose emulator runs AMD code: chips.gfx906.* are left out."
fi
configure "$dir" -DWARPPORT_CHIPS=full "-DWARPPORT_BACKENDS=$backends" -DWARPPORT_BUILD_EXAMPLES=OFF -DWARPPORT_NESTED_TESTS=OFF
step "Build" cmake --build "$dir" --target chips -j "$(jobs)"
exec ctest --test-dir "$dir" -L chips --output-on-failure --output-junit chips.xml -j "$(jobs)" "$@"
