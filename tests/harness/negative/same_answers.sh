#!/bin/sh
# The negative matrix has the same rows, answers and messages on two devices: same_answers.sh
# PROGRAM, which runs on the device that other tests use, and on Oclgrind. The first line, the
# device's name, must differ. Except for the size of a binary, nothing else may differ.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
program=$1
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
driver=$(find /usr/lib /usr/local/lib -name 'liboclgrind-rt-icd.so' 2>/dev/null | head -n 1)
[ -n "$driver" ] || { echo 'Oclgrind is not installed' && exit 1; }
export CLRS_REQUIRE_DEVICE=1

"$program" >"$here/one" || exit 1
# Unoptimized, because Oclgrind lacks prefetching and functions that the optimizer makes from
# shifts.
OCL_ICD_VENDORS="$driver" \
  OCLGRIND_BUILD_OPTIONS='-cl-opt-disable -D__builtin_prefetch(a,b,c)=(void)(a)' \
  "$program" >"$here/other" || exit 1

rows=$(tail -n 1 "$here/one")
case $rows in
[1-9]*' rows, 0 failures') ;;
*) echo "no rows: $rows" && exit 1 ;;
esac
if [ "$(head -n 1 "$here/one")" = "$(head -n 1 "$here/other")" ]; then
  echo "both ran on $(head -n 1 "$here/one")" && exit 1
fi
# answers FILE: without the device, the size of compiled binaries, and shared memory, which only one
# of the two devices has. The number of rows is left out too.
answers() {
  sed -e 1d -e '$d' -e '/^clrs_tensor_wrap_shared /d' \
    -e 's/the programs take [0-9]* bytes/the programs take N bytes/' "$1"
}
answers "$here/one" >"$here/wanted"
answers "$here/other" | diff "$here/wanted" - || { echo 'the answers differ' && exit 1; }
echo "$rows, on either device"
