/* SPDX-License-Identifier: BSD-3-Clause */
/* Random systems as the library's: see lagsystem.h. The callbacks' user is the mult_system. */
#include "lagsystem.h"

#include <stdint.h>

const char *lag_given_name(lag_given given)
{
    static const char *const names[] = {"M",      "MM",          "m(q)",       "MM(z)",
                                        "L, all", "L, gradient", "L, complex", "L alone"};
    return names[given];
}

static void real_parts(size_t n, const mult_number *from, double *to)
{
    for (size_t i = 0; i < n; i++)
        to[i] = creal(from[i]);
}

/* ---- Callbacks --------------------------------------------------------------------------------------- */

static ph_status potential(void *user, const double *z, double *U)
{
    const mult_system *s = user;
    mult_number x[CS_N];
    mult_complex(s->n, z, x);
    *U = creal(cs_potential(s->self, x));
    return PH_OK;
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    const mult_system *s = user;
    mult_number x[CS_N], out[CS_N];
    mult_complex(s->n, z, x);
    cs_potential_gradient(s->self, x, out);
    real_parts(s->n, out, dU);
    return PH_OK;
}

static ph_status inertia_at(void *user, const double *z, double *M)
{
    const mult_system *s = user;
    const cs_system *own = s->self;
    mult_number x[CS_N], out[CS_SPHERES_MOST * CS_SPHERES_MOST];
    mult_complex(s->n, z, x);
    cs_inertia(own, x, out);
    real_parts(own->spheres * own->spheres, out, M);
    return PH_OK;
}

static ph_status inertia_dz(void *user, const double *z, double *dM)
{
    const mult_system *s = user;
    const cs_system *own = s->self;
    mult_number x[CS_N], out[CS_SPHERES_MOST * CS_SPHERES_MOST * CS_N];
    mult_complex(s->n, z, x);
    cs_inertia_gradient(own, x, out);
    real_parts(own->spheres * own->spheres * s->n, out, dM);
    return PH_OK;
}

/* MM of either kind: on spheres m_ij on the diagonals of the 3 x 3 blocks. */
static ph_status ambient_at(void *user, const double *z, double *MM)
{
    const mult_system *s = user;
    const cs_system *own = s->self;
    mult_number x[CS_N], out[CS_N * CS_N];
    mult_complex(s->n, z, x);
    if (own->kind == CS_AMBIENT) {
        cs_ambient_inertia(own, x, out);
        real_parts(s->n * s->n, out, MM);
        return PH_OK;
    }
    cs_inertia(own, x, out);
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->n; j++)
            MM[i * s->n + j] = i % 3 == j % 3 ? creal(out[i / 3 * own->spheres + j / 3]) : 0;
    return PH_OK;
}

static ph_status ambient_dz(void *user, const double *z, double *dMM)
{
    const mult_system *s = user;
    const cs_system *own = s->self;
    mult_number x[CS_N], out[CS_N * CS_N * CS_N];
    size_t n = s->n;
    mult_complex(n, z, x);
    if (own->kind == CS_AMBIENT) {
        cs_ambient_inertia_gradient(own, x, out);
        real_parts(n * n * n, out, dMM);
        return PH_OK;
    }
    cs_inertia_gradient(own, x, out);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t a = 0; a < n; a++)
                dMM[(i * n + j) * n + a] =
                    i % 3 == j % 3 ? creal(out[(i / 3 * own->spheres + j / 3) * n + a]) : 0;
    return PH_OK;
}

static ph_status lagrangian(void *user, double t, const double *z, const double *zdot, double *L)
{
    (void)t;
    const mult_system *s = user;
    mult_number x[CS_N], v[CS_N];
    mult_complex(s->n, z, x);
    mult_complex(s->n, zdot, v);
    *L = creal(s->lagrangian(s->self, x, v));
    return PH_OK;
}

static ph_status lagrangian_gradient(void *user, double t, const double *z, const double *zdot, double *Lz,
                                     double *Lv)
{
    (void)t;
    const mult_system *s = user;
    mult_number x[CS_N], v[CS_N], slope[2 * CS_N];
    mult_complex(s->n, z, x);
    mult_complex(s->n, zdot, v);
    s->gradient(s->self, x, v, slope, slope + s->n);
    real_parts(s->n, slope, Lz);
    real_parts(s->n, slope + s->n, Lv);
    return PH_OK;
}

static void slopes(const void *self, const mult_number *z, mult_number *out)
{
    const mult_system *s = self;
    s->gradient(s->self, z, z + s->n, out, out + s->n);
}

/* Columns by complex steps of the gradient, which are exact. */
static ph_status lagrangian_hessian(void *user, double t, const double *z, const double *zdot, double *Lzz,
                                    double *Lvz, double *Lvv)
{
    (void)t;
    const mult_system *s = user;
    size_t n = s->n;
    double at[2 * CS_N], along[2 * CS_N] = {0}, column[2 * CS_N];
    mult_pair(n, z, zdot, at);
    for (size_t k = 0; k < 2 * n; k++) {
        along[k] = 1;
        mult_derivative(slopes, s, 2 * n, 2 * n, at, along, column);
        along[k] = 0;
        for (size_t i = 0; i < n; i++) {
            if (k < n) {
                Lzz[i * n + k] = column[i];
                Lvz[i * n + k] = column[n + i];
            } else {
                Lvv[i * n + k - n] = column[n + i];
            }
        }
    }
    return PH_OK;
}

static ph_status lagrangian_complex(void *user, double t, const double *z, const double *zdot, double *L)
{
    (void)t;
    const mult_system *s = user;
    mult_number x[CS_N], v[CS_N], value;
    for (size_t i = 0; i < s->n; i++) {
        x[i] = CMPLX(z[2 * i], z[2 * i + 1]);
        v[i] = CMPLX(zdot[2 * i], zdot[2 * i + 1]);
    }
    value = s->lagrangian(s->self, x, v);
    L[0] = creal(value);
    L[1] = cimag(value);
    return PH_OK;
}

static ph_status force(void *user, double t, const double *z, const double *zdot, double *f)
{
    const mult_system *s = user;
    double own[CS_N];
    mult_force(s, t, z, zdot, own);
    for (size_t i = 0; i < s->n; i++)
        f[i] += own[i];
    return PH_OK;
}

/* ---- Creation ---------------------------------------------------------------------------------------- */

static ph_status constraint(void *user, const double *x, double *g)
{
    const mult_system *s = user;
    mult_number z[CS_N], out[MULT_M];
    mult_complex(s->n, x, z);
    s->constraints(s->self, z, out);
    real_parts(s->m, out, g);
    return PH_OK;
}

static ph_status jacobian(void *user, const double *x, double *A)
{
    const mult_system *s = user;
    mult_number z[CS_N], out[MULT_M * CS_N];
    mult_complex(s->n, x, z);
    s->jacobian(s->self, z, out);
    real_parts(s->m * s->n, out, A);
    return PH_OK;
}

static ph_status bend(void *user, const double *x, const double *v, double *dA)
{
    const mult_system *s = user;
    mult_derivative(s->jacobian, s->self, s->n, s->m * s->n, x, v, dA);
    return PH_OK;
}

static ph_status projection(void *user, const double *x, double *P)
{
    const mult_system *s = user;
    mult_number z[CS_N], out[CS_N * CS_N];
    mult_complex(s->n, x, z);
    mult_projection(s, z, out);
    real_parts(s->n * s->n, out, P);
    return PH_OK;
}

static void project_matrix(const void *self, const mult_number *x, mult_number *P)
{
    mult_projection(self, x, P);
}

static ph_status projection_along(void *user, const double *x, const double *v, double *dP)
{
    const mult_system *s = user;
    mult_derivative(project_matrix, s, s->n, s->n * s->n, x, v, dP);
    return PH_OK;
}

static ph_space *make_space(const mult_system *s, bool by_projection)
{
    const cs_system *own = s->self;
    ph_embedding embedding = {.n = s->n, .dimension = s->n - s->m, .user = (void *)(uintptr_t)s};
    ph_factor factors[CS_SPHERES_MOST] = {
        {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S2}};
    size_t n = own->spheres;
    switch (own->set) {
    case CS_SPHERES:
        break;
    case CS_PRODUCT:
        factors[0] = (ph_factor){.kind = PH_FACTOR_R, .d = 1};
        factors[1] = (ph_factor){.kind = PH_FACTOR_S1};
        factors[3] = (ph_factor){.kind = PH_FACTOR_SO3};
        n = 4;
        break;
    case CS_CIRCLE:
        factors[0] = (ph_factor){.kind = PH_FACTOR_S1};
        n = 1;
        break;
    case CS_ROTATIONS:
        factors[0] = (ph_factor){.kind = PH_FACTOR_SO3};
        n = 1;
        break;
    default:
        factors[0] = (ph_factor){.kind = PH_FACTOR_EMBEDDED, .embedding = &embedding};
        n = 1;
        if (by_projection) {
            embedding.projection = projection;
            embedding.projection_along = projection_along;
        } else {
            embedding.constraint = constraint;
            embedding.jacobian = jacobian;
            embedding.bend = bend;
        }
    }
    return tk_space(factors, n);
}

ph_system *lag_create(const mult_system *s, lag_given given, bool by_projection)
{
    ph_system_definition d = {.user = (void *)(uintptr_t)s, .force = force};
    double M[CS_N * CS_N], origin[CS_N] = {0};
    ph_system *system = NULL;
    TK_OWN(ph_space) *space = make_space(s, by_projection);
    ph_error err = {PH_OK, ""};
    d.space = space;
    switch (given) {
    case CS_GIVEN_CONSTANT_PAIRS:
        d.inertia = M;
        inertia_at(d.user, origin, M);
        break;
    case CS_GIVEN_CONSTANT_AMBIENT:
        d.ambient_inertia = M;
        ambient_at(d.user, origin, M);
        break;
    case CS_GIVEN_PAIRS:
        d.inertia_at = inertia_at;
        d.inertia_dz = inertia_dz;
        break;
    case CS_GIVEN_AMBIENT:
        d.ambient_inertia_at = ambient_at;
        d.inertia_dz = ambient_dz;
        break;
    case CS_GIVEN_COMPLEX:
        d.lagrangian_complex = lagrangian_complex;
        break;
    case CS_GIVEN_HESSIAN:
        d.lagrangian_hessian = lagrangian_hessian; /* fall through */
    case CS_GIVEN_GRADIENT:
        d.lagrangian_gradient = lagrangian_gradient; /* fall through */
    case CS_GIVEN_VALUES:
        d.lagrangian = lagrangian;
    }
    if (given < CS_GIVEN_HESSIAN) {
        d.potential = potential;
        d.gradient = gradient;
    }
    ck_assert_msg(!ph_system_create(&d, &system, &err), "%s", err.message);
    return system;
}
