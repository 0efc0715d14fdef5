#!/bin/sh
# codegen.sh COMPILER INCLUDE_DIR WORK_DIR CHIP [--table]: counts the instructions of codegen.c for the chip and compares with codegen.txt,
# whose counts are upper limits. --table prints codegen.txt's lines for this chip as measured now.
# The counts are clang 19's; other versions may need a few more, but no more LDS and no fewer fused
# operations (64-bit ones aside; and 16-bit ones: from clang 20 on gfx11 addresses halves of registers, and fuses no DPP with those).
# In every kernel: no scratch memory, no LDS allocated, and no ds_bpermute but where codegen.txt allows it. With logical warps of half a
# wavefront, too: there the first lane of a mask is one more lane known at run time only.
set -u
compiler=$1 include=$2 work=$3 chip=$4
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$work" && cd "$work" || exit 1
case $compiler in
*hipcc*) headers= ;;
*) headers="-nogpuinc -nogpulib" ;;
esac
assembly() { # OUTPUT OPTION...
  output=$1
  shift
  # shellcheck disable=SC2086
  "$compiler" -x hip --cuda-device-only --offload-arch="$chip" $headers -std=c++17 -O3 -ffp-contract=off -I "$include" "$@" -S -o "$output" \
    "$here/codegen.c" >"$chip.log" 2>&1
}
if ! assembly "$chip.s"; then
  if grep -q "invalid target ID\|unsupported\|unknown target CPU\|Invalid" "$chip.log"; then
    echo "SKIPPED: $compiler does not know $chip"
    exit 77
  fi
  cat "$chip.log"
  exit 1
fi
awk -f "$here/codegen.awk" "$chip.s" >"$chip.counts"
[ "${5:-}" = --table ] && { awk -v chip="$chip" '{ print chip, $1, $2 - base + 0, $3, $4, $5, $6, $7; if ($1 == "copy") base = $2 }' "$chip.counts" | sed '/ copy /d'; exit 0; }

case $("$compiler" --version) in
*"clang version 1"[0-6].*)
  echo "SKIPPED: the counts are those of clang 17 and later; $("$compiler" --version | head -n 1) fuses less"
  exit 77
  ;;
*"clang version 19."*) slack=0 ;;
*) slack=1 ;;
esac
case $chip in gfx9*) half=32 ;; *) half=16 ;; esac
assembly "$chip.half.s" -DWARPPORT_WARP_SIZE=$half || { cat "$chip.log"; exit 1; }
awk -f "$here/codegen.awk" "$chip.half.s" | awk -v chip="$chip" -v half=$half '
  $4 > 0 && $1 !~ /^(first|shfl_any|xor_any)$/ { print "FAILED: " chip " " $1 ", warps of " half " lanes: " $4 " ds_bpermute"; bad++ }
  $8 + $9 > 0 { print "FAILED: " chip " " $1 ", warps of " half " lanes: " $8 " bytes of scratch memory, " $9 " of LDS"; bad++ }
  END { exit bad > 0 || NR < 40 }' || exit 1

awk -v chip="$chip" -v slack=$slack '
  FNR == 1 { file++ }
  file == 1 && $1 == chip { limit[$2] = $3; lds[$2] = $4; bpermute[$2] = $5; fused[$2] = $7; next }
  file == 2 {
    name = $1
    if (name == "copy") { base = $2; next }
    seen[name] = 1
    if (!(name in limit)) { print "FAILED: " name " is not in codegen.txt for " chip; bad++; next }
    n++
    if ($2 - base > limit[name] + slack * (4 + limit[name] / (name ~ /_f16$/ ? 1 : 4))) { print "FAILED: " chip " " name ": " $2 - base " instructions, the limit is " limit[name]; bad++ }
    if ($3 > lds[name]) { print "FAILED: " chip " " name ": " $3 " instructions through LDS, allowed are " lds[name]; bad++ }
    if ($4 > bpermute[name]) { print "FAILED: " chip " " name ": " $4 " ds_bpermute, allowed are " bpermute[name]; bad++ }
    if ($6 < fused[name] && !(slack && name ~ /_f16$|64$/)) { print "FAILED: " chip " " name ": " $6 " fused DPP operations, expected are " fused[name]; bad++ }
    if ($8 > 0) { print "FAILED: " chip " " name ": " $8 " bytes of scratch memory"; bad++ }
    if ($9 > 0) { print "FAILED: " chip " " name ": " $9 " bytes of LDS"; bad++ }
  }
  END {
    for (name in limit) if (!(name in seen)) { print "FAILED: codegen.txt has " name ", codegen.c has not"; bad++ }
    if (n == 0) { print "FAILED: nothing was counted"; bad++ }
    print chip ": " n " kernels counted, " bad + 0 " differences"
    exit bad > 0
  }' "$here/codegen.txt" "$chip.counts"
