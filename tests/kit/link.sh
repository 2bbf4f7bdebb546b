#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Links a test with the libraries of the build that are archives of objects (libtestkit.la, libpolhode_bench.la), as libtool does,
# by one call of the compiler. Libtool links where a library is of another kind.
#
#   tests/kit/link.sh LIBTOOL COMPILER [ARGUMENT ...]
libtool=$1
shift
libraries=
for argument; do
    case $argument in
    /*.la) dlname=installed ;;
    *.la)
        dlname=none
        # dlname (empty where it is no shared library), old_library, dependency_libs, inherited_linker_flags
        . "./$argument"
        libraries="$libraries ${argument%"${argument##*/}"}.libs/$old_library $dependency_libs $inherited_linker_flags"
        case " $dependency_libs " in *.la\ *) dlname=another ;; esac
        ;;
    *) continue ;;
    esac
    test -z "$dlname" || eval 'exec '"$libtool"' --silent --tag=CC --mode=link "$@"'
done
count=$#
while test "$count" -gt 0; do
    argument=$1
    shift
    case $argument in *.la) ;; *) set -- "$@" "$argument" ;; esac
    count=$((count - 1))
done
# shellcheck disable=SC2086
exec "$@" $libraries
