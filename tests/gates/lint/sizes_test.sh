#!/bin/sh
# Proves that sizes.sh reports violations: sizes_test.sh ROOT. Plants a function of 61 lines, a file
# of 401 lines and a file without a licence, each at the limit first.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
here=$(cd "$(dirname "$0")" && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
failed=0

# lines COUNT: that many harmless lines.
lines() { yes '  value++;' | head -n "$1"; }

# clean: a tree that keeps to all limits, with a function of 60 lines and a file of 400.
clean() {
  rm -rf "$copy/tree"
  mkdir -p "$copy/tree/src" "$copy/tree/include" "$copy/tree/kernels" "$copy/tree/tests" \
    "$copy/tree/cmake" "$copy/tree/.ci"
  cd "$copy/tree"
  echo '# SPDX-License-Identifier: Apache-2.0' >CMakeLists.txt
  {
    echo '/* SPDX-License-Identifier: Apache-2.0 */'
    echo 'static int at_the_limit(int value) {'
    lines 57
    printf '  return value;\n}\n'
  } >src/a.c
  sed 's/static int/kernel void/' src/a.c >kernels/a.cl
  { echo '/* SPDX-License-Identifier: Apache-2.0 */' && yes '' | head -n 399; } >src/long.c
}

# must_fail TEXT: sizes.sh refuses the tree and says TEXT.
must_fail() {
  if said=$(sh "$here/sizes.sh" "$copy/tree") || ! printf '%s\n' "$said" | grep -qF "$1"; then
    echo "wanted: $1; sizes.sh said: $said"
    failed=1
  fi
}

clean
sh "$here/sizes.sh" "$copy/tree"
sed -i 's/  return value;/&\n/' src/a.c
must_fail 'src/a.c:2: at_the_limit has 61 lines'
clean
sed -i 's/  return value;/&\n/' kernels/a.cl
must_fail 'kernels/a.cl:2: at_the_limit has 61 lines'
clean
echo >>src/long.c
must_fail 'src/long.c has 401 lines'
clean
echo 'int value;' >src/b.c
must_fail 'src/b.c: no SPDX line'

exit $failed
