#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What bash and zsh offer to complete a line with: all commands, all options of each as its --help has them, models, methods
# with their options, problems, files. The functions are called as the shells call them, without a terminal.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
if test "${POLHODE_SANITIZERS:-}" = yes; then
    echo "skipped: what shells do with the words of the program, which other tests have it print under sanitizers, too"
    exit 77
fi
LC_ALL=C
export LC_ALL polhode top_srcdir

# Each shell completes the lines of all files FILE.line, one after the other: into FILE.offered, its complaints into FILE.err
cat > in-bash << 'END'
. "$top_srcdir/completion/polhode.bash"
for file in ../cases/*.line; do
    IFS= read -r line < "$file"
    COMP_LINE="$polhode $line" COMP_POINT=$((${#polhode} + 1 + ${#line})) COMP_WORDS=("$polhode") COMP_CWORD=0
    {
        _polhode
        ((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
    } > "${file%.line}.offered" 2> "${file%.line}.err"
done
END
# zsh calls it with the words of the line in `words`; what it gives to compadd and _files is what is offered
cat > in-zsh << 'END'
autoload() { }
compadd() {
    local current=$words[CURRENT]
    while [[ $1 != -- ]]; do shift; done
    shift
    for word; do [[ $word == ${current}* ]] && print -r -- $word; done
    return 0
}
_files() {
    local only=; [[ $1 == -/ ]] && only=/
    local -a there=(${words[CURRENT]}*(N$only))
    (( ! $#there )) || print -rl -- $there
}
for file in ../cases/*.line; do
    IFS= read -r line < $file
    words=($polhode ${=line})
    [[ $line == *[[:space:]] || -z $line ]] && words+=("")
    CURRENT=$#words
    source $top_srcdir/completion/_polhode > ${file%.line}.offered 2> ${file%.line}.err
done
END

# kinds of a command: bench/scaling bench/peers ...
kinds=$("$polhode" --help | awk '/^  polhode [a-z]* [a-z]/ { print $2 "/" $3 }')
test "$(echo "$kinds" | wc -w)" -ge 4 || fail "kinds of bench: $kinds"

# options_of COMMAND...: short and long, what its --help has at the beginning of lines
options_of() {
    "$polhode" "$@" --help | sed -n 's/^ \{2,6\}\(-[A-Za-z]\), \(--[a-z-]*\).*/\1 \2/p; s/^ \{2,6\}\(--[a-z-]*\).*/\1/p'
}

# offers LINE WORD...: these and nothing else; noted here, seen in compare()
offers() {
    number=$((number + 1))
    printf '%s\n' "$1" > ../cases/$number.line
    shift
    printf '%s\n' "$@" > ../cases/$number.wanted
}

# what the shell has made of all lines
compare() {
    $shell "in-$name" > complaints 2>&1
    test ! -s complaints || fail "$name: $(cat complaints)"
    for file in ../cases/*.err; do
        test ! -s "$file" || fail "$name: completing \"$(cat "${file%.err}.line")\" says: $(cat "$file")"
    done
    awk -v name="$name" '
        { kind = FILENAME; sub(/.*[.]/, "", kind); n = FILENAME; sub(/.*\//, "", n); sub(/[.].*/, "", n) }
        kind == "line" { line[n] = $0 }
        kind == "wanted" && NF { count[n, $0]++; said[n] = said[n] " " $0 }
        kind == "offered" { count[n, $0]--; got[n] = got[n] " " $0 }
        END {
            for (k in count) { split(k, part, SUBSEP); if (count[k]) wrong[part[1]] = 1 }
            for (n in wrong) print name ": \"" line[n] "\" is completed by" got[n] ", not" said[n]
        }' ../cases/*.line ../cases/*.wanted ../cases/*.offered > complaints
    test ! -s complaints || fail "$(cat complaints)"
    test "$(ls ../cases/*.offered | wc -l)" -eq "$number" || fail "$name has completed $(ls ../cases/*.offered | wc -l) of $number lines"
}

# shellcheck disable=SC2046,SC2086
try() {
    # every command of the program, as its own list of words has them
    commands=$("$polhode" nothing 2>&1 | sed -n 's/.*available: //p' | tr -d ,)
    test $(echo $commands | wc -w) -ge 7 || fail "commands: $commands"
    offers "" $commands --help --version
    offers "m" merge models methods
    offers "--h" --help
    # every option that a command takes
    for command in $commands $kinds; do
        command=$(echo "$command" | tr / ' ')
        options_of $command > options
        test $(wc -w < options) -ge 3 || fail "$command --help: $(cat options)"
        offers "$command -" $(cat options)
    done
    offers "run x --he" --help
    offers "bench scaling x --he" --help
    # names from the catalogues
    offers "models " $("$polhode" models | awk '{ print $1 }')
    offers "new heavy" heavy-top
    offers "methods v" variational
    offers "bench -m rk4-" rk4-projected
    offers "bench scaling --method variationa" variational
    offers "bench scaling double-s" double-spherical-pendulum
    offers "bench peers chain-2" $("$polhode" bench --list | awk '{ print $NR ? $1 == "*" ? $2 : $1 : "" }' | grep '^chain-2')
    offers "bench sca" scaling
    offers "bench pee" peers
    offers "bench arch" archive
    offers "bench roun" roundoff
    offers "bench roundoff sph" spherical-pendulum
    # options of a method: bash has taken what stands before : and = already
    before=; test "$name" = bash || before=rk4:
    offers "bench -m rk4:fo" ${before}form=
    before=; test "$name" = bash || before=rk4:form=
    offers "bench -m rk4:form=x-" ${before}x-mu ${before}x-xdot
    # the formats of tables: those that the library says there are
    offers "export a.csv -o x --format " $("$polhode" export a -o x --format '?' 2>&1 | sed -n 's/.*available: //p' | tr -d ,)
    offers "export a.csv -o x --format np" npy npz
    # columns of the file on the line, one after the other
    offers "tail table.csv --columns " t q1x q1y
    offers "export table.csv -o x --columns q" q1x q1y
    offers "tail table.csv --columns t,q1x,q" t,q1x,q1x t,q1x,q1y
    offers "tail --columns "
    offers "info table.csv --co" --columns
    # files and directories
    offers "check sce" scenario.yaml
    offers "run -o fold" folder
    offers "run scenario.yaml -o f" folder
    offers "export scenario.yaml -o fi" file
    offers "run --output " folder
    # where nothing is known, nothing
    offers "bench -T "
    offers "nothing x"
}

# what --help has, a command does take, by itself or with an argument: whatever the shell. One table makes both: in the thorough form
test -z "${POLHODE_CHECK_THOROUGH-}" || for command in $("$polhode" nothing 2>&1 | sed -n 's/.*available: //p' | tr -d ,) $kinds; do
    command=$(echo "$command" | tr / ' ')
    # shellcheck disable=SC2086
    for option in $(options_of $command); do
        "$polhode" $command $option --help --help 2>&1 < /dev/null | grep -q -e 'unknown option' &&
            fail "$command does not take $option"
    done
done

mkdir work work/folder
cd work
: > file
: > scenario.yaml
printf '%s\n' 't[s],q1x[1],q1y[1]' '0,1,0' > table.csv
cp ../in-bash ../in-zsh .
tried=
for name in bash zsh; do
    case $name in
        bash) shell="bash --norc --noprofile" ;;
        zsh) shell="zsh -f" ;;
    esac
    if command -v $name > /dev/null 2>&1; then
        rm -rf ../cases
        mkdir ../cases
        number=0
        try
        compare
        tried="$tried $name"
    else
        not_tried "completion in $name: there is no $name"
    fi
done
test -n "$tried" || skip "there is no shell that completes"
exit $failed
