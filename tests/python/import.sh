#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The package is imported from any directory and without a warning; what else it loads is NumPy alone. The times are printed, and nothing
# fails for them.
set -eu
: "${top_srcdir:=.}"
. "$top_srcdir/tests/kit/kit.sh"
. "$top_srcdir/tests/kit/python.sh"

mkdir elsewhere
(cd elsewhere && $python -W error -c 'import polhode' > ../log 2>&1) || { fail "import polhode, with warnings as errors:"; cat log; }
test -s log && { fail "it prints:"; cat log; }
# what it needs is NumPy: Matplotlib, pandas, ... are loaded where they are used
$python -c 'import sys, polhode
print(*sorted(set(sys.modules) & {"matplotlib", "pandas", "scipy", "xarray", "cffi", "setuptools", "IPython", "sqlite3", "yaml"}))' > loaded
test -z "$(cat loaded)" || fail "it loads $(cat loaded)"
# with NumPy and without the rest of what a machine may have
$python -W error - << 'END' || fail "it cannot be imported where there is NumPy alone"
import sys
for name in ("matplotlib", "pandas", "scipy", "xarray", "cffi", "IPython", "numba"):
    sys.modules[name] = None
import polhode
END

# Of one import, with byte code: the times of the others above are those of a first one
$python -X importtime -c 'import numpy, polhode' 2> times
awk -F'|' '$3 ~ /^ polhode$/ { printf "import polhode: %.0f ms besides NumPy\n", $2 / 1000; found = 1 } END { exit !found }' times ||
    fail "no time of the import"
