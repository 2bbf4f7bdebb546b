#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Tests of the tests: each row of mutations.txt breaks one place of the library, and some unit test must
# notice. All work is done on a copy of the source tree below BUILD_DIR, which is made and kept there.
#     python3 tests/mutate.py BUILD_DIR [--only TEXT] [--lines 8,20-30] [--skip roots,long] [--trust]
# Exit status 1 if a row no longer applies, or a mutant survives that is not marked equivalent (or one so
# marked is killed).
import argparse
import collections
import filecmp
import glob
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = ("include", "integrators", "lib", "tests", "tools", "bench", "examples", "m4")
# Programs in the order they are tried: the quick ones, what else is quick, and the slow ones last.
QUICK = (
    "variational parts stepping solver reference forces system chain models state space derivatives fluid "
    "oscillations dense algebra rotation product body catalogue rigid particles carts dipoles n_body group "
    "moser_veselov multipliers embedded_errata sphere_errata reduction_errata embedding embedded_motion discrete lagrangian "
    "columns general_parts forms roots general tensions sparse_step compositions galerkin multistep precision trees chains articulated rods nets"
).split()
MORE = "binding bits events pack space_points text archive record faults scenario scenario_errors summary table kinds large alloc".split()
BENCH = "bench_roundoff".split()  # what is behind `polhode bench`, which is a library of its own
SLOW = "contract run claims long".split()
# Where a folder has a suite of its own, that one goes first.
OWN = {
    "integrators/arkode.c": "reference",
    "integrators/cf4.c": "group",
    "integrators/cvode.c": "reference",
    "integrators/discrete-lagrangian.c": "discrete",
    "integrators/galerkin.c": "galerkin",
    "integrators/galerkin-curve.c": "galerkin",
    "integrators/increments.c": "discrete",
    "integrators/multistep.c": "multistep",
    "integrators/multistep.h": "multistep",
    "integrators/multistep-coefficients.c": "multistep",
    "integrators/multistep-few.c": "multistep",
    "integrators/multistep-start.c": "multistep",
    "integrators/multistep-tangent.c": "multistep",
    "integrators/multistep-tensions.c": "multistep",
    "integrators/moser-veselov.c": "moser_veselov",
    "integrators/moser-veselov-series.c": "moser_veselov",
    "integrators/rk4-projected.c": "reference",
    "integrators/rk4.c": "reference",
    "integrators/rkmk4.c": "group",
    "integrators/sundials.c": "reference",
    "integrators/variational-articulated.c": "articulated",
    "integrators/variational-bodies.c": "product",
    "integrators/variational-carry.c": "product",
    "integrators/variational-few.c": "sparse_step",
    "integrators/variational-few.h": "sparse_step",
    "integrators/variational-few-stages.c": "compositions",
    "integrators/variational-composition.c": "compositions",
    "integrators/compositions.c": "compositions",
    "integrators/variational-stages.h": "compositions",
    "integrators/variational-lanes.h": "sparse_step",
    "integrators/variational-tree.c": "trees",
    "integrators/variational-general.c": "general_parts",
    "integrators/variational-groups.c": "trees",
    "integrators/variational-links.h": "trees",
    "integrators/variational-chain.c": "sparse_step",
    "integrators/variational-multipliers.c": "sparse_step",
    "integrators/variational-product.c": "product",
    "integrators/variational-tensions.c": "sparse_step",
    "include/polhode/algebra.h": "algebra",
    "lib/algebra": "dense",
    "lib/algebra/band.c": "nets",
    "lib/algebra/elimination.c": "nets",
    "lib/algebra/ordering.c": "nets",
    "lib/algebra/orthogonal.c": "embedding",
    "lib/archive": "archive",
    "lib/archive/archive.c": "record",
    "lib/archive/choice.c": "record",
    "lib/archive/database.c": "record",
    "lib/archive/event-table.c": "record",
    "lib/archive/record.c": "record",
    "lib/archive/state-table.c": "record",
    "lib/method/state.c": "pack",
    "lib/archive/table.c": "table",
    "lib/archive/table-csv.c": "table",
    "lib/archive/table-hdf5.c": "table",
    "lib/archive/table-npy.c": "table",
    "lib/archive/table-npz.c": "table",
    "lib/equations": "forms",
    "lib/equations/chain-few.c": "chains",
    "lib/equations/chain-rk4.c": "chains",
    "lib/equations/field.c": "reference",
    "lib/equations/group.c": "group",
    "lib/equations/rk4.c": "chains",
    "lib/equations/tensions.c": "chains",
    "lib/internal/chain-few.h": "chains",
    "lib/internal/chain-kernel.h": "chains",
    "lib/internal/chain-rk4.h": "chains",
    "lib/method": "contract",
    "lib/models": "chain",
    "lib/models/apart.c": "particles",
    "lib/models/attraction.h": "n_body",
    "lib/models/body.c": "rigid",
    "lib/models/branching-pendulum.c": "rods",
    "lib/models/cantilever.c": "rods",
    "lib/models/cart-chain.c": "carts",
    "lib/models/catalogue.c": "models",
    "lib/models/coupled-pendula.c": "particles",
    "lib/models/dipole-array.c": "dipoles",
    "lib/models/dipole-array.c": "particles",
    "lib/models/dipole-field.h": "dipoles",
    "lib/models/elastic-chain.c": "rods",
    "lib/models/free-rigid-body.c": "rigid",
    "lib/models/hanging-cable.c": "rods",
    "lib/models/heavy-top.c": "rigid",
    "lib/models/pendulum-3d.c": "rigid",
    "lib/models/planar-cart.c": "carts",
    "lib/models/planar-chain.c": "particles",
    "lib/models/planar-pendulum.c": "particles",
    "lib/models/planar.c": "particles",
    "lib/models/rigid-chain.c": "rigid",
    "lib/models/rod.c": "rods",
    "lib/models/sphere-n-body.c": "n_body",
    "lib/models/sphere-n-body.c": "particles",
    "lib/models/submerged-pendula.c": "fluid",
    "lib/models/cart.c": "carts",
    "lib/models/links.c": "carts",
    "lib/models/quadrotor-cable.c": "carts",
    "lib/run": "run",
    "lib/run/columns.c": "columns",
    "lib/run/events.c": "events",
    "lib/scenario": "scenario_errors",
    "lib/solve": "solver",
    "lib/space": "space",
    "lib/status": "text",
    "lib/space/admission.c": "space_points",
    "lib/space/constraints.c": "embedding",
    "lib/space/embedding.c": "embedding",
    "lib/space/nearest.c": "embedding",
    "lib/space/projector.c": "embedding",
    "lib/space/subspace.c": "embedding",
    "lib/space/rotation.c": "rotation",
    "lib/scenario/initial.c": "kinds",
    "lib/scenario/events.c": "scenario",
    "lib/archive/summary.c": "summary",
    "lib/system": "system",
    "lib/system/articulation.c": "articulated",
    "lib/system/check.c": "derivatives",
    "lib/system/differences.c": "derivatives",
    "lib/system/frame.c": "derivatives",
    "lib/system/manifold.c": "derivatives",
    "lib/system/mistake.c": "derivatives",
    "lib/system/net.c": "nets",
    "lib/system/rate.c": "derivatives",
    "lib/system/report.c": "derivatives",
    "lib/system/tensions.c": "tensions",
    "lib/system/tree.c": "tensions",
    "lib/system/lagrangian.c": "lagrangian",
    "lib/system/legendre.c": "lagrangian",
    "tests": "multipliers",
    "tests/bundles.c": "reduction_errata",
    "tests/errata.c": "sphere_errata",
}
# Of the tests' own kits, those that are judged like the library.
KITS = [f"tests/{n}.o" for n in ("bundles", "errata", "constrained", "multipliers")]
# Seconds of CPU time, so that a busy machine kills no mutant; the others 30. About three times what is needed.
TIMEOUT = {"claims": 150, "contract": 60, "long": 120, "run": 90}

Mutation = collections.namedtuple("Mutation", "line file occurrence old new remark")


def read_table(path):
    """Rows FILE[#OCCURRENCE] @@ OLD @@ NEW @@ REMARK; \\n stands for a new line."""
    rows = []
    with open(path, encoding="utf-8") as table:
        for number, line in enumerate(table, 1):
            line = line.rstrip("\n")
            if not line.strip() or line.startswith("#"):
                continue
            fields = [field.strip() for field in line.split("@@")]
            if len(fields) != 4:
                sys.exit(f"{path}:{number}: {len(fields)} fields, not 4")
            place, old, new = (field.replace("\\n", "\n") for field in fields[:3])
            name, _, occurrence = place.partition("#")
            rows.append(Mutation(number, name, int(occurrence or 0), old, new, fields[3]))
    return rows


def mutated(text, m):
    """The text with the mutation, or None where it does not apply."""
    count = text.count(m.old)
    if m.old == m.new or count < max(m.occurrence, 1) or (not m.occurrence and count != 1):
        return None
    at = -1
    for _ in range(max(m.occurrence, 1)):
        at = text.index(m.old, at + 1)
    return text[:at] + m.new + text[at + len(m.old):]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def copy_tree(copy):
    """The source as it is now; files that have not changed keep their time."""
    for folder, names, files in os.walk(SOURCE):
        inside = os.path.relpath(folder, SOURCE)
        if inside == ".":
            names[:] = [n for n in names if n in FOLDERS + ("build-aux", "scripts", "doc")]
        os.makedirs(os.path.join(copy, inside), exist_ok=True)
        for name in files:
            source, target = os.path.join(folder, name), os.path.join(copy, inside, name)
            if not os.path.exists(target) or not filecmp.cmp(source, target, shallow=False):
                shutil.copy(source, target)


def prepare(root):
    copy, build = os.path.join(root, "source"), os.path.join(root, "build")
    copy_tree(copy)
    os.makedirs(build, exist_ok=True)
    if not os.path.exists(os.path.join(build, "Makefile")):
        subprocess.run(["autoreconf", "-fi"], cwd=copy, check=True, stderr=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL)
        subprocess.run([os.path.join(copy, "configure"), "-q", "--disable-shared", "--enable-static",
                        "CFLAGS=-O1"], cwd=build, check=True)
    return copy, build


def run(command, folder, environment, seconds):
    """Exit status; None when the time is up: seconds of CPU time in a process, or ten times as long by the clock."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, preexec_fn=limit,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        status = process.wait(10 * seconds)
        return None if status in (-signal.SIGXCPU, -signal.SIGKILL) else status
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # its own session: nothing but what it started
        process.wait()
        return None


def own_objects(build, name):
    """Objects of a test program alone: where it has flags of its own, they are named for it."""
    named = set(re.findall(rf"\btests/check_{name}-\w+(?=\.\$\(OBJEXT\))", read(os.path.join(build, "Makefile"))))
    return sorted(o + ".o" for o in named or {f"tests/check_{name}"})


def link(build, name):
    """The program from its objects: a linker's work, while libtool packs archives first. None if it fails."""
    settings = dict(re.findall(r"^(\w+) = (.*)$", read(os.path.join(build, "Makefile")), re.MULTILINE))
    own = own_objects(build, name)
    twice = {"tests/" + o.split("-")[-1] for o in own}  # which other programs have without those flags
    patterns = ("integrators/*.o", "lib/*/*.o", "tests/*.o") + (("bench/*.o",) if name in BENCH else ())
    objects = [o for pattern in patterns
               for o in glob.glob(pattern, root_dir=build) if not o.startswith("tests/check_") and o not in twice]
    libraries = [text for key, text in settings.items() if key.endswith("_LIBS")] + [settings["LIBS"]]
    return run(shlex.split(settings["CC"]) + ["-o", "tests/mutant_" + name] + own + objects
               + shlex.split(" ".join(libraries)), build, None, 100) == 0


def make_tests(build):
    """All objects that link() takes, up to date: what it links is not looked at again for each mutant."""
    if run(["make", "-s", "Makefile"], build, None, 1000) != 0:
        return False
    objects = set(re.findall(r"\btests/[\w-]+\.(?=\$\(OBJEXT\))", read(os.path.join(build, "Makefile"))))
    return run(["make", "-s", "libtestkit.la", "libtestkit_io.la"] + sorted(o + "o" for o in objects), build, None,
               1000) == 0


WHITE_BOX = ("parts", "general_parts", "kinds", "dipoles", "n_body")  # programs that include a source of the library: always made again
made_for_mutants = set()  # programs whose own object was made with a mutated header, to be made again


def first_killer(build, copy, order, programs, header=True):
    """(program, why) that notices, or None. Programs are made as they are needed."""
    short = dict(os.environ, top_srcdir=copy, top_builddir=build, CK_FORK="no", POLHODE_CHECK_SHORT="1")
    full = {k: v for k, v in short.items() if k != "POLHODE_CHECK_SHORT"}
    if run(["make", "-s", "libpolhode_internal.la", "libpolhode_io_internal.la"] + KITS, build, short, 600) != 0:
        return "compiler", "does not build"
    if set(BENCH) & set(order) and run(["make", "-s", "libpolhode_bench.la"], build, short, 600) != 0:
        return "compiler", "does not build"
    if "cli.sh" in order and run(["make", "-s", "polhode"], build, short, 600) != 0:
        return "compiler", "does not build"
    for name in order:
        if name.endswith(".sh"):
            if run(["sh", os.path.join(copy, "tests", name)], build, short, 100) not in (0, 77):
                return name, "fails"
            continue
        if name not in programs:
            continue
        if header or name in made_for_mutants or name in WHITE_BOX:
            if run(["make", "-s"] + own_objects(build, name), build, short, 600) != 0:
                return "compiler", "does not build"
            (made_for_mutants.add if header else made_for_mutants.discard)(name)
        if not link(build, name):
            return "compiler", "does not build"
        status = run(["./tests/mutant_" + name], build, full if name == "long" else short,
                     TIMEOUT.get(name, 30))
        if status not in (0, 77):
            return name, "time is up" if status is None else f"exit {status}" if status > 0 else "crash"
    return None


# Suites of one part that calls no other: they have nothing to say about mutants elsewhere.
ONLY_FOR = {
    "algebra": ("include", "lib/algebra"),
    "dense": ("include", "lib/algebra"),
    "discrete": ("include", "integrators", "lib/algebra", "lib/space"),
    "embedding": ("include", "lib/algebra", "lib/space"),
    "space": ("include", "lib/space"),
    "space_points": ("include", "lib/space"),
    "multipliers": ("include", "tests"),
    "embedded_errata": ("include", "tests"),
    "sphere_errata": ("include", "tests"),
    "reduction_errata": ("include", "tests"),
}


def order_for(m):
    if m.file.startswith("tools/"):
        return ["cli.sh", "export.sh", "survival"]
    if m.file.startswith("bench/"):
        return BENCH
    own = OWN.get(m.file) or OWN.get(os.path.dirname(m.file))
    first = [own] if own else []
    order = first + [n for n in QUICK + MORE + SLOW if n != own]
    return [n for n in order if m.file.startswith(ONLY_FOR.get(n, ""))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build_dir")
    parser.add_argument("--only", default="", help="only rows whose file, text or remark contains this")
    parser.add_argument("--trust", action="store_true", help="the tests pass without mutation: do not look")
    parser.add_argument("--skip", default="", help="programs not to be run, e.g. roots,long")
    parser.add_argument("--lines", default="1-99999", help="only these rows: lines, e.g. 8,20-30")
    parser.add_argument("--stop-after", type=float, default=float("inf"), help="no new mutant after this, s")
    arguments = parser.parse_args()
    table = read_table(os.path.join(SOURCE, "tests", "mutations.txt"))
    ranges = [[int(n) for n in part.split("-")] for part in arguments.lines.split(",")]
    rows = [m for m in table if any(r[0] <= m.line <= r[-1] for r in ranges)
            and arguments.only in " ".join((m.file, m.old, m.remark))]
    stale = [m for m in rows if mutated(read(os.path.join(SOURCE, m.file)), m) is None]
    for m in stale:
        print(f"stale     line {m.line}: {m.file}: {m.old!r} does not apply")
    copy, build = prepare(os.path.abspath(arguments.build_dir))
    programs = {n[6:-2] for n in os.listdir(os.path.join(SOURCE, "tests"))
                if n.startswith("check_") and n.endswith(".c")} - set(arguments.skip.split(","))
    if not make_tests(build):
        sys.exit("the tests do not build")
    broken = not arguments.trust and first_killer(build, copy, QUICK + MORE + SLOW, programs)
    if broken:
        sys.exit(f"without any mutation check_{broken[0]}: {broken[1]}")
    begin, killers, count = time.monotonic(), collections.Counter(), collections.Counter(stale=len(stale))
    wrong = []
    for m in rows:
        if m in stale:
            continue
        if time.monotonic() - begin > arguments.stop_after:
            count["left out"] += 1
            continue
        target, start = os.path.join(copy, m.file), time.monotonic()
        original = read(target)
        write(target, mutated(original, m))
        try:
            killer = first_killer(build, copy, order_for(m), programs, m.file.endswith(".h"))
        finally:
            write(target, original)
        equivalent = m.remark.startswith("equivalent")
        word = "killed" if killer else "equivalent" if equivalent else "SURVIVED"
        if bool(killer) == equivalent or (killer and killer[0] == "compiler"):
            wrong.append(m)
        count[word] += 1
        killers[killer[0] if killer else "nobody"] += 1
        print(f"{word:10s}{m.line:4d} {m.file}: {m.remark}"
              + (f" [{killer[0]}: {killer[1]}" if killer else " [-")
              + f", {time.monotonic() - start:.1f} s]", flush=True)
    print("\nfirst killers: " + ", ".join(f"{n} {c}" for n, c in killers.most_common()))
    print(f"{len(rows)} mutations: " + ", ".join(f"{c} {w}" for w, c in sorted(count.items())))
    for m in wrong:
        print(f"look at line {m.line}: {m.file}: {m.old!r} -> {m.new!r} ({m.remark})")
    return 1 if wrong or stale else 0


if __name__ == "__main__":
    sys.exit(main())
