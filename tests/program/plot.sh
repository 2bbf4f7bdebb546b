#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode plot: figures whose numbers are those of polhode export; whole runs and parts of them; labels that are not cut off; the same bytes
# twice; events.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
# shellcheck source=tests/kit/plots.sh
. "$top_srcdir/tests/kit/plots.sh"

# all figures, twice with the same bytes, in all formats
expect 0 "$polhode" plot $archive
says out "Written: double.out/double.plots/energy.svg" "energy error at most" "conserved to rounding" "section: left out"
expect 0 "$polhode" plot double.out -o again --format svg,csv,pdf,png --quiet
is_empty out
for name in energy drift momentum constraint trajectory phase newton; do
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
for name in energy trajectory; do cmp pdf/$name.pdf again/$name.pdf || fail "$name.pdf has other bytes"; done
says again/energy.svg "energy error, relative" "time t [s]" "10<"
# one figure as a file, whose ending is the format
expect 0 "$polhode" plot double.out -o one.svg --figure energy
says out "Written: one.svg"
expect 0 "$polhode" plot double.out -o pdf/one.PDF --figure energy --quiet
cmp one.svg again/energy.svg && cmp pdf/one.PDF again/energy.pdf || fail "a figure as a file has other bytes"
expect 0 "$polhode" plot double.out -o column.png --columns energy --quiet
test -f column.png && test ! -e one.csv || fail "a file, and other files next to it: $(ls)"
expect 3 "$polhode" plot double.out -o one.svg --figure energy
says err "one.svg: exists already" "--force"

# each figure alone has the bytes that it has among all of them, which are made in the same sweeps; so it is with errors that are computed,
# and of several archives
expect 0 "$polhode" run --quiet --set method=rk4 --set 'output.columns=[configuration, momentum]' -o bare-columns double.yaml
for name in energy drift momentum constraint trajectory phase newton; do
    expect 0 "$polhode" plot double.out -o alone --figure $name --format csv --quiet
done
for file in again/*.csv; do cmp "$file" "alone/${file##*/}" || fail "$file has other bytes alone"; done
expect 0 "$polhode" plot bare-columns classic -o together --format csv --quiet
for name in energy drift phase; do
    expect 0 "$polhode" plot bare-columns classic -o alone --figure $name --format csv --quiet
    cmp together/$name-1.csv alone/$name-1.csv || fail "$name of the first of two archives has other bytes alone"
    cmp together/$name-2.csv alone/$name-2.csv || fail "$name of the second of two archives has other bytes alone"
done

# the numbers
if test -n "$python"; then
    expect 0 "$polhode" export $archive -o rows.csv --quiet
    expect 0 "$polhode" plot $archive -o again --columns energy,q1x --quiet
    expect 0 "$polhode" plot $archive -o against --columns q1z,pi1z --against --quiet
    expect 0 $python "$top_srcdir/tests/program/plot.py" numbers rows.csv again
    expect 0 $python "$top_srcdir/tests/program/plot.py" curve rows.csv against/columns.csv q1z pi1z

    # a part of the run, in every figure
    expect 0 "$polhode" plot $archive -o part --span 10:20 --quiet
    for name in drift trajectory phase newton; do
        expect 0 $python "$top_srcdir/tests/program/plot.py" within part/$name.csv 10 20
    done
    says part/energy.svg "time since t = 10 s [s]"
    expect 0 "$polhode" plot $archive -o end --span 25: --figure drift
    says out "all 501 rows"
    expect 0 $python "$top_srcdir/tests/program/plot.py" within end/drift.csv 25 30
else
    not_tried "the numbers behind figures: there is no python3"
fi

# several archives, columns that are computed, one against the other
expect 0 "$polhode" plot double.out classic -o both --format svg,csv
says out "rk4, order 4"
sed 's/\xc2\xa0/ /g' both/energy.svg > labels.svg
says labels.svg "variational, order 2" "rk4, order 4" "h = 0.01 s" bounded
test -s both/energy-1.csv -a -s both/energy-2.csv || fail "a table is missing"
expect 0 "$polhode" plot classic -o tensions --figure tension --quiet
says tensions/tension.csv "tension1_least[N]" "tension2_largest[N]"
expect 0 "$polhode" plot classic -o against-classic --columns pi1z,q1z --against --quiet
says against-classic/columns.csv "t[s],q1z,pi1z[kg m^2/s]"
expect 0 "$polhode" plot classic -o with-t --columns t,energy --quiet --format csv
expect 0 "$polhode" plot classic -o without-t --columns energy --quiet --format csv
cmp with-t/columns.csv without-t/columns.csv || fail "t among the columns changes the figure"
expect 0 "$polhode" plot classic -o over-t --columns energy,t --against --quiet --format csv
expect 2 "$polhode" plot classic -o none --columns t,t --against --quiet
expect 0 "$polhode" plot classic -o named-twice --figure energy --figure energy --quiet --format csv
expect 2 "$polhode" plot classic -o none --figure energy --columns q1x
says err "--columns is for the figures columns and section"

# a system whose third axis points downwards hangs in its figure, too: -z has that name
expect 0 "$polhode" new double-spherical-pendulum -o hanging.yaml --quiet
expect 0 "$polhode" run hanging.yaml --quiet --set duration=20
expect 0 "$polhode" plot hanging.out -o hanging --figure trajectory --format csv --quiet
says hanging/trajectory.csv "x[m],y[m],-z[m]"
awk -F, 'NR > 1 && NF > 4 && $5 != "" { n++; if ($5 + 0 > 0) bad = 1 } END { exit bad || n < 20 }' hanging/trajectory.csv || fail "it stands on its head"

# eight of them: every label is there, in the picture, and over no other
set -- double.out classic
for h in 0.004 0.005 0.008 0.0125 0.02 0.025; do
    expect 0 "$polhode" run --quiet --set step=$h --set duration=5 -o "a-run-with-a-long-name-of-its-directory-$h" double.yaml
    set -- "$@" "a-run-with-a-long-name-of-its-directory-$h"
done
expect 0 "$polhode" plot "$@" -o eight --format svg --quiet
expect 0 "$polhode" plot "$@" -o eight --format svg --quiet --columns energy,q1x,q1y
if test -n "$python"; then
    for name in energy drift trajectory phase columns; do
        expect 0 $python "$top_srcdir/tests/program/plot.py" labels eight/$name.svg 8
    done
    expect 0 $python "$top_srcdir/tests/program/plot.py" labels eight/newton.svg 7 # rk4 solves no equations
    expect 0 $python "$top_srcdir/tests/program/plot.py" labels both/energy.svg 2
fi

# errors that the archive lacks are computed from configuration and momentum, with the same numbers
expect 0 "$polhode" plot bare-columns -o computed --quiet
expect 0 "$polhode" plot classic -o archived --quiet
for name in energy drift momentum constraint; do
    cmp computed/$name.csv archived/$name.csv || fail "$name.csv of computed columns differs from that of archived ones"
done

# more columns than panels
expect 2 "$polhode" plot $archive --columns configuration,momentum,energy -o many
says err "13 columns, and a figure has up to 12 panels"
expect 0 "$polhode" plot $archive --columns configuration,momentum -o many --format svg --quiet
test "$(grep -c 'pi2z' many/columns.svg)" -ge 1 || fail "the twelfth panel is missing"

# six rows to a turn of a conical pendulum: the curve is a circle, and the table has the rows
"$polhode" new spherical-pendulum --preset conical -o cone.yaml --quiet
expect 0 "$polhode" run --quiet --set method.order=4 --set step=0.01 --set duration=1.5 --set 'output={every: 25}' cone.yaml -o cone
expect 0 "$polhode" plot cone --figure trajectory -o cone-plots --format csv,svg
says out "all 7 rows as a line" "Between rows the line follows their velocities (cubic Hermite); the table has the rows."
test "$(awk -F, '$2 == 1' cone-plots/trajectory.csv | wc -l)" -eq 7 || fail "the table has other rows"
if test -n "$python"; then
    expect 0 $python "$top_srcdir/tests/program/plot.py" circle cone-plots/trajectory.svg 7
fi

# events
sed 's/^duration:.*/duration: 40/' "$top_srcdir/examples/poincare-section.yaml" > section.yaml
expect 0 "$polhode" run --quiet section.yaml
expect 0 "$polhode" plot section.out --figure section --columns q2x,pi1
says out "1 is section (" "2 is level ("
test "$(grep -c . section.out/section.plots/section.csv)" -gt 20 || fail "few events"
# each panel shows the coordinate that is free: the angle of q1 stands at the first event, that of q2 at the second
expect 0 "$polhode" plot section.out --figure section -o free --format csv --quiet
head -n 1 free/section.csv | grep -q '^t\[s\],event,angle of q2\[rad\],pi2\[kg m^2/s\],angle of q1\[rad\],pi1\[kg m^2/s\]$' || fail "other columns: $(head -n 1 free/section.csv)"
awk -F, 'NR > 1 && $2 == 1 { if ($3 == "" || $5 != "") bad = 1; a[$3] = 1 }
         NR > 1 && $2 == 2 { if ($5 == "" || $3 != "") bad = 1; b[$5] = 1 }
         END { n = m = 0; for (x in a) n++; for (x in b) m++; exit bad || n < 10 || m < 10 }' free/section.csv || fail "a coordinate that is not free"
expect 0 "$polhode" plot section.out --figure section --span :10 -o early --quiet
expect 2 "$polhode" plot section.out --figure section --span 1000: -o late
expect 2 "$polhode" plot section.out --figure drift --span 1000: -o late
says err "--span 1000:: no row of the archive is in it"
expect 2 "$polhode" plot section.out --span 20:10 -o late
says err "FROM before TO"
expect 2 "$polhode" plot section.out --figure columns -o late
test ! -e late || fail "a directory was made for no figure"
# a file that is there is refused before any other is written
mkdir taken
: > taken/newton.svg
expect 3 "$polhode" plot section.out -o taken
says err "taken/newton.svg: exists already" "--force"
test "$(ls taken)" = newton.svg || fail "figures were written though one is there: $(ls taken)"
: > taken/phase-1.csv
expect 3 "$polhode" plot section.out section.out --figure phase --format csv -o taken
# forces change the energy: that is not called an error
expect 0 "$polhode" run --quiet --set duration=1 "$top_srcdir/examples/driven-chain.yaml" -o driven
expect 0 "$polhode" plot driven --figure drift --figure energy -o driven-plots
says out "The energy change with its sign" "energy change at most"
says driven-plots/drift.svg "energy change"
grep -q "energy error" driven-plots/drift.svg && fail "a change of the energy is called an error"
says section.out/section.plots/section.csv "t[s],event,q2x,pi1[kg m^2/s]"
