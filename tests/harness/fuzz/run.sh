#!/bin/sh
# Runs a harness: run.sh FOLDER_OF_HARNESSES SEEDS NAME SECONDS [OPTION...]. With 0 seconds only the
# seeds are replayed. CLRS_FUZZ_SECONDS overrides any nonzero number of seconds. New inputs are kept
# in CLRS_FUZZ_CORPUS, if set to a folder. A crash leaves the input in the build folder.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
programs=$1 seeds=$2 name=$3 seconds=$4
shift 4
# Time by the clock, on a machine that does other things too: test_bounds asserts how much work an
# input may make. Memory is bounded at the most that a hostile input may use.
set -- -timeout=10 -rss_limit_mb=256 -malloc_limit_mb=64 -print_final_stats=1 "$@"
export ASAN_OPTIONS="detect_leaks=1:allocator_may_return_null=0"
export LSAN_OPTIONS="suppressions=$(dirname "$0")/lsan.supp:print_suppressions=0"
inputs=$(find "$seeds/$name" -type f | wc -l)
[ "$inputs" -gt 0 ] || { echo "$seeds/$name holds no inputs" && exit 1; }
mkdir -p "$programs/found"
if [ "$seconds" -eq 0 ]; then
  exec "$programs/fuzz_$name" "$@" -runs=0 "$seeds/$name"
fi
new=${CLRS_FUZZ_CORPUS:-$programs/found}/$name
mkdir -p "$new"
exec "$programs/fuzz_$name" "$@" -max_len=4096 -max_total_time="${CLRS_FUZZ_SECONDS:-$seconds}" \
  -artifact_prefix="$programs/found/$name-" "$new" "$seeds/$name"
