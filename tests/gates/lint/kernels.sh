#!/bin/sh
# Checks each kernel file on its own with clang's OpenCL front end, warnings as errors, plain and
# in every variant of src/class/variant.c: kernels.sh ROOT.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1"

# The macros that variant.c and program.c define. One that is not tried here must not pass unseen.
known='BATCHED BOXED CHUNKED FILLS INDEX_BITS INTERLEAVED LEVEL_AXES LOOPS MSB_FIRST NATIVE_CODE NEST_AXES UNIT UNIT_BITS WIDE_DESTINATION WIDE_SOURCE'
# shellcheck disable=SC2013  # words are meant
for macro in $(grep -ohE -- '-D[A-Z_]+' src/class/variant.c src/opencl/program.c | sed 's/-D//'); do
  case " $known " in
  *" $macro "*) ;;
  *) echo "a program defines $macro, which kernels.sh does not try" && exit 1 ;;
  esac
done

# check FILE [-D...]
check() {
  clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Wall -Wextra -Werror -fsyntax-only \
    -I kernels "$@" || { echo "refused: clang ... $*" && exit 1; }
  checked=$((checked + 1))
}

# How much room there is for axes has no bearing on syntax; whether there is room for levels does.
# Fills are not batched.
variants() {
  for index_bits in 32 64; do
    check "$@" -DINDEX_BITS=$index_bits -DNEST_AXES=16
    case "$*" in
    *fill.cl* | *FILLS=1*) ;;
    *) check "$@" -DINDEX_BITS=$index_bits -DNEST_AXES=6 -DBATCHED=1 ;;
    esac
  done
}

variants_of_bits() {
  for unit_bits in 1 2 4; do
    for msb_first in 0 1; do
      set -- -DUNIT=uchar -DUNIT_BITS=$unit_bits -DMSB_FIRST=$msb_first
      variants kernels/subbyte.cl "$@" -DFILLS=0 -DLEVEL_AXES=0
      variants kernels/subbyte.cl "$@" -DFILLS=0 -DLEVEL_AXES=16
      variants kernels/subbyte.cl "$@" -DFILLS=1 -DLEVEL_AXES=0
      variants kernels/subbyte.cl "$@" -DFILLS=0 -DLEVEL_AXES=0 -DINTERLEAVED=1
      variants kernels/subbyte.cl "$@" -DFILLS=1 -DLEVEL_AXES=0 -DINTERLEAVED=1
    done
  done
}

# variants_of_units FILE OPTION...
variants_of_units() {
  for unit in uchar:8 ushort:16 uint:32 ulong:64 uint4:128; do
    variants "$@" -DUNIT=${unit%:*} -DUNIT_BITS=${unit#*:}
  done
}

checked=0
clang -x c -std=c11 -Wall -Wextra -Werror -fsyntax-only kernels/shared.h
# Included, so that what a program does not use of it is no fault.
printf '#include "numbers.h"\n' | clang -x c -std=c11 -Wall -Wextra -Werror -fsyntax-only -I kernels -
printf '#include "numbers.h"\n' | clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header \
  -Wall -Wextra -Werror -fsyntax-only -I kernels -
for file in kernels/*.cl; do
  check "$file"
  case $file in
  kernels/move.cl) ;;
  kernels/subbyte.cl) variants_of_bits ;;
  kernels/unpacked.cl | kernels/bit_blocks.cl | kernels/cpu_subbyte.cl)
    for unit_bits in 1 2 4; do
      for msb_first in 0 1; do
        set -- -DUNIT=uchar -DUNIT_BITS=$unit_bits -DMSB_FIRST=$msb_first -DLEVEL_AXES=0
        variants "$file" "$@" -DCHUNKED=1 -DBOXED=1
        variants "$file" "$@" -DCHUNKED=1 -DBOXED=1 -DNATIVE_CODE=1
      done
    done
    ;;
  kernels/composed.cl)
    variants_of_units "$file" -DLEVEL_AXES=16 -DCHUNKED=0
    variants_of_units "$file" -DLEVEL_AXES=16 -DCHUNKED=0 -DLOOPS=1
    variants_of_units "$file" -DLEVEL_AXES=16 -DCHUNKED=1
    variants_of_units "$file" -DLEVEL_AXES=16 -DCHUNKED=1 -DNATIVE_CODE=1
    for unit_bits in 1 2 4; do
      for msb_first in 0 1; do
        variants "$file" -DLEVEL_AXES=16 -DCHUNKED=1 -DUNIT=uchar -DUNIT_BITS=$unit_bits \
          -DMSB_FIRST=$msb_first
      done
    done
    ;;
  kernels/lattice.cl | kernels/lattice_tile.cl)
    variants_of_units "$file" -DLEVEL_AXES=16 -DCHUNKED=1
    variants_of_units "$file" -DLEVEL_AXES=16 -DCHUNKED=1 -DNATIVE_CODE=1
    ;;
  kernels/gpu_any.cl)
    variants_of_units "$file" -DLEVEL_AXES=0
    variants_of_units "$file" -DLEVEL_AXES=0 -DLOOPS=1
    ;;
  kernels/packing.cl | kernels/gpu_short.cl)
    variants_of_units "$file" -DLEVEL_AXES=0
    for unit_bits in 1 2 4; do
      for msb_first in 0 1; do
        variants "$file" -DLEVEL_AXES=0 -DUNIT=uchar -DUNIT_BITS=$unit_bits -DMSB_FIRST=$msb_first
      done
    done
    ;;
  kernels/fill.cl)
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=0
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=0 -DLOOPS=1
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1 -DNATIVE_CODE=1
    ;;
  kernels/gpu_tile.cl)
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1 -DLOOPS=1 -DWIDE_SOURCE=1
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1 -DWIDE_SOURCE=1 -DWIDE_DESTINATION=1
    ;;
  kernels/work_group.cl | kernels/gpu_rows.cl)
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1 -DLOOPS=1
    ;;
  kernels/lines.cl | kernels/transpose.cl | kernels/turn.cl | kernels/columns.cl | kernels/cpu_rows.cl | kernels/cpu_any.cl | kernels/cpu_tile.cl | \
    kernels/cpu_short.cl)
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1 -DNATIVE_CODE=1
    ;;
  *) echo "$file: kernels.sh does not know its variants" && exit 1 ;;
  esac
done
echo "clang takes all $checked variants"
