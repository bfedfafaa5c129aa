#!/bin/sh
# Runs a test of commands that fail: pocl_race.sh PROGRAM [ARGUMENT...]. In about one run of forty
# PoCL 3.1 ends the process with an internal assertion that a started command was only just
# submitted. PoCL also starts a command with a wait list that has failed meanwhile. Such a run says
# nothing about this library. The script shows the run and repeats the test at most twice. Any other
# end counts.
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
