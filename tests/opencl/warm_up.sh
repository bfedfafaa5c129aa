#!/bin/sh
# Warm-up, and a start from the exported programs, each with an empty PoCL cache: warm_up.sh
# TEST_WARM_UP few|all
#
# SPDX-License-Identifier: Apache-2.0
set -u
program=$1 which=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# once warm|start
once() {
  mkdir -p "$work/$1" || exit 1
  POCL_CACHE_DIR="$work/$1" "$program" "$1" "$work/blob" "$which"
  status=$?
  [ $status -eq 0 ] || exit $status
}

once warm
once start
