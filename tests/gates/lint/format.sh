#!/bin/sh
# Checks that every C file is as clang-format (Debian 12: 14) writes it: format.sh ROOT.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$1"
find src include tests -type f -name '*.[ch]' -exec clang-format --dry-run -Werror {} +
