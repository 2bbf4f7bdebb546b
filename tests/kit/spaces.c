/* SPDX-License-Identifier: BSD-3-Clause */
/* The spaces of the law suite and their samples: see spaces.h. */
#include "spaces.h"

static const long double pi = 3.14159265358979323846264338327950288L;

static const space_row table[] = {
    {"R^1", 1, {R(1)}},
    {"R^3", 1, {R(3)}},
    {"S^2", 1, {S2}},
    {"S^2 x S^2", 2, {S2, S2}},
    {"R^3 x S^2", 2, {R(3), S2}},
    {"S^2 x R^1", 2, {S2, R(1)}},
    {"R^2 x S^2 x R^1 x S^2", 4, {R(2), S2, R(1), S2}},
    {"(S^2)^5 x R^7 x S^2", 7, {S2, S2, S2, S2, S2, R(7), S2}},
    {"S^1", 1, {S1}},
    {"SO(3)", 1, {SO3}},
    {"SO(3) x S^1", 2, {SO3, S1}},
    {"R^2 x S^1 x S^2 x SO(3) x R^1 x SO(3)", 6, {R(2), S1, S2, SO3, R(1), SO3}},
};

const space_row *space_at(int i)
{
    return &table[i];
}

int spaces(void)
{
    return (int)(sizeof table / sizeof *table);
}

ph_space *make_space(int i)
{
    ph_space *space = NULL;
    ph_error err;
    ck_assert_msg(!ph_space_create(table[i].factors, table[i].n, &space, &err), "%s", err.message);
    return space;
}

/* Angles [rad], from both ends and in between, with both sides of the switch of the series at 1. */
enum { ANGLES = 42 };
static double angle_at(int k)
{
    if (k < 17)
        return pow(10, k - 16);
    if (k < 29)
        return (double)(pi - powl(10, k - 28)); /* pi - 1e-11 ... pi - 1 */
    if (k < 39)
        return 0.3 * (k - 28);
    return k == 39 ? (double)(pi - 1e-12L) : k == 40 ? nextafter(1, 0) : nextafter(1, 2);
}

bool curved(const ph_factor_place *f)
{
    return f->kind != PH_FACTOR_R;
}

void random_point(const ph_space *space, tk_random *r, double *z)
{
    for (size_t i = 0; i < ph_space_ambient(space); i++)
        z[i] = tk_normal(r);
    tk_ok(ph_space_project(space, z));
}

double size_of(const ph_factor_place *f, const double *v)
{
    double square = 0;
    for (size_t i = 0; i < f->nz; i++)
        square += v[f->z + i] * v[f->z + i];
    return sqrt(f->kind == PH_FACTOR_SO3 ? square / 2 : square);
}

void random_tangent(const ph_space *space, tk_random *r, const double *z, double length, double *v)
{
    for (size_t i = 0; i < ph_space_ambient(space); i++)
        v[i] = tk_normal(r);
    ph_space_project_tangent(space, z, v);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        double scale = length / size_of(f, v);
        for (size_t k = 0; k < f->nz; k++)
            v[f->z + k] *= scale;
    }
}

/* R exp(S(w)), w = vee(R^T u), by Rodrigues' formula. */
static void long_turn(const double *R, const long double *u, long double *R1)
{
    long double w[3] = {0}, X[3][3], t2, t, a, b;
    for (int m = 0; m < 3; m++)
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            w[i] += (R[3 * m + k] * u[3 * m + j] - R[3 * m + j] * u[3 * m + k]) / 2;
        }
    t2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    t = sqrtl(t2);
    a = t > 0 ? sinl(t) / t : 1;
    b = t > 0 ? 2 * powl(sinl(t / 2), 2) / t2 : 0.5L;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        X[i][i] = b * (w[i] * w[i] - t2);
        X[i][j] = b * w[i] * w[j] - a * w[k];
        X[j][i] = b * w[i] * w[j] + a * w[k];
    }
    for (int m = 0; m < 3; m++)
        for (int i = 0; i < 3; i++) {
            R1[3 * m + i] = R[3 * m + i];
            for (int k = 0; k < 3; k++)
                R1[3 * m + i] += R[3 * m + k] * X[k][i];
        }
}

void long_exp(const ph_factor_place *f, const sample *s, long double t, long double *z1)
{
    long double u[MOST_Z], square = 0, c = 1, a = 1;
    for (size_t k = 0; k < f->nz; k++) {
        u[k] = s->v[f->z + k] + t * s->dv[f->z + k];
        square += u[k] * u[k];
    }
    if (f->kind == PH_FACTOR_SO3) {
        long_turn(s->z + f->z, u, z1);
        return;
    }
    if (curved(f)) {
        long double size = sqrtl(square);
        c = cosl(size);
        a = size > 0 ? sinl(size) / size : 1;
    }
    for (size_t k = 0; k < f->nz; k++)
        z1[k] = c * s->z[f->z + k] + a * u[k];
}

void each_sample(int space_index, law *check)
{
    TK_OWN(ph_space) *space = make_space(space_index);
    tk_random r = {1000 + (uint64_t)space_index};
    const int trials = tk_short() ? 5 : 100;
    for (int k = 0; k < ANGLES; k++)
        for (int trial = 0; trial < trials; trial++) {
            sample s = {.space = space,
                        .name = table[space_index].name,
                        .nz = ph_space_ambient(space),
                        .angle = angle_at(k)};
            random_point(space, &r, s.z);
            random_tangent(space, &r, s.z, s.angle, s.v);
            random_tangent(space, &r, s.z, 1, s.dv);
            check(&s, &r);
        }
}

double reach(const sample *s)
{
    double most = 1;
    for (size_t i = 0; i < s->nz; i++)
        most = fmax(most, fabs(s->z[i]) + s->angle);
    return most;
}
