#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode plot of what is rare: runs of one step, numbers near the largest, a gnuplot that fails or is interrupted, other time zones, archives
# that have not the same columns, archives of user-defined systems.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
python=$(python_with sqlite3)
command -v gnuplot > /dev/null || skip "there is no gnuplot"
LC_ALL=C
export LC_ALL

double=$top_srcdir/examples/double-spherical-pendulum.yaml

# a run of one step: its error is one point at a power of ten
for step in 0.1 0.01; do
    expect 0 "$polhode" run --quiet --set step=$step --set duration=$step --set 'output={every: 1}' -o one-$step "$double"
    expect 0 "$polhode" plot one-$step -o one-plots-$step --format svg,csv
    says out "one-plots-$step/energy.svg" "one-plots-$step/newton.csv"
    grep -q "<use xlink:href='#gpPt6'" one-plots-$step/energy.svg || fail "the only point of the energy error cannot be seen"
done

# times that differ in late digits are said with these
expect 0 "$polhode" run --quiet --set 'initial={preset: curved, time: 1e9}' --set duration=1 "$top_srcdir/examples/chain.yaml" -o late
expect 0 "$polhode" plot late --figure trajectory -o late-plots
says out "from t = 1000000000 to 1000000001 s"

# of several archives the sentence says which one it is of, and how many rows the others have
expect 0 "$polhode" plot one-0.1 late --figure drift --figure trajectory -o other-plots
says out "all 2 rows. This is said of double-spherical-pendulum, variational" "has 101 rows from t = 1000000000 to 1000000001 s."
test "$(grep -c "has 101 rows from t" out)" -eq 2 || fail "a sentence on two archives is of the first alone"
cp -r one-0.1 one-again
expect 0 "$polhode" plot one-0.1 one-again --figure drift -o same-plots
grep -q "This is said of" out && fail "archives with the same rows are said to have others"

# texts with quotes, as gnuplot's own are
if test -n "$python"; then
    cp -r one-0.1 quoted
    $python "$top_srcdir/tests/kit/unseal.py" quoted/*.polhode
    $python - quoted/*.polhode << 'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("UPDATE meta SET value = ? WHERE key = 'method'", ("'b''\"`date`\\n",))
db.commit()
END
    expect 0 "$polhode" plot quoted one-0.1 --figure drift -o quoted-plots
    grep -qE "('|&#39;|&apos;)b('|&#39;|&apos;){2}(\"|&quot;)\`date\`\\\\n" quoted-plots/drift.svg || fail "the name with quotes is not in the figure"
fi

# points that stand apart and do not move have no trajectory; of few rows each is drawn
printf 'polhode: 1\nmodel: dipole-array\nmethod: variational\nstep: 0.05\nduration: 2\n' > sites.yaml
expect 0 "$polhode" run --quiet sites.yaml
expect 2 "$polhode" plot sites.out --figure trajectory -o sites-plots
says err "none of its points moves"
expect 0 "$polhode" plot one-0.1 --figure trajectory -o few-plots
says out "The system at each of its rows from t = 0 to 0.1 s"

# a system at rest is a dot; what is constant has numbers of its own size at its axis, and zero no power of ten
sed 's/^model:.*/model: chain-pendulum/; /^parameters:/,$d' "$top_srcdir/examples/chain.yaml" > rest.yaml
printf 'initial: {preset: hanging}\nmethod: variational\nstep: 0.01\nduration: 2\n' >> rest.yaml
expect 0 "$polhode" run --quiet rest.yaml
expect 0 "$polhode" plot rest.out -o rest-plots --format svg
grep -q "<use xlink:href='#gpPt6'" rest-plots/phase.svg || fail "a system at rest cannot be seen"
grep -q '10⁻' rest-plots/drift.svg && fail "an error of zero has an axis of a power of ten"

# numbers at axes as long as they may be: labels are inside the picture, and a guide is drawn as far as it is within the axes
expect 0 "$polhode" run --quiet --set duration=2 "$top_srcdir/examples/branching-pendulum.yaml" -o tree
expect 0 "$polhode" plot tree -o tree-plots --quiet
expect 0 "$polhode" run --quiet --set method=rk4 --set step=0.05 --set duration=5 "$top_srcdir/examples/conical-pendulum.yaml" -o cone
expect 0 "$polhode" plot cone -o cone-plots --quiet
expect 0 "$polhode" run --quiet --set duration=0.1 "$top_srcdir/examples/cantilever.yaml" -o rod
expect 0 "$polhode" plot rod -o rod-plots --quiet
if test -n "$python"; then
    for file in tree-plots/phase tree-plots/trajectory cone-plots/phase cone-plots/drift one-plots-0.1/phase one-plots-0.01/phase rod-plots/energy rod-plots/constraint; do
        expect 0 $python "$top_srcdir/tests/program/plot.py" axes $file.svg
    done
fi
# the name of a guide is clear of curves
expect 0 "$polhode" run --quiet "$top_srcdir/examples/cart-chain.yaml" -o cart
expect 0 "$polhode" run --quiet "$top_srcdir/examples/chain.yaml" -o swing
for run in cart swing; do
    expect 0 "$polhode" plot $run --figure energy --figure momentum -o $run-plots --quiet
    # a guide stands only beside an error that grows so
    test -z "$python" || for law in walk linear; do
        cp $run/*.polhode made.polhode
        $python "$top_srcdir/tests/program/grow.py" made.polhode $law
        expect 0 "$polhode" plot made.polhode --figure energy -o made-plots --quiet --force
        expect 0 $python "$top_srcdir/tests/program/plot.py" guide made-plots/energy.svg $law
    done
    test -z "$python" || for law in flat square rounding; do
        $python "$top_srcdir/tests/program/grow.py" made.polhode $law
        expect 0 "$polhode" plot made.polhode --figure energy -o made-plots --quiet --force
        if grep -q "stroke-dasharray\|>√t<" made-plots/energy.svg; then fail "an error that grows like $law has a guide"; fi
    done
done
for file in rod-plots/energy rod-plots/constraint tree-plots/energy; do
    grep -q "√t" $file.svg && ! grep -q "stroke-dasharray" $file.svg && fail "$file.svg has the name of a guide and no guide"
done

# a run that diverges: errors over a hundred decades
expect 1 "$polhode" run --quiet --set method=rk4 --set step=0.05 --set duration=100 -o diverged "$top_srcdir/examples/chain.yaml"
expect 0 "$polhode" plot diverged -o diverged-plots --quiet
for name in energy drift momentum constraint trajectory phase; do
    test -s diverged-plots/$name.svg || fail "$name.svg of a run that diverged is missing"
done

# numbers near the largest and the least that there are
if test -n "$python"; then
    cat > huge.py << 'END'
import sqlite3, struct, sys, zlib
archive = sqlite3.connect(sys.argv[1])
names = [name for name, in archive.execute("SELECT name FROM columns ORDER BY i")]
for first, n, rows in list(archive.execute("SELECT first, n, rows FROM blocks")):
    values = list(struct.unpack(f"<{n * len(names)}d", rows))
    for i in range(n):
        for k in range(2, len(names)):
            values[i * len(names) + k] = (-1) ** i * 1.7e308 if (first + i) % 3 else float(f"1e{-320 + (first + i) % 600}")
    packed = struct.pack(f"<{len(values)}d", *values)
    archive.execute("UPDATE blocks SET rows = ?, crc32 = ? WHERE first = ?", (packed, zlib.crc32(packed, first), first))
archive.commit()
END
    expect 0 "$polhode" run --quiet --set duration=20 --set 'output={every: 1}' -o long "$double"
    cp long/double-spherical-pendulum.polhode huge.polhode
    $python huge.py huge.polhode
    expect 0 "$polhode" plot huge.polhode -o huge --format svg,csv --quiet
    for name in drift trajectory phase newton; do test -s huge/$name.svg || fail "huge/$name.svg is missing"; done
    expect 0 "$polhode" plot huge.polhode -o huge-columns --format svg,csv --quiet --columns energy,q1x
else
    not_tried "made-up archives: there is no python3 with sqlite3"
fi

# a gnuplot that cannot draw one figure: the others are drawn, and what it said is passed on
mkdir picky
cat > picky/gnuplot << END
#!/bin/sh
cat > "$dir/script"
if grep -q "^set logscale" "$dir/script"; then
    printf '\n\nset xrange [a:b]\n           ^\n     "-" line 7: undefined \033variable: a\n\n' >&2
    exit 1
fi
exec "$(command -v gnuplot)" -d "$dir/script"
END
chmod +x picky/gnuplot
expect 0 "$polhode" run --quiet --set duration=5 -o short "$double"
expect 3 env PATH="$dir/picky:$PATH" "$polhode" plot short -o picked --quiet --format svg,csv
says err 'energy.svg: gnuplot failed: "-" line 7: undefined ?variable: a'
test ! -e picked/energy.svg || fail "energy.svg is there, though gnuplot failed"
test -s picked/energy.csv -a -s picked/drift.svg -a -s picked/trajectory.svg || fail "one figure that failed took others with it"
expect 3 env PATH="$dir/picky:$PATH" "$polhode" plot short -o picked --quiet --format pdf --figure energy
if grep -q pdfcairo err; then fail "the terminal is said to be missing, and is not"; fi

# interrupted while gnuplot draws
mkdir slow
cat > slow/gnuplot << END
#!/bin/sh
: > "$dir/drawing"
exec sleep 30
END
chmod +x slow/gnuplot
if test -n "$python"; then
    cat > interrupt.py << 'END'
import os, signal, subprocess, sys, time
marker = sys.argv[1]
p = subprocess.Popen(sys.argv[2:], stderr=subprocess.PIPE, start_new_session=True)
for _ in range(600):
    if os.path.exists(marker):
        break
    time.sleep(0.05)
os.killpg(p.pid, signal.SIGINT)
said = p.communicate(timeout=20)[1].decode()
assert p.returncode == 130, (p.returncode, said)
assert "interrupted" in said and "nox" not in said and said.count("\n") == 1, said
END
    for format in svg pdf png; do
        rm -f drawing
        expect 0 env PATH="$dir/slow:$PATH" $python interrupt.py drawing "$polhode" plot short -o interrupted --format $format --quiet
    done
fi

# the same bytes in all time zones
for zone in UTC America/New_York Asia/Kathmandu XYZ-3; do
    expect 0 env TZ=$zone "$polhode" plot short -o "zone-${zone%%/*}" --format pdf,svg --figure drift --quiet
    cmp zone-UTC/drift.pdf "zone-${zone%%/*}/drift.pdf" || fail "the PDF depends on the time zone"
    cmp zone-UTC/drift.svg "zone-${zone%%/*}/drift.svg" || fail "the SVG depends on the time zone"
done

# archives that have not the same columns: a panel shows one quantity, of those that have it
for links in 2 3; do
    expect 0 "$polhode" run --quiet --set parameters.links=$links --set duration=1 -o "links-$links" "$top_srcdir/examples/chain.yaml"
done
expect 0 "$polhode" plot links-2 links-3 -o links --format svg,csv --columns tensions,energy
says out "has no column tension3 [N]."
says links/columns-1.csv "t[s],tension1_least[N],tension1_largest[N],tension2_least[N],tension2_largest[N],energy_least[J],energy_largest[J]"
test "$(grep -o 'tension3' links/columns.svg | wc -l)" -eq 1 || fail "not one panel is that of tension3"
expect 0 "$polhode" plot links-2 links-3 -o links-one --format svg,csv --columns energy,tension3
says links-one/columns-2.csv "t[s],energy_least[J],energy_largest[J],tension3_least[N],tension3_largest[N]"
says links-one/columns-1.csv "t[s],energy_least[J],energy_largest[J]"
expect 2 "$polhode" plot links-2 links-3 -o links-none --columns energy,tension4
says err "tension4"
if test -n "$python"; then # the largest values that the panel of the energy shows are energies, of both
    cat > panel.py << 'END'
import re, sys
svg, n = open(sys.argv[1], encoding="utf-8").read(), int(sys.argv[2])
# gnuplot writes a group for each curve: a band is three of them; that of the last panel belongs to one run alone
groups = re.findall(r'<g id="gnuplot_plot_\d+[a-z]?"', svg)
assert len(groups) == 3 * n, (len(groups), n)
END
    expect 0 $python panel.py links/columns.svg 7    # tension1, tension2 and energy of both, tension3 of one
    expect 0 $python panel.py links-one/columns.svg 3
fi

# phase portraits: other coordinates are not drawn in one panel, those that both have are
expect 0 "$polhode" run --quiet --set duration=1 -o top "$top_srcdir/examples/heavy-top.yaml"
expect 2 "$polhode" plot links-2 top -o mixed --figure phase
says err "top/heavy-top.polhode has no portrait of what links-2/chain.polhode has: no q1z and pi1z in their units"
expect 2 "$polhode" plot top links-2 -o mixed --figure phase
says err "no Pi1x and Pi1y in their units"
expect 0 "$polhode" plot links-3 links-2 -o mixed --figure phase --format csv,svg
says out "What not all archives have is left out."
says mixed/phase-1.csv "t[s],q1z,pi1z[kg m^2/s],q2z,pi2z[kg m^2/s]"
says mixed/phase-2.csv "t[s],q1z,pi1z[kg m^2/s],q2z,pi2z[kg m^2/s]"

# a pendulum that swings in a vertical plane has no momentum about the vertical: the angle in its plane, from hanging, and its momentum, of which
# the energy is p^2/2 - 9.81 cos(angle) = 0; also where the third axis points downwards, in another plane, and of two runs
swing() {
    printf 'polhode: 1\nmodel: spherical-pendulum\nparameters: {gravity: [0, 0, %s]}\nmethod: %s\nstep: 0.005\nduration: 5\noutput: {every: 1}\n' "$1" "$2" > swing.yaml
    printf 'initial: {q: [[%s]], qdot: [[0, 0, 0]]}\n' "$3" >> swing.yaml
    expect 0 "$polhode" run --quiet --force -o "$4" swing.yaml
}
swing -9.81 variational "1, 0, 0" swing-x
swing -9.81 rk4 "1, 0, 0" swing-rk4
swing 9.81 variational "0, 1, 0" swing-y
expect 0 "$polhode" plot swing-x swing-rk4 -o swings --figure phase --format csv
expect 0 "$polhode" plot swing-y -o swings --figure phase --format csv
says swings/phase-1.csv "t[s],angle of q1 about y[rad],pi1y[kg m^2/s]"
says swings/phase-2.csv "t[s],angle of q1 about y[rad],pi1y[kg m^2/s]"
says swings/phase.csv "t[s],angle of q1 about x[rad],pi1x[kg m^2/s]"
expect 0 "$polhode" plot swing-x -o chosen --columns pi1z,q1z --against --format csv
says chosen/columns.csv "t[s],q1z,pi1z[kg m^2/s]" # as it was asked for
if test -n "$python"; then
    $python - swings/phase-1.csv swings/phase-2.csv swings/phase.csv << 'END' || fail "the portrait of a pendulum in a plane"
import csv, math, sys
for path in sys.argv[1:]:
    rows = [[float(cell) for cell in row] for row in list(csv.reader(open(path)))[1:]]
    assert len(rows) > 300 and all(abs(angle) < 1.6 for _, angle, _ in rows), path
    assert all(abs(p * p / 2 - 9.81 * math.cos(angle)) < 0.01 for _, angle, p in rows), path
    assert all((b[1] - a[1]) * (a[2] + b[2]) >= -1e-9 for a, b in zip(rows, rows[1:])), path # it turns where the momentum points
    assert max(p for _, _, p in rows) > 4.4 and min(p for _, _, p in rows) < -4.4, path
END
fi
# a body that swings about one of its axes shows the angle about it; one that turns steadily a line
for case in "pendulum-3d inclined" "free-rigid-body steady"; do
    printf 'polhode: 1\nmodel: %s\ninitial: {preset: %s}\nmethod: variational\nstep: 0.005\nduration: 10\noutput: {every: 1}\n' $case > body.yaml
    expect 0 "$polhode" run --quiet --force -o body body.yaml
    expect 0 "$polhode" plot body -o "${case%% *}" --figure phase --format csv
    grep -q '^t\[s\],angle of R1 about [xyz]\[rad\],Pi1[xyz]\[kg m^2/s\]$' "${case%% *}/phase.csv" || fail "$case: $(head -1 "${case%% *}/phase.csv")"
done
if test -n "$python"; then
    $python - << 'END' || fail "the portrait of a body that turns about one axis"
import csv, math
def rows(path):
    return [[float(cell) if cell else math.nan for cell in row] for row in list(csv.reader(open(path)))[1:]]
swing = rows("pendulum-3d/phase.csv")
assert all((b[1] - a[1]) * (a[2] + b[2]) >= -1e-9 for a, b in zip(swing, swing[1:]))
assert abs(max(p for _, _, p in swing) + min(p for _, _, p in swing)) < 1e-3 * max(p for _, _, p in swing)
assert abs(max(a for _, a, _ in swing) - min(a for _, a, _ in swing) - 2 * math.pi / 3) < 0.01 # from 60 degrees to 60 degrees
steady = [row for row in rows("free-rigid-body/phase.csv") if not math.isnan(row[1])]
assert max(a for _, a, _ in steady) > 3 and min(a for _, a, _ in steady) < -3 and max(p for *_, p in steady) - min(p for *_, p in steady) < 1e-12
END
fi
# of a vector that moves along its second axis the second coordinate
printf 'polhode: 1\nmodel: kepler\ninitial: {q: [[0, 1, 0]], qdot: [[0, 0.5, 0]]}\nmethod: variational\nstep: 0.005\nduration: 0.5\n' > rise.yaml
expect 0 "$polhode" run --quiet rise.yaml
expect 0 "$polhode" plot rise.out -o rise --figure phase --format csv
says rise/phase.csv "t[s],x1_2[m],p1_2[kg m/s]"

# sections: the last pair that both have
events='events=[{name: crossing, when: q1x, direction: up}]'
for links in 2 3; do
    expect 0 "$polhode" run --quiet --set parameters.links=$links --set duration=3 --set "$events" -o "events-$links" "$top_srcdir/examples/chain.yaml"
done
expect 0 "$polhode" plot events-3 events-2 -o sections --figure section --format csv,svg
says sections/section-1.csv "t[s],event,q2z,pi2z[kg m^2/s]"
says sections/section-2.csv "t[s],event,q2z,pi2z[kg m^2/s]"
sed 's/^duration:.*/duration: 10/' "$top_srcdir/examples/poincare-section.yaml" > plane.yaml
expect 0 "$polhode" run --quiet -o plane plane.yaml
expect 2 "$polhode" plot plane events-2 -o other --figure section
says err "has no section of what plane/plane.polhode has: no angle of q1 and pi1 in their units"

# archives of user-defined systems, and with a part of the configuration: the columns that are there
expect 0 "$polhode" run --quiet --set duration=1 -o rattleback "$top_srcdir/examples/rattleback.yaml"
expect 0 "$polhode" plot rattleback -o places --format csv,svg --figure trajectory
says out "The paths of 2 points"
says places/trajectory.csv "x[m]"
if test -n "$python"; then
    cat > own.py << 'END'
"""own.py FROM TO [WHAT [OLD NEW]]: TO is FROM as another program's archive, without a model; WHAT: without a scene, or with a part of it, or
the name of a column, replaced."""
import shutil, sqlite3, sys
shutil.copy(sys.argv[1], sys.argv[2])
archive = sqlite3.connect(sys.argv[2])
archive.execute("DELETE FROM meta WHERE key LIKE 'scenario%' OR key = 'model' OR key LIKE '%crc32'")
archive.execute("PRAGMA user_version = 2")
change, *words = sys.argv[3:] or ["nothing"]
if change == "none":
    archive.execute("DELETE FROM meta WHERE key = 'scene'")
elif change == "column":
    archive.execute("UPDATE columns SET name = ?2 WHERE name = ?1", words)
elif change == "scene":
    assert archive.execute("SELECT instr(value, ?) FROM meta WHERE key = 'scene'", words[:1]).fetchone()[0]
    archive.execute("UPDATE meta SET value = replace(value, ?1, ?2) WHERE key = 'scene'", words)
archive.commit()
END
    # by the scene that the archive keeps they are drawn as by the system, but for the curves between rows, which take velocities: links of chains, bodies, tubes, what turns by a phase, -z upwards
    for name in double-spherical-pendulum routh quadrotor-cable cantilever branching-pendulum heavy-top; do
        expect 0 "$polhode" run --quiet --set duration=1 -o drawn-$name "$top_srcdir/examples/$name.yaml"
        $python own.py drawn-$name/$name.polhode drawn-$name.polhode
        expect 0 "$polhode" plot drawn-$name -o drawn-1-$name --figure trajectory --format csv,svg
        grep '^trajectory' out | sed 's/ Between rows[^.]*\.//' > words
        expect 0 "$polhode" plot drawn-$name.polhode -o drawn-2-$name --figure trajectory --format csv,svg
        grep '^trajectory' out | cmp -s words - || fail "$name: other words without its model"
        cmp -s drawn-1-$name/trajectory.csv drawn-2-$name/trajectory.csv || fail "$name: another trajectory without its model"
    done
    says words "The system at 12 equal times"
    # a model of another build, with which the scenario cannot be read
    $python "$top_srcdir/tests/kit/unseal.py" drawn-routh/routh.polhode
    $python -c 'import sqlite3; a = sqlite3.connect("drawn-routh/routh.polhode"); a.execute("UPDATE meta SET value = replace(value, \"model: \", \"model: my-\") WHERE key = \"scenario\""); a.commit()'
    expect 0 "$polhode" plot drawn-routh -o drawn-3-routh --figure trajectory --format csv,svg
    cmp -s drawn-1-routh/trajectory.csv drawn-3-routh/trajectory.csv || fail "another trajectory without the model of the scenario"
    # a scene that cannot be drawn: a sentence says why, and columns are drawn
    drawn=drawn-double-spherical-pendulum/double-spherical-pendulum.polhode
    $python own.py $drawn less.polhode column q2x Q
    expect 0 "$polhode" plot less.polhode -o less --figure trajectory --format csv,svg
    says out "The path of the point from" "The scene of the archive is not drawn: the archive has no column q2x."
    $python own.py $drawn newer.polhode scene '"version":1' '"version":2'
    expect 0 "$polhode" plot newer.polhode -o newer --figure trajectory --format csv,svg
    says out "The paths of 2 points" "not drawn: the scene, byte 13, version: the scene is of version 2; this version of Polhode reads"
    $python own.py $drawn wrong.polhode scene '"from":0' '"from":1'
    expect 0 "$polhode" plot wrong.polhode newer.polhode -o wrong --figure trajectory --format csv,svg
    says out "(wrong.polhode) is not drawn: the scene, byte" "points[1]: from is 1; it must be an earlier point" "The scene of"
    $python own.py long/double-spherical-pendulum.polhode own.polhode none
    expect 0 "$polhode" plot own.polhode -o own --figure trajectory --figure phase --format csv,svg
    grep 'is not drawn' out && fail "a scene that there is not is not drawn"
    says own/phase.csv "t[s],q1z,pi1z[kg m^2/s],q2z,pi2z[kg m^2/s]"
    cat > same.py << 'END'
import csv, sys
def read(path):
    with open(path, newline="") as file:
        table = list(csv.reader(file))
    return [dict(zip((name.split("[")[0] for name in table[0]), row)) for row in table[1:]]
rows, names, found = {float(r["t"]): r for r in read(sys.argv[1])}, sys.argv[3].split(","), read(sys.argv[2])
assert len(found) > 20, len(found)
for row in found:
    first = 3 * (int(float(row["point"])) - 1)
    for k, axis in enumerate("xyz"):
        assert float(row[axis]) == float(rows[float(row["t"])][names[first + k]]), row
assert {row["point"] for row in found} == {str(i + 1) for i in range(len(names) // 3)}
END
    expect 0 "$polhode" export rattleback -o rattleback.csv --quiet
    expect 0 $python same.py rattleback.csv places/trajectory.csv position1x,position1y,position1z,position2x,position2y,position2z
    expect 0 "$polhode" export long -o long.csv --quiet
    expect 0 $python same.py long.csv own/trajectory.csv q1x,q1y,q1z,q2x,q2y,q2z
fi
