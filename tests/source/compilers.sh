#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Clang makes code of the kernels: version 14, Debian 12's, crashed there (horizontal sums for AVX, see
# integrators/shared/few.h). In the thorough form of the other kernels and of the whole core, too, at several levels, and what it makes gives the same
# bits as the library of this build, for every model and method; and they run under its UndefinedBehaviorSanitizer, which
# sees pointers that wrap around, as gcc's does not. CLANG: another one than the first of the list below.
set -eu
: "${top_srcdir:=.}" "${top_builddir:=.}" "${CC:=cc}"
: "${DEPENDENCY_CFLAGS:=}" "${DEPENDENCY_LIBS:=}"
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

# make_code LEVEL FILE...: an object of each in $dir. Warnings are another test's.
# shellcheck disable=SC2086
make_code() {
    level=$1
    shift
    for file; do
        $clang -std=gnu11 -fPIC -ffp-contract=off -fno-math-errno -w $level -DHAVE_CONFIG_H -I"$top_builddir" \
            -I"$top_srcdir/include" -I"$top_srcdir" $DEPENDENCY_CFLAGS \
            -c "$top_srcdir/$file" -o "$dir/$(echo "$file" | tr / -).o" > "$dir/log" 2>&1 ||
            { fail "$clang $level $file:"; grep -m 5 -e 'error:' -e 'Running pass' "$dir/log" || sed -n 1,10p "$dir/log"; }
    done
}

few="integrators/variational/few.c integrators/multistep/few.c"
others="integrators/variational/chain.c integrators/variational/tree.c integrators/multistep/start.c lib/equations/chain/few.c"
# shellcheck disable=SC2086
make_code -O2 $few
if test -z "${POLHODE_CHECK_THOROUGH:-}${POLHODE_CHECK_LONG:-}"; then
    exit $failed
fi
# shellcheck disable=SC2086
make_code -O2 $others

# shellcheck disable=SC2086
for level in -O0 -O3 "-O1 -fsanitize=address,undefined"; do
    make_code "$level" $few # the sanitizers in long rows of links take it minutes
done

# ---- The core, and its bits
core=$(cd "$top_srcdir" && ls integrators/*/*.c lib/*/*.c lib/equations/chain/*.c | grep -v -e '^lib/archive/' -e '^lib/scenario/' -e '^lib/session/')
if ! grep -q '^#define HAVE_SUNDIALS 1' "$top_builddir/config.h"; then
    core=$(echo "$core" | grep -v -e /arkode -e /cvode -e /sundials)
fi
rm -f "$dir"/*.o
# shellcheck disable=SC2086
make_code -O2 $core
# motions COMPILER EXECUTABLE ARGUMENT...: made, and $dir/EXECUTABLE.txt of them
motions() {
    compiler=$1 made=$2
    shift 2
    # shellcheck disable=SC2086
    $compiler -I"$top_srcdir/include" "$top_srcdir/tests/methods/motions.c" "$@" $DEPENDENCY_LIBS -lm -o "$dir/$made" > "$dir/log" 2>&1 &&
        "$dir/$made" > "$dir/$made.txt" 2> "$dir/log" || { fail "motions by $compiler:"; sed -n 1,20p "$dir/log"; }
}

motions "$clang" theirs "$dir"/*.o
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

# ---- The same motions, and what no program may do
sanitized="-fsanitize=undefined -fno-sanitize-recover=all"
rm -f "$dir"/*.o
for file in $core; do
    case $file in
        */variational/chain.c | */variational/tree.c | */gravity/pair*.c) make_code "-O0 $sanitized" "$file" ;; # as above
        *) make_code "-O1 $sanitized" "$file" ;;
    esac
done
motions "$clang $sanitized" watched "$dir"/*.o
diff "$dir/theirs.txt" "$dir/watched.txt" || fail "with sanitizers other bits"
exit $failed
