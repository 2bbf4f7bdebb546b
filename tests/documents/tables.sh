#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tables of the manual that doc/tables.py makes are those of this program, and it notices where they are not.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
command -v python3 > /dev/null 2>&1 || skip "there is no python3"
"$polhode" methods cvode > /dev/null 2>&1 || skip "this program is without SUNDIALS, and the tables have its methods"
expect 0 python3 "$top_srcdir/doc/tables.py" "$polhode" "$top_srcdir/doc" --check

# a key, a model, a method and a command that are other than those of the program
cp -R "$top_srcdir/doc" doc
chmod -R u+w doc
for change in 's/^| `duration` /| `duraton` /' 's/^| `gravity` /| `gravty` /' 's/^### `rk4`/### `rk5`/' 's/^| `--json` /| `--jsn` /'; do
    rm -rf changed
    cp -R doc changed
    find changed -name '*.md' -exec sed -i "$change" {} +
    expect 1 python3 "$top_srcdir/doc/tables.py" "$polhode" changed --check
    says err "has other tables" "changed/reference/"
    expect 0 python3 "$top_srcdir/doc/tables.py" "$polhode" changed
    diff -r doc changed > different || { fail "tables.py does not write again what was there: $change"; head different; }
done
exit $failed
