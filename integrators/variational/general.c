/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational integrator for any Lagrangian on any space, of order 2: discrete Lagrangians that are
 * quadratures of L (discrete-lagrangian.h), forces at both ends with the chord velocity, and the discrete
 * Legendre transforms
 *     p = -D_1 L_d - (h/2) f(t, z, v),      p+ = D_2 L_d + (h/2) f(t+, z+, v),
 * the discrete Euler-Lagrange equations in terms of positions and momenta.
 * Unknowns are tangent coordinates per share of the step, y = x / s, so that the equations
 *     R = h { -E^T (D_1 L_d + (s h/2) f) - p.E } = 0
 * have a limit at s = 0, where the branch of their solutions begins: there y / h is the velocity whose
 * Legendre transform is p. On an embedded manifold g(x) = 0 the retraction is
 *     x+ = x + E y + A(x)^T lambda,      g(x+) = 0:
 * the multiplier form, A^T lambda the force of the constraint at x.
 *
 * The new momentum is the old one plus an increment that knows nothing of what Newton leaves
 * (discrete-lagrangian.h), summed with compensation in the frame of the surroundings and kept in the carry;
 * on embedded manifolds see general-embedded.c.
 *
 * Sources: Marsden, West, Acta Numerica 10 (2001), parts 1 and 3; Lee, Leok, McClamroch, Int. J. Numer. Meth.
 * Eng. 79 (2009) 1147 ((S^2)^n); Leok, Shingel, Front. Math. China 7 (2012) 273 (any L_d by quadrature). */
#include <polhode/constraints.h>
#include <polhode/kit/algebra.h>

#include "general.h"

#include <float.h>
#include <string.h>

/* ---- Memory ------------------------------------------------------------------------------------- */

/* What the option means for this system. */
static ph_discrete_rule rule_of(const ph_system *system, const double *options)
{
    ph_discrete_rule rule = (ph_discrete_rule)options[PH_VARIATIONAL_RULE];
    if (rule != PH_RULE_AUTOMATIC)
        return rule;
    return ph_system_kind(system) == PH_LAGRANGIAN_GENERAL || ph_system_constraints(system)
               ? PH_RULE_EXPONENTIAL
               : PH_RULE_ENDS;
}

static size_t general_lay(const ph_system *system, const double *options, ph_lay *l)
{
    general_scratch counted, *w = ph_variational_place(l, &counted, sizeof counted);
    const ph_space *space = ph_system_space(system);
    const bool midpoint = ph_rule_is_midpoint(rule_of(system, options));
    size_t n = ph_space_factors(space), nz = ph_space_ambient(space), np = ph_space_momenta(space),
           nx = ph_space_dimension(space);
    bool exact = ph_system_hessian_is_exact(system, midpoint);
    double **ambient[] = {&w->f,   &w->f0,   &w->column, &w->f1,  &w->was[0], &w->was[1],
                          &w->d.D, &w->d.z1, &w->z1_low, &w->d.v, &w->below},
           **pairs[] = {w->d.at, w->d.speed, w->d.Lz, w->d.Lv, w->dat, w->dspeed, w->dLz, w->dLv};
    double **momenta[] = {&w->dS, &w->S1, &w->low1, &w->p1, &w->S0},
           **tangent[] = {&w->pE, &w->y0, &w->reach, &w->d.x};
    size_t unknowns = nx + ph_system_constraints(system);
    w->parts = ph_lay_bytes(l, n * sizeof(ph_part));
    for (size_t i = 0; i < sizeof ambient / sizeof ambient[0]; i++)
        *ambient[i] = ph_lay_doubles(l, nz);
    for (size_t i = 0; i < sizeof momenta / sizeof momenta[0]; i++)
        *momenta[i] = ph_lay_doubles(l, np);
    for (size_t i = 0; i < sizeof tangent / sizeof tangent[0]; i++)
        *tangent[i] = ph_lay_doubles(l, nx);
    for (size_t e = 0; e < (midpoint ? 1 : 2); e++) {
        for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
            pairs[i][e] = ph_lay_doubles(l, nz);
        w->Lvz[e] = exact ? ph_lay_doubles(l, nz * nz) : NULL;
        w->Lvv[e] = exact ? ph_lay_doubles(l, nz * nz) : NULL;
        w->Lzz[e] = exact && midpoint ? ph_lay_doubles(l, nz * nz) : NULL;
    }
    w->noise = ph_lay_doubles(l, n);
    w->E = ph_lay_doubles(l, ph_space_basis_size(space));
    w->d.dD = ph_lay_doubles(l, ph_space_basis_size(space));
    w->x = ph_lay_doubles(l, unknowns);
    w->J = ph_lay_doubles(l, unknowns * unknowns);
    general_lay_constraints(&w->c, system, midpoint, l);
    w->work = ph_lay_doubles(l, w->c.m ? ph_system_constraint_work(system) : ph_system_work(system));
    if (!ph_system_force_ignores_velocity(system)) {
        w->dfdv = ph_lay_doubles(l, nz * nz);
        w->fwork = ph_lay_doubles(l, 3 * nz);
    }
    ph_newton_place(&w->newton, unknowns, l);
    return ph_carry_size(np, nz) + n + 1 + general_constraints_carry(ph_system_constraints(system));
}

static ph_status general_init(ph_variational *method, ph_context *context)
{
    general_scratch *w = method->work;
    const ph_space *space = ph_system_space(context->system);
    ph_discrete_rule rule = rule_of(context->system, context->options);
    w->method = method;
    w->system = context->system;
    w->context = context;
    w->space = space;
    w->n = ph_space_factors(space);
    w->nz = ph_space_ambient(space);
    w->np = ph_space_momenta(space);
    w->nx = ph_space_dimension(space);
    w->unknowns = w->nx + ph_system_constraints(context->system);
    w->forced = ph_system_has_force(context->system);
    w->velocity = !ph_system_force_ignores_velocity(context->system);
    w->midpoint = ph_rule_is_midpoint(rule);
    w->filled = false;
    w->constant = ph_system_kind(context->system) == PH_INERTIA_CONSTANT;
    w->exact = ph_system_hessian_is_exact(context->system, w->midpoint);
    memset(w->f, 0, w->nz * sizeof *w->f);
    ph_lay_parts(space, w->parts);
    w->d.space = space;
    w->d.parts = w->parts;
    w->d.rule = rule;
    w->d.n = w->n;
    w->d.nz = w->nz;
    w->d.points = w->midpoint ? 1 : 2;
    w->d.weight = w->midpoint ? 1 : 0.5;
    w->d.own = ph_system_inertia_is_uniform(context->system);
    w->d.h = context->h;
    w->d.E = w->E;
    w->embedded = false;
    for (size_t i = 0; i < w->n; i++)
        w->embedded = w->embedded || w->parts[i].kind == PH_FACTOR_EMBEDDED;
    for (size_t i = 0; i < w->n && rule == PH_RULE_NORMALISED; i++)
        if (w->parts[i].kind == PH_FACTOR_EMBEDDED)
            return ph_fail(context->error, PH_E_UNSUPPORTED,
                           "discrete-lagrangian: normalised-midpoint is not for "
                           "embedded manifolds (factor %zu): take ends or midpoint",
                           i + 1);
    if (rule == PH_RULE_MIDPOINT && ph_system_gradient_on_manifold(context->system))
        return ph_fail(
            context->error, PH_E_UNSUPPORTED,
            "discrete-lagrangian: midpoint takes the gradient of the potential off the manifold, "
            "and this system's is right on it only (gradient_on_manifold): take ends or normalised-midpoint");
    w->floor = ph_system_gradient_is_exact(context->system) ? 1e-12 : 1e-9;
    return PH_OK;
}

/* ---- Solving ------------------------------------------------------------------------------------ */

/* y0 and, for a fresh state, the noise from the velocity at z. */
static ph_status general_find_start(general_scratch *w, const double *p)
{
    double *v = w->column, *A = w->J;
    ph_status status = ph_system_velocity(w->system, w->t, w->d.z, p, v, w->work);
    if (status)
        return ph_implicit_note(&w->notes, "the inverse Legendre transform", status);
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t a = 0; a < f->nx; a++) {
            const double *row = w->E + f->e + a * f->nz;
            w->y0[f->x + a] = w->d.h * ph_row_dot(f, row, v) / ph_row_square(f, row);
        }
    status = ph_system_tangent_inertia(w->system, w->t, w->d.z, v, w->E, A, w->work);
    for (size_t i = 0; i < w->nx && !status; i++)
        for (size_t j = 0; j < i; j++)
            A[j * w->nx + i] = A[i * w->nx + j];
    return ph_implicit_note(&w->notes, "the second derivative of the Lagrangian", status);
}

/* What stagnation may leave in addition to the noise: on an embedded manifold the normal part of D is as good as the
 * coordinates are rounded, and an inertia that is not the same in all directions brings it into the
 * equations. */
static double stagnation(const general_scratch *w, const double *y)
{
    double size = 0, level = w->floor;
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        if (f->kind == PH_FACTOR_EMBEDDED)
            size = fmax(size, ph_max_norm(w->d.z + f->z, f->nz));
    return fmin(1e-6, level + 100 * DBL_EPSILON * size / (w->length * ph_max_norm(y, w->nx) + DBL_MIN));
}

static ph_status general_start(void *self, double *y)
{
    general_scratch *w = self;
    ph_status status = general_find_start(w, w->p);
    memcpy(y, w->y0, w->nx * sizeof *y);
    return status;
}

/* Is the symmetric part of A (n x n, overwritten) positive definite? */
static bool general_is_positive(size_t n, double *A)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            A[i * n + j] = 0.5 * (A[i * n + j] + A[j * n + i]);
    return ph_cholesky_factor(n, A) == PH_OK;
}

/* On the branch the Jacobian begins as the inertia, positive definite, and is to be so at the last
 * factorisation, which a fast contraction keeps near that at the root; with forces that depend on the
 * velocity also E^T (L_vv - (h/2) df/dv) E: see spheres.c. */
static bool general_on_the_branch(void *self)
{
    general_scratch *w = self;
    const size_t nx = w->nx, m = w->c.m, size = w->c.reduced ? w->c.k : nx;
    double *A = m ? w->c.T : w->newton.J; /* with constraints the factors of the saddle are wanted */
    if (!m)
        memcpy(A, w->J, nx * nx * sizeof *A);
    w->factored = (!m || (w->c.reduced ? general_reduced_saddle(w, A) : general_saddle(w, A))) &&
                  general_is_positive(size, A);
    if (!w->factored || !w->velocity)
        return w->factored;
    w->factored = false;
    if (ph_system_tangent_inertia(w->system, w->t, w->d.z, w->d.v, w->E, A, w->work))
        return false;
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t a = 0; a < f->nx; a++)
            for (const ph_part *g = w->parts; g < w->parts + w->n; g++)
                for (size_t b = 0; b < g->nx; b++) {
                    const double *ea = w->E + f->e + a * f->nz, *eb = w->E + g->e + b * g->nz;
                    size_t i = f->x + a, j = g->x + b;
                    double sum = 0;
                    for (size_t k = 0; k < f->nz; k++)
                        for (size_t l = 0; l < g->nz; l++)
                            sum += ea[k] * w->dfdv[(f->z + k) * w->nz + g->z + l] * eb[l];
                    if (i < j) /* the lower triangle is what is_positive takes the mean of both to */
                        A[i * nx + j] = A[j * nx + i];
                    A[i * nx + j] -= 0.5 * w->d.h * sum;
                }
    w->factored = general_is_positive(nx, A);
    return w->factored;
}

/* Where the retraction of an embedded factor gave no numbers: its constraints have failed, which the nearest
 * point to where the step would go says, or there is no such point and the step is too long. */
static ph_status blame_retraction(general_scratch *w, ph_context *context, const ph_state *state)
{
    double *there = w->was[0];
    if (general_find_start(w, state->p))
        return PH_E_NOT_FINITE;
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++) {
        if (f->kind != PH_FACTOR_EMBEDDED || ph_all_finite(w->d.z1 + f->z, f->nz))
            continue;
        memcpy(there, w->d.z, w->nz * sizeof *there);
        for (size_t a = 0; a < f->nx; a++)
            for (size_t k = 0; k < f->nz; k++)
                there[f->z + k] += w->E[f->e + a * f->nz + k] * w->y0[f->x + a];
        ph_status status = ph_space_factor_project(w->space, f->i, there);
        if (status && status != PH_E_NOT_ON_MANIFOLD)
            return ph_fail(context->error, status, "the constraints of factor %zu failed at t = %.10g s: %s",
                           f->i + 1, w->t, ph_status_text(status));
        return ph_fail(context->error, PH_E_NO_SOLUTION,
                       "no solution at t = %.10g s: a step of %.12g s leaves the reach "
                       "of the embedded manifold's retraction (factor %zu); take a smaller one",
                       w->t, w->d.h, f->i + 1);
    }
    return PH_E_NOT_FINITE;
}

static ph_status general_solve(general_scratch *w, ph_context *context, const ph_state *state,
                               const ph_carry *c)
{
    bool warm = ph_carry_is_warm(c, ph_stage_stamp(w->method->stage, w->d.h));
    ph_implicit_root root = {.equations = {.n = w->unknowns,
                                           .size = 1,
                                           .self = w,
                                           .residual = general_residual,
                                           .jacobian = general_jacobian,
                                           .parameter_derivative = general_parameter_derivative},
                             .guessed = warm,
                             .on_the_branch = general_on_the_branch,
                             .start = general_start,
                             .notes = &w->notes};
    if (w->c.m) {
        root.equations.factor = general_factor;
        root.equations.solve = general_solve_linear;
    }
    if (warm)
        ph_carry_guess(c, w->method->stage, w->space, w->parts, w->E, w->x);
    if (warm && w->c.m)
        general_guess_constraints(w, c, w->x + w->nx);
    root.equations.floor = stagnation(w, warm ? w->x : w->reach);
    ph_status status = ph_implicit_solve(&root, context, state->t, w->x, &w->newton);
    return status == PH_E_NOT_FINITE && !w->notes.failed ? blame_retraction(w, context, state) : status;
}

/* ---- The step ----------------------------------------------------------------------------------- */

/* reach <- how far the first step goes: |y0|, and what the push adds. From rest there would be no terms
 * otherwise, and where one factor is pushed and another is not, those of the other come from the first's. */
static ph_status measure_reach(general_scratch *w)
{
    const double *v = w->column; /* by general_find_start, like the inertia */
    double half = 0.5 * w->d.h * w->d.h;
    ph_status status =
        ph_system_lagrangian_gradient(w->system, w->t, w->d.z, v, w->d.Lz[0], w->d.Lv[0], w->work);
    if (status)
        return ph_implicit_note(&w->notes, "the gradient of the Lagrangian", status);
    status = w->forced ? ph_system_force(w->system, w->t, w->d.z, v, w->f) : PH_OK;
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t a = 0; a < f->nx; a++) {
            const double *row = w->E + f->e + a * f->nz;
            double push = half * ph_row_dot(f, row, w->d.Lz[0]), own = w->J[(f->x + a) * (w->nx + 1)];
            if (w->forced)
                push += half * ph_row_dot(f, row, w->f);
            w->reach[f->x + a] = fabs(w->y0[f->x + a]) + (own != 0 ? fabs(push / own) : 0);
        }
    return ph_implicit_note(&w->notes, "the force", status);
}

/* For a state that was just set, or comes from another step size: length, and noise from the inertia at z. */
static ph_status general_begin(general_scratch *w, ph_context *context, const ph_state *state,
                               const ph_carry *c)
{
    bool warm = ph_carry_is_warm(c, ph_stage_stamp(w->method->stage, w->d.h));
    w->length = warm ? c->more[w->n] : 1;
    w->fresh = false;
    ph_carry_basis(w->space, w->parts, w->d.z, state->p, w->length, w->E, w->pE, w->column);
    if (warm) {
        memcpy(w->noise, c->more, w->n * sizeof *w->noise);
        return general_begin_constraints(w, c->more + w->n + 1) ? ph_implicit_blame(&w->notes, context, w->t)
                                                                : PH_OK;
    }
    w->notes.failed = PH_OK;
    bool failed = general_find_start(w, state->p) != PH_OK;
    if (!failed)
        w->length = ph_carry_length(w->space, w->parts, w->d.z, w->J, w->y0);
    if (!failed && w->length != 1) { /* once more, in that unit */
        ph_carry_basis(w->space, w->parts, w->d.z, state->p, w->length, w->E, w->pE, w->column);
        failed = general_find_start(w, state->p) != PH_OK;
    }
    if (failed)
        return ph_fail(context->error, w->notes.failed,
                       "%s failed at t = %.10g s: %s; the Lagrangian must be regular, "
                       "d2L/dzdot2 invertible on tangent vectors",
                       w->notes.failing, w->t, ph_status_text(w->notes.failed));
    if (measure_reach(w) || general_begin_constraints(w, NULL))
        return ph_implicit_blame(&w->notes, context, w->t);
    w->fresh = true;
    general_measure_noise(w, w->reach, w->nx);
    return PH_OK;
}

static ph_status general_step(ph_variational *method, ph_context *context, ph_state *state)
{
    general_scratch *w = method->work;
    ph_carry c = ph_carry_at(state->carry, w->np, w->nz);
    double h = w->d.h = context->h, t1 = state->t_base + (double)(state->k + 1 - state->k_base) * h;
    w->t = state->t;
    w->d.z = state->z;
    w->p = state->p;
    w->d.low = c.z_low;
    w->linearised = false;
    ph_carry_begin(&c, w->space, w->parts, w->d.z, state->p, w->S0);
    ph_status status = general_begin(w, context, state, &c);
    w->factored = false;
    if (!status)
        status = general_solve(w, context, state, &c);
    if (status)
        return status;
    general_add_reactions(w, w->x + w->nx);
    general_settle(w, state->p, c.z_low);
    w->fresh = false;
    if (w->linearised) /* else J is that of another step, perhaps of another state */
        general_measure_noise(w, w->x, w->unknowns);
    ph_space_advance(w->space, w->d.z, w->below, w->d.D, w->d.z1, w->z1_low);
    if (ph_discrete_replace(&w->d) && general_call_lagrangian(w))
        return ph_implicit_blame(&w->notes, context, w->t);
    ph_discrete_turn(&w->d, w->dS);
    memcpy(w->f0, w->f, w->nz * sizeof *w->f0);
    if (w->forced) {
        status = ph_context_judge(context, "the force", t1,
                                  ph_system_force(w->system, t1, w->d.z1, w->d.v, w->f), w->f, w->nz);
        if (status)
            return status;
    } else if (w->c.m) {
        memset(w->f, 0, w->nz * sizeof *w->f);
    }
    if (w->forced || w->c.m)
        ph_add_moments(w->space, w->parts, w->d.z, w->f0, 0.5 * h, w->dS);
    if (w->forced)
        ph_add_moments(w->space, w->parts, w->d.z1, w->f, 0.5 * h, w->dS);
    general_sum_momentum(w, &c, state->p);
    status = w->c.m ? general_end_on_constraint(w, context, &c, state->p, t1) : PH_OK;
    if (status)
        return status;
    if (!ph_all_finite(w->p1, w->np) || !ph_all_finite(w->d.z1, w->nz))
        return ph_fail(context->error, PH_E_DIVERGED, "the state is not finite after t = %.10g s", w->t);
    c = ph_carry_at(state->carry, w->np, w->nz); /* S0 is the scratch's */
    memcpy(c.more, w->noise, w->n * sizeof *w->noise);
    c.more[w->n] = w->length;
    general_keep_constraints(w, c.more + w->n + 1);
    ph_carry_keep(&c, w->space, w->parts, ph_stage_stamp(w->method->stage, h), w->S1, w->low1, w->d.D, w->x);
    memcpy(c.z_low, w->z1_low, w->nz * sizeof *w->z1_low);
    memcpy(state->z, w->d.z1, w->nz * sizeof *w->d.z1);
    memcpy(state->p, w->p1, w->np * sizeof *w->p1);
    return PH_OK;
}

const ph_variational_kernel ph_variational_general = {
    .lay = general_lay, .init = general_init, .step = general_step, .dense = true};
