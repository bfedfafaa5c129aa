#!/bin/sh
# Runs a device test on Oclgrind and judges by the log: oclgrind.sh BAD_KERNEL TEST CASES. Oclgrind
# first has to report planted faults. The kernels are unoptimized, so that no access vanishes. A
# tenth of the cases, with the same stock kernels, runs again with Oclgrind's default build options.
#
# SPDX-License-Identifier: Apache-2.0
set -u
bad=$1 test=$2
log=$(mktemp) output=$(mktemp)
trap 'rm -f "$log" "$output"' EXIT
driver=$(find /usr/lib /usr/local/lib -name 'liboclgrind-rt-icd.so' 2>/dev/null | head -n 1)
[ -n "$driver" ] || { echo 'Oclgrind is not installed' && exit 1; }
export OCL_ICD_VENDORS="$driver" OCLGRIND_CHECK_API=1 OCLGRIND_DATA_RACES=1 \
  OCLGRIND_UNIFORM_WRITES=1 OCLGRIND_MAX_ERRORS=100000 OCLGRIND_BUILD_OPTIONS=-cl-opt-disable \
  OCLGRIND_LOG="$log" CLRS_REQUIRE_DEVICE=1

for fault in read_after read_before write_after write_before local_after misaligned race race_of_equals; do
  : >"$log"
  "$bad" "$fault" >"$output" 2>&1
  grep -qE 'Invalid|race|nsaligned|lignment' "$log" || { echo "$fault went unseen" && exit 1; }
done
"$bad" good >"$output" 2>&1 || { cat "$output" && exit 1; }
[ ! -s "$log" ] || { echo 'a good kernel is reported:' && cat "$log" && exit 1; }

# run CASES
run() {
  CLRS_TEST_CASES=$1 "$test" || exit 1
  [ ! -s "$log" ] || { echo 'Oclgrind reports:' && head -n 60 "$log" && exit 1; }
}
run "$3"
unset OCLGRIND_BUILD_OPTIONS
run $((($3 + 9) / 10))
echo "$3 cases, nothing reported"
