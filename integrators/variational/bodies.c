/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational integrator on SO(3)^n for bodies whose kinetic energy is the sum of theirs (the potential
 * may couple them), of order 2: each body has three equations of its own. With F = R^T R+ the Cayley map of f
 * = tan(t/2) n, t the turn about n, and g = h (Pi + (h/2) M), M the moment in the body frame, they (the discrete
 * Legendre transform p = -D_1 L_d) are polynomials,
 *     2 J f - g - g x f - (g.f) f = 0,        Jacobian 2 J - S(g) - (g.f) I - f g^T,
 * solved by Newton with 3 x 3 matrices and without trigonometric functions. It is the step of
 * product.c by less work, and keeps its carry (with the gradient at z): whenever Newton does not
 * contract at once from the extrapolated increments, or a turn is large, that one does the step (and chooses
 * the root).
 *
 * R Pi, the momentum in the frame of the surroundings, is what is summed up; Pi = R^T (R Pi) is read off.
 *
 * Source: Lee, Leok, McClamroch, Comput. Methods Appl. Mech. Engrg. 196 (2007) 2907 (the implicit equation
 * and its Cayley form); only J enters, J_d = tr(J) I / 2 - J need not be positive. */
#include <polhode/kit/algebra.h>

#include "bodies.h"
#include "integrators/shared/carry.h"
#include "variational.h"

#include <string.h>

typedef struct scratch {
    ph_variational product; /* the general step, with scratch of its own */
    const ph_body *bodies;
    size_t n;
    bool forced, pushed;    /* is there a force; or a potential */
    double *f, *v;          /* (9n) force, velocity 0 */
    double *turn;           /* (3n) f of the Cayley map */
    double *dS;             /* (3n) */
    double *z1, *low, *g1;  /* (9n); low-order part of z1 */
    double *S1, *low1, *p1; /* (3n) */
} scratch;

static size_t lay(const ph_system *system, const double *options, ph_lay *l)
{
    scratch counted, *w = ph_variational_place(l, &counted, sizeof counted);
    const ph_method_size product = ph_variational_measure(&ph_variational_product, system, options);
    const size_t n = ph_space_factors(ph_system_space(system));
    double **large[] = {&w->f, &w->v, &w->z1, &w->low, &w->g1},
           **small[] = {&w->turn, &w->dS, &w->S1, &w->low1, &w->p1};
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        *large[i] = ph_lay_doubles(l, 9 * n);
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
        *small[i] = ph_lay_doubles(l, 3 * n);
    w->n = n;
    w->product = (ph_variational){.kernel = &ph_variational_product, .work = ph_lay_line(l, product.work)};
    return product.carry;
}

static ph_status init(ph_variational *method, ph_context *context)
{
    scratch *w = method->work;
    w->bodies = ph_system_bodies(context->system);
    w->forced = ph_system_has_force(context->system);
    w->pushed = w->forced || ph_system_has_potential(context->system);
    memset(w->f, 0, 9 * w->n * sizeof *w->f);
    memset(w->v, 0, 9 * w->n * sizeof *w->v);
    return ph_variational_begin(&w->product, context);
}

/* moment (of the surroundings' frame) <- - sum over the columns c of R_c x push_c, push = g - f */
static void moment_at(const double *R, const double *g, const double *f, double moment[3])
{
    double push[9];
    for (int k = 0; k < 9; k++)
        push[k] = f[k] - g[k];
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        moment[k] = ph_dot3(R + 3 * a, push + 3 * b) - ph_dot3(R + 3 * b, push + 3 * a);
    }
}

/* Solve for f from the guess in it; false where it is not beyond doubt that this is the root. A correction
 * leaves about its square, always on the same side, so that it would add up: nothing is to be left of it. */
static bool solve_body(const ph_body *body, const double g[3], double f[3], int64_t *passes)
{
    double J2[9], first = 0;
    for (int k = 0; k < 9; k++)
        J2[k] = 2 * body->J[k];
    for (int pass = 0; pass < MAX_PASSES; pass++) {
        double r[3], turn[3], along = ph_dot3(g, f);
        ph_cross3(g, f, turn);
        for (int k = 0; k < 3; k++)
            r[k] = ph_dot3(J2 + 3 * k, f) - g[k] - turn[k] - along * f[k];
        /* columns of the Jacobian */
        double K[9] = {J2[0] - along - f[0] * g[0], J2[3] - g[2] - f[1] * g[0],  J2[6] + g[1] - f[2] * g[0],
                       J2[1] + g[2] - f[0] * g[1],  J2[4] - along - f[1] * g[1], J2[7] - g[0] - f[2] * g[1],
                       J2[2] - g[1] - f[0] * g[2],  J2[5] + g[0] - f[1] * g[2],  J2[8] - along - f[2] * g[2]};
        double c0[3], c1[3], c2[3];
        ph_cross3(K + 3, K + 6, c0);
        ph_cross3(K + 6, K, c1);
        ph_cross3(K, K + 3, c2);
        double inverse = 1 / ph_dot3(K, c0);
        double d[3] = {ph_dot3(c0, r) * inverse, ph_dot3(c1, r) * inverse, ph_dot3(c2, r) * inverse};
        double step = fmax(fabs(d[0]), fmax(fabs(d[1]), fabs(d[2])));
        for (int k = 0; k < 3; k++)
            f[k] -= d[k];
        ++*passes;
        if (pass == 0)
            first = step;
        if (!(inverse > 0) || !(step <= correction_wanted) ||
            (pass == 1 && !(step <= contraction_wanted * first + 1e-14)))
            return false;
        if (step <= last_correction)
            return true;
    }
    return false;
}

/* R1 + low1 <- (R + low) F corrected, F - I = 2 (S(f) + S(f)^2) / (1 + f.f) */
static void turn_body(const double *R, const double *low, const double f[3], double *R1, double *low1)
{
    double s = 2 / (1 + ph_dot3(f, f)), X[9], D[9];
    ph_hat3(f, X);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            X[3 * i + j] = s * (X[3 * i + j] + f[i] * f[j]);
    X[0] = -s * (f[1] * f[1] + f[2] * f[2]);
    X[4] = -s * (f[0] * f[0] + f[2] * f[2]);
    X[8] = -s * (f[0] * f[0] + f[1] * f[1]);
    ph_multiply3(R, X, D);
    for (int k = 0; k < 9; k++)
        ph_two_sum(R[k], D[k] + low[k], &R1[k], &low1[k]);
    ph_rotation_correct_sum3(R1, low1);
}

/* g <- h R^T S, both with their low-order parts. R is multiplied by the upper half of h S, and by the rest:
 * where h or S is a simple fraction, the rounding of R h S would lean to one side, and so would f. */
static void turned_back(const double *R, const double *low, const double *S, const double *S_low, double h,
                        double g[3])
{
    const double splitter = 0x1p27 + 1; /* Dekker's */
    double upper[3], rest[3];
    for (int k = 0; k < 3; k++) {
        double s = h * S[k], t = splitter * s;
        upper[k] = t - (t - s);
        rest[k] = (s - upper[k]) + h * S_low[k];
    }
    for (int k = 0; k < 3; k++) {
        double more = 0;
        for (int i = 0; i < 3; i++)
            more += R[3 * i + k] * rest[i] + low[3 * i + k] * upper[i];
        g[k] = (R[k] * upper[0] + R[3 + k] * upper[1] + R[6 + k] * upper[2]) + more;
    }
}

/* All bodies turned; dS <- the push at the start. false: not by this step. */
static bool solve_all(scratch *w, const ph_state *state, const ph_carry *c, const ph_stage *stage, double h,
                      int64_t *passes)
{
    for (size_t i = 0; i < w->n; i++) {
        const double *R = state->z + 9 * i, *low = c->z_low + 9 * i, *y = c->y + 3 * i;
        const double *y2 = y + 3 * w->n, *y3 = y2 + 3 * w->n;
        double *f = w->turn + 3 * i, *dS = w->dS + 3 * i, moment[3], g[3], t2 = 0;
        turned_back(R, low, c->S + 3 * i, c->low + 3 * i, h, g);
        if (w->pushed) {
            moment_at(R, c->more + 9 * i, w->f + 9 * i, dS);
            ph_apply_transposed3(R, dS, moment);
        } else {
            memset(dS, 0, 3 * sizeof *dS);
            memset(moment, 0, sizeof moment);
        }
        for (size_t k = 0; k < 3; k++) {
            f[k] = ph_extrapolate(stage, *c->count, y[k], y2[k], y3[k]);
            t2 += f[k] * f[k];
            /* by h / 2, like dS: h^2 / 2 would be rounded otherwise, and do work of one sign */
            g[k] += h * (0.5 * h * moment[k]);
            dS[k] *= 0.5 * h;
        }
        for (size_t k = 0; k < 3; k++) /* tan(t/2)/t as far as a guess needs it */
            f[k] *= 0.5 + t2 * (1. / 24 + t2 * (1. / 240));
        if (!solve_body(&w->bodies[i], g, f, passes) || !(ph_dot3(f, f) <= largest_f * largest_f))
            return false;
        turn_body(R, low, f, w->z1 + 9 * i, w->low + 9 * i);
    }
    return true;
}

static ph_status call_force(const ph_context *context, scratch *w, const double *z, double t)
{
    if (!w->forced)
        return PH_OK;
    return ph_context_judge(context, "the force", t, ph_system_force(context->system, t, z, w->v, w->f), w->f,
                            9 * w->n);
}

static void new_momenta(scratch *w, const ph_carry *c, double h)
{
    for (size_t i = 0; i < w->n; i++) {
        double moment[3] = {0, 0, 0};
        if (w->pushed)
            moment_at(w->z1 + 9 * i, w->g1 + 9 * i, w->f + 9 * i, moment);
        for (size_t k = 0; k < 3; k++) {
            size_t at = 3 * i + k;
            ph_two_sum(c->S[at], c->low[at] + (w->dS[at] + 0.5 * h * moment[k]), &w->S1[at], &w->low1[at]);
        }
        ph_apply_transposed3(w->z1 + 9 * i, w->S1 + 3 * i, w->p1 + 3 * i);
    }
}

static void copy3(double *to, const double *from)
{
    memcpy(to, from, 3 * sizeof *to);
}

/* Body by body: copies of known size are no calls. */
static void commit(const scratch *w, ph_state *state, const ph_carry *c)
{
    size_t np = 3 * w->n;
    for (size_t i = 0; i < w->n; i++) {
        double *y = c->y + 3 * i;
        const double *f = w->turn + 3 * i;
        double f2 = ph_dot3(f, f), stretch = 2 - f2 * (2. / 3 - f2 * (2. / 5 - f2 * (2. / 7)));
        memcpy(state->z + 9 * i, w->z1 + 9 * i, 9 * sizeof(double));
        memcpy(c->z_low + 9 * i, w->low + 9 * i, 9 * sizeof(double));
        copy3(state->p + 3 * i, w->p1 + 3 * i);
        copy3(c->S + 3 * i, w->S1 + 3 * i);
        copy3(c->low + 3 * i, w->low1 + 3 * i);
        if (w->pushed)
            memcpy(c->more + 9 * i, w->g1 + 9 * i, 9 * sizeof(double));
        copy3(y + 2 * np, y + np);
        copy3(y + np, y);
        for (size_t k = 0; k < 3; k++) /* t n, as far as a guess needs it */
            y[k] = stretch * f[k];
    }
    *c->count = *c->count < PH_CARRY_HISTORY ? *c->count + 1 : PH_CARRY_HISTORY;
}

/* Where the step by 3 x 3 matrices is in doubt. */
static ph_status step_by_product(scratch *w, const ph_stage *stage, ph_context *context, ph_state *state)
{
    w->product.stage = stage;
    return ph_variational_product.step(&w->product, context, state);
}

static ph_status step(ph_variational *method, ph_context *context, ph_state *state)
{
    scratch *w = method->work;
    ph_carry c = ph_carry_at(state->carry, state->np, state->nz);
    double h = context->h, t1 = state->t_base + (double)(state->k + 1 - state->k_base) * h;
    if (!ph_carry_is_warm(&c, ph_stage_stamp(method->stage, h)))
        return step_by_product(w, method->stage, context, state);
    ph_status status = call_force(context, w, state->z, state->t);
    if (status)
        return status;
    if (!solve_all(w, state, &c, method->stage, h, &context->statistics->newton_passes))
        return step_by_product(w, method->stage, context, state);
    if (w->pushed)
        status = ph_context_judge(context, "the gradient of the potential", t1,
                                  ph_system_gradient(context->system, w->z1, w->g1), w->g1, 9 * w->n);
    if (!status)
        status = call_force(context, w, w->z1, t1);
    if (status)
        return status;
    new_momenta(w, &c, h);
    if (!ph_all_finite(w->p1, 3 * w->n))
        return ph_fail(context->error, PH_E_DIVERGED, "the momentum is not finite after t = %.10g s",
                       state->t);
    commit(w, state, &c);
    return PH_OK;
}

const ph_variational_kernel ph_variational_bodies = {.lay = lay, .init = init, .step = step, .dense = true};
