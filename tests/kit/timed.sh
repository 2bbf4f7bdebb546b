#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs one test, whatever it is, and ends its log with the CPU seconds that it and its children took: wall time says
# little on a machine that does other things, too. scripts/test lists the slowest and holds them to a bound.
# A test that hangs is ended after 20 minutes; the long form has no such bound.
#
#   tests/kit/timed.sh COMMAND [ARGUMENT ...]
spent=$(mktemp) || exit 99
trap 'rm -f "$spent"' EXIT
most=1200
if test -n "${POLHODE_CHECK_LONG:-}" || ! timeout --foreground 10 true > /dev/null 2>&1; then
    "$@"
    code=$?
else
    timeout --foreground -k 10 "$most" "$@" # in the same process group: Ctrl-C reaches both
    code=$?
    test "$code" -ne 124 || echo "It took longer than $most s and was ended."
fi
# not $(times): a subshell would report its own
times > "$spent"
sed -n 2p "$spent" | tr ms '  ' | awk '{ printf "CPU: %.2f s\n", 60 * ($1 + $3) + $2 + $4 }'
exit $code
