# SPDX-License-Identifier: BSD-3-Clause
"""A year of a binary asteroid whose process is killed half way, and resumed with the same bits.

Two ellipsoids attract each other by their mutual potential up to order 4, on R^3 x SO(3) x SO(3). The satellite starts on an
orbit of eccentricity 0.03 with its longest axis towards the primary, and librates. For small angles, on a circle,

    free libration: w0 = n sqrt(3 (B - A) / C),     forced by the eccentricity e: amplitude 2 e / (1 - n^2 / w0^2), rate n,

with the mean motion n and moments of inertia A < B < C. A run writes its archive as it goes: what a process that dies has
written remains, with the whole state of the integrator, and `ph.open(...).resume()` continues as if nothing had happened.

Source: E. G. Fahnestock, D. J. Scheeres, Simulation and analysis of the dynamics of binary near-Earth asteroid (66391) 1999
KW4, Icarus 194 (2008) 410-435 (the problem); C. D. Murray, S. F. Dermott, Solar System Dynamics (1999), section 5.4 (libration).
Truth: an uninterrupted run, bit by bit; the frequency of the libration in closed form.
Usage: python3 binary_asteroid.py [DAYS]
"""
from __future__ import annotations

import os
import signal
import sys
import tempfile
from multiprocessing import Process
from pathlib import Path
from typing import Any, Dict

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

import polhode as ph

Vector = NDArray[np.float64]
DAY = 86400.0


def scenario(days: float) -> Dict[str, Any]:
    return {
        "model": "binary",
        "parameters": {"bodies": [{"mass": 5.2e11, "half-axes": [425, 415, 340]}, {"density": 2100, "half-axes": [88, 80, 60]}],
                       "order": 4},
        "initial": {"q": [{"a": 1190, "e": 0.03, "i": 0.01, "true-anomaly": 0}, [1, 0, 0, 0], {"euler": [0.05, 0, 0]}],
                    "omega": ["orbit", [0, 0, 7.7e-4], [0, 0, 1.46e-4]]},
        "method": {"name": "variational", "order": 4}, "step": 60, "steps": round(days * 1440), "output": {"interval": 3600}}


def half_a_run(directory: str, days: float) -> None:
    """The process that is killed: nothing of Python or C gets a chance to tidy up."""
    def power_failure(t: float, z: Vector, p: Vector) -> None:
        if t >= days / 2 * DAY:
            os.kill(os.getpid(), signal.SIGKILL)

    ph.run(scenario(days), output=directory, observe=power_failure, snapshot=0.02)  # s of work that may be lost


def main() -> None:
    days = float(sys.argv[1]) if len(sys.argv) > 1 else 365.0
    with tempfile.TemporaryDirectory() as directory:
        child = Process(target=half_a_run, args=(directory, days))
        child.start()
        child.join()
        run = ph.open(directory)
        killed = run.t[-1] / DAY
        print(f"ended by signal {-(child.exitcode or 0)}, the archive has {len(run)} rows until day {killed:.1f}")
        run.resume()
        whole = ph.run(scenario(days))
        same = all(np.array_equal(run[name].view(np.uint64), whole[name].view(np.uint64)) for name in whole.columns)
        print(f"resumed to day {run.t[-1] / DAY:.1f}, {len(run)} rows; the same bits as an uninterrupted run: {same}")
        assert child.exitcode == -signal.SIGKILL and killed < days and same

        t, angle = run.t / DAY, np.degrees(run["libration2_in"])
        longitude = np.unwrap(run["orbit2_longitude"])
    n = (longitude[-1] - longitude[0]) / t[-1]  # rad per day
    frequency = 2 * np.pi * np.fft.rfftfreq(t.size, t[1]) / n
    amplitude = 4 / t.size * np.abs(np.fft.rfft(angle * np.hanning(t.size)))
    free = (frequency > 0.3) & (frequency < 0.8)
    peak, closed_form = frequency[free][amplitude[free].argmax()], np.sqrt(3 * (88**2 - 80**2) / (88**2 + 80**2))
    print(f"free libration at {peak:.3f} of the mean motion; in closed form, for small angles on a circle, {closed_form:.3f}")
    assert abs(peak / closed_form - 1) < 0.05

    plt.style.use(Path(__file__).with_name("journal.mplstyle"))
    figure, (libration, spectrum) = plt.subplots(2, 1, figsize=(3.4, 3.8))
    for part, style in ((t <= killed, "C0"), (t >= killed, "C1")):
        libration.plot(t[part], angle[part], color=style)
    libration.text(killed, 6.2, "killed, resumed", fontsize=7, ha="center", va="bottom")
    libration.axvline(killed, color="0.6", lw=0.6)
    libration.set(xlabel="time (d)", ylabel="libration (deg)", xlim=(killed - 12, killed + 12))
    spectrum.semilogy(frequency, amplitude, lw=0.7)
    for where, name in ((closed_form, r"$\omega_0$"), (1, "$n$")):
        spectrum.axvline(where, color="0.6", lw=0.6, zorder=0)
        spectrum.text(where, 20, name, ha="center")
    spectrum.set(xlabel="frequency (mean motion $n$)", ylabel="amplitude (deg)", xlim=(0, 2.2), ylim=(1e-4, 15))
    figure.savefig("binary_asteroid.svg")
    figure.savefig("binary_asteroid.png")


if __name__ == "__main__":
    main()
