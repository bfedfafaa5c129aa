#!/bin/sh
# Checks that README.md quotes examples/heads.c word for word, and that picture.py made one_pass.svg:
# readme.sh ROOT.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1"
# The file's own comment at the top is left to the prose around the quotation.
awk '
  FNR == NR { if (started || /^#include/) { started = 1; want = want $0 "\n" } next }
  /^```/ { if (inside && block == want) found = 1; inside = !inside; block = ""; next }
  inside { block = block $0 "\n" }
  END {
    if (want == "" || !found) {
      print "README.md has no block that is tests/consumer/examples/heads.c from its first #include on"
      exit 1
    }
  }' tests/consumer/examples/heads.c README.md
python3 tests/consumer/picture.py | cmp - tests/consumer/one_pass.svg
