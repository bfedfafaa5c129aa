#!/bin/sh
# Runs the default tests, and the tests of faults, in a build with counters: coverage.sh ROOT BUILD.
# Prints the coverage of each file, and fails if a folder is below the percentages in limits.txt. A
# branch counts twice, once for each way, and each condition of an && or || is a branch.
# BUILD/missed.txt lists the missed parts. With CLRS_COVERAGE_SINCE=REV, a git revision, prints the
# missed parts of the lines that changed since, for reviews.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
root=$1 build=$2
here=$root/tests/gates/coverage
# shellcheck source=../../cmake/packages.sh
. "$root/cmake/packages.sh"
# Threads that count at once must not lose counts, or a branch would seem to go a way that never
# ran.
flags='-fprofile-instr-generate -fcoverage-mapping -fprofile-update=atomic -O0 -g'
version=$(clang -dumpversion)
tools=/usr/lib/llvm-${version%%.*}/bin

mkdir -p "$build"
rm -rf "$build/counts" && mkdir "$build/counts"
LLVM_PROFILE_FILE=$build/counts/%4m.profraw
export LLVM_PROFILE_FILE

# A program of two branches, where one branch always goes the same way, must not count as fully run.
# The missed part must be named, and must be known as changed if the previous revision had no such
# lines.
known=$build/known
rm -rf "$known"
mkdir -p "$known/src"
git -c init.defaultBranch=known init -q "$known"
# check_known LIMITS: fails if the program is below such limits. The output is in `said`.
check_known() {
  echo "src $1" >"$known/limits.txt"
  CLRS_COVERAGE_SINCE=HEAD python3 -B "$here/coverage.py" "$tools" "$known/profile" "$known" \
    "$known/limits.txt" "$known/missed.txt" "$known/known" >"$known/said"
}
printf '%s\n' 'int main(int count, char **words) {' '  return words == 0;' '}' >"$known/src/known.c"
git -C "$known" add src
git -C "$known" -c user.name=known -c user.email=known@clreshape.invalid commit -q -m known
sed -i '1a\  if (count > 5)\n    return 1;' "$known/src/known.c"
# shellcheck disable=SC2086  # flags
clang $flags -o "$known/known" "$known/src/known.c"
LLVM_PROFILE_FILE=$known/known.profraw "$known/known"
"$tools/llvm-profdata" merge -o "$known/profile" "$known/known.profraw"
if check_known '81 50' || check_known '80 51'; then echo 'what is below a limit passes' && exit 1; fi
check_known '80 50' || { cat "$known/said" && exit 1; }
printf '%s\n' 'src/known.c:2: never true: count > 5' 'src/known.c:3: not run: return 1;' |
  tee "$known/expected" | cmp - "$known/missed.txt"
sed -n 's/^  //p' "$known/said" | cmp - "$known/expected"

cmake -S "$root" -B "$build" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_C_FLAGS="$flags" -DBUILD_SHARED_LIBS=ON -DCLRS_BUILD_CLI=ON -DCLRS_BUILD_TESTS=ON \
  -DCLRS_TRY_FAULTS=ON >"$build/configured"
cmake --build "$build" --parallel "$(compiler_count)" >"$build/built" || { cat "$build/built" && exit 1; }

export POCL_SIGFPE_HANDLER=0 CLRS_TEST_BOTH=1
# Without the tests of time bounds, because code with counters takes longer, and without the two
# tests that compare the symbols of libraries, because counters add symbols.
ctest --test-dir "$build" --no-tests=error --output-on-failure --parallel "$(compiler_count)" \
  -LE '^(long|bench|bounds|lint|consumer|sanitize|microscope|fuzz_replay)$' \
  -E '^(test_loader|portable_windows.*)$'
# Five long tests, for code that runs only if an object cannot be made or a call fails, and for
# operators of models.
ctest --test-dir "$build" --no-tests=error --output-on-failure --parallel "$(compiler_count)" \
  -R '^(test_faults_cold_once|test_memory_faults|test_tries|test_tries_cold|test_onnx_models_all)$'
"$tools/llvm-profdata" merge -o "$build/profile" "$build"/counts/*.profraw
python3 -B "$here/coverage.py" "$tools" "$build/profile" "$root" "$here/limits.txt" \
  "$build/missed.txt" "$build/libclreshape.so" "$build/libclreshape-onnx.so" "$build/clreshape"
