#!/bin/sh
# Checks that every source has a test that is easy to find: mirror.sh ROOT. FOLDER/NAME.c of src, or
# FOLDER/ROOM/NAME.c, has the test tests/FOLDER/test_NAME.c or .py. Alternatively a line of the
# table in tests/README.md names both, but never together with a test of the same name. A row is `|
# tests | sources of FOLDER | ... |`, in backquotes: `FOLDER/test_A` ... and `FOLDER/NAME` ...
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Lines TEST SOURCE of a table: each test of a row with each source of the row.
rows() {
  awk -F '|' '
    /^\| `.*test_/ {
      tests = split($2, test, "`")
      sources = split($3, source, "`")
      for (i = 2; i <= tests; i += 2)
        for (k = 2; k <= sources; k += 2) print test[i], source[k]
    }' "$1"
}

# mirrored ROOT: reports every violation.
mirrored() (
  cd "$1"
  rows tests/README.md >"$scratch/rows"
  [ -s "$scratch/rows" ] || echo 'tests/README.md has no table of tests and sources'
  find src -name '*.c' | LC_ALL=C sort | sed -E 's,^src/,,; s,/.*/,/,; s,\.c$,,' >"$scratch/sources"
  while read -r source; do
    own=tests/${source%/*}/test_${source##*/}
    listed=$(awk -v source="$source" '$2 == source' "$scratch/rows")
    if [ -f "$own.c" ] || [ -f "$own.py" ]; then
      [ -z "$listed" ] || echo "src/$source.c has a test of its name, and a line in tests/README.md"
    elif [ -z "$listed" ]; then
      echo "src/$source.c has no test of its name, and no line in tests/README.md"
    fi
  done <"$scratch/sources"
  while read -r test source; do
    grep -qxF "$source" "$scratch/sources" || echo "tests/README.md: there is no src/$source.c"
    name=${test##*/}
    folder=tests/${test%/*}
    [ -f "$folder/$name.c" ] || [ -f "$folder/$name.py" ] ||
      echo "tests/README.md: there is no $folder/$name.c or .py"
    grep -qwE "$name|${name#test_}" "$folder/CMakeLists.txt" ||
      echo "tests/README.md: $folder/CMakeLists.txt has no $name"
  done <"$scratch/rows"
)

# Planted: a test by name and a test by the table are accepted. Each kind of violation is reported.
mkdir -p "$scratch/plant/src/a/room" "$scratch/plant/tests/a"
cd "$scratch/plant"
touch src/a/own.c src/a/by_table.c src/a/nothing.c src/a/room/twice.c
touch tests/a/test_own.c tests/a/test_twice.py tests/a/test_all.c tests/a/test_not_built.c
echo 'clrs_add_unit_tests(test_own test_all test_gone) add(twice)' >tests/a/CMakeLists.txt
cat >tests/README.md <<'END'
| `a/test_all` | `a/by_table` `a/twice` `a/vanished` | why |
| `a/test_gone` `a/test_not_built` | `a/by_table` | why |
END
mirrored . | sort >said
sort >expected <<'END'
src/a/nothing.c has no test of its name, and no line in tests/README.md
src/a/twice.c has a test of its name, and a line in tests/README.md
tests/README.md: tests/a/CMakeLists.txt has no test_not_built
tests/README.md: there is no src/a/vanished.c
tests/README.md: there is no tests/a/test_gone.c or .py
END
cmp said expected || { echo 'what is not mirrored is not seen' && cat said && exit 1; }

cd "$1"
found=$(mirrored .)
[ -z "$found" ] || { printf '%s\n' "$found" && exit 1; }
