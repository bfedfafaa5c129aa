#!/bin/sh
# Checks the house limits: sizes.sh ROOT. No function over 60 lines, from the name to the closing
# brace. No file over 400 lines. Every file states the licence.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1"
most_function=60
most_file=400

sources=$(find src include kernels tests cmake -type f \( -name '*.[ch]' -o -name '*.cl' -o -name '*.[ch]pp' \) |
  LC_ALL=C sort)
scripts=$(find CMakeLists.txt cmake src tests .ci -type f \( -name 'CMakeLists.txt' -o -name '*.cmake' \
  -o -name '*.in' -o -name '*.sh' -o -name '*.py' -o -name run \) | LC_ALL=C sort)
if [ -z "$sources" ] || [ -z "$scripts" ]; then
  echo "$1 holds no sources" && exit 1
fi

{
  # shellcheck disable=SC2086  # no name here holds a space; the next check says so
  ctags --langmap=C:+.cl.h --kinds-C=f --kinds-C++=f --fields=+ne -f - $sources |
    awk -F '\t' -v most=$most_function '
      !/^!/ {
        first = last = 0
        for (i = 4; i <= NF; i++) {
          if ($i ~ /^line:/) first = substr($i, 6)
          if ($i ~ /^end:/) last = substr($i, 5)
        }
        functions++
        if (!last) print $2 ":" first ": " $1 ": ctags finds no end"
        else if (last - first + 1 > most)
          print $2 ":" first ": " $1 " has " last - first + 1 " lines; at most " most " are allowed"
      }
      END { if (!functions) print "ctags finds no function" }'
  for file in $sources $scripts; do
    [ -f "$file" ] || { echo "$file: a name with a space"; continue; }
    lines=$(wc -l <"$file")
    [ "$lines" -le $most_file ] || echo "$file has $lines lines; at most $most_file are allowed"
    grep -q 'SPDX-License-Identifier: Apache-2.0' "$file" || echo "$file: no SPDX line"
  done
} | {
  if grep .; then exit 1; fi
  echo "all within the limits"
}
