#!/bin/sh
# Checks that the pure core neither allocates nor opens anything: allocations.sh COMPILER OBJECT...
# No OBJECT may need a function that does.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
compiler=$1
shift

names='malloc calloc realloc reallocarray free aligned_alloc posix_memalign memalign valloc
strdup strndup asprintf vasprintf open_memstream getline getdelim fopen mmap sbrk'
# Also in the C library's internal spelling: __strdup, __asprintf_chk.
pattern="^_*($(echo "$names" | tr -s ' \n' '||' | sed 's/|$//'))(_chk)?$"

allocating() {
  nm --undefined-only "$@" | awk 'NF > 1 { print $NF }' | sed 's/@.*//' | grep -E "$pattern" |
    sort -u || :
}

# The check tests itself: it must see every one of these names in an object that needs the name, and
# no other name.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for name in $names __asprintf_chk; do
  echo "void $name(void); void call(void); void call(void) { $name(); }" |
    "$compiler" -std=c11 -fno-builtin -w -c -x c -o "$folder/bad.o" -
  [ "$(allocating "$folder/bad.o")" = "$name" ] || { echo "does not see $name" && exit 1; }
done
echo 'void freed(void); void call(void); void call(void) { freed(); }' |
  "$compiler" -std=c11 -c -x c -o "$folder/good.o" -
[ -z "$(allocating "$folder/good.o")" ] || { echo 'takes freed for free' && exit 1; }

[ $# -gt 5 ] || { echo "these are not the objects of the core: $*" && exit 1; }
found=$(allocating "$@")
[ -z "$found" ] || { echo 'the pure core needs:' && printf '%s\n' "$found" && exit 1; }
