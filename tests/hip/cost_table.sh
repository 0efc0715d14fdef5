#!/bin/sh
# cost_table.sh [COMPILER]: writes codegen.txt anew, as clang 19 compiles now, and from it the AMD section of docs/cost_table.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
compiler=${1:-clang-19}
chips="gfx900 gfx90a gfx942 gfx1030 gfx1100 gfx1201"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
  echo "# Instructions that an operation adds to its kernel (codegen.c), clang 19 -O3; written by cost_table.sh, checked by codegen.sh."
  echo "# chip operation instructions through_lds ds_bpermute dpp_moves dpp_fused readlane"
  for chip in $chips; do sh "$here/codegen.sh" "$compiler" "$root/include" "$work" "$chip" --table; done
} >"$work/codegen.txt"
cp "$work/codegen.txt" "$here/codegen.txt"

awk -v chips="$chips" '
  BEGIN { n = split(chips, chip, " ") }
  FNR == NR && /^ONE\(/ { # ONE(name, T, expression)
    line = $0
    sub(/^ONE\(/, "", line)
    name = line; sub(/,.*/, "", name)
    type = line; sub(/^[^,]*, wp_/, "", type); sub(/,.*/, "", type)
    call = line; sub(/^[^,]*, [^,]*, /, "", call); sub(/\)$/, "", call)
    gsub(/ALL/, "all", call); sub(/ \? 1u : 0u/, "", call); sub(/^\(wp_u32\)/, "", call)
    text[name] = call; types[name] = type; order[++count] = name
    next
  }
  FNR == NR && /^WP_KERNEL\(/ { name = $0; sub(/^WP_KERNEL\(/, "", name); sub(/,.*/, "", name); next }
  FNR == NR && /out\[i\] = wp_/ && !/ONE/ && name != "" {
    call = $0; sub(/.*out\[i\] = /, "", call); sub(/;.*/, "", call); gsub(/ALL/, "all", call); sub(/in\[i\]/, "v", call); sub(/lane \+ i/, "lane", call)
    text[name] = call; types[name] = "u32"; order[++count] = name; name = ""
    next
  }
  FNR == NR || /^#/ { next }
  { total[$1, $2] = $3; lds[$1, $2] = $4; bpermute[$1, $2] = $5; fused[$1, $2] = $7 }
  END {
    head = "| operation | type |"; rule = "|---|---|"
    for (c = 1; c <= n; c++) { head = head " " chip[c] " |"; rule = rule "--:|" }
    print head; print rule
    for (i = 1; i <= count; i++) {
      name = order[i]
      if (name == "copy") continue
      line = "| `" text[name] "` | " types[name] " |"
      for (c = 1; c <= n; c++) {
        key = chip[c] SUBSEP name
        if (!(key in total)) { line = line " |"; continue }
        line = line " " total[key] (bpermute[key] ? " B" : lds[key] ? " S" : "") (fused[key] ? " +" fused[key] : "") " |"
      }
      print line
    }
  }' "$here/codegen.c" "$here/codegen.txt" >"$work/table.md"

# Between the markers of docs/cost_table.md.
awk -v table="$work/table.md" '
  /^<!-- hip: begin -->/ { print; while ((getline line < table) > 0) print line; skip = 1; next }
  /^<!-- hip: end -->/ { skip = 0 }
  !skip { print }' "$root/docs/cost_table.md" >"$work/cost_table.md"
cat "$work/cost_table.md" >"$root/docs/cost_table.md"
