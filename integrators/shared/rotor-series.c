/* SPDX-License-Identifier: BSD-3-Clause */
/* The series of the preprocessed moments of inertia, as printed by the source that rotor.h names: a row of
 * the table for each of the forms s_3 ... d_9, in terms of
 *     D = I_1 I_2 I_3,
 *     sigma_a = sum of I_j^a,
 *     tau_bc = sum over the cyclic (i, j, k) of (I_i^b + I_j^b) / I_k^c. */
#include "rotor.h"

#include <polhode/kit/elementary.h>

#include <math.h>
#include <string.h>

static double sigma(const double I[3], int a)
{
    return ph_pow(I[0], a) + ph_pow(I[1], a) + ph_pow(I[2], a);
}

static double tau(const double I[3], int b, int c)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (ph_pow(I[(k + 1) % 3], b) + ph_pow(I[(k + 2) % 3], b)) / ph_pow(I[k], c);
    return sum;
}

void ph_rotor_begin(const double given[3], ph_rotor_series *s)
{
    int exponent;
    double I[3];
    memset(s, 0, sizeof *s);
    frexp(fmax(given[0], fmax(given[1], given[2])), &exponent);
    s->unit = ldexp(1, -exponent);
    for (int i = 0; i < 3; i++)
        s->inverse[i] = 1 / (I[i] = given[i] * s->unit);
    const double D = I[0] * I[1] * I[2], D2 = D * D, D3 = D2 * D, D4 = D2 * D2;
    const double p1 = sigma(I, 1), p2 = sigma(I, 2), p3 = sigma(I, 3), p4 = sigma(I, 4);
    const double m1 = sigma(I, -1), m2 = sigma(I, -2), m3 = sigma(I, -3), m4 = sigma(I, -4);
    const double t11 = tau(I, 1, 1), t12 = tau(I, 1, 2), t13 = tau(I, 1, 3), t21 = tau(I, 2, 1),
                 t22 = tau(I, 2, 2), t31 = tau(I, 3, 1);
    const struct {
        int C, H; /* powers */
        double s, d;
    } forms[] = {
        {0, 0, 1, 0},
        {0, 1, -m1 / 3, p1 / (6 * D)},
        {1, 0, p1 / (6 * D), -1 / (3 * D)},
        {0, 2, (3 * p1 + 2 * D * m2) / (60 * D), -(9 + t11) / (60 * D)},
        {1, 1, (1 - t11) / (30 * D), (6 * D * m1 - p2) / (60 * D2)},
        {2, 0, (p2 - D * m1) / (30 * D2), -p1 / (60 * D2)},
        {0, 3, (15 - D * m3 - 2 * t11) / (630 * D), (9 * D * m1 + D * t12 - 11 * p2) / (1260 * D2)},
        {1, 2, (6 * D * t12 - 100 * D * m1 + 53 * p2) / (2520 * D2),
         (47 * p1 + 13 * t21 - 38 * D * m2) / (2520 * D2)},
        {2, 1, (9 * p1 + 10 * D * m2 - 6 * t21) / (420 * D2), (p3 + 2 * D * t11 - 85 * D) / (1260 * D3)},
        {3, 0, (4 * D + 17 * p3 - 15 * D * t11) / (2520 * D3), (34 * D * m1 - 19 * p2) / (2520 * D3)},
        {0, 4, (2 * D2 * m4 + 5 * D * t12 - 171 * D * m1 + 159 * p2) / (45360 * D2),
         (165 * p1 - D * t13 - 9 * t21 - 145 * D * m2) / (45360 * D2)},
        {1, 3, (137 * D * m2 - D * t13 + 3 * p1 - 69 * t21) / (11340 * D2),
         (67 * p3 - 735 * D - 15 * D * t22 + 87 * D * t11 + 34 * D2 * m3) / (22680 * D3)},
        {2, 2, (26 * D * t22 + 55 * p3 + 204 * D - 50 * D2 * m3 - 59 * D * t11) / (7560 * D3),
         (125 * D * m1 - 5 * t31 - 130 * p2 + 4 * D * t12) / (7560 * D3)},
        {3, 1, (-77 * t31 + 75 * D * t12 + 214 * p2 - 240 * D * m1) / (22680 * D3),
         (54 * D * p1 - p4 + 218 * D * t21 - 426 * D2 * m2) / (45360 * D4)},
        {4, 0, (62 * p4 - 94 * D * t21 + 66 * D2 * m2 + 81 * D * p1) / (45360 * D4),
         (60 * D * t11 - 61 * p3 - 247 * D) / (45360 * D4)},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        s->A[forms[i].C][forms[i].H] = forms[i].s;
        s->B[forms[i].C][forms[i].H] = forms[i].d;
    }
}

void ph_rotor_invariants(const ph_rotor_series *s, const double y[3], double *H, double *C)
{
    *H = *C = 0;
    for (int i = 0; i < 3; i++) {
        double own = s->unit * y[i], square = 0.5 * own * own;
        *H += square * s->inverse[i];
        *C += square;
    }
}

void ph_rotor_inertia(const ph_rotor_series *s, int degree, double H, double C, double *A, double *B)
{
    *A = *B = 0;
    for (int j = degree; j >= 0; j--) {
        double a = 0, b = 0;
        for (int i = degree - j; i >= 0; i--) {
            a = a * H + s->A[j][i];
            b = b * H + s->B[j][i];
        }
        *A = *A * C + a;
        *B = *B * C + b;
    }
}
