# Counts instructions of each function of an AMD assembly file. Prints: name total lds bpermute dpp_moves dpp_fused readlane scratch shared
# Waits, no-ops and scheduling hints are not counted: they are no work, and differ from version to version.
/^[A-Za-z_][A-Za-z_0-9]*:/ { name = substr($1, 1, length($1) - 1); if (name ~ /^__/) name = ""; next }
/^\.Lfunc_end/ { name = "" ; next }
name != "" && /^\t[a-z]/ {
  op = $1
  if (op ~ /^s_(nop|wait|delay|clause|endpgm|code_end|sendmsg|set_gpr)/) next
  total[name]++
  if (!(name in seen)) { seen[name] = 1; order[++n] = name }
  if (op ~ /^ds_/) lds[name]++
  if (op ~ /^ds_bpermute/) bpermute[name]++
  if (/ (quad_perm|row_|wave_|dpp8)/) { if (op ~ /^v_mov_b32/) moves[name]++; else fused[name]++ }
  if (op ~ /^v_readlane|^v_readfirstlane/) readlane[name]++
}
# The kernel descriptors.
/\.amdhsa_kernel / { kernel = $2 }
/\.amdhsa_private_segment_fixed_size/ { scratch[kernel] = $2 }
/\.amdhsa_group_segment_fixed_size/ { shared[kernel] = $2 }
END {
  for (i = 1; i <= n; i++) {
    k = order[i]
    print k, total[k] + 0, lds[k] + 0, bpermute[k] + 0, moves[k] + 0, fused[k] + 0, readlane[k] + 0, scratch[k] + 0, shared[k] + 0
  }
}
