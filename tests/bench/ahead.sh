#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode bench ahead: its tables and files agree, fewer contenders change nothing for the others, refusals, an interruption.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program

expect 0 "$polhode" bench ahead --list
test "$(wc -l < out)" -eq 10 || fail "there are not ten systems: $(cat out)"
says out "double-pendulum" "binary-4" "spins"

# one of ours and one of general use, on two systems
expect 0 "$polhode" bench ahead free-body spins -m moser-veselov -m spin-splitting:order=8 -m rk8 -m rk4 -b 0.01 --limit 0.02 -o two
says out "free-body: a free rigid body" "moser-veselov" "time ratio" "Truth: Taylor series" "Written: two/report.html"
says two/report.html "free-body" "error at the end" "The fastest for each accuracy"
for file in ahead ahead-matrix ahead-points; do
    awk -F, 'NR == 1 { n = NF } NF != n { exit 1 } END { if (NR < 2) exit 1 }' two/$file.csv || fail "$file.csv is broken"
done

# JSON and CSV have the same numbers; the fastest and its price follow from the points
cat > same.py << 'END'
import csv, json, math
s = json.load(open("two/ahead.json"))
assert s["polhode_bench_ahead"] == 1 and [x["system"] for x in s["systems"]] == ["free-body", "spins"]
rows = list(csv.DictReader(open("two/ahead.csv")))
points = list(csv.DictReader(open("two/ahead-points.csv")))
matrix = list(csv.reader(open("two/ahead-matrix.csv")))
same = lambda text, value: text == "" if value is None else (text == value if isinstance(value, str) else abs(float(text) - value) <= 1e-8 * abs(value))
levels = [(x["system"], level) for x in s["systems"] for level in x["levels"]]
assert len(levels) == len(rows) == 24
for (system, level), row in zip(levels, rows):
    assert row["system"] == system
    for key, value in level.items():
        assert same(row[key if key + "[s]" not in row else key + "[s]"], value), (system, key, value, row)
runs = [(x["system"], m, p) for x in s["systems"] for m in x["methods"] for p in m["points"]]
assert len(runs) == len(points)
for (system, m, p), row in zip(runs, points):
    assert (row["system"], row["method"], row["side"], row["setting_is"]) == (system, m["method"], m["side"], m["setting_is"])
    assert all(same(row[c], p[k]) for c, k in (("setting", "setting"), ("error", "error"), ("cpu_time[s]", "cpu_seconds"), ("turns", "turns"))), row
for x, line in zip(s["systems"], matrix[1:]):
    assert line[0] == x["system"] and len(line) == 13
    for text, level, ratio in zip(line[1:], x["levels"], x["ratios"]):
        assert same(text, level["ratio"]) and level["ratio"] == ratio
# the lower hull in other words: a price times the speed of any chord; no point that is as good is cheaper, no chord that passes below
def price(m, e):
    p = [(math.log(max(q["error"], 1e-17)), math.log(q["cpu_seconds"])) for q in m["points"] if q["status"] == "PH_OK"]
    at = math.log(e)
    good = [t for x, t in p if x <= at] + [ta + (at - xa) * (tb - ta) / (xb - xa) for xa, ta in p for xb, tb in p if xa > at >= xb]
    return math.exp(min(good)) if good else math.inf
for x in s["systems"]:
    for level in x["levels"]:
        for side, key in (("structure-preserving", "ours"), ("general", "general")):
            least = min((price(m, level["accuracy"]), m["method"]) for m in x["methods"] if m["side"] == side)
            assert (level[key] is None) == (least[0] == math.inf), (x["system"], level)
            assert level[key] is None or abs(level[key + "_seconds"] / least[0] - 1) < 1e-9, (x["system"], level, least)
        both = level["ours"] and level["general"]
        assert (level["ratio"] is not None) == bool(both)
        assert not both or level["standing"] == ("ahead" if level["ours_seconds"] <= level["general_seconds"] else "behind")
# exact motions of a free body at order 10 and splittings: rounding is reached
assert min(p["error"] for m in s["systems"][0]["methods"] if m["method"] == "moser-veselov" for p in m["points"] if p["error"] is not None) < 1e-13
END
if test -n "$python"; then
    $python same.py || fail "the files in two are not right"
else
    not_tried "whether JSON and CSV agree: there is no python3"
fi

# a tolerance that is given is a contender with many of them
if "$polhode" methods | grep -q "^arkode "; then
    expect 0 "$polhode" bench ahead free-body --quiet -m arkode -m moser-veselov -b 0.01 --limit 0.02 -o tolerances
    test "$(grep -c '^free-body,arkode,general,rtol,' tolerances/ahead-points.csv)" -ge 8 || fail "there are not several tolerances"
fi

# refused before anything is written
expect 2 "$polhode" bench ahead -o no free-bodies
says err "free-body"
expect 2 "$polhode" bench ahead -o no free-body -m rk5
says err "rk5"
expect 2 "$polhode" bench ahead -o no free-body -m kepler-rotor --quiet
test ! -e no || fail "a refused comparison left a directory"

# what was measured before an interruption is written
"$polhode" bench ahead free-body chain-20 --quiet -m gauss -m rk8 -b 60 -o stopped > shown 2>&1 &
running=$!
await test -d stopped
sleep 1
kill -INT $running
code=0
wait $running || code=$?
running=
test $code -eq 130 || fail "an interrupted comparison ends with $code: $(cat shown)"
says stopped/report.html "Interrupted"
says stopped/ahead-points.csv "free-body"
