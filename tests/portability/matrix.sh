#!/bin/sh
# The library on every OpenCL driver: matrix.sh [FOLDER [DRIVER...]]. Builds missing programs, and
# gets each driver of drivers.txt (or the named drivers) into FOLDER (default: drivers in the build
# folder). Runs the tests on each driver and writes tests/portability/MATRIX.md from the results in
# FOLDER, including earlier runs. Fails if a driver is unavailable or an unknown failure occurs.
#
# CLRS_BUILD_DIR       where to build (default: build)
# CLRS_MATRIX_PARTS    only these parts: version defects tests gpu onnx chains first bench
# CLRS_MATRIX_TESTS    only these device tests; what is kept of the others stays
# CLRS_MATRIX_PATIENCE times as long may everything take (default: 1), on a busy machine
# CLRS_MATRIX_QUIETLY  a command that runs another when nothing else does: first moves, class by class
#
# A part of tests that was ended goes on behind its last test, if the commit and the tests are the same.
#
# Needs root for the chroots, Debian's packages and PyPI, 6 GB, and an hour and a half.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$(dirname "$0")/../.."
. cmake/packages.sh
build=${CLRS_BUILD_DIR:-build}
if [ ! -e "$build/CTestTestfile.cmake" ]; then
  # shellcheck disable=SC2086  # lists of packages
  install_packages $packages_to_build $packages_to_check
  cmake -S . -B "$build" -G Ninja -DCLRS_BUILD_CLI=ON -DCLRS_BUILD_TESTS=ON \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO='-O2 -g'
fi
cmake --build "$build" --parallel "$(compiler_count)" >&2
folder=${1:-$build/drivers}
[ $# -eq 0 ] || shift
exec /usr/bin/python3 tests/portability/matrix.py "$build" "$folder" "$@"
