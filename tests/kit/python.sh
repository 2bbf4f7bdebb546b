# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the tests of the Python package, after tests/kit/kit.sh: the Python that configure took, as $python, with the package of
# the build tree. The test is skipped where there is none, or where it lacks NumPy. Sets its environment.
if test "${POLHODE_SANITIZERS:-}" = yes; then
    echo "skipped: a Python without sanitizers does not load a library with them"
    exit 77
fi
test -n "${POLHODE_PYTHON:-}" || skip "the Python package was not built"
python=$POLHODE_PYTHON
unset LD_LIBRARY_PATH # the module finds the libraries by itself
# no window; byte code of the package, but none among the sources of the tests
PYTHONPATH=$top_builddir/python MPLBACKEND=Agg PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH MPLBACKEND PYTHONDONTWRITEBYTECODE
$python -m compileall -q "$top_builddir/python/polhode"
$python -c 'import numpy' 2> /dev/null || skip "$python has no NumPy"
