#!/bin/sh
# emulated.sh COMMAND...: runs it if there is an emulator to run on, else says what is missing and ends with 77 (skipped).
if [ -z "${TINYGRAD_DIR:-}" ] || [ ! -f "$TINYGRAD_DIR/test/mockgpu/amd/emu.py" ]; then
  echo "SKIPPED: TINYGRAD_DIR names no checkout of tinygrad, whose instruction emulator runs AMD code; nothing was executed"
  exit 77
fi
for tool in python3 clang; do
  command -v $tool >/dev/null || { echo "SKIPPED: the instruction emulator needs $tool; nothing was executed"; exit 77; }
done
exec "$@"
