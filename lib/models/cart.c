/* SPDX-License-Identifier: BSD-3-Clause */
/* A cart with a chain: see cart.h. */
#include "cart.h"

#include <stdlib.h>
#include <string.h>

typedef struct cart {
    size_t np; /* numbers of a momentum, and of an element of the algebra that moves the whole */
} cart;

/* A translation moves the cart alone: the links keep their directions. xi (np), in the layout of angular
 * velocities. */
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

/* *links <- with the cart; gravity does not matter to presets and is 0. */
static ph_status read(const ph_parameter_value *table, size_t d, ph_links *links, ph_error *err)
{
    static const ph_numbering numbering = {"links", PH_CART_NUMBER,   {PH_LINKS_MASS, PH_LINKS_LENGTH},
                                           2,       PH_LINKS_DEFAULT, PH_MOST_LINKS};
    ph_status status = ph_links_read(table, &numbering, d, links, err);
    links->cart = table[PH_CART_MASS].values[0];
    links->carried = true;
    return status;
}

ph_status ph_cart_build(const ph_parameter_value *table, double gravity, size_t d,
                        const ph_symmetry *symmetries, size_t n_symmetries, ph_system **system, ph_error *err)
{
    ph_links links;
    ph_status status = read(table, d, &links, err);
    if (status)
        return status;
    links.G[d - 1] = gravity;
    cart *c = malloc(sizeof *c);
    if (!c)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for a cart with %zu links", links.n);
    c->np = d - 1 + (d == 3 ? 3 : 1) * links.n;
    const ph_system_definition rest = {
        .symmetries = symmetries, .n_symmetries = n_symmetries, .user = c, .user_free = free};
    return ph_links_build(&links, &rest, system, err);
}

ph_status ph_cart_preset(const ph_parameter_value *table, size_t d, int preset, double *z, double *zdot,
                         ph_error *err)
{
    ph_links links;
    ph_status status = read(table, d, &links, err);
    if (!status)
        ph_links_preset(&links, preset, z, zdot);
    return status;
}
