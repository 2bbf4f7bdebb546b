/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetries of a system of formulas: rotations, translations, and generators by formulas, along which L must not
 * change: L_z zeta + L_v dzeta/dt = 0. */
#include "forces.h"

#include <polhode/kit/elementary.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Symmetries --------------------------------------------------------------------------------- */

/* The next symmetry, its generator xi (momenta; NULL: a rotation about its axis). */
static ph_status add_symmetry(ph_formula_builder *b, const ph_symmetry *symmetry, const ph_expr *xi)
{
    const size_t i = b->to.n_symmetries;
    if (i == PH_FORMULA_SYMMETRIES)
        return ph_fail(b->err, PH_E_RANGE, "symmetries: more than %d", PH_FORMULA_SYMMETRIES);
    b->symmetries[i] = *symmetry;
    b->symmetries[i].generator = xi ? ph_formula_generator_of(i) : NULL;
    b->to.symmetries = b->symmetries;
    b->to.n_symmetries++;
    return xi ? ph_formula_tape(b, PH_PART_GENERATOR + (ph_formula_part)i, xi, ph_space_momenta(b->space))
              : PH_OK;
}

/* xi <- the translation along e_(k+1). */
static ph_status find_translated(ph_formula_builder *b, size_t k, ph_expr *xi)
{
    size_t translated = 0;
    for (size_t i = 0; i < b->f->n_factors; i++) {
        const ph_factor_place *place = ph_space_factor(b->space, i);
        if (place->kind == PH_FACTOR_R && place->np > k) {
            xi[place->p + k] = ph_graph_number(&b->f->graph, 1);
            translated++;
        }
    }
    return translated ? PH_OK
                      : ph_fail(b->err, PH_E_INVALID,
                                "symmetries: nothing is translated along e%zu: there is no R%zu or larger",
                                k + 1, k + 1);
}

static ph_status add_more(ph_formula_builder *b, const ph_formula_symmetry *more)
{
    ph_symmetry symmetry = {.name = more->name, .text = more->text, .unit = more->unit};
    ph_value xi = {.item = NULL};
    memcpy(symmetry.axis, more->axis, sizeof symmetry.axis);
    ph_status status =
        more->generator ? ph_formula_read(b, more->name, more->generator, NULL, 0, &xi) : PH_OK;
    if (!status && more->generator && ph_value_items(&xi) != ph_space_momenta(b->space))
        status = ph_fail(b->err, PH_E_SIZE, "%s: the generator has %zu numbers, not %zu", more->name,
                         ph_value_items(&xi), ph_space_momenta(b->space));
    return status ? status : add_symmetry(b, &symmetry, xi.item);
}

/* ---- Generators by factor ------------------------------------------------------------------------- */

/* zeta (nz) <- what the generator of the momenta xi does to z: xi on R^d, xi x q, R S(xi). */
static void move(ph_formula_builder *b, const ph_expr *xi, ph_expr *zeta)
{
    for (size_t i = 0; i < b->f->n_factors; i++) {
        const ph_formula_factor *factor = &b->f->factors[i];
        const ph_expr *own = xi + ph_space_factor(b->space, i)->p;
        if (factor->kind == PH_FACTOR_R)
            memcpy(zeta + factor->z, own, factor->nz * sizeof *zeta);
        else
            ph_formula_add_turn(b, factor, own, 1, zeta);
    }
}

/* A configuration on the manifold, a velocity and a time, number k; false: there is none. */
static bool choose_point(const ph_space *space, size_t k, double *z, double *v, double *t)
{
    const size_t nz = ph_space_ambient(space);
    for (size_t i = 0; i < nz; i++) {
        z[i] = ph_sin(1.7 * (double)(i + 1) * (double)(k + 1) + 0.3 * (double)k);
        v[i] = ph_cos(2.3 * (double)(i + 1) * (double)(k + 1) + 0.4 * (double)k);
    }
    *t = 0.37 * (double)k;
    if (ph_space_project(space, z))
        return false;
    ph_space_project_tangent(space, z, v);
    return true;
}

/* Does L stay as it is along the generator: L_z zeta + L_v dzeta/dt = 0, relative to the sizes of these terms? Structure does
 * not see that |q| = 1, so it is tried at some states. */
static ph_status check_invariance(ph_formula_builder *b, const char *name, const ph_expr *xi)
{
    enum { TRIALS = 8 };
    const double least = 1e-12;
    ph_graph *g = &b->f->graph;
    const size_t nz = b->f->nz;
    ph_expr *all = ph_formula_nodes(b, 4 * nz);
    const ph_expr *z = ph_formula_leaves(b, PH_OP_Z), *v = ph_formula_leaves(b, PH_OP_V);
    double *numbers = ph_formulas_room(b->f, 6 * nz * sizeof *numbers), worst = 0;
    if (!all || !z || !v || !numbers)
        return ph_formula_no_memory(b->err);
    move(b, xi, all);
    ph_graph_forward(g, all, nz, &b->f->rates, all + nz);
    ph_graph_reverse(g, b->L, z, nz, all + 2 * nz);
    ph_graph_reverse(g, b->L, v, nz, all + 3 * nz);
    for (size_t k = 0; k < TRIALS && !g->failed; k++) {
        double *at = numbers + 4 * nz, sum = 0, size = 0, t;
        if (!choose_point(b->space, k, at, at + nz, &t))
            continue;
        const ph_point point = {.parameters = b->f->parameters, .z = at, .v = at + nz, .t = t};
        ph_graph_values(g, all, 4 * nz, &point, numbers);
        for (size_t i = 0; i < 2 * nz; i++) {
            sum += numbers[i] * numbers[2 * nz + i];
            size += fabs(numbers[i] * numbers[2 * nz + i]);
        }
        if (size > 0 && isfinite(size)) /* L may not exist there */
            worst = fmax(worst, fabs(sum) / size);
    }
    return worst > least
               ? ph_fail(
                     b->err, PH_E_INVALID,
                     "symmetries: %s: the Lagrangian changes along this generator, by %.1e of the terms of its "
                     "change",
                     name, worst)
               : ph_formula_failed(b);
}

static ph_status add_generator(ph_formula_builder *b, const ph_formula_generator *of)
{
    const char *name = of->name ? of->name : "";
    char what[160];
    ph_expr *xi = ph_formula_nodes(b, ph_space_momenta(b->space));
    if (!xi)
        return ph_formula_no_memory(b->err);
    if (!ph_formula_is_name(name, strlen(name)) || of->n_of == 0)
        return ph_fail(
            b->err, PH_E_INVALID,
            "symmetries: a generator has a name, which is a column, and formulas by name of factor");
    if (b->text->energy)
        return ph_fail(b->err, PH_E_INVALID, "symmetries: %s: those of spins are rotations about an axis",
                       name);
    for (size_t i = 0; i < of->n_of; i++) {
        const char *on = of->of[i].name ? of->of[i].name : "";
        const ph_formula_factor *factor;
        ph_value value;
        snprintf(what, sizeof what, "symmetries: %.40s: %.60s", name, on);
        ph_status status = ph_formula_find_factor(b, what, on, &factor);
        if (!status && !factor)
            return ph_fail(b->err, PH_E_UNKNOWN, "%s: there is no factor of this name", what);
        status = status ? status : ph_formula_read(b, what, of->of[i].text, NULL, 0, &value);
        if (status)
            return status;
        const ph_factor_place *place = ph_space_factor(b->space, (size_t)(factor - b->f->factors));
        if (ph_value_items(&value) != place->np || value.rank > 1)
            return ph_fail(b->err, PH_E_PARSE, "%s: the generator has %zu number%s here, not %zu", what,
                           place->np, place->np > 1 ? "s" : "", ph_value_items(&value));
        for (size_t k = 0; k < place->np; k++) {
            if (b->f->graph.node[value.item[k]].depends & (PH_ON_V | PH_ON_TIME))
                return ph_fail(b->err, PH_E_PARSE, "%s: a generator depends on the configuration alone",
                               what);
            xi[place->p + k] = value.item[k];
        }
    }
    ph_status status = check_invariance(b, name, xi);
    return status ? status
                  : add_symmetry(
                        b, &(ph_symmetry){.name = name, .text = "by its generator", .unit = of->unit}, xi);
}

ph_status ph_formula_read_symmetries(ph_formula_builder *b)
{
    static const char *const turns[] = {"J1", "J2", "J3"}, *const shifts[] = {"P1", "P2", "P3"};
    static const char turn[] = "rotation about ", shift[] = "translation along ";
    ph_status status = PH_OK;
    for (size_t i = 0; i < b->text->n_symmetries && !status; i++) {
        const char *text = b->text->symmetries[i] ? b->text->symmetries[i] : "";
        const bool turns_about = strncmp(text, turn, sizeof turn - 1) == 0,
                   shifts_along = strncmp(text, shift, sizeof shift - 1) == 0;
        const char *axis = text + (turns_about    ? sizeof turn - 1
                                   : shifts_along ? sizeof shift - 1
                                                  : strlen(text));
        const size_t k =
            axis[0] == 'e' && axis[1] >= '1' && axis[1] <= '3' && !axis[2] ? (size_t)(axis[1] - '1') : 3;
        ph_expr *xi = shifts_along ? ph_formula_nodes(b, ph_space_momenta(b->space)) : NULL;
        if (k == 3)
            return ph_fail(
                b->err, PH_E_INVALID,
                "symmetries: '%.60s' should be 'rotation about e3' or 'translation along e1', with one of e1, e2, e3",
                text);
        if (shifts_along)
            status = xi ? find_translated(b, k, xi) : ph_formula_no_memory(b->err);
        ph_symmetry symmetry = {.name = turns_about ? turns[k] : shifts[k],
                                .text = text,
                                .unit = turns_about ? "kg m^2/s" : "kg m/s"};
        symmetry.axis[k] = turns_about;
        status = status ? status : add_symmetry(b, &symmetry, xi);
    }
    for (size_t i = 0; i < b->text->n_generators && !status; i++)
        status = add_generator(b, &b->text->generators[i]);
    for (size_t i = 0; b->more && i < b->more->n_symmetries && !status; i++)
        status = add_more(b, &b->more->symmetries[i]);
    return status;
}
