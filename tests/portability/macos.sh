#!/bin/sh
# Compiles the library and the program for macOS, with warnings as errors and without linking:
# macos.sh ROOT GENERATED FOLDER. GENERATED is a build folder with the embedded kernels and the reader
# of ONNX files. The compiler is clang-19, and macOS' C headers are in PyPI's ziglang, a download of
# 100 MB. libzip and the functions of OpenCL itself are left out.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1 generated=$2 folder=$3
mkdir -p "$folder/include"
cd "$folder"

# Only the headers of the wheel, which has compilers for everything.
if [ ! -e darwin/.complete ]; then
  rm -rf darwin wheels
  /usr/bin/python3 -m pip download --no-deps -q -d wheels ziglang==0.17.1 >pip.log 2>&1 || { cat pip.log && exit 1; }
  /usr/bin/python3 - wheels/*.whl <<'END'
import sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
wheel.extractall("darwin", [name for name in wheel.namelist() if "/any-darwin-any/" in name])
END
  rm -rf wheels
  touch darwin/.complete
fi
ln -sfn /usr/include/CL include/OpenCL
ln -sfn /usr/include/CL include/CL
for name in protobuf-c google; do
  ln -sfn /usr/include/$name include/$name
done

set --
for place in "$root"/src/*/ "$root"/src/opencl/*/; do
  set -- "$@" "-I$place"
done
clang="clang-19 -std=c11 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Werror
  -D_POSIX_C_SOURCE=200809L -DCL_TARGET_OPENCL_VERSION=120 -isystem $(find "$PWD/darwin" -name any-darwin-any)
  -isystem include -I$root/include -I$root/kernels"
for target in arm64-apple-macos11 x86_64-apple-macos11; do
  for name in base view map chain move mapped indexed class plan opencl loader; do
    find "$root/src/$name" -name '*.c'
  done >library
  echo "$generated/kernel_source.c" >>library
  # shellcheck disable=SC2086  # a list of options
  xargs -P 2 -n 16 $clang --target=$target "$@" <library
  for name in host onnx bench cli; do
    find "$root/src/$name" -name '*.c' ! -path '*/windows/*'
  done >program
  # shellcheck disable=SC2086
  xargs -P 2 -n 16 $clang --target=$target -D_DARWIN_C_SOURCE -isystem "$generated/onnx-proto" "$@" <program
  echo "$(wc -l <library) files of the library and $(wc -l <program) of the program compile for $target"
done
