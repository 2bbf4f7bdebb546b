#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runge-Kutta-Nystroem splittings have the orders that they say, to the last digit.
set -eu
: "${top_srcdir:=.}"
. "$top_srcdir/tests/kit/untried.sh"
python3 --version > /dev/null 2>&1 || skip "there is no python3"
python3 "$top_srcdir/tests/methods/nystroem.py" "$top_srcdir/integrators/rotor-splitting/nystroem.h" \
    "$top_srcdir/integrators/rotor-splitting/nystroem.c"
