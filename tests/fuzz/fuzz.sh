#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Any bytes given to what reads files, texts and numbers, by clang's libFuzzer under sanitizers: the targets in this folder (fuzz.h),
# from the corpora that the everyday suite replays (check_corpora.c). In the larger form as many inputs as a target's line "fuzz:"
# says, the same ones each day; in the long one an hour of each.
#
#   top_builddir=BUILD tests/fuzz/fuzz.sh [TARGET ...]             these, or all
#   FUZZ_SECONDS=600 FUZZ_KEEP=DIR ...                             for so long, going on with the corpora that are kept below DIR;
#                                                                  what was tried is a line of DIR/log.txt
#   FUZZ_KEEP=DIR top_builddir=BUILD tests/fuzz/fuzz.sh --pack TARGET ...    the corpus in the sources <- the least of it that executes the same
set -eu
: "${top_srcdir:=.}"
. "$top_srcdir/tests/kit/kit.sh"
pack=
test "${1-}" != --pack || { pack=yes && shift; }
test -n "${POLHODE_CHECK_THOROUGH-}${POLHODE_CHECK_LONG-}${FUZZ_SECONDS-}$pack" || { echo "some 10 000 of each, or an hour, in the larger forms"; exit 77; }
here=$top_srcdir/tests/fuzz
test $# -gt 0 || { cd "$here/corpus" && set -- * && cd "$dir"; }
python=$(python_with os)
test -n "$python" || skip "there is no Python, which unpacks corpora"
clang=
for candidate in ${CLANG:-clang-14 clang}; do
    if test -z "$clang" && echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
        "$candidate" -fsanitize=fuzzer,address,undefined -x c - -o probe 2> err; then
        clang=$candidate
    fi
done
test -n "$clang" || skip "there is no clang with libFuzzer"
for library in libtestkit_io libtestkit libpolhode_bench libpolhode_io_internal libpolhode_internal; do
    file=$top_builddir/.libs/$library.a
    test -f "$file" || file=$top_builddir/$library.a
    test -f "$file" || skip "$library was not built"
    libraries="${libraries-} $file"
done
# the program's objects, of which a target takes what it calls
find "$top_builddir/tools" "$top_builddir/viewer" -name 'polhode-*.o' ! -name polhode-main.o ! -path '*/mpi/*' -exec ar cr tools.a {} + 2> /dev/null || skip "the program was not built"
libraries="$dir/tools.a $libraries"
# of_build WORD: the values of the build's variables NAME_WORD
of_build() {
    sed -n "s/^\(AMD\|ARCHIVE\|CHECK\|CHECKSUMS\|FORMATS\|HDF5\|JSON\|LAPACK\|LIBARCHIVE\|SUNDIALS\|YAML\)_$1 = //p" "$top_builddir/Makefile" | tr '\n' ' '
}
keep=${FUZZ_KEEP:-$dir/keep}
mkdir -p "$keep"
export POLHODE_COMPILE=never

# sources_of PART...: files, and those of folders
sources_of() {
    for part; do
        if test -d "$top_srcdir/$part"; then
            echo "$top_srcdir/$part"/*.c
        else
            echo "$top_srcdir/$part"
        fi
    done
}

# compile TARGET FILE...: with its part of the library; then it is linked, to $code/fuzz
compile() {
    target=$1
    shift
    # shellcheck disable=SC2086,SC2046
    printf '%s\n' "$here/$target.c" "$here/fuzz.c" "$@" | CLANG="$clang" CODE="$code" TOP="$top_srcdir/" xargs -P 2 -I '{}' sh -c \
        'object=${1#"$TOP"}; object=$(echo "$object" | tr / -); shift; exec "$CLANG" "$@" -o "$CODE/$object.o"' compile '{}' $flags $(of_build CFLAGS) -c '{}' > log 2>&1 || {
        fail "$target is not compiled: $(tail -n 20 log)"
        return 1
    }
    # shellcheck disable=SC2086,SC2046
    "$clang" $flags -fsanitize=fuzzer -Wl,-z,muldefs "$code"/*.o $libraries $(of_build LIBS) -lm -o "$code/fuzz" > log 2>&1 || {
        fail "$target is not linked: $(tail -n 20 log)"
        return 1
    }
}
flags="-g1 -O1 -std=gnu11 -ffp-contract=off -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -DHAVE_CONFIG_H -DFUZZ_ALONE
    -I$top_builddir -I$top_builddir/include -I$top_srcdir -I$top_srcdir/include"

for target; do
    line=$(sed -n 's|^ \* fuzz: \(.*\)|\1|p' "$here/$target.c")
    parts=${line%%;*}
    # shellcheck disable=SC2086
    set -- ${line#*;} # "50000 inputs of at most 2048 bytes"
    runs=$1 longest=${6}
    code=$keep/$target.code
    corpus=$keep/$target
    rm -rf "$code"
    mkdir -p "$code" "$corpus"
    # shellcheck disable=SC2086,SC2046
    compile "$target" $(sources_of $parts) || continue
    "$python" "$here/corpus.py" unpack "$here/corpus/$target" "$dir/$target.seeds"
    if test -n "$pack"; then
        mkdir "$dir/$target.least"
        TMPDIR=$dir "$code/fuzz" -merge=1 -use_counters=0 -timeout=60 -rss_limit_mb=4096 -close_fd_mask=1 "$dir/$target.least" "$dir/$target.seeds" "$corpus" > log 2>&1 || fail "$target: $(tail -n 20 log)"
        "$python" "$here/corpus.py" pack "$dir/$target.least" "$here/corpus/$target"
        continue
    fi
    much="-runs=$runs -seed=1" # the same ones each day
    test -z "${POLHODE_CHECK_LONG:-}" || much=-max_total_time=3600
    test -z "${FUZZ_SECONDS:-}" || much=-max_total_time=$FUZZ_SECONDS
    words=
    test ! -f "$here/words/$target" || words=-dict=$here/words/$target
    times > "$dir/begun" # not in a subshell, which would report its own
    # shellcheck disable=SC2086
    TMPDIR=$dir "$code/fuzz" "$corpus" "$dir/$target.seeds" $words -max_len="$longest" -timeout=60 -rss_limit_mb=4096 -close_fd_mask=1 \
        -artifact_prefix="$keep/$target." $much -print_final_stats=1 > "$keep/$target.log" 2>&1 || {
        fail "$target, any bytes:"
        grep -a -v -e '^#' -e NEW_FUNC -e '^INFO' "$keep/$target.log" | tail -n 60
        for found in "$keep/$target".*-*; do
            printf 'as a line of tests/fuzz/corpus/%s: %s\n' "$target" "$("$python" "$here/corpus.py" line "$found" | cut -c1-2000)"
        done
    }
    times > "$dir/ended"
    sed -s -n 2p "$dir/begun" "$dir/ended" | tr ms '  ' | awk -v target="$target" \
        -v tried="$(sed -n 's/^stat::number_of_executed_units: *//p' "$keep/$target.log")" \
        -v edges="$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$keep/$target.log" | tail -n 1)" \
        '{ t[NR] = 60 * ($1 + $3) + $2 + $4 } END { printf "    %s: %s inputs, %s edges, %.0f s of CPU\n", target, tried, edges, t[2] - t[1] }' |
        tee -a "$keep/log.txt"
done
exit $failed
