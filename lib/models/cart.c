/* SPDX-License-Identifier: BSD-3-Clause */
/* A cart with a chain: see cart.h. */
#include "cart.h"
#include "gravity.h"

/* *links <- with the cart; gravity does not matter to presets and is 0. */
static ph_status read(const ph_model_table *table, ph_links *links, ph_error *err)
{
    static const ph_numbering numbering = PH_NUMBERING("links", PH_CART_NUMBER, PH_LINKS_DEFAULT,
                                                       PH_MOST_LINKS, PH_LINKS_MASS, PH_LINKS_LENGTH);
    ph_status status = ph_links_read(table, &numbering, (size_t)table->model->variant, links, err);
    links->cart = ph_number(table, PH_CART_MASS);
    links->carried = true;
    return status;
}

ph_status ph_cart_build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    static const ph_symmetry in_space[] = {
        {"px", "momentum along e1", "kg m/s", {0}, ph_links_move1},
        {"py", "momentum along e2", "kg m/s", {0}, ph_links_move2},
        {"Jz", "angular momentum about e3", "kg m^2/s", {0, 0, 1}, NULL},
    };
    static const ph_symmetry in_plane = {"px", "momentum along the rail", "kg m/s", {0}, ph_links_move1};
    const bool space = table->model->variant == 3;
    ph_links links;
    ph_status status = space ? ph_gravity_check_vertical(&table->row[PH_CART_GRAVITY],
                                                         "the cart stays on the plane of e1 and e2", err)
                             : PH_OK;
    if (!status)
        status = read(table, &links, err);
    if (status)
        return status;
    links.G[links.d - 1] = space ? ph_vector(table, PH_CART_GRAVITY)[2] : -ph_number(table, PH_CART_GRAVITY);
    size_t *np = malloc(sizeof *np);
    if (!np)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for a cart with %zu links", links.n);
    *np = space ? 2 + 3 * links.n : 1 + links.n;
    const ph_system_definition rest = {.symmetries = space ? in_space : &in_plane,
                                       .n_symmetries = space ? 3 : 1,
                                       .user = np,
                                       .user_free = free};
    return ph_links_build(&links, &rest, system, err);
}

ph_status ph_cart_preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    ph_links links;
    ph_status status = read(table, &links, err);
    if (!status)
        ph_links_preset(&links, (int)which, z, zdot);
    return status;
}
