#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compositions have the order that they say, to the last digit.
set -eu
: "${top_srcdir:=.}"
. "$top_srcdir/tests/kit/untried.sh"
python3 --version > /dev/null 2>&1 || skip "there is no python3"
python3 "$top_srcdir/tests/methods/compositions.py" "$top_srcdir/integrators/shared/compositions.h" \
    "$top_srcdir/integrators/shared/compositions.c"
