# From `llvm-cov show -show-branches=count`: the lines that were never run, and the branches that
# never went one way, as FILE:LINE.
#
# SPDX-License-Identifier: Apache-2.0
/^[^ ].*:$/ { file = $0; sub(/:$/, "", file); ours = sub(/^.*\/src\//, "src/", file); next }
!ours { next }
/^ +[0-9]+\| +0\|/ { text = $0; sub(/^ +[0-9]+\| +0\|/, "", text); split($0, at, "|"); print file ":" at[1] + 0 ": not run:" text }
/^ +[0-9]+\|/ { split($0, at, "|"); source[file ":" at[1] + 0] = substr($0, index($0, "|") + 1) }
/Branch \(/ {
  where = $0
  gsub(/^.*Branch \(|\).*$/, "", where)
  split(where, at, ":")
  if ($0 ~ /True: 0,/) print file ":" at[1] ": never true, column " at[2] ":" source[file ":" at[1]]
  if ($0 ~ /False: 0\]/) print file ":" at[1] ": never false, column " at[2] ":" source[file ":" at[1]]
}
