/* SPDX-License-Identifier: BSD-3-Clause */
/* Mass distributions (polhode/domain/mass.h): spheres, ellipsoids, given moments, and sums of parts that are shifted and turned. */
#include "reduced.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/rotation.h>

#include <math.h>
#include <string.h>

enum { N = PH_MASS_DEGREE };

static const ph_mass nothing = {{0}, {0}, 0};

/* ---- Spheres and ellipsoids ------------------------------------------------------------------------------- */

static ph_status check_mass(double mass, double radius, ph_error *err)
{
    if (!isfinite(mass) || !isfinite(radius))
        return ph_fail(err, PH_E_NOT_FINITE, "the mass %g kg or the radius %g m is not finite", mass, radius);
    if (!(mass > 0))
        return ph_fail(err, PH_E_RANGE, "the mass is %g kg; it must be positive", mass);
    if (!(radius >= 0))
        return ph_fail(err, PH_E_RANGE, "the radius is %g m; it must not be negative", radius);
    return PH_OK;
}

ph_status ph_mass_sphere(double mass, double radius, ph_mass *body, ph_error *err)
{
    ph_status status = check_mass(mass, radius, err);
    if (status)
        return status;
    *body = nothing;
    body->moment[0] = mass;
    body->radius = radius;
    body->J[0] = body->J[4] = body->J[8] = 0.4 * mass * radius * radius;
    return PH_OK;
}

/* A_2n = M 3 / ((2n + 3) (2n + 1)!) ((a^2 - c^2) dx^2 + (b^2 - c^2) dy^2)^n */
ph_status ph_mass_ellipsoid(double mass, const double half_axes[3], ph_mass *body, ph_error *err)
{
    const double a = half_axes[0], b = half_axes[1], c = half_axes[2], largest = fmax(a, fmax(b, c));
    ph_status status = check_mass(mass, largest, err);
    if (status)
        return status;
    if (!(a > 0 && b > 0 && c > 0))
        return ph_fail(err, PH_E_RANGE, "the half-axes are %g, %g, %g m; they must be positive", a, b, c);
    const double x = (a - c) * (a + c), y = (b - c) * (b + c);
    double factorial = 1; /* (2n + 1)! */
    *body = nothing;
    for (size_t n = 0; 2 * n <= N; n++) {
        factorial *= n ? (double)(2 * n * (2 * n + 1)) : 1;
        double term = mass * 3 / ((double)(2 * n + 3) * factorial) * ph_pow(x, (double)n);
        double *s = body->moment + 4 * n * n, binomial = 1;
        for (size_t k = 0; k <= n; k++) {
            s[2 * k] = x != 0 ? term * binomial : 0;
            term *= x != 0 ? y / x : 0;
            binomial *= (double)(n - k) / (double)(k + 1);
        }
        if (x == 0) /* only the last term of the power is left */
            s[2 * n] = mass * 3 / ((double)(2 * n + 3) * factorial) * ph_pow(y, (double)n);
    }
    body->J[0] = 0.2 * mass * (b * b + c * c);
    body->J[4] = 0.2 * mass * (a * a + c * c);
    body->J[8] = 0.2 * mass * (a * a + b * b);
    body->radius = largest;
    return PH_OK;
}

/* ---- Given numbers ----------------------------------------------------------------------------------------- */

/* moments of degree n += factor dx^a dy^b dz^c. */
static void add_monomial(size_t a, size_t b, size_t c, double factor, double *moment)
{
    double s[PH_REDUCED_MOST] = {factor}, t[PH_REDUCED_MOST];
    const double z[3] = {0, 0, 1};
    const size_t n = a + b + c;
    size_t degree = a + b;
    memset(s, 0, sizeof s);
    s[b] = factor;
    for (; degree < n; degree++) {
        ph_reduced_times(degree, s, z, t);
        memcpy(s, t, sizeof s);
    }
    for (size_t i = 0; i < 2 * n + 1; i++)
        moment[n * n + i] += s[i];
}

static double factorial(size_t n)
{
    double product = 1;
    for (size_t i = 2; i <= n; i++)
        product *= (double)i;
    return product;
}

static ph_status check_degree(size_t degree, ph_error *err)
{
    return degree <= N ? PH_OK
                       : ph_fail(err, PH_E_RANGE, "the degree %zu is above %d, which moments are kept to",
                                 degree, PH_MASS_DEGREE);
}

ph_status ph_mass_from_moments(const double *T, size_t degree, double radius, ph_mass *body, ph_error *err)
{
    ph_status status = check_degree(degree, err);
    if (!status)
        status = check_mass(T[0], radius, err);
    if (status)
        return status;
    double second[9] = {0};
    ph_mass made = nothing;
    for (size_t a = 0; a <= degree; a++)
        for (size_t b = 0; b <= degree - a; b++)
            for (size_t c = 0; c <= degree - a - b; c++, T++) {
                if (!isfinite(*T))
                    return ph_fail(err, PH_E_NOT_FINITE, "the moment T_%zu%zu%zu is not finite", a, b, c);
                add_monomial(a, b, c, *T / (factorial(a) * factorial(b) * factorial(c)), made.moment);
                if (a + b + c != 2)
                    continue;
                const size_t i = a ? 0 : b ? 1 : 2, j = c ? 2 : b ? 1 : 0;
                second[3 * i + j] = second[3 * j + i] = *T;
            }
    const double trace = second[0] + second[4] + second[8];
    for (size_t i = 0; i < 9; i++)
        made.J[i] = (i % 4 ? 0 : trace) - second[i];
    made.radius = radius;
    *body = made;
    return PH_OK;
}

/* A_n = M R^n sum_m Re[(C_nm - i S_nm) (dx + i dy)^m] dz^(n-m) / (n-m)!, as
 * (dx + i dy)^m dz^(n-m) (1/r) = (-1)^n (n-m)! P_nm e^(i m phi) / r^(n+1). */
ph_status ph_mass_from_harmonics(double mass, double reference_radius, size_t degree, const double *C,
                                 const double *S, const double *J, double radius, ph_mass *body,
                                 ph_error *err)
{
    ph_status status = check_degree(degree, err);
    if (!status)
        status = check_mass(mass, radius, err);
    if (!status)
        status = check_mass(mass, reference_radius, err);
    if (status)
        return status;
    const size_t count = (degree + 1) * (degree + 2) / 2;
    if (!ph_all_finite(C, count) || !ph_all_finite(S, count) || (J && !ph_all_finite(J, 9)))
        return ph_fail(err, PH_E_NOT_FINITE, "a coefficient of the harmonics, or J, is not finite");
    ph_mass made = nothing;
    for (size_t n = 0; n <= degree; n++)
        for (size_t m = 0; m <= n; m++) {
            const double share = mass * ph_pow(reference_radius, (double)n) / factorial(n - m),
                         c = share * C[n * (n + 1) / 2 + m], s = share * S[n * (n + 1) / 2 + m];
            double binomial = 1;
            for (size_t k = 0; k <= m; k++) { /* binomial i^k dx^(m-k) dy^k: 1, i, -1, -i */
                const double part = k % 4 == 0 ? c : k % 4 == 1 ? s : k % 4 == 2 ? -c : -s;
                add_monomial(m - k, k, n - m, binomial * part, made.moment);
                binomial *= (double)(m - k) / (double)(k + 1);
            }
        }
    if (J)
        memcpy(made.J, J, sizeof made.J);
    made.radius = radius;
    *body = made;
    return PH_OK;
}

/* ---- Turned and shifted ------------------------------------------------------------------------------------- */

/* The image of each monomial is that of one of a lower degree times the image of d_j, (C^T d)_j = sum_i C_ij d_i. */
void ph_reduced_rotate(size_t degree, const double *moment, const double C[9], double *out)
{
    /* of the monomials of one degree, in their order */
    double images[2][PH_REDUCED_MOST][PH_REDUCED_MOST] = {{{1}}};
    const double x[3] = {C[0], C[3], C[6]}, y[3] = {C[1], C[4], C[7]}, z[3] = {C[2], C[5], C[8]};
    out[0] = moment[0];
    for (size_t n = 1; n <= degree; n++) {
        double(*before)[PH_REDUCED_MOST] = images[(n + 1) % 2], (*now)[PH_REDUCED_MOST] = images[n % 2];
        for (size_t b = 0; b <= n; b++)
            ph_reduced_times(n - 1, before[b ? b - 1 : 0], b ? y : x, now[b]);
        for (size_t b = 0; b < n; b++) /* dx^(n-1-b) dy^b dz */
            ph_reduced_times(n - 1, before[b], z, now[n + 1 + b]);
        double *to = out + n * n;
        memset(to, 0, (2 * n + 1) * sizeof *to);
        for (size_t i = 0; i < 2 * n + 1; i++) {
            const double share = moment[n * n + i];
            for (size_t k = 0; share != 0 && k < 2 * n + 1; k++)
                to[k] += share * now[i][k];
        }
    }
}

/* out <- exp(c . d) times the operator: degree n is sum_k (c . d)^(n-k) / (n-k)! A_k, by Horner's scheme. */
static void shift(const double *moment, const double c[3], double *out)
{
    for (size_t n = 0; n <= N; n++) {
        double s[PH_REDUCED_MOST] = {moment[0]}, t[PH_REDUCED_MOST];
        for (size_t k = 1; k <= n; k++) {
            ph_reduced_times(k - 1, s, c, t);
            for (size_t i = 0; i < 2 * k + 1; i++)
                s[i] = t[i] / (double)(n - k + 1) + moment[k * k + i];
        }
        memcpy(out + n * n, s, (2 * n + 1) * sizeof *s);
    }
}

/* J about the point -c from the origin: of mass m and first moments p. */
static void shift_tensor(double *J, double m, const double p[3], const double c[3])
{
    const double square = m * ph_dot3(c, c) + 2 * ph_dot3(c, p);
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            J[3 * i + j] += (i == j ? square : 0) - m * c[i] * c[j] - c[i] * p[j] - p[i] * c[j];
}

/* The first moments: degree 1 is dx, dy, dz in this order. */
static const double *first_moments(const double *moment)
{
    return moment + 1;
}

void ph_mass_add(const ph_mass *part, const double place[3], const double R[9], ph_mass *whole)
{
    double turned[PH_MASS_MOMENTS], shifted[PH_MASS_MOMENTS], half[9], J[9];
    ph_reduced_rotate(N, part->moment, R, turned);
    shift(turned, place, shifted);
    for (size_t i = 0; i < PH_MASS_MOMENTS; i++)
        whole->moment[i] += shifted[i];
    ph_multiply3(R, part->J, half);
    for (size_t i = 0; i < 9; i++)
        J[i] = ph_dot3(half + i / 3 * 3, R + i % 3 * 3);
    shift_tensor(J, turned[0], first_moments(turned), place);
    for (size_t i = 0; i < 9; i++) /* symmetric to the last bit, whatever the order of the roundings */
        whole->J[i] += 0.5 * (J[i] + J[i % 3 * 3 + i / 3]);
    whole->radius = fmax(whole->radius, ph_norm3(place) + part->radius);
}

void ph_mass_center(ph_mass *body, double center[3])
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double *first = first_moments(body->moment);
    double at[3], back[3];
    for (size_t k = 0; k < 3; k++) {
        at[k] = first[k] / body->moment[0];
        back[k] = -at[k];
    }
    ph_mass moved = nothing;
    ph_mass_add(body, back, identity, &moved);
    for (size_t k = 0; k < 3; k++)
        moved.moment[1 + k] = 0; /* what rounding leaves */
    *body = moved;
    if (center)
        memcpy(center, at, sizeof at);
}

/* R's columns <- the principal axes of J, a rotation; moments <- ascending. */
static void find_axes(const double J[9], double R[9], double moments[3])
{
    double A[9], I[3];
    size_t order[3] = {0, 1, 2};
    ph_principal_axes(J, A, I);
    for (size_t pass = 0; pass < 3; pass++) /* 0 and 1, 1 and 2, 0 and 1 */
        if (I[order[pass % 2 + 1]] < I[order[pass % 2]]) {
            const size_t smaller = order[pass % 2 + 1];
            order[pass % 2 + 1] = order[pass % 2];
            order[pass % 2] = smaller;
        }
    const bool even = (order[0] + 1) % 3 == order[1];
    for (size_t j = 0; j < 3; j++) {
        moments[j] = I[order[j]];
        for (size_t i = 0; i < 3; i++)
            R[3 * i + j] = (j == 2 && !even ? -1 : 1) * A[3 * i + order[j]];
    }
}

void ph_mass_principal(ph_mass *body, double R[9], double moments[3])
{
    static const double origin[3] = {0, 0, 0};
    double back[9];
    find_axes(body->J, R, moments);
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            back[3 * i + j] = R[3 * j + i];
    ph_mass turned = nothing;
    ph_mass_add(body, origin, back, &turned);
    turned.radius = body->radius;
    for (size_t i = 0; i < 9; i++)
        turned.J[i] = i % 4 ? 0 : moments[i / 4];
    *body = turned;
}
