#!/bin/sh
# Checks the links: links.sh ROOT. Every relative link of a .md file must lead to a file, and behind
# a # to a heading. Every page and source file that the sources name must exist.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1"

# links FILE: targets of the links, without code blocks.
links() {
  awk '/^```/ { code = !code } !code { gsub(/`[^`]*`/, ""); print }' "$1" |
    grep -o '](\([^)]*\))' | sed 's/^](//; s/)$//' | grep -v '^[a-z]*:' || true
}

# anchors FILE: the headings of the file, as links name headings.
anchors() {
  awk '/^```/ { code = !code } !code && /^#+ /' "$1" |
    sed 's/^#* //' | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# broken FILE...
broken() {
  for file in "$@"; do
    links "$file" | while read -r link; do
      path=${link%%#*} anchor=
      case $link in *'#'*) anchor=${link#*#} ;; esac
      target=${file%/*}/$path
      [ -n "$path" ] || target=$file
      if [ ! -e "$target" ]; then
        echo "$file: there is no $link"
      elif [ -n "$anchor" ] && ! anchors "$target" | grep -qxF -e "$anchor"; then
        echo "$file: $link names no heading"
      fi
    done
  done
}

# unknown FOLDER...: the pages (.md) that C files there name, and files by a path, that are not there,
# as seen from the root and from the folder of the file.
unknown() {
  find "$@" -name '*.[ch]' -o -name '*.hpp' -o -name '*.cl' | LC_ALL=C sort | xargs \
    grep -noE '\b[A-Za-z0-9_/-]+\.md\b|\b(src|tests|kernels|cmake)/[A-Za-z0-9_/-]+\.(c|h|cl|py|sh)\b' /dev/null |
    grep -v '/NAME\.' | while IFS=: read -r file line name; do
      [ -e "$name" ] || [ -e "${file%/*}/$name" ] || echo "$file:$line: there is no $name"
    done
}

planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
printf '%s\n' '# A b, c' '[1](#a-b-c) [2](b.md#x) [3](b.md) `[4](no)` [5](no.md)' '[6](b.md#y)' >"$planted/a.md"
echo '## X' >"$planted/b.md"
[ "$(broken "$planted/a.md")" = "$planted/a.md: there is no no.md
$planted/a.md: b.md#y names no heading" ] || { echo 'a broken link is not seen' && exit 1; }

printf '/* b.md, no.md and tests/gates/none.c; tests/gates/lint/links.sh */\n' >"$planted/a.h"
[ "$(unknown "$planted")" = "$planted/a.h:1: there is no no.md
$planted/a.h:1: there is no tests/gates/none.c" ] || { echo 'a page that is not there is not seen' && exit 1; }

# shellcheck disable=SC2046  # no name here holds a space: sizes.sh says so
found=$(broken $(find ./*.md cmake src tests -name '*.md' | LC_ALL=C sort); unknown include src kernels tests)
[ -z "$found" ] || { printf '%s\n' "$found" && exit 1; }
