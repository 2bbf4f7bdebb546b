/* SPDX-License-Identifier: BSD-3-Clause */
/* What systems are where their definition says no more: an inertia, constant or not, or any Lagrangian, with callbacks for what acts.
 * All functions are those of lib/system. */
#include "lib/system/system.h"

static bool fits(const ph_system_definition *d)
{
    (void)d;
    return true;
}

const ph_structure ph_structure_inertia = {.name = "inertia", .fits = fits, .check = ph_definition_check};
