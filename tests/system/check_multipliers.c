/* SPDX-License-Identifier: BSD-3-Clause */
/* The oracle of other tests, judged itself: accelerations by multipliers (multipliers.h) and the random
 * systems (constrained.h) against closed forms in coordinates, Euler-Lagrange in a chart by differences of
 * values of L alone, and the textbook's nonholonomic systems. */
#include "tests/kit/constrained.h"

/* ---- Closed forms of derivatives ---------------------------------------------------------------------- */

static const struct {
    cs_set set;
    size_t spheres;
    cs_kind kind;
} cases[] = {{CS_CIRCLE, 0, CS_GENERAL},    {CS_SPHERES, 1, CS_GENERAL},   {CS_SPHERES, 2, CS_GENERAL},
             {CS_SPHERES, 4, CS_GENERAL},   {CS_SURFACE, 0, CS_GENERAL},   {CS_CODIM2, 0, CS_GENERAL},
             {CS_SUBSPACE, 0, CS_GENERAL},  {CS_ROTATIONS, 0, CS_GENERAL}, {CS_SPHERES, 1, CS_QUADRATIC},
             {CS_SPHERES, 3, CS_QUADRATIC}, {CS_SPHERES, 4, CS_QUADRATIC}, {CS_SPHERES, 2, CS_AMBIENT},
             {CS_PRODUCT, 0, CS_AMBIENT},   {CS_PRODUCT, 0, CS_GENERAL}};
enum { CASES = sizeof cases / sizeof *cases };

/* (x, v) -> L */
static void value(const void *self, const mult_number *z, mult_number *out)
{
    const mult_system *s = self;
    out[0] = s->lagrangian(s->self, z, z + s->n);
}

static void equations(const void *self, const mult_number *z, mult_number *out)
{
    const mult_system *s = self;
    s->constraints(s->self, z, out);
}

/* Everything is of size 1: rounding of some ten terms each. */
static const double rounding = 1e-13;

TEST_EACH(gradients_belong_to_the_values, CASES)
{
    tk_random r = {11 + (uint64_t)_i};
    cs_system own;
    mult_system s = cs_random(&own, cases[_i].set, cases[_i].spheres, cases[_i].kind, &r);
    double x[MULT_N], v[MULT_N], z[2 * MULT_N], dz[2 * MULT_N] = {0}, slope, column[MULT_M], worst = 0;
    mult_number zc[2 * MULT_N], L[2 * MULT_N], A[MULT_M * MULT_N];
    cs_point(&s, &r, x, v);
    mult_pair(s.n, x, v, z);
    mult_complex(2 * s.n, z, zc);
    s.gradient(s.self, zc, zc + s.n, L, L + s.n);
    s.jacobian(s.self, zc, A);
    for (size_t i = 0; i < 2 * s.n; i++) {
        dz[i] = 1;
        mult_derivative(value, &s, 2 * s.n, 1, z, dz, &slope);
        worst = tk_max(worst, fabs(slope - creal(L[i])) / (1 + fabs(slope)));
        if (i < s.n) {
            mult_derivative(equations, &s, s.n, s.m, z, dz, column);
            for (size_t c = 0; c < s.m; c++)
                worst = tk_max(worst, fabs(column[c] - creal(A[c * s.n + i])));
        }
        dz[i] = 0;
    }
    printf("gradient and Jacobian, case %d: %.1e\n", _i, worst);
    ck_assert_double_le(worst, rounding);
}

/* ---- What the multipliers must do --------------------------------------------------------------------- */

/* (x, v) -> A v */
static void rates(const void *self, const mult_number *z, mult_number *out)
{
    const mult_system *s = self;
    mult_number A[MULT_M * MULT_N];
    s->jacobian(s->self, z, A);
    for (size_t c = 0; c < s->m; c++)
        out[c] = mult_dot(s->n, A + c * s->n, z + s->n);
}

/* The curve stays on the set to second order, and what the equations leave over is normal to it. */
TEST_EACH(accelerations_satisfy_the_principle, CASES)
{
    tk_random r = {23 + (uint64_t)_i};
    cs_system own;
    mult_system s = cs_random(&own, cases[_i].set, cases[_i].spheres, cases[_i].kind, &r);
    double x[MULT_N], v[MULT_N], a[MULT_N], f[MULT_N], E[MULT_N], z[2 * MULT_N], dz[2 * MULT_N];
    double second[MULT_M], worst = 0, size = 1;
    mult_number xc[MULT_N], P[MULT_N * MULT_N], g[MULT_M];
    cs_point(&s, &r, x, v);
    mult_acceleration(&s, 0.3, x, v, a);
    mult_force(&s, 0.3, x, v, f);
    mult_euler_lagrange(&s, x, v, a, E);
    mult_complex(s.n, x, xc);
    mult_projection(&s, xc, P);
    s.constraints(s.self, xc, g);
    mult_pair(s.n, x, v, z);
    mult_pair(s.n, v, a, dz);
    mult_derivative(rates, &s, 2 * s.n, s.m, z, dz, second);
    size += ph_max_norm(a, s.n) + ph_max_norm(E, s.n);
    for (size_t c = 0; c < s.m; c++)
        worst = tk_max(worst, fabs(creal(g[c])) + fabs(second[c]) / size);
    for (size_t i = 0; i < s.n; i++) {
        double tangent = 0;
        for (size_t j = 0; j < s.n; j++)
            tangent += creal(P[i * s.n + j]) * (E[j] - f[j]);
        worst = tk_max(worst, fabs(tangent) / size);
    }
    printf("principle, case %d: %.1e\n", _i, worst);
    ck_assert_double_le(worst, 1e-12);
}

/* ---- One sphere in angles, by hand -------------------------------------------------------------------- */

/* q = (sin a cos b, sin a sin b, cos a): L = m(a, b)/2 (a'^2 + sin^2 a b'^2) - U(a, b), with the derivatives
 * of m, U and the force along q_a and q_b:
 *     m a'' = m sin a cos a b'^2 - m' a' + m_a T - U_a + f.q_a
 *     m sin^2 a b'' = -2 m sin a cos a a' b' - m' sin^2 a b' + m_b T - U_b + f.q_b
 * with T = (a'^2 + sin^2 a b'^2)/2. */
static void in_angles(const mult_system *s, const double y[2], const double yd[2], const double *f,
                      const double *qa, const double *qb, double ydd[2])
{
    const cs_system *own = s->self;
    double sa = sin(y[0]), ca = cos(y[0]), sb = sin(y[1]), cb = cos(y[1]);
    double T = (yd[0] * yd[0] + sa * sa * yd[1] * yd[1]) / 2, phase = 0, ka = 0, kb = 0, Ua = 0, Ub = 0,
           Fa = 0, Fb = 0;
    const double q[3] = {sa * cb, sa * sb, ca}, *k = own->kij[0][0];
    mult_number qc[3], dU[3];
    mult_complex(3, q, qc);
    cs_potential_gradient(own, qc, dU);
    for (size_t i = 0; i < 3; i++) {
        phase += k[i] * q[i];
        ka += k[i] * qa[i];
        kb += k[i] * qb[i];
        Ua += creal(dU[i]) * qa[i];
        Ub += creal(dU[i]) * qb[i];
        Fa += f[i] * qa[i];
        Fb += f[i] * qb[i];
    }
    double m = own->c[0][0] + sin(phase) / 8, ma = cos(phase) / 8 * ka, mb = cos(phase) / 8 * kb;
    double rate = ma * yd[0] + mb * yd[1];
    ydd[0] = (m * sa * ca * yd[1] * yd[1] - rate * yd[0] + ma * T - Ua + Fa) / m;
    ydd[1] = (-2 * m * sa * ca * yd[0] * yd[1] - rate * sa * sa * yd[1] + mb * T - Ub + Fb) / (m * sa * sa);
}

TEST_EACH(one_sphere_in_angles, 4)
{
    tk_random r = {31 + (uint64_t)_i};
    cs_system own;
    mult_system s = cs_random(&own, CS_SPHERES, 1, CS_QUADRATIC, &r);
    double y[2] = {tk_uniform(&r, 0.5, 2.5), tk_uniform(&r, -3, 3)}, yd[2] = {tk_normal(&r), tk_normal(&r)},
           ydd[2];
    double sa = sin(y[0]), ca = cos(y[0]), sb = sin(y[1]), cb = cos(y[1]), q[3] = {sa * cb, sa * sb, ca},
           v[3];
    double qa[3] = {ca * cb, ca * sb, -sa}, qb[3] = {-sa * sb, sa * cb, 0}, qab[3] = {-ca * sb, ca * cb, 0};
    double qbb[3] = {-sa * cb, -sa * sb, 0}, f[3], a[3], worst = 0;
    for (size_t i = 0; i < 3; i++)
        v[i] = qa[i] * yd[0] + qb[i] * yd[1];
    mult_force(&s, 1.1, q, v, f);
    in_angles(&s, y, yd, f, qa, qb, ydd);
    mult_acceleration(&s, 1.1, q, v, a);
    for (size_t i = 0; i < 3; i++)
        worst = tk_max(worst, fabs(qa[i] * ydd[0] + qb[i] * ydd[1] - q[i] * yd[0] * yd[0] +
                                   2 * qab[i] * yd[0] * yd[1] + qbb[i] * yd[1] * yd[1] - a[i]));
    worst /= 1 + ph_max_norm(a, 3);
    printf("one sphere in angles: %.1e\n", worst);
    ck_assert_double_le(worst, rounding);
}

/* ---- Spheres in a chart, from values of L ------------------------------------------------------------- */

/* Stereographic: q_i = (2 p, 2 r, 1 - p^2 - r^2)/(1 + p^2 + r^2). */
static void from_chart(const void *self, const mult_number *y, mult_number *q)
{
    for (size_t i = 0; i < *(const size_t *)self; i++) {
        mult_number square = mult_dot(2, y + 2 * i, y + 2 * i);
        q[3 * i] = 2 * y[2 * i] / (1 + square);
        q[3 * i + 1] = 2 * y[2 * i + 1] / (1 + square);
        q[3 * i + 2] = (1 - square) / (1 + square);
    }
}

/* v <- dq/dt in closed form, so that it is analytic in y and yd */
static void chart_velocity(size_t spheres, const mult_number *y, const mult_number *yd, mult_number *v)
{
    for (size_t i = 0; i < spheres; i++) {
        mult_number D = 1 + mult_dot(2, y + 2 * i, y + 2 * i), rate = 2 * mult_dot(2, y + 2 * i, yd + 2 * i);
        for (size_t k = 0; k < 2; k++)
            v[3 * i + k] = 2 * (yd[2 * i + k] - y[2 * i + k] * rate / D) / D;
        v[3 * i + 2] = -2 * rate / (D * D);
    }
}

/* (y, yd) -> (q, v) */
static void lift(const void *self, const mult_number *z, mult_number *out)
{
    size_t spheres = *(const size_t *)self;
    from_chart(self, z, out);
    chart_velocity(spheres, z, z + 2 * spheres, out + 3 * spheres);
}

/* dL/dyd_i at (y, yd), from values of L by the complex step. */
static double chart_momentum(const mult_system *s, size_t spheres, const double *z, size_t i, bool velocity)
{
    mult_number zc[4 * CS_SPHERES_MOST], qv[2 * MULT_N];
    mult_complex(4 * spheres, z, zc);
    zc[(velocity ? 2 * spheres : 0) + i] += CMPLX(0, 1e-30);
    lift(&spheres, zc, qv);
    return cimag(s->lagrangian(s->self, qv, qv + 3 * spheres)) / 1e-30;
}

/* d/de of chart_momentum i along dz, by a difference of order 8. */
static double momentum_rate(const mult_system *s, size_t spheres, const double *z, const double *dz, size_t i)
{
    static const double weights[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
    double sum = 0, e = 0.01, at[4 * CS_SPHERES_MOST];
    for (int k = 1; k <= 4; k++)
        for (int side = -1; side <= 1; side += 2) {
            for (size_t j = 0; j < 4 * spheres; j++)
                at[j] = z[j] + side * k * e * dz[j];
            sum += side * weights[k - 1] * chart_momentum(s, spheres, at, i, true);
        }
    return sum / e;
}

/* ydd <- from d/dt L_yd - L_y = f.q_y, with q_y given (2 spheres x 3 spheres) */
static void chart_acceleration(const mult_system *s, size_t spheres, const double *z, const double *qy,
                               const double *f, double *ydd)
{
    size_t n = 2 * spheres;
    double along[4 * CS_SPHERES_MOST] = {0};
    mult_number H[4 * CS_SPHERES_MOST * CS_SPHERES_MOST], rest[2 * CS_SPHERES_MOST];
    for (size_t i = 0; i < n; i++) {
        memcpy(along, z + n, n * sizeof *along);
        memset(along + n, 0, n * sizeof *along);
        rest[i] = chart_momentum(s, spheres, z, i, false) - momentum_rate(s, spheres, z, along, i);
        for (size_t a = 0; a < 3 * spheres; a++)
            rest[i] += f[a] * qy[i * 3 * spheres + a];
        memset(along, 0, sizeof along);
        for (size_t j = 0; j < n; j++) {
            along[n + j] = 1;
            H[i * n + j] = momentum_rate(s, spheres, z, along, i);
            along[n + j] = 0;
        }
    }
    mult_solve(n, H, 1, rest);
    for (size_t i = 0; i < n; i++)
        ydd[i] = creal(rest[i]);
}

TEST_EACH(spheres_in_a_chart, 6)
{
    size_t spheres = 1 + (size_t)_i % 3, n = 2 * spheres;
    tk_random r = {41 + (uint64_t)_i};
    cs_system own;
    mult_system s = cs_random(&own, CS_SPHERES, spheres, _i < 3 ? CS_GENERAL : CS_QUADRATIC, &r);
    double z[4 * CS_SPHERES_MOST], dz[4 * CS_SPHERES_MOST] = {0}, qv[2 * MULT_N], f[MULT_N], a[MULT_N],
                                          chart[2 * MULT_N];
    double qy[2 * CS_SPHERES_MOST * MULT_N], ydd[2 * CS_SPHERES_MOST], error;
    mult_number zc[4 * CS_SPHERES_MOST], qvc[2 * MULT_N];
    for (size_t i = 0; i < 2 * n; i++)
        z[i] = tk_uniform(&r, -0.8, 0.8);
    mult_complex(2 * n, z, zc);
    lift(&spheres, zc, qvc);
    for (size_t i = 0; i < 6 * spheres; i++)
        qv[i] = creal(qvc[i]);
    for (size_t i = 0; i < n; i++) {
        dz[i] = 1;
        mult_derivative(from_chart, &spheres, n, 3 * spheres, z, dz, qy + i * 3 * spheres);
        dz[i] = 0;
    }
    mult_force(&s, -0.4, qv, qv + 3 * spheres, f);
    chart_acceleration(&s, spheres, z, qy, f, ydd);
    mult_pair(n, z + n, ydd, dz);
    mult_derivative(lift, &spheres, 2 * n, 6 * spheres, z, dz, chart);
    mult_acceleration(&s, -0.4, qv, qv + 3 * spheres, a);
    error = tk_max_difference(chart + 3 * spheres, a, 3 * spheres) / (1 + ph_max_norm(a, 3 * spheres));
    printf("%zu spheres in a chart: %.1e\n", spheres, error);
    ck_assert_double_le(error,
                        1e-10); /* the differences: 1e-16/0.01 times some ten, and 0.01^8 times derivatives */
}

/* ---- Velocity constraints: textbook systems ----------------------------------------------------------- */

/* Chaplygin's sleigh, (x, y, phi), blade at (x, y), centre of mass l ahead of it. */
typedef struct sleigh {
    double m, J, l;
} sleigh;

static void sleigh_gradient(const void *self, const mult_number *x, const mult_number *v, mult_number *Lx,
                            mult_number *Lv)
{
    const sleigh *b = self;
    mult_number c = ccos(x[2]), s = csin(x[2]), u = v[0] - b->l * s * v[2], w = v[1] + b->l * c * v[2];
    Lx[0] = Lx[1] = 0;
    Lx[2] = -b->m * b->l * v[2] * (c * u + s * w);
    Lv[0] = b->m * u;
    Lv[1] = b->m * w;
    Lv[2] = b->J * v[2] + b->m * b->l * (c * w - s * u);
}

static void blade(const void *self, const mult_number *x, mult_number *B, mult_number *b)
{
    (void)self;
    B[0] = -csin(x[2]);
    B[1] = ccos(x[2]);
    B[2] = b[0] = 0;
}

/* With u the speed along the blade: u' = l phi'^2, (J + m l^2) phi'' = -m l u phi' (Neimark and Fufaev). */
TEST(sleigh_as_in_the_textbook)
{
    sleigh own = {1.3, 0.8, 0.45};
    mult_system s = {.n = 3, .k = 1, .self = &own, .gradient = sleigh_gradient, .velocities = blade};
    double phi = 0.6, u = 0.9, turn = -1.4, c = cos(phi), n = sin(phi), a[3];
    double x[3] = {0.2, -0.5, phi}, v[3] = {u * c, u * n, turn};
    mult_acceleration(&s, 0, x, v, a);
    ck_assert_double_eq_tol(a[2], -own.m * own.l * u * turn / (own.J + own.m * own.l * own.l), 1e-14);
    ck_assert_double_eq_tol(a[0] * c + a[1] * n, own.l * turn * turn, 1e-14);
    ck_assert_double_eq_tol(-a[0] * n + a[1] * c, u * turn, 1e-14); /* the blade's direction turns */
}

/* A homogeneous ball of mass 1.4 and radius 0.6 rolls on a table turning at 1.7: (x, R) in R^2 x SO(3). */
static const double ball_mass = 1.4, ball_radius = 0.6, table = 1.7;

static void ball_gradient(const void *self, const mult_number *x, const mult_number *v, mult_number *Lx,
                          mult_number *Lv)
{
    (void)self;
    (void)x;
    for (size_t i = 0; i < 11; i++) {
        Lx[i] = 0;
        Lv[i] =
            v[i] * (i < 2 ? ball_mass : ball_mass * ball_radius * ball_radius / 5); /* half of 2/5 m a^2 */
    }
}

static void ball_constraints(const void *self, const mult_number *x, mult_number *g)
{
    (void)self;
    cs_rotation_constraints(x + 2, g);
}

static void ball_jacobian(const void *self, const mult_number *x, mult_number *A)
{
    (void)self;
    for (size_t i = 0; i < 66; i++)
        A[i] = 0;
    cs_rotation_jacobian(x + 2, 11, A + 2);
}

/* x' - a w x e3 = table e3 x x, w the angular velocity in space: S(w) = R' R^T. */
static void rolling(const void *self, const mult_number *x, mult_number *B, mult_number *b)
{
    (void)self;
    for (size_t i = 0; i < 22; i++)
        B[i] = 0;
    B[0] = B[12] = 1;
    for (size_t k = 0; k < 3; k++) {
        const mult_number *R =
            x + 2 + k; /* column k; w x e3 = (w2, -w1), w2 = (M02 - M20)/2, w1 = (M21 - M12)/2 */
        B[2 + k] -= ball_radius * R[6] / 2;
        B[2 + 6 + k] += ball_radius * R[0] / 2;
        B[11 + 2 + 6 + k] += ball_radius * R[3] / 2;
        B[11 + 2 + 3 + k] -= ball_radius * R[6] / 2;
    }
    b[0] = -table * x[1];
    b[1] = table * x[0];
}

/* The centre moves as x'' = (2/7) table e3 x x' (Neimark and Fufaev; Lewis and Murray, 1995). */
TEST(ball_on_a_turntable)
{
    mult_system s = {.n = 11,
                     .m = 6,
                     .k = 2,
                     .gradient = ball_gradient,
                     .constraints = ball_constraints,
                     .jacobian = ball_jacobian,
                     .velocities = rolling};
    double x[11] = {0.3, -0.8}, v[11] = {0.7, 1.2}, a[11], turn[3] = {0.4, -1, 0.7}, worst;
    tk_random r = {5};
    ph_exp3(turn, x + 2);
    for (size_t i = 2; i < 11; i++)
        v[i] = tk_normal(&r);
    mult_admit(&s, x, v);
    mult_acceleration(&s, 0, x, v, a);
    worst = tk_max(fabs(a[0] + 2. / 7 * table * v[1]), fabs(a[1] - 2. / 7 * table * v[0]));
    printf("ball on a turntable: %.1e\n", worst);
    ck_assert_double_le(worst, rounding);
}

int main(void)
{
    return tk_run("multipliers");
}
