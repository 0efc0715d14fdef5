#!/bin/sh
# corpora.sh SOURCE_DIR: each rule of the library and of warpport-check has at least three wrong kernels and two right ones here.
set -eu
cd "$1"
status=0
# Marks that name lanes at 32 and at 64, or that are run at both: all but those with only=.
count() { cat tests/checker/*.c | grep -c "/[*] $1 $2[ :]" || true; }
for rule in $(grep -oh '"WP1[0-9][0-9]"' backends/host/rules.c tools/check/main.c | tr -d '"' | sort -u); do
  wrong=$(count WRONG "$rule")
  right=$(count RIGHT "$rule")
  echo "$rule: $wrong wrong, $right right"
  if [ "$wrong" -lt 3 ] || [ "$right" -lt 2 ]; then
    echo "FAIL $rule needs at least three wrong kernels and two right ones"
    status=1
  fi
done
exit $status
