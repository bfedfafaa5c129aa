#!/bin/sh
# Proves that embedding keeps every byte: embed_test.sh ROOT COMPILER. Embeds a file of all 256
# values, a length that fills no line, a line that looks like CMake, and no newline at the end.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1 compiler=$2
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cd "$copy"

awk 'BEGIN { for (i = 0; i < 256; i++) printf "\\%03o", i }' >octal
printf '%b' "$(sed 's/\\/\\0/g' octal)" >all_bytes.cl
[ "$(wc -c <all_bytes.cl)" -eq 256 ]
# shellcheck disable=SC2016  # the dollar is meant
printf 'a;b [] ${PATH} @PATH@ \\ " \\\n # \r\n\n;no newline' >odd.cl
printf 'x' >one.cl

cmake -DOUTPUT="$copy/embedded.c" -DKERNELS="$copy/all_bytes.cl,$copy/odd.cl,$copy/one.cl" \
  -P "$root/cmake/EmbedKernels.cmake"
cat >write.c <<'END'
#include <stdio.h>
#include "kernel_source.h"
int main(void) {
  for (size_t i = 0; i < clrs__kernel_source_count; i++) {
    char path[64];
    snprintf(path, sizeof path, "%s.out", clrs__kernel_sources[i].name);
    FILE *file = fopen(path, "wb");
    fwrite(clrs__kernel_sources[i].text, 1, clrs__kernel_sources[i].length, file);
    fclose(file);
  }
  return 0;
}
END
"$compiler" -I "$root/src/opencl/program" write.c embedded.c -o write
./write
for name in all_bytes odd one; do
  cmp $name.cl $name.out
done

: >empty.cl
if cmake -DOUTPUT="$copy/empty.c" -DKERNELS="$copy/empty.cl" \
  -P "$root/cmake/EmbedKernels.cmake" 2>said; then
  echo 'an empty kernel was embedded' && exit 1
fi
grep -q 'empty.cl is empty' said
