#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode methods --advise: what it prints, in words, as JSON and as lines that a scenario takes, and what it makes of
# mistakes. Whether the advice is good is for check_bench_advice.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
top=$top_srcdir/examples/free-rigid-body.yaml

# advise STATUS ARGUMENT...: of the scenario, with little time for it
advise() {
    want=$1
    shift
    expect "$want" "$polhode" methods --advise "$top" --budget 0.5 "$@"
}

advise 0
says out "required  1.0e-06 of the trajectory until 10 s" "measured" "reference" "motion" "Recommended:" "variational:order=8" \
    "rk4-projected" "method: {name: " "step: " "best for" "error of the trajectory" "energy over the whole run" "in the energy until 10 s"
is_empty err
mv out first
advise 0
cmp out first || fail "the same advice is not given again"
advise 0 --timed
says out "Recommended:"

# the lines as they are, in the place of the scenario's own, are a scenario that runs
advise 0 -q --accuracy 1e-8 --horizon 5
is_empty err
test "$(wc -l < out)" -eq 2 || fail "two lines are expected: $(cat out)"
sed -e '/^method:/d' -e '/^step:/d' -e 's/^duration:.*/duration: 5/' "$top" > mine.yaml
cat out >> mine.yaml
expect 0 "$polhode" check mine.yaml
expect 0 "$polhode" run -q mine.yaml

advise 0 --json --accuracy 1e-4
json out 's["polhode_advice"] == 1 and s["accuracy"] == 1e-4 and s["horizon"] == 10 and s["budget"] == 0.5 and 0 < s["span"] <= 10'
json out 's["exponent"] == 0 and s["predictable"] is None and s["by_energy"] is False and s["conservative"] is True'
json out 's["recommended"]["label"] == s["candidates"][0]["label"] and s["candidates"][0]["verdict"] == "meets"'
json out 's["recommended"]["method_line"].startswith("method: {name: " + s["candidates"][0]["method"])'
json out 'abs(s["recommended"]["step"] * s["candidates"][0]["steps"] - 10) < 1e-12'
json out 'all(c["error"] <= 1e-4 and c["cpu_seconds"] > 0 for c in s["candidates"] if c["verdict"] == "meets")'
json out 's["candidates"][0]["label"] in s["reason"] and len(s["candidates"]) > 10'
json out 's["energy"]["by_energy"] is True and s["energy"]["energy"] is None and s["energy"]["accuracy"] == 1e-4'
json out 'all(c["energy_error"] <= 1e-4 for c in s["energy"]["candidates"] if c["verdict"] == "meets")'
json out 's["energy"]["recommended"]["label"] in s["energy"]["reason"] and "in the energy" in s["energy"]["reason"]'
advise 0 --json --set accuracy.value=1e-5 --set accuracy.of=energy
json out 's["by_energy"] is True and s["energy"] is None and s["accuracy"] == 1e-5'

# more than anybody has: that is no mistake, but there is nothing to recommend
advise 1 --accuracy 1e-19
says out "It could not be shown that any method computes this trajectory to 1.0e-19 until 10 s" "differ by" \
    "Ask for less, for a shorter time, or for the energy"
advise 1 -q --accuracy 1e-19 --budget 0.01
is_empty out err
advise 1 --json --accuracy 1e-19 --budget 0.01
json out 's["recommended"] is None and s["reachable"] is False and s["by_energy"] is False and s["budget"] == 0.01'

# rolling: methods that keep velocity constraints, and what to expect of the energy
printf 'polhode: 1\nmodel: gearbox\nparameters: {asymmetry: 0.25}\nmethod: dla\nstep: 0.01\nduration: 2\n' > driven.yaml
expect 0 "$polhode" methods --advise driven.yaml --budget 0.2
says out "with velocity constraints no method is symplectic" "dla:order=" "Recommended:"
expect 0 "$polhode" methods --advise driven.yaml --budget 0.2 --json
json out 's["velocity_constraints"] is True and all(not c["label"].startswith(("variational", "gauss")) for c in s["candidates"])'

# mistakes
expect 2 "$polhode" methods --advise nowhere.yaml
says err nowhere.yaml
is_empty out
for value in -1 0 nan inf 1e-6x ""; do
    expect 2 "$polhode" methods --advise "$top" --accuracy "$value"
    says err "--accuracy must be a positive number, not \"$value\""
    expect 2 "$polhode" methods --advise "$top" --horizon "$value"
    says err "--horizon must be a positive number of seconds, not \"$value\""
    expect 2 "$polhode" methods --advise "$top" --budget "$value"
    says err "--budget must be a positive number of seconds, not \"$value\""
    is_empty out
done
for alone in "--accuracy 1e-6" "--horizon 1" "--budget 1" "--timed" "--set step=1"; do
    # shellcheck disable=SC2086
    expect 2 "$polhode" methods $alone
    says err "belong to --advise FILE"
done
expect 2 "$polhode" methods rk4 --advise "$top"
says err "one scenario file and no method"
expect 2 "$polhode" models --advise "$top"
expect 2 "$polhode" methods --advise
exit $failed
