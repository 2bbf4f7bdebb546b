#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every public header compiles alone, as C11 and as C++11, without a warning; polhode.h includes them all and has them on its map; and
# tables in their comments are whole.
# POLHODE_INCLUDEDIR: where polhode/ is, by default the source tree's include/ (tests/program/installcheck.sh has another).
set -eu
: "${top_srcdir:=.}" "${CC:=cc}" "${CXX:=c++}"
: "${POLHODE_INCLUDEDIR:=$top_srcdir/include}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() {
    echo "FAIL: $*"
    failed=1
}
. "$top_srcdir/tests/kit/untried.sh"

# try LABEL COMPILER...: compile the standard input's file
try() {
    label=$1
    shift
    if ! "$@" > "$dir/log" 2>&1; then
        echo "FAIL: $label:"
        cat "$dir/log"
        failed=1
    fi
}

# shellcheck disable=SC2086
if echo 'int main() { return 0; }' > "$dir/x.cc" && $CXX -std=c++11 -c "$dir/x.cc" -o "$dir/x.o" 2> "$dir/log"; then
    cxx=yes
else
    cxx=no
    not_tried "headers in C++: there is no C++ compiler"
fi

for header in "$POLHODE_INCLUDEDIR"/polhode/*.h "$POLHODE_INCLUDEDIR"/polhode/*/*.h; do
    name=${header#"$POLHODE_INCLUDEDIR"/}
    # twice: the include guard is tried, too
    printf '#include <%s>\n#include <%s>\nextern int used;\nint used;\n' "$name" "$name" > "$dir/one.c"
    cp "$dir/one.c" "$dir/one.cc"
    # shellcheck disable=SC2086
    try "$name as C11" $CC -std=c11 -pedantic -Wall -Wextra -Wstrict-prototypes -Werror -I"$POLHODE_INCLUDEDIR" \
        -fsyntax-only "$dir/one.c"
    if test $cxx = yes; then
        # shellcheck disable=SC2086
        try "$name as C++11" $CXX -std=c++11 -pedantic -Wall -Wextra -Werror -I"$POLHODE_INCLUDEDIR" \
            -fsyntax-only "$dir/one.cc"
    fi
    case $name in
        polhode/polhode.h | polhode/export.h) ;;
        *) grep -q "^#include <$name>" "$POLHODE_INCLUDEDIR/polhode/polhode.h" || {
               echo "FAIL: polhode.h does not include $name"
               failed=1
           } ;;
    esac
    sed '/^#ifndef/q' "$POLHODE_INCLUDEDIR/polhode/polhode.h" | grep -q -w "$(basename "$name" .h)\.h" || test $name = polhode/polhode.h ||
        fail "polhode.h has not $name on its map"
done
# where a formatter breaks a row of a table, a word or two of it stand between rows
awk 'FNR == 1 { row = word = 0 }
    /^ \*  / { if (word) { print FILENAME ":" FNR - 1 ": " text; broken = 1 } row = 1; word = 0; next }
    { word = row && /^ \* [^ ]+( [^ ]+)?$/; row = 0; text = $0 }
    END { exit broken }' "$POLHODE_INCLUDEDIR"/polhode/*.h "$POLHODE_INCLUDEDIR"/polhode/*/*.h > "$dir/log" || fail "a table is broken: $(cat "$dir/log")"
exit $failed
