/* SPDX-License-Identifier: BSD-3-Clause */
/* Double spherical pendulum: two links (chain.h). The defaults and the first preset are the
 * example of the two-spheres paper, where gravity points along +e3. */
#include "chain.h"

static const ph_parameter parameters[] = {
    PH_CHAIN_ROWS(PER_LINK, "masses", 1, "lengths", 9.81, 9.81),
};

static const ph_preset presets[] = {
    {"two-spheres", "q = (sqrt3/2, 0, 1/2), (0, 0, 1); omega = (-sqrt3/4, 0, 3/4), (0, 1, 0) rad/s"},
    PH_CHAIN_PRESETS,
};

/* qdot_i = omega_i x q_i, with the numbers of the paper. */
static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double root3 = 1.7320508075688772935;
    const double q[6] = {root3 / 2, 0, 0.5, 0, 0, 1};
    const double omega[6] = {-root3 / 4, 0, 0.75, 0, 1, 0};
    ph_links links;
    ph_status status = ph_chain_read(table, &links, err);
    if (status)
        return status;
    if (which) {
        ph_links_preset(&links, (int)which - 1 + PH_LINKS_HANGING, z, zdot);
        return PH_OK;
    }
    memcpy(z, q, sizeof q);
    ph_cross3(omega, q, zdot);
    ph_cross3(omega + 3, q + 3, zdot + 3);
    return PH_OK;
}

const ph_model ph_model_double_spherical_pendulum = {
    .name = "double-spherical-pendulum",
    .summary = "two point masses on massless rods, one hung from the other",
    .reference = "Lee, Leok, McClamroch, two-spheres, sections II and V with n = 2",
    .variant = 2,
    PH_MODEL_OF(presets, ph_chain_build, preset),
};
