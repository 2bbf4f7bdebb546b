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
if grep -q "√t" "$dir/script"; then
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
