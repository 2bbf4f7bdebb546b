# SPDX-License-Identifier: BSD-3-Clause
"""How the measurements of doc/evidence run the program: scenarios, runs, benches, advice."""
import json
import math
import os
import pathlib
import re
import subprocess
from typing import Callable, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = {}


class Table(NamedTuple):
    measure: Callable
    takes: str
    text: str


def table(name, takes):
    """Names a measurement: a function of a Program, whose result is (head, rows) of strings, and where it is no fresh one
    a dictionary with date, commit and machine."""
    def keep(measure):
        TABLES[name] = Table(measure, takes, " ".join(measure.__doc__.split()).split(". ")[0].rstrip("."))
        return measure
    return keep


def git(*words):
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True).stdout.strip()


def commit_of(path):
    """That of the last change of a file."""
    return git("log", "-1", "--format=%h", "--abbrev=10", "--", path) or "unknown"


def number(x, digits=1):
    """As pages have it: 2.3e-8, or nothing where there is no number."""
    if x is None or not math.isfinite(x):
        return ""
    if x == 0:
        return "0"
    mantissa, exponent = f"{x:.{digits}e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def named(method):
    """A method with its options, as tables have it; of a composition its own name."""
    words = method.strip("{}").replace("name: ", "")
    return f"`{words.split('composition: ')[-1]}`"


def truth(problem):
    """The many digits of a problem of the bench: the configuration at its short time."""
    text = (ROOT / "bench/common/problems.def").read_text()
    row = text[text.index(f'.name = "{problem}"'):]
    return [float(x) for x in re.search(r"\.digits = \(const double\[\]\)\{(.*?)\}", row, re.S)[1].split(",")]


class Program:
    def __init__(self, path, scratch):
        self.path, self.scratch = path, scratch

    def call(self, *words):
        return subprocess.run([self.path, *map(str, words)], capture_output=True, text=True, cwd=self.scratch)

    def json(self, *words):
        """What a command prints with --json, also where it ends with another status than 0."""
        done = self.call(*words, "--json")
        if not done.stdout.startswith("{"):
            raise SystemExit(f"polhode {' '.join(map(str, words))}: {done.stderr}")
        return json.loads(done.stdout)

    def catalogue(self, model):
        """A path of a new scenario of a model, as `polhode new` writes it."""
        path = self.scratch / f"{model}.yaml"
        path.write_text(self.call("new", model).stdout)
        return path

    def scenario(self, scenario):
        """A path for a scenario: a path, a name in examples/, or a dictionary (JSON is YAML)."""
        if isinstance(scenario, pathlib.Path):
            return scenario
        if isinstance(scenario, str):
            return ROOT / "examples" / f"{scenario}.yaml"
        path = self.scratch / "scenario.yaml"
        path.write_text(json.dumps(scenario))
        return path

    def run(self, scenario, method, step, duration=None, steps=None, every=0):
        """The summary of a run; None where the method does not take the system. The length is a
        duration in s or a number of steps; `every`: steps between measurements."""
        sets = [f"method={method}", f"step={step!r}", f"duration={steps * step if steps else duration!r}", *([f"output.every={every}"] if every else [])]
        words = [w for s in sets for w in ("--set", s)]
        words += ["--quiet", "--force", "-o", "out", "--columns", "energy_error"]
        done = self.call("run", self.scenario(scenario), "--json", *words)
        if done.returncode == 2 and not re.search(r": method(\.name)?: ", done.stderr):  # not: what a method does not take
            raise SystemExit(f"polhode run {' '.join(map(str, words))}: {done.stderr}")
        return json.loads(done.stdout) if done.returncode != 2 else None

    def instructions(self, scenario, method, step, more=()):
        """Instructions of a step, counted by valgrind as the difference of two runs: (number, with wide kernels?); None
        where the method does not take the system. Valgrind 3.19 does not know all instructions of the wide kernels."""
        if not self.run(scenario, method, step, steps=10):
            return None
        path = self.scenario(scenario)
        for kernels in ("wide", "plain"):
            counts = []
            for steps in (400, 1200):
                sets = [f"method={method}", f"step={step!r}", f"duration={steps * step!r}", "output.every=1000000", *more]
                words = [str(w) for s in sets for w in ("--set", s)]
                done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", self.binary(), "run", path, "--quiet",
                                       "--force", "-o", "counted", *words], capture_output=True, text=True, cwd=self.scratch,
                                      env={**os.environ, **self.library(), "POLHODE_KERNELS": kernels})
                counts.append(int(re.search(r"Collected : (\d+)", done.stderr)[1]) if done.returncode == 0 else None)
            if None not in counts:
                return (counts[1] - counts[0]) / 800, kernels == "wide"
        raise SystemExit(f"valgrind: {done.stderr}")

    def binary(self):
        """The program itself, where libtool's wrapper stands for it."""
        own = self.path.parent / ".libs" / self.path.name
        return own if own.exists() else self.path

    def library(self):
        return {"LD_LIBRARY_PATH": f"{self.path.parent / '.libs'}:{os.environ.get('LD_LIBRARY_PATH', '')}"}

    def timed(self, rounds, *runs):
        """The least time of a step in ns of each of the runs, a list of arguments, made in turn."""
        return [min(x) for x in zip(*[[self.run(*r)["ns_per_step"] for r in runs] for _ in range(rounds)])]

    def period(self, scenario):
        """The fastest period of a scenario, as `polhode check` finds it: 20 of the steps that it calls resolved. What it
        measures beside that is kept to two steps."""
        return 20 * self.json("check", self.scenario(scenario), "--set", "step=0.001", "--set", "duration=0.002")["step_resolved"]
