#!/bin/sh
# readme.sh README.md PREFIX WORK_DIR: builds the example of the README from its own text, with the given installed warpport, and
# compares what it prints with what the README says it prints.
set -eu
readme=$1 prefix=$2 work=$3
rm -rf "$work" && mkdir -p "$work" && cd "$work"
block() { awk -v start="\`\`\`$1" '$0 == "```" { on = 0 } on { print } $0 == start { on = 1 }' "$readme"; }
for file in "c row_sum.c" "c main.c" "cmake CMakeLists.txt"; do
  block "$file" >"${file#* }"
  [ -s "${file#* }" ] || { echo "the README has no block for $file"; exit 1; }
done
command=$(block console | sed -n 's/^\$ //p')
block console | sed 1d >expected.txt
[ -n "$command" ] && [ -s expected.txt ]
if ! { cmake -S . -B . -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=RelWithDebInfo && cmake --build .; } >log.txt 2>&1; then
  cat log.txt
  exit 1
fi
sh -c "$command" >printed.txt
diff -u expected.txt printed.txt
echo "the README's example prints what the README says"
