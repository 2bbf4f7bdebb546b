/* SPDX-License-Identifier: BSD-3-Clause */
/* What two bodies do to each other in operator form, of a fixed order N, 6 or 8, or the one below, included after pair-closed.h. Each figure against
 * the mass of the other one is evaluated in its own frame, v = G M' / |y|^2 sum_beta slope_beta D_beta(y) (figure.h); the figures
 * against each other, degrees k and l from 2 on, in frame A with B' = B(C^T d):
 *     phi_alpha = sum_beta b'_beta D_(alpha+beta),    psi_beta = sum_alpha (-1)^k a_alpha D_(alpha+beta),
 *     tau_A = G sum (-1)^k (T_q a)_alpha phi_alpha,   tau_B = G sum (T_q b')_beta psi_beta,   h_(k+l) = G sum (-1)^k a_alpha phi_alpha.
 * Instead of the derivatives D themselves the recursion has E,
 *     D_alpha = (-1)^n alpha! kappa_n E_alpha,   kappa_n = prod_(j<=n) (2j - 1) / j,
 *     E_alpha = sum_j (y_j / |y|^2) E_(alpha - e_j) - (n - 1)^2 / ((2n - 1)(2n - 3) |y|^2) sum_j E_(alpha - 2 e_j). */

enum { OF(DEGREE) = PH_MASS_DEGREE, OF(MOMENTS) = PH_MASS_MOMENTS, OF(ROOM) = 2 * PH_MASS_DEGREE + 1 };

/* clang-format off */
/* A macro for each degree from 2 on, which is a constant where it is compiled. */
#define DEGREES_TO_8(of) of(2); of(3); of(4); of(5); of(6); of(7); of(8)
/* clang-format on */

/* ---- Derivatives of 1/|y| ------------------------------------------------------------------------------------- */

/* E of degree n >= 1 <- from those of lower degrees; scaled: y / |y|^2. */
INLINE void OF(derive)(const int n, const number scaled[3], const number *square, number *E)
{
    number *e0 = E + n * n, *e1 = e0 + n + 1;
    const number *f0 = E + (n - 1) * (n - 1), *f1 = f0 + n;
    const number *g0 = E + (n > 1 ? (n - 2) * (n - 2) : 0), *g1 = g0 + n - 1;
    const number share = *square * ((n - 1.) * (n - 1) / ((2. * n - 1) * (2 * n - 3)));
#pragma GCC unroll 16
    for (int b = 0; b <= n; b++) {
        const int a = n - b;
        number sum = a ? scaled[0] * f0[b] : scaled[1] * f0[b - 1];
        if (a && b)
            sum += scaled[1] * f0[b - 1];
        if (a > 1 || b > 1)
            sum -= share * (a < 2 ? g0[b - 2] : b < 2 ? g0[b] : g0[b] + g0[b - 2]);
        e0[b] = sum;
    }
#pragma GCC unroll 16
    for (int b = 0; b < n; b++) {
        const int a = n - 1 - b;
        number sum = scaled[2] * f0[b];
        if (a)
            sum += scaled[0] * f1[b];
        if (b)
            sum += scaled[1] * f1[b - 1];
        if (a > 1 || b > 1)
            sum -= share * (a < 2 ? g1[b - 2] : b < 2 ? g1[b] : g1[b] + g1[b - 2]);
        e1[b] = sum;
    }
}

/* D of degree n <- from E, in place. */
INLINE void OF(scale_degree)(const int n, number *E)
{
    double kappa = n % 2 ? -1 : 1, factorial[OF(DEGREE) + 1] = {1};
#pragma GCC unroll 16
    for (int j = 1; j <= n; j++) {
        factorial[j] = factorial[j - 1] * j;
        kappa *= (2. * j - 1) / j;
    }
#pragma GCC unroll 16
    for (int b = 0; b <= n; b++)
        E[n * n + b] *= kappa * (factorial[n - b] * factorial[b]);
#pragma GCC unroll 16
    for (int b = 0; b < n; b++)
        E[n * n + n + 1 + b] *= kappa * (factorial[n - 1 - b] * factorial[b]);
}

/* D up to this degree, (degree + 1)^2 numbers. */
INLINE void OF(derivatives)(const int degree, const number y[3], const OF(distance) *d, number *D)
{
    const number scaled[3] = {y[0] * d->square, y[1] * d->square, y[2] * d->square};
    D[0] = d->inverse;
#define DEGREE(n)                                                                                            \
    if (n <= degree)                                                                                         \
    OF(derive)(n, scaled, &d->square, D)
    DEGREE(1);
    DEGREES_TO_8(DEGREE);
#undef DEGREE
#define DEGREE(n)                                                                                            \
    if (n <= degree)                                                                                         \
    OF(scale_degree)(n, D)
    DEGREE(1);
    DEGREES_TO_8(DEGREE);
#undef DEGREE
}

/* ---- One body's figure against the mass of the other ------------------------------------------------------------- */

INLINE void OF(attract_degree)(const int n, const double opposite, const ph_figure *f, const number *strength,
                               const number *D, OF(side) *side, OF(sums) *sums)
{
    const int first = (n - 1) * (n - 1);
    number part[3];
    if (!(f->degrees >> n & 1))
        return;
    const number factor = n % 2 ? opposite * *strength : *strength;
    for (int q = 0; q < 3; q++) {
        const double *c = f->slope[q] + first;
        number sum[2] = {c[0] * D[first], (number){0}};
#pragma GCC unroll 16
        for (int i = 1; i < 2 * n - 1; i++)
            sum[i % 2] += c[i] * D[first + i];
        part[q] = factor * (sum[0] + sum[1]);
    }
    OF(add_degree)(n, part, side, sums);
}

/* Degrees 2 to N; D: derivatives to degree N - 1 at y. */
INLINE void OF(attract_figure)(const int N, const double opposite, const ph_figure *f, double mass,
                               const OF(distance) *d, const number *D, OF(side) *side, OF(sums) *sums)
{
    const number strength = mass * d->square;
#define DEGREE(n)                                                                                            \
    if (n <= N)                                                                                              \
    OF(attract_degree)(n, opposite, f, &strength, D, side, sums)
    DEGREES_TO_8(DEGREE);
#undef DEGREE
}

/* ---- B turned into frame A -------------------------------------------------------------------------------------- */

/* out (2n + 3) <- s (2n + 1) times the linear form l . d: ph_reduced_times. */
INLINE void OF(times)(const int n, const number *s, const number l[3], number *out)
{
    const number *s1 = s + n + 1;
    number *out1 = out + n + 2;
#pragma GCC unroll 16
    for (int b = 0; b <= n + 1; b++) {
        number sum = b <= n ? l[0] * s[b] : l[1] * s[b - 1];
        if (b && b <= n)
            sum += l[1] * s[b - 1];
        if (b < n || b >= 2)
            sum -= l[2] * (b < n ? b >= 2 ? s1[b] + s1[b - 2] : s1[b] : s1[b - 2]);
        out[b] = sum;
    }
#pragma GCC unroll 16
    for (int b = 0; b <= n; b++) {
        number sum = l[2] * s[b];
        if (b < n)
            sum += l[0] * s1[b];
        if (b)
            sum += l[1] * s1[b - 1];
        out1[b] = sum;
    }
}

/* H (2n + 1) <- sum_(b <= n) m_b (x . d)^(n-b) (y . d)^b by Horner's scheme, n >= 1; powers: of y . d, that of degree j from j^2 on. */
INLINE void OF(turn_form)(const int n, const bool even, const double *m, const number x[3], const number y[3],
                          const number *powers, number *H)
{
    number next[OF(ROOM)];
    for (int i = 0; i < 3; i++)
        H[i] = even ? m[0] * x[i] : m[0] * x[i] + m[1] * y[i];
#pragma GCC unroll 16
    for (int j = 2; j <= n; j++) {
        OF(times)(j - 1, H, x, next);
#pragma GCC unroll 32
        for (int i = 0; i < 2 * j + 1; i++)
            H[i] = even && j % 2 ? next[i] : next[i] + m[j] * powers[j * j + i];
    }
}

/* turned <- degree n of B', columns of C: the axes of B. */
INLINE void OF(turn_degree)(const int n, const bool even, const ph_figure *f, const number axes[3][3],
                            const number *powers, number *turned)
{
    const double *m = f->moment + n * n;
    number *to = turned + n * n, with_z[OF(ROOM)], product[OF(ROOM)];
    if (!(f->degrees >> n & 1))
        return;
    OF(turn_form)(n, even, m, axes[0], axes[1], powers, to);
    if (even)
        return;
    OF(turn_form)(n - 1, false, m + n + 1, axes[0], axes[1], powers, with_z);
    OF(times)(n - 1, with_z, axes[2], product);
#pragma GCC unroll 32
    for (int i = 0; i < 2 * n + 1; i++)
        to[i] += product[i];
}

/* Degrees 2 to N - 2. */
INLINE void OF(turn_figure)(const int N, const bool even, const ph_figure *f, const number C[9],
                            number *turned)
{
    const number axes[3][3] = {{C[0], C[3], C[6]}, {C[1], C[4], C[7]}, {C[2], C[5], C[8]}};
    number powers[49];
    for (int i = 0; i < 49; i++) /* degrees that a body does not have stay 0 */
        turned[i] = (number){0};
    for (int i = 0; i < 3; i++)
        powers[1 + i] = axes[1][i];
#pragma GCC unroll 16
    for (int j = 2; j <= N - 2; j++)
        OF(times)(j - 1, powers + (j - 1) * (j - 1), axes[1], powers + j * j);
#define DEGREE(n)                                                                                            \
    if (n <= N - 2)                                                                                          \
    OF(turn_degree)(n, even, f, axes, powers, turned)
    DEGREE(2);
    DEGREE(3);
    DEGREE(4);
    DEGREE(5);
    DEGREE(6);
#undef DEGREE
}

/* ---- The figures against each other ------------------------------------------------------------------------------ */

/* to[i] += sum_j from[j] D[i + j] */
INLINE void OF(correlate)(const int count, const int terms, const number *from, const number *D, number *to)
{
#pragma GCC unroll 16
    for (int j = 0; j < terms; j++)
#pragma GCC unroll 16
        for (int i = 0; i < count; i++)
            to[i] += from[j] * D[i + j];
}

INLINE void OF(correlate_constants)(const int count, const int terms, const int stride, const double *from,
                                    const number *D, number *to)
{
#pragma GCC unroll 16
    for (int j = 0; j < terms; j += stride)
#pragma GCC unroll 16
        for (int i = 0; i < count; i++)
            to[i] += from[j] * D[i + j];
}

/* What two figures have between them. */
typedef struct OF(meeting) {
    number D[OF(MOMENTS)], zz[OF(MOMENTS)]; /* derivatives; those with dz dz, from n^2 on */
    number turned[49], phi[49], psi[49];
} OF(meeting);

INLINE void OF(meet)(const int k, const int l, const bool even, const ph_pair *p, OF(meeting) *m,
                     OF(sums) *sums)
{
    const int n = k + l;
    const ph_figure *A = p->a, *B = p->b;
    const double *a = A->mirrored + k * k;
    const number *b = m->turned + l * l, *D0 = m->D + n * n, *D1 = D0 + n + 1, *zz = m->zz + n * n;
    number part[OF(ROOM)], *psi = m->psi + l * l, h = (number){0};
    if (n > p->order || !(A->degrees >> k & B->degrees >> l & 1))
        return;
#pragma GCC unroll 32
    for (int i = 0; i < 2 * k + 1; i++)
        part[i] = (number){0};
    OF(correlate)(k + 1, l + 1, b, D0, part);
    OF(correlate)(k, l + 1, b, D1, part + k + 1);
    OF(correlate)(k + 1, l, b + l + 1, D1, part);
    OF(correlate)(k, l, b + l + 1, zz, part + k + 1);
    OF(correlate_constants)(l + 1, k + 1, even ? 2 : 1, a, D0, psi);
    OF(correlate_constants)(l, k + 1, even ? 2 : 1, a, D1, psi + l + 1);
    if (!even) {
        OF(correlate_constants)(l + 1, k, 1, a + k + 1, D1, psi);
        OF(correlate_constants)(l, k, 1, a + k + 1, zz, psi + l + 1);
    }
#pragma GCC unroll 32
    for (int i = 0; i < 2 * k + 1; i++) {
        m->phi[k * k + i] += part[i];
        if (!even || (i <= k && i % 2 == 0))
            h += a[i] * part[i];
    }
    h *= p->G;
    OF(collect)(n, &h, sums);
}

/* tau += the moment on A of degree k. */
INLINE void OF(turn_a)(const int k, const ph_figure *A, const OF(meeting) *m, number tau[3])
{
    for (int q = 0; q < 3; q++)
#pragma GCC unroll 32
        for (int i = k * k; i < (k + 1) * (k + 1); i++)
            tau[q] += A->turned[q][i] * m->phi[i];
}

/* tau += the moment on B of degree n, in frame A: sum (T_q b')_beta psi_beta, see ph_reduced_turn. */
INLINE void OF(turn_b)(const int n, const OF(meeting) *m, number tau[3])
{
    const number *s = m->turned + n * n, *s1 = s + n + 1, *psi = m->psi + n * n, *psi1 = psi + n + 1;
#pragma GCC unroll 16
    for (int b = 0; b <= n; b++) {
        if (b) {
            tau[0] += (double)b * s[b] * psi1[b - 1];
            tau[2] -= (double)b * s[b] * psi[b - 1];
        }
        if (b < n) {
            tau[1] -= (double)(n - b) * s[b] * psi1[b];
            tau[2] += (double)(n - b) * s[b] * psi[b + 1];
        }
    }
#pragma GCC unroll 16
    for (int b = 0; b < n; b++) { /* dx^(n-1-b) dy^b dz */
        tau[0] -= (double)(b + 1) * s1[b] * psi[b + 1];
        tau[1] += (double)(n - b) * s1[b] * psi[b];
        if (b) {
            tau[0] -= (double)b * s1[b] * psi[b - 1];
            tau[2] -= (double)b * s1[b] * psi1[b - 1];
        }
        if (b + 1 < n) {
            tau[1] += (double)(n - 1 - b) * s1[b] * psi[b + 2];
            tau[2] += (double)(n - 1 - b) * s1[b] * psi1[b + 1];
        }
    }
}

/* Those with dz dz, by which dx dx + dy dy is replaced. */
INLINE void OF(find_squares)(const int N, OF(meeting) *m)
{
#pragma GCC unroll 16
    for (int n = 4; n <= N; n++)
#pragma GCC unroll 16
        for (int b = 0; b + 2 <= n; b++)
            m->zz[n * n + b] = -(m->D[n * n + b] + m->D[n * n + b + 2]);
}

/* All degrees from 2 on of both: tau_a, tau_b <- the moments, frame A. */
INLINE void OF(attract_figures)(const int N, const bool even, const ph_pair *p, OF(meeting) *m,
                                number tau_a[3], number tau_b[3], OF(sums) *sums)
{
    const ph_figure *A = p->a, *B = p->b;
    OF(find_squares)(N, m);
    for (int i = 0; i < 49; i++)
        m->phi[i] = m->psi[i] = (number){0};
#define MEET(k, l)                                                                                           \
    if (k + l <= N)                                                                                          \
    OF(meet)(k, l, even, p, m, sums)
    MEET(6, 2);
    MEET(5, 3);
    MEET(4, 4);
    MEET(3, 5);
    MEET(2, 6);
    MEET(5, 2);
    MEET(4, 3);
    MEET(3, 4);
    MEET(2, 5);
    MEET(4, 2);
    MEET(3, 3);
    MEET(2, 4);
    MEET(3, 2);
    MEET(2, 3);
    MEET(2, 2);
#undef MEET
    for (int q = 0; q < 3; q++)
        tau_a[q] = tau_b[q] = (number){0};
#define DEGREE(n)                                                                                            \
    if (n <= N - 2 && A->degrees >> n & 1)                                                                   \
        OF(turn_a)(n, A, m, tau_a);                                                                          \
    if (n <= N - 2 && B->degrees >> n & 1)                                                                   \
    OF(turn_b)(n, m, tau_b)
    DEGREE(6);
    DEGREE(5);
    DEGREE(4);
    DEGREE(3);
    DEGREE(2);
#undef DEGREE
    for (int q = 0; q < 3; q++) {
        tau_a[q] *= p->G;
        tau_b[q] *= p->G;
    }
}

/* ---- A pair ----------------------------------------------------------------------------------------------------- */

/* v += tau's force on the other body, y x tau / |y|^2, which is tau but for its part along y: that is left in tau. */
INLINE void OF(take_moment)(const OF(distance) *d, number tau[3], OF(side) *side)
{
    const number along = OF(dot)(tau, side->n);
    number across[3];
    OF(cross)(side->n, tau, across);
    for (int q = 0; q < 3; q++) {
        side->v[q] += across[q] * d->inverse;
        tau[q] = along * side->n[q];
    }
}

/* Order N, or that of the pair, below it. */
INLINE void OF(operator)(const int N, const ph_figure_sort sort_a, const ph_figure_sort sort_b,
                         const ph_pair *p, unsigned parts, const double *at, const double *Ra,
                         const double *Rb, const ph_pair_result *out)
{
    const number x[3] = {OF(at)(at, 0), OF(at)(at, 1), OF(at)(at, 2)};
    const OF(distance) d = OF(measure)(x);
    const bool both = sort_a != PH_FIGURE_NONE && sort_b != PH_FIGURE_NONE;
    OF(sums) sums = {(number){0}, (number){0}};
    OF(side) A, B;
    OF(meeting) m;
    number turning[3], back[3];
    OF(take_side)(sort_a, Ra, x, &d, &A);
    OF(take_side)(sort_b, Rb, x, &d, &B);
    if (sort_b != PH_FIGURE_NONE) {
        OF(derivatives)(N - 1, B.y, &d, m.D);
        OF(attract_figure)(N, -1, p->b, p->gm_a, &d, m.D, &B, &sums);
    }
    if (sort_a != PH_FIGURE_NONE) {
        OF(derivatives)(both ? N : N - 1, A.y, &d, m.D);
        OF(attract_figure)(N, 1, p->a, p->gm_b, &d, m.D, &A, &sums);
    }
    if (both) {
        number C[9], tau[3];
        OF(relate)(&A, &B, C);
        OF(turn_figure)(N, sort_b == PH_FIGURE_SYMMETRIC, p->b, C, m.turned);
        OF(attract_figures)(N, sort_a == PH_FIGURE_SYMMETRIC, p, &m, turning, tau, &sums);
        OF(apply_transposed)(C, tau, back);
        OF(take_moment)(&d, turning, &A);
        OF(take_moment)(&d, back, &B);
    }
    OF(finish)(sort_a, sort_b, p, parts, x, &d, &A, &B, both ? turning : NULL, both ? back : NULL, &sums,
               out);
}
