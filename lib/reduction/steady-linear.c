/* SPDX-License-Identifier: BSD-3-Clause */
/* Linear motion near a steady motion. In the frame that moves along, states (z, v) move by
 *     G(z, v) = (v, zddot(z, v)) - (sum_a xi_a zeta_a(z), sum_a xi_a Z_a v),
 * 0 at the steady motion. Near it the states on the constraint have coordinates (alpha, beta),
 *     z = exp(z0, E alpha),   v = P (v0 + C beta),
 * P the projection on the tangent space and the constraint at z, C a basis of the velocities at z0 that the constraint
 * allows. What the group makes of the steady motion is divided out. */
#include "spectrum.h"
#include "steady.h"

#include <polhode/constraints.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <string.h>

/* An eigenvalue below this share of the largest is 0 (double ones are known to the root of the error); real parts below
 * the second one are. */
static const double zero_to = 1e-5, no_growth_to = 1e-8;
/* One below this share of the rates that the iteration began with is 0, too: all are, of a body at rest. */
static const double rest_to = 1e-9;

/* v <- P v at z. */
static ph_status put_on_constraint(ph_steady *w, const double *z, double *v)
{
    ph_error ignored;
    ph_space_project_tangent(w->space, z, v);
    return ph_system_constraint_project(w->system, 0, z, v, w->work, &ignored);
}

/* (values, 2 nz) <- G at z, with the velocity w->fixed put on the constraint. */
static ph_status seen(ph_steady *w, const double *z, const double *v, double *values)
{
    const size_t nz = w->nz;
    memcpy(w->y, z, nz * sizeof *z);
    memcpy(w->y + nz, v, nz * sizeof *v);
    ph_status status = put_on_constraint(w, z, w->y + nz);
    if (!status)
        status = w->field->evaluate(w->system, 0, w->y, w->dy, w->work);
    ph_steady_motion_of(w, z, w->y + nz, w->xi, w->zeta, w->turn);
    for (size_t l = 0; l < nz && !status; l++) {
        values[l] = w->y[nz + l] - w->zeta[l];
        values[nz + l] = w->dy[nz + l] - w->turn[l];
    }
    return status;
}

static ph_status along_place(void *self, double s, double *values)
{
    ph_steady *w = self;
    ph_frame_move(&w->frame, w->z, w->along, s, w->point);
    return seen(w, w->point, w->fixed, values);
}

static ph_status along_velocity(void *self, double s, double *values)
{
    ph_steady *w = self;
    for (size_t l = 0; l < w->nz; l++)
        w->point[l] = w->fixed[l] + s * w->along[l];
    return seen(w, w->z, w->point, values);
}

/* P v0 along a line. */
static ph_status velocity_along(void *self, double s, double *values)
{
    ph_steady *w = self;
    ph_frame_move(&w->frame, w->z, w->along, s, w->point);
    memcpy(values, w->fixed, w->nz * sizeof *values);
    return put_on_constraint(w, w->point, values);
}

/* rows <- orthonormal rows that span those of (rows, n of them); returns how many. */
static size_t orthonormalise(double *rows, size_t n, size_t length)
{
    size_t rank = 0;
    for (size_t i = 0; i < n; i++) {
        memmove(rows + rank * length, rows + i * length, length * sizeof *rows);
        rank += ph_steady_orthonormal(rows, rank, length, 1e-9);
    }
    return rank;
}

/* C <- an orthonormal basis of the velocities that the constraint allows: what is left of tangent vectors without b;
 * returns how many. */
static ph_status allow(ph_steady *w, size_t *n)
{
    const size_t nz = w->nz;
    double *v = w->turn;
    ph_status status = PH_OK;
    for (size_t j = 0; j < w->nx && !status; j++) { /* P (v0 + e) - v0 */
        double *row = w->C + j * nz;
        ph_frame_vector(&w->frame, j, row);
        for (size_t l = 0; l < nz; l++)
            v[l] = w->fixed[l] + row[l];
        status = put_on_constraint(w, w->z, v);
        for (size_t l = 0; l < nz; l++)
            row[l] = v[l] - w->fixed[l];
        const double size = ph_max_norm(row, nz);
        if (!(size > 1e-9))
            memset(row, 0, nz * sizeof *row);
    }
    *n = orthonormalise(w->C, w->nx, nz);
    return status;
}

/* alpha (nx), beta (n) <- the coordinates of the vector (dz, dv); dv is changed. */
static void read_coordinates(const ph_steady *w, size_t n, const double *dz, double *dv, double *out)
{
    const size_t nz = w->nz;
    for (size_t i = 0; i < w->nx; i++) {
        const ph_factor_place *home = w->frame.home[i];
        out[i] = ph_frame_component(&w->frame, dz, i) / ph_dot(w->frame.row[i], w->frame.row[i], home->nz);
    }
    for (size_t i = 0; i < w->nx; i++)
        for (size_t l = 0; l < nz; l++)
            dv[l] -= w->B[i * nz + l] * out[i];
    for (size_t j = 0; j < n; j++)
        out[w->nx + j] = ph_dot(w->C + j * nz, dv, nz);
}

/* S <- N columns of the matrix of the linear motion; n velocities. */
static ph_status find_matrix(ph_steady *w, size_t n)
{
    const size_t nz = w->nz, N = w->nx + n;
    double floor = 0, *e = w->v;
    const double rate = 1 + ph_max_norm(w->fixed, nz);
    ph_status status = PH_OK;
    w->along = e;
    for (size_t i = 0; i < w->nx && !status; i++) {
        ph_frame_vector(&w->frame, i, e);
        status = ph_differentiate(velocity_along, w, nz, 1, w->B + i * nz, &floor, w->differences);
    }
    for (size_t i = 0; i < N && !status; i++) {
        if (i < w->nx)
            ph_frame_vector(&w->frame, i, e);
        else
            memcpy(e, w->C + (i - w->nx) * nz, nz * sizeof *e);
        status = ph_differentiate(i < w->nx ? along_place : along_velocity, w, 2 * nz, i < w->nx ? 1 : rate,
                                  w->slopes, &floor, w->differences);
        read_coordinates(w, n, w->slopes, w->slopes + nz, w->S + i * N);
    }
    return status;
}

/* Q (rows of N) <- an orthonormal basis of the coordinates, first what the group makes of the motion; returns how many those
 * are. Q has room for k + N rows. */
static size_t find_group_directions(ph_steady *w, size_t n, double *Q)
{
    const size_t nz = w->nz, N = w->nx + n;
    for (size_t a = 0; a < w->k; a++) {
        ph_steady_generator(w->space, &w->parts[a], w->z, w->slopes);
        ph_steady_turn(w->space, &w->parts[a], w->fixed, w->slopes + nz);
        read_coordinates(w, n, w->slopes, w->slopes + nz, Q + a * N);
    }
    const size_t group = orthonormalise(Q, w->k, N);
    for (size_t i = 0; i < N; i++)
        for (size_t l = 0; l < N; l++)
            Q[(group + i) * N + l] = i == l;
    orthonormalise(Q, group + N, N);
    return group;
}

static void summarise(ph_steady_motion *found, double start)
{
    const double largest = found->modes ? ph_hypot(found->real[0], found->imaginary[0]) : 0;
    const double least = fmax(zero_to * largest, rest_to * start);
    found->zero = 0;
    found->growth = found->decay = 0;
    for (size_t i = 0; i < found->modes; i++) {
        if (!(ph_hypot(found->real[i], found->imaginary[i]) > least)) {
            found->zero++;
            continue;
        }
        found->growth = fmax(found->growth, found->real[i]);
        found->decay = fmax(found->decay, -found->real[i]);
    }
    if (!(found->growth > no_growth_to * largest))
        found->growth = 0;
    if (!(found->decay > no_growth_to * largest))
        found->decay = 0;
}

ph_status ph_steady_judge(ph_steady *w, ph_steady_motion *found)
{
    size_t n = 0;
    ph_frame_make(&w->frame, w->z);
    w->fixed = found->zdot;
    ph_status status = allow(w, &n);
    if (!status)
        status = find_matrix(w, n);
    if (status)
        return status;
    const size_t N = w->nx + n, group = find_group_directions(w, n, w->J), modes = N - group;
    /* J <- Q2 S Q2^T behind Q, column after column */
    double *Q = w->J + group * N, *L = w->S + N * N, *column = w->slopes;
    found->modes = modes;
    for (size_t j = 0; j < modes; j++) {
        memset(column, 0, N * sizeof *column);
        for (size_t i = 0; i < N; i++)
            for (size_t l = 0; l < N; l++)
                column[l] += w->S[i * N + l] * Q[j * N + i];
        for (size_t i = 0; i < modes; i++)
            L[j * modes + i] = ph_dot(Q + i * N, column, N);
    }
    status = ph_spectrum(modes, L, found->real, found->imaginary, w->lapack, w->lapack_size);
    if (!status)
        summarise(found, w->start);
    return status;
}
