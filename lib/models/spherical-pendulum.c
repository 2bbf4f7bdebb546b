/* SPDX-License-Identifier: BSD-3-Clause */
/* Spherical pendulum: one link (chain.h). */
#include "chain.h"
#include "gravity.h"

#include <polhode/kit/elementary.h>

static const ph_parameter parameters[] = {
    PH_CHAIN_ROWS(NUMBER, "mass", 1, "length", 1, -9.81),
};

enum { TILTED, CONICAL, STRAIGHT };

static const ph_preset presets[] = {
    [TILTED] = {"tilted", "60 degrees from hanging, moving sideways at half the speed of conical"},
    [CONICAL] = {"conical", "60 degrees from hanging, turning steadily: Om^2 = g/(l cos th)"},
    PH_CHAIN_PRESETS,
};

/* th = 60 degrees from hanging; share of the speed Om sin th of the steady cone. */
static void sideways(const ph_model_table *table, double share, double *z, double *zdot)
{
    const double cosine = 0.5, sine = sqrt(0.75), *G = ph_vector(table, PH_CHAIN_GRAVITY);
    double along[3], across[3], down[3];
    double g = ph_hypot(ph_hypot(G[0], G[1]), G[2]);
    double turn = sqrt(g / (ph_number(table, PH_LINKS_LENGTH) * cosine));
    ph_gravity_frame(G, along, across, down);
    for (int a = 0; a < 3; a++) {
        z[a] = cosine * down[a] + sine * along[a];
        zdot[a] = share * turn * sine * across[a];
    }
}

/* `tilted` moves at half the speed of the steady cone. */
static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    ph_links links;
    ph_status status = ph_chain_read(table, &links, err);
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
    .variant = 1,
    PH_MODEL_OF(presets, ph_chain_build, preset),
};
