# For scripts to source: the steps of a test, each of which says what is wrong. $said is the file that
# the caller keeps what the last command said in.
#
# SPDX-License-Identifier: Apache-2.0

# fail_showing WORD...: with what the last command said.
fail_showing() { cat "$said" && echo "$*" && exit 1; }

# run WHAT COMMAND...
run() {
  what=$1
  shift
  "$@" >"$said" 2>&1 || fail_showing "$what"
}
