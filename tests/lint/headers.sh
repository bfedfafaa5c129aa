#!/bin/sh
# Checks that each public header compiles on its own, twice over, as C11 and as C++17, with gcc and
# clang, whatever OpenCL version its user asks for: headers.sh ROOT.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1/include"
translation_unit=$(mktemp)
trap 'rm -f "$translation_unit"' EXIT

# check COMPILER HEADER OPTION...
check() {
  compiler=$1 header=$2
  shift 2
  printf '#include <%s>\n#include <%s>\n' "$header" "$header" >"$translation_unit"
  "$compiler" "$@" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I . "$translation_unit" ||
    { echo "refused: $compiler $* with $header" && exit 1; }
}

for header in clreshape/*.h; do
  for version in '' -DCL_TARGET_OPENCL_VERSION=120 -DCL_TARGET_OPENCL_VERSION=300; do
    # With no version asked for, Khronos' header prints a note; nobody need read it here.
    for compiler in gcc clang; do
      check $compiler "$header" $version -x c -std=c11 -Wstrict-prototypes 2>&1 |
        { ! grep -E 'error|warning|refused'; }
      check $compiler "$header" $version -x c++ -std=c++17 2>&1 |
        { ! grep -E 'error|warning|refused'; }
    done
  done
done

# The pure half knows nothing of OpenCL.
if echo '#include <clreshape/core.h>' | gcc -M -I . -x c - | grep 'CL/'; then
  echo 'clreshape/core.h leads to an OpenCL header' && exit 1
fi
