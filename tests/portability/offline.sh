#!/bin/sh
# Compiles every program that the library could build with Intel's GPU compiler, without a device:
# offline.sh LIST_VARIANTS FOLDER. For a GPU of its 12th generation.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
list=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
"$list" "$folder"
echo "compiler: $(ocloc --version 2>&1 | head -n 1)"
failed=0 count=0
for source in "$folder"/*.cl; do
  name=${source%.cl}
  # -D__OPENCL__... comes from the compiler; NATIVE_CODE=0 is what the host says of such a driver.
  if ocloc compile -q -file "$source" -device tgllp -out_dir "$folder/out" \
    -options "$(cat "$name.options") -DNATIVE_CODE=0" >"$name.log" 2>&1; then
    count=$((count + 1))
  else
    echo "FAIL ${name##*/}: exit code $?, $(grep -m 1 . "$name.log")"
    failed=1
  fi
done
echo "$count variants compiled"
exit $failed
