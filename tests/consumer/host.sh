#!/bin/sh
# Clreshape as a subproject of host/, somebody else's project: host.sh ROOT CHECK.
#
#   unchanged       of the host nothing is changed: cache, policies, functions, libraries, install rules
#   flags COMPILER  it compiles with the warnings that a host may turn into errors
#   unity           it compiles where the host joins files, and under the host's -ffast-math a map's
#                   results are what they are without
#   optimized       without a build type it is optimized, and a host's -O0 stays
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1 check=$2 compiler=${3:-cc}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() { echo "$*" && exit 1; }

# configure NAME OPTION...: the host, in a build folder of that name.
configure() {
  name=$1
  shift
  cmake -S "$root/tests/consumer/host" -B "$scratch/$name" -DCLRS_SOURCE_DIR="$root" \
    -DCMAKE_C_COMPILER="$compiler" "$@" >"$scratch/said" 2>&1 ||
    { cat "$scratch/said" && fail "the host does not configure: $*"; }
}

# build NAME TARGET...
build() {
  name=$1
  shift
  cmake --build "$scratch/$name" --parallel 2 --target "$@" >"$scratch/said" 2>&1 ||
    { cat "$scratch/said" && fail "the host does not build"; }
}

check_unchanged() {
  configure static -DHOST_EXPECTS=STATIC_LIBRARY -DHOST_COMPARES=ON -DCMAKE_C_FLAGS=-O0
  configure shared -DHOST_EXPECTS=SHARED_LIBRARY -DHOST_COMPARES=ON -DBUILD_SHARED_LIBS=ON \
    -DHOST_LOADER="$scratch/libOpenCL.so"
  # A host with tests has only the host's tests, and a host without tests has none.
  find "$scratch/static" -name CTestTestfile.cmake | grep . && fail 'the host has tests now'
  build static all
  "$scratch/static/host_program"
  cmake --install "$scratch/static" --prefix "$scratch/prefix" >/dev/null
  installed=$(cd "$scratch/prefix" && find . -type f)
  [ "$installed" = ./bin/host_program ] || fail "more than the host's was installed: $installed"
  # On request, the rules install the needed files and name the licence's folder after clreshape.
  configure static -DHOST_COMPARES=OFF -DCLRS_INSTALL=ON
  cmake --install "$scratch/static" --prefix "$scratch/prefix" >/dev/null
  cmp "$scratch/prefix/share/doc/clreshape/LICENSE" "$root/LICENSE"
}

# The program too, though few hosts will build the program.
check_flags() {
  configure flags -DHOST_EXPECTS=STATIC_LIBRARY -DCLRS_BUILD_CLI=ON \
    -DCMAKE_C_FLAGS='-O0 -Wall -Wextra -Wshadow -Wswitch-enum -Werror'
  build flags clreshape clreshape_program
}

check_unity() {
  configure unity -DHOST_EXPECTS=STATIC_LIBRARY -DCLRS_BUILD_CLI=ON -DCMAKE_UNITY_BUILD=ON \
    -DCMAKE_C_FLAGS='-Ofast -ffinite-math-only'
  build unity host_program clreshape_program
  "$scratch/unity/host_program" || fail 'a map has other results under -Ofast'
  if "$compiler" -ffast-math -fsyntax-only -I"$root/include" -I"$root/src/base" -I"$root/src/view" \
    -I"$root/src/map" -I"$root/kernels" "$root/src/map/steps.c" 2>"$scratch/said"; then
    fail 'compiles with -ffast-math'
  fi
  grep -F 'without -ffast-math' "$scratch/said" >/dev/null || { cat "$scratch/said" && fail 'does not say why'; }
}

# commands NAME FILE: how FILE is compiled.
commands() {
  grep -h '"command"' "$scratch/$1/compile_commands.json" | grep "$2" | grep . ||
    fail "$2 is not compiled in $1"
}

check_optimized() {
  for name in empty:-DCMAKE_BUILD_TYPE= given:-DCMAKE_C_FLAGS=-O0 debug:-DCMAKE_BUILD_TYPE=Debug; do
    configure "${name%%:*}" "${name#*:}" -DHOST_EXPECTS=STATIC_LIBRARY -DCLRS_BUILD_CLI=ON \
      -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
  done
  for file in src/plan/plan.c src/opencl/tasks/enqueue.c kernel_source.c src/cli/run.c onnx.pb-c.c; do
    commands empty "$file" | grep -e ' -O2 ' >/dev/null || fail "$file is not optimized"
    if { commands given "$file" && commands debug "$file"; } | grep -e ' -O[123s]'; then
      fail "$file is not compiled as the host says"
    fi
  done
  if commands empty consumer/host/host.c | grep -e ' -O'; then
    fail "the host's own file is optimized"
  fi
  # Alone, clreshape sets a default build type.
  cmake -S "$root" -B "$scratch/alone" -DCMAKE_BUILD_TYPE= -DCLRS_BUILD_CLI=OFF \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
  commands alone src/plan/plan.c | grep -e ' -O[23] ' >/dev/null || fail 'alone it is not optimized'
}

check_"$check"
