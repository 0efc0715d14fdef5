#!/bin/sh
# Runs the example kernels on a file, on every backend and lane count of this machine, and compares with plain C.
# Usage: sh ci/demo.sh [FILE] [option of warpport-demo...]
# Exit code: 0 all agree, 3 packages are missing and only root can install them, else a step failed or a result disagrees.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/ci/lib.sh"
dir=${WARPPORT_DEMO_BUILD_DIR:-$root/build/demo}

need_to_build
need libcjson-dev have_module libcjson
install_missing

configure "$dir" -DWARPPORT_BUILD_TESTS=OFF -DWARPPORT_BUILD_BENCH=OFF
step "Build" cmake --build "$dir" --target warpport-demo -j "$(jobs)"

# A text that Debian and Ubuntu always have, for a call without a file.
if [ $# -eq 0 ]; then
  for file in /usr/share/common-licenses/GPL-3 /usr/share/common-licenses/GPL-2 "$root/docs/spec.md"; do
    if [ -r "$file" ]; then
      set -- "$file"
      break
    fi
  done
fi
exec "$dir/bin/warpport-demo" "$@"
