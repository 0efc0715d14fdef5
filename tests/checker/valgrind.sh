#!/bin/sh
# valgrind.sh VALGRIND PROGRAM: memcheck follows a value that nobody gave from the exchange, or from memory, to the first use that
# matters, and has nothing to say of one that is not used.
set -eu
valgrind=$1 program=$2
failures=0
run() { # EXIT KERNEL
  code=0
  out=$(WARPPORT_CHECK=-WP114 "$valgrind" -q --error-exitcode=99 "$program" "$2" 2>&1) || code=$?
  if [ "$code" -ne "$1" ] || { [ "$1" = 99 ] && ! echo "$out" | grep -q "sweep_[a-z]*[.]c:[0-9]"; }; then
    echo "FAIL $2: exit code $code instead of $1, or no line of the user's: $out"
    failures=$((failures + 1))
  fi
}
run 99 poison_exchange
run 99 poison_branch
run 0 no_poison
run 0 no_poison_unused
run 0 no_poison_exchange
echo "$failures failures"
[ "$failures" -eq 0 ]
