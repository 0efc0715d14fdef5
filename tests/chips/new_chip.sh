#!/bin/sh
# new_chip.sh REPOSITORY WORK_DIR LIBRARY LINK CLANGXX: follows docs/new_chip.md to the letter: writes its ```c files, runs its ```sh blocks, in
# order. The backend file must be the one that the other tests use for tiny.
set -u
WARPPORT=$1 work=$2 WARPPORT_LIBRARY=$3 WARPPORT_LINK=$4 CLANGXX=$5
export WARPPORT WARPPORT_LIBRARY WARPPORT_LINK CLANGXX
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
