#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Clang makes code of the kernels: version 14, Debian 12's, crashed there (horizontal sums for AVX, see
# integrators/variational-few.h). In the thorough form of the whole core, too, at several levels, and what it makes gives the same
# bits as the library of this build, for every model and method; and they run under its UndefinedBehaviorSanitizer, which
# sees pointers that wrap around, as gcc's does not. CLANG: another one than the first of the list below.
set -eu
: "${top_srcdir:=.}" "${top_builddir:=.}" "${CC:=cc}"
: "${DEPENDENCY_CFLAGS:=}" "${DEPENDENCY_LIBS:=}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() {
    echo "FAIL: $*"
    failed=1
}
. "$top_srcdir/tests/untried.sh"

clang=
for candidate in ${CLANG:-clang-14 clang}; do
    if test -z "$clang" && "$candidate" --version > "$dir/version" 2>&1; then
        clang=$candidate
        sed -n 1p "$dir/version"
    fi
done
test -n "$clang" || skip "there is no clang"

# make_code LEVEL FILE...: an object of each in $dir. Warnings are another test's.
# shellcheck disable=SC2086
make_code() {
    level=$1
    shift
    for file; do
        $clang -std=gnu11 -fPIC -ffp-contract=off -fno-math-errno -w $level -DHAVE_CONFIG_H -I"$top_builddir" \
            -I"$top_srcdir/include" -I"$top_srcdir/lib" -I"$top_srcdir" $DEPENDENCY_CFLAGS \
            -c "$top_srcdir/$file" -o "$dir/$(echo "$file" | tr / -).o" > "$dir/log" 2>&1 ||
            { fail "$clang $level $file:"; grep -m 5 -e 'error:' -e 'Running pass' "$dir/log" || sed -n 1,10p "$dir/log"; }
    done
}

few="integrators/variational-few.c integrators/variational-few-stages.c integrators/multistep-few.c"
others="integrators/variational-chain.c integrators/variational-tree.c integrators/multistep-start.c lib/equations/chain-few.c"
# shellcheck disable=SC2086
make_code -O2 $few $others
if test -z "${POLHODE_CHECK_THOROUGH:-}${POLHODE_CHECK_LONG:-}"; then
    exit $failed
fi

# shellcheck disable=SC2086
for level in -O0 -O3 "-O1 -fsanitize=address,undefined"; do
    make_code "$level" $few # the sanitizers in long rows of links take it minutes
done

# ---- The core, and its bits
core=$(cd "$top_srcdir" && ls integrators/*.c lib/*/*.c | grep -v -e '^lib/archive/' -e '^lib/scenario/')
if ! grep -q '^#define HAVE_SUNDIALS 1' "$top_builddir/config.h"; then
    core=$(echo "$core" | grep -v -e /arkode -e /cvode -e /sundials)
fi
rm -f "$dir"/*.o
# shellcheck disable=SC2086
make_code -O2 $core
cat > "$dir/bits.c" << 'END'
#include <polhode/polhode.h>

#include <stdio.h>
#include <string.h>

/* 50 steps of each model by each method, and what z and p are then */
int main(void)
{
    static double z[4000], zdot[4000];
    int tried = 0;
    for (size_t m = 0; m < ph_models(); m++)
        for (size_t k = 0; k < ph_methods(); k++) {
            const ph_model *model = ph_model_at(m);
            const ph_method *method = ph_method_at(k);
            ph_system *system = NULL;
            ph_integrator *it = NULL;
            ph_state *state = NULL;
            unsigned long long hash = 0;
            if (!ph_model_build(model, NULL, 0, &system, NULL) &&
                !ph_integrator_create(system, method, 0.002, NULL, 0, &it, NULL) && !ph_state_create(it, &state, NULL) &&
                state->nz <= 4000 && !ph_model_preset(model, NULL, 0, NULL, z, zdot, NULL) &&
                !ph_state_set_velocity(it, state, 0, z, zdot, PH_STRICT, NULL)) {
                ph_status status = ph_integrator_step(it, state, 50);
                for (size_t i = 0; i < state->nz + state->np; i++) {
                    unsigned long long word;
                    memcpy(&word, i < state->nz ? state->z + i : state->p + (i - state->nz), sizeof word);
                    hash = (hash ^ word) * 0x100000001b3u;
                    hash ^= hash >> 29;
                }
                printf("%s %s %d %016llx\n", model->name, method->name, (int)status, hash);
                tried++;
            }
            ph_state_free(state);
            ph_integrator_free(it);
            ph_system_free(system);
        }
    return tried < 100;
}
END
# motions COMPILER EXECUTABLE ARGUMENT...: made, and $dir/EXECUTABLE.txt of them
motions() {
    compiler=$1 made=$2
    shift 2
    # shellcheck disable=SC2086
    $compiler -I"$top_srcdir/include" "$dir/bits.c" "$@" $DEPENDENCY_LIBS -lm -o "$dir/$made" > "$dir/log" 2>&1 &&
        "$dir/$made" > "$dir/$made.txt" 2> "$dir/log" || { fail "motions by $compiler:"; sed -n 1,20p "$dir/log"; }
}

motions "$clang" theirs "$dir"/*.o
library=$top_builddir/.libs/libpolhode.so
if test -f "$library" && test "${POLHODE_SANITIZERS:-}" != yes; then
    LD_LIBRARY_PATH=$top_builddir/.libs
    export LD_LIBRARY_PATH
    motions "$CC" ours "$library"
    unset LD_LIBRARY_PATH
    echo "$(wc -l < "$dir/ours.txt") motions; $(diff "$dir/ours.txt" "$dir/theirs.txt" | grep -c '^<' || true) have other bits by $clang"
    diff "$dir/ours.txt" "$dir/theirs.txt" || fail "$clang gives other bits"
else
    echo "no shared library to compare with"
fi

# ---- The same motions, and what no program may do
sanitized="-fsanitize=undefined -fno-sanitize-recover=all"
rm -f "$dir"/*.o
for file in $core; do
    case $file in
        */variational-chain.c | */variational-tree.c) make_code "-O0 $sanitized" "$file" ;; # as above
        *) make_code "-O1 $sanitized" "$file" ;;
    esac
done
motions "$clang $sanitized" watched "$dir"/*.o
diff "$dir/theirs.txt" "$dir/watched.txt" || fail "with sanitizers other bits"
exit $failed
