#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sh locales.sh FOLDER: makes two locales there, for LOCPATH=FOLDER: `comma`, whose decimal point is a comma, and `separator`,
# whose decimal point is that of Arabic, of two bytes. Nothing has to be installed: definition and character map are
# below, and localedef comes with glibc's programs. Status 1, and the reason, where they cannot be made.
set -eu
folder=${1:?a folder}
mkdir -p "$folder"
cd "$folder"
if ! command -v localedef > /dev/null 2>&1; then
    echo "there is no localedef"
    exit 1
fi
cat > charmap << 'END'
<code_set_name> UTF-8
<comment_char> %
<escape_char> /
<mb_cur_min> 1
<mb_cur_max> 6
CHARMAP
<U0000>..<U007F> /x00 ASCII
<U066B> /xd9/xab ARABIC DECIMAL SEPARATOR
END CHARMAP
END
# make NAME CHARACTER
make() {
    cat > "$1.def" << END
comment_char %
escape_char /
LC_NUMERIC
decimal_point "$2"
thousands_sep ""
grouping -1
END LC_NUMERIC
END
    # it warns of all categories that are not defined, which become those of C, and its status is 1 then
    localedef --no-archive -c -f ./charmap -i "./$1.def" "./$1" > "$1.log" 2>&1 || true
}
make comma ,
make separator '<U066B>'
rm -f charmap comma.def separator.def
# programs hang in a locale whose decimal point is empty, so that what was made is read first
is() {
    if test "$(LOCPATH=. LC_ALL=$1 locale decimal_point 2> /dev/null)" != "$2"; then
        echo "localedef has made no locale with the decimal point $2:"
        grep -v 'No definition for' "$1.log" || true
        rm -rf comma separator
        exit 1
    fi
    rm -f "$1.log"
}
is comma ,
is separator "$(printf '\331\253')"
