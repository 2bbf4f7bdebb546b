/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces and velocity constraints of a system of formulas. A force F at a place p is (dp/dz)^T F, a
 * moment m in the body frame (1/2) R S(m), a torque in space on a direction q tau x q; constraints F(t, z, zdot) = 0,
 * linear in zdot, are A = dF/dzdot, b = -F(t, z, 0). */
#include "forces.h"
#include "lib/expression/lagrangian.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ph_expr leaf(ph_formula_builder *b, enum ph_op op, size_t i)
{
    return ph_graph_leaf(&b->f->graph, op, i);
}

/* ---- Forces ------------------------------------------------------------------------------------- */

static ph_status add_at(ph_formula_builder *b, const char *what, const ph_formula_force *force, ph_expr *f)
{
    ph_graph *g = &b->f->graph;
    const size_t nz = b->f->nz;
    const ph_expr *z = ph_formula_leaves(b, PH_OP_Z);
    ph_expr *d = ph_formula_nodes(b, nz);
    ph_value at, F;
    char text[64];
    snprintf(text, sizeof text, "%s: at", what);
    ph_status status =
        z && d ? ph_formula_read(b, text, force->at, NULL, 0, &at) : ph_formula_no_memory(b->err);
    snprintf(text, sizeof text, "%s: force", what);
    status = status ? status : ph_formula_read(b, text, force->force, NULL, 0, &F);
    if (status)
        return status;
    if (at.rank > 1 || at.rank != F.rank || at.rows != F.rows)
        return ph_fail(
            b->err, PH_E_PARSE,
            "%s: the place has %zu numbers and the force %zu; they should be vectors of one length", what,
            ph_value_items(&at), ph_value_items(&F));
    const ph_unit wanted = ph_unit_product(&ph_formula_joule, &at.unit, -1);
    if ((status = ph_formula_in_unit(b, text, &F, &F.unit, &wanted)))
        return status;
    for (size_t i = 0; i < at.rows; i++) {
        if (g->node[at.item[i]].depends & PH_ON_V)
            return ph_fail(b->err, PH_E_PARSE, "%s: the place of a force depends on velocities", what);
        ph_graph_reverse(g, at.item[i], z, nz, d);
        for (size_t k = 0; k < nz; k++)
            f[k] = ph_graph_add(g, f[k], ph_graph_mul(g, F.item[i], d[k]));
    }
    return PH_OK;
}

/* f += scale tau x q */
static void add_cross(ph_formula_builder *b, const ph_expr *tau, size_t q, double scale, ph_expr *f)
{
    ph_graph *g = &b->f->graph;
    for (size_t i = 0; i < 3; i++) {
        const size_t j = (i + 1) % 3, k = (i + 2) % 3;
        const ph_expr cross = ph_graph_sub(g, ph_graph_mul(g, tau[j], leaf(b, PH_OP_Z, q + k)),
                                           ph_graph_mul(g, tau[k], leaf(b, PH_OP_Z, q + j)));
        f[q + i] = ph_graph_add(g, f[q + i], ph_graph_scale(g, scale, cross));
    }
}

/* Row by row: r S(tau) = r x tau = -(tau x r). */
void ph_formula_add_turn(ph_formula_builder *b, const ph_formula_factor *factor, const ph_expr *tau,
                         double of_body, ph_expr *f)
{
    ph_graph *g = &b->f->graph;
    const size_t z = factor->z;
    const bool body = factor->kind == PH_FACTOR_SO3, circle = factor->kind == PH_FACTOR_S1;
    if (circle) {
        f[z] = ph_graph_sub(g, f[z], ph_graph_mul(g, *tau, leaf(b, PH_OP_Z, z + 1)));
        f[z + 1] = ph_graph_add(g, f[z + 1], ph_graph_mul(g, *tau, leaf(b, PH_OP_Z, z)));
    }
    for (size_t row = 0; row < (body ? 3 : circle ? 0 : 1); row++)
        add_cross(b, tau, z + 3 * row, body ? -of_body : 1, f);
}

ph_status ph_formula_find_factor(ph_formula_builder *b, const char *what, const char *text,
                                 const ph_formula_factor **factor)
{
    const size_t length = strcspn(text, "["), behind = strlen(text + length);
    const ph_name *name = ph_formulas_find(b->f, text, length);
    char index[32] = "";
    int64_t at = 1;
    if (behind > 2 && behind < sizeof index && text[length + behind - 1] == ']') { /* [3] of a list */
        snprintf(index, sizeof index, "%.*s", (int)behind - 2, text + length + 1);
        if (ph_formulas_read_whole(b->f, what, index, &at, b->err))
            return PH_E_PARSE;
    }
    *factor = name && name->kind == PH_NAME_FACTOR && name->list == (*index != 0) &&
                      name->list == (behind > 0) && at >= 1 && at <= (int64_t)name->n
                  ? &b->f->factors[name->factor + (size_t)at - 1]
                  : NULL;
    return PH_OK;
}

static ph_status add_on(ph_formula_builder *b, const char *what, const ph_formula_force *force, ph_expr *f)
{
    const bool moment = force->moment != NULL;
    const ph_formula_factor *factor;
    if (ph_formula_find_factor(b, what, force->on, &factor))
        return PH_E_PARSE;
    const bool body = factor && factor->kind == PH_FACTOR_SO3,
               circle = factor && factor->kind == PH_FACTOR_S1;
    if (!factor || (moment ? !body : !circle && factor->kind != PH_FACTOR_S2))
        return ph_fail(b->err, PH_E_PARSE, "%s: a %s is on a factor %s by its name, not on '%.40s'", what,
                       moment ? "moment" : "torque", moment ? "SO3" : "S2 or S1", force->on);
    ph_value tau;
    ph_status status =
        ph_formula_read(b, what, moment ? force->moment : force->torque, &ph_formula_joule, 0, &tau);
    if (status)
        return status;
    if (circle ? tau.rank != 0 : tau.rank != 1 || tau.rows != 3)
        return ph_fail(b->err, PH_E_PARSE, "%s: a %s on %s is %s", what, moment ? "moment" : "torque",
                       force->on, circle ? "a number" : "a vector of 3");
    ph_formula_add_turn(b, factor, tau.item, 0.5, f);
    return PH_OK;
}

ph_status ph_formula_read_forces(ph_formula_builder *b)
{
    static const ph_unit watt = {{2 * PH_UNIT_ONE, PH_UNIT_ONE, -3 * PH_UNIT_ONE}};
    const ph_formula_definition *d = b->text;
    ph_graph *g = &b->f->graph;
    const size_t nz = b->f->nz;
    if (!d->n_forces && !d->dissipation)
        return PH_OK;
    if (d->energy)
        return ph_fail(
            b->err, PH_E_INVALID,
            "spins take no forces; what acts on them is part of their energy, which may depend on t");
    ph_expr *f = ph_formula_nodes(b, nz), *dv = ph_formula_nodes(b, nz * nz),
            *column = ph_formula_nodes(b, nz);
    const ph_expr *v = ph_formula_leaves(b, PH_OP_V);
    ph_status status = f && dv && column && v ? PH_OK : ph_formula_no_memory(b->err);
    for (size_t i = 0; i < d->n_forces && !status; i++) {
        const ph_formula_force *force = &d->forces[i];
        char what[48];
        snprintf(what, sizeof what, "forces: number %zu", i + 1);
        if (force->at && force->force && !force->on && !force->moment && !force->torque)
            status = add_at(b, what, force, f);
        else if (force->on && !force->at && !force->force && !force->moment != !force->torque)
            status = add_on(b, what, force, f);
        else
            status = ph_fail(b->err, PH_E_INVALID,
                             "%s: it has at and force, or on and moment, or on and torque", what);
    }
    if (!status && d->dissipation) {
        ph_value D;
        status = ph_formula_read(b, "dissipation", d->dissipation, &watt, PH_FORMULA_NUMBER, &D);
        ph_expr written = status ? 0 : *D.item;
        if (!status && !ph_omega_written_out(b->f, &written, 1, &written)) {
            ph_graph_reverse(g, written, v, nz, column);
            for (size_t k = 0; k < nz; k++)
                f[k] = ph_graph_sub(g, f[k], column[k]);
        }
    }
    if (status || ph_omega_written_out(b->f, f, nz, f))
        return status ? status : ph_formula_failed(b);
    bool by_velocity = false, acts = false;
    for (size_t k = 0; k < nz; k++) {
        by_velocity = by_velocity || g->node[f[k]].depends & PH_ON_V;
        acts = acts || f[k] != 0;
    }
    if (!acts) /* as with parameters that are 0 */
        return PH_OK;
    b->to.force_ignores_velocity = !by_velocity;
    if (by_velocity && !ph_graph_affords(g, nz, nz * nz))
        return ph_formula_failed(b);
    for (size_t k = 0; k < nz && by_velocity && !g->failed; k++) {
        ph_formula_along(b, f, nz, v[k], column);
        for (size_t i = 0; i < nz; i++)
            dv[i * nz + k] = column[i];
    }
    status = ph_formula_tape(b, PH_PART_FORCE, f, nz);
    return status ? status : ph_formula_tape(b, PH_PART_FORCE_DV, dv, nz * nz);
}

/* ---- Velocity constraints ----------------------------------------------------------------------- */

/* b->constraints <- those of a value, too. */
static ph_status add_constraint(ph_formula_builder *b, const char *what, const ph_value *value)
{
    const size_t n = ph_value_items(value), m = b->to.n_constraints;
    if (m + n >= b->f->nz)
        return ph_fail(b->err, PH_E_INVALID,
                       "%s: there are %zu constraints on %zu coordinates; nothing could move", what, m + n,
                       b->f->nz);
    ph_expr *more = ph_formula_nodes(b, m + n);
    if (!more || ph_omega_written_out(b->f, value->item, n, more + m))
        return more ? ph_formula_failed(b) : ph_formula_no_memory(b->err);
    for (size_t k = 0; k < n; k++)
        if (ph_graph_degree(&b->f->graph, more + m + k, 1) == 0 && !b->f->graph.failed)
            return ph_fail(b->err, PH_E_PARSE,
                           "%s: it contains no velocity; constraints are on velocities, as in d(x) = 0",
                           what);
    if (ph_graph_degree(&b->f->graph, more + m, n) > 1)
        return ph_fail(b->err, PH_E_PARSE, "%s: it should be linear in the velocities", what);
    if (m)
        memcpy(more, b->constraints, m * sizeof *more);
    b->constraints = more;
    b->to.n_constraints += n;
    return PH_OK;
}

/* Is it "p[i=1..n]", the entries of a list, and no equation? */
static bool is_list(const char *text)
{
    const size_t name = strcspn(text, "["), all = strlen(text);
    return name < all && ph_formula_is_name(text, name) && text[all - 1] == ']' &&
           strcspn(text, "=") < strcspn(text, "]");
}

ph_status ph_formula_read_constraints(ph_formula_builder *b)
{
    ph_graph *g = &b->f->graph;
    const size_t nz = b->f->nz;
    for (size_t i = 0; i < b->text->n_constraints; i++) {
        const char *text = b->text->constraints[i];
        ph_value value;
        char what[48];
        snprintf(what, sizeof what, "constraints: number %zu", i + 1);
        const bool each = text && is_list(text);
        ph_status status = each ? ph_formula_each(b, what, text, add_constraint)
                                : ph_formula_read(b, what, text, NULL, PH_FORMULA_EQUATION, &value);
        status = status || each ? status : add_constraint(b, what, &value);
        if (status)
            return status;
    }
    const size_t m = b->to.n_constraints;
    const ph_expr *F = b->constraints;
    if (!m)
        return PH_OK;
    if (b->text->energy)
        return ph_fail(b->err, PH_E_INVALID, "spins have no velocities to constrain");
    if (!ph_graph_affords(g, m, m * nz))
        return ph_formula_failed(b);
    ph_expr *A = ph_formula_nodes(b, m * nz), *rest = ph_formula_nodes(b, m), *along = ph_formula_nodes(b, m);
    const ph_expr *z = ph_formula_leaves(b, PH_OP_Z), *v = ph_formula_leaves(b, PH_OP_V);
    if (!A || !rest || !along || !z || !v)
        return ph_formula_no_memory(b->err);
    ph_expr_map still = {NULL, 0};
    for (size_t k = 0; k < nz; k++)
        ph_map_put(g, &still, v[k], 0);
    ph_graph_substitute(g, F, m, &still, rest);
    ph_map_release(&still);
    for (size_t i = 0; i < m && !g->failed; i++) {
        ph_graph_reverse(g, F[i], v, nz, A + i * nz);
        rest[i] = ph_graph_scale(g, -1, rest[i]);
    }
    ph_formula_plain rows = PH_FORMULA_PLAIN_NONE;
    ph_status status = g->failed ? PH_OK : ph_formula_find_plain(b, F, m, &b->plain);
    status = status || g->failed ? status : ph_formula_find_plain(b, A, m * nz, &rows);
    if (status)
        return status;
    if (b->plain.degree < PH_FORMULA_NOT_PLAIN)
        b->to.is_plain = b->plain.root == PH_NO_EXPR ? PH_PLAIN_RATIONAL : PH_PLAIN_ROOT;
    b->to.constraint_is_steady = rows.degree == 0 && !rows.divides;
    for (size_t i = 0; i < m; i++)
        b->to.constraint_is_steady = b->to.constraint_is_steady && rest[i] == 0;
    ph_expr_map direction = {NULL, 0}; /* the leaves of angular velocities, which are gone, stand for it */
    for (size_t k = 0; k <= nz; k++)
        ph_map_put(g, &direction, z[k], leaf(b, PH_OP_OMEGA, k));
    ph_graph_forward(g, F, m, &direction, along);
    ph_map_release(&direction);
    status = ph_formula_tape(b, PH_PART_CONSTRAINT, A, m * nz);
    status = status ? status : ph_formula_tape(b, PH_PART_CONSTRAINT_RATE, rest, m);
    return status ? status : ph_formula_tape(b, PH_PART_CONSTRAINT_ALONG, along, m);
}
