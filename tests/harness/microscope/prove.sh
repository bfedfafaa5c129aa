#!/bin/sh
# The microscope must report every known fault, and must not report correct code: prove.sh
# BAD_KERNEL
#
# SPDX-License-Identifier: Apache-2.0
set -u
program=$1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0

# reports NAME TEXT: the kernel must not survive, and the report must hold TEXT.
reports() {
  if "$program" "$1" >"$log" 2>&1; then
    echo "$1 went unseen" && failed=1
  elif ! grep -q "$2" "$log"; then
    echo "$1 was not reported as \"$2\" but so:" && cat "$log" && failed=1
  fi
}

"$program" good || { echo 'a good kernel was refused' && failed=1; }
reports read_after 'AddressSanitizer: heap-buffer-overflow'
reports read_before 'AddressSanitizer: heap-buffer-overflow'
reports write_after 'AddressSanitizer: heap-buffer-overflow'
reports write_before 'AddressSanitizer: heap-buffer-overflow'
reports local_after 'AddressSanitizer: heap-buffer-overflow'
reports misaligned 'misaligned address'
reports overflow 'signed integer overflow'
reports divergence 'miss a barrier'
CLRS_MICROSCOPE_RACES=1
export CLRS_MICROSCOPE_RACES
reports race_of_equals 'both write byte'
reports race 'both write byte'
"$program" good || { echo 'a good kernel was taken for a race' && failed=1; }
exit $failed
