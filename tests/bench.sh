#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode bench: its table, its files, with gnuplot and without, and what it refuses.
set -eu
. "${top_srcdir:=.}/tests/kit.sh"
need_program

sed 's/^duration:.*/duration: 5/' "$top_srcdir/examples/double-spherical-pendulum.yaml" > small.yaml

# every method of the catalogue at one step size
expect 0 "$polhode" bench --quiet small.yaml
methods=$("$polhode" methods | awk '{print $1}')
for method in $methods; do
    says out "$method "
    grep -q "^$method,0.01" small.bench.out/bench.csv || fail "bench.csv has no row of $method"
done
test ! -s err || { fail "errors were printed:"; cat err; }
test "$(wc -l < small.bench.out/bench.csv)" -eq $(($(echo "$methods" | wc -l) + 1)) || fail "bench.csv has other rows"
for file in bench.csv energy-error.csv; do
    awk -F, 'NR == 1 { n = NF } NF != n { exit 1 } END { if (NR < 2) exit 1 }' small.bench.out/$file || fail "$file is broken"
done
if gnuplot --version > version 2> /dev/null; then
    head -c 100 small.bench.out/energy-error.svg | grep -q '<?xml\|<svg' || fail "energy-error.svg is no picture"
    says out energy-error.svg
else
    echo "no gnuplot: the figure is not tried"
fi
test -z "$(ls small.bench.out | grep part || true)" || fail "temporary files are left"

# what is there stays
cp -R small.bench.out before
expect 3 "$polhode" bench --quiet small.yaml
says err "exists already" "--force"
diff -r small.bench.out before || fail "a refused comparison changed its results"
expect 0 "$polhode" bench --quiet --force -m rk4 -T 1 small.yaml
test "$(wc -l < small.bench.out/bench.csv)" -eq 2 || fail "--force did not replace the table"

# without gnuplot: the table and a word about it, and no picture of earlier results beside the new ones
mkdir tools
for tool in sh dash bash sed; do
    path=$(command -v $tool || true)
    test -z "$path" || ln -s "$path" tools/$tool
done
# libtool's wrapper wants the usual tools; the program behind it is what is meant here
real=$polhode
test ! -x "$top_builddir/.libs/polhode" || real=$top_builddir/.libs/polhode
LD_LIBRARY_PATH=$top_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
expect 0 env PATH="$dir/tools" "$real" bench --quiet --force -m rk4 -m variational -s 0.01 -s 0.05 small.yaml
says out "no figure" "gnuplot"
test "$(wc -l < small.bench.out/bench.csv)" -eq 5 || fail "two methods at two step sizes are four rows"
test ! -e small.bench.out/energy-error.svg || fail "the figure of an earlier comparison is left beside new results"

# options of a method; a method that diverges is a result like others
expect 0 "$polhode" bench --quiet -o forms -m rk4:form=q-omega -m rk4:form=q-qdot -s 0.1 -T 100 small.yaml
says out "rk4:form=q-omega" "rk4:form=q-qdot" "diverged"
says forms/bench.csv PH_E_DIVERGED PH_OK
grep -q -i -e 'nan' forms/energy-error.csv && fail "energy-error.csv has NaN"

# what it says does not hang on the order of the methods, and times are elapsed ones
overtaken='rk4-projected starts with the smaller energy error; after'
for order in "-m variational -m rk4-projected" "-m rk4-projected -m variational" "-m rk4 -m rk4-projected -m variational"; do
    # shellcheck disable=SC2086
    expect 0 "$polhode" bench --quiet --force $order -s 0.1 -T 10000 -o order small.yaml
    says out "$overtaken" "variational is ahead for good"
done
sed 's/^  omega:.*/&\n  time: 100000/' small.yaml > later.yaml
expect 0 "$polhode" bench --quiet --force -m rk4-projected -m variational -s 0.1 -T 10000 -o order later.yaml
says out "$overtaken"
grep -q 'after 1e+05\|after 1\.[0-9]*e+05' out && fail "a time that is not elapsed time is given"

# nothing to draw, nothing to tell apart
sed -e '/^initial:/,/omega:/d' -e 's/^method:/initial: {preset: hanging}\n&/' small.yaml > rest.yaml
expect 0 "$polhode" bench --quiet -m variational -m rk4 -o rest rest.yaml
says out "no energy error at all" "equal energy errors" "no error is above 0"

# a directory's name is a name, whatever it holds
odd="a\`touch injected\`b 'c' \"d\" \$HOME"
expect 0 "$polhode" bench --quiet -m variational -o "$odd" small.yaml
test ! -e injected || fail "a directory's name was run as a command"
if test -f small.bench.out/../before/energy-error.svg; then
    test -s "$odd/energy-error.svg" || fail "no figure in a directory with an odd name"
fi

# Ctrl-C: the comparisons that were made are reported
"$polhode" bench -m rk4 -m variational -s 0.01 -T 1e6 -o stopped small.yaml > out 2> err &
running=$!
sleep 2
kill -INT $running 2> /dev/null || true
code=0
wait $running || code=$?
test $code -eq 130 || fail "Ctrl-C gives exit status $code, not 130"
says err "what there is was written"
says stopped/bench.csv rk4 variational PH_E_INTERRUPTED

# a full disk behind the standard output
if test -w /dev/full; then
    code=0
    "$polhode" models > /dev/full 2> err || code=$?
    test $code -eq 3 || fail "a lost list gives exit status $code, not 3"
fi

# mistakes: nothing is run, nothing is written
expect 2 "$polhode" bench small.yaml -o no -m leapfrog
says err "there is: variational"
expect 2 "$polhode" bench small.yaml -o no -m rk4:frm=q-omega
says err 'did you mean "form"?'
expect 2 "$polhode" bench small.yaml -o no -m rk4:form
says err "option=value"
expect 2 "$polhode" bench small.yaml -o no -m rk4:form=q
says err "not one of: q-qdot q-omega"
expect 2 "$polhode" bench small.yaml -o no -s 0
expect 2 "$polhode" bench small.yaml -o no -s 1e-2x
expect 2 "$polhode" bench small.yaml -o no -T -5
expect 2 "$polhode" bench small.yaml -o no -s 0.3 -T 1
says err "whole number of steps"
expect 2 "$polhode" bench missing.yaml -o no
expect 2 "$polhode" bench -o no
test ! -e no || fail "a mistake has left a directory"
echo > file
expect 3 "$polhode" bench --quiet -o file -m rk4 small.yaml
exit $failed
