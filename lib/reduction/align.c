/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction by all rotations, SO(3): of a motion with the angular momentum J those about J are left, the group that
 * leaves J where it is. A rotation of space takes J to the third axis, and the system is reduced about that
 * (polhode/domain/routh.h). Source: Marsden, Ratiu, Introduction to Mechanics and Symmetry (2nd ed.), section 15.8. */
#include <polhode/domain/reduction.h>
#include <polhode/domain/routh.h>
#include <polhode/kit/vector.h>

#include "lib/internal/missing.h"
#include "lib/system/generator.h"

#include <math.h>

/* The number of the rotation about this axis, the third or not; PH_NO_INDEX without one. */
static size_t find_rotation(const ph_system *s, size_t axis)
{
    for (size_t i = 0; i < ph_system_symmetries(s); i++) {
        const ph_symmetry *symmetry = ph_system_symmetry(s, i);
        if (!symmetry->generator && symmetry->axis[axis] == 1 && ph_norm3(symmetry->axis) == 1)
            return i;
    }
    return PH_NO_INDEX;
}

ph_status ph_routh_all_rotations(const ph_system *whole, size_t *third, ph_error *err)
{
    if (!whole)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    *third = find_rotation(whole, 2);
    if (ph_system_kind(whole) == PH_PHASE_SPACE)
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "spheres are the phase space of the system: it has no inertia, and is not reduced by "
                       "rotations");
    return *third != PH_NO_INDEX && find_rotation(whole, 0) != PH_NO_INDEX &&
                   find_rotation(whole, 1) != PH_NO_INDEX
               ? PH_OK
               : ph_fail(
                     err, PH_E_UNSUPPORTED,
                     "the system is not invariant under all rotations: it lacks the momentum of the %s axis",
                     find_rotation(whole, 0) == PH_NO_INDEX   ? "first"
                     : find_rotation(whole, 1) == PH_NO_INDEX ? "second"
                                                              : "third");
}

/* x <- x turned by the smallest rotation that takes the unit vector e to the third axis. */
static void turn_upright(const ph_space *space, const double e[3], double *x, double *work)
{
    const size_t nz = ph_space_ambient(space);
    double *once = work, *twice = work + nz, n[3] = {e[1], -e[0], 0}, factor;
    if (e[2] >= 0) {
        factor = 1 / (1 + e[2]); /* 1 + S(n) + S(n)^2 / (1 + cos), n = e x e3 */
    } else {
        /* from below: by half a turn about an axis across, and then as above from -e mirrored */
        const double across[3] = {0, 1, 0};
        ph_turn_about(space, across, x, once);
        ph_turn_about(space, across, once, twice);
        for (size_t k = 0; k < nz; k++)
            x[k] += 2 * twice[k];
        n[0] = e[1]; /* of (-e1, e2, -e3) */
        n[1] = e[0];
        factor = 1 / (1 - e[2]);
    }
    ph_turn_about(space, n, x, once);
    ph_turn_about(space, n, once, twice);
    for (size_t k = 0; k < nz; k++)
        x[k] += once[k] + factor * twice[k];
}

ph_status ph_routh_align(const ph_system *whole, double *q, double *qdot, double *work, ph_error *err)
{
    size_t i;
    ph_status status = ph_routh_all_rotations(whole, &i, err);
    if (status)
        return status;
    const ph_space *space = ph_system_space(whole);
    const size_t nz = ph_space_ambient(space);
    double J[3], *zeta = work, *rest = work + nz, scale = 0;
    for (size_t k = 0; k < 3 && !status; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2};
        ph_turn_about(space, axis, q, zeta);
        status = ph_system_lagrangian_gradient(whole, 0, q, qdot, NULL, rest, rest + nz);
        J[k] = ph_dot(zeta, rest, nz);
        scale = fmax(scale, ph_max_norm(zeta, nz) * ph_max_norm(rest, nz));
    }
    if (status)
        return ph_fail(err, status, "the momentum of the initial state: %s", ph_status_text(status));
    const double size = ph_norm3(J);
    if (!(size > 1e-12 * scale))
        return ph_fail(
            err, PH_E_SINGULAR,
            "the angular momentum of the initial state is 0: it has no direction to reduce about; give "
            "a state that turns, or do without the reduction");
    const double e[3] = {J[0] / size, J[1] / size, J[2] / size};
    turn_upright(space, e, q, work);
    turn_upright(space, e, qdot, work);
    ph_space_correct(space, q);
    return PH_OK;
}
