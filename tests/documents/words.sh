#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The words of the manual, the public headers and the messages: turns of phrase that CONTRIBUTING.md ("Words") replaces, as far as a pattern
# can find them without a mistake; and the length of an entry of CHANGELOG.md.
set -eu
: "${top_srcdir:=.}"
LC_ALL=C.UTF-8
export LC_ALL
cd "$top_srcdir"
failed=0
fail() {
    echo "FAIL: $*"
    failed=1
}

manual=$(find README.md CHANGELOG.md doc -name '*.md' ! -path 'doc/api/*')
headers=$(echo include/polhode/*.h include/polhode/*/*.h)
sources=$(find lib tools bench integrators -name '*.[ch]')

# never PATTERN BETTER: in no text of the manual, comment of a public header, or string of a source
never() {
    pattern=$1 better=$2
    # shellcheck disable=SC2086
    found=$({
        grep -n -H -E -e "$pattern" $manual $headers
        grep -n -H -E -e "\"([^\"]* )?($pattern)" $sources
    } | grep -v -E -e '\b([Rr]ecommend|[Aa]mend|[Cc]ommend)' || true)
    test -z "$found" || {
        fail "$better:"
        echo "$found" | cut -c1-200
    }
}
never '(^|[.:;|] |\* )Of [[:alnum:]]' 'a sentence begins with "Of": write For, With, In, or begin with the subject'
never '\bdear(er)?\b' 'write expensive'
never '\banew\b' 'write again'
never '\bmend(s|ed|ing)?\b' 'write fix, correct, repair'
never '\b(goes|go|going) on\b' 'write continues, advances'
never '\b(is|are) there already\b' 'write exists already'
never '\b(is|are) told\b' 'write is reported, is given'
never '\bfrom [01] on\b' 'write at least'
never '\bwhence\b' 'write from which'
never '\bstands still\b' 'write is constant, is at rest'

# an entry of CHANGELOG.md has at most 15 lines; detail is in the log of git
awk '/^## / { if (name && n > 15) { print name ": " n " lines"; bad = 1 } name = $0; n = 0; next }
    NF { n++ }
    END { if (n > 15) { print name ": " n " lines"; bad = 1 } exit bad }' CHANGELOG.md || fail "an entry of CHANGELOG.md is too long"
exit $failed
