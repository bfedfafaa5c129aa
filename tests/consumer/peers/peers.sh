#!/bin/sh
# Builds and runs an example of clreshape beside another library: peers.sh PEER ROOT BUILD PYTHON, PEER
# being OpenCV or CLBlast. Clreshape's library is installed from BUILD into a scratch folder. Where the
# peer is not installed the test is skipped with 77.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
peer=$1 root=$2 build=$3 python=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for component in library development; do
  cmake --install "$build" --prefix "$scratch/prefix" --component "$component" >/dev/null
done
cmake -S "$root/tests/consumer/peers" -B "$scratch/peers" -DPEER="$peer" -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_PREFIX_PATH="$scratch/prefix" >"$scratch/said" || { cat "$scratch/said" && exit 1; }
if grep 'skipped: ' "$scratch/said"; then exit 77; fi
cmake --build "$scratch/peers"
case $peer in
# Unless told otherwise OpenCV takes no device that is a CPU.
OpenCV) OPENCV_OPENCL_DEVICE="${OPENCV_OPENCL_DEVICE-:CPU:}" "$scratch/peers/peer" ;;
CLBlast) "$python" "$root/tests/consumer/peers/clblast_test.py" "$scratch/peers/peer" ;;
esac
