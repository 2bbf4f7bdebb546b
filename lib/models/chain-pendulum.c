/* SPDX-License-Identifier: BSD-3-Clause */
/* Chain pendulum: any number of links (chain.h). Their number is `links`, or else the length of the per-link
 * arrays. */
#include "chain.h"

enum { LINKS = PH_CHAIN_PARAMETERS, PARAMETERS };

static const ph_parameter parameters[PARAMETERS] = {
    PH_CHAIN_TABLE(PH_PARAMETER_PER_LINK, "masses", 0.1, "lengths", 0.1, -9.81),
    [LINKS] = PH_LINKS_NUMBER_ROW(PH_MOST_LINKS, "masses, lengths or damping"),
};

static const ph_preset presets[] = {
    {"curved", PH_LINKS_CURVED_TEXT},
    PH_CHAIN_PRESETS,
};

static const ph_numbering numbering = {
    "links", LINKS, {PH_LINKS_MASS, PH_LINKS_LENGTH, PH_CHAIN_DAMPING}, 3, PH_LINKS_DEFAULT, PH_MOST_LINKS};

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    return ph_chain_build(table, &numbering, system, err);
}

static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    ph_links links;
    ph_status status = ph_chain_read(table, &numbering, &links, err);
    if (!status)
        ph_links_preset(&links, (int)which, z, zdot);
    return status;
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
