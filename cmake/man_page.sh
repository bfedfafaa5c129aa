#!/bin/sh
# Writes the program's manual page from the program's own help: man_page.sh PROGRAM VERSION.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
program=$1 version=$2

# Prints text verbatim: backslashes, leading dots and leading quotes are special in roff.
verbatim() {
  printf '.nf\n'
  sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^\([.']\)/\\\\\&\1/"
  printf '.fi\n'
}

printf '.TH CLRESHAPE 1 "" "clreshape %s" "User Commands"\n' "$version"
printf '.SH NAME\nclreshape \\- reshape and transpose tensors on OpenCL devices\n'
printf '.SH SYNOPSIS\n.B clreshape\n.I COMMAND\n.RI [ ARGUMENT ]...\n'
printf '.SH DESCRIPTION\n'
"$program" --help | verbatim
for command in $("$program" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
  printf '.SH "CLRESHAPE %s"\n' "$(echo "$command" | tr '[:lower:]' '[:upper:]')"
  "$program" "$command" --help | verbatim
done
