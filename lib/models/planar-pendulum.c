/* SPDX-License-Identifier: BSD-3-Clause */
/* Planar pendulum: one rod (planar.h), th'' = -(g/l) sin th for the angle th from hanging. */
#include "planar.h"

#include <math.h>

static const ph_parameter parameters[PH_PLANAR_PARAMETERS] = {
    PH_PLANAR_TABLE(PH_PARAMETER_NUMBER, "mass", 1, "length", 1),
};

enum { TILTED, WHIRLING, STRAIGHT };

static const ph_preset presets[] = {
    [TILTED] = {"tilted", "60 degrees from hanging, at rest"},
    [WHIRLING] = {"whirling", "hanging, at 2.5 sqrt(g/l): over the top and round"},
    PH_PLANAR_PRESETS,
};

static const ph_numbering numbering = {"links", PH_NO_INDEX, {PH_LINKS_MASS, PH_LINKS_LENGTH}, 2, 1, 1};

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    return ph_planar_build(table, &numbering, system, err);
}

/* A rod that hangs goes over the top at a rate above 2 sqrt(g/l). */
static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double sixty = 1.0471975511965977462;
    double turn = 2.5 * sqrt(fabs(table[PH_PLANAR_GRAVITY].values[0]) / table[PH_LINKS_LENGTH].values[0]);
    ph_links links;
    ph_status status = ph_planar_read(table, &numbering, &links, err);
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
    .parameters = parameters,
    .n_parameters = PH_PLANAR_PARAMETERS,
    .presets = presets,
    .n_presets = sizeof presets / sizeof presets[0],
    .build = build,
    .preset = preset,
};
