#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# The gallery in motion: runs each scenario, and writes the page of `polhode view` of it. The pages have no date and no path of the machine:
# the same program writes the same bytes.
# usage: views.py PROGRAM GALLERY EXAMPLES OUTPUT [NAME...]   writes OUTPUT/NAME.html for each picture NAME.svg of the gallery
import os
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

# picture: its scenario, and the runs that the page shows, each a name and what is replaced in the scenario
GALLERY, EXAMPLES = "gallery", "examples"
VIEWS = {
    "flip": (GALLERY, "flip", {"flip": {}}),
    "nutation": (GALLERY, "nutation", {"nutation": {}}),
    # the scenario keeps the passages alone, of 1200 s
    "section": (GALLERY, "section", {"section": {"duration: 1200": "duration: 40", "every: 60000": "every: 1"}}),
    "double-pendulum": (EXAMPLES, "double-spherical-pendulum", {"double-pendulum": {"duration: 100": "duration: 40"}}),
    "beats": (GALLERY, "beats", {"beats": {}}),
    "rope": (EXAMPLES, "elastic-chain", {"rope": {"duration: 5": "duration: 2.5"}}),
    "whip": (GALLERY, "whip", {"whip": {}}),
    "cable": (EXAMPLES, "hanging-cable", {"cable": {"duration: 10": "duration: 5"}}),
    "particles": (GALLERY, "particles", {"particles": {}}),
    "quadrotor": (EXAMPLES, "quadrotor-cable", {"quadrotor": {}}),
    # the two ways on one clock
    "rattleback": (EXAMPLES, "rattleback", {
        "spun": {}, "other-way": {"preset: spun": "preset: other-way", "step: 0.002": "step: 0.01", "every: 10": "every: 2"}}),
    "collapse": (EXAMPLES, "collapse", {"collapse": {}}),
    "spring": (GALLERY, "spring", {"spring": {}}),
    "hoop": (GALLERY, "hoop", {"hoop": {}}),
    "mirror": (GALLERY, "mirror", {"mirror": {}}),
    "bodies": (GALLERY, "bodies", {"bodies": {}}),
    "disk": (GALLERY, "disk", {"disk": {}}),
    "spins": (GALLERY, "spins", {"spins": {}}),
    # of sweeps the first member; the first top of the map falls at once
    "drift-map": (EXAMPLES, "drift-map", {"drift-map": {"output: {interval: 1, columns: [energy_error, energy]}": "output: {every: 4}"}}),
    "top-fate": (EXAMPLES, "top-fate", {"top-fate": {"duration: 20": "duration: 20\noutput: {every: 1}", "from: -4": "from: -1"}}),
    "chaos-map": (EXAMPLES, "chaos-map", {"chaos-map": {"output: {interval: 1, columns: [configuration, energy_error, energy]}": "output: {every: 4}"}}),
}
FORGOTTEN = ("created", "session", "source")  # of the table meta: when and where the run was made


def call(place, *command):
    done = subprocess.run(command, cwd=place, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"views.py: {' '.join(command)} ends with {done.returncode}:\n{done.stderr}")


def archive(program, place, name, scenario, changes):
    """The archive NAME.polhode of a run, in `place`."""
    for old, new in changes.items():
        if old not in scenario:
            sys.exit(f'views.py: {name}: the scenario has no "{old}"')
        scenario = scenario.replace(old, new)
    with open(os.path.join(place, name + ".yaml"), "w") as file:
        file.write(scenario)
    member = ["--member", "0"] if "\nensemble:" in scenario else []
    call(place, program, "run", "--quiet", name + ".yaml", *member)
    name += "-0" if member else ""
    file = os.path.join(f"{name}.out", f"{name}.polhode")
    with sqlite3.connect(os.path.join(place, file)) as base:
        base.executemany("DELETE FROM meta WHERE key = ?", [(key,) for key in FORGOTTEN])
        base.execute("DELETE FROM meta WHERE key LIKE '%crc32'")  # as in version 2
        base.execute("PRAGMA user_version = 2")
    base.close()
    return file


def view(program, folders, output, name):
    folder, scenario, runs = VIEWS[name]
    with open(os.path.join(folders[folder], scenario + ".yaml")) as file:
        text = file.read()
    with tempfile.TemporaryDirectory() as place:
        files = [archive(program, place, run, text, changes) for run, changes in runs.items()]
        call(place, program, "view", "--quiet", "--force", "-o", os.path.join(output, name + ".html"), *files)


def main():
    program, gallery, examples, output = (os.path.abspath(path) for path in sys.argv[1:5])
    folders = {GALLERY: gallery, EXAMPLES: examples}
    os.makedirs(output, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(lambda name: view(program, folders, output, name), sys.argv[5:] or VIEWS):
            pass


main()
