/* SPDX-License-Identifier: BSD-3-Clause */
/* Uniform gravity: see gravity.h. */
#include "gravity.h"
#include <polhode/kit/elementary.h>

#include <stdint.h>

bool ph_all_zero(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        if (x[i] != 0)
            return false;
    return true;
}

bool ph_is_along(const double axis[3], const double v[3])
{
    double side[3];
    ph_cross3(axis, v, side);
    return ph_norm3(side) <= 4 * DBL_EPSILON * ph_norm3(v);
}

/* up = -G/|G|; `along` is e1 where gravity is along e3. */
void ph_gravity_frame(const double G[3], double along[3], double across[3], double down[3])
{
    double up[3] = {0, 0, 1}, other[3];
    if (!ph_all_zero(3, G)) {
        double size = ph_hypot(ph_hypot(G[0], G[1]), G[2]);
        for (int a = 0; a < 3; a++)
            up[a] = -G[a] / size;
        ph_unit_correct3(up);
    }
    for (int a = 0; a < 3; a++)
        down[a] = -up[a];
    ph_tangent_basis3(up, along, other);
    ph_cross3(down, along, across);
}

/* Without gravity three rotations, otherwise one. */
size_t ph_gravity_symmetries(const double G[3], ph_symmetry symmetries[3])
{
    static const ph_symmetry about_axes[3] = {
        {"Jx", "angular momentum about e1", "kg m^2/s", {1, 0, 0}, NULL},
        {"Jy", "angular momentum about e2", "kg m^2/s", {0, 1, 0}, NULL},
        {"Jz", "angular momentum about e3", "kg m^2/s", {0, 0, 1}, NULL},
    };
    static const ph_symmetry about_gravity = {
        "Jg", "angular momentum about the axis of gravity", "kg m^2/s", {0, 0, 1}, NULL};
    if (ph_all_zero(3, G)) {
        memcpy(symmetries, about_axes, sizeof about_axes);
        return 3;
    }
    symmetries[0] = about_gravity;
    if (G[0] != 0 || G[1] != 0) { /* along e3 the axis is +e3, whether gravity points up or down */
        double size = ph_hypot(ph_hypot(G[0], G[1]), G[2]);
        for (int a = 0; a < 3; a++)
            symmetries[0].axis[a] = -G[a] / size;
    }
    return 1;
}

ph_status ph_gravity_check_vertical(const ph_parameter_value *gravity, const char *reason, ph_error *err)
{
    const double *G = gravity->values;
    if (G[0] == 0 && G[1] == 0)
        return PH_OK;
    return ph_fail(err, PH_E_INVALID,
                   "%s is (%g, %g, %g) m/s^2; it must be along e3, as a number g or (0, 0, -g): %s",
                   gravity->name, G[0], G[1], G[2], reason);
}
