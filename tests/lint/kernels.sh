#!/bin/sh
# Checks each kernel file on its own with clang's OpenCL front end, warnings as errors, plain and
# in every variant that src/runtime/program.c builds: kernels.sh ROOT.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1"

# check FILE [-D...]
check() {
  clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Wall -Wextra -Werror -fsyntax-only \
    -I kernels "$@" || { echo "refused: clang ... $*" && exit 1; }
  checked=$((checked + 1))
}

# The room for axes has no bearing on syntax; that there is any room for levels does.
variants() {
  file=$1 options=$2
  for index_bits in 32 64; do
    for level_axes in $3; do
      # shellcheck disable=SC2086  # several options
      check "$file" -DINDEX_BITS=$index_bits -DNEST_AXES=16 -DLEVEL_AXES="$level_axes" $options
    done
  done
}

checked=0
for file in kernels/*.cl; do
  check "$file"
  case $file in
  kernels/common.cl) ;;
  kernels/bits.cl)
    for unit_bits in 1 2 4; do
      for msb_first in 0 1; do
        variants "$file" "-DUNIT=uchar -DUNIT_BITS=$unit_bits -DMSB_FIRST=$msb_first" '0 16'
      done
    done
    ;;
  kernels/gather.cl | kernels/composed.cl)
    level_axes=0
    [ "$file" = kernels/gather.cl ] || level_axes=16
    for unit in uchar ushort uint ulong uint4; do
      variants "$file" "-DUNIT=$unit" "$level_axes"
    done
    ;;
  *) echo "$file: kernels.sh does not know its variants" && exit 1 ;;
  esac
done
echo "clang takes all $checked variants"
