/* SPDX-License-Identifier: BSD-3-Clause */
/* Rolling bodies, recognised by what their callbacks give (rolling.h): numbers are read at attitudes in which an axis of the
 * body is vertical, and all of it is compared at motions in general position. That says what the callbacks give elsewhere only
 * where they are promised to be plain (definition.h): a wall at which a body bounces is not seen from where it is not. One square
 * root is |D gamma|, where this is no constant. */
#include <polhode/constraints.h>
#include <polhode/kit/algebra.h>
#include <polhode/kit/rolling.h>

#include "system.h"

#include <stdlib.h>
#include <string.h>

enum { NZ = 11, ROWS = 3 };
/* What is given and what is read differ by less than this, relative to the largest of their terms. */
static const double same = 1e-13;

static bool agree(size_t n, const double *a, const double *b, double size)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= same * size))
            return false;
    return true;
}

/* What the constraint says at t and z = (x, R): nu and u. false: it is not that of rolling. */
static bool read_contact(const ph_system *s, double t, const double *z, double nu[3], double u[2])
{
    const double *R = z + 2, *up = R + 6;
    double A[ROWS * NZ], b[ROWS], row[ROWS][3];
    if (ph_system_constraint_rows(s, t, z, A, b))
        return false;
    for (size_t i = 0; i < s->is.n_constraints; i++) { /* row: its part along Omega */
        double C[9];
        ph_transposed_multiply3(R, A + i * NZ + 2, C);
        ph_vee3(C, row[i]);
        for (int k = 0; k < 3; k++)
            row[i][k] *= 2;
        if (A[i * NZ] != (i == 0) || A[i * NZ + 1] != (i == 1))
            return false;
    }
    /* row 0 is R_1 x nu, row 1 is R_2 x nu, with R_i rows of R */
    const double along[3] = {-ph_dot3(row[1], up), ph_dot3(row[0], up), -ph_dot3(row[0], R + 3)};
    for (int k = 0; k < 3; k++)
        nu[k] = along[0] * R[k] + along[1] * R[3 + k] + along[2] * up[k];
    memcpy(u, b, 2 * sizeof *u);
    const double size = ph_norm3(nu);
    for (int i = 0; i < 2; i++) {
        double turn[3];
        ph_cross3(R + 3 * i, nu, turn);
        if (!agree(3, row[i], turn, size))
            return false;
    }
    return s->is.n_constraints == 2 || (b[2] == 0 && agree(3, row[2], up, 1));
}

/* Half axes, centre and plane. */
static bool read_surface(const ph_system *s, ph_rolling *r)
{
    const double d = sqrt(0.5);
    /* third rows: e1, -e1, e2, -e2, (d, 0, d) */
    const double at[5][9] = {{0, 1, 0, 0, 0, 1, 1, 0, 0},
                             {0, -1, 0, 0, 0, 1, -1, 0, 0},
                             {0, 0, 1, 1, 0, 0, 0, 1, 0},
                             {0, 0, -1, 1, 0, 0, 0, -1, 0},
                             {d, 0, -d, 0, 1, 0, d, 0, d}};
    double nu[5][3], u[5][2], axes[2];
    for (int i = 0; i < 5; i++) {
        double z[NZ] = {i == 3, i == 4};
        memcpy(z + 2, at[i], sizeof at[i]);
        if (!read_contact(s, 0, z, nu[i], u[i]))
            return false;
    }
    for (int k = 0; k < 3; k++)
        r->centre[k] = -0.5 * (nu[0][k] + nu[1][k]);
    for (int k = 0; k < 2; k++) {
        axes[k] = 0.5 * (nu[2 * k][k] - nu[2 * k + 1][k]);
        r->square[k] = axes[k] * axes[k];
        r->plane[k] = u[0][k];
        r->carried[2 * k] = u[3][k] - u[0][k];
        r->carried[2 * k + 1] = u[4][k] - u[0][k];
    }
    if (!(axes[0] > 0) || !(axes[1] > 0))
        return false;
    /* nu + c is D^2 gamma/|D gamma|: the ratio of its components is that of the squares */
    r->square[2] = r->square[0] * (nu[4][2] + r->centre[2]) / (nu[4][0] + r->centre[0]);
    if (fabs(r->square[2]) <= same * r->square[0])
        r->square[2] = 0;
    double largest = ph_max_norm(r->centre, 3);
    for (int k = 1; k < 3; k++)
        largest = fmax(largest, fabs(r->square[k] - r->square[0]) / axes[0]);
    if (largest <= same * axes[0]) {
        r->radius = axes[0];
        r->square[1] = r->square[2] = r->square[0];
        memset(r->centre, 0, sizeof r->centre);
    }
    const bool round = agree(2, r->square + 1, (double[2]){r->square[0], r->square[0]}, 10 * r->square[0]);
    return r->square[2] >= 0 && (s->is.is_plain == PH_PLAIN_RATIONAL || !round);
}

/* p (2 + 3), l (2 + 3) <- momentum, and dL/dx with the moment dL/d(turn) at a fixed body velocity, for v = (xdot, Omega). */
static bool call_lagrangian(const ph_system *s, double t, const double *z, const double *v, double *p,
                            double *l, double *work)
{
    const double *R = z + 2;
    double zdot[NZ], Lz[NZ], Lv[NZ], A[9], S[9], C[9], pull[3], spin[3];
    memcpy(zdot, v, 2 * sizeof *v);
    ph_hat3(v + 2, S);
    ph_multiply3(R, S, zdot + 2);
    if (ph_system_lagrangian_gradient(s, t, z, zdot, Lz, Lv, work))
        return false;
    memcpy(p, Lv, 2 * sizeof *p);
    memcpy(l, Lz, 2 * sizeof *l);
    ph_transposed_multiply3(R, Lv + 2, A);
    ph_vee3(A, p + 2);
    ph_multiply3(A, S, C);
    ph_vee3(C, spin);
    ph_transposed_multiply3(R, Lz + 2, C);
    ph_vee3(C, pull);
    for (int k = 0; k < 3; k++) {
        p[2 + k] *= 2;
        l[2 + k] = 2 * (pull[k] - spin[k]);
    }
    return true;
}

/* The same by the formulas. */
static void find_lagrangian(const ph_rolling *r, const double *R, const double *v, double *p, double *l)
{
    const double *up = R + 6, *Omega = v + 2;
    double nu[3], a[3], H[9], slope[3];
    ph_rolling_shape(r, up, nu, a, H);
    ph_rolling_lift(up, nu, H, Omega, slope);
    ph_apply3(r->J, Omega, p + 2);
    const double rise = r->mass * ph_dot3(a, Omega);
    for (int k = 0; k < 3; k++) {
        p[2 + k] += rise * a[k];
        slope[k] = rise * slope[k] - r->weight * nu[k];
    }
    ph_cross3(slope, up, l + 2);
    for (int k = 0; k < 2; k++) {
        p[k] = r->mass * v[k];
        l[k] = r->pull[k];
    }
}

/* Inertia, weight and pull. */
static bool read_inertia(const ph_system *s, ph_rolling *r, const double *z, double *work)
{
    const double rest[5] = {0};
    double p[5], l[5], nu[3], a[3];
    ph_rolling_shape(r, z + 8, nu, a, NULL);
    if (!call_lagrangian(s, 0, z, rest, p, l, work))
        return false;
    r->weight = r->radius > 0 ? 0 : -ph_dot3(l + 2, a) / ph_dot3(a, a);
    memcpy(r->pull, l, sizeof r->pull);
    for (int k = 0; k < 4; k++) {
        double v[5] = {k == 3, 0, k == 0, k == 1, k == 2};
        if (!call_lagrangian(s, 0, z, v, p, l, work))
            return false;
        if (k == 3)
            r->mass = p[0];
        for (int i = 0; i < 3 && k < 3; i++)
            r->J[3 * i + k] = p[2 + i];
    }
    for (int i = 0; i < 9; i++)
        r->J[i] -= r->mass * a[i / 3] * a[i % 3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < i; k++)
            r->J[3 * i + k] = r->J[3 * k + i] = 0.5 * (r->J[3 * i + k] + r->J[3 * k + i]);
    return isfinite(r->weight);
}

/* Is all as by the formulas at this motion? */
static bool is_confirmed(const ph_system *s, const ph_rolling *r, double t, const double *z, const double *v,
                         double *work)
{
    double given[10], by_formula[10], nu[3], shape[3], a[3], u[2], expected[2];
    if (!read_contact(s, t, z, nu, u) || !call_lagrangian(s, t, z, v, given, given + 5, work))
        return false;
    ph_rolling_shape(r, z + 8, shape, a, NULL);
    find_lagrangian(r, z + 2, v, by_formula, by_formula + 5);
    for (int k = 0; k < 2; k++)
        expected[k] = r->plane[k] + r->carried[2 * k] * z[0] + r->carried[2 * k + 1] * z[1];
    const double weight = fabs(r->weight) * ph_norm3(nu);
    return agree(3, nu, shape, ph_norm3(nu)) && agree(2, u, expected, 1e-3 + ph_max_norm(u, 2)) &&
           agree(2, given, by_formula, ph_max_norm(given, 2)) &&
           agree(3, given + 2, by_formula + 2, ph_max_norm(given + 2, 3)) &&
           agree(2, given + 5, by_formula + 5, weight + ph_max_norm(given + 5, 2)) &&
           agree(3, given + 7, by_formula + 7, weight + ph_max_norm(given + 2, 3) * ph_max_norm(v + 2, 3));
}

static bool recognise(const ph_system *s, ph_rolling *r, double *work)
{
    *r = (ph_rolling){.spins = s->is.n_constraints == 2};
    if (!read_surface(s, r))
        return false;
    for (int i = 0; i < 5; i++) {
        const double axis[3] = {0.7 - 0.5 * i, 0.4 * i - 0.9, 0.3 + 0.6 * i},
                     v[5] = {0.8 - i, 0.3 * i, 1.1 - 0.7 * i, 0.4 * i - 0.6, 0.9 - 0.2 * i};
        double z[NZ] = {0.3 * i - 0.7, 1.3 - 0.8 * i};
        ph_exp3(axis, z + 2);
        if (i == 0 && !read_inertia(s, r, z, work))
            return false;
        if (!is_confirmed(s, r, 0.7 * i, z, v, work))
            return false;
    }
    return r->mass > 0;
}

bool ph_system_find_rolling(ph_system *s)
{
    const ph_system_definition *d = &s->is;
    if (d->is_plain == PH_PLAIN_UNKNOWN || (d->n_constraints != 2 && d->n_constraints != 3) || s->n != 2 ||
        s->nz != NZ || s->base || d->whole || ph_space_factor(s->space, 0)->kind != PH_FACTOR_R ||
        ph_space_factor(s->space, 1)->kind != PH_FACTOR_SO3 || !ph_system_is_dense(s) ||
        (s->kind != PH_INERTIA_CONSTANT && s->kind != PH_INERTIA_VARYING) || ph_system_has_force(s))
        return true;
    double *work = malloc((ph_system_constraint_work(s) + ph_system_work(s)) * sizeof *work);
    ph_rolling *r = malloc(sizeof *r);
    if (r && work && recognise(s, r, work)) {
        s->rolling = r;
        r = NULL;
    }
    const bool had_memory = work && (r || s->rolling);
    free(r);
    free(work);
    return had_memory;
}

const ph_rolling *ph_system_rolling(const ph_system *s)
{
    return s ? s->rolling : NULL;
}
