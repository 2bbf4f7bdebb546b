#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# doc/evidence: its pages have the numbers of measured.json, and some of these are measured again. The table of
# doc/howto/choose-a-method-and-step.md: at the step of each row the energy error is below the one stated, and it is above
# that within 20 periods at four times the step, so that no step is needlessly short.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
test -n "$python" || skip "there is no Python"
evidence=$top_srcdir/doc/evidence
expect 0 $python -S -B "$evidence/measure.py" --check

# a number that was changed by hand, in a page or in the data, is noticed, and a table that no page has
cp -R "$evidence" changed
chmod -R u+w changed
sed -i 's/^| `rk4-projected` | 9\.0e-3 /| `rk4-projected` | 9.0e-4 /' changed/accuracy.md
expect 1 $python -S -B changed/measure.py --check
says err "accuracy.md: other numbers than in measured.json"
cp "$evidence/accuracy.md" changed
sed -i 's/^<!-- measured: bodies -->/<!-- -->/' changed/long-time.md
expect 1 $python -S -B changed/measure.py --check
says err "a page: bodies"

cat > again.py << 'END'
import json, pathlib, re, sys
sys.dont_write_bytecode = True
root, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
sys.path.insert(0, str(root / "doc/evidence"))
import accuracy
from runs import Program, named, truth
scratch = pathlib.Path("scratch").resolve()
scratch.mkdir()
p = Program(program, scratch)
kept = json.loads((root / "doc/evidence/measured.json").read_text())["orders"]

# errors at t = 10 s, of a motion that has not become chaotic by then: they repeat
for method, h in (("rk4-projected", 0.04), ("{name: variational, composition: suzuki-5}", 0.08), ("{name: multistep, order: 6}", 0.04)):
    row = next(r for r in kept["rows"] if r[0] == named(method))
    stated = float(row[kept["head"].index(f"{h} s")])
    found = accuracy.off(p.run(accuracy.PENDULUM, method, h, duration=10), truth(accuracy.PENDULUM))
    print(f"{method}, {h} s: {found:.2e}, stated {stated}")
    assert abs(found / stated - 1) < 0.1, method

# the guide: on the double spherical pendulum, whose errors hardly depend on rounding within that time, where the method takes it
systems = {"moser-veselov": "free-rigid-body",
           "kepler-rotor": {"polhode": 1, "model": "binary", "initial": {"preset": "didymos"}, "method": "variational", "step": 1, "duration": 1},
           "gauss": {"polhode": 1, "model": "submerged-pendula", "initial": {"preset": "beating"}, "method": "variational", "step": 1, "duration": 1}}
guide = (root / "doc/howto/choose-a-method-and-step.md").read_text()
rows = re.findall(r"^\|[^|]*\| `([^`]*)` \| 1/(\d+) [^|]*\| ([\d.e-]+) \|$", guide, re.M)
assert len(rows) == 8, rows
# what was measured on all systems is below what is stated; of multistep on one or two links alone
measured = json.loads((root / "doc/evidence/measured.json").read_text())["first-steps"]["rows"]
for method, part, stated in rows:
    if method == "kepler-rotor":  # of bodies under mutual gravity alone: measured below
        continue
    row = next(r for r in measured if r[0] == named(method) and r[1] == f"1/{part}")
    errors = [float(x) for x in (row[2:3] if "multistep" in method else row[2:]) if x]
    assert max(errors) <= float(stated), (method, errors)
periods = {}
for method, part, stated in rows:
    system = next((s for name, s in systems.items() if name in method), "double-spherical-pendulum")
    key, errors = str(system), []
    if key not in periods:
        periods[key] = p.period(system)
    for k, length in ((int(part), 100), (int(part) / 4, 20)):
        s = p.run(system, method, periods[key] / k, duration=length * periods[key])
        errors.append(s["energy_error_max"] if s["status"] == "ok" else float("inf"))
    print(f"{method}, 1/{part}: {errors[0]:.1e}, stated {stated}, at four times the step {errors[1]:.1e}")
    assert errors[0] <= float(stated), method
    # the map of a free body keeps the energy at any step
    assert errors[1] > float(stated) or "moser-veselov" in method, method
END
expect 0 $python -S again.py "$top_srcdir" "$polhode"
cat out
exit $failed
