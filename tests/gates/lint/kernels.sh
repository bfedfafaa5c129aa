#!/bin/sh
# Checks each kernel file on its own with clang's OpenCL front end, warnings as errors, plain and
# in the variants of src/class/variant.c: kernels.sh ROOT some|all.
#
# Every one takes minutes. `some` is every 31st, and every seventh of indices, sums and colours: the
# loops over the variants have 2, 3, 5 or 11 rounds, so a step does not always fall on the same value of
# an option. spirv.sh compiles every 13th program with the same warnings.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1"
case $2 in
some) step=31 short_step=7 ;;
all) step=1 short_step=1 ;;
*) echo "kernels.sh ROOT some|all" >&2 && exit 2 ;;
esac

# The macros that variant.c and program.c define. One that is not tried here must not pass unseen.
known='ACCESS AXES BATCHED BOXED CHUNKED CODE_BITS COLORED COLUMN_AXES DIVISION FILLS FROM_T GROUPED GROUP_ITEMS HELPER INDEXED INDEX_BITS INLINED INTERLEAVED LAST LEVEL_AXES LOOPS MIXES MSB_FIRST NATIVE_CODE NEST_AXES NUMBERS OPERANDS OP_ ORIGIN_ OVERFLOW_ OWN_WORDS PIXELS RAGGED RESAMPLES ROUNDING_ ROW_AXES SCATTERS SPREAD STEP_COUNT TABLED TO_T UNALIGNED UNIT UNIT_BITS VALUE_BITS VIEW_ WAY WIDE_DESTINATION WIDE_SOURCE WORDS_IN_BUFFER'
# shellcheck disable=SC2013  # words are meant
for macro in $(grep -ohE -- '-D[A-Z_]+' src/class/variant.c src/mapped/key.c src/opencl/program/program.c | sed 's/-D//'); do
  case " $known " in
  *" $macro "*) ;;
  *) echo "a program defines $macro, which kernels.sh does not try" && exit 1 ;;
  esac
done

# Memory that holds another type: only through types that words.cl says may be used for it. Global
# memory has the type that is written to it; what a program reads there it has not written.
others='u?(short|int|long)[0-9]*|size_t|UNIT|type|(cell|lane|line|packed|unpacked|side|small)_t'
if grep -nE "\(((local|private) )?(const )?($others) \*\)" kernels/*.cl ||
  grep -nE '__attribute__\(\(packed' kernels/*.cl | grep -v '#define ANY_BYTES'; then
  echo "memory is seen as another type: use ANY_BYTES or ALIASED of words.cl" && exit 1
fi

# Some compilers for GPUs refuse casts from pointers to integers (clspv). Only files that are in no
# program for GPUs may have casts: spirv.sh finds LINES in programs for CPUs alone.
casts='\((size_t|u?intptr_t)\)'
if ! grep -qE "$casts" kernels/lines.cl; then
  echo "no cast is found in lines.cl, which has some: this check would see nothing" && exit 1
fi
if grep -nE "$casts" kernels/*.cl | grep -vE '^kernels/(cpu_[a-z]*|lines|packed_lines|map_convert)\.cl:'; then
  echo "a pointer becomes an integer: count from the start of the buffer" && exit 1
fi

# A function that is given local memory is always inlined (SHARING of words.cl). The structs room_t and
# tensors_t hold local memory, the latter in kernels for groups.
apart() { cat "$@" | tr '\n' ' ' | grep -oE '(INLINED|HELPER|APART|BODY) [a-z_0-9 *]+\([^;{}()]*\<('"$holds"') [^;{}()]*\) \{'; }
if holds='local|room_t' apart kernels/*.cl || holds='tensors_t' apart kernels/map_g*.cl kernels/parameters.cl; then
  echo "a function that is given local memory may be left apart: use SHARING of words.cl" && exit 1
fi

# check FILE [-D...]: one of STEP calls of it checks.
check() {
  seen=$((seen + 1))
  [ $((seen % step)) -ne 0 ] || check_now "$@"
}

# check_more FILE [-D...]: one of SHORT_STEP calls of it checks.
check_more() {
  met=$((met + 1))
  [ $((met % short_step)) -ne 0 ] || check_now "$@"
}

# check_now FILE [-D...]: what map_parts.cl calls, the kernels define.
check_now() {
  case $1 in
  kernels/map_parts.cl | kernels/map_mix.cl) set -- "$@" -Wno-undefined-internal ;;
  esac
  clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Wall -Wextra -Werror -fsyntax-only \
    -I kernels "$@" || { echo "refused: clang ... $*" && exit 1; }
  checked=$((checked + 1))
}

# How much room there is for axes has no bearing on syntax; whether there is room for levels does.
# Fills of units under a byte are not batched.
variants() {
  check "$@" -DINDEX_BITS=32 -DNEST_AXES=6 -DWORDS_IN_BUFFER=1 -DINLINED=HELPER
  for index_bits in 32 64; do
    check "$@" -DINDEX_BITS=$index_bits -DNEST_AXES=16
    case "$*" in
    *FILLS=1*) ;;
    *) check "$@" -DINDEX_BITS=$index_bits -DNEST_AXES=6 -DBATCHED=1 ;;
    esac
  done
}

variants_of_bits() {
  for unit_bits in 1 2 4; do
    for msb_first in 0 1; do
      set -- -DUNIT=uchar -DUNIT_BITS=$unit_bits -DMSB_FIRST=$msb_first
      variants kernels/subbyte.cl "$@" -DFILLS=0 -DLEVEL_AXES=0
      variants kernels/subbyte.cl "$@" -DFILLS=0 -DLEVEL_AXES=0 -DWIDE_DESTINATION=1
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

# variants_by_index FILE OPTION...: as a gather and as a scatter.
variants_by_index() {
  file=$1
  shift
  for key in '-DINDEXED=1' '-DINDEXED=1 -DSCATTERS=1'; do
    # shellcheck disable=SC2086  # lists of options
    for unit in uchar:8 ushort:16 uint:32 ulong:64 uint4:128; do
      for index_bits in 32 64; do
        set_of="$key -DINDEX_BITS=$index_bits -DUNIT=${unit%:*} -DUNIT_BITS=${unit#*:}"
        check "$file" $set_of "$@" -DLOOPS=0
        check "$file" $set_of "$@" -DLOOPS=1 -DNATIVE_CODE=1
      done
    done
  done
}

# batched_map FILE: parameters of the map's own alone.
batched_map() {
  u8=2,8,0,0,0,0,0,0 f32=3,32,0,0,8,23,127,0 f64=3,64,0,0,11,52,1023,0
  for index_bits in 32 64; do
    for native in 0 1; do
      check "$1" -DBATCHED=1 -DTABLED=0 -DUNALIGNED=0 -DINDEX_BITS=$index_bits -DFROM=$u8 \
        -DFROM_T=uchar -DTO=$f32 -DTO_T=uint -DUNIT=uchar -DUNIT_BITS=8 -DWAY=1 -DVALUE_BITS=32 \
        -DSTEP_COUNT=3 -DLAST=2 -DDIVISION=1 -DOPERANDS=3 -DAXES=8 -DNUMBERS=16 \
        -DNATIVE_CODE=$native -DOP_0=0 -DAS_0=$f32 -DROUNDING_0=0 -DOVERFLOW_0=0 -DORIGIN_0=2 \
        -DVIEW_0=2 -DTYPE_0=$f64 -DOP_1=3 -DAS_1=$f32 -DROUNDING_1=0 -DOVERFLOW_1=0 -DORIGIN_1=1 \
        -DVIEW_1=0 -DTYPE_1=$f64 -DOP_2=6 -DAS_2=$f32 -DROUNDING_2=0 -DOVERFLOW_2=2 -DORIGIN_2=0 \
        -DVIEW_2=0 -DTYPE_2=$f64
    done
  done
}

# variants_of_maps FILE: types of every width, parameters of every origin; src/mapped/key.c has more.
# The kernels, which include all others, with every arithmetic, and as a batch has them; once with
# the instructions that some lines ask for, whatever machine this is.
variants_of_maps() {
  arithmetics=f32
  case $1 in
  kernels/map_any.cl | kernels/map_gpu_colors.cl | kernels/map_gpu_pixels.cl | kernels/map_gpu_rows.cl | kernels/map_gpu_tile.cl | kernels/map_rows.cl | kernels/map_tile.cl)
    arithmetics='f32 f64 doubles f16'
    batched_map "$1"
    ;;
  esac
  u8=2,8,0,0,0,0,0,0 i4=2,4,1,0,0,0,0,0 f16=3,16,0,0,5,10,15,0 f32=3,32,0,0,8,23,127,0
  f64=3,64,0,0,11,52,1023,0
  for place in '-DTABLED=0 -DUNALIGNED=0 -DINDEX_BITS=32' '-DTABLED=1 -DUNALIGNED=1 -DINDEX_BITS=64'; do
    for map in "-DFROM=$u8 -DFROM_T=uchar -DTO=$f32 -DTO_T=uint -DUNIT=uchar -DUNIT_BITS=8 -DWAY=1 -DOP_3=6 -DORIGIN_3=0 -DAS_3=$f32" \
      "-DFROM=$i4 -DFROM_T=uchar -DTO=$f16 -DTO_T=ushort -DUNIT=uchar -DUNIT_BITS=8 -DWAY=1 -DOP_3=6 -DORIGIN_3=0 -DAS_3=$f16" \
      "-DFROM=$f64 -DFROM_T=ulong -DTO=$i4 -DTO_T=uchar -DUNIT=ulong -DUNIT_BITS=64 -DWAY=0 -DOP_3=7 -DORIGIN_3=3 -DAS_3=$i4"; do
      for named in $arithmetics; do
        case $named in
        f32) arithmetic="-DAS_0=$f32 -DAS_1=$f32 -DVALUE_BITS=32" ;;
        f64) arithmetic="-DAS_0=$f64 -DAS_1=$f32 -DVALUE_BITS=64 -DWAY=0" ;;
        doubles) arithmetic="-DAS_0=$f32 -DAS_1=$f32 -DVALUE_BITS=64 -DWAY=3" ;;
        *) arithmetic="-DAS_0=$f16 -DAS_1=$f16 -DVALUE_BITS=32" ;;
        esac
        # shellcheck disable=SC2086  # lists of options
        for native in 0 1; do
          machine=
          case $place$native in
          *TABLED=0*1) machine='--target=x86_64-linux-gnu -march=skylake-avx512' ;;
          esac
          check "$1" $place $machine -Wno-macro-redefined $map $arithmetic -DSTEP_COUNT=4 -DLAST=3 \
            -DDIVISION=$((3 - 2 * native)) -DOPERANDS=4 -DAXES=8 -DNUMBERS=16 \
            -DNATIVE_CODE=$native -DOP_0=0 -DORIGIN_0=1 -DVIEW_0=0 -DTYPE_0=$f64 -DROUNDING_0=0 \
            -DOVERFLOW_0=0 -DOP_1=3 -DORIGIN_1=2 -DVIEW_1=2 -DTYPE_1=$f64 -DROUNDING_1=0 \
            -DOVERFLOW_1=0 -DOP_2=7 -DAS_2=$u8 -DORIGIN_2=3 -DVIEW_2=3 -DTYPE_2=$i4 -DROUNDING_2=1 \
            -DOVERFLOW_2=0 -DVIEW_3=3 -DTYPE_3=$u8 -DROUNDING_3=0 -DOVERFLOW_3=0
        done
      done
    done
    for native in 0 1; do # without parameters: what has to do with them is unused
      # shellcheck disable=SC2086  # a list of options
      check "$1" $place -Wno-unused-parameter -Wno-unused-variable -DFROM=$i4 -DFROM_T=uchar -DTO=$u8 -DTO_T=uchar -DUNIT=uchar -DUNIT_BITS=8 \
        -DWAY=2 -DVALUE_BITS=32 -DSTEP_COUNT=1 -DLAST=0 -DOP_0=6 -DAS_0=$u8 -DROUNDING_0=0 \
        -DOVERFLOW_0=$native -DORIGIN_0=0 -DVIEW_0=0 -DTYPE_0=$u8 -DDIVISION=0 -DOPERANDS=2 -DAXES=8 \
        -DNUMBERS=16 -DNATIVE_CODE=$native
    done
  done
}

# resampled FILE: each sum over taps, of the one type that it has, and of colours. Functions for other pieces are unused.
resampled() {
  for by in 1 2 3 4 5 6 7 '1 -DCOLORED=1' '2 -DCOLORED=2' '3 -DCOLORED=1' '4 -DCOLORED=2'; do
    of='2,8,0,0,0,0,0,0 -DFROM_T=uchar -DUNIT=uchar -DUNIT_BITS=8'
    [ ${by%% *} -le 4 ] || of='3,32,0,0,8,23,127,0 -DFROM_T=uint -DUNIT=uint -DUNIT_BITS=32'
    for native in 0 1; do
      # shellcheck disable=SC2086  # a list of options
      check_more "$1" -Wno-unused-function -Wno-unused-parameter -Wno-unused-variable -DRESAMPLES=$by -DTABLED=1 -DUNALIGNED=0 \
        -DINDEX_BITS=32 -DFROM=$of -DTO=2,8,0,0,0,0,0,0 -DTO_T=uchar -DWAY=1 -DVALUE_BITS=32 \
        -DSTEP_COUNT=1 -DLAST=0 -DOP_0=6 -DAS_0=2,8,0,0,0,0,0,0 -DROUNDING_0=0 -DOVERFLOW_0=0 \
        -DORIGIN_0=0 -DVIEW_0=0 -DTYPE_0=2,8,0,0,0,0,0,0 -DDIVISION=0 -DOPERANDS=2 -DAXES=8 \
        -DNUMBERS=16 -DNATIVE_CODE=$native
    done
  done
}

# mixed FILE: colours of frames, of bytes and of floats behind.
mixed() {
  for native in 0 1; do
    for map in '2,8,0,0,0,0,0,0 -DTO_T=uchar -DWAY=2 -DMIXES=30 -DCOLORED=1' '2,8,0,0,0,0,0,0 -DTO_T=uchar -DWAY=2 -DMIXES=30 -DCOLORED=2' '3,32,0,0,8,23,127,0 -DTO_T=uint -DWAY=1 -DMIXES=22 -DCOLORED=1' '2,8,0,0,0,0,0,0 -DTO_T=uchar -DWAY=2 -DMIXES=14 -DCOLORED=3'; do
      # shellcheck disable=SC2086  # a list of options
      check_more "$1" -Wno-unused-function -Wno-unused-parameter -Wno-unused-variable -DTO=$map -DTABLED=0 -DUNALIGNED=0 \
        -DINDEX_BITS=32 -DFROM=2,8,0,0,0,0,0,0 -DFROM_T=uchar -DUNIT=uchar -DUNIT_BITS=8 -DVALUE_BITS=32 -DSTEP_COUNT=1 \
        -DLAST=0 -DOP_0=6 -DAS_0=${map%% *} -DROUNDING_0=0 -DOVERFLOW_0=0 -DORIGIN_0=0 -DVIEW_0=0 \
        -DTYPE_0=2,8,0,0,0,0,0,0 -DDIVISION=0 -DOPERANDS=5 -DAXES=8 -DNUMBERS=16 -DNATIVE_CODE=$native
    done
  done
}

checked=0 seen=0 met=0
clang -x c -std=c11 -Wall -Wextra -Werror -fsyntax-only kernels/mapped.h
clang -x c -std=c11 -Wall -Wextra -Werror -fsyntax-only kernels/shared.h
# Included, so that what a program does not use of it is no fault.
for header in numbers.h soft.h quotient.h; do
  printf '#include "%s"\n' $header | clang -x c -std=c11 -Wall -Wextra -Werror -fsyntax-only -I kernels -
  printf '#include "%s"\n' $header | clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header \
    -Wall -Wextra -Werror -fsyntax-only -I kernels -
done
for file in kernels/*.cl; do
  check_now "$file"
  check_now "$file" -DWORDS_IN_BUFFER=1 -DHELPER=inline -DINLINED=HELPER -Wno-static-in-inline -Wno-undefined-inline
  case $file in
  kernels/words.cl | kernels/move.cl) ;;
  kernels/subbyte.cl) variants_of_bits ;;
  kernels/unpacked.cl | kernels/packed_lines.cl | kernels/boxes.cl | kernels/packed_runs.cl | \
    kernels/cpu_subbyte.cl)
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
    variants_by_index "$file"
    variants_by_index "$file" -DWIDE_DESTINATION=1
    ;;
  kernels/packing.cl | kernels/accesses.cl | kernels/gpu_short.cl | kernels/blocks.cl)
    variants_of_units "$file" -DLEVEL_AXES=0
    variants_of_units "$file" -DLEVEL_AXES=0 -DGROUP_ITEMS=64
    for unit_bits in 1 2 4; do
      for msb_first in 0 1; do
        variants "$file" -DLEVEL_AXES=0 -DUNIT=uchar -DUNIT_BITS=$unit_bits -DMSB_FIRST=$msb_first
      done
    done
    ;;
  kernels/value.cl | kernels/fill.cl)
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=0
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=0 -DLOOPS=1
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1 -DNATIVE_CODE=1
    ;;
  kernels/gpu_tile.cl | kernels/gpu_turn.cl)
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1 -DLOOPS=1 -DWIDE_SOURCE=1
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1 -DWIDE_SOURCE=1 -DWIDE_DESTINATION=1
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1 -DWIDE_SOURCE=1 -DGROUP_ITEMS=64
    ;;
  kernels/work_group.cl | kernels/gpu_rows.cl)
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1 -DLOOPS=1
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1 -DWIDE_DESTINATION=1
    ;;
  kernels/convert.cl | kernels/small_floats.cl | kernels/steps.cl | kernels/exact.cl | \
    kernels/floats.cl | kernels/integers.cl | kernels/parameters.cl | kernels/mix.cl | kernels/picture.cl | kernels/resample.cl | kernels/map_*.cl) # others: tests/gates/spirv
    variants_of_maps "$file"
    check_more "$file" -DINDEXED=1
    check_more "$file" -DINDEXED=1 -DSCATTERS=1 -DINDEX_BITS=64 -DNATIVE_CODE=1
    case $file in
    kernels/picture.cl | kernels/resample.cl | kernels/map_lines.cl | kernels/map_any.cl | kernels/map_gpu_colors.cl | kernels/map_rows.cl) resampled "$file" ;;
    esac
    case $file in
    kernels/mix.cl | kernels/map_mix.cl | kernels/map_gpu_colors.cl | kernels/map_rows.cl) mixed "$file" ;;
    esac
    ;;
  kernels/address.cl | kernels/indices.cl | kernels/index_any.cl | kernels/named_*.cl)
    variants_by_index "$file"
    ;;
  kernels/lines.cl | kernels/transpose.cl | kernels/turn.cl | kernels/columns.cl | kernels/cpu_rows.cl | kernels/cpu_any.cl | kernels/cpu_tile.cl | \
    kernels/cpu_short.cl | kernels/shuffles.cl)
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1
    variants_of_units "$file" -DLEVEL_AXES=0 -DCHUNKED=1 -DNATIVE_CODE=1
    for unit in uchar:8 ushort:16; do # with shuffles, whatever machine this is
      variants "$file" --target=x86_64-linux-gnu -mssse3 -DLEVEL_AXES=0 -DCHUNKED=1 \
        -DNATIVE_CODE=1 -DUNIT=${unit%:*} -DUNIT_BITS=${unit#*:}
    done
    ;;
  *) echo "$file: kernels.sh does not know its variants" && exit 1 ;;
  esac
done
echo "clang takes $checked variants"
