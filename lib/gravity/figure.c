/* SPDX-License-Identifier: BSD-3-Clause */
/* The figure of a body from its moments (figure.h). With P_alpha = |y|^(2n+1) D_alpha, by
 *     n P_alpha = -(2n - 1) sum_j alpha_j y_j P_(alpha - e_j) - (n - 1) |y|^2 sum_j alpha_j (alpha_j - 1) P_(alpha - 2 e_j),
 * H_n = (-1)^n sum_alpha a_alpha P_alpha. A harmonic polynomial is given by its terms without z and with one: it is
 *     sum_j (-1)^j [z^2j / (2j)! L^j f_0 + z^(2j+1) / (2j+1)! L^j f_1],   L = d^2/dx^2 + d^2/dy^2,
 * so that polynomials are kept modulo z^2, in the order of mass.h: f_0, then f_1. */
#include "figure.h"

#include "reduced.h"

#include <string.h>

enum { N = PH_MASS_DEGREE };

/* ---- Harmonic polynomials modulo z^2 ------------------------------------------------------------------------------- */

/* out (2n + 3) += factor y_axis s, s (2n + 1) of degree n. */
static void add_times_axis(size_t n, const double *s, size_t axis, double factor, double *out)
{
    const double *s1 = s + n + 1;
    double *out1 = out + n + 2;
    for (size_t b = 0; b <= n; b++)
        (axis == 2 ? out1 : out)[b + (axis == 1)] += factor * s[b];
    for (size_t b = 0; b < n && axis != 2; b++)
        out1[b + (axis == 1)] += factor * s1[b];
}

/* out (2n + 5) += factor (x^2 + y^2) s. */
static void add_times_square(size_t n, const double *s, double factor, double *out)
{
    for (size_t b = 0; b <= n; b++) {
        out[b] += factor * s[b];
        out[b + 2] += factor * s[b];
    }
    for (size_t b = 0; b < n; b++) {
        out[n + 3 + b] += factor * s[n + 1 + b];
        out[n + 3 + b + 2] += factor * s[n + 1 + b];
    }
}

typedef double polynomials[PH_REDUCED_MOST][PH_REDUCED_MOST];

/* Where dx^(n - b - c) dy^b dz^c is, c = 0 or 1. */
static size_t place(size_t n, size_t b, size_t c)
{
    return c ? n + 1 + b : b;
}

/* P <- those of degree n, from before and second, those of degrees n - 1 and n - 2. */
static void next_polynomials(size_t n, polynomials before, polynomials second, polynomials P)
{
    const double once = -(double)(2 * n - 1) / (double)n, twice = -(double)(n - 1) / (double)n;
    memset(P, 0, sizeof(polynomials));
    for (size_t i = 0; i < 2 * n + 1; i++) {
        const size_t c = i > n, b = c ? i - n - 1 : i, a = n - b - c;
        if (a)
            add_times_axis(n - 1, before[place(n - 1, b, c)], 0, once * (double)a, P[i]);
        if (b)
            add_times_axis(n - 1, before[place(n - 1, b - 1, c)], 1, once * (double)b, P[i]);
        if (c)
            add_times_axis(n - 1, before[place(n - 1, b, 0)], 2, once, P[i]);
        if (a > 1)
            add_times_square(n - 2, second[place(n - 2, b, c)], twice * (double)(a * (a - 1)), P[i]);
        if (b > 1)
            add_times_square(n - 2, second[place(n - 2, b - 2, c)], twice * (double)(b * (b - 1)), P[i]);
    }
}

/* dH (2n - 1 each) <- the gradient of H (2n + 1). */
static void differentiate(size_t n, const double *H, double dH[3][PH_REDUCED_MOST])
{
    const double *f1 = H + n + 1;
    memset(dH, 0, 3 * sizeof dH[0]);
    for (size_t b = 0; b < n; b++) {
        dH[0][b] = (double)(n - b) * H[b];
        dH[1][b] = (double)(b + 1) * H[b + 1];
        dH[2][b] = f1[b];
    }
    for (size_t b = 0; b + 1 < n; b++) {
        dH[0][n + b] = (double)(n - 1 - b) * f1[b];
        dH[1][n + b] = (double)(b + 1) * f1[b + 1];
        dH[2][n + b] = -((double)((n - b) * (n - b - 1)) * H[b] + (double)((b + 2) * (b + 1)) * H[b + 2]);
    }
}

/* f (n - 1) <- L f of a form of degree n in x and y, f_b at x^(n-b) y^b. */
static void take_laplacian(size_t n, double *f)
{
    for (size_t b = 0; b + 2 <= n; b++)
        f[b] = (double)((n - b) * (n - b - 1)) * f[b] + (double)((b + 2) * (b + 1)) * f[b + 2];
}

/* out (2m + 1) <- the harmonic polynomial h of degree m as an operator, modulo dx^2 + dy^2 + dz^2. */
static void reduce(size_t m, const double *h, double *out)
{
    memset(out, 0, (2 * m + 1) * sizeof *out);
    for (size_t c = 0; c < 2 && c <= m; c++) {
        const size_t n = m - c;
        double f[PH_REDUCED_MOST], factor = 1, *to = out + (c ? m + 1 : 0);
        memcpy(f, h + (c ? m + 1 : 0), (n + 1) * sizeof *f);
        for (size_t j = 0; 2 * j <= n; j++) { /* += factor (x^2 + y^2)^j L^j f */
            double binomial = factor;
            for (size_t k = 0; k <= j; k++) {
                for (size_t b = 0; b + 2 * j <= n; b++)
                    to[b + 2 * k] += binomial * f[b];
                binomial *= (double)(j - k) / (double)(k + 1);
            }
            take_laplacian(n - 2 * j, f);
            factor /= (double)((2 * j + 1 + c) * (2 * j + 2 + c));
        }
    }
}

/* ---- Parts ------------------------------------------------------------------------------------------------------- */

static void prepare_slopes(const ph_mass *mass, size_t order, ph_figure *figure)
{
    polynomials P[3] = {{{1}}};
    double odd_factorial = 1; /* (2n - 3)!! */
    for (size_t n = 1; n <= order; n++) {
        double H[PH_REDUCED_MOST] = {0}, dH[3][PH_REDUCED_MOST], reduced[PH_REDUCED_MOST];
        next_polynomials(n, P[(n + 2) % 3], P[(n + 1) % 3], P[n % 3]);
        for (size_t i = 0; i < 2 * n + 1; i++)
            for (size_t k = 0; k < 2 * n + 1; k++)
                H[k] += (n % 2 ? -1 : 1) * mass->moment[n * n + i] * P[n % 3][i][k];
        differentiate(n, H, dH);
        odd_factorial *= n > 2 ? (double)(2 * n - 3) : 1;
        for (size_t q = 0; q < 3; q++) {
            reduce(n - 1, dH[q], reduced);
            for (size_t i = 0; i < 2 * n - 1; i++)
                figure->slope[q][(n - 1) * (n - 1) + i] = (n % 2 ? 1 : -1) * reduced[i] / odd_factorial;
            if (n == 3)
                memcpy(figure->third[q], dH[q], sizeof figure->third[q]);
            if (n == 4)
                memcpy(figure->fourth[q], dH[q], sizeof figure->fourth[q]);
        }
    }
}

static void prepare_second(const double m[5], double square[6])
{
    const double zz = -2 * (m[0] + m[2]) / 3;
    square[0] = 2 * m[0] + zz;
    square[1] = m[1];
    square[2] = m[3];
    square[3] = 2 * m[2] + zz;
    square[4] = m[4];
    square[5] = zz;
}

static void prepare_even(const double *second, const double *fourth, double even[9])
{
    const double m0 = fourth[0], m1 = fourth[2], m2 = fourth[4];
    const double values[9] = {second[0],         second[2],         second[0] + second[2],
                              210 * m0,          105 * m1,          210 * m2,
                              90 * m0 + 15 * m1, 90 * m2 + 15 * m1, 9 * m0 + 3 * m1 + 9 * m2};
    memcpy(even, values, sizeof values);
}

ph_figure_sort ph_figure_sort_of(const ph_mass *mass, size_t order)
{
    ph_figure_sort sort = PH_FIGURE_NONE;
    for (size_t n = 2; n <= order; n++)
        for (size_t i = 0; i < 2 * n + 1; i++) {
            if (mass->moment[n * n + i] == 0)
                continue;
            if (n % 2 || i > n || i % 2)
                return PH_FIGURE_ANY;
            sort = PH_FIGURE_SYMMETRIC;
        }
    return sort;
}

void ph_figure_prepare(const ph_mass *mass, size_t order, ph_figure *figure)
{
    ph_mass counting = {
        {0}, {0}, 0}; /* without the mass, dipoles that are rounding, and what is above the order */
    memset(figure, 0, sizeof *figure);
    for (size_t n = 2; n <= order; n++)
        for (size_t i = n * n; i < (n + 1) * (n + 1); i++) {
            counting.moment[i] = mass->moment[i];
            figure->mirrored[i] = n % 2 ? -mass->moment[i] : mass->moment[i];
            figure->degrees |= mass->moment[i] != 0 ? 1u << n : 0;
        }
    memcpy(figure->moment, counting.moment, sizeof figure->moment);
    prepare_second(counting.moment + 4, figure->square);
    prepare_even(counting.moment + 4, counting.moment + 16, figure->even);
    prepare_slopes(&counting, order, figure);
    for (size_t q = 0; q < 3; q++)
        for (size_t n = 2; n <= order; n++)
            ph_reduced_turn(n, figure->mirrored + n * n, q, figure->turned[q] + n * n);
}
