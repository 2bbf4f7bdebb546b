# SPDX-License-Identifier: BSD-3-Clause
"""Run the examples of examples/python at full length and make their figures smaller, for doc/howto/python-examples.md.

Usage: PYTHONPATH=BUILD/python MPLBACKEND=Agg python3 python.py EXAMPLES DIRECTORY       writes DIRECTORY/python-NAME.png
"""
import os
import subprocess
import sys
import tempfile

from PIL import Image

examples, directory = (os.path.abspath(path) for path in sys.argv[1:])
with tempfile.TemporaryDirectory() as place:
    for file in sorted(os.listdir(examples)):
        name, ending = os.path.splitext(file)
        if ending == ".py" and name != "notebooks":
            print(name, flush=True)
            subprocess.run([sys.executable, os.path.join(examples, file)], cwd=place, check=True)
            with Image.open(os.path.join(place, name + ".png")) as figure:
                small = figure.convert("RGB").resize([n // 2 for n in figure.size], Image.Resampling.LANCZOS)
                small.quantize(64).save(os.path.join(directory, f"python-{name}.png"), optimize=True)
