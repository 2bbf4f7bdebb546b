#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# examples/python: each script says and draws what it should, in a short form (the thorough form of the tests: as it stands), with
# warnings as errors; it checks its own numbers. Notebooks are those of their scripts, and run in the thorough form.
set -eu
: "${top_srcdir:=.}"
. "$top_srcdir/tests/kit/kit.sh"
. "$top_srcdir/tests/kit/python.sh"
for module in matplotlib scipy; do
    $python -c "import $module" 2> /dev/null || skip "$python has no $module"
done
examples=$top_srcdir/examples/python

cat > tried.py << 'END'
import contextlib, io, os, re, runpy, sys, time, traceback, warnings
from xml.etree import ElementTree
import matplotlib.image, matplotlib.pyplot as plt, numpy as np

# name, argument of the short form, what is printed, words of the figure
TABLE = [
    ("first_run", "20", r"4?\d01 rows, ok.*\n.*off by \S+e-1[0-9]; .* angular momentum by \d\S+e-1[5-7]", "time (s)|relative error|mass 2"),
    ("elastic_pendulum", "12.5", r"off by \S+e-1[0-3] m", "time (s)|displacement (cm)|bounce"),
    ("rigid_body", "1000", r"energy off by \S+e-1[56], M in space by \S+e-1[5-7], M in the body by \S+e-1[1-4]", "steps|relative error"),
    ("poincare_section", "60", r"\d+ crossings .* within \S+e-1\d s .* within \S+e-0[5-9]", "(rad)|(rad/s)"),
    ("work_precision", "3", r"order 2 .* of order 2\.\d\n.*\norder 4 .* of order [34]\.\d", "CPU time (s)|DOP853|order 8"),
    ("fit_parameters", "300", r"I1/I3 = 0\.4\d+ \+- 0\.00\d+ .*\nI2/I3 = (0\.79|0\.80)", "time (s)|angular velocity (rad/s)|95%"),
    ("animation", "6", r"pictures; .* within \S+e-(09|1\d) of DOP853", "time (s)"),
    ("binary_asteroid", "40", r"signal 9, .*\nresumed to day .* uninterrupted run: True\nfree libration at 0\.5", "time (d)|libration (deg)"),
    ("skyrmion", "20", r"charge -1\.0000", "radius"),
    ("quadrotor", "1.5", r"m from the helix; DOP853 is \S+e-(0[7-9]|1\d) m away; R\^T R - 1 is at most \S+e-1[56]", "time (s)|distance from the helix (m)"),
]


def drawn(name, words):
    image = matplotlib.image.imread(name + ".png")[..., :3]
    ink = np.mean(image.min(axis=2) < 0.9)
    assert 0.005 < ink < 0.7 and len(np.unique(image.reshape(-1, 3), axis=0)) > 30, f"{name}.png is blank or full: {ink:.3f} of it is drawn"
    text = " ".join(t for e in ElementTree.parse(name + ".svg").iter() for t in [e.text or ""])
    for word in words.split("|"):
        assert word in text, f"{name}.svg has no {word!r}"


warnings.simplefilter("error")
warnings.filterwarnings("ignore", category=DeprecationWarning, module="matplotlib|pyparsing|PIL")
folder, whole, failed = sys.argv[1], len(sys.argv) > 2, 0
found = {name[:-3] for name in os.listdir(folder) if name.endswith(".py")}
assert found == {name for name, *_ in TABLE} | {"notebooks"}, found
for name, argument, said, words in TABLE:
    sys.argv = [name] if whole else [name, argument]
    out, begun = io.StringIO(), time.process_time()
    try:
        with contextlib.redirect_stdout(out):
            runpy.run_path(f"{folder}/{name}.py", run_name="__main__")
        assert re.search(said, out.getvalue()), f"it does not say {said}"
        drawn(name, words)
    except Exception:
        failed = 1
        print(f"{name}:\n{out.getvalue()}{traceback.format_exc()}")
    print(f"{name}: {time.process_time() - begun:.1f} s")
    plt.close("all")
    plt.rcdefaults()
sys.exit(failed)
END
# shellcheck disable=SC2046
$python tried.py "$examples" $(test -n "${POLHODE_CHECK_THOROUGH:-}" && echo whole) || fail "examples"
test -s animation.gif || fail "there is no film"

# ---- Notebooks
mkdir notebooks
for name in skyrmion quadrotor; do
    (cd notebooks && $python "$(cd "$examples" && pwd)/notebooks.py" "$(cd "$examples" && pwd)/$name.py")
    cmp "notebooks/$name.ipynb" "$examples/$name.ipynb" || fail "$name.ipynb is not made from $name.py: run notebooks.py in examples/python"
done
# a kernel for each takes as long as all of the above
test -n "${POLHODE_CHECK_THOROUGH:-}" || exit $failed
$python -c 'import nbconvert, ipykernel' 2> /dev/null || {
    not_tried "whether notebooks run: $python has no nbconvert and ipykernel"
    exit $failed
}
cp "$examples/journal.mplstyle" notebooks
cd notebooks
sed -i 's/duration, h = 6.0/duration, h = 1.5/; s/side = 24/side = 20/' ./*.ipynb
env -u MPLBACKEND JUPYTER_CONFIG_DIR="$PWD" IPYTHONDIR="$PWD" PYDEVD_DISABLE_FILE_VALIDATION=1 timeout 300 $python -m nbconvert \
    --to notebook --execute --output-dir=run skyrmion.ipynb quadrotor.ipynb > log 2>&1 || { fail "notebooks do not run:"; tail -20 log; }
for name in skyrmion quadrotor; do
    grep -q '"image/png"' "run/$name.ipynb" || fail "$name.ipynb shows no figure"
done
exit $failed
