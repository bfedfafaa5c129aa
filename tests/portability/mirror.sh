# For scripts to source: where Debian's packages come from.
#
# SPDX-License-Identifier: Apache-2.0

# mirror: prints the mirror that this machine's apt uses, or $CLRS_DEBIAN_MIRROR, or nothing.
mirror() {
  [ -z "${CLRS_DEBIAN_MIRROR:-}" ] || { echo "$CLRS_DEBIAN_MIRROR" && return; }
  # shellcheck disable=SC2016  # apt's own words
  apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(ORIGIN) $(LABEL) $(REPO_URI)' \
    'Identifier: Packages' |
    awk '$2 == "main" && $3 == "Debian" && $4 == "Debian" { print $5; exit }'
}
