#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The coefficients of the multistep methods are those of the order conditions, exactly.
set -eu
: "${top_srcdir:=.}"
if ! python3 --version > /dev/null 2>&1; then
    echo "SKIP: there is no python3"
    exit 77
fi
python3 "$top_srcdir/tests/multistep.py" "$top_srcdir/integrators/multistep-coefficients.c"
