# SPDX-License-Identifier: BSD-3-Clause
# What help2man leaves to be wished for: a title with page and day, headings where the program's help has headings,
# a tagged list of the commands, and short lines. Variables: page, day, version.

function put(line,    at) {
    if (line ~ /^\.EX/)
        verbatim = 1
    if (line ~ /^\.EE/)
        verbatim = 0
    if (line !~ /^\./ && !verbatim)
        while (length(line) > 78) {
            for (at = 78; at > 0 && !(substr(line, at, 1) == " " && substr(line, at + 1, 1) !~ /[.' ]/); at--)
                continue
            if (!at)
                break
            print substr(line, 1, at - 1)
            line = substr(line, at + 1)
        }
    print line
}

function heading(text) {
    paragraph = 0
    print ".SH \"" text "\""
    section = text
}

/^\.TH / {
    print ".TH " toupper(page) " 1 " day " \"Polhode " version "\" \"User Commands\""
    next
}
/^\.SH / { section = substr($0, 5); paragraph = 0 }
section == "NAME" && / \\- / { sub(/^.* \\- /, page " \\- ") }
/^\.SS "Commands:"/ { heading("COMMANDS"); next }
/^\.SS "Exit status:"/ { heading("EXIT STATUS"); next }

# options begin where the first tag is
/^\.TP/ && section == "DESCRIPTION" { heading("OPTIONS") }

# COMMANDS: an indented usage and an indented text are a tag and its text
section == "COMMANDS" && /^\.IP/ { next }
section == "COMMANDS" && /^polhode [a-z]+( [a-z]+)? / && !/COMMAND/ {
    print ".TP"
    usage = $0
    sub(/^polhode [a-z]+( [a-z]+)?/, "\\fB&\\fR", usage)
    print usage
    next
}
section == "COMMANDS" && /^\.TP/ && !seen++ { heading("OPTIONS") }

# a paragraph that a heading follows is none
/^\.PP/ { paragraph = 1; next }
{
    if (paragraph)
        print ".PP"
    paragraph = 0
    put($0)
}
