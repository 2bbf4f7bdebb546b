#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Test programs under valgrind, as many at once as there are cores; without forking, and with plain kernels, as valgrind (3.19)
# does not know some instructions of the wide ones (a vmovq between two registers in its form of two bytes). What fails is named
# at the end, its output above.
#
#   tests/kit/valgrind.sh LIBTOOL PROGRAM [ARGUMENT ...]      one, its output in PROGRAM.valgrind.log
#   tests/kit/valgrind.sh --all LIBTOOL PROGRAM ...           each of them
set -u
if test "$1" = --all; then
    shift
    libtool=$1
    shift
    rm -f valgrind.failed
    # The quotes in $libtool are the shell's
    printf '%s\n' "$@" | xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN)" sh "$0" "$libtool"
    if test -s valgrind.failed; then
        echo "valgrind: these failed, see above:"
        cat valgrind.failed
        exit 1
    fi
    exit 0
fi
libtool=$1 program=$2
shift
CK_FORK=no POLHODE_CHECK_SHORT=1 POLHODE_KERNELS=plain
export CK_FORK POLHODE_CHECK_SHORT POLHODE_KERNELS
eval "$libtool"' --quiet --mode=execute valgrind --quiet --error-exitcode=99 --leak-check=full \
    --errors-for-leak-kinds=definite ./"$@"' > "$program.valgrind.log" 2>&1
code=$?
if test $code -eq 0 || test $code -eq 77; then
    echo "valgrind $program: $(tail -n 1 "$program.valgrind.log")"
else
    { echo "valgrind $program: status $code"; cat "$program.valgrind.log"; }
    echo "    $program" >> valgrind.failed
fi
