#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a long run shows of itself: a line at a terminal, lines in a log, nothing where it is to be quiet.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program

sed -e 's/^duration:.*/steps: 1e12/' -e 's/every: 10/every: 100000/' "$top_srcdir/examples/double-spherical-pendulum.yaml" > long.yaml

# ---- Progress: one line of at most 80 columns, with the error of the latest output

if script -qec true /dev/null > /dev/null 2>&1; then
    rm -rf long.out
    script -qec "$polhode run long.yaml" /dev/null < /dev/null > out 2>&1 &
    running=$!
    shown_twice() {
        test "$(tr '\r' '\n' < out | grep -c ' left')" -ge 2
    }
    await shown_twice
    : > long.out/STOP
    wait $running || true
    running=
    tr '\r' '\n' < out | grep ' left' > shown || true
    test "$(wc -l < shown)" -ge 2 || fail "no progress: $(cat out)"
    awk '{ gsub(/\033\[K/, ""); if (length($0) > 79) { print; bad = 1 } } END { exit bad }' shown || fail "progress is wide"
    grep -q '%  t = .* steps/s  .* left  energy error [0-9.]*e-[0-9]*' shown || fail "progress: $(cat shown)"
    script -qec "$polhode run --quiet --force --wall-clock 0.3 long.yaml" /dev/null < /dev/null > out 2>&1 || true
    grep -q ' left' out && fail "progress with --quiet"
else
    echo "no program script: progress at a terminal is not looked at"
fi

# where there is no terminal lines, at most 79 wide; none with --quiet, within the first minute, or with 0
expect 1 "$polhode" run --force --progress 0.2 --wall-clock 0.9 long.yaml
grep ' left' err > shown || true
test "$(wc -l < shown)" -ge 2 || fail "no lines of progress: $(cat err)"
grep -q -v '^.*[0-9]%  t = .* steps/s  .* left' shown && fail "lines of progress: $(cat shown)"
test "$(tr -d '\r\033' < err | wc -c)" -eq "$(wc -c < err)" || fail "a log has the signs of a terminal"
test "$(awk 'length > 79' shown | wc -l)" -eq 0 || fail "lines of progress are wide: $(cat shown)"
# the energy of a driven system changes as it should
sed -e 's/^duration:.*/steps: 1e12/' -e 's/every: .*/every: 100000}/' "$top_srcdir/examples/driven-chain.yaml" > driven.yaml
expect 1 "$polhode" run --force --progress 0.1 --wall-clock 0.5 driven.yaml
grep -q ' left' err || fail "no lines of progress of a driven chain: $(cat err)"
grep ' left.*energy error' err && fail "a driven chain has an energy error"
for silent in "--quiet --progress 0.1" "--progress 0" ""; do
    # shellcheck disable=SC2086
    expect 1 "$polhode" run --force --wall-clock 0.3 $silent long.yaml
    grep ' left' err && fail "progress with $silent"
done
expect 1 "$polhode" resume --progress 0.1 --wall-clock 0.5 long.out
grep -q ' left' err || fail "resume shows no progress: $(cat err)"
expect 2 "$polhode" run --force --progress -1 long.yaml
says err "--progress must be a number of seconds, at least 0"
exit $failed
