#!/bin/sh
# Runs a command on Intel's CPU runtime: on_intel.sh [--beside] FOLDER COMMAND... The runtime, 215
# MB, is taken from PyPI if FOLDER does not have the runtime. If PyPI does not give it either, the
# exit code is 77. With --beside the command finds the system's drivers, too.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
here=$(cd "$(dirname "$0")" && pwd)
beside=
[ "$1" != --beside ] || { beside=yes && shift; }
CLRS_SKIP_PACKAGES=1 sh "$here/setup.sh" intel "$1" >&2 || {
  echo "skipped: Intel's CPU runtime is not here, and PyPI does not give it" >&2
  exit 77
}
[ -n "$beside" ] || exec sh "$here/with.sh" intel "$@"
folder=$1
shift
mkdir -p "$folder/beside"
cp /etc/OpenCL/vendors/*.icd "$folder"/intel/vendors/*.icd "$folder/beside"
exec sh "$here/with.sh" intel "$folder" env OCL_ICD_VENDORS="$folder/beside" "$@"
