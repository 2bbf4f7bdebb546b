/* SPDX-License-Identifier: BSD-3-Clause */
/* Chain pendulum: any number of links (chain.h). Their number is `links`, or else the length of the per-link
 * arrays. */
#include "chain.h"

static const ph_parameter parameters[] = {
    PH_CHAIN_ROWS(PER_LINK, "masses", 0.1, "lengths", 0.1, -9.81),
    [PH_CHAIN_LINKS] = PH_LINKS_NUMBER(PH_MOST_LINKS, "masses, lengths or damping"),
};

static const ph_preset presets[] = {
    {"curved", PH_LINKS_CURVED_TEXT},
    PH_CHAIN_PRESETS,
};

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    ph_links links;
    ph_status status = ph_chain_read(table, &links, err);
    if (!status)
        ph_links_preset(&links, (int)which, z, zdot);
    return status;
}

const ph_model ph_model_chain_pendulum = {
    .name = "chain-pendulum",
    .summary = "serial chain of any number of massless links with point masses, in space",
    .reference = "Lee, Leok, McClamroch, two-spheres, section V, eqs. (37)-(42)",
    PH_MODEL_OF(presets, ph_chain_build, preset),
};
