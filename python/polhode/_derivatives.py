# SPDX-License-Identifier: BSD-3-Clause
"""Derivatives of Python functions that have none by hand: by complex steps, or by differences of order 8."""
from __future__ import annotations

import warnings
from typing import Any, Callable, Optional, Tuple

import numpy as np

from ._core import Array, warn_of_cost

STEP = 1e-30  # of complex steps


def _columns(function: Callable[..., Any], arguments: Tuple[Any, ...], at: int, kind: Any, column: Callable[[Any, Any], Any]) -> Array:
    """column(k-th entry of argument `at`, function of that entry) for all of them, in the last index; of a number, column alone."""
    before, after, z0 = arguments[:at], arguments[at + 1:], arguments[at]
    if np.ndim(z0) == 0:
        return np.asarray(column(z0, lambda x: function(*before, x, *after)))

    def along(k: int) -> Callable[[Any], Any]:
        def value(x: Any) -> Any:
            z = np.array(z0, dtype=kind)  # a new one each time: the function may change it
            z[k] = x
            return function(*before, z, *after)
        return value

    return np.stack([column(z0[k], along(k)) for k in range(len(z0))], axis=-1)


def complex_step(function: Callable[..., Any], at: int, arguments: Tuple[Any, ...]) -> Array:
    """The derivatives of function(*arguments) by the entries of argument `at`, in the last index."""
    return _columns(function, arguments, at, np.complex128, lambda x, of: np.imag(of(x + 1j * STEP)) / STEP)


_WEIGHTS = ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280))


def differences(function: Callable[..., Any], at: int, arguments: Tuple[Any, ...]) -> Array:
    """The same by differences of order 8, of a width of 1/128 of the largest entry, or of 1 where that is less."""
    h = 2.0 ** np.floor(np.log2(max(1.0, float(np.max(np.abs(arguments[at]), initial=0.0))))) / 128

    def column(x: Any, of: Callable[[Any], Any]) -> Any:
        return sum(weight * (np.asarray(of(x + n * h), dtype=float) - np.asarray(of(x - n * h), dtype=float))
                   for n, weight in _WEIGHTS) / h

    return _columns(function, arguments, at, np.float64, column)


def takes_complex(function: Callable[..., Any], at: int, arguments: Tuple[Any, ...]) -> bool:
    """Is the function analytic in argument `at`: is its derivative by a complex step that by differences?"""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            by_step, by_differences = complex_step(function, at, arguments), differences(function, at, arguments)
        except Exception:
            return False
    size = float(np.max(np.abs(by_differences), initial=1e-9))
    return by_step.shape == by_differences.shape and bool(np.allclose(by_step, by_differences, rtol=1e-6, atol=1e-7 * size))


def derivative(name: str, missing: Optional[str], function: Callable[..., Any], at: int, sample: Optional[Tuple[Any, ...]], n: int) -> Callable[..., Array]:
    """A function that is the derivative by argument `at`, of n numbers: by complex steps where the sample shows that they are right,
    else by differences. With the name of the function that would save it, a CostWarning says what it costs."""
    exact = sample is not None and takes_complex(function, at, sample)
    if missing:
        warn_of_cost(f"the derivative of {name} is by {'complex steps' if exact else 'differences of order 8'}: "
                      f"{n * (1 if exact else 8)} calls of it each time; {missing} makes steps faster")
    way = complex_step if exact else differences
    return lambda *arguments: way(function, at, arguments)
