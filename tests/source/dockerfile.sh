#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Dockerfile names what there is: the packages that it builds with are those of scripts/setup.sh (none that this
# does not know, none missing that a library is built with; the image has no MPI and no tests), what it copies is there, and its entry is the program. doc/install.md names
# the packages of scripts/setup.sh, all and no others.
set -eu
: "${top_srcdir:=.}"
failed=0
fail() {
    echo "FAIL: $*"
    failed=1
}
file=$top_srcdir/Dockerfile
# lines that go on are one
joined=$(sed -e ':a' -e '/\\$/N; s/\\\n/ /; ta' "$file" | sed '/^#/d')
# packages STAGE: what the first or second stage installs, a line each
packages() {
    echo "$joined" | grep -o 'apt-get install [^&]*' | sed -n "$1p" | tr -s ' ' '\n' | grep -v -e '^-' -e '^apt-get$' -e '^install$' -e '^$'
}
# shellcheck disable=SC2086,SC1091
known=$(. "$top_srcdir/scripts/setup.sh" && printf '%s\n' $needed $shown $others | sed -n 's/:.*//p')
test -n "$(packages 1)" || fail "it installs nothing"
for package in $(packages 1); do
    echo "$known" | grep -q -x -e "$package" || fail "scripts/setup.sh has no package $package"
done
for package in $(echo "$known" | grep -v -e '^libclang' -e '^libopenmpi' -e '^libmpfr' | grep -e '^lib.*-dev$' -e '^zlib' -e '^gcc$' -e '^make$' -e '^auto' -e '^libtool$' -e '^pkg-config$'); do
    packages 1 | grep -q -x -e "$package" || fail "it builds without $package"
done
# each library of the first stage has its shared part in the second: libyaml-dev, libyaml-0-2
for package in $(packages 1 | grep '^lib.*-dev$'); do
    stem=${package%-dev}
    case $stem in libsuitesparse) stem=libamd ;; esac
    packages 2 | grep -q -e "^$stem" || fail "what $package brings is missing where the program runs"
done
packages 2 | grep -e '-dev$' -e '^gcc' && fail "the image that runs has a compiler or headers"
test "$(echo "$joined" | grep -c '^FROM debian:12')" = 2 || fail "it is not based on Debian 12"
echo "$joined" | grep -q -x 'ENTRYPOINT \["polhode"\]' || fail "its entry is not the program"
test "$(echo "$joined" | tail -n 1)" = 'ENTRYPOINT ["polhode"]' || fail "something comes after its entry"
sed -n '/^On Debian 12: `apt-get install/,/`\.$/p' "$top_srcdir/doc/install.md" | tr '` .' '\n\n\n' | sed -e '1,/^install$/d' -e '/^$/d' | sort > install-md.$$
echo "$known" | sed '/^$/d' | sort | diff install-md.$$ - > difference.$$ || {
    fail "doc/install.md (<) and scripts/setup.sh (>) name other packages:"
    cat difference.$$
}
rm -f install-md.$$ difference.$$
for ignored in .git 'build*' '!build-aux'; do
    grep -q -x -F -e "$ignored" "$top_srcdir/.dockerignore" || fail ".dockerignore has no $ignored"
done
exit $failed
