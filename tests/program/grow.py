# SPDX-License-Identifier: BSD-3-Clause
"""An archive whose energy error grows by a law that is known: grow.py ARCHIVE LAW replaces the column."""
import math
import sqlite3
import struct
import sys
import zlib

path, law = sys.argv[1:]
archive = sqlite3.connect(path)
names = [name for name, in archive.execute("SELECT name FROM columns ORDER BY i")]
at = names.index("energy_error")
for first, n, rows in list(archive.execute("SELECT first, n, rows FROM blocks")):
    values = list(struct.unpack(f"<{n * len(names)}d", rows))
    for i in range(n):
        t = values[i * len(names)]
        values[i * len(names) + at] = {"flat": 1e-4 * math.cos(7 * t), "walk": 1e-5 * math.sqrt(t), "linear": -1e-6 * t,
                                       "square": 1e-7 * t * t, "rounding": 1e-14 * math.cos(t), "zero": 0.0}[law]
    packed = struct.pack(f"<{len(values)}d", *values)
    archive.execute("UPDATE blocks SET rows = ?, crc32 = ? WHERE first = ?", (packed, zlib.crc32(packed, first), first))
archive.commit()
