/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of doc/theory/errata.md share: see errata.h. */
#include "errata.h"

enum { N = CS_N };

/* ---- Judgement ---------------------------------------------------------------------------------------- */

const er_verdict er_none = {INFINITY, 0, 0};

void er_add(er_verdict *v, double printed, double corrected)
{
    v->least = -tk_max(-v->least, -printed); /* a NaN is neither */
    v->most = fmax(v->most, printed);
    v->corrected = tk_max(v->corrected, corrected);
}

void er_holds(const char *what, double residual)
{
    printf("%-34s holds: %.1e\n", what, residual);
    ck_assert_msg(residual <= 1e-12, "%s: %g", what, residual);
}

void er_pronounce(const char *what, const er_verdict *v)
{
    printf("%-34s as printed %.2g to %.2g, as corrected %.1e\n", what, v->least, v->most, v->corrected);
    ck_assert_msg(v->least >= 0.01, "%s as printed: %g", what, v->least);
    ck_assert_msg(v->corrected <= 1e-12, "%s as corrected: %g", what, v->corrected);
}

/* ---- Vectors, three numbers a sphere ------------------------------------------------------------------ */

double er_size(size_t n, const mult_number *z)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = tk_max(largest, fabs(creal(z[i])));
    return largest;
}

double er_distance(size_t n, const mult_number *a, const mult_number *b)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = tk_max(largest, fabs(creal(a[i] - b[i])));
    return largest;
}

void er_sum_up(size_t n, double factor, const mult_number *z, mult_number *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] += factor * z[i];
}

void er_cross_each(size_t spheres, const mult_number *a, const mult_number *b, mult_number *out)
{
    for (size_t i = 0; i < spheres; i++)
        mult_cross(a + 3 * i, b + 3 * i, out + 3 * i);
}

void er_project_each(size_t spheres, const mult_number *q, const mult_number *z, mult_number *out)
{
    for (size_t i = 0; i < spheres; i++) {
        mult_number part = mult_dot(3, q + 3 * i, z + 3 * i);
        for (size_t k = 0; k < 3; k++)
            out[3 * i + k] = z[3 * i + k] - part * q[3 * i + k];
    }
}

void er_apply(size_t n, const mult_number *A, const mult_number *x, mult_number *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = mult_dot(n, A + i * n, x);
}

void er_transpose(size_t n, const mult_number *A, mult_number *T)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            T[j * n + i] = A[i * n + j];
}

/* ---- A point of a random motion ----------------------------------------------------------------------- */

void er_complete(er_motion *m)
{
    double E[N];
    mult_acceleration(&m->s, 0.7, m->x, m->v, m->a);
    mult_force(&m->s, 0.7, m->x, m->v, m->f);
    mult_euler_lagrange(&m->s, m->x, m->v, m->a, E);
    m->scale = 1 + ph_max_norm(m->a, m->n) + ph_max_norm(E, m->n);
    mult_complex(m->n, m->x, m->q);
    mult_complex(m->n, m->v, m->qd);
    mult_complex(m->n, m->a, m->qdd);
    mult_complex(m->n, m->f, m->force);
    er_cross_each(m->spheres, m->q, m->qd, m->w);
    er_cross_each(m->spheres, m->q, m->qdd, m->wd);
}

void er_move(er_motion *m, cs_system *own, cs_set set, size_t spheres, cs_kind kind, uint64_t seed)
{
    tk_random r = {seed * 0x9e3779b97f4a7c15u};
    *m = (er_motion){.own = own, .s = cs_random(own, set, spheres, kind, &r), .spheres = spheres};
    m->n = m->s.n;
    cs_point(&m->s, &r, m->x, m->v);
    er_complete(m);
}

void er_along_motion(const er_motion *m, mult_map F, const void *self, size_t count, mult_number *out)
{
    double z[2 * N], dz[2 * N], rate[N];
    mult_pair(m->n, m->x, m->v, z);
    mult_pair(m->n, m->v, m->a, dz);
    mult_derivative(F, self, 2 * m->n, count, z, dz, rate);
    mult_complex(count, rate, out);
}

void er_momentum(const er_motion *m, mult_number *Lx, mult_number *Lv)
{
    m->s.gradient(m->s.self, m->q, m->qd, Lx, Lv);
}

/* ---- Hamiltonians of any L on any set ----------------------------------------------------------------- */

void er_projected_momentum(const void *self, const mult_number *z, mult_number *out)
{
    const mult_system *s = self;
    mult_number P[N * N], Lx[N], Lv[N];
    mult_projection(s, z, P);
    s->gradient(s->self, z, z + s->n, Lx, Lv);
    er_apply(s->n, P, Lv, out);
}

/* H(x, mu) = mu.u - L(x, u) with A u = 0, L_v(x, u) + A^T l = mu, near the motion: Newton with the matrix
 * there, which is exact up to the complex step. */
typedef struct energy {
    const mult_system *s;
    double u[N];
    mult_number K[(N + MULT_M) * (N + MULT_M)];
} energy;

static void energy_of(const er_motion *m, energy *e)
{
    size_t n = m->n, rows = m->s.m, all = n + rows;
    double Lvv[N * N];
    mult_number A[MULT_M * N];
    *e = (energy){.s = &m->s};
    memcpy(e->u, m->v, sizeof e->u);
    mult_mass(&m->s, m->x, m->v, Lvv);
    m->s.jacobian(m->s.self, m->q, A);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            e->K[i * all + j] = Lvv[i * n + j];
        for (size_t j = 0; j < rows; j++)
            e->K[i * all + n + j] = e->K[(n + j) * all + i] = A[j * n + i];
    }
}

/* (x, mu) -> H */
static void hamiltonian(const void *self, const mult_number *z, mult_number *out)
{
    const energy *e = self;
    size_t n = e->s->n, rows = e->s->m, all = n + rows;
    mult_number u[N + MULT_M] = {0}, A[MULT_M * N], K[(N + MULT_M) * (N + MULT_M)], r[N + MULT_M], Lx[N];
    mult_complex(n, e->u, u);
    e->s->jacobian(e->s->self, z, A);
    for (int pass = 0; pass < 4; pass++) {
        e->s->gradient(e->s->self, z, u, Lx, r);
        for (size_t i = 0; i < n; i++) {
            r[i] -= z[n + i];
            for (size_t j = 0; j < rows; j++)
                r[i] += A[j * n + i] * u[n + j];
        }
        for (size_t j = 0; j < rows; j++)
            r[n + j] = mult_dot(n, A + j * n, u);
        memcpy(K, e->K, all * all * sizeof *K);
        mult_solve(all, K, 1, r);
        er_sum_up(all, -1, r, u);
    }
    out[0] = mult_dot(n, z + n, u) - e->s->lagrangian(e->s->self, z, u);
}

void er_phase_of(const er_motion *m, mult_map H, const void *self, const mult_number *mu, er_phase *p)
{
    double z[2 * N], slope[2 * N];
    for (size_t i = 0; i < m->n; i++) {
        z[i] = m->x[i];
        z[m->n + i] = creal(mu[i]);
    }
    memcpy(p->mu, mu, m->n * sizeof *mu);
    mult_gradient(H, self, 2 * m->n, z, slope);
    mult_complex(m->n, slope, p->Hx);
    mult_complex(m->n, slope + m->n, p->Hm);
}

void er_legendre(const er_motion *m, er_phase *p)
{
    energy e;
    mult_number z[2 * N], mu[N];
    energy_of(m, &e);
    memcpy(z, m->q, m->n * sizeof *z);
    memcpy(z + m->n, m->qd, m->n * sizeof *z);
    er_projected_momentum(&m->s, z, mu);
    er_phase_of(m, hamiltonian, &e, mu, p);
    er_along_motion(m, er_projected_momentum, &m->s, m->n, p->mud);
}
