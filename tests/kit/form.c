/* SPDX-License-Identifier: BSD-3-Clause */
/* The symplectic form by differences: see form.h. */
#include "form.h"

/* ---- Definitions of space.h ------------------------------------------------------------------------ */

void fm_covector(const ph_space *space, const double *z, const double *p, double *mu)
{
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        const double *q = z + f->z, *own = p + f->p;
        double *m = mu + f->z;
        if (f->kind == PH_FACTOR_R || f->kind == PH_FACTOR_EMBEDDED) {
            memcpy(m, own, f->nz * sizeof *m);
        } else if (f->kind == PH_FACTOR_S1) {
            m[0] = -q[1] * own[0];
            m[1] = q[0] * own[0];
        } else if (f->kind == PH_FACTOR_S2) { /* pi x q */
            ph_cross3(own, q, m);
        } else { /* R S(Pi) / 2 */
            const double S[9] = {0, -own[2], own[1], own[2], 0, -own[0], -own[1], own[0], 0};
            for (size_t a = 0; a < 3; a++)
                for (size_t b = 0; b < 3; b++)
                    m[3 * a + b] =
                        0.5 * (q[3 * a] * S[b] + q[3 * a + 1] * S[3 + b] + q[3 * a + 2] * S[6 + b]);
        }
    }
}

void fm_momentum(const ph_space *space, const double *z, const double *mu, double *p)
{
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        const double *q = z + f->z, *m = mu + f->z;
        double *own = p + f->p;
        if (f->kind == PH_FACTOR_R) {
            memcpy(own, m, f->nz * sizeof *own);
        } else if (f->kind == PH_FACTOR_EMBEDDED) { /* the user's manifold, which only the space knows */
            ph_space_factor_momentum(space, i, z, m, p);
        } else if (f->kind == PH_FACTOR_S1) {
            own[0] = q[0] * m[1] - q[1] * m[0];
        } else if (f->kind == PH_FACTOR_S2) {
            ph_cross3(q, m, own);
        } else { /* Pi_k = mu . R S(e_k) = (A_ji - A_ij), A = R^T mu, (i, j, k) cyclic */
            double A[3][3] = {{0}};
            for (size_t a = 0; a < 3; a++)
                for (size_t b = 0; b < 3; b++)
                    for (size_t c = 0; c < 3; c++)
                        A[a][b] += q[3 * c + a] * m[3 * c + b];
            own[0] = A[2][1] - A[1][2];
            own[1] = A[0][2] - A[2][0];
            own[2] = A[1][0] - A[0][1];
        }
    }
}

void fm_basis(const ph_space *space, const double *z, double *E)
{
    size_t nz = ph_space_ambient(space), nx = ph_space_dimension(space);
    double rows[FM_NX * FM_NZ], *row = rows;
    ck_assert(nz <= FM_NZ && nx <= FM_NX);
    ph_space_basis(space, z, rows);
    memset(E, 0, nx * nz * sizeof *E);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        for (size_t a = 0; a < f->nx; a++, row += f->nz)
            memcpy(E + (f->x + a) * nz + f->z, row, f->nz * sizeof *E);
    }
}

/* ---- The form -------------------------------------------------------------------------------------- */

/* Where the variations are: around (z, mu), along the rows of E, whose squares are `square`. */
typedef struct around {
    const ph_space *space;
    size_t nz, nx;
    double z[FM_NZ], p[FM_NZ], mu[FM_NZ], E[FM_NX * FM_NZ], square[FM_NX];
    const fm_units *units;
} around;

/* (z, mu), mu a covector of the momentum, before (or after steps > 0) at parameter s along a direction d of
 * tangent coordinates x and momenta y (2 nx numbers), from (x, y) = 0:
 *     z = exp_z0(E x),      p = momentum of mu0 + E y / E.E,
 * x and y in their units. */
static void chart(const around *c, ph_integrator *it, ph_state *state, int64_t steps, const double *direction,
                  double s, double *out)
{
    double v[FM_NZ] = {0}, z[FM_NZ], mu[FM_NZ], p[FM_NZ];
    memcpy(mu, c->mu, c->nz * sizeof *mu);
    for (size_t a = 0; a < c->nx; a++) {
        const double *row = c->E + a * c->nz, x = s * c->units->x[a] * direction[a],
                     y = s * c->units->p[a] * direction[c->nx + a] / c->square[a];
        for (size_t i = 0; i < c->nz && (x != 0 || y != 0); i++) {
            v[i] += x * row[i];
            mu[i] += y * row[i];
        }
    }
    ph_space_exp(c->space, c->z, v, z);
    fm_momentum(c->space, z, mu, p);
    if (steps) {
        tk_ok(ph_state_set(it, state, 0, z, p, PH_STRICT, NULL));
        tk_steps(it, state, steps);
        memcpy(z, state->z, state->nz * sizeof *z);
        memcpy(p, state->p, state->np * sizeof *p);
    }
    memcpy(out, z, c->nz * sizeof *out);
    fm_covector(c->space, z, p, out + c->nz);
}

/* The derivative of the chart along a direction, by differences of order 8. With 0.01 the truncation reaches
 * 1e-6 on light carts, whose third derivatives are large; with 0.002 it is below 1e-11, rounding 1e-13. */
static void tangent(const around *c, ph_integrator *it, ph_state *state, int64_t steps,
                    const double *direction, double *d)
{
    static const double weight[] = {4. / 5, -1. / 5, 4. / 105, -1. / 280}, step = 0.002;
    memset(d, 0, 2 * c->nz * sizeof *d);
    for (int j = 0; j < 4; j++)
        for (int side = -1; side <= 1; side += 2) {
            double out[2 * FM_NZ];
            chart(c, it, state, steps, direction, side * (j + 1) * step, out);
            for (size_t i = 0; i < 2 * c->nz; i++)
                d[i] += side * weight[j] / step * out[i];
        }
}

/* The two sides of the form's definition along each pair of the directions, which are given as rows of 2 nx
 * numbers; `unit` (directions) is what a change of 1 along each amounts to. */
static double error_along(ph_integrator *it, ph_state *state, int64_t steps, const fm_units *units, size_t n,
                          const double *directions, const double *unit)
{
    static double d[2][2 * FM_NX][2 * FM_NZ];
    around c = {.space = ph_system_space(ph_integrator_system(it)), .units = units};
    double worst = 0, size = 1;
    c.nz = ph_space_ambient(c.space);
    c.nx = ph_space_dimension(c.space);
    ck_assert(c.nz <= FM_NZ && c.nx <= FM_NX && n <= 2 * FM_NX);
    memcpy(c.z, state->z, c.nz * sizeof *c.z);
    memcpy(c.p, state->p, state->np * sizeof *c.p);
    fm_covector(c.space, c.z, c.p, c.mu);
    fm_basis(c.space, c.z, c.E);
    for (size_t a = 0; a < c.nx; a++)
        for (size_t i = 0; i < c.nz; i++)
            c.square[a] += c.E[a * c.nz + i] * c.E[a * c.nz + i];
    for (size_t k = 0; k < n; k++) {
        tangent(&c, it, state, 0, directions + 2 * c.nx * k, d[0][k]);
        tangent(&c, it, state, steps, directions + 2 * c.nx * k, d[1][k]);
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < a; b++) {
            double form[2] = {0, 0}, terms = 0;
            for (int side = 0; side < 2; side++)
                for (size_t i = 0; i < c.nz; i++) {
                    double one = d[side][a][i] * d[side][b][c.nz + i],
                           other = d[side][b][i] * d[side][a][c.nz + i];
                    form[side] += one - other;
                    terms += side ? fabs(one) + fabs(other) : 0;
                }
            worst = tk_max(worst, fabs(form[1] - form[0]) / (unit[a] * unit[b]));
            size = tk_max(size, terms / (unit[a] * unit[b]));
        }
    tk_ok(ph_state_set(it, state, 0, c.z, c.p, PH_STRICT, NULL));
    return worst / size;
}

double fm_form_error(ph_integrator *it, ph_state *state, int64_t steps, const fm_units *units)
{
    static double directions[4 * FM_NX * FM_NX];
    const size_t nx = ph_space_dimension(ph_system_space(ph_integrator_system(it)));
    double unit[2 * FM_NX];
    ck_assert_uint_le(nx, FM_NX);
    memset(directions, 0, sizeof directions);
    for (size_t k = 0; k < 2 * nx; k++) {
        directions[k * 2 * nx + k] = 1;
        unit[k] = sqrt(units->x[k % nx] * units->p[k % nx]);
    }
    return error_along(it, state, steps, units, 2 * nx, directions, unit);
}

double fm_form_error_along(ph_integrator *it, ph_state *state, int64_t steps, const fm_units *units, size_t n,
                           tk_random *r)
{
    static double directions[4 * FM_NX * FM_NX];
    const size_t nx = ph_space_dimension(ph_system_space(ph_integrator_system(it)));
    double unit[2 * FM_NX], least = INFINITY;
    ck_assert(nx <= FM_NX && n <= 2 * FM_NX);
    for (size_t a = 0; a < nx; a++)
        least = fmin(least, units->x[a] * units->p[a]);
    for (size_t k = 0; k < n; k++) {
        double *direction = directions + k * 2 * nx, square = 0;
        for (size_t a = 0; a < 2 * nx; a++) {
            direction[a] = tk_normal(r);
            square += direction[a] * direction[a];
        }
        for (size_t a = 0; a < 2 * nx; a++) /* all with the same share in the form, and none by more than 1 */
            direction[a] *= sqrt(least / (square * units->x[a % nx] * units->p[a % nx]));
        unit[k] = sqrt(least);
    }
    return error_along(it, state, steps, units, n, directions, unit);
}
