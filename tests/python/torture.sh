#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Python package while memory that the library asks for is refused at the n-th call, and files and clocks fail (torture.py): some n each
# day, more in the thorough form, all in the long form.
set -eu
: "${top_srcdir:=.}"
. "$top_srcdir/tests/kit/kit.sh"
. "$top_srcdir/tests/kit/python.sh"
case $(uname -sm) in
'Linux x86_64') ;;
*) skip "system calls are stopped on Linux and x86-64" ;;
esac
# shellcheck disable=SC2086
${CC:-cc} -D_GNU_SOURCE -std=c11 -O1 -shared -fPIC "$top_srcdir/tests/kit/torture.c" -o torture.so -ldl || skip "the C library is not glibc"

# torture KIND STRIDE [WORK]...
torture() {
    kind=$1
    shift
    LD_PRELOAD=$PWD/torture.so POLHODE_TORTURE=$kind:0 POLHODE_TORTURE_FROM=/libpolhode $python "$top_srcdir/tests/python/torture.py" "$@" \
        > log 2>&1 || fail "$kind:"
    sed "s/^/$kind: /" log
}
stride=151
kinds=
test -z "${POLHODE_CHECK_THOROUGH:-}" || stride=23
test -z "${POLHODE_CHECK_LONG:-}" || stride=1 kinds="write fsync rename open truncate clock"
torture malloc $stride
for kind in $kinds; do
    torture "$kind" 1 runs sweeps
done
