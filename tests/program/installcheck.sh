#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An installed copy serves a user who has nothing else: the examples, compiled as pkg-config says, as C and as C++, give
# the right numbers; so does the program, and to the last digit the same; the headers and the exported symbols are
# right. `make installcheck` runs this for what `make install` has installed; each part is a line, and the last line counts
# them.
#
# bindir, libdir, includedir, pkgconfigdir, mandir: where things were installed, DESTDIR included; completiondirs: those of
# bash and of zsh, or nothing where completion is not installed; pyexecdir and POLHODE_PYTHON: the Python package, and the Python that
# it is for, or nothing where it is not installed.
set -eu
: "${bindir:?}" "${libdir:?}" "${includedir:?}" "${pkgconfigdir:?}" "${mandir:?}"
: "${CC:=cc}" "${CXX:=c++}" "${PKG_CONFIG:=pkg-config}"
top_srcdir=$(cd "${top_srcdir:=.}" && pwd)
LC_ALL=C
export LC_ALL bindir
if test "${POLHODE_SANITIZERS:-}" = yes; then
    echo "skipped: a build with sanitizers is not one that one would install"
    exit 0
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
passed=0
failed=0

# part NAME COMMAND...: run it in silence, unless it fails; 77 is a part that cannot be tried here
part() {
    label=$1
    shift
    set +e # and not `|| code=$?`, in which the functions would continue after a failure
    (set -e; "$@") > log 2>&1
    code=$?
    set -e
    case $code in
        0) echo "ok: $label" && passed=$((passed + 1)) ;;
        77) echo "skipped: $label: $(head -n 1 log)" ;;
        *) echo "FAILED: $label (status $code):" && sed 's/^/    /' log && failed=$((failed + 1)) ;;
    esac
}

# near VALUE WANTED TOLERANCE; between VALUE LEAST MOST; nothing or a NaN is never right
near() {
    awk -v a="$1" -v b="$2" -v e="$3" -v n='^-?[0-9]+([.][0-9]+)?(e[-+][0-9]+)?$' 'BEGIN { d = a - b; exit !(a ~ n && d <= e && -d <= e) }' ||
        { echo "\"$1\" is not $2 within $3" && return 1; }
}
between() {
    awk -v a="$1" -v b="$2" -v c="$3" -v n='^-?[0-9]+([.][0-9]+)?(e[-+][0-9]+)?$' 'BEGIN { exit !(a ~ n && a + 0 >= b && a + 0 <= c) }' ||
        { echo "\"$1\" is not between $2 and $3" && return 1; }
}

# ---- How a user compiles. The .pc files name the configured places; where DESTDIR has moved the tree, they are given the new ones.
PKG_CONFIG_PATH=$pkgconfigdir${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
LD_LIBRARY_PATH=$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_PATH LD_LIBRARY_PATH
static=
ls "$libdir"/libpolhode.so > /dev/null 2>&1 || static=--static
flags() {
    if test "$($PKG_CONFIG --variable=libdir polhode)" = "$libdir"; then
        $PKG_CONFIG $static --cflags --libs "$1"
    else
        $PKG_CONFIG $static --define-variable=libdir="$libdir" --define-variable=includedir="$includedir" --cflags --libs "$1"
    fi
}
warnings='-Wall -Wextra -pedantic -Werror'
# shellcheck disable=SC2046,SC2086
as_c() { # FILE PACKAGE PROGRAM
    $CC -std=c11 $warnings "$1" $(flags "$2") -lm -o "$3"
}
# shellcheck disable=SC2046,SC2086
as_cxx() {
    test -n "$have_cxx" || { echo "no C++ compiler" && return 77; }
    cp "$1" "$3.cpp"
    $CXX -std=c++11 $warnings "$3.cpp" $(flags "$2") -lm -o "$3"
}
have_cxx=
echo 'int main() { return 0; }' > x.cpp
# shellcheck disable=SC2086
if $CXX -std=c++11 x.cpp -o x 2> /dev/null; then
    have_cxx=yes
fi
have_io=
if test -f "$pkgconfigdir/polhode-io.pc"; then
    have_io=yes
fi

version() {
    wanted=$(sed -n 's/^#define PH_VERSION "\(.*\)"/\1/p' "$includedir/polhode/version.h")
    test -n "$wanted" && test "$($PKG_CONFIG --modversion polhode)" = "$wanted"
    if test -n "$have_io"; then
        test "$($PKG_CONFIG --modversion polhode-io)" = "$wanted"
        test "$("$bindir/polhode" --version | head -n 1)" = "polhode $wanted"
    fi
}
part "headers, pkg-config and program report the same version" version

# ---- A user-defined potential
embed() { # PROGRAM
    ./"$1" > "$1.out"
    cat "$1.out"
    test "$(wc -l < "$1.out")" -eq 11
    tail -n 1 "$1.out" | grep -q '^t = 1000 s'
    # 6e-5 at h = 0.01, by order 2; at the end not 0, as something has moved
    sed 's/.* //; s/^-//' "$1.out" > errors
    while read -r error; do
        between "$error" 0 2e-4
    done < errors
    between "$(tail -n 1 errors)" 1e-7 2e-4
}
part "examples/embed.c compiles as C11" as_c "$top_srcdir/examples/embed.c" polhode embed-c
part "examples/embed.c runs" embed embed-c
part "examples/embed.c compiles as C++11" as_cxx "$top_srcdir/examples/embed.c" polhode embed-cxx
if test -n "$have_cxx"; then
    part "examples/embed.c runs as C++" embed embed-cxx
    part "C and C++ give the same" cmp embed-c.out embed-cxx.out
fi

# ---- User-defined Lagrangians: these examples judge themselves
for name in beads ellipsoid lagrangian; do
    part "examples/$name.c compiles as C11" as_c "$top_srcdir/examples/$name.c" polhode "$name-c"
    part "examples/$name.c runs and finds itself right" ./$name-c
done

# ---- Scenarios, by the program and through the library
if test -n "$have_io"; then
    part "examples/scenario.c compiles as C11" as_c "$top_srcdir/examples/scenario.c" polhode-io scenario-c
    part "examples/scenario.c compiles as C++11" as_cxx "$top_srcdir/examples/scenario.c" polhode-io scenario-cxx
    for name in session quadrotor-feedback; do
        part "examples/$name.c compiles as C11" as_c "$top_srcdir/examples/$name.c" polhode-io "$name-c"
        part "examples/$name.c runs and finds itself right" "./$name-c" "$name.out"
    done
    part "examples/scenario.c fails with a message" sh -c './scenario-c nowhere.yaml 2> err; test $? -eq 1 && grep nowhere.yaml err'

    polhode=$bindir/polhode
    # value NAME KEY: a number or word at the top of a summary
    value() {
        sed -n "s/^  \"$2\": \"\{0,1\}\([^,\"]*\).*/\1/p" "$1.out/summary.json"
    }
    # column NAME STEP FIRST LAST: of the row of a trajectory
    column() {
        awk -F, -v step="$2" -v a="$3" -v b="$4" '$2 == step { for (i = a; i <= b; i++) printf "%s ", $i }' "$1.out/trajectory.csv"
    }
    # all_near VALUES WANTED TOLERANCE: lists
    all_near() {
        # shellcheck disable=SC2086
        set -- "$3" "$2" $1
        tolerance=$1 wanted=$2
        shift 2
        for number in $wanted; do
            near "${1:-}" "$number" "$tolerance" || return 1
            shift
        done
    }
    run() { # NAME TIME MOMENTUM-ERROR
        "$polhode" run --csv --quiet "$top_srcdir/examples/$1.yaml"
        cat "$1.out/summary.json"
        test "$(value "$1" status)" = ok
        near "$(value "$1" time)" "$2" 1e-12
        near "$(value "$1" constraint_error_max)" 0 1e-15
        near "$(value "$1" momentum_error_max)" 0 "$3"
        # what is there is not overwritten
        code=0
        "$polhode" run --quiet "$top_srcdir/examples/$1.yaml" || code=$?
        test $code -eq 3
    }
    # Energy by hand: 9.81^2 (5/4 - 2) J. At t = 10 s: q by Taylor series of order 40, as in
    # tests/methods/check_reference.c; the method's error there is 7e-4 at this step.
    double() {
        run double-spherical-pendulum 100 1e-13
        near "$(value double-spherical-pendulum energy_initial)" -72.177075 1e-12
        between "$(value double-spherical-pendulum energy_error_max)" 1e-4 4e-4
        all_near "$(column double-spherical-pendulum 1000 3 8)" "-0.8318075677671688 0.4701953010398401 0.2949788959999021
            -0.2353993742029688 -0.5731963138990129 0.7848777741517688" 1e-3
    }
    # On the cone the pendulum turns by sqrt(g / (l cos 60 deg)) t = 44.2944691807 rad in 10 s; RK4's error is 1e-6.
    conical() {
        run conical-pendulum 10 1e-6
        near "$(value conical-pendulum energy_initial)" 2.4525 1e-12
        between "$(value conical-pendulum energy_error_max)" 1e-9 1e-6
        all_near "$(column conical-pendulum 1000 3 5)" "$(awk 'BEGIN {
            turn = sqrt(9.81 / 0.5) * 10; printf "%.12f %.12f -0.5", sqrt(0.75) * cos(turn), sqrt(0.75) * sin(turn) }')" 1e-5
    }
    # Five links; the variational integrator at a step that resolves the fastest of them.
    chain() {
        run chain 10 1e-13
        test "$(head -n 1 chain.out/trajectory.csv | tr , '\n' | grep -c '^q[1-5][xyz]')" -eq 15
        between "$(value chain energy_error_max)" 1e-5 1e-3
    }
    library() { # NAME PROGRAM: the same by the library, to the last digit
        ./"$2" "$top_srcdir/examples/$1.yaml" "$2-$1.out" > "$2.out"
        cat "$2.out"
        for key in time energy_error_max constraint_error_max; do
            test "$(sed -n "s/^$key //p" "$2.out")" = "$(value "$1" $key)" || { echo "$key: not $(value "$1" $key)" && return 1; }
        done
        test "$(sed -n 's/^z //p' "$2.out")" = "$(sed -n 's/^ *"z": \[\(.*\)\].*/\1/p' "$1.out/summary.json")"
    }
    part "double-spherical-pendulum.yaml by the program" double
    part "conical-pendulum.yaml by the program" conical
    part "chain.yaml by the program" chain
    for name in double-spherical-pendulum conical-pendulum chain; do
        part "$name.yaml by the library gives the same" library "$name" scenario-c
        if test -n "$have_cxx"; then
            part "$name.yaml by the library from C++ gives the same" library "$name" scenario-cxx
        fi
    done
    # shellcheck disable=SC2016
    part "a scenario that is not there: status 2" sh -c '"$bindir/polhode" run nowhere.yaml; test $? -eq 2'
    # in a new shell, as bash finds it by the program's name; and zsh by the file's
    completion() {
        # shellcheck disable=SC2086
        set -- ${completiondirs:-}
        test $# -eq 2 || { echo "not configured" && return 77; }
        cmp "$1/polhode" "$top_srcdir/completion/polhode.bash"
        cmp "$2/_polhode" "$top_srcdir/completion/_polhode"
        # shellcheck disable=SC2016
        if command -v bash; then
            bash --norc -c '. "$1" && COMP_LINE="$2 metho" COMP_POINT=$((${#2} + 6)) COMP_WORDS=("$2") && _polhode &&
                test "${COMPREPLY[*]}" = methods' - "$1/polhode" "$bindir/polhode"
        fi
    }
    part "completion is where the shells look" completion
else
    echo "skipped: the program and libpolhode-io were not built"
fi

# ---- The same examples by CMake, which finds the package where it is, moved or not
by_cmake() {
    command -v cmake || { echo "no CMake" && return 77; }
    test -n "$have_io" || { echo "without libpolhode-io" && return 77; }
    cmake -S "$top_srcdir/examples/cmake" -B by-cmake -DPolhode_DIR="$libdir/cmake/Polhode" -DCMAKE_C_COMPILER="${CC##* }"
    cmake --build by-cmake
    by-cmake/embed > by-cmake.out
    cmp by-cmake.out embed-c.out
    by-cmake/scenario "$top_srcdir/examples/chain.yaml" by-cmake-chain.out
    # what is not there is reported as such, and a version that is too new refused
    sed 's/Polhode 0.1 /Polhode 0.2 /' "$top_srcdir/examples/cmake/CMakeLists.txt" > CMakeLists.txt
    ! cmake -S . -B too-new -DPolhode_DIR="$libdir/cmake/Polhode" > too-new.log 2>&1
    grep -q "version: 0.1" too-new.log
    # nor is the folder taken without the sources beside it
    cp "$top_srcdir/examples/cmake/CMakeLists.txt" .
    ! cmake -S . -B alone -DPolhode_DIR="$libdir/cmake/Polhode" > alone.log 2>&1
    tr -s "\n " " " < alone.log | grep -q "copy the whole folder"
}
part "examples by CMake's find_package" by_cmake

# ---- The Python package, and a wheel of it that pip makes with what is installed, elsewhere and without a network
import_package() { # FOLDER
    $POLHODE_PYTHON -c 'import numpy' 2> /dev/null || { echo "$POLHODE_PYTHON has no NumPy" && return 77; }
    PYTHONPATH=$1 PYTHONDONTWRITEBYTECODE=1 $POLHODE_PYTHON -W error - "$1" "$version" "$top_srcdir/examples/double-spherical-pendulum.yaml" << 'END'
import os, sys
import polhode
from polhode import _config
assert os.path.dirname(polhode.__file__) == os.path.join(sys.argv[1], "polhode"), polhode.__file__
assert polhode.__version__ == sys.argv[2] and os.path.basename(_config.PROGRAM) == "polhode"
run = polhode.run(sys.argv[3], duration=1)  # energy and bound as in double() above
assert run.t[-1] == 1 and abs(run.energy[0] + 72.177075) < 1e-12, run.energy
assert 0 < abs(run.energy_error).max() / 72.177075 < 4e-4, run.energy_error
END
}
wheel() {
    $POLHODE_PYTHON -c 'import setuptools, wheel, pip' 2> /dev/null || { echo "$POLHODE_PYTHON has no pip, setuptools and wheel" && return 77; }
    cp -R "$top_srcdir/python" sources
    $POLHODE_PYTHON -m pip wheel -q --no-index --no-deps --no-build-isolation -w wheels ./sources
    $POLHODE_PYTHON -m pip install -q --no-index --no-deps --target unpacked wheels/polhode-"$version"-cp39-abi3-*.whl
    unset LD_LIBRARY_PATH
    import_package "$dir/unpacked"
}
version=$($PKG_CONFIG --modversion polhode)
if test -n "${POLHODE_PYTHON:-}"; then
    part "the Python package can be imported" import_package "$pyexecdir"
    # with DESTDIR, pkg-config names places where nothing is yet; scripts/test --thorough has a prefix
    test "$($PKG_CONFIG --variable=libdir polhode)" != "$libdir" || part "pip makes a wheel of it, which can be imported" wheel
fi

# ---- Headers, symbols and manual, by the tests of the build tree
POLHODE_INCLUDEDIR=$includedir
POLHODE_LIBDIR=$libdir
POLHODE_MANDIR=$mandir
POLHODE_PROGRAM=$bindir/polhode
export POLHODE_INCLUDEDIR POLHODE_LIBDIR POLHODE_MANDIR POLHODE_PROGRAM top_srcdir CC CXX
if test -z "${POLHODE_SAME_HEADERS:-}"; then
    part "every installed header compiles alone" sh "$top_srcdir/tests/source/headers.sh"
else # they have been compiled in the source tree
    part "the installed headers are those of the source tree" diff -r "$top_srcdir/include/polhode" "$includedir/polhode"
fi
part "the libraries export what the headers declare" sh "$top_srcdir/tests/source/symbols.sh"
part "the manual pages are there and true" sh "$top_srcdir/tests/documents/man.sh"

echo "installcheck: $passed passed, $failed failed"
test $failed -eq 0
