#!/bin/sh
# A host that has clreshape as a subproject, STATIC or SHARED, is installed and found by a third
# project: export.sh ROOT TYPE.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1 type=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
shared=OFF
[ "$type" = STATIC ] || shared=ON

said=$scratch/said
# shellcheck source=tests/consumer/steps.sh
. "$(dirname "$0")/steps.sh"

# configure_host OPTION...
configure_host() {
  cmake -S "$root/tests/consumer/exported" -B "$scratch/host" -DCLRS_SOURCE_DIR="$root" \
    -DBUILD_SHARED_LIBS=$shared -DCMAKE_C_FLAGS=-O0 "$@" >"$said" 2>&1
}

# Clreshape is not installed with the host unless requested. Then the host gets the error, not the
# host's users.
said_without_rules() {
  if configure_host; then fail_showing 'the host is exported without clreshape'; fi
  grep -F '"clreshape" that is not in' "$said" >/dev/null ||
    fail_showing 'clreshape is not named'
  hint=$(grep -c -F 'CLRS_INSTALL=ON' "$said" || :)
  [ "$hint:$shared" = 1:ON ] || [ "$hint:$shared" = 0:OFF ] ||
    fail_showing 'what is said of the shared library is not as it should be'
}

use() {
  run 'the host is not found' cmake -S "$root/tests/consumer/exported/user" -B "$scratch/user" \
    -DCMAKE_PREFIX_PATH="$scratch/moved"
  run 'the user does not build' cmake --build "$scratch/user"
  for program in static shared; do
    run "user_$program fails" "$scratch/user/user_$program"
  done
}

said_without_rules
# The host hides the symbols of a static library, if the host says so.
hidden=OFF
[ $shared = ON ] || hidden=ON
configure_host -DCLRS_INSTALL=ON -DCLRS_HIDDEN=$hidden || fail_showing 'the host does not configure'
run 'the host does not build' cmake --build "$scratch/host" --parallel 2
run 'the host does not install' cmake --install "$scratch/host" --prefix "$scratch/first"
mv "$scratch/first" "$scratch/moved"
use
if [ $hidden = ON ]; then
  shown=$(find "$scratch/moved" -name 'libanswers_shared.so*' | head -n 1)
  nm -D --defined-only "$shown" >"$said"
  grep -q ' T answer' "$said" || fail_showing 'the host shows nothing of its own'
  if grep ' clrs_' "$said"; then fail_showing 'the host shows what it has linked'; fi
fi
needs=$(ldd "$scratch/user/user_static")
case $shared:$needs in
ON:*libclreshape.so*) ;;
OFF:*libclreshape.so*) fail_showing "the static library is shared: $needs" ;;
ON:*) fail_showing "the shared library is not used: $needs" ;;
esac
