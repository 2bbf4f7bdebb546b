#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode bench: its table, its files, and what it refuses.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program

# bench STATUS ARGUMENT...: in little time; refused TEXT ARGUMENT...: a mistake, with this in its message
bench() {
    status=$1
    shift
    expect "$status" "$polhode" bench "$@" --quiet --budget 0.01
}
refused() {
    why=$1
    shift
    expect 2 "$polhode" bench "$@" -o no
    says err "$why"
}

sed 's/^duration:.*/duration: 5/' "$top_srcdir/examples/double-spherical-pendulum.yaml" > small.yaml
files="report.html results.json results.csv work-precision.csv curves.csv"

# every method of the catalogue that takes pendula
methods=$("$polhode" methods | awk '$1 != "moser-veselov" && $1 != "kepler-rotor" && $1 != "dla" && $1 != "spherical-midpoint" && $1 != "spin-splitting" && $1 != "rotor-splitting" {print $1}') # these take other systems
# every day one of each kind: all of them in the thorough form
test -n "${POLHODE_CHECK_THOROUGH-}" ||
    methods=$(echo "$methods" | grep -x -e variational -e multistep -e gauss -e rk4 -e arkode)
# shellcheck disable=SC2046,SC2086
bench 0 --words $(printf ' -m %s' $methods) small.yaml
for method in $methods; do
    says out "$method "
    says out "  $method is verified: "
    case $method in arkode | cvode) basis=own-steps ;; *) basis=same-step ;; esac
    grep -q "^small.yaml,$method,$basis," small.bench.out/results.csv || fail "results.csv has no row of $method"
    test "$(grep -c "^small.yaml,$method," small.bench.out/work-precision.csv)" -eq 7 || fail "$method has not seven steps"
done
test ! -s err || { fail "errors were printed:"; cat err; }
for file in results.csv work-precision.csv curves.csv; do
    awk -F, 'NR == 1 { n = NF } NF != n { exit 1 } END { if (NR < 2) exit 1 }' small.bench.out/$file || fail "$file is broken"
    grep -i -q -e '[^a-z]nan[^a-z]' -e '[^a-z]inf[^a-z]' small.bench.out/$file && fail "$file has numbers that are none"
done
test -z "$(ls small.bench.out | grep part || true)" || fail "temporary files are left"

# results.json is JSON, and agrees with the table; the page is whole, and refers to nothing outside itself
if test -n "$python"; then
    $python "$top_srcdir/tests/bench/bench_files.py" small.bench.out || fail "the files of the bench are not right"
else
    not_tried "what is in results.json and report.html: there is no python3"
fi
test "$(grep -c '<svg class="curves"' small.bench.out/report.html)" -ge 6 || fail "report.html lacks figures"

# when nobody is named: those that the table of contenders marks
bench 0 -T 1 -o standard small.yaml
cut -d, -f2 standard/results.csv | sort -u > standard.methods
for method in rk4-projected multistep:order=6 variational:order=8 variational rk4; do
    grep -q "^$method\$" standard.methods || fail "$method does not take part by default"
done
grep -q "^rkmk4\$" standard.methods && fail "a contender that is not standard takes part unasked"

# what is shown first: a headline, with its small table, in few lines; the page has it, and says what the files say
test "$(wc -l < out)" -le 9 || fail "a comparison prints $(wc -l < out) lines: $(cat out)"
says out "energy error" "projected RK4" "multistep, order 6" "variational, order 8"
made=standard
# in the thorough form (every day in tests/bench/demo.sh) a rigid body: its polhode, with moser-veselov among the contenders
if test -n "${POLHODE_CHECK_THOROUGH-}"; then
    bench 0 -T 32 -s 0.32 -o bodies small.yaml polhode
    test "$(wc -l < out)" -le 10 || fail "two comparisons print $(wc -l < out) lines: $(cat out)"
    grep -q "^polhode,moser-veselov,same-cpu," bodies/results.csv || fail "moser-veselov does not take part"
    grep -q '<svg class="polhode"' bodies/report.html || fail "there is no polhode"
    made="standard bodies"
fi
for place in $made; do
    test -z "$python" || $python "$top_srcdir/tests/bench/bench_files.py" $place || fail "the files in $place are not right"
done

# problems of the table, by name; several in one report
bench 0 --words -T 20 -s 0.1 -m variational -m rk4-projected -o two conical-pendulum small.yaml
says out "A spherical pendulum on a steady cone" "exact, a rotation" "Written: two/report.html"
grep -q "^conical-pendulum,variational,same-cpu," two/results.csv || fail "there is no row at the same CPU time"
expect 0 "$polhode" bench --list
says out "* double-spherical-pendulum" "  chain-40"

# what is there stays
cp -R small.bench.out before
bench 3 small.yaml
says err "exists already" "--force"
diff -r small.bench.out before || fail "a refused comparison changed its results"
bench 0 --force -m rk4 -T 1 small.yaml
test "$(wc -l < small.bench.out/results.csv)" -eq 2 || fail "--force did not replace the table"

bench 0 --force -m rk4 -m variational -s 0.01 -s 0.05 small.yaml
test "$(grep -c same-step small.bench.out/results.csv)" -eq 4 || fail "two methods at two step sizes are four rows"

# options of a method; a method that diverges is a result like others, and keeps its row with the time
bench 0 --words -o forms -m rk4:form=q-omega -m rk4:form=q-qdot -s 0.1 -T 100 small.yaml
says out "rk4:form=q-omega" "rk4:form=q-qdot" "diverged at t ="
says forms/results.csv PH_E_DIVERGED PH_OK

# what it says does not hang on the order of the methods, and times are elapsed ones
overtaken='rk4-projected starts with the smaller energy error; after'
for order in "-m variational -m rk4-projected" "-m rk4-projected -m variational" "-m rk4 -m rk4-projected -m variational"; do
    # shellcheck disable=SC2086
    bench 0 --words --force $order -s 0.1 -T 10000 -o order small.yaml
    says out "$overtaken" "variational is ahead for good"
done
sed 's/^  omega:.*/&\n  time: 100000/' small.yaml > later.yaml
bench 0 --words --force -m rk4-projected -m variational -s 0.1 -T 10000 -o order later.yaml
says out "$overtaken"
# (what is extrapolated may be of any length: it hangs on the step sizes that take the same time)
sed 's/would pass the other after [^ ]* s (extrapolated)//' out |
    grep -q 'after 1e+05\|after 1\.[0-9]*e+05' && fail "a time that is not elapsed time is given"

# backwards; with forces; nothing to draw, nothing to compare
sed 's/^step:.*/step: -0.01/; s/^duration:.*/duration: 5/' small.yaml > back.yaml
bench 0 --words -m variational -m rk4-projected -o back back.yaml
says out "variational is verified" "rk4-projected is verified"
bench 0 --words -m variational -m rk4-projected -T 5 -o driven "$top_srcdir/examples/driven-chain.yaml"
says out "The system has forces"
test -z "$python" || $python "$top_srcdir/tests/bench/bench_files.py" driven || fail "the files in driven are not right"
grep -q '<h1>With forces, which change the energy' driven/report.html || fail "the headline of a system with forces is another"
grep -q "smaller energy error" out && fail "a system with forces has a winner by its energy"
sed -e '/^initial:/,/omega:/d' -e 's/^method:/initial: {preset: hanging}\n&/' small.yaml > rest.yaml
bench 0 --words -m variational -m rk4 -o rest rest.yaml
says out "no energy error at all" "equal energy errors" "no step size has an error above rounding"

# a directory's name is a name, whatever it holds
odd="a\`touch injected\`b 'c' \"d\" \$HOME"
bench 0 -m variational -o "$odd" small.yaml
test ! -e injected || fail "a directory's name was run as a command"
test -s "$odd/report.html" || fail "no report in a directory with an odd name"
odd="'; system \"touch injected\"; <script>alert(1)<script>&.yaml"
cp small.yaml "$odd"
bench 0 -m variational -o odd "./$odd"
test ! -e injected || fail "a scenario's name was run as a command"
grep -q '<script>alert' odd/report.html && fail "a scenario's name is markup in report.html"

# Ctrl-C at a terminal, when the progress there says that steps of a long trial are taken: the comparisons that were made are
# reported
if script -qec true /dev/null > /dev/null 2>&1; then
    mkfifo keys
    script -qec "$polhode bench --budget 0.01 -m rk4 -m variational -s 0.01 -T 1e7 -o stopped small.yaml" /dev/null < keys > shown 2>&1 &
    running=$!
    exec 3> keys
    await grep steps/s shown
    printf '\003' >&3
    code=0
    wait $running || code=$?
    running=
    exec 3>&-
    test $code -eq 130 || fail "Ctrl-C gives exit status $code, not 130: $(cat shown)"
    says shown "results up to there were written"
    says stopped/results.csv rk4 variational PH_E_INTERRUPTED
    says stopped/report.html "nterrupted"
else
    not_tried "Ctrl-C in a comparison: there is no program script"
fi

# how cost grows with size: every method that there is, in small; sizes, files, words
bench 0 scaling --to 2 -o scaling
says out "chain-pendulum, links = 1 to 2" "At n = 2 a step takes least with" "Written: scaling/report.html"
for method in $methods; do
    says out "$method "
    test "$(grep -c "^chain-pendulum,$method," scaling/scaling.csv)" -eq 2 || fail "scaling.csv has not two rows of $method"
done
awk -F, 'NR == 1 { n = NF } NF != n { exit 1 } END { if (NR < 4) exit 1 }' scaling/scaling.csv || fail "scaling.csv is broken"
bench 0 scaling --from 3 --to 20 -s 0.0001 -m variational -m rk4:form=q-omega -o models cart-chain rigid-chain
says out "cart-chain, links = 3 to 20" "rigid-chain, bodies = 3 to 20" "n ="
test "$(cut -d, -f3 models/scaling.csv | grep -v n | sort -nu | tr '\n' ' ')" = "3 5 10 20 " ||
    fail "other sizes: $(cut -d, -f3 models/scaling.csv)"
bench 0 scaling --to 5 -m rk4 -b 0.01 -o defaults quadrotor-cable dipole-array branching-pendulum
says out "quadrotor-cable, links = 1 to 5" "dipole-array, dipoles = 2 to 5" "branching-pendulum, depth = 1 to 5 (1 to 31 parts)"
bench 0 scaling --limit 1e-7 --to 5 -m rk4 -o none
says out "rk4 from n = 1 on: would take" "the limit is 1e-07 s" "Nothing was timed"
bench 3 scaling -o scaling -m rk4 --to 1
says err "exists already" "--force"
for wrong in "--to 0" "--from 5 --to 2" "--to 1e99" "--from x" "-s 0" "-m leapfrog" "heavy-top" "chain-pendulm" "--limit 0"; do
    # shellcheck disable=SC2086
    expect 2 "$polhode" bench scaling -o no $wrong
    test -s err || fail "nothing is said about $wrong"
done

# compared with SUNDIALS where it is installed; elsewhere the message says what to install
if echo "$methods" | grep -q arkode; then
    bench 0 peers --limit 0.1 -T 20 -o peers double-spherical-pendulum
    says out "right-hand side in the form" "The trajectory error at t = 10 s costs least with" \
        "The largest energy error within 20 s costs least with" "Written: peers/report.html"
    for method in variational rk4 rk4-projected arkode cvode; do
        grep -q "^double-spherical-pendulum,${method}[:,]" peers/peers.csv || fail "peers.csv has no row of $method"
    done
else
    expect 2 "$polhode" bench peers -o no
    says err "SUNDIALS" "install"
fi
bench 0 peers --limit 0.05 -T 1 -m variational -m rk4:form=q-mu -o own small.yaml
says out "rk4:form=q-mu" "The largest energy error within"
expect 2 "$polhode" bench peers -o no -m leapfrog
expect 2 "$polhode" bench peers -o no -m rk4 chain-55
expect 2 "$polhode" bench peers -o no -m rk4 -T x
if test -n "$python"; then
    for made in scaling models none own peers; do
        test ! -e $made || test $made = none || $python "$top_srcdir/tests/bench/bench_files.py" $made || fail "the files in $made are not right"
    done
fi
for made in scaling own; do
    test "$(grep -c '<svg class="curves"' $made/report.html)" -eq 2 || fail "$made/report.html lacks figures"
done

# what archiving costs: figures that belong to each other, a file of about 8 bytes a number, and no archive left behind
expect 0 "$polhode" bench archive --quiet -b 0.01 -o archive
says out "double-spherical-pendulum" "chain-pendulum, n = 1000" "heavy-top" "Written: archive/archive-costs.json"
test "$(ls archive)" = archive-costs.json || fail "bench archive leaves more than its figures: $(ls archive)"
if test -s version; then
    $python "$top_srcdir/tests/bench/bench_archive.py" archive/archive-costs.json || fail "the figures of bench archive are not right"
fi
expect 3 "$polhode" bench archive --quiet -b 0.01 -o archive
says err "exists already" "--force"
expect 0 "$polhode" bench archive --quiet -b 0.01 --json --force -o archive
cmp out archive/archive-costs.json || fail "bench archive --json is not archive-costs.json"
for wrong in "-b 0" "-b x" chain-pendulum; do
    # shellcheck disable=SC2086
    expect 2 "$polhode" bench archive -o no $wrong
done

# formulas: the same bits in three ways, the numbers of what is by hand; nothing is asked of times
expect 0 "$polhode" bench formulas --quiet -b 0.001 -o speed quadrupoles double-pendulum-L chain-5-L spins kepler three-bodies chain-5
says out "gradient of L" "spin Hessian" "Written: speed/report.html"
json speed/formulas.json '[f["by_hand"] for f in s["formulas"]] == ["best", "best", "loops", "loops", "catalogue", "catalogue", None]'
json speed/formulas.json '[sum(c["by_hand_ns"] is not None for c in f["callbacks"]) for f in s["formulas"]] == 6 * [1] + [0]'
json speed/formulas.json 'all(c["bits_differ"] == 0 and not (c["by_hand_error"] or 0) > 1e-12 and c["interpreted_ns"] > 0 < c["lanes_ns"] for f in s["formulas"] for c in f["callbacks"])'
json speed/formulas.json 'all(abs(c["interpreted_ns"] / c["compiled_ns"] / c["interpreted_to_compiled"] - 1) < 1e-12 for f in s["formulas"] for c in f["callbacks"] if c["compiled_ns"])'
json speed/formulas.json 's["formulas"][0]["callbacks"][0]["operations"] == 184 and s["formulas"][6]["total_operations"] == 0'
test "$(wc -l < speed/formulas.csv)" -eq 11 || fail "formulas.csv has other rows: $(cat speed/formulas.csv)"
(POLHODE_CC=/dev/null && export POLHODE_CC && expect 0 "$polhode" bench formulas --quiet -b 0.001 -o alone kepler)
json alone/formulas.json 's["formulas"][0]["compile_seconds"] is None and s["formulas"][0]["callbacks"][0]["compiled_ns"] is None'
refused "quadrupoles" formulas quadrupole

# ensembles: the same bits in lanes and sweeps; series, by other equations, find the truth to rounding; the rivals are as accurate
expect 0 "$polhode" bench ensembles --quiet -b 0.001 --members 65 --steps 50 -o crowds
says out "sweep, 2 threads" "Written: crowds/ensembles.json, ensembles.csv"
json crowds/ensembles.json 'len(s["ensembles"]) == 7 and all(c["members"] == 128 and c["bits_differ"] == 0 and c["doubt"] < 1e-11 and len(c["ways"]) == 8 for c in s["ensembles"])'
json crowds/ensembles.json 'all(1e-6 < e[0] == e[1] == e[2] == e[3] >= max(e[5:7]) > e[7] == c["doubt"] for c in s["ensembles"] for e in [[w["error"] for w in c["ways"]]])'
json crowds/ensembles.json 'all(c["lanes"] == 8 and c["bytes_a_member"] > 100 and c["ways"][0]["times_as_fast"] == 1 and min(w["cpu_us"] for w in c["ways"]) > 0 for c in s["ensembles"])'
test "$(wc -l < crowds/ensembles.csv)" -eq 57 || fail "ensembles.csv has other rows: $(cat crowds/ensembles.csv)"
test "$(ls crowds | wc -l)" -eq 2 || fail "bench ensembles leaves files: $(ls crowds)"
refused "one-link" ensembles one-lnk

# nonholonomic systems: a sleigh whose energy is exact, a gearbox that RK4 heats, a driver that is not symmetric
expect 0 "$polhode" bench nonholonomic --quiet -n 3000 -o rolling sleigh gearbox
says out "Chaplygin sleigh" "the energy error is rounding" "smallest energy error" "Written: rolling/report.html"
json rolling/nonholonomic.json '[s["systems"][i]["system"] for i in (0, 1)] == ["sleigh", "gearbox"] and s["stages"] == 3000'
json rolling/nonholonomic.json 'abs(s["systems"][1]["energy"] - 2.55) < 1e-12'
json rolling/nonholonomic.json 'all(m["energy_error_last_tenth"] < 1e-14 for m in s["systems"][0]["methods"][:5:2])'
json rolling/nonholonomic.json '[m["verdict"] for m in s["systems"][0]["methods"][:2]] == ["rounding", "flat"]'
json rolling/nonholonomic.json 'all(m["constraint_error"] < 2e-15 for t in s["systems"] for m in t["methods"] if m["method"].startswith("dla"))'
json rolling/nonholonomic.json '{m["method"]: m["verdict"] for m in s["systems"][1]["methods"]}["rk4"] == "grows"'
test "$(wc -l < rolling/nonholonomic.csv)" -ge 15 || fail "nonholonomic.csv has too few rows: $(cat rolling/nonholonomic.csv)"
expect 0 "$polhode" bench nonholonomic --list
says out "gearbox-asymmetric" "turntable"
refused "sleigh" nonholonomic slegh
if test -n "${POLHODE_CHECK_THOROUGH-}"; then
    # work of 100 stages per unit of time and 5000 s make 2.6e-3 J by order 2; here half the work and 400 s: 8.3e-4 of 2.55 J
    expect 0 "$polhode" bench nonholonomic --quiet -n 20000 -o drifting gearbox-asymmetric gearbox
    json drifting/nonholonomic.json '1.6e-4 < abs(s["systems"][0]["methods"][0]["energy_drift"]) < 6.6e-4 and s["systems"][0]["methods"][0]["verdict"] == "grows"'
    json drifting/nonholonomic.json 'all(m["verdict"] == "flat" for m in s["systems"][1]["methods"][:5])'
fi

# binary asteroids: orders by halving after two hours, energies over a week at the same cost
expect 0 "$polhode" bench binary --quiet -b 0.01 --trajectory 7200 -T 6e5 -m variational -m variational:order=4 -m rk8 -m rk4 -o pair kw4
says out "The error of the place costs least with" "The truth is variational of order 8" "Written: pair/report.html"
json pair/binary.json '[m["method"] for m in s["systems"][0]["methods"]] == ["variational", "variational:order=4", "rk8", "rk4"]'
json pair/binary.json 's["systems"][0]["order"] == 4 and s["systems"][0]["truth_known_to"] < 1e-8 and s["systems"][0]["long_truth_known_to"] < 1e-6'
# the fastest turn is the primary's, 2 pi/9953 s; at 1/16 of it to the radian and finer the leading term rules
json pair/binary.json 'abs(s["systems"][0]["fastest_rate"] - 6.3134e-4) < 1e-9'
for row in "0 2 6" "1 4 5" "3 4 6"; do
    # shellcheck disable=SC2086
    set -- $row
    json pair/binary.json "(lambda p, q, log: abs(log(p['place_error'] / q['place_error']) / log(q['steps'] / p['steps']) - $2) < 0.1)(*s['systems'][0]['methods'][$1]['points'][$3:$3 + 2], __import__('math').log)"
done
json pair/binary.json '[m["long_run"]["verdict"] for m in s["systems"][0]["methods"]][::3] == ["flat", "grows"]'
json pair/binary.json 'all(abs(m["long_run"]["cpu_seconds"] / s["systems"][0]["methods"][0]["long_run"]["cpu_seconds"] - 1) < 2 for m in s["systems"][0]["methods"])'
json pair/binary.json '0.5 < s["systems"][0]["methods"][3]["step"]["ratio"] < 2'
test "$(wc -l < pair/binary-runs.csv)" -eq 5 || fail "binary-runs.csv has other rows: $(cat pair/binary-runs.csv)"
expect 0 "$polhode" bench binary --list
says out "octahedra" "triple"
refused "didymos" binary didimos
expect 2 "$polhode" bench binary -o no --order 9

# stopped as soon as there is a directory, or later: the results so far are written
for kind in "archive" "formulas" "scaling -m rk4" "peers -m rk4-projected -T 1e7 --limit 1e9 small.yaml"; do
    # shellcheck disable=SC2086
    "$polhode" bench $kind --quiet --budget 1000 --force -o halted > out 2> err &
    running=$!
    await test -d halted
    kill -INT $running 2> /dev/null || true
    code=0
    wait $running || code=$?
    running=
    test $code -eq 130 || fail "Ctrl-C gives exit status $code, not 130: $kind"
    says err "results up to there were written"
    test "$kind" = archive || says halted/report.html "nterrupted"
    file=${kind%% *}
    test "$file" != archive || file=archive-costs
    test -s "halted/$file.json" || fail "Ctrl-C has left no $file.json"
    rm -r halted
done

# a full disk behind the standard output
if test -w /dev/full; then
    code=0
    "$polhode" models > /dev/full 2> err || code=$?
    test $code -eq 3 || fail "a lost list gives exit status $code, not 3"
fi

# --json: the document of the file, and nothing else
bench 0 --json -m rk4 -s 0.1 -T 10 -o asjson small.yaml
cmp out asjson/results.json || fail "bench --json is not results.json"
test ! -s err || fail "bench --json says more: $(cat err)"
bench 0 scaling --json --to 2 -m rk4 -o scaling-json
cmp out scaling-json/scaling.json || fail "bench scaling --json is not scaling.json"
bench 0 peers --json -m rk4 -o peers-json small.yaml
cmp out peers-json/peers.json || fail "bench peers --json is not peers.json"

# mistakes: nothing is run, nothing is written
refused "available: variational" small.yaml -m leapfrog
refused 'did you mean "form"?' small.yaml -m rk4:frm=q-omega
refused "option=value" small.yaml -m rk4:form
refused "not one of: automatic q-qdot q-omega" small.yaml -m rk4:form=q
expect 2 "$polhode" bench small.yaml -o no -s 0
expect 2 "$polhode" bench small.yaml -o no -s 1e-2x
expect 2 "$polhode" bench small.yaml -o no -T -5
refused "whole number of steps" small.yaml -s 0.3 -T 1
expect 2 "$polhode" bench missing.yaml -o no
refused "chain-5" chain-55
expect 2 "$polhode" bench small.yaml -o no --budget 0
test ! -e no || fail "a mistake has left a directory"
echo > file
bench 3 -o file -m rk4 small.yaml
exit $failed
