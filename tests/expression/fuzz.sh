#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Systems of formulas from any bytes, by clang's libFuzzer under sanitizers: nothing but a status comes of them, in bounded time and memory.
# The same 50 000 in the larger form, an hour of them in the long one.
set -eu
: "${top_srcdir:=.}"
. "$top_srcdir/tests/kit/kit.sh"
test -n "${POLHODE_CHECK_THOROUGH-}${POLHODE_CHECK_LONG-}" || { echo "50 000 of them, or an hour, in the larger forms"; exit 77; }
clang=
for candidate in ${CLANG:-clang-14 clang}; do
    if test -z "$clang" && echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
        "$candidate" -fsanitize=fuzzer,address,undefined -x c - -o probe 2> err; then
        clang=$candidate
    fi
done
test -n "$clang" || skip "there is no clang with libFuzzer"
inner=$top_builddir/.libs/libpolhode_internal.a
test -f "$inner" || inner=$top_builddir/libpolhode_internal.a
test -f "$inner" || skip "the inner library was not built"

# what a line is, by its first letter: fuzz.c
mkdir corpus
seed() { cat > "corpus/$1"; }
printf 'sr:R1\nsq:S2\nwp:r*q\nTm/2*dot(d(p), d(p))\nUk[1]/2*(r - 1)^2 + m*p.z\nyrotation about e3\npbob:p\nlorigin bob\n' | seed spring
printf 'sq:S2[n]\nwp[0]:[0, 0, 0]\nwp[i=1..n]:p[i-1] + k[2]*q[i]\nTsum(i=1..n, m/2*dot(d(p[i]), d(p[i])))\nUsum(i=1..n, p[i].z)\npp:p[i=0..n]\nlp\n' | seed chain
printf 'sB:SO3\nwp:B*k\nTm/2*dot(d(p), d(p)) + dot(omega(B), J*omega(B))/2\nUm*p.z\nmB:omega(B)\nD0.1*dot(omega(B), omega(B))\nfp:[0, 0, sin(t)]\n' | seed top
printf 'sx:R3\nsB:SO3\nwn:B*e3\nwh:cross(n, cross(e3, n))/norm(cross(e3, n))\nTdot(xdot, xdot) + dot(omega(B), J*omega(B))/2\nUx.z\ncxdot - cross(B*omega(B), h) = 0*e1\n' | seed disk
printf 'ss:spin[3]\nE-k[1]*(dot(s[1], s[2]) + dot(s[2], s[3])) - sum(i=1..3, s[i].z^2) + dot(e3, cross(s[1], s[2]))\n' | seed spins
printf 'sx:R3\nwA:(1 + x.z^2)*[-x.y, x.x, 0]\nLm/2*dot(xdot, xdot) + dot(A, xdot)\nyrotation about e3\ntx:tanh(x.x)\n' | seed mirror
printf 'sa:S1\nwp:[0, sin(6*t)] + a\nTm/2*dot(d(p), d(p)) + omega(a)^2\nUp.y + exp(-t)*log(2 + a.x)\nta:-omega(a)\n' | seed pivot
printf '%s\n' '"sum("' '"dot("' '"cross("' '"outer("' '"omega("' '"d("' '"norm("' '"hat("' '"vee("' '"trace("' '"diag("' '"identity"' '"i=1..n"' '"[1,2]"' '".x"' \
    '".T"' '"^-1"' '"^0.5"' '"sqrt("' '"atan("' '"SO3"' '"S2["' '"spin"' '"translation along e1"' '"e3"' > words

much="-runs=50000 -seed=1" # the same ones each day
test -z "${POLHODE_CHECK_LONG:-}" || much=-max_total_time=3600
set -- -g -O1 -std=gnu11 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -DHAVE_CONFIG_H -I"$top_builddir" \
    -I"$top_builddir/include" -I"$top_srcdir" -I"$top_srcdir/include"
mkdir code
(cd code && $clang "$@" -c "$top_srcdir"/tests/expression/fuzz.c "$top_srcdir"/lib/expression/*.c "$top_srcdir"/lib/formula/*.c) > log 2>&1 ||
    fail "it is not compiled: $(cat log)"
# shellcheck disable=SC2086
test $failed -ne 0 || $clang "$@" code/*.o "$inner" ${FUZZ_LIBS:--llapack -lblas -lamd -lsuitesparseconfig -lm} -o fuzz > log 2>&1 ||
    skip "it is not linked with the libraries of this machine: $(head -n 3 log)"
test $failed -eq 0 || exit 1
# shellcheck disable=SC2086
./fuzz corpus -dict=words -max_len=2048 -timeout=120 -rss_limit_mb=2048 $much -print_final_stats=1 > log 2>&1 || fail "any bytes: $(tail -n 40 log)"
sed -n 's/^stat::number_of_executed_units: /    systems from any bytes: /p' log
exit $failed
