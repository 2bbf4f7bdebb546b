#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tables of the manual that doc/tables.py makes are those of this program, and it notices where they are not.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
test -n "$python" || skip "there is no python3"
"$polhode" methods cvode > /dev/null 2>&1 || skip "this program is without SUNDIALS, and the tables have its methods"
expect 0 $python "$top_srcdir/doc/tables.py" "$polhode" "$top_srcdir/doc" --check

# a key, a model, a method and a command that are other than those of the program
cp -R "$top_srcdir/doc" changed
chmod -R u+w changed
find changed -name '*.md' -exec sed -i 's/^| `duration` /| `duraton` /; s/^| `gravity` /| `gravty` /; s/^### `rk4`/### `rk5`/; s/^| `--json` /| `--jsn` /' {} +
expect 1 $python "$top_srcdir/doc/tables.py" "$polhode" changed --check
for page in scenario models methods program; do
    says err "changed/reference/$page.md"
done
says err "has other tables"
expect 0 $python "$top_srcdir/doc/tables.py" "$polhode" changed
diff -r "$top_srcdir/doc" changed > different || { fail "tables.py does not write again what was there:"; head different; }

# ---- doc/reference/columns.md has every column that a model of the catalogue gives, and its unit
sed -n 's/^| \(`.*`[^|]*\) |\([^|]*\)|.*/\1|\2/p' "$top_srcdir/doc/reference/columns.md" | tr -d '`' | awk -F '|' '
    { n = split($1, names, /, /); gsub(/ /, "", $2); gsub(/²/, "^2", $2)
      for (i = 1; i <= n; i++) print names[i], $2 }' > described
test "$(wc -l < described)" -gt 20 || fail "hardly a column is described"
"$polhode" models | awk '{ print $1 }' > models
while read -r model; do
    for method in variational dla rk4-projected; do # where there are velocity constraints, and of spins
        printf '%s\n' "polhode: 1" "model: $model" "method: $method" "step: 0.0001" "steps: 1" > "$model.yaml"
        "$polhode" run --quiet --csv --force -o out.dir "$model.yaml" 2> refused && break
        grep -q -e "velocity constraints" -e "is for systems with momenta" refused || fail "$model: $(cat refused)"
    done
    # the first of each kind: q7x as q1x, any entry of a matrix as the first, x1_5 as x1_1
    head -n 1 out.dir/trajectory.csv | tr ',' '\n' | awk -F '[][]' '
        { sub(/[0-9]+/, 1, $1); sub(/^R1../, "R1xx", $1); sub(/_[0-9]+$/, "_1", $1); gsub(/ /, "", $2); print $1 " " $2 }' |
        sort -u | while read -r name unit; do
        grep -q -x -e "$name $unit" described || echo "$model: $name, in $unit"
    done > missing
    test ! -s missing || { fail "doc/reference/columns.md does not have:"; cat missing; }
done < models
exit $failed
