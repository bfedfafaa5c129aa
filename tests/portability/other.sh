#!/bin/sh
# Builds the device tests for a machine of another kind, as FOLDER/tests/NAME:
#   other.sh windows ROOT FOLDER LIBRARY      by mingw-w64, on clreshape.dll (windows.sh)
#   other.sh i386 ROOT FOLDER CHROOT          by gcc -m32, for a Debian of 32 bits in a folder
# Or the core tests, without libOpenCL, for qemu:
#   other.sh arm64|s390x ROOT FOLDER -        by Debian's cross compilers
# CMake's variable CMAKE_C_COMPILER_LAUNCHER=ccache saves compiling again.
# Prints a line `missing NAME: why` for each test that does not compile.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
kind=$1 root=$2 folder=$3 from=$4 tested=opencl
here=$root/tests/portability harness=$root/tests/harness
mkdir -p "$folder/objects" "$folder/tests"
case $kind in
windows)
  CFLAGS=-O2 sh "$here/windows.sh" "$root" "$folder" "$from"
  tool=x86_64-w64-mingw32- end=.exe
  cc="${tool}gcc-posix -include $here/windows/posix.h -I$here/windows -isystem $folder/build/windows/include"
  link="-static -lwinpthread" shared=$folder/build/libclreshape.dll.a
  opencl=$folder/build/windows/libOpenCL.dll.a own=$here/windows/posix.c
  for name in cmocka.h dlpack; do
    [ -e "$folder/build/windows/include/$name" ] || ln -s /usr/include/$name "$folder/build/windows/include/$name"
  done
  for name in clreshape clreshape.exe clreshape.dll; do
    cp "$folder/build/$name" "$folder/tests"
  done
  ;;
i386)
  opencl=$(find "$from/usr/lib" -name libOpenCL.so.1)
  cmake -S "$root" -B "$folder/build" -G Ninja -DCMAKE_C_FLAGS=-m32 -DOpenCL_LIBRARY="$opencl" \
    -DOpenCL_INCLUDE_DIR=/usr/include -DCLRS_BUILD_CLI=OFF -DCLRS_WERROR=ON >"$folder/cmake.log"
  ninja -j 2 -C "$folder/build" >"$folder/build.log" || { cat "$folder/build.log" && exit 1; }
  tool='' end='' cc='gcc -m32 -msse2 -mfpmath=sse'
  link="-rdynamic -ldl -lm -Wl,-rpath,$folder/build" shared=$folder/build/libclreshape.so own=
  $cc -std=c11 -O1 -w -shared -fPIC -pthread -D_POSIX_C_SOURCE=200809L -DCL_TARGET_OPENCL_VERSION=300 \
    -DCL_USE_DEPRECATED_OPENCL_1_2_APIS "$harness"/fault_layer.c "$harness"/fault_layer_[!f]*.c \
    -o "$folder/tests/libclrs_fault_layer.so"
  ;;
arm64 | s390x)
  [ "$kind" = s390x ] || kind=aarch64
  tool=$kind-linux-gnu- end='' cc="$kind-linux-gnu-gcc -fexcess-precision=fast -isystem $folder/opencl/include"
  tested='base view map chain move mapped indexed class plan'
  mkdir -p "$folder/opencl/include"
  for name in CL cmocka.h dlpack; do
    [ -e "$folder/opencl/include/$name" ] || ln -s /usr/include/$name "$folder/opencl/include/$name"
  done
  cmake -S "$root" -B "$folder/build" -G Ninja -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$kind" \
    -DCMAKE_C_COMPILER="$kind-linux-gnu-gcc" -DOpenCL_INCLUDE_DIR="$folder/opencl/include" -DCLRS_OPENCL_LOADER=ON \
    -DBUILD_SHARED_LIBS=OFF -DCLRS_BUILD_CLI=OFF -DCLRS_BUILD_ONNX=OFF -DCLRS_WERROR=ON >"$folder/cmake.log"
  ninja -j 2 -C "$folder/build" >"$folder/build.log" || { cat "$folder/build.log" && exit 1; }
  link='-static -lm' shared=../library.a opencl='' own=
  ;;
esac

# src/class has a header axes.h, too, which the core tests mean.
where() { [ "$tested" != "$1" ] || echo "-I$harness"; }
cc="$cc -std=c11 -O1 -ffp-contract=off -w -D_POSIX_C_SOURCE=200809L -DCL_TARGET_OPENCL_VERSION=120
  -I$root/include -I$root/src -I$root/tests $(where opencl) -I$root/kernels -I$root/src/host"
for name in base view map chain move mapped indexed class plan opencl opencl/device opencl/memory \
  opencl/program opencl/tensor opencl/tasks; do
  cc="$cc -I$root/src/$name"
done
cc="$cc -I$harness"
export cc folder harness CMAKE_C_COMPILER_LAUNCHER="${CMAKE_C_COMPILER_LAUNCHER:-}"

# compile FILE...: objects of their own names, two at a time, as far as they compile.
# shellcheck disable=SC2016  # for the shells that xargs starts
compile() {
  printf '%s\n' "$@" | xargs -P 2 -n 6 sh -c '
    for file; do
      name=$(basename "$file" .c)
      rm -f "$folder/objects/$name.o"
      $CMAKE_C_COMPILER_LAUNCHER $cc -c "$file" -o "$folder/objects/$name.o" >"$folder/objects/$name.log" 2>&1 || :
    done' sh
}
support=
for name in bits chain chain_random oracle oracle_moves rng rng_draws tensors device driver_defects fault_layer_find \
  fence works opencl_counts falsify; do
  support="$support $harness/$name.c"
done
tests=
for name in $tested; do
  for file in "$root/tests/$name"/*.c; do
    name=$(basename "$file" .c)
    case $name in
    test_*) case " ${CLRS_MATRIX_TESTS:-$name} " in *" $name"[_\ ]*) tests="$tests $file" ;; esac ;;
    *) support="$support $file" ;;
    esac
  done
done
# shellcheck disable=SC2086  # a list of files
compile $support $own "$here/small_cmocka.c" "$root/src/host/posix/pocl_cache.c" $tests
cd "$folder/objects"
# What stands before the loader is only in the programs that name its header.
rm -f ../support.a ../library.a
stands=$(cd "$root/tests" && grep -l RTLD_NEXT harness/*.c opencl/*.c | sed 's|.*/||; s|\.c$||' | grep -v ^test_)
find . -name '*.o' ! -name 'test_*' $(printf ' ! -name %s.o' $stands) -exec ${tool}ar rcs ../support.a {} +
find "$folder"/build/CMakeFiles/clrs_* \( -name '*.o' -o -name '*.obj' \) ! -path '*/src/host/*' \
  ! -path '*/src/bench/*' ! -path '*/src/cli/*' -exec ${tool}ar rcs ../library.a {} +

# On the shared library; tests of the inside, and those that stand before the loader, on its objects.
for file in $tests; do
  name=$(basename "$file" .c) front=
  [ -e "$name.o" ] || { echo "missing $name: $(grep -m 1 error: "$name.log")" && continue; }
  library=$shared
  for stand in $stands; do
    ! grep -q "$stand\.h\"" "$file" || { front="$front $stand.o" && library=../library.a; }
  done
  ! grep -q RTLD_NEXT "$file" || library=../library.a
  for library in $library ../library.a; do
    # shellcheck disable=SC2086  # lists
    if $cc "$name.o" $front ../support.a $library ../support.a $opencl $link -o "../tests/$name$end" >"$name.log" 2>&1; then
      continue 2
    fi
  done
  echo "missing $name: $(grep -m 1 -E 'undefined|error' "$name.log")"
done
