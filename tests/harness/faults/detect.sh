#!/bin/sh
# Proves that the fault layer detects each kind of fault: detect.sh MISBEHAVE LAYER FOLDER. If
# anything about the layer is wrong, the loader silently runs a program without the layer. This
# script runs before the suite and also empties FOLDER, where the reports on every test's objects
# go.
#
# SPDX-License-Identifier: Apache-2.0
set -u
misbehave=$1 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
export OPENCL_LAYERS="$2" CLRS_LAYER_REPORT="$folder/.detect"
# Under a sanitizer too, the guard page ends the program, not the sanitizer's own report.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:handle_segv=0" TSAN_OPTIONS="${TSAN_OPTIONS:-}:handle_segv=0"

missing() {
  echo "$1"
  [ "${CLRS_REQUIRE_DEVICE:-0}" = 1 ] && exit 1
  exit 0 # nothing to balance: those tests are skipped
}

# must_end CODE TEXT HOW [VARIABLE=VALUE]: the program ends so, and reports so.
must_end() {
  rm -f "$CLRS_LAYER_REPORT"
  env ${4:-UNUSED=1} "$misbehave" "$3" >"$folder/.output" 2>&1
  code=$?
  [ $code = 77 ] && missing "no OpenCL device"
  [ -e "$CLRS_LAYER_REPORT" ] || [ "$1" = 139 ] || missing "the loader did not load the layer"
  if [ $code != "$1" ] || { [ -n "$2" ] && ! grep -q "$2" "$CLRS_LAYER_REPORT"; }; then
    echo "misbehave $3 ${4:-} ended with $code, not with $1 and a report of '$2':"
    cat "$folder/.output"
    exit 1
  fi
}

must_end 0 '^balanced' none
must_end 0 '^balanced' none GUARD=end
must_end 0 '^balanced' none GUARD=begin
must_end 96 'live=1 .*mem(1, of clCreateBuffer)' leak
must_end 96 'over_releases=1' release_twice
must_end 96 'shared_kernels=[1-9]' share_kernel
must_end 139 '' write_behind GUARD=end
must_end 139 '' write_before GUARD=begin
must_end 96 'canaries=1' write_before GUARD=end
must_end 96 'canaries=1' write_behind GUARD=begin
rm -f "$CLRS_LAYER_REPORT" "$folder/.output"
echo "10 programs, good and bad, told apart"
