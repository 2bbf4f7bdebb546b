#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The program polhode as people and scripts use it: what it prints, what it writes, what it leaves alone, and its
# exit status, on good days and bad.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program

# scenario NAME SED-EXPRESSION...: the example, changed, with a trajectory.csv to look into
scenario() {
    name=$1
    shift
    sed "$@" "$top_srcdir/examples/double-spherical-pendulum.yaml" | sed 's/^output: {/&csv: true, /' > "$name"
}

# whole_csv FILE: as many fields in every line as in the first, and the last line ends
whole_csv() {
    awk -F, 'NR == 1 { n = NF } NF != n { print "line " NR " has " NF " fields, not " n; bad = 1 } END { exit bad || NR < 2 }' "$1" ||
        fail "$1 has broken lines"
    test "$(tail -c 1 "$1" | wc -l)" -eq 1 || fail "$1 ends within a line"
}

# ---- Help, version, catalogues

expect 0 "$polhode" --help
says out "polhode run" "polhode resume" "polhode bench" "polhode models" "polhode methods" "130"
is_empty err
for command in new run resume info tail export check keys bench models methods; do
    expect 0 "$polhode" $command --help
    says out "Usage: polhode $command" "Exit status:"
    test "$(awk 'length > 79' out | wc -l)" -eq 0 || fail "$command --help is wide: $(awk 'length > 79' out)"
    is_empty err
    cp out by_option
    expect 0 "$polhode" help $command
    cmp -s out by_option || fail "polhode help $command and polhode $command --help differ"
done
expect 0 "$polhode" help bench scaling
says out "Usage: polhode bench scaling"
expect 2 "$polhode" help rnu
says err 'unknown command "rnu"'
expect 0 "$polhode" --version
says out "polhode $(sed -n 's/^#define PH_VERSION "\(.*\)"/\1/p' "$top_srcdir/include/polhode/version.h")" "BSD-3-Clause" \
    "bit" "kernels " "SUNDIALS " "HDF5 " "Homepage: https://example.org/polhode" "Report bugs to: polhode@example.org"
expect 0 env POLHODE_KERNELS=plain "$polhode" --version
grep -q '^  kernels  *plain$' out || fail "POLHODE_KERNELS=plain: $(cat out)"
expect 0 "$polhode" --version --json
for library in sundials amd libdeflate libarchive hdf5; do
    defined=false
    name=$(echo "$library" | tr a-z A-Z)
    grep -q "^#define HAVE_$name 1" "$top_builddir/config.h" && defined=true
    grep -q "\"$library\": *$defined" out || fail "--version --json: $library is $defined: $(cat out)"
done
expect 2 "$polhode" --version --jason
says err '--version takes --json or nothing, not "--jason"'
expect 2 "$polhode"
expect 2 "$polhode" rnu
says err 'unknown command "rnu"' 'did you mean "run"?' "polhode --help"
expect 2 "$polhode" --verson
expect 0 "$polhode" methods
says out variational rk4 "order 2" "order 4"
expect 0 "$polhode" methods variational
says out "symplectic" "source"
expect 0 "$polhode" methods rk4
says out "q-omega" "(default)"
expect 0 "$polhode" methods moser-veselov
says out "order   2 to 10, by the options" "2 4 6 8 10 (default)"
expect 2 "$polhode" methods variatonal
says err 'did you mean "variational"?'
expect 2 "$polhode" methods rk4 variational
expect 0 "$polhode" models
says out chain-pendulum spherical-pendulum double-spherical-pendulum
expect 0 "$polhode" models chain-pendulum
says out masses "N m s" curved "(default)"
expect 2 "$polhode" models chain-pendulm
says err 'did you mean "chain-pendulum"?'

expect 0 "$polhode" keys
says out "A scenario:" "duration" "energy-error" "per-decade" "required"
expect 0 "$polhode" keys output
says out "output:" "snapshot"
test "$(grep -c "^[^ ]" out)" -eq 1 || fail "polhode keys output has other maps: $(cat out)"
expect 2 "$polhode" keys outptu
says err 'did you mean "output"?'
expect 2 "$polhode" keys ""
expect 2 "$polhode" keys output --json
says err "--json prints all keys"

# ---- A run and its files

scenario short.yaml 's/^duration:.*/duration: 2/'
expect 0 "$polhode" run short.yaml
is_empty err
says out "200 steps" "energy error" "short.out/short.polhode" "trajectory.csv"
test "$(ls short.out | tr '\n' ' ')" = "short.polhode summary.json trajectory.csv " || fail "other files: $(ls short.out)"
test "$(head -n 1 short.out/trajectory.csv | cut -d , -f 1-3,9)" = "t[s],step,q1x[1],pi1x[kg m^2/s]" ||
    fail "the csv's first line: $(head -n 1 short.out/trajectory.csv)"
test "$(wc -l < short.out/trajectory.csv)" -eq 22 || fail "22 lines are expected in the csv"
whole_csv short.out/trajectory.csv
json short.out/summary.json 's["status"] == "ok" and s["diverged_at"] is None and s["steps"] == 200'
json short.out/summary.json 's["model"] == "double-spherical-pendulum" and s["method"] == "variational" and s["order"] == 2'
json short.out/summary.json 'abs(s["time"] - 2) < 1e-15 and s["energy_error_max"] < 1e-3 and s["momentum_error_max"] < 1e-14'
json short.out/summary.json 'len(s["final_state"]["z"]) == 6 and len(s["final_state"]["p"]) == 6 and s["constraint_error_max"] <= 4.5e-16'

# options before and behind what they are about, abbreviated, ended by --, and repeated: the last one counts
expect 0 "$polhode" check --qui -- short.yaml
is_empty out
expect 0 "$polhode" tail -n 1 short.out/short.polhode --rows=3 --columns t,step --json --col step
test "$(tr '\n' ' ' < out)" = '{ "step": 180 } { "step": 190 } { "step": 200 } ' || fail "repeated options: $(cat out)"
cp short.yaml ./-short.yaml
expect 2 "$polhode" check -short.yaml
expect 0 "$polhode" check -- -short.yaml
rm ./-short.yaml

# the same again, elsewhere and silently: the same bits
expect 0 "$polhode" run --quiet -o a/b/c short.yaml
is_empty out err
cmp short.out/trajectory.csv a/b/c/trajectory.csv || fail "two runs differ"

# what is there stays, unless it is to be replaced
cp -R short.out before
expect 3 "$polhode" run short.yaml
says err "short.out" "exists already"
is_empty out
diff -r short.out before || fail "a refused run changed its results"
rm short.out/trajectory.csv short.out/short.polhode
expect 3 "$polhode" run short.yaml
test "$(ls short.out)" = summary.json || fail "a refused run left files behind"
echo old > short.out/trajectory.csv
expect 0 "$polhode" run --force short.yaml
cmp short.out/trajectory.csv before/trajectory.csv || fail "--force did not replace the trajectory"

# in two halves: the second continues from the summary of the first
sed -e '/^ *q:/d' -e 's|^ *omega:.*|  from: half.out/summary.json|' short.yaml | sed 's/^duration:.*/duration: 1/' > second.yaml
scenario half.yaml 's/^duration:.*/duration: 1/'
expect 0 "$polhode" run half.yaml
expect 0 "$polhode" run second.yaml
json second.out/summary.json 'abs(s["time"] - 2) < 1e-15'
json second.out/summary.json 'max(abs(a - b) for a, b in zip(s["final_state"]["z"], json.load(open("short.out/summary.json"))["final_state"]["z"])) < 1e-12'

# events: the table and the count; the trajectory as without; a stop that was asked for is no failure; a table that an
# earlier run left does not stay
expect 0 "$polhode" run -o events short.yaml
test ! -e events/events.csv || fail "a table of events that nobody asked for"
{ cat short.yaml; echo 'events: [{name: section, when: q1x, crosses: 0.5, direction: up}, {name: late, when: t, crosses: 1.995}]'; } > section.yaml
expect 3 "$polhode" run -o events section.yaml
expect 0 "$polhode" run -o events --force section.yaml
says out "section: " "late: 1" "events.csv"
cmp short.out/trajectory.csv events/trajectory.csv || fail "the trajectory depends on events"
test "$(head -n 1 events/events.csv | cut -d , -f 1-6)" = "event,t[s],step,theta[1],direction,q1x[1]" || fail "events.csv: $(cat events/events.csv)"
test "$(tail -n 1 events/events.csv | cut -d , -f 1,3,5)" = "late,199,1" || fail "events.csv: $(cat events/events.csv)"
whole_csv events/events.csv
printf 'polhode: 1\nmodel: free-rigid-body\nmethod: {name: moser-veselov, order: 8}\nstep: 0.1\nduration: 10\n' > body.yaml
expect 0 "$polhode" run -o body body.yaml
json body/summary.json 's["method"] == "moser-veselov" and s["order"] == 8 and s["energy_error_max"] < 2e-15 and s["momentum_error_max"] < 2e-15'
json body/summary.json 'abs(s["final_state"]["p"][0] - 1.7659625085182075) < 1.2e-8'
sed 's/order: 8/order: 3/' body.yaml > odd.yaml
expect 2 "$polhode" check odd.yaml
says err '"3" is not one of: 2 4 6 8 10'
json events/summary.json 's["status"] == "ok" and s["events"]["late"] == 1 and set(s["events"]) == {"section", "late"}'
sed 's/crosses: 1.995/crosses: 0.995, action: stop/' section.yaml > stopping.yaml
expect 0 "$polhode" run -o stopping stopping.yaml
says out "the event \"late\" at t = 0.995 s stops the run"
is_empty err
json stopping/summary.json 's["status"] == "stopped" and s["steps"] == 100 and "late" in s["message"]'
expect 3 "$polhode" run -o stopping short.yaml
rm stopping/trajectory.csv stopping/summary.json
expect 3 "$polhode" run -o stopping short.yaml
says err "events.csv" "exists already"
expect 0 "$polhode" run --force -o stopping short.yaml
test ! -e stopping/events.csv || fail "events of an earlier run stay"
# without --csv events are in the archive alone, and after a stop the resumed run has what an uninterrupted one has
sed 's/csv: true, //' stopping.yaml > quiet.yaml
expect 0 "$polhode" run --csv -o quiet quiet.yaml
test -e quiet/trajectory.csv || fail "no trajectory.csv with --csv"
expect 0 "$polhode" run --force -o quiet quiet.yaml
test ! -e quiet/trajectory.csv || fail "a trajectory of an earlier run stays"
says out "to continue: polhode resume quiet/quiet.polhode"
test ! -e quiet/events.csv || fail "a table of events that nobody asked for"
expect 0 "$polhode" resume --csv quiet/quiet.polhode
says out "late: 1" "events.csv"
json quiet/summary.json 's["status"] == "ok" and s["steps"] == 200'
grep -v '^late' events/events.csv > sections
grep -v '^late' quiet/events.csv | cmp - sections || fail "other sections behind a stop: $(cat quiet/events.csv)"
cmp short.out/trajectory.csv quiet/trajectory.csv || fail "another trajectory behind a stop"
sed 's/when: q1x/when: q3x/' section.yaml > unknown.yaml
expect 2 "$polhode" run unknown.yaml
says err "events[0].when" "did you mean \"q1x\"?"

# ---- Columns: by the scenario, or by the command line in its place; a resumed run has the same

sed 's/^output:.*/output: {csv: true, every: 10, columns: [q1, t, energy_error]}/' short.yaml > columns.yaml
grep -q columns columns.yaml || fail "no output in short.yaml"
expect 0 "$polhode" run --quiet columns.yaml
test "$(head -n 1 columns.out/trajectory.csv)" = 't[s],step,q1x[1],q1y[1],q1z[1],energy_error[J]' ||
    fail "other columns: $(head -n 1 columns.out/trajectory.csv)"
cut -d , -f 1-5 short.out/trajectory.csv > wanted.csv
cut -d , -f 1-5 columns.out/trajectory.csv | cmp - wanted.csv || fail "chosen columns have other numbers"
expect 0 "$polhode" run --quiet --force --csv --columns energy,newton_passes columns.yaml
cp columns.out/trajectory.csv energy.csv
test "$(head -n 1 energy.csv)" = 't[s],step,energy[J],newton_passes' || fail "--columns: $(head -n 1 energy.csv)"
expect 0 "$polhode" resume --quiet columns.out/columns.polhode
cmp energy.csv columns.out/trajectory.csv || fail "another table when nothing was left to do"
expect 2 "$polhode" run -o none --columns q1x,q1w columns.yaml
says err '--columns: unknown column "q1w"; did you mean "q1x"?'
expect 2 "$polhode" run -o none --columns , columns.yaml
says err "--columns names nothing"
test ! -e none || fail "columns that are none have left a directory"

# ---- Mistakes

expect 2 "$polhode" run missing.yaml
says err missing.yaml "No such file"
expect 2 "$polhode" run
expect 2 "$polhode" run short.yaml half.yaml
says err "run takes one scenario file, not 2"
expect 2 "$polhode" run --oups short.yaml
says err "--oups" "Try: polhode run --help"
expect 2 "$polhode" run -o "" short.yaml
says err "--output is empty" "Try: polhode run --help"
expect 2 "$polhode" run --output
expect 2 "$polhode" run --force=1 short.yaml
expect 2 "$polhode" tail -n 1e-1 short.out/short.polhode
says err '--rows must be a whole number, at least 0, not "1e-1"'
# shellcheck disable=SC2046
expect 2 "$polhode" bench short.yaml -o no $(yes -- -m rk4 | head -n 17)
says err "--method may be given 16 times at most"
expect 2 "$polhode" bench archive short.yaml
says err 'takes options only, not "short.yaml"'
scenario bad.yaml -e 's/^duration:.*/duration: 2/' -e 's/^method:/metod:/'
expect 2 "$polhode" run bad.yaml
says err "bad.yaml:$(grep -n '^metod' bad.yaml | cut -d : -f 1):1:" 'did you mean "method"?'
scenario bad.yaml -e 's/^step:.*/step: 1e-2x/'
expect 2 "$polhode" run bad.yaml
says err "bad.yaml:$(grep -n '^step' bad.yaml | cut -d : -f 1):7:" 1e-2x
scenario bad.yaml -e 's/variational/leapfrog/'
expect 2 "$polhode" run bad.yaml
says err "available: variational"
mkdir folder
expect 2 "$polhode" run folder
expect 2 "$polhode" resume
expect 2 "$polhode" resume --until soon short.out/short.polhode
says err "--until must be a number of seconds, not \"soon\""
expect 2 "$polhode" resume missing.polhode
says err missing.polhode "No such file"
expect 2 "$polhode" resume short.yaml
says err "short.yaml: is no archive of Polhode"
expect 2 "$polhode" run --snapshot-interval -1 short.yaml
test ! -e bad.out && test ! -e folder.out || fail "a mistaken scenario has left a directory"

# ---- Places that cannot be written

echo > file
expect 3 "$polhode" run -o file short.yaml
expect 3 "$polhode" run -o file/below/it short.yaml
says err "file: cannot be made a directory"
expect 3 "$polhode" run -o /dev/null/x short.yaml
if may_be_closed; then
    mkdir closed
    chmod a-w closed
    # shellcheck disable=SC2086
    expect 3 $bound "$polhode" run -o closed short.yaml
    says err "closed" "Permission denied"
    chmod u+w closed
else
    not_tried "a place that is closed: permissions do not bind root, and there is no setpriv"
fi
# a disk that is full after some kilobytes: nothing is started
scenario long.yaml -e 's/^duration:.*/steps: 20000/' -e 's/every: 10/every: 1/'
# full_disk BLOCKS COMMAND...: under such a limit
full_disk() {
    blocks=$1
    shift
    code=0
    (trap '' XFSZ && ulimit -f "$blocks" && exec "$polhode" "$@") > out 2> err || code=$?
    test "$code" -eq 3 || fail "exit status $code, not 3, on a full disk: $(cat err)"
}
full_disk 8 run -o full long.yaml
says err "full/long.polhode"
test ! -e full/long.polhode && test ! -e full/trajectory.csv.part || fail "a full disk keeps half a file: $(ls full)"
# after some more: in the middle of a run, for the csv or for the archive; the run resumes when there is room
expect 0 "$polhode" run --quiet -o room long.yaml
full_disk 600 run -o full long.yaml
says err "full/trajectory.csv" "cannot be written" "polhode resume full/long.polhode"
test ! -e full/trajectory.csv && test ! -e full/trajectory.csv.part || fail "a full disk keeps half a trajectory"
json full/summary.json 's["status"] != "ok"'
expect 0 "$polhode" resume --quiet full/long.polhode
cmp full/trajectory.csv room/trajectory.csv || fail "another trajectory after a full disk"
sed 's/csv: true, //' long.yaml > bare.yaml
full_disk 1000 run --snapshot-interval 0.001 -o bare bare.yaml
says err "bare/bare.polhode" "safe are" "polhode resume bare/bare.polhode"
full_disk 1000 resume bare/bare.polhode
expect 0 "$polhode" resume --csv --quiet bare/bare.polhode
cmp bare/trajectory.csv room/trajectory.csv || fail "another trajectory after a full disk, twice"
test "$(ls bare | tr '\n' ' ')" = "bare.polhode summary.json trajectory.csv " || fail "leftovers: $(ls bare)"

# ---- Runs that end early

scenario diverging.yaml -e 's/^step:.*/step: 0.1/' -e 's/^duration:.*/duration: 10000/' -e 's/variational/rk4/'
for every in 1 10 1000; do
    sed -i.bak "s/every: .*/every: $every}/" diverging.yaml
    expect 1 "$polhode" run --force diverging.yaml
    says err "t ="
    whole_csv diverging.out/trajectory.csv
    json diverging.out/summary.json 's["status"] == "diverged" and 10 < s["diverged_at"] < 10000 and s["diverged_at"] == s["time"]'
    json diverging.out/summary.json 's["steps"] == round(s["time"] / s["step"])'
done
scenario fast.yaml -e 's/^step:.*/step: 1/' -e 's/^duration:.*/duration: 10/' -e 's/omega:.*/omega: [[0, 9, 0], [0, 9, 0]]/'
sed -i.bak 's/q: .*/q: [[1, 0, 0], [1, 0, 0]]/' fast.yaml
expect 2 "$polhode" run fast.yaml
says err "no solution" "take a smaller one"
test ! -e fast.out || fail "a run that cannot begin has written something"

# ---- Ctrl-C: the results so far are written, and the run can be resumed

# interrupt SIGNAL: start an endless run, wait until it writes, stop it; its status in code
interrupt() {
    rm -rf endless.out
    scenario endless.yaml -e 's/^duration:.*/steps: 1e10/' -e 's/every: 10/every: 1000/'
    "$polhode" run endless.yaml > out 2> err &
    running=$!
    await test -s endless.out/trajectory.csv.part
    kill -"$1" $running
    code=0
    wait $running || code=$?
    running=
}
interrupt INT
test "$code" -eq 130 || fail "exit status $code, not 130, after SIGINT: $(cat err)"
says err "interrupted after" "were written"
whole_csv endless.out/trajectory.csv
test ! -e endless.out/trajectory.csv.part || fail "a temporary file is left"
json endless.out/summary.json 's["status"] == "interrupted" and s["steps"] > 0 and s["diverged_at"] is None'
json endless.out/summary.json 'abs(s["time"] - s["steps"] * 0.01) < 1e-9 * s["time"]'
sed -e 's|half.out|endless.out|' second.yaml > on.yaml
expect 0 "$polhode" run on.yaml
json on.out/summary.json 's["time"] > json.load(open("endless.out/summary.json"))["time"] + 0.99'
# or from the archive: to the next second or so of the motion, and not by a second program at once
until=$(awk -F, 'END { print int($1) + 1000 }' endless.out/trajectory.csv)
expect 0 "$polhode" resume --until "$until" endless.out/endless.polhode
says out "endless.out/endless.polhode"
json endless.out/summary.json "s['status'] == 'ok' and s['time'] == $until"
"$polhode" resume --until 1e8 endless.out/endless.polhode > /dev/null 2>&1 &
running=$!
# until the new end is in the archive: before, while it recalls its rows, a kill leaves the old one
goes_on() {
    "$polhode" info endless.out/endless.polhode 2> /dev/null | grep -q "to 100000000 s"
}
await goes_on
expect 3 "$polhode" resume endless.out/endless.polhode
says err "process $running is writing this archive"
expect 3 "$polhode" run --force endless.yaml
kill -KILL $running
wait $running || true
running=
expect 1 "$polhode" resume --wall-clock 0.1 endless.out/endless.polhode
says err "time limit of" "polhode resume endless.out/endless.polhode"
interrupt TERM
test "$code" -eq 143 || fail "exit status $code, not 143, after SIGTERM"
json endless.out/summary.json 's["status"] == "interrupted"'

# ---- Other tongues: numbers are written and read with a point

if sh "$top_srcdir/tests/kit/locales.sh" locales > why; then
    for other in comma separator; do
        # (where there is a LOCPATH, glibc keeps its parts to the end of the program: a leak to LeakSanitizer)
        expect 0 env ASAN_OPTIONS=detect_leaks=0 LOCPATH="$PWD/locales" LC_ALL=$other "$polhode" run -o $other short.yaml
        cmp $other/trajectory.csv before/trajectory.csv || fail "the trajectory depends on the locale $other"
        json $other/summary.json 's["step"] == 0.01'
    done
else
    not_tried "another decimal point: $(cat why)"
fi

# check: every example is in order; a step that is too large and a broken scenario are not; nothing is written
mkdir looked
cd looked
for file in "$top_srcdir"/examples/*.yaml; do
    expect 0 "$polhode" check "$file"
    says out "rates" "step"
    grep -Eq "^(All is well|Nothing is wrong in the first)" out || fail "check of $file: $(cat out)"
done
# beyond dense matrices, too
printf '%s\n' 'polhode: 1' 'model: chain-pendulum' 'parameters: {links: 600}' 'method: variational' 'step: 0.0001' \
    'steps: 1' > many.yaml
expect 0 "$polhode" check many.yaml
says out "All is well." "gradient of the potential agrees" "rates    fastest of the linearised system"
rm many.yaml
# what the integrator alone refuses
printf '%s\n' 'polhode: 1' 'model: spherical-pendulum' 'method: {name: variational, order: 4, composition: kahan-li-17}' \
    'step: 0.01' 'steps: 1' > refused.yaml
for command in check run; do
    expect 2 "$polhode" $command refused.yaml
    says err "the composition kahan-li-17 is of order 8"
done
rm refused.yaml
"$polhode" check "$top_srcdir/examples/double-spherical-pendulum.yaml" > out
says out "gradient of the potential agrees with differences to" "invariance under the symmetries holds to"
scenario coarse.yaml -e 's/^step:.*/step: 2.5/'
expect 1 "$polhode" check coarse.yaml
says out "TOO LARGE"
scenario broken.yaml -e 's/^model:/modl:/'
expect 2 "$polhode" check broken.yaml
says err 'did you mean "model"?'
test "$(ls)" = "$(printf 'broken.yaml\ncoarse.yaml\nerr\nout')" || fail "check has written something: $(ls)"
cd ..

# ---- --json: one document that says what the words say; --quiet: the exit status alone

# same_names LIST: what the list of words names, the document has, in the same order
same_names() {
    "$polhode" "$1" | sed 's/ .*//' > names
    expect 0 "$polhode" "$1" --json
    is_empty err
    json out "[m['name'] for m in s['$1']] == open('names').read().split()"
    while read -r name; do
        "$polhode" "$1" "$name" > "words.$name"
        expect 0 "$polhode" "$1" "$name" --json
        mv out "document.$name"
    done < names
    expect 0 "$polhode" "$1" "$(head -n 1 names)" --quiet
    is_empty out err
    "$polhode" "$1" --json > out
    # one interpreter for all of them
    json out "all(len(t['$1']) == 1 and t['$1'][0] == m and all(w in words for w in [m['name'], m['summary'], m['reference']]) and all(len(m[k]) == n for k, n in $2) for m in s['$1'] for words in [open('words.' + m['name']).read()] for t in [json.load(open('document.' + m['name']))])"
    expect 2 "$polhode" "$1" nothing --json
    is_empty out
    expect 2 "$polhode" "$1" nothing --quiet
    expect 2 "$polhode" "$1" --oups
}
same_names models "[('parameters', len([l for l in words.split('Initial conditions')[0].split(chr(10)) if l[:4] == 4 * ' ' != l[4:8] and ' default ' in l])), ('presets', words.split('preset: NAME')[1].count(chr(10)) - 1)]"
same_names methods "[('options', words.count('default'))]"
"$polhode" models heavy-top --json > out
json out 's["models"][0]["parameters"][0] == {"name": "mass", "kind": "number", "unit": "kg", "default": 15, "min": 2.2250738585072014e-308, "max": None, "text": "mass of the body"}'
json out 's["models"][0]["parameters"][3]["default"] == [0, 0, -9.81] and s["models"][0]["parameters"][3]["kind"] == "gravity"'
"$polhode" methods variational --json > out
json out 's["methods"][0]["order"] == 2 and s["methods"][0]["claims"] == {"symplectic": True, "symmetric": True, "momentum": True, "manifold": True, "implicit": True, "adaptive": False, "multistep": False}'
json out 's["methods"][0]["options"][0]["default"] in s["methods"][0]["options"][0]["choices"]'
expect 0 "$polhode" bench --list --json
json out '[p["name"] for p in s["problems"]] == [l.split()[1 if l[0] == "*" else 0] for l in __import__("subprocess").check_output(["'"$polhode"'", "bench", "--list"], text=True).splitlines()[1:]]'

expect 0 "$polhode" check short.yaml --json
json out 's["in_order"] and not s["too_large"] and not s["coarse"] and s["model"] == "double-spherical-pendulum" and s["steps"] == 200'
json out 'all(not d["wrong"] and d["error"] < 1e-6 for d in s["derivatives"]) and len(s["derivatives"]) > 1'
json out 'abs(s["step_stable"] * max(s["rate"], s["turn"]) - 2) < 1e-12 and abs(s["step_resolved"] / s["step_stable"] - math.pi / 20) < 1e-12'
expect 0 "$polhode" check short.yaml --quiet
is_empty out err
expect 1 "$polhode" check looked/coarse.yaml --quiet
is_empty out err
expect 1 "$polhode" check looked/coarse.yaml --json
json out 's["too_large"] and not s["in_order"] and s["step"] == 2.5'
expect 2 "$polhode" check looked/broken.yaml --json
is_empty out

# ---- No colour anywhere, NO_COLOR or not, also on a terminal
if script -qec true /dev/null > /dev/null 2>&1; then
    for no_color in "" 1; do
        for words in "models" "methods rk4" "check short.yaml" "info short.out/short.polhode" "tail short.out/short.polhode" "--help" "run --force short.yaml"; do
            NO_COLOR=$no_color script -qec "$polhode $words" /dev/null < /dev/null > out 2>&1
            if grep -q "$(printf '\033')\[[0-9;]*m" out; then
                fail "polhode $words is coloured"
            fi
        done
    done
else
    echo "no program script: colours on a terminal are not looked for"
fi

exit $failed
