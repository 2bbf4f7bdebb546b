#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Random calls of everything public in the Python package do not crash it: some seconds of them, the same ones each day, an hour in the
# long form.
set -eu
: "${top_srcdir:=.}"
. "$top_srcdir/tests/kit/kit.sh"
. "$top_srcdir/tests/kit/python.sh"

seconds=5
test -z "${POLHODE_CHECK_LONG:-}" || seconds=3600
$python "$top_srcdir/tests/python/fuzz.py" $seconds > log 2>&1 || fail "random calls:"
test $failed -eq 0 || cat log
grep ' calls, ' log
