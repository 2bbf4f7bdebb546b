/* SPDX-License-Identifier: BSD-3-Clause */
/* Links with point masses: see linkage.h. */
#include "linkage.h"
#include "gravity.h"

#include <polhode/kit/elementary.h>

/* ---- Building ------------------------------------------------------------------------------------- */

ph_status ph_links_read(const ph_model_table *table, const ph_numbering *rule, size_t d, ph_links *links,
                        ph_error *err)
{
    *links = (ph_links){.d = d, .mass = &table->row[PH_LINKS_MASS], .length = &table->row[PH_LINKS_LENGTH]};
    return ph_parameter_number(table, rule, &links->n, err);
}

/* *space <- the n_first factors, and then one for each link. */
static ph_status create_space(const ph_links *links, const ph_factor *first, size_t n_first, ph_space **space,
                              ph_error *err)
{
    const size_t n = n_first + links->n;
    ph_factor *factors = calloc(n, sizeof *factors);
    if (!factors)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu links", links->n);
    for (size_t i = 0; i < n; i++)
        factors[i] =
            i < n_first ? first[i] : (ph_factor){.kind = links->d == 3 ? PH_FACTOR_S2 : PH_FACTOR_S1};
    ph_status status = ph_space_create(factors, n, space, err);
    free(factors);
    return status;
}

/* The rotations about the fixed point that leave gravity as it is. Returns their number. */
static size_t find_symmetries(const ph_links *links, ph_symmetry symmetries[3])
{
    static const ph_symmetry turn = {
        "Jz", "angular momentum about the fixed point", "kg m^2/s", {0, 0, 1}, NULL};
    if (links->d == 3)
        return ph_gravity_symmetries(links->G, symmetries);
    symmetries[0] = turn;
    return links->G[0] == 0 && links->G[1] == 0;
}

/* The arrays of the linkage, where a cart is the first link, of length 1: x_0 = 1 y. */
static void fill_arrays(const ph_links *links, double *length, double *mass)
{
    if (links->cart > 0) {
        *length++ = 1;
        *mass++ = links->cart;
    }
    for (size_t i = 0; i < links->n; i++) {
        length[i] = ph_parameter_entry(links->length, i);
        mass[i] = ph_parameter_entry(links->mass, i);
    }
}

ph_status ph_links_build(const ph_links *links, const ph_system_definition *rest, ph_system **system,
                         ph_error *err)
{
    const size_t carts = links->cart > 0, n = carts + links->n;
    const ph_factor ground = {.kind = PH_FACTOR_R, .d = links->d - 1};
    const double *G = links->G;
    ph_space *space = NULL;
    ph_symmetry symmetries[3];
    double *numbers = malloc(2 * n * sizeof *numbers);
    ph_status status = numbers ? create_space(links, &ground, carts, &space, err)
                               : ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu links", links->n);
    if (!status) {
        const ph_linkage linkage = {
            .parent = links->parent, .length = numbers, .mass = numbers + n, .gravity = {G[0], G[1], G[2]}};
        ph_system_definition definition = {.symmetries = symmetries};
        fill_arrays(links, numbers, numbers + n);
        if (rest)
            definition = *rest;
        else
            definition.n_symmetries = find_symmetries(links, symmetries);
        definition.space = space;
        definition.linkage = &linkage;
        status = ph_system_create(&definition, system, err);
    } else if (rest && rest->user_free) {
        rest->user_free(rest->user);
    }
    free(numbers);
    ph_space_free(space);
    return status;
}

static ph_status move(const size_t *np, size_t axis, double *xi)
{
    memset(xi, 0, *np * sizeof *xi);
    xi[axis] = 1;
    return PH_OK;
}

ph_status ph_links_move1(void *user, const double *z, double *xi)
{
    (void)z;
    return move(user, 0, xi);
}

ph_status ph_links_move2(void *user, const double *z, double *xi)
{
    (void)z;
    return move(user, 1, xi);
}

ph_status ph_links_move3(void *user, const double *z, double *xi)
{
    (void)z;
    return move(user, 2, xi);
}

/* ---- Initial conditions --------------------------------------------------------------------------- */

void ph_links_align(size_t n, size_t d, const double *direction, double *q)
{
    for (size_t i = 0; i < n; i++)
        memcpy(q + d * i, direction, d * sizeof *q);
}

void ph_links_direction(const ph_links *links, double angle, double q[2])
{
    double down = links->G[1] > 0 ? 1 : -1;
    q[0] = -down * ph_sin(angle);
    q[1] = down * ph_cos(angle);
}

/* v <- the direction of the preset. */
static void straight(const ph_links *links, int preset, double v[3])
{
    double along[3] = {1, 0, 0}, across[3], down[3] = {0, 0, 0};
    if (links->carried) {
        along[links->d - 1] = -0.0; /* the curve without its bend */
        down[links->d - 1] = -1;
    } else if (links->d == 3) {
        ph_gravity_frame(links->G, along, across, down);
    } else {
        ph_links_direction(links, 0, down);
    }
    for (size_t a = 0; a < links->d; a++)
        v[a] = preset == PH_LINKS_HANGING ? down[a] : preset == PH_LINKS_UPRIGHT ? -down[a] : along[a];
}

/* Mass i (1 to n) moves at 0.5 i/n m/s, so every link adds 0.5/n: l_i |qdot_i| = 0.5/n, in space along e2,
 * which is tangent, as the links lie in the plane of e1 and e3. */
static void curve(const ph_links *links, double *q, double *qdot)
{
    static const double quarter = 1.5707963267948966192, bend = 0.3;
    const size_t d = links->d;
    for (size_t i = 0; i < links->n; i++, q += d, qdot += d) {
        double angle = bend * (double)i;
        double rate = 0.5 / ((double)links->n * ph_parameter_entry(links->length, i));
        if (d == 2 && !links->carried) {
            ph_links_direction(links, quarter - angle, q);
            continue;
        }
        q[0] = ph_cos(angle);
        q[d - 1] = -ph_sin(angle);
        if (d == 3) {
            q[1] = 0;
            qdot[1] = rate;
        } else {
            qdot[0] = -rate * q[1];
            qdot[1] = rate * q[0];
        }
    }
}

void ph_links_preset(const ph_links *links, int preset, double *z, double *zdot)
{
    const size_t ground = links->cart > 0 ? links->d - 1 : 0, nz = ground + links->d * links->n;
    double direction[3];
    memset(z, 0, ground * sizeof *z);
    memset(zdot, 0, nz * sizeof *zdot);
    if (preset == PH_LINKS_CURVED) {
        curve(links, z + ground, zdot + ground);
    } else {
        straight(links, preset, direction);
        ph_links_align(links->n, links->d, direction, z + ground);
    }
}
