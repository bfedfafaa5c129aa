#!/bin/sh
# Builds the library with CLRS_OPENCL_LOADER, and runs tests of this build on it:
# loader.sh ROOT FOLDER OPENCL WITHOUT TEST...  OPENCL is a loader, of which the library is given a copy
# under another name. WITHOUT is test_loader.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1 folder=$2 opencl=$3 without=$4
shift 4
mkdir -p "$folder"
cd "$folder"
CLRS_OPENCL_LIBRARY=/nothing "$without"

cmake -S "$root" -B build -G Ninja -DCLRS_OPENCL_LOADER=ON -DCLRS_BUILD_CLI=OFF -DCLRS_WERROR=ON \
  -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DCMAKE_SHARED_LINKER_FLAGS=-Wl,-z,defs >cmake.log
ninja -j 2 -C build >build.log || { cat build.log && exit 1; }
library=build/libclreshape.so
if readelf -d $library | grep NEEDED | grep OpenCL || nm -D $library | grep -E ' cl[A-Z]'; then
  echo "$library has to do with a loader that is linked, or shows its own" && exit 1
fi

cp -L "$opencl" libvendor.so
export LD_LIBRARY_PATH="$PWD/build"
unset OPENCL_LAYERS CLRS_TEST_FAULT_LAYER || :
for test; do
  code=0
  LD_DEBUG=files CLRS_OPENCL_LIBRARY=$PWD/libvendor.so "$test" >test.log 2>&1 || code=$?
  [ $code = 0 ] || { grep -v '^ *[0-9]*:	' test.log && exit $code; }
  grep -q "calling init: $PWD/libvendor.so" test.log || { echo "libvendor.so was not opened" && exit 1; }
  if CLRS_OPENCL_LIBRARY=/nothing "$test" >test.log 2>&1 || ! grep -q 'error -1001' test.log; then
    tail -n 20 test.log && echo "without OpenCL, ${test##*/} does not fail as it should" && exit 1
  fi
done
echo "$# tests ran on the library that opens OpenCL itself"
