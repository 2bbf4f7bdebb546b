#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every function and structure of the public headers has a description, and every document below doc/ is distributed. In the thorough
# form, the manual as HTML is made of them without a warning; its formulas use only what MathJax defines; each picture of the gallery
# has its run in motion; no page takes anything from the network.
set -eu
: "${top_srcdir:=.}" "${top_builddir:=.}" "${DOXYGEN:=doxygen}" "${SPHINX:=sphinx-build}" "${MATHJAX:=/usr/share/javascript/mathjax}"
. "$top_srcdir/tests/kit/untried.sh"
LC_ALL=C.UTF-8
POLHODE=$(cd "$top_builddir" && pwd)/polhode
export LC_ALL DOXYGEN SPHINX MATHJAX POLHODE
test -z "${MANUAL_LACKS:-}" || skip "the manual takes$MANUAL_LACKS"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() {
    echo "FAIL: $*"
    failed=1
}

# ---- Made elsewhere than by `make html`, with the same settings
mkdir "$dir/api" "$dir/sphinx"
for file in api/Doxyfile sphinx/conf.py; do
    sed "s|$(cd "$top_builddir" && pwd)/doc|$dir|g" "$top_builddir/doc/$file" > "$dir/$file"
done
sed -i 's|^OUTPUT_DIRECTORY.*|OUTPUT_DIRECTORY = '"$dir"'|' "$dir/api/Doxyfile"
if test -n "${POLHODE_CHECK_THOROUGH-}"; then
    sh "$top_srcdir/doc/sphinx/manual.sh" "$top_srcdir/doc" "$dir" > "$dir/log" 2>&1 || fail "manual.sh ends with status $?"
else
    "$DOXYGEN" "$dir/api/Doxyfile" > "$dir/log" 2>&1 || fail "doxygen ends with status $?"
fi
test ! -s "$dir/log" || { fail "warnings:"; cat "$dir/log"; }
for page in $(cd "$top_srcdir/doc" && find . -name '*.md'); do
    test -z "${POLHODE_CHECK_THOROUGH-}" || test -s "$dir/html/${page%.md}.html" || fail "$page is in no page"
    grep -q "doc/${page#./}" "$top_srcdir/doc/local.mk" "$top_srcdir/tests/local.mk" || fail "doc/${page#./} is not in doc/local.mk, and not distributed"
done

# ---- The headers: what is described has a name and, on the line after its <briefdescription>, a text
sed -n 's/^PH_API [^(]*[ *]\(ph_[a-z0-9_]*\)(.*/\1/p' "$top_srcdir"/include/polhode/*.h "$top_srcdir"/include/polhode/*/*.h | sort > "$dir/declared"
awk '/<memberdef kind="function"/ { name = "" }
    /^ *<name>/ && name == "" { gsub(/ *<\/?name>/, ""); name = $0 }
    /<briefdescription>/ { if ((getline) > 0 && /<para>./) print name }' "$dir"/xml/*_8h.xml | grep '^ph_' | sort -u > "$dir/described"
test "$(wc -l < "$dir/declared")" -gt 50 || fail "hardly a function is declared"
comm -23 "$dir/declared" "$dir/described" > "$dir/missing"
test ! -s "$dir/missing" || { fail "without a description:"; cat "$dir/missing"; }
# a filter that breaks is no error to Doxygen, but leaves nothing behind
grep -q 'success' "$dir/xml/status_8h.xml" || fail "the status codes have no texts"

test -n "${POLHODE_CHECK_THOROUGH-}" || exit $failed

# ---- The pages
test "$(find "$dir/html" -name '*.html' | wc -l)" -ge 25 || fail "hardly a page was made"
sed -n 's/^typedef struct \(ph_[a-z_]*\) {$/\1/p' "$top_srcdir"/include/polhode/*.h "$top_srcdir"/include/polhode/*/*.h > "$dir/structures"
test -s "$dir/structures"
cat "$dir"/html/reference/api/*.html > "$dir/reference"
cat "$dir/declared" "$dir/structures" | while read -r name; do
    grep -q "id=\"c.$name\"" "$dir/reference" || echo "$name"
done > "$dir/missing"
test ! -s "$dir/missing" || { fail "not in doc/reference/api:"; cat "$dir/missing"; }

# ---- The gallery: each picture has its run in motion, which is there; without the program there are the pictures, and a word
page=$dir/html/gallery/index.html
if test -x "$POLHODE"; then
    for picture in "$top_srcdir"/doc/gallery/*.svg; do
        name=$(basename "$picture" .svg)
        grep -q "<details class=\"view\" ontoggle=.*'$name.html'" "$page" || fail "the gallery's page does not show $name in motion"
        grep -q 'application/vnd.polhode' "$dir/html/gallery/$name.html" || fail "gallery/$name.html is no view of a run"
    done
    ! grep -q '<iframe[^>]* src=' "$page" || fail "runs in motion are loaded before they are opened"
    grep -o 'href="[a-z-]*\.html"' "$page" | sed 's/.*"\(.*\)"/\1/' | sort -u > "$dir/linked"
    (cd "$dir/html/gallery" && ls ./*.html | sed 's:^\./::; /^index.html$/d') | diff - "$dir/linked" > "$dir/other" ||
        { fail "the gallery's page links to other pages than there are:"; cat "$dir/other"; }
else
    grep -q 'made without the program' "$page" || fail "the gallery's page does not say why nothing moves"
fi

# ---- Nothing from the network: addresses are where links lead, and no more
find "$dir/html" -name '*.html' -exec grep -H -E '(<(script|img|iframe)[^>]* src|<link[^>]* href)="(https?:)?//' {} + > "$dir/remote" || :
test ! -s "$dir/remote" || { fail "from the network:"; cat "$dir/remote"; }

# ---- Formulas. Each control word is one that MathJax's input defines; a browser, where there is one, draws them all.
grep -o -h -E '<(div|span) class="math [^>]*>' -r "$dir/html" --include='*.html' | wc -l > "$dir/formulas"
test "$(cat "$dir/formulas")" -gt 1000 || fail "only $(cat "$dir/formulas") formulas are found"
# words_used PAGE...: a line each
words_used() {
    cat "$@" | tr '\n' ' ' | sed 's/<\(div\|span\) class="math [^>]*>/\n&/g' |
        sed -n 's/^<\(div\|span\) class="math [^>]*>\([^<]*\)<.*/\2/p' | grep -o '\\[A-Za-z]*' | grep '\\.' | sed 's/^.//' | sort -u
}
# shellcheck disable=SC2046
words_used $(find "$dir/html" -name '*.html') > "$dir/words"
test "$(wc -l < "$dir/words")" -gt 30 || fail "only $(wc -l < "$dir/words") control words are found"
for word in $(cat "$dir/words") begin; do
    grep -q -E "[{,]\"?(\\\\\\\\)?$word\"?:" "$MATHJAX/config/TeX-AMS_SVG.js" || fail "a formula has \\$word, which MathJax does not define"
done
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || browser=
if test -z "$browser"; then
    echo "without a browser, formulas are not drawn"
else
    {
        echo '<!DOCTYPE html><html><head><meta charset="utf-8">'
        sed -n '/x-mathjax-config/p; /MathJax.js/p' "$dir/html/theory/discrete.html" | sed "s|src=\"[./]*/_static|src=\"file://$dir/html/_static|"
        echo '</head><body>'
        for page in $(grep -l -r 'class="math ' "$dir/html" --include='*.html' | sort); do
            tr '\n' ' ' < "$page" | grep -o '<\(div\|span\) class="math [^>]*>[^<]*</\(div\|span\)>'
        done
        echo '</body></html>'
    } > "$dir/formulas.html"
    HOME=$dir "$browser" --headless --no-sandbox --disable-gpu --virtual-time-budget=300000 --dump-dom "file://$dir/formulas.html" \
        > "$dir/drawn" 2> /dev/null || fail "$browser ends with status $?"
    drawn=$(grep -o 'class="MathJax_SVG"' "$dir/drawn" | wc -l)
    test "$drawn" -eq "$(cat "$dir/formulas")" || fail "$drawn of $(cat "$dir/formulas") formulas are drawn"
    grep -o -E 'class="(noError|MathJax_Error|merror)"|(fill|stroke)="red"|Undefined control sequence[^<]*|data-mjx-error="[^"]*"' "$dir/drawn" | sort | uniq -c > "$dir/broken" || :
    test ! -s "$dir/broken" || { fail "formulas are in error:"; cat "$dir/broken"; }
fi
exit $failed
