# For scripts to source: the steps of a test, each with an error message. $said is the caller's file
# for the output of the last command.
#
# SPDX-License-Identifier: Apache-2.0

# fail_showing WORD...: fails with the output of the last command.
fail_showing() { cat "$said" && echo "$*" && exit 1; }

# run WHAT COMMAND...
run() {
  what=$1
  shift
  "$@" >"$said" 2>&1 || fail_showing "$what"
}
