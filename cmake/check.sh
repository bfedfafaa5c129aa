#!/bin/sh
# Sets up a fresh Debian 12 machine, builds everything with warnings as errors, and runs the test
# suite on an OpenCL device. PoCL is the device if there is no other. CI runs this script.
#
#   sh cmake/check.sh          the most valuable tests, in minutes
#   sh cmake/check.sh --all    also the tests labelled `long`: sanitizers, coverage, mutants, soaks...
#                              Takes hours. tests/README.md describes each label.
#
# CLRS_BUILD_DIR    where to build (default: build)
# CLRS_SKIP_PACKAGES=1    install no packages, use the installed packages
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$(dirname "$0")/.."
. cmake/packages.sh

left_out='^(long|bench)$'
if [ "${1:-}" = --all ]; then
  left_out='^bench$'
elif [ $# -gt 0 ]; then
  echo "usage: sh cmake/check.sh [--all]" >&2
  exit 2
fi

build=${CLRS_BUILD_DIR:-build}
# shellcheck disable=SC2086  # lists of packages
install_packages $packages_to_build $packages_to_check

# An optimized build with assertions, and lines for backtraces.
cmake -S . -B "$build" -G Ninja -DCLRS_WERROR=ON -DCLRS_BUILD_CLI=ON -DCLRS_BUILD_TESTS=ON \
  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO='-O2 -g1'
cmake --build "$build" --parallel "$(compiler_count)"

use_pocl_cache "$build/pocl-cache"
# A missing device is a failure here, and PoCL must not hide a division by zero in a kernel.
export CLRS_REQUIRE_DEVICE=1 POCL_SIGFPE_HANDLER=0
exec ctest --test-dir "$build" --no-tests=error --output-on-failure --label-exclude "$left_out" \
  --parallel "$(compiler_count)"
