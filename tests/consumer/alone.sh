#!/bin/sh
# The dependencies of a build, and the messages for missing dependencies: alone.sh ROOT CMAKE
# CHECK...
#
#   configure  the library alone and the program alone configure without what they do not need; what
#              is missing is named with its package
#   opencl     of two OpenCL loaders the system's is taken, or the one that is named
#   build      the library alone is built, installed, moved, used and uninstalled, for several forms
#              of LIBDIR
#
# The first and the last check simulate a machine with only a compiler and an OpenCL loader: PATH is
# a folder of links, and CMake looks there and among links to headers and libraries. The environment
# gives the places: OPENCL_LIBRARY, OPENCL_HEADERS, PROTOBUF_LIBRARY, PROTOBUF_HEADERS, ONNX_PROTO,
# and CMake's generator and the generator's program, CMAKE_GENERATOR and MAKE_PROGRAM.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1 cmake=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset CMAKE_PREFIX_PATH CUDA_PATH PKG_CONFIG_PATH
machine=$scratch/machine

fail() { echo "$*" && exit 1; }

said=$scratch/said
# shellcheck source=tests/consumer/steps.sh
. "$(dirname "$0")/steps.sh"

# link_program PROGRAM...
link_program() {
  for program in "$@"; do
    ln -s "$(command -v "$program")" "$machine/bin/"
  done
}

mkdir -p "$machine/bin" "$machine/include/onnx" "$machine/lib"
link_program cc gcc ld as ar ranlib uname sh "$MAKE_PROGRAM"
ln -s "$OPENCL_LIBRARY" "$machine/lib/"
ln -s "$OPENCL_HEADERS/CL" "$machine/include/"

# configure NAME OPTION...: on that machine.
configure() {
  name=$1
  shift
  PATH=$machine/bin "$cmake" -S "$root" -B "$scratch/$name" -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF \
    -DCMAKE_PREFIX_PATH="$machine" "$@" >"$said" 2>&1
}

must_configure() { configure "$@" || fail_showing "does not configure: $*"; }

# must_say TEXT NAME OPTION...: configuring fails and says so, wherever the lines break.
must_say() {
  text=$1
  shift
  if configure "$@"; then fail "configures without what it needs: $*"; fi
  tr -s ' \n' '  ' <"$said" | grep -F -e "$text" >/dev/null ||
    fail_showing "does not say: $text"
}

check_configure() {
  must_configure library -DCLRS_BUILD_CLI=OFF
  for sentence in "protobuf-c's compiler (package protobuf-c-compiler)" -DCLRS_BUILD_CLI=OFF \
    'apt-get install protobuf-c-compiler libprotobuf-c-dev libonnx-dev'; do
    must_say "$sentence" program
  done
  link_program protoc-c
  ln -s "$PROTOBUF_LIBRARY" "$machine/lib/"
  ln -s "$PROTOBUF_HEADERS/protobuf-c" "$machine/include/"
  must_say 'onnx/onnx.proto (package libonnx-dev)' program
  ln -s "$ONNX_PROTO/onnx/onnx.proto" "$machine/include/onnx/"
  must_configure program
  must_say cmocka.h tests -DCLRS_BUILD_TESTS=ON
  rm "$machine/lib/$(basename "$OPENCL_LIBRARY")"
  must_say 'apt-get install ocl-icd-opencl-dev opencl-c-headers' loader -DCLRS_BUILD_CLI=OFF
  ln -s "$OPENCL_LIBRARY" "$machine/lib/"
}

# must_choose LOADER OPTION...: with the whole machine's programs and libraries.
must_choose() {
  wanted=$1
  shift
  rm -rf "$scratch/chosen"
  PATH=$CUDA_PATH/bin:$PATH "$cmake" -S "$root" -B "$scratch/chosen" -DCLRS_BUILD_CLI=OFF "$@" \
    >"$said" 2>&1 || fail_showing "does not configure: $*"
  chosen=$(sed -n 's/^OpenCL_LIBRARY:.*=//p' "$scratch/chosen/CMakeCache.txt")
  [ "$chosen" = "$wanted" ] || fail "wanted $wanted, and with '$*' it is $chosen"
}

# The variables of a CUDA toolkit name the toolkit's folder, and the toolkit has an OpenCL loader,
# too.
check_opencl() {
  export CUDA_PATH="$scratch/cuda"
  theirs=$CUDA_PATH/lib/libOpenCL.so
  mkdir -p "$CUDA_PATH/include" "$CUDA_PATH/lib" "$CUDA_PATH/bin"
  cp "$OPENCL_LIBRARY" "$theirs"
  ln -s "$OPENCL_HEADERS/CL" "$CUDA_PATH/include/"
  must_choose "$OPENCL_LIBRARY"
  must_choose "$theirs" -DOpenCL_ROOT="$CUDA_PATH"
  must_choose "$theirs" -DCMAKE_PREFIX_PATH="$CUDA_PATH"
  must_choose "$theirs" -DOpenCL_LIBRARY="$theirs" -DOpenCL_INCLUDE_DIR="$CUDA_PATH/include"
  unset CUDA_PATH
}

# install_and_move: installs the library to one folder and moves the folder.
install_and_move() {
  rm -rf "$scratch/first" "$scratch/moved"
  PATH=$machine/bin "$cmake" --build "$scratch/library" --parallel 2 >"$said" 2>&1 ||
    fail_showing "does not build"
  "$cmake" --install "$scratch/library" --prefix "$scratch/first" >/dev/null
  mv "$scratch/first" "$scratch/moved"
  cmp "$scratch/moved/share/doc/clreshape/LICENSE" "$root/LICENSE"
}

# use FOLDER LIBDIR: the files that pkg-config names are in FOLDER and suffice for a program.
use() {
  flags=$(PKG_CONFIG_PATH="$2/pkgconfig" pkg-config --cflags --libs clreshape)
  case $flags in *"-I$1/"*"-L$1/"*) ;; *) fail "not below $1: $flags" ;; esac
  # shellcheck disable=SC2086  # a list of options
  cc -std=c11 -DCL_TARGET_OPENCL_VERSION=120 "$root"/tests/consumer/host/*.c $flags \
    -o "$scratch/user"
  LD_LIBRARY_PATH=$2 "$scratch/user"
}

# must_uninstall PREFIX: only files of other packages are left of the last installation. Files moved
# since are not there to be removed, which is not a fault.
must_uninstall() {
  "$cmake" --install "$scratch/library" --prefix "$1" >/dev/null
  mv "$1/include/clreshape/core.h" "$scratch/moved.h"
  echo theirs >"$1/include/theirs.h"
  echo theirs >"$1/share/doc/clreshape/theirs"
  PATH=$machine/bin "$cmake" --build "$scratch/library" --target uninstall >"$said" 2>&1 ||
    fail_showing "does not uninstall"
  left=$(cd "$1" && find . ! -type d -o -name 'clreshape*' | sort)
  [ "$left" = './include/theirs.h
./share/doc/clreshape
./share/doc/clreshape/theirs' ] || fail_showing "uninstalling leaves $left"
  must_not_uninstall 'nothing to uninstall'
}

# must_not_uninstall TEXT: the uninstall is refused, with TEXT in the message.
must_not_uninstall() {
  if PATH=$machine/bin "$cmake" --build "$scratch/library" --target uninstall >"$said" 2>&1
  then fail_showing "uninstalls, and should say: $1"; fi
  grep -F "$1" "$said" >/dev/null || fail_showing "does not say: $1"
}

# keep_foreign_files: a manifest that names a file outside the prefix removes nothing.
keep_foreign_files() {
  "$cmake" --install "$scratch/library" --prefix "$scratch/first" >/dev/null
  echo theirs >"$scratch/theirs"
  printf '\n%s' "$scratch/theirs" >>"$scratch/library/install_manifest.txt"
  must_not_uninstall 'which is not'
  [ -e "$scratch/theirs" ] && [ -e "$scratch/first/include/clreshape/core.h" ] ||
    fail_showing "removes files although the manifest names a file that is not its own"
}

check_build() {
  for libdir in lib lib/x86_64-linux-gnu lib/a/b; do
    must_configure library -DCLRS_BUILD_CLI=OFF -DCMAKE_BUILD_TYPE=Debug \
      -DCMAKE_INSTALL_LIBDIR="$libdir"
    install_and_move
    use "$scratch/moved" "$scratch/moved/$libdir"
  done
  mkdir "$scratch/p" && echo theirs >"$scratch/p/ü "
  for prefix in "$scratch/first" "$scratch/p/ü ;[" "$scratch/p/ü ;[/a;b]*"; do
    must_uninstall "$prefix"
  done
  [ -e "$scratch/p/ü " ] || fail "uninstalling from 'ü ;[' removes the file 'ü '"
  keep_foreign_files
  "$cmake" -S "$root/tests/consumer/project" -B "$scratch/project" \
    -Dclreshape_DIR="$scratch/moved/$libdir/cmake/clreshape" >"$said" 2>&1 ||
    fail_showing "find_package does not find it"
  # Absolute folders stay in place, whatever the prefix.
  must_configure library -DCMAKE_INSTALL_LIBDIR="$scratch/full/lib" \
    -DCMAKE_INSTALL_INCLUDEDIR="$scratch/full/include"
  install_and_move
  use "$scratch/full" "$scratch/full/lib"
}

for check in "$@"; do
  check_"$check"
done
