#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the slowest suites execute, counted by valgrind: in their short form, with plain kernels, so that the number is the same on
# every machine, however slow it is and whatever else it does. A unit is a million blocks of instructions between jumps, which valgrind counts
# without a tool, in a third of the time that counting single ones takes. tests/budgets.txt has what each suite took when the table
# was made: a suite that takes more than 1.3 times that has become slow, and fails.
#
#   tests/kit/counted.sh TABLE           compares (make check-budgets)
#   tests/kit/counted.sh --write TABLE   writes the table again, of the 20 suites whose last logs say the most CPU seconds (make budgets);
#                                        but for those of tests/bench, which measure time and so do another amount of work each time, and those that
#                                        have no short form
set -eu
LC_ALL=C
export LC_ALL
write=
if test "$1" = --write; then
    write=yes
    shift
fi
table=$1
command -v valgrind > /dev/null || { echo "FAIL: there is no valgrind" && exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if test -n "$write"; then
    for log in tests/*/check_*.log; do
        case $log in tests/bench/*) continue ;; esac
        sed -n "s|^CPU: \\(.*\\) s\$|\\1 ${log%.log}|p" "$log"
    done | sort -rn | awk 'NR <= 20 { print $2 }' > "$dir/suites"
else
    sed -n 's/^ *[0-9.]* \(tests\/.*\)/\1/p' "$table" > "$dir/suites"
fi
test "$(wc -l < "$dir/suites")" -gt 0 || { echo "FAIL: no suites: has make check run?" && exit 1; }

# OpenBLAS's threads count as long as they wait.
CK_FORK=no POLHODE_CHECK_SHORT=1 POLHODE_KERNELS=plain OPENBLAS_NUM_THREADS=1
unset POLHODE_CHECK_THOROUGH
export CK_FORK POLHODE_CHECK_SHORT POLHODE_KERNELS OPENBLAS_NUM_THREADS dir
# as many at once as there are cores; a suite that ends with an error leaves no count
# shellcheck disable=SC2016
xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN)" sh -c '
    log=$dir/$(echo "$1" | tr / -)
    valgrind --tool=none --stats=yes "./$1" > "$log" 2>&1 || { echo "$1:"; grep -v "^[-=][-=]" "$log"; exit 0; }
    sed -n "s/,//g; s/.*scheduler: \([0-9]*\) event checks.*/\1/p" "$log" | awk -v suite="$1" "NR == 1 { printf \"%9.1f %s\n\", \$1 / 1e6, suite }" > "$log.count"
' counted < "$dir/suites"
cat "$dir"/*.count | sort -rn > "$dir/counts"

if test -n "$write"; then
    { echo "# Millions of blocks of instructions that each of the slowest suites executes in the short form: made by \`make budgets\`, compared by"
      echo "# \`make check-budgets\` (tests/kit/counted.sh)."
      cat "$dir/counts"; } > "$table"
    cat "$table"
    exit 0
fi
awk -v suites="$(wc -l < "$dir/suites")" '
    /^#/ { next }
    NR == FNR { budget[$2] = $1; next }
    { n++; sum += $1; printf "%9.1f of %9.1f  %s\n", $1, budget[$2], $2 }
    $1 > 1.3 * budget[$2] { print "FAIL: too slow: " $2 " executes " $1 " million blocks, 1.3 times " budget[$2] " and more"; bad++ }
    $1 < budget[$2] / 2 { print "half of its budget and less: make budgets" }
    END {
        if (n != suites) { print "FAIL: " suites - n " suites were not counted"; bad++ }
        exit bad > 0
    }' "$table" "$dir/counts"
