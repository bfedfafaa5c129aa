#!/bin/sh
# Runs a test of commands that fail: pocl_race.sh PROGRAM [ARGUMENT...]. In about one run of forty
# PoCL 3.1 ends the process with an assertion of its own, that a command which it starts was only
# just submitted: it also starts one whose wait list has failed meanwhile. Such a run says nothing
# about this library; it is shown, and made again at most twice. Any other end counts.
#
# SPDX-License-Identifier: Apache-2.0
set -u
log=$(mktemp)
trap 'rm -f "$log"' EXIT
race='pocl_util\.c:[0-9]*: pocl_update_event_running_unlocked: Assertion'

for run in 1 2 3; do
  "$@" >"$log" 2>&1
  status=$?
  cat "$log"
  [ $status -gt 127 ] && grep -q "$race" "$log" || exit $status
  echo "PoCL's own assertion ended run $run"
done
exit $status
