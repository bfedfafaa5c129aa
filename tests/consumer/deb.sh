#!/bin/sh
# Makes the Debian packages and uses the contents: deb.sh ROOT [FOLDER]. With a FOLDER the packages
# are installed in a fresh Debian 12 there, which needs root, debootstrap and Debian's packages.
# Otherwise the packages are unpacked, and a program is built with the packages and run.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1 folder=${2:-}
command -v cpack >/dev/null && command -v dpkg-shlibdeps >/dev/null ||
  { echo 'no cpack or no dpkg-shlibdeps (package dpkg-dev)' && exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake -S "$root" -B "$scratch/build" -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_BUILD_TYPE=Release \
  >/dev/null
cmake --build "$scratch/build" --parallel 2 >/dev/null
(cd "$scratch" && cpack --config build/CPackConfig.cmake) >"$scratch/cpack.log" 2>&1 ||
  { cat "$scratch/cpack.log" && exit 1; }
cd "$scratch"
set -- libclreshape[0-9]*.deb libclreshape-dev_*.deb clreshape_*.deb libclreshape-onnx[0-9]*.deb
[ $# -eq 4 ] && [ -e "$1" ] && [ -e "$2" ] && [ -e "$3" ] && [ -e "$4" ]

field() {
  dpkg-deb -f "$1" "$2"
}
version=$(field "$1" Version)
abi=${version%.*} # the SONAME
[ "$(field "$1" Package)" = "libclreshape$abi" ]

# The dependencies and description of each package.
field "$1" Depends | grep -q 'ocl-icd-libopencl1\|libopencl1'
field "$1" Recommends | grep -q '^pocl-opencl-icd | opencl-icd$'
field "$2" Depends | grep -q "libclreshape$abi (= $version)"
field "$2" Depends | grep -q "libclreshape-onnx$abi (= $version)"
field "$3" Depends | grep -q "libclreshape-onnx$abi (= $version)"
field "$4" Depends | grep "libclreshape$abi (= $version)" | grep -q libprotobuf-c1
if field "$1" Depends | grep protobuf; then exit 1; fi

# No file is in two packages, and each file is in the expected place.
for package in "$@"; do dpkg-deb -c "$package"; done | awk '{ print $6 }' | grep -v '/$' |
  sort >files
[ -z "$(uniq -d files)" ]
for file in bin/clreshape share/man/man1/clreshape.1.gz include/clreshape/clreshape.hpp \
  share/bash-completion/completions/clreshape; do
  grep -q "^./usr/$file\$" files || { echo "no $file" && exit 1; }
done

# Debian's own checks. The libraries of a linked program determine the dependency.
if command -v lintian >/dev/null; then
  lintian --fail-on error,warning --no-tag-display-limit "$@"
fi
dpkg-deb -I "$1" shlibs | grep "^libclreshape $abi libclreshape$abi (>= "
dpkg-deb -I "$4" shlibs | grep "^libclreshape-onnx $abi libclreshape-onnx$abi (>= "
for package in "$@"; do dpkg-deb -x "$package" here; done
libraries=$(dirname "$(find "$scratch/here" -name 'libclreshape.so')")
export LD_LIBRARY_PATH="$libraries"
[ "$(here/usr/bin/clreshape --version)" = "clreshape $version" ]
c++ -std=c++17 -I here/usr/include "$root/tests/consumer/owners.cpp" -L "$libraries" -lclreshape \
  -lOpenCL -o owners
./owners
cc -std=c11 -I here/usr/include "$root/tests/consumer/onnx/main.c" -L "$libraries" -lclreshape-onnx \
  -lclreshape -lOpenCL -o models
./models || [ $? -eq 77 ]
# The man page equals the program's help, and roff accepts the page.
if command -v man >/dev/null; then
  man --warnings -E UTF-8 -l -Tutf8 here/usr/share/man/man1/clreshape.1.gz >page 2>warnings
  [ ! -s warnings ] || { cat warnings && exit 1; }
  grep -q 'expand=8,3,4' page
fi
bash -c '. here/usr/share/bash-completion/completions/clreshape
  PATH=$PWD/here/usr/bin:$PATH
  COMP_WORDS=(clreshape re) COMP_CWORD=1 && _clreshape && [ "${COMPREPLY[*]}" = resolve ] &&
  COMP_WORDS=(clreshape run --mem) COMP_CWORD=2 && _clreshape && [ "${COMPREPLY[*]}" = --memory ]'
[ -n "$folder" ] || exit 0

# ---- in a fresh Debian ----
unset LD_LIBRARY_PATH
[ -e "$folder/.complete" ] || {
  debootstrap --variant=minbase --include=ca-certificates bookworm "$folder" >"$scratch/fresh.log" 2>&1 ||
    { tail -n 3 "$scratch/fresh.log" && exit 1; }
  touch "$folder/.complete"
}
mkdir -p "$folder/packages" && cp "$@" "$folder/packages"
leave() {
  umount "$folder/proc" "$folder/sys" 2>/dev/null || :
  rm -rf "$scratch"
}
trap leave EXIT
for system in proc sys; do mount --bind "/$system" "$folder/$system"; done # PoCL asks for memory
chroot "$folder" sh -eu -c '
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q && apt-get install -q -y ./packages/*.deb python3-numpy g++ binutils
  python3 -c "import numpy as np; np.save(\"in.npy\", np.arange(24.).reshape(2, 3, 4))"
  clreshape devices
  clreshape run in.npy out.npy permute=2,0,1
  python3 -c "
import numpy as np
np.testing.assert_array_equal(np.load(\"out.npy\"), np.load(\"in.npy\").transpose(2, 0, 1))"'
echo 'installed and used in a fresh Debian'
