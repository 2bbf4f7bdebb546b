#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A scenario with a reduction: the phase, the columns, that the motion is the one without reduction, resuming, what is refused.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
cat > whole.yaml << 'END'
polhode: 1
model: double-spherical-pendulum
method: {name: variational, order: 8}
step: 0.02
duration: 10
output: {every: 25, columns: [t, positions, Jg]}
END
sed -e '3i\
reduction: {symmetry: S1}' -e 's/positions, Jg/positions, Jg, reduced, shape/' whole.yaml > reduced.yaml

# The phase of problem 1 has 14 known digits; masses are where they are without reduction; mu is conserved to the bit
expect 0 "$polhode" check reduced.yaml
says out "All is well."
expect 0 "$polhode" run --csv reduced.yaml
says out "phase            9.158079226 rad: 1 turns and 2.874893919 rad"
expect 0 "$polhode" run --csv --quiet whole.yaml
json reduced.out/summary.json 's["momentum_error_max"] == 0 and s["energy_error_max"] < 1e-12 and s["conservative"]'
paste -d, whole.out/trajectory.csv reduced.out/trajectory.csv > both.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { name = $i; sub(/\[.*/, "", name); if (name in column) second[name] = i; else column[name] = i }; next }
    { for (name in second) if (($second[name] - $column[name])^2 > 1e-21 * (1 + $column[name]^2)) exit 1; phase = $column["phase"]
      # along1 and position1 are the same height; V_mu = U + mu^2 / (2 I)
      if (($column["along1"] * 9.81 - $column["position1z"])^2 > 1e-20) exit 2; rows++ }
    END { if (rows != 21 || (phase - 9.1580792261618)^2 > 1e-24) exit 3 }' both.csv ||
    fail "the reduced motion is another one: $(tail -n 1 both.csv)"

# Interrupted and resumed it has the same bits; continued from the end of a run, too
expect 1 "$polhode" run --quiet --csv reduced.yaml -o cut --wall-clock 0
expect 0 "$polhode" resume --quiet --csv cut
cmp cut/trajectory.csv reduced.out/trajectory.csv || fail "a resumed reduced run has other bits"
sed 's|^step|initial: {from: reduced.out/summary.json}\
step|' reduced.yaml > on.yaml
expect 0 "$polhode" run --csv --quiet on.yaml
awk -F, 'NR == 2 { exit !($1 == 10 && NF > 8) }' on.out/trajectory.csv || fail "it does not continue at t = 10 s: $(head -n 2 on.out/trajectory.csv)"

# Other methods: those that keep velocity constraints
for method in rk4 dla cf4; do
    expect 0 "$polhode" run --csv --quiet --force reduced.yaml --set method=$method --set step=0.01
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^phase/) column = i } END { exit !(($column - 9.1580792261618)^2 < 1e-8) }' \
        reduced.out/trajectory.csv || fail "$method has another phase: $(tail -n 1 reduced.out/trajectory.csv)"
done

# By all rotations: the momenta of a free body return after its period, the shape is their direction
cat > body.yaml << 'END'
polhode: 1
model: free-rigid-body
reduction: {symmetry: SO3}
method: {name: variational, order: 8}
step: 0.0343130808902906
duration: 6.86261617805812
output: {every: 200, columns: [momentum, shape]}
END
expect 0 "$polhode" run --csv --quiet body.yaml
awk -F, 'NR == 2 { for (i = 1; i <= NF; i++) first[i] = $i } NR == 3 { for (i = 3; i <= NF; i++) if (($i - first[i])^2 > 1e-24) exit 1
    n = sqrt($3^2 + $4^2 + $5^2); for (i = 1; i <= 3; i++) if (($(2 + i) / n - $(NF - 3 + i))^2 > 1e-28) exit 2 } END { if (NR != 3) exit 3 }' \
    body.out/trajectory.csv || fail "the momenta of a free body: $(cat body.out/trajectory.csv)"
expect 1 "$polhode" run --quiet --csv body.yaml -o half --wall-clock 0
expect 0 "$polhode" resume --quiet --csv half
cmp half/trajectory.csv body.out/trajectory.csv || fail "a resumed run reduced by all rotations has other bits"

# What is refused
refused() {
    expect 2 "$polhode" run --quiet reduced.yaml -o none --set "$1"
    says err "$2"
}
refused reduction.symmetry=J7 "is no momentum of the model; it has Jg"
refused "reduction={}" 'give "symmetry"'
refused model=rolling-disk "it has none"
refused method=gauss "velocity constraints"
refused "initial={preset: hanging}" "nothing is off its axis"
refused model=free-rigid-body "is S1, but the model has 3 rotations"
refused reduction.symmetry=SO3 "not invariant under all rotations"
test ! -e none || fail "a refused run has written something"
