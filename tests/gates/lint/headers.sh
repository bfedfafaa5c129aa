#!/bin/sh
# Checks that each public header compiles alone, included twice: headers.sh ROOT. The languages are
# C11 (except for C++ headers) and C++17, with gcc and clang, for every OpenCL version that a user
# can ask for.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1/include"
translation_unit=$(mktemp)
trap 'rm -f "$translation_unit" "$translation_unit.said"' EXIT

# check COMPILER HEADER OPTION...
check() {
  compiler=$1 header=$2
  shift 2
  printf '#include <%s>\n#include <%s>\n' "$header" "$header" >"$translation_unit"
  # Shown on failure only: with no version asked for, Khronos' header prints a note.
  "$compiler" "$@" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I . "$translation_unit" \
    >"$translation_unit.said" 2>&1 ||
    { cat "$translation_unit.said" && echo "refused: $compiler $* with $header" && exit 1; }
}

for header in clreshape/*.h clreshape/*.hpp; do
  for version in '' -DCL_TARGET_OPENCL_VERSION=120 -DCL_TARGET_OPENCL_VERSION=300; do
    for compiler in gcc clang; do
      # shellcheck disable=SC2086  # none, or one option
      [ "$header" != "${header%.h}" ] &&
        check $compiler "$header" $version -x c -std=c11 -Wstrict-prototypes
      # shellcheck disable=SC2086
      check $compiler "$header" $version -x c++ -std=c++17
    done
  done
done

# The pure half knows nothing of OpenCL.
if echo '#include <clreshape/plan.h>' | gcc -M -I . -x c - | grep 'CL/'; then
  echo 'clreshape/plan.h leads to an OpenCL header' && exit 1
fi
