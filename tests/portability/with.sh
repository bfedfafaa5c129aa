#!/bin/sh
# Runs a command on an OpenCL driver from setup.sh: with.sh DRIVER FOLDER COMMAND... The command
# finds only this driver. A driver of another Debian is used in a chroot. The folders of $CLRS_SHOW
# (default: the current folder) have the same paths there, in a mount namespace that ends with the
# command.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
if [ "$1" = --inside ]; then
  root=$2 icd=$3
  shift 3
  for place in /proc /dev /sys ${CLRS_SHOW:-$PWD}; do
    mkdir -p "$root$place"
    mount --rbind "$place" "$root$place"
  done
  export OCL_ICD_VENDORS="/etc/OpenCL/vendors/$icd" RUSTICL_ENABLE=llvmpipe
  # shellcheck disable=SC2016  # for the shell in the chroot
  exec chroot "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$PWD" "$@"
fi

driver=$1 folder=$(cd "$2" && pwd)
shift 2
case $driver in
*-gpu) export RUSTICL_DEVICE_TYPE=gpu ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
kind=$(awk -v name="$driver" '$1 == name { print $2 }' "$here/drivers.txt")
root=$(awk -v name="$driver" '$1 == name { print $4 }' "$here/drivers.txt")
case $kind in
system)
  export OCL_ICD_VENDORS="$folder/$driver/vendors"
  exec "$@"
  ;;
unpacked) exec "$@" ;;
limits) # of a test's own choice, or the driver's
  export OCL_ICD_VENDORS="$folder/pocl-debian12/vendors" CLRS_LAYER_LIMITS="${CLRS_LAYER_LIMITS:-$root}"
  exec "$@"
  ;;
wheel)
  # Not the driver's folder, which has a loader without layers.
  LD_LIBRARY_PATH=$(find "$folder/$driver/files" -type d -path '*.data/data/lib' \
    ! -path '*opencl_rt*' | paste -sd:)
  export OCL_ICD_VENDORS="$folder/$driver/vendors" LD_LIBRARY_PATH
  exec "$@"
  ;;
chroot | compiler)
  exec unshare -m sh "$here/with.sh" --inside "$folder/$root" "${driver%%-*}.icd" "$@"
  ;;
other)
  if [ "$driver" = windows-intel ]; then # with Khronos' OpenCL.dll in place of Wine's
    WINEPATH=Z:$(echo "$folder/windows-intel-files/bin" | tr / '\\')
    export WINEPATH WINEDLLOVERRIDES='opencl=n;winemenubuilder.exe=d'
  fi
  if [ "$root" = windows ]; then # whose OpenCL.dll, of Wine, asks the loader of this machine
    export WINEPREFIX="$folder/$driver" WINEDEBUG=-all LC_ALL=C.UTF-8 OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd \
      WINEDLLOVERRIDES="${WINEDLLOVERRIDES:-winemenubuilder.exe=d}"
    case $1 in *.exe) exec /usr/lib/wine/wine64 "$@" ;; esac
    exec "$@"
  fi
  [ "$root" != arm64 ] || exec qemu-aarch64-static "$@"
  [ "$root" != s390x ] || exec qemu-s390x-static "$@"
  exec unshare -m sh "$here/with.sh" --inside "$folder/$root" pocl.icd "$@"
  ;;
*) echo "$driver: drivers.txt has no such driver" >&2 && exit 1 ;;
esac
