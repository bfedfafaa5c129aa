#!/bin/sh
# Looks for constants that AVX-512 code reads from memory under a mask. HELD in kernels/convert.cl
# gives the cost of such a read. clang compiles the programs like PoCL.
#
#   masked.sh LIST_VARIANTS FOLDER some|all
#
# `some` is one program of every fifth map, `all` every program that CPUs get.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
list=$1 folder=$2
case $3 in
some) programs='^map_rows_.*_index32.*\.cl$' others='batched' step=5 ;;
all) programs='^(map_(rows|tile|planes)|index_|cpu_|subbyte|.*_chunked).*\.cl$' others='^$' step=1 ;;
*) echo "masked.sh LIST_VARIANTS FOLDER some|all" >&2 && exit 2 ;;
esac
rm -rf "$folder"
mkdir -p "$folder"
"$list" "$folder" >"$folder/variants"

# count FILE [-D...]: lines of the assembler text that read a constant under a mask.
# shellcheck disable=SC2016 # what it names is its own
count='
  file=$1
  shift
  clang -x cl -Xclang -finclude-default-header -target x86_64-pc-linux-gnu -march=x86-64-v4 -O3 -w \
    "$@" -DNATIVE_CODE=1 -DWORDS_IN_BUFFER=0 -S -o "$file.s" "$file" || exit 255
  found=$(grep -E "\{%k[1-7]\}" "$file.s" | grep -c "(%rip)") || :
  rm "$file.s"
  echo "$found $file"
'
cd "$folder"
cat >planted.cl <<end
float16 planted(float16 x) { return x != x ? (float16)1.5f : x; }
end
case $(sh -c "$count" - planted.cl) in
0*) echo "the masked constant of planted.cl is not found" && exit 1 ;;
esac
# shellcheck disable=SC2016 # what it names is its own
each='file=$1 && shift && set -- "$file" $(cat "${file%.cl}.options") && '$count
find . -name '*.cl' | sed 's|^\./||' | grep -E "$programs" | grep -vE "$others" | LC_ALL=C sort |
  awk "NR % $step == 0" | xargs -P 2 -I '{}' sh -c "$each" - '{}' >found
grep -v '^0 ' found && echo "constants are read under a mask: see HELD of kernels/convert.cl" && exit 1
[ "$(wc -l <found)" -gt 5 ] && echo "$(wc -l <found) programs read no constant under a mask"
