/* SPDX-License-Identifier: BSD-3-Clause */
/* Taylor series of one rigid body in its principal axes, free or with a weight, U = w e.R r: the unknowns are two rows of the attitude, E
 * = R^T e and F = R^T f with unit vectors e, f at right angles in space, and the angular velocity,
 *     E' = E x Omega,     F' = F x Omega,     J Omega' = (J Omega) x Omega + w E x r.
 * The third row is E x F. All products of an order are in four vectors. */
#include "series.h"

#include <polhode/kit/rotation.h>
#include <polhode/kit/sphere.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <string.h>

typedef struct body_own {
    double A[9];           /* columns: principal axes in the frame of the body */
    double e[3], f[3];     /* and e x f: axes in space */
    lanes twist, one, two; /* Omega' = twist (products) + one E_yzx + two E_zxy */
    void (*expand)(struct body_own *o, int p, double *c);
    lanes *factors; /* (orders x FACTORS) */
} body_own;

/* In c: E, F, Omega, and an empty lane behind each. Factors of the products: rows with a number of Omega, and Omega. */
enum { E, F, OMEGA, UNKNOWNS };
enum { E_NEXT, E_LAST, F_NEXT, F_LAST, OMEGA_LAST, OMEGA_NEXT, FACTORS };

/* G (9) <- dU/dR where it is the same at all attitudes and w e r^T: w r (3) and e (3). */
static bool weight_of(const ph_system *system, double r[3], double e[3])
{
    static const double axes[3][3] = {{0, 0, 0}, {1.1, -0.7, 0.4}, {-2, 0.3, 1}};
    double G[9], first[9], length = 0;
    memset(r, 0, 3 * sizeof *r);
    memcpy(e, (const double[]){0, 0, 1}, 3 * sizeof *e);
    if (!ph_system_has_potential(system))
        return true;
    for (int k = 0; k < 3; k++) {
        double R[9];
        ph_exp3(axes[k], R);
        if (ph_system_gradient(system, R, k ? G : first))
            return false;
        for (int i = 0; i < 9 && k; i++)
            if (fabs(G[i] - first[i]) > 1e-14 * ph_max_norm(first, 9))
                return false;
    }
    for (int i = 0; i < 3; i++)
        if (ph_norm3(first + 3 * i) > length) {
            length = ph_norm3(first + 3 * i);
            memcpy(r, first + 3 * i, 3 * sizeof *r);
        }
    if (length == 0)
        return true;
    for (int i = 0; i < 3; i++)
        e[i] = ph_dot3(first + 3 * i, r) / (length * length);
    const double size = ph_norm3(e);
    for (int i = 0; i < 9; i++)
        if (fabs(first[i] - e[i / 3] * r[i % 3]) > 1e-14 * length)
            return false;
    for (int i = 0; i < 3; i++) {
        r[i] *= size;
        e[i] /= size;
    }
    return true;
}

static bool takes(const ph_system *system)
{
    double r[3], e[3];
    return ph_system_bodies(system) && ph_space_factors(ph_system_space(system)) == 1 &&
           !ph_system_has_force(system) && !ph_system_constraints(system) && weight_of(system, r, e);
}

static void *lay(const ph_system *system, ph_lay *l, size_t *width)
{
    body_own *own = ph_lay_line(l, sizeof *own);
    lanes *factors = ph_lay_line(l, SERIES_ORDER * FACTORS * sizeof *factors);
    (void)system;
    *width = UNKNOWNS * SERIES_LANES;
    if (own)
        own->factors = factors;
    return own;
}

static void set(const void *own, const double *y, double *c)
{
    const body_own *o = own;
    double row[3];
    memset(c, 0, UNKNOWNS * SERIES_LANES * sizeof *c);
    ph_apply_transposed3(y, o->e, row);
    ph_apply_transposed3(o->A, row, c + E * SERIES_LANES);
    ph_apply_transposed3(y, o->f, row);
    ph_apply_transposed3(o->A, row, c + F * SERIES_LANES);
    ph_apply_transposed3(o->A, y + 9, c + OMEGA * SERIES_LANES);
}

static void get(const void *own, const double *c, double *y)
{
    const body_own *o = own;
    double last[3], third[3], rows[9];
    ph_cross3(o->e, o->f, last);
    ph_cross3(c + E * SERIES_LANES, c + F * SERIES_LANES, third);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            rows[3 * i + j] =
                o->e[i] * c[E * SERIES_LANES + j] + o->f[i] * c[F * SERIES_LANES + j] + last[i] * third[j];
    for (int i = 0; i < 3; i++)
        ph_apply3(o->A, rows + 3 * i, y + 3 * i);
    ph_apply3(o->A, c + OMEGA * SERIES_LANES, y + 9);
}

/* sum += the products of rows in x and Omega in y. */
INLINE void add_products(const lanes *x, const lanes *y, lanes sum[4])
{
    sum[E_NEXT] += x[E_NEXT] * y[OMEGA_LAST];
    sum[E_LAST] += x[E_LAST] * y[OMEGA_NEXT];
    sum[F_NEXT] += x[F_NEXT] * y[OMEGA_LAST];
    sum[F_LAST] += x[F_LAST] * y[OMEGA_NEXT];
}

INLINE void series(body_own *o, const int p, double *c)
{
    enum { W = SERIES_LANES, STRIDE = UNKNOWNS * W };
    const lanes three = {1, 1, 1, 0};
    lanes e = series_load(c + E * W), f = series_load(c + F * W), omega = series_load(c + OMEGA * W);
    for (int k = 0; k < p; k++) {
        const lanes at[FACTORS] = {[E_NEXT] = SERIES_SHUFFLE(e, omega, 1, 2, 0, 5),
                                   [E_LAST] = SERIES_SHUFFLE(e, omega, 2, 0, 1, 5),
                                   [F_NEXT] = SERIES_SHUFFLE(f, omega, 1, 2, 0, 4),
                                   [F_LAST] = SERIES_SHUFFLE(f, omega, 2, 0, 1, 3),
                                   [OMEGA_LAST] = SERIES_SHUFFLE(omega, omega, 2, 0, 1, 2),
                                   [OMEGA_NEXT] = SERIES_SHUFFLE(omega, omega, 1, 2, 0, 0)};
        const lanes *up = o->factors, *down = o->factors + (size_t)k * FACTORS;
        lanes sum[4] = {{0}}, other[4] = {{0}};
        int j = 1;
        for (; j + 1 < k; j += 2) {
            add_products(up + FACTORS, down - FACTORS, sum);
            up += 2 * FACTORS;
            down -= 2 * FACTORS;
            add_products(up, down, other);
        }
        if (j < k)
            add_products(up + FACTORS, down - FACTORS, sum);
        for (int i = 0; i < FACTORS; i++)
            o->factors[(size_t)k * FACTORS + (size_t)i] = at[i];
        /* those with what is new stand last: the others do not wait for it */
        add_products(o->factors, at, sum);
        if (k > 0)
            add_products(at, o->factors, other);
        for (int i = 0; i < 4; i++)
            sum[i] += other[i];
        /* Omega_y Omega_z, Omega_x Omega_z, Omega_y Omega_x */
        const lanes products = SERIES_SHUFFLE(SERIES_SHUFFLE(sum[E_NEXT], sum[F_NEXT], 3, 7, 3, 7),
                                              sum[E_LAST], 0, 1, 7, 7),
                    scale = three * (1.0 / (k + 1));
        omega = (o->twist * products + (o->one * at[E_NEXT] + o->two * at[E_LAST])) * scale;
        e = (sum[E_NEXT] - sum[E_LAST]) * scale;
        f = (sum[F_NEXT] - sum[F_LAST]) * scale;
        double *to = c + (k + 1) * STRIDE;
        series_store(to + E * W, e);
        series_store(to + F * W, f);
        series_store(to + OMEGA * W, omega);
    }
}

static void series_plain(body_own *o, int p, double *c)
{
    series(o, p, c);
}

WIDE static void series_wide_copy(body_own *o, int p, double *c)
{
    series(o, p, c);
}

/* J <- its moments on the diagonal; A <- its axes: Jacobi's rotations. */
static void principal(double J[9], double A[9])
{
    memcpy(A, (const double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9 * sizeof *A);
    for (int turn = 0; turn < 60; turn++) {
        const int i = turn % 3, j = (i + 1) % 3;
        if (J[3 * i + j] == 0)
            continue;
        const double cot = (J[4 * j] - J[4 * i]) / (2 * J[3 * i + j]),
                     tan = copysign(1, cot) / (fabs(cot) + sqrt(1 + cot * cot)),
                     cos = 1 / sqrt(1 + tan * tan), sin = tan * cos;
        for (int k = 0; k < 3; k++) {
            const double a = J[3 * k + i], b = J[3 * k + j], x = A[3 * k + i], y = A[3 * k + j];
            J[3 * k + i] = cos * a - sin * b;
            J[3 * k + j] = sin * a + cos * b;
            A[3 * k + i] = cos * x - sin * y;
            A[3 * k + j] = sin * x + cos * y;
        }
        for (int k = 0; k < 3; k++) {
            const double a = J[3 * i + k], b = J[3 * j + k];
            J[3 * i + k] = cos * a - sin * b;
            J[3 * j + k] = sin * a + cos * b;
        }
        J[3 * i + j] = J[3 * j + i] = 0;
    }
}

static void init(void *own, const ph_system *system)
{
    body_own *o = own;
    double J[9], moment[3], r[3], axes[3], spare[3];
    memcpy(J, ph_system_bodies(system)->J, sizeof J);
    principal(J, o->A);
    weight_of(system, r, o->e);
    ph_tangent_basis3(o->e, o->f, spare);
    ph_apply_transposed3(o->A, r, axes);
    o->twist = o->one = o->two = (lanes){0};
    for (int i = 0; i < 3; i++)
        moment[i] = J[4 * i];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        o->twist[i] = (moment[j] - moment[k]) / moment[i];
        o->one[i] = axes[k] / moment[i];
        o->two[i] = -axes[j] / moment[i];
    }
    o->expand = wide_runs() ? series_wide_copy : series_plain;
}

static void expand(void *own, int p, double *c)
{
    body_own *o = own;
    o->expand(o, p, c);
}

const series_kind series_body = {
    .field = "q-omega",
    .takes = takes,
    .lay = lay,
    .init = init,
    .set = set,
    .get = get,
    .expand = expand,
};
