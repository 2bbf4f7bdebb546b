/* SPDX-License-Identifier: BSD-3-Clause */
/* The reduced discrete step of a bundle. With the displacement w = H omega in the algebra of the base, which
 * moves x along x_s = exp(s w) x, and the points e of the rule (s = 0 and 1 with weights 1/2, or s = 1/2),
 *     f = sum_e w_e (H xi(x_e) - W(x_e) w),      (B, B_zeta) = sum_e w_e K(x_e) (w, f),
 *     M_e = the derivative of (1/2) (w, f) . K (w, f) - H^2 V along the base at x_e,
 * the equation for w, times H, and what follows explicitly are
 *     H y  = A^{-1} beta_1 { B - sum_e w_e (1 - s_e) T((s_e - 1) w)^T M_e }
 *            - beta_0 W(x)^T T(-f)^{-T} B_zeta,
 *     H y+ = A^{-T} beta_0 { B + sum_e w_e s_e T(s_e w)^T M_e }
 *            - beta_1 W(x+)^T T(f)^{-T} B_zeta,                                h+ = h exp(f).
 * beta_0 and beta_1 are bases at x and x+, A = beta_1 T(w) beta_0^T what leads from one to the other, T that
 * of the rotations of the factors. Forces act with (H/2) F at each end. */
#include <polhode/algebra.h>
#include <polhode/solve.h>

#include "bundle-motion.h"

#include <math.h>

static const double width = 1.0 / 128;
enum { POINTS = 4 };
static const double weight[POINTS] = {8. / 5, -4. / 5, 8. / 35, -1. / 35};

/* out <- T(s w) u on each factor, the derivative of its exponential. */
static void dexp(const ph_bundle *b, double s, const double *w, const double *u, double *out)
{
    memcpy(out, u, b->np * sizeof *out);
    for (size_t k = 0; k < ph_space_factors(b->base); k++) {
        const ph_factor_place *f = ph_space_factor(b->base, k);
        if (f->kind != PH_FACTOR_S2 && f->kind != PH_FACTOR_SO3)
            continue;
        const double sign = f->kind == PH_FACTOR_S2 ? -s : s; /* S^2 turns from the left */
        const double turn[3] = {sign * w[f->p], sign * w[f->p + 1], sign * w[f->p + 2]};
        ph_dexp3(turn, u + f->p, out + f->p);
    }
}

/* u (np) <- sum_i a_i beta_i */
static void combine(const ph_bundle *b, const double *beta, const double *a, double *u)
{
    memset(u, 0, b->np * sizeof *u);
    for (size_t i = 0; i < b->nb; i++)
        for (size_t j = 0; j < b->np; j++)
            u[j] += a[i] * beta[i * b->np + j];
}

/* f += weight (H xi - W w); low (n) += weight K (w, f) only where f is known. */
static void add_shift(const ph_bundle *b, double *P, double H, double part, const double *w, double *f)
{
    const ph_bundle_data p = ph_point_parts(b, P);
    for (size_t i = 0; i < b->g; i++)
        f[i] += part * (H * p.xi[i] - ph_dot(p.w + i * b->np, w, b->np));
}

/* m (np) <- the M above, by the derivatives `along` of the point in the directions of beta (nb points). */
static void gather_slopes(const ph_bundle *b, ph_bundle_scratch *s, double H, double *along,
                          const double *beta, double *m)
{
    memset(m, 0, b->np * sizeof *m);
    for (size_t i = 0; i < b->nb; i++) {
        double *dP = along + i * ph_point_size(b);
        ph_bundle_lower(b, dP, s->D, s->low);
        const double slope = ph_dot(s->low, s->D, b->n) / 2 - H * H * *ph_point_parts(b, dP).V;
        for (size_t j = 0; j < b->np; j++)
            m[j] += slope * beta[i * b->np + j];
    }
}

static ph_status point_along(const ph_bundle *b, const double *x, const double *beta, double *along,
                             double *work)
{
    for (size_t i = 0; i < b->nb; i++) {
        ph_status status = ph_bundle_point_along(b, x, beta + i * b->np, along + i * ph_point_size(b), work);
        if (status)
            return status;
    }
    return PH_OK;
}

/* r_i += factor times the pairing of beta_i with (low, q): the horizontal part. */
static void add_horizontal(const ph_bundle *b, double *P, const double *beta, double factor,
                           const double *low, const double *q, double *r, double *scale)
{
    const ph_bundle_data p = ph_point_parts(b, P);
    for (size_t i = 0; i < b->nb; i++) {
        const double *row = beta + i * b->np;
        double sum = low ? ph_dot(low, row, b->np) : 0;
        for (size_t k = 0; k < b->g; k++)
            sum -= q[k] * ph_dot(p.w + k * b->np, row, b->np);
        r[i] += factor * sum;
        if (scale)
            scale[i] += fabs(factor * sum);
    }
}

/* s->D, s->f, s->B <- of the displacement c at H; x1 and the points that depend on it. */
static ph_status displace(const ph_bundle_motion *m, ph_bundle_scratch *s, double H, const double *c)
{
    const ph_bundle *b = m->b;
    const bool ends = m->rule == PH_BUNDLE_ENDS;
    ph_status status;
    combine(b, s->beta0, c, s->w);
    ph_space_act(b->base, s->from->x, s->w, s->x1);
    ph_bundle_basis(b, s->x1, s->beta1, s->basis);
    if (ends) {
        status = ph_bundle_point(b, s->x1, s->P1, s->point);
    } else {
        for (size_t i = 0; i < b->np; i++)
            s->turned[i] = s->w[i] / 2;
        ph_space_act(b->base, s->from->x, s->turned, s->v);
        status = ph_bundle_point(b, s->v, s->Pm, s->point);
    }
    if (status)
        return status;
    memset(s->f, 0, b->g * sizeof *s->f);
    if (ends) {
        add_shift(b, s->P0, H, 0.5, s->w, s->f);
        add_shift(b, s->P1, H, 0.5, s->w, s->f);
    } else {
        add_shift(b, s->Pm, H, 1, s->w, s->f);
    }
    memcpy(s->D, s->w, b->np * sizeof *s->D);
    memcpy(s->D + b->np, s->f, b->g * sizeof *s->D);
    ph_bundle_lower(b, ends ? s->P0 : s->Pm, s->D, s->B);
    if (ends) {
        ph_bundle_lower(b, s->P1, s->D, s->low);
        for (size_t i = 0; i < b->n; i++)
            s->B[i] = (s->B[i] + s->low[i]) / 2;
    }
    for (size_t i = 0; i < b->nb; i++) {
        dexp(b, 1, s->w, s->beta0 + i * b->np, s->turned);
        for (size_t j = 0; j < b->nb; j++)
            s->A[j * b->nb + i] = ph_dot(s->beta1 + j * b->np, s->turned, b->np);
    }
    return PH_OK;
}

/* s->bracket <- B -+ the weighted slopes of the rule, as the covector at the end where they are counted
 * from. */
static ph_status add_slopes(const ph_bundle_motion *m, ph_bundle_scratch *s, double H, bool at_end)
{
    const ph_bundle *b = m->b;
    const double part = at_end ? 0.5 : -0.5;
    ph_status status = PH_OK;
    double *x = s->v, *mean = s->v + b->na; /* na >= np but on no factor: SO(3) 9 and 3, S^1 2 and 1 */
    if (m->rule == PH_BUNDLE_MIDPOINT) {
        ph_bundle_basis(b, x, s->beta, s->basis);
        status = point_along(b, x, s->beta, s->slope, s->point);
        if (status)
            return status;
        gather_slopes(b, s, H, s->slope, s->beta, mean);
        dexp(b, at_end ? -0.5 : 0.5, s->w, mean, s->turned);
    } else if (!at_end) {
        gather_slopes(b, s, H, s->slope, s->beta0, mean);
        dexp(b, 1, s->w, mean, s->turned);
    } else {
        status = point_along(b, s->x1, s->beta1, s->slope, s->point);
        if (status)
            return status;
        gather_slopes(b, s, H, s->slope, s->beta1, mean);
        dexp(b, -1, s->w, mean, s->turned);
    }
    for (size_t i = 0; i < b->np; i++)
        s->bracket[i] = s->B[i] + part * s->turned[i];
    return PH_OK;
}

/* r (nb) += (H^2/2) F at (t, x), with the velocity of the step; its horizontal part. */
static ph_status add_force(const ph_bundle *b, ph_bundle_scratch *s, double t, const double *x, double *P,
                           const double *beta, double H, double sign, double *r, double *scale)
{
    if (H == 0)
        return PH_OK;
    for (size_t i = 0; i < b->n; i++)
        s->lift[i] = s->D[i] / H;
    ph_status status = ph_bundle_force(b, t, x, s->lift, s->lift + b->np, s->push, s->point);
    if (!status)
        add_horizontal(b, P, beta, sign * H * H / 2, s->push, s->push + b->np, r, scale);
    return status;
}

/* r <- the equation of the step, by s->from and c. */
static ph_status residual(void *self, double part, const double *c, double *r, double *scale)
{
    ph_bundle_motion *m = self;
    const ph_bundle *b = m->b;
    ph_bundle_scratch *s = &m->s;
    const double H = part * s->h;
    double q[PH_GROUP_MOST], back[PH_GROUP_MOST];
    s->s = part;
    memcpy(s->c, c, b->nb * sizeof *c);
    ph_status status = displace(m, s, H, c);
    if (!status)
        status = add_slopes(m, s, H, false);
    if (status)
        return ph_implicit_note(&s->notes, "the bundle's data", status);
    for (size_t i = 0; i < b->nb; i++)
        r[i] = ph_dot(s->beta1 + i * b->np, s->bracket, b->np);
    if (ph_lu_factor(b->nb, s->A, s->pivot, NULL))
        return PH_E_SINGULAR;
    ph_lu_solve(b->nb, s->A, s->pivot, r);
    for (size_t i = 0; i < b->nb; i++) {
        const double old = H * ph_dot(s->from->y, s->beta0 + i * b->np, b->np);
        scale[i] = fabs(r[i]) + fabs(old) + 1e-300;
        r[i] -= old;
    }
    for (size_t k = 0; k < b->g; k++)
        back[k] = -s->f[k];
    ph_group_cotangent(b->is.group, back, s->B + b->np, q);
    add_horizontal(b, s->P0, s->beta0, 1, NULL, q, r, scale);
    status = add_force(b, s, s->from->t, s->from->x, s->P0, s->beta0, H, -1, r, scale);
    return ph_implicit_note(&s->notes, "the bundle's force", status);
}

/* out <- d/ds of the residual along (dc, dpart), by differences of order 8; `stride` between its entries. */
static ph_status differentiate(ph_bundle_motion *m, size_t i, double dpart, double *out, size_t stride)
{
    const ph_bundle *b = m->b;
    ph_bundle_scratch *s = &m->s;
    const double part = s->s;
    ph_status status = PH_OK;
    memcpy(s->c0, s->c, b->nb * sizeof *s->c0);
    for (size_t k = 0; k < b->nb; k++)
        out[k * stride] = 0;
    for (int j = 1; j <= POINTS && !status; j++)
        for (int sign = -1; sign <= 1 && !status; sign += 2) {
            double *c = s->J; /* free until the Jacobian is kept there */
            memcpy(c, s->c0, b->nb * sizeof *c);
            if (i < b->nb)
                c[i] += sign * j * width;
            status = residual(m, part + sign * j * width * dpart, c, s->r, s->scale);
            for (size_t k = 0; k < b->nb; k++)
                out[k * stride] += sign * weight[j - 1] * s->r[k] / (2 * j * width);
        }
    memcpy(s->c, s->c0, b->nb * sizeof *s->c);
    s->s = part;
    return status;
}

static ph_status jacobian(void *self, double *J)
{
    ph_bundle_motion *m = self;
    ph_status status = PH_OK;
    for (size_t i = 0; i < m->b->nb && !status; i++)
        status = differentiate(m, i, 0, J + i, m->b->nb);
    return status;
}

static ph_status parameter_derivative(void *self, double *rs)
{
    ph_bundle_motion *m = self;
    return differentiate(m, m->b->nb, 1, rs, 1);
}

/* The Jacobian begins as the metric on horizontal vectors: its symmetric part is positive definite. */
static bool on_the_branch(void *self)
{
    ph_bundle_motion *m = self;
    const size_t n = m->b->nb;
    double *J = m->s.newton.J0; /* of the branch, which is not being followed */
    if (jacobian(m, J))
        return false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            J[i * n + j] = (J[i * n + j] + J[j * n + i]) / 2;
    return !ph_cholesky_factor(n, J);
}

/* What does not change in a step: point and slopes at x; and the guess c = H omega(x, y). */
static ph_status begin(ph_bundle_motion *m)
{
    const ph_bundle *b = m->b;
    ph_bundle_scratch *s = &m->s;
    const double *x = s->from->x;
    ph_bundle_basis(b, x, s->beta0, s->basis);
    ph_status status = ph_bundle_point(b, x, s->P0, s->point);
    if (!status && m->rule == PH_BUNDLE_ENDS)
        status = point_along(b, x, s->beta0, s->slope, s->point);
    if (!status)
        status = ph_bundle_velocity(b, x, s->from->y, s->v, s->work);
    if (status)
        return status;
    ph_space_spin(b->base, x, s->v, s->w);
    for (size_t i = 0; i < b->nb; i++)
        s->c0[i] = s->h * ph_dot(s->beta0 + i * b->np, s->w, b->np);
    return PH_OK;
}

/* m->next <- from the solution in s. */
static ph_status end(ph_bundle_motion *m)
{
    const ph_bundle *b = m->b;
    ph_bundle_scratch *s = &m->s;
    ph_bundle_place *at = &m->next;
    const double H = s->h;
    double q[PH_GROUP_MOST], w[PH_GROUP_MOST];
    ph_status status = m->rule == PH_BUNDLE_ENDS ? PH_OK : ph_bundle_point(b, s->x1, s->P1, s->point);
    if (!status)
        status = add_slopes(m, s, H, true);
    if (status)
        return status;
    /* A^{-T} by the rows of A^T */
    for (size_t i = 0; i < b->nb; i++) {
        dexp(b, 1, s->w, s->beta0 + i * b->np, s->turned);
        for (size_t j = 0; j < b->nb; j++)
            s->A[i * b->nb + j] = ph_dot(s->beta1 + j * b->np, s->turned, b->np);
        s->r[i] = ph_dot(s->beta0 + i * b->np, s->bracket, b->np);
    }
    if (ph_lu_factor(b->nb, s->A, s->pivot, NULL))
        return PH_E_SINGULAR;
    ph_lu_solve(b->nb, s->A, s->pivot, s->r);
    ph_group_cotangent(b->is.group, s->f, s->B + b->np, q);
    add_horizontal(b, s->P1, s->beta1, 1, NULL, q, s->r, NULL);
    status = add_force(b, s, at->t + H, s->x1, s->P1, s->beta1, H, 1, s->r, NULL);
    if (status)
        return status;
    for (size_t i = 0; i < b->nb; i++)
        s->r[i] /= H;
    combine(b, s->beta1, s->r, at->y);
    ph_bundle_advance(b->base, at->x, at->x_low, s->w, s->v);
    ph_space_project_momentum(b->base, at->x, at->y);
    ph_group_displacement(b->is.group, at->h, s->f, w);
    ph_bundle_advance(b->fibre, at->h, at->h_low, w, s->hh);
    at->t += H;
    return ph_all_finite(at->y, b->np) && ph_all_finite(at->x, b->na) && ph_all_finite(at->h, b->nh)
               ? PH_OK
               : PH_E_DIVERGED;
}

ph_status ph_bundle_discrete_step(ph_bundle_motion *m, double h)
{
    ph_bundle_scratch *s = &m->s;
    s->from = &m->next;
    s->h = h;
    m->context.h = h;
    ph_status status = begin(m);
    if (status)
        return ph_fail(&m->error, status, "the bundle's data failed at t = %.10g s: %s", m->next.t,
                       ph_status_text(status));
    const ph_implicit_root root = {.equations = {.n = m->b->nb,
                                                 .size = 1,
                                                 .self = m,
                                                 .residual = residual,
                                                 .jacobian = jacobian,
                                                 .parameter_derivative = parameter_derivative},
                                   .guessed = true,
                                   .on_the_branch = on_the_branch,
                                   .notes = &s->notes};
    double *x = s->stage;
    memcpy(x, s->c0, m->b->nb * sizeof *x);
    status = ph_implicit_solve(&root, &m->context, m->next.t, x, &s->newton);
    if (!status)
        status = residual(m, 1, x, s->r, s->scale); /* on_the_branch has been elsewhere */
    if (!status)
        status = end(m);
    if (status && !m->error.message[0])
        ph_fail(&m->error, status, "step from t = %.10g s: %s", m->next.t, ph_status_text(status));
    return status;
}
