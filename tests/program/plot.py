# SPDX-License-Identifier: BSD-3-Clause
"""The numbers behind figures of polhode plot are those of rows that polhode export wrote: plot.py ROWS.csv DIR.
Least and largest values of a column in buckets of rows, and largest errors so far, are computed here again."""
import csv
import sys


def read(path):
    with open(path, newline="") as file:
        table = list(csv.reader(file))
    names = [name.split("[")[0] for name in table[0]]
    return [dict(zip(names, (float(x) if x else float("nan") for x in row))) for row in table[1:]]


def check_columns(rows, found):
    each = -(-len(rows) // 1000)
    buckets = [rows[i:i + each] for i in range(0, len(rows), each)]
    assert len(buckets) == len(found), (len(buckets), len(found))
    assert each > 1, "too few rows to test buckets"
    for bucket, row in zip(buckets, found):
        assert row["t"] == bucket[0]["t"]
        for name in "energy", "q1x":
            assert row[name + "_least"] == min(r[name] for r in bucket), (name, row)
            assert row[name + "_largest"] == max(r[name] for r in bucket), (name, row)


def check_errors(rows, found):
    """The largest error up to the end of each bin; the last one is that of all rows."""
    assert 10 < len(found) < 400
    for row in found:
        largest = max(abs(r["constraint_error"]) for r in rows if 0 < r["t"] <= row["t"] * (1 + 1e-9))
        assert row["constraint_error_so_far"] == largest, (row, largest)
    assert found[-1]["t"] == rows[-1]["t"]


rows = read(sys.argv[1])
check_columns(rows, read(sys.argv[2] + "/columns.csv"))
check_errors(rows, read(sys.argv[2] + "/constraint.csv"))
