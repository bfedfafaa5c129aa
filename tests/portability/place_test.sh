#!/bin/sh
# Checks place.sh's promise to programs with an open file, and that place.sh does nothing without
# need.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
# shellcheck source=tests/portability/place.sh
. "$(dirname "$0")/place.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$*" && exit 1; }

echo old >"$scratch/used"
echo new >"$scratch/file"
exec 3<"$scratch/used"
place "$scratch/file" "$scratch/used"
[ "$(cat <&3)" = old ] || fail 'who had the file open has not got the old one any more'
[ "$(cat "$scratch/used")" = new ] || fail 'the file was not replaced'
before=$(stat -c %i "$scratch/used")
place "$scratch/file" "$scratch/used"
[ "$(stat -c %i "$scratch/used")" = "$before" ] || fail 'a file that was right was replaced'
[ "$(find "$scratch" -type f | wc -l)" = 2 ] || fail 'something was left behind'
