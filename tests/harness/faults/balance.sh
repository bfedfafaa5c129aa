#!/bin/sh
# Runs after the tests. Checks that every test process that used OpenCL has released every object
# exactly once. Usage: balance.sh FOLDER, the folder of the fault layer's reports, with a file per
# test and a line per process.
#
# SPDX-License-Identifier: Apache-2.0
set -u
cd "$1" || exit 1
tests=$(find . -type f ! -name '.*' | wc -l)
if [ "$tests" = 0 ]; then
  echo "no test reported"
  [ "${CLRS_REQUIRE_DEVICE:-0}" = 1 ] && exit 1
  exit 77
fi
if grep -rv '^balanced: live=0 over_releases=0 canaries=0 shared_kernels=0$' .; then
  echo "these did not release what they made"
  exit 1
fi
echo "$(cat ./* | wc -l) processes of $tests tests, all balanced"
