/* SPDX-License-Identifier: BSD-3-Clause */
/* Planar chain: any number of rods (planar.h). Their number is `links`, or else the length of the lists. */
#include "planar.h"

enum { LINKS = PH_PLANAR_PARAMETERS, PARAMETERS };

static const ph_parameter parameters[PARAMETERS] = {
    PH_PLANAR_TABLE(PH_PARAMETER_PER_LINK, "masses", 0.1, "lengths", 0.1),
    [LINKS] = PH_LINKS_NUMBER_ROW(PH_MOST_LINKS, "masses or lengths"),
};

static const ph_preset presets[] = {
    {"curved", "rod i at 90 degrees - 0.3 (i-1) rad from hanging, at rest"},
    PH_PLANAR_PRESETS,
};

static const ph_numbering numbering = {"links",          LINKS,        {PH_LINKS_MASS, PH_LINKS_LENGTH}, 2,
                                       PH_LINKS_DEFAULT, PH_MOST_LINKS};

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    return ph_planar_build(table, &numbering, system, err);
}

static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    ph_links links;
    ph_status status = ph_planar_read(table, &numbering, &links, err);
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
    .parameters = parameters,
    .n_parameters = PARAMETERS,
    .presets = presets,
    .n_presets = sizeof presets / sizeof presets[0],
    .build = build,
    .preset = preset,
};
