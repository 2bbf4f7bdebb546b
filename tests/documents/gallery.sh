#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The pictures of the gallery are those that this program draws, within a pixel, and its figures those of the runs; a changed scenario or
# figure is noticed.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
test -n "$python" || skip "there is no python3"
gallery=$top_srcdir/doc/gallery
names="flip nutation double-pendulum beats rope whip cable particles quadrotor collapse"
test -z "${POLHODE_CHECK_THOROUGH-}" || names= # all: also the section and the rattleback, which take longer than the others together
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
test "$(ls "$gallery"/*.svg | wc -l)" -eq 12 || fail "there are not twelve pictures"
exit $failed
