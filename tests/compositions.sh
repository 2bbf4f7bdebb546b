#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compositions have the order that they say, to the last digit.
set -eu
: "${top_srcdir:=.}"
if ! python3 --version > /dev/null 2>&1; then
    echo "SKIP: there is no python3"
    exit 77
fi
python3 "$top_srcdir/tests/compositions.py" "$top_srcdir/integrators/compositions.c"
