#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What bash and zsh offer to complete a line with: all commands, all options of each as its --help has them, models, methods
# with their options, problems, files. The functions are called as the shells call them, without a terminal.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
LC_ALL=C
export LC_ALL polhode top_srcdir

cat > in-bash << 'END'
line=$1
. "$top_srcdir/completion/polhode.bash"
COMP_LINE="$polhode $line" COMP_POINT=$((${#polhode} + 1 + ${#line})) COMP_WORDS=("$polhode") COMP_CWORD=0
_polhode
((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
END
# zsh calls it with the words of the line in `words`; what it gives to compadd and _files is what is offered
cat > in-zsh << 'END'
line=$1
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
words=($polhode ${=line})
[[ $line == *[[:space:]] || -z $line ]] && words+=("")
CURRENT=$#words
source $top_srcdir/completion/_polhode
END

# kinds of a command: bench/scaling bench/peers ...
kinds=$("$polhode" --help | awk '/^  polhode [a-z]* [a-z]/ { print $2 "/" $3 }')
test "$(echo "$kinds" | wc -w)" -ge 4 || fail "kinds of bench: $kinds"

# options_of COMMAND...: short and long, what its --help has at the beginning of lines
options_of() {
    "$polhode" "$@" --help | sed -n 's/^ \{2,6\}\(-[A-Za-z]\), \(--[a-z-]*\).*/\1 \2/p; s/^ \{2,6\}\(--[a-z-]*\).*/\1/p'
}

# offered LINE: sorted, into the file offered
offered() {
    $shell "in-$name" "$1" 2> err | sort > offered
    test ! -s err || fail "$name: completing \"$1\" says: $(cat err)"
}

# offers LINE WORD...: these and nothing else
offers() {
    line=$1
    shift
    offered "$line"
    printf '%s\n' "$@" | sed '/^$/d' | sort > wanted
    cmp -s offered wanted || fail "$name: \"$line\" is completed by $(tr '\n' ' ' < offered), not $(tr '\n' ' ' < wanted)"
}

# shellcheck disable=SC2046,SC2086
try() {
    # every command of the program, as its own list of words has them
    commands=$("$polhode" nothing 2>&1 | sed -n 's/.*available: //p' | tr -d ,)
    test $(echo $commands | wc -w) -ge 7 || fail "commands: $commands"
    offers "" $commands --help --version
    offers "m" models methods
    offers "--h" --help
    # every option that a command takes
    for command in $commands $kinds; do
        command=$(echo "$command" | tr / ' ')
        options_of $command > options
        test $(wc -w < options) -ge 3 || fail "$command --help: $(cat options)"
        offers "$command -" $(cat options)
        offers "$command x --he" --help
    done
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

# what --help has, a command does take, by itself or with an argument: whatever the shell
for command in $("$polhode" nothing 2>&1 | sed -n 's/.*available: //p' | tr -d ,) $kinds; do
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
        try
        tried="$tried $name"
    else
        not_tried "completion in $name: there is no $name"
    fi
done
test -n "$tried" || skip "there is no shell that completes"
exit $failed
