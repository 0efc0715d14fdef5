#!/bin/sh
# Fetches the parts of the CUDA toolkit that tests/codegen needs and this machine lacks, from NVIDIA's packages on PyPI: NVRTC to
# compile, nvdisasm to read machine code. No GPU, no driver and no root are needed.
# Usage: sh ci/cuda_tools.sh DIR        puts them into DIR/nvidia/cu13/{lib,bin}; cmake looks in <build>/cuda-tools
#   WARPPORT_NVRTC, WARPPORT_NVDISASM   use these instead
# Exit code: 0 if both are there now, 77 if something could not be fetched; the reason is printed.
set -u
dir=${1:?usage: sh ci/cuda_tools.sh DIR}

# Fixed versions, so that a table of counts does not change by itself.
nvrtc="nvidia-cuda-nvrtc==13.0.88"
nvdisasm="nvidia-cuda-nvdisasm==13.5.37"

missing=
for place in "${WARPPORT_NVRTC:-}" "${CUDA_HOME:-/usr/local/cuda}"/lib*/libnvrtc.so* "${CUDA_HOME:-/usr/local/cuda}"/lib/libnvrtc.so* \
  "$dir"/nvidia/cu*/lib/libnvrtc.so.*; do
  [ -n "$place" ] && [ -e "$place" ] && break
  place=
done
[ -n "$place" ] || missing="$missing $nvrtc"
if [ -z "${WARPPORT_NVDISASM:-}" ] && ! command -v nvdisasm >/dev/null 2>&1 && [ ! -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvdisasm" ] &&
  [ ! -x "$dir/nvidia/cu13/bin/nvdisasm" ]; then
  missing="$missing $nvdisasm"
fi
if [ -z "$missing" ]; then
  exit 0
fi
if ! python3 -m pip --version >/dev/null 2>&1; then
  echo "cuda_tools: python3 with pip is needed to fetch$missing; the codegen tests skip what needs it" >&2
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2086
if ! python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: -d "$work" $missing >"$work/log" 2>&1; then
  echo "cuda_tools: cannot fetch$missing; the codegen tests skip what needs it. pip says:" >&2
  tail -n 2 "$work/log" >&2
  exit 77
fi
mkdir -p "$dir"
for wheel in "$work"/*.whl; do
  python3 -m zipfile -e "$wheel" "$dir" || exit 77
done
chmod -f +x "$dir"/nvidia/cu*/bin/* 2>/dev/null
echo "cuda_tools: fetched$missing"
