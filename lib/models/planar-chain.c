/* SPDX-License-Identifier: BSD-3-Clause */
/* Planar chain: any number of rods (planar.h). Their number is `links`, or else the length of the lists. */
#include "planar.h"

#include <math.h>
#include <string.h>

enum { LINKS = PH_PLANAR_PARAMETERS, PARAMETERS };
enum { DEFAULT_LINKS = 5 };

static const ph_parameter parameters[PARAMETERS] = {
    PH_PLANAR_TABLE(PH_PARAMETER_PER_LINK, "masses", 0.1, "lengths", 0.1),
    [LINKS] = {"links",
               PH_PARAMETER_COUNT,
               "1",
               0,
               PH_MOST_LINKS,
               {0},
               "number of links; 0: as many as masses or lengths have numbers, or 5"},
};

static const ph_preset presets[] = {
    {"curved", "rod i at 90 degrees - 0.3 (i-1) rad from hanging, at rest"},
    PH_PLANAR_PRESETS,
};

static size_t links(const ph_parameter_value *table)
{
    const ph_parameter_value *const each[] = {&table[PH_PLANAR_MASS], &table[PH_PLANAR_LENGTH]};
    return ph_parameter_count(&table[LINKS], each, sizeof each / sizeof each[0], DEFAULT_LINKS);
}

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    return ph_planar_build(table, links(table), system, err);
}

static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double quarter = 1.5707963267948966192;
    size_t n = links(table);
    ph_status status = ph_planar_check(table, n, err);
    if (status)
        return status;
    if (which > 0) {
        ph_planar_straight(table, n, (int)which - 1, z, zdot);
        return PH_OK;
    }
    for (size_t i = 0; i < n; i++)
        ph_planar_direction(table, quarter - 0.3 * (double)i, z + 2 * i);
    memset(zdot, 0, 2 * n * sizeof *zdot);
    return PH_OK;
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
