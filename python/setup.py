# SPDX-License-Identifier: BSD-3-Clause
"""Builds the package for pip against an installed Polhode, which pkg-config finds (PKG_CONFIG_PATH).

The C source of the module is made by cffi from the installed headers; without cffi, the one of a release serves.
"""
from __future__ import annotations

import os
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)


def pkg_config(*arguments: str) -> str:
    """What pkg-config says of libpolhode-io."""
    command = [os.environ.get("PKG_CONFIG", "pkg-config"), *arguments, "polhode-io"]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", "") or str(error)
        sys.exit(f"{said.strip()}\nThe library libpolhode-io was not found. Install Polhode first; where that is below a prefix, set "
                 "PKG_CONFIG_PATH=PREFIX/lib/pkgconfig.")


def version() -> str:
    """That of the installed headers."""
    with open(os.path.join(pkg_config("--variable=includedir"), "polhode", "version.h"), encoding="utf-8") as file:
        found = re.search(r'^#define PH_VERSION "(.*)"', file.read(), re.MULTILINE)
    assert found is not None
    return found.group(1)


class BuildModule(build_ext):
    """Makes the C source first."""

    def build_extension(self, ext: Extension) -> None:
        try:
            import cffi  # noqa: F401
        except ImportError:
            if not os.path.isfile(os.path.join(HERE, "_polhode.c")):
                sys.exit("cffi is needed to build the package (Debian: python3-cffi)")
        else:
            from generate import generate

            os.makedirs(self.build_temp, exist_ok=True)
            ext.sources = [os.path.join(self.build_temp, "_polhode.c")]
            generate(pkg_config("--variable=includedir"), ext.sources[0])
        super().build_extension(ext)


class BuildFiles(build_py):
    """Adds _config.py, which names the installed program."""

    def run(self) -> None:
        super().run()
        program = os.path.join(pkg_config("--variable=bindir"), "polhode")
        with open(os.path.join(HERE, "polhode", "_config.py.in"), encoding="utf-8") as file:
            text = file.read().replace("@PROGRAM@", program if os.access(program, os.X_OK) else "")
        with open(os.path.join(self.build_lib, "polhode", "_config.py"), "w", encoding="utf-8") as file:
            file.write(text)


folders = [word[2:] for word in pkg_config("--libs-only-L").split()]
setup(
    version=version(),
    ext_modules=[Extension(
        "polhode._polhode", ["_polhode.c"], py_limited_api=True, define_macros=[("Py_LIMITED_API", "0x03090000")],
        include_dirs=[pkg_config("--variable=includedir")], library_dirs=folders, runtime_library_dirs=folders,
        libraries=["polhode-io", "polhode"], extra_compile_args=["-O1", "-g0"])],
    cmdclass={"build_ext": BuildModule, "build_py": BuildFiles},
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
)
