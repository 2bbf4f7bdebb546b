/* SPDX-License-Identifier: BSD-3-Clause */
/* Generators of symmetries: zeta(z) = d/ds exp(s xi) z at s = 0. That of a rotation about an axis is linear in
 * ambient coordinates, zeta = Z z. */
#include "generator.h"

#include <polhode/vector.h>

#include "lib/system/system.h"

#include <string.h>

void ph_turn_about(const ph_space *space, const double axis[3], const double *x, double *y)
{
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        const double *a = x + f->z;
        double *b = y + f->z;
        if (f->kind == PH_FACTOR_SO3) {
            for (size_t k = 0; k < 3; k++) {
                const double column[3] = {a[k], a[3 + k], a[6 + k]};
                double turned[3];
                ph_cross3(axis, column, turned);
                for (size_t row = 0; row < 3; row++)
                    b[3 * row + k] = turned[row];
            }
        } else if (f->nz == 3) {
            ph_cross3(axis, a, b);
        } else if (f->nz == 2) {
            b[0] = -axis[2] * a[1];
            b[1] = axis[2] * a[0];
        } else {
            memset(b, 0, f->nz * sizeof *b);
        }
    }
}

ph_status ph_generator_at(const ph_system *s, size_t i, const double *z, double *zeta, double *work)
{
    const ph_symmetry *symmetry = ph_system_symmetry(s, i);
    if (!symmetry->generator) {
        ph_turn_about(s->space, symmetry->axis, z, zeta);
        return PH_OK;
    }
    ph_status status = symmetry->generator(s->is.user, z, work);
    if (!status)
        ph_space_turn(s->space, z, work, zeta);
    return status;
}
