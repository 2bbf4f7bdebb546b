#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# An archive read by Python's sqlite3 and NumPy alone:  python3 read_archive.py NAME.polhode
import math, pathlib, sqlite3, struct, sys, zlib
import numpy

if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1]).is_file():
    sys.exit("usage: read_archive.py NAME.polhode (an archive that polhode run has written)")
archive = sqlite3.connect(pathlib.Path(sys.argv[1]).resolve().as_uri() + "?mode=ro", uri=True)  # makes no file
names = [name for name, in archive.execute("SELECT name FROM columns ORDER BY i")]
blocks = list(archive.execute("SELECT first, crc32, rows FROM blocks ORDER BY first"))
for first, crc, rows in blocks:
    assert zlib.crc32(rows, first) == crc, f"the block that begins with row {first} is damaged"
table = numpy.frombuffer(b"".join(rows for _, _, rows in blocks), "<f8").reshape(-1, len(names))
data = dict(zip(names, table.T))
protected = archive.execute("PRAGMA user_version").fetchone()[0] >= 2  # before, the row of the state had no checksum
for *values, written, crc, row_crc, state, monitor in archive.execute(
        f"SELECT k, t, rows, energy0, newton_passes, row_passes, cpu_seconds, written, crc32, {'row_crc32' if protected else 'NULL'}, "
        "state, monitor FROM state"):
    row = struct.pack("<qdqdqqd", *(math.nan if v is None else v for v in values)) + written.encode() + struct.pack("<q", crc)
    assert not protected or zlib.crc32(row) == row_crc, "the row of the state is damaged"
    # one of more than 64 MB lies in pieces (doc/reference/archive.md)
    assert not state or zlib.crc32(monitor or b"", zlib.crc32(state)) == crc, "the state is damaged"
error = data.get("energy_error")  # not there where other columns were chosen
print("rows", len(table), "to t =", repr(float(data["t"][-1])),
      "s" if error is None else f"s; largest |energy error| {float(abs(error).max())!r} J")
