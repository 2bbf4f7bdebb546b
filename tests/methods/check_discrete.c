/* SPDX-License-Identifier: BSD-3-Clause */
/* The discrete Lagrangians by themselves (white box): what the code gives for -D_1 L_d, for the increment of
 * the momentum and for the exact derivative of the first is compared with differences of order 8 of L_d as it
 * is defined, by the space's exponential map and logarithm, for a Lagrangian that is neither quadratic nor of
 * constant inertia. */
#include "tests/kit/lagrangians.h"

#include "integrators/shared/discrete-lagrangian.h"

static const ph_factor factors[] = {
    {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_R, .d = 2}, {.kind = PH_FACTOR_SO3}, {.kind = PH_FACTOR_S1}};
enum { FACTORS = sizeof factors / sizeof factors[0], NZ = 16, NX = 8, NP = 9, ROWS = 6 + 4 + 27 + 2 };

static const struct {
    ph_discrete_rule rule;
    const char *name;
} rules[] = {{PH_RULE_ENDS, "ends"},
             {PH_RULE_MIDPOINT, "midpoint"},
             {PH_RULE_NORMALISED, "normalised-midpoint"},
             {PH_RULE_EXPONENTIAL, "exponential"},
             {PH_RULE_EXPONENTIAL_MIDPOINT, "exponential-midpoint"}};
enum { RULES = sizeof rules / sizeof rules[0] };

/* Turns in a step [rad], small ones and large: coefficients have series below a rad. */
static const double turns[] = {1e-9, 1e-3, 0.3, 0.95, 1.4, 2.4};
enum { TURNS = sizeof turns / sizeof turns[0] };

typedef struct bench {
    ph_space *space;
    lg_system L;
    ph_part parts[FACTORS];
    ph_discrete d;
    double z[NZ], E[ROWS], dD[ROWS], x[NX], y[NX], arrays[14][NZ];
} bench;

static void set_up(bench *b, ph_discrete_rule rule, double turn, tk_random *r)
{
    tk_ok(ph_space_create(factors, FACTORS, &b->space, NULL));
    lg_fill(&b->L, NZ, r);
    ph_lay_parts(b->space, b->parts);
    for (size_t i = 0; i < NZ; i++)
        b->z[i] = tk_normal(r);
    tk_ok(ph_space_project(b->space, b->z));
    ph_space_basis(b->space, b->z, b->E);
    for (size_t i = 0; i < NX; i++)
        b->y[i] = tk_uniform(r, 0.4, 1) * turn * (i % 2 ? 1 : -1) / sqrt(3);
    b->d = (ph_discrete){.space = b->space, .parts = b->parts, .rule = rule, .n = FACTORS, .nz = NZ};
    b->d.points = ph_rule_is_midpoint(rule) ? 1 : 2;
    b->d.weight = 1. / (double)b->d.points;
    b->d.h = 0.7 * turn;
    b->d.z = b->z;
    b->d.E = b->E;
    b->d.x = b->x;
    b->d.dD = b->dD;
    double **own[] = {&b->d.D,        &b->d.z1, &b->d.v,     b->d.at, b->d.at + 1, b->d.speed,
                      b->d.speed + 1, b->d.Lz,  b->d.Lz + 1, b->d.Lv, b->d.Lv + 1};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        *own[i] = b->arrays[i];
}

/* Place the step and evaluate L. */
static void place(bench *b, double s, const double *y)
{
    ph_discrete_place(&b->d, s, y);
    for (size_t e = 0; e < b->d.points; e++)
        lg_gradient(&b->L, 0, b->d.at[e], b->d.speed[e], b->d.Lz[e], b->d.Lv[e]);
}

/* q of a factor <- between z and z1 by the rule; the midpoint of the normalised rule by projection. */
static void middle_of(const ph_space *space, ph_discrete_rule rule, const double *z, const double *z1,
                      double *m)
{
    double v[NZ];
    for (size_t i = 0; i < NZ; i++)
        m[i] = (z[i] + z1[i]) / 2;
    if (rule == PH_RULE_NORMALISED)
        tk_ok(ph_space_project(space, m));
    if (rule != PH_RULE_EXPONENTIAL_MIDPOINT)
        return;
    tk_ok(ph_space_log(space, z, z1, v));
    for (size_t i = 0; i < NZ; i++)
        v[i] /= 2;
    ph_space_exp(space, z, v, m);
}

/* L_d(z, z1) in the time H from the definition. */
static double discrete_lagrangian(const bench *b, double H, const double *z, const double *z1)
{
    ph_discrete_rule rule = b->d.rule;
    double v[NZ], w[NP], m[NZ];
    bool exponential = rule == PH_RULE_EXPONENTIAL || rule == PH_RULE_EXPONENTIAL_MIDPOINT;
    for (size_t i = 0; i < NZ; i++)
        v[i] = (z1[i] - z[i]) / H;
    if (exponential) {
        tk_ok(ph_space_log(b->space, z, z1, v));
        ph_space_spin(b->space, z, v, w);
        for (size_t i = 0; i < NP; i++)
            w[i] /= H;
    }
    if (ph_rule_is_midpoint(rule)) {
        middle_of(b->space, rule, z, z1, m);
        if (exponential)
            ph_space_turn(b->space, m, w, v);
        return H * lg_value(&b->L, m, v);
    }
    double sum = 0;
    for (int e = 0; e < 2; e++) {
        if (exponential)
            ph_space_turn(b->space, e ? z1 : z, w, v);
        sum += H / 2 * lg_value(&b->L, e ? z1 : z, v);
    }
    return sum;
}

/* dL_d where one end moves by the turn w (np). */
static double slope(const bench *b, double H, bool last, const double *w)
{
    static const double weight[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
    const double *from = last ? b->d.z1 : b->z;
    double step = fmin(0.03, 0.1 * fabs(b->d.h)), sum = 0, moved[NZ], v[NZ], t[NP];
    for (int j = 0; j < 8; j++) {
        double s = (j % 2 ? -1 : 1) * step * (j / 2 + 1);
        for (size_t i = 0; i < NP; i++)
            t[i] = s * w[i];
        ph_space_turn(b->space, from, t, v);
        ph_space_exp(b->space, from, v, moved);
        sum += (j % 2 ? -1 : 1) * weight[j / 2] / step *
               discrete_lagrangian(b, H, last ? b->z : moved, last ? moved : b->d.z1);
    }
    return sum;
}

/* S (np) <- the momenta of an end by differences, in the fixed frame. Rounding errors are of the size of L_d
 * divided by the step of the differences. */
static void differenced_momentum(const bench *b, double H, bool last, double *S)
{
    const double *z = last ? b->d.z1 : b->z;
    for (size_t i = 0; i < NP; i++) {
        double w[NP] = {0};
        w[i] = 1;
        S[i] = (last ? 1 : -1) * slope(b, H, last, w);
    }
    for (size_t i = 0; i < FACTORS; i++) {
        const ph_factor_place *f = ph_space_factor(b->space, i);
        double own[3];
        if (f->kind != PH_FACTOR_SO3)
            continue;
        memcpy(own, S + f->p, sizeof own);
        for (size_t k = 0; k < 3; k++)
            S[f->p + k] = ph_dot3(z + f->z + 3 * k, own);
    }
}

/* The same from r = -E^T D_1 L_d. */
static void own_momentum(const bench *b, const double *r, double *S)
{
    memset(S, 0, NP * sizeof *S);
    for (const ph_part *f = b->parts; f < b->parts + FACTORS; f++)
        for (size_t a = 0; a < f->nx; a++) {
            const double *row = b->E + f->e + a * f->nz;
            if (f->kind == PH_FACTOR_SO3) /* r is in the body frame */
                for (size_t k = 0; k < 3; k++)
                    S[f->p + k] += b->z[f->z + 3 * k + a] * r[f->x + a];
            else if (f->kind == PH_FACTOR_R)
                S[f->p + a] = r[f->x + a];
            else
                ph_add_moment(f, b->z + f->z, row, r[f->x + a], S + f->p);
        }
}

TEST_EACH(momentum_is_the_derivative, RULES)
{
    tk_random random = {77 + (uint64_t)_i};
    for (int n = 0; n < TURNS; n++)
        for (int share = 0; share < 2; share++) {
            bench b;
            double r[NX], S[NP], dS[NP], expected[2][NP], s = share ? 1 : 0.6;
            if (turns[n] < 1e-6) /* differences of L_d resolve no momentum there */
                continue;
            set_up(&b, rules[_i].rule, turns[n], &random);
            place(&b, s, b.y);
            ph_discrete_momentum(&b.d, r);
            ph_discrete_turn(&b.d, dS);
            own_momentum(&b, r, S);
            differenced_momentum(&b, b.d.H, false, expected[0]);
            differenced_momentum(&b, b.d.H, true, expected[1]);
            for (size_t i = 0; i < NP; i++) {
                double tolerance = 1e-10 * (1 + ph_max_norm(expected[0], NP));
                ck_assert_msg(fabs(S[i] - expected[0][i]) <= tolerance,
                              "%s, turn %g: p[%zu] %.15g, not %.15g", rules[_i].name, turns[n], i, S[i],
                              expected[0][i]);
                ck_assert_msg(fabs(S[i] + dS[i] - expected[1][i]) <= tolerance,
                              "%s, turn %g: p+[%zu] %.15g, not %.15g", rules[_i].name, turns[n], i,
                              S[i] + dS[i], expected[1][i]);
            }
            ph_space_free(b.space);
        }
}

/* dr (nx) <- derivative of r along y_b, exact. */
static void exact_column(bench *b, const ph_part *own, size_t which, double *dr)
{
    double dat[2][9], dspeed[2][9], dLz[2][NZ], dLv[2][NZ], Lzz[NZ * NZ], Lvz[NZ * NZ], Lvv[NZ * NZ];
    ph_discrete_place_along(&b->d, own, which, (double *[2]){dat[0], dat[1]},
                            (double *[2]){dspeed[0], dspeed[1]});
    for (size_t e = 0; e < b->d.points; e++) {
        lg_hessian(&b->L, 0, b->d.at[e], b->d.speed[e], Lzz, Lvz, Lvv);
        for (size_t i = 0; i < NZ; i++) {
            dLz[e][i] = dLv[e][i] = 0;
            for (size_t k = 0; k < own->nz; k++) {
                size_t j = own->z + k;
                dLz[e][i] += Lzz[i * NZ + j] * dat[e][k] + Lvz[j * NZ + i] * dspeed[e][k];
                dLv[e][i] += Lvz[i * NZ + j] * dat[e][k] + Lvv[i * NZ + j] * dspeed[e][k];
            }
        }
    }
    for (const ph_part *f = b->parts; f < b->parts + FACTORS; f++)
        ph_discrete_momentum_along(&b->d, f, (double *[2]){dLz[0], dLz[1]}, (double *[2]){dLv[0], dLv[1]},
                                   own, which, dr + f->x);
}

TEST_EACH(derivative_is_exact, RULES)
{
    static const double weight[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
    tk_random random = {7 + (uint64_t)_i};
    for (int n = 0; n < TURNS; n++)
        for (int share = 0; share < 3; share++) {
            bench b;
            double s = 0.5 * share, step = 0.02 * fmin(turns[n], 1);
            set_up(&b, rules[_i].rule, turns[n], &random);
            for (const ph_part *own = b.parts; own < b.parts + FACTORS; own++)
                for (size_t which = 0; which < own->nx; which++) {
                    double exact[NX], expected[NX] = {0}, y[NX], r[NX];
                    place(&b, s, b.y);
                    ph_discrete_linearise(&b.d);
                    exact_column(&b, own, which, exact);
                    for (int j = 0; j < 8; j++) {
                        double side = j % 2 ? -1 : 1;
                        memcpy(y, b.y, sizeof y);
                        y[own->x + which] += side * step * (j / 2 + 1);
                        place(&b, s, y);
                        ph_discrete_momentum(&b.d, r);
                        for (size_t i = 0; i < NX; i++)
                            expected[i] += side * weight[j / 2] / step * r[i];
                    }
                    for (size_t i = 0; i < NX; i++)
                        ck_assert_msg(fabs(exact[i] - expected[i]) <= 2e-12 * ph_max_norm(expected, NX),
                                      "%s, turn %g, s = %g: dr[%zu]/dy[%zu] is %.15g, not %.15g",
                                      rules[_i].name, turns[n], s, i, own->x + which, exact[i], expected[i]);
                }
            ph_space_free(b.space);
        }
}

int main(void)
{
    return tk_run("discrete Lagrangians");
}
