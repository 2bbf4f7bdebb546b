/* SPDX-License-Identifier: BSD-3-Clause */
/* Planar pendulum: one rod (planar.h), th'' = -(g/l) sin th for the angle th from hanging. */
#include "planar.h"

static const ph_parameter parameters[] = {
    PH_PLANAR_ROWS(NUMBER, "mass", 1, "length", 1),
};

enum { TILTED, WHIRLING, STRAIGHT };

static const ph_preset presets[] = {
    [TILTED] = {"tilted", "60 degrees from hanging, at rest"},
    [WHIRLING] = {"whirling", "hanging, at 2.5 sqrt(g/l): over the top and round"},
    PH_PLANAR_PRESETS,
};

/* A rod that hangs goes over the top at a rate above 2 sqrt(g/l). */
static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double sixty = 1.0471975511965977462;
    double turn = 2.5 * sqrt(fabs(ph_number(table, PH_PLANAR_GRAVITY)) / ph_number(table, PH_LINKS_LENGTH));
    ph_links links;
    ph_status status = ph_planar_read(table, &links, err);
    if (status)
        return status;
    if (which >= STRAIGHT) {
        ph_links_preset(&links, (int)which - STRAIGHT + PH_LINKS_HANGING, z, zdot);
        return PH_OK;
    }
    ph_links_direction(&links, which == TILTED ? sixty : 0, z);
    zdot[0] = which == TILTED ? 0 : -turn * z[1];
    zdot[1] = which == TILTED ? 0 : turn * z[0];
    return PH_OK;
}

const ph_model ph_model_planar_pendulum = {
    .name = "planar-pendulum",
    .summary = "point mass on a massless rod that swings in a plane",
    .reference =
        "Lee, Leok, McClamroch, Global Formulations of Lagrangian and Hamiltonian Dynamics on Manifolds, "
        "Springer 2018, chapter 4",
    .variant = 1,
    PH_MODEL_OF(presets, ph_planar_build, preset),
};
