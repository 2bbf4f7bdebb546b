#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Tests of the tests: a fault is put into the library, and some suite must notice.
#     python3 tests/mutation/mutate.py --check                      every row of tests/mutation/mutations.txt applies (a second)
#     python3 tests/mutation/mutate.py BUILD_DIR --table            each row of that table in turn: all must be killed
#     python3 tests/mutation/mutate.py BUILD_DIR --sample 60        faults made at random from the source (--seed S repeats them)
#     python3 tests/mutation/mutate.py BUILD_DIR --sample 60 --changed main~20    of the lines that have changed since then
# All work is done below BUILD_DIR, on a copy of the sources as they are now. The library is one shared object there, so that a
# fault takes one compilation and one link; the suites that execute its line, as gcov has seen, judge it, those that are named
# for its file first, then the quickest. A mutant of which the compiler makes the same code is no fault. Exit status 1: a row does
# not apply or survives, or nothing could be tried. What survives of a sample is for a reader: a gap, or a fault that changes
# nothing.
import argparse
import collections
import concurrent.futures
import difflib
import filecmp
import glob
import json
import os
import queue
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLE = os.path.join(SOURCE, "tests", "mutation", "mutations.txt")
FOLDERS = "include integrators lib tests tools bench figures examples cmake completion python scripts viewer doc m4 build-aux".split()
JUDGED = ("integrators/", "lib/", "bench/", "figures/", "tools/")  # where samples come from: public headers would recompile everything
LIBRARIES = "libpolhode_internal_la libpolhode_io_internal_la libpolhode_bench_la".split()
KITS = "libtestkit_la libtestkit_io_la".split()
SHELL = "cli.sh export.sh watch.sh completion.sh bench.sh roundoff.sh".split()  # they judge the program
# suites see what is hidden in an installed library
FLAGS = {"plain": "-O1 -fPIC -fvisibility=default", "covered": "-O1 -fPIC -fvisibility=default --coverage"}

# A fault: text old -> new, at the offset in its file. line is of the table or of the source, remark says what it is.
Mutation = collections.namedtuple("Mutation", "file line offset old new remark")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


# ---- The table

def read_table():
    """Rows FILE[#OCCURRENCE] @@ OLD @@ NEW @@ REMARK with \\n for a new line; and what is wrong with them."""
    rows, wrong = [], []
    for number, line in enumerate(read(TABLE).split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("@@")]
        if len(fields) != 4 or not fields[3]:
            wrong.append(f"tests/mutation/mutations.txt:{number}: {len(fields)} fields, not FILE @@ OLD @@ NEW @@ REMARK")
            continue
        place, old, new = (field.replace("\\n", "\n") for field in fields[:3])
        name, _, occurrence = place.partition("#")
        path = os.path.join(SOURCE, name)
        if not os.path.exists(path):
            wrong.append(f"tests/mutation/mutations.txt:{number}: there is no {name}")
            continue
        text = read(path)
        found = [m.start() for m in re.finditer(re.escape(old), text)] if old else []
        if old == new or len(found) < int(occurrence or 1) or (not occurrence and len(found) != 1):
            wrong.append(f"tests/mutation/mutations.txt:{number}: {name} has {old!r} {len(found)} times"
                         + (f", and occurrence {occurrence} is meant" if occurrence else ", not once"))
            continue
        rows.append(Mutation(name, number, found[int(occurrence or 1) - 1], old, new, fields[3]))
    return rows, wrong


# ---- Faults made from the source

def masked(text):
    """The text with comments blank and the content of literals as underscores, so that offsets stay."""
    def blank(m):
        s = m.group()
        return s[0] + "_" * (len(s) - 2) + s[-1] if s[0] in "\"'" else re.sub(r"[^\n]", " ", s)
    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", blank, text, flags=re.DOTALL)


SWAPS = [(" + ", " - "), (" - ", " + "), (" * ", " / "), (" / ", " * "), (" < ", " <= "), (" <= ", " < "), (" > ", " >= "),
         (" >= ", " > "), (" == ", " != "), (" != ", " == "), (" && ", " || "), (" || ", " && "), (" += ", " -= "),
         (" -= ", " += "), (" *= ", " /= "), ("true", "false"), ("false", "true"), ("sin(", "cos("), ("cos(", "sin("),
         ("fabs(", "(")]
NUMBER = re.compile(r"(?<![\w.])(\d+\.?\d*(?:e[-+]?\d+)?)(?![\w.])")
CALL = re.compile(r"\b\w+\(([\w.>\[\]-]+), ([\w.>\[\]-]+)([,)])")
DECLARED = re.compile(r"(?:const|static|enum|struct|typedef|return|goto|case|else|extern|for|while|if|switch|do|break|continue)\b"
                      r"|\w+ \**\w+")


def other_number(word):
    if "." in word or "e" in word:
        return word + " * 2"  # of any kind but 0, where nothing changes and the code is the same
    return str(int(word) + 1)


def faults_of_line(line, start, previous):
    """(offset, length of old, new, what) of the faults that one line allows; in new, {} stands for old."""
    found = []
    for old, new in SWAPS:
        for m in re.finditer(re.escape(old) if old[0] == " " else r"\b" + re.escape(old), line):
            found.append((start + m.start(), len(old), new, "operator"))
    for m in NUMBER.finditer(line):
        if m.group(1) != "0." and not line.lstrip().startswith("case "):
            found.append((start + m.start(1), len(m.group(1)), other_number(m.group(1)), "constant"))
    for m in re.finditer(r"!(?=[\w(])", line):
        found.append((start + m.start(), 1, "", "negation"))
    m = re.match(r"\s*(?:\} else )?if \((.*)\)( \{)?$", line)
    if m and m.group(1).count("(") == m.group(1).count(")"):
        found.append((start + m.start(1), len(m.group(1)), "!({})", "condition"))
    for m in CALL.finditer(line):
        if m.group(1) != m.group(2):
            found.append((start + m.start(1), m.end(2) - m.start(1), f"{m.group(2)}, {m.group(1)}", "arguments"))
    bare = line.strip()
    if bare.endswith(";") and len(bare) > 1 and not DECLARED.match(bare) and bare.count("(") == bare.count(")") \
            and re.search(r"[;{}):]$|\belse$|^$", previous.strip()) and re.search(r"[^=!<>]=[^=]|\)", bare):
        found.append((start + line.index(bare), len(bare), ";", "statement dropped"))
    return found


def faults(path, lines=None):
    """All faults of a file, by line; of these lines only, if they are given. Messages, assertions, declarations of types
    and what the preprocessor reads are left alone."""
    text = read(os.path.join(SOURCE, path))
    mask, by_line = masked(text), {}
    starts = [0] + [m.end() for m in re.finditer("\n", mask)]
    rows = [mask[a:b - 1] for a, b in zip(starts, starts[1:] + [len(mask) + 1])]
    continued, group, groups = False, 0, []  # statements: lines up to one that ends with ; { } or :
    for row in rows:
        groups.append(group)
        if re.search(r"[;{}:]$|^\s*$", row.rstrip()) or row.startswith("#"):
            group += 1
    texts = {groups[i] for i, row in enumerate(rows) if '"' in row or re.search(r"\bassert|ph_fail", row)}
    depth = 0
    for i, row in enumerate(rows):
        inside = depth > 0
        depth += row.count("{") - row.count("}")
        directive = continued or row.lstrip().startswith("#")
        continued = directive and row.endswith("\\")
        if not inside or directive or groups[i] in texts or not row.strip() or (lines and i + 1 not in lines):
            continue
        before = next((r for r in reversed(rows[:i]) if r.strip()), "")
        found = faults_of_line(row, starts[i], before)
        if found:
            by_line[i + 1] = [Mutation(path, i + 1, at, text[at:at + n], new.replace("{}", text[at:at + n]), what)
                              for at, n, new, what in found]
    return by_line


def changed_lines(since):
    """{file: lines} that differ from a commit."""
    diff = subprocess.run(["git", "-C", SOURCE, "diff", "-U0", "--no-color", since, "--"], check=True, text=True,
                          capture_output=True).stdout
    lines, name = collections.defaultdict(set), None
    for row in diff.split("\n"):
        if row.startswith("+++ "):
            name = row[6:] if row.startswith("+++ b/") else None
        m = re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", row)
        if m and name:
            lines[name].update(range(int(m.group(1)), int(m.group(1)) + int(m.group(2) or 1)))
    return lines


def sample(n, seed, since, only):
    """n faults, each on another line; lines are drawn evenly, then one of the faults that a line allows."""
    lines = changed_lines(since) if since else None
    files = sorted(os.path.relpath(f, SOURCE) for d in JUDGED for f in glob.glob(f"{SOURCE}/{d}**/*.[ch]", recursive=True))
    places = []
    for file in files:
        if any(word in file for word in only.split(",")) and (lines is None or file in lines):
            places += sorted(faults(file, lines and lines[file]).items())
    chooser = random.Random(seed)
    chosen = chooser.sample(places, min(n, len(places)))
    return [chooser.choice(of_line) for _, of_line in chosen], len(places)


# ---- Building

def copy_tree(copy):
    """The sources as they are now; files that have not changed keep their time, what is no more goes."""
    there = set()
    for folder, names, files in os.walk(SOURCE):
        inside = os.path.relpath(folder, SOURCE)
        names[:] = [n for n in names if n != "node_modules"]
        if inside == ".":
            names[:] = [n for n in names if n in FOLDERS]
            inside = ""
        os.makedirs(os.path.join(copy, inside), exist_ok=True)
        for name in files:
            # what a build in the source directory leaves is not of the sources
            if name in ("Makefile", "config.status", "config.h", "config.log", "libtool", "stamp-h1") \
                    or name.endswith((".o", ".lo", ".la", ".Po", ".Plo", ".log", ".trs")):
                continue
            source, target = os.path.join(folder, name), os.path.join(copy, inside, name)
            there.add(target)
            if not os.path.exists(target) or not filecmp.cmp(source, target, shallow=False):
                shutil.copy(source, target)
    for folder in FOLDERS[:7]:
        for path in glob.glob(f"{copy}/{folder}/**/*.[ch]", recursive=True):
            if path not in there:
                os.remove(path)


def call(command, folder, environment=None, log=None):
    """A part of the build; the end of the program if it fails."""
    done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)[:200]}\nfails in {folder}:\n{done.stdout[-3000:]}")
    return done.stdout


class Build:
    """A build directory, and what its makefile says: of which objects everything is, and how they are compiled."""

    def __init__(self, root, kind, jobs):
        self.source, self.folder = os.path.join(root, "source"), os.path.join(root, kind)
        os.makedirs(self.folder, exist_ok=True)
        # what ccache keeps of objects with counters names the counters' files elsewhere
        environment = dict(os.environ, CCACHE_DISABLE="1") if kind == "covered" else None
        if not os.path.exists(os.path.join(self.source, "configure")):
            call(["autoreconf", "-fi"], self.source)
        if not os.path.exists(os.path.join(self.folder, "Makefile")):
            call([os.path.join(self.source, "configure"), "-q", "--disable-shared", "--enable-static", "CFLAGS=" + FLAGS[kind]]
                 + (["CC=ccache gcc"] if shutil.which("ccache") and "CC" not in os.environ else []), self.folder)
        call(["make", "-s", "Makefile"], self.folder, environment)
        self.value = {}
        self.query(["check_PROGRAMS", "CC", "DEFS", "CPPFLAGS", "CFLAGS", "AM_CPPFLAGS", "AM_CFLAGS", "LIBS", "CHECK_LIBS",
                    "LAPACK_LIBS", "polhode_OBJECTS", "polhode_CPPFLAGS", "polhode_CFLAGS", "JSON_LIBS", "ARCHIVE_LIBS", "HDF5_LIBS"]
                   + [f"{l}_{v}" for l in LIBRARIES + KITS for v in ("OBJECTS", "LIBADD", "CPPFLAGS", "CFLAGS")])
        self.programs = [p for p in self.value["check_PROGRAMS"].split() if os.path.basename(p).startswith("check_")]
        self.program_of = {suite_name(p): p for p in self.programs}
        names = [p.replace("/", "_") for p in self.programs]
        self.query([f"{n}_{v}" for n in names for v in ("OBJECTS", "CPPFLAGS", "CFLAGS")])
        self.objects = {}  # object: the name of what it belongs to, which has its flags
        for owner in LIBRARIES + KITS + ["polhode"] + names:
            for o in self.of(owner):
                self.objects.setdefault(o, owner)
        call(["make", "-s", f"-j{jobs}"] + [o[:-1] + "lo" if owner in LIBRARIES + KITS else o
                                             for o, owner in self.objects.items()], self.folder, environment)
        self.parts = {o: self.prerequisites(o) for o in self.objects}
        if not self.link_library(self.folder, {}):
            sys.exit(f"the library cannot be linked in {self.folder}")
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(lambda p: self.link_program(p, self.folder, {}), self.programs + ["polhode"]))

    def query(self, names):
        out = call(["make", "-s", "--no-print-directory", "--eval=value-%: ; @printf '%s\\n' '$* $($*)'"]
                   + ["value-" + n for n in names], self.folder)
        for line in out.split("\n"):
            name, _, value = line.partition(" ")
            self.value[name] = value.strip()

    def of(self, owner):
        return [re.sub(r"\.lo$", ".o", o) for o in self.value[owner + "_OBJECTS"].split()]

    def prerequisites(self, o):
        """Sources of an object, relative to the tree."""
        head, tail = os.path.split(o)
        for ending in (".Plo", ".Po"):
            path = os.path.join(self.folder, head, ".deps", tail[:-2] + ending)
            if os.path.exists(path):
                words = read(path).replace("\\\n", " ").split()
                # some compiler caches name them relative to the build directory
                paths = [os.path.normpath(os.path.join(self.folder, w)) for w in words if not w.endswith(":")]
                return {os.path.relpath(p, self.source) for p in paths if p.startswith(self.source + os.sep)}
        sys.exit(f"nothing says of what {o} is made")

    def source_of(self, o):
        """The .c of an object: what it is named for, behind the name of its owner."""
        name = re.sub(rf"^{re.escape(self.objects[o])}-|^check_\w+-", "", os.path.basename(o))[:-2] + ".c"
        return os.path.join(os.path.dirname(o), name)

    def compile(self, o, tree, target):
        """The object from another tree of sources. False where that is no C."""
        owner, v = self.objects[o], self.value
        command = [v["CC"], v["DEFS"], "-I.", "-I" + self.source, v[owner + "_CPPFLAGS"] or v["AM_CPPFLAGS"], v["CPPFLAGS"],
                   v[owner + "_CFLAGS"] or v["AM_CFLAGS"], v["CFLAGS"],
                   "-Werror=incompatible-pointer-types", "-Werror=int-conversion"]
        command = shlex.split(" ".join(command).replace(self.source, tree))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        return run(command + ["-c", os.path.join(tree, self.source_of(o)), "-o", target], self.folder, None, 100) == 0

    def libraries(self, owners):
        words = " ".join(self.value[o] for o in owners) + " " + self.value["LIBS"]
        return [w for w in shlex.split(words) if w.startswith("-l") or w.startswith("-L")]

    def link_library(self, folder, instead):
        objects = [instead.get(o, o) for l in LIBRARIES for o in self.of(l)]
        flags = ["--coverage"] if "--coverage" in self.value["CFLAGS"] else []
        return run(shlex.split(self.value["CC"]) + flags + ["-shared", "-o", os.path.join(folder, "libmutant.so")] + objects
                   + self.libraries([l + "_LIBADD" for l in LIBRARIES]), self.folder, None, 100) == 0

    def link_program(self, program, folder, instead):
        """A program against libmutant.so, as mutants/PROGRAM (polhode: as polhode)."""
        own = self.of(program.replace("/", "_"))
        if program != "polhode":
            names = {os.path.basename(o).split("-")[-1] for o in own}
            own += [o for k in KITS for o in self.of(k) if os.path.basename(o).split("-")[-1] not in names]
        target = os.path.join(folder, program if program == "polhode" else "mutants/" + program)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        flags = ["--coverage"] if "--coverage" in self.value["CFLAGS"] else []
        done = run(shlex.split(self.value["CC"]) + flags + ["-o", target] + [instead.get(o, o) for o in own]
                   + ["-L" + folder, "-L" + self.folder, "-lmutant"]
                   + self.libraries(["CHECK_LIBS", "LAPACK_LIBS", "JSON_LIBS", "ARCHIVE_LIBS", "HDF5_LIBS"]), self.folder, None, 100)
        if done != 0 and not instead:
            sys.exit(f"{program} cannot be linked in {self.folder}")
        return done == 0


# ---- Running

def run(command, folder, environment, seconds):
    return run_timed(command, folder, environment, seconds)[0]


def run_timed(command, folder, environment, seconds):
    """Exit status, and CPU seconds. The status is None when the time is up: these seconds of CPU time in a process, or ten
    times as long by the clock."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, preexec_fn=limit,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    end, pause, pid = time.monotonic() + 10 * seconds + 20, 0.001, 0
    while not pid:
        time.sleep(pause)
        pause = min(2 * pause, 0.1)
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if not pid and time.monotonic() > end:
            os.killpg(process.pid, signal.SIGKILL)  # its own session: nothing but what it started
    process.returncode = os.waitstatus_to_exitcode(status)
    late = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
    return None if late else process.returncode, usage.ru_utime + usage.ru_stime


def suite_name(program):
    return os.path.basename(program).replace("check_", "", 1)


def run_suite(name, build, folder, programs, tree, seconds, extra=()):
    """Status and CPU seconds of a suite against the library in folder; programs is where those are that were linked again."""
    environment = dict(os.environ, top_srcdir=tree, top_builddir=folder, CK_FORK="no", CK_DEFAULT_TIMEOUT="0",
                       LD_LIBRARY_PATH=folder, TMPDIR=os.path.join(folder, "tmp"), CC=build.value["CC"], **dict(extra))
    os.makedirs(environment["TMPDIR"], exist_ok=True)
    if name.endswith(".sh"):
        return run_timed(["sh"] + glob.glob(os.path.join(tree, "tests", "*", name)), folder, environment, seconds)
    return run_timed([os.path.join(programs, "mutants", build.program_of[name])], folder, environment, seconds)


# ---- Who executes which line

def take_map(root, jobs, form, again):
    """{"suites": {name: CPU seconds}, "lines": {file: {line: [names]}}, "texts": {file: text}}: of every suite, by gcov.
    It is kept: in a file that has changed since then, lines are found again by their text."""
    path = os.path.join(root, f"map-{form or 'everyday'}.json")
    if os.path.exists(path) and not again:
        kept = json.loads(read(path))
        changed = [f for f, text in kept["texts"].items()
                   if not os.path.exists(f"{root}/source/{f}") or read(f"{root}/source/{f}") != text]
        print(f"{len(changed)} files have changed since suites were followed; --map follows them again", flush=True)
        return kept
    build = Build(root, "covered", jobs)
    names = [suite_name(p) for p in build.programs] + SHELL
    extra = {"POLHODE_CHECK_SHORT": "1"} if form == "short" else {}

    def follow(name):
        counters = os.path.join(root, "counters", name)
        shutil.rmtree(counters, ignore_errors=True)
        folder = os.path.join(root, "covered")
        status, seconds = run_suite(name, build, folder, folder, build.source, 900, dict(extra, GCOV_PREFIX=counters))
        files = []
        for data in glob.glob(f"{counters}/**/*.gcda", recursive=True):
            notes = data[len(counters):-5] + ".gcno"
            if os.path.exists(notes):
                os.symlink(notes, data[:-5] + ".gcno")
                files.append(os.path.relpath(data, counters))
        lines = collections.defaultdict(dict)
        if files:
            out = subprocess.run(["gcov", "--json-format", "--stdout"] + files, cwd=counters, text=True, capture_output=True).stdout
            for document in out.split("\n"):
                for file in json.loads(document)["files"] if document.strip() else []:
                    name_of = os.path.relpath(os.path.join(folder, file["file"]), build.source)
                    if not name_of.startswith("..") and not name_of.startswith("tests/"):
                        for line in file["lines"]:
                            old = lines[name_of].get(line["line_number"], 0)
                            lines[name_of][line["line_number"]] = old + line["count"]
        shutil.rmtree(counters, ignore_errors=True)
        return name, status, seconds, lines

    # counters make everything slower: what a suite takes here is an upper bound
    suites, table = {}, collections.defaultdict(lambda: collections.defaultdict(list))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name, status, seconds, lines in pool.map(follow, names):
            # some measure times, and fail when counters make everything slower: sound() says whether they do so without
            if status != 0:
                print(f"{name} ends with {status} where counters are", flush=True)
            if status is None or status == 77:
                continue
            suites[name] = seconds
            for file, counts in lines.items():
                for line, count in counts.items():
                    table[file][str(line)] += [name] if count else []
    kept = {"suites": suites, "lines": table, "texts": {file: read(os.path.join(build.source, file)) for file in table}}
    write(path, json.dumps(kept))
    return kept


def mapped_line(map_, root, file, line):
    """The line that this one was when suites were followed; of one that is new, the line before it."""
    found = map_.setdefault("moved", {})
    if file not in found:
        old, now = map_["texts"][file].split("\n"), read(os.path.join(root, file)).split("\n")
        moved, last = [0], 1
        blocks = difflib.SequenceMatcher(None, old, now, autojunk=False).get_matching_blocks()
        for a, b, n in blocks:
            moved += [last] * (b - len(moved) + 1)
            moved += list(range(a + 1, a + n + 1))
            last = a + n
        found[file] = moved
    return found[file][min(line, len(found[file]) - 1)]


def judges(map_, root, m, first, last):
    """Suites that execute the lines of a fault, the quickest first. A statement of several lines has its code at one of them."""
    lines = map_["lines"].get(m.file)
    if lines is None:
        return sorted(map_["suites"], key=map_["suites"].get) if m.file.startswith("tests/") else []
    first, last = mapped_line(map_, root, m.file, first), mapped_line(map_, root, m.file, last)
    near = [n for n in range(first, last + 1) if str(n) in lines]
    if not near:
        near = [max((n for n in range(max(1, first - 8), first) if str(n) in lines), default=0),
                min((n for n in range(last + 1, last + 9) if str(n) in lines), default=0)]
    names = {name for n in near for name in lines.get(str(n), [])}
    return sorted(names, key=lambda n: (not is_own(n, m.file), map_["suites"][n]))


def is_own(suite, file):
    """Is a suite named for a file, or what it is about? Those go first: the quickest of all are those of few steps."""
    words = re.findall(r"[a-z]{4,}", os.path.splitext(os.path.basename(file))[0])
    return any(s.startswith(w) or w.startswith(s) for s in re.findall(r"[a-z]{4,}", suite) for w in words)


# ---- Judging

class Worker:
    """A tree of links to the sources, in which one file is another; the objects, library and programs made from it."""

    def __init__(self, build, map_, root, number, arguments):
        self.build, self.map, self.arguments = build, map_, arguments
        self.folder = os.path.join(root, f"worker-{number}")
        self.tree = os.path.join(self.folder, "source")
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        subprocess.run(["cp", "-as", build.source, self.tree], check=True)
        os.symlink(os.path.join(build.folder, "polhode"), os.path.join(self.folder, "polhode"))
        self.same = {}  # objects of the sources as they are, to compare with

    def judge(self, m):
        """(word, by whom, why)"""
        original = os.path.join(self.build.source, m.file)
        text = read(original)
        if text[m.offset:m.offset + len(m.old)] != m.old:
            return "stale", None, "the source has changed meanwhile"
        first = text.count("\n", 0, m.offset) + 1
        names = judges(self.map, self.build.source, m, first, first + m.old.count("\n"))
        if not names and not m.file.endswith(".h"):
            return "NOT REACHED", None, "no suite executes it"
        place = os.path.join(self.tree, m.file)
        os.remove(place)
        write(place, text[:m.offset] + m.new + text[m.offset + len(m.old):])
        try:
            return self.judge_file(m, names)
        finally:
            os.remove(place)
            os.symlink(original, place)

    def judge_file(self, m, names):
        build = self.build
        names = names or sorted(self.map["suites"], key=self.map["suites"].get)
        concerned = [o for o in build.objects if m.file in build.parts[o] and (build.objects[o] in LIBRARIES + ["polhode"])]
        if not concerned and not m.file.startswith("tests/"):
            sys.exit(f"no object of the library or the program is made of {m.file}, says the build in {build.folder}")
        instead, same = {}, bool(concerned)
        for o in concerned:
            instead[o] = os.path.join(self.folder, "objects", o)
            if not build.compile(o, self.tree, instead[o]):
                return "no C", "compiler", "does not compile"
            same = same and self.is_same(o, instead[o], m)
        if same:
            return "same code", None, ""
        if concerned and not build.link_library(self.folder, instead):
            return "no C", "linker", "does not link"
        if not concerned:  # a kit of the tests
            shutil.copy(os.path.join(build.folder, "libmutant.so"), self.folder)
        program = os.path.join(self.folder, "polhode")
        os.remove(program)
        if any(build.objects[o] == "polhode" for o in concerned):
            if not build.link_program("polhode", self.folder, instead):
                return "no C", "linker", "does not link"
        else:
            os.symlink(os.path.join(build.folder, "polhode"), program)
        spent, left = 0, []
        for name in names:
            usual = self.map["suites"][name]
            if spent + usual > self.arguments.budget and spent > 0 and not is_own(name, m.file):
                left.append(name)
                continue
            programs = build.folder
            if not name.endswith(".sh"):  # suites that include the file, or a kit that does
                own = build.of(build.program_of[name].replace("/", "_")) + [o for k in KITS for o in build.of(k)]
                again = [o for o in own if m.file in build.parts[o]]
                for o in again:
                    instead[o] = os.path.join(self.folder, "objects", o)
                    if not build.compile(o, self.tree, instead[o]):
                        return "no C", "compiler", "does not compile"
                if again:
                    programs = self.folder
                    if not build.link_program(build.program_of[name], programs, instead):
                        return "no C", "linker", "does not link"
            status, seconds = run_suite(name, build, self.folder, programs, self.tree, int(3 * usual) + 5, self.arguments.form_settings)
            spent += seconds
            if status not in (0, 77):
                if not sound(name, build, self.arguments):
                    continue
                return "killed", name, "time is up" if status is None else f"exit {status}" if status > 0 else "crash"
        return "SURVIVED", None, f"{len(names) - len(left)} suites" + (f", not {' '.join(left)}" if left else "")

    def is_same(self, o, target, m):
        """Did the compiler make the same code of it?"""
        if not m.file.endswith(".c"):
            return False
        if o not in self.same:
            mutant = read(os.path.join(self.tree, m.file))
            shutil.copy(os.path.join(self.build.source, m.file), os.path.join(self.tree, m.file))
            plain = os.path.join(self.folder, "same", o)
            self.build.compile(o, self.tree, plain)
            write(os.path.join(self.tree, m.file), mutant)
            with open(plain, "rb") as file:
                self.same[o] = file.read()
        with open(target, "rb") as file:
            return file.read() == self.same[o]


sound_suites, sound_lock = {}, threading.Lock()


def sound(name, build, arguments):
    """Does the suite pass without a fault? Asked when it kills for the first time."""
    with sound_lock:
        if name not in sound_suites:
            sound_suites[name] = run_suite(name, build, build.folder, build.folder, build.source, 600, arguments.form_settings)[0] == 0
            if not sound_suites[name]:
                print(f"{name} fails without a fault, and judges nobody", flush=True)
    return sound_suites[name]


def show(m):
    return f"{m.old!r} -> {m.new!r}"


def main():
    parser = argparse.ArgumentParser(description="Puts faults into the library and looks which suite notices.")
    parser.add_argument("build_dir", nargs="?")
    parser.add_argument("--check", action="store_true", help="only see whether each row of the table applies")
    parser.add_argument("--table", action="store_true", help="the rows of tests/mutation/mutations.txt")
    parser.add_argument("--sample", type=int, default=0, help="so many faults at random from the source")
    parser.add_argument("--seed", default="1", help="of the sample: the same sources and seed give the same faults")
    parser.add_argument("--changed", metavar="SINCE", help="sample lines that differ from this commit")
    parser.add_argument("--only", default="", help="only files whose path contains this, or one of these: lib/,integrators/")
    parser.add_argument("--lines", default="1-99999", help="only these rows of the table: lines, e.g. 8,20-30")
    parser.add_argument("--map", action="store_true", help="look again which suites execute which lines")
    parser.add_argument("--list", action="store_true", help="print the faults, and try none")
    parser.add_argument("--short", action="store_true", help="suites in the short form, which is that of sanitizers")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--budget", type=float, default=60, help="s of suites for a mutant; slower suites are left out")
    arguments = parser.parse_args()
    arguments.form_settings = {"POLHODE_CHECK_SHORT": "1"} if arguments.short else {}

    table, wrong = read_table()
    for text in wrong:
        print(text)
    if arguments.check:
        return 1 if wrong or not table else 0
    if arguments.sample:
        chosen, places = sample(arguments.sample, arguments.seed, arguments.changed, arguments.only)
        print(f"{len(chosen)} faults of {places} lines, seed {arguments.seed}", flush=True)
    elif arguments.table:
        ranges = [[int(n) for n in part.split("-")] for part in arguments.lines.split(",")]
        chosen = [m for m in table if any(word in m.file for word in arguments.only.split(",")) and any(r[0] <= m.line <= r[-1] for r in ranges)]
    else:
        parser.error("one of --check, --table, --sample is wanted")
    if arguments.list:
        for m in chosen:
            print(f"{m.file}:{m.line}: {m.remark}: {show(m)}")
        return 0
    if not chosen:
        print("no fault to try")
        return 1
    if not arguments.build_dir:
        parser.error("a directory to build in is wanted")
    root = os.path.abspath(arguments.build_dir)
    begin = time.monotonic()
    copy_tree(os.path.join(root, "source"))
    map_ = take_map(root, arguments.jobs, "short" if arguments.short else "", arguments.map)
    build = Build(root, "plain", arguments.jobs)
    print(f"built and mapped after {time.monotonic() - begin:.0f} s: {len(map_['suites'])} suites", flush=True)

    workers, count, killers = queue.Queue(), collections.Counter(), collections.Counter()
    for number in range(arguments.jobs):
        workers.put(Worker(build, map_, root, number, arguments))

    def judge(m):
        worker, start = workers.get(), time.monotonic()
        try:
            return m, worker.judge(m), time.monotonic() - start
        finally:
            workers.put(worker)

    begin, survivors = time.monotonic(), []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(judge, m) for m in chosen]):
            m, (word, by, why), seconds = done.result()
            count[word] += 1
            killers[by] += word == "killed"
            if word in ("SURVIVED", "NOT REACHED", "stale"):
                survivors.append((m, why))
            print(f"{word:11s} {m.file}:{m.line}: {m.remark}: {show(m)} [{by + ': ' if by else ''}{why}, {seconds:.1f} s]", flush=True)
    print("\nfirst killers: " + ", ".join(f"{n} {c}" for n, c in killers.most_common() if c))
    print(", ".join(f"{c} {w}" for w, c in sorted(count.items())) + f"; {time.monotonic() - begin:.0f} s")
    tried = count["killed"] + count["SURVIVED"] + count["NOT REACHED"]
    if tried:
        print(f"killed {count['killed']} of {tried} ({100 * count['killed'] / tried:.0f} %)")
    for m, why in survivors:
        print(f"look at {m.file}:{m.line}: {show(m)} ({why})")
    return 1 if not tried or (arguments.table and (survivors or wrong)) else 0


if __name__ == "__main__":
    sys.exit(main())
