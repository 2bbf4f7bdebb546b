/* SPDX-License-Identifier: BSD-3-Clause */
/* Discrete Lagrangians with one point, the projected midpoint of a step, and the chord as its velocity
 * (discrete-lagrangian.h): n = (z + z+) / |z + z+| on S^1 and S^2, R_1/2 = R exp(S(f/2)) on SO(3). With
 * r = |z + z+| / 2 and dn/dz = (I - n n^T) / (2 r),
 *     -D_1 L_d = L_v - H (I - n n^T) L_z / (2 r)                         S^1 and S^2,
 *     -D_1 L_d = vee(R^T L_v - L_v^T R) - (H/2) (m + (tan(t/4)/t) f x m)    SO(3),
 * in the frame of the body, with m = vee(R_1/2^T L_z - L_z^T R_1/2); discrete-body.c says where the
 * second term comes from. */
#include "discrete-families.h"

/* The chord is that of the whole step: the velocity need not be tangent at the midpoint. */
static void normalised_place(ph_discrete *d, const ph_part *f)
{
    memcpy(d->speed[0] + f->z, d->v + f->z, f->nz * sizeof *d->v);
    if (f->kind == PH_FACTOR_SO3) {
        half_turn(d, f, d->at[0] + f->z);
        return;
    }
    middle m = find_middle(d, f);
    memcpy(d->at[0] + f->z, m.n, f->nz * sizeof *m.n);
}

static void normalised_place_along(const ph_discrete *d, const ph_part *f, size_t b, double *const dat[2],
                                   double *const dspeed[2])
{
    const double *row = d->dD + f->e + b * f->nz;
    for (size_t k = 0; k < f->nz; k++)
        dspeed[0][k] = row[k] / d->h;
    if (f->kind == PH_FACTOR_SO3) {
        half_turn_along(d, f, d->at[0] + f->z, b, dat[0]);
        return;
    }
    middle m = find_middle(d, f);
    move_middle(d, f, &m, b, dat[0]);
}

static void normalised_momentum(const ph_discrete *d, const ph_part *f, double *const Lz[2],
                                double *const Lv[2], double *r)
{
    double pull[3];
    if (f->kind == PH_FACTOR_SO3) {
        double m[3];
        ph_body_moment(d->z + f->z, Lv[0] + f->z, r);
        ph_body_moment(d->at[0] + f->z, Lz[0] + f->z, m);
        pull_half_turn(d, f, m, pull);
        for (int k = 0; k < 3; k++)
            r[k] -= 0.5 * d->H * pull[k];
        return;
    }
    middle m = find_middle(d, f);
    pull_middle(f, &m, Lz[0] + f->z, pull);
    for (size_t a = 0; a < f->nx; a++) {
        const double *row = d->E + f->e + a * f->nz;
        r[a] = ph_row_dot(f, row, Lv[0]) - d->H * ph_dot(row, pull, f->nz);
    }
}

/* The first term of -D_1 L_d has constant coefficients, so that only the second one has a derivative here. */
static void normalised_bend(const ph_discrete *d, const ph_part *f, size_t b, double *r)
{
    const double *Lz = d->Lz[0] + f->z;
    double bend[3];
    if (f->kind == PH_FACTOR_SO3) {
        double dR[9], m[3], dm[3];
        half_turn_along(d, f, d->at[0] + f->z, b, dR);
        ph_body_moment(d->at[0] + f->z, Lz, m);
        ph_body_moment(dR, Lz, dm);
        pull_half_turn_along(d, f, b, m, dm, bend);
        for (int k = 0; k < 3; k++)
            r[k] -= 0.5 * d->H * bend[k];
        return;
    }
    middle m = find_middle(d, f);
    pull_middle_along(d, f, &m, b, Lz, bend);
    for (size_t a = 0; a < f->nx; a++)
        r[a] -= d->H * ph_dot(d->E + f->e + a * f->nz, bend, f->nz);
}

const ph_discrete_family ph_discrete_normalised = {.place = normalised_place,
                                                   .place_along = normalised_place_along,
                                                   .momentum = normalised_momentum,
                                                   .bend = normalised_bend};
