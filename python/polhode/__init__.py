# SPDX-License-Identifier: BSD-3-Clause
"""Variational integrators on products of manifolds."""
from __future__ import annotations

from ._polhode import ffi, lib

__all__ = ["ffi", "lib"]
