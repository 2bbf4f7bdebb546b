#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make install, into a folder of the build tree, and make installcheck of what is there: see tests/program/installcheck.sh.
set -eu
: "${top_srcdir:=.}" "${top_builddir:=.}"
top_srcdir=$(cd "$top_srcdir" && pwd)
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

# ---- Debian's packages have each installed file: debian/rules takes some away, moves the examples and builds without MPI. dh_missing would stop the build.
cd "$copy"
cat "$top_srcdir"/debian/*.install | sed 's/ .*//' > "$copy.patterns"
find . -type f ! -name '*.la' ! -name LICENSE ! -name CHANGELOG.md ! -name 'polhode-mpi*' | sed -e 's:.*/share/:usr/share/:' -e 's:.*/\(bin\|include\)/:usr/\1/:' \
    -e 's:.*/\(site\|dist\)-packages/:usr/lib/python3/dist-packages/:' -e 's:^[.].*/lib/:usr/lib/ARCHITECTURE/:' -e 's:/doc/polhode/examples/:/doc/libpolhode-dev/examples/:' |
    while read -r file; do
        while read -r pattern; do
            # shellcheck disable=SC2254
            case $file in $pattern | $pattern/*) continue 2 ;; esac
        done < "$copy.patterns"
        echo "$file"
    done > "$copy.left"
test ! -s "$copy.left" || { echo "FAIL: no debian/*.install has:"; cat "$copy.left"; exit 1; }
