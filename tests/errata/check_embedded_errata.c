/* SPDX-License-Identifier: BSD-3-Clause */
/* doc/theory/errata.md, rows 1 to 4: equations of Lee, Leok and McClamroch, "Global formulations of Lagrangian and
 * Hamiltonian dynamics on embedded manifolds", as printed (they fail) and as corrected (they hold), on random
 * systems, along motions whose accelerations come from multipliers. */
#include "errata.h"

enum { N = CS_N };

/* ---- Embedded manifolds ------------------------------------------------------------------------------- */

static const struct {
    cs_set set;
    size_t spheres;
} sets[] = {{CS_CIRCLE, 0}, {CS_SPHERES, 1},  {CS_SPHERES, 3},  {CS_SURFACE, 0},
            {CS_CODIM2, 0}, {CS_SUBSPACE, 0}, {CS_ROTATIONS, 0}};
enum { SETS = sizeof sets / sizeof *sets };

typedef struct projected {
    const mult_system *s;
    const mult_number *mu;
} projected;

/* x -> P(x) mu */
static void project_fixed(const void *self, const mult_number *x, mult_number *out)
{
    const projected *p = self;
    mult_number P[N * N];
    mult_projection(p->s, x, P);
    er_apply(p->s->n, P, p->mu, out);
}

/* D (n x n) <- d(P(x) mu)/dx, (2.5) */
static void projection_gradient(const er_motion *m, const mult_number *mu, mult_number *D)
{
    projected p = {&m->s, mu};
    double dx[N] = {0}, column[N];
    for (size_t j = 0; j < m->n; j++) {
        dx[j] = 1;
        mult_derivative(project_fixed, &p, m->n, m->n, m->x, dx, column);
        dx[j] = 0;
        for (size_t i = 0; i < m->n; i++)
            D[i * m->n + j] = column[i];
    }
}

/* (2.8): out <- -P H_x + {P D^T P + D P - P D^T} H_mu */
static void general_momentum_rate(const er_motion *m, const er_phase *p, mult_number *out)
{
    size_t n = m->n;
    mult_number P[N * N], D[N * N], T[N * N], PHm[N], inside[N], more[N];
    mult_projection(&m->s, m->q, P);
    projection_gradient(m, p->mu, D);
    er_transpose(n, D, T);
    er_apply(n, P, p->Hm, PHm);
    for (size_t i = 0; i < n; i++) /* what stands behind P: -H_x + D^T (P H_mu - H_mu) */
        inside[i] = PHm[i] - p->Hm[i];
    er_apply(n, T, inside, more);
    er_sum_up(n, -1, p->Hx, more);
    er_apply(n, P, more, out);
    er_apply(n, D, PHm, more);
    er_sum_up(n, 1, more, out);
}

TEST(hamilton_on_embedded_manifolds)
{
    double worst[3] = {0};
    for (size_t k = 0; k < SETS; k++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            cs_system own;
            er_motion m;
            er_phase p;
            mult_number P[N * N], out[N], rest[N];
            er_move(&m, &own, sets[k].set, sets[k].spheres, CS_GENERAL, seed);
            own.forced = false; /* (2.8) is without */
            er_complete(&m);
            er_legendre(&m, &p);
            mult_projection(&m.s, m.q, P);
            er_apply(m.n, P, p.Hm, out);
            worst[0] = tk_max(worst[0], er_distance(m.n, out, m.qd) / m.scale);
            general_momentum_rate(&m, &p, out);
            worst[1] = tk_max(worst[1], er_distance(m.n, out, p.mud) / m.scale);
            er_apply(m.n, P, out, rest); /* dH/dt */
            worst[2] = tk_max(worst[2], cabs(mult_dot(m.n, p.Hx, m.qd) + mult_dot(m.n, p.Hm, out)) / m.scale);
        }
    er_holds("(2.7)", worst[0]);
    er_holds("(2.8)", worst[1]);
    er_holds("dH/dt = 0", worst[2]);
}

/* (3.4), and (3.6), which is the same on S^2: -P H_x + (mu x^T - x mu^T) H_mu */
TEST(hamilton_on_circle_and_sphere)
{
    double worst = 0, cross = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        cs_system own;
        er_motion m;
        er_phase p;
        mult_number out[N], part, turn[3], more[3];
        er_move(&m, &own, seed % 2 ? CS_CIRCLE : CS_SPHERES, seed % 2 ? 0 : 1, CS_GENERAL, seed);
        own.forced = false;
        er_complete(&m);
        er_legendre(&m, &p);
        part = mult_dot(m.n, m.q, p.Hx);
        for (size_t i = 0; i < m.n; i++)
            out[i] = -p.Hx[i] + m.q[i] * part + p.mu[i] * mult_dot(m.n, m.q, p.Hm) -
                     m.q[i] * mult_dot(m.n, p.mu, p.Hm);
        worst = tk_max(worst, er_distance(m.n, out, p.mud) / m.scale);
        if (seed % 2 == 0) {
            mult_cross(m.q, p.mu, turn);
            mult_cross(turn, p.Hm, more);
            for (size_t i = 0; i < 3; i++)
                out[i] = -p.Hx[i] + m.q[i] * part + more[i];
            cross = tk_max(cross, er_distance(3, out, p.mud) / m.scale);
        }
    }
    er_holds("(3.4)", worst);
    er_holds("(3.6)", cross);
}

/* (3.1), (3.2): A^T A is 5 x 5 and of rank 2, so that it has no inverse; it is A A^T that has one. */
TEST(row_1_projection_to_a_subspace)
{
    double worst[3] = {0}, third = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        cs_system own;
        er_motion m;
        er_phase p;
        double gram[25], unit[25] = {0}, w[5], E[N];
        mult_number P[25], rest[N], out[N];
        er_move(&m, &own, CS_SUBSPACE, 0, CS_GENERAL, seed);
        for (size_t i = 0; i < 5; i++)
            for (size_t j = 0; j < 5; j++)
                gram[5 * i + j] = own.A[i] * own.A[j] + own.A[5 + i] * own.A[5 + j];
        for (size_t i = 0; i < 5; i++)
            unit[6 * i] = 1;
        ck_assert_int_eq(tk_eigen(5, gram, unit, w), 0);
        third = tk_max(third, fabs(w[2]) / w[4]);
        ck_assert_double_ge(w[3] / w[4], 1e-3); /* rank 2: neither less, by a poor sample */
        mult_projection(&m.s, m.q, P);
        mult_euler_lagrange(&m.s, m.x, m.v, m.a, E);
        for (size_t i = 0; i < 5; i++)
            rest[i] = E[i] - m.f[i];
        er_apply(5, P, rest, out);
        worst[0] = tk_max(worst[0], er_size(5, out) / m.scale);
        own.forced = false;
        er_complete(&m);
        er_legendre(&m, &p);
        er_apply(5, P, p.Hm, out);
        worst[1] = tk_max(worst[1], er_distance(5, out, m.qd) / m.scale);
        er_apply(5, P, p.Hx, out);
        er_sum_up(5, 1, p.mud, out);
        worst[2] = tk_max(worst[2], er_size(5, out) / m.scale);
    }
    printf("row 1: third eigenvalue of A^T A %.1e of the first: rank 2 of 5\n", third);
    ck_assert_double_le(third, 1e-14);
    er_holds("row 1, (3.1) corrected", worst[0]);
    er_holds("row 1, (3.2) corrected, xdot", worst[1]);
    er_holds("row 1, (3.2) corrected, mudot", worst[2]);
}

/* v -> L(x, v) at the motion's x, for a derivative along a tangent vector */
static void lagrangian_of_velocity(const void *self, const mult_number *v, mult_number *out)
{
    const er_motion *m = self;
    out[0] = m->s.lagrangian(m->s.self, m->q, v);
}

/* Section 3.3: mu with mu.u = d/ds L(x, xdot + s u) for tangent u, and mu.x = 0. */
TEST(row_2_legendre_on_the_sphere)
{
    er_verdict sum = er_none;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        cs_system own;
        er_motion m;
        mult_number Lx[N], Lv[N], printed[N], corrected[N];
        double e[6], along, wrong = 0, right = 0;
        er_move(&m, &own, CS_SPHERES, 1, CS_GENERAL, seed);
        er_momentum(&m, Lx, Lv);
        er_project_each(1, m.q, Lx, printed);
        er_project_each(1, m.q, Lv, corrected);
        ph_tangent_basis3(m.x, e, e + 3);
        for (size_t k = 0; k < 2; k++) {
            mult_number ec[3];
            mult_complex(3, e + 3 * k, ec);
            mult_derivative(lagrangian_of_velocity, &m, 3, 1, m.v, e + 3 * k, &along);
            wrong = tk_max(wrong, cabs(mult_dot(3, ec, printed) - along));
            right = tk_max(right, cabs(mult_dot(3, ec, corrected) - along));
        }
        er_add(&sum, wrong / (1 + er_size(3, Lv)), right / (1 + er_size(3, Lv)));
    }
    er_pronounce("row 2, Legendre map on S^2", &sum);
}

/* A free rigid body as matrices, L = tr(R' Jd R'^T)/2. Its first member says that it is on the rotations. */
typedef struct body {
    cs_system shape;
    double Jd[9], J[9];
} body;

static mult_number body_lagrangian(const void *self, const mult_number *x, const mult_number *v)
{
    const body *b = self;
    mult_number sum = 0;
    (void)x;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            for (size_t k = 0; k < 3; k++)
                sum += v[3 * i + j] * b->Jd[3 * j + k] * v[3 * i + k] / 2;
    return sum;
}

static void body_gradient(const void *self, const mult_number *x, const mult_number *v, mult_number *Lx,
                          mult_number *Lv)
{
    const body *b = self;
    (void)x;
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) {
            Lx[3 * i + k] = Lv[3 * i + k] = 0;
            for (size_t j = 0; j < 3; j++)
                Lv[3 * i + k] += v[3 * i + j] * b->Jd[3 * j + k];
        }
}

/* m <- a motion of a random body; returns its angular velocity in W and the acceleration's R^T R'' in Q. */
static void body_motion(er_motion *m, body *b, uint64_t seed, double W[3], double Q[9])
{
    tk_random r = {seed * 0x9e3779b97f4a7c15u};
    double B[9], T[9], trace;
    *m = (er_motion){.own = &b->shape, .s = cs_random(&b->shape, CS_ROTATIONS, 0, CS_GENERAL, &r), .n = 9};
    b->shape.forced = false;
    m->s.lagrangian = body_lagrangian;
    m->s.gradient = body_gradient;
    for (size_t i = 0; i < 9; i++)
        B[i] = tk_normal(&r);
    ph_transposed_multiply3(B, B, b->Jd); /* positive definite: so is J */
    trace = b->Jd[0] + b->Jd[4] + b->Jd[8];
    for (size_t i = 0; i < 9; i++)
        b->J[i] = (i % 4 ? 0 : trace) - b->Jd[i];
    cs_point(&m->s, &r, m->x, m->v);
    er_complete(m);
    ph_transposed_multiply3(m->x, m->v, T);
    ph_vee3(T, W);
    ph_transposed_multiply3(m->x, m->a, Q);
}

/* out <- H Jd + Jd H + S(W)^2 Jd - Jd S(W)^2, with H = S(h) */
static double body_equation(const body *b, const double h[3], const double W[3])
{
    double H[9], S[9], S2[9], A[9], B[9], C[9], D[9], worst = 0;
    ph_hat3(h, H);
    ph_hat3(W, S);
    ph_multiply3(S, S, S2);
    ph_multiply3(H, b->Jd, A);
    ph_multiply3(b->Jd, H, B);
    ph_multiply3(S2, b->Jd, C);
    ph_multiply3(b->Jd, S2, D);
    for (size_t i = 0; i < 9; i++)
        worst = tk_max(worst, fabs(A[i] + B[i] + C[i] - D[i]));
    return worst;
}

/* (3.8): R'' Jd - R Jd R''^T R */
static double equation_38(const body *b, const er_motion *m)
{
    double A[9], T[9], B[9], C[9], worst = 0;
    ph_multiply3(m->a, b->Jd, A);
    for (size_t i = 0; i < 3; i++) /* Jd R''^T = (R'' Jd)^T */
        for (size_t j = 0; j < 3; j++)
            T[3 * i + j] = A[3 * j + i];
    ph_multiply3(m->x, T, B);
    ph_multiply3(B, m->x, C);
    for (size_t i = 0; i < 9; i++)
        worst = tk_max(worst, fabs(A[i] - C[i]));
    return worst;
}

/* Section 3.4, after (3.8): dots over the first two terms and over the last one of R''. */
TEST(row_3_dots_of_the_rigid_body)
{
    er_verdict equation = er_none, second = er_none;
    double euler = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        body b;
        er_motion m;
        double W[3], Q[9], S[9], S2[9], rest[9], Wd[3], H[9], JW[3], JWd[3], turn[3], wrong = 0, right = 0;
        body_motion(&m, &b, seed, W, Q);
        ph_hat3(W, S);
        ph_multiply3(S, S, S2);
        for (size_t i = 0; i < 9; i++)
            rest[i] = Q[i] - S2[i];
        ph_vee3(rest, Wd);
        ph_hat3(Wd, H);
        for (size_t i = 0; i < 9; i++) {
            wrong = tk_max(wrong, fabs(rest[i] - S[i]));
            right = tk_max(right, fabs(rest[i] - H[i]));
        }
        er_add(&second, wrong / m.scale, right / m.scale);
        er_add(&equation, body_equation(&b, W, W) / m.scale, body_equation(&b, Wd, W) / m.scale);
        euler = tk_max(euler, equation_38(&b, &m) / m.scale);
        ph_apply3(b.J, W, JW);
        ph_apply3(b.J, Wd, JWd);
        ph_cross3(W, JW, turn);
        for (size_t i = 0; i < 3; i++)
            euler = tk_max(euler, fabs(JWd[i] + turn[i]) / m.scale);
    }
    er_pronounce("row 3, R'' by Omega", &second);
    er_pronounce("row 3, equation before Euler's", &equation);
    er_holds("(3.8), Euler's equation", euler);
}

/* tr(A^T R S(z)) and tr(A S(z) R^T) */
static void traces(const double A[9], const double R[9], const double z[3], double *inner, double *trace)
{
    double S[9], RS[9], AS[9];
    ph_hat3(z, S);
    ph_multiply3(R, S, RS);
    ph_multiply3(A, S, AS);
    *inner = *trace = 0;
    for (size_t i = 0; i < 9; i++) {
        *inner += A[i] * RS[i];
        *trace += AS[i] * R[i];
    }
}

/* |A - normal - P A| with P = I - J^T (J J^T)^{-1} J of R^9 */
static double against_projection(const double R[9], const double A[9], const double normal[9])
{
    cs_system own;
    tk_random r = {1};
    mult_system s = cs_random(&own, CS_ROTATIONS, 0, CS_GENERAL, &r);
    mult_number Rc[9], P[81], Ac[9], PA[9];
    double worst = 0;
    mult_complex(9, R, Rc);
    mult_complex(9, A, Ac);
    mult_projection(&s, Rc, P);
    er_apply(9, P, Ac, PA);
    for (size_t i = 0; i < 9; i++)
        worst = tk_max(worst, fabs(A[i] - normal[i] - creal(PA[i])));
    return worst;
}

/* After (3.7): A.(R S(z)) = tr(A S(z) R^T) has the other sign; where it is used both sides are zero. */
TEST(row_4_sign_of_a_trace)
{
    er_verdict sum = er_none;
    double used = 0, projection = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        tk_random r = {seed * 0x9e3779b97f4a7c15u};
        double turn[3], R[9], A[9], T[9], B[9], normal[9], z[3], inner, trace;
        for (size_t i = 0; i < 3; i++) {
            turn[i] = tk_normal(&r);
            z[i] = tk_normal(&r);
        }
        for (size_t i = 0; i < 9; i++)
            A[i] = tk_normal(&r);
        ph_exp3(turn, R);
        traces(A, R, z, &inner, &trace);
        er_add(&sum, fabs(inner - trace), fabs(inner + trace));
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < 3; j++)
                T[3 * i + j] = A[3 * j + i];
        ph_multiply3(R, T, B);
        ph_multiply3(B, R, T); /* A - P(R, A) = (A + R A^T R)/2 */
        for (size_t i = 0; i < 9; i++)
            normal[i] = (A[i] + T[i]) / 2;
        traces(normal, R, z, &inner, &trace);
        used = tk_max(used, fabs(inner) + fabs(trace));
        projection = tk_max(projection, against_projection(R, A, normal));
    }
    er_pronounce("row 4, trace", &sum);
    er_holds("row 4, both sides where it is used", used);
    er_holds("(3.7)", projection);
}

int main(void)
{
    return tk_run("embedded errata");
}
