/* SPDX-License-Identifier: BSD-3-Clause */
/* What the step for any Lagrangian (general.c) does on embedded manifolds besides: a correction along the
 * tangent space, and the momentum at the end, without what rounding and Newton leave. */
#include "general.h"

#include <polhode/kit/algebra.h>

#include <string.h>

/* off (nz of the embedded factor) <- -D_1 L_d - (h/2) f - p. What is nearly equal is subtracted first: next to
 * the momentum, a force that is the same in every step would always be rounded in the same direction. */
static void find_impulse(const general_scratch *w, const ph_part *f, const double *p, const double *force,
                         double *off)
{
    for (size_t k = 0; k < f->nz; k++) {
        double speed = w->d.Lv[0][f->z + k];
        if (w->d.points == 2)
            speed = 0.5 * (speed + w->d.Lv[1][f->z + k]);
        off[k] = (speed - p[f->p + k]) - 0.5 * w->d.H * (w->d.Lz[0][f->z + k] + force[f->z + k]);
    }
}

/* On embedded factors D <- D less what the latest residual makes of it; below <- z_low and what D has no
 * digits for. Rounded coordinates of z+ have another rounding of g after each correction, and with it of D's
 * normal part and of the residual, so that what is left there is more than rounding of the terms, and has a
 * preferred side. Along the tangent space, at the same z+, nothing of that changes. */
void general_settle(general_scratch *w, const double *p, const double *z_low)
{
    double *r = w->newton.r, *off = w->column;
    memcpy(w->below, z_low, w->nz * sizeof *z_low);
    if (!w->embedded || !w->factored || !w->linearised)
        return;
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++) {
        if (f->kind != PH_FACTOR_EMBEDDED)
            continue;
        find_impulse(w, f, p, w->f, off + f->z);
        for (size_t a = 0; a < f->nx; a++)
            r[f->x + a] = w->d.h * ph_row_dot(f, w->E + f->e + a * f->nz, off);
    }
    if (w->c.m)
        general_solve_linear(w, r);
    else
        ph_cholesky_solve(w->nx, w->newton.J, r);
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        for (size_t k = 0; f->kind == PH_FACTOR_EMBEDDED && k < f->nz; k++) {
            double change = 0, lost, *D = &w->d.D[f->z + k];
            for (size_t a = 0; a < f->nx; a++)
                change -= w->d.dD[f->e + a * f->nz + k] * r[f->x + a];
            ph_two_sum(*D, change, D, &lost);
            w->below[f->z + k] += lost;
        }
}

/* dS of an embedded factor. With the normal part N of -D_1 L_d - (h/2) f - p, the force of the constraint at
 * z, p1 is the projection of p + N + D_1 L_d + D_2 L_d + (h/2) (f + f+): what Newton leaves is not in it, nor
 * 1/h times the rounding of z+ - z. */
static void general_embedded_momentum(general_scratch *w, const ph_part *f, const double *p,
                                      const double *low)
{
    double *off = w->column + f->z, *push = w->was[0] + f->z;
    const double *before = w->f0 + f->z, *after = w->f + f->z;
    ph_discrete_push(&w->d, f, push);
    find_impulse(w, f, p, w->f0, off);
    for (size_t k = 0; k < f->nz; k++)
        push[k] += 0.5 * w->d.h * (before[k] + after[k]);
    ph_space_factor_carry_momentum(w->space, f->i, w->d.z, w->d.z1, p, low, off, push, w->dS + f->p);
}

void general_sum_momentum(general_scratch *w, const ph_carry *c, const double *p)
{
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++)
        if (f->kind == PH_FACTOR_EMBEDDED)
            general_embedded_momentum(w, f, p, c->low);
    ph_carry_add(c, w->space, w->parts, w->dS, w->d.z1, w->S1, w->low1, w->p1);
}
