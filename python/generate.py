#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The C source of the module polhode._polhode, made by cffi from the public headers.

    python3 generate.py INCLUDE OUTPUT.c

INCLUDE is the directory with polhode/polhode.h. The source is compiled for the stable interface of Python 3.9 and later
(-DPy_LIMITED_API=0x03090000) and linked with libpolhode-io and libpolhode.
"""
from __future__ import annotations

import contextlib
import io
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from declarations import declarations  # noqa: E402  (beside this file)

# A session asks at each output, which may be each step of 30 ns, whether it is to end; a function of Python takes 0.7 us. These two ask it
# each 0.02 s of a thread.
OWN = """
bool polhode_stop(void *self, const char **reason, const char **by);
void polhode_progress(void *self, const ph_session *session);
"""
SOURCE = """
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <polhode/polhode.h>

static bool py_ph_session_options_stop(void *self, const char **reason, const char **by);
static void py_ph_session_options_progress(void *self, const ph_session *session);

#ifdef CLOCK_MONOTONIC_COARSE /* of some milliseconds, without a look at the hardware */
#define CLOCK CLOCK_MONOTONIC_COARSE
#else
#define CLOCK CLOCK_MONOTONIC
#endif

/* Where calls follow each other within microseconds, the clock is looked at in each 16th of them. */
struct when {
    int64_t last, looked; /* [ns] the last time; the last look at the clock */
    int left;             /* calls to skip */
};

static bool is_time(struct when *w)
{
    struct timespec now;
    if (w->left-- > 0)
        return false;
    clock_gettime(CLOCK, &now);
    const int64_t ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    w->left = ns - w->looked < 1000000 ? 15 : 0;
    w->looked = ns;
    if (ns - w->last < 20000000)
        return false;
    w->last = ns;
    return true;
}

static bool polhode_stop(void *self, const char **reason, const char **by)
{
    static _Thread_local struct when w;
    return is_time(&w) && py_ph_session_options_stop(self, reason, by);
}

static void polhode_progress(void *self, const ph_session *session)
{
    static _Thread_local struct when w;
    if (is_time(&w))
        py_ph_session_options_progress(self, session);
}
"""


def generate(include: str, output: str) -> None:
    """Write the source: whole, or not at all."""
    from cffi import FFI

    ffi = FFI()
    ffi.cdef(declarations(include) + OWN)
    ffi.set_source("polhode._polhode", SOURCE, py_limited_api=True)
    part = output + ".part"
    with contextlib.redirect_stdout(io.StringIO()):
        ffi.emit_c_code(part)
    os.replace(part, output)
    os.utime(output)  # cffi leaves a file that is right as it is: now it is newer than the headers


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: generate.py INCLUDE OUTPUT.c")
    generate(sys.argv[1], sys.argv[2])
