/* SPDX-License-Identifier: BSD-3-Clause */
/* A serial chain of point masses on massless rods that swings in a plane, on (S^1)^n (linkage.h with d =
 * 2): what the planar models share. */
#ifndef PH_INTERNAL_PLANAR_H
#define PH_INTERNAL_PLANAR_H

#include "linkage.h"

/* The rows of a table, behind them PH_PLANAR_LINKS where the model has one. kind: PER_LINK, or NUMBER for a single rod. */
enum { PH_PLANAR_GRAVITY = PH_LINKS_LENGTH + 1, PH_PLANAR_LINKS };
#define PH_PLANAR_ROWS(kind, mass, m, length, l)                                                             \
    PH_LINKS_ROWS(kind, mass, m, length, l, "rod"), [PH_PLANAR_GRAVITY] = PH_PLANAR_GRAVITY_ROW(             \
                                                        "acceleration of gravity along -y")

/* The presets from PH_LINKS_HANGING on. */
#define PH_PLANAR_PRESETS PH_LINKS_STRAIGHT_PRESETS("rod", "along x")

/* *links <- the rods of the table; how many is the variant of the model, or, where that is 0, as its rows say. PH_E_SIZE. */
static inline ph_status ph_planar_read(const ph_model_table *table, ph_links *links, ph_error *err)
{
    const size_t n = (size_t)table->model->variant;
    const ph_numbering rule =
        PH_NUMBERING("links", n ? PH_NO_INDEX : PH_PLANAR_LINKS, n ? n : PH_LINKS_DEFAULT, PH_MOST_LINKS,
                     PH_LINKS_MASS, PH_LINKS_LENGTH);
    ph_status status = ph_links_read(table, &rule, 2, links, err);
    links->G[1] = -ph_number(table, PH_PLANAR_GRAVITY);
    return status;
}

/* *system <- their chain. PH_E_SIZE as above, and the errors of ph_system_create. */
static inline ph_status ph_planar_build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    ph_links links;
    ph_status status = ph_planar_read(table, &links, err);
    return status ? status : ph_links_build(&links, NULL, system, err);
}

#endif
