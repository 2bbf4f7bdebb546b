/* SPDX-License-Identifier: BSD-3-Clause */
/* Planar chain: any number of rods (planar.h). Their number is `links`, or else the length of the lists. */
#include "planar.h"

static const ph_parameter parameters[] = {
    PH_PLANAR_ROWS(PER_LINK, "masses", 0.1, "lengths", 0.1),
    [PH_PLANAR_LINKS] = PH_LINKS_NUMBER(PH_MOST_LINKS, "masses or lengths"),
};

static const ph_preset presets[] = {
    {"curved", "rod i at 90 degrees - 0.3 (i-1) rad from hanging, at rest"},
    PH_PLANAR_PRESETS,
};

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    ph_links links;
    ph_status status = ph_planar_read(table, &links, err);
    if (!status)
        ph_links_preset(&links, (int)which, z, zdot);
    return status;
}

const ph_model ph_model_planar_chain = {
    .name = "planar-chain",
    .summary = "serial chain of any number of massless links with point masses, in a plane",
    .reference =
        "Lee, Leok, McClamroch, Global Formulations of Lagrangian and Hamiltonian Dynamics on Manifolds, "
        "Springer 2018, chapter 4",
    PH_MODEL_OF(presets, ph_planar_build, preset),
};
