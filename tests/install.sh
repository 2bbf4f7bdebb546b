#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An installed copy serves a user: make install into a tree of its own, then examples/embed.c as C and a program that
# includes everything as C++, compiled by pkg-config against that tree alone, and run.
set -eu
: "${top_srcdir:=.}" "${top_builddir:=.}" "${CC:=cc}" "${CXX:=c++}"
if test "${POLHODE_SANITIZERS:-}" = yes || ! test -f "$top_builddir/.libs/libpolhode.so"; then
    echo "skipped: not a build that one would install"
    exit 77
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
prefix=$dir$(sed -n 's/^prefix=//p' "$top_builddir/polhode.pc")

${MAKE:-make} -C "$top_builddir" -s install DESTDIR="$dir" > "$dir/log" 2>&1 || {
    cat "$dir/log"
    exit 1
}
test -f "$prefix/include/polhode/polhode.h" || { echo "FAIL: no headers in $prefix/include/polhode"; exit 1; }

# the .pc files name the configured prefix; a moved tree is what --define-variable is for
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH
flags() {
    pkg-config --define-variable=prefix="$prefix" --define-variable=exec_prefix="$prefix" \
        --define-variable=libdir="$prefix/lib" --define-variable=includedir="$prefix/include" --cflags --libs "$@"
}
cd "$dir"
cp "$top_srcdir/examples/embed.c" .
# shellcheck disable=SC2046
$CC -std=c11 -Wall -Wextra -pedantic -Werror embed.c $(flags polhode) -lm -o embed
LD_LIBRARY_PATH=$prefix/lib ./embed

cat > all.cpp <<'END'
#include <polhode/polhode.h>
#include <cstdio>
int main()
{
    ph_scenario *scenario = nullptr;
    ph_error err;
    const char text[] = "polhode: 1\nmodel: spherical-pendulum\nmethod: variational\nstep: 0.01\nsteps: 10\n";
    if (ph_scenario_parse(text, sizeof text - 1, "text", &scenario, &err)) {
        std::puts(err.message);
        return 1;
    }
    std::printf("%s %s\n", ph_version(), ph_scenario_model(scenario)->name);
    ph_scenario_free(scenario);
    return 0;
}
END
# shellcheck disable=SC2046
$CXX -std=c++11 -Wall -Wextra -pedantic -Werror all.cpp $(flags polhode-io polhode) -o all
LD_LIBRARY_PATH=$prefix/lib ./all

if test -x "$prefix/bin/polhode"; then
    LD_LIBRARY_PATH=$prefix/lib "$prefix/bin/polhode" --version
fi
