#!/bin/sh
# Everything about HIP. Compiles for every AMD chip with three generations of hipcc and with clang alone, checks the launcher against
# their headers, counts instructions, and executes: on the AMD GPU if there is one, else on an instruction emulator.
# Usage: sh ci/hip.sh [ctest option...]       results: $WARPPORT_BUILD_DIR/compile/*.log, junit.xml, tests/hip/results
#   WARPPORT_BUILD_DIR   where to build; default build/hip
#   WARPPORT_ROOTS       where the root filesystems with the compilers are kept; default build/roots (1.5 GB each; made once, in two
#                        minutes, by root with debootstrap; without them that part is skipped)
#   WARPPORT_MIRROR      of Debian; default where apt takes it from, else http://deb.debian.org/debian
#   WARPPORT_HIP_MATRIX  of compilers and chips. few: the conformance kernels at -O3 for one chip a compiler; quick: also their syntax for
#                        all chips that each compiler knows; full: all kernels at -O0 and -O3 for all chips; none. Default: few
#   WARPPORT_HIP_EMULATE quick: two block shapes of the conformance suite on gfx90a and gfx1100, logical warps of 32 lanes on gfx90a, and
#                        the examples, these by each hipcc, too; full: all shapes on five chips, logical warps of 32, 16 and 8 lanes, and
#                        the suite by each hipcc; none. Default: quick
#   TINYGRAD_DIR         a checkout of tinygrad, whose emulator executes AMD code; without it nothing is executed, and that is said
# CPU time, measured: a root filesystem 46 s; the suite's syntax for one chip and hipcc 40 s; a compiler's programs 21 s; building suite and
# examples for five chips by clang 19 250 s; the suite on the emulator 105 to 140 s a chip in quick, 420 s in full.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/ci/lib.sh"
dir=${WARPPORT_BUILD_DIR:-$root/build/hip}
roots=${WARPPORT_ROOTS:-$root/build/roots}
matrix=${WARPPORT_HIP_MATRIX:-few}
emulate=${WARPPORT_HIP_EMULATE:-quick}

in_root() { # RELEASE COMMAND...: with this repository at /src
  target=$roots/hip-$1
  shift
  mkdir -p "$target/src"
  # A private mount namespace: nothing is left mounted.
  # shellcheck disable=SC2016
  unshare -m sh -ec '
    target=$1
    shift
    mount --bind "$0" "$target/src"
    mount -t proc proc "$target/proc"
    exec chroot "$target" "$@"' "$root" "$target" "$@"
}

# sh ci/hip.sh --check WHAT RELEASE [MODE CHIP...]: one part, as the script calls itself for several at a time.
if [ "${1:-}" = --check ]; then
  what=$2 release=$3 mode=${4:-}
  [ $# -lt 4 ] || shift 4
  case $what in
  compile)
    if [ "$release" = host ]; then
      sh "$root/tests/hip/compile.sh" clang-19 "$root/include" "$dir/compile/$mode-$1" "$mode" "$@"
    else
      in_root "$release" sh /src/tests/hip/compile.sh hipcc /src/include "/tmp/compile/$mode-$1" "$mode" "$@"
    fi
    ;;
  launcher) # our declarations of the runtime against its header
    in_root "$release" sh -ec '
      cc -std=c11 -D_GNU_SOURCE -DWARPPORT_CHECK_HIP_HEADERS -D__HIP_PLATFORM_AMD__ -Wall -Wextra -Wno-enum-compare -Werror -I /src/include \
        -I /src/backends -c -o /tmp/check.o /src/backends/hip/hip_backend.c
      echo "the launcher agrees with the headers of $(hipcc --version 2>/dev/null | head -n 1)"'
    ;;
  program) # one program for two chips, by plain hipcc; without a GPU it starts and says so
    in_root "$release" sh -ec '
      archs="--offload-arch=gfx90a --offload-arch=$0"
      hipcc $archs -std=c++17 -O2 -Wall -Wextra -Werror -Wno-unused-command-line-argument -I /src/include -o /tmp/fat /src/tests/hip/language/fat.hip
      echo "one program for gfx90a and $0:"
      /tmp/fat' "$mode" || [ $? -eq 77 ]
    ;;
  language) # the same by CMake's HIP language
    in_root "$release" sh -ec '
      rm -rf /tmp/language
      cmake -G Ninja -S /src/tests/hip/language -B /tmp/language -DWARPPORT_INCLUDE_DIR=/src/include
      cmake --build /tmp/language
      /tmp/language/fat' || [ $? -eq 77 ]
    ;;
  esac
  exit
fi

need_to_build
need g++ have_cxx_header cstddef
need libcmocka-dev have_module cmocka
need libcjson-dev have_module libcjson
need clang-19 have_command clang-19
need lld-19 have_command ld.lld-19
[ "$(id -u)" -ne 0 ] || need debootstrap have_command debootstrap
install_missing

# ---- compilers: clang 19 alone, as hipRTC users have it, and hipcc 5.2.3, 5.7.1, 7.0.2 of three Debian releases ----

list=$dir/compile/list.txt
mkdir -p "$dir/compile"
: >"$list"
# compile RELEASE CHIP...: the first one at least optimised
compile() {
  release=$1 mode=optimised
  shift
  for chip; do
    [ "$matrix" != full ] || mode=full
    echo "compile $release $mode $chip" >>"$list"
    [ "$matrix" != few ] || break
    mode=quick
  done
}
if [ "$matrix" != none ]; then
  compile host gfx90a gfx803 gfx900 gfx906 gfx908 gfx942 gfx1010 gfx1030 gfx1100 gfx1151 gfx1200 gfx1201
  if [ "$(id -u)" -eq 0 ] && have_command debootstrap && unshare -m true 2>/dev/null; then
    for release in bookworm trixie sid; do
      [ -e "$roots/hip-$release/.ready" ] || step "Debian $release with hipcc" debian_root "$roots/hip-$release" $release \
        hipcc libamdhip64-dev cmake ninja-build g++ libnuma-dev
      echo "launcher $release" >>"$list"
    done
    compile bookworm gfx90a gfx900 gfx906 gfx908 gfx1030
    compile trixie gfx1100 gfx900 gfx90a gfx942 gfx1030
    compile sid gfx1201 gfx90a gfx942 gfx950 gfx1030 gfx1100 gfx1151 gfx1200
    # hipcc 5.2.3 is not meant for gfx1100, Debian 13's CMake does not find HIP's language there
    echo "compile bookworm programs gfx90a gfx1030
program bookworm gfx1030
compile trixie programs gfx90a gfx1100
program trixie gfx1100
compile sid programs gfx90a gfx1100
program sid gfx1100
language sid" >>"$list"
  else
    echo "SKIPPED: the compilers of other Debian releases; only root can make their root filesystems (and needs unshare)"
  fi
fi
# One line a check, as each ends; the whole output is in a file.
failed=0
export WARPPORT_BUILD_DIR="$dir" WARPPORT_ROOTS="$roots"
# shellcheck disable=SC2016
[ ! -s "$list" ] || xargs -P "$(jobs)" -L 1 sh -c '
  log=$1/compile/$(echo "$2" "$3" "${4:-}" "${5:-}" | tr -s " " -).log
  start=$(date +%s)
  shift
  if sh "$0" --check "$@" >"$log" 2>&1; then verdict=; else verdict="FAILED: "; fi
  echo "$verdict$*, $(($(date +%s) - start)) s: $(tail -n 1 "$log")"
  [ -z "$verdict" ] || { head -n 40 "$log"; exit 1; }' "$0" "$dir" <"$list" || failed=1

# ---- execution ----

archs="gfx90a;gfx1100"
[ "$emulate" != full ] || archs="gfx906;gfx90a;gfx942;gfx1100;gfx1201"
device=OFF
case $emulate in none) emulated=OFF ;; full) emulated=full ;; *) emulated=ON ;; esac
if [ -e /dev/kfd ]; then
  echo "There is an AMD GPU (/dev/kfd): the tests run on it."
  archs="gfx900;gfx906;gfx908;gfx90a;gfx942;gfx950;gfx1030;gfx1100;gfx1101;gfx1102;gfx1151;gfx1200;gfx1201"
  device=ON
fi
if [ -z "${TINYGRAD_DIR:-}" ]; then
  echo "TINYGRAD_DIR names no checkout of tinygrad: nothing will be executed on an emulator."
  emulated=OFF
fi
# shellcheck disable=SC2086
configure "$dir" "-DWARPPORT_BACKENDS=host;hip" "-DWARPPORT_HIP_ARCHITECTURES=$archs" -DWARPPORT_NESTED_TESTS=OFF -DWARPPORT_BUILD_BENCH=OFF \
  -DWARPPORT_HIP_EMULATE=$emulated -DWARPPORT_HIP_DEVICE=$device ${WARPPORT_CMAKE_OPTIONS:-}
step "Build" cmake --build "$dir" -j "$(jobs)" --target hip_tests
cat "$dir/warpport-summary.txt"
status=0
ctest --test-dir "$dir" --output-on-failure --output-junit junit.xml -j "$(jobs)" -L '^hip$' -E hip.compile "$@" || status=1

# What other compilers make of the kernels, executed. A hipcc of another root is a script that enters it, with the same paths.
by_hipcc() { # RELEASE CHIPS
  release=$1 build=$here/$1
  cat >"$here/hipcc-$release" <<END
#!/bin/sh
exec unshare -m sh -ec '
  target=$roots/hip-$release
  for d in $root $here; do mkdir -p "\$target\$d"; mount --bind "\$d" "\$target\$d"; done
  mount -t proc proc "\$target/proc"
  exec chroot "\$target" sh -c "cd \"\\\$0\" && exec hipcc \"\\\$@\"" "\$@"' sh "\$PWD" "\$@"
END
  chmod +x "$here/hipcc-$release"
  mkdir -p "$build"
  configure "$build" "-DWARPPORT_BACKENDS=host;hip" "-DWARPPORT_HIP_ARCHITECTURES=$2" "-DWARPPORT_HIP_COMPILER=$here/hipcc-$release" \
    -DWARPPORT_NESTED_TESTS=OFF -DWARPPORT_BUILD_BENCH=OFF "-DWARPPORT_HIP_EMULATE=$emulated"
  set -- test_hip warpport-demo warpport_hip_standin
  tests='hip.gfx.*\.(host|demo)'
  if [ "$emulated" = full ]; then
    set -- hip_tests
    tests='hip.gfx'
  fi
  # shellcheck disable=SC2046
  step "Build with the hipcc of Debian $release" cmake --build "$build" -j "$(jobs)" $(printf -- '--target %s ' "$@")
  ctest --test-dir "$build" --output-on-failure --output-junit junit.xml -j "$(jobs)" -R "$tests" || status=1
}
here=$dir # configure() has a variable of that name
if [ "$emulated" != OFF ] && [ "$(id -u)" -eq 0 ] && [ -e "$roots/hip-sid/.ready" ] && unshare -m true 2>/dev/null; then
  by_hipcc bookworm gfx906
  by_hipcc trixie gfx942
  by_hipcc sid gfx1201
fi
[ $failed -eq 0 ] && [ $status -eq 0 ]
