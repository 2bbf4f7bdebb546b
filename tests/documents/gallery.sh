#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The pictures of the gallery are those that this program draws, within a pixel, and a changed scenario is noticed.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
test -n "$python" || skip "there is no python3"
gallery=$top_srcdir/doc/gallery
expect 0 $python "$gallery/make.py" --check "$polhode" "$gallery" "$top_srcdir/examples"
cp -R "$gallery" changed
chmod -R u+w changed
sed -i 's/omega: \[\[0, 0, 100\]\]/omega: [[0, 0, 110]]/' changed/nutation.yaml
expect 1 $python changed/make.py --check "$polhode" changed "$top_srcdir/examples"
says err "changed/nutation.svg is not what the program draws"
for picture in "$gallery"/*.svg; do
    test "$(wc -c < "$picture")" -lt 60000 || fail "$picture is large"
    grep -q "(${picture##*/})" "$gallery/index.md" || fail "index.md is without $picture"
done
exit $failed
