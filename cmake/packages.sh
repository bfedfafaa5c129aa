# The set-up that quickstart.sh and check.sh share; sourced by them. POSIX sh.
#
# SPDX-License-Identifier: Apache-2.0
#
# shellcheck shell=sh
# shellcheck disable=SC2034  # the lists are for those who source this

# Compiler, build tools, OpenCL (loader, headers, PoCL and the linker that it calls), and what the
# program reads ONNX files with.
packages_to_build='gcc libc6-dev binutils cmake ninja-build ocl-icd-opencl-dev opencl-c-headers
  pocl-opencl-icd libprotobuf-c-dev protobuf-c-compiler libonnx-dev'
# ONNX's own test cases, as Debian has them.
packages_of_data='libonnx-testdata'
# cmocka, oneDNN, CLBlast and DLPack for test programs, libzip for the program's .npz, NumPy as an oracle, the
# consumers' tools, and the linters; for tests with the label long, a simulator that checks every
# access, coverage, clang-tidy, what the newest onnx package is installed in, and a fresh Debian; and what makes
# SPIR-V, and code for GPUs, of the kernels.
packages_to_check="$packages_of_data libcmocka-dev libdnnl-dev libclblast-dev libdlpack-dev python3 python3-numpy g++
  pkg-config dpkg-dev man-db clang clang-tools libclang-rt-14-dev libzip-dev clang-format cppcheck
  universal-ctags git
  oclgrind llvm-14 clang-tidy python3-venv debootstrap clang-15 llvm-spirv-15
  clang-19 libigc1 libigdfcl1 gcc-multilib gcc-mingw-w64-x86-64-posix file lintian mypy"

# How tests/portability gets and uses other OpenCL drivers.
packages_of_drivers='debootstrap python3-pip util-linux pocl-opencl-icd oclgrind'

# missing PACKAGE...: prints those that are not installed.
missing() {
  for package in "$@"; do
    state=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null || :)
    case $state in
    ?i*) ;;
    *) echo "$package" ;;
    esac
  done
}

# install_packages PACKAGE...: installs what is missing, or says what to install and exits with 1.
# Where there is no dpkg, or the packages have other names: CLRS_SKIP_PACKAGES=1.
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

# PoCL's compiled kernels, and what they need to run: a folder of this build's own, so that nothing
# stale or foreign is executed.
use_pocl_cache() {
  mkdir -p "$1"
  POCL_CACHE_DIR=$(cd "$1" && pwd)
  export POCL_CACHE_DIR
}

# No more than eight: each wants memory.
compiler_count() {
  cores=$(nproc 2>/dev/null || echo 2)
  [ "$cores" -le 8 ] || cores=8
  echo "$cores"
}
