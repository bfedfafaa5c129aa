#!/bin/sh
# Unpacks a package of another Debian: unpack.sh SUITE PACKAGE FOLDER. Only this script uses apt's
# lists of that Debian. Nothing is installed, and dependencies are left out. Existing files are
# kept.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
suite=$1 package=$2 folder=$3
[ ! -e "$folder/.complete" ] || exit 0
# shellcheck source=tests/portability/mirror.sh
. "$(dirname "$0")/mirror.sh"
from=$(mirror)
[ -n "$from" ] || { echo 'apt knows no mirror of Debian; CLRS_DEBIAN_MIRROR may name one' && exit 1; }
rm -rf "$folder"
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
apt=$(cd "$folder/apt" && pwd)
echo "deb $from $suite main" >"$apt/sources.list"

own_apt() {
  apt-get -q -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::State="$apt" -o Dir::State::status=/dev/null -o Dir::Cache="$apt/cache" \
    -o Acquire::Check-Valid-Until=false -o APT::Sandbox::User=root -o Acquire::Retries=3 "$@"
}

own_apt update -o APT::Update::Error-Mode=any
(cd "$apt" && own_apt download "$package")
dpkg-deb -x "$apt/$package"_*.deb "$folder"
rm -rf "$apt"
touch "$folder/.complete"
