/* SPDX-License-Identifier: BSD-3-Clause */
/* Embedded manifolds for tests: see embeddings.h. */
#include "embeddings.h"

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* P <- I - N N^T / |N|^2 in R^3 */
static void off_normal(const double *N, double *P)
{
    double square = dot(3, N, N);
    for (int k = 0; k < 9; k++)
        P[k] = (k % 4 ? 0 : 1) - N[k / 3] * N[k % 3] / square;
}

/* ---- Ellipsoids: sum (x_i / a_i)^2 = 1; user: the half axes ---------------------------------------- */

const double em_spheroid[3] = {1.3, 1.3, 0.8}, em_ellipsoid[3] = {2, 1.5, 1};
static const double unit_axes[3] = {1, 1, 1};

static ph_status quadric(void *user, const double *x, double *g)
{
    const double *a = user;
    g[0] = -1;
    for (int i = 0; i < 3; i++)
        g[0] += x[i] / a[i] * (x[i] / a[i]);
    return PH_OK;
}

static ph_status quadric_jacobian(void *user, const double *x, double *A)
{
    const double *a = user;
    for (int i = 0; i < 3; i++)
        A[i] = 2 * x[i] / (a[i] * a[i]);
    return PH_OK;
}

static ph_status quadric_bend(void *user, const double *x, const double *v, double *dA)
{
    (void)x;
    return quadric_jacobian(user, v, dA);
}

static ph_status quadric_projection(void *user, const double *x, double *P)
{
    const double *a = user;
    double N[3] = {x[0] / (a[0] * a[0]), x[1] / (a[1] * a[1]), x[2] / (a[2] * a[2])};
    off_normal(N, P);
    return PH_OK;
}

static void quadric_point(const void *user, tk_random *r, double *x)
{
    const double *a = user;
    tk_unit(r, x);
    for (int i = 0; i < 3; i++)
        x[i] *= a[i];
}

/* ---- Torus: (|x|^2 + R^2 - r^2)^2 = 4 R^2 (x^2 + y^2) ----------------------------------------------- */

static const double big = 2, small = 0.5;

static ph_status torus(void *user, const double *x, double *g)
{
    double s = dot(3, x, x) + big * big - small * small;
    (void)user;
    g[0] = s * s - 4 * big * big * (x[0] * x[0] + x[1] * x[1]);
    return PH_OK;
}

static ph_status torus_jacobian(void *user, const double *x, double *A)
{
    double s = dot(3, x, x) + big * big - small * small;
    (void)user;
    for (int i = 0; i < 3; i++)
        A[i] = 4 * s * x[i] - (i < 2 ? 8 * big * big * x[i] : 0);
    return PH_OK;
}

static ph_status torus_bend(void *user, const double *x, const double *v, double *dA)
{
    double s = dot(3, x, x) + big * big - small * small, ds = 2 * dot(3, x, v);
    (void)user;
    for (int i = 0; i < 3; i++)
        dA[i] = 4 * (ds * x[i] + s * v[i]) - (i < 2 ? 8 * big * big * v[i] : 0);
    return PH_OK;
}

/* The normal points away from the circle of radius R. */
static ph_status torus_projection(void *user, const double *x, double *P)
{
    double rho = sqrt(x[0] * x[0] + x[1] * x[1]);
    double N[3] = {x[0] - big * x[0] / rho, x[1] - big * x[1] / rho, x[2]};
    (void)user;
    off_normal(N, P);
    return PH_OK;
}

static void torus_point(const void *user, tk_random *r, double *x)
{
    double a = tk_uniform(r, 0, 7), b = tk_uniform(r, 0, 7), rho = big + small * cos(b);
    (void)user;
    x[0] = rho * cos(a);
    x[1] = rho * sin(a);
    x[2] = small * sin(b);
}

/* ---- A curve: x^2 + y^2 = 1, z = x y; its points are (cos a, sin a, sin 2a / 2) --------------------- */

static ph_status curve(void *user, const double *x, double *g)
{
    (void)user;
    g[0] = x[0] * x[0] + x[1] * x[1] - 1;
    g[1] = 1e-6 * (x[2] - x[0] * x[1]); /* units that have nothing to do with the other's */
    return PH_OK;
}

static ph_status curve_jacobian(void *user, const double *x, double *A)
{
    const double here[6] = {2 * x[0], 2 * x[1], 0, -1e-6 * x[1], -1e-6 * x[0], 1e-6};
    (void)user;
    memcpy(A, here, sizeof here);
    return PH_OK;
}

static ph_status curve_bend(void *user, const double *x, const double *v, double *dA)
{
    const double here[6] = {2 * v[0], 2 * v[1], 0, -1e-6 * v[1], -1e-6 * v[0], 0};
    (void)user, (void)x;
    memcpy(dA, here, sizeof here);
    return PH_OK;
}

static ph_status curve_projection(void *user, const double *x, double *P)
{
    const double T[3] = {-x[1], x[0], x[0] * x[0] - x[1] * x[1]};
    (void)user;
    for (int k = 0; k < 9; k++)
        P[k] = T[k / 3] * T[k % 3] / dot(3, T, T);
    return PH_OK;
}

static void curve_point(const void *user, tk_random *r, double *x)
{
    double a = tk_uniform(r, 0, 7);
    (void)user;
    x[0] = cos(a);
    x[1] = sin(a);
    x[2] = 0.5 * sin(2 * a);
}

/* ---- SO(3) in R^9: the six entries of R^T R - I on and above the diagonal --------------------------- */

static ph_status rotation(void *user, const double *R, double *g)
{
    (void)user;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            *g++ = R[i] * R[j] + R[3 + i] * R[3 + j] + R[6 + i] * R[6 + j] - (i == j);
    return PH_OK;
}

static ph_status rotation_jacobian(void *user, const double *R, double *A)
{
    (void)user;
    memset(A, 0, 54 * sizeof *A);
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++, A += 9)
            for (int k = 0; k < 9; k += 3) {
                A[k + i] += R[k + j];
                A[k + j] += R[k + i];
            }
    return PH_OK;
}

static ph_status rotation_bend(void *user, const double *R, const double *v, double *dA)
{
    (void)R;
    return rotation_jacobian(user, v, dA);
}

/* P Y = (Y - R Y^T R) / 2, column by column */
static ph_status rotation_projection(void *user, const double *R, double *P)
{
    (void)user;
    for (int c = 0; c < 9; c++) {
        double Y[9] = {0}, T[9], YtR[9];
        Y[c] = 1;
        ph_transposed_multiply3(Y, R, YtR);
        ph_multiply3(R, YtR, T);
        for (int k = 0; k < 9; k++)
            P[9 * k + c] = 0.5 * (Y[k] - T[k]);
    }
    return PH_OK;
}

static void rotation_point(const void *user, tk_random *r, double *R)
{
    static const double I[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double w[3], X[9];
    (void)user;
    tk_unit(r, w);
    for (int i = 0; i < 3; i++)
        w[i] *= 3;
    ph_exp_increment3(w, X);
    for (int i = 0; i < 9; i++)
        R[i] = I[i] + X[i];
}

/* ---- A subspace of R^5: (1, 2, 0, -1, 1).x = 0, (0, 1, 1, 3, -2).x = 0 ------------------------------ */

static const double plane[10] = {1, 2, 0, -1, 1, 0, 1, 1, 3, -2};
static const ph_subspace subspace = {2, 5, plane};

/* With the cofactors of A A^T = (7 -3; -3 15). */
static ph_status subspace_projection(void *user, const double *x, double *P)
{
    (void)user, (void)x;
    for (int k = 0; k < 25; k++) {
        const double *a = plane, *b = plane + 5;
        int i = k / 5, j = k % 5;
        double inside = a[i] * (15 * a[j] + 3 * b[j]) + b[i] * (3 * a[j] + 7 * b[j]);
        P[k] = (i == j) - inside / (7 * 15 - 9);
    }
    return PH_OK;
}

/* x_4, x_5, x_3 free */
static void subspace_point(const void *user, tk_random *r, double *x)
{
    (void)user;
    for (int i = 2; i < 5; i++)
        x[i] = tk_normal(r);
    x[1] = -x[2] - 3 * x[3] + 2 * x[4];
    x[0] = -2 * x[1] + x[3] - x[4];
}

/* ---- The table ------------------------------------------------------------------------------------ */

#define QUADRIC(NAME, AXES, REACH)                                                                           \
    {                                                                                                        \
        NAME, 3, 2, quadric, quadric_jacobian, quadric_bend, quadric_projection, quadric_point, REACH, AXES  \
    }

/* The reach of the ellipsoids is their smallest radius of curvature, c^2 / a, of the curve's it is at least
 * 0.2. */
static const em_manifold table[EM_MANIFOLDS] = {
    [EM_SPHERE] = QUADRIC("sphere", unit_axes, 0.99),
    [EM_SPHEROID] = QUADRIC("spheroid", em_spheroid, 0.48),
    [EM_ELLIPSOID] = QUADRIC("ellipsoid", em_ellipsoid, 0.49),
    [EM_TORUS] = {"torus", 3, 2, torus, torus_jacobian, torus_bend, torus_projection, torus_point, 0.49,
                  NULL},
    [EM_CURVE] = {"curve", 3, 1, curve, curve_jacobian, curve_bend, curve_projection, curve_point, 0.2, NULL},
    [EM_SO3] = {"rotations", 9, 3, rotation, rotation_jacobian, rotation_bend, rotation_projection,
                rotation_point, 0.9, NULL},
    [EM_SUBSPACE] = {"subspace", 5, 3, NULL, NULL, NULL, subspace_projection, subspace_point, 1e3, &subspace},
};

const em_manifold *em_at(int i)
{
    return &table[i];
}

ph_embedding em_embedding(const em_manifold *m, em_way way)
{
    void *user = (void *)(uintptr_t)m->user;
    if (way == EM_PROJECTION)
        return (ph_embedding){
            .name = m->name, .n = m->n, .dimension = m->dimension, .projection = m->projection, .user = user};
    if (!m->constraint)
        return ph_embedding_subspace(m->user);
    return (ph_embedding){.name = m->name,
                          .n = m->n,
                          .dimension = m->dimension,
                          .constraint = m->constraint,
                          .jacobian = m->jacobian,
                          .bend = way == EM_BEND ? m->bend : NULL,
                          .user = user};
}

ph_space *em_space(int i, em_way way)
{
    const ph_embedding e = em_embedding(&table[i], way);
    const ph_factor factor = {.kind = PH_FACTOR_EMBEDDED, .embedding = &e};
    ph_space *space = NULL;
    ph_error err = {PH_OK, ""};
    ck_assert_msg(!ph_space_create(&factor, 1, &space, &err), "%s: %s", table[i].name, err.message);
    return space;
}
