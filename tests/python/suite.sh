#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tests/python/test_*.py by pytest, with warnings as errors, and the examples in the package's docstrings.
set -eu
: "${top_srcdir:=.}"
. "$top_srcdir/tests/kit/kit.sh"
. "$top_srcdir/tests/kit/python.sh"
$python -c 'import pytest' 2> /dev/null || skip "$python has no pytest"

# tested ARGUMENT...: from this directory, which is removed afterwards
tested() {
    $python -m pytest -q -p no:cacheprovider --rootdir="$dir" --basetemp="$dir/files" -W error --durations=10 --durations-min=1 "$@" > log 2>&1 ||
        fail "pytest"
    # the dots of pytest say nothing in a log
    grep -v '^[.s]* *\[ *[0-9]*%\]$' log || true
    # as Check's suites report, for scripts/test
    tail -n 1 log | awk '{ for (i = 2; i <= NF; i++) n[substr($i, 1, 4)] = $(i - 1) }
        END { printf "Python: Checks: %d, Failures: %d, Errors: %d\n", n["pass"] + n["fail"] + n["erro"], n["fail"], n["erro"] }'
    # what was skipped is named, and counted by scripts/test
    sed -n 's/^SKIPPED \[[0-9]*\] \([^:]*\/\)*\([^:/]*\):[0-9]*: /\2: /p' log > skips
    while read -r line; do
        not_tried "$line"
    done < skips
}
mkdir tests docstrings
(cd tests && tested -rs "$top_srcdir/tests/python" && exit $failed) || failed=1
(cd docstrings && tested --doctest-modules "$top_builddir/python/polhode" && exit $failed) || failed=1
