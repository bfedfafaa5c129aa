#!/bin/sh
# Checks what a built library shows, needs and keeps:
#   symbols.sh LIBRARY PREFIX NEEDED COMPILER OBJECT...
# LIBRARY is shared; PREFIX is what all names begin with that it shows; NEEDED are the libraries besides
# libc that it may need, as a pattern; OBJECTs are the files it was linked from.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
library=$1 prefix=$2 may_need=$3 compiler=$4
shift 4
failed=0

# complain ABOUT LIST: fails if LIST is not empty.
complain() {
  [ -z "$2" ] || { echo "$1:" && printf '%s\n' "$2" && failed=1; }
}

shown=$(nm -D --defined-only "$library" | awk '{ print $NF }')
[ -n "$shown" ] || { echo "$library shows no symbol" && exit 1; }
complain "exported, but not ${prefix}NAME" "$(echo "$shown" | grep -vE "^$prefix[a-z0-9][a-z0-9_]*\$" || :)"

# Khronos' header lists the functions of OpenCL 1.2.
opencl_12=$(echo '#include <CL/cl.h>' | "$compiler" -E -P -DCL_TARGET_OPENCL_VERSION=120 -x c - |
  grep -oE '\bcl[A-Z][A-Za-z]*' | sort -u)
if ! echo "$opencl_12" | grep -qx clEnqueueFillBuffer ||
  echo "$opencl_12" | grep -qx clCreateCommandQueueWithProperties; then
  echo 'this list is not of OpenCL 1.2:' "$opencl_12" && exit 1
fi
used=$(nm -D --undefined-only "$library" | awk '{ print $NF }' | sed 's/@.*//' |
  grep -E '^cl[A-Z]' | sort -u)
[ -n "$used" ] || { echo "$library calls no OpenCL function" && exit 1; }
complain 'not in OpenCL 1.2' "$(echo "$used" | grep -vxF "$opencl_12" || :)"

needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
complain "linked, but neither $may_need nor libc" \
  "$(echo "$needed" | grep -vE "^(lib($may_need|c)|ld-linux[a-z0-9-]*)\.so\.[0-9.]+\$" || :)"
# A library that needs another built library finds it beside itself, wherever it was built.
complain 'a search path is built in' "$(readelf -d "$library" | grep -E 'RPATH|RUNPATH' | grep -v '\[\$ORIGIN:*\]' || :)"

# Constant tables of pointers are in .data.rel.ro. Anything else in .data or .bss can change.
writable=$(objdump -t "$@" | grep -E ' (\*COM\*|\.t?(data|bss))' |
  grep -vE ' d  \.| \.data\.rel\.ro' || :)
complain 'mutable global state' "$writable"
complain 'runs before main' "$(objdump -h "$@" | grep -E '\.(ctors|init_array|preinit_array)' || :)"

exit $failed
