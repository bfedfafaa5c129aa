# From the lines of `llvm-cov report`: a line for each file of the tree, and the sums of each part,
# which limits.txt must know; fails if a part is below.
#
# SPDX-License-Identifier: Apache-2.0
function percent(part, whole) { return whole ? 100 * part / whole : 100 }

function show(name, lines, lines_missed, branches, branches_missed) {
  printf "%-34s lines %5d of %5d %6.2f %%   branches %5d of %5d %6.2f %%\n", name,
    lines - lines_missed, lines, percent(lines - lines_missed, lines),
    branches - branches_missed, branches, percent(branches - branches_missed, branches)
}

BEGIN {
  while ((getline line < limits) > 0)
    if (line !~ /^#/ && split(line, words, " ") == 3) {
      least_lines[words[1]] = words[2]
      least_branches[words[1]] = words[3]
    }
}
match($1, /src\/[a-z]+\/[a-z_0-9]+\.[ch]$/) && !(seen[substr($1, RSTART)]++) {
  name = substr($1, RSTART)
  split(name, folders, "/")
  part = folders[1] "/" folders[2]
  show(name, $5, $6, $8, $9)
  lines[part] += $5
  lines_missed[part] += $6
  branches[part] += $8
  branches_missed[part] += $9
}
END {
  for (part in lines)
    if (!(part in least_lines)) { print part ": limits.txt does not know it"; failed = 1 }
  for (part in least_lines) {
    show(part, lines[part], lines_missed[part], branches[part], branches_missed[part])
    if (!lines[part]) { print part ": nothing was counted"; failed = 1 }
    if (percent(lines[part] - lines_missed[part], lines[part]) < least_lines[part] ||
        percent(branches[part] - branches_missed[part], branches[part]) < least_branches[part]) {
      printf "%s: at least %s %% of the lines and %s %% of the branches are to be run\n", part,
        least_lines[part], least_branches[part]
      failed = 1
    }
  }
  exit failed
}
