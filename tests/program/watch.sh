#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Looking at runs: polhode info and polhode tail on archives that are whole, being written, killed, damaged, foreign, newer or
# read-only; what run and resume say to programs: --json, and why a run ended; and what resume says of a scenario or a build
# that is another by now.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
test -n "$python" && $python -c 'import sqlite3' || skip "there is no Python with sqlite3"

# scenario NAME SED-EXPRESSION...: the example, changed
scenario() {
    name=$1
    shift
    sed "$@" "$top_srcdir/examples/double-spherical-pendulum.yaml" > "$name"
}

# change FILE SQL...: of the archive, by SQLite alone
change() {
    $python - "$@" << 'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for sql in sys.argv[2:]:
    db.execute(sql)
db.commit()
END
}

# seal FILE: the row of the state is as it should be, by its checksum as doc/reference/archive.md says it
seal() {
    $python - "$1" << 'END'
import math, sqlite3, struct, sys, zlib
db = sqlite3.connect(sys.argv[1])
k, t, rows, energy0, newton, row_passes, cpu, written, crc = db.execute(
    "SELECT k, t, rows, energy0, newton_passes, row_passes, cpu_seconds, written, crc32 FROM state").fetchone()
energy0 = math.nan if energy0 is None else energy0
row = struct.pack("<qdqdqqd", k, t, rows, energy0, newton, row_passes, cpu) + written.encode() + struct.pack("<q", crc)
db.execute("UPDATE state SET row_crc32 = ?", (zlib.crc32(row),))
db.commit()
END
}

# await_steps FILE: until a run has begun to write it
await_steps() {
    await being_written "$1"
}
being_written() {
    "$polhode" info --json "$1" | grep '"status": null'
}

# follow ARGUMENT...: tail --follow, from when it has printed something; its number in following
follow() {
    rm -f followed
    "$polhode" tail --follow "$@" > followed 2> followed.err &
    following=$!
    await test -s followed
}

# ended PID: its exit status in code. Nobody is waited for longer than a minute: who sees to that is not killed, as it would have
# the test's own trap, but ends on a signal or when the test is over.
ended() {
    (
        waited=0
        until test -e "$dir/ended.$1" || test ! -d "$dir" || test $waited -ge 60; do
            sleep 1
            waited=$((waited + 1))
        done
        test $waited -lt 60 || kill -KILL "$1"
    ) > /dev/null 2>&1 &
    code=0
    wait "$1" 2> /dev/null || code=$?
    : > "$dir/ended.$1"
}

# same_rows FILE CSV: lines of JSON are rows of the table, bit by bit, and the last ones of it, in all their columns
cat > same.py << 'END'
import csv, json, math, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
with open(sys.argv[2]) as f:
    rows = list(csv.reader(f))
names = [head.split("[")[0] for head in rows[0]]
table = [dict(zip(names, map(float, row))) for row in rows[1:]]
assert len(lines) == int(sys.argv[3]) if len(sys.argv) > 3 else len(lines) > 20, len(lines)
for line, row in zip(lines, table[len(table) - len(lines):]):
    assert line == {name: row[name] for name in line}, (line, row)
END
same_rows() {
    $python same.py "$@" || fail "$1 has not the last rows of $2"
}

# ---- A run that is through, by what is known of it otherwise

scenario short.yaml -e 's/^duration:.*/duration: 2/' -e 's/^output: {/&csv: true, /'
printf 'events: [{name: section, when: q1x}, {name: never, when: t, crosses: -1}]\n' >> short.yaml
expect 0 "$polhode" run --quiet short.yaml
archive=short.out/short.polhode
expect 0 "$polhode" info $archive
is_empty err
says out "scenario         short.yaml, model double-spherical-pendulum" "method           variational, order 2" \
    "200 steps of 0.01 s, from t = 0 s to 2 s" "200 steps, t = 2 s, 100 %" "21 of 20 numbers" "finished         all 200 steps" \
    "never: 0" "$(wc -c < $archive) bytes" "energy error" "momentum error" "build"
expect 0 "$polhode" info --json $archive
is_empty err
cp out info.json
json info.json 's["steps"] == s["planned_steps"] == 200 and s["time"] == s["end_time"] == 2 and s["share"] == 1 and s["rows"] == 21'
json info.json 's["status"] == "ok" and s["reason"] == "duration" and not s["being_written"] and s["process"] is None and s["seconds_left"] is None'
json info.json "s['bytes'] == $(wc -c < $archive) and abs(s['bytes_per_number'] * 21 * 20 / s['bytes'] - 1) < 1e-12"
json info.json '[c["name"] + ("[" + c["unit"] + "]" if c["unit"] else "") for c in s["columns"]] == open("short.out/trajectory.csv").readline().strip().split(",")'
json info.json 'all(s["errors"][k] == v for u in [json.load(open("short.out/summary.json"))] for k, v in u.items() if k in s["errors"])'
json info.json '{"energy_error_final", "momentum_error_max", "constraint_error_max"} < s["errors"].keys() and s["errors"]["conservative"]'
json info.json 's["events"] == json.load(open("short.out/summary.json"))["events"] and s["events_in_all"] == s["events"]["section"] > 0'
json info.json 's["source"].endswith("/short.yaml") and s["source"][0] == "/" and 0 <= s["seconds_since_written"] < 600'
json info.json '__import__("calendar").timegm(__import__("time").strptime(s["written"], "%Y-%m-%dT%H:%M:%SZ")) + s["seconds_since_written"] <= __import__("time").time() < __import__("calendar").timegm(__import__("time").strptime(s["written"], "%Y-%m-%dT%H:%M:%SZ")) + s["seconds_since_written"] + 60'
# a day of each month, and leap years: seconds since then
for day in 2000-02-29 2023-12-31 2024-01-01 2024-02-29 2024-03-01 2025-03-01 2025-11-30; do
    cp $archive dated.polhode
    change dated.polhode "UPDATE state SET written = '${day}T10:20:30Z'"
    seal dated.polhode
    expect 0 "$polhode" info --json dated.polhode
    json out "abs(__import__('time').time() - s['seconds_since_written'] - __import__('calendar').timegm(__import__('time').strptime('$day', '%Y-%m-%d')) - 37230) < 60"
done
expect 0 "$polhode" info --scenario $archive
cmp out short.yaml || fail "info --scenario is not the scenario"
expect 0 "$polhode" info --columns $archive
head -n 1 short.out/trajectory.csv | tr , '\n' | sed 's/\[.*//' | cmp - out || fail "info --columns: $(cat out)"
expect 0 "$polhode" info --columns short.out/trajectory.csv
head -n 1 short.out/trajectory.csv | tr , '\n' | sed 's/\[.*//' | cmp - out || fail "info --columns of a table: $(cat out)"
expect 0 "$polhode" info --check $archive
says out "all rows, all events and the state are whole"
expect 0 "$polhode" info --quiet --check $archive
is_empty out err

# ---- Work: the integral of the power, to the order of the rule; none without the column

printf 'polhode: 1\nmodel: snakeboard\nmethod: rk4\nstep: 0.002\nduration: 2\noutput: {every: 2, columns: [energy, power]}\n' > driven.yaml
expect 0 "$polhode" run --quiet driven.yaml
expect 0 "$polhode" info driven.out
says out "work" "J by the column power"
expect 0 "$polhode" info --json driven.out
json out 'abs(s["errors"]["energy_change"]) > 0.01 and abs(s["errors"]["work"] - s["errors"]["energy_change"]) < 1e-6 * abs(s["errors"]["energy_change"])'
json info.json 's["errors"]["work"] is None and s["errors"]["energy_change"] is None'

# ---- The errors of velocity constraints: the largest of the column, in all three places, also of a run in two parts

printf 'polhode: 1\nmodel: rolling-disk\nmethod: rk4\nstep: 0.05\nduration: 3\noutput: {columns: [velocity_constraint_error]}\n' > rolls.yaml
expect 0 "$polhode" run --csv rolls.yaml
is_empty err
cp out words
expect 0 "$polhode" info --json rolls.out/rolls.polhode
cp out info.json
json info.json 's["errors"]["velocity_constraint_error_max"] == json.load(open("rolls.out/summary.json"))["velocity_constraint_error_max"] > 1e-12'
json info.json 's["errors"]["velocity_constraint_error_max"] == max(float(line.split(",")[-1]) for line in list(open("rolls.out/trajectory.csv"))[1:])'
largest=$($python -c 'import json; print("%.3g" % json.load(open("rolls.out/summary.json"))["velocity_constraint_error_max"])')
says words "at most; of the velocity constraints $largest"
expect 0 "$polhode" info rolls.out/rolls.polhode
says out "at most; of the velocity constraints $largest"
expect 0 "$polhode" run --quiet -o parts --set duration=1 rolls.yaml
expect 0 "$polhode" resume --quiet --until 3 parts/rolls.polhode
$python - << 'END' || fail "a run in two parts has another error of the velocity constraints"
import json
one, two = (json.load(open(name + "/summary.json"))["velocity_constraint_error_max"] for name in ("rolls.out", "parts"))
assert one == two, (one, two)
END
json short.out/summary.json 'not any("velocity" in key for key in s)'

# ---- The last rows

expect 0 "$polhode" tail --json $archive
is_empty err
cp out lines
same_rows lines short.out/trajectory.csv 10
head -n 1 lines > first
json first 'list(s) == ["t", "step", "energy_error", "constraint_error", "tangency", "newton_passes"] and type(s["step"]) == int'
for rows in 0 1 21 1000; do
    expect 0 "$polhode" tail --json -n $rows --columns energy,t,q2z $archive
    cp out lines
    same_rows lines short.out/trajectory.csv $((rows < 21 ? rows : 21))
done
head -n 1 lines > first
json first 'list(s) == ["energy", "t", "q2z"]'
expect 0 "$polhode" tail -n 3 $archive
test "$(sed -n 1p out | tr -s ' ' | sed 's/^ //')" = "t step energy_error constraint_error tangency newton_passes" || fail "head: $(cat out)"
test "$(sed -n 2p out | tr -s ' ' | sed 's/^ //; s/ $//')" = "[s] [J] [1] [kg m^2/s]" || fail "units: $(cat out)"
test "$(awk 'NR > 2 { print $1 "," $2 }' out)" = "$(printf '1.8,180\n1.9,190\n2,200')" || fail "rows: $(cat out)"
test "$(awk '{ print length($0) }' out | sort -u | wc -l)" -eq 1 || fail "not aligned: $(cat out)"
test "$(awk '{ print length($0) }' out | sort -n | tail -n 1)" -le 80 || fail "wide: $(cat out)"
expect 0 "$polhode" tail --quiet $archive
is_empty out err
expect 0 "$polhode" tail -f $archive # it is through
test "$(wc -l < out)" -eq 12 || fail "not the last ten rows: $(cat out)"
for wrong in "--columns t,enrgy" "--columns t,t" "--columns ," "-n x" "-n -1" "--oups" "$archive"; do
    # shellcheck disable=SC2086
    expect 2 "$polhode" tail $archive $wrong
    is_empty out
done
expect 2 "$polhode" tail $archive --columns t,enrgy
says err 'did you mean "energy"?'
for wrong in "--scenario --json" "--json --quiet" "--oups" "$archive"; do
    # shellcheck disable=SC2086
    expect 2 "$polhode" info $archive $wrong
done
expect 2 "$polhode" info
expect 2 "$polhode" tail

# columns by their names, wherever they stand; where the usual ones are not, others
cp $archive other.polhode
$python "$top_srcdir/tests/kit/unseal.py" other.polhode
change other.polhode "UPDATE columns SET name = 'x' WHERE name = 'step'" "UPDATE columns SET name = 'step' WHERE name = 'q1x'"
expect 0 "$polhode" tail --json -n 1 other.polhode
$python - out short.out/trajectory.csv << 'END' || fail "columns are not found by their names: $(cat out)"
import csv, json, sys
row = json.loads(open(sys.argv[1]).readline())
*_, last = csv.DictReader(open(sys.argv[2]))
assert row["step"] == float(last["q1x[1]"]) and "x" not in row, row
END
change other.polhode "UPDATE columns SET name = 'c' || i"
expect 0 "$polhode" tail -n 1 other.polhode
says out "c0" "c5"
expect 0 "$polhode" info other.polhode

# ---- A run that is being written

scenario long.yaml -e 's/^duration:.*/steps: 1e12/' -e 's/every: 10/every: 100000/'
"$polhode" run --json --snapshot-interval 0.1 long.yaml > run.json 2> run.err &
running=$!
await_steps long.out/long.polhode
follow --json -n 5 long.out/long.polhode
expect 0 "$polhode" info --json long.out/long.polhode
cp out before
json before "s['being_written'] and s['process'] == $running and s['status'] is None and s['reason'] is None"
expect 0 "$polhode" info long.out/long.polhode
says out "being written    by process $running" "left"
# rows are added, each some snapshots
gone_on() {
    "$polhode" info --json long.out/long.polhode > now && $python -c 'import json
s, u = (json.load(open(f)) for f in ("now", "before"))
assert s["steps"] > u["steps"] and s["rows"] > u["rows"]'
}
await gone_on
expect 0 "$polhode" info --json long.out/long.polhode
json out 's["steps"] > u["steps"] and s["rows"] > u["rows"] and s["seconds_since_written"] < 600 if (u := json.load(open("before"))) else 0'
json out 's["steps_per_second"] > 0 and abs((s["planned_steps"] - s["steps"]) / s["steps_per_second"] / s["seconds_left"] - 1) < 1e-3'
expect 0 "$polhode" tail -n 3 long.out/long.polhode
test "$(wc -l < out)" -eq 5 || fail "while it is written: $(cat out)"
many_followed() {
    test "$(wc -l < followed)" -gt 40
}
await many_followed # a slow run has written few rows by now
: > long.out/STOP
ended $running
running=
test "$code" -eq 1 || fail "exit status $code, not 1, of a run that STOP has ended: $(cat run.err)"
ended $following
test "$code" -eq 0 || fail "exit status $code, not 0, of tail --follow: $(cat followed.err)"
is_empty followed.err
expect 0 "$polhode" export --quiet long.out/long.polhode -o long.csv
same_rows followed long.csv
test "$(ls long.out | tr '\n' ' ')" = "long.polhode summary.json " || fail "who follows leaves $(ls long.out)"
json run.json 's["status"] == "interrupted" and s["reason"] == "stop-file" and s["ended_by"] == "long.out/STOP" and s["files"] == ["long.out/long.polhode", "long.out/summary.json"]'
json long.out/summary.json 's["reason"] == "stop-file" and s["ended_by"] == "long.out/STOP" and "files" not in s'
json run.json '{k: v for k, v in s.items() if k != "files"} == json.load(open("long.out/summary.json"))'
expect 0 "$polhode" info long.out/long.polhode
says out "ended            interrupted (stop-file long.out/STOP): stopped by"

# Ctrl-C ends the program that follows, not the run; that a reader has gone is reported; kill -9 of the run ends them, too
"$polhode" resume --quiet --snapshot-interval 0.1 long.out/long.polhode > run.out 2> run.err &
running=$!
await test -s long.out/long.polhode.lock
follow long.out/long.polhode
kill -INT $following
ended $following
test "$code" -eq 130 || fail "exit status $code, not 130, of tail --follow after SIGINT"
(code=0 && "$polhode" tail -f long.out/long.polhode 2> followed.err || code=$?; echo $code > code) | head -n 4 > followed
test "$(wc -l < followed)" -eq 4 || fail "four lines of tail --follow: $(cat followed)"
await test -s code
test "$(cat code)" -eq 3 || fail "exit status $(cat code), not 3, where the pipe is closed"
says followed.err "cannot write to the standard output"
"$polhode" tail -f -q long.out/long.polhode > followed 2> followed.err &
following=$!
looks() { # it catches SIGINT, the second bit, just before it looks; where that cannot be seen, half a second should be enough
    test -r "/proc/$following/status" || sleep 0.5
    test ! -r "/proc/$following/status" || grep '^SigCgt:.*[2367abef]$' "/proc/$following/status"
}
await looks
kill -KILL $running
ended $running
running=
ended $following
test "$code" -eq 1 || fail "exit status $code, not 1, of tail --follow on a run that was killed"
is_empty followed
says followed.err "it was killed" "polhode resume long.out/long.polhode"
expect 0 "$polhode" info long.out/long.polhode
says out "not ended        and no process writes it" "polhode resume long.out/long.polhode"
expect 0 "$polhode" info --json long.out/long.polhode
json out 'not s["being_written"] and s["status"] is None and s["rows"] > 0 and s["seconds_left"] is None'

# Ctrl-C of the run; and another run in its place while nobody looks
scenario slow.yaml -e 's/^duration:.*/steps: 1e12/' -e 's/every: 10/every: 1000000/'
"$polhode" run --quiet slow.yaml > run.out 2> run.err &
running=$!
await_steps slow.out/slow.polhode
follow slow.out/slow.polhode
kill -INT $running
ended $running
running=
ended $following
test "$code" -eq 0 || fail "exit status $code, not 0, of tail --follow after an interruption"
json slow.out/summary.json 's["reason"] == "signal" and s["ended_by"] == "SIGINT"'
"$polhode" resume --quiet slow.out/slow.polhode > run.out 2> run.err &
running=$!
await_steps slow.out/slow.polhode
follow slow.out/slow.polhode
kill -STOP $following
kill -TERM $running
ended $running
running=
json slow.out/summary.json 's["reason"] == "signal" and s["ended_by"] == "SIGTERM"'
"$polhode" run --quiet --force slow.yaml > run.out 2> run.err &
running=$!
await test -s slow.out/slow.polhode.lock
kill -CONT $following
ended $following
test "$code" -eq 1 || fail "exit status $code, not 1, of tail --follow where another run is"
says followed.err "this is now the archive of another run"
kill -KILL $running
ended $running
running=

if test -c /dev/full; then
    for words in "info $archive" "info --json $archive" "info --scenario $archive" "tail $archive" "tail --json $archive" \
        "run --json --force short.yaml" "resume --json --until 3 $archive"; do
        code=0
        # shellcheck disable=SC2086
        "$polhode" $words > /dev/full 2> err || code=$?
        test "$code" -eq 3 || fail "exit status $code, not 3, into a full disk: $words"
        test -s err || fail "silent into a full disk: $words"
    done
    expect 0 "$polhode" run --quiet --force short.yaml
fi

# ---- Archives that are no more what they were

scenario blocks.yaml -e 's/^duration:.*/duration: 600/' -e 's/^output:.*/output: {every: 1}/'
printf 'events: [{name: section, when: q1x}]\n' >> blocks.yaml
expect 0 "$polhode" run --quiet blocks.yaml
whole=blocks.out/blocks.polhode
cp $whole damaged.polhode
change damaged.polhode "UPDATE blocks SET rows = zeroblob(length(rows)) WHERE first = (SELECT max(first) FROM blocks)" \
    "UPDATE blocks SET crc32 = crc32 + 1 WHERE first = 0" "UPDATE events SET crc32 = crc32 + 1 WHERE n = 3"
expect 0 "$polhode" info damaged.polhode # it did not look
expect 1 "$polhode" info --check damaged.polhode
says out "damaged          damaged.polhode: the block of rows 0 to" "checksum" "event 3"
expect 1 "$polhode" info --check --json damaged.polhode
json out 's["damaged_places"] == 3 and len(s["damaged"]) == 3 and s["checked"] and s["rows"] == 60001'
expect 1 "$polhode" info --check --quiet damaged.polhode
is_empty out
expect 1 "$polhode" tail --json damaged.polhode
says err "the block of rows" "left out"
is_empty out
# the state: where it was is still known, how well it went is not
cp $whole damaged.polhode
change damaged.polhode "UPDATE state SET state = zeroblob(length(state))"
expect 1 "$polhode" info damaged.polhode
says out "60000 steps, t = 600 s" "errors           not known" "damaged" "checksum is wrong"
cp $whole damaged.polhode
change damaged.polhode "DELETE FROM state"
expect 1 "$polhode" info damaged.polhode
says out "reached          not known" "damaged or missing"
expect 1 "$polhode" info --json damaged.polhode
json out 's["steps"] is None and s["share"] is None and s["errors"] is None and "missing" in s["errors_unknown"] and s["rows"] == 60001 and s["damaged_places"] == 1'
# damaged numbers in the row of the state, with and without the checksum that later versions have: reported, and not resumed
for rows in 5 -5 -9223372036854775808 9223372036854775807; do
    cp $archive damaged.polhode
    change damaged.polhode "UPDATE state SET rows = $rows"
    cp damaged.polhode before.polhode
    expect 1 "$polhode" info --check damaged.polhode
    says out "damaged          damaged.polhode: its state is damaged"
    expect 3 "$polhode" resume damaged.polhode --until 3
    says err "state is damaged"
    cmp damaged.polhode before.polhode || fail "an archive that is refused is another one"
done
older() {
    change "$1" "ALTER TABLE state RENAME TO newer" "CREATE TABLE state(id INTEGER PRIMARY KEY CHECK(id = 0), k INTEGER NOT NULL, t,
        rows INTEGER NOT NULL, energy0, newton_passes INTEGER, row_passes INTEGER, cpu_seconds, written TEXT, crc32 INTEGER NOT NULL,
        state BLOB NOT NULL, monitor BLOB)" "INSERT INTO state SELECT id, k, t, rows, energy0, newton_passes, row_passes, cpu_seconds,
        written, crc32, state, monitor FROM newer" "DROP TABLE newer" "PRAGMA user_version = 1" "DELETE FROM meta WHERE key LIKE '%crc32'"
}
mkdir older
cp $archive older/short.polhode
older older/short.polhode
expect 0 "$polhode" info --check older/short.polhode
says out "the state are whole" "has no checksum"
expect 0 "$polhode" info --check --json older/short.polhode
json out 's["protected"] is False and s["damaged_places"] == 0'
expect 0 "$polhode" resume --quiet older/short.polhode --until 3
expect 0 "$polhode" info --check --json older/short.polhode
json out 's["protected"] is True and s["rows"] == 31'
cp $archive damaged.polhode
older damaged.polhode
change damaged.polhode "UPDATE state SET rows = -5"
expect 1 "$polhode" info --check damaged.polhode
expect 3 "$polhode" resume damaged.polhode --until 3
says err "\"rows\" in its row has an impossible value"
# events with numbers that are none: named, and the end is reached
cp $whole damaged.polhode
change damaged.polhode "UPDATE events SET n = 1000000000000 WHERE n = (SELECT max(n) FROM events)" "UPDATE events SET n = -7 WHERE n = 0"
expect 1 timeout 60 "$polhode" info --check damaged.polhode
says out "there is no event -7" "event" "are missing"
# control sequences for the terminal, in texts and names
cp $archive damaged.polhode
change damaged.polhode "UPDATE meta SET value = char(27) || '[2J' || char(7) || value WHERE key IN ('build', 'name', 'model', 'method', 'options',
    'order', 'created', 'version', 'status', 'reason', 'message')" "UPDATE columns SET name = char(27) || 'c' WHERE i = 4"
expect 1 "$polhode" info damaged.polhode
says out "the table meta is damaged: its checksum is wrong"
$python "$top_srcdir/tests/kit/unseal.py" damaged.polhode
expect 0 "$polhode" info damaged.polhode
says out "?[2J?"
test "$(tr -d '\n' < out | tr -cd '[:cntrl:]' | wc -c)" -eq 0 || fail "control characters from an archive reach the terminal"
expect 0 "$polhode" info --columns damaged.polhode
test "$(tr -d '\n' < out | tr -cd '[:cntrl:]' | wc -c)" -eq 0 || fail "control characters in names of columns reach the terminal"
# cut off, in the middle and near the beginning
head -c 3000000 $whole > cut.polhode
expect 2 "$polhode" info cut.polhode || true
test ! -s out || fail "of a file that is cut off: $(cat out)"
says err "damaged or was cut off"
head -c 100 $whole > cut.polhode
for file in cut.polhode short.yaml missing.polhode . ; do
    for command in info tail; do
        expect 2 "$polhode" $command $file
        is_empty out
        test -s err || fail "$command $file says nothing"
    done
done
: > empty.polhode
expect 2 "$polhode" info empty.polhode
says err "is empty"
$python -c 'import sqlite3; db = sqlite3.connect("foreign.polhode"); db.execute("CREATE TABLE x(y)"); db.commit()'
expect 2 "$polhode" info foreign.polhode
says err "another SQLite database"
cp $archive newer.polhode
change newer.polhode "PRAGMA user_version = 4"
expect 2 "$polhode" info newer.polhode
says err "a newer one is expected"
expect 2 "$polhode" tail newer.polhode
# of another program: no scenario, no monitor; or of a model that this version does not know
cp $archive own.polhode
$python "$top_srcdir/tests/kit/unseal.py" own.polhode
change own.polhode "DELETE FROM meta WHERE key IN ('scenario', 'name', 'model', 'source')"
expect 0 "$polhode" info own.polhode
says out "scenario         none: another program has written it" "200 steps, t = 2 s"
# its errors are those that the run had
"$polhode" info $archive | grep error > known
test "$(wc -l < known)" -eq 3 || fail "info knows $(cat known)"
grep error out | cmp - known || fail "another program's archive has other errors: $(cat out)"
"$polhode" info --json $archive > known
expect 0 "$polhode" info --json own.polhode
json out 's["errors"] == json.load(open("known"))["errors"] and s["errors"]["conservative"] is True'
change own.polhode "DELETE FROM meta WHERE key = 'conservative'" # as older versions wrote it: an error, or the work of forces?
expect 0 "$polhode" info own.polhode
says out "energy change" "it is not known whether forces change the energy"
expect 0 "$polhode" info --json own.polhode
json out 's["errors"]["conservative"] is None'
json out 's["model"] is None and s["errors_unknown"] is None and s["steps"] == 200 and s["events"] == {} and s["events_in_all"] > 0 and s["damaged_places"] == 0'
expect 2 "$polhode" info --scenario own.polhode
expect 0 "$polhode" tail own.polhode
cp $archive unseen.polhode # an archive by a user's program, without measurements
change unseen.polhode "UPDATE state SET monitor = NULL, crc32 = $($python -c 'import sqlite3, zlib; print(zlib.crc32(sqlite3.connect("own.polhode").execute("SELECT state FROM state").fetchone()[0]))')"
expect 1 "$polhode" info unseen.polhode
says out "the checksum of its row is wrong"
seal unseen.polhode
expect 0 "$polhode" info --check unseen.polhode
says out "errors           not known" "no packed monitor"
cp $archive unknown.polhode
change unknown.polhode "UPDATE meta SET value = replace(value, 'double-spherical-pendulum', 'perpetuum-mobile') WHERE key = 'scenario'"
$python "$top_srcdir/tests/kit/unseal.py" unknown.polhode
expect 0 "$polhode" info unknown.polhode
says out "cannot be read" "perpetuum-mobile" "energy error"
# where nothing can be written
mkdir closed
cp $archive closed/short.polhode
chmod a-w closed closed/short.polhode
expect 0 "$polhode" info --check closed/short.polhode
expect 0 "$polhode" tail -f closed/short.polhode
chmod u+w closed
test "$(ls closed)" = short.polhode || fail "info or tail leave $(ls closed)"

# ---- Why a run ended

expect 0 "$polhode" run --force --json short.yaml
is_empty err
json out 's["status"] == "ok" and s["reason"] == "duration" and "ended_by" not in s'
json out 's["files"] == ["short.out/" + n for n in ["short.polhode", "summary.json", "trajectory.csv", "events.csv"]]'
json out 'all(v == u.get(k) for u in [json.load(open("short.out/summary.json"))] for k, v in s.items() if k != "files")'
expect 1 "$polhode" run --force --json --wall-clock 0 -o wall short.yaml
json out 's["status"] == "interrupted" and s["reason"] == "wall-clock" and s["files"][0] == "wall/short.polhode"'
says err "time limit of"
sed 's/^output/stop: {energy-error: 1e-12}\n&/' short.yaml > bound.yaml
expect 1 "$polhode" run --json bound.yaml
json out 's["status"] == "interrupted" and s["reason"] == "energy-error"'
scenario stopping.yaml -e 's/^duration:.*/duration: 2/'
printf 'events: [{name: early, when: t, crosses: 0.5}, {name: "late", when: t, crosses: 1.005, action: stop}]\n' >> stopping.yaml
expect 0 "$polhode" run --json stopping.yaml
is_empty err
json out 's["status"] == "stopped" and s["reason"] == "event" and s["ended_by"] == "late"'
expect 0 "$polhode" info --json stopping.out/stopping.polhode
json out 's["status"] == "stopped" and s["reason"] == "event" and s["ended_by"] == "late" and s["events"] == {"early": 1, "late": 1}'
expect 0 "$polhode" resume --json stopping.out/stopping.polhode
json out 's["status"] == "ok" and s["reason"] == "duration" and "ended_by" not in s'
expect 0 "$polhode" info --json stopping.out/stopping.polhode
json out 's["reason"] == "duration" and s["ended_by"] is None'
scenario diverging.yaml -e 's/^step:.*/step: 0.1/' -e 's/^duration:.*/duration: 10000/' -e 's/variational/rk4/'
expect 1 "$polhode" run --json diverging.yaml
json out 's["status"] == s["reason"] == "diverged"'

# ---- A scenario, or a build, that is another by now

expect 0 "$polhode" run --force --quiet short.yaml
cp short.yaml kept.yaml
expect 0 "$polhode" resume --until 2.1 $archive
is_empty err
line=$(grep -n '^step:' short.yaml | cut -d : -f 1)
sed 's/^step:.*/step: 0.02/' kept.yaml > short.yaml
expect 0 "$polhode" resume --until 2.2 $archive
says err "warning: $(pwd)/short.yaml has changed" "line $line: there \"step: 0.02\", in the archive \"step: 0.01" "the archived text is what is run"
expect 0 "$polhode" resume --quiet --until 2.3 $archive
is_empty err
cp short.out/summary.json summary.json
expect 2 "$polhode" resume --scenario short.yaml --until 2.4 $archive
says err "short.yaml is not the scenario" "line $line: there \"step: 0.02\""
expect 2 "$polhode" resume --scenario missing.yaml --until 2.4 $archive
cmp summary.json short.out/summary.json || fail "a refused resume has continued the run"
expect 0 "$polhode" resume --scenario kept.yaml --until 2.4 $archive
is_empty err
{ cat kept.yaml; echo '# more'; } > short.yaml
expect 2 "$polhode" resume --scenario short.yaml $archive
says err "line $(wc -l < short.yaml | tr -d ' '): there \"# more\", in the archive nothing"
sed '$d' kept.yaml > short.yaml
expect 2 "$polhode" resume --scenario short.yaml $archive
says err "there nothing, in the archive \"events:"
printf '%s' "$(cat kept.yaml)" > short.yaml
expect 2 "$polhode" resume --scenario short.yaml $archive
says err "the end of line $(wc -l < kept.yaml | tr -d ' ')"
rm short.yaml
expect 0 "$polhode" resume --until 2.5 $archive
is_empty err
$python "$top_srcdir/tests/kit/unseal.py" $archive
change $archive "UPDATE meta SET value = 'another' WHERE key = 'build'"
expect 0 "$polhode" resume --until 2.6 $archive
says err "warning: $archive was begun by version" "(another)" "bits may differ"
expect 0 "$polhode" resume --quiet --until 2.7 $archive
is_empty err

# ---- What is whole in a damaged archive
if test -n "$python"; then
    cp blocks.out/blocks.polhode damaged.polhode
    expect 0 "$polhode" repair damaged.polhode -o saved.polhode
    says out "60001 rows" "polhode resume continues it"
    for command in export "export --events"; do
        expect 0 "$polhode" $command damaged.polhode -o before.csv --force
        expect 0 "$polhode" $command saved.polhode -o after.csv --force
        cmp before.csv after.csv || fail "a whole archive is another one when it has been saved: $command"
    done
    expect 0 "$polhode" info --check saved.polhode
    expect 3 "$polhode" repair damaged.polhode -o saved.polhode
    says err "exists already"
    # of blocks and events those that are whole, numbered anew, and the state
    change damaged.polhode "UPDATE blocks SET crc32 = crc32 + 1 WHERE first = 0" "UPDATE events SET crc32 = crc32 + 1 WHERE n = 3" \
        "DELETE FROM events WHERE n = 7"
    cp damaged.polhode as-it-was
    rm saved.polhode
    expect 1 "$polhode" repair damaged.polhode -o saved.polhode
    says err "the block of rows 0 to" "event 3 is damaged" "events \"section\" are missing" "damaged.polhode is damaged in 3 places" "and 1 events are not in"
    cmp damaged.polhode as-it-was || fail "an archive is another one after it was saved"
    expect 0 "$polhode" info --check saved.polhode
    expect 1 "$polhode" export damaged.polhode -o before.csv --force
    expect 0 "$polhode" export saved.polhode -o after.csv --force
    cmp before.csv after.csv || fail "what is saved is not what was whole"
    expect 0 "$polhode" resume --quiet saved.polhode --until 601
    expect 0 "$polhode" info --check saved.polhode
    expect 0 "$polhode" resume --quiet blocks.out/blocks.polhode --until 601
    test "$("$polhode" tail -n 1 --json saved.polhode)" = "$("$polhode" tail -n 1 --json blocks.out/blocks.polhode)" ||
        fail "a run that was saved goes on with other bits"
    # what is said of the run is damaged, or the state: it can be shown, not resumed
    for sql in "UPDATE meta SET value = '0.25' WHERE key = 'step'" "UPDATE state SET rows = 5" "DELETE FROM state"; do
        cp as-it-was damaged.polhode
        change damaged.polhode "$sql"
        rm -f saved.polhode
        expect 1 "$polhode" repair damaged.polhode -o saved.polhode
        says out "but not resumed"
        expect 0 "$polhode" info --check saved.polhode
        expect 0 "$polhode" export saved.polhode -o after.csv --force
        cmp before.csv after.csv || fail "what is saved is not what was whole: $sql"
        expect 2 "$polhode" resume saved.polhode --until 602
        says err "has no state"
    done
    # the index of rows and the state are lost: nothing says how many rows there were
    cp blocks.out/blocks.polhode damaged.polhode
    change damaged.polhode "DELETE FROM state"
    $python -c 'import sqlite3
a = sqlite3.connect("damaged.polhode")
page, size = a.execute("SELECT rootpage FROM sqlite_schema WHERE name = \"blocks\"").fetchone()[0], a.execute("PRAGMA page_size").fetchone()[0]
a.close()
f = open("damaged.polhode", "r+b")
f.seek((page - 1) * size)
f.write(bytes(size))'
    rm saved.polhode
    expect 1 "$polhode" repair damaged.polhode -o saved.polhode
    says err "damaged in" ": at least 0 rows and"
    expect 0 "$polhode" info --check saved.polhode
    change saved.polhode "DELETE FROM events WHERE n = 1"
    expect 1 "$polhode" info saved.polhode
    says out "events there are"
    expect 2 "$polhode" repair short.yaml -o none.polhode
    test ! -e none.polhode || fail "of nothing something was saved"
fi

exit $failed
