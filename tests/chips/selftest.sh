#!/bin/sh
# selftest.sh EXPECTED WORK_DIR PROGRAM DEVICE [GUARDS_OBJECT CLANGXX FLAGS... -- LINK...]: runs warpport-selftest, which must find each
# line of EXPECTED. If the chip's functions have CUDA's names, the backend file it writes is compiled for the emulated chip and must
# pass the guard test.
set -u
expected=$1 work=$2 program=$3 device=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
"$program" "$device" --json found.json --backend my_chip.h >found.txt || { cat found.txt; exit 1; }
failed=0
while IFS= read -r line; do
  grep -qxF "$line" found.txt && continue
  echo "expected: $line"
  echo "found:    $(grep "^${line%%:*}:" found.txt)"
  failed=1
done <"$expected"
[ -s "$expected" ] || failed=1
grep -q '"right": true' found.json || failed=1
[ $failed -eq 0 ] || exit 1
grep -c : "$expected" | sed 's/$/ facts found/'
[ $# -gt 0 ] && grep -q "^names: CUDA's" found.txt || exit 0

guards=$1 clangxx=$2
shift 2
options=
while [ "$1" != -- ]; do
  options="$options $1"
  shift
done
shift
# shellcheck disable=SC2086
"$clangxx" -x c++ -std=c++17 -O0 -Wall -Wextra -Wno-pass-failed -Xclang -fconvergent-functions -DSTANDIN_EMULATED=1 -DSTANDIN_STRICT=1 \
  $options "-DWARPPORT_BACKEND_FILE=\"$work/my_chip.h\"" -o kernel.o -c "$here/guards_kernel.c" &&
  "$clangxx" -o guards "$guards" kernel.o "$@" && ./guards "$device" 10
