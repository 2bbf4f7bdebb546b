#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs one test, whatever it is, and ends its log with the CPU seconds that it and its children took: wall time says
# little on a machine that does other things, too. scripts/test lists the slowest and holds them to a bound.
#
#   tests/kit/timed.sh COMMAND [ARGUMENT ...]
spent=$(mktemp) || exit 99
trap 'rm -f "$spent"' EXIT
"$@"
code=$?
# not $(times): a subshell would report its own
times > "$spent"
sed -n 2p "$spent" | tr ms '  ' | awk '{ printf "CPU: %.2f s\n", 60 * ($1 + $3) + $2 + $4 }'
exit $code
