#!/bin/sh
# Checks that src/README.md names every file of src: map.sh ROOT. `name*` stands for all that begin so.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1"

# missing MAP FILE...: the files that MAP does not name.
missing() {
  map=$1
  shift
  printf '%s\n' "$@" | awk -v map="$map" '
    BEGIN {
      while ((getline line < map) > 0) {
        count = split(line, parts, "`")
        for (i = 2; i <= count; i += 2) {
          if (parts[i] ~ /\*$/) stems[substr(parts[i], 1, length(parts[i]) - 1)] = 1
          else named[parts[i]] = 1
        }
      }
    }
    {
      name = $0
      sub(/.*\//, "", name)
      sub(/\.(c|h|py)$/, "", name)
      found = name in named
      for (stem in stems) found = found || index(name, stem) == 1
      if (!found) print
    }'
}

planted=$(mktemp)
trap 'rm -f "$planted"' EXIT
echo '`here` and `all*`' >"$planted"
[ "$(missing "$planted" src/a/here.c src/a/all_of.h src/a/nowhere.c)" = src/a/nowhere.c ] ||
  { echo 'a file that is not named is not seen' && exit 1; }
# shellcheck disable=SC2046  # no name here holds a space: sizes.sh says so
found=$(missing src/README.md $(find src -name '*.[ch]' -o -name '*.py'))
[ -z "$found" ] || { echo 'src/README.md does not name:' && printf '%s\n' "$found" && exit 1; }
