#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The coefficients of the multistep methods are those of the order conditions, exactly.
set -eu
: "${top_srcdir:=.}"
. "$top_srcdir/tests/kit/untried.sh"
python3 --version > /dev/null 2>&1 || skip "there is no python3"
python3 "$top_srcdir/tests/methods/multistep.py" "$top_srcdir/integrators/multistep/coefficients.c"
