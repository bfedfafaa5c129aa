#!/bin/sh
# Gets a test's packages from PyPI: venv.sh FOLDER PYTHON REQUIREMENT [OPTION...] makes FOLDER a
# virtual environment in which pip, with those OPTIONs, has installed REQUIREMENT. An existing
# environment is reused. If PyPI does not give the package, the exit code is 77 and a line says so.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
folder=$1 python=$2 requirement=$3
shift 3

[ "$(cat "$folder/requirement.txt" 2>/dev/null)" != "$requirement" ] || exit 0
mkdir -p "$folder"
{ "$python" -m venv --clear "$folder" &&
  "$folder/bin/pip" install --disable-pip-version-check "$@" "$requirement"; } >"$folder.log" 2>&1 || {
  echo "skipped: $requirement is not here, and PyPI does not give it (no network, or nothing for this" \
    "machine): $(tail -n 1 "$folder.log")"
  exit 77
}
echo "$requirement" >"$folder/requirement.txt"
