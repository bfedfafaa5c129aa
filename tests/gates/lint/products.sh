#!/bin/sh
# Checks 64-bit products: products.sh ROOT. The library multiplies in 64 bits only through
# src/base/checked.h, where an overflow is seen, or if products.txt says why the product cannot
# overflow. clang's syntax tree tells a product from a pointer. A product of compile-time constants
# does not count.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1"
here=$(cd "$(dirname "$0")" && pwd)

# Dims, strides, offsets, counts and bytes have 64 bits. Ranks, numbers of axes and sizes of types
# have 32 bits, and products of these numbers always fit.
narrow='ignoringParenCasts(expr(anyOf(integerLiteral(), unaryExprOrTypeTraitExpr(),
  hasType(hasCanonicalType(anyOf(asString("unsigned int"), asString("const unsigned int"),
    asString("int"), asString("const int"),
  enumType()))))))'
matcher="match binaryOperator(isExpansionInMainFile(), hasAnyOperatorName(\"*\", \"*=\"),
  hasType(hasCanonicalType(anyOf(asString(\"long\"), asString(\"unsigned long\")))),
  unless(hasAncestor(staticAssertDecl())), unless(hasOperands($narrow, $narrow)))"

# products FILE...: "file: line of source" for each product.
products() {
  for file in "$@"; do
    clang-query --extra-arg=-std=c11 -c 'set output diag' -c "$(echo $matcher)" "$file" -- -std=c11 \
      -I include -I kernels $(printf -- '-I %s ' src/* src/opencl/*) -DCL_TARGET_OPENCL_VERSION=120 -D_POSIX_C_SOURCE=200809L >"$found" 2>&1 ||
      { cat "$found" && exit 2; }
    grep -q '^[0-9]* match' "$found" || { cat "$found" && exit 2; }
    awk -v file="$file" '
      /: note: "root" binds here/ { getline; gsub(/^ +| +$/, ""); print file ": " $0 }' "$found"
  done
}

found=$(mktemp)
planted=$(mktemp -d)
trap 'rm -rf "$found" "$planted"' EXIT
cat >"$planted/planted.c" <<'END'
#include <stdint.h>
int64_t planted(const int64_t *dims, const int64_t *strides, unsigned rank);
int64_t planted(const int64_t *dims, const int64_t *strides, unsigned rank) {
  int64_t count = dims[0] * strides[0];
  count *= dims[1];
  return count + 2 * (int64_t)rank;
}
END
if [ "$(products "$planted/planted.c" | wc -l)" -ne 2 ]; then
  echo "a planted product is not found, or something is taken for one:"
  products "$planted/planted.c"
  exit 1
fi

# A product has spaces around its operator, which format.sh requires, and a pointer has not. A file
# without a product is not parsed.
# shellcheck disable=SC2046  # no name here holds a space: sizes.sh says so
products $(find src/base src/view src/map src/chain src/move src/mapped src/indexed src/class src/plan src/opencl -name '*.[ch]' ! -name checked.h -exec grep -lE '[^ /] \*=? ' {} + | LC_ALL=C sort) |
  awk -v allowed="$here/products.txt" '
    BEGIN {
      while ((getline line < allowed) > 0) {
        if (line ~ /^#|^$/) continue
        if (line ~ /^ /) { if (last != "") reasoned[last] = 1; continue }
        last = line
        known[line] = 1
      }
    }
    { count++ }
    $0 in known { used[$0] = 1; next }
    { print "a product that may overflow unseen: " $0; failed = 1 }
    END {
      for (line in known) {
        if (!(line in used)) { print "products.txt names what is not there: " line; failed = 1 }
        if (!(line in reasoned)) { print "products.txt gives no reason: " line; failed = 1 }
      }
      if (!count) { print "no product found at all"; failed = 1 }
      if (!failed) print count " products, each with the reason why it fits"
      exit failed
    }'
