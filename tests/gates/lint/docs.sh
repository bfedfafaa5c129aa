#!/bin/sh
# Checks the HTML reference of the public headers: docs.sh DOXYGEN DOXYFILE. A warning of Doxygen's,
# such as a reference to nothing or a member without a comment, fails.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
doxygen=$1 doxyfile=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# made FOLDER: the reference of the headers in FOLDER.
made() {
  { cat "$doxyfile" && echo "INPUT = $1" && echo "OUTPUT_DIRECTORY = $scratch"; } | "$doxygen" -
}

mkdir "$scratch/planted"
for planted in '/* See @ref nowhere. */\nint f(void);' '/* A struct. */\nstruct s {\n  int undocumented;\n};'; do
  printf '/* A header. */\n\n%b\n' "$planted" >"$scratch/planted/planted.h"
  if made "$scratch/planted" 2>/dev/null; then echo "not seen: $planted" && exit 1; fi
done

made "$(sed -n 's/^INPUT *= //p' "$doxyfile")"
# A function that shares a comment with the function before has the comment, too.
grep -q 'Tells whether the calls above would move bytes' "$scratch/html/group__clreshape__h__3.html"
[ "$(grep -c 'class="memtitle".*clrs_tensor_plan_' "$scratch/html/group__clreshape__h__3.html")" -eq 2 ]
# A function with a comment behind has no other.
[ "$(grep -c 'Creates a context' "$scratch/html/group__device__h__4.html")" -eq 2 ]
