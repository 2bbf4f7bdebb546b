/* SPDX-License-Identifier: BSD-3-Clause */
/* What analyzers, which read one source at a time, do not see: ph_fail returns the status that it is given, which is not PH_OK.
 * scripts/check-analyzers includes this before each source but the one that defines ph_fail. */
#include <polhode/status.h>

#define ph_fail(err, status, ...) (ph_fail(err, status, __VA_ARGS__), status)
