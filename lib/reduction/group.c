/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups of bundles: R^k, S^1, SE(2), SO(3), their algebras and exponentials. With A = ad_f,
 *     T(f) = (1 - exp(-ad_f)) / ad_f = 1 - b A + d A^2,      T(f)^{-1} = 1 + A/2 + e A^2,
 *     e = (1 - (t/2) cot(t/2)) / t^2,
 * on SO(3), where A = S(f) and t = |f|, and on SE(2), where t is the angle: A^3 = -t^2 A on both. */
#include <polhode/algebra.h>

#include "bundle.h"

#include <math.h>

size_t ph_group_dimension(ph_group group)
{
    return group.kind == PH_GROUP_R ? group.k : group.kind == PH_GROUP_S1 ? 1 : 3;
}

ph_status ph_group_space(ph_group group, ph_space **space, ph_error *err)
{
    const ph_factor plane[] = {{.kind = PH_FACTOR_R, .d = 2}, {.kind = PH_FACTOR_S1}};
    const ph_factor one = {.kind = group.kind == PH_GROUP_R    ? PH_FACTOR_R
                                   : group.kind == PH_GROUP_S1 ? PH_FACTOR_S1
                                                               : PH_FACTOR_SO3,
                           .d = group.kind == PH_GROUP_R ? group.k : 0};
    return group.kind == PH_GROUP_SE2 ? ph_space_create(plane, 2, space, err)
                                      : ph_space_create(&one, 1, space, err);
}

void ph_group_identity(ph_group group, double *h)
{
    switch (group.kind) {
    case PH_GROUP_R:
        memset(h, 0, group.k * sizeof *h);
        break;
    case PH_GROUP_S1:
        h[0] = 1, h[1] = 0;
        break;
    case PH_GROUP_SE2:
        h[0] = h[1] = h[3] = 0;
        h[2] = 1;
        break;
    case PH_GROUP_SO3:
        for (size_t i = 0; i < 9; i++)
            h[i] = i % 4 == 0;
    }
}

static bool is_abelian(ph_group group)
{
    return group.kind == PH_GROUP_R || group.kind == PH_GROUP_S1;
}

void ph_group_bracket(ph_group group, const double *a, const double *b, double *c)
{
    if (is_abelian(group)) {
        memset(c, 0, ph_group_dimension(group) * sizeof *c);
    } else if (group.kind == PH_GROUP_SO3) {
        ph_cross3(a, b, c);
    } else {
        c[0] = b[2] * a[1] - a[2] * b[1];
        c[1] = a[2] * b[0] - b[2] * a[0];
        c[2] = 0;
    }
}

void ph_group_coadjoint(ph_group group, const double *a, const double *p, double *q)
{
    if (is_abelian(group)) {
        memset(q, 0, ph_group_dimension(group) * sizeof *q);
    } else if (group.kind == PH_GROUP_SO3) {
        ph_cross3(p, a, q); /* p.(a x b) = (p x a).b */
    } else {
        q[0] = a[2] * p[1];
        q[1] = -a[2] * p[0];
        q[2] = a[1] * p[0] - a[0] * p[1];
    }
}

/* The square of the angle of f. */
static double angle2(ph_group group, const double *f)
{
    return group.kind == PH_GROUP_SO3 ? ph_dot3(f, f) : f[2] * f[2];
}

/* e above; the series are the Bernoulli numbers |B_2k| / (2k)!. */
static double inverse_coefficient(double t2)
{
    if (t2 < 0.25)
        return 1. / 12 +
               t2 * (1. / 720 +
                     t2 * (1. / 30240 +
                           t2 * (1. / 1209600 + t2 * (1. / 47900160 + t2 * (691. / 1307674368000 +
                                                                            t2 * (1. / 74724249600.))))));
    const double half = sqrt(t2) / 2;
    return (1 - half / tan(half)) / t2;
}

void ph_group_cotangent(ph_group group, const double *f, const double *p, double *q)
{
    memmove(q, p, ph_group_dimension(group) * sizeof *q);
    if (is_abelian(group))
        return;
    double once[3], twice[3], e = inverse_coefficient(angle2(group, f));
    ph_group_coadjoint(group, f, q, once);
    ph_group_coadjoint(group, f, once, twice);
    for (int i = 0; i < 3; i++)
        q[i] += 0.5 * once[i] + e * twice[i];
}

void ph_group_tangent(ph_group group, const double *f, const double *z, double *u)
{
    memmove(u, z, ph_group_dimension(group) * sizeof *u);
    if (is_abelian(group))
        return;
    double once[3], twice[3], e = inverse_coefficient(angle2(group, f));
    ph_group_bracket(group, f, u, once);
    ph_group_bracket(group, f, once, twice);
    for (int i = 0; i < 3; i++)
        u[i] += 0.5 * once[i] + e * twice[i];
}

void ph_group_displacement(ph_group group, const double *h, const double *f, double *w)
{
    memcpy(w, f, ph_group_dimension(group) * sizeof *w);
    if (group.kind != PH_GROUP_SE2)
        return;
    double a, b, c, x, y;
    ph_sphere_coefficients(f[2] * f[2], &a, &b, &c);
    x = a * f[0] - b * f[2] * f[1];
    y = b * f[2] * f[0] + a * f[1];
    w[0] = h[2] * x - h[3] * y;
    w[1] = h[3] * x + h[2] * y;
}

void ph_group_velocity(ph_group group, const double *h, const double *zeta, double *D)
{
    switch (group.kind) {
    case PH_GROUP_R:
        memcpy(D, zeta, group.k * sizeof *D);
        break;
    case PH_GROUP_S1:
        D[0] = -zeta[0] * h[1];
        D[1] = zeta[0] * h[0];
        break;
    case PH_GROUP_SE2:
        D[0] = h[2] * zeta[0] - h[3] * zeta[1];
        D[1] = h[3] * zeta[0] + h[2] * zeta[1];
        D[2] = -zeta[2] * h[3];
        D[3] = zeta[2] * h[2];
        break;
    case PH_GROUP_SO3: {
        double S[9];
        ph_hat3(zeta, S);
        ph_multiply3(h, S, D);
    }
    }
}

/* D <- exp(S(w)) q - q, also for a w with a part along q. */
static void turn_increment(const double *w, const double *q, double *D)
{
    double a, b, c, once[3], twice[3];
    ph_sphere_coefficients(ph_dot3(w, w), &a, &b, &c);
    ph_cross3(w, q, once);
    ph_cross3(w, once, twice);
    for (int i = 0; i < 3; i++)
        D[i] = a * once[i] + b * twice[i];
}

void ph_bundle_advance(const ph_space *space, double *z, double *low, const double *w, double *work)
{
    double *v = work, *D = work + ph_space_ambient(space);
    ph_space_turn(space, z, w, v);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        if (f->kind == PH_FACTOR_S2)
            turn_increment(w + f->p, z + f->z, D + f->z);
        else
            ph_space_factor_increment(space, i, z, v + f->z, D + f->z);
    }
    ph_space_advance(space, z, low, D, z, low);
}
