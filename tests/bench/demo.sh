#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# scripts/demo: what it prints and leaves, in small, with the program that is built; and what it needs of the machine.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program

expect 0 env POLHODE="$polhode" sh "$top_srcdir/scripts/demo" --quiet -T 8 --budget 0.01 -o "$dir/demo"
grep -v -e '^$' -e '^==> Computing' out > shown
test "$(wc -l < shown)" -le 12 || fail "the demo prints $(wc -l < shown) lines: $(cat shown)"
says out "Double spherical pendulum" "at the same CPU time" "projected RK4" "multistep, order 6" "variational, order 8" \
    "Written: $dir/demo/report.html" "Your own scenario in the same way: $polhode bench FILE"
grep -q '<svg class="polhode"' demo/report.html || fail "the report of the demo has no polhode"
grep -q "^polhode,moser-veselov,same-cpu," demo/results.csv || fail "moser-veselov does not take part in the demo"
if test -n "$python"; then
    $python "$top_srcdir/tests/bench/bench_files.py" demo || fail "the files of the demo are not right"
fi

# the user's own scenario, in the same way
sed 's/^duration:.*/duration: 5/' "$top_srcdir/examples/double-spherical-pendulum.yaml" > own.yaml
expect 0 "$polhode" bench own.yaml --quiet --budget 0.01
says out "at the same CPU time" "projected RK4" "multistep, order 6" "variational, order 8"
test -z "$python" || $python "$top_srcdir/tests/bench/bench_files.py" own.bench.out || fail "the files of one's own are not right"

# on a machine that lacks some packages, where nothing can be installed
lacking() {
    missing_there=" $1 "
    (
        . "$top_srcdir/scripts/setup.sh"
        is_there() { case $missing_there in *" $1 "*) return 1 ;; esac; }
        can_install() { false; }
        "$2"
    )
}
expect 0 lacking "doxygen check.pc hdf5-serial.pc cvode/cvode.h gnuplot" install_for_demo
expect 0 lacking "doxygen check.pc hdf5-serial.pc cvode/cvode.h gnuplot" left_out
says out "SUNDIALS" "libsundials-dev" "gnuplot"
grep -q -e doxygen -e hdf5 out && fail "the demo misses what it does not use: $(cat out)"
expect 0 lacking "" left_out
test ! -s out || fail "nothing is missing, and left out is $(cat out)"
expect 1 lacking "yaml-0.1.pc doxygen" install_for_demo
says err "libyaml-dev"
grep -q doxygen err && fail "the demo asks for doxygen"
expect 1 lacking "doxygen" install_missing
says out "doxygen"
exit $failed
