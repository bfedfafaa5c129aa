#!/bin/sh
# The library of models, installed, moved and used alone: onnx.sh TYPE ROOT BUILD LIBDIR. SHARED
# installs BUILD. STATIC builds the library anew. A user has neither headers nor the name of
# protobuf-c.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
type=$1 root=$2 build=$3 libdir=$4
here=$root/tests/consumer
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix said=$scratch/said
# shellcheck source=tests/consumer/steps.sh
. "$here/steps.sh"

if [ "$type" = STATIC ]; then
  build=$scratch/build libdir=lib
  run 'does not configure' cmake -S "$root" -B "$build" -DBUILD_SHARED_LIBS=OFF -DCLRS_BUILD_CLI=OFF \
    -DCLRS_BUILD_ONNX=ON -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_C_FLAGS=-O0
  run 'does not build' cmake --build "$build" --parallel 2
fi
run 'does not install' cmake --install "$build" --prefix "$scratch/first"
mv "$scratch/first" "$prefix"
if grep -r 'include.*protobuf\|pb-c\|Protobuf\|Onnx__' "$prefix/include" >"$said"; then
  fail_showing 'public headers need protobuf'
fi

# use PROGRAM: the program runs, or no device exists.
use() {
  "$@" >"$said" 2>&1 || { code=$? && cat "$said" && exit $code; }
}

configure() {
  cmake -S "$here/onnx" -B "$scratch/$1" -Dclreshape_DIR="$prefix/$libdir/cmake/clreshape" >"$said" 2>&1
}

configure found || fail_showing 'find_package does not find it'
run 'does not build by find_package' cmake --build "$scratch/found"
use "$scratch/found/models"

export PKG_CONFIG_PATH="$prefix/$libdir/pkgconfig"
flags=$(pkg-config --cflags --libs $([ "$type" = SHARED ] || echo --static) clreshape-onnx)
case $type:$flags in
SHARED:*protobuf*) fail_showing "a user of a shared library is told of protobuf-c: $flags" ;;
esac
# shellcheck disable=SC2086  # a list of options
run 'does not build by pkg-config' cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$here/onnx/main.c" \
  $flags -o "$scratch/models"
use env LD_LIBRARY_PATH="$prefix/$libdir" "$scratch/models"

# For an installation without the library, this message is printed.
rm "$prefix/$libdir"/cmake/clreshape/clreshapeOnnxTargets*.cmake
if configure none; then fail_showing 'a library that is not there is found'; fi
tr -s ' \n' '  ' <"$said" | grep -F 'was built without clreshape::onnx; -DCLRS_BUILD_ONNX=ON' >/dev/null ||
  fail_showing 'does not say that clreshape::onnx is missing'
