/* SPDX-License-Identifier: BSD-3-Clause */
/* A cart with a chain: see cart.h. */
#include "cart.h"

#include <stdlib.h>
#include <string.h>

typedef struct cart {
    size_t np;
} cart;

static ph_status translation(const cart *c, size_t axis, double *xi)
{
    memset(xi, 0, c->np * sizeof *xi);
    xi[axis] = 1;
    return PH_OK;
}

ph_status ph_cart_along(void *user, const double *z, double *xi)
{
    (void)z;
    return translation(user, 0, xi);
}

ph_status ph_cart_aside(void *user, const double *z, double *xi)
{
    (void)z;
    return translation(user, 1, xi);
}

ph_status ph_cart_build(const ph_parameter_value *table, double mass, double gravity, size_t d,
                        const ph_symmetry *symmetries, size_t n_symmetries, ph_system **system, ph_error *err)
{
    ph_space *space = NULL;
    const ph_factor ground = {.kind = PH_FACTOR_R, .d = d - 1};
    size_t n = 0;
    ph_status status = ph_links_count(table, PH_MOST_LINKS, &n, err);
    if (!status)
        status = ph_links_space(&ground, 1, d == 3 ? PH_FACTOR_S2 : PH_FACTOR_S1, n, &space, err);
    if (status)
        return status;
    cart *c = malloc(sizeof *c);
    double *lengths = malloc(2 * (n + 1) * sizeof *lengths), *masses = lengths ? lengths + n + 1 : NULL;
    if (c && lengths) {
        ph_linkage linkage = {.length = lengths, .mass = masses};
        *c = (cart){.np = ph_space_momenta(space)};
        linkage.gravity[d - 1] = gravity;
        lengths[0] = 1;
        masses[0] = mass;
        for (size_t i = 0; i < n; i++) {
            lengths[i + 1] = ph_parameter_entry(&table[PH_LINKS_LENGTH], i);
            masses[i + 1] = ph_parameter_entry(&table[PH_LINKS_MASS], i);
        }
        ph_system_definition definition = {
            .space = space,
            .linkage = &linkage,
            .symmetries = symmetries,
            .n_symmetries = n_symmetries,
            .user = c,
            .user_free = free,
        };
        status = ph_system_create(&definition, system, err);
    } else {
        free(c);
        status = ph_fail(err, PH_E_NO_MEMORY, "no memory for a cart with %zu links", n);
    }
    free(lengths);
    ph_space_free(space);
    return status;
}

ph_status ph_cart_preset(const ph_parameter_value *table, size_t d, int preset, double *z, double *zdot,
                         ph_error *err)
{
    size_t n = 0;
    ph_status status = ph_links_count(table, PH_MOST_LINKS, &n, err);
    if (status)
        return status;
    for (size_t a = 0; a < d - 1; a++)
        z[a] = zdot[a] = 0;
    ph_links_preset(table, n, d, preset, z + d - 1, zdot + d - 1);
    return PH_OK;
}
