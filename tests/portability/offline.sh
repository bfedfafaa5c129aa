#!/bin/sh
# Compiles every program that the library could build with Intel's GPU compiler, without a device:
# offline.sh LIST_VARIANTS FOLDER. For a GPU of its 12th generation, which has no doubles. A program
# that needs an extension is compiled for the first of the devices that has it, as no other is ever
# asked to build it (tests/mapped/test_key.c).
#
# SPDX-License-Identifier: Apache-2.0
set -eu
list=$1 folder=$2
devices='tgllp bmg'
rm -rf "$folder"
mkdir -p "$folder/devices"
"$list" "$folder"
echo "compiler: $(ocloc --version 2>&1 | head -n 1)"
for device in $devices; do
  ocloc query CL_DEVICE_EXTENSIONS -device "$device" | tr ' ' '\n' >"$folder/devices/$device"
done

# device_for NAME
device_for() {
  [ -e "$1.needs" ] || { echo "${devices%% *}" && return; }
  for device in $devices; do
    if grep -qxF -f "$1.needs" "$folder/devices/$device"; then
      echo "$device" && return
    fi
  done
  echo "FAIL ${1##*/}: no device has $(cat "$1.needs")" >&2 && exit 1
}

# compile NAME DEVICE: what the compiler says goes into NAME.log.
compile() {
  # -D__OPENCL__... comes from the compiler; NATIVE_CODE=0 is what the host says of such a driver.
  ocloc compile -file "$1.cl" -device "$2" -out_dir "$folder/out" \
    -options "$(cat "$1.options") -DNATIVE_CODE=0" >"$1.log" 2>&1
}

# The check must be able to fail: doubles where there are none.
name=$(find "$folder" -name '*.needs' | sort | head -n 1)
name=${name%.needs}
[ "$(device_for "$name")" != "${devices%% *}" ]
if compile "$name" "${devices%% *}"; then
  echo 'FAIL doubles were compiled for a device without: this check would see nothing' && exit 1
fi

failed=0 count=0 extended=0
for source in "$folder"/*.cl; do
  name=${source%.cl}
  device=$(device_for "$name")
  if compile "$name" "$device"; then
    count=$((count + 1))
    [ ! -e "$name.needs" ] || extended=$((extended + 1))
  else
    echo "FAIL ${name##*/}: exit code $?, for $device: $(grep -m 1 'error' "$name.log" || head -n 1 "$name.log")"
    failed=1
  fi
done
echo "$count variants compiled, $extended of them for a device with extensions that they need"
exit $failed
