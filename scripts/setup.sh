# SPDX-License-Identifier: BSD-3-Clause
# Sourced by scripts/demo and scripts/test: what must be there, and the build in build/.
# Everything that is made goes to build/ or is ignored by git.

say() {
    printf '\n==> %s\n' "$*"
}

# Debian packages that are wanted, as PACKAGE:PROBE, where PROBE is a program, a .pc file, a header below
# /usr/include or a path.
packages='gcc:gcc g++:g++ make:make autoconf:autoconf automake:automake libtool:libtoolize
 pkg-config:pkg-config liblapack-dev:lapack.pc libblas-dev:blas.pc libyaml-dev:yaml-0.1.pc
 libsqlite3-dev:sqlite3.pc libdeflate-dev:libdeflate.pc zlib1g-dev:zlib.pc libjson-c-dev:json-c.pc check:check.pc gnuplot-nox:gnuplot help2man:help2man
 python3-numpy:/usr/lib/python3/dist-packages/numpy/__init__.py
 python3-h5py:/usr/lib/python3/dist-packages/h5py/__init__.py zsh:zsh groff-base:groff
 clang-format:clang-format doxygen:doxygen libsundials-dev:cvode/cvode.h libsuitesparse-dev:suitesparse/amd.h
 libarchive-dev:libarchive.pc libhdf5-dev:hdf5-serial.pc python3-sphinx:sphinx-build
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

missing_packages() {
    for entry in $packages; do
        is_there "${entry#*:}" || printf '%s ' "${entry%%:*}"
    done
}

install_missing() {
    missing=$(missing_packages)
    if [ -z "$missing" ]; then
        say "Everything that is needed is there"
        return
    fi
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
        say "Missing: $missing"
        echo "Install them first, for instance:  sudo apt-get install $missing"
        exit 1
    fi
    say "Installing $missing"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q >/dev/null
    # shellcheck disable=SC2086
    apt-get install -y -q --no-install-recommends $missing >/dev/null
    missing=$(missing_packages)
    if [ -n "$missing" ]; then
        echo "Still missing after the installation: $missing" >&2
        exit 1
    fi
}

# build DIRECTORY [CONFIGURE-OPTION ...]
build() {
    directory=$1
    shift
    if [ ! -x configure ] || [ configure.ac -nt configure ] || [ Makefile.am -nt Makefile.in ] ||
        [ -n "$(find . -maxdepth 2 -name local.mk -newer Makefile.in)" ]; then
        say "Making configure (autoreconf)"
        autoreconf -fi >/dev/null 2>&1 || autoreconf -fi
    fi
    mkdir -p "$directory"
    if [ ! -f "$directory/Makefile" ] || [ configure -nt "$directory/config.status" ]; then
        say "Configuring in $directory"
        (cd "$directory" && "$root/configure" --quiet "$@")
    fi
    say "Building in $directory"
    make -C "$directory" -j"$(getconf _NPROCESSORS_ONLN)" --no-print-directory
}
