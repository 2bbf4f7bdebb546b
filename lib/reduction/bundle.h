/* SPDX-License-Identifier: BSD-3-Clause */
/* A bundle inside: its data moved to the algebra of the base. On each factor a velocity is v = turn(x, omega)
 * (ph_space_turn), so that
 *     l(x, omega, zeta) = (1/2) D . K D - V,   D = (omega, zeta),   zeta = xi - W omega,
 * with K (n x n), n = np + g, and W (g x np). A point of the base holds these four as one array. */
#ifndef PH_REDUCTION_BUNDLE_H
#define PH_REDUCTION_BUNDLE_H

#include <polhode/bundle.h>

#include <string.h>

struct ph_bundle {
    ph_bundle_definition is; /* base: the bundle's own; data NULL where it comes from a system */
    ph_space *base, *fibre;
    size_t na, np, nb, g, n, N, nh; /* ambient, momenta, dimension of B; of G; np + g; na + g; numbers in h */
    const ph_system *system;        /* nullable */
    size_t *base_z, *fibre_z;       /* (na), (nh): where their numbers are in the system's z */
    bool inverse;
};

/* The parts of a point. */
static inline size_t ph_point_size(const ph_bundle *b)
{
    return b->n * b->n + b->g * b->np + b->g + 1;
}

static inline ph_bundle_data ph_point_parts(const ph_bundle *b, double *P)
{
    ph_bundle_data d = {.K = P};
    d.w = d.K + b->n * b->n;
    d.xi = d.w + b->g * b->np;
    d.V = d.xi + b->g;
    return d;
}

/* The same of what callbacks write, in ambient coordinates. */
static inline size_t ph_raw_size(const ph_bundle *b)
{
    return b->N * b->N + b->g * b->na + b->g + 1;
}

static inline ph_bundle_data ph_raw_parts(const ph_bundle *b, double *P)
{
    ph_bundle_data d = {.K = P};
    d.w = d.K + b->N * b->N;
    d.xi = d.w + b->g * b->na;
    d.V = d.xi + b->g;
    return d;
}

/* ---- bundle.c ---- */
/* Base and fibre, and the sizes that follow. */
ph_status ph_bundle_shape(ph_bundle *b, const ph_space *base, ph_group group, ph_error *err);
size_t ph_bundle_point_work(const ph_bundle *b);
/* P <- the point at x. */
ph_status ph_bundle_point(const ph_bundle *b, const double *x, double *P, double *work);
/* dP <- its derivative along turn(x, eta); eta (np). */
ph_status ph_bundle_point_along(const ph_bundle *b, const double *x, const double *eta, double *dP,
                                double *work);
/* The same by differences, whatever there is. */
ph_status ph_bundle_point_differences(const ph_bundle *b, const double *x, const double *eta, double *dP,
                                      double *work);
/* f (np + g) <- the force on (omega, zeta). */
ph_status ph_bundle_force(const ph_bundle *b, double t, const double *x, const double *omega,
                          const double *zeta, double *f, double *work);
/* beta (nb x np) <- angular velocities that span those of motions at x; orthonormal. */
void ph_bundle_basis(const ph_bundle *b, const double *x, double *beta, double *work);
/* r (n) <- the rows of K times D. */
void ph_bundle_lower(const ph_bundle *b, const double *P, const double *D, double *r);
/* A (nb x nb) <- beta [1; -W]^T K [1; -W] beta^T. */
void ph_bundle_horizontal(const ph_bundle *b, const double *P, const double *beta, double *A, double *work);

/* ---- system-data.c ---- */
size_t ph_bundle_system_work(const ph_bundle *b);
/* raw <- the data of the system at (t, x, h), in the left trivialisation; *condition <- the reciprocal
 * condition number of a_G. PH_E_SINGULAR where that is below PH_BUNDLE_SINGULAR; all but w and xi is written
 * then. h NULL: e. */
ph_status ph_bundle_system_data(const ph_bundle *b, double t, const double *x, const double *h, double *raw,
                                double *condition, double *work);
/* f (na + g) <- its force. */
ph_status ph_bundle_system_force(const ph_bundle *b, double t, const double *x, const double *h,
                                 const double *v, const double *zeta, double *f, double *work);

/* ---- group.c ---- */
size_t ph_group_dimension(ph_group group);
ph_status ph_group_space(ph_group group, ph_space **space, ph_error *err);
void ph_group_identity(ph_group group, double *h);
/* c <- [a, b] */
void ph_group_bracket(ph_group group, const double *a, const double *b, double *c);
/* q (g) <- ad_a^T p, (ad_a^T p) . b = p . [a, b]. */
void ph_group_coadjoint(ph_group group, const double *a, const double *p, double *q);
/* q <- T(f)^{-T} p, and u <- T(f)^{-1} z, with T(f) = (1 - exp(-ad_f)) / ad_f. */
void ph_group_cotangent(ph_group group, const double *f, const double *p, double *q);
void ph_group_tangent(ph_group group, const double *f, const double *z, double *u);
/* w <- in the algebra of the space of G (ph_space_act): h exp(f) = act(h, w). */
void ph_group_displacement(ph_group group, const double *h, const double *f, double *w);
/* D (numbers in h) <- d/ds h exp(s zeta) at s = 0. */
void ph_group_velocity(ph_group group, const double *h, const double *zeta, double *D);
/* z + low <- that moved by w of the algebra of a space (ph_space_act), so that rounding does not add up;
 * work: twice as many numbers as z. */
void ph_bundle_advance(const ph_space *space, double *z, double *low, const double *w, double *work);

#endif
