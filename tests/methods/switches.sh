#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What methods claim holds without each of the fast paths that POLHODE_KERNELS switches off (polhode/kit/kernels.h), and archives and scenarios
# are the same without theirs; how far motions are apart is in tests/system/check_kernels. The words stand in the table of CONTRIBUTING.md.
# In the everyday form one of them is tried, in the thorough form all; the suites are in their everyday form.
set -eu
: "${top_srcdir:=.}" "${top_builddir:=.}"
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
words=$(sed -n 's/.*\*\*< \(no-[a-z-]*\): .*/\1/p' "$top_srcdir/include/polhode/kit/kernels.h")
test "$(echo "$words" | wc -l)" -ge 10 || { echo "FAIL: kernels.h has the words: $words"; failed=1; }

tried=no
for word in $words; do
    grep -q "^| \`$word\` |" "$top_srcdir/CONTRIBUTING.md" || { echo "FAIL: CONTRIBUTING.md has no row $word"; failed=1; }
    case $word in
    no-libdeflate) suites="archive/check_record archive/check_record_resume" ;;
    no-compiled) suites="scenario/check_formulas scenario/check_scenario" ;;
    no-amd) suites="system/check_nets_motion methods/check_claims" ;;
    no-lanes) suites="methods/check_claims methods/check_ensemble_formulas" ;;
    *) suites="methods/check_claims methods/check_contract" ;;
    esac
    test -n "${POLHODE_CHECK_THOROUGH:-}${POLHODE_CHECK_LONG:-}" || test $tried = no || continue
    tried=yes
    for suite in $suites; do
        test -x "$top_builddir/tests/$suite" || continue
        env -u POLHODE_CHECK_THOROUGH POLHODE_KERNELS=$word "$top_builddir/tests/$suite" > "$log" 2>&1 || {
            echo "FAIL: $suite with POLHODE_KERNELS=$word:"
            grep ':[FE]:' "$log" | head -n 10 || tail -n 5 "$log"
            failed=1
        }
        sed -n "s|^\\([0-9]*%: Checks.*\\)|$word $suite \\1|p" "$log"
    done
done
exit $failed
