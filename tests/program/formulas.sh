#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A system of formulas by the program: what check says of it, and the names of its factors on the way to tables and figures.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program

# A damped oscillator, x = exp(-c t) cos(w t) + ..., whose motion is known: the difference of a method of order 4 from half its step is
# 15/16 of its error.
cat > damped.yaml << 'END'
polhode: 1
model:
  space: {x: R1, a: {in: R1, unit: rad}}
  parameters: {m: 1 kg, k: 4 N/m, c: 0.4 N s/m, J: 1 kg m^2}
  kinetic: m/2*xdot^2 + J/2*adot^2
  potential: k/2*x^2
  forces: [{at: x, force: -c*xdot}]
initial: {q: [1, 0.5]}
method: rk4
step: 0.125
duration: 4
END
expect 0 "$polhode" check damped.yaml
grep -q "^factors  x (x1), a (x2)$" out || fail "check does not name the factors: $(cat out)"
grep -q "^error    about .* in the first 32 of 32 steps, by the difference from half the step" out || fail "$(cat out)"
grep -q "^All is well.$" out || fail "$(cat out)"
expect 0 "$polhode" check --json damped.yaml
cp out check.json
expect 0 "$polhode" run --quiet -o damped damped.yaml
"$polhode" info damped > out
grep -q "factors  *x (x1), a (x2)$" out || fail "info does not name the factors: $(cat out)"
expect 0 "$polhode" export damped -o damped.csv --columns t,x,a,adot,"momentum(a)"
test "$(head -n 1 damped.csv)" = "t[s],x1_1[m],x2_1[rad],xdot2_1[rad/s],p2_1[kg m^2/s]" || fail "$(head -n 1 damped.csv)"
expect 2 "$polhode" export damped -o none.csv --columns ads
if test -z "$python"; then
    not_tried "the error that check says: there is no Python"
else
    $python - << 'END' || fail "the error that check says"
import csv, json, math
b, w = 0.2, math.sqrt(4 - 0.04)
rows = [[float(x) for x in row] for row in list(csv.reader(open("damped.csv")))[1:]]
error = max(abs(x - math.exp(-b * t) * (math.cos(w * t) + b / w * math.sin(w * t))) for t, x, *_ in rows)
said = json.load(open("check.json"))["half_step_difference"]
print("half step", said, "true", error, "ratio", said / error * 16 / 15)
assert len(rows) == 33 and abs(said / error * 16 / 15 - 1) < 0.1  # the next order of h
END
fi
sed 's/^method: rk4/method: {name: variational, order: 2}/; s/^step: 0.125/step: 0.8/' damped.yaml > coarse.yaml
expect 0 "$polhode" check coarse.yaml
grep -q "^  LARGE: more than 0.01; a smaller step reduces it" out || fail "$(cat out)"
grep -q "^All is well" out && fail "$(cat out)"
sed 's/-c\*xdot/0*xdot*c/' damped.yaml > still.yaml # a force that is 0 is none: the energy is a measure again
expect 0 "$polhode" check still.yaml
grep -q "^energy   relative error about" out || fail "a force that is zero: $(cat out)"
if command -v gnuplot > /dev/null; then
    expect 0 "$polhode" plot --terminal --columns a damped
    grep -q "a \[rad\]" out || fail "the axis has not the name of the factor: $(cat out)"
fi

# Rates of many links are computed at few configurations, as each takes a time that grows like their third power.
cat > links.yaml << 'END'
polhode: 1
model: chain-pendulum
parameters: {links: 130}
method: variational
step: 0.0001
steps: 1
END
expect 0 "$polhode" check --json links.yaml
json out 's["configurations"] == 5 and s["rate"] > 0'
