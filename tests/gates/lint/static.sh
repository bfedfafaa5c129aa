#!/bin/sh
# Static analysis of src/: static.sh TOOL ROOT BUILD, where TOOL is
#
#   tidy      clang-tidy, with what clang-tidy.yaml chooses
#   cppcheck  cppcheck's errors, warnings, and remarks on speed and portability
#   analyzer  gcc's -fanalyzer, on top of more warnings than the build has
#   clang     clang's warnings, among them those on conversions that lose bits
#
# Code for Windows, which needs headers of Windows, is left to portable_windows_sources.
#
# No finding is allowed. A wrong finding is silenced in place, with the reason. Before that, a file
# with one fault on purpose must be refused.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
tool=$1 root=$2 build=$3
here=$root/tests/gates/lint
# shellcheck source=../../cmake/packages.sh
. "$root/cmake/packages.sh"
cd "$root"

options="-I$root/include -I$root/kernels $(printf -- '-I%s ' "$root"/src/*/ "$root"/src/opencl/*/)
  -DCL_TARGET_OPENCL_VERSION=120 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64"
# cppcheck goes without this folder, because cppcheck takes the real header for a header of another
# version.
proto=-I$build/onnx-proto
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wvla -Wwrite-strings
  -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wundef -Wpointer-arith
  -Wcast-qual -Wformat-security -Werror'

# check FILE...: prints the findings of the tool, and fails if there are findings.
check() {
  # shellcheck disable=SC2086  # options
  case $tool in
  tidy)
    # Each file separately, because this version mixes up the va_lists of several files.
    printf '%s\n' "$@" | xargs -P "$(compiler_count)" -I FILE sh -c '
      config=$1 && shift
      said=$(clang-tidy --quiet "$config" "$0" -- -std=c11 "$@" 2>&1) || { printf "%s\n" "$said" && exit 1; }' \
      FILE --config-file="$here/clang-tidy.yaml" $options $proto
    ;;
  cppcheck)
    cppcheck -q -j "$(compiler_count)" --error-exitcode=1 --inline-suppr \
      --std=c11 \
      --enable=warning,performance,portability $options "$@" 2>&1
    ;;
  analyzer)
    # Without leak checks: gcc 12 loses pointers that are stored through an unknown pointer.
    # Sanitizers and the tests that fail every allocation look for leaks.
    printf '%s\n' "$@" | xargs -n 1 -P "$(compiler_count)" \
      gcc -std=c11 $options $proto $warnings -Wduplicated-cond -Wduplicated-branches -Wlogical-op -O2 -fanalyzer \
      -fanalyzer-verbosity=0 -Wno-analyzer-malloc-leak \
      -c -o /dev/null 2>&1
    ;;
  clang)
    printf '%s\n' "$@" | xargs -n 16 -P "$(compiler_count)" \
      clang -std=c11 $options $proto $warnings -Wshadow -Wshorten-64-to-32 -Wimplicit-int-conversion \
      -Wunreachable-code -Wassign-enum -fsyntax-only 2>&1
    ;;
  *) echo "no tool is called $tool" && exit 2 ;;
  esac
}

planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
cat >"$planted/good.c" <<'END'
#include <stdlib.h>
int known_good(size_t count);
int known_good(size_t count) {
  int *numbers = calloc(count, sizeof *numbers);
  if (numbers == NULL) return 1;
  free(numbers);
  return 0;
}
END
sed 's/  return 0;/  return numbers[0];/' "$planted/good.c" >"$planted/bad.c"
case $tool in # neither follows memory that was freed
clang) sed -i 's/  return numbers.0.;/  return count;/' "$planted/bad.c" ;;
cppcheck) sed -i 's/  return numbers.0.;/  int four[4] = {0};\n  return four[4];/' "$planted/bad.c" ;;
esac
check "$planted/good.c" || { echo "$tool refuses a file without fault" && exit 1; }
if check "$planted/bad.c" >/dev/null; then
  echo "$tool takes a file with a fault"
  exit 1
fi

sources=$(find src -name '*.c' ! -path '*/windows/*' | LC_ALL=C sort)
[ -n "$sources" ] || { echo "$root holds no sources" && exit 1; }
# shellcheck disable=SC2086  # no name here holds a space: sizes.sh says so
check $sources
echo "$tool has nothing to say"
