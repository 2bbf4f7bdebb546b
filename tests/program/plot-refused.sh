#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode plot where something is in its way: a full disk, runs that are being written, growth that was put in, what is damaged, missing or
# refused, no gnuplot.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
# shellcheck source=tests/kit/plots.sh
. "$top_srcdir/tests/kit/plots.sh"

expect 0 "$polhode" plot $archive -o again --quiet

# a full disk: nothing that is there is lost, and no piece is left
cp -R again kept
for format in svg csv; do
    code=0
    (trap '' XFSZ && ulimit -f 4 && exec "$polhode" plot $archive -o again --force --quiet --figure drift --format $format) > out 2> err || code=$?
    test $code -eq 3 || fail "a full disk ends with $code for $format"
    test -s err || fail "a full disk, and no word"
done
diff -r again kept || fail "a full disk took a figure"
test -z "$(find again -name '*.part')" || fail "a piece is left: $(find again -name '*.part')"

# a run that is being written: as far as it goes
sed -e 's/^duration:.*/duration: 400000/' double.yaml > endless.yaml
"$polhode" run --quiet -o endless endless.yaml > /dev/null 2>&1 &
running=$!
has_rows() { "$polhode" plot endless --force --quiet --format csv --figure energy -o first; }
await has_rows
expect 0 "$polhode" plot endless -o while --format csv,svg
says out "energy error at most" "rows as a line"
kill -INT "$running"
wait "$running" || true
running=
expect 0 "$polhode" plot endless -o after --format csv --figure energy --quiet
test "$(wc -l < after/energy.csv)" -ge "$(wc -l < first/energy.csv)" || fail "a figure has become shorter"

# growth that was put in
if test -n "$python"; then
    for case in "flat|bounded: it does not grow" "walk|like t^0.50 ± 0.01, about the square root of time" "linear|grows in proportion to time"; do
        cp classic/double.polhode made.polhode
        $python "$top_srcdir/tests/program/grow.py" made.polhode "${case%%|*}"
        expect 0 "$polhode" plot made.polhode --figure energy --force
        says out "${case#*|}"
    done
    $python "$top_srcdir/tests/program/grow.py" made.polhode zero
    expect 2 "$polhode" plot made.polhode --figure energy --force
    says err "energy error zero at all rows"
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
says err "again/energy.svg: exists already" "--force"
cmp again/energy.svg kept.svg || fail "a figure was overwritten"
expect 2 "$polhode" plot
says err "an archive is missing"
expect 2 "$polhode" plot $archive --figure enrgy
says err "did you mean 'energy'?"
expect 2 "$polhode" plot $archive --figure section
says err "it has no events"
expect 2 "$polhode" plot $archive --columns energie -o wrong
says err "energie"
# of several that are named one cannot be made: nothing is read or written
expect 2 "$polhode" plot $archive --figure energy --figure section -o wrong
says err "section: " "it has no events"
test ! -e wrong || fail "a figure that cannot be made leaves a directory"
expect 2 "$polhode" plot $archive --columns energy --against -o wrong
expect 2 "$polhode" plot $archive --format gif -o wrong
says err "unknown format 'gif': svg, pdf, png, csv"
expect 2 "$polhode" plot $archive --terminal -o wrong
for span in 5 5:2 a:b : 1:2:3 :nan; do
    case $span in
    :) expect 0 "$polhode" plot $archive --span $span -o all --format csv --figure energy --quiet ;;
    *) expect 2 "$polhode" plot $archive --span $span -o wrong
        says err "it takes FROM:TO in seconds" ;;
    esac
done
expect 2 "$polhode" plot $archive --span 1000:2000 -o wrong --figure trajectory
expect 2 "$polhode" plot double.yaml
expect 2 "$polhode" plot missing.polhode
head -c 3000 $archive > cut.polhode
expect 2 "$polhode" plot cut.polhode
expect 3 "$polhode" plot $archive -o missing/figures
# a name with the ending of a format is a file: of one figure
expect 2 "$polhode" plot $archive -o fig.pdf
says err "fig.pdf is a file for one figure" "--figure NAME"
expect 2 "$polhode" plot $archive -o fig.pdf --figure energy --figure drift
expect 2 "$polhode" plot $archive -o fig.csv --figure energy
says err "fig.csv" "-o DIR --format csv"
expect 2 "$polhode" plot $archive -o fig.pdf --figure energy --format svg
says err "--format svg: fig.pdf"
test ! -e fig.pdf && test ! -e fig.csv || fail "what was refused has been made"
: > file
expect 3 "$polhode" plot $archive -o file
expect 0 "$polhode" plot --list
says out "energy" "columns: step and newton_passes"

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
