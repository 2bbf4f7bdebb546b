/* SPDX-License-Identifier: BSD-3-Clause */
/* Variational Galerkin integrators of order 4, 6 and 8 on products of R^d, S^1, S^2 and SO(3): Gauss
 * collocation in an exponential chart that moves with the ends of the step. p = -D_1 L_d, p+ = D_2 L_d, where
 * L_d(z, z+) is the stationary value of H sum_i b_i L(z(tau_i), zdot(tau_i)) over the curves of
 * curve.h; forces do their virtual work at the points, on the variations of the curve there.
 *
 * Newton's iteration takes the matrix that is left of the Jacobian where h is small, with Broyden's updates:
 * as Legendre's polynomials are orthogonal under Gauss' rule it is that of the inertia at the middle, once
 * for each k. Where that does not contract, the whole Jacobian, by differences, follows; and where the guess
 * is not good enough, the branch from h = 0. As the equations are those of L_d with its constants as they
 * have been rounded, these roundings make another L_d: no drift comes of them.
 *
 * Sources: Bou-Rabee, Marsden, Found. Comput. Math. 9 (2009) 197; Hall, Leok, Found. Comput. Math. 17 (2017)
 * 199; Marsden, West, Acta Numerica 10 (2001), 2.2.6 (Galerkin), 3.2.5 (forces). */
#include <polhode/kit/algebra.h>

#include "galerkin.h"

#include <string.h>

enum { ORDER };
static const ph_option options[] = {
    [ORDER] = {.name = "order",
               .type = PH_OPTION_CHOICE,
               .initial = 1,
               .choices = "4 6 8",
               .text = "of convergence: with 2, 3 or 4 points of Gauss' rule"},
};

/* ---- Memory ------------------------------------------------------------------------------------- */

static size_t galerkin_points(const double *values)
{
    return (size_t)values[ORDER] + 2;
}

/* The struct and its arrays. */
static void galerkin_lay(galerkin_scratch *w, const ph_system *system, size_t points, ph_lay *l)
{
    ph_lay_bytes(l, sizeof *w);
    const ph_space *space = ph_system_space(system);
    const size_t n = ph_space_factors(space), nz = ph_space_ambient(space), np = ph_space_momenta(space),
                 nx = ph_space_dimension(space), basis = ph_space_basis_size(space), unknowns = points * nx;
    double **all[] = {&w->y, &w->x, &w->other, &w->r[0], &w->r[1], &w->scale},
           **ambient[] = {&w->f, &w->column, &w->D, &w->z1, &w->low, &w->middle},
           **momenta[] = {&w->dS, &w->S0, &w->S1, &w->low1, &w->p1};
    w->parts = ph_lay_bytes(l, n * sizeof(ph_part));
    w->c.turns = ph_lay_bytes(l, n * sizeof(ph_turn));
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        *all[i] = ph_lay_doubles(l, unknowns);
    for (size_t i = 0; i < sizeof ambient / sizeof ambient[0]; i++)
        *ambient[i] = ph_lay_doubles(l, nz);
    for (size_t i = 0; i < sizeof momenta / sizeof momenta[0]; i++)
        *momenta[i] = ph_lay_doubles(l, np);
    for (size_t i = 0; i < points; i++) {
        w->c.at[i] = ph_lay_doubles(l, nz);
        w->c.speed[i] = ph_lay_doubles(l, nz);
        w->c.Lz[i] = ph_lay_doubles(l, nz);
        w->c.Lv[i] = ph_lay_doubles(l, nz);
    }
    w->w = ph_lay_doubles(l, points * np);
    w->pE = ph_lay_doubles(l, nx);
    w->twice = ph_lay_doubles(l, nx);
    w->noise = ph_lay_doubles(l, n);
    w->E = ph_lay_doubles(l, basis);
    w->E_middle = ph_lay_doubles(l, basis);
    w->A = ph_lay_doubles(l, nx * nx);
    w->passes = ph_lay_doubles(l, MOST_PASSES * unknowns);
    w->J = ph_lay_doubles(l, unknowns * unknowns);
    w->work = ph_lay_doubles(l, ph_system_work(system));
    ph_newton_place(&w->newton, unknowns, l);
}

/* Doubles in the carry before the length and the velocities; their meaning is that of ph_carry_at. */
static size_t galerkin_sums_size(size_t np, size_t nz)
{
    return 2 + 2 * np + nz;
}

static ph_carry galerkin_carry_at(double *carry, size_t np, size_t nz)
{
    return (ph_carry){.h = carry,
                      .count = carry + 1,
                      .S = carry + 2,
                      .low = carry + 2 + np,
                      .z_low = carry + 2 + 2 * np,
                      .y = carry + galerkin_sums_size(np, nz) + 1,
                      .more = carry + galerkin_sums_size(np, nz)};
}

static ph_method_size galerkin_size(const ph_system *system, const double *values)
{
    galerkin_scratch w;
    ph_lay l = {NULL, 0};
    const ph_space *space = ph_system_space(system);
    const size_t np = ph_space_momenta(space), points = galerkin_points(values);
    galerkin_lay(&w, system, points, &l);
    return (ph_method_size){.work = l.bytes,
                            .carry =
                                galerkin_sums_size(np, ph_space_ambient(space)) + 1 + HISTORY * points * np};
}

/* weights <- Lagrange's polynomials of the points of the last steps, at the points of the next one. */
static void galerkin_fill_weights(galerkin_scratch *w)
{
    const ph_gauss *g = &w->gauss;
    for (size_t steps = 1; steps <= HISTORY; steps++)
        for (size_t i = 0; i < g->points; i++)
            for (size_t j = 0; j < steps * g->points; j++) {
                double weight = 1, at = g->node[i] + 1,
                       own = g->node[j % g->points] - (double)(steps - 1 - j / g->points);
                for (size_t l = 0; l < steps * g->points; l++) {
                    double other = g->node[l % g->points] - (double)(steps - 1 - l / g->points);
                    if (l != j)
                        weight *= (at - other) / (own - other);
                }
                w->weights[steps - 1][i][j] = weight;
            }
}

static ph_status galerkin_init(ph_context *context)
{
    galerkin_scratch *w = context->work;
    ph_lay l = {context->work, 0};
    const ph_system *system = context->system;
    const ph_space *space = ph_system_space(system);
    const size_t points = galerkin_points(context->options);
    galerkin_lay(w, system, points, &l);
    w->system = system;
    w->unknowns = points * ph_space_dimension(space);
    w->forced = ph_system_has_force(system);
    w->floor = ph_system_gradient_is_exact(system) ? 1e-12 : 1e-9;
    ph_gauss_fill(&w->gauss, points);
    galerkin_fill_weights(w);
    ph_lay_parts(space, w->parts);
    w->c.space = space;
    w->c.parts = w->parts;
    w->c.gauss = &w->gauss;
    w->c.n = ph_space_factors(space);
    w->c.nz = ph_space_ambient(space);
    w->c.np = ph_space_momenta(space);
    w->c.nx = ph_space_dimension(space);
    w->c.h = context->h;
    w->c.E = w->E;
    w->c.pE = w->pE;
    return PH_OK;
}

static ph_status galerkin_supports(const ph_system *system, ph_error *err)
{
    if (!ph_space_is_homogeneous(ph_system_space(system)))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "galerkin moves the configuration by rotations and translations, "
                       "which an embedded manifold does not have: use variational");
    if (!ph_system_is_dense(system))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "galerkin works with dense matrices, "
                       "and this system has too many factors for them: use variational");
    return PH_OK;
}

/* ---- The step ----------------------------------------------------------------------------------- */

/* The carry of the state at the end of the step. */
static void galerkin_keep(galerkin_scratch *w, double *block)
{
    const size_t np = w->c.np, points = w->gauss.points;
    ph_carry carry = galerkin_carry_at(block, np, w->c.nz);
    memcpy(carry.S, w->S1, np * sizeof *w->S1);
    memcpy(carry.low, w->low1, np * sizeof *w->low1);
    memcpy(carry.z_low, w->low, w->c.nz * sizeof *w->low);
    *carry.count = *carry.h != w->c.h ? 1 : fmin(*carry.count + 1, HISTORY);
    *carry.h = w->c.h;
    *carry.more = w->length;
    memmove(carry.y, carry.y + points * np, (HISTORY - 1) * points * np * sizeof *carry.y);
    for (size_t i = 0; i < points; i++)
        ph_space_spin(w->c.space, w->c.at[i], w->c.speed[i], carry.y + ((HISTORY - 1) * points + i) * np);
}

static ph_status galerkin_step(ph_context *context, ph_state *state)
{
    galerkin_scratch *w = context->work;
    ph_carry carry = galerkin_carry_at(state->carry, w->c.np, w->c.nz);
    w->c.h = context->h;
    w->t = state->t;
    w->c.z = state->z;
    w->p = state->p;
    ph_carry_begin(&carry, w->c.space, w->parts, w->c.z, state->p, w->S0);
    ph_status status = ph_galerkin_solve(w, context, state, &carry);
    if (status)
        return status;
    for (size_t a = 0; a < w->c.nx; a++)
        w->twice[a] = 2 * w->x[a];
    ph_increments(w->c.space, w->parts, w->c.z, NULL, w->E, w->twice, w->D);
    ph_space_advance(w->c.space, w->c.z, carry.z_low, w->D, w->z1, w->low);
    ph_curve_turn(&w->c, w->dS);
    ph_carry_add(&carry, w->c.space, w->parts, w->dS, w->z1, w->S1, w->low1, w->p1);
    if (!ph_all_finite(w->p1, w->c.np) || !ph_all_finite(w->z1, w->c.nz))
        return ph_fail(context->error, PH_E_DIVERGED, "the state is not finite after t = %.10g s", w->t);
    galerkin_keep(w, state->carry);
    memcpy(state->z, w->z1, w->c.nz * sizeof *w->z1);
    memcpy(state->p, w->p1, w->c.np * sizeof *w->p1);
    return PH_OK;
}

static int galerkin_order_for(const ph_system *system, const double *values)
{
    (void)system; /* the same for all */
    return 2 * (int)galerkin_points(values);
}

const ph_method ph_method_galerkin = {
    .name = "galerkin",
    .summary = "variational Galerkin integrator, Gauss collocation in a moving exponential chart: "
               "order 4, 6 or 8; implicit, symplectic, momentum-preserving",
    .reference = "Bou-Rabee, Marsden, Found. Comput. Math. 9 (2009) 197; "
                 "Hall, Leok, Found. Comput. Math. 17 (2017) 199",
    .order = 4,
    .order_for = galerkin_order_for,
    .claims =
        PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC | PH_CLAIM_MOMENTUM | PH_CLAIM_MANIFOLD | PH_CLAIM_IMPLICIT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .supports = galerkin_supports,
    .size = galerkin_size,
    .init = galerkin_init,
    .step = galerkin_step,
};
