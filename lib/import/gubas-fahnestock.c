/* SPDX-License-Identifier: BSD-3-Clause */
/* Fahnestock's pair of files, in m, kg and s, all numbers in one line: the system (densities, volumes,
 * inertia tensors, masses, reduced mass, angular velocities, G, and more that is not used), and the state (r,
 * p = m v, angular momenta of A and B in A, the matrix from B to A by rows, that from A to N by columns).
 * Source: GUBAS's benchmark_funcs.py. */
#include "gubas.h"

#include <polhode/kit/text.h>
#include <polhode/kit/vector.h>

#include <string.h>

/* Positions in the first file; it has more numbers than are used. */
enum {
    DENSITY = 0,
    INERTIA_A = 4,
    INERTIA_B = 13,
    REDUCED_MASS = 24,
    CONSTANT = 31,
    SYSTEM = 32,
    STATE = 30,
    MOST = 64
};

/* values <- the numbers of the file, at least `least` of them. */
static ph_status read_numbers(const char *path, size_t least, double values[MOST], ph_error *err)
{
    ph_lines l;
    size_t n = 0;
    ph_status status = ph_lines_open(&l, path, err);
    if (status)
        return status;
    while (!status && ph_lines_next(&l)) {
        char *rest = l.line;
        for (const char *word; !status && (word = ph_next_word(&rest, ","));) {
            if (n == MOST)
                status = ph_lines_fail(&l, err, "there are more than 64 numbers", word);
            else if (ph_parse_number(word, &values[n]))
                status = ph_lines_fail(&l, err, "this is not a number", word);
            n += !status;
        }
    }
    ph_lines_close(&l);
    if (!status && n < least)
        status = ph_fail(err, PH_E_PARSE, "%s has %zu numbers; it needs at least %zu", path, n, least);
    return status;
}

/* x <- J^-1 L of a symmetric tensor (9). */
static ph_status divide(const char *path, const double J[9], const double L[3], double x[3], ph_error *err)
{
    double rows[9];
    for (int i = 0; i < 3; i++)
        ph_cross3(J + (3 * i + 3) % 9, J + (3 * i + 6) % 9, rows + 3 * i);
    const double det = ph_dot3(J, rows);
    if (!(det > 0))
        return ph_fail(err, PH_E_RANGE, "%s: an inertia tensor has the determinant %g; it must be positive",
                       path, det);
    ph_apply_transposed3(rows, L, x);
    for (int k = 0; k < 3; k++)
        x[k] /= det;
    return PH_OK;
}

ph_status ph_gubas_read_fahnestock(ph_gubas_case *of, ph_error *err)
{
    char system[2048], state[2048];
    double s[MOST], x[MOST], turned[3], omega[3];
    ph_status status = ph_gubas_beside(of, "systemdata_standard_MKS_units", system, sizeof system, err);
    if (!status)
        status = ph_gubas_beside(of, "initstate_standard_MKS_units", state, sizeof state, err);
    if (!status)
        status = read_numbers(system, SYSTEM, s, err);
    if (!status)
        status = read_numbers(state, STATE, x, err);
    if (!status && !(s[REDUCED_MASS] > 0))
        status = ph_fail(err, PH_E_RANGE, "%s: the reduced mass, number 25, is %g kg; it must be positive",
                         system, s[REDUCED_MASS]);
    if (!status)
        status = divide(system, s + INERTIA_A, x + 6, of->state.omega_a, err);
    if (status)
        return status;
    memcpy(of->state.C, x + 12, sizeof of->state.C);
    ph_apply_transposed3(of->state.C, x + 9, turned);
    if ((status = divide(system, s + INERTIA_B, turned, omega, err)))
        return status;
    ph_apply3(of->state.C, omega, of->state.omega_b);
    for (size_t k = 0; k < 3; k++) {
        of->state.r[k] = x[k];
        of->state.v[k] = x[3 + k] / s[REDUCED_MASS];
    }
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++)
            of->state.Cc[3 * i + k] = x[21 + 3 * k + i];
    of->G = s[CONSTANT];
    of->body[0].density = s[DENSITY];
    of->body[1].density = s[DENSITY + 1];
    return PH_OK;
}
