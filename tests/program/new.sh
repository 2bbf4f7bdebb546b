#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode new: for every model of the catalogue a scenario with all its parameters that check finds in order, and whose run has an
# energy error below 1e-6: the whole run in the thorough form, its first 500 steps every day, and 50 under sanitizers.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program

# ---- By formulas: in order as it stands, and with the lines that are comments
expect 2 "$polhode" new
says err "new takes a MODEL (see polhode models), or --formula"
expect 2 "$polhode" new --formula chain-pendulum
expect 0 "$polhode" new --formula -o formulas.yaml
expect 0 "$polhode" check formulas.yaml
says out "found    an inertia that depends on the configuration"
sed 's/^  # \(dissipation\|forces\): /  \1: /' formulas.yaml > forced.yaml
test "$(diff formulas.yaml forced.yaml | grep -c '^>')" -eq 2 || fail "new --formula has other comments"
expect 0 "$polhode" check forced.yaml
expect 0 "$polhode" run --quiet --set steps=50 formulas.yaml

# ---- Compiled where it says so, and never where a stranger's scenario is run
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
expect 0 "$polhode" check --no-compile --set model.compile=always formulas.yaml
says out "found    an inertia that depends on the configuration"
grep -q compiled out && fail "check --no-compile compiles"
expect 0 "$polhode" run --no-compile --quiet --set steps=50 --set model.compile=always formulas.yaml -o interpreted.out
test ! -e cache || fail "--no-compile leaves files"
POLHODE_CC=/none expect 2 "$polhode" run --quiet --set model.compile=always formulas.yaml -o none.out
says err "model.compile is always, but there is no C compiler"
if "$polhode" check --set model.compile=always formulas.yaml > out 2> err; then
    says out "; compiled"
    expect 0 "$polhode" run --quiet --set steps=50 --set model.compile=always formulas.yaml -o compiled.out
    expect 0 "$polhode" export --quiet interpreted.out -o interpreted.csv
    expect 0 "$polhode" export --quiet compiled.out -o compiled.csv
    cmp interpreted.csv compiled.csv || fail "compiled formulas have other bits"
    expect 0 "$polhode" resume --no-compile --quiet --until 0.6 compiled.out
fi

# ---- new: for every model a scenario that check finds in order, with all its parameters, and that can be run
mkdir begun
cd begun
"$polhode" models | sed 's/ .*//' > names
test "$(wc -l < names)" -gt 15 || fail "models lists $(cat names)"
length="--set steps=500" checked=3 # every so many-th model
test -z "${POLHODE_CHECK_THOROUGH-}" || length='' checked=1
test -z "${POLHODE_CHECK_SHORT-}" || length="--set steps=50" checked=9
turn=0
while read -r model; do
    expect 0 "$polhode" new "$model" -o "$model.yaml"
    says out "$model.yaml"
    turn=$(((turn + 1) % checked))
    if test "$turn" -eq 0; then
        # shellcheck disable=SC2086
        expect 0 "$polhode" check $length "$model.yaml"
        grep -Eq "^(All is well|Nothing is wrong in the first)" out || fail "check of $model: $(cat out)"
    fi
    # with the columns that its comment suggests, which every model must have
    suggested=$(sed -n 's/.*{columns: \[\(.*\)\]} for these alone$/\1/p' "$model.yaml" | tr -d ' ')
    # shellcheck disable=SC2086
    expect 0 "$polhode" run --quiet $length --columns "$suggested" "$model.yaml" -o "$model.whole"
    { printf '%s"%s": ' "${comma-}" "$model"; cat "$model.whole/summary.json"; } >> summaries
    comma=,
    grep -q coarse out && fail "the step of a new $model does not resolve it: $(cat out)"
    "$polhode" models "$model" | awk '/Initial conditions/ { exit } /^    [A-Za-z_]+ .*default / { print $1 }' > parameters
    lacking=$(awk 'FILENAME == "parameters" { lacks[$1]; next } /^  [A-Za-z_]+:/ { sub(/:.*/, ""); delete lacks[$1] } END { for (name in lacks) print name }' parameters "$model.yaml")
    test -z "$lacking" || fail "a new $model lacks its parameters $lacking"
    test -n "${POLHODE_CHECK_THOROUGH-}" || continue
    sed -i.bak 's/^duration:.*/steps: 100/' "$model.yaml"
    expect 0 "$polhode" run --quiet --csv "$model.yaml"
    # what is written is the default: without it the same comes out
    sed '/^parameters:/,/^$/d' "$model.yaml" > less.yaml
    expect 0 "$polhode" run --quiet --force --csv less.yaml
    cmp "$model.out/trajectory.csv" less.out/trajectory.csv || fail "a new $model has other parameters than the model's own"
done < names
{ echo '{'; cat summaries; echo '}'; } > summaries.json
json summaries.json 'all((x["energy_error_max"] < 1e-6 or not x["conservative"]) and x["status"] == "ok" or print(model) for model, x in s.items())'
json summaries.json "len(s) == $(wc -l < names)"
expect 0 "$polhode" new heavy-top
cp out standard
expect 0 "$polhode" new heavy-top --quiet -o quiet.yaml
test ! -s out || fail "new --quiet is not"
cmp standard quiet.yaml || fail "new writes something else to a file"
echo mine > mine.yaml
expect 3 "$polhode" new heavy-top -o mine.yaml
says err "exists already" "--force"
test "$(cat mine.yaml)" = mine || fail "new has overwritten a file"
expect 0 "$polhode" new heavy-top -o mine.yaml --force
cmp standard mine.yaml || fail "new --force"
expect 3 "$polhode" new heavy-top -o missing/mine.yaml
expect 2 "$polhode" new heavy-tpo
says err 'did you mean "heavy-top"?'
expect 2 "$polhode" new top
says err 'did you mean "heavy-top"?'
expect 2 "$polhode" new
expect 2 "$polhode" new heavy-top chain-pendulum
test -z "$(ls | grep part || true)" || fail "new leaves $(ls)"
cd ..

exit $failed
