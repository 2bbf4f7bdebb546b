#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An accuracy in place of method and step: run --accuracy, new --accuracy, the key; that a resumed run keeps the choice;
# --set KEY=VALUE and the standard input.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
body=$top_srcdir/examples/free-rigid-body.yaml
sed -e '/^method:/d' -e '/^step:/d' -e '/^steps:/d' -e '/^duration:/d' -e '/^output:/d' "$body" > open.yaml
printf 'duration: 2\naccuracy: 1e-7\n' >> open.yaml

# The key: the choice is shown before the run, and written down
expect 0 "$polhode" run open.yaml
says out "accuracy 1e-07: " ", step " "; estimated error " " of the trajectory until 2 s, seen in a run to the end" \
    "the energy error, " ", is as expected"
json open.out/summary.json 's["accuracy"] == 1e-7 and 0 < s["estimated_error"] <= 1e-7 and s["status"] == "ok"'
json open.out/summary.json 's["step"] > 0 and abs(s["step"] * s["steps"] - 2) < 1e-9 and s["energy_error_max"] < 1e-6'
expect 0 "$polhode" info open.out
grep -q "not known" out && fail "info does not know the errors of a run with an accuracy: $(cat out)"

# Interrupted and resumed it has the same bits, and nothing is chosen again
expect 1 "$polhode" run open.yaml -o cut --wall-clock 0
expect 0 "$polhode" resume cut
grep -q "^accuracy" out && fail "a resumed run chooses again: $(cat out)"
json cut/summary.json 's["accuracy"] == 1e-7 and 0 < s["estimated_error"] <= 1e-7 and s["status"] == "ok"'
expect 0 "$polhode" resume cut/open.polhode --scenario open.yaml

# The same choice, and so the same bits, each time
expect 0 "$polhode" run open.yaml -o again -q
json open.out/summary.json 's["accuracy_of"] == "trajectory" and "as expected" in s["accuracy_remark"] and s["estimated_energy_error"] > 0'
grep -e '"method"' -e '"step"' -e '"z"' open.out/summary.json > first
grep -e '"method"' -e '"step"' -e '"z"' again/summary.json > second
cmp first second || fail "a second choice is another one"

# check chooses, too, and compares an accuracy with the energy error of what is given
expect 0 "$polhode" check open.yaml
says out "accuracy 1e-07: " "All is well."
printf 'method: rk4\nstep: 0.2\n' >> open.yaml
expect 1 "$polhode" check open.yaml
says out "MISSES the accuracy that the scenario requires, 1e-07" "Problems found."
expect 1 "$polhode" check --json open.yaml
json out 's["accuracy"] == 1e-7 and s["energy_error"] > 1e-7 and s["in_order"] is False'

# check --settle shows the choice that run takes, and nothing else; JSON has what ph_scenario_settle takes
expect 0 "$polhode" check --settle --json - --set method=null --set step=null < open.yaml
mv out settled.json
json settled.json 's["accuracy"] == 1e-7 and s["accuracy_of"] == "trajectory" and s["words"].startswith("accuracy 1e-07: " + s["method"])'
printf '[%s, %s]' "$(cat settled.json)" "$(cat open.out/summary.json)" > both.json
json both.json 'all(s[0][a] == s[1][b] for a, b in (("method", "method"), ("step", "step"), ("steps", "steps"),
    ("error_estimated", "estimated_error"), ("energy_error_estimated", "estimated_energy_error")))'
json both.json 's[0]["options"].items() <= s[1]["options"].items()'
expect 0 "$polhode" check --settle open.yaml # with rk4 and 0.2 s, which miss the accuracy
test "$(cat out)" = "method and step are given: rk4, step 0.2 s" || fail "check --settle of a method and step: $(cat out)"
expect 0 "$polhode" check --settle --json open.yaml --set method.form=q-qdot
json out 's["method"] == "rk4" and s["options"] == {"form": "q-qdot"} and s["step"] == 0.2 and s["words"] is None and s["error_estimated"] is None'
expect 0 "$polhode" check --settle open.yaml -a 1e-5
says out "accuracy 1e-05: " ", seen in a run to the end"
test "$(wc -l < out)" = 1 || fail "check --settle prints more than the choice"
expect 2 "$polhode" check --settle open.yaml -a 1e-13 --set duration=1e6 --set accuracy.budget=0.1
test ! -s out || fail "check --settle prints a choice that it refuses"

# --accuracy takes the place of method and step, but not of those that are set
expect 0 "$polhode" run open.yaml --accuracy 1e-5 --force
says out "accuracy 1e-05: "
json open.out/summary.json 's["accuracy"] == 1e-5 and s["energy_error_max"] < 1e-5'
expect 0 "$polhode" run open.yaml --accuracy 1e-4 --set method=rk4-projected --force
says out "accuracy 0.0001: rk4-projected, step "
expect 0 "$polhode" run open.yaml --accuracy 1e-4 --set step=0.001 --force
says out ", step 0.001 s"
sed -e '/^accuracy/d' -e '/^duration/d' open.yaml > own.yaml
echo 'steps: 10' >> own.yaml
for value in -1 nan 0 1e-6x; do
    expect 2 "$polhode" run open.yaml --accuracy "$value" -o none
    says err "--accuracy must be a positive number, not \"$value\""
done
expect 2 "$polhode" run open.yaml --accuracy 1e-30 -o none
says err "--accuracy" "from 1e-14 (what double precision can reach at best)"
expect 2 "$polhode" run own.yaml --accuracy 1e-6 -o none
says err "steps: needs a step" "give duration (in s)"
test ! -e none || fail "a run whose accuracy cannot be reached has written something"

# A disk that nearly falls at 0.97 s: a trajectory that cannot be had is refused, and never exchanged for the energy
cat > disk.yaml << 'END'
polhode: 1
model: rolling-disk
parameters: {mass: 1, radius: 1, diametral: 0.5, axial: 1, gravity: 100}
initial:
  q: [[0, 0], {axis: [1, 0, 0], angle: 1.5707963267948966}]
  omega: [follows, [0.01, 0, 0.1]]
method: {name: dla, order: 6}
step: 0.01
duration: 4
END
if test -n "${POLHODE_CHECK_SHORT:-}"; then
    echo "the short form leaves out the disk that nearly falls"
elif "$polhode" methods arkode > /dev/null 2>&1; then
    expect 2 "$polhode" run disk.yaml --accuracy 1e-13 --set accuracy.budget=2 --set duration=1.2 -o none
    says err "the accuracy 1e-13 of the trajectory" "cannot be reached until 1.2 s" "lengths: of 0.8" "differ by" \
        "give an accuracy above that, a shorter duration, or accuracy: {value: 1e-13, of: energy}"
    expect 0 "$polhode" run disk.yaml --accuracy 1e-3 --set accuracy.budget=2 --set duration=1.2
    says out "accuracy 0.001: " "of the trajectory until 1.2 s (lengths: of " "seen in a run to the end"
    test ! -s err || fail "a step that was chosen is warned of: $(cat err)"
    json disk.out/summary.json 's["estimated_error"] <= 1e-3 and s["time"] == 1.2 and s["energy_error_max"] < 1e-3'
    # the energy, where it is asked for
    expect 0 "$polhode" run disk.yaml --accuracy 1e-6 --set accuracy.of=energy --set accuracy.budget=2 --set duration=1.2 --force
    says out "accuracy 1e-06: " "of the energy until 1.2 s" ", is not more than the accuracy 1e-06"
    json disk.out/summary.json 's["accuracy_of"] == "energy" and s["energy_error_max"] <= 1e-6 and s["time"] == 1.2'
else
    not_tried "a disk that nearly falls: this program is without SUNDIALS"
fi
# what was not followed is not promised: a calm motion may become violent
expect 2 "$polhode" run disk.yaml --accuracy 1e-3 --set accuracy.budget=0.2 --set duration=200 -o none
says err "cannot be promised" "to follow the motion to" "budget: " "of: energy"

for wrong in "of=momentum" "budget=0" "value=1"; do
    expect 2 "$polhode" run disk.yaml --set accuracy.value=1e-6 --set "accuracy.$wrong" -o none
    says err "accuracy.${wrong%%=*}: is "
done
expect 2 "$polhode" run disk.yaml --set accuracy.of=energy -o none
says err "has no value"

# check says what part of the run it has measured; here the disk falls after that
expect 0 "$polhode" check disk.yaml --set step=0.0002 --set duration=20
says out "Nothing is wrong in the first " " of 100000 steps, " " per cent of the run; the rest was not run."
grep -q "All is well" out && fail "check calls a run well of which it has seen a part"
# what fails is repeated with the values that were set
expect 2 "$polhode" run disk.yaml --set step=2 -o none
says err "polhode check disk.yaml --set step=2"
# and methods --advise takes them
expect 0 "$polhode" methods --advise disk.yaml --set duration=0.5 --budget 0.5 --accuracy 1e-4 -q
says out "method: " "step: "

# new
expect 0 "$polhode" new free-rigid-body --accuracy 1e-6 -o made.yaml
grep -q "^accuracy: 1e-06" made.yaml && grep -q "^method: {name: " made.yaml && grep -q "^step: " made.yaml ||
    fail "new --accuracy writes $(cat made.yaml)"
expect 0 "$polhode" check made.yaml
says out "All is well."
expect 2 "$polhode" new free-rigid-body --accuracy 1e-30
says err "--accuracy" "from 1e-14"

# --set and the standard input
"$polhode" run - --set step=0.05 --set steps=40 --set "method={name: rk4, form: q-omega}" -q --force < own.yaml
json stdin.out/summary.json 's["step"] == 0.05 and s["steps"] == 40 and s["options"]["form"] == "q-omega"'
test -f stdin.out/stdin.polhode || fail "the archive of a scenario from the standard input: $(ls stdin.out)"
"$polhode" run - -o there -q < own.yaml
test -f there/stdin.polhode || fail "-o is not honoured for the standard input"
expect 0 "$polhode" run own.yaml --set steps=7 -q
expect 0 "$polhode" resume own.out
is_empty err # the file has other steps, but the archive is not of its text
expect 0 "$polhode" check own.yaml --set method=variational --set step=0.01
says out "10 steps of 0.01 s"
# steps instead of the file's duration, and the other way round; null removes a key
sed '/^steps:/d; /^duration:/d' own.yaml > timed.yaml
echo 'duration: 1' >> timed.yaml
expect 0 "$polhode" run timed.yaml --set steps=7 -q --force
json timed.out/summary.json 's["steps"] == 7'
expect 0 "$polhode" run timed.yaml --set steps=7 --set duration=2 -q --force
json timed.out/summary.json 's["time"] == 2'
expect 0 "$polhode" run timed.yaml --set duration=null --set steps=3 -q --force
json timed.out/summary.json 's["steps"] == 3'
echo 'output: {every: 10}' >> timed.yaml
expect 0 "$polhode" run timed.yaml --set output.at=[0.33,0.66] -q --force --csv
test "$(wc -l < timed.out/trajectory.csv)" -eq 5 || fail "output.at does not take the place of every: $(cat timed.out/trajectory.csv)"
expect 0 "$polhode" run timed.yaml --set output.interval=0.5 -q --force --csv
test "$(wc -l < timed.out/trajectory.csv)" -eq 4 || fail "output.interval does not take the place of every: $(cat timed.out/trajectory.csv)"
expect 2 "$polhode" run timed.yaml --set duration=null -q --force
says err 'give duration (in s) or steps'
expect 2 "$polhode" run own.yaml --steps 100 -o none
says err "unknown option --steps; if it is a key of the scenario: --set steps=VALUE"
expect 2 "$polhode" run own.yaml --set step=abc -o none
says err '--set step=abc: own.yaml:' 'is "abc", which is not a number'
expect 2 "$polhode" run own.yaml --set stepp=1 -o none
says err "--set stepp=1: " 'did you mean "step"?'
expect 2 "$polhode" run own.yaml --set method.ordr=6 -o none
says err "--set method.ordr=6: " 'unknown option "ordr"'
expect 2 "$polhode" run own.yaml --set 'step=[' -o none
says err "--set step=[: " "is not one value in YAML"
expect 2 "$polhode" run own.yaml --set step -o none
says err "--set step: KEY=VALUE is expected"
expect 2 "$polhode" run own.yaml --set step.size=1 -o none
says err "--set step.size=1: " "is not a map"
test ! -e none || fail "a mistake in --set has written something"
expect 2 "$polhode" bench own.yaml --set step=abc
says err "--set step=abc"
expect 2 "$polhode" bench chain-20 --set step=1
says err "is a problem of the table"
expect 2 "$polhode" bench - --set accuracy=1e-6 --set step=0.1x < own.yaml
says err "stdin" "--set step=0.1x"
exit $failed
