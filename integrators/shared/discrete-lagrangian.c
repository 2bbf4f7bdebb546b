/* SPDX-License-Identifier: BSD-3-Clause */
/* The points of the discrete Lagrangians, their momentum -D_1 L_d, and its exact derivative. All is done
 * factor by factor. -D_1 L_d is linear in L_z and L_v for given z, z+; its derivative is the same linear map
 * of their derivatives, and for the factor whose unknown moves a second term, from the map itself. What
 * depends on the rule and the kind of a factor is in tables of functions (discrete-families.h); that of
 * chords, for factors of any kind, is here. */
#include "discrete-families.h"

/* ---- Chords: any factor ---------------------------------------------------------------------------- */

/* Points are the ends of the step, or the middle of the chord; the velocity is D/H, with dv/dy_b = dD/dx_b /
 * h, as x = s y and H = s h. dz+/dy_b = s dD/dx_b. */
static void chord_place(ph_discrete *d, const ph_part *f)
{
    for (size_t k = f->z; k < f->z + f->nz; k++) {
        d->at[0][k] = one_point(d) ? d->z[k] + 0.5 * d->D[k] : d->z[k];
        d->speed[0][k] = d->v[k];
        if (one_point(d))
            continue;
        d->at[1][k] = d->z1[k];
        d->speed[1][k] = d->v[k];
    }
}

static void chord_place_along(const ph_discrete *d, const ph_part *f, size_t b, double *const dat[2],
                              double *const dspeed[2])
{
    const double *row = d->dD + f->e + b * f->nz;
    for (size_t k = 0; k < f->nz; k++) {
        dat[0][k] = one_point(d) ? 0.5 * d->s * row[k] : 0;
        dspeed[0][k] = row[k] / d->h;
        if (one_point(d))
            continue;
        dat[1][k] = d->s * row[k];
        dspeed[1][k] = row[k] / d->h;
    }
}

/* -D_1 L_d = sum_e w_e L_v - (H/2) L_z at the first point: dz_0/dz is 1 with weight 1/2, or 1/2 with weight
 * 1. */
static void chord_momentum(const ph_discrete *d, const ph_part *f, double *const Lz[2], double *const Lv[2],
                           double *r)
{
    for (size_t a = 0; a < f->nx; a++) {
        const double *row = d->E + f->e + a * f->nz;
        double speed = ph_row_dot(f, row, Lv[0]);
        if (!one_point(d))
            speed = 0.5 * (speed + ph_row_dot(f, row, Lv[1]));
        r[a] = speed - 0.5 * d->H * ph_row_dot(f, row, Lz[0]);
    }
}

static const ph_discrete_family chord = {
    .place = chord_place, .place_along = chord_place_along, .momentum = chord_momentum};

/* ---- The whole ------------------------------------------------------------------------------------- */

/* The table for factor f. */
static const ph_discrete_family *family_of(const ph_discrete *d, const ph_part *f)
{
    const bool turns = f->kind == PH_FACTOR_S1 || f->kind == PH_FACTOR_S2 || f->kind == PH_FACTOR_SO3;
    if (!turns || d->rule == PH_RULE_ENDS || d->rule == PH_RULE_MIDPOINT)
        return &chord;
    if (d->rule == PH_RULE_NORMALISED)
        return &ph_discrete_normalised;
    return f->kind == PH_FACTOR_S1   ? &ph_discrete_circle
           : f->kind == PH_FACTOR_S2 ? &ph_discrete_sphere
                                     : &ph_discrete_body;
}

void ph_discrete_place(ph_discrete *d, double s, const double *y)
{
    size_t nx = ph_space_dimension(d->space);
    d->s = s;
    d->H = s * d->h;
    d->y = y;
    for (size_t a = 0; a < nx; a++)
        d->x[a] = s * y[a];
    ph_increments(d->space, d->parts, d->z, d->low, d->E, d->x, d->D);
    for (size_t k = 0; k < d->nz; k++) { /* at s = 0 the velocity is E y / h, below */
        d->z1[k] = d->z[k] + d->D[k];
        d->v[k] = s != 0 ? d->D[k] / d->H : 0;
    }
    for (const ph_part *f = d->parts; f < d->parts + d->n; f++) {
        for (size_t k = f->z; d->low && f->kind == PH_FACTOR_EMBEDDED && k < f->z + f->nz; k++)
            d->z1[k] = d->z[k] + (d->low[k] + d->D[k]); /* rounded as the step will keep it */
        for (size_t k = 0; s == 0 && k < f->nz; k++)
            for (size_t a = 0; a < f->nx; a++)
                d->v[f->z + k] += d->E[f->e + a * f->nz + k] * y[f->x + a] / d->h;
        family_of(d, f)->place(d, f);
    }
}

bool ph_discrete_replace(ph_discrete *d)
{
    bool any = false;
    for (const ph_part *f = d->parts; f < d->parts + d->n; f++) {
        if (f->kind != PH_FACTOR_EMBEDDED)
            continue;
        any = true;
        for (size_t k = f->z; k < f->z + f->nz; k++)
            d->v[k] = d->D[k] / d->H;
        chord_place(d, f);
    }
    return any;
}

void ph_discrete_linearise(ph_discrete *d)
{
    ph_increment_derivatives(d->space, d->parts, d->z, d->E, d->x, d->D, d->dD);
}

void ph_discrete_place_along(const ph_discrete *d, const ph_part *f, size_t b, double *const dat[2],
                             double *const dspeed[2])
{
    family_of(d, f)->place_along(d, f, b, dat, dspeed);
}

void ph_discrete_momentum(const ph_discrete *d, double *r)
{
    for (const ph_part *f = d->parts; f < d->parts + d->n; f++)
        family_of(d, f)->momentum(d, f, d->Lz, d->Lv, r + f->x);
}

void ph_discrete_momentum_along(const ph_discrete *d, const ph_part *f, double *const dLz[2],
                                double *const dLv[2], const ph_part *own, size_t b, double *dr)
{
    const ph_discrete_family *family = family_of(d, f);
    family->momentum(d, f, dLz, dLv, dr);
    if (f == own && family->bend) /* the unknowns of other factors leave the map of this one as it is */
        family->bend(d, f, b, dr);
}

void ph_discrete_turn(const ph_discrete *d, double *dS)
{
    memset(dS, 0, ph_space_momenta(d->space) * sizeof *dS);
    for (const ph_part *f = d->parts; f < d->parts + d->n; f++)
        for (size_t e = 0; e < d->points; e++) {
            double share = d->weight * d->H; /* S+ - S = H sum_e w_e (z_e x L_z + v_e x L_v) */
            ph_add_moment(f, d->at[e] + f->z, d->Lz[e] + f->z, share, dS + f->p);
            if (f->kind != PH_FACTOR_R && !d->own) /* what rounding makes of 0 has a mean */
                ph_add_moment(f, d->speed[e] + f->z, d->Lv[e] + f->z, share, dS + f->p);
        }
}

void ph_discrete_push(const ph_discrete *d, const ph_part *f, double *push)
{
    for (size_t k = 0; k < f->nz; k++) {
        push[k] = 0;
        for (size_t e = 0; e < d->points; e++)
            push[k] += d->weight * d->H * d->Lz[e][f->z + k];
    }
}
