#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Clang makes code of the kernels: version 14, Debian 12's, crashed there (horizontal sums for AVX, see
# integrators/shared/short-chain.h). In the thorough form at several levels, and of the whole core, too, and what it makes gives the same
# bits as the library of this build, for every model and method; and they run under its UndefinedBehaviorSanitizer, which
# sees pointers that wrap around, as gcc's does not. CLANG: another one than the first of the list below. POLHODE_CORE: the sources
# of libpolhode.
set -eu
: "${top_srcdir:=.}" "${top_builddir:=.}" "${CC:=cc}"
: "${DEPENDENCY_CFLAGS:=}" "${DEPENDENCY_LIBS:=}" "${POLHODE_CORE:=}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() {
    echo "FAIL: $*"
    failed=1
}
. "$top_srcdir/tests/kit/untried.sh"

clang=
for candidate in ${CLANG:-clang-14 clang}; do
    if test -z "$clang" && "$candidate" --version > "$dir/version" 2>&1; then
        clang=$candidate
        sed -n 1p "$dir/version"
    fi
done
test -n "$clang" || skip "there is no clang"

# make_code LEVEL FILE...: an object of each in $dir/code, and nothing else there, as many at once as there are cores. Warnings are
# another test's.
jobs=$(getconf _NPROCESSORS_ONLN)
# shellcheck disable=SC2016,SC2086
make_code() {
    level=$1
    shift
    rm -rf "$dir/code"
    mkdir "$dir/code"
    printf '%s\n' "$@" | xargs -P "$jobs" -I FILE sh -c 'source=$1/$3 made=$2/$(echo "$3" | tr / -) && shift 3 &&
        "$@" -c "$source" -o "$made.o" > "$made.log" 2>&1 || : > "$made.failed"' sh "$top_srcdir" "$dir/code" FILE \
        $clang -std=gnu11 -fPIC -ffp-contract=off -fno-math-errno -w $level -DHAVE_CONFIG_H -I"$top_builddir" \
        -I"$top_srcdir/include" -I"$top_srcdir" $DEPENDENCY_CFLAGS
    for made in "$dir"/code/*.failed; do
        test -e "$made" || continue
        fail "$clang $level $(basename "$made" .failed):"
        grep -m 5 -e 'error:' -e 'Running pass' "${made%.failed}.log" || sed -n 1,10p "${made%.failed}.log"
    done
    test "$(ls "$dir"/code/*.log | wc -l)" -eq $# || fail "$clang $level: not $# files"
}

short="integrators/variational/short-chain.c integrators/multistep/short-chain.c"
# shellcheck disable=SC2086
if test -z "${POLHODE_CHECK_THOROUGH:-}${POLHODE_CHECK_LONG:-}"; then
    make_code -O2 $short
    exit $failed
fi
for level in -O0 -O3 "-O1 -fsanitize=address,undefined"; do
    # shellcheck disable=SC2086
    make_code "$level" $short
done

# ---- The core, and its bits
core=$(echo "$POLHODE_CORE" | tr ' ' '\n' | grep '[.]c$')
# shellcheck disable=SC2086
make_code -O2 $core

# motions COMPILER EXECUTABLE ARGUMENT...: made, and $dir/EXECUTABLE.txt of them
motions() {
    compiler=$1 made=$2
    shift 2
    # shellcheck disable=SC2086
    $compiler -I"$top_srcdir/include" "$top_srcdir/tests/baseline/motions.c" "$@" $DEPENDENCY_LIBS -lm -o "$dir/$made" > "$dir/log" 2>&1 &&
        "$dir/$made" 24 > "$dir/$made.txt" 2> "$dir/log" || { fail "motions by $compiler:"; sed -n 1,20p "$dir/log"; }
}

motions "$clang" theirs "$dir"/code/*.o
library=$top_builddir/.libs/libpolhode.so
if test -f "$library" && test "${POLHODE_SANITIZERS:-}" != yes; then
    LD_LIBRARY_PATH=$top_builddir/.libs
    export LD_LIBRARY_PATH
    motions "$CC" ours "$library"
    unset LD_LIBRARY_PATH
    echo "$(wc -l < "$dir/ours.txt") motions; $(diff "$dir/ours.txt" "$dir/theirs.txt" | grep -c '^<' || true) have other bits by $clang"
    diff "$dir/ours.txt" "$dir/theirs.txt" || fail "$clang gives other bits"
else
    echo "no shared library to compare with"
fi

# ---- The same motions, and what no program may do. At -O0: at -O1 the forms of pairs and of long rows of links take clang minutes each
# where checks are inserted, and the rest twice as long.
sanitized="-fsanitize=undefined -fno-sanitize-recover=all"
# shellcheck disable=SC2086
make_code "-O0 $sanitized" $core
motions "$clang $sanitized" watched "$dir"/code/*.o
diff "$dir/theirs.txt" "$dir/watched.txt" || fail "with sanitizers other bits"
exit $failed
