/* SPDX-License-Identifier: BSD-3-Clause */
/* Random smooth Lagrangian systems: see constrained.h. */
#include "constrained.h"

/* ---- The parts of the Lagrangians --------------------------------------------------------------------- */

mult_number cs_potential(const cs_system *s, const mult_number *x)
{
    mult_number sum = cexp(mult_along(s->n, s->l, x) / 2) + csin(mult_along(s->n, s->b, x));
    for (size_t i = 0; i < s->n; i++)
        sum += x[i] * mult_along(s->n, s->S + i * s->n, x) / 2;
    return sum;
}

void cs_potential_gradient(const cs_system *s, const mult_number *x, mult_number *dU)
{
    mult_number rise = cexp(mult_along(s->n, s->l, x) / 2) / 2, wave = ccos(mult_along(s->n, s->b, x));
    for (size_t i = 0; i < s->n; i++)
        dU[i] = rise * s->l[i] + wave * s->b[i] + mult_along(s->n, s->S + i * s->n, x);
}

void cs_inertia(const cs_system *s, const mult_number *q, mult_number *M)
{
    for (size_t i = 0; i < s->spheres; i++)
        for (size_t j = 0; j < s->spheres; j++)
            M[i * s->spheres + j] = s->c[i][j] + csin(mult_along(s->n, s->kij[i][j], q)) / 8;
}

void cs_inertia_gradient(const cs_system *s, const mult_number *q, mult_number *dM)
{
    for (size_t i = 0; i < s->spheres; i++)
        for (size_t j = 0; j < s->spheres; j++) {
            mult_number slope = ccos(mult_along(s->n, s->kij[i][j], q)) / 8;
            for (size_t a = 0; a < s->n; a++)
                dM[(i * s->spheres + j) * s->n + a] = slope * s->kij[i][j][a];
        }
}

/* MM = 2 I + (1 + sin(k.x)/2) W^T W */
void cs_ambient_inertia(const cs_system *s, const mult_number *x, mult_number *MM)
{
    mult_number factor = 1 + csin(mult_along(s->n, s->k, x)) / 2;
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->n; j++) {
            double square = 0;
            for (size_t l = 0; l < s->n; l++)
                square += s->W[l * s->n + i] * s->W[l * s->n + j];
            MM[i * s->n + j] = (i == j ? 2 : 0) + factor * square;
        }
}

void cs_ambient_inertia_gradient(const cs_system *s, const mult_number *x, mult_number *dMM)
{
    mult_number slope = ccos(mult_along(s->n, s->k, x)) / 2;
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->n; j++) {
            double square = 0;
            for (size_t l = 0; l < s->n; l++)
                square += s->W[l * s->n + i] * s->W[l * s->n + j];
            for (size_t a = 0; a < s->n; a++)
                dMM[(i * s->n + j) * s->n + a] = slope * s->k[a] * square;
        }
}

/* ---- Lagrangians ----------------------------------------------------------------------------------- */

static mult_number general(const void *self, const mult_number *x, const mult_number *v)
{
    const cs_system *s = self;
    mult_number phase = mult_along(s->n, s->k, x), push = mult_along(s->n, s->l, v), square = 0, bulk = 0;
    for (size_t i = 0; i < s->n; i++) {
        mult_number w = mult_along(s->n, s->W + i * s->n, v);
        square += w * w;
        bulk += v[i] * v[i];
    }
    mult_number rest =
        s->kind == CS_AMBIENT ? 0 : push * push * push * push / 40 + mult_along(s->n, s->b, v) * ccos(phase);
    return bulk + (1 + csin(phase) / 2) * square / 2 + rest - cs_potential(s, x);
}

static void general_gradient(const void *self, const mult_number *x, const mult_number *v, mult_number *Lx,
                             mult_number *Lv)
{
    const cs_system *s = self;
    size_t n = s->n;
    double rest = s->kind == CS_AMBIENT ? 0 : 1;
    mult_number phase = mult_along(n, s->k, x), push = mult_along(n, s->l, v), square = 0, dU[CS_N];
    for (size_t i = 0; i < n; i++)
        Lv[i] = 2 * v[i] + rest * (push * push * push / 10 * s->l[i] + s->b[i] * ccos(phase));
    for (size_t j = 0; j < n; j++) {
        mult_number w = mult_along(n, s->W + j * n, v);
        square += w * w;
        for (size_t i = 0; i < n; i++)
            Lv[i] += (1 + csin(phase) / 2) * s->W[j * n + i] * w;
    }
    cs_potential_gradient(s, x, dU);
    for (size_t i = 0; i < n; i++)
        Lx[i] = s->k[i] * (ccos(phase) * square / 4 - rest * mult_along(n, s->b, v) * csin(phase)) - dU[i];
}

static mult_number quadratic(const void *self, const mult_number *q, const mult_number *v)
{
    const cs_system *s = self;
    mult_number M[CS_SPHERES_MOST * CS_SPHERES_MOST], sum = 0;
    cs_inertia(s, q, M);
    for (size_t i = 0; i < s->spheres; i++)
        for (size_t j = 0; j < s->spheres; j++)
            sum += M[i * s->spheres + j] * mult_dot(3, v + 3 * i, v + 3 * j) / 2;
    return sum - cs_potential(s, q);
}

static void quadratic_gradient(const void *self, const mult_number *q, const mult_number *v, mult_number *Lx,
                               mult_number *Lv)
{
    const cs_system *s = self;
    mult_number M[CS_SPHERES_MOST * CS_SPHERES_MOST], dM[CS_SPHERES_MOST * CS_SPHERES_MOST * CS_N];
    cs_inertia(s, q, M);
    cs_inertia_gradient(s, q, dM);
    cs_potential_gradient(s, q, Lx);
    for (size_t a = 0; a < s->n; a++) {
        Lx[a] = -Lx[a];
        Lv[a] = 0;
    }
    for (size_t i = 0; i < s->spheres; i++)
        for (size_t j = 0; j < s->spheres; j++) {
            mult_number product = mult_dot(3, v + 3 * i, v + 3 * j) / 2;
            for (size_t k = 0; k < 3; k++)
                Lv[3 * i + k] += M[i * s->spheres + j] * v[3 * j + k];
            for (size_t a = 0; a < s->n; a++)
                Lx[a] += product * dM[(i * s->spheres + j) * s->n + a];
        }
}

static void force(const void *self, double t, const double *x, const double *v, double *f)
{
    const cs_system *s = self;
    for (size_t a = 0; a < s->n && s->forced; a++)
        for (size_t b = 0; b < s->n; b++)
            f[a] += s->F[a * s->n + b] * sin(x[b] + t) + s->G[a * s->n + b] * v[b];
}

/* ---- Sets --------------------------------------------------------------------------------------------- */

/* Columns whose products make R^T R = I: six independent equations. */
static const size_t pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

void cs_rotation_constraints(const mult_number *R, mult_number *g)
{
    for (size_t c = 0; c < 6; c++) {
        g[c] = c < 3 ? -1 : 0;
        for (size_t i = 0; i < 3; i++)
            g[c] += R[3 * i + pairs[c][0]] * R[3 * i + pairs[c][1]];
    }
}

void cs_rotation_jacobian(const mult_number *R, size_t row, mult_number *A)
{
    for (size_t c = 0; c < 6; c++)
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < 3; j++)
                A[row * c + 3 * i + j] = (j == pairs[c][0] ? R[3 * i + pairs[c][1]] : 0) +
                                         (j == pairs[c][1] ? R[3 * i + pairs[c][0]] : 0);
}

static void constraints(const void *self, const mult_number *x, mult_number *g)
{
    const cs_system *s = self;
    switch (s->set) {
    case CS_CIRCLE:
        g[0] = mult_dot(2, x, x) - 1;
        break;
    case CS_SPHERES:
        for (size_t i = 0; i < s->spheres; i++)
            g[i] = mult_dot(3, x + 3 * i, x + 3 * i) - 1;
        break;
    case CS_SURFACE:
        g[0] = x[0] * x[0] / 4 + x[1] * x[1] + 2 * x[2] * x[2] + csin(x[0] * x[1]) / 3 - 1;
        break;
    case CS_CODIM2:
        g[0] = mult_dot(5, x, x) - 2;
        g[1] = x[0] * x[1] + x[2] * x[2] * x[2] - x[3] * x[4];
        break;
    case CS_SUBSPACE:
        g[0] = mult_along(5, s->A, x);
        g[1] = mult_along(5, s->A + 5, x);
        break;
    case CS_ROTATIONS:
        cs_rotation_constraints(x, g);
        break;
    case CS_PRODUCT:
        g[0] = mult_dot(2, x + 1, x + 1) - 1;
        g[1] = mult_dot(3, x + 3, x + 3) - 1;
        cs_rotation_constraints(x + 6, g + 2);
    }
}

static void jacobian(const void *self, const mult_number *x, mult_number *A)
{
    const cs_system *s = self;
    static const size_t rows[] = {1, 0, 1, 2, 2, 6, 8};
    size_t n = s->n, m = s->set == CS_SPHERES ? s->spheres : rows[s->set];
    for (size_t i = 0; i < m * n; i++)
        A[i] = 0;
    switch (s->set) {
    case CS_CIRCLE:
    case CS_SPHERES:
        for (size_t i = 0; i < n; i++)
            A[(s->set == CS_SPHERES ? i / 3 : 0) * n + i] = 2 * x[i];
        break;
    case CS_SURFACE:
        A[0] = x[0] / 2 + ccos(x[0] * x[1]) * x[1] / 3;
        A[1] = 2 * x[1] + ccos(x[0] * x[1]) * x[0] / 3;
        A[2] = 4 * x[2];
        break;
    case CS_CODIM2:
        for (size_t i = 0; i < 5; i++)
            A[i] = 2 * x[i];
        A[5] = x[1];
        A[6] = x[0];
        A[7] = 3 * x[2] * x[2];
        A[8] = -x[4];
        A[9] = -x[3];
        break;
    case CS_SUBSPACE:
        mult_complex(10, s->A, A);
        break;
    case CS_ROTATIONS:
        cs_rotation_jacobian(x, 9, A);
        break;
    case CS_PRODUCT:
        for (size_t i = 1; i < 6; i++)
            A[(i < 3 ? 0 : 1) * n + i] = 2 * x[i];
        cs_rotation_jacobian(x + 6, n, A + 2 * n + 6);
    }
}

/* ---- Random systems ----------------------------------------------------------------------------------- */

void cs_numbers(tk_random *r, double most, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = tk_uniform(r, -most, most);
}

mult_system cs_random(cs_system *own, cs_set set, size_t spheres, cs_kind kind, tk_random *r)
{
    static const size_t ambient[] = {2, 0, 3, 5, 5, 9, 15}, equations[] = {1, 0, 1, 2, 2, 6, 8};
    size_t n = set == CS_SPHERES ? 3 * spheres : ambient[set];
    ck_assert(n <= CS_N && (kind != CS_QUADRATIC || set == CS_SPHERES));
    *own = (cs_system){.set = set, .kind = kind, .spheres = spheres, .n = n, .forced = true};
    cs_numbers(r, 0.5, n * n, own->W);
    cs_numbers(r, 1, n, own->k);
    cs_numbers(r, 1, n, own->l);
    cs_numbers(r, 1, n, own->b);
    cs_numbers(r, 0.5, n * n, own->S);
    cs_numbers(r, 1, n * n, own->F);
    cs_numbers(r, 0.5, n * n, own->G);
    cs_numbers(r, 1, 10, own->A);
    for (size_t i = 0; i < n; i++) /* U is written with a symmetric S */
        for (size_t j = 0; j < i; j++)
            own->S[i * n + j] = own->S[j * n + i];
    for (size_t i = 0; i < CS_SPHERES_MOST; i++)
        for (size_t j = 0; j <= i;
             j++) { /* 1.05 everywhere and 1.45 I, changed by 0.275 at most: four spheres leave 0.5 */
            own->c[i][j] = own->c[j][i] = i == j ? 2.5 + 0.3 * (double)i : tk_uniform(r, 0.9, 1.2);
            cs_numbers(r, 1.5, n, own->kij[i][j]);
            memcpy(own->kij[j][i], own->kij[i][j], n * sizeof(double));
        }
    return (mult_system){.n = n,
                         .m = set == CS_SPHERES ? spheres : equations[set],
                         .self = own,
                         .lagrangian = kind == CS_QUADRATIC ? quadratic : general,
                         .gradient = kind == CS_QUADRATIC ? quadratic_gradient : general_gradient,
                         .constraints = constraints,
                         .jacobian = jacobian,
                         .force = force};
}

void cs_point(const mult_system *s, tk_random *r, double *x, double *v)
{
    const cs_system *own = s->self;
    for (size_t i = 0; i < s->n; i++) {
        x[i] = tk_normal(r);
        v[i] = tk_normal(r);
    }
    if (own->set == CS_SPHERES) /* uniform there, however close to 0 the random numbers were */
        for (size_t i = 0; i < own->spheres; i++)
            tk_unit(r, x + 3 * i);
    if (own->set == CS_PRODUCT) {
        double angle = tk_uniform(r, -3, 3);
        x[1] = cos(angle);
        x[2] = sin(angle);
        tk_unit(r, x + 3);
    }
    if (own->set == CS_ROTATIONS || own->set == CS_PRODUCT) {
        double turn[3] = {tk_normal(r), tk_normal(r), tk_normal(r)};
        ph_exp3(turn, x + (own->set == CS_PRODUCT ? 6 : 0));
    }
    mult_admit(s, x, v);
    for (size_t i = 0; own->set == CS_SPHERES && i < own->spheres; i++) { /* none of them slow */
        double faster = tk_uniform(r, 1, 2) / ph_norm3(v + 3 * i);
        for (size_t k = 0; k < 3; k++)
            v[3 * i + k] *= faster;
    }
}
