# SPDX-License-Identifier: BSD-3-Clause
"""Corpora as text, a line for each input (check_corpora.c), and as folders with a file each, which libFuzzer has.

    corpus.py unpack CORPUS FOLDER           lines -> files
    corpus.py pack FOLDER CORPUS [BYTES]     files -> lines: those with a remark (# ...) before them stay, the others are these, the
                                             shortest ones, as far as BYTES go (200 000)
    corpus.py line FILE                      a file as a line
"""

import os
import sys


def escaped(data: bytes) -> str:
    text = ""
    for i, byte in enumerate(data):
        if byte == 10:
            text += "\\n"
        elif byte == 92:
            text += "\\\\"
        elif 32 <= byte < 127 and not (i == 0 and byte == 35):
            text += chr(byte)
        else:
            text += f"\\x{byte:02x}"
    return text


def unescaped(line: str) -> bytes:
    data, i = bytearray(), 0
    while i < len(line):
        if line[i] != "\\":
            data.append(ord(line[i]))
            i += 1
        elif line[i + 1] == "x":
            data.append(int(line[i + 2 : i + 4], 16))
            i += 4
        else:
            data.append(10 if line[i + 1] == "n" else 92)
            i += 2
    return bytes(data)


def read(corpus: str) -> list[str]:
    if not os.path.exists(corpus):
        return []
    with open(corpus, encoding="ascii") as file:
        return file.read().split("\n")[:-1]


def unpack(corpus: str, folder: str) -> None:
    os.makedirs(folder, exist_ok=True)
    for number, line in enumerate(read(corpus), 1):
        if not line.startswith("#"):
            with open(os.path.join(folder, f"line-{number}"), "wb") as file:
                file.write(unescaped(line))


def pack(folder: str, corpus: str, most: int = 200_000) -> None:
    kept, remarked = [], False
    for line in read(corpus):
        if line.startswith("#") or remarked:
            kept.append(line)
        remarked = line.startswith("#")
    there = {line for line in kept if not line.startswith("#")}
    found = set()
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            found.add(escaped(file.read()))
    room = most - sum(len(line) + 1 for line in kept)
    for line in sorted(found - there, key=lambda line: (len(line), line)):
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    with open(corpus, "w", encoding="ascii") as file:
        file.write("".join(line + "\n" for line in kept))
    print(f"{corpus}: {sum(not line.startswith('#') for line in kept)} inputs")


def main() -> None:
    what, *rest = sys.argv[1:]
    if what == "unpack":
        unpack(*rest)
    elif what == "pack":
        pack(rest[0], rest[1], *map(int, rest[2:]))
    else:
        with open(rest[0], "rb") as file:
            print(escaped(file.read()))


if __name__ == "__main__":
    main()
