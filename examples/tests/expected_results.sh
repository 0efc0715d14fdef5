#!/bin/sh
# expected_results.sh BUILD_DIR: each example prints its expected.txt for the default file, at 32 and at 64 lanes.
set -eu
build=$1
here=$(cd "$(dirname "$0")/.." && pwd)
file=/usr/share/common-licenses/GPL-3
# The text of the licence as distributed since 2017, 35149 bytes.
known=3972dc9744f6499f0f9b2dbf76696f2ae7ad8af9b23dde66d6af86c9dfb36986

if [ ! -f $file ] || [ "$(sha256sum $file | cut -d' ' -f1)" != $known ]; then
  echo "SKIPPED: $file is missing or another edition than the one expected.txt was made for"
  exit 77
fi
failed=0
passed=0
for expected in "$here"/*/expected.txt; do
  name=$(basename "$(dirname "$expected")")
  for lanes in 32 64; do
    if "$build/$name" --result --device cpu:$lanes $file | diff "$expected" -; then
      passed=$((passed + 1))
    else
      echo "FAILED: $name at $lanes lanes"
      failed=$((failed + 1))
    fi
  done
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
