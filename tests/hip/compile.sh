#!/bin/sh
# compile.sh COMPILER INCLUDE_DIR WORK_DIR MODE [CHIP...]: compiles for AMD chips, no GPU and no ROCm runtime needed. COMPILER is hipcc, or
# a clang with the AMD target; the chips that it does not know are left out, and named. MODE:
#   quick:     operations with constant and run-time arguments at -O0 and -O3, the conformance kernels checked for errors and warnings
#   optimised: the conformance kernels at -O3
#   full:      the conformance kernels at -O0 and -O3
#   programs:  with hipcc, one program for all the chips, with HIP's own header before and after ours
# Every warning is an error. Also what must not compile.
set -u
compiler=$1 include=$2 work=$3 mode=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
conformance="$here/../conformance"
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
passed=0 failed=0 left_out=
strict="-Wall -Wextra -Wpedantic -Wconversion -Wno-float-conversion -Werror" # a float is a predicate in kernels_vote.c
case $compiler in
*hipcc*) headers=-Wno-unused-command-line-argument ;; # it passes options for linking to every call
*) headers="-nogpuinc -nogpulib" ;;
esac

# device CHIP OPTION... FILE: compiles for that chip alone
device() {
  chip=$1
  shift
  # shellcheck disable=SC2086
  "$compiler" -x hip --cuda-device-only --offload-arch="$chip" $headers -std=c++17 -ffp-contract=off $strict -I "$include" "$@" >log 2>&1
}

report() { # status title
  if [ "$1" -eq 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $2"
    head -n 20 log
  fi
}

refused() { # title text OPTION...: must fail with that text
  title=$1 text=$2
  shift 2
  if device "$@"; then
    failed=$((failed + 1))
    echo "FAILED: $title: compiled"
  elif ! grep -q "$text" log; then
    failed=$((failed + 1))
    echo "FAILED: $title: no '$text' in:"
    head -n 20 log
  else
    passed=$((passed + 1))
  fi
}

[ $# -gt 0 ] || set -- gfx803 gfx900 gfx906 gfx908 gfx90a gfx942 gfx950 gfx1010 gfx1030 gfx1100 gfx1151 gfx1200 gfx1201
echo 'extern "C" __attribute__((global)) void k(int *p) { p[0] = 1; }' >can.hip
known=
for chip; do
  if device "$chip" -S -o can.s can.hip; then known="$known $chip"; else left_out="$left_out $chip"; fi
done
if [ -z "$known" ]; then
  echo "SKIPPED: $compiler compiles for none of: $*"
  head -n 3 log
  exit 77
fi

if [ "$mode" != programs ]; then
  for chip in $known; do
    for level in -O0 -O3; do
      device "$chip" $level -S -o one.s "$here/codegen.c"
      report $? "$chip $level codegen.c"
      if [ "$mode" = full ] || [ "$mode$level" = optimised-O3 ]; then
        for kernel in "$conformance"/kernels_*.c; do
          device "$chip" $level -S -o one.s "$kernel"
          report $? "$chip $level $(basename "$kernel")"
        done
      fi
    done
    if [ "$mode" = quick ]; then
      for kernel in "$conformance"/kernels_*.c; do
        device "$chip" -fsyntax-only "$kernel"
        report $? "$chip $(basename "$kernel")"
      done
    fi
    for lanes in 8 16 32; do
      device "$chip" -O1 -DWARPPORT_WARP_SIZE=$lanes -S -o one.s "$conformance/kernels_shuffle.c"
      report $? "$chip logical warps of $lanes"
    done
  done

  # An unknown chip: the general path, with none of the chip's macros.
  # shellcheck disable=SC2086
  set -- $known
  device "$1" -O3 -U__GFX8__ -U__GFX9__ -U__GFX10__ -U__GFX11__ -U__GFX12__ -U__gfx90a__ -U__gfx942__ -S -o general.s "$here/codegen.c"
  report $? "$1 as an unknown chip"
  if grep -q "quad_perm\|row_\|permlane" general.s; then
    failed=$((failed + 1))
    echo "FAILED: the general path uses instructions that an unknown chip may not have"
  fi

  # What must not compile.
  for chip in $known; do
    case $chip in
    gfx1*)
      refused "64-lane wavefronts on $chip" "64-lane wavefronts\|wavefrontsize32\|wavefront" "$chip" -mwavefrontsize64 -O1 -S -o bad.s "$here/codegen.c"
      refused "logical warps of 64 lanes on $chip" "WARPPORT_WARP_SIZE is larger" "$chip" -DWARPPORT_WARP_SIZE=64 -O1 -S -o bad.s "$here/codegen.c"
      ;;
    esac
  done
  cat >width.c <<'END'
#include <warpport/warpport.h>
WP_KERNEL(k, WP_GLOBAL int *p) { p[wp_thread_x()] = wp_shfl(wp_mask_all(), p[0], 1, 12); }
END
  refused "a width of 12" "power of two" "$1" -O1 -S -o bad.s width.c
fi

# The host pass, in which the same text must compile, and a fat binary for two chips.
cat >fat.hip <<'END'
#ifdef WITH_HIP_HEADER_BEFORE
#include <hip/hip_runtime.h>
#endif
#include <warpport/warpport.h>
#ifdef WITH_HIP_HEADER_AFTER
#include <hip/hip_runtime.h>
#endif
#if !defined(WITH_HIP_HEADER_BEFORE) && !defined(WITH_HIP_HEADER_AFTER)
/* What clang's launch code calls. */
struct dim3 { unsigned x, y, z; };
extern "C" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);
extern "C" int __hipPopCallConfiguration(dim3 *, dim3 *, unsigned long *, void *);
#endif
/* Types and constants of kernels and host code must agree in all passes. */
struct shared_layout { wp_mask mask; int lanes[WP_MAX_WARP_SIZE]; };
static_assert(sizeof(shared_layout) == 8 + 4 * 64, "masks have 64 bits and warps at most 64 lanes in every pass");
#ifdef WP_WARP_SIZE
#error "no constant warp size in any pass"
#endif
template <class T> __attribute__((global)) void sum(T *p, shared_layout *s) {
  p[wp_global_rank()] = wp_reduce_add(wp_mask_all(), p[wp_global_rank()]);
  s->mask = wp_ballot(wp_mask_all(), p[0] != T(0));
  s->lanes[wp_lane()] = wp_warp_size();
}
template __attribute__((global)) void sum<float>(float *, shared_layout *);
END
archs=
for c in $known; do archs="$archs --offload-arch=$c"; done
case $compiler$mode in
*hipccprograms)
  for with in WITH_HIP_HEADER_BEFORE WITH_HIP_HEADER_AFTER; do
    for more in UNUSED HIP_ENABLE_WARP_SYNC_BUILTINS HIP_DISABLE_WARP_SYNC_BUILTINS; do
      # shellcheck disable=SC2086
      "$compiler" $archs $headers -std=c++17 -O2 -Wall -Wextra -Werror -I "$include" -D$with -D$more -c -o fat.o fat.hip >log 2>&1
      report $? "one program for$known, $with, $more"
    done
  done
  ;;
*hipcc*) ;;
*)
  # shellcheck disable=SC2086
  "$compiler" -x hip --cuda-host-only $archs $headers -std=c++17 -O2 $strict -I "$include" -S -o host.s fat.hip >log 2>&1
  report $? "host pass"
  ;;
esac

echo "$("$compiler" --version 2>/dev/null | grep -m1 'clang version'):$known: $passed passed, $failed failed${left_out:+; not known to it:$left_out}"
[ "$failed" -eq 0 ]
