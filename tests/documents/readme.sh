#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# README.md: its length, its links, and its claims: the numbers between its markers are those of doc/figures/readme.json,
# and a fresh, shorter run of the same methods agrees with what they say.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
test -n "$python" || skip "there is no Python"
readme=$top_srcdir/README.md

test "$(wc -l < "$readme")" -le 120 || fail "README.md has $(wc -l < "$readme") lines; at most 120 are allowed"
grep -o -e '](\([^)#]*\))' "$readme" | sed 's/^](//; s/)$//' | grep -v '^https*:' | while read -r link; do
    test -e "$top_srcdir/$link" || echo "$link"
done > missing
test ! -s missing || fail "README.md links to what is not there: $(cat missing)"

# the check must notice a number that has been changed by hand
$python "$top_srcdir/doc/figures/front.py" "$top_srcdir" --check || fail "README.md and doc/figures/readme.json differ"
mkdir -p copy/doc/figures
cp "$top_srcdir/doc/figures/readme.json" copy/doc/figures
sed 's/\(<!-- n:adaptive_error -->\)/\19/' "$readme" > copy/README.md
! $python "$top_srcdir/doc/figures/front.py" copy --check 2> err || fail "a changed number is not noticed"

# its picture is whole
$python -c 'import sys, xml.etree.ElementTree as e; print(len(e.parse(sys.argv[1]).getroot()))' "$top_srcdir/doc/figures/front.svg" || fail "front.svg is no XML"

# 2000 s in place of 20 000 s, at the steps of README's run up to rounding: RK4's error grows by time, so it must have a
# tenth or so; that of gauss is rounding, and the bounded one of variational stays. CPU times are not compared here: other processes disturb them.
printf '%s\n' 'polhode: 1' 'model: double-spherical-pendulum' 'parameters: {masses: [1, 1], lengths: [9.81, 9.81], gravity: [0, 0, 9.81]}' \
    'initial: {q: [[0.8660254037844386, 0, 0.5], [0, 0, 1]], omega: [[-0.4330127018922193, 0, 0.75], [0, 1, 0]]}' 'method: {name: rk4-projected}' 'step: 0.004' 'duration: 2000' > rk4.yaml
expect 0 "$polhode" run --quiet --json rk4.yaml
mv out rk4.json
expect 0 "$polhode" run --quiet --json rk4.yaml --set 'method={name: gauss}' --set step=0.04 -o gauss.out
mv out gauss.json
expect 0 "$polhode" run --quiet --json rk4.yaml --set 'method={name: variational, order: 8}' --set step=0.0625 -o variational.out
mv out variational.json
$python - "$top_srcdir/doc/figures/readme.json" rk4.json gauss.json variational.json << 'END' || fail "README.md's numbers are not those of a run"
import json, sys
claimed, rk4, gauss, variational = (json.load(open(name)) for name in sys.argv[1:])
claimed = claimed["numbers"]
print("rk4-projected:", rk4["energy_error_max"], "of", claimed["reference_error"], "gauss:", gauss["energy_error_max"], "of", claimed["best_error"])
assert 0.03 < rk4["energy_error_max"] / claimed["reference_error"] < 0.3
assert 0 < gauss["energy_error_max"] < 3e-14 and 0 < claimed["best_error"] < 1e-13
assert 0.05 < variational["energy_error_max"] / claimed["symplectic_error"] * (claimed["symplectic_step"] / 0.0625) ** 8 < 5
assert rk4["energy_error_tenths"][9] > 3 * rk4["energy_error_tenths"][0]
tenths = variational["energy_error_tenths"]
assert max(tenths[7:]) < 3 * max(tenths[:3])
assert claimed["adaptive_error"] > 100 * claimed["best_error"]
assert claimed["reference_step"] == 0.004 and 0.6 < claimed["best_step"] / 0.04 < 1.3 and 0.6 < claimed["symplectic_step"] / 0.0625 < 1.15
END
# the free body at its step: the whole of what is claimed, in a fraction of a second
expect 0 "$polhode" bench polhode -m rk4-projected -m rotor-splitting:order=6 -o body --budget 0.02 --json
$python - "$top_srcdir/doc/figures/readme.json" out << 'END' || fail "README.md's numbers of the free body are not those of a run"
import json, sys
claimed, bench = (json.load(open(name)) for name in sys.argv[1:])
claimed = claimed["numbers"]
trials = {t["method"]: t for t in bench["problems"][0]["trials"] if t["basis"] == "same-step"}
for name, method in (("body_reference_error", "rk4-projected"), ("body_best_error", claimed["body_method"].replace(" of order ", ":order="))):
    assert 1 / 3 < trials[method]["energy_error_max"] / claimed[name] < 3, (name, trials[method]["energy_error_max"])
    assert trials[method]["h"] == claimed["body_step"]
END
exit $failed
