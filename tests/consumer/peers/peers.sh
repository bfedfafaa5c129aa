#!/bin/sh
# Builds and runs an example of clreshape beside another library: peers.sh PEER ROOT BUILD PYTHON
# [FOLDER [PROGRAM]], PEER being OpenCV, CLBlast or OpenVINO. Clreshape's library is installed from
# BUILD into a scratch folder, and downloads stay in FOLDER. PROGRAM is `peer`, the test, or
# `speed`. Without the peer the test is skipped with 77.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
peer=$1 root=$2 build=$3 python=$4 folder=${5:-} program=${6:-peer}
here=$root/tests/consumer/peers
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [ "$peer" = OpenVINO ]; then
  OpenVINO_DIR=$(sh "$here/openvino.sh" get "$folder" "$python")
  export OpenVINO_DIR
fi
for component in library development; do
  cmake --install "$build" --prefix "$scratch/prefix" --component "$component" >/dev/null
done
cmake -S "$here" -B "$scratch/peers" -DPEER="$peer" -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_PREFIX_PATH="$scratch/prefix" >"$scratch/said" || { cat "$scratch/said" && exit 1; }
if grep 'skipped: ' "$scratch/said"; then exit 77; fi
cmake --build "$scratch/peers" --target "$program"
case $peer in
# Unless told otherwise OpenCV takes no device that is a CPU.
OpenCV) OPENCV_OPENCL_DEVICE="${OPENCV_OPENCL_DEVICE-:CPU:}" "$scratch/peers/peer" ;;
CLBlast) "$python" "$here/clblast_test.py" "$scratch/peers/peer" ;;
OpenVINO) sh "$here/openvino.sh" run "$folder" "$scratch/peers/libopenvino_layer.so" \
  "$scratch/peers/$program" ;;
esac
