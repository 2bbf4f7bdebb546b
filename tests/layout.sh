#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The source tree keeps its own rules: catalogues, files and makefile tell the same; each folder includes only what
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

. tests/untried.sh

# same WHAT FILE1 FILE2: the sorted lists are equal
same() {
    if ! diff "$2" "$3" > "$dir/difference"; then
        fail "$1:"
        grep '^[<>]' "$dir/difference"
    fi
}

# ---- Catalogues
sed -n 's/^PH_METHOD(ph_method_\([a-z0-9_]*\)).*/\1/p' integrators/catalogue.def | tr _ - | sort > "$dir/rows"
# the parts of a method have its name and a word behind it, and define no method
(cd integrators && grep -l '^const ph_method ph_method_' ./*.c) | sed 's:^\./::; s/\.c$//' | sort > "$dir/files"
sed -n 's:^[[:space:]]*integrators/\([a-z0-9-]*\)\.c.*:\1:p' Makefile.am | sort > "$dir/made"
test -s "$dir/rows"
same "integrators: rows of catalogue.def (<) and files (>)" "$dir/rows" "$dir/files"
(cd integrators && ls ./*.c) | sed 's:^\./::; s/\.c$//' | sort > "$dir/files"
same "integrators: files (<) and rows of Makefile.am (>)" "$dir/files" "$dir/made"

# lib/models has the catalogue itself and what the models share beside them
sed -n 's/^PH_MODEL(\([a-z0-9_]*\)).*/\1/p' lib/models/catalogue.def | tr _ - | sort > "$dir/rows"
(cd lib/models && grep -l '^const ph_model ph_model_' ./*.c) | sed 's:^\./::; s/\.c$//' | sort > "$dir/files"
test -s "$dir/rows"
same "lib/models: rows of catalogue.def (<) and files that define a model (>)" "$dir/rows" "$dir/files"

# every file of the tree is in the makefile
find integrators lib tools bench include tests examples -name '*.[ch]' -o -name '*.def' -o -name '*.sh' | sort > "$dir/files"
while read -r file; do
    base=${file%.c}
    grep -q -F -e "$file" Makefile.am || grep -q -e "[[:space:]]$base\\([[:space:]]\\|\$\\)" Makefile.am ||
        fail "$file is not in Makefile.am"
done < "$dir/files"

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
allowed include '<polhode/[a-z]*\.h>'
allowed integrators '\(<polhode/[a-z]*\.h>\|"variational\.h"\|"increments\.h"\|"twofold\.h"\|"variational-carry\.h"\|"variational-tensions\.h"\|"variational-groups\.h"\|"variational-lanes\.h"\|"variational-few\.h"\|"variational-stages\.h"\|"variational-links\.h"\|"compositions\.h"\|"moser-veselov\.h"\|"multistep\.h"\|"discrete-lagrangian\.h"\|"galerkin-curve\.h"\|"sundials\.h"\|<\(arkode\|cvode\|nvector\|sundials\|sunlinsol\|sunmatrix\)/.*\.h>\)'
find integrators lib -name '*.[ch]' ! -name arkode.c ! -name cvode.c ! -name 'sundials.[ch]' \
    -exec grep -H '#[[:space:]]*include.*\(sun\|arkode\|cvode\|nvector\)' {} + > "$dir/bad" || true
test ! -s "$dir/bad" || { fail "SUNDIALS may not be there:"; cat "$dir/bad"; }
find lib tests examples -name '*.[ch]' ! -name 'check_bench*.c' -exec grep -H '#[[:space:]]*include.*[<"/]\(tools\|bench\)/' {} + > "$dir/bad" || true
test ! -s "$dir/bad" || { fail "tools and bench are not for others:"; cat "$dir/bad"; }
find tools bench examples -name '*.[ch]' -exec grep -H '#[[:space:]]*include[[:space:]]*["<]\(lib\|internal\|archive\|scenario\|integrators\)/' {} + \
    > "$dir/bad" || true
test ! -s "$dir/bad" || { fail "private headers of the library are not for programs:"; cat "$dir/bad"; }
# the core does without the libraries of -io
find lib integrators -name '*.[ch]' ! -path 'lib/scenario/*' ! -path 'lib/archive/*' \
    -exec grep -H '#[[:space:]]*include.*\(yaml\|hdf5\|archive\|archive_entry\|sqlite3\|polhode/scenario\|polhode/table\)\.h' {} + > "$dir/bad" || true
test ! -s "$dir/bad" || { fail "the core may not include:"; cat "$dir/bad"; }

# ---- Handles that are NULL: every function with a status that takes one is asked
cat include/polhode/*.h | tr '\n' ' ' | sed 's/;/;\n/g; s/  */ /g' | grep 'PH_API ph_status' |
    grep -E '(const |struct )*ph_(archive|columns|csv|diagnostics|event_csv|events|field|integrator|method|model|monitor|record|space|state|system|table|table_format) \*[a-z]' |
    sed 's/.*PH_API ph_status \(ph_[a-z0-9_]*\)(.*/\1/' | grep -v '^ph_field_\(method\|rk4\)_' | sort > "$dir/takers"
test "$(wc -l < "$dir/takers")" -gt 60 || fail "few functions take a handle"
while read -r name; do
    grep -q "[^a-z0-9_]$name(" tests/check_null.c tests/check_null_io.c || fail "$name is not in tests/check_null.c or check_null_io.c"
done < "$dir/takers"

# ---- One place asks what the processor has
find lib integrators tools bench -name '*.[ch]' ! -path lib/method/kernels.c -exec grep -H '__builtin_cpu_' {} + > "$dir/bad" || true
test ! -s "$dir/bad" || { fail "ask ph_kernels (polhode/kernels.h) instead:"; cat "$dir/bad"; }

# ---- Faults that tests must notice: each row of the table applies to the sources as they are
if python3 --version > "$dir/version" 2>&1; then
    python3 tests/mutate.py --check > "$dir/bad" || { fail "rows of tests/mutations.txt:"; cat "$dir/bad"; }
else
    not_tried "whether tests/mutations.txt applies: there is no python3"
fi

# ---- Licence and a word of introduction
while read -r file; do
    case $file in
        *.sh) first=$(sed -n 2p "$file") second=$(sed -n 3p "$file")
              want='# SPDX-License-Identifier: BSD-3-Clause' start='# ' ;;
        *.def) continue ;;
        *) first=$(sed -n 1p "$file") second=$(sed -n 2p "$file")
           want='/* SPDX-License-Identifier: BSD-3-Clause */' start='/* ' ;;
    esac
    test "$first" = "$want" || fail "$file does not begin with: $want"
    case $second in
        "$start"*) ;;
        *) fail "$file does not say in its second line what it is" ;;
    esac
done < "$dir/files"
exit $failed
