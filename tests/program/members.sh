#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Members of an ensemble one by one: polhode run --member against the same scenario with the values set by hand, and what is
# said of an ensemble where one run is expected.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program

sed 's/^duration:.*/duration: 1/' "$top_srcdir/examples/double-spherical-pendulum.yaml" > plain.yaml
cat plain.yaml - > map.yaml << 'END'
ensemble:
  product:
    parameters.masses[1]: [1, 2.5]
    initial.omega[1][1]: {from: 0.25, to: 1, count: 4}
    method: [rk4, {name: variational, order: 4}]
END

# ---- Member 13 is the second mass, the third velocity, the second method

expect 0 "$polhode" run --quiet --member 13 map.yaml
expect 0 "$polhode" run --quiet -o own.out --set 'parameters.masses[1]=2.5' --set 'initial.omega[1][1]=0.75' \
    --set 'method={name: variational, order: 4}' plain.yaml
for summary in map-13.out own.out; do
    sed -n '/"final_state"/,/}/p' $summary/summary.json > $summary.state
    grep -q '"z"' $summary.state || fail "$summary/summary.json has no final state"
done
cmp map-13.out.state own.out.state || fail "member 13 is not the scenario with its values"
test -f map-13.out/map-13.polhode || fail "the archive of member 13 is called otherwise: $(ls map-13.out)"
expect 3 "$polhode" run --quiet --member 13 map.yaml
says err "exists already" "polhode resume map-13.out/map-13.polhode"

# ---- Its archive is that of a scenario

expect 0 "$polhode" run --quiet --member 12 --set duration=0.5 -o twelve map.yaml
expect 0 "$polhode" info twelve
says out rk4

# ---- Where one run is expected

expect 2 "$polhode" run map.yaml
says err "map.yaml:" "ensemble: stands for many runs, where one is expected" "polhode sweep" "polhode run --member 0"
test ! -e map.out || fail "an ensemble has left a directory"
expect 2 "$polhode" run --member 16 map.yaml
says err "there is no member 16; the ensemble has 16"
expect 2 "$polhode" run --member 1 plain.yaml
says err "there is no member 1; the ensemble has 1"
expect 0 "$polhode" run --quiet --member 0 plain.yaml
expect 0 "$polhode" check map.yaml
says out "ensemble of 16 members; this is member 0" "rk4"
expect 0 "$polhode" check --quiet map.yaml
is_empty out

# ---- Mistakes have the position of the value

sed 's/\[1, 2.5\]/[-1, 2.5]/' map.yaml > bad.yaml
expect 2 "$polhode" check bad.yaml
says err "bad.yaml:$(grep -n '\[-1, 2.5\]' bad.yaml | cut -d: -f1):28: parameters.masses[1]:"
exit $failed
