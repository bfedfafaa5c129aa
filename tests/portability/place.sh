# For scripts to source: replaces files that may be in use.
#
# SPDX-License-Identifier: Apache-2.0
#
# shellcheck shell=sh

# place FILE TARGET: makes TARGET a copy of FILE. A program that has the old TARGET open keeps the
# old file. If a library is overwritten in place, a program loses the relocated pages of the
# library, and ends by SIGSEGV or SIGBUS when the loader or a call next reads such a page. A TARGET
# that is already right is left alone.
place() {
  ! cmp -s "$1" "$2" || return 0
  cp -L "$1" "$2.$$"
  mv "$2.$$" "$2"
}
