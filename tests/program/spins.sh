#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Spins as a user has them: new, check, run, info, tail, export, advice and comparison say what spins have and nothing of
# momenta; a run that is stopped resumes to the same table; what spins do not have is refused with the reason.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program

cat > s.yaml << 'END'
polhode: 1
model: spin-chain
parameters: {strengths: [1, 1, -0.8, 1], ring: 0, exchange: 0.5, field: [0, 0, 0.3]}
initial: {q: [[0.6, 0, 0.8], [0, 0.28, -0.96], {theta: 1.1, phi: 2}, [0, 1, 0]]}
method: {name: spherical-midpoint, order: 4}
step: 0.05
duration: 20
output: {every: 4, csv: true}
events: [{name: up, when: s1x}]
END

# ---- It is in order, and what is said of it
expect 0 "$polhode" check s.yaml
says out "4 spins, conservative" "gradient of the energy agrees" "invariance under the symmetries holds" "fastest of the linearised system" "All is well."
for word in kinetic velocity momentum; do
    if grep -q "$word" out; then fail "check speaks of a $word: $(cat out)"; fi
done
expect 0 "$polhode" run s.yaml
says out "energy error" "error of J" "constraint error" "events           up:"
json s.out/summary.json 's["energy_error_max"] < 1e-5 and s["momentum_error_max"] < 1e-14 and s["constraint_error_max"] < 3e-16'
json s.out/summary.json 's["final_state"]["p"] == [] and len(s["final_state"]["z"]) == 12 and s["momentum_maps"][0]["name"] == "Jz"'
expect 0 "$polhode" info s.out
says out "rows             101 of" "error of J"
expect 0 "$polhode" tail s.out --columns t,s1,energy
says out "s1x" "s1z"
head -n 1 s.out/trajectory.csv | grep -q '^t\[s\],step,s1x\[1\],s1y\[1\],s1z\[1\],s2x' || fail "the table begins with $(head -n 1 s.out/trajectory.csv)"

# ---- Stopped and resumed: the same table
expect 0 "$polhode" run s.yaml --quiet --set duration=7 -o parts.out
expect 0 "$polhode" resume parts.out --quiet --until 20
cmp s.out/trajectory.csv parts.out/trajectory.csv || fail "another table"
cmp s.out/events.csv parts.out/events.csv || fail "other events"

# ---- From its end, and for other programs
sed 's|^initial:.*|initial: {from: s.out/summary.json}|' s.yaml > more.yaml
expect 0 "$polhode" run more.yaml --quiet
json more.out/summary.json 's["final_state"]["t"] == 40'
expect 0 "$polhode" export s.out --events -o events.csv
with=$(python_with numpy)
if ! "$polhode" export s.out -o s.npz 2> err; then
    says err "this build cannot write npz"
    not_tried "arrays: $(cat err)"
elif test -n "$with"; then
    $with - << 'END' || fail "the arrays are not those of spins"
import numpy
a = numpy.load("s.npz")
assert a["s"].shape == (101, 4, 3) and "p" not in a and "pi" not in a, a.files
assert abs(numpy.linalg.norm(a["s"], axis=2) - 1).max() < 3e-16
J = (a["s"][:, :, 2] * [1, 1, -0.8, 1]).sum(axis=1)
assert abs(J - a["Jz"]).max() < 1e-15 and abs(J - J[0]).max() < 1e-14
END
else
    not_tried "arrays: there is no Python with NumPy"
fi

# ---- A new scenario; advice; a comparison
expect 0 "$polhode" new spin-chain -o new.yaml
says new.yaml "name: sp" "{q: [...]}"
if grep -q omega new.yaml; then fail "a new scenario of spins speaks of omega"; fi
expect 0 "$polhode" methods --advise s.yaml --accuracy 1e-5 --horizon 5
says out "spherical-midpoint" "rk4-projected" "Recommended"
if grep -q variational out; then fail "advice speaks of variational: $(cat out)"; fi
expect 0 "$polhode" bench s.yaml --quiet --budget 0.01 -m spherical-midpoint -m rk4-projected -T 5 -o bench.out

# ---- What they do not have
expect 2 "$polhode" equilibria s.yaml
says err "spins are a phase space"
sed 's/name: spherical-midpoint, order: 4/name: variational/' s.yaml > wrong.yaml
expect 2 "$polhode" check wrong.yaml
says err "wrong.yaml:5" "of spins the spheres are the whole phase space" "spherical-midpoint"
sed 's/^initial: .*/initial: {q: [[1, 0, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0]], omega: [[0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 0, 1]]}/' s.yaml > wrong.yaml
expect 2 "$polhode" run wrong.yaml
says err "initial.omega" "spins have neither velocities nor momenta"
