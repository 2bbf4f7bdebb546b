#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the program answers to slips of its user: mistyped names and options, results that are there already, runs that
# took no step or are complete, and a directory in place of an archive.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
example=$top_srcdir/examples/chain.yaml

# A name that is like no other: some examples that exist, and where all are listed.
"$polhode" models | cut -d' ' -f1 > known
expect 2 "$polhode" models nope
says err "there are $(wc -l < known), among them" "\`polhode models\`"
test "$(tr -d ',:' < err | tr ' ' '\n' | grep -c -x -F -f known)" -eq 5 || fail "models that do not exist: $(cat err)"
expect 2 "$polhode" bench spin
says err "did you mean \`polhode bench spins\`?"
expect 2 "$polhode" bench nothere
says err '"nothere" is neither a problem (polhode bench --list names them) nor a scenario file'
expect 2 "$polhode" bench chain-50
says err 'did you mean "chain-5"?' "there is no file of that name"

# Options
expect 2 "$polhode" run "$example" --forse
says err "polhode: unknown option --forse; did you mean --force?" "Try: polhode run --help"
expect 2 "$polhode" run "$example" --columns
says err "polhode: option --columns needs a value"
expect 2 "$polhode" run "$example" -o
says err "polhode: option -o needs a value"
expect 2 "$polhode" run "$example" --force=3
says err "polhode: option --force takes no value"
expect 2 "$polhode" run "$example" --zzzzzz=3
says err "polhode: unknown option --zzzzzz"
expect 2 "$polhode" run "$example" -fx
says err "polhode: unknown option -x"
expect 0 "$polhode" run "$example" --out abbreviated --quiet
test -f abbreviated/chain.polhode || fail "an abbreviation that is not ambiguous is not understood"
expect 2 "$polhode" run "$example" --c
says err "option --c is ambiguous"

# An archive that is missing is one mistake, whatever the command
for command in info tail resume "export -o x.csv"; do
    # shellcheck disable=SC2086
    expect 2 "$polhode" $command nothere.polhode
    says err "nothere.polhode" "No such file"
done

# A step that cannot be made is found before anything is written
sed 's/^step:.*/step: 1/' "$example" > chain.yaml
expect 2 "$polhode" run chain.yaml
says err "take a smaller one" "nothing was written" "polhode check chain.yaml"
test ! -e chain.out || fail "something was written for a run that cannot begin"
# one that is stable for the method, but not for the linear system
sed -e 's/^step:.*/step: 0.1/' -e 's/^method:.*/method: rk4/' "$example" > coarse.yaml
"$polhode" run coarse.yaml --quiet > out 2> err || true
test ! -s out || fail "--quiet prints $(cat out)"
"$polhode" run coarse.yaml --force > out 2> err || true
says err "warning: the step, 0.1 s, is too large for the fastest motion" "polhode check"

# An energy error of a per cent is remarked on
sed -e 's/^step:.*/step: 0.005/' -e 's/^duration:.*/duration: 50/' "$example" > rough.yaml
expect 0 "$polhode" run rough.yaml
says out "remark           the energy error is above 0.01" "polhode run --accuracy 1e-6"
expect 1 "$polhode" check rough.yaml
says out "LARGE: more than 0.01" "Problems found." "polhode methods --advise"
expect 0 "$polhode" run "$example" -o fine
grep -q remark out && fail "a small energy error is remarked on"

# A run that took no step leaves nothing that must be kept; one that took some does. (So many links are not tried before.)
sed -e 's/^step:.*/step: 1/' -e 's/links: 5/links: 120/' "$example" > chain.yaml
expect 1 "$polhode" run chain.yaml
says err "no solution at t = 0 s"
expect 0 "$polhode" info chain.out
says out "ended            no-solution: no solution at t = 0 s"
cp "$example" chain.yaml
expect 0 "$polhode" run chain.yaml
expect 3 "$polhode" run chain.yaml
says err "exists already" "polhode resume chain.out/chain.polhode" "--force"
expect 0 "$polhode" info chain.out
says out "finished         all "
expect 0 "$polhode" resume chain.out
says out "the run was complete already" "polhode resume chain.out/chain.polhode --until T"

# A directory in place of the archive in it
expect 0 "$polhode" tail chain.out
expect 0 "$polhode" export chain.out/ -o x.csv
test -s x.csv || fail "nothing was exported"
mkdir none
expect 2 "$polhode" info none
says err "none: is a directory without an archive"
cp chain.out/chain.polhode chain.out/other.polhode
expect 2 "$polhode" info chain.out
says err "chain.out: is a directory with 2 archives"

# More memory than there is: said where it is needed, and nothing is written
cat > many.yaml << 'EOF'
polhode: 1
model: chain-pendulum
parameters: {links: 1000000}
method: variational
step: 0.001
steps: 1
EOF
if test "${POLHODE_SANITIZERS:-}" != yes && test -r /proc/self/status && (ulimit -d 400000) 2> err; then # ASan needs more
    (ulimit -d 400000; expect 2 "$polhode" run many.yaml; says err "memory" "; of this machine's memory" "are free"; exit $failed) || failed=1
    test ! -e many.out || fail "a run without memory has left $(ls -d many.out/*)"
fi

# Results of more than 10 GB are refused before anything is written, those of more than 100 MB reported
sed -e 's/^duration:.*/steps: 1e15/' -e 's/^output:.*/output: {every: 1}/' "$example" > huge.yaml
expect 2 "$polhode" run huge.yaml
says err "PB on disk (1e+15 rows of" "fewer rows (output: {every: N}) or columns (--columns) take less" "--force"
test ! -e huge.out || fail "a refused run has left $(ls -d huge.out/*)"
expect 1 "$polhode" run --force --wall-clock 0.1 huge.yaml
says err "the results will take about" "on disk"
expect 1 "$polhode" run --force --quiet --wall-clock 0.1 huge.yaml
grep 'on disk' err && fail "--quiet tells the size"
sed -e 's/^duration:.*/steps: 1e6/' -e 's/^output:.*/output: {every: 1}/' "$example" > long.yaml
expect 1 "$polhode" run --wall-clock 0.1 long.yaml
says err "the results will take about" " MB on disk (1e+06 rows of" "free are"
cp long.out/long.polhode before
expect 2 "$polhode" resume long.out --until 1e7
says err "TB on disk" "an earlier --until takes less" "--force"
cmp before long.out/long.polhode || fail "a refused resume has changed the archive"
expect 1 "$polhode" resume long.out --until 1e7 --force --wall-clock 0.1
expect 1 "$polhode" resume long.out --wall-clock 0.1
sed -e 's/^duration:.*/steps: 1e15/' -e 's/^output:.*/output: {per-decade: 10}/' "$example" > few.yaml
expect 1 "$polhode" run --wall-clock 0.1 few.yaml
grep 'on disk' err && fail "a small result is announced"

exit $failed
