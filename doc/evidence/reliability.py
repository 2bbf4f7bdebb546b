# SPDX-License-Identifier: BSD-3-Clause
"""What was made to fail, and what came of it: counts of the suites' larger forms, and of fuzzing that was kept."""
import collections
import json
import os
import pathlib
import re
import subprocess

from runs import ROOT, table

# Of each row: a suite, what its log says as often as it does (numbers add up, but for the last where there is a "slowest"), what was
# tried and what came of it.
SUITES = [
    ("archive/check_record_flips", r"bits: (\d+) reported, (\d+) harmless, (\d+) silent; slowest ([\d.]+)",
     "a bit of an archive flipped", "{0} reported, {1} where nothing is kept, {2} silent; slowest {3} s"),
    ("archive/check_record_flips", r"values: (\d+) reported, (\d+) harmless, (\d+) silent; slowest ([\d.]+)",
     "a cell of an archive replaced", "{0} reported, {1} by the same, {2} silent; slowest {3} s"),
    ("archive/check_faults", r"operations, (\d+) attempts", "an operation of the disk failed, once or for good", "all resumed to the same bits"),
    ("archive/check_faults", r"power was cut (\d+) times", "the power was cut", "all resumed to the same bits"),
    ("program/check_survival", r"^ *(\d+) in all", "runs of pairs of model and method killed, and resumed", "all with the same bits"),
    ("system/check_alloc_refused", r"refused (\d+) times", "memory refused in the library", "all said so, nothing lost"),
    ("system/check_domain_refused", r"refused (\d+) times", "the same around steps: gravity, formulas, equilibria", "all said so, nothing lost"),
    ("program/torture", r"^(\d+) runs of \d+ commands; .*; (\d+) went wrong",
     "memory, files, clocks, libraries, threads refused in a command", "{1} went wrong"),
    ("python/torture", r": (\d+) attempts, up to call \d+, (\d+) went wrong", "memory refused in Python", "{1} went wrong"),
    ("fuzz/check_corpora", r": (\d+) inputs, slowest ([\d.]+) s", "inputs of the corpora of fuzzing replayed", "slowest {1} s"),
]


def log_of(build, suite):
    """A suite in its larger form; what it printed. It must pass."""
    program = "" if suite.rsplit("/", 1)[1].startswith("check_") else ".sh"
    env = {**os.environ, "POLHODE_CHECK_THOROUGH": "1"}
    done = subprocess.run(["make", "-C", str(build), "check", f"TESTS=tests/{suite}{program}"], env=env, capture_output=True, text=True)
    text = (build / "tests" / f"{suite}.log").read_text(errors="replace")
    if done.returncode or "PASS" not in text.rstrip().rsplit("\n", 1)[-1]:
        raise SystemExit(f"{suite}: {text[-2000:]}")
    return text


@table("failures", "15 min")
def failures(p):
    """What was made to fail, and what came of it."""
    logs, rows = {}, []
    for suite, pattern, tried, outcome in SUITES:
        logs[suite] = logs.get(suite) or log_of(p.path.parent, suite)
        found = re.findall(pattern, logs[suite], re.M)
        if not found:
            raise SystemExit(f"{suite}: its log has nothing like {pattern}")
        columns = list(zip(*(f if isinstance(f, tuple) else (f,) for f in found)))
        numbers = [max(map(float, c)) if any("." in x for x in c) else sum(map(int, c)) for c in columns]
        times = sum(numbers[:3]) if "silent" in pattern else numbers[0]
        rows.append([tried, times, outcome.format(*numbers), f"`{suite}`"])
    return ["what", "times", "what came of it", "suite"], rows


@table("fuzzing", "1 s, of what FUZZ_KEEP/log.txt has")
def fuzzing(_):
    """Inputs that libFuzzer tried, led by coverage, since the first line of the log in FUZZ_KEEP."""
    inputs, seconds, edges = collections.Counter(), collections.Counter(), {}
    keep = os.environ.get("FUZZ_KEEP")
    if not keep:  # what was found last
        last = json.loads((ROOT / "doc/evidence/measured.json").read_text())["fuzzing"]
        return last["head"], last["rows"], {k: last[k] for k in ("date", "commit", "machine", "seconds")}
    for target, n, reached, s in re.findall(r"(\w+): (\d+) inputs, (\d+) edges, (\d+) s of CPU", (pathlib.Path(keep) / "log.txt").read_text()):
        inputs[target] += int(n)
        seconds[target] += int(s)
        edges[target] = max(int(reached), edges.get(target, 0))
    known = sorted(f.name for f in (ROOT / "tests/fuzz/corpus").iterdir())
    return (["target", "inputs", "CPU time", "edges of code reached"],
            [[f"`{t}`", f"{inputs[t]:,}".replace(",", " "), f"{seconds[t] / 60:.0f} min", edges.get(t, "")] for t in known])
