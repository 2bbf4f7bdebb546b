/* SPDX-License-Identifier: BSD-3-Clause */
/* A Lagrangian on any space that is neither quadratic in the velocity nor of constant inertia,
 *     L = v.Mv/2 + (1 + sin(k.z)/2)(w.v)^2/2 + (c.v)^4/60 + (b.v) cos(k.z) - exp(c.z/2) + z.Qz/2
 * with random coefficients, in every way in which a user may give it. */
#ifndef POLHODE_TESTS_LAGRANGIANS_H
#define POLHODE_TESTS_LAGRANGIANS_H

#include "testkit.h"

enum { LG_NZ = 24 };

typedef struct lg_system {
    size_t nz;
    double M[LG_NZ * LG_NZ], Q[LG_NZ * LG_NZ], k[LG_NZ], w[LG_NZ], c[LG_NZ], b[LG_NZ];
} lg_system;

/* Coefficients for nz coordinates; M positive definite. */
void lg_fill(lg_system *s, size_t nz, tk_random *r);
double lg_value(const lg_system *s, const double *z, const double *v);

/* Callbacks; user is the lg_system. */
ph_status lg_lagrangian(void *user, double t, const double *z, const double *v, double *L);
ph_status lg_gradient(void *user, double t, const double *z, const double *v, double *Lz, double *Lv);
ph_status lg_hessian(void *user, double t, const double *z, const double *v, double *Lzz, double *Lvz,
                     double *Lvv);
ph_status lg_complex(void *user, double t, const double *z, const double *v, double *L);

/* Which callbacks a definition has. */
typedef enum lg_given { LG_ALL, LG_GRADIENT, LG_COMPLEX, LG_VALUE, LG_WAYS } lg_given;
extern const char *const lg_words[LG_WAYS];
/* A system of it; s and the space must stay. */
ph_system *lg_create(lg_system *s, const ph_space *space, lg_given given);

#endif
