/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational integrator on any product of R^d, S^1, S^2 and SO(3) with constant ambient inertia MM, of
 * order 2.
 *
 * Discrete Lagrangian, with D = z+ - z:
 *     L_d = (1/2h) D . MM D - (h/2) (U(z) + U(z+)),
 * forces by the discrete Lagrange-d'Alembert principle at both ends with the chord velocity D/h. Unknowns are
 * tangent coordinates x at z: D = retraction(E x) - z by the exponential of each factor. Equations, the discrete
 * Legendre transform p = -D_1 L_d - f_d^- with the rows of the basis E and the momentum's components p.E:
 *     R = E^T { MM D + (h^2/2) (dU - f) } - h (p.E) = 0.
 * Their root is chosen as on (S^2)^n: see spheres.c.
 *
 * The new momentum is the old one plus an increment, so that what Newton leaves stays out of the momentum
 * maps. A unit vector q of S^2, or a column of R, turns with G = MM D / h and push = dU - f by
 *     S+ - S = D x G - (h/2) (q x push + q+ x push+),
 * S the angular momentum in the frame of the surroundings: pi on S^2, R Pi on SO(3), where three columns add
 * up; on S^1 the third component of the same; on R^d
 *     S+ - S = -(h/2) (push + push+).
 * Where MM couples two vectors a and b by a number, N_ab D_a x D_b goes to one and is taken from the other,
 * to the last bit. S is summed with compensation and kept in the carry; Pi = R^T S is read off.
 *
 * Where the inertia of an arrow depends on its direction, MM D has a normal part as large as h p, by which
 * what Newton leaves of the residual does work, and how a residual is rounded has a preferred side. There the
 * increment is corrected once more, by the residual in twice the digits (product_settle).
 *
 * general.c is the same map up to rounding. This form for a constant inertia needs one gradient of the potential a step
 * instead of seven, and where that costs nothing it is 1.15 to 2 times as fast (R^3 2.0, S^1 x S^1
 * 1.8, SO(3) 1.35, R^3 x SO(3) 1.2, and 1.25 of a body that carries five links). It serves systems of users.
 *
 * Sources: Marsden, West, Acta Numerica 10 (2001), parts 1 and 3; Lee, Leok, McClamroch, Comput. Methods
 * Appl. Mech. Engrg. 196 (2007) 2907 (full body problems, SO(3)). */
#include <polhode/kit/algebra.h>

#include "product.h"

#include <string.h>

/* ---- Memory ------------------------------------------------------------------------------------- */

static size_t product_lay(const ph_system *system, const double *options, ph_lay *l)
{
    product_scratch counted, *w = ph_variational_place(l, &counted, sizeof counted);
    const ph_space *space = ph_system_space(system);
    size_t n = ph_space_factors(space), nz = ph_space_ambient(space), np = ph_space_momenta(space),
           nx = ph_space_dimension(space), arrows = product_count_arrows(space);
    double **ambient[] = {&w->f,      &w->v,  &w->D,      &w->mu, &w->size, &w->grain,
                          &w->column, &w->z1, &w->z1_low, &w->g1, &w->below};
    double **momenta[] = {&w->dS, &w->S1, &w->low1, &w->p1, &w->S0};
    (void)options;
    w->parts = ph_lay_bytes(l, n * sizeof(ph_part));
    w->arrows = ph_lay_bytes(l, arrows * sizeof(product_arrow));
    for (size_t i = 0; i < sizeof ambient / sizeof ambient[0]; i++)
        *ambient[i] = ph_lay_doubles(l, nz);
    for (size_t i = 0; i < sizeof momenta / sizeof momenta[0]; i++)
        *momenta[i] = ph_lay_doubles(l, np);
    w->exact = ph_lay_bytes(l, nz * sizeof *w->exact);
    w->MM = ph_lay_doubles(l, nz * nz);
    w->rest = ph_lay_doubles(l, nz * nz);
    w->N = ph_lay_doubles(l, arrows * arrows);
    w->E = ph_lay_doubles(l, ph_space_basis_size(space));
    w->dD = ph_lay_doubles(l, ph_space_basis_size(space));
    w->pE = ph_lay_doubles(l, nx);
    w->x = ph_lay_doubles(l, nx);
    if (!ph_system_force_ignores_velocity(system)) {
        w->dfdv = ph_lay_doubles(l, nz * nz);
        w->fwork = ph_lay_doubles(l, 3 * nz);
    }
    ph_newton_place(&w->newton, nx, l);
    return ph_carry_size(np, nz) + nz;
}

static ph_status product_init(ph_variational *method, ph_context *context)
{
    product_scratch *w = method->work;
    const ph_space *space = ph_system_space(context->system);
    w->method = method;
    w->system = context->system;
    w->context = context;
    w->space = space;
    w->n = ph_space_factors(space);
    w->nz = ph_space_ambient(space);
    w->np = ph_space_momenta(space);
    w->nx = ph_space_dimension(space);
    w->forced = ph_system_has_force(context->system);
    w->velocity = !ph_system_force_ignores_velocity(context->system);
    w->h = context->h;
    memset(w->f, 0, w->nz * sizeof *w->f);
    product_inertia_init(w);
    return PH_OK;
}

/* ---- Callbacks, with messages ------------------------------------------------------------------- */

static ph_status product_call_gradient(product_scratch *w, const double *z, double t, double *g)
{
    return ph_context_judge(w->context, "the gradient of the potential", t,
                            ph_system_gradient(w->system, z, g), g, w->nz);
}

static ph_status product_call_force(product_scratch *w, const double *z, double t)
{
    return ph_context_judge(w->context, "the force", t, ph_system_force(w->system, t, z, w->v, w->f), w->f,
                            w->nz);
}

/* ---- The equations ------------------------------------------------------------------------------ */

/* mu <- MM D, size <- sums of the magnitudes of its terms. */
static void product_apply_inertia(product_scratch *w, const double *x)
{
    ph_increment_grain(w->space, w->parts, w->E, x, w->D, w->grain);
    for (size_t i = 0; i < w->nz; i++) {
        const double *row = w->MM + i * w->nz;
        double sum = 0, magnitude = 0;
        for (size_t j = 0; j < w->nz; j++) {
            sum += row[j] * w->D[j];
            magnitude += fabs(row[j]) * w->grain[j];
        }
        w->mu[i] = sum;
        w->size[i] = magnitude;
    }
}

static ph_status product_chord_force(product_scratch *w, double s)
{
    if (!w->velocity)
        return PH_OK;
    if (s == 0) {
        memset(w->f, 0, w->nz * sizeof *w->f);
        return PH_OK;
    }
    for (size_t i = 0; i < w->nz; i++)
        w->v[i] = w->D[i] / (s * w->h);
    return ph_implicit_note(&w->notes, "the force", ph_system_force(w->system, w->t, w->z, w->v, w->f));
}

/* The discrete Legendre transform, p + D_1 L_d + f_d^- = 0 times h, in tangent coordinates. */
static ph_status product_residual(void *self, double s, const double *x, double *r, double *scale)
{
    product_scratch *w = self;
    const double h = s * w->h,
                 half = 0.5 * h; /* h^2 / 2 would be rounded otherwise than the kick of the momentum */
    w->s = s;
    w->at = x;
    ph_increments(w->space, w->parts, w->z, NULL, w->E, x, w->D);
    ph_status status = product_chord_force(w, s);
    if (status)
        return status;
    product_apply_inertia(w, x);
    for (size_t i = 0; i < w->n; i++) {
        const ph_part *f = &w->parts[i];
        for (size_t a = 0; a < f->nx; a++) {
            const double *row = w->E + f->e + a * f->nz;
            double turn = h * w->pE[f->x + a], sum = 0, magnitude = fabs(turn);
            for (size_t k = 0; k < f->nz; k++) {
                double push = h * (half * (w->g[f->z + k] - w->f[f->z + k]));
                sum += row[k] * (w->mu[f->z + k] + push);
                magnitude += fabs(row[k]) * (w->size[f->z + k] + fabs(push));
            }
            r[f->x + a] = sum - turn;
            scale[f->x + a] = magnitude;
        }
    }
    return PH_OK;
}

static ph_status product_call_force_dv(product_scratch *w)
{
    return ph_implicit_note(&w->notes, "the derivative of the force",
                            ph_system_force_dv(w->system, w->t, w->z, w->v, w->dfdv, w->fwork));
}

/* J <- E^T (MM - weight df/dv) Y, Y laid like E; a column at a time. */
static void product_fill_matrix(product_scratch *w, const double *Y, double weight, double *J)
{
    for (size_t j = 0; j < w->n; j++) {
        const ph_part *from = &w->parts[j];
        for (size_t b = 0; b < from->nx; b++) {
            const double *y = Y + from->e + b * from->nz;
            for (size_t k = 0; k < w->nz; k++) {
                const double *row = w->MM + k * w->nz + from->z;
                double sum = 0;
                for (size_t l = 0; l < from->nz; l++)
                    sum += row[l] * y[l];
                for (size_t l = 0; weight != 0 && l < from->nz; l++)
                    sum -= weight * w->dfdv[k * w->nz + from->z + l] * y[l];
                w->column[k] = sum;
            }
            for (size_t i = 0; i < w->n; i++) {
                const ph_part *f = &w->parts[i];
                for (size_t a = 0; a < f->nx; a++)
                    J[(f->x + a) * w->nx + from->x + b] = ph_row_dot(f, w->E + f->e + a * f->nz, w->column);
            }
        }
    }
}

static ph_status product_jacobian(void *self, double *J)
{
    product_scratch *w = self;
    bool velocity = w->velocity && w->s != 0;
    ph_increment_derivatives(w->space, w->parts, w->z, w->E, w->at, w->D, w->dD);
    ph_status status = velocity ? product_call_force_dv(w) : PH_OK;
    if (!status)
        product_fill_matrix(w, w->dD, velocity ? 0.5 * w->s * w->h : 0, J);
    return status;
}

/* dR/ds = E^T { s h^2 (g - f) + (h/2) (df/dv) D } - h (p.E). */
static ph_status product_parameter_derivative(void *self, double *rs)
{
    product_scratch *w = self;
    bool velocity = w->velocity && w->s != 0;
    ph_status status = velocity ? product_call_force_dv(w) : PH_OK;
    for (size_t k = 0; k < w->nz && !status; k++) {
        w->column[k] = w->s * w->h * w->h * (w->g[k] - w->f[k]);
        for (size_t l = 0; velocity && l < w->nz; l++)
            w->column[k] += 0.5 * w->h * w->dfdv[k * w->nz + l] * w->D[l];
    }
    for (size_t i = 0; i < w->n && !status; i++) {
        const ph_part *f = &w->parts[i];
        for (size_t a = 0; a < f->nx; a++)
            rs[f->x + a] = ph_row_dot(f, w->E + f->e + a * f->nz, w->column) - w->h * w->pE[f->x + a];
    }
    return status;
}

/* ---- Solving ------------------------------------------------------------------------------------ */

/* Is the symmetric part of E^T (MM - (h/2) df/dv) Y positive definite? */
static bool product_is_positive(product_scratch *w, const double *Y)
{
    double *J = w->newton.J;
    product_fill_matrix(w, Y, w->velocity ? 0.5 * w->h : 0, J);
    for (size_t i = 0; i < w->nx; i++)
        for (size_t j = 0; j < i; j++)
            J[i * w->nx + j] = 0.5 * (J[i * w->nx + j] + J[j * w->nx + i]);
    return ph_cholesky_factor(w->nx, J) == PH_OK;
}

/* On the branch the Jacobian begins positive definite, and is to be so at the root; with forces that depend
 * on the velocity also the one at D = 0, which is linear in h: see spheres.c. */
static bool product_on_the_branch(void *self)
{
    product_scratch *w = self;
    ph_increment_derivatives(w->space, w->parts, w->z, w->E, w->x, w->D, w->dD);
    w->factored = product_is_positive(w, w->dD) && (!w->velocity || product_is_positive(w, w->E));
    return w->factored;
}

static ph_status product_solve(product_scratch *w, ph_context *context, const ph_state *state,
                               const ph_carry *c)
{
    bool warm = ph_carry_is_warm(c, ph_stage_stamp(w->method->stage, w->h));
    const ph_implicit_root root = {.equations = {.n = w->nx,
                                                 .size = 1,
                                                 .self = w,
                                                 .residual = product_residual,
                                                 .jacobian = product_jacobian,
                                                 .parameter_derivative = product_parameter_derivative},
                                   .guessed = warm,
                                   .on_the_branch = product_on_the_branch,
                                   .notes = &w->notes};
    if (warm)
        ph_carry_guess(c, w->method->stage, w->space, w->parts, w->E, w->x);
    return ph_implicit_solve(&root, context, state->t, w->x, &w->newton);
}

/* exact <- MM D + (h^2/2) (g - f) - h mu, mu the covector of p; of SO(3) without mu. */
static void measure_exactly(product_scratch *w, const double *p)
{
    const double half = 0.5 * w->h;
    ph_space_covector(w->space, w->z, p, w->column);
    for (size_t i = 0; i < w->nz; i++) {
        ph_twofold sum = {0, 0};
        for (size_t j = 0; j < w->nz; j++)
            if (w->MM[i * w->nz + j] != 0)
                ph_twofold_add_product(&sum, w->MM[i * w->nz + j], w->D[j]);
        ph_twofold_add_product(&sum, w->h, half * (w->g[i] - w->f[i]));
        w->exact[i] = sum;
    }
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t k = 0; k < f->nz && f->kind != PH_FACTOR_SO3; k++) {
            ph_twofold mu = {w->column[f->z + k], 0};
            if (f->kind == PH_FACTOR_S2) { /* p x q */
                const double *q = w->z + f->z, *pi = p + f->p;
                const size_t next = (k + 1) % 3, last = (k + 2) % 3;
                mu = (ph_twofold){0, 0};
                ph_twofold_add_product(&mu, pi[next], q[last]);
                ph_twofold_add_product(&mu, -pi[last], q[next]);
            }
            ph_twofold_add_multiple(&w->exact[f->z + k], -w->h, mu);
        }
}

/* D <- D less what the residual makes of it; below <- z_low and what D has no digits for. The factors may be
 * those of the Jacobian at D = 0: for what is as small as rounding these do. */
static void product_settle(product_scratch *w, const double *p, const double *z_low)
{
    double *r = w->newton.dx;
    memcpy(w->below, z_low, w->nz * sizeof *z_low);
    if (!w->directed || !w->factored)
        return;
    measure_exactly(w, p);
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t a = 0; a < f->nx; a++) {
            const double *row = w->E + f->e + a * f->nz;
            ph_twofold sum = {0, 0};
            for (size_t k = 0; k < f->nz; k++)
                ph_twofold_add_multiple(&sum, row[k], w->exact[f->z + k]);
            if (f->kind == PH_FACTOR_SO3)
                ph_twofold_add_product(&sum, -w->h, p[f->p + a]);
            r[f->x + a] = ph_twofold_value(sum);
        }
    ph_cholesky_solve(w->nx, w->newton.J, r);
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t k = 0; k < f->nz; k++) {
            double change = 0, lost, *D = &w->D[f->z + k];
            for (size_t a = 0; a < f->nx; a++)
                change -= w->dD[f->e + a * f->nz + k] * r[f->x + a];
            ph_two_sum(*D, change, D, &lost);
            w->below[f->z + k] += lost;
        }
}

/* ---- The step ----------------------------------------------------------------------------------- */

static ph_status product_step(ph_variational *method, ph_context *context, ph_state *state)
{
    product_scratch *w = method->work;
    ph_carry c = ph_carry_at(state->carry, w->np, w->nz);
    w->h = context->h;
    double t1 = state->t_base + (double)(state->k + 1 - state->k_base) * w->h;
    ph_status status = PH_OK;
    w->t = state->t;
    w->z = state->z;
    w->g = c.more; /* the gradient at z */
    if (*c.count == 0) {
        status = product_call_gradient(w, w->z, w->t, w->g1);
        if (status)
            return status;
        w->g = w->g1;
    }
    ph_carry_basis(w->space, w->parts, w->z, state->p, w->length, w->E, w->pE, w->column);
    ph_carry_begin(&c, w->space, w->parts, w->z, state->p, w->S0);
    if (w->forced && !w->velocity) {
        memset(w->v, 0, w->nz * sizeof *w->v);
        status = product_call_force(w, w->z, w->t);
    }
    w->factored = false;
    if (!status)
        status = product_solve(w, context, state, &c);
    if (status)
        return status;
    product_settle(w, state->p, c.z_low);
    ph_space_advance(w->space, w->z, w->below, w->D, w->z1, w->z1_low);
    product_turn(w);
    status = product_call_gradient(w, w->z1, t1, w->g1);
    if (!status && w->forced)
        status = product_call_force(w, w->z1, t1);
    if (status)
        return status;
    for (size_t i = 0; i < w->nz; i++)
        w->column[i] = w->g1[i] - w->f[i];
    ph_add_moments(w->space, w->parts, w->z1, w->column, -0.5 * w->h, w->dS);
    ph_carry_add(&c, w->space, w->parts, w->dS, w->z1, w->S1, w->low1, w->p1);
    if (!ph_all_finite(w->p1, w->np) || !ph_all_finite(w->z1, w->nz))
        return ph_fail(context->error, PH_E_DIVERGED, "the state is not finite after t = %.10g s", w->t);
    c = ph_carry_at(state->carry, w->np, w->nz); /* S0 is the scratch's */
    memcpy(c.more, w->g1, w->nz * sizeof *w->g1);
    memcpy(c.z_low, w->z1_low, w->nz * sizeof *w->z1_low);
    ph_carry_keep(&c, w->space, w->parts, ph_stage_stamp(w->method->stage, w->h), w->S1, w->low1, w->D, w->x);
    memcpy(state->z, w->z1, w->nz * sizeof *w->z1);
    memcpy(state->p, w->p1, w->np * sizeof *w->p1);
    return PH_OK;
}

const ph_variational_kernel ph_variational_product = {
    .lay = product_lay, .init = product_init, .step = product_step, .dense = true};
