#!/bin/sh
# Builds the provider on an installed clreshape and tests the provider in PyPI's onnxruntime: run.sh
# ROOT BUILD PYTHON FOLDER. Downloads stay in FOLDER. ONNX Runtime's C headers come from the folder
# $CLRS_ONNXRUNTIME_HEADERS, else from this system, else from the newest Debian, unpacked and not
# installed. Without a network the test is skipped with 77.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1 build=$2 python=$3 folder=$(readlink -m "$4")
here=$root/tests/consumer
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
said=$scratch/said
# shellcheck source=tests/consumer/steps.sh
. "$here/steps.sh"

sh "$here/venv.sh" "$folder/python" "$python" onnxruntime==1.32.0 onnx==1.23.2 --only-binary :all:
headers=${CLRS_ONNXRUNTIME_HEADERS:-/usr/include/onnxruntime}
if [ ! -e "$headers/onnxruntime_ep_c_api.h" ]; then
  sh "$here/../portability/unpack.sh" sid libonnxruntime-dev "$folder/headers" >"$said" 2>&1 || {
    echo "skipped: ONNX Runtime's headers are not here, and Debian does not give them:" \
      "$(tail -n 1 "$said"); CLRS_ONNXRUNTIME_HEADERS may name a folder with onnxruntime_ep_c_api.h"
    exit 77
  }
  headers=$folder/headers/usr/include/onnxruntime
fi
for component in library development; do
  cmake --install "$build" --prefix "$scratch/prefix" --component "$component" >/dev/null
done
run 'cannot be configured' cmake -S "$here/onnxruntime" -B "$scratch/ep" -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_PREFIX_PATH="$scratch/prefix" -DONNXRuntime_HEADERS="$headers"
run 'does not build' cmake --build "$scratch/ep"
"$folder/python/bin/python" -B "$here/onnxruntime/test.py" "$scratch/ep/libclreshape_ep.so"
