/* SPDX-License-Identifier: BSD-3-Clause */
/* A uniform elastic rod that is clamped at one end, with a dead load on the other (rod.h). Without
 * loads small motions have the frequencies w_k = beta_k^2 sqrt(EI / (rho A L^4)), cos beta cosh beta = -1. */
#include "rod.h"

#include <polhode/kit/elementary.h>

enum { BENDING = PH_ROD_PARAMETERS, DIRECTION, LOAD };

static const ph_parameter parameters[] = {
    PH_ROD_ROWS(1, 0.055, PH_ROD_LINKS_ROW(8, "number of links")), /* with EI: steel, 3 mm thick */
    [BENDING] = PH_ROD_BENDING(0.83),
    [DIRECTION] =
        PH_VECTOR("direction", "1", PH_ANY, 1, 0, 0, "in which it leaves its clamp, of any length but 0"),
    [LOAD] = PH_VECTOR("tip_load", "N", PH_ANY, 0, 0, 0,
                       "constant force on the tip, which is part of the potential"),
};

enum { PLUCKED, STRAIGHT, SETTLED };

static const ph_preset presets[] = {
    [PLUCKED] = {"plucked",
                 "bent downwards as by a small force on the tip, which leans by 0.5 rad, and let go"},
    [STRAIGHT] = {"straight", "straight and at rest: the loads set in at once"},
    [SETTLED] = {"settled", "the stable equilibrium that is downhill from straight, at rest"},
};

/* *rod <- as the table says, clamped, with the tip's load and no spring. */
static ph_status read(const ph_model_table *table, ph_rod **rod, ph_error *err)
{
    ph_status status = ph_rod_create(table, ph_count(table, PH_ROD_LINKS), rod, err);
    if (status)
        return status;
    ph_rod *r = *rod;
    status = ph_rod_clamp(r, &table->row[DIRECTION], err);
    if (status) {
        free(r);
        return status;
    }
    memcpy(r->load, ph_vector(table, LOAD), sizeof r->load);
    ph_rod_stiffen(r, ph_number(table, BENDING));
    return PH_OK;
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    ph_rod *rod;
    ph_status status = read(table, &rod, err);
    return status ? status : ph_rod_build(rod, system, err);
}

/* The moment of a force on the tip falls linearly towards it: the angle is tip (2 s/L - (s/L)^2). */
static void bend(const ph_rod *r, double tip, double *z)
{
    double along[3], down[3], across[3];
    ph_rod_frame(r, along, down, across);
    for (size_t i = 0; i < r->n; i++) {
        double part = ((double)i + 0.5) / (double)r->n, angle = tip * part * (2 - part);
        for (size_t a = 0; a < 3; a++)
            z[3 * i + a] = ph_cos(angle) * along[a] + ph_sin(angle) * down[a];
        ph_unit_correct3(z + 3 * i);
    }
}

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    ph_rod *rod;
    ph_status status = read(table, &rod, err);
    if (status)
        return status;
    memset(zdot, 0, 3 * rod->n * sizeof *zdot);
    if (which == SETTLED)
        status = ph_rod_settle(rod, z, err);
    else
        bend(rod, which == PLUCKED ? 0.5 : 0, z);
    free(rod);
    return status;
}

const ph_model ph_model_cantilever = {
    .name = "cantilever",
    .summary = "uniform elastic rod that is clamped at one end, with a load on the other",
    .reference =
        "Landau, Lifshitz, Theory of Elasticity, 3rd ed., sections 19 and 25; two-spheres, section V",
    PH_MODEL_HERE,
};
