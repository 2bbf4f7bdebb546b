/* SPDX-License-Identifier: BSD-3-Clause */
/* A serial chain of point masses on massless rods that swings in a plane, on (S^1)^n (linkage.h with d =
 * 2): what the planar models share. */
#ifndef PH_INTERNAL_PLANAR_H
#define PH_INTERNAL_PLANAR_H

#include "linkage.h"

/* The rows of these parameters in the table of a model. Further parameters of the model follow. */
enum { PH_PLANAR_GRAVITY = PH_LINKS_LENGTH + 1, PH_PLANAR_PARAMETERS };

/* The rows of that table. kind: PH_PARAMETER_PER_LINK, or PH_PARAMETER_NUMBER for a single rod. */
#define PH_PLANAR_TABLE(kind, mass, m, length, l)                                                            \
    [PH_LINKS_MASS] = PH_LINKS_MASS_ROW(mass, kind, m, "rod"),                                               \
    [PH_LINKS_LENGTH] = PH_LINKS_LENGTH_ROW(length, kind, l, "rod"),                                         \
    [PH_PLANAR_GRAVITY] = PH_PLANAR_GRAVITY_PARAMETER("acceleration of gravity along -y")

/* The presets from PH_LINKS_HANGING on. */
#define PH_PLANAR_PRESETS PH_LINKS_STRAIGHT_PRESETS("rod", "along x")

/* *links <- the rods of the table, numbered by the rule. PH_E_SIZE. */
static inline ph_status ph_planar_read(const ph_parameter_value *table, const ph_numbering *rule,
                                       ph_links *links, ph_error *err)
{
    ph_status status = ph_links_read(table, rule, 2, links, err);
    links->G[1] = -table[PH_PLANAR_GRAVITY].values[0];
    return status;
}

/* *system <- their chain. PH_E_SIZE as above, and the errors of ph_system_create. */
static inline ph_status ph_planar_build(const ph_parameter_value *table, const ph_numbering *rule,
                                        ph_system **system, ph_error *err)
{
    ph_links links;
    ph_status status = ph_planar_read(table, rule, &links, err);
    return status ? status : ph_links_build(&links, NULL, system, err);
}

#endif
