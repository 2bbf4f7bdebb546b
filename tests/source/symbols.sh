#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The shared libraries export exactly what the public headers declare with PH_API, and no object of theirs has
# data that can be written: the library keeps no state.
# POLHODE_INCLUDEDIR, POLHODE_LIBDIR: where headers and libraries are, by default the source and build trees
# (tests/program/installcheck.sh has others; objects are looked at in the build tree only).
set -eu
: "${top_srcdir:=.}" "${top_builddir:=.}" "${NM:=nm}"
objects=
test -n "${POLHODE_LIBDIR:-}" || objects=yes
: "${POLHODE_INCLUDEDIR:=$top_srcdir/include}" "${POLHODE_LIBDIR:=$top_builddir/.libs}"
LC_ALL=C
export LC_ALL
core=$POLHODE_LIBDIR/libpolhode.so
io=$POLHODE_LIBDIR/libpolhode-io.so
if ! test -f "$core"; then
    echo "skipped: there is no shared library"
    exit 77
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

# declared HEADER...: the functions behind PH_API, and the count of PH_API lines as a check of this reading
declared() {
    sed -n 's/^PH_API [^(]*[ *]\(ph_[a-z0-9_]*\)(.*/\1/p' "$@" | sort > "$dir/declared"
    if test "$(cat "$@" | grep -c '^PH_API ')" -ne "$(grep -c . "$dir/declared")"; then
        echo "FAIL: a PH_API line without a function's name in: $*"
        failed=1
    fi
}

# compare LIBRARY: its exports against $dir/declared (NM may have options: no quotes)
compare() {
    $NM -D --defined-only "$1" | awk '{print $NF}' | sed 's/@.*//' | sort > "$dir/exported"
    if ! diff "$dir/declared" "$dir/exported" > "$dir/difference"; then
        echo "FAIL: $1 (<: declared in a header, but not exported; >: exported, but not declared):"
        grep '^[<>]' "$dir/difference"
        failed=1
    fi
}

# the headers of libpolhode-io
theirs='/\(archive\|csv\|import\|members\|record\|rows\|scenario\|session\|sweep\|shape\|summary\|table\)\.h$'
headers=$(ls "$POLHODE_INCLUDEDIR"/polhode/*.h "$POLHODE_INCLUDEDIR"/polhode/*/*.h | grep -v "$theirs")
# shellcheck disable=SC2086
declared $headers
test -s "$dir/declared"
compare "$core"
if test -f "$io"; then
    # shellcheck disable=SC2046
    declared $(ls "$POLHODE_INCLUDEDIR"/polhode/*.h "$POLHODE_INCLUDEDIR"/polhode/*/*.h | grep "$theirs")
    compare "$io"
fi

# Sections that can be written, but for those that the loader alone writes (tables of pointers).
if test -n "$objects" && test "${POLHODE_SANITIZERS:-}" != yes; then
    find "$top_builddir/lib" "$top_builddir/integrators" -name '*.o' -path '*/.libs/*' > "$dir/objects"
    test -s "$dir/objects"
    xargs $NM -A -f sysv --defined-only < "$dir/objects" > "$dir/table"
    test "$(wc -l < "$dir/table")" -gt 1000 || { echo "FAIL: hardly a symbol is found"; failed=1; }
    awk -F'|' '{gsub(/ /, "", $7); gsub(/ /, "", $1)}
        $7 ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && $7 !~ /^\.data\.rel\.ro/ {
            print "FAIL: " $1 " is in " $7 ", which can be written"; bad = 1 }
        END { exit bad }' "$dir/table" || failed=1
fi
# The program is linked with the archive of the bench: a name that both define would be one object.
bench=$top_builddir/.libs/libpolhode_bench.a
test -f "$bench" || bench=$top_builddir/libpolhode_bench.a
if test -n "$objects" && test -f "$bench"; then
    global() {
        $NM --defined-only -g "$@" 2> /dev/null | awk 'NF == 3 { print $3 }' | sort -u
    }
    find "$top_builddir/tools" -name '*.o' > "$dir/objects"
    # shellcheck disable=SC2046
    global $(cat "$dir/objects") > "$dir/program"
    global "$bench" > "$dir/of-bench"
    test "$(wc -l < "$dir/program")" -gt 50 && test "$(wc -l < "$dir/of-bench")" -gt 50 || { echo "FAIL: hardly a name of the program is found"; failed=1; }
    comm -12 "$dir/program" "$dir/of-bench" > "$dir/both"
    test ! -s "$dir/both" || { echo "FAIL: defined in tools/ and in bench/:"; cat "$dir/both"; failed=1; }
fi
exit $failed
