#!/bin/sh
# Compiles every program that the library could build with Intel's GPU compiler, without a device:
# offline.sh LIST_VARIANTS FOLDER. The target is a GPU of Intel's 12th generation, which has no
# doubles. A program that needs an extension is compiled for the first device with the extension,
# because no other device ever builds the program (tests/mapped/test_key.c). That takes some ten
# minutes on two cores. A program that this compiler has already accepted, to the byte, is not
# compiled again.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
list=$1 folder=$2
devices='tgllp bmg'
taken=$folder.taken
rm -rf "$folder"
mkdir -p "$folder/devices" "$taken"
"$list" "$folder"
version=$(ocloc --version 2>&1 | head -n 1)
echo "compiler: $version"
for device in $devices; do
  ocloc query CL_DEVICE_EXTENSIONS -device "$device" | tr ' ' '\n' >"$folder/devices/$device"
done
export folder devices taken version

# A shell's script, for names without an ending: says which of them the compiler does not take, and why.
# -D__OPENCL__... comes from the compiler; NATIVE_CODE=0 is what the host says of such a driver.
# shellcheck disable=SC2016  # what it names is its own
compile='
  for name; do
    for device in $devices; do
      [ -e "$name.needs" ] && ! grep -qxF -f "$name.needs" "$folder/devices/$device" || break
    done
    [ -z "${only:-}" ] || device=$only
    options="$(cat "$name.options") -DNATIVE_CODE=0"
    known=$taken/$({ echo "$version $device $options"; cat "$name.cl"; } | sha256sum | cut -c 1-64)
    [ ! -e "$known" ] || continue
    if ocloc compile -file "$name.cl" -device "$device" -out_dir "$folder/out.$$" \
      -options "$options" >"$name.log" 2>&1; then
      touch "$known"
    else
      said=$(grep -m 1 error "$name.log" || tail -n 1 "$name.log")
      echo "FAIL ${name##*/}: for $device: $said"
      touch "$name.failed"
    fi
    rm -rf "$folder/out.$$"
  done
'

# Programs that need an extension come first. The check must be able to fail: doubles on a device
# without doubles.
names() { find "$folder" -name "*.$1" | sed 's/\.[a-z]*$//' | sort; }
one=$(names needs | head -n 1)
only=${devices%% *} sh -c "$compile" sh "$one" >/dev/null
[ -e "$one.failed" ] || {
  echo 'FAIL doubles were compiled for a device without: this check would see nothing' && exit 1
}
rm "$one.failed"

{ names needs && names cl; } | awk '!seen[$0]++' | xargs -n 8 -P "$(nproc)" sh -c "$compile" sh
all=$(names cl | wc -l) failed=$(names failed | wc -l)
echo "$((all - failed)) variants compiled, $(names needs | wc -l) of all for a device with what they need"
[ "$failed" -eq 0 ]
