#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Shapes of bodies from files: a run that ends early is resumed to the same bits where the file was changed, and where it is gone,
# also where the field of a central body is the exact one of its surface;
# what is remarked stands in what check and run print; a preset is written as a scenario that gives the same motion.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program

mkdir shapes
cat > shapes/stone.obj << 'END'
v 60 0 3
v -60 0 3
v 0 70 3
v 0 -70 3
v 0 0 53
v 0 0 -47
f 1 3 5
f 3 2 5
f 2 4 5
f 4 1 5
f 3 1 6
f 2 3 6
f 4 2 6
f 1 4 6
END
cat > s.yaml << 'END'
polhode: 1
model: binary
parameters:
  bodies:
    - {mass: 3.5e11, half-axes: [400, 350, 280]}
    - {density: 2500, mesh: shapes/stone.obj}
initial:
  q: [{a: 1200, e: 0.1}, [1, 0, 0, 0], [1, 0, 0, 0]]
  omega: [orbit, [0, 0, 6e-4], [1e-4, 0, 2e-4]]
method: {name: variational, order: 4}
step: 100
steps: 400
output: {every: 10}
END
expect 0 "$polhode" check s.yaml
says out "note     parameters.bodies[1]: the centre of mass is at"
expect 0 "$polhode" run s.yaml -o whole --csv
says err "the centre of mass is at"

# a craft within the sphere that holds the stone, in its exact field: no warning but where it is within the surface
cat > close.yaml << 'END'
polhode: 1
model: spacecraft
parameters:
  bodies:
    - {density: 2500, mesh: shapes/stone.obj, field: exact, axes: principal}
    - {mass: 500}
  spin: [3e-4, 0, 0]
  attitude: [2, 1, 0, 1]
initial: {q: [[0, 0, -65]], qdot: [[0.03, 0, 0]]}
method: {name: variational, order: 4}
step: 20
steps: 400
output: {every: 10}
END
expect 0 "$polhode" check close.yaml
if grep -q WARNING out; then fail 'check warns of a craft outside of the surface'; fi
sed 's/0, 0, -65/0, 0, 20/' close.yaml > within.yaml
expect 2 "$polhode" check within.yaml
says err 'within.yaml:' 'the central body and body 1 overlap'
# beyond what every body of this inertia reaches, but within this one
sed 's/0, 0, -65/36, 0, 0/' close.yaml > within.yaml
expect 0 "$polhode" check within.yaml
says out 'the place of body 1 is within the surface of the central one' 'see the warnings'
expect 0 "$polhode" run close.yaml -o close --csv --quiet
expect 0 "$polhode" run close.yaml -o close.parts --csv --quiet --set steps=200

# a second run that stops half-way, whose mesh changes and then goes
expect 0 "$polhode" run s.yaml -o parts --csv --quiet --set steps=200
sed -i.bak 's/53/90/' shapes/stone.obj
expect 0 "$polhode" resume parts/s.polhode --until 30000 --csv --quiet
rm -r shapes
expect 0 "$polhode" resume parts/s.polhode --until 40000 --csv --quiet
expect 0 "$polhode" resume close.parts/close.polhode --until 8000 --csv --quiet
cmp close/trajectory.csv close.parts/trajectory.csv || fail "a run in an exact field that was resumed without its mesh has other bits"
cmp whole/trajectory.csv parts/trajectory.csv || fail "a run that was resumed without its mesh has other bits"
expect 0 "$polhode" info parts/s.polhode
expect 2 "$polhode" run s.yaml -o again
says err "stone.obj: cannot be opened"

# what new writes of a preset is the preset: bodies, numbers and motion
for preset in kw4 octahedra; do
    expect 0 "$polhode" new binary --preset $preset -o $preset.yaml --quiet
    expect 0 "$polhode" run $preset.yaml -o $preset.out --csv --quiet --set steps=20
    # without its parameters
    sed '/^parameters:/,/^$/d' $preset.yaml > less.yaml
    expect 0 "$polhode" run less.yaml -o less.out --csv --quiet --force --set steps=20
    cmp $preset.out/trajectory.csv less.out/trajectory.csv || fail "new writes other parameters than those of $preset"
done
expect 2 "$polhode" new binary --preset kw5
says err 'did you mean "kw4"'
exit $failed
