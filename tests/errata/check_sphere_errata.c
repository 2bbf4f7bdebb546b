/* SPDX-License-Identifier: BSD-3-Clause */
/* doc/theory/errata.md, rows 5 to 13: equations of Lee, Leok and McClamroch, "Global formulations of Lagrangian and
 * Hamiltonian mechanics on two-spheres", as printed (they fail) and as corrected (they hold), on random
 * systems, along motions whose accelerations come from multipliers. */
#include "errata.h"

enum { MOST = CS_SPHERES_MOST, N = CS_N };

/* ---- Two-spheres: Lagrange's equations ---------------------------------------------------------------- */

/* L of kind CS_QUADRATIC at a motion: m_ij, F_i of (13) and (19) with velocities w_j x q_j, F + U_q - f. */
typedef struct parts {
    mult_number M[MOST * MOST], F[N], rest[N];
} parts;

static void parts_of(const er_motion *m, parts *p)
{
    size_t s = m->spheres, n = m->n;
    mult_number dM[MOST * MOST * N], Uq[N], v[N];
    cs_inertia(m->own, m->q, p->M);
    cs_inertia_gradient(m->own, m->q, dM);
    cs_potential_gradient(m->own, m->q, Uq);
    er_cross_each(s, m->w, m->q, v);
    memset(p->F, 0, sizeof p->F);
    for (size_t i = 0; i < s; i++)
        for (size_t j = 0; j < s; j++) {
            const mult_number *slope = dM + (i * s + j) * n;
            er_sum_up(3, creal(mult_dot(n, slope, v)), v + 3 * j, p->F + 3 * i);
            er_sum_up(n, -creal(mult_dot(3, v + 3 * i, v + 3 * j)) / 2, slope, p->F);
        }
    for (size_t a = 0; a < n; a++)
        p->rest[a] = p->F[a] + Uq[a] - m->force[a];
}

/* out <- out + factor S(q_i) z */
static void add_cross(const er_motion *m, size_t i, double factor, const mult_number *z, mult_number *out)
{
    mult_number c[3];
    mult_cross(m->q + 3 * i, z, c);
    er_sum_up(3, factor, c, out);
}

/* The first two terms of (19): m_ii wd_i + sum_{j != i} m_ij S(q_i)^T S(q_j) wd_j */
static void inertial(const er_motion *m, const mult_number *M, size_t i, mult_number *out)
{
    for (size_t k = 0; k < 3; k++)
        out[k] = M[i * m->spheres + i] * m->wd[3 * i + k];
    for (size_t j = 0; j < m->spheres; j++)
        if (j != i) {
            mult_number c[3];
            mult_cross(m->q + 3 * j, m->wd + 3 * j, c);
            add_cross(m, i, -creal(M[i * m->spheres + j]), c, out);
        }
}

/* The third: -m_ij S(q_i) |w_j|^2 q_j */
static void centripetal(const er_motion *m, const mult_number *M, size_t i, size_t j, mult_number *out)
{
    add_cross(m, i, -creal(M[i * m->spheres + j] * mult_dot(3, m->w + 3 * j, m->w + 3 * j)), m->q + 3 * j,
              out);
}

/* Largest left side of (19) with the third term for one j, or summed over j != i (only = SIZE_MAX). */
static double left_side_19(const er_motion *m, const parts *p, size_t only)
{
    double worst = 0;
    for (size_t i = 0; i < m->spheres; i++) {
        mult_number r[3];
        inertial(m, p->M, i, r);
        for (size_t j = 0; j < m->spheres; j++)
            if (only == SIZE_MAX ? j != i : j == only)
                centripetal(m, p->M, i, j, r);
        add_cross(m, i, 1, p->rest + 3 * i, r);
        worst = tk_max(worst, er_size(3, r));
    }
    return worst / m->scale;
}

/* (19): without brackets, the third term's j stands outside the sum: whichever it is, the equation fails. */
TEST(row_5_bracket_of_19)
{
    er_verdict sum = er_none;
    for (uint64_t seed = 1; seed <= 9; seed++) {
        cs_system own;
        er_motion m;
        parts p;
        er_move(&m, &own, CS_SPHERES, 2 + seed % 3, CS_QUADRATIC, seed);
        parts_of(&m, &p);
        for (size_t only = 0; only < m.spheres; only++)
            er_add(&sum, left_side_19(&m, &p, only), left_side_19(&m, &p, SIZE_MAX));
    }
    er_pronounce("row 5, (19)", &sum);
}

/* The display of appendix C before (19), its brace closed before S(q_i)(F + U_q - f) or behind it. */
TEST(row_7_brace_of_appendix_c)
{
    er_verdict sum = er_none;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        cs_system own;
        er_motion m;
        parts p;
        double wrong = 0, right = 0;
        er_move(&m, &own, CS_SPHERES, 1 + seed % 4, CS_QUADRATIC, seed);
        parts_of(&m, &p);
        for (size_t i = 0; i < m.spheres; i++) {
            mult_number A[3], printed[3] = {0}, corrected[3] = {0};
            inertial(&m, p.M, i, A);
            for (size_t j = 0; j < m.spheres; j++)
                if (j != i)
                    centripetal(&m, p.M, i, j, A);
            add_cross(&m, i, -1, A, printed);
            add_cross(&m, i, 1, p.rest + 3 * i, printed);
            add_cross(&m, i, 1, p.rest + 3 * i, A);
            add_cross(&m, i, -1, A, corrected);
            wrong = tk_max(wrong, er_size(3, printed));
            right = tk_max(right, er_size(3, corrected));
        }
        er_add(&sum, wrong / m.scale, right / m.scale);
    }
    er_pronounce("row 7, display before (19)", &sum);
}

/* L~(q, w) = L(q, w x q) + strength sum_i (q_i.w_i)(1 + sin(k.q)/2): (14), and an extension of it off
 * q.w = 0, where q_i.L~_wi is then not zero. */
typedef struct modified {
    const mult_system *s;
    const cs_system *own;
    double strength;
} modified;

/* sum q_i.w_i; sine <- 1 + sin(k.q)/2; cosine <- cos(k.q)/2 */
static mult_number off_tangent(const modified *l, const mult_number *z, mult_number *sine,
                               mult_number *cosine)
{
    mult_number angle = 0;
    for (size_t a = 0; a < l->s->n; a++)
        angle += l->own->k[a] * z[a];
    *sine = 1 + csin(angle) / 2;
    *cosine = ccos(angle) / 2;
    return mult_dot(l->s->n, z, z + l->s->n);
}

/* (q, w) -> L~ */
static void modified_lagrangian(const void *self, const mult_number *z, mult_number *out)
{
    const modified *l = self;
    mult_number v[N], sine, cosine, sum = off_tangent(l, z, &sine, &cosine);
    er_cross_each(l->s->n / 3, z + l->s->n, z, v);
    out[0] = l->s->lagrangian(l->s->self, z, v) + l->strength * sum * sine;
}

/* (q, w) -> (L~_q, L~_w) = (L_q + L_v x w, q x L_v) and the extension's */
static void modified_gradient(const void *self, const mult_number *z, mult_number *out)
{
    const modified *l = self;
    size_t n = l->s->n;
    mult_number v[N], Lq[N], Lv[N], sine, cosine, sum = off_tangent(l, z, &sine, &cosine);
    er_cross_each(n / 3, z + n, z, v);
    l->s->gradient(l->s->self, z, v, Lq, Lv);
    er_cross_each(n / 3, Lv, z + n, out);
    er_cross_each(n / 3, z, Lv, out + n);
    for (size_t a = 0; a < n; a++) {
        out[a] += Lq[a] + l->strength * (z[n + a] * sine + sum * cosine * l->own->k[a]);
        out[n + a] += l->strength * z[a] * sine;
    }
}

static void modified_momentum(const void *self, const mult_number *z, mult_number *out)
{
    const modified *l = self;
    mult_number both[2 * N];
    modified_gradient(self, z, both);
    memcpy(out, both + l->s->n, l->s->n * sizeof *out);
}

/* (q, w) -> S(q)^2 L~_w = -P L~_w */
static void double_cross(const void *self, const mult_number *z, mult_number *out)
{
    const modified *l = self;
    mult_number Lw[N];
    modified_momentum(self, z, Lw);
    er_project_each(l->s->n / 3, z, Lw, out);
    for (size_t a = 0; a < l->s->n; a++)
        out[a] = -out[a];
}

/* The same as er_along_motion, for functions of (q, w). */
static void along_turning(const er_motion *m, mult_map F, const void *self, mult_number *out)
{
    double z[2 * N], dz[2 * N], rate[N];
    for (size_t a = 0; a < m->n; a++) {
        z[a] = m->x[a];
        dz[a] = m->v[a];
        z[m->n + a] = creal(m->w[a]);
        dz[m->n + a] = creal(m->wd[a]);
    }
    mult_derivative(F, self, 2 * m->n, m->n, z, dz, rate);
    mult_complex(m->n, rate, out);
}

static void turning(const er_motion *m, mult_number *z)
{
    memcpy(z, m->q, m->n * sizeof *z);
    memcpy(z + m->n, m->w, m->n * sizeof *z);
}

/* moment <- S(q)(L~_q + f); Lw <- L~_w; turn <- S(w) L~_w */
static void turning_terms(const er_motion *m, const modified *l, mult_number *moment, mult_number *Lw,
                          mult_number *turn)
{
    mult_number z[2 * N], both[2 * N];
    turning(m, z);
    modified_gradient(l, z, both);
    er_sum_up(m->n, 1, m->force, both);
    er_cross_each(m->spheres, m->q, both, moment);
    memcpy(Lw, both + m->n, m->n * sizeof *Lw);
    er_cross_each(m->spheres, m->w, Lw, turn);
}

/* (50): the brace ends before S(q)(L~_q + f) in print. */
TEST(row_6_brace_of_50)
{
    er_verdict sum = er_none;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        cs_system own;
        er_motion m;
        mult_number moment[N], Lw[N], turn[N], inside[N], printed[N], corrected[N];
        er_move(&m, &own, CS_SPHERES, 1 + seed % 4, seed % 2 ? CS_GENERAL : CS_QUADRATIC, seed);
        modified l = {&m.s, &own, 0};
        turning_terms(&m, &l, moment, Lw, turn);
        along_turning(&m, double_cross, &l, inside);
        er_sum_up(m.n, 1, turn, inside);
        er_project_each(m.spheres, m.q, inside, printed);
        er_sum_up(m.n, -1, moment, printed); /* both with the sign turned: S^2 = -P */
        er_sum_up(m.n, 1, moment, inside);
        er_project_each(m.spheres, m.q, inside, corrected);
        er_add(&sum, er_size(m.n, printed) / m.scale, er_size(m.n, corrected) / m.scale);
    }
    er_pronounce("row 6, (50)", &sum);
}

/* Left side of (17) with this factor of S(w) L~_w. */
static double left_side_17(const er_motion *m, const modified *l, double factor)
{
    mult_number moment[N], Lw[N], turn[N], rate[N], r[N];
    turning_terms(m, l, moment, Lw, turn);
    along_turning(m, modified_momentum, l, rate);
    er_sum_up(m->n, -factor, turn, rate);
    er_project_each(m->spheres, m->q, rate, r);
    er_sum_up(m->n, -1, moment, r);
    return er_size(m->n, r) / m->scale;
}

static double worst_gradient(const er_motion *m, const modified *l)
{
    double z[2 * N], slope[2 * N];
    mult_number zc[2 * N], both[2 * N], given[2 * N];
    turning(m, zc);
    for (size_t a = 0; a < 2 * m->n; a++)
        z[a] = creal(zc[a]);
    mult_gradient(modified_lagrangian, l, 2 * m->n, z, slope);
    mult_complex(2 * m->n, slope, given);
    modified_gradient(l, zc, both);
    return er_distance(2 * m->n, both, given) / m->scale;
}

/* (11), (13) and (17) are right; the 2 in (17), too, where an extension of L~ makes its term count. */
TEST(lagrange_on_spheres)
{
    er_verdict two = er_none;
    double worst = 0, gradients = 0, q_qdot = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        cs_system own;
        er_motion m;
        parts p;
        double E[N];
        er_move(&m, &own, CS_SPHERES, 1 + seed % 4, seed % 2 ? CS_GENERAL : CS_QUADRATIC, seed);
        modified l = {&m.s, &own, 0};
        gradients = tk_max(gradients, worst_gradient(&m, &l));
        worst = tk_max(worst, left_side_17(&m, &l, 2));
        l.strength = 1.5;
        gradients = tk_max(gradients, worst_gradient(&m, &l));
        er_add(&two, left_side_17(&m, &l, 1), left_side_17(&m, &l, 2));
        if (seed % 2 == 0) { /* (13) */
            mult_number r[N], sum[N] = {0};
            parts_of(&m, &p);
            for (size_t i = 0; i < m.spheres; i++)
                for (size_t j = 0; j < m.spheres; j++)
                    er_sum_up(3, creal(p.M[i * m.spheres + j]), m.qdd + 3 * j, sum + 3 * i);
            er_sum_up(m.n, 1, p.rest, sum);
            er_project_each(m.spheres, m.q, sum, r);
            q_qdot = tk_max(q_qdot, er_size(m.n, r) / m.scale);
        } else { /* (11) */
            mult_number r[N], Ec[N];
            mult_euler_lagrange(&m.s, m.x, m.v, m.a, E);
            mult_complex(m.n, E, Ec);
            er_sum_up(m.n, -1, m.force, Ec);
            er_project_each(m.spheres, m.q, Ec, r);
            q_qdot = tk_max(q_qdot, er_size(m.n, r) / m.scale);
        }
    }
    er_holds("gradients of L~", gradients);
    er_holds("(11), (13)", q_qdot);
    er_holds("(17), L~ of (14)", worst);
    er_pronounce("(17), factor 1 for 2, other L~", &two);
}

/* ---- Two-spheres: Hamilton's equations ---------------------------------------------------------------- */

/* K (n x n) <- the matrix of qdot -> mu: blocks m_ii I and P_i m_ij, or P_i m_ij P_j if symmetric */
static void momentum_matrix(const cs_system *own, const mult_number *q, bool symmetric, mult_number *K)
{
    size_t s = own->spheres, n = own->n;
    mult_number M[MOST * MOST];
    cs_inertia(own, q, M);
    for (size_t i = 0; i < s; i++)
        for (size_t j = 0; j < s; j++)
            for (size_t k = 0; k < 3; k++) {
                mult_number column[3] = {k == 0, k == 1, k == 2}, c[3];
                if (symmetric && i != j)
                    er_project_each(1, q + 3 * j, column, column);
                if (i != j)
                    er_project_each(1, q + 3 * i, column, column);
                memcpy(c, column, sizeof c);
                for (size_t a = 0; a < 3; a++)
                    K[(3 * i + a) * n + 3 * j + k] = M[i * s + j] * c[a];
            }
}

/* m^I: its inverse */
static void inverse_inertia(const cs_system *own, const mult_number *q, bool symmetric, mult_number *inverse)
{
    size_t n = own->n;
    mult_number K[N * N];
    momentum_matrix(own, q, symmetric, K);
    for (size_t i = 0; i < n * n; i++)
        inverse[i] = i % (n + 1) == 0;
    mult_solve(n, K, n, inverse);
}

typedef struct quadratic_energy {
    const cs_system *own;
    bool symmetric;
} quadratic_energy;

/* (q, mu) -> H of (26) */
static void quadratic_hamiltonian(const void *self, const mult_number *z, mult_number *out)
{
    const quadratic_energy *e = self;
    size_t n = e->own->n;
    mult_number mI[N * N], v[N];
    inverse_inertia(e->own, z, e->symmetric, mI);
    er_apply(n, mI, z + n, v);
    out[0] = mult_dot(n, z + n, v) / 2 + cs_potential(e->own, z);
}

/* p <- H of (26), at a motion */
static void quadratic_phase(const er_motion *m, bool symmetric, er_phase *p)
{
    quadratic_energy e = {m->own, symmetric};
    mult_number Lx[N], Lv[N], mu[N];
    er_momentum(m, Lx, Lv);
    er_project_each(m->spheres, m->q, Lv, mu);
    er_phase_of(m, quadratic_hamiltonian, &e, mu, p);
    er_along_motion(m, er_projected_momentum, &m->s, m->n, p->mud);
}

/* (24) with `first` for dH/dmu, and (27) where that is sum m^I mu: |right side - mudot|/|mudot| */
static double momentum_equation(const er_motion *m, const er_phase *p, const mult_number *first)
{
    mult_number force[N], r[N], turn[N], more[N];
    memcpy(force, p->Hx, sizeof force);
    er_sum_up(m->n, -1, m->force, force);
    er_project_each(m->spheres, m->q, force, r);
    er_cross_each(m->spheres, p->mu, m->q, turn);
    er_cross_each(m->spheres, first, turn, more);
    er_sum_up(m->n, -1, more, r);
    er_sum_up(m->n, 1, p->mud, r);
    return er_size(m->n, r) / er_size(m->n, p->mud);
}

/* |P first - qdot|: (25) */
static double velocity_equation(const er_motion *m, const mult_number *first)
{
    mult_number v[N];
    er_project_each(m->spheres, m->q, first, v);
    return er_distance(m->n, v, m->qd) / m->scale;
}

/* (27): sum m^I_ij mu_j stands for dH/dmu_i, which it is for a symmetric m^I only. */
TEST(row_8_inverse_inertia_of_27)
{
    er_verdict sum = er_none;
    double symmetric_one = 0, right_ones = 0;
    for (uint64_t seed = 1; seed <= 9; seed++) {
        cs_system own;
        er_motion m;
        er_phase p;
        mult_number mI[N * N], T[N * N], first[N], half[N], Hm[N];
        er_move(&m, &own, CS_SPHERES, 2 + seed % 3, CS_QUADRATIC, seed);
        quadratic_phase(&m, false, &p);
        inverse_inertia(&own, m.q, false, mI);
        er_transpose(m.n, mI, T);
        er_apply(m.n, mI, p.mu, first);
        er_apply(m.n, T, p.mu, half);
        er_sum_up(m.n, 1, first, half);
        for (size_t a = 0; a < m.n; a++)
            half[a] /= 2;
        memcpy(Hm, p.Hm, sizeof Hm);
        er_add(&sum, momentum_equation(&m, &p, first), momentum_equation(&m, &p, half));
        right_ones = tk_max(right_ones, tk_max(velocity_equation(&m, first), momentum_equation(&m, &p, Hm)));
        quadratic_phase(&m, true, &p);
        inverse_inertia(&own, m.q, true, mI);
        er_apply(m.n, mI, p.mu, first);
        symmetric_one = tk_max(symmetric_one, momentum_equation(&m, &p, first));
    }
    er_pronounce("row 8, (27), literal inverse", &sum);
    er_holds("row 8, (27), symmetric inverse", symmetric_one);
    er_holds("row 8, (24), (25), literal inverse", right_ones);
}

/* Appendix D, mudot before (24), for any L: P(-H_q + mu q^T H_mu) - (mu.qdot) q, to which P f belongs. */
TEST(row_9_force_of_appendix_d)
{
    er_verdict sum = er_none;
    double equations = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        cs_system own;
        er_motion m;
        er_phase p;
        mult_number inside[N], printed[N], corrected[N], force[N];
        er_move(&m, &own, CS_SPHERES, 1 + seed % 4, seed % 2 ? CS_GENERAL : CS_QUADRATIC, seed);
        er_legendre(&m, &p);
        memset(inside, 0, sizeof inside);
        er_sum_up(m.n, -1, p.Hx, inside);
        for (size_t i = 0; i < m.spheres; i++)
            er_sum_up(3, creal(mult_dot(3, m.q + 3 * i, p.Hm + 3 * i)), p.mu + 3 * i, inside + 3 * i);
        er_project_each(m.spheres, m.q, inside, printed);
        for (size_t i = 0; i < m.spheres; i++)
            er_sum_up(3, -creal(mult_dot(3, p.mu + 3 * i, m.qd + 3 * i)), m.q + 3 * i, printed + 3 * i);
        er_project_each(m.spheres, m.q, m.force, force);
        memcpy(corrected, printed, sizeof corrected);
        er_sum_up(m.n, 1, force, corrected);
        er_add(&sum, er_distance(m.n, printed, p.mud) / er_size(m.n, p.mud),
               er_distance(m.n, corrected, p.mud) / er_size(m.n, p.mud));
        equations = tk_max(equations, momentum_equation(&m, &p, p.Hm));
        equations = tk_max(equations, velocity_equation(&m, p.Hm));
    }
    er_pronounce("row 9, appendix D", &sum);
    er_holds("(23), (24)", equations);
}

/* K (n x n) <- the matrix of (33): blocks m_ii I and S(q_i)^T m_ij S(q_j) */
static void angular_matrix(size_t spheres, const mult_number *M, const mult_number *q, mult_number *K)
{
    size_t n = 3 * spheres;
    for (size_t i = 0; i < spheres; i++)
        for (size_t j = 0; j < spheres; j++)
            for (size_t k = 0; k < 3; k++) {
                mult_number column[3] = {k == 0, k == 1, k == 2}, once[3], twice[3];
                mult_cross(q + 3 * j, column, once);
                mult_cross(q + 3 * i, once, twice);
                for (size_t a = 0; a < 3; a++)
                    K[(3 * i + a) * n + 3 * j + k] = M[i * spheres + j] * (i == j ? column[a] : -twice[a]);
            }
}

/* Eigenvalues of a symmetric matrix of real parts, ascending */
static void eigenvalues(size_t n, const mult_number *A, double *w)
{
    double real[N * N], unit[N * N] = {0};
    for (size_t i = 0; i < n * n; i++)
        real[i] = creal(A[i]);
    for (size_t i = 0; i < n; i++)
        unit[i * (n + 1)] = 1;
    ck_assert_int_eq(tk_eigen(n, real, unit, w), 0);
}

/* Text at (28): from (14) the map w -> pi has rank 2n of 3n; the matrix of (33) is regular. */
TEST(row_13_legendre_map_in_angular_velocity)
{
    double zero = 0, least = INFINITY, regular = INFINITY;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        cs_system own;
        er_motion m;
        mult_number K[N * N], T[N * N], M[MOST * MOST];
        double z[2 * N] = {0}, dz[2 * N] = {0}, column[N], w[N];
        er_move(&m, &own, CS_SPHERES, 1 + seed % 4, CS_QUADRATIC, seed);
        modified l = {&m.s, &own, 0};
        memcpy(z, m.x, sizeof m.x);
        for (size_t a = 0; a < m.n; a++)
            z[m.n + a] = creal(m.w[a]);
        for (size_t j = 0; j < m.n; j++) {
            dz[m.n + j] = 1;
            mult_derivative(modified_momentum, &l, 2 * m.n, m.n, z, dz, column);
            dz[m.n + j] = 0;
            for (size_t i = 0; i < m.n; i++)
                K[i * m.n + j] = column[i];
        }
        eigenvalues(m.n, K, w);
        zero = tk_max(zero, ph_max_norm(w, m.spheres) / w[m.n - 1]);
        least = fmin(least, w[m.spheres] / w[m.n - 1]);
        cs_inertia(&own, m.q, M);
        angular_matrix(m.spheres, M, m.q, K);
        er_transpose(m.n, K, T);
        ck_assert_double_le(er_distance(m.n * m.n, K, T), 1e-14);
        eigenvalues(m.n, K, w);
        regular = fmin(regular, w[0] / w[m.n - 1]);
    }
    printf("row 13: n eigenvalues below %.1e, the others above %.2g; of (33) above %.2g of the largest\n",
           zero, least, regular);
    ck_assert_double_le(zero, 1e-14);
    ck_assert_double_ge(least, 0.01);
    ck_assert_double_ge(regular, 0.01);
}

/* ---- The chain pendulum of section V ------------------------------------------------------------------ */

/* L from the positions of the masses. The first member says that it is on spheres. */
typedef struct chain {
    cs_system shape;
    double m[MOST], l[MOST], g, tau[3], d[3];
} chain;

static mult_number chain_lagrangian(const void *self, const mult_number *q, const mult_number *v)
{
    const chain *c = self;
    mult_number x[3] = {0}, xd[3] = {0}, sum = 0;
    for (size_t i = 0; i < c->shape.spheres; i++) {
        er_sum_up(3, c->l[i], q + 3 * i, x);
        er_sum_up(3, c->l[i], v + 3 * i, xd);
        sum += c->m[i] * (mult_dot(3, xd, xd) / 2 - c->g * x[2]);
    }
    return sum;
}

static void chain_gradient(const void *self, const mult_number *q, const mult_number *v, mult_number *Lx,
                           mult_number *Lv)
{
    const chain *c = self;
    size_t n = c->shape.spheres;
    mult_number xd[MOST][3] = {{0}};
    (void)q;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            er_sum_up(3, c->l[j], v + 3 * j, xd[i]);
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < 3; k++) {
            Lx[3 * j + k] = Lv[3 * j + k] = 0;
            for (size_t i = j; i < n; i++) {
                Lv[3 * j + k] += c->l[j] * c->m[i] * xd[i][k];
                Lx[3 * j + k] -= k == 2 ? c->l[j] * c->m[i] * c->g : 0;
            }
        }
}

/* Work of the torque tau on the first joint and of the force d on the tip:
 *     tau.g_1 + d.dx = sum f_i.(g_i x q_i). */
static void chain_force(const void *self, double t, const double *x, const double *v, double *f)
{
    const chain *c = self;
    (void)t;
    (void)v;
    for (size_t a = 0; a < 3 * c->shape.spheres; a++)
        f[a] += c->l[a / 3] * c->d[a % 3];
    ph_add_torque3(x, c->tau, f);
}

static void move_chain(er_motion *m, chain *c, size_t links, uint64_t seed)
{
    tk_random r = {seed * 0x9e3779b97f4a7c15u};
    *m = (er_motion){.own = &c->shape, .spheres = links};
    m->s = cs_random(&c->shape, CS_SPHERES, links, CS_GENERAL, &r);
    m->s.lagrangian = chain_lagrangian;
    m->s.gradient = chain_gradient;
    m->s.force = chain_force;
    m->n = m->s.n;
    c->g = 9.81;
    for (size_t i = 0; i < links; i++) {
        c->m[i] = tk_uniform(&r, 0.5, 2);
        c->l[i] = tk_uniform(&r, 0.5, 2);
    }
    for (size_t k = 0; k < 3; k++) {
        c->tau[k] = 3 * tk_normal(&r);
        c->d[k] = 3 * tk_normal(&r);
    }
    cs_point(&m->s, &r, m->x, m->v);
    er_complete(m);
}

static double masses_from(const chain *c, size_t first)
{
    double sum = 0;
    for (size_t k = first; k < c->shape.spheres; k++)
        sum += c->m[k];
    return sum;
}

/* M_ij l_i l_j with M_ij = sum_{k >= max(i, j)} m_k */
static void chain_matrix(const chain *c, mult_number *M)
{
    size_t n = c->shape.spheres;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            M[i * n + j] = masses_from(c, i > j ? i : j) * c->l[i] * c->l[j];
}

/* (38): kinetic energy against that of the masses. */
TEST(row_10_kinetic_energy_38)
{
    er_verdict sum = er_none;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        chain c;
        er_motion m;
        mult_number M[MOST * MOST], kinetic, printed = 0, corrected = 0, x[3] = {0};
        move_chain(&m, &c, 1 + seed % 4, seed);
        chain_matrix(&c, M);
        kinetic = chain_lagrangian(&c, m.q, m.qd);
        for (size_t i = 0; i < m.spheres; i++) {
            er_sum_up(3, c.l[i], m.q + 3 * i, x);
            kinetic += c.m[i] * c.g * x[2];
        }
        for (size_t i = 0; i < m.spheres; i++)
            for (size_t j = 0; j < m.spheres; j++) {
                mult_number a[3], b[3], product;
                mult_cross(m.q + 3 * i, m.w + 3 * i, a);
                mult_cross(m.q + 3 * j, m.w + 3 * j, b);
                product = mult_dot(3, a, b) * M[i * m.spheres + j] / 2;
                corrected += product;
                printed += product * M[i * m.spheres + j];
            }
        er_add(&sum, cabs(printed - kinetic) / (1 + cabs(kinetic)),
               cabs(corrected - kinetic) / (1 + cabs(kinetic)));
    }
    er_pronounce("row 10, (38)", &sum);
}

/* What section V prints as f_i: tau + l_1 S(q_1) d, l_j S(q_j) d, which are moments. */
static void printed_forces(const er_motion *m, const chain *c, mult_number *f)
{
    for (size_t i = 0; i < m->spheres; i++) {
        mult_number d[3];
        mult_complex(3, c->d, d);
        mult_cross(m->q + 3 * i, d, f + 3 * i);
        for (size_t k = 0; k < 3; k++)
            f[3 * i + k] = c->l[i] * f[3 * i + k] + (i == 0 ? c->tau[k] : 0);
    }
}

/* |left side of (40) - right| */
static double equation_40(const er_motion *m, const chain *c, const mult_number *right)
{
    mult_number M[MOST * MOST], e3[3] = {0, 0, 1};
    double worst = 0;
    chain_matrix(c, M);
    for (size_t i = 0; i < m->spheres; i++) {
        mult_number r[3], turn[3];
        inertial(m, M, i, r);
        for (size_t j = 0; j < m->spheres; j++)
            if (j != i)
                centripetal(m, M, i, j, r);
        mult_cross(e3, m->q + 3 * i, turn);
        er_sum_up(3, -masses_from(c, i) * c->g * c->l[i], turn, r);
        er_sum_up(3, -1, right + 3 * i, r);
        worst = tk_max(worst, er_size(3, r));
    }
    return worst / m->scale;
}

/* The three right sides: S(q_i) f_i with f as printed; P_i f_i; S(q_i) f_i with forces. */
static void right_sides(const er_motion *m, const chain *c, mult_number *printed, mult_number *moments,
                        mult_number *forces)
{
    mult_number f[N];
    printed_forces(m, c, f);
    er_cross_each(m->spheres, m->q, f, printed);
    er_project_each(m->spheres, m->q, f, moments);
    er_cross_each(m->spheres, m->q, m->force, forces);
}

TEST(row_11_forces_of_40)
{
    er_verdict sum = er_none, unprojected = er_none;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        chain c;
        er_motion m;
        mult_number printed[N], moments[N], forces[N], f[N];
        move_chain(&m, &c, 1 + seed % 4, seed);
        right_sides(&m, &c, printed, moments, forces);
        printed_forces(&m, &c, f);
        er_add(&sum, equation_40(&m, &c, printed), equation_40(&m, &c, moments));
        er_add(&unprojected, equation_40(&m, &c, f), equation_40(&m, &c, forces));
    }
    er_pronounce("row 11, (40), moments, P f", &sum);
    er_pronounce("row 11, (40), f; forces, S f", &unprojected);
}

typedef struct angular_energy {
    size_t spheres;
    const mult_number *M; /* constant, or NULL: that of own */
    const cs_system *own;
} angular_energy;

/* (q, pi) -> pi.m^I pi/2 with m^I the inverse of the matrix of (33) */
static void angular_kinetic(const void *self, const mult_number *z, mult_number *out)
{
    const angular_energy *e = self;
    size_t n = 3 * e->spheres;
    mult_number M[MOST * MOST], K[N * N], w[N];
    if (!e->M)
        cs_inertia(e->own, z, M);
    angular_matrix(e->spheres, e->M ? e->M : M, z, K);
    memcpy(w, z + n, n * sizeof *w);
    mult_solve(n, K, 1, w);
    out[0] = mult_dot(n, z + n, w) / 2;
}

/* (x, v) -> pi = S(q) P L_v */
static void angular_momentum(const void *self, const mult_number *z, mult_number *out)
{
    const mult_system *s = self;
    mult_number Lx[N], Lv[N];
    s->gradient(s->self, z, z + s->n, Lx, Lv);
    er_cross_each(s->n / 3, z, Lv, out);
}

/* p <- pi, its rate, and the gradients of the kinetic energy */
static void angular_phase(const er_motion *m, const angular_energy *e, er_phase *p)
{
    mult_number z[2 * N], pi[N];
    memcpy(z, m->q, m->n * sizeof *z);
    memcpy(z + m->n, m->qd, m->n * sizeof *z);
    angular_momentum(&m->s, z, pi);
    er_phase_of(m, angular_kinetic, e, pi, p);
    er_along_motion(m, angular_momentum, &m->s, m->n, p->mud);
}

/* |right side of (32), (37) or (42) - pidot|/|pidot| with dU/dq and the moment on the right given */
static double equation_37(const er_motion *m, const er_phase *p, const mult_number *Uq,
                          const mult_number *moment)
{
    mult_number slope[N], r[N], turn[N];
    memcpy(slope, p->Hx, sizeof slope);
    er_sum_up(m->n, 1, Uq, slope);
    er_cross_each(m->spheres, m->q, slope, r);
    er_cross_each(m->spheres, p->Hm, p->mu, turn);
    er_sum_up(m->n, -1, turn, r);
    er_sum_up(m->n, -1, moment, r);
    er_sum_up(m->n, 1, p->mud, r);
    return er_size(m->n, r) / er_size(m->n, p->mud);
}

/* |-S(q) H_pi - qdot|: (31), (36), (41) */
static double equation_36(const er_motion *m, const er_phase *p)
{
    mult_number v[N];
    er_cross_each(m->spheres, m->q, p->Hm, v);
    er_sum_up(m->n, 1, m->qd, v);
    return er_size(m->n, v) / m->scale;
}

/* (42): the moments, as in (40), and the potential's sum_{j=1}^n m_j g l_j e3 for (sum_{j>=i} m_j) g l_i e3.
 * For one link the second is no slip. */
TEST(rows_11_and_12_of_42)
{
    er_verdict moment = er_none, potential = er_none;
    double velocity = 0, force = 0;
    for (uint64_t seed = 1; seed <= 9; seed++) {
        chain c;
        er_motion m;
        er_phase p;
        mult_number M[MOST * MOST], printed[N], moments[N], forces[N], Uq[N] = {0}, Uq_printed[N] = {0};
        move_chain(&m, &c, 2 + seed % 3, seed);
        chain_matrix(&c, M);
        angular_phase(&m, &(angular_energy){m.spheres, M, NULL}, &p);
        right_sides(&m, &c, printed, moments, forces);
        for (size_t i = 0; i < m.spheres; i++) {
            Uq[3 * i + 2] = masses_from(&c, i) * c.g * c.l[i];
            for (size_t j = 0; j < m.spheres; j++)
                Uq_printed[3 * i + 2] += c.m[j] * c.g * c.l[j];
        }
        velocity = tk_max(velocity, equation_36(&m, &p));
        force = tk_max(force, equation_37(&m, &p, Uq, forces));
        er_add(&moment, equation_37(&m, &p, Uq, printed), equation_37(&m, &p, Uq, moments));
        er_add(&potential, equation_37(&m, &p, Uq_printed, moments), equation_37(&m, &p, Uq, moments));
    }
    er_holds("(41)", velocity);
    er_holds("row 11, (42), forces, S f", force);
    er_pronounce("row 11, (42), moments, P f", &moment);
    er_pronounce("row 12, (42), potential", &potential);
}

/* (31), (32) and so (36), (37) are right. */
TEST(hamilton_in_angular_momenta)
{
    double worst = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        cs_system own;
        er_motion m;
        er_phase p;
        mult_number Uq[N], moment[N];
        er_move(&m, &own, CS_SPHERES, 1 + seed % 4, CS_QUADRATIC, seed);
        angular_phase(&m, &(angular_energy){m.spheres, NULL, &own}, &p);
        cs_potential_gradient(&own, m.q, Uq);
        er_cross_each(m.spheres, m.q, m.force, moment);
        worst = tk_max(worst, tk_max(equation_36(&m, &p), equation_37(&m, &p, Uq, moment)));
    }
    er_holds("(31), (32), (36), (37)", worst);
}

int main(void)
{
    return tk_run("sphere errata");
}
