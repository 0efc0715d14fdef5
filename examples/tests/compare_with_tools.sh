#!/bin/sh
# compare_with_tools.sh BUILD_DIR [FILE]: the examples against tr, sort, wc, od, awk and cmp, which share no line with them.
set -eu
build=$1
file=${2:-/usr/share/common-licenses/GPL-3}
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

if [ ! -f "$file" ]; then
  echo "SKIPPED: $file is missing; give another file as second argument"
  exit 77
fi

# expect WHAT WANTED GOT
expect() {
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
  else
    echo "FAILED: $1: the tools say '$2', the example '$3'"
    failed=$((failed + 1))
  fi
}
# result NAME FILE: what the example prints, with 64 lanes and a block that is no multiple of them; an error is a text that fails.
result() {
  "$build/$1" --result --device cpu:64 --block 100 "$2" 2>&1 || echo "exit code $?"
}
words() { tr -cs 'A-Za-z' '\n' | tr 'A-Z' 'a-z' | sed '/^$/d'; }

compare() {
  text=$1
  bytes=$(wc -c < "$text" | tr -d ' ')
  count=$(words < "$text" | grep -c . || true) # wc -l misses a last word without an end of line
  expect "distinct_words of $text" "$(words < "$text" | sort -u | wc -l | tr -d ' ') distinct words of $count" \
    "$(result distinct_words "$text")"
  sum=$(od -An -v -tu1 "$text" | awk '{ for (i = 1; i <= NF; i++) s += $i } END { printf "%d", s }')
  expect "prefix_sum of $text" "$bytes bytes add up to $sum" "$(result prefix_sum "$text")"
  expect "stream_compaction of $text" "$(tr -cd 'A-Za-z' < "$text" | wc -c | tr -d ' ') letters of $bytes bytes" \
    "$(result stream_compaction "$text")"
  expect "aggregated_append of $text" "$(tr -cd 'A-Z' < "$text" | wc -c | tr -d ' ') capitals" \
    "$(result aggregated_append "$text" | sed 's/,.*//')"
  bins=$(od -An -v -tu1 -w1 "$text" | sort | uniq -c | sort -n | awk 'END { printf "%d byte values, %d times", NR, $1 }')
  expect "byte_histogram of $text" "$bins" "$(result byte_histogram "$text" | sed 's/most often [^:]*: //')"
  order=$(awk '{ print length($0), NR }' "$text" | sort -k1,1n -k2,2n | awk '{ l[NR] = $1; n[NR] = $2 }
    END { printf "%d lines, median length %d, longest %d (line %d)", NR, l[int(NR / 2) + 1], l[NR], n[NR] }')
  expect "bitonic_sort of $text" "$order" "$(result bitonic_sort "$text")"

  # The whole compacted stream, byte for byte.
  tr -cd 'A-Za-z' < "$text" > "$work/letters"
  "$build/stream_compaction" --device cpu:32 --block 100 --output "$work/kept" "$text" > "$work/log" 2>&1 || cat "$work/log"
  expect "stream_compaction's output of $text" "" "$(cmp "$work/letters" "$work/kept" 2>&1)"
}

# Mean, deviation, min and max of awk's numbers; both sides rounded to 4 digits, where float and double agree.
stats_format='n %d, mean %.4g, stddev %.4g, min %.4g, max %.4g'
stats_of() {
  awk -v f="$stats_format" '
    { n++; v[n] = $1; s += $1; if (n == 1 || $1 < lo) lo = $1; if (n == 1 || $1 > hi) hi = $1 }
    END { m = s / n; for (i = 1; i <= n; i++) q += (v[i] - m) ^ 2; printf f, n, m, (n > 1 ? sqrt(q / (n - 1)) : 0), lo, hi }'
}
rounded() { sed 's/[a-z ]*[0-9]*: //; s/,//g' | awk -v f="$stats_format" '{ printf f, $2, $4, $6, $8, $10 }'; }

compare "$file"
expect "column_stats of $file" "$(awk '{ print length($0) }' "$file" | stats_of)" "$(result column_stats "$file" | rounded)"

# Text made here: a column of numbers, more lines than a block sorts, long words, a last line without an end.
table=$work/table.csv
awk 'BEGIN { for (i = 1; i <= 3000; i++) printf "row%d,%.3f,%d\n", i % 37, 50 * sin(i) + i / 100, i * 7919 % 104729 }' > "$table"
compare "$table"
expect "column_stats of a table" "$(cut -d, -f2 "$table" | stats_of)" "$(result column_stats "$table" | rounded)"
expect "column_stats names the field" "field 2" "$(result column_stats "$table" | sed 's/:.*//')"

awk 'BEGIN {
  for (i = 0; i < 5000; i++) printf "abcdefghij"
  printf " "
  for (i = 0; i < 5000; i++) printf "aBcdefghij"
  printf " Z z" }' > "$work/long_words"
compare "$work/long_words"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
