/* SPDX-License-Identifier: BSD-3-Clause */
/* Random bundles and their systems: see sets.h. */
#include "sets.h"

/* ---- The data and their derivatives -------------------------------------------------------------- */

static double wave(const double *k, const double *x, size_t n)
{
    return ph_dot(k, x, n);
}

/* K, V, w, xi at x; with dx their derivatives along it. */
static void evaluate(const set *s, const double *x, const double *dx, double *K, double *V, double *w,
                     double *xi)
{
    double C[ST_N][ST_N], dC[ST_N][ST_N];
    for (size_t i = 0; i < s->N; i++)
        for (size_t j = 0; j < s->N; j++) {
            C[i][j] = s->c[i][j] + sin(wave(s->k[i][j], x, s->na)) / 4;
            dC[i][j] = dx ? cos(wave(s->k[i][j], x, s->na)) * wave(s->k[i][j], dx, s->na) / 4 : 0;
        }
    for (size_t i = 0; i < s->N; i++)
        for (size_t j = 0; j < s->N; j++) {
            double sum = i == j && !dx ? 1.5 : 0;
            for (size_t a = 0; a < s->N; a++)
                sum += dx ? dC[i][a] * C[j][a] + C[i][a] * dC[j][a] : C[i][a] * C[j][a];
            K[i * s->N + j] = sum;
        }
    *V = ph_dot(x, dx ? dx : x, s->na) / (dx ? 1 : 2);
    for (size_t i = 0; i < 2; i++)
        *V += s->u[i] *
              (dx ? cos(wave(s->d[i], x, s->na)) * wave(s->d[i], dx, s->na) : sin(wave(s->d[i], x, s->na)));
    for (size_t i = 0; i < s->g; i++) {
        for (size_t j = 0; j < s->na; j++)
            w[i * s->na + j] = dx ? 0.6 * cos(wave(s->l[i][j], x, s->na)) * wave(s->l[i][j], dx, s->na)
                                  : s->w0[i][j] + 0.6 * sin(wave(s->l[i][j], x, s->na));
        xi[i] = !s->affine ? 0
                : dx       ? 0.5 * cos(wave(s->m[i], x, s->na)) * wave(s->m[i], dx, s->na)
                           : s->a[i] + 0.5 * sin(wave(s->m[i], x, s->na));
    }
}

static ph_status data(void *user, const double *x, const ph_bundle_data *d)
{
    evaluate(user, x, NULL, d->K, d->V, d->w, d->xi);
    return PH_OK;
}

static ph_status along(void *user, const double *x, const double *dx, const ph_bundle_data *d)
{
    evaluate(user, x, dx, d->K, d->V, d->w, d->xi);
    return PH_OK;
}

static ph_status force(void *user, double t, const double *x, const double *v, const double *zeta, double *f)
{
    const set *s = user;
    (void)x;
    for (size_t i = 0; i < s->N; i++)
        f[i] -= (0.3 + 0.1 * cos(t)) * (i < s->na ? v[i] : zeta[i - s->na]);
    return PH_OK;
}

/* ---- The system ----------------------------------------------------------------------------------- */

/* Z (g x nh) <- zeta = Z(h) hdot; but for the numbers 1 it is linear in h: `linear` leaves these out. */
static void spin_rows(const set *s, const double *h, bool linear, double *Z)
{
    memset(Z, 0, s->g * s->nh * sizeof *Z);
    switch (s->group.kind) {
    case PH_GROUP_R:
        for (size_t i = 0; i < s->g; i++)
            Z[i * s->nh + i] = !linear;
        break;
    case PH_GROUP_S1:
        Z[0] = -h[1], Z[1] = h[0];
        break;
    case PH_GROUP_SE2:
        Z[0] = h[2], Z[1] = h[3];
        Z[4] = -h[3], Z[5] = h[2];
        Z[10] = -h[3], Z[11] = h[2];
        break;
    case PH_GROUP_SO3: /* zeta = vee(R^T R') */
        for (size_t i = 0; i < 3; i++)
            for (size_t a = 0; a < 3; a++) {
                const size_t j = (i + 1) % 3, k = (i + 2) % 3;
                Z[i * 9 + 3 * a + j] = h[3 * a + k] / 2;
                Z[i * 9 + 3 * a + k] = -h[3 * a + j] / 2;
            }
    }
}

void st_spin(const set *s, const double *h, const double *hdot, double *zeta)
{
    double Z[ST_G * ST_H];
    spin_rows(s, h, false, Z);
    for (size_t i = 0; i < s->g; i++)
        zeta[i] = ph_dot(Z + i * s->nh, hdot, s->nh);
}

/* T (N x nz) <- (v, zeta) = T zdot. */
static void frame(const set *s, const double *h, bool linear, double *T)
{
    double Z[ST_G * ST_H];
    spin_rows(s, h, linear, Z);
    memset(T, 0, s->N * s->nz * sizeof *T);
    for (size_t i = 0; i < s->na; i++)
        T[i * s->nz + i] = !linear;
    for (size_t i = 0; i < s->g; i++)
        for (size_t j = 0; j < s->nh; j++)
            T[(s->na + i) * s->nz + s->na + j] = Z[i * s->nh + j];
}

/* out (nz x nz) += S^T K T */
static void add_square(const set *s, const double *S, const double *K, const double *T, double *out)
{
    double KT[ST_N * ST_Z] = {0};
    for (size_t i = 0; i < s->N; i++)
        for (size_t a = 0; a < s->N; a++)
            for (size_t j = 0; j < s->nz; j++)
                KT[i * s->nz + j] += K[i * s->N + a] * T[a * s->nz + j];
    for (size_t i = 0; i < s->nz; i++)
        for (size_t a = 0; a < s->N; a++)
            for (size_t j = 0; j < s->nz; j++)
                out[i * s->nz + j] += S[a * s->nz + i] * KT[a * s->nz + j];
}

static ph_status inertia(void *user, const double *z, double *M)
{
    const set *s = user;
    double K[ST_N * ST_N], V, w[ST_G * ST_A], xi[ST_G], T[ST_N * ST_Z];
    evaluate(s, z, NULL, K, &V, w, xi);
    for (size_t i = 0; i < s->N; i++)
        K[i * s->N + i] += s->tilt_metric * (1 + sin(z[s->na]));
    frame(s, z + s->na, false, T);
    memset(M, 0, s->nz * s->nz * sizeof *M);
    add_square(s, T, K, T, M);
    return PH_OK;
}

static ph_status inertia_dz(void *user, const double *z, double *dM)
{
    const set *s = user;
    double K[ST_N * ST_N], dK[ST_N * ST_N], V, w[ST_G * ST_A], xi[ST_G], T[ST_N * ST_Z], dT[ST_N * ST_Z];
    double one[ST_Z * ST_Z], e[ST_Z];
    evaluate(s, z, NULL, K, &V, w, xi);
    frame(s, z + s->na, false, T);
    for (size_t k = 0; k < s->nz; k++) {
        for (size_t i = 0; i < s->nz; i++)
            e[i] = i == k;
        memset(one, 0, sizeof one);
        if (k < s->na) {
            evaluate(s, z, e, dK, &V, w, xi);
            add_square(s, T, dK, T, one);
        } else {
            frame(s, e + s->na, true, dT);
            add_square(s, dT, K, T, one);
            add_square(s, T, K, dT, one);
        }
        for (size_t i = 0; i < s->nz * s->nz; i++)
            dM[i * s->nz + k] = one[i];
    }
    return PH_OK;
}

static ph_status potential(void *user, const double *z, double *U)
{
    const set *s = user;
    double K[ST_N * ST_N], w[ST_G * ST_A], xi[ST_G];
    evaluate(s, z, NULL, K, U, w, xi);
    *U += s->tilt_potential * sin(z[s->na]);
    return PH_OK;
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    const set *s = user;
    double K[ST_N * ST_N], w[ST_G * ST_A], xi[ST_G], e[ST_A];
    memset(dU, 0, s->nz * sizeof *dU);
    for (size_t k = 0; k < s->na; k++) {
        for (size_t i = 0; i < s->na; i++)
            e[i] = i == k;
        evaluate(s, z, e, K, dU + k, w, xi);
    }
    return PH_OK;
}

static ph_status rows(void *user, double t, const double *z, double *A, double *b)
{
    const set *s = user;
    double K[ST_N * ST_N], V, w[ST_G * ST_A], Z[ST_G * ST_H];
    (void)t;
    evaluate(s, z, NULL, K, &V, w, b);
    spin_rows(s, z + s->na, false, Z);
    b[0] += s->tilt_affine * sin(z[s->na]);
    for (size_t i = 0; i < s->g; i++) {
        for (size_t j = 0; j < s->na; j++)
            A[i * s->nz + j] = w[i * s->na + j] * (1 + s->tilt_rows * sin(z[s->na]));
        memcpy(A + i * s->nz + s->na, Z + i * s->nh, s->nh * sizeof *A);
    }
    return PH_OK;
}

static ph_status rows_along(void *user, double t, const double *z, const double *zdot, double dt,
                            const double *dz, double *rate)
{
    const set *s = user;
    double K[ST_N * ST_N], V, w[ST_G * ST_A], xi[ST_G], Z[ST_G * ST_H];
    (void)t, (void)dt;
    evaluate(s, z, dz, K, &V, w, xi);
    spin_rows(s, dz + s->na, true, Z);
    for (size_t i = 0; i < s->g; i++)
        rate[i] = ph_dot(w + i * s->na, zdot, s->na) + ph_dot(Z + i * s->nh, zdot + s->na, s->nh) - xi[i];
    return PH_OK;
}

static ph_status drag(void *user, double t, const double *z, const double *zdot, double *f)
{
    const set *s = user;
    double T[ST_N * ST_Z], low[ST_N] = {0}, zeta[ST_G];
    st_spin(s, z + s->na, zdot + s->na, zeta);
    force(user, t, z, zdot, zeta, low);
    low[s->na] += s->tilt_force * sin(z[s->na]);
    frame(s, z + s->na, false, T);
    for (size_t i = 0; i < s->N; i++)
        for (size_t j = 0; j < s->nz; j++)
            f[j] += T[i * s->nz + j] * low[i];
    return PH_OK;
}

/* ---- Creation -------------------------------------------------------------------------------------- */

void st_rebuild(set *s)
{
    ph_factor all[6];
    ph_space *space;
    size_t n = ph_space_factors(s->base);
    for (size_t i = 0; i < n; i++) {
        const ph_factor_place *f = ph_space_factor(s->base, i);
        all[i] = (ph_factor){.kind = f->kind, .d = f->kind == PH_FACTOR_R ? f->nx : 0};
    }
    if (s->group.kind == PH_GROUP_R || s->group.kind == PH_GROUP_SE2)
        all[n++] = (ph_factor){PH_FACTOR_R, s->group.kind == PH_GROUP_R ? s->group.k : 2, NULL};
    if (s->group.kind == PH_GROUP_S1 || s->group.kind == PH_GROUP_SE2)
        all[n++] = (ph_factor){.kind = PH_FACTOR_S1};
    if (s->group.kind == PH_GROUP_SO3)
        all[n++] = (ph_factor){.kind = PH_FACTOR_SO3};
    tk_ok(ph_space_create(all, n, &space, NULL));
    ph_system_free(s->system);
    const ph_system_definition d = {.space = space,
                                    .ambient_inertia_at = inertia,
                                    .inertia_dz = inertia_dz,
                                    .potential = potential,
                                    .gradient = gradient,
                                    .constraint = rows,
                                    .constraint_along = rows_along,
                                    .n_constraints = s->g,
                                    .force = s->forced ? drag : NULL,
                                    .user = s};
    ph_error err;
    ck_assert_msg(!ph_system_create(&d, &s->system, &err), "%s", err.message);
    ph_space_free(space);
}

set *st_create(const ph_factor *factors, size_t n, ph_group group, bool affine, bool forced, bool with_along,
               uint64_t seed)
{
    tk_random r = {seed * 0x9e3779b97f4a7c15u};
    set *s = calloc(1, sizeof *s);
    ck_assert_ptr_nonnull(s);
    tk_ok(ph_space_create(factors, n, &s->base, NULL));
    s->group = group;
    s->affine = affine;
    s->forced = forced;
    s->na = ph_space_ambient(s->base);
    s->g = group.kind == PH_GROUP_R ? group.k : group.kind == PH_GROUP_S1 ? 1 : 3;
    s->nh = group.kind == PH_GROUP_R     ? group.k
            : group.kind == PH_GROUP_S1  ? 2
            : group.kind == PH_GROUP_SE2 ? 4
                                         : 9;
    s->N = s->na + s->g;
    s->nz = s->na + s->nh;
    ck_assert(s->na <= ST_A && s->g <= ST_G);
    const double scale = sqrt(2. / (double)s->na);
    for (size_t i = 0; i < ST_N; i++)
        for (size_t j = 0; j < ST_N; j++) {
            s->c[i][j] = 0.4 * scale * tk_normal(&r);
            for (size_t k = 0; k < ST_A; k++)
                s->k[i][j][k] = 0.5 * tk_normal(&r);
        }
    for (size_t i = 0; i < ST_G; i++) {
        for (size_t j = 0; j < ST_A; j++) {
            s->w0[i][j] = scale * tk_normal(&r);
            s->m[i][j] = tk_normal(&r);
            for (size_t k = 0; k < ST_A; k++)
                s->l[i][j][k] = 0.7 * scale * tk_normal(&r);
        }
        s->a[i] = 0.6 * tk_normal(&r);
    }
    for (size_t i = 0; i < 2; i++) {
        s->u[i] = tk_normal(&r);
        for (size_t k = 0; k < ST_A; k++)
            s->d[i][k] = scale * tk_normal(&r);
    }
    const ph_bundle_definition d = {.base = s->base,
                                    .group = group,
                                    .data = data,
                                    .along = with_along ? along : NULL,
                                    .force = forced ? force : NULL,
                                    .user = s};
    tk_ok(ph_bundle_create(&d, &s->bundle, NULL));
    st_rebuild(s);
    return s;
}

void st_free(set *s)
{
    ph_bundle_free(s->bundle);
    ph_system_free(s->system);
    ph_space_free(s->base);
    free(s);
}

void st_start(const set *s, tk_random *r, double *x, double *v, double *h, double *z, double *zdot)
{
    const ph_space *fibre = ph_bundle_fibre(s->bundle);
    double *work = malloc(ph_bundle_work(s->bundle) * sizeof *work), zeta[ST_G], Z[ST_G * ST_H];
    for (size_t i = 0; i < s->na; i++) {
        x[i] = 0.5 * tk_normal(r);
        v[i] = 0.7 * tk_normal(r);
    }
    for (size_t i = 0; i < s->nh; i++)
        h[i] = tk_normal(r);
    tk_ok(ph_space_project(s->base, x));
    tk_ok(ph_space_project(fibre, h));
    ph_space_project_tangent(s->base, x, v);
    tk_ok(ph_bundle_group_velocity(s->bundle, x, v, zeta, work));
    memcpy(z, x, s->na * sizeof *z);
    memcpy(z + s->na, h, s->nh * sizeof *z);
    memcpy(zdot, v, s->na * sizeof *z);
    spin_rows(s, h, false, Z); /* its rows are orthogonal: hdot is Z^T zeta over their squares */
    for (size_t j = 0; j < s->nh; j++) {
        zdot[s->na + j] = 0;
        for (size_t i = 0; i < s->g; i++)
            zdot[s->na + j] += Z[i * s->nh + j] * zeta[i] / ph_dot(Z + i * s->nh, Z + i * s->nh, s->nh);
    }
    free(work);
}
