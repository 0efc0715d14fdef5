#!/bin/sh
# sweep.sh CHECK PROGRAM: warpport-check finds what is wrong in sweep_kernels.c, and nothing in what is right.
set -eu
check=$1
program=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# wrong EXIT PATTERN option... KERNEL: ends with that code and says that
expect() {
  wanted=$1
  pattern=$2
  shift 2
  code=0
  "$check" "$@" >"$work/out" 2>&1 || code=$?
  if [ "$code" -ne "$wanted" ] || ! grep -Eq -- "$pattern" "$work/out"; then
    echo "FAIL warpport-check $*: exit code $code instead of $wanted, or no '$pattern' in"
    cat "$work/out"
    failures=$((failures + 1))
  fi
}
few="--lanes=32,64 --random=2"

for kernel in race_neighbour race_one_writer race_reduce race_active_mask; do
  expect 1 "error: \[WP140\] .*kernel '$kernel'" $few --profiles=cuda70 "$program" $kernel
done
for kernel in poison_shared poison_global; do
  expect 1 "error: \[WP141\] .*kernel '$kernel'" $few --profiles=cuda70 "$program" $kernel
done
WARPPORT_CHECK=-WP114 expect 1 "error: \[WP141\] .*kernel 'poison_exchange'" $few --profiles=cuda70,hip "$program" poison_exchange
for kernel in lanes_offsets lanes_modulo lanes_half_count; do
  expect 1 "error: \[WP142\] .*kernel '$kernel'" $few --profiles=cuda70 --lane-independent "$program" $kernel
done
expect 1 "sweep_kernels.c:[0-9]+: error: \[WP105\] .*lanes 1-31" $few --profiles=cuda70 "$program" misuse

for kernel in no_race_reduce no_race_append no_poison no_poison_unused; do
  expect 0 "0 failed, 0 differed" $few "$program" $kernel
done
for kernel in no_lanes_sum no_lanes_count; do
  expect 0 "0 failed, 0 differed" --random=1 --lane-independent "$program" $kernel
done

# A random order is cut to the choice that matters.
expect 1 "shortest order that still fails .*random:[0-9]+:[0-9]+-[0-9]+" --lanes=32 --profiles=cuda70 --schedules=order --random=5 "$program" race_active_mask
expect 1 "goes on instead of lane" --lanes=32 --profiles=cuda70 --schedules=order --random=5 "$program" race_active_mask

# The summary as JSON; bad input.
expect 1 "WP140" --lanes=32 --profiles=cuda70 --json="$work/json" "$program" race_neighbour
grep -q '"rule":.*"WP140"' "$work/json" || { echo "FAIL no WP140 in the JSON"; failures=$((failures + 1)); }
expect 2 "has launched no kernel" "$program" no_such_kernel
expect 2 "cannot run" "$work/nothing"
expect 64 "no power of two" --lanes=12 "$program" misuse
echo "$failures failures"
[ "$failures" -eq 0 ]
