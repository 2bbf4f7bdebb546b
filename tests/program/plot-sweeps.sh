#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode plot and report of sweeps: numbers, places and colours against closed forms and the exported members; distributions are those of
# the statistics; members that fail are marked and named; many members; shards; what is refused.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
python=$(python_with sqlite3)
test -n "$python" || skip "there is no Python with sqlite3"
command -v gnuplot > /dev/null || skip "there is no gnuplot"
LC_ALL=C
export LC_ALL
check() { expect 0 $python "$top_srcdir/tests/program/plot-sweeps.py" "$@"; }

# scenario NAME LINE...: a pendulum of 1 kg and 1 m that begins horizontally, without energy but that of its velocity
scenario() {
    name=$1
    shift
    {
        printf 'polhode: 1\nmodel: spherical-pendulum\nparameters: {mass: 1, length: 1}\ninitial: {q: [[1, 0, 0]], omega: [[0, 0, 0]]}\n'
        printf 'method: variational\nstep: 0.01\nduration: 1\n'
        for line; do echo "$line"; done
    } > "$name.yaml"
}
# swept NAME LINE...: and its sweep, its members as NAME.csv
swept() {
    scenario "$@"
    code=0
    "$polhode" sweep --quiet "$1.yaml" 2> err || code=$?
    test $code -le 1 || { fail "the sweep $1 ends with $code"; cat err; }
    expect 0 "$polhode" export --quiet "$1.out" -o "$1.csv"
}
kept='output: {columns: [configuration, energy, energy_error]}'

# ---- A map: E = (x^2 + y^2) / 2
swept map "$kept" 'ensemble: {product: {"initial.omega[0][1]": {from: -2, to: 3, count: 6}, "initial.omega[0][2]": {from: 1, to: 8, count: 4, scale: log}}}'
expect 0 "$polhode" plot map.out --columns energy
says out "Written: map.out/map.plots/map-energy.svg" "energy over initial.omega[0][1] and initial.omega[0][2], 6 x 4 cells. 24 members."
check map map.csv map.out/map.plots/map-energy.csv map.out/map.plots/map-energy.svg
expect 0 "$polhode" plot map.out -o turned --columns energy --x 'initial.omega[0][2]' --format csv --quiet
check turned map.out/map.plots/map-energy.csv turned/map-energy.csv
expect 0 "$polhode" plot map.out -o one.pdf --columns energy_error --quiet
test "$(head -c 5 one.pdf)" = %PDF- || fail "one.pdf is none"
expect 0 "$polhode" plot map.out --terminal --columns energy
says out " energy [J]: . is 0.4999, @ is 36.49"
expect 0 "$polhode" plot map.out -o again --columns energy --quiet
cmp again/map-energy.svg map.out/map.plots/map-energy.svg || fail "other bytes the second time"

# ---- Over one number: steps of which some do not fit the duration; methods are curves
swept steps "$kept" 'ensemble: {product: {method: [rk4, variational], step: [0.002, 0.003, 0.005, 0.01, 0.02, 0.04]}}'
expect 0 "$polhode" plot steps.out
says out "over scenario.step, a curve for each of the other values. Crosses" "2 failed: 1, 7; the first: " "333.3333333 steps"
check over steps.csv steps.out/steps.plots/over.csv
sed 's/\xc2\xa0/ /g' steps.out/steps.plots/over.svg > over.svg
says over.svg "method = rk4" "method = variational" "|energy_error|"
expect 0 "$polhode" plot steps.out -o words.svg --x method --columns q1z --quiet
says words.svg "0 rk4, 1 variational"

# ---- What varies counts for members that fail, too; lists and zip are one curve, and one word has one number
swept lone "$kept" 'ensemble: {product: {step: [0.01, 0.03, 0.07]}}'
expect 0 "$polhode" plot lone.out --format csv --columns q1z
says out "over scenario.step" "3 members. 2 failed: 1, 2"
swept zipped "$kept" 'ensemble: {zip: {"initial.omega[0][1]": [0, 1, 2, 3], "parameters.mass": [1, 2, 4, 8]}}'
expect 0 "$polhode" plot zipped.out --columns q1z
test "$(head -n 1 zipped.out/zipped.plots/over.csv)" = "member,initial.omega[0][1],q1z" || fail "zip is not one curve"
swept listed "$kept" 'ensemble: {list: [{method: rk4, step: 0.01}, {method: variational, step: 0.01}, {method: rk4, step: 0.02}, {method: variational, step: 0.02}]}'
expect 0 "$polhode" plot listed.out --format csv --columns q1z
test "$(cut -d , -f 3 listed.out/listed.plots/over.csv | sort -u | wc -l)" = 3 || fail "a word of a list has several numbers"

# ---- Columns at axes need not be drawn; what is named twice is drawn once; panels have words
expect 0 "$polhode" plot map.out -o axes --figure map --figure map --x q1x --y q1y --columns energy,energy --format csv
says out "map-energy: energy over q1x and q1y" "(a) omega[0][1] = -2; (b) omega[0][1] = -1"

# ---- Distributions are those of the statistics; members over time have their quantiles
swept spread 'output: {interval: 0.25, columns: [configuration, energy]}' \
    'ensemble: {sample: {count: 300, seed: 2, "initial.omega[0][1]": {normal: [1, 0.5]}, "initial.omega[0][2]": {normal: [0, 1]}}}'
expect 0 "$polhode" plot spread.out --format csv --columns q1x,q1y,energy
says out "distribution: " "300 members." "members: At each time the median"
check distribution spread.out/spread.statistics.json spread.out/spread.plots/distribution.csv spread.out/spread.plots/distribution-quantiles.csv
check members spread.csv spread.out/spread.plots/members.csv
expect 0 "$polhode" plot spread.out -o earlier --span :0.3 --format csv --columns energy,t --figure map --quiet
check earlier spread.csv earlier/map-t.csv
expect 0 "$polhode" plot spread.out -o binned --figure over --columns q1x --format csv --quiet

# ---- Small and large numbers: bars are as wide as their bins, whatever power of ten stands at the axis
swept powers 'ensemble: {sample: {count: 300, seed: 4, "initial.omega[0][1]": {normal: [1, 1.0e-7]}, "parameters.mass": {normal: [1.0e+6, 1.0e+5]}}}'
expect 0 "$polhode" plot powers.out -o small.svg --figure distribution --columns 'initial.omega[0][1]' --quiet
expect 0 "$polhode" plot powers.out -o large.svg --figure distribution --columns parameters.mass --quiet
check bars small.svg
check bars large.svg
says small.svg "initial.omega[0][1] − 1 [10⁻⁷]"
says large.svg "[10⁶"

# ---- One member: the figures of its run
expect 0 "$polhode" plot map.out --member 3 --format csv
says out "member 3: initial.omega[0][1] = -2, initial.omega[0][2] = 8" "Written: map.out/map-3.plots/energy.csv" "trajectory: "
expect 0 "$polhode" run --quiet --member 3 --set output=null -o third map.yaml
expect 0 "$polhode" plot third --format csv -o third --quiet
for name in energy drift trajectory phase; do cmp map.out/map-3.plots/$name.csv third/$name.csv || fail "$name of member 3 differs from that of its run"; done
expect 2 "$polhode" plot map.out --member 24
says err "there is no member 24"
expect 2 "$polhode" plot third --member 1
says err "--member is of sweeps"
expect 2 "$polhode" plot map.yaml --member 3
says err "polhode sweep" "polhode run --member I"
expect 2 "$polhode" plot third --figure map
says err "map is a figure of sweeps, and third is the archive of one run"
expect 2 "$polhode" plot map.out --member 3 --figure map
says err "map is a figure of sweeps"
expect 2 "$polhode" plot missing.polhode --figure map
says err "missing.polhode: "
expect 2 "$polhode" plot map.out --member 3 --figure section -o none
says err "member 3: "

# ---- Pages
expect 0 "$polhode" report steps.out
says out "Written: steps.out/steps.report.html"
says steps.out/steps.report.html "12 of 12 members ran. 2 failed" "Members that failed: 2" "333.3333333 steps" "rk4, variational" \
    "polhode run --member 0 steps.yaml" "<h3>Over</h3>" "<h3>Distribution</h3>" "Numbers: Over"
expect 0 "$polhode" report spread.out -o spread.html --quiet
check page spread.out/spread.statistics.json spread.html
expect 0 "$polhode" report map.out -o map.html --quiet
check embedded map.csv map.html
grep -n '<\(script\|link\|img\)[^>]* \(src\|href\)=' ./*.html steps.out/*.html && fail "a page refers to other files"
expect 3 "$polhode" report map.out -o map.html
expect 2 "$polhode" report map.out steps.out -o none
says err "is a sweep, whose page is of it alone"

# ---- Many members: all are counted, and the picture is bounded
swept many "$kept" 'ensemble: {sample: {count: 100000, seed: 3, "initial.omega[0][1]": {uniform: [-6, 6]}}}'
expect 0 "$polhode" plot many.out --columns q1x,energy
says out "96 x 96 cells" "100000 members."
check many many.csv many.out/many.plots/over-q1x.csv
for file in many.out/many.plots/*.svg; do test "$(wc -c < "$file")" -lt 1300000 || fail "$file is large"; done

# ---- Numbers that are none are said, though the member did not fail
cat > roots.yaml << 'END'
polhode: 1
model:
  space: {x: R1}
  parameters: {m: 1 kg, k: 1 kg/s^2, ks: 1 kg/s^2}
  kinetic: "1/2 * m * d(x)^2"
  potential: "1/2 * k * x^2"
  columns: {root: "sqrt(2 - k/ks)"}
initial: {q: [[1]], omega: [[1]]}
method: rk4
step: 0.01
duration: 0.1
output: {columns: [configuration, root]}
ensemble: {product: {"model.parameters.k": [0.5, 1, 3, 4, 5]}}
END
expect 0 "$polhode" sweep --quiet roots.yaml
expect 0 "$polhode" plot roots.out --format csv --columns root
says out "5 members. 3 have no finite number of root."

# ---- Bands have room for few columns, and the time is no column over time
swept bands 'output: {interval: 0.25, columns: [configuration, energy]}
events: [{name: low, when: q1z, crosses: -0.5, action: stop}]' \
    'ensemble: {sample: {count: 60, seed: 2, "initial.omega[0][1]": {normal: [1, 0.5]}, "initial.omega[0][2]": {normal: [0, 1]}}}'
expect 0 "$polhode" plot bands.out --format csv --figure members
test "$(head -n 1 bands.out/bands.plots/members.csv | tr , '\n' | grep -c '^t')" = 1 || fail "the time is drawn over the time"
expect 0 "$polhode" plot spread.out -o bands --format csv --figure members --columns "q1x,q1y,q1z,energy,initial.omega[0][1]"
says out "Bands are of up to 4 columns, without initial.omega[0][1]; --columns names others."

# ---- Damage: members whose rows are damaged are left out, which is said
$python - many.out/many.polhode << 'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
numbers = [n for n, in db.execute("SELECT first FROM blocks ORDER BY first")]
assert len(numbers) > 1
db.execute("UPDATE blocks SET rows = zeroblob(length(rows)) WHERE first = ?", (numbers[1],))
db.commit()
END
expect 1 "$polhode" plot many.out -o damaged --columns q1x --format csv
says err "damaged rows are left out; the first:"
expect 1 "$polhode" report many.out -o damaged.html --quiet
says damaged.html "damaged rows are left out; the first:"
$python - damaged/over-q1x.csv << 'END' || fail "damaged members were drawn"
import csv, sys
with open(sys.argv[1]) as file:
    n = sum(float(row["members"]) for row in csv.DictReader(file))
assert 1000 < n < 100000, n
END

$python - bands.out/bands.polhode << 'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("UPDATE blocks SET rows = zeroblob(length(rows))")
db.commit()
END
expect 1 "$polhode" plot bands.out -o none --figure distribution
says out "60 more are damaged, and left out."
says err "300 damaged rows are left out"

# ---- Shards
for k in 1 2; do expect 0 "$polhode" sweep --quiet --shard $k/2 -o shards map.yaml; done
expect 0 "$polhode" plot shards/map.shard-2-of-2.polhode -o half --columns energy --format csv
says out "12 members." "These are shard 2 of 2."
for take in plot view report; do
    expect 2 "$polhode" $take shards -o none
    says err "shards: is a directory with 2 parts of a sweep; polhode merge shards joins them"
done
expect 0 "$polhode" merge --quiet shards
expect 0 "$polhode" plot shards -o whole --columns energy --quiet
cmp whole/map-energy.svg map.out/map.plots/map-energy.svg || fail "the shards together have another picture"

# ---- What is refused
expect 2 "$polhode" plot many.out --figure map -o none
says err "map: it takes two values that vary, and only initial.omega[0][1] does; --figure over"
expect 2 "$polhode" plot map.out --figure energy -o none
says err "a sweep has no figure 'energy', but over, map, distribution and members"
expect 2 "$polhode" plot map.out --columns enrgy -o none
says err "the sweep has no column 'enrgy'; did you mean 'energy'?"
expect 2 "$polhode" plot map.out --x q2y --columns energy -o none
says err "'q2y' neither varies nor is a column of the sweep" "initial.omega[0][1]"
expect 2 "$polhode" plot map.out --x q1x --y q1y --columns q1x,q1y -o none
says err "all columns are at axes"
expect 2 "$polhode" plot map.out --figure members -o none
says err "one row of each member"
expect 2 "$polhode" plot map.out steps.out -o none
says err "a sweep is drawn alone"
expect 2 "$polhode" plot map.out -o two.svg
says err "two.svg is a file for one picture, and these are 3: map-q1x"
expect 2 "$polhode" plot map.out --against --columns energy,q1x -o none
says err "--x and --y say what stands at the axes"
expect 0 "$polhode" run --quiet --member 3 -o alone map.yaml
expect 2 "$polhode" plot alone --x energy -o none
says err "--x is of sweeps"
exit $failed
