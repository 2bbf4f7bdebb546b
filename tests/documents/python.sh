#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The reference of the Python package and the table of the names of C in Python are those of this package, which doc/python-reference.py
# makes; it notices where they are not.
set -eu
: "${top_srcdir:=.}"
. "$top_srcdir/tests/kit/kit.sh"
. "$top_srcdir/tests/kit/python.sh"

headers=$top_srcdir/include/polhode
make_pages() {
    expect "$1" $python "$top_srcdir/doc/python-reference.py" "$2" "$headers" ${3:-}
}
make_pages 0 "$top_srcdir/doc" --check

# a signature, a text and a name that are other than those of the package
cp -R "$top_srcdir/doc" changed
chmod -R u+w changed
sed -i 's/^`run(source=None/`run(sources=None/' changed/reference/python.md
sed -i 's/^| `ph_system_energy` .*/| `ph_system_energy` | `lib.ph_system_energy` |/' changed/reference/python-names.md
for page in python python-names; do
    ! cmp -s "$top_srcdir/doc/reference/$page.md" "changed/reference/$page.md" || fail "$page.md has nothing to change"
done
make_pages 1 changed --check
says err "changed/reference/python.md" "changed/reference/python-names.md" "make tables"
make_pages 0 changed
diff -r "$top_srcdir/doc" changed > different || { fail "the pages are not written again as they were:"; head different; }

# each function of the headers has a row, and what is linked is there
grep -h -o '^PH_API [^(]*\<ph_[a-z0-9_]*(' "$headers"/*.h "$headers"/*/*.h | sed 's/.*\<\(ph_[a-z0-9_]*\)($/\1/' | sort -u > functions
sed -n 's/^| `\(ph_[a-z0-9_]*\)` | .*/\1/p' "$top_srcdir/doc/reference/python-names.md" | sort > rows
test "$(wc -l < functions)" -gt 500 || fail "hardly a function is found"
comm -23 functions rows > missing
test ! -s missing || { fail "without a row:"; cat missing; }
sort -u rows | cmp -s - rows || fail "a name has two rows"
grep -h '^##* ' "$top_srcdir/doc/reference/python.md" | sed 's/^#* //; s/[^A-Za-z0-9_ -]//g' | tr 'A-Z ' 'a-z-' | sort > headings
sort -u headings | cmp -s - headings || { fail "two headings have one anchor:"; uniq -d headings; }
{
    grep -o '](#[^)]*)' "$top_srcdir/doc/reference/python.md" | sed 's/](#\(.*\))/\1/'
    grep -o '](python.md#[^)]*)' "$top_srcdir/doc/reference/python-names.md" | sed 's/](python.md#\(.*\))/\1/'
} | sort -u | comm -23 - headings > missing
test ! -s missing || { fail "links to no heading:"; cat missing; }

# a docstring that names what no header has
cp -R "$(cd "$top_builddir/python/polhode" && pwd)" polhode 2> /dev/null
chmod -R u+w polhode
sed 's/``ph_model_find``/``ph_model_fnd``/' polhode/_catalogue.py > other && mv other polhode/_catalogue.py
PYTHONPATH=$dir make_pages 1 changed --check
says err "docstrings name what no header has: ph_model_fnd"

# the example of the table
sed '/^```/d' "$top_srcdir/doc/reference/python-names.md" > names.txt
$python -m doctest names.txt > log 2>&1 || { fail "the example of python-names.md:"; cat log; }
exit $failed
