#!/bin/sh
# compilers.sh TESTS_DIR INCLUDE_DIR WORK_DIR LINK...: the same kernels and marks, compiled by other compilers, with and without
# optimisation, than the library they are linked with.
set -eu
tests=$1 include=$2 work=$3
shift 3
mkdir -p "$work" && cd "$work"
ran=0
try() { # compiler option...; then what links the program
  compiler=$1
  command -v "$compiler" >/dev/null 2>&1 || { echo "left out: no $compiler"; return 0; }
  shift
  options=
  while [ "$1" != -- ]; do options="$options $1"; shift; done
  shift
  for part in wrong right; do
    # shellcheck disable=SC2086
    "$compiler" $options -std=c11 -g -ffp-contract=off -I"$include" "$tests/$part.c" "$tests/test_checker.c" "$@" -o "$part"
    printf '%s%s, %s: ' "$compiler" "$options" "$part"
    ./$part $part "$tests/$part.c" >"$part.txt" || { cat "$part.txt"; return 1; }
    tail -n 1 "$part.txt"
    ran=$((ran + 1))
  done
}
try gcc -O0 -fno-crossjumping -fstack-clash-protection -- "$@"
try gcc -O3 -fno-crossjumping -fstack-clash-protection -funroll-all-loops -- "$@"
try clang -O0 -fstack-clash-protection -- "$@"
try clang -O2 -fstack-clash-protection -- "$@"
# A file that is named relative to where it is compiled still has its whole path in reports.
relative() { # compiler LINK...
  compiler=$1
  shift
  command -v "$compiler" >/dev/null 2>&1 || { echo "left out: no $compiler"; return 0; }
  for folder in "$tests" "$tests/.."; do
    from=$(cd "$folder" && pwd)
    name=${tests#"$from"}/wrong.c
    (cd "$from" && "$compiler" -std=c11 -g -ffp-contract=off -I"$include" "${name#/}" "$tests/test_checker.c" "$@" -o "$work/relative")
    ./relative wrong "$tests/wrong.c" outside_vote >relative.txt
    grep -q "^$tests/wrong.c:[0-9]*: error: " relative.txt || { echo "$compiler in $from:"; cat relative.txt; return 1; }
  done
}
relative gcc "$@"
relative clang "$@"
[ "$ran" -gt 0 ]
