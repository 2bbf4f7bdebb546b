#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The source tree keeps its own rules: catalogues, files and makefile agree; each folder includes only what
# it may; every source says its licence and what it is.
set -eu
: "${top_srcdir:=.}"
LC_ALL=C
export LC_ALL
cd "$top_srcdir"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

fail() {
    echo "FAIL: $*"
    failed=1
}

. tests/kit/untried.sh

# same WHAT FILE1 FILE2: the sorted lists are equal
same() {
    if ! diff "$2" "$3" > "$dir/difference"; then
        fail "$1:"
        grep '^[<>]' "$dir/difference"
    fi
}

# ---- Catalogues
sed -n 's/^PH_METHOD(ph_method_\([a-z0-9_]*\)).*/\1/p' integrators/catalogue.def | tr _ - | sort > "$dir/rows"
(cd integrators && grep -l '^const ph_method ph_method_' ./*/*.c) | sed 's:.*/::; s/\.c$//' | sort > "$dir/files"
test -s "$dir/rows"
same "integrators: rows of catalogue.def (<) and files that define a method (>)" "$dir/rows" "$dir/files"

# besides the models, lib/models has the catalogue itself and what the models share
sed -n 's/^PH_MODEL(\([a-z0-9_]*\)).*/\1/p' lib/models/catalogue.def | tr _ - | sort > "$dir/rows"
(cd lib/models && grep -l '^const ph_model ph_model_' ./*.c) | sed 's:^\./::; s/\.c$//' | sort > "$dir/files"
test -s "$dir/rows"
same "lib/models: rows of catalogue.def (<) and files that define a model (>)" "$dir/rows" "$dir/files"

# every file of the tree is in the makefile of its top folder
{
    find integrators lib tools bench figures include tests examples -name '*.[ch]' -o -name '*.def' -o -name '*.sh'
    find python tests/python examples -name '*.py' -o -name '*.pyi' -o -name '*.ipynb'
} | grep -v -e '^python/build/' -e '/_config[.]py$' | sort > "$dir/files"
cat Makefile.am ./*/local.mk | tr ' \t' '\n\n' | sort -u > "$dir/made"
awk 'NR == FNR { made[$0]; next }
    { program = $0; sub(/[.]c$/, "", program); if (!($0 in made) && !(program in made)) print }' "$dir/made" "$dir/files" > "$dir/bad"
test ! -s "$dir/bad" || { fail "in no makefile:"; cat "$dir/bad"; }
test "$(wc -l < "$dir/files")" -gt 400 || fail "few files were found"

# ---- Who includes whom
# allowed WHERE PATTERN: all includes of the files match the pattern or are of the standard library
standard='<\(assert\|ctype\|errno\|float\|inttypes\|limits\|locale\|math\|signal\|stdarg\|stdbool\|stddef\|stdint\|stdio\|stdlib\|string\|time\)\.h>'
allowed() {
    where=$1
    pattern=$2
    find $where -name '*.[ch]' -exec grep -H '^[[:space:]]*#[[:space:]]*include' {} + | grep -v -e "include $standard" \
        -e "include $pattern" > "$dir/bad" || true
    if test -s "$dir/bad"; then
        fail "$where may not include:"
        cat "$dir/bad"
    fi
}
allowed include '<polhode/[a-z/]*\.h>'
# a method includes what is public, what methods share, its own folder, lanes.h and pair.h, which define no symbol
for folder in integrators/*/; do
    allowed "$folder" '\("lib/internal/\(lanes\|pair\)\.h"\|<polhode/[a-z/]*\.h>\|"[a-z0-9-]*\.h"\|"integrators/\(shared/[a-z-]*\.h\|catalogue\.def\)"\|<\(arkode\|cvode\|nvector\|sundials\|sunlinsol\|sunmatrix\|sunnonlinsol\)/.*\.h>\)'
done
# figures know neither the comparisons nor the program
allowed figures '\(<polhode/\(status\|kit/text\)\.h>\|<\(signal\|sys/wait\|unistd\)\.h>\|"[a-z0-9-]*\.h"\)'
# ... and a header that is included by its name alone is in the same folder
find integrators lib figures bench tools tests -name '*.[ch]' -exec grep -H '#[[:space:]]*include "[^/"]*"' {} + |
    sed 's/^\(.*\)\/[^/]*:.*include "\(.*\)".*/\1\/\2/' | sort -u | while read -r header; do
    test -f "$header" || test "${header##*/}" = config.h || echo "$header"
done > "$dir/bad"
test ! -s "$dir/bad" || { fail "headers of other folders are included by their path from the top:"; cat "$dir/bad"; }
find integrators lib -name '*.[ch]' ! -name arkode.c ! -name cvode.c ! -name 'sundials.[ch]' \
    -exec grep -H '#[[:space:]]*include.*\(sun\|arkode\|cvode\|nvector\)' {} + > "$dir/bad" || true
test ! -s "$dir/bad" || { fail "SUNDIALS may not be there:"; cat "$dir/bad"; }
find lib tests examples -name '*.[ch]' ! -path 'tests/bench/*' ! -path tests/fuzz/command.c -exec grep -H '#[[:space:]]*include.*[<"/]\(tools\|bench\|figures\)/' {} + > "$dir/bad" || true
test ! -s "$dir/bad" || { fail "tools, bench and figures are not for others:"; cat "$dir/bad"; }
find tools bench figures examples -name '*.[ch]' -exec grep -H '#[[:space:]]*include[[:space:]]*["<]\(lib\|integrators\)/' {} + \
    > "$dir/bad" || true
test ! -s "$dir/bad" || { fail "private headers of the library are not for programs:"; cat "$dir/bad"; }
# the core does without the libraries of -io
find lib integrators -name '*.[ch]' ! -path 'lib/scenario/*' ! -path 'lib/archive/*' ! -path 'lib/session/*' ! -path 'lib/sweep/*' ! -path 'lib/rows/*' ! -path 'lib/import/*' ! -path 'lib/shape/*' ! -path 'lib/text/*' \
    -exec grep -H '#[[:space:]]*include.*\(yaml\|hdf5\|archive\|archive_entry\|sqlite3\|polhode/scenario\|polhode/session\|polhode/record\|polhode/rows\|polhode/csv\|polhode/summary\|polhode/table\)\.h' {} + > "$dir/bad" || true
test ! -s "$dir/bad" || { fail "the core may not include:"; cat "$dir/bad"; }

# what a system is made of is for lib/system and lib/kinds alone: others ask its structure (lib/system/structure.h)
grep -rl '"lib/system/system\.h"\|"lib/system/check\.h"' lib integrators tests | grep -v '^lib/\(system\|kinds\)/' > "$dir/bad" || true
test ! -s "$dir/bad" || { fail "struct ph_system is private to lib/system and lib/kinds:"; cat "$dir/bad"; }

# ---- Handles that are NULL: every function with a status that takes one is asked
cat include/polhode/*.h include/polhode/*/*.h | tr '\n' ' ' | sed 's/;/;\n/g; s/  */ /g' | grep 'PH_API ph_status' |
    grep -E '(const |struct )*ph_(archive|columns|csv|diagnostics|event_csv|events|field|integrator|method|model|monitor|record|rows|scenario|scene|session|space|state|system|table|table_format) \*[a-z]' |
    sed 's/.*PH_API ph_status \(ph_[a-z0-9_]*\)(.*/\1/' | grep -v '^ph_\(field_method\|field_rk4\|lanes_alone\)_' | sort > "$dir/takers"
test "$(wc -l < "$dir/takers")" -gt 60 || fail "few functions take a handle"
grep -o -h '\<ph_[a-z0-9_]*(' tests/system/check_null.c tests/archive/check_null_io.c | tr -d '(' | sort -u > "$dir/asked"
sort -u "$dir/takers" | comm -23 - "$dir/asked" > "$dir/bad"
test ! -s "$dir/bad" || { fail "neither in tests/system/check_null.c nor in check_null_io.c:"; cat "$dir/bad"; }

# ---- One place asks what the processor has
find lib integrators tools bench figures -name '*.[ch]' ! -path lib/method/kernels.c -exec grep -H '__builtin_cpu_' {} + > "$dir/bad" || true
test ! -s "$dir/bad" || { fail "ask ph_kernels (polhode/kit/kernels.h) instead:"; cat "$dir/bad"; }

# ---- One room calls LAPACK and BLAS
find lib integrators tools bench -name '*.[ch]' ! -path 'lib/algebra/*' \
    -exec grep -HE 'extern [a-z]+ [a-z0-9]+_\(|cblas|lapacke' {} + > "$dir/bad" || true
test ! -s "$dir/bad" || { fail "what LAPACK does is for lib/algebra (lapack.h):"; cat "$dir/bad"; }

# ---- Faults that tests must notice: each row of the table applies to the sources as they are
if python3 --version > "$dir/version" 2>&1; then
    python3 tests/mutation/mutate.py --check > "$dir/bad" || { fail "rows of tests/mutation/mutations.txt:"; cat "$dir/bad"; }
else
    not_tried "whether tests/mutation/mutations.txt applies: there is no python3"
fi

# ... in a copy that has the folders which a build takes
for folder in $(sed -n 's:^include \([a-z]*\)/.*:\1:p' Makefile.am) cmake; do
    grep -q "^FOLDERS = .*[\" ]$folder[\" ]" tests/mutation/mutate.py || fail "tests/mutation/mutate.py does not copy $folder/"
done

# ---- Licence and a word of introduction
# in a script behind the line that names what runs it
grep -v -e '[.]def$' -e '[.]ipynb$' "$dir/files" | xargs awk '
    FNR == 1 { python = FILENAME ~ /[.]pyi?$/; hash = python || FILENAME ~ /[.]sh$/; begins = python ? "^(\"\"\"|# )" : hash ? "^# " : "^/[*] "; first = 1 + (/^#!/ || hash && !python) }
    FNR < first { next }
    FNR == first && $0 != (hash ? "# " : "/* ") "SPDX-License-Identifier: BSD-3-Clause" (hash ? "" : " */") { print FILENAME ": no licence" }
    FNR == 1 + first { looked++; if ($0 !~ begins) print FILENAME ": its second line does not say what it is"; nextfile }
    END { print looked > "/dev/stderr" }' > "$dir/bad" 2> "$dir/looked"
test ! -s "$dir/bad" || { fail "heads of files:"; cat "$dir/bad"; }
test "$(awk '{ n += $1 } END { print n }' "$dir/looked")" -eq "$(grep -c -v -e '[.]def$' -e '[.]ipynb$' "$dir/files")" || fail "only $(cat "$dir/looked") files have two lines"
exit $failed
