/* SPDX-License-Identifier: BSD-3-Clause */
/* A cart with a chain: see internal/cart.h. */
#include "internal/cart.h"

#include <stdlib.h>
#include <string.h>

typedef struct cart {
    size_t n, d, np;
    double gravity;   /* upwards */
    double moments[]; /* (n) c_i */
} cart;

static ph_status potential(void *user, const double *z, double *U)
{
    const cart *c = user;
    const double *up = z + 2 * c->d - 2; /* of the first link */
    double sum = 0;
    for (size_t i = 0; i < c->n; i++)
        sum += c->moments[i] * up[c->d * i];
    *U = -c->gravity * sum;
    return PH_OK;
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    const cart *c = user;
    double *up = dU + 2 * c->d - 2;
    (void)z;
    memset(dU, 0, (c->d * (c->n + 1) - 1) * sizeof *dU);
    for (size_t i = 0; i < c->n; i++)
        up[c->d * i] = -c->gravity * c->moments[i];
    return PH_OK;
}

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

/* MM (nz x nz), zero on entry. */
static void fill_inertia(const cart *c, const ph_parameter_value *table, double total, double *MM)
{
    size_t plane = c->d - 1, nz = plane + c->d * c->n;
    for (size_t a = 0; a < plane; a++) {
        MM[a * nz + a] = total;
        for (size_t i = 0; i < c->n; i++) {
            size_t k = plane + c->d * i + a;
            MM[a * nz + k] = MM[k * nz + a] = c->moments[i];
        }
    }
    ph_links_inertia(table, c->n, c->moments, c->d, MM, nz, plane);
}

ph_status ph_cart_build(const ph_parameter_value *table, double mass, double gravity, size_t d,
                        const ph_symmetry *symmetries, size_t n_symmetries, ph_system **system, ph_error *err)
{
    ph_space *space = NULL;
    const ph_factor ground = {.kind = PH_FACTOR_R, .d = d - 1};
    size_t n = 0;
    ph_status status = ph_links_count(table, &n, err);
    if (!status)
        status = ph_links_space(&ground, 1, d == 3 ? PH_FACTOR_S2 : PH_FACTOR_S1, n, &space, err);
    if (status)
        return status;
    size_t nz = ph_space_ambient(space);
    cart *c = malloc(sizeof *c + n * sizeof(double));
    double *MM = calloc(nz * nz, sizeof *MM);
    if (c && MM) {
        *c = (cart){.n = n, .d = d, .np = ph_space_momenta(space), .gravity = gravity};
        fill_inertia(c, table, mass + ph_links_moments(table, n, c->moments), MM);
        ph_system_definition definition = {
            .space = space,
            .ambient_inertia = MM,
            .potential = potential,
            .gradient = gradient,
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
    free(MM);
    ph_space_free(space);
    return status;
}

ph_status ph_cart_preset(const ph_parameter_value *table, size_t d, int preset, double *z, double *zdot,
                         ph_error *err)
{
    size_t n = 0;
    ph_status status = ph_links_count(table, &n, err);
    if (status)
        return status;
    for (size_t a = 0; a < d - 1; a++)
        z[a] = zdot[a] = 0;
    ph_links_preset(table, n, d, preset, z + d - 1, zdot + d - 1);
    return PH_OK;
}
