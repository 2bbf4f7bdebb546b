#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The manual pages are there, can be read without a warning, have no words that run together, and are true: the
# program's pages have the usage of its help, whole, and every option; the library's names every public header and nothing that is in none, and its example compiles; so does
# the program in README.md.
# POLHODE_PAGES: the pages, as the makefile lists them. POLHODE_MANDIR, POLHODE_INCLUDEDIR, POLHODE_PROGRAM: where things
# are, by default in the build and source trees (tests/program/installcheck.sh has others).
set -eu
: "${top_srcdir:=.}" "${top_builddir:=.}" "${CC:=cc}"
: "${POLHODE_PAGES:=doc/man/polhode.3}" "${POLHODE_MANDIR:=}"
: "${POLHODE_INCLUDEDIR:=$top_srcdir/include}" "${POLHODE_PROGRAM:=$top_builddir/polhode}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() {
    echo "FAIL: $*"
    failed=1
}
. "$top_srcdir/tests/kit/untried.sh"
is_there() {
    command -v "$1" > /dev/null 2>&1
}

# find_page PAGE: its file
find_page() {
    if test -n "$POLHODE_MANDIR"; then
        echo "$POLHODE_MANDIR/man${1##*.}/$(basename "$1")"
    elif test -f "$top_builddir/$1"; then
        echo "$top_builddir/$1"
    else
        echo "$top_srcdir/$1"
    fi
}

# plain FILE: without the escapes that stand between us and the words
plain() {
    sed 's/\\f[BIRP]//g; s/\\-/-/g; s/\\,//g; s:\\/::g; s/\\e/\\/g' "$1"
}

# run_together FILE: lines of the page whose macro sets what follows a sign of punctuation without a space, as
# `.BR ph_system_free ). A system` does
run_together() {
    awk '/^\.(BR|RB|IR|RI|BI|IB) / {
        line = $0
        gsub(/"[^"]*"/, "\"", line)
        n = split(line, word, " ")
        for (i = 2; i < n; i++)
            if (word[i] ~ /[.,;:]$/) { print FNR ": " $0; next }
    }' "$1"
}
# long_words FILE: words of the set page in which a sentence goes on without a space, or that are too long for one
long_words() {
    sed 's/.\x08//g; s/\x1b\[[0-9;]*m//g' "$1" | tr -s ' \t' '\n\n' | grep -v '"' |
        grep -E -e '\)[.,;:][A-Za-z]' -e '[a-z][.,;:][A-Z][a-z]' -e '^[A-Za-z.,;:()]{40,}$'
}
# usages FILE: the usage of the help, a line each
usages() {
    sed -n -e 's/^Usage: //p' -e 's/^  or:  //p' "$1"
}
# synopsis FILE: that of a page without escapes, a line each
synopsis() {
    awk '/^\.SH / { inside = $2 ~ /SYNOPSIS/; next }
        inside && /^\.br/ { print line; line = ""; next }
        inside { sub(/^\.B /, ""); line = line (line == "" ? "" : " ") $0 }
        END { print line }' "$1" | sed 's/ *$//'
}

# ---- The checks themselves find what they are for
printf '.BR ph_a_free ). An integrator\n.BR ph_a_free ).\n.RB ( ph_b ).\n.BR "f: {a: 1}" ,\n' > "$dir/bad"
test "$(run_together "$dir/bad")" = "1: .BR ph_a_free ). An integrator" || fail "run_together is wrong: $(run_together "$dir/bad")"
echo "a ph_archive_close).Anintegratorusesitssystem, and example.yaml (see ph_run(3)), its system.An object" > "$dir/bad"
test "$(long_words "$dir/bad" | wc -l)" = 2 || fail "long_words is wrong: $(long_words "$dir/bad")"

is_there groff || is_there mandoc || is_there man || not_tried "how pages are set: there is no groff, mandoc or man"
for page in $POLHODE_PAGES; do
    file=$(find_page "$page")
    name=$(basename "$page")
    test -s "$file" || { fail "there is no $file"; continue; }
    if is_there groff; then
        groff -man -Tutf8 -ww "$file" 2> "$dir/warnings" > "$dir/text" || fail "groff cannot read $name"
        test ! -s "$dir/warnings" || { fail "groff warns of $name:"; cat "$dir/warnings"; }
        test "$(wc -l < "$dir/text")" -gt 15 || fail "$name is all but empty"
    fi
    if is_there mandoc; then
        mandoc -T lint -W warning "$file" > "$dir/warnings" 2>&1 || { fail "mandoc warns of $name:"; cat "$dir/warnings"; }
    fi
    if is_there man && man --version > /dev/null 2>&1; then
        man -l "$file" > "$dir/text" 2> "$dir/warnings" || fail "man cannot read $name: $(cat "$dir/warnings")"
    fi
    plain "$file" > "$dir/plain"
    run_together "$file" > "$dir/found"
    test ! -s "$dir/found" || { fail "$name: words run together:"; cat "$dir/found"; }
    test ! -s "$dir/text" || ! long_words "$dir/text" > "$dir/found" ||
        { fail "$name: words run together where it is set:"; cat "$dir/found"; }
    for section in NAME SYNOPSIS DESCRIPTION "SEE ALSO"; do
        grep -q "^\.SH \"*$section\"*\$" "$dir/plain" || fail "$name has no section $section"
    done

    # the program's options
    case $name in
        *.1)
            command=$(echo "$name" | sed 's/^polhode-*//; s/\.1$//' | tr - ' ')
            program=$POLHODE_PROGRAM
            test "$command" != mpi || program=$(dirname "$POLHODE_PROGRAM")/polhode-mpi command=sweep
            # shellcheck disable=SC2086
            "$program" $command --help > "$dir/help"
            usages "$dir/help" > "$dir/usages"
            synopsis "$dir/plain" > "$dir/synopsis"
            cmp -s "$dir/usages" "$dir/synopsis" ||
                { fail "$name: the usage of the help (<) and the SYNOPSIS (>) differ:"; diff "$dir/usages" "$dir/synopsis"; }
            grep -o -E -e '(^|[ [])(--[a-z-]+|-[A-Za-z]\>)' "$dir/help" | sed 's/^[ []//' | sort -u > "$dir/options"
            while read -r option; do
                grep -q -e "\\(^\\|[^a-zA-Z-]\\)$option\\([^a-z-]\\|\$\\)" "$dir/plain" || fail "$name does not have $option"
            done < "$dir/options"
            ;;
    esac
done

# ---- The library's page: names of functions, types and headers
plain "$(find_page doc/man/polhode.3)" > "$dir/plain"
grep -o -w -e 'ph_[a-z][a-z0-9_]*' -e 'PH_[A-Z][A-Z0-9_]*' "$dir/plain" | sort -u > "$dir/names"
test "$(wc -l < "$dir/names")" -gt 20 || fail "polhode.3 names hardly anything"
while read -r name; do
    cat "$POLHODE_INCLUDEDIR"/polhode/*.h "$POLHODE_INCLUDEDIR"/polhode/*/*.h | grep -q -w -e "$name" || fail "polhode.3 names $name, which is in no header"
done < "$dir/names"
find "$POLHODE_INCLUDEDIR/polhode" -name '*.h' | sed 's:.*/::' | sort > "$dir/headers"
grep -o -w -e '[a-z]*\.h' "$dir/plain" | grep -v '^stdio' | sort -u > "$dir/named"
diff "$dir/headers" "$dir/named" > "$dir/difference" ||
    { fail "headers (<) and those that polhode.3 names (>):"; grep '^[<>]' "$dir/difference"; }
sed -n '/^\.EX/,/^\.EE/p' "$dir/plain" | sed '/^\.E/d' > "$dir/example.c"
grep -q 'int main' "$dir/example.c" || fail "polhode.3 has no example"
# shellcheck disable=SC2086
$CC -std=c11 -Wall -Wextra -pedantic -Werror -I"$POLHODE_INCLUDEDIR" -c "$dir/example.c" -o "$dir/example.o" ||
    fail "the example of polhode.3 does not compile"

# ---- The program in README.md
sed -n '/^```c/,/^```$/p' "$top_srcdir/README.md" | awk '/^```/ { if (whole) exit; text = ""; next }
    { text = text $0 "\n"; whole = whole || /int main/ } END { printf "%s", text }' > "$dir/readme.c"
grep -q 'int main' "$dir/readme.c" || fail "README.md has no program"
# shellcheck disable=SC2086
$CC -std=c11 -Wall -Wextra -pedantic -Werror -I"$POLHODE_INCLUDEDIR" -c "$dir/readme.c" -o "$dir/readme.o" ||
    fail "the program in README.md does not compile"
exit $failed
