#!/bin/sh
# Checks the sources for Windows: windows.sh ROOT FOLDER OPENCL_HEADERS [LIBRARY]. clang checks the
# library as an MSVC compiler, and mingw-w64 checks the program, each with warnings as errors.
#
# With LIBRARY, mingw-w64 first builds clreshape.dll and clreshape.exe, and the script checks what they
# show and need. Debian has no protobuf-c for Windows, so the program is built without the command onnx.
# LIBRARY is this machine's library, and the DLL must have the same functions. The script build/clreshape
# runs the program under Wine.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1 folder=$2 opencl=$3 library=${4:-}
tools=x86_64-w64-mingw32
headers=/usr/share/mingw-w64/include
if ! command -v $tools-gcc-posix >/dev/null; then
  echo "there is no $tools-gcc-posix (Debian: gcc-mingw-w64-x86-64-posix)"
  exit 1
fi
mkdir -p "$folder/include"
cd "$folder"
ln -sfn "$opencl/CL" include/CL # the rest of this system's headers must not precede the compiler's own

build() {
  cmake -S "$root" -B build -G Ninja -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=$tools-gcc-posix \
    -DCLRS_BUILD_CLI=ON -DCLRS_CLI_ONNX=OFF -DCLRS_LIBZIP=OFF -DCLRS_JANSSON=OFF -DCLRS_WERROR=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="${CFLAGS:--O0}" >cmake.log
  ninja -j 2 -C build >build.log || { cat build.log && exit 1; }

  needs() { # FILE DLL...
    $tools-objdump -p "build/$1" >"$1.txt"
    needed=$(awk '/DLL Name:/ { print $3 }' "$1.txt" | LC_ALL=C sort | paste -sd' ')
    [ "$needed" = "$2" ] || { echo "$1 needs $needed" && exit 1; }
  }
  needs clreshape.exe 'ADVAPI32.dll KERNEL32.dll OpenCL.dll SHELL32.dll clreshape.dll msvcrt.dll'
  needs clreshape.dll 'KERNEL32.dll OpenCL.dll msvcrt.dll'
  sed -n '/\[Ordinal\/Name Pointer\]/,/^$/p' clreshape.dll.txt | awk 'NR > 1 && NF { print $NF }' | LC_ALL=C sort >shown
  nm -D --defined-only "$library" | awk '{ print $NF }' | LC_ALL=C sort | diff shown - ||
    { echo "clreshape.dll shows '<', $library '>'" && exit 1; }
  $tools-nm build/libclreshape.dll.a 2>/dev/null | awk '$2 == "T" { print $3 }' | LC_ALL=C sort | diff - shown ||
    { echo "libclreshape.dll.a has '<', clreshape.dll '>'" && exit 1; }
  # shellcheck disable=SC2016  # for the shell that runs the script
  printf '#!/bin/sh\nexec /usr/lib/wine/wine64 "$0.exe" "$@"\n' >build/clreshape
  chmod +x build/clreshape
  echo "clreshape.dll shows $(wc -l <shown) functions and needs $needed"
}
[ -z "$library" ] || build

# mingw's headers, as of a compiler that is not GNU's: older than what they take for able to mark the
# end of a declaration, and without vectors, whose attributes they take away. lock.c is left out: it
# includes windows.h, which has vectors.
set --
for name in "$root"/src/*/ "$root"/src/opencl/*/; do
  set -- "$@" "-I$name"
done
echo '#include <clreshape/clreshape.h>' >public.c
msvc="clang-19 --target=x86_64-pc-windows-msvc -fms-compatibility-version=11 -U__MMX__ -U__SSE__
  -U__SSE2__ -fsyntax-only -std=c11 -Wall -Wextra -Werror -DCL_TARGET_OPENCL_VERSION=120
  -isystem $headers -isystem include -I$root/include -I$root/kernels"
# shellcheck disable=SC2086  # a list of options
$msvc -Wpedantic -Wgnu -Wvla public.c
for name in base view map chain move mapped indexed class plan opencl; do
  find "$root/src/$name" -name '*.c' ! -name lock.c
done >sources
# shellcheck disable=SC2086
xargs -P 2 -n 16 $msvc "$@" <sources
echo "$(wc -l <sources) files are C for MSVC's target"

# The program, and lock.c.
find "$root/src/host" "$root/src/bench" "$root/src/cli" "$root/src/opencl/device/lock.c" -name '*.c' \
  ! -path '*/posix/*' ! -name 'onnx*' ! -name model_folder.c >sources
xargs -P 2 -n 16 $tools-gcc-posix -fsyntax-only -std=c11 -Wall -Wextra -Wpedantic -Wconversion \
  -Wsign-conversion -Wshadow -Werror -DCL_TARGET_OPENCL_VERSION=120 -D_FILE_OFFSET_BITS=64 \
  -D_POSIX_C_SOURCE=200809L -isystem include -I"$root/include" "$@" <sources
echo "$(wc -l <sources) files are C for mingw's target"
