#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make install, into a folder of the build tree, and make installcheck of what is there: see tests/program/installcheck.sh.
set -eu
: "${top_builddir:=.}"
if test "${POLHODE_SANITIZERS:-}" = yes; then
    echo "skipped: a build with sanitizers is not one that one would install"
    exit 77
fi
copy=$(cd "$top_builddir" && pwd)/tests/program/installed # tests/local.mk makes it
test "$(cat "$copy.status")" = 0 || {
    cat "$copy.log.txt"
    exit 1
}
POLHODE_SAME_HEADERS=yes ${MAKE:-make} -C "$top_builddir" -s installcheck DESTDIR="$copy"
