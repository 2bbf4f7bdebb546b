#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode plot: figures whose numbers are those of polhode export; growth that was put in is found; the same bytes twice; what is
# damaged, missing or refused.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
python=$(python_with sqlite3)
command -v gnuplot > /dev/null || skip "there is no gnuplot"

sed -e 's/^duration:.*/duration: 30/' -e '/^output:/d' -e '$aoutput: {every: 0.02}' "$top_srcdir/examples/double-spherical-pendulum.yaml" > double.yaml
expect 0 "$polhode" run --quiet double.yaml
expect 0 "$polhode" run --quiet --set method=rk4 -o classic double.yaml
archive=double.out/double.polhode

# all figures, twice with the same bytes, in all formats
expect 0 "$polhode" plot $archive
says out "Written: double.out/double.plots/energy.svg" "energy error at most" "conserved to rounding" "section: left out"
expect 0 "$polhode" plot double.out -o again --format svg,csv,pdf,png --quiet
is_empty out
for name in energy momentum constraint trajectory phase newton; do
    for ending in svg csv; do
        cmp again/$name.$ending double.out/double.plots/$name.$ending || fail "$name.$ending has other bytes"
    done
    test "$(head -c 5 again/$name.pdf)" = %PDF- || fail "$name.pdf is none"
    test "$(head -c 4 again/$name.png | tail -c 3)" = PNG || fail "$name.png is none"
done
test ! -e again/velocities.svg || fail "a figure without data"
expect 0 "$polhode" plot double.out -o pdf --format pdf --quiet --figure energy --figure trajectory
ls pdf > names
test "$(tr '\n' ' ' < names)" = "energy.pdf trajectory.pdf " || fail "other figures than those that were named"
cmp pdf/energy.pdf again/energy.pdf || fail "a PDF has other bytes"
says again/energy.svg "energy error, relative" "time t [s]" "10<"

# the numbers
if test -n "$python"; then
    expect 0 "$polhode" export $archive -o rows.csv --quiet
    expect 0 "$polhode" plot $archive -o again --columns energy,q1x --quiet
    expect 0 $python "$top_srcdir/tests/program/plot.py" rows.csv again
else
    not_tried "the numbers behind figures: there is no python3"
fi

# several archives, columns that are computed, one against the other
expect 0 "$polhode" plot double.out classic -o both --format svg,csv
says out "rk4, order 4"
says both/energy.svg "variational, order 2, h = 0.01 s" "rk4, order 4, h = 0.01 s"
test -s both/energy-1.csv -a -s both/energy-2.csv || fail "a table is missing"
expect 0 "$polhode" plot classic -o tensions --figure tension --quiet
says tensions/tension.csv "tension1_least[N]" "tension2_largest[N]"
expect 0 "$polhode" plot classic -o against --columns pi1z,q1z --against --quiet
says against/columns.csv "t[s],pi1z[kg m^2/s],q1z"

# as text
COLUMNS=72 expect 0 "$polhode" plot $archive --terminal --figure energy
says out "1e-4" "time t [s]"
awk 'length > 300 { exit 1 } /energy error at most/ { said = 1 } END { exit !said }' out || fail "a picture in text"

# events
sed 's/^duration:.*/duration: 40/' "$top_srcdir/examples/poincare-section.yaml" > section.yaml
expect 0 "$polhode" run --quiet section.yaml
expect 0 "$polhode" plot section.out --figure section --columns q2x,pi1
says out "1 is section" "2 is level"
says section.out/section.plots/section.csv "t[s],event,q2x,pi1[kg m^2/s]"

# growth that was put in
if test -n "$python"; then
    cat > grow.py << 'END'
import math, sqlite3, struct, sys, zlib
path, law = sys.argv[1:]
archive = sqlite3.connect(path)
names = [name for name, in archive.execute("SELECT name FROM columns ORDER BY i")]
at = names.index("energy_error")
for first, n, rows in list(archive.execute("SELECT first, n, rows FROM blocks")):
    values = list(struct.unpack(f"<{n * len(names)}d", rows))
    for i in range(n):
        t = values[i * len(names)]
        values[i * len(names) + at] = {"flat": 1e-4 * math.cos(7 * t), "walk": 1e-5 * math.sqrt(t), "linear": -1e-6 * t,
                                       "zero": 0.0}[law]
    packed = struct.pack(f"<{len(values)}d", *values)
    archive.execute("UPDATE blocks SET rows = ?, crc32 = ? WHERE first = ?", (packed, zlib.crc32(packed, first), first))
archive.commit()
END
    for case in "flat|bounded: it does not grow" "walk|about as the square root of time, like t^0.50" "linear|in proportion to time, like t^1.00"; do
        cp classic/double.polhode made.polhode
        $python grow.py made.polhode "${case%%|*}"
        expect 0 "$polhode" plot made.polhode --figure energy --force
        says out "${case#*|}"
    done
    $python grow.py made.polhode zero
    expect 2 "$polhode" plot made.polhode --figure energy --force
    says err "nothing to draw"
    # damaged, and without rows
    cp classic/double.polhode broken.polhode
    $python -c 'import sqlite3; a = sqlite3.connect("broken.polhode"); a.execute("UPDATE blocks SET crc32 = crc32 + 1 WHERE first = 0"); a.commit()'
    expect 2 "$polhode" plot broken.polhode --quiet # its only block
    says err "damaged rows are left out"
    cp classic/double.polhode bare.polhode
    $python -c 'import sqlite3; a = sqlite3.connect("bare.polhode"); a.execute("DELETE FROM meta"); a.execute("DELETE FROM blocks"); a.commit()'
    expect 2 "$polhode" plot bare.polhode
    says err "no figure can be drawn"
else
    not_tried "made-up archives: there is no python3 with sqlite3"
fi

# what is refused
cp again/energy.svg kept.svg
expect 3 "$polhode" plot classic -o again
says err "again/energy.svg: exists already (--force)"
cmp again/energy.svg kept.svg || fail "a figure was overwritten"
expect 2 "$polhode" plot
says err "an archive is missing"
expect 2 "$polhode" plot $archive --figure enrgy
says err "did you mean 'energy'?"
expect 2 "$polhode" plot $archive --figure section
says err "it has no events"
expect 2 "$polhode" plot $archive --columns energie -o wrong
says err "energie"
expect 2 "$polhode" plot $archive --columns energy --against -o wrong
expect 2 "$polhode" plot $archive --format gif -o wrong
says err "unknown format 'gif': svg, pdf, png, csv"
expect 2 "$polhode" plot $archive --terminal -o wrong
expect 2 "$polhode" plot double.yaml
expect 2 "$polhode" plot missing.polhode
head -c 3000 $archive > cut.polhode
expect 2 "$polhode" plot cut.polhode
expect 3 "$polhode" plot $archive -o missing/figures
: > file
expect 3 "$polhode" plot $archive -o file
expect 0 "$polhode" plot --list
says out "energy" "columns: newton_passes"

# a scenario whose columns leave the configuration out
expect 0 "$polhode" run --quiet --set 'output.columns=[energy_error]' -o few double.yaml
expect 0 "$polhode" plot few
says out "trajectory: left out: " "columns: [configuration, momentum]"
expect 2 "$polhode" plot few --figure phase

# without gnuplot
mkdir nowhere
expect 3 env PATH="$dir/nowhere" "$polhode" plot $archive -o none --figure energy
says err "gnuplot was not found" "gnuplot-nox" "--format csv"
expect 0 env PATH="$dir/nowhere" "$polhode" plot $archive -o none --figure energy --format csv --quiet
cmp none/energy.csv again/energy.csv || fail "the numbers differ without gnuplot"
