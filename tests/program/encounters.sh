#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bodies under mutual gravity as a user sees them: columns in tables and exports, contact and escape that end a run, what check shows
# of the truncation, and warnings of bodies that are too near, leave, or look like kilometres.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program

cat > pair.yaml << 'END'
polhode: 1
model: binary
parameters:
  bodies:
    - {mass: 3.5e11, half-axes: [400, 350, 280]}
    - {mass: 2e10, half-axes: [120, 90, 70]}
  order: 2
initial:
  q: [[1100, 50, 30], [1, 0, 0, 0, 1, 0, 0, 0, 1], [1, 0, 0, 0, 1, 0, 0, 0, 1]]
  omega: [[0.01, 0.15, 0.02], [1e-5, 2e-5, 6e-4], [2e-5, -3e-5, 1.5e-4]]
method: variational
step: 50
duration: 5000
output: {every: 10, csv: true, columns: [orbit, distances, euler, spin, libration, clearance, energies, energy]}
END

# ---- Columns: the parts are the whole, in every row of every format ---------------------------------------------------
expect 0 "$polhode" run --quiet pair.yaml
test ! -s err || fail "a run that is in order warns: $(cat err)"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { sub(/\[.*/, "", $i); at[$i] = i } next }
    { sum = $at["translation"] + $at["rotation1"] + $at["rotation2"] + $at["potential_points"] + $at["potential_shapes"]
      d = sum / $at["energy"] - 1
      if (d > 1e-12 || d < -1e-12 || $at["clearance"] != $at["distance1_2"] - 520 || $at["orbit2_e"] <= 0) exit 1
      n++ }
    END { exit n != 11 }' pair.out/trajectory.csv || fail "energies by part, clearance or elements are not what they should be"
expect 0 "$polhode" tail pair.out/pair.polhode --columns orbit2,energies,spin1 -n 2
says out "orbit2_longitude" "potential_shapes" "spin1_relative"
expect 0 "$polhode" export pair.out/pair.polhode --columns orbit,energies -o parts.csv --quiet
head -n 1 parts.csv | tr ',' '\n' | sed 's/\[.*//' > names
test "$(wc -l < names)" -eq 14 || fail "two groups have not 14 columns: $(cat names)"
expect 0 "$polhode" info --columns pair.out/pair.polhode
says out "orbit2_a" "euler1_roll" "libration2_out"
expect 2 "$polhode" run --quiet --columns orbit2_x pair.yaml -o no.out
says err "orbit2_x"

# ---- What check shows -------------------------------------------------------------------------------------------------
expect 0 "$polhode" check pair.yaml
says out "1102 m apart, 2.12 times the sum of their radii" "of the force by order 2" "by order 8" "All is well"
grep -q WARNING out && fail "a pair that is in order is warned of"
expect 0 "$polhode" check --json pair.yaml
says out '"force_errors": [' '"order": 2'

# warned FILE TEXT: check and run warn of it, a quiet run does not
warned() {
    "$polhode" check "$1" > out 2> err || test $? -eq 1 || fail "check of $1 fails: $(cat err)"
    grep WARNING out > warnings || fail "check warns of nothing in $1"
    says warnings "$2"
    expect 0 "$polhode" run --force "$1"
    says err "polhode: warning: " "$2"
    expect 0 "$polhode" run --force --quiet "$1"
    test ! -s err || fail "a quiet run warns: $(cat err)"
}
sed 's/\[1100, 50, 30\]/[450, 0, 0]/' pair.yaml > near.yaml
warned near.yaml 'bodies 1 and 2 are 450 m apart, 0.865 of the sum of their radii, 520 m: the series'
says warnings 'truncation of the attraction of bodies 1 and 2 loses about' 'by order 8'
# Bodies that overlap are refused before that.
sed 's/half-axes: \[400, 350, 280\]/radius: 400/; s/half-axes: \[120, 90, 70\]/radius: 200/; s/1100, 50, 30/500, 0, 0/' pair.yaml > spheres.yaml
expect 2 "$polhode" check spheres.yaml
says err "spheres.yaml:9" "overlap"
sed 's/\[400, 350, 280\]/[0.4, 0.35, 0.28]/; s/\[120, 90, 70\]/[0.12, 0.09, 0.07]/' pair.yaml > sizes.yaml
warned sizes.yaml 'body 2 has at least 2.8e+12 kg/m^3; is its size given in km'
sed 's/\[0.01, 0.15, 0.02\]/[1e-5, 1.5e-4, 2e-5]/; s/^duration:.*/duration: 500/' pair.yaml > speeds.yaml
warned speeds.yaml 'are velocities given in km/s'
sed 's/\[0.01, 0.15, 0.02\]/[0.01, 0.45, 0.02]/; s/^duration:.*/duration: 5e6/; s/^step:.*/step: 500/; s/every: 10/every: 1000/' pair.yaml > leaves.yaml
warned leaves.yaml 'is not bound'

# ---- Contact and escape -----------------------------------------------------------------------------------------------
# With events that stop the run there is nothing to warn of. The pair leaves with more than 0.39 m/s: 20 km are reached within 50000 s.
cat leaves.yaml - > stops.yaml << 'END'
events:
  - {name: contact, when: clearance, direction: down, action: stop}
  - {name: escape, when: escape, crosses: 2e4, direction: up, action: stop}
END
expect 0 "$polhode" run --force stops.yaml
test ! -s err || fail "a run with an end warns: $(cat err)"
says out 'contact: 0' 'escape: 1'
awk -F, 'NR == 2 && $1 == "escape" && $2 > 4e4 && $2 < 6e4 { r = sqrt($6 * $6 + $7 * $7 + $8 * $8)
    if (r / 2e4 < 1 + 1e-9 && r / 2e4 > 1 - 1e-9) found = 1 } END { exit !found }' stops.out/events.csv || fail "escape is not at 20 km: $(cat stops.out/events.csv)"
# It falls: without a speed across, it meets the other one.
sed 's/\[0.01, 0.45, 0.02\]/[0, 0.01, 0]/; s/^step:.*/step: 20/; s/every: 1000/every: 10/' stops.yaml > falls.yaml
expect 0 "$polhode" run --force falls.yaml
says out 'contact: 1' 'escape: 0'
awk -F, 'NR == 2 && $1 == "contact" { r = sqrt($6 * $6 + $7 * $7 + $8 * $8); if (r < 520 + 1e-6 && r > 520 - 1e-6) found = 1 }
    END { exit !found }' falls.out/events.csv || fail "contact is not at 520 m: $(cat falls.out/events.csv)"

# ---- What `polhode new` offers, with its comments taken away ------------------------------------------------------------
expect 0 "$polhode" new binary -o new.yaml
sed 's/^# events:/events:/; s/^#   - {name: /  - {name: /; s/^duration: .*/duration: 5000/' new.yaml > offered.yaml
expect 0 "$polhode" run --quiet offered.yaml
expect 0 "$polhode" info offered.out/offered.polhode
says out 'contact: 0' 'escape: 0'

# ---- A Sun as a member, the barycentre at rest: its momentum is below a rounding error of its velocity seen from the pair -----
cat > sun.yaml << 'END'
polhode: 1
model: rigid-n-body
parameters:
  bodies:
    - {mass: 5.2e11, half-axes: [425, 415, 340]}
    - {density: 2100, half-axes: [88, 80, 60]}
    - {mass: 1.989e30}
initial:
  q: [[0, 0, 0], {a: 1190, e: 0.03}, {a: 1.6e11, e: 0.3, about: [1, 2]}, [1, 0, 0, 0], [1, 0, 0, 0]]
  omega: [[0, 0, 0], orbit, orbit, [0, 0, 7.7e-4], [0, 0, 1.46e-4]]
  barycentre: rest
step: 840
steps: 1000
END
for method in kepler-rotor '{name: variational, order: 6}'; do
    expect 0 "$polhode" run --force --quiet --set "method=$method" sun.yaml
    json sun.out/summary.json 's["momentum_error_max"] < 1e-12 and s["energy_error_max"] < 1e-12'
done
