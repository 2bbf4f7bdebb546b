#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make install and make installcheck, in a separate tree: see tests/program/installcheck.sh.
set -eu
: "${top_builddir:=.}"
if test "${POLHODE_SANITIZERS:-}" = yes; then
    echo "skipped: a build with sanitizers is not one that one would install"
    exit 77
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
${MAKE:-make} -C "$top_builddir" -s install DESTDIR="$dir" > "$dir/log" 2>&1 || {
    cat "$dir/log"
    exit 1
}
POLHODE_SAME_HEADERS=yes ${MAKE:-make} -C "$top_builddir" -s installcheck DESTDIR="$dir"
