# The set-up of quickstart.sh and check.sh, which source this file. POSIX sh.
#
# SPDX-License-Identifier: Apache-2.0
#
# shellcheck shell=sh
# shellcheck disable=SC2034  # the lists are for those who source this

# Compiler, build tools, OpenCL (loader, headers, PoCL and the linker that PoCL calls), and the
# packages for reading ONNX files.
packages_to_build='gcc libc6-dev binutils cmake ninja-build ocl-icd-opencl-dev opencl-c-headers
  pocl-opencl-icd libprotobuf-c-dev protobuf-c-compiler libonnx-dev'
# ONNX's own test cases, as packaged by Debian.
packages_of_data='libonnx-testdata'
# For test programs: cmocka, oneDNN, CLBlast and DLPack, libzip and jansson for the program's files, NumPy as an
# oracle, the consumers' tools, and the linters. For tests with the label long: a simulator that
# checks every access, coverage, clang-tidy, the environment for the newest onnx package, and a fresh
# Debian. For the reference: Doxygen. For the kernels: compilers to SPIR-V and to code for GPUs.
packages_to_check="$packages_of_data libcmocka-dev libdnnl-dev libclblast-dev libdlpack-dev python3 python3-numpy g++
  pkg-config dpkg-dev man-db clang clang-tools libclang-rt-14-dev libzip-dev libjansson-dev clang-format cppcheck
  universal-ctags git
  oclgrind llvm-14 clang-tidy python3-venv debootstrap clang-15 llvm-spirv-15
  clang-19 libigc1 libigdfcl1 gcc-multilib gcc-mingw-w64-x86-64-posix wine64 file lintian mypy doxygen"

# The packages by which tests/portability gets and uses other OpenCL drivers.
packages_of_drivers='debootstrap python3-pip util-linux pocl-opencl-icd oclgrind'

# missing PACKAGE...: prints the packages that are not installed.
missing() {
  for package in "$@"; do
    state=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null || :)
    case $state in
    ?i*) ;;
    *) echo "$package" ;;
    esac
  done
}

# install_packages PACKAGE...: installs the missing packages, or lists the packages and exits with 1.
# Set CLRS_SKIP_PACKAGES=1 if the system has no dpkg, or other package names.
install_packages() {
  [ "${CLRS_SKIP_PACKAGES:-0}" != 1 ] || return 0
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "There is no apt-get here. Install what Debian 12 calls:" "$@" >&2
    echo "and run this again with CLRS_SKIP_PACKAGES=1." >&2
    exit 1
  fi
  # shellcheck disable=SC2046  # one word per package
  set -- $(missing "$@")
  [ $# -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    echo "These packages are missing, and only root can install them:" >&2
    echo "  apt-get install --no-install-recommends" "$@" >&2
    exit 1
  fi
  echo "Installing" "$@"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q -o Acquire::Retries=3
  apt-get install -q -y --no-install-recommends -o Acquire::Retries=3 "$@"
}

# A cache folder of this build for PoCL's compiled kernels, so that no stale or foreign kernel is
# executed.
use_pocl_cache() {
  mkdir -p "$1"
  POCL_CACHE_DIR=$(cd "$1" && pwd)
  export POCL_CACHE_DIR
}

# At most eight jobs, because each job needs memory.
compiler_count() {
  cores=$(nproc 2>/dev/null || echo 2)
  [ "$cores" -le 8 ] || cores=8
  echo "$cores"
}
