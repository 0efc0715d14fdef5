#!/bin/sh
# bad_input.sh BUILD_DIR: files that are missing, empty, no files, odd; options that make no sense. Exit codes and texts.
set -eu
build=$1
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# refused CODE TEXT COMMAND...: exits with CODE and says TEXT on stderr.
refused() {
  code=$1
  text=$2
  shift 2
  got=0
  "$@" > "$work/out" 2> "$work/err" || got=$?
  if [ $got -eq "$code" ] && grep -q -- "$text" "$work/err"; then
    passed=$((passed + 1))
  else
    echo "FAILED: $*: exit code $got, wanted $code and '$text'; it said:"
    cat "$work/err"
    failed=$((failed + 1))
  fi
}
# fine COMMAND...: exits with 0.
fine() {
  if "$@" > "$work/out" 2> "$work/err"; then
    passed=$((passed + 1))
  else
    echo "FAILED: $*: exit code $?; it said:"
    cat "$work/out" "$work/err"
    failed=$((failed + 1))
  fi
}

: > "$work/empty"
for program in warpport-demo column_stats fft_butterfly; do
  refused 2 'No such file' "$build/$program" "$work/missing"
  refused 2 'is empty' "$build/$program" "$work/empty"
  refused 2 'is a directory' "$build/$program" "$work"
  if [ "$(id -u)" != 0 ]; then # root reads everything
    : > "$work/secret"
    chmod 0 "$work/secret"
    refused 2 'Permission denied' "$build/$program" "$work/secret"
  fi
done
refused 2 'is empty' "$build/warpport-demo" /dev/null

# A sparse file over the limit of 64 MiB is refused at once, its beginning is not.
dd if=/dev/zero of="$work/large" bs=1 count=1 seek=80000000 2> "$work/err"
refused 2 'larger than 67108864 bytes; --limit' "$build/warpport-demo" "$work/large"
fine "$build/warpport-demo" -d cpu:32 -l 3000 "$work/large"
# Endless input too.
refused 2 'larger than' "$build/byte_histogram" /dev/zero

refused 64 'one file' "$build/warpport-demo" "$work/empty" "$work/empty"
refused 64 'no .nosuch.' "$build/warpport-demo" -e nosuch
for value in 0 -1 x 10x '' 1025 99999999999999999999; do
  refused 64 '--block' "$build/warpport-demo" "--block=$value"
  refused 64 '--block' "$build/prefix_sum" "--block=$value"
done
for value in 0 -1 x 1k 99999999999; do refused 64 '--limit' "$build/warpport-demo" "--limit=$value"; done

# Devices that do not exist: an error even though the others run.
printf 'one two\nthree\n' > "$work/text"
refused 1 'nosuch' "$build/warpport-demo" -d cpu:32 -d nosuch "$work/text"
for device in cpu:0 cpu:65 cpu:x nosuch:0 ''; do refused 2 . "$build/prefix_sum" "--device=$device" "$work/text"; done
refused 1 'No such file' "$build/warpport-demo" -d cpu:32 -e prefix_sum -j "$work/missing/x.json" "$work/text"
refused 1 'No such file' "$build/prefix_sum" -o "$work/missing/x" "$work/text"
fine "$build/warpport-demo" --list

# Strange but right: one byte of each kind, all byte values, no letter, no line end, only line ends, zeros.
for byte in '\000' '\n' ' ' 'a' 'Z' '7' '\377'; do
  printf "$byte" > "$work/byte"
  fine "$build/warpport-demo" -d cpu:32 -d cpu:64 -b 100 "$work/byte"
done
awk 'BEGIN { srand(4); for (i = 0; i < 20011; i++) printf "%c", int(rand() * 256) }' > "$work/binary"
fine "$build/warpport-demo" -d cpu:32 -d cpu:64 -b 100 "$work/binary"
head -c 7001 /dev/zero > "$work/zeros"
fine "$build/warpport-demo" -d cpu:64 -b 100 "$work/zeros"
tr '\000' '\n' < "$work/zeros" > "$work/line_ends"
fine "$build/warpport-demo" -d cpu:64 -b 100 "$work/line_ends"
tr '\000' 'x' < "$work/zeros" > "$work/one_word"
fine "$build/warpport-demo" -d cpu:64 -b 100 "$work/one_word"
printf '1 2 3\n4 5 6\nnan inf 0x10\n' > "$work/numbers"
fine "$build/warpport-demo" -d cpu:32 -b 100 "$work/numbers"
cat "$work/text" | fine "$build/warpport-demo" -d cpu:32 -b 100 /dev/stdin

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
