#!/bin/sh
# Builds and runs the example like a user: consumer.sh METHOD ROOT BUILD LIBDIR. METHOD is
# find_package, pkg_config or add_subdirectory. BUILD is clreshape's build folder. The first two
# methods install from BUILD into a scratch folder, move the installation, and use the moved
# installation.
#
# A decoy CUDA toolkit with an OpenCL loader and headers is in PATH and CUDA_PATH. A build that
# picks up the decoy fails.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
method=$1 root=$2 build=$3 libdir=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

decoy=$scratch/cuda
mkdir -p "$decoy/bin" "$decoy/include/CL" "$decoy/lib" "$decoy/lib64"
echo '#error "the decoy header was found"' >"$decoy/include/CL/cl.h"
echo 'the decoy loader' | tee "$decoy/lib/libOpenCL.so" >"$decoy/lib64/libOpenCL.so"
export PATH="$decoy/bin:$PATH" CUDA_PATH="$decoy"

install_library() {
  cmake --install "$build" --prefix "$scratch/first" >/dev/null
  mv "$scratch/first" "$prefix"
  cmp "$prefix/share/doc/clreshape/LICENSE" "$root/LICENSE"
}

# build_project OPTION...: builds and runs the programs of project/.
build_project() {
  cmake -S "$root/tests/consumer/project" -B "$scratch/project" -DCMAKE_BUILD_TYPE=Debug "$@"
  cmake --build "$scratch/project"
  for program in C CXX owners windows; do
    "$scratch/project/consumer_$program"
  done
  if ldd "$scratch/project/consumer_C" | grep "$decoy"; then exit 1; fi
}

with_find_package() {
  install_library
  build_project -DCMAKE_PREFIX_PATH="$prefix"
}

# As a static library here, unlike the other methods.
with_add_subdirectory() {
  build_project -DCLRS_SOURCE_DIR="$root" -DBUILD_SHARED_LIBS=OFF -DCLRS_WERROR=ON
}

with_pkg_config() {
  install_library
  export PKG_CONFIG_PATH="$prefix/$libdir/pkgconfig"
  [ "$(pkg-config --modversion clreshape)" = "$("$prefix/bin/clreshape" --version | sed 's/.* //')" ]
  for compile in 'cc -x c -std=c11' 'c++ -x c++ -std=c++17'; do
    # shellcheck disable=SC2046,SC2086  # lists of options
    $compile -Wall -Wextra -Wpedantic -Werror $(pkg-config --cflags clreshape) \
      "$root/tests/consumer/examples/heads.c" "$root/tests/consumer/examples/frame.c" \
      "$root/tests/consumer/main.c" -x none \
      $(pkg-config --libs clreshape) -o "$scratch/consumer"
    LD_LIBRARY_PATH="$prefix/$libdir" "$scratch/consumer"
  done
  # README's example, which defines no version of OpenCL, compiles without a word.
  # shellcheck disable=SC2046
  said=$(cc -std=c11 -Wall -fsyntax-only $(pkg-config --cflags clreshape) \
    "$root/tests/consumer/examples/heads.c" 2>&1)
  [ -z "$said" ] || { echo "$said" && exit 1; }
}

with_"$method"
