# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the shell tests: what cannot be tried here is said, in lines that scripts count, and is a failure where everything
# must be tried, with POLHODE_CHECK_STRICT set.

# not_tried WHAT: a part, for want of something that a machine can have. Uses fail() of the test.
not_tried() {
    echo "skipped: $*"
    test -z "${POLHODE_CHECK_STRICT:-}" || fail "everything must be tried (POLHODE_CHECK_STRICT)"
}

# skip WHY: ends the whole test, likewise
skip() {
    echo "skipped: $*"
    test -z "${POLHODE_CHECK_STRICT:-}" || exit 1
    exit 77
}
