#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The reference is made without a warning, and every function that a public header exports is in it with a
# description; so is every structure.
set -eu
: "${top_srcdir:=.}" "${top_builddir:=.}" "${DOXYGEN:=doxygen}"
. "$top_srcdir/tests/kit/untried.sh"
LC_ALL=C
export LC_ALL
if test "$DOXYGEN" = no || ! command -v "$DOXYGEN" > /dev/null 2>&1; then
    skip "there is no Doxygen"
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() {
    echo "FAIL: $*"
    failed=1
}

{
    cat "$top_builddir/doc/api/Doxyfile"
    echo "OUTPUT_DIRECTORY = $dir"
    echo "GENERATE_XML = YES"
    echo "XML_PROGRAMLISTING = NO"
} > "$dir/Doxyfile"
"$DOXYGEN" "$dir/Doxyfile" > "$dir/log" 2>&1 || fail "Doxygen ends with status $?"
test ! -s "$dir/log" || { fail "Doxygen says:"; cat "$dir/log"; }
for page in index annotated globals md_doc_theory_discrete; do
    test -s "$dir/html/$page.html" || fail "there is no $page.html"
done

# what is described: a name and, on the line after its <briefdescription>, a text
sed -n 's/^PH_API [^(]*[ *]\(ph_[a-z0-9_]*\)(.*/\1/p' "$top_srcdir"/include/polhode/*.h | sort > "$dir/declared"
awk '/<memberdef kind="function"/ { name = "" }
    /^ *<name>/ && name == "" { gsub(/ *<\/?name>/, ""); name = $0 }
    /<briefdescription>/ { if ((getline) > 0 && /<para>./) print name }' "$dir"/xml/*_8h.xml | grep '^ph_' | sort -u > "$dir/described"
test "$(wc -l < "$dir/declared")" -gt 50 || fail "hardly a function is declared"
comm -23 "$dir/declared" "$dir/described" > "$dir/missing"
test ! -s "$dir/missing" || { fail "without a description:"; cat "$dir/missing"; }
sed -n 's/^typedef struct \(ph_[a-z_]*\) {$/\1/p' "$top_srcdir"/include/polhode/*.h > "$dir/structures"
test -s "$dir/structures"
while read -r structure; do
    test -s "$dir/html/struct$(echo "$structure" | sed 's/_/__/g').html" || fail "struct $structure is not in the reference"
done < "$dir/structures"
# a filter that breaks is no error to Doxygen, but leaves nothing behind
grep -q 'success' "$dir/xml/status_8h.xml" || fail "the status codes have no texts"
exit $failed
