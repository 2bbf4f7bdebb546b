#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What README.md and the documents below doc/ show is tried as it stands there: each fenced block and each indented command. Scenarios are
# checked and run, C is compiled and run, Python reads what the commands have made, commands run in a scratch copy of what
# a user has, with shorter times. Nothing is left out in silence: a language, fragment or command that is not known here fails.
#
# A block that is no whole has a comment in the line before its fence, <!-- fragment: NAME -->, and a case NAME below.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
: "${CC:=cc}" "${PKG_CONFIG:=pkg-config}"

# ---- What the documents have: blocks/NUMBER is the text, the list has a line "NUMBER PLACE LANGUAGE FRAGMENT" for each
mkdir blocks
: > list
for document in README.md $(cd "$top_srcdir" && find doc -name "*.md" | sort); do
    awk -v place="${document#doc/}" -v first="$(wc -l < list)" '
        function start(language, fragment) {
            n++
            file = "blocks/" first + n
            printf "" > file
            print first + n, place ":" NR, language, fragment >> "list"
        }
        fence && /^ *```/ { fence = 0; close(file); next }
        fence { print > file; next }
        /^ *```/ {
            language = $0
            sub(/^ *```/, "", language)
            sub(/}.*/, "}", language)
            start(language == "" ? "picture" : language, marked == "" ? "whole" : marked)
            fence = 1; marked = ""; indented = 0
            next
        }
        /^<!-- fragment: .* -->$/ { marked = $3; next }
        # an indented block: behind an empty line or a heading, and no item of a list
        /^    / && (indented || before == "" || before ~ /^#/) {
            if (!indented) start("commands", "whole")
            indented = 1
            print substr($0, 5) > file
            before = $0
            next
        }
        { indented = 0; before = $0; if (/[^ ]/) marked = "" }' "$top_srcdir/$document"
done
test "$(wc -l < list)" -ge 30 || fail "only $(wc -l < list) blocks are found"

# ---- A user's place: a clone that is built, and an installed copy below the home directory
HOME=$dir/home
export HOME
mkdir -p clone/build clone/bench bin "$HOME/polhode/lib/pkgconfig" "$HOME/polhode/share/doc/polhode" scratch
cp -R "$top_srcdir/examples" clone/examples
cp -R "$top_srcdir/bench/data" clone/bench/data
ln -s "$polhode" clone/build/polhode
ln -s "$polhode" bin/polhode
PATH=$dir/bin:$PATH
installed=
if test -f "$top_builddir/.libs/libpolhode.so"; then
    installed=yes
    ln -s "$top_srcdir/include" "$HOME/polhode/include"
    ln -s "$top_srcdir/examples" "$HOME/polhode/share/doc/polhode/examples"
    for file in "$top_builddir"/.libs/libpolhode*.so*; do
        ln -s "$file" "$HOME/polhode/lib"
    done
    for name in polhode polhode-io; do
        sed "s|^prefix=.*|prefix=$HOME/polhode|; s|^libdir=.*|libdir=\${prefix}/lib|; s|^includedir=.*|includedir=\${prefix}/include|" \
            "$top_builddir/$name.pc" > "$HOME/polhode/lib/pkgconfig/$name.pc"
    done
fi
cd clone
: > done
# what the commands name: a user's chain and scenario, an archive
sed 's/^duration:.*/duration: 1/' examples/chain.yaml > chain.yaml
sed 's/^duration:.*/duration: 1/' examples/double-spherical-pendulum.yaml > my.yaml
expect 0 polhode run --quiet --csv chain.yaml
cp my.yaml FILE
cp chain.out/chain.polhode FILE.polhode

# ---- Scenarios
# scenario PLACE FILE: is in order, and its first steps can be taken
scenario() {
    polhode check "$2" > out 2> err || { fail "$1: polhode check ends with $?:"; cat "$2" err; return 0; }
    length='steps: 3'
    if grep -q '^accuracy:' "$2"; then length='duration: 0.1'; fi
    sed "s/duration: [0-9.e]*/$length/; s/steps: [0-9]*/steps: 3/; s/^output:.*//" "$2" > steps.yaml
    polhode run --quiet -o steps.out --force steps.yaml 2> err || { fail "$1: polhode run ends with $?:"; cat steps.yaml err; }
}

# ---- C
warnings='-std=c11 -Wall -Wextra -pedantic -Werror'
# program FILE [FLAG]: compiles, and runs
program() {
    if test -z "$installed"; then
        echo "skipped: $place: C takes the shared library, which this build does not have"
        return 0
    fi
    PKG_CONFIG_PATH=$HOME/polhode/lib/pkgconfig
    export PKG_CONFIG_PATH
    # shellcheck disable=SC2046,SC2086
    $CC $warnings ${2:-} "$1" $($PKG_CONFIG --cflags --libs "${package:-polhode}") -lm -o program > log 2>&1 || { fail "$place does not compile:"; cat log; return 0; }
    LD_LIBRARY_PATH=$HOME/polhode/lib ./program > out 2> err || { fail "$place ends with $?:"; cat out err; }
}
# own_potential: the pieces of README.md in examples/embed.c, which is a pendulum then: its energy is that of one, and stays
own_potential() {
    test -s potential && test -s gradient || return 0
    awk 'function paste(file,   line) { while ((getline line < file) > 0) print line }
        /^static ph_status potential/ { which = "potential" }
        /^static ph_status gradient/ { which = "gradient" }
        /^}/ { which = "" }
        which == "potential" && /^    \*U = / { paste("potential"); next }
        which == "gradient" && /^        dU\[i\] = / { paste("gradient"); next }
        { sub(/ c = 1,/, " c = 9.81,"); print }' examples/embed.c > pendulum.c
    test "$(diff examples/embed.c pendulum.c | grep -c '^>')" -eq 3 || fail "$place: examples/embed.c has no places for the pieces"
    program pendulum.c -Wno-unused-parameter
    test -z "$installed" || tail -n 1 out | grep -q '^t = 1000 s' || fail "$place: the pendulum does not arrive: $(cat out)"
}

# ---- Python, with what the commands of export.md and the example of events have made
with=$(python_with numpy)
# python FILE ARGUMENT...
python() {
    if test -z "$with"; then
        not_tried "$place: there is no Python with NumPy"
    elif grep -q h5py "$1" && ! $with -c 'import h5py' 2> /dev/null; then
        not_tried "$place: there is no h5py"
    elif ! grep -o '"[a-z]*\.\(npz\|h5\)"' "$1" | tr -d '"' | xargs -r ls > /dev/null 2> missing; then
        not_tried "$place: this build does not write what it reads: $(cat missing)"
    else
        $with "$@" > out 2> err || { fail "$place ends with $?:"; cat out err; }
    fi
}

# compared ARGUMENT...: by the Python on standard input
compared() {
    if test -n "$python"; then
        $python - "$@"
    else
        not_tried "$place: there is no Python"
    fi
}

# ---- Julia, Octave, where they are. block_of LANGUAGE FRAGMENT: the file of a block, which a command before it takes
block_of() {
    echo "../blocks/$(awk -v language="$1" -v fragment="$2" '$3 == language && $4 == fragment { print $1 }' ../list)"
}
linked="PKG_CONFIG_PATH='$HOME/polhode/lib/pkgconfig' LD_LIBRARY_PATH='$HOME/polhode/lib'"
has() {
    command -v "$1" > /dev/null || { why="there is no $1, which no machine is asked to have"; return 1; }
}
# octave FILE: runs it
octave() {
    if ! has octave-cli; then
        echo "skipped: $place: $why"
        return 1
    fi
    LD_LIBRARY_PATH=$HOME/polhode/lib octave-cli --no-init-file --quiet "$1" > out 2> err || { fail "$place ends with $?:"; cat out err; return 1; }
}
# spring FILE: three numbers are where the mass on a spring of julia.md and matlab.md is after 2 s, by its equation of motion
spring() {
    compared "$1" << 'END' || fail "$place: the mass on a spring is elsewhere: $(cat "$1")"
import sys
def rates(y):
    r = (y[0] ** 2 + y[1] ** 2 + y[2] ** 2) ** 0.5
    return [*y[3:], *(-100 * (1 - 1 / r) * x for x in y[:2]), -100 * (1 - 1 / r) * y[2] - 9.81]
def ahead(y, k, h):
    return [a + h * b for a, b in zip(y, k)]
y, h = [1, 0, -0.5, 0, 1, 0], 5e-4
for i in range(4000): # Runge-Kutta: the error is about 1e-9
    k1 = rates(y)
    k2 = rates(ahead(y, k1, h / 2))
    k3 = rates(ahead(y, k2, h / 2))
    y = [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(y, k1, k2, k3, rates(ahead(y, k3, h)))]
got = [float(x) for x in open(sys.argv[1]).read().replace(",", " ").split()]
assert len(got) == 3 and max(abs(a - b) for a, b in zip(got, y)) < 1e-6, y
END
}

# ---- Commands, in shorter forms: the same options, and further ones, of which the last counts; of the methods one, where none is
# named, and the first two of those that are: all in the thorough form. Figures are drawn in tests/bench/bench.sh.
quickly="--quiet --budget 0.001"
mkdir "$dir/with" # `polhode plot` has it
if real=$(command -v gnuplot); then ln -s "$real" "$dir/with/gnuplot"; fi
printf '#!/bin/sh\nexit 1\n' > "$dir/bin/gnuplot"
chmod +x "$dir/bin/gnuplot"
# fewer COMMAND: without its third -m and what follows it, without its second -s
fewer() {
    if test -n "${POLHODE_CHECK_THOROUGH-}"; then
        echo "$1"
        return
    fi
    echo "$1" | awk '{
        for (i = 1; i <= NF; i++)
            if (($i == "-m" && ++methods > 2) || ($i == "-s" && ++steps > 1)) i++
            else printf "%s ", $i
    }'
}
# shorter COMMAND: sets `instead`, what is run; or `why` it is not
shorter() {
    instead=$1 why=
    case $1 in
        scripts/demo | scripts/test) test -x "$top_srcdir/$1" || fail "$place: there is no $1"; why="sets up the machine" ;;
        'autoreconf -fi && '* | 'make -C build install installcheck') why="tests/program/install.sh does it" ;;
        'make bench') grep -q '^bench: ' "$top_srcdir/tests/local.mk" || fail "$place: there is no target"; why="is \`polhode bench\`" ;;
        'make evidence'*) why="tests/documents/evidence.sh does a part of it" ;;
        'polhode bench') instead="$1 $quickly -m variational -T 0.1 -o default" ;;
        'polhode bench --list') ;;
        'polhode equilibria '*) instead=$(echo "$1" | sed 's/ --plot [^ ]*//') ;; # tests/program/equilibria.sh draws
        'polhode bench scaling'*) instead="$1 $quickly -m variational --to 3 --force" ;;
        'polhode bench peers'*) instead="$1 $quickly -m variational -T 0.1 --limit 0.1 --force" ;;
        'polhode bench ahead'*) instead="polhode bench ahead free-body -m moser-veselov -m rk8 -b 0.01 --limit 0.01 --force --quiet -o leaders" ;;
        'polhode bench nonholonomic'*) instead="polhode bench nonholonomic gearbox --steps 1000 --force --quiet -o rolling" ;;
        'polhode bench binary'*) instead="polhode bench binary kw4 -m variational -m rk8 -T 1e5 --trajectory 7200 -b 0.001 --force --quiet -o pair" ;;
        'polhode bench spins'*) instead="polhode bench spins ring -m rk4 -n 500 -b 0.001 --limit 0.01 --force --quiet -o ring" ;;
        'polhode bench vortices'*) instead="polhode bench vortices five -m rk4 -n 500 -b 0.001 --limit 0.01 --force --quiet -o vortices" ;;
        'polhode bench archive -o /scratch/'*) instead="$(echo "$1" | sed "s: /scratch/: ../scratch/:") $quickly" ;;
        'polhode bench archive') instead="$1 $quickly --force" ;;
        'polhode merge map.out --force --rows') instead="rm -f map.out/map.shard-*-of-8.polhode && $1" ;; # clusters.md has shards of 8
        'polhode bench ensembles'*) instead="polhode bench ensembles -b 0.001 --members 64 --force --quiet one-link" ;;
        'polhode bench formulas'*) instead="polhode bench formulas -b 0.001 --force --quiet kepler spins" ;;
        'polhode bench roundoff --from '*) instead="$1 -o kept" ;;
        'polhode bench roundoff '*--resume) instead="$1 --steps 1e3 --members 2 --quiet" ;;
        'polhode bench roundoff'*) instead="$1 --steps 1e3 --members 2 --quiet --force" ;;
        'polhode bench double-spherical-pendulum chain-20') instead="$1 $quickly -m variational -T 0.1" ;;
        'polhode bench '*) instead="$(fewer "$(echo "$1" | sed 's/ \.\.\. / /')") $quickly -T 1 --force" ;;
        'polhode check spring.yaml' | 'polhode run spring.yaml') # formulas.md
            sed 's/^duration:.*/duration: 1/' "$(block_of yaml spring)" > spring.yaml
            case $1 in *run*) instead="$1 --quiet --force" ;; esac
            ;;
        'polhode check cavity.yaml' | 'polhode run cavity.yaml' | 'polhode plot cavity.out')
            test -n "$installed" || { why="takes the shared library, which this build does not have"; return 0; }
            case $1 in
                *run*) instead="$1 --quiet --force" ;;
                *plot*) instead="$1 --list" ;;
            esac
            ;;
        'polhode check bead.yaml' | 'polhode run bead.yaml' | 'polhode tail '*' bead.out') # of tutorial.md
            cp "$(block_of yaml bead)" bead.yaml
            case $1 in
                *run*) instead="$1 --quiet --force" ;;
                *tail*) instead="$1 | tee bead.log" ;;
            esac
            ;;
        'polhode report spring.out') instead="$1 --force" ;;
        'polhode sweep map.yaml'*) # sweeps.md
            cp "$(block_of yaml sweep)" map.yaml
            instead="$1 --quiet"
            ;;
        'polhode merge map.out --force') # sweeps.md; and clusters.md, whose shards parallel makes
            ls map.out/*.polhode > /dev/null 2>&1 || has parallel || return 0
            ;;
        'parallel '*) # clusters.md
            has parallel || return 0
            cp "$(block_of yaml sweep)" map.yaml
            ;;
        'polhode '*' hoop.out' | 'polhode '*' hoop.out '*)
            test -n "$installed" || { why="takes what the tutorial's program writes"; return 0; }
            case $1 in *export*) instead="$1 --force" ;; esac
            ;;
        'polhode export '* | 'polhode view '*) instead="$1 --force" ;;
        'polhode plot '*) # `hoop.out` is above
            instead="PATH='$dir/with:$PATH'; $1 --force --quiet"
            test -e "$dir/with/gnuplot" || why="takes gnuplot"
            ;;
        'polhode methods --advise '*) instead="$1 --horizon 0.1 --quiet" ;;
        'polhode new chain-pendulum -o chain.yaml') instead="polhode new chain-pendulum -o $dir/scratch/chain.yaml" ;;
        'polhode resume FILE.polhode --until 1000') instead="polhode resume FILE.polhode --quiet --until 2" ;;
        'polhode run chain.yaml --accuracy '*) why="tests/program/accuracy.sh does it" ;;
        'polhode run --quiet --set method=rk4 -o rk4 chain.yaml') instead="$1 --force" ;;
        'polhode run chain.yaml -o rk4.out '*) instead="$1 --quiet --force --set duration=1" ;;
        'polhode run chain.yaml') instead="$1 --quiet --force --csv" ;;
        'polhode resume chain.out --until 100') instead="polhode resume chain.out --quiet --until 2" ;;
        'cc hoop.c '* | './hoop '*) # the tutorial's program, and what it needs of an installed copy
            test -n "$installed" || { why="takes the shared library, which this build does not have"; return 0; }
            test -n "${POLHODE_CHECK_THOROUGH-}" || set -- "$(echo "$1" | sed 's/ 100 hoop.out/ 20 hoop.out/')"
            test -f hoop.c || cp "../blocks/$(awk '$3 == "c" && $4 == "hoop" { print $1 }' ../list)" hoop.c
            instead="export PKG_CONFIG_PATH='$HOME/polhode/lib/pkgconfig' LD_LIBRARY_PATH='$HOME/polhode/lib'; $1"
            case $1 in
                cc*) instead="$(echo "$instead" | sed "s|; cc |; $CC $warnings |")" ;;
                *) instead="$instead | tee -a hoop.log" ;;
            esac
            ;;
        'cc -shared -fPIC cavity.c '*) # plugin.md
            test -n "$installed" || { why="takes the shared library, which this build does not have"; return 0; }
            cp "$(block_of c plugin)" cavity.c
            cp "$(block_of yaml plugin)" cavity.yaml
            instead="export $linked; $(echo "$1" | sed "s|^cc |$CC $warnings |")"
            ;;
        'cc -shared '*) # julia.md
            test -n "$installed" || { why="takes the shared library, which this build does not have"; return 0; }
            cp "$(block_of c own)" own.c
            instead="export $linked; $(echo "$1" | sed "s|^cc |$CC $warnings |")"
            ;;
        'julia elastic.jl') # to 2 s
            test -n "$installed" || { why="takes the shared library, which this build does not have"; return 0; }
            has julia || return 0
            sed 's/10^4/10/' "$(block_of julia elastic)" > elastic.jl
            instead="export $linked; $1 > elastic.txt"
            ;;
        'mkoctfile '*)
            test -n "$installed" || { why="takes the shared library, which this build does not have"; return 0; }
            has mkoctfile || return 0
            cp "$(block_of c elastic)" elastic.c
            instead="export $linked; $(echo "$1" | sed 's/ elastic.c/ -Wall -Wextra -Werror&/')"
            ;;
        'polhode '*) ;;
        'cc mine.c '*polhode-io*) why="compiles the block before it, which is tried" ;;
        *) fail "$place: a command that tests/documents/blocks.sh does not know: $1"; why=unknown ;;
    esac
}
commands() {
    # lines that end with a backslash are one; behind two blanks there may be a remark
    awk '{ sub(/  +#.*/, ""); sub(/ +$/, "") } /\\$/ { sub(/\\$/, ""); printf "%s", $0; next } { gsub(/  +/, " "); print }' "$1" > lines
    while read -r command; do
        tried=$((tried + 1))
        shorter "$command"
        if test -n "$why"; then
            echo "skipped: $place: $command: $why"
            continue
        fi
        # several documents have some of them
        if grep -q -x -F -e "$instead" done; then
            continue
        fi
        echo "$instead" >> done
        code=0
        sh -c "$instead" > out 2> err < /dev/null || code=$?
        # 1: a method could not be verified, which takes more time than there is here
        case $code:$command in
            0:* | 1:*bench*) ;;
            *)
                if grep -q '^polhode: this build cannot write' err; then
                    not_tried "$place: $command: $(sed -n 's/^polhode: //p' err)"
                else
                    fail "$place: $command: exit status $code of $instead"; cat out err
                fi
                ;;
        esac
    done < lines
}

# ---- Each in turn, commands first, as Python reads what they make
tried=0
try() {
    number=$1 place=$2 language=$3 fragment=$4
    block=../blocks/$number
    case $language:$fragment in
        commands:whole)
            # README.md compiles a copy of an example in three lines, which are one
            if head -n 1 "$block" | grep -q '^cp ~/polhode/'; then
                tried=$((tried + 1))
                test -n "$installed" || { echo "skipped: $place: there is no shared library"; return 0; }
                (cd "$dir/scratch" && cc() { command $CC "$@"; } && set -e && . "$dir/blocks/$number") > out 2> err ||
                    { fail "$place ends with $?:"; cat out err; }
                tail -n 1 out | grep -q '^t = 1000 s' || fail "$place: the example does not arrive: $(cat out)"
            else
                commands "$block"
            fi
            return 0
            ;;
        yaml:whole) cp "$block" block.yaml; scenario "$place" block.yaml ;;
        text:surface) cp "$block" stone.off ;; # of the scenario behind it
        yaml:spring | yaml:bead) scenario "$place" "$block" ;;
        yaml:sweep) expect 0 polhode sweep --dry-run "$block" ;;
        text:bead) # the rows, but for the line of units
            sed '/\[s\]/d; s/^ *//; s/  */ /g' bead.log > printed
            sed 's/^ *//; s/  */ /g' "$block" | diff printed - || fail "$place: the bead is elsewhere"
            ;;
        text:caret) # what is said of one wrong letter
            sed 's/p[.]z$/pz/' "$(block_of yaml spring)" > spring.yaml
            ! polhode check spring.yaml > out 2> err || fail "$place: the wrong letter is not seen"
            diff err "$block" || fail "$place: another message"
            ;;
        yaml:ensemble) # its first member and another one
            polhode check "$block" > out 2> err || { fail "$place: polhode check ends with $?:"; cat err; }
            polhode run --quiet --member 33 --set duration=0.03 -o member.out --force "$block" 2> err || { fail "$place: $(cat err)"; }
            ;;
        yaml:spin) # in place of the initial state of the block before
            { sed '/^initial:/,/^method/{/^initial:/d; /^ /d;}' block.yaml; cat "$block"; } > spin.yaml
            scenario "$place" spin.yaml
            ;;
        yaml:front) # the scenario of README.md, whose result is the block behind it
            cp "$block" front.yaml
            scenario "$place" front.yaml
            ;;
        text:front-result) # the motion is chaotic: errors within a factor of 5, the scales to all digits shown
            polhode run --quiet --force --json -o front.out front.yaml > front.json 2> err || fail "$place: $(cat err)"
            compared "$block" front.json << 'END' || fail "$place: another result"
import json, re, sys
lines = open(sys.argv[1]).read().splitlines()
run = json.load(open(sys.argv[2]))
numbers = [[float(x) for x in re.findall(r"[0-9.]+(?:e[-+]?[0-9]+)?", line)] for line in lines]
errors = [(numbers[0][0], run["energy_error_max"]), (numbers[1][0], run["momentum_error_max"]), (numbers[2][0], run["constraint_error_max"])]
assert all(a / 5 <= b <= 5 * a for a, b in errors), errors
assert abs(numbers[0][3] / run["energy_scale"] - 1) < 1e-5 and abs(numbers[1][1] / run["momentum_scale"] - 1) < 1e-5
END
            ;;
        yaml:initial) # lines that each are the initial state of a free body
            while read -r line; do
                { sed '/^initial:/,/^[a-z]/{/^initial:/d; /^ /d;}' examples/free-rigid-body.yaml; echo "$line"; } > block.yaml
                scenario "$place" block.yaml
            done < "$block"
            ;;
        c:whole) cp "$block" block.c; program block.c ;;
        c:include) # a line that any program begins with
            { cat "$block"; echo 'int main(void) { return 0; }'; } > block.c
            program block.c
            ;;
        c:potential | c:gradient) cp "$block" "$fragment"; own_potential ;;
        c:session) # with a scenario of one second
            cp "$block" block.c
            package=polhode-io
            program block.c
            package=
            test -z "$installed" || grep -q '^t = 1 s, in chain.out/chain.polhode$' out || fail "$place: $(cat out)"
            ;;
        c:setting) # the words of a function that has made a system
            { echo '#include <polhode/polhode.h>'
              echo 'ph_status make(const ph_system *system, double h, ph_integrator *integrator, ph_error err);'
              echo 'ph_status make(const ph_system *system, double h, ph_integrator *integrator, ph_error err) { ph_status status;'
              cat "$block"
              echo 'ph_integrator_free(integrator); return status ? err.status : PH_OK; }'
              echo 'int main(void) { return 0; }'; } > block.c
            program block.c
            ;;
        c:spins) # the lines of a program's main, which ends where they end
            { echo '#include <polhode/polhode.h>'; echo 'int main(void) { ph_error err;'; cat "$block"
              echo 'ph_state_free(state); ph_integrator_free(integrator); ph_system_free(system); return status != PH_OK; }'; } > block.c
            program block.c
            ;;
        python:whole) echo "$number $place" >> packaged ;; # with the package, below
        python:archive)
            # events, and more rows than a block of an archive has
            sed 's/^output:.*/output: {every: 2}/' examples/poincare-section.yaml > poincare-section.yaml
            expect 0 polhode run --quiet --force poincare-section.yaml
            cp "$block" block.py
            grep -q 'names, table' block.py && echo 'assert len(blocks) > 1 and data["t"][-1] == 200 and len(data["q1x"]) == 50001' >> block.py
            python block.py poincare-section.out/poincare-section.polhode
            ;;
        python:events) # continues where the first block has ended
            { cat block.py "$block"; echo 'assert n > 1 and len(state) > 3 and t > 0, n'; } > both.py
            python both.py poincare-section.out/poincare-section.polhode
            ;;
        python:state) # likewise
            { cat block.py "$block"; echo 'assert values[:3] == [100000, 200, 50001] and len(row) > 64 and len(state) > 72, values'; } > both.py
            python both.py poincare-section.out/poincare-section.polhode
            ;;
        python:tables) # likewise
            { cat block.py; echo 'import struct'; cat "$block"; echo 'assert meta["steps"] == "100000", meta'; } > both.py
            python both.py poincare-section.out/poincare-section.polhode
            ;;
        json:scene) # what an archive has under that key
            polhode run --quiet --force -o scene.out my.yaml 2> err || fail "$place: $(cat err)"
            compared "$block" scene.out/my.polhode << 'END' || fail "$place: another scene"
import json, sqlite3, sys
shown = json.load(open(sys.argv[1]))
kept = sqlite3.connect(sys.argv[2]).execute("SELECT value FROM meta WHERE key = 'scene'").fetchone()[0]
assert shown == json.loads(kept), kept
END
            ;;
        c:hoop) return 0 ;; # the commands below it compile and run it
        python:hoop)
            test -n "$installed" || { echo "skipped: $place: there is no hoop.npz"; return 0; }
            cp "$block" block.py
            python block.py
            test -z "$with" || ! test -e hoop.npz || grep -q '^theta between 0\.6435.* and 1\.59' out || fail "$place: $(cat out)"
            ;;
        python:plot | python:npz | python:places | python:spins | python:binary | python:binary-h5)
            cp "$block" block.py
            python block.py
            ;;
        text:hoop) # what the program prints: the bead to six digits, errors not compared, as they round
            test -n "$installed" || { echo "skipped: $place: there is no shared library"; return 0; }
            sed 's/\(\.[0-9]\{6\}\)[0-9]*/\1/g; s/ *errors:.*//; s/ off by.*//' hoop.log > printed
            sed 's/\(\.[0-9]\{6\}\)[0-9]*/\1/g; s/ *errors:.*//; s/ off by.*//' "$block" > claimed
            while read -r line; do
                grep -q -x -F -e "$line" printed || fail "$place: the program does not print: $line"
            done < claimed
            # the table of orders and steps: where the bead is after 100 s, to six digits
            if test -n "${POLHODE_CHECK_THOROUGH-}"; then
                sed -n 's/^| [0-9] | [0-9.]* s | \(0\.[0-9]*\).*/\1/p' "$top_srcdir/doc/tutorial.md" > claimed
                sed -n 's/^t = 100 s .*at (\(0\.[0-9]*\).*/\1/p' hoop.log > printed
                paste claimed printed | awk '{ d = $1 - $2; if (NF < 2 || d > 1e-6 || -d > 1e-6) bad = 1 } END { exit bad || NR != 5 }' ||
                    fail "$place: the table of orders has other numbers than the runs: $(paste claimed printed)"
            fi
            ;;
        text:shown) # what commands print of numbers that differ between machines: the words before them
            { polhode check "$dir/scratch/chain.yaml"; polhode run --force -o shown.out chain.yaml; } > printed 2> err || fail "$place: $(cat err)"
            while read -r word rest; do
                case $word in
                    method: | step:) ;; # lines of a scenario: of a recommendation
                    *) grep -q "^ *$word " printed || fail "$place: nothing prints a line that begins with $word: $rest" ;;
                esac
            done < "$block"
            ;;
        picture:whole) test "$place" = architecture.md:10 || fail "$place: a block without a language" ;;
        '{toctree}':whole | '{doxygenfile}':whole | '{include}':whole) return 0 ;; # tests/documents/doc.sh makes the pages
        c:plugin | yaml:plugin) return 0 ;; # the commands below them compile and run it
        c:own) # what the page says of structures and numbers
            { cat "$block"
              echo '#include <stddef.h>'
              echo '#define IS(x) _Static_assert(x, "julia.md says so")'
              echo 'IS(sizeof(int) == sizeof(ph_status)); IS(sizeof(ph_error) == 516); IS(offsetof(ph_error, message) == 4);'
              echo 'IS(PH_OK == 0); IS(PH_E_CALLBACK == 13); IS(PH_FACTOR_R == 0); IS(PH_STRICT == 0);'
              echo 'IS(sizeof(int) == sizeof(ph_factor_kind)); IS(offsetof(ph_factor, d) == 8); IS(offsetof(ph_factor, embedding) == 16);'
              echo 'IS(sizeof(ph_factor) == 24); IS(offsetof(ph_setting, value) == 8); IS(sizeof(ph_setting) == 16);'
              echo 'IS(offsetof(ph_state, k) == 8); IS(offsetof(ph_state, z) == 16); IS(offsetof(ph_state, p) == 24);'
              echo 'int main(void) { return 0; }'; } > block.c
            program block.c
            ;;
        julia:elastic)
            if test -n "$python"; then
                $python "$top_srcdir/tests/documents/julia.py" "$block" "$top_srcdir"/include/polhode/*.h "$top_srcdir"/include/polhode/*/*.h "$(block_of c own)" > out 2> err ||
                    fail "$place: $(cat err)"
            fi
            test -f elastic.txt || return 0
            test "$(wc -l < elastic.txt)" -eq 11 || fail "$place: $(cat elastic.txt)"
            sed -n '$s/.*x = \[\(.*\)\].*/\1/p' elastic.txt > last
            spring last
            ;;
        c:elastic) return 0 ;; # the command below it compiles it
        c:angles) # the declarations, as the library has them
            { echo '#include <polhode/polhode.h>'; cat "$block"; echo 'int main(void) { return 0; }'; } > block.c
            program block.c
            ;;
        octave:read) # the last attitude of the first body is that of the flat columns, row by row
            test -f binary.h5 || { echo "skipped: $place: there is no binary.h5"; return 0; }
            polhode export binary.out -o flat.csv --columns R2 --quiet --force
            { cat "$block"
              echo "flat = dlmread('flat.csv', ',', 1, 0); assert(isequal(attitude, reshape(flat(end, :), 3, 3)'))"; } > block.m
            octave block.m || return 0
            ;;
        octave:run)
            sed "s/step=0.001/step=0.001 --set duration=0.1/" "$block" > block.m
            octave block.m || return 0
            grep -q '^ans = [0-9.e-]*$' out || fail "$place: $(cat out)"
            ;;
        octave:elastic)
            test -f elastic.mex || { echo "skipped: $place: there is no elastic.mex"; return 0; }
            { sed 's/100000/100/; /^plot/d' "$block"
              printf '%s\n' 'printf("%.17g %.17g %.17g\n", x(:, end)); assert(t(1) == 0 && abs(t(end) - 2) < 1e-12 && numel(t) == 101);'
              echo 'failed = 0; try elastic([1 0 NaN], [0 0 0], 0.02, 1); catch e, failed = ! isempty(strfind(e.message, "must be finite")); end'
              echo 'assert(failed)'; } > block.m
            octave block.m || return 0
            awk '/^ans = / { exit !($3 < 1e-6) }' out || fail "$place: energy error $(cat out)"
            tail -n 1 out > last
            spring last
            ;;
        pycon:whole) # tests/python/suite.sh runs the examples of the package, tests/documents/python.sh that of the names
            case $place in
                reference/python.md:* | reference/python-names.md:*) return 0 ;;
                *) fail "$place: a session of Python that tests/documents/blocks.sh does not try" ;;
            esac
            ;;
        sh:slurm-array) # as Slurm does: a task has its number in the environment
            cp "$(block_of yaml sweep)" map.yaml
            for task in 1 2 3 4; do
                SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=4 SLURM_CPUS_PER_TASK=1 sh "$block" > out 2> err ||
                    { fail "$place: task $task ends with $?:"; cat out err; }
            done
            ;;
        sh:slurm-mpi) grep -q '^exec mpirun polhode-mpi sweep map.yaml$' "$block" || fail "$place: tests/program/mpi.sh tries another command" ;;
        text:condor) echo "skipped: $place: HTCondor, which no machine is asked to have" ;;
        julia:whole | matlab:whole) echo "skipped: $place: $language, which no machine is asked to have" ;;
        *) fail "$place: a block that tests/documents/blocks.sh does not know: language $language, fragment $fragment" ;;
    esac
    tried=$((tried + 1))
}
for round in commands others; do
    while read -r number place language fragment; do
        case $round:$language in
            commands:commands) try "$number" "$place" "$language" "$fragment" ;;
            commands:* | others:commands) ;;
            *) try "$number" "$place" "$language" "$fragment" ;;
        esac
    done < ../list
done
# ---- The Python package
# packaged: in a shell of its own, whose Python has it. tests/documents/python.py says what such blocks are
packaged() (
    . "$top_srcdir/tests/kit/python.sh"
    $python -B "$top_srcdir/tests/documents/python.py" "$top_srcdir" ../blocks < packaged > out 2>&1
)
code=0
packaged > why || code=$?
case $code in
    77) cat why ;;
    0)
        sed -n 's/^untried: //p' out > missing
        while read -r line; do not_tried "$line"; done < missing
        ;;
    *) fail "blocks with the Python package:"; cat why out ;;
esac
echo "$tried blocks and commands"
test "$tried" -ge 50 || fail "only $tried blocks and commands were tried"
exit $failed
