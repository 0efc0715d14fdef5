#!/bin/sh
# syntax.sh CLANG INCLUDE_DIR WORK_DIR: compiles the header as OpenCL C with clang, no driver needed.
#   every public header by itself; a kernel that calls everything, in each dialect and language level; what must not compile
set -u
clang=$1 include=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
passed=0 failed=0

report() { # status title log
  if [ "$1" -eq 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $2"
    head -n 20 "$3"
  fi
}

# opencl STANDARD TARGET OPTION... FILE
opencl() {
  std=$1 target=$2
  shift 2
  "$clang" -x cl -cl-std="$std" -target "$target" -nogpulib -Xclang -finclude-default-header -Wall -Wextra -Werror -fsyntax-only \
    -I "$include" "$@" >log 2>&1
}

can() { # TARGET OPTION...: does this clang know the target?
  target=$1
  shift
  echo '__kernel void k(__global int *p) { p[0] = 1; }' >can.cl
  "$clang" -x cl -cl-std=CL2.0 -target "$target" -nogpulib -Xclang -finclude-default-header -fsyntax-only "$@" can.cl >log 2>&1
}

# ---- each header alone, twice ----
for h in "$include"/warpport/*.h; do
  name=$(basename "$h")
  case $name in launch.h) continue ;; esac
  printf '#include <warpport/%s>\n#include <warpport/%s>\n' "$name" "$name" >one.cl
  opencl CL1.2 spir64 -DWARPPORT_OPENCL_DIALECT=6 one.cl
  report $? "$name alone, OpenCL C 1.2, emulated warps" log
done

# ---- everything, in each dialect ----
all="$here/everything.c"
emulated=-DWARPPORT_OPENCL_DIALECT=6
for std in CL1.2 CL2.0 CL3.0; do
  opencl "$std" spir64 $emulated -DWARPPORT_OPENCL_STORAGE_ARGUMENT=1 "$all"
  report $? "emulated warps, storage as an argument, $std" log
done
opencl CL1.2 spir64 $emulated "$all"
report $? "emulated warps, storage declared" log
for lanes in 1 64; do
  opencl CL1.2 spir64 $emulated -DWARPPORT_OPENCL_EMULATED_WARP=$lanes "$all"
  report $? "emulated warps of $lanes" log
done
opencl CL3.0 spir64 -DWARPPORT_WARP_SIZE=32 -DWARPPORT_OPENCL_MAX_SUB_GROUP=8 -DEXPECT_DIALECT=6 "$all"
report $? "logical warps larger than the sub-groups are emulated" log
for std in CL2.0 CL3.0; do
  opencl "$std" spir64 -DEXPECT_DIALECT=1 "$all"
  report $? "Khronos sub-groups, $std" log
done
opencl CL3.0 spir64 -DWARPPORT_OPENCL_SUB_GROUP_SIZE=16 -DWARPPORT_WARP_SIZE=8 "$all"
report $? "Khronos sub-groups of a required size, logical warps" log
for largest in 4 32 64 128; do
  opencl CL3.0 spir64 -DWARPPORT_OPENCL_MAX_SUB_GROUP=$largest "$all"
  report $? "Khronos sub-groups of up to $largest lanes" log
done
opencl CL3.0 spir64 -DWARPPORT_OPENCL_SOFT_FMA=1 -DWARPPORT_OPENCL_LINEAR=1 -DWARPPORT_OPENCL_SUB_GROUP_BARRIER=1 "$all"
report $? "Khronos sub-groups with every workaround" log
opencl CL3.0 spir64 -DWARPPORT_OPENCL_SUB_GROUP_SIZE=32 -DWARPPORT_OPENCL_UNIFORM_FLOW=1 "$all"
report $? "Khronos sub-groups, uniform flow" log
# ---- the kernels of docs/porting.md ----
opencl CL1.2 spir64 $emulated "$here/porting.c"
report $? "docs/porting.md, emulated warps" log
opencl CL3.0 spir64 "$here/porting.c"
report $? "docs/porting.md, Khronos sub-groups" log
if can nvptx64; then
  opencl CL1.2 nvptx64 "$here/porting.c"
  report $? "docs/porting.md, NVIDIA" log
fi
# Extensions that clang's own headers do not have: declared by a stub.
opencl CL2.0 spir64 -DWARPPORT_OPENCL_DIALECT=2 -include "$here/stubs.h" "$all"
report $? "Intel sub-groups" log
opencl CL2.0 spir64 -DWARPPORT_OPENCL_DIALECT=5 -include "$here/stubs.h" "$all"
report $? "Qualcomm sub-groups" log
for std in CL1.2 CL2.0 CL3.0; do
  if can nvptx64; then
    for sm in 70 80 90; do
      opencl "$std" nvptx64 -DWARPPORT_OPENCL_NV_SM=$sm -DEXPECT_DIALECT=3 "$all"
      report $? "NVIDIA sm_$sm, $std" log
    done
  else
    echo "skipped: $clang has no target nvptx64"
  fi
  for chip in gfx900 gfx90a gfx1030 gfx1100; do
    if can amdgcn-amd-amdhsa -mcpu=$chip; then
      opencl "$std" amdgcn-amd-amdhsa -mcpu=$chip -DEXPECT_DIALECT=4 "$all"
      report $? "AMD $chip, $std" log
    else
      echo "skipped: $clang has no target $chip"
    fi
  done
done

# ---- what must not compile, and the words it is refused with ----
refuse() { # TITLE TEXT OPTION...; stdin: the kernel
  title=$1 text=$2
  shift 2
  cat >refused.cl
  if opencl CL1.2 spir64 "$@" refused.cl; then
    echo "it compiled" >>log
    report 1 "$title" log
  else
    grep -q -- "$text" log
    report $? "$title: the messages lack '$text'" log
  fi
}
refuse "no storage declared" "wp_declare_WP_WARP_STORAGE_or_WP_WARP_PARAM" $emulated <<END
#include <warpport/warpport.h>
WP_KERNEL(k, WP_GLOBAL int *p) { p[0] = wp_shfl(wp_mask_all(), p[0], 1); }
END
refuse "a function without WP_WARP_PARAM" "wp_declare_WP_WARP_STORAGE_or_WP_WARP_PARAM" $emulated -DWARPPORT_OPENCL_STORAGE_ARGUMENT=1 <<END
#include <warpport/warpport.h>
WP_DEVICE int f(int x) { return wp_reduce_add(wp_mask_all(), x); }
WP_KERNEL(k, WP_GLOBAL int *p) { p[0] = f(p[0]); }
END
refuse "an old NVIDIA device" "no independent lanes" -DWARPPORT_OPENCL_DIALECT=3 -DWARPPORT_OPENCL_NV_SM=60 <<END
#include <warpport/warpport.h>
END
refuse "a logical warp of 48" "must be 1, 2, 4, 8, 16, 32 or 64" $emulated -DWARPPORT_WARP_SIZE=48 <<END
#include <warpport/warpport.h>
END

# ---- every collective is handed the storage: the names in emulated.h are those that take it ----
"$clang" -x cl -cl-std=CL1.2 -target spir64 -Xclang -finclude-default-header -I "$include" $emulated -E -P - <<END >expanded.txt 2>log
#include <warpport/sort.h>
#include <warpport/atomic.h>
#include <warpport/collect.h>
#include <warpport/tile.h>
END
grep -o '[^;}]*overloadable[^{]*{' expanded.txt | grep wp_declare_ | grep -o ' wp_[a-z0-9][a-z0-9_]*(' | tr -d ' (' | sort -u >takes.txt
sed -n 's/^#define \(wp_[a-z_0-9]*\)(\.\.\.).*/\1/p' "$include/warpport/emulated.h" | sort -u >named.txt
comm -23 takes.txt named.txt >log
[ -s takes.txt ] && [ ! -s log ]
report $? "collectives that emulated.h leaves out" log

echo "opencl syntax: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
