#!/bin/sh
# new_chip.sh REPOSITORY WORK_DIR BUILD_DIR LINK CLANGXX: follows docs/new_chip.md to the letter: writes its ```c files, runs
# its ```sh blocks, in order; of the one named setup, which is done already, only the link line is tried. The backend file must
# be the one that the other tests use for tiny.
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
