#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A page of the manual, made from the program's own help by help2man and polished by page.awk, on the standard
# output:  page.sh PAGE PROGRAM VERSION,  where PAGE is polhode, or polhode-run and so on.
# What help does not say is in PAGE.h2m, if there is one.
set -eu
: "${HELP2MAN:=help2man}"
page=$1 program=$2 version=$3
here=$(dirname "$0")
command=${page#polhode}
command=$(echo "${command#-}" | tr - " ") # polhode-bench-scaling is about "bench scaling"
test "$page" != polhode-mpi || command=sweep # its only one
LC_ALL=C
export LC_ALL
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT

# the date of the sources, where one is given
day=$(date -u ${SOURCE_DATE_EPOCH:+-d "@$SOURCE_DATE_EPOCH"} +%Y-%m-%d)
# what stands below a command's usage in the program's help is its name here
name=$($program --help | awk -v c="$command" '
    found && (/^  [^ ]/ || /^$/) { exit }
    found { sub(/^ */, ""); printf "%s%s", space, $0; space = " " }
    $1 ~ /^polhode(-mpi)?$/ && (c ~ / / ? $2 " " $3 : $2) == c { found = 1 }')
others=
for other in polhode $($program --help | awk '/^  polhode [a-z]/ { print "polhode-" ($3 ~ /^[a-z]/ ? $2 "-" $3 : $2) }'); do
    test "$other" = "$page" || others="$others.BR $other (1),
"
done
# where bugs go, and the homepage, in the program's words
bugs=$($program --version | awk -F ': ' '/^Homepage: / { home = $2 } /^Report bugs to: / { bugs = $2 }
    END { printf "To %s.\n.PP\nHomepage: %s\n", bugs, home }')
cat > "$tmp" << END
[COPYRIGHT]
BSD-3-Clause, see the file LICENSE. There is no warranty.

[REPORTING BUGS]
$bugs

[SEE ALSO]
${others}.BR polhode (3)
END
$HELP2MAN --no-info --version-string="$version" --name="${name:-variational integrators for what rotates and swings}" \
    --opt-include="$here/$page.h2m" --include="$tmp" "$program${command:+ $command}" |
    awk -v page="$page" -v day="$day" -v version="$version" -f "$here/page.awk"
