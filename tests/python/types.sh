#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mypy --strict has nothing to say about the package, its tests and the examples in Python, which take Python 3.9.
set -eu
: "${top_srcdir:=.}"
. "$top_srcdir/tests/kit/kit.sh"
. "$top_srcdir/tests/kit/python.sh"
$python -c 'import mypy' 2> /dev/null || skip "$python has no mypy"
unset PYTHONPATH

set --
for file in "$top_srcdir"/tests/python/*.py "$top_srcdir"/examples/python/*.py; do
    test ! -f "$file" || set -- "$@" "$file"
done
# what is wrong here must be found, and nothing else
printf 'import polhode\n\n\ndef half(x: int) -> int:\n    return x / 2\n' > wrong.py
# these have no types, or not in all versions
# not the types of xarray, which take longer to read than all others
printf "[mypy]\n[mypy-matplotlib.*,scipy.*]\nignore_missing_imports = True\n[mypy-xarray.*]\nfollow_imports = skip\n" > mypy.ini
MYPYPATH=$top_builddir/python $python -m mypy --config-file=mypy.ini --strict --no-warn-unused-ignores --no-error-summary --cache-dir="$top_builddir/python/mypy" --python-version=3.9 \
    wrong.py "$top_builddir/python/polhode" "$@" > log 2>&1 || true
grep -q '^wrong.py:5: error: Incompatible return value' log || fail "mypy does not find what is wrong:"
grep -v '^wrong.py:5: ' log && failed=1 || true
