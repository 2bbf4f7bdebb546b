#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode bench roundoff: its files, an ensemble that is interrupted, the data that the documents quote, and what it
# refuses. (tests/bench/check_bench_roundoff.c resumes.)
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
# roundoff STATUS ARGUMENT...: three members of one motion
one="--members 3 -q spherical-pendulum"
roundoff() {
    status=$1
    shift
    # shellcheck disable=SC2086
    expect "$status" "$polhode" bench roundoff $one "$@"
}

motions=$("$polhode" bench roundoff --list | sed -n 's/^  \([a-z-]*\) .*/\1/p')
test "$(echo "$motions" | wc -l)" -ge 4 || fail "the list of motions: $motions"

# all motions, in short: a row for each motion, quantity and point; each motion an archive
expect 0 "$polhode" bench roundoff --members 3 --steps 1e4 -q -o all
mv out table
for motion in $motions; do
    says table "$motion: " "$motion by "
    for quantity in energy "momentum about e3" constraint; do
        grep -q "^$motion,$quantity,[0-9]*,3," all/roundoff.csv || fail "roundoff.csv has no $quantity of $motion"
    done
    expect 0 "$polhode" info --check --quiet "all/roundoff-$motion.polhode"
done
test "$(ls all | grep -c '\.polhode$')" -eq "$(echo "$motions" | wc -l)" || fail "archives: $(ls all)"
awk -F, 'NR == 1 { n = NF } NF != n { exit 1 } NR > 1 && !($5 >= 0 && $5 < 1e-13) { exit 1 } END { if (NR < 99) exit 1 }' all/roundoff.csv ||
    fail "roundoff.csv is broken"
json all/roundoff.json 's["polhode_bench_roundoff"] == 1 and s["command"] == "polhode bench roundoff --members 3 --steps 10000"'
json all/roundoff.json 'all(e["steps"][-1] >= 1e4 and len(q["errors"]) == len(e["steps"]) and all(len(p) == 3 and None not in p for p in q["errors"]) for e in s["ensembles"] for q in e["quantities"])'
# the rms of the table is that of the members
json all/roundoff.json 'all(abs((sum(x * x for x in q["errors"][-1]) / 3) ** 0.5 - q["rms_at_end"]) <= 1e-4 * q["rms_at_end"] for e in s["ensembles"] for q in e["quantities"])'
test "$(grep -c '<svg class="curves"' all/report.html)" -eq 2 || fail "report.html lacks figures"
says all/roundoff.svg "<svg" "</svg>"

# Ctrl-C, and kill -9: what is there is reported, and can be continued, with the same steps
roundoff 0 --steps 1e6 -o whole
# shellcheck disable=SC2086
"$polhode" bench roundoff $one --steps 1e9 -o parts > out 2> err &
running=$!
await test -e parts/roundoff-spherical-pendulum.polhode
kill -INT $running 2> /dev/null || true
code=0
wait $running || code=$?
running=
test $code -eq 130 || fail "Ctrl-C gives exit status $code, not 130"
says err "results up to there were written" "--resume"
json parts/roundoff.json 's["ensembles"][0]["members"] == 3'
# shellcheck disable=SC2086
"$polhode" bench roundoff $one --steps 1e9 -r -o parts > out 2> err &
running=$!
sleep 0.3
kill -KILL $running 2> /dev/null || true
wait $running 2> /dev/null || true
running=
roundoff 3 --steps 1e6 --resume -o parts
says err "is another sweep's" "--force"
cp whole/roundoff.csv whole.csv
roundoff 0 --steps 1e6 --resume -o whole
cmp whole/roundoff.csv whole.csv || fail "nothing was left to do, and the figures are others"

# existing results are kept, unless they are resumed or started again
for file in "" roundoff.json; do
    test -z "$file" || rm whole/*.polhode
    roundoff 3 --steps 1e4 -o whole
    says err "exists already"
done
roundoff 0 --steps 1e6 -f -o parts
cmp parts/roundoff.csv whole.csv || fail "--force gives other figures"
rm -f parts/*.html parts/*.csv parts/*.json parts/*.svg
roundoff 3 --steps 1e4 -o parts
says err "--resume" "--force"

# from its file again: the same table and words; --json is the document
expect 0 "$polhode" bench roundoff --from all/roundoff.json -o again
cmp all/roundoff.csv again/roundoff.csv || fail "--from makes another table"
cmp all/roundoff.json again/roundoff.json || fail "--from makes another document"
expect 0 "$polhode" bench roundoff --from all/roundoff.json --json -f -o again
cmp out all/roundoff.json || fail "--json is not roundoff.json"

# the data that doc/evidence/rounding.md quotes: they can be drawn, and hold what it says of them
kept=$top_srcdir/bench/data/roundoff.json
expect 0 "$polhode" bench roundoff --from "$kept" -o kept
says out "random walk"
# ... the lines of a random walk, next to what grows alone
expect 0 "$polhode" bench roundoff -q --members 3 --steps 1e4 -o flat free-rigid-body
test "$(grep -c stroke-dasharray kept/roundoff.svg)" -gt "$(grep -c stroke-dasharray flat/roundoff.svg)" || fail "there are no broken lines"
json "$kept" 'all(e["members"] >= 32 for e in s["ensembles"])'
# steps, and what they are asked to show: a walk or less, no mean (that of moser-veselov, which gives back what rounding does to
# the energy as it sees it, is bounded), the energies, the constraints
json "$kept" 'all(e["steps"][-1] >= (1e9 if e["name"] in ("free-rigid-body", "spherical-pendulum") else 1e8) for e in s["ensembles"])'
json "$kept" 'all(sum(x is not None for x in q["errors"][-1]) >= 32 for e in s["ensembles"] for q in e["quantities"])'
json "$kept" 'all(q["slope"] <= 0.6 and (q["verdict"] == "stays" or q["slope"] >= 0.4) for e in s["ensembles"] for q in e["quantities"])'
json "$kept" 'all(abs(q["mean_at_end"]) <= max(2 * q["mean_standard_error"], 2.2e-16) for e in s["ensembles"] for q in e["quantities"])'
json "$kept" 'all(max(map(abs, e["quantities"][0]["errors"][-1])) <= (1e-12 if "body" in e["name"] else 1e-11) for e in s["ensembles"])'
json "$kept" 'all(max(e["largest_constraint_error"]) <= 2.3e-16 for e in s["ensembles"])'

# mistakes: nothing is written
for wrong in "--members 0" "--members 1001" "--members x" "--steps 0" "--steps 1e11" "--steps 1.5" "--resume --force" \
    "--from all/roundoff.json spherical-pendulum" "--from all/roundoff.json --resume" "--from all/roundoff.csv" \
    "--from missing" "double-pendulum" "--nothing"; do
    # shellcheck disable=SC2086
    expect 2 "$polhode" bench roundoff -o no $wrong
    test -s err || fail "nothing is said about $wrong"
done
expect 2 "$polhode" bench roundoff -o no spherical-pendulm
says err 'did you mean "spherical-pendulum"?'
expect 2 "$polhode" bench roundoff -q -o no --resume
says err "nothing to resume in no" "-o DIR"
test ! -e no || fail "a mistake has left a directory"
echo > file
expect 3 "$polhode" bench roundoff -q -o file --steps 10
exit $failed
