/* SPDX-License-Identifier: BSD-3-Clause */
/* Random systems on R^3 x SO(3) with affine constraints: see bundles.h. */
#include "bundles.h"

static void metric(const bu_bundle *b, const mult_number *x, mult_number K[BU_Z][BU_Z])
{
    for (size_t i = 0; i < BU_Z; i++)
        for (size_t j = 0; j < BU_Z; j++) {
            K[i][j] = i == j ? 2 : 0;
            for (size_t a = 0; a < BU_Z; a++)
                K[i][j] += (b->C[i][a] + csin(mult_along(BU_BASE, b->k[i][a], x)) / 4) *
                           (b->C[j][a] + csin(mult_along(BU_BASE, b->k[j][a], x)) / 4);
        }
}

void bu_lower(const bu_bundle *b, const mult_number *x, const mult_number *z, mult_number *p)
{
    mult_number K[BU_Z][BU_Z];
    metric(b, x, K);
    er_apply(BU_Z, K[0], z, p);
}

mult_number bu_potential(const bu_bundle *b, const mult_number *x)
{
    return cexp(mult_along(BU_BASE, b->u, x) / 2) + x[0] * x[1];
}

void bu_connection(const void *self, const mult_number *x, mult_number *w)
{
    const bu_bundle *b = self;
    for (size_t i = 0; i < BU_FIBRE; i++)
        for (size_t j = 0; j < BU_BASE; j++)
            w[BU_BASE * i + j] = b->W[i][j] + csin(mult_along(BU_BASE, b->l[i][j], x));
}

void bu_drift(const void *self, const mult_number *x, mult_number *xi)
{
    const bu_bundle *b = self;
    for (size_t i = 0; i < BU_FIBRE; i++)
        xi[i] = b->linear ? 0 : b->s[i] + csin(mult_along(BU_BASE, b->t[i], x));
}

void bu_constrained(const bu_bundle *b, const mult_number *x, const mult_number *v, const mult_number *shift,
                    mult_number *z)
{
    mult_number w[BU_FIBRE * BU_BASE];
    bu_connection(b, x, w);
    for (size_t i = 0; i < BU_BASE; i++)
        z[i] = v[i];
    for (size_t i = 0; i < BU_FIBRE; i++)
        z[BU_BASE + i] = (shift ? shift[i] : 0) - mult_dot(BU_BASE, w + BU_BASE * i, v);
}

void bu_push(const bu_bundle *b, const mult_number *x, const mult_number *z, mult_number *F)
{
    for (size_t i = 0; i < BU_Z; i++) {
        F[i] = 0;
        for (size_t j = 0; j < BU_Z; j++)
            F[i] += ccos(mult_along(BU_BASE, b->u, x)) * b->G[i][j] * z[j];
    }
}

/* ---- The same in R^3 x R^9 ---------------------------------------------------------------------------- */

void bu_trivialised(const mult_number *y, const mult_number *u, mult_number *z)
{
    const mult_number *R = y + BU_BASE, *Rd = u + BU_BASE;
    for (size_t i = 0; i < BU_BASE; i++)
        z[i] = u[i];
    for (size_t i = 0; i < 3; i++) {
        size_t j = (i + 1) % 3, k = (i + 2) % 3;
        z[BU_BASE + i] = 0;
        for (size_t a = 0; a < 3; a++)
            z[BU_BASE + i] += (R[3 * a + k] * Rd[3 * a + j] - R[3 * a + j] * Rd[3 * a + k]) / 2;
    }
}

void bu_turned(double factor, const mult_number *R, const mult_number *p, mult_number *out)
{
    for (size_t a = 0; a < 3; a++) { /* a row r of R: r^T S(p) = r x p */
        mult_cross(R + 3 * a, p, out + 3 * a);
        for (size_t i = 0; i < 3; i++)
            out[3 * a + i] *= factor;
    }
}

void bu_covector(const mult_number *y, const mult_number *p, mult_number *out)
{
    for (size_t i = 0; i < BU_BASE; i++)
        out[i] = p[i];
    bu_turned(0.5, y + BU_BASE, p + BU_BASE, out + BU_BASE);
}

mult_number bu_lagrangian(const void *self, const mult_number *y, const mult_number *u)
{
    mult_number z[BU_Z], p[BU_Z];
    bu_trivialised(y, u, z);
    bu_lower(self, y, z, p);
    return mult_dot(BU_Z, z, p) / 2 - bu_potential(self, y);
}

void bu_gradient(const void *self, const mult_number *y, const mult_number *u, mult_number *Lx,
                 mult_number *Lv)
{
    const bu_bundle *b = self;
    mult_number z[BU_Z], p[BU_Z];
    bu_trivialised(y, u, z);
    bu_lower(b, y, z, p);
    bu_covector(y, p, Lv);
    bu_turned(-0.5, u + BU_BASE, p + BU_BASE, Lx + BU_BASE); /* vee(dR^T R') = -vee(R'^T dR) */
    for (size_t c = 0; c < BU_BASE; c++) {
        Lx[c] = -cexp(mult_along(BU_BASE, b->u, y) / 2) * b->u[c] / 2 - (c == 0 ? y[1] : c == 1 ? y[0] : 0);
        for (size_t a = 0; a < BU_Z; a++) { /* (A^T z)_a (dA^T z)_a */
            mult_number sum = 0, slope = 0;
            for (size_t i = 0; i < BU_Z; i++) {
                sum += z[i] * (b->C[i][a] + csin(mult_along(BU_BASE, b->k[i][a], y)) / 4);
                slope += z[i] * ccos(mult_along(BU_BASE, b->k[i][a], y)) * b->k[i][a][c] / 4;
            }
            Lx[c] += sum * slope;
        }
    }
}

static void constraints(const void *self, const mult_number *y, mult_number *g)
{
    (void)self;
    cs_rotation_constraints(y + BU_BASE, g);
}

static void jacobian(const void *self, const mult_number *y, mult_number *A)
{
    (void)self;
    for (size_t i = 0; i < 6 * BU_N; i++)
        A[i] = 0;
    cs_rotation_jacobian(y + BU_BASE, BU_N, A + BU_BASE);
}

/* zeta + w v = xi, which is (2.3) with omega and xi moved to the identity */
static void velocities(const void *self, const mult_number *y, mult_number *B, mult_number *c)
{
    mult_number w[BU_FIBRE * BU_BASE], unit[BU_FIBRE];
    bu_connection(self, y, w);
    bu_drift(self, y, c);
    for (size_t i = 0; i < BU_FIBRE; i++) {
        for (size_t j = 0; j < BU_BASE; j++) {
            B[BU_N * i + j] = w[BU_BASE * i + j];
            unit[j] = i == j;
        }
        bu_turned(0.5, y + BU_BASE, unit, B + BU_N * i + BU_BASE);
    }
}

void bu_force(const void *self, double t, const double *y, const double *u, double *f)
{
    mult_number yc[BU_N], uc[BU_N], z[BU_Z], F[BU_Z], out[BU_N];
    (void)t;
    mult_complex(BU_N, y, yc);
    mult_complex(BU_N, u, uc);
    bu_trivialised(yc, uc, z);
    bu_push(self, yc, z, F);
    bu_covector(yc, F, out);
    for (size_t i = 0; i < BU_N; i++)
        f[i] += creal(out[i]);
}

void bu_set_out(bu_travel *m, bool constrained, bool linear, uint64_t seed)
{
    tk_random r = {seed * 0x9e3779b97f4a7c15u};
    double turn[3];
    *m = (bu_travel){0};
    cs_numbers(&r, 0.5, BU_Z * BU_Z, m->b.C[0]);
    cs_numbers(&r, 1, BU_Z * BU_Z * BU_BASE, m->b.k[0][0]);
    cs_numbers(&r, 1, BU_FIBRE * BU_BASE, m->b.W[0]);
    cs_numbers(&r, 1, BU_FIBRE * BU_BASE * BU_BASE, m->b.l[0][0]);
    cs_numbers(&r, 1, BU_FIBRE, m->b.s);
    cs_numbers(&r, 1, BU_FIBRE * BU_BASE, m->b.t[0]);
    cs_numbers(&r, 1, BU_BASE, m->b.u);
    cs_numbers(&r, 1, BU_Z * BU_Z, m->b.G[0]);
    m->b.linear = linear;
    m->s = (mult_system){.n = BU_N,
                         .m = 6,
                         .self = &m->b,
                         .lagrangian = bu_lagrangian,
                         .gradient = bu_gradient,
                         .constraints = constraints,
                         .jacobian = jacobian};
    if (constrained) {
        m->s.k = BU_FIBRE;
        m->s.velocities = velocities;
        m->s.force = bu_force;
    }
    cs_numbers(&r, 1, BU_BASE, m->y);
    cs_numbers(&r, 2, 3, turn);
    ph_exp3(turn, m->y + BU_BASE);
    for (size_t i = 0; i < BU_N; i++)
        m->u[i] = tk_normal(&r);
    mult_admit(&m->s, m->y, m->u);
    mult_acceleration(&m->s, 0, m->y, m->u, m->a);
    mult_complex(BU_N, m->y, m->yc);
    mult_complex(BU_N, m->u, m->uc);
    m->scale = 1 + ph_max_norm(m->a, BU_N);
}

void bu_generator(const mult_number *y, const mult_number *e, mult_number *out)
{
    for (size_t i = 0; i < BU_BASE; i++)
        out[i] = 0;
    for (size_t j = 0; j < 3; j++) {
        mult_number column[3] = {y[BU_BASE + j], y[BU_BASE + 3 + j], y[BU_BASE + 6 + j]}, c[3];
        mult_cross(e, column, c);
        for (size_t i = 0; i < 3; i++)
            out[BU_BASE + 3 * i + j] = c[i];
    }
}
