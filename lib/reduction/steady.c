/* SPDX-License-Identifier: BSD-3-Clause */
/* Steady motions (polhode/domain/steady.h): workspaces, and Newton's iteration for z and xi,
 *     r = E . (zddot(z, v) - sum_a xi_a Z_a v),   A(z) v - b(z),   v = sum_a xi_a zeta_a(z).
 * The rows are not independent (along the reactions zddot is right by itself) and there are more unknowns than
 * equations: each correction is the least squares solution of least norm. */
#include "steady.h"
#include "spectrum.h"

#include <polhode/constraints.h>
#include <polhode/kit/vector.h>

#include "lib/algebra/lapack.h"
#include "lib/internal/missing.h"
#include "lib/system/structure.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 100 };
static const double longest_step = 0.3;
/* What is independent of the rest by less, relative, is not: derivatives are known to about 1e-12. */
static const double independent_from = 1e-9;
/* The size of corrections at which the iteration ends where the equations are regular is below this. */
static const double regular_to = 1e-10;
/* What a solution leaves of the equations is less, relative to their terms. */
static const double solved_to = 1e-9;

/* ---- Workspaces ------------------------------------------------------------------------------------------ */

static ph_steady_motion *lay_motion(const ph_steady *w, ph_lay *l)
{
    ph_steady_motion *found = ph_lay_bytes(l, sizeof *found);
    double *arrays = ph_lay_doubles(l, 2 * w->nz + w->k + 4 * w->nx);
    if (!l->base)
        return NULL;
    *found = (ph_steady_motion){.z = arrays};
    found->zdot = arrays + w->nz;
    found->rate = found->zdot + w->nz;
    found->real = found->rate + w->k;
    found->imaginary = found->real + 2 * w->nx;
    return found;
}

static void lay_arrays(ph_steady *w, ph_lay *l)
{
    const size_t nz = w->nz, nx = w->nx, m = w->m, k = w->k, rows = nx + m, unknowns = nx + k;
    const size_t tall = (rows > unknowns ? rows : unknowns) + 1, states = 2 * nx;
    const size_t square = tall > states ? tall : states;
    double **const vectors[] = {&w->z, &w->v, &w->zeta, &w->turn, &w->point, &w->there},
                   **const matrices[] = {&w->J, &w->S};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = ph_lay_doubles(l, nz);
    /* twice the matrix of all states, or the basis that divides out the group; the generators at z */
    const size_t room = square * (2 * square + k + 1);
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++)
        *matrices[i] = ph_lay_doubles(l, room > nz * k ? room : nz * k);
    w->xi = ph_lay_doubles(l, k);
    w->dxi = ph_lay_doubles(l, k);
    w->y = ph_lay_doubles(l, 2 * nz);
    w->dy = ph_lay_doubles(l, 2 * nz);
    w->A = ph_lay_doubles(l, m * nz);
    w->b = ph_lay_doubles(l, m);
    w->values = ph_lay_doubles(l, 2 * nz + m);
    w->slopes = ph_lay_doubles(l, 2 * nz + m);
    w->differences = ph_lay_doubles(l, ph_differentiate_work(2 * nz + m));
    w->r = ph_lay_doubles(l, square);
    w->C = ph_lay_doubles(l, nx * nz);
    w->B = ph_lay_doubles(l, nx * nz);
    const size_t needs[] = {w->field->work(w->system), ph_system_constraint_work(w->system),
                            ph_system_work(w->system)};
    w->work = ph_lay_doubles(l, needs[0] + needs[1] + needs[2]);
    w->lapack_size = (int)(square * 40) + ph_spectrum_work(states);
    w->lapack = ph_lay_doubles(l, (size_t)w->lapack_size);
    w->pivot = ph_lay_bytes(l, square * sizeof *w->pivot);
    w->parts = ph_lay_bytes(l, (k + 1) * sizeof *w->parts);
    ph_frame_lay(&w->frame, w->space, l);
    w->spare = lay_motion(w, l);
}

static ph_status make(const ph_steady *shape, const ph_steady_part *parts, ph_steady **steady, ph_error *err)
{
    ph_steady counted = *shape;
    ph_lay l = {NULL, 0};
    ph_lay_bytes(&l, sizeof counted);
    lay_arrays(&counted, &l);
    ph_steady *w = calloc(1, l.bytes);
    if (!w)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    l = (ph_lay){(unsigned char *)w, 0};
    ph_lay_bytes(&l, sizeof *w);
    *w = *shape;
    lay_arrays(w, &l);
    memcpy(w->parts, parts, w->k * sizeof *parts);
    *steady = w;
    return PH_OK;
}

ph_status ph_steady_create(const ph_system *system, ph_steady **steady, ph_error *err)
{
    *steady = NULL;
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    const char *bare = ph_structure_of(system)->no_velocities;
    if (bare)
        return ph_fail(err, PH_E_UNSUPPORTED, "steady motions are sought of systems with velocities; %s",
                       bare);
    if (!ph_system_is_dense(system))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "steady motions are sought with dense matrices, and the system has too many factors");
    ph_steady w = {.system = system, .space = ph_system_space(system), .field = ph_field_find("q-qdot", err)};
    if (!w.field)
        return err ? err->status : PH_E_UNKNOWN;
    w.nz = ph_space_ambient(w.space);
    w.nx = ph_space_dimension(w.space);
    w.m = ph_system_constraints(system);
    ph_steady_part *parts = malloc((ph_steady_candidates(w.space) + 1) * sizeof *parts);
    ph_status status = parts ? ph_steady_find_group(system, parts, &w.k, err)
                             : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status)
        status = make(&w, parts, steady, err);
    free(parts);
    return status;
}

void ph_steady_free(ph_steady *w)
{
    free(w);
}

size_t ph_steady_parts(const ph_steady *w)
{
    return w ? w->k : 0;
}

const ph_steady_part *ph_steady_part_at(const ph_steady *w, size_t i)
{
    return w && i < w->k ? &w->parts[i] : NULL;
}

ph_steady_motion *ph_steady_motion_create(const ph_steady *w)
{
    if (!w)
        return NULL;
    ph_lay l = {NULL, 0};
    lay_motion(w, &l);
    l = (ph_lay){calloc(1, l.bytes), 0};
    return l.base ? lay_motion(w, &l) : NULL;
}

/* ---- The equations ----------------------------------------------------------------------------------------- */

/* values <- zddot - sum xi_a Z_a v (nz), A v - b (m). */
static ph_status evaluate(ph_steady *w, const double *z, const double *xi, double *values)
{
    const size_t nz = w->nz;
    memcpy(w->y, z, nz * sizeof *z);
    ph_steady_motion_of(w, z, NULL, xi, w->y + nz, w->turn);
    const double *v = w->y + nz;
    ph_status status = w->field->evaluate(w->system, 0, w->y, w->dy, w->work);
    for (size_t l = 0; l < nz && !status; l++)
        values[l] = w->dy[nz + l] - w->turn[l];
    if (!status && w->m)
        status = ph_system_constraint_rows(w->system, 0, z, w->A, w->b);
    for (size_t i = 0; i < w->m && !status; i++)
        values[nz + i] = ph_dot(w->A + i * nz, v, nz) - w->b[i];
    w->scale = fmax(ph_max_norm(w->dy + nz, nz), fmax(ph_max_norm(w->turn, nz), ph_max_norm(v, nz)));
    return status;
}

static ph_status along_vector(void *self, double s, double *values)
{
    ph_steady *w = self;
    ph_frame_move(&w->frame, w->at, w->along, s, w->point);
    return evaluate(w, w->point, w->xi, values);
}

static ph_status along_rate(void *self, double s, double *values)
{
    ph_steady *w = self;
    memcpy(w->dxi, w->xi, w->k * sizeof *w->xi);
    w->dxi[w->part] += s;
    return evaluate(w, w->z, w->dxi, values);
}

/* A column of J (column after column): the derivatives in slopes. */
static void put_column(ph_steady *w, size_t column, size_t rows)
{
    double *to = w->J + column * rows;
    for (size_t i = 0; i < w->nx; i++)
        to[i] = ph_frame_component(&w->frame, w->slopes, i);
    memcpy(to + w->nx, w->slopes + w->nz, w->m * sizeof *to);
}

/* r, J <- at w->z, w->xi. */
static ph_status linearise(ph_steady *w)
{
    const size_t n = w->nz + w->m, rows = w->nx + w->m;
    double floor = 0, *e = w->v;
    ph_frame_make(&w->frame, w->z);
    ph_status status = PH_OK;
    for (size_t j = 0; j < w->nx && !status; j++) {
        ph_frame_vector(&w->frame, j, e);
        w->at = w->z;
        w->along = e;
        status = ph_differentiate(along_vector, w, n, 1, w->slopes, &floor, w->differences);
        put_column(w, j, rows);
    }
    for (size_t a = 0; a < w->k && !status; a++) {
        w->part = a;
        status = ph_differentiate(along_rate, w, n, 1 + fabs(w->xi[a]), w->slopes, &floor, w->differences);
        put_column(w, w->nx + a, rows);
    }
    if (!status)
        status = evaluate(w, w->z, w->xi, w->values);
    for (size_t i = 0; i < w->nx && !status; i++)
        w->r[i] = ph_frame_component(&w->frame, w->values, i);
    memcpy(w->r + w->nx, w->values + w->nz, w->m * sizeof *w->r);
    return status;
}

/* x (columns) <- the shortest least squares solution of J x = r (rows x columns, J column after column, overwritten);
 * r and x in the same place. */
static ph_status solve(ph_steady *w, double *J, size_t rows, size_t columns, double *r)
{
    return ph_least_squares(rows, columns, J, r, independent_from, w->pivot, w->lapack, w->lapack_size);
}

/* w->xi <- the rates whose velocity at z is nearest to zdot. */
static ph_status begin_rates(ph_steady *w, const double *z, const double *zdot)
{
    double *r = w->S;
    for (size_t a = 0; a < w->k; a++)
        ph_steady_generator(w->space, &w->parts[a], z, w->J + a * w->nz);
    memcpy(r, zdot, w->nz * sizeof *r);
    memset(r + w->nz, 0, w->k * sizeof *r);
    ph_status status = solve(w, w->J, w->nz, w->k, r);
    memcpy(w->xi, r, w->k * sizeof *r);
    return status;
}

/* w->z, xi <- with the correction -r, which is of this size in its largest component. */
static void correct(ph_steady *w, double size)
{
    const double share = size > longest_step ? longest_step / size : 1;
    double *u = w->v;
    memset(u, 0, w->nz * sizeof *u);
    for (size_t j = 0; j < w->nx; j++) {
        ph_frame_vector(&w->frame, j, w->there);
        for (size_t l = 0; l < w->nz; l++)
            u[l] -= share * w->r[j] * w->there[l];
    }
    ph_frame_move(&w->frame, w->z, u, 1, w->point);
    memcpy(w->z, w->point, w->nz * sizeof *w->z);
    ph_space_correct(w->space, w->z);
    for (size_t a = 0; a < w->k; a++)
        w->xi[a] -= share * w->r[w->nx + a];
}

static ph_status iterate(ph_steady *w, size_t *iterations)
{
    double before = INFINITY;
    for (*iterations = 0; *iterations < ITERATIONS; ++*iterations) {
        ph_status status = linearise(w);
        w->slope = ph_max_norm(w->J, (w->nx + w->m) * (w->nx + w->k));
        if (!status)
            status = solve(w, w->J, w->nx + w->m, w->nx + w->k, w->r);
        if (status)
            return status;
        double size = ph_max_norm(w->r, w->nx);
        for (size_t a = 0; a < w->k; a++)
            size = fmax(size, fabs(w->r[w->nx + a]) / (1 + fabs(w->xi[a])));
        /* as small as rounding makes it, or no smaller than the one before; where the equations are degenerate it is
         * halved each time, and ends at the root of rounding */
        if (size <= 4e-16 || (size < 1e-7 && size >= 0.45 * before))
            return size < regular_to ? PH_OK : PH_E_NO_CONVERGENCE;
        before = size;
        correct(w, size);
    }
    return PH_E_NO_CONVERGENCE;
}

/* ---- What is found ------------------------------------------------------------------------------------------- */

static ph_status fill(ph_steady *w, size_t iterations, ph_steady_motion *found)
{
    double kinetic = 0, potential = 0;
    ph_status status = evaluate(w, w->z, w->xi, w->values);
    if (status)
        return status;
    memcpy(found->z, w->z, w->nz * sizeof *w->z);
    memcpy(found->zdot, w->y + w->nz, w->nz * sizeof *w->z);
    memcpy(found->rate, w->xi, w->k * sizeof *w->xi);
    found->iterations = iterations;
    const double scale = fmax(w->slope, fmax(w->scale, w->start));
    found->residual = scale > 0 ? ph_max_norm(w->values, w->nz + w->m) / scale : 0;
    if (found->residual > solved_to) /* least squares, but no solution */
        return PH_E_NO_CONVERGENCE;
    status = ph_system_energy(w->system, 0, found->z, found->zdot, &kinetic, &potential, w->work);
    found->energy = kinetic + potential;
    return status ? status : ph_steady_judge(w, found);
}

static void keep(const ph_steady *w, ph_steady_motion *to)
{
    ph_steady_motion places = *to;
    memcpy(to->z, w->spare->z, (2 * w->nz + w->k + 4 * w->nx) * sizeof *to->z);
    *to = *w->spare;
    to->z = places.z;
    to->zdot = places.zdot;
    to->rate = places.rate;
    to->real = places.real;
    to->imaginary = places.imaginary;
}

/* w->z, xi <- a steady motion, from z and rates near to zdot; turning: with those of turns and spins, or else without. */
static ph_status search(ph_steady *w, const double *z, const double *zdot, bool turning, size_t *iterations)
{
    memcpy(w->z, z, w->nz * sizeof *z);
    ph_status status = begin_rates(w, z, zdot);
    for (size_t a = 0; a < w->k && !turning; a++)
        w->xi[a] = w->parts[a].kind == PH_STEADY_TURN ? 0 : w->xi[a];
    const double rates = ph_max_norm(w->xi, w->k);
    if (!status)
        status = iterate(w, iterations);
    const double left = ph_max_norm(w->xi, w->k);
    /* halved each time on the way to rest */
    return !status && left < 1e-5 * rates && left > 1e-13 * rates ? PH_E_NO_CONVERGENCE : status;
}

ph_status ph_steady_find(ph_steady *w, const double *z, const double *zdot, ph_steady_motion *found,
                         ph_error *err)
{
    size_t iterations = 0;
    if (!w)
        return ph_not_created(err, "workspace", "ph_steady_create");
    if (!ph_all_finite(z, w->nz) || !ph_all_finite(zdot, w->nz))
        return ph_fail(err, PH_E_NOT_FINITE, "the state to begin from is not finite");
    w->start = ph_max_norm(zdot, w->nz);
    ph_status status = search(w, z, zdot, true, &iterations);
    if (!status)
        status = fill(w, iterations, w->spare);
    if (status == PH_E_NO_CONVERGENCE) { /* where turning slows all motions down, that of a sleigh for one */
        status = search(w, z, zdot, false, &iterations);
        if (!status)
            status = fill(w, iterations, w->spare);
    }
    if (status == PH_E_NO_CONVERGENCE)
        return ph_fail(
            err, status,
            "no steady motion was found: the iteration did not converge, or only slowly (%zu of at most %d "
            "iterations); begin nearer to one, with a velocity that is about that of a steady motion, if the "
            "system has any",
            iterations, ITERATIONS);
    if (status)
        return ph_fail(err, status,
                       "the equations of steady motions, %zu iterations from where they began: %s",
                       iterations, ph_status_text(status));
    keep(w, found);
    return PH_OK;
}
