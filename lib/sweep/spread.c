/* SPDX-License-Identifier: BSD-3-Clause */
/* The Frechet mean m of points z_i, where sum log_m(z_i) = 0, by m <- exp_m(mean of log_m(z_i)) (H. Karcher, Comm. Pure
 * Appl. Math. 30 (1977) 509), from the point next to the mean of the coordinates; and the covariance of log_m(z_i) in the
 * orthonormal coordinates of the tangent space at m. All sums are in the order of members, and compensated. */
#include "spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The mean has been found where it moves by less than this part of its coordinates, or of 1; after so many iterations it
 * has not. */
static const double small = 1e-14;
enum { MOST = 100 };

/* A sum and what its rounding has left out (Neumaier). */
typedef struct sum {
    double value, rest;
} sum;

static void add(sum *s, double x)
{
    const double t = s->value + x;
    s->rest += fabs(s->value) >= fabs(x) ? (s->value - t) + x : (x - t) + s->value;
    s->value = t;
}

static double total(const sum *s)
{
    return s->value + s->rest;
}

/* Room while it is found. */
typedef struct room {
    double *z, *v, *x;
    sum *sums;
} room;

static void take_point(const ph_spread *s, const double *row, double *z)
{
    for (size_t k = 0; k < s->nz; k++)
        z[k] = row[s->at[k]];
}

/* s->mean <- the point next to the mean of the coordinates; where there is none, the first one. */
static ph_status begin(ph_spread *s, ph_finals *f, room *r, ph_error *err)
{
    const double *row;
    ph_status status;
    ph_finals_rewind(f);
    memset(r->sums, 0, s->nz * sizeof *r->sums);
    while (!(status = ph_finals_next(f, &row, err)) && row) {
        take_point(s, row, r->z);
        if (!s->counted++)
            memcpy(s->mean, r->z, s->nz * sizeof *r->z);
        for (size_t k = 0; k < s->nz; k++)
            add(&r->sums[k], r->z[k]);
    }
    for (size_t k = 0; k < s->nz && s->counted; k++)
        r->v[k] = total(&r->sums[k]) / (double)s->counted;
    if (!status && s->counted && !ph_space_project(s->space, r->v))
        memcpy(s->mean, r->v, s->nz * sizeof *r->v);
    return status;
}

/* One iteration; *moved <- by how much of its coordinates. */
static ph_status improve(ph_spread *s, ph_finals *f, room *r, double *moved, ph_error *err)
{
    const double *row;
    int64_t n = 0;
    ph_status status;
    ph_finals_rewind(f);
    memset(r->sums, 0, s->nz * sizeof *r->sums);
    while (!(status = ph_finals_next(f, &row, err)) && row) {
        take_point(s, row, r->z);
        if (ph_space_log(s->space, s->mean, r->z, r->v))
            continue;
        for (size_t k = 0; k < s->nz; k++)
            add(&r->sums[k], r->v[k]);
        n++;
    }
    *moved = 0;
    if (status || !n)
        return status;
    for (size_t k = 0; k < s->nz; k++) {
        r->v[k] = total(&r->sums[k]) / (double)n;
        *moved = fmax(*moved, fabs(r->v[k]) / fmax(1, fabs(s->mean[k])));
    }
    ph_space_exp(s->space, s->mean, r->v, r->z);
    memcpy(s->mean, r->z, s->nz * sizeof *r->z);
    ph_space_correct(s->space, s->mean);
    return PH_OK;
}

/* r->x (nx) <- tangent coordinates of r->v: those of unit vectors, so that on SO(3) they are angles. */
static void take_coordinates(const ph_spread *s, room *r)
{
    const double *E = s->basis;
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        for (size_t a = 0; a < f->nx; a++, E += f->nz) {
            double along = 0, square = 0;
            for (size_t k = 0; k < f->nz; k++) {
                along += E[k] * r->v[f->z + k];
                square += E[k] * E[k];
            }
            r->x[f->x + a] = along / square;
        }
    }
}

/* Largest distances, the factors' own. */
static void note_distance(ph_spread *s, const room *r)
{
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        double square = 0;
        for (size_t a = 0; a < f->nx; a++)
            square += r->x[f->x + a] * r->x[f->x + a];
        s->largest[i] = fmax(s->largest[i], sqrt(square));
    }
}

static ph_status measure(ph_spread *s, ph_finals *f, room *r, ph_error *err)
{
    const double *row;
    ph_status status;
    ph_space_basis(s->space, s->mean, s->basis);
    ph_finals_rewind(f);
    memset(r->sums, 0, s->nx * s->nx * sizeof *r->sums);
    while (!(status = ph_finals_next(f, &row, err)) && row) {
        take_point(s, row, r->z);
        if (ph_space_log(s->space, s->mean, r->z, r->v)) {
            s->opposite++;
            continue;
        }
        take_coordinates(s, r);
        note_distance(s, r);
        for (size_t a = 0; a < s->nx; a++)
            for (size_t b = 0; b <= a; b++)
                add(&r->sums[a * s->nx + b], r->x[a] * r->x[b]);
    }
    const double n = (double)(s->counted - s->opposite);
    for (size_t a = 0; a < s->nx; a++)
        for (size_t b = 0; b <= a; b++)
            s->covariance[a * s->nx + b] = s->covariance[b * s->nx + a] =
                n > 1 ? total(&r->sums[a * s->nx + b]) / (n - 1) : (double)NAN;
    return status;
}

ph_status ph_spread_find(ph_spread *s, const ph_space *space, const size_t *at, ph_finals *f, ph_error *err)
{
    *s = (ph_spread){.space = space, .nz = ph_space_ambient(space), .nx = ph_space_dimension(space)};
    const size_t most = s->nz > s->nx * s->nx ? s->nz : s->nx * s->nx;
    s->at = malloc(s->nz * sizeof *s->at);
    s->mean = calloc(s->nz, sizeof *s->mean);
    s->basis = calloc(ph_space_basis_size(space), sizeof *s->basis);
    s->covariance = calloc(s->nx * s->nx, sizeof *s->covariance);
    s->largest = calloc(ph_space_factors(space), sizeof *s->largest);
    room r = {malloc(s->nz * sizeof(double)), malloc(s->nz * sizeof(double)), malloc(s->nx * sizeof(double)),
              malloc(most * sizeof(sum))};
    ph_status status =
        s->at && s->mean && s->basis && s->covariance && s->largest && r.z && r.v && r.x && r.sums
            ? PH_OK
            : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status) {
        memcpy(s->at, at, s->nz * sizeof *at);
        status = begin(s, f, &r, err);
    }
    double moved = INFINITY;
    while (!status && s->counted && !s->converged && s->iterations < MOST) {
        status = improve(s, f, &r, &moved, err);
        s->iterations++;
        s->converged = moved <= small;
    }
    if (!status && s->counted)
        status = measure(s, f, &r, err);
    free(r.z);
    free(r.v);
    free(r.x);
    free(r.sums);
    return status;
}

void ph_spread_free(ph_spread *s)
{
    free(s->at);
    free(s->mean);
    free(s->basis);
    free(s->covariance);
    free(s->largest);
}
