#!/bin/sh
# A harness with a planted bug must find the bug, from the seeds and mutations of the seeds:
# detects.sh FOLDER_OF_HARNESSES SEEDS NAME PROGRAM [OPTION...].
#
# SPDX-License-Identifier: Apache-2.0
set -eu
programs=$1 seeds=$2 name=$3 program=$4
shift 4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
log=$scratch/log found=$scratch/found
mkdir "$found" # else the first folder named is where new inputs go
if "$programs/$program" -runs=200000 -seed=1 -max_len=4096 -timeout=10 "$@" \
  -artifact_prefix="$programs/" -exact_artifact_path="$programs/${name}_bad.input" \
  "$found" "$seeds/$name" >"$log" 2>&1; then
  echo "$name: the planted bug went unseen" && tail -n 3 "$log" && exit 1
fi
grep -E 'is false$|^SUMMARY: (AddressSanitizer|UndefinedBehaviorSanitizer|libFuzzer): ' "$log" |
  head -n 1 | grep . || { echo "$name: it ended, but without a finding:" && tail -n 20 "$log" && exit 1; }
