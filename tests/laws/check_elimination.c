/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse elimination as methods use it (polhode/kit/elimination.h): against dense elimination, signs of pivots,
 * limits and what is refused. */
#include "tests/kit/testkit.h"

TK_DROP(ph_elimination, ph_elimination_free)

enum { MOST = 60, PAIRS = 200 };

/* A random pattern of n rows, a ring and some more; pairs listed twice, too. */
static size_t random_pattern(tk_random *r, size_t n, uint32_t *row, uint32_t *column)
{
    size_t pairs = 0;
    for (size_t k = 0; k < 2 * n && n > 1; k++) {
        const uint32_t i = (uint32_t)(k % n),
                       j = k < n ? (uint32_t)((k + 1) % n) : (uint32_t)(tk_uniform(r, 0, 1) * (double)n);
        row[pairs] = i;
        column[pairs] = j;
        pairs += i != j;
    }
    return pairs;
}

/* A unsymmetric with a diagonal that dominates: the same solution as by dense elimination, entries in both
 * triangles. */
TEST_EACH(same_solution, 20)
{
    static double A[MOST * MOST];
    const size_t n = 1 + (size_t)_i * 3;
    tk_random r = {31 + (uint64_t)_i};
    uint32_t row[PAIRS], column[PAIRS];
    double b[MOST], x[MOST];
    int pivot[MOST];
    const size_t pairs = random_pattern(&r, n, row, column);
    TK_MAKE(ph_elimination, el, ph_elimination_plan(n, pairs, row, column, 0, &el, NULL));
    TK_MEMORY double *F = calloc(ph_elimination_doubles(el), sizeof *F);
    memset(A, 0, sizeof A);
    for (size_t i = 0; i < n; i++) {
        A[i * n + i] = F[ph_elimination_place(el, i, i)] = tk_uniform(&r, 8, 12);
        b[i] = x[i] = tk_normal(&r);
    }
    for (size_t k = 0; k < pairs; k++) {
        const size_t i = row[k], j = column[k];
        A[i * n + j] = F[ph_elimination_place(el, i, j)] = tk_uniform(&r, -1, 1);
        A[j * n + i] = F[ph_elimination_place(el, j, i)] = tk_uniform(&r, -1, 1);
    }
    size_t negative = 9;
    tk_ok(ph_elimination_decompose(el, F, &negative));
    ck_assert_uint_eq(negative, 0);
    ph_elimination_solve(el, F, x);
    tk_ok(ph_lu_factor(n, A, pivot, NULL));
    ph_lu_solve(n, A, pivot, b);
    ck_assert_double_lt(tk_max_difference(x, b, n), 1e-15);
}

/* As many negative pivots as negative eigenvalues: of diag(1, -1, ...) with small entries beside. */
TEST(signs)
{
    const size_t n = 20;
    tk_random r = {77};
    uint32_t row[PAIRS], column[PAIRS];
    const size_t pairs = random_pattern(&r, n, row, column);
    for (size_t below = 0; below <= n; below++) {
        size_t negative = 99;
        TK_MAKE(ph_elimination, el, ph_elimination_plan(n, pairs, row, column, 0, &el, NULL));
        TK_MEMORY double *F = calloc(ph_elimination_doubles(el), sizeof *F);
        for (size_t i = 0; i < n; i++)
            F[ph_elimination_place(el, i, i)] = i < below ? -1 : 1;
        for (size_t k = 0; k < pairs; k++)
            F[ph_elimination_place(el, row[k], column[k])] = F[ph_elimination_place(el, column[k], row[k])] =
                0.05;
        tk_ok(ph_elimination_decompose(el, F, &negative));
        ck_assert_uint_eq(negative, below);
    }
}

TEST(refused)
{
    static const uint32_t row[] = {0, 1, 2}, column[] = {1, 2, 0}, beyond[] = {1, 3, 0}, same[] = {1, 1, 0};
    ph_elimination *el = NULL;
    ph_error err = {PH_OK, ""};
    ck_assert_int_eq(ph_elimination_plan(3, 3, row, beyond, 0, &el, &err), PH_E_RANGE);
    ck_assert_msg(strstr(err.message, "entry 1 of a sparse matrix is (1, 3)") != NULL, "%s", err.message);
    ck_assert_int_eq(ph_elimination_plan(3, 3, row, same, 0, &el, &err), PH_E_RANGE);
    ck_assert_int_eq(ph_elimination_plan(0, 0, row, column, 0, &el, &err), PH_E_RANGE);
    ck_assert_int_eq(ph_elimination_plan(3, 3, row, column, 2, &el, &err), PH_E_RANGE);
    ck_assert_msg(strstr(err.message, "more than the 2 entries") != NULL, "%s", err.message);
    ck_assert_ptr_null(el);
    tk_ok(ph_elimination_plan(3, 3, row, column, 3, &el, &err));
    TK_MEMORY double *F = calloc(ph_elimination_doubles(el), sizeof *F);
    ck_assert_int_eq(ph_elimination_decompose(el, F, NULL), PH_E_SINGULAR);
    ph_elimination_free(el);
    ph_elimination_free(NULL);
}

int main(void)
{
    return tk_run("sparse elimination");
}
