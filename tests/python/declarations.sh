#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The module has all of the C library: each exported function, constant and enumerator is in lib; structures have the members, sizes and
# offsets that a C program sees; headers that have gained a member build and work with the generated C as it is.
set -eu
: "${top_srcdir:=.}" "${CC:=cc}" "${NM:=nm}"
. "$top_srcdir/tests/kit/kit.sh"
. "$top_srcdir/tests/kit/python.sh"
include=$top_srcdir/include
generated=$top_builddir/python/_polhode.c
test -f "$generated" || generated=$top_srcdir/python/_polhode.c

# ---- The generated C is that of the headers
if $python -c 'import cffi' 2> /dev/null; then
    $python -B "$top_srcdir/python/generate.py" "$include" again.c && cmp again.c "$generated" || fail "$generated is not what the headers give"
else
    not_tried "whether the generated C is that of the headers: $python has no cffi"
fi

# ---- Names: functions that the libraries export; what the preprocessor leaves of constants, and its macros that are one value
find "$top_builddir/.libs" -name 'libpolhode*.so' -exec $NM -D --defined-only {} + | awk '$2 == "T" { print $3 }' > functions
$CC -E -P -I"$include" -include polhode/polhode.h -x c /dev/null > plain
grep -o '\<PH_[A-Z0-9_]*' plain | sort -u > enumerators
sed -n 's/^static inline [^(]*[ *]\(ph_[a-z0-9_]*\)(.*/\1/p' "$include"/polhode/*.h "$include"/polhode/*/*.h > inlines
$CC -E -dM -I"$include" -include polhode/polhode.h -x c /dev/null | sed -n 's/^#define \(PH_[A-Z0-9_]*\) \(["0-9(-].*\)/\1/p' > macros
for list in functions enumerators inlines macros; do
    test "$(wc -l < $list)" -ge 10 || fail "few $list were found"
done

# ---- Structures: what C says of each member; and no bytes between members that their alignment does not explain
cat > names.py << 'END'
from polhode._polhode import ffi, lib

for kind in ("functions", "enumerators", "inlines", "macros"):
    with open(kind) as file:
        names = file.read().split()
    lost = sorted(set(names) - set(dir(lib)))
    if lost:
        print(f"{kind} that are not in lib: {' '.join(lost)}")
program, mine = [], []
for name in ffi.list_types()[0]:
    pointer = ffi.typeof(name + " *")  # of a type of functions this is the function's
    kind = pointer.item if pointer.kind == "pointer" else pointer
    if kind.kind != "struct" or not name.startswith("ph_") or not kind.fields:
        continue
    program.append(f'printf("{name} %zu\\n", sizeof({name}));')
    mine.append(f"{name} {ffi.sizeof(kind)}")
    begin = end = 0
    for member, field in kind.fields:
        size, unit = ffi.sizeof(field.type), ffi.alignof(field.type)
        program.append(f'printf("{name}.{member} %zu %zu\\n", offsetof({name}, {member}), sizeof((({name} *)0)->{member}));')
        mine.append(f"{name}.{member} {field.offset} {size}")
        if field.offset not in (-(-end // unit) * unit, begin):  # or the member of a union
            print(f"before {name}.{member} something is missing")
        begin, end = field.offset, field.offset + size
    if ffi.sizeof(kind) != -(-end // ffi.alignof(kind)) * ffi.alignof(kind):
        print(f"{name} lacks members at its end")
with open("sizes.c", "w") as file:
    file.write("#include <stdio.h>\n#include <polhode/polhode.h>\nint main(void)\n{\n" + "\n".join(program) + "\nreturn 0;\n}\n")
with open("mine", "w") as file:
    file.write("\n".join(mine) + "\n")
END
$python -W error names.py > log || { fail "the module cannot be read"; exit 1; }
test ! -s log || { fail "the module is not the library:"; cat log; }
$CC -O0 -I"$include" sizes.c -o sizes && ./sizes > theirs || fail "structures that only the module has"
diff theirs mine > difference || { fail "sizes and places by C (<) and by the module (>):"; cat difference; }
grep -o '^typedef struct ph_[a-z_]* {' "$include"/polhode/*.h "$include"/polhode/*/*.h | sed 's/.*struct \(.*\) {/\1/' | sort > structures
grep -v '[.]' mine | sed 's/ .*//' | sort | diff structures - > difference || { fail "structures of the headers (<) and of the module (>):"; cat difference; }

# ---- Headers of a later version, in which a structure has gained a member that others stand behind
mkdir -p later/polhode
cp -r "$include"/polhode/. later/polhode/
sed -i '/^typedef struct ph_schedule {/a double gained;' later/polhode/run.h
grep -q gained later/polhode/run.h || fail "ph_schedule is not where this test looks for it"
mkdir -p with/polhode
# shellcheck disable=SC2046
$CC -std=gnu11 -O0 -w -fPIC -shared -DPy_LIMITED_API=0x03090000 -Ilater -I"$($python -c 'import sysconfig; print(sysconfig.get_path("include"))')" \
    "$generated" -o with/polhode/_polhode.abi3.so -L"$top_builddir/.libs" -lpolhode-io -lpolhode -Wl,-rpath,"$top_builddir/.libs" ||
    fail "the generated C does not compile with headers that have gained a member"
: > with/polhode/__init__.py
PYTHONPATH=with $python - << 'END' || fail "with a structure that has gained a member"
from polhode._polhode import ffi, lib
schedule = ffi.new("ph_schedule *", {"steps": 5, "interval": 0.25})
assert ffi.offsetof("ph_schedule", "kind") == 8, "the new member is not in front"
assert ffi.sizeof("ph_schedule") == 48 and (schedule.steps, schedule.interval) == (5, 0.25)
assert ffi.string(lib.ph_model_find(b"heavy-top", ffi.new("ph_error *")).name) == b"heavy-top"
END
