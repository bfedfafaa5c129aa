#!/bin/sh
# Compiles the library for i386, with warnings as errors, and runs core tests and the core's negative
# matrix there: i386.sh ROOT KERNEL_SOURCE FOLDER TEST.c...  KERNEL_SOURCE is the C file that embeds the
# kernels. Needs gcc's libraries for i386 (package gcc-multilib). OpenCL is not linked, so no device is
# used.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1 kernel_source=$2 folder=$3
shift 3
rm -rf "$folder"
mkdir -p "$folder/library" "$folder/support" "$folder/tests"
pure='base view map chain move mapped indexed class plan'
rooms='opencl/device opencl/memory opencl/program opencl/tensor opencl/tasks'
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Werror'
options="-std=c11 -O0 -msse2 -mfpmath=sse -ffp-contract=off -D_POSIX_C_SOURCE=200809L -DCL_TARGET_OPENCL_VERSION=120
  -I$root/include -I$root/kernels -I$root/src -I$root/tests"
for name in $pure $rooms; do
  options="$options -I$root/src/$name"
done
options="$options -I$root/tests/harness" # behind src/class, which has an axes.h too
export options folder

# compile PLACE FILE...: objects of their own names in a folder, two at a time.
# shellcheck disable=SC2016  # for the shells that xargs starts
compile() {
  place=$1
  shift
  printf '%s\n' "$@" | place=$place xargs -P 2 -n 8 sh -c '
    for file; do
      gcc -m32 $options -c "$file" -o "$folder/$place/$(basename "$file" .c).o" || exit 255
    done' sh
}

sources=$kernel_source
for name in $pure $rooms; do
  sources="$sources $(echo "$root/src/$name"/*.c)"
done
plain=$options
options="$options $warnings"
# shellcheck disable=SC2086  # lists of files
compile library $sources
options=$plain
echo "$(find "$folder/library" -name '*.o' | wc -l) files of the library compile for i386"

harness=$root/tests/harness
compile support "$root/tests/portability/small_cmocka.c" "$harness/bits.c" "$harness/chain.c" \
  "$harness/chain_random.c" "$harness/oracle.c" "$harness/oracle_moves.c" "$harness/rng.c" \
  "$harness/rng_draws.c" "$harness/tensors.c"
compile tests "$@"
ar rcs "$folder/libsupport.a" "$folder"/support/*.o
ar rcs "$folder/libcore.a" "$folder"/library/*.o
failed=0
for file in "$@"; do
  test=$folder/tests/$(basename "$file" .c)
  gcc -m32 "$test.o" "$folder/libsupport.a" "$folder/libcore.a" -lm -o "$test"
  "$test" >"$test.log" 2>&1 || { echo "${test##*/}:" && tail -n 5 "$test.log" && failed=1; }
done
echo "$# core tests ran on i386"

mkdir "$folder/negative"
compile negative "$harness/negative/matrix.c" "$harness"/negative/core*.c
gcc -m32 "$folder"/negative/*.o "$folder/libsupport.a" "$folder/libcore.a" -lm -o "$folder/negative_core"
"$folder/negative_core" >"$folder/negative_core.log" 2>"$folder/errors" || { head -n 20 "$folder/errors" && failed=1; }
tail -n 1 "$folder/negative_core.log"
exit $failed
