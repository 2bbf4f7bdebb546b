#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The C sources are laid out as .clang-format says, and no line of a public header is longer than 110 columns (the
# formatter leaves comments as they are). Other versions of the formatter lay out some lines differently: only the one
# that CONTRIBUTING.md names is asked. CLANG_FORMAT: another command for it than the first of the list below.
set -eu
: "${top_srcdir:=.}"
LC_ALL=C
export LC_ALL
cd "$top_srcdir"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() {
    echo "FAIL: $*"
    failed=1
}
. tests/kit/untried.sh

# ---- Length of lines
columns=110
test "$(sed -n 's/^ColumnLimit: //p' .clang-format)" = "$columns" || fail ".clang-format has another ColumnLimit than $columns"
find include -name '*.h' | sort > "$dir/headers"
test "$(wc -l < "$dir/headers")" -gt 15 || fail "few public headers were found"
xargs awk -v most="$columns" 'length($0) > most { print FILENAME ":" FNR ": " length($0) " columns" }' < "$dir/headers" > "$dir/long"
test ! -s "$dir/long" || { fail "lines of more than $columns columns:"; cat "$dir/long"; }

# ---- Layout
wanted=$(sed -n 's/.*`clang-format` \([0-9][0-9]*\).*/\1/p' CONTRIBUTING.md)
case $wanted in
    '' | *[!0-9]*) fail "CONTRIBUTING.md does not name one version as: \`clang-format\` NUMBER" ;;
esac
formatter='' found=
for candidate in ${CLANG_FORMAT:-clang-format-$wanted clang-format}; do
    if test -z "$formatter" && "$candidate" --version > "$dir/version" 2>&1; then
        version=$(sed -n 's/.*version \([0-9][0-9]*\)\..*/\1/p' "$dir/version")
        test "$version" != "$wanted" || formatter=$candidate
        found="$found; $candidate is version ${version:-unknown}"
    fi
done
if test -z "$formatter"; then
    test $failed -eq 0 || exit 1
    test -n "$found" || skip "there is no clang-format"
    # not for POLHODE_CHECK_STRICT: a newer system has a newer one
    echo "skipped: there is no clang-format $wanted$found"
    exit 77
fi
sed -n 1p "$dir/version"

find include lib integrators figures bench tools tests examples -name '*.[ch]' | sort > "$dir/sources"
test "$(wc -l < "$dir/sources")" -gt 300 || fail "few sources were found"
if ! xargs "$formatter" --dry-run -Werror < "$dir/sources" > "$dir/log" 2>&1; then
    sed -n 's/^\([^ :]*\.[ch]\):[0-9]*:[0-9]*: error: .*-Wclang-format-violations.*/\1/p' "$dir/log" | sort -u > "$dir/differ"
    if test -s "$dir/differ"; then
        while read -r file; do
            fail "$file is not laid out as .clang-format says"
        done < "$dir/differ"
        echo "this formats them: $formatter -i $(tr '\n' ' ' < "$dir/differ")"
    else
        fail "$formatter:"
        sed -n 1,20p "$dir/log"
    fi
fi
exit $failed
