/* SPDX-License-Identifier: BSD-3-Clause */
/* doc/theory/errata.md, rows 14 to 17: equations of Yang, Krishnaprasad and Dayawansa, "Chaplygin dynamics and
 * Lagrangian reduction", as printed (they fail) and as corrected (they hold), along motions whose
 * accelerations come from multipliers: on R^3 x SO(3) with random metric, potential, connection, affine
 * constraint and force, and on (S^2)^2 with symmetry about e3. */
#include "bundles.h"

/* (y, u) -> L, for a check of its gradient */
static void value(const void *self, const mult_number *z, mult_number *out)
{
    out[0] = bu_lagrangian(self, z, z + BU_N);
}

TEST(gradient_belongs_to_the_bundle)
{
    double worst = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        bu_travel m;
        double z[2 * BU_N], slope[2 * BU_N];
        mult_number own[2 * BU_N], given[2 * BU_N];
        bu_set_out(&m, true, false, seed);
        mult_pair(BU_N, m.y, m.u, z);
        mult_gradient(value, &m.b, 2 * BU_N, z, slope);
        mult_complex(2 * BU_N, slope, given);
        bu_gradient(&m.b, m.yc, m.uc, own, own + BU_N);
        worst = tk_max(worst, er_distance(2 * BU_N, own, given) / er_size(2 * BU_N, own));
    }
    er_holds("gradient on the bundle", worst);
}

/* ---- (3.3), on the base ------------------------------------------------------------------------------- */

/* How (3.3) is read: the factor of K~ in L~_xi, and signs or factors of its other terms. */
typedef struct reading {
    double metric, drift, form, curvature, bracket, slope;
} reading;

static const reading corrected_33 = {0.5, 1, 1, 1, 1, -1};

typedef struct reduced {
    const bu_bundle *b;
    reading as;
} reduced;

/* (x, v) -> L~_xi = factor K~(v, v) - V~ + <I~ xi~, xi~>/2 */
static void reduced_lagrangian(const void *self, const mult_number *q, mult_number *out)
{
    const reduced *l = self;
    mult_number z[BU_Z], p[BU_Z], own[BU_Z] = {0}, lowered[BU_Z];
    bu_constrained(l->b, q, q + BU_BASE, NULL, z);
    bu_lower(l->b, q, z, p);
    bu_drift(l->b, q, own + BU_BASE);
    bu_lower(l->b, q, own, lowered);
    out[0] = l->as.metric * mult_dot(BU_Z, z, p) - bu_potential(l->b, q) +
             l->as.drift * mult_dot(BU_Z, own, lowered) / 2;
}

/* out_j <- p.(e_j, -w e_j): a covector on horizontal vectors, seen from the base */
static void to_base(const bu_bundle *b, const mult_number *x, const mult_number *p, mult_number *out)
{
    mult_number w[BU_FIBRE * BU_BASE];
    bu_connection(b, x, w);
    for (size_t j = 0; j < BU_BASE; j++) {
        out[j] = p[j];
        for (size_t i = 0; i < BU_FIBRE; i++)
            out[j] -= w[BU_BASE * i + j] * p[BU_BASE + i];
    }
}

/* (x, v) -> D_2 L~_xi */
static void reduced_momentum(const void *self, const mult_number *q, mult_number *out)
{
    const reduced *l = self;
    mult_number z[BU_Z], p[BU_Z];
    bu_constrained(l->b, q, q + BU_BASE, NULL, z);
    bu_lower(l->b, q, z, p);
    to_base(l->b, q, p, out);
    for (size_t j = 0; j < BU_BASE; j++)
        out[j] *= 2 * l->as.metric;
}

/* x -> omega~_xi: u -> K((u, -w u), (0, xi~)) */
static void drift_form(const void *self, const mult_number *x, mult_number *out)
{
    mult_number own[BU_Z] = {0}, p[BU_Z];
    bu_drift(self, x, own + BU_BASE);
    bu_lower(self, x, own, p);
    to_base(self, x, p, out);
}

/* Y~.u for u = e_j */
static double reaction(const bu_travel *m, const reading *as, const double *w, const double *zeta,
                       const double *p, size_t j)
{
    double u[BU_BASE] = {0}, Dwu[BU_FIBRE * BU_BASE], Dwv[BU_FIBRE * BU_BASE], Dxi[BU_FIBRE], wu[BU_FIBRE],
           bracket[3], sum = 0;
    u[j] = 1;
    mult_derivative(bu_connection, &m->b, BU_BASE, BU_FIBRE * BU_BASE, m->y, u, Dwu);
    mult_derivative(bu_connection, &m->b, BU_BASE, BU_FIBRE * BU_BASE, m->y, m->u, Dwv);
    mult_derivative(bu_drift, &m->b, BU_BASE, BU_FIBRE, m->y, u, Dxi);
    mult_apply(BU_FIBRE, BU_BASE, w, u, wu);
    ph_cross3(wu, zeta, bracket);
    for (size_t i = 0; i < BU_FIBRE; i++)
        sum += p[BU_BASE + i] * (as->curvature * (ph_dot3(Dwu + BU_BASE * i, m->u) - Dwv[BU_BASE * i + j]) +
                                 as->bracket * bracket[i] + as->slope * Dxi[i]);
    return sum;
}

/* Largest residual of (3.3) over u = e_j, of its terms' size */
static double equation_33(const bu_travel *m, const reading *as)
{
    reduced l = {&m->b, *as};
    double q[2 * BU_BASE], qd[2 * BU_BASE], rate[BU_BASE], slope[2 * BU_BASE], Dv[BU_BASE], z[BU_Z], p[BU_Z],
        w[BU_FIBRE * BU_BASE], worst = 0;
    mult_number zc[BU_Z], pc[BU_Z], F[BU_Z], Fu[BU_BASE], wc[BU_FIBRE * BU_BASE];
    mult_pair(BU_BASE, m->y, m->u, q);
    mult_pair(BU_BASE, m->u, m->a, qd);
    mult_derivative(reduced_momentum, &l, 2 * BU_BASE, BU_BASE, q, qd, rate);
    mult_gradient(reduced_lagrangian, &l, 2 * BU_BASE, q, slope);
    mult_derivative(drift_form, &m->b, BU_BASE, BU_BASE, m->y, m->u, Dv);
    bu_trivialised(m->yc, m->uc, zc);
    bu_lower(&m->b, m->yc, zc, pc);
    bu_push(&m->b, m->yc, zc, F);
    to_base(&m->b, m->yc, F, Fu);
    bu_connection(&m->b, m->yc, wc);
    for (size_t i = 0; i < BU_FIBRE * BU_BASE; i++)
        w[i] = creal(wc[i]);
    for (size_t i = 0; i < BU_Z; i++) {
        z[i] = creal(zc[i]);
        p[i] = creal(pc[i]);
    }
    for (size_t j = 0; j < BU_BASE; j++) {
        double u[BU_BASE] = {0}, Du[BU_BASE];
        u[j] = 1;
        mult_derivative(drift_form, &m->b, BU_BASE, BU_BASE, m->y, u, Du);
        worst =
            tk_max(worst, fabs(rate[j] - slope[j] - creal(Fu[j]) - as->form * (ph_dot3(Du, m->u) - Dv[j]) -
                               reaction(m, as, w, z + BU_BASE, p, j)));
    }
    return worst / m->scale;
}

/* (3.3): K~(v, v) in L~_xi for K~(v, v)/2. */
TEST(row_14_kinetic_energy_of_33)
{
    er_verdict affine = er_none, linear = er_none;
    reading printed = corrected_33;
    printed.metric = 1;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        bu_travel m;
        bu_set_out(&m, true, false, seed);
        er_add(&affine, equation_33(&m, &printed), equation_33(&m, &corrected_33));
        bu_set_out(&m, true, true, seed);
        er_add(&linear, equation_33(&m, &printed), equation_33(&m, &corrected_33));
    }
    er_pronounce("row 14, (3.3)", &affine);
    er_pronounce("row 14, (3.3), xi = 0", &linear);
}

/* The signs and factors of (3.3) that the paper leaves to conventions: each is needed. */
TEST(conventions_of_33)
{
    static const struct {
        const char *what;
        reading as;
    } others[] = {
        {"(3.3), -<I xi, xi>/2", {0.5, -1, 1, 1, 1, -1}},     {"(3.3), -d omega_xi", {0.5, 1, -1, 1, 1, -1}},
        {"(3.3), d omega with 1/2", {0.5, 1, 1, 0.5, 1, -1}}, {"(3.3), -d omega", {0.5, 1, 1, -1, 1, -1}},
        {"(3.3), -[w u, zeta]", {0.5, 1, 1, 1, -1, -1}},      {"(3.3), +D xi", {0.5, 1, 1, 1, 1, 1}}};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        er_verdict sum = er_none;
        for (uint64_t seed = 1; seed <= 6; seed++) {
            bu_travel m;
            bu_set_out(&m, true, false, seed);
            er_add(&sum, equation_33(&m, &others[k].as), equation_33(&m, &corrected_33));
        }
        er_pronounce(others[k].what, &sum);
    }
}

/* ---- (2.7), on horizontal curves ---------------------------------------------------------------------- */

/* y -> xi(q) = R xi~(x), as a vector of space: Ad_R */
static void spatial_drift(const void *self, const mult_number *y, mult_number *xi)
{
    mult_number own[BU_FIBRE];
    bu_drift(self, y, own);
    for (size_t i = 0; i < 3; i++)
        xi[i] = mult_dot(3, y + BU_BASE + 3 * i, own);
}

/* y -> [xi(q)]_Q */
static void drift_field(const void *self, const mult_number *y, mult_number *out)
{
    mult_number xi[3];
    spatial_drift(self, y, xi);
    bu_generator(y, xi, out);
}

/* out <- K(u, .) at y, which is L_v */
static void flat(const void *self, const mult_number *y, const mult_number *u, mult_number *out)
{
    mult_number z[BU_Z], p[BU_Z];
    bu_trivialised(y, u, z);
    bu_lower(self, y, z, p);
    bu_covector(y, p, out);
}

/* y -> omega_xi = K([xi]_Q, .) */
static void lowered_drift(const void *self, const mult_number *y, mult_number *out)
{
    mult_number field[BU_N];
    drift_field(self, y, field);
    flat(self, y, field, out);
}

/* (y, u) -> L^xi */
static void horizontal_lagrangian(const void *self, const mult_number *z, mult_number *out)
{
    mult_number field[BU_N], lowered[BU_N];
    drift_field(self, z, field);
    flat(self, z, field, lowered);
    out[0] = bu_lagrangian(self, z, z + BU_N) - mult_dot(BU_N, field, lowered) / 2;
}

/* (y, u) -> K(u, .) = D_2 L^xi */
static void horizontal_momentum(const void *self, const mult_number *z, mult_number *out)
{
    flat(self, z, z + BU_N, out);
}

/* (y, v) -> the horizontal lift (v, -R S(w v)) */
static void lift(const void *self, const mult_number *z, mult_number *out)
{
    mult_number both[BU_Z];
    bu_constrained(self, z, z + BU_N, NULL, both);
    for (size_t i = 0; i < BU_BASE; i++)
        out[i] = both[i];
    bu_turned(1, z + BU_BASE, both + BU_BASE, out + BU_BASE);
}

/* The horizontal curve r = g^{-1} q at one point of it: configuration, velocity, acceleration */
typedef struct curve {
    double g[9], r[BU_N], v[BU_N], a[BU_N];
} curve;

static void horizontal_curve(const bu_travel *m, uint64_t seed, curve *c)
{
    tk_random r = {seed * 0x9e3779b97f4a7c15u};
    double turn[3], z[BU_N + BU_BASE], zd[BU_N + BU_BASE];
    mult_number zc[BU_N + BU_BASE], v[BU_N];
    cs_numbers(&r, 2, 3, turn);
    ph_exp3(turn, c->g);
    memcpy(c->r, m->y, BU_BASE * sizeof *c->r);
    ph_transposed_multiply3(c->g, m->y + BU_BASE, c->r + BU_BASE);
    memcpy(z, c->r, sizeof c->r);
    memcpy(z + BU_N, m->u, BU_BASE * sizeof *z);
    mult_complex(BU_N + BU_BASE, z, zc);
    lift(&m->b, zc, v);
    for (size_t i = 0; i < BU_N; i++)
        zd[i] = c->v[i] = creal(v[i]);
    memcpy(zd + BU_N, m->a, BU_BASE * sizeof *zd);
    mult_derivative(lift, &m->b, BU_N + BU_BASE, BU_N, z, zd, c->a);
}

/* d alpha(a, b) = a.alpha(b) - b.alpha(a) for constant a, b, alpha a map of R^12 into covectors */
static double exterior(mult_map alpha, const void *self, const double *y, const double *a, const double *b)
{
    double Da[BU_N], Db[BU_N], sum = 0;
    mult_derivative(alpha, self, BU_N, BU_N, y, a, Da);
    mult_derivative(alpha, self, BU_N, BU_N, y, b, Db);
    for (size_t i = 0; i < BU_N; i++)
        sum += Da[i] * b[i] - Db[i] * a[i];
    return sum;
}

/* Xi(u, v) = K(v, [D xi u]_Q) */
static double drift_change(const bu_travel *m, const curve *c, const double *u)
{
    double D[3];
    mult_number e[3], field[BU_N], r[BU_N], v[BU_N], p[BU_N];
    mult_derivative(spatial_drift, &m->b, BU_N, 3, c->r, u, D);
    mult_complex(3, D, e);
    mult_complex(BU_N, c->r, r);
    mult_complex(BU_N, c->v, v);
    bu_generator(r, e, field);
    flat(&m->b, r, v, p);
    return creal(mult_dot(BU_N, p, field));
}

/* Largest residual of (2.7) over horizontal lifts u_r of e_j, with the force f at r */
static double equation_27(const bu_travel *m, const curve *c, const double *f)
{
    double z[2 * BU_N], zd[2 * BU_N], rate[BU_N], slope[2 * BU_N], field[BU_N], worst = 0;
    mult_number rc[BU_N], fieldc[BU_N];
    mult_pair(BU_N, c->r, c->v, z);
    mult_pair(BU_N, c->v, c->a, zd);
    mult_derivative(horizontal_momentum, &m->b, 2 * BU_N, BU_N, z, zd, rate);
    mult_gradient(horizontal_lagrangian, &m->b, 2 * BU_N, z, slope);
    mult_complex(BU_N, c->r, rc);
    drift_field(&m->b, rc, fieldc);
    for (size_t i = 0; i < BU_N; i++)
        field[i] = creal(fieldc[i]);
    for (size_t j = 0; j < BU_BASE; j++) {
        mult_number with[BU_N + BU_BASE] = {0}, uc[BU_N];
        double u[BU_N], sum = 0;
        memcpy(with, rc, sizeof rc);
        with[BU_N + j] = 1;
        lift(&m->b, with, uc);
        for (size_t i = 0; i < BU_N; i++) {
            u[i] = creal(uc[i]);
            sum += (rate[i] - slope[i] - f[i]) * u[i];
        }
        sum += drift_change(m, c, u) - exterior(lowered_drift, &m->b, c->r, u, c->v) -
               exterior(lowered_drift, &m->b, c->r, u, field);
        worst = tk_max(worst, fabs(sum));
    }
    return worst / m->scale;
}

/* f <- (F_x, g^T F_R) or, transposed, (F_x, g F_R) */
static void carry(const double *g, bool transposed, const double *F, double *f)
{
    memcpy(f, F, BU_BASE * sizeof *f);
    if (transposed)
        ph_multiply3(g, F + BU_BASE, f + BU_BASE);
    else
        ph_transposed_multiply3(g, F + BU_BASE, f + BU_BASE);
}

/* Exterior force hypothesis: from q = g r the force comes to r by T*Phi_g, F(gq, gv).(gu) = F(q, v).u. As
 * printed, F(gq, gv) = T*Phi_g F(q, v), it would come there by T*Phi_{g^{-1}}. With what the first makes of
 * it, (2.7) holds. */
TEST(row_17_force_hypothesis)
{
    er_verdict sum = er_none, invariant = er_none;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        bu_travel m;
        curve c;
        double F[BU_N] = {0}, own[BU_N] = {0}, printed[BU_N], corrected[BU_N], v[BU_N];
        mult_number rc[BU_N], field[BU_N];
        bu_set_out(&m, true, false, seed);
        horizontal_curve(&m, seed + 100, &c);
        bu_force(&m.b, 0, m.y, m.u, F);
        carry(c.g, true, F, printed);
        carry(c.g, false, F, corrected);
        er_add(&sum, equation_27(&m, &c, printed), equation_27(&m, &c, corrected));
        mult_complex(BU_N, c.r, rc);
        drift_field(&m.b, rc, field);
        for (size_t i = 0; i < BU_N; i++)
            v[i] = c.v[i] + creal(field[i]);
        bu_force(&m.b, 0, c.r, v, own); /* F(r, v_r + [xi]_Q), the system's own */
        er_add(&invariant, tk_max_difference(printed, own, BU_N) / ph_max_norm(own, BU_N),
               tk_max_difference(corrected, own, BU_N) / ph_max_norm(own, BU_N));
    }
    er_pronounce("row 17, (2.7) with the force moved", &sum);
    er_pronounce("row 17, an invariant force", &invariant);
}

/* (2.6) and the remark behind (2.7): q = g r with g' = g xi(r), not xi(r) g. */
TEST(remark_on_reconstruction)
{
    er_verdict sum = er_none;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        bu_travel m;
        curve c;
        double S[9], xi[3], gd[9], part[9], rest[9], wrong = 0, right = 0;
        mult_number rc[BU_N], xic[3];
        bu_set_out(&m, true, false, seed);
        horizontal_curve(&m, seed + 100, &c);
        mult_complex(BU_N, c.r, rc);
        spatial_drift(&m.b, rc, xic);
        for (size_t i = 0; i < 3; i++)
            xi[i] = creal(xic[i]);
        ph_hat3(xi, S);
        ph_multiply3(c.g, c.v + BU_BASE, rest);
        ph_multiply3(S, c.g, gd);
        ph_multiply3(gd, c.r + BU_BASE, part);
        for (size_t i = 0; i < 9; i++)
            wrong = tk_max(wrong, fabs(part[i] + rest[i] - m.u[BU_BASE + i]));
        ph_multiply3(c.g, S, gd);
        ph_multiply3(gd, c.r + BU_BASE, part);
        for (size_t i = 0; i < 9; i++)
            right = tk_max(right, fabs(part[i] + rest[i] - m.u[BU_BASE + i]));
        er_add(&sum, wrong, right);
    }
    er_pronounce("(2.6), g' = xi(r) g against g xi(r)", &sum);
}

/* ---- Section IV: a symmetry about one axis ------------------------------------------------------------ */

/* A system whose L is quadratic in v, without a linear term, and the vector field of a symmetry, linear in y:
 * the mechanical connection is alpha = K(field, .)/I, I = K(field, field). */
typedef struct symmetry {
    const mult_system *s;
    void (*field)(const double *axis, const mult_number *y, mult_number *out);
    double axis[3];
    double mu;
} symmetry;

/* p <- K(field, .); returns I */
static mult_number locked(const symmetry *g, const mult_number *y, mult_number *p)
{
    mult_number field[BU_N], Lx[BU_N];
    g->field(g->axis, y, field);
    g->s->gradient(g->s->self, y, field, Lx, p);
    return mult_dot(g->s->n, p, field);
}

/* y -> alpha */
static void mechanical(const void *self, const mult_number *y, mult_number *out)
{
    const symmetry *g = self;
    mult_number I = locked(g, y, out);
    for (size_t i = 0; i < g->s->n; i++)
        out[i] /= I;
}

/* (y, v) -> J = K(v, field) */
static void momentum_map(const void *self, const mult_number *z, mult_number *out)
{
    const symmetry *g = self;
    mult_number field[BU_N], Lx[BU_N], Lv[BU_N];
    g->field(g->axis, z, field);
    g->s->gradient(g->s->self, z, z + g->s->n, Lx, Lv);
    out[0] = mult_dot(g->s->n, Lv, field);
}

/* (y, v) -> v_r = v - I^{-1} mu field */
static void horizontal_part(const void *self, const mult_number *z, mult_number *out)
{
    const symmetry *g = self;
    mult_number p[BU_N], rate = g->mu / locked(g, z, p);
    g->field(g->axis, z, out);
    for (size_t i = 0; i < g->s->n; i++)
        out[i] = z[g->s->n + i] - rate * out[i];
}

/* (y, v) -> L_mu */
static void lagrangian_mu(const void *self, const mult_number *z, mult_number *out)
{
    const symmetry *g = self;
    mult_number p[BU_N];
    out[0] = g->s->lagrangian(g->s->self, z, z + g->s->n) - g->mu * g->mu / locked(g, z, p) / 2;
}

/* (y, v) -> L_v */
static void momentum_mu(const void *self, const mult_number *z, mult_number *out)
{
    const symmetry *g = self;
    mult_number Lx[BU_N];
    g->s->gradient(g->s->self, z, z + g->s->n, Lx, out);
}

/* v_r, and its rate of change where r = exp(-theta axis) q, theta' = I^{-1} mu, and theta = 0 */
static void horizontal_motion(const symmetry *g, const double *y, const double *v, const double *a,
                              double *vr, double *ar)
{
    size_t n = g->s->n;
    double z[2 * BU_N], zd[2 * BU_N];
    mult_number zc[2 * BU_N], p[BU_N], vc[BU_N], turn[BU_N];
    mult_pair(n, y, v, z);
    mult_pair(n, v, a, zd);
    mult_complex(2 * n, z, zc);
    horizontal_part(g, zc, vc);
    mult_derivative(horizontal_part, g, 2 * n, n, z, zd, ar);
    g->field(g->axis, vc, turn);
    for (size_t i = 0; i < n; i++) {
        vr[i] = creal(vc[i]);
        ar[i] -= g->mu / creal(locked(g, zc, p)) * creal(turn[i]);
    }
}

/* u_j: the j-th column of P, without its part along the field */
static void horizontal_direction(const symmetry *g, const double *y, size_t j, double *u)
{
    size_t n = g->s->n;
    mult_number yc[BU_N], P[BU_N * BU_N], alpha[BU_N], field[BU_N], part = 0;
    mult_complex(n, y, yc);
    mult_projection(g->s, yc, P);
    mechanical(g, yc, alpha);
    g->field(g->axis, yc, field);
    for (size_t i = 0; i < n; i++)
        part += alpha[i] * P[i * n + j];
    for (size_t i = 0; i < n; i++)
        u[i] = creal(P[i * n + j] - part * field[i]);
}

/* Largest residual of the corollary in section IV, with the force f and this factor of Omega_mu */
static double corollary(const symmetry *g, const double *y, const double *v, const double *a, const double *f,
                        double curvature)
{
    size_t n = g->s->n;
    double vr[BU_N], ar[BU_N], z[2 * BU_N], zd[2 * BU_N], rate[BU_N], slope[2 * BU_N], Dv[BU_N], worst = 0;
    horizontal_motion(g, y, v, a, vr, ar);
    mult_pair(n, y, vr, z);
    mult_pair(n, vr, ar, zd);
    mult_derivative(momentum_mu, g, 2 * n, n, z, zd, rate);
    mult_gradient(lagrangian_mu, g, 2 * n, z, slope);
    mult_derivative(mechanical, g, n, n, y, vr, Dv);
    for (size_t j = 0; j < n; j++) {
        double u[BU_N], Du[BU_N], sum = 0;
        horizontal_direction(g, y, j, u);
        mult_derivative(mechanical, g, n, n, y, u, Du);
        for (size_t i = 0; i < n; i++)
            sum += (rate[i] - slope[i] - f[i]) * u[i] - curvature * g->mu * (Du[i] * vr[i] - Dv[i] * u[i]);
        worst = tk_max(worst, fabs(sum));
    }
    return worst / (1 + ph_max_norm(a, n));
}

/* ---- (S^2)^2 with symmetry about e3 ------------------------------------------------------------------- */

/* L = 1/2 sum m_ij v_i.v_j - U, functions of the invariants s = (q_1.e3, q_2.e3, q_1.q_2): a double spherical
 * pendulum has constant m_ij and no third one. The first member says that it is on spheres. */
typedef struct pendulum {
    cs_system shape;
    double c[3], k[3][3], l[3], b[3]; /* m_11, m_12, m_22 */
} pendulum;

static void invariants(const mult_number *q, mult_number *s)
{
    s[0] = q[2];
    s[1] = q[5];
    s[2] = mult_dot(3, q, q + 3);
}

static const size_t entries[3][2] = {{0, 0}, {0, 1}, {1, 1}};

static mult_number pendulum_lagrangian(const void *self, const mult_number *q, const mult_number *v)
{
    const pendulum *p = self;
    mult_number s[3], sum;
    invariants(q, s);
    sum = -cexp(mult_along(3, p->l, s) / 2) - csin(mult_along(3, p->b, s));
    for (size_t e = 0; e < 3; e++)
        sum += (p->c[e] + csin(mult_along(3, p->k[e], s)) / 8) *
               mult_dot(3, v + 3 * entries[e][0], v + 3 * entries[e][1]) * (e == 1 ? 1 : 0.5);
    return sum;
}

static void pendulum_gradient(const void *self, const mult_number *q, const mult_number *v, mult_number *Lx,
                              mult_number *Lv)
{
    const pendulum *p = self;
    mult_number s[3], Ls[3], m[3], slope[3];
    invariants(q, s);
    for (size_t e = 0; e < 3; e++) {
        m[e] = p->c[e] + csin(mult_along(3, p->k[e], s)) / 8;
        slope[e] = ccos(mult_along(3, p->k[e], s)) / 8 *
                   mult_dot(3, v + 3 * entries[e][0], v + 3 * entries[e][1]) * (e == 1 ? 1 : 0.5);
    }
    for (size_t c = 0; c < 3; c++) {
        Ls[c] = -cexp(mult_along(3, p->l, s) / 2) * p->l[c] / 2 - ccos(mult_along(3, p->b, s)) * p->b[c];
        for (size_t e = 0; e < 3; e++)
            Ls[c] += slope[e] * p->k[e][c];
    }
    for (size_t k = 0; k < 3; k++) {
        Lv[k] = m[0] * v[k] + m[1] * v[3 + k];
        Lv[3 + k] = m[1] * v[k] + m[2] * v[3 + k];
        Lx[k] = Ls[2] * q[3 + k] + (k == 2 ? Ls[0] : 0);
        Lx[3 + k] = Ls[2] * q[k] + (k == 2 ? Ls[1] : 0);
    }
}

static void turn_each(const double *axis, const mult_number *q, mult_number *out)
{
    mult_number e[3];
    mult_complex(3, axis, e);
    mult_cross(e, q, out);
    mult_cross(e, q + 3, out + 3);
}

/* The same wherever it is turned about e3, quadratic in v, and without a moment about e3, so that J stays. */
static void pendulum_force(const void *self, double t, const double *q, const double *v, double *f)
{
    double field[6] = {-q[1], q[0], 0, -q[4], q[3], 0}, own[6] = {0}, along_field = 0, square = 0;
    (void)self;
    (void)t;
    own[2] = ph_dot3(q + 3, v);
    own[5] = q[2] * q[5];
    for (size_t k = 0; k < 3; k++) {
        own[k] += q[3 + k] * ph_dot3(v, v);
        own[3 + k] += v[k] * v[5];
    }
    for (size_t i = 0; i < 6; i++) {
        along_field += own[i] * field[i];
        square += field[i] * field[i];
    }
    for (size_t i = 0; i < 6; i++)
        f[i] += own[i] - along_field / square * field[i];
}

/* A random motion; returns its J, which is not near 1: there the number that row 15 misses would not be
 * missed. */
static double swing(pendulum *p, mult_system *s, uint64_t seed, double *q, double *v, double *a)
{
    tk_random r = {seed * 0x9e3779b97f4a7c15u};
    *s = cs_random(&p->shape, CS_SPHERES, 2, CS_GENERAL, &r);
    s->lagrangian = pendulum_lagrangian;
    s->gradient = pendulum_gradient;
    s->force = pendulum_force;
    cs_numbers(&r, 1, 9, p->k[0]);
    cs_numbers(&r, 1, 3, p->l);
    cs_numbers(&r, 1, 3, p->b);
    p->c[0] = tk_uniform(&r, 1.5, 2.5);
    p->c[1] = tk_uniform(&r, 0.4, 0.8);
    p->c[2] = tk_uniform(&r, 1, 2);
    cs_point(s, &r, q, v);
    symmetry g = {.s = s, .field = turn_each, .axis = {0, 0, 1}};
    mult_number z[12], J;
    mult_complex(6, q, z);
    mult_complex(6, v, z + 6);
    momentum_map(&g, z, &J);
    bool near = fabs(creal(J) - 1) < 0.5;
    for (size_t i = 0; i < 6 && near; i++)
        v[i] = -v[i];
    mult_acceleration(s, 0, q, v, a);
    return near ? -creal(J) : creal(J);
}

/* The corollary's force is F(r, v_r + [I^{-1} mu]_Q); printed is [I^{-1}]_Q, which is a vector only if
 * I^{-1}, a number for S^1, is taken for an element of the algebra. */
TEST(row_15_force_of_the_corollary)
{
    er_verdict argument = er_none, curvature = er_none;
    double conserved = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        pendulum p;
        mult_system s;
        double q[6], v[6], a[6], z[12], zd[12], vr[6], ar[6], with[6], printed[6], corrected[6], rate;
        mult_number zc[12], field[6], covector_of[6], I;
        double mu = swing(&p, &s, seed, q, v, a);
        symmetry g = {.s = &s, .field = turn_each, .axis = {0, 0, 1}, .mu = mu};
        mult_pair(6, q, v, z);
        mult_pair(6, v, a, zd);
        mult_complex(12, z, zc);
        mult_derivative(momentum_map, &g, 12, 1, z, zd, &rate);
        conserved = tk_max(conserved, fabs(rate) / (1 + ph_max_norm(a, 6)));
        horizontal_motion(&g, q, v, a, vr, ar);
        I = locked(&g, zc, covector_of);
        turn_each(g.axis, zc, field);
        for (size_t i = 0; i < 6; i++)
            with[i] = vr[i] + creal(field[i] / I);
        mult_force(&s, 0, q, with, printed);
        for (size_t i = 0; i < 6; i++)
            with[i] = vr[i] + g.mu * creal(field[i] / I);
        mult_force(&s, 0, q, with, corrected);
        er_add(&argument, corollary(&g, q, v, a, printed, 1), corollary(&g, q, v, a, corrected, 1));
        er_add(&curvature, fmin(corollary(&g, q, v, a, corrected, -1), corollary(&g, q, v, a, corrected, 0)),
               corollary(&g, q, v, a, corrected, 1));
    }
    er_holds("J is conserved, S^1", conserved);
    er_pronounce("row 15, corollary of section IV", &argument);
    er_pronounce("corollary, Omega_mu 0 or with -", &curvature);
}

/* ---- G = SO(3), G_mu = S^1 ---------------------------------------------------------------------------- */

static void turn_body(const double *axis, const mult_number *y, mult_number *out)
{
    mult_number e[3];
    mult_complex(3, axis, e);
    bu_generator(y, e, out);
}

/* J (3) <- the momentum map of SO(3): K(u, [e_i]_Q) */
static void spatial_momentum(const mult_system *s, const double *y, const double *u, double *J)
{
    double z[2 * BU_N];
    mult_number zc[2 * BU_N], value_of;
    mult_pair(BU_N, y, u, z);
    mult_complex(2 * BU_N, z, zc);
    for (size_t i = 0; i < 3; i++) {
        symmetry g = {.s = s, .field = turn_body, .axis = {i == 0, i == 1, i == 2}};
        momentum_map(&g, zc, &value_of);
        J[i] = creal(value_of);
    }
}

/* u <- u + [e]_Q */
static void spin_up(const double *y, const double *e, double *u)
{
    mult_number yc[BU_N], field[BU_N];
    mult_complex(BU_N, y, yc);
    turn_body(e, yc, field);
    for (size_t i = 0; i < BU_N; i++)
        u[i] += creal(field[i]);
}

/* u <- u + [e]_Q with e such that `count` components of J, along the orthonormal rows of axes, become those
 * of mu */
static void impose(const mult_system *s, const double *y, const double (*axes)[3], size_t count,
                   const double *mu, double *u)
{
    mult_number A[9], rest[3];
    double J[3], J0[3], e[3] = {0}, still[BU_N] = {0};
    spatial_momentum(s, y, u, J0);
    for (size_t j = 0; j < count; j++) {
        memset(still, 0, sizeof still);
        spin_up(y, axes[j], still);
        spatial_momentum(s, y, still, J);
        for (size_t i = 0; i < count; i++)
            A[i * count + j] = ph_dot3(axes[i], J);
        rest[j] = ph_dot3(axes[j], mu) - ph_dot3(axes[j], J0);
    }
    mult_solve(count, A, 1, rest);
    for (size_t j = 0; j < count; j++)
        for (size_t k = 0; k < 3; k++)
            e[k] += creal(rest[j]) * axes[j][k];
    spin_up(y, e, u);
}

/* J^{-1}(mu) is said to be {omega v = I_mu^{-1} mu}. Velocities with that, otherwise random, have another J,
 * unless J's two components across mu vanish, too. The corollary holds with the axis mu nevertheless. */
TEST(row_16_level_set_of_the_momentum_map)
{
    er_verdict level = er_none;
    double connected = 0, conserved = 0, equation = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        bu_travel m;
        tk_random r = {seed + 1000};
        double mu[3], J[3], axes[3][3], u[BU_N], wrong, right, zd[2 * BU_N], z[2 * BU_N], none[BU_N] = {0},
                                                                                          rate;
        mult_number alpha[BU_N], uc[BU_N], p[BU_N], I;
        bu_set_out(&m, false, false, seed);
        spatial_momentum(&m.s, m.y, m.u, mu);
        symmetry g = {.s = &m.s, .field = turn_body, .mu = ph_norm3(mu)};
        for (size_t k = 0; k < 3; k++)
            axes[0][k] = g.axis[k] = mu[k] / g.mu;
        ph_tangent_basis3(axes[0], axes[1], axes[2]);
        equation = tk_max(equation, corollary(&g, m.y, m.u, m.a, none, 1));
        mult_pair(BU_N, m.y, m.u, z);
        mult_pair(BU_N, m.u, m.a, zd);
        for (size_t i = 0; i < 3; i++) {
            symmetry one = {.s = &m.s, .field = turn_body, .axis = {axes[i][0], axes[i][1], axes[i][2]}};
            mult_derivative(momentum_map, &one, 2 * BU_N, 1, z, zd, &rate);
            conserved = tk_max(conserved, fabs(rate) / m.scale);
        }
        for (size_t i = 0; i < BU_N; i++)
            u[i] = tk_normal(&r);
        mult_admit(&m.s, m.y, u);
        impose(&m.s, m.y, (const double(*)[3])axes, 1, mu, u);
        mechanical(&g, m.yc, alpha);
        I = locked(&g, m.yc, p);
        mult_complex(BU_N, u, uc);
        connected = tk_max(connected, cabs(mult_dot(BU_N, alpha, uc) - g.mu / I));
        spatial_momentum(&m.s, m.y, u, J);
        wrong = tk_max_difference(J, mu, 3) / g.mu;
        impose(&m.s, m.y, (const double(*)[3])axes, 3, mu, u);
        spatial_momentum(&m.s, m.y, u, J);
        right = tk_max_difference(J, mu, 3) / g.mu;
        er_add(&level, wrong, right);
    }
    er_holds("row 16, omega v = I^{-1} mu", connected);
    er_pronounce("row 16, J = mu there", &level);
    er_holds("J is conserved, SO(3)", conserved);
    er_holds("corollary, G = SO(3), G_mu = S^1", equation);
}

int main(void)
{
    return tk_run("reduction errata");
}
