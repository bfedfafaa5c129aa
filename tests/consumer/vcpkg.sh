#!/bin/sh
# Installs and uses the vcpkg port: vcpkg.sh ROOT FOLDER. Static and shared, with a stand-in for
# vcpkg's port of OpenCL, so that nothing is downloaded. CLRS_VCPKG, or else VCPKG_ROOT, names a
# checkout of vcpkg with the program vcpkg. Without a checkout the test is skipped. All of vcpkg's
# files stay in FOLDER. OPENCL_LIBRARY and OPENCL_HEADERS give the place of the system's OpenCL.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1 folder=$(readlink -m "$2") vcpkg=${CLRS_VCPKG:-${VCPKG_ROOT:-}}
here=$(cd "$(dirname "$0")" && pwd)
if [ -z "$vcpkg" ] || [ ! -x "$vcpkg/vcpkg" ]; then
  echo 'skipped: there is no vcpkg; CLRS_VCPKG names a checkout of it with its program'
  exit 77
fi
for file in "$OPENCL_LIBRARY" "$OPENCL_HEADERS/CL/cl.h"; do
  [ -e "$file" ] || { echo "skipped: OpenCL is not there: no $file" && exit 77; }
done
vcpkg=$(readlink -f "$vcpkg") said=$folder/said installed=$folder/installed used=$folder/used
rm -rf "$folder"
mkdir -p "$folder/downloads" "$folder/triplets"
# This system's cmake, ninja and other tools, and no download for any port.
export VCPKG_ROOT="$vcpkg" VCPKG_FORCE_SYSTEM_BINARIES=1 VCPKG_DISABLE_METRICS=1 VCPKG_MAX_CONCURRENCY=2
export X_VCPKG_ASSET_SOURCES=x-block-origin VCPKG_KEEP_ENV_VARS='OPENCL_LIBRARY;OPENCL_HEADERS'
unset CMAKE_PREFIX_PATH CUDA_PATH PKG_CONFIG_PATH VCPKG_DEFAULT_TRIPLET VCPKG_OVERLAY_PORTS

# shellcheck source=tests/consumer/steps.sh
. "$here/steps.sh"

# install TRIPLET PORT: without a cache. The stand-in has precedence over vcpkg's port.
install() {
  run "vcpkg install $2:$1" "$vcpkg/vcpkg" install "$2:$1" --overlay-ports="$root/cmake/vcpkg" \
    --overlay-ports="$here/vcpkg" --overlay-triplets="$folder/triplets" --no-binarycaching \
    --recurse --host-triplet="$1" --downloads-root="$folder/downloads" \
    --x-buildtrees-root="$folder/buildtrees" --x-packages-root="$folder/packages" \
    --x-install-root="$installed"
  if grep -i -e 'warning:' -e 'post-build checks' "$said" >"$folder/warnings"; then
    fail_showing "vcpkg is not content with the port: $2:$1"
  fi
}

# use TRIPLET BUILD: a program, by CMake and by pkg-config, and the program's dependencies.
use() {
  rm -rf "$used"
  run "$1 is not found" cmake -S "$root/cmake/conan/test_package" -B "$used" -DVCPKG_MANIFEST_MODE=OFF \
    -DCMAKE_TOOLCHAIN_FILE="$vcpkg/scripts/buildsystems/vcpkg.cmake" -DVCPKG_TARGET_TRIPLET="$1" \
    -DVCPKG_HOST_TRIPLET="$1" -DVCPKG_INSTALLED_DIR="$installed" -DCMAKE_BUILD_TYPE="$2" \
    -DVCPKG_OVERLAY_TRIPLETS="$folder/triplets"
  run "$1 does not build, $2" cmake --build "$used"
  run "$1 does not run, $2" "$used/moves"
  run ldd ldd "$used/moves"
  needs=$(cat "$said")
  libraries=$installed/$1$3
  # shellcheck disable=SC2046  # a list of options
  run "$1 does not build by pkg-config" cc "$root/cmake/conan/test_package/main.c" -o "$used/too" \
    $(PKG_CONFIG_PATH="$libraries/pkgconfig" pkg-config --cflags --libs --static clreshape)
  run "$1 does not run by pkg-config" env LD_LIBRARY_PATH="$libraries" "$used/too"
  printf '%s\n' "$needs" | grep "libOpenCL.*=> $libraries/" >/dev/null ||
    fail_showing "not the package's loader: $needs"
}

# tree TRIPLET: the further files that a port has to install, and no more.
tree() {
  for file in include/clreshape/clreshape.hpp share/clreshape/copyright share/clreshape/usage \
    share/clreshape/clreshapeConfig.cmake lib/pkgconfig/clreshape.pc; do
    [ -s "$installed/$1/$file" ] || fail_showing "$1 has no $file"
  done
  for path in debug/include debug/share lib/cmake bin share/doc; do
    [ ! -e "$installed/$1/$path" ] || fail_showing "$1 has $path"
  done
}

rpath=$(command -v patchelf >/dev/null && echo ON || echo OFF) # vcpkg would download patchelf
for linkage in static dynamic; do
  cat >"$folder/triplets/ours-$linkage.cmake" <<END
set(VCPKG_TARGET_ARCHITECTURE $(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/'))
set(VCPKG_CRT_LINKAGE dynamic)
set(VCPKG_LIBRARY_LINKAGE $linkage)
set(VCPKG_CMAKE_SYSTEM_NAME Linux)
set(VCPKG_FIXUP_ELF_RPATH $rpath)
END
  install ours-$linkage clreshape
  grep -F 'clreshape provides a CMake target' "$said" >/dev/null || fail_showing 'no usage is shown'
  tree ours-$linkage
  use ours-$linkage Release /lib
  printf '%s\n' "$needs" | grep -c "libclreshape\.so.*=> $installed/" >"$folder/shared" || :
  [ "$(cat "$folder/shared")" = "$([ $linkage = dynamic ] && echo 1 || echo 0)" ] ||
    fail_showing "$linkage is not heeded: $needs"
  use ours-$linkage Debug /debug/lib
done
install ours-static 'clreshape[tools]'
run 'the program does not run' "$installed/ours-static/tools/clreshape/clreshape" resolve \
  --dialect onnx --input 2,3,4 --shape 0,-1
[ "$(cat "$said")" = 2,12 ] || fail_showing 'the program is wrong'
