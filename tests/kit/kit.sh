# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the tests of the program: where things are, a directory for each test, and how failures are reported.
# Sets top_srcdir, top_builddir (absolute), polhode, dir; ends the test as skipped where there is no program. tests/kit/untried.sh
# has what is done where something cannot be tried.
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
failed=0
running= # a process to be ended with the test
# whatever its last command was, a test in which something failed fails
trap 'code=$?; test -z "$running" || kill -KILL "$running" 2> /dev/null || true; rm -rf "$dir"
    test "$code" -ne 0 || exit "$failed"' EXIT
cd "$dir"

need_program() {
    test -x "$polhode" || skip "the program was not built"
}

fail() {
    echo "FAIL: $*"
    failed=1
}
# shellcheck source=tests/kit/untried.sh
. "$top_srcdir/tests/kit/untried.sh"

# expect STATUS COMMAND...: run; output in out and err
expect() {
    want=$1
    shift
    code=0
    "$@" > out 2> err || code=$?
    test "$code" -eq "$want" || { fail "exit status $code, not $want: $*"; cat out err; }
}

# says FILE TEXT...: every text is in the file; one process for all of them
says() {
    file=$1
    shift
    said=$(cat "$file")
    for text; do
        case $said in
        *"$text"*) ;;
        *) fail "$file does not say \"$text\":"; printf '%s\n' "$said" ;;
        esac
    done
}

# await COMMAND...: until it succeeds; two minutes at most, which only a test that fails takes
await() {
    waited=0
    until "$@" > /dev/null 2>&1; do
        test $waited -lt 1200 || { fail "waited in vain for: $*"; return 0; }
        sleep 0.1
        waited=$((waited + 1))
    done
}

# is_empty FILE...
is_empty() {
    for file; do
        test ! -s "$file" || { fail "$file should be empty:"; cat "$file"; }
    done
}

# Permissions bind this: for commands that must not get into a place that is closed, also where root runs the tests. Empty
# for others; may_be_closed says whether it can be had.
bound=
if test "$(id -u)" -eq 0; then
    bound="setpriv --bounding-set=-dac_override,-dac_read_search"
fi
may_be_closed() {
    mkdir closed.probe
    chmod a-w closed.probe
    code=0
    $bound true 2> closed.err || code=1
    $bound sh -c ': > closed.probe/x' 2> closed.err && code=1
    rm -rf closed.probe closed.err
    return $code
}

# python_with MODULE...: the path of a Python that has these modules, or nothing. The system's own comes first, and a path
# stands for a name: what version managers put into PATH takes ten times as long to start.
python_with() {
    for candidate in /usr/bin/python3 python3 python; do
        if $candidate -c "import sys$(printf ', %s' "$@"); print(sys.executable)" 2> /dev/null; then
            return 0
        fi
    done
}

# json FILE EXPRESSION: a Python expression of the summary s is true (where there is Python)
python=$(python_with json)
json_untried=
json() {
    if test -z "$python"; then
        test -n "$json_untried" || not_tried "what JSON has in it: there is no Python"
        json_untried=yes
        return 0
    fi
    $python -I -S - "$1" "$2" << 'END' || fail "$1: not so: $2"
import json, math, sys
def refuse(word):
    raise ValueError(word)
s = json.load(open(sys.argv[1]), parse_constant=refuse)
sys.exit(0 if eval(sys.argv[2]) else 1)
END
}
