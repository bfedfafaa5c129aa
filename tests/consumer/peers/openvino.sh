#!/bin/sh
# The build and run environment of the example beside OpenVINO, all below FOLDER.
#
#   openvino.sh get FOLDER PYTHON            OpenVINO and Intel's CPU runtime, both from PyPI; what is
#                                            there already is taken. Prints where CMake finds OpenVINO.
#   openvino.sh run FOLDER LAYER COMMAND...  on that runtime, behind that layer
#
# If PyPI is unavailable the test is skipped with 77. Only OpenVINO's package itself is installed,
# because nothing here uses OpenVINO from Python.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
version=2026.4.1
here=$(cd "$(dirname "$0")" && pwd)
portability=$here/../../portability
do=$1 folder=$2
shift 2

skip() { echo "skipped: $*" >&2 && exit 77; }

get() {
  sh "$here/../venv.sh" "$folder/openvino" "$1" "openvino==$version" --only-binary :all: --no-deps >&2
  CLRS_SKIP_PACKAGES=1 sh "$portability/setup.sh" intel "$folder" >&2 ||
    skip "Intel's CPU runtime is not here, and PyPI does not give it"
  dirname "$(find "$folder/openvino" -name OpenVINOConfig.cmake)"
}

# OpenVINO brings a TBB that is too old for the runtime, which then refuses to make a context. A
# preloaded library is found first.
run() {
  tbb=$(find "$folder/intel/files" -name libtbb.so.12)
  layer=$1
  shift
  exec sh "$portability/with.sh" intel "$folder" \
    env LD_PRELOAD="$tbb" OPENCL_LAYERS="$layer" "$@"
}

"$do" "$@"
