/* SPDX-License-Identifier: BSD-3-Clause */
/* Chain pendulum: any number of links (chain.h). Their number is `links`, or else the length of the per-link
 * arrays. */
#include "chain.h"

#include <math.h>
#include <string.h>

enum { LINKS = PH_CHAIN_PARAMETERS, PARAMETERS };
enum { DEFAULT_LINKS = 5 };

static const ph_parameter parameters[PARAMETERS] = {
    PH_CHAIN_TABLE(PH_PARAMETER_PER_LINK, "masses", 0.1, "lengths", 0.1, -9.81),
    [LINKS] = {"links",
               PH_PARAMETER_COUNT,
               "1",
               0,
               PH_MOST_LINKS,
               {0},
               "number of links; 0: as many as masses, lengths or damping have numbers, or 5"},
};

static const ph_preset presets[] = {
    {"curved", "q_i = (cos 0.3(i-1), 0, -sin 0.3(i-1)); mass i of n moves at 0.5 i/n m/s along e2"},
    PH_CHAIN_PRESETS,
};

static size_t links(const ph_parameter_value *table)
{
    const ph_parameter_value *const each[] = {&table[PH_CHAIN_MASS], &table[PH_CHAIN_LENGTH],
                                              &table[PH_CHAIN_DAMPING]};
    return ph_parameter_count(&table[LINKS], each, sizeof each / sizeof each[0], DEFAULT_LINKS);
}

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    return ph_chain_build(table, links(table), system, err);
}

/* Mass i (1 to n) moves at 0.5 i/n m/s, so every link adds 0.5/n: l_i qdot_i = (0.5/n) e2. That is
 * tangent, as the links lie in the plane of e1 and e3. */
static void curved(const ph_parameter_value *table, size_t n, double *z, double *zdot)
{
    memset(zdot, 0, 3 * n * sizeof *zdot);
    for (size_t i = 0; i < n; i++) {
        double angle = 0.3 * (double)i;
        z[3 * i] = cos(angle);
        z[3 * i + 1] = 0;
        z[3 * i + 2] = -sin(angle);
        zdot[3 * i + 1] = 0.5 / ((double)n * ph_parameter_entry(&table[PH_CHAIN_LENGTH], i));
    }
}

static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    size_t n = links(table);
    ph_status status = ph_chain_check(table, n, err);
    if (status)
        return status;
    if (which == 0)
        curved(table, n, z, zdot);
    else
        ph_chain_straight(table, n, (int)which - 1, z, zdot);
    return PH_OK;
}

const ph_model ph_model_chain_pendulum = {
    .name = "chain-pendulum",
    .summary = "serial chain of any number of massless links with point masses, in space",
    .reference = "Lee, Leok, McClamroch, two-spheres, section V, eqs. (37)-(42)",
    .parameters = parameters,
    .n_parameters = PARAMETERS,
    .presets = presets,
    .n_presets = sizeof presets / sizeof presets[0],
    .build = build,
    .preset = preset,
};
