#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode bench spins and polhode bench vortices: energies at the start, orders, what each method keeps and what it does not,
# long runs that grow or do not, files, refusals.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program

# json FILE EXPRESSION: of the document s, and of m, the methods of its first system by name
json() {
    test -n "$python" || return 0
    $python -c 'import json, math, sys
s = json.load(open(sys.argv[1]))
m = {line["method"]: line for line in s["systems"][0]["methods"]}
def order(name, k):  # of the trajectory, by points k and k + 1
    p, q = m[name]["points"][k:k + 2]
    return math.log(p["trajectory_error"] / q["trajectory_error"]) / math.log(q["steps"] / p["steps"])
sys.exit(not eval(sys.argv[2]))' "$1" "$2" || fail "$1: not true: $2"
}
test -n "$python" || not_tried "what is in the JSON files: there is no python3"

# the methods of this build; the others are left out by default
midpoint= splitting=
"$polhode" methods > methods
if grep -q "^spherical-midpoint " methods; then midpoint="-m spherical-midpoint -m spherical-midpoint:order=4"; fi
if grep -q "^spin-splitting " methods; then splitting="-m spin-splitting -m spin-splitting:order=4"; fi

# CPU seconds of the longest trajectory that is still compared: the points that are asked for below, also on a slow machine
limit=0.1
test "${POLHODE_SANITIZERS:-}" != yes || limit=0.5

# a ring: without a bound on J, |s| and H that any method could pass
# shellcheck disable=SC2086
expect 0 "$polhode" bench spins ring --quiet -b 0.01 --limit $limit -n 3000 -o ring -m rk4 -m rk4-projected -m rk8 $midpoint $splitting
says out "The error of the trajectory costs least with" "The error of the energy costs least with" "These are few steps" \
    "The truth is rk8" "ring: the energy within 3000 steps of order 2 of 0.025 s" "the energy error grows" "Written: ring/report.html"
# sentences alone, the long run first; the page likewise, and its table of what accuracies cost has one best method for each
test "$(wc -l < out)" -le 16 && head -n 1 out | grep -q "^ring: the energy within" || fail "--quiet prints $(cat out)"
says ring/report.html "CPU time [ms] for the error of the trajectory" "<summary>All steps and tolerances</summary>"
cat > costs.py << 'END'
import json, math, re
page = open("ring/report.html").read()
table = re.search(r"for the error of the trajectory</caption>(.*?)</table>", page, re.S).group(1)
rows = re.findall(r'<th scope="row">([^<]*)</th>(.*?)</tr>', table, re.S)
points = {m["method"]: m["points"] for m in json.load(open("ring/spins.json"))["systems"][0]["methods"]}
assert [name for name, row in rows] == list(points)
for k, level in enumerate([1e-2, 1e-4, 1e-6, 1e-8, 1e-10]):
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row)[k] for name, row in rows]
    best = [i for i, cell in enumerate(cells) if "<strong>" in cell]
    numbers = [float(text) if text[0].isdigit() else math.inf for text in (re.sub("<[^>]*>", "", cell) for cell in cells)]
    assert len(best) == 1 and numbers[best[0]] == min(numbers) < math.inf or min(numbers) == math.inf and not best, (level, cells)
    for (name, row), number in zip(rows, numbers):  # it lies between the times of the points around it
        done = [(p["trajectory_error"], 1e3 * p["cpu_seconds"]) for p in points[name] if p["steps"] and p["trajectory_error"] is not None]
        assert (number < math.inf) == any(e <= level for e, t in done), (name, level)
        assert number == math.inf or 0.99 * min(t for e, t in done) <= number <= 1.01 * max(t for e, t in done), (name, level, number, done)
assert page.index("energy error in each interval of time") < page.index("error of the trajectory against the CPU time")
END
test -z "$python" || $python costs.py || fail "the table of what accuracies cost"
json ring/spins.json 's["polhode_bench_spins"] == 1 and s["systems"][0]["spheres"] == 16 and s["systems"][0]["truth_known_to"] < 1e-11'
json ring/spins.json 'abs(order("rk4", 3) - 4) < 0.1 and abs(order("rk4-projected", 3) - 4) < 0.1 and abs(order("rk8", 0) - 8) < 0.8'
# linear invariants are kept by rk4, lengths are not; its projection exchanges the two
json ring/spins.json 'm["rk4"]["long_run"]["momentum_error"] < 1e-12 and m["rk4"]["long_run"]["length_error"] > 1e-8'
json ring/spins.json 'm["rk4-projected"]["long_run"]["momentum_error"] > 1e-8 and m["rk4-projected"]["long_run"]["length_error"] < 1e-15'
json ring/spins.json 'm["rk4"]["long_run"]["verdict"] == m["rk4-projected"]["long_run"]["verdict"] == "grows"'
# rk4 loses energy at a rate that does not change: a tenth of the run, a tenth of the error
json ring/spins.json '5 < m["rk4"]["long_run"]["energy_error_last_tenth"] / m["rk4"]["long_run"]["energy_error_first_tenth"] < 20'
json ring/spins.json '(m["rk4"]["long_run"]["h"], m["rk4"]["long_run"]["steps"], m["rk8"]["long_run"]["steps"]) == (0.025, 3000, 3000)'
for name in spherical-midpoint spin-splitting; do
    grep -q "^$name " methods || continue
    json ring/spins.json "abs(order('$name', 4) - 2) < 0.05 and abs(order('$name:order=4', 4) - 4) < 0.1"
    json ring/spins.json "all(m[n]['long_run']['verdict'] == 'flat' and m[n]['long_run']['momentum_error'] < 1e-13 and m[n]['long_run']['length_error'] < 1e-15 for n in ('$name', '$name:order=4'))"
    json ring/spins.json "m['$name']['long_run']['steps'] == 3000 and m['$name:order=4']['long_run']['steps'] == 600 and abs(m['$name:order=4']['long_run']['h'] - 0.125) < 1e-15"
done
test "$(sed 1d ring/spins-runs.csv | wc -l)" -eq "$(printf '%s' "rk4 rk4-projected rk8 $midpoint $splitting" | sed 's/-m//g' | wc -w)" ||
    fail "spins-runs.csv has other rows: $(cat ring/spins-runs.csv)"
for file in spins spins-runs; do
    awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' ring/$file.csv || fail "$file.csv is broken"
done

# a chain whose energy is not isotropic: J_3 alone is conserved; no long run
expect 0 "$polhode" bench spins xxz --quiet -b 0.01 --limit 0.01 -n 0 -o chain -m rk4 -m rk4-projected
says chain/report.html "J_3" "XXZ chain of 64 spins"
grep -q "the energy within" out && fail "there are words on a long run that was not made"
json chain/spins.json 'm["rk4"]["long_run"] is None and s["systems"][0]["long_steps"] == 0'
json chain/spins.json 'max(p["momentum_error"] for p in m["rk4"]["points"] if p["steps"]) < 1e-13 < 1e-10 < m["rk4-projected"]["points"][2]["momentum_error"]'

# five vortices: the energy by its formula, from places with short fractions
# shellcheck disable=SC2086
expect 0 "$polhode" bench vortices five -b 0.01 --limit $limit -n 2000 -o five -m rk4 -m rk4-projected $midpoint $splitting
says out "five vortices" "CPU time [ms] for the error of the trajectory" "Written: five/report.html"
cat > energy.py << 'END'
import json, math, sys
G = [1, 0.5, 0.75, 1.25, 0.75]
x = [(1, 2, 2, 3), (-2, 3, 6, 7), (4, -8, 1, 9), (-6, -2, -9, 11), (2, -2, 1, 3)]
dot = lambda a, b: sum(p * q for p, q in zip(a[:3], b[:3])) / a[3] / b[3]
H = -sum(G[i] * G[j] * math.log(2 - 2 * dot(x[i], x[j])) for j in range(5) for i in range(j)) / 4 / math.pi
sys.exit(abs(json.load(open("five/vortices.json"))["systems"][0]["energy"] - H) > 1e-15)
END
test -z "$python" || $python energy.py || fail "five vortices have another energy"
json five/vortices.json 's["polhode_bench_vortices"] == 1 and abs(order("rk4", 6) - 4) < 0.1'
for name in spherical-midpoint spin-splitting; do
    grep -q "^$name " methods || continue
    json five/vortices.json "abs(order('$name', 4) - 2) < 0.05 and m['$name']['long_run']['momentum_error'] < 1e-13"
done
# many vortices: their long run has a tenth of the steps, and at least 20. Sanitizers take minutes for their truth
if test "${POLHODE_SANITIZERS:-}" != yes; then
    expect 0 "$polhode" bench vortices cloud --quiet -b 0.001 --limit 0.001 -n 100 -o cloud -m rk4
    json cloud/vortices.json 's["systems"][0]["spheres"] == 200 and m["rk4"]["long_run"]["steps"] == 20'
fi

for kind in spins vortices; do
    expect 0 "$polhode" bench $kind --list
done
says out "five" "cloud"
expect 0 "$polhode" bench spins --list --json
says out '"ring"' '"xxz"'
expect 2 "$polhode" bench spins -o no rong
says err "ring"
expect 2 "$polhode" bench vortices -o no ring
expect 2 "$polhode" bench spins -o no -n -5
expect 2 "$polhode" bench spins -o no -m rk5
# a method that takes other systems says why
expect 2 "$polhode" bench spins ring -o no --quiet -m variational
says err "variational"
test ! -e no || fail "a refused comparison left a directory"

# how cost grows: a part is a spin, of the lattice 4 times n; a ring has at least three; a step is a fiftieth of a radian of the fastest spin
if "$polhode" models | grep -q "^spin-lattice "; then
    expect 0 "$polhode" bench scaling spin-lattice --to 10 -m rk4 -b 0.01 --quiet -o growth
    says out "spin-lattice, side_x = 5 to 10 (20 to 40 parts), from \"random\""
    test "$(sed 1d growth/scaling.csv | cut -d, -f3 | tr '\n' ' ')" = "5 10 " || fail "other sizes: $(cat growth/scaling.csv)"
    # model, method, n, h, time of a step, its quartiles, the least, the time of a part; four neighbours make at most 4 rad/s
    awk -F, 'NR > 1 && ($9 * 4 * $3 / $5 < 0.999999 || $9 * 4 * $3 / $5 > 1.000001 || $4 < 0.005 || $4 > 0.01) { exit 1 }' growth/scaling.csv ||
        fail "a spin is not the part of scaling.csv, or the step is another: $(cat growth/scaling.csv)"
    expect 2 "$polhode" bench scaling spin-lattice --to 1 -m rk4 --quiet -o no
    says err "at least 3 sites"
fi
