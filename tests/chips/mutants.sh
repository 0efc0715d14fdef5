#!/bin/sh
# mutants.sh CLANGXX INCLUDE_DIR WORK_DIR GUARDS_OBJECT LINK...: copies the headers, weakens one guard at a time, and runs the guard test
# on an emulated chip: it must fail. A mutation that changes no text is a failure too, so this list keeps up with the headers.
set -u
clangxx=$1 include=$2 work=$3 guards=$4
shift 4
link=$*
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
caught=0 failed=0

flags_of() { # chip -> device and flags
  case $1 in
  musa) device=cpu:64 flags="-DWARPPORT_BACKEND=5 -include $here/standin/musa.h" ;;
  maca) device=cpu:64 flags="-DWARPPORT_BACKEND=6 -include $here/standin/maca.h" ;;
  corex) device=cpu:64 flags="-DWARPPORT_BACKEND=7 -include $here/standin/corex.h" ;;
  corex_memory) device=cpu:64 flags="-DWARPPORT_BACKEND=7 -DWARPPORT_COREX_SHUFFLE_BY_MEMORY=1 -include $here/standin/corex.h" ;;
  dtk) device=cpu:64 flags="-DWARPPORT_BACKEND=8 -include $here/standin/dtk.h" ;;
  supa) device=cpu:32 flags="-DWARPPORT_BACKEND=9 -include $here/standin/supa.h" ;;
  tiny) device=cpu:16 flags="-DWARPPORT_BACKEND_FILE=\"$here/profiles/relative16.h\" -include $here/standin/profile.h" ;;
  *) device=cpu:32 flags="-DPROFILE_$1 -DWARPPORT_BACKEND_FILE=\"$here/profiles/one_way.h\" -include $here/standin/profile.h" ;;
  esac
  case $1 in
  tiny | UNIFORM_DELTA | XOR | CONSTANT_LANE) ;;
  *) flags="$flags -DSTANDIN_STRICT=1" ;;
  esac
}

# try CHIP INCLUDE: 0 if the guard test passes
try() {
  flags_of "$1"
  # shellcheck disable=SC2086
  "$clangxx" -x c++ -std=c++17 -O0 -w -Xclang -fconvergent-functions -DSTANDIN_EMULATED=1 -DGUARD_QUICK $flags -I "$2" -o kernel.o \
    -c "$here/guards_kernel.c" >log 2>&1 || return 2
  # shellcheck disable=SC2086
  "$clangxx" -o guards "$guards" kernel.o $link >log 2>&1 || return 2
  WARPPORT_QUIET=1 timeout 60 ./guards "$device" 7 quick >log 2>&1
}

# mutant CHIP FILE TITLE SED...
mutant() {
  chip=$1 file=$2 title=$3
  shift 3
  rm -rf include && cp -R "$include" include
  sed "$@" "$include/warpport/$file" >"include/warpport/$file"
  if cmp -s "$include/warpport/$file" "include/warpport/$file"; then
    failed=$((failed + 1))
    echo "STALE: $file: $title: the text to weaken is gone"
    return
  fi
  try "$chip" include
  case $? in
  0)
    failed=$((failed + 1))
    echo "SURVIVED on $chip: $file: $title"
    ;;
  2)
    failed=$((failed + 1))
    echo "DOES NOT BUILD: $file: $title"
    head -n 5 log
    ;;
  *)
    caught=$((caught + 1))
    echo "caught on $chip: $file: $title: $(grep -v '^$' log | head -n 1 | cut -c 1-110)"
    ;;
  esac
}

for chip in musa maca corex corex_memory dtk supa tiny FLOAT XOR BALLOT; do
  if ! try "$chip" "$include"; then
    failed=$((failed + 1))
    echo "FAILED without any mutation: $chip"
    head -n 10 log
  fi
done

guard=shuffle.h
mutant maca $guard "the source is not clamped" 's/v, ok ? source : wp_lane()/v, source/'
mutant maca $guard "no selection afterwards" 's/return ok ? got : fallback; \\/return ok || true ? got : fallback; \\/'
mutant maca $guard "the range is not tested" 's/bool ok = (inside) \&\& wp__in(mask, source);/bool ok = wp__in(mask, (source) \& 63);/'
mutant maca $guard "the mask is not tested" 's/bool ok = (inside) \&\& wp__in(mask, source);/bool ok = (inside);/'
mutant maca $guard "the exchange only where there is a source" 's/got = wp__pull_##W(WP__TO mask, v, ok ? source : wp_lane());/if (!ok) return fallback; got = wp__pull_##W(WP__TO mask, v, source);/'
mutant maca $guard "negative lanes are let through" 's/WP__GUARD(shfl, W, WT, (unsigned)arg < (unsigned)width/WP__GUARD(shfl, W, WT, arg < width/'
mutant maca $guard "the lane mask is not bounded" 's/WP__GUARD(xor, W, WT, (unsigned)arg < (unsigned)width/WP__GUARD(xor, W, WT, true/'
mutant maca $guard "up reaches one lane too far" 's/return (unsigned)delta <= (unsigned)(wp_lane() \& (width - 1));/return (unsigned)delta <= (unsigned)(wp_lane() \& (width - 1)) + 1u;/'
mutant maca $guard "up falls one lane short" 's/return (unsigned)delta <= (unsigned)(wp_lane()/return (unsigned)delta < (unsigned)(wp_lane()/'
mutant maca $guard "down reaches one lane too far" 's/(wp_lane() \& (width - 1)) < (int)((unsigned)width - (unsigned)delta)/(wp_lane() \& (width - 1)) <= (int)((unsigned)width - (unsigned)delta)/'
mutant maca $guard "lanes are not taken modulo width" 's/| (lane \& (width - 1)); }/| lane; }/'
mutant maca mask.h "lanes that do not exist count as present" 's/return wp_mask_first(wp_block_threads() - wp_warp_id() \* wp_warp_size());/return wp_mask_all();/'

mutant maca backend/maca.h "the ballot is not cut down to the mask" 's/__ballot_sync(mask, p) \& mask/__ballot_sync(mask, p)/'
mutant maca backend/maca.h "a ballot of 32 bits" 's/(wp_u64)__ballot_sync/(wp_u32)__ballot_sync/'
mutant musa backend/musa.h "the lane of the whole warp" 's/__get_laneid() \& (WPB_WARP_SIZE - 1u)/__get_laneid()/'
mutant musa backend/musa.h "the ballot is not cut down to the mask" 's/__ballot_sync(mask, p) \& mask/__ballot_sync(mask, p)/'
mutant corex backend/corex.h "shuffles within 32 lanes" 's/v, src, WPB_WARP_SIZE)/v, src, 32)/'
mutant corex backend/corex.h "the width is left out" 's/v, src, WPB_WARP_SIZE)/v, src)/'
mutant corex backend/corex.h "the ballot of 32 bits is trusted" 's/^#if WARPPORT_NATIVE_BALLOT/#if 1/'
mutant corex_memory backend/corex.h "no wait between write and read" 's/^  __syncwarp();//'
mutant supa backend/supa.h "the ballot is not cut down to the mask" 's/__ballot_sync(mask, p) \& mask/__ballot_sync(mask, p)/'
mutant dtk backend/dtk.h "the ballot is not cut down to the mask" 's/BALLOT(p != 0) \& mask/BALLOT(p != 0)/'
mutant dtk backend/dtk.h "lane numbers instead of addresses" 's/src << 2/src/'

mutant corex_memory derive.h "the second wait is left out" 's/^  wpb_sync(mask); \/\* before anybody overwrites it \*\///'
mutant FLOAT derive.h "one bit too many for the float path" 's/at += WPB_SHFL_BY_FLOAT/at += WPB_SHFL_BY_FLOAT + 1/; s/(1u << WPB_SHFL_BY_FLOAT)/(2u << WPB_SHFL_BY_FLOAT)/'
mutant FLOAT derive.h "ballot: an absent neighbour is read" 's/theirs != 0 ? first : lane/first/'
mutant corex derive.h "ballot: an absent half is read" 's/theirs == 0 ? lane : wp__lowest64(theirs)/wp__lowest64(theirs | 1)/'
mutant corex derive.h "ballot: the halves are exchanged" 's/lane < 32 ? (wp_u64)got << 32 | half/lane >= 32 ? (wp_u64)got << 32 | half/'
mutant UNIFORM_DELTA derive.h "ballot: garbage from beyond the ends" 's/if ((unsigned)(l) < (unsigned)wpb_warp_size() \&\& (mask/if ((mask/'
mutant tiny derive.h "ballot: lanes outside the mask" 's/ \&\& (mask \& WP__RAW_BIT(l)) != 0//'
mutant tiny derive.h "the last lane is never reached" 's/for (wp__d = 1; wp__d < wpb_warp_size(); wp__d++)/for (wp__d = 1; wp__d < wpb_warp_size() - 1; wp__d++)/'
mutant XOR derive.h "the farthest partner is never reached" 's/for (wp__d = 1; wp__d < wpb_warp_size(); wp__d++)/for (wp__d = 1; wp__d < wpb_warp_size() - 1; wp__d++)/'
mutant BALLOT derive.h "bit 31 is lost" 's/at < 32u; at++/at < 31u; at++/'

echo "mutants: $caught caught, $failed not"
[ "$failed" -eq 0 ] && [ "$caught" -gt 0 ]
