#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Long runs of three and four bodies under mutual gravity that are killed again and again (kill -9) and resumed: the rows, the last state
# among them, have the bits of an undisturbed run. A million steps in the thorough form.
set -eu
# shellcheck source=tests/kit/kit.sh
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program

# a step of the three takes half a microsecond or so, one of the four ten times as long
three=300000 four=40000 kills=2
test -z "${POLHODE_CHECK_THOROUGH-}" || three=1000000 four=1000000 kills=12
test -z "${POLHODE_CHECK_SHORT-}" || three=2000 four=500

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

for name in triple four; do
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
