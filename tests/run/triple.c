/* SPDX-License-Identifier: BSD-3-Clause */
/* Two or three bodies under mutual gravity, and their columns. */
#include "triple.h"
#include "tests/kit/binaries.h"

static ph_system *build(const ph_mass *mass, size_t n, const bool *turning, bool relative, size_t order)
{
    const ph_gravitation_definition d = {
        .bodies = n, .mass = mass, .turning = turning, .order = order, .G = G, .relative = relative};
    ph_system *system;
    ph_gravitation *g = tk_gravitation(d);
    tk_ok(ph_gravitation_build(g, &system, tk_err));
    return system;
}

void triple_begin(triple *x, size_t n, bool relative)
{
    static const double first[3] = {400, 350, 280}, second[3] = {120, 90, 70}, nowhere[3] = {0, 0, 0},
                        turn[3] = {0.4, -1.1, 0.7};
    static const bool turning[BODIES] = {true, true, false};
    ph_mass principal;
    memset(x, 0, sizeof *x);
    tk_ok(ph_mass_ellipsoid(3.5e11, first, &x->mass[0], NULL));
    tk_ok(ph_mass_ellipsoid(2e10, second, &principal, NULL));
    ph_exp3(turn, x->R);
    ph_mass_add(&principal, nowhere, x->R, &x->mass[1]);
    tk_ok(ph_mass_sphere(5e9, 60, &x->mass[2], NULL));
    x->system = build(x->mass, n, turning, relative, 2);
    const size_t places = relative ? 1 : n;
    x->state = (ph_state){.z = x->z, .p = x->p, .nz = 3 * places + 18, .np = 3 * places + 6};
}

void triple_end(triple *x)
{
    ph_columns_free(x->columns);
    ph_system_free(x->system);
}

ph_status triple_choose(triple *x, const char *const *words, size_t n, ph_error *err)
{
    ph_columns_free(x->columns);
    x->columns = NULL;
    return ph_columns_create(x->system, words, n, &x->columns, err);
}

const double *triple_see(triple *x, const char *word)
{
    const ph_row row = {.state = &x->state};
    tk_ok(triple_choose(x, &word, 1, tk_err));
    ph_columns_values(x->columns, &row, 0, ph_columns_count(x->columns), x->values);
    return x->values;
}

const char *triple_heading(const triple *x, size_t i, bool unit)
{
    static char whole[2 * PH_COLUMN_NAME];
    char room[PH_COLUMN_NAME];
    snprintf(whole, sizeof whole, unit ? "%s[%s]" : "%s", ph_columns_name(x->columns, i, room),
             ph_columns_unit(x->columns, i));
    return whole;
}
