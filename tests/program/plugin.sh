#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A model from a shared object: the one of doc/howto/plugin.md in check, run, resume and view; what is refused, before any of it is called.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
test -e "$top_builddir/.libs/libpolhode.so" || { echo "skipped: there is no shared library"; exit 77; }

awk '/^```/ { on = 0 } on { print } /^```c$/ { on = 1 }' "$top_srcdir/doc/howto/plugin.md" > cavity.c
awk '/^```/ { on = 0 } on { print } /^```yaml$/ { on = 1 }' "$top_srcdir/doc/howto/plugin.md" > cavity.yaml
# shared FROM TO
shared() {
    # shellcheck disable=SC2086
    ${CC:-cc} -shared -fPIC -I"$top_srcdir/include" -I"$top_builddir/include" "$1" -L"$top_builddir/.libs" -lpolhode -lm -o "$2"
}
shared cavity.c cavity.so
expect 0 "$polhode" check cavity.yaml
says out "model    cavity, 1 vector, conservative" "gradient of the potential agrees" "All is well."
expect 0 "$polhode" run --quiet --set duration=1 --csv cavity.yaml
expect 0 "$polhode" resume --quiet --until 2 cavity.out
expect 0 "$polhode" view --quiet cavity.out -o cavity.html
expect 0 "$polhode" info --check cavity.out
# from another folder the scenario finds it, the archive does not
mkdir elsewhere
cd elsewhere
expect 0 "$polhode" check ../cavity.yaml
expect 3 "$polhode" resume --quiet --until 3 ../cavity.out
says err "system: cannot be loaded: ./cavity.so" "begins in the current directory"
cd ..

# refused LINE EXPECTED: the scenario with this line in place of `system`
refused() {
    sed "s|^system:.*|$1|" cavity.yaml > wrong.yaml
    expect 2 "$polhode" check wrong.yaml
    says err "$2"
}
expect 2 "$polhode" check --no-compile cavity.yaml
says err "cavity.yaml:2:9: system: is code that comes with the scenario, which --no-compile does not run"
expect 2 "$polhode" run --no-compile cavity.yaml
refused "system: cavity.so" "the path of a shared object is expected, with a slash: ./mine.so"
refused "system: https://example.org/cavity.so" "the path of a shared object is expected"
refused "system: ./missing.so" "cannot be loaded: ./missing.so"
refused "system: ./cavity.yaml" "cannot be loaded"
refused "system: [1]" "the path of a shared object"
sed 's/^system:/model: kepler\n&/' cavity.yaml > wrong.yaml
expect 2 "$polhode" check wrong.yaml
says err 'cannot be given together with "model"'
sed 's/depth: 0.02/mass: -1/' cavity.yaml > wrong.yaml
expect 2 "$polhode" check wrong.yaml
says err "parameters.mass: mass is -1 kg; it must be positive"
sed 's/depth/deep/' cavity.yaml > wrong.yaml
expect 2 "$polhode" check wrong.yaml
says err '"deep"'
echo 'int nothing; ' > other.c
shared other.c other.so
refused "system: ./other.so" "has no ph_plugin_of_model"
for change in 's/PH_PLUGIN_VERSION/1/' 's/sizeof(ph_model)/8/' 's/sizeof(ph_system_definition)/8/'; do
    { sed '/^PH_PLUGIN/d' cavity.c
      echo 'PH_API extern const ph_plugin ph_plugin_of_model;'
      echo 'const ph_plugin ph_plugin_of_model = {PH_PLUGIN_VERSION, sizeof(ph_system_definition), sizeof(ph_model), &model};' | sed "$change"; } > other.c
    shared other.c other.so
    refused "system: ./other.so" "was compiled for another version of Polhode"
done
sed 's/\.name = "cavity", //' cavity.c > other.c
shared other.c other.so
refused "system: ./other.so" "without a name"
exit $failed
