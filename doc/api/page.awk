# SPDX-License-Identifier: BSD-3-Clause
# A page in Markdown as Doxygen should read it: mathematics, which stands between dollars, between its own marks. Code is
# left as it is.
/^```/ { fence = !fence }
fence || /^    / || /^```/ { print; next }
{
    line = ""
    code = 0
    for (i = 1; i <= length($0); i++) {
        c = substr($0, i, 1)
        if (c == "`")
            code = !code
        if (c != "$" || code)
            line = line c
        else if (substr($0, i + 1, 1) == "$") {
            line = line (display ? "\\f]" : "\\f[")
            display = !display
            i++
        } else {
            line = line "\\f$"
        }
    }
    print line
}
