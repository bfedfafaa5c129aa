#!/bin/sh
# Gets an OpenCL driver: setup.sh DRIVER FOLDER. Everything is below FOLDER. Existing files are
# kept, also while in use. drivers.txt lists the drivers and the origins. Debian's drivers come from
# the mirror that this machine's apt uses, or from $CLRS_DEBIAN_MIRROR, Intel's drivers from the
# registry that pip uses.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
driver=${1:?which driver} folder=${2:?which folder}
here=$(cd "$(dirname "$0")" && pwd)
kind=$(awk -v name="$driver" '$1 == name { print $2 }' "$here/drivers.txt")
root=$(awk -v name="$driver" '$1 == name { print $4 }' "$here/drivers.txt")

say() { echo "$driver: $*" >&2 && exit 1; }
[ -n "$kind" ] || say "drivers.txt has no such driver; it has" \
  "$(awk '!/^#/ && NF { printf "%s ", $1 }' "$here/drivers.txt")"

# shellcheck source=tests/portability/mirror.sh
. "$here/mirror.sh"
# shellcheck source=tests/portability/place.sh
. "$here/place.sh"

# The packages of the chroots: both drivers, and the needs of the Python tests.
chroot_packages=pocl-opencl-icd,mesa-opencl-icd,ocl-icd-libopencl1,binutils,python3-numpy
debian() {
  suite=$1 target=$2
  shift 2
  [ ! -e "$target/.complete" ] || return 0
  [ "$(id -u)" = 0 ] || say 'this driver is set up and used in a chroot, which only root may make'
  from=$(mirror)
  rm -rf --one-file-system "$target"
  debootstrap --variant=minbase "$@" "$suite" "$target" ${from:+"$from"} >"$target.log" 2>&1 ||
    say "debootstrap failed: $(tail -n 1 "$target.log")"
  touch "$target/.complete"
}

# The program and the tests are linked with this machine's libraries, and a newer cmocka lacks the
# called functions. The program runs without libzip and jansson if they are missing.
libraries() {
  for library in libcmocka.so.0 libprotobuf-c.so.1 libzip.so.4 libjansson.so.4; do
    file=$(find /usr/lib -name "$library" | head -n 1)
    case $file,$library in
    ,libzip.so.4 | ,libjansson.so.4) ;;
    ,*) say "$library is not installed here" ;;
    esac
    [ -z "$file" ] || place "$file" "$1/usr/local/lib/$library"
  done
  chroot "$1" ldconfig
}

# A separate driver list for the loader, with a single library.
list_of_one() {
  [ -n "$2" ] && [ -e "$2" ] || say "its library is missing: $3"
  mkdir -p "$1"
  echo "$2" >"$folder/one.icd"
  place "$folder/one.icd" "$1/one.icd"
}

# The driver's packages of PyPI as FOLDER/files: wheels FOLDER OPTION... The options are pip's.
wheels() {
  target=$1
  shift
  rm -rf --one-file-system "$target"
  mkdir -p "$target/wheels" "$target/files"
  awk -v name="$driver" '$1 == name { for (i = 5; i <= NF; i++) print $i }' "$here/drivers.txt" |
    xargs /usr/bin/python3 -m pip download --no-deps -d "$target/wheels" "$@" \
      >"$folder/$driver.log" 2>&1 || say "pip failed: $(tail -n 1 "$folder/$driver.log")"
  for wheel in "$target"/wheels/*.whl; do
    /usr/bin/python3 -m zipfile -e "$wheel" "$target/files"
  done
}

# The package's .icd names a path on the build machine, so the driver gets a new .icd.
intel() {
  [ ! -e "$folder/intel/.complete" ] || return 0
  wheels "$folder/intel"
  list_of_one "$folder/intel/vendors" \
    "$(find "$folder/intel/files" -name libintelocl.so | head -n 1)" 'libintelocl.so in the wheel'
  touch "$folder/intel/.complete"
}

# Intel's runtime for Windows, and Khronos' loader, which pyopencl's wheel has.
windows_intel() {
  bin=$folder/windows-intel-files/bin
  [ ! -e "$bin/.complete" ] || return 0
  wheels "$folder/windows-intel-files" --platform win_amd64 --only-binary :all: --python-version 3.11
  mkdir "$bin"
  find "$folder/windows-intel-files/files" \( -name '*.dll' ! -name OpenCL.dll -o -name cl.cfg -o -name '*.rtl' \
    -o -name '*.o' -o -name '*.obj' \) -exec mv -t "$bin" {} +
  mv "$bin"/opencl-*.dll "$bin/OpenCL.dll" || say "pyopencl's wheel has no loader"
  sh "$here/with.sh" windows-intel "$folder" reg.exe add 'HKLM\SOFTWARE\Khronos\OpenCL\Vendors' \
    /v "Z:$(echo "$bin/intelocl64.dll" | tr / '\\')" /t REG_DWORD /d 0 /f >"$folder/windows-intel.log" 2>&1 ||
    say "the registry cannot be written: $(tail -n 1 "$folder/windows-intel.log")"
  touch "$bin/.complete"
}

# shellcheck source=cmake/packages.sh
. "$here/../../cmake/packages.sh"
# shellcheck disable=SC2086  # a list of packages
install_packages $packages_of_drivers >&2

# Intel's GPU compiler and the front end, which is loaded by name. Like debootstrap, apt accepts a
# mirror that is some weeks old.
compiler() {
  [ ! -e "$1/.compiler" ] || return 0
  chroot "$1" sh -c 'apt-get -o Acquire::Check-Valid-Until=false update &&
    apt-get install -y --no-install-recommends "$@"' sh intel-ocloc libigdfcl2 libigc2 >"$folder/ocloc.log" 2>&1 ||
    say "apt-get failed: $(tail -n 1 "$folder/ocloc.log")"
  touch "$1/.compiler"
}

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
exec 9>"$folder/lock"
flock 9 # two drivers may share a chroot, and each may be set up while the other is tested
case $kind in
system) list_of_one "$folder/$driver/vendors" "$(find /usr/lib -name "$root" | head -n 1)" \
  "Debian's package of $root" ;;
limits) exec 9>&- && exec sh "$here/setup.sh" pocl-debian12 "$folder" ;;
wheel) intel ;;
chroot) debian "$root" "$folder/$root" --include="$chroot_packages" && libraries "$folder/$root" ;;
compiler)
  debian "$root" "$folder/$root" --include="$chroot_packages"
  compiler "$folder/$root"
  ;;
unpacked)
  packages=$(awk -v name="$driver" '$1 == name { $1 = $2 = $3 = $4 = ""; print }' "$here/drivers.txt")
  sh "$here/unpack.sh" --whole "$root" "$packages" "$folder/$driver" >"$folder/$driver.log" 2>&1 ||
    say "apt-get failed: $(tail -n 1 "$folder/$driver.log")"
  ;;
other)
  case $root in
  arm64) install_packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static >&2 ;;
  s390x) install_packages gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user-static >&2 ;;
  windows)
    install_packages wine64 gcc-mingw-w64-x86-64-posix clang-19 >&2
    [ "$driver" != windows-intel ] || windows_intel
    ;;
  i386)
    install_packages gcc-multilib >&2
    debian bookworm "$folder/i386" --arch=i386 --include=pocl-opencl-icd,ocl-icd-libopencl1,binutils
    ;;
  esac
  ;;
*) say "drivers.txt: kind $kind" ;;
esac
