#!/bin/sh
# Checks that every C and C++ file is formatted by clang-format (Debian 12: 14): format.sh ROOT.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1"
find src include tests cmake -type f \( -name '*.[ch]' -o -name '*.hpp' -o -name '*.cpp' \) -exec clang-format --dry-run -Werror {} +
