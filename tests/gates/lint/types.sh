#!/bin/sh
# Runs a type checker on right and wrong uses of the Python package: types.sh ROOT.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
cd "$1/tests/python"
MYPYPATH="$1/src/python" mypy --strict --follow-imports=silent --cache-dir "$cache" typed_use.py
