#!/bin/sh
# Unpacks packages of another Debian: unpack.sh [--whole] SUITE PACKAGES FOLDER. Only this script uses
# apt's lists of that Debian. Nothing is installed. Dependencies are left out, but with --whole they
# are unpacked as well, so that programs run in FOLDER by chroot. Existing files are kept. The names of
# the packages are in FOLDER/.complete.
#
# SPDX-License-Identifier: Apache-2.0
set -eu
whole=
[ "$1" != --whole ] || { whole=yes && shift; }
suite=$1 packages=$2 folder=$3
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
# shellcheck disable=SC2086  # a list of packages
if [ -n "$whole" ]; then
  own_apt install -y --no-install-recommends --download-only $packages
  ln -s usr/lib usr/lib64 "$folder"
  mkdir "$folder/tmp" "$folder/programs"
else
  (cd "$apt/cache/archives" && own_apt download $packages)
fi
for package in "$apt/cache/archives"/*.deb; do
  dpkg-deb -x "$package" "$folder"
  echo "${package##*/}" >>"$apt/names"
done
mv "$apt/names" "$folder/.complete"
rm -rf "$apt"
