/* SPDX-License-Identifier: BSD-3-Clause */
/* Momentum maps J = p . xi(z) of symmetries: for a generator xi by callback its product with the momenta,
 * for a rotation of the whole system about an axis the axis times the sum of what the factors contribute. */
#include <polhode/kit/algebra.h>

#include "lib/internal/space.h"
#include "system.h"

/* What factor i adds to the momentum of rotations: pi itself on S^2, R Pi on SO(3) (from the body's frame
 * to space), q x p in R^3; on S^1 and R^2, which are in the plane of the first two axes, only the third
 * component. */
void ph_system_add_turn(const ph_system *s, size_t i, const double *z, const double *p, double *turns)
{
    ph_factor_place room;
    const ph_factor_place *f = ph_space_place(s->space, i, &room);
    const double *q = z + f->z, *own = p + f->p;
    if (f->kind == PH_FACTOR_S2) { /* summed first: the total is what is conserved */
        for (size_t k = 0; k < 3; k++)
            turns[k] += own[k];
    } else if (f->kind == PH_FACTOR_SO3) {
        for (size_t k = 0; k < 3; k++)
            turns[k] += ph_dot3(q + 3 * k, own); /* R Pi */
    } else if (f->kind == PH_FACTOR_S1) {
        turns[2] += own[0];
    } else if (f->nz == 3) { /* R^3, and what is embedded in it */
        double moment[3];
        ph_cross3(q, own, moment);
        for (size_t k = 0; k < 3; k++)
            turns[k] += moment[k];
    } else if (f->nz == 2) {
        turns[2] += q[0] * own[1] - q[1] * own[0];
    }
}

double ph_rotation_map(const double *axis, const double *turns)
{
    return 0 + ph_dot3(axis, turns); /* no -0 */
}

ph_status ph_system_generator(const ph_system *s, size_t i, const double *z, double *xi)
{
    return s->symmetries[i].generator(s->is.user, z, xi);
}

/* J = p . xi(z). Without a generator it is that of a rotation about an axis: its product with the sum of
 * what the factors add. */
ph_status ph_system_momentum_map(const ph_system *s, size_t i, const double *z, const double *p, double *J,
                                 double *work)
{
    if (!s)
        return PH_E_INVALID;
    const ph_symmetry *symmetry = ph_system_symmetry(s, i);
    if (!symmetry)
        return PH_E_RANGE;
    if (!symmetry->generator) {
        const ph_structure *of = ph_structure_of(s);
        double turns[3] = {0, 0, 0};
        if (of->add_turns)
            of->add_turns(s, z, p, turns);
        for (size_t j = 0; j < s->n && !of->add_turns; j++)
            ph_system_add_turn(s, j, z, p, turns);
        *J = ph_rotation_map(symmetry->axis, turns);
        return PH_OK;
    }
    ph_status status = ph_system_generator(s, i, z, work);
    if (status)
        return status;
    *J = ph_dot(p, work, ph_space_momenta(s->space));
    return PH_OK;
}
