#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A build directory is configured again where that would give something else: build() of scripts/setup.sh with a project whose configure
# only counts, after packages, options, the compiler or the version have changed. In the thorough form the real one, with its version.
set -eu
: "${top_srcdir:=.}"
top_srcdir=$(cd "$top_srcdir" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() {
    echo "FAIL: $*"
    failed=1
}

# ---- A project of four files, a package list, and a pkg-config and a compiler that say what this test wants
mkdir -p "$dir/bin" "$dir/project/include/polhode" "$dir/packages"
PATH=$dir/bin:$PATH
root=$dir/project
cat > "$dir/bin/pkg-config" <<END
#!/bin/sh
case \$1 in
--exists) test -f "$dir/packages/\$2" ;;
--modversion) cat "$dir/packages/\$2" ;;
esac
END
printf '#!/bin/sh\ncat "%s/compiler"\n' "$dir" > "$dir/bin/cc-of-test"
cat > "$root/configure" <<'END'
#!/bin/sh
echo "$*" >> configured
touch config.status
printf 'all:\n' > Makefile
END
printf '#!/bin/sh\ntouch configure\n' > "$dir/bin/autoreconf"
chmod +x "$dir"/bin/* "$root/configure"
touch "$root/configure.ac" "$root/Makefile.am" "$root/include/polhode/version.h"
touch "$root/Makefile.in" "$root/configure"
echo "one 1.0" > "$dir/compiler"
echo 3.1 > "$dir/packages/first"
CC=cc-of-test
export CC
. "$top_srcdir/scripts/setup.sh"
needed='libfirst-dev:first.pc' shown='libsecond-dev:second.pc' others="header-of-test:$dir/packages/header.h"
cd "$root"

# configured TIMES WORDS [OPTION ...]: so often has build() called configure, in all
configured() {
    times=$1 words=$2
    shift 2
    build out "$@" > "$dir/log" 2>&1 || { fail "$words: build() fails"; cat "$dir/log"; }
    test "$(wc -l < out/configured)" -eq "$times" || fail "$words: configured $(wc -l < out/configured) times, not $times"
}
configured 1 "the first time"
configured 1 "nothing has changed"
echo 2.0 > "$dir/packages/second"
configured 2 "a package has been installed"
echo 2.1 > "$dir/packages/second"
configured 3 "a package has another version"
rm "$dir/packages/second"
configured 4 "a package has been removed"
touch "$dir/packages/header.h"
configured 5 "a package without a .pc file has been installed"
configured 6 "an option is given" --prefix=/elsewhere
configured 6 "the same option" --prefix=/elsewhere
configured 7 "another value of it" --prefix=/other
configured 8 "no option" 
echo "one 1.1" > "$dir/compiler"
configured 9 "another version of the compiler"
CFLAGS=-O0
export CFLAGS
configured 10 "other flags"
sleep 0.01
touch "$root/include/polhode/version.h"
configured 11 "another version"
mv out/configured-with "$dir/kept"
configured 12 "it is not known what it was configured with"
cmp -s out/configured-with "$dir/kept" || fail "what it is configured with depends on more than that"

# ---- What configure itself makes of another version, by make alone
test -n "${POLHODE_CHECK_THOROUGH:-}" || exit $failed
unset CC CFLAGS
PATH=${PATH#"$dir/bin:"}
mkdir "$dir/tree"
(cd "$top_srcdir" && tar cf - configure.ac Makefile.am m4 build-aux configure aclocal.m4 Makefile.in config.h.in include ./*/*.mk ./*.in ./*/*.in doc/*/*.in python) 2> /dev/null |
    (cd "$dir/tree" && tar xf -)
mkdir "$dir/tree/made" "$dir/first"
cd "$dir/tree/made"
# a first python3 that has nothing, as version managers have it, does not keep the next from being taken
printf '#!/bin/sh\nexit 1\n' > "$dir/first/python3"
chmod +x "$dir/first/python3"
(PATH=$dir/first:$PATH && unset PYTHON && ../configure --quiet) > "$dir/log" 2>&1 || { fail "configure"; tail "$dir/log"; }
if ls /usr/include/python3*/Python.h > "$dir/log" 2>&1 && /usr/bin/python3 -c 'import cffi' 2> /dev/null; then
    grep -q '^PYTHON = /usr/bin/python3$' Makefile || fail "the Python package is not built for /usr/bin/python3, but for \"$(sed -n 's/^PYTHON = //p' Makefile)\""
fi
sleep 1
sed -i 's/^#define PH_VERSION ".*"/#define PH_VERSION "7.8.9"/' ../include/polhode/version.h
make polhode.pc > "$dir/log" 2>&1 || { fail "make polhode.pc"; tail "$dir/log"; }
grep -q '^Version: 7.8.9$' polhode.pc || fail "the version has changed, and polhode.pc has $(grep Version polhode.pc)"
exit $failed
