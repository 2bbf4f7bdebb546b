#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The viewer: its page as a file, made from the sources that are there; and, thoroughly, its parts under Node, and the page in a headless Chromium, with archives that
# the program has written: what it shows against `polhode info` and the archive's rows. Pictures stay in tests/viewer/shots.
set -eu
: "${top_srcdir:=.}" "${top_builddir:=.}"
failed=0
fail() {
    echo "FAIL: $*"
    failed=1
}
. "$top_srcdir/tests/kit/untried.sh"

# ---- The page as a file
page=$top_srcdir/viewer/viewer.html
test "$(wc -c < "$page")" -le 1500000 || fail "the page has $(wc -c < "$page") bytes, more than 1.5 MB"
test "$(grep -c '^<!-- polhode: archives -->$' "$page")" -eq 1 || fail "the page has no single place for archives"
grep -q "Content-Security-Policy.*default-src 'none'" "$page" || fail "the page may load from elsewhere"
for name in three sql.js uplot fflate; do
    grep -q "^$name [0-9]\|<pre>$name [0-9]" "$page" || fail "the licence of $name is not in the page"
done
grep -o '<\(script\|link\|img\|iframe\)[^>]* \(src\|href\)=[^>]*>' "$page" && fail "the page refers to other files"
# Both files have the hash of their sources, so that a change that is not bundled is seen without Node.
hash=$(cd "$top_srcdir/viewer" && find build.mjs package.json package-lock.json src -type f | LC_ALL=C sort | xargs sha256sum | sha256sum)
for made in viewer.html figures.js; do
    said=$(sed -n 's/.*sources: sha256 \([0-9a-f]*\).*/\1/p' "$top_srcdir/viewer/$made" | head -n 1)
    test "$said" = "${hash%% *}" || fail "viewer/$made is made from other sources than those in viewer/: make viewer"
done
if test -z "${POLHODE_CHECK_THOROUGH:-}"; then
    exit $failed
fi

# ---- Node, its packages, Chromium
command -v node > /dev/null 2>&1 && command -v npm > /dev/null 2>&1 || skip "the viewer in a browser: there is no node, or no npm"
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
test -n "$chromium" || skip "the viewer in a browser: there is no Chromium"
top_srcdir=$(cd "$top_srcdir" && pwd)
top_builddir=$(cd "$top_builddir" && pwd)
work=$top_builddir/tests/viewer/work
shots=$top_builddir/tests/viewer/shots
rm -rf "$work" "$shots"
mkdir -p "$work/viewer" "$shots"
cp -R "$top_srcdir/viewer/src" "$top_srcdir/viewer/test" "$top_srcdir/viewer/build.mjs" "$top_srcdir/viewer/package.json" \
    "$top_srcdir/viewer/package-lock.json" "$work/viewer/"
chmod -R u+w "$work"
cd "$work/viewer"
if test -d "$top_srcdir/viewer/node_modules/playwright-core"; then
    ln -s "$top_srcdir/viewer/node_modules" node_modules
else
    npm ci --no-audit --no-fund --ignore-scripts > npm.log 2>&1 || {
        tail -5 npm.log
        skip "the viewer in a browser: its packages could not be had"
    }
fi

# ---- The bundles are those of the sources; parts under Node
node build.mjs "$work/viewer.html" "$work/figures.js"
cmp "$work/viewer.html" "$top_srcdir/viewer/viewer.html" || fail "viewer/viewer.html is not what its sources give: make viewer"
cmp "$work/figures.js" "$top_srcdir/viewer/figures.js" || fail "viewer/figures.js is not what its sources give: make viewer"
POLHODE=$top_builddir/polhode
POLHODE_TOP=$top_srcdir
export POLHODE POLHODE_TOP
node --test test/*.test.mjs > unit.log 2>&1 || {
    grep -B2 -A30 '^not ok' unit.log | head -100
    fail "node --test"
}
sed -n 's/^# pass /node --test passed: /p' unit.log

# ---- The page in a browser
node test/browser.mjs "$top_builddir/polhode" "$top_srcdir/examples" "$work" "$shots" "$chromium" || fail "the page in a browser"
node test/report.mjs "$top_builddir/polhode" "$top_srcdir/examples" "$work" "$shots" "$chromium" || fail "a report on a phone"
exit $failed
