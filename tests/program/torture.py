#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Every command of the program, and the Python package, while what they ask of the system fails at the n-th call, for n = 1, 2, ... until
# a run is not hurt any more: once, or at all calls from the n-th on (tests/kit/torture.c). After each:
# - it has ended by itself with a status of 0 to 3 and, unless that is 0, with a reason on standard error;
# - where the status is 0, what it printed and wrote is that of a run that nothing disturbed, byte for byte;
# - no file is left that such a run would not leave, and those that it was not to change are as before;
# - archives can be read, and the same work done again, or resumed, ends with the same rows, events and state.
#     python3 tests/program/torture.py BUILD_DIR TORTURE.SO            all
#     ... --runs N --seed S                                            N of them, at random
#     ... --only REGEX --kinds malloc,write                            of some cases; of some kinds of calls
#     ... --case 'run csv' --at malloc:17+                             one, in a folder that stays, and what it said
import argparse
import atexit
import collections
import concurrent.futures
import hashlib
import os
import random
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KINDS = "malloc write short read fsync rename unlink open truncate map dlopen clock jump spawn thread".split()

SCENARIO = """polhode: 1
model: double-spherical-pendulum
method: variational
step: 0.01
steps: 60
output: {every: 3}
events: [{name: low, when: q1x}]
"""
FORMULAS = """polhode: 1
model:
  space: {r: R1, q: S2}
  parameters: {m: 1 kg, k: 40 N/m, l: 1 m, g: 9.81 m/s^2}
  where: {p: r*q}
  kinetic: m/2*dot(d(p), d(p))
  potential: k/2*(r - l)^2 + m*g*p.z
  scene: {points: {bob: p}, lines: [[origin, bob]]}
initial: {q: [1.2, {theta: 2, phi: 0.3}], omega: [0.1, [0.24, -0.1, 0.3]], project: true}
method: rk4
step: 0.01
steps: 20
"""
ENSEMBLE = SCENARIO.replace("steps: 60", "steps: 30") + "ensemble: {product: {step: [0.01, 0.02, 0.03], method.order: [2, 4]}}\n"

class Case:
    """A command, on files that `before` made; `after` does what was not done."""

    def __init__(self, name, command, before="scenarios", after=(), changes=(), kinds=None, every=1, compiles="never", unlike="$"):
        self.name, self.command, self.before, self.after = name, command.split(), before, [a.split() for a in after]
        self.changes = changes  # files of before that may be others afterwards; those of an archive are judged by their contents
        self.kinds = kinds or KINDS
        self.every = every  # of the n, where each run is long
        self.compiles = compiles
        self.unlike = unlike  # files that may be others


# what is made once, undisturbed: on what, and by which commands
BEFORE = {
    "scenarios": (None, []),
    "ended": ("scenarios", ["run -q s.yaml"]),
    "half": ("scenarios", ["run -q --wall-clock 0.06 s.yaml"]),
    "members": ("scenarios", ["sweep -q -j 1 e.yaml"]),
    "shards": ("scenarios", ["sweep -q -j 1 --shard 1/2 e.yaml", "sweep -q -j 1 --shard 2/2 e.yaml"]),
    "gubas": ("scenarios", ["gubas -q gubas -o g.yaml", "run -q --set duration=180 --set output.interval=60 g.yaml"]),
}
TIMELESS = [k for k in KINDS if k not in ("clock", "jump")]  # what measures time does not end where no time passes
RUN = ["resume -q s.out", "run -q s.yaml"]
SWEEP = ["sweep -q -j 1 e.yaml", "sweep -q -j 1 --failed e.yaml"]  # a member for which there was no memory has failed
CASES = [
    Case("help", "help run"),
    Case("version", "--version --json", kinds=["write", "short"]),  # it lists the libraries that /proc shows, as far as it can
    Case("models", "models"),
    Case("model", "models heavy-top --json"),
    Case("methods", "methods variational"),
    Case("methods json", "methods --json"),
    Case("keys", "keys output"),
    Case("new", "new heavy-top -q -o n.yaml"),
    Case("new formula", "new --formula"),
    Case("check", "check s.yaml"),
    Case("check json", "check --json --no-compile f.yaml"),
    Case("run", "run -q s.yaml", after=RUN),
    Case("run csv", "run -q --csv --json s.yaml", after=["resume -q --csv s.out", "run -q --csv s.yaml"]),
    Case("run over", "run -q -f s.yaml", "ended", after=["resume -q s.out"], changes=["s.out/"]),
    Case("run formulas", "run -q --no-compile f.yaml", after=["resume -q f.out", "run -q f.yaml"]),
    Case("run compiled", "run -q f.yaml", compiles="always", after=["resume -q f.out", "run -q f.yaml"], every=20),
    Case("resume", "resume -q s.out", "half", after=["resume -q s.out"], changes=["s.out/"]),
    Case("resume further", "resume -q --until 1 s.out", "ended", after=["resume -q --until 1 s.out"], changes=["s.out/"]),
    Case("sweep", "sweep -q -j 1 e.yaml", after=SWEEP, every=3),
    Case("sweep failed", "sweep -q -j 1 --failed e.yaml", "members", after=SWEEP, changes=["e.out/"]),
    Case("sweep threads", "sweep -q -j 3 e.yaml", after=SWEEP, kinds=["thread"]),
    Case("shard", "sweep -q -j 1 --shard 1/2 e.yaml", after=["sweep -q -j 1 --shard 1/2 e.yaml", "sweep -q -j 1 --failed --shard 1/2 e.yaml"], every=3),
    Case("merge", "merge -q e.out", "shards", after=["merge -q -f e.out"]),
    Case("repair", "repair -q s.out -o new.polhode", "ended"),
    Case("info", "info s.out", "ended", kinds=TIMELESS),
    Case("info check", "info --check s.out", "ended", kinds=TIMELESS),
    Case("info json", "info --json s.out", "half", kinds=TIMELESS),
    Case("info sweep", "info --check e.out", "members", kinds=TIMELESS),
    Case("tail", "tail -n 3 s.out", "ended"),
    Case("tail json", "tail --json s.out", "ended"),
    Case("export csv", "export -q s.out -o x.csv", "ended"),
    Case("export npy", "export -q s.out -o x.npy", "ended"),
    Case("export npz", "export -q s.out -o x.npz", "ended"),
    Case("export h5", "export -q s.out -o x.h5", "ended"),
    Case("export events", "export -q --events s.out -o x.csv", "ended"),
    Case("export computed", "export -q --columns t,omega,tensions s.out -o x.csv", "ended"),
    Case("plot", "plot -q s.out -o x.plots -F energy", "ended", every=5),
    Case("plot csv", "plot -q s.out -o x.plots --format csv", "ended"),
    Case("plot terminal", "plot -q -T --terminal-type dumb -F energy s.out", "ended", every=5),
    Case("report", "report -q s.out -o x.html", "ended", every=3),
    Case("report sweep", "report -q e.out -o x.html", "members", every=3),
    Case("view", "view -q s.out -o x.html", "ended"),
    Case("view empty", "view -q --empty -o x.html"),
    # open: where clocks fail its page is another
    Case("view member", "view -q --member 2 e.out -o x.html", "members", kinds=TIMELESS),
    Case("equilibria", "equilibria -q -n 2 -w x s.yaml"),
    Case("advise", "methods --advise s.yaml -q --budget 0.001", every=50),
    Case("settle", "check -q --settle --accuracy 1e-4 d.yaml", every=50),
    Case("gubas", "gubas -q gubas -o x.yaml"),
    Case("gubas tables", "gubas -q gubas --tables g.out -o x", "gubas"),
    # its results name the machine by what can be read of it, and where the truth of a problem had no memory they say that there is none
    Case("bench", "bench -q -b 0.001 -T 0.1 -m rk4 -o x heavy-top", kinds=[k for k in TIMELESS if k != "read"], every=50,
         unlike=r"x/(report|results|work-precision)[.].*"),
    Case("bench roundoff", "bench roundoff -q --threads 1 --members 2 --steps 100 -o x", kinds=TIMELESS, every=20,
         after=["bench roundoff -q --resume --threads 1 --members 2 --steps 100 -o x", "bench roundoff -q -f --threads 1 --members 2 --steps 100 -o x"],
         unlike="x/.*"),  # seconds that it took; a member for which there was no memory has failed
]

# What stays where it could not be removed, or where a process found no way to go on; the next one takes it away.
STAYS = {
    "unlink": r"\.part|-wal|-shm|-journal|\.lock|polhode-\w+",
    "": r"-wal|-shm|-journal|\.lock",
}


def digest(tree):
    h = hashlib.sha256()
    for name, data in sorted(tree.items()):
        h.update(repr((name, len(data))).encode() + data)
    return h.digest()


def tree_of(folder):
    tree = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            with open(path, "rb") as file:
                tree[os.path.relpath(path, folder)] = file.read()
    return tree


def put(tree, folder):
    for name, data in tree.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)


def timeless(data):
    """Where clocks fail or jump, and where something was tried again, times of the run are others."""
    return data and re.sub(rb'"(cpu_seconds|ns_per_step)": [^,]*|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ', b"", data)


class Torture:
    def __init__(self, build, preload, place):
        self.program = os.path.join(os.path.abspath(build), ".libs", "polhode")
        self.libraries, self.preload, self.place = os.path.dirname(self.program), os.path.abspath(preload), place
        self.made, self.done, self.finished = {}, {}, {}

    def environment(self, folder):
        e = {k: v for k, v in os.environ.items() if not k.startswith("POLHODE_") and k != "LD_PRELOAD"}
        e.update(LD_LIBRARY_PATH=self.libraries, LC_ALL="C", OPENBLAS_NUM_THREADS="1", COLUMNS="80", XDG_CACHE_HOME=folder + ".cache",
                 TMPDIR=folder + ".tmp", HOME=folder + ".cache")
        return e

    def run(self, command, folder, what="malloc:0", compiles="never"):
        """(status, standard output, standard error, calls, failed)"""
        report = folder + ".report"
        with open(report, "wb") as file:
            file.write(bytes(16))
        e = dict(self.environment(folder), LD_PRELOAD=self.preload, POLHODE_TORTURE=what, POLHODE_TORTURE_REPORT=report, POLHODE_COMPILE=compiles)
        while True:
            try:
                done = subprocess.run([self.program, *command], cwd=folder, env=e, stdin=subprocess.DEVNULL, capture_output=True, timeout=100)
                code, out, err = done.returncode, done.stdout, done.stderr
            except subprocess.TimeoutExpired as late:
                code, out, err = "hangs", b"", late.stderr or b""
            if code != 71:
                break
        with open(report, "rb") as file:
            calls, failed = struct.unpack("qq", file.read())
        return code, out, err.decode("utf-8", "replace"), calls, failed

    def folder(self):
        folder = tempfile.mkdtemp(dir=self.place)
        for more in (".tmp", ".cache"):
            os.mkdir(folder + more)
        return folder

    def forget(self, folder):
        for more in ("", ".tmp", ".cache"):
            shutil.rmtree(folder + more, ignore_errors=True)
        if os.path.exists(folder + ".report"):
            os.remove(folder + ".report")

    # ---- Undisturbed

    def before(self, name):
        if name not in self.made:
            folder = self.folder()
            earlier, commands = BEFORE[name]
            if earlier:
                put(self.before(earlier), folder)
            else:
                put({"s.yaml": SCENARIO.encode(), "d.yaml": SCENARIO.replace("steps: 60", "duration: 0.6").encode(),
                      "f.yaml": FORMULAS.encode(), "e.yaml": ENSEMBLE.encode()}, folder)
                shutil.copytree(f"{SOURCE}/examples/gubas", f"{folder}/gubas")
            for command in commands:
                code, _, err, _, _ = self.run(command.split(), folder)
                if code != ("--wall-clock" in command):
                    sys.exit(f"{command} ends with {code}: {err}")
            self.made[name] = tree_of(folder)
            self.forget(folder)
        return self.made[name]

    def contents(self, tree, folder):
        """Of each archive the rows, the events and the state; of other files their bytes, where they have no times of the run."""
        found = {}
        for name in tree:
            if name.endswith(".polhode"):
                path = os.path.join(folder, name)
                base = sqlite3.connect(path)
                tables = {t for t, in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
                if "state" in tables:
                    kept = base.execute("SELECT * FROM state")
                    words = [d[0] for d in kept.description]
                    found[name] = [repr({w: v for w, v in zip(words, row) if w not in ("cpu_seconds", "written", "crc32", "row_crc32")})
                                   for row in kept]
                base.close()
                for more in ([], ["--events"]):
                    code, _, err, _, _ = self.run(["export", "-q", *more, name, "-f", "-o", folder + ".tmp/x.csv"], folder)
                    if code or not os.path.exists(folder + ".tmp/x.csv"):
                        found[name, *more] = err.strip()
                        continue
                    with open(folder + ".tmp/x.csv", "rb") as file:
                        found[name, *more] = file.read()
                    os.remove(folder + ".tmp/x.csv")
        return found

    def undisturbed(self, case):
        """(What the command prints, the files that it leaves, their contents)"""
        if case.name not in self.done:
            folder = self.folder()
            put(self.before(case.before), folder)
            code, out, err, _, _ = self.run(case.command, folder, compiles=case.compiles)
            if code:
                sys.exit(f"{case.name} ends with {code} where nothing fails: {err}")
            tree = tree_of(folder)
            self.done[case.name] = out, tree, self.contents(tree, folder)
            self.forget(folder)
        return self.done[case.name]

    def count(self, case, kind):
        """How often it calls."""
        folder = self.folder()
        put(self.before(case.before), folder)
        calls = self.run(case.command, folder, f"{kind}:0", case.compiles)[3]
        self.forget(folder)
        return calls

    # ---- Disturbed

    def judge(self, case, what, result, folder):
        """What is wrong; nothing."""
        code, out, err, _, failed = result
        kind = what.split(":")[0]
        good_out, good_tree, _ = self.undisturbed(case)
        before, tree = self.before(case.before), tree_of(folder)
        if code not in (0, 1, 2, 3):
            yield f"ends with {code}"
            return
        if code and not err.strip() and out == good_out:  # info and check say on the output what is wrong
            yield f"ends with {code} and says nothing"
        if not code:
            if timeless(out) != timeless(good_out):
                yield "is content, and prints something else"
            for name in sorted(set(good_tree) | set(tree)):
                if not re.fullmatch(case.unlike, name) and timeless(tree.get(name)) != timeless(good_tree.get(name)) and not self.may_stay(kind, name) and not self.same(case, name, folder):
                    yield f"is content, and {name} is " + ("missing" if name not in tree else "another" if name in good_tree else "left behind")
            return
        for name in tree:  # with what could not be read left out, which is status 1, there is a result
            if name not in before and not self.may_stay(kind, name) and not (
                    name in good_tree if case.after or (kind == "read" and code == 1) else tree[name] == good_tree.get(name) or self.same(case, name, folder)):
                yield f"leaves {name}"
        if os.listdir(folder + ".tmp") and kind != "unlink":
            yield f"leaves {os.listdir(folder + '.tmp')} in the temporary directory"
        for name in before:
            if tree.get(name) != before[name] and not name.startswith(tuple(case.changes) or ("/",)):
                yield f"has changed {name}"
        if case.after:
            yield from self.finish(case, kind, tree, folder)

    def same(self, case, name, folder):
        """An archive with the same contents."""
        if not name.endswith(".polhode") or not os.path.exists(os.path.join(folder, name)):
            return False
        good = self.undisturbed(case)[2]
        found = self.contents([name], folder)
        return all(good.get(k) == v for k, v in found.items())

    def may_stay(self, kind, name):
        return re.search(f"({STAYS.get(kind, STAYS[''])})$", name)

    def finish(self, case, kind, tree, folder):
        key = case.name, digest(tree)
        if key not in self.finished:
            self.finished[key] = list(self.finish_really(case, kind, tree, folder))
        yield from self.finished[key]

    def finish_really(self, case, kind, tree, folder):
        for name in tree:
            if name.endswith(".polhode"):
                code, _, err, _, _ = self.run(["info", "--check", "-q", name], folder)
                if code:
                    yield f"leaves {name} as it cannot be read: {err}"
                    return
        said = []
        for command in case.after:
            code, _, err, _, _ = self.run(command, folder)
            said.append(f"{' '.join(command)} ends with {code}: {err.strip()}")
            if not code:
                break
        else:
            yield "cannot be done again: " + "; ".join(said)
            return
        _, good_tree, contents = self.undisturbed(case)
        after = tree_of(folder)
        others = [name for name in sorted(set(after) ^ set(good_tree)) if not self.may_stay(kind, name)]
        if others:
            yield f"done again, there are other files: {others}"
        found = self.contents(after, folder)
        for key in contents:
            if found.get(key) != contents[key]:
                yield f"done again, {key} is another"

    def attempt(self, case, what, keep=False):
        folder = self.folder()
        put(self.before(case.before), folder)
        result = self.run(case.command, folder, what, case.compiles)
        wrong = list(self.judge(case, what, result, folder)) if result[4] or result[0] else []
        if not keep:
            self.forget(folder)
        return result, wrong, folder


def say(case, what, result, wrong):
    for w in wrong:
        print(f"FAIL: {case.name} ({' '.join(case.command)}), {what}: {w}\n      status {result[0]}, it says: {result[2].strip()[-400:]!r}",
              flush=True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("build")
    p.add_argument("preload")
    p.add_argument("--runs", type=int)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--only", default="")
    p.add_argument("--kinds", default=",".join(KINDS))
    p.add_argument("--case")
    p.add_argument("--at")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--messages", action="store_true")
    a = p.parse_args()
    place = tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    if not a.case:
        atexit.register(shutil.rmtree, place, ignore_errors=True)
    t = Torture(a.build, a.preload, place)
    if a.case:
        case = next(c for c in CASES if c.name == a.case)
        result, wrong, folder = t.attempt(case, a.at, keep=True)
        print(folder, result[0], result[3:], result[1].decode(), result[2], *wrong, sep="\n")
        return bool(wrong)
    cases = [c for c in CASES if re.search(a.only, c.name)]
    pairs = [(c, k) for c in cases for k in a.kinds.split(",") if k in c.kinds]
    chosen = random.Random(a.seed)
    if a.runs:  # of kinds of calls by how many there are, more or less
        pairs = chosen.choices(pairs, [{"malloc": 20, "write": 3, "short": 3, "read": 3}.get(k, 1) for _, k in pairs], k=a.runs)
    bad, runs, statuses, messages = 0, collections.Counter(), collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for c in {c.before for c, _ in pairs}:
            t.before(c)
        list(pool.map(t.undisturbed, {c.name: c for c, _ in pairs}.values()))
        distinct = list({(c.name, k): (c, k) for c, k in pairs}.values())
        counts = dict(zip([(c.name, k) for c, k in distinct], pool.map(lambda p: t.count(*p), distinct)))
        if a.runs:
            places = [(c, f"{k}:{chosen.randint(1, counts[c.name, k])}{chosen.choice(['', '+'])}") for c, k in pairs if counts[c.name, k]]
        else:
            often = ("malloc", "clock", "jump", "read", "write", "short")
            places = [(c, f"{k}:{n}{how}") for c, k in pairs for n in range(1, counts[c.name, k] + 1, c.every if k in often else 1) for how in ("", "+")]
        for (case, what), (result, wrong, _) in zip(places, pool.map(lambda p: t.attempt(*p), places)):
            say(case, what, result, wrong)
            bad += bool(wrong)
            runs[case.name, what.split(":")[0]] += 1
            statuses[result[0]] += 1
            messages[re.sub(r"\d+|/\S+", "N", result[2].strip())] += 1
    for c in cases:
        print(f"{c.name}: " + ", ".join(f"{k} {runs[c.name, k]}" for k in KINDS if runs[c.name, k]))
    if a.messages:
        for m, n in messages.most_common():
            print(n, repr(m))
    print(f"{len(places)} runs of {len(cases)} commands; statuses {dict(statuses)}; {bad} went wrong")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
