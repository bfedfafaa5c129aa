#!/bin/sh
# Runs the default tests, and those of faults, in a build that counts, prints what was run of each file, and fails below
# the percentages of limits.txt: coverage.sh ROOT BUILD. What was not run is listed, line by line, in
# BUILD/missed.txt. A branch counts twice, once for each way that it can go, and each condition of an
# && or || is a branch.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1 build=$2
here=$root/tests/coverage
# shellcheck source=../../cmake/packages.sh
. "$root/cmake/packages.sh"
flags='-fprofile-instr-generate -fcoverage-mapping -O0 -g'
version=$(clang -dumpversion)
tools=/usr/lib/llvm-${version%%.*}/bin

mkdir -p "$build"
rm -rf "$build/counts" && mkdir "$build/counts"
LLVM_PROFILE_FILE=$build/counts/%4m.profraw
export LLVM_PROFILE_FILE

# report PROGRAM FILE...: a line for each file, and the total.
report() {
  "$tools/llvm-cov" report -instr-profile="$build/profile" -show-branch-summary \
    -show-region-summary=false "$@"
}

# A program of two branches, of which one never goes the other way, must not count as run whole.
cat >"$build/known.c" <<'END'
int main(int count, char **words) {
  if (count > 5)
    return 1;
  return words == 0;
}
END
# shellcheck disable=SC2086  # flags
clang $flags -o "$build/known" "$build/known.c"
LLVM_PROFILE_FILE=$build/known.profraw "$build/known"
"$tools/llvm-profdata" merge -o "$build/profile" "$build/known.profraw"
report "$build/known" | awk '/^TOTAL/ && / 80.00%/ && / 50.00%/ { found = 1 } END { exit !found }' ||
  { echo "llvm-cov miscounts a known program:" && report "$build/known" && exit 1; }

cmake -S "$root" -B "$build" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_C_FLAGS="$flags" -DBUILD_SHARED_LIBS=ON -DCLRS_BUILD_CLI=ON -DCLRS_BUILD_TESTS=ON \
  >"$build/configured"
cmake --build "$build" --parallel "$(compiler_count)" >"$build/built" || { cat "$build/built" && exit 1; }

export POCL_SIGFPE_HANDLER=0
ctest --test-dir "$build" --no-tests=error --output-on-failure --parallel "$(compiler_count)" \
  -LE '^(long|bench|lint|consumer|sanitize|microscope|fuzz_replay)$'
# Two that are long, for what only happens where making things fails.
ctest --test-dir "$build" --no-tests=error --output-on-failure --parallel "$(compiler_count)" \
  -R '^(test_faults_cold_once|test_memory_faults)$'
"$tools/llvm-profdata" merge -o "$build/profile" "$build"/counts/*.profraw

library=$build/libclreshape.so program=$build/clreshape
"$tools/llvm-cov" show -instr-profile="$build/profile" -show-branches=count "$library" \
  -object "$program" | awk -v root="$root/" -f "$here/missed.awk" >"$build/missed.txt"
{ report "$library" && report "$program"; } |
  awk -v root="$root/" -v limits="$here/limits.txt" -f "$here/table.awk" || failed=1
echo "what was not run: $build/missed.txt"
exit ${failed:-0}
