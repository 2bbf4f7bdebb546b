#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Commands of the program, and the Python package, while memory, files and clocks fail at the n-th call (torture.py): the same sample of
# n each day, another one in the thorough form, all in the long form.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
if test "${POLHODE_SANITIZERS:-}" = yes; then
    echo "skipped: a sanitizer has its own memory"
    exit 77
fi
case $(uname -sm) in
'Linux x86_64') ;;
*) skip "system calls are stopped on Linux and x86-64" ;;
esac
python=$(python_with json sqlite3)
test -n "$python" || skip "there is no Python with sqlite3"
# shellcheck disable=SC2086
${CC:-cc} -D_GNU_SOURCE -std=c11 -O1 -shared -fPIC "$top_srcdir/tests/kit/torture.c" -o torture.so -ldl || skip "the C library is not glibc"

set -- --runs 150
test -z "${POLHODE_CHECK_THOROUGH:-}" || set -- --runs 2500 --seed "${SEED:-1}"
test -z "${POLHODE_CHECK_LONG:-}" || set --
$python "$top_srcdir/tests/program/torture.py" "$top_builddir" torture.so "$@" > log 2>&1 || fail "$*:"
cat log
