#!/bin/sh
# The matrix of tests/harness/negative is complete: negative_test.sh ROOT CORE RUNTIME ONNX. The
# last three arguments are the programs of the matrix. negative.py defines completeness. The script
# must first notice an added function, parameter or field, a missing row, and an unneeded exception.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1 core=$2 runtime=$3 onnx=$4
here=$root/tests/gates/lint
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

fresh() {
  cp "$root"/include/clreshape/*.h "$here/negative.txt" "$copy"
  "$core" list >"$copy/core.list"
  "$runtime" list >"$copy/runtime.list"
  "$onnx" list >"$copy/onnx.list"
}

check() {
  python3 "$here/negative.py" "$copy/negative.txt" "$copy/core.list" "$copy/runtime.list" \
    "$copy/onnx.list" -- "$copy"/*.h
}

# must_fail TEXT: the check fails and says TEXT.
must_fail() {
  if said=$(check) || ! printf '%s\n' "$said" | grep -qF "$1"; then
    echo "wanted: $1; it said: $said" && exit 1
  fi
  fresh
}

fresh
echo 'CLRS_API int clrs_new_function(int new_parameter);' >>"$copy/core.h"
must_fail 'clrs_new_function new_parameter: no row'
sed -i 's/clrs_view_expand(clrs_view \*view,/& int64_t new_parameter,/' "$copy/core.h"
must_fail 'clrs_view_expand new_parameter: no row'
sed -i 's/^  int64_t axis, start, end, step;/& int64_t new_field;/' "$copy/core.h"
must_fail 'clrs_view_slice slices->new_field: no row'
sed -i '/^clrs_enqueue_move on->queue$/d' "$copy/runtime.list"
must_fail 'clrs_enqueue_move on->queue: no row'
sed -i '/^clrs_plan_move move->source.alignment$/d' "$copy/core.list"
must_fail 'clrs_plan_move move->source.alignment: no row'
echo 'clrs_view_flip view: no reason' >>"$copy/negative.txt"
must_fail 'clrs_view_flip view: an exception that nothing needs'
check
