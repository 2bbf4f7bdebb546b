# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Sourced behind kit.sh by tests of polhode plot: two runs of a double pendulum, double.out (of double.yaml) by variational and classic by rk4, in
# the locale C. Sets archive, that of the first, and python; ends the test as skipped where there is no gnuplot.
python=$(python_with sqlite3)
command -v gnuplot > /dev/null || skip "there is no gnuplot"
LC_ALL=C
export LC_ALL

sed -e 's/^duration:.*/duration: 30/' -e 's/^output:.*/output: {every: 1}/' "$top_srcdir/examples/double-spherical-pendulum.yaml" > double.yaml
expect 0 "$polhode" run --quiet double.yaml
expect 0 "$polhode" run --quiet --set method=rk4 -o classic double.yaml
# shellcheck disable=SC2034
archive=double.out/double.polhode
