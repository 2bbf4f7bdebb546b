# SPDX-License-Identifier: BSD-3-Clause
"""Figures of runs with Matplotlib."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from ._core import Error

if TYPE_CHECKING:
    from ._record import Run


def plot(run: "Run", *columns: str, against: str = "t", axes: Any = None) -> Any:
    """A figure of a run."""
    import matplotlib.pyplot as plt  # type: ignore[import]

    figure, axes = plt.subplots()
    for name in columns or ("energy_error",):
        axes.plot(run[against], run[name])
    return axes
