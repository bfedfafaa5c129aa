#!/bin/sh
# A PoCL that cannot create the cache folder reports no device. A test must then fail with a hint
# what to set, and must not be skipped: no_cache.sh COMMAND [ARGUMENT...], a test that needs a
# device.
#
# SPDX-License-Identifier: Apache-2.0
set -u
log=$(mktemp)
trap 'rm -f "$log"' EXIT

env POCL_CACHE_DIR=/dev/null/none CLRS_REQUIRE_DEVICE=0 "$@" >"$log" 2>&1
code=$?
if [ $code = 0 ]; then
  echo "the driver is not PoCL"
  exit 77
fi
if [ $code != 1 ] || ! grep -q 'POCL_CACHE_DIR' "$log"; then
  echo "$* ended with $code:"
  cat "$log"
  exit 1
fi
