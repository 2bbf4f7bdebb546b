/* SPDX-License-Identifier: BSD-3-Clause */
/* Dipoles on arrays of any size and shape: energy and field against their definition in long double, the same
 * from both sides of a pair to the last bit, and the same bits from vectors of two as from the library's,
 * which are of four where the processor has them. White box: the model's source is part of this program. */
#ifndef PH_PLAIN_KERNELS
#define PH_PLAIN_KERNELS
#endif
#define ph_model_dipole_array narrow_dipole_array
#include "lib/models/dipole-array.c"
#undef ph_model_dipole_array

#include "tests/kit/testkit.h"

enum { MOST = 100 };
static const double eps = DBL_EPSILON;

/* Single lines, whole and ragged rectangles that are wider or higher, stretches that are just full. */
static const struct {
    size_t n, columns;
} shapes[] = {{1, 0},  {2, 0},  {2, 1},  {5, 1},  {7, 0},    {8, 0},   {9, 0},   {16, 4},  {17, 4},
              {15, 4}, {24, 8}, {23, 8}, {25, 8}, {50, 3},   {49, 3},  {50, 7},  {100, 0}, {100, 1},
              {99, 9}, {64, 8}, {65, 8}, {63, 8}, {100, 90}, {40, 20}, {41, 20}, {12, 5},  {13, 5}};

typedef struct array_case {
    size_t n, row;
    double spacing, coupling;
    ph_system *wide, *narrow;
    double z[3 * MOST];
} array_case;

static void start(array_case *c, int i)
{
    tk_random r = {300 + (uint64_t)i};
    const double n = (double)shapes[i].n, columns = (double)shapes[i].columns;
    *c = (array_case){.n = shapes[i].n, .row = shapes[i].columns ? shapes[i].columns : shapes[i].n};
    c->spacing = tk_uniform(&r, 0.5, 2);
    c->coupling = tk_uniform(&r, 0.1, 3);
    const ph_parameter_value v[] = {{"dipoles", &n, 1},
                                    {"columns", &columns, 1},
                                    {"spacing", &c->spacing, 1},
                                    {"coupling", &c->coupling, 1}};
    c->wide = tk_build("dipole-array", v, 4);
    tk_ok(ph_model_build(&narrow_dipole_array, v, 4, &c->narrow, NULL));
    for (size_t k = 0; k < c->n; k++)
        tk_unit(&r, c->z + 3 * k);
}

static void end(array_case *c)
{
    ph_system_free(c->wide);
    ph_system_free(c->narrow);
}

/* The definition: *U and dU in long double, and the sums of the sizes of their terms. */
static long double define(const array_case *c, long double *dU, long double *size, long double *all)
{
    long double U = 0;
    *all = 0;
    for (size_t i = 0; i < c->n; i++) {
        const double *q = c->z + 3 * i;
        size[i] = 0;
        for (size_t a = 0; a < 3; a++)
            dU[3 * i + a] = 0;
        for (size_t j = 0; j < c->n; j++) {
            if (j == i)
                continue;
            const double *o = c->z + 3 * j;
            long double d[3] = {c->spacing * ((double)(i % c->row) - (double)(j % c->row)),
                                c->spacing * ((double)(i / c->row) - (double)(j / c->row)), 0};
            long double r2 = d[0] * d[0] + d[1] * d[1], r3 = r2 * sqrtl(r2), dot = 0, along = 0, both = 0;
            for (size_t a = 0; a < 3; a++) {
                along += o[a] * d[a];
                dot += q[a] * d[a];
                both += (long double)q[a] * o[a];
            }
            for (size_t a = 0; a < 3; a++)
                dU[3 * i + a] += c->coupling / r3 * (o[a] - 3 * along * d[a] / r2);
            U += c->coupling / r3 * (both - 3 * dot * along / r2) / 2;
            size[i] += 4 * c->coupling / r3;
        }
        *all += size[i];
    }
    return U;
}

TEST_EACH(field_is_as_defined, sizeof shapes / sizeof *shapes)
{
    array_case c;
    long double exact[3 * MOST], size[MOST], all, V;
    double dU[3 * MOST], U, worst = 0;
    start(&c, _i);
    V = define(&c, exact, size, &all);
    tk_ok(ph_system_gradient(c.wide, c.z, dU));
    tk_ok(ph_system_potential(c.wide, c.z, &U));
    for (size_t k = 0; k < 3 * c.n && c.n > 1; k++)
        worst = tk_max(worst, (double)(fabsl(dU[k] - exact[k]) / size[k / 3]));
    if (c.n == 1)
        ck_assert(U == 0 && dU[0] == 0 && dU[1] == 0 && dU[2] == 0);
    else
        worst = tk_max(worst, (double)(fabsl(U - V) / all));
    printf("%zu dipoles, %zu in a row: off by %.1e\n", c.n, c.row, worst);
    ck_assert_double_le(worst, 4 * eps);
    end(&c);
}

TEST_EACH(width_changes_no_bit, sizeof shapes / sizeof *shapes)
{
    array_case c;
    double dU[3 * MOST], narrow[3 * MOST], U, V;
    start(&c, _i);
    tk_ok(ph_system_gradient(c.wide, c.z, dU));
    tk_ok(ph_system_gradient(c.narrow, c.z, narrow));
    tk_ok(ph_system_potential(c.wide, c.z, &U));
    tk_ok(ph_system_potential(c.narrow, c.z, &V));
    ck_assert_int_eq(memcmp(dU, narrow, 3 * c.n * sizeof *dU), 0);
    ck_assert_int_eq(memcmp(&U, &V, sizeof U), 0);
    end(&c);
}

/* Row a of what dipole j makes of dipole i is column a of what i makes of j. */
TEST_EACH(action_is_reaction, sizeof shapes / sizeof *shapes)
{
    array_case c;
    double z[3 * MOST] = {0}, *columns;
    start(&c, _i);
    const size_t nz = 3 * c.n;
    columns = malloc(nz * nz * sizeof *columns); /* the field of each axis of each dipole */
    ck_assert_ptr_nonnull(columns);
    for (size_t k = 0; k < nz; k++) {
        z[k] = 1;
        tk_ok(ph_system_gradient(c.wide, z, columns + k * nz));
        z[k] = 0;
        ck_assert(columns[k * nz + k] == 0);
    }
    for (size_t k = 0; k < nz; k++)
        for (size_t l = 0; l < k; l++) {
            ck_assert(columns[k * nz + l] == columns[l * nz + k]);
            ck_assert(k / 3 == l / 3 || k % 3 != l % 3 || columns[k * nz + l] != 0);
        }
    free(columns);
    end(&c);
}

int main(void)
{
    return tk_run("dipoles");
}
