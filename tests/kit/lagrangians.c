/* SPDX-License-Identifier: BSD-3-Clause */
/* A generic Lagrangian: see the header. */
#include "lagrangians.h"

#include <complex.h>

const char *const lg_words[LG_WAYS] = {"all derivatives", "gradient", "complex", "value"};

void lg_fill(lg_system *s, size_t nz, tk_random *r)
{
    ck_assert_uint_le(nz, LG_NZ);
    s->nz = nz;
    for (size_t i = 0; i < nz; i++) {
        s->k[i] = tk_uniform(r, -1, 1);
        s->w[i] = tk_uniform(r, -0.5, 0.5);
        s->c[i] = tk_uniform(r, -0.5, 0.5);
        s->b[i] = tk_uniform(r, -0.4, 0.4);
        for (size_t j = 0; j <= i; j++) {
            s->M[i * nz + j] = s->M[j * nz + i] =
                (i == j ? 2 : 0) + tk_uniform(r, -0.5, 0.5) / sqrt((double)nz);
            s->Q[i * nz + j] = s->Q[j * nz + i] = tk_uniform(r, -0.5, 0.5);
        }
    }
}

/* The linear forms in L. */
typedef struct forms {
    double complex kz, wv, cv, bv, cz;
} forms;

static forms find_forms(const lg_system *s, const double complex *z, const double complex *v)
{
    forms f = {0};
    for (size_t i = 0; i < s->nz; i++) {
        f.kz += s->k[i] * z[i];
        f.cz += s->c[i] * z[i];
        f.wv += s->w[i] * v[i];
        f.cv += s->c[i] * v[i];
        f.bv += s->b[i] * v[i];
    }
    return f;
}

static double complex square(const lg_system *s, const double *A, const double complex *x)
{
    double complex sum = 0;
    for (size_t i = 0; i < s->nz; i++)
        for (size_t j = 0; j < s->nz; j++)
            sum += x[i] * A[i * s->nz + j] * x[j];
    return sum;
}

static double complex evaluate(const lg_system *s, const double complex *z, const double complex *v)
{
    forms f = find_forms(s, z, v);
    return square(s, s->M, v) / 2 + (1 + csin(f.kz) / 2) * f.wv * f.wv / 2 + f.cv * f.cv * f.cv * f.cv / 60 +
           f.bv * ccos(f.kz) - cexp(f.cz / 2) + square(s, s->Q, z) / 2;
}

double lg_value(const lg_system *s, const double *z, const double *v)
{
    double complex zc[LG_NZ], vc[LG_NZ];
    for (size_t i = 0; i < s->nz; i++) {
        zc[i] = z[i];
        vc[i] = v[i];
    }
    return creal(evaluate(s, zc, vc));
}

ph_status lg_lagrangian(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t;
    *L = lg_value(user, z, v);
    return PH_OK;
}

ph_status lg_complex(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t;
    double complex zc[LG_NZ], vc[LG_NZ], value;
    const lg_system *s = user;
    memcpy(zc, z, s->nz * sizeof *zc);
    memcpy(vc, v, s->nz * sizeof *vc);
    value = evaluate(s, zc, vc);
    memcpy(L, &value, sizeof value);
    return PH_OK;
}

static void real_forms(const lg_system *s, const double *z, const double *v, double f[5])
{
    memset(f, 0, 5 * sizeof *f);
    for (size_t i = 0; i < s->nz; i++) {
        f[0] += s->k[i] * z[i];
        f[1] += s->w[i] * v[i];
        f[2] += s->c[i] * v[i];
        f[3] += s->b[i] * v[i];
        f[4] += s->c[i] * z[i];
    }
}

ph_status lg_gradient(void *user, double t, const double *z, const double *v, double *Lz, double *Lv)
{
    (void)t;
    const lg_system *s = user;
    double f[5];
    real_forms(s, z, v, f);
    for (size_t i = 0; i < s->nz; i++) {
        Lz[i] = s->k[i] * (f[1] * f[1] * cos(f[0]) / 4 - f[3] * sin(f[0])) - s->c[i] * exp(f[4] / 2) / 2;
        Lv[i] =
            s->w[i] * f[1] * (1 + sin(f[0]) / 2) + s->c[i] * f[2] * f[2] * f[2] / 15 + s->b[i] * cos(f[0]);
        for (size_t j = 0; j < s->nz; j++) {
            Lz[i] += s->Q[i * s->nz + j] * z[j];
            Lv[i] += s->M[i * s->nz + j] * v[j];
        }
    }
    return PH_OK;
}

ph_status lg_hessian(void *user, double t, const double *z, const double *v, double *Lzz, double *Lvz,
                     double *Lvv)
{
    (void)t;
    const lg_system *s = user;
    double f[5];
    real_forms(s, z, v, f);
    for (size_t i = 0; i < s->nz; i++)
        for (size_t j = 0; j < s->nz; j++) {
            size_t at = i * s->nz + j;
            Lzz[at] = s->Q[at] - s->k[i] * s->k[j] * (f[1] * f[1] * sin(f[0]) / 4 + f[3] * cos(f[0])) -
                      s->c[i] * s->c[j] * exp(f[4] / 2) / 4;
            Lvz[at] = s->w[i] * s->k[j] * f[1] * cos(f[0]) / 2 - s->b[i] * s->k[j] * sin(f[0]);
            Lvv[at] =
                s->M[at] + s->w[i] * s->w[j] * (1 + sin(f[0]) / 2) + s->c[i] * s->c[j] * f[2] * f[2] / 5;
        }
    return PH_OK;
}

ph_system *lg_create(lg_system *s, const ph_space *space, lg_given given)
{
    ph_system_definition d = {.space = space, .user = s};
    ck_assert_uint_eq(s->nz, ph_space_ambient(space));
    if (given == LG_COMPLEX)
        d.lagrangian_complex = lg_complex;
    else
        d.lagrangian = lg_lagrangian;
    if (given == LG_ALL)
        d.lagrangian_hessian = lg_hessian;
    if (given == LG_ALL || given == LG_GRADIENT)
        d.lagrangian_gradient = lg_gradient;
    return tk_defined(&d);
}
