# SPDX-License-Identifier: BSD-3-Clause
# A public header as Doxygen should read it: the first comment describes the file; a comment behind several names
# describes each; status codes have their texts; the lines
#      *   name   what it is
# of a comment are a list (one line more ends it).
NR == 1 { print "/** @file"; next }
NR == 2 { sub(/^\/\* /, " * ") }
/^#define POLHODE_[A-Z]*_H$/ { print ""; next }

# prose: a point between blanks is a product, and ends no sentence
/^ *(\/\*\*| \* ? ?[^ ])/ {
    gsub(/ \. /, " \\&middot; ")
    gsub(/ <- /, " \\&larr; ")
}

# the status codes, from their list
/^ +X\(PH_[A-Z_]+, ".*"\)/ {
    match($0, /PH_[A-Z_]+/)
    codes = codes substr($0, RSTART, RLENGTH) ", /**< "
    match($0, /".*"/)
    codes = codes substr($0, RSTART + 1, RLENGTH - 2) " */ "
}
/PH_STATUS_ENUM/ { print /^ / ? codes : ""; next }

# type a, *b; comment
/^    [a-zA-Z][^(]*, [^(]*; +\/\*\*< .*\*\/$/ {
    split($0, part, /; +\/\*\*</)
    match(part[1], /^ *(const )?(struct )?[a-z0-9_]+ /)
    type = substr(part[1], RSTART, RLENGTH)
    n = split(substr(part[1], RLENGTH + 1), name, /, */)
    line = ""
    for (i = 1; i <= n; i++)
        line = line type name[i] "; /**<" part[2]
    print line
    next
}

/^ +\*   [A-Za-z][A-Za-z0-9_, ()]*   *[^ ]/ && match($0, /[^ ]   */) {
    indent = $0
    sub(/\*.*/, "", indent)
    text = $0
    sub(/^ +\*   /, "", text)
    if (match(text, /   */)) {
        what = substr(text, 1, RSTART - 1)
        text = substr(text, RSTART + RLENGTH)
        gsub(/   */, ", ", text)
        print indent "* - **" what "** " text
        list = 1
        next
    }
}
list && /^ +\* / { print indent "*" }
{ list = 0; print }
