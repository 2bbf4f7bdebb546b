/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods of a user's own, written and built as a user would: with the installed headers alone, against the
 * installed library. They have what the methods of the catalogue have: scratch by ph_lay, the root on the
 * branch from h = 0 by ph_implicit_solve, failures of callbacks by their names. */
#include <polhode/polhode.h>

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A variational method on any product of manifolds --------------------------------------------
 *
 * Constant inertia MM, no force. With the chord D = exp_z(B^T x) - z, the rows of B a tangent basis at z,
 *     L_d = D . MM D / (2 h) - (h/2) (U(z) + U(z+)),
 *     p = -D_1 L_d:      B (MM D + (h^2/2) dU(z) - h mu) = 0,      mu the covector of p,
 *     p+ = D_2 L_d:      MM D / h - (h/2) dU(z+)
 * (Marsden, West, Acta Numerica 10 (2001), 1.5). It is `variational` with discrete-lagrangian=ends. */

typedef struct chord {
    const ph_system *system;
    const ph_space *space;
    size_t nx, nz;
    double h, s;             /* step size; s of the latest residual */
    const double *z;         /* (nz) where the step begins */
    double *B;               /* (nx x nz) tangent basis */
    double *x, *row;         /* (nx) unknowns; a row of the Jacobian */
    double *v, *D, *MD;      /* (nz) B^T x, exp_z(v) - z, MM D */
    double *g, *mu, *z1, *u; /* (nz) dU, covector of p, end of the step; whatever is needed */
    double *p1, *blocks;     /* (np); the basis as ph_space_basis writes it */
    double *work;            /* ph_system_work */
    ph_newton_work newton;
} chord;

static void lay_chord(chord *w, const ph_system *system, ph_lay *l)
{
    const ph_space *space = ph_system_space(system);
    const size_t nx = ph_space_dimension(space), nz = ph_space_ambient(space);
    double **vectors[] = {&w->v, &w->D, &w->MD, &w->g, &w->mu, &w->z1, &w->u};
    ph_lay_bytes(l, sizeof *w);
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = ph_lay_doubles(l, nz);
    w->B = ph_lay_line(l, nx * nz * sizeof *w->B);
    w->x = ph_lay_doubles(l, nx);
    w->row = ph_lay_doubles(l, nx);
    w->p1 = ph_lay_doubles(l, ph_space_momenta(space));
    w->blocks = ph_lay_doubles(l, ph_space_basis_size(space));
    w->work = ph_lay_doubles(l, ph_system_work(system));
    ph_newton_place(&w->newton, nx, l);
}

static ph_method_size chord_size(const ph_system *system, const double *options)
{
    chord counted;
    ph_lay l = {NULL, 0};
    (void)options;
    lay_chord(&counted, system, &l);
    return (ph_method_size){.work = l.bytes};
}

static ph_status chord_init(ph_context *context)
{
    chord *w = context->work;
    ph_lay l = {context->work, 0};
    lay_chord(w, context->system, &l);
    w->system = context->system;
    w->space = ph_system_space(context->system);
    w->nx = ph_space_dimension(w->space);
    w->nz = ph_space_ambient(w->space);
    w->h = context->h;
    return PH_OK;
}

static void find_basis(chord *w)
{
    const double *from = w->blocks;
    ph_space_basis(w->space, w->z, w->blocks);
    memset(w->B, 0, w->nx * w->nz * sizeof *w->B);
    for (size_t i = 0; i < ph_space_factors(w->space); i++) {
        const ph_factor_place *f = ph_space_factor(w->space, i);
        for (size_t a = 0; a < f->nx; a++, from += f->nz)
            memcpy(w->B + (f->x + a) * w->nz + f->z, from, f->nz * sizeof *from);
    }
}

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

static ph_status chord_residual(void *self, double s, const double *x, double *r, double *scale)
{
    chord *w = self;
    const double sh = s * w->h;
    w->s = s;
    memset(w->v, 0, w->nz * sizeof *w->v);
    for (size_t a = 0; a < w->nx; a++)
        for (size_t k = 0; k < w->nz; k++)
            w->v[k] += x[a] * w->B[a * w->nz + k];
    for (size_t i = 0; i < ph_space_factors(w->space); i++) {
        const size_t at = ph_space_factor(w->space, i)->z;
        ph_space_factor_increment(w->space, i, w->z, w->v + at, w->D + at);
    }
    ph_system_apply_inertia(w->system, w->D, w->MD);
    for (size_t a = 0; a < w->nx; a++) {
        r[a] = 0;
        scale[a] = DBL_MIN;
        for (size_t k = 0; k < w->nz; k++) {
            const double fall = 0.5 * sh * sh * w->g[k], carried = sh * w->mu[k], b = w->B[a * w->nz + k];
            r[a] += b * (w->MD[k] + (fall - carried));
            scale[a] += fabs(b) * (fabs(w->MD[k]) + fabs(fall) + fabs(carried));
        }
    }
    return PH_OK;
}

static ph_status chord_jacobian(void *self, double *J)
{
    chord *w = self;
    for (size_t b = 0; b < w->nx; b++) {
        ph_space_dexp(w->space, w->z, w->v, w->B + b * w->nz, w->u);
        ph_system_apply_inertia(w->system, w->u, w->MD);
        for (size_t a = 0; a < w->nx; a++)
            J[a * w->nx + b] = dot(w->nz, w->B + a * w->nz, w->MD);
    }
    return PH_OK;
}

static ph_status chord_parameter_derivative(void *self, double *rs)
{
    const chord *w = self;
    for (size_t a = 0; a < w->nx; a++) {
        const double *row = w->B + a * w->nz;
        rs[a] = w->s * w->h * w->h * dot(w->nz, row, w->g) - w->h * dot(w->nz, row, w->mu);
    }
    return PH_OK;
}

/* Is the symmetric part of the Jacobian positive definite, as the inertia is? */
static bool chord_on_the_branch(void *self)
{
    chord *w = self;
    double *J = w->newton.J;
    chord_jacobian(w, J);
    for (size_t a = 0; a < w->nx; a++)
        for (size_t b = 0; b < a; b++)
            J[a * w->nx + b] = 0.5 * (J[a * w->nx + b] + J[b * w->nx + a]);
    return ph_cholesky_factor(w->nx, J) == PH_OK;
}

static ph_status find_gradient(const chord *w, const ph_context *context, double t, const double *z)
{
    return ph_context_judge(context, "the gradient of the potential", t,
                            ph_system_gradient(w->system, z, w->g), w->g, w->nz);
}

static ph_status chord_step(ph_context *context, ph_state *state)
{
    chord *w = context->work;
    const ph_implicit_root root = {.equations = {.n = w->nx,
                                                 .size = 1,
                                                 .self = w,
                                                 .residual = chord_residual,
                                                 .jacobian = chord_jacobian,
                                                 .parameter_derivative = chord_parameter_derivative},
                                   .guessed = true,
                                   .on_the_branch = chord_on_the_branch};
    w->z = state->z;
    find_basis(w);
    ph_space_covector(w->space, w->z, state->p, w->mu);
    ph_status status = find_gradient(w, context, state->t, w->z);
    if (!status)
        status = ph_system_velocity(w->system, 0, w->z, state->p, w->u, w->work);
    if (status)
        return status;
    for (size_t a = 0; a < w->nx; a++) {
        const double *row = w->B + a * w->nz;
        w->x[a] = w->h * dot(w->nz, row, w->u) / dot(w->nz, row, row);
    }
    status = ph_implicit_solve(&root, context, state->t, w->x, &w->newton);
    if (status)
        return status;
    for (size_t k = 0; k < w->nz; k++)
        w->z1[k] = w->z[k] + w->D[k];
    ph_space_correct(w->space, w->z1);
    ph_system_apply_inertia(w->system, w->D, w->MD);
    status = find_gradient(w, context, state->t + w->h, w->z1);
    if (status)
        return status;
    for (size_t k = 0; k < w->nz; k++)
        w->u[k] = w->MD[k] / w->h - 0.5 * w->h * w->g[k];
    ph_space_momentum(w->space, w->z1, w->u, w->p1);
    memcpy(state->z, w->z1, state->nz * sizeof *state->z);
    memcpy(state->p, w->p1, state->np * sizeof *state->p);
    return PH_OK;
}

static const ph_method chord_method = {
    .name = "chord",
    .summary = "a variational method outside the library",
    .order = 2,
    .claims = PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC | PH_CLAIM_MANIFOLD | PH_CLAIM_IMPLICIT,
    .size = chord_size,
    .init = chord_init,
    .step = chord_step,
};

/* ---- The implicit midpoint rule on R^d -----------------------------------------------------------
 *
 *     MM D + (h^2/2) dU(z + D/2) - h p = 0,      z+ = z + D,      p+ = 2 MM D / h - p.
 * The gradient is called inside the solver; the Jacobian is by differences. */

typedef struct midpoint {
    const ph_system *system;
    size_t n;
    double h, s;
    const double *z, *p;
    double *x, *latest;                         /* (n) unknowns; those of the latest residual */
    double *at, *g, *Mx, *other, *r[2], *scale; /* (n) */
    ph_implicit_notes notes;
    ph_newton_work newton;
} midpoint;

static void lay_midpoint(midpoint *w, const ph_system *system, ph_lay *l)
{
    const size_t n = ph_space_ambient(ph_system_space(system));
    double **vectors[] = {&w->x, &w->latest, &w->at, &w->g, &w->Mx, &w->other, &w->r[0], &w->r[1], &w->scale};
    ph_lay_bytes(l, sizeof *w);
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = ph_lay_doubles(l, n);
    ph_newton_place(&w->newton, n, l);
}

static ph_method_size midpoint_size(const ph_system *system, const double *options)
{
    midpoint counted;
    ph_lay l = {NULL, 0};
    (void)options;
    lay_midpoint(&counted, system, &l);
    return (ph_method_size){.work = l.bytes};
}

static ph_status midpoint_init(ph_context *context)
{
    midpoint *w = context->work;
    ph_lay l = {context->work, 0};
    lay_midpoint(w, context->system, &l);
    w->system = context->system;
    w->n = ph_space_ambient(ph_system_space(context->system));
    w->h = context->h;
    return PH_OK;
}

static ph_status midpoint_supports(const ph_system *system, ph_error *err)
{
    const ph_space *space = ph_system_space(system);
    for (size_t i = 0; i < ph_space_factors(space); i++)
        if (ph_space_factor(space, i)->kind != PH_FACTOR_R)
            return ph_fail(err, PH_E_UNSUPPORTED, "this midpoint rule is for R^d alone");
    return PH_OK;
}

/* w->g <- dU in the middle of the step by x. */
static ph_status find_middle(midpoint *w, const double *x)
{
    for (size_t k = 0; k < w->n; k++)
        w->at[k] = w->z[k] + 0.5 * x[k];
    return ph_implicit_note(&w->notes, "the gradient of the potential",
                            ph_system_gradient(w->system, w->at, w->g));
}

static ph_status evaluate(midpoint *w, double s, const double *x, double *r, double *scale)
{
    const double sh = s * w->h;
    ph_status status = find_middle(w, x);
    ph_system_apply_inertia(w->system, x, w->Mx);
    for (size_t k = 0; k < w->n && !status; k++) {
        const double fall = 0.5 * sh * sh * w->g[k], carried = sh * w->p[k];
        r[k] = w->Mx[k] + (fall - carried);
        scale[k] = DBL_MIN + fabs(w->Mx[k]) + fabs(fall) + fabs(carried);
    }
    return status;
}

static ph_status midpoint_residual(void *self, double s, const double *x, double *r, double *scale)
{
    midpoint *w = self;
    w->s = s;
    memcpy(w->latest, x, w->n * sizeof *x);
    return evaluate(w, s, x, r, scale);
}

static ph_status midpoint_jacobian(void *self, double *J)
{
    midpoint *w = self;
    const double step = 1e-5;
    memcpy(w->other, w->latest, w->n * sizeof *w->latest);
    for (size_t b = 0; b < w->n; b++) {
        for (int side = 0; side < 2; side++) {
            w->other[b] = w->latest[b] + (side ? -step : step);
            ph_status status = evaluate(w, w->s, w->other, w->r[side], w->scale);
            if (status)
                return status;
        }
        w->other[b] = w->latest[b];
        for (size_t a = 0; a < w->n; a++)
            J[a * w->n + b] = (w->r[0][a] - w->r[1][a]) / (2 * step);
    }
    return PH_OK;
}

static ph_status midpoint_parameter_derivative(void *self, double *rs)
{
    midpoint *w = self;
    ph_status status = find_middle(w, w->latest);
    for (size_t k = 0; k < w->n && !status; k++)
        rs[k] = w->s * w->h * w->h * w->g[k] - w->h * w->p[k];
    return status;
}

static ph_status midpoint_step(ph_context *context, ph_state *state)
{
    midpoint *w = context->work;
    const ph_implicit_root root = {.equations = {.n = w->n,
                                                 .size = 1,
                                                 .self = w,
                                                 .residual = midpoint_residual,
                                                 .jacobian = midpoint_jacobian,
                                                 .parameter_derivative = midpoint_parameter_derivative},
                                   .notes = &w->notes};
    w->z = state->z;
    w->p = state->p;
    ph_status status = ph_implicit_solve(&root, context, state->t, w->x, &w->newton);
    if (status)
        return status;
    ph_system_apply_inertia(w->system, w->x, w->Mx);
    for (size_t k = 0; k < w->n; k++) {
        state->z[k] += w->x[k];
        state->p[k] = 2 * w->Mx[k] / w->h - state->p[k];
    }
    return PH_OK;
}

static const ph_method midpoint_method = {
    .name = "midpoint",
    .summary = "the implicit midpoint rule outside the library",
    .order = 2,
    .claims = PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC | PH_CLAIM_MANIFOLD | PH_CLAIM_IMPLICIT,
    .supports = midpoint_supports,
    .size = midpoint_size,
    .init = midpoint_init,
    .step = midpoint_step,
};

/* ---- What they are tried on ---------------------------------------------------------------------- */

/* A body on a spring, c |r|^2 / 2 + |r|^4 / 4, and a pendulum that hangs on it; or the body alone. */
typedef struct swing {
    bool pendulum;
    double g;    /* [m/s^2] */
    int calls;   /* of the gradient */
    int failing; /* which of them fails; 0: none */
    double with; /* and how: NaN is what it writes; else by its status */
    ph_space *space;
    ph_system *system;
} swing;

static ph_status swing_potential(void *user, const double *z, double *U)
{
    const swing *s = user;
    const double r2 = dot(3, z, z);
    *U = r2 + 0.25 * r2 * r2 + (s->pendulum ? s->g * z[5] : 0);
    return PH_OK;
}

static ph_status swing_gradient(void *user, const double *z, double *dU)
{
    swing *s = user;
    const double r2 = dot(3, z, z);
    for (size_t k = 0; k < 3; k++)
        dU[k] = (2 + r2) * z[k];
    for (size_t k = 3; k < 6 && s->pendulum; k++)
        dU[k] = k == 5 ? s->g : 0;
    if (++s->calls != s->failing)
        return PH_OK;
    dU[0] = s->with;
    return isnan(s->with) ? PH_OK : PH_E_INTERRUPTED;
}

static void hang(swing *s, bool pendulum)
{
    const ph_factor factors[] = {{.kind = PH_FACTOR_R, .d = 3}, {.kind = PH_FACTOR_S2}};
    double MM[36] = {0};
    const size_t nz = pendulum ? 6 : 3;
    ph_error err;
    *s = (swing){.pendulum = pendulum, .g = 9.81};
    for (size_t k = 0; k < nz; k++)
        MM[k * (nz + 1)] = k < 3 ? 2 : 1;
    for (size_t k = 0; k < 3 && pendulum; k++)
        MM[k * nz + 3 + k] = MM[(3 + k) * nz + k] = 0.5;
    ck_assert_msg(!ph_space_create(factors, pendulum ? 2 : 1, &s->space, &err), "%s", err.message);
    const ph_system_definition d = {.space = s->space,
                                    .ambient_inertia = MM,
                                    .potential = swing_potential,
                                    .gradient = swing_gradient,
                                    .user = s};
    ck_assert_msg(!ph_system_create(&d, &s->system, &err), "%s", err.message);
}

static void take_down(swing *s)
{
    ph_system_free(s->system);
    ph_space_free(s->space);
}

static void start(const swing *s, const ph_method *method, const ph_setting *settings, size_t n, double h,
                  ph_integrator **it, ph_state **state)
{
    const double z[6] = {0.3, -0.2, 0.1, 0.6, 0, -0.8}, v[6] = {0.2, 0.5, -0.4, 0.8, 1.5, 0.6};
    ph_error err;
    ck_assert_msg(!ph_integrator_create(s->system, method, h, settings, n, it, &err), "%s", err.message);
    ck_assert_msg(!ph_state_create(*it, state, &err), "%s", err.message);
    ck_assert_msg(!ph_state_set_velocity(*it, *state, 0, z, v, PH_STRICT, &err), "%s", err.message);
}

static void end(ph_integrator *it, ph_state *state)
{
    ph_state_free(state);
    ph_integrator_free(it);
}

/* The two methods, and what `variational` calls their discrete Lagrangian. */
static const struct way {
    const ph_method *method;
    const char *rule;
    bool pendulum, solves; /* is the gradient called while equations are solved? */
} ways[] = {
    {&chord_method, "ends", true, false},
    {&midpoint_method, "midpoint", false, true},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* ---- Tests --------------------------------------------------------------------------------------- */

static double distance(const ph_state *a, const ph_state *b)
{
    double most = 0;
    for (size_t k = 0; k < a->nz; k++)
        most = fmax(most, fabs(a->z[k] - b->z[k]));
    for (size_t k = 0; k < a->np; k++)
        most = fmax(most, fabs(a->p[k] - b->p[k]));
    return most;
}

/* Compared with steps of order 8, whose errors are negligible next to those of order 2. */
START_TEST(order_is_two)
{
    const struct way *way = &ways[_i];
    const ph_setting eight = {"order", "8"};
    swing s;
    double errors[4];
    ph_integrator *it, *exact;
    ph_state *state, *truth;
    hang(&s, way->pendulum);
    start(&s, ph_method_find("variational", NULL), &eight, 1, 0.01, &exact, &truth);
    ck_assert_int_eq(ph_integrator_step(exact, truth, 100), PH_OK);
    for (int i = 0; i < 4; i++) {
        start(&s, way->method, NULL, 0, 0.02 / (1 << i), &it, &state);
        ck_assert_int_eq(ph_integrator_step(it, state, 50 << i), PH_OK);
        errors[i] = distance(state, truth);
        end(it, state);
    }
    for (int i = 1; i < 4; i++) {
        const double order = log2(errors[i - 1] / errors[i]);
        printf("%s: error %.3e, order %.4f\n", way->method->name, errors[i], order);
        ck_assert_msg(fabs(order - 2) < 0.02, "%s: order %g", way->method->name, order);
    }
    end(exact, truth);
    take_down(&s);
}
END_TEST

/* The library's own step of the same discrete Lagrangian is the same map; what differs is rounding, of which
 * 1000 steps make some 1e-14 here. */
START_TEST(is_the_map_of_the_library)
{
    const struct way *way = &ways[_i];
    const ph_setting rule = {"discrete-lagrangian", way->rule};
    swing s;
    ph_integrator *own, *ours;
    ph_state *mine, *yours;
    hang(&s, way->pendulum);
    start(&s, way->method, NULL, 0, 0.01, &own, &mine);
    start(&s, ph_method_find("variational", NULL), &rule, 1, 0.01, &ours, &yours);
    ck_assert_int_eq(ph_integrator_step(own, mine, 1000), PH_OK);
    ck_assert_int_eq(ph_integrator_step(ours, yours, 1000), PH_OK);
    printf("%s: %.1e from variational after 1000 steps\n", way->method->name, distance(mine, yours));
    ck_assert_double_lt(distance(mine, yours), 1e-12);
    end(own, mine);
    end(ours, yours);
    take_down(&s);
}
END_TEST

static double energy_of(const swing *s, const ph_state *state)
{
    double v[6], kinetic, potential, work[4096];
    ck_assert_uint_le(ph_system_work(s->system), 4096);
    ck_assert_int_eq(ph_system_velocity(s->system, 0, state->z, state->p, v, work), PH_OK);
    ck_assert_int_eq(ph_system_energy(s->system, 0, state->z, v, &kinetic, &potential, work), PH_OK);
    return kinetic + potential;
}

/* The error is that of the first swings, however long: of 40 000 steps the last quarter against the first. */
START_TEST(energy_is_bounded)
{
    const struct way *way = &ways[_i];
    swing s;
    ph_integrator *it;
    ph_state *state;
    double most[4] = {0};
    hang(&s, way->pendulum);
    start(&s, way->method, NULL, 0, 0.02, &it, &state);
    const double E = energy_of(&s, state);
    for (int i = 0; i < 40000; i++) {
        ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_OK);
        most[i / 10000] = fmax(most[i / 10000], fabs(energy_of(&s, state) / E - 1));
    }
    printf("%s: energy errors of the four quarters %.2e %.2e %.2e %.2e, residual %.1e\n", way->method->name,
           most[0], most[1], most[2], most[3], ph_space_residual(s.space, state->z));
    ck_assert_double_lt(most[0], 0.01);
    ck_assert_double_lt(most[3], 1.2 * most[0]);
    ck_assert_double_lt(ph_space_residual(s.space, state->z), 1e-14);
    end(it, state);
    take_down(&s);
}
END_TEST

/* Whichever call of the gradient fails, the step does, for that reason, and nothing has happened; the same
 * step again has the bits of one that nothing has disturbed. (Inside the solver a single number that is none
 * may be got over: a branch is followed by shorter steps then.) */
START_TEST(a_failing_callback_is_named)
{
    const struct way *way = &ways[_i];
    swing s;
    ph_integrator *it;
    ph_state *state, *undisturbed;
    ph_error err;
    hang(&s, way->pendulum);
    start(&s, way->method, NULL, 0, 0.02, &it, &state);
    ck_assert_int_eq(ph_state_create(it, &undisturbed, &err), PH_OK);
    ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_OK);
    ck_assert_int_eq(ph_state_copy(undisturbed, state), PH_OK);
    s.calls = 0;
    ck_assert_int_eq(ph_integrator_step(it, undisturbed, 1), PH_OK);
    const int calls = s.calls;
    ck_assert_int_ge(calls, 2);
    for (int at = 1; at <= calls; at++)
        for (int bad = 0; bad < (way->solves ? 1 : 2); bad++) {
            double z[6], p[6];
            memcpy(z, state->z, sizeof *z * state->nz);
            memcpy(p, state->p, sizeof *p * state->np);
            s.calls = 0;
            s.failing = at;
            s.with = bad ? NAN : 0;
            ck_assert_int_eq(ph_integrator_step(it, state, 1), bad ? PH_E_NOT_FINITE : PH_E_INTERRUPTED);
            const char *message = ph_integrator_message(it);
            ck_assert_msg(strstr(message, bad ? "the gradient of the potential is not finite at t = 0.0"
                                              : "the gradient of the potential failed at t = 0.0") != NULL,
                          "%s", message);
            ck_assert_mem_eq(z, state->z, sizeof *z * state->nz);
            ck_assert_mem_eq(p, state->p, sizeof *p * state->np);
        }
    s.failing = 0;
    ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_OK);
    ck_assert_mem_eq(state->z, undisturbed->z, state->nz * sizeof *state->z);
    ck_assert_mem_eq(state->p, undisturbed->p, state->np * sizeof *state->p);
    ck_assert(way->solves == (ph_integrator_statistics(it)->branches > 0));
    ph_state_free(undisturbed);
    end(it, state);
    take_down(&s);
}
END_TEST

/* A step of two seconds: where the pendulum would go there is no solution that comes from h = 0. */
START_TEST(a_step_without_a_solution_is_refused)
{
    swing s;
    ph_integrator *it;
    ph_state *state;
    double z[6], p[6];
    hang(&s, true);
    start(&s, &chord_method, NULL, 0, 2, &it, &state);
    memcpy(z, state->z, sizeof z);
    memcpy(p, state->p, sizeof p);
    ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_NO_SOLUTION);
    printf("%s\n", ph_integrator_message(it));
    ck_assert(strstr(ph_integrator_message(it), "the branch of solutions from h = 0 turns back at h = "));
    ck_assert_mem_eq(z, state->z, sizeof z);
    ck_assert_mem_eq(p, state->p, sizeof p);
    ck_assert_int_eq(ph_integrator_statistics(it)->branches, 1);
    ck_assert_int_eq(ph_integrator_set_step_size(it, 0.02), PH_OK);
    ck_assert_int_eq(ph_integrator_step(it, state, 10), PH_OK);
    ck_assert_int_eq(ph_integrator_statistics(it)->branches, 1); /* guesses are good */
    end(it, state);
    take_down(&s);
}
END_TEST

START_TEST(an_unfit_system_is_refused)
{
    swing s;
    ph_integrator *it;
    ph_error err;
    hang(&s, true);
    ck_assert_int_eq(ph_integrator_create(s.system, &midpoint_method, 0.01, NULL, 0, &it, &err),
                     PH_E_UNSUPPORTED);
    ck_assert_str_eq(err.message, "this midpoint rule is for R^d alone");
    take_down(&s);
}
END_TEST

/* What is counted is what is handed out: at multiples of 16, lines at those of 64. */
START_TEST(memory_is_laid_out)
{
    unsigned char *block = aligned_alloc(64, 1024);
    for (int pass = 0; pass < 2; pass++) {
        ph_lay l = {pass ? block : NULL, 0};
        const unsigned char *a = ph_lay_bytes(&l, 17), *b = ph_lay_line(&l, 8);
        const double *c = ph_lay_doubles(&l, 3);
        const unsigned char *d = ph_lay_bytes(&l, 0);
        ck_assert_uint_eq(l.bytes, 64 + 16 + 32);
        ck_assert(pass ? a == block && b == block + 64 && (const unsigned char *)c == block + 80 &&
                             d == block + 112
                       : !a && !b && !c && !d);
    }
    free(block);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("user-method");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, order_is_two, 0, WAYS);
    tcase_add_loop_test(tests, is_the_map_of_the_library, 0, WAYS);
    tcase_add_loop_test(tests, energy_is_bounded, 0, WAYS);
    tcase_add_loop_test(tests, a_failing_callback_is_named, 0, WAYS);
    tcase_add_test(tests, a_step_without_a_solution_is_refused);
    tcase_add_test(tests, an_unfit_system_is_refused);
    tcase_add_test(tests, memory_is_laid_out);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
