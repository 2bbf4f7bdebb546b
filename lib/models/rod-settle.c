/* SPDX-License-Identifier: BSD-3-Clause */
/* The equilibrium of a clamped rod (rod.h): the directions q_i (unit vectors) at which the energy
 *     E = (1/2) sum k_i |q_i - q_{i-1}|^2 - sum b_i . q_i,      b_i = l_i (F + sum_{j>=i} m_j G),
 * is least downhill from the straight rod, by Newton's method on (S^2)^n. In coordinates x_i of the
 * tangent planes, with a basis E_i (2 x 3) at q_i and g_i = dE/dq_i, its matrix is block tridiagonal,
 *     -k_i E_i E_{i-1}^T x_{i-1} + (k_i + k_{i+1} - q_i . g_i) x_i - k_{i+1} E_i E_{i+1}^T x_{i+1} = -E_i g_i
 * (q_i . g_i is the curvature of the sphere), and is factored from the root to the tip in O(n). */
#include "gravity.h"
#include "rod.h"

#include <polhode/kit/elementary.h>

/* The problem, k and b in units of the largest of them, so that no load is too large or too small. */
typedef struct settling {
    const ph_rod *r;
    double *k;      /* (n) */
    double *b;      /* (3 n) */
    double *q, *q1; /* (3 n) the current directions, and those of a trial step */
    double *E;      /* (6 n) tangent basis */
    double *g;      /* (3 n) dE/dq */
    double *x;      /* (2 n) the step */
    double *block;  /* (4 n) inverses of the pivots */
    double *factor; /* (4 n) the blocks by which each row is coupled to the one before */
} settling;

/* T <- the loads beyond link i, summed from the tip; b_i = l_i T. */
static void put_loads(settling *s)
{
    const ph_rod *r = s->r;
    double T[3], largest = 0;
    memcpy(T, r->load, sizeof T);
    for (size_t i = r->n; i-- > 0;)
        for (size_t a = 0; a < 3; a++) {
            T[a] += r->mass[i] * r->G[a];
            s->b[3 * i + a] = r->length[i] * T[a];
            largest = fmax(largest, fabs(s->b[3 * i + a]));
        }
    for (size_t i = 0; i < r->n; i++)
        largest = fmax(largest, r->joint[i]);
    for (size_t i = 0; i < r->n && largest > 0; i++) {
        s->k[i] = r->joint[i] / largest;
        for (size_t a = 0; a < 3; a++)
            s->b[3 * i + a] /= largest;
    }
}

/* E at q. */
static double energy(const settling *s, const double *q)
{
    const double *before = s->r->clamp;
    double sum = 0;
    for (size_t i = 0; i < s->r->n; i++) {
        double square = 0;
        for (size_t a = 0; a < 3; a++)
            square += (q[3 * i + a] - before[a]) * (q[3 * i + a] - before[a]);
        sum += 0.5 * s->k[i] * square - ph_dot3(s->b + 3 * i, q + 3 * i);
        before = q + 3 * i;
    }
    return sum;
}

/* g <- dE/dq; returns the largest unbalanced moment. */
static double slope(settling *s, const double *q)
{
    size_t n = s->r->n;
    double most = 0, moment[3];
    for (size_t i = 0; i < n; i++, q += 3) {
        const double *before = i ? q - 3 : s->r->clamp;
        double *g = s->g + 3 * i;
        for (size_t a = 0; a < 3; a++)
            g[a] = s->k[i] * (q[a] - before[a]) - (i + 1 < n ? s->k[i + 1] * (q[3 + a] - q[a]) : 0) -
                   s->b[3 * i + a];
        ph_cross3(q, g, moment);
        most = fmax(most, ph_norm3(moment));
    }
    return most;
}

/* E; x <- minus the tangent part of g. */
static void linearise(settling *s)
{
    for (size_t i = 0; i < s->r->n; i++) {
        double *E = s->E + 6 * i;
        ph_tangent_basis3(s->q + 3 * i, E, E + 3);
        for (size_t e = 0; e < 2; e++)
            s->x[2 * i + e] = -ph_dot3(E + 3 * e, s->g + 3 * i);
    }
}

/* x <- (H + shift)^{-1} x; false where that is not positive definite. */
static bool solve(settling *s, double shift)
{
    size_t n = s->r->n;
    for (size_t i = 0; i < n; i++) {
        double next = i + 1 < n ? s->k[i + 1] : 0;
        double diagonal = s->k[i] + next - ph_dot3(s->q + 3 * i, s->g + 3 * i) + shift;
        double A[4] = {diagonal, 0, 0, diagonal}, *inverse = s->block + 4 * i;
        for (size_t e = 0; e < 2 && i; e++)
            for (size_t f = 0; f < 2; f++) { /* B = -k_i E_{i-1}^T E_i; factor: A_{i-1}^{-1} B */
                const double *up = s->block + 4 * (i - 1), *E = s->E + 6 * i + 3 * f;
                s->factor[4 * i + 2 * e + f] = -s->k[i] * (up[2 * e] * ph_dot3(E - 6 - 3 * f, E) +
                                                           up[2 * e + 1] * ph_dot3(E - 3 - 3 * f, E));
            }
        for (size_t e = 0; e < 2 && i; e++)
            for (size_t f = 0; f < 2; f++)
                for (size_t c = 0; c < 2; c++)
                    A[2 * e + f] += s->k[i] * ph_dot3(s->E + 6 * (i - 1) + 3 * c, s->E + 6 * i + 3 * e) *
                                    s->factor[4 * i + 2 * c + f];
        double off = 0.5 * (A[1] + A[2]), determinant = A[0] * A[3] - off * off;
        if (!(A[0] > 0) || !(determinant > 0))
            return false;
        inverse[0] = A[3] / determinant;
        inverse[1] = inverse[2] = -off / determinant;
        inverse[3] = A[0] / determinant;
        for (size_t f = 0; f < 2 && i; f++)
            s->x[2 * i + f] -=
                s->factor[4 * i + f] * s->x[2 * i - 2] + s->factor[4 * i + 2 + f] * s->x[2 * i - 1];
    }
    for (size_t i = n; i-- > 0;) {
        double *x = s->x + 2 * i, y[2] = {x[0], x[1]};
        for (size_t e = 0; e < 2; e++) {
            x[e] = s->block[4 * i + 2 * e] * y[0] + s->block[4 * i + 2 * e + 1] * y[1];
            if (i + 1 < n)
                x[e] -= s->factor[4 * i + 4 + 2 * e] * x[2] + s->factor[4 * i + 4 + 2 * e + 1] * x[3];
        }
    }
    return true;
}

/* q1 <- the directions after the step; returns the largest angle by which one turns. */
static double try_step(const settling *s)
{
    double most = 0;
    for (size_t i = 0; i < s->r->n; i++) {
        double *q1 = s->q1 + 3 * i;
        for (size_t a = 0; a < 3; a++)
            q1[a] = s->q[3 * i + a] + s->x[2 * i] * s->E[6 * i + a] + s->x[2 * i + 1] * s->E[6 * i + 3 + a];
        ph_rod_direction(q1);
        most = fmax(most, ph_hypot(s->x[2 * i], s->x[2 * i + 1]));
    }
    return most;
}

/* Newton's iteration with a shift that makes every step decrease the energy. Where the steps are so small
 * that differences of the energy are rounding, it continues until the unbalanced moments no longer decrease.
 * (Where a rotation of the whole rod does not change E, the matrix is singular, and some shift remains to the
 * end.) */
static ph_status descend(settling *s, ph_error *err)
{
    enum { MOST_PASSES = 2000, STALLS = 4 };
    static const double small = 1e-3, smaller = 1e-5, least_shift = 1e-12, little_shift = 1e-9;
    double shift = 0, now = energy(s, s->q);
    int stalled = 0;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        double left = slope(s, s->q);
        linearise(s);
        double turn = solve(s, shift) ? try_step(s) : INFINITY;
        double then = turn <= 1 ? energy(s, s->q1) : INFINITY;
        double will = turn <= small ? slope(s, s->q1) : INFINITY;
        bool better = then < now || will < left;
        stalled += turn <= smaller && shift <= little_shift && will >= 0.5 * left;
        if (better) {
            memcpy(s->q, s->q1, 3 * s->r->n * sizeof *s->q);
            now = then;
        }
        if (stalled == STALLS)
            return PH_OK;
        if (better)
            shift = shift <= least_shift ? 0 : shift / 8;
        else
            shift = turn <= smaller && shift > little_shift ? 0 : fmax(least_shift, 4 * shift);
    }
    return ph_fail(err, PH_E_NO_CONVERGENCE, "no equilibrium was found for these loads in %d iterations",
                   (int)MOST_PASSES);
}

/* The start: straight, or, with loads, bent very slightly, so that a column that buckles leaves the unstable
 * equilibrium. */
static void start(settling *s)
{
    double along[3], down[3], across[3];
    size_t n = s->r->n;
    double bend = ph_all_zero(3 * n, s->b) ? 0 : 1e-3 / (double)n;
    ph_rod_frame(s->r, along, down, across);
    for (size_t i = 0; i < n; i++) {
        for (size_t a = 0; a < 3; a++)
            s->q[3 * i + a] = along[a] + bend * ((double)i + 1) * down[a];
        ph_rod_direction(s->q + 3 * i);
    }
}

ph_status ph_rod_settle(const ph_rod *r, double *q, ph_error *err)
{
    size_t n = r->n;
    double *room = calloc(26 * n, sizeof *room);
    if (!room)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for the equilibrium of %zu links", n);
    settling s = {.r = r,
                  .q = q,
                  .k = room,
                  .b = room + n,
                  .q1 = room + 4 * n,
                  .E = room + 7 * n,
                  .g = room + 13 * n,
                  .x = room + 16 * n,
                  .block = room + 18 * n,
                  .factor = room + 22 * n};
    put_loads(&s);
    start(&s);
    ph_status status = ph_all_zero(3 * n, s.b) ? PH_OK : descend(&s, err);
    free(room);
    return status;
}
