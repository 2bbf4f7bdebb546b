#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# An archive read by Python's sqlite3 and NumPy alone:  python3 read_archive.py NAME.polhode
import sqlite3, sys, zlib
import numpy

archive = sqlite3.connect(sys.argv[1])
names = [name for name, in archive.execute("SELECT name FROM columns ORDER BY i")]
blocks = list(archive.execute("SELECT first, crc32, rows FROM blocks ORDER BY first"))
for first, crc, rows in blocks:
    assert zlib.crc32(rows, first) == crc, f"the block that begins with row {first} is damaged"
table = numpy.frombuffer(b"".join(rows for _, _, rows in blocks), "<f8").reshape(-1, len(names))
data = dict(zip(names, table.T))
error = data.get("energy_error")  # not there where other columns were chosen
print("rows", len(table), "to t =", repr(float(data["t"][-1])),
      "s" if error is None else f"s; largest |energy error| {float(abs(error).max())!r} J")
