#!/bin/sh
# Checks that the fault layer knows every OpenCL call of the library and the program: hooks.sh ROOT
# FILE...
#
# SPDX-License-Identifier: Apache-2.0
set -eu
hooks="$1/tests/harness/fault_layer_calls.h $1/tests/harness/fault_layer_hooks.c"
shift
used=$(nm -D --undefined-only "$@" | grep -oE ' cl[A-Z][A-Za-z]*' | sort -u)
[ -n "$used" ] || { echo "$* call no OpenCL function" && exit 1; }
failed=0
for name in $used clNoSuchCall; do
  # shellcheck disable=SC2086  # two files
  if ! grep -qwE "$name|hook_$name" $hooks; then
    [ "$name" = clNoSuchCall ] || { echo "the fault layer does not know $name" && failed=1; }
  elif [ "$name" = clNoSuchCall ]; then
    echo "this finds what is not there" && failed=1
  fi
done
exit $failed
