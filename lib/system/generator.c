/* SPDX-License-Identifier: BSD-3-Clause */
/* Generators of symmetries: zeta(z) = d/ds exp(s xi) z at s = 0. That of a rotation about an axis is linear in
 * ambient coordinates, zeta = Z z. */
#include "generator.h"

#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

#include "evaluation.h"

#include <math.h>
#include <string.h>

/* y (n) <- Z x of the coordinates of one factor: see ph_turn_about. */
static void turn_factor_about(ph_factor_kind kind, size_t n, const double axis[3], const double *x, double *y)
{
    if (kind == PH_FACTOR_SO3) {
        for (size_t k = 0; k < 3; k++) {
            const double column[3] = {x[k], x[3 + k], x[6 + k]};
            double turned[3];
            ph_cross3(axis, column, turned);
            for (size_t row = 0; row < 3; row++)
                y[3 * row + k] = turned[row];
        }
    } else if (n == 3) {
        ph_cross3(axis, x, y);
    } else if (n == 2) {
        y[0] = -axis[2] * x[1];
        y[1] = axis[2] * x[0];
    } else {
        memset(y, 0, n * sizeof *y);
    }
}

void ph_turn_about(const ph_space *space, const double axis[3], const double *x, double *y)
{
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        turn_factor_about(f->kind, f->nz, axis, x + f->z, y + f->z);
    }
}

ph_turn ph_turn_by(const double axis[3], double angle)
{
    const double size = ph_norm3(axis), half = ph_sin(0.5 * size * angle);
    return (ph_turn){.unit = {axis[0] / size, axis[1] / size, axis[2] / size},
                     .s = ph_sin(size * angle),
                     .c = 2 * half * half};
}

void ph_turn_factor(const ph_turn *turn, ph_factor_kind kind, size_t n, double *x, double *work)
{
    double *once = work, *twice = work + n;
    turn_factor_about(kind, n, turn->unit, x, once);
    turn_factor_about(kind, n, turn->unit, once, twice);
    for (size_t k = 0; k < n; k++)
        x[k] += turn->s * once[k] + turn->c * twice[k];
}

ph_status ph_generator_at(const ph_system *s, size_t i, const double *z, double *zeta, double *work)
{
    const ph_symmetry *symmetry = ph_system_symmetry(s, i);
    if (!symmetry->generator) {
        ph_turn_about(ph_system_space(s), symmetry->axis, z, zeta);
        return PH_OK;
    }
    ph_status status = ph_system_generator(s, i, z, work);
    if (!status)
        ph_space_turn(ph_system_space(s), z, work, zeta);
    return status;
}
