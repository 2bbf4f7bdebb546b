#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode equilibria: what it finds and how it says so, families, figures, scenarios that it writes, what it refuses.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
cat > chain.yaml << 'END'
# a comment that stays
polhode: 1
model: chain-pendulum
parameters: {masses: [1, 1, 1], lengths: [1, 1, 1]}
initial: {preset: hanging}
method: {name: variational, order: 6}
step: 0.002
duration: 10
output: {every: 100}
END

# Each normal mode of each of the 8 equilibria at rest that has a frequency begins a family: 3 + 3 2 + 3 1 = 12.
# The second has a reference: roots of the equations in 40 digits
expect 0 "$polhode" equilibria chain.yaml --momentum 1.586917818219
says out "found      12 from 61 starts" "symmetry   Jg"
expect 0 "$polhode" equilibria chain.yaml --momentum 1.586917818219 --json
cp out found.json
json found.json 'len(s["equilibria"]) == 12 and s["symmetry"] == "Jg" and s["families"] == []'
json found.json 'abs(s["equilibria"][1]["rate"] - 5.241892759959821) < 1e-11 and s["equilibria"][1]["stability"] == "unstable"'
json found.json 'abs(s["equilibria"][1]["growth"] - .01965112461) < 1e-9 and s["equilibria"][1]["negative"] == 2'
json found.json 's["equilibria"][0]["stability"] == "stable" and min(s["equilibria"][0]["curvature"]) > 0'
json found.json 'all(e["residual"] < 1e-14 for e in s["equilibria"])'
json found.json '[e["energy"] for e in s["equilibria"]] == sorted(e["energy"] for e in s["equilibria"])'

# Each is written as a scenario, whose motion turns at its rate and keeps its shape
expect 0 "$polhode" equilibria chain.yaml --momentum 1.586917818219 --write steady --quiet
test ! -s out || fail "--quiet prints $(cat out)"
test "$(ls steady | wc -l)" -eq 12 || fail "12 scenarios are written as $(ls steady)"
grep -q "a comment that stays" steady/equilibrium-1.yaml || fail "the scenario lost its comments"
expect 0 "$polhode" run --quiet --csv --set duration=1 steady/equilibrium-1.yaml -o steady.out
json steady.out/summary.json 's["energy_error_max"] < 1e-13'
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^q3z/) column = i; next }
    { if (NR == 2) first = $column; if (!column || ($column - first)^2 > 1e-20) exit 1 }' steady.out/trajectory.csv ||
    fail "the third link of a relative equilibrium moves up or down: $(cat steady.out/trajectory.csv)"

# Families
expect 0 "$polhode" equilibria double-spherical-pendulum -m 0.3 --to 20 --json
json out 'all(f["end"] == "the end of the interval" and f["points"][-1]["momentum"] == 20 for f in s["families"])'
# along each dE/dmu is the rate
json out 'all(abs((b["energy"] - a["energy"]) / (b["momentum"] - a["momentum"]) - (a["rate"] + b["rate"]) / 2) < 1e-2 * abs(a["rate"]) for f in s["families"] for a, b in zip(f["points"], f["points"][1:]) if b["momentum"] > a["momentum"] + 1e-6)'
expect 0 "$polhode" equilibria double-spherical-pendulum -m 0.3 --to 20
says out "Families, to momentum 20" "the end of the interval"
expect 0 "$polhode" equilibria double-spherical-pendulum -m 0.3 --to 20 --plot families.svg --quiet
says families.svg "</svg>" ">stable<" "momentum" "energy"

# With velocity constraints: the circle of a disk, and the scenario that begins there
expect 0 "$polhode" equilibria rolling-disk
says out "velocity of factor 1 along coordinate 2                     0 m/s" "oscillates at 3.117238793 rad/s" "turn about the z axis" "-1.7 rad/s" "2 of 4 eigenvalues are 0" "Nothing grows"
expect 0 "$polhode" equilibria rolling-disk --json
json out 's["growth"] == 0 and s["zero"] == 2 and len(s["eigenvalues"]) == 4 and abs(s["rates"][3]["rate"] - 2.929433780686365) < 1e-12 and s["residual"] < 1e-13'
expect 0 "$polhode" equilibria rattleback --write spun
says out "Unstable" "grows at 2.1278" "decays at 0.2031"
grep -q "steady motion, unstable" spun/equilibrium-1.yaml || fail "the scenario does not say what it is"
expect 0 "$polhode" run --quiet --csv --set duration=0.2 --set step=0.01 spun/equilibrium-1.yaml -o spun.out
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^R2zz/) column = i; next } { if ($column < 1 - 1e-14) exit 1 } END { if (!column) exit 2 }' \
    spun.out/trajectory.csv || fail "the body does not stay level"
expect 0 "$polhode" equilibria chaplygin-sleigh
says out "grows at 0.2042694384 /s" "Unstable"
expect 1 "$polhode" equilibria knife-edge
says err "no steady motion was found"

# At rest
expect 0 "$polhode" equilibria heavy-top -m 0
says out "at rest" "stable" "unstable"
expect 0 "$polhode" equilibria elastic-chain -m 0 --starts 5
# of many frequencies the highest and the lowest are shown
cp out table
expect 0 "$polhode" equilibria elastic-chain -m 0 --starts 5 --json
cat > ends.py << 'END'
import json
s, table = json.load(open("out")), open("table").read().splitlines()
assert s["units"]["curvature"] == "1/s^2"
rows = [line.replace(",", " ") for line in table if line.strip() and line.split()[0].isdigit()]
assert len(rows) == len(s["equilibria"])
for row, e in zip(rows, s["equilibria"]):
    f = sorted(im for re, im in e["eigenvalues"] if im > 1e-9 * max(abs(x) for x in sum(e["eigenvalues"], [])))
    assert f"{f[-1]:.5g}" in row.split() and f"{f[0]:.5g}" in row.split(), (f, row)
    assert len(f) <= 6 or f"({len(f) - 6} more)" in row, (f, row)
    if e["stability"] == "stable": # at rest curvatures are the squares of frequencies
        assert all(abs(c ** .5 - w) < 1e-6 * f[-1] for c, w in zip(sorted(e["curvature"]), f)), (e["curvature"], f)
END
test -z "$python" || $python ends.py || fail "the frequencies of the table"
# a momentum that no family reaches
expect 0 "$polhode" equilibria heavy-top --to 1e300
says out "1  no other point: no solution was found further on"

# What is refused
expect 2 "$polhode" equilibria no-such-model
says err "no-such-model"
expect 2 "$polhode" equilibria missing.yaml
says err "missing.yaml"
expect 2 "$polhode" equilibria rolling-disk --momentum 3
says err "velocity constraints" "--momentum"
expect 2 "$polhode" equilibria chain.yaml --symmetry Jx
says err 'symmetry "Jx"'
expect 2 "$polhode" equilibria chain.yaml --momentum fast
says err "--momentum must be a number"
expect 2 "$polhode" equilibria chain.yaml --plot x.svg
says err "--to MU"
expect 3 "$polhode" equilibria heavy-top -m 0 --write /proc/none --starts 0 --quiet
expect 3 "$polhode" equilibria rolling-disk --write /proc/none --quiet
