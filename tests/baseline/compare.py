#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# What the library and the program computed, wrote and cost when the tables of this folder were made, compared with what a build does
# now. For changes that are to change nothing: each row that differs is named.
#     python3 tests/baseline/compare.py BUILD_DIR [bits|files|symbols|instructions|mutants ...]     default: all
#     python3 tests/baseline/compare.py BUILD_DIR files --only '^(chain|heavy-top) '              some rows: those of these names
#     python3 tests/baseline/compare.py BUILD_DIR --write bits ...                                  makes the tables instead
# bits          states after 300 steps of each method on each model, by plain kernels and by wide ones (motions.c): the same everywhere, but for the
#               methods of SUNDIALS, whose rows are left out where its version is another
# files         what every command writes on the scenarios below, without times and what is of the machine; of bench the structure alone
# symbols       the functions that the shared libraries export
# instructions  of a step, counted by valgrind; equal within 1 per cent
# mutants       the faults of tests/mutation/mutations.txt, of which none may be lost; that each is killed, mutate.py --table says
# Rows are hashes. Where others depend on compiler, flags, processor or libraries (the lines with # of a table), and these are others,
# the comparison is skipped and says so. Exit status: 0 equal, 1 not, 77 where all that was asked for was skipped.
import argparse
import base64
import collections
import concurrent.futures
import glob
import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
KERNELS = ("plain", "wide")

# Scenarios: of examples/, or made by polhode new; and how long they run here.
EXAMPLES = """chain branching-pendulum free-rigid-body heavy-top cart-chain cantilever driven-chain quadrotor-cable hanging-cable
    binary-asteroid spin-wave vortices collapse rattleback rolling-ball routh poincare-section conical-pendulum""".split()
MODELS = "rigid-chain rolling-disk spin-lattice n-body car-trailers spacecraft bloch-sphere planar-chain".split()

# label, model, size, preset, steps; by its own method and by rk4
COUNTED = [
    ("chain 1", "chain-pendulum", 1, "curved", 4000),
    ("chain 2", "chain-pendulum", 2, "curved", 4000),
    ("chain 5", "chain-pendulum", 5, "curved", 2000),
    ("chain 20", "chain-pendulum", 20, "curved", 500),
    ("chain 1000", "chain-pendulum", 1000, "curved", 20),
    ("tree", "branching-pendulum", 0, "disturbed", 1000),
    ("free body", "free-rigid-body", 0, "tumbling", 4000),
    ("heavy top", "heavy-top", 0, "precession", 2000),
    ("rigid chain", "rigid-chain", 5, "curved", 500),
    ("binary", "binary", 4, "circular", 500),
    ("spin lattice", "spin-lattice", 0, "random", 200),
    ("rolling disk", "rolling-disk", 0, "wobbling", 1000),
]
DEFAULT = {"spin-lattice": "spherical-midpoint", "rolling-disk": "dla"}


def digest(data, length=6):
    return hashlib.sha256(data if isinstance(data, bytes) else data.encode("utf-8", "surrogateescape")).hexdigest()[:length]


def said_by(*command, env=None):
    try:
        return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "none"


class Build:
    def __init__(self, folder, only=""):
        self.only, self.wanted = only, None  # rows of the table that are compared; None: all are to be written
        self.left_out = None  # rows of a kind that are not compared here
        self.folder = os.path.abspath(folder)
        self.libraries = os.path.join(self.folder, ".libs")
        self.program = os.path.join(self.libraries, "polhode")
        with open(os.path.join(self.folder, "Makefile"), encoding="utf-8") as file:
            self.made = dict(re.findall(r"^(\w+) = (.*)$", file.read(), re.M))
        self.compiler = self.made["CC"].replace("ccache ", "").split()

    def environment(self, kernels=None):
        e = {k: v for k, v in os.environ.items() if not k.startswith("POLHODE_")}
        e.update(LD_LIBRARY_PATH=self.libraries, LC_ALL="C", OPENBLAS_NUM_THREADS="1", COLUMNS="80")
        return dict(e, POLHODE_KERNELS=kernels) if kernels else e

    def motions(self, folder):
        """The program of motions.c, linked with the shared library."""
        program = os.path.join(folder, "motions")
        subprocess.run(self.compiler + ["-O1", f"-I{SOURCE}/include", f"{HERE}/motions.c", f"-L{self.libraries}", "-lpolhode", "-lm",
                                        "-o", program], check=True)
        return program


def head(build, kind):
    """What rows depend on, as lines of a table."""
    if kind in ("symbols", "mutants"):
        return []
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        cpu = dict(re.findall(r"^([^\t\n]+)\t*: (.*)$", file.read(), re.M))
    features = [f for f in "avx avx2 fma avx512f avx512dq".split() if f in cpu.get("flags", "").split()]
    flags = " ".join(w for k in ("PH_CFLAGS", "PH_OPTIMISE", "CFLAGS") for w in build.made[k].split() if not re.match("-W|-g", w))
    linked = re.findall(r"=> (/\S+)", said_by("ldd", build.program if kind == "files" else f"{build.libraries}/libpolhode.so",
                                             env=build.environment()))
    if kind == "files":  # lib/archive/load.h
        with open(os.path.join(build.folder, "config.h"), encoding="utf-8") as file:
            loaded = re.findall(r'^#define PH_LOADED_\w+ "(.*)"$', file.read(), re.M)
        cached = said_by("/sbin/ldconfig", "-p")
        for name in loaded:
            for path in re.findall(rf"^\s*{re.escape(name)} .*=> (\S+)", cached, re.M)[:1]:
                linked += [path, *re.findall(r"=> (/\S+)", said_by("ldd", path))]
    lines = [f"compiler: {said_by(*build.compiler, '--version').splitlines()[0]}", f"flags: {flags}",
             "processor: " + " ".join([cpu.get("vendor_id", "?"), cpu.get("cpu family", "?"), cpu.get("model", "?")] + features),
             f"libraries: {os.confstr('CS_GNU_LIBC_VERSION')} "
             + " ".join(sorted({os.path.basename(os.path.realpath(p)) for p in linked if re.search(r"/lib(m|.*blas|lapack|sundials|amd|hdf5|json-c|archive|z|zstd)[-_.]", p)}))]
    if kind == "files":
        lines.append(f"gnuplot: {said_by('gnuplot', '--version')}")
    if kind == "instructions":
        lines.append(f"valgrind: {said_by('valgrind', '--version')}")
    if kind == "bits":
        return ["SUNDIALS: " + (" ".join(re.findall(r"libsundials_(?:arkode|cvode)\S+", lines[-1])) or "none")]
    return lines


# ---- Bits, symbols, instructions

def take_bits(build, folder):
    """One row for a model, preset and method: each choice with the hashes by plain and by wide kernels, one where they are equal."""
    program = build.motions(folder)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        texts = pool.map(lambda k: subprocess.run([program], env=build.environment(k), check=True, capture_output=True, text=True).stdout,
                         KERNELS)
    hashes = {}
    for kernels, text in zip(KERNELS, texts):
        for line in text.splitlines():
            model, size, preset, method, *choice, status, value = line.split()
            choice = "_".join(choice) + ("" if status == "PH_OK" else "!" + status)
            row = hashes.setdefault(f"{model}:{size}:{preset} {method}", {})
            row.setdefault(choice or "default", {})[kernels] = digest(value, 5)
    return {name: " ".join(f"{choice}={'/'.join(dict.fromkeys(by.get(k, 'none') for k in KERNELS))}" for choice, by in sorted(row.items()))
            for name, row in hashes.items()}


def take_symbols(build, _):
    return {f"{name} {word.split()[-1]}": "" for name in ("libpolhode", "libpolhode-io")
            for word in subprocess.run(["nm", "-D", "--defined-only", f"{build.libraries}/{name}.so"], check=True, capture_output=True,
                                       text=True).stdout.splitlines()}


def take_instructions(build, folder):
    """Those of twice as many steps less those of as many, by cachegrind without its caches; valgrind does not know all of the wide
    kernels."""
    program = build.motions(folder)

    def count(row, times):
        _, model, size, preset, steps, method = row
        said = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", program, str(times * steps),
                               model, str(size), preset, method], env=build.environment("plain"), capture_output=True, text=True)
        found = re.search(r"I +refs: +([\d,]+)", said.stderr)
        if said.returncode != 0 or not found:
            sys.exit(f"{' '.join(map(str, row))} cannot be counted:\n{said.stderr}")
        return int(found.group(1).replace(",", ""))

    def measure(row):
        return f"{row[0]}, {row[5]}", f"{(count(row, 2) - count(row, 1)) / row[4]:.1f}"

    cases = [row + (method,) for row in COUNTED for method in (DEFAULT.get(row[1], "variational"), "rk4")]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return dict(pool.map(measure, cases))


def take_mutants(*_):
    """The faults of the table, by their remarks: none of them is lost. That each is killed is for mutate.py --table, which takes an hour."""
    with open(f"{SOURCE}/tests/mutation/mutations.txt", encoding="utf-8") as file:
        remarks = collections.Counter(line.split("@@")[3].strip() for line in file if "@@" in line and not line.startswith("#"))
    return {remark: str(n) for remark, n in remarks.items()}


# ---- What the program writes

# run in the folder of a scenario, s.yaml; what they print is a row, and what they write another for each file
COMMANDS = """check s.yaml
check --json s.yaml
run --csv -o out s.yaml
run --json -o json s.yaml
resume json --until {later} --json
info out
info --check out
info --json out
tail -n 3 out
tail -n 2 --json out
export out -o rows.csv
export out -o rows.npy
export out -o rows.npz
export out -o flat.npz --flat --every 7
export out -o rows.h5
export out -o events.csv --events
export out -o some.csv --json --columns t,energy,energy_error --every 50
plot out -o figures --format svg,csv
plot out --terminal --terminal-type dumb
report out -o report.html
view out -o view.html
equilibria s.yaml -n 4
equilibria s.yaml -n 4 --json
methods --advise s.yaml --budget 0.02 --json"""

# without a scenario
GENERAL = """models
models --json
methods
methods --json
keys
keys --json
plot --list
bench --list
bench nonholonomic --list
bench binary --list
bench roundoff --list
bench formulas --list
bench ensembles --list
gubas gubas
gubas grit"""

# measured: what is the same in all runs is the structure of their files
BENCHES = """-b 0.01 -T 1 -m variational -m rk4 -o bench double.yaml heavy-top
scaling -b 0.01 --to 2 -o bench
peers -b 0.01 --limit 0.05 -T 1 -m variational -m rk4 -o bench double.yaml
nonholonomic -n 2000 -o bench sleigh gearbox
binary -b 0.01 --trajectory 7200 -T 6e5 -m variational:order=4 -m rk4 -o bench kw4
spins -b 0.01 --limit 0.05 -n 1000 -m rk4 -m spherical-midpoint -o bench ring
vortices five -b 0.01 --limit 0.05 -n 1000 -m rk4 -m spherical-midpoint -o bench
formulas -b 0.001 -o bench quadrupoles chain-5
ensembles -b 0.001 --members 64 -o bench one-link two-links
archive -b 0.01 -o bench
roundoff --members 3 --steps 1e4 -o bench"""

# times, and what is of the machine
MASKED = [(re.compile(p), w) for p, w in [
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?Z?", "DATE"),
    (r'("(cpu_seconds|ns_per_step|seconds_since_written|steps_per_second)": )[-+.\deE]+', r"\1N"),
    (r"[-+\d.e]+ [nmµ]?s a step", "N a step"),
    (r"\d+ s ago", "N s ago"),
    (r"[-\d.e]+ s of CPU time", "N s of CPU time"),
    (r"(CPU time</th><td[^>]*>)[^<]*", r"\1N"),
    (r"(?s)(<script>).*?(</script>)", r"\1\2"),  # bundles of viewer/
]]


def masked(text, folder):
    for pattern, word in MASKED:
        text = pattern.sub(word, text)
    return text.replace(folder, "FOLDER")


def forget_dates(path):
    """So that what is made from the archive has the same bytes each time."""
    base = sqlite3.connect(path)
    base.execute("UPDATE meta SET value = '2000-01-01T00:00:00Z' WHERE key IN ('created', 'session')")
    base.execute("DELETE FROM meta WHERE key LIKE '%crc32'")  # as in version 2
    base.execute("PRAGMA user_version = 2")
    base.commit()
    base.close()


def archive_text(path):
    """All tables of an archive but for times and sums of them."""
    base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    lines = []
    for name, sql in base.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall():
        lines.append(f"{name} {sql}")
        if sql and sql.startswith("CREATE TABLE"):
            cursor = base.execute(f"SELECT * FROM {name}")
            words = [d[0] for d in cursor.description]
            for row in cursor:
                row = {w: v.hex() if isinstance(v, bytes) else v for w, v in zip(words, row)}
                if name == "state":
                    row = {w: v for w, v in row.items() if w not in ("cpu_seconds", "written", "crc32", "row_crc32")}
                if row.get("key") == "crc32":
                    continue
                lines.append(repr(row))
    base.close()
    return "\n".join(lines)


def file_digest(path, folder):
    if path.endswith(".polhode"):
        return digest(masked(archive_text(path), folder))
    with open(path, "rb") as file:
        data = file.read()
    if path.endswith((".npz", ".npy", ".h5", ".png", ".pdf")):
        return digest(data)
    text = data.decode("utf-8", "surrogateescape")
    for archive in re.findall(r"<script type=.application/vnd.polhode.[^>]*>([^<]*)<", text):  # of polhode view
        with tempfile.NamedTemporaryFile(suffix=".polhode") as file:
            file.write(base64.b64decode(archive))
            file.flush()
            text = text.replace(archive, archive_text(file.name))
    return digest(masked(text, folder))


def shape(value, key=""):
    """Keys and names of JSON, not numbers and sentences; of a list the different shapes of its elements."""
    if isinstance(value, dict):
        return {k: shape(v, k) for k, v in value.items()}
    if isinstance(value, list):
        return sorted({json.dumps(shape(v, key)) for v in value})
    return value if isinstance(value, str) and len(value) < 40 and not re.search(r"\d", value) else None if value is None else "value"


def structure_digest(path):
    if not path.endswith((".json", ".csv", ".html")):
        return "is there"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".json"):
        return digest(json.dumps(shape(json.loads(text))))
    if path.endswith(".csv"):
        return digest(text.split("\n", 1)[0])
    return digest(" ".join(sorted(set(re.findall(r"<(?:h\d|th|caption)\b[^>]*>([^<\d]*)<", text)))))


def run(build, folder, words):
    done = subprocess.run([build.program] + words, cwd=folder, env=build.environment(), capture_output=True, stdin=subprocess.DEVNULL)
    return f"{done.returncode}\n{done.stdout.decode()}\n{done.stderr.decode()}"


def files_below(folder, known=()):
    return [p for p in sorted(glob.glob(f"{folder}/**/*", recursive=True)) if os.path.isfile(p) and p not in known]


def take_scenario(build, name, folder):
    rows, known = {}, set(files_below(folder))
    with open(f"{folder}/s.yaml", encoding="utf-8") as file:
        text = file.read()
    numbers = {k: float(v) for k, v in re.findall(r"^(step|steps|duration): *([\d.e+-]+)", text, re.M)}
    later = 1.1 * numbers.get("duration", numbers.get("steps", 0) * numbers["step"])
    for command in COMMANDS.splitlines():
        command = command.format(later=later)
        said = masked(run(build, folder, command.split()), folder)
        if "--advise" in command:  # prices of steps are measured
            said = " ".join(sorted(set(re.findall(r'"\w+":', said))))
        rows[f"{name} $ {command}"] = digest(said)
        for path in files_below(folder, known):
            if path.endswith(".polhode"):
                forget_dates(path)
            rows[f"{name} {os.path.relpath(path, folder)}"] = file_digest(path, folder)
            known.add(path)
    return rows


def take_general(build, folder):
    rows = {}
    shutil.copytree(f"{SOURCE}/examples/gubas", f"{folder}/gubas")
    shutil.copytree(f"{SOURCE}/examples/grit", f"{folder}/grit")
    known = set(files_below(folder))
    commands = GENERAL.splitlines()
    commands += [f"{c.strip()} --help".strip() for c in re.findall(r"^  polhode ([a-z -]*?)(?= *[A-Z\[]|  |$)", run(build, folder, ["--help"]), re.M)]
    for kind in ("models", "methods"):
        names = [e["name"] for e in json.loads(run(build, folder, [kind, "--json"])[2:])[kind]]
        commands += [f"{kind} {name}" for name in names] + ([f"new {name}" for name in names] if kind == "models" else [])
    for command in commands:
        rows[f"$ {command}"] = digest(masked(run(build, folder, command.split()), folder))
    return dict(rows, **{f"$ {os.path.relpath(p, folder)}": file_digest(p, folder) for p in files_below(folder, known)})


def bench_name(words):
    return "bench " + (words.split()[0] if words[0] != "-" else "compare")


def take_bench(build, words, folder):
    name = bench_name(words)
    with open(f"{SOURCE}/examples/double-spherical-pendulum.yaml", encoding="utf-8") as file:
        text = re.sub("duration:.*", "duration: 5", file.read())
    with open(f"{folder}/double.yaml", "w", encoding="utf-8") as file:
        file.write(text)
    said = run(build, folder, ["bench"] + words.split() + ["--quiet"])
    rows = {f"{name} status": said.split("\n")[0]}
    for path in files_below(f"{folder}/bench"):
        rows[f"{name} {os.path.basename(path)}"] = structure_digest(path)
    return rows


def take_files(build, folder):
    work = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name in EXAMPLES + MODELS + ["$"] + BENCHES.splitlines():
            rows_of = (name if name in EXAMPLES + MODELS + ["$"] else bench_name(name)) + " "
            if build.wanted is not None and not any(row.startswith(rows_of) for row in build.wanted):
                continue
            own = tempfile.mkdtemp(dir=folder)
            if name in EXAMPLES:
                shutil.copy(f"{SOURCE}/examples/{name}.yaml", f"{own}/s.yaml")
            if name in MODELS:
                run(build, own, ["new", name, "-o", "s.yaml"])
            take = (take_scenario, name) if name in EXAMPLES + MODELS else (take_general,) if name == "$" else (take_bench, name)
            work.append(pool.submit(take[0], build, *take[1:], own))
    return {k: v for done in work for k, v in done.result().items()}


# ---- Tables and their comparison

def write_table(path, lines, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"# Written by compare.py --write of commit {said_by('git', '-C', SOURCE, 'rev-parse', '--short=8', 'HEAD')}\n")
        file.writelines(f"# {line}\n" for line in lines)
        file.writelines(f"{k}\t{v}\n" if v else f"{k}\n" for k, v in sorted(rows.items()))


def read_table(path, only=""):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    return ([line[2:] for line in lines[1:] if line.startswith("# ")],
            {k: v for k, _, v in (line.partition("\t") for line in lines if not line.startswith("#")) if re.search(only, k)})


def differ(kind, before, now):
    if kind == "instructions" and before and now:
        return abs(float(now) - float(before)) > 0.01 * float(before)
    return before != now


def compare(kind, before, now):
    wrong = 0
    for row in sorted(set(before) | set(now)):
        old, new = before.get(row), now.get(row)
        if differ(kind, old, new):
            wrong += 1
            print(f"{kind}: {row}: {'no such row before' if old is None else 'is missing' if new is None else old + ' -> ' + new}")
    print(f"{kind}: {len(now)} rows, {wrong} differ" if wrong else f"{kind}: {len(now)} rows, all as before", flush=True)
    return wrong == 0 and len(now) > 0


def main():
    kinds = {"bits": take_bits, "files": take_files, "symbols": take_symbols, "instructions": take_instructions, "mutants": take_mutants}
    parser = argparse.ArgumentParser(description="Compares a build with the tables of this folder.")
    parser.add_argument("build_dir")
    parser.add_argument("kinds", nargs="*", metavar="|".join(kinds))
    parser.add_argument("--only", default="", metavar="REGEX", help="compare the rows whose names have it")
    parser.add_argument("--write", action="store_true", help="make the tables from this build")
    arguments = parser.parse_intermixed_args()
    build = Build(arguments.build_dir, arguments.only)
    equal, tried = True, False
    for kind in arguments.kinds or kinds:
        path, lines = os.path.join(HERE, f"{kind}.txt"), head(build, kind)
        build.left_out = None
        before = None if arguments.write else read_table(path, build.only)
        if before and before[0] != lines:
            for old, new in zip(before[0], lines):
                if old != new:
                    print(f"skipped: {kind}: the table is of another machine or build: {old}; here {new}")
            if kind != "bits":
                continue
            build.left_out = " (arkode|cvode)$"
            before = before[0], {k: v for k, v in before[1].items() if not re.search(build.left_out, k)}
        build.wanted = before and list(before[1])
        with tempfile.TemporaryDirectory() as folder:
            rows = {k: v for k, v in kinds[kind](build, folder).items() if re.search(build.only, k) and not (build.left_out and re.search(build.left_out, k))}
        tried = True
        if arguments.write:
            write_table(path, lines, rows)
        else:
            equal = compare(kind, before[1], rows) and equal
    return 0 if equal and tried else 1 if not equal else 77


if __name__ == "__main__":
    sys.exit(main())
