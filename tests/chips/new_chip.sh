#!/bin/sh
# new_chip.sh REPOSITORY WORK_DIR BUILD_DIR LINK CLANGXX: follows docs/new_chip.md to the letter: writes its ```c files, runs
# its ```sh blocks, in order; of the one named setup, which is done already, only the link line is tried. The backend file must
# be the one that the other tests use for tiny. Then breaks it: the self-test must say where.
set -u
WARPPORT=$1 work=$2 build=$3 WARPPORT_LINK=$4 CLANGXX=$5
export WARPPORT WARPPORT_LINK CLANGXX
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
awk '
  /^```c / { out = $2; next }
  /^```sh$/ { out = "steps.sh"; next }
  /^```$/ { out = ""; next }
  out != "" { print > out }
' "$WARPPORT/docs/new_chip.md"
[ -s tiny.h ] && [ "$(grep -c . steps.sh)" -gt 20 ] || { echo "docs/new_chip.md: the code blocks are gone"; exit 1; }
# What matters of the file: everything but comments.
code() { sed 's,/\*.*\*/,,; /^\/\*/,/\*\//d; /^ \*/d; /^$/d' "$1"; }
code tiny.h >ours && code "$WARPPORT/tests/chips/profiles/relative16.h" >theirs
diff ours theirs || { echo "docs/new_chip.md and tests/chips/profiles/relative16.h differ"; exit 1; }
sh -eux steps.sh >log 2>&1 || { tail -n 40 log; exit 1; }
grep -q '"right": true' tiny.json || { cat tiny.json; exit 1; }
grep -E '^(index_shuffle|up_before_the_first_lane|contract.ballot):|^seed 1: passed|tests,' log
grep -q '^seed 1: passed' log

# The setup's way to link, from the package file that a build has beside the library; a shared library would not be found again.
if [ -f "$build/warpport.pc" ] && [ -f "$build/libwarpport.a" ]; then
  line=$(sed -n 's/^export WARPPORT_LINK=//p' "$WARPPORT/docs/new_chip.md")
  [ -n "$line" ] || { echo "docs/new_chip.md: the setup has no WARPPORT_LINK"; exit 1; }
  link=
  mkdir parent && ln -s "$build" parent/build && cd parent && eval "link=$line" && cd .. || exit 1
  # shellcheck disable=SC2086
  c++ selftest.o selftest_kernel.o $link -o linked && ./linked cpu:16 >linked.txt || { echo "$link"; exit 1; }
fi

# broken NAME SED LINE...: tiny.h so changed must be found wrong, in these words.
broken() {
  sed "$2" tiny.h >"$1.h"
  cmp -s tiny.h "$1.h" && { echo "$1: nothing was changed"; exit 1; }
  # shellcheck disable=SC2086
  ./cc_tiny "-DWARPPORT_BACKEND_FILE=\"$1.h\"" -I. -c "$WARPPORT/tools/selftest/selftest_kernel.c" -o "$1.o" &&
    c++ selftest.o "$1.o" $WARPPORT_LINK -o "$1" || exit 1
  if "./$1" cpu:16 >"$1.txt" 2>&1; then
    echo "$1: the self-test found nothing wrong"
    exit 1
  fi
  for line in "$3" "${4:-$3}"; do
    grep -qxF "$line" "$1.txt" || { echo "$1: expected: $line"; cat "$1.txt"; exit 1; }
  done
}
broken swapped 's/tiny_up(/tiny_XX(/; s/tiny_down(/tiny_up(/; s/tiny_XX(/tiny_down(/' "contract.exchange: WRONG" \
  "#   lane 1 of warp 0: expected 0x81000007 (lane 0's value), got 0x8102000d (lane 2's value)"
broken lanes 's/LANES 16/LANES 8/' "contract.lane: WRONG" "#   lane 0 of warp 1: expected 0x0, got 0x8"
broken unsynchronised '/tiny_sync/d' "contract.sync: WRONG"
# tiny stops the program when lanes name different deltas: what was printed before must be there.
broken deltas 's/BY_UNIFORM_DELTA/BY_DELTA/' "contract.lane: right"
echo "4 wrong files found out"
