# SPDX-License-Identifier: BSD-3-Clause
# Sourced by scripts/demo and scripts/test: what must be there, and the build in build/.
# Everything that is made goes to build/ or is ignored by git.

say() {
    printf '\n==> %s\n' "$*"
}

# Debian packages, as PACKAGE:PROBE, where PROBE is a program, a .pc file, a header below /usr/include or a path.
# What the program cannot be built without:
needed='gcc:gcc make:make autoconf:autoconf automake:automake libtool:libtoolize
 pkg-config:pkg-config liblapack-dev:lapack.pc libblas-dev:blas.pc libyaml-dev:yaml-0.1.pc
 libsqlite3-dev:sqlite3.pc zlib1g-dev:zlib.pc libjson-c-dev:json-c.pc'
# What the demo and the first steps of the manual show more with, and what then is missing in them:
shown='gnuplot-nox:gnuplot libsundials-dev:cvode/cvode.h libarchive-dev:libarchive.pc'
# What only some functions and tests need:
others='g++:g++ libdeflate-dev:libdeflate.pc check:check.pc libmpfr-dev:mpfr.pc help2man:help2man
 python3:python3 clang:clang libclang-rt-14-dev:/usr/lib/llvm-14/lib/clang/14.0.6/lib/linux cmake:cmake bsdutils:script
 python3-numpy:/usr/lib/python3/dist-packages/numpy/__init__.py
 python3-h5py:/usr/lib/python3/dist-packages/h5py/__init__.py python3-dev:/usr/bin/python3-config
 python3-pip:/usr/lib/python3/dist-packages/pip/__init__.py
 python3-cffi:/usr/lib/python3/dist-packages/cffi/__init__.py python3-scipy:/usr/lib/python3/dist-packages/scipy/__init__.py
 python3-matplotlib:/usr/lib/python3/dist-packages/matplotlib/__init__.py python3-pandas:/usr/lib/python3/dist-packages/pandas/__init__.py
 python3-xarray:/usr/lib/python3/dist-packages/xarray/__init__.py python3-mypy:/usr/lib/python3/dist-packages/mypy/__init__.py
 python3-pytest:/usr/lib/python3/dist-packages/pytest/__init__.py python3-numba:/usr/lib/python3/dist-packages/numba/__init__.py
 python3-nbconvert:/usr/lib/python3/dist-packages/nbconvert/__init__.py
 python3-ipykernel:/usr/lib/python3/dist-packages/ipykernel/__init__.py zsh:zsh groff-base:groff
 clang-format:clang-format doxygen:doxygen libsuitesparse-dev:suitesparse/amd.h
 libhdf5-dev:hdf5-serial.pc libopenmpi-dev:ompi-c.pc openmpi-bin:mpirun python3-sphinx:sphinx-build
 nodejs:node npm:npm chromium:chromium valgrind:valgrind
 furo:/usr/lib/python3/dist-packages/furo/__init__.py python3-myst-parser:/usr/lib/python3/dist-packages/myst_parser/__init__.py
 python3-breathe:/usr/lib/python3/dist-packages/breathe/__init__.py libjs-mathjax:/usr/share/javascript/mathjax/MathJax.js'

is_there() {
    case $1 in
    *.pc) command -v pkg-config >/dev/null 2>&1 && pkg-config --exists "${1%.pc}" ;;
    /*) test -e "$1" ;;
    *.h) test -f "/usr/include/$1" ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

# missing_packages ENTRIES: those that are not there
missing_packages() {
    for entry in $1; do
        is_there "${entry#*:}" || printf '%s ' "${entry%%:*}"
    done
}

can_install() {
    test "$(id -u)" -eq 0 && command -v apt-get >/dev/null 2>&1
}

# install PACKAGES
install() {
    say "Installing $1"
    export DEBIAN_FRONTEND=noninteractive
    mkdir -p build
    # what apt-get says of its own matters only where it fails
    # shellcheck disable=SC2086
    { apt-get update -q && apt-get install -y -q --no-install-recommends $1; } > build/packages.log 2>&1 || {
        cat build/packages.log >&2
        return 1
    }
}

# Everything, for the tests.
install_missing() {
    missing=$(missing_packages "$needed $shown $others")
    if [ -z "$missing" ]; then
        say "Everything that is needed is there"
        return
    fi
    if ! can_install; then
        say "Missing: $missing"
        echo "Install them first, for instance:  sudo apt-get install $missing"
        exit 1
    fi
    install "$missing"
    missing=$(missing_packages "$needed $shown $others")
    if [ -n "$missing" ]; then
        echo "Still missing after the installation: $missing" >&2
        exit 1
    fi
}

# What the program needs, and what the demo shows more with where that can be installed.
install_for_demo() {
    missing=$(missing_packages "$needed $shown")
    if [ -n "$missing" ] && can_install; then
        install "$missing" || true
    fi
    missing=$(missing_packages "$needed")
    if [ -n "$missing" ]; then
        echo "The program cannot be built without: $missing" >&2
        echo "Install them first, for instance:  sudo apt-get install $missing" >&2
        exit 1
    fi
}

# What the demo lacks for want of a package, in words; nothing where it lacks nothing.
left_out() {
    for package in $(missing_packages "$shown"); do
        case $package in
        libsundials-dev) printf 'SUNDIALS (libsundials-dev); ' ;;
        gnuplot-nox) printf 'the figures of polhode plot (gnuplot-nox); ' ;;
        libarchive-dev) printf 'export to NumPy archives, .npz (libarchive-dev); ' ;;
        esac
    done
}

# What the result of configure depends on: its options, variables, the compiler, and the packages of the lists that are there, with
# versions. configured_with [CONFIGURE-OPTION ...]
configured_with() {
    printf 'option %s\n' "$@"
    env | grep -E '^(CC|CXX|CFLAGS|CXXFLAGS|CPPFLAGS|LDFLAGS|LIBS|PKG_CONFIG[A-Z_]*|PYTHON|pyexecdir)=' | sort
    ${CC:-gcc} --version 2>&1 | sed -n 1p
    for entry in $needed $shown $others; do
        probe=${entry#*:}
        is_there "$probe" || continue
        case $probe in
        *.pc) echo "$probe $(pkg-config --modversion "${probe%.pc}")" ;;
        *) echo "$probe" ;;
        esac
    done
    # Debian's versions of what has no .pc file
    ! command -v dpkg-query > /dev/null 2>&1 ||
        dpkg-query -W -f '${db:Status-Abbrev}${Package} ${Version}\n' $(printf '%s\n' $needed $shown $others | sed 's/:.*//') 2> /dev/null | grep '^ii' || :
}

# build DIRECTORY [CONFIGURE-OPTION ...]: configured again where what configure would find has changed since then
build() {
    directory=$1
    shift
    if [ ! -x configure ] || [ configure.ac -nt configure ] || [ include/polhode/version.h -nt configure ] || [ Makefile.am -nt Makefile.in ] ||
        [ -n "$(find . -maxdepth 2 -name '*.mk' -newer Makefile.in)" ]; then
        say "Making configure (autoreconf)"
        autoreconf -fi >/dev/null 2>&1 || autoreconf -fi
    fi
    mkdir -p "$directory"
    configured_with "$@" > "$directory/configured-with.new"
    if [ ! -f "$directory/Makefile" ] || [ configure -nt "$directory/config.status" ] ||
        ! cmp -s "$directory/configured-with.new" "$directory/configured-with"; then
        say "Configuring in $directory"
        rm -f "$directory/configured-with"
        (cd "$directory" && "$root/configure" --quiet "$@")
    fi
    mv "$directory/configured-with.new" "$directory/configured-with"
    say "Building in $directory"
    make -C "$directory" -j"$(getconf _NPROCESSORS_ONLN)" --no-print-directory
}
