#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# No circle of calls or data between files of the library, of figures/, of bench/ or of the program: of two files at most one needs
# the other, and so on along any path. The symbols that each object defines and needs say who needs whom.
set -eu
: "${top_builddir:=.}" "${NM:=nm}"
LC_ALL=C
export LC_ALL
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$top_builddir"

find lib integrators figures bench tools -name '*.o' > "$dir/found"
# With both kinds of libraries, libtool has two objects of each source: those in .libs are of the shared one.
if grep -q '/\.libs/' "$dir/found"; then
    grep -e '/\.libs/' -e '^figures/' -e '^bench/' -e '^tools/' "$dir/found" > "$dir/objects"
else
    cp "$dir/found" "$dir/objects"
fi
# a line "FILE SYMBOL KIND ..." for each; NM may have options: no quotes
xargs $NM -A -P -g < "$dir/objects" |
    sed 's:/\.libs/:/:; s:/lib[a-z_]*_la-:/:; s:/polhode-:/:; s/\.o: / /' > "$dir/symbols"

# circles SYMBOLS: the files of a circle, if there is one
circles() {
    awk '$3 != "U" { where[$2] = $1; next } { user[n] = $1; used[n++] = $2 }
        END { for (i = 0; i < n; i++) if (used[i] in where && where[used[i]] != user[i]) print user[i], where[used[i]] }' \
        "$1" | sort -u > "$dir/pairs"
    tsort "$dir/pairs" 2>&1 > /dev/null | sed -n 's/^tsort: \([^ ]*\/[^ ]*\)$/    \1/p' | grep -v "$dir"
}

if test "$(wc -l < "$dir/objects")" -lt 100; then
    echo "skipped: the program, and with it bench/ and libpolhode-io, is not built"
    exit 77
fi
if circles "$dir/symbols"; then
    echo "FAIL: these files need one another; what both need belongs in one below them"
    exit 1
fi
# A circle would be noticed.
{
    cat "$dir/symbols"
    echo "lib/status/status ph_run U"
} > "$dir/planted"
if ! circles "$dir/planted" > "$dir/noticed" || ! grep -q lib/status/status "$dir/noticed"; then
    echo "FAIL: a planted circle was not noticed"
    exit 1
fi
echo "$(wc -l < "$dir/pairs") pairs of files, no circle"
