#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# rk8 has the order that it says, to the last digit.
set -eu
: "${top_srcdir:=.}"
. "$top_srcdir/tests/kit/untried.sh"
python3 --version > /dev/null 2>&1 || skip "there is no python3"
python3 "$top_srcdir/tests/methods/runge-kutta.py" "$top_srcdir/integrators/runge-kutta/rk8-table.h"
