# SPDX-License-Identifier: BSD-3-Clause
"""archive-costs.json: its figures are numbers, and agree with one another."""
import json
import math
import sys

document = json.load(open(sys.argv[1]))
assert document["polhode_bench_archive"] == 1
runs = {run["run"]: run for run in document["runs"]}
assert [(run["every"], run["numbers_in_a_row"]) for run in document["runs"]] == [(100, 20), (10, 6008), (10, 20)], runs


def close(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))


for run in document["runs"]:
    assert all(math.isfinite(value) for value in run.values() if not isinstance(value, str)), run
    assert run["rounds"] >= 3 and run["steps"] % run["every"] == 0
    assert run["rows"] == run["steps"] // run["every"] + 1
    assert run["ns_per_step"] > 0 and run["ns_per_step_with_rows"] > 0
    assert close(run["cost_of_least"], run["ns_per_step_with_rows"] / run["ns_per_step"] - 1)
    assert close(run["ns_per_row"], (run["ns_per_step_with_rows"] - run["ns_per_step"]) * run["every"])
    assert run["cost_lower_quartile"] <= run["cost"] <= run["cost_upper_quartile"]
    assert close(run["bytes_per_number"], run["bytes"] / (run["rows"] * run["numbers_in_a_row"]))
    assert run["bytes_per_number"] > 8
    # the rows themselves, what the tables take in addition, and the scene: some 300 bytes for a link, six numbers of a row
    assert run["bytes"] < 1.03 * 8 * run["rows"] * run["numbers_in_a_row"] + 600e3 + 60 * run["numbers_in_a_row"]
