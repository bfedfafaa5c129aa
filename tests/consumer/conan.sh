#!/bin/sh
# Makes and uses the Conan package: conan.sh ROOT FOLDER PYTHON. Static and shared with the system's
# OpenCL, and as by default with ConanCenter's, for which conan/ stands in, so that nothing but
# Conan itself is downloaded. Conan and all of Conan's files stay in FOLDER. OPENCL_LIBRARY and
# OPENCL_HEADERS give the place of the system's OpenCL.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1 folder=$(readlink -m "$2") python=$3
here=$(cd "$(dirname "$0")" && pwd)
for file in "$OPENCL_LIBRARY" "$OPENCL_HEADERS/CL/cl.h"; do
  [ -e "$file" ] || { echo "skipped: OpenCL is not there: no $file" && exit 77; }
done
sh "$here/venv.sh" "$folder/conan" "$python" conan==2.34.0
conan=$folder/conan/bin/conan said=$folder/said used=$folder/used
export CONAN_HOME="$folder/home"
rm -rf "$CONAN_HOME" "$used"
unset CMAKE_PREFIX_PATH CUDA_PATH PKG_CONFIG_PATH

# shellcheck source=tests/consumer/steps.sh
. "$here/steps.sh"

# by_pkg_config: the same program with the files that Conan makes for pkg-config.
by_pkg_config() {
  PKG_CONFIG_PATH=$(dirname "$(find "$used" -name clreshape.pc)")
  export PKG_CONFIG_PATH
  libraries=$(pkg-config --variable=libdir clreshape)
  # shellcheck disable=SC2046  # a list of options
  run 'does not build by pkg-config' cc "$root/cmake/conan/test_package/main.c" -o "$used/moves_too" \
    $(pkg-config --cflags clreshape) $(pkg-config --libs clreshape)
  run 'does not run by pkg-config' env LD_LIBRARY_PATH="$libraries" "$used/moves_too"
}

# create OPTION...: the package with these options, from no remote, and a consumer of the package.
create() {
  rm -rf "$used"
  run "conan create $*" "$conan" create "$root/cmake/conan" --no-remote --build=missing "$@" \
    -c "tools.cmake.cmaketoolchain:generator=${CMAKE_GENERATOR:-Unix Makefiles}" \
    -c tools.build:jobs=2 -c tools.compilation:verbosity=verbose \
    -c tools.cmake.cmake_layout:test_folder="$used"
  cp "$said" "$folder/created"
  grep -x -e 'clreshape moved every element to its place' \
    -e 'clreshape is linked; there is no OpenCL device to move anything on' "$said" ||
    fail_showing "the test_package did not run: $*"
  run 'ldd' ldd "$(find "$used" -type f -name moves)"
  needs=$(cat "$said")
  by_pkg_config
}

# position_independent: how many of the library's files are.
position_independent() { grep -c -e ' -fPIC .*\.c$' "$folder/created" || :; }

is_static() {
  case $needs in
  *libclreshape.so*) fail_showing "the static package is shared: $needs" ;;
  esac
  [ "$(position_independent)" = 0 ] || fail_showing 'fPIC=False is not heeded'
}

is_shared() {
  printf '%s\n' "$needs" | grep "libclreshape\.so.*=> $CONAN_HOME/" >/dev/null ||
    fail_showing "not the package's shared library: $needs"
  [ "$(position_independent)" -gt 50 ] || fail_showing 'the shared library is not position-independent'
}

# loader: the OpenCL loader that is used.
loader() { readlink -f "$(printf '%s\n' "$needs" | awk '/libOpenCL\.so/ { print $3 }')"; }

takes_system_loader() {
  [ "$(loader)" = "$(readlink -f "$OPENCL_LIBRARY")" ] || fail_showing "not the system's loader: $needs"
}

run 'no profile' "$conan" profile detect
create -o '&:with_system_opencl=True' -o '&:fPIC=False'
is_static
takes_system_loader
create -o '&:with_system_opencl=True' -o '&:shared=True'
is_shared
takes_system_loader

packages=$(sed -n 's,.*self.requires("\(opencl-[^/]*/[0-9.]*\)".*,\1,p' "$root/cmake/conan/conanfile.py")
[ "$(echo "$packages" | wc -l)" = 2 ] || fail_showing "not two packages of OpenCL: $packages"
for package in $packages; do
  run "conan export $package" "$conan" export "$here/conan" --name="${package%/*}" --version="${package#*/}"
done
create -o '&:shared=True'
is_shared
case $(loader) in
"$CONAN_HOME"/*) ;;
*) fail_showing "not the package's loader: $needs" ;;
esac
