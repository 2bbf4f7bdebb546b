/* SPDX-License-Identifier: BSD-3-Clause */
/* The turn of a body in a step of bodies.c, of one or of several at once, one in each lane of a vector `number`. bodies-rows.h has
 * the same with rows of matrices in vectors; all of them compute each number in the same order. Include once for each type,
 * behind shared/lanes-space.h. */

/* y <- A^T x */
INLINE void OF(apply_transposed)(const number *A, const number *x, number *y)
{
    for (int i = 0; i < 3; i++)
        y[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
}

/* moment (of the surroundings' frame) <- the sum over the columns c of R_c x push_c; push: of a force less the gradient */
INLINE void OF(moment_at)(const number *R, const number *push, number *moment)
{
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        moment[k] = OF(dot)(R + 3 * a, push + 3 * b) - OF(dot)(R + 3 * b, push + 3 * a);
    }
}

/* g <- h R^T S, both with their low-order parts. R is multiplied by the upper half of h S, and by the rest:
 * where h or S is a simple fraction, the rounding of R h S would lean to one side, and so would f. */
INLINE void OF(turned_back)(const number *R, const number *low, const number *S, const number *S_low,
                            double h, number *g)
{
    const double splitter = 0x1p27 + 1; /* Dekker's */
    number upper[3], rest[3];
    for (int k = 0; k < 3; k++) {
        const number s = h * S[k], t = splitter * s;
        upper[k] = t - (t - s);
        rest[k] = (s - upper[k]) + h * S_low[k];
    }
    for (int k = 0; k < 3; k++) {
        number more = R[k] * rest[0] + low[k] * upper[0];
        for (int i = 1; i < 3; i++)
            more += R[3 * i + k] * rest[i] + low[3 * i + k] * upper[i];
        g[k] = (R[k] * upper[0] + R[3 + k] * upper[1] + R[6 + k] * upper[2]) + more;
    }
}

/* f <- a guess: tan(t/2) n of the turn vector t n to which the increments y (9), the latest first, lead. */
INLINE void OF(guess)(const ph_stage *stage, double count, const number *y, number *f)
{
    for (int k = 0; k < 3; k++) /* ph_extrapolate */
        if (stage) {
            const double *weights = stage->increments[(size_t)count - 1];
            f[k] = weights[0] * y[k] + weights[1] * y[3 + k] + weights[2] * y[6 + k];
        } else {
            f[k] = count < 2 ? y[k] : count < 3 ? 2 * y[k] - y[3 + k] : 3 * (y[k] - y[3 + k]) + y[6 + k];
        }
    const number t2 = OF(dot)(f, f), scale = 0.5 + t2 * (1. / 24 + t2 * (1. / 240));
    for (int k = 0; k < 3; k++)
        f[k] *= scale;
}

/* d <- K^{-1} r with the residual r and the Jacobian K at f. C, 1/det K (returned) <- what (g.e) K^{-1} e needs. What f lacks is e with
 *     e = d - (g.e) K^{-1} e,
 * exactly, as the equation is quadratic. */
INLINE number OF(correction)(const number *J2, const number *g, const number *f, number *C, number *d)
{
    number r[3], across[3];
    const number along = OF(dot)(g, f);
    OF(cross)(g, f, across);
    OF(apply_transposed)(J2, f, r);
    for (int k = 0; k < 3; k++)
        r[k] = r[k] - g[k] - across[k] - along * f[k];
    const number K[9] = {
        J2[0] - f[0] * g[0] - along, J2[1] - f[0] * g[1] + g[2],  J2[2] - f[0] * g[2] - g[1],
        J2[3] - f[1] * g[0] - g[2],  J2[4] - f[1] * g[1] - along, J2[5] - f[1] * g[2] + g[0],
        J2[6] - f[2] * g[0] + g[1],  J2[7] - f[2] * g[1] - g[0],  J2[8] - f[2] * g[2] - along};
    OF(cross)(K + 3, K + 6, C);
    OF(cross)(K + 6, K, C + 3);
    OF(cross)(K, K + 3, C + 6);
    const number inverse = 1 / OF(dot)(K, C);
    OF(apply_transposed)(C, r, d);
    for (int k = 0; k < 3; k++)
        d[k] *= inverse;
    return inverse;
}

/* square <- (g.e) K^{-1} e */
INLINE void OF(square)(const number *C, number inverse, const number *g, const number *e, number *square)
{
    const number part = OF(dot)(g, e) * inverse;
    OF(apply_transposed)(C, e, square);
    for (int k = 0; k < 3; k++)
        square[k] *= part;
}

/* R1 + low1 <- (R + low) F, F - I = 2 (S(f) + S(f)^2) / (1 + f.f), and -(1/2) R (R^T R - I) of R + low, which makes it a
 * rotation again, as if it were formed with twice the digits (polhode/kit/rotation.h): that needs no f. What R1 + low1 lacks
 * is as large as the rounding of R F - R, and part of the next step. */
INLINE void OF(turn_body)(const number *R, const number *low, const number *f, number *R1, number *low1)
{
    const double splitter = 201326592; /* ph_upper_half */
    const number s = 2 / (1 + OF(dot)(f, f));
    number upper[9], rest[9], C[9];
    for (int k = 0; k < 9; k++) {
        upper[k] = (R[k] + splitter) - splitter;
        rest[k] = (R[k] - upper[k]) + low[k];
    }
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3;
        number exact = {0}, more = {0}, exact_off = {0}, more_off = {0};
        exact -= 1;
        for (int k = 0; k < 9; k += 3) {
            exact += upper[k + a] * upper[k + a];
            more += rest[k + a] * (upper[k + a] + R[k + a]);
            exact_off += upper[k + a] * upper[k + b];
            more_off += rest[k + a] * upper[k + b] + R[k + a] * rest[k + b];
        }
        C[4 * a] = -0.5 * (exact + more);
        C[3 * a + b] = C[3 * b + a] = -0.5 * (exact_off + more_off);
    }
    for (int i = 0; i < 3; i++) {
        const number *row = R + 3 * i;
        number once[3], twice[3];
        OF(cross)(row, f, once);
        OF(cross)(once, f, twice);
        for (int j = 0; j < 3; j++) {
            const int a = (j + 1) % 3, b = (j + 2) % 3, k = 3 * i + j;
            const number lacking = row[j] * C[4 * j] + row[a] * C[3 * j + a] + row[b] * C[3 * j + b];
            OF(two_sum)(row[j], s * (once[j] + twice[j]) + (low[k] + lacking), &R1[k], &low1[k]);
        }
    }
}

/* y <- t n of f, as far as a guess needs it. */
INLINE void OF(increment)(const number *f, number *y)
{
    const number f2 = OF(dot)(f, f), stretch = 2 - f2 * (2. / 3 - f2 * (2. / 5 - f2 * (2. / 7)));
    for (int k = 0; k < 3; k++)
        y[k] = stretch * f[k];
}

/* S1 + low1 <- S + S_low + dS + (h/2) moment */
INLINE void OF(kick)(const number *S, const number *S_low, const number *dS, const number *moment, double h,
                     number *S1, number *low1)
{
    for (int k = 0; k < 3; k++)
        OF(two_sum)(S[k], S_low[k] + (dS[k] + 0.5 * h * moment[k]), &S1[k], &low1[k]);
}
