#!/bin/sh
# readme.sh README.md PREFIX WORK_DIR: builds the examples of the README from its own text, with the given installed warpport, runs its
# commands, and compares what they print with what the README says they print. Then its test.
set -eu
readme=$1 prefix=$2 work=$3
rm -rf "$work" && mkdir -p "$work" && cd "$work"
export PATH="$prefix/bin:$PATH"
block() { awk -v start="\`\`\`$1" '$0 == "```" { on = 0 } on { print } $0 == start { on = 1 }' "$readme"; }
for file in "c row_sum.c" "c main.c" "c wrong_sum.c" "cmake CMakeLists.txt"; do
  block "$file" >"${file#* }"
  [ -s "${file#* }" ] || { echo "the README has no block for $file"; exit 1; }
done
block "cmake CMakeLists.txt, further" >>CMakeLists.txt
if ! { cmake -S . -B . -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=RelWithDebInfo && cmake --build .; } >log.txt 2>&1; then
  cat log.txt
  exit 1
fi
# Each "$ command", and the lines up to the next. A command may end with an exit code of its own; seconds differ.
same() { sed -E 's/[0-9]+\.[0-9]+ s$/N s/; /^$/d' "$1"; }
block console >console.txt
count=$(grep -c '^\$ ' console.txt)
[ "$count" -ge 2 ]
for i in $(seq "$count"); do
  awk -v i="$i" '/^\$ / { n++; if (n == i) print substr($0, 3) }' console.txt >command.sh
  awk -v i="$i" '/^\$ / { n++; next } n == i' console.txt >expected.txt
  [ -s expected.txt ]
  sh command.sh >printed.txt 2>stderr.txt || true
  same expected.txt >expected.same
  same printed.txt >printed.same
  diff -u expected.same printed.same || { cat stderr.txt; exit 1; }
done
ctest --output-on-failure --no-tests=error
echo "the README's examples print what the README says"
