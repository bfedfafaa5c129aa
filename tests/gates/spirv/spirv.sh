#!/bin/sh
# Compiles programs of the library to SPIR-V, with Debian 12's clang and llvm-spirv, like drivers
# with a SPIR-V stage (Mesa's rusticl, Intel's GPU driver). Constructs that SPIR-V cannot express
# end the process in such drivers, without a build error.
#
#   spirv.sh LIST_VARIANTS FOLDER called|inlined some|all
#
# `some` is every 13th program by name, which has each class, width, index and flag: names differ
# in flags by twos and fours. `all` is every program.
#
# Unoptimized, like in these drivers, and with inline functions kept, so that no code vanishes.
# Chunked moves for CPUs have words in a buffer, as on rusticl. Functions are `called`, or `inlined`
# where the kernels ask for inlining. src/opencl/program/program.c chooses by driver. Inlined
# programs take half as long again to translate. A warning is a failure, except for unused parts of
# a program's files.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
list=$1 folder=$2
case ${4:-} in
some) step=13 ;;
all) step=1 ;;
*) echo "spirv.sh LIST_VARIANTS FOLDER called|inlined some|all" >&2 && exit 2 ;;
esac
case $3 in
called) INLINED=-DINLINED=HELPER ;;
inlined) INLINED= ;;
*) echo "spirv.sh LIST_VARIANTS FOLDER called|inlined some|all" >&2 && exit 2 ;;
esac
rm -rf "$folder"
mkdir -p "$folder"
"$list" "$folder"

# only_in FILE CLASS...: no program of another class includes that file of kernels/. Some compiler
# may fail on the file.
only_in() {
  file=$1 classes=$(echo "$*" | cut -d ' ' -f 2- | tr ' ' '|')
  case $file in # composed and fill write in lines where a work-item moves a chunk
  LINES) chunked='(composed|fill)_' ;;
  TRANSPOSE | COLUMNS | LATTICE) chunked=composed_ ;;
  *) chunked='^$' ;;
  esac
  others=$(cd "$folder" && grep -l "define CLRS_${file}_CL" -- *.cl | grep -vE "^($classes)_[0-9]" |
    grep -vE "^$chunked.*_chunked") || return 0
  echo "these have $file:" && echo "$others" && exit 1
}
only_in LINES cpu_rows cpu_tile cpu_any cpu_short cpu_subbyte map_rows map_tile
only_in TRANSPOSE cpu_tile cpu_short cpu_subbyte map_tile
only_in TURN cpu_tile map_tile
only_in COLUMNS cpu_short
only_in LATTICE 'no class'
only_in WORK_GROUP gpu_rows gpu_tile gpu_short map_gpu_rows map_gpu_tile map_gpu_pixels \
  map_gpu_colors

# A shell script for names without a suffix: reports each rejected program, with the reason. Only
# programs for CPUs, which have LINES, may cast a pointer to an integer: clspv refuses such casts.
translate='
  for name; do
    case $name in *_chunked*) words=1 ;; *) words=0 ;; esac
    {
      clang-15 -x cl -Xclang -finclude-default-header -target spir64 -O0 \
        -Xclang -fgnu89-inline -emit-llvm -Wall -Wextra -Werror \
        -Wno-unused-variable -Wno-unused-parameter $(cat "$name.options") -DNATIVE_CODE=$NATIVE \
        -DWORDS_IN_BUFFER=$words $INLINED \
        -c "$name.cl" -o "$name.bc" && llvm-spirv-15 "$name.bc" -o "$name.spv"
    } >"$name.log" 2>&1 || { echo "$name: $(grep -m 1 . "$name.log")"; exit 255; }
    if ! grep -q "define CLRS_${MAY_CAST}_CL" "$name.cl" &&
      llvm-spirv-15 -spirv-text "$name.bc" -o - | grep -q ConvertPtrToU; then
      echo "$name: a cast from a pointer to an integer"
      exit 255
    fi
  done
'
export NATIVE INLINED MAY_CAST=LINES

# The checks must be able to fail: a square in native code has no SPIR-V, and rows for a CPU have
# casts.
NATIVE=1
set -- "$folder"/cpu_tile_8_*.cl
[ -e "$1" ]
if sh -c "$translate" sh "${1%.cl}" >/dev/null 2>&1; then
  echo 'native code went through SPIR-V: this test would see nothing' && exit 1
fi

NATIVE=0
set -- "$folder"/cpu_rows_8_*.cl
[ -e "$1" ]
if ! MAY_CAST=NOTHING sh -c "$translate" sh "${1%.cl}" | grep -q 'from a pointer to an integer'; then
  echo 'the casts of cpu_rows are not found: this test would see nothing' && exit 1
fi
rm "${1%.cl}.spv"
find "$folder" -name '*.cl' | sed 's/\.cl$//' | LC_ALL=C sort | awk "NR % $step == 0" >"$folder/names"
xargs -n 16 -P "$(nproc)" sh -c "$translate" sh <"$folder/names"
count=$(find "$folder" -name '*.spv' -size +0 | wc -l)
[ "$count" -eq "$(wc -l <"$folder/names")" ]
echo "$count of $(find "$folder" -name '*.cl' | wc -l) variants have SPIR-V"
