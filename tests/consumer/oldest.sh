#!/bin/sh
# The oldest CMake that clreshape asks for is enough: oldest.sh ROOT FOLDER PYTHON CHECK.... Makes the
# CHECKs of alone.sh.
#
# Takes that CMake from PATH, or installs it from PyPI in a virtual environment in FOLDER. A later
# run uses the same environment. If no registry can be reached, the test is skipped with 77.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1 folder=$2 python=$3
shift 3
oldest=$(sed -n 's/^cmake_minimum_required(VERSION \(.*\))/\1/p' "$root/CMakeLists.txt")

is_oldest() { "$1" --version 2>/dev/null | grep -F "cmake version $oldest." >/dev/null; }

cmake=$(command -v cmake)
if ! is_oldest "$cmake"; then
  sh "$(dirname "$0")/venv.sh" "$folder" "$python" "cmake==$oldest.*"
  cmake=$folder/bin/cmake
fi
is_oldest "$cmake"
exec sh "$(dirname "$0")/alone.sh" "$root" "$cmake" "$@"
