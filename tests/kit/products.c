/* SPDX-License-Identifier: BSD-3-Clause */
/* Random systems on products: see products.h. */
#include "products.h"

static bool is_invariant(const pd_system *s)
{
    return s->flavour >= PD_INVARIANT;
}

/* ---- U and the forces ----------------------------------------------------------------------------- */

double complex pd_potential(const pd_system *s, const double complex *z)
{
    double complex U = 0;
    for (size_t i = 0; i < s->nz; i++)
        U += 0.5 * s->spring[i] * z[i] * z[i];
    for (size_t w = 0; w < PD_WAVES && !is_invariant(s); w++) {
        double complex at = s->phase[w];
        for (size_t i = 0; i < s->nz; i++)
            at += s->wave[w][i] * z[i];
        U += s->size[w] * ccos(at);
    }
    for (size_t a = 0; a < s->n_arrows && is_invariant(s); a++)
        for (size_t b = 0; b < a; b++) {
            double complex product = 0;
            for (size_t k = 0; k < s->d; k++)
                product +=
                    z[s->arrow[a].z + k * s->arrow[a].stride] * z[s->arrow[b].z + k * s->arrow[b].stride];
            U += s->c[a][b] * csin(product);
        }
    return U;
}

void pd_gradient(const pd_system *s, const double *z, double *g)
{
    for (size_t i = 0; i < s->nz; i++)
        g[i] = s->spring[i] * z[i];
    for (size_t w = 0; w < PD_WAVES && !is_invariant(s); w++) {
        double at = s->phase[w];
        for (size_t i = 0; i < s->nz; i++)
            at += s->wave[w][i] * z[i];
        for (size_t i = 0; i < s->nz; i++)
            g[i] -= s->size[w] * sin(at) * s->wave[w][i];
    }
    for (size_t a = 0; a < s->n_arrows && is_invariant(s); a++)
        for (size_t b = 0; b < a; b++) {
            const pd_arrow *A = &s->arrow[a], *B = &s->arrow[b];
            double product = 0;
            for (size_t k = 0; k < s->d; k++)
                product += z[A->z + k * A->stride] * z[B->z + k * B->stride];
            for (size_t k = 0; k < s->d; k++) {
                g[A->z + k * A->stride] += s->c[a][b] * cos(product) * z[B->z + k * B->stride];
                g[B->z + k * B->stride] += s->c[a][b] * cos(product) * z[A->z + k * A->stride];
            }
        }
}

static bool is_damped(const pd_system *s)
{
    return s->flavour == PD_DAMPED || s->flavour == PD_DIFFERENCED;
}

/* push_i (1 + sin t) cos z_i, and with the velocity -C v + drag_i v.v */
void pd_force(const pd_system *s, double t, const double *z, const double *v, double *f)
{
    double square = 0;
    for (size_t i = 0; i < s->nz; i++)
        square += v[i] * v[i];
    for (size_t i = 0; i < s->nz; i++) {
        f[i] = s->flavour == PD_CONSERVATIVE || s->flavour == PD_INVARIANT
                   ? 0
                   : s->push[i] * (1 + sin(t)) * cos(z[i]);
        for (size_t j = 0; j < s->nz && is_damped(s); j++)
            f[i] -= s->C[i * s->nz + j] * v[j];
        if (is_damped(s))
            f[i] += s->drag[i] * square;
    }
}

void pd_force_dv(const pd_system *s, double t, const double *z, const double *v, double *dfdv)
{
    (void)t, (void)z;
    for (size_t i = 0; i < s->nz * s->nz; i++)
        dfdv[i] = is_damped(s) ? 2 * s->drag[i / s->nz] * v[i % s->nz] - s->C[i] : 0;
}

/* ---- As callbacks --------------------------------------------------------------------------------- */

static ph_status called(pd_system *s)
{
    return ++s->calls == s->fail_at ? PH_E_CALLBACK : PH_OK;
}

static ph_status potential(void *user, const double *z, double *U)
{
    pd_system *s = user;
    double complex there[PD_NZ];
    for (size_t i = 0; i < s->nz; i++)
        there[i] = z[i];
    *U = creal(pd_potential(s, there));
    return PH_OK;
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    pd_gradient(user, z, dU);
    return called(user);
}

static ph_status force(void *user, double t, const double *z, const double *zdot, double *f)
{
    pd_system *s = user;
    double own[PD_NZ];
    pd_force(s, t, z, zdot, own);
    for (size_t i = 0; i < s->nz; i++)
        f[i] += own[i];
    return called(s);
}

static ph_status force_dv(void *user, double t, const double *z, const double *zdot, double *dfdv)
{
    pd_system *s = user;
    double own[PD_NZ * PD_NZ];
    pd_force_dv(s, t, z, zdot, own);
    for (size_t i = 0; i < s->nz * s->nz; i++)
        dfdv[i] += own[i];
    return called(s);
}

/* 1 + sin(bend . z)/4 times MM. */
static ph_status inertia_at(void *user, const double *z, double *M)
{
    pd_system *s = user;
    const double by = 1 + 0.25 * sin(ph_dot(s->bend, z, s->nz));
    for (size_t i = 0; i < s->nz * s->nz; i++)
        M[i] = by * s->MM[i];
    return called(s);
}

static ph_status inertia_dz(void *user, const double *z, double *dM)
{
    pd_system *s = user;
    const double by = 0.25 * cos(ph_dot(s->bend, z, s->nz));
    for (size_t i = 0; i < s->nz * s->nz; i++)
        for (size_t k = 0; k < s->nz; k++)
            dM[i * s->nz + k] = by * s->MM[i] * s->bend[k];
    return called(s);
}

static ph_status rows(void *user, double t, const double *z, double *A, double *b)
{
    pd_system *s = user;
    for (size_t i = 0; i < s->m; i++) {
        const double at = ph_dot(s->turn[i], z, s->nz) + 0.5 * t;
        for (size_t k = 0; k < s->nz; k++)
            A[i * s->nz + k] = s->row[i][k] * cos(at + (double)k);
        b[i] = s->push_along[i] * sin(at);
    }
    return called(s);
}

static ph_status rows_along(void *user, double t, const double *z, const double *zdot, double dt,
                            const double *dz, double *rate)
{
    pd_system *s = user;
    for (size_t i = 0; i < s->m; i++) {
        const double at = ph_dot(s->turn[i], z, s->nz) + 0.5 * t,
                     by = ph_dot(s->turn[i], dz, s->nz) + 0.5 * dt;
        rate[i] = -by * s->push_along[i] * cos(at);
        for (size_t k = 0; k < s->nz; k++)
            rate[i] -= by * s->row[i][k] * sin(at + (double)k) * zdot[k];
    }
    return called(s);
}

/* ---- Creation ------------------------------------------------------------------------------------- */

static void list_arrows(pd_system *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        for (size_t c = 0; f->kind == PH_FACTOR_SO3 && c < 3; c++)
            s->arrow[s->n_arrows++] = (pd_arrow){f->z + c, 3};
        if (f->kind != PH_FACTOR_SO3 && f->nz == s->d)
            s->arrow[s->n_arrows++] = (pd_arrow){f->z, 1};
    }
}

/* A random symmetric positive definite matrix: B B^T / n + 1/2. */
static void random_spd(tk_random *r, size_t n, double *A)
{
    double B[PD_NZ * PD_NZ];
    for (size_t i = 0; i < n * n; i++)
        B[i] = tk_normal(r);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = i == j ? 0.5 : 0;
            for (size_t k = 0; k < n; k++)
                sum += B[i * n + k] * B[j * n + k] / (double)n;
            A[i * n + j] = A[j * n + i] = sum;
        }
}

static void invariant_inertia(pd_system *s, tk_random *r)
{
    double N[PD_ARROWS * PD_ARROWS];
    random_spd(r, s->n_arrows, N);
    for (size_t a = 0; a < s->n_arrows; a++)
        for (size_t b = 0; b < s->n_arrows; b++)
            for (size_t k = 0; k < s->d; k++)
                s->MM[(s->arrow[a].z + k * s->arrow[a].stride) * s->nz + s->arrow[b].z +
                      k * s->arrow[b].stride] = N[a * s->n_arrows + b];
}

static void fill(pd_system *s, tk_random *r)
{
    for (size_t i = 0; i < s->n; i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        for (size_t k = f->z; k < f->z + f->nz; k++)
            s->spring[k] = f->kind == PH_FACTOR_R ? 1 : 0;
    }
    if (is_invariant(s))
        invariant_inertia(s, r);
    else
        random_spd(r, s->nz, s->MM);
    for (size_t w = 0; w < PD_WAVES; w++) {
        s->size[w] = tk_uniform(r, -1, 1);
        s->phase[w] = tk_uniform(r, 0, 6);
        for (size_t i = 0; i < s->nz; i++)
            s->wave[w][i] = 0.5 * tk_normal(r);
    }
    for (size_t i = 0; i < s->nz; i++) {
        s->push[i] = tk_normal(r);
        s->drag[i] = 0.05 * tk_normal(r);
    }
    for (size_t i = 0; i < s->nz * s->nz; i++)
        s->C[i] = (i % (s->nz + 1) ? 0 : 0.5) + 0.1 * tk_normal(r);
    for (size_t a = 0; a < s->n_arrows; a++)
        for (size_t b = 0; b < s->n_arrows; b++)
            s->c[a][b] = tk_normal(r);
}

pd_system *pd_create(const ph_factor *factors, size_t n, pd_flavour flavour, tk_random *r)
{
    static const ph_symmetry rotations[3] = {
        {"Jx", "", "", {1, 0, 0}, NULL}, {"Jy", "", "", {0, 1, 0}, NULL}, {"Jz", "", "", {0, 0, 1}, NULL}};
    pd_system *s = calloc(1, sizeof *s);
    ph_error err = {PH_OK, ""};
    ck_assert_ptr_nonnull(s);
    s->flavour = flavour;
    s->n = n;
    s->d = flavour == PD_PLANAR ? 2 : 3;
    tk_ok(ph_space_create(factors, n, &s->space, NULL));
    s->nz = ph_space_ambient(s->space);
    s->np = ph_space_momenta(s->space);
    s->nx = ph_space_dimension(s->space);
    ck_assert(s->nz <= PD_NZ && s->nx <= PD_NX);
    list_arrows(s);
    fill(s, r);
    ph_system_definition d = {.space = s->space,
                              .ambient_inertia = s->MM,
                              .potential = potential,
                              .gradient = gradient,
                              .symmetries = flavour == PD_PLANAR ? rotations + 2 : rotations,
                              .n_symmetries = flavour == PD_INVARIANT ? 3 : flavour == PD_PLANAR,
                              .user = s};
    if (flavour != PD_CONSERVATIVE && flavour < PD_FLAVOURS)
        d.force = force;
    if (flavour == PD_DAMPED)
        d.force_dv = force_dv;
    d.force_ignores_velocity = flavour == PD_PUSHED;
    ck_assert_msg(!ph_system_create(&d, &s->system, &err), "%s", err.message);
    return s;
}

static void create_rolling(pd_system *s)
{
    ph_system_definition d = {.space = s->space,
                              .potential = potential,
                              .gradient = gradient,
                              .constraint = rows,
                              .constraint_along = s->without_along ? NULL : rows_along,
                              .n_constraints = s->m,
                              .user = s};
    if (s->varying) {
        d.ambient_inertia_at = inertia_at;
        d.inertia_dz = inertia_dz;
    } else {
        d.ambient_inertia = s->MM;
    }
    if (s->flavour != PD_CONSERVATIVE)
        d.force = force;
    if (s->flavour == PD_DAMPED)
        d.force_dv = force_dv;
    d.force_ignores_velocity = s->flavour == PD_PUSHED;
    ph_system_free(s->system);
    tk_ok(ph_system_create(&d, &s->system, NULL));
}

void pd_without_along(pd_system *s)
{
    s->without_along = true;
    create_rolling(s);
}

void pd_roll(pd_system *s, size_t m, bool affine, bool varying, tk_random *r)
{
    ck_assert(m <= PD_ROWS && !is_invariant(s));
    s->m = m;
    s->varying = varying;
    for (size_t i = 0; i < m; i++) {
        for (size_t k = 0; k < s->nz; k++) {
            s->row[i][k] = tk_normal(r);
            s->turn[i][k] = 0.4 * tk_normal(r);
        }
        s->push_along[i] = affine ? tk_normal(r) : 0;
    }
    for (size_t k = 0; k < s->nz; k++)
        s->bend[k] = tk_normal(r);
    create_rolling(s);
}

pd_system *pd_random(pd_flavour flavour, tk_random *r)
{
    ph_factor factors[PD_FACTORS];
    size_t n = 1 + (size_t)tk_uniform(r, 0, PD_FACTORS);
    for (size_t i = 0; i < n; i++) {
        static const ph_factor kinds[] = {{.kind = PH_FACTOR_S2},        {.kind = PH_FACTOR_SO3},
                                          {.kind = PH_FACTOR_R, .d = 3}, {.kind = PH_FACTOR_R, .d = 1},
                                          {.kind = PH_FACTOR_R, .d = 4}, {.kind = PH_FACTOR_S1},
                                          {.kind = PH_FACTOR_R, .d = 2}};
        bool planar = flavour == PD_PLANAR;
        factors[i] = kinds[(size_t)tk_uniform(r, planar ? 5 : 0, planar || flavour < PD_FLAVOURS ? 7 : 3)];
    }
    return pd_create(factors, n, flavour, r);
}

void pd_free(pd_system *s)
{
    ph_system_free(s->system);
    ph_space_free(s->space);
    free(s);
}

const char *pd_name(const pd_system *s, char text[80])
{
    size_t used = 0;
    for (size_t i = 0; i < s->n; i++) {
        static const char *const names[] = {
            [PH_FACTOR_R] = "R^", [PH_FACTOR_S1] = "S^1", [PH_FACTOR_S2] = "S^2", [PH_FACTOR_SO3] = "SO(3)"};
        const ph_factor_place *f = ph_space_factor(s->space, i);
        char d[24] = "";
        if (f->kind == PH_FACTOR_R)
            snprintf(d, sizeof d, "%zu", f->nz);
        int more = snprintf(text + used, 80 - used, "%s%s%s", i ? " x " : "", names[f->kind], d);
        used += (size_t)more;
    }
    return text;
}

void pd_motion(const pd_system *s, tk_random *r, double speed, double *z, double *v)
{
    for (size_t i = 0; i < s->nz; i++) {
        z[i] = tk_normal(r);
        v[i] = speed * tk_normal(r);
    }
    tk_ok(ph_space_project(s->space, z));
    ph_space_project_tangent(s->space, z, v);
}
