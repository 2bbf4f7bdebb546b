#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The pictures of the gallery are those that this program draws, within a pixel, and its figures those of the runs; a changed scenario or
# figure is noticed. Each has a page that shows it in motion, the same bytes each time.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
test -n "$python" || skip "there is no python3"
gallery=$top_srcdir/doc/gallery
names="flip nutation double-pendulum beats rope whip cable particles quadrotor collapse spring hoop mirror bodies disk spins drift-map"
test -z "${POLHODE_CHECK_SHORT-}" || names="flip beats whip"
test -z "${POLHODE_CHECK_THOROUGH-}" || names= # all: also the section, the rattleback and two sweeps, which take longer than the others together
# shellcheck disable=SC2086
expect 0 $python "$gallery/make.py" --check "$polhode" "$gallery" "$top_srcdir/examples" $names
cp -R "$gallery" changed
chmod -R u+w changed
sed -i 's/omega: \[\[0, 0, 100\]\]/omega: [[0, 0, 110]]/' changed/nutation.yaml
expect 1 $python changed/make.py --check "$polhode" changed "$top_srcdir/examples" nutation
says err "changed/nutation.svg is not what the program draws"
sed -i 's/8.9 m.s after 0.39 s/9.8 m\/s after 0.39 s/; s/at most 8e-12/at most 8e-13/' changed/index.md
expect 1 $python changed/make.py --check "$polhode" changed "$top_srcdir/examples" whip
says err 'does not state "8.9 m/s after 0.39 s"'
expect 1 $python changed/make.py --check "$polhode" changed "$top_srcdir/examples" beats
says err "the energy error is"
for picture in "$gallery"/*.svg; do
    test "$(wc -c < "$picture")" -lt 130000 || fail "$picture is large"
    grep -q '<title>..*</title>' "$picture" || fail "$picture has no title"
    grep -q "(${picture##*/})" "$gallery/index.md" || fail "index.md is without $picture"
done
test "$(ls "$gallery"/*.svg | wc -l)" -eq 21 || fail "there are not twenty-one pictures"

# ---- In motion
views() { $python "$gallery/views.py" "$polhode" "$gallery" "$top_srcdir/examples" "$@"; }
# shellcheck disable=SC2086
views views ${names:+flip rattleback} || fail "views.py ends with $?"
views again flip rattleback
for name in flip rattleback; do
    cmp "views/$name.html" "again/$name.html" || fail "the view of $name is not the same the second time"
    test "$(wc -c < "views/$name.html")" -lt 2800000 || fail "the view of $name is large"
done
test "$(grep -c 'application/vnd.polhode' views/rattleback.html)" -ge 2 || fail "the rattleback has not both of its ways"
$python - views/*.html << 'END' || fail "a view is not what it should be"
import base64, re, sqlite3, sys
for page in sys.argv[1:]:
    with open(page) as file:
        scripts = re.findall(r'<script type="application/vnd.polhode"[^>]*>\n([A-Za-z0-9+/=\n]*)</script>', file.read())
    assert scripts, page
    for script in scripts:
        with open("kept.polhode", "wb") as file:
            file.write(base64.b64decode(script))
        base = sqlite3.connect("kept.polhode")
        meta = dict(base.execute("SELECT key, value FROM meta"))
        rows = base.execute("SELECT sum(n) FROM blocks").fetchone()[0]
        assert "scene" in meta and meta["status"] in ("ok", "stopped"), (page, meta)  # by an event
        assert not {"created", "session", "source"} & set(meta), (page, meta)
        assert rows > 150, (page, rows)
        base.close()
END
for picture in "$gallery"/*.svg; do
    name=$(basename "$picture" .svg)
    grep -q "^    \"$name\": " "$gallery/views.py" || fail "views.py is without $name"
done
sed 's/every: 60000/every: 50000/' "$gallery/section.yaml" > changed/section.yaml
expect 1 $python changed/views.py "$polhode" changed "$top_srcdir/examples" views section
says err 'the scenario has no "every: 60000"'
exit $failed
