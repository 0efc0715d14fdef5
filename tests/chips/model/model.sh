#!/bin/sh
# model.sh INCLUDE_DIR WORK_DIR: proves tests/chips/model/model.c with CBMC. CBMC is in Debian 13 ("cbmc"); elsewhere the script uses it
# from a Debian 13 root filesystem, $WARPPORT_ROOTS/trixie (ci/chips.sh makes one), and needs to be root for that.
set -u
include=$1 work=$2
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work" && mkdir -p "$work" || exit 1
root=${WARPPORT_ROOTS:-}/trixie
if command -v cbmc >/dev/null; then
  cbmc() { (cd "$work" && command cbmc "$@"); }
  files=$work
elif [ -n "${WARPPORT_ROOTS:-}" ] && [ -x "$root/usr/bin/cbmc" ] && [ "$(id -u)" -eq 0 ]; then
  files=$root/tmp/warpport-model
  rm -rf "$files" && mkdir -p "$files" || exit 1
  cbmc() { chroot "$root" sh -c 'cd /tmp/warpport-model && exec cbmc "$@"' cbmc "$@"; }
else
  echo "SKIPPED: no cbmc here, and no Debian 13 root filesystem with one in WARPPORT_ROOTS"
  exit 77
fi
cp -R "$include" "$files/include" && cp "$here/model.c" "$here/model_backend.h" "$files" || exit 1

failed=0
prove() { # FUNCTION FLAG...
  function=$1
  shift
  cbmc model.c --function "$function" -I include -I . -DWARPPORT_BACKEND_FILE='"model_backend.h"' --signed-overflow-check --undefined-shift-check \
    --bounds-check --pointer-check --div-by-zero-check --unwind 65 --unwinding-assertions "$@" >"$work/$function.log" 2>&1
}
for function in ${MODEL_FUNCTIONS:-shfl_or up_or down_or xor_or safe shfl up down exclusive_or rotate masks}; do
  if prove $function; then
    echo "proved: $function ($(sed -n 's/^\*\* 0 of \([0-9]*\) failed.*/\1/p' "$work/$function.log") assertions)"
  else
    echo "NOT PROVED: $function"
    grep -E 'FAILURE|error|warning' "$work/$function.log" | head -n 10
    failed=1
  fi
done
if prove derived_ballot -DMODEL_DERIVED; then
  echo "proved: derived_ballot"
else
  echo "NOT PROVED: derived_ballot"
  grep -E 'FAILURE|error' "$work/derived_ballot.log" | head -n 10
  failed=1
fi
# These must be refuted, or the model proves nothing.
for function in copied_macro copied_macro_negative; do
  if prove $function || ! grep -q 'VERIFICATION FAILED' "$work/$function.log"; then
    echo "NOT REFUTED: $function"
    failed=1
  else
    echo "refuted, as it should be: $function: $(grep FAILURE "$work/$function.log" | head -n 1)"
  fi
done
exit $failed
