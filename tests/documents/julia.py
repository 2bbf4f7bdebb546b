# SPDX-License-Identifier: BSD-3-Clause
"""The calls of C in a page of Julia, compared with the declarations in headers: python3 julia.py PAGE HEADER...
Types of arguments and results, as those of @ccall and @cfunction; exit status 1 and the differences where there are some."""
import re
import sys

page = open(sys.argv[1]).read()
headers = "\n".join(re.sub(r"/\*.*?\*/|^ *#.*?$", "", open(name).read(), flags=re.S | re.M) for name in sys.argv[2:])
KNOWN = {"double": "Cdouble", "double *": "Ptr{Cdouble}", "size_t": "Csize_t", "int64_t": "Int64", "void": "Cvoid", "char *": "Cstring",
         "ph_error *": "Ptr{UInt8}", "ph_factor *": "Ptr{Factor}", "ph_setting *": "Ptr{Setting}", "ph_status": "Cint", "ph_admission": "Cint"}


def julia_of(declaration):
    """the type in Julia of a type in C, or of an argument with its name"""
    words = re.sub(r"\b(const|struct)\b|\bPH_API\b", "", declaration).strip()
    stars = words.count("*")
    name = re.match(r"\w+", words).group()
    if stars == 2:
        return "Ptr{Handle}"
    return KNOWN.get(name + " *" * stars) or ("Handle" if stars or name.endswith("_fn") else f"unknown ({declaration})")


def declared(name):
    """(result, arguments) of a function, or of a type of functions"""
    found = re.search(r"([\w][\w ]*?[ *]+)(?:%s|\(\*%s\))\(([^)]*)\)" % (name, name), headers)
    assert found, f"no header has {name}"
    return julia_of(found.group(1).replace("typedef", "")), [julia_of(a) for a in found.group(2).split(",")]


def inside(text, start):
    """the parts between commas of the parenthesis that opens at start, and what follows it"""
    depth, parts, at = 0, [""], start
    while True:
        c = text[at]
        depth += c in "([{"
        depth -= c in ")]}"
        at += 1
        if not depth:
            return [p.strip() for p in parts], text[at:]
        if c == "," and depth == 1:
            parts.append("")
        elif at > start + 1:
            parts[-1] += c


wrong, n = [], 0
for call in re.finditer(r"@ccall \w+\.(\w+)\(", page):
    arguments, rest = inside(page, call.end() - 1)
    got = re.match(r"::([\w{}]+)", rest).group(1), [a.rsplit("::", 1)[-1] for a in arguments]
    n += 1
    if got != declared(call.group(1)):
        wrong.append(f"{call.group(1)}: {got}, not {declared(call.group(1))}")
for callback in re.finditer(r"@cfunction\(\w+, (\w+), \(([^)]*)\)\)", page):
    got = callback.group(1), callback.group(2).split(", ")
    n += 1
    if got != declared("ph_lagrangian_complex_fn"):
        wrong.append(f"@cfunction: {got}, not {declared('ph_lagrangian_complex_fn')}")
print(n, "calls")
sys.exit("\n".join(wrong) or n < 2)
