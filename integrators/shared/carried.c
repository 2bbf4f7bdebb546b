/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of a step of links that a rigid body carries: see carried.h. The correction of a guess is found with the factors made at
 * the guess: residuals are quadratic in the pulls, R + T dlambda + (1/2) |nu|^2, nu the change of D, and what a turn adds that is not
 * linear is measured as such; so a pass costs a solution, and passes end where neither changes any more (variational/multipliers.c). */
/* Loops over all numbers alike are left to the compiler: each number is computed by itself, with the same bits. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("tree-loop-vectorize")
#endif

#include "carried.h"
#include "tensions.h"

#include <polhode/kit/tensions.h>

#include <math.h>

enum { MOST_PASSES = 6 };

void ph_carried_lay(carried_step *w, const ph_system *system, ph_lay *l)
{
    (void)ph_system_carrier(system, &w->links);
    w->n = ph_space_factors(ph_system_space(w->links));
    double **numbers[] = {&w->mass,   &w->w,    &w->l,    &w->il,     &w->lambda,
                          &w->excess, &w->rest, &w->size, &w->change, &w->square},
           **vectors[] = {&w->a1, &w->a2, &w->X, &w->D, &w->q1, &w->nu, &w->w3, &w->il3};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        *numbers[i] = ph_lay_doubles(l, w->n);
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = ph_lay_doubles(l, 3 * w->n);
    w->P = ph_lay_doubles(l, 3 * w->n + 3);
    w->F = ph_lay_doubles(l, ph_tension_size(w->links));
    w->x = ph_lay_doubles(l, w->n + 2);
    ph_newton_sparse_place(&w->newton, w->n + 2, l);
}

void ph_carried_set(carried_step *w, const ph_system *system)
{
    const ph_linkage_body *body = ph_system_carrier(system, &w->links);
    const ph_linkage *l = ph_system_linkage(w->links);
    const double *J = body->inertia, own[6] = {J[0], J[4], J[8], J[5], J[2], J[1]};
    memcpy(w->J, own, sizeof own);
    memcpy(w->hitch, body->hitch, sizeof w->hitch);
    w->parent = l->parent;
    for (size_t i = 0; i < w->n; i++) {
        w->mass[i] = l->mass[i];
        w->w[i] = 1 / l->mass[i];
        w->l[i] = i ? l->length[i] : 1;
        w->il[i] = 1 / w->l[i];
        w->row = (i < 2 || w->row) && (!i || w->parent[i] == i - 1);
        for (size_t k = 3 * i; k < 3 * i + 3; k++) {
            w->w3[k] = w->w[i];
            w->il3[k] = w->il[i];
        }
    }
    memset(w->P, 0, (3 * w->n + 3) * sizeof *w->P);
    memset(w->lambda, 0, w->n * sizeof *w->lambda);
    memset(&w->body, 0, sizeof w->body);
    memset(w->nu, 0, 3 * w->n * sizeof *w->nu);
}

/* ---- What the system does ------------------------------------------------------------------------ */

void ph_carried_accelerate(const carried_step *w, const double *z, const double *f, double *a, double L[3])
{
    double on[3] = {0, 0, 0}, c[3], turn[3];
    const double *q = f + CARRIED_BODY;
    for (size_t i = 1; i < w->n; i++) {
        const size_t parent = w->parent[i];
        double *of = parent ? a + 3 * parent : on;
        for (size_t k = 0; k < 3; k++) {
            const double pull = q[3 * i + k] * w->il[i];
            a[3 * i + k] = w->w[i] * pull;
            of[k] -= (parent ? w->w[parent] : 1) * pull;
        }
    }
    ph_apply3(z + 3, w->hitch, c);
    ph_cross3(c, on, turn);
    joints_spin(z + 3, f + 3, L);
    for (size_t k = 0; k < 3; k++) {
        a[k] = w->w[0] * (f[k] + on[k]);
        L[k] += turn[k];
    }
}

void ph_carried_momenta(const carried_step *w, const double *z, const double *U, const double M[3],
                        double *mu, double S[3])
{
    double c[3], *F = mu + CARRIED_BODY;
    memset(F, 0, 3 * sizeof *F);
    for (size_t k = 3; k < 3 * w->n; k++)
        F[k] = w->mass[k / 3] * U[k];
    for (size_t i = w->n; i-- > 1;)
        for (size_t k = 0; k < 3; k++) {
            F[3 * w->parent[i] + k] += F[3 * i + k];
            F[3 * i + k] *= w->l[i];
        }
    ph_apply3(z + 3, w->hitch, c);
    ph_cross3(c, F, S);
    for (size_t k = 0; k < 3; k++) {
        mu[k] = w->mass[0] * U[k] + F[k];
        S[k] += M[k];
    }
}

/* ---- The equations ------------------------------------------------------------------------------- */

/* c, J and the excess at the start. */
PH_WITH_FMA static void begin(carried_step *w)
{
    const double *q = w->z + CARRIED_BODY, *low = w->low ? w->low + CARRIED_BODY : NULL;
    ph_apply3(w->z + 3, w->hitch, w->body.c);
    turn_tensor(w->z + 3, w->J, w->body.J);
    for (size_t i = 1; i < w->n; i++) {
        double excess = -1;
        for (size_t k = 3 * i; k < 3 * i + 3; k++)
            excess = fma(q[k], q[k], excess);
        for (size_t k = 3 * i; k < 3 * i + 3 && low; k++)
            excess += 2 * q[k] * low[k];
        w->excess[i] = excess;
    }
}

/* X, D, q1, rest and size at lambda and v; R_0 in body.r; returns the size of its terms. */
PH_WITH_FMA static double residual_at(carried_step *w)
{
    const double h = w->s, *restrict q = w->z + CARRIED_BODY, *restrict a1 = w->a1, *restrict a2 = w->a2;
    const size_t m = 3 * w->n;
    joints_node *b = &w->body;
    double on[3], Y[3], turn[3], spin[3],
        sum = 0, *restrict X = w->X, *restrict D = w->D, *restrict q1 = w->q1, *restrict along = w->nu;
    for (size_t k = 0; k < m; k++)
        X[k] = h * (a1[k] + h * a2[k]);
    carried_pull(w, w->lambda, 1, on);
    carried_add(true, w, X);
    b->q0 = sqrt(1 - ph_dot3(b->v, b->v));
    turn_increment(b->v, b->q0, b->c, b->Dc);
    spin_of_turn(b, b->v, b->q0, spin);
    ph_cross3(b->c, on, turn);
    for (size_t k = 0; k < 3; k++) {
        const double load = h * (w->L1[k] + h * w->L2[k]);
        X[k] += w->w[0] * on[k];
        Y[k] = X[k] + b->Dc[k];
        w->c1[k] = b->c[k] + b->Dc[k];
        b->r[k] = (spin[k] - turn[k]) - load;
        sum += fabs(spin[k]) + fabs(turn[k]) + fabs(load);
    }
    carried_differ(w, X, Y, D);
    for (size_t k = 3; k < m; k++) {
        q1[k] = q[k] + D[k];
        along[k] = D[k] * (q[k] + 0.5 * D[k]);
    }
    for (size_t i = 1; i < w->n; i++) {
        w->rest[i] = ((along[3 * i] + along[3 * i + 1]) + along[3 * i + 2]) + 0.5 * (h * w->excess[i]);
        w->size[i] = sum_of_sizes(D + 3 * i);
    }
    return sum + DBL_MIN;
}

/* K^{-1} in body.Q, W and the factors at the latest residual; *sign: of the determinant. */
static ph_status factor_here(carried_step *w, int *sign)
{
    joints_node *b = &w->body;
    joints_own_pivot(b, 0, w->c1, w->K);
    memcpy(b->Q, w->K, sizeof w->K);
    const double determinant = joints_invert(b->Q);
    for (size_t k = 0; k < 3; k++) { /* columns: W e = w e + (K^{-1} (c x e)) x c+ */
        const double e[3] = {k == 0, k == 1, k == 2};
        double turn[3], omega[3], moved[3];
        ph_cross3(b->c, e, turn);
        ph_apply3(b->Q, turn, omega);
        ph_cross3(omega, w->c1, moved);
        for (size_t a = 0; a < 3; a++)
            w->W[3 * a + k] = moved[a] + (a == k ? w->w[0] : 0);
    }
    const ph_status status = ph_tension_factor_on(w->links, w->W, w->q1, w->z + CARRIED_BODY, w->F, sign);
    *sign = determinant < 0 ? -*sign : *sign;
    return status || !(fabs(determinant) > 0 && fabs(determinant) < INFINITY) ? PH_E_SINGULAR : PH_OK;
}

/* change (n) <- of lambda, e <- of the turn, from right-hand sides: change of the links, r of the body. */
static void solve_here(const carried_step *w, double *change, const double r[3], double e[3])
{
    const joints_node *b = &w->body;
    const double *q = w->z + CARRIED_BODY;
    double on[3] = {0, 0, 0}, turn[3], moved[3], left[3];
    ph_apply3(b->Q, r, turn);
    ph_cross3(turn, w->c1, moved);
    change[0] = 0;
    for (size_t i = 1; i < w->n; i++)
        if (!w->parent[i])
            change[i] += w->il[i] * ph_dot3(w->q1 + 3 * i, moved);
    ph_tension_solve(w->links, w->F, change);
    for (size_t i = 1; i < w->n; i++) {
        change[i] *= w->il[i];
        for (size_t k = 0; k < 3 && !w->parent[i]; k++)
            on[k] += change[i] * q[3 * i + k];
    }
    ph_cross3(b->c, on, left);
    for (size_t k = 0; k < 3; k++)
        left[k] = r[k] - left[k];
    ph_apply3(b->Q, left, e);
}

void ph_carried_move(carried_step *w)
{
    residual_at(w);
}

/* ---- From a guess --------------------------------------------------------------------------------- */

/* square <- of the changes of lambda and of the turn, `bent` what turns move the hitch by besides. *largest of squares; has one
 * changed by more than rounding? */
PH_WITH_FMA static bool measure(carried_step *w, const double Y[3], const double bent[3], double *largest)
{
    double on[3], X[3], *restrict moved = w->nu, *restrict nu = w->D;
    bool changed = false;
    double most = 0;
    carried_pull(w, w->change, 1, on);
    carried_add(false, w, moved);
    for (size_t k = 0; k < 3; k++)
        X[k] = w->w[0] * on[k] + Y[k];
    carried_differ(w, moved, X, nu);
    for (size_t i = 1; i < w->n; i++) {
        double square = ph_dot3(nu + 3 * i, nu + 3 * i);
        most = square > most ? square : most;
        if (!w->parent[i])
            square -= 2 * w->il[i] * ph_dot3(w->q1 + 3 * i, bent);
        changed |= !(fabs(square - w->square[i]) <= 0.25 * DBL_EPSILON * w->size[i]);
        w->square[i] = square;
    }
    *largest = most;
    return changed;
}

bool ph_carried_solve_fast(carried_step *w, int64_t *passes)
{
    joints_node *b = &w->body;
    int sign = 0;
    bool left = true;
    double spin[3], rest[3] = {0, 0, 0}, guess[3], Dc[3], rounding;
    begin(w);
    w->s = 1;
    if (!(ph_dot3(b->v, b->v) <= 0.0625))
        return false;
    rounding = 0.25 * DBL_EPSILON * residual_at(w);
    if (factor_here(w, &sign) || sign < 0)
        return false;
    memset(w->square, 0, w->n * sizeof *w->square);
    memcpy(guess, b->v, sizeof guess);
    memcpy(Dc, b->Dc, sizeof Dc);
    spin_of_turn(b, guess, b->q0, spin);
    const double q0 = b->q0;
    for (int pass = 0; pass < MOST_PASSES && left; pass++) {
        double r[3], e[3], dv[3], now[3], turn[3], Y[3], bent[3], largest;
        for (size_t k = 0; k < 3; k++)
            r[k] = -(b->r[k] + rest[k]);
        for (size_t i = 1; i < w->n; i++)
            w->change[i] = -(w->rest[i] + 0.5 * w->square[i]);
        solve_here(w, w->change, r, e);
        /* the turn with this correction, and what it does beyond K e and e x c+ */
        ph_cross3(e, guess, dv);
        for (size_t k = 0; k < 3; k++)
            b->v[k] = guess[k] + 0.5 * (q0 * e[k] + dv[k]);
        b->q0 = sqrt(1 - ph_dot3(b->v, b->v));
        turn_increment(b->v, b->q0, b->c, b->Dc);
        ph_cross3(e, w->c1, turn);
        left = false;
        for (size_t k = 0; k < 3; k++) {
            Y[k] = b->Dc[k] - Dc[k];
            bent[k] = Y[k] - turn[k];
        }
        spin_of_turn(b, b->v, b->q0, now);
        ph_apply3(w->K, e, turn);
        for (size_t k = 0; k < 3; k++) {
            const double more = (now[k] - spin[k]) - turn[k];
            left = left || !(fabs(more - rest[k]) <= rounding);
            rest[k] = more;
        }
        left |= measure(w, Y, bent, &largest);
        ++*passes;
        if (!(largest <= PH_LARGEST_CORRECTION * PH_LARGEST_CORRECTION) ||
            !(largest_of(e) <= PH_LARGEST_CORRECTION))
            return false;
    }
    if (left)
        return false;
    for (size_t i = 1; i < w->n; i++)
        w->lambda[i] += w->change[i];
    return true;
}

/* T lambda = - q . D_0 - (1/2) (|D|^2 + |q|^2 - 1), D_0 without pulls, where the turn is as expected. */
ph_status ph_carried_expect(carried_step *w, const double *D)
{
    const double *q = w->z + CARRIED_BODY;
    begin(w);
    memset(w->lambda, 0, w->n * sizeof *w->lambda);
    w->s = 1;
    if (!(ph_dot3(w->body.v, w->body.v) <= 0.0625))
        return PH_E_SINGULAR;
    residual_at(w);
    const ph_status status = ph_tension_factor(w->links, q, q, w->F, NULL);
    if (status)
        return status;
    for (size_t i = 1; i < w->n; i++) {
        const double *own = w->D + 3 * i, *wanted = D + 3 * i;
        w->lambda[i] = 0.5 * (ph_dot3(own, own) - ph_dot3(wanted, wanted)) - w->rest[i];
    }
    ph_tension_solve(w->links, w->F, w->lambda);
    for (size_t i = 1; i < w->n; i++)
        w->lambda[i] *= w->il[i];
    return PH_OK;
}

/* ---- The general solver ---------------------------------------------------------------------------- */

/* x: lambda in displacements of the links, v. */
static double own(const carried_step *w, size_t i)
{
    return (w->w[i] + w->w[w->parent[i]]) * w->il[i];
}

/* terms (n) <- sums of the magnitudes of what the X are made of, which say what rounding leaves in their differences. */
static void measure_terms(const carried_step *w, double *terms)
{
    for (size_t i = 0; i < w->n; i++)
        terms[i] = i ? fabs(w->lambda[i]) : 0;
    for (size_t i = 1; i < w->n; i++)
        terms[w->parent[i]] += fabs(w->lambda[i]);
    for (size_t i = 0; i < w->n; i++) {
        terms[i] *= w->w[i];
        for (size_t k = 3 * i; k < 3 * i + 3; k++)
            terms[i] += w->s * (fabs(w->a1[k]) + w->s * fabs(w->a2[k]));
    }
    terms[0] += sum_of_sizes(w->body.Dc);
}

static ph_status residual(void *self, double s, const double *x, double *r, double *scale)
{
    carried_step *w = self;
    w->s = s;
    for (size_t i = 1; i < w->n; i++)
        w->lambda[i] = x[i - 1] / own(w, i);
    memcpy(w->body.v, x + w->n - 1, sizeof w->body.v);
    const double size = residual_at(w);
    measure_terms(w, w->square);
    for (size_t i = 1; i < w->n; i++) {
        r[i - 1] = w->rest[i];
        scale[i - 1] = w->size[i] + (w->square[i] + w->square[w->parent[i]]) * w->il[i];
    }
    for (size_t k = 0; k < 3; k++) {
        r[w->n - 1 + k] = w->body.r[k];
        scale[w->n - 1 + k] = size;
    }
    return PH_OK;
}

static ph_status factor(void *self, int *sign)
{
    return factor_here(self, sign);
}

static void solve(void *self, double *r)
{
    carried_step *w = self;
    double e[3], *turn = r + w->n - 1;
    memcpy(w->change + 1, r, (w->n - 1) * sizeof *r);
    solve_here(w, w->change, turn, e);
    memcpy(w->body.e, e, sizeof e);
    joints_correct(&w->body, turn);
    for (size_t i = 1; i < w->n; i++)
        r[i - 1] = w->change[i] * own(w, i);
}

static ph_status parameter_derivative(void *self, double *rs)
{
    const carried_step *w = self;
    for (size_t i = 1; i < w->n; i++) {
        double sum = 0.5 * w->excess[i];
        for (size_t k = 0; k < 3; k++) {
            const size_t at = 3 * i + k, from = 3 * w->parent[i] + k;
            sum += w->q1[at] * w->il[i] * ((w->a1[at] - w->a1[from]) + 2 * w->s * (w->a2[at] - w->a2[from]));
        }
        rs[i - 1] = sum;
    }
    for (size_t k = 0; k < 3; k++)
        rs[w->n - 1 + k] = -(w->L1[k] + 2 * w->s * w->L2[k]);
    return PH_OK;
}

static bool on_the_branch(void *self)
{
    carried_step *w = self;
    int sign = 0;
    return !factor_here(w, &sign) && sign > 0 && joints_is_positive(w->K);
}

ph_status ph_carried_solve_slowly(carried_step *w, ph_context *context, double t)
{
    const ph_implicit_root root = {.equations = {.n = w->n + 2,
                                                 .size = 0.5,
                                                 .self = w,
                                                 .residual = residual,
                                                 .parameter_derivative = parameter_derivative,
                                                 .factor = factor,
                                                 .solve = solve},
                                   .guessed = true,
                                   .on_the_branch = on_the_branch};
    begin(w);
    /* the pulls and the turn that make the increment tangent */
    memset(w->lambda, 0, w->n * sizeof *w->lambda);
    memset(w->body.v, 0, sizeof w->body.v);
    w->s = 0;
    residual_at(w);
    int sign = 0;
    double r[3], e[3] = {0, 0, 0};
    const bool regular = !factor_here(w, &sign);
    for (size_t i = 1; i < w->n; i++) {
        double sum = 0;
        for (size_t k = 0; k < 3; k++) {
            const size_t at = 3 * i + k, from = 3 * w->parent[i] + k;
            sum -= w->q1[at] * w->il[i] * ((w->a1[at] - w->a1[from]) + (w->a2[at] - w->a2[from]));
        }
        w->change[i] = sum;
    }
    for (size_t k = 0; k < 3; k++)
        r[k] = w->L1[k] + w->L2[k];
    if (regular)
        solve_here(w, w->change, r, e);
    for (size_t i = 1; i < w->n; i++)
        w->x[i - 1] = regular ? w->change[i] * own(w, i) : 0;
    for (size_t k = 0; k < 3; k++)
        w->x[w->n - 1 + k] = 0.5 * e[k];
    if (!(ph_dot3(e, e) < 1))
        memset(w->x, 0, (w->n + 2) * sizeof *w->x);
    return ph_implicit_solve(&root, context, t, w->x, &w->newton);
}
