#!/bin/sh
# Checks that a header declares the functions of the matching .c file: declarations.sh ROOT. A
# function that src/F/x.h declares is defined in src/F/x.c. Without an x.c (a list of commands, of
# operators) any file of that folder, or of a folder within, may define the function. A reader then
# finds a function behind the header's name.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1"

# names KINDS FILE...: "file name" for each function that is declared (p) or defined (f) there,
# except functions made by a macro.
names() {
  kinds=$1
  shift
  ctags -x --kinds-C="$kinds" --language-force=C "$@" | awk '$1 !~ /^[A-Z0-9_]*$/ { print $4, $1 }'
}

# check FOLDER: complains of definitions elsewhere.
check() {
  find "$1" -name '*.[ch]' | LC_ALL=C sort >"$list"
  # shellcheck disable=SC2046  # no name here holds a space: sizes.sh says so
  { names f $(grep '\.c$' "$list") | sed 's/^/f /'
    names p $(grep '\.h$' "$list") | sed 's/^/p /'; } |
    awk '
      $1 == "f" { defined[$2, $3] = 1; has_file[$2] = 1; folder = $2; sub(/[^\/]*$/, "", folder)
                  in_folder[folder, $3] = 1
                  sub(/[^\/]*\/$/, "", folder)
                  in_folder[folder, $3] = 1; next }
      {
        own = $2
        sub(/h$/, "c", own)
        folder = $2
        sub(/[^\/]*$/, "", folder)
        if (own in has_file ? (own, $3) in defined : (folder, $3) in in_folder) next
        print $2 ": declares " $3 ", which " (own in has_file ? own : "no file of the folder") " does not define"
        failed = 1
      }
      END { exit failed }'
}

list=$(mktemp)
planted=$(mktemp -d)
trap 'rm -rf "$list" "$planted"' EXIT
echo 'int here(int a);' >"$planted/own.h"
echo '#include "own.h"' >"$planted/own.c"
echo 'int here(int a) { return a; }' >>"$planted/own.c"
check "$planted" || { echo 'a header of its own file is refused' && exit 1; }
echo 'int there(int a);' >>"$planted/own.h"
echo 'int there(int a) { return a; }' >"$planted/neighbour.c"
check "$planted" >/dev/null && { echo 'a declaration of a neighbour is not seen' && exit 1; }
failed=0
for folder in src/*/; do
  check "${folder%/}" || failed=1
done
exit $failed
