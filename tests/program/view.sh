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
says err "is there already" "--force"
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
    assert all(meta.get(k) == v for k, v in b.execute("SELECT key, value FROM meta"))
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
expect 3 "$polhode" view s.out
expect 0 "$polhode" view $archive -o again.html --quiet
is_empty out err
cmp first.html again.html || fail "the same archive has given another page"
expect 0 "$polhode" view $archive $archive --rows 100 -o two.html
in_page two.html $archive $archive
expect 0 "$polhode" view $archive --size 2 -o small.html --columns velocity
in_page small.html $archive
test "$(wc -c < small.html)" -le 2000000 || fail "--size 2 gives more than 2 MB"

# texts of an archive are texts
if test -n "$python"; then
    cp $archive hostile.polhode
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

# what is refused leaves nothing
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
