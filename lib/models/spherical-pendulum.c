/* SPDX-License-Identifier: BSD-3-Clause */
/* Spherical pendulum: one link (chain.h). */
#include "chain.h"
#include "gravity.h"

#include <math.h>

static const ph_parameter parameters[PH_CHAIN_PARAMETERS] = {
    PH_CHAIN_TABLE(PH_PARAMETER_NUMBER, "mass", 1, "length", 1, -9.81),
};

enum { TILTED, CONICAL, STRAIGHT };

static const ph_preset presets[] = {
    [TILTED] = {"tilted", "60 degrees from hanging, moving sideways at half the speed of conical"},
    [CONICAL] = {"conical", "60 degrees from hanging, turning steadily: Om^2 = g/(l cos th)"},
    PH_CHAIN_PRESETS,
};

static const ph_numbering numbering = PH_CHAIN_OF(1);

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    return ph_chain_build(table, &numbering, system, err);
}

/* th = 60 degrees from hanging; share of the speed Om sin th of the steady cone. */
static void sideways(const ph_parameter_value *table, double share, double *z, double *zdot)
{
    const double cosine = 0.5, sine = sqrt(0.75), *G = table[PH_CHAIN_GRAVITY].values;
    double along[3], across[3], down[3];
    double g = hypot(hypot(G[0], G[1]), G[2]);
    double turn = sqrt(g / (table[PH_LINKS_LENGTH].values[0] * cosine));
    ph_gravity_frame(G, along, across, down);
    for (int a = 0; a < 3; a++) {
        z[a] = cosine * down[a] + sine * along[a];
        zdot[a] = share * turn * sine * across[a];
    }
}

/* `tilted` moves at half the speed of the steady cone. */
static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    ph_links links;
    ph_status status = ph_chain_read(table, &numbering, &links, err);
    if (!status && which < STRAIGHT)
        sideways(table, which == CONICAL ? 1 : 0.5, z, zdot);
    else if (!status)
        ph_links_preset(&links, (int)which - STRAIGHT + PH_LINKS_HANGING, z, zdot);
    return status;
}

const ph_model ph_model_spherical_pendulum = {
    .name = "spherical-pendulum",
    .summary = "point mass on a massless rod from a fixed ball joint",
    .reference = "Lee, Leok, McClamroch, two-spheres, section V with n = 1",
    .parameters = parameters,
    .n_parameters = PH_CHAIN_PARAMETERS,
    .presets = presets,
    .n_presets = sizeof presets / sizeof presets[0],
    .build = build,
    .preset = preset,
};
