#!/bin/sh
# Builds the tree under a sanitizer and runs tests there: sanitize.sh KIND COMPILER ROOT BUILD
# CHOICE..., where CHOICE are ctest options. Fails on any report. First proves with known_bad.c that
# the compiler's sanitizer reports each kind of fault.
#
#   core_*      AddressSanitizer, UndefinedBehaviorSanitizer, LeakSanitizer; some tests of the pure core
#   address_*   the same; everything
#   integer_*   also unsigned wrap-around and conversions that lose bits, in the pure core
#   thread_*    ThreadSanitizer
#
# SPDX-License-Identifier: Apache-2.0
set -eu
kind=$1 compiler=$2 root=$3 build=$4
shift 4
here=$root/tests/gates/sanitize
# shellcheck source=../../cmake/packages.sh
. "$root/cmake/packages.sh"

targets=all try_faults=OFF
case $kind in
core_* | address_*)
  flags='-fsanitize=address,undefined'
  faults='heap:AddressSanitizer stack:AddressSanitizer leak:LeakSanitizer
    overflow:signed.integer.overflow shift:shift.exponent'
  case $kind in
  # A sanitizer judges accesses, so fewer random cases than usual suffice.
  core_*) targets=$(echo "$2" | tr -d '^()$' | tr '|' ' ') && export CLRS_TEST_CASES=900 ;;
  *) targets='all use_after_release' try_faults=ON ;;
  esac
  ;;
integer_*)
  flags="-fsanitize=undefined,integer,implicit-conversion
    -fsanitize-ignorelist=$build/not_core.txt"
  faults='overflow:signed.integer.overflow wrap:unsigned.integer.overflow
    truncation:implicit.conversion'
  ;;
thread_*)
  flags='-fsanitize=thread'
  faults='race:ThreadSanitizer:.data.race'
  targets='test_threads test_threads_elements test_pattern_buffer test_work_uses misbehave
    clrs_fault_layer'
  ;;
*) echo "no sanitizer is called $kind" && exit 1 ;;
esac
# shellcheck disable=SC2086  # words are meant
flags=$(echo $flags -O1 -g1 -fno-omit-frame-pointer -fno-sanitize-recover=all)

# A thread in which PoCL compiles gets LLVM's signal stack where LLVM's is larger than the
# sanitizer's, which depends on the processor. The sanitizer would unmap LLVM's stack together with
# the sanitizer's stack. Without intercept_tls_get_addr=0 clang's leak checker (14) can take a
# thread's variables for variables of glibc 2.19, if the address happens to look so. The checker
# then ends by signal 11, as in 2 of some 1,000 processes (google/sanitizers, issue 1322).
asan=detect_stack_use_after_return=1:check_initialization_order=1:strict_string_checks=1
export ASAN_OPTIONS=$asan:detect_leaks=1:use_sigaltstack=0:intercept_tls_get_addr=0
export UBSAN_OPTIONS=print_stacktrace=1
export LSAN_OPTIONS="suppressions=$here/leaks.txt:print_suppressions=0"
export TSAN_OPTIONS=halt_on_error=1

# The ignore list names folders of this tree, and known_bad.c must not be in such a folder.
mkdir -p "$build"
sed "s|^src:\*/|src:$root/|" "$here/not_core.txt" >"$build/not_core.txt"
cp "$here/known_bad.c" "$build/known_bad.c"
# shellcheck disable=SC2086  # options
"$compiler" -std=c11 $flags -pthread -o "$build/known_bad" "$build/known_bad.c"
"$build/known_bad" none || { echo "$compiler: a report where there is no fault" && exit 1; }
for fault in $faults; do
  if said=$("$build/known_bad" "${fault%%:*}" 2>&1) ||
    ! printf '%s\n' "$said" | grep -q "${fault#*:}"; then
    echo "$compiler $flags does not report the fault '${fault%%:*}': $said"
    exit 1
  fi
done
echo "$kind: all known faults are reported:" $faults

# Other builds check warnings, because instrumented code has additional warnings.
cmake -S "$root" -B "$build" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_C_FLAGS="$flags" -DCLRS_WERROR=OFF -DCLRS_BUILD_CLI=ON -DCLRS_BUILD_TESTS=ON \
  -DCLRS_TRY_FAULTS=$try_faults >"$build/configured"
# shellcheck disable=SC2086  # words are meant
cmake --build "$build" --target $targets --parallel "$(compiler_count)" >"$build/built" ||
  { cat "$build/built" && exit 1; }

# The memory of a tensor is kept for the next tensor, which must not hide the release.
case $targets in *use_after_release)
  user=$build/tests/gates/sanitize/use_after_release
  "$user" none || { echo 'a report where a reference was kept' && exit 1; }
  if said=$("$user" 2>&1) || ! printf '%s\n' "$said" | grep -q 'AddressSanitizer: use-after-poison'; then
    echo "a use after the release is not reported: $said" && exit 1
  fi
  echo "$kind: a use after the release is reported"
  ;;
esac

# PoCL must not hide a division by zero in a kernel.
export POCL_SIGFPE_HANDLER=0
exec ctest --test-dir "$build" --no-tests=error --output-on-failure \
  --parallel "$(compiler_count)" "$@"
