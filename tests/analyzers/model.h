/* SPDX-License-Identifier: BSD-3-Clause */
/* What analyzers, which read one source at a time, do not see: ph_fail and ph_node_fail return the status that they are given, which is not PH_OK.
 * scripts/check-analyzers includes this before each source but those that define them. */
#include <polhode/status.h>

#define ph_fail(err, status, ...) (ph_fail(err, status, __VA_ARGS__), status)

#ifdef MODEL_NODES
#include "lib/scenario/yaml.h"
#define ph_node_fail(at, err, status, ...) (ph_node_fail(at, err, status, __VA_ARGS__), status)
#endif
