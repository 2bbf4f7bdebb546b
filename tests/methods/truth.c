/* SPDX-License-Identifier: BSD-3-Clause */
/* Motions by multipliers and extrapolation: see truth.h. Source of the extrapolation: Hairer, Norsett,
 * Wanner, Solving Ordinary Differential Equations I, II.9. */
#include "truth.h"

#include "tests/kit/form.h"

#include <polhode/constraints.h>

enum {
    NZ = FM_NZ,
    MANIFOLD = 6 * (NZ / 9) + NZ / 2, /* constraints at most */
    ROWS = MANIFOLD + NZ / 2,         /* and those on velocities */
    COLUMNS = 8                       /* of the extrapolation: order 16, from 2, 4, ... 16 substeps */
};

typedef struct motion {
    const ph_system *system;
    size_t nz;
    double longest, low[2 * NZ], *work, A[NZ * NZ], b[NZ], f[NZ], K[(NZ + ROWS) * (NZ + ROWS)];
} motion;

/* C (rows x nz, zero on entry), c <- the constraints on accelerations, C a = c; how many. */
static size_t constrain(const motion *m, const double *z, const double *v, double *C, double *c)
{
    const ph_space *space = ph_system_space(m->system);
    size_t rows = 0;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        const double *q = z + f->z, *w = v + f->z;
        ck_assert(f->kind != PH_FACTOR_EMBEDDED);
        if (f->kind == PH_FACTOR_SO3) { /* columns j, k of R are orthonormal */
            for (size_t j = 0; j < 3; j++)
                for (size_t k = 0; k <= j; k++, rows++) {
                    c[rows] = 0;
                    for (size_t a = 0; a < 3; a++) {
                        C[rows * m->nz + f->z + 3 * a + j] += q[3 * a + k];
                        C[rows * m->nz + f->z + 3 * a + k] += q[3 * a + j];
                        c[rows] -= 2 * w[3 * a + j] * w[3 * a + k];
                    }
                }
        } else if (f->kind != PH_FACTOR_R) {
            c[rows] = 0;
            for (size_t a = 0; a < f->nz; a++) {
                C[rows * m->nz + f->z + a] = q[a];
                c[rows] -= w[a] * w[a];
            }
            rows++;
        }
    }
    return rows;
}

/* The same for those on velocities, A v = b(t, z), behind `rows` others: A a = -d/dt (A v - b) at fixed v. */
static size_t constrain_velocity(motion *m, double t, const double *z, const double *v, size_t rows,
                                 double *C, double *c)
{
    const size_t more = ph_system_constraints(m->system);
    double b[ROWS];
    ck_assert_uint_le(rows + more, ROWS);
    tk_ok(ph_system_constraint_rows(m->system, t, z, C + rows * m->nz, b));
    tk_ok(ph_system_constraint_along(m->system, t, z, v, 1, v, c + rows, m->work));
    for (size_t i = 0; i < more; i++)
        c[rows + i] *= -1;
    return rows + more;
}

/* dy <- (zdot, zddot) at (t, y = (z, zdot)). */
static void evaluate(motion *m, double t, const double *y, double *dy)
{
    const size_t nz = m->nz;
    const double *z = y, *v = y + nz;
    double C[ROWS * NZ] = {0}, c[ROWS], x[NZ + ROWS];
    tk_ok(ph_system_euler_lagrange(m->system, 0, z, v, m->A, m->b, m->work));
    tk_ok(ph_system_force(m->system, t, z, v, m->f));
    const size_t rows = constrain_velocity(m, t, z, v, constrain(m, z, v, C, c), C, c), all = nz + rows;
    memset(m->K, 0, all * all * sizeof *m->K);
    for (size_t i = 0; i < nz; i++) {
        memcpy(m->K + i * all, m->A + i * nz, nz * sizeof *m->K);
        for (size_t j = 0; j < rows; j++)
            m->K[i * all + nz + j] = m->K[(nz + j) * all + i] = C[j * nz + i];
        x[i] = m->f[i] - m->b[i];
    }
    memcpy(x + nz, c, rows * sizeof *c);
    ck_assert_int_eq(tk_solve(all, m->K, x), 0);
    memcpy(dy, v, nz * sizeof *dy);
    memcpy(dy + nz, x, nz * sizeof *dy);
}

/* change <- that of y over a step H from time t, by the midpoint rule with so many substeps; F = dy/dt
 * there. */
static void midpoint(motion *m, double t, double H, int substeps, const double *y, const double *F,
                     double *change)
{
    const size_t n = 2 * m->nz;
    const double h = H / substeps;
    double before[2 * NZ], now[2 * NZ], at[2 * NZ], rate[2 * NZ];
    for (size_t i = 0; i < n; i++) { /* both are changes from y, so that their sums are rounded less */
        before[i] = 0;
        now[i] = h * F[i];
    }
    for (int k = 1; k < substeps; k++) {
        for (size_t i = 0; i < n; i++)
            at[i] = y[i] + now[i];
        evaluate(m, t + k * h, at, rate);
        for (size_t i = 0; i < n; i++) {
            double next = before[i] + 2 * h * rate[i];
            before[i] = now[i];
            now[i] = next;
        }
    }
    memcpy(change, now, n * sizeof *change);
}

/* change <- the change of y over a step H. Returns the largest difference of the last two columns, relative
 * to the largest numbers of z and of zdot. */
static double extrapolate(motion *m, double t, double H, const double *y, double *change)
{
    const size_t n = 2 * m->nz;
    double table[COLUMNS][2 * NZ], F[2 * NZ], worst = 0;
    evaluate(m, t, y, F);
    for (int j = 0; j < COLUMNS; j++) {
        midpoint(m, t, H, 2 * (j + 1), y, F, table[j]);
        for (int k = j - 1; k >= 0; k--) { /* Aitken and Neville, in h^2 */
            const double ratio = (double)(j + 1) / (k + 1), by = 1 / (ratio * ratio - 1);
            for (size_t i = 0; i < n; i++)
                table[k][i] = table[k + 1][i] + by * (table[k + 1][i] - table[k][i]);
        }
    }
    memcpy(change, table[0], n * sizeof *change);
    for (size_t half = 0; half < n; half += m->nz)
        worst = tk_max(worst, tk_max_difference(table[0] + half, table[1] + half, m->nz) /
                                  ph_max_norm(y + half, m->nz));
    return worst;
}

/* y <- the value a step H later. Of two columns that differ by 1e-14 the better one, of order 16, is right to
 * rounding: where they differ by more the step is halved. */
static void step(motion *m, double t, double H, double *y)
{
    double change[2 * NZ];
    if (extrapolate(m, t, H, y, change) > 1e-14) {
        ck_assert_double_gt(fabs(H), 1e-6 * m->longest);
        step(m, t, H / 2, y);
        step(m, t + H / 2, H / 2, y);
        return;
    }
    for (size_t i = 0; i < 2 * m->nz; i++) { /* what y is rounded by is kept, and added the next time */
        const double before = y[i];
        change[i] += m->low[i];
        y[i] += change[i];
        m->low[i] = change[i] - (y[i] - before);
    }
}

void truth_follow(const ph_system *system, const double *z, const double *zdot, double T, double longest,
                  double *z1, double *p1)
{
    static motion m;
    const ph_space *space = ph_system_space(system);
    double y[2 * NZ], Lz[NZ], Lv[NZ];
    m = (motion){.system = system, .nz = ph_space_ambient(space), .longest = longest};
    ck_assert_uint_le(m.nz, NZ);
    m.work = malloc((ph_system_work(system) + ph_system_constraint_work(system)) * sizeof *m.work);
    memcpy(y, z, m.nz * sizeof *y);
    memcpy(y + m.nz, zdot, m.nz * sizeof *y);
    const int steps = (int)ceil(T / longest);
    for (int k = 0; k < steps; k++)
        step(&m, k * (T / steps), T / steps, y);
    memcpy(z1, y, m.nz * sizeof *z1);
    tk_ok(ph_system_lagrangian_gradient(system, 0, y, y + m.nz, Lz, Lv, m.work));
    fm_momentum(space, y, Lv, p1);
    free(m.work);
}

void truth_acceleration(const ph_system *system, double t, const double *z, const double *zdot, double *a)
{
    motion *m = malloc(sizeof *m);
    double y[2 * NZ], dy[2 * NZ];
    const size_t nz = ph_space_ambient(ph_system_space(system));
    const size_t work = ph_system_work(system), more = ph_system_constraint_work(system);
    ck_assert(m && nz <= NZ);
    *m = (motion){.system = system, .nz = nz};
    m->work = malloc((work > more ? work : more) * sizeof *m->work);
    ck_assert_ptr_nonnull(m->work);
    memcpy(y, z, nz * sizeof *y);
    memcpy(y + nz, zdot, nz * sizeof *y);
    evaluate(m, t, y, dy);
    memcpy(a, dy + nz, nz * sizeof *a);
    free(m->work);
    free(m);
}
