# For scripts to source: files that others may be using.
#
# SPDX-License-Identifier: Apache-2.0
#
# shellcheck shell=sh

# place FILE TARGET: makes TARGET a copy of what FILE is. Whoever has the old TARGET open keeps it: a
# program loses the relocated pages of a library that is written over, and ends by SIGSEGV or SIGBUS
# when the loader or a call next comes to them. A TARGET that is right already is left alone.
place() {
  ! cmp -s "$1" "$2" || return 0
  cp -L "$1" "$2.$$"
  mv "$2.$$" "$2"
}
