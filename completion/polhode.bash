# SPDX-License-Identifier: BSD-3-Clause
# Completion of polhode(1) for bash. Commands, options and names are those that the program itself prints, by --help,
# models, methods, bench --list, bench roundoff --list and info --columns, so that there is nothing here to be kept up to date.

# The commands, a line each: "run", "bench scaling".
_polhode_commands() {
    "$1" --help 2> /dev/null | awk '/^  polhode [a-z]/ { print $3 ~ /^[a-z]/ ? $2 " " $3 : $2 }'
}

# The options of a command, a line each: "-o --output FILE"; "-" where there is no short one, nothing where no argument.
# shellcheck disable=SC2086
_polhode_options() {
    "$1" $2 --help 2> /dev/null | awk '/^ +(-[A-Za-z], )?--[a-z]/ {
        short = "-"
        if ($1 ~ /^-[A-Za-z],$/) { short = substr($1, 1, 2); $1 = "" }
        $0 = $0
        print short, $1, $2 ~ /^[A-Z]+$|\|/ ? $2 : ""
    }'
}

# The operands of a command: "FILE", "PROBLEM FILE".
# shellcheck disable=SC2086
_polhode_operands() {
    "$1" $2 --help 2> /dev/null | sed -n '1 { s/\[OPTION\]//; s/ -o [A-Z]*//; p; }' | grep -o -w '[A-Z][A-Z]*'
}

# Names and values of a method's options: "form=", or with an option "q-qdot q-omega".
_polhode_method_options() {
    "$1" methods "$2" 2> /dev/null | awk -v option="$3" '
        /^  Options/ { inside = 1; next }
        inside && /^    [^ ]/ { name = $1; if (option == "") print name "="; next }
        inside && name == option && sub(/^ *one of: /, "") { gsub(/\(default\)/, ""); print }'
}

# The words that a placeholder stands for, for what has been typed of it, among the other words of the line.
_polhode_words() {
    case $2 in
        MODEL) "$1" models 2> /dev/null | awk '{ print $1 }' ;;
        PROBLEM) "$1" bench --list 2> /dev/null | awk 'NR > 1 { print $1 == "*" ? $2 : $1 }' ;;
        MOTION) "$1" bench roundoff --list 2> /dev/null | awk 'NR > 1 { print $1 }' ;;
        METHOD)
            local method=${3%%:*} option
            case $3 in
                *:*=*) option=${3#*:} && option=${option%%=*} &&
                    _polhode_method_options "$1" "$method" "$option" | tr ' ' '\n' | sed "/./s/^/$method:$option=/" ;;
                *:*) _polhode_method_options "$1" "$method" "" | sed "s/^/$method:/" ;;
                *) "$1" methods 2> /dev/null | awk '{ print $1 }' ;;
            esac
            ;;
        LIST) # columns of the file on the line, behind those that are there
            local file before=
            [[ $3 != *,* ]] || before=${3%,*},
            for file in "${@:4}"; do
                [[ ! -f $file || $file == *.y*ml ]] || "$1" info --columns "$file" 2> /dev/null | sed "s/^/$before/"
            done
            ;;
        *\|*) echo "${2//|/ }" ;;
    esac
}

_polhode() {
    local program=${COMP_WORDS[0]/#\~/$HOME} line=${COMP_LINE:0:COMP_POINT} current last command kinds wanted placeholder
    local -a typed
    COMPREPLY=()
    read -r -a typed <<< "$line" # and not COMP_WORDS, which a method's : and = would break
    case $line in
        *[[:space:]]) current= ;;
        *) current=${typed[-1]} && unset 'typed[-1]' ;;
    esac
    last=${typed[-1]:-}
    command=${typed[1]:-}
    kinds=$(_polhode_commands "$program")
    if [[ ${#typed[@]} -lt 2 ]]; then
        # shellcheck disable=SC2207
        COMPREPLY=($(compgen -W "$(grep -v ' ' <<< "$kinds") --help --version" -- "$current"))
        return
    fi
    wanted=
    if [[ ${#typed[@]} -eq 2 ]]; then # a kind of the command may follow
        wanted=$(sed -n "s/^$command //p" <<< "$kinds")
    elif grep -q -x -e "$command ${typed[2]}" <<< "$kinds"; then
        command="$command ${typed[2]}"
    fi
    placeholder=
    if [[ $last == -* ]]; then
        placeholder=$(_polhode_options "$program" "$command" | awk -v o="$last" '$1 == o || $2 == o { print $3; exit }')
        [[ -z $placeholder ]] || wanted=
    fi
    if [[ -z $placeholder && $current == -* ]]; then
        wanted=$(_polhode_options "$program" "$command" | awk '{ print $2; if ($1 != "-") print $1 }')
    else
        for placeholder in ${placeholder:-$(_polhode_operands "$program" "$command")}; do
            case $placeholder in
                FILE) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current") ;;
                DIR) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$current") ;;
                *) wanted="$wanted $(_polhode_words "$program" "$placeholder" "$current" "${typed[@]:2}")" ;;
            esac
        done
        [[ ${#COMPREPLY[@]} -eq 0 ]] || compopt -o filenames 2> /dev/null
    fi
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$wanted" -- "$current")
    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2> /dev/null
    # what bash takes for a word of its own begins behind the last : or =
    local before=${current%"${current##*[:=]}"} i
    for i in "${!COMPREPLY[@]}"; do
        COMPREPLY[i]=${COMPREPLY[i]#"$before"}
    done
}

complete -F _polhode polhode
