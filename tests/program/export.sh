#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode export: what Python reads of each format is what stands in trajectory.csv; rows and columns as they were asked for;
# what is damaged, what cannot be read or written, and what is left behind: nothing.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
# an interpreter with NumPy; h5py where there is one
python=$(python_with numpy)
test -n "$python" || not_tried ".npy and .npz as NumPy reads them: there is no NumPy"
test -n "$python" && $python -c 'import h5py' 2> h5py.err || not_tried "HDF5 as h5py reads it: there is no h5py"

sed 's/^duration:.*/duration: 20/' "$top_srcdir/examples/double-spherical-pendulum.yaml" > double.yaml
expect 0 "$polhode" run --quiet --csv double.yaml
table=double.out/trajectory.csv
archive=double.out/double.polhode
formats=
for name in csv npy npz hdf5; do
    if "$polhode" export $table -o "x.$name" --quiet --flat 2> err; then
        formats="$formats $name"
    else
        says err "cannot write $name" "Debian: lib"
        test "$name" = npz || test "$name" = hdf5 || fail "$name is in every build"
        test ! -e "x.$name" || fail "a format this build is without has left a file"
        not_tried "$name: $(head -n 1 err)"
    fi
done
cmp x.csv $table || fail "a table as CSV is not what it was"
expect 0 "$polhode" export $archive -o archive.csv --quiet
cmp archive.csv $table || fail "the rows of an archive are not those of the trajectory.csv next to it"
grep -q 'q1x\[1\]' x.csv || fail "the first line names no units"

# read_back FILE TABLE: all formats have the numbers of the CSV
cat > read.py << 'END'
import json, sys
import numpy
file, table = sys.argv[1:3]
with open(table) as f:
    head = f.readline().rstrip("\n").split(",")
names = [h.split("[")[0] for h in head]
units = [h.split("[")[1].rstrip("]") if "[" in h else None for h in head]
truth = numpy.genfromtxt(table, delimiter=",", skip_header=1, ndmin=2)
if file.endswith(".npy"):
    x = numpy.load(file)
    assert x.dtype.names == tuple(names), x.dtype
elif file.endswith(".npz"):
    x = numpy.load(file)
    assert x.files == names + ["units", "attributes"], x.files
    assert dict(x["units"]) == {n: u or "" for n, u in zip(names, units)}
    facts = dict(x["attributes"])
else:
    try:
        import h5py
    except ImportError:
        sys.exit(0)
    x = h5py.File(file, "r")
    assert list(x.attrs["columns"]) == names and sorted(x) == sorted(names)
    assert [x[n].attrs.get("unit") for n in names] == units
    facts = {k: v for k, v in x.attrs.items() if k != "columns"}
for k, name in enumerate(names):
    got = x[name][:]
    assert got.dtype == numpy.dtype("<f8") and got.shape == (len(truth),), (name, got.dtype, got.shape)
    assert numpy.array_equal(got, truth[:, k], equal_nan=True), name
if not file.endswith(".npy") and len(sys.argv) > 3:
    summary = json.load(open(sys.argv[3]))
    for key in ("model", "method", "version", "status"):
        assert facts[key] == summary[key], key
    assert float(facts["step"]) == summary["step"] and json.loads(facts["options"]) == summary["options"]
END
read_back() {
    test -z "$python" || $python read.py "$@" || fail "$1 is not $2"
}
for name in $formats; do
    test "$name" = csv || read_back x.$name $table double.out/summary.json
done

# ---- Arrays: one for each kind, whatever the numbers of its factors, with the numbers of the flat export
cat > shaped.py << 'END'
import sys
import numpy
try:
    import h5py
except ImportError:
    h5py = None
def read(file):
    """arrays, units and numbers of factors by name"""
    if file.endswith("npz"):
        x = numpy.load(file)
        names = [name for name in x.files if name not in ("units", "attributes") and not name.startswith("numbers/")]
        return x, names, dict(x["units"]), {name[8:]: x[name].tolist() for name in x.files if name.startswith("numbers/")}
    x = h5py.File(file, "r")
    names = list(x.attrs["columns"])
    return (x, names, {name: x[name].attrs.get("unit", "") for name in names},
            {name: x[name].attrs["numbers"].tolist() for name in names if "numbers" in x[name].attrs})
def endings(name, shape):
    if name.rstrip("0123456789") in ("x", "p", "xdot", "v"):
        return [f"_{k + 1}" for k in range(shape[0])]
    return {(3,): "xyz", (4,): "wxyz", (2,): "xy", (): [""], (3, 3): [a + b for a in "xyz" for b in "xyz"]}[shape]
def compare(file, shapes):
    with open(file.rsplit(".", 1)[0] + ".csv") as f:
        head = [name.rstrip("]").split("[") for name in f.readline().rstrip("\n").split(",")]
        truth = numpy.loadtxt(f, delimiter=",", ndmin=2)
    flat = {name[0]: truth[:, k] for k, name in enumerate(head)}
    units = {name[0]: (name[1:] or [""])[0] for name in head}
    x, names, unit, numbers = read(file)
    assert set(unit) == set(names) and set(numbers) == set(shapes), (file, names, numbers)
    for name in set(names) - set(shapes):
        assert numpy.array_equal(x[name][:], flat.pop(name)) and unit[name] == units[name], (file, name)
    for name, (factors, shape) in shapes.items():
        assert numbers[name] == factors and x[name].shape == (len(truth),) + shape, (file, name, numbers[name], x[name].shape)
        alone = name[-1].isdigit() # the array of one factor, whose number is in its name
        parts = x[name][:].reshape(len(truth), len(factors), -1)
        for i, factor in enumerate(factors):
            for k, end in enumerate(endings(name, shape if alone else shape[1:])):
                column = f"{name}{end}" if alone else f"{name}{factor}{end}"
                assert numpy.array_equal(parts[:, i, k], flat.pop(column)) and unit[name] == units[column], (file, column)
    assert not flat, (file, list(flat))
for line in sys.stdin:
    file, shapes = line.split(" ", 1)
    if file.endswith("npz") or h5py:
        compare(file, eval(shapes))
END
# shaped NAME FILE SHAPES COLUMNS: of an archive or a table; SHAPES: of each array the factors, and the shape of a row
: > wanted.txt
shaped() {
    expect 0 "$polhode" export "$2" -o $1.csv --quiet --columns "$4"
    for name in $formats; do
        case $name in npz | hdf5) ;; *) continue ;; esac
        expect 0 "$polhode" export "$2" -o $1.$name --quiet --columns "$4"
        echo "$1.$name $3" >> wanted.txt
    done
}
# short NAME MODEL METHOD STEP COLUMNS SHAPES: of a short run
short() {
    printf '%s\n' 'polhode: 1' "model: $2" "method: $3" "step: $4" 'steps: 9' 'output: {every: 1}' > $1.yaml
    expect 0 "$polhode" run --quiet $1.yaml --columns "$5,energy"
    shaped $1 $1.out "$6" "t,step,energy,$5"
}
short links chain-pendulum variational 0.001 q1,q2,q3,q4,q5,momentum,positions,omega,tensions \
    '{n: ([1, 2, 3, 4, 5], (5, 3)) for n in ("q", "pi", "position", "omega")} | {"tension": ([1, 2, 3, 4, 5], (5,))}'
short bodies rigid-chain variational 0.001 configuration,Pi1,Pi2,Pi3,quaternions,velocity \
    '{n: ([1, 2, 3], (3,) + s) for n, s in {"R": (3, 3), "Pi": (3,), "quaternion": (4,), "Rdot": (3, 3)}.items()}'
short cart planar-cart variational 0.001 configuration,momentum,omega \
    '{"x": ([1], (1, 1)), "p": ([1], (1, 1)), "q": ([2, 3, 4, 5, 6], (5, 2)), "pi": ([2, 3, 4, 5, 6], (5,)), "omega": ([2, 3, 4, 5, 6], (5,)), "v": ([1], (1, 1))}'
short quadrotor quadrotor-cable variational 0.001 configuration,momentum,quaternions,omega \
    '{n: ([1], (1, 3)) for n in "xpv"} | {n: ([3, 4, 5, 6, 7], (5, 3)) for n in ("q", "pi", "omega")} | {"R": ([2], (1, 3, 3)), "Pi": ([2], (1, 3)), "Omega": ([2], (1, 3)), "quaternion": ([2], (1, 4))}'
short binary binary kepler-rotor 100 configuration,momentum,quaternions,distances \
    '{"x": ([1], (1, 3)), "R": ([2, 3], (2, 3, 3)), "p": ([1], (1, 3)), "Pi": ([2, 3], (2, 3)), "quaternion": ([2, 3], (2, 4))}'
for model in rolling-disk rubber-ball rattleback; do
    short $model $model dla 0.001 configuration,momentum '{"x": ([1], (1, 2)), "R": ([2], (1, 3, 3)), "p": ([1], (1, 2)), "Pi": ([2], (1, 3))}'
done
# some factors, in another order: their numbers say which; parts of a factor keep their columns
shaped order binary.out '{"R": ([3, 2], (2, 3, 3)), "x": ([1], (1, 3))}' R3,t,x1,R2,energy
shaped parts links.out '{"q": ([2], (1, 3))}' q2,pi1x,pi1y,t
# factors of several forms of one kind: an array for each; a name that a column has, or columns that are apart: none
echo 't[s],q1x,q1y,q2x,q2y,q2z,pi1,pi2x,pi2y,pi2z,R,R1xx,R1xy,R1xz,R1yx,R1yy,R1yz,R1zx,R1zy,R1zz,s1x,energy,s1y,s1z' > table.csv
seq -s , 24 >> table.csv
shaped forms table.csv '{"q1": ([1], (2,)), "q2": ([2], (3,)), "pi2": ([2], (3,))}' "$(sed 's/\[[^]]*\]//g; q' table.csv)"
test -z "$python" || $python shaped.py < wanted.txt || fail "arrays are not those of the flat export"

# ---- Some of it. The same by awk, which knows nothing of it.
expect 0 "$polhode" export $table -o some.csv --columns energy,t,q2z --from 3 --to 10.5 --every 7
says out "some.csv" "rows of 3 columns as csv"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { split($i, n, "["); at[n[1]] = i } }
    NR == 1 || ($1 >= 3 && $1 <= 10.5 && k++ % 7 == 0) { print $at["energy"] "," $at["t"] "," $at["q2z"] }' $table > wanted.csv
cmp some.csv wanted.csv || fail "rows and columns are not those that were asked for"
test "$(wc -l < some.csv)" -eq 12 || fail "these are $(wc -l < some.csv) lines, not 12"
for name in $formats; do
    expect 0 "$polhode" export $table -o some.out --format "$name" --columns energy,t,q2z --from 3 --to 10.5 --every 7 --force
    test "$name" = csv || { mv some.out some.$name && read_back some.$name wanted.csv; }
done
expect 0 "$polhode" export $table -o none.csv --from 1e9
test "$(wc -l < none.csv)" -eq 1 || fail "beyond the end there are rows"
# an archive of chosen columns has those, by their names
expect 0 "$polhode" run --quiet --columns energy,q2 -o chosen double.yaml
expect 0 "$polhode" export chosen/double.polhode -o chosen.csv --columns energy,t,q2z --from 3 --to 10.5 --every 7
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { split($i, n, "["); at[n[1]] = i } }
    NR == 1 || ($1 >= 3 && $1 <= 10.5 && k++ % 7 == 0) { print $at["energy"] "," $at["t"] "," $at["q2z"] }' $table |
    cmp - chosen.csv || fail "an archive of chosen columns has other numbers"
expect 2 "$polhode" export chosen/double.polhode -o x.out --format csv --columns q1x
says err "q1x" "columns: [configuration, momentum]"
# columns that the archive lacks are computed: the bits of a run that wrote them
computed=energy,energy_error,omega,positions,tensions,momentum_maps,q1
expect 0 "$polhode" run --quiet --columns configuration,momentum -o state double.yaml
expect 0 "$polhode" run --quiet --columns $computed -o whole double.yaml
expect 0 "$polhode" export state -o computed.csv --columns $computed,t --from 3 --to 10.5 --every 7
expect 0 "$polhode" export whole -o wanted.csv --force --columns $computed,t --from 3 --to 10.5 --every 7
cmp computed.csv wanted.csv || fail "computed columns are not those of a run that wrote them"
expect 0 "$polhode" export state -o computed.csv --force --columns $computed
expect 0 "$polhode" export whole -o wanted.csv --force --columns $computed
cmp computed.csv wanted.csv || fail "computed columns without t are not those of a run that wrote them"
expect 2 "$polhode" export state -o no.csv --columns t,newton_passes
says err "newton_passes cannot be computed from a state"
expect 2 "$polhode" export state -o no.csv --columns t,enrgy
says err 'unknown column "enrgy"'
for name in $formats; do
    expect 0 "$polhode" export state -o computed.$name --force --quiet --flat --columns $computed
    test "$name" = csv || read_back computed.$name computed.csv
    expect 0 "$polhode" export chosen/double.polhode -o chosen.$name --force --quiet --flat
    test "$name" = csv || read_back chosen.$name chosen.csv
done
# JSON says the same, and nothing else is printed
expect 0 "$polhode" export $table -o some.csv --force --json --columns t,step --every 100
test ! -s err || fail "--json prints on stderr: $(cat err)"
if test -n "$python"; then
    $python -c 'import json, sys
s = json.load(open("out"))
assert s["file"] == "some.csv" and s["format"] == "csv" and s["rows"] == 3 and s["damaged_places"] == 0 and s["damaged"] == []
assert s["columns"] == [{"name": "t", "unit": "s"}, {"name": "step", "unit": None}]' || fail "--json: $(cat out)"
fi
expect 0 "$polhode" export $table -o some.csv --force --quiet
test ! -s out && test ! -s err || fail "--quiet is not"

# numbers that are none, quoted names, lines that end as on another system
printf '%s\r\n' '"a,b ""c""[m,s]",d' 'nan,1' 'inf,-0' '-inf,1e-320' > odd.csv
printf '%s\n' '"a,b ""c""[m,s]",d' 'nan,1' 'inf,-0' '-inf,9.9998886718268301e-321' > wanted.csv
expect 0 "$polhode" export odd.csv -o odd.out --format csv
cmp odd.out wanted.csv || { fail "odd numbers and names:"; cat odd.out; }

# ---- Damage: named, and the rest is exported
awk 'NR == 5 { print "1,2,3"; next } NR == 50 { sub(/,/, ",oops"); print; next } NR == 70 { print $0 ",1"; next }
    NR < 100 { print } NR == 100 { printf "%s", $0 }' $table > damaged.csv
for name in $formats; do
    expect 1 "$polhode" export damaged.csv -o "whole.$name" --flat
    says err "damaged.csv:5: there are fewer than the 20 numbers" "damaged.csv:50: \"oops" \
        "damaged.csv:70: there are more" "damaged.csv:100: the line is cut" "damaged rows were left out, in 4 places"
done
awk 'NR < 100 && NR != 5 && NR != 50 && NR != 70' $table > wanted.csv
expect 1 "$polhode" export damaged.csv -o rest.csv --json
cmp rest.csv wanted.csv || fail "what is not damaged is not all there"
if test -n "$python"; then
    $python -c 'import json; s = json.load(open("out")); assert s["damaged_places"] == 4 and len(s["damaged"]) == 4' || fail "$(cat out)"
fi
for name in $formats; do
    test "$name" = csv || read_back "whole.$name" wanted.csv
done

# the same of an archive: a block with a bit turned
if test -n "$python"; then
    sed 's/^duration:.*/duration: 600/; s/^output:.*/output: {every: 1}/' double.yaml > blocks.yaml
    expect 0 "$polhode" run --quiet -o blocks blocks.yaml
    expect 0 "$polhode" export blocks/blocks.polhode -o blocks.csv --quiet
    gone=$($python - blocks/blocks.polhode << 'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
first, n, rows = db.execute("SELECT first, n, rows FROM blocks ORDER BY first LIMIT 1").fetchone()
db.execute("UPDATE blocks SET rows = ? WHERE first = ?", (bytes([rows[0] ^ 1]) + rows[1:], first))
db.commit()
print(first, n)
END
)
    expect 1 "$polhode" export blocks/blocks.polhode -o rest.csv --force
    says err "the block of rows ${gone% *} to" "checksum" "left out"
    awk -v first="${gone% *}" -v n="${gone#* }" 'NR < first + 2 || NR >= first + n + 2' blocks.csv > wanted.csv
    cmp rest.csv wanted.csv || fail "what is not damaged of an archive is not all there"
fi

# ---- Words for several columns, as run has them
for from in $table $archive; do
    expect 0 "$polhode" export $from -o words.csv --force --columns t,q2,energy
    test "$(head -n 1 words.csv)" = 't[s],q2x[1],q2y[1],q2z[1],energy[J]' || fail "q2 of $from: $(head -n 1 words.csv)"
    cut -d, -f1,6-8,15 $table > wanted.csv
    cmp words.csv wanted.csv || fail "the columns of $from that words choose"
    expect 0 "$polhode" export $from -o words.csv --force --columns momentum,configuration
    test "$(head -n 1 words.csv | tr , '\n' | sed 's/.\[.*//' | uniq | tr '\n' ' ')" = 'pi1 pi2 q1 q2 ' || fail "groups: $(head -n 1 words.csv)"
done
expect 0 "$polhode" tail $archive --columns q1,t
says out q1x q1y q1z
"$polhode" run --quiet double.yaml -o moving.out --columns q1,positions,omega2
expect 2 "$polhode" export moving.out -o no.csv --columns position2,positions
says err 'has "position2x" twice, the second time by "positions"'
expect 0 "$polhode" export moving.out -o words.csv --force --columns positions,omega2
test "$(head -n 1 words.csv | tr , '\n' | wc -l)" -eq 9 || fail "places and turns: $(head -n 1 words.csv)"
# every column, and one of them again: as many words as there are columns and one more
expect 2 "$polhode" export $table -o no.csv --columns "$(head -n 1 $table | sed 's/\[[^]]*\]//g'),q1x"
says err 'has "q1x" twice'

# the way that the documents give to read a table in NumPy keeps its names
test -z "$python" || $python - $table << 'END' || fail "NumPy reads other names of columns"
import numpy, sys
table = numpy.genfromtxt(sys.argv[1], delimiter=",", names=True, deletechars="")
assert {"t[s]", "q1x[1]", "energy[J]"} <= set(table.dtype.names), table.dtype.names
END

# ---- Events of an archive: those of events.csv, which in CSV is the same file
sed 's/^duration:.*/duration: 10/' "$top_srcdir/examples/poincare-section.yaml" > poincare.yaml
expect 0 "$polhode" run --quiet --csv poincare.yaml
for name in $formats; do
    expect 0 "$polhode" export poincare.out --events -o found.$name --flat
done
cmp found.csv poincare.out/events.csv || fail "the events are not those of events.csv"
test "$(wc -l < found.csv)" -gt 3 || fail "there are too few events to tell"

# ---- Archives that have lost something, or say what cannot be
spoil() {
    cp poincare.out/poincare.polhode spoiled.polhode
    $python - "$1" << 'END'
import sqlite3, sys
db = sqlite3.connect("spoiled.polhode")
db.execute(sys.argv[1])
db.commit()
END
}
if test -n "$python"; then
    spoil "DELETE FROM events WHERE n = 1"
    expect 1 "$polhode" export spoiled.polhode --events -o lost.csv --force
    says err "1 of " "are missing"
    expect 1 "$polhode" info --check spoiled.polhode
    says out "are missing"
    spoil "DELETE FROM events"
    expect 1 "$polhode" export spoiled.polhode --events -o lost.csv --force
    says err "are missing"
    expect 3 "$polhode" resume spoiled.polhode --until 20
    says err "are missing"
    spoil "DELETE FROM blocks"
    for command in "export spoiled.polhode -o lost.csv" "report spoiled.polhode -o lost.html" "plot spoiled.polhode -o lost"; do
        expect 1 "$polhode" $command --force
        says err "rows 0 to" "are missing"
    done
    # one bit of a name, or of a number of the plan
    spoil "UPDATE columns SET name = 'p2x' WHERE name = 'q2x'"
    cp spoiled.polhode before
    for command in "export spoiled.polhode -o lost.csv --force" "report spoiled.polhode -o lost.html --force" "tail spoiled.polhode" \
        "view spoiled.polhode -o lost.html --force" "plot spoiled.polhode -o lost --force"; do
        expect 1 "$polhode" $command
        says err "the table columns is damaged: its checksum is wrong"
    done
    expect 1 "$polhode" info spoiled.polhode
    says out "the table columns is damaged"
    expect 3 "$polhode" resume spoiled.polhode --until 20
    says err "the table columns is damaged"
    cmp spoiled.polhode before || fail "an archive that is refused is another one"
    spoil "UPDATE meta SET value = replace(value, 'step: 0.0', 'step: 0.3') WHERE key = 'scenario'"
    expect 1 "$polhode" info spoiled.polhode
    says out "the table meta is damaged: its checksum is wrong"
    spoil "UPDATE columns SET name = '../../up' WHERE i = 4"
    expect 2 "$polhode" export spoiled.polhode -o lost.csv --force
    says err '"../../up", leads out of a folder'
    spoil "UPDATE columns SET name = '=cmd|x' WHERE i = 4"
    expect 2 "$polhode" export spoiled.polhode -o lost.csv --force
    says err '"=cmd|x", begins with "="'
    spoil "UPDATE meta SET value = 'a' || char(27) WHERE key = 'name'"
    expect 1 "$polhode" export spoiled.polhode -o lost.csv --force
    says err 'the attribute "name" is left out'
    spoil "UPDATE meta SET value = '-1' WHERE key = 'steps'"
    expect 1 "$polhode" info spoiled.polhode
    says out 'steps is "-1"; a whole number'
    expect 1 "$polhode" view spoiled.polhode -o lost.html --force
    says err 'steps is "-1"'
    expect 1 "$polhode" report spoiled.polhode -o lost.html --force
    says err 'steps is "-1"'
    expect 3 "$polhode" resume spoiled.polhode --until 20
    says err 'steps is "-1"'
    rm -r spoiled.polhode lost
fi
test -z "$python" || ! test -f found.npz || $python - found.npz poincare.out/events.csv << 'END' || fail "the names of events"
import csv, sys
import numpy
x = numpy.load(sys.argv[1])
names = dict(x["attributes"])
rows = list(csv.reader(open(sys.argv[2])))[1:]
assert [names[f"event {int(k)}"] for k in x["event"]] == [row[0] for row in rows]
END
expect 2 "$polhode" export $table --events -o no.csv
expect 2 "$polhode" export poincare.out/events.csv -o no.csv
says err "is a table of events" "polhode export ARCHIVE --events"

# ---- Mistakes
expect 2 "$polhode" export $table -o no.csv --columns t,enrgy
says err 'unknown column "enrgy"' 'did you mean "energy"?'
expect 2 "$polhode" export $table -o no.csv --columns t,energy,t
says err 'has "t" twice'
expect 2 "$polhode" export $table -o no.csv --columns ,
expect 2 "$polhode" export $table -o no.txt
says err ".npz" ".h5"
expect 2 "$polhode" export $table -o no.csv --format hdf
says err 'did you mean "hdf5"?'
expect 2 "$polhode" export $table
says err "-o FILE"
expect 2 "$polhode" export -o no.csv
expect 2 "$polhode" export $table $table -o no.csv
for wrong in "--from x" "--to 1s" "--every 0" "--every 1.5" "--from 3 --to 2" "--oups"; do
    # shellcheck disable=SC2086
    expect 2 "$polhode" export $table -o no.csv $wrong
done
expect 2 "$polhode" export missing.csv -o no.csv
says err "missing.csv" "No such file"
expect 2 "$polhode" export double.out/summary.json -o no.csv
says err "not a table of numbers"
printf 'a\nb\n' > letters.csv
expect 2 "$polhode" export letters.csv -o no.csv
says err "no row can be read"
: > empty.csv
expect 2 "$polhode" export empty.csv -o no.csv
says err "is empty"
sed 1d $table > headless.csv
expect 2 "$polhode" export headless.csv -o no.csv
says err "names no columns"
head -c 1000 "$polhode" > foreign.csv
expect 2 "$polhode" export foreign.csv -o no.csv
expect 2 "$polhode" export . -o no.csv
printf 'a,a\n1,2\n' > twice.csv
expect 2 "$polhode" export twice.csv -o no.csv
says err 'two columns are called "a"'
printf 'a,b\n1,2\n' > timeless.csv
expect 2 "$polhode" export timeless.csv -o no.csv --from 1
says err 'unknown column "t"'
expect 0 "$polhode" export timeless.csv -o b.csv --columns b
test ! -e no.csv && test ! -e no.csv.part || fail "a mistake has left a file"

# ---- Places that cannot be written
cp x.csv before
expect 3 "$polhode" export $table -o x.csv --columns t
says err "x.csv" "exists already" "--force"
cmp x.csv before || fail "what was there is changed"
expect 0 "$polhode" export $table -o x.csv --columns t --force
test "$(head -n 1 x.csv)" = "t[s]" || fail "--force does not replace"
expect 3 "$polhode" export $table -o before/x.csv
if may_be_closed; then
    mkdir closed
    chmod a-w closed
    # shellcheck disable=SC2086
    expect 3 $bound "$polhode" export $table -o closed/x.csv
    says err "closed/x.csv" "Permission denied"
    chmod u+w closed
else
    not_tried "a place that is closed: permissions do not bind root, and there is no setpriv"
fi
for name in $formats; do
    rm -f "x.$name"
    code=0
    (trap '' XFSZ && ulimit -f 16 && exec "$polhode" export $table -o "x.$name") > out 2> err || code=$?
    test "$code" -eq 3 || fail "exit status $code, not 3, on a full disk ($name): $(cat err)"
    says err "cannot be written"
    test "$(wc -l < err)" -eq 1 || fail "more than a line on a full disk ($name): $(cat err)"
    test -z "$(ls | grep "^x\.$name" || true)" || fail "a full disk keeps $(ls x.*)"
done

# ---- Libraries that are loaded: absent, or another one
for row in npz:LIBARCHIVE hdf5:HDF5; do
    name=${row%:*}
    library=$(sed -n "s/^#define PH_LOADED_${row#*:} \"\(.*\)\"/\1/p" "${top_builddir:=.}/config.h")
    test -n "$library" || continue
    ! ldd "$top_builddir/.libs/libpolhode-io.so" 2> /dev/null | grep -q -F "$library" || fail "libpolhode-io is linked with $library, which it is to load"
    mkdir -p absent other
    : > "absent/$library"
    printf 'int main(void) { return 0; }\n' > other.c
    ${CC:-cc} -shared -fPIC -o "other/$library" other.c 2> /dev/null || not_tried "another library in the place of $library: there is no compiler"
    for place in absent other; do
        test -e "$place/$library" || continue
        code=0
        LD_LIBRARY_PATH=$PWD/$place${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$polhode" export $table -o "lacking.$name" > out 2> err || code=$?
        test "$code" -eq 2 || fail "exit status $code, not 2, without $library ($place): $(cat err)"
        says err "cannot write $name" "cannot be loaded" "Debian: lib" "$library"
        test -z "$(ls | grep "^lacking" || true)" || fail "an export without $library leaves $(ls lacking*)"
        LD_LIBRARY_PATH=$PWD/$place${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} expect 0 "$polhode" export $table -o "lacking.csv" --force --quiet
        rm lacking.csv
    done
done

# ---- Ctrl-C: rows come slowly through a pipe
for name in $formats; do
    rm -f pipe
    mkfifo pipe
    "$polhode" export pipe -o "stopped.$name" > out 2> err &
    running=$!
    (head -n 100 $table && until test -e stop; do tail -n 100 $table && sleep 0.01; done) > pipe 2> /dev/null &
    feeding=$!
    await test -e "stopped.$name.part"
    kill -INT $running
    code=0
    wait $running || code=$?
    running=
    : > stop
    wait $feeding || true
    rm stop
    test "$code" -eq 130 || fail "exit status $code, not 130, after SIGINT ($name): $(cat err)"
    says err "nothing was written"
    test -z "$(ls | grep "^stopped" || true)" || fail "an export that was stopped leaves $(ls stopped*)"
done
exit $failed
