#!/bin/sh
# Builds warpport-selftest with a vendor's compiler, for a chip that libwarpport has no launcher for.
#
#   KERNEL_CC='mcc -x musa --offload-arch=mp_22' RUNTIME=musa RUNTIME_HEADER='<musa_runtime.h>' LINK='mcc -lmusart' sh build.sh DIR
#
# KERNEL_CC       the vendor's compiler with the options that make it compile a .c file as kernel code (C++)
# LINK            what links host objects with the runtime; default: KERNEL_CC's first word
# RUNTIME         prefix of the runtime's functions: cuda, musa, mc, hip, su ...
# RUNTIME_HEADER  its header in brackets or quotes
# FLAGS           for the kernels: -DWARPPORT_BACKEND=10 -DWARPPORT_CHIP_LANES=64 -DPROBE_NO_MATCH ..., or
#                 -DWARPPORT_BACKEND_FILE="my_chip.h" -I. for a file of your own in the folder that you call this from
# CONFORMANCE     yes (default) links the conformance suite too, which needs libcjson; no leaves it out
# CC, CJSON       the host's C compiler (cc), and how to link cJSON (-lcjson)
#
# Result: DIR/warpport-selftest; its device is called "runtime".
set -eu
dir=${1:?usage: KERNEL_CC=... RUNTIME=... RUNTIME_HEADER=... sh build.sh DIR}
: "${KERNEL_CC:?}"
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
runtime=${RUNTIME:-cuda} header=${RUNTIME_HEADER:-<cuda_runtime.h>} cc=${CC:-cc} conformance=${CONFORMANCE:-yes}
link=${LINK:-${KERNEL_CC%% *}}
mkdir -p "$dir"
objects= # one a line
newline='
'

# shellcheck disable=SC2086
kernel() {
  echo "$2"
  $KERNEL_CC -I"$root/include" -include "$here/entry.h" ${FLAGS:-} -c "$1" -o "$dir/$2"
  objects=$objects$dir/$2$newline
}
host() { # SOURCE OBJECT FLAG...
  source=$1 object=$2
  shift 2
  "$cc" -std=gnu11 -O2 -I"$root/include" "$@" -c "$source" -o "$dir/$object"
  objects=$objects$dir/$object$newline
}

kernel "$here/selftest_kernel.c" selftest_kernel.o
echo runtime_launch.o
# shellcheck disable=SC2086
$KERNEL_CC -I"$root/include" -DRT="$runtime" "-DRT_HEADER=$header" -c "$here/runtime_launch.cpp" -o "$dir/runtime_launch.o"
objects=$objects$dir/runtime_launch.o$newline
libraries=
if [ "$conformance" = yes ]; then
  host "$here/selftest.c" selftest.o -DWITH_CONFORMANCE
  for source in "$root"/tests/conformance/*.c; do
    name=$(basename "$source" .c)
    case $name in
    kernels_*) kernel "$source" "$name.o" ;;
    main) host "$source" conformance_main.o -Dmain=conformance_main ;;
    test_*) ;;
    *) host "$source" "$name.o" -ffp-contract=off ;;
    esac
  done
  libraries="${CJSON:--lcjson} -lm"
else
  host "$here/selftest.c" selftest.o
fi
IFS=$newline
# shellcheck disable=SC2086
set -- $objects
unset IFS
# shellcheck disable=SC2086
$link -o "$dir/warpport-selftest" "$@" $libraries
echo "built $dir/warpport-selftest; run: $dir/warpport-selftest runtime --backend my_chip.h --json my_chip.json"
