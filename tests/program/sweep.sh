#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode sweep and merge as they are used: threads, shards, lanes, kills and a full disk change no bit of the rows; what is left to do is
# done by the same command; statistics are those that Python finds by other means; members that fail are named and run again; what
# info, tail and export make of the archive; and what is refused.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
# cannot WHAT: not tried, as is to be expected of a program with sanitizers, which needs terabytes of addresses and its own library first
cannot() {
    if test "${POLHODE_SANITIZERS-}" = yes; then echo "skipped: $*"; else not_tried "$@"; fi
}
test -n "$python" && $python -c 'import sqlite3' || skip "there is no Python with sqlite3"

# scenario NAME COUNT [LINE]...: a double pendulum on one of COUNT circles
scenario() {
    name=$1 count=$2
    shift 2
    {
        printf 'polhode: 1\nmodel: double-spherical-pendulum\nparameters: {masses: [1, 1], lengths: [9.81, 9.81]}\n'
        printf 'initial: {q: [[0.6, 0, 0.8], [0, 0, 1]], omega: [[0, 0.3, 0], [0, 1, 0]]}\nmethod: variational\nstep: 0.01\n'
        printf 'ensemble: {product: {"initial.omega[1][1]": {from: 0, to: 2, count: %s}}}\n' "$count"
        for line; do echo "$line"; done
    } > "$name.yaml"
}

# rows FILE: a hash of all rows, and of all events and failures, by SQLite alone
rows() {
    $python - "$1" << 'END'
import hashlib, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
h = hashlib.sha256()
for rows, in db.execute("SELECT rows FROM blocks ORDER BY first"):
    h.update(rows)
for row in db.execute("SELECT n, name, t, step, row FROM events ORDER BY n"):
    h.update(repr(row).encode())
for row in db.execute("SELECT * FROM failed ORDER BY member"):
    h.update(repr(row).encode())
print(h.hexdigest())
END
}
# same FILE FILE: in their rows
same() {
    test "$(rows "$1")" = "$(rows "$2")" || fail "$1 and $2 have other rows"
}

# ---- However it is done
scenario map 300 'duration: 0.5' 'output: {every: 25}' 'events: [{name: section, when: q2x, crosses: 0.1}]'
expect 0 "$polhode" sweep --dry-run map.yaml
says out "members          300" "rows             3 of each" "disk" "free" "memory" "time"
test ! -e map.out || fail "--dry-run writes"
expect 0 "$polhode" sweep --threads 1 map.yaml
says out "300 of 300 members" "written          map.out/map.polhode, map.out/map.statistics.json"
expect 0 "$polhode" sweep --threads 2 -o two --quiet map.yaml
is_empty out err
same map.out/map.polhode two/map.polhode
cmp map.out/map.statistics.json two/map.statistics.json || fail "other statistics by two threads"
POLHODE_KERNELS=plain expect 0 "$polhode" sweep -o plain --quiet map.yaml
same map.out/map.polhode plain/map.polhode
for k in 7 3 1 2 5 4; do expect 0 "$polhode" sweep --shard $k/7 -o shards --quiet map.yaml; done
expect 2 "$polhode" merge shards
says err "shard 6 of 7 is missing" "--shard 6/7"
expect 0 "$polhode" sweep --shard 6/7 -o shards map.yaml
says out "of shard 6 of 7, from member 2" "map.shard-6-of-7.polhode"
expect 0 "$polhode" merge shards
says out "shards/map.polhode and shards/map.statistics.json"
same map.out/map.polhode shards/map.polhode
cmp map.out/map.statistics.json shards/map.statistics.json || fail "other statistics by shards"
expect 0 "$polhode" info --check shards
says out "300 members, 3 rows each" "initial.omega[1][1]" "failed           0 members" "all rows, all events and the state are whole"
expect 3 "$polhode" merge shards
# damage of a shard, the first, too, does not become part of what is whole
cp -r shards damaged
$python -c 'import sqlite3
with sqlite3.connect("damaged/map.shard-1-of-7.polhode") as db: db.execute("UPDATE meta SET value = 0.25 WHERE key = ?", ("step",))'
expect 3 "$polhode" merge --force damaged
says err "map.shard-1-of-7.polhode" "damaged"
expect 0 "$polhode" merge --force --rows shards
cp shards/map.statistics.json rows.json
# logs of archives that were being written when the machine or the process ended
$python - shards/map.polhode shards/map.polhode.part << 'END'
import os, shutil, sqlite3, sys
shutil.copy(sys.argv[1], sys.argv[2])
open_ones = [sqlite3.connect(name) for name in sys.argv[1:]]
for db in open_ones:
    db.executescript("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; UPDATE blocks SET rows = zeroblob(8)")
os._exit(0)
END
test -s shards/map.polhode-wal && test -s shards/map.polhode.part-wal || fail "there are no logs"
expect 0 "$polhode" merge --force shards
same map.out/map.polhode shards/map.polhode
expect 0 "$polhode" info --check shards
expect 2 "$polhode" sweep --threads 5000 map.yaml
says err "--threads is 5000"
expect 2 "$polhode" sweep --shard 8/7 map.yaml
says err "--shard 8/7"
# another scenario at the same place
sed 's/duration: 0.5/duration: 0.6/' map.yaml > other.yaml
cp other.yaml twin.yaml
mkdir twin.out && cp map.out/map.polhode twin.out/twin.polhode
expect 3 "$polhode" sweep twin.yaml
says err "twin.out/twin.polhode" "line 8" "--force is needed, or another directory: -o DIR"
expect 0 "$polhode" sweep --force --quiet twin.yaml
# two sweeps in one directory
expect 0 "$polhode" sweep --quiet -o two twin.yaml
cmp map.out/map.statistics.json two/map.statistics.json || fail "another sweep has changed the statistics"
test -s two/twin.statistics.json || fail "statistics of the second sweep are missing"
expect 2 "$polhode" merge two
says err "two/map.polhode" "two/twin.polhode" "each needs its own directory"
cp map.out/map.polhode shards/map.shard-1-of-7.polhode
expect 2 "$polhode" merge --force shards
expect 2 "$polhode" resume map.out
says err "the archive of a sweep"

# ---- Members are runs
expect 0 "$polhode" run --quiet --member 17 -o alone map.yaml
expect 0 "$polhode" export --quiet -o alone.csv --columns t,step,q1,q2,pi1,pi2,energy,energy_error alone
expect 0 "$polhode" export --quiet -o all.csv --columns t,step,q1,q2,pi1,pi2,energy,energy_error map.out
sed 1d alone.csv > alone.rows
sed 1d all.csv | sed -n '52,54p' | diff - alone.rows > difference || { fail "member 17 is not its run:"; cat difference; }
expect 0 "$polhode" tail -n 1 --json map.out
says out '"member": 299, "status": 0, "t": 0.5, "step": 50'
expect 0 "$polhode" tail -n 1 --columns t,member,status map.out
says out "member" "299"
expect 0 "$polhode" export --quiet --events -o events.csv map.out
head -n 1 events.csv | grep -q ',member$' || fail "events do not say their member"
! sed 1d events.csv | grep -qv '^section,' || fail "events do not have their names"
test "$(wc -l < events.csv)" -gt 20 || fail "few events: $(wc -l < events.csv)"
with=$(python_with numpy)
if test -n "$with" && "$polhode" export --quiet -o all.npz map.out 2> /dev/null; then
    $with - << 'END' || fail "arrays have another shape"
import numpy as np
z = np.load("all.npz")
assert z["q"].shape == (300, 3, 2, 3) and z["member"].shape == (300, 3), z["q"].shape
assert (z["member"] == np.arange(300)[:, None]).all()
END
    expect 0 "$polhode" export --quiet -o all.npy map.out
    $with -c 'import numpy as np; a = np.load("all.npy"); assert a.shape == (300, 3) and (a["energy"] == np.load("all.npz")["energy"]).all()' || fail "all.npy has another shape"
else
    not_tried "there is no NumPy, or this build does not write .npz"
fi

# ---- Statistics, by other means
$python - map.out/map.polhode map.out/map.statistics.json << 'END' || fail "statistics are others"
import json, math, sqlite3, statistics as st, struct, sys
db = sqlite3.connect(sys.argv[1])
names = [n for n, in db.execute("SELECT name FROM columns ORDER BY i")]
data = b"".join(r for r, in db.execute("SELECT rows FROM blocks ORDER BY first"))
rows = list(struct.iter_unpack("<%dd" % len(names), data))[2::3]
s = json.load(open(sys.argv[2]))
assert s["counted"] == s["members"] == 300 and s["failed"] == 0
for name in ("energy", "q1x", "pi2y", "initial.omega[1][1]"):
    x = [r[names.index(name)] for r in rows]
    c = s["columns"][name]
    size = max(map(abs, x))
    assert abs(c["mean"] - math.fsum(x) / 300) <= 1e-14 * size and abs(c["standard_deviation"] - st.stdev(x)) <= 1e-12 * size, name
    assert (c["least"], c["largest"]) == (min(x), max(x)) and sum(c["histogram"]["counts"]) == 300
    assert abs(c["quantiles"]["0.25"] - st.quantiles(x, n=4, method="inclusive")[0]) <= 1e-13 * size
    low, high = c["histogram"]["from"], c["histogram"]["to"]
    first = sum(1 for v in x if v < low + (high - low) / 50 * (1 - 1e-12))
    assert abs(c["histogram"]["counts"][0] - first) <= 1, (name, first)
def log(m, q): # on the sphere
    c = sum(a * b for a, b in zip(m, q))
    side = [b - c * a for a, b in zip(m, q)]
    n = math.sqrt(sum(v * v for v in side))
    return [v / n * math.atan2(n, c) if n else 0.0 for v in side]
for f, at in ((0, "q1x"), (1, "q2x")):
    m = s["configuration"]["factors"][f]["mean"]
    k = names.index(at)
    logs = [log(m, r[k:k + 3]) for r in rows]
    assert all(abs(math.fsum(v[i] for v in logs)) / 300 < 1e-13 for i in range(3)), "no Frechet mean"
    E = s["configuration"]["basis"][2 * f:2 * f + 2]
    x = [[sum(a * b for a, b in zip(e, v)) for e in E] for v in logs]
    for a in range(2):
        for b in range(2):
            mine = math.fsum(v[a] * v[b] for v in x) / 299
            assert abs(s["configuration"]["covariance"][2 * f + a][2 * f + b] - mine) < 1e-12
    far = max(math.sqrt(sum(a * a for a in v)) for v in logs)
    assert abs(s["configuration"]["factors"][f]["largest_distance"] - far) < 1e-12
END

# of every row, also by shards; the rest stays
expect 0 "$polhode" merge --force --quiet --rows map.out
cmp map.out/map.statistics.json rows.json || fail "other statistics of rows by shards"
$python - map.out/map.polhode map.out/map.statistics.json two/map.statistics.json << 'END' || fail "statistics of rows are others"
import json, math, sqlite3, statistics as st, struct, sys
db = sqlite3.connect(sys.argv[1])
names = [n for n, in db.execute("SELECT name FROM columns ORDER BY i")]
data = b"".join(r for r, in db.execute("SELECT rows FROM blocks ORDER BY first"))
rows = list(struct.iter_unpack("<%dd" % len(names), data))
s, plain = (json.load(open(f)) for f in sys.argv[2:])
of_rows = s.pop("rows")
assert s == plain and [r["row"] for r in of_rows] == [0, 1, 2] and of_rows[2]["columns"] == s["columns"]
for k, time in enumerate((0, 0.25, 0.5)):
    c = of_rows[k]["columns"]
    assert c["t"]["mean"] == c["t"]["largest"] == time and set(c) == set(names) - {"member", "status"}
    for name in ("q1x", "energy"):
        x = [r[names.index(name)] for r in rows[k::3]]
        size = max(map(abs, x))
        assert abs(c[name]["mean"] - math.fsum(x) / 300) <= 1e-14 * size and abs(c[name]["standard_deviation"] - st.stdev(x)) <= 1e-12 * size
        assert abs(c[name]["quantiles"]["0.25"] - st.quantiles(x, n=4, method="inclusive")[0]) <= 1e-13 * size
END
cp two/map.statistics.json map.out
# columns that it does not have: the command that makes them does
expect 2 "$polhode" export -o none.csv --columns t,member,positions map.out
says err '"positions"' "polhode sweep FILE --set 'output.columns=[...]' -o DIR"
expect 0 "$polhode" sweep --quiet --set 'output.columns=[q1, positions]' -o other map.yaml
expect 0 "$polhode" export --quiet -o places.csv --columns t,member,position1x other
test "$(wc -l < places.csv)" -eq 901 || fail "other columns have other rows"

# ---- Files of which members are made
scenario table 4 'duration: 0.1'
sed -i 's/^ensemble.*/ensemble: {list: {file: table.csv}}/' table.yaml
printf 'initial.omega[1][1]\n0.1\n0.2\n0.3\n0.4\n' > table.csv
expect 0 "$polhode" sweep --quiet --shard 1/2 table.yaml
expect 0 "$polhode" sweep --quiet table.yaml
sed 's/0.1/0.15/' table.csv > changed.csv && mv changed.csv table.csv # not of the last member
expect 3 "$polhode" sweep table.yaml
says err "table.out/table.polhode" "files that it was made of were others"
expect 0 "$polhode" sweep --quiet --shard 2/2 table.yaml
expect 2 "$polhode" merge --force table.out
says err "was made of other files than shard 1 of 2"
expect 0 "$polhode" sweep --quiet --force --shard 1/2 table.yaml
expect 0 "$polhode" merge --force table.out
# afterwards they are not needed
grep -q '"configuration"' table.out/table.statistics.json || fail "no statistics of configurations"
cp table.out/table.statistics.json whole.json
mv table.csv elsewhere.csv
expect 0 "$polhode" merge --force table.out
cmp whole.json table.out/table.statistics.json || fail "other statistics without the table"

# of what they begin from, when that varies: both files belong to the sweep
scenario start 2 'duration: 0.1'
for i in 1 2; do
    expect 0 "$polhode" run --quiet --member 0 --set initial.omega[0][1]=0.$i -o from$i start.yaml
    cp from$i/summary.json from$i.json
done
grep -v '^ensemble\|^initial' start.yaml > from.yaml
printf 'initial: {from: from1.json}\nensemble: {product: {initial.from: [from1.json, from2.json], step: [0.01, 0.005]}}\n' >> from.yaml
expect 0 "$polhode" sweep --quiet from.yaml
expect 0 "$polhode" sweep --quiet from.yaml
echo >> from2.json
expect 3 "$polhode" sweep from.yaml
says err "files that it was made of were others"
# ---- Members that fail
scenario bad 4 'duration: 0.5'
sed -i 's/{from: 0, to: 2, count: 4}/[0.1, 300, 0.2, 200]/' bad.yaml
expect 1 "$polhode" sweep bad.yaml
says out "4 of 4 members" "failed           2: members 1, 3; the first: " 
says err "2 members failed" "--failed"
expect 0 "$polhode" info --json --check bad.out
grep -q '"failed": 2,' out || fail "info does not count failures"
grep -q '"member": 3,' out || fail "info does not name them"
grep -q '"failed": 2,' bad.out/bad.statistics.json || fail "statistics do not count failures"
grep -q '"counted": 2,' bad.out/bad.statistics.json || fail "statistics have members that failed"
expect 1 "$polhode" sweep bad.yaml # nothing is left to do
expect 1 "$polhode" sweep --failed bad.yaml
expect 0 "$polhode" sweep --failed --set step=0.0001 bad.yaml
expect 0 "$polhode" info --check bad.out
says out "failed           0 members"
grep -q '"counted": 4,' bad.out/bad.statistics.json || fail "statistics are not those of all members"

# values with which their rows do not fit, and keys that vary
scenario finer 4 'duration: 0.5' 'output: {every: 1}'
sed -i 's/{from: 0, to: 2, count: 4}/[0.1, 300, 301, 302, 303, 304, 305, 306, 307]/' finer.yaml
expect 1 "$polhode" sweep --quiet finer.yaml
expect 2 "$polhode" sweep --failed --set step=0.0001 finer.yaml
says err "member 1 has 5001 rows" "room for 51"
expect 2 "$polhode" sweep --failed --set 'initial.omega[1][1]=1' finer.yaml
says err "varies from member to member"
expect 0 "$polhode" sweep --quiet --failed --set step=0.0001 --set output.every=100 finer.yaml
expect 0 "$polhode" info --check finer.out
says out "failed           0 members"
# one that is too large for the memory does not keep the others from running
printf '%s\n' 'polhode: 1' 'model: chain-pendulum' 'method: rk4' 'step: 0.0001' 'steps: 2' 'initial: {preset: hanging}' \
    'output: {columns: [energy]}' 'ensemble: {product: {parameters.links: [2, 3, 3000000, 4]}}' > links.yaml
code=0
(ulimit -v 600000 && exec "$polhode" sweep --threads 1 links.yaml) > out 2> err || code=$?
if test -e links.out/links.polhode; then
    test $code -eq 1 || fail "exit status $code, not 1, where a member has no memory: $(cat err)"
    says out "4 of 4 members" "member 2" "no memory"
else
    cannot "the program does not begin with 600 MB of addresses"
fi

# ---- Killed at any moment, at once or in a shard
scenario large 20000 'duration: 0.2'
kills=6
test -z "${POLHODE_CHECK_THOROUGH-}" || kills=20
test -z "${POLHODE_CHECK_LONG-}" || kills=50
expect 0 "$polhode" sweep --quiet -o whole large.yaml
# survive N [NAME=VALUE]...: that many kills, with these in the environment
survive() {
    kills=$1 n=0 met=0
    shift
    rm -rf large.out
    while test $n -lt "$kills"; do
        env "$@" "$polhode" sweep --quiet --threads $((1 + n % 3)) --snapshot-interval 0 large.yaml &
        running=$!
        sleep "$($python -c "import random; print(random.Random($n).uniform(0.005, 0.25))")"
        if kill -KILL $running 2> /dev/null; then met=$((met + 1)); fi
        wait $running 2> /dev/null || true
        running=
        if test -e large.out/large.polhode; then
            expect 0 "$polhode" info --quiet --check large.out
            if test -e large.out/large.statistics.json; then rm -rf large.out; fi # it was complete: from the beginning
        fi
        n=$((n + 1))
    done
    echo "$met of $kills kills met a sweep"
    test $met -gt 0 || fail "no kill met a sweep"
    expect 0 env "$@" "$polhode" sweep --quiet large.yaml
    same whole/large.polhode large.out/large.polhode
    cmp whole/large.statistics.json large.out/large.statistics.json || fail "other statistics after kills"
}
survive $kills

# the same on a network file system, by a library that says so: without a log, while others read
cat > nfs.c << 'END'
#include <sys/vfs.h>
int statfs(const char *path, struct statfs *s)
{
    (void)path;
    *s = (struct statfs){.f_type = 0x6969};
    return 0;
}
END
if ${CC:-cc} -shared -fPIC nfs.c -o nfs.so 2> /dev/null && LD_PRELOAD="$PWD/nfs.so" "$polhode" --version > /dev/null 2>&1; then
    survive $kills LD_PRELOAD="$PWD/nfs.so"
    rm -rf large.out
    LD_PRELOAD="$PWD/nfs.so" "$polhode" sweep --threads 1 --progress 0 --snapshot-interval 0 large.yaml > asked 2> why &
    running=$!
    await test -e large.out/large.polhode-journal
    read=0
    while kill -0 $running 2> /dev/null; do
        test ! -e large.out/large.polhode-wal || fail "there is a log on a network file system"
        expect 0 "$polhode" tail -n 1 large.out
        expect 0 "$polhode" info large.out
        read=$((read + 1))
    done
    wait $running || fail "a sweep that others read on a network file system: $(cat why)"
    running=
    echo "read $read times in between"
    test $read -gt 0 || fail "nobody has read it while it was written"
    test "$(grep -c 'large.out/large.polhode is on a network file system (NFS): it is written with a rollback journal' why)" -eq 1 ||
        fail "the network file system is not named once: $(cat why)"
    same whole/large.polhode large.out/large.polhode
    test ! -e large.out/large.polhode-journal || fail "a journal is left"
    expect 0 env LD_PRELOAD="$PWD/nfs.so" "$polhode" run --member 3 -o one large.yaml
    says err "one/large-3.polhode is on a network file system"
else
    cannot "no library can be put in front of others"
fi

# a signal that asks it to end; another process in between
rm -rf large.out
"$polhode" sweep --threads 1 --progress 0 large.yaml > asked 2> why &
running=$!
await test -e large.out/large.polhode
code=0
"$polhode" sweep --quiet large.yaml > out 2> err || code=$?
kill -TERM $running 2> /dev/null || true
ended=0
wait $running || ended=$?
running=
case $code in
    3) says err "is writing this archive" ;;
    0) ;; # the first one was quicker
    *) fail "a second writer ends with $code: $(cat err)" ;;
esac
case $ended in
    143) says why "interrupted" "to continue: the same command" ;;
    0) ;;
    *) fail "SIGTERM ends a sweep with $ended: $(cat why)" ;;
esac
expect 0 "$polhode" sweep --quiet large.yaml
same whole/large.polhode large.out/large.polhode

# ---- A disk that is full
if test "$(ulimit -f)" = unlimited; then
    rm -rf large.out
    code=0
    (trap '' XFSZ && ulimit -f 2000 && exec "$polhode" sweep --quiet large.yaml) > out 2> err || code=$?
    test "$code" -eq 3 || fail "exit status $code, not 3, on a full disk: $(cat err)"
    says err "large.polhode" "safe are"
    expect 0 "$polhode" sweep --quiet large.yaml
    same whole/large.polhode large.out/large.polhode
else
    not_tried "the size of files is limited here"
fi

# ---- Too many
sed 's/^ensemble.*/ensemble: {product: {"initial.omega[1][1]": {from: 0, to: 2, count: 1000000}, "initial.omega[0][1]": {from: 0, to: 1, count: 1000000}}}/' \
    large.yaml > huge.yaml
expect 0 "$polhode" sweep --dry-run huge.yaml
says out "members          1000000000000" "TB"
expect 2 "$polhode" sweep huge.yaml
says err "1e+12 members" "B on disk, more than the 10 GB that are written without --force"
expect 3 "$polhode" sweep --force huge.yaml
says err "the disk has room for"
test ! -e huge.out/huge.polhode || fail "an archive of too many members was begun"
sed 's/omega\[1\]/omga[1]/' large.yaml > wrong.yaml
expect 2 "$polhode" sweep wrong.yaml
says err "wrong.yaml:" "omga"
