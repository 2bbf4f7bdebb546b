# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the tests of the program: where things are, a directory of one's own, and how failures are told.
# Sets top_srcdir, top_builddir (absolute), polhode, dir; ends the test as skipped where there is no program.
: "${top_srcdir:=.}" "${top_builddir:=.}"
top_srcdir=$(cd "$top_srcdir" && pwd)
top_builddir=$(cd "$top_builddir" && pwd)
polhode=$top_builddir/polhode
# the program itself where libtool's wrapper, which takes as long again to start, stands for it
if test -x "$top_builddir/.libs/polhode"; then
    polhode=$top_builddir/.libs/polhode
    LD_LIBRARY_PATH=$top_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
fi
dir=$(mktemp -d)
running= # a process to be ended with the test
trap 'test -z "$running" || kill -KILL "$running" 2> /dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
failed=0

need_program() {
    if ! test -x "$polhode"; then
        echo "skipped: the program was not built"
        exit 77
    fi
}

fail() {
    echo "FAIL: $*"
    failed=1
}

# expect STATUS COMMAND...: run; output in out and err
expect() {
    want=$1
    shift
    code=0
    "$@" > out 2> err || code=$?
    test "$code" -eq "$want" || { fail "exit status $code, not $want: $*"; cat out err; }
}

# says FILE TEXT...: every text is in the file
says() {
    file=$1
    shift
    for text; do
        grep -q -F -e "$text" "$file" || { fail "$file does not say \"$text\":"; cat "$file"; }
    done
}

# is_empty FILE...
is_empty() {
    for file; do
        test ! -s "$file" || { fail "$file should be empty:"; cat "$file"; }
    done
}

# json FILE EXPRESSION: a Python expression of the summary s is true (where there is Python)
python=
for candidate in python3 python; do
    if test -z "$python" && $candidate -c 'import json' 2> /dev/null; then
        python=$candidate
    fi
done
test -n "$python" || echo "no Python: JSON is not checked"
json() {
    test -n "$python" || return 0
    $python - "$1" "$2" << 'END' || fail "$1: not so: $2"
import json, math, sys
def refuse(word):
    raise ValueError(word)
s = json.load(open(sys.argv[1]), parse_constant=refuse)
sys.exit(0 if eval(sys.argv[2]) else 1)
END
}
