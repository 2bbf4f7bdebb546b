#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode report: a whole page whose numbers are those of polhode export; verdicts on archives with errors that grow as was put in; what
# is damaged, killed, hostile or refused.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
python=$(python_with sqlite3)

sed 's/^duration:.*/duration: 40/' "$top_srcdir/examples/double-spherical-pendulum.yaml" > double.yaml
expect 0 "$polhode" run --quiet double.yaml
expect 0 "$polhode" run --quiet --set method=rk4 -o classic double.yaml
archive=double.out/double.polhode
expect 0 "$polhode" export $archive -o rows.csv --quiet

expect 0 "$polhode" report $archive
says out "Written: double.out/double.report.html"
says double.out/double.report.html "variational, order 2, h = 0.01 s" "is symplectic" "conserved to rounding" " iteration a step" "<svg"
expect 0 "$polhode" report double.out classic -o both.html --quiet
is_empty out
says both.html "Compared with rk4, order 4, h = 0.01 s: energy error" " times larger (" " against " "; the other: " "), CPU time "
cmp -s both.html double.out/double.report.html && fail "one run and two give the same page"
expect 0 "$polhode" report double.out classic -o again.html --quiet
cmp both.html again.html || fail "the same archives give another page"
# the names of two runs stand on their curves over time, and in a key below their paths, which are nearly the same; those of five in a key
# next to each figure
grep -q 'class="name".*rk4, order 4' both.html || fail "the curves of two runs have no names"
test "$(sed -n '/<h3[^>]*>Energy/,/<h3[^>]*>Trajectory/p' both.html | grep -c 'class="key"')" -eq 0 || fail "the names of two errors are in a key"
test "$(sed -n '/<h3[^>]*>Trajectory/,/<h3[^>]*>Newton/p' both.html | grep -c 'class="key"')" -eq 2 || fail "the names of two paths are not in a key"
for method in rk8 rkmk4 cf4; do
    expect 0 "$polhode" run --quiet --set method=$method --set duration=5 -o "$method" double.yaml
done
expect 0 "$polhode" report double.out classic rk8 rkmk4 cf4 -o five.html --quiet
grep 'class="name"' five.html | grep -v '>√t<' | grep -q . && fail "the names of five runs stand on their curves"
test "$(grep -c '<ul class="key">' five.html)" -ge 5 || fail "the figures of five runs have no key"
test "$(grep -c '<ul class="key">' five.html)" -eq "$(grep -c 'class="swatch".*cf4, order 4.*</li>' five.html)" || fail "a run is not in the key"
says five.html '"keyed":true' "<th scope=\"row\">CPU time</th>" "they are not all of the same length"
if test -n "$python"; then
    # the place of the first among them, by the rows of each
    place=0
    for run in double.out classic rk8 rkmk4 cf4; do
        expect 0 "$polhode" export "$run" -o place.csv --columns t,energy_error --quiet --force
        largest=$($python -c 'import csv; print(max(abs(float(row["energy_error[J]"])) for row in csv.DictReader(open("place.csv"))))')
        test -n "${first:=$largest}"
        place=$($python -c "print($place + ($largest < $first))")
    done
    set -- smallest "second smallest" "third smallest" "4th smallest" largest
    shift "$place"
    says five.html "of 5 runs its largest energy error is the $1"
fi
if test -n "$python"; then
    for page in double.out/double.report.html both.html; do
        $python "$top_srcdir/tests/program/report.py" $page rows.csv || fail "$page is not right"
    done
    # two runs whose rows are not at the same times: each has its own table, up to its own end
    sed 's/every: 10/every: 170/' double.yaml > seldom.yaml
    expect 0 "$polhode" run --quiet --set method=rk4 --set duration=30 -o seldom.out seldom.yaml
    expect 0 "$polhode" export seldom.out -o seldom.csv --quiet
    expect 0 "$polhode" report double.out seldom.out -o times.html --quiet
    scale() { "$polhode" info --json "$1" | $python -c 'import json, sys; print(json.load(sys.stdin)["errors"]["energy_scale"])'; }
    $python "$top_srcdir/tests/program/report-tables.py" times.html rows.csv "$(scale double.out)" seldom.csv "$(scale seldom.out)" ||
        fail "the tables behind the energies of two runs are not right"
else
    not_tried "what is in the page: there is no python3"
fi

# rows between steps have no part in errors: each second row of a run is one of another that has rows at steps only
sed 's/every: 10/interval: 0.025/' double.yaml > between.yaml
expect 0 "$polhode" run --quiet -o between.out between.yaml
expect 0 "$polhode" run --quiet --set output.interval=0.05 -o at-steps.out between.yaml
expect 0 "$polhode" run --quiet --set output.interval=0.0251 --set duration=1 -o few.out between.yaml
expect 0 "$polhode" report between.out --quiet -o between.html
expect 0 "$polhode" report at-steps.out --quiet -o at-steps.html
says between.html "<p>800 of 1601 rows are interpolated between steps: errors are those of the others. Over 40 s"
test "$(grep -o 'Over 40 s, .*' between.html)" = "$(grep -o 'Over 40 s, .*' at-steps.html)" || fail "rows between steps change what is said of errors"
grep -q "are interpolated" at-steps.html && fail "rows at steps are said to be interpolated"
expect 0 "$polhode" tail between.out
says err "5 of 10 rows are interpolated between steps"
expect 0 "$polhode" tail at-steps.out
is_empty err
expect 0 "$polhode" export between.out -o between.csv --json
says err "800 of 1601 rows are interpolated between steps"
json out 's["rows_between_steps"] == 800'
# a part of the run that has none at a step
expect 2 "$polhode" plot few.out --figure energy --span 0.01:0.2 --format csv -o few.plots
says err "energy error not known" "No row behind the first is at a step"

# what is there is not overwritten unasked
cp both.html kept.html
expect 3 "$polhode" report $archive -o both.html
says err "both.html: exists already" "--force"
cmp both.html kept.html || fail "a page was overwritten"
expect 0 "$polhode" report $archive -o both.html --force --quiet
test ! -e both.html.part || fail "a temporary file is left"

# a rigid body has its polhode
expect 0 "$polhode" run --quiet "$top_srcdir/examples/free-rigid-body.yaml"
expect 0 "$polhode" report free-rigid-body.out --quiet -o body.html
says body.html '"kind":"polhode"' 'class="polhode"'

# events, and a name that would be markup
odd='<script>alert(1)<'"script>&'.yaml"
sed 's/^duration:.*/duration: 20/' "$top_srcdir/examples/poincare-section.yaml" > "$odd"
expect 0 "$polhode" run --quiet "./$odd" -o events
expect 0 "$polhode" report events --quiet -o events.html
says events.html "Events: " "section" "&lt;script&gt;alert"
grep -q '<script>alert' events.html && fail "a scenario's name is markup"

# errors that grow as was put in: rows of an archive are replaced
if test -n "$python"; then
    for case in "flat|bounded: it does not grow" "walk|grows like t^0.50 ± 0.01, about the square root of time" "linear|grows in proportion to time" \
        "square|grows like t^1.9" "rounding|as well as numbers of 53 bits allow" "zero|the relative energy error is zero at all rows"; do
        cp classic/double.polhode made.polhode
        $python "$top_srcdir/tests/program/grow.py" made.polhode "${case%%|*}"
        expect 0 "$polhode" report made.polhode -o made.html --force --quiet
        says made.html "${case#*|}"
    done
    # rows whose error is no number are counted, and said first; what is left of the others is no verdict on the run
    cat > lose.py << 'END'
import math, sqlite3, struct, sys, zlib
path, column, what, since = sys.argv[1:]
archive = sqlite3.connect(path)
names = [name for name, in archive.execute("SELECT name FROM columns ORDER BY i")]
at, lost, rows, first_t = names.index(column), 0, 0, None
for first, n, packed in list(archive.execute("SELECT first, n, rows FROM blocks ORDER BY first")):
    values = list(struct.unpack(f"<{n * len(names)}d", packed))
    for i in range(n):
        rows += 1
        if values[i * len(names)] >= float(since):
            values[i * len(names) + at] = float(what)
            lost += 1
            first_t = values[i * len(names)] if first_t is None else first_t
    packed = struct.pack(f"<{len(values)}d", *values)
    archive.execute("UPDATE blocks SET rows = ?, crc32 = ? WHERE first = ?", (packed, zlib.crc32(packed, first), first))
archive.commit()
print(f"In {lost} of {rows} rows", f"the first time at t = {first_t:.6g} s")
END
    for what in nan inf -inf; do
        cp double.out/double.polhode lost.polhode
        words=$($python lose.py lost.polhode energy_error $what 30)
        expect 0 "$polhode" report lost.polhode -o lost.html --force --quiet
        says lost.html "<p>${words%% the*} the energy error is no finite number, ${words#* rows }" "where it is a number" "worth nothing"
        grep -Eq "conserved as well as|is symplectic" lost.html && fail "a run whose energy is $what is said to conserve it"
        expect 0 "$polhode" report double.out lost.polhode -o lost.html --force --quiet
        says lost.html "cannot be compared, since that of the other is no finite number in"
    done
    cp double.out/double.polhode lost.polhode
    words=$($python lose.py lost.polhode Jg nan 30)
    expect 0 "$polhode" report lost.polhode -o lost.html --force --quiet
    says lost.html "<p>${words%% the*} the momentum error is no finite number, ${words#* rows }"
    grep -q "keeps the momentum maps" lost.html && fail "momentum maps that are no numbers are said to be kept"
    words=$($python lose.py lost.polhode energy_error nan 0)
    expect 0 "$polhode" report lost.polhode -o lost.html --force --quiet
    says lost.html "${words%% the*} the energy error is no finite number" "the first time at t = 0 s"

    # one of the three numbers of a momentum is no polhode
    for columns in "configuration, Pi1x" "configuration, momentum"; do
        printf 'polhode: 1\nmodel: free-rigid-body\nmethod: variational\nstep: 0.01\nduration: 2\noutput: {every: 1, columns: [%s]}\n' "$columns" > body.yaml
        expect 0 "$polhode" run --quiet -o body body.yaml
        expect 0 "$polhode" report body -o body.html --force --quiet
        grep -q "seen from the body" body.html && drawn=yes || drawn=no
        case $columns,$drawn in
        *Pi1x,no | *momentum,yes) ;;
        *) fail "the columns $columns have a polhode: $drawn" ;;
        esac
        rm -r body
    done

    expect 0 "$polhode" run --quiet --set duration=0.05 -o short double.yaml
    expect 0 "$polhode" report short -o short.html --quiet
    says short.html "too short to show growth"

    # a block that is damaged, and a run that was killed: what is there, with a word
    cp classic/double.polhode broken.polhode
    $python -c 'import sqlite3; a = sqlite3.connect("broken.polhode"); a.execute("UPDATE blocks SET crc32 = crc32 + 1 WHERE first = 0"); a.commit()'
    expect 1 "$polhode" report broken.polhode --quiet
    says err "rows are left out: broken.polhode: the block of rows 0 to"
    says broken.report.html "damaged rows are left out: broken.polhode: the block of rows 0 to" 'class="notice"'
    cp classic/double.polhode killed.polhode
    $python "$top_srcdir/tests/kit/unseal.py" killed.polhode
    $python -c 'import sqlite3; a = sqlite3.connect("killed.polhode"); a.execute("DELETE FROM meta WHERE key IN (\"status\", \"reason\")"); a.commit()'
    expect 0 "$polhode" report killed.polhode --quiet
    says killed.report.html "it was killed"
    # the rows behind a damaged place: the one before them is not there, so that iterations for a step are not known
    cat > split.py << 'END'
import sqlite3, struct, sys, zlib
archive = sqlite3.connect(sys.argv[1])
width = 8 * archive.execute("SELECT count(*) FROM columns").fetchone()[0]
rows = b"".join(packed for packed, in archive.execute("SELECT rows FROM blocks ORDER BY first"))
times = [struct.unpack_from("<d", rows, i)[0] for i in range(0, len(rows), width)]
archive.execute("DELETE FROM blocks")
for first in range(0, len(times), 100):
    packed = rows[first * width:(first + 100) * width]
    n = len(packed) // width
    values = {"first": first, "n": n, "t0": times[first], "t1": times[first + n - 1], "crc32": zlib.crc32(packed, first) + (first == 100), "rows": packed}
    archive.execute(f"INSERT INTO blocks ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})", list(values.values()))
archive.commit()
END
    cp double.out/double.polhode split.polhode
    $python split.py split.polhode
    expect 1 "$polhode" plot split.polhode --figure newton --format csv -o split.plots
    says err "split.polhode: 100 damaged rows are left out: split.polhode: the block of rows 100 to 199"
    expect 1 "$polhode" report classic split.polhode -o split.html --quiet
    says split.html "100 damaged rows are left out"
    expect 1 "$polhode" view split.polhode -o split-view.html --quiet
    says err "damaged rows are left out"
    test -s split-view.html || fail "no page of what is whole"
    $python -c 'import sqlite3; a = sqlite3.connect("split.polhode"); a.execute("UPDATE blocks SET crc32 = crc32 + 1 WHERE first = 300"); a.commit()'
    expect 1 "$polhode" report split.polhode -o split.html --quiet --force
    says split.html "200 damaged rows in 2 places are left out; the first: split.polhode: the block of rows 100 to 199"
    $python - << 'END' || fail "behind damaged rows steps take less than an iteration"
import csv
rows = [[float(cell) for cell in row[:2]] for row in list(csv.reader(open("split.plots/newton.csv")))[1:]]
assert len(rows) > 100 and all(0.99 < passes < 20 for _, passes in rows), min(rows, key=lambda row: row[1])
END

    # a copy that was saved from a page has some of the rows, and says so; iterations since rows that it lacks are not counted
    expect 0 "$polhode" view double.out --rows 60 --columns energy_error,newton_passes -o page.html --quiet
    $python - << 'END'
import base64, re
text = re.search(r'<script type="application/vnd.polhode"[^>]*>\s*([A-Za-z0-9+/=\s]*)</script>', open("page.html", encoding="utf-8").read()).group(1)
open("copy.polhode", "wb").write(base64.b64decode(text))
END
    copied=$($python -c 'import sqlite3; print(sqlite3.connect("copy.polhode").execute("SELECT value FROM meta WHERE key = \"thinned\"").fetchone()[0])')
    case $copied in [1-9]*" of 401 rows") ;; *) fail "the copy has $copied" ;; esac
    expect 0 "$polhode" report copy.polhode --quiet
    says copy.report.html "<p>The archive is a copy with $copied: " "a copy with $copied; all that is said" "newton: copy.polhode: a copy with $copied, of which newton_passes are"
    grep -q "iterations for a step on average" copy.report.html && fail "iterations are counted in a copy that lacks rows"
    expect 2 "$polhode" plot copy.polhode --figure newton --format csv -o copy.plots
    says err "a copy with $copied, of which newton_passes are those since a row that it does not have"
    expect 0 "$polhode" plot copy.polhode double.out --figure newton --format csv -o both.plots
    says out "left out: a copy with $copied"
    test ! -e both.plots/newton-1.csv || fail "the copy has numbers of iterations"
    expect 0 "$polhode" plot copy.polhode --figure energy --format csv -o copy.plots
    says err "a copy with $copied; figures, largest errors"
    $python "$top_srcdir/tests/kit/unseal.py" copy.polhode
    $python -c 'import sqlite3; a = sqlite3.connect("copy.polhode"); a.execute("UPDATE meta SET value = \"<b>many</b>\" WHERE key = \"thinned\""); a.commit()'
    expect 0 "$polhode" report copy.polhode --quiet --force
    says copy.report.html "a copy with some of the rows"
    grep -q "<b>many" copy.report.html && fail "words of an archive are markup"

    # without the table state the scales of errors are not known: they are absolute, here and in what is compared with it
    cp double.out/double.polhode stateless.polhode
    $python "$top_srcdir/tests/kit/unseal.py" stateless.polhode
    $python -c 'import sqlite3; a = sqlite3.connect("stateless.polhode"); a.execute("DELETE FROM state"); a.commit()'
    largest=$($python -c 'import csv; print("%.1e" % max(abs(float(row["energy_error[J]"])) for row in csv.DictReader(open("rows.csv"))))')
    expect 0 "$polhode" report stateless.polhode --quiet
    says stateless.report.html "the energy error is at most $largest J (" "energy error [J]" "the scales of its errors are not known"
    grep -q "see the solution of its steps" stateless.report.html && fail "rounding is judged without a scale"
    says stateless.report.html "Over 40 s, 4000 steps of 0.01 s, the energy"
    grep -Eq "(energy|momentum) error, relative" stateless.report.html && fail "absolute errors are called relative"
    expect 0 "$polhode" report double.out stateless.polhode -o pair.html --quiet
    says pair.html "the energy error is at most $largest J (" "energy error the same ($largest J against $largest J; "
    grep -q "energy error, relative" pair.html && fail "relative and absolute errors are on one axis"
    expect 0 "$polhode" plot stateless.polhode --figure energy --format csv -o stateless.plots
    says out "energy error at most $largest J, "
    says stateless.plots/energy.csv "energy_error[J],energy_error_so_far[J]"
    test "$(tail -n 1 stateless.plots/energy.csv | $python -c 'print("%.1e" % float(input().split(",")[2]))')" = "$largest" ||
        fail "the numbers behind absolute errors are others than those of the rows"
    expect 0 "$polhode" plot double.out --figure energy --format csv -o whole.plots --quiet
    says whole.plots/energy.csv "energy_error_relative,energy_error_relative_so_far"
    # no rows, no scenario: another program's
    cp classic/double.polhode bare.polhode
    $python "$top_srcdir/tests/kit/unseal.py" bare.polhode
    $python -c 'import sqlite3; a = sqlite3.connect("bare.polhode"); a.execute("DELETE FROM meta"); a.execute("DELETE FROM blocks"); a.execute("DELETE FROM state"); a.commit()'
    expect 0 "$polhode" report bare.polhode --quiet
    says bare.report.html "There are no rows yet"
else
    not_tried "verdicts on made-up archives: there is no python3 with sqlite3"
fi

# a run that diverges at once: why it ended comes first, and one row says nothing of errors
sed 's/^method:.*/method: rk4/; s/^step:.*/step: 0.05/' "$top_srcdir/examples/elastic-chain.yaml" > burst.yaml
expect 1 "$polhode" run --quiet burst.yaml
expect 0 "$polhode" report burst.out -o burst.html --quiet
says burst.html "<p>The run ended early (diverged): the energy is no longer finite at t = " "There is one row, at t = 0 s: too short to say"
grep -Eq "conserved|53 bits|is zero" burst.html && fail "a run of one row is said to conserve something"
expect 0 "$polhode" report double.out burst.out -o burst.html --force --quiet
says burst.html "which ended early (diverged)"

# runs with the same label are named by what differs in their paths, however long these are, and in whatever letters
labels() { sed -n 's/^<p class="subline">//p' "$1" | sed 's/<.*//' | tr ';' '\n' | sed 's/^ //'; }
study=a-study-of-pendulums-with-a-long-name-and-many-runs/of-which-each-has-a-folder-that-says-what-it-was-and-when
accents=$(printf '\303\251%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33)
for place in "first/$study" "second/$study" "$study/the-first" "$study/the-second" "$accents-a" "$accents-b"; do
    mkdir -p "$place"
    cp double.out/double.polhode "$place/double.polhode"
done
expect 0 "$polhode" report "first/$study" "second/$study" "$study/the-first" "$study/the-second" "$accents-a" "$accents-b" "$accents-b" \
    -o labels.html --quiet
test "$(labels labels.html | sort -u | wc -l)" -eq 7 || fail "runs have the same label: $(labels labels.html)"
labels labels.html | awk 'length($0) > 140 { exit 1 }' || fail "labels are too long: $(labels labels.html)"
says labels.html "-a/double.polhode)" "double.polhode), archive 6" "double.polhode), archive 7"
printf '\357\277\275' > replaced
grep -qF -f replaced labels.html && fail "a label was cut within a character"
expect 0 "$polhode" report "$study/the-first" "$study/the-second" -o labels.html --force --quiet
says labels.html "the-first/double.polhode)" "the-second/double.polhode)"
# of several models each label begins with its own
expect 0 "$polhode" report double.out free-rigid-body.out -o models.html --quiet
says models.html "double-spherical-pendulum, variational, order 2" "free-rigid-body, variational, order " "the other is of another model"
grep -q "double-spherical-pendulum, variational" both.html && fail "the model of two runs of one model is in their labels"

# what is refused
expect 2 "$polhode" report
says err "an archive is missing"
expect 2 "$polhode" report missing.polhode
expect 2 "$polhode" report double.yaml
expect 2 "$polhode" report $archive $archive $archive $archive $archive $archive $archive $archive $archive
says err "9 archives"
expect 3 "$polhode" report $archive -o missing/page.html
