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
# a sweep of it is not continued with another plugin
{
    cat cavity.yaml
    echo 'ensemble: {product: {duration: [0.1, 0.2, 0.3, 0.4]}}'
} > several.yaml
expect 0 "$polhode" sweep --quiet --shard 1/2 several.yaml
expect 0 "$polhode" sweep --quiet --shard 1/2 several.yaml
cp cavity.so kept.so
sed 's/PH_PLUGIN/static const char other[] __attribute__((used)) = "another";\n&/' cavity.c > other.c
shared other.c cavity.so
expect 3 "$polhode" sweep --quiet --shard 1/2 several.yaml
says err "the files that it was made of were others"
expect 0 "$polhode" sweep --quiet --shard 2/2 several.yaml
expect 2 "$polhode" merge several.out
says err "was made of other files than shard 1 of 2"
mv kept.so cavity.so
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
# a derivative that is wrong late in the run only is found at the times of the run
sed -e 's/^static ph_status gradient/static ph_status push(void *user, double t, const double *z, double *U)\n{\n    (void)user;\n    *U = 0.001 * t * z[0];\n    return PH_OK;\n}\n\nstatic ph_status push_dz(void *user, double t, const double *z, double *dU)\n{\n    (void)user, (void)z;\n    dU[0] += (t > LATE ? 0.002 : 0.001) * t;\n    return PH_OK;\n}\n\n&/' \
    -e 's/\.gradient = gradient,/& .potential_in_time = push, .gradient_in_time = push_dz,/' cavity.c > late.c
for late in 5 50; do
    sed "s/LATE/$late/" late.c > other.c
    shared other.c other.so
    sed 's/cavity\.so/other.so/' cavity.yaml > other.yaml
    expect $((late < 20)) "$polhode" check other.yaml
done
sed 's/\.name = "cavity", //' cavity.c > other.c
shared other.c other.so
refused "system: ./other.so" "without a name"
exit $failed
