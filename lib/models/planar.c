/* SPDX-License-Identifier: BSD-3-Clause */
/* The physics of a chain in a plane: see planar.h. Without gravity its angular momentum about the
 * fixed point is conserved. */
#include "planar.h"
#include "gravity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ph_status ph_planar_check(const ph_parameter_value *table, size_t n, ph_error *err)
{
    ph_status status = ph_parameter_check_each(&table[PH_PLANAR_MASS], n, "links", err);
    return status ? status : ph_parameter_check_each(&table[PH_PLANAR_LENGTH], n, "links", err);
}

ph_status ph_planar_build(const ph_parameter_value *table, size_t n, ph_system **system, ph_error *err)
{
    static const ph_symmetry turn = {
        "Jz", "angular momentum about the fixed point", "kg m^2/s", {0, 0, 1}, NULL};
    ph_space *space = NULL;
    ph_status status = ph_planar_check(table, n, err);
    if (!status)
        status = ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_S1}, n, &space, err);
    if (status)
        return status;
    double g = table[PH_PLANAR_GRAVITY].values[0], *numbers = malloc(2 * n * sizeof *numbers);
    if (numbers) {
        const ph_linkage linkage = {.length = numbers, .mass = numbers + n, .gravity = {0, -g, 0}};
        for (size_t i = 0; i < n; i++) {
            numbers[i] = ph_parameter_entry(&table[PH_PLANAR_LENGTH], i);
            numbers[n + i] = ph_parameter_entry(&table[PH_PLANAR_MASS], i);
        }
        ph_system_definition definition = {
            .space = space, .linkage = &linkage, .symmetries = &turn, .n_symmetries = g == 0};
        status = ph_system_create(&definition, system, err);
    } else {
        status = ph_fail(err, PH_E_NO_MEMORY, "no memory for a chain of %zu links", n);
    }
    free(numbers);
    ph_space_free(space);
    return status;
}

/* ---- Initial conditions ------------------------------------------------------------------------- */

void ph_planar_direction(const ph_parameter_value *table, double angle, double q[2])
{
    double down = table[PH_PLANAR_GRAVITY].values[0] < 0 ? 1 : -1;
    q[0] = -down * sin(angle);
    q[1] = down * cos(angle);
}

void ph_planar_straight(const ph_parameter_value *table, size_t n, int preset, double *z, double *zdot)
{
    static const double horizontal[2] = {1, 0};
    double down[2];
    ph_planar_direction(table, 0, down);
    for (size_t i = 0; i < 2 * n; i++) {
        z[i] = preset == PH_PLANAR_HANGING   ? down[i % 2]
               : preset == PH_PLANAR_UPRIGHT ? -down[i % 2]
                                             : horizontal[i % 2];
        zdot[i] = 0;
    }
}
