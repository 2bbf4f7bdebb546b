#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Long runs of two bodies and the Sun, of three and of four bodies under mutual gravity that are killed again and again (kill -9) and resumed: the rows, the last state
# among them, have the bits of an undisturbed run. A million steps in the thorough form.
set -eu
# shellcheck source=tests/kit/kit.sh
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program

# a step of the three takes half a microsecond or so, one of the four ten times as long
sun=100000 three=300000 four=40000 kills=2
test -z "${POLHODE_CHECK_THOROUGH-}" || sun=1000000 three=1000000 four=1000000 kills=12
test -z "${POLHODE_CHECK_SHORT-}" || sun=2000 three=2000 four=500

cat > sun.yaml << END
polhode: 1
model: rigid-n-body
parameters:
  bodies:
    - {mass: 5.2e11, half-axes: [425, 415, 340]}
    - {mass: 4.5e9, half-axes: [88, 85, 58]}
    - {mass: 1.989e30}
initial:
  q:     [[0, 0, 0], {a: 1190, e: 0.02}, {a: 1.496e11, e: 0.2, about: [1, 2]}, [1, 0, 0, 0], [1, 0, 0, 0]]
  omega: [[0, 0, 0], orbit, orbit, [0, 0, 7.7e-4], [0, 0, 1.44e-4]]
  barycentre: rest
method: kepler-rotor
step: 300
steps: $sun
output: {every: $((sun / 100)), csv: true, snapshot: 0, columns: [t, configuration, momentum, energy]}
END
cat > triple.yaml << END
polhode: 1
model: rigid-n-body
initial: {preset: triple}
method: variational
step: 30
steps: $three
output: {every: $((three / 100)), csv: true, snapshot: 0, columns: [t, configuration, momentum, energy]}
END
cat > four.yaml << END
polhode: 1
model: rigid-n-body
parameters:
  bodies:
    - {density: 2200, half-axes: [400, 350, 280]}
    - {density: 2000, octahedron: [160, 120, 90]}
    - {density: 1800, half-axes: [70, 60, 50]}
    - {mass: 5e8, radius: 40}
  order: 4
method: {name: variational, order: 4}
step: 60
steps: $four
output: {every: $((four / 100)), csv: true, snapshot: 0, columns: [t, configuration, momentum, energy]}
END

# pause: some hundredths of a second, not always the same
pause() {
    turn=$(((${turn:-3} * 5 + 3) % 11)) # 7, 5, 6, 0, 3, ...
    sleep "0.0${turn}5"
}

for name in sun triple four; do
    expect 0 "$polhode" run --quiet -o whole "$name.yaml"
    rows=$(wc -l < whole/trajectory.csv)
    test "$rows" -eq 102 || fail "$name: $rows lines instead of a head and 101 rows"
    "$polhode" run --quiet -o pieces "$name.yaml" > out 2> err &
    running=$!
    await test -s "pieces/$name.polhode"
    killed=0
    while test $killed -lt $kills; do
        pause
        kill -KILL $running 2> /dev/null || break
        code=0
        wait $running 2> /dev/null || code=$?
        running=
        test $code -eq 137 || break # it was over
        killed=$((killed + 1))
        "$polhode" resume --quiet "pieces/$name.polhode" > out 2> err &
        running=$!
    done
    test -z "$running" || wait $running || { fail "$name: the last resumption does not end well"; cat err; }
    running=
    echo "$name: killed $killed times, $(grep -c . pieces/trajectory.csv) lines"
    test $killed -gt 0 || test -n "${POLHODE_CHECK_SHORT-}" || not_tried "$name: the run was over before it could be killed"
    expect 0 "$polhode" resume --csv --quiet "pieces/$name.polhode"
    cmp whole/trajectory.csv pieces/trajectory.csv || fail "$name: resumed after kills it has other bits"
    rm -r whole pieces
done
