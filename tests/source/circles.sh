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
cp "$top_srcdir/tests/source/floors.txt" "$dir/floors"
# a line "FILE NEEDED" for each include by path, both without .c or .h
(cd "$top_srcdir" && find lib integrators figures bench tools -name '*.[ch]' -exec grep -H '^[[:space:]]*#[[:space:]]*include "[a-z]*/' {} +) |
    sed 's/[.][ch]:[^"]*"/ /; s/[.][a-z]*"$//' > "$dir/includes"
(cd "$top_srcdir" && find lib integrators figures bench tools -name '*.c') | sed 's/[.]c$//' > "$dir/sources"
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
    sed 's:/\.libs/:/:; s:/lib[a-z_]*_la-:/:; s:/polhode-:/:; s/\.o: / /' > "$dir/all"
# ... of sources that are there: a build directory keeps objects of files that were moved
awk 'NR == FNR { there[$1]; next } $1 in there' "$dir/sources" "$dir/all" > "$dir/symbols"

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
# climbs PAIRS: who needs whom of a floor that is not below, and rows of the table that say what is not so
climbs() {
    awk -v sources="$dir/sources" '
        function place(file) { if (!(file in floor)) sub(/\/[^\/]*$/, "", file); return file }
        NR == FNR && /^#/ { next }
        NR == FNR && $2 == ">" { knot[$1 " > " $3]; next }
        NR == FNR { for (i = 1; i <= NF; i++) floor[$i] = NR; next }
        {
            from = place($1); to = place($2); seen[from]; seen[to]
            if (from == to) next
            if (!(from in floor)) print from " has no row"
            else if (!(to in floor)) print to " has no row"
            else if (floor[from] <= floor[to] && from " > " to in knot) tied[from " > " to]
            else if (floor[from] <= floor[to]) print from " needs " to ": " $1 ", " $2
        }
        END {
            for (k in knot) if (!(k in tied)) print "the row " k " is no longer needed"
            while ((getline file < sources) > 0) seen[place(file)] # without a library that is optional some have no objects
            for (f in floor) if (!(f in seen)) print "the row " f " names what is not there"
        }' "$dir/floors" "$1" | sort -u
}
cat "$dir/pairs" "$dir/includes" > "$dir/needed"
climbs "$dir/needed" > "$dir/noticed"
if test -s "$dir/noticed"; then
    echo "FAIL: tests/source/floors.txt, whose folders may need those above them in the list only:"
    cat "$dir/noticed"
    exit 1
fi

# A circle would be noticed, and so would folders that need one above them, by symbols or includes, and a knot that is cut.
{
    cat "$dir/symbols"
    echo "lib/status/status ph_run U"
} > "$dir/planted"
if ! circles "$dir/planted" > "$dir/noticed" || ! grep -q lib/status/status "$dir/noticed"; then
    echo "FAIL: a planted circle was not noticed"
    exit 1
fi
for planted in "lib/status/status lib/run/run:lib/status needs lib/run" "lib/space/space lib/gone/gone:lib/gone has no row"; do
    { cat "$dir/needed"; echo "${planted%:*}"; } > "$dir/planted"
    climbs "$dir/planted" > "$dir/noticed"
    if ! grep -q "^${planted#*:}" "$dir/noticed"; then
        echo "FAIL: the planted ${planted%:*} was not noticed"
        exit 1
    fi
done
echo "lib/status > lib/run" >> "$dir/floors"
if ! climbs "$dir/needed" | grep -q 'lib/status > lib/run is no longer needed'; then
    echo "FAIL: a row that is no longer needed was not noticed"
    exit 1
fi
echo "lib/gone" >> "$dir/floors"
if ! climbs "$dir/needed" | grep -q 'the row lib/gone names what is not there'; then
    echo "FAIL: a row of what is not there was not noticed"
    exit 1
fi
echo "$(wc -l < "$dir/pairs") pairs of files, no circle; $(wc -l < "$dir/includes") includes, none from above"
