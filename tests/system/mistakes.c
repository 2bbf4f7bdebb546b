/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes in derivatives: see mistakes.h. */
#include "mistakes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* What the report must say of each. */
static const char *const words[MISTAKES] = {
    [RIGHT] = "",
    [SIGN] = "the sign of all entries is wrong",
    [SIGN_OF_ONE] = "the sign of this entry is wrong",
    [FACTOR] = "a factor: all entries should be divided by 0.5",
    [MISSING] = "missing: 0 is given in all entries",
    [MISSING_ONE] = "missing: 0 is given in this entry",
    [TRANSPOSED] = "transposed",
    [SWAPPED] = "an index: it is swapped with",
    [SHIFTED] = "shifted: what belongs to the next row stands in each",
};

void spoil(mistake how, size_t rows, size_t columns, size_t at, double *a)
{
    size_t n = rows * columns;
    double kept[6 * 36];
    ck_assert_uint_le(n, sizeof kept / sizeof kept[0]);
    memcpy(kept, a, n * sizeof *a);
    for (size_t i = 0; i < n; i++)
        a[i] *= how == SIGN ? -1 : how == FACTOR ? 0.5 : how == MISSING ? 0 : 1;
    if (how == SIGN_OF_ONE)
        a[at] = -a[at];
    if (how == MISSING_ONE)
        a[at] = 0;
    for (size_t i = 0; i < n && how == TRANSPOSED; i++)
        a[i % columns * rows + i / columns] = kept[i];
    if (how == SWAPPED) {
        a[at] = kept[at + 1];
        a[at + 1] = kept[at];
    }
    for (size_t i = 0; i + columns < n && how == SHIFTED; i++)
        a[i] = kept[i + columns];
}

const ph_derivative_entry *judge_report(const ph_derivative_report *r, const faults *f)
{
    const ph_derivative_entry *found = NULL;
    for (size_t i = 0; i < r->n; i++) {
        const ph_derivative_entry *e = &r->entry[i];
        ck_assert_ptr_eq(ph_derivative_report_entry(r, e->what), e);
        if (e->what == f->of && f->how) {
            ck_assert_msg(e->error > 1e-3, "%s: %g", e->name, e->error);
            ck_assert_msg(strncmp(e->mistake, words[f->how], strlen(words[f->how])) == 0,
                          "%s: \"%s\" is not \"%s\"", e->name, e->mistake, words[f->how]);
            found = e;
        } else {
            ck_assert_msg(e->error <= 1e-9, "%s: off by %g, though it is right", e->name, e->error);
            ck_assert_str_eq(e->mistake, "");
        }
    }
    ck_assert_int_eq(found != NULL, f->how != RIGHT);
    return found;
}

int mistake_without_transpose(int i)
{
    return i < TRANSPOSED ? i : i + 1;
}

double K_(size_t i, size_t j)
{
    return i == j ? 2 + 0.3 * (double)i : 0.1 * cos((double)(i * j + i + j));
}

double G_(size_t i, size_t j)
{
    return sin((double)(1 + i + 7 * j));
}

void apply_matrix(matrix_fn *A, int of, const double *x, double *y)
{
    for (size_t i = 0; i < NZ; i++) {
        y[i] = 0;
        for (size_t j = 0; j < NZ; j++)
            y[i] += (of ? A(j, i) : A(i, j)) * x[j];
    }
}

double apply_form(matrix_fn *A, const double *x, const double *y)
{
    double Ay[NZ], sum = 0;
    apply_matrix(A, 0, y, Ay);
    for (size_t i = 0; i < NZ; i++)
        sum += x[i] * Ay[i];
    return sum;
}

ph_system *create_faulty(ph_system_definition *d, faults *f)
{
    static const ph_factor factors[] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_R, .d = 3}};
    d->user = f;
    return tk_system(*d, factors, 2);
}

ph_derivative_report report_of(ph_system_definition *d, faults *f)
{
    ph_derivative_report r;
    TK_OWN(ph_system) *system = create_faulty(d, f);
    f->now = true;
    tk_ok(ph_system_check_derivatives(system, 0, z0, v0, &r, NULL));
    return r;
}
