#!/bin/sh
# sweep.sh CHECK PROGRAM KERNELS.c EXAMPLE.profile: warpport-check finds what is wrong in sweep_kernels.c, and nothing in what is right.
set -eu
check=$1
program=$2
kernels=$3
profile=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect EXIT PATTERN option... KERNEL: ends with that code and says that
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

# marked WRONG|RIGHT RULE: the kernels so marked
marked() { awk -v mark="^/[*] $1 $2 " '$0 ~ mark { on = 1 } on && /^KERNEL/ { sub(/^KERNEL\(/, ""); sub(/\).*/, ""); print; on = 0 }' "$kernels"; }

for kernel in $(marked WRONG WP140); do
  expect 1 "error: \[WP140\] .*kernel '$kernel'" $few --random=20 --profiles=cuda70 --no-shrink "$program" "$kernel"
done
for kernel in $(marked WRONG WP141); do
  WARPPORT_CHECK=-WP114 expect 1 "error: \[WP141\] .*kernel '$kernel'" $few --profiles=cuda70,hip "$program" "$kernel"
done
for kernel in $(marked WRONG WP142); do
  expect 1 "error: \[WP142\] .*kernel '$kernel'" $few --profiles=cuda70 --lane-independent "$program" "$kernel"
done
expect 1 "sweep_kernels.c:[0-9]+: error: \[WP105\] .*lanes 1-31" $few --profiles=cuda70 "$program" misuse
for kernel in $(marked RIGHT WP140) $(marked RIGHT WP141); do
  WARPPORT_CHECK=-WP114 expect 0 "0 failed, 0 differed" $few "$program" "$kernel"
done
for kernel in $(marked RIGHT WP142); do
  expect 0 "0 failed, 0 differed" --random=1 --lane-independent "$program" "$kernel"
done
[ "$(marked WRONG WP140 | wc -l)" -ge 3 ] || { echo "FAIL no marks in $kernels"; failures=$((failures + 1)); }

# Orders that show nothing: all but random ones.
expect 0 "0 failed, 0 differed" --lanes=32,64 --random=0 --profiles=cuda70 "$program" race_rare
# A random order is cut to the choice that matters.
expect 1 "shortest order that still fails .*picks:[0-9]+:9,10 " --lanes=32 --profiles=cuda70 --schedules=order --random=20 "$program" race_rare
expect 1 "goes on instead of lane" --lanes=32 --profiles=cuda70 --schedules=order --random=20 "$program" race_rare
# That order, and no longer one, again by hand: it shows the fault each time, and the usual order does not.
shortest=$(sed -n 's/.*shortest order that still fails.*WARPPORT_SCHEDULE=\([^ ]*\).*/\1/p' "$work/out" | head -n 1)
usual=$(WARPPORT_HOST_LANES=32 "$program" race_rare)
again=$(WARPPORT_HOST_LANES=32 WARPPORT_SCHEDULE=$shortest "$program" race_rare)
third=$(WARPPORT_HOST_LANES=32 WARPPORT_SCHEDULE=$shortest "$program" race_rare)
if [ "$usual" = "$again" ] || [ "$again" != "$third" ]; then
  echo "FAIL '$shortest' repeats nothing: $usual $again $third"
  failures=$((failures + 1))
fi

# A chip from a file: at its own lane count only.
expect 0 "WARPPORT_HOST_LANES=8 WARPPORT_PROFILE=.*lavapipe8.profile .* ok" --verbose --lanes=8,32 --random=0 --profiles="$profile" "$program" no_poison
if grep -q "LANES=32.*lavapipe8" "$work/out"; then
  echo "FAIL 32 lanes of a chip with 8"
  failures=$((failures + 1))
fi

# The summary as JSON; bad input.
expect 1 "WP140" --lanes=32 --profiles=cuda70 --json="$work/json" "$program" race_neighbour
grep -q '"rule":.*"WP140"' "$work/json" || { echo "FAIL no WP140 in the JSON"; failures=$((failures + 1)); }
expect 2 "has launched no kernel" "$program" no_such_kernel
expect 2 "cannot run" "$work/nothing"
expect 2 "no kernel .*did not end within 0.2 s" --timeout=0.2 sleep 5
expect 2 "there is no 'cuda80'" --profiles=cuda70,cuda80 "$program" misuse
expect 2 "none.profile cannot be read" --profiles=./none.profile "$program" misuse
expect 2 "there is no 'fast'" --schedules=order,fast "$program" misuse
expect 2 "no power of two" --lanes=8.5 "$program" misuse
expect 2 "no power of two" --lanes=12 "$program" misuse

# Runs are counted, not the blocks of a run that say the same.
expect 1 "^  3 of 3 runs" --lanes=32 --profiles=cuda70 --schedules=order --random=0 "$program" misuse 2
# The line that repeats it can be pasted into a shell, whatever is in it.
expect 1 "WP105" --lanes=32 --profiles=cuda70 --schedules=order --random=0 "$program" misuse 1 "it's a [c]lock; \$HOME"
line=$(sed -n "s/^  first seen with: //p" "$work/out")
if (eval "$line") >/dev/null 2>"$work/again"; then cat /dev/null >"$work/again"; fi
grep -q "WP105" "$work/again" || { echo "FAIL $line"; failures=$((failures + 1)); }
case $line in *" 1 'it'\\''s a [c]lock; \$HOME'") ;; *) echo "FAIL quotes: $line"; failures=$((failures + 1)) ;; esac
# What fails at one lane count is still compared at the others.
expect 1 "WP142" --lanes=1,32,64 --random=1 --profiles=cuda70 --lane-independent "$program" lanes_not_one
# A kernel that never ends although it goes from collective to collective; one that takes the program with it.
expect 1 "did not end within 0.2 s" $few --timeout=0.2 "$program" endless
grep -q "3 runs, 3 failed.* left out, since runs do not end" "$work/out" || { echo "FAIL endless runs"; failures=$((failures + 1)); }
expect 1 "ended by signal 6" --lanes=32 --random=0 --profiles=cuda70 "$program" aborts
WARPPORT_CHECK=exit expect 1 "WP105" --lanes=32 --random=0 --profiles=cuda70 "$program" misuse
# Data that differ in each run are no race.
for compare in reads output; do
  expect 1 "two runs with the same settings differ" $few --compare=$compare --profiles=cuda70,hip "$program" no_lanes_sum 1 clock
  if grep -q "WP14" "$work/out"; then
    echo "FAIL the clock is taken for a race"
    cat "$work/out"
    failures=$((failures + 1))
  fi
done
# Ended from outside, it leaves neither the program nor files behind.
mkdir "$work/tmp"
TMPDIR="$work/tmp" "$check" "$program" endless >"$work/out" 2>&1 &
pid=$!
for i in 1 2 3 4 5 6 7 8 9 10; do
  [ -z "$(ls "$work/tmp")" ] || break
  sleep 0.1
done
sleep 0.2
kill -TERM $pid
wait $pid || true
sleep 0.2
for line in /proc/[0-9]*/cmdline; do
  if [ "$(tr '\0' ' ' 2>/dev/null <"$line")" = "$program endless " ]; then
    echo "FAIL $line is still there"
    failures=$((failures + 1))
  fi
done
[ -z "$(ls "$work/tmp")" ] || { echo "FAIL files left in TMPDIR"; failures=$((failures + 1)); }
echo "$failures failures"
[ "$failures" -eq 0 ]
