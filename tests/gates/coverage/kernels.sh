#!/bin/sh
# Runs test programs on kernels with counters: kernels.sh ROOT SCRATCH MICROSCOPE
# PROGRAM[=CASES].... Prints lines and branches of each kernel file, and fails below the percentages
# of kernels_limits.txt. The microscope compiles every variant of a kernel for this machine.
# Variants of the same shape and the same conditions share their counts. SCRATCH/missed.txt lists
# the missed parts. CLRS_COVERAGE_SINCE works as in coverage.sh.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1 scratch=$2 microscope=$3
shift 3
here=$root/tests/gates/coverage
version=$(clang -dumpversion)
tools=/usr/lib/llvm-${version%%.*}/bin
export OCL_ICD_VENDORS="$microscope" CLRS_MICROSCOPE_CACHE="$scratch/kernels" \
  CLRS_MICROSCOPE_SOURCES="$root/kernels" CLRS_REQUIRE_DEVICE=1 CLRS_COMPILE_PATH=native CLRS_TEST_BOTH=1 \
  CLRS_MICROSCOPE_FLAGS='-O0 -g -fprofile-instr-generate -fcoverage-mapping' \
  LLVM_PROFILE_FILE="$scratch/counts/%m.profraw"

rm -rf "$scratch"
mkdir -p "$scratch/kernels" "$scratch/counts"

table() {
  "$tools/llvm-profdata" merge -o "$scratch/profile" "$scratch"/counts/*.profraw
  find "$scratch/kernels" -name '*.so' -exec python3 -B "$here/coverage.py" "$tools" \
    "$scratch/profile" "$root" "$here/kernels_limits.txt" "$scratch/missed.txt" {} +
}

# A single move cannot run everything. If the report says so, nothing is counted.
CLRS_TEST_CASES=1 "$1" >"$scratch/output" 2>&1 || { cat "$scratch/output" && exit 1; }
if table >"$scratch/output" 2>&1; then
  echo 'one move seems to run enough' && exit 1
fi

for program in "$@"; do
  cases=${program##*=}
  if [ "$cases" = "$program" ]; then unset CLRS_TEST_CASES; else export CLRS_TEST_CASES="$cases"; fi
  "${program%=*}" >"$scratch/output" 2>&1 || { cat "$scratch/output" && exit 1; }
done
table >"$scratch/output" || failed=1
cat "$scratch/output"
for kernel in "$root"/kernels/*.cl; do
  grep -q "^kernels/${kernel##*/} " "$scratch/output" || { echo "$kernel was not built" && failed=1; }
done
exit ${failed:-0}
