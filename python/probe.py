# SPDX-License-Identifier: BSD-3-Clause
"""What this Python has for the package, asked by configure: lines NAME=VALUE.

    PYTHON probe.py PREFIX

executable, version, include (where Python.h is), folder (where packages below PREFIX go, from PREFIX), and what is missing: lacks_cffi to make the
C source of the module, lacks for everything else to build it, lacks_later to import the package.
"""
# Any Python can run this, also one that is too old.
import os
import sys

prefix = os.path.normpath(sys.argv[1])
lacks, lacks_cffi, lacks_later = [], [], []
include = folder = ""
executable = sys.executable
version = "%d.%d" % sys.version_info[:2]


def has(module):
    try:
        __import__(module)
    except Exception:  # also one that is damaged
        return False
    return True


if sys.version_info < (3, 9):
    lacks.append("Python 3.9 or later")
else:
    import site
    import sysconfig

    include = sysconfig.get_path("include")
    if not os.path.isfile(os.path.join(include, "Python.h")):
        lacks.append("python3-dev")
    if not has("cffi"):
        lacks_cffi.append("python3-cffi")
    if not has("_cffi_backend"):
        lacks.append("python3-cffi-backend")
    if not has("numpy"):
        lacks_later.append("python3-numpy")
    # Where this Python looks for packages below the prefix (Debian: dist-packages), or what is the rule.
    below = [path for path in site.getsitepackages() if path.startswith(os.path.join(prefix, "lib"))]
    folder = os.path.relpath(below[0], prefix) if below else "lib/python" + version + "/site-packages"

for name in ("executable", "version", "include", "folder"):
    print("%s='%s'" % (name, globals()[name]))
for name in ("lacks", "lacks_cffi", "lacks_later"):
    print("%s='%s'" % (name, ", ".join(globals()[name])))
