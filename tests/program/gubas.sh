#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode gubas: scenarios of runs of GUBAS and of GRIT, which check finds in order; what is taken differently, in words; GUBAS's
# tables of their runs; what is refused.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program

# ---- A run of GUBAS: an octahedron and an ellipsoid
cp -R "$top_srcdir/examples/gubas" case
chmod -R u+w case
mv case/octahedron_vertices.csv case/v.csv
mv case/octahedron_faces.csv case/f.csv
sed 's/octahedron_vertices/v/; s/octahedron_faces/f/' "$top_srcdir/examples/gubas/hou_config.cfg" > case/hou_config.cfg

# variant DIRECTORY SED-SCRIPT: a copy of the case with a changed configuration
variant() {
    mkdir "$1"
    cp case/*.csv "$1"
    sed "$2" case/hou_config.cfg > "$1/hou_config.cfg"
}

expect 0 "$polhode" gubas case
cp out standard.yaml
says out "# From GUBAS: case/hou_config.cfg" "model: binary" "order: 4" "G: 6.67e-11" "vertices: 'case/v.csv'" \
    "half-axes: [103.16, 79.35, 66.13]" "method: variational" "step: 30" "steps: 240" "output: {interval: 1800}" \
    "the 2 of its" "has no effect there either" "LGVI: variational of order 2"
grep -q Flyby out && fail "words about perturbations that are not there"
expect 0 "$polhode" gubas case -o octa.yaml
says out "taken differently" "LGVI: variational of order 2" "polhode run octa.yaml"
cmp octa.yaml standard.yaml || fail "-o writes something else"
expect 0 "$polhode" gubas case -o case/octa.yaml --quiet
test ! -s out || fail "gubas --quiet is not"
says case/octa.yaml "vertices: 'v.csv'"
expect 3 "$polhode" gubas case -o octa.yaml
says err "exists already" "--force"
expect 0 "$polhode" gubas case/hou_config.cfg -o octa.yaml --force
cmp octa.yaml standard.yaml || fail "a file in place of its directory"

# ---- In words
variant perturbed 's/^Flyby: 0/Flyby: 1\nPlanetary Mass: 5.9722e24\nSemimajor Axis: -1.1072e+04\nEccentricity: 9.1284\nInclination: 0.1745\nRAAN: 0.1745\nArgument of Periapsis: 0.1745\nFlyby Time: 3600.0/; s/^Integrator Flag: 2/Integrator Flag: 1/'
variant listed 's/^Fixed Output Frequency.*/Fixed Output Frequency: -1/'
echo 0,30,240 > listed/times.csv
expect 0 "$polhode" gubas listed
says out "Outputs are at the times of" "output: {at: [0, 30, 240]}"
expect 0 "$polhode" gubas perturbed
says out "Third body: at (1 - nu) r" "computes the torques" "RK4: rk4" "method: rk4" "given_mass: [5.9722e+24]" \
    "given_axis: [-11072000]" "given_eccentricity: [9.1284]" "given_passage: [3600]"
grep -q given_far out && fail "a planet near by is taken for one far away"
variant tides 's/^Flyby: 0/Tidal Torque: 1\nPrimary Love Number: 5\nSecondary Love Number: 5\nPrimary Reference Radius: 400\nSecondary Reference Radius: 80\nPrimary Tidal Lag Angle: .1\nSecondary Tidal Lag Angle: .1/'
expect 0 "$polhode" gubas tides
# R_0 = (3 V/4 pi)^(1/3) = 271.69 m of the octahedron, (R_0^6/400)^(1/5) = 251.48 m
says out "of the wrong sign" "LGVI leaves all perturbations out" "tide: {love: 5, lag: 0.1, radius: 251.4"
variant hill 's/^Flyby: 0/Solar Gravity: 1\nSolar Orbit Radius: 1.\nAU Definition: 149597870700.\nSun Mass: 1.989e30/; s/^Integrator Flag: 2/Integrator Flag: 3/; s/^Final Time: .*/Final Time: 7210/'
expect 0 "$polhode" gubas hill
says out "Hill's" "given_far: 1" "given_mass: [1.989e+30]" "given_axis: [149597870700]" "given_periapsis: [3.14159265" "RK 7(8) adapts its step; rk8" "method: rk8" "The end is no whole number of steps" "steps: 241"
variant lower 's/^Secondary Inertia.*/Secondary Inertia Integral Truncation Order: 2/'
expect 0 "$polhode" gubas lower
says out "is an ellipsoid of order 2: moments of degree 2" "moments: {degree: 2, T:"
variant point 's/^Secondary Inertia.*/Secondary Inertia Integral Truncation Order: 0/'
expect 0 "$polhode" gubas point
says out "moments: {degree: 0, T:" "inertia: ["
variant round 's/^Secondary Shape Flag: 1/Secondary Shape Flag: 0/'
expect 0 "$polhode" gubas round
says out "is a sphere: it attracts as a point" "radius: 103.16"
variant shifted 's/^Case Name.*/Case Name: Shifted/'
sed 's/^0,\([^,]*\),/0,1\1,/; s/1-450/-350/' case/v.csv | sed 's/^0,1450/0,550/; s/^0,10,/0,100,/' > shifted/v.csv
expect 0 "$polhode" gubas shifted
says out "the centre of mass is at (100, " "GUBAS takes the origin for it"
# with the origin outside each tetrahedron from it counts: s/a of the mass, 1.848e11 kg, where s is the shift and a = 450 m
variant outside 's/^Case Name.*/Case Name: Outside/'
awk -F, '{ print $1 "," $2 + 700 "," $3 "," $4 }' case/v.csv > outside/v.csv
expect 0 "$polhode" gubas outside
says out "GUBAS adds the absolute volumes" "2.874666667e+11 kg"
variant inside-out 's/^Case Name.*/Case Name: Inside/'
awk -F, '{ print $2 "," $1 "," $3 }' case/f.csv > inside-out/f.csv
expect 0 "$polhode" gubas inside-out
says out "all faces are inside out"
variant unknown 's/^Case Name.*/Case Nam: Octa/'
expect 0 "$polhode" gubas unknown -o unknown.yaml
says out 'no key "Case Nam"' 'did you mean "Case Name"?'

# ---- What is refused: file, line, key
variant open 's/^Case Name.*/Case Name: Open/'
sed '$d' case/f.csv > open/f.csv
expect 2 "$polhode" gubas open
says err "open/f.csv" "face"
variant wrong 's/^Primary Density: 2.2/Primary Density: 2,2/'
expect 2 "$polhode" gubas wrong
says err "wrong/hou_config.cfg:5" 'Primary Density is "2,2"; a number is expected'
variant no-shape 's/^Primary Vertex File.*/Primary Vertex File: nothing.csv/'
expect 2 "$polhode" gubas no-shape
says err "no-shape/nothing.csv"
expect 2 "$polhode" gubas octa.yaml
says err "octa.yaml is neither a hou_config.cfg" "nor an init_system.json of GRIT"
variant away 's/^Case Name.*/Case Name: ..\/..\/away/'
expect 2 "$polhode" gubas away --quiet
says err "would lead elsewhere"
# one remark for one overlap, also with a polyhedron
variant near 's/^Relative Position X.*/Relative Position X: 1.2/'
expect 0 "$polhode" gubas near -o near.yaml
test "$(grep -c 'bodies overlap' out)" -eq 1 || fail "remarks on the overlap: $(grep overlap out)"
mkdir empty
expect 2 "$polhode" gubas empty
says err "has neither hou_config.cfg nor ic_input.txt"
expect 2 "$polhode" gubas
expect 3 "$polhode" gubas case -o missing/s.yaml

# ---- A system of GRIT
cp -R "$top_srcdir/examples/grit" grit
expect 0 "$polhode" gubas grit -o grit.yaml
says out "is not symmetric: GRIT loses about 4 per cent of the angular momentum" "GRIT's tides" "Next: polhode check"
says grit.yaml "model: rigid-n-body" "# Big turns" "method: {name: variational, order: 4}" "steps: 100" "half-axes: [450, 400, 350]"
expect 2 "$polhode" gubas grit --tables run
says err "is a system of GRIT"
sed 's/"radius": 0.4,/"radius": 0.4/' grit/init_system.json > bad.json
expect 2 "$polhode" gubas bad.json
says err "bad.json:"

# ---- The scenarios: check, run; GUBAS's tables of a run
for file in octa grit case/octa; do
    expect 0 "$polhode" check "$file.yaml"
    says out "All is well."
done
for file in lower point round hill perturbed tides; do
    expect 0 "$polhode" gubas "$file" -o "$file.yaml" --quiet --force
    expect 0 "$polhode" run --quiet --set steps=4 "$file.yaml"
done
expect 0 "$polhode" run --quiet octa.yaml
expect 0 "$polhode" gubas case --tables octa.out -o tables
# five rows of 32 numbers, ended by CR LF
name=7200.0_1800.0_30.0_4_2_Octa.csv
for kind in LagrangianStateOut HamiltonianStateOut FHamiltonianStateOut Energy+AngMom Conservation_Energy+AngMom; do
    test "$(wc -l < "tables/${kind}_$name")" -eq 5 || fail "rows of $kind"
    test "$(tr -dc '\r' < "tables/${kind}_$name" | wc -c)" -eq 5 || fail "lines of $kind do not end with CR LF"
done
test "$(ls tables | wc -l)" -eq 5 || fail "other files: $(ls tables)"
awk -F, 'NF != 32 { print "a row of " NF; exit 1 }' "tables/LagrangianStateOut_$name" || fail "rows"
# the variational integrator keeps the momentum to rounding, the energy to its order
tr -d '\r' < "tables/Conservation_Energy+AngMom_$name" |
    awk -F, '{ if ($1 > 1e-4 || $1 < -1e-4 || $2 > 1e-12 || $2 < -1e-12) { print "not conserved: " $0; exit 1 } }' || fail "conservation"
expect 3 "$polhode" gubas case --tables octa.out -o tables
says err "is not empty" "--force"
expect 0 "$polhode" gubas case --tables octa.out --quiet
test ! -s out || fail "gubas --tables --quiet is not"
cmp "Octa.gubas/LagrangianStateOut_$name" "tables/LagrangianStateOut_$name" || fail "not the same twice"
python=$(python_with sqlite3)
if test -n "$python"; then
    cp -r octa.out damaged.out
    $python -c 'import sqlite3; a = sqlite3.connect("damaged.out/octa.polhode"); a.execute("UPDATE columns SET name = \"q1x\" WHERE i = 3"); a.commit()'
    expect 2 "$polhode" gubas case --tables damaged.out -o none
    says err "the table columns is damaged" "polhode repair"
    test ! -e none || fail "tables of a damaged archive"
fi
# tides: the energy falls, the momentum stays; the planet is where it is at the time of its row
expect 0 "$polhode" run --quiet tides.yaml --force
expect 0 "$polhode" gubas tides --tables tides.out -o falls --quiet
tr -d '\r' < "falls/Conservation_Energy+AngMom_$name" | awk -F, '
    { if ($2 > 1e-12 || $2 < -1e-12) { print "the momentum: " $0; exit 1 } drop[NR] = $1 }
    END { if (NR != 5) exit 1 }' || fail "tides: the momentum"
tr -d '\r' < "falls/Energy+AngMom_$name" | awk -F, 'NR > 1 && !($1 < last) { print "energy " last " then " $1; bad = 1 } { last = $1 } END { exit bad }' ||
    fail "tides: the energy does not fall"
expect 0 "$polhode" run --quiet perturbed.yaml --force
expect 0 "$polhode" gubas perturbed --tables perturbed.out -o planet --quiet --force
# 3600 s before the periapsis and after it at the same distance
tr -d '\r' < planet/HyperbolicState_7200.0_1800.0_30.0_4_1_Octa.csv | awk -F, '
    { r[NR] = sqrt($1 * $1 + $2 * $2 + $3 * $3) }
    END { d = r[1] / r[5] - 1; e = r[3] / (11072 * 8.1284) - 1; exit !(NR == 5 && d < 1e-9 && -d < 1e-9 && e < 1e-9 && -e < 1e-9) }' || fail "the planet's places"
expect 2 "$polhode" gubas case --tables grit.yaml -o x
# a run of other bodies, or of another model; nothing is left
variant heavier 's/^Primary Density: 2.2/Primary Density: 2.3/'
expect 2 "$polhode" gubas heavier --tables octa.out -o other
says err "the primary of the run" "is not that of heavier/hou_config.cfg"
sed 's/^duration:.*/duration: 1/' "$top_srcdir/examples/chain.yaml" > chain.yaml
expect 0 "$polhode" run --quiet chain.yaml
expect 2 "$polhode" gubas case --tables chain.out -o other
says err "the run is one of the model chain-pendulum; GUBAS's tables are those of two bodies that turn"
test ! -e other || fail "left: $(ls other)"
expect 2 "$polhode" gubas case --tables missing.polhode -o y

exit $failed
