/* SPDX-License-Identifier: BSD-3-Clause */
/* From formulas to a system: names and texts are read, L = kinetic - potential is taken apart by powers of the
 * velocity, and each part becomes tapes, or numbers where it is constant. */
#include "callbacks.h"
#include "forces.h"
#include "lib/expression/lagrangian.h"

#include <polhode/domain/formula.h>
#include <polhode/system.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Energies ------------------------------------------------------------------------------------- */

/* *node <- an energy; 0 without a text. */
static ph_status read_energy(ph_formula_builder *b, const char *what, const char *text, ph_expr *node)
{
    ph_value value;
    *node = 0;
    ph_status status =
        text ? ph_formula_read(b, what, text, &ph_formula_joule, PH_FORMULA_NUMBER, &value) : PH_OK;
    if (text && !status)
        *node = *value.item;
    return status;
}

/* ---- Space -------------------------------------------------------------------------------------- */

static ph_status make_space(ph_formula_builder *b)
{
    const ph_formulas *f = b->f;
    ph_factor *factors = calloc(f->n_factors + !f->n_factors, sizeof *factors);
    if (!factors)
        return ph_formula_no_memory(b->err);
    size_t spins = 0;
    for (size_t i = 0; i < f->n_factors; i++) {
        factors[i].kind = f->factors[i].kind;
        factors[i].d = f->factors[i].kind == PH_FACTOR_R ? f->factors[i].nz : 0;
        spins += f->factors[i].kind == PH_FACTOR_SPIN;
    }
    ph_status status = PH_OK;
    if (f->n_factors == 0)
        status =
            ph_fail(b->err, PH_E_INVALID, "space: there are no factors; give names and kinds, as in q: S2");
    else if (spins && spins < f->n_factors)
        status = ph_fail(
            b->err, PH_E_INVALID,
            "space: spins are a phase space of their own and have no velocities: they cannot be mixed with other "
            "factors");
    else if ((spins > 0) != (b->text->energy != NULL))
        status = ph_fail(
            b->err, PH_E_INVALID,
            spins ? "spins have an energy, in place of kinetic, potential and lagrangian"
                  : "energy is that of spins; other systems have kinetic and potential, or lagrangian");
    else if (!spins && (b->text->strengths || b->text->damping))
        status =
            ph_fail(b->err, PH_E_INVALID, "%s: it is that of spins; the damping of others is dissipation",
                    b->text->strengths ? "strengths" : "damping");
    if (!status)
        status = ph_space_create(factors, f->n_factors, &b->space, b->err);
    free(factors);
    return status;
}

/* ---- Potentials ----------------------------------------------------------------------------------- */

/* A sum by terms: those that depend on time, and the others. */
static ph_status split_in_time(ph_formula_builder *b, ph_expr sum, bool scaled, ph_expr *still,
                               ph_expr *moving)
{
    const ph_graph *g = &b->f->graph;
    unsigned char *moves = malloc(g->n);
    if (!moves)
        return ph_formula_no_memory(b->err);
    for (size_t i = 0; i < g->n; i++)
        moves[i] = (g->node[i].depends & PH_ON_TIME) != 0;
    ph_status status = ph_formula_split(b, sum, moves, scaled, still, moving);
    free(moves);
    return status;
}

static ph_status give_potential(ph_formula_builder *b, ph_expr U, ph_expr in_time)
{
    ph_graph *g = &b->f->graph;
    const size_t nz = b->f->nz;
    ph_expr *z = ph_formula_leaves(b, PH_OP_Z), *d = ph_formula_nodes(b, nz), rate;
    ph_status status = z && d ? PH_OK : ph_formula_no_memory(b->err);
    if (!status && U != 0) {
        ph_graph_reverse(g, U, z, nz, d);
        status = ph_formula_tape(b, PH_PART_POTENTIAL, &U, 1);
        status = status ? status : ph_formula_tape(b, PH_PART_GRADIENT, d, nz);
    }
    if (!status && in_time != 0) {
        ph_graph_reverse(g, in_time, z, nz, d);
        ph_formula_along(b, &in_time, 1, ph_graph_leaf(g, PH_OP_TIME, 0), &rate);
        status = ph_formula_tape(b, PH_PART_IN_TIME, &in_time, 1);
        status = status ? status : ph_formula_tape(b, PH_PART_IN_TIME_DZ, d, nz);
        status = status ? status : ph_formula_tape(b, PH_PART_RATE, &rate, 1);
    }
    return status;
}

/* ---- Inertia ------------------------------------------------------------------------------------ */

/* Is MM a number for each pair of factors? m (n x n) <- these. */
static bool by_pairs(const ph_formulas *f, const ph_expr *M, ph_expr *m)
{
    const size_t n = f->n_factors, size = f->factors[0].nz;
    for (size_t i = 0; i < n; i++)
        if (f->factors[i].nz != size || f->factors[i].kind == PH_FACTOR_SO3)
            return false;
    for (size_t i = 0; i < f->nz; i++)
        for (size_t j = 0; j < f->nz; j++) {
            const ph_expr first = M[i / size * size * f->nz + j / size * size];
            if (M[i * f->nz + j] != (i % size == j % size ? first : 0))
                return false;
            m[i / size * n + j / size] = first;
        }
    return true;
}

/* MM (nz x nz), or m (n x n) where it is by pairs, which is given as numbers or as a function of z. */
static ph_status give_inertia(ph_formula_builder *b, const ph_lagrangian_parts *parts, ph_expr *U)
{
    ph_formulas *f = b->f;
    const size_t nz = f->nz;
    ph_expr *M = ph_formula_nodes(b, nz * nz), *m = ph_formula_nodes(b, f->n_factors * f->n_factors);
    if (!M || !m)
        return ph_formula_no_memory(b->err);
    for (size_t i = 0; i < nz; i++) /* exactly symmetric */
        for (size_t j = 0; j < nz; j++)
            M[i * nz + j] = parts->M[i > j ? i * nz + j : j * nz + i];
    const bool pairs = by_pairs(f, M, m);
    const size_t side = pairs ? f->n_factors : nz, all = side * side;
    const ph_expr *outs = pairs ? m : M;
    if (!(parts->M_depends & PH_ON_Z)) {
        b->numbers = malloc(all * sizeof *b->numbers);
        if (!b->numbers)
            return ph_formula_no_memory(b->err);
        ph_graph_values(&f->graph, outs, all, &(ph_point){.parameters = f->parameters}, b->numbers);
        *(pairs ? &b->to.inertia : &b->to.ambient_inertia) = b->numbers;
        ph_formula_found_out(b, "a constant inertia%s", pairs ? " by pairs of factors" : "");
        ph_status status = ph_formula_failed(b);
        status = status  ? status
                 : pairs ? ph_formula_find_links(b, b->numbers, U)
                         : ph_formula_find_bodies(b, b->numbers, U);
        return status || !b->to.inertia ? status : ph_formula_find_net(b, b->numbers);
    }
    ph_formula_found_out(b, "an inertia%s that depends on the configuration",
                         pairs ? " by pairs of factors" : "");
    if (!ph_graph_affords(&f->graph, nz, all * nz))
        return ph_formula_failed(b);
    ph_expr *d = ph_formula_nodes(b, all * nz), *column = ph_formula_nodes(b, all);
    if (!d || !column)
        return ph_formula_no_memory(b->err);
    for (size_t k = 0; k < nz && !f->graph.failed; k++) {
        ph_formula_along(b, outs, all, ph_graph_leaf(&f->graph, PH_OP_Z, k), column);
        for (size_t i = 0; i < all; i++)
            d[i * nz + k] = column[i];
    }
    ph_status status = ph_formula_tape(b, PH_PART_INERTIA, outs, all);
    return status ? status : ph_formula_tape(b, PH_PART_INERTIA_DZ, d, all * nz);
}

/* ---- A Lagrangian of any form ----------------------------------------------------------------------- */

/* The derivatives of L. */
static ph_status give_slopes(ph_formula_builder *b, ph_expr L)
{
    ph_graph *g = &b->f->graph;
    const size_t nz = b->f->nz;
    if (!ph_graph_affords(g, 2 * nz, 3 * nz * nz))
        return ph_formula_failed(b);
    ph_expr *z = ph_formula_leaves(b, PH_OP_Z), *v = ph_formula_leaves(b, PH_OP_V),
            *slope = ph_formula_nodes(b, 2 * nz), *second = ph_formula_nodes(b, 3 * nz * nz),
            *column = ph_formula_nodes(b, 2 * nz);
    if (!z || !v || !slope || !second || !column)
        return ph_formula_no_memory(b->err);
    ph_expr *Lzz = second, *Lvz = Lzz + nz * nz, *Lvv = Lvz + nz * nz;
    ph_graph_reverse(g, L, z, nz, slope);
    ph_graph_reverse(g, L, v, nz, slope + nz);
    for (size_t k = 0; k < nz && !g->failed; k++) {
        ph_formula_along(b, slope, 2 * nz, z[k], column);
        for (size_t i = 0; i < nz; i++) {
            Lvz[i * nz + k] = column[nz + i];
            if (i >= k) /* the triangle with the fewer operations */
                Lzz[i * nz + k] = Lzz[k * nz + i] = column[i];
        }
        ph_formula_along(b, slope + nz, nz, v[k], column);
        for (size_t i = k; i < nz; i++)
            Lvv[i * nz + k] = Lvv[k * nz + i] = column[i];
    }
    const bool in_time = (g->node[L].depends & PH_ON_TIME) != 0;
    ph_status status = ph_formula_tape(b, PH_PART_SLOPES, slope, 2 * nz);
    status = status ? status : ph_formula_tape(b, PH_PART_CURVATURES, second, 3 * nz * nz);
    if (status || !in_time)
        return status;
    ph_formula_along(b, &L, 1, z[nz], column); /* behind z: time */
    status = ph_formula_tape(b, PH_PART_L_RATE, column, 1);
    ph_formula_along(b, slope + nz, nz, z[nz], column);
    return status ? status : ph_formula_tape(b, PH_PART_LV_RATE, column, nz);
}

static ph_status give_general(ph_formula_builder *b, ph_expr L)
{
    ph_formula_found_out(b, "a Lagrangian that is not of the form (1/2) zdot . M(z) zdot - U(z)%s",
                         b->f->graph.node[L].depends & PH_ON_TIME ? ", and depends on time" : "");
    ph_status status = ph_formula_tape(b, PH_PART_LAGRANGIAN, &L, 1);
    return status ? status : give_slopes(b, L);
}

/* L1 . zdot + (1/2) zdot . MM zdot: what is left when L0 is given as a potential. */
static ph_expr velocity_part(ph_formula_builder *b, const ph_lagrangian_parts *parts)
{
    ph_graph *g = &b->f->graph;
    const size_t nz = b->f->nz;
    const ph_expr *v = ph_formula_leaves(b, PH_OP_V);
    ph_expr sum = 0;
    for (size_t i = 0; v && i < nz; i++) {
        const ph_expr momentum = ph_graph_scale(g, 0.5, ph_graph_dot(g, parts->M + i * nz, v, nz));
        sum = ph_graph_add(g, sum, ph_graph_mul(g, ph_graph_add(g, parts->L1[i], momentum), v[i]));
    }
    return sum;
}

/* Do the symmetries leave rate . z as it is, so that their momenta are conserved without the part of L that it replaces? By rotations
 * about an axis its part along that axis; of a generator it is not tried. */
static bool leave_as_it_is(const ph_formula_builder *b, const ph_expr *rate)
{
    bool moves = false, kept = true;
    for (size_t j = 0; j < b->f->nz; j++)
        moves = moves || rate[j] != 0;
    if (!moves)
        return true;
    for (size_t i = 0; i < b->text->n_symmetries; i++) {
        const char *text = b->text->symmetries[i] ? b->text->symmetries[i] : "";
        const size_t k = *text ? (size_t)(text[strlen(text) - 1] - '1') : 3;
        for (size_t n = 0; n < b->f->n_factors; n++) {
            const ph_formula_factor *f = &b->f->factors[n];
            for (size_t j = 0; j < f->nz; j++) {
                const size_t row = f->kind == PH_FACTOR_SO3 ? j / 3 : j;
                const bool along =
                    text[0] == 't' ? f->kind != PH_FACTOR_R || row != k : f->nz > 2 && row == k;
                kept = kept && (along || rate[f->z + j] == 0);
            }
        }
    }
    return kept && b->text->n_generators == 0 && !(b->more && b->more->n_symmetries);
}

/* L1 = A(z) + a(t): the latter is a total derivative but for adot . z, which is a further potential *more; L1 <- A. false: L1 is no such
 * sum, or symmetries of L are not those of the rest. */
static bool split_linear(ph_formula_builder *b, ph_lagrangian_parts *parts, ph_expr *more)
{
    ph_graph *g = &b->f->graph;
    const size_t nz = b->f->nz;
    const ph_expr *z = ph_formula_leaves(b, PH_OP_Z), time = ph_graph_leaf(g, PH_OP_TIME, 0);
    ph_expr *rate = ph_formula_nodes(b, 2 * nz), moving;
    if (!z || !rate)
        return true; /* the graph says so */
    ph_expr *still = rate + nz;
    for (size_t i = 0; i < nz; i++) {
        ph_formula_along(b, &parts->L1[i], 1, time, &rate[i]);
        if (g->node[rate[i]].depends & PH_ON_Z)
            return false;
    }
    for (size_t i = 0; i < nz; i++)
        if (split_in_time(b, parts->L1[i], true, &still[i], &moving) || g->node[moving].depends & PH_ON_Z)
            return false;
    if (!leave_as_it_is(b, rate))
        return false;
    *more = ph_graph_dot(g, rate, z, nz);
    memcpy(parts->L1, still, nz * sizeof *still);
    if (!(parts->L1_depends & PH_ON_Z)) /* a constant: a total derivative, too */
        memset(parts->L1, 0, nz * sizeof *parts->L1);
    parts->has_L1 = (parts->L1_depends & PH_ON_Z) != 0;
    return true;
}

static ph_status give_lagrangian(ph_formula_builder *b, ph_expr L)
{
    ph_graph *g = &b->f->graph;
    ph_lagrangian_parts parts;
    ph_expr still, in_time, more = 0;
    if (ph_lagrangian_take_apart(b->f, L, &parts))
        return ph_formula_failed(b);
    b->L = parts.L;
    b->plain = PH_FORMULA_PLAIN_NONE;
    if (ph_formula_find_plain(b, &b->L, 1, &b->plain))
        return PH_E_NO_MEMORY;
    const bool linear = parts.has_L1; /* before what has no effect is left out */
    if (parts.degree < 2)
        return ph_fail(b->err, PH_E_SINGULAR,
                       "the Lagrangian has no kinetic energy: it is not of second degree in the velocities");
    /* with time in more than U(t, z), L is one whole */
    if (parts.M_depends & PH_ON_TIME ||
        (parts.has_L1 && parts.degree <= 2 && !split_linear(b, &parts, &more)))
        return give_general(b, parts.L);
    if (parts.degree > 2) {
        ph_status status = split_in_time(b, parts.L, false, &still, &in_time);
        if (status || g->node[in_time].depends & PH_ON_V)
            return status ? status : give_general(b, parts.L);
        status = give_general(b, still);
        return status ? status : give_potential(b, 0, ph_graph_scale(g, -1, in_time));
    }
    ph_status status = split_in_time(b, ph_graph_scale(g, -1, parts.L0), false, &still, &in_time);
    if (status)
        return status;
    in_time = ph_graph_add(g, in_time, more);
    if (parts.has_L1) {
        const ph_expr rest = in_time == 0 ? parts.L : ph_graph_sub(g, velocity_part(b, &parts), still);
        status = give_general(b, rest);
        return status ? status : give_potential(b, 0, in_time);
    }
    const ph_expr whole =
        in_time == 0 && !linear ? parts.L : ph_graph_sub(g, velocity_part(b, &parts), still);
    status = give_inertia(b, &parts, &still);
    const ph_tape *M = b->user->part[PH_PART_INERTIA];
    if (!status && M && ph_tape_outs(M) == b->f->nz * b->f->nz) /* in place of products with dM/dz */
        status = give_slopes(b, whole);
    return status ? status : give_potential(b, still, in_time);
}

/* ---- The whole ---------------------------------------------------------------------------------- */

static ph_status read_lagrangian(ph_formula_builder *b)
{
    const ph_formula_definition *d = b->text;
    ph_expr T, U, L;
    if (!d->lagrangian == !d->kinetic || (d->lagrangian && d->potential))
        return ph_fail(b->err, PH_E_INVALID,
                       "a system has kinetic and, if there is one, potential, or else lagrangian");
    ph_status status = read_energy(b, "kinetic", d->kinetic, &T);
    status = status ? status : read_energy(b, "potential", d->potential, &U);
    status = status ? status : read_energy(b, "lagrangian", d->lagrangian, &L);
    if (status)
        return status;
    if (b->f->graph.node[U].depends & PH_ON_V)
        return ph_fail(b->err, PH_E_PARSE, "potential: it depends on velocities; write L as lagrangian");
    return give_lagrangian(b, d->lagrangian ? L : ph_graph_sub(&b->f->graph, T, U));
}

static ph_status read_spins(ph_formula_builder *b)
{
    ph_value H;
    ph_expr still, in_time;
    ph_status status = ph_formula_read(b, "energy", b->text->energy, NULL, PH_FORMULA_NUMBER, &H);
    status = status ? status : split_in_time(b, *H.item, false, &still, &in_time);
    b->spins = (ph_spins){.n = b->f->n_factors};
    b->to.spins = &b->spins;
    ph_formula_found_out(b, "an energy of %zu spin%s", b->spins.n, b->spins.n > 1 ? "s" : "");
    status = status ? status : ph_formula_find_spins(b, &still, in_time);
    return status ? status : give_potential(b, still, in_time);
}

static void release(ph_formula_builder *b)
{
    ph_formula_user_free(b->user); /* NULL once a definition owns it */
    ph_space_free(b->space);
    ph_formulas_free(b->f);
    free(b->numbers);
    free(b->links);
    free(b->parts.at);
}

ph_status ph_formula_system_create(const ph_formula_definition *definition, ph_system **system,
                                   ph_formula_found *found, ph_error *err)
{
    return ph_formula_system_build(definition, NULL, system, found, err);
}

ph_status ph_formula_system_build(const ph_formula_definition *definition, const ph_formula_more *more,
                                  ph_system **system, ph_formula_found *found, ph_error *err)
{
    ph_formula_builder b = {.text = definition, .more = more, .err = err};
    ph_status status = ph_formulas_create(&b.f, err);
    if (!status && !(b.user = calloc(1, sizeof *b.user)))
        status = ph_formula_no_memory(err);
    status = status ? status : ph_formula_read_names(definition, b.f, err);
    status = status ? status : make_space(&b);
    if (!status) {
        b.user->nz = b.f->nz;
        status = ph_formula_read_points(&b);
        status = status ? status : definition->energy ? read_spins(&b) : read_lagrangian(&b);
    }
    status = status ? status : ph_formula_read_forces(&b);
    status = status ? status : ph_formula_read_constraints(&b);
    status = status ? status : ph_formula_read_symmetries(&b);
    status = status ? status : ph_formula_read_columns(&b);
    status = status ? status : ph_formula_read_bodies(&b);
    status = status || more ? status : ph_formula_label_factors(&b);
    if (!status) {
        b.to.space = b.space;
        ph_part_give(more && more->parts ? more->parts : &b.parts, &b.to);
        ph_formula_give_callbacks(b.user, &b.to);
        b.user = NULL;
        status = ph_system_create(&b.to, system, err);
        if (!status && (status = ph_formula_check_columns(definition, *system, err))) {
            ph_system_free(*system);
            *system = NULL;
        }
    }
    if (!status && ph_formulas_without_unit(b.f))
        ph_formula_found_out(
            &b, "; units are not checked, as %s has none (a pure number with its unit is \"0.5 1\")",
            ph_formulas_without_unit(b.f));
    if (!status && ph_formulas_unused(b.f))
        ph_formula_found_out(&b, "; no formula uses the parameter %s", ph_formulas_unused(b.f));
    if (found)
        *found = b.found;
    release(&b);
    return status;
}
