#!/bin/sh
# check.sh WHAT CC CXX INCLUDE_DIR WORK_DIR [SINGLE_DIR LIBRARY LINK_FLAGS...]: compiles many small files and reports each that fails.
#   headers     every public header by itself, twice in a row, as C and as C++; warpport.h, launch.h and the single file in every level
#   everything  a file that calls every operation, in every level
#   nvcc        the same as CUDA; CC is nvcc
#   units       two translation units with a kernel each, linked and run
#   errors      what must not compile, and the words it is refused with
set -u
what=$1 cc=$2 cxx=$3 include=$4 work=$5
here=$(cd "$(dirname "$0")" && pwd)
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wstrict-aliasing -Werror"
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
passed=0 failed=0

report() { # status title log
  if [ "$1" -eq 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $2"
    head -n 40 "$3"
  fi
}

# for_levels FUNCTION: calls FUNCTION LEVEL COMPILER...
for_levels() {
  for level in c99 c11 c17 c++11 c++14 c++17 c++20; do
    case $level in
    c++*) compiler="$cxx -x c++ -std=$level" ;;
    *) compiler="$cc -x c -std=$level" ;;
    esac
    if ! echo 'int x;' | $compiler -fsyntax-only - 2>/dev/null; then
      echo "skipped: $compiler is not accepted by this compiler"
      continue
    fi
    "$1" "$level" "$compiler"
  done
}

headers_level() {
  case $1 in
  c99 | c11 | c++11 | c++20) files="one_*.c" ;;
  *) files="one_warpport.c one_launch.c one_warpport_single.c one_warpport_single_string.c" ;;
  esac
  # shellcheck disable=SC2086
  $2 $warnings -fsyntax-only -I "$include" -I "$single" $files >log 2>&1
  report $? "headers as $1" log
}

everything_level() {
  # shellcheck disable=SC2086
  $2 $warnings -fsyntax-only -I "$include" "$here/everything.c" >log 2>&1
  report $? "everything.c as $1" log
  # Some warnings need the optimiser; that takes long, so once for each language, and with one type of each kind.
  case $1 in
  c11 | c++17)
    # shellcheck disable=SC2086
    $2 $warnings -O1 -DFEW_TYPES -I "$include" -c "$here/everything.c" -o everything.o >log 2>&1
    report $? "everything.c as $1, optimised" log
    ;;
  esac
}

units_level() {
  # shellcheck disable=SC2086
  { $2 $warnings -c -I "$include" "$here/unit_a.c" -o a.o && $2 $warnings -c -I "$include" "$here/unit_b.c" -o b.o &&
    $cxx a.o b.o $link -o units && ./units; } >log 2>&1
  report $? "two units as $1" log
}

# refuse TITLE TEXT FLAG...: stdin must not compile, and the messages must hold TEXT.
refuse() {
  title=$1 text=$2
  shift 2
  cat >refused.c
  if "$@" -I "$include" -c refused.c -o refused.o >log 2>&1; then
    echo "it compiled" >>log
    report 1 "$title" log
  else
    grep -q -- "$text" log
    report $? "$title: the messages lack '$text'" log
  fi
}
accept() {
  title=$1
  shift
  cat >accepted.c
  # shellcheck disable=SC2086
  "$@" $warnings -I "$include" -c accepted.c -o accepted.o >log 2>&1
  report $? "$title" log
}

case $what in
headers)
  single=$6
  for h in "$include"/warpport/*.h; do
    name=warpport/$(basename "$h")
    printf '#include <%s>\n#include <%s>\nextern int nothing_else;\n' "$name" "$name" >"one_$(basename "$h" .h).c"
  done
  for name in warpport_single.h warpport_single_string.h; do
    printf '#include <%s>\n#include <%s>\nextern int nothing_else;\n' "$name" "$name" >"one_$(basename "$name" .h).c"
  done
  printf 'extern const char *text;\nconst char *text = warpport_single_source;\n' >>one_warpport_single_string.c
  for_levels headers_level
  ;;
everything)
  for_levels everything_level
  ;;
nvcc)
  for level in c++11 c++14 c++17 c++20; do
    "$cc" -x cu -std=$level -arch=compute_90 -ptx -DFEW_TYPES --Werror all-warnings -I "$include" "$here/everything.c" \
      -o everything.ptx >log 2>&1
    report $? "everything.c as CUDA $level" log
  done
  ;;
units)
  shift 5
  link="$*"
  for_levels units_level
  ;;
errors)
  # config.h by itself: without __GNUC__ the system's headers would add errors of their own.
  refuse "unknown toolchain" "unknown toolchain. Define WARPPORT_BACKEND" "$cc" -U__GNUC__ -U__clang__ <<EOF
#include <warpport/config.h>
EOF
  refuse "backend number" "names no backend" "$cc" -DWARPPORT_BACKEND=77 <<EOF
#include <warpport/warpport.h>
EOF
  refuse "warp size 12" "must be 1, 2, 4, 8, 16, 32 or 64" "$cc" -DWARPPORT_WARP_SIZE=12 <<EOF
#include <warpport/warpport.h>
EOF
  refuse "warp size 128" "must be 1, 2, 4, 8, 16, 32 or 64" "$cc" -DWARPPORT_WARP_SIZE=128 <<EOF
#include <warpport/warpport.h>
EOF
  : >empty_backend.h
  refuse "empty backend file" "the backend file must define" "$cc" -I. '-DWARPPORT_BACKEND_FILE="empty_backend.h"' <<EOF
#include <warpport/warpport.h>
EOF

  # A constant width that is no power of two. The compiler sees it once the call is inlined, hence -O1.
  for width in 12 0 -4 128; do
    for call in 'wp_shfl_i32(m, v, 0, W)' 'wp_shfl_up_f32(m, 1.0f, 0, W) > 0' 'wp_shfl_xor_u64(m, 1, 0, W) > 0' 'wp_rotate_i8(m, 1, 0, W)' \
      'wp_broadcast_f64(m, 1.0, 0, W) > 0' 'wp_shfl_or_i32(m, v, 0, 0, W)' 'wp_tile_size(wp_tile_make(W))'; do
      case $width$call in
      -4wp_shfl_i32* | 128wp_shfl_i32*) ;;
      -4* | 128*) continue ;;
      esac
      refuse "$call with width $width" "power of two" "$cc" -std=c99 -O1 -DW="($width)" <<EOF
#include <warpport/warpport.h>
WP_KERNEL(k, WP_GLOBAL int *out) { wp_mask m = wp_mask_all(); int v = out[0]; out[0] = (int)($call); (void)m; (void)v; }
EOF
    done
  done
  for width in 1 2 4 8 16 32 64 n; do
    accept "width $width" "$cc" -std=c11 -O1 <<EOF
#include <warpport/warpport.h>
WP_KERNEL(k, WP_GLOBAL int *out, int n) { out[0] = wp_shfl(wp_mask_all(), n, 0, $width); }
EOF
  done

  accept "no short names" "$cc" -std=c11 -DWARPPORT_NO_SHORT_NAMES <<EOF
#include <warpport/warpport.h>
#if defined(SAFE_SHUFFLE) || defined(SAFE_SHUFFLE_UP) || defined(SAFE_SHUFFLE_DOWN) || defined(SAFE_SHUFFLE_XOR)
#error "a short name is still there"
#endif
int SAFE_SHUFFLE(int SAFE_SHUFFLE_UP);
#define WARPPORT_CHECK 1
WP_KERNEL(k, WP_GLOBAL int *out) { out[0] = WP_SAFE_SHUFFLE(out[0], 1); }
EOF
  # Everything warpport defines begins with wp, WP or WARPPORT, but for the four short names.
  printf '#include <stdint.h>\n#include <stdbool.h>\n#include <stddef.h>\n#include <string.h>\n#include <limits.h>\n' >system.c
  cp system.c ours.c && echo '#include <warpport/warpport.h>' >>ours.c
  "$cc" -std=c11 -E -dM system.c | awk '{ sub(/\(.*/, "", $2); print $2 }' | sort -u >system.txt
  "$cc" -std=c11 -E -dM -I "$include" ours.c | awk '{ sub(/\(.*/, "", $2); print $2 }' | sort -u >ours.txt
  comm -13 system.txt ours.txt | grep -Ev '^(WP_|WPB_|WP__|wp_|wpb_|WARPPORT_|SAFE_SHUFFLE(_UP|_DOWN|_XOR)?$)' >log
  [ ! -s log ]
  report $? "macros outside warpport's names" log
  ;;
*)
  echo "check.sh: unknown check '$what'" >&2
  exit 2
  ;;
esac
echo "$what: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
