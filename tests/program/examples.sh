#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every example works as it stands: each scenario runs to its end (long ones are cut short), and the programs that
# embed the library say what they should.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
embed=$top_builddir/examples/embed
tried=0

# value FILE KEY: of a number at the top of a summary
value() {
    sed -n "s/^  \"$2\": \([^,]*\),*\$/\1/p" "$1"
}

# below VALUE BOUND WHAT
below() {
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a != "null" && a + 0 < b + 0) }' || fail "$3 is $1, not below $2"
}

if test -x "$polhode"; then
    for file in "$top_srcdir"/examples/*.yaml; do
        name=$(basename "$file" .yaml)
        tried=$((tried + 1))
        if grep -q '^ensemble:' "$file"; then
            "$polhode" sweep --quiet "$file" > log 2>&1 || fail "the sweep $name: $(cat log)"
            grep -q '"failed": 0,' "$name.out/$name.statistics.json" || fail "members of $name failed"
            "$polhode" export --quiet "$name.out" -o "$name.csv"
            continue
        fi
        # at most ten seconds of the motion
        awk '/^duration:/ && $2 > 10 { $2 = 10 } { print }' "$file" > "$name.yaml"
        if ! "$polhode" run --csv "$name.yaml" > log 2>&1; then
            fail "$name:"
            cat log
            continue
        fi
        # one ends by its event
        grep -q -e '"status": "ok"' -e '"status": "stopped"' "$name.out/summary.json" || fail "$name did not end well"
        below "$(value "$name.out/summary.json" constraint_error_max)" 1e-14 "$name: the constraint error"
        if grep -q '"conservative": true' "$name.out/summary.json"; then
            below "$(value "$name.out/summary.json" energy_error_max)" 1e-3 "$name: the energy error"
        fi
    done
    # what the comments of the files promise
    grep -q '"status": "stopped"' collapse.out/summary.json || fail "the vortices did not meet"
    below "$(awk -F, '$1 == "close" { d = $2 - 8.414406086330864; print d < 0 ? -d : d }' collapse.out/events.csv)" 1e-9 \
        "the time of the event close: its error"
    below "$(awk -F, 'NR > 1 { d = $5 + 0.5; if (d < 0) d = -d; if (d > most) most = d } END { print most + 0 }' \
        conical-pendulum.out/trajectory.csv)" 1e-6 "the height of the cone: its change"
    # half the step: the error of order 4 is a sixteenth. The columns from the fifth on are method, step, mass, energy error
    awk -F, 'NR > 1 && $5 == 2 && $7 == 0.1 { e = $8 < 0 ? -$8 : $8; if ($6 == 0.025 && e > a) a = e; if ($6 == 0.0125 && e > b) b = e }
        END { r = b > 0 ? a / b / 16 : 9; print (r > 1 ? r : 1 / r) }' drift-map.csv > ratio
    below "$(cat ratio)" 1.1 "the drift of order 4 with half the step, times 16: its ratio"
    # a kick in the opposite direction is the same motion half a turn about the vertical: member 399 - i falls to the other side
    awk -F, 'NR > 1 && $4 != 0 { side[$3] = $9; n++ } END { for (i in side) if (side[i] + side[399 - i] != 0) bad++
        print (n < 300 ? 1 : bad + 0) }' top-fate.csv > bad
    below "$(cat bad)" 0.5 "opposite kicks that do not fall to opposite sides: their number"
    # neighbours: slow motions keep together, some quick ones part
    awk -F, 'NR > 1 && $1 == 12 { for (k = 8; k <= 13; k++) { if ($3 % 2) d += ($k - z[k])^2; z[k] = $k } }
        NR > 1 && $1 == 12 && $3 % 2 { if (d > 1e-8) apart++; if (d < 1e-15) close_by++; d = 0 }
        END { print (apart > 20 && close_by > 20 ? 0 : 1) }' chaos-map.csv > bad
    below "$(cat bad)" 0.5 "chaos-map has not both kinds of motion:"
    # the section: the rod is upright or hangs where it is said to be, each point lies between its two steps
    awk -F, 'NR > 1 && $1 == "section" { n++; d = $6 < 0 ? -$6 : $6; if (d > most) most = d; if ($5 != 1) most = 1 }
        END { print (n < 3 ? 1 : most + 0) }' poincare-section.out/events.csv > most
    below "$(cat most)" 1e-14 "the section: its distance from the plane"
    below "$(awk -F, 'NR > 1 { d = $2 - 0.002 * ($3 + $4); if (d < 0) d = -d; if (d > most) most = d } END { print most + 0 }' \
        poincare-section.out/events.csv)" 1e-14 "the section: its time"
    awk '/links: 5/ { seen = 1 } END { exit !seen }' chain.yaml
    test "$(head -n 1 chain.out/trajectory.csv | tr , '\n' | grep -c '^q[0-9]*x')" -eq 5 || fail "the chain has not 5 links"
    # what the archive gives to Python alone is what the csv has
    python=$(python_with numpy sqlite3)
    if test -n "$python"; then
        $python "$top_srcdir/examples/read_archive.py" chain.out/chain.polhode > log || fail "read_archive.py exits with $?"
        $python - chain.out/trajectory.csv > expected << 'END'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
print("rows", len(rows), "to t =", repr(float(rows[-1]["t[s]"])), "s; largest |energy error|",
      repr(max(abs(float(r["energy_error[J]"])) for r in rows)), "J")
END
        cmp log expected || fail "read_archive.py: $(cat log), not $(cat expected)"
        for wrong in "" nothere.polhode; do # no traceback, and no file is left
            # shellcheck disable=SC2086
            ! $python "$top_srcdir/examples/read_archive.py" $wrong > log 2>&1 || fail "read_archive.py accepts '$wrong'"
            grep -q '^usage' log || fail "read_archive.py '$wrong': $(cat log)"
            ! grep -q Traceback log && test ! -e nothere.polhode || fail "read_archive.py '$wrong' leaves something"
        done
    else
        not_tried "read_archive.py: there is no Python with NumPy"
    fi
else
    not_tried "the scenarios: the program was not built"
fi

# by the library alone, the same as by the program
scenario=$top_builddir/examples/scenario
if test -x "$polhode" && test -x "$scenario"; then
    tried=$((tried + 1))
    "$scenario" chain.yaml scenario.out > log || fail "scenario exits with $?"
    for key in time energy_error_max constraint_error_max; do
        test "$(sed -n "s/^$key //p" log)" = "$(value chain.out/summary.json $key)" || fail "scenario: other $key: $(cat log)"
    done
fi

# user-defined systems, with archives that the program reads
if test -x "$polhode" && test -x "$top_builddir/examples/session"; then
    tried=$((tried + 2))
    "$polhode" info --check scenario.out/chain.polhode > log || fail "scenario: the archive: $(cat log)"
    "$top_builddir/examples/session" session.out > log || fail "session exits with $?: $(cat log)"
    grep -q 'have the same bits' log || fail "session: $(cat log)"
    "$top_builddir/examples/quadrotor-feedback" quadrotor.out > log || fail "quadrotor-feedback exits with $?: $(cat log)"
    for archive in session.out/whole/quartic session.out/parts/quartic quadrotor.out/quadrotor-feedback; do
        "$polhode" info --check $archive.polhode > log || fail "$archive.polhode: $(cat log)"
    done
    # the propellers change its energy, which no page calls an error; of an archive without the key `conservative` that is not known
    quadrotor=quadrotor.out/quadrotor-feedback.polhode
    cp $quadrotor old.polhode
    python=$(python_with sqlite3)
    test -z "$python" || $python "$top_srcdir/tests/kit/unseal.py" old.polhode
    test -z "$python" || $python -c 'import sqlite3; a = sqlite3.connect("old.polhode"); a.execute("DELETE FROM meta WHERE key = \"conservative\""); a.commit()'
    for archive in $quadrotor ${python:+old.polhode}; do
        expect 0 "$polhode" info $archive
        says out "energy change"
        expect 0 "$polhode" tail $archive
        says err "energy_error is a change"
        expect 0 "$polhode" export $archive -o rows.csv --force
        says err "energy_error is a change"
        expect 0 "$polhode" report $archive -o report.html --force
        says report.html "energy change is"
        formats=csv
        ! command -v gnuplot > /dev/null || formats=svg,csv
        expect 0 "$polhode" plot $archive --figure energy --figure drift -o figures --force --format $formats
        for page in out report.html figures/energy.svg figures/drift.svg figures/energy.csv; do
            test ! -e $page || ! grep -qi "energy error" $page || fail "$archive, $page: a change of the energy is called an error"
        done
        rm -rf figures
    done
    says report.html "${python:+not known whether forces change the energy}"
    # what a method promises of any system is known of a user-defined one
    expect 0 "$polhode" report session.out/whole/quartic.polhode -o quartic.html
    grep -q "what it promises\|promises is not known" quartic.html && fail "what variational promises is not known"
    expect 0 "$polhode" info --json $quadrotor
    grep -q '"conservative": *false' out || fail "the archive does not say that forces change the energy"
    expect 0 "$polhode" info --json session.out/whole/quartic.polhode
    grep -q '"conservative": *true' out || fail "the archive does not say that its system keeps the energy"
    for part in whole parts; do
        "$polhode" export session.out/$part/quartic.polhode -o $part.csv --quiet || fail "session: the rows of $part cannot be exported"
    done
    cmp whole.csv parts.csv || fail "session: the rows are not the same"
fi

if test -x "$embed"; then
    tried=$((tried + 1))
    "$embed" > log || fail "embed exits with $?"
    tail -n 1 log | grep -q '^t = 1000 s' || fail "embed did not arrive: $(cat log)"
    below "$(awk '{ e = $NF < 0 ? -$NF : $NF + 0; if ($NF !~ /^-?[0-9]/) e = 1e9; if (e > most) most = e } END { print most }' log)" 1e-3 "embed: the energy error"
fi
test $tried -gt 0 || skip "nothing of it was built"
exit $failed
