#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode view: the archive in a page, read by Python, has the bits of its source and all its events; sizes, hostile texts,
# damage, and what is refused, which leaves nothing behind.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
python=$(python_with sqlite3)
page=$top_srcdir/viewer/viewer.html

expect 0 "$polhode" view --empty
cmp viewer.html "$page" || fail "--empty is not the page of the sources"
test "$(wc -c < "$page")" -le 1500000 || fail "the page is larger than 1.5 MB"
says "$page" "Content-Security-Policy" "default-src 'none'"
expect 3 "$polhode" view --empty
says err "exists already" "--force"
expect 0 "$polhode" view --empty --force

sed 's/^duration:.*/duration: 20/' "$top_srcdir/examples/poincare-section.yaml" > s.yaml
expect 0 "$polhode" run --quiet s.yaml
archive=s.out/s.polhode

# read.py PAGE SOURCE...: what is in the page
cat > read.py << 'END'
import base64, re, sqlite3, struct, sys, zlib
page = open(sys.argv[1], encoding="utf-8").read()
found = re.findall(r'<script type="application/vnd.polhode"([^>]*)>\s*([A-Za-z0-9+/=\s]*)</script>', page)
assert len(found) == len(sys.argv) - 2, len(found)
def table(path):
    db = sqlite3.connect(path)
    names = [n for n, in db.execute("SELECT name FROM columns ORDER BY i")]
    rows = []
    for first, n, crc, bytes in db.execute("SELECT first, n, crc32, rows FROM blocks ORDER BY first"):
        assert zlib.crc32(bytes, first) == crc and first == len(rows)
        width = 8 * len(names)
        rows += [bytes[i * width:(i + 1) * width] for i in range(n)]
    return db, names, rows
def number(row, i):
    return row[8 * i:8 * i + 8]
for (about, text), source in zip(found, sys.argv[2:]):
    open("copy", "wb").write(base64.b64decode(text))
    a, names, rows = table("copy")
    b, own, all_rows = table(source)
    assert names[:3] == ["t", "step", "row"] and len(rows) >= 2
    at = [int(struct.unpack("<d", number(r, 2))[0]) for r in rows]
    assert at == sorted(set(at)) and at[0] == 0 and at[-1] == len(all_rows) - 1
    for i, r in zip(at, rows):
        for k, name in enumerate(names):
            if name in own:
                assert number(r, k) == number(all_rows[i], own.index(name)), (i, name)
    query = "SELECT n, name, t, step, crc32, row FROM events ORDER BY n"
    assert list(a.execute(query)) == list(b.execute(query))
    meta = dict(a.execute("SELECT key, value FROM meta"))
    assert all(meta.get(k) == v for k, v in b.execute("SELECT key, value FROM meta WHERE key NOT LIKE '%crc32'"))
    assert ("thinned" in meta) == (len(rows) < len(all_rows))
    assert set(meta.get("computed", "").split()) == set(names) - set(own) - {"row"}
END
in_page() {
    test -z "$python" || $python read.py "$@" || fail "the archive in $1 is not that of $2"
}
test -n "$python" || not_tried "the archives in pages: there is no Python with sqlite3"

expect 0 "$polhode" view s.out
in_page s.out/s.html $archive
cp s.out/s.html first.html
# the page next to its archive is derived from it, and is replaced; what somebody gave a name, or is no such page, is not
expect 0 "$polhode" view s.out
cmp first.html s.out/s.html || fail "the same archive has given another page in place of the first"
cp s.out/s.html named.html
expect 3 "$polhode" view s.out -o named.html
says err "named.html: exists already" "--force"
echo notes > s.out/s.html
expect 3 "$polhode" view s.out
says err "s.out/s.html: exists already" "--force"
cp first.html s.out/s.html
expect 0 "$polhode" view $archive -o again.html --quiet
is_empty out err
cmp first.html again.html || fail "the same archive has given another page"
expect 0 "$polhode" view $archive $archive --rows 100 -o two.html
says err "are the same archive"
in_page two.html $archive $archive
expect 0 "$polhode" view $archive --size 2 -o small.html --columns velocity
in_page small.html $archive
test "$(wc -c < small.html)" -le 2000000 || fail "--size 2 gives more than 2 MB"

# whether forces change the energy is known in the page
is_conservative() {
    test -z "$python" || test "$($python -c 'import sqlite3; print(*sqlite3.connect("copy").execute("SELECT value FROM meta WHERE key = \"conservative\"").fetchone())')" = "$1" ||
        fail "the page of a system says that conservative is not $1"
}
is_conservative true
expect 0 "$polhode" run --quiet --set duration=1 "$top_srcdir/examples/driven-chain.yaml" -o driven.out
expect 0 "$polhode" view driven.out --quiet -o driven.html
in_page driven.html driven.out/driven-chain.polhode
is_conservative false

# the size is kept where there are more rows and a larger scene than fit; --rows goes before it, with a word
cat > big.yaml << 'END'
polhode: 1
model: chain-pendulum
parameters: {links: 300, lengths: 0.01, masses: 0.01}
method: rk4
step: 1e-5
steps: 600
output: {every: 1, columns: [energy_error, configuration]}
END
expect 0 "$polhode" run --quiet big.yaml
expect 0 "$polhode" view big.out --size 2 -o big.html
is_empty err
test "$(wc -c < big.html)" -le 2000000 || fail "--size 2 gives $(wc -c < big.html) bytes"
expect 0 "$polhode" view big.out --size 6 -o bigger.html
test "$(wc -c < bigger.html)" -gt "$(($(wc -c < big.html) + 1000000))" || fail "--size 6 gives no more than --size 2"
test "$(wc -c < bigger.html)" -le 6000000 || fail "--size 6 gives $(wc -c < bigger.html) bytes"
in_page bigger.html big.out/big.polhode
expect 0 "$polhode" view big.out big.out --size 3 -o twice.html
test "$(wc -c < twice.html)" -le 3000000 || fail "--size 3 of two archives gives $(wc -c < twice.html) bytes"
expect 0 "$polhode" view big.out --size 2 --rows 601 -o all.html
says err "--rows goes before it"

# two runs whose rows are at other times, thinned: the copies have common times
cat > fine.yaml << 'END'
polhode: 1
model: double-spherical-pendulum
method: rk4
step: 0.001
steps: 30000
output: {every: 1, columns: [energy_error, configuration]}
END
sed 's/^step:.*/step: 0.0025/; s/^steps:.*/steps: 12000/' fine.yaml > coarse.yaml
expect 0 "$polhode" run --quiet fine.yaml
expect 0 "$polhode" run --quiet coarse.yaml
expect 0 "$polhode" view coarse.out fine.out --rows 1500 -o common.html
if test -n "$python"; then
    in_page common.html coarse.out/coarse.polhode fine.out/fine.polhode
    cat > common.py << 'END'
import base64, re, sqlite3, struct
times = []
for text in re.findall(r'<script type="application/vnd.polhode"[^>]*>\s*([A-Za-z0-9+/=\s]*)</script>', open("common.html", encoding="utf-8").read()):
    open("copy", "wb").write(base64.b64decode(text))
    db = sqlite3.connect("copy")
    width = 8 * db.execute("SELECT count(*) FROM columns").fetchone()[0]
    times.append([struct.unpack_from("<d", b, i)[0] for b, in db.execute("SELECT rows FROM blocks ORDER BY first") for i in range(0, len(b), width)])
    assert dict(db.execute("SELECT key, value FROM meta"))["thinned"].endswith("001 rows")
common = sum(any(abs(t - u) < 1e-9 for u in times[1]) for t in times[0])
assert len(times[0]) > 1000 and len(times[1]) <= 1500 and common > 0.4 * len(times[0]), (len(times[0]), len(times[1]), common)
# those of the first at multiples of 0.001 s are the ones that the second can have
wanted = [t for t in times[0] if abs(t / 0.001 - round(t / 0.001)) < 1e-6]
assert common > 0.9 * len(wanted), (common, len(wanted))
END
    $python common.py || fail "the copies of two runs have few common times"
fi

# events of two names that alternate: of each a share; and the numbers of rows in a copy of a copy
cat > events.yaml << 'END'
polhode: 1
model: planar-pendulum
method: rk4
step: 0.01
steps: 20000
output: {every: 10}
events:
  - {name: rising, when: q1x, direction: up}
  - {name: falling, when: q1x, direction: down}
END
expect 0 "$polhode" run --quiet events.yaml
expect 0 "$polhode" info events.out --json
if test -n "$python"; then
    cat > names.py << 'END'
import collections, ctypes, json, sqlite3
n = collections.Counter(name for name, in sqlite3.connect("events.out/events.polhode").execute("SELECT name FROM events"))
assert n["rising"] > 20 and abs(n["rising"] - n["falling"]) < 2, n
END
    $python names.py || fail "the run has no two alternating events"
    $python - << 'END' || fail "an archive saved from a page"
import base64, re
text = re.findall(r'<script type="application/vnd.polhode"[^>]*>\s*([A-Za-z0-9+/=\s]*)</script>', open("common.html", encoding="utf-8").read())[1]
open("saved.polhode", "wb").write(base64.b64decode(text))
END
    expect 0 "$polhode" info --check saved.polhode
    says out " of 30001 rows of the archive" "a copy has no state" "all rows and all events are whole"
    expect 2 "$polhode" resume saved.polhode
    says err "is a copy, for a page"
    # relative errors are those of the archive: both have row 0 and the last one, where the error of this run is largest or not, so the same rows
    expect 0 "$polhode" plot fine.out saved.polhode --figure energy --format csv -o csv
    tail -n 1 csv/energy-1.csv > whole.csv
    tail -n 1 csv/energy-2.csv > thin.csv
    head -n 1 csv/energy-1.csv | grep -q energy_error_relative || fail "the archive has no relative errors"
    head -n 1 csv/energy-2.csv | grep -q energy_error_relative || fail "a copy has no relative errors"
    awk -F, 'NR == FNR { whole = $3; next } !($3 <= whole && $3 > 0.5 * whole) { print "largest error " $3 " of " whole; exit 1 }' whole.csv thin.csv ||
        fail "relative errors of a copy are not those of its archive"
    expect 0 "$polhode" view saved.polhode --rows 200 -o again2.html
    $python - << 'END' || fail "rows of a copy of a copy are not numbered as in the first archive"
import base64, re, sqlite3, struct
text, = re.findall(r'<script type="application/vnd.polhode"[^>]*>\s*([A-Za-z0-9+/=\s]*)</script>', open("again2.html", encoding="utf-8").read())
open("copy", "wb").write(base64.b64decode(text))
db = sqlite3.connect("copy")
width = 8 * db.execute("SELECT count(*) FROM columns").fetchone()[0]
rows = [struct.unpack_from("<3d", b, i) for b, in db.execute("SELECT rows FROM blocks ORDER BY first") for i in range(0, len(b), width)]
assert len(rows) <= 200 and rows[-1][2] == 30000, (len(rows), rows[-1])
assert all(abs(t - 0.001 * row) < 1e-9 for t, step, row in rows)
assert dict(db.execute("SELECT key, value FROM meta"))["thinned"] == f"{len(rows)} of 30001 rows"
END
fi

# texts of an archive are texts
if test -n "$python"; then
    cp $archive hostile.polhode
    $python "$top_srcdir/tests/kit/unseal.py" hostile.polhode
    $python -c 'import sqlite3
db = sqlite3.connect("hostile.polhode")
db.execute("UPDATE meta SET value = ? WHERE key = ?", ("\"></script><script>alert(1)</script>", "method"))
db.commit()'
    expect 0 "$polhode" view hostile.polhode -o hostile.html
    in_page hostile.html hostile.polhode
    grep -q -F '<script>alert(1)' hostile.html && fail "a text of the archive is markup in the page"
    cp $archive damaged.polhode
    $python -c 'import sqlite3
db = sqlite3.connect("damaged.polhode")
db.execute("UPDATE blocks SET crc32 = crc32 + 1")
db.commit()'
    expect 2 "$polhode" view damaged.polhode -o damaged.html
    says err "no row that can be read"
fi

# a run that is being written, and the same one killed, with its rows still in the -wal
sed 's/^duration:.*/duration: 200000/; s/^output:.*/output: {every: 100}/' s.yaml > long.yaml
"$polhode" run --quiet --snapshot-interval 0.1 long.yaml > run.out 2>&1 &
running=$!
has_rows() {
    "$polhode" tail -n 60 --columns t long.out/long.polhode > rows 2> rows.err && test "$(wc -l < rows)" -ge 60
}
await has_rows
expect 0 "$polhode" view long.out -o live.html
kill -KILL "$running"
wait "$running" 2> /dev/null || true
running=
test -s long.out/long.polhode-wal || fail "the run has ended before it was killed"
expect 0 "$polhode" view long.out -o killed.html --rows 500
in_page killed.html long.out/long.polhode

# ---- Members of a sweep

cat > map.yaml << 'END'
polhode: 1
model: double-spherical-pendulum
parameters: {masses: [1, 1], lengths: [9.81, 9.81]}
initial: {q: [[0.6, 0, 0.8], [0, 0, 1]], omega: [[0, 0.3, 0], [0, 1, 0]]}
method: variational
step: 0.01
duration: 2
events: [{name: section, when: q2x, crosses: 0.1}]
ensemble: {product: {"initial.omega[1][1]": {from: 0, to: 2, count: 12}, "parameters.masses[1]": [1, 2]}}
END
TMPDIR=$PWD/temporary
export TMPDIR
mkdir temporary
# output is what a sweep keeps of a member: a motion takes rows as a run without it
sed '$a output: {at: [1, 2], columns: [q1, energy_error]}' map.yaml > few.yaml
expect 0 "$polhode" sweep --quiet few.yaml
expect 0 "$polhode" run --quiet --member 7 map.yaml
expect 0 "$polhode" run --quiet --member 20 map.yaml
expect 0 "$polhode" view few.out
says out "member 0: initial.omega[1][1] = 0, parameters.masses[1] = 1; the ensemble has 24 members" "--member I"
expect 0 "$polhode" view few.out --member 7
says out "few.out/few-7.html"
is_empty err
expect 0 "$polhode" view few.yaml --member 7 --quiet
expect 0 "$polhode" view few.out --members 20,7,0-10:5 -o several.html
is_empty err
test -z "$(ls temporary)" || fail "view leaves $(ls temporary)"
if test -n "$python"; then
    cat > members.py << 'END'
import base64, re, sqlite3, sys
def table(path):
    db = sqlite3.connect(path)
    names = [n for n, in db.execute("SELECT name FROM columns ORDER BY i")]
    width = 8 * len(names)
    rows = [b[i:i + width] for b, in db.execute("SELECT rows FROM blocks ORDER BY first") for i in range(0, len(b), width)]
    return names, rows, list(db.execute("SELECT name, t, step FROM events ORDER BY n"))
page = open(sys.argv[1], encoding="utf-8").read()
found = re.findall(r'<script type="application/vnd.polhode"([^>]*)>\s*([A-Za-z0-9+/=\s]*)</script>', page)
members = [int(re.search(r'data-member="(\d+)"', about)[1]) for about, _ in found]
assert members == [int(m) for m in sys.argv[2].split(",")], members
for (about, text), member in zip(found, members):
    open("copy", "wb").write(base64.b64decode(text))
    names, rows, events = table("copy")
    assert f"member {member}: " in about and len(rows) == 201, (about, len(rows))
    if member in (7, 20): # the bits of polhode run --member
        own, alone, met = table(f"map-{member}.out/map-{member}.polhode")
        assert events == met and len(events) > 0 and len(alone) == len(rows)
        common = [n for n in own if n in names]
        assert {"q1x", "q2z", "pi1x", "energy_error"} <= set(common), common
        for r, s in zip(rows, alone):
            for n in common:
                i, k = 8 * names.index(n), 8 * own.index(n)
                assert r[i:i + 8] == s[k:k + 8], (member, n)
END
    $python members.py few.out/few-7.html 7 || fail "member 7 of a sweep is not its run"
    $python members.py few-7.html 7 || fail "member 7 of a scenario is not its run"
    $python members.py several.html 0,5,7,10,20 || fail "members of a sweep are not their runs"
    # a last state that is not, to the last bit, the one of the sweep is told
    cp few.out/few.polhode other.polhode
    $python - << 'END'
import sqlite3, zlib
db = sqlite3.connect("other.polhode")
rows_each = db.execute("SELECT sum(n) FROM blocks").fetchone()[0] // 24
for first, n, rows in list(db.execute("SELECT first, n, rows FROM blocks")):
    b, width = bytearray(rows), len(rows) // n
    for row in range(first, first + n):
        if row == 10 * rows_each - 1: # the last one of member 9, whose last number is the energy error
            b[(row - first + 1) * width - 8] ^= 1
    db.execute("UPDATE blocks SET rows = ?, crc32 = ? WHERE first = ?", (bytes(b), zlib.crc32(bytes(b), first), first))
db.commit()
END
    expect 0 "$polhode" view other.polhode --members 8-10 -o other.html
    says err "member 9: the last state is not, to the last bit, that of the sweep"
fi
# --rows N: rows at equal times, not some of more
expect 0 "$polhode" view few.out --member 7 --rows 41 -o rows.html
test -z "$python" || $python - << 'END' || fail "--rows 41 gives other rows than each fifth step"
import base64, re, sqlite3, struct
text, = re.findall(r'<script type="application/vnd.polhode"[^>]*>\s*([A-Za-z0-9+/=\s]*)</script>', open("rows.html", encoding="utf-8").read())
open("copy", "wb").write(base64.b64decode(text))
db = sqlite3.connect("copy")
width = 8 * db.execute("SELECT count(*) FROM columns").fetchone()[0]
steps = [struct.unpack_from("<d", b, i + 8)[0] for b, in db.execute("SELECT rows FROM blocks ORDER BY first") for i in range(0, len(b), width)]
assert steps == list(range(0, 201, 5)), steps
END
# a shard has the scenario, and shows all members
expect 0 "$polhode" sweep --quiet -o shards --shard 2/3 few.yaml
expect 0 "$polhode" view shards -o shard.html
says out "member 8: "
expect 0 "$polhode" view shards --member 20 -o shard-20.html
test -z "$python" || $python members.py shard-20.html 20 || fail "member 20 by a shard is not its run"
# members that fail are shown until then, those that ran again with the values that they had then, and others cannot begin
sed 's/^step.*/step: 0.25/; s/\[1, 2\]/[1, -1]/; s/to: 2,/to: 40,/' map.yaml > bad.yaml
expect 1 "$polhode" sweep --quiet bad.yaml
expect 0 "$polhode" view bad.out --members 0-23 -o bad.html
says err "members 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, ...: cannot begin" "must be positive" ": shown until the run failed; the first: no solution"
expect 2 "$polhode" view bad.out --member 3 -o no.html
says err "member 3: cannot begin: " "bad.yaml:9:" "must be positive"
expect 1 "$polhode" sweep --quiet --failed --set step=0.01 bad.yaml
expect 0 "$polhode" view bad.out --member 4 -o ran-again.html
is_empty err
expect 2 "$polhode" view few.out --member 24 -o no.html
says err "there is no member 24; the ensemble has 24, from 0 to 23"
expect 2 "$polhode" view few.out --members 0,30 -o no.html
says err "there is no member 30"
expect 2 "$polhode" view few.out --members 3-1 -o no.html
says err "--members 3-1: numbers and ranges are expected"
sed 's/count: 12/count: 40/' map.yaml > wide.yaml
expect 2 "$polhode" view wide.yaml --members 0-79 -o no.html
says err "at most 50" "0-79:10"
expect 2 "$polhode" view few.out --member 1 --members 2 -o no.html
expect 2 "$polhode" view few.out s.out -o no.html
says err "few.polhode: is the archive of a sweep"
expect 2 "$polhode" view s.out --member 0 -o no.html
says err "is the archive of one run"
expect 2 "$polhode" view map.yaml -o no.html
says err "map.yaml" "--member I"
test -z "$(ls temporary)" || fail "view leaves $(ls temporary)"
unset TMPDIR

# what is refused leaves nothing
cp $archive v.polhode
expect 2 "$polhode" view v.polhode -o v.polhode --force
says err "is the archive itself"
cmp $archive v.polhode || fail "the archive was replaced by its page"
expect 2 "$polhode" report v.polhode -o v.polhode --force --quiet
says err "is the archive itself"
cmp $archive v.polhode || fail "the archive was replaced by its report"
expect 2 "$polhode" view $archive $archive $archive -o no.html
says err "3 archives"
echo text > foreign.polhode
head -c 5000 $archive > cut.polhode
mkdir empty
expect 2 "$polhode" view foreign.polhode -o no.html
expect 2 "$polhode" view cut.polhode -o no.html
expect 2 "$polhode" view missing.polhode -o no.html
expect 2 "$polhode" view empty -o no.html
says err "without an archive"
expect 2 "$polhode" view -o no.html
says err "an archive is missing"
expect 2 "$polhode" view --empty $archive -o no.html
expect 2 "$polhode" view $archive --columns enrgy -o no.html
says err "enrgy"
expect 2 "$polhode" view $archive --rows 1 -o no.html
expect 3 "$polhode" view $archive -o nowhere/no.html
code=0
(ulimit -f 100; trap '' XFSZ; exec "$polhode" view $archive -o no.html) > out 2> err || code=$?
test $code -eq 3 || fail "a full disk gives $code"
test ! -e no.html && test ! -e no.html.part || fail "something is left of a page that was refused"
