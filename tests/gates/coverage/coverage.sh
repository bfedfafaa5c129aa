#!/bin/sh
# Runs the default tests, and those of faults, in a build that counts, prints what was run of each
# file, and fails below the percentages of limits.txt: coverage.sh ROOT BUILD. A branch counts twice,
# once for each way that it can go, and each condition of an && or || is a branch. Fails, too, if
# anything of the library is not run that library.txt gives no reason for, or if it gives one for
# what is run. BUILD/missed.txt lists what was not run, of the program too.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1 build=$2
here=$root/tests/gates/coverage
# shellcheck source=../../cmake/packages.sh
. "$root/cmake/packages.sh"
# Threads that count at once must not lose counts: a branch would seem to go ways that it never went.
flags='-fprofile-instr-generate -fcoverage-mapping -fprofile-update=atomic -O0 -g'
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

# missed OBJECT [REASONS]: what was not run, or how that differs from what has a reason.
missed() {
  python3 -B "$here/missed.py" "$tools" "$build/profile" "$@"
}

# A program of two branches, of which one never goes the other way, must not count as run whole; what
# was not run of it must be named, and wants a reason, which nothing else may have.
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
printf '%s\n' 'known.c: main: never true: count > 5' 'known.c: main: not run: return 1;' \
  >"$build/known.missed"
missed "$build" "$build/known" | cmp - "$build/known.missed"
{ echo 'because it is known' && cat "$build/known.missed"; } >"$build/known.reasons"
missed "$build" "$build/known" "$build/known.reasons"
sed '$d' "$build/known.reasons" >"$build/known.bad"
missed "$build" "$build/known" "$build/known.bad" >"$build/known.said" && exit 1
grep -q 'no reason is given: known.c: main: not run: return 1;' "$build/known.said"
{ cat "$build/known.reasons" && echo 'known.c: main: not run: return 2;'; } >"$build/known.bad"
missed "$build" "$build/known" "$build/known.bad" >"$build/known.said" && exit 1
grep -q 'but it is run, or not there: known.c: main: not run: return 2;' "$build/known.said"

cmake -S "$root" -B "$build" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_C_FLAGS="$flags" -DBUILD_SHARED_LIBS=ON -DCLRS_BUILD_CLI=ON -DCLRS_BUILD_TESTS=ON \
  >"$build/configured"
cmake --build "$build" --parallel "$(compiler_count)" >"$build/built" || { cat "$build/built" && exit 1; }

export POCL_SIGFPE_HANDLER=0
# Not those of bounds, which are of time: code that counts takes longer.
ctest --test-dir "$build" --no-tests=error --output-on-failure --parallel "$(compiler_count)" \
  -LE '^(long|bench|bounds|lint|consumer|sanitize|microscope|fuzz_replay)$'
# Three that are long, for what only happens where making things fails, and for operators of models.
ctest --test-dir "$build" --no-tests=error --output-on-failure --parallel "$(compiler_count)" \
  -R '^(test_faults_cold_once|test_memory_faults|test_onnx_models_all)$'
"$tools/llvm-profdata" merge -o "$build/profile" "$build"/counts/*.profraw

library=$build/libclreshape.so program=$build/clreshape
missed "$root" "$library" "$here/library.txt" || failed=1
{ missed "$root" "$library" && missed "$root" "$program"; } | sort -u >"$build/missed.txt"
{ report "$library" && report "$program"; } |
  awk -v root="$root/" -v limits="$here/limits.txt" -f "$here/table.awk" || failed=1
echo "what was not run: $build/missed.txt"
exit ${failed:-0}
