# SPDX-License-Identifier: BSD-3-Clause
"""What cffi made of the public headers: every function and constant is in lib."""
from typing import Any

ffi: Any
lib: Any
