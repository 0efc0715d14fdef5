#!/bin/sh
# Runs warpport on every OpenCL implementation that this machine has or can be given, and names what it skipped.
# Usage: sh ci/opencl.sh [--full] [STAGE...]      results: $WARPPORT_BUILD_DIR/opencl-results (JUnit, JSON, logs)
#   stages (default: all, in this order):
#     spirv    kernels compiled to SPIR-V by clang and llvm-spirv and checked by spirv-val; the next stages load them where they can
#     pocl3    the machine's own PoCL (Debian 12: 3.1, no sub-groups): emulated warps
#     rusticl  Mesa's rusticl on llvmpipe from Debian 13's backports, in a root of its own: sub-groups of 4, 8 and 16 lanes
#     pocl6    Debian 13's PoCL 6, in a root of its own: emulated warps, and sub-groups of 32 and 64 lanes in uniform flow
#     intel    Intel's CPU runtime from PyPI (intel-opencl-rt)
#     nvidia   an NVIDIA device through OpenCL, if there is one
#   --full                  every type and block shape, and fuzz also where compiling its kernel takes minutes; hours.
#                           Default: every row in one type
#   All of it from nothing took 22 minutes on two busy cores, nearly all of them the drivers' compilers: a root 60 to 90 seconds; on an
#   implementation every row in u32 95 (rusticl) to 190 (PoCL 3.1), the host tests 10, the demo 5 to 30, fuzz 3 (Intel) to 160 (rusticl).
#   WARPPORT_BUILD_DIR      where to build; default build/opencl
#   WARPPORT_ROOTS          where roots are kept; default build/roots. About 1 GB each, made in a minute; only root can
# Exit code: 0 all that ran passed, 3 packages are missing and only root can install them, else something failed.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/ci/lib.sh"
build=${WARPPORT_BUILD_DIR:-$root/build/opencl} # configure() has a variable dir of its own
roots=${WARPPORT_ROOTS:-$root/build/roots}
results=$build/opencl-results
full=
stages=
for arg in "$@"; do
  case $arg in
  --full) full=1 ;;
  pocl3 | rusticl | pocl6 | intel | nvidia | spirv) stages="$stages $arg" ;;
  *) echo "$0: '$arg' is no stage; the stages are spirv pocl3 rusticl pocl6 intel nvidia" >&2; exit 2 ;;
  esac
done
: "${stages:=spirv pocl3 rusticl pocl6 intel nvidia}"

need_to_build
need g++ have_cxx_header cstddef
need libcmocka-dev have_module cmocka
need libcjson-dev have_module libcjson
need opencl-headers have_header CL/cl.h
need ocl-icd-libopencl1 have_file /usr/lib/x86_64-linux-gnu/libOpenCL.so.1
case $stages in *pocl3*) need pocl-opencl-icd have_file /etc/OpenCL/vendors/pocl.icd ;; esac
case $stages in *rusticl* | *pocl6*) need debootstrap have_command debootstrap ;; esac
install_missing

configure "$build" -DWARPPORT_BACKENDS=opencl -DWARPPORT_NESTED_TESTS=OFF -DWARPPORT_BUILD_BENCH=OFF
step "Build" cmake --build "$build" -j "$(jobs)" --target conformance --target conformance_logical8 --target warpport-demo \
  --target test_opencl --target opencl_traps --target warpport-selftest --target fuzz --target fuzz_few
mkdir -p "$results"
text=/usr/share/common-licenses/GPL-3
limit=1800 # seconds for one program; some compilers never end
[ -z "$full" ] || limit=18000
failed=0
summary=$results/summary.txt
: >"$summary"

note() { echo "$*" | tee -a "$summary"; }

# check NAME COMMAND...: runs it; its last lines say what was seen.
check() {
  what=$1
  shift
  start=$(date +%s)
  if "$@" >"$results/$what.log" 2>&1 </dev/null; then
    verdict=passed
  else
    verdict="FAILED ($?)"
    failed=$((failed + 1))
  fi
  note "$what: $verdict, $(($(date +%s) - start)) s; $(grep -E ' tests, |passed, |PASSED|runs, |programs, |answers are wrong' "$results/$what.log" | tail -1)"
  case $verdict in FAILED*) grep -E "FAIL|ERROR|rror:" "$results/$what.log" | head -5 || true ;; esac
}

# suite NAME DEVICE RUN...: the whole set on one device. RUN... is put before each command: a root, an environment.
# $types: those that are tested without --full, u32 and f32 if not set. $fuzz: not empty where the fuzz kernel compiles in minutes.
suite() {
  name=$1 device=$2
  shift 2
  note "$name: $("$@" warpport-demo --list 2>/dev/null | grep opencl: | tr -s ' ' | head -3 | tr '\n' ';' || true)"
  check "$name.host" "$@" test_opencl "$device" spirv/kernels.spv
  check "$name.selftest" "$@" warpport-selftest "$device" --json "$name.selftest.json"
  if [ -n "$full" ]; then
    check "$name.conformance" "$@" conformance --device "$device" --junit "$name.xml" --json "$name.json"
    check "$name.logical8" "$@" conformance_logical8 --device "$device" --quick
  else
    for type in ${types:-u32 f32}; do
      check "$name.conformance.$type" "$@" conformance --device "$device" --quick --type "$type" --junit "$name.$type.xml" --json "$name.$type.json"
    done
  fi
  check "$name.demo" "$@" warpport-demo --device "$device" --block 64 --block 100 "$text"
  if [ -n "${fuzz:-}$full" ]; then
    check "$name.fuzz" "$@" fuzz_few --device "$device" --programs 200
  else
    note "SKIPPED $name.fuzz: compiling its kernel takes minutes to an hour here; --full runs it"
  fi
}

# here COMMAND...: on this machine, with the programs of the build.
here() {
  program=$1
  shift
  (cd "$results" && WARPPORT_CACHE=$build/cache timeout -k 10 "$limit" "$build/bin/$program" "$@")
}

# make_root NAME PACKAGE...: a Debian 13 with these packages; an @ before a package takes it from backports.
make_root() {
  [ -e "$roots/$1/.ready" ] || [ "$(id -u)" -eq 0 ] || return 1
  name=$1
  shift
  debian_root "$roots/$name" trixie ocl-icd-libopencl1 libffi8 libdw1t64 libcjson1 libcmocka0 "$@"
}

# in_root NAME VARIABLE=VALUE... PROGRAM ARGUMENT...: in that root, with the programs of this build. The mounts end with the command.
in_root() {
  r=$roots/$1
  shift
  variables=
  while :; do
    case $1 in *=*) variables="$variables $1"; shift ;; *) break ;; esac
  done
  program=$1
  shift
  mkdir -p "$r/work" "$r/programs" "$r$(dirname $text)"
  cp -u "$text" "$r$text"
  # shellcheck disable=SC2016,SC2086
  unshare -m sh -c '
    r=$1 programs=$2 results=$3 variables=$4 limit=$5 program=$6
    shift 6
    for d in proc sys dev; do mount --bind /$d "$r/$d" || exit 1; done
    mount --bind "$programs" "$r/programs" && mount --bind "$results" "$r/work" || exit 1
    exec chroot "$r" env HOME=/work WARPPORT_CACHE=off $variables sh -c "cd /work && exec \"\$@\"" sh \
      timeout -k 10 "$limit" "/programs/$program" "$@"
  ' sh "$r" "$build/bin" "$results" "$variables" "$limit" "$program" "$@"
}

for stage in $stages; do
  case $stage in
  pocl3)
    if ! here warpport-demo --list 2>/dev/null | grep -q "Portable Computing Language"; then
      note "SKIPPED pocl3: this machine's loader shows no PoCL"
      continue
    fi
    # One version of each kernel for all block shapes: several times less to compile.
    POCL_WORK_GROUP_SPECIALIZATION=0
    export POCL_WORK_GROUP_SPECIALIZATION
    types="u32" suite pocl3 "opencl:Portable" here
    check pocl3.traps here opencl_traps Portable
    ;;
  rusticl)
    if ! (step "Root with rusticl" make_root rusticl @mesa-opencl-icd); then
      note "SKIPPED rusticl: no root could be made (needs root and Debian's packages)"
      continue
    fi
    # LP_NATIVE_VECTOR_WIDTH sets the width of a sub-group; Mesa's cache does not look at it, so it is off.
    for lanes in 8 4 16; do
      set -- RUSTICL_ENABLE=llvmpipe RUSTICL_FEATURES=fp64 MESA_SHADER_CACHE_DISABLE=true LP_NATIVE_VECTOR_WIDTH=$((lanes * 32))
      case $lanes in
      8) types=u32 fuzz=1 suite rusticl8 opencl:rusticl in_root rusticl "$@" ;;
      4) types=u32 suite rusticl4 opencl:rusticl in_root rusticl "$@" ;;
      16) # Mesa's compiler ends the process for some 64-bit operations at this width (tests/opencl/traps.c), so row by row
        check rusticl16.host in_root rusticl "$@" test_opencl opencl:rusticl spirv/kernels.spv
        for rows in 'K*' 'S*' 'R*' 'C[1-3]' 'D*' 'T[67]'; do
          check "rusticl16.conformance.$(echo "$rows" | tr -dc 'A-Z0-9')" in_root rusticl "$@" conformance --device opencl:rusticl --quick \
            --row "$rows" --type u32
        done
        ;;
      esac
    done
    check rusticl.traps in_root rusticl RUSTICL_ENABLE=llvmpipe MESA_SHADER_CACHE_DISABLE=true opencl_traps rusticl
    ;;
  pocl6)
    if ! (step "Root with PoCL 6" make_root pocl6 pocl-opencl-icd); then
      note "SKIPPED pocl6: no root could be made (needs root and Debian's packages)"
      continue
    fi
    types=u32 suite pocl6 opencl:Portable in_root pocl6 POCL_WORK_GROUP_SPECIALIZATION=0
    # Sub-groups as large as they are asked for, in uniform flow. Of 128 lanes they appear as two warps. Not every row: match (K1) and
    # others that loop until the whole block has finished were not compiled in 150 s.
    for lanes in 32 64 128; do
      for rows in 'L*:u64' 'M*:u64' 'S*:u32' 'V*:i32' 'R1:u32' 'R2:f32' 'C1:u32'; do
        check "pocl6.sub_group$lanes.$(echo "${rows%:*}" | tr -dc 'A-Z0-9')" in_root pocl6 POCL_WORK_GROUP_SPECIALIZATION=0 conformance \
          --device "opencl:Portable:sub_group=$lanes" --quick --row "${rows%:*}" --type "${rows#*:}"
      done
    done
    check pocl6.traps in_root pocl6 opencl_traps Portable
    ;;
  intel)
    venv=$roots/intel
    if ! have_command python3 || ! { [ -e "$venv/bin/python" ] || python3 -m venv "$venv" >"$results/intel.pip.log" 2>&1; } ||
      ! { [ -n "$(find "$venv" -name libsvml.so 2>/dev/null)" ] ||
        "$venv/bin/python" -m pip install -q intel-opencl-rt intel-cmplr-lib-rt >>"$results/intel.pip.log" 2>&1; }; then
      note "SKIPPED intel: intel-opencl-rt could not be installed: $(tail -1 "$results/intel.pip.log" 2>/dev/null)"
      continue
    fi
    library=$(find "$venv" -name libintelocl.so | head -n 1)
    mkdir -p "$build/intel-icd"
    echo "$library" >"$build/intel-icd/intel.icd"
    OCL_ICD_VENDORS=$build/intel-icd
    LD_LIBRARY_PATH=$(dirname "$library"):$(dirname "$(find "$venv" -name libsvml.so | head -n 1)")
    export OCL_ICD_VENDORS LD_LIBRARY_PATH
    if here warpport-demo --list 2>/dev/null | grep -q "opencl:0"; then
      types=u32 fuzz=1 suite intel opencl:0 here
      check intel.traps here opencl_traps "Intel(R) OpenCL"
    else
      note "SKIPPED intel: the runtime does not start on this processor ($(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1))"
    fi
    unset OCL_ICD_VENDORS LD_LIBRARY_PATH
    ;;
  nvidia)
    if ! here warpport-demo --list 2>/dev/null | grep -q "NVIDIA CUDA"; then
      note "SKIPPED nvidia: no NVIDIA OpenCL here"
      continue
    fi
    check nvidia.host here test_opencl "opencl:NVIDIA CUDA"
    check nvidia.conformance here conformance --device "opencl:NVIDIA CUDA" --junit nvidia.xml --json nvidia.json
    check nvidia.logical8 here conformance_logical8 --device "opencl:NVIDIA CUDA" --quick
    check nvidia.fuzz here fuzz --device "opencl:NVIDIA CUDA" --programs 1000
    check nvidia.demo here warpport-demo --device "opencl:NVIDIA CUDA" "$text"
    # The comparison with CUDA wants both kinds of kernels.
    both=$build/both
    if (configure "$both" "-DWARPPORT_BACKENDS=cuda;opencl" -DWARPPORT_NESTED_TESTS=OFF -DWARPPORT_BUILD_BENCH=OFF &&
      step "Build for CUDA, too" cmake --build "$both" --target opencl_nvidia); then
      check nvidia.against_cuda "$both/bin/opencl_nvidia"
    else
      note "SKIPPED nvidia.against_cuda: no CUDA compiler"
    fi
    ;;
  spirv)
    if sh "$root/tests/opencl/spirv.sh" "$root/include" "$results/spirv" | grep -q SKIPPED; then
      note "SKIPPED spirv: needs clang-N and llvm-spirv-N of one version, and spirv-val (Debian: clang-15 llvm-spirv-15 spirv-tools)"
    else
      check spirv sh "$root/tests/opencl/spirv.sh" "$root/include" "$results/spirv"
    fi
    ;;
  esac
done

echo
cat "$summary"
[ "$failed" -eq 0 ]
